// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Creation of images, their formats and queries (OpenCL API 5.3.1, 5.3.2, 5.3.9).
#include "tests/api/api_test.h"
#include "tests/api/images.h"

#include <algorithm>
#include <set>
#include <utility>

namespace heddle::test {
namespace {

class ImageObject : public ApiTest {
 protected:
  // The element size of the format, which is that of an image of it.
  size_t element_size(const cl_image_format& format) {
    const auto image = make_image(context_, describe(CL_MEM_OBJECT_IMAGE2D, 1, 1), format);
    return image_info<size_t>(image, CL_IMAGE_ELEMENT_SIZE);
  }
};

TEST_F(ImageObject, EveryFormatOfEveryType) {
  for (const auto type : kImageTypes)
    for (const auto& format : supported_formats(context_, CL_MEM_READ_WRITE, type)) {
      SCOPED_TRACE(testing::Message() << std::hex << type << ' ' << format.image_channel_order
                                      << ' ' << format.image_channel_data_type);
      const auto element = element_size(format);
      const AnyImage made(context_, type, {5, 3, 2}, format, element);
      auto texels = read_image(queue_, made.image, made.size, element);
      EXPECT_TRUE(std::all_of(texels.data(), texels.data() + texels.bytes(),
                              [](unsigned char byte) { return byte == 0; }));
      const auto stored = image_info<cl_image_format>(made.image, CL_IMAGE_FORMAT);
      EXPECT_EQ(stored.image_channel_order, format.image_channel_order);
      EXPECT_EQ(stored.image_channel_data_type, format.image_channel_data_type);
      EXPECT_EQ(image_info<size_t>(made.image, CL_IMAGE_ROW_PITCH), 5 * element);
      EXPECT_EQ(memory_info<size_t>(made.image, CL_MEM_SIZE), texels.bytes());
    }
}

TEST_F(ImageObject, RequiredFormats) {
  for (const cl_mem_flags flags :
       {CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY, CL_MEM_READ_WRITE, CL_MEM_KERNEL_READ_AND_WRITE}) {
    std::set<std::pair<cl_uint, cl_uint>> found;
    for (const auto& format : supported_formats(context_, flags, CL_MEM_OBJECT_IMAGE2D))
      EXPECT_TRUE(
          found.insert({format.image_channel_order, format.image_channel_data_type}).second);
    for (const cl_uint order : {CL_R, CL_RG, CL_RGBA})
      for (const cl_uint type : {CL_UNORM_INT8, CL_UNORM_INT16, CL_SNORM_INT8, CL_SNORM_INT16,
                                 CL_SIGNED_INT8, CL_SIGNED_INT16, CL_SIGNED_INT32, CL_UNSIGNED_INT8,
                                 CL_UNSIGNED_INT16, CL_UNSIGNED_INT32, CL_HALF_FLOAT, CL_FLOAT})
        EXPECT_TRUE(found.count({order, type})) << order << ' ' << type;
    EXPECT_TRUE(found.count({CL_BGRA, CL_UNORM_INT8}));
    EXPECT_TRUE(found.count({CL_sRGBA, CL_UNORM_INT8}));
    EXPECT_TRUE(found.count({CL_DEPTH, CL_FLOAT}));
  }
  for (const auto& format : supported_formats(context_, CL_MEM_READ_WRITE, CL_MEM_OBJECT_IMAGE3D))
    EXPECT_NE(format.image_channel_order, static_cast<cl_uint>(CL_DEPTH));
}

TEST_F(ImageObject, FormatQueryErrors) {
  cl_image_format format;
  const auto query = [&](cl_context context, cl_mem_flags flags, cl_mem_object_type type,
                         cl_uint entries, cl_image_format* out) {
    return clGetSupportedImageFormats(context, flags, type, entries, out, nullptr);
  };
  EXPECT_EQ(query(nullptr, 0, CL_MEM_OBJECT_IMAGE2D, 1, &format), CL_INVALID_CONTEXT);
  EXPECT_EQ(query(context_, ~cl_mem_flags{0}, CL_MEM_OBJECT_IMAGE2D, 1, &format), CL_INVALID_VALUE);
  EXPECT_EQ(
      query(context_, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, CL_MEM_OBJECT_IMAGE2D, 1, &format),
      CL_INVALID_VALUE);
  EXPECT_EQ(query(context_, 0, CL_MEM_OBJECT_BUFFER, 1, &format), CL_INVALID_VALUE);
  EXPECT_EQ(query(context_, 0, CL_MEM_OBJECT_PIPE, 1, &format), CL_INVALID_VALUE);
  EXPECT_EQ(query(context_, 0, CL_MEM_OBJECT_IMAGE2D, 0, &format), CL_INVALID_VALUE);
  EXPECT_EQ(query(context_, 0, CL_MEM_OBJECT_IMAGE2D, 1, &format), CL_SUCCESS);
  EXPECT_EQ(query(context_, 0, CL_MEM_OBJECT_IMAGE2D, 1, nullptr), CL_SUCCESS);
}

TEST_F(ImageObject, QueriesOfEachType) {
  for (const auto type : kImageTypes) {
    SCOPED_TRACE(type);
    const AnyImage made(context_, type, {6, 4, 3}, kRgba8, 4);
    const auto size = [&](cl_image_info name) { return image_info<size_t>(made.image, name); };
    EXPECT_EQ(memory_info<cl_mem_object_type>(made.image, CL_MEM_TYPE), type);
    EXPECT_EQ(size(CL_IMAGE_WIDTH), 6u);
    EXPECT_EQ(size(CL_IMAGE_HEIGHT), has_rows(type) ? 4u : 0u);
    EXPECT_EQ(size(CL_IMAGE_DEPTH), type == CL_MEM_OBJECT_IMAGE3D ? 3u : 0u);
    EXPECT_EQ(size(CL_IMAGE_ARRAY_SIZE), is_array(type) ? 3u : 0u);
    EXPECT_EQ(size(CL_IMAGE_ELEMENT_SIZE), 4u);
    EXPECT_EQ(size(CL_IMAGE_ROW_PITCH), 24u);
    EXPECT_EQ(size(CL_IMAGE_SLICE_PITCH), !has_slices(type) ? 0u : has_rows(type) ? 96u : 24u);
    EXPECT_EQ(image_info<cl_mem>(made.image, CL_IMAGE_BUFFER), made.buffer.get());
    EXPECT_EQ(memory_info<cl_mem>(made.image, CL_MEM_ASSOCIATED_MEMOBJECT), made.buffer.get());
    EXPECT_EQ(image_info<cl_uint>(made.image, CL_IMAGE_NUM_MIP_LEVELS), 0u);
    EXPECT_EQ(image_info<cl_uint>(made.image, CL_IMAGE_NUM_SAMPLES), 0u);
    EXPECT_EQ(memory_info<size_t>(made.image, CL_MEM_OFFSET), 0u);
    EXPECT_EQ(memory_info<void*>(made.image, CL_MEM_HOST_PTR), nullptr);
    EXPECT_EQ(memory_info<cl_mem_flags>(made.image, CL_MEM_FLAGS),
              static_cast<cl_mem_flags>(CL_MEM_READ_WRITE));
    for (cl_uint name = CL_IMAGE_FORMAT; name <= CL_IMAGE_NUM_SAMPLES; ++name)
      expect_info_contract(
          [&](cl_uint n, size_t bytes, void* value, size_t* ret) {
            return clGetImageInfo(made.image, n, bytes, value, ret);
          },
          name);
    EXPECT_EQ(clGetImageInfo(made.image, CL_IMAGE_NUM_SAMPLES + 1, 0, nullptr, nullptr),
              CL_INVALID_VALUE);
    EXPECT_EQ(clGetPipeInfo(made.image, CL_PIPE_PACKET_SIZE, 0, nullptr, nullptr),
              CL_INVALID_MEM_OBJECT);
  }
}

TEST_F(ImageObject, HostMemory) {
  std::vector<unsigned char> host(64 * 8 * 3, 7);
  for (const cl_mem_flags flag : {CL_MEM_USE_HOST_PTR, CL_MEM_COPY_HOST_PTR}) {
    auto d = describe(CL_MEM_OBJECT_IMAGE3D, 5, 4, 3);
    d.image_row_pitch = 64;
    d.image_slice_pitch = 64 * 8;
    const auto image = make_image(context_, d, kRgba8, host.data(), flag);
    EXPECT_EQ(image_info<size_t>(image, CL_IMAGE_ROW_PITCH), 64u);
    EXPECT_EQ(image_info<size_t>(image, CL_IMAGE_SLICE_PITCH), 512u);
    EXPECT_EQ(memory_info<size_t>(image, CL_MEM_SIZE), host.size());
    const bool uses = flag == CL_MEM_USE_HOST_PTR;
    EXPECT_EQ(memory_info<void*>(image, CL_MEM_HOST_PTR), uses ? host.data() : nullptr);
    Texels texels({5, 4, 3}, 4);
    texels.number(3);
    write_image(queue_, image, {5, 4, 3}, texels);
    EXPECT_TRUE(read_image(queue_, image, {5, 4, 3}, 4) == texels);
    // Without a copy the user's memory changes, but not between the rows.
    EXPECT_EQ(std::memcmp(&host[512 + 64], texels.at(0, 1, 1), 20) == 0, uses);
    EXPECT_EQ(host[512 + 64 + 20], 7);
    EXPECT_EQ(host[64 * 4], 7);
    std::fill(host.begin(), host.end(), static_cast<unsigned char>(7));
  }
}

TEST_F(ImageObject, FirstEntryPoints) {
  cl_int status = -1;
  std::vector<unsigned char> host(1024, 9);
  Image flat(
      clCreateImage2D(context_, CL_MEM_COPY_HOST_PTR, &kRgba8, 5, 4, 24, host.data(), &status));
  ASSERT_EQ(status, CL_SUCCESS);
  EXPECT_EQ(image_info<size_t>(flat, CL_IMAGE_ROW_PITCH), 24u);
  EXPECT_EQ(*read_image(queue_, flat, {5, 4, 1}, 4).at(4, 3, 0), 9);
  Image deep(clCreateImage3D(context_, 0, &kRgba8, 5, 4, 2, 0, 0, nullptr, &status));
  ASSERT_EQ(status, CL_SUCCESS);
  EXPECT_EQ(image_info<size_t>(deep, CL_IMAGE_DEPTH), 2u);
  EXPECT_EQ(memory_info<cl_mem_flags>(deep, CL_MEM_FLAGS),
            static_cast<cl_mem_flags>(CL_MEM_READ_WRITE));
}

TEST_F(ImageObject, Properties) {
  const auto d = describe(CL_MEM_OBJECT_IMAGE2D, 2, 2);
  const cl_mem_properties none[] = {0}, unknown[] = {1, 2, 0};
  cl_int status = -1;
  const auto create = [&](const cl_mem_properties* list) {
    return Image(clCreateImageWithProperties(context_, list, 0, &kRgba8, &d, nullptr, &status));
  };
  size_t size = 99;
  for (const auto* list : {static_cast<const cl_mem_properties*>(nullptr), none}) {
    const auto image = create(list);
    ASSERT_EQ(status, CL_SUCCESS);
    check(clGetMemObjectInfo(image, CL_MEM_PROPERTIES, 0, nullptr, &size), "properties");
    EXPECT_EQ(size, list ? sizeof(cl_mem_properties) : 0u);
  }
  create(unknown);
  EXPECT_EQ(status, CL_INVALID_PROPERTY);
}

TEST_F(ImageObject, LargestSizes) {
  const auto try_size = [&](const cl_image_desc& d) {
    const cl_image_format format = {CL_R, CL_UNORM_INT8};
    cl_int status = CL_SUCCESS;
    const Image image(clCreateImage(context_, CL_MEM_READ_WRITE, &format, &d, nullptr, &status));
    if (status == CL_MEM_OBJECT_ALLOCATION_FAILURE)
      return; // the machine has less memory
    ASSERT_EQ(status, CL_SUCCESS);
    // The last element.
    auto at = whole(d);
    for (auto& value : at)
      --value;
    const Triple one = {1, 1, 1};
    unsigned char texel = 42;
    ASSERT_EQ(clEnqueueWriteImage(queue_, image, CL_TRUE, at.data(), one.data(), 0, 0, &texel, 0,
                                  nullptr, nullptr),
              CL_SUCCESS);
    texel = 0;
    ASSERT_EQ(clEnqueueReadImage(queue_, image, CL_TRUE, at.data(), one.data(), 0, 0, &texel, 0,
                                 nullptr, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(texel, 42);
  };
  const auto wide = info<size_t>(device(), CL_DEVICE_IMAGE2D_MAX_WIDTH);
  const auto high = info<size_t>(device(), CL_DEVICE_IMAGE2D_MAX_HEIGHT);
  const auto deep = info<size_t>(device(), CL_DEVICE_IMAGE3D_MAX_DEPTH);
  const auto layers = info<size_t>(device(), CL_DEVICE_IMAGE_MAX_ARRAY_SIZE);
  const auto wide_3d = info<size_t>(device(), CL_DEVICE_IMAGE3D_MAX_WIDTH);
  const auto high_3d = info<size_t>(device(), CL_DEVICE_IMAGE3D_MAX_HEIGHT);
  try_size(describe(CL_MEM_OBJECT_IMAGE2D, wide, high));
  try_size(describe(CL_MEM_OBJECT_IMAGE3D, wide_3d, 16, deep));
  try_size(describe(CL_MEM_OBJECT_IMAGE3D, wide_3d, high_3d, deep));
  try_size(describe(CL_MEM_OBJECT_IMAGE2D_ARRAY, wide, 4, layers));
  try_size(describe(CL_MEM_OBJECT_IMAGE1D_ARRAY, wide, 0, layers));
  auto d = describe(CL_MEM_OBJECT_IMAGE1D_BUFFER,
                    info<size_t>(device(), CL_DEVICE_IMAGE_MAX_BUFFER_SIZE));
  const auto buffer = make_buffer(context_, d.image_width);
  d.mem_object = buffer;
  try_size(d);
}

TEST_F(ImageObject, References) {
  const auto image = make_image(context_, describe(CL_MEM_OBJECT_IMAGE2D, 2, 2));
  EXPECT_EQ(clRetainMemObject(image), CL_SUCCESS);
  EXPECT_EQ(memory_info<cl_uint>(image, CL_MEM_REFERENCE_COUNT), 2u);
  EXPECT_EQ(clReleaseMemObject(image), CL_SUCCESS);
  bool called = false;
  {
    const auto other = make_image(context_, describe(CL_MEM_OBJECT_IMAGE3D, 2, 2, 2));
    check(clSetMemObjectDestructorCallback(
              other, [](cl_mem, void* flag) { *static_cast<bool*>(flag) = true; }, &called),
          "callback");
    EXPECT_FALSE(called);
  }
  EXPECT_TRUE(called);
}

} // namespace
} // namespace heddle::test
