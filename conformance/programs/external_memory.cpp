// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory objects of memory that others have made (cl_khr_external_memory), by the descriptor of
// memory that memfd_create makes (cl_khr_external_memory_opaque_fd).
#include "harness.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace conformance;

namespace {

constexpr cl_uint PLATFORM_TYPES = 0x2044, DEVICE_TYPES = 0x204F, DEVICE_LINEAR_TYPES = 0x2052;
constexpr cl_properties DEVICE_LIST = 0x2051, OPAQUE_FD = 0x2060;
constexpr cl_command_type COMMAND_ACQUIRE = 0x2047, COMMAND_RELEASE = 0x2048;
constexpr size_t kBytes = 1 << 16;

class ExternalMemory : public DeviceTest {
 protected:
  using Command = cl_int(CL_API_CALL*)(cl_command_queue, cl_uint, const cl_mem*, cl_uint,
                                       const cl_event*, cl_event*);
  using Properties = std::vector<cl_mem_properties>;

  void SetUp() override {
    if (!has_extension("cl_khr_external_memory_opaque_fd"))
      GTEST_SKIP() << "no cl_khr_external_memory_opaque_fd";
    const auto find = [](const char* name) {
      return reinterpret_cast<Command>(
          clGetExtensionFunctionAddressForPlatform(Target::get().platform, name));
    };
    acquire = find("clEnqueueAcquireExternalMemObjectsKHR");
    release = find("clEnqueueReleaseExternalMemObjectsKHR");
    ASSERT_TRUE(acquire && release);
    DeviceTest::SetUp();
    file = memfd_create("conformance", MFD_CLOEXEC);
    ASSERT_EQ(ftruncate(file, kBytes), 0);
    data = static_cast<unsigned char*>(
        mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
    ASSERT_NE(static_cast<void*>(data), MAP_FAILED);
    for (size_t i = 0; i < kBytes; ++i)
      data[i] = static_cast<unsigned char>(i * 5 + 1);
  }
  void TearDown() override {
    if (data)
      munmap(data, kBytes);
    if (file >= 0)
      close(file);
  }
  static Properties list_of(int of, const Properties& more = {}) {
    Properties list{OPAQUE_FD, static_cast<cl_mem_properties>(of)};
    list.insert(list.end(), more.begin(), more.end());
    list.push_back(0);
    return list;
  }
  Memory buffer(const Properties& list, cl_int* error, cl_mem_flags flags = CL_MEM_READ_WRITE,
                size_t size = kBytes, void* host = nullptr) {
    return Memory(clCreateBufferWithProperties(context, list.data(), flags, size, host, error));
  }
  Memory image(const Properties& list, const cl_image_desc& shape, cl_int* error,
               cl_mem_flags flags = CL_MEM_READ_WRITE) {
    const cl_image_format format{CL_RGBA, CL_UNSIGNED_INT8};
    return Memory(
        clCreateImageWithProperties(context, list.data(), flags, &format, &shape, nullptr, error));
  }
  cl_int error_of(const Properties& list, cl_mem_flags flags = CL_MEM_READ_WRITE,
                  size_t size = kBytes, void* host = nullptr) {
    cl_int error = CL_SUCCESS;
    const auto made = buffer(list, &error, flags, size, host);
    EXPECT_EQ(made.get() == nullptr, error != CL_SUCCESS);
    return error;
  }
  void acquire_now(const Memory& memory) {
    EXPECT_CL(acquire(queue, 1, memory.ptr(), 0, nullptr, nullptr));
  }
  void release_now(const Memory& memory) {
    EXPECT_CL(release(queue, 1, memory.ptr(), 0, nullptr, nullptr));
    EXPECT_CL(clFinish(queue));
  }

  Command acquire = nullptr, release = nullptr;
  int file = -1;
  unsigned char* data = nullptr;
};

TEST_F(ExternalMemory, Queries) {
  SPEC("API, queries of platforms and devices: external memory");
  const auto types = info_array<cl_uint>(clGetDeviceInfo, device, DEVICE_TYPES);
  const auto contains = [&](cl_uint type) {
    return std::find(types.begin(), types.end(), type) != types.end();
  };
  EXPECT_TRUE(contains(OPAQUE_FD));
  for (const auto type : info_array<cl_uint>(clGetDeviceInfo, device, DEVICE_LINEAR_TYPES))
    EXPECT_TRUE(contains(type));
  for (const auto type :
       info_array<cl_uint>(clGetPlatformInfo, Target::get().platform, PLATFORM_TYPES))
    EXPECT_TRUE(contains(type));
}

TEST_F(ExternalMemory, BufferOfAFile) {
  SPEC("API, Creating Buffer Objects, and acquiring and releasing external memory objects");
  cl_int error = CL_SUCCESS;
  const int given = dup(file);
  const auto list = list_of(given);
  const auto shared = buffer(list, &error);
  ASSERT_CL(error);
  EXPECT_EQ(fcntl(given, F_GETFD), -1) << "the implementation owns it";
  EXPECT_EQ(info_array<cl_mem_properties>(clGetMemObjectInfo, shared.get(), CL_MEM_PROPERTIES),
            list);
  EXPECT_EQ(info<size_t>(clGetMemObjectInfo, shared.get(), CL_MEM_SIZE), kBytes);
  Event acquired;
  ASSERT_CL(acquire(queue, 1, shared.ptr(), 0, nullptr, acquired.out()));
  EXPECT_EQ(info<cl_command_type>(clGetEventInfo, acquired.get(), CL_EVENT_COMMAND_TYPE),
            COMMAND_ACQUIRE);
  EXPECT_EQ(read<unsigned char>(shared, kBytes), std::vector<unsigned char>(data, data + kBytes));
  const auto before = std::vector<unsigned char>(data, data + kBytes);
  const auto kernel =
      make_kernel("kernel void k(global uchar* x) { x[get_global_id(0)] ^= 0x5a; }", "k");
  set_arguments(kernel, shared);
  run(kernel, {kBytes});
  Event released;
  ASSERT_CL(release(queue, 1, shared.ptr(), 0, nullptr, released.out()));
  ASSERT_CL(clWaitForEvents(1, released.ptr()));
  EXPECT_EQ(info<cl_command_type>(clGetEventInfo, released.get(), CL_EVENT_COMMAND_TYPE),
            COMMAND_RELEASE);
  for (size_t i = 0; i < kBytes; ++i)
    ASSERT_EQ(data[i], before[i] ^ 0x5a) << i;
  data[77] = 42; // and the other way
  acquire_now(shared);
  EXPECT_EQ(read<unsigned char>(shared, 78)[77], 42);
  release_now(shared);
}

TEST_F(ExternalMemory, PartsAndSeveralObjects) {
  SPEC("API, External Memory Handle Types: imported several times");
  cl_int error = CL_SUCCESS;
  const auto whole = buffer(list_of(dup(file)), &error);
  ASSERT_CL(error);
  const auto half = buffer(list_of(dup(file)), &error, CL_MEM_READ_ONLY, kBytes / 2);
  ASSERT_CL(error);
  EXPECT_NE(whole.get(), half.get());
  const cl_mem both[] = {whole, half};
  ASSERT_CL(acquire(queue, 2, both, 0, nullptr, nullptr));
  const cl_uchar nine = 9;
  ASSERT_CL(clEnqueueFillBuffer(queue, whole, &nine, 1, 0, 128, 0, nullptr, nullptr));
  EXPECT_EQ(read<unsigned char>(half, 128), std::vector<unsigned char>(128, 9));
  ASSERT_CL(release(queue, 2, both, 0, nullptr, nullptr));
  const cl_buffer_region region{0, 4096};
  const Memory part(clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error));
  ASSERT_CL(error);
  EXPECT_EQ(read<unsigned char>(part, 1)[0], 9);
}

TEST_F(ExternalMemory, ForADevice) {
  SPEC("API, Creating Buffer Objects: CL_MEM_DEVICE_HANDLE_LIST_KHR");
  cl_int error = CL_SUCCESS;
  const auto device_value = reinterpret_cast<cl_mem_properties>(device);
  const auto shared = buffer(list_of(dup(file), {DEVICE_LIST, device_value, 0}), &error);
  ASSERT_CL(error);
  acquire_now(shared);
  EXPECT_EQ(read<unsigned char>(shared, 1)[0], data[0]);
  release_now(shared);
  EXPECT_EQ(error_of({DEVICE_LIST, device_value, 0, 0}), CL_INVALID_PROPERTY); // no handle
  EXPECT_EQ(error_of(list_of(file, {DEVICE_LIST, device_value, 0, DEVICE_LIST, device_value, 0})),
            CL_INVALID_PROPERTY);
  EXPECT_EQ(error_of(list_of(file, {DEVICE_LIST, reinterpret_cast<cl_mem_properties>(data), 0})),
            CL_INVALID_DEVICE);
}

TEST_F(ExternalMemory, CreationErrors) {
  SPEC("API, Creating Buffer Objects: errors");
  EXPECT_EQ(error_of(list_of(file, {OPAQUE_FD, static_cast<cl_mem_properties>(file)})),
            CL_INVALID_PROPERTY);
  EXPECT_EQ(error_of(list_of(file, {0x7777, 1})), CL_INVALID_PROPERTY);
  unsigned char host[kBytes];
  for (const cl_mem_flags with : {CL_MEM_USE_HOST_PTR, CL_MEM_ALLOC_HOST_PTR, CL_MEM_COPY_HOST_PTR})
    EXPECT_EQ(error_of(list_of(file), CL_MEM_READ_WRITE | with, kBytes,
                       with == CL_MEM_ALLOC_HOST_PTR ? nullptr : host),
              CL_INVALID_VALUE);
  EXPECT_EQ(error_of(list_of(file), CL_MEM_READ_WRITE, kBytes, host), CL_INVALID_HOST_PTR);
  EXPECT_EQ(error_of(list_of(file), CL_MEM_READ_WRITE, 0), CL_INVALID_BUFFER_SIZE);
  EXPECT_NE(error_of(list_of(file), CL_MEM_READ_WRITE, 2 * kBytes), CL_SUCCESS);
  EXPECT_GE(fcntl(file, F_GETFD), 0) << "ownership passes only with success";
}

TEST_F(ExternalMemory, DescriptorsThatAreNone) {
  SPEC("API, Creating Buffer Objects: the value of a property is not valid");
  int pipes[2];
  ASSERT_EQ(pipe(pipes), 0);
  EXPECT_EQ(error_of(list_of(pipes[0])), CL_INVALID_PROPERTY);
  close(pipes[0]);
  close(pipes[1]);
  EXPECT_EQ(error_of(list_of(pipes[0])), CL_INVALID_PROPERTY); // closed
  EXPECT_EQ(error_of(list_of(-1)), CL_INVALID_PROPERTY);
}

TEST_F(ExternalMemory, CommandErrors) {
  SPEC("API, Acquiring and Releasing External Memory Objects: errors");
  cl_int error = CL_SUCCESS;
  const auto shared = buffer(list_of(dup(file)), &error);
  ASSERT_CL(error);
  const auto own = make_buffer(64);
  const Event failed(clCreateUserEvent(context, &error));
  ASSERT_CL(clSetUserEventStatus(failed, -7));
  const cl_event no_event = nullptr;
  for (const auto call : {acquire, release}) {
    EXPECT_EQ(call(nullptr, 1, shared.ptr(), 0, nullptr, nullptr), CL_INVALID_COMMAND_QUEUE);
    EXPECT_EQ(call(queue, 0, shared.ptr(), 0, nullptr, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(call(queue, 1, nullptr, 0, nullptr, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(call(queue, 1, own.ptr(), 0, nullptr, nullptr), CL_INVALID_MEM_OBJECT);
    const cl_mem list[] = {shared, nullptr};
    EXPECT_EQ(call(queue, 2, list, 0, nullptr, nullptr), CL_INVALID_MEM_OBJECT);
    EXPECT_EQ(call(queue, 1, shared.ptr(), 1, nullptr, nullptr), CL_INVALID_EVENT_WAIT_LIST);
    EXPECT_EQ(call(queue, 1, shared.ptr(), 0, failed.ptr(), nullptr), CL_INVALID_EVENT_WAIT_LIST);
    EXPECT_EQ(call(queue, 1, shared.ptr(), 1, &no_event, nullptr), CL_INVALID_EVENT_WAIT_LIST);
    EXPECT_EQ(call(queue, 1, shared.ptr(), 1, failed.ptr(), nullptr),
              CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    Event nothing;
    EXPECT_CL(call(queue, 0, nullptr, 0, nullptr, nothing.out()));
    EXPECT_CL(clWaitForEvents(1, nothing.ptr()));
  }
}

TEST_F(ExternalMemory, WaitsForItsEvents) {
  SPEC("API, clEnqueueAcquireExternalMemObjectsKHR: event_wait_list");
  cl_int error = CL_SUCCESS;
  const auto shared = buffer(list_of(dup(file)), &error);
  ASSERT_CL(error);
  const Event gate(clCreateUserEvent(context, &error));
  Event acquired;
  ASSERT_CL(acquire(queue, 1, shared.ptr(), 1, gate.ptr(), acquired.out()));
  ASSERT_CL(clFlush(queue));
  EXPECT_GT(info<cl_int>(clGetEventInfo, acquired.get(), CL_EVENT_COMMAND_EXECUTION_STATUS),
            CL_COMPLETE);
  ASSERT_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  ASSERT_CL(clWaitForEvents(1, acquired.ptr()));
  release_now(shared);
}

TEST_F(ExternalMemory, ImagesOfAFile) {
  if (!info<cl_bool>(clGetDeviceInfo, device, CL_DEVICE_IMAGE_SUPPORT))
    GTEST_SKIP() << "no images";
  SPEC("API, Creating Image Objects: external memory handles");
  cl_int error = CL_SUCCESS;
  cl_image_desc shape{};
  shape.image_type = CL_MEM_OBJECT_IMAGE2D;
  shape.image_width = 50;
  shape.image_height = 32;
  shape.image_row_pitch = 256;
  const auto list = list_of(dup(file));
  const auto shared = image(list, shape, &error);
  ASSERT_CL(error);
  EXPECT_EQ(info<size_t>(clGetImageInfo, shared.get(), CL_IMAGE_ROW_PITCH), 256u);
  EXPECT_EQ(info_array<cl_mem_properties>(clGetMemObjectInfo, shared.get(), CL_MEM_PROPERTIES),
            list);
  acquire_now(shared);
  const std::array<size_t, 3> origin{0, 0, 0}, region{50, 32, 1};
  std::vector<unsigned char> texels(50 * 32 * 4);
  ASSERT_CL(clEnqueueReadImage(queue, shared, CL_TRUE, origin.data(), region.data(), 0, 0,
                               texels.data(), 0, nullptr, nullptr));
  for (size_t row = 0; row < 32; ++row)
    EXPECT_EQ(std::memcmp(&texels[row * 200], data + row * 256, 200), 0) << row;
  const auto kernel = make_kernel("kernel void k(write_only image2d_t x) {"
                                  "  int2 at = (int2)(get_global_id(0), get_global_id(1));"
                                  "  write_imageui(x, at, (uint4)(at.x, at.y, 3, 4)); }",
                                  "k");
  set_arguments(kernel, shared);
  run(kernel, {50, 32});
  release_now(shared);
  for (size_t row = 0; row < 32; ++row)
    for (size_t x = 0; x < 50; ++x) {
      const unsigned char expected[4] = {static_cast<unsigned char>(x),
                                         static_cast<unsigned char>(row), 3, 4};
      ASSERT_EQ(std::memcmp(data + row * 256 + x * 4, expected, 4), 0) << x << ", " << row;
    }
  shape.image_row_pitch = 0; // of the implementation's choice
  EXPECT_TRUE(image(list_of(dup(file)), shape, &error).get());
  EXPECT_CL(error);
  shape.image_row_pitch = 100; // less than a row
  (void)image(list_of(file), shape, &error);
  EXPECT_EQ(error, CL_INVALID_IMAGE_DESCRIPTOR);
  shape.image_row_pitch = 256;
  shape.image_height = 1024; // beyond the file
  (void)image(list_of(file), shape, &error);
  EXPECT_NE(error, CL_SUCCESS);
  shape.image_height = 32;
  (void)image(list_of(file), shape, &error, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR);
  EXPECT_EQ(error, CL_INVALID_VALUE);
  (void)image(list_of(-1), shape, &error);
  EXPECT_EQ(error, CL_INVALID_PROPERTY);
}

TEST_F(ExternalMemory, ImmutableObjectsOfAFile) {
  if (!has_extension("cl_ext_immutable_memory_objects"))
    GTEST_SKIP() << "no cl_ext_immutable_memory_objects";
  SPEC("API, Creating Buffer Objects: CL_MEM_IMMUTABLE_EXT with an external memory handle");
  constexpr cl_mem_flags IMMUTABLE = 1 << 6;
  cl_int error = CL_SUCCESS;
  const auto fixed = buffer(list_of(dup(file)), &error, IMMUTABLE);
  ASSERT_CL(error);
  acquire_now(fixed);
  EXPECT_EQ(read<unsigned char>(fixed, kBytes), std::vector<unsigned char>(data, data + kBytes));
  EXPECT_EQ(clEnqueueWriteBuffer(queue, fixed, CL_TRUE, 0, 1, data, 0, nullptr, nullptr),
            CL_INVALID_OPERATION);
  release_now(fixed);
}

} // namespace
