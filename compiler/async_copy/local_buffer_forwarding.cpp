#include "compiler/async_copy/local_buffer_forwarding.h"

#include "compiler/analysis/work_group_uniformity.h"
#include "compiler/async_copy/expand_copies.h"
#include "compiler/ir/prefetch.h"
#include "compiler/ir/subgroup_intrinsics.h"
#include "compiler/lower/lower_local_variables.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/KnownBits.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

namespace heddle::compiler {
namespace {

constexpr llvm::StringLiteral kLeads = "__heddle_lane_leads";
constexpr unsigned kLocal = 3, kGeneric = 4;

llvm::Value* number(llvm::IRBuilder<>& builder, llvm::Value* address) {
  return builder.CreatePtrToInt(address, builder.getInt64Ty());
}

llvm::Value* distance(llvm::IRBuilder<>& builder, llvm::Value* to, llvm::Value* from) {
  return builder.CreateSub(number(builder, to), number(builder, from));
}

llvm::Value* place_in_line(llvm::IRBuilder<>& builder, llvm::Value* address) {
  return builder.CreateAnd(number(builder, address), kCacheLine - 1);
}

// Whether the address is so many whole lines behind the argument, whatever their number.
bool is_lines_behind(const llvm::Value& address, const llvm::Argument& argument) {
  const auto& layout = argument.getParent()->getDataLayout();
  const llvm::Value* at = &address;
  while (at != &argument) {
    if (const auto* cast = llvm::dyn_cast<llvm::AddrSpaceCastInst>(at)) {
      at = cast->getPointerOperand();
      continue;
    }
    const auto* step = llvm::dyn_cast<llvm::GetElementPtrInst>(at);
    if (step == nullptr || step->getNumIndices() != 1)
      return false;
    const auto zeros =
        llvm::computeKnownBits(step->getOperand(1), layout).countMinTrailingZeros() +
        llvm::countr_zero(layout.getTypeAllocSize(step->getSourceElementType()).getFixedValue());
    if (zeros < llvm::Log2_64(kCacheLine))
      return false;
    at = step->getPointerOperand();
  }
  return true;
}

// Whether the copy may be left out. Loads of whole lines from a place that no line begins at take
// twice as long, if the tile lies better.
llvm::Value* is_left_out(llvm::IRBuilder<>& builder, llvm::Value* in_place, llvm::Value* from,
                         llvm::Value* to, llvm::Argument& source) {
  const bool is_known = is_lines_behind(*from, source);
  auto* at = place_in_line(builder, is_known ? &source : from);
  auto* lies_well = builder.CreateICmpEQ(at, builder.getInt64(0));
  if (!is_known)
    lies_well = builder.CreateOr(lies_well, builder.CreateICmpEQ(at, place_in_line(builder, to)));
  return builder.CreateAnd(in_place, lies_well, "is_left_out");
}

llvm::Value* generic(llvm::IRBuilder<>& builder, llvm::Value* address) {
  return builder.CreateAddrSpaceCast(address, builder.getPtrTy(kGeneric));
}

void call_copy(llvm::IRBuilder<>& builder, llvm::ArrayRef<llvm::Value*> arguments) {
  auto& module = *builder.GetInsertBlock()->getModule();
  auto* address = builder.getPtrTy(kGeneric);
  auto* word = builder.getInt64Ty();
  auto copy = module.getOrInsertFunction(
      kCopyUnlessInPlace,
      llvm::FunctionType::get(
          builder.getVoidTy(),
          {address, address, word, builder.getInt1Ty(), builder.getPtrTy(kLocal), word}, false));
  builder.CreateCall(copy, arguments);
}

// --- In registers -------------------------------------------------------------------------------

// The branch by which the work-item that leads the group comes to the copy; null: it is another.
llvm::BranchInst* branch_to(llvm::CallInst& copy) {
  auto* before = copy.getParent()->getSinglePredecessor();
  auto* branch =
      before != nullptr ? llvm::dyn_cast<llvm::BranchInst>(before->getTerminator()) : nullptr;
  return branch != nullptr && branch->isConditional() && branch->getSuccessor(0) == copy.getParent()
             ? branch
             : nullptr;
}

// Asks who leads behind all else that is asked before the copy is made, and goes on in one block of
// its own from there; false if nobody asks.
bool ask_who_leads_alone(llvm::CallInst& copy, llvm::DominatorTree& dominators,
                         llvm::LoopInfo& loops) {
  using namespace llvm::PatternMatch;
  auto* branch = branch_to(copy);
  auto* made = copy.getParent();
  if (branch == nullptr || made->getSingleSuccessor() != branch->getSuccessor(1) ||
      llvm::isa<llvm::PHINode>(made->front()))
    return false;
  auto* asks = branch->getParent();
  auto* after = branch->getSuccessor(1);
  if (!is_leader_query(*branch->getCondition())) {
    llvm::Value *a = nullptr, *b = nullptr;
    if (!match(branch->getCondition(), m_LogicalAnd(m_Value(a), m_Value(b))))
      return false;
    if (is_leader_query(*a))
      std::swap(a, b);
    if (!is_leader_query(*b))
      return false;
    asks = llvm::SplitEdge(branch->getParent(), made, &dominators, &loops);
    branch->setCondition(a);
    for (auto& phi : after->phis())
      phi.addIncoming(phi.getIncomingValueForBlock(branch->getParent()), asks);
    llvm::IRBuilder<> builder(asks->getTerminator());
    builder.CreateCondBr(b, made, after);
    asks->getTerminator()->eraseFromParent();
  }
  if (!after->hasNPredecessors(2))
    llvm::SplitBlockPredecessors(after, {asks, made}, ".asked", &dominators, &loops);
  return true;
}

// Whether the value is known before the branch, if need be because it was moved there.
bool comes_before(llvm::Value& value, llvm::BranchInst& branch, const llvm::BasicBlock& block) {
  auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (instruction == nullptr || instruction->getParent() != &block)
    return true;
  if (llvm::isa<llvm::PHINode>(instruction) || instruction->mayReadOrWriteMemory() ||
      !llvm::isSafeToSpeculativelyExecute(instruction))
    return false;
  for (auto& operand : instruction->operands())
    if (!comes_before(*operand, branch, block))
      return false;
  instruction->moveBefore(branch.getIterator());
  return true;
}

class InRegisters final : public LocalBufferForwarding {
 public:
  InRegisters(llvm::Function& body, const LocalBufferUses& tile) : body_(body), tile_(tile) {}

