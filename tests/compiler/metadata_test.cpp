// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The metadata of kernels (interface/metadata.h).
#include "tests/compiler/kernel_runner.h"

#include <CL/cl.h>
#include <gtest/gtest.h>

namespace heddle::test {
namespace {

const KernelMetadata& only_kernel(const Built& built) {
  EXPECT_TRUE(built.ok()) << built.log;
  static const KernelMetadata none;
  return built.metadata.kernels.size() == 1 ? built.metadata.kernels[0] : none;
}

TEST(Metadata, Arguments) {
  const auto built = build({R"(typedef struct { int a[3]; } S; typedef float real;
  kernel void k(global const float* restrict a, constant uint* b, local double4* c, char3 d,
                unsigned int e, S f, volatile global real* g, size_t2 h) {})",
                            {"-Dsize_t2=ulong2"}});
  const auto& kernel = only_kernel(built);
  ASSERT_EQ(kernel.arguments.size(), 8U);
  struct Expected {
    ArgumentKind kind;
    std::uint32_t size, alignment, address;
    std::uint64_t qualifiers;
    const char* type;
    const char* name;
  };
  const Expected expected[] = {
      {ArgumentKind::global_pointer, 8, 8, CL_KERNEL_ARG_ADDRESS_GLOBAL,
       CL_KERNEL_ARG_TYPE_CONST | CL_KERNEL_ARG_TYPE_RESTRICT, "float*", "a"},
      {ArgumentKind::constant_pointer, 8, 8, CL_KERNEL_ARG_ADDRESS_CONSTANT,
       CL_KERNEL_ARG_TYPE_CONST, "uint*", "b"},
      {ArgumentKind::local_pointer, 8, 32, CL_KERNEL_ARG_ADDRESS_LOCAL, 0, "double4*", "c"},
      {ArgumentKind::value, 4, 4, CL_KERNEL_ARG_ADDRESS_PRIVATE, 0, "char3", "d"},
      {ArgumentKind::value, 4, 4, CL_KERNEL_ARG_ADDRESS_PRIVATE, 0, "uint", "e"},
      {ArgumentKind::value, 12, 4, CL_KERNEL_ARG_ADDRESS_PRIVATE, 0, "S", "f"},
      {ArgumentKind::global_pointer, 8, 8, CL_KERNEL_ARG_ADDRESS_GLOBAL,
       CL_KERNEL_ARG_TYPE_VOLATILE, "real*", "g"},
      {ArgumentKind::value, 16, 16, CL_KERNEL_ARG_ADDRESS_PRIVATE, 0, "ulong2", "h"},
  };
  for (std::size_t i = 0; i < 8; ++i) {
    const auto& argument = kernel.arguments[i];
    EXPECT_EQ(argument.kind, expected[i].kind) << i;
    EXPECT_EQ(argument.size, expected[i].size) << i;
    EXPECT_EQ(argument.alignment, expected[i].alignment) << i;
    EXPECT_EQ(argument.address_qualifier, expected[i].address) << i;
    EXPECT_EQ(argument.access_qualifier, static_cast<std::uint32_t>(CL_KERNEL_ARG_ACCESS_NONE));
    EXPECT_EQ(argument.type_qualifier, expected[i].qualifiers) << i;
    EXPECT_EQ(argument.type_name, expected[i].type) << i;
    EXPECT_EQ(argument.name, expected[i].name) << i;
    if (argument.kind != ArgumentKind::local_pointer) {
      EXPECT_EQ(argument.offset % argument.alignment, 0U) << i;
    }
  }
  EXPECT_GE(kernel.packed_bytes, 8U + 8 + 8 + 4 + 4 + 12 + 8 + 16);
}

TEST(Metadata, Attributes) {
  const auto built = build({R"(kernel __attribute__((vec_type_hint(uint4)))
    __attribute__((work_group_size_hint(4, 2, 1))) __attribute__((reqd_work_group_size(8, 4, 1)))
    void k() {})"});
  const auto& kernel = only_kernel(built);
  EXPECT_EQ(kernel.attributes,
            "vec_type_hint(uint4) work_group_size_hint(4,2,1) reqd_work_group_size(8,4,1)");
  EXPECT_EQ(kernel.required_group_size, (std::array<std::uint64_t, 3>{8, 4, 1}));
  EXPECT_FALSE(kernel.has_barrier);
}

TEST(Metadata, LocalBytesAreThoseOfTheKernelsOwnVariables) {
  const auto built = build({R"(
    kernel void a(global int* g) { local int x[100]; x[get_local_id(0)] = 1; barrier(1); g[0] = x[5]; }
    kernel void b(global int* g) { local double y[4]; local char c; y[0] = 1; c = 1; barrier(1); g[0] = y[1] + c; }
    kernel void c(global int* g) {})"});
  ASSERT_TRUE(built.ok()) << built.log;
  EXPECT_EQ(built.metadata.kernels[0].local_bytes, 400U);
  EXPECT_GE(built.metadata.kernels[1].local_bytes, 33U);
  EXPECT_LE(built.metadata.kernels[1].local_bytes, 40U);
  EXPECT_EQ(built.metadata.kernels[2].local_bytes, 0U);
}

// The kernels that construct and destroy objects at program scope are none of the program's.
TEST(Metadata, GlobalObjects) {
  const struct {
    const char* source;
    bool has_initializer, has_finalizer;
  } cases[] = {
      {"int x = 3;", false, false},
      {"int x = get_global_size(0);", true, false},
      {"struct A { constexpr A() {} ~A() {} }; A a;", true, true},
      {"struct A { int x; A() : x(1) {} ~A() {} }; int f() { static A a; return a.x; }", false,
       true},
  };
  for (const auto& [source, has_initializer, has_finalizer] : cases) {
    BuildInput input{source + std::string(" kernel void k() {}"), {"-cl-std=CLC++2021"}};
    input.goal = HEDDLE_GOAL_PROGRAM;
    const auto built = build(input);
    EXPECT_EQ(only_kernel(built).name, "k") << source;
    EXPECT_EQ(built.metadata.has_initializer, has_initializer) << source;
    EXPECT_EQ(built.metadata.has_finalizer, has_finalizer) << source;
    const bool has_guard = has_finalizer && !has_initializer;
    EXPECT_EQ(built.metadata.static_guards.size(), has_guard ? 1u : 0u) << source;
    const auto copy = deserialize(serialize(built.metadata));
    ASSERT_TRUE(copy) << source;
    EXPECT_EQ(copy->has_initializer, has_initializer) << source;
    EXPECT_EQ(copy->has_finalizer, has_finalizer) << source;
    EXPECT_EQ(copy->static_guards, built.metadata.static_guards) << source;
  }
}

std::uint64_t hash_of_k(const std::string& source) {
  BuildInput input{source, {"-g"}};
  input.goal = HEDDLE_GOAL_PROGRAM;
  const auto built = build(input);
  const auto copy = deserialize(serialize(built.metadata));
  for (const auto& kernel : copy.value().kernels)
    if (kernel.name == "k")
      return kernel.code_hash;
  return 0;
}

// It depends on the kernel and what it calls, not on what else the program has.
TEST(Metadata, CodeHash) {
  const std::string half = "float half_of(float x) { return x / 2; }";
  const std::string k = "kernel void k(global float* x) { x[get_global_id(0)] = half_of(x[1]); }";
  const auto hash = hash_of_k(half + k);
  EXPECT_NE(hash, 0U);
  EXPECT_EQ(hash_of_k(half + "\n\nkernel void other(global int* x) { *x = get_local_id(1); }" + k),
            hash);
  EXPECT_NE(hash_of_k("float half_of(float x) { return x / 3; }" + k), hash);
  EXPECT_NE(hash_of_k(half + "\n#define get_global_id get_local_id\n" + k), hash);
}

// Whether `statement`, of float arrays a and b of n columns, is clearly faster with lanes along x.
bool prefers_first_dimension(const std::string& statement) {
  const auto built = build({"kernel void k(global float* a, global const float* b, int n) {"
                            "  int x = get_global_id(0), y = get_global_id(1); float s = 0;" +
                                statement + "}",
                            {}});
  return only_kernel(built).prefers_first_dimension;
}

TEST(Metadata, FirstDimension) {
  EXPECT_TRUE(prefers_first_dimension("a[n * y + x] = b[n * y + x + 1] + b[n * (y + 1) + x];"));
  EXPECT_TRUE(
      prefers_first_dimension("for (int i = 0; i < n; ++i) s += b[n * y + i] * b[n * i + x];"
                              "a[n * y + x] = s;"));
  EXPECT_FALSE(prefers_first_dimension("a[n * x + y] = b[n * x + y];"));
  EXPECT_FALSE(prefers_first_dimension("a[n * y + x] = b[n * x + y];"));
  EXPECT_FALSE(
      prefers_first_dimension("for (int i = 0; i < n; ++i) s += b[n * y + i] * b[n * x + i];"
                              "a[n * y + x] = s;"));
  EXPECT_FALSE(prefers_first_dimension("a[x] = b[x];"));
}

// Of a kernel that sums in a loop over i.
bool reuses_columns(const std::string& term) {
  const auto built = build({"kernel void f(global float* c, global const float* a, global const "
                            "float* b, global const int* p, int n) {"
                            "  int x = get_global_id(0), y = get_global_id(1);"
                            "  float s = 0; for (int i = 0; i < n; ++i) s += " +
                                term + "; c[y * n + x] = s; }",
                            {}});
  return only_kernel(built).reuses_columns;
}

TEST(Metadata, ReusesColumns) {
  EXPECT_TRUE(reuses_columns("a[i * n + x] * b[y * n + i]"));
  EXPECT_TRUE(reuses_columns("fabs(a[x * n + i] - a[y * n + i])"));
  // Each work-item reads others.
  EXPECT_FALSE(reuses_columns("a[y * n + x + i] * b[i]"));
  // All columns read the same.
  EXPECT_FALSE(reuses_columns("a[y * n + i] * b[i]"));
  // Groups may wait for others.
  EXPECT_FALSE(reuses_columns("a[i * n + x] * b[y * n + i] + atomic_inc((global int*)c)"));
  // Where is not known.
  EXPECT_FALSE(reuses_columns("a[p[x] + i] * b[y * n + i]"));
}

} // namespace
} // namespace heddle::test
