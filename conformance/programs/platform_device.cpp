// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Platforms and devices: every query's type and size, the minimum values, and their consistency.
#include "harness.h"

#include <algorithm>
#include <cstring>
#include <regex>
#include <set>
#include <sstream>

using namespace conformance;

namespace {

const cl_platform_id platform = Target::get().platform;
const cl_device_id device = Target::get().device;
const int version = Target::get().version;

template <class T>
T get(cl_device_info name) {
  return info<T>(clGetDeviceInfo, device, name);
}
std::string text(cl_device_info name) { return info_string(clGetDeviceInfo, device, name); }

std::set<std::string> words(const std::string& list) {
  std::istringstream stream(list);
  return {std::istream_iterator<std::string>(stream), {}};
}

std::set<std::string> names(const std::vector<cl_name_version>& list) {
  std::set<std::string> result;
  for (const cl_name_version& entry : list)
    EXPECT_TRUE(result.insert(entry.name).second) << entry.name << " is reported twice";
  return result;
}

bool is_full_profile() { return text(CL_DEVICE_PROFILE) == "FULL_PROFILE"; }

TEST(Platform, Listing) {
  SPEC("API, Querying Platform Info: clGetPlatformIDs");
  cl_platform_id one = nullptr;
  EXPECT_EQ(clGetPlatformIDs(0, &one, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clGetPlatformIDs(0, nullptr, nullptr), CL_INVALID_VALUE);
}

TEST(Platform, Strings) {
  SPEC("API, Querying Platform Info: clGetPlatformInfo");
  auto get_text = [](cl_platform_info name) {
    return info_string(clGetPlatformInfo, platform, name);
  };
  const std::string profile = get_text(CL_PLATFORM_PROFILE);
  EXPECT_TRUE(profile == "FULL_PROFILE" || profile == "EMBEDDED_PROFILE") << profile;
  EXPECT_TRUE(
      std::regex_match(get_text(CL_PLATFORM_VERSION), std::regex("OpenCL [0-9]+\\.[0-9]+ .*")));
  EXPECT_FALSE(get_text(CL_PLATFORM_NAME).empty());
  EXPECT_FALSE(get_text(CL_PLATFORM_VENDOR).empty());
  // cl_khr_icd: a platform that the loader finds reports the extension and its suffix.
  EXPECT_TRUE(has_word(get_text(CL_PLATFORM_EXTENSIONS), "cl_khr_icd"));
  EXPECT_FALSE(get_text(0x0920 /* CL_PLATFORM_ICD_SUFFIX_KHR */).empty());
  char small = 0;
  EXPECT_EQ(clGetPlatformInfo(platform, CL_PLATFORM_NAME, 1, &small, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clGetPlatformInfo(platform, 0x1234567, 0, nullptr, nullptr), CL_INVALID_VALUE);
}

TEST(Platform, NumericVersions) {
  SPEC("API, Querying Platform Info: since OpenCL 3.0");
  const std::string version_text = info_string(clGetPlatformInfo, platform, CL_PLATFORM_VERSION);
  int major = 0, minor = 0;
  ASSERT_EQ(std::sscanf(version_text.c_str(), "OpenCL %d.%d", &major, &minor), 2);
  if (major < 3)
    GTEST_SKIP();
  const auto numeric = info<cl_version>(clGetPlatformInfo, platform, CL_PLATFORM_NUMERIC_VERSION);
  EXPECT_EQ(CL_VERSION_MAJOR(numeric), unsigned(major));
  EXPECT_EQ(CL_VERSION_MINOR(numeric), unsigned(minor));
  EXPECT_EQ(names(info_array<cl_name_version>(clGetPlatformInfo, platform,
                                              CL_PLATFORM_EXTENSIONS_WITH_VERSION)),
            words(info_string(clGetPlatformInfo, platform, CL_PLATFORM_EXTENSIONS)));
  info<cl_ulong>(clGetPlatformInfo, platform, CL_PLATFORM_HOST_TIMER_RESOLUTION);
}

TEST(Device, Listing) {
  SPEC("API, Querying Devices: clGetDeviceIDs");
  cl_uint count = 0;
  EXPECT_CL(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count));
  EXPECT_GE(count, 1u);
  EXPECT_CL(clGetDeviceIDs(platform, CL_DEVICE_TYPE_DEFAULT, 0, nullptr, &count));
  EXPECT_EQ(count, 1u);
  cl_device_id one = nullptr;
  EXPECT_EQ(clGetDeviceIDs(platform, 0, 1, &one, nullptr), CL_INVALID_DEVICE_TYPE);
  EXPECT_EQ(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, &one, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ACCELERATOR, 1, &one, &count),
            CL_DEVICE_NOT_FOUND);
}

struct Query {
  cl_device_info name;
  const char* text;
  size_t size; // 0: a string
  int since;
};
#define QUERY(name, type, since)                                                                   \
  { name, #name, sizeof(type), since }
#define STRING(name, since)                                                                        \
  { name, #name, 0, since }
const Query kQueries[] = {
    QUERY(CL_DEVICE_TYPE, cl_device_type, 100),
    QUERY(CL_DEVICE_VENDOR_ID, cl_uint, 100),
    QUERY(CL_DEVICE_MAX_COMPUTE_UNITS, cl_uint, 100),
    QUERY(CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, cl_uint, 100),
    QUERY(CL_DEVICE_MAX_WORK_GROUP_SIZE, size_t, 100),
    QUERY(CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR, cl_uint, 100),
    QUERY(CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT, cl_uint, 100),
    QUERY(CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT, cl_uint, 100),
    QUERY(CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG, cl_uint, 100),
    QUERY(CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT, cl_uint, 100),
    QUERY(CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE, cl_uint, 100),
    QUERY(CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF, cl_uint, 110),
    QUERY(CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR, cl_uint, 110),
    QUERY(CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT, cl_uint, 110),
    QUERY(CL_DEVICE_NATIVE_VECTOR_WIDTH_INT, cl_uint, 110),
    QUERY(CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG, cl_uint, 110),
    QUERY(CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT, cl_uint, 110),
    QUERY(CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE, cl_uint, 110),
    QUERY(CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF, cl_uint, 110),
    QUERY(CL_DEVICE_MAX_CLOCK_FREQUENCY, cl_uint, 100),
    QUERY(CL_DEVICE_ADDRESS_BITS, cl_uint, 100),
    QUERY(CL_DEVICE_MAX_MEM_ALLOC_SIZE, cl_ulong, 100),
    QUERY(CL_DEVICE_IMAGE_SUPPORT, cl_bool, 100),
    QUERY(CL_DEVICE_MAX_READ_IMAGE_ARGS, cl_uint, 100),
    QUERY(CL_DEVICE_MAX_WRITE_IMAGE_ARGS, cl_uint, 100),
    QUERY(CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS, cl_uint, 200),
    QUERY(CL_DEVICE_IMAGE2D_MAX_WIDTH, size_t, 100),
    QUERY(CL_DEVICE_IMAGE2D_MAX_HEIGHT, size_t, 100),
    QUERY(CL_DEVICE_IMAGE3D_MAX_WIDTH, size_t, 100),
    QUERY(CL_DEVICE_IMAGE3D_MAX_HEIGHT, size_t, 100),
    QUERY(CL_DEVICE_IMAGE3D_MAX_DEPTH, size_t, 100),
    QUERY(CL_DEVICE_IMAGE_MAX_BUFFER_SIZE, size_t, 120),
    QUERY(CL_DEVICE_IMAGE_MAX_ARRAY_SIZE, size_t, 120),
    QUERY(CL_DEVICE_MAX_SAMPLERS, cl_uint, 100),
    QUERY(CL_DEVICE_IMAGE_PITCH_ALIGNMENT, cl_uint, 200),
    QUERY(CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT, cl_uint, 200),
    QUERY(CL_DEVICE_MAX_PIPE_ARGS, cl_uint, 200),
    QUERY(CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS, cl_uint, 200),
    QUERY(CL_DEVICE_PIPE_MAX_PACKET_SIZE, cl_uint, 200),
    QUERY(CL_DEVICE_MAX_PARAMETER_SIZE, size_t, 100),
    QUERY(CL_DEVICE_MEM_BASE_ADDR_ALIGN, cl_uint, 100),
    QUERY(CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE, cl_uint, 100),
    QUERY(CL_DEVICE_SINGLE_FP_CONFIG, cl_device_fp_config, 100),
    QUERY(CL_DEVICE_DOUBLE_FP_CONFIG, cl_device_fp_config, 120),
    QUERY(CL_DEVICE_GLOBAL_MEM_CACHE_TYPE, cl_device_mem_cache_type, 100),
    QUERY(CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE, cl_uint, 100),
    QUERY(CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, cl_ulong, 100),
    QUERY(CL_DEVICE_GLOBAL_MEM_SIZE, cl_ulong, 100),
    QUERY(CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE, cl_ulong, 100),
    QUERY(CL_DEVICE_MAX_CONSTANT_ARGS, cl_uint, 100),
    QUERY(CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE, size_t, 200),
    QUERY(CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE, size_t, 200),
    QUERY(CL_DEVICE_LOCAL_MEM_TYPE, cl_device_local_mem_type, 100),
    QUERY(CL_DEVICE_LOCAL_MEM_SIZE, cl_ulong, 100),
    QUERY(CL_DEVICE_ERROR_CORRECTION_SUPPORT, cl_bool, 100),
    QUERY(CL_DEVICE_HOST_UNIFIED_MEMORY, cl_bool, 110),
    QUERY(CL_DEVICE_PROFILING_TIMER_RESOLUTION, size_t, 100),
    QUERY(CL_DEVICE_ENDIAN_LITTLE, cl_bool, 100),
    QUERY(CL_DEVICE_AVAILABLE, cl_bool, 100),
    QUERY(CL_DEVICE_COMPILER_AVAILABLE, cl_bool, 100),
    QUERY(CL_DEVICE_LINKER_AVAILABLE, cl_bool, 120),
    QUERY(CL_DEVICE_EXECUTION_CAPABILITIES, cl_device_exec_capabilities, 100),
    QUERY(CL_DEVICE_QUEUE_ON_HOST_PROPERTIES, cl_command_queue_properties, 100),
    QUERY(CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES, cl_command_queue_properties, 200),
    QUERY(CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE, cl_uint, 200),
    QUERY(CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE, cl_uint, 200),
    QUERY(CL_DEVICE_MAX_ON_DEVICE_QUEUES, cl_uint, 200),
    QUERY(CL_DEVICE_MAX_ON_DEVICE_EVENTS, cl_uint, 200),
    QUERY(CL_DEVICE_PLATFORM, cl_platform_id, 100),
    QUERY(CL_DEVICE_PRINTF_BUFFER_SIZE, size_t, 120),
    QUERY(CL_DEVICE_PREFERRED_INTEROP_USER_SYNC, cl_bool, 120),
    QUERY(CL_DEVICE_PARENT_DEVICE, cl_device_id, 120),
    QUERY(CL_DEVICE_PARTITION_MAX_SUB_DEVICES, cl_uint, 120),
    QUERY(CL_DEVICE_PARTITION_AFFINITY_DOMAIN, cl_device_affinity_domain, 120),
    QUERY(CL_DEVICE_REFERENCE_COUNT, cl_uint, 120),
    QUERY(CL_DEVICE_SVM_CAPABILITIES, cl_device_svm_capabilities, 200),
    QUERY(CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT, cl_uint, 200),
    QUERY(CL_DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT, cl_uint, 200),
    QUERY(CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT, cl_uint, 200),
    QUERY(CL_DEVICE_MAX_NUM_SUB_GROUPS, cl_uint, 210),
    QUERY(CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS, cl_bool, 210),
    QUERY(CL_DEVICE_NUMERIC_VERSION, cl_version, 300),
    QUERY(CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, cl_device_atomic_capabilities, 300),
    QUERY(CL_DEVICE_ATOMIC_FENCE_CAPABILITIES, cl_device_atomic_capabilities, 300),
    QUERY(CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT, cl_bool, 300),
    QUERY(CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT, cl_bool, 300),
    QUERY(CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT, cl_bool, 300),
    QUERY(CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES, cl_device_device_enqueue_capabilities, 300),
    QUERY(CL_DEVICE_PIPE_SUPPORT, cl_bool, 300),
    QUERY(CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, size_t, 300),
    STRING(CL_DEVICE_NAME, 100),
    STRING(CL_DEVICE_VENDOR, 100),
    STRING(CL_DRIVER_VERSION, 100),
    STRING(CL_DEVICE_PROFILE, 100),
    STRING(CL_DEVICE_VERSION, 100),
    STRING(CL_DEVICE_OPENCL_C_VERSION, 110),
    STRING(CL_DEVICE_EXTENSIONS, 100),
    STRING(CL_DEVICE_BUILT_IN_KERNELS, 120),
    STRING(CL_DEVICE_IL_VERSION, 210),
    STRING(CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED, 300),
};

TEST(Device, EveryQueryHasItsTypesSize) {
  SPEC("API, Querying Devices: table of clGetDeviceInfo, and the errors for param_value_size");
  for (const Query& query : kQueries) {
    if (query.since > version)
      continue;
    SCOPED_TRACE(query.text);
    size_t size = 0;
    EXPECT_CL(clGetDeviceInfo(device, query.name, 0, nullptr, &size));
    if (query.size) {
      EXPECT_EQ(size, query.size);
    } else
      EXPECT_GE(size, 1u);
    std::vector<unsigned char> value(size + 8, 0xAB);
    size_t again = 0;
    EXPECT_CL(clGetDeviceInfo(device, query.name, size, value.data(), &again));
    EXPECT_EQ(again, size);
    for (size_t i = size; i < value.size(); ++i)
      EXPECT_EQ(value[i], 0xAB) << "written past the value";
    if (size > 1) {
      EXPECT_EQ(clGetDeviceInfo(device, query.name, size - 1, value.data(), nullptr),
                CL_INVALID_VALUE);
    }
    if (!query.size)
      text(query.name);
  }
  EXPECT_EQ(clGetDeviceInfo(device, 0x1234567, 0, nullptr, nullptr), CL_INVALID_VALUE);
}

TEST(Device, MinimumValuesOfTheFullProfile) {
  SPEC("API, Querying Devices: minimum values in the table of clGetDeviceInfo");
  if (!is_full_profile() || (get<cl_device_type>(CL_DEVICE_TYPE) & CL_DEVICE_TYPE_CUSTOM))
    GTEST_SKIP();
  EXPECT_GE(get<cl_uint>(CL_DEVICE_MAX_COMPUTE_UNITS), 1u);
  EXPECT_GE(get<cl_uint>(CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS), 3u);
  EXPECT_GE(get<size_t>(CL_DEVICE_MAX_WORK_GROUP_SIZE), 1u);
  for (size_t size : info_array<size_t>(clGetDeviceInfo, device, CL_DEVICE_MAX_WORK_ITEM_SIZES))
    EXPECT_GE(size, 1u);
  const auto bits = get<cl_uint>(CL_DEVICE_ADDRESS_BITS);
  EXPECT_TRUE(bits == 32 || bits == 64);
  const auto global = get<cl_ulong>(CL_DEVICE_GLOBAL_MEM_SIZE);
  EXPECT_GE(get<cl_ulong>(CL_DEVICE_MAX_MEM_ALLOC_SIZE),
            std::max<cl_ulong>(std::min<cl_ulong>(1u << 30, global / 4), 32u << 20));
  EXPECT_LE(get<cl_ulong>(CL_DEVICE_MAX_MEM_ALLOC_SIZE), global);
  EXPECT_GE(get<size_t>(CL_DEVICE_MAX_PARAMETER_SIZE), 1024u);
  EXPECT_GE(get<cl_uint>(CL_DEVICE_MEM_BASE_ADDR_ALIGN), 8 * sizeof(cl_long16));
  EXPECT_EQ(get<cl_uint>(CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE), sizeof(cl_long16));
  EXPECT_GE(get<cl_ulong>(CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE), 64u << 10);
  EXPECT_GE(get<cl_uint>(CL_DEVICE_MAX_CONSTANT_ARGS), 8u);
  EXPECT_GE(get<cl_ulong>(CL_DEVICE_LOCAL_MEM_SIZE), 32u << 10);
  EXPECT_GE(get<size_t>(CL_DEVICE_PRINTF_BUFFER_SIZE), 1u << 20);
  EXPECT_TRUE(get<cl_device_exec_capabilities>(CL_DEVICE_EXECUTION_CAPABILITIES) & CL_EXEC_KERNEL);
  EXPECT_TRUE(get<cl_command_queue_properties>(CL_DEVICE_QUEUE_ON_HOST_PROPERTIES) &
              CL_QUEUE_PROFILING_ENABLE);
  EXPECT_TRUE(get<cl_bool>(CL_DEVICE_COMPILER_AVAILABLE));
  EXPECT_TRUE(get<cl_bool>(CL_DEVICE_LINKER_AVAILABLE));
  const cl_device_fp_config single = CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN;
  EXPECT_EQ(get<cl_device_fp_config>(CL_DEVICE_SINGLE_FP_CONFIG) & single, single);
  if (const auto fp64 = get<cl_device_fp_config>(CL_DEVICE_DOUBLE_FP_CONFIG)) {
    // OpenCL 3.0 requires no other rounding modes, 1.2 does.
    cl_device_fp_config all = CL_FP_FMA | CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN | CL_FP_DENORM;
    if (version < 300)
      all |= CL_FP_ROUND_TO_ZERO | CL_FP_ROUND_TO_INF;
    EXPECT_EQ(fp64 & all, all);
  }
  if (get<cl_bool>(CL_DEVICE_IMAGE_SUPPORT)) {
    EXPECT_GE(get<cl_uint>(CL_DEVICE_MAX_READ_IMAGE_ARGS), 128u);
    EXPECT_GE(get<size_t>(CL_DEVICE_IMAGE2D_MAX_WIDTH), version >= 200 ? 16384u : 8192u);
    EXPECT_GE(get<size_t>(CL_DEVICE_IMAGE3D_MAX_DEPTH), 2048u);
    EXPECT_GE(get<cl_uint>(CL_DEVICE_MAX_SAMPLERS), 16u);
  }
}

TEST(Device, AnswersAgreeWithEachOther) {
  SPEC("API, Querying Devices");
  EXPECT_EQ(get<cl_platform_id>(CL_DEVICE_PLATFORM), platform);
  EXPECT_EQ(get<cl_device_id>(CL_DEVICE_PARENT_DEVICE), nullptr);
  EXPECT_EQ(get<cl_uint>(CL_DEVICE_REFERENCE_COUNT), 1u);
  EXPECT_TRUE(get<cl_bool>(CL_DEVICE_AVAILABLE));
  EXPECT_EQ(info_array<size_t>(clGetDeviceInfo, device, CL_DEVICE_MAX_WORK_ITEM_SIZES).size(),
            get<cl_uint>(CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS));
  const std::string extensions = text(CL_DEVICE_EXTENSIONS);
  const bool fp64 = get<cl_device_fp_config>(CL_DEVICE_DOUBLE_FP_CONFIG) != 0;
  EXPECT_EQ(fp64, get<cl_uint>(CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE) != 0);
  EXPECT_EQ(fp64, get<cl_uint>(CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE) != 0);
  EXPECT_EQ(fp64, has_word(extensions, "cl_khr_fp64"));
  const bool fp16 = has_word(extensions, "cl_khr_fp16");
  EXPECT_EQ(fp16, get<cl_uint>(CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF) != 0);
  EXPECT_EQ(fp16, get<cl_uint>(CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF) != 0);
  EXPECT_TRUE(std::regex_match(text(CL_DEVICE_VERSION), std::regex("OpenCL [0-9]+\\.[0-9]+ .*")));
  EXPECT_TRUE(std::regex_match(text(CL_DEVICE_OPENCL_C_VERSION),
                               std::regex("OpenCL C [0-9]+\\.[0-9]+ .*")));
  const auto line = get<cl_uint>(CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE);
  if (get<cl_device_mem_cache_type>(CL_DEVICE_GLOBAL_MEM_CACHE_TYPE) != CL_NONE) {
    EXPECT_TRUE(line != 0 && (line & (line - 1)) == 0);
  }
}

TEST(Device, RequiredExtensions) {
  SPEC("API, Required OpenCL Extensions");
  const std::string extensions = text(CL_DEVICE_EXTENSIONS);
  if (is_full_profile()) {
    EXPECT_TRUE(has_word(extensions, "cl_khr_byte_addressable_store"));
  }
  for (const char* name :
       {"cl_khr_global_int32_base_atomics", "cl_khr_global_int32_extended_atomics",
        "cl_khr_local_int32_base_atomics", "cl_khr_local_int32_extended_atomics"})
    EXPECT_TRUE(has_word(extensions, name)) << name;
}

TEST(Device, Partitioning) {
  SPEC("API, Querying Devices: CL_DEVICE_PARTITION_PROPERTIES and CL_DEVICE_PARTITION_TYPE");
  const auto kinds = info_array<cl_device_partition_property>(clGetDeviceInfo, device,
                                                              CL_DEVICE_PARTITION_PROPERTIES);
  ASSERT_FALSE(kinds.empty());
  EXPECT_LE(get<cl_uint>(CL_DEVICE_PARTITION_MAX_SUB_DEVICES),
            get<cl_uint>(CL_DEVICE_MAX_COMPUTE_UNITS));
  for (cl_device_partition_property kind : kinds)
    if (kind == CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN) {
      EXPECT_NE(get<cl_device_affinity_domain>(CL_DEVICE_PARTITION_AFFINITY_DOMAIN), 0u);
    }
  // For a root device: no bytes, or a single 0.
  const auto type =
      info_array<cl_device_partition_property>(clGetDeviceInfo, device, CL_DEVICE_PARTITION_TYPE);
  EXPECT_TRUE(type.empty() || type == std::vector<cl_device_partition_property>{0});
}

TEST(Device, VersionThree) {
  SPEC("API, Querying Devices: since OpenCL 3.0");
  if (version < 300)
    GTEST_SKIP();
  const auto numeric = get<cl_version>(CL_DEVICE_NUMERIC_VERSION);
  EXPECT_EQ(int(CL_VERSION_MAJOR(numeric) * 100 + CL_VERSION_MINOR(numeric) * 10), version);
  EXPECT_EQ(names(info_array<cl_name_version>(clGetDeviceInfo, device,
                                              CL_DEVICE_EXTENSIONS_WITH_VERSION)),
            words(text(CL_DEVICE_EXTENSIONS)));
  std::set<std::pair<unsigned, unsigned>> c_versions;
  for (const cl_name_version& c :
       info_array<cl_name_version>(clGetDeviceInfo, device, CL_DEVICE_OPENCL_C_ALL_VERSIONS)) {
    EXPECT_STREQ(c.name, "OpenCL C");
    c_versions.insert({CL_VERSION_MAJOR(c.version), CL_VERSION_MINOR(c.version)});
  }
  for (auto c : {std::pair{1u, 0u}, {1u, 1u}, {1u, 2u}, {3u, 0u}})
    EXPECT_TRUE(c_versions.count(c)) << "OpenCL C " << c.first << "." << c.second;
  const auto features =
      names(info_array<cl_name_version>(clGetDeviceInfo, device, CL_DEVICE_OPENCL_C_FEATURES));
  EXPECT_EQ(features.count("__opencl_c_fp64"),
            get<cl_device_fp_config>(CL_DEVICE_DOUBLE_FP_CONFIG) ? 1u : 0u);
  EXPECT_EQ(features.count("__opencl_c_images"), get<cl_bool>(CL_DEVICE_IMAGE_SUPPORT) ? 1u : 0u);
  EXPECT_EQ(features.count("__opencl_c_pipes"), get<cl_bool>(CL_DEVICE_PIPE_SUPPORT) ? 1u : 0u);
  EXPECT_EQ(features.count("__opencl_c_generic_address_space"),
            get<cl_bool>(CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT) ? 1u : 0u);
  EXPECT_EQ(features.count("__opencl_c_work_group_collective_functions"),
            get<cl_bool>(CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT) ? 1u : 0u);
  if (is_full_profile()) {
    EXPECT_TRUE(features.count("__opencl_c_int64"));
  }
  const cl_device_atomic_capabilities memory =
      CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP;
  EXPECT_EQ(get<cl_device_atomic_capabilities>(CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES) & memory,
            memory);
  const cl_device_atomic_capabilities fence = memory | CL_DEVICE_ATOMIC_ORDER_ACQ_REL;
  EXPECT_EQ(get<cl_device_atomic_capabilities>(CL_DEVICE_ATOMIC_FENCE_CAPABILITIES) & fence, fence);
}

TEST(Device, Errors) {
  SPEC("API, Querying Devices: errors of clGetDeviceInfo");
  cl_uint value = 0;
  EXPECT_EQ(clGetDeviceInfo(nullptr, CL_DEVICE_VENDOR_ID, sizeof value, &value, nullptr),
            CL_INVALID_DEVICE);
  EXPECT_EQ(clGetDeviceInfo(device, CL_DEVICE_VENDOR_ID, 0, &value, nullptr), CL_INVALID_VALUE);
}

TEST(Device, Timers) {
  SPEC("API, Querying Devices: clGetDeviceAndHostTimer and clGetHostTimer");
  if (version < 300 ||
      info<cl_ulong>(clGetPlatformInfo, platform, CL_PLATFORM_HOST_TIMER_RESOLUTION) == 0)
    GTEST_SKIP();
  cl_ulong device_time[2] = {}, host_time[2] = {}, host_only = 0;
  for (int i = 0; i < 2; ++i)
    ASSERT_CL(clGetDeviceAndHostTimer(device, &device_time[i], &host_time[i]));
  EXPECT_LE(device_time[0], device_time[1]);
  EXPECT_LE(host_time[0], host_time[1]);
  ASSERT_CL(clGetHostTimer(device, &host_only));
  EXPECT_GE(host_only, host_time[1]);
}

} // namespace
