// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many streams of memory a kernel without loops reads and writes at once.
#pragma once

#include "compiler/vectorize/analysis/lane_shapes.h"
#include "llvm/IR/Function.h"

#include <cstddef>
#include <optional>

namespace heddle::compiler {

// Places, 4 KiB and more from each other, of which neighboring work-items access neighboring
// elements: planes, or many arrays.
struct MemoryStreams {
  std::size_t loads = 0;
  std::size_t stores = 0;
};

// Of a kernel without loops; nothing if it also accesses memory in other ways.
std::optional<MemoryStreams> find_memory_streams(const llvm::Function& kernel,
                                                 const LaneShapes& shapes);

} // namespace heddle::compiler
