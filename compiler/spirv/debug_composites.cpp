// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Structures, classes, unions and enumerations of debug information. Structures are made without
// their members, which may name them again, and get these at the end.
#include "compiler/spirv/debug_instructions.h"
#include "compiler/spirv/readers.h"
#include "llvm/ADT/APSInt.h"
#include "llvm/BinaryFormat/Dwarf.h"

#include <iterator>

namespace heddle::compiler::spirv {
namespace {

namespace dwarf = llvm::dwarf;

constexpr std::size_t kFirstMember = 9, kFirstEnumerator = 8;

} // namespace

llvm::DINode::DIFlags DebugInfo::debug_flags(unsigned flags) {
  constexpr llvm::DINode::DIFlags kAccess[] = {llvm::DINode::FlagZero, llvm::DINode::FlagProtected,
                                               llvm::DINode::FlagPrivate, llvm::DINode::FlagPublic};
  auto result = kAccess[flags & debug::kAccessMask];
  if ((flags & debug::kFlagArtificial) != 0)
    result |= llvm::DINode::FlagArtificial;
  if ((flags & debug::kFlagObjectPointer) != 0)
    result |= llvm::DINode::FlagObjectPointer;
  return result;
}

DebugInfo::DebugType DebugInfo::debug_enumeration(const DebugEntry& entry, unsigned depth) {
  if (entry.operands.size() < kFirstEnumerator)
    return {};
  const auto underlying = debug_type(entry.operands[1], depth);
  const auto* basic = llvm::dyn_cast_or_null<llvm::DIBasicType>(underlying.type);
  const bool is_unsigned =
      basic != nullptr && basic->getSignedness() == llvm::DIBasicType::Signedness::Unsigned;
  llvm::SmallVector<llvm::Metadata*, 16> values;
  for (std::size_t i = kFirstEnumerator; i + 1 < entry.operands.size(); i += 2) {
    const auto& found = t_.id(entry.operands[i]);
    const auto* number =
        found.kind == IdKind::value ? llvm::dyn_cast<llvm::ConstantInt>(found.value) : nullptr;
    if (number != nullptr)
      values.push_back(debug_->createEnumerator(debug_text(entry, i + 1),
                                                llvm::APSInt(number->getValue(), is_unsigned)));
  }
  const auto bits = debug_constant(entry, 6).value_or(underlying.bits);
  return {debug_->createEnumerationType(debug_type_scope(entry, 5, depth), debug_text(entry, 0),
                                        debug_file_of(entry, 2), debug_number(entry, 3), bits, 0,
                                        debug_->getOrCreateArray(values),
                                        underlying.is_object ? underlying.type : nullptr, 0, "",
                                        (debug_number(entry, 7) & debug::kFlagIsEnumClass) != 0),
          bits, true};
}

DebugInfo::DebugType DebugInfo::debug_composite(Word number, const DebugEntry& entry,
                                                unsigned depth) {
  constexpr unsigned kTags[] = {dwarf::DW_TAG_class_type, dwarf::DW_TAG_structure_type,
                                dwarf::DW_TAG_union_type};
  const auto tag = debug_number(entry, 1);
  if (entry.operands.size() < kFirstMember || tag >= std::size(kTags))
    return {};
  // What is opaque has no size.
  const auto bits = debug_constant(entry, 7);
  const auto flags = debug_number(entry, 8);
  const bool is_declaration = !bits || (flags & debug::kFlagForwardDeclaration) != 0;
  // Distinct, so that members can be added.
  auto* made = llvm::DICompositeType::getDistinct(
      t_.context, kTags[tag], debug_text(entry, 0), debug_file_of(entry, 2), debug_number(entry, 3),
      debug_type_scope(entry, 5, depth), nullptr, bits.value_or(0), 0, 0,
      is_declaration ? llvm::DINode::FlagFwdDecl : llvm::DINode::FlagZero, nullptr, 0, std::nullopt,
      nullptr);
  if (!is_declaration)
    open_composites_.emplace_back(made, number);
  return {made, bits.value_or(0), true};
}

// Null for methods, and for what is not known.
llvm::DIDerivedType* DebugInfo::debug_member(Word number, llvm::DICompositeType* owner) {
  const auto* entry = debug_entry(number);
  if (entry == nullptr)
    return nullptr;
  const auto type_at = [&](std::size_t index) {
    return index < entry->operands.size() ? debug_type(entry->operands[index], 0) : DebugType{};
  };
  // OpenCL.DebugInfo.100 names the owner, too.
  const std::size_t owners = entry->is_shader ? 0 : 1;
  if (entry->number == debug::kTypeInheritance) {
    const auto base = type_at(owners);
    if (!llvm::isa_and_nonnull<llvm::DICompositeType>(base.type))
      return nullptr;
    return debug_->createInheritance(owner, base.type,
                                     debug_constant(*entry, owners + 1).value_or(0), 0,
                                     debug_flags(debug_number(*entry, owners + 3)));
  }
  if (entry->number != debug::kTypeMember)
    return nullptr;
  const auto type = type_at(1);
  if (!type.is_object)
    return nullptr;
  const auto text = debug_text(*entry, 0);
  auto* file = debug_file_of(*entry, 2);
  const auto line = debug_number(*entry, 3);
  const auto given_flags = debug_number(*entry, owners + 7);
  const auto flags = debug_flags(given_flags);
  if ((given_flags & debug::kFlagStaticMember) != 0) {
    const auto value_at = owners + 8;
    const auto& found = t_.id(value_at < entry->operands.size() ? entry->operands[value_at] : 0);
    auto* value =
        found.kind == IdKind::value ? llvm::dyn_cast<llvm::ConstantInt>(found.value) : nullptr;
    return debug_->createStaticMemberType(owner, text, file, line, type.type, flags, value,
                                          dwarf::DW_TAG_member);
  }
  const auto offset = debug_constant(*entry, owners + 5).value_or(0);
  const auto bits = debug_constant(*entry, owners + 6).value_or(type.bits);
  const bool is_bit_field = offset % 8 != 0 || bits % 8 != 0 || bits < type.bits;
  if (is_bit_field && bits != 0 && type.bits != 0)
    return debug_->createBitFieldMemberType(owner, text, file, line, bits, offset,
                                            offset - offset % type.bits, flags, type.type);
  return debug_->createMemberType(owner, text, file, line, bits, 0, offset, flags, type.type);
}

// Members and signatures name further types, which are put at the ends of the lists.
void DebugInfo::complete_debug_types() {
  while (!open_composites_.empty() || !open_functions_.empty()) {
    if (!open_functions_.empty()) {
      auto [function, number] = open_functions_.back();
      open_functions_.pop_back();
      if (auto* type = llvm::dyn_cast_or_null<llvm::DISubroutineType>(debug_type(number, 0).type))
        function->replaceType(type);
      continue;
    }
    auto [composite, number] = open_composites_.back();
    open_composites_.pop_back();
    llvm::SmallVector<llvm::Metadata*, 16> members;
    for (const auto member : debug_entry(number)->operands.drop_front(kFirstMember))
      if (auto* made = debug_member(member, composite))
        members.push_back(made);
    debug_->replaceArrays(composite, debug_->getOrCreateArray(members));
  }
}

} // namespace heddle::compiler::spirv
