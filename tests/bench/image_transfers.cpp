// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transfers of whole images beside those of buffers of their size, and memcpy: by one thread, and
// by two. Any driver, through the ICD loader.
//
//   image_transfers_bench [--lines] [--small]    --lines: name<TAB>microseconds, for
//   compare_drivers
#include "tests/api/images.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <functional>
#include <thread>

namespace {

using namespace heddle::test;

bool lines = false, small = false;

// Microseconds of one run: the least of several.
double measure(const std::function<void()>& run) {
  run();
  double best = 1e30;
  for (int round = 0; round != (small ? 1 : 15); ++round) {
    const auto start = std::chrono::steady_clock::now();
    run();
    best = std::min(
        best, std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start)
                  .count());
  }
  return best;
}

void row(const std::string& name, double bytes, const std::function<void()>& run) {
  const auto microseconds = measure(run);
  if (lines)
    std::printf("%s\t%.4f\n", name.c_str(), microseconds);
  else
    std::printf("%-44s %12.1f us %8.2f GB/s\n", name.c_str(), microseconds,
                bytes / microseconds / 1e3);
  std::fflush(stdout);
}

void transfers(size_t side) {
  const auto context = make_context();
  const auto queue = make_queue(context);
  const auto bytes = side * side * 4;
  const auto pixels = std::to_string(side) + " squared: ";
  const auto total = static_cast<double>(bytes);
  std::vector<unsigned char> from(bytes), to(bytes);
  for (size_t i = 0; i != bytes; ++i)
    from[i] = static_cast<unsigned char>(i * 7 + i / 4096);
  const auto d = describe(CL_MEM_OBJECT_IMAGE2D, side, side);
  const auto size = whole(d);
  const auto image = make_image(context, d), other = make_image(context, d);
  const auto buffer = make_buffer(context, bytes), second = make_buffer(context, bytes);
  const auto* origin = kNoOrigin.data();
  const auto finish = [&](cl_int status) {
    check(status, "transfer");
    check(clFinish(queue), "clFinish");
  };
  row(pixels + "memcpy", total, [&] { std::memcpy(to.data(), from.data(), bytes); });
  row(pixels + "memcpy, two threads", total, [&] {
    const auto half = bytes / 2;
    std::thread upper([&] { std::memcpy(&to[half], &from[half], bytes - half); });
    std::memcpy(to.data(), from.data(), half);
    upper.join();
  });
  row(pixels + "write image", total, [&] {
    finish(clEnqueueWriteImage(queue, image, CL_TRUE, origin, size.data(), 0, 0, from.data(), 0,
                               nullptr, nullptr));
  });
  row(pixels + "write buffer", total, [&] {
    finish(
        clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, bytes, from.data(), 0, nullptr, nullptr));
  });
  row(pixels + "copy image", total, [&] {
    finish(
        clEnqueueCopyImage(queue, image, other, origin, origin, size.data(), 0, nullptr, nullptr));
  });
  row(pixels + "copy buffer", total, [&] {
    finish(clEnqueueCopyBuffer(queue, buffer, second, 0, 0, bytes, 0, nullptr, nullptr));
  });
  row(pixels + "copy image to buffer", total, [&] {
    finish(clEnqueueCopyImageToBuffer(queue, other, buffer, origin, size.data(), 0, 0, nullptr,
                                      nullptr));
  });
  row(pixels + "read image", total, [&] {
    finish(clEnqueueReadImage(queue, other, CL_TRUE, origin, size.data(), 0, 0, to.data(), 0,
                              nullptr, nullptr));
  });
  if (to != from)
    throw std::runtime_error("other bytes come back");
  row(pixels + "read buffer", total, [&] {
    finish(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, bytes, to.data(), 0, nullptr, nullptr));
  });
  if (to != from)
    throw std::runtime_error("other bytes come back");
  const cl_float color[4] = {0.25f, 0.5f, 0.75f, 1.0f};
  row(pixels + "fill image", total, [&] {
    finish(clEnqueueFillImage(queue, image, color, origin, size.data(), 0, nullptr, nullptr));
  });
  const cl_uint pattern = 0x04030201;
  row(pixels + "fill buffer", total, [&] {
    finish(clEnqueueFillBuffer(queue, buffer, &pattern, sizeof pattern, 0, bytes, 0, nullptr,
                               nullptr));
  });
}

} // namespace

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    lines |= std::strcmp(argv[i], "--lines") == 0;
    small |= std::strcmp(argv[i], "--small") == 0;
  }
  try {
    for (const size_t side : small ? std::vector<size_t>{64} : std::vector<size_t>{512, 4096})
      transfers(side);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
