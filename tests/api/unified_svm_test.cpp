// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_khr_unified_svm: the four calls, with every type of SVM that the platform has.
#include "tests/api/api_test.h"
#include "tests/api/unified_svm.h"

#include <cstdint>
#include <cstdlib>
#include <limits>

namespace heddle::test {
namespace {

constexpr auto kNone = std::numeric_limits<cl_uint>::max();

class UnifiedSvmTest : public testing::Test {
 protected:
  UnifiedSvmTest() {
    size_t bytes = 0;
    check(clGetPlatformInfo(platform(), kPlatformSvmTypes, 0, nullptr, &bytes), "size");
    types_.resize(bytes / sizeof(SvmCapabilities));
    check(clGetPlatformInfo(platform(), kPlatformSvmTypes, bytes, types_.data(), nullptr), "types");
  }
  std::vector<cl_properties> device_list() const {
    return {kSvmDevice, reinterpret_cast<cl_properties>(device()), 0};
  }
  // Of 4096 bytes of the type, for the device if the type needs one.
  char* allocate(cl_uint type) {
    const auto list = device_list();
    cl_int status = CL_INVALID_VALUE;
    auto* memory = svm_.alloc(context_, types_[type] & kSvmUnassociated ? nullptr : list.data(),
                              type, 4096, &status);
    check(status, "clSVMAllocWithPropertiesKHR");
    return static_cast<char*>(memory);
  }
  template <class T>
  T ask(const void* pointer, cl_uint name, cl_device_id unit = nullptr) {
    T value{};
    size_t bytes = 0;
    check(svm_.info(context_, unit, pointer, name, sizeof value, &value, &bytes), "info");
    EXPECT_EQ(bytes, sizeof value);
    return value;
  }
  std::vector<cl_properties> properties(const void* pointer) {
    size_t bytes = 0;
    check(svm_.info(context_, nullptr, pointer, kSvmProperties, 0, nullptr, &bytes), "size");
    std::vector<cl_properties> list(bytes / sizeof(cl_properties));
    check(svm_.info(context_, nullptr, pointer, kSvmProperties, bytes, list.data(), nullptr),
          "properties");
    return list;
  }
  cl_uint suggest(SvmCapabilities required, SvmCapabilities desired = 0) {
    cl_uint type = 0;
    check(svm_.suggest(context_, required, desired, nullptr, 0, &type), "suggest");
    return type;
  }

