// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses under conditions: vectors of pointers, whose components are treated one by one, gathers
// and scatters of SPV_INTEL_masked_gather_scatter, loads and stores of SPV_INTEL_predicated_io. As
// branches, which the vectorizer predicates as it does those of the program.
#include "compiler/spirv/translator.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"

namespace heddle::compiler::spirv {
namespace {

using Op = spv::Op;

unsigned lanes_of(const llvm::Type* type) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector != nullptr ? vector->getNumElements() : 0;
}

} // namespace

// A pointer, or a vector of them.
llvm::Value* Translator::pointers(Word number, const char* what) {
  if (is_pointers(type_of_value(number)))
    return value(number);
  return pointer(number, what);
}

bool Translator::is_pointers(const Type& vector) const {
  return vector.op == Op::OpTypeVector && type(vector.element).op == Op::OpTypePointer;
}

// The type of a pointer, or of the pointers of a vector.
const Type& Translator::pointer_type_of(const Type& pointer_or_vector) const {
  return pointer_or_vector.op == Op::OpTypeVector ? type(pointer_or_vector.element)
                                                  : pointer_or_vector;
}

// `make` of the value, or of each component of a vector.
llvm::Value* Translator::for_components(llvm::Value* value, llvm::Type* result,
                                        llvm::function_ref<llvm::Value*(llvm::Value*)> make) {
  const auto count = lanes_of(value->getType());
  if (count == 0)
    return make(value);
  require(count == lanes_of(result), "the result has as many components as the operand");
  llvm::Value* made = llvm::PoisonValue::get(result);
  for (unsigned i = 0; i < count; ++i) {
    auto* component = make(builder_.CreateExtractElement(value, i));
    require(component->getType() == result->getScalarType(),
            "the operands' types do not give the result's type");
    made = builder_.CreateInsertElement(made, component, i);
  }
  return made;
}

// Casts and conversions of vectors of pointers.
void Translator::cast_pointers(const Instruction& instruction) {
  const auto& result = result_type(instruction);
  const auto& given = type_of_value(instruction[3]);
  require(result.op == Op::OpTypeVector && given.op == Op::OpTypeVector,
          "a vector of pointers becomes a vector, and is made of one");
  const auto& to = type(result.element);
  const auto& from = type(given.element);
  auto* word = builder_.getInt64Ty();
  const auto space_of = [](const Type& pointer) { return pointer.llvm->getPointerAddressSpace(); };
  const auto is_named = [](unsigned space) { return space == 0 || space == 1 || space == 3; };
  const bool is_explicit = instruction.op == Op::OpGenericCastToPtrExplicit;
  llvm::function_ref<llvm::Value*(llvm::Value*)> make;
  const auto as_integer = [&](llvm::Value* pointer) -> llvm::Value* {
    return builder_.CreateZExtOrTrunc(builder_.CreatePtrToInt(pointer, word), to.llvm);
  };
  const auto as_pointer = [&](llvm::Value* number) -> llvm::Value* {
    return builder_.CreateIntToPtr(builder_.CreateZExtOrTrunc(number, word), to.llvm);
  };
  const auto as_it_is = [](llvm::Value* pointer) { return pointer; };
  const auto other_space = [&](llvm::Value* pointer) -> llvm::Value* {
    if (!is_explicit)
      return builder_.CreateAddrSpaceCast(pointer, to.llvm);
    const auto space = space_of(to);
    return call_named(space == 1   ? "__to_global"
                      : space == 3 ? "__to_local"
                                   : "__to_private",
                      to.llvm, {pointer}, Effect::none);
  };
  if (from.op == Op::OpTypePointer && to.op == Op::OpTypePointer) {
    if (instruction.op == Op::OpBitcast) {
      require(from.llvm == to.llvm, "a pointer keeps its storage class");
      make = as_it_is;
    } else if (instruction.op == Op::OpPtrCastToGeneric) {
      require(space_of(to) == 4 && is_named(space_of(from)),
              "Function, Workgroup and CrossWorkgroup pointers become Generic");
      make = other_space;
    } else {
      require((instruction.op == Op::OpGenericCastToPtr || is_explicit) && space_of(from) == 4 &&
                  is_named(space_of(to)),
              "a Generic pointer becomes a Function, Workgroup or CrossWorkgroup one");
      require(!is_explicit || instruction[4] == static_cast<Word>(to.storage),
              "the storage class is the result's");
      make = other_space;
    }
  } else if (from.op == Op::OpTypePointer) {
    require(to.op == Op::OpTypeInt && (instruction.op == Op::OpConvertPtrToU ||
                                       (instruction.op == Op::OpBitcast && to.bytes == 8)),
            "pointers become integers, by OpBitcast of 64 bits");
    make = as_integer;
  } else {
    require(from.op == Op::OpTypeInt && (instruction.op == Op::OpConvertUToPtr ||
                                         (instruction.op == Op::OpBitcast && from.bytes == 8)),
            "integers become pointers, by OpBitcast of 64 bits");
    make = as_pointer;
  }
  define_result(instruction, for_components(value(instruction[3]), result.llvm, make));
}

