#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tables of the SPIR-V grammar for the reader, from the JSON files of SPIRV-Headers.

generate_grammar.py CORE.json OPENCL_STD.json OUTPUT

Lines of the output, for a file that defines the macros it wants:
  HEDDLE_INSTRUCTION(opcode, fewest words, has a result type, has a result, literals, "OpName")
  HEDDLE_CAPABILITY_NAME(number, "Name")
  HEDDLE_OPENCL_STD(number, operands, "name")
each sorted by its number.
"""
import json
import sys

# What the reader knows and an older SPIRV-Headers does not: opcode, name, operands before the
# optional ones, has a result type, and the bits of operands behind the result that are literals.
NEWER_INSTRUCTIONS = [
    (4417, "OpTypeUntypedPointerKHR", 2, False),
    (4418, "OpUntypedVariableKHR", 3, True),
    (4419, "OpUntypedAccessChainKHR", 4, True),
    (4420, "OpUntypedInBoundsAccessChainKHR", 4, True),
    (4423, "OpUntypedPtrAccessChainKHR", 5, True),
    (4424, "OpUntypedInBoundsPtrAccessChainKHR", 5, True),
    (4426, "OpUntypedPrefetchKHR", 2, False),
    (4427, "OpFmaKHR", 5, True),
    (4433, "OpExtInstWithForwardRefsKHR", 4, True, 2),
    (4461, "OpConstantCompositeReplicateEXT", 3, True),
    (4462, "OpSpecConstantCompositeReplicateEXT", 3, True),
    (4463, "OpCompositeConstructReplicateEXT", 3, True),
    (4434, "OpUntypedGroupAsyncCopyKHR", 9, True),
    (5121, "OpAbortKHR", 2, False),
    (5147, "OpConstantDataKHR", 2, True),
    (5148, "OpSpecConstantDataKHR", 2, True),
    (5158, "OpPoisonKHR", 2, True),
    (5159, "OpFreezeKHR", 3, True),
    (6096, "OpCompositeConstructContinuedINTEL", 0, False),
    (6116, "OpConvertFToBF16INTEL", 3, True),
    (6117, "OpConvertBF16ToFINTEL", 3, True),
    (6142, "OpControlBarrierArriveINTEL", 3, False),
    (6143, "OpControlBarrierWaitINTEL", 3, False),
    (6145, "OpArithmeticFenceEXT", 3, True),
    (6221, "OpSubgroupBlockPrefetchINTEL", 2, False),
    (6242, "OpBitwiseFunctionINTEL", 6, True),
    (6244, "OpUntypedVariableLengthArrayINTEL", 4, True),
    (6258, "OpPredicatedLoadINTEL", 5, True),
    (6259, "OpPredicatedStoreINTEL", 3, False),
    (6426, "OpRoundFToTF32INTEL", 3, True),
    (6428, "OpMaskedGatherINTEL", 6, True, 2),
    (6429, "OpMaskedScatterINTEL", 4, False, 4),
]
NEWER_CAPABILITIES = {
    5120: "AbortKHR", 6024: "ReplicatedCompositesEXT", 6029: "FloatControls2", 6030: "FMAKHR", 6094: "OptNoneEXT",
    6095: "AtomicFloat16AddEXT", 6115: "BFloat16ConversionINTEL", 6141: "SplitBarrierINTEL",
    6144: "ArithmeticFenceEXT", 6187: "GlobalVariableHostAccessINTEL", 6241: "TernaryBitwiseFunctionINTEL",
    6441: "CacheControlsINTEL", 6400: "GroupUniformArithmeticKHR", 6169: "FPMaxErrorINTEL",
    6089: "LongCompositesINTEL", 5910: "MemoryAccessAliasingINTEL", 5156: "PoisonFreezeKHR",
    6026: "GroupNonUniformRotateKHR", 4473: "UntypedPointersKHR", 6245: "SpecConditionalINTEL", 5146: "ConstantDataKHR",
    6220: "SubgroupBufferPrefetchINTEL", 6243: "UntypedVariableLengthArrayINTEL",
    6257: "PredicatedIOINTEL", 6265: "RoundedDivideSqrtINTEL", 6425: "TensorFloat32RoundingINTEL",
    6427: "MaskedGatherScatterINTEL", 6460: "RegisterLimitsINTEL",
}


def value_of(number):
    return int(number, 0) if isinstance(number, str) else number


def instructions(grammar):
    known = {}
    for entry in grammar["instructions"]:
        operands = entry.get("operands", [])
        kinds = [operand["kind"] for operand in operands]
        fewest = 1 + sum("quantifier" not in operand for operand in operands)
        others = [kind for kind in kinds if kind not in ("IdResultType", "IdResult")]
        literals = sum(1 << i for i, kind in enumerate(others[:32]) if not kind.startswith("Id"))
        known.setdefault(entry["opcode"], (fewest, "IdResultType" in kinds, "IdResult" in kinds, literals, entry["opname"]))
    for opcode, name, operands, has_type, *literals in NEWER_INSTRUCTIONS:
        known.setdefault(opcode, (operands + 1, has_type, has_type, sum(literals), name))
    # To which older grammars give a type, and one operand more.
    known[5609] = (3, False, True, 1, "OpAsmTargetINTEL")
    known[5949] = (4, True, True, 0, "OpFPGARegALTERA")
    return known


def capabilities(grammar):
    known = {}
    for kind in grammar["operand_kinds"]:
        if kind["kind"] == "Capability":
            for entry in kind["enumerants"]:
                known.setdefault(value_of(entry["value"]), entry["enumerant"])
    for number, name in NEWER_CAPABILITIES.items():
        known.setdefault(number, name)
    return known


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        core = json.load(file)
    with open(sys.argv[2], encoding="utf-8") as file:
        library = json.load(file)
    lines = ["#ifdef HEDDLE_INSTRUCTION"]
    for opcode, (fewest, has_type, has_result, literals, name) in sorted(instructions(core).items()):
        lines.append(f'HEDDLE_INSTRUCTION({opcode}, {fewest}, {int(has_type)}, {int(has_result)}, {literals}, "{name}")')
    lines += ["#endif", "#ifdef HEDDLE_CAPABILITY_NAME"]
    for number, name in sorted(capabilities(core).items()):
        lines.append(f'HEDDLE_CAPABILITY_NAME({number}, "{name}")')
    lines += ["#endif", "#ifdef HEDDLE_OPENCL_STD"]
    for entry in sorted(library["instructions"], key=lambda entry: entry["opcode"]):
        fewest = sum("quantifier" not in operand for operand in entry.get("operands", []))
        lines.append(f'HEDDLE_OPENCL_STD({entry["opcode"]}, {fewest}, "{entry["opname"]}")')
    lines.append("#endif")
    with open(sys.argv[3], "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


main()
