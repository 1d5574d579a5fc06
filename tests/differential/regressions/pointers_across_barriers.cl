// What is kept of variables' addresses across barriers points to the variables themselves.
// expect across_barriers 3698057a5ccfa1f7
// expect across_barriers_alone 3698057a5ccfa1f7
//! kernel across_barriers dims 1 global 64 local 32
//! arg out uint 64 zero
//! arg in uint 128 random 9
//! arg local uint 32
//! kernel across_barriers_alone dims 1 global 64 local 32
//! arg out uint 64 zero
//! arg in uint 128 random 9
//! arg local uint 32
#define KERNEL(NAME)                                                                             \
  kernel void NAME(global uint* out, global const uint* in, local uint* l) {                     \
    const uint i = get_global_id(0), at = get_local_id(0);                                       \
    uint a = 1, b = 2;                                                                           \
    uint* places[4] = {&a, &b, &a, &b};                                                          \
    uint* chosen = in[i] & 4 ? &a : &b;                                                          \
    l[at] = in[i];                                                                               \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                \
    a = l[at ^ 1];                                                                               \
    b = in[i + 64];                                                                              \
    const uint seen = *places[l[at] & 3] + 3 * *chosen;                                          \
    a += 7;                                                                                      \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                \
    *chosen = seen;                                                                              \
    l[at] = a + 5 * b;                                                                           \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                \
    *places[seen & 3] += 11;                                                                     \
    out[i] = a + l[at ^ 3] + 13 * b + 17 * *places[l[at] & 3];                                   \
  }
KERNEL(across_barriers)
__attribute__((intel_reqd_sub_group_size(1))) KERNEL(across_barriers_alone)