// `make` where the condition is true, whose result is the value there, and `otherwise` is it
// elsewhere; null for both: no value. Later blocks name the block's label: what follows stays in a
// block that complete_phis() finds for it.
llvm::Value* Translator::where(llvm::Value* condition, llvm::Value* otherwise,
                               llvm::function_ref<llvm::Value*()> make) {
  if (const auto* known = llvm::dyn_cast<llvm::ConstantInt>(condition))
    return known->isOne() ? make() : otherwise;
  auto* before = builder_.GetInsertBlock();
  auto* inside = llvm::BasicBlock::Create(context_, "", before->getParent());
  auto* behind = llvm::BasicBlock::Create(context_, "", before->getParent());
  inside->moveAfter(before);
  behind->moveAfter(inside);
  builder_.CreateCondBr(condition, inside, behind);
  builder_.SetInsertPoint(inside);
  auto* made = make();
  builder_.CreateBr(behind);
  builder_.SetInsertPoint(behind);
  auto* label = first_of_block(before);
  block_ends_[label] = behind;
  first_blocks_[behind] = label;
  if (made == nullptr)
    return nullptr;
  auto* merged = builder_.CreatePHI(made->getType(), 2);
  merged->addIncoming(made, inside);
  merged->addIncoming(otherwise, before);
  return merged;
}

// OpMaskedGatherINTEL and OpMaskedScatterINTEL.
void Translator::masked_access(const Instruction& instruction) {
  const bool is_store = static_cast<Word>(instruction.op) == 6429;
  const auto& content = is_store ? type_of_value(instruction[1]) : result_type(instruction);
  require(content.op == Op::OpTypeVector, "what is read or written is a vector");
  auto* element = type(content.element).llvm;
  const Word places_id = instruction[is_store ? 2 : 3];
  const auto& places_type = type_of_value(places_id);
  require(is_pointers(places_type) && places_type.count == content.count,
          "there is a pointer for each component, in a vector");
  const auto& place_type = type(places_type.element);
  require(place_type.is_untyped ||
              (place_type.element != 0 && type(place_type.element).llvm == element),
          "the pointers are to the vector's components");
  const Word bytes = instruction[is_store ? 3 : 4];
  require(bytes == 0 || (llvm::isPowerOf2_32(bytes) && bytes <= (1u << 30)),
          "an alignment is a power of two");
  const auto align =
      bytes != 0 ? llvm::Align(bytes) : module_->getDataLayout().getABITypeAlign(element);
  auto* mask = value_of(
      instruction[is_store ? 4 : 5],
      llvm::FixedVectorType::get(builder_.getInt1Ty(), static_cast<unsigned>(content.count)),
      "the mask");
  auto* places = value(places_id);
  auto* stored = is_store ? value(instruction[1]) : nullptr;
  llvm::Value* other = nullptr;
  if (!is_store) {
    // The specification has one for all, translators write one for each.
    other = value(instruction[6]);
    if (other->getType() == element)
      other = builder_.CreateVectorSplat(static_cast<unsigned>(content.count), other);
    require(other->getType() == content.llvm, "what fills the result has its type");
  }
  llvm::Value* made = is_store ? nullptr : llvm::PoisonValue::get(content.llvm);
  for (unsigned i = 0; i < content.count; ++i) {
    auto* place = builder_.CreateExtractElement(places, i);
    auto* component =
        where(builder_.CreateExtractElement(mask, i),
              is_store ? nullptr : builder_.CreateExtractElement(other, i), [&]() -> llvm::Value* {
                if (!is_store)
                  return builder_.CreateAlignedLoad(element, place, align);
                builder_.CreateAlignedStore(builder_.CreateExtractElement(stored, i), place, align);
                return nullptr;
              });
    if (!is_store)
      made = builder_.CreateInsertElement(made, component, i);
  }
  if (!is_store)
    define_result(instruction, made);
}

// OpPredicatedLoadINTEL and OpPredicatedStoreINTEL.
void Translator::predicated_access(const Instruction& instruction) {
  const bool is_store = static_cast<Word>(instruction.op) == 6259;
  const Word place_id = instruction[is_store ? 1 : 3];
  auto* place = pointer(place_id, "the pointer");
  const auto& content = pointee(place_id, is_store ? id(instruction[2]).type : instruction[1]);
  const auto& scalar = content.op == Op::OpTypeVector ? type(content.element) : content;
  require(scalar.op == Op::OpTypeInt || scalar.op == Op::OpTypeFloat,
          "what is read or written is a number or a vector of numbers");
  auto* predicate = value_of(instruction[is_store ? 3 : 4], builder_.getInt1Ty(), "the predicate");
  const auto how = access(instruction.from(is_store ? 4 : 6));
  require(!how.is_volatile, "the access is not volatile");
  const auto align = how.alignment.value_or(module_->getDataLayout().getABITypeAlign(content.llvm));
  if (is_store) {
    auto* stored = value_of(instruction[2], content.llvm, "what is stored");
    where(predicate, nullptr, [&]() -> llvm::Value* {
      annotate(builder_.CreateAlignedStore(stored, place, align), how);
      return nullptr;
    });
    return;
  }
  auto* otherwise = value_of(instruction[5], content.llvm, "the default value");
  define_result(instruction, where(predicate, otherwise, [&]() -> llvm::Value* {
                  auto* made = builder_.CreateAlignedLoad(content.llvm, place, align);
                  annotate(made, how);
                  return made;
                }));
}

} // namespace heddle::compiler::spirv
