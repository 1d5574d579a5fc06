#include "compiler/passes/read_in_place.h"

#include "compiler/passes/abi_access.h"
#include "compiler/passes/lane_functions.h"
#include "compiler/passes/largest_value.h"
#include "compiler/passes/lower_barriers.h"
#include "compiler/passes/place_local_variables.h"
#include "compiler/passes/work_item_state.h"
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

constexpr llvm::StringLiteral kCopy = "__heddle_call_once_copy_bytes"; // (to, from, bytes)
constexpr llvm::StringLiteral kCopies = "__heddle_call_once_copy_";    // (to, from, ...)
// Stands for one until lower_copies_in_place(); to the vectoriser it is any copy.
constexpr llvm::StringLiteral kCopyUnlessInPlace = "__heddle_call_once_copy_unless_in_place";
constexpr llvm::StringLiteral kLeads = "__heddle_lane_leads";
constexpr unsigned kGlobal = 1, kLocal = 3, kGeneric = 4;
constexpr std::uint64_t kOffsetBytes = 8; // of where a place's contents are
constexpr std::uint64_t kMostPlaces = 8;  // of a tile
constexpr std::uint64_t kLine = 64;       // of the cache

llvm::StringRef callee_of(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  const auto* callee = call == nullptr ? nullptr : call->getCalledFunction();
  return callee == nullptr ? llvm::StringRef() : callee->getName();
}

struct Copy {
  llvm::CallInst* call;
  llvm::Value* place; // in local memory
  std::uint64_t bytes;
};
struct Read {
  llvm::LoadInst* load;
  llvm::Value* place; // that it is counted from
};
// A variable with all that is done with it.
struct Tile {
  llvm::CallInst* variable = nullptr;
  llvm::Argument* source = nullptr;
  llvm::SmallVector<Copy, 4> copies;
  llvm::SmallVector<Read, 16> reads;
  std::uint64_t place_bytes = 0; // from one place that is copied to to the next
  std::uint64_t places = 1;
  llvm::Value* offsets =
      nullptr; // of the places, a word each: where the contents are from the source
};

// Follows a variable's address through the code; false if it gets where it cannot be followed.
class Uses {
 public:
  explicit Uses(Tile& tile) : tile_(tile), layout_(tile.variable->getDataLayout()) {}

  bool collect() {
    const auto bytes = local_variable_bytes(*tile_.variable);
    // The places are the elements of an array of arrays, if it is one.
    for (auto* user : tile_.variable->users())
      if (auto* step = llvm::dyn_cast<llvm::GetElementPtrInst>(user);
          step != nullptr && step->getNumIndices() == 1 && !step->hasAllConstantIndices() &&
          step->getSourceElementType()->isArrayTy())
        tile_.place_bytes = layout_.getTypeAllocSize(step->getSourceElementType());
    if (tile_.place_bytes == 0)
      tile_.place_bytes = bytes;
    if (bytes % tile_.place_bytes != 0 || bytes / tile_.place_bytes > kMostPlaces)
      return false;
    tile_.places = bytes / tile_.place_bytes;
    return follow(*tile_.variable, tile_.variable) && !tile_.copies.empty() && !tile_.reads.empty();
  }

 private:
  // Whether this goes from the variable to one of its places.
  bool goes_to_place(const llvm::GetElementPtrInst& step) const {
    if (step.getPointerOperand() != tile_.variable || step.getNumIndices() != 1)
      return false;
    if (const auto* index = llvm::dyn_cast<llvm::ConstantInt>(step.getOperand(1)))
      return index->getZExtValue() * layout_.getTypeAllocSize(step.getSourceElementType()) %
                 tile_.place_bytes ==
             0;
    return layout_.getTypeAllocSize(step.getSourceElementType()) == tile_.place_bytes;
  }

  bool follow(llvm::Value& pointer, llvm::Value* place) {
    return llvm::all_of(pointer.users(), [&](llvm::User* user) {
      if (auto* step = llvm::dyn_cast<llvm::GetElementPtrInst>(user))
        return !step->getType()->isVectorTy() && follow(*step, goes_to_place(*step) ? step : place);
      if (auto* cast = llvm::dyn_cast<llvm::AddrSpaceCastInst>(user))
        return follow(*cast, place);
      if (auto* load = llvm::dyn_cast<llvm::LoadInst>(user)) {
        tile_.reads.push_back({load, place});
        return load->isSimple();
      }
      auto* call = llvm::dyn_cast<llvm::CallInst>(user);
      return call != nullptr && add_copy(*call, pointer, place);
    });
  }

