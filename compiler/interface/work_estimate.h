// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a work-item executes, as a formula of what a launch passes. A guess: the runtime decides by
// it in which code a launch begins, never what the launch does, and `heddle profile` shows it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace heddle {

struct WorkEstimate {
  enum class Amount : std::uint8_t {
    instructions,
    flops,         // operations on floating-point numbers: one a component, a fused one is two
    double_flops,  // of them, those on doubles
    bytes_read,    // of global and constant memory, by loads
    bytes_written, // of global memory, by stores
  };
  static constexpr std::size_t kAmounts = 5;
  using Amounts = std::array<double, kAmounts>;

  enum class Op : std::uint8_t {
    number,
    amounts,       // of code: in `amounts`
    unknown_trips, // of a loop whose end depends on something else
    argument,      // the integer of this index
    global_size,   // of a dimension, as the following
    local_size,
    group_count,
    global_id,
    local_id,
    group_id,
    // Of the two values before them.
    add,
    multiply,
    divide,
    largest,
    smallest,
  };
  struct Step {
    Op op = Op::number;
    double number = 0; // or the index, or the dimension
    Amounts amounts{};
  };

  // In reverse Polish notation; empty: unknown.
  std::vector<Step> steps;
};

// A plain unit whose kernel has an estimate exports its steps, behind a 64-bit word, their number.
// Each is a word, the operation, and a double, or, for amounts, kAmounts of them.
inline constexpr const char* kWorkSymbol = "heddle_amounts";
// Of a loop whose end is unknown: a guess.
inline constexpr double kGuessedTrips = 64;
// Longer formulas are of no use: launches evaluate them.
inline constexpr std::size_t kMaxWorkSteps = 200;

// The formula's value of one amount; nothing if it is unknown or not well-formed. `value_of`, a
// callable std::optional<double>(const WorkEstimate::Step&), knows the launch.
template <class ValueOf>
std::optional<double> evaluate(const std::vector<WorkEstimate::Step>& steps, ValueOf value_of,
                               WorkEstimate::Amount amount = WorkEstimate::Amount::instructions) {
  using Op = WorkEstimate::Op;
  std::vector<double> stack;
  for (const auto& step : steps) {
    if (step.op < Op::add) {
      const auto value = step.op == Op::number ? std::optional(step.number)
                         : step.op == Op::amounts
                             ? std::optional(step.amounts[static_cast<std::size_t>(amount)])
                             : value_of(step);
      if (!value)
        return std::nullopt;
      stack.push_back(*value);
      continue;
    }
    if (stack.size() < 2)
      return std::nullopt;
    const auto right = stack.back();
    stack.pop_back();
    auto& left = stack.back();
    switch (step.op) {
    case Op::add:
      left += right;
      break;
    case Op::multiply:
      left *= right;
      break;
    case Op::divide:
      left /= right;
      break;
    case Op::largest:
      left = std::max(left, right);
      break;
    default:
      left = std::min(left, right);
      break;
    }
  }
  return stack.size() == 1 ? std::optional(stack.back()) : std::nullopt;
}

} // namespace heddle
