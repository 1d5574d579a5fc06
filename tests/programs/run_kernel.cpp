// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A host program for the scripts of this folder: builds the kernel in FILE, which is OpenCL C or
// SPIR-V (*.spv), with OPTIONS and runs it.
//
//   run_kernel FILE OPTIONS ITEMS ROUNDS [maps]
//
// The kernel is named mix_rounds(global uint* out, uint rounds). Prints "sum N"; with `maps`, also
// whether the compiler is mapped into this process, whole or without its front end.
#include "tests/api/support.h"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iterator>
#include <string_view>

using namespace heddle::test;

static Program build_module(cl_context context, const std::string& module, const char* options) {
  cl_int error = CL_SUCCESS;
  Program program(clCreateProgramWithIL(context, module.data(), module.size(), &error));
  check(error, "clCreateProgramWithIL");
  check(clBuildProgram(program, 0, nullptr, options, nullptr, nullptr), "clBuildProgram");
  return program;
}

static void run_file(char** arguments, bool show_maps) {
  std::ifstream file(arguments[1]);
  const std::string source((std::istreambuf_iterator<char>(file)),
                           std::istreambuf_iterator<char>());
  const size_t items = std::strtoul(arguments[3], nullptr, 10);
  const auto rounds = static_cast<cl_uint>(std::strtoul(arguments[4], nullptr, 10));
  const auto context = make_context();
  const auto queue = make_queue(context);
  const auto program = std::string_view(arguments[1]).ends_with(".spv")
                           ? build_module(context, source, arguments[2])
                           : build(context, source, arguments[2]);
  const auto kernel = make_kernel(program, "mix_rounds");
  const auto out = make_buffer(context, items * 4);
  set_args(kernel, out, rounds);
  run(queue, kernel, {{items}, {}, {}});
  cl_uint sum = 0;
  for (const auto value : read<cl_uint>(queue, out, items))
    sum += value;
  std::printf("sum %u\n", sum);
  if (!show_maps)
    return;
  bool driver = false, compiler = false, backend = false, llvm = false;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    driver = driver || line.find("libheddle.so") != std::string::npos;
    compiler = compiler || line.find("libheddle-compiler") != std::string::npos;
    backend = backend || line.find("libheddle-backend") != std::string::npos;
    llvm = llvm || line.find("libLLVM") != std::string::npos;
  }
  const auto print = [](const char* name, bool is_mapped) {
    std::printf("%s %s\n", name, is_mapped ? "mapped" : "absent");
  };
  print("driver", driver);
  print("compiler", compiler);
  print("backend", backend);
  print("llvm", llvm);
}

int main(int count, char** arguments) {
  if (count < 5) {
    std::fprintf(stderr, "run_kernel FILE OPTIONS ITEMS ROUNDS [maps]\n");
    return 2;
  }
  try {
    run_file(arguments, count > 5);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
