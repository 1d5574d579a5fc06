// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types of OpenCL.DebugInfo.100 and NonSemantic.Shader.DebugInfo, made when a variable or a
// function needs them. What is not known, or names itself, is null: a variable of such a type is
// left out.
#include "compiler/spirv/debug_instructions.h"
#include "compiler/spirv/readers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/Support/CheckedArithmetic.h"

#include <iterator>

namespace heddle::compiler::spirv {
namespace {

namespace dwarf = llvm::dwarf;

constexpr std::uint64_t kPointerBits = 64;

// LLVM writes types by recursion, each from the one that names it.
constexpr std::size_t kMaxTypes = 8192;

// 0 if it is not known.
std::uint64_t product(std::uint64_t left, std::uint64_t right) {
  return llvm::checkedMulUnsigned(left, right).value_or(0);
}

} // namespace

DebugInfo::DebugType DebugInfo::debug_type(Word number, unsigned depth) {
  const auto* entry = debug_entry(number);
  if (entry == nullptr || depth > debug::kMaxNesting)
    return {};
  if (const auto found = debug_types_.find(number); found != debug_types_.end())
    return found->second;
  if (debug_types_.size() >= kMaxTypes)
    return {};
  debug_types_[number] = {}; // for types that name themselves
  return debug_types_[number] = make_debug_type(number, *entry, depth + 1);
}

DebugInfo::DebugType DebugInfo::make_debug_type(Word number, const DebugEntry& entry,
                                                unsigned depth) {
  const auto named = [&](std::size_t index) {
    return index < entry.operands.size() ? debug_type(entry.operands[index], depth) : DebugType{};
  };
  switch (entry.number) {
  case debug::kTypeBasic:
    return debug_basic_type(entry);
  case debug::kTypePointer: {
    const auto content = named(0);
    const auto flags = debug_number(entry, 2);
    // Without address spaces: memory is flat on CPUs.
    if (content.type != nullptr && (flags & debug::kFlagLValueReference) != 0)
      return {debug_->createReferenceType(dwarf::DW_TAG_reference_type, content.type, kPointerBits),
              kPointerBits, true};
    if (content.type != nullptr && (flags & debug::kFlagRValueReference) != 0)
      return {debug_->createReferenceType(dwarf::DW_TAG_rvalue_reference_type, content.type,
                                          kPointerBits),
              kPointerBits, true};
    return {debug_->createPointerType(content.type, kPointerBits), kPointerBits, true};
  }
  case debug::kTypeQualifier: {
    constexpr unsigned kTags[] = {dwarf::DW_TAG_const_type, dwarf::DW_TAG_volatile_type,
                                  dwarf::DW_TAG_restrict_type, dwarf::DW_TAG_atomic_type};
    auto base = named(0);
    const auto qualifier = debug_number(entry, 1);
    if (qualifier < std::size(kTags))
      base.type = debug_->createQualifiedType(kTags[qualifier], base.type);
    return base;
  }
  case debug::kTypeArray:
    return debug_array_type(entry, depth);
  case debug::kTypeVector: {
    const auto component = named(0);
    const auto count = debug_number(entry, 1);
    if (!component.is_object || count == 0)
      return {};
    // A vector of three takes the place of four.
    const auto bits = product(component.bits, count == 3 ? 4 : count);
    return {
        debug_->createVectorType(bits, 0, component.type,
                                 debug_->getOrCreateArray({debug_->getOrCreateSubrange(0, count)})),
        bits, true};
  }
  case debug::kTypedef: {
    auto base = named(1);
    if (const auto text = debug_text(entry, 0); !text.empty())
      base.type = debug_->createTypedef(base.type, text, debug_file_of(entry, 2),
                                        debug_number(entry, 3), debug_type_scope(entry, 5, depth));
    return base;
  }
  case debug::kTypeFunction:
    return {debug_function_type(entry, depth), 0, false};
  case debug::kTypeEnum:
    return debug_enumeration(entry, depth);
  case debug::kTypeComposite:
    return debug_composite(number, entry, depth);
  case debug::kTypePtrToMember: {
    const auto member = named(0), owner = named(1);
    if (member.type == nullptr || !llvm::isa_and_nonnull<llvm::DICompositeType>(owner.type))
      return {};
    const bool is_function = llvm::isa<llvm::DISubroutineType>(member.type);
    const auto bits = is_function ? 2 * kPointerBits : kPointerBits;
    return {debug_->createMemberPointerType(member.type, owner.type, bits), bits, true};
  }
  case debug::kTypeTemplate: // its parameters are in its name
    return named(0);
  default:
    return {};
  }
}

DebugInfo::DebugType DebugInfo::debug_basic_type(const DebugEntry& entry) {
  constexpr unsigned kEncodings[] = {
      0,
      dwarf::DW_ATE_address,
      dwarf::DW_ATE_boolean,
      dwarf::DW_ATE_float,
      dwarf::DW_ATE_signed,
      dwarf::DW_ATE_signed_char,
      dwarf::DW_ATE_unsigned,
      dwarf::DW_ATE_unsigned_char,
  };
  const auto text = debug_text(entry, 0);
  const auto encoding = debug_number(entry, 2);
  if (encoding == 0 || encoding >= std::size(kEncodings))
    return {text.empty() ? nullptr : debug_->createUnspecifiedType(text), 0, false};
  const auto bits = debug_constant(entry, 1).value_or(0);
  return {debug_->createBasicType(text, bits, kEncodings[encoding]), bits, true};
}

DebugInfo::DebugType DebugInfo::debug_array_type(const DebugEntry& entry, unsigned depth) {
  if (entry.operands.size() < 2)
    return {};
  const auto element = debug_type(entry.operands[0], depth);
  if (!element.is_object)
    return {};
  auto counts = entry.operands.drop_front();
  // llvm-spirv writes the dimensions' lower bounds, which OpenCL C does not have, behind the
  // counts.
  const auto lower_bounds = counts.drop_front(counts.size() / 2);
  if (!entry.is_shader && counts.size() % 2 == 0 && llvm::all_of(lower_bounds, [&](Word bound) {
        const auto* named = debug_entry(bound);
        return named != nullptr && named->number == debug::kNone;
      }))
    counts = counts.drop_back(counts.size() / 2);

  auto bits = element.bits;
  llvm::SmallVector<llvm::Metadata*, 4> dimensions;
  for (const auto number : counts) {
    const auto count = debug_constant(number);
    if (count && *count <= INT64_MAX && (*count != 0 || !entry.is_shader)) {
      dimensions.push_back(debug_->getOrCreateSubrange(0, static_cast<std::int64_t>(*count)));
      bits = product(bits, *count);
      continue;
    }
    bits = 0;
    if (auto* variable = debug_variable(number, depth))
      dimensions.push_back(debug_->getOrCreateSubrange(0, variable));
    else
      dimensions.push_back(debug_->getOrCreateSubrange(0, std::int64_t(-1)));
  }
  return {debug_->createArrayType(bits, 0, element.type, debug_->getOrCreateArray(dimensions)),
          bits, true};
}

llvm::DISubroutineType* DebugInfo::debug_function_type(const DebugEntry& entry, unsigned depth) {
  llvm::SmallVector<llvm::Metadata*, 8> types;
  for (const auto number :
       entry.operands.drop_front(std::min<std::size_t>(1, entry.operands.size()))) {
    const auto found = debug_type(number, depth);
    // The first is the result, which may be void.
    if (!types.empty() && !found.is_object) {
      types.clear();
      break;
    }
    types.push_back(found.type);
  }
  return debug_->createSubroutineType(debug_->getOrCreateTypeArray(types));
}

// The structure or namespace that a type is declared in; null in files, and in functions, whose
// types debuggers find all the same.
llvm::DIScope* DebugInfo::debug_type_scope(const DebugEntry& entry, std::size_t index,
                                           unsigned depth) {
  const auto number = index < entry.operands.size() ? entry.operands[index] : 0;
  const auto* parent = debug_entry(number);
  if (parent == nullptr || depth > debug::kMaxNesting)
    return nullptr;
  if (parent->number == debug::kTypeComposite || parent->number == debug::kTypeTemplate)
    return llvm::dyn_cast_or_null<llvm::DICompositeType>(debug_type(number, depth + 1).type);
  if (parent->number != debug::kLexicalBlock || parent->operands.size() <= 4)
    return nullptr;
  if (auto* found = debug_namespaces_.lookup(number))
    return found;
  return debug_namespaces_[number] = debug_->createNameSpace(
             debug_type_scope(*parent, 3, depth + 1), debug_text(*parent, 4), false);
}

} // namespace heddle::compiler::spirv
