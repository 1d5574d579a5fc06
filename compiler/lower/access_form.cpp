// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/access_form.h"

#include "compiler/ir/abi_builder.h"
#include "compiler/ir/work_item_params.h"
#include "compiler/vectorize/analysis/global_id_uses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

namespace heddle::compiler {
namespace {

using namespace llvm::PatternMatch;

constexpr std::uint64_t kMaxFactor = 1 << 20;
constexpr unsigned kMaxDepth = 16;
constexpr unsigned kNarrowest = 32; // bits of what a form may be computed in

class FormReader {
 public:
  explicit FormReader(const Kernel& kernel)
      : kernel_(kernel), params_(work_item_params(*kernel.body)) {}

  std::optional<AccessForm> read(const llvm::Value& pointer, const llvm::Value& base) {
    const auto& layout = kernel_.body->getDataLayout();
    const auto* at = &pointer;
    while (at != &base) {
      if (const auto* gep = llvm::dyn_cast<llvm::GEPOperator>(at)) {
        llvm::SmallMapVector<llvm::Value*, llvm::APInt, 4> variables;
        llvm::APInt constant(64, 0);
        if (layout.getIndexTypeSizeInBits(gep->getType()) != 64 ||
            !gep->collectOffset(layout, 64, variables, constant) || !add_constant(constant, 1))
          return std::nullopt;
        for (const auto& [value, scale] : variables)
          if (scale.isNegative() || !add(*value, scale.getZExtValue(), 0))
            return std::nullopt;
        at = gep->getPointerOperand();
      } else if (const auto* cast = llvm::dyn_cast<llvm::AddrSpaceCastOperator>(at)) {
        at = cast->getPointerOperand();
      } else {
        return std::nullopt;
      }
    }
    return form_;
  }

 private:
  bool add_constant(const llvm::APInt& value, std::uint64_t factor) {
    if (value.isNegative() || value.getActiveBits() > 31)
      return false;
    form_.constant += value.getZExtValue() * factor;
    return form_.constant < std::uint64_t{1} << 31;
  }

  bool add(const llvm::Value& value, std::uint64_t factor, unsigned depth) {
    if (factor == 0 || factor > kMaxFactor || depth > kMaxDepth ||
        value.getType()->getScalarSizeInBits() < kNarrowest)
      return false;
    if (const auto dimension = dimension_of(value))
      return add_id(*dimension, {factor, nullptr, std::nullopt});
    if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&value))
      return add_constant(constant->getValue(), factor);
    llvm::Value *a, *b;
    const llvm::APInt* number;
    if (match(&value, m_ZExtOrSExt(m_Value(a))) || match(&value, m_Trunc(m_Value(a))))
      return add(*a, factor, depth + 1);
    if (match(&value, m_AddLike(m_Value(a), m_Value(b))))
      return add(*a, factor, depth + 1) && add(*b, factor, depth + 1);
    // The low half of a word, extended, with or without a factor.
    const llvm::APInt* down;
    if (match(&value, m_Shr(m_Shl(m_Value(a), m_SpecificInt(kNarrowest)), m_APInt(down))) &&
        value.getType()->isIntegerTy(64) && down->ule(kNarrowest))
      return add(*a, factor << (kNarrowest - down->getZExtValue()), depth + 1);
    if (match(&value, m_Shl(m_Value(a), m_APInt(number))) && number->ult(20))
      return add(*a, factor << number->getZExtValue(), depth + 1);
    if (!match(&value, m_Mul(m_Value(a), m_Value(b))))
      return false;
    if (match(b, m_APInt(number)))
      return !number->isNegative() && number->getActiveBits() <= 20 &&
             add(*a, factor * number->getZExtValue(), depth + 1);
    for (int order = 0; order < 2; ++order, std::swap(a, b))
      if (const auto dimension = dimension_of(*strip_casts(a)))
        if (auto other = number_of(*strip_casts(b))) {
          other->factor = factor;
          return add_id(*dimension, *other);
        }
    return false;
  }

  static const llvm::Value* strip_casts(const llvm::Value* value) {
    llvm::Value* inner;
    while ((match(value, m_ZExtOrSExt(m_Value(inner))) || match(value, m_Trunc(m_Value(inner)))) &&
           inner->getType()->getScalarSizeInBits() >= kNarrowest &&
           value->getType()->getScalarSizeInBits() >= kNarrowest)
      value = inner;
    return value;
  }

  bool add_id(unsigned dimension, const LaunchNumber& stride) {
    auto& known = form_.strides[dimension];
    if (known.factor != 0)
      return false;
    known = stride;
    return true;
  }

