// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device-side enqueue, by the functions that Clang calls for enqueue_kernel and its kin.
//
// What an enqueued function is given points to bytes of any kind; Clang's block literals begin with
// their size and alignment. So the bytes are copied behind such a header, and a kernel takes the
// whole and calls the function with what is behind it.
#include "compiler/ir/address_space.h"
#include "compiler/spirv/translator.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"

namespace heddle::compiler::spirv {
namespace {

using Op = spv::Op;

constexpr std::uint64_t kHeaderBytes = 8;

// Where the bytes begin in a literal.
std::uint64_t literal_offset(std::uint64_t alignment) { return std::max(kHeaderBytes, alignment); }

} // namespace

llvm::Value* Translator::entry_alloca(llvm::Type* type) {
  const llvm::IRBuilder<>::InsertPointGuard guard(builder_);
  auto& entry = functions_[function_ - 1].llvm->getEntryBlock();
  builder_.SetInsertPoint(&entry, entry.begin());
  return builder_.CreateAlloca(type);
}

llvm::Value* Translator::generic(llvm::Value* pointer) {
  return pointer->getType()->getPointerAddressSpace() == kGeneric
             ? pointer
             : builder_.CreateAddrSpaceCast(pointer, builder_.getPtrTy(kGeneric));
}

// ndrange_t: the number of dimensions, offset, global and local size.
bool Translator::is_range(const Type& range) const {
  if (range.op != Op::OpTypeStruct || range.members.size() != 4 ||
      !type(range.members[0]).llvm->isIntegerTy(32))
    return false;
  for (unsigned i = 1; i < 4; ++i) {
    const auto& sizes = type(range.members[i]);
    if (sizes.op != Op::OpTypeArray || sizes.count != 3 ||
        !type(sizes.element).llvm->isIntegerTy(64))
      return false;
  }
  return range.bytes == 80;
}

// Its address in private memory; translators also write the address where the value is asked for.
llvm::Value* Translator::range_operand(Word number) {
  auto* given = value(number);
  if (given->getType()->isPointerTy()) {
    require(is_untyped(number) || is_range(pointee(number)),
            "the range is what OpBuildNDRange makes");
    return given->getType()->getPointerAddressSpace() == kPrivate
               ? given
               : builder_.CreateAddrSpaceCast(given, builder_.getPtrTy(kPrivate));
  }
  require(is_range(type_of_value(number)), "the range is what OpBuildNDRange makes");
  auto* copy = entry_alloca(given->getType());
  builder_.CreateStore(given, copy);
  return copy;
}

void Translator::build_range(const Instruction& instruction) {
  const auto& result = result_type(instruction);
  require(is_range(result), "the result is a structure of a number of dimensions, and offset, "
                            "global size and local size as arrays of three integers of 64 bits");
  auto* word = builder_.getInt64Ty();
  const auto& sizes = type_of_value(instruction[3]);
  const auto dimensions = sizes.op == Op::OpTypeArray ? sizes.count : 1;
  require(dimensions <= 3, "a range has one, two or three dimensions");
  llvm::Value* made = llvm::PoisonValue::get(result.llvm);
  made = builder_.CreateInsertValue(made, builder_.getInt32(static_cast<Word>(dimensions)), 0);
  // The operands are global size, local size and offset.
  constexpr unsigned kOperands[] = {5, 3, 4};
  for (unsigned member = 1; member < 4; ++member) {
    auto* given = value(instruction[kOperands[member - 1]]);
    auto* array = llvm::ArrayType::get(word, dimensions);
    require(sizes.op == Op::OpTypeArray ? given->getType() == array : given->getType() == word,
            "sizes and offset are integers of 64 bits, or arrays of as many as there are "
            "dimensions");
    for (unsigned d = 0; d < 3; ++d) {
      llvm::Value* number = builder_.getInt64(member == 1 ? 0 : 1);
      if (d < dimensions)
        number = sizes.op == Op::OpTypeArray ? builder_.CreateExtractValue(given, d) : given;
      made = builder_.CreateInsertValue(made, number, {member, d});
    }
  }
  define_result(instruction, made);
}

// The kernel that calls an enqueued function with what is behind the header of its literal.
llvm::Function* Translator::block_kernel(Word number, std::uint64_t alignment) {
  auto*& kernel = block_kernels_[{number, alignment}];
  if (kernel != nullptr)
    return kernel;
  const auto& callee = id(number);
  auto* function =
      callee.kind == IdKind::value ? llvm::dyn_cast<llvm::Function>(callee.value) : nullptr;
  require(function != nullptr, "what is enqueued is a function of the module");
  require(function->getReturnType()->isVoidTy(), "an enqueued function returns nothing");
  const auto& parameters = type(callee.type).members;
  require(!parameters.empty(), "an enqueued function has a parameter");
  llvm::SmallVector<llvm::Type*, 4> types = {builder_.getPtrTy(kGeneric)};
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const auto& parameter = type(parameters[i]);
    require(parameter.op == Op::OpTypePointer &&
                (parameter.is_untyped ||
                 (parameter.element != 0 && type(parameter.element).llvm->isIntegerTy(8))),
            "the parameters of an enqueued function are pointers to integers of 8 bits");
    const auto space = parameter.llvm->getPointerAddressSpace();
    require(i == 0 ? space != kLocal : space == kLocal,
            "the parameters of an enqueued function behind the first are Workgroup");
    if (i != 0)
      types.push_back(parameter.llvm);
  }
  auto name = function->getName();
  name.consume_back(".function");
  const auto own_name = name.str() + (name.ends_with("_kernel") ? "" : "_kernel");
  kernel = llvm::Function::Create(llvm::FunctionType::get(builder_.getVoidTy(), types, false),
                                  llvm::GlobalValue::ExternalLinkage, own_name, *module_);
  kernel->setAttributes(llvm::AttributeList::get(context_, llvm::AttributeList::FunctionIndex,
                                                 {function->getAttributes().getFnAttrs()}));
  kernel->setCallingConv(llvm::CallingConv::SPIR_KERNEL);
  const llvm::IRBuilder<>::InsertPointGuard guard(builder_);
  builder_.SetInsertPoint(llvm::BasicBlock::Create(context_, "", kernel));
  builder_.SetCurrentDebugLocation({});
  llvm::SmallVector<llvm::Value*, 4> arguments;
  for (auto& argument : kernel->args())
    arguments.push_back(&argument);
  arguments[0] = builder_.CreateInBoundsGEP(builder_.getInt8Ty(), arguments[0],
                                            builder_.getInt64(literal_offset(alignment)));
  if (auto* own = type(parameters[0]).llvm; own != arguments[0]->getType())
    arguments[0] = builder_.CreateAddrSpaceCast(arguments[0], own);
  builder_.CreateCall(function, arguments)->setCallingConv(function->getCallingConv());
  builder_.CreateRetVoid();
  for (const auto& entry : entry_points_)
    if (entry.function == number)
      for (const auto& mode : entry.modes)
        apply_mode(mode, *kernel);
  return kernel;
}

