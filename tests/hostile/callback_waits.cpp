// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// More concurrent callbacks that enqueue commands and wait for them than threads.
#include "tests/hostile/hostile.h"

#include <atomic>
#include <chrono>
#include <thread>

using namespace heddle::hostile;

struct Task {
  Session* session;
  cl_mem buffer;
  int index;
  std::atomic<int>* finished;
  std::atomic<int>* wrong;
};

static void CL_CALLBACK enqueue_and_wait(cl_event, cl_int, void* data) {
  auto* task = static_cast<Task*>(data);
  const cl_int value = task->index + 1;
  Event filled;
  bool right = clEnqueueFillBuffer(task->session->queue, task->buffer, &value, 4, 4 * task->index,
                                   4, 0, nullptr, filled.out()) == CL_SUCCESS;
  right = right && clWaitForEvents(1, filled.address()) == CL_SUCCESS;
  cl_int seen = 0;
  right = right && clEnqueueReadBuffer(task->session->queue, task->buffer, CL_TRUE, 4 * task->index,
                                       4, &seen, 0, nullptr, nullptr) == CL_SUCCESS;
  right = right && seen == value && clFinish(task->session->queue) == CL_SUCCESS;
  if (!right)
    ++*task->wrong;
  ++*task->finished;
}

static void body() {
  Session session;
  const int count = 64;
  const auto buffer = make_buffer(session.context, count * 4);
  std::atomic<int> finished{0}, wrong{0};
  std::vector<Task> tasks;
  for (int i = 0; i != count; ++i)
    tasks.push_back({&session, buffer, i, &finished, &wrong});
  cl_int status = 0;
  Event gate(clCreateUserEvent(session.context, &status));
  std::vector<Event> markers(count);
  const auto other = make_queue(session.context);
  for (int i = 0; i != count; ++i) {
    check(clEnqueueMarkerWithWaitList(other, 1, gate.address(), markers[i].out()), "marker");
    check(clSetEventCallback(markers[i], CL_COMPLETE, enqueue_and_wait, &tasks[i]), "callback");
  }
  check(clFlush(other), "clFlush");
  check(clSetUserEventStatus(gate, CL_COMPLETE), "clSetUserEventStatus");
  for (int i = 0; i != 6000 && finished != count; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  expect(finished == count, std::to_string(finished.load()) + " callbacks came back");
  expect(wrong == 0, std::to_string(wrong.load()) + " callbacks saw something wrong");
  if (finished == count)
    expect_works(session, "after callbacks that wait");
  else
    std::_Exit(1);
}

int main() { return run_program(body); }
