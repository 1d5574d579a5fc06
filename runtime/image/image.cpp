// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/image/image.h"

#include "runtime/allocation/shadowed_memory.h"
#include "runtime/allocation/storage.h"
#include "runtime/memory/placement.h"

#include <array>
#include <new>
#include <utility>

namespace heddle {
namespace {

std::int32_t to_int(std::size_t value) { return static_cast<std::int32_t>(value); }

std::unique_ptr<abi::ImageLevel[]> make_levels(const ImageShape& shape) {
  if (!shape.has_levels())
    return nullptr;
  std::unique_ptr<abi::ImageLevel[]> levels(new abi::ImageLevel[shape.level_count()]());
  for (unsigned i = 0; i < shape.level_count(); ++i) {
    const auto level = shape.level(i);
    auto& made = levels[i];
    made.offset = level.offset;
    made.width = to_int(level.width);
    made.height = shape.has_rows() ? to_int(level.height) : 1;
    made.depth = shape.type == CL_MEM_OBJECT_IMAGE3D ? to_int(level.depth) : 1;
    made.row_pitch = level.row_pitch;
    made.slice_pitch = level.slice_pitch;
  }
  return levels;
}

} // namespace

Image::Image(Context& context, Memory* parent, cl_mem_flags flags, std::byte* data, Storage storage,
             const ImageShape& shape, std::unique_ptr<abi::ImageLevel[]> levels,
             std::vector<cl_mem_properties> properties)
    : Memory(context, shape.type, parent, flags, data, shape.bytes(), storage,
             std::move(properties)),
      shape_(shape), levels_(std::move(levels)), descriptor_{} {
  descriptor_.data = reinterpret_cast<unsigned char*>(data);
  descriptor_.width = to_int(shape.width);
  descriptor_.height = to_int(shape.height);
  descriptor_.depth = to_int(shape.depth);
  descriptor_.array_size = to_int(shape.array_size);
  descriptor_.row_pitch = shape.row_pitch;
  descriptor_.slice_pitch = shape.slice_pitch;
  descriptor_.channel_order = format().api.image_channel_order;
  descriptor_.channel_data_type = format().api.image_channel_data_type;
  descriptor_.format = format().word();
  descriptor_.element_size = format().element_size;
  descriptor_.mip_levels = shape.level_count();
  descriptor_.levels = levels_.get();
  set_argument(&descriptor_);
}

Result<Ref<Image>> Image::make(Context& context, cl_mem_flags flags, const ImageShape& shape,
                               void* host, std::vector<cl_mem_properties> properties) {
  const bool use_host = flags & CL_MEM_USE_HOST_PTR;
  const auto bytes = shape.bytes();
  auto levels = make_levels(shape);
  auto* data = use_host ? static_cast<std::byte*>(host) : storage::allocate_zeroed(bytes);
  if (!data)
    return CL_MEM_OBJECT_ALLOCATION_FAILURE;
  if (!use_host)
    placement::choose(context, flags, data, bytes);
  if (flags & CL_MEM_COPY_HOST_PTR) {
    const auto whole = shape.level(0); // there are no others
    const std::array size{whole.width, whole.height, whole.depth};
    const auto layout = layout_of(whole, *shape.format, {0, 0, 0}, size);
    const RectCopy copy(data, layout, static_cast<std::byte*>(host), layout,
                        {shape.format->row_bytes(size[0]), size[1], size[2]});
    copy.run(0, copy.bytes());
  }
  auto image = Ref<Image>::adopt(new (std::nothrow) Image(
      context, nullptr, flags, data, use_host ? Storage::others : Storage::own, shape,
      std::move(levels), std::move(properties)));
  if (!image) {
    if (!use_host)
      storage::free(data, bytes);
    return CL_OUT_OF_HOST_MEMORY;
  }
  return image;
}

Result<Ref<Image>> Image::make_imported(Context& context, cl_mem_flags flags,
                                        const ImageShape& shape, external_memory::Mapping&& mapping,
                                        std::vector<cl_mem_properties> properties,
                                        std::unique_ptr<external_memory::Source> source) {
  auto image = Ref<Image>::adopt(new (std::nothrow)
                                     Image(context, nullptr, flags, mapping.data(), Storage::mapped,
                                           shape, make_levels(shape), std::move(properties)));
  if (!image)
    return CL_OUT_OF_HOST_MEMORY;
  mapping.release();
  image->set_external_source(std::move(source));
  return image;
}

Ref<Image> Image::make_view(Memory& parent, cl_mem_flags flags, const ImageShape& shape,
                            std::vector<cl_mem_properties> properties) {
  shadowed_memory::mark_written(parent.data(), parent.size()); // images are not followed
  return Ref<Image>::adopt(new (std::nothrow) Image(parent.context(), &parent, flags, parent.data(),
                                                    Storage::others, shape, make_levels(shape),
                                                    std::move(properties)));
}

} // namespace heddle
