// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses under conditions: vectors of pointers, whose components are treated one by one, gathers
// and scatters of SPV_INTEL_masked_gather_scatter, loads and stores of SPV_INTEL_predicated_io. As
// branches, which the vectorizer predicates as it does those of the program.
#include "compiler/spirv/readers.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"

namespace heddle::compiler::spirv {
namespace {

using Op = spv::Op;

// 0 of a type that is no vector.
unsigned vector_length(const llvm::Type* type) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector != nullptr ? vector->getNumElements() : 0;
}

// `make` where the condition is true, whose result is the value there, and `otherwise` is it
// elsewhere; null for both: no value. Later blocks name the block's label: what follows stays in a
// block that complete_phis() finds for it.
llvm::Value* where(Translation& t, llvm::Value* condition, llvm::Value* otherwise,
                   llvm::function_ref<llvm::Value*()> make) {
  if (const auto* known = llvm::dyn_cast<llvm::ConstantInt>(condition))
    return known->isOne() ? make() : otherwise;
  auto* before = t.builder.GetInsertBlock();
  auto* inside = llvm::BasicBlock::Create(t.context, "", before->getParent());
  auto* behind = llvm::BasicBlock::Create(t.context, "", before->getParent());
  inside->moveAfter(before);
  behind->moveAfter(inside);
  t.builder.CreateCondBr(condition, inside, behind);
  t.builder.SetInsertPoint(inside);
  auto* made = make();
  t.builder.CreateBr(behind);
  t.builder.SetInsertPoint(behind);
  auto* label = first_of_block(t, before);
  t.body.block_ends[label] = behind;
  t.body.first_blocks[behind] = label;
  if (made == nullptr)
    return nullptr;
  auto* merged = t.builder.CreatePHI(made->getType(), 2);
  merged->addIncoming(made, inside);
  merged->addIncoming(otherwise, before);
  return merged;
}

// OpMaskedGatherINTEL and OpMaskedScatterINTEL.
void masked_access(Translation& t, const Instruction& instruction) {
  const bool is_store = static_cast<Word>(instruction.op) == 6429;
  const auto& content = is_store ? t.type_of_value(instruction[1]) : t.result_type(instruction);
  t.require(content.op == Op::OpTypeVector, "what is read or written is a vector");
  auto* element = t.type(content.element).llvm;
  const Word places_id = instruction[is_store ? 2 : 3];
  const auto& places_type = t.type_of_value(places_id);
  t.require(is_pointers(t, places_type) && places_type.count == content.count,
            "there is a pointer for each component, in a vector");
  const auto& place_type = t.type(places_type.element);
  t.require(place_type.is_untyped ||
                (place_type.element != 0 && t.type(place_type.element).llvm == element),
            "the pointers are to the vector's components");
  const Word bytes = instruction[is_store ? 3 : 4];
  t.require(bytes == 0 || (llvm::isPowerOf2_32(bytes) && bytes <= (1u << 30)),
            "an alignment is a power of two");
  const auto align =
      bytes != 0 ? llvm::Align(bytes) : t.module->getDataLayout().getABITypeAlign(element);
  auto* mask = t.value_of(
      instruction[is_store ? 4 : 5],
      llvm::FixedVectorType::get(t.builder.getInt1Ty(), static_cast<unsigned>(content.count)),
      "the mask");
  auto* places = t.value(places_id);
  auto* stored = is_store ? t.value(instruction[1]) : nullptr;
  llvm::Value* other = nullptr;
  if (!is_store) {
    // The specification has one for all, translators write one for each.
    other = t.value(instruction[6]);
    if (other->getType() == element)
      other = t.builder.CreateVectorSplat(static_cast<unsigned>(content.count), other);
    t.require(other->getType() == content.llvm, "what fills the result has its type");
  }
  llvm::Value* made = is_store ? nullptr : llvm::PoisonValue::get(content.llvm);
  for (unsigned i = 0; i < content.count; ++i) {
    auto* place = t.builder.CreateExtractElement(places, i);
    auto* component = where(
        t, t.builder.CreateExtractElement(mask, i),
        is_store ? nullptr : t.builder.CreateExtractElement(other, i), [&]() -> llvm::Value* {
          if (!is_store)
            return t.builder.CreateAlignedLoad(element, place, align);
          t.builder.CreateAlignedStore(t.builder.CreateExtractElement(stored, i), place, align);
          return nullptr;
        });
    if (!is_store)
      made = t.builder.CreateInsertElement(made, component, i);
  }
  if (!is_store)
    t.define_result(instruction, made);
}

// OpPredicatedLoadINTEL and OpPredicatedStoreINTEL.
void predicated_access(Translation& t, const Instruction& instruction) {
  const bool is_store = static_cast<Word>(instruction.op) == 6259;
  const Word place_id = instruction[is_store ? 1 : 3];
  auto* place = t.pointer(place_id, "the pointer");
  const auto& content = t.pointee(place_id, is_store ? t.id(instruction[2]).type : instruction[1]);
  const auto& scalar = content.op == Op::OpTypeVector ? t.type(content.element) : content;
  t.require(scalar.op == Op::OpTypeInt || scalar.op == Op::OpTypeFloat,
            "what is read or written is a number or a vector of numbers");
  auto* predicate =
      t.value_of(instruction[is_store ? 3 : 4], t.builder.getInt1Ty(), "the predicate");
  const auto how = access(t, instruction.from(is_store ? 4 : 6));
  t.require(!how.is_volatile, "the access is not volatile");
  const auto align =
      how.alignment.value_or(t.module->getDataLayout().getABITypeAlign(content.llvm));
  if (is_store) {
    auto* stored = t.value_of(instruction[2], content.llvm, "what is stored");
    where(t, predicate, nullptr, [&]() -> llvm::Value* {
      annotate(t, t.builder.CreateAlignedStore(stored, place, align), how);
      return nullptr;
    });
    return;
  }
  auto* otherwise = t.value_of(instruction[5], content.llvm, "the default value");
  t.define_result(instruction, where(t, predicate, otherwise, [&]() -> llvm::Value* {
                    auto* made = t.builder.CreateAlignedLoad(content.llvm, place, align);
                    annotate(t, made, how);
                    return made;
                  }));
}

} // namespace

