// Rows side by side of which one has no active lane leave alone the one place that a store is to.
// expect one_place 62bdaf2706ee470b
//! options -cl-std=CL3.0
//! kernel one_place dims 2 global 64 8 local 32 4
//! arg out uint 512 zero
//! arg out uint 8 zero
//! arg value int 32000000
#pragma OPENCL FP_CONTRACT OFF
kernel void one_place(global uint* out, global uint* places, int most) {
  const int px = get_global_id(0), py = get_global_id(1);
  const float cr = px * 0.0078125f - 0.5f, ci = py * 0.015625f;
  float x = 0, y = 0;
  int i = 0;
  while (i < most && x * x + y * y <= 4.0f) {
    const float t = x * x - y * y + cr;
    y = 2 * x * y + ci;
    x = t;
    ++i;
  }
  out[py * 64 + px] = as_uint(x);
  if (get_local_id(0) + 40 * get_local_id(1) == 45)
    places[get_group_id(1) * 2 + get_group_id(0)] = i * 100 + px;
  if (get_local_id(0) * 5 == 60 + get_local_id(1))
    places[4 + get_group_id(1) * 2 + get_group_id(0)] = i * 100 + px;
}
