/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Programs that open the OpenCL loader, close it with kernels and a callback under way, and end: in main, in the
 * callback, and with quick_exit. Each in a child of a process that has not opened it, HEDDLE_TEST_RUNS times (5). */
#define _GNU_SOURCE
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { kCode = 7, kRuns = 5 };
enum way { kMain, kCallback, kQuickExit, kWays };

static atomic_int is_closed;
static enum way way;

static void CL_CALLBACK call_back(cl_event event, cl_int status, void* data) {
  (void)event, (void)status, (void)data;
  for (int i = 0; i != 2000 && !is_closed; ++i)
    usleep(1000);
  if (way == kCallback)
    exit(kCode);
  usleep(300000);
}

static void expect(int right, const char* what) {
  if (right)
    return;
  fprintf(stderr, "wrong: %s\n", what);
  _exit(1);
}

static void end(void) {
  alarm(60);
  void* loader = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
  expect(loader != NULL, "no loader");
#define CALL(name) ((__typeof__(name)*)dlsym(loader, #name))
  cl_int status;
  cl_platform_id platform;
  cl_device_id device;
  expect(CALL(clGetPlatformIDs)(1, &platform, NULL) == CL_SUCCESS, "clGetPlatformIDs");
  expect(CALL(clGetDeviceIDs)(platform, CL_DEVICE_TYPE_CPU, 1, &device, NULL) == CL_SUCCESS, "clGetDeviceIDs");
  cl_context context = CALL(clCreateContext)(NULL, 1, &device, NULL, NULL, &status);
  cl_command_queue queue = CALL(clCreateCommandQueueWithProperties)(context, device, NULL, &status);
  cl_command_queue other = CALL(clCreateCommandQueueWithProperties)(context, device, NULL, &status);
  const char* source = "kernel void k(global uint* x, uint n) { uint v = 1;"
                       "  for (uint i = 0; i < n; ++i) v = v * 1664525u + 1013904223u + (v >> 7);"
                       "  x[get_global_id(0)] = v; }";
  cl_program program = CALL(clCreateProgramWithSource)(context, 1, &source, NULL, &status);
  expect(CALL(clBuildProgram)(program, 0, NULL, "", NULL, NULL) == CL_SUCCESS, "clBuildProgram");
  cl_kernel kernel = CALL(clCreateKernel)(program, "k", &status);
  cl_mem buffer = CALL(clCreateBuffer)(context, CL_MEM_READ_WRITE, 4096, NULL, &status);
  const cl_uint rounds = 3000000;
  const size_t size = 256;
  CALL(clSetKernelArg)(kernel, 0, sizeof buffer, &buffer);
  CALL(clSetKernelArg)(kernel, 1, sizeof rounds, &rounds);
  /* Complete after the callback is set, or it is called here. */
  cl_event event;
  expect(CALL(clEnqueueNDRangeKernel)(other, kernel, 1, NULL, &size, NULL, 0, NULL, &event) == CL_SUCCESS, "launch");
  expect(CALL(clSetEventCallback)(event, CL_COMPLETE, call_back, NULL) == CL_SUCCESS, "clSetEventCallback");
  for (int i = 0; i != 20; ++i)
    expect(CALL(clEnqueueNDRangeKernel)(queue, kernel, 1, NULL, &size, NULL, 0, NULL, NULL) == CL_SUCCESS, "launch");
  CALL(clFlush)(other);
  CALL(clFlush)(queue);
  dlclose(loader);
  is_closed = 1;
  if (way == kCallback)
    for (;;)
      pause();
  if (way == kQuickExit)
    quick_exit(kCode);
  exit(kCode);
}

int main(void) {
  const char* wanted = getenv("HEDDLE_TEST_RUNS");
  const int runs = wanted ? atoi(wanted) : kRuns;
  int failed = 0;
  for (way = kMain; way != kWays; ++way)
    for (int i = 0; i != runs; ++i) {
      const pid_t child = fork();
      if (child == 0)
        end();
      int status = 0;
      waitpid(child, &status, 0);
      if (WIFEXITED(status) && WEXITSTATUS(status) == kCode)
        continue;
      fprintf(stderr, "wrong: way %d ended with status %d\n", (int)way, status);
      ++failed;
    }
  return failed != 0;
}
