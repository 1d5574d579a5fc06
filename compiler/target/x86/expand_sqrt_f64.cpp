// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/target/x86/expand_sqrt_f64.h"

#include "compiler/target/x86/features.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace heddle::compiler {
namespace {

namespace intrinsic = llvm::Intrinsic;
using Parts = llvm::SmallVector<llvm::Value*, 4>;

constexpr unsigned kInRegister = 8;
// Exponents for which every intermediate result is a normal number: 2^-959 to 2^832.
constexpr std::uint64_t kMinBits = 0x0400000000000000, kBitsRange = 0x7000000000000000;

class Root {
 public:
  explicit Root(llvm::IRBuilderBase& builder) : builder_(builder) {}

  llvm::Value* by_divider(llvm::Value* x) {
    return builder_.CreateUnaryIntrinsic(intrinsic::sqrt, x);
  }

  // Goldschmidt iteration: estimates g of the root and h of half its reciprocal improve together
  // until g is within one ulp. x - g^2 is then exact, and the last step would round wrongly only if
  // the root were within 2^-49 ulp of the midpoint of two numbers. Math.SquareRootsNextToTheMiddle
  // tests all such numbers.
  llvm::Value* by_multiplication(llvm::Value* x) {
    auto* estimate = builder_.CreateIntrinsic(
        intrinsic::x86_avx512_rsqrt14_pd_512, {},
        {x, llvm::Constant::getNullValue(x->getType()), builder_.getInt8(0xff)});
    auto* half = llvm::ConstantFP::get(x->getType(), 0.5);
    auto* g = builder_.CreateFMul(x, estimate);
    auto* h = builder_.CreateFMul(estimate, half);
    for (unsigned step = 0; step < 2; ++step) {
      auto* error = fused(builder_.CreateFNeg(h), g, half);
      h = fused(h, error, h);
      g = fused(g, error, g);
    }
    return fused(fused(builder_.CreateFNeg(g), g, x), h, g);
  }

  llvm::Value* is_in_range(llvm::Value* x) {
    auto* bits =
        builder_.CreateBitCast(x, llvm::FixedVectorType::get(builder_.getInt64Ty(), kInRegister));
    auto* above = builder_.CreateSub(bits, llvm::ConstantInt::get(bits->getType(), kMinBits));
    return builder_.CreateICmpULT(above, llvm::ConstantInt::get(bits->getType(), kBitsRange));
  }

 private:
  llvm::Value* fused(llvm::Value* a, llvm::Value* b, llvm::Value* c) {
    return builder_.CreateIntrinsic(intrinsic::fma, {a->getType()}, {a, b, c});
  }

  llvm::IRBuilderBase& builder_;
};

Parts parts_of(llvm::Value* vector, unsigned width, llvm::IRBuilderBase& builder) {
  Parts parts;
  for (unsigned first = 0; first < width; first += kInRegister)
    parts.push_back(
        builder.CreateShuffleVector(vector, llvm::createSequentialMask(first, kInRegister, 0)));
  return parts;
}

void share(llvm::IntrinsicInst& root, unsigned width) {
  llvm::IRBuilder<> builder(&root);
  // Lanes that nobody uses may be poison, which a branch must not depend on.
  auto parts = parts_of(builder.CreateFreeze(root.getArgOperand(0)), width, builder);
  llvm::Value* in_range = nullptr;
  for (unsigned i = 0; i < parts.size(); ++i) {
    if (i % 2 == 0) {
      parts[i] = Root(builder).by_divider(parts[i]);
      continue;
    }
    auto* own = Root(builder).is_in_range(parts[i]);
    in_range = in_range == nullptr ? own : builder.CreateAnd(in_range, own);
  }
  auto* bits = builder.CreateBitCast(in_range, builder.getInt8Ty());
  auto* all = builder.CreateICmpEQ(bits, llvm::Constant::getAllOnesValue(bits->getType()));
  llvm::Instruction *likely = nullptr, *unlikely = nullptr;
  llvm::SplitBlockAndInsertIfThenElse(
      all, &root, &likely, &unlikely,
      llvm::MDBuilder(root.getContext()).createLikelyBranchWeights());
  for (unsigned i = 1; i < parts.size(); i += 2) {
    builder.SetInsertPoint(likely);
    auto* multiplied = Root(builder).by_multiplication(parts[i]);
    builder.SetInsertPoint(unlikely);
    auto* divided = Root(builder).by_divider(parts[i]);
    builder.SetInsertPoint(root.getParent(), root.getParent()->begin());
    auto* either = builder.CreatePHI(divided->getType(), 2);
    either->addIncoming(multiplied, likely->getParent());
    either->addIncoming(divided, unlikely->getParent());
    parts[i] = either;
  }
  builder.SetInsertPoint(&root);
  root.replaceAllUsesWith(llvm::concatenateVectors(builder, parts));
  root.eraseFromParent();
}

} // namespace

static void expand_sqrt_f64(llvm::Module& module, const TargetInfo& target) {
  if (!x86::Features(target).has_avx512)
    return;
  llvm::SmallVector<llvm::IntrinsicInst*, 8> roots;
  for (auto& function : module)
    for (auto& instruction : llvm::instructions(function))
      if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
          call != nullptr && call->getIntrinsicID() == intrinsic::sqrt)
        roots.push_back(call);
  for (auto* root : roots) {
    const auto* type = llvm::dyn_cast<llvm::FixedVectorType>(root->getType());
    if (type != nullptr && type->getElementType()->isDoubleTy() &&
        type->getNumElements() >= 2 * kInRegister && llvm::isPowerOf2_32(type->getNumElements()))
      share(*root, type->getNumElements());
  }
}

llvm::PreservedAnalyses ExpandSqrtF64Pass::run(llvm::Module& module,
                                               llvm::ModuleAnalysisManager& /*analyses*/) {
  expand_sqrt_f64(module, target_);
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
