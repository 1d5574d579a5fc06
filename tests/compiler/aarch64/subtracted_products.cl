// Products of several factors are subtracted by one instruction, without one for the sign.
// RUN: %heddlec --cpu=armv8-a --width=4 --local=64 --small-ids -o %t.neon %s
// RUN: llvm-objdump -d %t.neon | FileCheck %s
// RUN: env HEDDLE_SVE_BITS=256 %heddlec --cpu=sve --width=8 --local=64 --small-ids -o %t.sve %s
// RUN: llvm-objdump -d --mattr=+sve %t.sve | FileCheck %s

// CHECK-LABEL: <pendulum>:
// CHECK-NOT: fneg
// CHECK: fm{{la|ls}}
// CHECK-NOT: fneg
// CHECK: ret
kernel void pendulum(global float2* angles) {
  const uint i = get_global_id(0);
  float a = angles[i].x, b = angles[i].y, v = 0, w = 0;
  for (int k = 0; k < 64; ++k) {
    const float s = a - a * a * a * 0.16666667f, t = b - b * b * b * 0.16666667f;
    const float d = a - b;
    v -= 0.01f * (s + 0.3f * d);
    w -= 0.01f * (t - 0.3f * d);
    a += 0.01f * v;
    b += 0.01f * w;
  }
  angles[i] = (float2)(a, b);
}
