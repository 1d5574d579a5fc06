// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HEDDLE_CHECK=memory and variables: accesses outside of a local, private, program-scope or
// constant variable fail the command; the message has the line, the bytes and the variable. What
// stays inside passes, and so do variables that share a size.
#include "tests/api/checked_kernels.h"

#include <algorithm>
#include <cstdlib>

namespace heddle::test {
namespace {

// Before the driver reads it.
[[maybe_unused]] const int kChecksAreSet = setenv("HEDDLE_CHECK", "memory", 1);

const char* const kSource = R"(
  constant int table[4] = {1, 2, 3, 4};
  global int counters[8];
  global int others[8] = {1};
  typedef struct { int a[4]; int b; } Record;
  kernel void local_stores(global int* data, int n) {
    local int tile[16];
    local int other[16];
    int l = get_local_id(0);
    other[l] = l;
    tile[l + n] = data[l]; // local_stores
    barrier(CLK_LOCAL_MEM_FENCE);
    data[get_global_id(0)] = tile[15 - l] + other[15 - l];
  }
  kernel void local_loads(global int* data, int n) {
    local int other[16];
    local int tile[4][4];
    int l = get_local_id(0);
    tile[l / 4][l % 4] = l;
    other[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    int sum = other[l ^ 1];
    for (int i = 0; i < 4; ++i)
      sum += tile[i + n][l % 4]; // local_loads
    data[get_global_id(0)] = sum;
  }
  kernel void local_vectors(global int* data, int n) {
    local int tile[16];
    int l = get_local_id(0);
    tile[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    int4 v = vload4(0, tile + (l & 12) + n); // local_vectors
    data[get_global_id(0)] = v.x + v.w;
  }
  kernel void local_atomics(global int* data, int n) {
    local int bins[16];
    int l = get_local_id(0);
    bins[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&bins[(data[l] & 7) + n], 1); // local_atomics
    barrier(CLK_LOCAL_MEM_FENCE);
    data[get_global_id(0)] = bins[l];
  }
  kernel void private_stores(global int* data, int n) {
    int a[8];
    for (int i = 0; i < 8 + n; ++i)
      a[i] = data[i]; // private_stores
    data[get_global_id(0)] = a[data[0] & 7];
  }
  kernel void private_loads(global int* data, int n) {
    int a[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    int b[8] = {8, 7, 6, 5, 4, 3, 2, 1};
    int i = (data[get_global_id(0)] & 3) + 4;
    data[get_global_id(0)] = a[i + n] + b[i]; // private_loads
  }
  kernel void branches(global int* data, int n) {
    int a[8];
    for (int i = 0; i < 8; ++i)
      a[i] = i;
    if (get_local_id(0) == 5)
      a[(data[1] & 3) + 4 + n] = 1; // branches
    data[get_global_id(0)] = a[data[0] & 7];
  }
  kernel void unrolled(global int* data, int n) {
    int a[8];
    for (int i = 0; i < 8; ++i)
      a[i] = i * n;
    data[get_global_id(0)] = a[7] + a[n & 1];
  }
  kernel void one_too_far(global int* data, int n) {
    int a[8];
    for (int i = 0; i <= 8; ++i)
      a[i] = i * n; // one_too_far
    data[get_global_id(0)] = a[7] + a[n & 1];
  }
  kernel void records(global int* data, int n) {
    Record r[2];
    for (int i = 0; i < 4; ++i)
      r[0].a[i] = r[1].a[i] = i;
    r[1 + n].b = data[0]; // records
    data[get_global_id(0)] = r[data[1] & 1].a[2];
  }
  void fill(int* p, int n) {
    for (int i = 0; i < n; ++i)
      *p++ = i; // pointers
  }
  kernel void pointers(global int* data, int n) {
    int a[8];
    fill(a, 8 + n);
    data[get_global_id(0)] = a[data[0] & 7];
  }
  kernel void constants(global int* data, int n) {
    data[get_global_id(0)] = table[(get_global_id(0) & 3) + n]; // constants
  }
  kernel void counts(global int* data, int n) {
    counters[(get_global_id(0) & 7) + n] = 1; // counts
    data[get_global_id(0)] = counters[0] + others[7];
  }
)";

struct Case {
  const char* kernel;
  cl_int bad; // 0 is good
  const char* text;
};

const Case kCases[] = {
    {"local_stores", 1,
     "store at {} writes bytes 64 to 67 of the local variable 'tile', which has 64"},
    {"local_stores", -1,
     "store at {} writes bytes -4 to -1 of the local variable 'tile', which has 64"},
    {"local_loads", 1,
     "load at {} reads bytes 64 to 67 of the local variable 'tile', which has 64"},
    {"local_vectors", 1,
     "load at {} reads bytes 52 to 67 of the local variable 'tile', which has 64"},
    {"local_atomics", 16,
     "atomic operation at {} writes bytes 64 to 67 of the local variable 'bins', which has 64"},
    {"private_stores", 1,
     "store at {} writes bytes 32 to 35 of the private variable 'a', which has 32"},
    {"private_loads", 4,
     "load at {} reads bytes 32 to 35 of the private variable 'a', which has 32"},
    {"private_loads", -5,
     "load at {} reads bytes -4 to -1 of the private variable 'a', which has 32"},
    {"branches", 4, "store at {} writes bytes 32 to 35 of the private variable 'a', which has 32"},
    {"records", 1, "store at {} writes bytes 56 to 59 of the private variable 'r', which has 40"},
    {"pointers", 1, "store at {} writes bytes 32 to 35 of the private variable 'a', which has 32"},
    {"constants", 1,
     "load at {} reads bytes 16 to 19 of the constant variable 'table', which has 16"},
    {"counts", 1,
     "store at {} writes bytes 32 to 35 of the program-scope variable 'counters', which has 32"},
};

class MemoryChecksVariables : public CheckedKernels {
 protected:
  static std::string line_of(const std::string& comment) {
    const std::string source = kSource;
    const auto at = source.find("// " + comment);
    return ":" + std::to_string(std::count(source.begin(), source.begin() + long(at), '\n') + 1);
  }
  std::string outcome(const cl_program program, const char* name, cl_int n) {
    const std::vector<cl_int> zeros(64);
    const auto data = make_buffer(context_, zeros.size() * sizeof(cl_int), zeros.data());
    const auto kernel = make_kernel(program, name);
    set_args(kernel, data, n);
    return CheckedKernels::outcome(kernel, {{32}, {16}, {}});
  }
  void expect_all(const char* options) {
    const auto program = build(context_, kSource, options);
    for (const auto& one : kCases) {
      SCOPED_TRACE(std::string(one.kernel) + " " + std::to_string(one.bad));
      EXPECT_EQ(outcome(program, one.kernel, 0), "");
      const auto text = outcome(program, one.kernel, one.bad);
      const std::string wanted = one.text;
      const auto at = wanted.find(" {}");
      expect_in(text, "kernel '" + std::string(one.kernel) + "' failed at work-item");
      expect_in(text, wanted.substr(0, at));
      expect_in(text, line_of(one.kernel) + wanted.substr(at + 3));
    }
    EXPECT_EQ(outcome(program, "unrolled", 1), "");
    expect_in(outcome(program, "one_too_far", 1),
              line_of("one_too_far") +
                  " writes bytes 32 to 35 of the private variable 'a', which has 32");
  }
};

TEST_F(MemoryChecksVariables, AreInBounds) { expect_all("-cl-std=CL3.0"); }

TEST_F(MemoryChecksVariables, AreInBoundsWithDebugInformation) { expect_all("-cl-std=CL3.0 -g"); }

} // namespace
} // namespace heddle::test
