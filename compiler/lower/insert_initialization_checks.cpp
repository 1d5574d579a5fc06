// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/insert_initialization_checks.h"

#include "compiler/interface/check_record.h"
#include "compiler/ir/address_space.h"
#include "compiler/ir/unchecked_functions.h"
#include "compiler/ir/work_item_params.h"
#include "compiler/lower/checked_calls.h"
#include "compiler/lower/checked_objects.h"
#include "compiler/lower/inline_policy.h"
#include "compiler/lower/lower_local_variables.h"
#include "compiler/lower/shadow_memory.h"
#include "compiler/lower/shadow_values.h"
#include "compiler/lower/shadowed_functions.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

namespace heddle::compiler {
namespace {

using abi::UninitializedUse;

constexpr llvm::StringLiteral kVariable = "heddle.variable"; // of an alloca: the name in the source
constexpr llvm::StringLiteral kCheck = "heddle.check_initialized";
constexpr llvm::StringLiteral kAny = "heddle.any_unwritten.p"; // with the address space

bool is_program_code(const llvm::Instruction& instruction) {
  return instruction.hasMetadata(kProgram);
}

void promote_pointers(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  llvm::SmallVector<llvm::AllocaInst*, 16> pointers;
  for (auto& instruction : llvm::instructions(function))
    if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
        variable != nullptr && variable->getAllocatedType()->isPointerTy() &&
        llvm::isAllocaPromotable(variable))
      pointers.push_back(variable);
  if (!pointers.empty())
    llvm::PromoteMemToReg(pointers, analyses.getResult<llvm::DominatorTreeAnalysis>(function),
                          &analyses.getResult<llvm::AssumptionAnalysis>(function));
}

bool is_check(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  return call != nullptr && call->getCalledFunction() != nullptr &&
         call->getCalledFunction()->getName() == kCheck;
}

// Whether it is known that there is nothing to report.
bool passes(const llvm::CallInst& check) {
  const auto* bad = llvm::dyn_cast<llvm::ConstantInt>(check.getArgOperand(0));
  return bad != nullptr && bad->isZero();
}

// What a copy of the library copies: planes of lines of bytes.
struct CopyShape {
  llvm::Value *bytes, *lines, *planes;
  llvm::Value *to_line, *to_plane, *from_line, *from_plane; // steps in bytes

  static std::optional<CopyShape> of(const llvm::CallInst& copy, llvm::IRBuilderBase& builder) {
    const auto argument = [&](unsigned i) { return copy.getArgOperand(i); };
    auto* zero = builder.getInt64(0);
    auto* one = builder.getInt64(1);
    auto kind = copy.getCalledFunction()->getName().drop_front(kCopyPrefix.size());
    std::uint64_t element = 0;
    if (kind == "bytes")
      return CopyShape{argument(2), one, one, zero, zero, zero, zero};
    if (kind.consume_front("strided_") && !kind.getAsInteger(10, element))
      return CopyShape{
          builder.getInt64(element), argument(2), one, argument(3), zero, argument(4), zero};
    if (kind == "lines")
      return CopyShape{argument(2), argument(3), one, argument(4), zero, argument(5), zero};
    if (kind == "planes")
      return CopyShape{argument(2), argument(3), argument(4), argument(5),
                       argument(6), argument(7), argument(8)};
    return std::nullopt;
  }

