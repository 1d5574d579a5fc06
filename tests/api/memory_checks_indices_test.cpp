// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HEDDLE_CHECK=memory and indices: outside of an array within a structure, of one dimension of an
// array, or of a vector they fail the command; the message has the line, the work-item, the index
// and the array. Right ones pass, and so do addresses right behind an array and flexible arrays.
#include "tests/api/checked_kernels.h"

#include <algorithm>
#include <cstdlib>

namespace heddle::test {
namespace {

// Before the driver reads it. The test runs itself with more checks.
[[maybe_unused]] const int kChecksAreSet = setenv("HEDDLE_CHECK", "memory", 0);

// Statements of a kernel for one work-item: `i` is its id, `n` the argument, and `k` the argument
// for work-item 13, 0 for all others.
struct IndexCase {
  const char* statements;
  cl_int bad;        // 0 is good
  const char* index; // what the message says
  const char* array;
};

const char* const kDeclarations = R"(
  typedef int Row[3];
  typedef struct { int a[4]; int b; } Record;
  typedef struct { short first; Record inner[2]; float4 v[3]; int m[2][5]; int last; } Nested;
  typedef struct { int count; int data[1]; } Flexible;
  typedef struct { int count; int data[4]; } Trailing;
  constant Record table[2] = {{{1, 2, 3, 4}, 5}, {{6, 7, 8, 9}, 10}};
)";

const IndexCase kIndexCases[] = {
    // Private, local, global and constant memory.
    {"Record r; for (int j = 0; j < 4; ++j) r.a[j] = j;\nr.b = 7; out[i] = r.a[k + 3]; // HERE", 1,
     "4", "'int[4]'"},
    {"Record r = {{1, 2, 3, 4}, 5}; r.a[k + (out[i] & 3)] = i; // HERE\nout[i] = r.a[1] + r.b;", -1,
     "-1", "'int[4]'"},
    {"local Record r[64]; int l = get_local_id(0);\nr[l].a[k + 2] = i; r[l].b = 1; // HERE\n"
     "out[i] = r[l].a[2];",
     2, "4", "'int[4]'"},
    {"records[i].a[k + 1] = i; // HERE", 100, "101", "'int[4]'"},
    {"out[i] = records[i].a[(uchar)(3 + k)]; // HERE", 2, "5", "'int[4]'"},
    {"out[i] = table[i & 1].a[3 - k]; // HERE", 4, "-1", "'int[4]'"},
    // Several dimensions, typedefs, structures in structures, vectors.
    {"int m[3][5];\nfor (int j = 0; j < 15; ++j) m[j / 5][j % 5] = j;\n"
     "out[i] = m[1][k + 4]; // HERE",
     1, "5", "'int[5]'"},
    {"local int m[8][16]; int l = get_local_id(0);\nm[l / 16 + 1][l % 16 + k] = 1; // HERE", 16,
     "29", "'int[16]'"},
    {"Row rows[4];\nfor (int j = 0; j < 12; ++j) rows[j / 3][j % 3] = j;\n"
     "out[i] = rows[1][2 + k]; // HERE",
     3, "5", "'Row' (aka 'int[3]')"},
    {"nested[i].inner[k].a[2] = 1; // HERE", 2, "2", "'Record[2]'"},
    {"nested[i].inner[1].a[k] = 1; // HERE", 4, "4", "'int[4]'"},
    {"nested[i].v[k + 2] = (float4)(1); // HERE", 1, "3", "'float4[3]'"},
    {"nested[i].m[1][k] = 1; // HERE", 5, "5", "'int[5]'"},
    {"nested[i].m[k][1] = 1; // HERE", 3, "3", "'int[2][5]'"},
    {"int4 v = (int4)(1, 2, 3, i); out[i] = v[3 + k]; // HERE", 1, "4",
     "'int4' (vector of 4 'int' values)"},
    {"float8 v = (float8)(i); v[k & 63] = 2; // HERE\nout[i] = v.s0 + v.s7;", 8, "8",
     "'float8' (vector of 8 'float' values)"},
    // Indices that are wider, and operators of all kinds.
    {"long w = k; ++records[i].a[w]; // HERE", 7, "7", "'int[4]'"},
    {"ulong w = 2 + k; records[i].a[w] += 1; // HERE", 3, "5", "'int[4]'"},
    {"records[i].a[3] = 1; Record copy = records[i];\nout[i] = copy.a[k]--; // HERE", 9, "9",
     "'int[4]'"},
    {"atomic_add(&records[i].a[k], 1); // HERE", 5, "5", "'int[4]'"},
    // Loops, divergent code, functions.
    {"int sum = 0;\nfor (int j = 0; j < 4 + k; ++j)\nsum += records[i].a[j]; // HERE\nout[i] = "
     "sum;",
     1, "4", "'int[4]'"},
    {"for (int j = 3 + k; j >= 0; --j)\nrecords[i].a[j] = j; // HERE", 2, "5", "'int[4]'"},
    {"for (int j = 0; j < 4 + n; ++j)\nrecords[i].a[j] = j; // HERE", 2, "4", "'int[4]'"},
    {"if (i % 3 == 1)\nrecords[i].a[k + i % 4] = i; // HERE\nelse out[i] = 1;", 3, "4", "'int[4]'"},
    {"for (int j = 0; j < i % 7; ++j)\nif (j == 5) records[i].a[k] = 1; // HERE", 0, "", ""},
    {"for (int j = 0; j < i % 7; ++j)\nif (j == 5) records[i].a[4 * n] = 1; // HERE", 1, "4",
     "'int[4]'"},
    {"global int* p = records[i].a + (3 + k); // HERE\np[-1] = 1;", 2, "5", "'int[4]'"},
    {"store(&records[i], k);", 4, "4", "'int[4]'"},
    {"nest(nested[i].inner, i, k);", 6, "6", "'int[4]'"},
};

class MemoryChecksIndices : public CheckedKernels {
 protected:
  static std::string source_of(const IndexCase& one) {
    return std::string(kDeclarations) + R"(
      void store(global Record* r, int k) {
        r->a[k] = 1;)" +
           (std::string(one.statements).find("HERE") == std::string::npos ? " // HERE" : "") + R"(
      }
      void nest(global Record* r, int i, int k) { if (i & 1) store(r + 1, k); }
      kernel void indices(global int* out, global Record* records, global Nested* nested, int n) {
        int i = get_global_id(0), k = i == 13 ? n : 0;)" +
           one.statements + "\n}";
  }
  std::string outcome(const std::string& source, const char* options, cl_int n) {
    const std::vector<char> zeros(64 * 256);
    const auto program = build(context_, source, options);
    const auto kernel = make_kernel(program, "indices");
    const auto out = make_buffer(context_, 64 * 4, zeros.data());
    const auto records = make_buffer(context_, 64 * 20, zeros.data());
    const auto nested = make_buffer(context_, zeros.size(), zeros.data());
    set_args(kernel, out, records, nested, n);
    return CheckedKernels::outcome(kernel, {{64}, {32}, {}});
  }
  void expect_all(const char* options) {
    for (const auto& one : kIndexCases) {
      SCOPED_TRACE(std::string(options) + ": " + one.statements);
      const auto source = source_of(one);
      EXPECT_EQ(outcome(source, options, 0), "");
      const auto text = outcome(source, options, one.bad);
      if (one.bad == 0)
        continue;
      const auto line =
          std::count(source.begin(), source.begin() + long(source.find("// HERE")), '\n') + 1;
      if (std::string(one.statements).find("* n") == std::string::npos &&
          std::string(one.statements).find("+ n") == std::string::npos)
        expect_in(text, "kernel 'indices' failed at work-item (13): ");
      expect_in(text, "index at ");
      expect_in(text,
                ":" + std::to_string(line) + " is " + one.index + ", outside of " + one.array);
    }
  }
};

