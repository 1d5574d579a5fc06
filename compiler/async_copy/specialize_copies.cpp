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
  llvm::SmallVector<unsigned, 2> decisive; // what must be known, by argument
  unsigned lines = 0; // which argument is their number, if it is a copy of lines
};

llvm::ArrayRef<Copy> copies() {
  static const Copy all[] = {
      {"__heddle_call_once_copy_lines", {2}, 3}, // of so many bytes
      {"__heddle_call_once_copy_planes", {2}, 3},
      {"__heddle_call_once_copy_strided_1", {3, 4}}, // from one to the next, there and here
      {"__heddle_call_once_copy_strided_2", {3, 4}},
      {"__heddle_call_once_copy_strided_4", {3, 4}},
      {"__heddle_call_once_copy_strided_8", {3, 4}},
      {"__heddle_call_once_copy_strided_16", {3, 4}},
  };
  return all;
}

constexpr llvm::StringLiteral kIsKnown = "__heddle_copy_is_known";   // bool (ulong)
constexpr llvm::StringLiteral kHasMasks = "__heddle_copy_has_masks"; // bool ()
// Of elements of so many bytes at offsets from an address.
constexpr llvm::StringLiteral kGather = "__heddle_copy_gather_";   // values (address, offsets)
constexpr llvm::StringLiteral kScatter = "__heddle_copy_scatter_"; // (address, offsets, values)
// Elements of so many bytes that lie, or go, a step apart (elements_apart.h).
constexpr llvm::StringLiteral kCollects = "__heddle_copy_collects_"; // bool (step)
constexpr llvm::StringLiteral kCollect = "__heddle_copy_collect_";   // values (address, step)
constexpr llvm::StringLiteral kSpreads = "__heddle_copy_spreads_";   // bool (step)
constexpr llvm::StringLiteral kSpread = "__heddle_copy_spread_";     // (address, step, values)
// What is loaded is asked for ahead of that.
constexpr llvm::StringLiteral kAhead = "__heddle_copy_ahead"; // bytes (size, step, count)
constexpr llvm::StringLiteral kFetch = "__heddle_copy_fetch"; // (from, ahead, step, elements)
constexpr unsigned kMostVersions = 8;                         // of each function
constexpr unsigned kLinesAtATime = 4;
constexpr std::uint64_t kMostLinesAtATime = 32; // if there are no more

using Numbers = llvm::SmallVector<llvm::ConstantInt*, 8>; // of the arguments; null: not known

Numbers known_numbers(const llvm::CallInst& call) {
  Numbers numbers;
  for (const auto& argument : call.args())
    numbers.push_back(llvm::dyn_cast<llvm::ConstantInt>(&argument));
  return numbers;
}

// Tells code generation a number about the innermost loops, in place of what metadata whose names
// begin with `instead` say.
void mark_inner_loops(llvm::Function& function, llvm::StringRef name, unsigned number,
                      llvm::StringRef instead) {
  auto& context = function.getContext();
  auto* value = llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), number);
  auto* mark = llvm::MDNode::get(
      context, {llvm::MDString::get(context, name), llvm::ConstantAsMetadata::get(value)});
  const llvm::DominatorTree dominators(function);
  const llvm::LoopInfo loops(dominators);
  for (auto* loop : loops.getLoopsInPreorder())
    if (loop->isInnermost())
      loop->setLoopID(
          llvm::makePostTransformationMetadata(context, loop->getLoopID(), {instead}, {mark}));
}

unsigned lines_at_a_time(const llvm::ConstantInt* lines) {
  return lines != nullptr && lines->getValue().ule(kMostLinesAtATime) && !lines->isZero()
             ? static_cast<unsigned>(lines->getZExtValue())
             : kLinesAtATime;
}

llvm::Function& version_for(llvm::Function& function, const Copy& copy,
                            llvm::ArrayRef<llvm::ConstantInt*> numbers) {
  llvm::ValueToValueMapTy values;
  auto& version = *llvm::CloneFunction(&function, values);
  // What is optimised, and what becomes a part of kernels, is told by the name.
  version.setName(copy.lines != 0 ? "__heddle_copy" : kCopyOfElements);
  for (unsigned i = 0; i < numbers.size(); ++i)
    if (numbers[i] != nullptr)
      version.getArg(i)->replaceAllUsesWith(numbers[i]);
  return version;
}

void specialise(llvm::Function& function, const Copy& copy) {
  llvm::MapVector<Numbers, llvm::SmallVector<llvm::CallInst*, 2>, std::map<Numbers, unsigned>>
      calls;
  for (auto* user : function.users())
    if (auto* call = llvm::dyn_cast<llvm::CallInst>(user))
      if (const auto numbers = known_numbers(*call);
          llvm::all_of(copy.decisive, [&](unsigned i) { return numbers[i] != nullptr; }))
        calls[numbers].push_back(call);
  if (calls.size() > kMostVersions)
    return;
  for (const auto& [numbers, sites] : calls) {
    auto& version = version_for(function, copy, numbers);
    if (copy.lines != 0)
      mark_inner_loops(version, "llvm.loop.unroll.count", lines_at_a_time(numbers[copy.lines]),
                       "llvm.loop.unroll.");
    else
      mark_inner_loops(version, kAlignLoop, kLoopAlign, kAlignLoop);
    for (auto* call : sites)
      call->setCalledFunction(&version);
  }
}

