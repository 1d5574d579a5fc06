// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPV_INTEL_inline_assembly: text of the device's architecture, with the constraints of LLVM, which
// are what translators write. The text is checked where machine code is made
// (codegen/check_assembly).
#include "compiler/spirv/readers.h"
#include "compiler/target/architecture.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InlineAsm.h"

namespace heddle::compiler::spirv {
namespace {

using Op = spv::Op;

// Of the directives those that make bytes of the text: no files, no symbols, no sections.
constexpr llvm::StringLiteral kDirectives[] = {
    "byte", "short", "value",  "word",    "long",       "int",
    "quad", "align", "balign", "p2align", "att_syntax", "intel_syntax",
};

// The first directive that is none of these; empty if there is none.
llvm::StringRef refused_directive(llvm::StringRef code) {
  for (auto at = code.find('.'); at != llvm::StringRef::npos; at = code.find('.', at + 1)) {
    const bool is_inside = at != 0 && (llvm::isAlnum(code[at - 1]) || code[at - 1] == '_' ||
                                       code[at - 1] == '}' || code[at - 1] == ']');
    const auto name =
        code.substr(at + 1).take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
    if (!is_inside && !name.starts_with("L") && !llvm::is_contained(kDirectives, name.lower()))
      return code.substr(at, name.size() + 1);
  }
  return {};
}

// Translators write the triple of the module: OpenCL's, or SPIR-V's own, for any device.
void assembly_target(Translation& t, const Instruction& instruction) {
  const auto target = t.text(instruction.from(2));
  if (!target.empty() && !target.starts_with("spir") && !target.starts_with(architecture::name()))
    t.refuse("the target of assembly '" + target + "' is not that of this device, " +
             architecture::name());
  auto& made = t.new_id(instruction[1]);
  made.kind = IdKind::assembly_target;
}

void assembly(Translation& t, const Instruction& instruction) {
  const auto& signature = t.type(instruction[3]);
  t.require(signature.op == Op::OpTypeFunction, "the type of assembly is that of a function");
  t.require(signature.element == instruction[1], "the result of assembly is that of its type");
  t.require(t.id(instruction[4]).kind == IdKind::assembly_target, "assembly has a target");
  std::size_t used = 0;
  const auto code = t.text(instruction.from(5), &used);
  std::string constraints = t.text(instruction.from(5 + used)).str();
  if (const auto directive = refused_directive(code); !directive.empty())
    t.refuse("the directive '" + directive + "' is not for assembly in kernels");
  for (const auto& decoration : t.decorations(instruction[2]))
    if (static_cast<Word>(decoration.kind) == 5607) { // ClobberINTEL
      const auto name = t.text(decoration.operands);
      constraints += (constraints.empty() ? "" : ",");
      constraints += name.starts_with("~") ? name.str() : "~{" + name.str() + "}";
    }
  auto* type = llvm::cast<llvm::FunctionType>(signature.llvm);
  if (auto error = llvm::InlineAsm::verify(type, constraints))
    t.refuse("the constraints '" + constraints +
             "' do not fit the type: " + llvm::toString(std::move(error)));
  bool is_pure = !t.is_decorated(instruction[2], static_cast<spv::Decoration>(5608));
  for (const auto& constraint : llvm::InlineAsm::ParseConstraints(constraints)) {
    if (constraint.Type == llvm::InlineAsm::isClobber) {
      is_pure &= !llvm::is_contained(constraint.Codes, "{memory}");
      continue;
    }
    t.require(constraint.Type != llvm::InlineAsm::isLabel, "assembly does not jump to blocks");
    for (const auto& code_of_operand : constraint.Codes)
      if (!architecture::is_constraint(code_of_operand))
        t.refuse("the constraint '" + llvm::Twine(code_of_operand) + "' is not one of " +
                 architecture::name());
    is_pure &= !constraint.isIndirect;
  }
  auto& made = t.new_id(instruction[2]);
  made.kind = IdKind::assembly;
  made.type = instruction[3];
  made.index = static_cast<Word>(t.assemblies.size());
  t.assemblies.push_back(
      {llvm::InlineAsm::get(type, code, constraints, !is_pure, false), constraints, is_pure});
}

void call_assembly(Translation& t, const Instruction& instruction) {
  const auto& callee = t.id(instruction[3]);
  t.require(callee.kind == IdKind::assembly, "the call is of assembly");
  const auto& [assembly, constraints, is_pure] = t.assemblies[callee.index];
  const auto& signature = t.type(callee.type);
  t.require(signature.element == instruction[1], "a call has the assembly's result");
  const auto given = instruction.from(4);
  t.require(given.size() == signature.members.size(), "a call has the assembly's arguments");
  llvm::SmallVector<llvm::Value*, 8> arguments;
  for (unsigned i = 0; i < given.size(); ++i)
    arguments.push_back(t.value_of(given[i], t.type(signature.members[i]).llvm, "an argument"));
  auto* made = t.builder.CreateCall(assembly, arguments);
  made->setDoesNotThrow();
  if (is_pure) {
    made->setDoesNotAccessMemory();
    made->addFnAttr(llvm::Attribute::WillReturn);
  }
  // Operands in memory are pointers, of which LLVM wants to know to what.
  unsigned index = 0;
  for (const auto& constraint : llvm::InlineAsm::ParseConstraints(constraints)) {
    if (!constraint.hasArg())
      continue;
    if (constraint.isIndirect) {
      t.require(arguments[index]->getType()->isPointerTy(), "an operand in memory is a pointer");
      auto* content = t.pointee(given[index]).llvm;
      made->addParamAttr(index,
                         llvm::Attribute::get(t.context, llvm::Attribute::ElementType, content));
    }
    ++index;
  }
  t.define_value(instruction[2], instruction[1], made);
}

} // namespace

void add_assembly(Readers& readers) {
  readers.add(assembly_target, {Op::OpAsmTargetINTEL});
  readers.add_outside(assembly_target, {Op::OpAsmTargetINTEL});
  readers.add(assembly, {Op::OpAsmINTEL});
  readers.add_outside(assembly, {Op::OpAsmINTEL});
  readers.add(call_assembly, {Op::OpAsmCallINTEL});
}

} // namespace heddle::compiler::spirv
