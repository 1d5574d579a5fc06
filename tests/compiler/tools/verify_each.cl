// The verifier after each pass changes no code, whether it is asked for or not.
// REQUIRES: x86
// RUN: %heddlec %s --cpu=x86-64-v4 --verify-each -o %t.verified --object
// RUN: %heddlec %s --cpu=x86-64-v4 --verify-each=0 -o %t.plain --object
// RUN: cmp %t.verified %t.plain
kernel void scale(global float* a) {
  size_t i = get_global_id(0);
  a[i] = a[i] * 3;
}
