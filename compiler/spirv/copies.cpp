// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Async copies: OpGroupAsyncCopy, OpGroupWaitEvents and the instruction set
// NonSemantic.Codeplay.GroupAsyncCopies, revision 1, which stands for cl_khr_extended_async_copies.
#include "compiler/ir/address_space.h"
#include "compiler/spirv/readers.h"
#include "llvm/IR/Constants.h"

namespace heddle::compiler::spirv {
namespace {

using Op = spv::Op;

llvm::Value* event_operand(Translation& t, Word number) {
  return t.value_of(number, t.opaque("spirv.Event"), "the event");
}

// True for a copy to local memory; refuses pointers of other storage classes.
bool copies_to_local(Translation& t, Word to, Word from) {
  const auto target = t.pointer(to, "the destination")->getType()->getPointerAddressSpace();
  const auto source = t.pointer(from, "the source")->getType()->getPointerAddressSpace();
  t.require((target == 3 && source == 1) || (target == 1 && source == 3),
            "one of destination and source is Workgroup, the other CrossWorkgroup");
  return target == 3;
}

void async_copy(Translation& t, const Instruction& instruction) {
  t.require(t.result_type(instruction).op == Op::OpTypeEvent, "the result is an event");
  const auto scope = group_scope(t, instruction[3]);
  t.require(scope == GroupScope::work_group, "the execution scope is the work-group");
  // A pointer to an array is one to its first element, as translators have it for local variables.
  const auto element_of = [&](Word place) {
    const auto* found = &t.pointee(place);
    while (found->op == Op::OpTypeArray)
      found = &t.type(found->element);
    return *found;
  };
  const auto content = element_of(instruction[4]);
  t.require(content.llvm == element_of(instruction[5]).llvm,
            "destination and source have the same type");
  const bool is_number = content.op == Op::OpTypeInt || content.op == Op::OpTypeFloat ||
                         (content.op == Op::OpTypeVector && !content.llvm->isIntOrIntVectorTy(1));
  t.require(is_number, "the elements are numbers or vectors of numbers");
  copy_async(t, instruction[2], instruction[1], instruction[4], instruction[5], content.llvm,
             instruction.from(6));
}

void wait_events(Translation& t, const Instruction& instruction) {
  t.require(group_scope(t, instruction[1]) == GroupScope::work_group,
            "the execution scope is the work-group");
  auto* count = t.value_of(instruction[2], t.builder.getInt32Ty(), "the number of events");
  auto* list = t.pointer(instruction[3], "the list of events");
  t.require(t.is_untyped(instruction[3]) || t.pointee(instruction[3]).op == Op::OpTypeEvent ||
                (t.pointee(instruction[3]).op == Op::OpTypeArray &&
                 t.type(t.pointee(instruction[3]).element).op == Op::OpTypeEvent),
            "the list points to events");
  if (list->getType()->getPointerAddressSpace() != kGeneric)
    list = t.builder.CreateAddrSpaceCast(list, t.builder.getPtrTy(kGeneric));
  const auto event = t.mangled(t.opaque("spirv.Event"), Sign::is_signed);
  t.call_builtin("wait_group_events", t.builder.getVoidTy(),
                 {t.argument(count, Sign::is_signed), {list, t.mangled_pointer(event, 4)}},
                 Effect::any);
}

} // namespace

void copy_async(Translation& t, Word result, Word result_type, Word to_id, Word from_id,
                llvm::Type* element_type, Words rest) {
  copies_to_local(t, to_id, from_id);
  // 64 bits wide; LLVM 22's backend writes a narrower 1 for the stride.
  auto* count = t.builder.CreateZExtOrTrunc(t.integer(rest[0], "the number of elements"),
                                            t.builder.getInt64Ty());
  auto* stride =
      t.builder.CreateZExtOrTrunc(t.integer(rest[1], "the stride"), t.builder.getInt64Ty());
  auto* event = event_operand(t, rest[2]);
  const auto element = t.mangled(element_type, Sign::is_signed);
  auto* to = t.value(to_id);
  auto* from = t.value(from_id);
  const auto size = t.mangled(t.builder.getInt64Ty(), Sign::is_unsigned);
  llvm::SmallVector<Argument, 5> arguments = {
      {to, t.mangled_pointer(element, to->getType()->getPointerAddressSpace())},
      {from, t.mangled_pointer(element, from->getType()->getPointerAddressSpace(), "K")},
      {count, size}};
  // A stride of 1 is no stride. 0 would have every element read from or written to one place; the
  // translators write it for copies without stride.
  const auto* constant_stride = llvm::dyn_cast<llvm::ConstantInt>(stride);
  const bool is_plain = constant_stride != nullptr && constant_stride->getValue().ule(1);
  if (!is_plain)
    arguments.push_back({stride, size});
  arguments.push_back({event, t.mangled(event->getType(), Sign::is_signed)});
  t.define_value(
      result, result_type,
      t.call_builtin(is_plain ? "async_work_group_copy" : "async_work_group_strided_copy",
                     event->getType(), arguments, Effect::any));
}

// Operands behind the instruction's number: the builtin function's, in its order. The set stands
// for functions of memory without a type, so the pointers may be to anything.
void group_async_copies(Translation& t, const Instruction& instruction) {
  t.require(t.function_number != 0, "a copy stands inside of functions");
  const auto number = instruction[4];
  t.require(number == 1 || number == 2,
            "NonSemantic.Codeplay.GroupAsyncCopies has instructions 1 and 2");
  const bool is_3d = number == 2;
  const auto given = instruction.from(5);
  t.require(given.size() == (is_3d ? 13 : 10),
            is_3d ? "GroupAsyncCopy3D3D has 13 operands" : "GroupAsyncCopy2D2D has 10 operands");
  t.require(t.result_type(instruction).op == Op::OpTypeEvent, "the result is an event");
  copies_to_local(t, given[0], given[2]);
  auto* void_type = t.builder.getVoidTy();
  const auto size = t.mangled(t.builder.getInt64Ty(), Sign::is_unsigned);
  llvm::SmallVector<Argument, 13> arguments;
  for (unsigned i = 0; i < given.size(); ++i) {
    if (i == 0 || i == 2) {
      auto* place = t.value(given[i]);
      arguments.push_back({place, t.mangled_pointer(t.mangled(void_type, Sign::is_signed),
                                                    place->getType()->getPointerAddressSpace(),
                                                    i == 2 ? "K" : "")});
    } else if (i + 1 == given.size()) {
      auto* event = event_operand(t, given[i]);
      arguments.push_back({event, t.mangled(event->getType(), Sign::is_signed)});
    } else {
      arguments.push_back(
          {t.value_of(given[i], t.builder.getInt64Ty(), "an offset, a number or a length"), size});
    }
  }
  t.define_result(instruction, t.call_builtin(is_3d ? "async_work_group_copy_3D3D"
                                                    : "async_work_group_copy_2D2D",
                                              t.opaque("spirv.Event"), arguments, Effect::any));
}

void add_copies(Readers& readers) {
  readers.add(async_copy, {Op::OpGroupAsyncCopy});
  readers.add(wait_events, {Op::OpGroupWaitEvents});
}

} // namespace heddle::compiler::spirv
