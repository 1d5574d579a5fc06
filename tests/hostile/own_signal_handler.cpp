// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A host program with its own SIGSEGV and SIGFPE handlers: they get the program's faults before and
// after a kernel has faulted, from the main thread and from another, and never the kernel's.
#include "tests/hostile/hostile.h"

#include <csetjmp>
#include <csignal>
#include <sys/mman.h>
#include <thread>

using namespace heddle::hostile;

static thread_local sigjmp_buf back;
static thread_local volatile int caught = 0;
static volatile int from_elsewhere = 0;
static thread_local volatile bool mine = false;
static void* volatile fault_address = nullptr;

static void handler(int, siginfo_t* details, void*) {
  if (!mine) {
    from_elsewhere = from_elsewhere + 1;
    _exit(99); // a kernel's fault reached the host program
  }
  caught = caught + 1;
  fault_address = details->si_addr;
  siglongjmp(back, 1);
}

static void fault_here(const char* when) {
  auto* page =
      static_cast<char*>(mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  const int before = caught;
  mine = true;
  if (sigsetjmp(back, 1) == 0)
    *reinterpret_cast<volatile int*>(page + 8) = 1;
  mine = false;
  expect(caught == before + 1, std::string("the host's handler ") + when);
  expect(fault_address == page + 8, std::string("the address the host's handler saw ") + when);
  munmap(page, 4096);
}

static void install() {
  struct sigaction action = {};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO;
  for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL})
    sigaction(number, &action, nullptr);
}

static void fault_in_kernel(Session& session) {
  const auto program = build(session.context, "kernel void bad(ulong a) { *(global int*)a = 1; }");
  const auto kernel = make_kernel(program, "bad");
  set_args(kernel, cl_ulong{0x1000});
  expect_fault(session, kernel, "bad", {{16}, {4}, {}});
}

static void body() {
  // Installed before the driver is loaded.
  install();
  fault_here("before OpenCL");
  Session session;
  fault_here("with a context");
  fault_in_kernel(session);
  fault_here("after a kernel's fault");
  std::thread([] { fault_here("on another thread"); }).join();
  // Installed again after the driver's: now the driver's handler is not called first, so only
  // faults of the host program are tested.
  install();
  fault_here("after a second installation");
  expect_works(session, "after the host's own faults");
}

int main() { return run_program(body); }
