// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/spirv/translation.h"

#include "compiler/spirv/grammar.h"
#include "compiler/support/build.h"

namespace heddle::compiler::spirv {
namespace {

using Op = spv::Op;

// The instruction that continues an instruction of this kind (SPV_INTEL_long_composites); 0 if none
// does.
Word continuation_of(Op op) {
  switch (op) {
  case Op::OpTypeStruct:
    return 6090;
  case Op::OpConstantComposite:
    return 6091;
  case Op::OpSpecConstantComposite:
    return 6092;
  case Op::OpCompositeConstruct:
    return 6096;
  default:
    return 0;
  }
}

} // namespace

Translation::Translation(Build& build, std::span<const Word> words)
    : build(build), words(words), context(build.context), builder(build.context), bound(words[3]) {
  ids.resize(bound / kIdsInBlock + 1);
}

void Translation::refuse(const llvm::Twine& rule) const {
  throw Refusal{("SPIR-V: " + instruction_name(static_cast<Word>(current.op)) + " at byte " +
                 llvm::Twine(4 * current.at) + ": " + rule)
                    .str()};
}

Instruction Translation::instruction_at(std::size_t at) {
  const auto first = words[at];
  Instruction result;
  result.op = static_cast<Op>(first & 0xFFFF);
  result.at = at;
  result.words = Words(words.data() + at, first >> 16);
  result.length = result.size();
  append_continuations(result);
  current = result;
  check_length(result);
  return result;
}

void Translation::append_continuations(Instruction& instruction) {
  const auto continuation = continuation_of(instruction.op);
  const auto continues = [&](std::size_t at) {
    return continuation != 0 && at < words.size() && (words[at] & 0xFFFF) == continuation;
  };
  auto next = instruction.at + instruction.size();
  if (!continues(next))
    return;
  const auto [place, is_new] =
      continued.try_emplace(instruction.at, instruction.words.begin(), instruction.words.end());
  auto& all = place->second;
  for (; continues(next); next += words[next] >> 16)
    if (is_new)
      all.insert(all.end(), words.begin() + static_cast<std::ptrdiff_t>(next) + 1,
                 words.begin() + static_cast<std::ptrdiff_t>(next + (words[next] >> 16)));
  instruction.words = all;
  instruction.length = next - instruction.at;
}

void Translation::check_length(const Instruction& instruction) const {
  const auto* grammar = find_instruction(static_cast<Word>(instruction.op));
  if (grammar == nullptr)
    refuse("the instruction is not known");
  if (instruction.size() < grammar->fewest_words)
    refuse("the instruction is shorter than its " + llvm::Twine(grammar->fewest_words) + " words");
}

} // namespace heddle::compiler::spirv
