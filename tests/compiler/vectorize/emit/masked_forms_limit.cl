// REQUIRES: x86
// RUN: %heddlec --cpu=x86-64-v4 %s -- -heddle-explain -cl-std=CL3.0 2>&1 | FileCheck %s
// RUN: %heddlec --cpu=x86-64-v4 --verify-each=0 --first %s -- -DMANY -heddle-explain -cl-std=CL3.0 2>&1 | FileCheck %s --check-prefix=MANY
// Functions of private memory that are too much code to be inlined are called once for all lanes,
// unless these are too much code, too.

// CHECK: kernel 'k': 16 work-items wide
// CHECK-NOT: the called function has no vector variant
// MANY: kernel 'k':
// MANY: the called function has no vector variant

struct state {
  uint sum[8];
  uint used;
};

#define STEP                                                                                       \
  a ^= a << 3;                                                                                     \
  b += a >> 5;                                                                                     \
  if (b & 64)                                                                                      \
    a += s->sum[b & 7];                                                                            \
  a -= b;
#define SOME STEP STEP STEP STEP STEP STEP STEP STEP
#define FUNCTION(name)                                                                             \
  void name(struct state* s) {                                                                     \
    uint a = s->sum[0], b = s->sum[1];                                                             \
    SOME SOME SOME SOME s->sum[s->used & 7] = a;                                                   \
    s->used += b;                                                                                  \
  }
#define CALLS(name)                                                                                \
  name(&s);                                                                                        \
  name(&s);                                                                                        \
  name(&s);                                                                                        \
  name(&s);                                                                                        \
  name(&s);                                                                                        \
  name(&s);                                                                                        \
  name(&s);                                                                                        \
  name(&s);                                                                                        \
  name(&s);

FUNCTION(f0)
FUNCTION(f1)
#ifdef MANY
#define FUNCTIONS(n)                                                                               \
  FUNCTION(f##n##0)                                                                                \
  FUNCTION(f##n##1)                                                                                \
  FUNCTION(f##n##2)                                                                                \
  FUNCTION(f##n##3)                                                                                \
  FUNCTION(f##n##4)                                                                                \
  FUNCTION(f##n##5)                                                                                \
  FUNCTION(f##n##6)                                                                                \
  FUNCTION(f##n##7)
#define CALL_ALL(n)                                                                                \
  CALLS(f##n##0)                                                                                   \
  CALLS(f##n##1)                                                                                   \
  CALLS(f##n##2)                                                                                   \
  CALLS(f##n##3)                                                                                   \
  CALLS(f##n##4)                                                                                   \
  CALLS(f##n##5)                                                                                   \
  CALLS(f##n##6)                                                                                   \
  CALLS(f##n##7)
FUNCTIONS(1)
FUNCTIONS(2)
#endif

kernel void k(global uint* out, global const uint* in) {
  struct state s;
  for (uint i = 0; i < 8; ++i)
    s.sum[i] = i;
  s.used = get_global_id(0);
  s.sum[0] = in[get_global_id(0)];
  CALLS(f0)
  CALLS(f1)
#ifdef MANY
  CALL_ALL(1)
  CALL_ALL(2)
#endif
  out[get_global_id(0)] = s.sum[s.used & 7];
}
