// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/shadow_memory.h"

#include "compiler/interface/kernel_abi.h"
#include "compiler/ir/abi_builder.h"
#include "compiler/ir/address_space.h"
#include "compiler/ir/work_item_params.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

namespace heddle::compiler {
namespace {

constexpr llvm::StringLiteral kLocalShadow = "heddle.local_shadow"; // (pointer)
constexpr std::uint64_t kUnreadBytes = 128;                         // the longest value
constexpr std::uint64_t kUnreadAlign = 128;

// Whether the instruction has the address of what it derives from its first operands.
bool derives_pointer(const llvm::Instruction& instruction) {
  return llvm::isa<llvm::GetElementPtrInst, llvm::AddrSpaceCastInst, llvm::BitCastInst,
                   llvm::PHINode, llvm::SelectInst, llvm::FreezeInst>(instruction) &&
         instruction.getType()->isPointerTy();
}

// Whether the address goes no further by this use.
bool only_accesses(const llvm::Use& use) {
  const auto* user = use.getUser();
  if (llvm::isa<llvm::LoadInst, llvm::ICmpInst>(user))
    return true;
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user))
    return use.getOperandNo() == store->getPointerOperandIndex();
  if (llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(user))
    return use.getOperandNo() == 0;
  if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(user))
    return llvm::isa<llvm::MemIntrinsic>(intrinsic) || intrinsic->isLifetimeStartOrEnd() ||
           intrinsic->isAssumeLikeIntrinsic();
  return false;
}

// The pointers into a variable; false: it gets elsewhere.
bool find_pointers(llvm::AllocaInst& variable, llvm::SmallPtrSetImpl<llvm::Value*>& found) {
  llvm::SmallVector<llvm::Value*, 16> work{&variable};
  found.insert(&variable);
  while (!work.empty())
    for (auto& use : work.pop_back_val()->uses()) {
      auto* user = llvm::cast<llvm::Instruction>(use.getUser());
      if (derives_pointer(*user)) {
        if (found.insert(user).second)
          work.push_back(user);
      } else if (!only_accesses(use)) {
        return false;
      }
    }
  return true;
}

// Bytes that no member of the type has are never told of.
void emit_padding(llvm::IRBuilder<>& builder, llvm::Value* shadow, llvm::Type* type,
                  std::uint64_t offset) {
  const auto& layout = builder.GetInsertBlock()->getDataLayout();
  const auto clear = [&](std::uint64_t begin, std::uint64_t end) {
    if (begin < end)
      builder.CreateMemSet(builder.CreateConstGEP1_64(builder.getInt8Ty(), shadow, begin),
                           builder.getInt8(0), end - begin, llvm::Align(1));
  };
  if (auto* members = llvm::dyn_cast<llvm::StructType>(type)) {
    const auto* places = layout.getStructLayout(members);
    auto end = offset;
    for (unsigned i = 0; i < members->getNumElements(); ++i) {
      const auto begin = offset + places->getElementOffset(i).getFixedValue();
      clear(end, begin);
      emit_padding(builder, shadow, members->getElementType(i), begin);
      end = begin + layout.getTypeStoreSize(members->getElementType(i)).getFixedValue();
    }
    clear(end, offset + places->getSizeInBytes().getFixedValue());
  } else if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
    constexpr std::uint64_t kMostElements = 64; // of structures
    auto* element = array->getElementType();
    const auto step = layout.getTypeAllocSize(element).getFixedValue();
    if (!element->isAggregateType())
      return;
    if (array->getNumElements() > kMostElements) {
      clear(offset, offset + step * array->getNumElements());
      return;
    }
    for (std::uint64_t i = 0; i < array->getNumElements(); ++i)
      emit_padding(builder, shadow, element, offset + i * step);
  }
}

// The first instruction behind all allocas of the block.
llvm::Instruction* behind_variables(llvm::BasicBlock& entry) {
  for (auto& instruction : llvm::reverse(entry))
    if (llvm::isa<llvm::AllocaInst>(instruction))
      return instruction.getNextNode();
  return &entry.front();
}

