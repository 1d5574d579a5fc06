// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks, branches, phis, loops and calls.
#include "compiler/spirv/readers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"

namespace heddle::compiler::spirv {
namespace {

void phi(Translation& t, const Instruction& instruction) {
  t.require(instruction.size() % 2 == 1, "a phi has pairs of values and blocks");
  const auto& block = *t.builder.GetInsertBlock();
  t.require(block.empty() || llvm::isa<llvm::PHINode>(block.back()), "phis stand first in a block");
  auto* type = t.sized_type(instruction[1], "a phi");
  // In front of places of variables, which debug information may have between phis.
  auto end = t.builder.GetInsertBlock()->end();
  end.setHeadBit(true);
  t.builder.SetInsertPoint(t.builder.GetInsertBlock(), end);
  auto* node = t.builder.CreatePHI(type, static_cast<unsigned>(instruction.size() - 3) / 2);
  t.builder.SetInsertPoint(t.builder.GetInsertBlock());
  t.body.phis.push_back({instruction, node});
  t.define_result(instruction, node);
}

void branch(Translation& t, const Instruction& instruction) {
  t.builder.CreateBr(t.block(instruction[1]));
}

void branch_conditional(Translation& t, const Instruction& instruction) {
  auto* condition = t.value_of(instruction[1], t.builder.getInt1Ty(), "the condition");
  auto* yes = t.block(instruction[2]);
  auto* no = t.block(instruction[3]);
  if (yes == no) {
    t.builder.CreateBr(yes);
    return;
  }
  auto* made = t.builder.CreateCondBr(condition, yes, no);
  if (instruction.size() > 4) {
    t.require(instruction.size() == 6, "a branch has two weights or none");
    t.require(instruction[4] != 0 || instruction[5] != 0, "one of two weights is not 0");
    made->setMetadata(
        llvm::LLVMContext::MD_prof,
        llvm::MDNode::get(t.context,
                          {llvm::MDString::get(t.context, "branch_weights"),
                           llvm::ConstantAsMetadata::get(t.builder.getInt32(instruction[4])),
                           llvm::ConstantAsMetadata::get(t.builder.getInt32(instruction[5]))}));
  }
}

void switch_over(Translation& t, const Instruction& instruction) {
  auto* selector = t.integer(instruction[1], "a selector");
  auto* type = llvm::cast<llvm::IntegerType>(selector->getType());
  const std::size_t literal = type->getBitWidth() > 32 ? 2 : 1;
  const auto cases = instruction.from(3);
  t.require(cases.size() % (literal + 1) == 0, "a switch has pairs of literals and labels");
  auto* made = t.builder.CreateSwitch(selector, t.block(instruction[2]),
                                      static_cast<unsigned>(cases.size() / (literal + 1)));
  llvm::DenseSet<std::uint64_t> seen;
  for (std::size_t i = 0; i < cases.size(); i += literal + 1) {
    std::uint64_t number = cases[i];
    if (literal == 2)
      number |= std::uint64_t{cases[i + 1]} << 32;
    if (const auto bits = t.odd_bits_of(instruction[1]); bits != 0)
      number &= llvm::maskTrailingOnes<std::uint64_t>(bits);
    auto* constant =
        llvm::ConstantInt::get(t.context, llvm::APInt(64, number).zextOrTrunc(type->getBitWidth()));
    // Keys of DenseSet that stand for none are kept out.
    const auto key = constant->getZExtValue();
    if (key < ~std::uint64_t{1} && !seen.insert(key).second)
      t.refuse("a switch has each literal once");
    made->addCase(constant, t.block(cases[i + literal]));
  }
}

void leave(Translation& t, const Instruction& instruction) {
  auto* result = t.functions[t.function_number - 1].llvm->getReturnType();
  switch (instruction.op) {
  case spv::Op::OpReturn:
    t.require(result->isVoidTy(), "a function with a result returns a value");
    t.builder.CreateRetVoid();
    break;
  case spv::Op::OpReturnValue:
    t.builder.CreateRet(t.value_of(instruction[1], result, "the returned value"));
    break;
  default:
    t.builder.CreateUnreachable();
    break;
  }
}

void loop_control(Translation& t, std::uint32_t mask, Words operands) {
  Loop loop;
  loop.header = first_of_block(t, t.builder.GetInsertBlock());
  const auto add = [&](llvm::StringRef name, std::optional<unsigned> number = std::nullopt) {
    llvm::SmallVector<llvm::Metadata*, 2> words = {llvm::MDString::get(t.context, name)};
    if (number)
      words.push_back(llvm::ConstantAsMetadata::get(t.builder.getInt32(*number)));
    loop.properties.push_back(llvm::MDNode::get(t.context, words));
  };
  const bool has_count = (mask & 0x100) != 0;
  if ((mask & 1) != 0 && !has_count)
    add("llvm.loop.unroll.enable");
  if ((mask & 2) != 0)
    add("llvm.loop.unroll.disable");
  // Operands come in the order of the bits that have one.
  std::size_t at = 0;
  for (unsigned bit = 3; bit <= 8; ++bit) {
    if ((mask & (1u << bit)) == 0)
      continue;
    t.require(at < operands.size(), "a loop control has its operands");
    if (bit == 8 && operands[at] != 0)
      add("llvm.loop.unroll.count", operands[at]);
    ++at;
  }
  if (!loop.properties.empty())
    t.body.loops.push_back(std::move(loop));
}

void loop_merge(Translation& t, const Instruction& instruction) {
  (void)t.block(instruction[1]);
  (void)t.block(instruction[2]);
  loop_control(t, instruction[3], instruction.from(4));
}

void call(Translation& t, const Instruction& instruction) {
  const auto& callee = t.id(instruction[3]);
  auto* function =
      callee.kind == IdKind::value ? llvm::dyn_cast<llvm::Function>(callee.value) : nullptr;
  t.require(function != nullptr, "a call names a function of the module");
  const auto& signature = t.type(callee.type);
  t.require(signature.element == instruction[1], "a call has its function's result");
  const auto given = instruction.from(4);
  t.require(given.size() == signature.members.size(), "a call has its function's arguments");
  if (function->isDeclaration())
    if (const auto* stands_for = find_import(t, *function))
      return call_import(t, *stands_for, instruction);
  llvm::SmallVector<llvm::Value*, 8> arguments;
  for (std::size_t i = 0; i < given.size(); ++i)
    arguments.push_back(
        t.value_of(given[i], function->getFunctionType()->getParamType(static_cast<unsigned>(i)),
                   "an argument"));
  auto* made = t.builder.CreateCall(function, arguments);
  made->setCallingConv(function->getCallingConv());
  // What the parameters say holds for the call: by value above all.
  for (unsigned i = 0; i < arguments.size(); ++i)
    made->addParamAttrs(i,
                        llvm::AttrBuilder(t.context, function->getAttributes().getParamAttrs(i)));
  t.define_value(instruction[2], instruction[1], made);
}

} // namespace

void label(Translation& t, const Instruction& instruction) {
  t.builder.SetInsertPoint(t.block(instruction[1]));
  t.debug.end_scope();
}

void complete_phis(Translation& t) {
  for (const auto& [instruction, node] : t.body.phis) {
    t.current = instruction;
    llvm::DenseMap<const llvm::BasicBlock*, llvm::Value*> incoming;
    for (std::size_t i = 3; i < instruction.size(); i += 2) {
      auto* from = end_of_block(t, t.block(instruction[i + 1]));
      auto* given = t.value_of(instruction[i], node->getType(), "a phi's value");
      if (!incoming.try_emplace(from, given).second)
        t.refuse("a phi names each predecessor once");
    }
    std::size_t used = 0;
    llvm::SmallPtrSet<const llvm::BasicBlock*, 8> seen;
    for (auto* from : llvm::predecessors(node->getParent())) {
      const auto found = incoming.find(from);
      if (found == incoming.end())
        t.refuse("a phi names all predecessors of its block");
      node->addIncoming(found->second, from);
      used += seen.insert(from).second;
    }
    t.require(used == incoming.size(), "a phi names predecessors of its block");
  }
}

// Where the branches back to the header are known.
void attach_loops(Translation& t) {
  for (auto& loop : t.body.loops) {
    llvm::SmallVector<llvm::Metadata*, 4> words = {nullptr};
    words.append(loop.properties.begin(), loop.properties.end());
    auto* node = llvm::MDNode::getDistinct(t.context, words);
    node->replaceOperandWith(0, node);
    // Blocks stand in the module's order: a branch back comes from behind.
    for (auto* from : llvm::predecessors(loop.header))
      if (first_of_block(t, from)->getNumber() >= loop.header->getNumber())
        from->getTerminator()->setMetadata(llvm::LLVMContext::MD_loop, node);
  }
}

void add_control_flow(Readers& readers) {
  readers.add(call, {spv::Op::OpFunctionCall});
  readers.add(phi, {spv::Op::OpPhi});
  readers.add(branch, {spv::Op::OpBranch});
  readers.add(branch_conditional, {spv::Op::OpBranchConditional});
  readers.add(switch_over, {spv::Op::OpSwitch});
  readers.add(leave, {spv::Op::OpReturn, spv::Op::OpReturnValue, spv::Op::OpUnreachable});
  readers.add(loop_merge, {spv::Op::OpLoopMerge});
  readers.add(
      [](Translation& t, const Instruction& instruction) {
        loop_control(t, instruction[1], instruction.from(2));
      },
      {spv::Op::OpLoopControlINTEL});
  readers.add([](Translation& t, const Instruction& instruction) { (void)t.block(instruction[1]); },
              {spv::Op::OpSelectionMerge});
}

} // namespace heddle::compiler::spirv
