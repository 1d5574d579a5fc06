# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import tempfile
import unittest
from pathlib import Path

from cts.selection import Catalogue, SelectionError, plan, split_selector

CATALOGUE = Catalogue("""
[subset.small]
tests = ["test_basic:a*,!ab", "test_math", "test_absent"]
[subset.again]
tests = ["test_basic"]
[binary.test_math]
arguments = ["-1"]
quick_arguments = ["-w"]
time_limit = 7
""")
BINARIES = {"test_basic": Path("b/test_basic"), "test_math": Path("m/test_math")}
TESTS = {"test_basic": ["aa", "ab", "b"], "test_math": ["sin"]}


def lister(path):
    return [(name, (name,)) for name in TESTS[path.name]]


def chosen(*names, **options):
    tests, missing = plan(names, CATALOGUE, BINARIES, lister=lister, **options)
    return [t.identifier for t in tests], missing


class Selection(unittest.TestCase):
    def test_selectors(self):
        self.assertEqual(split_selector("test_a"), ("test_a", ["*"], []))
        self.assertEqual(split_selector("test_a:x,!y*"), ("test_a", ["x"], ["y*"]))
        self.assertEqual(split_selector("test_a:!y"), ("test_a", ["*"], ["y"]))

    def test_subset_binary_and_sub_test(self):
        self.assertEqual(chosen("small"), (["test_basic:aa", "test_math:sin"], ["test_absent"]))
        self.assertEqual(chosen("test_basic"), (["test_basic:aa", "test_basic:ab", "test_basic:b"], []))
        self.assertEqual(chosen("test_basic:b"), (["test_basic:b"], []))
        self.assertEqual(chosen("all"), (["test_basic:aa", "test_basic:ab", "test_basic:b", "test_math:sin"], []))

    def test_named_twice_is_run_once(self):
        self.assertEqual(chosen("test_basic:b", "again", "test_basic:b")[0],
                         ["test_basic:b", "test_basic:aa", "test_basic:ab"])

    def test_arguments_and_limits(self):
        quick = plan(["test_math"], CATALOGUE, BINARIES, lister=lister)[0][0]
        full = plan(["test_math"], CATALOGUE, BINARIES, lister=lister, thorough=True, extra=["-v"])[0][0]
        self.assertEqual(quick.arguments, ("-1", "-w"))
        self.assertEqual(quick.time_limit, 7)
        self.assertEqual(full.arguments, ("-1", "-v"))

    def test_modules_of_the_build_are_passed_if_there_are_any(self):
        with tempfile.TemporaryDirectory() as folder:
            binaries = {"test_basic": Path(folder) / "test_basic"}
            arguments = plan(["test_basic:b"], CATALOGUE, binaries, lister=lister)[0][0].arguments
            self.assertEqual(arguments, ())
            (Path(folder) / "spirv_bin").mkdir()
            arguments = plan(["test_basic:b"], CATALOGUE, binaries, lister=lister)[0][0].arguments
            self.assertEqual(arguments, ("--spirv-binaries-path", f"{folder}/spirv_bin"))

    def test_unknown_names_are_errors(self):
        for name in ("nonsense", "test_basic:zzz"):
            with self.assertRaises(SelectionError):
                chosen(name)

    def test_the_committed_subsets(self):
        catalogue = Catalogue((Path(__file__).resolve().parents[2] / "subsets.toml").read_text())
        for name in ("core", "quick", "math", "conversions"):
            self.assertTrue(catalogue.patterns(name))
        binaries = {split_selector(s)[0] for s in catalogue.patterns("core")}
        self.assertGreaterEqual(binaries, {"test_basic", "test_api", "test_printf", "test_allocations"})


if __name__ == "__main__":
    unittest.main()
