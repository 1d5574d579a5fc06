// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/execution/guarded_memory.h"

#include "runtime/allocation/allocation_map.h"
#include "runtime/memory/fill.h"
#include "runtime/target/context_switch.h"

#include <cstdio>
#include <cstring>
#include <new>

namespace heddle::guarded_memory {
namespace {

// The signal handler continues here when its own frame is gone, so the signal mask needs no
// restoring. The C library's longjmp would take the way back, to lower addresses, for an error.
void jump_back(void* caller) {
  StackContext given_up;
  heddle_switch_stack(&given_up, *static_cast<StackContext*>(caller), nullptr);
}

template <class Body>
bool run(Fault& fault, Body body) noexcept {
  fault_guard::prepare_thread();
  StackContext caller = nullptr;
  alignas(16) std::byte stack[1024];
  const fault_guard::Exit exit{jump_back, &caller, stack + sizeof stack};
  const auto call = [&] {
    fault_guard::enter_kernel(exit, &fault, nullptr);
    body();
    fault_guard::leave_kernel();
  };
  return heddle_call_recoverably(
             &caller, [](void* value) { (*static_cast<decltype(call)*>(value))(); },
             const_cast<void*>(static_cast<const void*>(&call))) != nullptr;
}

} // namespace

// Nothing may be copied from and to null pointers, which memmove and memset must not be given.
bool move(std::byte* to, const std::byte* from, std::size_t bytes, Fault& fault) noexcept {
  return bytes == 0 || run(fault, [=] { std::memmove(to, from, bytes); });
}

bool fill(std::byte* to, std::size_t bytes, const std::byte* pattern, std::size_t pattern_bytes,
          Fault& fault) noexcept {
  return bytes == 0 || run(fault, [=] { fill::repeat(to, bytes, pattern, pattern_bytes); });
}

std::string place_among_allocations(const Context& context, const void* address) {
  if (address == nullptr)
    return "";
  auto text = describe_address(context.allocations(), address);
  return text.empty() ? text : ", " + text;
}

cl_int report(const Context& context, const char* command, const Fault& fault) noexcept {
  try {
    char address[32];
    std::snprintf(address, sizeof address, "%p", fault.address);
    const auto text = std::string("heddle: ") + command + " failed: " + fault.signal_name() +
                      " at address " + address + place_among_allocations(context, fault.address);
    std::fprintf(stderr, "%s\n", text.c_str());
    context.report(text);
  } catch (const std::bad_alloc&) {
    std::fputs("heddle: a command failed, and there is no memory to say how\n", stderr);
  }
  return CL_OUT_OF_RESOURCES;
}

} // namespace heddle::guarded_memory
