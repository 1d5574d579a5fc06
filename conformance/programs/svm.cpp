// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared virtual memory: allocations, commands on them, kernels that follow pointers, and the host
// beside kernels where the device is fine-grained.
#include "shared_memory_harness.h"

#include <atomic>
#include <chrono>
#include <cstring>
#include <numeric>
#include <thread>

using namespace conformance;

namespace {

class Svm : public DeviceTest {
 protected:
  void SetUp() override {
    DeviceTest::SetUp();
    if (clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES, sizeof levels, &levels, nullptr) !=
            CL_SUCCESS ||
        levels == 0)
      GTEST_SKIP() << "no SVM";
  }
  void TearDown() override {
    if (queue.get())
      clFinish(queue);
    for (auto* memory : made)
      clSVMFree(context, memory);
  }
  template <class T>
  T* allocate(size_t count, cl_svm_mem_flags flags = CL_MEM_READ_WRITE) {
    auto* memory = clSVMAlloc(context, flags, count * sizeof(T), 0);
    EXPECT_NE(memory, nullptr);
    made.push_back(memory);
    return static_cast<T*>(memory);
  }
  // For coarse-grained memory, around what the host does.
  void map(void* memory, size_t size) {
    ASSERT_CL(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, memory, size, 0, nullptr,
                              nullptr));
  }
  void unmap(void* memory) { ASSERT_CL(clEnqueueSVMUnmap(queue, memory, 0, nullptr, nullptr)); }

  cl_device_svm_capabilities levels = 0;
  std::vector<void*> made;
};

TEST_F(Svm, Capabilities) {
  SPEC("API, Device Queries: CL_DEVICE_SVM_CAPABILITIES");
  EXPECT_TRUE(levels & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER);
  if (levels & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM) {
    EXPECT_TRUE(levels & CL_DEVICE_SVM_FINE_GRAIN_BUFFER);
  }
  if (levels & CL_DEVICE_SVM_ATOMICS) {
    EXPECT_TRUE(levels & (CL_DEVICE_SVM_FINE_GRAIN_BUFFER | CL_DEVICE_SVM_FINE_GRAIN_SYSTEM));
  }
}

