# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import tempfile
import unittest
from pathlib import Path

from cts import conversions, discovery
from cts.tests.fake_build import add_binary


class Discovery(unittest.TestCase):
    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.addCleanup(self._folder.cleanup)
        self.build = Path(self._folder.name)

    def test_finds_binaries_in_folders_and_nothing_else(self):
        add_binary(self.build / "basic", "test_basic", ["a"])
        add_binary(self.build / "CMakeFiles", "test_no", ["a"])
        add_binary(self.build / "api", "other", ["a"])
        (self.build / "api" / "test_data").write_text("not executable")
        self.assertEqual(list(discovery.find_binaries(self.build)), ["test_basic"])

    def test_a_folder_without_binaries_is_no_build(self):
        with self.assertRaises(discovery.DiscoveryError):
            discovery.find_binaries(self.build)
        with self.assertRaises(discovery.DiscoveryError):
            discovery.find_binaries(self.build / "absent")

    def test_lists_with_list_and_without(self):
        new = add_binary(self.build, "test_new", ["one", "two"])
        old = add_binary(self.build, "test_old", ["three"], knows_list=False)
        self.assertEqual(discovery.list_sub_tests(new), [("one", ("one",)), ("two", ("two",))])
        self.assertEqual(discovery.list_sub_tests(old), [("three", ("three",))])

    def test_a_binary_without_sub_tests_is_an_error(self):
        path = add_binary(self.build, "test_empty", [])
        with self.assertRaises(discovery.DiscoveryError):
            discovery.list_sub_tests(path)

    def test_conversions_cover_every_pair_once(self):
        names = [name for name, _ in conversions.sub_tests()]
        self.assertEqual(len(set(names)), 11 * 11)
        arguments = [word for _, words in conversions.sub_tests() for word in words]
        self.assertEqual(len(set(arguments)), 8 * 11 * 10 + 3 * 11 * 5)
        self.assertIn("char_sat_rte_float", arguments)
        self.assertNotIn("float_sat_int", arguments)


if __name__ == "__main__":
    unittest.main()
