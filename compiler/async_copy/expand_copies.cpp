// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/async_copy/expand_copies.h"

#include "compiler/async_copy/specialize_copies.h"
#include "compiler/ir/prefetch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace heddle::compiler {
namespace {

constexpr std::uint64_t kMaxUnrolledBytes = 1024;
// Smaller copies become memcpy. For larger ones code generation would store the parts of a memcpy
// from the last one to the first, which is slower than in ascending order.
constexpr std::uint64_t kMinExpandedBytes = 128;

void replace_by_memcpy(llvm::CallInst& call) {
  llvm::IRBuilder<> builder(&call);
  builder.CreateMemCpy(call.getArgOperand(0), llvm::Align(1), call.getArgOperand(1), llvm::Align(1),
                       call.getArgOperand(2));
  call.eraseFromParent();
}

// Instructions of a specialized strided copy that is inlined; larger ones stay calls.
constexpr unsigned kMaxInlinedInstructions = 80;

constexpr unsigned kLinesPerIteration = 4;
// Copies of up to so many bytes move twice as many lines an iteration: they take 0.91 to 0.95 of
// the time; longer ones would take 1.03 to 1.12.
constexpr std::uint64_t kMaxWideBytes = 4096;

// Moves `lines` lines at `offset`. All are loaded before the first one is stored.
void emit_line_moves(llvm::IRBuilder<>& builder, const llvm::CallInst& copy, llvm::Value* offset,
                     unsigned lines) {
  auto* bytes = builder.getInt8Ty();
  auto* to = builder.CreateInBoundsGEP(bytes, copy.getArgOperand(0), offset);
  auto* from = builder.CreateInBoundsGEP(bytes, copy.getArgOperand(1), offset);
  auto* type = llvm::FixedVectorType::get(builder.getInt64Ty(), kCacheLine / 8);
  llvm::SmallVector<llvm::Value*, 2 * kLinesPerIteration> values;
  for (unsigned line = 0; line < lines; ++line)
    values.push_back(builder.CreateAlignedLoad(
        type, builder.CreateConstInBoundsGEP1_64(bytes, from, line * kCacheLine), llvm::Align(1)));
  for (unsigned line = 0; line < lines; ++line)
    builder.CreateAlignedStore(values[line],
                               builder.CreateConstInBoundsGEP1_64(bytes, to, line * kCacheLine),
                               llvm::Align(1));
}

void align_loop(llvm::Instruction& latch) {
  auto& context = latch.getContext();
  llvm::Metadata* const align[] = {llvm::MDString::get(context, kAlignLoop),
                                   llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(
                                       llvm::Type::getInt32Ty(context), kLoopAlign))};
  auto* loop = llvm::MDNode::getDistinct(context, {nullptr, llvm::MDNode::get(context, align)});
  loop->replaceOperandWith(0, loop);
  latch.setMetadata(llvm::LLVMContext::MD_loop, loop);
}

// Unaligned destinations are no slower than with the call, which aligns them; a loop for them would
// need more registers than there are.
void expand_to_loop(llvm::CallInst& call, std::uint64_t bytes) {
  const auto lines = bytes <= kMaxWideBytes ? 2 * kLinesPerIteration : kLinesPerIteration;
  const auto size = lines * kCacheLine, trip_count = bytes / size, left = bytes % size;
  llvm::IRBuilder<> builder(&call);
  const auto [body, iteration] =
      llvm::SplitBlockAndInsertSimpleForLoop(builder.getInt64(trip_count), call.getIterator());
  builder.SetInsertPoint(body);
  builder.SetCurrentDebugLocation(call.getDebugLoc());
  emit_line_moves(builder, call, builder.CreateNUWMul(iteration, builder.getInt64(size)), lines);
  align_loop(*body->getParent()->getTerminator());
  builder.SetInsertPoint(&call);
  // The remainder, in whole lines: the first one may overlap what the loop moved.
  const auto last = llvm::divideCeil(left, kCacheLine);
  emit_line_moves(builder, call, builder.getInt64(bytes - last * kCacheLine),
                  static_cast<unsigned>(last));
  call.eraseFromParent();
}

void expand_to_moves(llvm::CallInst& call, std::uint64_t bytes) {
  llvm::IRBuilder<> builder(&call);
  std::uint64_t at = 0;
  while (bytes - at >= kCacheLine) {
    const auto lines = std::min<std::uint64_t>(kLinesPerIteration, (bytes - at) / kCacheLine);
    emit_line_moves(builder, call, builder.getInt64(at), static_cast<unsigned>(lines));
    at += lines * kCacheLine;
  }
  if (at != bytes) // overlaps the line before
    emit_line_moves(builder, call, builder.getInt64(bytes - kCacheLine), 1);
  call.eraseFromParent();
}

// Calls `expand` for copies of a constant size of `min` to `max` bytes.
void for_each_copy(llvm::Module& module, std::uint64_t min, std::uint64_t max,
                   llvm::function_ref<void(llvm::CallInst&, std::uint64_t bytes)> expand) {
  auto* function = module.getFunction(kCopyBytes);
  if (function == nullptr)
    return;
  for (auto* user : llvm::make_early_inc_range(function->users())) {
    auto* call = llvm::dyn_cast<llvm::CallInst>(user);
    const auto* bytes =
        call != nullptr ? llvm::dyn_cast<llvm::ConstantInt>(call->getArgOperand(2)) : nullptr;
    if (bytes != nullptr && bytes->getValue().uge(min) && bytes->getValue().ule(max))
      expand(*call, bytes->getZExtValue());
  }
}

void inline_strided_copies(llvm::Module& module) {
  for (auto& function : llvm::make_early_inc_range(module)) {
    if (!function.getName().starts_with(kStridedCopyPrefix) ||
        function.getInstructionCount() > kMaxInlinedInstructions)
      continue;
    for (auto* user : llvm::make_early_inc_range(function.users())) {
      llvm::InlineFunctionInfo info;
      llvm::InlineFunction(*llvm::cast<llvm::CallInst>(user), info);
    }
    function.eraseFromParent();
  }
}

} // namespace

llvm::PreservedAnalyses ExpandSmallCopiesPass::run(llvm::Module& module,
                                                   llvm::ModuleAnalysisManager& /*analyses*/) {
  for_each_copy(module, 0, kMinExpandedBytes - 1,
                [](auto& call, std::uint64_t) { replace_by_memcpy(call); });
  return llvm::PreservedAnalyses::none();
}

llvm::PreservedAnalyses ExpandCopyLoopsPass::run(llvm::Module& module,
                                                 llvm::ModuleAnalysisManager& /*analyses*/) {
  inline_strided_copies(module);
  for_each_copy(module, kMinExpandedBytes, kMaxUnrolledBytes, expand_to_moves);
  for_each_copy(module, kMaxUnrolledBytes + 1, kMaxInlineCopyBytes, expand_to_loop);
  for_each_copy(module, kMaxInlineCopyBytes + 1, ~std::uint64_t{0},
                [](auto& call, std::uint64_t) { replace_by_memcpy(call); });
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
