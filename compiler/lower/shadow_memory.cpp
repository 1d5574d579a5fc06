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

constexpr llvm::StringLiteral kShadow = "heddle.shadow."; // (pointer)
constexpr llvm::StringLiteral kOfLocal = "local", kOfBuffer = "buffer";
constexpr std::uint64_t kUnreadBytes = 128; // the longest value
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
    constexpr std::uint64_t kMaxElements = 64; // of structures
    auto* element = array->getElementType();
    const auto step = layout.getTypeAllocSize(element).getFixedValue();
    if (!element->isAggregateType())
      return;
    if (array->getNumElements() > kMaxElements) {
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

llvm::Value* create_shadow(llvm::IRBuilderBase& builder, llvm::StringRef of, llvm::Value& pointer) {
  auto* type = pointer.getType();
  auto function = builder.GetInsertBlock()->getModule()->getOrInsertFunction(
      (kShadow + of + ".p" + llvm::Twine(type->getPointerAddressSpace())).str(),
      llvm::FunctionType::get(type, {type}, false));
  auto* declaration = llvm::cast<llvm::Function>(function.getCallee());
  declaration->setDoesNotAccessMemory();
  declaration->setDoesNotThrow();
  declaration->setWillReturn();
  declaration->addFnAttr(llvm::Attribute::Speculatable);
  return builder.CreateCall(function, {&pointer});
}

// An i1. A pointer based on a kernel's argument is in the same buffer.
llvm::Value* emit_is_buffer(llvm::Value& pointer, llvm::IRBuilderBase& builder) {
  llvm::Value* base = llvm::getUnderlyingObject(&pointer, 0);
  if (!llvm::isa<llvm::Argument>(base))
    base = &pointer;
  auto* distance = builder.CreateSub(builder.CreatePtrToInt(base, builder.getInt64Ty()),
                                     builder.getInt64(abi::kShadowedBuffers));
  return builder.CreateICmpULT(distance, builder.getInt64(abi::kShadowedBytes));
}

bool has_padding(llvm::Type* type) {
  if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type))
    return has_padding(array->getElementType());
  return type->isStructTy();
}

} // namespace

ShadowMemory::ShadowMemory(llvm::Function& function, bool has_local, bool has_buffers)
    : function_(function), has_local_(has_local), has_buffers_(has_buffers) {
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
  if (pointer.getType()->getPointerAddressSpace() == kLocal)
    return {create_shadow(builder, kOfLocal, pointer)};
  llvm::SmallVector<const llvm::Value*, 4> objects;
  llvm::getUnderlyingObjects(&pointer, objects);
  const auto spaces = [&](auto matches) {
    return llvm::count_if(objects, [&](const llvm::Value* object) {
      return matches(object->getType()->getPointerAddressSpace());
    });
  };
  const auto all = static_cast<std::ptrdiff_t>(objects.size());
  if (spaces([](unsigned space) { return space == kLocal; }) == all)
    return has_local_ ? ShadowPlace{create_shadow(builder, kOfLocal, pointer)} : ShadowPlace{};
  return if_exists(
      pointer,
      has_local_ && has_work_item_params(function_) &&
          spaces([](unsigned space) { return space == kLocal || space == kGeneric; }) != 0,
      has_buffers_ && spaces([](unsigned space) {
                        return space == kGlobal || space == kConstant || space == kGeneric;
                      }) != 0,
      builder);
}

ShadowPlace ShadowMemory::if_exists(llvm::Value& pointer, bool may_be_local, bool may_be_buffer,
                                    llvm::IRBuilderBase& builder) {
  if (!may_be_local && !may_be_buffer)
    return {};
  if (unread_ == nullptr) {
    llvm::IRBuilder<> at_entry(&function_.getEntryBlock(), function_.getEntryBlock().begin());
    unread_ = at_entry.CreateAlloca(llvm::ArrayType::get(at_entry.getInt8Ty(), kUnreadBytes),
                                    nullptr, "unread.shadow");
    unread_->setAlignment(llvm::Align(kUnreadAlign));
  }
  ShadowPlace place{builder.CreateAddrSpaceCast(unread_, pointer.getType())};
  const auto choose = [&](llvm::Value* condition, llvm::StringRef of) {
    place.address =
        builder.CreateSelect(condition, create_shadow(builder, of, pointer), place.address);
    place.exists = place.exists == nullptr ? condition : builder.CreateOr(place.exists, condition);
  };
  if (may_be_buffer) {
    place.is_buffer = emit_is_buffer(pointer, builder);
    choose(place.is_buffer, kOfBuffer);
  }
  if (may_be_local)
    choose(emit_is_local(pointer, builder), kOfLocal);
  return place;
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

bool is_shadow_address(const llvm::Value& pointer) {
  llvm::SmallVector<const llvm::Value*, 4> objects;
  llvm::getUnderlyingObjects(&pointer, objects);
  return llvm::any_of(objects, [](const llvm::Value* object) {
    const auto* call = llvm::dyn_cast<llvm::CallInst>(object);
    return call != nullptr && call->getCalledFunction() != nullptr &&
           call->getCalledFunction()->getName().starts_with(kShadow);
  });
}

void lower_shadow_addresses(llvm::Module& module) {
  for (auto& function : llvm::make_early_inc_range(module.functions())) {
    auto name = function.getName();
    if (!name.consume_front(kShadow))
      continue;
    const auto distance = name.starts_with(kOfLocal) ? abi::kLocalShadow : abi::kBufferShadow;
    for (auto* user : llvm::make_early_inc_range(function.users())) {
      auto* call = llvm::cast<llvm::CallInst>(user);
      llvm::IRBuilder<> builder(call);
      call->replaceAllUsesWith(
          builder.CreateConstGEP1_64(builder.getInt8Ty(), call->getArgOperand(0), distance));
      call->eraseFromParent();
    }
    function.eraseFromParent();
  }
}

} // namespace heddle::compiler
