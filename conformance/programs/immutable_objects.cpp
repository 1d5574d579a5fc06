// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory objects that cannot be changed (cl_ext_immutable_memory_objects).
#include "harness.h"

#include <algorithm>
#include <array>

using namespace conformance;

namespace {

constexpr cl_mem_flags IMMUTABLE = 1 << 6;
constexpr size_t kBytes = 4096;
constexpr size_t kSide = 8;

class ImmutableObjects : public DeviceTest {
 protected:
  void SetUp() override {
    if (!has_extension("cl_ext_immutable_memory_objects"))
      GTEST_SKIP() << "no cl_ext_immutable_memory_objects";
    DeviceTest::SetUp();
    fixed = make_buffer(kBytes, IMMUTABLE | CL_MEM_COPY_HOST_PTR, contents.data());
    plain = make_buffer(kBytes, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, contents.data());
    if (!info<cl_bool>(clGetDeviceInfo, device, CL_DEVICE_IMAGE_SUPPORT))
      return;
    cl_int error = CL_SUCCESS;
    fixed_image = make_image(IMMUTABLE | CL_MEM_COPY_HOST_PTR, contents.data(), &error);
    ASSERT_CL(error);
    plain_image = make_image(CL_MEM_READ_WRITE, nullptr, &error);
    ASSERT_CL(error);
  }
  Memory make_image(cl_mem_flags flags, void* host, cl_int* error, cl_mem from = nullptr) {
    const cl_image_format format{CL_RGBA, CL_UNSIGNED_INT8};
    cl_image_desc shape{};
    shape.image_type = CL_MEM_OBJECT_IMAGE2D;
    shape.image_width = shape.image_height = kSide;
    if (from) {
      shape.mem_object = from;
      shape.image_row_pitch = 256;
    }
    return Memory(clCreateImage(context, flags, &format, &shape, host, error));
  }
  cl_int buffer_error(cl_mem_flags flags, void* host) {
    cl_int error = CL_SUCCESS;
    const Memory made(clCreateBuffer(context, flags, kBytes, host, &error));
    return error;
  }
  // What must not have changed.
  void expect_contents() { EXPECT_EQ(read<unsigned char>(fixed, kBytes), contents); }

