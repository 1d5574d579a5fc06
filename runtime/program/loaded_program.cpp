// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/program/loaded_program.h"

#include "runtime/program/files.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <new>
#include <sys/mman.h>
#include <unistd.h>

namespace heddle {
namespace {

// For programs without a file (read-only folder, full disk). The descriptor stays open as long as
// the library, because the dynamic loader identifies libraries by name, and the name contains the
// descriptor's number.
void* open_from_memory(std::span<const std::byte> bytes, int& file) {
  file = memfd_create("heddle-program", MFD_CLOEXEC);
  if (file < 0)
    return nullptr;
  if (!files::write_all(file, bytes))
    return nullptr;
  return dlopen(("/proc/self/fd/" + std::to_string(file)).c_str(), RTLD_NOW | RTLD_LOCAL);
}

} // namespace

void LoadedProgram::Free::operator()(std::byte* memory) const { std::free(memory); }

Ref<LoadedProgram> LoadedProgram::open(const ProgramFile& file, const std::string& path,
                                       std::string& error) {
  auto metadata = deserialize(file.metadata);
  if (!metadata) {
    error = "its metadata is damaged";
    return nullptr;
  }
  auto loaded = Ref<LoadedProgram>::adopt(new (std::nothrow) LoadedProgram);
  if (!loaded)
    throw std::bad_alloc();
  loaded->metadata_ = std::move(*metadata);
  if (!path.empty())
    loaded->library_ = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!loaded->library_)
    loaded->library_ = open_from_memory(file.payload, loaded->memory_file_);
  if (!loaded->library_) {
    const char* reason = dlerror();
    error = reason ? reason : "cannot create a memory file";
    return nullptr;
  }
  loaded->functions_ =
      static_cast<const abi::KernelFunction*>(dlsym(loaded->library_, abi::kKernelTableSymbol));
  if (!loaded->functions_ && !loaded->metadata_.kernels.empty()) {
    error = "it has no table of kernels";
    return nullptr;
  }
  const auto& scope = loaded->metadata_.program_scope;
  if (!scope.empty()) {
    const std::size_t alignment =
        std::max<std::size_t>(loaded->metadata_.program_scope_alignment, 64);
    const auto size = (scope.size() + alignment - 1) / alignment * alignment;
    loaded->program_scope_.reset(static_cast<std::byte*>(std::aligned_alloc(alignment, size)));
    if (!loaded->program_scope_)
      throw std::bad_alloc();
    auto* block = loaded->program_scope_.get();
    std::memcpy(block, scope.data(), scope.size());
    for (const auto offset : loaded->metadata_.program_scope_relocations) {
      std::uint64_t value;
      if (scope.size() < sizeof value || offset > scope.size() - sizeof value)
        continue;
      std::memcpy(&value, block + offset, sizeof value);
      value += reinterpret_cast<std::uintptr_t>(block);
      std::memcpy(block + offset, &value, sizeof value);
    }
  }
  return loaded;
}

LoadedProgram::~LoadedProgram() {
  if (library_)
    dlclose(library_);
  if (memory_file_ >= 0)
    close(memory_file_);
}

const KernelMetadata* LoadedProgram::find(const std::string& kernel) const {
  for (const auto& candidate : metadata_.kernels)
    if (candidate.name == kernel && !candidate.is_block)
      return &candidate;
  return nullptr;
}

const CheckedVariable* LoadedProgram::find_variable(const std::string& name) const {
  for (const auto& candidate : metadata_.variables)
    if (candidate.name == name)
      return &candidate;
  return nullptr;
}

KernelTable::Entry LoadedProgram::kernel_at(std::uint64_t index) const noexcept {
  if (index >= metadata_.kernels.size())
    return {};
  return {functions_[index], &metadata_.kernels[index]};
}

abi::KernelFunction LoadedProgram::function(const KernelMetadata& kernel) const {
  return functions_[&kernel - metadata_.kernels.data()];
}

} // namespace heddle
