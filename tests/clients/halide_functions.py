# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions that Halide compiles to OpenCL kernels, compared with NumPy: tiles, local memory, atomics' serial forms, vectors, scans."""

import sys

import halide as hl
import numpy as np

TARGET = hl.get_host_target().with_feature(hl.TargetFeature.OpenCL)
x, y, xi, yi = hl.Var("x"), hl.Var("y"), hl.Var("xi"), hl.Var("yi")
random = np.random.default_rng(1)
bytes_ = random.integers(0, 200, (128, 128)).astype(np.uint16)
floats = random.standard_normal((128, 128)).astype(np.float32)
B, F = hl.Buffer(bytes_), hl.Buffer(floats)


def realize(function, *size):
    result = function.realize(list(size or (128, 128)), TARGET)
    result.copy_to_host()
    return np.array(result)


def near(a, b, tolerance=1e-3):
    return np.abs(a - b).max() <= tolerance


def blur():
    edge, h, v = hl.BoundaryConditions.repeat_edge(B), hl.Func("h"), hl.Func("v")
    h[x, y] = (edge[x - 1, y] + edge[x, y] + edge[x + 1, y]) / 3
    v[x, y] = (h[x, y - 1] + h[x, y] + h[x, y + 1]) / 3
    v.gpu_tile(x, y, xi, yi, 16, 16)
    h.compute_at(v, x).gpu_threads(x, y)
    p = np.pad(bytes_, 1, "edge")
    rows = (p[:, :-2] + p[:, 1:-1] + p[:, 2:]) // 3
    return (realize(v) == (rows[:-2] + rows[1:-1] + rows[2:]) // 3).all()


def matrix_product():
    k, f, g = hl.RDom([(0, 128)]), hl.Func("f"), hl.Func("g")
    f[x, y] = hl.f32(0)
    f[x, y] += F[k.x, y] * F[x, k.x]
    g[x, y] = f[x, y]
    g.gpu_tile(x, y, xi, yi, 16, 16)
    f.compute_at(g, xi)
    return near(realize(g), floats @ floats, 1e-2)


def math():
    f = hl.Func("f")
    f[x, y] = hl.sin(F[x, y]) + hl.exp(F[x, y]) * hl.sqrt(hl.abs(F[x, y])) + hl.floor(F[x, y])
    f.gpu_tile(x, y, xi, yi, 32, 8)
    return near(realize(f), np.sin(floats) + np.exp(floats) * np.sqrt(np.abs(floats)) + np.floor(floats))


def scan():
    r, f = hl.RDom([(1, 127)]), hl.Func("f")
    f[x, y] = F[x, y]
    f[r.x, y] = f[r.x, y] + f[r.x - 1, y]
    f.compute_root().gpu_tile(x, y, xi, yi, 16, 16)
    f.update().gpu_tile(y, yi, 32)
    return near(realize(f), np.cumsum(floats, 1), 1e-2)


def saturated_bytes():
    f = hl.Func("f")
    f[x, y] = hl.u8(hl.clamp(hl.i32(B[x, y]) * 3 - 50, 0, 255))
    f.gpu_tile(x, y, xi, yi, 64, 4)
    return (realize(f) == np.clip(bytes_.astype(int) * 3 - 50, 0, 255)).all()


def vectors_of_four():
    f = hl.Func("f")
    f[x, y] = F[x, y] * 2 + hl.f32(x)
    f.vectorize(x, 4).gpu_tile(x, y, xi, yi, 8, 8)
    return near(realize(f), floats * 2 + np.arange(128, dtype=np.float32), 1e-5)


def select():
    f = hl.Func("f")
    f[x, y] = hl.select(F[x, y] > 0, F[x, y], -2 * F[x, y])
    f.gpu_tile(x, y, xi, yi, 16, 16)
    return (realize(f) == np.where(floats > 0, floats, -2 * floats)).all()


cases = (blur, matrix_product, math, scan, saturated_bytes, vectors_of_four, select)
wrong = [case.__name__ for case in cases if not case()]
print(f"{len(cases) - len(wrong)} passed, {len(wrong)} failed", *wrong)
sys.exit(bool(wrong))
