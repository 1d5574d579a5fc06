// RUN: %heddlec %s --stage=vectorize --width=8 | FileCheck %s
// Bytes of an array of words: the words lie lane by lane, and bytes are parts of them.
kernel void hash(global uint* a, global const uchar* in, uint n) {
  size_t i = get_global_id(0);
  uint w[16];
  for (uint k = 0; k < 16; ++k)
    w[k] = a[k] + i;
  uchar* bytes = (uchar*)w;
  bytes[n & 63] = in[i];
  bytes[in[i] & 63] = 0x80;
  a[i] = w[n & 15] + bytes[(n + 1) & 63];
}
// CHECK-LABEL: define internal void @hash.whole(
// CHECK: %w = alloca [512 x i8]
// CHECK: store <8 x i32> %{{.*}}, ptr %
// The same byte of all lanes: their words are changed.
// CHECK: [[WORDS:%.*]] = load <8 x i32>, ptr [[PLACE:%.*]], align 4
// CHECK: [[KEPT:%.*]] = and <8 x i32> [[WORDS]],
// CHECK: [[CHANGED:%.*]] = or <8 x i32> [[KEPT]],
// CHECK: store <8 x i32> [[CHANGED]], ptr [[PLACE]], align 4
// One in each lane.
// CHECK-COUNT-8: store i8 -128,
// CHECK: load <8 x i32>
// CHECK: [[BYTES:%.*]] = lshr <8 x i32>
// CHECK: trunc <8 x i32> [[BYTES]] to <8 x i8>
