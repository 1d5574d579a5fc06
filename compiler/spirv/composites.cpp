// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vectors, arrays and structures as values.
#include "compiler/spirv/readers.h"

namespace heddle::compiler::spirv {
namespace {

using Op = spv::Op;

// Newer than the SPIRV-Headers that Heddle is built with may be.
constexpr auto kArithmeticFence = static_cast<Op>(6145);

// Copied member by member: bounds the code that a few words of a module make.
constexpr std::uint64_t kMaxCopied = 1 << 16;

void construct(Translation& t, const Instruction& instruction) {
  const auto& result = t.result_type(instruction);
  const auto parts = instruction.from(3);
  llvm::Value* made = llvm::PoisonValue::get(t.sized_type(instruction[1], "the result"));
  if (result.op == Op::OpTypeVector) {
    unsigned at = 0;
    auto* element = t.type(result.element).llvm;
    for (const auto part : parts) {
      auto* given = t.value(part);
      const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(given->getType());
      t.require(given->getType()->getScalarType() == element,
                "a constituent has the component's type");
      const unsigned count = vector != nullptr ? vector->getNumElements() : 1;
      t.require(at + count <= result.count, "the constituents are as many as the components");
      for (unsigned i = 0; i < count; ++i)
        made = t.builder.CreateInsertElement(
            made, vector != nullptr ? t.builder.CreateExtractElement(given, i) : given, at++);
    }
    t.require(at == result.count, "the constituents are as many as the components");
  } else {
    t.require(result.op == Op::OpTypeStruct || result.op == Op::OpTypeArray,
              "the result is a vector, an array or a structure");
    const auto count = result.op == Op::OpTypeStruct ? result.members.size() : result.count;
    t.require(parts.size() == count, "there is a constituent for each member");
    for (unsigned i = 0; i < count; ++i)
      made = t.builder.CreateInsertValue(
          made, t.value_of(parts[i], member_index(t, &result, i)->llvm, "a constituent"), i);
  }
  t.define_result(instruction, made);
}

// Indices lead through structures and arrays, and may end in a vector.
void extract(Translation& t, const Instruction& instruction) {
  const auto indices = instruction.from(4);
  const auto& given = t.id(instruction[3]);
  // A component of a builtin variable that has just been loaded.
  if (given.kind == IdKind::value && indices.size() == 1)
    if (const auto which = t.body.loaded_builtins.find(given.value);
        which != t.body.loaded_builtins.end() && given.function == t.function_number &&
        indices[0] < 3) {
      t.define_result(instruction,
                      builtin_component(t, which->second, given.value->getType()->getScalarType(),
                                        t.builder.getInt32(indices[0])));
      return;
    }
  auto* from = t.value(instruction[3]);
  const auto* at = &t.type_of_value(instruction[3]);
  llvm::SmallVector<unsigned, 4> path;
  for (const auto index : indices) {
    const bool is_vector = at->op == Op::OpTypeVector;
    const auto* inner = member_index(t, at, index);
    if (is_vector) {
      if (!path.empty())
        from = t.builder.CreateExtractValue(from, path);
      path.clear();
      from = t.builder.CreateExtractElement(from, index);
    } else {
      path.push_back(index);
    }
    at = inner;
  }
  if (!path.empty())
    from = t.builder.CreateExtractValue(from, path);
  t.require(from->getType() == t.type(instruction[1]).llvm, "the result has the member's type");
  t.define_value(instruction[2], instruction[1], from);
}

void insert(Translation& t, const Instruction& instruction) {
  auto* object = t.value(instruction[3]);
  auto* whole = t.value_of(instruction[4], t.result_type(instruction).llvm, "the composite");
  const auto indices = instruction.from(5);
  const auto* at = &t.type_of_value(instruction[4]);
  llvm::SmallVector<unsigned, 4> path;
  const llvm::Value* in_vector = nullptr;
  Word last = 0;
  for (const auto index : indices) {
    t.require(in_vector == nullptr, "an index goes into a structure, an array or a vector");
    const auto* inner = member_index(t, at, index);
    if (at->op == Op::OpTypeVector) {
      in_vector = whole;
      last = index;
    } else {
      path.push_back(index);
    }
    at = inner;
  }
  t.require(object->getType() == at->llvm, "the object has the member's type");
  if (in_vector != nullptr) {
    auto* vector = path.empty() ? whole : t.builder.CreateExtractValue(whole, path);
    object = t.builder.CreateInsertElement(vector, object, last);
  }
  t.define_result(instruction,
                  path.empty() ? object : t.builder.CreateInsertValue(whole, object, path));
}

void shuffle(Translation& t, const Instruction& instruction) {
  const auto& result = t.result_type(instruction);
  auto* first = t.value(instruction[3]);
  auto* second = t.value(instruction[4]);
  auto* left = llvm::dyn_cast<llvm::FixedVectorType>(first->getType());
  auto* right = llvm::dyn_cast<llvm::FixedVectorType>(second->getType());
  t.require(result.op == Op::OpTypeVector && left != nullptr && right != nullptr &&
                left->getElementType() == right->getElementType() &&
                left->getElementType() == t.type(result.element).llvm,
            "the operands are vectors of the result's components");
  const auto components = instruction.from(5);
  t.require(components.size() == result.count, "there is a literal for each component");
  const auto count = left->getNumElements();
  const auto widest = std::max(count, right->getNumElements());
  llvm::SmallVector<int, 16> mask;
  for (const auto component : components) {
    if (component == 0xFFFFFFFF) {
      mask.push_back(-1);
      continue;
    }
    t.require(component < count + right->getNumElements(), "a literal is of one of the components");
    mask.push_back(static_cast<int>(component < count ? component : component - count + widest));
  }
  const auto widen = [&](llvm::Value* vector, unsigned has) {
    if (has == widest)
      return vector;
    llvm::SmallVector<int, 16> lanes;
    for (unsigned i = 0; i < widest; ++i)
      lanes.push_back(i < has ? static_cast<int>(i) : -1);
    return t.builder.CreateShuffleVector(vector, lanes);
  };
  t.define_result(instruction,
                  t.builder.CreateShuffleVector(widen(first, count),
                                                widen(second, right->getNumElements()), mask));
}

void vector_element(Translation& t, const Instruction& instruction) {
  auto* whole = t.value(instruction[3]);
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(whole->getType());
  t.require(vector != nullptr, "the first operand is a vector");
  const bool inserts = instruction.op == Op::OpVectorInsertDynamic;
  auto* index = t.builder.CreateZExtOrTrunc(t.integer(instruction[inserts ? 5 : 4], "an index"),
                                            t.builder.getInt64Ty());
  if (inserts)
    t.define_result(
        instruction,
        t.builder.CreateInsertElement(
            whole, t.value_of(instruction[4], vector->getElementType(), "the component"), index));
  else
    t.define_result(instruction, t.builder.CreateExtractElement(whole, index));
}

// OpCopyObject, OpExpectKHR and what is a hint or a name for what it is already.
void copy(Translation& t, const Instruction& instruction) {
  auto* given = t.value_of(instruction[3], t.result_type(instruction).llvm, "the operand");
  if (instruction.op == Op::OpExpectKHR) {
    t.require(given->getType()->isIntOrIntVectorTy(), "the operand is an integer or boolean");
    auto* expected = t.value_of(instruction[4], given->getType(), "the expected value");
    if (given->getType()->isIntegerTy()) // LLVM has no use for what is expected of vectors
      given =
          t.builder.CreateIntrinsic(llvm::Intrinsic::expect, {given->getType()}, {given, expected});
  } else if (instruction.op == kArithmeticFence) {
    t.require(given->getType()->isFPOrFPVectorTy(), "the operand is floating-point");
    t.builder.clearFastMathFlags();
    given = t.builder.CreateArithmeticFence(given, given->getType());
  }
  t.define_value(instruction[2], instruction[1], given);
}

void copy_logical(Translation& t, const Instruction& instruction) {
  t.define_result(instruction,
                  copied_logically(t, t.value(instruction[3]), t.type_of_value(instruction[3]),
                                   t.result_type(instruction)));
}

void assume(Translation& t, const Instruction& instruction) {
  t.builder.CreateAssumption(t.value_of(instruction[1], t.builder.getInt1Ty(), "the condition"));
}

} // namespace

const Type* member_index(const Translation& t, const Type* composite, Word index) {
  switch (composite->op) {
  case Op::OpTypeStruct:
    t.require(index < composite->members.size(), "an index is of one of the structure's members");
    return &t.type(composite->members[index]);
  case Op::OpTypeVector:
  case Op::OpTypeArray:
    t.require(index < composite->count, "an index is of one of the elements");
    return &t.type(composite->element);
  default:
    t.refuse("an index goes into a structure, an array or a vector");
  }
}

llvm::Value* copied_logically(Translation& t, llvm::Value* value, const Type& from,
                              const Type& to) {
  if (from.llvm == to.llvm)
    return value;
  t.require(from.op == to.op && (from.op == Op::OpTypeStruct || from.op == Op::OpTypeArray),
            "operand and result are structures or arrays that match");
  const auto count = from.op == Op::OpTypeStruct ? from.members.size() : from.count;
  t.require(count == (to.op == Op::OpTypeStruct ? to.members.size() : to.count),
            "operand and result have as many members");
  t.require(from.bytes <= kMaxCopied && count <= from.bytes,
            "what is copied has at most 64 KiB, and no members without size");
  llvm::Value* made = llvm::PoisonValue::get(to.llvm);
  for (unsigned i = 0; i < count; ++i)
    made = t.builder.CreateInsertValue(made,
                                       copied_logically(t, t.builder.CreateExtractValue(value, i),
                                                        *member_index(t, &from, i),
                                                        *member_index(t, &to, i)),
                                       i);
  return made;
}

void add_composites(Readers& readers) {
  readers.add(construct, {Op::OpCompositeConstruct});
  readers.add(extract, {Op::OpCompositeExtract});
  readers.add(insert, {Op::OpCompositeInsert});
  readers.add(shuffle, {Op::OpVectorShuffle});
  readers.add(vector_element, {Op::OpVectorExtractDynamic, Op::OpVectorInsertDynamic});
  readers.add(copy, {Op::OpCopyObject, Op::OpExpectKHR, kArithmeticFence});
  readers.add(copy_logical, {Op::OpCopyLogical});
  readers.add(assume, {Op::OpAssumeTrueKHR});
}

} // namespace heddle::compiler::spirv
