// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/async_copy/elide_local_copies.h"

#include "compiler/analysis/value_range.h"
#include "compiler/async_copy/local_buffer_forwarding.h"
#include "compiler/ir/abi_builder.h"
#include "compiler/ir/address_space.h"
#include "compiler/ir/subgroup_intrinsics.h"
#include "compiler/ir/work_item_params.h"
#include "compiler/lower/lower_barriers.h"
#include "compiler/lower/lower_local_variables.h"
#include "compiler/support/source_place.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

namespace heddle::compiler {
namespace {

// Whether the instruction does not write to the source, if no two arguments overlap, and does not
// synchronize with others.
bool preserves(const llvm::Instruction& instruction, const llvm::Argument& source) {
  if (instruction.isAtomic() || instruction.isVolatile())
    return false;
  if (!instruction.mayWriteToMemory())
    return true;
  const auto may_write_to = [&](const llvm::Value& pointer) {
    const auto* base = llvm::getUnderlyingObject(&pointer, 0);
    const auto space = base->getType()->getPointerAddressSpace();
    return space == kLocal || llvm::isa<llvm::AllocaInst>(base) ||
           (space == kGlobal && llvm::isa<llvm::Argument>(base) && base != &source);
  };
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return may_write_to(*store->getPointerOperand());
  if (const auto* set = llvm::dyn_cast<llvm::AnyMemIntrinsic>(&instruction))
    return may_write_to(*set->getRawDest());
  if (llvm::isa<llvm::AssumeInst, llvm::LifetimeIntrinsic, llvm::NoAliasScopeDeclInst>(instruction))
    return true;
  const auto name = callee_name(instruction);
  if (name.starts_with(kCopyPrefix))
    return may_write_to(*llvm::cast<llvm::CallBase>(instruction).getArgOperand(0));
  return is_barrier(instruction) || is_subgroup_intrinsic(name);
}

bool has_copy_or_barrier(const llvm::BasicBlock& block) {
  return llvm::any_of(block, [](const llvm::Instruction& instruction) {
    return callee_name(instruction).starts_with(kCopyPrefix) || is_barrier(instruction);
  });
}

bool has_copy_or_barrier(const llvm::Loop& loop) {
  return llvm::any_of(loop.blocks(), [](const auto* block) { return has_copy_or_barrier(*block); });
}

class CopyElider {
 public:
  CopyElider(llvm::Function& body, Remarks& remarks)
      : body_(body), remarks_(remarks), dominators_(body), loops_(dominators_) {}

  // Whether a copy was elided.
  bool run() {
    for (auto* variable : local_variables(body_))
      if (auto uses = LocalBufferUses::find(*variable); uses && is_safe(*uses))
        buffers_.push_back({std::make_unique<LocalBufferUses>(std::move(*uses)), nullptr});
    if (buffers_.empty())
      return false;
    // Addresses are hoisted to preheaders, and guards of copies split exit blocks.
    for (auto* loop : loops_.getLoopsInPreorder()) {
      if (loop->getLoopPreheader() == nullptr)
        llvm::InsertPreheaderForLoop(loop, &dominators_, &loops_, nullptr, false);
      llvm::formDedicatedExitBlocks(loop, &dominators_, &loops_, nullptr, false);
    }
    llvm::erase_if(buffers_, [&](Buffer& buffer) {
      return !(buffer.forwarding = choose_forwarding(*buffer.uses));
    });
    if (buffers_.empty())
      return false;
    for (auto& buffer : buffers_)
      for (auto& read : buffer.uses->reads)
        forward(read, buffer);
    // The code below adds blocks and does not update the analyses.
    auto* may_elide = emit_may_elide();
    for (auto& buffer : buffers_) {
      buffer.forwarding->initialize();
      for (auto& copy : buffer.uses->copies) {
        remarks_.push_back({place_of(*copy.call), "copy elided",
                            "the local buffer is read from the copy's source, if that is aligned "
                            "and overlaps nothing that the kernel writes"});
        buffer.forwarding->replace_copy(copy, may_elide);
      }
      buffer.forwarding->finalize();
    }
    return true;
  }

 private:
  struct Buffer {
    std::unique_ptr<LocalBufferUses> uses;
    std::unique_ptr<LocalBufferForwarding> forwarding;
  };

  bool is_safe(const LocalBufferUses& uses) {
    std::uint64_t copied = uses.slot_bytes;
    for (const auto& copy : uses.copies)
      copied = std::min(copied, copy.bytes);
    return llvm::all_of(
               llvm::instructions(body_),
               [&](const auto& instruction) { return preserves(instruction, *uses.source); }) &&
           llvm::all_of(uses.reads,
                        [&](const LocalBufferUses::Read& read) { return is_within(read, copied); });
  }

  // Whether the read is within the first `bytes` bytes of its slot.
  static bool is_within(const LocalBufferUses::Read& read, std::uint64_t bytes) {
    const std::uint64_t size = read.load->getDataLayout().getTypeStoreSize(read.load->getType());
    const auto max_offset = max_offset_from(*read.slot, *read.load->getPointerOperand());
    return max_offset && size <= bytes && *max_offset <= bytes - size;
  }

  // Null: there is no room for the state.
  std::unique_ptr<LocalBufferForwarding> choose_forwarding(const LocalBufferUses& uses) {
    if (auto forwarding = forward_in_registers(body_, uses, dominators_, loops_))
      return forwarding;
    const auto bytes = uses.slot_count * kForwardingStateBytes;
    if (state_bytes_ + bytes > abi::kHiddenLocalBytes)
      return nullptr;
    state_bytes_ += bytes;
    return forward_in_memory(uses, emit_hidden_local(state_bytes_));
  }

