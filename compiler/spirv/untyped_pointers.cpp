// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPV_KHR_untyped_pointers: what an access is of follows from the instruction.
#include "compiler/spirv/translator.h"

namespace heddle::compiler::spirv {
namespace {

constexpr std::uint64_t kMostElementBytes = 128; // of a builtin type: ulong16

} // namespace

bool Translator::is_untyped(Word pointer_value) const {
  const auto& found = type_of_value(pointer_value);
  return found.op == spv::Op::OpTypePointer && found.is_untyped;
}

const Type& Translator::pointee(Word pointer_value, Word otherwise) const {
  return is_untyped(pointer_value) ? type(otherwise) : pointee(pointer_value);
}

// A copy of elements of a number of bytes, as one of the builtin type with that size.
void Translator::untyped_async_copy(const Instruction& instruction) {
  require(result_type(instruction).op == spv::Op::OpTypeEvent, "the result is an event");
  require(group_scope(instruction[3]) == GroupScope::work_group,
          "the execution scope is the work-group");
  const auto bytes = constant_number(instruction[6], "the size of an element");
  require(bytes != 0 && (bytes & (bytes - 1)) == 0 && bytes <= kMostElementBytes,
          "the size of an element is a power of two of at most 128");
  llvm::Type* element =
      builder_.getIntNTy(static_cast<unsigned>(8 * std::min<std::uint64_t>(bytes, 8)));
  if (bytes > 8)
    element = llvm::FixedVectorType::get(element, static_cast<unsigned>(bytes / 8));
  copy_async(instruction[2], instruction[1], instruction[4], instruction[5], element,
             instruction.from(7));
}

} // namespace heddle::compiler::spirv
