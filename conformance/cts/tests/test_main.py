# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import contextlib
import io
import tempfile
import unittest
import xml.etree.ElementTree as ET
from pathlib import Path

from cts.main import EXIT_AS_EXPECTED, EXIT_USAGE, EXIT_WORSE, main
from cts.tests.fake_build import add_binary, calls


class Main(unittest.TestCase):
    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.addCleanup(self._folder.cleanup)
        self.folder = Path(self._folder.name)
        self.binary = add_binary(self.folder / "build", "test_fake", ["good", "fail_a", "skip_a"])
        self.subsets = self.folder / "subsets.toml"
        self.subsets.write_text('[subset.sub]\ntests = ["test_fake"]\n[subset.lacks]\ntests = ["test_fake:good", "test_no"]')
        self.icd = self.folder / "some.icd"
        self.icd.write_text("libsome.so\n")
        self.expected = self.folder / "expected.txt"

    def call(self, *arguments):
        output = io.StringIO()
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
            status = main(["--cts", str(self.folder / "build"), "--icd", str(self.icd), "--subsets", str(self.subsets),
                           "--results", str(self.folder / "out"), "--expected", str(self.expected), *arguments])
        return status, output.getvalue()

    def test_worse_then_recorded_then_as_expected(self):
        status, output = self.call("sub")
        self.assertEqual(status, EXIT_WORSE, output)
        self.assertEqual(self.call("sub", "--update-expected")[0], EXIT_AS_EXPECTED)
        self.assertIn("test_fake:fail_a fail unexplained", self.expected.read_text())
        self.assertEqual(self.call("sub")[0], EXIT_AS_EXPECTED)
        self.assertEqual(ET.parse(self.folder / "out" / "junit.xml").getroot()[0].get("tests"), "3")

    def test_resume_runs_only_what_is_missing(self):
        self.call("test_fake:good")
        self.call("sub", "--resume")
        self.assertEqual(calls(self.binary), ["good", "fail_a", "skip_a"])
        self.call("sub", "--rerun-failures")
        self.assertEqual(calls(self.binary), ["good", "fail_a", "skip_a", "fail_a"])
        self.call("sub")
        self.assertEqual(len(calls(self.binary)), 7)

    def test_a_binary_that_was_not_built_is_not_passed_over(self):
        status, output = self.call("lacks")
        self.assertEqual(status, EXIT_WORSE)
        self.assertIn("test_no", output)

    def test_usage_errors(self):
        self.assertEqual(self.call("nonsense")[0], EXIT_USAGE)
        self.assertEqual(self.call("sub", "--env", "novalue")[0], EXIT_USAGE)
        self.icd.unlink()
        self.assertEqual(self.call("sub")[0], EXIT_USAGE)

    def test_list_runs_nothing(self):
        status, output = self.call("sub", "--list")
        self.assertEqual(status, EXIT_AS_EXPECTED)
        self.assertEqual(output.split(), ["test_fake:good", "test_fake:fail_a", "test_fake:skip_a"])
        self.assertEqual(calls(self.binary), [])


if __name__ == "__main__":
    unittest.main()
