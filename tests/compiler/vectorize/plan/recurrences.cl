// REQUIRES: x86
// RUN: %heddlec --cpu=znver5 %s -- -heddle-explain 2>&1 | FileCheck %s --check-prefixes=CHECK,ZEN5
// RUN: %heddlec --cpu=x86-64-v3 %s -- -heddle-explain 2>&1 | FileCheck %s --check-prefixes=CHECK,V3
// The lanes of kernels whose loops wait for the results of earlier iterations.

// Two dependences in turn: the products of an iteration wait for each other.
// ZEN5: kernel 'products': 64 work-items wide: {{.*}}; more, since they wait for their results{{$}}
// V3: kernel 'products': 16 work-items wide: {{.*}}; more, since they wait for their results{{$}}
kernel void products(global double* out, global const double* in) {
  double x = in[get_global_id(0)], y = in[get_global_id(0) + 4096];
  for (int i = 0; i < 64; ++i) {
    x = x * y + 0.5;
    y = y * x - 0.25;
  }
  out[get_global_id(0)] = x + y;
}

// The shortest of several: what goes through all seven values takes seven iterations.
// ZEN5: kernel 'shifted': 64 work-items wide: {{.*}}; more, since they wait for their results{{$}}
kernel void shifted(global uint* out, global const uint* in) {
  uint x0 = in[get_global_id(0)], x1 = 1, x2 = 2, x3 = 3, x4 = 4, x5 = 5, x6 = 6;
  for (int i = 0; i < 48; ++i) {
    uint t = x0 * 3 + x6;
    x0 = x1 ^ t;
    x1 = x2 + t;
    x2 = x3;
    x3 = x4 + x0;
    x4 = x5 * 7;
    x5 = x6;
    x6 = t;
  }
  out[get_global_id(0)] = x0 + x1 + x2 + x3 + x4 + x5 + x6;
}

// Much is computed with what the registers do not hold.
// CHECK: kernel 'pendulums': 64 work-items wide: {{.*}}; more, since they wait for their results{{$}}
kernel void pendulums(global float* out, global const float* in) {
  float t1 = in[get_global_id(0)], t2 = in[get_global_id(0) + 4096], v1 = 0, v2 = 0;
  for (int i = 0; i < 64; ++i) {
    float s1 = t1 - t1 * t1 * t1 * 0.16666667f, s2 = t2 - t2 * t2 * t2 * 0.16666667f, d = t1 - t2;
    v1 -= 0.01f * (s1 + 0.3f * d);
    v2 -= 0.01f * (s2 - 0.3f * d);
    t1 += 0.01f * v1;
    t2 += 0.01f * v2;
  }
  out[get_global_id(0)] = t1 + t2;
}

// Little is.
// V3: kernel 'four': 8 work-items wide:
kernel void four(global double* out, global const double* in) {
  size_t n = get_global_id(0);
  double x = in[n], y = in[n + 4096], z = in[n + 8192], u = in[n + 12288];
  for (int i = 0; i < 64; ++i) {
    x = x * y + 0.5;
    y = y * z - 0.25;
    z = z * u + 0.1;
    u = u * x;
  }
  out[n] = x + y + z + u;
}

// Behind divergent branches values are selected, one after the other, by what the branches depend on.
// ZEN5: kernel 'interpret': 64 work-items wide: {{.*}}; more, since they wait for their results{{$}}
kernel void interpret(global uint* out, global const uint* in) {
  uint x = in[get_global_id(0)], sum = 1;
  for (uint i = 0; i < 64; ++i) {
    switch ((x >> 13) & 7) {
    case 0: x = x * 1664525 + 1013904223; break;
    case 1: x ^= x << 7; sum += x; break;
    case 2: x += sum * 31; break;
    case 3: x = (x >> 3) | (x << 29); sum ^= i; break;
    case 4: sum = sum * 5 + x; x += 0x9E3779B9; break;
    case 5: x = ~x + sum; break;
    case 6: x -= (sum >> 5) ^ i; break;
    default: sum += x & 0xFF; x = x * 69069 + 1; break;
    }
  }
  out[get_global_id(0)] = x ^ sum;
}

// What the next iteration takes needs no registers beside what it replaces.
// V3: kernel 'bounce': 64 work-items wide: {{.*}}; more, since they wait for their results{{$}}
kernel void bounce(global float* out, global const float* in) {
  float x = in[get_global_id(0)], v = in[get_global_id(0) + 64], sum = 0;
  for (int i = 0; i < 64; ++i) {
    v -= 0.01f * x;
    x += 0.1f * v;
    if (x > 1) {
      x = 2 - x;
      v = -v * 0.9f;
    } else if (x < 0) {
      x = -x;
      v = -v * 0.9f;
    }
    sum += x;
  }
  out[get_global_id(0)] = sum;
}

// What all lanes share is computed once for more of them.
// V3: kernel 'transform': 32 work-items wide:
kernel void transform(global float* out, global const float* in) {
  float v[8];
  for (int k = 0; k < 8; ++k)
    v[k] = in[8 * get_global_id(0) + k];
  for (int u = 0; u < 8; ++u) {
    float sum = 0;
    for (int k = 0; k < 8; ++k)
      sum += v[k] * cos((2 * k + 1) * u * 0.19634954f);
    out[8 * get_global_id(0) + u] = sum * 0.5f;
  }
}
