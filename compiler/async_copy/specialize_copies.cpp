// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/async_copy/specialize_copies.h"

#include "compiler/async_copy/strided_copy_kernels.h"
#include "compiler/ir/prefetch.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

#include <map>

namespace heddle::compiler {
namespace {

struct Copy {
  llvm::StringLiteral name;
  llvm::SmallVector<unsigned, 2> required; // indices of the arguments that must be constant
  unsigned lines = 0;                      // of copies of lines: index of their number
};

llvm::ArrayRef<Copy> copies() {
  static const Copy all[] = {
      {"__heddle_call_once_copy_lines", {2}, 3}, // size
      {"__heddle_call_once_copy_planes", {2}, 3},
      {"__heddle_call_once_copy_strided_1", {3, 4}}, // strides of destination and source
      {"__heddle_call_once_copy_strided_2", {3, 4}},
      {"__heddle_call_once_copy_strided_4", {3, 4}},
      {"__heddle_call_once_copy_strided_8", {3, 4}},
      {"__heddle_call_once_copy_strided_16", {3, 4}},
  };
  return all;
}

constexpr llvm::StringLiteral kIsConstant = "__heddle_copy_is_known"; // bool (ulong)
constexpr llvm::StringLiteral kHasMasks = "__heddle_copy_has_masks";  // bool ()
// SIZE follows: gathers and scatters of elements of so many bytes at offsets from an address.
constexpr llvm::StringLiteral kGather = "__heddle_copy_gather_";   // values (address, offsets)
constexpr llvm::StringLiteral kScatter = "__heddle_copy_scatter_"; // (address, offsets, values)
// SIZE follows: strided loads and stores (strided_copy_kernels.h).
constexpr llvm::StringLiteral kCanLoadStrided = "__heddle_copy_collects_"; // bool (stride)
constexpr llvm::StringLiteral kLoadStrided = "__heddle_copy_collect_"; // values (address, stride)
constexpr llvm::StringLiteral kCanStoreStrided = "__heddle_copy_spreads_"; // bool (stride)
constexpr llvm::StringLiteral kStoreStrided = "__heddle_copy_spread_"; // (address, stride, values)
// Prefetching of the source.
constexpr llvm::StringLiteral kPrefetchDistance =
    "__heddle_copy_ahead"; // bytes (size, stride, count)
constexpr llvm::StringLiteral kPrefetch =
    "__heddle_copy_fetch"; // (from, distance, stride, elements)

constexpr unsigned kMaxSpecializations = 8;     // of each function
constexpr unsigned kUnrollCount = 4;            // of the loop over lines
constexpr std::uint64_t kMaxUnrolledLines = 32; // so few lines are unrolled completely

// The constant arguments of a call; null: the argument is not constant.
using Constants = llvm::SmallVector<llvm::ConstantInt*, 8>;

Constants constants_of(const llvm::CallInst& call) {
  Constants constants;
  for (const auto& argument : call.args())
    constants.push_back(llvm::dyn_cast<llvm::ConstantInt>(&argument));
  return constants;
}

// Adds the loop metadata `name` with a number to the innermost loops, and removes metadata whose
// names begin with `replaced`.
void annotate_inner_loops(llvm::Function& function, llvm::StringRef name, unsigned number,
                          llvm::StringRef replaced) {
  auto& context = function.getContext();
  auto* value = llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), number);
  auto* metadata = llvm::MDNode::get(
      context, {llvm::MDString::get(context, name), llvm::ConstantAsMetadata::get(value)});
  const llvm::DominatorTree dominators(function);
  const llvm::LoopInfo loops(dominators);
  for (auto* loop : loops.getLoopsInPreorder())
    if (loop->isInnermost())
      loop->setLoopID(
          llvm::makePostTransformationMetadata(context, loop->getLoopID(), {replaced}, {metadata}));
}

unsigned unroll_count(const llvm::ConstantInt* lines) {
  return lines != nullptr && lines->getValue().ule(kMaxUnrolledLines) && !lines->isZero()
             ? static_cast<unsigned>(lines->getZExtValue())
             : kUnrollCount;
}

llvm::Function& clone_for(llvm::Function& function, const Copy& copy,
                          llvm::ArrayRef<llvm::ConstantInt*> constants) {
  llvm::ValueToValueMapTy values;
  auto& clone = *llvm::CloneFunction(&function, values);
  // Names select what later passes optimize and inline.
  clone.setName(copy.lines != 0 ? "__heddle_copy" : kStridedCopyPrefix);
  for (unsigned i = 0; i < constants.size(); ++i)
    if (constants[i] != nullptr)
      clone.getArg(i)->replaceAllUsesWith(constants[i]);
  return clone;
}

void specialize(llvm::Function& function, const Copy& copy) {
  llvm::MapVector<Constants, llvm::SmallVector<llvm::CallInst*, 2>, std::map<Constants, unsigned>>
      calls;
  for (auto* user : function.users())
    if (auto* call = llvm::dyn_cast<llvm::CallInst>(user))
      if (const auto constants = constants_of(*call);
          llvm::all_of(copy.required, [&](unsigned i) { return constants[i] != nullptr; }))
        calls[constants].push_back(call);
  if (calls.size() > kMaxSpecializations)
    return;
  for (const auto& [constants, sites] : calls) {
    auto& clone = clone_for(function, copy, constants);
    if (copy.lines != 0)
      annotate_inner_loops(clone, "llvm.loop.unroll.count", unroll_count(constants[copy.lines]),
                           "llvm.loop.unroll.");
    else
      annotate_inner_loops(clone, kAlignLoop, kLoopAlign, kAlignLoop);
    for (auto* call : sites)
      call->setCalledFunction(&clone);
  }
}

