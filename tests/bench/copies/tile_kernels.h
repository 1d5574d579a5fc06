// A kernel that works on tiles beside the same kernel with plain loads.
#pragma once

namespace heddle::bench {

// Prints the least of `repeats` times of each, in nanoseconds a KiB of results; `lines`: for other
// programs to read.
void measure_tile_kernels(int repeats, bool lines);

} // namespace heddle::bench
