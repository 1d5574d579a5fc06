// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Several drivers that alternate in one process on the same pages, so that the pages and the
// machine's load are the same for all.
#pragma once

#include <string>

namespace heddle::bench {

// Measures all CPU devices of the loader; OCL_ICD_VENDORS may be a directory. Prints, for each
// shape whose name contains `filter`, the minimum and the median of `rounds` launches of each
// driver, in nanoseconds per KiB, and for all but Heddle (or the first) the median of the ratios of
// Heddle's time to theirs in the same round. Drivers that cannot build a shape are omitted.
// `by_items`: see driver.h.
void measure_together(const std::string& filter, int rounds, bool by_items);

} // namespace heddle::bench