  Context context_ = make_context();
  Queue queue_ = make_queue(context_);
  UnifiedSvm svm_;
  std::vector<SvmCapabilities> types_;
};

TEST_F(UnifiedSvmTest, TypesAreTheDevicesToo) {
  std::vector<SvmCapabilities> of_device(types_.size());
  size_t bytes = 0;
  check(clGetDeviceInfo(device(), kDeviceSvmTypes, types_.size() * sizeof(SvmCapabilities),
                        of_device.data(), &bytes),
        "device");
  EXPECT_EQ(bytes, types_.size() * sizeof(SvmCapabilities));
  EXPECT_EQ(of_device, types_);
  for (const auto type : types_) {
    EXPECT_FALSE((type & kSvmDeviceOwned) && (type & kSvmUnassociated));
    EXPECT_TRUE(!(type & kSvmHostOwned) || (type & kSvmUnassociated));
  }
}

TEST_F(UnifiedSvmTest, Suggestions) {
  for (const auto wanted :
       {kCoarseGrain, kFineGrain, kDeviceSvm, kHostSvm, kSharedSvm, kSystemSvm}) {
    const auto type = suggest(wanted);
    ASSERT_LT(type, types_.size()) << std::hex << wanted;
    EXPECT_EQ(types_[type] & wanted, wanted);
    // No owner and no system memory that was not asked for.
    EXPECT_FALSE(types_[type] & ~wanted & (kSvmDeviceOwned | kSvmHostOwned | kSvmSystemAllocated))
        << std::hex << wanted;
  }
  EXPECT_EQ(types_[suggest(0, kSvmHostOwned)] & kSvmHostOwned, kSvmHostOwned) << "what is desired";
  EXPECT_EQ(suggest(SvmCapabilities{1} << 40), kNone) << "a capability that does not exist";
  EXPECT_LT(suggest(0, SvmCapabilities{1} << 40), types_.size());
  cl_uint type = 0;
  EXPECT_EQ(svm_.suggest(context_, 0, 0, nullptr, 0, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(svm_.suggest(nullptr, 0, 0, nullptr, 0, &type), CL_INVALID_CONTEXT);
  const cl_properties wrong[] = {1, 1, 0};
  EXPECT_EQ(svm_.suggest(context_, 0, 0, wrong, 0, &type), CL_INVALID_PROPERTY);
}

TEST_F(UnifiedSvmTest, EveryTypeIsUsable) {
  const auto program = build(context_, R"(
    kernel void follow(global int* global* list) { list[1][get_global_id(0)] += *list[0]; })",
                             "-cl-std=CL3.0");
  for (cl_uint type = 0; type < types_.size(); ++type) {
    SCOPED_TRACE(type);
    auto* list = reinterpret_cast<cl_int**>(allocate(type));
    auto* values = reinterpret_cast<cl_int*>(allocate(type));
    EXPECT_EQ(values[1023], 0) << "new memory is zero";
    for (int i = 0; i != 1024; ++i)
      values[i] = i;
    list[0] = values + 7;
    list[1] = values + 512;
    const auto kernel = make_kernel(program, "follow");
    const cl_bool yes = CL_TRUE;
    EXPECT_EQ(clSetKernelExecInfo(kernel, kSvmIndirectAccess, sizeof yes, &yes), CL_SUCCESS);
    EXPECT_EQ(clSetKernelExecInfo(kernel, kSvmIndirectAccess, 1, &yes), CL_INVALID_VALUE);
    check(clSetKernelArgSVMPointer(kernel, 0, list), "argument 0");
    run(queue_, kernel, {{512}, {}, {}});
    EXPECT_EQ(values[511], 511);
    EXPECT_EQ(values[512], 519);
    EXPECT_EQ(values[1023], 1030);
    EXPECT_EQ(svm_.free(context_, nullptr, 0, list), CL_SUCCESS);
    EXPECT_EQ(svm_.free(context_, nullptr, 0, list), CL_INVALID_VALUE) << "freed before";
    clSVMFree(context_, values);
    EXPECT_EQ(ask<void*>(values, kSvmBase), nullptr);
  }
}

TEST_F(UnifiedSvmTest, Queries) {
  for (cl_uint type = 0; type < types_.size(); ++type) {
    SCOPED_TRACE(type);
    const auto handle = reinterpret_cast<cl_properties>(device());
    // In any order, and returned in the same.
    const std::vector<cl_properties> list{kSvmAlignment, 512, kSvmDevice, handle,
                                          kSvmAccess,    257, 0};
    cl_int status = CL_INVALID_VALUE;
    auto* memory = static_cast<char*>(svm_.alloc(context_, list.data(), type, 100, &status));
    check(status, "clSVMAllocWithPropertiesKHR");
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % 512, 0u);
    for (const cl_device_id unit : {cl_device_id(nullptr), device()}) {
      EXPECT_EQ(ask<cl_uint>(memory + 99, kSvmTypeIndex, unit), type);
      EXPECT_EQ(ask<SvmCapabilities>(memory, kSvmCapabilities, unit), types_[type]);
      EXPECT_EQ(ask<cl_bitfield>(memory, kSvmAccessFlags, unit), 257u);
      EXPECT_EQ(ask<void*>(memory + 50, kSvmBase, unit), memory);
      EXPECT_EQ(ask<size_t>(memory + 50, kSvmSize, unit), 100u);
      EXPECT_EQ(ask<cl_device_id>(memory, kSvmAssociated, unit), device());
    }
    EXPECT_EQ(properties(memory + 3), list);
    cl_uint too_small = 0;
    EXPECT_EQ(svm_.info(context_, nullptr, memory, kSvmSize, 4, &too_small, nullptr),
              CL_INVALID_VALUE);
    EXPECT_EQ(svm_.info(context_, nullptr, memory, 7, 4, &too_small, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(svm_.free(context_, nullptr, 0, memory), CL_SUCCESS);
  }
  const cl_properties empty[] = {0}, one[] = {kSvmAlignment, 0, 0};
  auto* memory = svm_.alloc(context_, empty, 0, 100, nullptr);
  EXPECT_EQ(properties(memory), std::vector<cl_properties>{0});
  EXPECT_EQ(svm_.free(context_, empty, 0, memory), CL_SUCCESS);
  memory = svm_.alloc(context_, one, 0, 100, nullptr);
  EXPECT_EQ(properties(memory), std::vector<cl_properties>(one, one + 3));
  EXPECT_EQ(svm_.free(context_, nullptr, 0, memory), CL_SUCCESS);
}

TEST_F(UnifiedSvmTest, OtherPointers) {
  SvmArray<cl_int> plain(context_, 100, CL_MEM_READ_ONLY);
  EXPECT_EQ(ask<size_t>(plain.data() + 99, kSvmSize), 400u);
  const auto type = ask<cl_uint>(plain.data(), kSvmTypeIndex);
  ASSERT_LT(type, types_.size());
  EXPECT_EQ(types_[type] & kCoarseGrain, kCoarseGrain);
  EXPECT_EQ(ask<cl_bitfield>(plain.data(), kSvmAccessFlags), 0u) << "not clSVMAlloc's flags";
  EXPECT_TRUE(properties(plain.data()).empty());
  // What is in no SVM allocation of the context has defaults, and is no error.
  const Usm usm;
  auto* shared = usm.shared_alloc(context_, nullptr, nullptr, 64, 0, nullptr);
  for (const void* pointer : std::initializer_list<const void*>{nullptr, &type, shared}) {
    EXPECT_EQ(ask<cl_uint>(pointer, kSvmTypeIndex), kNone);
    EXPECT_EQ(ask<SvmCapabilities>(pointer, kSvmCapabilities), 0u);
    EXPECT_EQ(ask<cl_bitfield>(pointer, kSvmAccessFlags), 0u);
    EXPECT_EQ(ask<void*>(pointer, kSvmBase), nullptr);
    EXPECT_EQ(ask<size_t>(pointer, kSvmSize), 0u);
    EXPECT_EQ(ask<cl_device_id>(pointer, kSvmAssociated), nullptr);
    EXPECT_TRUE(properties(pointer).empty());
  }
  EXPECT_EQ(svm_.free(context_, nullptr, 0, shared), CL_INVALID_VALUE) << "it is USM";
  EXPECT_EQ(usm.free(context_, shared), CL_SUCCESS);
}

TEST_F(UnifiedSvmTest, Errors) {
  const auto device_owned = suggest(kDeviceSvm);
  const auto error = [&](const std::vector<cl_properties>& list, cl_uint type, size_t size) {
    cl_int status = CL_SUCCESS;
    EXPECT_EQ(svm_.alloc(context_, list.empty() ? nullptr : list.data(), type, size, &status),
              nullptr);
    return status;
  };
  EXPECT_EQ(error({}, 0, 0), CL_SUCCESS) << "no bytes are null";
  EXPECT_EQ(error({}, cl_uint(types_.size()), 64), CL_INVALID_VALUE);
  EXPECT_EQ(error({}, kNone, 64), CL_INVALID_VALUE);
  EXPECT_EQ(error({}, device_owned, 64), CL_INVALID_PROPERTY);
  EXPECT_EQ(error({kSvmDevice, 0, 0}, device_owned, 64), CL_INVALID_PROPERTY);
  EXPECT_EQ(error({kSvmDevice, 4096, 0}, 0, 64), CL_INVALID_PROPERTY);
  EXPECT_EQ(error({kSvmAccess, 1 << 2, 0}, 0, 64), CL_INVALID_PROPERTY);
  EXPECT_EQ(error({kSvmAlignment, 3, 0}, 0, 64), CL_INVALID_PROPERTY);
  EXPECT_EQ(error({kSvmAlignment, 4, kSvmAlignment, 4, 0}, 0, 64), CL_INVALID_PROPERTY);
  EXPECT_EQ(error({0x1234, 4, 0}, 0, 64), CL_INVALID_PROPERTY);
  EXPECT_NE(error({}, 0, size_t{1} << 60), CL_SUCCESS);
  cl_int status = CL_SUCCESS;
  EXPECT_EQ(svm_.alloc(nullptr, nullptr, 0, 64, &status), nullptr);
  EXPECT_EQ(status, CL_INVALID_CONTEXT);

  auto* memory = allocate(0);
  const cl_properties some[] = {1, 1, 0};
  EXPECT_EQ(svm_.free(nullptr, nullptr, 0, memory), CL_INVALID_CONTEXT);
  EXPECT_EQ(svm_.free(context_, some, 0, memory), CL_INVALID_PROPERTY);
  EXPECT_EQ(svm_.free(context_, nullptr, 1, memory), CL_INVALID_VALUE);
  EXPECT_EQ(svm_.free(context_, nullptr, 0, memory + 1), CL_INVALID_VALUE);
  EXPECT_EQ(svm_.free(context_, nullptr, 0, nullptr), CL_SUCCESS);
  size_t size = 0;
  EXPECT_EQ(svm_.info(nullptr, nullptr, memory, kSvmSize, 8, &size, nullptr), CL_INVALID_CONTEXT);
  EXPECT_EQ(svm_.info(context_, reinterpret_cast<cl_device_id>(&size), memory, kSvmSize, 8, &size,
                      nullptr),
            CL_INVALID_DEVICE);
  EXPECT_EQ(svm_.free(context_, nullptr, 0, memory), CL_SUCCESS);
}

// Commands on no bytes take null pointers, and migrations those without a size.
TEST_F(UnifiedSvmTest, NothingAtNull) {
  cl_int value = 5;
  const auto copy = [&](void* to, const void* from, size_t bytes) {
    return clEnqueueSVMMemcpy(queue_, CL_TRUE, to, from, bytes, 0, nullptr, nullptr);
  };
  EXPECT_EQ(copy(nullptr, &value, 0), CL_SUCCESS);
  EXPECT_EQ(copy(&value, nullptr, 0), CL_SUCCESS);
  EXPECT_EQ(copy(nullptr, &value, 4), CL_INVALID_VALUE);
  EXPECT_EQ(copy(&value, nullptr, 4), CL_INVALID_VALUE);
  const auto fill = [&](void* to, size_t bytes) {
    return clEnqueueSVMMemFill(queue_, to, &value, 4, bytes, 0, nullptr, nullptr);
  };
  EXPECT_EQ(fill(nullptr, 0), CL_SUCCESS);
  EXPECT_EQ(fill(nullptr, 4), CL_INVALID_VALUE);
  const void* pointers[] = {nullptr};
  const auto migrate = [&](const size_t* sizes) {
    return clEnqueueSVMMigrateMem(queue_, 1, pointers, sizes, 0, 0, nullptr, nullptr);
  };
  const size_t none[] = {0}, some[] = {4};
  EXPECT_EQ(migrate(nullptr), CL_SUCCESS);
  EXPECT_EQ(migrate(none), CL_SUCCESS);
  EXPECT_EQ(migrate(some), CL_INVALID_VALUE);
  pointers[0] = &value; // the host's own
  EXPECT_EQ(migrate(some), CL_SUCCESS);
  EXPECT_EQ(migrate(none), CL_SUCCESS);
  void* freed[] = {nullptr, allocate(0)};
  EXPECT_EQ(clEnqueueSVMFree(queue_, 2, freed, nullptr, nullptr, 0, nullptr, nullptr), CL_SUCCESS);
  check(clFinish(queue_), "clFinish");
  EXPECT_EQ(ask<void*>(freed[1], kSvmBase), nullptr);
}

} // namespace
} // namespace heddle::test
