# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs case files in child processes. A kernel that crashes or hangs ends its process only; the
others of its file run in a new one."""
import os
import signal
import subprocess
from dataclasses import dataclass

from .ways import environment


# The runner ends itself (run_cases.cpp), and is killed if that fails.
_LIMITS = {-signal.SIGPROF: "by processor time", -signal.SIGALRM: "by the clock", -signal.SIGKILL: "killed"}


@dataclass(frozen=True)
class Outcome:
    kind: str         # done, fail (the driver said so), crash, hang, unbuilt
    detail: str = ""  # digest, reason, signal, limit or build log

    def __str__(self):
        return f"{self.kind} {self.detail}".strip()


class Runner:
    def __init__(self, program, seconds=20):
        self.program = program
        self.seconds = seconds

    def _program(self, way):
        """A way may have a runner of its own: that of another architecture."""
        return way.get("RUNNER", self.program)

    def features(self, way):
        """The names of the driver's features."""
        result = subprocess.run([self._program(way), "--features"], env=environment(way), capture_output=True,
                                text=True, timeout=120, check=True)
        return set(result.stdout.split())

    def run(self, path, names, way):
        """An Outcome for each kernel."""
        outcomes = {}
        while len(outcomes) < len(names):
            missing = [name for name in names if name not in outcomes]
            before = len(outcomes)
            self._run_once(path, missing, way, outcomes)
            if len(outcomes) == before:
                raise RuntimeError(f"{self.program} said nothing about {path}")
        return outcomes

    def _run_once(self, path, names, way, outcomes):
        command = [self._program(way), path, "--kernels", ",".join(names), "--seconds", str(self.seconds)]
        limit = 10 * (self.seconds * (len(names) + 2) + 5 * len(names))
        child = subprocess.Popen(command, env=environment(way), stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, text=True, errors="replace", start_new_session=True)
        try:
            out, err = child.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            out, err = child.communicate()
        at, running = "", None
        for line in out.splitlines():
            words = line.split(" ", 2)
            at = words[0]
            if at == "begin":
                running = words[1]
            elif at in ("done", "fail"):
                outcomes[words[1]] = Outcome(at, words[2] if len(words) > 2 else "")
                running = None
        if at == "end":
            return
        if child.returncode == 2 or not out:
            raise RuntimeError(f"{' '.join(command)}: {err.strip() or out}")
        ended = Outcome("hang", _LIMITS[child.returncode]) if child.returncode in _LIMITS else \
            Outcome("crash", f"signal {-child.returncode}" if child.returncode < 0 else f"exit {child.returncode}")
        if at == "unbuilt":
            ended = Outcome("unbuilt", err.strip()[-2000:])
        if running:
            outcomes[running] = ended
        elif at in ("build", "unbuilt"):
            for name in names:
                outcomes[name] = Outcome("unbuilt", ended.detail or ended.kind) if at == "unbuilt" else \
                    Outcome(ended.kind, f"{ended.detail} in the build".strip())
        else:  # between two kernels, or after the last
            rest = [name for name in names if name not in outcomes]
            if rest:
                outcomes[rest[0]] = ended
