// RUN: %heddlec %s --stage=frontend -- -cl-std=CLC++ | FileCheck %s
// RUN: %heddlec %s --stage=frontend -- -cl-std=CLC++2021 | FileCheck %s
// RUN: %heddlec %s --stage=lower -- -cl-std=CLC++2021 | FileCheck %s --check-prefix=LOWER
// Clang's lists of constructors become valid IR, its kernel of a translation unit a function, and destructors get the
// object that they are for.

// CHECK: @llvm.global_ctors = appending global [2 x { i32, ptr, ptr }]
// CHECK-SAME: ptr @__cxx_global_var_init{{[.0-9]*}}, ptr addrspacecast (ptr addrspace(1) @_ZN6HolderIiE4heldE to ptr) }
// CHECK-SAME: ptr @_GLOBAL__sub_I_{{.*}}, ptr null }
// CHECK-DAG: define internal spir_func void @_GLOBAL__sub_I_{{.*}}

struct InGeneric {
  int x;
  InGeneric(int x) : x(x) {}
  ~InGeneric() { x = 0; }
};
struct InGlobal {
  int x;
  InGlobal(int x) __global : x(x) {}
  ~InGlobal() __global { x = 0; }
};

// CHECK-DAG: call spir_func void @_ZNU3AS49InGenericD1Ev(ptr addrspace(4) addrspacecast (ptr addrspace(1) @single to ptr addrspace(4)))
InGeneric single(1);

// CHECK-DAG: call spir_func void @_ZNU3AS18InGlobalD1Ev(ptr addrspace(1) @_ZL9in_global)
static __global InGlobal in_global(2);

// CHECK-DAG: call spir_func void @__cxx_global_array_dtor(ptr addrspace(4) null)
InGeneric list[2] = {3, 4};

template <class T> struct Holder { static InGeneric held; };
// CHECK-DAG: call spir_func void @_ZNU3AS49InGenericD1Ev(ptr addrspace(4) addrspacecast (ptr addrspace(1) @_ZN6HolderIiE4heldE to ptr addrspace(4)))
template <class T> InGeneric Holder<T>::held(5);

kernel void k(global int* out) {
  // CHECK-DAG: call spir_func void @_ZNU3AS49InGenericD1Ev(ptr addrspace(4) addrspacecast (ptr addrspace(1) @_ZZ1kE8in_block to ptr addrspace(4)))
  static InGeneric in_block(6);
  out[0] = single.x + in_global.x + list[1].x + Holder<int>::held.x + in_block.x;
}

// LOWER-NOT: @llvm.global_ctors
// LOWER-DAG: define {{.*}} @heddle.initialize.body(
// LOWER-DAG: define {{.*}} @heddle.finalize.body(
// LOWER-DAG: define {{.*}} @k.body(
