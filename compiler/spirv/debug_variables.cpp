// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables of OpenCL.DebugInfo.100 and NonSemantic.Shader.DebugInfo, and where they are. A
// variable whose description does not hold together is left out: it has no meaning for the program.
#include "compiler/spirv/debug_instructions.h"
#include "compiler/spirv/readers.h"
#include "compiler/support/build.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/GlobalVariable.h"

namespace heddle::compiler::spirv {
namespace {

namespace dwarf = llvm::dwarf;

constexpr std::size_t kMaxOperations = 64;

// Clang describes a location with its address space, which debuggers of CPUs reject: memory is
// flat.
void drop_address_space(llvm::SmallVectorImpl<std::uint64_t>& operations) {
  constexpr std::size_t kPattern = 4; // constu, a number, swap, xderef
  auto end = operations.size();
  if (end >= 3 && operations[end - 3] == dwarf::DW_OP_LLVM_fragment)
    end -= 3;
  if (end >= kPattern && operations[end - 4] == dwarf::DW_OP_constu &&
      operations[end - 2] == dwarf::DW_OP_swap && operations[end - 1] == dwarf::DW_OP_xderef)
    operations.erase(operations.begin() + static_cast<std::ptrdiff_t>(end - kPattern),
                     operations.begin() + static_cast<std::ptrdiff_t>(end));
}

} // namespace

// Null for operations that are not known, and for their sequences that have no meaning.
llvm::DIExpression* DebugInfo::debug_expression(Word number) {
  const auto* entry = debug_entry(number);
  if (entry == nullptr || entry->operands.size() > kMaxOperations)
    return nullptr;
  if (entry->number == debug::kNone)
    return debug_->createExpression();
  if (entry->number != debug::kExpression)
    return nullptr;
  struct Operation {
    std::uint64_t code;
    unsigned operands;
  };
  constexpr Operation kOperations[] = {
      {dwarf::DW_OP_deref, 0},         {dwarf::DW_OP_plus, 0},        {dwarf::DW_OP_minus, 0},
      {dwarf::DW_OP_plus_uconst, 1},   {0, 0} /* BitPiece */,         {dwarf::DW_OP_swap, 0},
      {dwarf::DW_OP_xderef, 0},        {dwarf::DW_OP_stack_value, 0}, {dwarf::DW_OP_constu, 1},
      {dwarf::DW_OP_LLVM_fragment, 2},
  };
  llvm::SmallVector<std::uint64_t, 8> words;
  for (const auto operand : entry->operands) {
    const auto* operation = debug_entry(operand);
    if (operation == nullptr || operation->number != debug::kOperation ||
        operation->operands.empty())
      return nullptr;
    const auto which = debug_number(*operation, 0);
    if (which >= std::size(kOperations) || kOperations[which].code == 0 ||
        operation->operands.size() != 1 + kOperations[which].operands)
      return nullptr;
    words.push_back(kOperations[which].code);
    for (unsigned i = 0; i < kOperations[which].operands; ++i)
      words.push_back(debug_number(*operation, 1 + i));
  }
  drop_address_space(words);
  auto* made = debug_->createExpression(words);
  return made->isValid() ? made : nullptr;
}

llvm::DILocalVariable* DebugInfo::debug_local_variable(Word number, unsigned depth) {
  const auto* entry = debug_entry(number);
  if (entry == nullptr || entry->number != debug::kLocalVariable || entry->operands.size() < 7 ||
      depth > debug::kMaxNesting)
    return nullptr;
  if (const auto found = debug_locals_.find(number); found != debug_locals_.end())
    return found->second;
  debug_locals_[number] = nullptr; // for arrays whose length is their own
  const auto type = debug_type(entry->operands[1], depth + 1);
  auto* scope = debug_scope(entry->operands[5], 0);
  const auto argument = debug_number(*entry, 7);
  if (scope == nullptr || !type.is_object || argument > UINT16_MAX)
    return nullptr;
  const auto text = debug_text(*entry, 0);
  auto* file = debug_file_of(*entry, 2);
  const auto line = debug_number(*entry, 3);
  const auto flags = debug_flags(debug_number(*entry, 6) & ~debug::kAccessMask);
  const bool stays = t_.build.options.optimize; // also if it is optimized away
  return debug_locals_[number] =
             argument != 0
                 ? debug_->createParameterVariable(scope, text, argument, file, line, type.type,
                                                   stays, flags)
                 : debug_->createAutoVariable(scope, text, file, line, type.type, stays, flags);
}

llvm::DIGlobalVariableExpression* DebugInfo::debug_global_variable(Word number, unsigned depth) {
  const auto* entry = debug_entry(number);
  if (entry == nullptr || entry->number != debug::kGlobalVariable || entry->operands.size() < 9 ||
      depth > debug::kMaxNesting)
    return nullptr;
  if (const auto found = debug_globals_.find(number); found != debug_globals_.end())
    return found->second;
  debug_globals_[number] = nullptr;
  const auto type = debug_type(entry->operands[1], depth + 1);
  const auto text = debug_text(*entry, 0);
  if (!type.is_object || text.empty())
    return nullptr;
  llvm::DIScope* scope = debug_type_scope(*entry, 5, depth + 1);
  // Local memory is declared in functions.
  if (auto* local = debug_scope(entry->operands[5], 0);
      local != nullptr && described_.contains(local->getSubprogram()))
    scope = local->getSubprogram();
  const auto flags = debug_number(*entry, 8);
  const auto* value = debug_entry(entry->operands[7]);
  return debug_globals_[number] = debug_->createGlobalVariableExpression(
             scope != nullptr ? scope : unit_, text, debug_text(*entry, 6),
             debug_file_of(*entry, 2), debug_number(*entry, 3), type.type,
             (flags & debug::kFlagIsLocal) != 0, true,
             value != nullptr && value->number == debug::kExpression
                 ? debug_expression(entry->operands[7])
                 : nullptr);
}

// What an array's length is in.
llvm::DIVariable* DebugInfo::debug_variable(Word number, unsigned depth) {
  if (auto* local = debug_local_variable(number, depth))
    return local;
  auto* global = debug_global_variable(number, depth);
  return global != nullptr ? global->getVariable() : nullptr;
}

// DebugDeclare and DebugValue: where a variable is from here on.
void DebugInfo::describe_variable(const DebugEntry& record) {
  // Behind the expression are indices, which no translator of kernels writes.
  if (subprogram_ == nullptr || record.operands.size() != 3)
    return;
  auto number = record.operands[0];
  llvm::DILocation* site = nullptr;
  const auto* named = debug_entry(number);
  const bool is_inlined = named != nullptr && named->number == debug::kInlinedVariable;
  if (is_inlined) {
    if (named->operands.size() < 2)
      return;
    number = named->operands[0];
    site = debug_call_site(named->operands[1], 0);
  }
  auto* variable = debug_local_variable(number, 0);
  auto* expression = debug_expression(record.operands[2]);
  if (variable == nullptr || expression == nullptr)
    return;
  auto* function = variable->getScope()->getSubprogram();
  if (!is_inlined && scope_ != nullptr && scope_->getSubprogram() == function)
    site = call_site_;
  if (!leads_here(variable->getScope(), site))
    return;
  const auto& held = t_.id(record.operands[1]);
  if (held.kind != IdKind::value || (held.function != 0 && held.function != t_.function_number) ||
      held.value->getType()->isVoidTy())
    return;
  // A piece is one of the variable.
  if (const auto piece = expression->getFragmentInfo()) {
    const auto bits = variable->getSizeInBits();
    if (!bits || piece->SizeInBits >= *bits || piece->OffsetInBits > *bits - piece->SizeInBits)
      return;
  }
  if (site == nullptr && variable->getArg() != 0 &&
      arguments_.try_emplace(variable->getArg(), variable).first->second != variable)
    return;
  const auto* place =
      llvm::DILocation::get(t_.context, variable->getLine(), 0, variable->getScope(), site);
  auto* block = t_.builder.GetInsertBlock();
  if (record.number == debug::kValue) {
    debug_->insertDbgValueIntrinsic(held.value, variable, expression, place, block->end());
    return;
  }
  // A variable is declared once, and a value is no place.
  if (held.value->getType()->isPointerTy() && !expression->isImplicit() &&
      declared_variables_.insert({variable, site}).second)
    debug_->insertDeclare(held.value, variable, expression, place, block->end());
}

void DebugInfo::describe_global_variables() {
  for (const auto number : debug_global_numbers_) {
    auto* described = debug_global_variable(number, 0);
    if (described == nullptr)
      continue;
    const auto& held = t_.id(debug_entry(number)->operands[7]);
    if (held.kind == IdKind::value)
      if (auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(held.value))
        variable->addDebugInfo(described);
  }
}

} // namespace heddle::compiler::spirv
