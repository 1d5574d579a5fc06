// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pipes, by the functions that Clang calls for read_pipe and the others.
#include "compiler/ir/address_space.h"
#include "compiler/spirv/readers.h"

namespace heddle::compiler::spirv {
namespace {

using Op = spv::Op;

// An operand behind the pipe.
enum class Part { none, pointer, reservation, number };

struct PipeFunction {
  Op op;
  llvm::StringLiteral name; // "ro" or "wo" is put behind one that ends in "_"
  Part parts[3];
  bool has_scope;
  Word access; // 0: read, 1: write, 2: either
  enum { number, boolean_of_failure, reservation, nothing } result;
};

constexpr PipeFunction kFunctions[] = {
    {Op::OpReadPipe, "__read_pipe_2", {Part::pointer}, false, 0, PipeFunction::number},
    {Op::OpWritePipe, "__write_pipe_2", {Part::pointer}, false, 1, PipeFunction::number},
    {Op::OpReservedReadPipe,
     "__read_pipe_4",
     {Part::reservation, Part::number, Part::pointer},
     false,
     0,
     PipeFunction::number},
    {Op::OpReservedWritePipe,
     "__write_pipe_4",
     {Part::reservation, Part::number, Part::pointer},
     false,
     1,
     PipeFunction::number},
    {Op::OpReserveReadPipePackets,
     "__reserve_read_pipe",
     {Part::number},
     false,
     0,
     PipeFunction::reservation},
    {Op::OpReserveWritePipePackets,
     "__reserve_write_pipe",
     {Part::number},
     false,
     1,
     PipeFunction::reservation},
    {Op::OpCommitReadPipe,
     "__commit_read_pipe",
     {Part::reservation},
     false,
     0,
     PipeFunction::nothing},
    {Op::OpCommitWritePipe,
     "__commit_write_pipe",
     {Part::reservation},
     false,
     1,
     PipeFunction::nothing},
    {Op::OpGetNumPipePackets, "__get_pipe_num_packets_", {}, false, 2, PipeFunction::number},
    {Op::OpGetMaxPipePackets, "__get_pipe_max_packets_", {}, false, 2, PipeFunction::number},
    {Op::OpGroupReserveReadPipePackets,
     "_group_reserve_read_pipe",
     {Part::number},
     true,
     0,
     PipeFunction::reservation},
    {Op::OpGroupReserveWritePipePackets,
     "_group_reserve_write_pipe",
     {Part::number},
     true,
     1,
     PipeFunction::reservation},
    {Op::OpGroupCommitReadPipe,
     "_group_commit_read_pipe",
     {Part::reservation},
     true,
     0,
     PipeFunction::nothing},
    {Op::OpGroupCommitWritePipe,
     "_group_commit_write_pipe",
     {Part::reservation},
     true,
     1,
     PipeFunction::nothing},
};

void pipe(Translation& t, const Instruction& instruction) {
  if (instruction.op == Op::OpIsValidReserveId) {
    auto* id = t.value_of(instruction[3], t.opaque("spirv.ReserveId"), "the reservation");
    t.define_result(instruction, t.call_builtin("is_valid_reserve_id", t.builder.getInt1Ty(),
                                                {t.argument(id, Sign::is_signed)}, Effect::none));
    return;
  }
  for (const auto& entry : kFunctions) {
    if (entry.op != instruction.op)
      continue;
    const bool has_result = entry.result != PipeFunction::nothing;
    std::size_t at = has_result ? 3 : 1;
    std::string name = entry.name.str();
    if (entry.has_scope)
      name.insert(0,
                  group_scope(t, instruction[at++]) == GroupScope::work_group ? "__work" : "__sub");
    const auto& pipe_type = t.type_of_value(instruction[at]);
    t.require(pipe_type.op == Op::OpTypePipe &&
                  (entry.access == 2 || pipe_type.access == entry.access),
              "the pipe has the access that the instruction needs");
    if (name.back() == '_')
      name += pipe_type.access == 0 ? "ro" : "wo";
    llvm::SmallVector<llvm::Value*, 6> arguments = {t.value(instruction[at++])};
    for (const auto part : entry.parts) {
      if (part == Part::none)
        break;
      const auto operand = instruction[at++];
      switch (part) {
      case Part::pointer: {
        auto* place = t.pointer(operand, "the packet");
        if (place->getType()->getPointerAddressSpace() != kGeneric)
          place = t.builder.CreateAddrSpaceCast(place, t.builder.getPtrTy(kGeneric));
        arguments.push_back(place);
        break;
      }
      case Part::reservation:
        arguments.push_back(t.value_of(operand, t.opaque("spirv.ReserveId"), "the reservation"));
        break;
      default:
        arguments.push_back(t.value_of(operand, t.builder.getInt32Ty(), "the index or number"));
        break;
      }
    }
    // The packet's size and alignment.
    for (unsigned i = 0; i < 2; ++i)
      arguments.push_back(
          t.value_of(instruction[at++], t.builder.getInt32Ty(), "the packet's size or alignment"));
    llvm::Type* result = t.builder.getInt32Ty();
    if (entry.result == PipeFunction::reservation)
      result = t.opaque("spirv.ReserveId");
    else if (entry.result == PipeFunction::nothing)
      result = t.builder.getVoidTy();
    auto* made = t.call_named(name, result, arguments);
    if (has_result)
      t.define_result(instruction, made);
    return;
  }
  t.refuse("the pipe instruction is not supported");
}

} // namespace

void add_pipes(Readers& readers) {
  readers.add(pipe, {Op::OpReadPipe, Op::OpWritePipe, Op::OpReservedReadPipe,
                     Op::OpReservedWritePipe, Op::OpReserveReadPipePackets,
                     Op::OpReserveWritePipePackets, Op::OpCommitReadPipe, Op::OpCommitWritePipe,
                     Op::OpIsValidReserveId, Op::OpGetNumPipePackets, Op::OpGetMaxPipePackets,
                     Op::OpGroupReserveReadPipePackets, Op::OpGroupReserveWritePipePackets,
                     Op::OpGroupCommitReadPipe, Op::OpGroupCommitWritePipe});
}

} // namespace heddle::compiler::spirv
