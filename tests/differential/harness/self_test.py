#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The comparer and the reducer against a runner that is wrong on purpose: where a kernel calls
`rhadd`, all widths but 1 give another digest, and where it has a barrier in a loop they crash. With a runner and a
driver as arguments, also that a kernel which never ends is reported, and those behind it run."""
import os
import re
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from generator.kernel import Features  # noqa: E402
from harness.campaign import Campaign  # noqa: E402
from harness.run import Outcome, Runner  # noqa: E402


_NEVER_ENDS = """//! options -cl-std=CL1.2
//! kernel waits dims 1 global 64 local 64
//! arg out uint 64 zero
//! kernel ends dims 1 global 64 local 64
//! arg out uint 64 zero
kernel void waits(global uint* out) {
  volatile local uint flag;
  flag = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  while (flag == 0);
  out[get_local_id(0)] = 1;
}
kernel void ends(global uint* out) { out[get_local_id(0)] = 1; }
"""


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


def check_hang(runner):
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "never.cl")
        with open(path, "w", encoding="ascii") as file:
            file.write(_NEVER_ENDS)
        outcomes = runner.run(path, ["waits", "ends"], {})
    check(outcomes["waits"] == Outcome("hang", "by processor time"), f"a kernel that never ends: {outcomes['waits']}")
    check(outcomes["ends"].kind == "done", f"the kernel behind it: {outcomes['ends']}")
    print("self test: a kernel that never ends is reported")


def main():
    if len(sys.argv) > 2:
        os.environ["OCL_ICD_VENDORS"] = os.path.abspath(sys.argv[2])
        check_hang(Runner(sys.argv[1], 3))
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
