// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HEDDLE_CHECK=memory: regions that are mapped for writing do not overlap (OpenCL API 5.2.4, 5.3.6
// and "Accessing Mapped Regions of a Memory Object"). The message names both.
#include "tests/api/api_test.h"

#include <array>
#include <cstdlib>

namespace heddle::test {
namespace {

// Set before the driver reads it.
[[maybe_unused]] const int kChecksAreSet = setenv("HEDDLE_CHECK", "memory", 1);

class MapOverlap : public testing::Test {
 protected:
  static void CL_CALLBACK notify(const char* message, const void*, size_t, void* self) {
    static_cast<MapOverlap*>(self)->message_ = message;
  }
  void* map(cl_mem buffer, cl_map_flags flags, size_t offset, size_t size) {
    message_.clear();
    return clEnqueueMapBuffer(queue_, buffer, CL_TRUE, flags, offset, size, 0, nullptr, nullptr,
                              &status_);
  }
  void* map_image(cl_mem image, cl_map_flags flags, std::array<size_t, 3> origin,
                  std::array<size_t, 3> region) {
    message_.clear();
    size_t row = 0, slice = 0;
    return clEnqueueMapImage(queue_, image, CL_TRUE, flags, origin.data(), region.data(), &row,
                             &slice, 0, nullptr, nullptr, &status_);
  }
  void unmap(cl_mem memory, void* pointer) {
    check(clEnqueueUnmapMemObject(queue_, memory, pointer, 0, nullptr, nullptr), "unmap");
  }
  void expect_right() {
    EXPECT_EQ(status_, CL_SUCCESS);
    EXPECT_EQ(message_, "");
  }
  void expect_wrong(const std::string& region, const std::string& other) {
    EXPECT_EQ(status_, CL_INVALID_OPERATION);
    EXPECT_NE(message_.find("maps " + region + " of "), message_.npos) << message_;
    EXPECT_NE(message_.find("overlaps " + other + " of "), message_.npos) << message_;
  }

  std::string message_;
  cl_int status_ = 0;
  Context context_ = make_context(notify, this);
  Queue queue_ = make_queue(context_);
};

TEST_F(MapOverlap, Buffer) {
  const auto buffer = make_buffer(context_, 1024);
  auto* first = map(buffer, CL_MAP_WRITE, 128, 128);
  expect_right();
  for (const auto flags :
       {CL_MAP_WRITE, CL_MAP_READ | CL_MAP_WRITE, CL_MAP_WRITE_INVALIDATE_REGION}) {
    EXPECT_EQ(map(buffer, flags, 0, 129), nullptr);
    expect_wrong("bytes 0 to 128", "bytes 128 to 255");
    EXPECT_EQ(map(buffer, flags, 255, 1), nullptr);
    expect_wrong("bytes 255 to 255", "bytes 128 to 255");
  }
  // Beside it, and for reading.
  auto* before = map(buffer, CL_MAP_WRITE, 0, 128);
  expect_right();
  auto* after = map(buffer, CL_MAP_WRITE_INVALIDATE_REGION, 256, 768);
  expect_right();
  auto* reading = map(buffer, CL_MAP_READ, 0, 1024);
  expect_right();
  // After it.
  unmap(buffer, first);
  first = map(buffer, CL_MAP_WRITE, 130, 100);
  expect_right();
  for (auto* pointer : {first, before, after, reading})
    unmap(buffer, pointer);
  unmap(buffer, map(buffer, CL_MAP_WRITE, 0, 1024));
  expect_right();
  EXPECT_EQ(clFinish(queue_), CL_SUCCESS);
}

TEST_F(MapOverlap, SubBuffer) {
  const auto buffer = make_buffer(context_, 4096), other = make_buffer(context_, 4096);
  const auto part = make_part(buffer, 1024, 1024), next = make_part(buffer, 2048, 1024);
  auto* first = map(part, CL_MAP_WRITE, 0, 1024);
  expect_right();
  EXPECT_EQ(map(buffer, CL_MAP_WRITE, 2000, 100), nullptr);
  expect_wrong("bytes 2000 to 2099", "bytes 0 to 1023");
  EXPECT_NE(message_.find("sub-buffer "), message_.npos) << message_;
  EXPECT_NE(message_.find(" from byte 1024 on)"), message_.npos) << message_;
  auto* beside = map(next, CL_MAP_WRITE, 0, 1024);
  expect_right();
  auto* elsewhere = map(other, CL_MAP_WRITE, 0, 4096);
  expect_right();
  unmap(part, first);
  unmap(next, beside);
  unmap(other, elsewhere);
}

// A region that goes with its memory object, whose address another one may get.
TEST_F(MapOverlap, ReleasedWhileMapped) {
  for (int i = 0; i != 100; ++i) {
    const auto buffer = make_buffer(context_, 4096);
    map(buffer, CL_MAP_WRITE, 0, 4096);
    expect_right();
  }
}

TEST_F(MapOverlap, Image) {
  const cl_image_format format{CL_RGBA, CL_UNORM_INT8};
  cl_image_desc description{};
  description.image_type = CL_MEM_OBJECT_IMAGE2D;
  description.image_width = description.image_height = 32;
  const Buffer image(
      clCreateImage(context_, CL_MEM_READ_WRITE, &format, &description, nullptr, &status_));
  expect_right();
  auto* first = map_image(image, CL_MAP_WRITE, {8, 8, 0}, {8, 8, 1});
  expect_right();
  EXPECT_EQ(map_image(image, CL_MAP_WRITE, {15, 15, 0}, {4, 4, 1}), nullptr);
  expect_wrong("(15, 15, 0) to (18, 18, 0)", "(8, 8, 0) to (15, 15, 0)");
  // In the same rows, and in the same columns.
  auto* right = map_image(image, CL_MAP_WRITE, {16, 0, 0}, {16, 32, 1});
  expect_right();
  auto* below = map_image(image, CL_MAP_WRITE, {0, 16, 0}, {16, 16, 1});
  expect_right();
  for (auto* pointer : {first, right, below})
    unmap(image, pointer);
  unmap(image, map_image(image, CL_MAP_WRITE, {0, 0, 0}, {32, 32, 1}));
  expect_right();
}

} // namespace
} // namespace heddle::test
