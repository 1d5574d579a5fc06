// A kernel on its way through the passes.
#pragma once

#include "compiler/interface/metadata.h"
#include "compiler/ir/id_wrap_check.h"
#include "compiler/support/remarks.h"
#include "llvm/IR/Function.h"

#include <optional>
#include <vector>

namespace heddle::compiler {

// The form that does all there is to do in a group of one row of whole sub-groups, if it is run for
// the first of these. Nobody else is there to meet at barriers. It is not to be inlined: the
// kernel's other forms would take its registers.
struct LeaderOnlyVariant {
  llvm::Function* form = nullptr; // null: there is none; local ids are zero in it
  // Says whether the form may be run: it is for launches that read their tiles in place (`when`
  // takes the same parameters; null: it is for all).
  llvm::Function* when = nullptr;
};

struct Kernel {
  KernelMetadata metadata;
  // First the function that the program wrote (made by find_kernels), with work-item state after
  // add_work_item_params; nothing else calls it.
  llvm::Function* body = nullptr;
  // The vector forms of the body for metadata.vector_width work-items in a row: all lanes active,
  // and a number of them given by a parameter. Both null if it stays scalar, but for `wide` of one
  // that is split at its barriers.
  llvm::Function* wide = nullptr;
  llvm::Function* tail = nullptr;
  // Of a kernel whose rows are run side by side (null: they are not): the vector form for the
  // sub-groups at (x, y) to (x, y + block_rows - 1).
  llvm::Function* block = nullptr;
  unsigned block_rows = 1;
  // Groups for which emit_id_wrap_check() of these is true run `tail` alone: as usual if its ids
  // are exact in all lanes, else with one work-item at a time.
  std::vector<IdBase> id_bases;
  bool tail_is_exact = false;
  // Some loops may store past the caches (vectorize/transform/nontemporal_group_loops.h).
  bool streams_rounds = false;
  // Of a kernel whose sub-groups may cross rows (null: they do not): the vector form for a number
  // of work-items with consecutive linear ids, of which x is given the first, y and z zero. It runs
  // groups whose rows do not divide into whole sub-groups and are not longer than
  // `widest_crossed_row`.
  llvm::Function* crossing = nullptr;
  std::uint64_t widest_crossed_row = 0;
  // Of a kernel that is split at its barriers: what its first sub-group does alone.
  LeaderOnlyVariant alone;
  // Of a kernel that is split at its barriers: the numbers of steps are 0 to steps - 1, and whether
  // a copy of the code for each step is not too much.
  unsigned steps = 0;
  bool steps_apart = false;
  // For each step the one that always comes next, if there is but one; 0: the end.
  std::vector<std::optional<unsigned>> next_steps;
  // All sub-groups always come to the same barrier. Then what is the same for all of them is kept
  // in `common_bytes` once for each form.
  bool is_in_step = false;
  std::uint64_t common_bytes = 0;
  // By step, of such a kernel: no sub-group does anything that is its own, but for what the first
  // does for the group, so that one has only to be run.
  std::vector<bool> common_steps;
  // Which groups that follow each other in x are run as one
  // (vectorize/plan/coalesce_work_groups.h): those of one row, or all.
  enum class Merging : std::uint8_t { none, of_rows, all };
  Merging merging = Merging::none;
  // Bytes that a work-item moves, if results are stored past the caches
  // (optimize/nontemporal_stores.h).
  std::uint64_t streamed = 0;
  // What the kernel table points to, and the function that runs one item of a kernel with barriers
  // (else null); both from make_kernel_wrappers.
  llvm::Function* entry = nullptr;
  llvm::Function* item = nullptr;
  KernelReport report;
};

using Kernels = std::vector<Kernel>;

} // namespace heddle::compiler
