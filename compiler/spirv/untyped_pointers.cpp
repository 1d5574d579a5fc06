// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPV_KHR_untyped_pointers: what an access is of follows from the instruction.
#include "compiler/spirv/readers.h"

namespace heddle::compiler::spirv {
namespace {

constexpr std::uint64_t kMaxElementBytes = 128; // of a builtin type: ulong16

// A copy of elements of a number of bytes, as one of the builtin type with that size.
void untyped_async_copy(Translation& t, const Instruction& instruction) {
  t.require(t.result_type(instruction).op == spv::Op::OpTypeEvent, "the result is an event");
  t.require(group_scope(t, instruction[3]) == GroupScope::work_group,
            "the execution scope is the work-group");
  const auto bytes = t.constant_number(instruction[6], "the size of an element");
  t.require(bytes != 0 && (bytes & (bytes - 1)) == 0 && bytes <= kMaxElementBytes,
            "the size of an element is a power of two of at most 128");
  llvm::Type* element =
      t.builder.getIntNTy(static_cast<unsigned>(8 * std::min<std::uint64_t>(bytes, 8)));
  if (bytes > 8)
    element = llvm::FixedVectorType::get(element, static_cast<unsigned>(bytes / 8));
  copy_async(t, instruction[2], instruction[1], instruction[4], instruction[5], element,
             instruction.from(7));
}

// A hint that the builtin library does not take either.
void prefetch(Translation& t, const Instruction& instruction) {
  (void)t.pointer(instruction[1], "the pointer");
}

} // namespace

bool Translation::is_untyped(Word pointer_value) const {
  const auto& found = type_of_value(pointer_value);
  return found.op == spv::Op::OpTypePointer && found.is_untyped;
}

const Type& Translation::pointee(Word pointer_value, Word otherwise) const {
  return is_untyped(pointer_value) ? type(otherwise) : pointee(pointer_value);
}

void add_untyped_pointers(Readers& readers) {
  readers.add(untyped_async_copy, {op(4434)}); // OpUntypedGroupAsyncCopyKHR
  readers.add(prefetch, {op(4426)});           // OpUntypedPrefetchKHR
}

} // namespace heddle::compiler::spirv
