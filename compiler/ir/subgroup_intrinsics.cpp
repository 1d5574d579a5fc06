// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ir/subgroup_intrinsics.h"

#include "compiler/ir/abi_builder.h"
#include "compiler/ir/work_item_params.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

namespace heddle::compiler {
namespace {

using Kind = SubgroupIntrinsic::Kind;
using Combine = SubgroupIntrinsic::Combine;

constexpr llvm::StringLiteral kPrefix = "__heddle_sub_group_";

// No name is the beginning of another one and an underscore.
constexpr struct {
  llvm::StringLiteral name;
  Kind kind;
} kKinds[] = {
    {"local_id", Kind::id},         {"max_size", Kind::count},
    {"base", Kind::base},           {"is_leader", Kind::is_leader},
    {"restart", Kind::restart},     {"all_rows", Kind::all_rows},
    {"barrier", Kind::barrier},     {"ballot", Kind::ballot},
    {"read", Kind::read},           {"first", Kind::first},
    {"shuffle", Kind::shuffle},     {"reduce", Kind::reduce},
    {"inclusive_scan", Kind::scan}, {"exclusive_scan", Kind::exclusive_scan},
    {"cluster", Kind::cluster},
};

bool has_combine(Kind kind) { return kind >= Kind::reduce; }

// Whether the result depends on the work-item only.
bool is_plain_query(Kind kind) { return kind <= Kind::is_leader; }

// The result for a sub-group of one work-item.
llvm::Value* lower(llvm::CallInst& call, const SubgroupIntrinsic& function) {
  llvm::IRBuilder<> builder(&call);
  switch (function.kind) {
  case Kind::id:
    return builder.getInt32(0);
  case Kind::count:
    return builder.getInt32(1);
  case Kind::base: {
    AbiBuilder access(builder);
    const auto state = work_item_params(*call.getFunction());
    const auto size = [&](unsigned d) {
      return access.group_word(state.group, offsetof(abi::Group, local_size), d);
    };
    auto* line =
        builder.CreateAdd(builder.CreateMul(state.local_id[2], size(1)), state.local_id[1]);
    auto* id = builder.CreateAdd(builder.CreateMul(line, size(0)), state.local_id[0]);
    return builder.CreateTrunc(id, call.getType());
  }
  case Kind::is_leader: {
    const auto state = work_item_params(*call.getFunction());
    auto* any =
        builder.CreateOr(builder.CreateOr(state.local_id[0], state.local_id[1]), state.local_id[2]);
    return builder.CreateICmpEQ(any, builder.getInt64(0), "is_leader");
  }
  case Kind::restart: // in what the vector forms were made of, which nobody runs
    return nullptr;
  case Kind::barrier:
    return builder.CreateFence(llvm::AtomicOrdering::AcquireRelease);
  case Kind::ballot:
    return builder.CreateZExt(call.getArgOperand(0), call.getType());
  case Kind::exclusive_scan: {
    auto* none = identity(function, call.getType());
    return none->isNegativeZeroValue() ? llvm::Constant::getNullValue(call.getType()) : none;
  }
  default:
    return call.getArgOperand(0);
  }
}

} // namespace

std::optional<SubgroupIntrinsic> subgroup_intrinsic(llvm::StringRef name) {
  if (!name.consume_front(kPrefix))
    return std::nullopt;
  const auto* const found = llvm::find_if(kKinds, [&](const auto& kind) {
    return name == kind.name ||
           (name.starts_with(kind.name) && name.drop_front(kind.name.size()).starts_with("_"));
  });
  if (found == std::end(kKinds))
    return std::nullopt;
  SubgroupIntrinsic function{found->kind};
  if (!has_combine(found->kind))
    return function;
  name = name.drop_front(std::min(found->name.size() + 1, name.size()));
  const auto [combine, type] = name.split('_');
  function.combine = llvm::StringSwitch<Combine>(combine)
                         .Case("add", Combine::add)
                         .Case("mul", Combine::mul)
                         .Case("min", Combine::min)
                         .Case("max", Combine::max)
                         .Case("and", Combine::bit_and)
                         .Case("or", Combine::bit_or)
                         .Case("xor", Combine::bit_xor)
                         .Default(Combine::none);
  function.is_unsigned = type.starts_with("u");
  return function.combine == Combine::none ? std::nullopt : std::optional(function);
}

bool is_subgroup_intrinsic(llvm::StringRef name) { return subgroup_intrinsic(name).has_value(); }

std::optional<SubgroupIntrinsic> subgroup_intrinsic(const llvm::CallBase& call) {
  const auto* callee = call.getCalledFunction();
  return callee != nullptr && callee->isDeclaration() ? subgroup_intrinsic(callee->getName())
                                                      : std::nullopt;
}

bool is_leader_query(const llvm::Value& value) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&value);
  const auto function = call != nullptr ? subgroup_intrinsic(*call) : std::nullopt;
  return function && function->kind == Kind::is_leader;
}

