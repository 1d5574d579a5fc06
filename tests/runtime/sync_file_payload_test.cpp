// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Semaphores of files that can be read once they are signaled, as sync files are: an eventfd stands
// in for one here. tests/api/sync_file_test has real ones where a device makes them.
#include "runtime/semaphore/semaphore_command.h"
#include "runtime/semaphore/sync_file_payload.h"
#include "tests/runtime/engine.h"

#include <chrono>
#include <fcntl.h>
#include <sys/eventfd.h>
#include <unistd.h>

namespace heddle::test {
namespace {

using namespace std::chrono_literals;
using Action = SemaphoreCommand::Action;

class SyncFilePayloadTest : public ::testing::Test {
 protected:
  Engine engine_;
  const Ref<Queue> queue_ = engine_.queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const int file_ = eventfd(0, EFD_CLOEXEC);
  const int writer_ = dup(file_);
  const Ref<Semaphore> semaphore_ = make_ref<Semaphore>(
      *engine_.context,
      Semaphore::Options{
          {}, {ParentRef<Device>(engine_.device.get())}, {}, Semaphore::Options::Handle{0x2058, 0}},
      std::make_shared<SyncFilePayload>(file_));
  ~SyncFilePayloadTest() override { close(writer_); }

  void signal_file() const { ASSERT_EQ(eventfd_write(writer_, 1), 0); }
  Ref<Event> enqueue(Action action) {
    cl_event handle = nullptr;
    auto* semaphore = semaphore_.get();
    EXPECT_EQ(SemaphoreCommand::enqueue(*queue_, action, {&semaphore, 1}, {}, &handle), CL_SUCCESS);
    auto* event = find<Event>(handle);
    Ref<Event> kept(event);
    event->hide_from_user();
    return kept;
  }
};

TEST_F(SyncFilePayloadTest, AWaitEndsWithTheFence) {
  const auto waited = enqueue(Action::wait);
  std::this_thread::sleep_for(20ms);
  EXPECT_FALSE(waited->finished());
  signal_file();
  waited->wait();
  EXPECT_EQ(waited->status(), CL_COMPLETE);
  EXPECT_FALSE(semaphore_->payload()->is_signaled()) << "a fence is one signal";
}

TEST_F(SyncFilePayloadTest, AFenceThatWasSignaledBefore) {
  EXPECT_FALSE(semaphore_->payload()->is_signaled());
  signal_file();
  EXPECT_TRUE(semaphore_->payload()->is_signaled());
  enqueue(Action::wait)->wait();
  EXPECT_FALSE(semaphore_->payload()->is_signaled());
}

TEST_F(SyncFilePayloadTest, ThenItIsSignaledByCommands) {
  const auto first = enqueue(Action::wait), second = enqueue(Action::wait);
  const auto signal = enqueue(Action::signal);
  signal->wait();
  second->wait(); // its own is the second signal, which need not come second
  EXPECT_FALSE(first->finished());
  signal_file();
  first->wait();
  EXPECT_FALSE(semaphore_->payload()->is_signaled());
}

TEST_F(SyncFilePayloadTest, AnotherFenceTakesItsPlace) {
  const auto first = enqueue(Action::wait);
  semaphore_->replace_payload(std::make_shared<Payload>(Payload::Signaled{}));
  enqueue(Action::wait)->wait();
  EXPECT_FALSE(first->finished());
  signal_file();
  first->wait();
}

TEST_F(SyncFilePayloadTest, FencesWithoutWaitsCloseTheirFiles) {
  const int file = eventfd(0, EFD_CLOEXEC);
  { const SyncFilePayload unused(file); }
  EXPECT_EQ(fcntl(file, F_GETFD), -1);
}

} // namespace
} // namespace heddle::test
