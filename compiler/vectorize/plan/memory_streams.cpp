// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/plan/memory_streams.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace heddle::compiler {
namespace {

constexpr std::uint64_t kPage = 4096; // prefetchers do not leave it

// Starts of what was accessed, by what they are computed from.
class Streams {
 public:
  explicit Streams(const llvm::DataLayout& layout) : layout_(layout) {}

  void add(const llvm::Value& address) {
    llvm::APInt offset(layout_.getIndexTypeSizeInBits(address.getType()), 0);
    const auto* base = address.stripAndAccumulateConstantOffsets(layout_, offset, true);
    auto& starts = starts_[base];
    const auto start = static_cast<std::uint64_t>(offset.getSExtValue());
    if (llvm::all_of(starts, [&](std::uint64_t other) {
          return other - start >= kPage && start - other >= kPage;
        })) {
      starts.push_back(start);
      ++count_;
    }
  }
  std::size_t count() const { return count_; }

 private:
  const llvm::DataLayout& layout_;
  llvm::DenseMap<const llvm::Value*, llvm::SmallVector<std::uint64_t, 16>> starts_;
  std::size_t count_ = 0;
};

bool is_consecutive(const llvm::Value& address, const llvm::Type& type, const LaneShapes& shapes,
                    const llvm::DataLayout& layout) {
  const auto stride = shapes.stride(address);
  return stride && *stride == static_cast<std::int64_t>(
                                  layout.getTypeStoreSize(const_cast<llvm::Type*>(&type)));
}

} // namespace

std::optional<MemoryStreams> find_memory_streams(const llvm::Function& kernel,
                                                 const LaneShapes& shapes) {
  const auto& layout = kernel.getParent()->getDataLayout();
  Streams loads(layout), stores(layout);
  for (const auto& instruction : llvm::instructions(kernel)) {
    const auto* address = llvm::getLoadStorePointerOperand(&instruction);
    if (address == nullptr || shapes.is_uniform(*address))
      continue;
    const bool is_store = llvm::isa<llvm::StoreInst>(instruction);
    const auto* type = llvm::getLoadStoreType(const_cast<llvm::Instruction*>(&instruction));
    if (!is_consecutive(*address, *type, shapes, layout))
      return std::nullopt;
    (is_store ? stores : loads).add(*address);
  }
  return MemoryStreams{loads.count(), stores.count()};
}

} // namespace heddle::compiler
