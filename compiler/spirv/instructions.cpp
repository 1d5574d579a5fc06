// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instructions inside functions, by opcode.
#include "compiler/ir/address_space.h"
#include "compiler/spirv/translator.h"

namespace heddle::compiler::spirv {
namespace {

// Newer than the SPIRV-Headers that Heddle is built with may be.
constexpr auto kArithmeticFence = static_cast<spv::Op>(6145);

} // namespace

void Translator::instruction(const Instruction& instruction) {
  using Op = spv::Op;
  using Binary = llvm::Instruction;
  using Predicate = llvm::CmpInst;
  // Not in the headers' enumeration; handled like a copy.
  switch (instruction.op == kArithmeticFence ? Op::OpCopyObject : instruction.op) {
  case Op::OpVariable:
    return function_variable(instruction);
  case Op::OpUndef:
    return constant_instruction(instruction);
  case Op::OpExtInst:
    return extended(instruction);
  case Op::OpFunctionCall:
    return call(instruction);
  case Op::OpSizeOf: {
    const auto& pointer_value =
        type(id(instruction[3]).kind == IdKind::type ? instruction[3] : id(instruction[3]).type);
    require(pointer_value.op == Op::OpTypePointer && pointer_value.element != 0,
            "the operand is a pointer");
    const auto& content = type(pointer_value.element);
    require(result_type(instruction).llvm->isIntegerTy(32), "the result is an integer of 32 bits");
    return define_result(instruction, builder_.getInt32(static_cast<Word>(content.bytes)));
  }

  // Control flow.
  case Op::OpPhi:
    return phi(instruction);
  case Op::OpBranch:
    return branch(instruction);
  case Op::OpBranchConditional:
    return branch_conditional(instruction);
  case Op::OpSwitch:
    return switch_over(instruction);
  case Op::OpReturn:
  case Op::OpReturnValue:
  case Op::OpUnreachable:
    return leave(instruction);
  case Op::OpLoopMerge:
    return loop_merge(instruction);
  case Op::OpLoopControlINTEL:
    return loop_control(instruction[1], instruction.from(2));
  case Op::OpSelectionMerge:
    (void)block(instruction[1]);
    return;

  // Memory.
  case Op::OpLoad:
    return load(instruction);
  case Op::OpStore:
    return store(instruction);
  case Op::OpCopyMemory:
  case Op::OpCopyMemorySized:
    return copy_memory(instruction);
  case Op::OpAccessChain:
  case Op::OpInBoundsAccessChain:
  case Op::OpPtrAccessChain:
  case Op::OpInBoundsPtrAccessChain:
    return access_chain(instruction);
  case Op::OpLifetimeStart:
  case Op::OpLifetimeStop:
    return lifetime(instruction);
  case Op::OpPtrEqual:
  case Op::OpPtrNotEqual:
  case Op::OpPtrDiff:
    return compare_pointers(instruction);
  case Op::OpGenericPtrMemSemantics: {
    auto* given = pointer(instruction[3], "the operand");
    require(given->getType()->getPointerAddressSpace() == kGeneric, "the pointer is Generic");
    require(result_type(instruction).llvm->isIntegerTy(32), "the result is an integer of 32 bits");
    // get_fence() has the bits of WorkgroupMemory and CrossWorkgroupMemory, eight places lower.
    auto* flags = call_named("_Z9get_fencePU3AS4v", builder_.getInt32Ty(), {given}, Effect::none);
    return define_result(instruction, builder_.CreateShl(flags, 8));
  }

  // Composites.
  case Op::OpCompositeConstruct:
    return construct(instruction);
  case Op::OpCompositeExtract:
    return extract(instruction);
  case Op::OpCompositeInsert:
    return insert(instruction);
  case Op::OpVectorShuffle:
    return shuffle(instruction);
  case Op::OpCopyLogical:
    return define_result(instruction,
                         copied_logically(value(instruction[3]), type_of_value(instruction[3]),
                                          result_type(instruction)));
  case Op::OpVectorExtractDynamic:
  case Op::OpVectorInsertDynamic:
    return vector_element(instruction);
  case Op::OpCopyObject:
  case Op::OpExpectKHR: {
    auto* given = value_of(instruction[3], result_type(instruction).llvm, "the operand");
    if (instruction.op == Op::OpExpectKHR) {
      require(given->getType()->isIntOrIntVectorTy(), "the operand is an integer or boolean");
      auto* expected = value_of(instruction[4], given->getType(), "the expected value");
      if (given->getType()->isIntegerTy()) // LLVM has no use for what is expected of vectors
        given = builder_.CreateIntrinsic(llvm::Intrinsic::expect, {given->getType()},
                                         {given, expected});
    } else if (instruction.op == kArithmeticFence) {
      require(given->getType()->isFPOrFPVectorTy(), "the operand is floating-point");
      builder_.clearFastMathFlags();
      given = builder_.CreateArithmeticFence(given, given->getType());
    }
    return define_value(instruction[2], instruction[1], given);
  }
  case Op::OpAssumeTrueKHR:
    builder_.CreateAssumption(value_of(instruction[1], builder_.getInt1Ty(), "the condition"));
    return;

  // Numbers.
  case Op::OpIAdd:
    return binary(instruction, Binary::Add);
  case Op::OpISub:
    return binary(instruction, Binary::Sub);
  case Op::OpIMul:
    return binary(instruction, Binary::Mul);
  case Op::OpUDiv:
    return binary(instruction, Binary::UDiv);
  case Op::OpSDiv:
    return binary(instruction, Binary::SDiv);
  case Op::OpUMod:
    return binary(instruction, Binary::URem);
  case Op::OpSRem:
    return binary(instruction, Binary::SRem);
  case Op::OpFAdd:
    return binary(instruction, Binary::FAdd);
  case Op::OpFSub:
    return binary(instruction, Binary::FSub);
  case Op::OpFMul:
    return binary(instruction, Binary::FMul);
  case Op::OpFDiv:
    return binary(instruction, Binary::FDiv);
  case Op::OpFRem:
    return binary(instruction, Binary::FRem);
  case Op::OpShiftLeftLogical:
    return binary(instruction, Binary::Shl);
  case Op::OpShiftRightLogical:
    return binary(instruction, Binary::LShr);
  case Op::OpShiftRightArithmetic:
    return binary(instruction, Binary::AShr);
  case Op::OpBitwiseAnd:
    return binary(instruction, Binary::And);
  case Op::OpBitwiseOr:
    return binary(instruction, Binary::Or);
  case Op::OpBitwiseXor:
    return binary(instruction, Binary::Xor);
  case Op::OpSNegate:
  case Op::OpFNegate:
  case Op::OpNot:
    return negate(instruction);
  case Op::OpSMod:
  case Op::OpFMod:
    return modulo(instruction);
  case Op::OpIAddCarry:
  case Op::OpISubBorrow:
  case Op::OpUMulExtended:
  case Op::OpSMulExtended:
    return extended_arithmetic(instruction);
  case Op::OpDot:
  case Op::OpVectorTimesScalar:
    return dot(instruction);
  case Op::OpBitCount:
  case Op::OpBitReverse:
  case Op::OpBitFieldInsert:
  case Op::OpBitFieldSExtract:
  case Op::OpBitFieldUExtract:
    return bits(instruction);
  case Op::OpSDot:
  case Op::OpUDot:
  case Op::OpSUDot:
  case Op::OpSDotAccSat:
  case Op::OpUDotAccSat:
  case Op::OpSUDotAccSat:
    return integer_dot(instruction);

  // Comparisons.
  case Op::OpIEqual:
    return compare_integers(instruction, Predicate::ICMP_EQ);
  case Op::OpINotEqual:
    return compare_integers(instruction, Predicate::ICMP_NE);
  case Op::OpUGreaterThan:
    return compare_integers(instruction, Predicate::ICMP_UGT);
  case Op::OpSGreaterThan:
    return compare_integers(instruction, Predicate::ICMP_SGT);
  case Op::OpUGreaterThanEqual:
    return compare_integers(instruction, Predicate::ICMP_UGE);
  case Op::OpSGreaterThanEqual:
    return compare_integers(instruction, Predicate::ICMP_SGE);
  case Op::OpULessThan:
    return compare_integers(instruction, Predicate::ICMP_ULT);
  case Op::OpSLessThan:
    return compare_integers(instruction, Predicate::ICMP_SLT);
  case Op::OpULessThanEqual:
    return compare_integers(instruction, Predicate::ICMP_ULE);
  case Op::OpSLessThanEqual:
    return compare_integers(instruction, Predicate::ICMP_SLE);
  case Op::OpFOrdEqual:
    return compare_floats(instruction, Predicate::FCMP_OEQ);
  case Op::OpFUnordEqual:
    return compare_floats(instruction, Predicate::FCMP_UEQ);
  case Op::OpFOrdNotEqual:
  case Op::OpLessOrGreater:
    return compare_floats(instruction, Predicate::FCMP_ONE);
  case Op::OpFUnordNotEqual:
    return compare_floats(instruction, Predicate::FCMP_UNE);
  case Op::OpFOrdLessThan:
    return compare_floats(instruction, Predicate::FCMP_OLT);
  case Op::OpFUnordLessThan:
    return compare_floats(instruction, Predicate::FCMP_ULT);
  case Op::OpFOrdGreaterThan:
    return compare_floats(instruction, Predicate::FCMP_OGT);
  case Op::OpFUnordGreaterThan:
    return compare_floats(instruction, Predicate::FCMP_UGT);
  case Op::OpFOrdLessThanEqual:
    return compare_floats(instruction, Predicate::FCMP_OLE);
  case Op::OpFUnordLessThanEqual:
    return compare_floats(instruction, Predicate::FCMP_ULE);
  case Op::OpFOrdGreaterThanEqual:
    return compare_floats(instruction, Predicate::FCMP_OGE);
  case Op::OpFUnordGreaterThanEqual:
    return compare_floats(instruction, Predicate::FCMP_UGE);
  case Op::OpOrdered:
    return compare_floats(instruction, Predicate::FCMP_ORD);
  case Op::OpUnordered:
    return compare_floats(instruction, Predicate::FCMP_UNO);
  case Op::OpIsNan:
  case Op::OpIsInf:
  case Op::OpIsFinite:
  case Op::OpIsNormal:
  case Op::OpSignBitSet:
    return classify(instruction);
  case Op::OpLogicalAnd:
  case Op::OpLogicalOr:
  case Op::OpLogicalNot:
  case Op::OpLogicalEqual:
  case Op::OpLogicalNotEqual:
    return logical(instruction);
  case Op::OpAny:
  case Op::OpAll:
    return any_or_all(instruction);
  case Op::OpSelect:
    return select(instruction);

  // Conversions.
  case Op::OpConvertFToU:
  case Op::OpConvertFToS:
  case Op::OpConvertSToF:
  case Op::OpConvertUToF:
  case Op::OpUConvert:
  case Op::OpSConvert:
  case Op::OpFConvert:
    return convert(instruction);
  case Op::OpSatConvertSToU:
  case Op::OpSatConvertUToS:
    return saturate(instruction);
  case Op::OpBitcast:
    return bitcast(instruction);
  case Op::OpConvertPtrToU:
  case Op::OpConvertUToPtr:
  case Op::OpPtrCastToGeneric:
  case Op::OpGenericCastToPtr:
  case Op::OpGenericCastToPtrExplicit:
    return pointer_cast(instruction);

  // Atomics and barriers.
  case Op::OpAtomicLoad:
  case Op::OpAtomicStore:
  case Op::OpAtomicExchange:
  case Op::OpAtomicCompareExchange:
  case Op::OpAtomicCompareExchangeWeak:
  case Op::OpAtomicIIncrement:
  case Op::OpAtomicIDecrement:
  case Op::OpAtomicIAdd:
  case Op::OpAtomicISub:
  case Op::OpAtomicSMin:
  case Op::OpAtomicUMin:
  case Op::OpAtomicSMax:
  case Op::OpAtomicUMax:
  case Op::OpAtomicAnd:
  case Op::OpAtomicOr:
  case Op::OpAtomicXor:
  case Op::OpAtomicFlagTestAndSet:
  case Op::OpAtomicFlagClear:
    return atomic(instruction);
  case Op::OpAtomicFAddEXT:
    return atomic_float(instruction, "atomic_fetch_add_explicit");
  case Op::OpAtomicFMinEXT:
    return atomic_float(instruction, "atomic_fetch_min_explicit");
  case Op::OpAtomicFMaxEXT:
    return atomic_float(instruction, "atomic_fetch_max_explicit");
  case Op::OpControlBarrier:
    return barrier(instruction);
  case Op::OpMemoryBarrier:
    return memory_barrier(instruction[1], instruction[2]);
  case Op::OpNamedBarrierInitialize:
    return initialize_named_barrier(instruction);
  case Op::OpMemoryNamedBarrier:
    return wait_at_named_barrier(instruction);

  // Groups.
  case Op::OpGroupAll:
  case Op::OpGroupAny:
  case Op::OpGroupBroadcast:
  case Op::OpGroupIAdd:
  case Op::OpGroupFAdd:
  case Op::OpGroupFMin:
  case Op::OpGroupUMin:
  case Op::OpGroupSMin:
  case Op::OpGroupFMax:
  case Op::OpGroupUMax:
  case Op::OpGroupSMax:
  case Op::OpGroupIMulKHR:
  case Op::OpGroupFMulKHR:
  case Op::OpGroupBitwiseAndKHR:
  case Op::OpGroupBitwiseOrKHR:
  case Op::OpGroupBitwiseXorKHR:
  case Op::OpGroupLogicalAndKHR:
  case Op::OpGroupLogicalOrKHR:
  case Op::OpGroupLogicalXorKHR:
    return group(instruction);
  case Op::OpGroupAsyncCopy:
    return async_copy(instruction);
  case Op::OpGroupWaitEvents:
    return wait_events(instruction);
  case Op::OpSubgroupBallotKHR:
  case Op::OpSubgroupAllKHR:
  case Op::OpSubgroupAnyKHR:
  case Op::OpSubgroupAllEqualKHR:
  case Op::OpSubgroupReadInvocationKHR:
  case Op::OpSubgroupShuffleINTEL:
  case Op::OpSubgroupShuffleDownINTEL:
  case Op::OpSubgroupShuffleUpINTEL:
  case Op::OpSubgroupShuffleXorINTEL:
    return sub_group_shuffle(instruction);
  case Op::OpReadPipe:
  case Op::OpWritePipe:
  case Op::OpReservedReadPipe:
  case Op::OpReservedWritePipe:
  case Op::OpReserveReadPipePackets:
  case Op::OpReserveWritePipePackets:
  case Op::OpCommitReadPipe:
  case Op::OpCommitWritePipe:
  case Op::OpIsValidReserveId:
  case Op::OpGetNumPipePackets:
  case Op::OpGetMaxPipePackets:
  case Op::OpGroupReserveReadPipePackets:
  case Op::OpGroupReserveWritePipePackets:
  case Op::OpGroupCommitReadPipe:
  case Op::OpGroupCommitWritePipe:
    return pipe(instruction);
  case Op::OpEnqueueMarker:
  case Op::OpEnqueueKernel:
  case Op::OpGetKernelNDrangeSubGroupCount:
  case Op::OpGetKernelNDrangeMaxSubGroupSize:
  case Op::OpGetKernelWorkGroupSize:
  case Op::OpGetKernelPreferredWorkGroupSizeMultiple:
  case Op::OpGetKernelLocalSizeForSubgroupCount:
  case Op::OpGetKernelMaxNumSubgroups:
  case Op::OpRetainEvent:
  case Op::OpReleaseEvent:
  case Op::OpCreateUserEvent:
  case Op::OpIsValidEvent:
  case Op::OpSetUserEventStatus:
  case Op::OpCaptureEventProfilingInfo:
  case Op::OpGetDefaultQueue:
  case Op::OpBuildNDRange:
    return device_queue(instruction);
  case Op::OpSampledImage:
    return sampled_image(instruction);
  case Op::OpImageSampleExplicitLod:
  case Op::OpImageRead:
    return read_image(instruction);
  case Op::OpImageWrite:
    return write_image(instruction);
  case Op::OpImage:
  case Op::OpImageQueryFormat:
  case Op::OpImageQueryOrder:
  case Op::OpImageQuerySizeLod:
  case Op::OpImageQuerySize:
  case Op::OpImageQueryLevels:
    return query_image(instruction);
  default:
    break;
  }
  switch (static_cast<Word>(instruction.op)) {
  case 4433: // OpExtInstWithForwardRefsKHR
    return extended(instruction);
  case 4463: // OpCompositeConstructReplicateEXT
    return construct_replicated(instruction);
  case 5934: // OpPtrCastToCrossWorkgroupALTERA: what it is already, as below
  case 5938: // OpCrossWorkgroupCastToPtrALTERA
  case 5949: // OpFPGARegALTERA
    return define_result(instruction,
                         value_of(instruction[3], result_type(instruction).llvm, "the operand"));
  case 5585: // OpUCountLeadingZerosINTEL and the others of SPV_INTEL_shader_integer_functions2
  case 5586:
  case 5587:
  case 5588:
  case 5589:
  case 5590:
  case 5591:
  case 5592:
  case 5593:
  case 5594:
  case 5595:
  case 5596:
  case 5597:
  case 5598:
    return integer_function(instruction);
  case 5121: // OpAbortKHR
    return abort(instruction);
  case 5609: // OpAsmTargetINTEL
    return assembly_target(instruction);
  case 5610: // OpAsmINTEL
    return assembly(instruction);
  case 5611: // OpAsmCallINTEL
    return call_assembly(instruction);
  case 6221: // OpSubgroupBlockPrefetchINTEL
    return prefetch_block(instruction);
  case 6242: // OpBitwiseFunctionINTEL
    return bitwise_function(instruction);
  case 6258: // OpPredicatedLoadINTEL
  case 6259: // OpPredicatedStoreINTEL
    return predicated_access(instruction);
  case 6426: // OpRoundFToTF32INTEL
    return round_to_tf32(instruction);
  case 6428: // OpMaskedGatherINTEL
  case 6429: // OpMaskedScatterINTEL
    return masked_access(instruction);
  case 4427: // OpFmaKHR
    return fused_multiply_add(instruction);
  case 5158: // OpPoisonKHR
  case 5159: // OpFreezeKHR
    return poison_or_freeze(instruction);
  case 5056: // OpReadClockKHR
    return read_clock(instruction);
  case 4418: // OpUntypedVariableKHR
    return function_variable(instruction);
  case 4419: // OpUntypedAccessChainKHR
  case 4420: // OpUntypedInBoundsAccessChainKHR
  case 4423: // OpUntypedPtrAccessChainKHR
  case 4424: // OpUntypedInBoundsPtrAccessChainKHR
    return access_chain(instruction);
  case 4426: // OpUntypedPrefetchKHR: a hint that the builtin library does not take either
    (void)pointer(instruction[1], "the pointer");
    return;
  case 4434: // OpUntypedGroupAsyncCopyKHR
    return untyped_async_copy(instruction);
  case 5601: // OpFunctionPointerCallINTEL
    return call_pointer(instruction);
  case 5818: // OpVariableLengthArrayINTEL
  case 5819: // OpSaveMemoryINTEL
  case 5820: // OpRestoreMemoryINTEL
  case 6244: // OpUntypedVariableLengthArrayINTEL
    return variable_length_array(instruction);
  case 5577: // OpSubgroupImageBlockReadINTEL
  case 5578: // OpSubgroupImageBlockWriteINTEL
    return sub_group_image_block(instruction);
  case 5575: // OpSubgroupBlockReadINTEL
  case 5576: // OpSubgroupBlockWriteINTEL
    return sub_group_block(instruction);
  case 6116: // OpConvertFToBF16INTEL
  case 6117: // OpConvertBF16ToFINTEL
    return bfloat16_conversion(instruction);
  case 6142: // OpControlBarrierArriveINTEL
  case 6143: // OpControlBarrierWaitINTEL
    return split_barrier(instruction);
  default:
    break;
  }
  if ((instruction.op >= Op::OpGroupNonUniformElect &&
       instruction.op <= Op::OpGroupNonUniformLogicalXor) ||
      instruction.op == Op::OpGroupNonUniformRotateKHR)
    return group_non_uniform(instruction);
  refuse("the instruction is not supported");
}

} // namespace heddle::compiler::spirv
