// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/plan/wide_sub_groups.h"

#include "compiler/ir/subgroup_intrinsics.h"
#include "compiler/ir/work_item_params.h"
#include "compiler/vectorize/analysis/lane_access.h"
#include "compiler/vectorize/analysis/register_pressure.h"
#include "compiler/vectorize/analysis/row_split.h"
#include "compiler/vectorize/analysis/scalarized_access.h"
#include "compiler/vectorize/plan/cost_model.h"
#include "compiler/vectorize/plan/loop_cost_model.h"
#include "compiler/vectorize/plan/memory_streams.h"
#include "llvm/IR/InstIterator.h"

namespace heddle::compiler {
namespace {

// Of the vector code, with lanes of 32 bits.
constexpr unsigned kMaxWideInstructions = 12000, kLaneBits = 32;

// What lanes that walk down columns access at once; less where sub-groups may be of two rows, which
// wider ones are more often.
constexpr unsigned kColumnBytes = 256, kColumnBytesOfRows = 128;
// The streams of memory that CPUs' prefetchers follow, and those of which the first-level cache
// keeps what was fetched until it is used, if they are multiples of a page apart and so share its
// sets. Accesses to more wait, and wider ones are fewer: of a cache line, or of as many registers
// as it takes this many instructions to hide an access, even where values are in memory then.
constexpr std::size_t kMaxFollowed = 12, kMaxCached = 20, kInstructionsPerAccess = 40;
constexpr unsigned kLineBits = 512;
// Of kernels that store less, wider sub-groups also ask for several lines of a stream at once.
constexpr std::size_t kLoadsPerStore = 8;
// Registers for what is computed and used at once, a register after the other.
constexpr unsigned kTemporaries = 4;
// Of short code, whose loop over sub-groups is to be at most this part of it; by Neoverse N1's and
// V2's models more registers gain little.
constexpr unsigned kPartsPerLoop = 8, kMaxShortRegisters = 4;
// Of a loop that keeps values in memory: more hide its loads and stores.
constexpr double kInstructionsPerValue = 1.75;
constexpr unsigned kMaskBits = 32; // of each lane, where masks are in vector registers

bool has_rows(const Kernel& description) {
  if (const auto& size = description.local_size; size[0] != 0)
    return size[1] * size[2] > 1;
  const auto params = work_item_params(*description.body);
  return !params.local_id[1]->use_empty() || !params.local_id[2]->use_empty();
}

// Whether the time is in loops that access no memory, in groups that run as one row with their
// neighbors: sub-groups are full however many lanes they have, and rows have nothing to share.
bool has_free_lanes(const Kernel& description, const Analyses& analyses) {
  return description.launch.coalescing == GroupCoalescing::all && !analyses.loops.empty();
}

// Groups of kernels in several dimensions are often narrow, unless neighboring ones run as one row.
bool may_have_narrow_rows(const Kernel& description, unsigned width) {
  if (const auto& size = description.local_size; size[0] != 0)
    return description.launch.coalescing != GroupCoalescing::all &&
           !(description.launch.coalescing == GroupCoalescing::single_rows &&
             size[1] * size[2] == 1) &&
           size[0] % width != 0;
  return has_rows(description);
}

bool has_divergent_loop(const Analyses& analyses) {
  return llvm::any_of(analyses.loops.getLoopsInPreorder(), [&](const llvm::Loop* loop) {
    return has_divergent_exit(*loop, analyses.shapes);
  });
}

// Whether sub-groups stay as wide as they are: long kernels, and operations between lanes, which
// are one instruction for a register.
bool keeps_width(const llvm::Function& kernel, const TargetInfo& target, unsigned width) {
  const auto registers = std::max(width * 2 * kLaneBits / target.vector_bits, 1U);
  return kernel.getInstructionCount() * registers > kMaxWideInstructions || width * 2 > kMaxWidth ||
         calls_subgroup_intrinsics(kernel);
}

bool is_next_value(const llvm::Instruction& instruction, const llvm::Loop& loop) {
  return llvm::any_of(instruction.users(), [&](const llvm::User* user) {
    const auto* phi = llvm::dyn_cast<llvm::PHINode>(user);
    return phi != nullptr && phi->getParent() == loop.getHeader();
  });
}

bool has_several_users(const llvm::Instruction& instruction) {
  return llvm::any_of(instruction.users(),
                      [&](const llvm::User* user) { return user != *instruction.user_begin(); });
}

// The registers of what the loop's iterations keep: values that go from one to the next, come from
// outside, or go from one iteration of an outer loop to the next; with `own_values` also those that
// are used more than once in an iteration.
unsigned registers_in_loop(const llvm::Loop& loop, const LaneShapes& shapes,
                           const TargetInfo& target, unsigned width, bool own_values) {
  const auto registers_of = [&](const llvm::Value& value) {
    return vector_registers_of(value, shapes, width, target.vector_bits);
  };
  llvm::SmallPtrSet<const llvm::Value*, 16> kept;
  for (const auto* block : loop.blocks())
    for (const auto& instruction : *block) {
      // A phi of one value is that value, behind the loop that it comes from.
      const auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction);
      const bool is_phi = phi != nullptr && phi->getNumIncomingValues() > 1;
      // A next value takes the registers of the one before.
      const bool is_next = is_next_value(instruction, loop);
      if ((is_phi && !(is_next && instruction.getParent() != loop.getHeader())) ||
          (own_values && has_several_users(instruction) && !is_next))
        kept.insert(&instruction);
      // Addresses of consecutive elements are computed for one lane.
      if (is_phi || (!instruction.getType()->isVoidTy() && registers_of(instruction) == 0))
        continue;
      for (const auto& operand : instruction.operands())
        if (const auto* used = llvm::dyn_cast<llvm::Instruction>(operand);
            used != nullptr && !loop.contains(used))
          kept.insert(used);
    }
  bool is_masked = has_divergent_exit(loop, shapes);
  for (const auto* outer = loop.getParentLoop(); outer; outer = outer->getParentLoop()) {
    is_masked |= has_divergent_exit(*outer, shapes);
    for (const auto& phi : outer->getHeader()->phis())
      kept.insert(&phi);
  }
  unsigned registers = kTemporaries;
  for (const auto* value : kept)
    registers += registers_of(*value);
  if (is_masked && !target.has_mask_registers)
    registers += width * kMaskBits / target.vector_bits;
  return registers;
}

// The remaining registers are for masks, constants and temporaries.
bool has_registers_for_twice_the_lanes(const llvm::Function& kernel, const LaneShapes& shapes,
                                       const TargetInfo& target, unsigned width) {
  return estimate_register_pressure(kernel, shapes, width, 1, target.vector_bits) * 5 <=
         target.vector_registers * 2;
}

bool has_consecutive_accesses(const llvm::Function& kernel, const LaneShapes& shapes) {
  return llvm::all_of(llvm::instructions(kernel), [&](const llvm::Instruction& instruction) {
    if (llvm::getLoadStorePointerOperand(&instruction) == nullptr)
      return true;
    const auto access = lane_access(instruction, shapes);
    return access.kind == LaneAccess::Kind::uniform || access.is_likely_consecutive();
  });
}

// Whether the registers hold what the loop keeps from iteration to iteration, or what it computes
// takes longer than loading and storing the rest. Loops that lanes leave one by one do both for
// each mask.
bool keeps_few_values(const llvm::Loop& loop, const Analyses& analyses, const TargetInfo& target,
                      unsigned width) {
  const auto kept = registers_in_loop(loop, analyses.shapes, target, width, false);
  return kept <= target.vector_registers ||
         (!has_divergent_exit(loop, analyses.shapes) && kept * 2 <= target.vector_registers * 5 &&
          kept * kInstructionsPerValue <=
              vector_instructions(loop, analyses.shapes, analyses.loops, width, target));
}

// Whether the code waits for its own results for so long that twice the lanes are worth values in
// memory, other than those that loops keep.
bool waits_longer_than_spills(const Kernel& description, const Analyses& analyses,
                              const TargetInfo& target, unsigned width) {
  return (!has_rows(description) || has_free_lanes(description, analyses)) &&
         (!analyses.loops.empty() ||
          has_consecutive_accesses(*description.body, analyses.shapes)) &&
         llvm::all_of(const_cast<llvm::LoopInfo&>(analyses.loops).getLoopsInPreorder(),
                      [&](const llvm::Loop* loop) {
                        return keeps_few_values(*loop, analyses, target, width * 2);
                      }) &&
         waits_with_lanes(*description.body, analyses.shapes, analyses.loops, width * 2, target);
}

// Whether the kernel splits its ids into rows and columns, so that a sub-group may be of two rows;
// rows of powers of two begin with a sub-group.
bool may_cross_rows(const llvm::Function& kernel, const LaneShapes& shapes) {
  return llvm::any_of(llvm::instructions(kernel), [&](const llvm::Instruction& instruction) {
    const auto split = row_split(instruction);
    return split && split->columns != nullptr &&
           (shapes.stride(*split->number) == 1 || shapes.likely_stride(*split->number) == 1);
  });
}

// Whether sub-groups of so many lanes, more than two registers of them, are never idle in part.
bool may_have_many_lanes(const Kernel& description, const Analyses& analyses,
                         const TargetInfo& target, unsigned width) {
  const bool may_be_idle =
      description.launch.coalescing == GroupCoalescing::none && description.local_size[0] == 0;
  return !may_be_idle && !has_rows(description) && !may_have_narrow_rows(description, width) &&
         !keeps_width(*description.body, target, width / 2);
}

} // namespace

