#include "compiler/passes/specialise_copies.h"

#include "compiler/codegen/target.h"
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

constexpr llvm::StringLiteral kIsKnown = "__heddle_copy_is_known";       // bool (ulong)
constexpr llvm::StringLiteral kHasScatter = "__heddle_copy_has_scatter"; // bool ()
// Of elements of so many bytes at offsets from an address.
constexpr llvm::StringLiteral kGather = "__heddle_copy_gather_";   // values (address, offsets)
constexpr llvm::StringLiteral kScatter = "__heddle_copy_scatter_"; // (address, offsets, values)
constexpr unsigned kMostVersions = 8;                              // of each function
constexpr unsigned kLinesAtATime = 4;
constexpr std::uint64_t kMostLinesAtATime = 32; // if there are no more

using Numbers = llvm::SmallVector<llvm::ConstantInt*, 8>; // of the arguments; null: not known

Numbers known_numbers(const llvm::CallInst& call) {
  Numbers numbers;
  for (const auto& argument : call.args())
    numbers.push_back(llvm::dyn_cast<llvm::ConstantInt>(&argument));
  return numbers;
}

void unroll_inner_loops(llvm::Function& function, unsigned times) {
  auto& context = function.getContext();
  auto* count = llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), times);
  auto* unroll = llvm::MDNode::get(context, {llvm::MDString::get(context, "llvm.loop.unroll.count"),
                                             llvm::ConstantAsMetadata::get(count)});
  const llvm::DominatorTree dominators(function);
  const llvm::LoopInfo loops(dominators);
  for (auto* loop : loops.getLoopsInPreorder())
    if (loop->isInnermost())
      loop->setLoopID(llvm::makePostTransformationMetadata(context, loop->getLoopID(),
                                                           {"llvm.loop.unroll."}, {unroll}));
}

unsigned lines_at_a_time(const llvm::ConstantInt* lines) {
  return lines != nullptr && lines->getValue().ule(kMostLinesAtATime) && !lines->isZero()
             ? static_cast<unsigned>(lines->getZExtValue())
             : kLinesAtATime;
}

llvm::Function& version_for(llvm::Function& function, llvm::ArrayRef<llvm::ConstantInt*> numbers) {
  llvm::ValueToValueMapTy values;
  auto& version = *llvm::CloneFunction(&function, values);
  version.setName("__heddle_copy"); // what is optimised is told by the name
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
    auto& version = version_for(function, numbers);
    if (copy.lines != 0)
      unroll_inner_loops(version, lines_at_a_time(numbers[copy.lines]));
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

} // namespace

void specialise_copies(llvm::Module& module, const llvm::TargetMachine& target) {
  for (const auto& copy : copies())
    if (auto* function = module.getFunction(copy.name))
      specialise(*function, copy);
  replace_calls(module.getFunction(kIsKnown), [](auto& builder, const llvm::CallInst& call) {
    return builder.getInt1(llvm::isa<llvm::ConstantInt>(call.getArgOperand(0)));
  });
  replace_calls(module.getFunction(kHasScatter), [&](auto& builder, const llvm::CallInst&) {
    return builder.getInt1(has_feature(target, "avx512f"));
  });
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

} // namespace heddle::compiler
