// Sub-groups side by side whose lanes part ways differently in each row.
// expect escape 87d73d71bac17b7e
// expect nested 04b3d5c0cbe90fad
// expect neither 44f25e6a0d45403a
// expect stores 96c51c4b326ad110
//! options -cl-std=CL3.0
//! kernel escape dims 2 global 40 12 local 20 6
//! arg out int 480 random 1
//! arg value int 64000000
//! kernel nested dims 2 global 33 8 local 33 8
//! arg out uint 264 random 3
//! arg value int 0a000000
//! kernel neither dims 2 global 64 16 local 16 16
//! arg out uint 1024 random 5
//! arg value int 05000000
//! kernel stores dims 2 global 24 20 local 8 10
//! arg out uint 1440 random 7
//! arg value int 07000000
kernel void escape(global int* out, int most) {
  int px = get_global_id(0), py = get_global_id(1);
  float cr = px * (3.0f / 64) - 2.25f, ci = py * (2.5f / 16) - 1.25f;
  float x = 0, y = 0;
  int i = 0;
  while (i < most && x * x + y * y <= 4.0f) {
    float t = x * x - y * y + cr;
    y = 2 * x * y + ci;
    x = t;
    ++i;
  }
  out[py * 40 + px] = i;
}

// Loops in loops that lanes leave with break and continue, and what is uniform in them.
kernel void nested(global uint* out, int most) {
  uint px = get_global_id(0), py = get_global_id(1);
  uint at = py * 33 + px, v = out[at], w = py * 7 + px;
  uint steps = 0;
  for (int i = 0; i < most; ++i) {
    if (((v >> i) & 3) == 0)
      continue;
    for (uint j = 0; j < (w & 15); ++j) {
      v = v * 1664525u + 1013904223u + (uint)i;
      steps++;
      if ((v >> 28) == (px & 7))
        break;
    }
    w += v >> 27;
    if (w > 400 + py * 9)
      break;
  }
  out[at] = v + steps * 65537u + w;
}

// What differs by row and not by lane is no condition for rows side by side.
kernel void neither(global uint* out, int most) {
  uint px = get_global_id(0), py = get_global_id(1), v = 1, at = py * 64 + px;
  if (py > 6)
    v = 2;
  for (uint i = 0; i < (py & 3) + (uint)most; ++i)
    v = v * 3 + i;
  out[at] = (out[at] & px) ? v : v + px;
}

// Loads and stores under conditions of each row.
kernel void stores(global uint* out, int most) {
  uint px = get_global_id(0), py = get_global_id(1), at = py * 24 + px;
  uint v = out[at];
  if ((v ^ py) % 3 == 0) {
    out[480 + at] = v;
    v = out[(at * 5 + v % 11) % 480 + 960] & 1 ? py : px;
  } else if (v % 5 < py % 5) {
    v += out[960 + at] * py;
    out[480 + at] += v + most;
  }
  out[at] = v;
}
