// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpAbortKHR of SPV_KHR_abort: the command fails, and the message is shown as data of its type.
#include "compiler/ir/end_kernel.h"
#include "compiler/spirv/translator.h"

namespace heddle::compiler::spirv {
namespace {

using Op = spv::Op;

constexpr std::size_t kMostShown = 64; // values of one message

} // namespace

// A printf format and its arguments, which show a value.
struct Translator::Shown {
  std::string format;
  llvm::SmallVector<llvm::Value*, 16> values;
};

void Translator::show(llvm::Value* value, const Type& type, Shown& shown) {
  const auto add = [&](const char* conversion, llvm::Value* argument) {
    shown.format += conversion;
    shown.values.push_back(argument);
  };
  switch (type.op) {
  case Op::OpTypeBool:
    return add("%d", builder_.CreateZExt(value, builder_.getInt32Ty()));
  case Op::OpTypeInt:
    return add("%ld", builder_.CreateSExtOrTrunc(value, builder_.getInt64Ty()));
  case Op::OpTypeFloat:
    return add(type.bytes > 4 ? "%.17g" : "%.9g",
               builder_.CreateFPCast(value, builder_.getDoubleTy()));
  case Op::OpTypePointer:
    return add("%p", value);
  case Op::OpTypeArray:
    if (this->type(type.element).llvm->isIntegerTy(8)) { // characters
      auto* text = entry_alloca(llvm::ArrayType::get(builder_.getInt8Ty(), type.count + 1));
      builder_.CreateStore(value, text);
      builder_.CreateStore(
          builder_.getInt8(0),
          builder_.CreateConstInBoundsGEP2_64(
              llvm::cast<llvm::AllocaInst>(text)->getAllocatedType(), text, 0, type.count));
      return add("\"%s\"", text);
    }
    [[fallthrough]];
  case Op::OpTypeVector:
  case Op::OpTypeStruct: {
    const auto count = type.op == Op::OpTypeStruct ? type.members.size() : type.count;
    shown.format += '{';
    for (unsigned i = 0; i < count; ++i) {
      shown.format += i != 0 ? ", " : "";
      if (shown.values.size() >= kMostShown) {
        shown.format += "...";
        break;
      }
      auto* member = type.op == Op::OpTypeVector ? builder_.CreateExtractElement(value, i)
                                                 : builder_.CreateExtractValue(value, i);
      show(member, *member_index(&type, i), shown);
    }
    shown.format += '}';
    return;
  }
  default:
    refuse("the message is of numbers, pointers, vectors, arrays and structures");
  }
}

void Translator::abort(const Instruction& instruction) {
  const auto& message_type = type(instruction[1]);
  require(message_type.bytes != 0, "the message has a type with a size");
  auto* message =
      copied_logically(value(instruction[2]), type_of_value(instruction[2]), message_type);
  Shown shown;
  shown.format = "aborted with ";
  show(message, message_type, shown);
  end_kernel(builder_, shown.format, shown.values);
  builder_.CreateUnreachable();
}

} // namespace heddle::compiler::spirv