  std::vector<unsigned char> contents = [] {
    std::vector<unsigned char> made(kBytes);
    for (size_t i = 0; i < kBytes; ++i)
      made[i] = static_cast<unsigned char>(i * 7 + 3);
    return made;
  }();
  Memory fixed, plain, fixed_image, plain_image;
};

TEST_F(ImmutableObjects, Creation) {
  SPEC("API, Creating Buffer Objects: CL_MEM_IMMUTABLE_EXT");
  EXPECT_EQ(buffer_error(IMMUTABLE, nullptr), CL_INVALID_VALUE); // without contents
  EXPECT_EQ(buffer_error(IMMUTABLE | CL_MEM_ALLOC_HOST_PTR, nullptr), CL_INVALID_VALUE);
  for (const cl_mem_flags with : {CL_MEM_READ_WRITE, CL_MEM_WRITE_ONLY, CL_MEM_HOST_WRITE_ONLY})
    EXPECT_EQ(buffer_error(IMMUTABLE | CL_MEM_COPY_HOST_PTR | with, contents.data()),
              CL_INVALID_VALUE);
  for (const cl_mem_flags with :
       {CL_MEM_READ_ONLY, CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_NO_ACCESS, CL_MEM_ALLOC_HOST_PTR})
    EXPECT_EQ(buffer_error(IMMUTABLE | CL_MEM_COPY_HOST_PTR | with, contents.data()), CL_SUCCESS);
  EXPECT_EQ(buffer_error(IMMUTABLE | CL_MEM_USE_HOST_PTR, contents.data()), CL_SUCCESS);
  EXPECT_EQ(buffer_error(IMMUTABLE | CL_MEM_COPY_HOST_PTR, nullptr), CL_INVALID_HOST_PTR);
  EXPECT_EQ(info<cl_mem_flags>(clGetMemObjectInfo, fixed.get(), CL_MEM_FLAGS),
            IMMUTABLE | CL_MEM_COPY_HOST_PTR);
  expect_contents();
}

TEST_F(ImmutableObjects, SubBuffers) {
  SPEC("API, clCreateSubBuffer: CL_MEM_IMMUTABLE_EXT");
  const cl_buffer_region part{0, 1024};
  const auto make = [&](cl_mem_flags flags, cl_int* error) {
    return Memory(clCreateSubBuffer(fixed, flags, CL_BUFFER_CREATE_TYPE_REGION, &part, error));
  };
  cl_int error = CL_SUCCESS;
  for (const cl_mem_flags with : {CL_MEM_READ_WRITE, CL_MEM_WRITE_ONLY, CL_MEM_HOST_WRITE_ONLY}) {
    const auto none = make(with, &error);
    EXPECT_EQ(error, CL_INVALID_VALUE);
  }
  for (const cl_mem_flags with : {cl_mem_flags(0), IMMUTABLE, cl_mem_flags(CL_MEM_READ_ONLY)}) {
    const auto made = make(with, &error);
    ASSERT_CL(error);
    EXPECT_TRUE(info<cl_mem_flags>(clGetMemObjectInfo, made.get(), CL_MEM_FLAGS) & IMMUTABLE);
    EXPECT_EQ(
        clEnqueueWriteBuffer(queue, made, CL_TRUE, 0, 4, contents.data(), 0, nullptr, nullptr),
        CL_INVALID_OPERATION);
  }
}

TEST_F(ImmutableObjects, CommandsThatWriteBuffers) {
  SPEC("API, writing, copying, filling and mapping buffers");
  const std::array<size_t, 3> origin{0, 0, 0}, region{16, 4, 1};
  const cl_uint pattern = 77;
  EXPECT_EQ(clEnqueueWriteBuffer(queue, fixed, CL_TRUE, 0, 4, &pattern, 0, nullptr, nullptr),
            CL_INVALID_OPERATION);
  EXPECT_EQ(clEnqueueWriteBufferRect(queue, fixed, CL_TRUE, origin.data(), origin.data(),
                                     region.data(), 0, 0, 0, 0, contents.data(), 0, nullptr,
                                     nullptr),
            CL_INVALID_OPERATION);
  EXPECT_EQ(clEnqueueCopyBuffer(queue, plain, fixed, 0, 0, 64, 0, nullptr, nullptr),
            CL_INVALID_OPERATION);
  EXPECT_EQ(clEnqueueCopyBufferRect(queue, plain, fixed, origin.data(), origin.data(),
                                    region.data(), 0, 0, 0, 0, 0, nullptr, nullptr),
            CL_INVALID_OPERATION);
  EXPECT_EQ(clEnqueueFillBuffer(queue, fixed, &pattern, sizeof pattern, 0, 64, 0, nullptr, nullptr),
            CL_INVALID_OPERATION);
  cl_int error = CL_SUCCESS;
  for (const cl_map_flags flags :
       {CL_MAP_WRITE, CL_MAP_WRITE | CL_MAP_READ, CL_MAP_WRITE_INVALIDATE_REGION}) {
    EXPECT_EQ(clEnqueueMapBuffer(queue, fixed, CL_TRUE, flags, 0, 64, 0, nullptr, nullptr, &error),
              nullptr);
    EXPECT_EQ(error, CL_INVALID_OPERATION);
  }
  ASSERT_CL(clFinish(queue));
  expect_contents();
}

TEST_F(ImmutableObjects, CommandsThatReadBuffers) {
  SPEC("API, reading, copying and mapping buffers");
  ASSERT_CL(clEnqueueFillBuffer(queue, plain, "x", 1, 0, kBytes, 0, nullptr, nullptr));
  ASSERT_CL(clEnqueueCopyBuffer(queue, fixed, plain, 0, 0, kBytes, 0, nullptr, nullptr));
  EXPECT_EQ(read<unsigned char>(plain, kBytes), contents);
  cl_int error = CL_SUCCESS;
  auto* mapped = static_cast<unsigned char*>(clEnqueueMapBuffer(
      queue, fixed, CL_TRUE, CL_MAP_READ, 0, kBytes, 0, nullptr, nullptr, &error));
  ASSERT_CL(error);
  EXPECT_TRUE(std::equal(contents.begin(), contents.end(), mapped));
  EXPECT_CL(clEnqueueUnmapMemObject(queue, fixed, mapped, 0, nullptr, nullptr));
  ASSERT_CL(clFinish(queue));
}

TEST_F(ImmutableObjects, ArgumentsOfKernels) {
  SPEC("API, clSetKernelArg: CL_MEM_IMMUTABLE_EXT");
  const auto kernel =
      make_kernel("kernel void k(global const uchar* a, constant uchar* b, global uchar* c) {"
                  "  size_t i = get_global_id(0); c[i] = a[i] ^ b[i + 1]; }",
                  "k");
  EXPECT_CL(clSetKernelArg(kernel, 0, sizeof(cl_mem), fixed.ptr()));
  EXPECT_CL(clSetKernelArg(kernel, 1, sizeof(cl_mem), fixed.ptr()));
  EXPECT_EQ(clSetKernelArg(kernel, 2, sizeof(cl_mem), fixed.ptr()), CL_INVALID_ARG_VALUE);
  EXPECT_CL(clSetKernelArg(kernel, 2, sizeof(cl_mem), plain.ptr()));
  run(kernel, {kBytes - 1});
  const auto results = read<unsigned char>(plain, kBytes - 1);
  for (size_t i = 0; i < results.size(); ++i)
    ASSERT_EQ(results[i], contents[i] ^ contents[i + 1]) << i;
  expect_contents();
}

TEST_F(ImmutableObjects, Images) {
  if (!fixed_image.get())
    GTEST_SKIP() << "no images";
  SPEC("API, Creating Image Objects, and commands on images: CL_MEM_IMMUTABLE_EXT");
  const std::array<size_t, 3> origin{0, 0, 0}, region{kSide, kSide, 1};
  const cl_uint color[4] = {1, 2, 3, 4};
  EXPECT_EQ(clEnqueueWriteImage(queue, fixed_image, CL_TRUE, origin.data(), region.data(), 0, 0,
                                contents.data(), 0, nullptr, nullptr),
            CL_INVALID_OPERATION);
  EXPECT_EQ(clEnqueueCopyImage(queue, plain_image, fixed_image, origin.data(), origin.data(),
                               region.data(), 0, nullptr, nullptr),
            CL_INVALID_OPERATION);
  EXPECT_EQ(clEnqueueCopyBufferToImage(queue, plain, fixed_image, 0, origin.data(), region.data(),
                                       0, nullptr, nullptr),
            CL_INVALID_OPERATION);
  EXPECT_EQ(clEnqueueCopyImageToBuffer(queue, plain_image, fixed, origin.data(), region.data(), 0,
                                       0, nullptr, nullptr),
            CL_INVALID_OPERATION);
  EXPECT_EQ(clEnqueueFillImage(queue, fixed_image, color, origin.data(), region.data(), 0, nullptr,
                               nullptr),
            CL_INVALID_OPERATION);
  size_t row = 0;
  cl_int error = CL_SUCCESS;
  for (const cl_map_flags flags : {CL_MAP_WRITE, CL_MAP_WRITE_INVALIDATE_REGION}) {
    EXPECT_EQ(clEnqueueMapImage(queue, fixed_image, CL_TRUE, flags, origin.data(), region.data(),
                                &row, nullptr, 0, nullptr, nullptr, &error),
              nullptr);
    EXPECT_EQ(error, CL_INVALID_OPERATION);
  }
  ASSERT_CL(clEnqueueCopyImage(queue, fixed_image, plain_image, origin.data(), origin.data(),
                               region.data(), 0, nullptr, nullptr));
  std::vector<unsigned char> texels(kSide * kSide * 4);
  for (cl_mem image : {fixed_image.get(), plain_image.get()}) {
    ASSERT_CL(clEnqueueReadImage(queue, image, CL_TRUE, origin.data(), region.data(), 0, 0,
                                 texels.data(), 0, nullptr, nullptr));
    EXPECT_TRUE(std::equal(texels.begin(), texels.end(), contents.begin()));
  }
  const auto kernel = make_kernel("kernel void k(read_only image2d_t a, write_only image2d_t b) {"
                                  "  int2 at = (int2)(get_global_id(0), get_global_id(1));"
                                  "  write_imageui(b, at, read_imageui(a, at)); }",
                                  "k");
  EXPECT_CL(clSetKernelArg(kernel, 0, sizeof(cl_mem), fixed_image.ptr()));
  EXPECT_EQ(clSetKernelArg(kernel, 1, sizeof(cl_mem), fixed_image.ptr()), CL_INVALID_ARG_VALUE);
  const auto none = make_image(IMMUTABLE, nullptr, &error);
  EXPECT_EQ(error, CL_INVALID_VALUE);
  const auto both =
      make_image(IMMUTABLE | CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, contents.data(), &error);
  EXPECT_EQ(error, CL_INVALID_VALUE);
  expect_contents();
}

TEST_F(ImmutableObjects, ImagesOfBuffers) {
  if (!fixed_image.get() || !has_extension("cl_khr_image2d_from_buffer"))
    GTEST_SKIP() << "no images of buffers";
  SPEC("API, Creating Image Objects: created from an immutable memory object");
  cl_int error = CL_SUCCESS;
  const auto mutable_view = make_image(CL_MEM_READ_ONLY, nullptr, &error, fixed);
  EXPECT_EQ(error, CL_INVALID_VALUE);
  const auto view = make_image(IMMUTABLE, nullptr, &error, fixed);
  ASSERT_CL(error);
  const std::array<size_t, 3> origin{0, 0, 0}, region{1, 1, 1};
  EXPECT_EQ(clEnqueueWriteImage(queue, view, CL_TRUE, origin.data(), region.data(), 0, 0,
                                contents.data(), 0, nullptr, nullptr),
            CL_INVALID_OPERATION);
  cl_uint count = 0;
  EXPECT_CL(
      clGetSupportedImageFormats(context, IMMUTABLE, CL_MEM_OBJECT_IMAGE2D, 0, nullptr, &count));
  EXPECT_NE(count, 0u);
}

} // namespace