// A pointer, or a vector of them.
llvm::Value* pointers(Translation& t, Word number, const char* what) {
  if (is_pointers(t, t.type_of_value(number)))
    return t.value(number);
  return t.pointer(number, what);
}

bool is_pointers(const Translation& t, const Type& vector) {
  return vector.op == Op::OpTypeVector && t.type(vector.element).op == Op::OpTypePointer;
}

// The type of a pointer, or of the pointers of a vector.
const Type& pointer_type_of(const Translation& t, const Type& pointer_or_vector) {
  return pointer_or_vector.op == Op::OpTypeVector ? t.type(pointer_or_vector.element)
                                                  : pointer_or_vector;
}

// `make` of the value, or of each component of a vector.
llvm::Value* for_components(Translation& t, llvm::Value* value, llvm::Type* result,
                            llvm::function_ref<llvm::Value*(llvm::Value*)> make) {
  const auto count = vector_length(value->getType());
  if (count == 0)
    return make(value);
  t.require(count == vector_length(result), "the result has as many components as the operand");
  llvm::Value* made = llvm::PoisonValue::get(result);
  for (unsigned i = 0; i < count; ++i) {
    auto* component = make(t.builder.CreateExtractElement(value, i));
    t.require(component->getType() == result->getScalarType(),
              "the operands' types do not give the result's type");
    made = t.builder.CreateInsertElement(made, component, i);
  }
  return made;
}

// Casts and conversions of vectors of pointers.
void cast_pointers(Translation& t, const Instruction& instruction) {
  const auto& result = t.result_type(instruction);
  const auto& given = t.type_of_value(instruction[3]);
  t.require(result.op == Op::OpTypeVector && given.op == Op::OpTypeVector,
            "a vector of pointers becomes a vector, and is made of one");
  const auto& to = t.type(result.element);
  const auto& from = t.type(given.element);
  auto* word = t.builder.getInt64Ty();
  const auto space_of = [](const Type& pointer) { return pointer.llvm->getPointerAddressSpace(); };
  const auto is_named = [](unsigned space) { return space == 0 || space == 1 || space == 3; };
  const bool is_explicit = instruction.op == Op::OpGenericCastToPtrExplicit;
  llvm::function_ref<llvm::Value*(llvm::Value*)> make;
  const auto as_integer = [&](llvm::Value* pointer) -> llvm::Value* {
    return t.builder.CreateZExtOrTrunc(t.builder.CreatePtrToInt(pointer, word), to.llvm);
  };
  const auto as_pointer = [&](llvm::Value* number) -> llvm::Value* {
    return t.builder.CreateIntToPtr(t.builder.CreateZExtOrTrunc(number, word), to.llvm);
  };
  const auto as_it_is = [](llvm::Value* pointer) { return pointer; };
  const auto other_space = [&](llvm::Value* pointer) -> llvm::Value* {
    if (!is_explicit)
      return t.builder.CreateAddrSpaceCast(pointer, to.llvm);
    const auto space = space_of(to);
    return t.call_named(space == 1   ? "__to_global"
                        : space == 3 ? "__to_local"
                                     : "__to_private",
                        to.llvm, {pointer}, Effect::none);
  };
  if (from.op == Op::OpTypePointer && to.op == Op::OpTypePointer) {
    if (instruction.op == Op::OpBitcast) {
      t.require(from.llvm == to.llvm, "a pointer keeps its storage class");
      make = as_it_is;
    } else if (instruction.op == Op::OpPtrCastToGeneric) {
      t.require(space_of(to) == 4 && is_named(space_of(from)),
                "Function, Workgroup and CrossWorkgroup pointers become Generic");
      make = other_space;
    } else {
      t.require((instruction.op == Op::OpGenericCastToPtr || is_explicit) && space_of(from) == 4 &&
                    is_named(space_of(to)),
                "a Generic pointer becomes a Function, Workgroup or CrossWorkgroup one");
      t.require(!is_explicit || instruction[4] == static_cast<Word>(to.storage),
                "the storage class is the result's");
      make = other_space;
    }
  } else if (from.op == Op::OpTypePointer) {
    t.require(to.op == Op::OpTypeInt && (instruction.op == Op::OpConvertPtrToU ||
                                         (instruction.op == Op::OpBitcast && to.bytes == 8)),
              "pointers become integers, by OpBitcast of 64 bits");
    make = as_integer;
  } else {
    t.require(from.op == Op::OpTypeInt && (instruction.op == Op::OpConvertUToPtr ||
                                           (instruction.op == Op::OpBitcast && from.bytes == 8)),
              "integers become pointers, by OpBitcast of 64 bits");
    make = as_pointer;
  }
  t.define_result(instruction, for_components(t, t.value(instruction[3]), result.llvm, make));
}

void add_masked_access(Readers& readers) {
  readers.add(masked_access, {op(6428), op(6429)});     // OpMasked[Gather|Scatter]INTEL
  readers.add(predicated_access, {op(6258), op(6259)}); // OpPredicated[Load|Store]INTEL
}

} // namespace heddle::compiler::spirv
