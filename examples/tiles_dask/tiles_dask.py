#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A large picture is cleaned and equalized by the worker processes of a Dask cluster, tile by tile, on OpenCL.

    tiles_dask.py [--width N] [--height N] [--tile N] [--workers N | --scheduler ADDRESS] [--kill] [--output FILE]

Each tile's noise is taken out by a 3x3 median, which needs a border of one pixel; the histograms of all tiles together
say how the gray levels are spread, and a second pass over the tiles does that. A worker that dies in between costs the
time of the tiles that it held: Dask computes these again elsewhere (--kill shows it). --output: a binary PGM.
"""
import argparse
import functools
import os
import signal
import sys
import time

import numpy

SOURCE = """
#define ORDER(a, b) { const uchar low = min(a, b); b = max(a, b); a = low; }

// `bordered` has one pixel more on each side than the tile.
kernel void median(const global uchar* bordered, global uchar* tile, global uint* histogram) {
  const size_t x = get_global_id(0), y = get_global_id(1), width = get_global_size(0);
  uchar p[9];
  for (int i = 0; i < 9; ++i)
    p[i] = bordered[(y + i / 3) * (width + 2) + x + i % 3];
  // The columns in order, then the middle of the largest low one, the middle one and the smallest high one.
  ORDER(p[0], p[1]) ORDER(p[3], p[4]) ORDER(p[6], p[7])
  ORDER(p[1], p[2]) ORDER(p[4], p[5]) ORDER(p[7], p[8])
  ORDER(p[0], p[1]) ORDER(p[3], p[4]) ORDER(p[6], p[7])
  const uchar low = max(max(p[0], p[3]), p[6]), high = min(min(p[2], p[5]), p[8]);
  uchar a = p[1], b = p[4], c = p[7];
  ORDER(a, b) ORDER(b, c) ORDER(a, b)
  uchar m0 = low, m1 = b, m2 = high;
  ORDER(m0, m1) ORDER(m1, m2) ORDER(m0, m1)
  tile[y * width + x] = m1;
  atomic_inc(&histogram[m1]);
}

