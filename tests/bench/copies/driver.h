// The copies of copy_bench by one driver.
#pragma once

#include "tests/api/support.h"
#include "tests/bench/copies/contents.h"

namespace heddle::bench {

class Driver {
 public:
  explicit Driver(cl_device_id device);

  // Builds the kernel for the shape and gives its memory the initial contents: memory of its own,
  // or `global`, at least `shape.span` bytes from a page on, which other drivers use, too. Throws
  // if the driver cannot build it, as it has not the extension.
  void prepare(const CopyShape& shape, unsigned char* global = nullptr);
  // Of one launch of `rounds` rounds over all tiles.
  double seconds(const CopyShape& shape, std::size_t rounds);
  // Throws if memory is not as the copies of the last shape leave it.
  void check_results(const CopyShape& shape);

 private:
  test::Context context_;
  test::Queue queue_;
  test::Buffer memory_, contents_; // `contents_`: of local memory, before and behind the copies
  test::Kernel kernel_;
};

} // namespace heddle::bench
