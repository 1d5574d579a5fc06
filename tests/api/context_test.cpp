// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Platforms, devices and contexts (OpenCL API 4.1 to 4.4).
#include "compiler/interface/kernel_abi.h"
#include "tests/api/api_test.h"
#include "tests/api/handle_calls.h"

#include <cstring>
#include <set>

namespace heddle::test {
namespace {

const cl_uint kWild = 0x7fff1234;

// PyOpenCL and others keep binaries by the driver's version: it changes when binaries do not fit.
TEST(Device, DriverVersionNamesTheAbi) {
  EXPECT_NE(
      (device_text(CL_DRIVER_VERSION) + ".").find(".abi" + std::to_string(abi::kVersion) + "."),
      std::string::npos);
}

TEST(Platform, Info) {
  for (const cl_uint name :
       {CL_PLATFORM_PROFILE, CL_PLATFORM_VERSION, CL_PLATFORM_NAME, CL_PLATFORM_VENDOR,
        CL_PLATFORM_EXTENSIONS, CL_PLATFORM_HOST_TIMER_RESOLUTION, CL_PLATFORM_NUMERIC_VERSION,
        CL_PLATFORM_EXTENSIONS_WITH_VERSION, CL_PLATFORM_ICD_SUFFIX_KHR})
    expect_info_contract([](auto... a) { return clGetPlatformInfo(platform(), a...); }, name);
  EXPECT_EQ(clGetPlatformInfo(platform(), kWild, 0, nullptr, nullptr), CL_INVALID_VALUE);
}

TEST(Platform, BadArguments) {
  cl_device_id found = nullptr;
  cl_uint count = 0;
  EXPECT_EQ(clGetDeviceIDs(platform(), CL_DEVICE_TYPE_ALL, 0, &found, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clGetDeviceIDs(platform(), CL_DEVICE_TYPE_ALL, 1, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clGetDeviceIDs(platform(), 0, 1, &found, nullptr), CL_INVALID_DEVICE_TYPE);
  EXPECT_EQ(clGetDeviceIDs(platform(), cl_device_type{1} << 40, 1, &found, nullptr),
            CL_INVALID_DEVICE_TYPE);
  EXPECT_EQ(clGetDeviceIDs(platform(), CL_DEVICE_TYPE_GPU, 1, &found, &count), CL_DEVICE_NOT_FOUND);
}

TEST(Platform, ForeignPlatform) {
  ForeignObject foreign;
  const auto handle = static_cast<cl_platform_id>(foreign.handle());
  char text[64];
  cl_uint count = 0;
  EXPECT_EQ(clGetPlatformInfo(handle, CL_PLATFORM_NAME, sizeof text, text, nullptr),
            CL_INVALID_PLATFORM);
  EXPECT_EQ(clGetDeviceIDs(handle, CL_DEVICE_TYPE_ALL, 0, nullptr, &count), CL_INVALID_PLATFORM);
  EXPECT_EQ(clUnloadPlatformCompiler(handle), CL_INVALID_PLATFORM);
  EXPECT_EQ(clUnloadPlatformCompiler(platform()), CL_SUCCESS);
}

TEST(Platform, DeviceTypes) {
  for (const cl_device_type type : {CL_DEVICE_TYPE_CPU, CL_DEVICE_TYPE_DEFAULT}) {
    cl_device_id found = nullptr;
    EXPECT_EQ(clGetDeviceIDs(platform(), type, 1, &found, nullptr), CL_SUCCESS);
    EXPECT_EQ(found, device());
  }
}

TEST(DeviceInfo, EveryName) {
  const cl_uint names[] = {CL_DEVICE_TYPE,
                           CL_DEVICE_VENDOR_ID,
                           CL_DEVICE_MAX_COMPUTE_UNITS,
                           CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS,
                           CL_DEVICE_MAX_WORK_ITEM_SIZES,
                           CL_DEVICE_MAX_WORK_GROUP_SIZE,
                           CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR,
                           CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT,
                           CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT,
                           CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG,
                           CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT,
                           CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE,
                           CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF,
                           CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR,
                           CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT,
                           CL_DEVICE_NATIVE_VECTOR_WIDTH_INT,
                           CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG,
                           CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT,
                           CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE,
                           CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF,
                           CL_DEVICE_MAX_CLOCK_FREQUENCY,
                           CL_DEVICE_ADDRESS_BITS,
                           CL_DEVICE_MAX_MEM_ALLOC_SIZE,
                           CL_DEVICE_IMAGE_SUPPORT,
                           CL_DEVICE_MAX_READ_IMAGE_ARGS,
                           CL_DEVICE_MAX_WRITE_IMAGE_ARGS,
                           CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS,
                           CL_DEVICE_IL_VERSION,
                           CL_DEVICE_ILS_WITH_VERSION,
                           CL_DEVICE_IMAGE2D_MAX_WIDTH,
                           CL_DEVICE_IMAGE2D_MAX_HEIGHT,
                           CL_DEVICE_IMAGE3D_MAX_WIDTH,
                           CL_DEVICE_IMAGE3D_MAX_HEIGHT,
                           CL_DEVICE_IMAGE3D_MAX_DEPTH,
                           CL_DEVICE_IMAGE_MAX_BUFFER_SIZE,
                           CL_DEVICE_IMAGE_MAX_ARRAY_SIZE,
                           CL_DEVICE_MAX_SAMPLERS,
                           CL_DEVICE_IMAGE_PITCH_ALIGNMENT,
                           CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT,
                           CL_DEVICE_MAX_PIPE_ARGS,
                           CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS,
                           CL_DEVICE_PIPE_MAX_PACKET_SIZE,
                           CL_DEVICE_MAX_PARAMETER_SIZE,
                           CL_DEVICE_MEM_BASE_ADDR_ALIGN,
                           CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE,
                           CL_DEVICE_SINGLE_FP_CONFIG,
                           CL_DEVICE_DOUBLE_FP_CONFIG,
                           CL_DEVICE_GLOBAL_MEM_CACHE_TYPE,
                           CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE,
                           CL_DEVICE_GLOBAL_MEM_CACHE_SIZE,
                           CL_DEVICE_GLOBAL_MEM_SIZE,
                           CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE,
                           CL_DEVICE_MAX_CONSTANT_ARGS,
                           CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE,
                           CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE,
                           CL_DEVICE_LOCAL_MEM_TYPE,
                           CL_DEVICE_LOCAL_MEM_SIZE,
                           CL_DEVICE_ERROR_CORRECTION_SUPPORT,
                           CL_DEVICE_HOST_UNIFIED_MEMORY,
                           CL_DEVICE_PROFILING_TIMER_RESOLUTION,
                           CL_DEVICE_ENDIAN_LITTLE,
                           CL_DEVICE_AVAILABLE,
                           CL_DEVICE_COMPILER_AVAILABLE,
                           CL_DEVICE_LINKER_AVAILABLE,
                           CL_DEVICE_EXECUTION_CAPABILITIES,
                           CL_DEVICE_QUEUE_ON_HOST_PROPERTIES,
                           CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES,
                           CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE,
                           CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE,
                           CL_DEVICE_MAX_ON_DEVICE_QUEUES,
                           CL_DEVICE_MAX_ON_DEVICE_EVENTS,
                           CL_DEVICE_BUILT_IN_KERNELS,
                           CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION,
                           CL_DEVICE_PLATFORM,
                           CL_DEVICE_NAME,
                           CL_DEVICE_VENDOR,
                           CL_DRIVER_VERSION,
                           CL_DEVICE_PROFILE,
                           CL_DEVICE_VERSION,
                           CL_DEVICE_NUMERIC_VERSION,
                           CL_DEVICE_OPENCL_C_VERSION,
                           CL_DEVICE_OPENCL_C_ALL_VERSIONS,
                           CL_DEVICE_OPENCL_C_FEATURES,
                           CL_DEVICE_EXTENSIONS,
                           CL_DEVICE_EXTENSIONS_WITH_VERSION,
                           CL_DEVICE_PRINTF_BUFFER_SIZE,
                           CL_DEVICE_PREFERRED_INTEROP_USER_SYNC,
                           CL_DEVICE_PARENT_DEVICE,
                           CL_DEVICE_PARTITION_MAX_SUB_DEVICES,
                           CL_DEVICE_PARTITION_PROPERTIES,
                           CL_DEVICE_PARTITION_AFFINITY_DOMAIN,
                           CL_DEVICE_PARTITION_TYPE,
                           CL_DEVICE_REFERENCE_COUNT,
                           CL_DEVICE_SVM_CAPABILITIES,
                           CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT,
                           CL_DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT,
                           CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT,
                           CL_DEVICE_MAX_NUM_SUB_GROUPS,
                           CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS,
                           CL_DEVICE_MAX_NAMED_BARRIER_COUNT_KHR,
                           CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES,
                           CL_DEVICE_ATOMIC_FENCE_CAPABILITIES,
                           CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT,
                           CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT,
                           CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT,
                           CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES,
                           CL_DEVICE_PIPE_SUPPORT,
                           CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE,
                           CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED};
  for (const auto name : names)
    expect_info_contract([](auto... a) { return clGetDeviceInfo(device(), a...); }, name);
  EXPECT_EQ(clGetDeviceInfo(device(), kWild, 0, nullptr, nullptr), CL_INVALID_VALUE);
}

TEST(DeviceInfo, MinimaOfTheFullProfile) {
  EXPECT_EQ(info<cl_device_type>(device(), CL_DEVICE_TYPE) & CL_DEVICE_TYPE_CPU,
            cl_device_type{CL_DEVICE_TYPE_CPU});
  EXPECT_GE(info<cl_uint>(device(), CL_DEVICE_MAX_COMPUTE_UNITS), 1u);
  EXPECT_GE(info<cl_uint>(device(), CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS), 3u);
  EXPECT_GE(info<size_t>(device(), CL_DEVICE_MAX_WORK_GROUP_SIZE), 1u);
  const auto global = info<cl_ulong>(device(), CL_DEVICE_GLOBAL_MEM_SIZE);
  const auto largest = info<cl_ulong>(device(), CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  EXPECT_GE(largest, std::max<cl_ulong>(std::min<cl_ulong>(1u << 30, global / 4), 32u << 20));
  EXPECT_LE(largest, global);
  EXPECT_GE(info<size_t>(device(), CL_DEVICE_MAX_PARAMETER_SIZE), 1024u);
  EXPECT_GE(info<cl_ulong>(device(), CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE), 64u << 10);
  EXPECT_GE(info<cl_uint>(device(), CL_DEVICE_MAX_CONSTANT_ARGS), 8u);
  EXPECT_GE(info<cl_ulong>(device(), CL_DEVICE_LOCAL_MEM_SIZE), 32u << 10);
  EXPECT_GE(info<size_t>(device(), CL_DEVICE_PRINTF_BUFFER_SIZE), 1u << 20);
  EXPECT_GE(info<cl_uint>(device(), CL_DEVICE_MEM_BASE_ADDR_ALIGN),
            1024u); // sizeof(long16) in bits
  EXPECT_EQ(info<cl_bool>(device(), CL_DEVICE_AVAILABLE), cl_bool{CL_TRUE});
  EXPECT_EQ(info<cl_bool>(device(), CL_DEVICE_COMPILER_AVAILABLE), cl_bool{CL_TRUE});
  EXPECT_EQ(info<cl_bool>(device(), CL_DEVICE_LINKER_AVAILABLE), cl_bool{CL_TRUE});
  EXPECT_EQ(info<cl_platform_id>(device(), CL_DEVICE_PLATFORM), platform());
  EXPECT_EQ(info<cl_device_id>(device(), CL_DEVICE_PARENT_DEVICE), nullptr);
  EXPECT_EQ(info<cl_uint>(device(), CL_DEVICE_REFERENCE_COUNT), 1u);
  EXPECT_TRUE(info<cl_command_queue_properties>(device(), CL_DEVICE_QUEUE_ON_HOST_PROPERTIES) &
              CL_QUEUE_PROFILING_ENABLE);
  EXPECT_TRUE(info<cl_device_exec_capabilities>(device(), CL_DEVICE_EXECUTION_CAPABILITIES) &
              CL_EXEC_KERNEL);
  const auto single = info<cl_device_fp_config>(device(), CL_DEVICE_SINGLE_FP_CONFIG);
  EXPECT_EQ(single & (CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN),
            cl_device_fp_config{CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN});
}

TEST(DeviceInfo, Texts) {
  EXPECT_EQ(device_text(CL_DEVICE_VERSION).rfind("OpenCL ", 0), 0u);
  EXPECT_EQ(device_text(CL_DEVICE_OPENCL_C_VERSION).rfind("OpenCL C 3.1 ", 0), 0u);
  EXPECT_EQ(device_text(CL_DEVICE_PROFILE), "FULL_PROFILE");
  const auto extensions = " " + device_text(CL_DEVICE_EXTENSIONS) + " ";
  for (const char* name :
       {"cl_khr_byte_addressable_store", "cl_khr_global_int32_base_atomics",
        "cl_khr_global_int32_extended_atomics", "cl_khr_local_int32_base_atomics",
        "cl_khr_local_int32_extended_atomics"})
    EXPECT_NE(extensions.find(std::string(" ") + name + " "), std::string::npos) << name;
}

// All optional features are present, so that the version may be above 1.2 (4.2).
TEST(DeviceInfo, OpenCLCVersion) {
  const auto numeric = info<cl_version>(device(), CL_DEVICE_OPENCL_C_NUMERIC_VERSION_KHR);
  EXPECT_EQ(device_text(CL_DEVICE_OPENCL_C_VERSION)
                .rfind("OpenCL C " + std::to_string(CL_VERSION_MAJOR(numeric)) + '.' +
                           std::to_string(CL_VERSION_MINOR(numeric)) + ' ',
                       0),
            0u);
  size_t size = 0;
  ASSERT_EQ(clGetDeviceInfo(device(), CL_DEVICE_OPENCL_C_ALL_VERSIONS, 0, nullptr, &size),
            CL_SUCCESS);
  std::vector<cl_name_version> all(size / sizeof(cl_name_version));
  ASSERT_EQ(clGetDeviceInfo(device(), CL_DEVICE_OPENCL_C_ALL_VERSIONS, size, all.data(), nullptr),
            CL_SUCCESS);
  EXPECT_EQ(all.back().version, numeric);
}

// Both queries of the extensions list the same names (4.2).
TEST(DeviceInfo, ExtensionsWithVersion) {
  size_t size = 0;
  ASSERT_EQ(clGetDeviceInfo(device(), CL_DEVICE_EXTENSIONS_WITH_VERSION, 0, nullptr, &size),
            CL_SUCCESS);
  ASSERT_EQ(size % sizeof(cl_name_version), 0u);
  std::vector<cl_name_version> list(size / sizeof(cl_name_version));
  ASSERT_EQ(
      clGetDeviceInfo(device(), CL_DEVICE_EXTENSIONS_WITH_VERSION, size, list.data(), nullptr),
      CL_SUCCESS);
  std::set<std::string> versioned;
  for (const auto& entry : list) {
    EXPECT_NE(entry.version, 0u) << entry.name;
    versioned.insert(entry.name);
  }
  std::set<std::string> plain;
  const auto text = device_text(CL_DEVICE_EXTENSIONS);
  for (size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find(' ', at), text.size());
    if (end != at)
      plain.insert(text.substr(at, end - at));
    at = end + 1;
  }
  EXPECT_EQ(plain, versioned);
}

TEST(DeviceInfo, RootDeviceIsNotCounted) {
  EXPECT_EQ(clRetainDevice(device()), CL_SUCCESS);
  EXPECT_EQ(clReleaseDevice(device()), CL_SUCCESS);
  EXPECT_EQ(clReleaseDevice(device()), CL_SUCCESS);
  EXPECT_EQ(info<cl_uint>(device(), CL_DEVICE_REFERENCE_COUNT), 1u);
}

TEST(HostTimer, Monotonic) {
  cl_ulong device_time = 0, host_time = 0, host_only = 0;
  ASSERT_EQ(clGetDeviceAndHostTimer(device(), &device_time, &host_time), CL_SUCCESS);
  ASSERT_EQ(clGetHostTimer(device(), &host_only), CL_SUCCESS);
  EXPECT_GE(host_only, host_time);
  EXPECT_EQ(clGetDeviceAndHostTimer(device(), nullptr, &host_time), CL_INVALID_VALUE);
  EXPECT_EQ(clGetHostTimer(device(), nullptr), CL_INVALID_VALUE);
}

cl_int context_status(const cl_context_properties* properties, cl_uint count,
                      const cl_device_id* devices, Notify notify = nullptr,
                      void* user_data = nullptr) {
  cl_int status = 1;
  Context context(clCreateContext(properties, count, devices, notify, user_data, &status));
  EXPECT_EQ(context.get() != nullptr, status == CL_SUCCESS);
  return status;
}

TEST(ContextErrors, Create) {
  const auto d = device();
  int data = 0;
  EXPECT_EQ(context_status(nullptr, 0, &d), CL_INVALID_VALUE);
  EXPECT_EQ(context_status(nullptr, 1, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(context_status(nullptr, 1, &d, nullptr, &data), CL_INVALID_VALUE);
  const cl_context_properties unknown[] = {0x7abc, 1, 0};
  EXPECT_EQ(context_status(unknown, 1, &d), CL_INVALID_PROPERTY);
  const auto p = reinterpret_cast<cl_context_properties>(platform());
  const cl_context_properties twice[] = {CL_CONTEXT_PLATFORM, p, CL_CONTEXT_PLATFORM, p, 0};
  EXPECT_EQ(context_status(twice, 1, &d), CL_INVALID_PROPERTY);
  ForeignObject foreign;
  const cl_context_properties bad[] = {
      CL_CONTEXT_PLATFORM, reinterpret_cast<cl_context_properties>(foreign.handle()), 0};
  EXPECT_EQ(context_status(bad, 1, &d), CL_INVALID_PLATFORM);
  const cl_device_id same[] = {d, d}; // duplicates are ignored
  EXPECT_EQ(context_status(nullptr, 2, same), CL_SUCCESS);
}

TEST(ContextErrors, FromType) {
  const auto p = reinterpret_cast<cl_context_properties>(platform());
  const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, p, 0};
  cl_int status = 1;
  {
    Context context(
        clCreateContextFromType(properties, CL_DEVICE_TYPE_CPU, nullptr, nullptr, &status));
    EXPECT_EQ(status, CL_SUCCESS);
  }
  EXPECT_EQ(
      clCreateContextFromType(properties, CL_DEVICE_TYPE_ACCELERATOR, nullptr, nullptr, &status),
      nullptr);
  EXPECT_EQ(status, CL_DEVICE_NOT_FOUND);
  EXPECT_EQ(clCreateContextFromType(properties, cl_device_type{1} << 50, nullptr, nullptr, &status),
            nullptr);
  EXPECT_EQ(status, CL_INVALID_DEVICE_TYPE);
  int data = 0;
  EXPECT_EQ(clCreateContextFromType(properties, CL_DEVICE_TYPE_CPU, nullptr, &data, &status),
            nullptr);
  EXPECT_EQ(status, CL_INVALID_VALUE);
}

TEST(ContextInfo, Values) {
  const auto d = device();
  const cl_context_properties properties[] = {
      CL_CONTEXT_PLATFORM, reinterpret_cast<cl_context_properties>(platform()), 0};
  Context context(clCreateContext(properties, 1, &d, nullptr, nullptr, nullptr));
  ASSERT_NE(context.get(), nullptr);
  for (const cl_uint name : {CL_CONTEXT_REFERENCE_COUNT, CL_CONTEXT_NUM_DEVICES, CL_CONTEXT_DEVICES,
                             CL_CONTEXT_PROPERTIES})
    expect_info_contract([&](auto... a) { return clGetContextInfo(context, a...); }, name);
  EXPECT_EQ(clGetContextInfo(context, kWild, 0, nullptr, nullptr), CL_INVALID_VALUE);
  cl_device_id found = nullptr;
  ASSERT_EQ(clGetContextInfo(context, CL_CONTEXT_DEVICES, sizeof found, &found, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(found, d);
  cl_context_properties given[3] = {};
  ASSERT_EQ(clGetContextInfo(context, CL_CONTEXT_PROPERTIES, sizeof given, given, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(std::memcmp(given, properties, sizeof given), 0);
}

TEST(ContextReferences, CountAndChildren) {
  auto context = make_context();
  const auto count = [](cl_context handle) {
    cl_uint value = 0;
    EXPECT_EQ(clGetContextInfo(handle, CL_CONTEXT_REFERENCE_COUNT, sizeof value, &value, nullptr),
              CL_SUCCESS);
    return value;
  };
  EXPECT_EQ(count(context), 1u);
  ASSERT_EQ(clRetainContext(context), CL_SUCCESS);
  EXPECT_EQ(count(context), 2u);
  ASSERT_EQ(clReleaseContext(context), CL_SUCCESS);
  // A queue keeps its context alive and can be queried for it.
  const auto queue = make_queue(context);
  const auto handle = context.get();
  context.reset();
  cl_context parent = nullptr;
  ASSERT_EQ(clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof parent, &parent, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(parent, handle);
  EXPECT_NE(make_buffer(parent, 64).get(), nullptr);
}

struct Order {
  std::vector<int> seen;
};
struct Note {
  Order* order;
  int number;
};
void CL_CALLBACK note(cl_context, void* data) {
  const auto* n = static_cast<Note*>(data);
  n->order->seen.push_back(n->number);
}

// Destructor callbacks run in the reverse of the order of registration (4.4,
// clSetContextDestructorCallback).
TEST(ContextDestructor, ReverseOrder) {
  Order order;
  Note first{&order, 1}, second{&order, 2};
  auto context = make_context();
  if (clSetContextDestructorCallback(context, note, &first) != CL_SUCCESS)
    GTEST_SKIP() << "the loader does not pass clSetContextDestructorCallback on";
  ASSERT_EQ(clSetContextDestructorCallback(context, note, &second), CL_SUCCESS);
  EXPECT_EQ(clSetContextDestructorCallback(context, nullptr, nullptr), CL_INVALID_VALUE);
  context.reset();
  EXPECT_EQ(order.seen, (std::vector<int>{2, 1}));
}

TEST(ExtensionFunctions, Addresses) {
  EXPECT_EQ(clGetExtensionFunctionAddressForPlatform(platform(), "clNoSuchFunctionKHR"), nullptr);
}

} // namespace
} // namespace heddle::test