  // From the first to the last one.
  llvm::Value* emit_bytes(llvm::Value* line, llvm::Value* plane,
                          llvm::IRBuilderBase& builder) const {
    auto* one = builder.getInt64(1);
    auto* all = builder.CreateAdd(bytes, builder.CreateMul(builder.CreateSub(lines, one), line));
    all = builder.CreateAdd(all, builder.CreateMul(builder.CreateSub(planes, one), plane));
    return builder.CreateSelect(builder.CreateIsNull(emit_count(builder)), builder.getInt64(0),
                                all);
  }
  llvm::Value* emit_count(llvm::IRBuilderBase& builder) const {
    return builder.CreateMul(bytes, builder.CreateMul(lines, planes));
  }
};

// A function of (shadow, bytes, lines, planes, step of lines, of planes): an i1, whether it has a
// one.
llvm::Function* any_function(llvm::Module& module, llvm::Type* pointer) {
  const auto name = (kAny + llvm::Twine(pointer->getPointerAddressSpace())).str();
  if (auto* function = module.getFunction(name))
    return function;
  auto& context = module.getContext();
  auto* word = llvm::Type::getInt64Ty(context);
  auto* function = llvm::Function::Create(
      llvm::FunctionType::get(llvm::Type::getInt1Ty(context),
                              {pointer, word, word, word, word, word}, false),
      llvm::GlobalValue::InternalLinkage, name, module);
  function->addFnAttr(llvm::Attribute::AlwaysInline);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "entry", function));
  auto* argument = function->arg_begin();
  auto* found = builder.CreateAlloca(builder.getInt8Ty());
  builder.CreateStore(builder.getInt8(0), found);
  auto* count = builder.CreateMul(argument + 1, builder.CreateMul(argument + 2, argument + 3));
  auto* is_any = builder.CreateIsNotNull(count);
  auto* result =
      builder.CreateRet(builder.CreateIsNotNull(builder.CreateLoad(builder.getInt8Ty(), found)));
  auto* first = result->getPrevNode()->getPrevNode();
  auto* at = llvm::SplitBlockAndInsertIfThen(is_any, first->getIterator(), false);
  llvm::Value* index[3];
  for (const unsigned loop : {3U, 2U, 1U}) {
    const auto [body, counter] =
        llvm::SplitBlockAndInsertSimpleForLoop(argument + loop, at->getIterator());
    index[loop - 1] = counter;
    at = body;
  }
  builder.SetInsertPoint(at);
  auto* offset =
      builder.CreateAdd(index[0], builder.CreateAdd(builder.CreateMul(index[1], argument + 4),
                                                    builder.CreateMul(index[2], argument + 5)));
  auto* byte = builder.CreateLoad(builder.getInt8Ty(),
                                  builder.CreateGEP(builder.getInt8Ty(), argument, {offset}));
  builder.CreateStore(builder.CreateOr(builder.CreateLoad(builder.getInt8Ty(), found), byte),
                      found);
  return function;
}

class Inserter {
 public:
  // `kernel`: the one whose body the function is, or null.
  Inserter(llvm::Function& function, const Kernel* kernel, bool has_local, bool has_buffers,
           const ShadowedFunctions& functions, CheckCalls& calls)
      : kernel_(kernel), functions_(functions), calls_(calls), values_(function.getDataLayout()),
        memory_(function, has_local, has_buffers), may_report_(has_work_item_params(function)) {
    functions.add_arguments(function, values_);
  }

  // `blocks`: the function's, in the order in which values are defined before they are used.
  void run(llvm::ArrayRef<llvm::BasicBlock*> blocks,
           const llvm::DenseSet<llvm::Instruction*>& program) {
    for (auto* block : blocks)
      for (auto& instruction : llvm::make_early_inc_range(*block))
        if (program.contains(&instruction))
          visit(instruction);
    values_.finish_phis();
  }

