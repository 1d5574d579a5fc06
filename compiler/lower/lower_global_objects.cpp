// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/lower_global_objects.h"

#include "compiler/interface/metadata.h"
#include "compiler/ir/address_space.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

#include <cstddef>
#include <cstdint>
#include <tuple>

namespace heddle::compiler {
namespace {

using Functions = llvm::SmallVector<llvm::Function*, 8>;

// The functions of the list in the order of their priorities; removes the list.
Functions take_list(llvm::Module& module, const char* name, bool lowest_first) {
  struct Entry {
    std::uint64_t key;
    std::size_t position;
    llvm::Function* function;
  };
  llvm::SmallVector<Entry, 8> found;
  auto* list = module.getNamedGlobal(name);
  if (list == nullptr)
    return {};
  if (const auto* entries = llvm::dyn_cast<llvm::ConstantArray>(list->getInitializer()))
    for (const auto& entry : entries->operands()) {
      const auto* fields = llvm::dyn_cast<llvm::ConstantStruct>(entry.get());
      auto* function =
          fields != nullptr
              ? llvm::dyn_cast<llvm::Function>(fields->getOperand(1)->stripPointerCasts())
              : nullptr;
      if (function != nullptr && function->arg_empty()) {
        const auto priority = llvm::cast<llvm::ConstantInt>(fields->getOperand(0))->getZExtValue();
        found.push_back({lowest_first ? priority : ~priority, found.size(), function});
      }
    }
  list->eraseFromParent();
  llvm::sort(found, [](const Entry& a, const Entry& b) {
    return std::tie(a.key, a.position) < std::tie(b.key, b.position);
  });
  Functions functions;
  for (const auto& entry : found)
    functions.push_back(entry.function);
  return functions;
}

llvm::Function* make_kernel(llvm::Module& module, const char* name) {
  auto& context = module.getContext();
  auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), false);
  auto* kernel = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, 0, name, &module);
  kernel->setCallingConv(llvm::CallingConv::SPIR_KERNEL);
  kernel->addFnAttr(kGlobalObjectsAttribute);
  kernel->addFnAttr(llvm::Attribute::Convergent);
  kernel->addFnAttr(llvm::Attribute::NoUnwind);
  auto* one =
      llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), 1));
  kernel->setMetadata("reqd_work_group_size", llvm::MDNode::get(context, {one, one, one}));
  llvm::BasicBlock::Create(context, "entry", kernel);
  return kernel;
}

void add_call(llvm::IRBuilder<>& builder, llvm::Function& function) {
  builder.CreateCall(&function)->setCallingConv(function.getCallingConv());
}

// What is registered with atexit, by numbers.
class Registrations {
 public:
  explicit Registrations(llvm::Module& module) : module_(module) {
    auto* atexit = module.getFunction("atexit");
    if (atexit == nullptr || !atexit->isDeclaration())
      return;
    for (auto* user : atexit->users()) {
      auto* call = llvm::dyn_cast<llvm::CallInst>(user);
      auto* function = call != nullptr && call->arg_size() == 1
                           ? llvm::dyn_cast<llvm::Function>(call->getArgOperand(0))
                           : nullptr;
      if (function == nullptr || !function->arg_empty())
        continue;
      calls_.push_back(call);
      functions_.push_back(function);
    }
    std::ranges::reverse(calls_); // users are listed backwards
    std::ranges::reverse(functions_);
  }
  bool empty() const { return calls_.empty(); }

  void lower() {
    auto* number = llvm::Type::getInt32Ty(module_.getContext());
    count_ = make_variable(number, "heddle.destructor.count");
    // The last place is for what is registered twice: two work-items may construct an object whose
    // guard a fault of another one has unlocked.
    order_ =
        make_variable(llvm::ArrayType::get(number, calls_.size() + 1), "heddle.destructor.order");
    for (const auto& [index, call] : llvm::enumerate(calls_)) {
      llvm::IRBuilder<> builder(call);
      auto* place = builder.CreateAtomicRMW(llvm::AtomicRMWInst::Add, count_, builder.getInt32(1),
                                            llvm::Align(4), llvm::AtomicOrdering::Monotonic);
      builder.CreateStore(builder.getInt32(static_cast<std::uint32_t>(index)),
                          place_of(builder, at_most_all(builder, place)));
      call->replaceAllUsesWith(llvm::Constant::getNullValue(call->getType()));
      call->eraseFromParent();
    }
  }

