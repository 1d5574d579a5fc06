// Several drivers in one process, in turn, on the same pages: which pages a process is given and
// what else the machine does are the same for all.
#pragma once

#include <string>

namespace heddle::bench {

// All CPU devices that the loader shows; OCL_ICD_VENDORS may name a directory. Prints for each
// shape whose name has `filter` in it the least and the median of `rounds` launches of each driver,
// in nanoseconds a KiB, and for all but Heddle (or the first) the median of the ratios of Heddle's
// time to theirs in the same round. Drivers that cannot build a shape are left out of it.
// `by_items`: see driver.h.
void measure_together(const std::string& filter, int rounds, bool by_items);

} // namespace heddle::bench
