// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_intel_unified_shared_memory 1.1.0: each call, from the extension's text.
#include "shared_memory_harness.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>

using namespace conformance;

namespace {

class Usm : public DeviceTest {
 protected:
  void SetUp() override {
    DeviceTest::SetUp();
    if (!has_extension("cl_intel_unified_shared_memory"))
      GTEST_SKIP() << "no cl_intel_unified_shared_memory";
    for (bool there : {host_alloc != nullptr, device_alloc != nullptr, shared_alloc != nullptr,
                       free_memory != nullptr, blocking_free != nullptr, get_info != nullptr,
                       set_pointer != nullptr, fill != nullptr, copy != nullptr, migrate != nullptr,
                       advise != nullptr})
      ASSERT_TRUE(there) << "an entry point is missing";
  }
  void TearDown() override {
    if (queue.get())
      clFinish(queue);
    for (auto* memory : made)
      EXPECT_CL(free_memory(context, memory));
  }
  struct Kind {
    const char* name;
    cl_unified_shared_memory_type_intel type;
    cl_device_info capability;
    cl_device_id device; // as the query answers it
    bool host_access;
    std::function<void*(const cl_mem_properties_intel*, size_t, cl_uint, cl_int*)> allocate;
  };
  // Those that the device has.
  std::vector<Kind> kinds() {
    std::vector<Kind> all = {
        {"host", CL_MEM_TYPE_HOST_INTEL, CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL, nullptr, true,
         [this](auto... rest) { return host_alloc(context, rest...); }},
        {"device", CL_MEM_TYPE_DEVICE_INTEL, CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL, device, false,
         [this](auto... rest) { return device_alloc(context, device, rest...); }},
        {"shared", CL_MEM_TYPE_SHARED_INTEL, CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL,
         device, true, [this](auto... rest) { return shared_alloc(context, device, rest...); }},
        {"shared without a device", CL_MEM_TYPE_SHARED_INTEL,
         CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL, nullptr, true,
         [this](auto... rest) { return shared_alloc(context, nullptr, rest...); }},
    };
    std::erase_if(all, [&](const Kind& kind) { return capability(kind.capability) == 0; });
    return all;
  }
  cl_bitfield capability(cl_device_info name) {
    return info<cl_device_unified_shared_memory_capabilities_intel>(clGetDeviceInfo, device, name);
  }
  template <class T>
  T* allocate(const Kind& kind, size_t count) {
    cl_int error = 77;
    auto* memory = kind.allocate(nullptr, count * sizeof(T), 0, &error);
    EXPECT_CL(error);
    EXPECT_NE(memory, nullptr);
    made.push_back(memory);
    return static_cast<T*>(memory);
  }
  template <class T>
  T query(const void* pointer, cl_mem_info_intel name) {
    T value{};
    size_t size = 0;
    EXPECT_CL(get_info(context, pointer, name, sizeof value, &value, &size));
    EXPECT_EQ(size, sizeof value);
    return value;
  }