 private:
  void visit(llvm::Instruction& instruction) {
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
      visit_load(*load);
    else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
      visit_store(*store);
    else if (auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
      visit_update(*update);
    else if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
      visit_exchange(*exchange);
    else if (auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(&instruction))
      visit_copy(*copy);
    else if (auto* fill = llvm::dyn_cast<llvm::MemSetInst>(&instruction))
      visit_fill(*fill);
    else if (auto* branch = llvm::dyn_cast<llvm::BranchInst>(&instruction))
      visit_branch(*branch, branch->isConditional() ? branch->getCondition() : nullptr);
    else if (auto* choice = llvm::dyn_cast<llvm::SwitchInst>(&instruction))
      visit_branch(*choice, choice->getCondition());
    else if (auto* end = llvm::dyn_cast<llvm::ReturnInst>(&instruction))
      functions_.complete(*end, values_);
    else
      visit_value(instruction);
  }

  // Shadows are accessed behind what they are the shadows of: there it has been checked that the
  // access is in bounds (HEDDLE_CHECK=memory), since memory next to a buffer may have no shadow.
  static void move_behind(llvm::Instruction& access, llvm::IRBuilder<>& builder) {
    builder.SetInsertPoint(access.getNextNode());
    builder.SetCurrentDebugLocation(access.getDebugLoc());
  }

  void visit_value(llvm::Instruction& instruction) {
    if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction)) {
      if (functions_.pass(*call, values_))
        return;
      visit_call(*call);
    }
    if (instruction.isIntDivRem())
      check(UninitializedUse::divisor, *instruction.getOperand(1), instruction);
    values_.compute(instruction);
  }

  // Async copies. The shadow is copied as the bytes are.
  void visit_call(llvm::CallInst& call) {
    const auto* callee = call.getCalledFunction();
    if (callee == nullptr || !is_group_copy(*callee))
      return;
    llvm::IRBuilder<> builder(&call);
    const auto shape = CopyShape::of(call, builder);
    if (!shape)
      return;
    const auto to = memory_.of(*call.getArgOperand(0), builder);
    const auto from = memory_.of(*call.getArgOperand(1), builder);
    if (from && from.exists == nullptr) // from local memory, to a buffer
      insert(UninitializedUse::stored_value, emit_any(from, *shape, builder),
             variable_at(*call.getArgOperand(1)), call);
    if (!to)
      return;
    if (!from || from.exists != nullptr)
      fill(to, builder.getInt8(0), shape->emit_bytes(shape->to_line, shape->to_plane, builder),
           llvm::Align(1), builder);
    if (!from)
      return;
    auto* copy = llvm::cast<llvm::CallInst>(call.clone());
    copy->insertBefore(call.getIterator());
    const auto address = [&](const ShadowPlace& place, unsigned argument) {
      copy->setArgOperand(argument, builder.CreateAddrSpaceCast(
                                        place.address, call.getArgOperand(argument)->getType()));
    };
    builder.SetInsertPoint(copy);
    address(to, 0);
    address(from, 1);
    auto* count = call.getArgOperand(2);
    copy->setArgOperand(2, if_exists(from, if_exists(to, count, builder), builder));
  }

  static llvm::Value* emit_any(const ShadowPlace& from, const CopyShape& shape,
                               llvm::IRBuilder<>& builder) {
    auto* function = any_function(*builder.GetInsertBlock()->getModule(), from.address->getType());
    return builder.CreateCall(function, {from.address, shape.bytes, shape.lines, shape.planes,
                                         shape.from_line, shape.from_plane});
  }

  void visit_branch(llvm::Instruction& branch, llvm::Value* condition) {
    if (condition != nullptr && is_program_code(branch))
      check(UninitializedUse::branch, *condition, branch);
  }

  void visit_load(llvm::LoadInst& load) {
    auto* type = values_.type_of(load.getType());
    if (is_program_code(load))
      check(UninitializedUse::load_address, *load.getPointerOperand(), load);
    if (type == nullptr)
      return;
    llvm::IRBuilder<> builder(&load);
    move_behind(load, builder);
    auto* shadow =
        load_shadow(memory_.of(*load.getPointerOperand(), builder), type, load.getAlign(), builder);
    if (auto* of_address = is_program_code(load) ? nullptr
                                                 : values_.of_operands({load.getPointerOperand()},
                                                                       load.getType(), builder))
      shadow = shadow == nullptr || type->isAggregateType() ? of_address
                                                            : builder.CreateOr(shadow, of_address);
    values_.set(load, shadow);
  }

  void visit_store(llvm::StoreInst& store) {
    auto* value = store.getValueOperand();
    check(UninitializedUse::store_address, *store.getPointerOperand(), store);
    auto* type = values_.type_of(value->getType());
    if (type == nullptr)
      return;
    llvm::IRBuilder<> builder(&store);
    const auto to = memory_.of(*store.getPointerOperand(), builder);
    check_stored(*store.getPointerOperand(), *value, to, store);
    move_behind(store, builder);
    if (to)
      builder.CreateAlignedStore(shadow_or_zero(*value), to.address, store.getAlign());
  }

  void visit_update(llvm::AtomicRMWInst& update) {
    auto* value = update.getValOperand();
    check(UninitializedUse::store_address, *update.getPointerOperand(), update);
    auto* type = values_.type_of(update.getType());
    if (type == nullptr)
      return;
    llvm::IRBuilder<> builder(&update);
    const auto at = memory_.of(*update.getPointerOperand(), builder);
    check_stored(*update.getPointerOperand(), *value, at, update);
    if (!at)
      return;
    move_behind(update, builder);
    auto* before = load_shadow(at, type, update.getAlign(), builder);
    if (at.is_buffer != nullptr && update.getOperation() != llvm::AtomicRMWInst::Xchg)
      insert(UninitializedUse::stored_value,
             builder.CreateAnd(ShadowValues::any(before, builder), at.is_buffer),
             variable_at(*update.getPointerOperand()), update, builder);
    auto* after = update.getOperation() == llvm::AtomicRMWInst::Xchg
                      ? shadow_or_zero(*value)
                      : builder.CreateOr(before, shadow_or_zero(*value));
    builder.CreateAlignedStore(after, at.address, update.getAlign());
    values_.set(update, before);
  }

  void visit_exchange(llvm::AtomicCmpXchgInst& exchange) {
    auto* value = exchange.getNewValOperand();
    check(UninitializedUse::store_address, *exchange.getPointerOperand(), exchange);
    auto* type = values_.type_of(value->getType());
    llvm::IRBuilder<> builder(&exchange);
    const auto at = memory_.of(*exchange.getPointerOperand(), builder);
    check_stored(*exchange.getPointerOperand(), *value, at, exchange);
    if (!at)
      return;
    move_behind(exchange, builder);
    auto* before = load_shadow(at, type, exchange.getAlign(), builder);
    auto* is_unknown = ShadowValues::any(
        builder.CreateOr(before, shadow_or_zero(*exchange.getCompareOperand())), builder);
    llvm::Value* result = llvm::Constant::getNullValue(values_.type_of(exchange.getType()));
    result = builder.CreateInsertValue(result, before, 0);
    values_.set(exchange, builder.CreateInsertValue(result, is_unknown, 1));
    builder.CreateAlignedStore(builder.CreateSelect(builder.CreateExtractValue(&exchange, 1),
                                                    shadow_or_zero(*value), before),
                               at.address, exchange.getAlign());
  }

  void visit_copy(llvm::MemTransferInst& copy) {
    llvm::IRBuilder<> builder(&copy);
    move_behind(copy, builder);
    const auto from = memory_.of(*copy.getRawSource(), builder);
    const auto to = memory_.of(*copy.getRawDest(), builder);
    if (from && (!to || is_global(*copy.getRawDest())))
      check_copied(copy, from, builder);
    if (!to)
      return;
    if (!from || from.exists != nullptr) {
      fill(to, builder.getInt8(0), copy.getLength(), copy.getDestAlign().valueOrOne(), builder);
      if (from) // zero bytes if the source has no shadow
        builder.CreateMemMove(to.address, llvm::Align(1), from.address, llvm::Align(1),
                              if_exists(to, if_exists(from, copy.getLength(), builder), builder));
    } else {
      auto* bytes = if_exists(to, copy.getLength(), builder);
      if (llvm::isa<llvm::MemMoveInst>(copy))
        builder.CreateMemMove(to.address, copy.getDestAlign(), from.address, copy.getSourceAlign(),
                              bytes);
      else
        builder.CreateMemCpy(to.address, copy.getDestAlign(), from.address, copy.getSourceAlign(),
                             bytes);
    }
  }

  // To global memory: members of a structure that were not written at all. Clang copies padding,
  // and bits beside bit-fields.
  void check_copied(llvm::MemTransferInst& copy, const ShadowPlace& from,
                    llvm::IRBuilder<>& builder) {
    constexpr std::uint64_t kWord = 8;
    const auto* members = copy.getMetadata(llvm::LLVMContext::MD_tbaa_struct);
    if (members == nullptr)
      return;
    llvm::Value* bad = nullptr;
    for (unsigned i = 0; i + 2 < members->getNumOperands(); i += 3) {
      const auto number = [&](unsigned operand) {
        return llvm::mdconst::extract<llvm::ConstantInt>(members->getOperand(operand))
            ->getZExtValue();
      };
      const auto end = number(i) + number(i + 1);
      for (auto begin = number(i); begin < end; begin += kWord) {
        auto* type = builder.getIntNTy(std::min(kWord, end - begin) * 8);
        auto* shadow = builder.CreateAlignedLoad(
            type, builder.CreateConstGEP1_64(builder.getInt8Ty(), from.address, begin),
            llvm::Align(1));
        auto* is_unwritten = builder.CreateICmpEQ(shadow, llvm::Constant::getAllOnesValue(type));
        bad = bad != nullptr ? builder.CreateOr(bad, is_unwritten) : is_unwritten;
      }
    }
    if (bad != nullptr && from.exists != nullptr)
      bad = builder.CreateAnd(bad, from.exists);
    insert(UninitializedUse::stored_value, bad, variable_at(*copy.getRawSource()), copy, builder);
  }

  void visit_fill(llvm::MemSetInst& set) {
    llvm::IRBuilder<> builder(&set);
    const auto to = memory_.of(*set.getRawDest(), builder);
    check_stored(*set.getRawDest(), *set.getValue(), to, set);
    move_behind(set, builder);
    if (to)
      fill(to, shadow_or_zero(*set.getValue()), set.getLength(), set.getDestAlign().valueOrOne(),
           builder);
  }

  void fill(const ShadowPlace& to, llvm::Value* byte, llvm::Value* bytes, llvm::MaybeAlign align,
            llvm::IRBuilder<>& builder) const {
    builder.CreateMemSet(to.address, byte, if_exists(to, bytes, builder), align);
  }

  static llvm::Value* if_exists(const ShadowPlace& place, llvm::Value* bytes,
                                llvm::IRBuilder<>& builder) {
    return place.exists == nullptr
               ? bytes
               : builder.CreateSelect(place.exists, bytes,
                                      llvm::Constant::getNullValue(bytes->getType()));
  }

  llvm::Value* load_shadow(const ShadowPlace& at, llvm::Type* type, llvm::Align align,
                           llvm::IRBuilder<>& builder) const {
    if (!at)
      return nullptr;
    llvm::Value* shadow = builder.CreateAlignedLoad(type, at.address, align);
    return at.exists == nullptr
               ? shadow
               : builder.CreateSelect(at.exists, shadow, llvm::Constant::getNullValue(type));
  }

  llvm::Value* shadow_or_zero(llvm::Value& value) const {
    auto* shadow = values_.of(value);
    return shadow != nullptr ? shadow
                             : llvm::Constant::getNullValue(values_.type_of(value.getType()));
  }

  static bool is_global(const llvm::Value& pointer) {
    return pointer.getType()->getPointerAddressSpace() == kGlobal;
  }

  // What is stored to buffers, and to memory without a shadow, is checked, unless that is private.
  void check_stored(llvm::Value& pointer, llvm::Value& value, const ShadowPlace& to,
                    llvm::Instruction& before) {
    const auto space = pointer.getType()->getPointerAddressSpace();
    if (space != kGlobal && (space != kGeneric || (to && to.exists == nullptr) ||
                             llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(&pointer, 0))))
      return;
    auto* shadow = values_.of(value);
    if (shadow == nullptr)
      return;
    llvm::IRBuilder<> builder(&before);
    auto* bad = ShadowValues::any(shadow, builder);
    if (space == kGeneric && to.exists != nullptr && bad != nullptr) {
      auto* is_checked = builder.CreateNot(to.exists);
      if (to.is_buffer != nullptr)
        is_checked = builder.CreateOr(is_checked, to.is_buffer);
      bad = builder.CreateAnd(bad, is_checked);
    }
    insert(UninitializedUse::stored_value, bad, variable_of(value), before);
  }

  void check(UninitializedUse use, llvm::Value& value, llvm::Instruction& before) {
    auto* shadow = values_.of(value);
    if (shadow == nullptr)
      return;
    llvm::IRBuilder<> builder(&before);
    insert(use, ShadowValues::any(shadow, builder), variable_of(value), before);
  }

  // `bad`: an i1, or null.
  void insert(UninitializedUse use, llvm::Value* bad, const std::string& variable,
              llvm::Instruction& before) {
    llvm::IRBuilder<> builder(&before);
    insert(use, bad, variable, before, builder);
  }

  // `use_at` has the place in the source.
  void insert(UninitializedUse use, llvm::Value* bad, const std::string& variable,
              const llvm::Instruction& use_at, llvm::IRBuilder<>& builder) {
    if (bad == nullptr || !may_report_ ||
        is_unchecked_by(calls_.module(), subprogram_of(use_at), "uninitialized"))
      return;
    auto* pointer = builder.getPtrTy();
    auto function = calls_.module().getOrInsertFunction(
        kCheck, llvm::FunctionType::get(
                    builder.getVoidTy(),
                    {builder.getInt1Ty(), builder.getInt32Ty(), pointer, pointer}, false));
    auto* name = variable.empty() ? llvm::ConstantPointerNull::get(pointer) : calls_.text(variable);
    auto* call =
        builder.CreateCall(function, {bad, builder.getInt32(static_cast<std::uint32_t>(use)),
                                      calls_.place(use_at), name});
    call->setDoesNotThrow();
    // It may end the kernel, but changes nothing of the program's.
    call->setMemoryEffects(llvm::MemoryEffects::inaccessibleMemOnly());
  }

  // The only variable from which the value is computed; "": there is none, or several.
  std::string variable_of(llvm::Value& value) const {
    constexpr unsigned kMaxValues = 64;
    std::string found;
    llvm::SmallPtrSet<llvm::Value*, 16> seen{&value};
    llvm::SmallVector<llvm::Value*, 16> work{&value};
    while (!work.empty()) {
      auto* next = work.pop_back_val();
      if (values_.of(*next) == nullptr)
        continue;
      auto* instruction = llvm::dyn_cast<llvm::Instruction>(next);
      if (instruction == nullptr) // a parameter in a register, or a pointer that was never written
        return "";
      if (auto* load = llvm::dyn_cast<llvm::LoadInst>(instruction)) {
        const auto name = variable_at(*load->getPointerOperand());
        if (name.empty() || (!found.empty() && found != name))
          return "";
        found = name;
        continue;
      }
      for (auto& operand : instruction->operands())
        if (seen.insert(operand).second)
          work.push_back(operand);
      if (seen.size() > kMaxValues)
        return "";
    }
    return found;
  }

  std::string variable_at(llvm::Value& pointer) const {
    auto* object = const_cast<llvm::Value*>(llvm::getUnderlyingObject(&pointer, 0));
    if (const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(object)) {
      const auto* name = variable->getMetadata(kVariable);
      return name == nullptr ? ""
                             : ("the private variable '" +
                                llvm::cast<llvm::MDString>(name->getOperand(0))->getString() + "'")
                                   .str();
    }
    if (const auto* argument = llvm::dyn_cast<llvm::Argument>(object))
      return kernel_ != nullptr && !argument->getName().empty()
                 ? ((argument->getType()->getPointerAddressSpace() == kLocal
                         ? "the local argument '"
                         : "the argument '") +
                    argument->getName() + "'")
                       .str()
                 : "";
    if (kernel_ != nullptr)
      if (const auto known = find_object(pointer, kernel_))
        return known->what;
    return "";
  }

  const Kernel* const kernel_;
  const ShadowedFunctions& functions_;
  CheckCalls& calls_;
  ShadowValues values_;
  ShadowMemory memory_;
  const bool may_report_; // a report names the work-item
};

