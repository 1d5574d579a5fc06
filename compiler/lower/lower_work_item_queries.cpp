// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/lower_work_item_queries.h"

#include "compiler/ir/abi_builder.h"
#include "compiler/ir/work_item_params.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/Instructions.h"

#include <utility>

namespace heddle::compiler {
namespace {

using abi::Group;
using abi::Launch;

// Emits the result of a call.
class QueryLowering {
 public:
  QueryLowering(llvm::IRBuilder<>& builder, WorkItemParams state, llvm::Value* dimension,
                bool swap_dimensions)
      : builder_(builder), access_(builder), state_(state), dimension_(dimension),
        swap_dimensions_(swap_dimensions) {
    if (swap_dimensions)
      std::swap(state_.local_id[0], state_.local_id[1]);
  }

  llvm::Value* work_dim() {
    auto* word =
        access_.launch_word(access_.launch_of(state_.group), offsetof(Launch, work_dim), 0);
    return builder_.CreateTrunc(word, builder_.getInt32Ty());
  }
  llvm::Value* global_size() {
    return each(1, [&](unsigned d) { return launch_word(offsetof(Launch, global_size), d); });
  }
  llvm::Value* enqueued_local_size() {
    return each(1, [&](unsigned d) { return launch_word(offsetof(Launch, local_size), d); });
  }
  llvm::Value* local_size() {
    return each(1, [&](unsigned d) { return local_size_of(d); });
  }
  llvm::Value* num_groups() {
    return each(1, [&](unsigned d) { return launch_word(offsetof(Launch, group_count), d); });
  }
  llvm::Value* global_offset() {
    return each(0, [&](unsigned d) { return launch_word(offsetof(Launch, global_offset), d); });
  }
  llvm::Value* group_id() {
    return each(0, [&](unsigned d) { return group_id_of(d); });
  }
  llvm::Value* local_id() {
    return each(0, [&](unsigned d) { return state_.local_id[d]; });
  }
  llvm::Value* global_id() {
    return each(0, [&](unsigned d) {
      auto* start = zero_based_group_start(d);
      auto* offset = launch_word(offsetof(Launch, global_offset), d);
      return builder_.CreateAdd(builder_.CreateAdd(start, offset), state_.local_id[d]);
    });
  }
  // ((z * size_y) + y) * size_x + x, without the offset.
  llvm::Value* global_linear_id() {
    llvm::Value* id[3];
    for (unsigned d = 0; d < 3; ++d)
      id[d] = builder_.CreateAdd(zero_based_group_start(d), state_.local_id[d]);
    auto* size_x = launch_word(offsetof(Launch, global_size), 0);
    auto* size_y = launch_word(offsetof(Launch, global_size), 1);
    return linear(id, size_x, size_y);
  }
  llvm::Value* local_linear_id() {
    llvm::Value* id[3] = {state_.local_id[0], state_.local_id[1], state_.local_id[2]};
    auto* size_x = local_size_of(0);
    auto* size_y = local_size_of(1);
    return linear(id, size_x, size_y);
  }
  // Not in OpenCL C: for builtins/generic.cl.
  llvm::Value* memory_bound() {
    return each(
        0,
        [&](unsigned which) {
          return access_.load(access_.worker_of(state_.group),
                              offsetof(abi::Worker, bounds) + 8 * which, builder_.getInt64Ty());
        },
        std::size(abi::Worker{}.bounds));
  }

