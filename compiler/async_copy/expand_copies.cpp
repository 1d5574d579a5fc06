#include "compiler/async_copy/expand_copies.h"

#include "compiler/async_copy/insert_copy_prefetch.h"
#include "compiler/async_copy/specialize_copies.h"
#include "compiler/ir/prefetch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace heddle::compiler {
namespace {

constexpr std::uint64_t kLargestWithoutLoop = 1024;
// From here on lines are moved: code generation stores the parts of a memcpy from its end on, and
// processors are faster in the order of addresses.
constexpr std::uint64_t kLeastInLines = 128;

// Whether the copy asks for what a later one reads.
bool asks_ahead(const llvm::CallInst& copy) {
  return copy.arg_size() > 3 && !llvm::isa<llvm::ConstantPointerNull>(copy.getArgOperand(3));
}

// Up to so many bytes a copy asks for all of the next one's source; the two, and what is written,
// fit into the first-level cache. Others ask for what they need themselves so many bytes later, and
// at their end for as many of the next one's.
constexpr std::uint64_t kMostWhole = 8192, kAhead = 2048;

llvm::Value* asked_for(llvm::IRBuilder<>& builder, const llvm::CallInst& copy,
                       llvm::Value* offset) {
  auto* byte = builder.getInt8Ty();
  auto* next = copy.getArgOperand(3);
  auto* bytes = copy.getArgOperand(2);
  const auto* known = llvm::dyn_cast<llvm::ConstantInt>(bytes);
  if (known == nullptr || known->getValue().ule(kMostWhole))
    return builder.CreateGEP(byte, next, offset);
  auto* ahead = builder.CreateNUWAdd(offset, builder.getInt64(kAhead));
  auto* now = builder.CreateAddrSpaceCast(copy.getArgOperand(1), next->getType());
  auto* behind = builder.CreateGEP(byte, next, builder.CreateNeg(bytes));
  auto* base = builder.CreateSelect(builder.CreateICmpULT(ahead, bytes), now, behind);
  return builder.CreateGEP(byte, base, ahead);
}

// Of that, `lines` lines for those from `offset` on.
void fetch(llvm::IRBuilder<>& builder, const llvm::CallInst& copy, llvm::Value* offset,
           std::uint64_t lines) {
  if (!asks_ahead(copy))
    return;
  auto* bytes = builder.getInt8Ty();
  auto* from = asked_for(builder, copy, offset);
  for (std::uint64_t line = 0; line < lines; ++line)
    prefetch(builder, builder.CreateConstGEP1_64(bytes, from, line * kCacheLine),
             Prefetch::to_read);
}

void make_memcpy(llvm::CallInst& call) {
  llvm::IRBuilder<> builder(&call);
  builder.CreateMemCpy(call.getArgOperand(0), llvm::Align(1), call.getArgOperand(1), llvm::Align(1),
                       call.getArgOperand(2));
  call.eraseFromParent();
}

// Of versions of strided copies, in instructions: kernels call what is larger.
constexpr unsigned kLargestVersion = 80;

constexpr unsigned kLinesAtATime = 4;
// With twice as many, copies of a few KiB take 0.91 to 0.95 of the time, longer ones 1.03 to 1.12.
constexpr std::uint64_t kMostInLongTurns = 4096;

// Lines from `offset` on: all are loaded before the first is stored.
void move_lines(llvm::IRBuilder<>& builder, const llvm::CallInst& copy, llvm::Value* offset,
                unsigned lines) {
  auto* bytes = builder.getInt8Ty();
  auto* to = builder.CreateInBoundsGEP(bytes, copy.getArgOperand(0), offset);
  auto* from = builder.CreateInBoundsGEP(bytes, copy.getArgOperand(1), offset);
  auto* type = llvm::FixedVectorType::get(builder.getInt64Ty(), kCacheLine / 8);
  llvm::SmallVector<llvm::Value*, 2 * kLinesAtATime> values;
  for (unsigned line = 0; line < lines; ++line)
    values.push_back(builder.CreateAlignedLoad(
        type, builder.CreateConstInBoundsGEP1_64(bytes, from, line * kCacheLine), llvm::Align(1)));
  fetch(builder, copy, offset, lines);
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

// Destinations that are not aligned are no slower than with the call, which aligns them: a loop for
// each would need more registers than there are.
void inline_loop(llvm::CallInst& call, std::uint64_t bytes) {
  const auto lines = bytes <= kMostInLongTurns ? 2 * kLinesAtATime : kLinesAtATime;
  const auto size = lines * kCacheLine, turns = bytes / size, left = bytes % size;
  llvm::IRBuilder<> builder(&call);
  const auto [body, turn] =
      llvm::SplitBlockAndInsertSimpleForLoop(builder.getInt64(turns), call.getIterator());
  builder.SetInsertPoint(body);
  builder.SetCurrentDebugLocation(call.getDebugLoc());
  move_lines(builder, call, builder.CreateNUWMul(turn, builder.getInt64(size)), lines);
  align_loop(*body->getParent()->getTerminator());
  builder.SetInsertPoint(&call);
  // The first of them may be moved in part again.
  const auto last = llvm::divideCeil(left, kCacheLine);
  move_lines(builder, call, builder.getInt64(bytes - last * kCacheLine),
             static_cast<unsigned>(last));
  call.eraseFromParent();
}

// The pointer in a register of its own. Code generation counts it from the copy's source and moves
// that on before the copy's stores: the next round's loads come in between, and it takes 5 %
// longer.
llvm::Value* apart(llvm::IRBuilder<>& builder, llvm::Value& pointer) {
  auto* type = llvm::FunctionType::get(pointer.getType(), {pointer.getType()}, false);
  return builder.CreateCall(llvm::InlineAsm::get(type, "", "=r,0", false), {&pointer});
}

void inline_lines(llvm::CallInst& call, std::uint64_t bytes) {
  llvm::IRBuilder<> builder(&call);
  if (asks_ahead(call))
    call.setArgOperand(3, apart(builder, *call.getArgOperand(3)));
  std::uint64_t at = 0;
  while (bytes - at >= kCacheLine) {
    const auto lines = std::min<std::uint64_t>(kLinesAtATime, (bytes - at) / kCacheLine);
    move_lines(builder, call, builder.getInt64(at), static_cast<unsigned>(lines));
    at += lines * kCacheLine;
  }
  if (at != bytes) // a part of it again
    move_lines(builder, call, builder.getInt64(bytes - kCacheLine), 1);
  call.eraseFromParent();
}

// `inlines` is handed the calls with a number of bytes that is known and in these limits.
void each_known(llvm::Module& module, std::uint64_t least, std::uint64_t most,
                llvm::function_ref<void(llvm::CallInst&, std::uint64_t bytes)> inlines,
                llvm::ArrayRef<llvm::StringLiteral> names = {kCopyBytes, kCopyAndFetch}) {
  for (const auto name : names) {
    auto* function = module.getFunction(name);
    if (function == nullptr)
      continue;
    for (auto* user : llvm::make_early_inc_range(function->users())) {
      auto* call = llvm::dyn_cast<llvm::CallInst>(user);
      const auto* bytes =
          call != nullptr ? llvm::dyn_cast<llvm::ConstantInt>(call->getArgOperand(2)) : nullptr;
      if (bytes != nullptr && bytes->getValue().uge(least) && bytes->getValue().ule(most))
        inlines(*call, bytes->getZExtValue());
    }
  }
}

// Two calls at the ends of a branch may have become one, of a number of bytes that the branch
// decides.
void copy_what_is_left(llvm::Module& module) {
  auto* function = module.getFunction(kCopyAndFetch);
  if (function == nullptr)
    return;
  for (auto* user : llvm::make_early_inc_range(function->users()))
    make_memcpy(*llvm::cast<llvm::CallInst>(user));
  function->eraseFromParent();
}

void inline_versions(llvm::Module& module) {
  for (auto& function : llvm::make_early_inc_range(module)) {
    if (!function.getName().starts_with(kCopyOfElements) ||
        function.getInstructionCount() > kLargestVersion)
      continue;
    for (auto* user : llvm::make_early_inc_range(function.users())) {
      llvm::InlineFunctionInfo info;
      llvm::InlineFunction(*llvm::cast<llvm::CallInst>(user), info);
    }
    function.eraseFromParent();
  }
}

} // namespace

static void expand_small_copies(llvm::Module& module) {
  each_known(module, 0, kLeastInLines - 1, [](auto& call, std::uint64_t) { make_memcpy(call); });
}

static void expand_copy_loops(llvm::Module& module) {
  inline_versions(module);
  each_known(module, kLeastInLines, kLargestWithoutLoop, inline_lines);
  each_known(module, kLargestWithoutLoop + 1, kMaxInlineCopyBytes, inline_loop);
  each_known(module, kMaxInlineCopyBytes + 1, kMaxPrefetchCopyBytes, inline_loop, {kCopyAndFetch});
  each_known(module, kMaxInlineCopyBytes + 1, ~std::uint64_t{0},
             [](auto& call, std::uint64_t) { make_memcpy(call); });
  copy_what_is_left(module);
}

llvm::PreservedAnalyses ExpandSmallCopiesPass::run(llvm::Module& module,
                                                   llvm::ModuleAnalysisManager& /*analyses*/) {
  expand_small_copies(module);
  return llvm::PreservedAnalyses::none();
}

llvm::PreservedAnalyses ExpandCopyLoopsPass::run(llvm::Module& module,
                                                 llvm::ModuleAnalysisManager& /*analyses*/) {
  expand_copy_loops(module);
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
