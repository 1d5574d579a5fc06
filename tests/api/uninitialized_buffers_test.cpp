// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HEDDLE_CHECK=buffers: bytes of new buffers that neither the host nor a kernel has written are
// reported where they decide something; whatever writes them makes them right.
#include "tests/api/checked_kernels.h"
#include "tests/api/shared_memory.h"

#include <algorithm>
#include <cstdlib>
#include <functional>

namespace heddle::test {
namespace {

// Before the driver reads it.
[[maybe_unused]] const int kChecksAreSet = setenv("HEDDLE_CHECK", "buffers", 1);

constexpr size_t kInts = 4096;
constexpr size_t kBytes = kInts * sizeof(cl_int);
const Range kRange = {{32}, {16}, {}};
constexpr const char* kReported =
    "writes a value of the argument 'in' that was not initialized to global memory";

class UninitializedBuffers : public CheckedKernels {
 protected:
  // Of kernel k(global int* out, global int* in, local int* tile, int n) with these statements of
  // `l` and `i`, the local and the global id; n is 0.
  Kernel kernel_of(const std::string& statements, const std::string& helpers = "",
                   const char* options = "-cl-std=CL3.0") {
    return make_kernel(
        build(context_,
              helpers +
                  "\nkernel void k(global int* out, global int* in, local int* tile, int n) {"
                  "int l = get_local_id(0), i = get_global_id(0);\n" +
                  statements + "\n}",
              options),
        "k");
  }
  std::string outcome_of(const Kernel& kernel, const Buffer& out, const Buffer& in) {
    set_args(kernel, out, in, Local{1024}, cl_int{0});
    return outcome(kernel, kRange);
  }
  // With two new buffers.
  std::string outcome_of(const std::string& statements, const std::string& helpers = "",
                         const char* options = "-cl-std=CL3.0") {
    return outcome_of(kernel_of(statements, helpers, options), make_buffer(context_, kBytes),
                      make_buffer(context_, kBytes));
  }
  // Whether a kernel that copies `in` passes only after `write`, which gets the buffer.
  void expect_written_by(const std::function<void(cl_mem)>& write) {
    const auto copy = kernel_of("out[i] = in[i];");
    const auto out = make_buffer(context_, kBytes);
    const auto in = make_buffer(context_, kBytes);
    expect_in(outcome_of(copy, out, in), kReported);
    write(in);
    EXPECT_EQ(outcome_of(copy, out, in), "");
  }

