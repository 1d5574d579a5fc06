// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "block.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace heat {
namespace {

// Every cell's new value is made by the same operations in the same order, whichever kernel
// computes it, so that the result does not depend on how the grid is cut.
const char* kSource = R"(
#pragma OPENCL FP_CONTRACT OFF
#define AT(x, y, z) (((size_t)(z) * ny + (y)) * nx + (x))

float next(float c, float xl, float xh, float yl, float yh, float zl, float zh) {
  return c + 0.125f * (((xl + xh) + (yl + yh)) + ((zl + zh) - 6.0f * c));
}

#define FACES global float *xl, global float *xh, global float *yl, global float *yh, global float *zl, global float *zh
#define HALOS const global float *hxl, const global float *hxh, const global float *hyl, const global float *hyh, \
              const global float *hzl, const global float *hzh

void keep_face(int x, int y, int z, int nx, int ny, int nz, float value, FACES) {
  if (x == 0) xl[z * ny + y] = value;
  if (x == nx - 1) xh[z * ny + y] = value;
  if (y == 0) yl[z * nx + x] = value;
  if (y == ny - 1) yh[z * nx + x] = value;
  if (z == 0) zl[y * nx + x] = value;
  if (z == nz - 1) zh[y * nx + x] = value;
}

kernel void first(global float* to, int nx, int ny, int nz, ulong x0, ulong y0, ulong z0, FACES) {
  const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  const ulong mixed = (x0 + x) * 7 + (y0 + y) * 13 + (z0 + z) * 29;
  const float value = (float)(mixed % 97) * 0.0078125f;
  to[AT(x, y, z)] = value;
  keep_face(x, y, z, nx, ny, nz, value, xl, xh, yl, yh, zl, zh);
}

kernel void outer(const global float* from, global float* to, int nx, int ny, int nz, HALOS, FACES) {
  const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  const float value = next(from[AT(x, y, z)],
      x > 0 ? from[AT(x - 1, y, z)] : hxl[z * ny + y], x < nx - 1 ? from[AT(x + 1, y, z)] : hxh[z * ny + y],
      y > 0 ? from[AT(x, y - 1, z)] : hyl[z * nx + x], y < ny - 1 ? from[AT(x, y + 1, z)] : hyh[z * nx + x],
      z > 0 ? from[AT(x, y, z - 1)] : hzl[y * nx + x], z < nz - 1 ? from[AT(x, y, z + 1)] : hzh[y * nx + x]);
  to[AT(x, y, z)] = value;
  keep_face(x, y, z, nx, ny, nz, value, xl, xh, yl, yh, zl, zh);
}

kernel void inner(const global float* restrict from, global float* restrict to, int nx, int ny, int nz) {
  const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  to[AT(x, y, z)] = next(from[AT(x, y, z)], from[AT(x - 1, y, z)], from[AT(x + 1, y, z)], from[AT(x, y - 1, z)],
                         from[AT(x, y + 1, z)], from[AT(x, y, z - 1)], from[AT(x, y, z + 1)]);
}
)";

void check(cl_int error, const char* what) {
  if (error == CL_SUCCESS)
    return;
  std::fprintf(stderr, "heat_mpi: %s: error %d\n", what, error);
  std::exit(1);
}

cl_kernel make_kernel(cl_program program, const char* name) {
  cl_int error;
  auto* kernel = clCreateKernel(program, name, &error);
  check(error, name);
  return kernel;
}

template <class T>
void set(cl_kernel kernel, cl_uint& index, const T& value) {
  check(clSetKernelArg(kernel, index++, sizeof value, &value), "an argument");
}

template <class List>
void set_all(cl_kernel kernel, cl_uint& index, const List& list) {
  for (const auto& value : list)
    set(kernel, index, value);
}

void release(std::vector<cl_event>& events) {
  for (auto* event : events)
    clReleaseEvent(event);
  events.clear();
}

double seconds(cl_event event, cl_profiling_info what) {
  cl_ulong nanoseconds = 0;
  check(clGetEventProfilingInfo(event, what, sizeof nanoseconds, &nanoseconds, nullptr), "a time");
  return static_cast<double>(nanoseconds) * 1e-9;
}

