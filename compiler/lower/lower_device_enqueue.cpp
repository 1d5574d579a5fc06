// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/lower_device_enqueue.h"

#include "compiler/interface/device_queue_calls.h"
#include "compiler/ir/abi_builder.h"
#include "compiler/ir/work_item_params.h"
#include "compiler/lower/lower_blocks.h"
#include "compiler/support/build.h"
#include "llvm/IR/Instructions.h"

#include <cstdint>
#include <optional>

namespace heddle::compiler {
namespace {

using abi::DeviceQueueCalls;
using abi::KernelQuery;

constexpr unsigned kNone = ~0U;

// A function and the entry of the table that it becomes. The entry's parameters after the worker
// are, by `order`, parameters of the function; kNone: a null pointer or zero.
struct Lowering {
  llvm::StringLiteral name;
  std::uint64_t entry;
  llvm::ArrayRef<unsigned> order;
  unsigned kernel = kNone; // the parameter that is the block's kernel
  std::optional<KernelQuery> query = std::nullopt;
};

constexpr unsigned kBasic[] = {0, 1, 2, kNone, kNone, kNone, 3, 4, kNone, kNone};
constexpr unsigned kEvents[] = {0, 1, 2, 3, 4, 5, 6, 7, kNone, kNone};
constexpr unsigned kVarargs[] = {0, 1, 2, kNone, kNone, kNone, 3, 4, 5, 6};
constexpr unsigned kEventsVarargs[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
constexpr unsigned kInOrder[] = {0, 1, 2, 3};
constexpr unsigned kMarker[] = {kNone, 0, 1, 2, 3};
constexpr unsigned kQuery[] = {kNone, kNone, 0};
constexpr unsigned kRangeQuery[] = {kNone, 0, 1};

const Lowering kLowerings[] = {
    {"__enqueue_kernel_basic", offsetof(DeviceQueueCalls, enqueue), kBasic, 3},
    {"__enqueue_kernel_basic_events", offsetof(DeviceQueueCalls, enqueue), kEvents, 6},
    {"__enqueue_kernel_varargs", offsetof(DeviceQueueCalls, enqueue), kVarargs, 3},
    {"__enqueue_kernel_events_varargs", offsetof(DeviceQueueCalls, enqueue), kEventsVarargs, 6},
    {"_Z14enqueue_marker9ocl_queuejPU3AS4K12ocl_clkeventPU3AS4S0_",
     offsetof(DeviceQueueCalls, enqueue_marker), kMarker},
    {"__get_kernel_work_group_size_impl", offsetof(DeviceQueueCalls, query), kQuery, 0,
     KernelQuery::work_group_size},
    {"__get_kernel_preferred_work_group_size_multiple_impl", offsetof(DeviceQueueCalls, query),
     kQuery, 0, KernelQuery::preferred_work_group_size_multiple},
    {"__get_kernel_sub_group_count_for_ndrange_impl", offsetof(DeviceQueueCalls, query),
     kRangeQuery, 1, KernelQuery::sub_group_count},
    {"__get_kernel_max_sub_group_size_for_ndrange_impl", offsetof(DeviceQueueCalls, query),
     kRangeQuery, 1, KernelQuery::max_sub_group_size},
    {"_Z17get_default_queuev", offsetof(DeviceQueueCalls, default_queue), {}},
    {"_Z17create_user_eventv", offsetof(DeviceQueueCalls, create_user_event), {}},
    {"_Z21set_user_event_status12ocl_clkeventi", offsetof(DeviceQueueCalls, set_user_event_status),
     llvm::ArrayRef(kInOrder).take_front(2)},
    {"_Z12retain_event12ocl_clkevent", offsetof(DeviceQueueCalls, retain_event),
     llvm::ArrayRef(kInOrder).take_front(1)},
    {"_Z13release_event12ocl_clkevent", offsetof(DeviceQueueCalls, release_event),
     llvm::ArrayRef(kInOrder).take_front(1)},
    {"_Z14is_valid_event12ocl_clkevent", offsetof(DeviceQueueCalls, is_valid_event),
     llvm::ArrayRef(kInOrder).take_front(1)},
    {"_Z28capture_event_profiling_info12ocl_clkeventiPU3AS1v",
     offsetof(DeviceQueueCalls, capture_profiling), llvm::ArrayRef(kInOrder).take_front(3)},
};

const Lowering* find_lowering(llvm::StringRef name) {
  for (const auto& lowering : kLowerings)
    if (lowering.name == name)
      return &lowering;
  return nullptr;
}

// Calls visit(CallInst&, const Lowering&) for each call of a function that this file lowers.
template <class Visit>
void for_each_call(llvm::Module& module, Visit visit) {
  for (const auto& lowering : kLowerings) {
    auto* function = module.getFunction(lowering.name);
    if (function == nullptr || !function->isDeclaration())
      continue;
    llvm::SmallVector<llvm::User*, 16> users(function->users());
    for (auto* user : users)
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(user);
          call != nullptr && call->getCalledOperand() == function)
        visit(*call, lowering);
    if (function->use_empty())
      function->eraseFromParent();
  }
}

// The operand that stands for a kernel is its index plus one, cast to a pointer: the null pointer
// would be no such cast.
llvm::Constant* make_operand(std::uint64_t index, llvm::Type* type) {
  auto* word = llvm::Type::getInt64Ty(type->getContext());
  return llvm::ConstantExpr::getIntToPtr(llvm::ConstantInt::get(word, index + 1), type);
}

// The index; nothing for other operands.
std::optional<std::uint64_t> number_in(const llvm::Value& operand) {
  const auto* cast = llvm::dyn_cast<llvm::ConstantExpr>(&operand);
  const auto* number =
      cast != nullptr ? llvm::dyn_cast<llvm::ConstantInt>(cast->getOperand(0)) : nullptr;
  return number != nullptr ? std::optional(number->getZExtValue() - 1) : std::nullopt;
}

class CallBuilder {
 public:
  CallBuilder(llvm::CallInst& call, const Lowering& lowering, std::uint32_t flags)
      : call_(call), lowering_(lowering), flags_(flags), builder_(&call), access_(builder_) {}