bool has_padding(llvm::Type* type) {
  if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type))
    return has_padding(array->getElementType());
  return type->isStructTy();
}

} // namespace

ShadowMemory::ShadowMemory(llvm::Function& function, bool has_local)
    : function_(function), has_local_(has_local) {
  find_followed();
  for (auto& [variable, pointers] : followed_)
    private_.insert(pointers.begin(), pointers.end());
  for (auto& [variable, pointers] : followed_)
    add_variable(*variable);
}

void ShadowMemory::find_followed() {
  const auto& layout = function_.getDataLayout();
  for (auto& instruction : llvm::instructions(function_))
    if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
      const auto bytes = variable->getAllocationSize(layout);
      Pointers pointers;
      if (variable->isStaticAlloca() && bytes && !bytes->isScalable() &&
          find_pointers(*variable, pointers))
        followed_[variable] = std::move(pointers);
    }
  while (drop_mixed()) {
  }
}

// Drops variables with pointers that may point to something else, too. True if there are any.
bool ShadowMemory::drop_mixed() {
  llvm::SmallPtrSet<llvm::Value*, 32> known;
  for (auto& [variable, pointers] : followed_)
    known.insert(pointers.begin(), pointers.end());
  const auto is_known = [&](llvm::Value* value) {
    return known.contains(value) || llvm::isa<llvm::UndefValue, llvm::ConstantPointerNull>(value);
  };
  const auto before = followed_.size();
  followed_.remove_if([&](const auto& entry) {
    return llvm::any_of(entry.second, [&](llvm::Value* pointer) {
      if (auto* phi = llvm::dyn_cast<llvm::PHINode>(pointer))
        return !llvm::all_of(phi->incoming_values(), is_known);
      auto* select = llvm::dyn_cast<llvm::SelectInst>(pointer);
      return select != nullptr &&
             !(is_known(select->getTrueValue()) && is_known(select->getFalseValue()));
    });
  });
  return followed_.size() != before;
}

void ShadowMemory::add_variable(llvm::AllocaInst& variable) {
  llvm::IRBuilder<> builder(&variable);
  auto* shadow = builder.CreateAlloca(variable.getAllocatedType(), variable.getArraySize(),
                                      variable.getName() + ".shadow");
  shadow->setAlignment(variable.getAlign());
  mirrors_[&variable] = shadow;
  const auto bytes = variable.getAllocationSize(function_.getDataLayout())->getFixedValue();
  const auto set = [&](llvm::Instruction* before) {
    builder.SetInsertPoint(before);
    builder.SetCurrentDebugLocation(llvm::DebugLoc());
    builder.CreateMemSet(shadow, builder.getInt8(0xff), bytes, shadow->getAlign());
    if (has_padding(variable.getAllocatedType()))
      emit_padding(builder, shadow, variable.getAllocatedType(), 0);
  };
  set(behind_variables(function_.getEntryBlock()));
  for (auto* user : variable.users())
    if (auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(user);
        intrinsic != nullptr && intrinsic->getIntrinsicID() == llvm::Intrinsic::lifetime_start)
      set(intrinsic->getNextNode());
}

ShadowPlace ShadowMemory::of(llvm::Value& pointer, llvm::IRBuilderBase& builder) {
  if (private_.contains(&pointer))
    return {mirror(pointer)};
  const auto space = pointer.getType()->getPointerAddressSpace();
  if (space == kLocal)
    return {create_local_shadow(builder, pointer)};
  if (space != kGeneric || !has_local_)
    return {};
  llvm::SmallVector<const llvm::Value*, 4> objects;
  llvm::getUnderlyingObjects(&pointer, objects);
  const auto all_in = [&](std::initializer_list<unsigned> spaces) {
    return llvm::all_of(objects, [&](const llvm::Value* object) {
      return llvm::is_contained(spaces, object->getType()->getPointerAddressSpace());
    });
  };
  if (all_in({kLocal}))
    return {create_local_shadow(builder, pointer)};
  if (all_in({kPrivate, kGlobal, kConstant}) || !has_work_item_params(function_))
    return {};
  auto* is_local = emit_is_local(pointer, builder);
  if (unread_ == nullptr) {
    llvm::IRBuilder<> at_entry(&function_.getEntryBlock(), function_.getEntryBlock().begin());
    unread_ = at_entry.CreateAlloca(llvm::ArrayType::get(at_entry.getInt8Ty(), kUnreadBytes),
                                    nullptr, "unread.shadow");
    unread_->setAlignment(llvm::Align(kUnreadAlign));
  }
  auto* unread = builder.CreateAddrSpaceCast(unread_, pointer.getType());
  return {builder.CreateSelect(is_local, create_local_shadow(builder, pointer), unread), is_local};
}