bool is_uniform(const SubgroupIntrinsic& function) {
  switch (function.kind) {
  case Kind::count:
  case Kind::base:
  case Kind::is_leader:
  case Kind::all_rows:
  case Kind::ballot:
  case Kind::read:
  case Kind::first:
  case Kind::reduce:
    return true;
  default:
    return false;
  }
}

llvm::Value* combine(llvm::IRBuilder<>& builder, const SubgroupIntrinsic& how, llvm::Value* a,
                     llvm::Value* b) {
  const bool real = a->getType()->isFPOrFPVectorTy();
  using llvm::Intrinsic::ID;
  const auto pick = [&](ID of_real, ID of_unsigned, ID of_signed) {
    return builder.CreateBinaryIntrinsic(
        real ? of_real : (how.is_unsigned ? of_unsigned : of_signed), a, b);
  };
  switch (how.combine) {
  case Combine::add:
    return real ? builder.CreateFAdd(a, b) : builder.CreateAdd(a, b);
  case Combine::mul:
    return real ? builder.CreateFMul(a, b) : builder.CreateMul(a, b);
  case Combine::min:
    return pick(llvm::Intrinsic::minnum, llvm::Intrinsic::umin, llvm::Intrinsic::smin);
  case Combine::max:
    return pick(llvm::Intrinsic::maxnum, llvm::Intrinsic::umax, llvm::Intrinsic::smax);
  case Combine::bit_and:
    return builder.CreateAnd(a, b);
  case Combine::bit_or:
    return builder.CreateOr(a, b);
  default:
    return builder.CreateXor(a, b);
  }
}

llvm::Constant* identity(const SubgroupIntrinsic& how, llvm::Type* type) {
  const bool real = type->isFPOrFPVectorTy();
  const auto bits = type->getScalarSizeInBits();
  const auto number = [&](const llvm::APInt& value) { return llvm::ConstantInt::get(type, value); };
  switch (how.combine) {
  case Combine::add:
    return real ? llvm::ConstantFP::getNegativeZero(type) : llvm::Constant::getNullValue(type);
  case Combine::mul:
    return real ? llvm::ConstantFP::get(type, 1.0) : llvm::ConstantInt::get(type, 1);
  case Combine::min:
    if (real)
      return llvm::ConstantFP::getInfinity(type);
    return number(how.is_unsigned ? llvm::APInt::getMaxValue(bits)
                                  : llvm::APInt::getSignedMaxValue(bits));
  case Combine::max:
    if (real)
      return llvm::ConstantFP::getInfinity(type, true);
    return number(how.is_unsigned ? llvm::APInt::getMinValue(bits)
                                  : llvm::APInt::getSignedMinValue(bits));
  case Combine::bit_and:
    return llvm::Constant::getAllOnesValue(type);
  default:
    return llvm::Constant::getNullValue(type);
  }
}

static void annotate_subgroup_intrinsics(llvm::Module& module) {
  for (auto& function : module) {
    const auto known =
        function.isDeclaration() ? subgroup_intrinsic(function.getName()) : std::nullopt;
    if (!known)
      continue;
    function.addFnAttr(llvm::Attribute::NoUnwind);
    function.addFnAttr(llvm::Attribute::WillReturn);
    if (known->kind == Kind::barrier)
      function.addFnAttr(llvm::Attribute::NoDuplicate);
    else
      function.setDoesNotAccessMemory();
    // The results of the others depend on the lanes that are active.
    if (!is_plain_query(known->kind)) {
      function.addFnAttr(llvm::Attribute::Convergent);
      continue;
    }
    function.removeFnAttr(llvm::Attribute::Convergent);
    for (auto* user : function.users())
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(user))
        call->removeFnAttr(llvm::Attribute::Convergent);
  }
}

bool calls_subgroup_intrinsics(const llvm::Function& function) {
  return llvm::any_of(llvm::instructions(function), [](const llvm::Instruction& instruction) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    const auto function = call != nullptr ? subgroup_intrinsic(*call) : std::nullopt;
    return function && function->kind != Kind::is_leader;
  });
}

static void lower_subgroup_intrinsics(llvm::Module& module) {
  llvm::SmallVector<llvm::Function*, 16> functions;
  for (auto& function : module)
    if (function.isDeclaration() && is_subgroup_intrinsic(function.getName()))
      functions.push_back(&function);
  for (auto* function : functions) {
    const auto known = *subgroup_intrinsic(function->getName());
    llvm::SmallVector<llvm::User*, 16> users(function->users());
    for (auto* user : users) {
      auto* call = llvm::cast<llvm::CallInst>(user);
      auto* value = lower(*call, known);
      if (!call->getType()->isVoidTy())
        call->replaceAllUsesWith(value);
      call->eraseFromParent();
    }
    function->eraseFromParent();
  }
}

llvm::PreservedAnalyses
AnnotateSubgroupIntrinsicsPass::run(llvm::Module& module,
                                    llvm::ModuleAnalysisManager& /*analyses*/) {
  annotate_subgroup_intrinsics(module);
  return llvm::PreservedAnalyses::none();
}

llvm::PreservedAnalyses
LowerSubgroupIntrinsicsPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& /*analyses*/) {
  lower_subgroup_intrinsics(module);
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
