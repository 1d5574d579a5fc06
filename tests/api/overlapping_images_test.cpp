// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels whose images and pointer arguments are the same memory, although they are compiled for
// launches in which no image is the memory of a pointer argument.
#include "tests/api/api_test.h"
#include "tests/api/images.h"
#include "tests/api/shared_memory.h"

#include <algorithm>
#include <vector>

namespace heddle::test {
namespace {

constexpr cl_image_format kUints = {CL_R, CL_UNSIGNED_INT32};
constexpr cl_int kIterations = 5;
constexpr size_t kCount = 4;

// Of one work-item each, whose results depend on which writes are seen by which reads.
constexpr const char* kSource = R"(
  kernel void accumulate(read_only image1d_buffer_t in, global uint* sum, int n) {
    for (int i = 0; i < n; ++i)
      sum[0] += read_imageui(in, i & 1).x;
  }
  kernel void accumulate_2d(read_only image2d_t in, global uint* sum, int n) {
    for (int i = 0; i < n; ++i)
      sum[0] += read_imageui(in, (int2)(i & 1, 0)).x;
  }
  kernel void accumulate_written(write_only image1d_buffer_t out, global const uint* in,
                                 global uint* sum, int n) {
    for (int i = 0; i < n; ++i) {
      write_imageui(out, 0, (uint4)(i));
      sum[0] += in[0];
    }
  }
  kernel void accumulate_images(read_only image1d_buffer_t in, write_only image1d_buffer_t out,
                                global uint* sum, int n) {
    for (int i = 0; i < n; ++i) {
      write_imageui(out, 0, (uint4)(i));
      sum[0] += read_imageui(in, 0).x;
    }
  })";

// What accumulate gives for `memory`, at which `sum` and the image begin.
cl_uint expected_sum(std::vector<cl_uint> memory) {
  for (size_t i = 0; i < size_t{kIterations}; ++i)
    memory[0] += memory[i & 1];
  return memory[0];
}

Image image_of(cl_context context, cl_mem buffer, size_t width = kCount) {
  auto d = describe(CL_MEM_OBJECT_IMAGE1D_BUFFER, width);
  d.mem_object = buffer;
  return make_image(context, d, kUints);
}

class OverlappingImages : public ApiTest {
 protected:
  void SetUp() override {
    ApiTest::SetUp();
    program_ = build(context_, kSource, "-cl-std=CL3.0");
  }
  Buffer copy_of_values() { return make_buffer(context_, kCount * 4, values_.data()); }
  cl_uint first(cl_mem buffer) { return read<cl_uint>(queue_, buffer, 1)[0]; }

