// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HEDDLE_CHECK=uninitialized: private and local memory that was never written and decides a branch,
// an address, a divisor or what global memory gets fails the command; the message has the line and,
// where there is only one, the variable. What is written before, and what decides nothing, passes.
#include "tests/api/checked_kernels.h"

#include <algorithm>
#include <cstdlib>

namespace heddle::test {
namespace {

// Before the driver reads it.
[[maybe_unused]] const int kChecksAreSet = setenv("HEDDLE_CHECK", "uninitialized", 1);

struct Case {
  const char* name;
  const char* body; // "// A" is in the line of the report
  const char* text; // of the report, with {} for the line; null: there is none
  const char* helpers = "";
};

// `n` is 0, and `l` the local id in groups of 16 of the 32 items; all of `data` is 1.
const Case kCases[] = {
    // What is reported.
    {"branch", "int x; if (n > 0) x = 1;\n if (x > 2) data[i] = 1; // A",
     "branch at {} depends on a value of the private variable 'x' that was not initialized"},
    {"store", "int x; if (l != 5) x = 1;\n data[i] = x; // A",
     "store at {} writes a value of the private variable 'x' that was not initialized to global "
     "memory"},
    {"sum", "float x, y; if (n > 0) x = y = 1;\n data[i] = x + y; // A",
     "store at {} writes a value that was not initialized to global memory"},
    {"load_address", "int x[3]; x[n] = 0;\n data[i] = in[x[n + 2]]; // A",
     "load at {} is at an address that depends on a value of the private variable 'x' that was not "
     "initialized"},
    {"store_address", "int x; if (l) x = i;\n data[x] = 0; // A",
     "store at {} is at an address that depends on a value of the private variable 'x' that was "
     "not initialized"},
    {"pointer", "global int* p; if (l != 5) p = data + l;\n p[i] = 0; // A",
     "store at {} is at an address that depends on a value that was not initialized"},
    {"loaded_pointer", "int a[2] = {1, 2}, *p; if (n > 0) p = a;\n data[i] = p[1]; // A",
     "load at {} is at an address that depends on a value that was not initialized"},
    {"division", "int x; if (n > 0) x = 1;\n int y = 8 / x; // A\n data[i] = y;",
     "division at {} is by a value of the private variable 'x' that was not initialized"},
    {"switches",
     "int x; if (n > 0) x = 1;\n switch (x) { // A\n case 0: data[i] = 1; break;\n"
     "case 5: data[i] = 7; break; default: data[i] = 2; }",
     "branch at {} depends on a value of the private variable 'x' that was not initialized"},
    {"array", "int a[8]; for (int j = 0; j < 7 - n; ++j) a[j] = j;\n data[i] = a[in[i] + 6]; // A",
     "store at {} writes a value of the private variable 'a' that was not initialized to global "
     "memory"},
    {"dynamic_array",
     "int a[8]; for (int j = 0; j < 8; ++j) if (j != l) a[j] = in[j];\n"
     "int s = 0; for (int j = 0; j < 8; ++j) s += a[j];\n data[i] = s; // A",
     "store at {} writes a value"},
    {"iteration",
     "for (int j = 0; j < 4; ++j) {\n int x; if (j == 0) x = 5;\n"
     "if (x == 3) // A\n data[i] = j; }",
     "branch at {} depends on a value of the private variable 'x' that was not initialized"},
    {"element", "float4 v; v.xyz = in[i];\n data[i] = v.w; // A",
     "store at {} writes a value of the private variable 'v' that was not initialized to global "
     "memory"},
    {"member", "S s; s.a = 1; s.c[0] = 2;\n data[i] = s.b; // A",
     "store at {} writes a value of the private variable 's' that was not initialized to global "
     "memory"},
    {"structure", "S s; s.a = 1; s.c[0] = s.c[1] = s.c[2] = 2;\n *(global S*)data = s; // A",
     "store at {} writes a value of the private variable 's' that was not initialized to global "
     "memory"},
    {"bits", "int b; b = (b & ~7) | 1;\n if ((b >> 3 & 127) == 1) // A\n data[i] = 1;",
     "branch at {} depends on a value of the private variable 'b' that was not initialized"},
    {"helper", "int x; if (n > 0) x = 1; data[i] = half_of(x);", "branch at {} depends on a value",
     "int half_of(int y) {\n return y > 4 ? y / 2 : 0; // A\n}"},
    {"out_parameter", "int x; maybe(&x, n);\n data[i] = x; // A",
     "store at {} writes a value of the private variable 'x' that was not initialized to global "
     "memory",
     "void maybe(int* p, int n) { if (n > 0) *p = 1; }"},
    {"local_array",
     "local int t[16]; if (l != 8) t[l] = l; barrier(CLK_LOCAL_MEM_FENCE);\n"
     "data[i] = t[15 - l]; // A",
     "store at {} writes a value of the local variable 't' that was not initialized to global "
     "memory"},
    {"local_argument",
     "tile[l] = l; barrier(CLK_LOCAL_MEM_FENCE);\n"
     "if (tile[l + 16]) // A\n data[i] = 1;",
     "branch at {} depends on a value of the local argument 'tile' that was not initialized"},
    {"next_group", "if (get_group_id(0) == 0) tile[l] = 1;\n data[i] = tile[l]; // A",
     "store at {} writes a value of the local argument 'tile' that was not initialized to global "
     "memory"},
    {"local_atomic",
     "local int c; atomic_inc(&c); barrier(CLK_LOCAL_MEM_FENCE);\n"
     "data[i] = c; // A",
     "store at {} writes a value of the local variable 'c' that was not initialized to global "
     "memory"},
    {"copied_part",
     "event_t e = async_work_group_copy(tile, in, 16, 0); wait_group_events(1, &e);\n"
     "data[i] = tile[l + 1]; // A",
     "store at {} writes a value of the local argument 'tile' that was not initialized to global "
     "memory"},
    {"copied_out",
     "if (l != 7) tile[l] = l; barrier(CLK_LOCAL_MEM_FENCE);\n"
     "event_t e = async_work_group_copy(data + i - l, tile, 16, 0); // A\n wait_group_events(1, "
     "&e);",
     "store at {} writes a value of the local argument 'tile' that was not initialized to global "
     "memory"},
    {"reduction", "int x; if (l) x = 1;\n data[i] = work_group_reduce_add(x); // A",
     "store at {} writes a value"},
    {"generic_pointer",
     "int x, *p = &x; if (n > 0) p = data; int* q = &x; if (n > 0) *q = 1;"
     "if (n > 5) *p = 3; data[i] = *q;",
     nullptr}, // `p` may point to something else: `x` is not followed
    {"sines", "float x; if (n > 0) x = 1;\n data[i] = sin(x); // A",
     "store at {} writes a value that was not initialized to global memory"},
    {"vstore", "float4 v; v.xy = in[i];\n vstore4(v, l, (global float*)data); // A",
     "store at {} writes a value of the private variable 'v' that was not initialized to global "
     "memory"},
    {"conversion", "float x; if (n > 0) x = 1;\n data[i] = convert_int_sat(x); // A",
     "store at {} writes a value of the private variable 'x' that was not initialized to global "
     "memory"},
    {"global_atomic", "int x; if (n > 0) x = 1;\n atomic_add(data + i, x); // A",
     "store at {} writes a value of the private variable 'x' that was not initialized to global "
     "memory"},
    // Through functions that are not inlined.
    {"called_result", "data[i] = pick(n + 2, l); // A",
     "store at {} writes a value that was not initialized to global memory",
     "int pick(int k, int l) {\n if (k > 0) return pick(k - 1, l);\n"
     "int x; if (l != 5) x = 1; return x; }"},
    {"called_argument", "int x; if (l != 5) x = 1; keep(l & 3, x, data + i);",
     "store at {} writes a value of the private variable 'x' that was not initialized to global "
     "memory",
     "void keep(int k, int x, global int* p) {\n if (k > 0) keep(k - 1, x, p);\n"
     "else *p = x; // A\n}"},
    {"called_branch", "int x; if (n > 0) x = 1; data[i] = larger(n + 1, x);",
     "branch at {} depends on a value of the private variable 'x' that was not initialized",
     "int larger(int k, int x) {\n if (k > 0) return larger(k - 1, x);\n"
     "if (x > 4) // A\n return 1; return 0; }"},
    {"called_address", "short j; if (n > 0) j = 1; set(n + 1, j, data);",
     "store at {} is at an address that depends on a value that was not initialized",
     "void set(int k, short j, global int* p) {\n if (k > 0) set(k - 1, j, p);\n else p[j & 7] = "
     "1; // A\n}"},
    {"called_pointer", "global int* p; if (n > 0) p = data + l; set(n + 1, p);",
     "store at {} is at an address that depends on a value that was not initialized",
     "void set(int k, global int* p) {\n if (k > 0) set(k - 1, p);\n else *p = 1; // A\n}"},
    {"called_vector",
     "float4 v; v.xy = in[i]; v = shifted(n + 1, v);\n data[i] = v.x;\n data[i] = v.w; // A",
     "store at {} writes a value of the private variable 'v' that was not initialized to global "
     "memory",
     "float4 shifted(int k, float4 v) { if (k > 0) return shifted(k - 1, v) + 1; return v; }"},
    {"called_lanes", "int x; if (l & 1) x = 3; x = same(l & 3, x);\n if (l == 6) data[i] = x; // A",
     "store at {} writes a value of the private variable 'x' that was not initialized to global "
     "memory",
     "int same(int k, int x) { return k > 0 ? same(k - 1, x) : x; }"},
    {"called_lanes_right", "int x; if (l & 1) x = 3; x = same(l & 3, x); if (l & 1) data[i] = x;",
     nullptr, "int same(int k, int x) { return k > 0 ? same(k - 1, x) : x; }"},
    {"called_bits", "int x; x = (x << 16) | 7; data[i] = low(n + 2, x);", nullptr,
     "int low(int k, int x) { return k > 0 ? low(k - 1, x) : x & 15; }"},
    {"called_unused",
     "int x; x = n > 0 ? x : 1; data[i] = first(n + 2, x, (float3)(1, 2, n), l).x;", nullptr,
     "float3 first(int k, int x, float3 v, uchar c) {\n"
     "int y; return k > 0 ? first(k - 1, y, v, c) : v * c; }"},
    {"called_structure",
     "S s; s.a = 1; s.b = n; s.c[0] = s.c[1] = s.c[2] = 2; s = changed(2, s);"
     "data[i] = s.b + s.c[1];",
     nullptr, "S changed(int k, S s) { if (k > 0) return changed(k - 1, s); s.b = 3; return s; }"},
    // What is right.
    {"pointers",
     "int a = 1, b = 2, *p, *q; if (l & 1) p = &a; q = l & 1 ? p : &b; if (l & 1) *p = 5;"
     "global int* r; for (int j = 0; j < 4; ++j) { if (j == 0) r = data; r[i] = *q; }",
     nullptr},
    {"all_paths", "int x; if (l & 1) x = 1; else x = 2; if (x == 1) data[i] = x;", nullptr},
    {"unused", "int x; int y = x + 1; data[i] = n > 0 ? y : 3;", nullptr},
    {"and_of_bits", "int x; if (n > 0) x = 1; x &= 12; x |= 12; data[i] = x;", nullptr},
    {"high_bits", "int x; x = (x << 16) | 7; if ((x & 0xffff) == 7) data[i] = x & 15;", nullptr},
    {"decided",
     "uchar x; uint y = 256 + x; if (y > 255) data[i] = 1;"
     "if ((y & 256) == 0) data[i] = 2;",
     nullptr},
    {"short_circuit", "int x; if (l > 3) x = 1; if (l > 3 && x == 1) data[i] = 1;", nullptr},
    {"known_bits",
     "int b; b = (b & ~7) | 1; b = (b & ~(127 << 3)) | 3 << 3;"
     "if ((b >> 3 & 127) == 3 && (b & 7) == 1) data[i] = b & 7;",
     nullptr},
    {"three_components",
     "float3 v = vload3(0, (global float*)in); float3 w; w.x = v.x; w.y = 1;"
     "w.z = v.y; vstore3(w + v, 0, (global float*)data); ((global float3*)data)[l] = w;",
     nullptr},
    {"four_of_three",
     "float4 v; v.xyz = (float3)(1, 2, in[i]); v = sin(v) + sqrt(v);"
     "data[i] = dot(v.xyz, v.xyz);",
     nullptr},
    {"members",
     "S s; s.a = 1; s.b = 2; s.c[0] = s.c[1] = s.c[2] = 1; S t = s;"
     "*(global S*)data = t;",
     nullptr},
    {"local_members",
     "local S s[16]; S p; p.a = 1; p.b = 2; p.c[0] = p.c[1] = p.c[2] = 1;"
     "s[l] = p; barrier(CLK_LOCAL_MEM_FENCE); *(global S*)data = s[15 - l];",
     nullptr},
    {"local_by_first",
     "local int t[16]; if (l == 0) for (int j = 0; j < 16; ++j) t[j] = j;"
     "barrier(CLK_LOCAL_MEM_FENCE); data[i] = t[l];",
     nullptr},
    {"helper_array",
     "int a[4]; fill(a, 4); local int t[16]; fill_one(t, l);"
     "barrier(CLK_LOCAL_MEM_FENCE); data[i] = a[in[i]] + t[l ^ 1];",
     nullptr,
     "void fill(int* p, int n) { for (int j = 0; j < n; ++j) p[j] = j; }\n"
     "void fill_one(int* p, int l) { p[l] = l; }"},
    {"either_space",
     "int a[16]; local int t[16]; int* p = a; if (!(l & 1)) p = t; for (int j = 0; j < 16; ++j)"
     "p[j] = j; barrier(CLK_LOCAL_MEM_FENCE); if (l & 1) data[i] = a[l]; else data[i] = t[l];",
     nullptr},
    {"copied",
     "event_t e = async_work_group_copy(tile, in, 16, 0);"
     "e = async_work_group_strided_copy(tile + 16, in, 8, 2, e); wait_group_events(1, &e);"
     "data[i] = tile[l] + tile[16 + l / 2];",
     nullptr},
    {"copied_out_by_steps",
     "if (l != 7) tile[l] = l; barrier(CLK_LOCAL_MEM_FENCE);"
     "event_t e = async_work_group_strided_copy(data + i - l, tile, 7, 2, 0);"
     "e = async_work_group_copy(data + i - l, tile + 8, 8, e); wait_group_events(1, &e);",
     nullptr},
    {"collectives",
     "int x; if (l == 0) x = 5; x = sub_group_broadcast(x, 0);"
     "int y; if (l == 3) y = 6; y = work_group_broadcast(y, 3); data[i] = y"
     "+ work_group_scan_inclusive_add(l) + work_group_any(l == 1);",
     nullptr},
    {"atomics",
     "local int c; if (l == 0) c = 0; barrier(CLK_LOCAL_MEM_FENCE); atomic_inc(&c);"
     "atomic_cmpxchg(&c, 5, 6); barrier(CLK_LOCAL_MEM_FENCE); data[i] = c;",
     nullptr},
    {"results",
     "float f; int q; float g; float s = sincos((float)l, &f) + fract(1.5f, &g)"
     "+ remquo(7.0f, 2.0f, &q); data[i] = s + f + g + q;",
     nullptr},
    {"printed", "int x; if (n > 0) printf(\"%d\", x); printf(\"\"); data[i] = n;", nullptr},
    {"left_out", "int x; data[i] = unchecked(x + n);", nullptr,
     "__attribute__((no_sanitize(\"heddle-uninitialized\"))) int unchecked(int y) {\n"
     "  int r = 0;\n  if (y > 4) r = 1;\n  return r;\n}"},
};

class UninitializedChecks : public CheckedKernels {
 protected:
  static std::string source_of(const Case& one) {
    return std::string("typedef struct { char a; int b; float c[3]; } S;\n") + one.helpers +
           "\nkernel void " + one.name +
           "(global int* data, global const int* in, local int* tile, int n) {\n"
           "int i = get_global_id(0), l = get_local_id(0);\n" +
           one.body + "\n}\n";
  }
  void expect_all(const std::string& options) {
    for (const auto& one : kCases) {
      SCOPED_TRACE(one.name);
      const auto source = source_of(one);
      const auto program = build(context_, source.c_str(), options.c_str());
      const auto kernel = make_kernel(program, one.name);
      const std::vector<cl_int> ones(512, 1);
      const auto data = make_buffer(context_, ones.size() * sizeof(cl_int), ones.data());
      const auto in = make_buffer(context_, ones.size() * sizeof(cl_int), ones.data());
      set_args(kernel, data, in, Local{128}, cl_int{0});
      const auto text = outcome(kernel, {{32}, {16}, {}});
      if (one.text == nullptr) {
        EXPECT_EQ(text, "");
        continue;
      }
      const std::string wanted = one.text;
      const auto at = wanted.find("{}");
      const auto line =
          std::count(source.begin(), source.begin() + long(source.find("// A")), '\n');
      expect_in(text, "kernel '" + std::string(one.name) + "' failed at work-item");
      expect_in(text, wanted.substr(0, at));
      expect_in(text, ":" + std::to_string(line + 1) + wanted.substr(at + 2));
    }
  }
};

TEST_F(UninitializedChecks, AreReported) { expect_all("-cl-std=CL3.0"); }

TEST_F(UninitializedChecks, AreReportedWithDebugInformation) { expect_all("-cl-std=CL3.0 -g"); }

} // namespace
} // namespace heddle::test
