// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/bench/copies/together.h"

#include "tests/bench/copies/driver.h"
#include "tests/bench/copies/hand.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>

namespace heddle::bench {
namespace {

struct Entrant {
  std::string name;
  std::unique_ptr<Side> side;
  std::vector<double> times;
};

std::string name_of(cl_platform_id platform) {
  char name[64] = {};
  test::check(clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name - 1, name, nullptr),
              "clGetPlatformInfo");
  const std::string whole = name;
  return whole.substr(0, whole.find_first_of(" ("));
}

// Heddle first, hand-written code last.
std::vector<Entrant> all_entrants(bool by_items) {
  cl_uint count = 0;
  test::check(clGetPlatformIDs(0, nullptr, &count), "clGetPlatformIDs");
  std::vector<cl_platform_id> platforms(count);
  test::check(clGetPlatformIDs(count, platforms.data(), nullptr), "clGetPlatformIDs");
  std::vector<Entrant> entrants;
  for (auto* platform : platforms) {
    cl_device_id device = nullptr;
    if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 1, &device, nullptr) == CL_SUCCESS)
      entrants.push_back({name_of(platform), std::make_unique<Driver>(device, by_items), {}});
  }
  std::stable_partition(entrants.begin(), entrants.end(),
                        [](const Entrant& entrant) { return entrant.name == "Heddle"; });
  entrants.push_back({"hand", std::make_unique<Hand>(), {}});
  return entrants;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

std::vector<Entrant*> that_can(std::vector<Entrant>& entrants, const CopyShape& shape,
                               unsigned char* global) {
  std::vector<Entrant*> able;
  for (auto& entrant : entrants)
    try {
      entrant.side->prepare(shape, global);
      entrant.side->seconds(shape, 1);
      entrant.times.clear();
      able.push_back(&entrant);
    } catch (const std::exception&) { // an extension that is not there
      std::fprintf(stderr, "%s: %s cannot\n", shape.name().c_str(), entrant.name.c_str());
    }
  return able;
}

void print(const CopyShape& shape, const std::vector<Entrant*>& entrants, std::size_t bytes) {
  std::printf("%-44s", shape.name().c_str());
  const auto unit = 1e9 * 1024 / double(bytes);
  for (const auto* entrant : entrants) {
    const auto& times = entrant->times;
    std::printf("  %s %.2f %.2f", entrant->name.c_str(),
                *std::min_element(times.begin(), times.end()) * unit, median(times) * unit);
    if (entrant == entrants.front())
      continue;
    std::vector<double> ratios;
    for (std::size_t round = 0; round < times.size(); ++round)
      ratios.push_back(entrants.front()->times[round] / times[round]);
    std::printf(" (%.3f)", median(ratios));
  }
  std::printf("\n");
  std::fflush(stdout);
}

void measure(std::vector<Entrant>& entrants, const CopyShape& shape, unsigned char* global,
             int rounds) {
  constexpr double kLeastSeconds = 0.005; // a launch
  auto able = that_can(entrants, shape, global);
  if (able.empty())
    return;
  std::size_t repeats = 1;
  while (able.front()->side->seconds(shape, repeats) < kLeastSeconds)
    repeats *= 2;
  // Each one follows each other one equally often.
  auto order = able;
  for (int round = 0; round < rounds; ++round) {
    for (auto* entrant : order)
      entrant->times.push_back(entrant->side->seconds(shape, repeats));
    std::rotate(order.begin(), order.begin() + 1, order.end());
    if (round % int(order.size()) == 0)
      std::reverse(order.begin(), order.end());
  }
  for (auto* entrant : able)
    entrant->side->check_results(shape);
  print(shape, able, shape.tile_bytes() * shape.tiles() * repeats);
}

} // namespace

void measure_together(const std::string& filter, int rounds, bool by_items) {
  constexpr std::size_t kPage = 4096;
  auto entrants = all_entrants(by_items);
  std::printf("ns a KiB, least and median (median of %s's time over this)\n",
              entrants.front().name.c_str());
  for (const auto& shape : copy_shapes()) {
    if (shape.name().find(filter) == std::string::npos)
      continue;
    const std::unique_ptr<void, decltype(&std::free)> global(
        std::aligned_alloc(kPage, (shape.span + kPage - 1) / kPage * kPage), &std::free);
    measure(entrants, shape, static_cast<unsigned char*>(global.get()), rounds);
  }
}

} // namespace heddle::bench
