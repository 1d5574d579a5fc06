// REQUIRES: x86
// RUN: %heddlec --cpu=znver5 %s -- -heddle-explain 2>&1 | FileCheck %s
// Kernels that wait for their own results have more lanes, or rows side by side.

// Zen 5 starts four operations on integers in a cycle, each of which takes two cycles.
// CHECK: kernel 'search': 64 work-items wide: {{.*}}; more, since they wait for their results{{$}}
kernel void search(global uint* out, global const uint* in, uint n) {
  uint first = in[get_global_id(0)], found = n;
  for (uint i = 0; i < n; ++i) {
    uint a = first + i, b = a ^ 0x9e3779b9;
    for (uint round = 0; round < 64; ++round) {
      uint t = rotate(a + (b ^ round), 7u) + b;
      a = b;
      b = t;
    }
    if ((b & 15) == 0) {
      found = i;
      break;
    }
  }
  out[get_global_id(0)] = found;
}

// Private arrays are laid out for the lanes that are chosen.
// CHECK: kernel 'schedule': {{32|64}} work-items wide:
kernel void schedule(global uint* out, uint n) {
  uint w[16];
  for (uint i = 0; i < 16; ++i)
    w[i] = get_global_id(0) * i;
  uint a = 1;
  for (uint i = 0; i < n; ++i) {
    w[i & 15] += rotate(w[(i + 1) & 15], 7u);
    a = rotate(a, 5u) + w[i & 15];
  }
  out[get_global_id(0)] = a;
}

// A large one stays in the cache.
// CHECK: kernel 'tables': 16 work-items wide:
kernel void tables(global uint* out, uint n) {
  uint w[256];
  for (uint i = 0; i < 256; ++i)
    w[i] = get_global_id(0) * i;
  uint a = 1;
  for (uint i = 0; i < n; ++i) {
    w[i & 255] += rotate(w[(i + 1) & 255], 7u);
    a = rotate(a, 5u) + w[i & 255];
  }
  out[get_global_id(0)] = a;
}

// Groups run as one row where the loop accesses no memory, and rows are side by side.
// CHECK: kernel 'orbits': 32 work-items wide: {{.*}}; 2 sub-groups side by side{{$}}
kernel void orbits(global int* out, int most) {
  int px = get_global_id(0), py = get_global_id(1), i = 0;
  float cr = px * 0.01f - 2, ci = py * 0.01f - 1, x = 0, y = 0;
  while (i < most && x * x + y * y <= 4.0f) {
    float t = x * x - y * y + cr;
    y = 2 * x * y + ci;
    x = t;
    ++i;
  }
  out[py * get_global_size(0) + px] = i;
}

// Loads for each lane of rows that share them fill a register.
// CHECK: kernel 'shared': 16 work-items wide: {{.*}}, but a full register, since its rows share these
__attribute__((reqd_work_group_size(16, 16, 1)))
kernel void shared(global const float* a, global const float* b, global float* out, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  float s = 0;
  for (int k = 0; k < n; ++k)
    s += a[y * n + k] * b[x * n + k];
  out[y * n + x] = s;
}

// Also if each iteration of an outer loop updates memory, lane by lane.
// CHECK: kernel 'bins': 32 work-items wide:
kernel void bins(global uint* counts, global const float* in, global const float* starts, uint count, uint n) {
  for (uint i = 0; i < n; ++i) {
    float value = in[i * get_global_size(0) + get_global_id(0)];
    uint first = 0, last = count;
    while (last > first + 1) {
      uint middle = (first + last) / 2;
      if (value < starts[middle])
        last = middle;
      else
        first = middle;
    }
    atomic_inc(&counts[first]);
  }
}

// Barriers that switch between the sub-groups' stacks do so less often.
// CHECK: kernel 'synchronized': 64 work-items wide: {{.*}}; more, since barriers switch between their stacks{{$}}
// CHECK: kernel 'synchronized': barriers: fibers
kernel __attribute__((reqd_work_group_size(256, 1, 1))) void synchronized(global volatile uint* arrived,
                                                                          global uint* out, uint n) {
  uint sum = 0;
  for (uint i = 0; i < n; ++i) {
    sum = rotate(sum, 5u) + get_local_id(0);
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
      atomic_inc(arrived);
      while (*arrived < (i + 1) * get_num_groups(0))
        ;
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
  }
  out[get_global_id(0)] = sum;
}

// Updates without such a search are no faster, although the loop waits for its loads.
// CHECK: kernel 'updates': 16 work-items wide:
kernel void updates(global uint* counts, global const uint* in, uint n) {
  for (uint i = 0; i < n; ++i)
    atomic_inc(&counts[in[i * get_global_size(0) + get_global_id(0)]]);
}
