// Who copies in copy_bench: a driver, or code by hand.
#pragma once

#include "tests/bench/copies/contents.h"

namespace heddle::bench {

class Side {
 public:
  Side() = default;
  Side(const Side&) = delete;
  Side& operator=(const Side&) = delete;
  virtual ~Side() = default;

  // Gets ready for the shape and gives its memory the initial contents: memory of its own, or
  // `global`, `shape.span` bytes from a page on, which others use, too. Throws if it cannot copy
  // so.
  virtual void prepare(const CopyShape& shape, unsigned char* global) = 0;
  // Of `rounds` rounds over all tiles.
  virtual double seconds(const CopyShape& shape, std::size_t rounds) = 0;
  // Throws if memory is not as the copies of the last shape leave it.
  virtual void check_results(const CopyShape& shape) = 0;
};

} // namespace heddle::bench
