// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory that processes share (cl_khr_external_memory with opaque_fd and dma_buf). What the
// specification says of each call is in conformance/programs.
#include "conformance/programs/semaphore_api.h"
#include "tests/api/api_test.h"
#include "tests/api/other_process.h"
#include "tests/api/shared_memory.h"
#include "tests/api/two_devices.h"

#include <linux/udmabuf.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

namespace heddle::test {
namespace {

constexpr cl_mem_properties kOpaqueFd = 0x2060, kDmaBuf = 0x2067, kDeviceList = 0x2051;
constexpr cl_mem_flags kImmutable = 1 << 6;
constexpr size_t kCount = 4096;
constexpr size_t kBytes = kCount * sizeof(cl_uint);
constexpr int kRounds = 30;

class ExternalMemoryTest : public ApiTest {
 protected:
  ~ExternalMemoryTest() override { close(file_); }

  Buffer import(cl_mem_properties type, int file, cl_int expected = CL_SUCCESS,
                cl_mem_flags flags = CL_MEM_READ_WRITE, cl_context context = nullptr,
                const std::vector<cl_mem_properties>& more = {}) {
    std::vector<cl_mem_properties> list{type, static_cast<cl_mem_properties>(file)};
    list.insert(list.end(), more.begin(), more.end());
    list.push_back(0);
    cl_int error = 77;
    Buffer made(clCreateBufferWithProperties(context ? context : context_.get(), list.data(), flags,
                                             kBytes, nullptr, &error));
    EXPECT_EQ(error, expected);
    return made;
  }
  void fill(cl_mem buffer, cl_uint value) {
    check(clEnqueueFillBuffer(queue_, buffer, &value, sizeof value, 0, kBytes, 0, nullptr, nullptr),
          "clEnqueueFillBuffer");
    check(clFinish(queue_), "clFinish");
  }
  cl_uint first_word(int file) {
    cl_uint value = 0;
    EXPECT_EQ(pread(file, &value, sizeof value, 0), ssize_t{sizeof value});
    return value;
  }

