# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds the binaries of a CTS build and the sub-tests of a binary. Nothing here needs a working driver."""

import os
import re
import subprocess
from pathlib import Path

from . import conversions

# Binaries that list fewer sub-tests than they can run one by one.
GENERATED = {"test_conversions": conversions.sub_tests}


class DiscoveryError(Exception):
    """The build or a binary in it is not what a CTS build should be."""


def find_binaries(build):
    """{name: path} of every executable file test_* below the directory `build`."""
    build = Path(build)
    if not build.is_dir():
        raise DiscoveryError(f"{build} is not a directory")
    found = {}
    for folder, folders, files in os.walk(build):
        folders[:] = sorted(f for f in folders if f != "CMakeFiles")
        for name in sorted(files):
            path = Path(folder) / name
            if re.fullmatch(r"test_\w+", name) and os.access(path, os.X_OK):
                found.setdefault(name, path.resolve())
    if not found:
        raise DiscoveryError(f"no executable file test_* below {build}: is it a build of the CTS?")
    return found


def parse_list(text):
    """The names in the output of --list: one a line, indented by a tab."""
    return [line[1:].strip() for line in text.splitlines() if re.fullmatch(r"\t[\w.+-]+\s*", line)]


def parse_help(text):
    """The names in the output of --help: after the line `Test names:`, up to the first empty line."""
    _, heading, names = text.partition("Test names:\n")
    return parse_list(names.split("\n\n")[0]) if heading else []


def list_sub_tests(path, environment=None, time_limit=60):
    """[(name, arguments)] of the binary at `path`; versions of the CTS before --list are asked with --help."""
    name = Path(path).name
    if name in GENERATED:
        return GENERATED[name]()
    names = parse_list(_output(path, "--list", environment, time_limit))
    if not names:
        names = parse_help(_output(path, "--help", environment, time_limit))
    if not names:
        raise DiscoveryError(f"{path} lists no sub-tests, neither with --list nor with --help")
    return [(test, (test,)) for test in dict.fromkeys(names)]


def _output(path, option, environment, time_limit):
    try:
        return subprocess.run([str(path), option], env=environment, stdin=subprocess.DEVNULL, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, errors="replace",
                              timeout=time_limit, check=False).stdout
    except subprocess.TimeoutExpired as error:
        raise DiscoveryError(f"{path} {option} did not end in {time_limit} seconds") from error
    except OSError as error:
        raise DiscoveryError(f"{path} cannot be run: {error}") from error
