// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/local_memory/build_lanes.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"

#include <numeric>

namespace heddle::compiler {
namespace {

unsigned lanes_of(const llvm::Value& value) {
  const auto* type = llvm::dyn_cast<llvm::FixedVectorType>(value.getType());
  return type != nullptr ? type->getNumElements() : 1;
}

llvm::Constant* constant_lane(const Lane& lane, llvm::Type* element) {
  if (lane.value == nullptr)
    return llvm::PoisonValue::get(element);
  auto* constant = llvm::dyn_cast<llvm::Constant>(lane.value);
  if (constant != nullptr && constant->getType()->isVectorTy())
    constant = constant->getAggregateElement(lane.index);
  return constant != nullptr && constant->getType() == element ? constant : nullptr;
}

class LaneBuilder {
 public:
  LaneBuilder(llvm::IRBuilderBase& builder, llvm::Type* element, unsigned register_bits,
              unsigned& shuffles)
      : builder_(builder), element_(element), shuffles_(shuffles),
        lanes_per_register_(std::max(
            1U, register_bits / std::max(8U, static_cast<unsigned>(builder.GetInsertBlock()
                                                                       ->getModule()
                                                                       ->getDataLayout()
                                                                       .getTypeSizeInBits(element)
                                                                       .getFixedValue())))) {}

  llvm::Value* vector(llvm::ArrayRef<Lane> lanes) {
    llvm::SmallVector<llvm::Value*, 8> parts;
    for (size_t first = 0; first < lanes.size(); first += lanes_per_register_)
      parts.push_back(
          part(lanes.slice(first, std::min<size_t>(lanes_per_register_, lanes.size() - first))));
    return concatenate(parts, lanes.size());
  }

  llvm::Value* scalar(const Lane& lane) {
    if (auto* constant = constant_lane(lane, element_))
      return constant;
    auto* value = lane.value->getType()->isVectorTy()
                      ? builder_.CreateExtractElement(lane.value, std::uint64_t{lane.index})
                      : lane.value;
    return builder_.CreateBitCast(value, element_);
  }

 private:
  // Lanes of one register of a source.
  using Piece = std::pair<llvm::Value*, unsigned>;

  // The whole of a register of lanes.
  llvm::Value* part(llvm::ArrayRef<Lane> lanes) {
    llvm::SmallVector<llvm::Constant*, 16> constants;
    for (const auto& lane : lanes)
      if (auto* constant = constant_lane(lane, element_))
        constants.push_back(constant);
    if (constants.size() == lanes.size())
      return llvm::ConstantVector::get(constants);

    llvm::SmallVector<int, 16> from(lanes.size(), llvm::PoisonMaskElem);
    llvm::MapVector<Piece, llvm::SmallVector<unsigned, 16>> pieces;
    for (unsigned i = 0; i < lanes.size(); ++i)
      if (lanes[i].value != nullptr) {
        pieces[{lanes[i].value, lanes[i].index / lanes_per_register_}].push_back(i);
        from[i] = static_cast<int>(lanes[i].index % lanes_per_register_);
      }
    // The lanes of each further piece are merged into those that are in their places.
    llvm::Value* merged = nullptr;
    for (auto& [piece, places] : pieces) {
      auto* source = register_of(piece, lanes.size());
      llvm::SmallVector<int, 16> mask(lanes.size(), llvm::PoisonMaskElem);
      if (merged == nullptr) {
        for (const auto place : places)
          mask[place] = from[place];
        merged = shuffle(source, nullptr, mask);
        placed_.assign(places.begin(), places.end());
        continue;
      }
      for (const auto place : placed_)
        mask[place] = static_cast<int>(place);
      for (const auto place : places)
        mask[place] = static_cast<int>(lanes.size()) + from[place];
      merged = shuffle(merged, source, mask);
      placed_.append(places.begin(), places.end());
    }
    return merged;
  }

