// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The copies of copy_bench in hand-written code, on one thread.
#pragma once

#include "tests/bench/copies/side.h"

namespace heddle::bench {

class Hand : public Side {
 public:
  void prepare(const CopyShape& shape, unsigned char* global) override;
  double seconds(const CopyShape& shape, std::size_t rounds) override;
  void check_results(const CopyShape& shape) override;

 private:
  Bytes memory_;
  unsigned char* global_ = nullptr;
  alignas(64) unsigned char local_[kLocalBytes] = {};
};

} // namespace heddle::bench
