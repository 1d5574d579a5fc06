// Functions of work-groups and sub-groups: OpGroup*, OpGroupNonUniform* and the older sub-group
// instructions of extensions.
#include "compiler/spirv/translator.h"
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

} // namespace

Translator::GroupScope Translator::group_scope(Word number) {
  const auto* scope = llvm::dyn_cast<llvm::ConstantInt>(integer(number, "the execution scope"));
  require(scope != nullptr, "the execution scope is a constant");
  if (scope->getZExtValue() == static_cast<Word>(spv::Scope::Workgroup))
    return GroupScope::work_group;
  require(scope->getZExtValue() == static_cast<Word>(spv::Scope::Subgroup),
          "the execution scope is the work-group or the sub-group");
  return GroupScope::sub_group;
}

void Translator::group_arithmetic(const Instruction& instruction, llvm::StringRef how, Sign sign,
                                  bool non_uniform) {
  const auto scope = group_scope(instruction[3]);
  require(!non_uniform || scope == GroupScope::sub_group, "the execution scope is the sub-group");
  auto* type = result_type(instruction).llvm;
  auto* given = value_of(instruction[5], type, "the operand");
  const bool is_logical = how.starts_with("logical");
  require(is_logical ? type->isIntegerTy(1) : is_number(type), "the operand is a number");
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
    given = from_bool(given);
    result = given->getType();
  }
  arguments.push_back(argument(given, sign));
  if (operation == 3) {
    require(non_uniform && instruction.size() > 6, "a clustered reduction has a cluster's size");
    const auto size = constant_number(instruction[6], "the cluster's size");
    require(size != 0 && (size & (size - 1)) == 0, "the cluster's size is a power of two");
    name += "_clustered_reduce_";
    arguments.push_back({builder_.getInt32(static_cast<Word>(size)),
                         mangled(builder_.getInt32Ty(), Sign::is_unsigned)});
  } else {
    require(operation < 3, "the group operation is Reduce, InclusiveScan or ExclusiveScan");
    name += non_uniform ? "_non_uniform" : "";
    name += operation == 0 ? "_reduce_" : operation == 1 ? "_scan_inclusive_" : "_scan_exclusive_";
  }
  llvm::Value* made = nullptr;
  // The work-group functions are of 32 and 64 bits.
  const auto bits = result->getScalarSizeInBits();
  if (scope == GroupScope::work_group && result->isIntegerTy() && bits < 32) {
    auto* wide = builder_.getInt32Ty();
    require(operation != 2 || (how != "min" && how != "max"),
            "exclusive minima and maxima of a work-group are of 32 or 64 bits");
    auto* extended = sign == Sign::is_signed ? builder_.CreateSExt(given, wide)
                                             : builder_.CreateZExt(given, wide);
    made = builder_.CreateTrunc(
        call_builtin(name + how.str(), wide, {argument(extended, sign)}, Effect::any), result);
  } else {
    made = call_builtin(name + how.str(), result, arguments, Effect::any);
  }
  define_result(instruction, is_logical ? to_bool(made) : made);
}

