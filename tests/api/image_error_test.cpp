// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The errors of creating images (OpenCL API 5.3.1).
#include "tests/api/api_test.h"
#include "tests/api/images.h"

namespace heddle::test {
namespace {

class ImageErrors : public ApiTest {
 protected:
  cl_int error(const cl_image_desc& d, cl_mem_flags flags = 0, void* host = nullptr,
               const cl_image_format& format = kRgba8) {
    return image_error(context_, flags, &format, &d, host);
  }
  const cl_image_desc flat_ = describe(CL_MEM_OBJECT_IMAGE2D, 4, 4);
  std::vector<unsigned char> host_ = std::vector<unsigned char>(65536);
};

TEST_F(ImageErrors, ContextAndFlags) {
  EXPECT_EQ(image_error(nullptr, 0, &kRgba8, &flat_), CL_INVALID_CONTEXT);
  EXPECT_EQ(error(flat_, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY), CL_INVALID_VALUE);
  EXPECT_EQ(error(flat_, CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS), CL_INVALID_VALUE);
  EXPECT_EQ(error(flat_, CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR, host_.data()),
            CL_INVALID_VALUE);
  EXPECT_EQ(error(flat_, cl_mem_flags{1} << 40), CL_INVALID_VALUE);
  EXPECT_EQ(error(flat_, CL_MEM_READ_WRITE | CL_MEM_KERNEL_READ_AND_WRITE), CL_SUCCESS);
}

TEST_F(ImageErrors, Formats) {
  const auto format = [&](cl_uint order, cl_uint type) {
    return error(flat_, 0, nullptr, {order, type});
  };
  EXPECT_EQ(image_error(context_, 0, nullptr, &flat_), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  EXPECT_EQ(format(0, CL_UNORM_INT8), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  EXPECT_EQ(format(CL_RGBA, 0), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  EXPECT_EQ(format(CL_RGBA, CL_UNORM_SHORT_565), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  EXPECT_EQ(format(CL_RGB, CL_UNORM_INT_101010_2), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  EXPECT_EQ(format(CL_DEPTH, CL_UNORM_INT8), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  EXPECT_EQ(format(CL_sRGBA, CL_FLOAT), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  EXPECT_EQ(format(CL_INTENSITY, CL_SIGNED_INT8), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  EXPECT_EQ(format(CL_ARGB, CL_FLOAT), CL_IMAGE_FORMAT_NOT_SUPPORTED);
  EXPECT_EQ(format(CL_RGB, CL_UNORM_INT8), CL_IMAGE_FORMAT_NOT_SUPPORTED);
  EXPECT_EQ(error(describe(CL_MEM_OBJECT_IMAGE1D, 4), 0, nullptr, {CL_DEPTH, CL_FLOAT}),
            CL_IMAGE_FORMAT_NOT_SUPPORTED);
}

TEST_F(ImageErrors, Descriptors) {
  EXPECT_EQ(image_error(context_, 0, &kRgba8, nullptr), CL_INVALID_IMAGE_DESCRIPTOR);
  for (const cl_mem_object_type type : {CL_MEM_OBJECT_BUFFER, CL_MEM_OBJECT_PIPE, 0})
    EXPECT_EQ(error(describe(type, 4, 4)), CL_INVALID_IMAGE_DESCRIPTOR);
  auto d = flat_;
  d.num_samples = 1;
  EXPECT_EQ(error(d), CL_INVALID_IMAGE_DESCRIPTOR);
  d = flat_;
  d.image_row_pitch = 16; // without a pointer
  EXPECT_EQ(error(d), CL_INVALID_IMAGE_DESCRIPTOR);
  const auto with_host = [&](cl_mem_object_type type, size_t row, size_t slice) {
    auto made = describe(type, 4, 4, 2);
    made.image_row_pitch = row;
    made.image_slice_pitch = slice;
    return error(made, CL_MEM_COPY_HOST_PTR, host_.data());
  };
  EXPECT_EQ(with_host(CL_MEM_OBJECT_IMAGE2D, 20, 0), CL_SUCCESS);
  EXPECT_EQ(with_host(CL_MEM_OBJECT_IMAGE2D, 12, 0), CL_INVALID_IMAGE_DESCRIPTOR);
  EXPECT_EQ(with_host(CL_MEM_OBJECT_IMAGE2D, 18, 0), CL_INVALID_IMAGE_DESCRIPTOR);
  EXPECT_EQ(with_host(CL_MEM_OBJECT_IMAGE3D, 16, 80), CL_SUCCESS);
  EXPECT_EQ(with_host(CL_MEM_OBJECT_IMAGE3D, 16, 48), CL_INVALID_IMAGE_DESCRIPTOR);
  EXPECT_EQ(with_host(CL_MEM_OBJECT_IMAGE3D, 20, 90), CL_INVALID_IMAGE_DESCRIPTOR);
  EXPECT_EQ(with_host(CL_MEM_OBJECT_IMAGE1D_ARRAY, 16, 16), CL_SUCCESS);
  EXPECT_EQ(with_host(CL_MEM_OBJECT_IMAGE1D_ARRAY, 16, 12), CL_INVALID_IMAGE_DESCRIPTOR);
  EXPECT_EQ(error(describe(CL_MEM_OBJECT_IMAGE1D_BUFFER, 4)), CL_INVALID_IMAGE_DESCRIPTOR);
}

TEST_F(ImageErrors, Mipmaps) {
  auto d = flat_;
  d.num_mip_levels = 3;
  EXPECT_EQ(error(d), CL_SUCCESS);
  d.num_mip_levels = 4; // 4, 2, 1
  EXPECT_EQ(error(d), CL_INVALID_IMAGE_DESCRIPTOR);
  d.num_mip_levels = 2;
  EXPECT_EQ(error(d, CL_MEM_COPY_HOST_PTR, host_.data()), CL_INVALID_HOST_PTR);
  EXPECT_EQ(error(d, 0, nullptr, {CL_DEPTH, CL_FLOAT}), CL_SUCCESS);
  const auto buffer = make_buffer(context_, 4096);
  d.mem_object = buffer;
  EXPECT_EQ(error(d), CL_INVALID_IMAGE_DESCRIPTOR);
}

TEST_F(ImageErrors, Sizes) {
  const auto most = info<size_t>(device(), CL_DEVICE_IMAGE2D_MAX_WIDTH);
  const auto most_3d = info<size_t>(device(), CL_DEVICE_IMAGE3D_MAX_WIDTH);
  const auto layers = info<size_t>(device(), CL_DEVICE_IMAGE_MAX_ARRAY_SIZE);
  const auto size = [&](cl_mem_object_type type, size_t x, size_t y, size_t z) {
    return error(describe(type, x, y, z));
  };
  EXPECT_EQ(size(CL_MEM_OBJECT_IMAGE2D, 0, 4, 0), CL_INVALID_IMAGE_SIZE);
  EXPECT_EQ(size(CL_MEM_OBJECT_IMAGE2D, 4, 0, 0), CL_INVALID_IMAGE_SIZE);
  EXPECT_EQ(size(CL_MEM_OBJECT_IMAGE2D, most + 1, 1, 0), CL_INVALID_IMAGE_SIZE);
  EXPECT_EQ(size(CL_MEM_OBJECT_IMAGE2D, 1, most + 1, 0), CL_INVALID_IMAGE_SIZE);
  EXPECT_EQ(size(CL_MEM_OBJECT_IMAGE1D, most + 1, 0, 0), CL_INVALID_IMAGE_SIZE);
  EXPECT_EQ(size(CL_MEM_OBJECT_IMAGE1D, most, 0, 0), CL_SUCCESS);
  EXPECT_EQ(size(CL_MEM_OBJECT_IMAGE3D, most_3d + 1, 1, 1), CL_INVALID_IMAGE_SIZE);
  EXPECT_EQ(size(CL_MEM_OBJECT_IMAGE3D, 1, most_3d + 1, 1), CL_INVALID_IMAGE_SIZE);
  EXPECT_EQ(size(CL_MEM_OBJECT_IMAGE3D, 1, 1, most_3d + 1), CL_INVALID_IMAGE_SIZE);
  EXPECT_EQ(size(CL_MEM_OBJECT_IMAGE3D, 1, 1, 0), CL_INVALID_IMAGE_SIZE);
  EXPECT_EQ(size(CL_MEM_OBJECT_IMAGE2D_ARRAY, 1, 1, 0), CL_INVALID_IMAGE_SIZE);
  EXPECT_EQ(size(CL_MEM_OBJECT_IMAGE2D_ARRAY, 1, 1, layers + 1), CL_INVALID_IMAGE_SIZE);
  EXPECT_EQ(size(CL_MEM_OBJECT_IMAGE1D_ARRAY, 1, 0, layers + 1), CL_INVALID_IMAGE_SIZE);
  // All 3D images of this format would need 2^37 bytes.
  EXPECT_EQ(error(describe(CL_MEM_OBJECT_IMAGE3D, most_3d, most_3d, most_3d), 0, nullptr,
                  {CL_RGBA, CL_FLOAT}),
            CL_MEM_OBJECT_ALLOCATION_FAILURE);
}

TEST_F(ImageErrors, HostPointers) {
  EXPECT_EQ(error(flat_, CL_MEM_USE_HOST_PTR), CL_INVALID_HOST_PTR);
  EXPECT_EQ(error(flat_, CL_MEM_COPY_HOST_PTR), CL_INVALID_HOST_PTR);
  EXPECT_EQ(error(flat_, 0, host_.data()), CL_INVALID_HOST_PTR);
  EXPECT_EQ(error(flat_, CL_MEM_ALLOC_HOST_PTR, host_.data()), CL_INVALID_HOST_PTR);
  EXPECT_EQ(error(flat_, CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR, host_.data()), CL_SUCCESS);
}

// The order of the specification's list decides when several apply.
TEST_F(ImageErrors, Order) {
  const auto wrong = describe(CL_MEM_OBJECT_BUFFER, 0, 0);
  const cl_image_format no_format = {0, 0};
  EXPECT_EQ(image_error(context_, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, &no_format, &wrong),
            CL_INVALID_VALUE);
  EXPECT_EQ(image_error(context_, 0, &no_format, &wrong), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  EXPECT_EQ(error(describe(CL_MEM_OBJECT_IMAGE2D, 0, 4), CL_MEM_USE_HOST_PTR),
            CL_INVALID_IMAGE_SIZE);
  EXPECT_EQ(error(flat_, CL_MEM_USE_HOST_PTR, nullptr, {CL_ARGB, CL_FLOAT}), CL_INVALID_HOST_PTR);
}

TEST_F(ImageErrors, FirstEntryPoints) {
  cl_int status = 1;
  const auto flat = [&](size_t x, size_t y, size_t pitch, cl_mem_flags flags, void* host) {
    const Image image(clCreateImage2D(context_, flags, &kRgba8, x, y, pitch, host, &status));
    return status;
  };
  EXPECT_EQ(flat(0, 4, 0, 0, nullptr), CL_INVALID_IMAGE_SIZE);
  EXPECT_EQ(flat(4, 4, 16, 0, nullptr), CL_INVALID_IMAGE_SIZE);
  EXPECT_EQ(flat(4, 4, 18, CL_MEM_COPY_HOST_PTR, host_.data()), CL_INVALID_IMAGE_SIZE);
  EXPECT_EQ(flat(4, 4, 0, 0, host_.data()), CL_INVALID_HOST_PTR);
  const auto deep = [&](size_t depth, size_t slice) {
    const Image image(clCreateImage3D(context_, CL_MEM_COPY_HOST_PTR, &kRgba8, 4, 4, depth, 0,
                                      slice, host_.data(), &status));
    return status;
  };
  EXPECT_EQ(deep(1, 0), CL_INVALID_IMAGE_SIZE);
  EXPECT_EQ(deep(2, 48), CL_INVALID_IMAGE_SIZE);
  EXPECT_EQ(deep(2, 64), CL_SUCCESS);
  EXPECT_FALSE(clCreateImage2D(nullptr, 0, &kRgba8, 4, 4, 0, nullptr, &status));
  EXPECT_EQ(status, CL_INVALID_CONTEXT);
  EXPECT_FALSE(clCreateImage3D(context_, 0, nullptr, 4, 4, 4, 0, 0, nullptr, &status));
  EXPECT_EQ(status, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
}

} // namespace
} // namespace heddle::test
