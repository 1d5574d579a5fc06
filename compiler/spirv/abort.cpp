// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpAbortKHR of SPV_KHR_abort: the command fails, and the message is shown as data of its type.
#include "compiler/ir/end_kernel.h"
#include "compiler/spirv/readers.h"

namespace heddle::compiler::spirv {
namespace {

using Op = spv::Op;

constexpr std::size_t kMaxShown = 64; // values of one message

// A printf format and its arguments, which show a value.
struct Shown {
  std::string format;
  llvm::SmallVector<llvm::Value*, 16> values;
};

void show(Translation& t, llvm::Value* value, const Type& type, Shown& shown) {
  const auto add = [&](const char* conversion, llvm::Value* argument) {
    shown.format += conversion;
    shown.values.push_back(argument);
  };
  switch (type.op) {
  case Op::OpTypeBool:
    return add("%d", t.builder.CreateZExt(value, t.builder.getInt32Ty()));
  case Op::OpTypeInt:
    return add("%ld", t.builder.CreateSExtOrTrunc(value, t.builder.getInt64Ty()));
  case Op::OpTypeFloat:
    return add(type.bytes > 4 ? "%.17g" : "%.9g",
               t.builder.CreateFPCast(value, t.builder.getDoubleTy()));
  case Op::OpTypePointer:
    return add("%p", value);
  case Op::OpTypeArray:
    if (t.type(type.element).llvm->isIntegerTy(8)) { // characters
      auto* text = entry_alloca(t, llvm::ArrayType::get(t.builder.getInt8Ty(), type.count + 1));
      t.builder.CreateStore(value, text);
      t.builder.CreateStore(
          t.builder.getInt8(0),
          t.builder.CreateConstInBoundsGEP2_64(
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
      if (shown.values.size() >= kMaxShown) {
        shown.format += "...";
        break;
      }
      auto* member = type.op == Op::OpTypeVector ? t.builder.CreateExtractElement(value, i)
                                                 : t.builder.CreateExtractValue(value, i);
      show(t, member, *member_index(t, &type, i), shown);
    }
    shown.format += '}';
    return;
  }
  default:
    t.refuse("the message is of numbers, pointers, vectors, arrays and structures");
  }
}

void abort(Translation& t, const Instruction& instruction) {
  const auto& message_type = t.type(instruction[1]);
  t.require(message_type.bytes != 0, "the message has a type with a size");
  auto* message =
      copied_logically(t, t.value(instruction[2]), t.type_of_value(instruction[2]), message_type);
  Shown shown;
  shown.format = "aborted with ";
  show(t, message, message_type, shown);
  end_kernel(t.builder, shown.format, shown.values);
  t.builder.CreateUnreachable();
}

} // namespace

void add_abort(Readers& readers) {
  readers.add(abort, {op(5121)}); // OpAbortKHR
}

} // namespace heddle::compiler::spirv
