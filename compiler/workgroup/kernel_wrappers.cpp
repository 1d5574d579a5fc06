// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/workgroup/kernel_wrappers.h"

#include "compiler/ir/fault_markers.h"
#include "compiler/ir/unchecked_kernel.h"
#include "compiler/optimize/nontemporal_stores.h"
#include "compiler/target/architecture.h"
#include "compiler/target/instructions.h"
#include "compiler/workgroup/emit_region_loops.h"
#include "compiler/workgroup/fiber_entry.h"
#include "compiler/workgroup/sub_group_loops.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/TargetParser/Triple.h"

namespace heddle::compiler {
namespace {

using abi::Group;
using abi::Launch;
using abi::Worker;

// Code generation calls functions of these names: a kernel of the same name would be called
// instead.
bool is_reserved(llvm::StringRef name) {
  static const llvm::TargetLibraryInfoImpl info{architecture::triple()};
  llvm::LibFunc function;
  return info.getLibFunc(name, function) || name.starts_with("heddle_") || name == "roundeven" ||
         name == "roundevenf";
}

// Makes the function NAME(launch, first, last, worker), which runs groups of one row of groups.
class GroupLoop {
 public:
  // `unchecked`: the kernel that runs instead if this one's order condition holds, or null.
  GroupLoop(WrapperBuilder& wrapper, const Kernel* unchecked)
      : wrapper_(wrapper), kernel_(wrapper.kernel()), unchecked_(unchecked),
        builder_(wrapper.builder()), abi_(wrapper.abi()) {}

  void make(const llvm::Twine& name) {
    auto* pointer = abi_.pointer();
    auto* made = wrapper_.begin_function({pointer, abi_.word(), abi_.word(), pointer}, name);
    if (is_unchecked_kernel(kernel_))
      set_unchecked_entry(kernel_, *made);
    else
      kernel_.entry = made;
    launch_ = made->getArg(0);
    worker_ = made->getArg(3);
    auto* first = made->getArg(1);
    auto* last = made->getArg(2);
    launch_->setName("launch");
    first->setName("first_group");
    last->setName("last_group");
    worker_->setName("worker");
    auto& context = builder_.getContext();
    for (auto* argument : {launch_, worker_}) {
      // No pointer of the program aliases them; fault markers are volatile stores.
      argument->addAttr(llvm::Attribute::NoAlias);
      argument->addAttr(llvm::Attribute::NonNull);
      argument->addAttr(llvm::Attribute::NoUndef);
      argument->addAttr(llvm::Attribute::getWithAlignment(context, llvm::Align(8)));
    }
    launch_->addAttr(llvm::Attribute::getWithDereferenceableBytes(context, sizeof(Launch)));
    worker_->addAttr(llvm::Attribute::getWithDereferenceableBytes(context, sizeof(Worker)));
    emit_body(first, last);
  }

