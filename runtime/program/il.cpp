// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/program/il.h"

#include "compiler/interface/spirv_words.h"
#include "runtime/core/lock.h"

#include <bit>
#include <cstring>
#include <memory>
#include <string>
#include <unordered_map>

namespace heddle {
namespace {

// The opcodes and numbers that are looked at (SPIR-V specification, 3).
enum Opcode : std::uint32_t {
  kMemoryModel = 14,
  kTypeBool = 20,
  kTypeInt = 21,
  kTypeFloat = 22,
  kTypeArray = 28,
  kConstant = 43,
  kSpecConstantTrue = 48,
  kSpecConstantFalse = 49,
  kSpecConstant = 50,
  kSpecConstantData = 5148,
  kFunction = 54,
  kFunctionEnd = 56,
  kDecorate = 71,
};
constexpr std::uint32_t kSpecId = 1;
constexpr std::uint32_t kPhysical64 = 2;
constexpr std::uint32_t kOpenCl = 2;

} // namespace

IntermediateLanguage::IntermediateLanguage(std::span<const std::byte> bytes)
    : bytes_(bytes.begin(), bytes.end()) {}

Result<IntermediateLanguage*> IntermediateLanguage::read(std::span<const std::byte> bytes) {
  std::string why;
  const auto words = spirv::read_words(bytes, why);
  if (!why.empty())
    return CL_INVALID_VALUE;
  auto made = std::unique_ptr<IntermediateLanguage>(new IntermediateLanguage(bytes));
  std::unordered_map<std::uint32_t, std::uint32_t> identifiers; // SpecId, by id
  std::unordered_map<std::uint32_t, std::size_t> types;         // bytes, by id
  std::unordered_map<std::uint32_t, std::uint32_t> constants;   // lengths of arrays, by id
  bool is_for_opencl = false;
  bool in_functions = false;
  bool is_open = false; // between a function and its end
  spirv::for_each_instruction(words, [&](std::uint32_t opcode, auto operands, std::size_t) {
    in_functions |= opcode == kFunction;
    is_open = opcode == kFunction || (is_open && opcode != kFunctionEnd);
    if (in_functions)
      return;
    const auto size = operands.size();
    switch (opcode) {
    case kMemoryModel:
      is_for_opencl = size >= 3 && operands[1] == kPhysical64 && operands[2] == kOpenCl;
      break;
    case kDecorate:
      if (size >= 4 && operands[2] == kSpecId)
        identifiers[operands[1]] = operands[3];
      break;
    case kTypeBool:
      if (size >= 2)
        types[operands[1]] = 1;
      break;
    case kTypeInt:
    case kTypeFloat:
      if (size >= 3 && operands[2] <= 64) // integers of other widths are kept in wider ones
        types[operands[1]] = std::bit_ceil((operands[2] + 7) / 8);
      break;
    case kConstant:
      if (size >= 4 && !identifiers.empty())
        constants[operands[2]] = operands[3];
      break;
    case kTypeArray:
      if (size >= 4)
        if (const auto element = types.find(operands[2]); element != types.end())
          if (const auto length = constants.find(operands[3]); length != constants.end())
            types[operands[1]] = element->second * length->second;
      break;
    case kSpecConstantTrue:
    case kSpecConstantFalse:
    case kSpecConstant:
    case kSpecConstantData:
      if (size >= 3)
        if (const auto type = types.find(operands[1]); type != types.end())
          if (const auto identifier = identifiers.find(operands[2]);
              identifier != identifiers.end())
            made->sizes_[identifier->second] = type->second;
      break;
    default:
      break;
    }
  });
  if (!is_for_opencl || is_open)
    return CL_INVALID_VALUE;
  return made.release();
}

cl_int IntermediateLanguage::set(cl_uint identifier, std::size_t size, const void* value) {
  const auto found = sizes_.find(identifier);
  if (found == sizes_.end())
    return CL_INVALID_SPEC_ID;
  if (!value || size != found->second)
    return CL_INVALID_VALUE;
  const auto* first = static_cast<const std::byte*>(value);
  const Lock lock(mutex_);
  values_[identifier].assign(first, first + size);
  return CL_SUCCESS;
}

IntermediateLanguage::Values IntermediateLanguage::values() const {
  const Lock lock(mutex_);
  return {values_.begin(), values_.end()};
}

} // namespace heddle