  // As wide as `lanes`, or as a register if these are fewer.
  llvm::Value* register_of(const Piece& piece, size_t lanes) {
    auto [value, number] = piece;
    auto* type = llvm::FixedVectorType::get(element_, lanes_of(*value));
    if (!value->getType()->isVectorTy()) {
      value = builder_.CreateInsertElement(
          llvm::PoisonValue::get(type), builder_.CreateBitCast(value, element_), std::uint64_t{0});
      ++shuffles_;
    } else {
      value = builder_.CreateBitCast(value, type);
    }
    const auto width = std::max<size_t>(lanes, std::min(lanes_of(*value), lanes_per_register_));
    if (lanes_of(*value) == width && number == 0)
      return value;
    llvm::SmallVector<int, 16> mask(width, llvm::PoisonMaskElem);
    const auto first = number * lanes_per_register_;
    for (unsigned i = 0; i < width && first + i < lanes_of(*value) && i < lanes_per_register_; ++i)
      mask[i] = static_cast<int>(first + i);
    return builder_.CreateShuffleVector(value, mask); // a part of it: costs nothing
  }

  llvm::Value* shuffle(llvm::Value* one, llvm::Value* other, llvm::ArrayRef<int> mask) {
    bool keeps = other == nullptr && lanes_of(*one) == mask.size();
    for (unsigned i = 0; keeps && i < mask.size(); ++i)
      keeps = mask[i] == llvm::PoisonMaskElem || mask[i] == static_cast<int>(i);
    if (keeps)
      return one;
    ++shuffles_;
    if (other == nullptr)
      return builder_.CreateShuffleVector(one, mask);
    // Both as wide as the wider one.
    const auto width = std::max(lanes_of(*one), lanes_of(*other));
    llvm::SmallVector<int, 16> moved(mask);
    for (auto& index : moved)
      if (index >= static_cast<int>(mask.size()))
        index += static_cast<int>(width - mask.size());
    return builder_.CreateShuffleVector(widen(one, width), widen(other, width), moved);
  }

  llvm::Value* widen(llvm::Value* value, unsigned width) {
    if (lanes_of(*value) == width)
      return value;
    llvm::SmallVector<int, 16> mask(width, llvm::PoisonMaskElem);
    std::iota(mask.begin(), mask.begin() + lanes_of(*value), 0);
    return builder_.CreateShuffleVector(value, mask);
  }

  llvm::Value* concatenate(llvm::ArrayRef<llvm::Value*> parts, size_t lanes) {
    llvm::SmallVector<llvm::Value*, 8> values(parts);
    while (values.size() > 1) {
      llvm::SmallVector<llvm::Value*, 8> pairs;
      for (size_t i = 0; i < values.size(); i += 2) {
        if (i + 1 == values.size()) {
          pairs.push_back(values[i]);
          continue;
        }
        const auto first = lanes_of(*values[i]), second = lanes_of(*values[i + 1]);
        llvm::SmallVector<int, 64> mask(first + second);
        std::iota(mask.begin(), mask.end(), 0);
        if (first != second)
          for (unsigned k = 0; k < second; ++k)
            mask[first + k] = static_cast<int>(std::max(first, second) + k);
        const auto width = std::max(first, second);
        pairs.push_back(builder_.CreateShuffleVector(widen(values[i], width),
                                                     widen(values[i + 1], width), mask));
      }
      values = std::move(pairs);
    }
    return lanes_of(*values[0]) == lanes ? values[0] : widen(values[0], lanes);
  }

  llvm::IRBuilderBase& builder_;
  llvm::Type* element_;
  unsigned& shuffles_;
  unsigned lanes_per_register_;
  llvm::SmallVector<unsigned, 16> placed_;
};

} // namespace

llvm::Value* build_lanes(llvm::IRBuilderBase& builder, llvm::ArrayRef<Lane> lanes,
                         llvm::Type* element, bool is_scalar, unsigned register_bits,
                         unsigned& shuffles) {
  LaneBuilder made(builder, element, register_bits, shuffles);
  if (is_scalar)
    return made.scalar(lanes.front());
  // One vector as it is.
  auto* first = lanes.front().value;
  bool is_same = first != nullptr && lanes_of(*first) == lanes.size();
  for (unsigned i = 0; is_same && i < lanes.size(); ++i)
    is_same = lanes[i].value == first && lanes[i].index == i;
  if (is_same && first->getType()->isVectorTy())
    return builder.CreateBitCast(first, llvm::FixedVectorType::get(element, lanes_of(*first)));
  return made.vector(lanes);
}

} // namespace heddle::compiler
