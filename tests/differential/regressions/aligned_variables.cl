// A private structure of which a part with the alignment of the whole is kept: each lane's is aligned.
// expect records 1312a877ab424245
//! options -cl-std=CL3.0
//! kernel records dims 1 global 40 local 20
//! arg out uint 3200 random 7
typedef struct {
  uint16 f0[4];
  uint f1[16];
} Record;
kernel void records(global uint* all) {
  global Record* own = (global Record*)all;
  const uint gid = (uint)get_global_id(0);
  barrier(CLK_GLOBAL_MEM_FENCE);
  Record r = own[gid];
  r.f1[1] = gid;
  own[gid] = r;
}