void Translator::group(const Instruction& instruction) {
  for (const auto& entry : kArithmetic)
    if (entry.op == instruction.op)
      return group_arithmetic(instruction, entry.how, entry.sign, entry.non_uniform);
  const auto scope = group_scope(instruction[3]);
  const std::string prefix = scope == GroupScope::work_group ? "work_group" : "sub_group";
  auto* i32 = builder_.getInt32Ty();
  if (instruction.op == Op::OpGroupAll || instruction.op == Op::OpGroupAny) {
    auto* given = value_of(instruction[4], builder_.getInt1Ty(), "the predicate");
    define_result(
        instruction,
        to_bool(call_builtin(prefix + (instruction.op == Op::OpGroupAll ? "_all" : "_any"), i32,
                             {argument(from_bool(given), Sign::is_signed)}, Effect::any)));
    return;
  }
  // OpGroupBroadcast
  const auto& result = result_type(instruction);
  auto* given = value_of(instruction[4], result.llvm, "the value");
  auto* scalar = given->getType()->getScalarType();
  require(is_number(scalar), "the value is a number or a vector of numbers");
  auto* place = value(instruction[5]);
  auto* places = llvm::dyn_cast<llvm::FixedVectorType>(place->getType());
  require(place->getType()->isIntOrIntVectorTy() &&
              (places == nullptr || places->getNumElements() <= 3),
          "the local id is an integer or a vector of two or three");
  llvm::SmallVector<Argument, 4> ids;
  auto* word = scope == GroupScope::work_group ? builder_.getInt64Ty() : i32;
  for (unsigned i = 0; i < (places != nullptr ? places->getNumElements() : 1); ++i) {
    auto* one = places != nullptr ? builder_.CreateExtractElement(place, i) : place;
    ids.push_back({builder_.CreateZExtOrTrunc(one, word), mangled(word, Sign::is_unsigned)});
  }
  require(scope == GroupScope::work_group || ids.size() == 1,
          "a sub-group's local id is one integer");
  const auto broadcast = [&](llvm::Value* component) -> llvm::Value* {
    auto* type = component->getType();
    const auto bits = type->getScalarSizeInBits();
    auto* wide = component;
    if (scope == GroupScope::work_group && type->isIntegerTy() && bits < 32)
      wide = builder_.CreateZExt(component, i32);
    llvm::SmallVector<Argument, 4> arguments = {argument(wide, Sign::is_signed)};
    arguments.append(ids.begin(), ids.end());
    auto* made = call_builtin(prefix + "_broadcast", wide->getType(), arguments, Effect::any);
    return wide == component ? made : builder_.CreateTrunc(made, type);
  };
  if (result.op != Op::OpTypeVector) {
    define_result(instruction, broadcast(given));
    return;
  }
  llvm::Value* all = llvm::PoisonValue::get(result.llvm);
  for (unsigned i = 0; i < result.count; ++i)
    all = builder_.CreateInsertElement(all, broadcast(builder_.CreateExtractElement(given, i)), i);
  define_result(instruction, all);
}

