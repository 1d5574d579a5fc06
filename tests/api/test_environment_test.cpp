// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// That tests run with the environment that tests/api/CMakeLists.txt sets, all of it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace {

TEST(TestEnvironment, ArrivesWhole) {
  const char* vendors = std::getenv("OCL_ICD_VENDORS");
  ASSERT_NE(vendors, nullptr) << "ctest sets it";
  EXPECT_TRUE(std::string(vendors).ends_with("/heddle.icd")) << vendors;
  const char* cache = std::getenv("HEDDLE_CACHE_DIR");
  ASSERT_NE(cache, nullptr) << "ctest sets it";
  EXPECT_TRUE(std::string(cache).ends_with("/test-cache")) << cache;
}

} // namespace
