// What the order of functions in the compiler's library is taken from (CMakeLists.txt): a little of
// what most kernels have, the simplest first.

kernel void saxpy(global float* y, global const float* x, float a) {
  size_t i = get_global_id(0);
  y[i] = a * x[i] + y[i];
}

kernel void iterate(global float* y, global const float* x, float a, int rounds) {
  size_t i = get_global_id(0);
  float v = x[i];
  for (int n = 0; n < rounds; ++n)
    v = v * a + y[i];
  if (v > 0.5f)
    y[i] = v;
}

kernel void math(global float4* y, global const int* index, uint count) {
  uint i = get_global_id(0);
  if (i >= count)
    return;
  float4 v = y[index[i]];
  y[i] = sqrt(v) + exp(v.wzyx) * convert_float4(as_int4(v) >> 3);
}

kernel void reduce(global const int* x, global int* sums, local int* partial) {
  uint l = get_local_id(0);
  partial[l] = x[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint n = get_local_size(0) / 2; n > 0; n /= 2) {
    if (l < n)
      partial[l] += partial[l + n];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0)
    sums[get_group_id(0)] = partial[0];
}

#define TILE 8
kernel __attribute__((reqd_work_group_size(TILE, TILE, 1))) void
multiply(global const float* a, global const float* b, global float* c, int n) {
  local float tile_a[TILE][TILE], tile_b[TILE][TILE];
  int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);
  float sum = 0;
  for (int k = 0; k < n; k += TILE) {
    tile_a[ly][lx] = a[y * n + k + lx];
    tile_b[ly][lx] = b[(k + ly) * n + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < TILE; ++i)
      sum += tile_a[ly][i] * tile_b[i][lx];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[y * n + x] = sum;
}

kernel void histogram(global const uchar* data, volatile global uint* bins) {
  atomic_inc(&bins[data[get_global_id(0)]]);
}
