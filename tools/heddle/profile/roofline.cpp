// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/heddle/profile/roofline.h"

#include "runtime/program/cache.h"
#include "runtime/program/files.h"
#include "tools/heddle/driver.h"
#include "tools/heddle/installation.h"

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
constexpr std::size_t kItemsOfUnit = 512, kGroup = 64;
constexpr std::size_t kMemoryItems = std::size_t{1} << 24; // of each array: 64 MB
constexpr std::size_t kCacheItems = std::size_t{1} << 18;  // 1 MB
// What else runs on the machine disturbs some of them.
constexpr int kRuns = 25;

// Gives nothing back: the process ends soon.
class Measurement {
 public:
  explicit Measurement(const std::string& driver) : driver_(open_driver(driver)) {
    auto& call = *driver_.functions;
    check(call.clGetDeviceIDs(driver_.platform, CL_DEVICE_TYPE_ALL, 1, &device_, nullptr),
          "clGetDeviceIDs");
    check(
        call.clGetDeviceInfo(device_, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units_, &units_, nullptr),
        "clGetDeviceInfo");
    cl_int status = CL_SUCCESS;
    context_ = call.clCreateContext(nullptr, 1, &device_, nullptr, nullptr, &status);
    check(status, "clCreateContext");
    const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
    queue_ = call.clCreateCommandQueueWithProperties(context_, device_, properties, &status);
    check(status, "clCreateCommandQueueWithProperties");
    const char* source = kSource;
    program_ = call.clCreateProgramWithSource(context_, 1, &source, nullptr, &status);
    check(status, "clCreateProgramWithSource");
    check(call.clBuildProgram(program_, 1, &device_, "", nullptr, nullptr), "clBuildProgram");
  }

  unsigned units() const { return units_; }
  cl_ulong cache_bytes() const {
    cl_ulong bytes = 0;
    check(driver_.functions->clGetDeviceInfo(device_, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, sizeof bytes,
                                             &bytes, nullptr),
          "clGetDeviceInfo");
    return bytes;
  }

  template <class Number>
  double flops(const char* name) const {
    const std::size_t items = kItemsOfUnit * units_;
    auto* out = buffer(items * sizeof(Number));
    auto* kernel = make_kernel(name);
    set(kernel, 0, out);
    set(kernel, 1, static_cast<Number>(0.5));
    set(kernel, 2, static_cast<Number>(0.5));
    set(kernel, 3, kSteps);
    const double seconds = best_time(kernel, items);
    Number first = 0;
    check(driver_.functions->clEnqueueReadBuffer(queue_, out, CL_TRUE, 0, sizeof first, &first, 0,
                                                 nullptr, nullptr),
          "clEnqueueReadBuffer");
    if (std::abs(static_cast<double>(first) - kChains) > 1e-3)
      throw DriverFailure{"a kernel computed a wrong result"};
    return 2.0 * kChains * kSteps * static_cast<double>(items) / seconds;
  }

  double bandwidth(std::size_t items) const {
    const auto bytes = items * sizeof(float);
    auto* kernel = make_kernel("triad");
    for (cl_uint i = 0; i < 3; ++i) {
      auto* memory = buffer(bytes);
      const float value = static_cast<float>(i);
      check(driver_.functions->clEnqueueFillBuffer(queue_, memory, &value, sizeof value, 0, bytes,
                                                   0, nullptr, nullptr),
            "clEnqueueFillBuffer");
      set(kernel, i, memory);
    }
    set(kernel, 3, 0.5f);
    return 3.0 * static_cast<double>(bytes) / best_time(kernel, items);
  }

 private:
  cl_mem buffer(std::size_t bytes) const {
    cl_int status = CL_SUCCESS;
    auto* memory =
        driver_.functions->clCreateBuffer(context_, CL_MEM_READ_WRITE, bytes, nullptr, &status);
    check(status, "clCreateBuffer");
    return memory;
  }
  cl_kernel make_kernel(const char* name) const {
    cl_int status = CL_SUCCESS;
    auto* kernel = driver_.functions->clCreateKernel(program_, name, &status);
    check(status, "clCreateKernel");
    return kernel;
  }
  template <class Value>
  void set(cl_kernel kernel, cl_uint index, Value value) const {
    check(driver_.functions->clSetKernelArg(kernel, index, sizeof value, &value), "clSetKernelArg");
  }
  // In seconds; the first run is not counted.
  double best_time(cl_kernel kernel, std::size_t items) const {
    auto& call = *driver_.functions;
    double best = 0;
    for (int i = 0; i < kRuns; ++i) {
      cl_event event = nullptr;
      check(call.clEnqueueNDRangeKernel(queue_, kernel, 1, nullptr, &items, &kGroup, 0, nullptr,
                                        &event),
            "clEnqueueNDRangeKernel");
      check(call.clWaitForEvents(1, &event), "clWaitForEvents");
      cl_ulong start = 0, end = 0;
      check(call.clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start,
                                         nullptr),
            "clGetEventProfilingInfo");
      check(
          call.clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, nullptr),
          "clGetEventProfilingInfo");
      const auto seconds = static_cast<double>(end - start) * 1e-9;
      if (i == 1 || (i > 1 && seconds < best))
        best = seconds;
    }
    return best;
  }

  const Driver driver_;
  cl_device_id device_ = nullptr;
  cl_uint units_ = 1;
  cl_context context_ = nullptr;
  cl_command_queue queue_ = nullptr;
  cl_program program_ = nullptr;
};

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
  // It is to be what the machine can do, and not where a profile or a trace of it goes.
  for (const char* name : {"HEDDLE_PROFILE", "HEDDLE_TRACE", "HEDDLE_CHECK", "HEDDLE_WIDTH"})
    unsetenv(name);
  setenv("HEDDLE_PLAIN_WORK", "0", 1);
  setenv("HEDDLE_TUNE", "off", 1);
  const auto& own = command::installation();
  if (own.driver.empty())
    throw DriverFailure{"the driver is not where this command expects it"};
  const Measurement measurement(own.driver);
  Roofline roofline;
  roofline.cpu = cpu_name();
  roofline.compute_units = measurement.units();
  roofline.float_flops = measurement.flops<float>("peak_float");
  roofline.double_flops = measurement.flops<double>("peak_double");
  roofline.bandwidth = measurement.bandwidth(kMemoryItems);
  roofline.cache_bandwidth = measurement.bandwidth(kCacheItems);
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
