#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a step of heat_mpi takes on up to 1,000 nodes, from times of kernels and messages measured here.

    weak_scaling.py HEAT_MPI MPIRUN [--cells N] [--steps N] [--threads N]

Each process has a cube of N cells an edge, whatever their number. The model of a step:

    step(P) = overhead + outer + max(inner, exchange(P)),   exchange(P) = sum of message(bytes of side) over its sides

`outer`, `inner` (kernels) and `overhead` (the rest of a step: enqueueing, waiting, mapping) are those of one process
alone; a process in the middle of P has two sides along each axis with three blocks or more, one where there are two.
`message` is what was measured between two processes here (shared memory), or latency + bytes / bandwidth of a network.
What it leaves out: that processes wait for the slowest of their neighbors, and that nodes share switches. The first lines
compare it with what 1, 2 and 4 processes take here, each on `--threads` threads.
"""
import argparse
import os
import subprocess
import sys

# Round figures of what clusters have: latency in microseconds, bytes a microsecond.
NETWORKS = {"InfiniBand, 200 Gbit/s": (1.5, 24000.0), "Ethernet, 25 Gbit/s": (15.0, 3000.0),
            "Ethernet, 10 Gbit/s": (30.0, 1150.0)}


def blocks_of(processes):
    """As MPI_Dims_create: three factors, as equal as can be."""
    best = None
    for x in range(1, processes + 1):
        if processes % x:
            continue
        for y in range(1, processes // x + 1):
            if processes // x % y == 0:
                sizes = sorted((x, y, processes // x // y))
                if best is None or sizes[2] - sizes[0] < best[2] - best[0]:
                    best = sizes
    return best


def exchange(processes, cells, message):
    sides = sum(min(blocks - 1, 2) for blocks in blocks_of(processes))
    return sides * message(cells * cells * 4)


def interpolated(table):
    """Time by size: between two measured sizes along the line through them, beyond the last one along the last line."""
    points = sorted(table.items())

    def time(size):
        (s0, t0), (s1, t1) = next((pair for pair in zip(points, points[1:]) if size <= pair[1][0]), points[-2:])
        return max(t0 if size <= s0 else 0, t0 + (t1 - t0) * (size - s0) / (s1 - s0))

    return time


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("mpirun")
    parser.add_argument("--cells", type=int, default=192)
    parser.add_argument("--steps", type=int, default=40)
    parser.add_argument("--threads", type=int, default=1)
    words = parser.parse_args()
    options = ["--oversubscribe", "--bind-to", "none"] if "openmpi" in os.path.basename(words.mpirun) else []
    environment = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                   "HEDDLE_NUM_THREADS": str(words.threads), "POCL_MAX_PTHREAD_COUNT": str(words.threads)}

    def run(processes, *arguments):
        done = subprocess.run([words.mpirun, "-n", str(processes), *options, words.program, *map(str, arguments)],
                              env=environment, stdout=subprocess.PIPE, check=True, timeout=600)
        lines = (line.split() for line in done.stdout.decode().splitlines())
        return {line[0]: float(line[1]) for line in lines if len(line) >= 2}

    def step_of(processes):
        # The least of three: what other programs on this machine take is not the program's.
        return min((run(processes, *[words.cells] * 3, words.steps, "--weak") for _ in range(3)),
                   key=lambda figures: figures["step_us"])

    messages = {int(name.split("_")[1]): time for name, time in run(2, "--messages").items()}
    here = interpolated(messages)
    print("message_us " + " ".join(f"{size}:{time:.2f}" for size, time in sorted(messages.items())))
    alone = step_of(1)
    outer, inner = alone["boundary_us"], alone["inner_us"]
    overhead = max(0.0, alone["step_us"] - outer - inner)
    print(f"one process of {words.cells}^3 cells: outer {outer:.0f} us, inner {inner:.0f} us, overhead {overhead:.0f} us")

    def step(processes, message, share=1.0):
        return overhead + share * outer + max(share * inner, exchange(processes, words.cells, message))

    print(f"{'here':26} {'step':>9} {'model':>9}")
    processors = len(os.sched_getaffinity(0))
    for processes in (1, 2, 4):
        share = max(1.0, processes * words.threads / processors)
        print(f"{processes:3} processes {'':13} {step_of(processes)['step_us']:9.0f} {step(processes, here, share):9.0f}")
    counts = (1, 10, 100, 1000)
    print(f"{'efficiency, nodes':26}" + "".join(f"{count:>9}" for count in counts))
    for name, (latency, rate) in NETWORKS.items():
        times = [step(count, lambda size: latency + size / rate) for count in counts]
        print(f"{name:26}" + "".join(f"{times[0] / time:9.3f}" for time in times))
        visible = [overhead + outer + inner + exchange(count, words.cells, lambda size: latency + size / rate)
                   for count in counts]
        print(f"{'  without overlap':26}" + "".join(f"{visible[0] / time:9.3f}" for time in visible))


if __name__ == "__main__":
    sys.exit(main())
