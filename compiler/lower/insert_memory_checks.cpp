// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/insert_memory_checks.h"

#include "compiler/interface/check_record.h"
#include "compiler/ir/abi_builder.h"
#include "compiler/ir/work_item_params.h"
#include "compiler/lower/checked_objects.h"
#include "compiler/lower/race_calls.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <algorithm>
#include <optional>

namespace heddle::compiler {
namespace {

using abi::CheckedCall;
using abi::CheckHeader;
using abi::CheckOperand;
using abi::CheckScope;

using Checked = CheckedCopy;

std::optional<Checked> checked(const llvm::Function& function) {
  if (!function.isDeclaration() || function.arg_empty())
    return std::nullopt;
  for (unsigned i = 0; i < std::size(abi::kCheckedCalls); ++i)
    if (function.getName() == abi::kCheckedCalls[i].symbol)
      return Checked{static_cast<CheckedCall>(i), 0};
  return checked_copy(function);
}

bool is_reservation(CheckedCall call) {
  return call >= CheckedCall::reserve_read && call <= CheckedCall::work_group_reserve_write;
}
// These are recorded after the call: while it executes, other work-items of the group may still use
// the reservation.
bool is_checked_behind(CheckedCall call) { return call >= CheckedCall::reserve_read; }

// A block that only the first work-item of `scope` enters, for its check.
llvm::Instruction* for_the_first(CheckScope scope, llvm::Instruction* before) {
  if (scope == CheckScope::work_item)
    return before;
  auto& module = *before->getModule();
  llvm::IRBuilder<> builder(before);
  const bool group = scope == CheckScope::work_group;
  auto* type = group ? builder.getInt64Ty() : builder.getInt32Ty();
  auto id =
      module.getOrInsertFunction(group ? "_Z19get_local_linear_idv" : "__heddle_sub_group_local_id",
                                 llvm::FunctionType::get(type, false));
  auto* first = builder.CreateICmpEQ(builder.CreateCall(id), llvm::ConstantInt::get(type, 0));
  return llvm::SplitBlockAndInsertIfThen(first, before->getIterator(), /*Unreachable=*/false);
}

void insert(llvm::CallInst& call, const Checked& what, CheckCalls& checks) {
  auto& module = *call.getModule();
  const auto& info = abi::kCheckedCalls[static_cast<unsigned>(what.call)];
  llvm::IRBuilder<> builder(
      for_the_first(info.scope, is_checked_behind(what.call) ? call.getNextNode() : &call));
  builder.SetCurrentDebugLocation(call.getDebugLoc());
  llvm::SmallVector<llvm::Value*, 16> operands{
      builder.getInt32(static_cast<std::uint32_t>(what.call)), checks.place(call)};
  for (auto& argument : call.args())
    if (const auto* opaque = llvm::dyn_cast<llvm::TargetExtType>(argument->getType());
        opaque == nullptr || opaque->getName() != "spirv.Event")
      operands.push_back(argument);
  if (what.element_bytes != 0)
    operands.push_back(builder.getInt64(what.element_bytes));
  if (is_reservation(what.call))
    operands.push_back(&call);
  builder.CreateCall(check_function(module), operands)->setDoesNotThrow();
}

// Writes the record of one call and passes it to the worker, or tells of an access.
class RecordWriter {
 public:
  // `record` is room in the function's frame that all its checks share.
  RecordWriter(llvm::CallInst& call, llvm::AllocaInst* record, bool in_kernel)
      : call_(call), in_kernel_(in_kernel), builder_(&call), access_(builder_), record_(record) {}

  void lower(CheckCalls& checks, RaceCalls& races) {
    const auto params = work_item_params(*call_.getFunction());
    if (races.lowers(call_)) {
      races.lower(call_, linear_local_id(params));
      return;
    }
    llvm::SmallVector<llvm::Value*, 16> operands(llvm::drop_begin(call_.args(), 2));
    if (names_work_item(call_))
      operands.push_back(linear_local_id(params));
    auto* place = call_.getArgOperand(1);
    if (llvm::isa<llvm::ConstantPointerNull>(place))
      place = checks.place(call_);
    builder_.CreateLifetimeStart(record_);
    store(place, offsetof(CheckHeader, place));
    store(call_.getArgOperand(0), offsetof(CheckHeader, call));
    store(builder_.getInt32(static_cast<std::uint32_t>(operands.size())),
          offsetof(CheckHeader, operand_count));
    for (unsigned i = 0; i < operands.size(); ++i)
      store_operand(operands[i], sizeof(CheckHeader) + i * sizeof(CheckOperand));
    auto* worker = access_.worker_of(params.group);
    auto* check = access_.load_invariant(worker, offsetof(abi::Worker, check), access_.pointer());
    auto* type = llvm::FunctionType::get(builder_.getVoidTy(),
                                         {access_.pointer(), access_.pointer()}, false);
    builder_.CreateCall(type, check, {worker, record_})->setDoesNotThrow();
    builder_.CreateLifetimeEnd(record_);
    call_.eraseFromParent();
  }

