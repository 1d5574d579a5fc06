// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPV_INTEL_function_pointers. A pointer to a function is a number that stands for the function in
// this module, so that it means the same in every kernel's code; a call through it is a choice
// among the functions of the type whose address the module takes. LLVM removes the choice where
// the pointer is known.
#include "compiler/spirv/translator.h"
#include "llvm/IR/Constants.h"

namespace heddle::compiler::spirv {
namespace {

constexpr std::size_t kMostChoices = 256;

} // namespace

// OpConstantFunctionPointerINTEL; the function comes later.
void Translator::function_pointer(const Instruction& instruction) {
  const auto& result = result_type(instruction);
  require(result.op == spv::Op::OpTypePointer && result.element != 0 &&
              type(result.element).op == spv::Op::OpTypeFunction,
          "the result is a pointer to a function");
  require(instruction[3] < bound_, "the function's id is below the bound");
  auto& place = function_numbers_[instruction[3]];
  if (place.number == 0) {
    place.number = function_numbers_.size();
    place.type = result.element;
    place.at = instruction.at;
  }
  require(place.type == result.element, "the pointer is to the function's type");
  // Not 0, which is the null pointer; aligned as addresses of functions are.
  auto* word = builder_.getInt64(16 * static_cast<std::uint64_t>(place.number));
  define_value(instruction[2], instruction[1], llvm::ConstantExpr::getIntToPtr(word, result.llvm));
}

// Behind the declarations of functions.
void Translator::check_function_pointers() {
  for (const auto& [number, place] : function_numbers_) {
    current_ = instruction_at(place.at);
    const auto& named = id(number);
    require(named.kind == IdKind::value && llvm::isa<llvm::Function>(named.value) &&
                named.type == place.type,
            "the operand is a function of the pointer's type");
  }
}

void Translator::call_pointer(const Instruction& instruction) {
  auto* given = pointer(instruction[3], "the function");
  const auto& to = type_of_value(instruction[3]);
  require(to.element != 0 && type(to.element).op == spv::Op::OpTypeFunction,
          "the operand is a pointer to a function");
  const auto& signature = type(to.element);
  require(signature.element == instruction[1], "a call has its function's result");
  const auto operands = instruction.from(4);
  require(operands.size() == signature.members.size(), "a call has its function's arguments");
  auto* function_type = llvm::cast<llvm::FunctionType>(signature.llvm);
  llvm::SmallVector<llvm::Value*, 8> arguments;
  for (unsigned i = 0; i < operands.size(); ++i)
    arguments.push_back(value_of(operands[i], function_type->getParamType(i), "an argument"));

  llvm::SmallVector<std::pair<std::uint64_t, llvm::Function*>, 8> choices;
  for (const auto& [number, place] : function_numbers_)
    if (auto* function = llvm::cast<llvm::Function>(id(number).value);
        function->getFunctionType() == function_type)
      choices.emplace_back(16 * static_cast<std::uint64_t>(place.number), function);
  require(!choices.empty(), "the module takes the address of a function of this type");
  require(choices.size() <= kMostChoices,
          "the module takes the addresses of at most 256 functions of a type");
  const auto call = [&](llvm::Function* function) {
    auto* made = builder_.CreateCall(function, arguments);
    made->setCallingConv(function->getCallingConv());
    for (unsigned i = 0; i < arguments.size(); ++i)
      made->addParamAttrs(i,
                          llvm::AttrBuilder(context_, function->getAttributes().getParamAttrs(i)));
    return made;
  };
  auto* word = builder_.CreatePtrToInt(given, builder_.getInt64Ty());
  if (const auto* known = llvm::dyn_cast<llvm::ConstantInt>(word)) {
    for (const auto& [number, function] : choices)
      if (known->equalsInt(number))
        return define_value(instruction[2], instruction[1], call(function));
    refuse("the pointer is to no function of its type");
  }

  // Phis of later blocks name the block's label: what follows the calls stays in a block that
  // complete_phis() finds for it.
  auto* parent = builder_.GetInsertBlock();
  auto* behind = llvm::BasicBlock::Create(context_, "", parent->getParent());
  auto* none = llvm::BasicBlock::Create(context_, "", parent->getParent());
  auto* choice = builder_.CreateSwitch(word, none, static_cast<unsigned>(choices.size()));
  const bool is_void = function_type->getReturnType()->isVoidTy();
  llvm::SmallVector<std::pair<llvm::Value*, llvm::BasicBlock*>, 8> results;
  for (const auto& [number, function] : choices) {
    auto* block = llvm::BasicBlock::Create(context_, "", parent->getParent());
    choice->addCase(builder_.getInt64(number), block);
    builder_.SetInsertPoint(block);
    results.emplace_back(call(function), block);
    builder_.CreateBr(behind);
  }
  builder_.SetInsertPoint(none);
  builder_.CreateUnreachable();
  builder_.SetInsertPoint(behind);
  behind->moveAfter(parent);
  auto& ends = block_ends_[first_of_block(parent)];
  ends = behind;
  first_blocks_[behind] = first_of_block(parent);
  if (is_void)
    return define_value(instruction[2], instruction[1], results.front().first);
  auto* merged =
      builder_.CreatePHI(function_type->getReturnType(), static_cast<unsigned>(results.size()));
  for (const auto& [result, block] : results)
    merged->addIncoming(result, block);
  define_value(instruction[2], instruction[1], merged);
}

// The block of the label to which a block belongs that calls through pointers have split off.
llvm::BasicBlock* Translator::first_of_block(llvm::BasicBlock* block) const {
  const auto found = first_blocks_.find(block);
  return found != first_blocks_.end() ? found->second : block;
}

llvm::BasicBlock* Translator::end_of_block(llvm::BasicBlock* block) const {
  const auto found = block_ends_.find(block);
  return found != block_ends_.end() ? found->second : block;
}

} // namespace heddle::compiler::spirv
