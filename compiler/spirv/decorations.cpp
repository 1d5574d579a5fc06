// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decorations, and what they mean for values.
#include "compiler/spirv/readers.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace heddle::compiler::spirv {
namespace {

void decorate(Translation& t, Word target, Words words, bool operands_are_ids) {
  const auto kind = static_cast<spv::Decoration>(words[0]);
  // The identities of AlignmentId and others are of constants, which come later; they are hints.
  if (operands_are_ids)
    return;
  t.all_decorations.push_back({target, kind, words.drop_front(1)});
}

void group_decorate(Translation& t, const Instruction& instruction) {
  if (t.id(instruction[1]).kind != IdKind::group)
    t.refuse("id " + llvm::Twine(instruction[1]) + " is not a decoration group");
  const auto group = instruction[1];
  const auto count = t.all_decorations.size();
  std::vector<Decoration> of_group;
  for (std::size_t i = 0; i < count; ++i)
    if (t.all_decorations[i].target == group)
      of_group.push_back(t.all_decorations[i]);
  for (const auto target : instruction.from(2))
    for (auto decoration : of_group) {
      decoration.target = target;
      t.all_decorations.push_back(decoration);
    }
}

void decorate_id(Translation& t, const Instruction& instruction) {
  decorate(t, instruction[1], instruction.from(2), instruction.op == spv::Op::OpDecorateId);
}

void add_group(Translation& t, const Instruction& instruction) {
  t.new_id(instruction[1]).kind = IdKind::group;
}

} // namespace

llvm::ArrayRef<Decoration> Translation::decorations(Word target) {
  if (!decorations_sorted) {
    // In the module's order where the target is the same.
    llvm::sort(all_decorations, [](const auto& a, const auto& b) {
      return std::make_pair(a.target, a.operands.data()) <
             std::make_pair(b.target, b.operands.data());
    });
    decorations_sorted = true;
  }
  const auto range =
      std::equal_range(all_decorations.begin(), all_decorations.end(), Decoration{target, {}, {}},
                       [](const auto& a, const auto& b) { return a.target < b.target; });
  return {all_decorations.data() + (range.first - all_decorations.begin()),
          static_cast<std::size_t>(range.second - range.first)};
}

const Decoration* Translation::decoration(Word target, spv::Decoration kind) {
  for (const auto& decoration : decorations(target))
    if (decoration.kind == kind)
      return &decoration;
  return nullptr;
}

llvm::MaybeAlign Translation::alignment(Word target) {
  const auto* found = decoration(target, spv::Decoration::Alignment);
  if (found == nullptr || found->operands.empty())
    return std::nullopt;
  auto bytes = found->operands[0];
  // LLVM 22's backend writes 128 as a negative byte.
  if (bytes == 0xFFFFFF80)
    bytes = 128;
  if (!llvm::isPowerOf2_32(bytes) || bytes > (1u << 30))
    refuse("the alignment " + llvm::Twine(bytes) + " of id " + llvm::Twine(target) +
           " is not a power of two");
  return llvm::Align(bytes);
}

bool Translation::saturates(Word target) {
  return (imported != nullptr && imported->saturates) ||
         is_decorated(target, spv::Decoration::SaturatedConversion);
}

std::optional<spv::FPRoundingMode> Translation::rounding(Word target) {
  if (imported != nullptr && imported->rounding)
    return imported->rounding;
  const auto* found = decoration(target, spv::Decoration::FPRoundingMode);
  if (found == nullptr || found->operands.empty())
    return std::nullopt;
  if (found->operands[0] > 3)
    refuse("the rounding mode of id " + llvm::Twine(target) + " is not known");
  return static_cast<spv::FPRoundingMode>(found->operands[0]);
}

// For the instruction that is built next: the mode of its decoration, of the build options, and
// contraction where no entry point forbids it.
void Translation::set_fast_math(Word target) {
  auto flags = fast_math;
  if (contracts && !is_decorated(target, spv::Decoration::NoContraction))
    flags.setAllowContract(true);
  if (const auto* found = decoration(target, spv::Decoration::FPFastMathMode);
      found != nullptr && !found->operands.empty()) {
    const auto mask = found->operands[0];
    const auto has = [mask](unsigned bit) { return (mask & bit) != 0; };
    if (has(0x10)) { // Fast
      flags.setFast();
    } else {
      if (has(0x1))
        flags.setNoNaNs();
      if (has(0x2))
        flags.setNoInfs();
      if (has(0x4))
        flags.setNoSignedZeros();
      if (has(0x8))
        flags.setAllowReciprocal();
      if (has(0x10000)) // AllowContract
        flags.setAllowContract(true);
      if (has(0x20000)) // AllowReassoc
        flags.setAllowReassoc();
      if (has(0x40000)) // AllowTransform
        flags.setApproxFunc();
    }
  }
  if (preserves_special_values) {
    flags.setNoNaNs(false);
    flags.setNoInfs(false);
    flags.setNoSignedZeros(false);
  }
  builder.setFastMathFlags(flags);
}

Linkage Translation::linkage(Word target) {
  const auto* found = decoration(target, spv::Decoration::LinkageAttributes);
  if (found == nullptr)
    return {};
  std::size_t used = 0;
  Linkage result;
  result.name = text(found->operands, &used);
  if (used >= found->operands.size())
    refuse("the linkage of id " + llvm::Twine(target) + " has no type");
  switch (found->operands[used]) {
  case 0:
    result.kind = Linkage::exported;
    break;
  case 1:
    result.kind = Linkage::imported;
    break;
  case 2:
    result.kind = Linkage::linkonce;
    break;
  default:
    refuse("the linkage type of id " + llvm::Twine(target) + " is not known");
  }
  return result;
}

void add_decorations(Readers& readers) {
  using Op = spv::Op;
  readers.add_outside(decorate_id, {Op::OpDecorate, Op::OpDecorateString, Op::OpDecorateId});
  readers.add_outside(add_group, {Op::OpDecorationGroup});
  readers.add_outside(group_decorate, {Op::OpGroupDecorate});
  // OpenCL's structures are laid out by their members' types.
  readers.add_outside(
      [](Translation&, const Instruction&) {},
      {Op::OpMemberDecorate, Op::OpMemberDecorateString, Op::OpGroupMemberDecorate});
}

} // namespace heddle::compiler::spirv
