// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/program/unit.h"

#include "runtime/profile/line_samples.h"
#include "runtime/program/files.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <dlfcn.h>
#include <span>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace heddle {
namespace {

// For units without a file (read-only folder, full disk). The descriptor stays open as long as the
// library, because the dynamic loader identifies libraries by name, and the name contains the
// descriptor's number.
void* open_from_memory(std::span<const std::byte> bytes, int& file) {
  file = memfd_create("heddle-program", MFD_CLOEXEC);
  if (file < 0)
    return nullptr;
  if (!files::write_all(file, bytes))
    return nullptr;
  return dlopen(("/proc/self/fd/" + std::to_string(file)).c_str(), RTLD_NOW | RTLD_LOCAL);
}

WorkEstimate read_work(const std::uint64_t* words) {
  WorkEstimate work;
  const auto count = std::min<std::uint64_t>(*words++, kMaxWorkSteps);
  for (std::uint64_t i = 0; i < count; ++i) {
    WorkEstimate::Step step{static_cast<WorkEstimate::Op>(*words++)};
    if (step.op == WorkEstimate::Op::amounts)
      for (auto& amount : step.amounts)
        amount = std::bit_cast<double>(*words++);
    else
      step.number = std::bit_cast<double>(*words++);
    work.steps.push_back(step);
  }
  return work;
}

} // namespace

std::unique_ptr<const Unit> Unit::open(ProgramFile file, const std::string& path,
                                       std::string& error) {
  auto metadata = deserialize(file.metadata);
  if (!metadata || metadata->kernels.size() != 1) {
    error = "its metadata is damaged";
    return nullptr;
  }
  std::unique_ptr<Unit> unit(new Unit);
  unit->metadata_ = std::move(metadata->kernels.front());
  if (!path.empty())
    unit->library_ = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!unit->library_)
    unit->library_ = open_from_memory(file.payload, unit->memory_file_);
  if (!unit->library_) {
    const char* reason = dlerror();
    error = reason ? reason : "cannot create a memory file";
    return nullptr;
  }
  const auto* table =
      static_cast<const abi::KernelFunction*>(dlsym(unit->library_, abi::kKernelTableSymbol));
  if (!table) {
    error = "it has no table of kernels";
    return nullptr;
  }
  unit->variant_ = {table[0], &unit->metadata_};
  if (profile::line_samples::are_taken())
    profile::line_samples::add_unit(reinterpret_cast<const void*>(table[0]), file.payload);
  if (const auto* work = static_cast<const std::uint64_t*>(dlsym(unit->library_, kWorkSymbol)))
    unit->work_ = read_work(work);
  unit->file_ = std::move(file);
  return unit;
}

Unit::~Unit() {
  if (library_)
    dlclose(library_);
  if (memory_file_ >= 0)
    close(memory_file_);
}

} // namespace heddle