bool has_local_memory(const Kernels& kernels) {
  return llvm::any_of(kernels, [](const Kernel& kernel) {
    return kernel.metadata.local_bytes != 0 ||
           llvm::any_of(kernel.metadata.arguments, [](const KernelArgument& argument) {
             return argument.kind == ArgumentKind::local_pointer;
           });
  });
}

void insert_checks(llvm::Function& function, const Kernel* kernel, bool has_local, bool has_buffers,
                   const ShadowedFunctions& functions, CheckCalls& calls) {
  llvm::ReversePostOrderTraversal<llvm::Function*> order(&function);
  llvm::SmallVector<llvm::BasicBlock*, 32> blocks(order.begin(), order.end());
  llvm::DenseSet<llvm::Instruction*> program;
  for (auto& instruction : llvm::instructions(function))
    program.insert(&instruction);
  Inserter(function, kernel, has_local, has_buffers, functions, calls).run(blocks, program);
}

// Checks between which nothing is changed and no address is used that one of them checks.
class RunLowering {
 public:
  RunLowering(llvm::BasicBlock& block, CheckCalls& calls) : calls_(calls) {
    for (auto& instruction : block)
      instructions_.push_back(&instruction);
  }

  void run() {
    for (auto* instruction : instructions_) {
      if (is_check(*instruction))
        add(llvm::cast<llvm::CallInst>(*instruction));
      else if (ends_run(*instruction))
        finish(*instruction);
    }
  }