  // Brings what the copies ask for and take to where all work-items come by; false if this cannot
  // be, or the work-items may differ in it.
  static bool prepare(llvm::Function& body, const LocalBufferUses& tile,
                      llvm::DominatorTree& dominators, llvm::LoopInfo& loops) {
    for (const auto& copy : tile.copies) {
      if (!ask_who_leads_alone(*copy.call, dominators, loops))
        return false;
      auto* branch = branch_to(*copy.call);
      if (!comes_before(*copy.call->getArgOperand(0), *branch, block_of(copy)) ||
          !comes_before(*copy.call->getArgOperand(1), *branch, block_of(copy)))
        return false;
    }
    const WorkGroupUniformity uniformity(body, /*is_masked=*/false);
    const auto is_common = [&](const llvm::Value& value) {
      const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
      return instruction == nullptr || uniformity.is_common(*instruction);
    };
    return llvm::all_of(tile.copies, [&](const LocalBufferUses::Copy& copy) {
      const auto* step = llvm::dyn_cast<llvm::GetElementPtrInst>(copy.place);
      return uniformity.is_in_step(*branch_to(*copy.call)->getParent()) &&
             is_common(*copy.call->getArgOperand(1)) &&
             (step == nullptr || is_common(*step->getOperand(1)));
    });
  }

