// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blurs an image with several passes of a 5x5 binomial stencil. Each work-group processes a strip
// of the image, tile after tile from top to bottom: async 2D copies load the next tile and its halo
// into local memory while the current one is computed, and store the result.
//
//   tiled_stencil PASSES < picture.pgm > blurred.pgm
//
// Images are binary PGM with 8 bits per pixel. Beyond the edges the nearest pixel is used.
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace {

const char* kSource = R"(
#pragma OPENCL EXTENSION cl_khr_extended_async_copies : enable
#define HALO 2
#define PITCH (TILE_X + 2 * HALO)

// The part of an image that a tile needs: the tile and its halo, clipped to the image.
typedef struct { int left, top, right, bottom; } area;
area needed(int x, int y, int width, int height) {
  area a = {max(x - HALO, 0), max(y - HALO, 0), min(x + TILE_X + HALO, width),
            min(y + TILE_Y + HALO, height)};
  return a;
}
event_t fetch(local uchar* tile, const global uchar* picture, area a, int width) {
  return async_work_group_copy_2D2D(tile, 0, picture, (size_t)a.top * width + a.left, 1,
                                    a.right - a.left, a.bottom - a.top, width, PITCH, 0);
}

kernel void blur(const global uchar* from, global uchar* to, int width, int height) {
  local uchar tiles[2][PITCH * (TILE_Y + 2 * HALO)];
  local uchar result[TILE_X * TILE_Y];
  const int weights[5] = {1, 4, 6, 4, 1};
  const int x0 = get_group_id(0) * TILE_X, x = x0 + get_local_id(0);
  event_t coming = fetch(tiles[0], from, needed(x0, 0, width, height), width);
  event_t going = 0;
  for (int y0 = 0, now = 0; y0 < height; y0 += TILE_Y, now = !now) {
    wait_group_events(1, &coming); // all work-items have finished with the other tile
    if (y0 + TILE_Y < height)
      coming = fetch(tiles[!now], from, needed(x0, y0 + TILE_Y, width, height), width);
    if (y0 != 0)
      wait_group_events(1, &going); // `result` may be overwritten

    const area a = needed(x0, y0, width, height);
    for (int y = y0 + get_local_id(1); y < min(y0 + TILE_Y, height); y += get_local_size(1)) {
      int sum = 128;
      for (int dy = -HALO; dy <= HALO; ++dy) {
        const local uchar* row = tiles[now] + (clamp(y + dy, 0, height - 1) - a.top) * PITCH;
        for (int dx = -HALO; dx <= HALO; ++dx)
          sum += weights[dy + HALO] * weights[dx + HALO] * row[clamp(x + dx, 0, width - 1) - a.left];
      }
      result[(y - y0) * TILE_X + x - x0] = sum / 256;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    going = async_work_group_copy_2D2D(to, (size_t)y0 * width + x0, result, 0, 1, min(TILE_X, width - x0),
                                       min(TILE_Y, height - y0), TILE_X, width, 0);
  }
  wait_group_events(1, &going);
}
)";

constexpr size_t kTileX = 128, kTileY = 32,
                 kRows = 4; // work-groups process kRows rows of a tile at a time

void check(cl_int error, const char* what) {
  if (error == CL_SUCCESS)
    return;
  std::fprintf(stderr, "%s: error %d\n", what, error);
  std::exit(1);
}

struct Picture {
  int width = 0, height = 0;
  std::vector<unsigned char> pixels;
};

// "P5", width, height and 255, one white-space character, then the pixels.
bool read_picture(std::istream& in, Picture& picture) {
  std::string magic;
  int most = 0;
  in >> magic >> picture.width >> picture.height >> most;
  in.get();
  if (!in || magic != "P5" || most != 255 || picture.width < 1 || picture.height < 1 ||
      picture.width > 32768 || picture.height > 32768)
    return false;
  picture.pixels.resize(size_t(picture.width) * size_t(picture.height));
  in.read(reinterpret_cast<char*>(picture.pixels.data()), std::streamsize(picture.pixels.size()));
  return bool(in);
}

} // namespace

int main(int argc, char** argv) {
  const int passes = argc == 2 ? std::atoi(argv[1]) : 0;
  Picture picture;
  if (passes < 1 || !read_picture(std::cin, picture)) {
    std::fprintf(stderr, "tiled_stencil PASSES < picture.pgm > blurred.pgm\n");
    return 2;
  }

  cl_platform_id platform;
  cl_device_id device;
  check(clGetPlatformIDs(1, &platform, nullptr), "clGetPlatformIDs");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_DEFAULT, 1, &device, nullptr), "clGetDeviceIDs");
  size_t length = 0;
  check(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, 0, nullptr, &length), "clGetDeviceInfo");
  std::vector<char> extensions(length);
  check(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, length, extensions.data(), nullptr),
        "clGetDeviceInfo");
  if (!std::strstr(extensions.data(), "cl_khr_extended_async_copies")) {
    std::fprintf(stderr, "the device does not support cl_khr_extended_async_copies\n");
    return 77;
  }
  cl_int error;
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
  check(error, "clCreateContext");
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, nullptr, &error);
  check(error, "clCreateCommandQueueWithProperties");
  cl_program program = clCreateProgramWithSource(context, 1, &kSource, nullptr, &error);
  check(error, "clCreateProgramWithSource");
  const auto options = "-DTILE_X=" + std::to_string(kTileX) + " -DTILE_Y=" + std::to_string(kTileY);
  check(clBuildProgram(program, 1, &device, options.c_str(), nullptr, nullptr), "clBuildProgram");
  cl_kernel kernel = clCreateKernel(program, "blur", &error);
  check(error, "clCreateKernel");
  cl_mem from = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                               picture.pixels.size(), picture.pixels.data(), &error);
  check(error, "clCreateBuffer");
  cl_mem to = clCreateBuffer(context, CL_MEM_READ_WRITE, picture.pixels.size(), nullptr, &error);
  check(error, "clCreateBuffer");

  const auto start = std::chrono::steady_clock::now();
  const size_t local[] = {kTileX, kRows};
  const size_t global[] = {(size_t(picture.width) + kTileX - 1) / kTileX * kTileX, kRows};
  for (int pass = 0; pass < passes; ++pass) {
    check(clSetKernelArg(kernel, 0, sizeof from, &from), "clSetKernelArg");
    check(clSetKernelArg(kernel, 1, sizeof to, &to), "clSetKernelArg");
    check(clSetKernelArg(kernel, 2, sizeof picture.width, &picture.width), "clSetKernelArg");
    check(clSetKernelArg(kernel, 3, sizeof picture.height, &picture.height), "clSetKernelArg");
    check(clEnqueueNDRangeKernel(queue, kernel, 2, nullptr, global, local, 0, nullptr, nullptr),
          "clEnqueueNDRangeKernel");
    std::swap(from, to);
  }
  check(clFinish(queue), "clFinish");
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  check(clEnqueueReadBuffer(queue, from, CL_TRUE, 0, picture.pixels.size(), picture.pixels.data(),
                            0, nullptr, nullptr),
        "clEnqueueReadBuffer");
  std::printf("P5\n%d %d\n255\n", picture.width, picture.height);
  std::fwrite(picture.pixels.data(), 1, picture.pixels.size(), stdout);
  std::fprintf(stderr, "%d x %d pixels, %d passes: %.1f ms, %.0f million pixels/s\n", picture.width,
               picture.height, passes, seconds * 1e3,
               double(picture.pixels.size()) * passes / seconds / 1e6);

  clReleaseMemObject(from);
  clReleaseMemObject(to);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  return 0;
}
