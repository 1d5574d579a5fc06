// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every entry point with a handle that is null, foreign, of another kind, or released: the
// specification's error code and no other effect (each entry point's list of errors; 3.1 has the
// layout of an ICD's handles).
#include "tests/api/api_test.h"
#include "tests/api/handle_calls.h"

namespace heddle::test {
namespace {

class InvalidHandle : public testing::Test {
 protected:
  World world_;

  // A live object of another kind is rejected and does not change.
  static void expect_all(const std::vector<DispatchedCalls>& families, const char* what,
                         void* handle, const std::string& except_kind = "") {
    for (const auto& family : families) {
      if (family.kind == except_kind)
        continue;
      for (const auto& call : family.calls)
        EXPECT_EQ(call.call(handle), call.expected) << call.name << " with " << what;
    }
  }
};

TEST_F(InvalidHandle, Null) {
  for (const auto& family : dispatched_calls(world_))
    for (const auto& call : family.calls)
      EXPECT_EQ(call.call(nullptr), call.expected) << call.name;
}

TEST_F(InvalidHandle, NullInner) { expect_all(inner_calls(world_), "null", nullptr); }

TEST_F(InvalidHandle, Foreign) {
  ForeignObject foreign;
  expect_all(dispatched_calls(world_), "a foreign pointer", foreign.handle());
  expect_all(inner_calls(world_), "a foreign pointer", foreign.handle());
}

TEST_F(InvalidHandle, AnyBits) {
  for (const auto bits : {std::uintptr_t{1}, std::uintptr_t{0xdead0000beef}, ~std::uintptr_t{0},
                          ~std::uintptr_t{7}, std::uintptr_t{1} << 63})
    expect_all(inner_calls(world_), "wild bits", reinterpret_cast<void*>(bits));
}

TEST_F(InvalidHandle, InsideALiveObject) {
  const auto base = reinterpret_cast<std::uintptr_t>(world_.buffer.get());
  for (const std::uintptr_t distance : {1, 4, 8, 16})
    expect_all(inner_calls(world_), "a pointer into an object",
               reinterpret_cast<void*>(base + distance));
}

TEST_F(InvalidHandle, WrongKind) {
  for (const auto& other : dispatched_calls(world_)) {
    const auto what = "a live " + other.kind;
    expect_all(dispatched_calls(world_), what.c_str(), other.live, other.kind);
    expect_all(inner_calls(world_), what.c_str(), other.live, other.kind);
  }
}

TEST_F(InvalidHandle, Released) {
  auto gone = std::make_unique<World>();
  std::vector<std::pair<std::string, void*>> handles;
  for (const auto& family : dispatched_calls(*gone))
    if (family.kind != "device")
      handles.emplace_back(family.kind, family.live);
  gone.reset();
  for (const auto& [kind, handle] : handles) {
    const auto what = "a released " + kind;
    expect_all(dispatched_calls(world_), what.c_str(), handle);
    expect_all(inner_calls(world_), what.c_str(), handle);
  }
}

TEST_F(InvalidHandle, NothingWasHarmed) {
  ForeignObject foreign;
  expect_all(dispatched_calls(world_), "a foreign pointer", foreign.handle());
  run(world_.queue, world_.kernel, {{16}, {}, {}});
  EXPECT_EQ(read<cl_int>(world_.queue, world_.buffer, 16), std::vector<cl_int>(16, 7));
}

} // namespace
} // namespace heddle::test
