// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cases of the ternary logic pass that source code does not produce: the order of blocks, and long
// chains.
#include "compiler/target/x86/match_ternary_logic.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"

#include <gtest/gtest.h>

namespace heddle::compiler {
namespace {

// The number of instructions after the pass.
long count_after(const std::string& text) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic failure;
  const auto module = llvm::parseAssemblyString(text, failure, context);
  EXPECT_TRUE(module) << failure.getMessage().str();
  if (!module)
    return -1;
  auto& function = *module->begin();
  llvm::FunctionAnalysisManager analyses;
  MatchTernaryLogicPass::run(function, analyses);
  EXPECT_FALSE(llvm::verifyModule(*module, &llvm::errs()));
  return llvm::count_if(llvm::instructions(function), [](const llvm::Instruction& instruction) {
    const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    return call != nullptr && call->getIntrinsicID() == llvm::Intrinsic::x86_avx512_pternlog_d_512;
  });
}

// The second block uses values of the one after it in the list, and is used by the last.
TEST(TernaryLogic, BlocksInAnyOrder) {
  EXPECT_EQ(count_after(R"(
    define <16 x i32> @f(<16 x i32> %a, <16 x i32> %b, <16 x i32> %c, <16 x i32> %d) {
    entry:
      br label %first
    second:
      %x = and <16 x i32> %most, %a
      %y = or <16 x i32> %x, %d
      %z = xor <16 x i32> %y, %most
      %r = and <16 x i32> %z, %a
      br label %third
    first:
      %both = and <16 x i32> %a, %b
      %any = or <16 x i32> %a, %b
      %some = and <16 x i32> %c, %any
      %most = or <16 x i32> %both, %some
      br label %second
    third:
      %s = and <16 x i32> %r, %b
      %t = add <16 x i32> %s, %r
      ret <16 x i32> %t
    })"),
            2);
}

TEST(TernaryLogic, LongChains) {
  std::string text = "define <16 x i32> @f(<16 x i32> %a, <16 x i32> %v0) {\n";
  constexpr int kLength = 100'000;
  for (int i = 0; i != kLength; ++i)
    text += "%v" + std::to_string(i + 1) + (i % 2 == 0 ? " = and" : " = xor") + " <16 x i32> %v" +
            std::to_string(i) + ", %a\n";
  EXPECT_GT(count_after(text + "ret <16 x i32> %v" + std::to_string(kLength) + "\n}"), 0);
}

// The truth table of such a value has two paths at each of 200 instructions.
TEST(TernaryLogic, ManyWays) {
  std::string text = "define <16 x i32> @f(<16 x i32> %a, <16 x i32> %v0) {\n";
  for (int i = 0; i != 200; ++i) {
    const auto v = "%v" + std::to_string(i), w = "%w" + std::to_string(i);
    text += w + " = and <16 x i32> " + v + ", %a\n%v" + std::to_string(i + 1) +
            " = xor <16 x i32> " + v + ", " + w + "\n";
  }
  EXPECT_GT(count_after(text + "ret <16 x i32> %v200\n}"), 0);
}

} // namespace
} // namespace heddle::compiler
