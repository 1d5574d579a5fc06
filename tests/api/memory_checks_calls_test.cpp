// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HEDDLE_CHECK=memory and functions that are not inlined: accesses outside of their private
// variables, and of those of their callers, fail the command, also through several calls, and by
// pointers to one variable or another.
#include "tests/api/checked_kernels.h"

#include <algorithm>
#include <cstdlib>

namespace heddle::test {
namespace {

// Before the driver reads it. The test runs itself with more checks.
[[maybe_unused]] const int kChecksAreSet = setenv("HEDDLE_CHECK", "memory", 0);

// Functions that call themselves stay calls. `k` is `bad` for work-item 13, 0 for all others.
struct CallCase {
  const char* functions;
  const char* statements;
  cl_int bad; // 0 is good
  const char* text;
};

const CallCase kCallCases[] = {
    // A variable of its own.
    {"int sum(int i, int k) {\n"
     "int a[8]; for (int j = 0; j < 8 + k; ++j)\na[j] = i + j; // HERE\n"
     "return i < 0 ? sum(i + 1, k) : a[i & 7]; }",
     "out[i] = sum(i, k);", 1,
     "store at {} writes bytes 32 to 35 of the private variable 'a', which has 32"},
    {"int sum(int i, int k) {\nint a[8] = {1, 2, 3};\n"
     "return i < 0 ? sum(i + 1, k) : a[(i & 3) + k]; // HERE\n}",
     "out[i] = sum(i, k);", 7,
     "load at {} reads bytes 32 to 35 of the private variable 'a', which has 32"},
    // One of the caller.
    {"void fill(int* p, int n) {\nif (n > 0) {\np[n - 1] = n; // HERE\nfill(p, n - 1); } }",
     "int a[8]; fill(a, 8 + k); out[i] = a[i & 7];", 2,
     "store at {} writes bytes 36 to 39 of the private variable 'a', which has 32"},
    {"void fill(int* p, int n) {\nif (n > 0) {\n*p = n; // HERE\nfill(p + 1, n - 1); } }",
     "int a[8]; fill(a, 8 + k); out[i] = a[i & 7];", 1,
     "store at {} writes bytes 32 to 35 of the private variable 'a', which has 32"},
    {"int get(const int* p, int n) {\nif (n > 9) return get(p, n - 9);\nreturn p[n]; // HERE\n}",
     "int a[4] = {1, 2, 3, i}, b[4] = {4, 5, 6, 7}; out[i] = get(b + 1, 2 + k) + a[i & 3];", -4,
     "load at {} reads bytes -4 to -1 of the private variable 'b', which has 16"},
    {"void set(int* p, int n) {\nif (n > 90) set(p, n - 9);\n*p = n; // HERE\n}",
     "int x = 1, y; set(&y + k, i); out[i] = x + y;", 1,
     "store at {} writes bytes 4 to 7 of the private variable 'y', which has 4"},
    {"void set(local int* p, int n) {\nif (n > 90) set(p, n - 9);\n*p = n; // HERE\n}",
     "local int t[64]; local int u[64]; set(t + i % 32 + k, i); out[i] = t[i % 32];", 51,
     "store at {} writes bytes 256 to 259 of the local variable 't', which has 256"},
    {"int get(constant int* p, int n) {\nif (n > 9) return get(p, n - 9);\nreturn p[n]; // HERE\n}"
     "constant int table[4] = {1, 2, 3, 4};",
     "out[i] = get(table, 2 + k);", 2,
     "load at {} reads bytes 16 to 19 of the constant variable 'table', which has 16"},
    // Structures, by address and by value.
    {"typedef struct { int a[4]; int b; } R;\n"
     "void set(R* r, int j, int n) {\nif (n > 90) set(r, j, n - 9);\nr[j].b = n; // HERE\n}",
     "R r[2]; set(r, k, i); out[i] = r[0].b;", 2,
     "store at {} writes bytes 56 to 59 of the private variable 'r', which has 40"},
    {"typedef struct { int a[4]; int b; } R;\n"
     "int get(R r, int j, int n) {\nif (n > 90) return get(r, j, n - 9);\n"
     "int* p = &r.b; return p[j]; // HERE\n}",
     "R r = {{1, 2, 3, 4}, 5}; out[i] = get(r, k, i);", 1,
     "load at {} reads bytes 20 to 23 of the private variable 'r', which has 20"},
    {"typedef struct { int a[4]; int b; } R;\n"
     "R make(int j, int n) {\nif (n > 90) return make(j, n - 9);\n"
     "R r = {{0}}; r.b = 1; int* p = &r.b;\np[j] = 2; // HERE\nreturn r; }",
     "R r = make(k, i); out[i] = r.b;", -5,
     "store at {} writes bytes -4 to -1 of the private variable 'r', which has 20"},
    // Through several calls, and back.
    {"void inner(int* p, int n) {\nif (n > 90) inner(p, n - 9);\np[n & 3] = n; // HERE\n}\n"
     "void outer(int* p, int n) { if (n > 90) outer(p, n - 9); inner(p + 2, n); }",
     "int a[6]; outer(a + k, i & 3); out[i] = a[2 + (i & 3)];", 4,
     "store at {} writes bytes 28 to 31 of the private variable 'a', which has 24"},
    {"int* next(int* p, int n) { return n > 90 ? next(p, n - 9) : p + n; }",
     "int a[8];\nfor (int j = 0; j < 8; ++j)\n*next(a, j + k) = j; // HERE\nout[i] = a[i & 7];", 8,
     "store at {} writes bytes 32 to 35 of the private variable 'a', which has 32"},
    // One variable or another.
    {"", "int a[4] = {1, 2, 3, i}, b[8] = {i}; int* p = i & 1 ? a : b;\nout[i] = p[3 + k]; // HERE",
     1, "load at {} reads bytes 16 to 19 of the private variable 'a', which has 16"},
    {"",
     "int a[4], b[8] = {0}; int* p = i & 1 ? b : a;\nfor (int j = 0; j < 4; ++j) a[j] = b[j] = j;\n"
     "p[4 * (i & 1) + 3 + k] = 1; // HERE\nout[i] = a[3] + b[i & 7];",
     1, "store at {} writes bytes 32 to 35 of the private variable 'b', which has 32"},
    {"",
     "int a[4] = {1, 2, 3, i}, b[8] = {i}; int *p = a, *q = b, sum = 0;\n"
     "for (int j = 0; j < 4 + k; ++j) {\nsum += p[j]; // HERE\nint* t = p; p = q; q = t; }\n"
     "out[i] = sum;",
     1, "load at {} reads bytes 16 to 19 of the private variable 'a', which has 16"},
    {"void set(int* p, int n) {\nif (n > 90) set(p, n - 9);\np[n] = n; // HERE\n}",
     "int a[4], b[8] = {0}; set(i & 1 ? a : b, k); out[i] = i & 1 ? a[0] : b[i & 7];", 4,
     "store at {} writes bytes 16 to 19 of the private variable 'a', which has 16"},
    {"",
     "local int a[32]; local int b[64]; local int* p = i & 1 ? a : b;\n"
     "p[i % 32 + k] = 1; // HERE",
     19, "store at {} writes bytes 128 to 131 of the local variable 'a', which has 128"},
    {"",
     "int a[4] = {1, 2, 3, i}; int* p = i & 1 ? a : (int*)out + i;\n"
     "int x = p[(i & 1 ? 3 : 0) + k]; // HERE\nout[i] = x;",
     1, "load at {} reads bytes 16 to 19 of the private variable 'a', which has 16"},
    // Vectors, and scalars.
    {"", "int4 v = (int4)(1, 2, 3, i); int* p = (int*)&v;\nout[i] = p[3 + k]; // HERE", 1,
     "load at {} reads bytes 16 to 19 of the private variable 'v', which has 16"},
};

class MemoryChecksCalls : public CheckedKernels {
 protected:
  std::string outcome(const std::string& source, const char* options, cl_int n) {
    const std::vector<cl_int> zeros(64);
    const auto program = build(context_, source, options);
    const auto kernel = make_kernel(program, "calls");
    const auto out = make_buffer(context_, 64 * 4, zeros.data());
    set_args(kernel, out, n);
    return CheckedKernels::outcome(kernel, {{64}, {32}, {}});
  }
  void expect_all(const char* options) {
    for (const auto& one : kCallCases) {
      SCOPED_TRACE(std::string(options) + ": " + one.functions + " " + one.statements);
      const auto source = std::string(one.functions) +
                          "\nkernel void calls(global int* out, int n) {\n"
                          "int i = get_global_id(0), k = i == 13 ? n : 0;\n" +
                          one.statements + "\n}";
      EXPECT_EQ(outcome(source, options, 0), "");
      const auto text = outcome(source, options, one.bad);
      const auto line =
          std::count(source.begin(), source.begin() + long(source.find("// HERE")), '\n') + 1;
      const std::string wanted = one.text;
      const auto at = wanted.find(" {}");
      expect_work_item(text, 13);
      expect_in(text, wanted.substr(0, at));
      expect_in(text, ":" + std::to_string(line) + wanted.substr(at + 3));
    }
  }
};

TEST_F(MemoryChecksCalls, AreInBounds) { expect_all("-cl-std=CL3.0"); }

TEST_F(MemoryChecksCalls, AreInBoundsWithDebugInformation) { expect_all("-cl-std=CL3.0 -g"); }

TEST_F(MemoryChecksCalls, AreInBoundsWithoutOptimization) {
  expect_all("-cl-std=CL3.0 -cl-opt-disable");
}

TEST_F(MemoryChecksCalls, WithOtherChecks) {
  if (std::getenv("HEDDLE_TEST_CHECKS") != nullptr)
    return;
  setenv("HEDDLE_TEST_CHECKS", "1", 1);
  for (const char* checks : {"memory,race", "memory,uninitialized,divergence,division"}) {
    setenv("HEDDLE_CHECK", checks, 1);
    const auto child = run_self({"--gtest_filter=*.AreInBounds"});
    EXPECT_EQ(child.status, 0) << checks << ": " << child.output;
  }
  setenv("HEDDLE_CHECK", "memory", 1);
  unsetenv("HEDDLE_TEST_CHECKS");
}

} // namespace
} // namespace heddle::test
