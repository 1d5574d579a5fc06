// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of work-groups and sub-groups: OpGroup*, OpGroupNonUniform* and the older sub-group
// instructions of extensions.
#include "compiler/spirv/readers.h"
#include "llvm/IR/Constants.h"

namespace heddle::compiler::spirv {
namespace {

using Op = spv::Op;

struct Arithmetic {
  Op op;
  llvm::StringLiteral how;
  Sign sign;
  bool non_uniform;
};

constexpr Arithmetic kArithmetic[] = {
    {Op::OpGroupIAdd, "add", Sign::is_signed, false},
    {Op::OpGroupFAdd, "add", Sign::is_signed, false},
    {Op::OpGroupFMin, "min", Sign::is_signed, false},
    {Op::OpGroupUMin, "min", Sign::is_unsigned, false},
    {Op::OpGroupSMin, "min", Sign::is_signed, false},
    {Op::OpGroupFMax, "max", Sign::is_signed, false},
    {Op::OpGroupUMax, "max", Sign::is_unsigned, false},
    {Op::OpGroupSMax, "max", Sign::is_signed, false},
    {Op::OpGroupIMulKHR, "mul", Sign::is_signed, false},
    {Op::OpGroupFMulKHR, "mul", Sign::is_signed, false},
    {Op::OpGroupBitwiseAndKHR, "and", Sign::is_signed, false},
    {Op::OpGroupBitwiseOrKHR, "or", Sign::is_signed, false},
    {Op::OpGroupBitwiseXorKHR, "xor", Sign::is_signed, false},
    {Op::OpGroupLogicalAndKHR, "logical_and", Sign::is_signed, false},
    {Op::OpGroupLogicalOrKHR, "logical_or", Sign::is_signed, false},
    {Op::OpGroupLogicalXorKHR, "logical_xor", Sign::is_signed, false},
    {Op::OpGroupNonUniformIAdd, "add", Sign::is_signed, true},
    {Op::OpGroupNonUniformFAdd, "add", Sign::is_signed, true},
    {Op::OpGroupNonUniformIMul, "mul", Sign::is_signed, true},
    {Op::OpGroupNonUniformFMul, "mul", Sign::is_signed, true},
    {Op::OpGroupNonUniformSMin, "min", Sign::is_signed, true},
    {Op::OpGroupNonUniformUMin, "min", Sign::is_unsigned, true},
    {Op::OpGroupNonUniformFMin, "min", Sign::is_signed, true},
    {Op::OpGroupNonUniformSMax, "max", Sign::is_signed, true},
    {Op::OpGroupNonUniformUMax, "max", Sign::is_unsigned, true},
    {Op::OpGroupNonUniformFMax, "max", Sign::is_signed, true},
    {Op::OpGroupNonUniformBitwiseAnd, "and", Sign::is_signed, true},
    {Op::OpGroupNonUniformBitwiseOr, "or", Sign::is_signed, true},
    {Op::OpGroupNonUniformBitwiseXor, "xor", Sign::is_signed, true},
    {Op::OpGroupNonUniformLogicalAnd, "logical_and", Sign::is_signed, true},
    {Op::OpGroupNonUniformLogicalOr, "logical_or", Sign::is_signed, true},
    {Op::OpGroupNonUniformLogicalXor, "logical_xor", Sign::is_signed, true},
};

bool is_number(const llvm::Type* type) {
  return type->isFloatingPointTy() || (type->isIntegerTy() && !type->isIntegerTy(1));
}

void group_arithmetic(Translation& t, const Instruction& instruction, llvm::StringRef how,
                      Sign sign, bool non_uniform) {
  const auto scope = group_scope(t, instruction[3]);
  t.require(!non_uniform || scope == GroupScope::sub_group, "the execution scope is the sub-group");
  auto* type = t.result_type(instruction).llvm;
  auto* given = t.value_of(instruction[5], type, "the operand");
  const bool is_logical = how.starts_with("logical");
  t.require(is_logical ? type->isIntegerTy(1) : is_number(type), "the operand is a number");
  const auto operation = instruction[4];
  // Those that sub-groups have only as non-uniform functions, and work-groups only of integers.
  if (scope == GroupScope::sub_group && how != "add" && how != "min" && how != "max")
    non_uniform = true;
  else if (is_logical)
    how = how.drop_front(llvm::StringRef("logical_").size());
  std::string name = scope == GroupScope::work_group ? "work_group" : "sub_group";
  llvm::SmallVector<Argument, 2> arguments;
  auto* result = type;
  if (is_logical) {
    given = t.from_bool(given);
    result = given->getType();
  }
  arguments.push_back(t.argument(given, sign));
  if (operation == 3) {
    t.require(non_uniform && instruction.size() > 6, "a clustered reduction has a cluster's size");
    const auto size = t.constant_number(instruction[6], "the cluster's size");
    t.require(size != 0 && (size & (size - 1)) == 0, "the cluster's size is a power of two");
    name += "_clustered_reduce_";
    arguments.push_back({t.builder.getInt32(static_cast<Word>(size)),
                         t.mangled(t.builder.getInt32Ty(), Sign::is_unsigned)});
  } else {
    t.require(operation < 3, "the group operation is Reduce, InclusiveScan or ExclusiveScan");
    name += non_uniform ? "_non_uniform" : "";
    name += operation == 0 ? "_reduce_" : operation == 1 ? "_scan_inclusive_" : "_scan_exclusive_";
  }
  llvm::Value* made = nullptr;
  // The work-group functions are of 32 and 64 bits.
  const auto bits = result->getScalarSizeInBits();
  if (scope == GroupScope::work_group && result->isIntegerTy() && bits < 32) {
    auto* wide = t.builder.getInt32Ty();
    t.require(operation != 2 || (how != "min" && how != "max"),
              "exclusive minima and maxima of a work-group are of 32 or 64 bits");
    auto* extended = sign == Sign::is_signed ? t.builder.CreateSExt(given, wide)
                                             : t.builder.CreateZExt(given, wide);
    made = t.builder.CreateTrunc(
        t.call_builtin(name + how.str(), wide, {t.argument(extended, sign)}, Effect::any), result);
  } else {
    made = t.call_builtin(name + how.str(), result, arguments, Effect::any);
  }
  t.define_result(instruction, is_logical ? t.to_bool(made) : made);
}

void group(Translation& t, const Instruction& instruction) {
  for (const auto& entry : kArithmetic)
    if (entry.op == instruction.op)
      return group_arithmetic(t, instruction, entry.how, entry.sign, entry.non_uniform);
  const auto scope = group_scope(t, instruction[3]);
  const std::string prefix = scope == GroupScope::work_group ? "work_group" : "sub_group";
  auto* i32 = t.builder.getInt32Ty();
  if (instruction.op == Op::OpGroupAll || instruction.op == Op::OpGroupAny) {
    auto* given = t.value_of(instruction[4], t.builder.getInt1Ty(), "the predicate");
    t.define_result(
        instruction,
        t.to_bool(t.call_builtin(prefix + (instruction.op == Op::OpGroupAll ? "_all" : "_any"), i32,
                                 {t.argument(t.from_bool(given), Sign::is_signed)}, Effect::any)));
    return;
  }
  // OpGroupBroadcast
  const auto& result = t.result_type(instruction);
  auto* given = t.value_of(instruction[4], result.llvm, "the value");
  auto* scalar = given->getType()->getScalarType();
  t.require(is_number(scalar), "the value is a number or a vector of numbers");
  auto* place = t.value(instruction[5]);
  auto* places = llvm::dyn_cast<llvm::FixedVectorType>(place->getType());
  t.require(place->getType()->isIntOrIntVectorTy() &&
                (places == nullptr || places->getNumElements() <= 3),
            "the local id is an integer or a vector of two or three");
  llvm::SmallVector<Argument, 4> ids;
  auto* word = scope == GroupScope::work_group ? t.builder.getInt64Ty() : i32;
  for (unsigned i = 0; i < (places != nullptr ? places->getNumElements() : 1); ++i) {
    auto* one = places != nullptr ? t.builder.CreateExtractElement(place, i) : place;
    ids.push_back({t.builder.CreateZExtOrTrunc(one, word), t.mangled(word, Sign::is_unsigned)});
  }
  t.require(scope == GroupScope::work_group || ids.size() == 1,
            "a sub-group's local id is one integer");
  const auto broadcast = [&](llvm::Value* component) -> llvm::Value* {
    auto* type = component->getType();
    const auto bits = type->getScalarSizeInBits();
    auto* wide = component;
    if (scope == GroupScope::work_group && type->isIntegerTy() && bits < 32)
      wide = t.builder.CreateZExt(component, i32);
    llvm::SmallVector<Argument, 4> arguments = {t.argument(wide, Sign::is_signed)};
    arguments.append(ids.begin(), ids.end());
    auto* made = t.call_builtin(prefix + "_broadcast", wide->getType(), arguments, Effect::any);
    return wide == component ? made : t.builder.CreateTrunc(made, type);
  };
  if (result.op != Op::OpTypeVector) {
    t.define_result(instruction, broadcast(given));
    return;
  }
  llvm::Value* all = llvm::PoisonValue::get(result.llvm);
  for (unsigned i = 0; i < result.count; ++i)
    all =
        t.builder.CreateInsertElement(all, broadcast(t.builder.CreateExtractElement(given, i)), i);
  t.define_result(instruction, all);
}

// Moves a value of any type between lanes, component by component.
void move_between_lanes(Translation& t, const Instruction& instruction, llvm::StringRef name,
                        llvm::ArrayRef<Argument> rest) {
  const auto& result = t.result_type(instruction);
  auto* given = t.value_of(instruction[4], result.llvm, "the value");
  auto* scalar = result.llvm->getScalarType();
  const bool is_bool = scalar->isIntegerTy(1);
  t.require(is_number(scalar) || is_bool, "the value is a number, a boolean or a vector");
  const auto one = [&](llvm::Value* component) -> llvm::Value* {
    auto* wide = is_bool ? t.from_bool(component) : component;
    llvm::SmallVector<Argument, 3> arguments = {t.argument(wide, Sign::is_signed)};
    arguments.append(rest.begin(), rest.end());
    auto* made = t.call_builtin(name, wide->getType(), arguments, Effect::any);
    return is_bool ? t.to_bool(made) : made;
  };
  if (result.op != Op::OpTypeVector) {
    t.define_result(instruction, one(given));
    return;
  }
  llvm::Value* all = llvm::PoisonValue::get(result.llvm);
  for (unsigned i = 0; i < result.count; ++i)
    all = t.builder.CreateInsertElement(all, one(t.builder.CreateExtractElement(given, i)), i);
  t.define_result(instruction, all);
}

void all_equal(Translation& t, const Instruction& instruction) {
  t.require(group_scope(t, instruction[3]) == GroupScope::sub_group,
            "the execution scope is the sub-group");
  t.require(t.result_type(instruction).op == Op::OpTypeBool, "the result is boolean");
  auto* given = t.value(instruction[4]);
  auto* scalar = given->getType()->getScalarType();
  t.require(is_number(scalar) || scalar->isIntegerTy(1), "the value is a number or a vector");
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(given->getType());
  llvm::Value* all = t.builder.getTrue();
  for (unsigned i = 0; i < (vector != nullptr ? vector->getNumElements() : 1); ++i) {
    auto* one = vector != nullptr ? t.builder.CreateExtractElement(given, i) : given;
    if (scalar->isIntegerTy(1))
      one = t.from_bool(one);
    auto* equal =
        t.to_bool(t.call_builtin("sub_group_non_uniform_all_equal", t.builder.getInt32Ty(),
                                 {t.argument(one, Sign::is_signed)}, Effect::any));
    all = t.builder.CreateAnd(all, equal);
  }
  t.define_result(instruction, all);
}

void group_non_uniform(Translation& t, const Instruction& instruction) {
  for (const auto& entry : kArithmetic)
    if (entry.op == instruction.op)
      return group_arithmetic(t, instruction, entry.how, entry.sign, entry.non_uniform);
  t.require(group_scope(t, instruction[3]) == GroupScope::sub_group,
            "the execution scope is the sub-group");
  auto* i32 = t.builder.getInt32Ty();
  const auto& result = t.result_type(instruction);
  const auto u32 = t.mangled(i32, Sign::is_unsigned);
  const auto number = [&](unsigned index) -> Argument {
    return {t.builder.CreateZExtOrTrunc(t.integer(instruction[index], "an invocation's id"), i32),
            u32};
  };
  const auto predicate = [&](unsigned index) {
    return t.argument(
        t.from_bool(t.value_of(instruction[index], t.builder.getInt1Ty(), "the predicate")),
        Sign::is_signed);
  };
  auto* ballot = llvm::FixedVectorType::get(i32, 4);
  const auto ballot_value = [&](unsigned index) {
    return t.argument(t.value_of(instruction[index], ballot, "the ballot"), Sign::is_unsigned);
  };
  const auto predicate_result = [&](llvm::StringRef name, llvm::ArrayRef<Argument> arguments) {
    t.require(result.op == Op::OpTypeBool, "the result is boolean");
    t.define_result(instruction, t.to_bool(t.call_builtin(name, i32, arguments, Effect::any)));
  };
  const auto number_result = [&](llvm::StringRef name, llvm::ArrayRef<Argument> arguments) {
    t.require(result.op == Op::OpTypeInt, "the result is an integer");
    t.define_result(instruction,
                    t.builder.CreateZExtOrTrunc(t.call_builtin(name, i32, arguments, Effect::any),
                                                result.llvm));
  };
  const auto move = [&](llvm::StringRef name, llvm::ArrayRef<Argument> rest) {
    move_between_lanes(t, instruction, name, rest);
  };
  switch (instruction.op) {
  case Op::OpGroupNonUniformElect:
    return predicate_result("sub_group_elect", {});
  case Op::OpGroupNonUniformAll:
    return predicate_result("sub_group_non_uniform_all", {predicate(4)});
  case Op::OpGroupNonUniformAny:
    return predicate_result("sub_group_non_uniform_any", {predicate(4)});
  case Op::OpGroupNonUniformBroadcast:
    return move("sub_group_non_uniform_broadcast", {number(5)});
  case Op::OpGroupNonUniformBroadcastFirst:
    return move("sub_group_broadcast_first", {});
  case Op::OpGroupNonUniformShuffle:
    return move("sub_group_shuffle", {number(5)});
  case Op::OpGroupNonUniformShuffleXor:
    return move("sub_group_shuffle_xor", {number(5)});
  case Op::OpGroupNonUniformShuffleUp:
    return move("sub_group_shuffle_up", {number(5)});
  case Op::OpGroupNonUniformShuffleDown:
    return move("sub_group_shuffle_down", {number(5)});
  case Op::OpGroupNonUniformRotateKHR:
    if (instruction.size() > 6) {
      const auto size = t.constant_number(instruction[6], "the cluster's size");
      t.require(size != 0 && (size & (size - 1)) == 0, "the cluster's size is a power of two");
      return move("sub_group_clustered_rotate",
                  {{number(5).value, t.mangled(i32, Sign::is_signed)},
                   {t.builder.getInt32(static_cast<Word>(size)), u32}});
    }
    return move("sub_group_rotate", {{number(5).value, t.mangled(i32, Sign::is_signed)}});
  case Op::OpGroupNonUniformBallot: {
    t.require(result.llvm == ballot, "a ballot is a vector of four integers of 32 bits");
    t.define_result(instruction,
                    t.call_builtin("sub_group_ballot", ballot, {predicate(4)}, Effect::any));
    return;
  }
  case Op::OpGroupNonUniformInverseBallot:
    return predicate_result("sub_group_inverse_ballot", {ballot_value(4)});
  case Op::OpGroupNonUniformBallotBitExtract:
    return predicate_result("sub_group_ballot_bit_extract", {ballot_value(4), number(5)});
  case Op::OpGroupNonUniformBallotBitCount: {
    const auto operation = instruction[4];
    t.require(operation < 3, "the group operation is Reduce, InclusiveScan or ExclusiveScan");
    return number_result(operation == 0   ? "sub_group_ballot_bit_count"
                         : operation == 1 ? "sub_group_ballot_inclusive_scan"
                                          : "sub_group_ballot_exclusive_scan",
                         {ballot_value(5)});
  }
  case Op::OpGroupNonUniformBallotFindLSB:
    return number_result("sub_group_ballot_find_lsb", {ballot_value(4)});
  case Op::OpGroupNonUniformBallotFindMSB:
    return number_result("sub_group_ballot_find_msb", {ballot_value(4)});
  default:
    t.refuse("the group instruction is not supported");
  }
}

// Of extensions from before OpGroupNonUniform*: shuffles of SPV_INTEL_subgroups, ballots and votes
// of SPV_KHR_shader_ballot and SPV_KHR_subgroup_vote.
void sub_group_shuffle(Translation& t, const Instruction& instruction) {
  const auto& result = t.result_type(instruction);
  auto* i32 = t.builder.getInt32Ty();
  const auto u32 = t.mangled(i32, Sign::is_unsigned);
  const auto predicate = [&] {
    return t.argument(
        t.from_bool(t.value_of(instruction[3], t.builder.getInt1Ty(), "the predicate")),
        Sign::is_signed);
  };
  switch (instruction.op) {
  case Op::OpSubgroupBallotKHR: {
    auto* ballot = llvm::FixedVectorType::get(i32, 4);
    t.require(result.llvm == ballot, "a ballot is a vector of four integers of 32 bits");
    t.define_result(instruction,
                    t.call_builtin("sub_group_ballot", ballot, {predicate()}, Effect::any));
    return;
  }
  case Op::OpSubgroupAllKHR:
  case Op::OpSubgroupAnyKHR:
  case Op::OpSubgroupAllEqualKHR: {
    t.require(result.op == Op::OpTypeBool, "the result is boolean");
    const auto* name = instruction.op == Op::OpSubgroupAllKHR   ? "sub_group_non_uniform_all"
                       : instruction.op == Op::OpSubgroupAnyKHR ? "sub_group_non_uniform_any"
                                                                : "sub_group_non_uniform_all_equal";
    t.define_result(instruction, t.to_bool(t.call_builtin(name, i32, {predicate()}, Effect::any)));
    return;
  }
  default:
    break;
  }
  auto* given = t.value_of(instruction[3], result.llvm, "the data");
  t.require(is_number(result.llvm->getScalarType()), "the data is a number or a vector of numbers");
  const bool is_pair = instruction.op == Op::OpSubgroupShuffleDownINTEL ||
                       instruction.op == Op::OpSubgroupShuffleUpINTEL;
  auto* other = is_pair ? t.value_of(instruction[4], result.llvm, "the data") : nullptr;
  auto* distance = t.builder.CreateZExtOrTrunc(
      t.integer(instruction[is_pair ? 5 : 4], "an invocation's id"), i32);
  const auto shuffled = [&](llvm::Value* data, llvm::Value* lane) {
    return t.call_builtin("sub_group_shuffle", data->getType(),
                          {t.argument(data, Sign::is_signed), {lane, u32}}, Effect::any);
  };
  const auto one = [&](llvm::Value* first, llvm::Value* second) -> llvm::Value* {
    switch (instruction.op) {
    case Op::OpSubgroupShuffleINTEL:
    case Op::OpSubgroupReadInvocationKHR:
      return shuffled(first, distance);
    case Op::OpSubgroupShuffleXorINTEL:
      return t.call_builtin("sub_group_shuffle_xor", first->getType(),
                            {t.argument(first, Sign::is_signed), {distance, u32}}, Effect::any);
    default:
      break;
    }
    // The two are one row of twice the sub-group's lanes: down reads ahead of the own lane in
    // (first, second), up reads back of it, second being the current one.
    auto* lane = t.call_named("_Z22get_sub_group_local_idv", i32, {}, Effect::none);
    auto* size = t.call_named("_Z22get_max_sub_group_sizev", i32, {}, Effect::none);
    if (instruction.op == Op::OpSubgroupShuffleDownINTEL) {
      auto* at = t.builder.CreateAdd(lane, distance);
      auto* in_first = t.builder.CreateICmpULT(at, size);
      return t.builder.CreateSelect(in_first, shuffled(first, at),
                                    shuffled(second, t.builder.CreateSub(at, size)));
    }
    auto* in_second = t.builder.CreateICmpUGE(lane, distance);
    auto* at = t.builder.CreateSub(lane, distance);
    return t.builder.CreateSelect(in_second, shuffled(second, at),
                                  shuffled(first, t.builder.CreateAdd(at, size)));
  };
  if (result.op != Op::OpTypeVector) {
    t.define_result(instruction, one(given, other));
    return;
  }
  llvm::Value* all = llvm::PoisonValue::get(result.llvm);
  for (unsigned i = 0; i < result.count; ++i)
    all = t.builder.CreateInsertElement(
        all,
        one(t.builder.CreateExtractElement(given, i),
            other != nullptr ? t.builder.CreateExtractElement(other, i) : nullptr),
        i);
  t.define_result(instruction, all);
}

} // namespace

GroupScope group_scope(Translation& t, Word number) {
  const auto* scope = llvm::dyn_cast<llvm::ConstantInt>(t.integer(number, "the execution scope"));
  t.require(scope != nullptr, "the execution scope is a constant");
  if (scope->getZExtValue() == static_cast<Word>(spv::Scope::Workgroup))
    return GroupScope::work_group;
  t.require(scope->getZExtValue() == static_cast<Word>(spv::Scope::Subgroup),
            "the execution scope is the work-group or the sub-group");
  return GroupScope::sub_group;
}

void add_groups(Readers& readers) {
  readers.add(group,
              {Op::OpGroupAll, Op::OpGroupAny, Op::OpGroupBroadcast, Op::OpGroupIAdd,
               Op::OpGroupFAdd, Op::OpGroupFMin, Op::OpGroupUMin, Op::OpGroupSMin, Op::OpGroupFMax,
               Op::OpGroupUMax, Op::OpGroupSMax, Op::OpGroupIMulKHR, Op::OpGroupFMulKHR,
               Op::OpGroupBitwiseAndKHR, Op::OpGroupBitwiseOrKHR, Op::OpGroupBitwiseXorKHR,
               Op::OpGroupLogicalAndKHR, Op::OpGroupLogicalOrKHR, Op::OpGroupLogicalXorKHR});
  readers.add(sub_group_shuffle,
              {Op::OpSubgroupBallotKHR, Op::OpSubgroupAllKHR, Op::OpSubgroupAnyKHR,
               Op::OpSubgroupAllEqualKHR, Op::OpSubgroupReadInvocationKHR,
               Op::OpSubgroupShuffleINTEL, Op::OpSubgroupShuffleDownINTEL,
               Op::OpSubgroupShuffleUpINTEL, Op::OpSubgroupShuffleXorINTEL});
  for (auto number = static_cast<Word>(Op::OpGroupNonUniformElect);
       number <= static_cast<Word>(Op::OpGroupNonUniformLogicalXor); ++number)
    readers.add(group_non_uniform, {op(number)});
  readers.add(group_non_uniform, {Op::OpGroupNonUniformRotateKHR});
  readers.add(all_equal, {Op::OpGroupNonUniformAllEqual});
}

} // namespace heddle::compiler::spirv
