// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/target/architecture.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetOptions.h"

namespace heddle::compiler::architecture {
namespace {

// Of GCC's constraints: registers by class, immediates, memory.
constexpr llvm::StringLiteral kConstraints[] = {
    "r", "q", "Q", "R", "l", "a", "b", "c", "d", "S", "D", "A", "x", "v", "Yz", "i",
    "n", "I", "J", "K", "L", "M", "N", "O", "e", "Z", "s", "m", "o", "V", "g",  "X",
};

} // namespace

void initialize() {
  LLVMInitializeX86TargetInfo();
  LLVMInitializeX86Target();
  LLVMInitializeX86TargetMC();
  LLVMInitializeX86AsmPrinter();
  LLVMInitializeX86AsmParser();
}

const llvm::Triple& triple() {
  static const llvm::Triple triple("x86_64-unknown-linux-gnu");
  return triple;
}

void set_options(llvm::TargetOptions& options) { options.MCOptions.X86RelaxRelocations = true; }

TargetCpu named_cpu(llvm::StringRef name) { return {name.str(), ""}; }

llvm::StringRef tested_cpu() { return "x86-64-v4"; }

// The hardening alone asks for dominance frontiers, 3 % of code generation.
bool is_useless_pass(llvm::StringRef name) {
  return name == "X86 Load Value Injection (LVI) Load Hardening";
}

// The processors reorder instructions themselves: 197 kernels take the same time, and it is an
// eighth of code generation.
bool schedules_after_allocation() { return false; }

llvm::StringRef name() { return "x86"; }

bool is_constraint(llvm::StringRef code) {
  return llvm::is_contained(kConstraints, code) || code.starts_with("{") ||
         llvm::all_of(code, llvm::isDigit);
}

} // namespace heddle::compiler::architecture
