// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/spare_references.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace heddle::test {
namespace {

class Counted final : public Object {
 public:
  explicit Counted(std::atomic<int>& alive) : Object(Kind::dead), alive_(alive) { ++alive_; }

  SpareReferences spare;

 private:
  ~Counted() override { --alive_; }
  std::atomic<int>& alive_;
};

TEST(SpareReferences, EndWhenTheLastTakenOneDoes) {
  std::atomic<int> alive{0};
  auto own = make_ref<Counted>(alive);
  std::vector<Ref<Counted>> taken;
  for (int i = 0; i < 200; ++i)
    taken.push_back(own->spare.take(*own));
  own->spare.close(*own);
  own = nullptr;
  EXPECT_EQ(alive, 1);
  while (taken.size() > 1)
    taken.pop_back();
  EXPECT_EQ(alive, 1);
  taken.clear();
  EXPECT_EQ(alive, 0);
}

TEST(SpareReferences, NoneAreKeptOnceClosed) {
  std::atomic<int> alive{0};
  auto own = make_ref<Counted>(alive);
  (void)own->spare.take(*own);
  own->spare.close(*own);
  own->spare.close(*own);
  EXPECT_TRUE(own->is_unique());
  (void)own->spare.take(*own);
  EXPECT_TRUE(own->is_unique());
}

TEST(SpareReferences, OfSeveralThreads) {
  std::atomic<int> alive{0};
  for (int round = 0; round < 50; ++round) {
    auto own = make_ref<Counted>(alive);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([kept = own] {
        std::vector<Ref<Counted>> taken;
        for (int i = 0; i < 1000; ++i) {
          taken.push_back(kept->spare.take(*kept));
          if (taken.size() > 100)
            taken.clear();
        }
      });
    if (round % 2)
      own->spare.close(*own); // meanwhile
    for (auto& thread : threads)
      thread.join();
    own->spare.close(*own);
    EXPECT_TRUE(own->is_unique());
    own = nullptr;
    ASSERT_EQ(alive, 0);
  }
}

} // namespace
} // namespace heddle::test
