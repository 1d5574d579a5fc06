// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels whose pointer arguments point to the same memory, although they are compiled for launches
// whose arguments do not.
#include "tests/api/api_test.h"
#include "tests/api/shared_memory.h"

#include <algorithm>
#include <string>
#include <vector>

namespace heddle::test {
namespace {

// One work-item, whose result depends on whether its updates of `sum` are seen in `in`.
constexpr const char* kAccumulate = R"(
  kernel void accumulate(global const int* in, global int* sum, int n) {
    for (int i = 0; i < n; ++i)
      sum[0] += in[i & 1];
  })";
constexpr cl_int kIterations = 5;

// What accumulate gives for `memory`, at which `sum` begins and `in` `offset` elements further on.
cl_int expected_sum(std::vector<cl_int> memory, size_t offset) {
  for (size_t i = 0; i < size_t{kIterations}; ++i)
    memory[0] += memory[offset + (i & 1)];
  return memory[0];
}

class OverlappingArguments : public ApiTest {
 protected:
  void SetUp() override {
    ApiTest::SetUp();
    program_ = build(context_, kAccumulate);
    kernel_ = make_kernel(program_, "accumulate");
  }
  Program program_;
  Kernel kernel_;
  const std::vector<cl_int> values_{3, 5, 7, 11};
};

TEST_F(OverlappingArguments, OneBufferTwice) {
  const auto memory = make_buffer(context_, 16, values_.data());
  set_args(kernel_, memory, memory, kIterations);
  run(queue_, kernel_, {{1}, {}, {}});
  EXPECT_EQ(read<cl_int>(queue_, memory, 4)[0], expected_sum(values_, 0));
}

// The same kernel object in turn: the code is chosen by each launch.
TEST_F(OverlappingArguments, ChosenByEachLaunch) {
  for (int round = 0; round < 3; ++round) {
    const auto in = make_buffer(context_, 16, values_.data());
    const auto sum = make_buffer(context_, 16, values_.data());
    set_args(kernel_, in, sum, kIterations);
    run(queue_, kernel_, {{1}, {}, {}});
    EXPECT_EQ(read<cl_int>(queue_, sum, 4)[0], 3 + 3 * 3 + 2 * 5);
    set_args(kernel_, sum, sum, kIterations);
    auto before = values_;
    before[0] = 22;
    run(queue_, kernel_, {{1}, {}, {}});
    EXPECT_EQ(read<cl_int>(queue_, sum, 4)[0], expected_sum(before, 0));
  }
}

TEST_F(OverlappingArguments, PartsOfOneBuffer) {
  std::vector<cl_int> values(2048, 1);
  const auto memory = make_buffer(context_, values.size() * 4, values.data());
  // Apart, and one within the other.
  const auto whole = make_part(memory, 0, 8192), first = make_part(memory, 0, 4096),
             second = make_part(memory, 4096, 4096);
  set_args(kernel_, second, first, kIterations);
  run(queue_, kernel_, {{1}, {}, {}});
  EXPECT_EQ(read<cl_int>(queue_, memory, 1)[0], 6);
  set_args(kernel_, whole, first, kIterations);
  run(queue_, kernel_, {{1}, {}, {}});
  values[0] = 6;
  EXPECT_EQ(read<cl_int>(queue_, memory, 1)[0], expected_sum(values, 0));
}

TEST_F(OverlappingArguments, PointersIntoOneAllocation) {
  SvmArray<cl_int> shared(context_, 4);
  std::copy(values_.begin(), values_.end(), shared.data());
  ASSERT_EQ(clSetKernelArgSVMPointer(kernel_, 0, shared.data()), CL_SUCCESS);
  ASSERT_EQ(clSetKernelArgSVMPointer(kernel_, 1, shared.data()), CL_SUCCESS);
  ASSERT_EQ(clSetKernelArg(kernel_, 2, sizeof kIterations, &kIterations), CL_SUCCESS);
  run(queue_, kernel_, {{1}, {}, {}});
  clFinish(queue_);
  EXPECT_EQ(shared.data()[0], expected_sum(values_, 0));
}

// Of the host, about whose size nothing is known.
TEST_F(OverlappingArguments, PointersToTheHostsMemory) {
  auto memory = values_;
  ASSERT_EQ(clSetKernelArgSVMPointer(kernel_, 0, memory.data()), CL_SUCCESS);
  ASSERT_EQ(clSetKernelArgSVMPointer(kernel_, 1, memory.data()), CL_SUCCESS);
  ASSERT_EQ(clSetKernelArg(kernel_, 2, sizeof kIterations, &kIterations), CL_SUCCESS);
  run(queue_, kernel_, {{1}, {}, {}});
  clFinish(queue_);
  EXPECT_EQ(memory[0], expected_sum(values_, 0));
}

TEST_F(OverlappingArguments, OfAClonedKernel) {
  const auto memory = make_buffer(context_, 16, values_.data());
  set_args(kernel_, memory, memory, kIterations);
  cl_int error = 0;
  const Kernel clone(clCloneKernel(kernel_, &error));
  ASSERT_EQ(error, CL_SUCCESS);
  run(queue_, clone, {{1}, {}, {}});
  EXPECT_EQ(read<cl_int>(queue_, memory, 4)[0], expected_sum(values_, 0));
}

// A binary has the code for arguments that do not overlap; the other one is built from it.
TEST_F(OverlappingArguments, OfAProgramFromItsBinary) {
  const auto memory = make_buffer(context_, 16, values_.data());
  size_t size = 0;
  ASSERT_EQ(clGetProgramInfo(program_, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr),
            CL_SUCCESS);
  std::vector<unsigned char> binary(size);
  auto* bytes = binary.data();
  ASSERT_EQ(clGetProgramInfo(program_, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, nullptr),
            CL_SUCCESS);
  const auto* from = binary.data();
  const auto a_device = device();
  cl_int error = 0;
  const Program loaded(
      clCreateProgramWithBinary(context_, 1, &a_device, &size, &from, nullptr, &error));
  ASSERT_EQ(error, CL_SUCCESS);
  ASSERT_EQ(clBuildProgram(loaded, 1, &a_device, "", nullptr, nullptr), CL_SUCCESS);
  const auto kernel = make_kernel(loaded, "accumulate");
  set_args(kernel, memory, memory, kIterations);
  run(queue_, kernel, {{1}, {}, {}});
  EXPECT_EQ(read<cl_int>(queue_, memory, 4)[0], expected_sum(values_, 0));
}

// A pointer that the kernel reads from memory may point to an argument's memory.
TEST_F(OverlappingArguments, PointerFromMemory) {
  const auto program = build(context_, R"(
    struct node { global int* next; };
    kernel void follow(global const struct node* node, global int* sum, int n) {
      for (int i = 0; i < n; ++i)
        sum[0] += node->next[i & 1];
    })",
                             "-cl-std=CL3.0");
  const auto kernel = make_kernel(program, "follow");
  SvmArray<cl_int> numbers(context_, 4);
  SvmArray<void*> node(context_, 1);
  std::copy(values_.begin(), values_.end(), numbers.data());
  node.data()[0] = numbers.data();
  ASSERT_EQ(clSetKernelArgSVMPointer(kernel, 0, node.data()), CL_SUCCESS);
  ASSERT_EQ(clSetKernelArgSVMPointer(kernel, 1, numbers.data()), CL_SUCCESS);
  ASSERT_EQ(clSetKernelArg(kernel, 2, sizeof kIterations, &kIterations), CL_SUCCESS);
  run(queue_, kernel, {{1}, {}, {}});
  clFinish(queue_);
  EXPECT_EQ(numbers.data()[0], expected_sum(values_, 0));
}

