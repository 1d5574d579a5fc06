// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/heddle/profile/roofline.h"

#include "runtime/program/cache.h"
#include "runtime/program/files.h"
#include "tools/heddle/measurement.h"

#include <CL/cl.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace heddle {

double Roofline::least_time(double flops, double of_them_double, double bytes,
                            double at_once) const {
  const auto computing = (flops - of_them_double) / float_flops + of_them_double / double_flops;
  const bool is_in_cache = at_once < cache_bytes;
  return std::max(computing, bytes / (is_in_cache ? cache_bandwidth : bandwidth));
}

namespace {

// Twelve chains of dependent operations hide the latency of one, on two pipes of up to six cycles.
// Their values, which differ between work-items, tend to 1.
constexpr const char* kSource = R"(
#define CHAINS(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11)
#define DECLARE(i) T x##i = 1 + (T)get_global_id(0) / (64 + i);
#define STEP(i) x##i = fma(x##i, a, b);
#define ADD(i) + x##i
#define PEAK(NAME, TYPE) kernel void NAME(global TYPE* out, TYPE a, TYPE b, uint n) { \
    typedef TYPE T; CHAINS(DECLARE) \
    for (uint i = 0; i < n; ++i) { CHAINS(STEP) } \
    out[get_global_id(0)] = 0 CHAINS(ADD); }
PEAK(peak_float, float)
PEAK(peak_double, double)
kernel void triad(global float* restrict a, global const float* restrict b,
                  global const float* restrict c, float s) {
  size_t i = get_global_id(0);
  a[i] = b[i] + s * c[i];
})";
constexpr cl_uint kChains = 12, kSteps = 10'000;
constexpr std::size_t kItemsOfUnit = 512;
constexpr std::size_t kMemoryItems = std::size_t{1} << 24; // of each array: 64 MB
constexpr std::size_t kCacheItems = std::size_t{1} << 18;  // 1 MB
// What else runs on the machine disturbs some of them.
constexpr int kRuns = 25;

template <class Number>
double flops(const Measurement& on, const char* name) {
  const std::size_t items = kItemsOfUnit * on.units();
  auto* out = on.buffer(items * sizeof(Number));
  auto* kernel = on.make_kernel(name);
  on.set(kernel, 0, out);
  on.set(kernel, 1, static_cast<Number>(0.5));
  on.set(kernel, 2, static_cast<Number>(0.5));
  on.set(kernel, 3, kSteps);
  const double seconds = on.best_time(kernel, items, kRuns);
  Number first = 0;
  on.read(out, &first, sizeof first);
  if (std::abs(static_cast<double>(first) - kChains) > 1e-3)
    throw DriverFailure{"a kernel computed a wrong result"};
  return 2.0 * kChains * kSteps * static_cast<double>(items) / seconds;
}

double bandwidth(const Measurement& on, std::size_t items) {
  auto* kernel = on.make_kernel("triad");
  for (cl_uint i = 0; i < 3; ++i)
    on.set(kernel, i, on.buffer_of(items, static_cast<float>(i)));
  on.set(kernel, 3, 0.5f);
  return 3.0 * static_cast<double>(items * sizeof(float)) / on.best_time(kernel, items, kRuns);
}

std::string cpu_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name"))
      return line.substr(std::min(line.size(), line.find(':') + 2));
  return "unknown processor";
}

// A line: the processor, compute units and figures between tabs.
std::string to_line(const Roofline& roofline) {
  std::ostringstream line;
  line.precision(17);
  line << roofline.cpu << '\t' << roofline.compute_units << '\t' << roofline.float_flops << '\t'
       << roofline.double_flops << '\t' << roofline.bandwidth << '\t' << roofline.cache_bandwidth
       << '\t' << roofline.cache_bytes << '\n';
  return line.str();
}

bool from_line(const std::string& line, Roofline& roofline) {
  std::istringstream words(line);
  return std::getline(words, roofline.cpu, '\t') &&
         words >> roofline.compute_units >> roofline.float_flops >> roofline.double_flops >>
             roofline.bandwidth >> roofline.cache_bandwidth >> roofline.cache_bytes &&
         roofline.float_flops > 0 && roofline.double_flops > 0 && roofline.bandwidth > 0 &&
         roofline.cache_bandwidth > 0;
}

std::string threads_asked_for() {
  const char* threads = std::getenv("HEDDLE_NUM_THREADS");
  return threads ? threads : "";
}

// One file for each number of threads that is asked for.
std::string kept_file() {
  const auto folder = Cache::default_folder();
  const auto threads = threads_asked_for();
  const bool is_plain = threads.find('/') == std::string::npos;
  return folder.empty() || !is_plain ? std::string() : folder + "/roofline" + threads;
}

Roofline measure() {
  const Measurement measurement(kSource);
  Roofline roofline;
  roofline.cpu = cpu_name();
  roofline.compute_units = measurement.units();
  roofline.float_flops = flops<float>(measurement, "peak_float");
  roofline.double_flops = flops<double>(measurement, "peak_double");
  roofline.bandwidth = bandwidth(measurement, kMemoryItems);
  roofline.cache_bandwidth = bandwidth(measurement, kCacheItems);
  roofline.cache_bytes = static_cast<double>(measurement.cache_bytes());
  return roofline;
}

} // namespace

Roofline measured_roofline(bool again) {
  const auto path = kept_file();
  std::optional<Roofline> kept;
  if (!path.empty()) {
    std::ifstream file(path);
    std::string line;
    if (Roofline known;
        std::getline(file, line) && from_line(line, known) && known.cpu == cpu_name())
      kept = known;
  }
  if (kept && !again)
    return *kept;
  auto roofline = measure();
  if (kept && kept->compute_units == roofline.compute_units)
    for (const auto figure : {&Roofline::float_flops, &Roofline::double_flops, &Roofline::bandwidth,
                              &Roofline::cache_bandwidth})
      roofline.*figure = std::max(roofline.*figure, (*kept).*figure);
  if (!path.empty()) {
    std::error_code error;
    std::filesystem::create_directories(std::filesystem::path(path).parent_path(), error);
    std::ofstream(path) << to_line(roofline); // without it, it is measured again
  }
  return roofline;
}

} // namespace heddle
