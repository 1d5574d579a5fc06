// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpType*: SPIR-V types as LLVM's, as Clang makes them for OpenCL C.
#include "compiler/ir/address_space.h"
#include "compiler/spirv/readers.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Module.h"

#include <algorithm>
#include <bit>

namespace heddle::compiler::spirv {
namespace {

using Op = spv::Op;

constexpr unsigned kMaxNesting = 255;                       // SPIR-V specification, 2.17
constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 32; // of one type

void pointer_type(Translation& t, const Instruction& instruction) {
  const auto storage = static_cast<spv::StorageClass>(instruction[2]);
  const auto space = t.address_space(storage);
  if (instruction.op == Op::OpTypePointer && t.id(instruction[1]).kind == IdKind::type) {
    auto& known = t.types[t.id(instruction[1]).index]; // declared by OpTypeForwardPointer
    t.require(known.op == Op::OpTypePointer && known.element == 0 && known.storage == storage,
              "a forward pointer is defined once, with its storage class");
    t.require(!known.is_untyped, "an id is defined once");
    (void)t.type(instruction[3]);
    known.element = instruction[3];
    return;
  }
  Type made;
  made.op = Op::OpTypePointer;
  made.llvm = llvm::PointerType::get(t.context, space);
  made.storage = storage;
  made.bytes = 8;
  if (instruction.op == Op::OpTypePointer) {
    (void)t.type(instruction[3]);
    made.element = instruction[3];
  }
  t.add_type(instruction[1], made);
}

// A type that LLVM's says all of.
void add_plain(Translation& t, const Instruction& instruction, llvm::Type* type) {
  Type made;
  made.op = instruction.op;
  made.llvm = type;
  t.add_type(instruction[1], made);
}

void void_type(Translation& t, const Instruction& instruction) {
  add_plain(t, instruction, llvm::Type::getVoidTy(t.context));
}

void bool_type(Translation& t, const Instruction& instruction) {
  add_plain(t, instruction, llvm::Type::getInt1Ty(t.context));
}

void int_type(Translation& t, const Instruction& instruction) {
  const auto bits = instruction[2];
  const bool is_odd = bits != 8 && bits != 16 && bits != 32 && bits != 64;
  t.require(!is_odd || t.has_odd_integers, "integers have 8, 16, 32 or 64 bits");
  t.require(bits >= 1 && bits <= 64, "integers have at most 64 bits");
  Type made;
  made.op = Op::OpTypeInt;
  made.odd_bits = is_odd ? bits : 0;
  made.llvm = llvm::Type::getIntNTy(t.context, std::max(8u, std::bit_ceil(bits)));
  t.add_type(instruction[1], made);
}

void float_type(Translation& t, const Instruction& instruction) {
  t.require(instruction.size() == 3,
            "floating-point encodings other than IEEE 754's are not there");
  if (instruction[2] == 16)
    return add_plain(t, instruction, llvm::Type::getHalfTy(t.context));
  if (instruction[2] == 32)
    return add_plain(t, instruction, llvm::Type::getFloatTy(t.context));
  t.require(instruction[2] == 64, "floating-point numbers have 16, 32 or 64 bits");
  add_plain(t, instruction, llvm::Type::getDoubleTy(t.context));
}

void vector_type(Translation& t, const Instruction& instruction) {
  Type made;
  made.op = Op::OpTypeVector;
  const auto& element = t.type(instruction[2]);
  const auto count = instruction[3];
  t.require(element.op == Op::OpTypeBool || element.op == Op::OpTypeInt ||
                element.op == Op::OpTypeFloat ||
                (t.has_pointer_vectors && element.op == Op::OpTypePointer),
            "a vector's components are numbers or booleans");
  t.require(count == 2 || count == 3 || count == 4 || count == 8 || count == 16,
            "vectors have 2, 3, 4, 8 or 16 components");
  made.llvm = llvm::FixedVectorType::get(element.llvm, count);
  made.element = instruction[2];
  made.count = count;
  made.depth = 1;
  t.add_type(instruction[1], made);
}

void array_type(Translation& t, const Instruction& instruction) {
  Type made;
  made.op = Op::OpTypeArray;
  const auto& element = t.type(instruction[2]);
  auto* llvm_element = t.sized_type(instruction[2], "an array's element");
  const auto count = t.constant_number(instruction[3], "an array's length");
  t.require(!element.is_image(), "an array has no images");
  t.require(count != 0, "an array's length is at least 1");
  t.require(count <= kMaxBytes / element.bytes, "a type has at most 4 GiB");
  made.llvm = llvm::ArrayType::get(llvm_element, count);
  made.element = instruction[2];
  made.count = count;
  made.depth = element.depth + 1;
  t.add_type(instruction[1], made);
}

void struct_type(Translation& t, const Instruction& instruction) {
  Type made;
  made.op = Op::OpTypeStruct;
  llvm::SmallVector<llvm::Type*, 8> members;
  std::uint64_t bytes = 0;
  for (const auto member : instruction.from(2)) {
    members.push_back(t.sized_type(member, "a structure's member"));
    t.require(!t.type(member).is_image(), "a structure has no images");
    made.depth = std::max(made.depth, t.type(member).depth);
    bytes += 2 * t.type(member).bytes + 128;
    t.require(bytes <= 4 * kMaxBytes, "a type has at most 4 GiB");
  }
  ++made.depth;
  made.members = instruction.from(2);
  const bool packed = t.is_decorated(instruction[1], spv::Decoration::CPacked);
  if (const auto text = t.name(instruction[1]); !text.empty() && !members.empty())
    made.llvm = llvm::StructType::create(t.context, members, text, packed);
  else
    made.llvm = llvm::StructType::get(t.context, members, packed);
  made.bytes = std::max<std::uint64_t>(
      1, t.module->getDataLayout().getTypeAllocSize(made.llvm).getFixedValue());
  t.add_type(instruction[1], made);
}

void function_type(Translation& t, const Instruction& instruction) {
  Type made;
  made.op = Op::OpTypeFunction;
  auto* result = t.type(instruction[2]).llvm;
  t.require(t.type(instruction[2]).op == Op::OpTypeVoid || t.type(instruction[2]).bytes != 0,
            "a function's result has a size or is void");
  llvm::SmallVector<llvm::Type*, 8> parameters;
  for (const auto parameter : instruction.from(3))
    parameters.push_back(t.sized_type(parameter, "a function's parameter"));
  made.llvm = llvm::FunctionType::get(result, parameters, false);
  made.element = instruction[2];
  made.members = instruction.from(3);
  t.add_type(instruction[1], made);
}

// Objects of the builtin library, whose addresses are their values.
void object_type(Translation& t, const Instruction& instruction) {
  const auto* name = instruction.op == Op::OpTypeEvent         ? "spirv.Event"
                     : instruction.op == Op::OpTypeDeviceEvent ? "spirv.DeviceEvent"
                     : instruction.op == Op::OpTypeQueue       ? "spirv.Queue"
                     : instruction.op == Op::OpTypeReserveId   ? "spirv.ReserveId"
                                                               : "spirv.Sampler";
  add_plain(t, instruction, t.opaque(name));
}

void opaque_type(Translation& t, const Instruction& instruction) {
  (void)t.text(instruction.from(2));
  add_plain(t, instruction, llvm::StructType::create(t.context, "opaque"));
}

void named_barrier_type(Translation& t, const Instruction& instruction) { // its address
  add_plain(t, instruction, llvm::PointerType::get(t.context, kLocal));
}

void sampled_image_type(Translation& t, const Instruction& instruction) {
  t.require(t.type(instruction[2]).op == Op::OpTypeImage, "an image is sampled");
  Type made;
  made.op = Op::OpTypeSampledImage;
  made.llvm = t.type(instruction[2]).llvm;
  made.element = instruction[2];
  t.add_type(instruction[1], made);
}

void pipe_type(Translation& t, const Instruction& instruction) {
  t.require(instruction[2] <= 2, "a pipe's access is known");
  Type made;
  made.op = Op::OpTypePipe;
  made.access = instruction[2];
  made.llvm = t.opaque("spirv.Pipe", {made.access});
  t.add_type(instruction[1], made);
}

void forward_pointer_type(Translation& t, const Instruction& instruction) {
  t.require(t.id(instruction[1]).kind == IdKind::none, "a forward pointer is declared once");
  pointer_type(t, instruction);
}

void untyped_pointer_type(Translation& t, const Instruction& instruction) {
  Type made;
  made.op = Op::OpTypePointer;
  made.is_untyped = true;
  made.storage = static_cast<spv::StorageClass>(instruction[2]);
  made.llvm = llvm::PointerType::get(t.context, t.address_space(made.storage));
  made.bytes = 8;
  t.add_type(instruction[1], made);
}

} // namespace

unsigned Translation::address_space(spv::StorageClass storage) const {
  switch (static_cast<Word>(storage)) {
  case static_cast<Word>(spv::StorageClass::Function):
  case static_cast<Word>(spv::StorageClass::Input):
    return 0;
  case static_cast<Word>(spv::StorageClass::CrossWorkgroup):
  case 5936: // DeviceOnlyINTEL
  case 5937: // HostOnlyINTEL
    return 1;
  case 5605: // CodeSectionINTEL: numbers that stand for functions
    return 0;
  case static_cast<Word>(spv::StorageClass::UniformConstant):
    return 2;
  case static_cast<Word>(spv::StorageClass::Workgroup):
    return 3;
  case static_cast<Word>(spv::StorageClass::Generic):
    return 4;
  default:
    refuse("the storage class " + llvm::Twine(static_cast<Word>(storage)) +
           " is not one of OpenCL's");
  }
}

llvm::Type* Translation::opaque(llvm::StringRef name, Words numbers) {
  return llvm::TargetExtType::get(context, name, {}, numbers);
}

void Translation::add_type(Word number, Type type) {
  if (type.llvm != nullptr && type.bytes == 0 && type.op != Op::OpTypeVoid &&
      type.op != Op::OpTypeFunction && type.op != Op::OpTypeOpaque)
    type.bytes = llvm::isa<llvm::TargetExtType>(type.llvm)
                     ? 8
                     : module->getDataLayout().getTypeAllocSize(type.llvm).getFixedValue();
  require(type.depth <= kMaxNesting, "types nest at most 255 deep");
  require(type.bytes <= kMaxBytes, "a type has at most 4 GiB");
  auto& id = new_id(number);
  id.kind = IdKind::type;
  id.index = static_cast<Word>(types.size());
  types.push_back(type);
}

void add_types(Readers& readers) {
  readers.add_outside(void_type, {Op::OpTypeVoid});
  readers.add_outside(bool_type, {Op::OpTypeBool});
  readers.add_outside(int_type, {Op::OpTypeInt});
  readers.add_outside(float_type, {Op::OpTypeFloat});
  readers.add_outside(vector_type, {Op::OpTypeVector});
  readers.add_outside(array_type, {Op::OpTypeArray});
  readers.add_outside(struct_type, {Op::OpTypeStruct});
  readers.add_outside(opaque_type, {Op::OpTypeOpaque});
  readers.add_outside(pointer_type, {Op::OpTypePointer});
  readers.add_outside(forward_pointer_type, {Op::OpTypeForwardPointer});
  readers.add_outside(untyped_pointer_type, {op(4417)}); // OpTypeUntypedPointerKHR
  readers.add_outside(function_type, {Op::OpTypeFunction});
  readers.add_outside(object_type, {Op::OpTypeEvent, Op::OpTypeDeviceEvent, Op::OpTypeQueue,
                                    Op::OpTypeReserveId, Op::OpTypeSampler});
  readers.add_outside(named_barrier_type, {Op::OpTypeNamedBarrier});
  readers.add_outside(pipe_type, {Op::OpTypePipe});
  readers.add_outside(image_type, {Op::OpTypeImage});
  readers.add_outside(sampled_image_type, {Op::OpTypeSampledImage});
}

} // namespace heddle::compiler::spirv
