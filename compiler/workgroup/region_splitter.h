// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Splits one variant of a kernel at its barriers.
#pragma once

#include "compiler/analysis/leader_blocks.h"
#include "compiler/analysis/work_group_uniformity.h"
#include "compiler/workgroup/region_frame.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"

#include <optional>
#include <vector>

namespace heddle::compiler {

// Metadata of barriers: the number of the region after the barrier.
constexpr auto kRegionNumber = "heddle.region";

// The function that FormBarrierRegionsPass (form_barrier_regions.h) makes of a variant.
class RegionSplitter {
 public:
  // Adds the parameters and splits blocks at barriers; control flow still continues after these.
  RegionSplitter(llvm::Function& variant, bool is_masked);

  // Whether all sub-groups always reach the same barrier.
  bool is_convergent() const;

  // Makes barriers return, and returns the function that runs one region. `is_convergent`: all
  // variants of the kernel are. The functions below are for after it.
  llvm::Function* run(bool is_convergent);

  std::uint64_t frame_bytes() const { return frame_.bytes(); }
  std::uint64_t uniform_bytes() const { return uniform_frame_.bytes(); }
  // Whether each region, by number, has no effect but uniform values and what the first sub-group
  // does for its group.
  std::vector<std::pair<unsigned, bool>> uniform_regions() const;
  // The unique successor of each region, by number; nothing if it has several.
  std::vector<std::pair<unsigned, std::optional<unsigned>>> unique_successors() const;
  // Instructions of all regions if each has its own copy of all blocks that it reaches.
  std::size_t separate_size() const;

 private:
  bool is_uniform(llvm::BasicBlock* entry, const LeaderBlocks& leader) const;
  bool has_divergent_effect(const llvm::Instruction& instruction) const;
  llvm::Argument* parameter(unsigned number) const;
  void split_at_barriers();
  void move_variables_to_frame();
  void emit_dispatch();

  llvm::Function& function_;
  const llvm::DataLayout& layout_;
  RegionFrame frame_;
  RegionFrame uniform_frame_;
  llvm::Argument* region_;
  llvm::Argument* memory_;
  llvm::Argument* uniform_in_;
  llvm::Argument* uniform_out_;
  llvm::BasicBlock* start_ = nullptr; // the entry of region 0
  llvm::SmallVector<RegionBoundary, 16> boundaries_;
  std::optional<WorkGroupUniformity> uniformity_;
};

} // namespace heddle::compiler
