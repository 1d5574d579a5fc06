# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""python -m heddle: the line that shows this driver to the system's OpenCL loader; with words, the command `heddle`."""
import importlib.util
import os
import pathlib
import shlex
import sys

import heddle


def pyopencl_loader():
    """The loader in PyOpenCL's wheel, or None. PyOpenCL is not imported, because that opens every driver."""
    spec = importlib.util.find_spec("pyopencl")
    if spec is None or spec.origin is None:
        return None
    return next(iter(sorted((pathlib.Path(spec.origin).parent / ".libs").glob("libOpenCL*.so*"))), None)


def run(words):
    """Becomes the command `heddle`."""
    if words[0] == "doctor" and "--loader" not in words and (loader := pyopencl_loader()) is not None:
        # What PyOpenCL says to its loader when it is imported, and its run path, by which the loader finds PoCL's wheel.
        os.environ["PYOPENCL_HOME"] = str(loader.parent.parent)
        os.environ["LD_LIBRARY_PATH"] = ":".join(filter(None, [str(loader.parent), os.environ.get("LD_LIBRARY_PATH")]))
        words = words + ["--loader", str(loader)]
    command = str(pathlib.Path(heddle.__file__).resolve().parent / "bin" / "heddle")
    os.execv(command, [command, *words])


def main():
    """The script `heddle`."""
    run(sys.argv[1:] or ["help"])


if __name__ == "__main__":
    if len(sys.argv) > 1:
        run(sys.argv[1:])
    print(f"export OCL_ICD_VENDORS={shlex.quote(heddle.driver())}")