TEST_F(Svm, AllocationFailures) {
  SPEC("API, clSVMAlloc: fails and answers NULL");
  const auto most = info<cl_ulong>(clGetDeviceInfo, device, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  EXPECT_EQ(clSVMAlloc(context, CL_MEM_READ_WRITE, 0, 0), nullptr);
  EXPECT_EQ(clSVMAlloc(context, CL_MEM_READ_WRITE, most + 1, 0), nullptr);
  EXPECT_EQ(clSVMAlloc(context, CL_MEM_READ_WRITE, 64, 3), nullptr);
  EXPECT_EQ(clSVMAlloc(context, CL_MEM_SVM_ATOMICS, 64, 0), nullptr);
  EXPECT_EQ(clSVMAlloc(context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 64, 0), nullptr);
  EXPECT_EQ(clSVMAlloc(context, CL_MEM_USE_HOST_PTR, 64, 0), nullptr);
  if (!(levels & CL_DEVICE_SVM_FINE_GRAIN_BUFFER)) {
    EXPECT_EQ(clSVMAlloc(context, CL_MEM_SVM_FINE_GRAIN_BUFFER, 64, 0), nullptr);
  }
  clSVMFree(context, nullptr); // no action
}

TEST_F(Svm, Alignment) {
  SPEC("API, clSVMAlloc: alignment up to the largest data type; 0 is that of the largest");
  for (cl_uint alignment : {0u, 1u, 2u, 4u, 8u, 16u, 32u, 64u, 128u})
    for (int i = 0; i < 10; ++i) {
      auto* memory = clSVMAlloc(context, CL_MEM_READ_WRITE, 100, alignment);
      ASSERT_NE(memory, nullptr);
      made.push_back(memory);
      EXPECT_EQ(reinterpret_cast<uintptr_t>(memory) % (alignment ? alignment : 128), 0u);
    }
}

TEST_F(Svm, CoarseGrained) {
  SPEC("API, SVM Sharing Granularity: coarse-grained buffers are the host's while mapped");
  constexpr size_t kCount = 10'000;
  auto* in = allocate<cl_int>(kCount);
  auto* out = allocate<cl_int>(kCount);
  map(in, kCount * 4);
  map(out, kCount * 4);
  std::iota(in, in + kCount, 0);
  std::fill_n(out, kCount, 7);
  unmap(in);
  unmap(out);
  Kernel kernel = make_kernel(kScaleSource, "scale");
  ASSERT_CL(clSetKernelArgSVMPointer(kernel, 0, in));
  ASSERT_CL(clSetKernelArgSVMPointer(kernel, 1, out));
  set_argument(kernel, 2, cl_int(3));
  run(kernel, {kCount});
  map(out, kCount * 4);
  for (size_t i = 0; i < kCount; ++i)
    ASSERT_EQ(out[i], 7 + 3 * cl_int(i));
  unmap(out);
  // From the middle.
  ASSERT_CL(clSetKernelArgSVMPointer(kernel, 1, out + 100));
  run(kernel, {100});
  map(out, kCount * 4);
  EXPECT_EQ(out[99], 7 + 3 * 99);
  EXPECT_EQ(out[100], 7 + 3 * 100);
  EXPECT_EQ(out[199], 7 + 3 * 199 + 3 * 99);
  EXPECT_EQ(out[200], 7 + 3 * 200);
  unmap(out);
}

TEST_F(Svm, ListsAcrossAllocations) {
  SPEC("API, clSetKernelExecInfo: CL_KERNEL_EXEC_INFO_SVM_PTRS; pointers are the same everywhere");
  std::vector<ListNode*> nodes;
  for (int i = 0; i < 50; ++i) {
    nodes.push_back(allocate<ListNode>(1));
    map(nodes[i], sizeof(ListNode));
    *nodes[i] = {i * i, 0, nullptr};
    if (i > 0)
      nodes[i - 1]->next = nodes[i];
  }
  auto* out = allocate<cl_int>(1);
  for (auto* node : nodes)
    unmap(node);
  Kernel kernel = make_kernel(kListSource, "follow");
  ASSERT_CL(clSetKernelArgSVMPointer(kernel, 0, nodes[0]));
  ASSERT_CL(clSetKernelArgSVMPointer(kernel, 1, out));
  ASSERT_CL(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, nodes.size() * sizeof(void*),
                                nodes.data()));
  run(kernel, {1});
  int sum = 0;
  for (int i = 0; i < 50; ++i) {
    sum += i * i;
    map(nodes[i], sizeof(ListNode));
    ASSERT_EQ(nodes[i]->seen, sum);
    unmap(nodes[i]);
  }
}

