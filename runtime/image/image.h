// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images (OpenCL API 5.3).
#pragma once

#include "compiler/interface/image_abi.h"
#include "runtime/image/shape.h"
#include "runtime/memory/memory.h"

#include <memory>
#include <vector>

namespace heddle {

class Image final : public Memory {
 public:
  // An image with its own contents, initially zero, with CL_MEM_COPY_HOST_PTR copied from `host`,
  // with CL_MEM_USE_HOST_PTR there; the pitches of the shape are those of `host`. Everything is
  // validated. CL_MEM_OBJECT_ALLOCATION_FAILURE, CL_OUT_OF_HOST_MEMORY.
  static Result<Ref<Image>> make(Context& context, cl_mem_flags flags, const ImageShape& shape,
                                 void* host, std::vector<cl_mem_properties> properties);
  // An image of the mapping (cl_khr_external_memory), which has as many bytes as the shape.
  // CL_OUT_OF_HOST_MEMORY.
  static Result<Ref<Image>> make_imported(Context& context, cl_mem_flags flags,
                                          const ImageShape& shape,
                                          external_memory::Mapping&& mapping,
                                          std::vector<cl_mem_properties> properties,
                                          std::unique_ptr<external_memory::Source> source);
  // An image of the contents of a buffer, or a view of an image with another channel order. Null
  // when memory is exhausted.
  static Ref<Image> make_view(Memory& parent, cl_mem_flags flags, const ImageShape& shape,
                              std::vector<cl_mem_properties> properties);

  const ImageShape& shape() const { return shape_; }
  const ImageFormat& format() const { return *shape_.format; }

 private:
  Image(Context& context, Memory* parent, cl_mem_flags flags, std::byte* data, Storage storage,
        const ImageShape& shape, std::unique_ptr<abi::ImageLevel[]> levels,
        std::vector<cl_mem_properties> properties);
  ~Image() override = default;

  const ImageShape shape_;
  const std::unique_ptr<abi::ImageLevel[]> levels_; // null without mipmaps
  abi::Image descriptor_;
};

// The image of a handle, or null, also for other memory objects.
inline Image* find_image(const void* handle) noexcept {
  auto* memory = find<Memory>(handle);
  return memory && memory->is_image() ? static_cast<Image*>(memory) : nullptr;
}

} // namespace heddle
