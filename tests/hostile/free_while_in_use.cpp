// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory that is freed while commands use it: they finish, it is nobody else's until then, and no
// free comes through twice.
#include "tests/api/shared_memory.h"
#include "tests/hostile/hostile.h"

#include <atomic>
#include <thread>
#include <vector>

using namespace heddle::hostile;

constexpr size_t kBytes = 64 << 10;

static void body() {
  Session session;
  const Usm usm;
  const auto out_of_order = make_queue(session.context, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const auto program = build(session.context, R"(
    kernel void mark(global int* a, int mark) {
      for (int i = 0; i < 20000; ++i)
        a[get_global_id(0) + (i & 7) * 2048] = mark;
    })");
  const auto kernel = make_kernel(program, "mark");
  cl_int status = CL_SUCCESS;
  for (int i = 0; i != 40; ++i) {
    const cl_command_queue queue = i % 2 ? session.queue : out_of_order;
    void* memory = i % 4 < 2
                       ? usm.shared_alloc(session.context, device(), nullptr, kBytes, 0, &status)
                       : clSVMAlloc(session.context, 0, kBytes, 0);
    check(clSetKernelArgSVMPointer(kernel, 0, memory), "argument 0");
    check(set_arg(kernel, 1, cl_int(i + 1)), "argument 1");
    Event event;
    check(enqueue(queue, kernel, {{2048}, {}, {}}, event.out()), "enqueue");
    check(clFlush(queue), "clFlush");
    if (i % 4 < 2) {
      expect_status(usm.free(session.context, memory), CL_SUCCESS, "clMemFreeINTEL");
      expect_status(usm.free(session.context, memory), CL_INVALID_VALUE, "a second free");
    } else {
      clSVMFree(session.context, memory);
      clSVMFree(session.context, memory);
    }
    // What is allocated now is not what the kernel still writes.
    std::vector<cl_int*> fresh;
    for (int k = 0; k != 8; ++k)
      fresh.push_back(static_cast<cl_int*>(clSVMAlloc(session.context, 0, kBytes, 0)));
    expect_status(clWaitForEvents(1, event.address()), CL_SUCCESS, "the kernel's event");
    for (auto* place : fresh) {
      for (size_t k = 0; k != kBytes / 4; ++k)
        if (place[k] != 0) {
          expect(false, "a kernel wrote into memory that was allocated after the free");
          break;
        }
      clSVMFree(session.context, place);
    }
  }
  // Many threads allocate, ask and free, some of it twice and in each other's place.
  std::atomic<void*> slots[64] = {};
  std::atomic<int> wrong{0}, freed{0}, made{0};
  std::vector<std::thread> threads;
  for (unsigned t = 0; t != 8; ++t)
    threads.emplace_back([&, t] {
      unsigned random = t * 7919 + 1;
      for (int i = 0; i != 4000; ++i) {
        random = random * 1664525 + 1013904223;
        auto& slot = slots[random >> 26];
        cl_int error = CL_SUCCESS;
        void* fresh =
            usm.host_alloc(session.context, nullptr, 64 + (random >> 8) % 9000, 0, &error);
        wrong += fresh == nullptr;
        ++made;
        if (void* old = slot.exchange(fresh)) {
          freed += usm.free(session.context, old) == CL_SUCCESS;
          cl_uint type = 0;
          wrong += usm.info(session.context, fresh, CL_MEM_ALLOC_TYPE_INTEL, sizeof type, &type,
                            nullptr) != CL_SUCCESS;
        }
      }
    });
  for (auto& thread : threads)
    thread.join();
  for (auto& slot : slots)
    if (void* old = slot.exchange(nullptr))
      freed += usm.free(session.context, old) == CL_SUCCESS;
  expect(wrong == 0, "allocations or queries failed");
  expect(freed == made, "not each allocation was freed once");
  // Kernels wait for an event; what they use is freed; then they run.
  const Event gate(clCreateUserEvent(session.context, &status));
  auto* memory = clSVMAlloc(session.context, 0, kBytes, 0);
  check(clSetKernelArgSVMPointer(kernel, 0, memory), "argument 0");
  Event event;
  check(enqueue(session.queue, kernel, {{2048}, {}, {}}, event.out(), {gate.get()}), "enqueue");
  clSVMFree(session.context, memory);
  check(clSetUserEventStatus(gate, CL_COMPLETE), "clSetUserEventStatus");
  expect_status(clWaitForEvents(1, event.address()), CL_SUCCESS, "a kernel behind an event");
  expect_works(session, "after frees of memory in use");
}

int main() { return run_program(body); }
