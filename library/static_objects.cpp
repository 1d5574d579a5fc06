// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Static objects of the libraries are never destroyed, neither Heddle's own nor those of LLVM,
// Clang and the C++ library: kernels, builds and callbacks go on while the process exits, and the
// program's own handlers and static objects, older than the libraries, may use them after.

// The linker calls this in place of __cxa_atexit(), in the libraries only (--wrap). atexit() calls
// it, too: what is to run at exit is registered with the C library's function, found by dlsym().
extern "C" int __wrap___cxa_atexit(void (* /*destructor*/)(void*), void* /*object*/, // NOLINT
                                   void* /*library*/) {
  return 0;
}
