// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What part of the last-level cache belongs to some processors.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle {

// Of the last-level caches that these logical processors use, the one that most of them share: its
// bytes, as many as they are of the processors around it, divided by the `sharers` processes that
// use the same ones. 0 if the system does not tell. `root` stands before every path that is read
// ("" for the system's own files; tests put fake ones elsewhere).
std::uint64_t cache_share(const std::vector<int>& cpus, unsigned sharers,
                          const std::string& root = "");

} // namespace heddle
