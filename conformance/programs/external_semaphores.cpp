// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Semaphores that are exported and imported by descriptors (cl_khr_external_semaphore_opaque_fd,
// cl_khr_external_semaphore_sync_fd).
#include "harness.h"
#include "semaphore_api.h"

#include <algorithm>
#include <fcntl.h>
#include <unistd.h>

using namespace conformance;
using namespace semaphores;

namespace {

class ExternalSemaphores : public DeviceTest {
 protected:
  void SetUp() override {
    if (!has_extension("cl_khr_external_semaphore_opaque_fd"))
      GTEST_SKIP() << "no cl_khr_external_semaphore_opaque_fd";
    ASSERT_TRUE(api.is_complete() && api.handle);
    DeviceTest::SetUp();
    other = make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  }
  Semaphore create(const Properties& list) {
    cl_int error = CL_SUCCESS;
    Semaphore made(api, api.create(context, list.data(), &error));
    EXPECT_CL(error);
    return made;
  }
  cl_int error_of(const Properties& list) { return semaphores::error_of(api, context, list); }
  int file_of(const Semaphore& semaphore) {
    int file = -1;
    size_t size = 0;
    EXPECT_CL(api.handle(semaphore, device, HANDLE_OPAQUE_FD, sizeof file, &file, &size));
    EXPECT_EQ(size, sizeof file);
    EXPECT_GE(file, 0);
    return file;
  }
  static Properties imported(int file) {
    return {TYPE, TYPE_BINARY, HANDLE_OPAQUE_FD, static_cast<cl_properties>(file), 0};
  }
  cl_ulong payload(const Semaphore& semaphore) {
    return info<cl_ulong>(api.info, Handle(semaphore), INFO_PAYLOAD);
  }
  void finish(Api::Enqueue call, cl_command_queue in, const Semaphore& semaphore) {
    Event event;
    EXPECT_CL(call(in, 1, semaphore.ptr(), nullptr, 0, nullptr, event.out()));
    EXPECT_CL(clWaitForEvents(1, event.ptr()));
  }

