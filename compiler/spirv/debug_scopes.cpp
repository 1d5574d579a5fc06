// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions, lexical blocks and inlined calls of OpenCL.DebugInfo.100 and
// NonSemantic.Shader.DebugInfo. Their instructions are kept as they are read, and become LLVM's
// metadata when a location needs them.
#include "compiler/spirv/debug_instructions.h"
#include "compiler/spirv/readers.h"
#include "compiler/support/build.h"

namespace heddle::compiler::spirv {
const DebugInfo::DebugEntry* DebugInfo::debug_entry(Word number) const {
  const auto found = debug_entries_.find(number);
  return found != debug_entries_.end() ? &found->second : nullptr;
}

// The value of a constant of at most 64 bits; nothing for other ids.
std::optional<std::uint64_t> DebugInfo::debug_constant(Word number) const {
  const auto& found = t_.id(number);
  const auto* constant =
      found.kind == IdKind::value ? llvm::dyn_cast<llvm::ConstantInt>(found.value) : nullptr;
  if (constant == nullptr || constant->getBitWidth() > 64)
    return std::nullopt;
  return constant->getZExtValue();
}

std::optional<std::uint64_t> DebugInfo::debug_constant(const DebugEntry& entry,
                                                       std::size_t index) const {
  return index < entry.operands.size() ? debug_constant(entry.operands[index]) : std::nullopt;
}

// An operand that is a literal in OpenCL.DebugInfo.100 and a constant in the other sets.
unsigned DebugInfo::debug_number(const DebugEntry& entry, std::size_t index) const {
  if (index >= entry.operands.size())
    return 0;
  const auto word = entry.operands[index];
  if (!entry.is_shader)
    return word;
  return static_cast<unsigned>(debug_constant(word).value_or(0));
}

llvm::StringRef DebugInfo::debug_text(const DebugEntry& entry, std::size_t index) const {
  const auto& named = t_.id(index < entry.operands.size() ? entry.operands[index] : 0);
  return named.kind == IdKind::text ? t_.texts[named.index] : llvm::StringRef();
}

llvm::DIFile* DebugInfo::debug_file_of(const DebugEntry& entry, std::size_t index) {
  const auto found = index < entry.operands.size() ? debug_sources_.find(entry.operands[index])
                                                   : debug_sources_.end();
  return found != debug_sources_.end() ? debug_file(found->second) : unit_->getFile();
}

llvm::DISubprogram* DebugInfo::debug_function(const DebugEntry& entry) {
  const auto line = debug_number(entry, 3);
  const auto scope_line = debug_number(entry, 8);
  auto* file = debug_file_of(entry, 2);
  auto* made =
      debug_->createFunction(file, debug_text(entry, 0), debug_text(entry, 6), file, line,
                             debug_->createSubroutineType(debug_->getOrCreateTypeArray({})),
                             scope_line != 0 ? scope_line : line, llvm::DINode::FlagPrototyped,
                             llvm::DISubprogram::SPFlagDefinition |
                                 (t_.build.options.optimize ? llvm::DISubprogram::SPFlagOptimized
                                                            : llvm::DISubprogram::SPFlagZero));
  // The signature may name variables of the function: arrays of their lengths.
  if (t_.build.options.debug && entry.operands.size() > 1)
    open_functions_.emplace_back(made, entry.operands[1]);
  return made;
}

// Null for what is no function or block.
llvm::DILocalScope* DebugInfo::debug_scope(Word number, unsigned depth) {
  const auto* entry = debug_entry(number);
  if (entry == nullptr || depth > debug::kMaxNesting)
    return nullptr;
  if (const auto found = debug_scopes_.find(number); found != debug_scopes_.end())
    return found->second;
  llvm::DILocalScope* made = nullptr;
  const auto parent = [&](std::size_t index) {
    return index < entry->operands.size() ? debug_scope(entry->operands[index], depth + 1)
                                          : nullptr;
  };
  if (entry->number == debug::kFunction) {
    made = debug_function(*entry);
  } else if (entry->number == debug::kTypeTemplate) { // of a function
    made = parent(0);
  } else if (entry->number == debug::kLexicalBlock) {
    if (auto* outer = parent(3))
      made = debug_->createLexicalBlock(outer, debug_file_of(*entry, 0), debug_number(*entry, 1),
                                        debug_number(*entry, 2) & 0xFFFF);
  } else if (entry->number == debug::kLexicalBlockDiscriminator) {
    if (auto* outer = parent(2))
      made =
          debug_->createLexicalBlockFile(outer, debug_file_of(*entry, 0), debug_number(*entry, 1));
  }
  return debug_scopes_[number] = made;
}

// Of DebugInlinedAt: the place of the call; null if it has none.
llvm::DILocation* DebugInfo::debug_call_site(Word number, unsigned depth) {
  const auto* entry = debug_entry(number);
  if (entry == nullptr || entry->number != debug::kInlinedAt || depth > debug::kMaxNesting ||
      entry->operands.size() < 2)
    return nullptr;
  if (const auto found = debug_call_sites_.find(number); found != debug_call_sites_.end())
    return found->second;
  auto* outer =
      entry->operands.size() > 2 ? debug_call_site(entry->operands[2], depth + 1) : nullptr;
  auto* scope = debug_scope(entry->operands[1], 0);
  auto* made = scope != nullptr ? llvm::DILocation::getDistinct(t_.context, debug_number(*entry, 0),
                                                                0, scope, outer)
                                : nullptr;
  return debug_call_sites_[number] = made;
}

// The function of the debug information that an OpFunction is; null if it has none.
llvm::DISubprogram* DebugInfo::debug_function_of(Word function, std::size_t body) {
  Word number = 0;
  if (const auto found = debug_definitions_.find(function); found != debug_definitions_.end())
    number = found->second;
  else
    for (auto at = body; number == 0;) {
      const auto next = t_.instruction_at(at);
      if (next.op == spv::Op::OpFunctionEnd)
        break;
      if (next.op == spv::Op::OpExtInst && t_.id(next[3]).kind == IdKind::set &&
          next[4] == debug::kFunctionDefinition && next.size() > 6 && next[6] == function)
        number = next[5];
      at += next.length;
    }
  const auto* entry = debug_entry(number);
  if (entry == nullptr || entry->number != debug::kFunction)
    return nullptr;
  auto* made = llvm::dyn_cast_or_null<llvm::DISubprogram>(debug_scope(number, 0));
  // One subprogram is of one function.
  return made != nullptr && described_.insert(made).second ? made : nullptr;
}

} // namespace heddle::compiler::spirv
