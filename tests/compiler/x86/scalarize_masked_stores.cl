// RUN: %heddlec %s --stage=optimize --width=2 --cpu=x86-64-v4 | FileCheck %s
// The rest of a sub-group of two is one work-item: its masked store becomes one of its element.
kernel void narrow(global uchar* to, global const ulong* in) {
  size_t i = get_global_id(0);
  to[i] = in[i] * 3;
}
// CHECK-LABEL: define internal void @narrow(
// CHECK: store <2 x i8>
// CHECK: store i8
// CHECK-NOT: call void @llvm.masked.store
// CHECK: {{^}}}
