// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many streams of memory a kernel of straight code and short loops reads and writes.
#pragma once

#include "compiler/vectorize/analysis/analyses.h"
#include "llvm/IR/Function.h"

#include <cstddef>
#include <optional>

namespace heddle::compiler {

// Places, 4 KiB and more from each other, of which neighboring work-items access neighboring
// elements: planes, or many arrays.
struct MemoryStreams {
  std::size_t loads = 0;
  std::size_t stores = 0;
  // That a work-item executes, other than those on uniform values, as far as trip counts are known.
  std::size_t instructions = 0;
};

// What a loop accesses in each of its iterations counts as often as it iterates. Nothing if a trip
// count is unknown, or the kernel also accesses memory in other ways.
std::optional<MemoryStreams> find_memory_streams(llvm::Function& kernel, const Analyses& analyses);

} // namespace heddle::compiler
