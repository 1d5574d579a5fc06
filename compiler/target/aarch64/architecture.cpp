// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/target/architecture.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetOptions.h"

namespace heddle::compiler::architecture {
namespace {

// Of GCC's constraints: registers by class, immediates, memory.
constexpr llvm::StringLiteral kConstraints[] = {"r", "w",   "x", "y", "z", "i", "n", "I",
                                                "J", "K",   "L", "M", "N", "S", "Y", "Z",
                                                "Q", "Ush", "s", "m", "o", "V", "g", "X"};

} // namespace

void initialize() {
  LLVMInitializeAArch64TargetInfo();
  LLVMInitializeAArch64Target();
  LLVMInitializeAArch64TargetMC();
  LLVMInitializeAArch64AsmPrinter();
  LLVMInitializeAArch64AsmParser();
}

const llvm::Triple& triple() {
  static const llvm::Triple triple("aarch64-unknown-linux-gnu");
  return triple;
}

void set_options(llvm::TargetOptions& /*options*/) {}

// LLVM has CPUs, and versions of the architecture as features: "armv8.2-a+fp16+dotprod" is a
// generic CPU with them. So are the first versions with SVE and SVE2.
TargetCpu named_cpu(llvm::StringRef name) {
  if (name == "sve")
    return {"generic", "+v8.2a,+fullfp16,+sve"};
  if (name == "sve2")
    return {"generic", "+v9a,+fullfp16,+sve2"};
  if (!name.starts_with("armv"))
    return {name.str(), ""};
  auto [version, extensions] = name.drop_front(3).split('+');
  version.consume_back("-a");
  std::string features = "+" + version.str() + "a";
  for (const auto extension : llvm::split(extensions, '+'))
    if (!extension.empty())
      features += ",+" + (extension == "fp16" ? "fullfp16" : extension.str());
  return {"generic", features};
}

llvm::StringRef tested_cpu() { return "armv8-a"; }

bool is_useless_pass(llvm::StringRef /*name*/) { return false; }

bool schedules_after_allocation() { return true; } // some processors run in order

llvm::StringRef name() { return "aarch64"; }

bool is_constraint(llvm::StringRef code) {
  return llvm::is_contained(kConstraints, code) || code.starts_with("{") ||
         llvm::all_of(code, llvm::isDigit);
}

} // namespace heddle::compiler::architecture