  const clHostMemAllocINTEL_fn host_alloc =
      entry_point<clHostMemAllocINTEL_fn>("clHostMemAllocINTEL");
  const clDeviceMemAllocINTEL_fn device_alloc =
      entry_point<clDeviceMemAllocINTEL_fn>("clDeviceMemAllocINTEL");
  const clSharedMemAllocINTEL_fn shared_alloc =
      entry_point<clSharedMemAllocINTEL_fn>("clSharedMemAllocINTEL");
  const clMemFreeINTEL_fn free_memory = entry_point<clMemFreeINTEL_fn>("clMemFreeINTEL");
  const clMemBlockingFreeINTEL_fn blocking_free =
      entry_point<clMemBlockingFreeINTEL_fn>("clMemBlockingFreeINTEL");
  const clGetMemAllocInfoINTEL_fn get_info =
      entry_point<clGetMemAllocInfoINTEL_fn>("clGetMemAllocInfoINTEL");
  const clSetKernelArgMemPointerINTEL_fn set_pointer =
      entry_point<clSetKernelArgMemPointerINTEL_fn>("clSetKernelArgMemPointerINTEL");
  const clEnqueueMemFillINTEL_fn fill =
      entry_point<clEnqueueMemFillINTEL_fn>("clEnqueueMemFillINTEL");
  const clEnqueueMemcpyINTEL_fn copy = entry_point<clEnqueueMemcpyINTEL_fn>("clEnqueueMemcpyINTEL");
  const clEnqueueMigrateMemINTEL_fn migrate =
      entry_point<clEnqueueMigrateMemINTEL_fn>("clEnqueueMigrateMemINTEL");
  const clEnqueueMemAdviseINTEL_fn advise =
      entry_point<clEnqueueMemAdviseINTEL_fn>("clEnqueueMemAdviseINTEL");
  std::vector<void*> made;
};

TEST_F(Usm, Capabilities) {
  SPEC("Querying Devices: the five capabilities; device allocations must be accessible");
  for (const cl_device_info name :
       {CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL, CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL,
        CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL,
        CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL,
        CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL})
    EXPECT_EQ(capability(name) & ~cl_bitfield{15}, 0u);
  EXPECT_TRUE(capability(CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL) &
              CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL);
}

TEST_F(Usm, AllocationsAreWhatTheQueriesSay) {
  SPEC("Allocations; Unified Shared Memory Queries, also of pointers into allocations");
  const cl_mem_properties_intel none[] = {0};
  for (const auto& kind : kinds()) {
    SCOPED_TRACE(kind.name);
    for (const size_t size : {size_t{1}, size_t{100}, size_t{65'536}, size_t{3'000'000}})
      for (const cl_uint alignment : {0u, 1u, 8u, 64u, 128u}) {
        cl_int error = 77;
        auto* memory = static_cast<char*>(kind.allocate(none, size, alignment, &error));
        ASSERT_CL(error);
        ASSERT_NE(memory, nullptr);
        EXPECT_EQ(reinterpret_cast<uintptr_t>(memory) % (alignment ? alignment : 128), 0u);
        for (const char* inside : {memory, memory + size / 2, memory + size - 1}) {
          EXPECT_EQ(query<cl_unified_shared_memory_type_intel>(inside, CL_MEM_ALLOC_TYPE_INTEL),
                    kind.type);
          EXPECT_EQ(query<void*>(inside, CL_MEM_ALLOC_BASE_PTR_INTEL), memory);
          EXPECT_EQ(query<size_t>(inside, CL_MEM_ALLOC_SIZE_INTEL), size);
          EXPECT_EQ(query<cl_device_id>(inside, CL_MEM_ALLOC_DEVICE_INTEL), kind.device);
          EXPECT_EQ(query<cl_mem_alloc_flags_intel>(inside, CL_MEM_ALLOC_FLAGS_INTEL), 0u);
        }
        EXPECT_CL(free_memory(context, memory));
      }
  }
}

TEST_F(Usm, QueriesOfOtherPointers) {
  SPEC("Unified Shared Memory Queries: unknown type, null base and device, size and flags 0");
  int on_the_stack = 0;
  for (const void* pointer :
       {static_cast<const void*>(&on_the_stack), static_cast<const void*>(nullptr)}) {
    EXPECT_EQ(query<cl_unified_shared_memory_type_intel>(pointer, CL_MEM_ALLOC_TYPE_INTEL),
              cl_uint(CL_MEM_TYPE_UNKNOWN_INTEL));
    EXPECT_EQ(query<void*>(pointer, CL_MEM_ALLOC_BASE_PTR_INTEL), nullptr);
    EXPECT_EQ(query<size_t>(pointer, CL_MEM_ALLOC_SIZE_INTEL), 0u);
    EXPECT_EQ(query<cl_device_id>(pointer, CL_MEM_ALLOC_DEVICE_INTEL), nullptr);
    EXPECT_EQ(query<cl_mem_alloc_flags_intel>(pointer, CL_MEM_ALLOC_FLAGS_INTEL), 0u);
  }
  cl_uint type = 0;
  EXPECT_EQ(get_info(nullptr, &type, CL_MEM_ALLOC_TYPE_INTEL, sizeof type, &type, nullptr),
            CL_INVALID_CONTEXT);
  EXPECT_EQ(get_info(context, &type, 0x7777, sizeof type, &type, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(get_info(context, &type, CL_MEM_ALLOC_TYPE_INTEL, 1, &type, nullptr), CL_INVALID_VALUE);
}

TEST_F(Usm, Flags) {
  SPEC("Controlling Allocations: CL_MEM_ALLOC_FLAGS_INTEL");
  for (const auto& kind : kinds()) {
    SCOPED_TRACE(kind.name);
    const auto error_of = [&](std::vector<cl_mem_properties_intel> properties) {
      cl_int error = 77;
      auto* memory = kind.allocate(properties.data(), 64, 0, &error);
      EXPECT_EQ(memory == nullptr, error != CL_SUCCESS);
      if (memory) {
        EXPECT_EQ(query<cl_mem_alloc_flags_intel>(memory, CL_MEM_ALLOC_FLAGS_INTEL), properties[1]);
        EXPECT_CL(free_memory(context, memory));
      }
      return error;
    };
    const bool shared = kind.type == CL_MEM_TYPE_SHARED_INTEL;
    EXPECT_CL(error_of({CL_MEM_ALLOC_FLAGS_INTEL, CL_MEM_ALLOC_WRITE_COMBINED_INTEL, 0}));
    for (const cl_bitfield place :
         {CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL, CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL})
      EXPECT_EQ(error_of({CL_MEM_ALLOC_FLAGS_INTEL, place, 0}),
                shared ? CL_SUCCESS : CL_INVALID_PROPERTY);
    EXPECT_EQ(error_of({CL_MEM_ALLOC_FLAGS_INTEL,
                        CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL |
                            CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL,
                        0}),
              CL_INVALID_PROPERTY);
    EXPECT_EQ(error_of({CL_MEM_ALLOC_FLAGS_INTEL, 1 << 20, 0}), CL_INVALID_PROPERTY);
    EXPECT_EQ(error_of({0x7777, 0, 0}), CL_INVALID_PROPERTY);
    EXPECT_EQ(error_of({CL_MEM_ALLOC_FLAGS_INTEL, 0, CL_MEM_ALLOC_FLAGS_INTEL, 0, 0}),
              CL_INVALID_PROPERTY);
  }
}

TEST_F(Usm, AllocationErrors) {
  SPEC("Host, Device, Shared Allocations: errors");
  const auto most = info<cl_ulong>(clGetDeviceInfo, device, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  for (const auto& kind : kinds()) {
    SCOPED_TRACE(kind.name);
    cl_int error = CL_SUCCESS;
    EXPECT_EQ(kind.allocate(nullptr, 0, 0, &error), nullptr);
    EXPECT_EQ(error, CL_INVALID_BUFFER_SIZE);
    EXPECT_EQ(kind.allocate(nullptr, most + 1, 0, &error), nullptr);
    EXPECT_EQ(error, CL_INVALID_BUFFER_SIZE);
    EXPECT_EQ(kind.allocate(nullptr, 64, 3, &error), nullptr);
    EXPECT_EQ(error, CL_INVALID_VALUE);
  }
  cl_int error = CL_SUCCESS;
  EXPECT_EQ(device_alloc(nullptr, device, nullptr, 64, 0, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_CONTEXT);
  EXPECT_EQ(device_alloc(context, nullptr, nullptr, 64, 0, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_DEVICE);
}

TEST_F(Usm, FreeErrors) {
  SPEC("Freeing Allocations: errors; null is no action");
  int on_the_stack = 0;
  for (auto* release : {free_memory, blocking_free}) {
    cl_int error = CL_SUCCESS;
    auto* memory = static_cast<char*>(device_alloc(context, device, nullptr, 4096, 0, &error));
    ASSERT_CL(error);
    EXPECT_CL(release(context, nullptr));
    EXPECT_EQ(release(nullptr, memory), CL_INVALID_CONTEXT);
    EXPECT_EQ(release(context, &on_the_stack), CL_INVALID_VALUE);
    EXPECT_EQ(release(context, memory + 64), CL_INVALID_VALUE);
    EXPECT_CL(release(context, memory));
    EXPECT_EQ(release(context, memory), CL_INVALID_VALUE);
  }
}

TEST_F(Usm, KernelsCopiesAndFills) {
  SPEC("Using USM with Kernels; Filling and Copying USM");
  constexpr size_t kCount = 5000;
  std::vector<cl_int> given(kCount), got(kCount);
  std::iota(given.begin(), given.end(), 0);
  Kernel kernel = make_kernel(kScaleSource, "scale");
  for (const auto& from : kinds())
    for (const auto& to : kinds()) {
      SCOPED_TRACE(std::string(from.name) + " to " + to.name);
      auto* in = allocate<cl_int>(from, kCount);
      auto* out = allocate<cl_int>(to, kCount);
      const cl_int one = 1;
      ASSERT_CL(copy(queue, CL_FALSE, in, given.data(), kCount * 4, 0, nullptr, nullptr));
      ASSERT_CL(fill(queue, out, &one, 4, kCount * 4, 0, nullptr, nullptr));
      ASSERT_CL(set_pointer(kernel, 0, in));
      ASSERT_CL(set_pointer(kernel, 1, out + 100));
      set_argument(kernel, 2, cl_int(5));
      run(kernel, {kCount - 100});
      ASSERT_CL(copy(queue, CL_TRUE, got.data(), out, kCount * 4, 0, nullptr, nullptr));
      for (size_t i = 0; i < kCount; ++i)
        ASSERT_EQ(got[i], i < 100 ? 1 : 1 + 5 * cl_int(i - 100));
      if (to.host_access) {
        EXPECT_EQ(out[kCount - 1], got[kCount - 1]);
      }
      ASSERT_CL(copy(queue, CL_TRUE, out, in, kCount * 4, 0, nullptr, nullptr));
    }
  for (size_t bytes = 1; bytes <= 128; bytes *= 2) {
    auto* memory = allocate<char>(kinds()[0], 1024);
    std::vector<char> pattern(bytes), back(1024);
    std::iota(pattern.begin(), pattern.end(), char(1));
    ASSERT_CL(fill(queue, memory, pattern.data(), bytes, 1024, 0, nullptr, nullptr));
    ASSERT_CL(copy(queue, CL_TRUE, back.data(), memory, 1024, 0, nullptr, nullptr));
    for (size_t i = 0; i < 1024; ++i)
      ASSERT_EQ(back[i], pattern[i % bytes]);
  }
}

TEST_F(Usm, IndirectAccess) {
  SPEC("Using USM with Kernels: CL_KERNEL_EXEC_INFO_INDIRECT_*_ACCESS_INTEL, USM_PTRS_INTEL");
  Kernel kernel = make_kernel(kListSource, "follow");
  const cl_bool yes = CL_TRUE, no = CL_FALSE;
  for (const bool by_list : {false, true}) {
    std::vector<ListNode*> nodes;
    std::vector<ListNode> contents;
    for (int round = 0; round < 5; ++round)
      for (const auto& kind : kinds())
        nodes.push_back(allocate<ListNode>(kind, 1));
    for (size_t i = 0; i < nodes.size(); ++i) {
      const ListNode node{cl_int(i), 0, i + 1 < nodes.size() ? nodes[i + 1] : nullptr};
      ASSERT_CL(copy(queue, CL_TRUE, nodes[i], &node, sizeof node, 0, nullptr, nullptr));
    }
    auto* out = allocate<cl_int>(kinds()[0], 1);
    for (const cl_kernel_exec_info name : {CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL,
                                           CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL,
                                           CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL})
      ASSERT_CL(clSetKernelExecInfo(kernel, name, sizeof yes, by_list ? &no : &yes));
    if (by_list) {
      ASSERT_CL(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL,
                                    nodes.size() * sizeof(void*), nodes.data()));
    }
    ASSERT_CL(set_pointer(kernel, 0, nodes[0]));
    ASSERT_CL(set_pointer(kernel, 1, out));
    run(kernel, {1});
    ListNode last{};
    ASSERT_CL(copy(queue, CL_TRUE, &last, nodes.back(), sizeof last, 0, nullptr, nullptr));
    EXPECT_EQ(last.seen, cl_int(nodes.size() * (nodes.size() - 1) / 2));
    ASSERT_CL(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, 0, nullptr));
  }
}

TEST_F(Usm, Arguments) {
  SPEC("Using USM with Kernels: clSetKernelArgMemPointerINTEL; since 1.1.0 any pointer is valid");
  Kernel kernel = make_kernel(
      "kernel void k(global int* a, constant int* b, local int* c, int d) { a[0] = b[0] + d; }",
      "k");
  auto* memory = allocate<cl_int>(kinds()[0], 64);
  int on_the_stack = 0;
  EXPECT_CL(set_pointer(kernel, 0, &on_the_stack));
  EXPECT_CL(set_pointer(kernel, 0, nullptr));
  EXPECT_CL(set_pointer(kernel, 0, reinterpret_cast<void*>(16)));
  EXPECT_CL(set_pointer(kernel, 0, memory + 3));
  EXPECT_CL(set_pointer(kernel, 1, memory));
  EXPECT_EQ(set_pointer(kernel, 2, memory), CL_INVALID_ARG_VALUE);
  EXPECT_EQ(set_pointer(kernel, 3, memory), CL_INVALID_ARG_VALUE);
  EXPECT_EQ(set_pointer(kernel, 4, memory), CL_INVALID_ARG_INDEX);
  EXPECT_EQ(set_pointer(nullptr, 0, memory), CL_INVALID_KERNEL);
  set_argument(kernel, 2, Local{64});
  set_argument(kernel, 3, cl_int(40));
  const cl_int two = 2;
  ASSERT_CL(fill(queue, memory, &two, 4, 256, 0, nullptr, nullptr));
  run(kernel, {1});
  cl_int got[4] = {};
  ASSERT_CL(copy(queue, CL_TRUE, got, memory, sizeof got, 0, nullptr, nullptr));
  EXPECT_EQ(got[2], 2);
  EXPECT_EQ(got[3], 42);
}

TEST_F(Usm, CommandErrors) {
  SPEC("Filling and Copying USM; Hints: errors");
  auto* m = allocate<cl_uchar>(kinds()[0], 4096);
  EXPECT_EQ(copy(queue, CL_TRUE, nullptr, m, 16, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(copy(queue, CL_TRUE, m, nullptr, 16, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(copy(queue, CL_TRUE, m, m + 8, 16, 0, nullptr, nullptr), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(copy(queue, CL_TRUE, m, m + 64, 16, 1, nullptr, nullptr), CL_INVALID_EVENT_WAIT_LIST);
  EXPECT_EQ(fill(queue, nullptr, m, 4, 16, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(fill(queue, m, nullptr, 4, 16, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(fill(queue, m + 1, m + 64, 4, 16, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(fill(queue, m, m + 64, 3, 15, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(fill(queue, m, m + 512, 256, 512, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(fill(queue, m, m + 64, 4, 15, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(migrate(queue, m, 4096, 0, 0, nullptr, nullptr), CL_INVALID_VALUE)
      << "before version 1.2.0 no flags are invalid";
  EXPECT_EQ(migrate(queue, m, 4096, 1 << 9, 0, nullptr, nullptr), CL_INVALID_VALUE);
  cl_int error = CL_SUCCESS;
  Context other(clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error));
  Event elsewhere(clCreateUserEvent(other, &error));
  EXPECT_EQ(copy(queue, CL_TRUE, m, m + 64, 16, 1, elsewhere.ptr(), nullptr), CL_INVALID_CONTEXT);
}

TEST_F(Usm, EventsOfCommands) {
  SPEC("New return values: CL_EVENT_COMMAND_TYPE; profiling");
  auto* m = allocate<cl_uchar>(kinds().back(), 8192);
  Event events[3];
  ASSERT_CL(fill(queue, m, "abcd", 4, 4096, 0, nullptr, events[0].out()));
  ASSERT_CL(copy(queue, CL_FALSE, m + 4096, m, 4096, 1, events[0].ptr(), events[1].out()));
  ASSERT_CL(
      migrate(queue, m, 8192, CL_MIGRATE_MEM_OBJECT_HOST, 1, events[1].ptr(), events[2].out()));
  ASSERT_CL(clWaitForEvents(1, events[2].ptr()));
  const cl_command_type types[] = {CL_COMMAND_MEMFILL_INTEL, CL_COMMAND_MEMCPY_INTEL,
                                   CL_COMMAND_MIGRATEMEM_INTEL};
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(type_of(events[i]), types[i]);
    cl_ulong started = 0, ended = 0;
    EXPECT_CL(clGetEventProfilingInfo(events[i], CL_PROFILING_COMMAND_START, sizeof started,
                                      &started, nullptr));
    EXPECT_CL(clGetEventProfilingInfo(events[i], CL_PROFILING_COMMAND_END, sizeof ended, &ended,
                                      nullptr));
    EXPECT_LE(started, ended);
  }
}

TEST_F(Usm, BlockingFreeWaits) {
  SPEC("Freeing Allocations: clMemBlockingFreeINTEL waits for commands enqueued before");
  cl_int error = CL_SUCCESS;
  auto* memory = device_alloc(context, device, nullptr, 1 << 16, 0, &error);
  ASSERT_CL(error);
  Kernel kernel = make_kernel(R"(
    kernel void slow(global uint* out) {
      uint v = get_global_id(0);
      for (int i = 0; i < 2000000; ++i) v = v * 1664525u + 1013904223u;
      out[get_global_id(0)] = v;
    })",
                              "slow");
  ASSERT_CL(set_pointer(kernel, 0, memory));
  const size_t items = 64;
  Event event;
  ASSERT_CL(
      clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, nullptr, 0, nullptr, event.out()));
  EXPECT_CL(blocking_free(context, memory));
  EXPECT_EQ(status_of(event), CL_COMPLETE);
}

} // namespace
