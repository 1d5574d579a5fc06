// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes SPIR-V modules word by word, right ones and wrong ones.
#pragma once

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>
#include <vector>

namespace heddle::test {

using Word = std::uint32_t;
using Words = std::vector<Word>;

// Opcodes and enumerants that the tests use, by their names in the specification.
enum Spv : Word {
  OpExtension = 10,
  OpExtInstImport = 11,
  OpExtInst = 12,
  OpMemoryModel = 14,
  OpEntryPoint = 15,
  OpExecutionMode = 16,
  OpCapability = 17,
  OpTypeVoid = 19,
  OpTypeBool = 20,
  OpTypeInt = 21,
  OpTypeFloat = 22,
  OpTypeVector = 23,
  OpTypeArray = 28,
  OpTypeStruct = 30,
  OpTypePointer = 32,
  OpTypeFunction = 33,
  OpTypeEvent = 34,
  OpConstantTrue = 41,
  OpConstant = 43,
  OpConstantComposite = 44,
  OpConstantNull = 46,
  OpSpecConstantTrue = 48,
  OpSpecConstantFalse = 49,
  OpSpecConstant = 50,
  OpSpecConstantComposite = 51,
  OpSpecConstantOp = 52,
  OpFunction = 54,
  OpFunctionParameter = 55,
  OpFunctionEnd = 56,
  OpFunctionCall = 57,
  OpVariable = 59,
  OpLoad = 61,
  OpStore = 62,
  OpInBoundsPtrAccessChain = 70,
  OpDecorate = 71,
  OpName = 5,
  OpCompositeExtract = 81,
  OpConvertUToF = 112,
  OpUConvert = 113,
  OpBitcast = 124,
  OpIAdd = 128,
  OpFAdd = 129,
  OpISub = 130,
  OpIMul = 132,
  OpSelect = 169,
  OpULessThan = 176,
  OpAtomicIAdd = 234,
  OpControlBarrier = 224,
  OpPhi = 245,
  OpLabel = 248,
  OpBranch = 249,
  OpBranchConditional = 250,
  OpReturn = 253,
  OpReturnValue = 254,
  OpGroupWaitEvents = 260,
};
enum Capability : Word {
  Addresses = 4,
  Linkage = 5,
  KernelCapability = 6,
  Int64 = 11,
  Float64 = 10,
  Int16 = 22,
  Int8 = 39,
  Shader = 1
};
enum Storage : Word {
  UniformConstant = 0,
  Input = 1,
  Workgroup = 4,
  CrossWorkgroup = 5,
  Function = 7
};

inline Words text(const std::string& string) {
  Words words(string.size() / 4 + 1);
  std::memcpy(words.data(), string.data(), string.size());
  return words;
}

class Module {
 public:
  Module() = default;
  // With the capabilities that most kernels have and OpenCL's memory model.
  static Module kernel(const std::vector<Word>& more = {}) {
    Module made;
    for (const Word capability : {Addresses, Linkage, KernelCapability, Int64, Int8})
      made.add(OpCapability, {capability});
    for (const Word capability : more)
      made.add(OpCapability, {capability});
    return made;
  }
  Module& memory_model() { return add(OpMemoryModel, {2, 2}); }

  Word id() { return next_++; }
  Module& add(Word opcode, Words operands) {
    words_.push_back(static_cast<Word>(operands.size() + 1) << 16 | opcode);
    words_.insert(words_.end(), operands.begin(), operands.end());
    return *this;
  }
  Module& add(Word opcode, Words operands, const std::string& string, Words more = {}) {
    for (const Word word : text(string))
      operands.push_back(word);
    operands.insert(operands.end(), more.begin(), more.end());
    return add(opcode, std::move(operands));
  }
  // An instruction with a new result: the id.
  Word result(Word opcode, Word type, Words operands = {}) {
    const Word made = id();
    operands.insert(operands.begin(), {type, made});
    add(opcode, std::move(operands));
    return made;
  }
  Word type(Word opcode, Words operands = {}) {
    const Word made = id();
    operands.insert(operands.begin(), made);
    add(opcode, std::move(operands));
    return made;
  }

  Words words(Word version = 0x00010400) const {
    Words all = {0x07230203, version, 0, next_, 0};
    all.insert(all.end(), words_.begin(), words_.end());
    return all;
  }

 private:
  Words words_;
  Word next_ = 1;
};

// The beginning of a kernel module: types, get_global_id(0) and one kernel with the parameters that
// the test adds.
struct KernelModule : Module {
  explicit KernelModule(const std::string& set = "", const std::vector<Word>& more = {},
                        const char* extension = nullptr, Word sub_group_size = 0,
                        const Words& modes_of_floats = {})
      : Module(Module::kernel(more)) {
    if (extension != nullptr)
      add(OpExtension, {}, extension);
    if (!set.empty()) {
      instructions = id();
      add(OpExtInstImport, {instructions}, set);
    }
    memory_model();
    function = id();
    add(OpEntryPoint, {6, function}, "k");
    if (sub_group_size != 0)
      add(OpExecutionMode, {function, 35, sub_group_size});
    for (const Word mode : modes_of_floats)
      add(OpExecutionMode, {function, mode, 32});
    global_id = id();
    add(OpDecorate, {global_id, 11, 28});
  }
  // After names and decorations.
  void types() {
    void_type = type(OpTypeVoid);
    bool_type = type(OpTypeBool);
    i8 = type(OpTypeInt, {8, 0});
    i32 = type(OpTypeInt, {32, 0});
    i64 = type(OpTypeInt, {64, 0});
    f32 = type(OpTypeFloat, {32});
    i64x3 = type(OpTypeVector, {i64, 3});
    input = type(OpTypePointer, {Input, i64x3});
    global_i32 = type(OpTypePointer, {CrossWorkgroup, i32});
    global_f32 = type(OpTypePointer, {CrossWorkgroup, f32});
    add(OpVariable, {input, global_id, Input});
  }
  Word constant32(Word value) { return result(OpConstant, i32, {value}); }
  Word constant64(std::uint64_t value) {
    return result(OpConstant, i64, {static_cast<Word>(value), static_cast<Word>(value >> 32)});
  }
  // Begins the kernel; answers its parameters' ids.
  Words begin(const Words& parameter_types) {
    Words signature = {void_type};
    signature.insert(signature.end(), parameter_types.begin(), parameter_types.end());
    const Word function_type = type(OpTypeFunction, signature);
    add(OpFunction, {void_type, function, 0, function_type});
    Words parameters;
    for (const Word type : parameter_types)
      parameters.push_back(result(OpFunctionParameter, type));
    type(OpLabel);
    return parameters;
  }
  Word load_global_id() {
    return result(OpCompositeExtract, i64, {result(OpLoad, i64x3, {global_id}), 0});
  }
  void end() {
    add(OpReturn, {});
    add(OpFunctionEnd, {});
  }

  Word instructions = 0, function = 0, global_id = 0;
  Word void_type = 0, bool_type = 0, i8 = 0, i32 = 0, i64 = 0, f32 = 0, i64x3 = 0, input = 0,
       global_i32 = 0, global_f32 = 0;
};

} // namespace heddle::test
