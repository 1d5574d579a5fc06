// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fences and memory of other drivers (cl_khr_external_semaphore_sync_fd,
// cl_khr_external_memory_dma_buf), which the virtual device vgem stands for. What needs no device
// is in conformance/programs/external_semaphores and tests/runtime/sync_file_payload_test.
#include "conformance/programs/semaphore_api.h"
#include "tests/api/api_test.h"
#include "tests/api/shared_memory.h"
#include "tests/api/vgem.h"

#include <chrono>
#include <sys/mman.h>
#include <thread>

namespace heddle::test {
namespace {

using namespace semaphores;

constexpr size_t kBytes = 16384;
constexpr size_t kCount = kBytes / sizeof(cl_uint);
constexpr cl_mem_properties kDmaBuf = 0x2067;

class SyncFileTest : public ApiTest {
 protected:
  void SetUp() override {
    if (!vgem_.is_there())
      GTEST_SKIP() << "no device vgem";
  }
  Semaphore import(int file) {
    const Properties list{TYPE, TYPE_BINARY, HANDLE_SYNC_FD, static_cast<cl_properties>(file), 0};
    cl_int error = CL_SUCCESS;
    Semaphore made(api_, api_.create(context_, list.data(), &error));
    EXPECT_EQ(error, CL_SUCCESS);
    return made;
  }
  Event wait(const Semaphore& semaphore) {
    Event event;
    check(api_.wait(queue_, 1, semaphore.ptr(), nullptr, 0, nullptr, event.out()), "wait");
    return event;
  }
  Buffer import(const Vgem::Buffer& memory) {
    const cl_mem_properties list[] = {kDmaBuf, static_cast<cl_mem_properties>(dup(memory.file)), 0};
    cl_int error = CL_SUCCESS;
    Buffer made(clCreateBufferWithProperties(context_, list, 0, kBytes, nullptr, &error));
    EXPECT_EQ(error, CL_SUCCESS);
    return made;
  }

  const Vgem vgem_;
  const Api api_{platform()};
};

TEST_F(SyncFileTest, AKernelRunsBehindAFence) {
  const auto memory = vgem_.make_buffer(kBytes);
  const auto fence = vgem_.make_fence(memory);
  const auto semaphore = import(fence.file);
  const auto waited = wait(semaphore);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_GT(event_status(waited), CL_COMPLETE);
  vgem_.signal(fence);
  check(clWaitForEvents(1, waited.address()), "clWaitForEvents");
  EXPECT_EQ(event_status(waited), CL_COMPLETE);
  close(memory.file);
}

TEST_F(SyncFileTest, AFenceThatHasBeenSignaled) {
  const auto memory = vgem_.make_buffer(kBytes);
  const auto fence = vgem_.make_fence(memory);
  vgem_.signal(fence);
  const auto semaphore = import(fence.file);
  const auto waited = wait(semaphore);
  check(clWaitForEvents(1, waited.address()), "clWaitForEvents");
  close(memory.file);
}

TEST_F(SyncFileTest, TheNextFence) {
  const auto memory = vgem_.make_buffer(kBytes);
  const auto semaphore = import(-1);
  for (int round = 0; round < 10; ++round) {
    const auto waited_before = wait(semaphore);
    check(clWaitForEvents(1, waited_before.address()), "clWaitForEvents");
    const auto fence = vgem_.make_fence(memory);
    ASSERT_EQ(api_.reimport(semaphore, nullptr, fence.file), CL_SUCCESS);
    if (round % 2) {
      vgem_.signal(fence);
      continue;
    }
    const auto waited = wait(semaphore);
    EXPECT_GT(event_status(waited), CL_COMPLETE);
    vgem_.signal(fence);
    check(clWaitForEvents(1, waited.address()), "clWaitForEvents");
    ASSERT_EQ(api_.reimport(semaphore, nullptr, -1), CL_SUCCESS);
  }
  close(memory.file);
}

TEST_F(SyncFileTest, MemoryOfAnotherDevice) {
  const auto memory = vgem_.make_buffer(kBytes);
  auto* data = static_cast<cl_uint*>(
      mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory.file, 0));
  ASSERT_NE(data, MAP_FAILED);
  for (size_t i = 0; i < kCount; ++i)
    data[i] = static_cast<cl_uint>(i);
  {
    using Command = cl_int(CL_API_CALL*)(cl_command_queue, cl_uint, const cl_mem*, cl_uint,
                                         const cl_event*, cl_event*);
    const auto acquire = extension<Command>("clEnqueueAcquireExternalMemObjectsKHR");
    const auto release = extension<Command>("clEnqueueReleaseExternalMemObjectsKHR");
    const auto buffer = import(memory);
    const auto kernel = make_kernel(
        build(context_, "kernel void f(global uint* x) { x[get_global_id(0)] *= 3; }"), "f");
    set_args(kernel, buffer);
    check(acquire(queue_, 1, buffer.address(), 0, nullptr, nullptr), "acquire");
    check(enqueue(queue_, kernel, {{kCount}, {}, {}}), "clEnqueueNDRangeKernel");
    check(release(queue_, 1, buffer.address(), 0, nullptr, nullptr), "release");
    check(clFinish(queue_), "clFinish");
  }
  for (size_t i = 0; i < kCount; ++i)
    ASSERT_EQ(data[i], 3 * i);
  munmap(data, kBytes);
  close(memory.file);
}

} // namespace
} // namespace heddle::test
