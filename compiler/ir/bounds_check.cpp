// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ir/bounds_check.h"

#include "compiler/ir/abi_builder.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"

namespace heddle::compiler {
namespace {

constexpr llvm::StringLiteral kPrefix = "heddle.check_bounds.p";
constexpr llvm::StringLiteral kFailed = "heddle.bounds_exceeded";
constexpr llvm::StringLiteral kLanes = "heddle.check_lanes.";

// A table of accesses is their number and a structure of these members for each.
enum Member : unsigned { kPlace, kCall, kOffset, kBytes, kAlignment };

llvm::StructType* access_type(llvm::LLVMContext& context) {
  auto* word = llvm::Type::getInt64Ty(context);
  return llvm::StructType::get(context, {llvm::PointerType::getUnqual(context),
                                         llvm::Type::getInt32Ty(context), word, word, word});
}

llvm::Constant* make_table(llvm::Module& module, llvm::ArrayRef<BoundsCheck::Access> accesses) {
  auto& context = module.getContext();
  auto* word = llvm::Type::getInt64Ty(context);
  auto* type = access_type(context);
  llvm::SmallVector<llvm::Constant*, 8> entries;
  for (const auto& access : accesses)
    entries.push_back(llvm::ConstantStruct::get(
        type,
        {access.place,
         llvm::ConstantInt::get(type->getElementType(kCall),
                                static_cast<std::uint32_t>(access.call)),
         llvm::ConstantInt::get(word, access.offset), llvm::ConstantInt::get(word, access.bytes),
         llvm::ConstantInt::get(word, access.alignment.value())}));
  auto* list = llvm::ConstantArray::get(llvm::ArrayType::get(type, entries.size()), entries);
  auto* table = llvm::ConstantStruct::getAnon({llvm::ConstantInt::get(word, entries.size()), list});
  auto* variable = new llvm::GlobalVariable(
      module, table->getType(), true, llvm::GlobalValue::PrivateLinkage, table, "heddle.accesses",
      nullptr, llvm::GlobalValue::NotThreadLocal, /*AddressSpace=*/0);
  variable->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
  return variable;
}

llvm::Function* make_function(llvm::Module& module, llvm::StringRef name,
                              llvm::ArrayRef<llvm::Type*> types) {
  auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(module.getContext()), types, false);
  auto* function = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, name, module);
  function->setDoesNotThrow();
  return function;
}

// A loop whose number is below `count`, which is not 0: `emit` continues at the builder's place.
template <typename Emit>
void emit_loop(llvm::IRBuilderBase& builder, llvm::Value* count, Emit emit) {
  auto& context = builder.getContext();
  auto* function = builder.GetInsertBlock()->getParent();
  auto* before = builder.GetInsertBlock();
  auto* loop = llvm::BasicBlock::Create(context, "loop", function);
  auto* after = llvm::BasicBlock::Create(context, "after", function);
  builder.CreateBr(loop);
  builder.SetInsertPoint(loop);
  auto* number = builder.CreatePHI(builder.getInt64Ty(), 2);
  number->addIncoming(builder.getInt64(0), before);
  emit(number);
  auto* next = builder.CreateAdd(number, builder.getInt64(1));
  number->addIncoming(next, builder.GetInsertBlock());
  builder.CreateCondBr(builder.CreateICmpEQ(next, count), after, loop);
  builder.SetInsertPoint(after);
}

// The parameters of the functions: those of the check, with the first address as a number and
// without the last one, and the lane.
enum Parameter : unsigned {
  kAddress,
  kBegin,
  kCount,
  kBits,
  kWorker,
  kTable,
  kBase,
  kStep,
  kIterations,
  kDynamicBytes,
  kLane // one plus the lane of the sub-group; 0: not known
};

// Passes the record of one access to the worker.
void emit_record(AbiBuilder& access, llvm::Function& function, llvm::AllocaInst* record,
                 llvm::Value* entry, llvm::Value* address) {
  auto& builder = access.builder();
  auto* type = access_type(builder.getContext());
  const auto member = [&](Member index) {
    return builder.CreateLoad(type->getElementType(index),
                              builder.CreateStructGEP(type, entry, index));
  };
  const auto store = [&](llvm::Value* value, std::uint64_t offset) {
    builder.CreateAlignedStore(value, access.field(record, offset), llvm::Align(4));
  };
  store(member(kPlace), offsetof(abi::CheckHeader, place));
  store(member(kCall), offsetof(abi::CheckHeader, call));
  auto* bytes = member(kBytes);
  auto* is_dynamic = builder.CreateICmpEQ(bytes, builder.getInt64(0));
  llvm::Value* const values[] = {
      builder.CreateAdd(address, member(kOffset)),
      builder.CreateSelect(is_dynamic, function.getArg(kDynamicBytes), bytes), member(kAlignment),
      function.getArg(kLane)};
  store(builder.getInt32(std::size(values)), offsetof(abi::CheckHeader, operand_count));
  for (unsigned i = 0; i < std::size(values); ++i) {
    const auto at = sizeof(abi::CheckHeader) + i * sizeof(abi::CheckOperand);
    auto* base = i == 0 ? function.getArg(kBase) : static_cast<llvm::Value*>(builder.getInt64(0));
    store(values[i], at + offsetof(abi::CheckOperand, value));
    store(base, at + offsetof(abi::CheckOperand, base));
  }
  auto* pointer = access.pointer();
  auto* worker = function.getArg(kWorker);
  auto* check = access.load(worker, offsetof(abi::Worker, check), pointer);
  auto* check_type = llvm::FunctionType::get(builder.getVoidTy(), {pointer, pointer}, false);
  builder.CreateCall(check_type, check, {worker, record})->setDoesNotThrow();
}

