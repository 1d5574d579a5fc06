// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches that begin in one variant of a kernel and go on in another.
#include "runtime/execution/reserved_units.h"
#include "tests/runtime/engine.h"

namespace heddle::test {
namespace {

constexpr std::uint64_t kGroups = 1000;

struct Groups {
  std::atomic<int> plain{0}, quick{0}, optimized{0};
  std::atomic<const KernelVariant*> replacement{nullptr}, bridge{nullptr};
  const KernelVariant* after_quick = nullptr;      // the replacement, when it has run ten groups
  const KernelVariant* appears = nullptr;          // when the tenth group runs in the plain variant
  bool reserves = false;                           // a compute unit, then
  std::atomic<unsigned> inside{0}, most_inside{0}; // threads; the latter since all must have looked
};

constexpr int kAllHaveLooked = 600;

void reserve_and_watch(Groups& groups, int number) {
  if (number == 10)
    reserved_units::add();
  const auto inside = ++groups.inside;
  if (number > kAllHaveLooked && inside > groups.most_inside)
    groups.most_inside = inside;
  std::this_thread::sleep_for(std::chrono::microseconds(50));
  --groups.inside;
}

void count_plain(const abi::Launch* launch, std::uint64_t first, std::uint64_t last, abi::Worker*) {
  auto& groups = argument<Groups>(launch);
  for (; first < last; ++first) {
    const int number = ++groups.plain;
    if (groups.reserves)
      reserve_and_watch(groups, number);
    if (number == 10 && groups.appears)
      groups.replacement = groups.appears;
    if (groups.appears) // ranges grow until they take long enough
      std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
}

void count_optimized(const abi::Launch* launch, std::uint64_t first, std::uint64_t last,
                     abi::Worker*) {
  argument<Groups>(launch).optimized += static_cast<int>(last - first);
}

void count_quick(const abi::Launch* launch, std::uint64_t first, std::uint64_t last, abi::Worker*) {
  auto& groups = argument<Groups>(launch);
  groups.quick += static_cast<int>(last - first);
  if (!groups.after_quick)
    return;
  if (groups.quick >= 10)
    groups.replacement = groups.after_quick;
  std::this_thread::sleep_for(std::chrono::microseconds(50) * (last - first));
}

class Replacement : public testing::Test {
 protected:
  void run(Groups& groups, bool arguments_overlap = false) {
    KernelLaunch launch;
    launch.arguments = make_ref<PointerArgument>(&groups, 64);
    launch.variant = {plain_.function, &plain_.metadata};
    launch.replacement = &groups.replacement;
    launch.bridge = &groups.bridge;
    launch.arguments_overlap = arguments_overlap;
    launch.range = {1, {}, {kGroups * 8, 1, 1}, {8, 1, 1}};
    const auto queue = engine_.queue();
    const auto event = heddle::test::enqueue(
        *queue, make_kernel_command(*queue, CL_COMMAND_NDRANGE_KERNEL, std::move(launch)));
    event->wait();
    EXPECT_EQ(event->status(), CL_COMPLETE);
    EXPECT_EQ(groups.plain + groups.quick + groups.optimized, static_cast<int>(kGroups));
  }
  bool takes_replacement(bool arguments_overlap = false) {
    Groups groups;
    groups.replacement = &variant_;
    run(groups, arguments_overlap);
    EXPECT_TRUE(groups.plain == 0 || groups.optimized == 0);
    return groups.optimized != 0;
  }

  Engine engine_;
  TestKernel plain_{count_plain}, quick_{count_quick}, optimized_{count_optimized};
  const KernelVariant variant_{optimized_.function, &optimized_.metadata};
  const KernelVariant quick_variant_{quick_.function, &quick_.metadata};
};

TEST_F(Replacement, IsTakenWhenItIsThere) {
  Groups none;
  run(none);
  EXPECT_EQ(none.optimized, 0);
  EXPECT_TRUE(takes_replacement());
}

TEST_F(Replacement, IsTakenBetweenRangesOfGroups) {
  Groups groups;
  groups.appears = &variant_;
  run(groups);
  EXPECT_GE(groups.plain, 10);
  EXPECT_GT(groups.optimized, 0);
}

TEST_F(Replacement, IsBridged) {
  Groups groups;
  groups.bridge = &quick_variant_;
  run(groups);
  EXPECT_EQ(groups.quick, static_cast<int>(kGroups));
  Groups both;
  both.bridge = &quick_variant_;
  both.after_quick = &variant_;
  run(both);
  EXPECT_GE(both.quick, 10);
  EXPECT_GT(both.optimized, 0);
  EXPECT_EQ(both.plain, 0);
  // What does not fit is not taken.
  quick_.metadata.local_bytes = 64;
  Groups none;
  none.bridge = &quick_variant_;
  run(none);
  EXPECT_EQ(none.plain, static_cast<int>(kGroups));
}

TEST_F(Replacement, IsBuiltOnAComputeUnitThatRunsNoGroups) {
  Groups groups;
  groups.reserves = true;
  run(groups);
  reserved_units::remove();
  EXPECT_GT(groups.most_inside, 0U);
  EXPECT_LT(groups.most_inside, engine_.device->compute_units());
}

TEST_F(Replacement, NeedsNoMoreLocalMemory) {
  optimized_.metadata.local_bytes = 64;
  EXPECT_FALSE(takes_replacement());
  plain_.metadata.local_bytes = 64;
  EXPECT_TRUE(takes_replacement());
}

TEST_F(Replacement, DoesNotRelyOnArgumentsThatOverlap) {
  optimized_.metadata.written_arguments = {0};
  EXPECT_TRUE(takes_replacement());
  EXPECT_FALSE(takes_replacement(true));
  optimized_.metadata.written_arguments = {};
  EXPECT_TRUE(takes_replacement(true));
}

} // namespace
} // namespace heddle::test
