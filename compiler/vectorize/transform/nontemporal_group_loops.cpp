// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/transform/nontemporal_group_loops.h"

#include "compiler/ir/abi_builder.h"
#include "compiler/ir/address_space.h"
#include "compiler/ir/bounds_check.h"
#include "compiler/ir/subgroup_intrinsics.h"
#include "compiler/lower/inline_policy.h"
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
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

#include <optional>

namespace heddle::compiler {
namespace {

constexpr std::uint64_t kCacheLine = 64;
// Bytes that a launch must write at least; the limit of optimize/nontemporal_stores.h, which counts
// the bytes that it reads as well.
constexpr std::uint64_t kMinBytesWritten = std::uint64_t{32} << 20;
constexpr unsigned kMaxStores = 4;
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
  if (llvm::isa<llvm::StoreInst>(instruction) || is_bounds_check(instruction))
    return true;
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  const auto* callee = call == nullptr ? nullptr : call->getCalledFunction();
  if (callee == nullptr)
    return false;
  if (is_group_copy(*callee))
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

class NontemporalStores {
 public:
  NontemporalStores(llvm::Function& kernel, const VectorPlan& plan, const Bases& read)
      : kernel_(kernel), plan_(plan), read_(read), analyses_(kernel, plan), library_(names_),
        assumptions_(kernel),
        scev_(kernel, library_, assumptions_, analyses_.dominators, analyses_.loops) {}

  bool run(const UnmaskedLoop& unmasked) {
    auto* header = llvm::cast_or_null<llvm::BasicBlock>(unmasked.header);
    auto* loop = header == nullptr ? nullptr : analyses_.loops.getLoopFor(header);
    if (loop == nullptr || loop->getHeader() != header || loop->getLoopPreheader() == nullptr ||
        unmasked.limit == nullptr ||
        !analyses_.dominators.dominates(unmasked.limit, loop->getLoopPreheader()->getTerminator()))
      return false;
    llvm::SmallVector<llvm::StoreInst*, 4> stores;
    std::uint64_t bytes = 0;
    for (auto* block : loop->blocks())
      for (auto& instruction : *block)
        if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
            store != nullptr && fills_cache_lines(*store)) {
          stores.push_back(store);
          bytes += size_of(*store);
        }
    if (stores.empty() || stores.size() > kMaxStores)
      return false;
    auto* exceeds = emit_exceeds_caches(*loop, unmasked, bytes);
    for (auto* store : stores)
      add_nontemporal_version(*store, exceeds);
    return true;
  }

 private:
  std::uint64_t size_of(const llvm::StoreInst& store) const {
    return kernel_.getDataLayout().getTypeStoreSize(store.getValueOperand()->getType());
  }

  bool fills_cache_lines(const llvm::StoreInst& store) const {
    const auto* type = store.getValueOperand()->getType();
    const auto* base = llvm::getUnderlyingObject(store.getPointerOperand(), 0);
    return (type->isIntegerTy() || type->isFloatingPointTy()) &&
           store.getPointerAddressSpace() == kGlobal && llvm::isa<llvm::Argument>(base) &&
           !read_.contains(base) && size_of(store) * plan_.width % kCacheLine == 0 &&
           analyses_.shapes.stride(*store.getPointerOperand()) ==
               static_cast<std::int64_t>(size_of(store));
  }

  // Emits whether the launch writes more than kMinBytesWritten: the iterations of each row of each
  // group, times the trip counts of outer loops, times the bytes of an iteration.
  llvm::Value* emit_exceeds_caches(const llvm::Loop& loop, const UnmaskedLoop& unmasked,
                                   std::uint64_t bytes) {
    auto* at = loop.getLoopPreheader()->getTerminator();
    llvm::IRBuilder<> builder(at);
    AbiBuilder access(builder);
    auto* launch = access.launch_of(kernel_.getArg(kernel_.arg_size() - 4));
    auto* iterations = builder.CreateIntCast(unmasked.limit, access.word(), unmasked.is_signed);
    for (unsigned d = 0; d < 3; ++d)
      iterations = builder.CreateMul(
          iterations, access.launch_word(launch, offsetof(abi::Launch, global_size), d));
    for (const auto* outer = loop.getParentLoop(); outer != nullptr; outer = outer->getParentLoop())
      if (auto* count = emit_trip_count(*outer, *at))
        iterations = builder.CreateMul(iterations, count);
    auto* row = access.launch_word(launch, offsetof(abi::Launch, local_size));
    return builder.CreateICmpUGT(
        iterations, builder.CreateMul(row, builder.getInt64(kMinBytesWritten / bytes)));
  }

  // Emits the trip count; null if it cannot be computed at `at`.
  llvm::Value* emit_trip_count(const llvm::Loop& loop, llvm::Instruction& at) {
    const auto* backedges = scev_.getBackedgeTakenCount(&loop);
    auto* i64 = llvm::Type::getInt64Ty(kernel_.getContext());
    if (llvm::isa<llvm::SCEVCouldNotCompute>(backedges) ||
        scev_.getTypeSizeInBits(backedges->getType()) > 64)
      return nullptr;
    llvm::SCEVExpander expander(scev_, "trip.count");
    const auto* count =
        scev_.getAddExpr(scev_.getNoopOrZeroExtend(backedges, i64), scev_.getOne(i64));
    return expander.isSafeToExpandAt(count, &at) ? expander.expandCodeFor(count, i64, &at)
                                                 : nullptr;
  }

  static void add_nontemporal_version(llvm::StoreInst& store, llvm::Value* exceeds) {
    llvm::IRBuilder<> builder(&store);
    auto* address = emit_lane_0(
        builder, builder.CreatePtrToInt(store.getPointerOperand(), builder.getInt64Ty()));
    auto* is_aligned = builder.CreateICmpEQ(
        builder.CreateAnd(address, builder.getInt64(kCacheLine - 1)), builder.getInt64(0));
    llvm::Instruction *nontemporal_block = nullptr, *cached_block = nullptr;
    llvm::SplitBlockAndInsertIfThenElse(builder.CreateAnd(exceeds, is_aligned), &store,
                                        &nontemporal_block, &cached_block);
    auto* nontemporal = store.clone();
    nontemporal->insertBefore(nontemporal_block->getIterator());
    nontemporal->setMetadata(kLineAligned, llvm::MDNode::get(store.getContext(), {}));
    store.moveBefore(cached_block->getIterator());
  }

  llvm::Function& kernel_;
  const VectorPlan& plan_;
  const Bases& read_;
  Analyses analyses_;
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
      any |= NontemporalStores(kernel, plan, *read).run(loop);
  return any;
}

llvm::PreservedAnalyses
NontemporalGroupLoopsPass::run_on_kernel(Kernel& kernel,
                                         llvm::FunctionAnalysisManager& /*analyses*/) {
  auto& body = *kernel.body;
  if (kernel.plan->is_vectorized() && compilation_.target_info.has_nontemporal_stores)
    kernel.launch.has_nontemporal_loops =
        mark_nontemporal_group_loops(body, body_plan(kernel), kernel.plan->unmasked_loops);
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