llvm::Value* ShadowMemory::mirror(llvm::Value& pointer) {
  if (llvm::isa<llvm::Constant>(pointer))
    return &pointer;
  if (auto* known = mirrors_.lookup(&pointer))
    return known;
  return mirror_new(llvm::cast<llvm::Instruction>(pointer));
}

// The same of the shadow.
llvm::Value* ShadowMemory::mirror_new(llvm::Instruction& pointer) {
  auto* made = pointer.clone();
  made->insertBefore(pointer.getIterator());
  made->setName(pointer.getName() + ".shadow");
  mirrors_[&pointer] = made;
  if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&pointer)) {
    for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
      llvm::cast<llvm::PHINode>(made)->setIncomingValue(i, mirror(*phi->getIncomingValue(i)));
  } else if (auto* select = llvm::dyn_cast<llvm::SelectInst>(&pointer)) {
    made->setOperand(1, mirror(*select->getTrueValue()));
    made->setOperand(2, mirror(*select->getFalseValue()));
  } else {
    made->setOperand(0, mirror(*pointer.getOperand(0)));
  }
  return made;
}

llvm::Value* ShadowMemory::emit_is_local(llvm::Value& pointer, llvm::IRBuilderBase& builder) {
  AbiBuilder abi(builder);
  auto* group = work_item_params(function_).group;
  auto* begin = abi.load_invariant(abi.worker_of(group), offsetof(abi::Worker, bounds), abi.word());
  auto* distance = builder.CreateSub(builder.CreatePtrToInt(&pointer, abi.word()), begin);
  return builder.CreateICmpULT(distance, builder.getInt64(abi::kLocalShadow));
}

llvm::Value* create_local_shadow(llvm::IRBuilderBase& builder, llvm::Value& pointer) {
  auto* type = pointer.getType();
  auto function = builder.GetInsertBlock()->getModule()->getOrInsertFunction(
      (kLocalShadow + ".p" + llvm::Twine(type->getPointerAddressSpace())).str(),
      llvm::FunctionType::get(type, {type}, false));
  auto* declaration = llvm::cast<llvm::Function>(function.getCallee());
  declaration->setDoesNotAccessMemory();
  declaration->setDoesNotThrow();
  declaration->setWillReturn();
  declaration->addFnAttr(llvm::Attribute::Speculatable);
  return builder.CreateCall(function, {&pointer});
}

bool is_shadow_of_local(const llvm::Value& pointer) {
  llvm::SmallVector<const llvm::Value*, 4> objects;
  llvm::getUnderlyingObjects(&pointer, objects);
  return llvm::any_of(objects, [](const llvm::Value* object) {
    const auto* call = llvm::dyn_cast<llvm::CallInst>(object);
    return call != nullptr && call->getCalledFunction() != nullptr &&
           call->getCalledFunction()->getName().starts_with(kLocalShadow);
  });
}

void lower_local_shadows(llvm::Module& module) {
  for (auto& function : llvm::make_early_inc_range(module.functions())) {
    if (!function.getName().starts_with(kLocalShadow))
      continue;
    for (auto* user : llvm::make_early_inc_range(function.users())) {
      auto* call = llvm::cast<llvm::CallInst>(user);
      llvm::IRBuilder<> builder(call);
      call->replaceAllUsesWith(builder.CreateConstGEP1_64(
          builder.getInt8Ty(), call->getArgOperand(0), abi::kLocalShadow));
      call->eraseFromParent();
    }
    function.eraseFromParent();
  }
}

} // namespace heddle::compiler