kernel void spread(global uchar* tile, constant uchar* levels) {
  tile[get_global_id(0)] = levels[tile[get_global_id(0)]];
}
"""


@functools.lru_cache(maxsize=None)
def device():
    """The worker process's queue and kernels, made by its first task. The driver's cache is shared by all workers:
    each kernel is built by one of them."""
    import pyopencl

    platform = pyopencl.get_platforms()[0]
    context = pyopencl.Context(platform.get_devices()[:1])
    program = pyopencl.Program(context, SOURCE).build()
    return pyopencl.CommandQueue(context), program.median, program.spread


def picture(left, top, width, height):
    """A part of the picture: rings, with noise. A function of the place, so that any worker can make any part; reading
    a part of a file that all machines see would be the same."""
    y, x = numpy.mgrid[top:top + height, left:left + width].astype(numpy.uint32)
    rings = ((x * x + 3 * y * y) >> numpy.uint32(7)) & numpy.uint32(127)
    mixed = (x * numpy.uint32(2654435761)) ^ (y * numpy.uint32(2246822519))
    mixed ^= mixed >> numpy.uint32(15)
    mixed *= numpy.uint32(3266489917)
    noise = mixed >> numpy.uint32(24)
    return numpy.where(noise < 20, noise * numpy.uint32(12), rings + numpy.uint32(40)).astype(numpy.uint8)


def clean_tile(left, top, width, height, whole):
    """The tile without noise, and its histogram."""
    import pyopencl

    queue, median, _ = device()
    # Beyond the edges of the whole picture the nearest pixel counts.
    x0, y0 = max(left - 1, 0), max(top - 1, 0)
    x1, y1 = min(left + width + 1, whole[0]), min(top + height + 1, whole[1])
    part = picture(x0, y0, x1 - x0, y1 - y0)
    bordered = numpy.pad(part, ((y0 - top + 1, top + height + 1 - y1), (x0 - left + 1, left + width + 1 - x1)), "edge")
    flags = pyopencl.mem_flags
    source = pyopencl.Buffer(queue.context, flags.READ_ONLY | flags.COPY_HOST_PTR, hostbuf=bordered)
    tile = numpy.empty((height, width), numpy.uint8)
    counts = numpy.zeros(256, numpy.uint32)
    target = pyopencl.Buffer(queue.context, flags.WRITE_ONLY, tile.nbytes)
    histogram = pyopencl.Buffer(queue.context, flags.READ_WRITE | flags.COPY_HOST_PTR, hostbuf=counts)
    median(queue, (width, height), None, source, target, histogram)
    pyopencl.enqueue_copy(queue, tile, target)
    pyopencl.enqueue_copy(queue, counts, histogram)
    return tile, counts


def levels_of(cleaned):
    """The new gray level of each old one, from the histograms of all tiles."""
    counts = sum(counts.astype(numpy.uint64) for counts in cleaned)
    below = numpy.cumsum(counts) - counts
    return (below * numpy.uint64(255) // counts.sum()).astype(numpy.uint8)


def spread_tile(tile, levels):
    import pyopencl

    queue, _, spread = device()
    flags = pyopencl.mem_flags
    pixels = pyopencl.Buffer(queue.context, flags.READ_WRITE | flags.COPY_HOST_PTR, hostbuf=tile)
    table = pyopencl.Buffer(queue.context, flags.READ_ONLY | flags.COPY_HOST_PTR, hostbuf=levels)
    spread(queue, (tile.size,), None, pixels, table)
    result = numpy.empty_like(tile)
    pyopencl.enqueue_copy(queue, result, pixels)
    return result


def run(client, width, height, tile, midway=None):
    """The finished picture. `midway` is called when a quarter of the tiles has been cleaned."""
    from distributed import as_completed

    places = [(x, y, min(tile, width - x), min(tile, height - y)) for y in range(0, height, tile)
              for x in range(0, width, tile)]
    cleaned = [client.submit(clean_tile, *place, (width, height), pure=False) for place in places]
    for index, _ in enumerate(as_completed(cleaned)):
        if index == len(cleaned) // 4:
            if midway:
                midway()
            break
    first, second = (lambda pair: pair[0]), (lambda pair: pair[1])
    levels = client.submit(levels_of, client.map(second, cleaned, pure=False), pure=False)
    spreads = [client.submit(spread_tile, client.submit(first, one, pure=False), levels, pure=False) for one in cleaned]
    whole = numpy.empty((height, width), numpy.uint8)
    for (x, y, w, h), part in zip(places, client.gather(spreads)):
        whole[y:y + h, x:x + w] = part
    return whole


def kill_a_worker(client):
    pid = sorted(client.run(os.getpid).values())[0]
    print(f"killing worker process {pid}", file=sys.stderr)
    os.kill(pid, signal.SIGKILL)


def local_cluster(workers):
    """Worker processes on this machine, which share its processors between them: nobody but the program knows how many
    there are."""
    from distributed import LocalCluster

    os.environ.setdefault("HEDDLE_LOCAL_RANKS", str(workers))
    return LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--width", type=int, default=4000)
    parser.add_argument("--height", type=int, default=3000)
    parser.add_argument("--tile", type=int, default=512)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--scheduler", help="of a cluster that runs already, as tcp://HOST:PORT")
    parser.add_argument("--kill", action="store_true", help="a worker of this machine, in the middle")
    parser.add_argument("--output")
    words = parser.parse_args()
    from distributed import Client

    cluster = None if words.scheduler else local_cluster(words.workers)
    with Client(words.scheduler or cluster) as client:
        start = time.monotonic()
        whole = run(client, words.width, words.height, words.tile,
                    (lambda: kill_a_worker(client)) if words.kill else None)
        print(f"{whole.size / 1e6:.1f} megapixels in {time.monotonic() - start:.2f} s")
    if cluster:
        cluster.close()
    if words.output:
        with open(words.output, "wb") as file:
            file.write(b"P5\n%d %d\n255\n" % (words.width, words.height))
            file.write(whole.tobytes())


if __name__ == "__main__":
    main()
