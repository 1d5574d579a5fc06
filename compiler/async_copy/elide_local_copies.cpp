#include "compiler/async_copy/elide_local_copies.h"

#include "compiler/analysis/value_range.h"
#include "compiler/async_copy/local_buffer_forwarding.h"
#include "compiler/ir/abi_builder.h"
#include "compiler/ir/subgroup_intrinsics.h"
#include "compiler/ir/work_item_params.h"
#include "compiler/lower/lower_barriers.h"
#include "compiler/lower/lower_local_variables.h"
#include "compiler/support/source_place.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

namespace heddle::compiler {
namespace {

constexpr unsigned kGlobal = 1, kLocal = 3;

// Whether the instruction writes nothing that the tile's source may be a part of if no two
// arguments overlap, and does nothing by which others could know that it was reached.
bool leaves_alone(const llvm::Instruction& instruction, const llvm::Argument& source) {
  if (instruction.isAtomic() || instruction.isVolatile())
    return false;
  if (!instruction.mayWriteToMemory())
    return true;
  const auto may_write = [&](const llvm::Value& pointer) {
    const auto* base = llvm::getUnderlyingObject(&pointer, 0);
    const auto space = base->getType()->getPointerAddressSpace();
    return space == kLocal || llvm::isa<llvm::AllocaInst>(base) ||
           (space == kGlobal && llvm::isa<llvm::Argument>(base) && base != &source);
  };
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return may_write(*store->getPointerOperand());
  if (const auto* set = llvm::dyn_cast<llvm::AnyMemIntrinsic>(&instruction))
    return may_write(*set->getRawDest());
  if (llvm::isa<llvm::AssumeInst, llvm::LifetimeIntrinsic, llvm::NoAliasScopeDeclInst>(instruction))
    return true;
  const auto name = callee_of(instruction);
  if (name.starts_with(kCopies))
    return may_write(*llvm::cast<llvm::CallBase>(instruction).getArgOperand(0));
  return is_barrier(instruction) || is_subgroup_intrinsic(name);
}

class ReadInPlace {
 public:
  ReadInPlace(llvm::Function& body, Remarks& remarks)
      : body_(body), remarks_(remarks), dominators_(body), loops_(dominators_) {}

  bool run() {
    for (auto* variable : local_variables(body_))
      if (auto tile = LocalBufferUses::find(*variable); tile && is_safe(*tile))
        tiles_.push_back({std::make_unique<LocalBufferUses>(std::move(*tile)), nullptr});
    if (tiles_.empty())
      return false;
    // Places before loops, and behind them where all that came to them has come together again.
    for (auto* loop : loops_.getLoopsInPreorder()) {
      if (loop->getLoopPreheader() == nullptr)
        llvm::InsertPreheaderForLoop(loop, &dominators_, &loops_, nullptr, false);
      llvm::formDedicatedExitBlocks(loop, &dominators_, &loops_, nullptr, false);
    }
    llvm::erase_if(tiles_,
                   [&](ReadTile& tile) { return !(tile.contents = contents_of(*tile.tile)); });
    if (tiles_.empty())
      return false;
    for (auto& tile : tiles_)
      for (auto& read : tile.tile->reads)
        change(read, tile);
    // From here on there are blocks that the analyses do not know.
    auto* in_place = this->in_place();
    for (auto& tile : tiles_) {
      tile.contents->begin();
      for (auto& copy : tile.tile->copies) {
        remarks_.push_back({place_of(*copy.call), "no copy",
                            "the tile is read where it would be copied from, if that lies as well "
                            "and is no part of what the kernel writes"});
        tile.contents->change(copy, in_place);
      }
      tile.contents->finish();
    }
    return true;
  }

 private:
  struct ReadTile {
    std::unique_ptr<LocalBufferUses> tile;
    std::unique_ptr<LocalBufferForwarding> contents;
  };

  bool is_safe(const LocalBufferUses& tile) {
    std::uint64_t fewest = tile.place_bytes;
    for (const auto& copy : tile.copies)
      fewest = std::min(fewest, copy.bytes);
    return llvm::all_of(
               llvm::instructions(body_),
               [&](const auto& instruction) { return leaves_alone(instruction, *tile.source); }) &&
           llvm::all_of(tile.reads, [&](const LocalBufferUses::Read& read) {
             return stays_within(read, fewest);
           });
  }

  static bool stays_within(const LocalBufferUses::Read& read, std::uint64_t bytes) {
    const std::uint64_t size = read.load->getDataLayout().getTypeStoreSize(read.load->getType());
    const auto furthest = max_offset_from(*read.place, *read.load->getPointerOperand());
    return furthest && size <= bytes && *furthest <= bytes - size;
  }

  std::unique_ptr<LocalBufferForwarding> contents_of(const LocalBufferUses& tile) {
    if (auto contents = forward_through_registers(body_, tile, dominators_, loops_))
      return contents;
    if (hidden_bytes_ + tile.places * kContentsBytes > abi::kHiddenLocalBytes)
      return nullptr;
    hidden_bytes_ += tile.places * kContentsBytes;
    return forward_through_local_memory(tile, hidden_local(hidden_bytes_));
  }

  // Behind the variables, which are at the entry's begin.
  llvm::Instruction& begin_of_code() {
    auto at = body_.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
    while (is_local_variable(*at))
      ++at;
    return *at;
  }

