/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * A program that is not linked to the C++ library, and brings an allocator:
 *
 *   host [-l|-g|-d LIBRARY]... [-n LIBRARY] LOADER-FLAG
 *
 * opens these libraries, locally, globally or with RTLD_DEEPBIND, looks whether the one of -n is loaded (if not, 77),
 * opens the OpenCL loader (`local`, `global` or `deep`), and builds, runs and releases what a program does. 0: right.
 */
#define _GNU_SOURCE
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void* loader;

static void* find(const char* name) {
  void* function = dlsym(loader, name);
  if (!function) {
    fprintf(stderr, "the loader has no %s\n", name);
    exit(1);
  }
  return function;
}
#define CALL(name) ((__typeof__(name)*)find(#name))

static void expect(int right, const char* what) {
  if (right)
    return;
  fprintf(stderr, "wrong: %s\n", what);
  exit(1);
}

enum { kCount = 1000 };

static void run(cl_context context, cl_device_id device, int number) {
  cl_int status;
  char text[600];
  /* Not in the cache, so that it is compiled: with errors, with warnings, and without. */
  snprintf(text, sizeof text,
           "#define N %d\n%s"
           "struct pair { int a; float b[3]; };\n"
           "kernel void k(global int* x, local int* t) { struct pair p = {get_global_id(0), {1, 2, 3}};\n"
           "  t[get_local_id(0)] = p.a; barrier(CLK_LOCAL_MEM_FENCE); x[get_global_id(0)] = t[get_local_id(0)] + N;\n"
           "  if (get_global_id(0) == 0) printf(\"%%s %%d %%v4f\\n\", \"printed\", N, (float4)(1)); }\n",
           (int)getpid() * 4 + number, number == 0 ? "#error \"no\"\n" : "");
  const char* source = text;
  cl_program program = CALL(clCreateProgramWithSource)(context, 1, &source, NULL, &status);
  expect(status == CL_SUCCESS, "clCreateProgramWithSource");
  status = CALL(clBuildProgram)(program, 1, &device, "-cl-std=CL2.0 -DX=\"1\"", NULL, NULL);
  char log[2000];
  CALL(clGetProgramBuildInfo)(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
  if (number == 0) {
    expect(status == CL_BUILD_PROGRAM_FAILURE && strstr(log, "no"), "a build that fails");
    CALL(clReleaseProgram)(program);
    return;
  }
  expect(status == CL_SUCCESS, log);
  cl_kernel kernel = CALL(clCreateKernel)(program, "k", &status);
  expect(status == CL_SUCCESS, "clCreateKernel");
  cl_command_queue queue = CALL(clCreateCommandQueueWithProperties)(context, device, NULL, &status);
  cl_mem buffer = CALL(clCreateBuffer)(context, CL_MEM_READ_WRITE, kCount * sizeof(cl_int), NULL, &status);
  expect(status == CL_SUCCESS, "clCreateBuffer");
  CALL(clSetKernelArg)(kernel, 0, sizeof buffer, &buffer);
  CALL(clSetKernelArg)(kernel, 1, 100 * sizeof(cl_int), NULL);
  const size_t global = kCount, group = 100;
  for (int i = 0; i != 3; ++i)
    expect(CALL(clEnqueueNDRangeKernel)(queue, kernel, 1, NULL, &global, &group, 0, NULL, NULL) == CL_SUCCESS,
           "clEnqueueNDRangeKernel");
  cl_int values[kCount];
  expect(CALL(clEnqueueReadBuffer)(queue, buffer, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL) == CL_SUCCESS,
         "clEnqueueReadBuffer");
  for (int i = 0; i != kCount; ++i)
    expect(values[i] == i + (int)getpid() * 4 + number, "the values");
  size_t size = 0;
  expect(CALL(clGetProgramInfo)(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL) == CL_SUCCESS && size != 0,
         "the size of the binary");
  unsigned char* binary = malloc(size);
  expect(CALL(clGetProgramInfo)(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL) == CL_SUCCESS,
         "the binary");
  const unsigned char* given = binary;
  cl_program again = CALL(clCreateProgramWithBinary)(context, 1, &device, &size, &given, NULL, &status);
  expect(status == CL_SUCCESS && CALL(clBuildProgram)(again, 0, NULL, "", NULL, NULL) == CL_SUCCESS,
         "a program from the binary");
  free(binary);
  CALL(clReleaseProgram)(again);
  CALL(clReleaseMemObject)(buffer);
  CALL(clReleaseKernel)(kernel);
  CALL(clReleaseCommandQueue)(queue);
  CALL(clReleaseProgram)(program);
}

int main(int argc, char** argv) {
  int flags = RTLD_LOCAL;
  for (int i = 1; i < argc; ++i) {
    const char* word = argv[i];
    if (word[0] == '-' && i + 1 < argc) {
      const int how = word[1] == 'g' ? RTLD_GLOBAL : word[1] == 'd' ? RTLD_DEEPBIND : RTLD_LOCAL;
      void* library = dlopen(argv[++i], RTLD_NOW | how | (word[1] == 'n' ? RTLD_NOLOAD : 0));
      if (!library && (word[1] == 'n' || !strchr(argv[i], '/')))
        return 77; /* not installed */
      expect(library != NULL, "the library");
    } else {
      flags = strcmp(word, "deep") == 0 ? RTLD_DEEPBIND : strcmp(word, "global") == 0 ? RTLD_GLOBAL : RTLD_LOCAL;
    }
  }
  loader = dlopen("libOpenCL.so.1", RTLD_NOW | flags);
  expect(loader != NULL, "the loader");
  cl_platform_id platform;
  cl_device_id device;
  expect(CALL(clGetPlatformIDs)(1, &platform, NULL) == CL_SUCCESS, "clGetPlatformIDs");
  expect(CALL(clGetDeviceIDs)(platform, CL_DEVICE_TYPE_CPU, 1, &device, NULL) == CL_SUCCESS, "clGetDeviceIDs");
  const cl_device_partition_property by_counts[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1, 0, 0};
  cl_device_id part;
  if (CALL(clCreateSubDevices)(device, by_counts, 1, &part, NULL) == CL_SUCCESS)
    CALL(clReleaseDevice)(part);
  cl_context context = CALL(clCreateContext)(NULL, 1, &device, NULL, NULL, NULL);
  for (int number = 0; number != 3; ++number)
    run(context, device, number);
  CALL(clReleaseContext)(context);
  dlclose(loader);
  return 0;
}