void Translator::group_non_uniform(const Instruction& instruction) {
  for (const auto& entry : kArithmetic)
    if (entry.op == instruction.op)
      return group_arithmetic(instruction, entry.how, entry.sign, entry.non_uniform);
  require(group_scope(instruction[3]) == GroupScope::sub_group,
          "the execution scope is the sub-group");
  auto* i32 = builder_.getInt32Ty();
  const auto& result = result_type(instruction);
  const auto u32 = mangled(i32, Sign::is_unsigned);
  const auto number = [&](unsigned index) -> Argument {
    return {builder_.CreateZExtOrTrunc(integer(instruction[index], "an invocation's id"), i32),
            u32};
  };
  const auto predicate = [&](unsigned index) {
    return argument(from_bool(value_of(instruction[index], builder_.getInt1Ty(), "the predicate")),
                    Sign::is_signed);
  };
  auto* ballot = llvm::FixedVectorType::get(i32, 4);
  const auto ballot_value = [&](unsigned index) {
    return argument(value_of(instruction[index], ballot, "the ballot"), Sign::is_unsigned);
  };
  const auto predicate_result = [&](llvm::StringRef name, llvm::ArrayRef<Argument> arguments) {
    require(result.op == Op::OpTypeBool, "the result is boolean");
    define_result(instruction, to_bool(call_builtin(name, i32, arguments, Effect::any)));
  };
  const auto number_result = [&](llvm::StringRef name, llvm::ArrayRef<Argument> arguments) {
    require(result.op == Op::OpTypeInt, "the result is an integer");
    define_result(instruction, builder_.CreateZExtOrTrunc(
                                   call_builtin(name, i32, arguments, Effect::any), result.llvm));
  };
  // Moves of a value of any type between lanes, component by component.
  const auto move = [&](llvm::StringRef name, llvm::ArrayRef<Argument> rest) {
    auto* given = value_of(instruction[4], result.llvm, "the value");
    auto* scalar = result.llvm->getScalarType();
    const bool is_bool = scalar->isIntegerTy(1);
    require(is_number(scalar) || is_bool, "the value is a number, a boolean or a vector");
    const auto one = [&](llvm::Value* component) -> llvm::Value* {
      auto* wide = is_bool ? from_bool(component) : component;
      llvm::SmallVector<Argument, 3> arguments = {argument(wide, Sign::is_signed)};
      arguments.append(rest.begin(), rest.end());
      auto* made = call_builtin(name, wide->getType(), arguments, Effect::any);
      return is_bool ? to_bool(made) : made;
    };
    if (result.op != Op::OpTypeVector) {
      define_result(instruction, one(given));
      return;
    }
    llvm::Value* all = llvm::PoisonValue::get(result.llvm);
    for (unsigned i = 0; i < result.count; ++i)
      all = builder_.CreateInsertElement(all, one(builder_.CreateExtractElement(given, i)), i);
    define_result(instruction, all);
  };
  switch (instruction.op) {
  case Op::OpGroupNonUniformElect:
    return predicate_result("sub_group_elect", {});
  case Op::OpGroupNonUniformAll:
    return predicate_result("sub_group_non_uniform_all", {predicate(4)});
  case Op::OpGroupNonUniformAny:
    return predicate_result("sub_group_non_uniform_any", {predicate(4)});
  case Op::OpGroupNonUniformAllEqual: {
    require(result.op == Op::OpTypeBool, "the result is boolean");
    auto* given = value(instruction[4]);
    auto* scalar = given->getType()->getScalarType();
    require(is_number(scalar) || scalar->isIntegerTy(1), "the value is a number or a vector");
    const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(given->getType());
    llvm::Value* all = builder_.getTrue();
    for (unsigned i = 0; i < (vector != nullptr ? vector->getNumElements() : 1); ++i) {
      auto* one = vector != nullptr ? builder_.CreateExtractElement(given, i) : given;
      if (scalar->isIntegerTy(1))
        one = from_bool(one);
      auto* equal = to_bool(call_builtin("sub_group_non_uniform_all_equal", i32,
                                         {argument(one, Sign::is_signed)}, Effect::any));
      all = builder_.CreateAnd(all, equal);
    }
    define_result(instruction, all);
    return;
  }
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
      const auto size = constant_number(instruction[6], "the cluster's size");
      require(size != 0 && (size & (size - 1)) == 0, "the cluster's size is a power of two");
      return move("sub_group_clustered_rotate",
                  {{number(5).value, mangled(i32, Sign::is_signed)},
                   {builder_.getInt32(static_cast<Word>(size)), u32}});
    }
    return move("sub_group_rotate", {{number(5).value, mangled(i32, Sign::is_signed)}});
  case Op::OpGroupNonUniformBallot: {
    require(result.llvm == ballot, "a ballot is a vector of four integers of 32 bits");
    define_result(instruction,
                  call_builtin("sub_group_ballot", ballot, {predicate(4)}, Effect::any));
    return;
  }
  case Op::OpGroupNonUniformInverseBallot:
    return predicate_result("sub_group_inverse_ballot", {ballot_value(4)});
  case Op::OpGroupNonUniformBallotBitExtract:
    return predicate_result("sub_group_ballot_bit_extract", {ballot_value(4), number(5)});
  case Op::OpGroupNonUniformBallotBitCount: {
    const auto operation = instruction[4];
    require(operation < 3, "the group operation is Reduce, InclusiveScan or ExclusiveScan");
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
    refuse("the group instruction is not supported");
  }
}

