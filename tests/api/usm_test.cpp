// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_intel_unified_shared_memory 1.1.0, each call: what it does and what it refuses.
#include "tests/api/api_test.h"
#include "tests/api/shared_memory.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <numeric>

namespace heddle::test {
namespace {

class UsmTest : public ApiTest {
 protected:
  Usm usm_;
  struct Kind {
    cl_unified_shared_memory_type_intel type;
    cl_device_id device; // what the query answers
    std::function<void*(const cl_mem_properties_intel*, size_t, cl_uint, cl_int*)> allocate;
  };
  const std::vector<Kind> kinds_ = {
      {CL_MEM_TYPE_HOST_INTEL, nullptr,
       [this](auto... rest) { return usm_.host_alloc(context_, rest...); }},
      {CL_MEM_TYPE_DEVICE_INTEL, device(),
       [this](auto... rest) { return usm_.device_alloc(context_, device(), rest...); }},
      {CL_MEM_TYPE_SHARED_INTEL, device(),
       [this](auto... rest) { return usm_.shared_alloc(context_, device(), rest...); }},
      {CL_MEM_TYPE_SHARED_INTEL, nullptr,
       [this](auto... rest) { return usm_.shared_alloc(context_, nullptr, rest...); }},
  };

  template <class T>
  T query(const void* pointer, cl_mem_info_intel name) {
    T value{};
    size_t size = 0;
    EXPECT_EQ(usm_.info(context_, pointer, name, sizeof value, &value, &size), CL_SUCCESS);
    EXPECT_EQ(size, sizeof value);
    return value;
  }
  cl_uint type_of(const void* pointer) {
    return query<cl_unified_shared_memory_type_intel>(pointer, CL_MEM_ALLOC_TYPE_INTEL);
  }
};

TEST_F(UsmTest, CapabilitiesAndVersion) {
  for (const cl_device_info name :
       {CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL, CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL,
        CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL,
        CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL,
        CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL})
    EXPECT_EQ(info<cl_device_unified_shared_memory_capabilities_intel>(device(), name), 15u);
  size_t size = 0;
  check(clGetDeviceInfo(device(), CL_DEVICE_EXTENSIONS_WITH_VERSION, 0, nullptr, &size), "size");
  std::vector<cl_name_version> list(size / sizeof(cl_name_version));
  check(clGetDeviceInfo(device(), CL_DEVICE_EXTENSIONS_WITH_VERSION, size, list.data(), nullptr),
        "CL_DEVICE_EXTENSIONS_WITH_VERSION");
  const auto version = [&](const std::string& name) {
    for (const auto& entry : list)
      if (name == entry.name)
        return entry.version;
    return cl_version(0);
  };
  EXPECT_EQ(version("cl_intel_unified_shared_memory"), CL_MAKE_VERSION(1, 1, 0));
  EXPECT_EQ(version("cl_ext_buffer_device_address"), CL_MAKE_VERSION(1, 0, 2));
  EXPECT_EQ(version("cl_intel_device_attribute_query"), CL_MAKE_VERSION(1, 0, 0));
}

TEST_F(UsmTest, AllocationsAndTheirQueries) {
  const cl_mem_properties_intel empty[] = {0};
  const cl_mem_properties_intel combined[] = {CL_MEM_ALLOC_FLAGS_INTEL,
                                              CL_MEM_ALLOC_WRITE_COMBINED_INTEL, 0};
  for (const auto& kind : kinds_)
    for (const auto* properties :
         {static_cast<const cl_mem_properties_intel*>(nullptr), empty, combined})
      for (const size_t size : {1, 1000, 100'000, 3 << 20})
        for (const cl_uint alignment : {0u, 1u, 16u, 128u, 4096u}) {
          cl_int status = 77;
          auto* memory = static_cast<char*>(kind.allocate(properties, size, alignment, &status));
          ASSERT_EQ(status, CL_SUCCESS);
          ASSERT_NE(memory, nullptr);
          EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % (alignment ? alignment : 128), 0u);
          ASSERT_TRUE(std::all_of(memory, memory + size, [](char c) { return c == 0; }));
          for (auto* inside : {memory, memory + size / 2, memory + size - 1}) {
            EXPECT_EQ(type_of(inside), kind.type);
            EXPECT_EQ(query<void*>(inside, CL_MEM_ALLOC_BASE_PTR_INTEL), memory);
            EXPECT_EQ(query<size_t>(inside, CL_MEM_ALLOC_SIZE_INTEL), size);
            EXPECT_EQ(query<cl_device_id>(inside, CL_MEM_ALLOC_DEVICE_INTEL), kind.device);
            EXPECT_EQ(query<cl_mem_alloc_flags_intel>(inside, CL_MEM_ALLOC_FLAGS_INTEL),
                      properties == combined ? CL_MEM_ALLOC_WRITE_COMBINED_INTEL : 0u);
          }
          EXPECT_NE(query<void*>(memory + size, CL_MEM_ALLOC_BASE_PTR_INTEL), memory);
          std::memset(memory, 0x55, size);
          EXPECT_EQ(usm_.free(context_, memory), CL_SUCCESS);
          EXPECT_EQ(type_of(memory), cl_uint(CL_MEM_TYPE_UNKNOWN_INTEL));
          EXPECT_EQ(usm_.free(context_, memory), CL_INVALID_VALUE) << "twice";
        }
  EXPECT_NE(kinds_[0].allocate(nullptr, 64, 0, nullptr), nullptr) << "no place for the error";
}

TEST_F(UsmTest, QueriesOfWhatIsNone) {
  int on_the_stack = 0;
  SvmArray<char> svm(context_, 64);
  const auto other = make_context();
  cl_int status = CL_SUCCESS;
  auto* elsewhere = usm_.host_alloc(other, nullptr, 64, 0, &status);
  for (const void* pointer :
       {static_cast<const void*>(nullptr), static_cast<const void*>(&on_the_stack),
        reinterpret_cast<const void*>(~std::uintptr_t{0}), static_cast<const void*>(svm.data()),
        static_cast<const void*>(elsewhere)}) {
    EXPECT_EQ(type_of(pointer), cl_uint(CL_MEM_TYPE_UNKNOWN_INTEL));
    EXPECT_EQ(query<void*>(pointer, CL_MEM_ALLOC_BASE_PTR_INTEL), nullptr);
    EXPECT_EQ(query<size_t>(pointer, CL_MEM_ALLOC_SIZE_INTEL), 0u);
    EXPECT_EQ(query<cl_device_id>(pointer, CL_MEM_ALLOC_DEVICE_INTEL), nullptr);
    EXPECT_EQ(query<cl_mem_alloc_flags_intel>(pointer, CL_MEM_ALLOC_FLAGS_INTEL), 0u);
  }
  EXPECT_EQ(usm_.free(context_, elsewhere), CL_INVALID_VALUE);
  EXPECT_EQ(usm_.free(other, elsewhere), CL_SUCCESS);
  EXPECT_EQ(usm_.free(context_, svm.data()), CL_INVALID_VALUE);
  cl_uint type = 0;
  EXPECT_EQ(usm_.info(nullptr, svm.data(), CL_MEM_ALLOC_TYPE_INTEL, sizeof type, &type, nullptr),
            CL_INVALID_CONTEXT);
  EXPECT_EQ(usm_.info(context_, svm.data(), 0x7777, sizeof type, &type, nullptr), CL_INVALID_VALUE);
  auto* memory = usm_.host_alloc(context_, nullptr, 64, 0, &status);
  for (const cl_mem_info_intel name :
       {CL_MEM_ALLOC_TYPE_INTEL, CL_MEM_ALLOC_BASE_PTR_INTEL, CL_MEM_ALLOC_SIZE_INTEL,
        CL_MEM_ALLOC_DEVICE_INTEL, CL_MEM_ALLOC_FLAGS_INTEL})
    expect_info_contract(
        [&](cl_uint n, size_t size, void* value, size_t* size_ret) {
          return usm_.info(context_, memory, n, size, value, size_ret);
        },
        name);
  EXPECT_EQ(usm_.blocking_free(context_, memory), CL_SUCCESS);
}

TEST_F(UsmTest, AllocationErrors) {
  const auto most = info<cl_ulong>(device(), CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  const cl_mem_properties_intel unknown[] = {0x7777, 1, 0};
  const cl_mem_properties_intel twice[] = {CL_MEM_ALLOC_FLAGS_INTEL, 0, CL_MEM_ALLOC_FLAGS_INTEL, 0,
                                           0};
  const cl_mem_properties_intel bad_flags[] = {CL_MEM_ALLOC_FLAGS_INTEL, 1 << 7, 0};
  const cl_mem_properties_intel both[] = {
      CL_MEM_ALLOC_FLAGS_INTEL,
      CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL | CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL, 0};
  const cl_mem_properties_intel placed[] = {CL_MEM_ALLOC_FLAGS_INTEL,
                                            CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL, 0};
  for (const auto& kind : kinds_) {
    const auto error = [&](const cl_mem_properties_intel* properties, size_t size, cl_uint align) {
      cl_int status = 77;
      auto* memory = kind.allocate(properties, size, align, &status);
      EXPECT_EQ(memory == nullptr, status != CL_SUCCESS);
      if (memory) {
        EXPECT_EQ(usm_.free(context_, memory), CL_SUCCESS);
      }
      return status;
    };
    EXPECT_EQ(error(nullptr, 0, 0), CL_INVALID_BUFFER_SIZE);
    EXPECT_EQ(error(nullptr, most + 1, 0), CL_INVALID_BUFFER_SIZE);
    EXPECT_EQ(error(nullptr, SIZE_MAX, 0), CL_INVALID_BUFFER_SIZE);
    EXPECT_EQ(error(nullptr, 64, 3), CL_INVALID_VALUE);
    EXPECT_EQ(error(nullptr, 64, 1u << 31), CL_INVALID_VALUE);
    EXPECT_EQ(error(unknown, 64, 0), CL_INVALID_PROPERTY);
    EXPECT_EQ(error(twice, 64, 0), CL_INVALID_PROPERTY);
    EXPECT_EQ(error(bad_flags, 64, 0), CL_INVALID_PROPERTY);
    EXPECT_EQ(error(both, 64, 0), CL_INVALID_PROPERTY);
    EXPECT_EQ(error(placed, 64, 0),
              kind.type == CL_MEM_TYPE_SHARED_INTEL ? CL_SUCCESS : CL_INVALID_PROPERTY);
  }
  cl_int status = CL_SUCCESS;
  EXPECT_EQ(usm_.host_alloc(nullptr, nullptr, 64, 0, &status), nullptr);
  EXPECT_EQ(status, CL_INVALID_CONTEXT);
  EXPECT_EQ(usm_.device_alloc(context_, nullptr, nullptr, 64, 0, &status), nullptr);
  EXPECT_EQ(status, CL_INVALID_DEVICE);
  EXPECT_EQ(usm_.shared_alloc(context_, reinterpret_cast<cl_device_id>(context_.get()), nullptr, 64,
                              0, &status),
            nullptr);
  EXPECT_EQ(status, CL_INVALID_DEVICE);
  // A device that is not the context's.
  const cl_device_partition_property halves[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1,
                                                 CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0};
  Device sub;
  if (clCreateSubDevices(device(), halves, 1, sub.out(), nullptr) == CL_SUCCESS) {
    EXPECT_EQ(usm_.device_alloc(context_, sub, nullptr, 64, 0, &status), nullptr);
    EXPECT_EQ(status, CL_INVALID_DEVICE);
  }
  char* memory = static_cast<char*>(usm_.host_alloc(context_, nullptr, 64, 0, &status));
  int on_the_stack = 0;
  for (auto* release : {usm_.free, usm_.blocking_free}) {
    EXPECT_EQ(release(context_, nullptr), CL_SUCCESS);
    EXPECT_EQ(release(context_, memory + 1), CL_INVALID_VALUE);
    EXPECT_EQ(release(context_, &on_the_stack), CL_INVALID_VALUE);
    EXPECT_EQ(release(nullptr, memory), CL_INVALID_CONTEXT);
  }
  EXPECT_EQ(usm_.blocking_free(context_, memory), CL_SUCCESS);
  EXPECT_EQ(usm_.blocking_free(context_, memory), CL_INVALID_VALUE);
}

TEST_F(UsmTest, CommandsAndTheirErrors) {
  cl_int status = CL_SUCCESS;
  auto* m = static_cast<char*>(usm_.shared_alloc(context_, device(), nullptr, 8192, 0, &status));
  const auto queue = make_queue(context_, CL_QUEUE_PROFILING_ENABLE);
  const cl_uint pattern = 0x01020304;
  std::vector<Event> events(5);
  check(usm_.fill(queue, m, &pattern, 4, 4096, 0, nullptr, events[0].out()), "fill");
  check(usm_.copy(queue, CL_FALSE, m + 4096, m, 4096, 0, nullptr, events[1].out()), "copy");
  check(usm_.migrate(queue, m, 8192, CL_MIGRATE_MEM_OBJECT_HOST, 0, nullptr, events[2].out()),
        "migrate");
  check(usm_.advise(queue, m, 8192, 0, 0, nullptr, events[3].out()), "advise");
  check(usm_.set(queue, m, 0x1ff, 16, 0, nullptr, events[4].out()), "set");
  check(clFinish(queue), "clFinish");
  const cl_command_type types[] = {CL_COMMAND_MEMFILL_INTEL, CL_COMMAND_MEMCPY_INTEL,
                                   CL_COMMAND_MIGRATEMEM_INTEL, CL_COMMAND_MEMADVISE_INTEL,
                                   CL_COMMAND_MEMFILL_INTEL};
  for (size_t i = 0; i != events.size(); ++i) {
    EXPECT_EQ(command_type(events[i]), types[i]);
    EXPECT_LE(profiling(events[i], CL_PROFILING_COMMAND_START),
              profiling(events[i], CL_PROFILING_COMMAND_END));
  }
  EXPECT_EQ(m[8191], 1);
  EXPECT_EQ(static_cast<unsigned char>(m[15]), 0xff);
  EXPECT_EQ(m[16], 4);

  const auto other = make_context();
  const Event elsewhere(clCreateUserEvent(other, &status));
  const cl_event wrong = elsewhere;
  EXPECT_EQ(usm_.copy(queue_, CL_TRUE, nullptr, m, 4, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(usm_.copy(queue_, CL_TRUE, m, nullptr, 4, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(usm_.copy(queue_, CL_TRUE, m, m + 2, 4, 0, nullptr, nullptr), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(usm_.copy(queue_, CL_TRUE, m, m + 64, 4, 1, &wrong, nullptr), CL_INVALID_CONTEXT);
  EXPECT_EQ(usm_.copy(queue_, CL_TRUE, m, m + 64, 4, 1, nullptr, nullptr),
            CL_INVALID_EVENT_WAIT_LIST);
  EXPECT_EQ(usm_.copy(nullptr, CL_TRUE, m, m + 64, 4, 0, nullptr, nullptr),
            CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(usm_.fill(queue_, m + 1, &pattern, 4, 16, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(usm_.fill(queue_, m, &pattern, 4, 15, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(usm_.fill(queue_, m, m + 512, 3, 15, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(usm_.fill(queue_, m, m + 512, 256, 512, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(usm_.fill(queue_, m, nullptr, 4, 16, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(usm_.fill(queue_, nullptr, &pattern, 4, 16, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(usm_.migrate(queue_, m, 64, 0, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(usm_.migrate(queue_, m, 64, 1 << 6, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(usm_.migrate(queue_, m, 64, 1, 1, &wrong, nullptr), CL_INVALID_CONTEXT);
  EXPECT_EQ(usm_.advise(queue_, m, 64, 0x7777, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(usm_.advise(queue_, m, 64, 0x4208, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(usm_.advise(queue_, m, 64, 0, 1, &wrong, nullptr), CL_INVALID_CONTEXT);
  EXPECT_EQ(usm_.blocking_free(context_, m), CL_SUCCESS);
}

// Pointers in memory to memory of every kind, and pointers into the middle as arguments.
TEST_F(UsmTest, KernelsReachEverything) {
  const auto program = build(context_, R"(
    kernel void k(global ulong* pointers, int count) {
      for (int i = 0; i < count; ++i) {
        global int* p = (global int*)pointers[i];
        p[get_global_id(0)] += (int)get_global_id(0) + i;
      }
    })");
  const auto kernel = make_kernel(program, "k");
  constexpr size_t kItems = 100;
  std::vector<int> system(kItems);
  SvmArray<int> svm(context_, kItems);
  std::vector<int*> places = {system.data(), svm.data()};
  cl_int status = CL_SUCCESS;
  for (const auto& kind : kinds_)
    places.push_back(static_cast<int*>(kind.allocate(nullptr, kItems * 4, 0, &status)));
  auto* list = static_cast<int**>(
      usm_.host_alloc(context_, nullptr, (places.size() + 8) * sizeof(int*), 0, &status));
  std::copy(places.begin(), places.end(), list + 8);
  const cl_bool yes = CL_TRUE;
  for (const cl_kernel_exec_info name : {CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL,
                                         CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL,
                                         CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL})
    check(clSetKernelExecInfo(kernel, name, sizeof yes, &yes), "clSetKernelExecInfo");
  check(usm_.set_arg(kernel, 0, list + 8), "argument 0");
  check(set_arg(kernel, 1, cl_int(places.size())), "argument 1");
  run(queue_, kernel, {{kItems}, {}, {}});
  for (size_t i = 0; i != places.size(); ++i)
    for (size_t k = 0; k != kItems; ++k)
      ASSERT_EQ(places[i][k], int(i + k));
  EXPECT_EQ(usm_.set_arg(kernel, 1, list), CL_INVALID_ARG_VALUE);
  EXPECT_EQ(usm_.set_arg(kernel, 2, list), CL_INVALID_ARG_INDEX);
  EXPECT_EQ(usm_.set_arg(nullptr, 0, list), CL_INVALID_KERNEL);
  EXPECT_EQ(usm_.set_arg(kernel, 0, reinterpret_cast<void*>(0x10)), CL_SUCCESS) << "since 1.1.0";
  // SVM's calls on USM, and USM's on SVM.
  check(clSetKernelArgSVMPointer(kernel, 0, list + 8), "an SVM argument of USM");
  run(queue_, kernel, {{1}, {}, {}});
  EXPECT_EQ(places[3][0], 6);
  check(clEnqueueSVMMemcpy(queue_, CL_TRUE, places[2], places[1], 64, 0, nullptr, nullptr),
        "clEnqueueSVMMemcpy");
  check(usm_.copy(queue_, CL_TRUE, svm.data(), places[3], 64, 0, nullptr, nullptr), "copy");
  EXPECT_EQ(svm[1], 4);
  const void* to_migrate[] = {places[2]};
  check(clEnqueueSVMMigrateMem(queue_, 1, to_migrate, nullptr, 0, 0, nullptr, nullptr), "migrate");
  clSVMFree(context_, list);
  EXPECT_EQ(type_of(list), cl_uint(CL_MEM_TYPE_UNKNOWN_INTEL));
  for (size_t i = 2; i != places.size(); ++i)
    EXPECT_EQ(usm_.free(context_, places[i]), CL_SUCCESS);
}

// All commands that were enqueued before have finished when a blocking free comes back.
TEST_F(UsmTest, BlockingFreeWaits) {
  const auto program = build(context_, R"(
    kernel void k(global int* a) {
      int v = get_global_id(0);
      for (int i = 0; i < 3000000; ++i) v = v * 1664525 + 1013904223;
      a[get_global_id(0)] = v | 1;
    })");
  const auto kernel = make_kernel(program, "k");
  const auto out_of_order = make_queue(context_, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  for (const cl_command_queue queue : {queue_.get(), out_of_order.get()}) {
    cl_int status = CL_SUCCESS;
    auto* memory = usm_.device_alloc(context_, device(), nullptr, 4096, 0, &status);
    check(usm_.set_arg(kernel, 0, memory), "argument 0");
    Event event;
    check(enqueue(queue, kernel, {{16}, {1}, {}}, event.out()), "enqueue");
    EXPECT_EQ(usm_.blocking_free(context_, memory), CL_SUCCESS);
    EXPECT_EQ(event_status(event), CL_COMPLETE);
  }
}

TEST_F(UsmTest, DeviceAttributes) {
  EXPECT_NE(info<cl_uint>(device(), CL_DEVICE_ID_INTEL), 0u);
  EXPECT_NE(info<cl_version>(device(), CL_DEVICE_IP_VERSION_INTEL), 0u);
  EXPECT_EQ(info<cl_uint>(device(), CL_DEVICE_NUM_SLICES_INTEL) *
                info<cl_uint>(device(), CL_DEVICE_NUM_SUB_SLICES_PER_SLICE_INTEL) *
                info<cl_uint>(device(), CL_DEVICE_NUM_EUS_PER_SUB_SLICE_INTEL) *
                info<cl_uint>(device(), CL_DEVICE_NUM_THREADS_PER_EU_INTEL),
            info<cl_uint>(device(), CL_DEVICE_MAX_COMPUTE_UNITS));
  EXPECT_EQ(
      info<cl_device_feature_capabilities_intel>(device(), CL_DEVICE_FEATURE_CAPABILITIES_INTEL),
      0u);
}

} // namespace
} // namespace heddle::test