  using Command = cl_int(CL_API_CALL*)(cl_command_queue, cl_uint, const cl_mem*, cl_uint,
                                       const cl_event*, cl_event*);
  const Command acquire_ = extension<Command>("clEnqueueAcquireExternalMemObjectsKHR");
  const Command release_ = extension<Command>("clEnqueueReleaseExternalMemObjectsKHR");
  const int file_ = [] {
    const int made = memfd_create("heddle-test", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    check(ftruncate(made, kBytes), "ftruncate");
    return made;
  }();
};

// What can be mapped like a dma_buf is taken for one, as by cl_arm_import_memory.
TEST_F(ExternalMemoryTest, EveryType) {
  for (const auto type : {kOpaqueFd, kDmaBuf}) {
    const auto buffer = import(type, dup(file_));
    check(acquire_(queue_, 1, buffer.address(), 0, nullptr, nullptr), "acquire");
    fill(buffer, static_cast<cl_uint>(type));
    check(release_(queue_, 1, buffer.address(), 0, nullptr, nullptr), "release");
    check(clFinish(queue_), "clFinish");
    EXPECT_EQ(first_word(file_), type);
  }
}

TEST_F(ExternalMemoryTest, TheDescriptorGoesWithTheObject) {
  const int given = dup(file_);
  auto buffer = import(kDmaBuf, given);
  EXPECT_NE(fcntl(given, F_GETFD), -1); // needed for acquiring it
  buffer.reset();
  EXPECT_EQ(fcntl(given, F_GETFD), -1);
}

TEST_F(ExternalMemoryTest, ARealDmaBuf) {
  const int device = open("/dev/udmabuf", O_RDWR | O_CLOEXEC);
  if (device < 0)
    GTEST_SKIP() << "no /dev/udmabuf";
  ASSERT_EQ(fcntl(file_, F_ADD_SEALS, F_SEAL_SHRINK), 0);
  udmabuf_create request{};
  request.memfd = static_cast<__u32>(file_);
  request.flags = UDMABUF_FLAGS_CLOEXEC;
  request.size = kBytes;
  const int made = ioctl(device, UDMABUF_CREATE, &request);
  close(device);
  ASSERT_GE(made, 0);
  const auto buffer = import(kDmaBuf, made);
  check(acquire_(queue_, 1, buffer.address(), 0, nullptr, nullptr), "acquire");
  fill(buffer, 4711);
  Event released;
  check(release_(queue_, 1, buffer.address(), 0, nullptr, released.out()), "release");
  check(clWaitForEvents(1, released.address()), "clWaitForEvents");
  EXPECT_EQ(first_word(file_), 4711u);
}

TEST_F(ExternalMemoryTest, FilesThatCannotBeWritten) {
  const auto path = "/proc/self/fd/" + std::to_string(file_);
  const int reader = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_GE(reader, 0);
  import(kOpaqueFd, reader, CL_INVALID_PROPERTY);
  import(kOpaqueFd, reader, CL_INVALID_PROPERTY, CL_MEM_READ_ONLY); // commands may write it
  const cl_uint value = 12345;
  ASSERT_EQ(pwrite(file_, &value, sizeof value, 0), ssize_t{sizeof value});
  const auto fixed = import(kOpaqueFd, reader, CL_SUCCESS, kImmutable);
  EXPECT_EQ(read<cl_uint>(queue_, fixed, 1)[0], 12345u);
  const int folder = open("/proc/self", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  import(kOpaqueFd, folder, CL_INVALID_PROPERTY, kImmutable);
  close(folder);
}

TEST_F(ExternalMemoryTest, DevicesOfAContext) {
  if (!TwoDevices::are_possible())
    GTEST_SKIP() << "one compute unit";
  const TwoDevices devices;
  const auto& [first, second, context, near, far] = devices;
  const auto value = [](cl_device_id device) {
    return reinterpret_cast<cl_mem_properties>(device);
  };
  const auto one =
      import(kOpaqueFd, dup(file_), CL_SUCCESS, 0, context, {kDeviceList, value(first), 0});
  const auto both = import(kOpaqueFd, dup(file_), CL_SUCCESS, 0, context,
                           {kDeviceList, value(first), value(second), 0});
  const auto all = import(kOpaqueFd, dup(file_), CL_SUCCESS, 0, context);
  import(kOpaqueFd, file_, CL_INVALID_DEVICE, 0, context, {kDeviceList, value(device()), 0});
  import(kOpaqueFd, file_, CL_INVALID_DEVICE, 0, context, {kDeviceList, 0});
  for (const auto command : {acquire_, release_}) {
    EXPECT_EQ(command(near, 1, one.address(), 0, nullptr, nullptr), CL_SUCCESS);
    EXPECT_EQ(command(far, 1, one.address(), 0, nullptr, nullptr), CL_INVALID_COMMAND_QUEUE);
    EXPECT_EQ(command(far, 1, both.address(), 0, nullptr, nullptr), CL_SUCCESS);
    EXPECT_EQ(command(far, 1, all.address(), 0, nullptr, nullptr), CL_SUCCESS);
    EXPECT_EQ(command(queue_, 1, all.address(), 0, nullptr, nullptr), CL_INVALID_COMMAND_QUEUE);
  }
  check(clFinish(far), "clFinish");
}

// Two processes change the same memory in turn, with semaphores between them and no wait on the
// host.
TEST_F(ExternalMemoryTest, TwoProcesses) {
  const semaphores::Api api(platform());
  const semaphores::Properties exportable{semaphores::TYPE,
                                          semaphores::TYPE_BINARY,
                                          semaphores::EXPORT_TYPES,
                                          semaphores::HANDLE_OPAQUE_FD,
                                          0,
                                          0};
  cl_int error = CL_SUCCESS;
  const semaphores::Semaphore there(api, api.create(context_, exportable.data(), &error));
  check(error, "clCreateSemaphoreWithPropertiesKHR");
  const semaphores::Semaphore back(api, api.create(context_, exportable.data(), &error));
  check(error, "clCreateSemaphoreWithPropertiesKHR");
  std::vector<int> files{file_, -1, -1};
  for (const auto* semaphore : {&there, &back})
    check(api.handle(*semaphore, device(), semaphores::HANDLE_OPAQUE_FD, sizeof(int),
                     &files[semaphore == &there ? 1 : 2], nullptr),
          "clGetSemaphoreHandleForTypeKHR");
  OtherProcess other("ExternalMemoryTest.DISABLED_TheSecondProcess");
  ASSERT_TRUE(other.socket().send(files));
  close(files[1]);
  close(files[2]);
  const auto buffer = import(kOpaqueFd, dup(file_));
  const auto program = build(context_, "kernel void step(global uint* x) {"
                                       "  size_t i = get_global_id(0); x[i] = x[i] * 3 + i; }");
  const auto kernel = make_kernel(program, "step");
  set_args(kernel, buffer);
  for (int round = 0; round < kRounds; ++round) {
    check(acquire_(queue_, 1, buffer.address(), 0, nullptr, nullptr), "acquire");
    check(enqueue(queue_, kernel, {{kCount}, {}, {}}), "clEnqueueNDRangeKernel");
    check(release_(queue_, 1, buffer.address(), 0, nullptr, nullptr), "release");
    check(api.signal(queue_, 1, there.ptr(), nullptr, 0, nullptr, nullptr), "signal");
    check(api.wait(queue_, 1, back.ptr(), nullptr, 0, nullptr, nullptr), "wait");
  }
  const auto results = read<cl_uint>(queue_, buffer, kCount);
  for (cl_uint i = 0; i < kCount; ++i) {
    cl_uint expected = 0;
    for (int round = 0; round < kRounds; ++round)
      expected = (expected * 3 + i) ^ 0x5a5a5a5a;
    ASSERT_EQ(results[i], expected) << i;
  }
  EXPECT_EQ(other.end(), 0);
}

TEST_F(ExternalMemoryTest, DISABLED_TheSecondProcess) {
  const auto socket = OtherProcess::parent();
  const auto files = socket.receive(3);
  ASSERT_EQ(files.size(), 3u);
  const semaphores::Api api(platform());
  const auto take = [&](int file) {
    const semaphores::Properties list{semaphores::TYPE, semaphores::TYPE_BINARY,
                                      semaphores::HANDLE_OPAQUE_FD,
                                      static_cast<cl_properties>(file), 0};
    cl_int error = CL_SUCCESS;
    semaphores::Semaphore made(api, api.create(context_, list.data(), &error));
    check(error, "clCreateSemaphoreWithPropertiesKHR");
    return made;
  };
  const auto there = take(files[1]), back = take(files[2]);
  const auto buffer = import(kOpaqueFd, files[0]);
  const auto program = build(context_, "kernel void turn(global uint* x) {"
                                       "  x[get_global_id(0)] ^= 0x5a5a5a5a; }");
  const auto kernel = make_kernel(program, "turn");
  set_args(kernel, buffer);
  for (int round = 0; round < kRounds; ++round) {
    check(api.wait(queue_, 1, there.ptr(), nullptr, 0, nullptr, nullptr), "wait");
    check(acquire_(queue_, 1, buffer.address(), 0, nullptr, nullptr), "acquire");
    check(enqueue(queue_, kernel, {{kCount}, {}, {}}), "clEnqueueNDRangeKernel");
    check(release_(queue_, 1, buffer.address(), 0, nullptr, nullptr), "release");
    check(api.signal(queue_, 1, back.ptr(), nullptr, 0, nullptr, nullptr), "signal");
  }
  check(clFinish(queue_), "clFinish");
}

} // namespace
} // namespace heddle::test
