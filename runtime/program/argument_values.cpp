// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/program/argument_values.h"

#include "runtime/core/block_pool.h"
#include "runtime/image/image.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <span>

namespace heddle {
namespace {

constexpr std::size_t kAlignment = 128; // of the widest type, double16

std::uint64_t round_up(std::uint64_t size, std::uint64_t alignment) {
  return (size + alignment - 1) / alignment * alignment;
}

// Saturates: sizes near 2^64 must not wrap around.
std::uint64_t add(std::uint64_t a, std::uint64_t b) {
  constexpr auto most = std::numeric_limits<std::uint64_t>::max() / 2;
  return a > most || b > most || a + b > most ? most : a + b;
}

// One allocation from the block pool holds the object, the packed bytes and the references: each
// launch creates one.
class Captured final : public ArgumentBlock {
 public:
  static Captured* make(std::span<const std::byte> packed, std::size_t memory_count,
                        std::uint64_t local_bytes) {
    const auto bytes = sizeof(Captured) + memory_count * sizeof(Ref<Memory>) + kAlignment +
                       std::max<std::size_t>(packed.size(), 1);
    void* place = block_pool::allocate(bytes);
    return place ? new (place) Captured(packed, memory_count, local_bytes, bytes) : nullptr;
  }
  // Destroys the object and releases the memory of make().
  static void operator delete(Captured* captured, std::destroying_delete_t) {
    const auto bytes = captured->allocated_;
    captured->~Captured();
    block_pool::release(captured, bytes);
  }

  const std::byte* bytes() const override { return packed_; }
  std::uint64_t local_bytes() const override { return local_bytes_; }

  void write(std::uint32_t offset, const std::byte* value, std::size_t bytes) {
    std::memcpy(packed_ + offset, value, bytes);
  }
  void place(std::uint32_t offset, std::uint64_t in_local_memory) {
    std::memcpy(packed_ + offset, &in_local_memory, sizeof in_local_memory);
  }
  void keep(std::size_t index, Memory* memory, std::uint32_t offset) {
    memories_[index] = memory->keep();
    const auto* argument = memory->argument();
    std::memcpy(packed_ + offset, &argument, sizeof argument);
  }
  // Throws std::bad_alloc.
  void keep(DeviceQueue* queue) { queues_.emplace_back(queue); }

 private:
  static void* operator new(std::size_t, void* place) { return place; }
  Captured(std::span<const std::byte> packed, std::size_t memory_count, std::uint64_t local_bytes,
           std::size_t allocated)
      : ArgumentBlock(Kind::dead), memories_(reinterpret_cast<Ref<Memory>*>(this + 1)),
        memory_count_(memory_count), local_bytes_(local_bytes), allocated_(allocated) {
    std::uninitialized_value_construct_n(memories_, memory_count);
    const auto end = reinterpret_cast<std::uintptr_t>(memories_ + memory_count);
    packed_ = reinterpret_cast<std::byte*>(round_up(end, kAlignment));
    std::copy(packed.begin(), packed.end(), packed_);
  }
  ~Captured() override { std::destroy_n(memories_, memory_count_); }