TEST_F(Svm, CommandsAndTheirEvents) {
  SPEC("API, Enqueuing SVM Operations; Event Object Queries: CL_EVENT_COMMAND_TYPE");
  auto* a = allocate<cl_uchar>(4096);
  auto* b = allocate<cl_uchar>(4096);
  auto* freed = clSVMAlloc(context, CL_MEM_READ_WRITE, 64, 0);
  const cl_uint pattern[4] = {0x01020304, 0x05060708, 0x090a0b0c, 0x0d0e0f10};
  Event events[6];
  ASSERT_CL(clEnqueueSVMMemFill(queue, a, pattern, 16, 4096, 0, nullptr, events[0].out()));
  ASSERT_CL(clEnqueueSVMMemcpy(queue, CL_FALSE, b + 16, a, 4080, 0, nullptr, events[1].out()));
  const void* pointers[] = {b};
  ASSERT_CL(clEnqueueSVMMigrateMem(queue, 1, pointers, nullptr, 0, 0, nullptr, events[2].out()));
  ASSERT_CL(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, b, 4096, 0, nullptr, events[3].out()));
  EXPECT_EQ(std::memcmp(b + 16, pattern, 16), 0);
  EXPECT_EQ(std::memcmp(b + 4080, pattern, 16), 0);
  ASSERT_CL(clEnqueueSVMUnmap(queue, b, 0, nullptr, events[4].out()));
  ASSERT_CL(clEnqueueSVMFree(queue, 1, &freed, nullptr, nullptr, 0, nullptr, events[5].out()));
  ASSERT_CL(clFinish(queue));
  const cl_command_type types[] = {CL_COMMAND_SVM_MEMFILL,     CL_COMMAND_SVM_MEMCPY,
                                   CL_COMMAND_SVM_MIGRATE_MEM, CL_COMMAND_SVM_MAP,
                                   CL_COMMAND_SVM_UNMAP,       CL_COMMAND_SVM_FREE};
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(type_of(events[i]), types[i]);
    EXPECT_EQ(status_of(events[i]), CL_COMPLETE);
  }
  // Between the host's own memory and SVM.
  cl_uchar plain[64] = {};
  ASSERT_CL(clEnqueueSVMMemcpy(queue, CL_TRUE, plain, a, 64, 0, nullptr, nullptr));
  EXPECT_EQ(std::memcmp(plain, pattern, 16), 0);
}

TEST_F(Svm, CommandErrors) {
  SPEC("API, clEnqueueSVMMemcpy, clEnqueueSVMMemFill, clEnqueueSVMMap, ...: errors");
  auto* a = allocate<cl_uchar>(4096);
  EXPECT_EQ(clEnqueueSVMMemcpy(queue, CL_TRUE, nullptr, a, 4, 0, nullptr, nullptr),
            CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueSVMMemcpy(queue, CL_TRUE, a, nullptr, 4, 0, nullptr, nullptr),
            CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueSVMMemcpy(queue, CL_TRUE, a, a + 2, 4, 0, nullptr, nullptr),
            CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(clEnqueueSVMMemcpy(queue, CL_TRUE, a + 2, a, 4, 0, nullptr, nullptr),
            CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(clEnqueueSVMMemcpy(queue, CL_TRUE, a, a + 64, 4, 1, nullptr, nullptr),
            CL_INVALID_EVENT_WAIT_LIST);
  EXPECT_EQ(clEnqueueSVMMemFill(queue, nullptr, a, 4, 16, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueSVMMemFill(queue, a + 2, a + 64, 4, 16, 0, nullptr, nullptr),
            CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueSVMMemFill(queue, a, nullptr, 4, 16, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueSVMMemFill(queue, a, a + 64, 0, 16, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueSVMMemFill(queue, a, a + 64, 3, 15, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueSVMMemFill(queue, a, a + 512, 256, 512, 0, nullptr, nullptr),
            CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueSVMMemFill(queue, a, a + 64, 4, 15, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, nullptr, 4, 0, nullptr, nullptr),
            CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, a, 0, 0, nullptr, nullptr),
            CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueSVMMap(queue, CL_TRUE, 1 << 9, a, 4, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueSVMUnmap(queue, nullptr, 0, nullptr, nullptr), CL_INVALID_VALUE);
  void* pointers[] = {a};
  const void* inside[] = {a};
  const size_t too_many[] = {4097};
  EXPECT_EQ(clEnqueueSVMFree(queue, 0, pointers, nullptr, nullptr, 0, nullptr, nullptr),
            CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueSVMFree(queue, 1, nullptr, nullptr, nullptr, 0, nullptr, nullptr),
            CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueSVMMigrateMem(queue, 0, inside, nullptr, 0, 0, nullptr, nullptr),
            CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueSVMMigrateMem(queue, 1, inside, too_many, 0, 0, nullptr, nullptr),
            CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueSVMMigrateMem(queue, 1, inside, nullptr, 1 << 7, 0, nullptr, nullptr),
            CL_INVALID_VALUE);
}

TEST_F(Svm, ArgumentErrors) {
  SPEC("API, clSetKernelArgSVMPointer, clSetKernelExecInfo: errors");
  auto* a = allocate<cl_int>(64);
  Kernel kernel = make_kernel(
      "kernel void k(global int* a, constant int* b, local int* c, int d) { a[0] = d; }", "k");
  EXPECT_CL(clSetKernelArgSVMPointer(kernel, 0, a));
  EXPECT_CL(clSetKernelArgSVMPointer(kernel, 1, a + 4));
  EXPECT_EQ(clSetKernelArgSVMPointer(kernel, 4, a), CL_INVALID_ARG_INDEX);
  EXPECT_EQ(clSetKernelArgSVMPointer(kernel, 2, a), CL_INVALID_ARG_VALUE);
  EXPECT_EQ(clSetKernelArgSVMPointer(kernel, 3, a), CL_INVALID_ARG_VALUE);
  const void* pointers[] = {a};
  EXPECT_CL(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof pointers, pointers));
  EXPECT_CL(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, 0, nullptr));
  EXPECT_EQ(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, 8, nullptr),
            CL_INVALID_VALUE);
  EXPECT_EQ(clSetKernelExecInfo(kernel, 0x7777, sizeof pointers, pointers), CL_INVALID_VALUE);
  const cl_bool yes = CL_TRUE;
  EXPECT_EQ(
      clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, sizeof yes, &yes),
      levels & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM ? CL_SUCCESS : CL_INVALID_OPERATION);
  EXPECT_EQ(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, 1, &yes),
            CL_INVALID_VALUE);
}

TEST_F(Svm, BuffersOverAllocations) {
  SPEC("API, clCreateBuffer: CL_MEM_USE_HOST_PTR over SVM; Memory Object Queries: "
       "CL_MEM_USES_SVM_POINTER");
  auto* a = allocate<cl_int>(1024);
  cl_int error = CL_SUCCESS;
  Memory over(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 4096, a, &error));
  ASSERT_CL(error);
  EXPECT_EQ(info<cl_bool>(clGetMemObjectInfo, over.get(), CL_MEM_USES_SVM_POINTER),
            cl_bool(CL_TRUE));
  EXPECT_EQ(info<cl_bool>(clGetMemObjectInfo, make_buffer(64).get(), CL_MEM_USES_SVM_POINTER),
            cl_bool(CL_FALSE));
  Memory larger(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 8192, a, &error));
  EXPECT_EQ(error, CL_INVALID_BUFFER_SIZE);
  const cl_int nine = 9;
  ASSERT_CL(clEnqueueFillBuffer(queue, over, &nine, 4, 0, 4096, 0, nullptr, nullptr));
  map(a, 4096);
  EXPECT_EQ(a[1023], 9);
  unmap(a);
}

