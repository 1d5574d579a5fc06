// REQUIRES: x86
// RUN: %heddlec %s --cpu=x86-64-v3 --local=256 --width=32 --stage=optimize | FileCheck %s --check-prefix=LONG
// RUN: %heddlec %s --cpu=x86-64-v3 --local=256 --width=32 --short-code --stage=optimize | FileCheck %s --check-prefix=SHORT
// The steps of a sort as straight code on registers take several thousand instructions: only units that may have
// long code have them, which are built for launches that take long.
kernel void sort(global uint* out, global const uint* in) {
  local uint s[256];
  int l = get_local_id(0);
  s[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 2; k <= 256; k <<= 1)
    for (int j = k >> 1; j > 0; j >>= 1) {
      int other = l ^ j;
      if (other > l && (s[l] > s[other]) == ((l & k) == 0)) {
        uint t = s[l];
        s[l] = s[other];
        s[other] = t;
      }
      barrier(CLK_LOCAL_MEM_FENCE);
    }
  out[get_global_id(0)] = s[l];
}
// LONG-LABEL: define internal void @sort(
// LONG-NOT: addrspace(3)
// LONG: ret void
// SHORT-LABEL: define internal void @sort(
// SHORT: store {{.*}}, ptr addrspace(3)
// SHORT: ret void
