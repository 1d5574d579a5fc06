// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/bench/copies/hand.h"

#include <algorithm>
#include <stdexcept>

namespace heddle::bench {

void Hand::prepare(const CopyShape& shape, unsigned char* global) {
  const auto from = initial_global(shape), local = initial_local();
  if (global == nullptr)
    memory_.resize(shape.span);
  global_ = global != nullptr ? global : memory_.data();
  std::copy(from.begin(), from.end(), global_);
  std::copy(local.begin(), local.end(), local_);
}

double Hand::seconds(const CopyShape& shape, std::size_t rounds) {
  const auto time = seconds_by_hand(shape, global_, local_, rounds);
  if (time < 0)
    throw std::runtime_error(shape.name() + ": there is no code by hand");
  return time;
}

void Hand::check_results(const CopyShape& shape) { check_contents(shape, global_, local_); }

} // namespace heddle::bench
