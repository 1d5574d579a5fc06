// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The speed of async copies: one work-group copies tile after tile between global and local memory,
// waiting for each, on the driver under test; or the same in hand-written code on one thread.
//
//   copy_bench [--lines] [--small] [--filter TEXT] [--items] [--together ROUNDS]
//
// HEDDLE_BENCH_BY_HAND=1 measures the hand-written code (a variable, so that compare_drivers can
// set it). Times are nanoseconds per KiB. --together: see together.h; --items: see driver.h.

#include "tests/bench/copies/driver.h"
#include "tests/bench/copies/hand.h"
#include "tests/bench/copies/tile_kernels.h"
#include "tests/bench/copies/together.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

namespace {

using heddle::bench::CopyShape;
using heddle::bench::Driver;
using heddle::bench::Hand;
using heddle::bench::Side;

void measure(Side& side, const CopyShape& shape, double least_seconds, int repeats, bool lines) {
  double time = 0;
  std::size_t rounds = 1;
  try {
    side.prepare(shape, nullptr);
    side.seconds(shape, rounds); // warms up
    time = side.seconds(shape, rounds);
    while (time < least_seconds) {
      rounds = std::max(rounds * 2, std::size_t(double(rounds) * least_seconds / time));
      time = side.seconds(shape, rounds);
    }
  } catch (const std::exception&) { // an extension that is not there
    std::fprintf(stderr, "%s: does not build here\n", shape.name().c_str());
    return;
  }
  std::vector<double> times{time};
  while (int(times.size()) < repeats)
    times.push_back(side.seconds(shape, rounds));
  side.check_results(shape);
  const auto best = *std::min_element(times.begin(), times.end());
  const auto bytes = double(shape.tile_bytes()) * double(shape.tiles()) * double(rounds);
  if (lines)
    std::printf("%s\t%.4f\n", shape.name().c_str(), best * 1e9 / bytes * 1024);
  else
    std::printf("%-48s %9.2f ns a KiB %8.1f GB/s\n", shape.name().c_str(),
                best * 1e9 / bytes * 1024, bytes / best / 1e9);
  std::fflush(stdout);
}

} // namespace

int main(int count, char** arguments) {
  bool lines = false, small = false, by_items = false;
  int together = 0;
  std::string filter;
  for (int i = 1; i < count; ++i) {
    if (std::strcmp(arguments[i], "--lines") == 0)
      lines = true;
    else if (std::strcmp(arguments[i], "--small") == 0)
      small = true;
    else if (std::strcmp(arguments[i], "--items") == 0)
      by_items = true;
    else if (std::strcmp(arguments[i], "--filter") == 0 && i + 1 < count)
      filter = arguments[++i];
    else if (std::strcmp(arguments[i], "--together") == 0 && i + 1 < count)
      together = std::atoi(arguments[++i]);
    else
      return 2;
  }
  const bool by_hand = std::getenv("HEDDLE_BENCH_BY_HAND") != nullptr;
  try {
    if (together > 0) {
      heddle::bench::measure_together(filter, together, by_items);
      return 0;
    }
    Hand hand;
    Driver driver(heddle::test::device(), by_items);
    for (auto shape : heddle::bench::copy_shapes()) {
      if (shape.name().find(filter) == std::string::npos)
        continue;
      if (small)
        shape.span = std::min<std::size_t>(shape.span, 512 << 10);
      const double least = small ? 0 : 0.001;
      if (by_hand)
        measure(hand, shape, least, small ? 1 : 25, lines);
      else
        measure(driver, shape, least, small ? 1 : 25, lines);
    }
    if (!by_hand && std::string("filter").find(filter) != std::string::npos)
      heddle::bench::measure_tile_kernels(small ? 1 : 25, lines);
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "%s\n", failure.what());
    return 1;
  }
  return 0;
}