bool should_double_width(const Kernel& description, const Analyses& analyses,
                         const TargetInfo& target, unsigned width) {
  const auto& kernel = *description.body;
  if (keeps_width(kernel, target, width))
    return false;
  // Scalarized accesses are no faster with more lanes, but searches before them may wait.
  if (has_scalarized_access(kernel, analyses.shapes) &&
      !(has_divergent_loop(analyses) &&
        waits_with_lanes(kernel, analyses.shapes, analyses.loops, width * 2, target)))
    return false;
  const bool waits_in_coalesced_groups =
      description.launch.coalescing != GroupCoalescing::none && !has_divergent_loop(analyses) &&
      waits_for_results(analyses.shapes, analyses.loops, width, target);
  // Otherwise rows side by side are enough.
  const bool waits_with_rows =
      has_free_lanes(description, analyses) &&
      waits_with_lanes(kernel, analyses.shapes, analyses.loops, width * 4, target);
  if (may_have_narrow_rows(description, width * 2) && !waits_in_coalesced_groups &&
      !waits_with_rows)
    return false;
  return has_registers_for_twice_the_lanes(kernel, analyses.shapes, target, width) ||
         shares_most_work(analyses.shapes, analyses.loops, width, target) ||
         waits_longer_than_spills(description, analyses, target, width);
}

