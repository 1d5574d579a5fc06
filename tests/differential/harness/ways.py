# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The ways in which kernels are run: each is a set of environment variables on top of the caller's."""
import itertools
import os
import platform
import random

WIDTHS = (1, 2, 4, 8, 16, 32, 64)
ROWS = (2, 4, 8)
BARRIERS = ("fibers", "regions")
# Lanes along the second dimension, and launches that begin without optimizations.
SWAPPED = {"HEDDLE_VARIANTS": "each", "HEDDLE_SWAP": "1"}
# Local memory in registers, which needs units for the local size.
REGISTERS = {"HEDDLE_VARIANTS": "each", "HEDDLE_BARRIERS": "registers"}
PLAIN_FIRST = {"HEDDLE_PLAIN_AFTER": "0"}
# Kernels get buffers in place of images.
BUFFERS = {"IMAGES_AS_BUFFERS": "1"}
# All in code with few optimizations.
QUICK = {"HEDDLE_FAIL": "*", "HEDDLE_QUICK": "each"}
# All in code without optimizations; every other group of a launch, beside optimized ones.
PLAIN = {"HEDDLE_FAIL": "*", "HEDDLE_QUICK": "off"}
# Until the optimized one is built, and all where that is never needed.
SHORT = {"HEDDLE_PLAIN_WORK": "4000000000"}
ONLY_SHORT = {**SHORT, "HEDDLE_BACKGROUND": "0"}
MIXED = {"HEDDLE_MIX": "1"}
# The levels of an architecture, from the least on, with the word of /proc/cpuinfo that each needs.
LEVELS = {
    "x86_64": {"x86-64-v2": "", "x86-64-v3": "avx2", "x86-64-v4": "avx512vl"},
    "aarch64": {"armv8-a": "", "armv8.2-a+fp16+dotprod": "asimddp", "sve": "sve", "sve2": "sve2"},
}


def parse(text):
    """"A=1 B=2" as a dictionary."""
    return dict(word.split("=", 1) for word in text.split())


def shown(way):
    return " ".join(f"{name}={value}" for name, value in way.items())


def cpus():
    """The CPU levels that this machine supports; an emulated one has those that DIFFERENTIAL_CPUS names."""
    if "DIFFERENTIAL_CPUS" in os.environ:
        return os.environ["DIFFERENTIAL_CPUS"].split()
    with open("/proc/cpuinfo", encoding="ascii", errors="replace") as info:
        has = {word for line in info if line.startswith(("flags", "Features")) for word in line.split()}
    return [cpu for cpu, needs in LEVELS[platform.machine()].items() if not needs or needs in has]


def best_cpu():
    return cpus()[-1]


def reference():
    """The reference: one work-item after the other."""
    return {"HEDDLE_WIDTH": "1", "HEDDLE_BARRIERS": "fibers"}


def every_way():
    levels = cpus()
    ways = [{"HEDDLE_WIDTH": str(w), "HEDDLE_BARRIERS": b, "HEDDLE_CPU": c}
            for w, b, c in itertools.product(WIDTHS, BARRIERS, levels)]
    ways += [{"HEDDLE_WIDTH": str(w), "HEDDLE_ROWS": str(r), "HEDDLE_BARRIERS": b}
             for w, r, b in itertools.product((2, 4, 8, 16), ROWS, BARRIERS)]
    ways += [{"HEDDLE_VARIANTS": "each", "HEDDLE_BARRIERS": b, "HEDDLE_CPU": c}
             for b, c in itertools.product(BARRIERS, levels)]
    ways += [{"HEDDLE_VARIANTS": "each", "HEDDLE_WIDTH": str(w)} for w in (4, 16)]
    ways += [{**REGISTERS, "HEDDLE_WIDTH": str(w), "HEDDLE_CPU": c} for w, c in itertools.product((4, 8, 16, 32), levels)]
    ways += [{**SWAPPED, "HEDDLE_BARRIERS": b, "HEDDLE_CPU": c} for b, c in itertools.product(BARRIERS, levels)]
    ways += [{**SWAPPED, "HEDDLE_WIDTH": str(w)} for w in (1, 4)]
    ways += [PLAIN_FIRST, PLAIN, QUICK, SHORT, ONLY_SHORT, MIXED, {**MIXED, "HEDDLE_QUICK": "each"}, {**MIXED, "HEDDLE_VARIANTS": "each"}]
    ways += [{**MIXED, "HEDDLE_CPU": c} for c in levels]
    return ways + [BUFFERS, {}, {"HEDDLE_BARRIERS": "fibers"}, {"HEDDLE_BARRIERS": "regions"}]


def few_ways():
    """Heddle's defaults, and each width, number of rows, mechanism and CPU level at least once; the widest with the widest registers."""
    levels = cpus()[::-1]
    return [{}, {"HEDDLE_VARIANTS": "each"}, REGISTERS, SWAPPED, PLAIN_FIRST, PLAIN, QUICK, SHORT, ONLY_SHORT, MIXED, BUFFERS] + [
        {"HEDDLE_WIDTH": str(width), "HEDDLE_BARRIERS": BARRIERS[(i + 1) % 2], "HEDDLE_CPU": levels[i % len(levels) if width < 32 else 0]}
        for i, width in enumerate(WIDTHS)] + [
        {"HEDDLE_WIDTH": str(width), "HEDDLE_ROWS": str(rows)} for width, rows in zip((8, 4, 4), ROWS)]


def some_ways(seed, count, wide=False):
    """What Heddle does by itself, with and without units for local sizes, and as many others, drawn by the seed. The widest, which take long
    to build for large kernels, only if they are asked for."""
    ways = [way for way in every_way() if wide or way.get("HEDDLE_WIDTH") not in ("32", "64")]
    drawn = random.Random(seed).choices(ways, k=count)
    return [{}, {"HEDDLE_VARIANTS": "each"}, REGISTERS, SWAPPED, PLAIN, QUICK, SHORT, MIXED, BUFFERS] + drawn


def environment(way):
    env = {"HEDDLE_PLAIN_WORK": "0", **os.environ, **way}  # short launches in optimized code, too
    env.setdefault("HEDDLE_CACHE", "0")
    env.setdefault("HEDDLE_BUILD_SECONDS", "0")  # the runner limits processor time, however busy the machine is
    return env
