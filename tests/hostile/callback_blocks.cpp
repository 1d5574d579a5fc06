// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Callbacks that wait for other commands without calling the driver, so that their threads cannot
// help: as many concurrent ones as compute units, and more, at every state.
#include "tests/hostile/hostile.h"

#include <atomic>
#include <chrono>
#include <thread>

using namespace heddle::hostile;

struct Meeting {
  Session session;
  Queue other = make_queue(session.context, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  std::atomic<int> finished{0}, wrong{0};
};

static void CL_CALLBACK wait_blindly(cl_event, cl_int, void* data) {
  auto& meeting = *static_cast<Meeting*>(data);
  std::atomic<int> met{0};
  std::atomic<int>* argument = &met;
  const auto meet = [](void* value) { ++**static_cast<std::atomic<int>**>(value); };
  // One in the queue of the callback's command, after it, and one in another queue.
  bool right = true;
  for (cl_command_queue queue : {meeting.session.queue.get(), meeting.other.get()})
    right &= clEnqueueNativeKernel(queue, meet, &argument, sizeof argument, 0, nullptr, nullptr, 0,
                                   nullptr, nullptr) == CL_SUCCESS &&
             clFlush(queue) == CL_SUCCESS;
  for (int i = 0; i != 3000 && met != 2; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  if (!right || met != 2) {
    ++meeting.wrong;
    while (met != 2) // the commands use what is here
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  ++meeting.finished;
}

static void body() {
  Meeting meeting;
  auto& session = meeting.session;
  const auto units = info<cl_uint>(device(), CL_DEVICE_MAX_COMPUTE_UNITS);
  const int count = static_cast<int>(units) + 3;
  cl_int status = 0;
  Event gate(clCreateUserEvent(session.context, &status));
  check(status, "clCreateUserEvent");
  std::vector<Event> markers(static_cast<std::size_t>(count));
  const auto held = make_queue(session.context, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  for (auto& marker : markers) {
    check(clEnqueueMarkerWithWaitList(held, 1, gate.address(), marker.out()), "marker");
    check(clSetEventCallback(marker, CL_COMPLETE, wait_blindly, &meeting), "clSetEventCallback");
  }
  check(clFlush(held), "clFlush");
  check(clSetUserEventStatus(gate, CL_COMPLETE), "clSetUserEventStatus");
  for (int i = 0; i != 4000 && meeting.finished != count; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  expect(meeting.finished == count,
         std::to_string(meeting.finished.load()) + " callbacks came back");
  expect(meeting.wrong == 0, std::to_string(meeting.wrong.load()) + " callbacks waited in vain");
  if (failures)
    std::_Exit(1);
  // The callback of a command's start blocks that command and later ones of its queue, not others.
  Event begun;
  Event second(clCreateUserEvent(session.context, &status));
  check(clEnqueueMarkerWithWaitList(held, 1, second.address(), begun.out()), "marker");
  static std::atomic<int> at_start{0};
  const auto wait_for_other = [](cl_event, cl_int, void* data) {
    auto& there = *static_cast<Meeting*>(data);
    std::atomic<int> met{0};
    std::atomic<int>* argument = &met;
    (void)clEnqueueNativeKernel(
        there.other, [](void* value) { ++**static_cast<std::atomic<int>**>(value); }, &argument,
        sizeof argument, 0, nullptr, nullptr, 0, nullptr, nullptr);
    while (met != 1)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ++at_start;
  };
  check(clSetEventCallback(begun, CL_RUNNING, wait_for_other, &meeting), "clSetEventCallback");
  check(clSetEventCallback(begun, CL_SUBMITTED, wait_for_other, &meeting), "clSetEventCallback");
  check(clSetUserEventStatus(second, CL_COMPLETE), "clSetUserEventStatus");
  for (int i = 0; i != 3000 && at_start != 2; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  expect(at_start == 2, "callbacks of a start came back " + std::to_string(at_start) + " times");
  if (failures)
    std::_Exit(1);
  expect_works(session, "after callbacks that block");
}

int main() { return run_program(body); }
