# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From what the user names (subsets, binaries, sub-tests) to a plan: the list of sub-tests to run.

The subsets and what is particular to a binary stand in subsets.toml; its head says what the keys mean.
"""

import tomllib
from fnmatch import fnmatchcase

from .discovery import list_sub_tests
from .model import SubTest


class SelectionError(Exception):
    """A name that the user gave, or an entry of subsets.toml, means nothing."""


class Catalogue:
    """subsets.toml: the named subsets, and defaults for single binaries."""

    def __init__(self, text):
        data = tomllib.loads(text)
        self.subsets = data.get("subset", {})
        self.binaries = data.get("binary", {})
        for name, subset in self.subsets.items():
            if not isinstance(subset.get("tests"), list):
                raise SelectionError(f"subset {name} has no list of tests")

    def patterns(self, name):
        """The selectors that a name given by the user stands for."""
        return self.subsets[name]["tests"] if name in self.subsets else [name]

    def defaults(self, binary):
        return self.binaries.get(binary, {})


def split_selector(selector):
    """`binary`, `binary:pattern` or `binary:pattern,!pattern`: the binary, patterns to take, patterns to leave."""
    binary, _, patterns = selector.partition(":")
    parts = [p.strip() for p in patterns.split(",") if p.strip()]
    wanted = [p for p in parts if not p.startswith("!")] or ["*"]
    return binary.strip(), wanted, [p[1:] for p in parts if p.startswith("!")]


def spirv_binaries(binary):
    """The option that names the SPIR-V modules that the build assembled beside `binary`, if there are any."""
    folder = binary.parent / "spirv_bin"
    return ("--spirv-binaries-path", str(folder)) if folder.is_dir() else ()


def plan(names, catalogue, binaries, *, thorough=False, extra=(), lister=list_sub_tests):
    """(list of SubTest, list of binaries that the build lacks).

    `names` are subsets, selectors, or `all`. A sub-test named twice is run once. With `thorough` the arguments that
    make a binary do less are left out; `extra` arguments go to every binary.
    """
    tests, missing, listed = {}, [], {}
    for name in names:
        selectors = sorted(binaries) if name == "all" else catalogue.patterns(name)
        for selector in selectors:
            binary, wanted, left = split_selector(selector)
            if binary not in binaries:
                if not binary.startswith("test_"):
                    raise SelectionError(f"{binary!r} is no subset and no binary; subsets: "
                                         f"{', '.join(sorted(catalogue.subsets))}, all")
                if binary not in missing:
                    missing.append(binary)
                continue
            if binary not in listed:
                listed[binary] = lister(binaries[binary])
            defaults = catalogue.defaults(binary)
            arguments = tuple([] if thorough else defaults.get("quick_arguments", []))
            arguments = (*defaults.get("arguments", []), *spirv_binaries(binaries[binary]), *arguments, *extra)
            chosen = [(test, command) for test, command in listed[binary]
                      if any(fnmatchcase(test, p) for p in wanted) and not any(fnmatchcase(test, p) for p in left)]
            if not chosen:
                raise SelectionError(f"no sub-test of {binary} matches {selector!r}")
            for test, command in chosen:
                entry = SubTest(binary, test, tuple(command), arguments, float(defaults.get("time_limit", 0)))
                tests.setdefault(entry.identifier, entry)
    return list(tests.values()), missing
