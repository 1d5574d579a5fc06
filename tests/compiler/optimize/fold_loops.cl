// Loops that end at once in a unit of one work-item do so in all units, also in those without optimizations.
// REQUIRES: x86
// RUN: %heddlec --cpu=x86-64-v2 --stage=simplify %s | FileCheck %s
// RUN: %heddlec --cpu=x86-64-v4 --width=64 --stage=simplify %s | FileCheck %s
// RUN: %heddlec --program -o %t.bc %s
// RUN: %heddlec --unit=wraps --width=1 --stage=lower %t.bc -- -cl-opt-disable | FileCheck --check-prefix=PLAIN %s
// RUN: %heddlec --unit=jumps --width=1 --stage=lower %t.bc -- -cl-opt-disable | FileCheck --check-prefix=PLAIN %s

// CHECK-LABEL: @wraps
// CHECK-NOT: phi
// CHECK: store i32 0
// CHECK: ret void
// PLAIN: @heddle_amounts
// PLAIN-NOT: br i1
kernel void wraps(global uint* out, uint n) {
  uint g = n + get_global_id(0);
  do
    g -= 3;
  while (g);
  out[get_global_id(0)] = g;
}

// CHECK-LABEL: @jumps
// CHECK-NOT: phi
// CHECK: store i32 0
// CHECK: ret void
kernel void jumps(global uint* out, uint n) {
  uint g = n;
again:
  for (int i = -3; i <= -1; i++)
    g--;
  if (g)
    goto again;
  out[get_global_id(0)] = g;
}

// RUN: %heddlec --unit=same_choice --width=1 --stage=lower %t.bc -- -cl-opt-disable | FileCheck --check-prefix=CHOICE %s
// CHOICE: @heddle_amounts
// CHOICE-NOT: , %for.body ]
// CHOICE: ret void
kernel void same_choice(global uint* out, uint n) {
  uint id = get_global_id(0);
  uint g = 0;
  for (uint i = 0; i < n; ++i) {
    g += n > 3 ? id : 3;
    g ^= 0;
  }
  out[id] = g;
}

// The query is the same in all iterations; the loop stays behind a check of its counter.
// RUN: %heddlec --unit=asks_inside --width=1 --stage=lower %t.bc -- -cl-opt-disable | FileCheck --check-prefix=INSIDE %s
// INSIDE: @heddle_amounts
// INSIDE: folded:
kernel void asks_inside(global uint* out, uint n) {
  uint g = 0;
  for (uint i = 0; i < n + get_global_id(0); ++i)
    g += 2;
  out[get_global_id(0)] = g;
}