  // That of a global id.
  std::optional<unsigned> dimension_of(const llvm::Value& value) const {
    const auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(&value);
    if (sum == nullptr || sum->getOpcode() != llvm::Instruction::Add ||
        !sum->getType()->isIntegerTy(64))
      return std::nullopt;
    for (unsigned d = 0; d < 3; ++d)
      if (GlobalIdUses(params_, kernel_.local_size[d], d).is_global_id(*sum))
        return d;
    return std::nullopt;
  }

  std::optional<LaunchNumber> number_of(const llvm::Value& value) const {
    if (const auto* argument = llvm::dyn_cast<llvm::Argument>(&value);
        argument != nullptr && argument->getArgNo() + kWorkItemParams < kernel_.body->arg_size() &&
        argument->getType()->isIntegerTy())
      return LaunchNumber{1, argument, std::nullopt};
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(&value);
    if (load == nullptr || !load->getType()->isIntegerTy(64))
      return std::nullopt;
    const auto& layout = kernel_.body->getDataLayout();
    llvm::APInt offset(64, 0), launch_offset(64, 0);
    const auto* from =
        load->getPointerOperand()->stripAndAccumulateInBoundsConstantOffsets(layout, offset);
    const auto* launch = llvm::dyn_cast<llvm::LoadInst>(from);
    if (launch == nullptr ||
        launch->getPointerOperand()->stripAndAccumulateInBoundsConstantOffsets(
            layout, launch_offset) != params_.group ||
        launch_offset != offsetof(abi::Group, launch))
      return std::nullopt;
    return LaunchNumber{1, nullptr, offset.getZExtValue()};
  }

  const Kernel& kernel_;
  const WorkItemParams params_;
  AccessForm form_;
};

} // namespace

std::optional<AccessForm> access_form(const llvm::Value& pointer, const llvm::Value& base,
                                      const Kernel& kernel) {
  return FormReader(kernel).read(pointer, base);
}

llvm::Value* emit_is_injective(llvm::IRBuilder<>& builder, const AccessForm& form,
                               std::uint64_t window, llvm::Value* group) {
  AbiBuilder access(builder);
  auto* function = builder.GetInsertBlock()->getParent();
  auto* wide = builder.getInt128Ty(); // products of three numbers of less than 2^42
  const auto number = [&](std::uint64_t value) { return llvm::ConstantInt::get(wide, value); };
  auto* launch = access.launch_of(group);
  llvm::Value* strides[3] = {};
  llvm::Value* sizes[3];
  llvm::Value* last = number(form.constant + window);
  llvm::Value* holds = builder.getTrue();
  for (unsigned d = 0; d < 3; ++d) {
    sizes[d] =
        builder.CreateZExt(access.launch_word(launch, offsetof(abi::Launch, global_size), d), wide);
    const auto& stride = form.strides[d];
    if (stride.factor == 0) {
      strides[d] = number(0);
      continue;
    }
    llvm::Value* times = number(1);
    if (stride.argument != nullptr)
      times = builder.CreateSExt(function->getArg(stride.argument->getArgNo()), wide);
    else if (stride.launch_offset)
      times = builder.CreateZExt(access.launch_word(launch, *stride.launch_offset), wide);
    // Neither negative nor more than what the sum may be.
    holds = builder.CreateAnd(holds, builder.CreateICmpULT(times, number(std::uint64_t{1} << 31)));
    strides[d] = builder.CreateMul(times, number(stride.factor));
    auto* offset = builder.CreateZExt(
        access.launch_word(launch, offsetof(abi::Launch, global_offset), d), wide);
    auto* ids = builder.CreateAdd(sizes[d], offset);
    holds = builder.CreateAnd(holds, builder.CreateICmpULT(ids, number(std::uint64_t{1} << 31)));
    last = builder.CreateAdd(last, builder.CreateMul(strides[d], ids));
  }
  holds = builder.CreateAnd(holds, builder.CreateICmpULT(last, number(std::uint64_t{1} << 31)));
  // Each dimension steps over all of those that step less.
  const auto emit_nested = [&](unsigned first, unsigned second, unsigned third) {
    llvm::Value* extent = number(window);
    llvm::Value* all = builder.getTrue();
    for (const auto d : {first, second, third}) {
      auto* is_one = builder.CreateICmpULE(sizes[d], number(1));
      all = builder.CreateAnd(all,
                              builder.CreateOr(is_one, builder.CreateICmpUGE(strides[d], extent)));
      extent = builder.CreateSelect(is_one, extent, builder.CreateMul(strides[d], sizes[d]));
    }
    return all;
  };
  return builder.CreateAnd(holds, builder.CreateOr(emit_nested(0, 1, 2), emit_nested(1, 0, 2)),
                           "is_injective");
}

} // namespace heddle::compiler
