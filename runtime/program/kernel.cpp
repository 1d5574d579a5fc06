// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/program/kernel.h"

#include "runtime/core/lock.h"
#include "runtime/device/limits.h"
#include "runtime/image/image.h"
#include "runtime/image/sampler.h"

#include <algorithm>
#include <cstring>
#include <new>

namespace heddle {
namespace {

bool same_declaration(const KernelDeclaration& a, const KernelDeclaration& b) {
  return std::equal(a.arguments.begin(), a.arguments.end(), b.arguments.begin(), b.arguments.end(),
                    [](const KernelArgument& x, const KernelArgument& y) {
                      return x.kind == y.kind && x.offset == y.offset && x.size == y.size &&
                             x.type_name == y.type_name;
                    });
}

bool is_object(const KernelArgument& argument) {
  return argument.kind != ArgumentKind::value && argument.kind != ArgumentKind::local_pointer;
}

// CL_INVALID_MEM_OBJECT for an image of another type than the argument, CL_INVALID_ARG_VALUE for
// one that kernels may not access as the argument does.
cl_int check_image(const KernelArgument& argument, const Image& image) {
  const bool is_depth = image.format().api.image_channel_order == CL_DEPTH;
  if (image.type() != argument.image_type || is_depth != argument.is_depth_image)
    return CL_INVALID_MEM_OBJECT;
  const bool reads = argument.access_qualifier != CL_KERNEL_ARG_ACCESS_WRITE_ONLY;
  const bool writes = argument.access_qualifier == CL_KERNEL_ARG_ACCESS_WRITE_ONLY ||
                      argument.access_qualifier == CL_KERNEL_ARG_ACCESS_READ_WRITE;
  if ((reads && (image.flags() & CL_MEM_WRITE_ONLY)) ||
      (writes &&
       ((image.flags() & (CL_MEM_READ_ONLY | kImmutable)) || !image.format().is_writable)))
    return CL_INVALID_ARG_VALUE;
  return CL_SUCCESS;
}

// Whether the handle, which may be null, is valid for the argument: CL_INVALID_MEM_OBJECT,
// CL_INVALID_SAMPLER, CL_INVALID_DEVICE_QUEUE, CL_INVALID_CONTEXT, CL_INVALID_ARG_VALUE.
cl_int check_object(const KernelArgument& argument, const void* handle, const Context& context) {
  const auto check_context = [&](const Context& of_object) {
    return &of_object == &context ? CL_SUCCESS : CL_INVALID_CONTEXT;
  };
  switch (argument.kind) {
  case ArgumentKind::global_pointer:
  case ArgumentKind::constant_pointer: {
    if (!handle)
      return CL_SUCCESS;
    const auto* buffer = find_buffer(handle);
    if (!buffer)
      return CL_INVALID_MEM_OBJECT;
    if (const auto error = check_context(buffer->context()))
      return error;
    const bool may_write = argument.kind == ArgumentKind::global_pointer &&
                           !(argument.type_qualifier & CL_KERNEL_ARG_TYPE_CONST);
    return may_write && buffer->is_immutable() ? CL_INVALID_ARG_VALUE : CL_SUCCESS;
  }
  case ArgumentKind::pipe: {
    const auto* pipe = find_pipe(handle);
    return pipe ? check_context(pipe->context()) : CL_INVALID_MEM_OBJECT;
  }
  case ArgumentKind::image: {
    const auto* image = find_image(handle);
    if (!image)
      return CL_INVALID_MEM_OBJECT;
    const auto error = check_context(image->context());
    return error ? error : check_image(argument, *image);
  }
  case ArgumentKind::sampler: {
    const auto* sampler = find<Sampler>(handle);
    return sampler ? check_context(sampler->context()) : CL_INVALID_SAMPLER;
  }
  case ArgumentKind::queue: {
    const auto* queue = find<DeviceQueue>(handle);
    return queue ? check_context(queue->context()) : CL_INVALID_DEVICE_QUEUE;
  }
  case ArgumentKind::value:
  case ArgumentKind::local_pointer:
    break;
  }
  return CL_SUCCESS;
}

bool has_argument(const KernelDeclaration& kernel, ArgumentKind kind) {
  return std::ranges::any_of(kernel.arguments,
                             [kind](const auto& argument) { return argument.kind == kind; });
}

std::size_t required_items(const KernelDeclaration& kernel) {
  const auto& size = kernel.required_group_size;
  return size[0] * size[1] * size[2];
}

} // namespace

Kernel::Kernel(Program& program, std::vector<ForDevice> loaded_programs,
               const ArgumentValues& arguments, const ExecInfo& exec_info)
    : Object(Kind::kernel), program_(&program), loaded_programs_(std::move(loaded_programs)),
      spare_(loaded_programs_.size()), has_pipes_(has_argument(declaration(), ArgumentKind::pipe)),
      has_images_(has_argument(declaration(), ArgumentKind::image)), arguments_(arguments),
      exec_info_(exec_info) {
  program.attach_kernel();
}

Kernel::~Kernel() {
  for (std::size_t i = 0; i < spare_.size(); ++i)
    spare_[i].close(*loaded_programs_[i].loaded);
  detach();
}

// From now on the program may be built again, even while commands run.
void Kernel::on_user_released() noexcept { detach(); }

void Kernel::detach() noexcept {
  if (attached_.exchange(false))
    program_->detach_kernel();
}

Result<Ref<Kernel>> Kernel::create(Program& program, const std::string& name) {
  std::vector<ForDevice> loaded_programs;
  bool executable = false;
  for (const auto& device : program.devices()) {
    auto loaded = program.loaded(*device);
    if (!loaded)
      continue;
    executable = true;
    const auto index = loaded->find(name);
    if (index == loaded->kernel_count())
      continue;
    const auto& declaration = loaded->kernel(index);
    if (!loaded_programs.empty() &&
        !same_declaration(*loaded_programs.front().declaration, declaration))
      return CL_INVALID_KERNEL_DEFINITION;
    auto& units = loaded->units(index);
    loaded_programs.push_back({device.get(), std::move(loaded), &declaration, &units});
  }
  if (!executable)
    return CL_INVALID_PROGRAM_EXECUTABLE;
  if (loaded_programs.empty())
    return CL_INVALID_KERNEL_NAME;
  for (const auto& entry : loaded_programs) {
    entry.units->expect();
    if (auto* objects = entry.loaded->global_objects())
      objects->start();
  }
  const ArgumentValues none(*loaded_programs.front().declaration);
  return Ref<Kernel>::adopt(new Kernel(program, std::move(loaded_programs), none, ExecInfo()));
}

Result<Ref<Kernel>> Kernel::clone() {
  const Lock lock(mutex_);
  return Ref<Kernel>::adopt(new Kernel(*program_, loaded_programs_, arguments_, exec_info_));
}

const Kernel::ForDevice* Kernel::find_loaded(const Device& device) const {
  for (const auto* part = &device; part; part = part->parent())
    for (const auto& entry : loaded_programs_)
      if (entry.device == part)
        return &entry;
  return nullptr;
}

void Kernel::report(const ForDevice& entry, KernelUnits& units, bool is_built) const {
  if (is_built && !units.is_replacement_news())
    return;
  if (const auto problem = units.problem(); !problem.empty())
    program_->context().report("heddle: " + (is_built ? problem
                                                      : "kernel '" + entry.declaration->name +
                                                            "' cannot be built: " + problem));
}

Result<const Unit*> Kernel::unit(const ForDevice& entry) const {
  auto& units = entry.units->generic();
  if (const auto* unit = units.ready())
    return unit;
  const auto* unit = units.need();
  report(entry, units, unit != nullptr);
  if (!unit)
    return CL_OUT_OF_RESOURCES;
  return unit;
}

Result<const KernelMetadata*> Kernel::metadata(const Device& device) const {
  const auto* entry = find_loaded(device);
  if (!entry)
    return CL_INVALID_PROGRAM_EXECUTABLE;
  if (!entry->units->generic().ready())
    entry->loaded->start_after(*entry->units, device.compute_units() - 1);
  auto built = unit(*entry);
  return built ? Result<const KernelMetadata*>(&(*built)->metadata()) : built.error();
}

Result<std::size_t> Kernel::max_group_size(const Device& device) const {
  if (const auto required = required_items(declaration()))
    return required;
  if (!declaration().may_have_barrier)
    return limits::kWorkGroupSize;
  // Nearly all kernels run in groups of any size. What cannot tell so soon may be too cautious.
  const auto* entry = find_loaded(device);
  std::size_t most = 0;
  if (entry && !entry->units->generic().ready())
    if (const auto* other = entry->units->generic().stand_in())
      most = heddle::max_group_size(other->metadata());
  if (most == limits::kWorkGroupSize)
    return most;
  auto built = metadata(device);
  return built ? Result<std::size_t>(std::max(most, heddle::max_group_size(**built)))
               : built.error();
}

Result<std::uint64_t> Kernel::local_bytes(const Device& device) const {
  const auto* entry = find_loaded(device);
  if (entry && !entry->units->generic().ready())
    if (const auto* other = entry->units->generic().stand_in())
      return local_bytes(other->metadata().local_bytes);
  auto built = metadata(device);
  return built ? Result<std::uint64_t>(local_bytes((*built)->local_bytes)) : built.error();
}

bool Kernel::has_any_width(const Device& device) const {
  const auto* entry = find_loaded(device);
  return entry && declaration().required_sub_group_size == 0 &&
         entry->units->generic().has_any_width();
}

bool Kernel::has_swapped_dimensions(const Device& device) const {
  const auto* entry = find_loaded(device);
  const auto* unit = entry ? entry->units->generic().ready() : nullptr;
  return unit && unit->metadata().has_swapped_dimensions;
}

cl_int Kernel::check_argument(cl_uint index, std::size_t size, const void* value) const {
  const auto& declared = declaration().arguments;
  if (index >= declared.size())
    return CL_INVALID_ARG_INDEX;
  const auto& argument = declared[index];
  void* handle = nullptr;
  if (is_object(argument)) {
    if (size != sizeof handle)
      return CL_INVALID_ARG_SIZE;
    if (value)
      std::memcpy(&handle, value, sizeof handle);
    if (const auto error = check_object(argument, handle, program_->context()))
      return error;
  } else if (argument.kind == ArgumentKind::local_pointer) {
    if (value)
      return CL_INVALID_ARG_VALUE;
    // Since OpenCL 3.1 the size may be 0: the kernel does not use the memory.
  } else {
    if (!value)
      return CL_INVALID_ARG_VALUE;
    if (size != argument.size)
      return CL_INVALID_ARG_SIZE;
  }
  return CL_SUCCESS;
}

cl_int Kernel::set_argument(cl_uint index, std::size_t size, const void* value) {
  if (const auto error = check_argument(index, size, value))
    return error;
  set_checked_argument(index, size, value);
  return CL_SUCCESS;
}

void Kernel::set_checked_argument(cl_uint index, std::size_t size, const void* value) {
  const auto& argument = declaration().arguments[index];
  void* handle = nullptr;
  if (is_object(argument) && value)
    std::memcpy(&handle, value, sizeof handle);
  const Lock lock(mutex_);
  if (argument.kind == ArgumentKind::value) {
    arguments_.set_value(index, value);
  } else if (argument.kind == ArgumentKind::local_pointer) {
    arguments_.set_local(index, size);
  } else if (argument.kind == ArgumentKind::sampler) {
    const auto* sampler = find<Sampler>(handle);
    const auto word = sampler ? sampler->state().word() : 0;
    arguments_.set_value(index, &word);
  } else if (argument.kind == ArgumentKind::queue) {
    arguments_.set_queue(index, static_cast<cl_command_queue>(handle));
  } else {
    arguments_.set_memory(index, static_cast<cl_mem>(handle));
  }
}

cl_int Kernel::check_pointer(cl_uint index, bool or_constant) const {
  const auto& declared = declaration().arguments;
  if (index >= declared.size())
    return CL_INVALID_ARG_INDEX;
  const auto kind = declared[index].kind;
  const bool fits = kind == ArgumentKind::global_pointer ||
                    (or_constant && kind == ArgumentKind::constant_pointer);
  return fits ? CL_SUCCESS : CL_INVALID_ARG_VALUE;
}

bool Kernel::has_all_arguments() const {
  const Lock lock(mutex_);
  return arguments_.is_complete();
}

cl_int Kernel::set_pointer(cl_uint index, const void* address, bool or_constant) {
  if (const auto error = check_pointer(index, or_constant))
    return error;
  const Lock lock(mutex_);
  arguments_.set_pointer(index, address);
  return CL_SUCCESS;
}

cl_int Kernel::set_exec_info(cl_kernel_exec_info name, std::size_t size, const void* value) {
  const Lock lock(mutex_);
  return exec_info_.set(name, size, value);
}

std::uint64_t Kernel::local_bytes(std::uint64_t static_bytes) const {
  const Lock lock(mutex_);
  return arguments_.local_bytes(static_bytes);
}

} // namespace heddle
