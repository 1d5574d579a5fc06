// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fixture of the API tests: a context and an in-order queue on the device under test.
#pragma once

#include "tests/api/support.h"

#include <gtest/gtest.h>

#include <vector>

namespace heddle::test {

class ApiTest : public testing::Test {
 protected:
  Context context_ = make_context();
  Queue queue_ = make_queue(context_);
};

// The contract of all clGet*Info calls (OpenCL API, "Return Values"): the size alone, the value in
// a buffer of exactly that size, CL_INVALID_VALUE for one byte less.
template <class Query>
void expect_info_contract(Query query, cl_uint name) {
  SCOPED_TRACE(testing::Message() << "name 0x" << std::hex << name);
  size_t size = 0;
  ASSERT_EQ(query(name, 0, nullptr, &size), CL_SUCCESS);
  EXPECT_EQ(query(name, 0, nullptr, nullptr), CL_SUCCESS);
  if (size == 0)
    return;
  std::vector<unsigned char> value(size + 16, 0x5a);
  size_t again = 0;
  ASSERT_EQ(query(name, size, value.data(), &again), CL_SUCCESS);
  EXPECT_EQ(again, size);
  for (size_t i = size; i != value.size(); ++i)
    ASSERT_EQ(value[i], 0x5a) << "written past the end";
  EXPECT_EQ(query(name, size + 8, value.data(), nullptr), CL_SUCCESS);
  EXPECT_EQ(query(name, size - 1, value.data(), nullptr), CL_INVALID_VALUE);
}

} // namespace heddle::test
