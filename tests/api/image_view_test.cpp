// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images made from buffers and from images (OpenCL API 5.3.1.2), and what they require
// (cl_ext_image_requirements_info, cl_ext_image_from_buffer).
#include "tests/api/api_test.h"
#include "tests/api/images.h"

namespace heddle::test {
namespace {

class ImageView : public ApiTest {
 protected:
  cl_int error(const cl_image_desc& d, const cl_image_format& format = kRgba8,
               cl_mem_flags flags = 0) {
    return image_error(context_, flags, &format, &d);
  }
};

cl_image_desc from(cl_mem object, cl_image_desc d, size_t row = 0, size_t slice = 0) {
  d.mem_object = object;
  d.image_row_pitch = row;
  d.image_slice_pitch = slice;
  return d;
}

TEST_F(ImageView, SharesTheBytesOfABuffer) {
  for (const auto type : kImageTypes) {
    SCOPED_TRACE(type);
    const auto d = describe(type, 5, 4, 3);
    const auto size = whole(d);
    const size_t row = has_rows(type) ? 32 : 0;
    const size_t slice = type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? 40 : has_slices(type) ? 160 : 0;
    const auto buffer = make_buffer(context_, 512);
    const auto image = make_image(context_, from(buffer, d, row, slice));
    EXPECT_EQ(memory_info<cl_mem>(image, CL_MEM_ASSOCIATED_MEMOBJECT), buffer.get());
    EXPECT_EQ(image_info<cl_mem>(image, CL_IMAGE_BUFFER), buffer.get());
    EXPECT_EQ(image_info<size_t>(image, CL_IMAGE_ROW_PITCH), row ? row : 20);
    EXPECT_EQ(image_info<size_t>(image, CL_IMAGE_SLICE_PITCH), slice);
    Texels texels(size, 4);
    texels.number(1);
    write_image(queue_, image, size, texels);
    const auto bytes = read<unsigned char>(queue_, buffer, 512);
    const auto step = type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? slice : row;
    for (size_t z = 0; z != size[2]; ++z)
      for (size_t y = 0; y != size[1]; ++y)
        EXPECT_EQ(std::memcmp(&bytes[z * slice + y * step], texels.at(0, y, z), 20), 0);
    EXPECT_EQ(bytes[20], step || slice ? 0 : bytes[20]);
  }
}

TEST_F(ImageView, OfASubBuffer) {
  const auto buffer = make_buffer(context_, 1024);
  const auto part = make_part(buffer, 256, 128);
  const auto image =
      make_image(context_, from(part, describe(CL_MEM_OBJECT_IMAGE2D, 8, 4)), kRgba8);
  EXPECT_EQ(memory_info<cl_mem>(image, CL_MEM_ASSOCIATED_MEMOBJECT), part.get());
  EXPECT_EQ(memory_info<size_t>(image, CL_MEM_OFFSET), 0u);
  Texels texels({8, 4, 1}, 4);
  texels.number(2);
  write_image(queue_, image, {8, 4, 1}, texels);
  EXPECT_EQ(std::memcmp(read<unsigned char>(queue_, buffer, 128, 256).data(), texels.data(), 128),
            0);
}

TEST_F(ImageView, KeepsItsBuffer) {
  Image image;
  {
    const auto buffer = make_buffer(context_, 64);
    image = make_image(context_, from(buffer, describe(CL_MEM_OBJECT_IMAGE2D, 4, 4)));
  }
  Texels texels({4, 4, 1}, 4);
  texels.number(3);
  write_image(queue_, image, {4, 4, 1}, texels);
  EXPECT_TRUE(read_image(queue_, image, {4, 4, 1}, 4) == texels);
  EXPECT_EQ(memory_info<size_t>(image_info<cl_mem>(image, CL_IMAGE_BUFFER), CL_MEM_SIZE), 64u);
}

TEST_F(ImageView, BufferErrors) {
  const auto buffer = make_buffer(context_, 256);
  const auto other_context = make_context();
  const auto foreign = make_buffer(other_context, 256);
  const auto flat = describe(CL_MEM_OBJECT_IMAGE2D, 4, 4);
  EXPECT_EQ(error(from(buffer, flat)), CL_SUCCESS);
  EXPECT_EQ(error(from(buffer, flat, 64)), CL_SUCCESS);
  EXPECT_EQ(error(from(buffer, flat, 68)), CL_INVALID_IMAGE_SIZE);
  EXPECT_EQ(error(from(buffer, flat, 12)), CL_INVALID_IMAGE_DESCRIPTOR);
  EXPECT_EQ(error(from(buffer, flat, 18)), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  EXPECT_EQ(error(from(buffer, describe(CL_MEM_OBJECT_IMAGE3D, 4, 4, 2), 16, 66)),
            CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  EXPECT_EQ(error(from(buffer, describe(CL_MEM_OBJECT_IMAGE1D_BUFFER, 64))), CL_SUCCESS);
  EXPECT_EQ(error(from(buffer, describe(CL_MEM_OBJECT_IMAGE1D_BUFFER, 65))), CL_INVALID_IMAGE_SIZE);
  EXPECT_EQ(error(from(foreign, flat)), CL_INVALID_CONTEXT);
  EXPECT_EQ(error(from(reinterpret_cast<cl_mem>(queue_.get()), flat)), CL_INVALID_IMAGE_DESCRIPTOR);
  unsigned char host[64];
  EXPECT_EQ(image_error(context_, CL_MEM_USE_HOST_PTR, &kRgba8, nullptr, host),
            CL_INVALID_IMAGE_DESCRIPTOR);
  auto d = from(buffer, flat);
  EXPECT_EQ(image_error(context_, 0, &kRgba8, &d, host), CL_INVALID_HOST_PTR);
  EXPECT_EQ(error(d, kRgba8, CL_MEM_USE_HOST_PTR), CL_INVALID_VALUE);
  alignas(16) static unsigned char memory[272];
  const auto shifted = make_buffer(context_, 256, memory + 1, CL_MEM_USE_HOST_PTR);
  EXPECT_EQ(error(from(shifted, flat)), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
}

TEST_F(ImageView, Flags) {
  const auto d = describe(CL_MEM_OBJECT_IMAGE2D, 4, 4);
  const auto with = [&](cl_mem_flags buffer_flags, cl_mem_flags flags) {
    const auto buffer = make_buffer(context_, 256, nullptr, buffer_flags);
    return error(from(buffer, d), kRgba8, flags);
  };
  EXPECT_EQ(with(CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY), CL_INVALID_VALUE);
  EXPECT_EQ(with(CL_MEM_READ_ONLY, CL_MEM_READ_WRITE), CL_INVALID_VALUE);
  EXPECT_EQ(with(CL_MEM_WRITE_ONLY, CL_MEM_READ_ONLY), CL_INVALID_VALUE);
  EXPECT_EQ(with(CL_MEM_READ_WRITE, CL_MEM_READ_ONLY), CL_SUCCESS);
  EXPECT_EQ(with(CL_MEM_HOST_WRITE_ONLY, CL_MEM_HOST_READ_ONLY), CL_INVALID_VALUE);
  EXPECT_EQ(with(CL_MEM_HOST_NO_ACCESS, CL_MEM_HOST_READ_ONLY), CL_INVALID_VALUE);
  const auto buffer = make_buffer(context_, 256, nullptr, CL_MEM_READ_ONLY | CL_MEM_HOST_READ_ONLY);
  const auto image = make_image(context_, from(buffer, d), kRgba8, nullptr, 0);
  EXPECT_EQ(memory_info<cl_mem_flags>(image, CL_MEM_FLAGS),
            cl_mem_flags{CL_MEM_READ_ONLY | CL_MEM_HOST_READ_ONLY});
}

TEST_F(ImageView, OtherChannelOrder) {
  const auto d = describe(CL_MEM_OBJECT_IMAGE2D, 4, 4);
  const cl_uint pairs[][2] = {{CL_RGBA, CL_sRGBA}, {CL_sRGBA, CL_RGBA}, {CL_BGRA, CL_sBGRA},
                              {CL_sBGRA, CL_BGRA}, {CL_RGBx, CL_sRGBx}, {CL_sRGBx, CL_RGBx}};
  for (const auto& pair : pairs) {
    const auto image = make_image(context_, d, {pair[0], CL_UNORM_INT8});
    const auto view = make_image(context_, from(image, d), {pair[1], CL_UNORM_INT8});
    EXPECT_EQ(memory_info<cl_mem>(view, CL_MEM_ASSOCIATED_MEMOBJECT), image.get());
    EXPECT_EQ(image_info<cl_mem>(view, CL_IMAGE_BUFFER), nullptr);
    Texels texels({4, 4, 1}, 4);
    texels.number(4);
    write_image(queue_, view, {4, 4, 1}, texels);
    EXPECT_TRUE(read_image(queue_, image, {4, 4, 1}, 4) == texels);
    // One is a view of the other, so that these are the same elements.
    const Triple one = {1, 1, 1};
    const auto second = make_image(context_, from(view, d), {pair[0], CL_UNORM_INT8});
    EXPECT_EQ(clEnqueueCopyImage(queue_, image, second, kNoOrigin.data(), kNoOrigin.data(),
                                 one.data(), 0, nullptr, nullptr),
              CL_MEM_COPY_OVERLAP);
  }
  const auto single = make_image(context_, d, {CL_R, CL_FLOAT});
  EXPECT_EQ(error(from(single, d), {CL_DEPTH, CL_FLOAT}), CL_SUCCESS);
  EXPECT_EQ(error(from(single, d), {CL_R, CL_FLOAT}), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  EXPECT_EQ(error(from(single, d), {CL_A, CL_FLOAT}), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  EXPECT_EQ(error(from(single, d), {CL_DEPTH, CL_UNORM_INT16}), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  EXPECT_EQ(error(from(single, describe(CL_MEM_OBJECT_IMAGE2D, 4, 2)), {CL_DEPTH, CL_FLOAT}),
            CL_INVALID_IMAGE_DESCRIPTOR);
  EXPECT_EQ(error(from(single, d, 16), {CL_DEPTH, CL_FLOAT}), CL_SUCCESS);
  EXPECT_EQ(error(from(single, d, 32), {CL_DEPTH, CL_FLOAT}), CL_INVALID_IMAGE_DESCRIPTOR);
  EXPECT_EQ(error(from(single, describe(CL_MEM_OBJECT_IMAGE1D, 4)), {CL_DEPTH, CL_FLOAT}),
            CL_INVALID_IMAGE_DESCRIPTOR);
}

class ImageRequirements : public ApiTest {
 protected:
  template <class T>
  T get(cl_image_requirements_info_ext name, const cl_image_format* format,
        const cl_image_desc* d) {
    T value{};
    size_t size = 0;
    check(query_(context_, nullptr, 0, format, d, name, sizeof value, &value, &size), "query");
    EXPECT_EQ(size, sizeof value);
    return value;
  }
  cl_int error(cl_image_requirements_info_ext name, const cl_image_format* format,
               const cl_image_desc* d, cl_mem_flags flags = 0,
               const cl_mem_properties* properties = nullptr) {
    return query_(context_, properties, flags, format, d, name, 0, nullptr, nullptr);
  }
  const clGetImageRequirementsInfoEXT_fn query_ =
      reinterpret_cast<clGetImageRequirementsInfoEXT_fn>(
          clGetExtensionFunctionAddressForPlatform(platform(), "clGetImageRequirementsInfoEXT"));
};

constexpr cl_image_requirements_info_ext kAlignments[] = {
    CL_IMAGE_REQUIREMENTS_BASE_ADDRESS_ALIGNMENT_EXT, CL_IMAGE_REQUIREMENTS_ROW_PITCH_ALIGNMENT_EXT,
    CL_IMAGE_REQUIREMENTS_SLICE_PITCH_ALIGNMENT_EXT};

// A buffer of the size is just large enough for an image with these requirements.
TEST_F(ImageRequirements, AreThoseOfCreation) {
  for (const auto type : kImageTypes)
    for (const auto& format : supported_formats(context_, CL_MEM_READ_WRITE, type)) {
      auto d = describe(type, 5, 3, 2);
      for (const auto name : kAlignments) {
        const auto alignment = get<size_t>(name, &format, &d);
        EXPECT_NE(alignment, 0u);
        EXPECT_EQ(alignment & (alignment - 1), 0u);
        EXPECT_LE(alignment, get<size_t>(name, nullptr, nullptr));
      }
      const auto size = get<size_t>(CL_IMAGE_REQUIREMENTS_SIZE_EXT, &format, &d);
      const auto buffer = make_buffer(context_, size);
      const auto image = make_image(context_, from(buffer, d), format);
      EXPECT_EQ(memory_info<size_t>(image, CL_MEM_SIZE), size);
      if (size < 2)
        continue;
      const auto small = make_buffer(context_, size - 1);
      d.mem_object = small;
      EXPECT_EQ(image_error(context_, 0, &format, &d), CL_INVALID_IMAGE_SIZE);
    }
}

TEST_F(ImageRequirements, Limits) {
  const auto limit = [&](cl_image_requirements_info_ext name, cl_mem_object_type type) {
    const auto d = describe(type, 0);
    return get<cl_uint>(name, &kRgba8, &d);
  };
  EXPECT_EQ(limit(CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT, CL_MEM_OBJECT_IMAGE2D),
            info<size_t>(device(), CL_DEVICE_IMAGE2D_MAX_WIDTH));
  EXPECT_EQ(limit(CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT, CL_MEM_OBJECT_IMAGE1D_BUFFER),
            info<size_t>(device(), CL_DEVICE_IMAGE_MAX_BUFFER_SIZE));
  EXPECT_EQ(limit(CL_IMAGE_REQUIREMENTS_MAX_HEIGHT_EXT, CL_MEM_OBJECT_IMAGE3D),
            info<size_t>(device(), CL_DEVICE_IMAGE3D_MAX_HEIGHT));
  EXPECT_EQ(limit(CL_IMAGE_REQUIREMENTS_MAX_DEPTH_EXT, CL_MEM_OBJECT_IMAGE3D),
            info<size_t>(device(), CL_DEVICE_IMAGE3D_MAX_DEPTH));
  EXPECT_EQ(limit(CL_IMAGE_REQUIREMENTS_MAX_ARRAY_SIZE_EXT, CL_MEM_OBJECT_IMAGE1D_ARRAY),
            info<size_t>(device(), CL_DEVICE_IMAGE_MAX_ARRAY_SIZE));
  EXPECT_EQ(get<cl_uint>(CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT, nullptr, nullptr),
            info<size_t>(device(), CL_DEVICE_IMAGE3D_MAX_WIDTH));
  const auto line = describe(CL_MEM_OBJECT_IMAGE1D, 4),
             flat = describe(CL_MEM_OBJECT_IMAGE2D, 4, 4);
  EXPECT_EQ(error(CL_IMAGE_REQUIREMENTS_MAX_HEIGHT_EXT, &kRgba8, &line),
            CL_INVALID_IMAGE_DESCRIPTOR);
  EXPECT_EQ(error(CL_IMAGE_REQUIREMENTS_MAX_DEPTH_EXT, &kRgba8, &flat),
            CL_INVALID_IMAGE_DESCRIPTOR);
  EXPECT_EQ(error(CL_IMAGE_REQUIREMENTS_MAX_ARRAY_SIZE_EXT, &kRgba8, &flat),
            CL_INVALID_IMAGE_DESCRIPTOR);
}

TEST_F(ImageRequirements, Errors) {
  const auto name = CL_IMAGE_REQUIREMENTS_SIZE_EXT;
  const auto flat = describe(CL_MEM_OBJECT_IMAGE2D, 4, 4),
             empty = describe(CL_MEM_OBJECT_IMAGE1D, 0),
             no_image = describe(CL_MEM_OBJECT_BUFFER, 4);
  const cl_image_format wrong = {CL_INTENSITY, CL_UNORM_SHORT_555};
  const cl_mem_properties unknown[] = {1, 1, 0};
  EXPECT_EQ(query_(nullptr, nullptr, 0, &kRgba8, &flat, name, 0, nullptr, nullptr),
            CL_INVALID_CONTEXT);
  EXPECT_EQ(error(name, &kRgba8, &flat, 0, unknown), CL_INVALID_PROPERTY);
  EXPECT_EQ(error(name, &kRgba8, &flat, ~cl_mem_flags{0}), CL_INVALID_VALUE);
  EXPECT_EQ(error(name, &wrong, &flat), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  EXPECT_EQ(error(name, &kRgba8, &empty), CL_INVALID_IMAGE_DESCRIPTOR);
  EXPECT_EQ(error(name, &kRgba8, &no_image), CL_INVALID_IMAGE_DESCRIPTOR);
  EXPECT_EQ(error(name, nullptr, &flat), CL_INVALID_VALUE);
  EXPECT_EQ(error(name, &kRgba8, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(error(CL_IMAGE_FORMAT, &kRgba8, &flat), CL_INVALID_VALUE);
  size_t value = 0;
  EXPECT_EQ(query_(context_, nullptr, 0, &kRgba8, &flat, name, sizeof value - 1, &value, nullptr),
            CL_INVALID_VALUE);
}

} // namespace
} // namespace heddle::test
