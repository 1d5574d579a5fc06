// The CPU that kernels are compiled for.
#pragma once

#include "llvm/Target/TargetMachine.h"

#include <memory>
#include <string>

namespace heddle::compiler {

struct TargetCpu {
  std::string name;
  std::string features; // "+avx2,-avx512f,..."; empty: those of the name
};

// `cpu` is "native" for the machine this runs on, or LLVM's name of a CPU or level.
TargetCpu find_cpu(llvm::StringRef cpu);

// A target machine while a build uses it. Machines are kept for later builds, because each takes a
// part of a millisecond and of a MiB to make; one that an exception passes is thrown away.
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
TargetMachinePtr take_target_machine(const TargetCpu& cpu, bool optimize);

} // namespace heddle::compiler
