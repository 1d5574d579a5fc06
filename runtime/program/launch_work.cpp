// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/program/launch_work.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>

namespace heddle {
namespace {

// Of a work-item: shorter kernels are rare.
constexpr double kLeastInstructions = 8;

double work_items(const NDRange& range) {
  double items = 1;
  for (const auto size : range.global_size)
    items *= static_cast<double>(size);
  return items;
}

// What a step is for a work-item whose ids are the first ones, or the last ones.
std::optional<double> value_of(const WorkEstimate::Step& step, const NDRange& range,
                               const ArgumentValues& arguments, bool may_guess, bool is_last) {
  using Op = WorkEstimate::Op;
  const auto index = static_cast<std::size_t>(step.number);
  if (step.op == Op::unknown_trips)
    return may_guess ? std::optional(kGuessedTrips) : std::nullopt;
  if (step.op == Op::argument) {
    // Negative: perhaps a large number without a sign.
    const auto value = arguments.integer(index);
    return value && *value >= 0 ? value : std::nullopt;
  }
  if (index >= std::size(range.global_size))
    return std::nullopt;
  const auto global = static_cast<double>(range.global_size[index]);
  const auto local = static_cast<double>(range.local_size[index]);
  const auto offset = static_cast<double>(range.global_offset[index]);
  const auto groups = std::ceil(global / local);
  switch (step.op) {
  case Op::global_size:
    return global;
  case Op::local_size:
    return local;
  case Op::group_count:
    return groups;
  case Op::global_id:
    return offset + (is_last ? global - 1 : 0);
  case Op::local_id:
    return is_last ? local - 1 : 0;
  case Op::group_id:
    return is_last ? groups - 1 : 0;
  default:
    return std::nullopt;
  }
}

} // namespace

double least_work(const NDRange& range) { return work_items(range) * kLeastInstructions; }

std::optional<double> estimate_work(const WorkEstimate& each, const NDRange& range,
                                    const ArgumentValues& arguments, bool may_guess) {
  std::optional<double> most;
  for (const bool is_last : {false, true}) {
    const auto work = evaluate(each.steps, [&](const WorkEstimate::Step& step) {
      return value_of(step, range, arguments, may_guess, is_last);
    });
    if (!work || !std::isfinite(*work))
      return std::nullopt;
    most = std::max(most.value_or(0), *work);
  }
  return *most * work_items(range);
}

std::optional<double> estimate_amount(const WorkEstimate& each, WorkEstimate::Amount amount,
                                      const NDRange& range, const ArgumentValues& arguments,
                                      bool may_guess) {
  double sum = 0;
  for (const bool is_last : {false, true}) {
    const auto value = evaluate(
        each.steps,
        [&](const WorkEstimate::Step& step) {
          return value_of(step, range, arguments, may_guess, is_last);
        },
        amount);
    if (!value || !std::isfinite(*value))
      return std::nullopt;
    sum += *value;
  }
  return sum / 2 * work_items(range);
}

} // namespace heddle