 private:
  static UninitializedUse use_of(const llvm::CallInst& check) {
    return static_cast<UninitializedUse>(
        llvm::cast<llvm::ConstantInt>(check.getArgOperand(1))->getZExtValue());
  }

  void add(llvm::CallInst& check) {
    // What is computed from undefined bits is one.
    if (llvm::isa<llvm::UndefValue>(check.getArgOperand(0)))
      check.setArgOperand(0, llvm::ConstantInt::getTrue(check.getContext()));
    if (passes(check))
      check.eraseFromParent();
    else
      run_.push_back(&check);
  }

  bool ends_run(const llvm::Instruction& instruction) const {
    if (run_.empty())
      return false;
    if (instruction.isTerminator())
      return true;
    if (llvm::isa<llvm::LoadInst, llvm::StoreInst, llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst,
                  llvm::MemIntrinsic>(instruction))
      return llvm::any_of(run_, [](const llvm::CallInst* check) {
        return use_of(*check) == UninitializedUse::load_address ||
               use_of(*check) == UninitializedUse::store_address;
      });
    return llvm::isa<llvm::CallBase>(instruction) && instruction.mayHaveSideEffects();
  }

  void finish(llvm::Instruction& before) {
    llvm::IRBuilder<> builder(&before);
    llvm::Value* any = nullptr;
    for (auto* check : run_)
      any =
          any != nullptr ? builder.CreateOr(any, check->getArgOperand(0)) : check->getArgOperand(0);
    auto* unlikely = llvm::MDBuilder(builder.getContext()).createUnlikelyBranchWeights();
    auto* report = llvm::SplitBlockAndInsertIfThen(any, before.getIterator(),
                                                   /*Unreachable=*/false, unlikely);
    report->setDebugLoc(run_.front()->getDebugLoc());
    for (auto* check : run_) {
      auto* at = report;
      if (run_.size() > 1)
        at = llvm::SplitBlockAndInsertIfThen(check->getArgOperand(0), report->getIterator(),
                                             /*Unreachable=*/false);
      calls_.insert(abi::CheckedCall::uninitialized, *check->getArgOperand(2),
                    {check->getArgOperand(1), check->getArgOperand(3)}, *at);
      check->eraseFromParent();
    }
    run_.clear();
  }

