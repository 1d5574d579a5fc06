// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Several drivers in one process, each with its own LLVM, used alternately. Run with
// OCL_ICD_VENDORS naming a directory of several .icd files.
#include "tests/hostile/hostile.h"

using namespace heddle::hostile;

static void use(cl_platform_id platform, cl_device_id chosen, const std::string& name, int value) {
  cl_int status = 0;
  Context context(clCreateContext(nullptr, 1, &chosen, nullptr, nullptr, &status));
  check(status, "clCreateContext");
  Queue queue(clCreateCommandQueue(context, chosen, 0, &status));
  check(status, "clCreateCommandQueue");
  const auto program =
      make_program(context, "kernel void k(global float* x) { x[get_global_id(0)] = sqrt((float)" +
                                std::to_string(value) + ") + exp(x[get_global_id(0)]); }");
  const auto built = clBuildProgram(program, 0, nullptr, "", nullptr, nullptr);
  if (built != CL_SUCCESS) {
    expect(false, name + " did not build");
    return;
  }
  const auto kernel = make_kernel(program, "k");
  const auto buffer = make_buffer(context, 64 * 4, std::vector<float>(64).data());
  set_args(kernel, buffer);
  run(queue, kernel, {{64}, {}, {}});
  const float wanted = 1.f + __builtin_sqrtf(static_cast<float>(value));
  for (const float got : read<float>(queue, buffer, 64))
    if (got < wanted * 0.999f || got > wanted * 1.001f) {
      expect(false, name + " computed " + std::to_string(got));
      break;
    }
}

static void body() {
  cl_uint count = 0;
  check(clGetPlatformIDs(0, nullptr, &count), "clGetPlatformIDs");
  std::vector<cl_platform_id> platforms(count);
  check(clGetPlatformIDs(count, platforms.data(), nullptr), "clGetPlatformIDs");
  for (int round = 0; round != 3; ++round)
    for (const auto platform : platforms) {
      char name[256] = {};
      check(clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name, name, nullptr),
            "clGetPlatformInfo");
      cl_device_id chosen = nullptr;
      if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &chosen, nullptr) != CL_SUCCESS)
        continue; // a driver without a device here
      use(platform, chosen, name, round * 31 + 5);
      if (round == 0)
        std::printf("%s: used\n", name);
    }
}

int main() { return run_program(body); }