  // Calls the functions from the one that was registered last to the first.
  void add_calls(llvm::IRBuilder<>& builder) {
    auto& context = module_.getContext();
    auto* kernel = builder.GetInsertBlock()->getParent();
    auto* entry = builder.GetInsertBlock();
    auto* loop = llvm::BasicBlock::Create(context, "loop", kernel);
    auto* next = llvm::BasicBlock::Create(context, "next", kernel);
    auto* done = llvm::BasicBlock::Create(context, "done", kernel);
    auto* count = at_most_all(builder, builder.CreateLoad(builder.getInt32Ty(), count_));
    builder.CreateBr(loop);
    builder.SetInsertPoint(loop);
    auto* left = builder.CreatePHI(builder.getInt32Ty(), 2);
    left->addIncoming(count, entry);
    builder.CreateCondBr(builder.CreateIsNull(left), done, next);
    builder.SetInsertPoint(next);
    auto* place = builder.CreateSub(left, builder.getInt32(1));
    auto* index = builder.CreateLoad(builder.getInt32Ty(), place_of(builder, place));
    auto* latch = llvm::BasicBlock::Create(context, "latch", kernel);
    auto* choice = builder.CreateSwitch(index, latch, functions_.size());
    for (const auto& [number, function] : llvm::enumerate(functions_)) {
      auto* block = llvm::BasicBlock::Create(context, "destroy", kernel, latch);
      choice->addCase(builder.getInt32(static_cast<std::uint32_t>(number)), block);
      builder.SetInsertPoint(block);
      add_call(builder, *function);
      builder.CreateBr(latch);
    }
    builder.SetInsertPoint(latch);
    left->addIncoming(place, latch);
    builder.CreateBr(loop);
    builder.SetInsertPoint(done);
  }

 private:
  llvm::GlobalVariable* make_variable(llvm::Type* type, const char* name) {
    auto* variable =
        new llvm::GlobalVariable(module_, type, false, llvm::GlobalValue::InternalLinkage,
                                 llvm::Constant::getNullValue(type), name, nullptr,
                                 llvm::GlobalValue::NotThreadLocal, kGlobal);
    variable->setAlignment(llvm::Align(4));
    return variable;
  }
  llvm::Value* at_most_all(llvm::IRBuilder<>& builder, llvm::Value* count) const {
    return builder.CreateBinaryIntrinsic(
        llvm::Intrinsic::umin, count,
        builder.getInt32(static_cast<std::uint32_t>(functions_.size())));
  }
  llvm::Value* place_of(llvm::IRBuilder<>& builder, llvm::Value* index) {
    return builder.CreateInBoundsGEP(builder.getInt32Ty(), order_,
                                     builder.CreateZExt(index, builder.getInt64Ty()));
  }

  llvm::Module& module_;
  llvm::SmallVector<llvm::CallInst*, 8> calls_;
  Functions functions_;
  llvm::GlobalVariable* count_ = nullptr;
  llvm::GlobalVariable* order_ = nullptr;
};

} // namespace

llvm::PreservedAnalyses LowerGlobalObjectsPass::run(llvm::Module& module,
                                                    llvm::ModuleAnalysisManager& /*analyses*/) {
  const auto constructors = take_list(module, "llvm.global_ctors", true);
  const auto destructors = take_list(module, "llvm.global_dtors", false);
  Registrations registrations(module);
  if (auto* used = module.getNamedGlobal("llvm.used"))
    used->eraseFromParent();
  if (!constructors.empty()) {
    llvm::IRBuilder<> builder(&make_kernel(module, kInitializerKernel)->getEntryBlock());
    for (auto* function : constructors)
      add_call(builder, *function);
    builder.CreateRetVoid();
  }
  if (!destructors.empty() || !registrations.empty()) {
    llvm::IRBuilder<> builder(&make_kernel(module, kFinalizerKernel)->getEntryBlock());
    if (!registrations.empty()) {
      registrations.lower();
      registrations.add_calls(builder);
    }
    for (auto* function : destructors)
      add_call(builder, *function);
    builder.CreateRetVoid();
  }
  return constructors.empty() && destructors.empty() && registrations.empty()
             ? llvm::PreservedAnalyses::all()
             : llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
