# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A tiled matrix product, a part of the rows on each device of the first platform, beside NumPy: run by pocl_remote."""
import sys
import time

import numpy as np
import pyopencl as cl

SOURCE = """
kernel void product(int n, global const float* a, global const float* b, global float* c) {
  local float ta[16][16], tb[16][16];
  int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);
  float sum = 0;
  for (int tile = 0; tile < n; tile += 16) {
    ta[ly][lx] = a[y * n + tile + lx];
    tb[ly][lx] = b[(tile + ly) * n + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 16; ++k)
      sum += ta[ly][k] * tb[k][lx];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[y * n + x] = sum;
}
"""

devices = cl.get_platforms()[0].get_devices()
for device in devices:
    print(f"{device.name}: {device.max_compute_units} compute units, {device.version}")
if len(devices) != 2:
    sys.exit(f"{len(devices)} devices instead of two")
n = 512
random = np.random.default_rng(3)
a, b = (random.random((n, n), dtype=np.float32) for _ in range(2))
context = cl.Context(devices)
program = cl.Program(context, SOURCE).build()
queues = [cl.CommandQueue(context, device) for device in devices]
rows = n // len(devices)
start = time.time()
parts = []
for number, queue in enumerate(queues):
    part = a[number * rows:(number + 1) * rows].copy()
    buffers = [cl.Buffer(context, cl.mem_flags.READ_ONLY, m.nbytes) for m in (part, b)]
    for buffer, matrix in zip(buffers, (part, b)):
        cl.enqueue_copy(queue, buffer, matrix, is_blocking=False)
    out = cl.Buffer(context, cl.mem_flags.WRITE_ONLY, part.nbytes)
    kernel = cl.Kernel(program, "product")
    kernel(queue, (n, rows), (16, 16), np.int32(n), *buffers, out)
    queue.flush()
    parts.append((queue, out, np.empty_like(part), buffers))
for queue, out, result, _ in parts:
    cl.enqueue_copy(queue, result, out)
result = np.vstack([part[2] for part in parts])
error = np.abs(result - a @ b).max() / n
print(f"product of {n} x {n} on {len(devices)} devices: {time.time() - start:.2f} s, largest error {error:.1e}")
sys.exit(0 if error < 1e-6 else 1)
