// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The state of the process: forks, and its end.
#pragma once

#include <dlfcn.h>

namespace heddle::process {

// Installs the fork handlers; called once when the library is loaded.
void watch_forks() noexcept;
// True in a child forked after the library was loaded, in which the parent's threads do not exist.
bool is_forked_child() noexcept;
// The number of forks in the ancestry of this process since the library was loaded. Objects that
// own threads store it to detect that they are stale.
unsigned fork_generation() noexcept;

// Calls Function when the process exits; handlers run in the reverse order. atexit(), which is in
// the library and calls
// __cxa_atexit(), registers nothing there (library/static_objects.cpp); the C library's own does.
// The thread sanitizer's passes no argument to what is registered without a library.
template <void (*Function)() noexcept>
void at_exit() noexcept {
  using Register = int (*)(void (*)(void*), void*, void*);
  if (const auto add = reinterpret_cast<Register>(dlsym(RTLD_DEFAULT, "__cxa_atexit")))
    (void)add([](void*) { Function(); }, nullptr, nullptr);
}

} // namespace heddle::process