  void begin() override {
    auto* at = tile_.variable->getNextNode();
    while (is_local_variable(*at))
      at = at->getNextNode();
    llvm::IRBuilder<> builder(at);
    for (std::uint64_t i = 0; i < tile_.places; ++i)
      builder.CreateStore(generic(builder, place(builder, i)), variable(i));
  }

  void change(const LocalBufferUses::Copy& copy, llvm::Value* in_place) override {
    auto& call = *copy.call;
    auto* to = call.getArgOperand(0);
    auto* from = call.getArgOperand(1);
    llvm::IRBuilder<> builder(branch_to(call));
    builder.SetCurrentDebugLocation(call.getDebugLoc());
    auto* left_out = is_left_out(builder, in_place, from, to, *tile_.source);
    auto* contents = builder.CreateSelect(left_out, from, to);
    auto* which = tile_.number_of(builder, *copy.place);
    for (std::uint64_t i = 0; i < tile_.places; ++i) {
      auto* before = builder.CreateLoad(contents->getType(), variable(i));
      builder.CreateStore(
          builder.CreateSelect(builder.CreateICmpEQ(which, builder.getInt64(i)), contents, before),
          variable(i));
    }
    builder.SetInsertPoint(&call);
    call_copy(builder,
              {to, from, call.getArgOperand(2), left_out,
               llvm::ConstantPointerNull::get(builder.getPtrTy(kLocal)), builder.getInt64(0)});
    call.eraseFromParent();
  }

  llvm::Value* find(llvm::IRBuilder<>& builder, llvm::Value& place) override {
    auto* which = tile_.number_of(builder, place);
    llvm::Value* found = nullptr;
    for (std::uint64_t i = 0; i < tile_.places; ++i) {
      auto* contents = builder.CreateLoad(builder.getPtrTy(kGeneric), variable(i), "contents");
      found = found == nullptr
                  ? contents
                  : builder.CreateSelect(builder.CreateICmpEQ(which, builder.getInt64(i)), contents,
                                         found);
    }
    return found;
  }

  void finish() override {
    llvm::DominatorTree dominators(body_);
    llvm::PromoteMemToReg(variables_, dominators);
  }

 private:
  static const llvm::BasicBlock& block_of(const LocalBufferUses::Copy& copy) {
    return *copy.call->getParent();
  }

  llvm::Value* place(llvm::IRBuilder<>& builder, std::uint64_t number) const {
    return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), tile_.variable,
                                              number * tile_.place_bytes);
  }

  llvm::AllocaInst* variable(std::uint64_t number) {
    if (variables_.empty()) {
      llvm::IRBuilder<> builder(&body_.getEntryBlock(), body_.getEntryBlock().begin());
      for (std::uint64_t i = 0; i < tile_.places; ++i)
        variables_.push_back(builder.CreateAlloca(builder.getPtrTy(kGeneric)));
    }
    return variables_[number];
  }

  llvm::Function& body_;
  const LocalBufferUses& tile_;
  llvm::SmallVector<llvm::AllocaInst*, 2> variables_;
};

// --- In local memory ----------------------------------------------------------------------------

// A word is where a place's contents are, counted from the argument: that the address was made from
// the argument or the tile stays known.
class InLocalMemory final : public LocalBufferForwarding {
 public:
  InLocalMemory(const LocalBufferUses& tile, llvm::Instruction& words)
      : tile_(tile), words_(words) {}

