#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The comparer and the reducer against a runner that is wrong on purpose: where a kernel calls
`rhadd`, all widths but 1 give another digest, and where it has a barrier in a loop they crash."""
import os
import re
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from generator.kernel import Features  # noqa: E402
from harness.campaign import Campaign  # noqa: E402
from harness.run import Outcome  # noqa: E402


class WrongRunner:
    program = "nothing"

    def __init__(self, word):
        self.word = word

    def run(self, path, names, way):
        with open(path, encoding="ascii") as file:
            text = file.read()
        kernels = dict(re.findall(r"^//! kernel (\S+)(.*?)(?=^//! kernel|\Z)", text, re.M | re.S))
        wrong = way.get("HEDDLE_WIDTH") == "8"
        return {name: Outcome("crash", "signal 11") if wrong and "swap" in kernels[name] else
                Outcome("done", "2" if wrong and self.word in kernels[name] else "1") for name in names}


def check(condition, what):
    if not condition:
        sys.exit(f"self test: {what}")


def main():
    with tempfile.TemporaryDirectory() as directory:
        campaign = Campaign(WrongRunner("rhadd("), Features(), {"HEDDLE_WIDTH": "1"}, 40, directory, 20,
                            say=lambda text: None)
        campaign.run_program(8, [{"HEDDLE_WIDTH": "4"}])
        check(not campaign.found, "equal results were reported")
        campaign.run_program(8, [{"HEDDLE_WIDTH": "8"}])
        kinds = {finding.got.kind for finding in campaign.found}
        check(kinds == {"done", "crash"}, f"found {kinds or 'nothing'}")
        for finding in campaign.found:
            with open(os.path.join(finding.directory, "kernel.cl"), encoding="ascii") as file:
                small = file.read()
            with open(os.path.join(finding.directory, "original.cl"), encoding="ascii") as file:
                whole = file.read()
            word = "swap" if finding.got.kind == "crash" else "rhadd("
            check(word in small, f"the fault is not in {small}")
            check(len(small) < len(whole) / 2 and small.count("\n") < 60, f"hardly reduced: {small}")
    print(f"self test: {len(campaign.found)} faults found and reduced")


main()
