// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions, scans and sorting networks: steps between barriers that read in local memory what
// other work-items have stored. Run with local memory in registers, too.
#include "tests/api/api_test.h"

#include <algorithm>
#include <numeric>
#include <random>

namespace heddle::test {
namespace {

constexpr size_t kGroups = 5;

std::vector<cl_uint> random_values(size_t count) {
  std::minstd_rand engine(7);
  std::vector<cl_uint> values(count);
  for (auto& value : values)
    value = engine() % 1000;
  return values;
}

class LocalMemorySteps : public ApiTest {
 protected:
  // kernel k(out, in, n) for groups of `local` work-items; `out` has `results` values.
  std::vector<cl_uint> run_kernel(const std::string& source, const std::vector<cl_uint>& in,
                                  size_t results, size_t local, size_t groups = kGroups) {
    const auto input = make_buffer(context_, in.size() * sizeof(cl_uint), in.data(),
                                   CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR);
    const auto output = make_buffer(context_, results * sizeof(cl_uint));
    const auto program = build(context_, source);
    const auto kernel = make_kernel(program, "k");
    set_args(kernel, output, input, static_cast<cl_uint>(in.size()));
    run(queue_, kernel, {{groups * local}, {local}, {}});
    return read<cl_uint>(queue_, output, results);
  }

  // Sums of each group's values.
  static std::vector<cl_uint> sums_of(const std::vector<cl_uint>& in, size_t local) {
    std::vector<cl_uint> sums;
    for (size_t first = 0; first < in.size(); first += local)
      sums.push_back(std::accumulate(in.begin() + static_cast<std::ptrdiff_t>(first),
                                     in.begin() + static_cast<std::ptrdiff_t>(first + local), 0U));
    return sums;
  }
};

// The arrangements of a tree: neighbors first, strides of powers of two, halves.
TEST_F(LocalMemorySteps, Trees) {
  for (const char* step :
       {"for (uint s = 1; s < L; s *= 2) { if (l % (2 * s) == 0) t[l] += t[l + s]; B }",
        "for (uint s = 1; s < L; s *= 2) { uint i = 2 * s * l; if (i < L) t[i] += t[i + s]; B }",
        "for (uint s = L / 2; s > 0; s >>= 1) { if (l < s) t[l] += t[l + s]; B }"})
    for (const size_t local : {16U, 32U, 64U, 256U}) {
      const auto in = random_values(kGroups * local);
      const auto source = "#define B barrier(CLK_LOCAL_MEM_FENCE);\n"
                          "kernel void k(global uint* out, global const uint* in, uint n) {\n"
                          "  local uint t[256]; uint l = get_local_id(0), L = get_local_size(0);\n"
                          "  t[l] = in[get_global_id(0)]; B\n  " +
                          std::string(step) + "\n  if (l == 0) out[get_group_id(0)] = t[0]; }";
      EXPECT_EQ(run_kernel(source, in, kGroups, local), sums_of(in, local)) << step << local;
    }
}

// Groups that are not a multiple of the sub-group.
TEST_F(LocalMemorySteps, TreeOfOddGroups) {
  for (const size_t local : {3U, 20U, 50U, 100U}) {
    const auto in = random_values(kGroups * local);
    EXPECT_EQ(run_kernel(R"(
      kernel void k(global uint* out, global const uint* in, uint n) {
        local uint t[128];
        uint l = get_local_id(0), L = get_local_size(0);
        t[l] = in[get_global_id(0)];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint s = 64; s > 0; s >>= 1) {
          if (l < s && l + s < L) t[l] += t[l + s];
          barrier(CLK_LOCAL_MEM_FENCE);
        }
        if (l == 0) out[get_group_id(0)] = t[0];
      })",
                         in, kGroups, local),
              sums_of(in, local))
        << local;
  }
}

// A loop whose length depends on the data is before the steps.
TEST_F(LocalMemorySteps, TreeBehindALoop) {
  const size_t local = 64, groups = 3;
  const auto in = random_values(1000);
  std::vector<cl_uint> expected(groups);
  for (size_t i = 0; i != in.size(); ++i)
    expected[i / local % groups] += in[i];
  EXPECT_EQ(run_kernel(R"(
    kernel void k(global uint* out, global const uint* in, uint n) {
      local uint t[64];
      uint l = get_local_id(0), sum = 0;
      for (uint i = get_global_id(0); i < n; i += get_global_size(0)) sum += in[i];
      t[l] = sum;
      barrier(CLK_LOCAL_MEM_FENCE);
      for (uint s = 32; s > 0; s >>= 1) {
        if (l < s) t[l] += t[l + s];
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      if (l == 0) out[get_group_id(0)] = t[0];
    })",
                       in, groups, local, groups),
            expected);
}

