// How fast async copies are: one work-group copies tile after tile between global and local memory,
// waiting for each, on the driver under test; or the same by hand on one thread.
//
//   copy_bench [--lines] [--small] [--filter TEXT]
//
// HEDDLE_BENCH_BY_HAND=1 measures the code by hand (a variable, so that compare_drivers can set
// it). Times are nanoseconds a KiB copied.

#include "tests/api/support.h"
#include "tests/bench/copies/contents.h"
#include "tests/bench/copies/shapes.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

namespace {

using namespace heddle::test;
using heddle::bench::Bytes;
using heddle::bench::CopyShape;
using heddle::bench::kLocalBytes;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kGroup = 64;

// Local memory is written first: what never was is, on Linux, one page of zeros at many addresses,
// and a smaller source than any other.
const std::string kSource = R"(
  kernel void copy(global uchar* memory, local uchar* tile, uint tiles, uint tile_step, uint rounds,
                   global ulong* contents) {
    event_t event = async_work_group_copy((local ulong*)tile, contents, LOCAL_BYTES / 8, 0);
    wait_group_events(1, &event);
    for (uint round = 0; round < rounds; ++round)
      for (uint t = 0; t < tiles; ++t) {
        global uchar* at = memory + (size_t)t * tile_step;
        event = COPY;
        wait_group_events(1, &event);
      }
    event = async_work_group_copy(contents, (local ulong*)tile, LOCAL_BYTES / 8, 0);
    wait_group_events(1, &event);
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

class Driver {
 public:
  void prepare(const CopyShape& shape) {
    const auto options = "-cl-std=CL3.0 -DLOCAL_BYTES=" + std::to_string(kLocalBytes);
    const auto program = build(context_, "#define COPY " + call(shape) + kSource, options.c_str());
    kernel_ = make_kernel(program, "copy");
    auto global = heddle::bench::initial_global(shape), local = heddle::bench::initial_local();
    if (size_ != shape.span) {
      memory_.reset();
      memory_ = make_buffer(context_, shape.span);
      size_ = shape.span;
    }
    write(memory_, global);
    write(contents_, local);
  }

  // Of one launch of `rounds` rounds over all tiles.
  double seconds(const CopyShape& shape, std::size_t rounds) {
    set_args(kernel_, memory_, Local{kLocalBytes}, cl_uint(shape.tiles()),
             cl_uint(shape.tile_step()), cl_uint(rounds), contents_);
    check(clFinish(queue_), "finish");
    const auto start = Clock::now();
    check(
        clEnqueueNDRangeKernel(queue_, kernel_, 1, nullptr, &kGroup, &kGroup, 0, nullptr, nullptr),
        "launch");
    check(clFinish(queue_), "finish");
    return std::chrono::duration<double>(Clock::now() - start).count();
  }

  void check_results(const CopyShape& shape) {
    const auto global = read(memory_, shape.span), local = read(contents_, kLocalBytes);
    heddle::bench::check_contents(shape, global.data(), local.data());
  }

 private:
  void write(const Buffer& buffer, const Bytes& bytes) {
    check(clEnqueueWriteBuffer(queue_, buffer, CL_TRUE, 0, bytes.size(), bytes.data(), 0, nullptr,
                               nullptr),
          "write");
  }
  Bytes read(const Buffer& buffer, std::size_t size) {
    Bytes bytes(size);
    check(clEnqueueReadBuffer(queue_, buffer, CL_TRUE, 0, size, bytes.data(), 0, nullptr, nullptr),
          "read");
    return bytes;
  }

  Context context_ = make_context();
  Queue queue_ = make_queue(context_);
  Buffer memory_, contents_ = make_buffer(context_, kLocalBytes);
  std::size_t size_ = 0;
  Kernel kernel_;
};

// A filter of nine taps over a long row, from global memory and from tiles of which the next is on
// its way while one is worked on.
const char* const kTileSource = R"(
  #define TILE 2048
  float taps(const float* p) {
    return p[0] + p[8] + 8 * (p[1] + p[7]) + 28 * (p[2] + p[6]) + 56 * (p[3] + p[5]) + 70 * p[4];
  }
  kernel void plain(const global float* from, global float* to, uint tiles) {
    for (uint t = 0; t < tiles; ++t) {
      const size_t at = (get_group_id(0) * (size_t)tiles + t) * TILE;
      for (uint i = get_local_id(0); i < TILE; i += get_local_size(0))
        to[at + i] = taps(from + at + i);
    }
  }
  kernel void tiled(const global float* from, global float* to, uint tiles) {
    local float tile[2][TILE + 8];
    const size_t first = get_group_id(0) * (size_t)tiles * TILE;
    event_t coming = async_work_group_copy(tile[0], from + first, TILE + 8, 0);
    for (uint t = 0; t < tiles; ++t) {
      wait_group_events(1, &coming);
      const size_t at = first + t * TILE;
      if (t + 1 < tiles)
        coming = async_work_group_copy(tile[(t + 1) % 2], from + at + TILE, TILE + 8, 0);
      for (uint i = get_local_id(0); i < TILE; i += get_local_size(0))
        to[at + i] = taps(tile[t % 2] + i);
    }
  })";

void measure_tile_kernels(int repeats, bool lines) {
  constexpr std::size_t kTiles = 32, kTile = 2048;
  const Context context = make_context();
  const Queue queue = make_queue(context);
  const auto program = build(context, kTileSource, "-cl-std=CL3.0");
  for (const std::size_t groups : {4, 256}) {
    const auto bytes = groups * kTiles * kTile * 4;
    const std::vector<float> row(groups * kTiles * kTile + 8, 1);
    const auto from =
        make_buffer(context, row.size() * 4, row.data(), CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR);
    const auto to = make_buffer(context, bytes);
    const char* const names[] = {"plain", "tiled"};
    double best[2] = {1e9, 1e9};
    for (int repeat = 0; repeat <= repeats; ++repeat)
      for (int which = 0; which < 2; ++which) {
        const auto kernel = make_kernel(program, names[which]);
        const cl_uint tiles = kTiles;
        check(clSetKernelArg(kernel, 0, sizeof(cl_mem), from.address()), "argument");
        check(clSetKernelArg(kernel, 1, sizeof(cl_mem), to.address()), "argument");
        check(clSetKernelArg(kernel, 2, sizeof tiles, &tiles), "argument");
        const std::size_t global = groups * kGroup;
        const auto start = Clock::now();
        check(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, &kGroup, 0, nullptr,
                                     nullptr),
              "launch");
        check(clFinish(queue), "finish");
        if (repeat != 0) // the first one warms up
          best[which] =
              std::min(best[which], std::chrono::duration<double>(Clock::now() - start).count());
      }
    for (int which = 0; which < 2; ++which) {
      const auto name = std::string("filter of ") + (groups == 4 ? "1" : "64") + " MiB, " +
                        (which == 0 ? "plain loads" : "double-buffered tiles");
      const auto time = best[which] * 1e9 / double(bytes) * 1024;
      if (lines)
        std::printf("%s\t%.4f\n", name.c_str(), time);
      else
        std::printf("%-48s %9.2f ns a KiB %8.1f GB/s\n", name.c_str(), time, 1024 / time);
    }
  }
}

