// What lives across barriers: structures, arrays, pointers that differ, flags; barriers in functions, in a
// switch, in a kernel that a kernel calls; groups that return early.
//! options -cl-std=CL3.0
// expect a a8bec6514c68960a
// expect b 971ecc615dc2bb48
// expect d 7ae5cb4d4cdc3cdf
//! kernel a dims 2 global 20 6 local 5 3
//! arg out uint 120 zero
//! arg in uint 128 random 5
typedef struct { uint x[7]; ushort y; uchar z[3]; ulong4 q; } Big;
__attribute__((noinline)) void step(local uint* m, uint lid, uint items, Big* b, uint* extra) {
  m[lid] = b->x[lid % 7] + *extra;
  barrier(CLK_LOCAL_MEM_FENCE);
  b->x[(lid + 1) % 7] ^= m[items - 1 - lid];
  *extra += b->z[lid % 3];
  barrier(CLK_LOCAL_MEM_FENCE);
}
kernel void a(global uint* out, global const uint* in) {
  local uint m[15];
  uint lid = get_local_linear_id(), gid = get_global_linear_id(), items = get_local_size(0) * get_local_size(1);
  uint group = get_group_id(0) + get_group_id(1) * 4;
  Big b, c[2];
  for (int i = 0; i < 7; ++i) b.x[i] = in[(gid + i) & 127];
  b.y = gid; b.z[0] = 1; b.z[1] = gid; b.z[2] = 3;
  b.q = (ulong4)(gid, lid, group, 7);
  c[0] = b; c[1] = b;
  uint extra = gid;
  uint* who = (in[gid] & 1) ? &extra : &c[in[gid + 1] & 1].x[3];
  if (group == 3) return;
  for (uint i = 0; i < group % 4; ++i) {
    step(m, lid, items, &b, &extra);
    if (i == 1 && group == 6) break;
    *who += 5;
    c[i & 1].x[m[0] % 7] += extra;
    barrier(CLK_LOCAL_MEM_FENCE);
    switch (group) { case 1: step(m, lid, items, &c[0], who); break; case 2: barrier(CLK_LOCAL_MEM_FENCE); m[lid] = i; barrier(CLK_LOCAL_MEM_FENCE);
       case 5: extra += m[(lid + 3) % items]; break; default: c[lid & 1] = b; }
    if (group == 7 && i == 1) { out[gid] = extra; return; }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  uint h = extra;
  for (int i = 0; i < 7; ++i) h = h * 31 + b.x[i] + c[0].x[i] * 3 + c[1].x[i] * 7;
  out[gid] = h + b.q.x + b.q.w + c[1].q.y;
}
//! kernel b dims 1 global 96 local 32
//! arg out uint 96 zero
//! arg in uint 128 random 5
kernel void inner_k(global uint* out, global const uint* in) {
  local uint m[32];
  local uint turns;
  uint lid = get_local_id(0), gid = get_global_id(0);
  if (lid == 0) turns = in[get_group_id(0)] % 5 + 1;
  uint v = in[gid];
  barrier(CLK_LOCAL_MEM_FENCE);
  uint n = turns;
  do {
    m[lid] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < (m[lid ^ 1] & 7); ++k) v = v * 3 + m[(lid + k) & 31];
    bool flag = v & 1; bool other = m[0] & 2;
    double4 d = convert_double4((uint4)(v, v + 1, lid, n)); ushort hs[2]; half* hh = (half*)hs; vstore_half((float)(v & 1023), 0, hh); vstore_half((float)lid, 1, hh);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (flag) v += (uint)vload_half(lid & 1, hh);
    if (other != flag) v ^= convert_uint4_sat(d).y;
    v += convert_uint4_sat(d.wzyx).x;
  } while (--n);
  out[gid] += v;
}
kernel void b(global uint* out, global const uint* in) {
  inner_k(out, in);
  if (get_group_id(0) != 1) inner_k(out, in + 16);
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[get_global_id(0)] ^= get_local_id(0);
}
//! kernel d dims 3 global 3 5 7 local 3 5 1
//! arg out uint 105 zero
//! arg local uint 16
//! arg local uint 16
kernel void d(global uint* out, local uint* p, local uint* q) {
  uint lid = get_local_linear_id(), gid = get_global_linear_id();
  uint v = gid;
  p[lid] = 0; q[lid] = 0;
  work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_group);
  local uint* mine = v % 3 ? p : q; local uint* theirs = v % 5 == 1 ? p : q;
  for (uint i = 0; i < 6; ++i) {
    atomic_add(&mine[(lid * 7 + i) % 15], v);
    barrier(CLK_LOCAL_MEM_FENCE);
    v += theirs[(lid + i) % 15];
    local uint* t = mine; if ((v + i) & 1) { mine = theirs; theirs = t; }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_group_id(2) == i) continue;
    v ^= i;
  }
  out[gid] = v + *mine * 3 + theirs[lid];
}
