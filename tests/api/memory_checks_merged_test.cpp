// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HEDDLE_CHECK=memory where one comparison is for many accesses: all lanes, neighboring addresses,
// and iterations of loops. What is reported is the first access that is wrong; what only seems to
// be is not, and results are right.
#include "tests/api/checked_kernels.h"

#include <algorithm>
#include <cstdlib>
#include <functional>

namespace heddle::test {
namespace {

// Before the driver reads it.
[[maybe_unused]] const int kChecksAreSet = setenv("HEDDLE_CHECK", "memory", 1);

constexpr int kItems = 16;

// `statements` compute `r` of `in`, 16 ints that are their indices, the id `i` and `n`, and may
// write `out`, which `r` is stored to last.
struct Case {
  const char* statements;
  cl_int good;
  std::function<cl_int(int i, int n)> result;
  cl_int bad;
  const char* text; // empty: this is right as well
};

cl_int sum(int count, const std::function<int(int)>& term) {
  cl_int total = 0;
  for (int k = 0; k < count; ++k)
    total += term(k);
  return total;
}

const Case kCases[] = {
    {"if (i > 0 && i < 15)\n"
     "r = in[i - 1 + n] + in[i + n] * 2 + in[i + 1 + n]; // A",
     0, [](int i, int) { return i > 0 && i < 15 ? 4 * i : 0; }, 2,
     "load at {} reads bytes 64 to 67 of argument 0 'in', which has 64"},
    {"for (int k = 0; k < n; ++k) r += in[k * 2 + 1]; // A", 8,
     [](int, int n) { return sum(n, [](int k) { return k * 2 + 1; }); }, 9,
     "load at {} reads bytes 68 to 71 of"},
    {"for (int k = n; k >= 0; --k) r += in[k]; // A", 15, [](int, int) { return 120; }, 18,
     "load at {} reads bytes 72 to 75 of"},
    {"for (int k = n; k >= -1; --k) if (k > -1) r += in[k]; // A", 15, [](int, int) { return 120; },
     16, "load at {} reads bytes 64 to 67 of"},
    {"for (int k = 0; k < i + n; ++k) r += in[k]; // A", 1,
     [](int i, int) { return i * (i + 1) / 2; }, 2, "load at {} reads bytes 64 to 67 of"},
    {"r = in[i * 7 % 16 + n]; // A", 0, [](int i, int) { return i * 7 % 16; }, 1,
     "load at {} reads bytes 64 to 67 of"},
    {"r = in[in[15 - i] + n]; // A", 0, [](int i, int) { return 15 - i; }, -1,
     "load at {} reads bytes -4 to -1 of"},
    {"global const int* p = in + n;\n"
     "for (int k = 0; k < 4; ++k) r += *p++; // A",
     12, [](int, int) { return 54; }, 13, "load at {} reads bytes 64 to 67 of"},
    {"for (int a = 0; a < 4; ++a)\n"
     "for (int b = 0; b < i; ++b) r += in[a * 4 + b / 4 + n]; // A",
     0, [](int i, int) { return sum(4 * i, [i](int k) { return k / i * 4 + k % i / 4; }); }, 1,
     "load at {} reads bytes 64 to 67 of"},
    {"out[15 - i + n] = 7; // A\n"
     "r = 7;",
     0, [](int, int) { return 7; }, -1,
     "store at {} writes bytes -4 to -1 of argument 1 'out', which has 64"},
    {"for (int k = 0; k < 3; ++k) r += *(global const int*)((global const char*)in + k * n); // A",
     4, [](int, int) { return 3; }, 2, "load at {} is misaligned: its address 0x"},
    {"for (int k = 0; k < n; ++k) if (k < 16) r += in[k];", 16, [](int, int) { return 120; }, 1000,
     ""},
    {"for (int k = 0; k < n; ++k) { if (k == 16) break; r += in[k]; }", 16,
     [](int, int) { return 120; }, 1000, ""},
    {"for (int k = 0; k < n; ++k) r += in[k + 100]; // A", 0, [](int, int) { return 0; }, 1,
     "load at {} reads bytes 400 to 403 of"},
    {"if (i < n) r = in[i * 1000];", 1, [](int, int) { return 0; }, 0, ""},
    {"int a = clamp(i - 1, 0, 14 + n), b = clamp(i + 1, 0, 15 + n);\n"
     "r = in[a] * 16 + in[b]; // A",
     0, [](int i, int) { return std::clamp(i - 1, 0, 14) * 16 + std::clamp(i + 1, 0, 15); }, 1,
     "load at {} reads bytes 64 to 67 of"},
    {"int4 v = vload4(0, in + n); // A\n"
     "r = v.x + v.w;",
     12, [](int, int) { return 27; }, 13, "load at {} reads bytes 52 to 67 of"},
};

class MemoryChecksMerged : public CheckedKernels {
 protected:
  // ":3 ", the line that ends with A.
  static std::string line_of(const std::string& source) {
    const auto at = source.begin() + static_cast<long>(source.find("// A"));
    return ":" + std::to_string(std::count(source.begin(), at, '\n') + 1);
  }
  static std::string source_of(const Case& one) {
    return std::string("kernel void k(global const int* in, global int* out, int n) {\n"
                       "int i = get_global_id(0), r = 0;\n") +
           one.statements + "\nout[i] = r;\n}\n";
  }
  std::string run(const Case& one, cl_int n, size_t local_size) {
    std::vector<cl_int> numbers(kItems);
    for (int i = 0; i < kItems; ++i)
      numbers[static_cast<size_t>(i)] = i;
    // The middle of a buffer, so that nothing of the host's is hit.
    const auto whole = make_buffer(context_, 3 * 4096);
    const auto in = make_part(whole, 0, 64), out = make_part(whole, 4096, 64);
    check(clEnqueueWriteBuffer(queue_, in, CL_TRUE, 0, 64, numbers.data(), 0, nullptr, nullptr),
          "write");
    const auto program = build(context_, source_of(one));
    const auto kernel = make_kernel(program, "k");
    set_args(kernel, in, out, n);
    const auto message = outcome(kernel, {{kItems}, {local_size}, {}});
    results_.assign(kItems, 0);
    check(clEnqueueReadBuffer(queue_, out, CL_TRUE, 0, 64, results_.data(), 0, nullptr, nullptr),
          "read");
    return message;
  }
  void expect(const Case& one, size_t local_size) {
    SCOPED_TRACE(one.statements);
    EXPECT_EQ(run(one, one.good, local_size), "");
    for (int i = 0; i < kItems; ++i)
      EXPECT_EQ(results_[static_cast<size_t>(i)], one.result(i, one.good)) << i;
    const auto message = run(one, one.bad, local_size);
    const std::string text = one.text;
    if (text.empty()) {
      EXPECT_EQ(message, "");
      return;
    }
    const auto split = text.find("{}");
    expect_in(message, text.substr(0, split));
    expect_in(message, line_of(source_of(one)) + text.substr(split + 2));
  }

  std::vector<cl_int> results_;
};

TEST_F(MemoryChecksMerged, WholeGroups) {
  for (const auto& one : kCases)
    expect(one, 16);
}

// Sub-groups with inactive lanes, whose addresses are out of bounds.
TEST_F(MemoryChecksMerged, ShortGroups) {
  for (const auto& one : kCases)
    expect(one, 4);
}

} // namespace
} // namespace heddle::test