  void lower() {
    auto* worker = access_.worker_of(work_item_params(*call_.getFunction()).group);
    arguments_.push_back(worker);
    for (unsigned i = 0; i < lowering_.order.size(); ++i)
      arguments_.push_back(argument(i));
    if (lowering_.query)
      arguments_[1] = builder_.getInt32(static_cast<std::uint32_t>(*lowering_.query));
    const bool is_marker = lowering_.entry == offsetof(DeviceQueueCalls, enqueue_marker);
    if (is_marker)
      arguments_[1] = builder_.getInt32(flags_);
    else if (lowering_.entry == offsetof(DeviceQueueCalls, enqueue))
      arguments_[2] =
          builder_.CreateOr(builder_.CreateAnd(arguments_[2], abi::kEnqueueFlagsMask), flags_);
    llvm::SmallVector<llvm::Type*, 12> types;
    for (auto* value : arguments_)
      types.push_back(value->getType());
    auto* table = access_.load_invariant(worker, offsetof(abi::Worker, device_queue),
                                         access_.pointer(), "device_queue");
    auto* entry = access_.load_invariant(table, lowering_.entry, access_.pointer());
    const bool is_bool = call_.getType()->isIntegerTy(1);
    auto* result = builder_.CreateCall(
        llvm::FunctionType::get(is_bool ? builder_.getInt32Ty() : call_.getType(), types, false),
        entry, arguments_);
    call_.replaceAllUsesWith(is_bool ? builder_.CreateIsNotNull(result) : result);
    call_.eraseFromParent();
  }

 private:
  llvm::Value* argument(unsigned index) {
    const auto from = lowering_.order[index];
    if (from == kNone) // the count of events, or of local arguments, or a pointer
      return index == 3 || index == 8 ? static_cast<llvm::Value*>(builder_.getInt32(0))
                                      : llvm::ConstantPointerNull::get(builder_.getPtrTy());
    auto* value = call_.getArgOperand(from);
    if (from == lowering_.kernel)
      return builder_.getInt64(*number_in(*value));
    return value->getType()->isPointerTy() ? builder_.CreateAddrSpaceCast(value, access_.pointer())
                                           : value;
  }

  llvm::CallInst& call_;
  const Lowering& lowering_;
  const std::uint32_t flags_;
  llvm::IRBuilder<> builder_;
  AbiBuilder access_;
  llvm::SmallVector<llvm::Value*, 12> arguments_;
};

// A unit has one kernel; the blocks that it enqueues are units of their own.
void erase_other_blocks(llvm::Module& module, const char* kernel) {
  if (kernel == nullptr)
    return;
  for (auto& function : llvm::make_early_inc_range(module))
    if (function.hasFnAttribute(kBlockKernelAttribute) && function.getName() != kernel &&
        function.use_empty())
      function.eraseFromParent();
}

} // namespace

bool is_device_enqueue(llvm::StringRef mangled_name) {
  return find_lowering(mangled_name) != nullptr;
}

llvm::PreservedAnalyses NumberBlockKernelsPass::run(llvm::Module& module,
                                                    llvm::ModuleAnalysisManager& /*analyses*/) {
  for_each_call(module, [&](llvm::CallInst& call, const Lowering& lowering) {
    if (lowering.kernel == kNone)
      return;
    auto* operand = call.getArgOperand(lowering.kernel);
    std::uint64_t index = 0;
    const auto* block = llvm::dyn_cast<llvm::Function>(operand->stripPointerCasts());
    if (block != nullptr &&
        !block->getFnAttribute(kBlockKernelAttribute).getValueAsString().getAsInteger(10, index))
      call.setArgOperand(lowering.kernel, make_operand(index, operand->getType()));
    else
      compilation_.build.error("enqueue_kernel in '" + call.getFunction()->getName() +
                               "': the block is not known");
  });
  erase_other_blocks(module, compilation_.build.request.kernel);
  return llvm::PreservedAnalyses::none();
}

llvm::PreservedAnalyses LowerDeviceEnqueuePass::run(llvm::Module& module,
                                                    llvm::ModuleAnalysisManager& /*analyses*/) {
  const auto& options = compilation_.build.options;
  const std::uint32_t flags = (options.debug ? abi::kDetailedErrors : 0) |
                              (options.uniform_groups ? abi::kUniformGroups : 0);
  bool found = false;
  for_each_call(module, [&](llvm::CallInst& call, const Lowering& lowering) {
    CallBuilder(call, lowering, flags).lower();
    found = true;
  });
  for (auto& kernel : compilation_.kernels)
    kernel.metadata.uses_device_queues = found;
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