// Updates behind conditions, which the optimizer keeps in registers.
TEST_F(OverlappingArguments, ConditionalUpdates) {
  const std::string source = R"(
    kernel void forces(global const float* p, global const float* q, global float* f, int n) {
      int i = get_global_id(0);
      for (int j = 0; j < n; j++) {
        float d = p[j] - p[i];
        if (d > 0.25f) {
          f[4 * i] += d * q[j];
          f[4 * i + 1] += d;
        }
        if (f[4 * i + 2] < d)
          f[4 * i + 2] = d;
      }
    })";
  const auto plain = build(context_, source, "-cl-opt-disable");
  const auto optimized = build(context_, source);
  constexpr int kItems = 77;
  std::vector<float> p(kItems), q(kItems), f(kItems * 4);
  for (int i = 0; i < kItems; ++i) {
    p[i] = static_cast<float>(i * 37 % kItems) / 64;
    q[i] = static_cast<float>(i * 11 % kItems) / 32;
    for (int k = 0; k < 4; ++k)
      f[4 * i + k] = static_cast<float>(i + k) / 128;
  }
  const auto results = [&](cl_program of) {
    const auto kernel = make_kernel(of, "forces");
    const auto a = make_buffer(context_, p.size() * 4, p.data());
    const auto b = make_buffer(context_, q.size() * 4, q.data());
    const auto c = make_buffer(context_, f.size() * 4, f.data());
    set_args(kernel, a, b, c, cl_int{kItems});
    run(queue_, kernel, {{kItems}, {}, {}});
    return read<cl_uint>(queue_, c, f.size());
  };
  EXPECT_EQ(results(optimized), results(plain));
}

