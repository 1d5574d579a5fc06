// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/program/loaded_program.h"

#include "library/aligned_memory.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <new>
#include <utility>

namespace heddle {

void LoadedProgram::Free::operator()(std::byte* memory) const { aligned_memory::free(memory); }

LoadedProgram::LoadedProgram(ProgramMetadata metadata)
    : KernelTable(Kind::dead), metadata_(std::move(metadata)),
      kernel_count_(static_cast<std::size_t>(std::ranges::count_if(
          metadata_.kernels, [](const auto& kernel) { return !kernel.is_block; }))) {}

Ref<LoadedProgram> LoadedProgram::open(std::shared_ptr<const ProgramFile> file) {
  auto metadata = deserialize(file->metadata);
  if (!metadata)
    return nullptr;
  auto loaded = Ref<LoadedProgram>::adopt(new LoadedProgram(std::move(*metadata)));
  loaded->make_program_scope();
  const auto source = std::make_shared<const UnitSource>(std::move(file), loaded->metadata_);
  for (const auto& kernel : loaded->metadata_.kernels)
    loaded->units_.push_back(std::make_unique<UnitTable>(source, kernel));
  if (loaded->has_constructors() || loaded->has_destructors())
    loaded->global_objects_ =
        std::make_unique<GlobalObjects>(source, loaded->metadata_, loaded->program_scope());
  return loaded;
}

void LoadedProgram::make_program_scope() {
  const auto& scope = metadata_.program_scope;
  if (scope.empty())
    return;
  const std::size_t alignment = std::max<std::size_t>(metadata_.program_scope_alignment, 64);
  const auto size = (scope.size() + alignment - 1) / alignment * alignment;
  program_scope_.reset(static_cast<std::byte*>(aligned_memory::allocate(alignment, size)));
  if (!program_scope_)
    throw std::bad_alloc();
  auto* block = program_scope_.get();
  std::memcpy(block, scope.data(), scope.size());
  for (const auto offset : metadata_.program_scope_relocations) {
    std::uint64_t value;
    if (scope.size() < sizeof value || offset > scope.size() - sizeof value)
      continue;
    std::memcpy(&value, block + offset, sizeof value);
    value += reinterpret_cast<std::uintptr_t>(block);
    std::memcpy(block + offset, &value, sizeof value);
  }
}

std::size_t LoadedProgram::find(const std::string& kernel) const {
  std::size_t index = 0;
  while (index < kernel_count() && metadata_.kernels[index].name != kernel)
    ++index;
  return index;
}

void LoadedProgram::store_in(std::vector<StoredUnit>& units) const {
  for (const auto& own : units_)
    own->generic().start_for_binary();
  if (global_objects_)
    global_objects_->need();
  for (const auto& own : units_)
    own->generic().store_in(units);
  if (global_objects_)
    global_objects_->store_in(units);
}

void LoadedProgram::start_after(const UnitTable& units, std::size_t count) const {
  std::size_t i = 0;
  while (i < kernel_count() && units_[i].get() != &units)
    ++i;
  for (++i; i < kernel_count() && count != 0; ++i)
    if (!units_[i]->has_formats() && !units_[i]->generic().ready()) {
      units_[i]->generic().start();
      --count;
    }
}

void LoadedProgram::need_from(std::size_t first) const {
  for (auto i = first; i < units_.size(); ++i)
    units_[i]->generic().start();
  for (auto i = first; i < units_.size(); ++i)
    units_[i]->generic().need();
  if (global_objects_ && first == 0)
    global_objects_->need();
}

cl_int LoadedProgram::construct_objects(const Context& context) const {
  std::string problem;
  if (!global_objects_ || global_objects_->construct(problem))
    return CL_SUCCESS;
  if (!problem.empty()) {
    const auto text = "heddle: the constructors of the program failed: " + problem;
    std::fprintf(stderr, "%s\n", text.c_str());
    context.report(text);
  }
  return CL_OUT_OF_RESOURCES;
}

const CheckedVariable* LoadedProgram::find_variable(const std::string& name) const {
  for (const auto& candidate : metadata_.variables)
    if (candidate.name == name)
      return &candidate;
  return nullptr;
}

void LoadedProgram::unlock_static_objects() const noexcept {
  const auto size = metadata_.program_scope.size();
  for (const auto offset : metadata_.static_guards) {
    auto expected = kGuardInProgress;
    if (size >= sizeof expected && offset <= size - sizeof expected &&
        offset % sizeof expected == 0)
      std::atomic_ref(*reinterpret_cast<std::uint64_t*>(program_scope_.get() + offset))
          .compare_exchange_strong(expected, 0);
  }
}

KernelTable::Entry LoadedProgram::kernel_at(std::uint64_t index) const noexcept {
  const auto* unit = index < units_.size() ? units_[index]->generic().ready() : nullptr;
  return unit ? Entry{unit->variant().function, &unit->metadata()} : Entry{};
}

} // namespace heddle