TEST_F(MemoryChecksIndices, AreInBounds) { expect_all("-cl-std=CL3.0"); }

TEST_F(MemoryChecksIndices, AreInBoundsWithDebugInformation) { expect_all("-cl-std=CL3.0 -g"); }

TEST_F(MemoryChecksIndices, AreInBoundsWithoutOptimization) {
  expect_all("-cl-std=CL3.0 -cl-opt-disable");
}

TEST_F(MemoryChecksIndices, AreInBoundsInCxx) { expect_all("-cl-std=CLC++2021"); }

// Constant ones, also of variables, which the optimizer would take out.
TEST_F(MemoryChecksIndices, ThatAreConstant) {
  const std::pair<const char*, const char*> cases[] = {
      {"records[i].a[4] = 1;", "4, outside of 'int[4]'"},
      {"int a[8]; a[8] = i; a[1] = i; out[i] = a[n & 1];", "8, outside of 'int[8]'"},
      {"int a[8] = {i}; out[i] = a[-1];", "-1, outside of 'int[8]'"},
      {"local int a[2][8]; a[1][8] = 1;", "8, outside of 'int[8]'"},
      {"int4 v = (int4)(i); out[i] = v[5u];", "5, outside of 'int4' (vector of 4 'int' values)"},
  };
  for (const char* options : {"-cl-std=CL3.0", "-cl-std=CL3.0 -cl-opt-disable"})
    for (const auto& [statements, text] : cases) {
      SCOPED_TRACE(std::string(options) + ": " + statements);
      const IndexCase one{statements, 0, "", ""};
      expect_in(outcome(source_of(one), options, 0), text);
    }
}