  CheckCalls& calls_;
  llvm::SmallVector<llvm::Instruction*, 64> instructions_;
  llvm::SmallVector<llvm::CallInst*, 8> run_;
};

} // namespace

llvm::PreservedAnalyses MarkProgramCodePass::run(llvm::Module& module,
                                                 llvm::ModuleAnalysisManager& /*analyses*/) {
  auto& context = module.getContext();
  auto* mark = llvm::MDNode::get(context, {});
  for (auto& function : module)
    for (auto& instruction : llvm::instructions(function)) {
      if (instruction.isTerminator() || instruction.mayReadOrWriteMemory())
        instruction.setMetadata(kProgram, mark);
      // "p.addr" is the parameter p; others with dots are Clang's temporary variables.
      auto name = instruction.getName();
      name.consume_back(".addr");
      if (llvm::isa<llvm::AllocaInst>(instruction) && !name.empty() && !name.contains('.') &&
          name != "retval" && !name.starts_with("tmp"))
        instruction.setMetadata(kVariable,
                                llvm::MDNode::get(context, llvm::MDString::get(context, name)));
    }
  return llvm::PreservedAnalyses::none();
}

llvm::PreservedAnalyses PromotePointersPass::run(llvm::Function& function,
                                                 llvm::FunctionAnalysisManager& analyses) {
  promote_pointers(function, analyses);
  return llvm::PreservedAnalyses::none();
}