  Ref<Memory>* memories_;
  std::size_t memory_count_;
  std::vector<ParentRef<DeviceQueue>> queues_; // kernels name them by their handles
  std::byte* packed_;
  std::uint64_t local_bytes_;
  std::size_t allocated_;
};

} // namespace

ArgumentValues::ArgumentValues(const KernelDeclaration& kernel)
    : kernel_(kernel), packed_(kernel.packed_bytes), is_set_(kernel.arguments.size()) {
  for (const auto& argument : kernel.arguments)
    if (argument.kind == ArgumentKind::local_pointer)
      local_sizes_.resize(kernel.arguments.size());
}

void ArgumentValues::mark_set(std::size_t index) {
  set_count_ += !is_set_[index];
  is_set_[index] = true;
}

void ArgumentValues::set_value(std::size_t index, const void* value) {
  const auto& argument = kernel_.arguments[index];
  std::memcpy(packed_.data() + argument.offset, value, argument.size);
  mark_set(index);
}

std::optional<double> ArgumentValues::integer(std::size_t index) const {
  if (index >= is_set_.size() || !is_set_[index] ||
      kernel_.arguments[index].kind != ArgumentKind::value)
    return std::nullopt;
  const auto read = [&](auto value) {
    std::memcpy(&value, packed_.data() + kernel_.arguments[index].offset, sizeof value);
    return std::optional(static_cast<double>(value));
  };
  switch (kernel_.arguments[index].size) {
  case 1:
    return read(std::int8_t{});
  case 2:
    return read(std::int16_t{});
  case 4:
    return read(std::int32_t{});
  case 8:
    return read(std::int64_t{});
  default:
    return std::nullopt;
  }
}

void ArgumentValues::set_memory(std::size_t index, cl_mem memory) {
  const auto offset = kernel_.arguments[index].offset;
  const auto known = std::find_if(memories_.begin(), memories_.end(),
                                  [&](const auto& entry) { return entry.offset == offset; });
  if (!memory) {
    if (known != memories_.end())
      memories_.erase(known);
    std::memset(packed_.data() + offset, 0, sizeof(void*));
  } else if (known != memories_.end()) {
    known->handle = memory;
  } else {
    memories_.push_back({offset, memory});
  }
  mark_set(index);
}

void ArgumentValues::set_pointer(std::size_t index, const void* address) {
  const auto offset = kernel_.arguments[index].offset;
  std::erase_if(memories_, [&](const auto& entry) { return entry.offset == offset; });
  std::memcpy(packed_.data() + offset, &address, sizeof address);
  mark_set(index);
}

void ArgumentValues::set_queue(std::size_t index, cl_command_queue queue) {
  const auto offset = kernel_.arguments[index].offset;
  std::memcpy(packed_.data() + offset, &queue, sizeof queue);
  if (!is_set_[index])
    queue_offsets_.push_back(offset);
  mark_set(index);
}

void ArgumentValues::set_local(std::size_t index, std::uint64_t size) {
  local_sizes_[index] = size;
  mark_set(index);
}

template <class Visit>
std::uint64_t ArgumentValues::place_locals(std::uint64_t static_bytes, Visit visit) const {
  auto end = static_bytes;
  for (std::size_t i = 0; i < local_sizes_.size(); ++i) {
    const auto& argument = kernel_.arguments[i];
    if (argument.kind != ArgumentKind::local_pointer)
      continue;
    end = round_up(end, std::max<std::uint64_t>(argument.alignment, kAlignment));
    visit(i, end);
    end = add(end, local_sizes_[i]);
  }
  return end;
}

std::uint64_t ArgumentValues::local_bytes(std::uint64_t static_bytes) const {
  return place_locals(static_bytes, [](std::size_t, std::uint64_t) {});
}

Result<Ref<ArgumentBlock>> ArgumentValues::capture(std::uint64_t static_bytes) const {
  if (!is_complete())
    return CL_INVALID_KERNEL_ARGS;
  auto block =
      Ref<Captured>::adopt(Captured::make(packed_, memories_.size(), local_bytes(static_bytes)));
  if (!block)
    return CL_OUT_OF_HOST_MEMORY;
  place_locals(static_bytes, [&](std::size_t index, std::uint64_t at) {
    block->place(kernel_.arguments[index].offset, at);
  });
  for (std::size_t i = 0; i < memories_.size(); ++i) {
    auto* memory = find<Memory>(memories_[i].handle);
    if (!memory)
      return CL_INVALID_KERNEL_ARGS;
    block->keep(i, memory, memories_[i].offset);
  }
  for (const auto offset : queue_offsets_) {
    cl_command_queue handle = nullptr;
    std::memcpy(&handle, packed_.data() + offset, sizeof handle);
    auto* queue = find<DeviceQueue>(handle);
    if (!queue)
      return CL_INVALID_KERNEL_ARGS;
    block->keep(queue);
  }
  return Ref<ArgumentBlock>(std::move(block));
}

void ArgumentValues::write_values(ArgumentBlock& captured) const {
  auto& block = static_cast<Captured&>(captured);
  for (const auto& argument : kernel_.arguments)
    if (argument.kind == ArgumentKind::value)
      block.write(argument.offset, packed_.data() + argument.offset, argument.size);
}

Ref<ArgumentBlock> ArgumentValues::copy_values(const ArgumentBlock& captured) const {
  auto made = Ref<Captured>::adopt(
      Captured::make({captured.bytes(), packed_.size()}, 0, captured.local_bytes()));
  if (made)
    write_values(*made);
  return made;
}

const std::byte* ArgumentValues::address(std::size_t index) const {
  const std::byte* value = nullptr;
  std::memcpy(&value, packed_.data() + kernel_.arguments[index].offset, sizeof value);
  return value;
}

cl_mem ArgumentValues::memory_handle(std::size_t index) const {
  const auto offset = kernel_.arguments[index].offset;
  const auto known = std::find_if(memories_.begin(), memories_.end(),
                                  [&](const auto& entry) { return entry.offset == offset; });
  return known == memories_.end() ? nullptr : known->handle;
}

const Memory* ArgumentValues::memory(std::size_t index) const {
  return find<Memory>(memory_handle(index));
}

bool ArgumentValues::overlap(const AllocationMap& allocations,
                             const std::vector<std::uint32_t>* written) const {
  struct Range {
    const std::byte *begin, *end;
    bool is_written, is_image;
  };
  // One for each argument at most; without an allocation in most launches.
  std::array<Range, 32> few;
  std::vector<Range> many(kernel_.arguments.size() > few.size() ? kernel_.arguments.size() : 0);
  auto* const ranges = many.empty() ? few.data() : many.data();
  std::size_t count = 0;
  bool has_unknown = false;
  for (std::size_t i = 0; i < kernel_.arguments.size(); ++i) {
    const bool is_written =
        !written || std::ranges::find(*written, static_cast<std::uint32_t>(i)) != written->end();
    if (kernel_.arguments[i].kind == ArgumentKind::image)
      if (const auto* image = find_image(memory_handle(i)))
        ranges[count++] = {image->data(), image->data() + image->size(), is_written, true};
    if (!is_pointer(i))
      continue;
    const auto* buffer = memory(i);
    const auto* value = address(i);
    if (buffer) {
      ranges[count++] = {buffer->data(), buffer->data() + buffer->size(), is_written, false};
    } else if (value) {
      // Any part of the allocation can be reached by an address inside it.
      const auto around = allocations.find(value);
      has_unknown |= !around;
      ranges[count++] = {around ? around->begin : value, around ? around->end() : value + 1,
                         is_written, false};
    }
  }
  if (has_unknown && count > 1)
    return true;
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t k = 0; k < i; ++k)
      if (ranges[i].begin < ranges[k].end && ranges[k].begin < ranges[i].end &&
          (ranges[i].is_written || ranges[k].is_written) &&
          !(ranges[i].is_image && ranges[k].is_image))
        return true;
  return false;
}

