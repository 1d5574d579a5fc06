#include "compiler/vectorize/transform/nontemporal_group_loops.h"

#include "compiler/ir/abi_builder.h"
#include "compiler/ir/subgroup_intrinsics.h"
#include "compiler/lower/lower_barriers.h"
#include "compiler/vectorize/analysis/analyses.h"
#include "compiler/vectorize/analysis/group_strided_loop.h"
#include "compiler/vectorize/analysis/vectorization_plan.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

#include <optional>

namespace heddle::compiler {
namespace {

constexpr std::uint64_t kLine = 64;
// Bytes that a launch must write at least; the limit of optimize/nontemporal_stores.h, which counts
// the bytes that it reads as well.
constexpr std::uint64_t kCaches = std::uint64_t{32} << 20;
constexpr unsigned kMostStores = 4;
constexpr unsigned kGlobal = 1, kConstant = 2, kGeneric = 4;

using Bases = llvm::SmallPtrSet<const llvm::Value*, 4>;

bool may_be_global(const llvm::Value& base) {
  const auto space = base.getType()->getPointerAddressSpace();
  return space == kGlobal || space == kGeneric;
}

// Adds the arguments through which an instruction reads global memory. False if it reads through
// other pointers, or may be an atomic, volatile or unknown operation, by which other work-items
// could wait for stores.
bool add_read(const llvm::Instruction& instruction, Bases& read) {
  const auto add = [&](const llvm::Value* pointer) {
    llvm::SmallVector<const llvm::Value*, 2>
        bases; // two if a tile was forwarded from global memory
    llvm::getUnderlyingObjects(pointer, bases, nullptr, 0);
    return llvm::all_of(bases, [&](const llvm::Value* base) {
      if (!may_be_global(*base))
        return true;
      read.insert(base);
      return llvm::isa<llvm::Argument>(base);
    });
  };
  if (instruction.isVolatile() || instruction.isAtomic())
    return false;
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return load->getPointerAddressSpace() == kConstant || add(load->getPointerOperand());
  if (llvm::isa<llvm::StoreInst>(instruction))
    return true;
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  const auto* callee = call == nullptr ? nullptr : call->getCalledFunction();
  if (callee == nullptr)
    return false;
  if (callee->getName().starts_with("__heddle_call_once_copy"))
    return add(call->getArgOperand(1));
  return is_barrier(*callee) || is_subgroup_intrinsic(callee->getName()) ||
         llvm::isa<llvm::AssumeInst, llvm::LifetimeIntrinsic, llvm::NoAliasScopeDeclInst,
                   llvm::PseudoProbeInst>(instruction);
}

// The arguments through which the kernel reads; nothing if they are not known.
std::optional<Bases> arguments_read(const llvm::Function& kernel) {
  Bases read;
  for (const auto& instruction : llvm::instructions(kernel))
    if (instruction.mayReadOrWriteMemory() && !add_read(instruction, read))
      return std::nullopt;
  return read;
}

class StreamRounds {
 public:
  StreamRounds(llvm::Function& kernel, const VectorPlan& plan, const Bases& read)
      : kernel_(kernel), plan_(plan), read_(read), now_(kernel, plan), library_(names_),
        assumptions_(kernel), scev_(kernel, library_, assumptions_, now_.dominators, now_.loops) {}

  bool run(const UnmaskedLoop& whole) {
    auto* header = llvm::cast_or_null<llvm::BasicBlock>(whole.header);
    auto* loop = header == nullptr ? nullptr : now_.loops.getLoopFor(header);
    if (loop == nullptr || loop->getHeader() != header || loop->getLoopPreheader() == nullptr ||
        whole.limit == nullptr ||
        !now_.dominators.dominates(whole.limit, loop->getLoopPreheader()->getTerminator()))
      return false;
    llvm::SmallVector<llvm::StoreInst*, 4> stores;
    std::uint64_t bytes = 0;
    for (auto* block : loop->blocks())
      for (auto& instruction : *block)
        if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
            store != nullptr && fills_lines(*store)) {
          stores.push_back(store);
          bytes += size_of(*store);
        }
    if (stores.empty() || stores.size() > kMostStores)
      return false;
    auto* exceeds = emit_exceeds(*loop, whole, bytes);
    for (auto* store : stores)
      stream(*store, exceeds);
    return true;
  }

 private:
  std::uint64_t size_of(const llvm::StoreInst& store) const {
    return kernel_.getDataLayout().getTypeStoreSize(store.getValueOperand()->getType());
  }

