// RUN: %heddlec %s --stage=optimize | FileCheck %s
// A helper function is part of its kernel: no call is left, and no code of its own.

uint mix(uint state) {
  state ^= state << 13;
  state ^= state >> 17;
  return state ^ (state << 5);
}
uint mix_twice(uint state) { return mix(mix(state)); }

// CHECK-NOT: define internal i32 @mix
// CHECK-LABEL: define internal void @rounds(
// CHECK-NOT: call{{.*}}@mix
// CHECK: ret void
kernel void rounds(global uint* out, uint count) {
  uint state = get_global_id(0);
  for (uint i = 0; i < count; ++i)
    state = mix_twice(state) + i;
  out[get_global_id(0)] = state;
}
