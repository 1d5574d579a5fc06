// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/device/thread_count.h"

#include <gtest/gtest.h>

namespace heddle::test {
namespace {

TEST(ThreadCount, LeastOfMaskAndQuotaUnlessWanted) {
  EXPECT_EQ(choose_thread_count(8, std::nullopt, 0), 8u);
  EXPECT_EQ(choose_thread_count(8, 3, 0), 3u);
  EXPECT_EQ(choose_thread_count(2, 3, 0), 2u);
  EXPECT_EQ(choose_thread_count(2, 3, 64), 64u);
  EXPECT_EQ(choose_thread_count(8, 3, 16), 16u);
  EXPECT_EQ(choose_thread_count(0, std::nullopt, 0), 1u);
}

} // namespace
} // namespace heddle::test