  void begin() override {
    auto* at = words_.getNextNode();
    llvm::IRBuilder<> builder(at);
    auto leads = at->getModule()->getOrInsertFunction(
        kLeads, llvm::FunctionType::get(builder.getInt1Ty(), false));
    auto* first = builder.CreateCall(leads);
    builder.SetInsertPoint(
        llvm::SplitBlockAndInsertIfThen(first, at->getIterator(), /*Unreachable=*/false));
    for (std::uint64_t i = 0; i < tile_.places; ++i) {
      auto* place = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), tile_.variable,
                                                       i * tile_.place_bytes);
      auto* there = generic(builder, place);
      call_copy(builder,
                {there, there, builder.getInt64(0), builder.getTrue(),
                 word(builder, builder.getInt64(i)), distance(builder, place, tile_.source)});
    }
  }

  void change(const LocalBufferUses::Copy& copy, llvm::Value* in_place) override {
    auto& call = *copy.call;
    auto* to = call.getArgOperand(0);
    auto* from = call.getArgOperand(1);
    llvm::IRBuilder<> builder(&call);
    auto* left_out = is_left_out(builder, in_place, from, to, *tile_.source);
    auto* where = builder.CreateSelect(left_out, from, to);
    call_copy(builder, {to, from, call.getArgOperand(2), left_out,
                        word(builder, tile_.number_of(builder, *copy.place)),
                        distance(builder, where, tile_.source)});
    call.eraseFromParent();
  }

  llvm::Value* find(llvm::IRBuilder<>& builder, llvm::Value& place) override {
    auto* offset = builder.CreateAlignedLoad(builder.getInt64Ty(),
                                             word(builder, tile_.number_of(builder, place)),
                                             llvm::Align(kContentsBytes), "offset");
    auto* is_here = builder.CreateICmpEQ(offset, distance(builder, &place, tile_.source));
    auto* original = builder.CreateGEP(builder.getInt8Ty(), tile_.source, offset);
    return builder.CreateSelect(is_here, generic(builder, &place), generic(builder, original),
                                "contents");
  }

 private:
  llvm::Value* word(llvm::IRBuilder<>& builder, llvm::Value* number) const {
    return builder.CreateGEP(builder.getInt64Ty(), &words_, number);
  }

  const LocalBufferUses& tile_;
  llvm::Instruction& words_;
};

} // namespace

std::unique_ptr<LocalBufferForwarding> forward_through_registers(llvm::Function& body,
                                                                 const LocalBufferUses& tile,
                                                                 llvm::DominatorTree& dominators,
                                                                 llvm::LoopInfo& loops) {
  if (!InRegisters::prepare(body, tile, dominators, loops))
    return nullptr;
  return std::make_unique<InRegisters>(body, tile);
}

std::unique_ptr<LocalBufferForwarding> forward_through_local_memory(const LocalBufferUses& tile,
                                                                    llvm::Instruction& words) {
  return std::make_unique<InLocalMemory>(tile, words);
}

static void lower_elided_copies(llvm::Module& module) {
  auto* function = module.getFunction(kCopyUnlessInPlace);
  if (function == nullptr)
    return;
  for (auto* user : llvm::make_early_inc_range(function->users())) {
    auto* call = llvm::cast<llvm::CallInst>(user);
    const auto* bytes = llvm::dyn_cast<llvm::ConstantInt>(call->getArgOperand(2));
    llvm::IRBuilder<> builder(call);
    if (!llvm::isa<llvm::ConstantPointerNull>(call->getArgOperand(4)))
      builder.CreateAlignedStore(call->getArgOperand(5), call->getArgOperand(4),
                                 llvm::Align(kContentsBytes));
    if (bytes == nullptr || !bytes->isZero()) {
      // Or the loop that copies would have the registers that those that read need.
      auto* seldom = llvm::MDBuilder(module.getContext()).createUnlikelyBranchWeights();
      builder.SetInsertPoint(
          llvm::SplitBlockAndInsertIfThen(builder.CreateNot(call->getArgOperand(3)),
                                          call->getIterator(), /*Unreachable=*/false, seldom));
      builder.SetCurrentDebugLocation(call->getDebugLoc());
      builder.CreateCall(module.getFunction(kCopyBytes),
                         {call->getArgOperand(0), call->getArgOperand(1), call->getArgOperand(2)});
    }
    call->eraseFromParent();
  }
  function->eraseFromParent();
}

llvm::PreservedAnalyses LowerElidedCopiesPass::run(llvm::Module& module,
                                                   llvm::ModuleAnalysisManager& /*analyses*/) {
  lower_elided_copies(module);
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
