// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Static objects of the compiler are never destroyed, neither its own nor those of LLVM and Clang:
// a build may go on while the process exits. The runtime stops builds in a handler of the exit, but
// objects that were first used after its registration would be destroyed before it runs.

// The linker calls this in place of __cxa_atexit(), in the compiler's library only (--wrap).
extern "C" int __wrap___cxa_atexit(void (* /*destructor*/)(void*), void* /*object*/, // NOLINT
                                   void* /*library*/) {
  return 0;
}