// Of extensions from before OpGroupNonUniform*: shuffles of SPV_INTEL_subgroups, ballots and votes
// of SPV_KHR_shader_ballot and SPV_KHR_subgroup_vote.
void Translator::sub_group_shuffle(const Instruction& instruction) {
  const auto& result = result_type(instruction);
  auto* i32 = builder_.getInt32Ty();
  const auto u32 = mangled(i32, Sign::is_unsigned);
  const auto predicate = [&] {
    return argument(from_bool(value_of(instruction[3], builder_.getInt1Ty(), "the predicate")),
                    Sign::is_signed);
  };
  switch (instruction.op) {
  case Op::OpSubgroupBallotKHR: {
    auto* ballot = llvm::FixedVectorType::get(i32, 4);
    require(result.llvm == ballot, "a ballot is a vector of four integers of 32 bits");
    define_result(instruction,
                  call_builtin("sub_group_ballot", ballot, {predicate()}, Effect::any));
    return;
  }
  case Op::OpSubgroupAllKHR:
  case Op::OpSubgroupAnyKHR:
  case Op::OpSubgroupAllEqualKHR: {
    require(result.op == Op::OpTypeBool, "the result is boolean");
    const auto* name = instruction.op == Op::OpSubgroupAllKHR   ? "sub_group_non_uniform_all"
                       : instruction.op == Op::OpSubgroupAnyKHR ? "sub_group_non_uniform_any"
                                                                : "sub_group_non_uniform_all_equal";
    define_result(instruction, to_bool(call_builtin(name, i32, {predicate()}, Effect::any)));
    return;
  }
  default:
    break;
  }
  auto* given = value_of(instruction[3], result.llvm, "the data");
  require(is_number(result.llvm->getScalarType()), "the data is a number or a vector of numbers");
  const bool is_pair = instruction.op == Op::OpSubgroupShuffleDownINTEL ||
                       instruction.op == Op::OpSubgroupShuffleUpINTEL;
  auto* other = is_pair ? value_of(instruction[4], result.llvm, "the data") : nullptr;
  auto* distance =
      builder_.CreateZExtOrTrunc(integer(instruction[is_pair ? 5 : 4], "an invocation's id"), i32);
  const auto shuffled = [&](llvm::Value* data, llvm::Value* lane) {
    return call_builtin("sub_group_shuffle", data->getType(),
                        {argument(data, Sign::is_signed), {lane, u32}}, Effect::any);
  };
  const auto one = [&](llvm::Value* first, llvm::Value* second) -> llvm::Value* {
    switch (instruction.op) {
    case Op::OpSubgroupShuffleINTEL:
    case Op::OpSubgroupReadInvocationKHR:
      return shuffled(first, distance);
    case Op::OpSubgroupShuffleXorINTEL:
      return call_builtin("sub_group_shuffle_xor", first->getType(),
                          {argument(first, Sign::is_signed), {distance, u32}}, Effect::any);
    default:
      break;
    }
    // The two are one row of twice the sub-group's lanes: down reads ahead of the own lane in
    // (first, second), up reads back of it, second being the current one.
    auto* lane = call_named("_Z22get_sub_group_local_idv", i32, {}, Effect::none);
    auto* size = call_named("_Z22get_max_sub_group_sizev", i32, {}, Effect::none);
    if (instruction.op == Op::OpSubgroupShuffleDownINTEL) {
      auto* at = builder_.CreateAdd(lane, distance);
      auto* in_first = builder_.CreateICmpULT(at, size);
      return builder_.CreateSelect(in_first, shuffled(first, at),
                                   shuffled(second, builder_.CreateSub(at, size)));
    }
    auto* in_second = builder_.CreateICmpUGE(lane, distance);
    auto* at = builder_.CreateSub(lane, distance);
    return builder_.CreateSelect(in_second, shuffled(second, at),
                                 shuffled(first, builder_.CreateAdd(at, size)));
  };
  if (result.op != Op::OpTypeVector) {
    define_result(instruction, one(given, other));
    return;
  }
  llvm::Value* all = llvm::PoisonValue::get(result.llvm);
  for (unsigned i = 0; i < result.count; ++i)
    all = builder_.CreateInsertElement(
        all,
        one(builder_.CreateExtractElement(given, i),
            other != nullptr ? builder_.CreateExtractElement(other, i) : nullptr),
        i);
  define_result(instruction, all);
}

} // namespace heddle::compiler::spirv