cl_program build(cl_context context, cl_device_id device) {
  cl_int error;
  auto* program = clCreateProgramWithSource(context, 1, &kSource, nullptr, &error);
  check(error, "the program");
  if (clBuildProgram(program, 1, &device, "", nullptr, nullptr) == CL_SUCCESS)
    return program;
  std::size_t size = 0;
  clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size);
  std::string log(size, '\0');
  clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, size, log.data(), nullptr);
  std::fprintf(stderr, "heat_mpi: the kernels do not build:\n%s\n", log.c_str());
  std::exit(1);
}

} // namespace

std::size_t cells_of_side(const Size& size, int side) {
  const int axis = side / 2;
  return size[axis == 0 ? 1 : 0] * size[axis == 2 ? 1 : 2];
}

Block::Block(const Size& size, const Size& origin, const std::array<float*, kSides>& faces,
             const std::array<float*, kSides>& halos)
    : size_(size), origin_(origin) {
  cl_platform_id platform;
  cl_device_id device;
  cl_int error;
  check(clGetPlatformIDs(1, &platform, nullptr), "no platform");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr), "no device");
  context_ = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
  check(error, "the context");
  queue_ = clCreateCommandQueue(
      context_, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE, &error);
  check(error, "the queue");
  program_ = build(context_, device);
  first_ = make_kernel(program_, "first");
  outer_ = make_kernel(program_, "outer");
  inner_ = make_kernel(program_, "inner");
  const auto make_buffer = [&](cl_mem_flags flags, std::size_t cells, void* host) {
    auto* buffer = clCreateBuffer(context_, flags, cells * sizeof(float), host, &error);
    check(error, "a buffer");
    return buffer;
  };
  for (auto& grid : grids_)
    grid = make_buffer(CL_MEM_READ_WRITE, size[0] * size[1] * size[2], nullptr);
  for (int side = 0; side < kSides; ++side) {
    const auto cells = cells_of_side(size, side);
    faces_[side] = make_buffer(CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, cells, faces[side]);
    halos_[side] = make_buffer(CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, cells, halos[side]);
  }
}

Block::~Block() {
  clFinish(queue_);
  for (auto* list : {&ready_, &outer_done_, &inner_done_})
    release(*list);
  for (auto* kernel : {first_, outer_, inner_})
    clReleaseKernel(kernel);
  clReleaseProgram(program_);
  for (auto* buffer : grids_)
    clReleaseMemObject(buffer);
  for (const auto& list : {faces_, halos_})
    for (auto* buffer : list)
      clReleaseMemObject(buffer);
  clReleaseCommandQueue(queue_);
  clReleaseContext(context_);
}

void Block::enqueue(cl_kernel kernel, const Size& offset, const Size& range,
                    const std::vector<cl_event>& after, std::vector<cl_event>& done) {
  if (std::find(range.begin(), range.end(), std::size_t{0}) != range.end())
    return;
  cl_event event;
  check(clEnqueueNDRangeKernel(queue_, kernel, 3, offset.data(), range.data(), nullptr,
                               static_cast<cl_uint>(after.size()),
                               after.empty() ? nullptr : after.data(), &event),
        "a kernel");
  done.push_back(event);
}

void Block::map_for_host(const std::vector<cl_event>& after) {
  std::vector<cl_event> events;
  for (int i = 0; i < 2 * kSides; ++i) {
    const bool is_face = i < kSides;
    cl_event event;
    cl_int error;
    mapped_[i] =
        clEnqueueMapBuffer(queue_, is_face ? faces_[i] : halos_[i - kSides], CL_FALSE,
                           is_face ? CL_MAP_READ : CL_MAP_READ | CL_MAP_WRITE, 0,
                           cells_of_side(size_, i % kSides) * sizeof(float),
                           static_cast<cl_uint>(after.size()), after.data(), &event, &error);
    check(error, "mapping a side");
    events.push_back(event);
  }
  check(clFlush(queue_), "a flush");
  check(clWaitForEvents(static_cast<cl_uint>(events.size()), events.data()), "the sides");
  release(events);
}

