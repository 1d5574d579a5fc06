// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/emit/lane_shuffles.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/VectorUtils.h"

#include <numeric>

namespace heddle::compiler {
namespace {

// The vector followed by poison, `count` elements in total.
llvm::Value* pad_vector(llvm::IRBuilderBase& builder, llvm::Value* vector, unsigned count) {
  const auto old_count = llvm::cast<llvm::FixedVectorType>(vector->getType())->getNumElements();
  llvm::SmallVector<int, 64> order(count, llvm::PoisonMaskElem);
  std::iota(order.begin(), order.begin() + old_count, 0);
  return builder.CreateShuffleVector(vector, order);
}

// Interleaves, within each block of `block` elements, block / 2 elements of `a` and `b` starting at
// `first`.
llvm::Value* interleave_blocks(llvm::IRBuilderBase& builder, llvm::Value* a, llvm::Value* b,
                               unsigned block, unsigned first) {
  const auto count = llvm::cast<llvm::FixedVectorType>(a->getType())->getNumElements();
  llvm::SmallVector<int, 128> order;
  for (unsigned begin = first; begin < count; begin += block)
    for (unsigned i = 0; i < block / 2; ++i) {
      order.push_back(static_cast<int>(begin + i));
      order.push_back(static_cast<int>(count + begin + i));
    }
  return builder.CreateShuffleVector(a, b, order);
}

// `rows` are n vectors of blocks of n elements: transposes each n x n block.
void transpose_blocks(llvm::IRBuilderBase& builder, llvm::SmallVectorImpl<llvm::Value*>& rows) {
  const auto count = static_cast<unsigned>(rows.size());
  for (unsigned done = 1; done < count; done *= 2) {
    llvm::SmallVector<llvm::Value*, 64> next;
    for (unsigned i = 0; i < count / 2; ++i) {
      next.push_back(interleave_blocks(builder, rows[i], rows[i + count / 2], count, 0));
      next.push_back(interleave_blocks(builder, rows[i], rows[i + count / 2], count, count / 2));
    }
    std::copy(next.begin(), next.end(), rows.begin());
  }
}

} // namespace

llvm::SmallVector<llvm::Value*, 3> interleave_three(llvm::IRBuilderBase& builder,
                                                    llvm::ArrayRef<llvm::Value*> parts) {
  const auto width = llvm::cast<llvm::FixedVectorType>(parts[0]->getType())->getNumElements();
  llvm::SmallVector<llvm::Value*, 3> results;
  for (unsigned first = 0; first < 3 * width; first += width) {
    llvm::SmallVector<int, 64> of_two, of_third;
    for (unsigned i = 0; i < width; ++i) {
      const auto part = (first + i) % 3, lane = (first + i) / 3;
      of_two.push_back(part == 2 ? llvm::PoisonMaskElem : static_cast<int>(part * width + lane));
      of_third.push_back(static_cast<int>(part == 2 ? width + lane : i));
    }
    auto* two = builder.CreateShuffleVector(parts[0], parts[1], of_two);
    results.push_back(builder.CreateShuffleVector(two, parts[2], of_third));
  }
  return results;
}

llvm::Value* interleave(llvm::IRBuilderBase& builder, llvm::ArrayRef<llvm::Value*> parts) {
  if (parts.size() == 1)
    return parts.front();
  const auto count = static_cast<unsigned>(parts.size());
  const auto width = llvm::cast<llvm::FixedVectorType>(parts.front()->getType())->getNumElements();
  auto* concatenated = llvm::concatenateVectors(builder, parts);
  llvm::SmallVector<int, 64> order;
  for (unsigned lane = 0; lane < width; ++lane)
    for (unsigned c = 0; c < count; ++c)
      order.push_back(static_cast<int>(c * width + lane));
  return builder.CreateShuffleVector(concatenated, order);
}

llvm::Value* deinterleave(llvm::IRBuilderBase& builder, llvm::Value* vector, unsigned count,
                          unsigned stride, unsigned offset) {
  llvm::SmallVector<int, 64> order;
  for (unsigned i = 0; i < count; ++i)
    order.push_back(static_cast<int>(i * stride + offset));
  return builder.CreateShuffleVector(vector, order);
}

llvm::Value* interleave_pair(llvm::IRBuilderBase& builder, llvm::Value* a, llvm::Value* b) {
  const auto count = llvm::cast<llvm::FixedVectorType>(a->getType())->getNumElements();
  llvm::SmallVector<int, 128> order;
  for (unsigned i = 0; i < count; ++i) {
    order.push_back(static_cast<int>(i));
    order.push_back(static_cast<int>(count + i));
  }
  return builder.CreateShuffleVector(a, b, order);
}

llvm::Value* extract_subvector(llvm::IRBuilderBase& builder, llvm::Value* vector, unsigned first,
                               unsigned count) {
  llvm::SmallVector<int, 64> order;
  for (unsigned i = 0; i < count; ++i)
    order.push_back(static_cast<int>(first + i));
  return builder.CreateShuffleVector(vector, order);
}

// Lanes that are `count` apart are concatenated first; after that no element leaves its block of
// `count` elements, so that the shuffles stay within the 128-bit lanes of the registers.
void transpose_to_components(llvm::IRBuilderBase& builder,
                             llvm::SmallVectorImpl<llvm::Value*>& parts, unsigned count) {
  const auto width = static_cast<unsigned>(parts.size());
  const auto blocks = std::max(width / count, 1U);
  auto* poison = llvm::PoisonValue::get(parts.front()->getType());
  llvm::SmallVector<llvm::Value*, 64> rows;
  for (unsigned i = 0; i < count; ++i) {
    llvm::SmallVector<llvm::Value*, 64> group;
    for (unsigned lane = i; lane < blocks * count; lane += count)
      group.push_back(lane < width ? parts[lane] : poison);
    rows.push_back(llvm::concatenateVectors(builder, group));
  }
  transpose_blocks(builder, rows);
  parts.clear();
  for (auto* row : rows)
    parts.push_back(width < count ? extract_subvector(builder, row, 0, width) : row);
}

void transpose_to_lanes(llvm::IRBuilderBase& builder, llvm::SmallVectorImpl<llvm::Value*>& parts,
                        unsigned width) {
  const auto count = static_cast<unsigned>(parts.size());
  for (auto*& part : parts)
    if (width < count)
      part = pad_vector(builder, part, count);
  transpose_blocks(builder, parts);
  llvm::SmallVector<llvm::Value*, 64> per_lane;
  for (unsigned lane = 0; lane < width; ++lane)
    per_lane.push_back(
        extract_subvector(builder, parts[lane % count], lane / count * count, count));
  parts.assign(per_lane.begin(), per_lane.end());
}

} // namespace heddle::compiler
