# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import tempfile
import time
import unittest
from pathlib import Path

from cts.model import CRASH, FAIL, PASS, SKIP, TIMEOUT, SubTest
from cts.running import Runner, batches, vacuous
from cts.tests.fake_build import add_binary, calls


class Running(unittest.TestCase):
    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.addCleanup(self._folder.cleanup)
        self.folder = Path(self._folder.name)

    def run_tests(self, names, *, environment=None, writes_json=True, **options):
        self.path = add_binary(self.folder, "test_fake", names, writes_json=writes_json)
        runner = Runner({"test_fake": self.path}, {**os.environ, **(environment or {})}, self.folder / "logs", **options)
        results = {}

        def keep(result):
            self.assertNotIn(result.identifier, results)
            results[result.identifier] = result

        runner.run([SubTest("test_fake", name, (name,)) for name in names], keep)
        return {identifier.partition(":")[2]: result for identifier, result in results.items()}

    def outcomes(self, names, **options):
        return {name: result.outcome for name, result in self.run_tests(names, **options).items()}

    def test_every_outcome(self):
        start = time.monotonic()
        outcomes = self.outcomes(["ok", "fail", "skip", "crash", "hang", "silent"], time_limit=2, jobs=3)
        self.assertEqual(outcomes, {"ok": PASS, "fail": FAIL, "skip": SKIP, "crash": CRASH, "hang": TIMEOUT,
                                    "silent": FAIL})
        self.assertLess(time.monotonic() - start, 30, "a child of the hanging process was waited for")

    def test_without_a_results_file_the_exit_status_decides(self):
        self.assertEqual(self.outcomes(["ok", "fail", "skip"], writes_json=False),
                         {"ok": PASS, "fail": FAIL, "skip": SKIP})

    def test_details_and_logs(self):
        results = self.run_tests(["crash", "silent"])
        self.assertIn("SIGSEGV", results["crash"].detail)
        self.assertIn("crash...", Path(results["crash"].log).read_text())
        self.assertIn("exit status 3", results["silent"].detail)

    def test_a_pass_of_nothing_is_a_skip(self):
        results = self.run_tests(["absent", "ok"])
        self.assertEqual({name: r.outcome for name, r in results.items()}, {"absent": SKIP, "ok": PASS})
        self.assertIn("Skipping mipmapped image test", results["absent"].detail)
        self.assertEqual(vacuous("No formats supported for int type\n[CL_R CL_FLOAT 1]\n"), "")
        self.assertTrue(vacuous("No formats supported for int type\n"))
        self.assertTrue(vacuous("cl_khr_subgroups is not supported on this platform. Skipping test.\n"))
        self.assertEqual(vacuous("The device does not support CL_MEM_IMMUTABLE_EXT. Skipping the memory flag.\n"), "")

    def test_a_batch_is_one_process(self):
        self.assertEqual(self.outcomes(["a", "fail", "b"], batch=3), {"a": PASS, "fail": FAIL, "b": PASS})
        self.assertEqual(calls(self.path), ["a fail b"])

    def test_a_crash_in_a_batch_costs_one_sub_test(self):
        self.assertEqual(self.outcomes(["a", "crash", "b", "c"], batch=3),
                         {"a": PASS, "crash": CRASH, "b": PASS, "c": PASS})
        self.assertEqual(calls(self.path), ["a crash b", "a", "crash", "b", "c"])

    def test_a_hang_in_a_batch_costs_one_sub_test(self):
        self.assertEqual(self.outcomes(["a", "hang"], batch=2, time_limit=2), {"a": PASS, "hang": TIMEOUT})

    def test_environment_and_working_directory(self):
        before = set(os.listdir())
        self.assertEqual(self.outcomes(["environment", "stray"], environment={"FAKE_SETTING": "on"}),
                         {"environment": PASS, "stray": PASS})
        self.assertEqual(set(os.listdir()), before)

    def test_batches_keep_binaries_and_arguments_apart(self):
        tests = [SubTest("x", "1", ("1",)), SubTest("x", "2", ("2",)), SubTest("x", "3", ("3",), ("-w",)),
                 SubTest("y", "4", ("4",), ("-w",)), SubTest("y", "5", ("u", "v"), ("-w",)),
                 SubTest("y", "6", ("6",), ("-w",))]
        self.assertEqual([[t.name for t in b] for b in batches(tests, 10)], [["1", "2"], ["3"], ["4"], ["5"], ["6"]])


if __name__ == "__main__":
    unittest.main()