  // The copy must begin where a place does.
  bool add_copy(llvm::CallInst& call, const llvm::Value& pointer, llvm::Value* place) {
    if (callee_of(call) != kCopy || call.getArgOperand(0) != &pointer ||
        call.getArgOperand(0)->stripPointerCasts() != place)
      return false;
    auto* source =
        llvm::dyn_cast<llvm::Argument>(llvm::getUnderlyingObject(call.getArgOperand(1), 0));
    const auto* bytes = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(2));
    if (source == nullptr || bytes == nullptr ||
        source->getType()->getPointerAddressSpace() != kGlobal ||
        (tile_.source != nullptr && tile_.source != source) ||
        bytes->getValue().ugt(tile_.place_bytes))
      return false;
    tile_.source = source;
    tile_.copies.push_back({&call, place, bytes->getZExtValue()});
    return true;
  }

  Tile& tile_;
  const llvm::DataLayout& layout_;
};

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
  return !name.empty() &&
         (is_barrier(*llvm::cast<llvm::CallBase>(instruction).getCalledFunction()) ||
          is_lane_function(name));
}

class ReadInPlace {
 public:
  ReadInPlace(llvm::Function& body, Remarks& remarks)
      : body_(body), remarks_(remarks), dominators_(body), loops_(dominators_) {}

  bool run() {
    llvm::SmallVector<Tile, 2> tiles;
    for (auto* variable : local_variables(body_)) {
      Tile tile;
      tile.variable = variable;
      if (Uses(tile).collect() && is_safe(tile) &&
          hidden_bytes_ + tile.places * kOffsetBytes <= abi::kHiddenLocalBytes) {
        hidden_bytes_ += tile.places * kOffsetBytes;
        tile.offsets = hidden_local(hidden_bytes_);
        tiles.push_back(std::move(tile));
      }
    }
    if (tiles.empty())
      return false;
    for (auto* loop : loops_.getLoopsInPreorder()) // they need a place before them
      if (loop->getLoopPreheader() == nullptr)
        llvm::InsertPreheaderForLoop(loop, &dominators_, &loops_, nullptr, false);
    for (auto& tile : tiles)
      for (auto& read : tile.reads)
        change(read, tile);
    // From here on there are blocks that the analyses do not know.
    for (auto& tile : tiles) {
      begin(tile);
      for (auto& copy : tile.copies)
        change(copy, tile);
    }
    return true;
  }

 private:
  bool is_safe(const Tile& tile) {
    std::uint64_t fewest = tile.place_bytes;
    for (const auto& copy : tile.copies)
      fewest = std::min(fewest, copy.bytes);
    return llvm::all_of(
               llvm::instructions(body_),
               [&](const auto& instruction) { return leaves_alone(instruction, *tile.source); }) &&
           llvm::all_of(tile.reads, [&](const Read& read) { return stays_within(read, fewest); });
  }

  static bool stays_within(const Read& read, std::uint64_t bytes) {
    const std::uint64_t size = read.load->getDataLayout().getTypeStoreSize(read.load->getType());
    const auto furthest = furthest_from(*read.place, *read.load->getPointerOperand());
    return furthest && size <= bytes && *furthest <= bytes - size;
  }

  // Behind the variables, which are at the entry's begin.
  llvm::Instruction& begin_of_code() {
    auto at = body_.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
    while (is_local_variable(*at))
      ++at;
    return *at;
  }

  // So many bytes in front of the group's local memory.
  llvm::Value* hidden_local(std::uint64_t bytes) {
    llvm::IRBuilder<> builder(&begin_of_code());
    AbiAccess access(builder);
    auto* local = access.load(work_item_state(body_).group, offsetof(abi::Group, local_memory),
                              access.local_pointer());
    return builder.CreateConstGEP1_64(builder.getInt8Ty(), local, -bytes);
  }

