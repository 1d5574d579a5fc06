# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command line of run-cts."""

import argparse
import os
import sys
from pathlib import Path

from . import discovery, report
from .model import PASS, SKIP
from .results import Expected, ExpectedError, ResultsFile
from .running import Runner
from .selection import Catalogue, SelectionError, plan

HERE = Path(__file__).resolve().parent.parent

EXIT_AS_EXPECTED = 0
EXIT_WORSE = 1
EXIT_USAGE = 2
EXIT_INTERRUPTED = 130


def parser():
    p = argparse.ArgumentParser(
        prog="run-cts", description="Runs parts of an existing build of the Khronos OpenCL CTS on one driver, and "
        "compares with the expected results. Exit status: 0 nothing is worse than expected, 1 something is, "
        "2 nothing could be run.")
    p.add_argument("what", nargs="*", help="subsets (see --list-subsets), binaries (test_basic), sub-tests "
                   "(test_basic:sizeof, 'test_basic:vec*,!*image*'), or all")
    p.add_argument("--cts", type=Path, help="the build directory of the CTS")
    p.add_argument("--icd", type=Path, help="the driver's .icd file; without it, whatever the loader finds")
    p.add_argument("--env", action="append", default=[], metavar="NAME=VALUE", help="for the tests' environment")
    p.add_argument("-j", "--jobs", type=int, default=max(1, (os.cpu_count() or 2) // 2),
                   help="sub-tests at the same time (default: half of the CPUs)")
    p.add_argument("--batch", type=int, default=1, metavar="N", help="up to N sub-tests in a process, for drivers that "
                   "start slowly; a batch that does not end well is run again one by one")
    p.add_argument("--time-limit", type=float, default=300, metavar="SECONDS", help="for a process (default: 300)")
    p.add_argument("--results", type=Path, metavar="DIR", help="where results.jsonl, junit.xml and the logs go "
                   "(default: cts-results/<driver>)")
    p.add_argument("--resume", action="store_true", help="keep the results that are there, run what is missing")
    p.add_argument("--rerun-failures", action="store_true", help="like --resume, but failures are run again")
    p.add_argument("--expected", type=Path, help="expected results (default: conformance/expected/<driver>.txt)")
    p.add_argument("--update-expected", action="store_true", help="write the outcomes into the expected results")
    p.add_argument("--junit", type=Path, help="where JUnit XML goes (default: junit.xml beside the results)")
    p.add_argument("--subsets", type=Path, default=HERE / "subsets.toml", help=argparse.SUPPRESS)
    p.add_argument("--thorough", action="store_true", help="without the arguments that make long tests do less (-w)")
    p.add_argument("--argument", action="append", default=[], help="one more argument for every binary")
    p.add_argument("--list", action="store_true", help="print what would be run")
    p.add_argument("--list-subsets", action="store_true", help="print the named subsets")
    return p


def environment(options):
    """The tests' environment: this one, with the driver chosen and --env applied."""
    result = dict(os.environ)
    result["LC_ALL"] = "C"
    if options.icd:
        if not options.icd.is_file():
            raise SelectionError(f"{options.icd} is not a file")
        result["OCL_ICD_VENDORS"] = str(options.icd.resolve())
    result.setdefault("HEDDLE_PLAIN_WORK", "0")  # short launches in optimized code, too
    for setting in options.env:
        name, equals, value = setting.partition("=")
        if not name or not equals:
            raise SelectionError(f"--env wants NAME=VALUE, not {setting!r}")
        result[name] = value
    return result


def main(arguments):
    options = parser().parse_args(arguments)
    try:
        return run(options)
    except (SelectionError, discovery.DiscoveryError, ExpectedError, OSError) as error:
        print(f"run-cts: {error}", file=sys.stderr)
        return EXIT_USAGE
    except KeyboardInterrupt:
        print("run-cts: interrupted; --resume goes on from here", file=sys.stderr)
        return EXIT_INTERRUPTED


def run(options):
    catalogue = Catalogue(options.subsets.read_text())
    if options.list_subsets:
        for name, subset in catalogue.subsets.items():
            print(f"{name}: {subset.get('about', '')}")
        return EXIT_AS_EXPECTED
    if not options.cts or not options.what:
        raise SelectionError("--cts and what to run are needed; see --help")
    env = environment(options)
    binaries = discovery.find_binaries(options.cts)
    tests, missing = plan(options.what, catalogue, binaries, thorough=options.thorough, extra=options.argument,
                          lister=lambda path: discovery.list_sub_tests(path, env))
    if options.list:
        print("\n".join(" ".join([t.identifier, *t.arguments]) for t in tests))
        return EXIT_AS_EXPECTED

    driver = options.icd.stem if options.icd else "default"
    folder = (options.results or Path("cts-results") / driver).resolve()
    expected_path = options.expected or HERE / "expected" / f"{driver}.txt"
    expected = Expected.read(expected_path)
    results = execute(options, tests, binaries, env, folder)

    print(report.table(results, expected, missing))
    junit_path = options.junit or folder / "junit.xml"
    junit_path.write_text(report.junit(results, expected, driver))
    print(f"\nLogs and results: {folder}")
    if options.update_expected:
        updated = expected.updated(results)
        expected_path.parent.mkdir(parents=True, exist_ok=True)
        expected_path.write_text(updated.text(expected_path.stem))
        print(f"{expected_path} written; failures without a reason: {len(updated.unexplained())}")
        return EXIT_WORSE if missing else EXIT_AS_EXPECTED
    worse = any(expected.compare(r) > 0 for r in results)
    return EXIT_WORSE if worse or missing else EXIT_AS_EXPECTED


def execute(options, tests, binaries, env, folder):
    """Runs what has no result yet and returns all results in the plan's order."""
    file = ResultsFile(folder / "results.jsonl")
    folder.mkdir(parents=True, exist_ok=True)
    wanted = {test.identifier for test in tests}
    done = {}
    if options.resume or options.rerun_failures:
        done = {i: r for i, r in file.load().items() if i in wanted}
        if options.rerun_failures:
            done = {i: r for i, r in done.items() if r.outcome in (PASS, SKIP)}
    else:
        file.clear()
    todo = [test for test in tests if test.identifier not in done]
    runner = Runner(binaries, env, folder / "logs", time_limit=options.time_limit, jobs=options.jobs,
                    batch=options.batch)

    def on_result(result):
        file.append(result)
        done[result.identifier] = result
        print(f"[{len(done)}/{len(tests)}] {result.identifier}: {result.outcome} ({result.seconds:.1f} s)", flush=True)

    runner.run(todo, on_result)
    return [done[test.identifier] for test in tests]
