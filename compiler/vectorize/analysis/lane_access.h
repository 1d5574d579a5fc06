// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a load or store accesses in the lanes of a sub-group: the one answer for all who estimate
// what it costs, and for the emitter that chooses its instructions.
#pragma once

#include "compiler/vectorize/analysis/lane_shapes.h"

namespace llvm {
class raw_ostream;
}

namespace heddle::compiler {

// Up to so many elements from lane to lane, shuffles bring the lanes together that one access of
// all elements between them loads or stores.
inline constexpr Stride kMaxInterleaveFactor = 4;

struct LaneAccess {
  enum class Kind : std::uint8_t {
    uniform,        // one address: a[n]
    strided,        // addresses at a constant distance: a[3 * x]
    likely_strided, // which a check at run time finds out: a[min(x, n)]
    scattered,      // a[b[x]], a[n * x]
  };
  Kind kind = Kind::scattered;
  Stride stride = 0; // of strided and likely_strided: bytes from lane to lane
  Stride bytes = 0;  // of what a lane accesses
  // The lanes access memory one after the other (is_scalarized_access).
  bool is_scalarized = false;

  // With a distance that is known, at least after a check.
  bool has_stride() const { return kind != Kind::scattered; }
  bool is_consecutive() const { return kind == Kind::strided && stride == bytes; }
  bool is_likely_consecutive() const { return kind != Kind::scattered && stride == bytes; }
};

// The instruction is a load or store.
LaneAccess lane_access(const llvm::Instruction& instruction, const LaneShapes& shapes);

// A line for each access of the function.
void print_lane_accesses(const llvm::Function& kernel, const LaneShapes& shapes,
                         llvm::raw_ostream& out);

} // namespace heddle::compiler
