// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Block reads and writes of 2D images (cl_intel_subgroups with _char, _short and _long).
#include "tests/api/api_test.h"
#include "tests/api/images.h"

#include <algorithm>
#include <string>

namespace heddle::test {
namespace {

constexpr long kWidth = 41, kHeight = 11; // of images, in elements
constexpr long kLanes = 16;

struct Format {
  cl_image_format format;
  long element;
};
constexpr Format kUint = {{CL_RGBA, CL_UNSIGNED_INT8}, 4};
constexpr Format kFormats[] = {kUint, {{CL_R, CL_UNSIGNED_INT8}, 1}, {{CL_RG, CL_UNORM_INT8}, 2}};

struct Data {
  const char* type;
  const char* suffix;
  long bytes, largest; // of a component; components of a block
};
constexpr Data kData[] = {{"uint", "", 4, 8},
                          {"uint", "_ui", 4, 8},
                          {"ulong", "_ul", 8, 8},
                          {"ushort", "_us", 2, 16},
                          {"uchar", "_uc", 1, 16}};

std::string number(long n) { return n == 1 ? "" : std::to_string(n); }

// Kernels of one sub-group, for each number of components: read1, read_rw1, write1, write_rw1, ...
// Memory has component k of lane i at index k * lanes + i.
std::string source_of(const Data& data) {
  std::string text;
  const auto put = [&](const auto&... parts) { (text.append(parts), ...); };
  const auto lanes = std::to_string(kLanes);
  for (long n = 1; n <= data.largest; n *= 2) {
    const auto count = number(n);
    const auto put_component = [&](long k) {
      if (n == 1)
        put("v");
      else
        put("v[", std::to_string(k), "]");
    };
    const auto put_element = [&](long k) { put("data[i + ", std::to_string(k * kLanes), "]"); };
    const auto put_kernel = [&](const char* name, const char* access) {
      put("__attribute__((intel_reqd_sub_group_size(", lanes, "))) kernel void ", name,
          std::to_string(n), "(", access, " image2d_t image, int2 at, global ", data.type,
          "* data) {\n  uint i = get_sub_group_local_id();\n  ", data.type, count, " v;\n");
    };
    const auto put_read = [&](const char* name, const char* access) {
      put_kernel(name, access);
      put("  v = intel_sub_group_block_read", data.suffix, count, "(image, at);\n");
      for (long k = 0; k < n; ++k) {
        put("  ");
        put_element(k);
        put(" = ");
        put_component(k);
        put(";\n");
      }
      put("}\n");
    };
    const auto put_write = [&](const char* name, const char* access) {
      put_kernel(name, access);
      for (long k = 0; k < n; ++k) {
        put("  ");
        put_component(k);
        put(" = ");
        put_element(k);
        put(";\n");
      }
      put("  intel_sub_group_block_write", data.suffix, count, "(image, at, v);\n}\n");
    };
    put_read("read", "read_only");
    put_read("read_rw", "read_write");
    put_write("write", "write_only");
    put_write("write_rw", "read_write");
  }
  return text;
}

class ImageBlocks : public ApiTest, public testing::WithParamInterface<Data> {
 protected:
  const Data& data_ = GetParam();
  Program program_ = build(context_, source_of(data_), "-cl-std=CL3.0");
  const Range one_{{static_cast<size_t>(kLanes)}, {static_cast<size_t>(kLanes)}, {}};

