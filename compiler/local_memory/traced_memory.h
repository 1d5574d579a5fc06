// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is in a group's memory while its code is executed at compile time.
#pragma once

#include "compiler/local_memory/build_lanes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/IRBuilder.h"

#include <map>
#include <optional>

namespace heddle::compiler {

// Whether a value is a pointer to local memory, or a vector of such.
bool is_local_pointer(const llvm::Value& value);

// A pointer, or a vector of pointers, at known distances from a common one.
struct TracedAddress {
  llvm::Value* root = nullptr;
  llvm::SmallVector<std::int64_t, 16> offsets; // in bytes, for each lane
  bool operator==(const TracedAddress& other) const = default;
};

// Which values are in memory at known addresses. Stores are remembered and loads are answered with
// what was stored; memory is accessed only for what was there before, unless that is undefined.
class TracedMemory {
 public:
  TracedMemory(const llvm::DataLayout& layout, unsigned register_bits, bool begins_undefined)
      : layout_(layout), register_bits_(register_bits), begins_undefined_(begins_undefined) {}

  // `type` is that of the loaded value. An address of one lane is that of the first of consecutive
  // elements. With a mask, inactive lanes are those of `inactive`. Null if what is there was stored
  // with another size of elements, or is far apart in memory.
  llvm::Value* load(llvm::IRBuilderBase& builder, llvm::Type* type, const TracedAddress& address,
                    llvm::Value* mask, llvm::Value* inactive);
  // False if the value overlaps a part of an element that was stored before.
  bool store(llvm::IRBuilderBase& builder, llvm::Value* value, const TracedAddress& address,
             llvm::Value* mask);

  // The same for pointers.
  std::optional<TracedAddress> load_address(llvm::Type* type, const TracedAddress& address);
  bool store_address(const TracedAddress& value, const TracedAddress& address);

  unsigned shuffles() const { return shuffles_; }
  unsigned loaded_lanes() const { return loaded_lanes_; }
  // Those of loads from local memory whose elements are not consecutive.
  unsigned gathered_lanes() const { return gathered_lanes_; }
  // The largest number of times that a value was stored and loaded on its way.
  unsigned depth() const { return depth_; }
  void derive_depth(const llvm::Instruction& made);

  bool is_untouched() const { return contents_.empty(); }

 private:
  struct Element {
    std::int64_t bytes;
    Lane lane;                           // or
    llvm::Value* pointer_root = nullptr; // a pointer
    std::int64_t pointer_offset = 0;
  };
  using Contents = std::map<std::int64_t, Element>; // by offset

  llvm::SmallVector<std::int64_t, 64> offsets_of(const TracedAddress& address, llvm::Type* type);
  std::int64_t element_bytes(llvm::Type* type) const;
  bool put(llvm::Value* root, std::int64_t offset, const Element& element);
  const Element* find(llvm::Value* root, std::int64_t offset, std::int64_t bytes);
  // Loads what was in memory before, from the first to the last of `offsets`.
  bool load_before(llvm::IRBuilderBase& builder, llvm::Value* root, llvm::Type* element,
                   llvm::ArrayRef<std::int64_t> offsets);
  bool overlaps(llvm::Value* root, std::int64_t offset, std::int64_t bytes);

  const llvm::DataLayout& layout_;
  const unsigned register_bits_;
  const bool begins_undefined_;
  llvm::MapVector<llvm::Value*, Contents> contents_;
  unsigned shuffles_ = 0;
  unsigned loaded_lanes_ = 0;
  unsigned gathered_lanes_ = 0;
  unsigned depth_ = 0;
  llvm::DenseMap<const llvm::Value*, unsigned> depths_; // of values that were loaded
};

} // namespace heddle::compiler