  // After the definitions of variables, which are at the start of the entry block.
  llvm::Instruction& start_of_code() {
    auto start = body_.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
    while (is_local_variable(*start))
      ++start;
    return *start;
  }

  // The address of memory so many bytes before the group's local memory.
  llvm::Instruction& emit_hidden_local(std::uint64_t bytes) {
    llvm::IRBuilder<> builder(&start_of_code());
    AbiBuilder abi(builder);
    auto* local = abi.load(work_item_params(body_).group, offsetof(abi::Group, local_memory),
                           abi.local_pointer());
    auto* hidden =
        llvm::GetElementPtrInst::Create(builder.getInt8Ty(), local, builder.getInt64(-bytes));
    return *builder.Insert(hidden);
  }

  // Whether copies may be elided in this launch.
  llvm::Value* emit_may_elide() {
    llvm::IRBuilder<> builder(&start_of_code());
    AbiBuilder abi(builder);
    auto* overlap = abi.load_invariant(abi.launch_of(work_item_params(body_).group),
                                       offsetof(abi::Launch, arguments_overlap), abi.word(),
                                       "arguments_overlap");
    return builder.CreateICmpEQ(overlap, builder.getInt64(0), "may_elide");
  }

  // The address of what the slot contains where it is read, hoisted out of loops without copies.
  llvm::Value* contents_for(const LocalBufferUses::Read& read, const Buffer& buffer) {
    auto* slot = read.slot;
    const bool is_speculatable = is_always_in_buffer(*slot, *buffer.uses);
    llvm::Instruction* const at_read = read.load;
    auto* at = at_read;
    for (auto* loop = loops_.getLoopFor(at->getParent());
         loop != nullptr && !has_copy_or_barrier(*loop); loop = loop->getParentLoop()) {
      auto* preheader = loop->getLoopPreheader();
      if (preheader == nullptr || !(is_speculatable || is_guaranteed_to_execute(*at_read, *loop)))
        break;
      // Before the branch around the loop, if that is safe.
      auto* guard = preheader->getSinglePredecessor();
      auto* outside = is_speculatable && guard != nullptr && !has_copy_or_barrier(*preheader) &&
                              loops_.getLoopFor(guard) == loop->getParentLoop()
                          ? guard->getTerminator()
                          : preheader->getTerminator();
      bool changed = false;
      if (!loop->makeLoopInvariant(slot, changed, outside))
        break;
      // An address computed between the guard and the loop is invariant as it is, and stays there.
      if (const auto* address = llvm::dyn_cast<llvm::Instruction>(slot);
          address != nullptr && !dominators_.dominates(address, outside))
        outside = preheader->getTerminator();
      at = outside;
    }
    auto& hoisted = hoisted_[{slot, at->getParent()}];
    if (hoisted != nullptr && at != at_read)
      return hoisted;
    llvm::IRBuilder<> builder(at);
    auto* contents = buffer.forwarding->emit_contents(builder, *slot);
    if (at != at_read)
      hoisted = contents;
    return contents;
  }

  // Whether the address is that of a slot even where the program does not read it.
  static bool is_always_in_buffer(const llvm::Value& slot, const LocalBufferUses& uses) {
    const auto max_offset = max_offset_from(*uses.variable, slot);
    return max_offset && *max_offset <= (uses.slot_count - 1) * uses.slot_bytes;
  }

  // Whether each iteration of the loop, the first one too, executes the instruction.
  bool is_guaranteed_to_execute(const llvm::Instruction& instruction,
                                const llvm::Loop& loop) const {
    const auto* latch = loop.getLoopLatch();
    return latch != nullptr && loop.getExitingBlock() == latch &&
           dominators_.dominates(instruction.getParent(), latch);
  }

  void forward(const LocalBufferUses::Read& read, const Buffer& buffer) {
    auto* contents = contents_for(read, buffer);
    llvm::IRBuilder<> builder(read.load);
    auto* pointer = read.load->getPointerOperand();
    read.load->setOperand(llvm::LoadInst::getPointerOperandIndex(),
                          rebase(builder, pointer, read.slot, contents));
    llvm::RecursivelyDeleteTriviallyDeadInstructions(pointer);
  }

  // Computes the pointer, which is based on `from`, with the base `to`.
  static llvm::Value* rebase(llvm::IRBuilder<>& builder, llvm::Value* pointer,
                             const llvm::Value* from, llvm::Value* to) {
    if (pointer == from)
      return to;
    if (auto* cast = llvm::dyn_cast<llvm::AddrSpaceCastInst>(pointer))
      return rebase(builder, cast->getPointerOperand(), from, to);
    auto* gep = llvm::cast<llvm::GetElementPtrInst>(pointer);
    auto* base = rebase(builder, gep->getPointerOperand(), from, to);
    const llvm::SmallVector<llvm::Value*, 4> indices(gep->indices());
    return builder.CreateGEP(gep->getSourceElementType(), base, indices, gep->getName());
  }

  llvm::Function& body_;
  Remarks& remarks_;
  llvm::DominatorTree dominators_;
  llvm::LoopInfo loops_;
  std::vector<Buffer> buffers_;
  std::uint64_t state_bytes_ = 0; // in front of the group's local memory
  // By slot and block.
  llvm::MapVector<std::pair<llvm::Value*, llvm::BasicBlock*>, llvm::Value*> hoisted_;
};

} // namespace

llvm::PreservedAnalyses
ElideLocalCopiesPass::run_on_kernel(Kernel& kernel, llvm::FunctionAnalysisManager& /*analyses*/) {
  // Sub-groups that poll may read what another one stores before the next barrier.
  if (kernel.has_polling_loops || kernel.checks_divergence)
    return llvm::PreservedAnalyses::all();
  kernel.metadata.has_elided_copies = CopyElider(*kernel.body, kernel.report.remarks).run();
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