  // F(components, name of the kernel's end)
  template <class F>
  void for_each_kernel(F&& f) {
    for (long n = 1; n <= data_.largest; n *= 2)
      for (const std::string access : {"", "_rw"})
        f(n, access + std::to_string(n));
  }
};

Texels contents(const Format& format, unsigned start) {
  Texels made({kWidth, kHeight, 1}, static_cast<size_t>(format.element));
  made.number(start);
  return made;
}

// Inside, across each edge and corner, far outside, and as far as coordinates go; writes begin at
// multiples of four bytes.
std::vector<cl_int2> places(const Format& format, const Data& data) {
  const long row = kWidth * format.element, block = kLanes * data.bytes;
  std::vector<cl_int2> made;
  const auto add = [&](long x, long y) {
    made.push_back({{static_cast<cl_int>(x / 4 * 4), static_cast<cl_int>(y)}});
  };
  for (const long x : {0L, 16L, row - block / 2, row - 4, row, -4L, -block / 2, -1000L})
    for (const long y : {3L, kHeight - 2, -3L})
      add(x, y);
  for (const long limit : {2147483647L, -2147483648L}) {
    add(limit, 0);
    add(0, limit);
  }
  return made;
}

TEST_P(ImageBlocks, ReadsClampToTheEdge) {
  for (const auto& format : kFormats) {
    auto texels = contents(format, 1);
    const auto image =
        make_image(context_, describe(CL_MEM_OBJECT_IMAGE2D, kWidth, kHeight), format.format);
    write_image(queue_, image, {kWidth, kHeight, 1}, texels);
    auto all = places(format, data_);
    all.push_back({{1, 1}}); // reads begin at any byte
    all.push_back({{static_cast<cl_int>(kWidth * format.element - 5), 2}});
    for_each_kernel([&](long n, const std::string& name) {
      const auto kernel = make_kernel(program_, ("read" + name).c_str());
      const auto bytes = static_cast<size_t>(n * kLanes * data_.bytes);
      const auto out = make_buffer(context_, bytes);
      for (const auto& at : all) {
        set_args(kernel, image, at, out);
        run(queue_, kernel, one_);
        std::vector<unsigned char> expected;
        for (long k = 0; k < n; ++k)
          for (long b = 0; b < kLanes * data_.bytes; ++b) {
            const long byte = at.s[0] + b, in_texel = byte & (format.element - 1);
            const long x = std::clamp((byte - in_texel) / format.element, 0L, kWidth - 1);
            const long y = std::clamp(at.s[1] + k, 0L, kHeight - 1);
            expected.push_back(
                texels.at(static_cast<size_t>(x), static_cast<size_t>(y), 0)[in_texel]);
          }
        ASSERT_EQ(read<unsigned char>(queue_, out, bytes), expected)
            << name << " at " << at.s[0] << ", " << at.s[1] << " elements of " << format.element;
      }
    });
  }
}

TEST_P(ImageBlocks, WritesOutsideAreDropped) {
  for (const auto& format : kFormats) {
    const auto image =
        make_image(context_, describe(CL_MEM_OBJECT_IMAGE2D, kWidth, kHeight), format.format);
    for_each_kernel([&](long n, const std::string& name) {
      const auto kernel = make_kernel(program_, ("write" + name).c_str());
      std::vector<unsigned char> given(static_cast<size_t>(n * kLanes * data_.bytes));
      unsigned value = 77;
      for (auto& byte : given)
        byte = static_cast<unsigned char>((value = value * 1664525 + 1013904223) >> 24);
      const auto from = make_buffer(context_, given.size(), given.data());
      for (const auto& at : places(format, data_)) {
        auto expected = contents(format, 5);
        write_image(queue_, image, {kWidth, kHeight, 1}, expected);
        set_args(kernel, image, at, from);
        run(queue_, kernel, one_);
        const long row = kLanes * data_.bytes;
        for (long k = 0; k < n; ++k)
          for (long b = 0; b < row; ++b) {
            const long x = at.s[0] + b, y = at.s[1] + k;
            if (x >= 0 && x < kWidth * format.element && y >= 0 && y < kHeight)
              expected.at(0, static_cast<size_t>(y), 0)[x] =
                  given[static_cast<size_t>(k * row + b)];
          }
        ASSERT_TRUE(read_image(queue_, image, {kWidth, kHeight, 1},
                               static_cast<size_t>(format.element)) == expected)
            << name << " at " << at.s[0] << ", " << at.s[1] << " elements of " << format.element;
      }
    });
  }
}

INSTANTIATE_TEST_SUITE_P(All, ImageBlocks, testing::ValuesIn(kData), [](const auto& of) {
  return std::string(of.param.type) + of.param.suffix;
});

// Programs of OpenCL C 1.2, which has no read_write, see the functions too.
TEST(ImageBlocksOf12, AreDeclared) {
  const auto context = make_context();
  const auto program = make_program(
      context, "kernel void k(read_only image2d_t a, write_only image2d_t b, int2 at) {"
               "  intel_sub_group_block_write2(b, at, intel_sub_group_block_read2(a, at)); }");
  EXPECT_EQ(clBuildProgram(program, 0, nullptr, "-cl-std=CL1.2", nullptr, nullptr), CL_SUCCESS)
      << build_log(program);
}

} // namespace
} // namespace heddle::test