TEST_F(MemoryChecksIndices, ThatAreRight) {
  const char* const cases[] = {
      // The address right behind an array.
      "global int* end = &records[i].a[4 * n + 4];\n"
      "for (global int* p = records[i].a; p != end; ++p) *p = 1;",
      "int m[3][5]; int* end = &m[3][0];\nfor (int* p = &m[0][0]; p != end; ++p) *p = i;\n"
      "out[i] = m[2][4];",
      "int a[8]; int* end = &a[8];\nfor (int* p = a; p < end; ++p) *p = i;\nout[i] = a[7];",
      "Record r = {{i}}; int* end = &r.a[n + 4]; int* p = r.a;\nout[i] = end - p + *p;",
      // Memory behind arrays of one element, of none and without a size.
      "global Flexible* f = (global Flexible*)(nested + i);\n"
      "for (int j = 0; j < 8 + n; ++j) f->data[j] = j;",
      "typedef struct { int n; int data[0]; } Empty; global Empty* f = (global Empty*)nested;\n"
      "f->data[i + n] = 1;",
      "typedef struct { int n; int data[]; } Open; global Open* f = (global Open*)nested;\n"
      "f->data[i + n] = 1;",
      // Addresses outside of a variable, by which elements inside are accessed.
      "int a[8]; int* p = a - 1;\nfor (int j = 1; j <= 8; ++j) p[j] = i + n;\nout[i] = a[7];",
      // Pointers to elements are not bound to the array.
      "global int* p = records[0].a; p[i] = 1;",
      "global int (*rows)[5] = (global int (*)[5])nested; rows[i][n + 4] = 1;",
      // Not evaluated.
      "out[i] = n != 0 ? records[i].a[n + 9] : 1;",
      "out[i] = sizeof(records[i].a[n + 4]);",
  };
  for (const char* options : {"-cl-std=CL3.0", "-cl-std=CL3.0 -cl-opt-disable"})
    for (const char* statements : cases) {
      SCOPED_TRACE(std::string(options) + ": " + statements);
      const IndexCase one{statements, 0, "", ""};
      EXPECT_EQ(outcome(source_of(one), options, 0), "");
    }
}

// An array of more elements at the end of a structure has these only.
TEST_F(MemoryChecksIndices, OfLastMembers) {
  const IndexCase one{"global Trailing* t = (global Trailing*)nested;\nt[i].data[k + 3] = 1;", 1,
                      "", ""};
  EXPECT_EQ(outcome(source_of(one), "-cl-std=CL3.0", 0), "");
  expect_in(outcome(source_of(one), "-cl-std=CL3.0", 1), " is 4, outside of 'int[4]'");
}

// Whichever lane it is, also where a sub-group has work-items of several rows.
TEST_F(MemoryChecksIndices, NameTheWorkItem) {
  const std::string source = R"(
    typedef struct { int a[4]; int b; } Record;
    kernel void indices(global Record* r, int n) {
      int x = get_global_id(0), y = get_global_id(1);
      r[x + 8 * y].a[x + 8 * y == n ? 4 : x & 3] = 1;
    })";
  const auto program = build(context_, source, "-cl-std=CL3.0");
  const auto kernel = make_kernel(program, "indices");
  const auto records = make_buffer(context_, 96 * 20);
  for (const Range& range :
       {Range{{8, 10}, {4, 5}, {}}, Range{{8, 12}, {8, 4}, {}}, Range{{8, 9}, {2, 3}, {}}})
    for (const cl_int item : {0, 13, 38, 71}) {
      set_args(kernel, records, cl_int{-1});
      EXPECT_EQ(CheckedKernels::outcome(kernel, range), "");
      set_args(kernel, records, item);
      expect_in(CheckedKernels::outcome(kernel, range),
                "failed at work-item (" + std::to_string(item % 8) + ", " +
                    std::to_string(item / 8) + "): index at ");
    }
}

TEST_F(MemoryChecksIndices, OfFunctionsThatAreLeftOut) {
  const auto source = R"(
    typedef struct { int a[4]; int b; } Record;
    __attribute__((no_sanitize("heddle-memory"))) void store(global Record* r, int k) { r->a[k] = 1; }
    kernel void indices(global int* out, global Record* records, global int* nested, int n) {
      store(records + get_global_id(0), n);
    })";
  EXPECT_EQ(outcome(source, "-cl-std=CL3.0", 4), "");
}

TEST_F(MemoryChecksIndices, WithOtherChecks) {
  if (std::getenv("HEDDLE_TEST_CHECKS") != nullptr)
    return;
  setenv("HEDDLE_TEST_CHECKS", "1", 1);
  for (const char* checks : {"memory,race", "memory,uninitialized,divergence,division"}) {
    setenv("HEDDLE_CHECK", checks, 1);
    const auto child = run_self({"--gtest_filter=*.AreInBounds:*.ThatAreRight"});
    EXPECT_EQ(child.status, 0) << checks << ": " << child.output;
  }
  setenv("HEDDLE_CHECK", "memory", 1);
  unsetenv("HEDDLE_TEST_CHECKS");
}

} // namespace
} // namespace heddle::test
