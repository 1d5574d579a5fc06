# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the other modules talk about: sub-tests, their outcomes, and how bad an outcome is."""

from dataclasses import dataclass, field

PASS = "pass"
SKIP = "skip"
FAIL = "fail"
CRASH = "crash"
TIMEOUT = "timeout"

OUTCOMES = (PASS, SKIP, FAIL, CRASH, TIMEOUT)

# A sub-test that nothing is known of may pass or be skipped, but must not fail.
DEFAULT_EXPECTED = SKIP


def severity(outcome):
    """Larger is worse. A skip where a pass is expected counts as worse: it hides the loss of a feature."""
    return OUTCOMES.index(outcome)


@dataclass(frozen=True)
class SubTest:
    """One entry of the plan: one run of `binary` that gives one outcome."""

    binary: str
    name: str
    command: tuple = ()  # what selects it on the command line
    arguments: tuple = ()  # options that go before it
    time_limit: float = 0.0  # seconds; 0: the runner's default

    @property
    def identifier(self):
        return f"{self.binary}:{self.name}"


@dataclass
class Result:
    """The outcome of one sub-test and what is worth showing of it."""

    identifier: str
    outcome: str
    seconds: float = 0.0
    detail: str = ""
    log: str = ""
    arguments: list = field(default_factory=list)

    def to_json(self):
        return dict(vars(self))

    @staticmethod
    def from_json(record):
        result = Result(record["identifier"], record["outcome"])
        if result.outcome not in OUTCOMES:
            raise ValueError(f"outcome {result.outcome!r} is not known")
        result.seconds = float(record.get("seconds", 0.0))
        result.detail = record.get("detail", "")
        result.log = record.get("log", "")
        result.arguments = list(record.get("arguments", []))
        return result
