// A switch with cases that fall through, the default in the middle and a continue of the loop around.
//! options -cl-std=CL3.0
// expect choose af289ea8786ae512
//! kernel choose dims 2 global 8 24 local 1 24
//! arg out int 192 zero
//! arg in int 256 random 4
kernel void choose(global int* out, global const int* in) {
  const uint gid = (uint)get_global_linear_id();
  int value = in[gid] & 0xffff;
  for (int i = 0; i < 9; ++i) {
    switch ((value + i) & 7) {
    case 1:
      value ^= 0x55;
    case 6:
      value += 3;
      break;
    default:
      value = (value * 5) & 0xffff;
    case 3:
      if (gid % 3 == 0)
        continue;
      value ^= i;
      break;
    case 4:
      value += in[(value + i) & 255] & 0xff;
    }
    value &= 0x7ffff;
  }
  out[gid] = value;
}
