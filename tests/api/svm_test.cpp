// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SVM (OpenCL API 5.6): allocations, what frees them, buffers over them, kernels that use them.
#include "tests/api/api_test.h"
#include "tests/api/shared_memory.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <numeric>

namespace heddle::test {
namespace {

class Svm : public ApiTest {};

TEST_F(Svm, EveryCapability) {
  EXPECT_EQ(info<cl_device_svm_capabilities>(device(), CL_DEVICE_SVM_CAPABILITIES),
            cl_device_svm_capabilities(CL_DEVICE_SVM_COARSE_GRAIN_BUFFER |
                                       CL_DEVICE_SVM_FINE_GRAIN_BUFFER |
                                       CL_DEVICE_SVM_FINE_GRAIN_SYSTEM | CL_DEVICE_SVM_ATOMICS));
  const auto atomics =
      info<cl_device_atomic_capabilities>(device(), CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES);
  EXPECT_TRUE(atomics & CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES);
}

TEST_F(Svm, AllocationsAreAlignedApartAndZero) {
  std::vector<std::pair<char*, size_t>> made;
  for (const size_t size : {1, 100, 4096, 70'000, 1 << 20, (1 << 21) + 1})
    for (cl_uint alignment = 1; alignment <= 4096; alignment *= 2)
      for (const cl_svm_mem_flags flags :
           {cl_svm_mem_flags(0), cl_svm_mem_flags(CL_MEM_READ_ONLY),
            cl_svm_mem_flags(CL_MEM_WRITE_ONLY | CL_MEM_SVM_FINE_GRAIN_BUFFER),
            cl_svm_mem_flags(CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER |
                             CL_MEM_SVM_ATOMICS)}) {
        auto* memory = static_cast<char*>(clSVMAlloc(context_, flags, size, alignment));
        ASSERT_NE(memory, nullptr) << size << " bytes at " << alignment;
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % alignment, 0u);
        ASSERT_TRUE(std::all_of(memory, memory + size, [](char c) { return c == 0; }));
        std::memset(memory, 0x5a, size);
        made.emplace_back(memory, size);
      }
  std::sort(made.begin(), made.end());
  for (size_t i = 1; i < made.size(); ++i)
    EXPECT_LE(made[i - 1].first + made[i - 1].second, made[i].first);
  for (const auto& [memory, size] : made)
    clSVMFree(context_, memory);
  auto* memory = clSVMAlloc(context_, 0, 64, 0); // "the largest data type", long16
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % 128, 0u);
  clSVMFree(context_, memory);
}

// From the heap, and what is too large for it.
TEST_F(Svm, RecycledMemoryIsZero) {
  for (const auto& [size, rounds] :
       {std::pair<size_t, int>{5000, 200}, {3 << 19, 10}, {4 << 20, 5}})
    for (int i = 0; i != rounds; ++i) {
      SvmArray<char> memory(context_, size);
      ASSERT_TRUE(std::all_of(memory.data(), memory.data() + size, [](char c) { return c == 0; }));
      std::memset(memory.data(), 0x77, size);
      const auto buffer = make_buffer(context_, size);
      const auto read_back = read<char>(queue_, buffer, size);
      ASSERT_EQ(std::count(read_back.begin(), read_back.end(), 0), size) << "a new buffer";
      const char pattern = 0x66;
      check(clEnqueueFillBuffer(queue_, buffer, &pattern, 1, 0, size, 0, nullptr, nullptr), "fill");
      check(clFinish(queue_), "clFinish");
    }
}

TEST_F(Svm, AllocationsThatFail) {
  const auto most = info<cl_ulong>(device(), CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  EXPECT_EQ(clSVMAlloc(nullptr, 0, 64, 0), nullptr);
  EXPECT_EQ(clSVMAlloc(context_, 0, 0, 0), nullptr);
  EXPECT_EQ(clSVMAlloc(context_, 0, most + 1, 0), nullptr);
  EXPECT_EQ(clSVMAlloc(context_, 0, SIZE_MAX, 0), nullptr);
  EXPECT_EQ(clSVMAlloc(context_, 0, 64, 3), nullptr);
  EXPECT_EQ(clSVMAlloc(context_, 0, 64, 1u << 31), nullptr);
  for (const cl_svm_mem_flags flags : {CL_MEM_SVM_ATOMICS, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY,
                                       CL_MEM_READ_WRITE | CL_MEM_READ_ONLY, CL_MEM_USE_HOST_PTR,
                                       CL_MEM_COPY_HOST_PTR, CL_MEM_HOST_READ_ONLY, 1 << 20})
    EXPECT_EQ(clSVMAlloc(context_, flags, 64, 0), nullptr) << flags;
}

// None of it is an error that can be told; none of it must do harm.
TEST_F(Svm, FreesThatAreNotValid) {
  auto* memory = static_cast<char*>(clSVMAlloc(context_, 0, 4096, 0));
  int on_the_stack = 0;
  clSVMFree(context_, nullptr);
  clSVMFree(context_, memory + 16);
  clSVMFree(context_, &on_the_stack);
  const auto other = make_context();
  clSVMFree(other, memory);
  clSVMFree(nullptr, memory);
  std::memset(memory, 1, 4096);
  clSVMFree(context_, memory);
  clSVMFree(context_, memory);
  void* twice[] = {memory, nullptr, &on_the_stack};
  check(clEnqueueSVMFree(queue_, 3, twice, nullptr, nullptr, 0, nullptr, nullptr), "SVMFree");
  check(clFinish(queue_), "clFinish");
}

TEST_F(Svm, GoesWithItsContext) {
  for (int i = 0; i != 100; ++i) {
    const auto context = make_context();
    for (const size_t size : {64, 100'000, 4 << 20})
      ASSERT_NE(clSVMAlloc(context, 0, size, 0), nullptr);
  }
}

TEST_F(Svm, CommandsHaveTheirTypesAndTimes) {
  const auto queue = make_queue(context_, CL_QUEUE_PROFILING_ENABLE);
  SvmArray<cl_int> a(context_, 1024), b(context_, 1024);
  const cl_int seven = 7;
  const void* pointers[] = {a.data(), b.data() + 3};
  auto* to_free = clSVMAlloc(context_, 0, 64, 0);
  std::vector<std::pair<Event, cl_command_type>> events(6);
  check(clEnqueueSVMMemFill(queue, a.data(), &seven, 4, 4096, 0, nullptr, events[0].first.out()),
        "fill");
  check(clEnqueueSVMMemcpy(queue, CL_FALSE, b.data(), a.data(), 4096, 0, nullptr,
                           events[1].first.out()),
        "memcpy");
  check(clEnqueueSVMMap(queue, CL_FALSE, CL_MAP_READ, b.data(), 4096, 0, nullptr,
                        events[2].first.out()),
        "map");
  check(clEnqueueSVMUnmap(queue, b.data(), 0, nullptr, events[3].first.out()), "unmap");
  check(clEnqueueSVMMigrateMem(queue, 2, pointers, nullptr, 0, 0, nullptr, events[4].first.out()),
        "migrate");
  check(clEnqueueSVMFree(queue, 1, &to_free, nullptr, nullptr, 0, nullptr, events[5].first.out()),
        "free");
  const cl_command_type types[] = {CL_COMMAND_SVM_MEMFILL,     CL_COMMAND_SVM_MEMCPY,
                                   CL_COMMAND_SVM_MAP,         CL_COMMAND_SVM_UNMAP,
                                   CL_COMMAND_SVM_MIGRATE_MEM, CL_COMMAND_SVM_FREE};
  check(clFinish(queue), "clFinish");
  for (size_t i = 0; i != events.size(); ++i) {
    EXPECT_EQ(command_type(events[i].first), types[i]);
    EXPECT_EQ(event_status(events[i].first), CL_COMPLETE);
    const auto queued = profiling(events[i].first, CL_PROFILING_COMMAND_QUEUED);
    const auto started = profiling(events[i].first, CL_PROFILING_COMMAND_START);
    const auto ended = profiling(events[i].first, CL_PROFILING_COMMAND_END);
    EXPECT_LE(queued, started);
    EXPECT_LE(started, ended);
  }
  EXPECT_EQ(b[1023], 7);
}

TEST_F(Svm, CopiesOfEverySize) {
  for (const size_t size : {1, 63, 4096, 1 << 20, (5 << 20) + 3}) {
    SvmArray<char> from(context_, size), to(context_, size + 1);
    std::iota(from.data(), from.data() + size, char(1));
    check(clEnqueueSVMMemcpy(queue_, CL_TRUE, to.data(), from.data(), size, 0, nullptr, nullptr),
          "memcpy");
    EXPECT_EQ(std::memcmp(to.data(), from.data(), size), 0);
    EXPECT_EQ(to[size], 0);
    // From and to what is no SVM.
    std::vector<char> plain(size);
    check(clEnqueueSVMMemcpy(queue_, CL_TRUE, plain.data(), from.data(), size, 0, nullptr, nullptr),
          "to the host");
    EXPECT_EQ(std::memcmp(plain.data(), from.data(), size), 0);
  }
  SvmArray<char> memory(context_, 4096);
  for (size_t bytes = 1; bytes <= 128; bytes *= 2) {
    std::vector<char> pattern(bytes);
    std::iota(pattern.begin(), pattern.end(), char(bytes));
    check(clEnqueueSVMMemFill(queue_, memory.data() + 1024, pattern.data(), bytes, 2048, 0, nullptr,
                              nullptr),
          "fill");
    check(clFinish(queue_), "clFinish");
    EXPECT_EQ(memory[1023], 0);
    EXPECT_EQ(memory[3072], 0);
    for (size_t i = 0; i != 2048; ++i)
      ASSERT_EQ(memory[1024 + i], pattern[i % bytes]) << i;
  }
  check(
      clEnqueueSVMMemcpy(queue_, CL_TRUE, memory.data(), memory.data() + 8, 0, 0, nullptr, nullptr),
      "no bytes");
}

TEST_F(Svm, ErrorsOfCommands) {
  SvmArray<char> memory(context_, 4096);
  auto* m = memory.data();
  const auto other_context = make_context();
  cl_int status = CL_SUCCESS;
  const Event elsewhere(clCreateUserEvent(other_context, &status));
  const cl_event wrong = elsewhere, none = nullptr;
  const auto copy = [&](void* to, const void* from, size_t size, cl_uint waits = 0,
                        const cl_event* list = nullptr) {
    return clEnqueueSVMMemcpy(queue_, CL_TRUE, to, from, size, waits, list, nullptr);
  };
  EXPECT_EQ(copy(nullptr, m, 4), CL_INVALID_VALUE);
  EXPECT_EQ(copy(m, nullptr, 4), CL_INVALID_VALUE);
  EXPECT_EQ(copy(m, m, 4), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(copy(m, m + 3, 4), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(copy(m + 3, m, 4), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(copy(m + 4, m, 4), CL_SUCCESS);
  EXPECT_EQ(copy(m, m + 8, SIZE_MAX), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(copy(m, m + 64, 4, 1, nullptr), CL_INVALID_EVENT_WAIT_LIST);
  EXPECT_EQ(copy(m, m + 64, 4, 0, &wrong), CL_INVALID_EVENT_WAIT_LIST);
  EXPECT_EQ(copy(m, m + 64, 4, 1, &none), CL_INVALID_EVENT_WAIT_LIST);
  EXPECT_EQ(copy(m, m + 64, 4, 1, &wrong), CL_INVALID_CONTEXT);

  const auto fill = [&](void* to, const void* pattern, size_t bytes, size_t size) {
    return clEnqueueSVMMemFill(queue_, to, pattern, bytes, size, 0, nullptr, nullptr);
  };
  EXPECT_EQ(fill(nullptr, m, 4, 16), CL_INVALID_VALUE);
  EXPECT_EQ(fill(m, nullptr, 4, 16), CL_INVALID_VALUE);
  EXPECT_EQ(fill(m + 2, m, 4, 16), CL_INVALID_VALUE) << "alignment";
  EXPECT_EQ(fill(m, m + 512, 0, 16), CL_INVALID_VALUE);
  EXPECT_EQ(fill(m, m + 512, 3, 15), CL_INVALID_VALUE);
  EXPECT_EQ(fill(m, m + 512, 256, 512), CL_INVALID_VALUE);
  EXPECT_EQ(fill(m, m + 512, 4, 15), CL_INVALID_VALUE);
  EXPECT_EQ(fill(m, m + 512, 4, 0), CL_SUCCESS);
  EXPECT_EQ(clEnqueueSVMMemFill(queue_, m, m + 512, 4, 16, 1, &wrong, nullptr), CL_INVALID_CONTEXT);

  const auto map = [&](void* at, size_t size, cl_map_flags flags) {
    return clEnqueueSVMMap(queue_, CL_TRUE, flags, at, size, 0, nullptr, nullptr);
  };
  EXPECT_EQ(map(nullptr, 16, CL_MAP_READ), CL_INVALID_VALUE);
  EXPECT_EQ(map(m, 0, CL_MAP_READ), CL_INVALID_VALUE);
  EXPECT_EQ(map(m, 16, 1 << 7), CL_INVALID_VALUE);
  EXPECT_EQ(map(m, 16, CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION), CL_INVALID_VALUE);
  EXPECT_EQ(map(m + 5, 16, CL_MAP_READ | CL_MAP_WRITE), CL_SUCCESS);
  EXPECT_EQ(map(m, 16, CL_MAP_WRITE_INVALIDATE_REGION), CL_SUCCESS);
  EXPECT_EQ(clEnqueueSVMUnmap(queue_, nullptr, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueSVMUnmap(queue_, m, 1, nullptr, nullptr), CL_INVALID_EVENT_WAIT_LIST);

  const void* pointers[] = {m + 4000};
  const size_t too_many[] = {97}, all[] = {96}, whole[] = {0};
  const auto migrate = [&](cl_uint count, const void** at, const size_t* sizes,
                           cl_mem_migration_flags flags) {
    return clEnqueueSVMMigrateMem(queue_, count, at, sizes, flags, 0, nullptr, nullptr);
  };
  EXPECT_EQ(migrate(0, pointers, nullptr, 0), CL_INVALID_VALUE);
  EXPECT_EQ(migrate(1, nullptr, nullptr, 0), CL_INVALID_VALUE);
  EXPECT_EQ(migrate(1, pointers, too_many, 0), CL_INVALID_VALUE);
  EXPECT_EQ(migrate(1, pointers, nullptr, 1 << 5), CL_INVALID_VALUE);
  EXPECT_EQ(migrate(1, pointers, all, CL_MIGRATE_MEM_OBJECT_HOST), CL_SUCCESS);
  EXPECT_EQ(migrate(1, pointers, whole, CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED), CL_SUCCESS);
  int foreign = 0;
  pointers[0] = &foreign; // with system SVM as good as any
  EXPECT_EQ(migrate(1, pointers, nullptr, 0), CL_SUCCESS);

  void* to_free[] = {m};
  EXPECT_EQ(clEnqueueSVMFree(queue_, 0, to_free, nullptr, nullptr, 0, nullptr, nullptr),
            CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueSVMFree(queue_, 1, nullptr, nullptr, nullptr, 0, nullptr, nullptr),
            CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueSVMFree(queue_, 1, to_free, nullptr, nullptr, 1, &wrong, nullptr),
            CL_INVALID_CONTEXT);
  // A blocking command behind an event that fails.
  const Event failing(clCreateUserEvent(context_, &status));
  const cl_event waits = failing;
  check(clSetUserEventStatus(failing, -5), "clSetUserEventStatus");
  EXPECT_EQ(clEnqueueSVMMap(queue_, CL_TRUE, CL_MAP_READ, m, 16, 1, &waits, nullptr),
            CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  EXPECT_EQ(copy(m, m + 64, 4, 1, &waits), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
}

TEST_F(Svm, FreeCommandsInEveryOrder) {
  const auto out_of_order = make_queue(context_, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  for (const cl_command_queue queue : {queue_.get(), out_of_order.get()})
    for (int i = 0; i != 100; ++i) {
      void* pointers[] = {clSVMAlloc(context_, 0, 1000, 0), clSVMAlloc(context_, 0, 1 << 20, 0)};
      const char one = 1;
      Event filled;
      check(clEnqueueSVMMemFill(queue, pointers[1], &one, 1, 1 << 20, 0, nullptr, filled.out()),
            "fill");
      const cl_event waits = filled;
      check(clEnqueueSVMFree(queue, 2, pointers, nullptr, nullptr, 1, &waits, nullptr), "free");
      if (i % 10 == 0)
        check(clFinish(queue), "clFinish");
    }
  check(clFinish(out_of_order), "clFinish");
}

struct Freed {
  cl_context context;
  cl_command_queue queue = nullptr;
  std::vector<void*> pointers;
};

TEST_F(Svm, FreeWithTheUsersFunction) {
  Freed freed{context_, nullptr, {}};
  void* pointers[] = {clSVMAlloc(context_, 0, 64, 0), clSVMAlloc(context_, 0, 1 << 21, 0),
                      new char[16]};
  const std::vector<void*> given(pointers, pointers + 3);
  cl_int status = CL_SUCCESS;
  const Event gate(clCreateUserEvent(context_, &status));
  const cl_event waits = gate;
  Event event;
  check(clEnqueueSVMFree(
            queue_, 3, pointers,
            [](cl_command_queue queue, cl_uint count, void* list[], void* data) {
              auto& f = *static_cast<Freed*>(data);
              f.queue = queue;
              f.pointers.assign(list, list + count);
              // It may wait for other commands.
              SvmArray<char> a(f.context, 64), b(f.context, 64);
              const auto other = make_queue(f.context);
              check(clEnqueueSVMMemcpy(other, CL_TRUE, a.data(), b.data(), 64, 0, nullptr, nullptr),
                    "within the callback");
              clSVMFree(f.context, list[0]);
              clSVMFree(f.context, list[1]);
              delete[] static_cast<char*>(list[2]);
            },
            &freed, 1, &waits, event.out()),
        "clEnqueueSVMFree");
  std::fill(std::begin(pointers), std::end(pointers), nullptr); // the list is the caller's again
  EXPECT_EQ(freed.queue, nullptr);
  check(clSetUserEventStatus(gate, CL_COMPLETE), "clSetUserEventStatus");
  check(clWaitForEvents(1, event.address()), "clWaitForEvents");
  EXPECT_EQ(freed.queue, queue_.get());
  EXPECT_EQ(freed.pointers, given);
}

// Each work-item follows pointers that the host has put there.
TEST_F(Svm, ListsOfPointers) {
  struct Node {
    cl_int value;
    Node* next;
  };
  const auto program = build(context_, R"(
    typedef struct Node { int value; global struct Node* next; } Node;
    kernel void sum(global ulong* lists, global int* out) {
      int sum = 0;
      for (global Node* n = (global Node*)lists[get_global_id(0)]; n; n = n->next) { sum += n->value; n->value = -sum; }
      out[get_global_id(0)] = sum;
    })");
  const auto kernel = make_kernel(program, "sum");
  for (const bool system : {false, true}) {
    constexpr size_t kLists = 64;
    SvmArray<Node*> heads(context_, kLists);
    SvmArray<cl_int> out(context_, kLists);
    std::vector<void*> nodes;
    std::vector<cl_int> expected(kLists);
    for (size_t i = 0; i != kLists; ++i)
      for (size_t k = 0; k != i; ++k) {
        auto* node = static_cast<Node*>(system ? std::malloc(sizeof(Node))
                                               : clSVMAlloc(context_, 0, sizeof(Node), 0));
        *node = {cl_int(i + k), heads[i]};
        heads[i] = node;
        nodes.push_back(node);
        expected[i] += node->value;
      }
    check(clSetKernelArgSVMPointer(kernel, 0, heads.data()), "argument 0");
    check(clSetKernelArgSVMPointer(kernel, 1, out.data()), "argument 1");
    check(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, nodes.size() * sizeof(void*),
                              nodes.data()),
          "CL_KERNEL_EXEC_INFO_SVM_PTRS");
    run(queue_, kernel, {{kLists}, {}, {}});
    for (size_t i = 0; i != kLists; ++i) {
      EXPECT_EQ(out[i], expected[i]);
      if (heads[i]) {
        EXPECT_EQ(heads[i]->value, -cl_int(2 * i - 1)) << "written by the kernel";
      }
    }
    for (auto* node : nodes)
      system ? std::free(node) : clSVMFree(context_, node);
  }
}

TEST_F(Svm, ArgumentsAndWhatBelongsToThem) {
  const auto program = build(context_, R"(
    kernel void k(global int* a, constant int* b, local int* c, int d, global const float4* e) {
      a[get_global_id(0)] += b[0] + d;
    })");
  const auto kernel = make_kernel(program, "k");
  SvmArray<cl_int> a(context_, 16), b(context_, 16);
  EXPECT_EQ(clSetKernelArgSVMPointer(kernel, 5, a.data()), CL_INVALID_ARG_INDEX);
  EXPECT_EQ(clSetKernelArgSVMPointer(kernel, 2, a.data()), CL_INVALID_ARG_VALUE);
  EXPECT_EQ(clSetKernelArgSVMPointer(kernel, 3, a.data()), CL_INVALID_ARG_VALUE);
  EXPECT_EQ(clSetKernelArgSVMPointer(kernel, 0, a.data() + 4), CL_SUCCESS);
  EXPECT_EQ(clSetKernelArgSVMPointer(kernel, 1, b.data()), CL_SUCCESS);
  EXPECT_EQ(enqueue(queue_, kernel, {{4}, {}, {}}), CL_INVALID_KERNEL_ARGS) << "not all are set";
  check(set_arg(kernel, 2, Local{64}), "argument 2");
  check(set_arg(kernel, 3, cl_int(100)), "argument 3");
  EXPECT_EQ(clSetKernelArgSVMPointer(kernel, 4, nullptr), CL_SUCCESS);
  b[0] = 5;
  run(queue_, kernel, {{4}, {}, {}});
  EXPECT_EQ(a[3], 0);
  EXPECT_EQ(a[4], 105);
  EXPECT_EQ(a[7], 105);
  EXPECT_EQ(a[8], 0);
  // A clone has the same pointers, and its own from then on.
  cl_int status = CL_SUCCESS;
  const Kernel clone(clCloneKernel(kernel, &status));
  check(status, "clCloneKernel");
  check(clSetKernelArgSVMPointer(kernel, 0, a.data()), "argument 0");
  run(queue_, clone, {{4}, {}, {}});
  EXPECT_EQ(a[0], 0);
  EXPECT_EQ(a[4], 210);
  // A buffer after a pointer, and a pointer after a buffer.
  const auto buffer = make_buffer(context_, 64);
  check(set_arg(kernel, 0, buffer), "a buffer");
  run(queue_, kernel, {{4}, {}, {}});
  EXPECT_EQ(a[0], 0);
  EXPECT_EQ(read<cl_int>(queue_, buffer, 1)[0], 105);
  check(clSetKernelArgSVMPointer(kernel, 0, a.data()), "a pointer");
  run(queue_, kernel, {{4}, {}, {}});
  EXPECT_EQ(a[0], 105);
  EXPECT_EQ(read<cl_int>(queue_, buffer, 1)[0], 105);
}

TEST_F(Svm, ExecInfo) {
  const auto program = build(context_, "kernel void k(global int* a) { a[0] = 1; }");
  const auto kernel = make_kernel(program, "k");
  SvmArray<cl_int> a(context_, 16);
  const void* pointers[] = {a.data(), a.data() + 1};
  const cl_bool yes = CL_TRUE, no = CL_FALSE;
  for (const cl_kernel_exec_info name :
       {cl_kernel_exec_info(CL_KERNEL_EXEC_INFO_SVM_PTRS),
        cl_kernel_exec_info(CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL), kDevicePointers}) {
    SCOPED_TRACE(name);
    EXPECT_EQ(clSetKernelExecInfo(kernel, name, sizeof pointers, pointers), CL_SUCCESS);
    EXPECT_EQ(clSetKernelExecInfo(kernel, name, 0, nullptr), CL_SUCCESS) << "the empty set";
    EXPECT_EQ(clSetKernelExecInfo(kernel, name, 8, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(clSetKernelExecInfo(kernel, name, 12, pointers), CL_INVALID_VALUE);
  }
  for (const cl_kernel_exec_info name :
       {CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL,
        CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL,
        CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL}) {
    SCOPED_TRACE(name);
    EXPECT_EQ(clSetKernelExecInfo(kernel, name, sizeof yes, &yes), CL_SUCCESS);
    EXPECT_EQ(clSetKernelExecInfo(kernel, name, sizeof no, &no), CL_SUCCESS);
    EXPECT_EQ(clSetKernelExecInfo(kernel, name, 1, &yes), CL_INVALID_VALUE);
    EXPECT_EQ(clSetKernelExecInfo(kernel, name, sizeof yes, nullptr), CL_INVALID_VALUE);
  }
  EXPECT_EQ(clSetKernelExecInfo(kernel, 0x7777, sizeof yes, &yes), CL_INVALID_VALUE);
  EXPECT_EQ(clSetKernelExecInfo(nullptr, CL_KERNEL_EXEC_INFO_SVM_PTRS, 0, nullptr),
            CL_INVALID_KERNEL);
}

TEST_F(Svm, BuffersOverIt) {
  SvmArray<cl_int> memory(context_, 1024);
  cl_int status = CL_SUCCESS;
  const auto over = [&](cl_mem_flags flags, void* at, size_t bytes) {
    return Buffer(clCreateBuffer(context_, flags, bytes, at, &status));
  };
  const auto uses_svm = [](cl_mem buffer) {
    cl_bool uses = 7;
    check(clGetMemObjectInfo(buffer, CL_MEM_USES_SVM_POINTER, sizeof uses, &uses, nullptr),
          "CL_MEM_USES_SVM_POINTER");
    return uses;
  };
  const auto whole = over(CL_MEM_USE_HOST_PTR, memory.data(), 4096);
  check(status, "clCreateBuffer");
  EXPECT_EQ(uses_svm(whole), cl_bool(CL_TRUE));
  const auto part = over(CL_MEM_USE_HOST_PTR, memory.data() + 512, 2048);
  check(status, "of a part");
  EXPECT_EQ(uses_svm(part), cl_bool(CL_TRUE));
  const auto sub = make_part(whole, 1024, 1024);
  EXPECT_EQ(uses_svm(sub), cl_bool(CL_TRUE));
  (void)over(CL_MEM_USE_HOST_PTR, memory.data(), 4097);
  EXPECT_EQ(status, CL_INVALID_BUFFER_SIZE);
  (void)over(CL_MEM_COPY_HOST_PTR, memory.data(), 8192);
  EXPECT_EQ(status, CL_INVALID_BUFFER_SIZE);
  const auto copy = over(CL_MEM_COPY_HOST_PTR, memory.data(), 4096);
  EXPECT_EQ(uses_svm(copy), cl_bool(CL_FALSE));
  std::vector<cl_int> plain(16);
  EXPECT_EQ(uses_svm(over(CL_MEM_USE_HOST_PTR, plain.data(), 64)), cl_bool(CL_FALSE));
  EXPECT_EQ(uses_svm(make_buffer(context_, 64)), cl_bool(CL_FALSE));
  // What goes into the one is seen in the other.
  const cl_int nine = 9;
  check(clEnqueueFillBuffer(queue_, sub, &nine, 4, 0, 1024, 0, nullptr, nullptr), "fill");
  check(clFinish(queue_), "clFinish");
  EXPECT_EQ(memory[255], 0);
  EXPECT_EQ(memory[256], 9);
  EXPECT_EQ(memory[511], 9);
  EXPECT_EQ(memory[512], 0);
  auto* mapped =
      clEnqueueMapBuffer(queue_, part, CL_TRUE, CL_MAP_READ, 0, 2048, 0, nullptr, nullptr, &status);
  EXPECT_EQ(mapped, memory.data() + 512);
  check(clEnqueueUnmapMemObject(queue_, part, mapped, 0, nullptr, nullptr), "unmap");
}

// Tiles that are read where they come from (compiler, read_in_place) must not be where two pointers
// of one allocation overlap.
TEST_F(Svm, PointersThatOverlap) {
  const auto program = build(context_, R"(
    kernel void k(global const int* from, global int* to) {
      local int tile[64];
      event_t e = async_work_group_copy(tile, from + get_group_id(0) * 64, 64, 0);
      wait_group_events(1, &e);
      to[get_global_id(0)] = tile[63 - get_local_id(0)];
    })");
  const auto kernel = make_kernel(program, "k");
  SvmArray<cl_int> memory(context_, 64);
  std::vector<cl_int> system(64);
  for (auto* data : {memory.data(), system.data()}) {
    std::iota(data, data + 64, 0);
    check(clSetKernelArgSVMPointer(kernel, 0, data), "argument 0");
    check(clSetKernelArgSVMPointer(kernel, 1, data), "argument 1");
    run(queue_, kernel, {{64}, {64}, {}});
    for (int i = 0; i != 64; ++i)
      ASSERT_EQ(data[i], 63 - i);
  }
}

} // namespace
} // namespace heddle::test
