// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The copies of copy_bench on a driver.
#pragma once

#include "tests/api/support.h"
#include "tests/bench/copies/side.h"

#include <string>

namespace heddle::bench {

class Driver : public Side {
 public:
  // `by_items`: the work-items write local memory before the copies and read it after them;
  // otherwise copies do that as well, and the first work-item does everything.
  Driver(cl_device_id device, bool by_items);

  void prepare(const CopyShape& shape, unsigned char* global) override;
  double seconds(const CopyShape& shape, std::size_t rounds) override; // one launch
  void check_results(const CopyShape& shape) override;

 private:
  std::string options_;
  test::Context context_;
  test::Queue queue_;
  test::Buffer memory_, contents_; // `contents_`: of local memory, before and after the copies
  test::Kernel kernel_;
};

} // namespace heddle::bench
