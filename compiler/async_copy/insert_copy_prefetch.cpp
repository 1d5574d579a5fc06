#include "compiler/async_copy/insert_copy_prefetch.h"

#include "compiler/async_copy/expand_copies.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

namespace heddle::compiler {
namespace {

constexpr unsigned kGlobal = 1;
constexpr std::uint64_t kLeastBytes = 256; // of copies that are worth asking for the next one
constexpr std::uint64_t kLeastAhead = 2048;

// Calls that become moves in the kernel, with room for what they ask for between them.
llvm::SmallVector<llvm::CallInst*, 4> known_copies(llvm::Function& body) {
  llvm::SmallVector<llvm::CallInst*, 4> copies;
  for (auto& instruction : llvm::instructions(body)) {
    auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    if (call == nullptr || call->getCalledFunction() == nullptr ||
        call->getCalledFunction()->getName() != kCopyBytes)
      continue;
    const auto* bytes = llvm::dyn_cast<llvm::ConstantInt>(call->getArgOperand(2));
    if (bytes != nullptr && bytes->getValue().uge(kLeastBytes) &&
        bytes->getValue().ule(kMaxPrefetchCopyBytes))
      copies.push_back(call);
  }
  return copies;
}

// What values in loops are some rounds later.
class LaterRounds {
 public:
  explicit LaterRounds(llvm::Function& body)
      : library_of_(llvm::Triple(body.getParent()->getTargetTriple())), library_(library_of_),
        assumptions_(body), tree_(body), loops_(tree_),
        evolution_(body, library_, assumptions_, tree_, loops_) {}

  // The copy's source so many rounds later, if there are as many; null if that is not known, or the
  // same place.
  llvm::Value* source(llvm::CallInst& copy, std::uint64_t rounds) {
    auto* now = copy.getArgOperand(1)->stripPointerCasts();
    loop_ = loops_.getLoopFor(copy.getParent());
    if (loop_ == nullptr || now->getType()->getPointerAddressSpace() != kGlobal || !is_known(*now))
      return nullptr;
    llvm::IRBuilder<> builder(&copy);
    made_.clear();
    rounds_ = rounds;
    auto* later = make(builder, *now);
    return later != now ? later : nullptr;
  }

 private:
  bool is_same(const llvm::Value& value) const {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    return instruction == nullptr || !loop_->contains(instruction);
  }

  // By how much the loop's variable grows each round.
  llvm::Value* step_of(llvm::PHINode& variable) {
    if (variable.getParent() != loop_->getHeader() || !evolution_.isSCEVable(variable.getType()))
      return nullptr;
    const auto* values = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution_.getSCEV(&variable));
    if (values == nullptr || values->getLoop() != loop_ || !values->isAffine())
      return nullptr;
    const auto* step = values->getStepRecurrence(evolution_);
    if (const auto* number = llvm::dyn_cast<llvm::SCEVConstant>(step))
      return number->getValue();
    const auto* value = llvm::dyn_cast<llvm::SCEVUnknown>(step);
    return value != nullptr ? value->getValue() : nullptr;
  }

  // Whether the value is made of a few instructions from the loop's variables and what is the same
  // in all rounds.
  bool is_known(llvm::Value& value, unsigned depth = 0) {
    constexpr unsigned kDeepest = 8;
    if (is_same(value))
      return true;
    if (depth == kDeepest)
      return false;
    if (auto* variable = llvm::dyn_cast<llvm::PHINode>(&value))
      return step_of(*variable) != nullptr;
    auto& instruction = llvm::cast<llvm::Instruction>(value);
    return llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::GetElementPtrInst>(instruction) &&
           !instruction.isIntDivRem() &&
           llvm::all_of(instruction.operands(),
                        [&](const auto& operand) { return is_known(*operand.get(), depth + 1); });
  }

  llvm::Value* make(llvm::IRBuilder<>& builder, llvm::Value& value) {
    if (is_same(value))
      return &value;
    if (auto* made = made_.lookup(&value))
      return made;
    if (auto* variable = llvm::dyn_cast<llvm::PHINode>(&value)) {
      auto* step = step_of(*variable);
      auto* distance = builder.CreateMul(step, llvm::ConstantInt::get(step->getType(), rounds_));
      auto* later = value.getType()->isPointerTy()
                        ? builder.CreateGEP(builder.getInt8Ty(), variable, distance)
                        : builder.CreateAdd(variable, distance);
      return made_[&value] = later;
    }
    auto& now = llvm::cast<llvm::Instruction>(value);
    llvm::SmallVector<llvm::Value*, 4> operands;
    for (auto& operand : now.operands())
      operands.push_back(make(builder, *operand.get()));
    if (llvm::equal(operands, now.operand_values())) // the same in all rounds
      return made_[&value] = &value;
    auto* copy = builder.Insert(now.clone(), "later");
    copy->dropPoisonGeneratingFlags(); // behind the last round it is no element's place
    for (auto [place, operand] : llvm::zip_equal(copy->operands(), operands))
      place.set(operand);
    return made_[&value] = copy;
  }

  llvm::TargetLibraryInfoImpl library_of_;
  llvm::TargetLibraryInfo library_;
  llvm::AssumptionCache assumptions_;
  llvm::DominatorTree tree_;
  llvm::LoopInfo loops_;
  llvm::ScalarEvolution evolution_;
  const llvm::Loop* loop_ = nullptr;
  std::uint64_t rounds_ = 1;
  llvm::DenseMap<llvm::Value*, llvm::Value*> made_;
};

llvm::Function& copy_and_fetch(llvm::Function& copy) {
  auto* next = llvm::PointerType::get(copy.getContext(), kGlobal);
  llvm::SmallVector<llvm::Type*, 4> types(copy.getFunctionType()->params());
  types.push_back(next);
  auto* type = llvm::FunctionType::get(copy.getReturnType(), types, false);
  auto* function = llvm::cast<llvm::Function>(
      copy.getParent()->getOrInsertFunction(kCopyAndFetch, type, copy.getAttributes()).getCallee());
  return *function;
}

} // namespace

static void insert_copy_prefetch(llvm::Function& body) {
  const auto copies = known_copies(body);
  if (copies.empty())
    return;
  LaterRounds later(body);
  for (auto* copy : copies) {
    const auto bytes = llvm::cast<llvm::ConstantInt>(copy->getArgOperand(2))->getZExtValue();
    auto* next = later.source(*copy, llvm::divideCeil(kLeastAhead, bytes));
    if (next == nullptr)
      continue;
    llvm::SmallVector<llvm::Value*, 4> arguments(copy->args());
    arguments.push_back(next);
    llvm::IRBuilder<> builder(copy);
    builder.CreateCall(&copy_and_fetch(*copy->getCalledFunction()), arguments);
    copy->eraseFromParent();
  }
}

llvm::PreservedAnalyses InsertCopyPrefetchPass::run(llvm::Function& function,
                                                    llvm::FunctionAnalysisManager& /*analyses*/) {
  insert_copy_prefetch(function);
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