  bool fills_lines(const llvm::StoreInst& store) const {
    const auto* type = store.getValueOperand()->getType();
    const auto* base = llvm::getUnderlyingObject(store.getPointerOperand(), 0);
    return (type->isIntegerTy() || type->isFloatingPointTy()) &&
           store.getPointerAddressSpace() == kGlobal && llvm::isa<llvm::Argument>(base) &&
           !read_.contains(base) && size_of(store) * plan_.width % kLine == 0 &&
           now_.shapes.stride(*store.getPointerOperand()) ==
               static_cast<std::int64_t>(size_of(store));
  }

  // Emits whether the launch writes more than kCaches: the iterations of each row of each group,
  // times the trip counts of outer loops, times the bytes of an iteration.
  llvm::Value* emit_exceeds(const llvm::Loop& loop, const UnmaskedLoop& whole,
                            std::uint64_t bytes) {
    auto* at = loop.getLoopPreheader()->getTerminator();
    llvm::IRBuilder<> builder(at);
    AbiBuilder access(builder);
    auto* launch = access.launch_of(kernel_.getArg(kernel_.arg_size() - 4));
    auto* rounds = builder.CreateIntCast(whole.limit, access.word(), whole.is_signed);
    for (unsigned d = 0; d < 3; ++d)
      rounds = builder.CreateMul(rounds,
                                 access.launch_word(launch, offsetof(abi::Launch, global_size), d));
    for (const auto* around = loop.getParentLoop(); around != nullptr;
         around = around->getParentLoop())
      if (auto* count = emit_rounds_of(*around, *at))
        rounds = builder.CreateMul(rounds, count);
    auto* row = access.launch_word(launch, offsetof(abi::Launch, local_size));
    return builder.CreateICmpUGT(rounds, builder.CreateMul(row, builder.getInt64(kCaches / bytes)));
  }

  // Emits the trip count; null if it cannot be computed at `at`.
  llvm::Value* emit_rounds_of(const llvm::Loop& loop, llvm::Instruction& at) {
    const auto* more = scev_.getBackedgeTakenCount(&loop);
    auto* word = llvm::Type::getInt64Ty(kernel_.getContext());
    if (llvm::isa<llvm::SCEVCouldNotCompute>(more) || scev_.getTypeSizeInBits(more->getType()) > 64)
      return nullptr;
    llvm::SCEVExpander expander(scev_, "rounds");
    const auto* count = scev_.getAddExpr(scev_.getNoopOrZeroExtend(more, word), scev_.getOne(word));
    return expander.isSafeToExpandAt(count, &at) ? expander.expandCodeFor(count, word, &at)
                                                 : nullptr;
  }

  static void stream(llvm::StoreInst& store, llvm::Value* exceeds) {
    llvm::IRBuilder<> builder(&store);
    auto* address =
        lane_0(builder, builder.CreatePtrToInt(store.getPointerOperand(), builder.getInt64Ty()));
    auto* is_line = builder.CreateICmpEQ(builder.CreateAnd(address, builder.getInt64(kLine - 1)),
                                         builder.getInt64(0));
    llvm::Instruction *past = nullptr, *plain = nullptr;
    llvm::SplitBlockAndInsertIfThenElse(builder.CreateAnd(exceeds, is_line), &store, &past, &plain);
    auto* streamed = store.clone();
    streamed->insertBefore(past->getIterator());
    streamed->setMetadata(kWholeLine, llvm::MDNode::get(store.getContext(), {}));
    store.moveBefore(plain->getIterator());
  }

  llvm::Function& kernel_;
  const VectorPlan& plan_;
  const Bases& read_;
  Analyses now_;
  llvm::TargetLibraryInfoImpl names_{kernel_.getParent()->getTargetTriple()};
  llvm::TargetLibraryInfo library_;
  llvm::AssumptionCache assumptions_;
  llvm::ScalarEvolution scev_;
};

} // namespace

static bool mark_nontemporal_group_loops(llvm::Function& kernel, const VectorPlan& plan,
                                         const UnmaskedLoops& loops) {
  if (loops.empty() || plan.rows != 1)
    return false;
  const auto read = arguments_read(kernel);
  bool any = false;
  if (read)
    for (const auto& loop : loops)
      any |= StreamRounds(kernel, plan, *read).run(loop);
  return any;
}

llvm::PreservedAnalyses
NontemporalGroupLoopsPass::run(llvm::Function& body, llvm::FunctionAnalysisManager& /*analyses*/) {
  auto& kernel = compilation_.kernel_of(body);
  if (kernel.plan->is_vectorized() && compilation_.target_info.has_avx2)
    kernel.launch.has_nontemporal_loops =
        mark_nontemporal_group_loops(body, body_plan(kernel), kernel.plan->unmasked_loops);
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
