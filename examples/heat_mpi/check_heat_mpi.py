# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs heat_mpi on 1, 2 and 4 processes, with and without a binding, and compares the cells bit by bit with one
another's and with NumPy's."""
import os
import subprocess
import sys
import tempfile

try:
    import numpy
except ImportError:
    print("skipped: numpy is not installed")
    sys.exit(77)

PROGRAM, MPIRUN = sys.argv[1:3]
OPEN_MPI = "openmpi" in os.path.basename(MPIRUN)
# Tests run as the superuser in containers, and on machines with fewer processors than there are processes here.
ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
UNBOUND = ["--oversubscribe", "--bind-to", "none"] if OPEN_MPI else []
BOUND = ["--bind-to", "core"]


def reference(nx, ny, nz, steps):
    z, y, x = numpy.meshgrid(numpy.arange(nz), numpy.arange(ny), numpy.arange(nx), indexing="ij")
    cells = ((x * 7 + y * 13 + z * 29) % 97).astype(numpy.float32) * numpy.float32(1 / 128)
    for _ in range(steps):
        around = numpy.zeros((nz + 2, ny + 2, nx + 2), numpy.float32)
        around[0] = 1
        around[1:-1, 1:-1, 1:-1] = cells
        pair = [around[1:-1, 1:-1, :-2] + around[1:-1, 1:-1, 2:], around[1:-1, :-2, 1:-1] + around[1:-1, 2:, 1:-1],
                around[:-2, 1:-1, 1:-1] + around[2:, 1:-1, 1:-1]]
        cells = cells + numpy.float32(0.125) * ((pair[0] + pair[1]) + (pair[2] - numpy.float32(6) * cells))
    return cells


def run(processes, options, size, steps, more=()):
    with tempfile.TemporaryDirectory() as folder:
        output = os.path.join(folder, "cells")
        command = [MPIRUN, "-n", str(processes), *options, PROGRAM, *map(str, size), str(steps), "--output", output,
                   *more]
        done = subprocess.run(command, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=200)
        if done.returncode != 0:
            print(" ".join(command))
            print(done.stdout.decode(), done.stderr.decode())
            sys.exit(1)
        cells = numpy.fromfile(output, numpy.float32).reshape(size[::-1])
        figures = dict(line.split(maxsplit=1) for line in done.stdout.decode().splitlines() if " " in line)
        return cells, figures


def main():
    processors = len(os.sched_getaffinity(0))
    for size, steps in (((20, 17, 23), 9), ((64, 48, 40), 12), ((4, 4, 4), 5)):
        expected = reference(*size, steps).view(numpy.uint32)
        for processes in (1, 2, 4):
            for options, more in ((UNBOUND, ()), (UNBOUND, ("--no-overlap",)), (BOUND, ())):
                if options is BOUND and processes > processors:
                    continue
                cells, figures = run(processes, options, size, steps, more)
                if figures["processes"] != str(processes):
                    print(f"{figures['processes']} processes in place of {processes}: another MPI's mpirun?")
                    sys.exit(1)
                different = numpy.count_nonzero(cells.view(numpy.uint32) != expected)
                if different:
                    print(f"{size}, {processes} processes {options} {more}: {different} cells differ")
                    sys.exit(1)
        print(f"{size}: 1, 2 and 4 processes agree with numpy to the bit")
    # Too many processes for the cells is an error, not a wrong result.
    refused = subprocess.run([MPIRUN, "-n", "4", *UNBOUND, PROGRAM, "2", "2", "3", "1"], env=ENVIRONMENT,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=100)
    if refused.returncode == 0:
        print("two cells for each of two processes along an axis of 3 were not refused")
        sys.exit(1)


main()
