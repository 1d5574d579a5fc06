// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A host program with another version of LLVM, with the same symbols in the global scope, that uses
// it before and after kernels are built.
#include "tests/hostile/hostile.h"

#include <cstring>
#include <dlfcn.h>
#include <unistd.h>

using namespace heddle::hostile;

using MakeContext = void* (*)();
using MakeModule = void* (*)(const char*, void*);
using PrintModule = char* (*)(void*);

static void* host_llvm = nullptr;

static void use_host_llvm(const char* when) {
  const auto make_context = reinterpret_cast<MakeContext>(dlsym(host_llvm, "LLVMContextCreate"));
  const auto make_module =
      reinterpret_cast<MakeModule>(dlsym(host_llvm, "LLVMModuleCreateWithNameInContext"));
  const auto print = reinterpret_cast<PrintModule>(dlsym(host_llvm, "LLVMPrintModuleToString"));
  expect(make_context && make_module && print, "LLVM's C functions");
  if (!make_context || !make_module || !print)
    return;
  const char* text = print(make_module("host_module", make_context()));
  expect(std::strstr(text, "host_module") != nullptr, std::string("the host's LLVM ") + when);
}

static void body() {
  for (const char* name : {"libLLVM-15.so.1", "libLLVM-14.so.1", "libLLVM-15.so", "libLLVM-14.so"})
    if (!host_llvm)
      host_llvm = dlopen(name, RTLD_NOW | RTLD_GLOBAL);
  if (!host_llvm) {
    std::printf("no shared LLVM is installed: skipped\n");
    std::exit(77);
  }
  use_host_llvm("before the driver");
  Session session;
  expect_works(session, "beside the host's LLVM");
  // Not cached, so it is compiled.
  const auto program =
      build(session.context, "kernel void k(global int* x) { *x = " + std::to_string(getpid()) +
                                 " + (int)get_global_size(0); }");
  const auto kernel = make_kernel(program, "k");
  const auto out = make_buffer(session.context, 4);
  set_args(kernel, out);
  run(session.queue, kernel, {{1}, {}, {}});
  expect(read<cl_int>(session.queue, out, 1)[0] == getpid() + 1,
         "a kernel compiled beside the host's LLVM");
  use_host_llvm("after the driver");
}

int main() { return run_program(body); }
