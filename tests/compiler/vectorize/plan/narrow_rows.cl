// REQUIRES: x86
// RUN: %heddlec --cpu=x86-64-v4 %s -- -heddle-explain 2>&1 | FileCheck %s --check-prefix=V4
// RUN: %heddlec --cpu=x86-64-v3 %s -- -heddle-explain 2>&1 | FileCheck %s --check-prefix=V3
// Lanes cross rows of a group of a known size only where the kernel computes more than its gathers and
// scatters would cost, and for rows of half a register, which leave out hardly any work, much more.
#define STEP s = s * t + t, t = t * s + s;
#define STEPS STEP STEP STEP STEP STEP STEP STEP STEP STEP STEP
#define GROUPS(X) __attribute__((reqd_work_group_size(X, 16, 1)))
#define AT (get_group_id(0) * 16 + get_local_id(1)) * 64 + get_local_id(0)

// V4: kernel 'moves4': 4 work-items wide:
// V3: kernel 'moves4': 4 work-items wide:
kernel GROUPS(4) void moves4(global float* out, global const float* in) { out[AT] = in[AT] + in[AT + 1]; }

// V4: kernel 'computes4': 16 work-items wide:
// V3: kernel 'computes4': 4 work-items wide:
kernel GROUPS(4) void computes4(global float* out, global const float* in) {
  float s = in[AT], t = in[AT + 1];
  STEPS STEPS
  out[AT] = s + t;
}

// V4: kernel 'computes8': 8 work-items wide:
kernel GROUPS(8) void computes8(global float* out, global const float* in) {
  float s = in[AT], t = in[AT + 1];
  STEPS STEPS
  out[AT] = s + t;
}

// V4: kernel 'loops8': 16 work-items wide:
kernel GROUPS(8) void loops8(global float* out, global const float* in) {
  float s = in[AT], t = in[AT + 1];
  for (int k = 0; k < 100; ++k) {
    STEPS STEPS
  }
  out[AT] = s + t;
}