void Block::give_to_device() {
  for (int i = 0; i < 2 * kSides; ++i) {
    cl_event event;
    check(clEnqueueUnmapMemObject(queue_, i < kSides ? faces_[i] : halos_[i - kSides], mapped_[i],
                                  0, nullptr, &event),
          "unmapping a side");
    ready_.push_back(event);
    mapped_[i] = nullptr;
  }
}

void Block::start() {
  cl_uint index = 0;
  set(first_, index, grids_[0]);
  for (const auto size : size_)
    set(first_, index, static_cast<cl_int>(size));
  for (const auto place : origin_)
    set(first_, index, static_cast<cl_ulong>(place));
  set_all(first_, index, faces_);
  enqueue(first_, {0, 0, 0}, size_, {}, inner_done_);
  map_for_host(inner_done_);
}

void Block::begin_step() {
  const auto [nx, ny, nz] = size_;
  give_to_device();
  auto after_inner =
      inner_done_; // of the step before: reads what this one writes, and made what this one reads
  after_inner.insert(after_inner.end(), outer_done_.begin(), outer_done_.end());
  auto after_all = after_inner;
  after_all.insert(after_all.end(), ready_.begin(), ready_.end());

  cl_uint index = 0;
  set_all(outer_, index, grids_);
  for (const auto size : size_)
    set(outer_, index, static_cast<cl_int>(size));
  set_all(outer_, index, halos_);
  set_all(outer_, index, faces_);
  std::vector<cl_event> outer, inner;
  for (const std::size_t side : {0, 1}) {
    enqueue(outer_, {0, 0, side * (nz - 1)}, {nx, ny, 1}, after_all, outer);
    enqueue(outer_, {0, side * (ny - 1), 1}, {nx, 1, nz - 2}, after_all, outer);
    enqueue(outer_, {side * (nx - 1), 1, 1}, {1, ny - 2, nz - 2}, after_all, outer);
  }
  index = 0;
  set_all(inner_, index, grids_);
  for (const auto size : size_)
    set(inner_, index, static_cast<cl_int>(size));
  // After the outer cells, so that these, which the neighbors wait for, do not share the processors
  // with it.
  auto after_outer = after_inner;
  after_outer.insert(after_outer.end(), outer.begin(), outer.end());
  enqueue(inner_, {1, 1, 1}, {nx - 2, ny - 2, nz - 2}, after_outer, inner);

  for (auto* list : {&ready_, &outer_done_, &inner_done_})
    release(*list);
  outer_done_ = std::move(outer);
  inner_done_ = std::move(inner);
  std::swap(grids_[0], grids_[1]);
  map_for_host(outer_done_);
}

void Block::wait_for_inner() {
  if (!inner_done_.empty())
    check(clWaitForEvents(static_cast<cl_uint>(inner_done_.size()), inner_done_.data()),
          "the inner cells");
}

StepTimes Block::last_times() const {
  StepTimes times;
  double start = 1e300, end = 0;
  for (const auto* list : {&outer_done_, &inner_done_})
    for (auto* event : *list) {
      const double from = seconds(event, CL_PROFILING_COMMAND_START),
                   to = seconds(event, CL_PROFILING_COMMAND_END);
      (list == &outer_done_ ? times.boundary : times.inner) += to - from;
      start = std::min(start, from);
      end = std::max(end, to);
    }
  times.span = std::max(0.0, end - start);
  return times;
}

std::vector<float> Block::cells() {
  std::vector<float> cells(size_[0] * size_[1] * size_[2]);
  auto after = outer_done_;
  after.insert(after.end(), inner_done_.begin(), inner_done_.end());
  check(clEnqueueReadBuffer(queue_, grids_[0], CL_TRUE, 0, cells.size() * sizeof(float),
                            cells.data(), static_cast<cl_uint>(after.size()),
                            after.empty() ? nullptr : after.data(), nullptr),
        "reading the cells");
  return cells;
}

} // namespace heat
