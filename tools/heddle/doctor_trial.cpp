// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/heddle/doctor_trial.h"

#include "compiler/interface/compiler_api.h"
#include "tools/heddle/doctor_child.h"
#include "tools/heddle/driver.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <dlfcn.h>
#include <iterator>
#include <vector>

namespace heddle::doctor {
namespace {

using Say = std::function<void(const std::string&)>;

// It can tell the size of its sub-groups, so that the query is answered by its optimized build.
constexpr const char* kSource = R"(kernel void trial(global uint* out, uint factor) {
  uint i = get_global_id(0);
  if (get_sub_group_local_id() < get_max_sub_group_size())
    out[i] = factor * i ^ i >> 3;
})";
constexpr const char* kOptions = "-cl-std=CL3.0";
constexpr std::size_t kItems = 1000;
constexpr cl_uint kFactor = 2654435761u;

// Nothing is given back: the process ends behind it.
void run(const Driver& driver, const Say& say) {
#define CALL(name) driver.functions->name
  cl_int status = CL_SUCCESS;
  cl_device_id device = nullptr;
  check(CALL(clGetDeviceIDs)(driver.platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr),
        "clGetDeviceIDs");
  char version[256] = {};
  check(CALL(clGetDeviceInfo)(device, CL_DRIVER_VERSION, sizeof version - 1, version, nullptr),
        "clGetDeviceInfo");
  say(row({"version", version}));
  auto* context = CALL(clCreateContext)(nullptr, 1, &device, nullptr, nullptr, &status);
  check(status, "clCreateContext");
  auto* queue = CALL(clCreateCommandQueueWithProperties)(context, device, nullptr, &status);
  check(status, "clCreateCommandQueueWithProperties");
  const char* source = kSource;
  auto* program = CALL(clCreateProgramWithSource)(context, 1, &source, nullptr, &status);
  check(status, "clCreateProgramWithSource");
  const auto start = std::chrono::steady_clock::now();
  status = CALL(clBuildProgram)(program, 1, &device, kOptions, nullptr, nullptr);
  const auto time = std::chrono::steady_clock::now() - start;
  if (status != CL_SUCCESS) {
    char log[2048] = {};
    CALL(clGetProgramBuildInfo)
    (program, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, nullptr);
    throw DriverFailure{"no kernel can be built: " + std::string(log)};
  }
  say(row({"built",
           std::to_string(std::chrono::duration_cast<std::chrono::microseconds>(time).count())}));
  auto* kernel = CALL(clCreateKernel)(program, "trial", &status);
  check(status, "clCreateKernel");
  auto* out = CALL(clCreateBuffer)(context, CL_MEM_WRITE_ONLY, kItems * 4, nullptr, &status);
  check(status, "clCreateBuffer");
  check(CALL(clSetKernelArg)(kernel, 0, sizeof(cl_mem), &out), "clSetKernelArg");
  check(CALL(clSetKernelArg)(kernel, 1, sizeof kFactor, &kFactor), "clSetKernelArg");
  const std::size_t local = 50;
  std::size_t width = 0;
  if (CALL(clGetKernelSubGroupInfo)(kernel, device, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE,
                                    sizeof local, &local, sizeof width, &width,
                                    nullptr) == CL_SUCCESS)
    say(row({"width", std::to_string(width)}));
  check(
      CALL(clEnqueueNDRangeKernel)(queue, kernel, 1, nullptr, &kItems, &local, 0, nullptr, nullptr),
      "clEnqueueNDRangeKernel");
  std::vector<cl_uint> results(kItems);
  check(CALL(clEnqueueReadBuffer)(queue, out, CL_TRUE, 0, kItems * 4, results.data(), 0, nullptr,
                                  nullptr),
        "clEnqueueReadBuffer");
  for (cl_uint i = 0; i < kItems; ++i)
    if (results[i] != (kFactor * i ^ i >> 3))
      throw DriverFailure{"a kernel computed a wrong result"};
  // Empty unless the kernel could not be built as it should be.
  char log[2048] = {};
  CALL(clGetProgramBuildInfo)
  (program, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, nullptr);
  std::replace(std::begin(log), std::end(log), '\n', ' ');
  say(row({"log", log}));
#undef CALL
  say(row({"right"}));
}

} // namespace

Trial try_driver(const std::string& driver, const std::string& compiler) {
  Trial trial;
  bool right = false;
  const auto answer = ask_child([&](const Say& say) {
    try {
      if (void* library = dlopen(compiler.c_str(), RTLD_NOW | RTLD_LOCAL)) {
        if (auto* entry = reinterpret_cast<const heddle_compiler_api* (*)()>(
                dlsym(library, "heddle_compiler_get_api")))
          say(row({"llvm", entry()->llvm_version}));
      }
      setenv("HEDDLE_CACHE", "0", 1); // the driver reads it when it is opened
      run(open_driver(driver), say);
    } catch (const DriverFailure& failed) {
      say(row({"failure", failed.what}));
    }
  });
  trial.failure = answer.failure;
  for (const auto& words : answer.rows) {
    if (words[0] == "version")
      trial.version = words[1];
    else if (words[0] == "llvm")
      trial.llvm_version = words[1];
    else if (words[0] == "built")
      trial.build_microseconds = std::strtoull(words[1].c_str(), nullptr, 10);
    else if (words[0] == "width")
      trial.width = std::strtoull(words[1].c_str(), nullptr, 10);
    else if (words[0] == "log")
      trial.log = words[1].substr(0, words[1].find_last_not_of(' ') + 1);
    else if (words[0] == "failure")
      trial.failure = words[1];
    else if (words[0] == "right")
      right = true;
  }
  if (trial.failure.empty() && !right)
    trial.failure = "the trial ended early";
  return trial;
}

} // namespace heddle::doctor
