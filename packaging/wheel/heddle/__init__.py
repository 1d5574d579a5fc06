# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Heddle, an OpenCL driver for multicore CPUs.

There is nothing to import for programs: PyOpenCL's own wheel finds the driver by itself. Other programs use the system's
OpenCL loader; `python -m heddle` prints the line that shows it this driver.
"""
import pathlib

_folder = pathlib.Path(__file__).resolve().parent


def driver():
    """The path of libheddle.so, which is what an .icd file holds."""
    return str(_folder / "lib" / "libheddle.so")
