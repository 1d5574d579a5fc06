#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times operations of dpnp's own kernels (no oneMKL) on the device that SYCL selects; results are checked with NumPy.

dpnp_operations.py [--lines] [--small]     --lines: name<TAB>microseconds
Ends with 77 if dpnp is not installed. Two drivers are compared by running it with each of their folders in
OCL_ICD_VENDORS (docs/clients.md).
"""
import statistics
import sys
import time

try:
    import numpy
    import dpctl
    import dpnp.tensor as tensor
except ImportError as error:
    print(f"needs dpnp: {error}")
    sys.exit(77)

LINES = "--lines" in sys.argv
SMALL = "--small" in sys.argv


def measure(queue, run, seconds):
    """Median of batches, in seconds of one run."""
    run()
    queue.wait()
    start = time.perf_counter()
    run()
    queue.wait()
    once = max(time.perf_counter() - start, 1e-6)
    count = max(1, int(seconds / 10 / once))
    times = []
    for _ in range(1 if SMALL else 11):
        start = time.perf_counter()
        for _ in range(count):
            run()
        queue.wait()
        times.append((time.perf_counter() - start) / count)
    return statistics.median(times)


def cases():
    """(name, operation of tensors, the same of NumPy's arrays, inputs)"""
    random = numpy.random.default_rng(7)
    for size in (1 << 10,) if SMALL else (1 << 10, 1 << 16, 1 << 20, 1 << 24):
        a = random.random(size, dtype="f4") + 0.5
        b = random.random(size, dtype="f4") + 0.5
        name = f"{size >> 10} Ki floats"
        yield f"a + b, {name}", tensor.add, numpy.add, (a, b)
        yield f"exp(a), {name}", tensor.exp, numpy.exp, (a,)
        yield f"sum(a), {name}", tensor.sum, numpy.sum, (a,)
        yield f"cumulative_sum(a), {name}", tensor.cumulative_sum, numpy.cumsum, (a,)
        if size <= 1 << 20:
            yield f"sort(a), {name}", tensor.sort, numpy.sort, (a,)
    rows = 64 if SMALL else 2048
    a = random.random((rows, rows), dtype="f4")
    yield f"sum of rows, {rows} squared", lambda x: tensor.sum(x, axis=1), lambda x: x.sum(axis=1), (a,)
    yield f"sum of columns, {rows} squared", lambda x: tensor.sum(x, axis=0), lambda x: x.sum(axis=0), (a,)
    yield f"copy of the transpose, {rows} squared", lambda x: tensor.copy(x.T, order="C"), lambda x: x.T.copy(), (a,)
    for n in (32,) if SMALL else (128, 512, 1024):
        a, b = random.random((n, n), dtype="f4"), random.random((n, n), dtype="f4")
        yield f"matmul, {n} squared", tensor.matmul, numpy.matmul, (a, b)
        c, d = a.astype("f8"), b.astype("f8")
        yield f"matmul of doubles, {n} squared", tensor.matmul, numpy.matmul, (c, d)


def main():
    queue = dpctl.SyclQueue()
    if not LINES:
        print("device:", queue.sycl_device.name, "of", queue.sycl_device.vendor)
    wrong = 0
    for name, operation, expected, arrays in cases():
        inputs = [tensor.asarray(array, sycl_queue=queue) for array in arrays]
        got = tensor.asnumpy(operation(*inputs))
        right = numpy.allclose(got, expected(*arrays), rtol=1e-3)
        wrong += not right
        microseconds = measure(queue, lambda: operation(*inputs), 0.01 if SMALL else 0.5) * 1e6
        print(f"{name}\t{microseconds:.2f}" if LINES else f"{name:40} {microseconds:12.1f} us {'' if right else 'WRONG'}")
        sys.stdout.flush()
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