TEST_F(Svm, FreeFunction) {
  SPEC("API, clEnqueueSVMFree: the user's function gets the queue, the pointers and his data");
  struct Seen {
    cl_context context;
    cl_command_queue queue;
    std::vector<void*> pointers;
  } seen{context, nullptr, {}};
  void* pointers[] = {clSVMAlloc(context, 0, 64, 0), clSVMAlloc(context, 0, 64, 0)};
  const std::vector<void*> given(pointers, pointers + 2);
  Event event;
  ASSERT_CL(clEnqueueSVMFree(
      queue, 2, pointers,
      [](cl_command_queue queue, cl_uint count, void* list[], void* data) {
        auto& s = *static_cast<Seen*>(data);
        s.queue = queue;
        for (cl_uint i = 0; i < count; ++i) {
          s.pointers.push_back(list[i]);
          clSVMFree(s.context, list[i]);
        }
      },
      &seen, 0, nullptr, event.out()));
  ASSERT_CL(clWaitForEvents(1, event.ptr()));
  EXPECT_EQ(seen.queue, queue.get());
  EXPECT_EQ(seen.pointers, given);
}

TEST_F(Svm, FineGrainedBuffers) {
  SPEC("API, SVM Sharing Granularity: fine-grained buffers need no map");
  if (!(levels & CL_DEVICE_SVM_FINE_GRAIN_BUFFER))
    GTEST_SKIP() << "no fine-grained buffers";
  constexpr size_t kCount = 5000;
  auto* in = allocate<cl_int>(kCount, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER);
  auto* out = allocate<cl_int>(kCount, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER);
  std::iota(in, in + kCount, 0);
  std::fill_n(out, kCount, 1);
  Kernel kernel = make_kernel(kScaleSource, "scale");
  ASSERT_CL(clSetKernelArgSVMPointer(kernel, 0, in));
  ASSERT_CL(clSetKernelArgSVMPointer(kernel, 1, out));
  set_argument(kernel, 2, cl_int(2));
  for (int round = 1; round <= 3; ++round) {
    run(kernel, {kCount});
    for (size_t i = 0; i < kCount; ++i)
      ASSERT_EQ(out[i], 1 + round * 2 * cl_int(i));
  }
}

