// Loops that are left several at once, from a switch, by return, each work-item when it likes.
//! options -cl-std=CL3.0
// expect a 94fb6164608d066e
// expect b a8837fb34c866e8a
//! kernel a dims 1 global 64 local 32
//! arg out uint 64 zero
//! arg in uint 256 random 5
kernel void a(global uint* out, global const uint* in) {
  uint gid = get_global_id(0), x = in[gid], r = 0, q = 9;
  for (uint i = 0; i < 6; ++i) {
    if ((x ^ i) % 5 == 0) { q = x * 3; continue; }
    for (uint j = 0; j < (x & 7); ++j) {
      x = x * 5 + in[(gid + j) & 255];
      if (x % 11 == 3) { r += j; goto out1; }
      for (uint k = 0; k < 3; ++k) {
        if ((x + k) % 7 == 1) { r ^= k + 100; goto out2; }
        if ((x + k) % 13 == 2) { q += r; goto next; }
        x += in[(x + k) & 255];
        if (x % 17 == 4) break;
      }
      r += x & 3;
    }
    q ^= r;
  next:
    if (x % 19 == 1) { out[gid] = x + q; return; }
    r = r * 3 + i;
  }
  r += 1000;
out1:
  if (r & 1) { q += 5; for (uint k = 0; k < (r & 3); ++k) q = q * 3 + k; }
  r ^= q;
out2:
  out[gid] = r * 31 + x + q * 7;
}
//! kernel b dims 1 global 64 local 32
//! arg out uint 64 zero
//! arg in uint 256 random 9
kernel void b(global uint* out, global const uint* in) {
  uint gid = get_global_id(0), x = in[gid], y = 0, n = 0;
  do {
    switch (x & 7) {
      case 0: x >>= 1; if (n > 20) goto end; break;
      case 1: x = x * 3 + 1; case 2: y += x; if (y % 9 == 4) continue; break;
      case 3: while (x & 3) { x -= 1; ++y; if (y % 23 == 0) goto end; } break;
      case 5: for (uint k = 0; k < 4; ++k) { if (in[(x + k) & 255] & 4) { y ^= k; break; } x += k; } 
      case 6: x = (x >> 2) + in[y & 255]; break;
      default: if (x & 16) { x = in[x & 255]; if (x & 32) return; } x += 11;
    }
    y = y * 2 + (x & 1);
  } while (++n < 30);
  y += 3;
end:
  out[gid] = x ^ y ^ n;
}
