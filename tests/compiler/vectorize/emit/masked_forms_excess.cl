// REQUIRES: x86
// RUN: %heddlec --cpu=x86-64-v4 --first %s -- -heddle-explain -cl-std=CL3.0 2>&1 | FileCheck %s
// The form of the first function is too much code, since it stores lane by lane. What the
// vectorizer relies on is done for the second one all the same, or its build would not end.

// CHECK: kernel 'k':
// CHECK: the called function has no vector variant

struct state {
  uchar bytes[256];
  uint a, b;
};

#define STORE                                                                                      \
  b += a >> 5;                                                                                     \
  a ^= a << 3 ^ s->bytes[b & 255];                                                                 \
  s->bytes[b & 255] = (uchar)a;
#define STORES STORE STORE STORE STORE STORE STORE STORE STORE
#define STEP                                                                                       \
  a ^= a << 3;                                                                                     \
  b += a >> 5;                                                                                     \
  if (b & 64)                                                                                      \
    a += s->bytes[b & 7];                                                                          \
  a -= b;
#define STEPS STEP STEP STEP STEP STEP STEP STEP STEP
#define FOUR(call) call call call call
#define CALLS(call) FOUR(call) FOUR(call) FOUR(call) FOUR(call)

void stores(struct state* s) {
  uint a = s->a, b = s->b;
  FOUR(STORES) FOUR(STORES) s->a = a;
  s->b = b;
}

void chooses(struct state* s, uint n) {
  uint a = s->a, b = s->b;
  FOUR(STEPS) FOUR(STEPS) for (uint i = 0; i < n; ++i) {
    switch (s->bytes[i & 255]) {
    case 1:
      a += i;
      break;
    case 17:
      s->bytes[a & 255] = 3;
      break;
    case 40:
      b ^= a;
      continue;
    case 5:
      a *= 7;
    }
    b += a;
  }
  s->a = a;
  s->b = b;
}

kernel void k(global uint* out, global const uint* in) {
  struct state s;
  for (uint i = 0; i < 256; ++i)
    s.bytes[i] = (uchar)in[get_global_id(0) + i];
  s.a = s.b = in[get_global_id(0)];
  CALLS(stores(&s);)
  CALLS(chooses(&s, in[0]);)
  out[get_global_id(0)] = s.bytes[s.a & 255] + s.b;
}
