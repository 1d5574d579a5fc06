// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel that uses tiles, compared with the same kernel with plain loads.
#pragma once

namespace heddle::bench {

// Prints the minimum of `repeats` times of each, in nanoseconds per KiB of results; `lines`:
// machine-readable.
void measure_tile_kernels(int repeats, bool lines);

} // namespace heddle::bench