// Replaces the calls of the function by what `expand` emits.
template <class Expand>
void replace_calls(llvm::Function* function, Expand expand) {
  if (function == nullptr)
    return;
  for (auto* user : llvm::make_early_inc_range(function->users())) {
    auto* call = llvm::cast<llvm::CallInst>(user);
    llvm::IRBuilder<> builder(call);
    if (auto* value = expand(builder, *call); !call->getType()->isVoidTy())
      call->replaceAllUsesWith(value);
    call->eraseFromParent();
  }
  function->eraseFromParent();
}

llvm::Value* addresses(llvm::IRBuilder<>& builder, const llvm::CallInst& call) {
  return builder.CreateGEP(builder.getInt8Ty(), call.getArgOperand(0), call.getArgOperand(1));
}

// The arguments from `first` on; nothing unless all are constant.
std::optional<llvm::SmallVector<std::uint64_t, 3>> constants_from(const llvm::CallInst& call,
                                                                  unsigned first) {
  llvm::SmallVector<std::uint64_t, 3> constants;
  for (unsigned i = first; i < call.arg_size(); ++i) {
    const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(i));
    if (constant == nullptr)
      return std::nullopt;
    constants.push_back(constant->getZExtValue());
  }
  return constants;
}

// Hardware prefetchers are late for memory, and for a second-level cache that another thread
// shares. With small strides, shuffles take longer than the loads; in small copies most prefetches
// would be past the end. 0: no prefetching.
std::uint64_t prefetch_distance(const llvm::CallInst& call) {
  constexpr std::uint64_t kLines = 32, kMinCopies = 8; // times the distance
  const auto constants = constants_from(call, 0);
  if (!constants)
    return 0;
  const auto size = (*constants)[0], stride = (*constants)[1], count = (*constants)[2];
  const auto distance = kLines * std::max(stride, kCacheLine);
  return stride >= 4 * size && count >= distance / stride * kMinCopies ? distance : 0;
}

llvm::Value* emit_prefetch_call(llvm::IRBuilder<>& builder, const llvm::CallInst& call) {
  const auto constants = constants_from(call, 1);
  if (!constants || (*constants)[0] == 0)
    return nullptr;
  const auto distance = (*constants)[0], stride = (*constants)[1], elements = (*constants)[2];
  for (std::uint64_t at = 0; at < elements * stride; at += std::max(stride, kCacheLine))
    prefetch(builder,
             builder.CreateConstGEP1_64(builder.getInt8Ty(), call.getArgOperand(0), distance + at),
             Prefetch::to_read);
  return nullptr;
}

} // namespace

llvm::PreservedAnalyses SpecializeCopiesPass::run(llvm::Module& module,
                                                  llvm::ModuleAnalysisManager& /*analyses*/) {
  for (const auto& copy : copies())
    if (auto* function = module.getFunction(copy.name))
      specialize(*function, copy);
  replace_calls(module.getFunction(kIsConstant), [](auto& builder, const llvm::CallInst& call) {
    return builder.getInt1(llvm::isa<llvm::ConstantInt>(call.getArgOperand(0)));
  });
  replace_calls(module.getFunction(kHasMasks), [&](auto& builder, const llvm::CallInst&) {
    return builder.getInt1(target_.has_mask_registers);
  });
  replace_calls(module.getFunction(kPrefetchDistance),
                [](auto& builder, const llvm::CallInst& call) {
                  return builder.getInt64(prefetch_distance(call));
                });
  replace_calls(module.getFunction(kPrefetch), emit_prefetch_call);
  for (const unsigned size : {1, 2, 4, 8}) {
    const auto replace = [&](llvm::StringRef name, auto expand) {
      replace_calls(module.getFunction((name + llvm::Twine(size)).str()),
                    [&](auto& builder, const llvm::CallInst& call) -> llvm::Value* {
                      return expand(builder, call, size);
                    });
    };
    if (size <= 2) {
      replace(kCanLoadStrided, [&](auto& builder, const llvm::CallInst& call, unsigned) {
        return builder.getInt1(can_load_by_blends(target_, size, call.getArgOperand(0)));
      });
      replace(kLoadStrided, emit_load_by_blends);
    }
    replace(kCanStoreStrided, [&](auto& builder, const llvm::CallInst& call, unsigned) {
      return builder.getInt1(can_store_by_shuffles(target_, size, call.getArgOperand(0)));
    });
    replace(kStoreStrided, emit_store_by_shuffles);
  }
  for (const auto* const bytes : {"4", "8"}) {
    replace_calls(module.getFunction((kGather + bytes).str()), [](auto& builder,
                                                                  const llvm::CallInst& call) {
      return builder.CreateMaskedGather(call.getType(), addresses(builder, call), llvm::Align(1));
    });
    replace_calls(module.getFunction((kScatter + bytes).str()),
                  [](auto& builder, const llvm::CallInst& call) {
                    return builder.CreateMaskedScatter(call.getArgOperand(2),
                                                       addresses(builder, call), llvm::Align(1));
                  });
  }
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