 private:
  void emit_body(llvm::Value* first, llvm::Value* last) {
    group_ = builder_.CreateAlloca(llvm::ArrayType::get(abi_.word(), sizeof(Group) / 8), nullptr,
                                   "group");
    group_->setAlignment(llvm::Align(16));
    auto* local_memory = abi_.load_invariant(worker_, offsetof(Worker, local_memory),
                                             abi_.local_pointer(), "local_memory");
    builder_.CreateStore(launch_, abi_.field(group_, offsetof(Group, launch)));
    builder_.CreateStore(worker_, abi_.field(group_, offsetof(Group, worker)));
    builder_.CreateStore(local_memory, abi_.field(group_, offsetof(Group, local_memory)));
    WrapperBuilder::Arguments arguments;
    if (!kernel_.metadata.uses_fibers())
      arguments = wrapper_.load_arguments(launch_, local_memory);
    llvm::Value* size[3] = {nullptr, load_size(1), load_size(2)};
    for (unsigned d = 1; d < 3; ++d) {
      auto* id = abi_.load_invariant(worker_, offsetof(Worker, current_group) + 8 * d, abi_.word(),
                                     "group_id");
      builder_.CreateStore(id, abi_.field(group_, offsetof(Group, group_id) + 8 * d));
      builder_.CreateStore(size[d], abi_.field(group_, offsetof(Group, local_size) + 8 * d));
    }
    if (unchecked_ != nullptr)
      emit_unchecked(arguments, first, last);
    auto* global_size = abi_.launch_word(launch_, offsetof(Launch, global_size));
    auto* enqueued_size = load_enqueued_size();
    auto* max_coalesced = load_max_coalesced();
    auto* preheader = builder_.GetInsertBlock();
    auto* header = wrapper_.block("group");
    builder_.CreateBr(header);
    builder_.SetInsertPoint(header);
    auto* id = builder_.CreatePHI(abi_.word(), 2, "group_id");
    id->addIncoming(first, preheader);
    auto* coalesced = max_coalesced == nullptr
                          ? builder_.getInt64(1)
                          : builder_.CreateBinaryIntrinsic(
                                llvm::Intrinsic::umin, builder_.CreateSub(last, id), max_coalesced);
    size[0] = builder_.CreateMul(enqueued_size, coalesced);
    if (!kernel_.specialization.has_whole_groups)
      size[0] = builder_.CreateBinaryIntrinsic(
          llvm::Intrinsic::umin,
          builder_.CreateSub(global_size, builder_.CreateMul(id, enqueued_size)), size[0]);
    builder_.CreateStore(id, abi_.field(group_, offsetof(Group, group_id)));
    builder_.CreateStore(size[0], abi_.field(group_, offsetof(Group, local_size)));
    emit_fault_marker(builder_, id, abi_.field(worker_, offsetof(Worker, current_group)));
    emit_fault_marker(builder_, size[0], abi_.field(worker_, offsetof(Worker, current_row)));
    if (kernel_.has_local_shadow)
      mark_local_memory(local_memory);
    run_group({arguments, group_, worker_, {size[0], size[1], size[2]}});

    auto* next = builder_.CreateNUWAdd(id, coalesced);
    id->addIncoming(next, builder_.GetInsertBlock());
    auto* finish = wrapper_.block("finish");
    wrapper_.loops().keep_rolled(
        builder_.CreateCondBr(builder_.CreateICmpULT(next, last), header, finish));
    builder_.SetInsertPoint(finish);
    emit_store_fence();
    builder_.CreateRetVoid();
  }

  // Nothing of the group's local memory is written yet.
  void mark_local_memory(llvm::Value* local_memory) {
    builder_.CreateMemSet(
        builder_.CreateConstGEP1_64(builder_.getInt8Ty(), local_memory, abi::kLocalShadow),
        builder_.getInt8(0xff),
        abi_.load_invariant(launch_, offsetof(Launch, unwritten_local_bytes), abi_.word()),
        llvm::Align(1));
  }

  void emit_unchecked(WrapperBuilder::Arguments arguments, llvm::Value* first, llvm::Value* last) {
    arguments.append({group_, builder_.getInt64(0), builder_.getInt64(0), builder_.getInt64(0)});
    auto* unchecked = wrapper_.block("unchecked");
    auto* checked = wrapper_.block("checked");
    builder_.CreateCondBr(builder_.CreateCall(order_condition(kernel_), arguments), unchecked,
                          checked);
    builder_.SetInsertPoint(unchecked);
    builder_.CreateCall(unchecked_->entry, {launch_, first, last, worker_});
    builder_.CreateRetVoid();
    builder_.SetInsertPoint(checked);
  }

  // The actual size in y or z, which is at most the required one.
  llvm::Value* load_size(unsigned d) {
    const auto required = kernel_.local_size[d];
    if (required == 1 || kernel_.specialization.has_whole_groups)
      return builder_.getInt64(required);
    constexpr auto kStride = offsetof(Worker, local_size_z) - offsetof(Worker, local_size_y);
    auto* size = abi_.load_invariant(worker_, offsetof(Worker, local_size_y) + (d - 1) * kStride,
                                     abi_.word(), d == 1 ? "size_y" : "size_z");
    if (required == 0)
      return size;
    return builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, size, builder_.getInt64(required));
  }

  // The enqueued local size in x: a constant if the program requires it.
  llvm::Value* load_enqueued_size() {
    if (kernel_.local_size[0] != 0)
      return builder_.getInt64(kernel_.local_size[0]);
    return abi_.launch_word(launch_, offsetof(Launch, local_size));
  }

