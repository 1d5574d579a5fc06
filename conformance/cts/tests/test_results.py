# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import tempfile
import unittest
import xml.etree.ElementTree as ET
from pathlib import Path

from cts import report
from cts.model import CRASH, FAIL, PASS, SKIP, TIMEOUT, Result
from cts.results import UNEXPLAINED, Expected, ExpectedError, ResultsFile


class Results(unittest.TestCase):
    def test_resumes_after_a_line_cut_short(self):
        with tempfile.TemporaryDirectory() as folder:
            file = ResultsFile(Path(folder) / "deep" / "results.jsonl")
            self.assertEqual(file.load(), {})
            file.append(Result("b:one", PASS, 1.5))
            path = Path(folder) / "deep" / "results.jsonl"
            path.write_text(path.read_text() + '{"identifier": "b:two", "outc')
            file.append(Result("b:three", FAIL, detail="why"))
            file.append(Result("b:one", CRASH))
            loaded = file.load()
            self.assertEqual({i: r.outcome for i, r in loaded.items()}, {"b:one": CRASH, "b:three": FAIL})
            self.assertEqual(loaded["b:three"].detail, "why")

    def test_expected_text_round_trip(self):
        expected = Expected.parse("# x\n\nb:two fail the loader, not the driver\nb:one pass\n")
        self.assertEqual(expected.outcome("b:two"), FAIL)
        self.assertEqual(expected.reason("b:two"), "the loader, not the driver")
        self.assertEqual(Expected.parse(expected.text("t")).entries, expected.entries)
        for wrong in ("b:one", "b:one maybe", "one pass"):
            with self.assertRaises(ExpectedError):
                Expected.parse(wrong)

    def test_compare(self):
        expected = Expected({"b:p": (PASS, ""), "b:s": (SKIP, ""), "b:f": (FAIL, "r"), "b:c": (CRASH, "r")})
        cases = [("b:p", PASS, 0), ("b:p", SKIP, 1), ("b:p", FAIL, 1), ("b:s", PASS, -1), ("b:s", FAIL, 1),
                 ("b:f", FAIL, 0), ("b:f", PASS, -1), ("b:f", CRASH, 1), ("b:c", TIMEOUT, 1), ("b:c", FAIL, -1),
                 ("b:new", PASS, 0), ("b:new", SKIP, 0), ("b:new", FAIL, 1)]
        for identifier, outcome, difference in cases:
            self.assertEqual(expected.compare(Result(identifier, outcome)), difference, (identifier, outcome))

    def test_update_keeps_reasons_of_unchanged_failures_only(self):
        expected = Expected({"b:f": (FAIL, "known"), "b:g": (FAIL, "fixed"), "b:h": (SKIP, "no images")})
        updated = expected.updated([Result("b:f", FAIL), Result("b:g", PASS), Result("b:n", TIMEOUT)])
        self.assertEqual(updated.entries, {"b:f": (FAIL, "known"), "b:g": (PASS, ""), "b:h": (SKIP, "no images"),
                                           "b:n": (TIMEOUT, UNEXPLAINED)})
        self.assertEqual(updated.unexplained(), ["b:n"])


class Report(unittest.TestCase):
    RESULTS = [Result("test_b:p", PASS, 1), Result("test_a:f", FAIL, 2, "bad \x1b[0m <tag>"), Result("test_b:s", SKIP),
               Result("test_b:k", FAIL), Result("test_b:c", CRASH, 3, "SIGSEGV")]
    EXPECTED = Expected({"test_b:k": (FAIL, "known"), "test_b:s": (SKIP, "no fp16")})

    def test_table(self):
        lines = report.table(self.RESULTS, self.EXPECTED, ["test_absent"]).splitlines()
        self.assertEqual(lines[0].split(), ["binary", "tests", "pass", "skip", "fail", "crash", "timeout", "worse",
                                            "better", "seconds"])
        self.assertEqual(lines[1].split(), ["test_a", "1", "0", "0", "1", "0", "0", "1", "0", "2"])
        self.assertEqual(lines[2].split(), ["test_b", "4", "1", "1", "1", "1", "0", "1", "0", "4"])
        self.assertEqual(lines[3].split()[:2], ["all", "5"])
        text = "\n".join(lines)
        self.assertIn("test_a:f: fail (expected: skip)", text)
        self.assertIn("test_b:k: fail: known", text)
        self.assertIn("test_absent", text)

    def test_junit(self):
        root = ET.fromstring(report.junit(self.RESULTS, self.EXPECTED, "driver").encode())
        suites = {s.get("name"): s for s in root}
        self.assertEqual(suites["test_a"].get("failures"), "1")
        b = suites["test_b"]
        self.assertEqual([b.get(k) for k in ("tests", "failures", "errors", "skipped")], ["4", "0", "1", "2"])
        self.assertIn("<tag>", suites["test_a"].find("testcase/failure").text)


if __name__ == "__main__":
    unittest.main()
