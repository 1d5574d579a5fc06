// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CPU that kernels are compiled for.
#pragma once

#include "compiler/target/architecture.h"
#include "llvm/Target/TargetMachine.h"

#include <memory>
#include <string>

namespace heddle::compiler {

// `cpu` is "native" for this machine, or a CPU name or level of LLVM, either perhaps with costs
// (compiler/interface/cpu_costs.h).
TargetCpu find_cpu(llvm::StringRef cpu);

// A target machine while a build uses it. It returns to a pool for later builds, because creating
// one takes a fraction of a millisecond and of a MiB; if an exception passes, it is destroyed.
class ReturnTargetMachine {
 public:
  ReturnTargetMachine() = default;
  explicit ReturnTargetMachine(std::string kind) : kind_(std::move(kind)) {}
  void operator()(llvm::TargetMachine* machine) const;

 private:
  std::string kind_; // what builds it suits
};
using TargetMachinePtr = std::unique_ptr<llvm::TargetMachine, ReturnTargetMachine>;

// Null if LLVM does not know the CPU.
TargetMachinePtr take_target_machine(const TargetCpu& cpu, llvm::CodeGenOptLevel level);

} // namespace heddle::compiler