// The call's place takes what `make` gives for it.
template <class Make>
void replace_calls(llvm::Function* function, Make make) {
  if (function == nullptr)
    return;
  for (auto* user : llvm::make_early_inc_range(function->users())) {
    auto* call = llvm::cast<llvm::CallInst>(user);
    llvm::IRBuilder<> builder(call);
    if (auto* value = make(builder, *call); !call->getType()->isVoidTy())
      call->replaceAllUsesWith(value);
    call->eraseFromParent();
  }
  function->eraseFromParent();
}

llvm::Value* addresses(llvm::IRBuilder<>& builder, const llvm::CallInst& call) {
  return builder.CreateGEP(builder.getInt8Ty(), call.getArgOperand(0), call.getArgOperand(1));
}

// Known numbers of a call, if all from the argument on are.
std::optional<llvm::SmallVector<std::uint64_t, 3>> numbers_of(const llvm::CallInst& call,
                                                              unsigned first) {
  llvm::SmallVector<std::uint64_t, 3> numbers;
  for (unsigned i = first; i < call.arg_size(); ++i) {
    const auto* number = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(i));
    if (number == nullptr)
      return std::nullopt;
    numbers.push_back(number->getZExtValue());
  }
  return numbers;
}

// What processors ask for by themselves comes late from memory, and from the second-level cache if
// another thread shares it. Where elements lie close they are shuffled rather than waited for; and
// of small copies most that is asked for would be another's.
std::uint64_t bytes_ahead(const llvm::CallInst& call) {
  constexpr std::uint64_t kLines = 32, kLeastPart = 8;
  const auto numbers = numbers_of(call, 0);
  if (!numbers)
    return 0;
  const auto size = (*numbers)[0], step = (*numbers)[1], count = (*numbers)[2];
  const auto ahead = kLines * std::max(step, kCacheLine);
  return step >= 4 * size && count >= ahead / step * kLeastPart ? ahead : 0;
}

llvm::Value* fetch(llvm::IRBuilder<>& builder, const llvm::CallInst& call) {
  const auto numbers = numbers_of(call, 1);
  if (!numbers || (*numbers)[0] == 0)
    return nullptr;
  const auto ahead = (*numbers)[0], step = (*numbers)[1], elements = (*numbers)[2];
  for (std::uint64_t at = 0; at < elements * step; at += std::max(step, kCacheLine))
    prefetch(builder,
             builder.CreateConstGEP1_64(builder.getInt8Ty(), call.getArgOperand(0), ahead + at),
             Prefetch::to_read);
  return nullptr;
}

} // namespace

static void specialize_copies(llvm::Module& module, const TargetInfo& target) {
  for (const auto& copy : copies())
    if (auto* function = module.getFunction(copy.name))
      specialise(*function, copy);
  replace_calls(module.getFunction(kIsKnown), [](auto& builder, const llvm::CallInst& call) {
    return builder.getInt1(llvm::isa<llvm::ConstantInt>(call.getArgOperand(0)));
  });
  replace_calls(module.getFunction(kHasMasks), [&](auto& builder, const llvm::CallInst&) {
    return builder.getInt1(target.has_avx512);
  });
  replace_calls(module.getFunction(kAhead), [](auto& builder, const llvm::CallInst& call) {
    return builder.getInt64(bytes_ahead(call));
  });
  replace_calls(module.getFunction(kFetch), fetch);
  for (const unsigned size : {1, 2, 4, 8}) {
    const auto replace = [&](llvm::StringRef name, auto make) {
      replace_calls(module.getFunction((name + llvm::Twine(size)).str()),
                    [&](auto& builder, const llvm::CallInst& call) -> llvm::Value* {
                      return make(builder, call, size);
                    });
    };
    if (size <= 2) {
      replace(kCollects, [&](auto& builder, const llvm::CallInst& call, unsigned) {
        return builder.getInt1(collects(target, size, call.getArgOperand(0)));
      });
      replace(kCollect, collect);
    }
    replace(kSpreads, [&](auto& builder, const llvm::CallInst& call, unsigned) {
      return builder.getInt1(spreads(target, size, call.getArgOperand(0)));
    });
    replace(kSpread, spread);
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
}

llvm::PreservedAnalyses SpecializeCopiesPass::run(llvm::Module& module,
                                                  llvm::ModuleAnalysisManager& /*analyses*/) {
  specialize_copies(module, target_);
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
