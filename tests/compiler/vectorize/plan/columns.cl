// REQUIRES: x86
// RUN: %heddlec --cpu=x86-64-v3 %s -- -heddle-explain 2>&1 | FileCheck %s --check-prefixes=CHECK,V3
// RUN: %heddlec --cpu=x86-64-v4 %s -- -heddle-explain 2>&1 | FileCheck %s --check-prefixes=CHECK,V4
// RUN: %heddlec --cpu=x86-64-v3 --first %s -- -heddle-explain 2>&1 | FileCheck %s --check-prefix=OTHERS
// RUN: %heddlec --cpu=x86-64-v3 --width=8 %s -- -heddle-explain 2>&1 | FileCheck %s --check-prefix=OTHERS
// Lanes that walk down neighboring columns access four cache lines at once, if nobody has asked for another width and it
// is not a first unit.
// OTHERS-NOT: neighboring columns

// CHECK: kernel 'sum': 64 work-items wide: {{.*}}; more, since they walk down neighboring columns{{$}}
kernel void sum(global const float* a, global float* out, int n) {
  int i = get_global_id(0);
  float s = 0;
  for (int j = 0; j < n; ++j)
    s += a[j * n + i];
  out[i] = s;
}

// CHECK: kernel 'doubles': 32 work-items wide: {{.*}}; more, since they walk down neighboring columns{{$}}
kernel void doubles(global const double* a, global double* out, int n) {
  int i = get_global_id(0);
  double s = 0;
  for (int j = 0; j < n; ++j)
    s += a[j * n + i];
  out[i] = s;
}

// What goes from one iteration to the next, also of the outer loop, stays in registers.
// V3: kernel 'nearest': 32 work-items wide: {{.*}}; more, since they walk down neighboring columns{{$}}
// V4: kernel 'nearest': 64 work-items wide: {{.*}}; more, since they walk down neighboring columns{{$}}
kernel void nearest(global uint* labels, global const float* points, global const float* centres, uint n,
                    uint count, uint features) {
  uint i = get_global_id(0), label = 0;
  float least = INFINITY;
  for (uint c = 0; c < count; ++c) {
    float distance = 0;
    for (uint f = 0; f < features; ++f) {
      float d = points[f * n + i] - centres[c * features + f];
      distance += d * d;
    }
    if (distance < least) {
      least = distance;
      label = c;
    }
  }
  labels[i] = label;
}

// So do masks without AVX-512.
// V3: kernel 'triangle': 32 work-items wide: {{.*}}; more, since they walk down neighboring columns{{$}}
// V4: kernel 'triangle': 64 work-items wide: {{.*}}; more, since they walk down neighboring columns{{$}}
kernel void triangle(global const float* a, global float* out, int n) {
  int i = get_global_id(0);
  for (int k = i + 1; k < n; ++k) {
    float s = 0;
    for (int j = 0; j < n; ++j)
      s += a[j * n + i] * a[j * n + k];
    out[k * n + i] = s;
  }
}

// Sub-groups of kernels that split ids may be of two rows, whose columns are apart.
// V4: kernel 'dilate': 32 work-items wide: {{.*}}; more, since they walk down neighboring columns{{$}}
kernel void dilate(global const float* a, constant float* shape, global float* out, int m, int n, int size) {
  int id = get_global_id(0), i = id % m, j = id / m;
  float most = 0;
  for (int k = 0; k < size; ++k) {
    int y = i - size / 2 + k;
    if (y >= 0 && y < m)
      for (int l = 0; l < size; ++l) {
        int x = j - size / 2 + l;
        if (x >= 0 && x < n && shape[k * size + l] != 0) {
          float value = a[x * m + y];
          most = value > most ? value : most;
        }
      }
  }
  out[id] = most;
}

// Of what the loop accesses, most is in other lines.
// CHECK: kernel 'rows':
// CHECK-NOT: neighboring columns
kernel void rows(global const float* a, global const float* b, global float* out, int n) {
  int i = get_global_id(0);
  float s = 0;
  for (int j = 0; j < n; ++j)
    s += a[i * n + j] * b[j * n + i];
  out[i] = s;
}

// The next iteration needs the same lines.
// CHECK: kernel 'filter':
// CHECK-NOT: neighboring columns
kernel void filter(global const float* a, global float* out, int n) {
  int i = get_global_id(0);
  float s = 0;
  for (int j = 0; j < n; ++j)
    s += a[i + j];
  out[i] = s;
}

// Rows of groups share what they load.
// CHECK: kernel 'product':
// CHECK-NOT: neighboring columns
kernel void product(global const float* a, global const float* b, global float* out, int n) {
  int i = get_global_id(0), j = get_global_id(1);
  float s = 0;
  for (int k = 0; k < n; ++k)
    s += a[j * n + k] * b[k * n + i];
  out[j * n + i] = s;
}

// By an index that moves on by a row.
// CHECK: kernel 'moves_on': 64 work-items wide: {{.*}}; more, since they walk down neighboring columns{{$}}
kernel void moves_on(global const float* a, global float* out, int n, int m) {
  int i = get_global_id(0);
  float s = 0;
  for (int j = 0, k = i; j < n; ++j, k += m)
    s += a[k];
  out[i] = s;
}

// The first-level cache holds local memory.
// CHECK: kernel 'tile':
// CHECK-NOT: neighboring columns
kernel void tile(global const float* a, global float* out, local float* t, int n) {
  int l = get_local_id(0), m = get_local_size(0);
  for (int j = 0; j < n; ++j)
    t[j * m + l] = a[j * m + l];
  barrier(CLK_LOCAL_MEM_FENCE);
  float s = 0;
  for (int j = 0; j < n; ++j)
    s += t[j * m + m - 1 - l];
  out[get_global_id(0)] = s;
}