class Hand {
 public:
  void prepare(const CopyShape& shape) {
    memory_ = heddle::bench::initial_global(shape);
    const auto local = heddle::bench::initial_local();
    std::copy(local.begin(), local.end(), local_);
  }
  double seconds(const CopyShape& shape, std::size_t rounds) {
    return heddle::bench::seconds_by_hand(shape, memory_.data(), local_, rounds);
  }
  void check_results(const CopyShape& shape) {
    heddle::bench::check_contents(shape, memory_.data(), local_);
  }

 private:
  Bytes memory_;
  alignas(64) unsigned char local_[kLocalBytes] = {};
};

template <class Side>
void measure(Side& side, const CopyShape& shape, double least_seconds, int repeats, bool lines) {
  double time = 0;
  std::size_t rounds = 1;
  try {
    side.prepare(shape);
    time = side.seconds(shape, rounds);
    for (time = side.seconds(shape, rounds); time >= 0 && time < least_seconds;
         time = side.seconds(shape, rounds))
      rounds = std::max(rounds * 2, std::size_t(double(rounds) * least_seconds / time));
  } catch (const std::exception&) { // an extension that is not there
    std::fprintf(stderr, "%s: does not build here\n", shape.name().c_str());
    return;
  }
  std::vector<double> times{time};
  while (int(times.size()) < repeats)
    times.push_back(side.seconds(shape, rounds));
  side.check_results(shape);
  const auto best = *std::min_element(times.begin(), times.end());
  const auto bytes = double(shape.tile_bytes()) * double(shape.tiles()) * double(rounds);
  if (lines)
    std::printf("%s\t%.4f\n", shape.name().c_str(), best * 1e9 / bytes * 1024);
  else
    std::printf("%-48s %9.2f ns a KiB %8.1f GB/s\n", shape.name().c_str(),
                best * 1e9 / bytes * 1024, bytes / best / 1e9);
  std::fflush(stdout);
}

} // namespace

int main(int count, char** arguments) {
  bool lines = false, small = false;
  std::string filter;
  for (int i = 1; i < count; ++i) {
    if (std::strcmp(arguments[i], "--lines") == 0)
      lines = true;
    else if (std::strcmp(arguments[i], "--small") == 0)
      small = true;
    else if (std::strcmp(arguments[i], "--filter") == 0 && i + 1 < count)
      filter = arguments[++i];
    else
      return 2;
  }
  const bool by_hand = std::getenv("HEDDLE_BENCH_BY_HAND") != nullptr;
  try {
    Hand hand;
    Driver driver;
    for (auto shape : heddle::bench::copy_shapes()) {
      if (shape.name().find(filter) == std::string::npos)
        continue;
      if (small)
        shape.span = std::min<std::size_t>(shape.span, 512 << 10);
      const double least = small ? 0 : 0.001;
      if (by_hand)
        measure(hand, shape, least, small ? 1 : 25, lines);
      else
        measure(driver, shape, least, small ? 1 : 25, lines);
    }
    if (!by_hand && std::string("filter").find(filter) != std::string::npos)
      measure_tile_kernels(small ? 1 : 25, lines);
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "%s\n", failure.what());
    return 1;
  }
  return 0;
}
