// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/program/format_units.h"

#include <algorithm>
#include <utility>

namespace heddle {

FormatUnits::FormatUnits(std::shared_ptr<const UnitSource> source, std::string kernel,
                         std::size_t argument_count)
    : source_(std::move(source)), kernel_(std::move(kernel)),
      argument_count_(std::min(argument_count, Specialization::kMostArguments)) {}

KernelUnits* FormatUnits::find_among(std::size_t count,
                                     const Specialization& specialization) const {
  for (std::size_t i = 0; i < count; ++i)
    if (entries_[i].specialization == specialization)
      return entries_[i].units.get();
  return nullptr;
}

KernelUnits* FormatUnits::find(const Specialization& known, bool overlap) {
  auto specialization = generic_specialization(!overlap);
  specialization.argument_count = known.argument_count;
  specialization.arguments = known.arguments;
  if (auto* units = find_among(count_.load(std::memory_order_acquire), specialization))
    return units;
  const std::lock_guard lock(mutex_);
  const auto count = count_.load(std::memory_order_relaxed);
  if (auto* units = find_among(count, specialization))
    return units;
  if (count == kMost || known.argument_count != argument_count_)
    return nullptr;
  entries_[count] = {specialization,
                     std::make_unique<KernelUnits>(source_, kernel_, specialization)};
  count_.store(count + 1, std::memory_order_release);
  return entries_[count].units.get();
}

} // namespace heddle
