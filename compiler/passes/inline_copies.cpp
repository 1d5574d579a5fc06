#include "compiler/passes/inline_copies.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

namespace heddle::compiler {
namespace {

constexpr llvm::StringLiteral kCopyBytes = "__heddle_call_once_copy_bytes";
// Longer ones take so long that the call does not count.
constexpr std::uint64_t kLargest = 1024;
// Code generation makes moves of up to eight registers, of 32 bytes or more on CPUs of today.
constexpr std::uint64_t kPiece = 256;

void inline_copy(llvm::CallInst& call, std::uint64_t bytes) {
  llvm::IRBuilder<> builder(&call);
  const auto at = [&](unsigned argument, std::uint64_t offset) {
    auto* pointer = call.getArgOperand(argument);
    return offset == 0 ? pointer
                       : builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), pointer, offset);
  };
  for (std::uint64_t offset = 0; offset < bytes; offset += kPiece)
    builder.CreateMemCpy(at(0, offset), llvm::Align(1), at(1, offset), llvm::Align(1),
                         std::min(kPiece, bytes - offset));
  call.eraseFromParent();
}

} // namespace

void inline_small_copies(llvm::Module& module) {
  auto* function = module.getFunction(kCopyBytes);
  if (function == nullptr)
    return;
  for (auto* user : llvm::make_early_inc_range(function->users())) {
    auto* call = llvm::dyn_cast<llvm::CallInst>(user);
    const auto* bytes =
        call != nullptr ? llvm::dyn_cast<llvm::ConstantInt>(call->getArgOperand(2)) : nullptr;
    if (bytes != nullptr && bytes->getZExtValue() <= kLargest)
      inline_copy(*call, bytes->getZExtValue());
  }
}

} // namespace heddle::compiler