// For each iteration that is not right, all its records.
llvm::Function* failed_function(llvm::Module& module) {
  if (auto* known = module.getFunction(kFailed))
    return known;
  auto& context = module.getContext();
  llvm::IRBuilder<> builder(context);
  AbiBuilder access(builder);
  auto* word = builder.getInt64Ty();
  auto* pointer = access.pointer();
  auto* function = make_function(
      module, kFailed, {word, word, word, word, pointer, pointer, word, word, word, word, word});
  function->addFnAttr(llvm::Attribute::NoInline);
  function->addFnAttr(llvm::Attribute::Cold);
  builder.SetInsertPoint(llvm::BasicBlock::Create(context, "entry", function));
  constexpr auto kRecordBytes = sizeof(abi::CheckHeader) + 4 * sizeof(abi::CheckOperand);
  auto* record =
      builder.CreateAlloca(llvm::ArrayType::get(word, kRecordBytes / 8), nullptr, "record");
  auto* table = function->getArg(kTable);
  auto* entries = access.load(table, 0, word);
  emit_loop(builder, function->getArg(kIterations), [&](llvm::Value* iteration) {
    auto* address = builder.CreateAdd(function->getArg(kAddress),
                                      builder.CreateMul(iteration, function->getArg(kStep)));
    auto* wrong = llvm::BasicBlock::Create(context, "wrong", function);
    auto* next = llvm::BasicBlock::Create(context, "next", function);
    builder.CreateCondBr(emit_is_in_bounds(builder, address, function->getArg(kBegin),
                                           function->getArg(kCount), function->getArg(kBits)),
                         next, wrong);
    builder.SetInsertPoint(wrong);
    emit_loop(builder, entries, [&](llvm::Value* number) {
      auto* entry = builder.CreateGEP(access_type(context), access.field(table, 8), number);
      emit_record(access, *function, record, entry, address);
    });
    builder.CreateBr(next);
    builder.SetInsertPoint(next);
  });
  builder.CreateRetVoid();
  return function;
}

// (lanes, stride, then those of the failed function, with 1 as the lane if they are to be named,
// else 0): calls that for each lane.
llvm::Function* lanes_function(llvm::Module& module, unsigned width,
                               llvm::ArrayRef<llvm::Type*> types) {
  constexpr unsigned kActive = 0, kStride = 1, kOperands = 2;
  std::uint64_t vectors = 0;
  for (unsigned i = 0; i < types.size(); ++i)
    vectors |= std::uint64_t{types[i]->isVectorTy()} << i;
  const auto name = (kLanes + llvm::Twine(width) + "." + llvm::Twine(vectors)).str();
  if (auto* known = module.getFunction(name))
    return known;
  auto& context = module.getContext();
  llvm::IRBuilder<> builder(context);
  auto* function = make_function(module, name, types);
  function->addFnAttr(llvm::Attribute::NoInline);
  function->addFnAttr(llvm::Attribute::Cold);
  builder.SetInsertPoint(llvm::BasicBlock::Create(context, "entry", function));
  emit_loop(builder, builder.getInt64(width), [&](llvm::Value* lane) {
    auto* active = llvm::BasicBlock::Create(context, "active", function);
    auto* next = llvm::BasicBlock::Create(context, "next", function);
    auto* is_active = builder.CreateTrunc(builder.CreateLShr(function->getArg(kActive), lane),
                                          builder.getInt1Ty());
    builder.CreateCondBr(is_active, active, next);
    builder.SetInsertPoint(active);
    llvm::SmallVector<llvm::Value*, 10> operands;
    for (unsigned i = kOperands; i < types.size(); ++i) {
      llvm::Value* operand = function->getArg(i);
      operands.push_back(types[i]->isVectorTy() ? builder.CreateExtractElement(operand, lane)
                                                : operand);
    }
    operands.front() =
        builder.CreateAdd(operands.front(), builder.CreateMul(lane, function->getArg(kStride)));
    operands.back() =
        builder.CreateMul(operands.back(), builder.CreateAdd(lane, builder.getInt64(1)));
    builder.CreateCall(failed_function(module), operands)->setDoesNotThrow();
    builder.CreateBr(next);
    builder.SetInsertPoint(next);
  });
  builder.CreateRetVoid();
  return function;
}

