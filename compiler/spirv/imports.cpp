// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Imported functions whose names stand for instructions: "__spirv_GroupIAdd", "__spirv_ocl_fmin",
// "__spirv_BuiltInWorkgroupId", as they are or mangled, with "_R" and the name of the result's
// type, and with what decorates a conversion ("_sat", "_rtz"). A call is translated as the
// instruction would be; operands that are literals there are constants here.
#include "compiler/spirv/grammar.h"
#include "compiler/spirv/readers.h"
#include "llvm/ADT/StringExtras.h"

namespace heddle::compiler::spirv {
namespace {

using Op = spv::Op;

// "__spirv_NAME" without the mangling and the prefix; empty if the name is none of these.
llvm::StringRef friendly_name(llvm::StringRef name) {
  if (name.consume_front("_Z")) {
    std::size_t length = 0;
    if (name.consumeInteger(10, length) || length > name.size())
      return {};
    name = name.take_front(length);
  }
  return name.consume_front("__spirv_") ? name : llvm::StringRef();
}

// Instructions that a call cannot stand for.
bool stands_alone(Op op) {
  if (static_cast<Word>(op) == 5121) // OpAbortKHR
    return false;
  switch (op) {
  case Op::OpPhi:
  case Op::OpLoopMerge:
  case Op::OpSelectionMerge:
  case Op::OpLabel:
  case Op::OpBranch:
  case Op::OpBranchConditional:
  case Op::OpSwitch:
  case Op::OpReturn:
  case Op::OpReturnValue:
  case Op::OpUnreachable:
  case Op::OpFunctionCall:
  case Op::OpVariable:
  case Op::OpExtInst:
  case Op::OpUndef:
  case Op::OpLoopControlINTEL:
    return false;
  default:
    return true;
  }
}

constexpr std::pair<llvm::StringLiteral, Word> kRoundings[] = {
    {"_rte", 0}, {"_rtz", 1}, {"_rtp", 2}, {"_rtn", 3}};

} // namespace

const Import* find_import(Translation& t, const llvm::Function& function) {
  const auto [place, is_new] = t.imports.try_emplace(&function);
  auto& made = place->second;
  if (!is_new)
    return made.kind != Import::none ? &made : nullptr;
  auto name = friendly_name(function.getName());
  if (name.empty())
    return nullptr;
  if (name.consume_front("BuiltIn")) {
    if (const auto which = builtin_of_name(name)) {
      made.kind = Import::builtin_variable;
      made.number = *which;
    }
  } else if (name.consume_front("ocl_")) {
    if (const auto* found = find_library_function(name)) {
      made.kind = Import::library;
      made.number = found->number;
    }
  } else {
    for (bool again = true; again;) {
      again = false;
      for (const auto& [suffix, mode] : kRoundings)
        if (name.consume_back(suffix)) {
          made.rounding = static_cast<spv::FPRoundingMode>(mode);
          again = true;
        }
      if (name.consume_back("_sat")) {
        made.saturates = true;
        again = true;
      }
    }
    name = name.take_front(name.find("_R"));
    if (const auto* found = find_instruction(name);
        found != nullptr && stands_alone(static_cast<Op>(found->opcode))) {
      made.kind = Import::instruction;
      made.number = found->opcode;
    }
  }
  return made.kind != Import::none ? &made : nullptr;
}

// `given` are the ids of the call's operands.
void call_import(Translation& t, const Import& import, const Instruction& call) {
  const auto given = call.from(4);
  const bool is_void = t.type(call[1]).op == Op::OpTypeVoid;
  if (import.kind == Import::builtin_variable) {
    auto* result = t.sized_type(call[1], "a builtin variable");
    llvm::Value* dimension = nullptr;
    if (has_dimensions(import.number)) {
      t.require(given.size() == 1 && result->isIntegerTy(),
                "the dimension of a builtin variable is an operand");
      dimension =
          t.builder.CreateZExtOrTrunc(t.integer(given[0], "the dimension"), t.builder.getInt32Ty());
    } else {
      t.require(given.empty(), "a builtin variable without dimensions has no operand");
    }
    return t.define_result(call, builtin_component(t, import.number, result, dimension));
  }
  std::vector<Word> words = {0};
  Instruction made = call;
  if (import.kind == Import::library) {
    // As behind OpExtInst: result, the set, the number; vload*'s and vstore*'s last operand is a
    // literal.
    const llvm::StringRef name = find_library_function(import.number)->name;
    words.insert(words.end(), {call[1], call[2], 0, import.number});
    words.insert(words.end(), given.begin(), given.end());
    const bool has_literal = (name.starts_with("vload") && !name.ends_with("half")) ||
                             (name.starts_with("vstore") && name.ends_with("_r"));
    if (has_literal && given.size() == 3 + (name.starts_with("vstore") ? 1 : 0))
      words.back() = static_cast<Word>(t.constant_number(given.back(), "the last operand"));
    else if (name.starts_with("vload") && !name.ends_with("half"))
      words.push_back(static_cast<Word>(t.type(call[1]).count)); // the function is of one type
    made.words = words;
    return library_call(t, made);
  }
  const auto& grammar = *find_instruction(import.number);
  if (grammar.has_type)
    words.insert(words.end(), {call[1], call[2]});
  t.require(grammar.has_type || is_void, "the function has a result, and the instruction has none");
  for (unsigned i = 0; i < given.size(); ++i)
    words.push_back(i < 32 && (grammar.literals & (1u << i)) != 0
                        ? static_cast<Word>(t.constant_number(given[i], "the operand"))
                        : given[i]);
  made.op = static_cast<Op>(import.number);
  made.words = words;
  t.check_length(made);
  t.imported = &import;
  read_instruction(t, made);
  t.imported = nullptr;
  if (!grammar.has_type)
    t.define_value(call[2], call[1], llvm::PoisonValue::get(t.builder.getVoidTy()));
}

} // namespace heddle::compiler::spirv