  const std::vector<cl_int> ones_ = std::vector<cl_int>(kInts, 1);
};

TEST_F(UninitializedBuffers, AreReportedWhereTheyDecide) {
  for (const char* options : {"-cl-std=CL3.0", "-cl-std=CL3.0 -cl-opt-disable"}) {
    SCOPED_TRACE(options);
    expect_in(outcome_of("\nout[i] = in[i];", "", options), ":4 "); // the line
    expect_in(outcome_of("out[i] = in[i];", "", options), kReported);
    expect_in(outcome_of("if (in[i] > 3) out[i] = 1;", "", options),
              "depends on a value of the argument 'in' that was not initialized");
    expect_in(outcome_of("out[in[i] & 63] = 1;", "", options), "is at an address");
    expect_in(outcome_of("out[i] = 8 / in[i];", "", options), "is by a value");
    expect_in(outcome_of("int4 v = vload4(i, in); out[i] = v.x + v.y;", "", options), "writes");
    expect_in(outcome_of("atomic_inc(out);", "", options), "of the argument 'out'");
    expect_in(outcome_of("event_t e = async_work_group_copy(tile, in, 16, 0);"
                         "wait_group_events(1, &e); out[i] = tile[l];",
                         "", options),
              "the local argument 'tile'");
    expect_in(outcome_of("int x = in[i]; if (n == 0) x &= 0; if (x) out[i] = 3;"
                         "global int* p = n ? out : in; out[i] = p[i];",
                         "", options),
              "writes");
  }
}

TEST_F(UninitializedBuffers, MayBeWrittenByTheSameKernel) {
  for (const char* options : {"-cl-std=CL3.0", "-cl-std=CL3.0 -cl-opt-disable"}) {
    SCOPED_TRACE(options);
    const auto passes = [&](const char* statements, const char* helpers = "") {
      EXPECT_EQ(outcome_of(statements, helpers, options), "") << statements;
    };
    passes("in[i] = l; out[i] = in[i];");
    passes("vstore3((int3)(1, 2, n), i, in); out[i] = vload3(i, in).z;");
    passes("((global int3*)in)[i] = (int3)(1, 2, n); int3 v = ((global int3*)in)[i];"
           "((global int3*)out)[i] = v; out[4 * i + 1] = v.y;");
    passes("global S* s = (global S*)in; S own; own.a = 1; own.b = 2; s[i] = own; S back = s[i];"
           "out[i] = back.a + back.b; ((global S*)out)[i + 100] = s[i];",
           "typedef struct { char a; int b; } S;");
    passes("atomic_xchg(in + i, 3); atomic_inc(in + i); out[i] = in[i];");
    passes("tile[l] = l; barrier(CLK_LOCAL_MEM_FENCE); event_t e = async_work_group_strided_copy("
           "in + get_group_id(0), tile, 16, 2, 0); wait_group_events(1, &e);"
           "barrier(CLK_GLOBAL_MEM_FENCE);"
           "e = async_work_group_strided_copy(tile, in + get_group_id(0), 16, 2, 0);"
           "wait_group_events(1, &e); out[i] = tile[l];");
    passes("set(in + i, n + 3); out[i] = in[i];",
           "void set(int* p, int n) { if (n > 0) set(p, n - 1); else *p = n; }");
  }
}

// Async copies write what they read, element by element.
TEST_F(UninitializedBuffers, AsyncCopies) {
  const std::string reported =
      "writes a value of the local argument 'tile' that was not initialized to global memory";
  const std::string half = "if (l < 8) tile[2 * l] = l; barrier(CLK_LOCAL_MEM_FENCE);";
  expect_in(outcome_of(half + "event_t e = async_work_group_copy(out + 16 * get_group_id(0), tile,"
                              "16, 0); wait_group_events(1, &e);"),
            reported);
  expect_in(outcome_of(half + "event_t e = async_work_group_copy_2D2D(out + 16 * get_group_id(0),"
                              "0, tile, 0, 4, 2, 8, 2, 2, 0); wait_group_events(1, &e);"),
            reported);
  EXPECT_EQ(outcome_of(half + "event_t e = async_work_group_copy_2D2D(out + 16 * get_group_id(0),"
                              "0, tile, 0, 4, 1, 8, 2, 2, 0); wait_group_events(1, &e);"),
            "");
  // What is between the elements is not written.
  expect_in(outcome_of("tile[l] = l; barrier(CLK_LOCAL_MEM_FENCE); event_t e ="
                       "async_work_group_strided_copy(in, tile, 16, 2, 0);"
                       "wait_group_events(1, &e); out[i] = in[2 * l + 1];"),
            kReported);
}

TEST_F(UninitializedBuffers, AreWrittenByCommands) {
  expect_written_by([&](cl_mem in) {
    check(clEnqueueWriteBuffer(queue_, in, CL_TRUE, 0, kBytes, ones_.data(), 0, nullptr, nullptr),
          "write");
  });
  expect_written_by([&](cl_mem in) {
    const size_t origin[3] = {}, region[3] = {64, 4, 1};
    check(clEnqueueWriteBufferRect(queue_, in, CL_TRUE, origin, origin, region, 0, 0, 0, 0,
                                   ones_.data(), 0, nullptr, nullptr),
          "write");
  });
  expect_written_by([&](cl_mem in) {
    const cl_char pattern = 1;
    check(clEnqueueFillBuffer(queue_, in, &pattern, 1, 0, kBytes, 0, nullptr, nullptr), "fill");
  });
  expect_written_by([&](cl_mem in) {
    const auto from = make_buffer(context_, kBytes, ones_.data());
    check(clEnqueueCopyBuffer(queue_, from, in, 0, 0, kBytes, 0, nullptr, nullptr), "copy");
  });
  expect_written_by([&](cl_mem in) {
    cl_int error = 0;
    auto* mapped = clEnqueueMapBuffer(queue_, in, CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION, 0,
                                      kBytes, 0, nullptr, nullptr, &error);
    check(error, "map");
    check(clEnqueueUnmapMemObject(queue_, in, mapped, 0, nullptr, nullptr), "unmap");
  });
  expect_written_by([&](cl_mem in) {
    void* data = nullptr;
    const void* place = &data;
    check(clEnqueueNativeKernel(
              queue_, [](void*) {}, &data, sizeof data, 1, &in, &place, 0, nullptr, nullptr),
          "native kernel");
  });
  expect_written_by([&](cl_mem in) {
    const auto part = make_part(in, 0, kBytes / 2);
    check(clEnqueueWriteBuffer(queue_, part, CL_TRUE, 0, kBytes / 2, ones_.data(), 0, nullptr,
                               nullptr),
          "write");
  });
}

// A copy of what was not written, a map for reading, and writes elsewhere change nothing.
TEST_F(UninitializedBuffers, AreNotWrittenByOthers) {
  const auto copy = kernel_of("out[i] = in[i];");
  const auto out = make_buffer(context_, kBytes);
  const auto in = make_buffer(context_, kBytes);
  const auto from = make_buffer(context_, kBytes);
  check(clEnqueueCopyBuffer(queue_, from, in, 0, 0, kBytes, 0, nullptr, nullptr), "copy");
  cl_int error = 0;
  auto* mapped =
      clEnqueueMapBuffer(queue_, in, CL_TRUE, CL_MAP_READ, 0, kBytes, 0, nullptr, nullptr, &error);
  check(error, "map");
  check(clEnqueueUnmapMemObject(queue_, in, mapped, 0, nullptr, nullptr), "unmap");
  check(clEnqueueWriteBuffer(queue_, in, CL_TRUE, 4, kBytes - 4, ones_.data(), 0, nullptr, nullptr),
        "write");
  expect_in(outcome_of(copy, out, in), kReported);
  EXPECT_EQ(outcome(copy, {{32}, {16}, {1}}), "") << "all but the first element";
}

// One kernel writes, another one reads; buffers with contents are as without the check.
TEST_F(UninitializedBuffers, AreWrittenByKernels) {
  const auto write = kernel_of("if (i != 20) out[i] = i;");
  const auto copy = kernel_of("out[i] = in[i];");
  const auto first = make_buffer(context_, kBytes);
  const auto second = make_buffer(context_, kBytes);
  const auto full = make_buffer(context_, kBytes, ones_.data());
  EXPECT_EQ(outcome_of(write, first, full), "");
  expect_in(outcome_of(copy, second, first), kReported);
  EXPECT_EQ(outcome(copy, {{16}, {16}, {}}), "");
  EXPECT_EQ(outcome(copy, {{11}, {11}, {21}}), "") << "all but element 20";
  EXPECT_EQ(outcome_of(copy, first, full), "");
  EXPECT_EQ(outcome_of(copy, second, first), "");
}

// New memory at the addresses of buffers that are released.
TEST_F(UninitializedBuffers, AreNewAgain) {
  const auto copy = kernel_of("out[i] = in[i];");
  const auto out = make_buffer(context_, kBytes);
  for (int i = 0; i < 3; ++i) {
    const auto large = make_buffer(context_, size_t{3} << 20);
    const auto in = make_buffer(context_, kBytes);
    expect_in(outcome_of(copy, out, in), kReported);
    expect_in(outcome_of(copy, out, large), kReported);
    for (const auto& buffer : {std::cref(in), std::cref(large)})
      check(clEnqueueWriteBuffer(queue_, buffer.get(), CL_TRUE, 0, kBytes, ones_.data(), 0, nullptr,
                                 nullptr),
            "write");
    EXPECT_EQ(outcome_of(copy, out, in), "");
    EXPECT_EQ(outcome_of(copy, out, large), "");
  }
}

// The host writes to coarse-grained SVM while it is mapped, and to other memory at any time.
TEST_F(UninitializedBuffers, SharedVirtualMemory) {
  const auto copy = kernel_of("out[i] = in[i];");
  const auto out = make_buffer(context_, kBytes);
  set_args(copy, out, out, Local{1024}, cl_int{0});
  const auto outcome_with = [&](void* memory) {
    check(clSetKernelArgSVMPointer(copy, 1, memory), "set");
    return outcome(copy, kRange);
  };
  const auto expect_written_by = [&](const std::function<void(cl_int*)>& write) {
    const SvmArray<cl_int> memory(context_, kInts);
    expect_in(outcome_with(memory.data()), kReported);
    write(memory.data());
    EXPECT_EQ(outcome_with(memory.data()), "");
  };
  const auto map = [&](cl_int* memory, cl_map_flags flags) {
    check(clEnqueueSVMMap(queue_, CL_TRUE, flags, memory, kBytes, 0, nullptr, nullptr), "map");
    check(clEnqueueSVMUnmap(queue_, memory, 0, nullptr, nullptr), "unmap");
  };
  expect_written_by([&](cl_int* memory) { map(memory, CL_MAP_WRITE); });
  expect_written_by([&](cl_int* memory) { map(memory, CL_MAP_WRITE_INVALIDATE_REGION); });
  expect_written_by([&](cl_int* memory) {
    check(clEnqueueSVMMemcpy(queue_, CL_TRUE, memory, ones_.data(), kBytes, 0, nullptr, nullptr),
          "copy");
  });
  expect_written_by([&](cl_int* memory) {
    check(clEnqueueSVMMemFill(queue_, memory, ones_.data(), 4, kBytes, 0, nullptr, nullptr),
          "fill");
  });
  expect_written_by([&](cl_int* memory) {
    check(clEnqueueReadBuffer(queue_, make_buffer(context_, kBytes, ones_.data()), CL_TRUE, 0,
                              kBytes, memory, 0, nullptr, nullptr),
          "read");
  });
  expect_written_by([&](cl_int* memory) {
    cl_int error = 0;
    check(clReleaseMemObject(clCreateBuffer(context_, CL_MEM_USE_HOST_PTR, kBytes, memory, &error)),
          "release");
    check(error, "create");
  });
  const SvmArray<cl_int> unwritten(context_, kInts);
  map(unwritten.data(), CL_MAP_READ);
  expect_in(outcome_with(unwritten.data()), kReported);
  const SvmArray<cl_int> fine(context_, kInts, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER);
  EXPECT_EQ(outcome_with(fine.data()), "");
  const Usm usm;
  for (const bool is_host : {false, true}) {
    cl_int error = 0;
    auto* const memory = is_host ? usm.host_alloc(context_, nullptr, kBytes, 0, &error)
                                 : usm.shared_alloc(context_, device(), nullptr, kBytes, 0, &error);
    check(error, "allocate");
    check(usm.set_arg(copy, 1, memory), "set");
    EXPECT_EQ(outcome(copy, kRange), "");
    check(usm.blocking_free(context_, memory), "free");
  }
}

TEST_F(UninitializedBuffers, UnifiedSharedMemory) {
  const Usm usm;
  cl_int error = 0;
  auto* const memory = usm.device_alloc(context_, device(), nullptr, kBytes, 0, &error);
  check(error, "clDeviceMemAllocINTEL");
  const auto copy = kernel_of("out[i] = in[i];");
  const auto out = make_buffer(context_, kBytes);
  set_args(copy, out, out, Local{1024}, cl_int{0});
  check(usm.set_arg(copy, 1, memory), "set");
  expect_in(outcome(copy, kRange), kReported);
  check(usm.copy(queue_, CL_TRUE, memory, ones_.data(), kBytes / 2, 0, nullptr, nullptr), "copy");
  EXPECT_EQ(outcome(copy, kRange), "");
  check(usm.blocking_free(context_, memory), "free");
}

// What they write is marked behind them: memory that is not there has no marks.
TEST_F(UninitializedBuffers, TransfersThatFaultOnlyFail) {
  constexpr size_t kFarTooMany = size_t{1} << 20;
  const SvmArray<cl_int> memory(context_, kInts);
  const std::vector<cl_int> ones(kFarTooMany / sizeof(cl_int), 1);
  const auto expect_failed = [](const Event& event) {
    clWaitForEvents(1, event.address());
    cl_int status = CL_COMPLETE;
    check(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr),
          "status");
    EXPECT_LT(status, 0);
  };
  Event filled, copied;
  check(clEnqueueSVMMemFill(queue_, memory.data(), ones.data(), sizeof(cl_int), kFarTooMany, 0,
                            nullptr, filled.out()),
        "fill");
  expect_failed(filled);
  check(clEnqueueSVMMemcpy(queue_, CL_FALSE, memory.data(), ones.data(), kFarTooMany, 0, nullptr,
                           copied.out()),
        "copy");
  expect_failed(copied);
}

} // namespace
} // namespace heddle::test