llvm::Function* check_function(llvm::Module& module, unsigned space) {
  const auto name = (kPrefix + llvm::Twine(space)).str();
  if (auto* known = module.getFunction(name))
    return known;
  auto& context = module.getContext();
  llvm::IRBuilder<> builder(context);
  auto* word = builder.getInt64Ty();
  auto* pointer = builder.getPtrTy();
  auto* accessed = builder.getPtrTy(space);
  auto* function = make_function(
      module, name,
      {accessed, accessed, word, word, word, pointer, pointer, word, word, word, word});
  function->addFnAttr(llvm::Attribute::AlwaysInline);
  builder.SetInsertPoint(llvm::BasicBlock::Create(context, "entry", function));
  auto* wrong = llvm::BasicBlock::Create(context, "wrong", function);
  auto* right = llvm::BasicBlock::Create(context, "right", function);
  const auto is_right = [&](unsigned argument) {
    return emit_is_in_bounds(builder, builder.CreatePtrToInt(function->getArg(argument), word),
                             function->getArg(kCheckedBegin), function->getArg(kCheckedCount),
                             function->getArg(kCheckedBits));
  };
  create_likely_branch(builder, builder.CreateAnd(is_right(kCheckedFirst), is_right(kCheckedLast)),
                       right, wrong);
  builder.SetInsertPoint(wrong);
  llvm::SmallVector<llvm::Value*, 10> operands{
      builder.CreatePtrToInt(function->getArg(kCheckedFirst), word)};
  for (auto i = kCheckedBegin; i < function->arg_size(); ++i)
    operands.push_back(function->getArg(i));
  operands.push_back(builder.getInt64(0));
  builder.CreateCall(failed_function(module), operands)->setDoesNotThrow();
  builder.CreateBr(right);
  builder.SetInsertPoint(right);
  builder.CreateRetVoid();
  return function;
}

} // namespace

void create_bounds_check(llvm::IRBuilderBase& builder, const BoundsCheck& check) {
  auto& module = *builder.GetInsertBlock()->getModule();
  auto* function = check_function(module, check.first->getType()->getPointerAddressSpace());
  auto* call = builder.CreateCall(function, {check.first, check.last, check.begin, check.count,
                                             builder.getInt64(check.misaligned_bits), check.worker,
                                             make_table(module, check.accesses), check.base,
                                             check.step, check.iterations, check.bytes});
  call->setDoesNotThrow();
  // It may end the kernel, but changes nothing of the program's.
  call->setMemoryEffects(llvm::MemoryEffects::inaccessibleMemOnly());
}

void create_lanes_check(llvm::IRBuilderBase& builder, unsigned width, llvm::Value* lanes,
                        llvm::Value* address, std::int64_t stride,
                        llvm::ArrayRef<llvm::Value*> operands, bool names_lanes) {
  auto& module = *builder.GetInsertBlock()->getModule();
  llvm::SmallVector<llvm::Value*, 12> all{
      lanes, llvm::ConstantInt::getSigned(builder.getInt64Ty(), stride), address};
  all.append(operands.begin(), operands.end());
  all.push_back(builder.getInt64(names_lanes ? 1 : 0));
  llvm::SmallVector<llvm::Type*, 12> types;
  for (const auto* operand : all)
    types.push_back(operand->getType());
  builder.CreateCall(lanes_function(module, width, types), all)->setDoesNotThrow();
}

namespace {

llvm::StringRef name_of_callee(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  const auto* callee = call != nullptr ? call->getCalledFunction() : nullptr;
  return callee != nullptr ? callee->getName() : "";
}

} // namespace

bool is_bounds_check(const llvm::Instruction& instruction) {
  return name_of_callee(instruction).starts_with(kPrefix);
}

bool is_bounds_report(const llvm::Instruction& instruction) {
  const auto name = name_of_callee(instruction);
  return name == kFailed || name.starts_with(kLanes);
}

llvm::Value* emit_is_in_bounds(llvm::IRBuilderBase& builder, llvm::Value* address,
                               llvm::Value* begin, llvm::Value* count, llvm::Value* bits) {
  auto* is_inside = builder.CreateICmpULT(builder.CreateSub(address, begin), count);
  if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(bits); number && number->isZero())
    return is_inside;
  if (const auto* lanes = llvm::dyn_cast<llvm::FixedVectorType>(address->getType()))
    bits = builder.CreateVectorSplat(lanes->getNumElements(), bits);
  auto* misaligned = builder.CreateAnd(address, bits);
  return builder.CreateAnd(is_inside, builder.CreateICmpEQ(misaligned, llvm::Constant::getNullValue(
                                                                           misaligned->getType())));
}

void create_likely_branch(llvm::IRBuilderBase& builder, llvm::Value* condition,
                          llvm::BasicBlock* right, llvm::BasicBlock* wrong) {
  builder.CreateCondBr(condition, right, wrong,
                       llvm::MDBuilder(builder.getContext()).createLikelyBranchWeights());
}

} // namespace heddle::compiler
