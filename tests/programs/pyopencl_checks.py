# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyOpenCL against numpy on the first device: run by run_pyopencl."""
import sys

import numpy as np
import pyopencl as cl
import pyopencl.array as cl_array
import pyopencl.clmath as cl_math
import pyopencl.clrandom as cl_random
from pyopencl.algorithm import RadixSort, copy_if
from pyopencl.elementwise import ElementwiseKernel
from pyopencl.reduction import ReductionKernel
from pyopencl.scan import ExclusiveScanKernel, InclusiveScanKernel

device = cl.get_platforms()[0].get_devices()[0]
context = cl.Context([device])
queue = cl.CommandQueue(context)
random = np.random.default_rng(7)
failures = []


def check(name, right):
    print(f"{name}: {'right' if right else 'WRONG'}")
    if not right:
        failures.append(name)


def arrays():
    a = random.standard_normal(100_003).astype(np.float32)
    b = random.standard_normal(100_003).astype(np.float32)
    da, db = cl_array.to_device(queue, a), cl_array.to_device(queue, b)
    check("a + b", np.array_equal((da + db).get(), a + b))
    check("2 a - b / 3", np.allclose((2 * da - db / 3).get(), 2 * a - b / 3, rtol=1e-6, atol=1e-6))
    check("sin", np.allclose(cl_math.sin(da).get(), np.sin(a), atol=1e-6))
    check("exp", np.allclose(cl_math.exp(da).get(), np.exp(a), rtol=1e-5))
    check("comparison", np.array_equal((da > db).get().astype(bool), a > b))
    check("slice", np.array_equal(da[10:5000].get(), a[10:5000]))
    check("complex", np.allclose((da.astype(np.complex64) * 1j).get(), a * 1j))
    i = random.integers(0, 1000, 5000).astype(np.int32)
    check("take", np.array_equal(cl_array.take(da, cl_array.to_device(queue, i)).get(), a[i]))
    combine = ElementwiseKernel(context, "float *x, float *y, float *z", "z[i] = x[i] * y[i] + 1", "combine")
    out = cl_array.empty_like(da)
    combine(da, db, out)
    check("elementwise", np.allclose(out.get(), a * b + 1, atol=1e-6))


def reductions():
    for dtype in (np.int32, np.float32, np.float64, np.int64):
        for size in (1, 37, 1000, 1_000_003):
            a = (random.standard_normal(size) * 100).astype(dtype)
            d = cl_array.to_device(queue, a)
            check(f"sum {dtype.__name__} {size}",
                  np.allclose(cl_array.sum(d).get(), a.astype(np.float64).sum(), rtol=1e-4, atol=1e-2 * size ** 0.5))
            check(f"max {dtype.__name__} {size}", cl_array.max(d).get() == a.max())
    a = random.standard_normal(300_000).astype(np.float32)
    b = random.standard_normal(300_000).astype(np.float32)
    dot = ReductionKernel(context, np.float32, "0", "a+b", "x[i]*y[i]", "const float *x, const float *y")
    got = dot(cl_array.to_device(queue, a), cl_array.to_device(queue, b)).get()
    check("dot", abs(got - np.dot(a.astype(np.float64), b)) < 0.05)


def scans():
    for size in (1, 2, 129, 4096, 100_003):
        a = random.integers(-50, 50, size).astype(np.int32)
        d = cl_array.to_device(queue, a)
        InclusiveScanKernel(context, np.int32, "a+b", neutral="0")(d)
        check(f"inclusive scan {size}", np.array_equal(d.get(), np.cumsum(a)))
        d = cl_array.to_device(queue, a)
        ExclusiveScanKernel(context, np.int32, "a+b", "0")(d)
        check(f"exclusive scan {size}", np.array_equal(d.get(), np.cumsum(a) - a))
    a = random.integers(0, 1000, 50_000).astype(np.int32)
    kept, count, _ = copy_if(cl_array.to_device(queue, a), "ary[i] > 300")
    check("copy_if", np.array_equal(kept.get()[: count.get()], a[a > 300]))
    keys = random.integers(0, 2**16, 20_000).astype(np.int32)
    sort = RadixSort(context, "int *keys", key_expr="keys[i]", sort_arg_names=["keys"], key_dtype=np.int32)
    (ordered,), _ = sort(cl_array.to_device(queue, keys), key_bits=16)
    check("radix sort", np.array_equal(ordered.get(), np.sort(keys)))


def random_numbers():
    for generator in (cl_random.PhiloxGenerator(context, seed=1), cl_random.ThreefryGenerator(context, seed=1)):
        name = type(generator).__name__
        u = generator.uniform(queue, 200_000, np.float32).get()
        check(f"{name} uniform", 0 <= u.min() and u.max() <= 1 and abs(u.mean() - 0.5) < 0.01)
        check(f"{name} spread", abs(u.var() - 1 / 12) < 0.005 and len(np.unique(u)) > 150_000)
        n = generator.normal(queue, 200_000, np.float32).get()
        check(f"{name} normal", abs(n.mean()) < 0.02 and abs(n.std() - 1) < 0.02)


for part in (arrays, reductions, scans, random_numbers):
    part()
print(f"{device.name}: {len(failures)} wrong")
sys.exit(1 if failures else 0)
