// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The event wait list of every command, and memory objects of another context (each entry point's
// list of errors in the OpenCL API).
#include "tests/api/api_test.h"
#include "tests/api/handle_calls.h"

#include <functional>

namespace heddle::test {
namespace {

const size_t kOne = 1;
const size_t kOrigin[3] = {0, 0, 0};
const size_t kRegion[3] = {4, 1, 1};
const cl_int kPattern = 3;
char scratch[256];

void CL_CALLBACK ignore_native(void*) {}

// A command on `memory` with a given wait list and otherwise valid arguments.
struct Command {
  const char* name;
  bool has_memory;
  std::function<cl_int(cl_mem memory, cl_uint count, const cl_event* list)> call;
};

std::vector<Command> commands(const World& w) {
  const cl_command_queue q = w.queue;
  const cl_kernel kernel = w.kernel;
  return {
      {"clEnqueueReadBuffer", true,
       [=](cl_mem m, cl_uint n, const cl_event* e) {
         return clEnqueueReadBuffer(q, m, CL_TRUE, 0, 4, scratch, n, e, nullptr);
       }},
      {"clEnqueueWriteBuffer", true,
       [=](cl_mem m, cl_uint n, const cl_event* e) {
         return clEnqueueWriteBuffer(q, m, CL_TRUE, 0, 4, scratch, n, e, nullptr);
       }},
      {"clEnqueueReadBufferRect", true,
       [=](cl_mem m, cl_uint n, const cl_event* e) {
         return clEnqueueReadBufferRect(q, m, CL_TRUE, kOrigin, kOrigin, kRegion, 0, 0, 0, 0,
                                        scratch, n, e, nullptr);
       }},
      {"clEnqueueWriteBufferRect", true,
       [=](cl_mem m, cl_uint n, const cl_event* e) {
         return clEnqueueWriteBufferRect(q, m, CL_TRUE, kOrigin, kOrigin, kRegion, 0, 0, 0, 0,
                                         scratch, n, e, nullptr);
       }},
      {"clEnqueueCopyBuffer", true,
       [=](cl_mem m, cl_uint n, const cl_event* e) {
         return clEnqueueCopyBuffer(q, m, m, 0, 8, 4, n, e, nullptr);
       }},
      {"clEnqueueCopyBufferRect", true,
       [=](cl_mem m, cl_uint n, const cl_event* e) {
         const size_t target[3] = {16, 0, 0};
         return clEnqueueCopyBufferRect(q, m, m, kOrigin, target, kRegion, 0, 0, 0, 0, n, e,
                                        nullptr);
       }},
      {"clEnqueueFillBuffer", true,
       [=](cl_mem m, cl_uint n, const cl_event* e) {
         return clEnqueueFillBuffer(q, m, &kPattern, 4, 0, 8, n, e, nullptr);
       }},
      {"clEnqueueMapBuffer", true,
       [=](cl_mem m, cl_uint n, const cl_event* e) {
         cl_int status = CL_SUCCESS;
         void* place = clEnqueueMapBuffer(q, m, CL_TRUE, CL_MAP_READ, 0, 4, n, e, nullptr, &status);
         if (place)
           clEnqueueUnmapMemObject(q, m, place, 0, nullptr, nullptr);
         return status;
       }},
      {"clEnqueueUnmapMemObject", false, // its memory object must be mapped
       [=, good = w.buffer.get()](cl_mem, cl_uint n, const cl_event* e) {
         void* place =
             clEnqueueMapBuffer(q, good, CL_TRUE, CL_MAP_READ, 0, 4, 0, nullptr, nullptr, nullptr);
         const auto status = clEnqueueUnmapMemObject(q, good, place, n, e, nullptr);
         if (status != CL_SUCCESS)
           clEnqueueUnmapMemObject(q, good, place, 0, nullptr, nullptr);
         return status;
       }},
      {"clEnqueueMigrateMemObjects", true,
       [=](cl_mem m, cl_uint n, const cl_event* e) {
         return clEnqueueMigrateMemObjects(q, 1, &m, 0, n, e, nullptr);
       }},
      {"clEnqueueNDRangeKernel", false,
       [=](cl_mem, cl_uint n, const cl_event* e) {
         return clEnqueueNDRangeKernel(q, kernel, 1, nullptr, &kOne, nullptr, n, e, nullptr);
       }},
      {"clEnqueueTask", false,
       [=](cl_mem, cl_uint n, const cl_event* e) {
         return clEnqueueTask(q, kernel, n, e, nullptr);
       }},
      {"clEnqueueNativeKernel", false,
       [=](cl_mem, cl_uint n, const cl_event* e) {
         return clEnqueueNativeKernel(q, ignore_native, nullptr, 0, 0, nullptr, nullptr, n, e,
                                      nullptr);
       }},
      {"clEnqueueMarkerWithWaitList", false,
       [=](cl_mem, cl_uint n, const cl_event* e) {
         return clEnqueueMarkerWithWaitList(q, n, e, nullptr);
       }},
      {"clEnqueueBarrierWithWaitList", false,
       [=](cl_mem, cl_uint n, const cl_event* e) {
         return clEnqueueBarrierWithWaitList(q, n, e, nullptr);
       }},
  };
}

class WaitList : public testing::Test {
 protected:
  World world_;
};

TEST_F(WaitList, CountAndListBelongTogether) {
  for (const auto& command : commands(world_)) {
    EXPECT_EQ(command.call(world_.buffer, 1, nullptr), CL_INVALID_EVENT_WAIT_LIST) << command.name;
    EXPECT_EQ(command.call(world_.buffer, 0, world_.done.address()), CL_INVALID_EVENT_WAIT_LIST)
        << command.name;
    EXPECT_EQ(command.call(world_.buffer, 1, world_.done.address()), CL_SUCCESS) << command.name;
  }
}

TEST_F(WaitList, EventsThatAreNone) {
  ForeignObject foreign;
  for (const auto& command : commands(world_))
    for (void* bad :
         {static_cast<void*>(nullptr), foreign.handle(), static_cast<void*>(world_.buffer.get())}) {
      const cl_event list[] = {world_.done, static_cast<cl_event>(bad), world_.done};
      EXPECT_EQ(command.call(world_.buffer, 3, list), CL_INVALID_EVENT_WAIT_LIST) << command.name;
    }
}

TEST_F(WaitList, EventsOfAnotherContext) {
  const World other;
  const cl_event list[] = {world_.done, other.done};
  for (const auto& command : commands(world_))
    EXPECT_EQ(command.call(world_.buffer, 2, list), CL_INVALID_CONTEXT) << command.name;
  EXPECT_EQ(clWaitForEvents(2, list), CL_INVALID_CONTEXT);
}

TEST_F(WaitList, MemoryOfAnotherContext) {
  const World other;
  for (const auto& command : commands(world_))
    if (command.has_memory) {
      EXPECT_EQ(command.call(other.buffer, 0, nullptr), CL_INVALID_CONTEXT) << command.name;
    }
  const cl_mem both[] = {world_.buffer, other.buffer};
  EXPECT_EQ(clEnqueueCopyBuffer(world_.queue, both[0], both[1], 0, 0, 4, 0, nullptr, nullptr),
            CL_INVALID_CONTEXT);
  EXPECT_EQ(clEnqueueMigrateMemObjects(world_.queue, 2, both, 0, 0, nullptr, nullptr),
            CL_INVALID_CONTEXT);
}

// A blocking command whose wait list has a failed event returns an error; a non-blocking one does
// not.
TEST_F(WaitList, FailedEvents) {
  ASSERT_EQ(clSetUserEventStatus(world_.user_event, -5), CL_SUCCESS);
  const std::string blocking = "clEnqueueReadBuffer clEnqueueWriteBuffer clEnqueueReadBufferRect "
                               "clEnqueueWriteBufferRect clEnqueueMapBuffer ";
  for (const auto& command : commands(world_)) {
    const bool blocks = blocking.find(command.name + std::string(" ")) != std::string::npos;
    EXPECT_EQ(command.call(world_.buffer, 1, world_.user_event.address()),
              blocks ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : CL_SUCCESS)
        << command.name;
  }
  EXPECT_EQ(clFinish(world_.queue), CL_SUCCESS);
}

} // namespace
} // namespace heddle::test
