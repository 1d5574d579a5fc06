// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/program/format_units.h"

#include <utility>

namespace heddle {

FormatUnits::FormatUnits(std::shared_ptr<const UnitSource> source, std::string kernel,
                         std::size_t argument_count)
    : source_(std::move(source)), kernel_(std::move(kernel)), argument_count_(argument_count) {}

KernelUnits* FormatUnits::find_among(std::size_t count, const std::vector<KnownArgument>& arguments,
                                     bool overlap) const {
  for (std::size_t i = 0; i < count; ++i)
    if (entries_[i].overlap == overlap && entries_[i].arguments == arguments)
      return entries_[i].units.get();
  return nullptr;
}

KernelUnits* FormatUnits::find(const std::vector<KnownArgument>& arguments, bool overlap) {
  if (auto* units = find_among(count_.load(std::memory_order_acquire), arguments, overlap))
    return units;
  const std::lock_guard lock(mutex_);
  const auto count = count_.load(std::memory_order_relaxed);
  if (auto* units = find_among(count, arguments, overlap))
    return units;
  if (count == kMost || arguments.size() != argument_count_)
    return nullptr;
  Specialization specialization;
  specialization.arguments = arguments;
  specialization.arguments_may_overlap = overlap;
  entries_[count] = {arguments, overlap,
                     std::make_unique<KernelUnits>(source_, kernel_, specialization)};
  count_.store(count + 1, std::memory_order_release);
  return entries_[count].units.get();
}

} // namespace heddle
