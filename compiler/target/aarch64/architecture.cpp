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
// generic CPU with them. So are the first versions with SVE and SVE2: "sve2+bf16".
TargetCpu named_cpu(llvm::StringRef name) {
  auto [version, extensions] = name.split('+');
  std::string features;
  if (version == "sve")
    features = "+v8.2a,+fullfp16,+sve";
  else if (version == "sve2")
    features = "+v9a,+fullfp16,+sve2";
  else if (version.consume_front("armv"))
    features = "+v" + (version.ends_with("-a") ? version.drop_back(2) : version).str() + "a";
  else
    return {name.str(), ""};
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
