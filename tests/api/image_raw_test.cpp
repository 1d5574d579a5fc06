// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_ext_image_raw10_raw12: four elements in five bytes, two in three.
#include "tests/api/api_test.h"
#include "tests/api/images.h"

#include <CL/cl_ext.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

// Not in the headers of Debian 12.
#ifndef CL_UNSIGNED_INT_RAW10_EXT
#define CL_UNSIGNED_INT_RAW10_EXT 0x10E3
#define CL_UNSIGNED_INT_RAW12_EXT 0x10E4
#endif

namespace heddle::test {
namespace {

struct Raw {
  cl_image_format format;
  size_t pack, bytes; // elements that share bytes, and how many bytes
  unsigned low_bits() const { return static_cast<unsigned>(8 / pack); }
  unsigned codes() const { return 256u << low_bits(); }
};
constexpr Raw kRaws[] = {{{CL_R, CL_UNSIGNED_INT_RAW10_EXT}, 4, 5},
                         {{CL_R, CL_UNSIGNED_INT_RAW12_EXT}, 2, 3}};

// As the table of the extension has it: the upper 8 bits of each element, then the others, of the
// first element in the lowest bits.
std::vector<cl_uchar> packed(const Raw& raw, const std::vector<cl_uint>& values) {
  std::vector<cl_uchar> bytes;
  for (size_t i = 0; i < values.size(); i += raw.pack) {
    unsigned lows = 0;
    for (size_t k = 0; k < raw.pack; ++k) {
      bytes.push_back(static_cast<cl_uchar>(values[i + k] >> raw.low_bits()));
      lows |= values[i + k] % (1u << raw.low_bits()) << k * raw.low_bits();
    }
    bytes.push_back(static_cast<cl_uchar>(lows));
  }
  return bytes;
}

class RawImages : public ApiTest {
 protected:
  // Every code at every place of a pack.
  static std::vector<cl_uint> values(const Raw& raw) {
    std::vector<cl_uint> values;
    for (unsigned shift = 0; shift < raw.pack; ++shift)
      for (unsigned code = 0; code < raw.codes(); ++code)
        values.push_back((code + shift) % raw.codes());
    return values;
  }
  std::vector<cl_uint> read_by_kernel(cl_mem image, const char* type, const char* place,
                                      const Triple& size) {
    const auto source = "kernel void get(read_only " + std::string(type) +
                        " from, global uint4* to) {\n"
                        "  const int x = get_global_id(0), y = get_global_id(1), "
                        "z = get_global_id(2);\n"
                        "  to[(z * get_global_size(1) + y) * get_global_size(0) + x] =\n"
                        "      read_imageui(from, " +
                        place + ");\n}";
    const auto program = build(context_, source, "-cl-std=CL3.0");
    const auto kernel = make_kernel(program, "get");
    const auto count = size[0] * size[1] * size[2];
    const auto to = make_buffer(context_, count * sizeof(cl_uint4));
    set_args(kernel, image, to);
    run(queue_, kernel, {{size[0], size[1], size[2]}, {}, {}});
    const auto got = read<cl_uint4>(queue_, to, count);
    std::vector<cl_uint> reds;
    for (const auto& color : got) {
      reds.push_back(color.s[0]);
      EXPECT_EQ(color.s[1], 0u);
      EXPECT_EQ(color.s[2], 0u);
      EXPECT_EQ(color.s[3], 1u);
    }
    return reds;
  }
  cl_int error(const cl_image_desc& d, const Raw& raw, cl_mem_flags flags = CL_MEM_READ_ONLY,
               void* host = nullptr) {
    return image_error(context_, flags, &raw.format, &d, host);
  }
};

TEST_F(RawImages, AreListedForReading) {
  EXPECT_NE(device_text(CL_DEVICE_EXTENSIONS).find("cl_ext_image_raw10_raw12"), std::string::npos);
  for (const auto& raw : kRaws)
    for (const cl_mem_flags flags :
         {CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY, CL_MEM_KERNEL_READ_AND_WRITE}) {
      bool is_listed = false;
      for (const auto& format : supported_formats(context_, flags, CL_MEM_OBJECT_IMAGE2D))
        is_listed |= format.image_channel_data_type == raw.format.image_channel_data_type;
      EXPECT_EQ(is_listed, flags == CL_MEM_READ_ONLY);
    }
}

TEST_F(RawImages, KernelsReadEveryCode) {
  struct Type {
    cl_mem_object_type type;
    const char *name, *place;
  };
  constexpr Type kTypes[] = {{CL_MEM_OBJECT_IMAGE1D, "image1d_t", "x"},
                             {CL_MEM_OBJECT_IMAGE1D_ARRAY, "image1d_array_t", "(int2)(x, y)"},
                             {CL_MEM_OBJECT_IMAGE2D, "image2d_t", "(int2)(x, y)"},
                             {CL_MEM_OBJECT_IMAGE2D_ARRAY, "image2d_array_t", "(int4)(x, y, z, 0)"},
                             {CL_MEM_OBJECT_IMAGE3D, "image3d_t", "(int4)(x, y, z, 0)"}};
  for (const auto& raw : kRaws)
    for (const auto& [type, name, place] : kTypes) {
      SCOPED_TRACE(name);
      const auto all = values(raw);
      const size_t slices = type == CL_MEM_OBJECT_IMAGE1D ? 1 : 2;
      const auto d =
          describe(type, all.size() / slices / (has_rows(type) ? 16 : 1), 16 / slices, slices);
      auto size = whole(d);
      auto expected = all;
      expected.resize(size[0] * size[1] * size[2]);
      auto bytes = packed(raw, expected);
      const auto image = make_image(context_, d, raw.format, bytes.data(),
                                    CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR);
      EXPECT_EQ(read_by_kernel(image, name, place, size), expected);
      EXPECT_EQ(image_info<size_t>(image, CL_IMAGE_ROW_PITCH), size[0] / raw.pack * raw.bytes);
      EXPECT_EQ(image_info<size_t>(image, CL_IMAGE_ELEMENT_SIZE), 2u);
      // The same bytes come back, also of a part that is whole packs.
      std::vector<cl_uchar> back(bytes.size());
      check(clEnqueueReadImage(queue_, image, CL_TRUE, kNoOrigin.data(), size.data(), 0, 0,
                               back.data(), 0, nullptr, nullptr),
            "clEnqueueReadImage");
      EXPECT_EQ(back, bytes);
      const Triple origin = {2 * raw.pack, 0, 0}, region = {3 * raw.pack, 1, 1};
      check(clEnqueueReadImage(queue_, image, CL_TRUE, origin.data(), region.data(), 0, 0,
                               back.data(), 0, nullptr, nullptr),
            "clEnqueueReadImage");
      EXPECT_TRUE(std::equal(back.begin(), back.begin() + static_cast<long>(3 * raw.bytes),
                             bytes.begin() + static_cast<long>(2 * raw.bytes)));
    }
}

TEST_F(RawImages, InBuffersWithAnyPitch) {
  for (const auto& raw : kRaws) {
    const size_t width = 16, height = 3, row = width / raw.pack * raw.bytes + 1;
    std::vector<cl_uint> all(width * height);
    std::minstd_rand random(5);
    for (auto& value : all)
      value = static_cast<cl_uint>(random() >> 3) % raw.codes();
    const auto bytes = packed(raw, all);
    std::vector<cl_uchar> rows(row * height);
    for (size_t y = 0; y != height; ++y)
      std::copy_n(bytes.begin() + static_cast<long>(y * (row - 1)), row - 1,
                  rows.begin() + static_cast<long>(y * row));
    const auto buffer = make_buffer(context_, rows.size());
    check(clEnqueueWriteBuffer(queue_, buffer, CL_TRUE, 0, rows.size(), rows.data(), 0, nullptr,
                               nullptr),
          "write");
    auto d = describe(CL_MEM_OBJECT_IMAGE2D, width, height);
    d.mem_object = buffer;
    d.image_row_pitch = row;
    const auto image = make_image(context_, d, raw.format, nullptr, CL_MEM_READ_ONLY);
    EXPECT_EQ(read_by_kernel(image, "image2d_t", "(int2)(x, y)", {width, height, 1}), all);
    auto line = describe(CL_MEM_OBJECT_IMAGE1D_BUFFER, width);
    line.mem_object = buffer;
    const auto first = make_image(context_, line, raw.format, nullptr, CL_MEM_READ_ONLY);
    all.resize(width);
    EXPECT_EQ(read_by_kernel(first, "image1d_buffer_t", "x", {width, 1, 1}), all);
  }
}

TEST_F(RawImages, FillsAndCopiesOfWholePacks) {
  for (const auto& raw : kRaws) {
    // Large enough that several threads fill it.
    const auto d = describe(CL_MEM_OBJECT_IMAGE2D, 2048, 1024);
    const auto size = whole(d);
    const auto a = make_image(context_, d, raw.format, nullptr, CL_MEM_READ_ONLY);
    const auto b = make_image(context_, d, raw.format, nullptr, CL_MEM_READ_ONLY);
    const cl_uint value = raw.codes() - 0x5b;
    const cl_uint color[4] = {value, 1, 2, 3}, bright[4] = {0xffffffff, 0, 0, 0};
    const auto fill = [&](cl_mem image, const cl_uint* with, const Triple& origin,
                          const Triple& region) {
      return clEnqueueFillImage(queue_, image, with, origin.data(), region.data(), 0, nullptr,
                                nullptr);
    };
    EXPECT_EQ(fill(a, color, kNoOrigin, size), CL_SUCCESS);
    EXPECT_EQ(fill(a, bright, {raw.pack, 1, 0}, {2 * raw.pack, 2, 1}), CL_SUCCESS);
    EXPECT_EQ(clEnqueueCopyImage(queue_, a, b, kNoOrigin.data(), kNoOrigin.data(), size.data(), 0,
                                 nullptr, nullptr),
              CL_SUCCESS);
    std::vector<cl_uint> expected(size[0] * size[1], value);
    for (size_t y = 1; y != 3; ++y)
      for (size_t x = raw.pack; x != 3 * raw.pack; ++x)
        expected[y * size[0] + x] = raw.codes() - 1;
    EXPECT_EQ(read_by_kernel(b, "image2d_t", "(int2)(x, y)", size), expected);
    // Parts of packs have no address.
    EXPECT_EQ(fill(a, color, {1, 0, 0}, {raw.pack, 1, 1}), CL_INVALID_VALUE);
    EXPECT_EQ(fill(a, color, kNoOrigin, {raw.pack + 1, 1, 1}), CL_INVALID_VALUE);
  }
}

TEST_F(RawImages, Errors) {
  for (const auto& raw : kRaws) {
    auto d = describe(CL_MEM_OBJECT_IMAGE2D, 10 * raw.pack + raw.pack / 2, 4);
    EXPECT_EQ(error(d, raw), CL_INVALID_IMAGE_DESCRIPTOR);
    d.image_width = 8 * raw.pack;
    EXPECT_EQ(error(d, raw), CL_SUCCESS);
    EXPECT_EQ(error(d, raw, CL_MEM_READ_WRITE), CL_IMAGE_FORMAT_NOT_SUPPORTED);
    EXPECT_EQ(error(d, raw, CL_MEM_WRITE_ONLY), CL_IMAGE_FORMAT_NOT_SUPPORTED);
    d.num_mip_levels = 2;
    EXPECT_EQ(error(d, raw), CL_INVALID_IMAGE_DESCRIPTOR);
    d.num_mip_levels = 0;
    const cl_image_format other = {CL_RG, raw.format.image_channel_data_type};
    EXPECT_EQ(image_error(context_, CL_MEM_READ_ONLY, &other, &d),
              CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  }
}

// Accesses that an image does not allow are told before regions that are no whole packs.
TEST_F(RawImages, MapsOfPartsOfPacks) {
  for (const auto& raw : kRaws) {
    const auto d = describe(CL_MEM_OBJECT_IMAGE2D, 8 * raw.pack, 4);
    const auto map_error = [&](cl_mem_flags flags) {
      const auto image = make_image(context_, d, raw.format, nullptr, flags);
      const size_t origin[] = {1, 0, 0}, region[] = {raw.pack, 1, 1};
      size_t pitch = 0;
      cl_int error = CL_SUCCESS;
      clEnqueueMapImage(queue_, image, CL_TRUE, CL_MAP_WRITE, origin, region, &pitch, nullptr, 0,
                        nullptr, nullptr, &error);
      return error;
    };
    EXPECT_EQ(map_error(CL_MEM_READ_ONLY), CL_INVALID_VALUE);
    EXPECT_EQ(map_error(CL_MEM_READ_ONLY | CL_MEM_HOST_READ_ONLY), CL_INVALID_OPERATION);
  }
}

TEST_F(RawImages, Macros) {
  const auto program = build(context_, R"(
#if !cl_ext_image_raw10_raw12 || !__opencl_c_ext_image_raw10_raw12
#error no extension
#endif
kernel void names(global int* out) {
  out[0] = CLK_UNSIGNED_INT_RAW10_EXT;
  out[1] = CLK_UNSIGNED_INT_RAW12_EXT;
})",
                             "-cl-std=CL3.0");
  const auto kernel = make_kernel(program, "names");
  const auto out = make_buffer(context_, 8);
  set_args(kernel, out);
  run(queue_, kernel, {{1}, {}, {}});
  EXPECT_EQ(read<cl_int>(queue_, out, 2), (std::vector<cl_int>{0x10E3, 0x10E4}));
}

} // namespace
} // namespace heddle::test
