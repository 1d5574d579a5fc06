# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs tiles_dask on two and three workers, one of which is killed in the middle, and compares with NumPy. Of the
workers that start with an empty cache one compiles."""
import glob
import os
import sys
import tempfile

try:
    import numpy
    import pyopencl  # noqa: F401: the workers need it
    from distributed import Client
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

import tiles_dask

WIDTH, HEIGHT, TILE = 700, 500, 128


def reference():
    whole = tiles_dask.picture(0, 0, WIDTH, HEIGHT)
    padded = numpy.pad(whole, 1, "edge")
    around = [padded[y:y + HEIGHT, x:x + WIDTH] for y in range(3) for x in range(3)]
    cleaned = numpy.sort(numpy.stack(around), axis=0)[4]
    counts = numpy.bincount(cleaned.ravel(), minlength=256).astype(numpy.uint64)
    levels = (numpy.cumsum(counts) - counts) * numpy.uint64(255) // counts.sum()
    return levels.astype(numpy.uint8)[cleaned]


def has_compiled():
    with open("/proc/self/maps") as maps:
        return "libheddle-compiler" in maps.read()


def check(workers, kill, expected):
    with tempfile.TemporaryDirectory() as folder:
        os.environ["HEDDLE_CACHE_DIR"] = os.path.join(folder, "cache")
        os.environ["HEDDLE_LOCAL_RANKS"] = str(workers)
        with tiles_dask.local_cluster(workers) as cluster, Client(cluster) as client:
            client.wait_for_workers(workers)
            before = set(client.run(os.getpid).values())
            whole = tiles_dask.run(client, WIDTH, HEIGHT, TILE,
                                   (lambda: tiles_dask.kill_a_worker(client)) if kill else None)
            client.wait_for_workers(workers)
            compiled = sum(client.run(has_compiled).values())
            after = set(client.run(os.getpid).values())
        programs = glob.glob(os.path.join(folder, "cache", "*", "*.so"))
    different = numpy.count_nonzero(whole != expected)
    print(f"{workers} workers, kill {kill}: {different} pixels differ, {compiled} compiled, {len(programs)} programs, "
          f"{len(before - after)} workers lost")
    ok = different == 0 and len(programs) == 1 and compiled <= 1 and (kill or compiled == 1)
    return ok and len(before - after) == int(kill)


def main():
    os.environ["PYOPENCL_NO_CACHE"] = "1"  # PyOpenCL's own, of binaries
    expected = reference()
    assert len(numpy.unique(expected)) > 20
    results = [check(2, False, expected), check(3, True, expected)]
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
