# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernels of regressions/: each has failed once, or stands for a family. A line
`// expect KERNEL DIGEST` says what its buffers hold afterwards, on any driver."""
import glob
import os
import re
from concurrent.futures import ThreadPoolExecutor

from . import ways


def _expected(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    return (re.findall(r"^//! kernel (\S+)", text, re.M),
            dict(re.findall(r"^// expect (\S+) ([0-9a-f]{16})$", text, re.M)))


def run(runner, directory, every_way):
    """0 when all agree."""
    chosen = ways.every_way() if every_way else ways.few_ways()
    bad = total = 0
    runs = []
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for path in sorted(glob.glob(os.path.join(directory, "*.cl"))):
            kernels, expected = _expected(path)
            for name in sorted(set(kernels) ^ set(expected)) or ([] if kernels else ["no kernel"]):
                print(f"{path} {name}: each kernel needs a line `// expect {name} DIGEST`, and each such line a kernel")
                bad += 1
            for way in [ways.reference()] + chosen:
                runs.append((path, expected, way, pool.submit(runner.run, path, list(expected), way)))
    for path, expected, way, outcomes in runs:
        for name, outcome in outcomes.result().items():
            total += 1
            if (outcome.kind, outcome.detail) != ("done", expected[name]):
                bad += 1
                print(f"{os.path.basename(path)} {name}: {ways.shown(way) or 'by default'}: "
                      f"expected {expected[name]}, got {str(outcome)[:300]}")
    print(f"{total} runs, {bad} differ")
    return 1 if bad else 0