// Of the operands Invoke, Param, Param Size and Param Align: Clang's two, the kernel and the
// literal. The queries need no literal.
std::pair<llvm::Value*, llvm::Value*> Translator::block_operands(Words operands, bool is_query) {
  const auto bytes = constant_number(operands[2], "the size of the parameter");
  const auto given = constant_number(operands[3], "the alignment of the parameter");
  const auto alignment = std::max<std::uint64_t>(given, 1);
  require(bytes <= 0x7FFFFFFF, "the parameter is smaller than 2 GiB");
  require(llvm::isPowerOf2_64(alignment) && alignment <= 128,
          "an alignment is a power of two of at most 128");
  auto* from = pointer(operands[1], "the parameter");
  auto* kernel = llvm::ConstantExpr::getAddrSpaceCast(block_kernel(operands[0], alignment),
                                                      builder_.getPtrTy(kGeneric));
  if (is_query)
    return {kernel, llvm::ConstantPointerNull::get(builder_.getPtrTy(kGeneric))};
  const auto offset = literal_offset(alignment);
  auto* literal = llvm::cast<llvm::AllocaInst>(
      entry_alloca(llvm::ArrayType::get(builder_.getInt8Ty(), offset + bytes)));
  literal->setAlignment(llvm::Align(offset));
  const auto header = [&](unsigned at, std::uint64_t number) {
    builder_.CreateAlignedStore(
        builder_.getInt32(static_cast<Word>(number)),
        builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), literal, at), llvm::Align(4));
  };
  header(0, offset + bytes);
  header(4, offset);
  builder_.CreateMemCpy(builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), literal, offset),
                        llvm::Align(offset), from, llvm::Align(alignment), bytes);
  return {kernel, generic(literal)};
}

