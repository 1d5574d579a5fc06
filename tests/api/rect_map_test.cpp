// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rectangular transfers against a model, and mapping (OpenCL API 5.2.2 to 5.2.4).
#include "tests/api/api_test.h"

#include <array>
#include <cstring>
#include <functional>
#include <numeric>
#include <random>

namespace heddle::test {
namespace {

using Triple = std::array<size_t, 3>;
const size_t kHuge = ~size_t{0};

class RectTest : public ApiTest {
 protected:
  static constexpr size_t kBytes = 4096;
  std::vector<unsigned char> numbers(unsigned start) {
    std::vector<unsigned char> bytes(kBytes);
    std::mt19937 random(start);
    for (auto& byte : bytes)
      byte = static_cast<unsigned char>(random());
    return bytes;
  }
};

struct Box {
  Triple origin;
  size_t row_pitch, slice_pitch;
  size_t at(const Triple& region, size_t y, size_t z) const {
    const size_t row = row_pitch ? row_pitch : region[0];
    const size_t slice = slice_pitch ? slice_pitch : region[1] * row;
    return (origin[2] + z) * slice + (origin[1] + y) * row + origin[0];
  }
};

void model_copy(const unsigned char* from, const Box& source, unsigned char* to, const Box& target,
                const Triple& region) {
  for (size_t z = 0; z != region[2]; ++z)
    for (size_t y = 0; y != region[1]; ++y)
      std::memcpy(to + target.at(region, y, z), from + source.at(region, y, z), region[0]);
}

struct Case {
  Triple region;
  Box source, target;
};

const Case kCases[] = {
    {{8, 4, 2}, {{0, 0, 0}, 0, 0}, {{0, 0, 0}, 0, 0}},
    {{8, 4, 2}, {{3, 2, 1}, 16, 256}, {{1, 0, 2}, 32, 512}},
    {{1, 7, 3}, {{5, 1, 0}, 64, 0}, {{0, 3, 1}, 0, 0}},
    {{100, 1, 1}, {{9, 0, 0}, 128, 0}, {{0, 5, 0}, 100, 500}},
    {{33, 5, 4}, {{1, 1, 1}, 40, 400}, {{7, 2, 0}, 64, 640}},
    {{16, 16, 1}, {{0, 0, 3}, 16, 256}, {{16, 0, 0}, 64, 0}},
};

TEST_F(RectTest, Read) {
  const auto contents = numbers(1);
  const auto buffer = make_buffer(context_, kBytes, contents.data());
  for (const auto& c : kCases) {
    std::vector<unsigned char> got(kBytes, 0xaa), model(kBytes, 0xaa);
    ASSERT_EQ(clEnqueueReadBufferRect(queue_, buffer, CL_TRUE, c.source.origin.data(),
                                      c.target.origin.data(), c.region.data(), c.source.row_pitch,
                                      c.source.slice_pitch, c.target.row_pitch,
                                      c.target.slice_pitch, got.data(), 0, nullptr, nullptr),
              CL_SUCCESS);
    model_copy(contents.data(), c.source, model.data(), c.target, c.region);
    EXPECT_EQ(got, model);
  }
}

TEST_F(RectTest, Write) {
  const auto host = numbers(2);
  for (const auto& c : kCases) {
    auto model = numbers(3);
    const auto buffer = make_buffer(context_, kBytes, model.data());
    ASSERT_EQ(clEnqueueWriteBufferRect(queue_, buffer, CL_TRUE, c.target.origin.data(),
                                       c.source.origin.data(), c.region.data(), c.target.row_pitch,
                                       c.target.slice_pitch, c.source.row_pitch,
                                       c.source.slice_pitch, host.data(), 0, nullptr, nullptr),
              CL_SUCCESS);
    model_copy(host.data(), c.source, model.data(), c.target, c.region);
    EXPECT_EQ(read<unsigned char>(queue_, buffer, kBytes), model);
  }
}

TEST_F(RectTest, Copy) {
  const auto contents = numbers(4);
  const auto from = make_buffer(context_, kBytes, contents.data());
  for (const auto& c : kCases) {
    auto model = numbers(5);
    const auto to = make_buffer(context_, kBytes, model.data());
    ASSERT_EQ(clEnqueueCopyBufferRect(queue_, from, to, c.source.origin.data(),
                                      c.target.origin.data(), c.region.data(), c.source.row_pitch,
                                      c.source.slice_pitch, c.target.row_pitch,
                                      c.target.slice_pitch, 0, nullptr, nullptr),
              CL_SUCCESS);
    model_copy(contents.data(), c.source, model.data(), c.target, c.region);
    EXPECT_EQ(read<unsigned char>(queue_, to, kBytes), model);
  }
}

// Two interleaved, not overlapping, rectangles of one buffer.
TEST_F(RectTest, CopyInsideOneBuffer) {
  auto model = numbers(6);
  const auto buffer = make_buffer(context_, kBytes, model.data());
  const Triple left{0, 0, 0}, right{32, 0, 0}, region{32, 16, 1};
  ASSERT_EQ(clEnqueueCopyBufferRect(queue_, buffer, buffer, left.data(), right.data(),
                                    region.data(), 64, 0, 64, 0, 0, nullptr, nullptr),
            CL_SUCCESS);
  const auto before = model;
  model_copy(before.data(), {left, 64, 0}, model.data(), {right, 64, 0}, region);
  EXPECT_EQ(read<unsigned char>(queue_, buffer, kBytes), model);
  const Triple near{16, 0, 0};
  EXPECT_EQ(clEnqueueCopyBufferRect(queue_, buffer, buffer, left.data(), near.data(), region.data(),
                                    64, 0, 64, 0, 0, nullptr, nullptr),
            CL_MEM_COPY_OVERLAP);
  // Pitches differ: within one buffer they must be equal.
  EXPECT_EQ(clEnqueueCopyBufferRect(queue_, buffer, buffer, left.data(), right.data(),
                                    region.data(), 64, 0, 128, 0, 0, nullptr, nullptr),
            CL_INVALID_VALUE);
}

// The expected buffer and host regions of a read; a write is the reverse.
using Move = std::function<cl_int(Triple origin, Triple region, size_t row, size_t slice,
                                  size_t host_row, size_t host_slice, char* host)>;

class RectErrors : public RectTest {
 protected:
  static void expect_errors(const Move& moving);
};

void RectErrors::expect_errors(const Move& moving) {
  std::vector<char> host(kBytes);
  EXPECT_EQ(moving({0, 0, 0}, {8, 8, 1}, 0, 0, 0, 0, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(moving({0, 0, 0}, {0, 8, 1}, 0, 0, 0, 0, host.data()), CL_INVALID_VALUE);
  EXPECT_EQ(moving({0, 0, 0}, {8, 0, 1}, 0, 0, 0, 0, host.data()), CL_INVALID_VALUE);
  EXPECT_EQ(moving({0, 0, 0}, {8, 8, 0}, 0, 0, 0, 0, host.data()), CL_INVALID_VALUE);
  EXPECT_EQ(moving({0, 0, 0}, {8, 8, 1}, 4, 0, 0, 0, host.data()), CL_INVALID_VALUE);
  EXPECT_EQ(moving({0, 0, 0}, {8, 8, 1}, 0, 0, 7, 0, host.data()), CL_INVALID_VALUE);
  EXPECT_EQ(moving({0, 0, 0}, {8, 8, 2}, 8, 63, 0, 0, host.data()), CL_INVALID_VALUE);
  EXPECT_EQ(moving({0, 0, 0}, {8, 8, 2}, 8, 65, 0, 0, host.data()), CL_INVALID_VALUE);
  EXPECT_EQ(moving({0, 0, 0}, {8, 8, 2}, 0, 0, 8, 63, host.data()), CL_INVALID_VALUE);
  EXPECT_EQ(moving({1, 0, 0}, {kBytes, 1, 1}, 0, 0, 0, 0, host.data()), CL_INVALID_VALUE);
  EXPECT_EQ(moving({0, 0, 1}, {64, 64, 1}, 0, 0, 0, 0, host.data()), CL_INVALID_VALUE);
  for (const size_t big : {kHuge, kHuge - 7, kHuge / 2, kHuge / 8 + 1}) {
    EXPECT_EQ(moving({big, 0, 0}, {8, 8, 1}, 8, 0, 0, 0, host.data()), CL_INVALID_VALUE);
    EXPECT_EQ(moving({0, big, 0}, {8, 8, 1}, 8, 0, 0, 0, host.data()), CL_INVALID_VALUE);
    EXPECT_EQ(moving({0, 0, big}, {8, 8, 1}, 8, 0, 0, 0, host.data()), CL_INVALID_VALUE);
    EXPECT_EQ(moving({0, 0, 0}, {big, 8, 1}, 0, 0, 0, 0, host.data()), CL_INVALID_VALUE);
    EXPECT_EQ(moving({0, 0, 0}, {8, big, 1}, 0, 0, 0, 0, host.data()), CL_INVALID_VALUE);
    EXPECT_EQ(moving({0, 0, 0}, {8, 8, big}, 0, 0, 0, 0, host.data()), CL_INVALID_VALUE);
    EXPECT_EQ(moving({0, 0, 0}, {8, 8, 2}, big, 0, 0, 0, host.data()), CL_INVALID_VALUE);
  }
}

TEST_F(RectErrors, EveryCommand) {
  const auto buffer = make_buffer(context_, kBytes);
  const Triple zero{0, 0, 0};
  {
    SCOPED_TRACE("clEnqueueReadBufferRect");
    expect_errors([&](Triple origin, Triple region, size_t row, size_t slice, size_t host_row,
                      size_t host_slice, char* host) {
      return clEnqueueReadBufferRect(queue_, buffer, CL_TRUE, origin.data(), zero.data(),
                                     region.data(), row, slice, host_row, host_slice, host, 0,
                                     nullptr, nullptr);
    });
  }
  {
    SCOPED_TRACE("clEnqueueWriteBufferRect");
    expect_errors([&](Triple origin, Triple region, size_t row, size_t slice, size_t host_row,
                      size_t host_slice, char* host) {
      return clEnqueueWriteBufferRect(queue_, buffer, CL_TRUE, origin.data(), zero.data(),
                                      region.data(), row, slice, host_row, host_slice, host, 0,
                                      nullptr, nullptr);
    });
  }
  // A copy's two sides are buffers; the null pointer stands for null origins.
  const auto other = make_buffer(context_, kBytes);
  SCOPED_TRACE("clEnqueueCopyBufferRect");
  expect_errors([&](Triple origin, Triple region, size_t row, size_t slice, size_t other_row,
                    size_t other_slice, char* host) {
    return clEnqueueCopyBufferRect(queue_, buffer, other, host ? origin.data() : nullptr,
                                   zero.data(), region.data(), row, slice, other_row, other_slice,
                                   0, nullptr, nullptr);
  });
  expect_errors([&](Triple origin, Triple region, size_t row, size_t slice, size_t other_row,
                    size_t other_slice, char* host) {
    return clEnqueueCopyBufferRect(queue_, other, buffer, zero.data(),
                                   host ? origin.data() : nullptr, region.data(), other_row,
                                   other_slice, row, slice, 0, nullptr, nullptr);
  });
}

TEST_F(RectTest, HostAccessFlags) {
  const Triple zero{0, 0, 0}, region{8, 2, 1};
  char host[16] = {};
  const auto expect = [&](cl_mem_flags flags, cl_int read, cl_int write) {
    const auto buffer = make_buffer(context_, kBytes, nullptr, flags);
    EXPECT_EQ(clEnqueueReadBufferRect(queue_, buffer, CL_TRUE, zero.data(), zero.data(),
                                      region.data(), 0, 0, 0, 0, host, 0, nullptr, nullptr),
              read);
    EXPECT_EQ(clEnqueueWriteBufferRect(queue_, buffer, CL_TRUE, zero.data(), zero.data(),
                                       region.data(), 0, 0, 0, 0, host, 0, nullptr, nullptr),
              write);
  };
  expect(CL_MEM_HOST_NO_ACCESS, CL_INVALID_OPERATION, CL_INVALID_OPERATION);
  expect(CL_MEM_HOST_READ_ONLY, CL_SUCCESS, CL_INVALID_OPERATION);
  expect(CL_MEM_HOST_WRITE_ONLY, CL_INVALID_OPERATION, CL_SUCCESS);
}

class MapTest : public ApiTest {};

TEST_F(MapTest, WriteThenKernelThenRead) {
  const auto buffer =
      make_buffer(context_, 4096, nullptr, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR);
  const auto program =
      build(context_, "kernel void k(global int* x) { x[get_global_id(0)] *= 3; }");
  const auto kernel = make_kernel(program, "k");
  set_args(kernel, buffer);
  cl_int status = 1;
  auto* values = static_cast<cl_int*>(clEnqueueMapBuffer(queue_, buffer, CL_TRUE,
                                                         CL_MAP_WRITE_INVALIDATE_REGION, 0, 4096, 0,
                                                         nullptr, nullptr, &status));
  ASSERT_EQ(status, CL_SUCCESS);
  std::iota(values, values + 1024, 0);
  Event unmapped, ran, mapped;
  ASSERT_EQ(clEnqueueUnmapMemObject(queue_, buffer, values, 0, nullptr, unmapped.out()),
            CL_SUCCESS);
  ASSERT_EQ(enqueue(queue_, kernel, {{1024}, {}, {}}, ran.out(), {unmapped}), CL_SUCCESS);
  values = static_cast<cl_int*>(clEnqueueMapBuffer(queue_, buffer, CL_FALSE, CL_MAP_READ, 400, 40,
                                                   1, ran.address(), mapped.out(), &status));
  ASSERT_EQ(status, CL_SUCCESS);
  ASSERT_EQ(clWaitForEvents(1, mapped.address()), CL_SUCCESS);
  for (int i = 0; i != 10; ++i)
    EXPECT_EQ(values[i], (100 + i) * 3);
  cl_command_type type = 0;
  ASSERT_EQ(clGetEventInfo(mapped, CL_EVENT_COMMAND_TYPE, sizeof type, &type, nullptr), CL_SUCCESS);
  EXPECT_EQ(type, cl_command_type{CL_COMMAND_MAP_BUFFER});
  ASSERT_EQ(clEnqueueUnmapMemObject(queue_, buffer, values, 0, nullptr, nullptr), CL_SUCCESS);
  ASSERT_EQ(clFinish(queue_), CL_SUCCESS);
}

TEST_F(MapTest, Count) {
  const auto buffer = make_buffer(context_, 4096);
  const auto count = [&] {
    cl_uint value = 99;
    EXPECT_EQ(clGetMemObjectInfo(buffer, CL_MEM_MAP_COUNT, sizeof value, &value, nullptr),
              CL_SUCCESS);
    return value;
  };
  EXPECT_EQ(count(), 0u);
  cl_int status = 1;
  void* first =
      clEnqueueMapBuffer(queue_, buffer, CL_TRUE, CL_MAP_READ, 0, 64, 0, nullptr, nullptr, &status);
  ASSERT_EQ(status, CL_SUCCESS);
  void* second = clEnqueueMapBuffer(queue_, buffer, CL_TRUE, CL_MAP_READ, 0, 128, 0, nullptr,
                                    nullptr, &status);
  ASSERT_EQ(status, CL_SUCCESS);
  EXPECT_EQ(count(), 2u);
  ASSERT_EQ(clEnqueueUnmapMemObject(queue_, buffer, first, 0, nullptr, nullptr), CL_SUCCESS);
  ASSERT_EQ(clFinish(queue_), CL_SUCCESS);
  EXPECT_EQ(count(), 1u);
  ASSERT_EQ(clEnqueueUnmapMemObject(queue_, buffer, second, 0, nullptr, nullptr), CL_SUCCESS);
  ASSERT_EQ(clFinish(queue_), CL_SUCCESS);
  EXPECT_EQ(count(), 0u);
}

TEST_F(MapTest, Errors) {
  const auto buffer = make_buffer(context_, 4096);
  const auto mapping = [&](cl_map_flags flags, size_t offset, size_t size) {
    cl_int status = 1;
    void* p = clEnqueueMapBuffer(queue_, buffer, CL_TRUE, flags, offset, size, 0, nullptr, nullptr,
                                 &status);
    EXPECT_EQ(p != nullptr, status == CL_SUCCESS);
    return status;
  };
  EXPECT_EQ(mapping(CL_MAP_READ, 0, 0), CL_INVALID_VALUE);
  EXPECT_EQ(mapping(CL_MAP_READ, 0, 4097), CL_INVALID_VALUE);
  EXPECT_EQ(mapping(CL_MAP_READ, 4096, 1), CL_INVALID_VALUE);
  for (const size_t big : {kHuge, kHuge - 63, kHuge / 2 + 1}) {
    EXPECT_EQ(mapping(CL_MAP_READ, big, 64), CL_INVALID_VALUE);
    EXPECT_EQ(mapping(CL_MAP_READ, 64, big), CL_INVALID_VALUE);
  }
  EXPECT_EQ(mapping(cl_map_flags{1} << 40, 0, 64), CL_INVALID_VALUE);
  EXPECT_EQ(mapping(CL_MAP_READ | CL_MAP_WRITE_INVALIDATE_REGION, 0, 64), CL_INVALID_VALUE);
  EXPECT_EQ(mapping(CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION, 0, 64), CL_INVALID_VALUE);
  int local = 0;
  EXPECT_EQ(clEnqueueUnmapMemObject(queue_, buffer, &local, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueUnmapMemObject(queue_, buffer, nullptr, 0, nullptr, nullptr),
            CL_INVALID_VALUE);
}

TEST_F(MapTest, SubBuffer) {
  const auto align = info<cl_uint>(device(), CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8;
  std::vector<unsigned char> bytes(align * 4);
  std::iota(bytes.begin(), bytes.end(), 0);
  const auto parent = make_buffer(context_, bytes.size(), bytes.data());
  cl_int status = 1;
  const cl_buffer_region region{align, align * 2};
  Buffer sub(clCreateSubBuffer(parent, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &status));
  ASSERT_EQ(status, CL_SUCCESS);
  auto* p = static_cast<unsigned char*>(clEnqueueMapBuffer(
      queue_, sub, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 8, 16, 0, nullptr, nullptr, &status));
  ASSERT_EQ(status, CL_SUCCESS);
  EXPECT_EQ(*p, bytes[align + 8]);
  *p = 77;
  ASSERT_EQ(clEnqueueUnmapMemObject(queue_, sub, p, 0, nullptr, nullptr), CL_SUCCESS);
  bytes[align + 8] = 77;
  EXPECT_EQ(read<unsigned char>(queue_, parent, bytes.size()), bytes);
}

} // namespace
} // namespace heddle::test
