// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Semaphores that processes share (cl_khr_external_semaphore_opaque_fd). What the specification
// says of each call is in conformance/programs.
#include "conformance/programs/semaphore_api.h"
#include "tests/api/api_test.h"
#include "tests/api/other_process.h"

#include <atomic>
#include <chrono>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <thread>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/lsan_interface.h>
#endif

namespace heddle::test {
namespace {

using namespace semaphores;

constexpr size_t kCount = 4096;
constexpr int kRounds = 30;

class ExternalSemaphoreTest : public ApiTest {
 protected:
  const Api api_{platform()};
  const Queue other_ = make_queue(context_, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);

  Semaphore create(const Properties& list, cl_int expected = CL_SUCCESS) {
    cl_int error = CL_SUCCESS;
    Semaphore made(api_, api_.create(context_, list.data(), &error));
    EXPECT_EQ(error, expected);
    return made;
  }
  Semaphore exportable() {
    return create({TYPE, TYPE_BINARY, EXPORT_TYPES, HANDLE_OPAQUE_FD, 0, 0});
  }
  static Properties import_list(int file) {
    return {TYPE, TYPE_BINARY, HANDLE_OPAQUE_FD, static_cast<cl_properties>(file), 0};
  }
  Semaphore import(int file, cl_int expected = CL_SUCCESS) {
    return create(import_list(file), expected);
  }
  int file_of(const Semaphore& semaphore) {
    int file = -1;
    size_t size = 0;
    EXPECT_EQ(api_.handle(semaphore, device(), HANDLE_OPAQUE_FD, sizeof file, &file, &size),
              CL_SUCCESS);
    EXPECT_EQ(size, sizeof file);
    return file;
  }
  Event signal(cl_command_queue in, const Semaphore& semaphore, cl_event wait = nullptr) {
    Event event;
    check(api_.signal(in, 1, semaphore.ptr(), nullptr, wait ? 1 : 0, wait ? &wait : nullptr,
                      event.out()),
          "signal");
    return event;
  }
  Event wait(cl_command_queue in, const Semaphore& semaphore, cl_event wait = nullptr) {
    Event event;
    check(api_.wait(in, 1, semaphore.ptr(), nullptr, wait ? 1 : 0, wait ? &wait : nullptr,
                    event.out()),
          "wait");
    return event;
  }
  bool is_signaled(const Semaphore& semaphore) {
    cl_ulong payload = 2;
    check(api_.info(semaphore, INFO_PAYLOAD, sizeof payload, &payload, nullptr), "payload");
    return payload == 1;
  }
  static cl_int end_of(cl_event event) {
    clWaitForEvents(1, &event);
    return event_status(event);
  }
  // Memory that the file is mapped to, as a buffer.
  Buffer buffer_of(void* data) {
    cl_int error = CL_SUCCESS;
    Buffer made(clCreateBuffer(context_, CL_MEM_USE_HOST_PTR, kCount * 4, data, &error));
    check(error, "clCreateBuffer");
    return made;
  }
  Kernel step_kernel() {
    return make_kernel(build(context_, "kernel void step(global uint* x, uint by) {"
                                       "  size_t i = get_global_id(0); x[i] = x[i] * by + 1; }"),
                       "step");
  }
  void step(cl_kernel kernel, const Buffer& buffer, cl_uint by) {
    set_args(kernel, buffer, by);
    check(enqueue(queue_, kernel, {{kCount}, {}, {}}), "clEnqueueNDRangeKernel");
  }
};

TEST_F(ExternalSemaphoreTest, SeveralObjectsOfOneState) {
  const auto first = exportable();
  const auto second = import(file_of(first)), third = import(file_of(first));
  EXPECT_EQ(end_of(signal(queue_, first)), CL_COMPLETE);
  for (const auto* semaphore : {&first, &second, &third})
    EXPECT_TRUE(is_signaled(*semaphore));
  EXPECT_EQ(end_of(wait(other_, third)), CL_COMPLETE);
  for (const auto* semaphore : {&first, &second, &third})
    EXPECT_FALSE(is_signaled(*semaphore));
  const auto waited = wait(other_, first);
  (void)signal(queue_, second);
  EXPECT_EQ(end_of(waited), CL_COMPLETE);
  EXPECT_FALSE(is_signaled(first));
}

TEST_F(ExternalSemaphoreTest, OutlivesTheExporter) {
  auto first = exportable();
  const int file = file_of(first);
  EXPECT_EQ(end_of(signal(queue_, first)), CL_COMPLETE);
  first.reset();
  const auto second = import(file);
  EXPECT_TRUE(is_signaled(second));
  EXPECT_EQ(end_of(wait(queue_, second)), CL_COMPLETE);
}

TEST_F(ExternalSemaphoreTest, DescriptorsThatAreNone) {
  int pipes[2];
  ASSERT_EQ(pipe(pipes), 0);
  import(pipes[0], CL_INVALID_PROPERTY);
  close(pipes[0]);
  close(pipes[1]);
  import(pipes[0], CL_INVALID_PROPERTY); // closed
  import(-1, CL_INVALID_PROPERTY);
  const int memory = memfd_create("heddle-test", 0);
  import(memory, CL_INVALID_PROPERTY);
  EXPECT_EQ(fcntl(memory, F_GETFD), 0) << "still the program's";
  close(memory);
  const auto semaphore = exportable();
  const int file = file_of(semaphore);
  auto twice = import_list(file);
  twice.insert(twice.end() - 1, {HANDLE_OPAQUE_FD, static_cast<cl_properties>(file)});
  create(twice, CL_INVALID_PROPERTY);
  const auto made = import(file);
}

TEST_F(ExternalSemaphoreTest, SignalsAreGivenInTheirOrder) {
  const auto semaphore = exportable();
  cl_int error = CL_SUCCESS;
  const Event gate(clCreateUserEvent(context_, &error)),
      failing(clCreateUserEvent(context_, &error));
  const auto first = signal(other_, semaphore, gate);
  const auto without = signal(other_, semaphore, failing);
  const auto last = signal(other_, semaphore);
  EXPECT_EQ(end_of(last), CL_COMPLETE);
  const auto waited = wait(queue_, semaphore), second = wait(queue_, semaphore);
  check(clSetUserEventStatus(failing, -5), "clSetUserEventStatus");
  EXPECT_LT(end_of(without), 0);
  EXPECT_GT(event_status(waited), CL_COMPLETE);
  check(clSetUserEventStatus(gate, CL_COMPLETE), "clSetUserEventStatus");
  EXPECT_EQ(end_of(waited), CL_COMPLETE);
  EXPECT_EQ(end_of(second), CL_COMPLETE);
  EXPECT_FALSE(is_signaled(semaphore));
}

TEST_F(ExternalSemaphoreTest, AWaitThatFailsGivesItsSignalBack) {
  const auto semaphore = exportable();
  EXPECT_EQ(end_of(signal(queue_, semaphore)), CL_COMPLETE);
  cl_int error = CL_SUCCESS;
  const Event gate(clCreateUserEvent(context_, &error));
  const auto failing = wait(other_, semaphore, gate);
  EXPECT_TRUE(is_signaled(semaphore));
  check(clSetUserEventStatus(gate, -5), "clSetUserEventStatus");
  EXPECT_LT(end_of(failing), 0);
  EXPECT_TRUE(is_signaled(semaphore));
  EXPECT_EQ(end_of(wait(other_, semaphore)), CL_COMPLETE);
  EXPECT_FALSE(is_signaled(semaphore));
}

// The thread that waits for files comes and goes with those that are waited for.
TEST_F(ExternalSemaphoreTest, SignaledByAnyDescriptor) {
  std::vector<Semaphore> all;
  for (int i = 0; i < 8; ++i)
    all.push_back(exportable());
  for (int round = 0; round < 3; ++round) {
    std::vector<Event> waited;
    for (const auto& semaphore : all)
      waited.push_back(wait(other_, semaphore));
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    for (const auto& event : waited)
      EXPECT_GT(event_status(event), CL_COMPLETE);
    for (const auto& semaphore : all) {
      const int file = file_of(semaphore);
      EXPECT_EQ(eventfd_write(file, 1), 0);
      close(file);
    }
    for (const auto& event : waited)
      EXPECT_EQ(end_of(event), CL_COMPLETE);
  }
}

// The end of the process does not wait for the thread that waits for the file.
TEST_F(ExternalSemaphoreTest, AWaitWithoutASignal) {
#if defined(__SANITIZE_ADDRESS__)
  const __lsan::ScopedDisabler kept_for_ever;
#endif
  auto semaphore = exportable();
  auto queue = make_queue(context_);
  const auto waited = wait(queue, semaphore);
  semaphore.reset();
  queue.reset();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_GT(event_status(waited), CL_COMPLETE);
}

TEST_F(ExternalSemaphoreTest, CallbacksMayWaitForOthers) {
  struct Data {
    const Api* api;
    cl_command_queue queue;
    Handle semaphore;
    std::atomic<cl_int> status;
  };
  const auto first = exportable(), second = exportable();
  const auto file = file_of(first), file_of_second = file_of(second);
  const auto waited = wait(other_, first);
  Data data{&api_, other_, second, 77};
  check(clSetEventCallback(
            waited, CL_SUBMITTED,
            [](cl_event, cl_int, void* given) {
              auto& all = *static_cast<Data*>(given);
              Event event;
              all.api->wait(all.queue, 1, &all.semaphore, nullptr, 0, nullptr, event.out());
              all.status = end_of(event);
            },
            &data),
        "clSetEventCallback");
  EXPECT_EQ(eventfd_write(file, 1), 0);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(eventfd_write(file_of_second, 1), 0);
  EXPECT_EQ(end_of(waited), CL_COMPLETE);
  for (int i = 0; i < 1000 && data.status == 77; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_EQ(data.status, CL_COMPLETE);
  close(file);
  close(file_of_second);
}

// An exported sync file is that of a signal that has been given: -1.
TEST_F(ExternalSemaphoreTest, ASyncFileWaitsForItsSignal) {
  const auto semaphore = create({TYPE, TYPE_BINARY, EXPORT_TYPES, HANDLE_SYNC_FD, 0, 0});
  const auto take = [&](int* file) {
    return api_.handle(semaphore, device(), HANDLE_SYNC_FD, sizeof *file, file, nullptr);
  };
  int file = 77;
  EXPECT_EQ(take(&file), CL_INVALID_OPERATION) << "of no signal";
  cl_int error = CL_SUCCESS;
  const Event gate(clCreateUserEvent(context_, &error)),
      failing(clCreateUserEvent(context_, &error));
  const auto without = signal(other_, semaphore, failing);
  const auto signaled = signal(other_, semaphore, gate);
  std::thread opener([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    check(clSetUserEventStatus(failing, -5), "clSetUserEventStatus");
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    check(clSetUserEventStatus(gate, CL_COMPLETE), "clSetUserEventStatus");
  });
  EXPECT_EQ(take(&file), CL_SUCCESS);
  EXPECT_EQ(file, -1);
  EXPECT_EQ(event_status(signaled), CL_COMPLETE);
  EXPECT_LT(event_status(without), 0);
  opener.join();
  EXPECT_FALSE(is_signaled(semaphore));
  file = 77;
  EXPECT_EQ(take(&file), CL_INVALID_OPERATION);
  EXPECT_EQ(file, 77);
}

#if !defined(__SANITIZE_THREAD__)
TEST_F(ExternalSemaphoreTest, SharedWithAForkedChild) {
  const auto there = exportable(), back = exportable();
  const auto waited = wait(queue_, back);
  const auto child = fork();
  if (child == 0) {
    alarm(60);
    const auto queue = make_queue(context_);
    bool works = end_of(wait(queue, there)) == CL_COMPLETE;
    works = works && end_of(signal(queue, back)) == CL_COMPLETE;
    _exit(works ? 0 : 1); // the signal has been given
  }
  (void)signal(other_, there);
  EXPECT_EQ(end_of(waited), CL_COMPLETE);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}
#endif

// Two processes change the same memory in turn, and never wait for each other on the host.
TEST_F(ExternalSemaphoreTest, TwoProcesses) {
  const auto there = exportable(), back = exportable();
  const int file = memfd_create("heddle-test", MFD_CLOEXEC);
  ASSERT_EQ(ftruncate(file, kCount * 4), 0);
  auto* data =
      static_cast<cl_uint*>(mmap(nullptr, kCount * 4, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
  ASSERT_NE(data, MAP_FAILED);
  OtherProcess other("ExternalSemaphoreTest.DISABLED_TheSecondProcess");
  ASSERT_TRUE(other.socket().send({file, file_of(there), file_of(back)}));
  {
    const auto buffer = buffer_of(data);
    const auto kernel = step_kernel();
    cl_uint expected = 0;
    for (int round = 0; round < kRounds; ++round) {
      step(kernel, buffer, 3);
      (void)signal(queue_, there);
      (void)wait(queue_, back);
      expected = (expected * 3 + 1) * 5 + 1;
    }
    check(clFinish(queue_), "clFinish");
    EXPECT_EQ(std::vector<cl_uint>(data, data + kCount), std::vector<cl_uint>(kCount, expected));
  }
  EXPECT_EQ(other.end(), 0);
  munmap(data, kCount * 4);
  close(file);
}

TEST_F(ExternalSemaphoreTest, DISABLED_TheSecondProcess) {
  const auto socket = OtherProcess::parent();
  const auto files = socket.receive(3);
  ASSERT_EQ(files.size(), 3u);
  auto* data = mmap(nullptr, kCount * 4, PROT_READ | PROT_WRITE, MAP_SHARED, files[0], 0);
  ASSERT_NE(data, MAP_FAILED);
  const auto there = import(files[1]), back = import(files[2]);
  const auto buffer = buffer_of(data);
  const auto kernel = step_kernel();
  for (int round = 0; round < kRounds; ++round) {
    (void)wait(queue_, there);
    step(kernel, buffer, 5);
    (void)signal(queue_, back);
  }
  check(clFinish(queue_), "clFinish");
}

} // namespace
} // namespace heddle::test
