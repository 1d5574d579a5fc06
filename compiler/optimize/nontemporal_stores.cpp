// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/optimize/nontemporal_stores.h"

#include "compiler/ir/abi_builder.h"
#include "compiler/ir/address_space.h"
#include "compiler/ir/work_item_params.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace heddle::compiler {
namespace {

constexpr std::uint64_t kLine = 64;
// Virtual machines report the caches of all processors of their host; one core rarely has more.
constexpr std::uint64_t kCaches = std::uint64_t{48} << 20;
constexpr unsigned kMaxStores = 4;
bool has_loops(const llvm::Function& function) {
  llvm::SmallVector<std::pair<const llvm::BasicBlock*, const llvm::BasicBlock*>, 4> edges;
  llvm::FindFunctionBackedges(function, edges);
  return !edges.empty();
}

struct Traffic {
  llvm::SmallVector<llvm::StoreInst*, 4> stores; // of whole lines
  std::uint64_t bytes = 0;                       // with what is loaded
};

// Empty if the function accesses memory in any other way than by loads and stores of full vectors,
// the latter to arguments that it does not load from. `tail` does the same for sub-groups at the
// edge.
Traffic traffic_of(llvm::Function& function, const llvm::Function* tail) {
  Traffic traffic;
  llvm::SmallPtrSet<const llvm::Value*, 4> loaded;
  for (auto& instruction : llvm::instructions(function)) {
    const auto* address = llvm::getLoadStorePointerOperand(&instruction);
    if (address == nullptr) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      const bool is_tail = call != nullptr && tail != nullptr && call->getCalledFunction() == tail;
      if (instruction.mayReadOrWriteMemory() && !is_tail &&
          !llvm::isa<llvm::PseudoProbeInst, llvm::AssumeInst>(instruction))
        return {};
      continue;
    }
    if (address->getType()->getPointerAddressSpace() != kGlobal)
      continue;
    const auto* type = llvm::getLoadStoreType(&instruction);
    const auto bytes = function.getDataLayout().getTypeStoreSize(const_cast<llvm::Type*>(type));
    if (instruction.isVolatile() || instruction.isAtomic())
      return {};
    if (type->isVectorTy())
      traffic.bytes += bytes;
    const auto* base = llvm::getUnderlyingObject(address);
    auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
    if (store == nullptr)
      loaded.insert(base);
    else if (type->isVectorTy() && bytes % kLine == 0 && llvm::isa<llvm::Argument>(base))
      traffic.stores.push_back(store);
  }
  llvm::erase_if(traffic.stores, [&](const llvm::StoreInst* store) {
    return loaded.contains(llvm::getUnderlyingObject(store->getPointerOperand()));
  });
  return traffic;
}

void stream(llvm::StoreInst& store, llvm::Value* exceeds) {
  llvm::IRBuilder<> builder(&store);
  auto* address = builder.CreatePtrToInt(store.getPointerOperand(), builder.getInt64Ty());
  auto* is_line = builder.CreateICmpEQ(builder.CreateAnd(address, builder.getInt64(kLine - 1)),
                                       builder.getInt64(0));
  llvm::Instruction *past = nullptr, *plain = nullptr;
  llvm::SplitBlockAndInsertIfThenElse(builder.CreateAnd(exceeds, is_line), &store, &past, &plain);
  auto* streamed = llvm::cast<llvm::StoreInst>(store.clone());
  streamed->insertBefore(past->getIterator());
  streamed->setAlignment(llvm::Align(kLine));
  streamed->setMetadata(
      llvm::LLVMContext::MD_nontemporal,
      llvm::MDNode::get(store.getContext(), llvm::ConstantAsMetadata::get(builder.getInt32(1))));
  store.moveBefore(plain->getIterator());
}

} // namespace

static void mark_nontemporal_stores(Kernel& kernel, const TargetInfo& target) {
  auto* whole = kernel.variant(VariantKind::whole);
  if (whole == nullptr || kernel.metadata.has_barrier || kernel.variants.has(VariantKind::block) ||
      !target.has_nontemporal_stores || has_loops(*whole))
    return;
  const auto traffic = traffic_of(*whole, kernel.variant(VariantKind::tail));
  if (traffic.stores.empty() || traffic.stores.size() > kMaxStores)
    return;
  kernel.launch.nontemporal_bytes = traffic.bytes / kernel.metadata.vector_width;
  auto* group = whole->getArg(whole->arg_size() - 4);
  llvm::IRBuilder<> builder(&*whole->getEntryBlock().getFirstInsertionPt());
  auto* exceeds = emit_exceeds_caches(builder, AbiBuilder(builder).launch_of(group),
                                      kernel.launch.nontemporal_bytes);
  for (auto* store : traffic.stores)
    stream(*store, exceeds);
}

llvm::Value* emit_exceeds_caches(llvm::IRBuilderBase& builder, llvm::Value* launch,
                                 std::uint64_t streamed) {
  AbiBuilder access(builder);
  llvm::Value* items = nullptr;
  for (unsigned d = 0; d < 3; ++d) {
    auto* size = access.launch_word(launch, offsetof(abi::Launch, global_size), d);
    items = items == nullptr ? size : builder.CreateMul(items, size);
  }
  return builder.CreateICmpUGT(items, builder.getInt64(kCaches / streamed));
}

llvm::PreservedAnalyses NontemporalStoresPass::run(llvm::Module& /*module*/,
                                                   llvm::ModuleAnalysisManager& /*analyses*/) {
  for (auto& kernel : compilation_.kernels)
    mark_nontemporal_stores(kernel, compilation_.target_info);
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
