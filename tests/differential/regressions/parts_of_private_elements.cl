// Private arrays that are accessed as numbers of several sizes, at places that are the same in all work-items and
// others, by some of them and all.
// expect pad e2d8b43d90f0dd07
// expect sizes a5be2a60f625fb98
// expect vectors 486a6b830ed89f0d
// expect records 83171684803b6c73
//! options -cl-std=CL3.0

//! kernel pad dims 1 global 210 local 35
//! arg out uint 3360 zero
//! arg in uchar 2048 random 1
kernel void pad(global uint* out, global const uchar* in) {
  uint i = get_global_id(0), length = in[i] % 50, w[16];
  for (uint k = 0; k < 16; ++k)
    w[k] = 0;
  uchar* bytes = (uchar*)w;
  for (uint k = 0; k < length; ++k)
    bytes[k ^ 3] = in[i + k];
  bytes[length ^ 3] = 0x80;
  for (uint round = 0; round < 40; ++round) {
    for (uint k = 0; k < 16; ++k)
      w[k] = rotate(w[k] + w[(k + 13) & 15], 7u) ^ round;
    bytes[round] ^= in[round];
    if ((i ^ round) & 5)
      bytes[(round + 21) & 63] += bytes[round];
  }
  for (uint k = 0; k < 16; ++k)
    out[16 * i + k] = w[k];
}

typedef union { uchar b[96]; ushort s[48]; uint w[24]; ulong d[12]; float f[24]; } Bytes;
//! kernel sizes dims 1 global 130 local 65
//! arg out ulong 1560 zero
//! arg in uint 512 random 2
//! arg value int 05000000
kernel void sizes(global ulong* out, global const uint* in, int n) {
  uint i = get_global_id(0);
  Bytes a, b;
  for (uint k = 0; k < 24; ++k)
    a.w[k] = in[i + k];
  for (uint k = 0; k < 20; ++k) {
    a.s[(k * n) % 48] += k;
    a.w[k] *= 0x9e3779b9u + a.b[4 * n + k];
    if (a.w[(k + 1) % 24] & 1)
      a.d[k % 12] ^= (ulong)a.s[k] << (k + 7);
    else
      a.b[in[i + k] % 96] = (uchar)k;
    a.f[(k + n) % 24] = (float)(a.w[k] >> 9) + (float)a.s[in[i] % 48];
  }
  b = a;
  for (uint k = 0; k < 12; ++k)
    b.s[k * 4 + (in[k] & 3)] -= a.b[(in[i + k] + k) % 96];
  for (uint k = 0; k < 12; ++k)
    out[12 * i + k] = b.d[k];
}

//! kernel vectors dims 1 global 100 local 50
//! arg out uint 1200 zero
//! arg in uchar 1024 random 3
kernel void vectors(global uint* out, global const uchar* in) {
  uint i = get_global_id(0), w[12];
  for (uint k = 0; k < 12; ++k)
    w[k] = in[i + k] * 0x01010101u + k;
  for (uint k = 0; k < 12; ++k) {
    *(uchar4*)(w + k) += (uchar4)(1, 2, 3, in[k]);
    vstore3(vload3(k, (uchar*)w).zxy, in[i + k] % 16, (uchar*)w);
    *(ushort2*)(w + (k * 5) % 12) ^= *(ushort2*)(w + in[i] % 12);
    if (in[i + k] & 2)
      vstore2(vload2(k, (ushort*)w) + (ushort2)(k, i), (k + 1) % 12, (ushort*)w);
    *(ulong*)(w + 2 * (k % 6)) += *(ulong*)(w + 2 * (in[i] % 6));
  }
  for (uint k = 0; k < 12; ++k)
    out[12 * i + k] = w[k];
}

typedef struct { uint key; uchar tag, used; ushort next; ulong sum; } Entry;
//! kernel records dims 2 global 12 10 local 6 5
//! arg out ulong 960 zero
//! arg in uint 256 random 4
kernel void records(global ulong* out, global const uint* in) {
  uint i = get_global_id(1) * 12 + get_global_id(0);
  Entry table[8], *e = table;
  for (uint k = 0; k < 8; ++k)
    table[k] = (Entry){in[k], (uchar)k, 0, (ushort)(k * 3), k};
  for (uint k = 0; k < 30; ++k) {
    uint place = (in[i + k] >> 3) & 7;
    table[place].used++;
    table[k & 7].sum += table[place].key * table[place].next;
    if (table[place].used > 2)
      table[(k + 1) & 7].tag ^= table[place].used;
    table[k & 7].key = rotate(table[k & 7].key, 5u);
  }
  for (uint k = 0; k < 8; ++k)
    out[8 * i + k] = table[k].sum ^ ((ulong)table[k].key << 24) ^ ((ulong)table[k].tag << 8) ^ table[k].used;
}
