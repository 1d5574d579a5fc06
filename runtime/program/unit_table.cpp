// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/program/unit_table.h"

#include "runtime/core/lock.h"

#include <algorithm>
#include <utility>

namespace heddle {
namespace {

std::size_t count_known_arguments(const KernelDeclaration& kernel) {
  const auto count = [&kernel](ArgumentKind kind) {
    return static_cast<std::size_t>(
        std::ranges::count(kernel.arguments, kind, &KernelArgument::kind));
  };
  const auto images = count(ArgumentKind::image);
  return images == 0
             ? 0
             : std::min(images + count(ArgumentKind::sampler), Specialization::kMaxArguments);
}

} // namespace

UnitTable::UnitTable(std::shared_ptr<const UnitSource> source, const KernelDeclaration& kernel)
    : source_(std::move(source)), kernel_(kernel.name),
      argument_count_(count_known_arguments(kernel)) {
  add(generic_specialization(true));
  add(generic_specialization(false));
}

KernelUnits* UnitTable::find(const Specialization& specialization) const {
  const auto* end = entries_.data() + count_.load(std::memory_order_acquire);
  const auto* entry = std::find_if(entries_.data(), end, [&](const Entry& other) {
    return other.specialization == specialization;
  });
  return entry != end ? entry->units.get() : nullptr;
}

KernelUnits* UnitTable::add(const Specialization& specialization) {
  const auto count = count_.load(std::memory_order_relaxed);
  if (count == kMost)
    return nullptr;
  entries_[count] = {specialization,
                     std::make_unique<KernelUnits>(source_, kernel_, specialization)};
  count_.store(count + 1, std::memory_order_release);
  return entries_[count].units.get();
}

KernelUnits* UnitTable::of_formats(const Specialization& known, bool has_disjoint_arguments) {
  if (!has_formats() || known.argument_count != argument_count_)
    return nullptr;
  auto specialization = generic_specialization(has_disjoint_arguments);
  specialization.argument_count = known.argument_count;
  specialization.arguments = known.arguments;
  if (auto* units = find(specialization))
    return units;
  const Lock lock(mutex_);
  auto* units = find(specialization);
  return units ? units : add(specialization);
}

void UnitTable::expect() {
  if (has_formats()) // its first launch knows more
    generic().find();
  else
    generic().expect();
}

} // namespace heddle
