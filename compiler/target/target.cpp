// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/target/target.h"

#include "compiler/interface/cpu_costs.h"
#include "compiler/target/architecture.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"

#include <exception>
#include <mutex>
#include <vector>

namespace heddle::compiler {
namespace {

const llvm::Target* find_target() {
  static const llvm::Target* target = [] {
    architecture::initialize();
    std::string error;
    return llvm::TargetRegistry::lookupTarget(architecture::triple(), error);
  }();
  return target;
}

std::unique_ptr<llvm::MCSubtargetInfo> describe(llvm::StringRef name, llvm::StringRef features) {
  return std::unique_ptr<llvm::MCSubtargetInfo>(
      find_target()->createMCSubtargetInfo(architecture::triple(), name, features));
}

// The features in which the CPU differs from its name, if they describe it completely: LLVM parses
// the list many times in a build, and the full list has more than a hundred entries.
std::string short_list(llvm::StringRef name, const llvm::StringMap<bool>& all,
                       const std::string& full_list) {
  const auto named = describe(name, "");
  const auto full = describe(name, full_list);
  if (!named || !full)
    return full_list;
  llvm::SubtargetFeatures differing;
  for (const auto& feature : all)
    if (named->checkFeatures(("+" + feature.first()).str()) != feature.second)
      differing.AddFeature(feature.first(), feature.second);
  const auto brief = describe(name, differing.getString());
  return brief && brief->getFeatureBits() == full->getFeatureBits() ? differing.getString()
                                                                    : full_list;
}

TargetCpu host_cpu() {
  // A cross compiler's is of no use.
  if (llvm::Triple(llvm::sys::getProcessTriple()).getArch() != architecture::triple().getArch())
    return architecture::named_cpu(architecture::tested_cpu());
  const auto name = llvm::sys::getHostCPUName();
  const auto all = llvm::sys::getHostCPUFeatures();
  llvm::SubtargetFeatures features;
  for (const auto& feature : all)
    features.AddFeature(feature.first(), feature.second);
  return {name.str(), short_list(name, all, features.getString())};
}

// Target machines that no build uses. Never destroyed: threads may still build when the process
// exits.
struct Spare {
  std::mutex mutex;
  llvm::StringMap<std::vector<std::unique_ptr<llvm::TargetMachine>>> machines;
};
Spare& spare() {
  static auto* const spare = new Spare;
  return *spare;
}

} // namespace

TargetCpu find_cpu(llvm::StringRef cpu) {
  if (const auto named = parse_cpu(cpu))
    cpu = named->name; // else it is none that LLVM knows
  if (cpu != "native" && !cpu.empty())
    return architecture::named_cpu(cpu);
  static const TargetCpu host = host_cpu();
  return host;
}

void ReturnTargetMachine::operator()(llvm::TargetMachine* machine) const {
  std::unique_ptr<llvm::TargetMachine> owned(machine);
  if (std::uncaught_exceptions() != 0)
    return;
  auto& [mutex, machines] = spare();
  const std::lock_guard lock(mutex);
  machines[kind_].push_back(std::move(owned));
}

TargetMachinePtr take_target_machine(const TargetCpu& cpu, llvm::CodeGenOptLevel level) {
  const auto* target = find_target();
  if (target == nullptr)
    return nullptr;
  std::string kind = cpu.name + " " + cpu.features + " " + std::to_string(static_cast<int>(level));
  {
    auto& [mutex, machines] = spare();
    const std::lock_guard lock(mutex);
    if (auto& fitting = machines[kind]; !fitting.empty()) {
      auto machine = std::move(fitting.back());
      fitting.pop_back();
      machine->setOptLevel(level); // builds of huge functions lower it
      return {machine.release(), ReturnTargetMachine(std::move(kind))};
    }
  }
  llvm::TargetOptions options;
  architecture::set_options(options);
  std::unique_ptr<llvm::TargetMachine> machine(
      target->createTargetMachine(architecture::triple(), cpu.name, cpu.features, options,
                                  llvm::Reloc::PIC_, std::nullopt, level));
  if (machine == nullptr || !machine->getMCSubtargetInfo()->isCPUStringValid(cpu.name))
    return nullptr;
  return {machine.release(), ReturnTargetMachine(std::move(kind))};
}

} // namespace heddle::compiler