  // The same for the whole kernel: whether copies may be left out.
  llvm::Value* in_place() {
    if (in_place_ == nullptr) {
      llvm::IRBuilder<> builder(&begin_of_code());
      AbiAccess access(builder);
      auto* overlap = access.load_invariant(access.launch_of(work_item_state(body_).group),
                                            offsetof(abi::Launch, arguments_overlap), access.word(),
                                            "arguments_overlap");
      in_place_ = builder.CreateICmpEQ(overlap, builder.getInt64(0), "in_place");
    }
    return in_place_;
  }

  // Of a place of the tile.
  static llvm::Value* offset_of(llvm::IRBuilder<>& builder, const llvm::Value& place,
                                const Tile& tile) {
    llvm::Value* number = builder.getInt64(0);
    if (const auto* step = llvm::dyn_cast<llvm::GetElementPtrInst>(&place)) {
      number = step->getOperand(1);
      if (const auto* index = llvm::dyn_cast<llvm::ConstantInt>(number))
        number =
            builder.getInt64(index->getZExtValue() *
                             step->getDataLayout().getTypeAllocSize(step->getSourceElementType()) /
                             tile.place_bytes);
    }
    return builder.CreateGEP(builder.getInt64Ty(), tile.offsets, number);
  }

  static llvm::Value* distance(llvm::IRBuilder<>& builder, llvm::Value* to, llvm::Value* from) {
    return builder.CreateSub(builder.CreatePtrToInt(to, builder.getInt64Ty()),
                             builder.CreatePtrToInt(from, builder.getInt64Ty()));
  }

  // (to, from, bytes, source, whether it may be left out, where the offset goes)
  llvm::FunctionCallee copy_unless_in_place() {
    auto& context = body_.getContext();
    auto* generic = llvm::PointerType::get(context, kGeneric);
    auto* word = llvm::Type::getInt64Ty(context);
    return body_.getParent()->getOrInsertFunction(
        kCopyUnlessInPlace,
        llvm::FunctionType::get(llvm::Type::getVoidTy(context),
                                {generic, generic, word, llvm::PointerType::get(context, kGlobal),
                                 llvm::Type::getInt1Ty(context),
                                 llvm::PointerType::get(context, kLocal)},
                                false));
  }

