# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Results on disk (one JSON object a line, so that a run can be resumed after any kind of end) and expected results.

An expected file has one line a sub-test: identifier, outcome and, where it is not a pass, the reason. It is written
sorted, so that a change of behaviour is a change of one line.
"""

import json
import os
from pathlib import Path

from .model import DEFAULT_EXPECTED, OUTCOMES, PASS, SKIP, Result, severity

UNEXPLAINED = "unexplained"


class ResultsFile:
    """Appends results; `load` gives those of earlier runs, the last one of each sub-test."""

    def __init__(self, path):
        self._path = Path(path)

    def load(self):
        results = {}
        try:
            lines = self._path.read_text().splitlines()
        except FileNotFoundError:
            return results
        for line in lines:
            try:
                result = Result.from_json(json.loads(line))
            except (ValueError, KeyError, TypeError):
                continue  # a line cut short by the end of an earlier run
            results[result.identifier] = result
        return results

    def clear(self):
        self._path.unlink(missing_ok=True)

    def append(self, result):
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with open(self._path, "ab+") as file:
            size = file.seek(0, os.SEEK_END)
            torn = False
            if size:
                file.seek(size - 1)
                torn = file.read(1) != b"\n"
            line = json.dumps(result.to_json()) + "\n"
            file.write((("\n" if torn else "") + line).encode())


class ExpectedError(Exception):
    """An expected file has a line that means nothing."""


class Expected:
    """{identifier: (outcome, reason)}; a sub-test that is not named may pass or be skipped."""

    def __init__(self, entries=None):
        self.entries = dict(entries or {})

    @staticmethod
    def parse(text, source="expected results"):
        entries = {}
        for number, line in enumerate(text.splitlines(), 1):
            if not line.strip() or line.startswith("#"):
                continue
            words = line.split(None, 2)
            if len(words) < 2 or words[1] not in OUTCOMES or ":" not in words[0]:
                raise ExpectedError(f"{source}:{number}: not `binary:sub-test outcome [reason]`: {line!r}")
            entries[words[0]] = (words[1], words[2].strip() if len(words) > 2 else "")
        return Expected(entries)

    @staticmethod
    def read(path):
        path = Path(path)
        return Expected.parse(path.read_text(), path.name) if path.exists() else Expected()

    def outcome(self, identifier):
        return self.entries.get(identifier, (DEFAULT_EXPECTED, ""))[0]

    def reason(self, identifier):
        return self.entries.get(identifier, ("", ""))[1]

    def compare(self, result):
        """-1 better, 0 as expected, 1 worse."""
        expected = self.outcome(result.identifier)
        if result.identifier not in self.entries and severity(result.outcome) <= severity(expected):
            return 0
        difference = severity(result.outcome) - severity(expected)
        return (difference > 0) - (difference < 0)

    def updated(self, results):
        """With the outcomes of `results`; a reason stays while the outcome does, new ones have to be written by hand."""
        entries = dict(self.entries)
        for result in results:
            old_outcome, old_reason = entries.get(result.identifier, ("", ""))
            reason = old_reason if old_outcome == result.outcome else ""
            if result.outcome not in (PASS, SKIP) and not reason:
                reason = UNEXPLAINED
            entries[result.identifier] = (result.outcome, "" if result.outcome == PASS else reason)
        return Expected(entries)

    def unexplained(self):
        return sorted(i for i, (outcome, reason) in self.entries.items()
                      if outcome not in (PASS, SKIP) and reason in ("", UNEXPLAINED))

    def text(self, title):
        lines = [f"# {title}: what each sub-test of the Khronos CTS gives.",
                 "# binary:sub-test, outcome, and the reason of every failure; written by run-cts --update-expected."]
        for identifier, (outcome, reason) in sorted(self.entries.items()):
            lines.append(f"{identifier} {outcome} {reason}".rstrip())
        return "\n".join(lines) + "\n"