void ArgumentValues::add_known(Specialization& known) const {
  for (std::size_t i = 0; i < kernel_.arguments.size(); ++i) {
    const auto kind = kernel_.arguments[i].kind;
    if (!is_set_[i])
      continue;
    if (const auto* image = kind == ArgumentKind::image ? find_image(memory_handle(i)) : nullptr) {
      known.know({i, image->format().word()});
    } else if (kind == ArgumentKind::sampler) {
      std::uint64_t word = 0;
      std::memcpy(&word, packed_.data() + kernel_.arguments[i].offset, sizeof word);
      known.know({i, word});
    }
  }
}

std::optional<std::uint64_t> ArgumentValues::memory_bytes(const AllocationMap& allocations) const {
  std::vector<const std::byte*> counted;
  std::uint64_t bytes = 0;
  const auto count = [&](const std::byte* begin, std::uint64_t size) {
    if (std::ranges::find(counted, begin) != counted.end())
      return;
    counted.push_back(begin);
    bytes += size;
  };
  for (std::size_t i = 0; i < kernel_.arguments.size(); ++i) {
    if (!is_pointer(i))
      continue;
    if (const auto* buffer = memory(i)) {
      count(buffer->data(), buffer->size());
    } else if (const auto* value = address(i)) {
      const auto around = allocations.find(value);
      if (!around)
        return std::nullopt;
      count(around->begin, static_cast<std::uint64_t>(around->end() - around->begin));
    }
  }
  return bytes;
}

bool ArgumentValues::has_foreign_pointer(const AllocationMap& allocations) const {
  for (std::size_t i = 0; i < kernel_.arguments.size(); ++i)
    if (is_pointer(i) && !memory(i) && address(i) && !allocations.find(address(i)))
      return true;
  return false;
}

std::vector<MemoryBlock> ArgumentValues::blocks(const AllocationMap& allocations,
                                                std::uint64_t static_bytes) const {
  std::vector<MemoryBlock> blocks;
  std::vector<std::uint64_t> local_offsets(local_sizes_.size());
  place_locals(static_bytes, [&](std::size_t i, std::uint64_t at) { local_offsets[i] = at; });
  for (std::size_t i = 0; i < kernel_.arguments.size(); ++i) {
    const auto& argument = kernel_.arguments[i];
    MemoryBlock block;
    block.argument = i + 1;
    block.what = "argument " + std::to_string(i) + " '" + argument.name + "'";
    if (argument.kind == ArgumentKind::local_pointer) {
      block.is_local = true;
      block.begin = local_offsets[i];
      block.bytes = local_sizes_[i];
    } else if (is_pointer(i)) {
      if (const auto* buffer = memory(i)) {
        block.begin = reinterpret_cast<std::uintptr_t>(buffer->data());
        block.bytes = buffer->size();
      } else if (const auto* value = address(i)) {
        const auto around = allocations.find(value);
        if (!around)
          continue;
        block.begin = reinterpret_cast<std::uintptr_t>(around->begin);
        block.bytes = around->size;
        block.what = around->name() + ", " + block.what;
      }
    } else if (argument.kind == ArgumentKind::image) {
      const auto* image = find_image(memory_handle(i));
      if (!image)
        continue;
      block.is_image = true;
      block.begin = reinterpret_cast<std::uintptr_t>(image->data());
      block.bytes = image->size();
    } else {
      continue;
    }
    blocks.push_back(std::move(block));
  }
  return blocks;
}

} // namespace heddle