  // The number of groups that may run as one. Together they have no more work-items in x than one
  // group may have, on which passes rely. Null: none may.
  llvm::Value* load_max_coalesced() {
    switch (kernel_.launch.coalescing) {
    case GroupCoalescing::none:
      return nullptr;
    case GroupCoalescing::all:
      return abi_.load_invariant(launch_, offsetof(Launch, merged_groups), abi_.word(),
                                 "merged_groups");
    case GroupCoalescing::single_rows:
      return abi_.load_invariant(launch_, offsetof(Launch, merged_rows), abi_.word(),
                                 "merged_rows");
    }
    return nullptr;
  }

  void run_group(const GroupValues& values) {
    if (kernel_.metadata.uses_fibers())
      run_on_fibers(values);
    else if (kernel_.metadata.has_barrier)
      emit_region_loops(builder_, kernel_, values);
    else
      emit_sub_group_loops(wrapper_, values);
  }

  void run_on_fibers(const GroupValues& values) {
    auto* run = abi_.load_invariant(worker_, offsetof(Worker, run_fibers), abi_.pointer());
    auto* type = llvm::FunctionType::get(builder_.getVoidTy(),
                                         {abi_.pointer(), abi_.pointer(), abi_.word()}, false);
    auto* count = emit_fiber_count(wrapper_, values.size);
    builder_.CreateCall(type, run, {group_, kernel_.fiber_entry, count});
  }

  // Non-temporal stores are not ordered with the stores that signal the end of the launch.
  void emit_store_fence() {
    if (kernel_.launch.nontemporal_bytes == 0)
      return;
    auto* fence = wrapper_.block("fence");
    auto* done = wrapper_.block("done");
    builder_.CreateCondBr(emit_exceeds_caches(builder_, launch_, kernel_.launch.nontemporal_bytes),
                          fence, done);
    builder_.SetInsertPoint(fence);
    target_instructions::emit_store_fence(builder_);
    builder_.CreateBr(done);
    builder_.SetInsertPoint(done);
  }

  WrapperBuilder& wrapper_;
  Kernel& kernel_;
  const Kernel* const unchecked_;
  llvm::IRBuilder<>& builder_;
  AbiBuilder& abi_;
  llvm::Argument* launch_ = nullptr;
  llvm::Argument* worker_ = nullptr;
  llvm::AllocaInst* group_ = nullptr;
};

void make_wrappers(llvm::Module& module, Kernels& kernels, Kernel& kernel) {
  if (kernel.entry != nullptr)
    return;
  auto* unchecked = unchecked_kernel(kernels, kernel);
  if (unchecked != nullptr)
    make_wrappers(module, kernels, *unchecked);
  std::string name = kernel.metadata.name;
  if (is_reserved(name))
    name += ".cl";
  WrapperBuilder wrapper(module, kernel);
  if (kernel.metadata.uses_fibers()) {
    make_fiber_entry(wrapper, name);
    GroupLoop(wrapper, nullptr).make(name + ".groups");
  } else {
    GroupLoop(wrapper, unchecked).make(name);
  }
  kernel.body->setLinkage(llvm::GlobalValue::InternalLinkage);
}

void make_table(llvm::Module& module, const Kernels& kernels) {
  auto* pointer = llvm::PointerType::get(module.getContext(), 0);
  llvm::SmallVector<llvm::Constant*, 8> entries;
  for (const auto& kernel : kernels)
    if (!is_unchecked_kernel(kernel))
      entries.push_back(kernel.entry);
  auto* type = llvm::ArrayType::get(pointer, entries.size());
  new llvm::GlobalVariable(module, type, true, llvm::GlobalValue::ExternalLinkage,
                           llvm::ConstantArray::get(type, entries), abi::kKernelTableSymbol,
                           nullptr, llvm::GlobalValue::NotThreadLocal, 0U);
} // NOLINT(clang-analyzer-cplusplus.NewDeleteLeaks): the module owns the table

} // namespace

llvm::PreservedAnalyses MakeKernelWrappersPass::run(llvm::Module& module,
                                                    llvm::ModuleAnalysisManager& /*analyses*/) {
  auto& kernels = compilation_.kernels;
  // Rename functions and variables of the program whose names are needed here.
  for (auto& function : module)
    if (!function.isDeclaration() && is_reserved(function.getName()))
      function.setName(function.getName() + ".cl");
  for (auto& kernel : kernels)
    if (auto* other = module.getNamedValue(kernel.metadata.name))
      other->setName(kernel.metadata.name + ".cl");
  for (auto& kernel : kernels)
    make_wrappers(module, kernels, kernel);
  make_table(module, kernels);
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
