// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vectors, arrays and structures as values.
#include "compiler/spirv/translator.h"

namespace heddle::compiler::spirv {
namespace {

using Op = spv::Op;

// Copied member by member: bounds the code that a few words of a module make.
constexpr std::uint64_t kMostCopied = 1 << 16;

} // namespace

const Type* Translator::member_index(const Type* composite, Word index) const {
  switch (composite->op) {
  case Op::OpTypeStruct:
    require(index < composite->members.size(), "an index is of one of the structure's members");
    return &type(composite->members[index]);
  case Op::OpTypeVector:
  case Op::OpTypeArray:
    require(index < composite->count, "an index is of one of the elements");
    return &type(composite->element);
  default:
    refuse("an index goes into a structure, an array or a vector");
  }
}

void Translator::construct(const Instruction& instruction) {
  const auto& result = result_type(instruction);
  const auto parts = instruction.from(3);
  llvm::Value* made = llvm::PoisonValue::get(sized_type(instruction[1], "the result"));
  if (result.op == Op::OpTypeVector) {
    unsigned at = 0;
    auto* element = type(result.element).llvm;
    for (const auto part : parts) {
      auto* given = value(part);
      const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(given->getType());
      require(given->getType()->getScalarType() == element,
              "a constituent has the component's type");
      const unsigned count = vector != nullptr ? vector->getNumElements() : 1;
      require(at + count <= result.count, "the constituents are as many as the components");
      for (unsigned i = 0; i < count; ++i)
        made = builder_.CreateInsertElement(
            made, vector != nullptr ? builder_.CreateExtractElement(given, i) : given, at++);
    }
    require(at == result.count, "the constituents are as many as the components");
  } else {
    require(result.op == Op::OpTypeStruct || result.op == Op::OpTypeArray,
            "the result is a vector, an array or a structure");
    const auto count = result.op == Op::OpTypeStruct ? result.members.size() : result.count;
    require(parts.size() == count, "there is a constituent for each member");
    for (unsigned i = 0; i < count; ++i)
      made = builder_.CreateInsertValue(
          made, value_of(parts[i], member_index(&result, i)->llvm, "a constituent"), i);
  }
  define_result(instruction, made);
}

llvm::Value* Translator::copied_logically(llvm::Value* value, const Type& from, const Type& to) {
  if (from.llvm == to.llvm)
    return value;
  require(from.op == to.op && (from.op == Op::OpTypeStruct || from.op == Op::OpTypeArray),
          "operand and result are structures or arrays that match");
  const auto count = from.op == Op::OpTypeStruct ? from.members.size() : from.count;
  require(count == (to.op == Op::OpTypeStruct ? to.members.size() : to.count),
          "operand and result have as many members");
  require(from.bytes <= kMostCopied && count <= from.bytes,
          "what is copied has at most 64 KiB, and no members without size");
  llvm::Value* made = llvm::PoisonValue::get(to.llvm);
  for (unsigned i = 0; i < count; ++i)
    made =
        builder_.CreateInsertValue(made,
                                   copied_logically(builder_.CreateExtractValue(value, i),
                                                    *member_index(&from, i), *member_index(&to, i)),
                                   i);
  return made;
}

// Indices lead through structures and arrays, and may end in a vector.
void Translator::extract(const Instruction& instruction) {
  const auto indices = instruction.from(4);
  const auto& given = id(instruction[3]);
  // A component of a builtin variable that has just been loaded.
  if (given.kind == IdKind::value && indices.size() == 1)
    if (const auto which = loaded_builtins_.find(given.value);
        which != loaded_builtins_.end() && given.function == function_ && indices[0] < 3) {
      define_result(instruction,
                    builtin_component(which->second, given.value->getType()->getScalarType(),
                                      builder_.getInt32(indices[0])));
      return;
    }
  auto* from = value(instruction[3]);
  const auto* at = &type_of_value(instruction[3]);
  llvm::SmallVector<unsigned, 4> path;
  for (const auto index : indices) {
    const bool is_vector = at->op == Op::OpTypeVector;
    const auto* inner = member_index(at, index);
    if (is_vector) {
      if (!path.empty())
        from = builder_.CreateExtractValue(from, path);
      path.clear();
      from = builder_.CreateExtractElement(from, index);
    } else {
      path.push_back(index);
    }
    at = inner;
  }
  if (!path.empty())
    from = builder_.CreateExtractValue(from, path);
  require(from->getType() == type(instruction[1]).llvm, "the result has the member's type");
  define_value(instruction[2], instruction[1], from);
}

void Translator::insert(const Instruction& instruction) {
  auto* object = value(instruction[3]);
  auto* whole = value_of(instruction[4], result_type(instruction).llvm, "the composite");
  const auto indices = instruction.from(5);
  const auto* at = &type_of_value(instruction[4]);
  llvm::SmallVector<unsigned, 4> path;
  const llvm::Value* in_vector = nullptr;
  Word last = 0;
  for (const auto index : indices) {
    require(in_vector == nullptr, "an index goes into a structure, an array or a vector");
    const auto* inner = member_index(at, index);
    if (at->op == Op::OpTypeVector) {
      in_vector = whole;
      last = index;
    } else {
      path.push_back(index);
    }
    at = inner;
  }
  require(object->getType() == at->llvm, "the object has the member's type");
  if (in_vector != nullptr) {
    auto* vector = path.empty() ? whole : builder_.CreateExtractValue(whole, path);
    object = builder_.CreateInsertElement(vector, object, last);
  }
  define_result(instruction,
                path.empty() ? object : builder_.CreateInsertValue(whole, object, path));
}

void Translator::shuffle(const Instruction& instruction) {
  const auto& result = result_type(instruction);
  auto* first = value(instruction[3]);
  auto* second = value(instruction[4]);
  auto* left = llvm::dyn_cast<llvm::FixedVectorType>(first->getType());
  auto* right = llvm::dyn_cast<llvm::FixedVectorType>(second->getType());
  require(result.op == Op::OpTypeVector && left != nullptr && right != nullptr &&
              left->getElementType() == right->getElementType() &&
              left->getElementType() == type(result.element).llvm,
          "the operands are vectors of the result's components");
  const auto components = instruction.from(5);
  require(components.size() == result.count, "there is a literal for each component");
  const auto count = left->getNumElements();
  const auto widest = std::max(count, right->getNumElements());
  llvm::SmallVector<int, 16> mask;
  for (const auto component : components) {
    if (component == 0xFFFFFFFF) {
      mask.push_back(-1);
      continue;
    }
    require(component < count + right->getNumElements(), "a literal is of one of the components");
    mask.push_back(static_cast<int>(component < count ? component : component - count + widest));
  }
  const auto widen = [&](llvm::Value* vector, unsigned has) {
    if (has == widest)
      return vector;
    llvm::SmallVector<int, 16> lanes;
    for (unsigned i = 0; i < widest; ++i)
      lanes.push_back(i < has ? static_cast<int>(i) : -1);
    return builder_.CreateShuffleVector(vector, lanes);
  };
  define_result(instruction,
                builder_.CreateShuffleVector(widen(first, count),
                                             widen(second, right->getNumElements()), mask));
}

void Translator::vector_element(const Instruction& instruction) {
  auto* whole = value(instruction[3]);
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(whole->getType());
  require(vector != nullptr, "the first operand is a vector");
  const bool inserts = instruction.op == Op::OpVectorInsertDynamic;
  auto* index = builder_.CreateZExtOrTrunc(integer(instruction[inserts ? 5 : 4], "an index"),
                                           builder_.getInt64Ty());
  if (inserts)
    define_result(
        instruction,
        builder_.CreateInsertElement(
            whole, value_of(instruction[4], vector->getElementType(), "the component"), index));
  else
    define_result(instruction, builder_.CreateExtractElement(whole, index));
}

} // namespace heddle::compiler::spirv
