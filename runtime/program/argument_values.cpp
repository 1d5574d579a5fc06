#include "runtime/program/argument_values.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

namespace heddle {
namespace {

constexpr std::size_t kAlignment = 128; // of the widest type, double16

std::size_t round_up(std::size_t size, std::size_t alignment) {
  return (size + alignment - 1) / alignment * alignment;
}

} // namespace

void ArgumentValues::Free::operator()(std::byte* memory) const { std::free(memory); }

ArgumentValues::ArgumentValues(const KernelMetadata& kernel)
    : ArgumentBlock(Kind::dead), kernel_(kernel), is_set_(kernel.arguments.size()),
      local_bytes_(kernel.local_bytes) {
  const auto size = std::max(kAlignment, round_up(kernel.packed_bytes, kAlignment));
  bytes_.reset(static_cast<std::byte*>(std::aligned_alloc(kAlignment, size)));
  if (!bytes_)
    throw std::bad_alloc();
  std::memset(bytes_.get(), 0, size);
  for (const auto& argument : kernel.arguments) {
    if (argument.kind == ArgumentKind::local_pointer)
      local_sizes_.resize(kernel.arguments.size());
    else if (argument.kind != ArgumentKind::value)
      memories_.resize(kernel.arguments.size());
  }
}

Ref<ArgumentValues> ArgumentValues::create(const KernelMetadata& kernel) try {
  return Ref<ArgumentValues>::adopt(new ArgumentValues(kernel));
} catch (const std::bad_alloc&) {
  return nullptr;
}

Ref<ArgumentValues> ArgumentValues::copy() const try {
  auto made = create(kernel_);
  if (!made)
    return nullptr;
  std::memcpy(made->bytes_.get(), bytes_.get(), kernel_.packed_bytes);
  made->is_set_ = is_set_;
  made->set_count_ = set_count_;
  made->memories_ = memories_;
  made->local_sizes_ = local_sizes_;
  made->local_bytes_ = local_bytes_;
  return made;
} catch (const std::bad_alloc&) {
  return nullptr;
}

void ArgumentValues::mark_set(std::size_t index) {
  set_count_ += !is_set_[index];
  is_set_[index] = true;
}

void ArgumentValues::set_value(std::size_t index, const void* value) {
  const auto& argument = kernel_.arguments[index];
  std::memcpy(bytes_.get() + argument.offset, value, argument.size);
  mark_set(index);
}

void ArgumentValues::set_memory(std::size_t index, Memory* memory) {
  const auto address = memory ? memory->data() : nullptr;
  std::memcpy(bytes_.get() + kernel_.arguments[index].offset, &address, sizeof address);
  memories_[index] = Ref<Memory>(memory);
  mark_set(index);
}

void ArgumentValues::set_local(std::size_t index, std::uint64_t size) {
  local_sizes_[index] = size;
  mark_set(index);
  std::uint64_t end = kernel_.local_bytes;
  for (std::size_t i = 0; i < local_sizes_.size(); ++i) {
    const auto& argument = kernel_.arguments[i];
    if (argument.kind != ArgumentKind::local_pointer)
      continue;
    end = round_up(end, std::max<std::size_t>(argument.alignment, kAlignment));
    std::memcpy(bytes_.get() + argument.offset, &end, sizeof end);
    end += local_sizes_[i];
  }
  local_bytes_ = end;
}

} // namespace heddle
