// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transfers large enough to be shared by several threads (OpenCL API 5.2.2 to 5.2.5).
#include "tests/api/api_test.h"

#include <algorithm>
#include <atomic>
#include <numeric>

namespace heddle::test {
namespace {

class LargeTransferTest : public ApiTest {
 protected:
  // Several megabytes, and an odd number of bytes.
  static constexpr size_t kBytes = (size_t{9} << 20) + 12345;
  static std::vector<unsigned char> sample(unsigned seed) {
    std::vector<unsigned char> bytes(kBytes);
    for (auto& byte : bytes)
      byte = static_cast<unsigned char>((seed = seed * 1664525u + 1013904223u) >> 24);
    return bytes;
  }
};

TEST_F(LargeTransferTest, WritesCopiesAndReadsEveryByte) {
  const auto data = sample(1);
  const auto first = make_buffer(context_, kBytes + 7);
  const auto second = make_buffer(context_, kBytes + 5);
  ASSERT_EQ(
      clEnqueueWriteBuffer(queue_, first, CL_FALSE, 7, kBytes, data.data(), 0, nullptr, nullptr),
      CL_SUCCESS);
  ASSERT_EQ(clEnqueueCopyBuffer(queue_, first, second, 7, 5, kBytes, 0, nullptr, nullptr),
            CL_SUCCESS);
  EXPECT_TRUE(read<unsigned char>(queue_, second, kBytes, 5) == data);
}

TEST_F(LargeTransferTest, FillsWithALongPattern) {
  constexpr size_t kPattern = 128;
  constexpr size_t kFilled = kBytes / kPattern * kPattern;
  std::vector<unsigned char> pattern(kPattern);
  std::iota(pattern.begin(), pattern.end(), static_cast<unsigned char>(1));
  const auto buffer = make_buffer(context_, kFilled + kPattern);
  Event event;
  ASSERT_EQ(clEnqueueFillBuffer(queue_, buffer, pattern.data(), kPattern, kPattern, kFilled, 0,
                                nullptr, event.out()),
            CL_SUCCESS);
  ASSERT_EQ(clWaitForEvents(1, event.address()), CL_SUCCESS);
  const auto bytes = read<unsigned char>(queue_, buffer, kFilled, kPattern);
  for (size_t i = 0; i < bytes.size(); ++i)
    ASSERT_EQ(bytes[i], pattern[i % kPattern]) << i;
}

// A host pointer into the memory of the buffer itself: the ranges overlap, and the result must be
// that of memmove.
TEST_F(LargeTransferTest, ReadsOverItself) {
  auto memory = sample(2);
  const auto before = memory;
  const auto buffer =
      make_buffer(context_, kBytes, memory.data(), CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR);
  constexpr size_t kShift = 1000;
  ASSERT_EQ(clEnqueueReadBuffer(queue_, buffer, CL_TRUE, 0, kBytes - kShift, memory.data() + kShift,
                                0, nullptr, nullptr),
            CL_SUCCESS);
  EXPECT_TRUE(std::equal(memory.begin() + kShift, memory.end(), before.begin()));
}

TEST_F(LargeTransferTest, LetsGoOfTheBufferWhenTheEventIsComplete) {
  const auto data = sample(3);
  static std::atomic<int> freed;
  freed = 0;
  auto buffer = make_buffer(context_, kBytes);
  ASSERT_EQ(clSetMemObjectDestructorCallback(
                buffer, [](cl_mem, void*) { ++freed; }, nullptr),
            CL_SUCCESS);
  Event event;
  ASSERT_EQ(clEnqueueWriteBuffer(queue_, buffer, CL_FALSE, 0, kBytes, data.data(), 0, nullptr,
                                 event.out()),
            CL_SUCCESS);
  buffer.reset();
  ASSERT_EQ(clWaitForEvents(1, event.address()), CL_SUCCESS);
  EXPECT_EQ(freed, 1);
}

} // namespace
} // namespace heddle::test
