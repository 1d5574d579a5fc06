// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A contestant of copy_bench: a driver or hand-written code.
#pragma once

#include "tests/bench/copies/contents.h"

namespace heddle::bench {

class Side {
 public:
  Side() = default;
  Side(const Side&) = delete;
  Side& operator=(const Side&) = delete;
  virtual ~Side() = default;

  // Prepares the shape and initializes memory: its own, or `global`, `shape.span` page-aligned
  // bytes that others also use. Throws if it does not support the shape.
  virtual void prepare(const CopyShape& shape, unsigned char* global) = 0;
  // The time of `rounds` iterations over all tiles.
  virtual double seconds(const CopyShape& shape, std::size_t rounds) = 0;
  // Throws if memory does not have the expected contents after the copies of the last shape.
  virtual void check_results(const CopyShape& shape) = 0;
};

} // namespace heddle::bench