llvm::PreservedAnalyses
InsertInitializationChecksPass::run(llvm::Module& module,
                                    llvm::ModuleAnalysisManager& /*analyses*/) {
  const auto has_local = has_local_memory(compilation_.kernels);
  for (auto& kernel : compilation_.kernels)
    kernel.has_local_shadow = has_local;
  CheckCalls calls(module);
  const ShadowedFunctions functions(module, compilation_);
  for (auto& function : module)
    if (!function.isDeclaration() && !is_group_copy(function)) {
      insert_checks(function, compilation_.find_kernel(function), has_local,
                    compilation_.checks_buffers(), functions, calls);
    }
  return llvm::PreservedAnalyses::none();
}

llvm::PreservedAnalyses
DropPassedInitializationChecksPass::run(llvm::Function& function,
                                        llvm::FunctionAnalysisManager& /*analyses*/) {
  for (auto& instruction : llvm::make_early_inc_range(llvm::instructions(function)))
    if (is_check(instruction) && passes(llvm::cast<llvm::CallInst>(instruction)))
      instruction.eraseFromParent();
  return llvm::PreservedAnalyses::none();
}

llvm::PreservedAnalyses
LowerInitializationChecksPass::run(llvm::Module& module,
                                   llvm::ModuleAnalysisManager& /*analyses*/) {
  CheckCalls calls(module);
  if (auto* function = module.getFunction(kCheck)) {
    llvm::SmallSetVector<llvm::BasicBlock*, 32> blocks;
    for (auto* user : function->users())
      blocks.insert(llvm::cast<llvm::Instruction>(user)->getParent());
    for (auto* block : blocks)
      RunLowering(*block, calls).run();
    function->eraseFromParent();
  }
  lower_shadow_addresses(module);
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