// What is in local memory at the end of a row is used in the next one.
TEST_F(LocalMemorySteps, TreesInALoopThatContinue) {
  const size_t local = 64, groups = 2, rows = 10;
  const auto in = random_values(rows * local * groups);
  std::vector<cl_uint> expected(groups);
  for (size_t g = 0; g != groups; ++g) {
    cl_uint carried = 0;
    for (size_t row = 0; row != rows; ++row) {
      cl_uint sum = carried;
      for (size_t l = 0; l != local; ++l)
        sum += in[(row * groups + g) * local + l];
      carried = sum * 3;
    }
    expected[g] = carried;
  }
  EXPECT_EQ(run_kernel(R"(
    kernel void k(global uint* out, global const uint* in, uint n) {
      local uint t[64], carried[2];
      uint l = get_local_id(0);
      if (l < 2) carried[l] = 0;
      for (uint i = get_global_id(0); i < n; i += get_global_size(0)) {
        t[l] = in[i];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint s = 32; s > 0; s >>= 1) {
          if (l < s) t[l] += t[l + s];
          barrier(CLK_LOCAL_MEM_FENCE);
        }
        if (l == 0) carried[1] = (t[0] + carried[1]) * 3;
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      if (l == 0) out[get_group_id(0)] = carried[1];
    })",
                       in, groups, local, groups),
            expected);
}

TEST_F(LocalMemorySteps, Scans) {
  const char* const hillis_steele = R"(
    kernel void k(global uint* out, global const uint* in, uint n) {
      local uint t[2][128];
      uint l = get_local_id(0), from = 0;
      t[0][l] = in[get_global_id(0)];
      barrier(CLK_LOCAL_MEM_FENCE);
      for (uint d = 1; d < 128; d *= 2) {
        uint v = t[from][l];
        if (l >= d) v += t[from][l - d];
        from = 1 - from;
        t[from][l] = v;
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      out[get_global_id(0)] = t[from][l];
    })";
  const char* const in_place = R"(
    kernel void k(global uint* out, global const uint* in, uint n) {
      local uint t[128];
      uint l = get_local_id(0), g = get_global_id(0);
      t[l] = in[g];
      for (uint d = 1; d < 128; d *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        uint v = l >= d ? t[l - d] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        t[l] += v;
      }
      out[g] = t[l];
    })";
  const size_t local = 128;
  const auto in = random_values(kGroups * local);
  auto expected = in;
  for (size_t i = 0; i != in.size(); ++i)
    expected[i] += i % local != 0 ? expected[i - 1] : 0;
  EXPECT_EQ(run_kernel(hillis_steele, in, in.size(), local), expected);
  EXPECT_EQ(run_kernel(in_place, in, in.size(), local), expected);
}

// Exchanges behind conditions that depend on the data, of keys alone and with values.
TEST_F(LocalMemorySteps, SortingNetworks) {
  for (const bool with_values : {false, true}) {
    const size_t local = 64, keys = 2 * local;
    const auto in = random_values(kGroups * keys);
    const auto got = run_kernel(std::string(with_values ? "#define VALUES\n" : "") + R"(
      kernel void k(global uint* out, global const uint* in, uint n) {
        local uint t[128], v[128];
        uint l = get_local_id(0), base = get_group_id(0) * 128;
        for (uint i = l; i < 128; i += 64) { t[i] = in[base + i]; v[i] = base + i; }
        for (uint size = 2; size <= 128; size *= 2)
          for (uint stride = size / 2; stride > 0; stride /= 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            uint i = 2 * l - (l & (stride - 1)), j = i + stride, a = t[i], b = t[j];
            if ((a > b) == ((i & size) == 0)) {
              t[i] = b;
              t[j] = a;
      #ifdef VALUES
              uint c = v[i];
              v[i] = v[j];
              v[j] = c;
      #endif
            }
          }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint i = l; i < 128; i += 64)
      #ifdef VALUES
          out[base + i] = in[v[i]];
      #else
          out[base + i] = t[i];
      #endif
      })",
                                in, in.size(), local);
    auto expected = in;
    for (auto first = expected.begin(); first != expected.end(); first += keys)
      std::sort(first, first + keys);
    EXPECT_EQ(got, expected) << with_values;
  }
}