  // So many bytes in front of the group's local memory.
  llvm::Instruction& hidden_local(std::uint64_t bytes) {
    llvm::IRBuilder<> builder(&begin_of_code());
    AbiBuilder access(builder);
    auto* local = access.load(work_item_params(body_).group, offsetof(abi::Group, local_memory),
                              access.local_pointer());
    auto* hidden =
        llvm::GetElementPtrInst::Create(builder.getInt8Ty(), local, builder.getInt64(-bytes));
    return *builder.Insert(hidden);
  }

  // The same for the whole kernel: whether copies may be left out.
  llvm::Value* in_place() {
    llvm::IRBuilder<> builder(&begin_of_code());
    AbiBuilder access(builder);
    auto* overlap = access.load_invariant(access.launch_of(work_item_params(body_).group),
                                          offsetof(abi::Launch, arguments_overlap), access.word(),
                                          "arguments_overlap");
    return builder.CreateICmpEQ(overlap, builder.getInt64(0), "in_place");
  }

  // Where the place's contents are now, found once for all rounds of loops in which no copy is
  // made.
  llvm::Value* contents_for(const LocalBufferUses::Read& read, const ReadTile& tile) {
    auto* place = read.place;
    const bool is_readable = always_exists(*place, *tile.tile);
    llvm::Instruction* const before = read.load;
    auto* at = before;
    for (auto* loop = loops_.getLoopFor(at->getParent()); loop != nullptr && is_quiet(*loop);
         loop = loop->getParentLoop()) {
      auto* preheader = loop->getLoopPreheader();
      if (preheader == nullptr || !(is_readable || always_runs(*before, *loop)))
        break;
      // Before the question whether there are any rounds, where that may be.
      auto* guard = preheader->getSinglePredecessor();
      auto* outside = is_readable && guard != nullptr && is_quiet(*preheader) &&
                              loops_.getLoopFor(guard) == loop->getParentLoop()
                          ? guard->getTerminator()
                          : preheader->getTerminator();
      bool changed = false;
      if (!loop->makeLoopInvariant(place, changed, outside))
        break;
      // An address computed between the guard and the loop is invariant as it is, and stays there.
      if (const auto* address = llvm::dyn_cast<llvm::Instruction>(place);
          address != nullptr && !dominators_.dominates(address, outside))
        outside = preheader->getTerminator();
      at = outside;
    }
    auto& contents = found_[{place, at->getParent()}];
    if (contents != nullptr && at != before)
      return contents;
    llvm::IRBuilder<> builder(at);
    auto* chosen = tile.contents->find(builder, *place);
    if (at != before)
      contents = chosen;
    return chosen;
  }

  // Whether the place is one of the tile's even where the program does not come to read it.
  static bool always_exists(const llvm::Value& place, const LocalBufferUses& tile) {
    const auto furthest = max_offset_from(*tile.variable, place);
    return furthest && *furthest <= (tile.places - 1) * tile.place_bytes;
  }

  // Whether it is reached whenever the loop is.
  bool always_runs(const llvm::Instruction& instruction, const llvm::Loop& loop) const {
    const auto* latch = loop.getLoopLatch();
    return latch != nullptr && loop.getExitingBlock() == latch &&
           dominators_.dominates(instruction.getParent(), latch);
  }

  // Whether no copies come to be made while it runs.
  static bool is_quiet(const llvm::BasicBlock& block) {
    return llvm::none_of(block, [](const llvm::Instruction& instruction) {
      return callee_of(instruction).starts_with(kCopies) || is_barrier(instruction);
    });
  }
  static bool is_quiet(const llvm::Loop& loop) {
    return llvm::all_of(loop.blocks(), [](const auto* block) { return is_quiet(*block); });
  }

  void change(const LocalBufferUses::Read& read, const ReadTile& tile) {
    auto* contents = contents_for(read, tile);
    llvm::IRBuilder<> builder(read.load);
    auto* pointer = read.load->getPointerOperand();
    read.load->setOperand(llvm::LoadInst::getPointerOperandIndex(),
                          moved(builder, pointer, read.place, contents));
    llvm::RecursivelyDeleteTriviallyDeadInstructions(pointer);
  }

  // The address made in the same steps from another beginning.
  static llvm::Value* moved(llvm::IRBuilder<>& builder, llvm::Value* pointer,
                            const llvm::Value* from, llvm::Value* to) {
    if (pointer == from)
      return to;
    if (auto* cast = llvm::dyn_cast<llvm::AddrSpaceCastInst>(pointer))
      return moved(builder, cast->getPointerOperand(), from, to);
    auto* step = llvm::cast<llvm::GetElementPtrInst>(pointer);
    auto* base = moved(builder, step->getPointerOperand(), from, to);
    const llvm::SmallVector<llvm::Value*, 4> indices(step->indices());
    return builder.CreateGEP(step->getSourceElementType(), base, indices, step->getName());
  }

  llvm::Function& body_;
  Remarks& remarks_;
  llvm::DominatorTree dominators_;
  llvm::LoopInfo loops_;
  std::vector<ReadTile> tiles_;
  std::uint64_t hidden_bytes_ = 0;
  llvm::MapVector<std::pair<llvm::Value*, llvm::BasicBlock*>, llvm::Value*> found_;
};

} // namespace

static void elide_local_copies(Kernel& kernel) {
  kernel.metadata.reads_in_place = ReadInPlace(*kernel.body, kernel.report.remarks).run();
}

llvm::PreservedAnalyses ElideLocalCopiesPass::run(llvm::Function& function,
                                                  llvm::FunctionAnalysisManager& /*analyses*/) {
  elide_local_copies(compilation_.kernel_of(function));
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
