// Words that are stored among bytes that are loaded as vectors of three, so far apart in the code that no pass before
// knows what the bytes are.
// expect punned d79b343e19607aff
//! options -cl-std=CL3.0
#define STEP sum = (rotate(sum, 5u) ^ other) * 0x01000193u;
#define STEPS STEP STEP STEP STEP STEP STEP STEP STEP
#define MANY STEPS STEPS STEPS STEPS STEPS STEPS
//! kernel punned dims 1 global 64 local 32
//! arg out uchar 1024 random 1
//! arg in uint 64 random 2
//! arg out uint 64 zero
kernel void punned(global uchar* bytes, global const uint* in, global uint* out) {
  const size_t i = (size_t)get_global_id(0) * 12;
  const uint other = in[get_global_id(0)];
  uint sum = bytes[i + 9];
  *(global uint*)(bytes + i + 4) = other;
  MANY
  sum += bytes[i + 8];
  sum = sum * 31 + bytes[i + 7];
  out[get_global_id(0)] = sum;
}