bool should_widen_further(const Kernel& description, const Analyses& analyses,
                          const TargetInfo& target, unsigned width) {
  const auto& kernel = *description.body;
  return may_have_many_lanes(description, analyses, target, width * 2) &&
         ((has_registers_for_twice_the_lanes(kernel, analyses.shapes, target, width) &&
           waits_with_lanes(kernel, analyses.shapes, analyses.loops, width * 2, target)) ||
          waits_longer_than_spills(description, analyses, target, width));
}

unsigned lanes_for_fibers(const Kernel& description, const Analyses& analyses,
                          const TargetInfo& target, unsigned width) {
  if (!description.metadata.has_barrier || description.regions.are_used)
    return width;
  while (may_have_many_lanes(description, analyses, target, width * 2))
    width *= 2;
  return width;
}

unsigned lanes_for_streams(const Kernel& description, const Analyses& analyses,
                           const TargetInfo& target, unsigned width) {
  auto& kernel = *description.body;
  if (!may_have_many_lanes(description, analyses, target, width * 2))
    return width;
  const auto streams = find_memory_streams(kernel, analyses);
  if (!streams || streams->loads + streams->stores <= kMaxFollowed)
    return width;
  const auto count = streams->loads + streams->stores;
  const bool has_few_stores = streams->stores * kLoadsPerStore <= streams->loads;
  const auto register_lanes = width;
  const auto loops_fit = [&](unsigned lanes) {
    return llvm::all_of(const_cast<llvm::LoopInfo&>(analyses.loops).getLoopsInPreorder(),
                        [&](const llvm::Loop* loop) {
                          return registers_in_loop(*loop, analyses.shapes, target, lanes, false) <=
                                 target.vector_registers;
                        });
  };
  const auto gains = [&](unsigned lanes) {
    const auto registers = lanes / register_lanes;
    return lanes * target.vector_bits <= register_lanes * kLineBits ||
           (count > kMaxCached &&
            registers * streams->instructions <= kInstructionsPerAccess * count &&
            loops_fit(lanes)) ||
           (has_few_stores &&
            has_registers_for_twice_the_lanes(kernel, analyses.shapes, target, lanes / 2));
  };
  while (may_have_many_lanes(description, analyses, target, width * 2) && gains(width * 2))
    width *= 2;
  return width;
}

unsigned lanes_for_short_code(const Kernel& description, const Analyses& analyses,
                              const TargetInfo& target, unsigned width) {
  auto& kernel = *description.body;
  if (target.loop_instructions == 0 || !analyses.loops.empty() ||
      !may_have_many_lanes(description, analyses, target, width * 2))
    return width;
  const auto streams = find_memory_streams(kernel, analyses);
  if (!streams || streams->loads + streams->stores == 0)
    return width;
  for (unsigned registers = 2;
       registers <= kMaxShortRegisters &&
       registers * streams->instructions <= kPartsPerLoop * std::size_t{target.loop_instructions} &&
       may_have_many_lanes(description, analyses, target, width * 2);
       registers *= 2)
    width *= 2;
  return width;
}

unsigned lanes_for_columns(const Kernel& description, const Analyses& analyses,
                           const TargetInfo& target, const LaneWalks& walks, unsigned width) {
  // Rows of a group share what is the same for all of them; widen_for_rows() decides on their
  // width.
  if (has_rows(description))
    return width;
  const auto& kernel = *description.body;
  const auto most_bytes =
      may_cross_rows(kernel, analyses.shapes) ? kColumnBytesOfRows : kColumnBytes;
  const auto fits = [&](unsigned lanes) {
    return llvm::all_of(walks.loops, [&](const llvm::Loop* loop) {
      return registers_in_loop(*loop, analyses.shapes, target, lanes, true) <=
             target.vector_registers;
    });
  };
  while (!keeps_width(kernel, target, width) && !has_scalarized_access(kernel, analyses.shapes) &&
         width * 2 * walks.column_bytes <= most_bytes &&
         !may_have_narrow_rows(description, width * 2) && fits(width * 2))
    width *= 2;
  return width;
}

} // namespace heddle::compiler
