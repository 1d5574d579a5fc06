// RUN: %heddlec %s --check=uninitialized --stage=inline -- -cl-std=CL3.0 | FileCheck %s
// RUN: %heddlec %s --check=uninitialized --stage=simplify -- -cl-std=CL3.0 | FileCheck %s --check-prefix=KNOWN
// RUN: %heddlec %s --check=uninitialized --width=8 --stage=vectorize -- -cl-std=CL3.0 | FileCheck %s --check-prefix=LOWERED
// RUN: %heddlec %s --check=uninitialized --width=8 -- -cl-std=CL3.0
// RUN: %heddlec %s --check=uninitialized --width=8 -- -cl-std=CL3.0 -cl-opt-disable
// RUN: %heddlec %s --check=buffers --stage=inline -- -cl-std=CL3.0 | FileCheck %s --check-prefix=BUFFERS
// RUN: %heddlec %s --check=buffers --check=race --width=8 -- -cl-std=CL3.0
// RUN: %heddlec %s --check=uninitialized --check=memory --check=division --width=8 -- -cl-std=CL3.0
// Shadows of values say where these depend on memory that was never written: of private variables in variables beside
// them, of local memory behind it. What decides a branch, an address, a divisor or global memory is checked.
// The numbers of uses: 0 branch, 1 address of a load, 2 of a store, 3 stored value, 4 divisor.

// Optimizations see that these are written, or decide nothing.
// KNOWN-LABEL: define {{.*}}@written.body(
// KNOWN-NOT: check_initialized(i1 {{%|true}}
// KNOWN: ret void
kernel void written(global int* out, int n) {
  int x, a[8], unused;
  if (n > 3) x = 1; else x = 2;
  for (int i = 0; i < 8; ++i)
    a[i] = x + i;
  float4 v;
  v.xyz = (float3)(1, 2, n);
  int y = unused + 1;
  short bits;
  bits = (bits & 0xff00) | 7;
  if ((bits & 15) == 7)
    out[x] = a[3] / (x + 1);
  out[1] = v.y + sin(v).z + (n > 99 ? y & 0 : 1);
}

// KNOWN-LABEL: define {{.*}}@branches.body(
// KNOWN: call void @heddle.check_initialized(i1 %{{.*}}, i32 0, ptr {{.*}}, ptr {{.*}})
// KNOWN: ret void
// LOWERED-LABEL: define {{.*}}@branches.whole(
// LOWERED: br i1 {{%.*}}, label {{%.*}}, label {{%.*}}, !prof
kernel void branches(global int* out, int n) {
  int x;
  if (n > 3)
    x = out[1];
  if (x > 5)
    out[0] = 1;
}

// The shadow of an element is that of the array's shadow at the same index.
// CHECK-LABEL: define {{.*}}@arrays.body(
// CHECK: %a.shadow = alloca [8 x float]
// CHECK: %a = alloca [8 x float]
// CHECK: call void @llvm.memset{{.*}}(ptr {{.*}}%a.shadow, i8 -1, i64 32,
// CHECK: store i32 0, ptr %arrayidx.shadow
// CHECK: %[[element:.*]] = load i32, ptr %arrayidx{{.*}}.shadow
// CHECK: %[[bad:.*]] = icmp ne i32 %[[element]], 0
// CHECK: call void @heddle.check_initialized(i1 %[[bad]], i32 3, ptr {{.*}}, ptr {{.*}})
kernel void arrays(global float* out, int n) {
  float a[8];
  for (int i = 0; i < n; ++i)
    a[i] = i;
  out[n] = a[n & 3];
}

// CHECK-LABEL: define {{.*}}@locals.body(
// CHECK: %[[tile:.*]] = call ptr addrspace(3) @heddle.shadow.local.p3(ptr addrspace(3) %arrayidx{{.*}})
// CHECK: store i32 0, ptr addrspace(3) %[[tile]]
// CHECK: %[[shadow:.*]] = call ptr addrspace(3) @heddle.shadow.local.p3(
// CHECK: %[[bits:.*]] = load i32, ptr addrspace(3) %[[shadow]]
// CHECK: call void @heddle.check_initialized(i1 {{%.*}}, i32 1, ptr {{.*}}, ptr {{.*}})
// LOWERED-LABEL: define {{.*}}@locals.whole
// LOWERED-NOT: heddle.shadow.
// LOWERED: getelementptr {{.*}}i64 264320
// Of buffers only where they may have one.
// CHECK-NOT: heddle.shadow.buffer
// BUFFERS-LABEL: define {{.*}}@locals.body(
// BUFFERS: %[[distance:.*]] = sub i64 %{{.*}}, 105553116266496
// BUFFERS: %[[is_new:.*]] = icmp ult i64 %[[distance]], 1099511627776
// BUFFERS: %[[buffer:.*]] = call ptr addrspace(1) @heddle.shadow.buffer.p1(ptr addrspace(1) %out)
// BUFFERS: br i1 %[[is_new]]
// BUFFERS: load i32, ptr addrspace(1) %[[buffer]]
kernel void locals(global int* out, local int* given) {
  local int tile[64];
  tile[get_local_id(0)] = out[0];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[1] = out[given[tile[1]]];
}

// CHECK-LABEL: define {{.*}}@divisions.body(
// CHECK: call void @heddle.check_initialized(i1 {{.*}}, i32 4,
kernel void divisions(global int* out, int n) {
  int x;
  if (n > 3)
    x = n;
  out[0] = n / x;
}

// Of copies the members are looked at, not the padding between them.
// KNOWN-LABEL: define {{.*}}@structures.body(
// KNOWN-NOT: check_initialized(i1 {{%|true}}
// KNOWN: call void @heddle.check_initialized(i1 true, i32 3,
// KNOWN-NOT: check_initialized(i1 {{%|true}}
// KNOWN: ret void
typedef struct { char a; int b; } Pair;
kernel void structures(global Pair* out) {
  Pair whole, part;
  whole.a = 1;
  whole.b = 2;
  part.a = 3;
  out[0] = whole;
  out[1] = part;
}

// An async copy writes its destination.
// CHECK-LABEL: define {{.*}}@copies.body(
// CHECK: call void @llvm.memset.p4{{.*}}, i8 0, i64 64, i1 false)
// CHECK: call void @__heddle_call_once_copy_bytes(
kernel void copies(global int* out, local int* tile) {
  event_t done = async_work_group_copy(tile, out, 16, 0);
  wait_group_events(1, &done);
  out[0] = tile[1];
}

// Functions that are not inlined take and return shadows.
// CHECK-LABEL: define {{.*}}@called.body(
// CHECK: %[[BOTH:[0-9]+]] = call { i32, i32 } @same(i32 %n, i32 {{.*}}, i32 0, i32 %[[SHADOW:.*]], ptr %group,
// CHECK: extractvalue { i32, i32 } %[[BOTH]], 1
// CHECK: call void @heddle.check_initialized(i1 %{{.*}}, i32 3,
// CHECK-LABEL: define internal { i32, i32 } @same(i32 %k, i32 %x, i32 %k.shadow, i32 %x.shadow, ptr {{.*}}%group,
// CHECK: ret { i32, i32 }
int same(int k, int x) { return k > 0 ? same(k - 1, x) : x; }
kernel void called(global int* out, int n) {
  int x;
  if (n > 3) x = 1;
  out[n] = same(n, x);
}
