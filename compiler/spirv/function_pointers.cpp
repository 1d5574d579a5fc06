// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPV_INTEL_function_pointers. A pointer to a function is a number that stands for the function in
// this module, so that it means the same in every kernel's code; a call through it is a choice
// among the functions of the type whose address the module takes. LLVM removes the choice where
// the pointer is known.
#include "compiler/spirv/readers.h"
#include "llvm/IR/Constants.h"

namespace heddle::compiler::spirv {
namespace {

constexpr std::size_t kMaxChoices = 256;

// OpConstantFunctionPointerINTEL; the function comes later.
void function_pointer(Translation& t, const Instruction& instruction) {
  const auto& result = t.result_type(instruction);
  t.require(result.op == spv::Op::OpTypePointer && result.element != 0 &&
                t.type(result.element).op == spv::Op::OpTypeFunction,
            "the result is a pointer to a function");
  t.require(instruction[3] < t.bound, "the function's id is below the bound");
  auto& place = t.function_numbers[instruction[3]];
  if (place.number == 0) {
    place.number = t.function_numbers.size();
    place.type = result.element;
    place.at = instruction.at;
  }
  t.require(place.type == result.element, "the pointer is to the function's type");
  // Not 0, which is the null pointer; aligned as addresses of functions are.
  auto* word = t.builder.getInt64(16 * static_cast<std::uint64_t>(place.number));
  t.define_value(instruction[2], instruction[1],
                 llvm::ConstantExpr::getIntToPtr(word, result.llvm));
}

void call_pointer(Translation& t, const Instruction& instruction) {
  auto* given = t.pointer(instruction[3], "the function");
  const auto& to = t.type_of_value(instruction[3]);
  t.require(to.element != 0 && t.type(to.element).op == spv::Op::OpTypeFunction,
            "the operand is a pointer to a function");
  const auto& signature = t.type(to.element);
  t.require(signature.element == instruction[1], "a call has its function's result");
  const auto operands = instruction.from(4);
  t.require(operands.size() == signature.members.size(), "a call has its function's arguments");
  auto* function_type = llvm::cast<llvm::FunctionType>(signature.llvm);
  llvm::SmallVector<llvm::Value*, 8> arguments;
  for (unsigned i = 0; i < operands.size(); ++i)
    arguments.push_back(t.value_of(operands[i], function_type->getParamType(i), "an argument"));

  llvm::SmallVector<std::pair<std::uint64_t, llvm::Function*>, 8> choices;
  for (const auto& [number, place] : t.function_numbers)
    if (auto* function = llvm::cast<llvm::Function>(t.id(number).value);
        function->getFunctionType() == function_type)
      choices.emplace_back(16 * static_cast<std::uint64_t>(place.number), function);
  t.require(!choices.empty(), "the module takes the address of a function of this type");
  t.require(choices.size() <= kMaxChoices,
            "the module takes the addresses of at most 256 functions of a type");
  const auto call = [&](llvm::Function* function) {
    auto* made = t.builder.CreateCall(function, arguments);
    made->setCallingConv(function->getCallingConv());
    for (unsigned i = 0; i < arguments.size(); ++i)
      made->addParamAttrs(i,
                          llvm::AttrBuilder(t.context, function->getAttributes().getParamAttrs(i)));
    return made;
  };
  auto* word = t.builder.CreatePtrToInt(given, t.builder.getInt64Ty());
  if (const auto* known = llvm::dyn_cast<llvm::ConstantInt>(word)) {
    for (const auto& [number, function] : choices)
      if (known->equalsInt(number))
        return t.define_value(instruction[2], instruction[1], call(function));
    t.refuse("the pointer is to no function of its type");
  }

  // Phis of later blocks name the block's label: what follows the calls stays in a block that
  // complete_phis() finds for it.
  auto* parent = t.builder.GetInsertBlock();
  auto* behind = llvm::BasicBlock::Create(t.context, "", parent->getParent());
  auto* none = llvm::BasicBlock::Create(t.context, "", parent->getParent());
  auto* choice = t.builder.CreateSwitch(word, none, static_cast<unsigned>(choices.size()));
  const bool is_void = function_type->getReturnType()->isVoidTy();
  llvm::SmallVector<std::pair<llvm::Value*, llvm::BasicBlock*>, 8> results;
  for (const auto& [number, function] : choices) {
    auto* block = llvm::BasicBlock::Create(t.context, "", parent->getParent());
    choice->addCase(t.builder.getInt64(number), block);
    t.builder.SetInsertPoint(block);
    results.emplace_back(call(function), block);
    t.builder.CreateBr(behind);
  }
  t.builder.SetInsertPoint(none);
  t.builder.CreateUnreachable();
  t.builder.SetInsertPoint(behind);
  behind->moveAfter(parent);
  auto& ends = t.body.block_ends[first_of_block(t, parent)];
  ends = behind;
  t.body.first_blocks[behind] = first_of_block(t, parent);
  if (is_void)
    return t.define_value(instruction[2], instruction[1], results.front().first);
  auto* merged =
      t.builder.CreatePHI(function_type->getReturnType(), static_cast<unsigned>(results.size()));
  for (const auto& [result, block] : results)
    merged->addIncoming(result, block);
  t.define_value(instruction[2], instruction[1], merged);
}

} // namespace

// Behind the declarations of functions.
void check_function_pointers(Translation& t) {
  for (const auto& [number, place] : t.function_numbers) {
    t.current = t.instruction_at(place.at);
    const auto& named = t.id(number);
    t.require(named.kind == IdKind::value && llvm::isa<llvm::Function>(named.value) &&
                  named.type == place.type,
              "the operand is a function of the pointer's type");
  }
}

// The block of the label to which a block belongs that calls through pointers have split off.
llvm::BasicBlock* first_of_block(const Translation& t, llvm::BasicBlock* block) {
  const auto found = t.body.first_blocks.find(block);
  return found != t.body.first_blocks.end() ? found->second : block;
}

llvm::BasicBlock* end_of_block(const Translation& t, llvm::BasicBlock* block) {
  const auto found = t.body.block_ends.find(block);
  return found != t.body.block_ends.end() ? found->second : block;
}

void add_function_pointers(Readers& readers) {
  readers.add_outside(function_pointer, {spv::Op::OpConstantFunctionPointerINTEL});
  readers.add(call_pointer, {op(5601)}); // OpFunctionPointerCallINTEL
}

} // namespace heddle::compiler::spirv
