// Accesses that are a fixed step apart unless index arithmetic wraps around or an index is clamped:
// a check at run time, mostly of lane 0 alone.
#include "compiler/vectorize/emit/emitter.h"
#include "llvm/IR/Operator.h"

namespace heddle::compiler {
namespace {

constexpr unsigned kDeepest = 24;

} // namespace

llvm::Value* Emitter::are_consecutive(llvm::Value* addresses, Stride size, unsigned row) {
  auto* expected = spread(builder_.CreateExtractElement(addresses, std::uint64_t{0}), size);
  auto* differs = builder_.CreateICmpNE(addresses, expected);
  if (mask(row) != nullptr)
    differs = builder_.CreateAnd(differs, mask(row));
  auto* bits = builder_.CreateBitCast(differs, builder_.getIntNTy(plan_.width));
  return builder_.CreateICmpEQ(bits, llvm::Constant::getNullValue(bits->getType()), "consecutive");
}

// From the first lane to the last, does the value go by `stride` without wrapping around?
void Emitter::require_no_wrap(llvm::Value* first, Stride stride, bool is_signed,
                              llvm::SmallVectorImpl<llvm::Value*>& conditions) {
  if (stride == 0)
    return;
  auto* type = first->getType();
  const auto bits = type->getIntegerBitWidth();
  const auto steps =
      static_cast<std::uint64_t>((stride < 0 ? -stride : stride) * (plan_.width - 1));
  if (!llvm::isUIntN(bits, steps)) {
    conditions.push_back(builder_.getFalse());
    return;
  }
  const auto distance = llvm::APInt(bits, steps);
  const auto lowest = is_signed ? llvm::APInt::getSignedMinValue(bits) : llvm::APInt::getZero(bits);
  const auto highest =
      is_signed ? llvm::APInt::getSignedMaxValue(bits) : llvm::APInt::getAllOnes(bits);
  const auto limit = stride < 0 ? lowest + distance : highest - distance;
  const auto up = is_signed ? llvm::ICmpInst::ICMP_SLE : llvm::ICmpInst::ICMP_ULE;
  const auto down = is_signed ? llvm::ICmpInst::ICMP_SGE : llvm::ICmpInst::ICMP_UGE;
  conditions.push_back(
      builder_.CreateICmp(stride < 0 ? down : up, first, llvm::ConstantInt::get(type, limit)));
}

// Whether the values of lane 0 and all other active lanes are within the type's range, or else the
// access that is written here would be undefined: then lane 0 comes to it.
bool Emitter::never_wraps(const llvm::Value& value, bool is_signed, unsigned row) const {
  const auto* operation = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(&value);
  const auto entry = owned_masks_.find(&kernel_.getEntryBlock());
  const bool has_lane_0 =
      mask(row) == nullptr || (entry != owned_masks_.end() && entry->second[row] == mask(row));
  return has_lane_0 && operation != nullptr &&
         (is_signed ? operation->hasNoSignedWrap() : operation->hasNoUnsignedWrap());
}

// The sign extension of lane 0's value, as likely_first. A sum that does not wrap around is
// extended part by part: what is the same for several rows or columns is then computed once.
llvm::Value* Emitter::likely_extended(const llvm::Value& value, llvm::Type* type, unsigned row,
                                      llvm::SmallVectorImpl<llvm::Value*>& conditions,
                                      unsigned depth) {
  const auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(&value);
  if (sum != nullptr && sum->getOpcode() == llvm::Instruction::Add && !shapes_.is_uniform(value) &&
      never_wraps(value, true, row)) {
    auto* a = likely_extended(*sum->getOperand(0), type, row, conditions, depth + 1);
    auto* b = likely_extended(*sum->getOperand(1), type, row, conditions, depth + 1);
    return a != nullptr && b != nullptr ? builder_.CreateAdd(a, b) : nullptr;
  }
  const std::pair key(&value, shapes_.differs_by_row(value) ? row : 0);
  if (auto* known = likely_.extended.lookup(key); known != nullptr && known->getType() == type)
    return known;
  auto* narrow = likely_first(value, row, conditions, depth + 1);
  const auto stride = shapes_.likely_stride(value);
  if (narrow == nullptr || (!shapes_.is_uniform(value) && !stride))
    return nullptr;
  if (!shapes_.is_uniform(value))
    require_no_wrap(narrow, *stride, true, conditions);
  auto* made = builder_.CreateSExt(narrow, type);
  if (checks_failed_ != nullptr)
    likely_.extended[key] = made;
  return made;
}

// Lane 0's value, if it and the conditions that all lanes follow by the likely stride can be had
// from lane 0 alone; else null.
llvm::Value* Emitter::likely_first(const llvm::Value& value, unsigned row,
                                   llvm::SmallVectorImpl<llvm::Value*>& conditions,
                                   unsigned depth) {
  if (shapes_.is_uniform(value) || shapes_.stride(value))
    return scalar(value, row);
  if (checks_failed_ == nullptr)
    return find_likely_first(value, row, conditions, depth);
  // In a run of accesses what one has found out holds for the others.
  const std::pair key(&value, shapes_.differs_by_row(value) ? row : 0);
  if (auto* known = likely_.first.lookup(key))
    return known;
  auto* first = find_likely_first(value, row, conditions, depth);
  if (first != nullptr)
    likely_.first[key] = first;
  return first;
}

llvm::Value* Emitter::find_likely_first(const llvm::Value& value, unsigned row,
                                        llvm::SmallVectorImpl<llvm::Value*>& conditions,
                                        unsigned depth) {
  using Op = llvm::Instruction;
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  const auto stride = shapes_.likely_stride(value);
  if (instruction == nullptr || !stride || depth > kDeepest ||
      (instruction->getType()->isIntegerTy() && instruction->getType()->getIntegerBitWidth() < 16))
    return nullptr;
  const auto of_operand = [&](unsigned i) {
    return likely_first(*instruction->getOperand(i), row, conditions, depth + 1);
  };
  const auto extend = [&](llvm::Value* narrow, Stride step, bool is_signed) {
    if (!never_wraps(*instruction->getOperand(0), is_signed, row))
      require_no_wrap(narrow, step, is_signed, conditions);
    return is_signed ? builder_.CreateSExt(narrow, value.getType())
                     : builder_.CreateZExt(narrow, value.getType());
  };
  switch (instruction->getOpcode()) {
  case Op::Or:
    if (!llvm::cast<llvm::PossiblyDisjointInst>(instruction)->isDisjoint())
      return nullptr;
    [[fallthrough]];
  case Op::Add:
  case Op::Sub:
  case Op::Mul:
  case Op::Shl:
  case Op::Trunc:
  case Op::GetElementPtr: {
    llvm::SmallVector<llvm::Value*, 4> operands;
    for (unsigned i = 0; i < instruction->getNumOperands(); ++i) {
      operands.push_back(of_operand(i));
      if (operands.back() == nullptr)
        return nullptr;
    }
    auto* made = instruction->clone();
    // Lane 0 need not be active.
    made->dropPoisonGeneratingFlags();
    for (unsigned i = 0; i < operands.size(); ++i)
      made->setOperand(i, operands[i]);
    return builder_.Insert(made);
  }
  case Op::SExt:
    return likely_extended(*instruction->getOperand(0), value.getType(), row, conditions, depth);
  case Op::ZExt: {
    auto* narrow = of_operand(0);
    return narrow == nullptr ? nullptr : extend(narrow, *stride, false);
  }
  case Op::And:
  case Op::AShr:
  case Op::LShr: {
    const auto shortened = narrowed_value(*instruction);
    if (!shortened || shortened->bits < 16 || shortened->shift > 16)
      return nullptr;
    auto* whole = likely_first(*shortened->value, row, conditions, depth + 1);
    if (whole == nullptr)
      return nullptr;
    auto* sum = builder_.CreateAdd(
        whole, llvm::ConstantInt::getSigned(whole->getType(), shortened->added, true));
    auto* narrow = builder_.CreateTrunc(sum, builder_.getIntNTy(shortened->bits));
    const auto step = *stride / (Stride{1} << shortened->shift);
    return builder_.CreateShl(extend(narrow, step, instruction->getOpcode() == Op::AShr),
                              shortened->shift);
  }
  case Op::Call: {
    // A limit, which is not met if neither the first nor the last lane meets it.
    const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(instruction);
    if (call == nullptr)
      return nullptr;
    const auto id = call->getIntrinsicID();
    const bool is_min = id == llvm::Intrinsic::smin || id == llvm::Intrinsic::umin;
    const bool is_max = id == llvm::Intrinsic::smax || id == llvm::Intrinsic::umax;
    if (!is_min && !is_max)
      return nullptr;
    const bool is_signed = id == llvm::Intrinsic::smin || id == llvm::Intrinsic::smax;
    const unsigned own = shapes_.is_uniform(*call->getArgOperand(1)) ? 0 : 1;
    if (!shapes_.is_uniform(*call->getArgOperand(1 - own)))
      return nullptr;
    auto* first = of_operand(own);
    if (first == nullptr)
      return nullptr;
    require_no_wrap(first, *stride, is_signed, conditions);
    auto* last = builder_.CreateAdd(
        first, llvm::ConstantInt::getSigned(first->getType(), *stride * (plan_.width - 1), true));
    auto* limit = scalar(*call->getArgOperand(1 - own), row);
    auto* outermost = is_min == (*stride > 0) ? last : first;
    const auto within = is_min ? (is_signed ? llvm::ICmpInst::ICMP_SLE : llvm::ICmpInst::ICMP_ULE)
                               : (is_signed ? llvm::ICmpInst::ICMP_SGE : llvm::ICmpInst::ICMP_UGE);
    conditions.push_back(builder_.CreateICmp(within, outermost, limit));
    return first;
  }
  default:
    return nullptr;
  }
}

// Branches to `together`, where the active lanes' addresses are the returned one and its followers,
// or to `apart`.
llvm::Value* Emitter::branch_on_line(const llvm::Value& address, Stride stride, unsigned row,
                                     llvm::BasicBlock* together, llvm::BasicBlock* apart) {
  llvm::SmallVector<llvm::Value*, 4> conditions;
  auto found = likely_;
  if (auto* first = likely_first(address, row, conditions, 0)) {
    llvm::Value* all = builder_.getTrue();
    for (auto* condition : conditions)
      all = builder_.CreateAnd(all, condition);
    if (conditions.empty())
      builder_.CreateBr(together);
    else
      builder_.CreateCondBr(all, together, apart);
    return first;
  }
  likely_ = std::move(found); // what is found under conditions that are not looked at is not
  auto* addresses = lanes(address, row);
  auto* first = builder_.CreateExtractElement(addresses, std::uint64_t{0});
  builder_.CreateCondBr(are_consecutive(addresses, stride, row), together, apart);
  return first;
}

} // namespace heddle::compiler
