// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A defect for each check, and the same in functions that the checks leave out.
int load(global const int* data, int i) {
  return data[i]; // memory
}
kernel void memory(global int* data, int n) { data[get_global_id(0)] = load(data, get_global_id(0) + n); }

__attribute__((no_sanitize("heddle-memory"))) int load_unchecked(global const int* data, int i) { return data[i]; }
kernel void memory_unchecked(global int* data, int n) {
  data[get_global_id(0)] = load_unchecked(data, get_global_id(0) + n);
}

kernel void race(global int* data, int n) {
  data[get_global_id(0) % 4] = get_global_id(0); // race
}
__attribute__((no_sanitize("heddle-race"))) void store_unchecked(global int* data, int i, int value) {
  data[i] = value;
}
kernel void race_unchecked(global int* data, int n) { store_unchecked(data, get_global_id(0) % 4, get_global_id(0)); }

kernel void divergence(global int* data, int n) {
  local int tile[1];
  if (get_local_id(0) < n - 24)
    barrier(CLK_LOCAL_MEM_FENCE); // divergence
  else
    barrier(CLK_LOCAL_MEM_FENCE); // divergence of others
}
__attribute__((no_sanitize("heddle-divergence"))) kernel void divergence_unchecked(global int* data, int n) {
  if (get_local_id(0) < n - 24)
    barrier(CLK_LOCAL_MEM_FENCE);
  else
    barrier(CLK_LOCAL_MEM_FENCE);
}

kernel void division(global int* data, int n) {
  data[get_global_id(0)] = n / (int)(get_global_id(0) - 5); // division
}
__attribute__((no_sanitize("heddle-division"))) kernel void division_unchecked(global int* data, int n) {
  data[get_global_id(0)] = n / (int)(get_global_id(0) - 5);
}