  // What nothing was copied to yet is where it is: copied from there.
  void begin(const Tile& tile) {
    auto* at = llvm::cast<llvm::Instruction>(in_place())->getNextNode();
    while (at->comesBefore(llvm::cast<llvm::Instruction>(tile.offsets)))
      at = at->getNextNode();
    at = at == tile.offsets ? at->getNextNode() : at;
    llvm::IRBuilder<> builder(at);
    auto leads = body_.getParent()->getOrInsertFunction(
        kLeads, llvm::FunctionType::get(builder.getInt1Ty(), false));
    auto* first = builder.CreateCall(leads);
    builder.SetInsertPoint(
        llvm::SplitBlockAndInsertIfThen(first, at->getIterator(), /*Unreachable=*/false));
    for (std::uint64_t i = 0; i < tile.places; ++i) {
      auto* place = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), tile.variable,
                                                       i * tile.place_bytes);
      auto* there = builder.CreateAddrSpaceCast(place, builder.getPtrTy(kGeneric));
      auto* offset = builder.CreateConstGEP1_64(builder.getInt64Ty(), tile.offsets, i);
      builder.CreateCall(copy_unless_in_place(),
                         {there, there, builder.getInt64(0), tile.source, in_place(), offset});
    }
  }

  void change(const Copy& copy, const Tile& tile) {
    auto& call = *copy.call;
    remarks_.push_back({place_of(call), "no copy",
                        "the tile is read where it would be copied from, if that lies as well and "
                        "is no part of what the kernel writes"});
    llvm::IRBuilder<> builder(&call);
    builder.CreateCall(copy_unless_in_place(),
                       {call.getArgOperand(0), call.getArgOperand(1), call.getArgOperand(2),
                        tile.source, in_place(), offset_of(builder, *copy.place, tile)});
    call.eraseFromParent();
  }

  // Where the place's contents are now, found once for all rounds of loops in which no copy is
  // made.
  llvm::Value* contents_of(const Read& read, const Tile& tile) {
    auto* place = read.place;
    const bool is_readable = always_exists(*place, tile);
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
      at = outside;
    }
    auto& contents = contents_[{place, at->getParent()}];
    if (contents != nullptr && at != before)
      return contents;
    llvm::IRBuilder<> builder(at);
    auto* generic = builder.getPtrTy(kGeneric);
    auto* offset = builder.CreateAlignedLoad(builder.getInt64Ty(), offset_of(builder, *place, tile),
                                             llvm::Align(kOffsetBytes), "offset");
    auto* is_here = builder.CreateICmpEQ(offset, distance(builder, place, tile.source));
    auto* original = builder.CreateGEP(builder.getInt8Ty(), tile.source, offset);
    auto* chosen = builder.CreateSelect(is_here, builder.CreateAddrSpaceCast(place, generic),
                                        builder.CreateAddrSpaceCast(original, generic), "contents");
    if (at != before)
      contents = chosen;
    return chosen;
  }

  // Whether the place is one of the tile's even where the program does not come to read it.
  static bool always_exists(const llvm::Value& place, const Tile& tile) {
    const auto furthest = furthest_from(*tile.variable, place);
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
      const auto name = callee_of(instruction);
      return name.starts_with(kCopies) ||
             (!name.empty() &&
              is_barrier(*llvm::cast<llvm::CallBase>(instruction).getCalledFunction()));
    });
  }
  static bool is_quiet(const llvm::Loop& loop) {
    return llvm::all_of(loop.blocks(), [](const auto* block) { return is_quiet(*block); });
  }

  void change(const Read& read, const Tile& tile) {
    auto* contents = contents_of(read, tile);
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
  llvm::Value* in_place_ = nullptr;
  std::uint64_t hidden_bytes_ = 0;
  llvm::MapVector<std::pair<llvm::Value*, llvm::BasicBlock*>, llvm::Value*> contents_;
};

} // namespace

void read_in_place(Kernel& kernel) {
  kernel.metadata.reads_in_place = ReadInPlace(*kernel.body, kernel.report.remarks).run();
}

void lower_copies_in_place(llvm::Module& module) {
  auto* function = module.getFunction(kCopyUnlessInPlace);
  if (function == nullptr)
    return;
  for (auto* user : llvm::make_early_inc_range(function->users())) {
    auto* call = llvm::cast<llvm::CallInst>(user);
    auto* to = call->getArgOperand(0);
    auto* from = call->getArgOperand(1);
    const auto* bytes = llvm::dyn_cast<llvm::ConstantInt>(call->getArgOperand(2));
    llvm::IRBuilder<> builder(call);
    builder.SetCurrentDebugLocation(call->getDebugLoc());
    auto* word = builder.getInt64Ty();
    auto* target = builder.CreatePtrToInt(to, word);
    auto* origin = builder.CreatePtrToInt(from, word);
    // Loads of whole lines from a place that no line begins at take twice as long.
    const auto in_line = [&](llvm::Value* address) {
      return builder.CreateAnd(address, kLine - 1);
    };
    auto* is_aligned = builder.CreateOr(builder.CreateICmpEQ(in_line(origin), builder.getInt64(0)),
                                        builder.CreateICmpEQ(in_line(origin), in_line(target)));
    auto* is_left_out = builder.CreateAnd(call->getArgOperand(4), is_aligned);
    auto* where = builder.CreateSelect(is_left_out, origin, target);
    builder.CreateAlignedStore(
        builder.CreateSub(where, builder.CreatePtrToInt(call->getArgOperand(3), word)),
        call->getArgOperand(5), llvm::Align(kOffsetBytes));
    if (!bytes->isZero()) {
      auto* make = llvm::SplitBlockAndInsertIfThen(builder.CreateNot(is_left_out),
                                                   call->getIterator(), /*Unreachable=*/false);
      builder.SetInsertPoint(make);
      builder.SetCurrentDebugLocation(call->getDebugLoc());
      builder.CreateCall(module.getFunction(kCopy), {to, from, call->getArgOperand(2)});
    }
    call->eraseFromParent();
  }
  function->eraseFromParent();
}

} // namespace heddle::compiler
