// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images for API tests: descriptors, creation, and a model of their contents.
#pragma once

#include "tests/api/support.h"

#include <array>
#include <cstring>
#include <vector>

namespace heddle::test {

using Image = Owned<cl_mem>;
using Triple = std::array<size_t, 3>;

inline constexpr cl_image_format kRgba8 = {CL_RGBA, CL_UNORM_INT8};
inline constexpr Triple kNoOrigin = {0, 0, 0};

inline constexpr cl_mem_object_type kImageTypes[] = {
    CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE1D_BUFFER, CL_MEM_OBJECT_IMAGE1D_ARRAY,
    CL_MEM_OBJECT_IMAGE2D, CL_MEM_OBJECT_IMAGE2D_ARRAY,  CL_MEM_OBJECT_IMAGE3D};

inline bool is_array(cl_mem_object_type type) {
  return type == CL_MEM_OBJECT_IMAGE1D_ARRAY || type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
}
inline bool has_rows(cl_mem_object_type type) {
  return type == CL_MEM_OBJECT_IMAGE2D || type == CL_MEM_OBJECT_IMAGE2D_ARRAY ||
         type == CL_MEM_OBJECT_IMAGE3D;
}
inline bool has_slices(cl_mem_object_type type) {
  return type == CL_MEM_OBJECT_IMAGE3D || is_array(type);
}

// `last` is the depth or the number of images; the sizes that the type does not have are left 0.
inline cl_image_desc describe(cl_mem_object_type type, size_t width, size_t height = 0,
                              size_t last = 0) {
  cl_image_desc d{};
  d.image_type = type;
  d.image_width = width;
  if (has_rows(type))
    d.image_height = height;
  if (type == CL_MEM_OBJECT_IMAGE3D)
    d.image_depth = last;
  if (is_array(type))
    d.image_array_size = last;
  return d;
}

// The region that is the whole image.
inline Triple whole(const cl_image_desc& d) {
  if (d.image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY)
    return {d.image_width, d.image_array_size, 1};
  return {d.image_width, has_rows(d.image_type) ? d.image_height : 1,
          d.image_type == CL_MEM_OBJECT_IMAGE3D ? d.image_depth
          : is_array(d.image_type)              ? d.image_array_size
                                                : 1};
}

inline Image make_image(cl_context context, const cl_image_desc& d,
                        const cl_image_format& format = kRgba8, void* host = nullptr,
                        cl_mem_flags flags = CL_MEM_READ_WRITE) {
  cl_int status = CL_SUCCESS;
  Image image(clCreateImage(context, flags, &format, &d, host, &status));
  check(status, "clCreateImage");
  return image;
}

// The error code of clCreateImage; a created image is released.
inline cl_int image_error(cl_context context, cl_mem_flags flags, const cl_image_format* format,
                          const cl_image_desc* d, void* host = nullptr) {
  cl_int status = CL_SUCCESS;
  const Image image(clCreateImage(context, flags, format, d, host, &status));
  return image.get() == nullptr || status == CL_SUCCESS ? status : 1;
}

template <class T>
T image_info(cl_mem image, cl_image_info name) {
  T value{};
  check(clGetImageInfo(image, name, sizeof value, &value, nullptr), "clGetImageInfo");
  return value;
}

template <class T>
T memory_info(cl_mem memory, cl_mem_info name) {
  T value{};
  check(clGetMemObjectInfo(memory, name, sizeof value, &value, nullptr), "clGetMemObjectInfo");
  return value;
}

// An image of any type; that of a 1D image buffer keeps its buffer.
struct AnyImage {
  Buffer buffer;
  Image image;
  Triple size;

  AnyImage(cl_context context, cl_mem_object_type type, const Triple& wanted,
           const cl_image_format& format, size_t element) {
    auto d = describe(type, wanted[0], wanted[1], wanted[2]);
    if (type == CL_MEM_OBJECT_IMAGE1D_BUFFER) {
      buffer = make_buffer(context, wanted[0] * element);
      d.mem_object = buffer;
    }
    image = make_image(context, d, format);
    size = whole(d);
  }
};

// Packed elements of a region of the given size.
class Texels {
 public:
  Texels(const Triple& size, size_t element)
      : size_(size), element_(element), bytes_(size[0] * size[1] * size[2] * element) {}

  unsigned char* at(size_t x, size_t y, size_t z) {
    return bytes_.data() + ((z * size_[1] + y) * size_[0] + x) * element_;
  }
  unsigned char* data() { return bytes_.data(); }
  size_t bytes() const { return bytes_.size(); }
  void number(unsigned start) {
    for (auto& byte : bytes_)
      byte = static_cast<unsigned char>((start = start * 1664525 + 1013904223) >> 24);
  }
  // Copies a region from other texels.
  void copy(const Triple& to, Texels& source, const Triple& from, const Triple& region) {
    for (size_t z = 0; z != region[2]; ++z)
      for (size_t y = 0; y != region[1]; ++y)
        std::memcpy(at(to[0], to[1] + y, to[2] + z), source.at(from[0], from[1] + y, from[2] + z),
                    region[0] * element_);
  }
  bool operator==(const Texels& other) const { return bytes_ == other.bytes_; }

 private:
  Triple size_;
  size_t element_;
  std::vector<unsigned char> bytes_;
};

inline Texels read_image(cl_command_queue queue, cl_mem image, const Triple& size, size_t element) {
  Texels texels(size, element);
  check(clEnqueueReadImage(queue, image, CL_TRUE, kNoOrigin.data(), size.data(), 0, 0,
                           texels.data(), 0, nullptr, nullptr),
        "clEnqueueReadImage");
  return texels;
}

inline void write_image(cl_command_queue queue, cl_mem image, const Triple& size, Texels& texels) {
  check(clEnqueueWriteImage(queue, image, CL_TRUE, kNoOrigin.data(), size.data(), 0, 0,
                            texels.data(), 0, nullptr, nullptr),
        "clEnqueueWriteImage");
}

inline std::vector<cl_image_format> supported_formats(cl_context context, cl_mem_flags flags,
                                                      cl_mem_object_type type) {
  cl_uint count = 0;
  check(clGetSupportedImageFormats(context, flags, type, 0, nullptr, &count),
        "clGetSupportedImageFormats");
  std::vector<cl_image_format> formats(count);
  if (count != 0)
    check(clGetSupportedImageFormats(context, flags, type, count, formats.data(), nullptr),
          "clGetSupportedImageFormats");
  return formats;
}

} // namespace heddle::test