// Sizes of local memory are numbers; translators write the addresses of numbers.
llvm::Value* Translator::local_size(Word number) {
  auto* given = value(number);
  llvm::Type* type = given->getType();
  if (type->isPointerTy()) {
    type = pointee(number).llvm;
    require(type->isIntegerTy(), "a size of local memory is an integer");
    given = builder_.CreateLoad(type, given);
  }
  require(type->isIntegerTy(), "a size of local memory is an integer");
  return builder_.CreateZExtOrTrunc(given, builder_.getInt64Ty());
}

void Translator::enqueue_kernel(const Instruction& instruction) {
  auto* i32 = builder_.getInt32Ty();
  auto* queue = value_of(instruction[3], opaque("spirv.Queue"), "the queue");
  auto* flags = value_of(instruction[4], i32, "the flags");
  auto* range = range_operand(instruction[5]);
  auto* count = value_of(instruction[6], i32, "the number of events");
  auto* waits = event_pointer(instruction[7]);
  auto* event = event_pointer(instruction[8]);
  const auto [kernel, literal] = block_operands(instruction.from(9), false);
  const auto local_sizes = instruction.from(13);
  const auto& callee = type(id(instruction[9]).type);
  require(callee.members.size() == local_sizes.size() + 1,
          "each Workgroup parameter of the enqueued function has a size");
  llvm::SmallVector<llvm::Value*, 10> arguments = {queue, flags, range,  count,
                                                   waits, event, kernel, literal};
  if (!local_sizes.empty()) {
    auto* type = llvm::ArrayType::get(builder_.getInt64Ty(), local_sizes.size());
    auto* sizes = entry_alloca(type);
    for (unsigned i = 0; i < local_sizes.size(); ++i)
      builder_.CreateStore(local_size(local_sizes[i]),
                           builder_.CreateConstInBoundsGEP2_32(type, sizes, 0, i));
    arguments.push_back(builder_.getInt32(static_cast<Word>(local_sizes.size())));
    arguments.push_back(sizes);
  }
  define_result(instruction, call_named(local_sizes.empty() ? "__enqueue_kernel_basic_events"
                                                            : "__enqueue_kernel_events_varargs",
                                        i32, arguments));
}

// A pointer to events or null, as a generic one.
llvm::Value* Translator::event_pointer(Word number) {
  auto* given = pointer(number, "the events");
  if (is_untyped(number))
    return generic(given);
  const auto* content = &pointee(number);
  if (content->op == Op::OpTypeArray)
    content = &type(content->element);
  require(
      content->op == Op::OpTypeDeviceEvent ||
          (llvm::isa<llvm::Constant>(given) && llvm::cast<llvm::Constant>(given)->isNullValue()),
      "the pointer is to device events");
  return generic(given);
}

