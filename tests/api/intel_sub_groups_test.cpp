// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_intel_subgroups with _char, _short and _long, and cl_intel_required_subgroup_size.
#include "tests/api/api_test.h"

#include <algorithm>
#include <functional>

namespace heddle::test {
namespace {

constexpr size_t kItems = 128;
const Range kRange = {{kItems}, {64}, {}};

template <class T>
std::vector<T> numbers(size_t first) {
  std::vector<T> made(kItems * 16);
  for (size_t i = 0; i < made.size(); ++i)
    made[i] = static_cast<T>(first + i);
  return made;
}

// r(i) of a kernel of sub-groups of `lanes` work-items that sets `r` from a and b, its work-item's
// elements.
template <class T>
std::vector<T> evaluate(const std::string& type, size_t lanes, const std::string& body,
                        const std::vector<T>& a, const std::vector<T>& b) {
  return compute<T>("__attribute__((intel_reqd_sub_group_size(" + std::to_string(lanes) +
                        "))) kernel void k(global " + type + "* out, global const " + type +
                        "* as, global const " + type +
                        "* bs) { size_t i = get_global_id(0); uint lane = get_sub_group_local_id();"
                        " " +
                        type + " a = as[i], b = bs[i], r = 0;" + body + " out[i] = r; }",
                    "-cl-std=CL3.0", kRange, kItems, a, b);
}

template <class T>
std::vector<T> expect_of(const std::function<T(size_t)>& function) {
  std::vector<T> made(kItems);
  for (size_t i = 0; i < kItems; ++i)
    made[i] = function(i);
  return made;
}

const char* name_of(cl_char) { return "char"; }
const char* name_of(cl_uchar) { return "uchar"; }
const char* name_of(cl_short) { return "short"; }
const char* name_of(cl_ushort) { return "ushort"; }
const char* name_of(cl_int) { return "int"; }
const char* name_of(cl_uint) { return "uint"; }
const char* name_of(cl_long) { return "long"; }
const char* name_of(cl_ulong) { return "ulong"; }
const char* name_of(cl_float) { return "float"; }
const char* name_of(cl_double) { return "double"; }

template <class T>
class IntelShuffles : public testing::Test {};
using Types = testing::Types<cl_char, cl_uchar, cl_short, cl_ushort, cl_int, cl_uint, cl_long,
                             cl_ulong, cl_float, cl_double>;
TYPED_TEST_SUITE(IntelShuffles, Types);

TYPED_TEST(IntelShuffles, BetweenLanes) {
  using T = TypeParam;
  const std::string type = name_of(T());
  const auto a = numbers<T>(1), b = numbers<T>(100);
  for (const size_t lanes : {4, 8, 16, 32}) {
    const auto base = [&](size_t i) { return i / lanes * lanes; };
    EXPECT_EQ(evaluate<T>(type, lanes, "r = intel_sub_group_shuffle(a, (lane * 3) % 4);", a, b),
              expect_of<T>([&](size_t i) { return a[base(i) + i % lanes * 3 % 4]; }));
    EXPECT_EQ(evaluate<T>(type, lanes, "r = intel_sub_group_shuffle_xor(a, 3);", a, b),
              expect_of<T>([&](size_t i) { return a[i ^ 3]; }));
    EXPECT_EQ(evaluate<T>(type, lanes, "r = intel_sub_group_shuffle_down(a, b, 3);", a, b),
              expect_of<T>(
                  [&](size_t i) { return i % lanes + 3 < lanes ? a[i + 3] : b[i + 3 - lanes]; }));
    EXPECT_EQ(evaluate<T>(type, lanes, "r = intel_sub_group_shuffle_up(a, b, 3);", a, b),
              expect_of<T>([&](size_t i) { return i % lanes >= 3 ? b[i - 3] : a[i + lanes - 3]; }));
  }
}

TEST(IntelShuffles, OfVectors) {
  const auto a = numbers<cl_float>(1), b = numbers<cl_float>(100);
  EXPECT_EQ(evaluate<cl_float>("float", 16,
                               "float4 v = intel_sub_group_shuffle((float4)(a, b, a + b, 1), 5);"
                               "r = v.x + 2 * v.y + 4 * v.z + v.w;",
                               a, b),
            expect_of<cl_float>([&](size_t i) {
              const auto from = i / 16 * 16 + 5;
              return a[from] + 2 * b[from] + 4 * (a[from] + b[from]) + 1;
            }));
}

template <class T>
void narrow_functions() {
  const std::string type = name_of(T());
  const auto a = numbers<T>(1);
  EXPECT_EQ(evaluate<T>(type, 16,
                        type + " before = intel_sub_group_scan_exclusive_min(a);"
                               "r = intel_sub_group_broadcast(a, 2) + intel_sub_group_reduce_max(a)"
                               "  + intel_sub_group_scan_inclusive_add(a)"
                               "  - intel_sub_group_scan_exclusive_add(a)"
                               "  + (lane != 0 ? before : 0);",
                        a, a),
            expect_of<T>([&](size_t i) {
              const auto base = i / 16 * 16;
              const auto largest = *std::max_element(a.begin() + base, a.begin() + base + 16);
              const auto before =
                  i == base ? T(0) : *std::min_element(a.begin() + base, a.begin() + i);
              return static_cast<T>(a[base + 2] + largest + a[i] + before);
            }));
}
TEST(IntelNarrowFunctions, OfChar) { narrow_functions<cl_char>(); }
TEST(IntelNarrowFunctions, OfUchar) { narrow_functions<cl_uchar>(); }
TEST(IntelNarrowFunctions, OfShort) { narrow_functions<cl_short>(); }
TEST(IntelNarrowFunctions, OfUshort) { narrow_functions<cl_ushort>(); }

// Each sub-group copies a block of `count` elements for each work-item.
template <class T>
void blocks(const std::string& suffix, size_t count) {
  const std::string type = name_of(T());
  const std::string n = count == 1 ? "" : std::to_string(count);
  const auto a = numbers<T>(7);
  for (const size_t lanes : {4, 8, 16, 32}) {
    const auto out = compute<T>(
        "__attribute__((intel_reqd_sub_group_size(" + std::to_string(lanes) +
            "))) kernel void k(global " + type + "* out, global const " + type + "* a) {" +
            "  uint first = (get_group_id(0) * get_num_sub_groups() + get_sub_group_id()) *" +
            "    get_max_sub_group_size() * " + std::to_string(count) + ";" + "  " + type + n +
            " v = intel_sub_group_block_read" + suffix + n + "(a + first);" +
            "  intel_sub_group_block_write" + suffix + n + "(out + first, v + (" + type +
            ")get_sub_group_local_id()); }",
        "-cl-std=CL3.0", kRange, kItems * count, a);
    std::vector<T> expected(kItems * count);
    for (size_t i = 0; i < expected.size(); ++i)
      expected[i] = static_cast<T>(a[i] + static_cast<T>(i % lanes));
    EXPECT_EQ(out, expected) << type << suffix << n << ' ' << lanes;
  }
}
TEST(IntelBlocks, OfInts) {
  for (const size_t count : {1, 2, 4, 8}) {
    blocks<cl_uint>("", count);
    blocks<cl_uint>("_ui", count);
  }
}
TEST(IntelBlocks, OfLongs) {
  for (const size_t count : {1, 2, 4, 8})
    blocks<cl_ulong>("_ul", count);
}
TEST(IntelBlocks, OfShorts) {
  for (const size_t count : {1, 2, 4, 8, 16})
    blocks<cl_ushort>("_us", count);
}
TEST(IntelBlocks, OfChars) {
  for (const size_t count : {1, 2, 4, 8, 16})
    blocks<cl_uchar>("_uc", count);
}

// Each sub-group copies a block to local memory, and from there the block of the next one.
template <class T>
void local_blocks(const std::string& suffix, size_t count) {
  const std::string type = name_of(T());
  const std::string n = count == 1 ? "" : std::to_string(count);
  const auto a = numbers<T>(7);
  for (const size_t lanes : {4, 8, 16, 32}) {
    const auto out = compute<T>(
        "#ifdef cl_intel_subgroup_local_block_io\n"
        "__attribute__((intel_reqd_sub_group_size(" +
            std::to_string(lanes) + "))) kernel void k(global " + type + "* out, global const " +
            type + "* a) {  local " + type + " l[64 * " + std::to_string(count) + "];" +
            "  uint size = get_max_sub_group_size() * " + std::to_string(count) + ";" +
            "  uint first = get_sub_group_id() * size;" +
            "  uint other = (get_sub_group_id() + 1) % get_num_sub_groups() * size;" +
            "  uint group = get_group_id(0) * get_num_sub_groups() * size;" +
            "  intel_sub_group_block_write" + suffix + n + "(l + first," +
            "    intel_sub_group_block_read" + suffix + n + "(a + group + first));" +
            "  barrier(CLK_LOCAL_MEM_FENCE); " + "  intel_sub_group_block_write" + suffix + n +
            "(out + group + first," + "    intel_sub_group_block_read" + suffix + n +
            "(l + other) + (" + type + ")get_sub_group_local_id() + l[0]); }\n#endif",
        "-cl-std=CL3.0", kRange, kItems * count, a);
    std::vector<T> expected(kItems * count);
    const size_t of_group = 64 * count;
    for (size_t i = 0; i < expected.size(); ++i) {
      const auto group = i / of_group * of_group;
      const auto from = group + (i - group + lanes * count) % of_group;
      expected[i] = static_cast<T>(a[from] + static_cast<T>(i % lanes) + a[group]);
    }
    EXPECT_EQ(out, expected) << type << suffix << n << ' ' << lanes;
  }
}
TEST(IntelBlocks, OfLocalMemory) {
  local_blocks<cl_uint>("", 1);
  local_blocks<cl_uint>("_ui", 4);
  local_blocks<cl_uint>("", 8);
  local_blocks<cl_ulong>("_ul", 2);
  local_blocks<cl_ushort>("_us", 16);
  local_blocks<cl_uchar>("_uc", 1);
  local_blocks<cl_uchar>("_uc", 16);
}

// A name that only an included header has is declared too.
TEST(IntelSubGroups, FromAHeader) {
  const auto context = make_context();
  const auto header =
      make_program(context, "int twice(int x) { return intel_sub_group_shuffle(x, 0) * 2; }");
  const auto program =
      make_program(context, "#include \"h.h\"\nkernel void k(global int* a) { *a = twice(*a); }");
  const cl_program headers[] = {header};
  const char* names[] = {"h.h"};
  EXPECT_EQ(clCompileProgram(program, 0, nullptr, "", 1, headers, names, nullptr, nullptr),
            CL_SUCCESS)
      << build_log(program);
}

TEST(RequiredSubGroupSize, IsUsedAndReported) {
  size_t bytes = 0;
  check(clGetDeviceInfo(device(), 0x4108, 0, nullptr, &bytes), "CL_DEVICE_SUB_GROUP_SIZES_INTEL");
  std::vector<size_t> sizes(bytes / sizeof(size_t));
  check(clGetDeviceInfo(device(), 0x4108, bytes, sizes.data(), nullptr), "sub-group sizes");
  EXPECT_EQ(sizes, (std::vector<size_t>{4, 8, 16, 32, 64}));
  const auto context = make_context();
  const auto queue = make_queue(context);
  using Query = cl_int(CL_API_CALL*)(cl_kernel, cl_device_id, cl_kernel_sub_group_info, size_t,
                                     const void*, size_t, void*, size_t*);
  const auto khr = reinterpret_cast<Query>(
      clGetExtensionFunctionAddressForPlatform(platform(), "clGetKernelSubGroupInfoKHR"));
  ASSERT_NE(khr, nullptr);
  for (const size_t size : sizes) {
    const auto program =
        build(context,
              "__attribute__((intel_reqd_sub_group_size(" + std::to_string(size) +
                  "))) kernel void k(global uint* out) { *out = get_max_sub_group_size(); }"
                  "kernel void free(global uint* out) { *out = 1; }",
              "-cl-std=CL3.0");
    const auto kernel = make_kernel(program, "k");
    const auto out = make_buffer(context, 4);
    set_args(kernel, out);
    run(queue, kernel, {{128}, {128}, {}});
    EXPECT_EQ(read<cl_uint>(queue, out, 1)[0], size);
    size_t value = 99;
    check(clGetKernelSubGroupInfo(kernel, device(), 0x410A, 0, nullptr, sizeof value, &value,
                                  nullptr),
          "CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL");
    EXPECT_EQ(value, size);
    const size_t local = 128;
    check(khr(kernel, device(), CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, sizeof local, &local,
              sizeof value, &value, nullptr),
          "clGetKernelSubGroupInfoKHR");
    EXPECT_EQ(value, size);
    const auto other = make_kernel(program, "free");
    check(
        clGetKernelSubGroupInfo(other, device(), 0x410A, 0, nullptr, sizeof value, &value, nullptr),
        "CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL");
    EXPECT_EQ(value, 0u);
    cl_ulong spilled = ~cl_ulong{0};
    check(clGetKernelWorkGroupInfo(other, device(), 0x4109, sizeof spilled, &spilled, nullptr),
          "CL_KERNEL_SPILL_MEM_SIZE_INTEL");
    EXPECT_LT(spilled, 1024u); // what a spill would be in is counted too
  }
}

// What programs for graphics processors expect, whatever the data and the local size.
TEST(ExpectedSubGroupSize, IsThirtyTwo) {
  const auto context = make_context();
  const auto queue = make_queue(context);
  const auto program = build(
      context,
      "kernel void ints(global uint* out) { out[get_global_id(0)] = get_max_sub_group_size(); }"
      "kernel void longs(global uint* out) { long v = out[get_global_id(0)] + 1;"
      "  v = sub_group_reduce_add(v * v % 7); out[get_global_id(0)] ="
      "  v < 0 ? 0 : get_max_sub_group_size(); }"
      "kernel void rows(global uint* out) { barrier(CLK_LOCAL_MEM_FENCE);"
      "  out[get_global_linear_id()] = sub_group_broadcast(get_max_sub_group_size(), 0); }",
      "-cl-std=CL3.0");
  for (const auto& range :
       std::vector<Range>{{{128}, {128}, {}}, {{80}, {40}, {}}, {{16, 8}, {16, 8}, {}}})
    for (const char* name : {"ints", "longs", "rows"}) {
      if (range.global.size() != 1 && name != std::string("rows"))
        continue;
      const auto kernel = make_kernel(program, name);
      const auto n = range.global.size() == 1 ? range.global[0] : range.global[0] * range.global[1];
      const auto out = make_buffer(context, n * 4);
      set_args(kernel, out);
      run(queue, kernel, range);
      EXPECT_EQ(read<cl_uint>(queue, out, n), std::vector<cl_uint>(n, 32)) << name;
      size_t size = 0;
      check(clGetKernelSubGroupInfo(kernel, device(), CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE,
                                    range.local.size() * sizeof(size_t), range.local.data(),
                                    sizeof size, &size, nullptr),
            "CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE");
      EXPECT_EQ(size, 32U) << name;
    }
}

TEST(RequiredSubGroupSize, OthersFailTheBuild) {
  const auto context = make_context();
  for (const char* size : {"3", "20", "128"}) {
    const auto program =
        make_program(context, std::string("__attribute__((intel_reqd_sub_group_size(") + size +
                                  "))) kernel void k(global int* out) { *out = 1; }");
    EXPECT_EQ(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr), CL_BUILD_PROGRAM_FAILURE);
    EXPECT_NE(build_log(program).find("sub-groups of"), std::string::npos) << build_log(program);
  }
}

TEST(RequiredSubGroupSize, IsKeptWithoutOptimizations) {
  for (const char* options : {"-cl-std=CL3.0 -cl-opt-disable", "-cl-std=CL3.0 -cl-opt-disable -g"})
    EXPECT_EQ(
        compute<cl_uint>("__attribute__((noinline)) uint twice(uint a) { return a * 2; }"
                         "__attribute__((intel_reqd_sub_group_size(8)))"
                         "kernel void k(global uint* out) { size_t i = get_global_id(0);"
                         "  out[i] = sub_group_reduce_add(twice(get_sub_group_local_id())); }",
                         options, kRange, kItems),
        std::vector<cl_uint>(kItems, 56))
        << options;
}

} // namespace
} // namespace heddle::test