// What a function's restrict pointers promise holds for one call of it, and not between the calls
// of a loop's iterations: here what one iteration writes is what the next one reads.
TEST_F(OverlappingArguments, RestrictPointersOfEachIteration) {
  const auto program = build(context_, R"(
    static void step(global float* restrict out, global const float* restrict in) {
      *out = *in * 0.5f + 1;
    }
    kernel void turns(global float* x, global float* y, global float* z, global float* w) {
      size_t i = get_global_id(0);
      for (int j = 0; j < 96; ++j)
        step(j & 1 ? w + i : y + i, j & 1 ? z + i : x + i);
    })");
  const auto kernel = make_kernel(program, "turns");
  constexpr int kItems = 64;
  std::vector<float> values(kItems);
  const auto even = make_buffer(context_, kItems * 4, values.data());
  const auto odd = make_buffer(context_, kItems * 4, values.data());
  set_args(kernel, even, odd, odd, even);
  run(queue_, kernel, {{kItems}, {}, {}});
  values.assign(kItems, 2); // rounded so after 24 iterations
  EXPECT_EQ(read<float>(queue_, even, kItems), values);
  EXPECT_EQ(read<float>(queue_, odd, kItems), values);
}

// A work-item reads at an address to which it does not write, before and behind barriers.
TEST_F(OverlappingArguments, WritesOfOthersBehindBarriers) {
  const auto program = build(context_, R"(
    kernel void shift(global int* a, global const int* in, int n) {
      int i = get_local_id(0);
      for (int j = 0; j < n; ++j) {
        int before = a[i + 1];
        barrier(CLK_GLOBAL_MEM_FENCE);
        a[i] = before + in[j];
        barrier(CLK_GLOBAL_MEM_FENCE);
        int behind = a[i + 1];
        barrier(CLK_GLOBAL_MEM_FENCE);
        a[i] = before * 3 - behind;
        barrier(CLK_GLOBAL_MEM_FENCE);
      }
    })");
  const auto kernel = make_kernel(program, "shift");
  constexpr int kItems = 64;
  std::vector<cl_int> values(kItems + 1);
  for (int i = 0; i <= kItems; ++i)
    values[i] = i % 7;
  const auto a = make_buffer(context_, values.size() * 4, values.data());
  const auto in = make_buffer(context_, 16, values_.data());
  constexpr cl_int kTurns = 4;
  set_args(kernel, a, in, kTurns);
  run(queue_, kernel, {{kItems}, {kItems}, {}});
  for (int j = 0; j < kTurns; ++j) {
    const auto before = values;
    for (int i = 0; i < kItems; ++i)
      values[i] = before[i + 1] + values_[j];
    const auto behind = values;
    for (int i = 0; i < kItems; ++i)
      values[i] = before[i + 1] * 3 - behind[i + 1];
  }
  EXPECT_EQ(read<cl_int>(queue_, a, values.size()), values);
}

} // namespace
} // namespace heddle::test
