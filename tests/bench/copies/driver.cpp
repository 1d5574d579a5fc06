// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/bench/copies/driver.h"

#include <chrono>
#include <string>

namespace heddle::bench {
namespace {

using test::check;

constexpr std::size_t kGroup = 64;

// Local memory is written first: on Linux, unwritten memory is a single page of zeros mapped at
// many addresses, which is cached unlike any other source.
constexpr const char* kSource = R"(
  kernel void copy(global uchar* memory, local uchar* tile, uint tiles, uint tile_step, uint rounds,
                   global ulong* contents) {
    event_t event;
    local ulong* all = (local ulong*)tile;
  #ifdef BY_ITEMS
    for (uint i = get_local_id(0); i < LOCAL_BYTES / 8; i += get_local_size(0))
      all[i] = contents[i];
    barrier(CLK_LOCAL_MEM_FENCE);
  #else
    event = async_work_group_copy(all, contents, LOCAL_BYTES / 8, 0);
    wait_group_events(1, &event);
  #endif
    for (uint round = 0; round < rounds; ++round)
      for (uint t = 0; t < tiles; ++t) {
        global uchar* at = memory + (size_t)t * tile_step;
        event = COPY;
        wait_group_events(1, &event);
      }
  #ifdef BY_ITEMS
    for (uint i = get_local_id(0); i < LOCAL_BYTES / 8; i += get_local_size(0))
      contents[i] = all[i];
  #else
    event = async_work_group_copy(contents, all, LOCAL_BYTES / 8, 0);
    wait_group_events(1, &event);
  #endif
  })";

std::string call(const CopyShape& shape) {
  const char* types[] = {"uchar", "ushort", "uint", "ulong", "ulong2"};
  const auto n = [](std::size_t value) { return std::to_string(value); };
  const std::string to = shape.to_local ? "tile" : "at", from = shape.to_local ? "at" : "tile";
  const auto typed = [&](std::size_t element) {
    std::size_t log = 0;
    while ((std::size_t{1} << log) < element)
      ++log;
    const std::string type = types[log];
    return "((" + std::string(shape.to_local ? "local " : "global ") + type + "*)" + to + ",(" +
           (shape.to_local ? "global " : "local ") + type + "*)" + from + ",";
  };
  const auto each = shape.element, packed = shape.bytes / each, apart = shape.step / each;
  const auto from_line = shape.to_local ? apart : packed, to_line = shape.to_local ? packed : apart;
  switch (shape.call) {
  case CopyShape::Call::contiguous:
    return "async_work_group_copy" + typed(each) + n(packed) + ",0)";
  case CopyShape::Call::strided:
    return "async_work_group_strided_copy" + typed(each) + n(shape.lines) + "," + n(apart) + ",0)";
  case CopyShape::Call::lines:
    return "async_work_group_copy_2D2D(" + to + ",0," + from + ",0," + n(each) + "," + n(packed) +
           "," + n(shape.lines) + "," + n(from_line) + "," + n(to_line) + ",0)";
  case CopyShape::Call::planes: {
    const auto near = packed * shape.plane_lines, far = shape.plane_step / each;
    return "async_work_group_copy_3D3D(" + to + ",0," + from + ",0," + n(each) + "," + n(packed) +
           "," + n(shape.plane_lines) + "," + n(shape.planes()) + "," + n(from_line) + "," +
           n(shape.to_local ? far : near) + "," + n(to_line) + "," +
           n(shape.to_local ? near : far) + ",0)";
  }
  }
  return "";
}

void write(const test::Queue& queue, const test::Buffer& buffer, const Bytes& bytes) {
  check(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, bytes.size(), bytes.data(), 0, nullptr,
                             nullptr),
        "write");
}

Bytes read(const test::Queue& queue, const test::Buffer& buffer, std::size_t size) {
  Bytes bytes(size);
  check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, size, bytes.data(), 0, nullptr, nullptr),
        "read");
  return bytes;
}

} // namespace

Driver::Driver(cl_device_id device, bool by_items)
    : options_("-cl-std=CL3.0 -DLOCAL_BYTES=" + std::to_string(kLocalBytes) +
               (by_items ? " -DBY_ITEMS" : "")) {
  cl_int status = CL_SUCCESS;
  *context_.out() = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &status);
  check(status, "clCreateContext");
  *queue_.out() = clCreateCommandQueue(context_, device, 0, &status);
  check(status, "clCreateCommandQueue");
  contents_ = test::make_buffer(context_, kLocalBytes);
}

void Driver::prepare(const CopyShape& shape, unsigned char* global) {
  const auto program =
      test::build(context_, "#define COPY " + call(shape) + kSource, options_.c_str());
  kernel_ = test::make_kernel(program, "copy");
  memory_.reset();
  memory_ = global != nullptr ? test::make_buffer(context_, shape.span, global,
                                                  CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR)
                              : test::make_buffer(context_, shape.span);
  write(queue_, memory_, initial_global(shape));
  write(queue_, contents_, initial_local());
}

double Driver::seconds(const CopyShape& shape, std::size_t rounds) {
  test::set_args(kernel_, memory_, test::Local{kLocalBytes}, cl_uint(shape.tiles()),
                 cl_uint(shape.tile_step()), cl_uint(rounds), contents_);
  check(clFinish(queue_), "finish");
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  check(clEnqueueNDRangeKernel(queue_, kernel_, 1, nullptr, &kGroup, &kGroup, 0, nullptr, nullptr),
        "launch");
  check(clFinish(queue_), "finish");
  return std::chrono::duration<double>(Clock::now() - start).count();
}

void Driver::check_results(const CopyShape& shape) {
  const auto global = read(queue_, memory_, shape.span),
             local = read(queue_, contents_, kLocalBytes);
  check_contents(shape, global.data(), local.data());
}

} // namespace heddle::bench
