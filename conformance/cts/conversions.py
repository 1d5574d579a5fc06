# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The sub-tests of test_conversions.

That binary lists one sub-test, `conversions`, but takes the names of single conversions as arguments
(`char_sat_rte_float`). Here a sub-test is all conversions from one type to another, `float_to_char`: small enough that
a crash costs little, few enough that they do not drown a report.
"""

TYPES = ("uchar", "char", "ushort", "short", "uint", "int", "half", "float", "double", "ulong", "long")
FLOATING = ("half", "float", "double")
SATURATIONS = ("", "_sat")
ROUNDINGS = ("", "_rte", "_rtp", "_rtn", "_rtz")


def conversions(source, destination):
    """The names of all conversions between two types; floating-point types cannot be saturated to."""
    saturations = SATURATIONS[:1] if destination in FLOATING else SATURATIONS
    return tuple(f"{destination}{sat}{rounding}_{source}" for sat in saturations for rounding in ROUNDINGS)


def sub_tests():
    """(name, arguments) of every sub-test."""
    return [(f"{source}_to_{destination}", conversions(source, destination))
            for destination in TYPES for source in TYPES]