// Elements of other sizes at one place, of several arrays, of vectors and of structs.
TEST_F(LocalMemorySteps, OtherElements) {
  const size_t local = 64;
  const auto in = random_values(kGroups * local);
  const auto sums = sums_of(in, local);
  for (const char* memory :
       {"local ushort t[64]; local uint other[64]; other[l] = 1;",
        "local uint4 q[16]; local uint* t = (local uint*)q;",
        "local struct { char c; uint x; } q[64]; local uint* t = &q[0].x;", "local ulong t[64];",
        "local float t[64];", "local uint t[64]; t[63 - l] = 5; B"}) {
    // Elements of a struct are two words apart.
    const bool is_struct = std::string(memory).find("struct") != std::string::npos;
    const auto source = "#define B barrier(CLK_LOCAL_MEM_FENCE);\n#define AT(i) t[" +
                        std::string(is_struct ? "2 * (i)" : "i") +
                        "]\nkernel void k(global uint* out, global const uint* in, uint n) {\n"
                        "  uint l = get_local_id(0);\n  " +
                        memory +
                        "\n  AT(l) = in[get_global_id(0)]; B\n"
                        "  for (uint s = 32; s > 0; s >>= 1) { if (l < s) AT(l) += AT(l + s); B }\n"
                        "  if (l == 0) out[get_group_id(0)] = AT(0); }";
    EXPECT_EQ(run_kernel(source, in, kGroups, local), sums) << memory;
  }
}

// Words that are written as bytes, and bytes that are read as words.
TEST_F(LocalMemorySteps, BytesOfWords) {
  const size_t local = 64;
  const auto in = random_values(kGroups * local);
  std::vector<cl_uint> expected;
  for (size_t i = 0; i != in.size(); ++i) {
    const auto other = in[i / local * local + (i + 1) % local];
    expected.push_back((in[i] & 0xffffff00U) | (other & 0xffU));
  }
  EXPECT_EQ(run_kernel(R"(
    kernel void k(global uint* out, global const uint* in, uint n) {
      local uint t[64];
      uint l = get_local_id(0);
      t[l] = in[get_global_id(0)];
      barrier(CLK_LOCAL_MEM_FENCE);
      uchar next = ((local uchar*)t)[(l + 1) % 64 * 4];
      barrier(CLK_LOCAL_MEM_FENCE);
      ((local uchar*)t)[l * 4] = next;
      barrier(CLK_LOCAL_MEM_FENCE);
      out[get_global_id(0)] = t[l];
    })",
                       in, in.size(), local),
            expected);
}

// Arguments in local memory are apart from each other and from variables.
TEST_F(LocalMemorySteps, ArgumentsInLocalMemory) {
  const size_t local = 32;
  const auto in = random_values(kGroups * local);
  const auto input = make_buffer(context_, in.size() * sizeof(cl_uint), in.data(),
                                 CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR);
  const auto output = make_buffer(context_, kGroups * sizeof(cl_uint));
  const auto program = build(context_, R"(
    kernel void k(global uint* out, global const uint* in, local uint* a, local uint* b) {
      local uint c[32];
      uint l = get_local_id(0), v = in[get_global_id(0)];
      a[l] = v;
      b[l] = 2 * v;
      c[l] = 3 * v;
      barrier(CLK_LOCAL_MEM_FENCE);
      for (uint s = 16; s > 0; s >>= 1) {
        if (l < s) {
          a[l] += a[l + s];
          b[l] += b[l + s];
          c[l] += c[l + s];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      if (l == 0) out[get_group_id(0)] = a[0] + b[0] * 10 + c[0] * 100;
    })");
  const auto kernel = make_kernel(program, "k");
  set_args(kernel, output, input, Local{local * sizeof(cl_uint)}, Local{local * sizeof(cl_uint)});
  run(queue_, kernel, {{kGroups * local}, {local}, {}});
  auto expected = sums_of(in, local);
  for (auto& sum : expected)
    sum *= 321;
  EXPECT_EQ(read<cl_uint>(queue_, output, kGroups), expected);
}

} // namespace
} // namespace heddle::test
