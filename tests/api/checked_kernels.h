// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fixture of tests of HEDDLE_CHECK: the messages that the context's callback gets.
#pragma once

#include "tests/api/api_test.h"

#include <mutex>
#include <string>

namespace heddle::test {

class CheckedKernels : public testing::Test {
 protected:
  static void CL_CALLBACK notify(const char* message, const void*, size_t, void* self) {
    auto& test = *static_cast<CheckedKernels*>(self);
    const std::lock_guard lock(test.mutex_);
    test.messages_ += message;
    test.messages_ += " \n";
  }
  // The messages of the context's callback; empty if the command succeeded.
  std::string outcome(const Kernel& kernel, const Range& range) {
    {
      const std::lock_guard lock(mutex_);
      messages_.clear();
    }
    Event event;
    check(enqueue(queue_, kernel, range, event.out()), "enqueue");
    clWaitForEvents(1, event.address());
    const std::lock_guard lock(mutex_);
    EXPECT_EQ(event_status(event) < 0, !messages_.empty()) << messages_;
    return messages_;
  }
  static void expect_in(const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), text.npos) << "not \"" << part << "\" in: " << text;
  }

  // That the message names the work-item of a one-dimensional range, or others of its sub-group
  // with it: "work-item (13)", "work-items (8) to (15)".
  static void expect_work_item(const std::string& text, long item) {
    const auto begin = text.find("failed at work-item");
    const auto first = text.find('(', begin), to = text.find(" to (", begin);
    ASSERT_NE(begin, text.npos) << text;
    ASSERT_NE(first, text.npos) << text;
    const auto from = std::stol(text.substr(first + 1));
    const bool is_range = to != text.npos && to < text.find(':', begin);
    EXPECT_LE(from, item) << text;
    EXPECT_GE(is_range ? std::stol(text.substr(to + 5)) : from, item) << text;
  }

  std::mutex mutex_;
  std::string messages_;
  Context context_ = make_context(notify, this);
  Queue queue_ = make_queue(context_);
};

} // namespace heddle::test
