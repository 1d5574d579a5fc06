# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A directory that looks like a build of the CTS. Its binary is a script whose sub-tests pass, fail, crash and hang."""

import stat
import sys
from pathlib import Path

SCRIPT = """#!{python}
import json, os, signal, subprocess, sys, time

TESTS = {tests!r}
arguments = sys.argv[1:]
if "--list" in arguments and {knows_list!r}:
    print("".join("\\t" + t + "\\n" for t in TESTS), end="")
    sys.exit(0)
if "--help" in arguments:
    print("Usage: fake\\n\\tnot_a_test\\tmeans something\\nTest names:\\n" + "".join("\\t" + t + "\\n" for t in TESTS))
    sys.exit(0)
results = {{}}
with open({trace!r}, "a") as trace:
    trace.write(" ".join(arguments) + "\\n")
for name in [a for a in arguments if not a.startswith("-")]:
    print(name + "...", flush=True)
    if name.startswith("crash"):
        os.kill(os.getpid(), signal.SIGSEGV)
    if name.startswith("hang"):
        subprocess.Popen(["sleep", "60"])
        time.sleep(60)
    if name.startswith("silent"):
        sys.exit(3)
    if name.startswith("environment") and os.environ.get("FAKE_SETTING") != "on":
        sys.exit(4)
    if name.startswith("absent"):
        print("This device does not support mipmaps.\\nSkipping mipmapped image test. ")
    if name.startswith("stray"):
        open("stray_file", "w").close()
    results[name] = "fail" if name.startswith("fail") else "skip" if name.startswith("skip") else "pass"
    print(name + {{"pass": " passed", "fail": " FAILED", "skip": " test not supported"}}[results[name]])
if {writes_json!r}:
    with open(os.environ["CL_CONFORMANCE_RESULTS_FILENAME"], "w") as file:
        json.dump({{"cmd": "fake", "args": "", "results": results}}, file)
sys.exit(1 if "fail" in results.values() else 0)
"""


def add_binary(folder, name, tests, *, knows_list=True, writes_json=True):
    """Writes the script; returns its path. What it is called with is appended to <path>.trace."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(SCRIPT.format(python=sys.executable, tests=list(tests), knows_list=knows_list,
                                  writes_json=writes_json, trace=str(path) + ".trace"))
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def calls(path):
    """The argument lists that the script at `path` was run with."""
    trace = Path(str(path) + ".trace")
    return trace.read_text().splitlines() if trace.exists() else []