 private:
  // Where the program's dimension is in the group and the launch.
  unsigned place_of(unsigned dimension) const {
    return swap_dimensions_ && dimension < 2 ? 1 - dimension : dimension;
  }
  llvm::Value* launch_word(std::uint64_t offset, unsigned dimension) {
    return access_.launch_word(access_.launch_of(state_.group), offset, place_of(dimension));
  }
  llvm::Value* local_size_of(unsigned d) {
    return access_.group_word(state_.group, offsetof(Group, local_size), place_of(d));
  }
  llvm::Value* group_id_of(unsigned d) {
    return access_.group_word(state_.group, offsetof(Group, group_id), place_of(d));
  }
  llvm::Value* zero_based_group_start(unsigned d) {
    auto* number = group_id_of(d);
    return builder_.CreateMul(number, launch_word(offsetof(Launch, local_size), d));
  }
  llvm::Value* linear(llvm::Value* const (&id)[3], llvm::Value* size_x, llvm::Value* size_y) {
    auto* row = builder_.CreateAdd(builder_.CreateMul(id[2], size_y), id[1]);
    return builder_.CreateAdd(builder_.CreateMul(row, size_x), id[0]);
  }
  // The value for a dimension that is not constant; `outside` for dimensions above 2. Launch and
  // Group have values for unused dimensions.
  llvm::Value* each(std::uint64_t outside, llvm::function_ref<llvm::Value*(unsigned)> value,
                    unsigned dimensions = 3) {
    if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(dimension_)) {
      const auto number = constant->getZExtValue();
      return number < dimensions ? value(static_cast<unsigned>(number))
                                 : builder_.getInt64(outside);
    }
    llvm::Value* result = builder_.getInt64(outside);
    for (unsigned d = dimensions; d-- > 0;)
      result = builder_.CreateSelect(builder_.CreateICmpEQ(dimension_, builder_.getInt32(d)),
                                     value(d), result);
    return result;
  }

  llvm::IRBuilder<>& builder_;
  AbiBuilder access_;
  WorkItemParams state_;
  llvm::Value* dimension_;
  const bool swap_dimensions_;
};

struct Entry {
  llvm::StringLiteral name;
  llvm::Value* (QueryLowering::*lower)();
};

constexpr Entry kFunctions[] = {
    {"_Z12get_work_dimv", &QueryLowering::work_dim},
    {"_Z15get_global_sizej", &QueryLowering::global_size},
    {"_Z13get_global_idj", &QueryLowering::global_id},
    {"_Z14get_local_sizej", &QueryLowering::local_size},
    {"_Z23get_enqueued_local_sizej", &QueryLowering::enqueued_local_size},
    {"_Z12get_local_idj", &QueryLowering::local_id},
    {"_Z14get_num_groupsj", &QueryLowering::num_groups},
    {"_Z12get_group_idj", &QueryLowering::group_id},
    {"_Z17get_global_offsetj", &QueryLowering::global_offset},
    {"_Z20get_global_linear_idv", &QueryLowering::global_linear_id},
    {"_Z19get_local_linear_idv", &QueryLowering::local_linear_id},
    {"__heddle_memory_bound", &QueryLowering::memory_bound},
};

} // namespace

bool is_work_item_query(llvm::StringRef name) {
  return llvm::any_of(kFunctions, [&](const Entry& entry) { return entry.name == name; });
}

static void lower_work_item_queries(llvm::Module& module, bool swap_dimensions) {
  for (const auto& [name, lower] : kFunctions) {
    auto* function = module.getFunction(name);
    if (function == nullptr)
      continue;
    llvm::SmallVector<llvm::User*, 32> users(function->users());
    for (auto* user : users) {
      auto* call = llvm::dyn_cast<llvm::CallInst>(user);
      if (call == nullptr)
        continue;
      llvm::IRBuilder<> builder(call);
      QueryLowering lowering(builder, work_item_params(*call->getFunction()),
                             call->arg_empty() ? nullptr : call->getArgOperand(0), swap_dimensions);
      call->replaceAllUsesWith((lowering.*lower)());
      call->eraseFromParent();
    }
    if (function->use_empty())
      function->eraseFromParent();
  }
}

llvm::PreservedAnalyses
LowerWorkItemQueriesPass::run(llvm::Module& module,
                              llvm::ModuleAnalysisManager& /*analyses*/) const {
  lower_work_item_queries(module, swap_dimensions_);
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
