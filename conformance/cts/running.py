# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs sub-tests as processes and finds out how they ended.

Every process gets its own session (so that a time limit ends its children too), its own working directory, and its
output in a file of its own. What the CTS wrote to CL_CONFORMANCE_RESULTS_FILENAME decides; a process that dies before
writing it has crashed. A batch (several sub-tests in one process) that does not end well is run again one by one.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from pathlib import Path

from .model import CRASH, FAIL, PASS, SKIP, TIMEOUT, Result, severity

TAIL_LINES = 12
SKIP_LINE = re.compile(r"test not supported$|skipped \(requires at least|currently not implemented$", re.MULTILINE)

# Tests of images and pipes that report a pass when the device lacks what they test. Each image format tested has
# a line of its own.
NOTHING_TO_TEST = re.compile(r"^(Skipping (mipmapped image|3d image write|cl_ext_\w+)|.*No formats supported|"
                             r"\w+ is not supported on this platform\. Skipping test).*", re.MULTILINE)
TESTED_FORMAT = re.compile(r"^\[CL_", re.MULTILINE)


class Runner:
    """Runs a plan. `on_result(result)` is called from the thread that called `run`, once a sub-test."""

    def __init__(self, binaries, environment, log_folder, *, time_limit=300.0, jobs=1, batch=1):
        self._binaries = binaries
        self._environment = dict(environment)
        self._logs = Path(log_folder)
        self._time_limit = time_limit
        self._jobs = max(1, jobs)
        self._batch = max(1, batch)
        self._running = set()
        self._lock = threading.Lock()
        self._stopping = False

    def run(self, tests, on_result):
        """Runs all of `tests`. An exception (Ctrl-C) ends the running processes and is passed on."""
        with ThreadPoolExecutor(self._jobs) as pool:
            try:
                pending = {pool.submit(self._run_batch, batch) for batch in batches(tests, self._batch)}
                while pending:
                    done, pending = wait(pending, return_when=FIRST_COMPLETED)
                    for future in done:
                        for result in future.result():
                            on_result(result)
            except BaseException:
                self._stop()
                pool.shutdown(wait=False, cancel_futures=True)
                raise

    def _stop(self):
        with self._lock:
            self._stopping = True
            for process in self._running:
                kill_group(process)

    def _run_batch(self, batch):
        if len(batch) > 1:
            ended, results, seconds, log = self._process(batch)
            if ended.kind == "exit" and all(test.name in results for test in batch):
                share = seconds / len(batch)
                return [Result(t.identifier, results[t.name], share,
                               "" if results[t.name] == PASS else tail(log), str(log), list(t.arguments))
                        for t in batch]
        return [self._run_one(test) for test in batch]

    def _run_one(self, test):
        ended, results, seconds, log = self._process([test])
        outcome, detail = judge(test, ended, results, log)
        return Result(test.identifier, outcome, seconds, detail, str(log), list(test.arguments))

    def _process(self, tests):
        first = tests[0]
        folder = self._logs / first.binary
        folder.mkdir(parents=True, exist_ok=True)
        log = folder / (first.name + (f"+{len(tests) - 1}" if len(tests) > 1 else "") + ".log")
        path = str(self._binaries[first.binary])
        command = [path, *first.arguments, *[word for test in tests for word in test.command]]
        limit = first.time_limit or self._time_limit
        scratch = Path(tempfile.mkdtemp(prefix="cts-"))
        try:
            report = scratch / "results.json"
            environment = {**self._environment, "CL_CONFORMANCE_RESULTS_FILENAME": str(report)}
            start = time.monotonic()
            ended = self._execute(command, environment, scratch, log, limit)
            return ended, read_report(report), time.monotonic() - start, log
        finally:
            shutil.rmtree(scratch, ignore_errors=True)

    def _execute(self, command, environment, folder, log, limit):
        with open(log, "wb") as output:
            with self._lock:
                if self._stopping:
                    return Ended("limit", 0)
                process = subprocess.Popen(command, env=environment, cwd=folder, stdin=subprocess.DEVNULL,
                                           stdout=output, stderr=subprocess.STDOUT, start_new_session=True)
                self._running.add(process)
            try:
                code = process.wait(timeout=limit)
                return Ended("signal", -code) if code < 0 else Ended("exit", code)
            except subprocess.TimeoutExpired:
                return Ended("limit", limit)
            finally:
                kill_group(process)
                process.wait()
                with self._lock:
                    self._running.discard(process)


class Ended:
    """How a process ended: kind is exit (value: status), signal (value: number) or limit (value: seconds)."""

    def __init__(self, kind, value):
        self.kind = kind
        self.value = value


def batches(tests, size):
    """Neighbours with the same binary and arguments, `size` at most; sub-tests with several words stay alone."""
    group = []
    for test in tests:
        alone = test.command != (test.name,)
        if group and (alone or len(group) >= size or test.binary != group[0].binary
                      or test.arguments != group[0].arguments):
            yield group
            group = []
        group.append(test)
        if alone:
            yield group
            group = []
    if group:
        yield group


def judge(test, ended, results, log):
    """(outcome, detail) of a process that ran one sub-test."""
    if ended.kind == "limit":
        return TIMEOUT, f"stopped after {ended.value:g} seconds\n{tail(log)}"
    if ended.kind == "signal":
        return CRASH, f"{signal_name(ended.value)}\n{tail(log)}"
    outcome = results.get(test.name)
    if outcome is None and results:
        outcome = max(results.values(), key=severity)
    if outcome is None and ended.value == 0:
        outcome = SKIP if SKIP_LINE.search(log.read_text(errors="replace")) else PASS
    if outcome is None:
        return FAIL, f"exit status {ended.value}, no results written\n{tail(log)}"
    if outcome in (PASS, SKIP) and ended.value != 0:
        return FAIL, f"{outcome} reported, but exit status {ended.value}\n{tail(log)}"
    if outcome == PASS and (line := vacuous(log.read_text(errors="replace"))):
        return SKIP, f"passed without testing anything: {line}"
    return outcome, "" if outcome == PASS else tail(log)


def vacuous(text):
    """The line by which the output of a passed test tells that nothing was tested; empty if something was."""
    found = NOTHING_TO_TEST.search(text)
    return found[0] if found and not TESTED_FORMAT.search(text) else ""


def read_report(path):
    """{sub-test: outcome} from the CTS's JSON file; empty when it is absent or cut short."""
    try:
        results = json.loads(Path(path).read_text(errors="replace"))["results"]
        return {name: outcome for name, outcome in results.items() if outcome in (PASS, SKIP, FAIL)}
    except (OSError, ValueError, KeyError, AttributeError, TypeError):
        return {}


def tail(log, lines=TAIL_LINES):
    """The last lines of an output file; a huge file is read from its end only."""
    with open(log, "rb") as file:
        file.seek(0, os.SEEK_END)
        file.seek(max(0, file.tell() - 8192))
        text = file.read().decode(errors="replace")
    return "\n".join(text.splitlines()[-lines:])


def signal_name(number):
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def kill_group(process):
    """Ends a process and whatever it started."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass
