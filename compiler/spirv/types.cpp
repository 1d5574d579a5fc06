// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpType*: SPIR-V types as LLVM's, as Clang makes them for OpenCL C.
#include "compiler/ir/address_space.h"
#include "compiler/spirv/translator.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Module.h"

#include <algorithm>
#include <bit>

namespace heddle::compiler::spirv {
namespace {

using Op = spv::Op;

constexpr unsigned kMostNesting = 255;                       // SPIR-V specification, 2.17
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 32; // of one type

} // namespace

unsigned Translator::address_space(spv::StorageClass storage) const {
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

llvm::Type* Translator::opaque(llvm::StringRef name, Words numbers) {
  return llvm::TargetExtType::get(context_, name, {}, numbers);
}

void Translator::add_type(Word number, Type type) {
  if (type.llvm != nullptr && type.bytes == 0 && type.op != Op::OpTypeVoid &&
      type.op != Op::OpTypeFunction && type.op != Op::OpTypeOpaque)
    type.bytes = llvm::isa<llvm::TargetExtType>(type.llvm)
                     ? 8
                     : module_->getDataLayout().getTypeAllocSize(type.llvm).getFixedValue();
  require(type.depth <= kMostNesting, "types nest at most 255 deep");
  require(type.bytes <= kMostBytes, "a type has at most 4 GiB");
  auto& id = new_id(number);
  id.kind = IdKind::type;
  id.index = static_cast<Word>(types_.size());
  types_.push_back(type);
}

void Translator::pointer_type(const Instruction& instruction) {
  const auto storage = static_cast<spv::StorageClass>(instruction[2]);
  const auto space = address_space(storage);
  if (instruction.op == Op::OpTypePointer && id(instruction[1]).kind == IdKind::type) {
    auto& known = types_[id(instruction[1]).index]; // declared by OpTypeForwardPointer
    require(known.op == Op::OpTypePointer && known.element == 0 && known.storage == storage,
            "a forward pointer is defined once, with its storage class");
    require(!known.is_untyped, "an id is defined once");
    (void)type(instruction[3]);
    known.element = instruction[3];
    return;
  }
  Type made;
  made.op = Op::OpTypePointer;
  made.llvm = llvm::PointerType::get(context_, space);
  made.storage = storage;
  made.bytes = 8;
  if (instruction.op == Op::OpTypePointer) {
    (void)type(instruction[3]);
    made.element = instruction[3];
  }
  add_type(instruction[1], made);
}

void Translator::type_instruction(const Instruction& instruction) {
  Type made;
  made.op = instruction.op;
  switch (instruction.op) {
  case Op::OpTypeVoid:
    made.llvm = llvm::Type::getVoidTy(context_);
    break;
  case Op::OpTypeBool:
    made.llvm = llvm::Type::getInt1Ty(context_);
    break;
  case Op::OpTypeInt: {
    const auto bits = instruction[2];
    const bool is_odd = bits != 8 && bits != 16 && bits != 32 && bits != 64;
    require(!is_odd || has_odd_integers_, "integers have 8, 16, 32 or 64 bits");
    require(bits >= 1 && bits <= 64, "integers have at most 64 bits");
    made.odd_bits = is_odd ? bits : 0;
    made.llvm = llvm::Type::getIntNTy(context_, std::max(8u, std::bit_ceil(bits)));
    break;
  }
  case Op::OpTypeFloat:
    require(instruction.size() == 3,
            "floating-point encodings other than IEEE 754's are not there");
    if (instruction[2] == 16)
      made.llvm = llvm::Type::getHalfTy(context_);
    else if (instruction[2] == 32)
      made.llvm = llvm::Type::getFloatTy(context_);
    else if (instruction[2] == 64)
      made.llvm = llvm::Type::getDoubleTy(context_);
    else
      refuse("floating-point numbers have 16, 32 or 64 bits");
    break;
  case Op::OpTypeVector: {
    const auto& element = type(instruction[2]);
    const auto count = instruction[3];
    require(element.op == Op::OpTypeBool || element.op == Op::OpTypeInt ||
                element.op == Op::OpTypeFloat ||
                (has_pointer_vectors_ && element.op == Op::OpTypePointer),
            "a vector's components are numbers or booleans");
    require(count == 2 || count == 3 || count == 4 || count == 8 || count == 16,
            "vectors have 2, 3, 4, 8 or 16 components");
    made.llvm = llvm::FixedVectorType::get(element.llvm, count);
    made.element = instruction[2];
    made.count = count;
    made.depth = 1;
    break;
  }
  case Op::OpTypeArray: {
    const auto& element = type(instruction[2]);
    auto* llvm_element = sized_type(instruction[2], "an array's element");
    const auto count = constant_number(instruction[3], "an array's length");
    require(!element.is_image(), "an array has no images");
    require(count != 0, "an array's length is at least 1");
    require(count <= kMostBytes / element.bytes, "a type has at most 4 GiB");
    made.llvm = llvm::ArrayType::get(llvm_element, count);
    made.element = instruction[2];
    made.count = count;
    made.depth = element.depth + 1;
    break;
  }
  case Op::OpTypeStruct: {
    llvm::SmallVector<llvm::Type*, 8> members;
    std::uint64_t bytes = 0;
    for (const auto member : instruction.from(2)) {
      members.push_back(sized_type(member, "a structure's member"));
      require(!type(member).is_image(), "a structure has no images");
      made.depth = std::max(made.depth, type(member).depth);
      bytes += 2 * type(member).bytes + 128;
      require(bytes <= 4 * kMostBytes, "a type has at most 4 GiB");
    }
    ++made.depth;
    made.members = instruction.from(2);
    const bool packed = is_decorated(instruction[1], spv::Decoration::CPacked);
    if (const auto text = name(instruction[1]); !text.empty() && !members.empty())
      made.llvm = llvm::StructType::create(context_, members, text, packed);
    else
      made.llvm = llvm::StructType::get(context_, members, packed);
    made.bytes = std::max<std::uint64_t>(
        1, module_->getDataLayout().getTypeAllocSize(made.llvm).getFixedValue());
    break;
  }
  case Op::OpTypeOpaque:
    (void)text(instruction.from(2));
    made.llvm = llvm::StructType::create(context_, "opaque");
    break;
  case Op::OpTypePointer:
  case Op::OpTypeForwardPointer:
    if (instruction.op == Op::OpTypeForwardPointer) {
      require(id(instruction[1]).kind == IdKind::none, "a forward pointer is declared once");
    }
    return pointer_type(instruction);
  case Op::OpTypeFunction: {
    auto* result = type(instruction[2]).llvm;
    require(type(instruction[2]).op == Op::OpTypeVoid || type(instruction[2]).bytes != 0,
            "a function's result has a size or is void");
    llvm::SmallVector<llvm::Type*, 8> parameters;
    for (const auto parameter : instruction.from(3))
      parameters.push_back(sized_type(parameter, "a function's parameter"));
    made.llvm = llvm::FunctionType::get(result, parameters, false);
    made.element = instruction[2];
    made.members = instruction.from(3);
    break;
  }
  case Op::OpTypeEvent:
    made.llvm = opaque("spirv.Event");
    break;
  case Op::OpTypeNamedBarrier: // its address
    made.llvm = llvm::PointerType::get(context_, kLocal);
    break;
  case Op::OpTypeDeviceEvent:
    made.llvm = opaque("spirv.DeviceEvent");
    break;
  case Op::OpTypeQueue:
    made.llvm = opaque("spirv.Queue");
    break;
  case Op::OpTypeReserveId:
    made.llvm = opaque("spirv.ReserveId");
    break;
  case Op::OpTypeImage:
    return image_type(instruction);
  case Op::OpTypeSampler:
    made.llvm = opaque("spirv.Sampler");
    break;
  case Op::OpTypeSampledImage:
    require(type(instruction[2]).op == Op::OpTypeImage, "an image is sampled");
    made.llvm = type(instruction[2]).llvm;
    made.element = instruction[2];
    break;
  case Op::OpTypePipe:
    require(instruction[2] <= 2, "a pipe's access is known");
    made.access = instruction[2];
    made.llvm = opaque("spirv.Pipe", {made.access});
    break;
  default:
    if (static_cast<Word>(instruction.op) != 4417) // OpTypeUntypedPointerKHR
      refuse("the type is not supported");
    made.op = Op::OpTypePointer;
    made.is_untyped = true;
    made.storage = static_cast<spv::StorageClass>(instruction[2]);
    made.llvm = llvm::PointerType::get(context_, address_space(made.storage));
    made.bytes = 8;
  }
  add_type(instruction[1], made);
}

} // namespace heddle::compiler::spirv
