// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/execution/enqueued_launch.h"

#include "runtime/core/block_pool.h"
#include "runtime/device/limits.h"
#include "runtime/execution/work_group_size.h"

#include <cstdint>
#include <cstring>
#include <new>

namespace heddle {
namespace {

constexpr std::uint64_t kAlignment = 128; // of the widest type, double16

constexpr std::uint64_t round_up(std::uint64_t size) {
  return (size + kAlignment - 1) / kAlignment * kAlignment;
}

// Where the copy of the literal begins.
constexpr std::uint64_t literal_offset(std::size_t local_count) {
  return round_up(sizeof(void*) + local_count * sizeof(std::uint64_t));
}

// One allocation from the block pool holds the object and the bytes.
class EnqueuedArguments final : public ArgumentBlock {
 public:
  static EnqueuedArguments* make(std::uint64_t packed_bytes) {
    const auto bytes = sizeof(EnqueuedArguments) + kAlignment + packed_bytes;
    void* place = block_pool::allocate(bytes);
    return place ? new (place) EnqueuedArguments(bytes) : nullptr;
  }
  static void operator delete(EnqueuedArguments* made, std::destroying_delete_t) {
    const auto bytes = made->allocated_;
    made->~EnqueuedArguments();
    block_pool::release(made, bytes);
  }

  const std::byte* bytes() const override { return packed_; }
  std::byte* bytes() { return packed_; }
  std::uint64_t local_bytes() const override { return local_bytes_; }
  void set_local_bytes(std::uint64_t bytes) { local_bytes_ = bytes; }

 private:
  static void* operator new(std::size_t, void* place) { return place; }
  explicit EnqueuedArguments(std::size_t allocated)
      : ArgumentBlock(Kind::dead),
        packed_(reinterpret_cast<std::byte*>(round_up(reinterpret_cast<std::uintptr_t>(this + 1)))),
        allocated_(allocated) {}
  ~EnqueuedArguments() override = default;

  std::byte* packed_;
  std::uint64_t local_bytes_ = 0;
  std::size_t allocated_;
};

} // namespace

std::optional<NDRange> make_enqueued_range(const abi::EnqueuedRange& range,
                                           const KernelMetadata& kernel, unsigned units,
                                           bool uniform_groups) {
  if (range.work_dim < 1 || range.work_dim > 3)
    return std::nullopt;
  NDRange made;
  made.work_dim = range.work_dim;
  std::size_t items = 1;
  std::size_t group = 1;
  bool has_local = false;
  bool has_no_local = false;
  for (std::uint32_t d = 0; d < range.work_dim; ++d) {
    made.global_size[d] = range.global_size[d];
    made.global_offset[d] = range.global_offset[d];
    const auto local = range.local_size[d];
    (local == 0 ? has_no_local : has_local) = true;
    if (made.global_size[d] > SIZE_MAX - made.global_offset[d] ||
        __builtin_mul_overflow(items, made.global_size[d], &items) ||
        local > limits::kWorkGroupSize)
      return std::nullopt;
    made.local_size[d] = local;
    group *= local; // at most 2^36
  }
  const auto most = max_group_size(kernel);
  if (has_local && (has_no_local || group > most))
    return std::nullopt;
  const auto& required = kernel.required_group_size;
  if (!has_local) {
    if (required[0] != 0)
      for (std::uint32_t d = 0; d < made.work_dim; ++d)
        made.local_size[d] = required[d];
    else
      choose_local_size(made, most, units, kernel.has_barrier, !uniform_groups,
                        kernel.has_swapped_dimensions);
  }
  for (int d = 0; d < 3; ++d)
    if ((required[0] != 0 && made.local_size[d] != required[d]) ||
        (uniform_groups && made.global_size[d] % made.local_size[d] != 0))
      return std::nullopt;
  return made;
}

bool is_empty(const NDRange& range) {
  return range.global_size[0] == 0 || range.global_size[1] == 0 || range.global_size[2] == 0;
}

std::uint64_t enqueued_argument_bytes(const abi::BlockLiteral& literal, std::size_t local_count) {
  return literal_offset(local_count) + literal.bytes;
}

std::optional<std::uint64_t> enqueued_local_bytes(const KernelMetadata& kernel,
                                                  std::span<const std::uint64_t> sizes) {
  auto end = kernel.local_bytes;
  for (const auto size : sizes) {
    if (size == 0 || size > limits::kLocalBytes)
      return std::nullopt;
    end = round_up(end) + size;
    if (end > limits::kLocalBytes)
      return std::nullopt;
  }
  return end;
}

Ref<ArgumentBlock> make_enqueued_arguments(const KernelMetadata& kernel,
                                           const abi::BlockLiteral& literal,
                                           std::span<const std::uint64_t> sizes) {
  auto made = Ref<EnqueuedArguments>::adopt(
      EnqueuedArguments::make(enqueued_argument_bytes(literal, sizes.size())));
  if (!made)
    return nullptr;
  auto* packed = made->bytes();
  auto* copy = packed + literal_offset(sizes.size());
  std::memcpy(copy, &literal, literal.bytes);
  std::memcpy(packed, &copy, sizeof copy);
  auto end = kernel.local_bytes;
  for (const auto size : sizes) {
    packed += sizeof(std::uint64_t);
    end = round_up(end);
    std::memcpy(packed, &end, sizeof end);
    end += size;
  }
  made->set_local_bytes(end);
  return Ref<ArgumentBlock>(std::move(made));
}

} // namespace heddle