TEST_F(Svm, FineGrainedSystem) {
  SPEC("API, SVM Sharing Granularity: fine-grained system memory is any memory of the host's");
  if (!(levels & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM))
    GTEST_SKIP() << "no fine-grained system SVM";
  std::vector<ListNode> nodes(20);
  for (int i = 0; i < 20; ++i)
    nodes[i] = {i, 0, i < 19 ? &nodes[i + 1] : nullptr};
  cl_int out = 0;
  Kernel kernel = make_kernel(kListSource, "follow");
  ASSERT_CL(clSetKernelArgSVMPointer(kernel, 0, nodes.data()));
  ASSERT_CL(clSetKernelArgSVMPointer(kernel, 1, &out));
  run(kernel, {1});
  EXPECT_EQ(out, 190);
  EXPECT_EQ(nodes[19].seen, 190);
}

TEST_F(Svm, AtomicsBesideTheHost) {
  SPEC("API, Memory Consistency for SVM Allocations; C, Atomic Functions: "
       "memory_scope_all_svm_devices");
  if (!(levels & CL_DEVICE_SVM_ATOMICS))
    GTEST_SKIP() << "no SVM atomics";
  // The kernel and the host take turns: each waits for the other's number and writes the next.
  Kernel kernel = make_kernel(R"(
    kernel void turns(global atomic_int* turn, global int* data, int rounds) {
      for (int i = 0; i < rounds; ++i) {
        while (atomic_load_explicit(turn, memory_order_acquire, memory_scope_all_svm_devices) !=
               2 * i + 1);
        *data = *data * 3 + 1;
        atomic_store_explicit(turn, 2 * i + 2, memory_order_release, memory_scope_all_svm_devices);
      }
    })",
                              "turns", "-cl-std=CL3.0");
  const cl_svm_mem_flags flags =
      CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS;
  auto* turn = new (allocate<std::atomic<cl_int>>(1, flags)) std::atomic<cl_int>(0);
  auto* data = allocate<cl_int>(1, flags);
  *data = 0;
  constexpr cl_int kRounds = 1000;
  ASSERT_CL(clSetKernelArgSVMPointer(kernel, 0, turn));
  ASSERT_CL(clSetKernelArgSVMPointer(kernel, 1, data));
  set_argument(kernel, 2, kRounds);
  const size_t one = 1;
  ASSERT_CL(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, &one, 0, nullptr, nullptr));
  ASSERT_CL(clFlush(queue));
  cl_int expected = 0;
  const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  for (cl_int i = 0; i < kRounds; ++i) {
    *data += i;
    expected = (expected + i) * 3 + 1;
    turn->store(2 * i + 1, std::memory_order_release);
    while (turn->load(std::memory_order_acquire) != 2 * i + 2) {
      ASSERT_LT(std::chrono::steady_clock::now(), limit) << "the kernel does not answer";
      std::this_thread::yield();
    }
    ASSERT_EQ(*data, expected);
  }
  ASSERT_CL(clFinish(queue));
}

} // namespace
