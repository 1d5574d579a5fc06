// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/check_accesses.h"

#include "compiler/interface/check_record.h"
#include "compiler/ir/address_space.h"
#include "compiler/ir/work_item_params.h"
#include "compiler/lower/checked_calls.h"
#include "compiler/support/source_place.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Local.h"

namespace heddle::compiler {
namespace {

using abi::CheckedCall;

struct Access {
  CheckedCall kind;
  llvm::Value* pointer;
  llvm::Value* bytes; // an integer
  llvm::Align alignment;
};

bool has_checked_bounds(const llvm::Value& pointer) {
  const auto space = pointer.getType()->getPointerAddressSpace();
  const auto* object = llvm::getUnderlyingObject(&pointer, 0);
  return space != kPrivate && !llvm::isa<llvm::GlobalVariable, llvm::AllocaInst>(object) &&
         (space != kLocal || llvm::isa<llvm::Argument>(object));
}

class Checker {
 public:
  explicit Checker(llvm::Module& module) : module_(module), function_(check_function(module)) {}

  void run(llvm::Function& function) {
    for (auto& block : function) {
      checked_.clear();
      for (auto& instruction : llvm::make_early_inc_range(block))
        for (auto access : accesses(instruction)) {
          if (!has_checked_bounds(*access.pointer)) {
            if (is_aligned(access))
              continue;
            access.bytes = llvm::ConstantInt::get(access.bytes->getType(), 0);
          }
          if (!is_known(access))
            insert(access, instruction);
        }
    }
  }

 private:
  llvm::SmallVector<Access, 2> accesses(llvm::Instruction& instruction) const {
    auto* wide = llvm::Type::getInt64Ty(module_.getContext());
    const auto bytes_of = [&](llvm::Type* type) {
      return llvm::ConstantInt::get(wide, module_.getDataLayout().getTypeStoreSize(type));
    };
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
      return {{CheckedCall::load, load->getPointerOperand(), bytes_of(load->getType()),
               load->getAlign()}};
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
      return {{CheckedCall::store, store->getPointerOperand(),
               bytes_of(store->getValueOperand()->getType()), store->getAlign()}};
    if (auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
      return {{CheckedCall::atomic, update->getPointerOperand(), bytes_of(update->getType()),
               update->getAlign()}};
    if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
      return {{CheckedCall::atomic, exchange->getPointerOperand(),
               bytes_of(exchange->getNewValOperand()->getType()), exchange->getAlign()}};
    if (auto* copy = llvm::dyn_cast<llvm::AnyMemTransferInst>(&instruction))
      return {{CheckedCall::load, copy->getRawSource(), copy->getLength(),
               copy->getSourceAlign().valueOrOne()},
              {CheckedCall::store, copy->getRawDest(), copy->getLength(),
               copy->getDestAlign().valueOrOne()}};
    if (auto* fill = llvm::dyn_cast<llvm::AnyMemSetInst>(&instruction))
      return {{CheckedCall::store, fill->getRawDest(), fill->getLength(),
               fill->getDestAlign().valueOrOne()}};
    return {};
  }

  bool is_aligned(const Access& access) const {
    return access.pointer->getType()->getPointerAddressSpace() == kPrivate ||
           llvm::getKnownAlignment(access.pointer, module_.getDataLayout()) >= access.alignment;
  }

  // Whether the block has checked as many bytes and as much alignment there before; notes them
  // otherwise.
  bool is_known(const Access& access) {
    const auto* bytes = llvm::dyn_cast<llvm::ConstantInt>(access.bytes);
    if (bytes == nullptr)
      return false;
    auto& [before, alignment] = checked_[access.pointer];
    if (before >= bytes->getZExtValue() && alignment >= access.alignment)
      return true;
    before = std::max(before, bytes->getZExtValue());
    alignment = std::max(alignment, access.alignment);
    return false;
  }

  void insert(const Access& access, llvm::Instruction& before) {
    llvm::IRBuilder<> builder(&before);
    builder.SetCurrentDebugLocation(before.getDebugLoc());
    const auto place = place_of(before);
    const auto text = place.file + ":" + std::to_string(place.line);
    auto& name = places_[text];
    if (name == nullptr)
      name = builder.CreateGlobalString(text, "heddle.place");
    builder
        .CreateCall(function_,
                    {builder.getInt32(static_cast<std::uint32_t>(access.kind)), name,
                     access.pointer, access.bytes, builder.getInt64(access.alignment.value())})
        ->setDoesNotThrow();
  }

  llvm::Module& module_;
  llvm::FunctionCallee function_;
  llvm::StringMap<llvm::Constant*> places_;
  // Bytes from the pointer on, and its alignment.
  llvm::DenseMap<const llvm::Value*, std::pair<std::uint64_t, llvm::Align>> checked_;
};

} // namespace

llvm::PreservedAnalyses CheckAccessesPass::run(llvm::Module& module,
                                               llvm::ModuleAnalysisManager& /*analyses*/) {
  Checker checker(module);
  for (auto& function : module)
    if (!function.isDeclaration() && has_work_item_params(function))
      checker.run(function);
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
