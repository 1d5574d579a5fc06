// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images on the host side: formats, creation, regions against a model, fills, maps, errors.
#include "harness.h"

#include <array>
#include <cmath>
#include <cstring>
#include <random>

using namespace conformance;

namespace {

using Triple = std::array<size_t, 3>;
constexpr Triple kStart = {0, 0, 0};

struct Texel {
  cl_image_format format;
  size_t bytes;
};

// API, Minimum List of Supported Image Formats.
const Texel kRequired[] = {
    {{CL_RGBA, CL_UNORM_INT8}, 4},     {{CL_RGBA, CL_UNORM_INT16}, 8},
    {{CL_RGBA, CL_SIGNED_INT8}, 4},    {{CL_RGBA, CL_SIGNED_INT16}, 8},
    {{CL_RGBA, CL_SIGNED_INT32}, 16},  {{CL_RGBA, CL_UNSIGNED_INT8}, 4},
    {{CL_RGBA, CL_UNSIGNED_INT16}, 8}, {{CL_RGBA, CL_UNSIGNED_INT32}, 16},
    {{CL_RGBA, CL_HALF_FLOAT}, 8},     {{CL_RGBA, CL_FLOAT}, 16},
    {{CL_BGRA, CL_UNORM_INT8}, 4},
};
const cl_mem_object_type kTypes[] = {CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE1D_ARRAY,
                                     CL_MEM_OBJECT_IMAGE2D, CL_MEM_OBJECT_IMAGE2D_ARRAY,
                                     CL_MEM_OBJECT_IMAGE3D};

cl_image_desc describe(cl_mem_object_type type, size_t x, size_t y, size_t z) {
  cl_image_desc d{};
  d.image_type = type;
  d.image_width = x;
  d.image_height = y;
  (type == CL_MEM_OBJECT_IMAGE3D ? d.image_depth : d.image_array_size) = z;
  return d;
}

// Elements, rows and slices of the whole.
Triple extent(const cl_image_desc& d) {
  switch (d.image_type) {
  case CL_MEM_OBJECT_IMAGE1D:
    return {d.image_width, 1, 1};
  case CL_MEM_OBJECT_IMAGE1D_ARRAY:
    return {d.image_width, d.image_array_size, 1};
  case CL_MEM_OBJECT_IMAGE2D:
    return {d.image_width, d.image_height, 1};
  case CL_MEM_OBJECT_IMAGE2D_ARRAY:
    return {d.image_width, d.image_height, d.image_array_size};
  default:
    return {d.image_width, d.image_height, d.image_depth};
  }
}

// A part that leaves a border where there is room for one.
std::pair<Triple, Triple> inner(const Triple& size) {
  Triple origin = kStart, region = {1, 1, 1};
  for (size_t i = 0; i < 3; ++i)
    if (size[i] > 2) {
      origin[i] = 1;
      region[i] = size[i] - 2;
    }
  return {origin, region};
}

class Images : public DeviceTest {
 protected:
  void SetUp() override {
    if (!info<cl_bool>(clGetDeviceInfo, device, CL_DEVICE_IMAGE_SUPPORT))
      GTEST_SKIP() << "the device has no images";
    DeviceTest::SetUp();
  }
  Memory make(const cl_image_desc& d, const cl_image_format& format, void* host = nullptr,
              cl_mem_flags flags = CL_MEM_READ_WRITE) {
    cl_int error = CL_SUCCESS;
    Memory image(clCreateImage(context, flags, &format, &d, host, &error));
    EXPECT_CL(error);
    return image;
  }
  std::vector<cl_uchar> read_all(cl_mem image, const Triple& size, size_t bytes) {
    std::vector<cl_uchar> data(size[0] * size[1] * size[2] * bytes);
    EXPECT_CL(clEnqueueReadImage(queue, image, CL_TRUE, kStart.data(), size.data(), 0, 0,
                                 data.data(), 0, nullptr, nullptr));
    return data;
  }
  static std::vector<cl_uchar> random_bytes(size_t size, unsigned seed) {
    std::vector<cl_uchar> data(size);
    std::mt19937 random(seed);
    for (auto& byte : data)
      byte = cl_uchar(random());
    return data;
  }
};

TEST_F(Images, RequiredFormats) {
  SPEC("API, Minimum List of Supported Image Formats");
  for (const cl_mem_flags flags : {CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY, CL_MEM_READ_WRITE})
    for (const auto type : kTypes) {
      cl_uint count = 0;
      ASSERT_CL(clGetSupportedImageFormats(context, flags, type, 0, nullptr, &count));
      std::vector<cl_image_format> formats(count);
      ASSERT_CL(clGetSupportedImageFormats(context, flags, type, count, formats.data(), nullptr));
      for (const auto& required : kRequired) {
        bool found = false;
        for (const auto& format : formats)
          found |= std::memcmp(&format, &required.format, sizeof format) == 0;
        EXPECT_TRUE(found) << required.format.image_channel_data_type;
      }
    }
}

TEST_F(Images, Queries) {
  SPEC("API, Image Object Queries: clGetImageInfo");
  for (const auto type : kTypes)
    for (const auto& texel : kRequired) {
      const auto d = describe(type, 9, 5, 3);
      const auto image = make(d, texel.format);
      const auto get = [&](cl_image_info name) {
        return info<size_t>(clGetImageInfo, image.get(), name);
      };
      const bool rows = type != CL_MEM_OBJECT_IMAGE1D && type != CL_MEM_OBJECT_IMAGE1D_ARRAY;
      const bool array = type == CL_MEM_OBJECT_IMAGE1D_ARRAY || type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
      const bool deep = type == CL_MEM_OBJECT_IMAGE3D;
      EXPECT_EQ(get(CL_IMAGE_ELEMENT_SIZE), texel.bytes);
      EXPECT_EQ(get(CL_IMAGE_WIDTH), 9u);
      EXPECT_EQ(get(CL_IMAGE_HEIGHT), rows ? 5u : 0u);
      EXPECT_EQ(get(CL_IMAGE_DEPTH), deep ? 3u : 0u);
      EXPECT_EQ(get(CL_IMAGE_ARRAY_SIZE), array ? 3u : 0u);
      EXPECT_EQ(get(CL_IMAGE_ROW_PITCH), 9 * texel.bytes);
      EXPECT_EQ(get(CL_IMAGE_SLICE_PITCH), deep || array ? 9 * texel.bytes * (rows ? 5 : 1) : 0u);
      EXPECT_EQ(info<cl_mem_object_type>(clGetMemObjectInfo, image.get(), CL_MEM_TYPE), type);
    }
}

TEST_F(Images, Regions) {
  SPEC("API, Reading, Writing and Copying Image Objects");
  for (const auto type : kTypes)
    for (const auto& texel : kRequired) {
      const auto d = describe(type, 9, 5, 4);
      const auto size = extent(d);
      const auto [origin, region] = inner(size);
      const auto image = make(d, texel.format), copy = make(d, texel.format);
      auto model = random_bytes(size[0] * size[1] * size[2] * texel.bytes, 1);
      ASSERT_CL(clEnqueueWriteImage(queue, image, CL_TRUE, kStart.data(), size.data(), 0, 0,
                                    model.data(), 0, nullptr, nullptr));
      ASSERT_CL(clEnqueueWriteImage(queue, copy, CL_TRUE, kStart.data(), size.data(), 0, 0,
                                    model.data(), 0, nullptr, nullptr));
      EXPECT_EQ(read_all(image, size, texel.bytes), model);
      const auto part = random_bytes(region[0] * region[1] * region[2] * texel.bytes, 2);
      ASSERT_CL(clEnqueueWriteImage(queue, image, CL_TRUE, origin.data(), region.data(), 0, 0,
                                    part.data(), 0, nullptr, nullptr));
      for (size_t z = 0; z < region[2]; ++z)
        for (size_t y = 0; y < region[1]; ++y)
          std::memcpy(&model[(((origin[2] + z) * size[1] + origin[1] + y) * size[0] + origin[0]) *
                             texel.bytes],
                      &part[(z * region[1] + y) * region[0] * texel.bytes],
                      region[0] * texel.bytes);
      EXPECT_EQ(read_all(image, size, texel.bytes), model);
      ASSERT_CL(clEnqueueCopyImage(queue, image, copy, origin.data(), origin.data(), region.data(),
                                   0, nullptr, nullptr));
      EXPECT_EQ(read_all(copy, size, texel.bytes), model);
      const auto buffer = make_buffer(part.size());
      ASSERT_CL(clEnqueueCopyImageToBuffer(queue, copy, buffer, origin.data(), region.data(), 0, 0,
                                           nullptr, nullptr));
      EXPECT_EQ(read<cl_uchar>(buffer, part.size()), part);
      const auto other = make(d, texel.format);
      ASSERT_CL(clEnqueueCopyBufferToImage(queue, buffer, other, 0, origin.data(), region.data(), 0,
                                           nullptr, nullptr));
      ASSERT_CL(clEnqueueCopyImageToBuffer(queue, other, buffer, origin.data(), region.data(), 0, 0,
                                           nullptr, nullptr));
      EXPECT_EQ(read<cl_uchar>(buffer, part.size()), part);
    }
}

TEST_F(Images, Mapping) {
  SPEC("API, Mapping Image Objects: clEnqueueMapImage");
  for (const auto type : kTypes) {
    const auto d = describe(type, 9, 5, 4);
    const auto size = extent(d);
    const auto [origin, region] = inner(size);
    const auto image = make(d, kRequired[0].format);
    const auto model = random_bytes(size[0] * size[1] * size[2] * 4, 3);
    ASSERT_CL(clEnqueueWriteImage(queue, image, CL_TRUE, kStart.data(), size.data(), 0, 0,
                                  model.data(), 0, nullptr, nullptr));
    size_t row = 0, slice = 0;
    cl_int error = CL_SUCCESS;
    auto* mapped = static_cast<cl_uchar*>(clEnqueueMapImage(queue, image, CL_TRUE, CL_MAP_READ,
                                                            origin.data(), region.data(), &row,
                                                            &slice, 0, nullptr, nullptr, &error));
    ASSERT_CL(error);
    const auto step = type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? slice : row;
    for (size_t z = 0; z < region[2]; ++z)
      for (size_t y = 0; y < region[1]; ++y)
        EXPECT_EQ(
            std::memcmp(
                mapped + z * slice + y * step,
                &model[(((origin[2] + z) * size[1] + origin[1] + y) * size[0] + origin[0]) * 4],
                region[0] * 4),
            0);
    EXPECT_CL(clEnqueueUnmapMemObject(queue, image, mapped, 0, nullptr, nullptr));
    EXPECT_CL(clFinish(queue));
  }
}

TEST_F(Images, Fills) {
  SPEC("API, Filling Image Objects; Environment, Conversion Rules");
  const auto d = describe(CL_MEM_OBJECT_IMAGE2D, 6, 4, 0);
  const Triple size = extent(d);
  std::mt19937 random(4);
  std::uniform_real_distribution<float> values(0, 1);
  for (int i = 0; i < 200; ++i) {
    const float color[4] = {values(random), values(random), values(random), values(random)};
    const auto bytes = make(d, {CL_RGBA, CL_UNORM_INT8});
    ASSERT_CL(
        clEnqueueFillImage(queue, bytes, color, kStart.data(), size.data(), 0, nullptr, nullptr));
    const auto floats = make(d, {CL_RGBA, CL_FLOAT});
    ASSERT_CL(
        clEnqueueFillImage(queue, floats, color, kStart.data(), size.data(), 0, nullptr, nullptr));
    const auto got = read_all(bytes, size, 4), exact = read_all(floats, size, 16);
    for (size_t at = 0; at < 24; ++at) {
      EXPECT_EQ(std::memcmp(&exact[at * 16], color, 16), 0);
      for (size_t c = 0; c < 4; ++c)
        EXPECT_LE(std::abs(got[at * 4 + c] - 255.0 * color[c]), 0.6);
    }
  }
}

TEST_F(Images, Errors) {
  SPEC("API, Creating Image Objects; Reading, Writing and Copying Image Objects: errors");
  const auto good = describe(CL_MEM_OBJECT_IMAGE2D, 4, 4, 0);
  const auto creation_error = [&](const cl_image_format* format, const cl_image_desc* d,
                                  cl_mem_flags flags, void* host) {
    cl_int error = CL_SUCCESS;
    const Memory image(clCreateImage(context, flags, format, d, host, &error));
    EXPECT_EQ(image.get() == nullptr, error != CL_SUCCESS);
    return error;
  };
  const auto* rgba = &kRequired[0].format;
  const cl_image_format none = {0, 0};
  const auto empty = describe(CL_MEM_OBJECT_IMAGE2D, 0, 4, 0);
  const auto wide =
      describe(CL_MEM_OBJECT_IMAGE2D,
               info<size_t>(clGetDeviceInfo, device, CL_DEVICE_IMAGE2D_MAX_WIDTH) + 1, 1, 0);
  char host[64] = {};
  EXPECT_EQ(creation_error(nullptr, &good, 0, nullptr), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  EXPECT_EQ(creation_error(&none, &good, 0, nullptr), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  EXPECT_EQ(creation_error(rgba, nullptr, 0, nullptr), CL_INVALID_IMAGE_DESCRIPTOR);
  EXPECT_EQ(creation_error(rgba, &empty, 0, nullptr), CL_INVALID_IMAGE_SIZE);
  EXPECT_EQ(creation_error(rgba, &wide, 0, nullptr), CL_INVALID_IMAGE_SIZE);
  EXPECT_EQ(creation_error(rgba, &good, CL_MEM_USE_HOST_PTR, nullptr), CL_INVALID_HOST_PTR);
  EXPECT_EQ(creation_error(rgba, &good, 0, host), CL_INVALID_HOST_PTR);
  EXPECT_EQ(creation_error(rgba, &good, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, nullptr),
            CL_INVALID_VALUE);

  const auto image = make(good, *rgba), floats = make(good, {CL_RGBA, CL_FLOAT});
  const Triple size = {4, 4, 1}, outside = {1, 0, 0}, behind = {0, 0, 1};
  const auto read = [&](cl_mem object, const Triple& origin, size_t row, void* to) {
    return clEnqueueReadImage(queue, object, CL_TRUE, origin.data(), size.data(), row, 0, to, 0,
                              nullptr, nullptr);
  };
  EXPECT_EQ(read(nullptr, kStart, 0, host), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(read(make_buffer(64), kStart, 0, host), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(read(image, outside, 0, host), CL_INVALID_VALUE);
  EXPECT_EQ(read(image, behind, 0, host), CL_INVALID_VALUE);
  EXPECT_EQ(read(image, kStart, 15, host), CL_INVALID_VALUE);
  EXPECT_EQ(read(image, kStart, 0, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueCopyImage(queue, image, floats, kStart.data(), kStart.data(), size.data(), 0,
                               nullptr, nullptr),
            CL_IMAGE_FORMAT_MISMATCH);
  EXPECT_EQ(clEnqueueCopyImage(queue, image, image, kStart.data(), kStart.data(), size.data(), 0,
                               nullptr, nullptr),
            CL_MEM_COPY_OVERLAP);
}

} // namespace