  const Api api{Target::get().platform};
  const Properties exportable{TYPE, TYPE_BINARY, EXPORT_TYPES, HANDLE_OPAQUE_FD, 0, 0};
  Queue other;
};

TEST_F(ExternalSemaphores, Queries) {
  SPEC("API, Semaphore Queries, and the queries of platforms and devices");
  const auto contains = [](const std::vector<cl_uint>& list) {
    return std::find(list.begin(), list.end(), HANDLE_OPAQUE_FD) != list.end();
  };
  const auto imports = info_array<cl_uint>(clGetDeviceInfo, device, DEVICE_IMPORT_TYPES);
  const auto exports = info_array<cl_uint>(clGetDeviceInfo, device, DEVICE_EXPORT_TYPES);
  EXPECT_TRUE(contains(imports) || contains(exports));
  for (const auto& [name, of_device] :
       {std::pair(PLATFORM_IMPORT_TYPES, imports), std::pair(PLATFORM_EXPORT_TYPES, exports)})
    for (const auto type : info_array<cl_uint>(clGetPlatformInfo, Target::get().platform, name))
      EXPECT_NE(std::find(of_device.begin(), of_device.end(), type), of_device.end()) << type;
  const auto semaphore = create(exportable);
  const Handle handle = semaphore;
  EXPECT_EQ(info_array<cl_uint>(api.info, handle, EXPORT_TYPES),
            std::vector<cl_uint>{HANDLE_OPAQUE_FD});
  EXPECT_EQ(info<cl_bool>(api.info, handle, INFO_EXPORTABLE), cl_bool(CL_TRUE));
  EXPECT_EQ(info_array<cl_properties>(api.info, handle, INFO_PROPERTIES), exportable);
  const auto plain = create({TYPE, TYPE_BINARY, 0});
  EXPECT_TRUE(info_array<cl_uint>(api.info, Handle(plain), EXPORT_TYPES).empty());
  EXPECT_EQ(info<cl_bool>(api.info, Handle(plain), INFO_EXPORTABLE), cl_bool(CL_FALSE));
}

TEST_F(ExternalSemaphores, CreationErrors) {
  SPEC("API, Creating Semaphores");
  EXPECT_EQ(error_of({TYPE, TYPE_BINARY, EXPORT_TYPES, HANDLE_OPAQUE_FD, HANDLE_OPAQUE_FD, 0, 0}),
            CL_INVALID_VALUE);
  EXPECT_EQ(error_of({TYPE, TYPE_BINARY, EXPORT_TYPES, 0x7777, 0, 0}), CL_INVALID_PROPERTY);
  EXPECT_EQ(error_of({TYPE, TYPE_BINARY, EXPORT_TYPES, HANDLE_OPAQUE_FD, 0, EXPORT_TYPES,
                      HANDLE_OPAQUE_FD, 0, 0}),
            CL_INVALID_PROPERTY);
  const auto semaphore = create(exportable);
  const int file = file_of(semaphore);
  const auto fd = static_cast<cl_properties>(file);
  EXPECT_EQ(
      error_of({TYPE, TYPE_BINARY, HANDLE_OPAQUE_FD, fd, EXPORT_TYPES, HANDLE_OPAQUE_FD, 0, 0}),
      CL_INVALID_OPERATION);
  EXPECT_EQ(error_of({TYPE, TYPE_BINARY, HANDLE_OPAQUE_FD, fd, HANDLE_OPAQUE_FD, fd, 0}),
            CL_INVALID_PROPERTY);
  EXPECT_GE(fcntl(file, F_GETFD), 0) << "ownership passes only with success";
  close(file);
  EXPECT_EQ(error_of(imported(file)), CL_INVALID_PROPERTY); // closed
}

TEST_F(ExternalSemaphores, ExportErrors) {
  SPEC("API, Exporting Semaphore External Handles");
  const auto semaphore = create(exportable), plain = create({TYPE, TYPE_BINARY, 0});
  int file = -1;
  EXPECT_EQ(api.handle(nullptr, device, HANDLE_OPAQUE_FD, sizeof file, &file, nullptr),
            INVALID_SEMAPHORE);
  EXPECT_EQ(api.handle(semaphore, nullptr, HANDLE_OPAQUE_FD, sizeof file, &file, nullptr),
            CL_INVALID_DEVICE);
  EXPECT_EQ(api.handle(semaphore, device, HANDLE_SYNC_FD, sizeof file, &file, nullptr),
            CL_INVALID_VALUE);
  EXPECT_EQ(api.handle(plain, device, HANDLE_OPAQUE_FD, sizeof file, &file, nullptr),
            CL_INVALID_VALUE);
  EXPECT_EQ(api.handle(semaphore, device, HANDLE_OPAQUE_FD, 1, &file, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(file, -1);
  size_t size = 0;
  EXPECT_CL(api.handle(semaphore, device, HANDLE_OPAQUE_FD, 0, nullptr, &size));
  EXPECT_EQ(size, sizeof(int));
}

TEST_F(ExternalSemaphores, SharesItsStateWithTheImportedOne) {
  SPEC("API, Importing Semaphore External Handles: reference transference");
  const auto first = create(exportable);
  const auto second = create(imported(file_of(first))), third = create(imported(file_of(first)));
  EXPECT_NE(Handle(second), Handle(third));
  finish(api.signal, queue, first);
  EXPECT_EQ(payload(second), 1u);
  finish(api.wait, other, third);
  EXPECT_EQ(payload(first), 0u);
  finish(api.signal, other, third);
  finish(api.wait, queue, first);
  EXPECT_EQ(payload(second), 0u);
}

TEST_F(ExternalSemaphores, InAnotherContext) {
  SPEC("API, External Semaphore Handle Types: imports into several contexts");
  const auto first = create(exportable);
  cl_int error = CL_SUCCESS;
  const Context context2(clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error));
  ASSERT_CL(error);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  const Queue queue2(clCreateCommandQueue(context2, device, 0, &error));
#pragma GCC diagnostic pop
  ASSERT_CL(error);
  const auto list = imported(file_of(first));
  const Semaphore second(api, api.create(context2, list.data(), &error));
  ASSERT_CL(error);
  Event waited;
  ASSERT_CL(api.wait(queue2, 1, second.ptr(), nullptr, 0, nullptr, waited.out()));
  ASSERT_CL(api.signal(queue, 1, first.ptr(), nullptr, 0, nullptr, nullptr));
  ASSERT_CL(clWaitForEvents(1, waited.ptr()));
  EXPECT_EQ(payload(first), 0u);
}

// Of sync files only what needs no other driver: -1 is one that has been signaled.
class SyncFiles : public ExternalSemaphores {
 protected:
  void SetUp() override {
    if (!has_extension("cl_khr_external_semaphore_sync_fd"))
      GTEST_SKIP() << "no cl_khr_external_semaphore_sync_fd";
    ASSERT_TRUE(api.is_complete() && api.handle && api.reimport);
    DeviceTest::SetUp();
  }
  static Properties sync_file(int file) {
    return {TYPE, TYPE_BINARY, HANDLE_SYNC_FD, static_cast<cl_properties>(file), 0};
  }
  bool has_type(cl_uint list) const {
    const auto types = info_array<cl_uint>(clGetDeviceInfo, device, list);
    return std::find(types.begin(), types.end(), HANDLE_SYNC_FD) != types.end();
  }
  const Properties exportable_file{TYPE, TYPE_BINARY, EXPORT_TYPES, HANDLE_SYNC_FD, 0, 0};
};

TEST_F(SyncFiles, ThatHaveBeenSignaled) {
  SPEC("API, File Descriptor Handle Types: -1");
  ASSERT_TRUE(has_type(DEVICE_IMPORT_TYPES));
  const auto semaphore = create(sync_file(-1));
  EXPECT_EQ(payload(semaphore), 1u);
  finish(api.wait, queue, semaphore);
  EXPECT_EQ(payload(semaphore), 0u);
  finish(api.signal, queue, semaphore);
  EXPECT_EQ(payload(semaphore), 1u);
  finish(api.wait, queue, semaphore);
}

TEST_F(SyncFiles, Reimport) {
  SPEC("API, clReImportSemaphoreSyncFdKHR");
  const auto semaphore = create(sync_file(-1)), plain = create({TYPE, TYPE_BINARY, 0});
  for (int round = 0; round < 3; ++round) {
    finish(api.wait, queue, semaphore);
    EXPECT_EQ(payload(semaphore), 0u);
    cl_properties none = 0;
    EXPECT_CL(api.reimport(semaphore, round == 1 ? &none : nullptr, -1));
    EXPECT_EQ(payload(semaphore), 1u);
  }
  EXPECT_EQ(api.reimport(nullptr, nullptr, -1), INVALID_SEMAPHORE);
  EXPECT_EQ(api.reimport(plain, nullptr, -1), INVALID_SEMAPHORE);
  int pipes[2];
  ASSERT_EQ(pipe(pipes), 0);
  EXPECT_EQ(api.reimport(semaphore, nullptr, pipes[0]), CL_INVALID_VALUE);
  EXPECT_GE(fcntl(pipes[0], F_GETFD), 0) << "ownership passes only with success";
  EXPECT_EQ(error_of(sync_file(pipes[0])), CL_INVALID_PROPERTY);
  close(pipes[0]);
  close(pipes[1]);
  EXPECT_EQ(api.reimport(semaphore, nullptr, pipes[0]), CL_INVALID_VALUE); // closed
  EXPECT_EQ(payload(semaphore), 1u) << "as before";
}

TEST_F(SyncFiles, Export) {
  SPEC("API, Exporting Semaphore External Handles: copy transference");
  if (!has_type(DEVICE_EXPORT_TYPES))
    GTEST_SKIP() << "sync files are not exported";
  const auto semaphore = create(exportable_file);
  EXPECT_EQ(info_array<cl_uint>(api.info, Handle(semaphore), EXPORT_TYPES),
            std::vector<cl_uint>{HANDLE_SYNC_FD});
  int file = 77;
  EXPECT_EQ(api.handle(semaphore, device, HANDLE_OPAQUE_FD, sizeof file, &file, nullptr),
            CL_INVALID_VALUE);
  for (int round = 0; round < 3; ++round) {
    ASSERT_CL(api.signal(queue, 1, semaphore.ptr(), nullptr, 0, nullptr, nullptr));
    size_t size = 0;
    ASSERT_CL(api.handle(semaphore, device, HANDLE_SYNC_FD, sizeof file, &file, &size));
    EXPECT_EQ(size, sizeof file);
    EXPECT_GE(file, -1);
    EXPECT_EQ(payload(semaphore), 0u) << "like a wait";
    const auto imported = create(sync_file(file));
    finish(api.wait, queue, imported);
  }
  EXPECT_EQ(error_of({TYPE, TYPE_BINARY, HANDLE_SYNC_FD, static_cast<cl_properties>(-1),
                      EXPORT_TYPES, HANDLE_SYNC_FD, 0, 0}),
            CL_INVALID_OPERATION);
}

} // namespace
