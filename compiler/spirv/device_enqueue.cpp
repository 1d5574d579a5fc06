// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device-side enqueue, by the functions that Clang calls for enqueue_kernel and its kin.
//
// What an enqueued function is given points to bytes of any kind; Clang's block literals begin with
// their size and alignment. So the bytes are copied behind such a header, and a kernel takes the
// whole and calls the function with what is behind it.
#include "compiler/ir/address_space.h"
#include "compiler/spirv/readers.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"

namespace heddle::compiler::spirv {
namespace {

using Op = spv::Op;

constexpr std::uint64_t kHeaderBytes = 8;

// Where the bytes begin in a literal.
std::uint64_t literal_offset(std::uint64_t alignment) { return std::max(kHeaderBytes, alignment); }

llvm::Value* generic(Translation& t, llvm::Value* pointer) {
  return pointer->getType()->getPointerAddressSpace() == kGeneric
             ? pointer
             : t.builder.CreateAddrSpaceCast(pointer, t.builder.getPtrTy(kGeneric));
}

// ndrange_t: the number of dimensions, offset, global and local size.
bool is_range(const Translation& t, const Type& range) {
  if (range.op != Op::OpTypeStruct || range.members.size() != 4 ||
      !t.type(range.members[0]).llvm->isIntegerTy(32))
    return false;
  for (unsigned i = 1; i < 4; ++i) {
    const auto& sizes = t.type(range.members[i]);
    if (sizes.op != Op::OpTypeArray || sizes.count != 3 ||
        !t.type(sizes.element).llvm->isIntegerTy(64))
      return false;
  }
  return range.bytes == 80;
}

// Its address in private memory; translators also write the address where the value is asked for.
llvm::Value* range_operand(Translation& t, Word number) {
  auto* given = t.value(number);
  if (given->getType()->isPointerTy()) {
    t.require(t.is_untyped(number) || is_range(t, t.pointee(number)),
              "the range is what OpBuildNDRange makes");
    return given->getType()->getPointerAddressSpace() == kPrivate
               ? given
               : t.builder.CreateAddrSpaceCast(given, t.builder.getPtrTy(kPrivate));
  }
  t.require(is_range(t, t.type_of_value(number)), "the range is what OpBuildNDRange makes");
  auto* copy = entry_alloca(t, given->getType());
  t.builder.CreateStore(given, copy);
  return copy;
}

void build_range(Translation& t, const Instruction& instruction) {
  const auto& result = t.result_type(instruction);
  t.require(is_range(t, result),
            "the result is a structure of a number of dimensions, and offset, "
            "global size and local size as arrays of three integers of 64 bits");
  auto* word = t.builder.getInt64Ty();
  const auto& sizes = t.type_of_value(instruction[3]);
  const auto dimensions = sizes.op == Op::OpTypeArray ? sizes.count : 1;
  t.require(dimensions <= 3, "a range has one, two or three dimensions");
  llvm::Value* made = llvm::PoisonValue::get(result.llvm);
  made = t.builder.CreateInsertValue(made, t.builder.getInt32(static_cast<Word>(dimensions)), 0);
  // The operands are global size, local size and offset.
  constexpr unsigned kOperands[] = {5, 3, 4};
  for (unsigned member = 1; member < 4; ++member) {
    auto* given = t.value(instruction[kOperands[member - 1]]);
    auto* array = llvm::ArrayType::get(word, dimensions);
    t.require(sizes.op == Op::OpTypeArray ? given->getType() == array : given->getType() == word,
              "sizes and offset are integers of 64 bits, or arrays of as many as there are "
              "dimensions");
    for (unsigned d = 0; d < 3; ++d) {
      llvm::Value* number = t.builder.getInt64(member == 1 ? 0 : 1);
      if (d < dimensions)
        number = sizes.op == Op::OpTypeArray ? t.builder.CreateExtractValue(given, d) : given;
      made = t.builder.CreateInsertValue(made, number, {member, d});
    }
  }
  t.define_result(instruction, made);
}

// The kernel that calls an enqueued function with what is behind the header of its literal.
llvm::Function* block_kernel(Translation& t, Word number, std::uint64_t alignment) {
  auto*& kernel = t.block_kernels[{number, alignment}];
  if (kernel != nullptr)
    return kernel;
  const auto& callee = t.id(number);
  auto* function =
      callee.kind == IdKind::value ? llvm::dyn_cast<llvm::Function>(callee.value) : nullptr;
  t.require(function != nullptr, "what is enqueued is a function of the module");
  t.require(function->getReturnType()->isVoidTy(), "an enqueued function returns nothing");
  const auto& parameters = t.type(callee.type).members;
  t.require(!parameters.empty(), "an enqueued function has a parameter");
  llvm::SmallVector<llvm::Type*, 4> types = {t.builder.getPtrTy(kGeneric)};
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const auto& parameter = t.type(parameters[i]);
    t.require(parameter.op == Op::OpTypePointer &&
                  (parameter.is_untyped ||
                   (parameter.element != 0 && t.type(parameter.element).llvm->isIntegerTy(8))),
              "the parameters of an enqueued function are pointers to integers of 8 bits");
    const auto space = parameter.llvm->getPointerAddressSpace();
    t.require(i == 0 ? space != kLocal : space == kLocal,
              "the parameters of an enqueued function behind the first are Workgroup");
    if (i != 0)
      types.push_back(parameter.llvm);
  }
  auto name = function->getName();
  name.consume_back(".function");
  const auto own_name = name.str() + (name.ends_with("_kernel") ? "" : "_kernel");
  kernel = llvm::Function::Create(llvm::FunctionType::get(t.builder.getVoidTy(), types, false),
                                  llvm::GlobalValue::ExternalLinkage, own_name, *t.module);
  kernel->setAttributes(llvm::AttributeList::get(t.context, llvm::AttributeList::FunctionIndex,
                                                 {function->getAttributes().getFnAttrs()}));
  kernel->setCallingConv(llvm::CallingConv::SPIR_KERNEL);
  const llvm::IRBuilder<>::InsertPointGuard guard(t.builder);
  t.builder.SetInsertPoint(llvm::BasicBlock::Create(t.context, "", kernel));
  t.builder.SetCurrentDebugLocation({});
  llvm::SmallVector<llvm::Value*, 4> arguments;
  for (auto& argument : kernel->args())
    arguments.push_back(&argument);
  arguments[0] = t.builder.CreateInBoundsGEP(t.builder.getInt8Ty(), arguments[0],
                                             t.builder.getInt64(literal_offset(alignment)));
  if (auto* own = t.type(parameters[0]).llvm; own != arguments[0]->getType())
    arguments[0] = t.builder.CreateAddrSpaceCast(arguments[0], own);
  t.builder.CreateCall(function, arguments)->setCallingConv(function->getCallingConv());
  t.builder.CreateRetVoid();
  for (const auto& entry : t.entry_points)
    if (entry.function == number)
      for (const auto& mode : entry.modes)
        apply_mode(t, mode, *kernel);
  return kernel;
}

// Of the operands Invoke, Param, Param Size and Param Align: Clang's two, the kernel and the
// literal. The queries need no literal.
std::pair<llvm::Value*, llvm::Value*> block_operands(Translation& t, Words operands,
                                                     bool is_query) {
  const auto bytes = t.constant_number(operands[2], "the size of the parameter");
  const auto given = t.constant_number(operands[3], "the alignment of the parameter");
  const auto alignment = std::max<std::uint64_t>(given, 1);
  t.require(bytes <= 0x7FFFFFFF, "the parameter is smaller than 2 GiB");
  t.require(llvm::isPowerOf2_64(alignment) && alignment <= 128,
            "an alignment is a power of two of at most 128");
  auto* from = t.pointer(operands[1], "the parameter");
  auto* kernel = llvm::ConstantExpr::getAddrSpaceCast(block_kernel(t, operands[0], alignment),
                                                      t.builder.getPtrTy(kGeneric));
  if (is_query)
    return {kernel, llvm::ConstantPointerNull::get(t.builder.getPtrTy(kGeneric))};
  const auto offset = literal_offset(alignment);
  auto* literal = llvm::cast<llvm::AllocaInst>(
      entry_alloca(t, llvm::ArrayType::get(t.builder.getInt8Ty(), offset + bytes)));
  literal->setAlignment(llvm::Align(offset));
  const auto header = [&](unsigned at, std::uint64_t number) {
    t.builder.CreateAlignedStore(
        t.builder.getInt32(static_cast<Word>(number)),
        t.builder.CreateConstInBoundsGEP1_64(t.builder.getInt8Ty(), literal, at), llvm::Align(4));
  };
  header(0, offset + bytes);
  header(4, offset);
  t.builder.CreateMemCpy(
      t.builder.CreateConstInBoundsGEP1_64(t.builder.getInt8Ty(), literal, offset),
      llvm::Align(offset), from, llvm::Align(alignment), bytes);
  return {kernel, generic(t, literal)};
}

// Sizes of local memory are numbers; translators write the addresses of numbers.
llvm::Value* local_size(Translation& t, Word number) {
  auto* given = t.value(number);
  llvm::Type* type = given->getType();
  if (type->isPointerTy()) {
    type = t.pointee(number).llvm;
    t.require(type->isIntegerTy(), "a size of local memory is an integer");
    given = t.builder.CreateLoad(type, given);
  }
  t.require(type->isIntegerTy(), "a size of local memory is an integer");
  return t.builder.CreateZExtOrTrunc(given, t.builder.getInt64Ty());
}

// A pointer to events or null, as a generic one.
llvm::Value* event_pointer(Translation& t, Word number) {
  auto* given = t.pointer(number, "the events");
  if (t.is_untyped(number))
    return generic(t, given);
  const auto* content = &t.pointee(number);
  if (content->op == Op::OpTypeArray)
    content = &t.type(content->element);
  t.require(
      content->op == Op::OpTypeDeviceEvent ||
          (llvm::isa<llvm::Constant>(given) && llvm::cast<llvm::Constant>(given)->isNullValue()),
      "the pointer is to device events");
  return generic(t, given);
}

void enqueue_kernel(Translation& t, const Instruction& instruction) {
  auto* i32 = t.builder.getInt32Ty();
  auto* queue = t.value_of(instruction[3], t.opaque("spirv.Queue"), "the queue");
  auto* flags = t.value_of(instruction[4], i32, "the flags");
  auto* range = range_operand(t, instruction[5]);
  auto* count = t.value_of(instruction[6], i32, "the number of events");
  auto* waits = event_pointer(t, instruction[7]);
  auto* event = event_pointer(t, instruction[8]);
  const auto [kernel, literal] = block_operands(t, instruction.from(9), false);
  const auto local_sizes = instruction.from(13);
  const auto& callee = t.type(t.id(instruction[9]).type);
  t.require(callee.members.size() == local_sizes.size() + 1,
            "each Workgroup parameter of the enqueued function has a size");
  llvm::SmallVector<llvm::Value*, 10> arguments = {queue, flags, range,  count,
                                                   waits, event, kernel, literal};
  if (!local_sizes.empty()) {
    auto* type = llvm::ArrayType::get(t.builder.getInt64Ty(), local_sizes.size());
    auto* sizes = entry_alloca(t, type);
    for (unsigned i = 0; i < local_sizes.size(); ++i)
      t.builder.CreateStore(local_size(t, local_sizes[i]),
                            t.builder.CreateConstInBoundsGEP2_32(type, sizes, 0, i));
    arguments.push_back(t.builder.getInt32(static_cast<Word>(local_sizes.size())));
    arguments.push_back(sizes);
  }
  t.define_result(instruction, t.call_named(local_sizes.empty() ? "__enqueue_kernel_basic_events"
                                                                : "__enqueue_kernel_events_varargs",
                                            i32, arguments));
}

void enqueue_query(Translation& t, const Instruction& instruction) {
  auto* i32 = t.builder.getInt32Ty();
  const auto of_range = [&](llvm::StringRef name, llvm::Value* range, llvm::Value* kernel,
                            llvm::Value* literal) {
    return t.call_named(name, i32, {range, kernel, literal});
  };
  constexpr llvm::StringLiteral kCount = "__get_kernel_sub_group_count_for_ndrange_impl";
  constexpr llvm::StringLiteral kWidth = "__get_kernel_max_sub_group_size_for_ndrange_impl";
  constexpr llvm::StringLiteral kGroup = "__get_kernel_work_group_size_impl";
  switch (instruction.op) {
  case Op::OpGetKernelNDrangeSubGroupCount:
  case Op::OpGetKernelNDrangeMaxSubGroupSize: {
    const auto [kernel, literal] = block_operands(t, instruction.from(4), true);
    return t.define_result(
        instruction,
        of_range(instruction.op == Op::OpGetKernelNDrangeSubGroupCount ? kCount : kWidth,
                 range_operand(t, instruction[3]), kernel, literal));
  }
  case Op::OpGetKernelWorkGroupSize:
  case Op::OpGetKernelPreferredWorkGroupSizeMultiple: {
    const auto [kernel, literal] = block_operands(t, instruction.from(3), true);
    return t.define_result(
        instruction, t.call_named(instruction.op == Op::OpGetKernelWorkGroupSize
                                      ? kGroup
                                      : "__get_kernel_preferred_work_group_size_multiple_impl",
                                  i32, {kernel, literal}));
  }
  default:
    break;
  }
  // Of the largest group.
  const bool is_size = instruction.op == Op::OpGetKernelLocalSizeForSubgroupCount;
  const auto [kernel, literal] = block_operands(t, instruction.from(is_size ? 4 : 3), true);
  auto* group = t.call_named(kGroup, i32, {kernel, literal});
  auto* word = t.builder.getInt64Ty();
  auto* array = llvm::ArrayType::get(word, 3);
  auto* range_type = llvm::StructType::get(t.context, {i32, array, array, array});
  auto* range = entry_alloca(t, range_type);
  llvm::Value* filled = llvm::ConstantAggregateZero::get(range_type);
  filled = t.builder.CreateInsertValue(filled, t.builder.getInt32(1), 0);
  auto* items = t.builder.CreateZExt(group, word);
  for (const unsigned member : {2u, 3u})
    for (unsigned d = 0; d < 3; ++d)
      filled = t.builder.CreateInsertValue(
          filled, d == 0 ? items : static_cast<llvm::Value*>(t.builder.getInt64(1)), {member, d});
  t.builder.CreateStore(filled, range);
  if (!is_size)
    return t.define_result(instruction, of_range(kCount, range, kernel, literal));
  auto* count = t.value_of(instruction[3], i32, "the number of sub-groups");
  auto* size =
      t.builder.CreateMul(t.builder.CreateZExt(count, word),
                          t.builder.CreateZExt(of_range(kWidth, range, kernel, literal), word));
  t.define_result(instruction,
                  t.builder.CreateSelect(t.builder.CreateICmpULE(size, items),
                                         t.builder.CreateTrunc(size, i32), t.builder.getInt32(0)));
}

void device_queue(Translation& t, const Instruction& instruction) {
  auto* i32 = t.builder.getInt32Ty();
  auto* none = t.builder.getVoidTy();
  auto* event_type = t.opaque("spirv.DeviceEvent");
  const auto event = [&](unsigned index) {
    return t.value_of(instruction[index], event_type, "the event");
  };
  switch (instruction.op) {
  case Op::OpBuildNDRange:
    return build_range(t, instruction);
  case Op::OpEnqueueKernel:
    return enqueue_kernel(t, instruction);
  case Op::OpEnqueueMarker:
    return t.define_result(
        instruction,
        t.call_named("_Z14enqueue_marker9ocl_queuejPU3AS4K12ocl_clkeventPU3AS4S0_", i32,
                     {t.value_of(instruction[3], t.opaque("spirv.Queue"), "the queue"),
                      t.value_of(instruction[4], i32, "the number of events"),
                      event_pointer(t, instruction[5]), event_pointer(t, instruction[6])}));
  case Op::OpGetDefaultQueue:
    return t.define_result(instruction,
                           t.call_named("_Z17get_default_queuev", t.opaque("spirv.Queue"), {}));
  case Op::OpCreateUserEvent:
    return t.define_result(instruction, t.call_named("_Z17create_user_eventv", event_type, {}));
  case Op::OpIsValidEvent:
    return t.define_result(instruction, t.call_named("_Z14is_valid_event12ocl_clkevent",
                                                     t.builder.getInt1Ty(), {event(3)}));
  case Op::OpRetainEvent:
    t.call_named("_Z12retain_event12ocl_clkevent", none, {event(1)});
    return;
  case Op::OpReleaseEvent:
    t.call_named("_Z13release_event12ocl_clkevent", none, {event(1)});
    return;
  case Op::OpSetUserEventStatus:
    t.call_named("_Z21set_user_event_status12ocl_clkeventi", none,
                 {event(1), t.value_of(instruction[2], i32, "the status")});
    return;
  case Op::OpCaptureEventProfilingInfo: {
    auto* to = t.pointer(instruction[3], "the value");
    t.require(to->getType()->getPointerAddressSpace() == kGlobal, "the value is CrossWorkgroup");
    t.call_named("_Z28capture_event_profiling_info12ocl_clkeventiPU3AS1v", none,
                 {event(1), t.value_of(instruction[2], i32, "the kind of information"), to});
    return;
  }
  default:
    return enqueue_query(t, instruction);
  }
}

} // namespace

llvm::Value* entry_alloca(Translation& t, llvm::Type* type) {
  const llvm::IRBuilder<>::InsertPointGuard guard(t.builder);
  auto& entry = t.functions[t.function_number - 1].llvm->getEntryBlock();
  t.builder.SetInsertPoint(&entry, entry.begin());
  return t.builder.CreateAlloca(type);
}

void add_device_enqueue(Readers& readers) {
  readers.add(device_queue,
              {Op::OpEnqueueMarker, Op::OpEnqueueKernel, Op::OpGetKernelNDrangeSubGroupCount,
               Op::OpGetKernelNDrangeMaxSubGroupSize, Op::OpGetKernelWorkGroupSize,
               Op::OpGetKernelPreferredWorkGroupSizeMultiple,
               Op::OpGetKernelLocalSizeForSubgroupCount, Op::OpGetKernelMaxNumSubgroups,
               Op::OpRetainEvent, Op::OpReleaseEvent, Op::OpCreateUserEvent, Op::OpIsValidEvent,
               Op::OpSetUserEventStatus, Op::OpCaptureEventProfilingInfo, Op::OpGetDefaultQueue,
               Op::OpBuildNDRange});
}

} // namespace heddle::compiler::spirv
