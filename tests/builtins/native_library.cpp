// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "native_library.h"

#include <gtest/gtest.h>

#include <dlfcn.h>
#include <map>
#include <sys/auxv.h>
#if defined(__aarch64__)
#include <asm/hwcap.h>
#endif

namespace heddle::test {

WorkGroup work_group;

namespace {

void* library(const std::string& build) {
  static std::map<std::string, void*> libraries;
  void*& handle = libraries[build];
  if (!handle)
    handle = dlopen((std::string(NATIVE_DIR "/builtins-") + build + ".so").c_str(), RTLD_LAZY);
  return handle;
}

} // namespace

bool can_run(const std::string& build) {
  if (build == kBuilds[0])
    return true;
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
         __builtin_cpu_supports("f16c");
#else
  return (getauxval(AT_HWCAP) & HWCAP_FPHP) != 0;
#endif
}

void* find_symbol(const std::string& build, const std::string& symbol) {
  void* handle = library(build);
  EXPECT_NE(handle, nullptr) << dlerror();
  void* address = handle ? dlsym(handle, symbol.c_str()) : nullptr;
  EXPECT_NE(address, nullptr) << symbol;
  return address;
}

void* find_builtin(const std::string& build, const std::string& name,
                   const std::string& parameters) {
  return find_symbol(build, "_Z" + std::to_string(name.size()) + name + parameters);
}

} // namespace heddle::test

// The functions that the compiler lowers, by their mangled names.
#define EXPORTED extern "C" __attribute__((visibility("default")))
EXPORTED size_t _Z14get_local_sizej(unsigned dimension) {
  return dimension == 0 ? heddle::test::work_group.size : 1;
}
EXPORTED size_t _Z19get_local_linear_idv() { return heddle::test::work_group.local_id; }
// A sub-group of one. For copies with variable sizes, on a CPU without masked accesses.
EXPORTED bool __heddle_copy_is_known(unsigned long) { return false; }
EXPORTED bool __heddle_copy_has_masks() { return false; }
EXPORTED unsigned long __heddle_copy_ahead(unsigned long, unsigned long, unsigned long) {
  return 0;
}
EXPORTED void __heddle_copy_fetch(const void*, unsigned long, unsigned long, unsigned long) {}
EXPORTED bool __heddle_copy_collects_1(unsigned long) { return false; }
EXPORTED bool __heddle_copy_collects_2(unsigned long) { return false; }
EXPORTED bool __heddle_copy_spreads_1(unsigned long) { return false; }
EXPORTED bool __heddle_copy_spreads_2(unsigned long) { return false; }
EXPORTED bool __heddle_copy_spreads_4(unsigned long) { return false; }
EXPORTED bool __heddle_copy_spreads_8(unsigned long) { return false; }
EXPORTED bool __heddle_sub_group_is_leader() { return heddle::test::work_group.local_id == 0; }
EXPORTED void _Z7barrierj(unsigned) { ++heddle::test::work_group.barriers; }