  Program program_;
  const std::vector<cl_uint> values_{3, 5, 7, 11};
  const cl_uint apart_ = 3 + 3 * 3 + 2 * 5, same_ = expected_sum(values_);
};

// The same kernel object in turn: the code is chosen by each launch.
TEST_F(OverlappingImages, ImageOfTheWrittenBuffer) {
  const auto kernel = make_kernel(program_, "accumulate");
  for (int round = 0; round < 3; ++round) {
    const auto in = copy_of_values(), sum = copy_of_values();
    const auto of_in = image_of(context_, in), of_sum = image_of(context_, sum);
    set_args(kernel, of_in.get(), sum, kIterations);
    run(queue_, kernel, {{1}, {}, {}});
    EXPECT_EQ(first(sum), apart_);
    const auto fresh = copy_of_values();
    const auto of_fresh = image_of(context_, fresh);
    set_args(kernel, of_fresh.get(), fresh, kIterations);
    run(queue_, kernel, {{1}, {}, {}});
    EXPECT_EQ(first(fresh), same_);
  }
}

TEST_F(OverlappingImages, TwoDimensionsOfTheWrittenBuffer) {
  const auto kernel = make_kernel(program_, "accumulate_2d");
  const auto memory = make_buffer(context_, 4096);
  check(clEnqueueWriteBuffer(queue_, memory, CL_TRUE, 0, kCount * 4, values_.data(), 0, nullptr,
                             nullptr),
        "clEnqueueWriteBuffer");
  auto d = describe(CL_MEM_OBJECT_IMAGE2D, kCount, 2);
  d.image_row_pitch = 1024;
  d.mem_object = memory;
  const auto image = make_image(context_, d, kUints);
  set_args(kernel, image.get(), memory, kIterations);
  run(queue_, kernel, {{1}, {}, {}});
  EXPECT_EQ(first(memory), same_);
}

// The parts of the buffer begin at different addresses: the image begins before the sum.
TEST_F(OverlappingImages, PartsOfOneBuffer) {
  const auto kernel = make_kernel(program_, "accumulate");
  std::vector<cl_uint> values(2048, 1);
  const auto memory = make_buffer(context_, values.size() * 4, values.data());
  const auto lower = make_part(memory, 0, 4096), upper = make_part(memory, 4096, 4096);
  const auto of_upper = image_of(context_, upper, 1024), of_all = image_of(context_, memory, 2048);
  set_args(kernel, of_upper.get(), lower, kIterations);
  run(queue_, kernel, {{1}, {}, {}});
  EXPECT_EQ(first(lower), 6U);
  set_args(kernel, of_all.get(), lower, kIterations);
  run(queue_, kernel, {{1}, {}, {}});
  values[0] = 6;
  EXPECT_EQ(first(lower), expected_sum(values));
}

TEST_F(OverlappingImages, MemoryOfTheHost) {
  const auto kernel = make_kernel(program_, "accumulate_2d");
  alignas(4096) cl_uint memory[1024] = {};
  std::copy(values_.begin(), values_.end(), memory);
  const auto image = make_image(context_, describe(CL_MEM_OBJECT_IMAGE2D, kCount, 1), kUints,
                                memory, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR);
  cl_int error = 0;
  const Buffer sum(clCreateBuffer(context_, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, sizeof memory,
                                  memory, &error));
  ASSERT_EQ(error, CL_SUCCESS);
  set_args(kernel, image.get(), sum, kIterations);
  run(queue_, kernel, {{1}, {}, {}});
  EXPECT_EQ(first(sum), same_);
}

// Of SVM, to which the other argument is a pointer, and of the host, about whose size nothing is
// known.
TEST_F(OverlappingImages, MemoryOfPointers) {
  const auto kernel = make_kernel(program_, "accumulate_2d");
  SvmArray<cl_uint> shared(context_, kCount);
  alignas(64) cl_uint of_host[kCount];
  for (auto* memory : {shared.data(), of_host}) {
    std::copy(values_.begin(), values_.end(), memory);
    const auto image = make_image(context_, describe(CL_MEM_OBJECT_IMAGE2D, kCount, 1), kUints,
                                  memory, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR);
    set_args(kernel, image.get(), nullptr, kIterations);
    ASSERT_EQ(clSetKernelArgSVMPointer(kernel, 1, memory), CL_SUCCESS);
    run(queue_, kernel, {{1}, {}, {}});
    clFinish(queue_);
    EXPECT_EQ(memory[0], same_);
  }
}

// The memory of a pointer that is only read is written through the image.
TEST_F(OverlappingImages, WrittenImageOfTheReadBuffer) {
  const auto kernel = make_kernel(program_, "accumulate_written");
  const auto in = copy_of_values();
  const auto other = copy_of_values();
  const auto of_in = image_of(context_, in), of_other = image_of(context_, other);
  for (const bool overlap : {false, true, false, true}) {
    const auto sum = make_buffer(context_, 4);
    const cl_uint first_value = values_[0];
    check(clEnqueueWriteBuffer(queue_, in, CL_TRUE, 0, 4, &first_value, 0, nullptr, nullptr),
          "clEnqueueWriteBuffer");
    set_args(kernel, overlap ? of_in.get() : of_other.get(), in, sum, kIterations);
    run(queue_, kernel, {{1}, {}, {}});
    EXPECT_EQ(first(sum), overlap ? 0U + 1 + 2 + 3 + 4 : kIterations * values_[0]);
  }
}

// In code for arguments that do not overlap, which says nothing of two images.
TEST_F(OverlappingImages, TwoImagesOfOneBuffer) {
  const auto kernel = make_kernel(program_, "accumulate_images");
  const auto memory = copy_of_values();
  const auto in = image_of(context_, memory), out = image_of(context_, memory);
  const auto sum = make_buffer(context_, 4);
  set_args(kernel, in.get(), out.get(), sum, kIterations);
  run(queue_, kernel, {{1}, {}, {}});
  EXPECT_EQ(first(sum), 0U + 1 + 2 + 3 + 4);
}

TEST_F(OverlappingImages, OneImageTwice) {
  const auto kernel = make_kernel(program_, "accumulate_images");
  const auto memory = copy_of_values();
  const auto image = image_of(context_, memory);
  const auto sum = make_buffer(context_, 4);
  set_args(kernel, image.get(), image.get(), sum, kIterations);
  run(queue_, kernel, {{1}, {}, {}});
  EXPECT_EQ(first(sum), 0U + 1 + 2 + 3 + 4);
}

} // namespace
} // namespace heddle::test
