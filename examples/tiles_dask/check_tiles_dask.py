# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs tiles_dask on two and three workers, one of which is killed in the middle, and compares with NumPy. The workers
start with an empty cache, and between them they build the program and each of its two kernels once."""
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


def built_and_stored(folder):
    """The numbers of programs and kernels in the cache, and whether any was stored twice: the file `stored` grows by a
    byte for each 4 KiB of a file that is put into the cache, rounded up."""
    paths = [path for path in glob.glob(os.path.join(folder, "*", "*")) if os.path.basename(path) != "stored"]
    counted = [os.path.getsize(path) for path in glob.glob(os.path.join(folder, "*", "stored"))]
    stored = sum(os.path.getsize(path) // 4096 + 1 for path in paths)
    endings = [os.path.splitext(path)[1] for path in paths]
    return endings.count(".program"), endings.count(".so"), sum(counted) > stored


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
            after = set(client.run(os.getpid).values())
        programs, kernels, is_built_twice = built_and_stored(os.path.join(folder, "cache"))
    different = numpy.count_nonzero(whole != expected)
    print(f"{workers} workers, kill {kill}: {different} pixels differ, {programs} programs, {kernels} kernels, built "
          f"twice: {is_built_twice}, {len(before - after)} workers lost")
    ok = different == 0 and programs == 1 and kernels == 2 and not is_built_twice
    return ok and len(before - after) == int(kill)


def main():
    os.environ["PYOPENCL_NO_CACHE"] = "1"  # PyOpenCL's own, of binaries
    expected = reference()
    assert len(numpy.unique(expected)) > 20
    results = [check(2, False, expected), check(3, True, expected)]
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