  // Whether the last operand of the record is the linear local id.
  static bool names_work_item(const llvm::CallInst& call) {
    return llvm::cast<llvm::ConstantInt>(call.getArgOperand(0))->getZExtValue() >=
           static_cast<unsigned>(CheckedCall::ordered_load);
  }

 private:
  llvm::Value* linear_local_id(const WorkItemParams& params) {
    const auto size = [&](unsigned dimension) {
      return access_.group_word(params.group, offsetof(abi::Group, local_size), dimension);
    };
    auto* row =
        builder_.CreateAdd(builder_.CreateMul(params.local_id[2], size(1)), params.local_id[1]);
    return builder_.CreateAdd(builder_.CreateMul(row, size(0)), params.local_id[0]);
  }

  void store(llvm::Value* value, std::uint64_t offset) {
    builder_.CreateAlignedStore(value, access_.field(record_, offset), llvm::Align(4));
  }

  void store_operand(llvm::Value* value, std::uint64_t offset) {
    std::uint64_t base = 0;
    if (value->getType()->isPointerTy()) {
      base = base_of(value);
      value = builder_.CreatePtrToInt(value, builder_.getInt64Ty());
    } else {
      value = builder_.CreateZExtOrTrunc(value, builder_.getInt64Ty());
    }
    store(value, offset + offsetof(CheckOperand, value));
    store(builder_.getInt64(base), offset + offsetof(CheckOperand, base));
  }

  // One plus the index of the kernel argument that the pointer is derived from; 0: unknown.
  std::uint64_t base_of(const llvm::Value* pointer) const {
    const auto* argument = llvm::dyn_cast<llvm::Argument>(llvm::getUnderlyingObject(pointer, 0));
    return in_kernel_ && argument != nullptr ? argument->getArgNo() + 1 : 0;
  }

  llvm::CallInst& call_;
  const bool in_kernel_;
  llvm::IRBuilder<> builder_;
  AbiBuilder access_;
  llvm::AllocaInst* const record_;
};

// In the function's frame, as long as the longest record of the calls.
llvm::AllocaInst* add_record(llvm::Function& function, llvm::ArrayRef<llvm::CallInst*> calls) {
  std::size_t bytes = 0;
  for (const auto* call : calls)
    bytes = std::max(bytes, sizeof(CheckHeader) +
                                (call->arg_size() - 2 + RecordWriter::names_work_item(*call)) *
                                    sizeof(CheckOperand));
  auto& entry = function.getEntryBlock();
  llvm::IRBuilder<> builder(&entry, entry.begin());
  return builder.CreateAlloca(llvm::ArrayType::get(builder.getInt64Ty(), bytes / 8), nullptr,
                              "check");
}

} // namespace

static void insert_memory_checks(llvm::Module& module) {
  CheckCalls checks(module);
  llvm::SmallVector<std::pair<llvm::CallInst*, Checked>, 16> calls;
  for (const auto& function : module)
    if (const auto what = checked(function))
      for (auto* user : function.users())
        if (auto* call = llvm::dyn_cast<llvm::CallInst>(const_cast<llvm::User*>(user));
            call != nullptr && call->getCalledOperand() == &function)
          calls.emplace_back(call, *what);
  for (const auto& [call, what] : calls)
    insert(*call, what, checks);
}

// Tells where work-items leave kernels.
static void insert_ends(llvm::Module& module, const Kernels& kernels) {
  CheckCalls checks(module);
  for (const auto& kernel : kernels)
    if (kernel.checks_divergence)
      for (auto& block : *kernel.body)
        if (auto* end = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator()))
          checks.insert(CheckedCall::ended, {}, *end);
}

static void lower_memory_checks(llvm::Module& module, const Kernels& kernels,
                                bool finds_divergence) {
  auto* function = module.getFunction(kCheckFunction);
  if (function == nullptr)
    return;
  CheckCalls texts(module);
  RaceCalls races(texts, finds_divergence);
  llvm::MapVector<llvm::Function*, llvm::SmallVector<llvm::CallInst*, 16>> checks;
  for (auto* user : function->users()) {
    auto* call = llvm::cast<llvm::CallInst>(user);
    checks[call->getFunction()].push_back(call);
    if (RaceCalls::is_access(*call))
      races.add_site(*call);
  }
  for (const auto& [caller, calls] : checks) {
    const bool in_kernel = llvm::any_of(
        kernels, [&body = *caller](const Kernel& kernel) { return kernel.body == &body; });
    auto* record = add_record(*caller, calls);
    for (auto* call : calls)
      RecordWriter(*call, record, in_kernel).lower(texts, races);
  }
  function->eraseFromParent();
}

llvm::PreservedAnalyses InsertMemoryChecksPass::run(llvm::Module& module,
                                                    llvm::ModuleAnalysisManager& /*analyses*/) {
  insert_memory_checks(module);
  mark_objects(module);
  return llvm::PreservedAnalyses::none();
}

llvm::PreservedAnalyses LowerMemoryChecksPass::run(llvm::Module& module,
                                                   llvm::ModuleAnalysisManager& /*analyses*/) {
  if (compilation_.checks_divergence())
    insert_ends(module, compilation_.kernels);
  lower_memory_checks(module, compilation_.kernels, compilation_.checks_divergence());
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
