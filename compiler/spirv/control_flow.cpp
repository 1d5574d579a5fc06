// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks, branches, phis, loops and calls.
#include "compiler/spirv/translator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"

namespace heddle::compiler::spirv {

void Translator::label(const Instruction& instruction) {
  builder_.SetInsertPoint(block(instruction[1]));
  end_scope();
}

void Translator::phi(const Instruction& instruction) {
  require(instruction.size() % 2 == 1, "a phi has pairs of values and blocks");
  const auto& block = *builder_.GetInsertBlock();
  require(block.empty() || llvm::isa<llvm::PHINode>(block.back()), "phis stand first in a block");
  auto* type = sized_type(instruction[1], "a phi");
  // In front of places of variables, which debug information may have between phis.
  auto end = builder_.GetInsertBlock()->end();
  end.setHeadBit(true);
  builder_.SetInsertPoint(builder_.GetInsertBlock(), end);
  auto* node = builder_.CreatePHI(type, static_cast<unsigned>(instruction.size() - 3) / 2);
  builder_.SetInsertPoint(builder_.GetInsertBlock());
  phis_.push_back({instruction, node});
  define_result(instruction, node);
}

void Translator::complete_phis() {
  for (const auto& [instruction, node] : phis_) {
    current_ = instruction;
    llvm::DenseMap<const llvm::BasicBlock*, llvm::Value*> incoming;
    for (std::size_t i = 3; i < instruction.size(); i += 2) {
      auto* from = end_of_block(block(instruction[i + 1]));
      auto* given = value_of(instruction[i], node->getType(), "a phi's value");
      if (!incoming.try_emplace(from, given).second)
        refuse("a phi names each predecessor once");
    }
    std::size_t used = 0;
    llvm::SmallPtrSet<const llvm::BasicBlock*, 8> seen;
    for (auto* from : llvm::predecessors(node->getParent())) {
      const auto found = incoming.find(from);
      if (found == incoming.end())
        refuse("a phi names all predecessors of its block");
      node->addIncoming(found->second, from);
      used += seen.insert(from).second;
    }
    require(used == incoming.size(), "a phi names predecessors of its block");
  }
  phis_.clear();
}

void Translator::branch(const Instruction& instruction) {
  builder_.CreateBr(block(instruction[1]));
}

void Translator::branch_conditional(const Instruction& instruction) {
  auto* condition = value_of(instruction[1], builder_.getInt1Ty(), "the condition");
  auto* yes = block(instruction[2]);
  auto* no = block(instruction[3]);
  if (yes == no) {
    builder_.CreateBr(yes);
    return;
  }
  auto* made = builder_.CreateCondBr(condition, yes, no);
  if (instruction.size() > 4) {
    require(instruction.size() == 6, "a branch has two weights or none");
    require(instruction[4] != 0 || instruction[5] != 0, "one of two weights is not 0");
    made->setMetadata(
        llvm::LLVMContext::MD_prof,
        llvm::MDNode::get(context_,
                          {llvm::MDString::get(context_, "branch_weights"),
                           llvm::ConstantAsMetadata::get(builder_.getInt32(instruction[4])),
                           llvm::ConstantAsMetadata::get(builder_.getInt32(instruction[5]))}));
  }
}

void Translator::switch_over(const Instruction& instruction) {
  auto* selector = integer(instruction[1], "a selector");
  auto* type = llvm::cast<llvm::IntegerType>(selector->getType());
  const std::size_t literal = type->getBitWidth() > 32 ? 2 : 1;
  const auto cases = instruction.from(3);
  require(cases.size() % (literal + 1) == 0, "a switch has pairs of literals and labels");
  auto* made = builder_.CreateSwitch(selector, block(instruction[2]),
                                     static_cast<unsigned>(cases.size() / (literal + 1)));
  llvm::DenseSet<std::uint64_t> seen;
  for (std::size_t i = 0; i < cases.size(); i += literal + 1) {
    std::uint64_t number = cases[i];
    if (literal == 2)
      number |= std::uint64_t{cases[i + 1]} << 32;
    if (const auto bits = odd_bits_of(instruction[1]); bits != 0)
      number &= llvm::maskTrailingOnes<std::uint64_t>(bits);
    auto* constant =
        llvm::ConstantInt::get(context_, llvm::APInt(64, number).zextOrTrunc(type->getBitWidth()));
    // Keys of DenseSet that stand for none are kept out.
    const auto key = constant->getZExtValue();
    if (key < ~std::uint64_t{1} && !seen.insert(key).second)
      refuse("a switch has each literal once");
    made->addCase(constant, block(cases[i + literal]));
  }
}

void Translator::leave(const Instruction& instruction) {
  auto* result = functions_[function_ - 1].llvm->getReturnType();
  switch (instruction.op) {
  case spv::Op::OpReturn:
    require(result->isVoidTy(), "a function with a result returns a value");
    builder_.CreateRetVoid();
    break;
  case spv::Op::OpReturnValue:
    builder_.CreateRet(value_of(instruction[1], result, "the returned value"));
    break;
  default:
    builder_.CreateUnreachable();
    break;
  }
}

void Translator::loop_merge(const Instruction& instruction) {
  (void)block(instruction[1]);
  (void)block(instruction[2]);
  loop_control(instruction[3], instruction.from(4));
}

void Translator::loop_control(std::uint32_t mask, Words operands) {
  Loop loop;
  loop.header = first_of_block(builder_.GetInsertBlock());
  const auto add = [&](llvm::StringRef name, std::optional<unsigned> number = std::nullopt) {
    llvm::SmallVector<llvm::Metadata*, 2> words = {llvm::MDString::get(context_, name)};
    if (number)
      words.push_back(llvm::ConstantAsMetadata::get(builder_.getInt32(*number)));
    loop.properties.push_back(llvm::MDNode::get(context_, words));
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
    require(at < operands.size(), "a loop control has its operands");
    if (bit == 8 && operands[at] != 0)
      add("llvm.loop.unroll.count", operands[at]);
    ++at;
  }
  if (!loop.properties.empty())
    loops_.push_back(std::move(loop));
}

// Where the branches back to the header are known.
void Translator::attach_loops() {
  for (auto& loop : loops_) {
    llvm::SmallVector<llvm::Metadata*, 4> words = {nullptr};
    words.append(loop.properties.begin(), loop.properties.end());
    auto* node = llvm::MDNode::getDistinct(context_, words);
    node->replaceOperandWith(0, node);
    // Blocks stand in the module's order: a branch back comes from behind.
    for (auto* from : llvm::predecessors(loop.header))
      if (first_of_block(from)->getNumber() >= loop.header->getNumber())
        from->getTerminator()->setMetadata(llvm::LLVMContext::MD_loop, node);
  }
  loops_.clear();
}

void Translator::call(const Instruction& instruction) {
  const auto& callee = id(instruction[3]);
  auto* function =
      callee.kind == IdKind::value ? llvm::dyn_cast<llvm::Function>(callee.value) : nullptr;
  require(function != nullptr, "a call names a function of the module");
  const auto& signature = type(callee.type);
  require(signature.element == instruction[1], "a call has its function's result");
  const auto given = instruction.from(4);
  require(given.size() == signature.members.size(), "a call has its function's arguments");
  if (function->isDeclaration())
    if (const auto* stands_for = import(*function))
      return call_import(*stands_for, instruction);
  llvm::SmallVector<llvm::Value*, 8> arguments;
  for (std::size_t i = 0; i < given.size(); ++i)
    arguments.push_back(
        value_of(given[i], function->getFunctionType()->getParamType(static_cast<unsigned>(i)),
                 "an argument"));
  auto* made = builder_.CreateCall(function, arguments);
  made->setCallingConv(function->getCallingConv());
  // What the parameters say holds for the call: by value above all.
  for (unsigned i = 0; i < arguments.size(); ++i)
    made->addParamAttrs(i, llvm::AttrBuilder(context_, function->getAttributes().getParamAttrs(i)));
  define_value(instruction[2], instruction[1], made);
}

} // namespace heddle::compiler::spirv