void Translator::enqueue_query(const Instruction& instruction) {
  auto* i32 = builder_.getInt32Ty();
  const auto of_range = [&](llvm::StringRef name, llvm::Value* range, llvm::Value* kernel,
                            llvm::Value* literal) {
    return call_named(name, i32, {range, kernel, literal});
  };
  constexpr llvm::StringLiteral kCount = "__get_kernel_sub_group_count_for_ndrange_impl";
  constexpr llvm::StringLiteral kWidth = "__get_kernel_max_sub_group_size_for_ndrange_impl";
  constexpr llvm::StringLiteral kGroup = "__get_kernel_work_group_size_impl";
  switch (instruction.op) {
  case Op::OpGetKernelNDrangeSubGroupCount:
  case Op::OpGetKernelNDrangeMaxSubGroupSize: {
    const auto [kernel, literal] = block_operands(instruction.from(4), true);
    return define_result(
        instruction,
        of_range(instruction.op == Op::OpGetKernelNDrangeSubGroupCount ? kCount : kWidth,
                 range_operand(instruction[3]), kernel, literal));
  }
  case Op::OpGetKernelWorkGroupSize:
  case Op::OpGetKernelPreferredWorkGroupSizeMultiple: {
    const auto [kernel, literal] = block_operands(instruction.from(3), true);
    return define_result(instruction,
                         call_named(instruction.op == Op::OpGetKernelWorkGroupSize
                                        ? kGroup
                                        : "__get_kernel_preferred_work_group_size_multiple_impl",
                                    i32, {kernel, literal}));
  }
  default:
    break;
  }
  // Of the largest group.
  const bool is_size = instruction.op == Op::OpGetKernelLocalSizeForSubgroupCount;
  const auto [kernel, literal] = block_operands(instruction.from(is_size ? 4 : 3), true);
  auto* group = call_named(kGroup, i32, {kernel, literal});
  auto* word = builder_.getInt64Ty();
  auto* array = llvm::ArrayType::get(word, 3);
  auto* range_type = llvm::StructType::get(context_, {i32, array, array, array});
  auto* range = entry_alloca(range_type);
  llvm::Value* filled = llvm::ConstantAggregateZero::get(range_type);
  filled = builder_.CreateInsertValue(filled, builder_.getInt32(1), 0);
  auto* items = builder_.CreateZExt(group, word);
  for (const unsigned member : {2u, 3u})
    for (unsigned d = 0; d < 3; ++d)
      filled = builder_.CreateInsertValue(
          filled, d == 0 ? items : static_cast<llvm::Value*>(builder_.getInt64(1)), {member, d});
  builder_.CreateStore(filled, range);
  if (!is_size)
    return define_result(instruction, of_range(kCount, range, kernel, literal));
  auto* count = value_of(instruction[3], i32, "the number of sub-groups");
  auto* size =
      builder_.CreateMul(builder_.CreateZExt(count, word),
                         builder_.CreateZExt(of_range(kWidth, range, kernel, literal), word));
  define_result(instruction,
                builder_.CreateSelect(builder_.CreateICmpULE(size, items),
                                      builder_.CreateTrunc(size, i32), builder_.getInt32(0)));
}

void Translator::device_queue(const Instruction& instruction) {
  auto* i32 = builder_.getInt32Ty();
  auto* none = builder_.getVoidTy();
  auto* event_type = opaque("spirv.DeviceEvent");
  const auto event = [&](unsigned index) {
    return value_of(instruction[index], event_type, "the event");
  };
  switch (instruction.op) {
  case Op::OpBuildNDRange:
    return build_range(instruction);
  case Op::OpEnqueueKernel:
    return enqueue_kernel(instruction);
  case Op::OpEnqueueMarker:
    return define_result(
        instruction, call_named("_Z14enqueue_marker9ocl_queuejPU3AS4K12ocl_clkeventPU3AS4S0_", i32,
                                {value_of(instruction[3], opaque("spirv.Queue"), "the queue"),
                                 value_of(instruction[4], i32, "the number of events"),
                                 event_pointer(instruction[5]), event_pointer(instruction[6])}));
  case Op::OpGetDefaultQueue:
    return define_result(instruction,
                         call_named("_Z17get_default_queuev", opaque("spirv.Queue"), {}));
  case Op::OpCreateUserEvent:
    return define_result(instruction, call_named("_Z17create_user_eventv", event_type, {}));
  case Op::OpIsValidEvent:
    return define_result(instruction, call_named("_Z14is_valid_event12ocl_clkevent",
                                                 builder_.getInt1Ty(), {event(3)}));
  case Op::OpRetainEvent:
    call_named("_Z12retain_event12ocl_clkevent", none, {event(1)});
    return;
  case Op::OpReleaseEvent:
    call_named("_Z13release_event12ocl_clkevent", none, {event(1)});
    return;
  case Op::OpSetUserEventStatus:
    call_named("_Z21set_user_event_status12ocl_clkeventi", none,
               {event(1), value_of(instruction[2], i32, "the status")});
    return;
  case Op::OpCaptureEventProfilingInfo: {
    auto* to = pointer(instruction[3], "the value");
    require(to->getType()->getPointerAddressSpace() == kGlobal, "the value is CrossWorkgroup");
    call_named("_Z28capture_event_profiling_info12ocl_clkeventiPU3AS1v", none,
               {event(1), value_of(instruction[2], i32, "the kind of information"), to});
    return;
  }
  default:
    return enqueue_query(instruction);
  }
}

} // namespace heddle::compiler::spirv
