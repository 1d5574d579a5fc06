// vload and vstore (OpenCL C 6.15.7), shuffles (6.15.14) and async copies (6.15.11).
#include "native_library.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace heddle::test {
namespace {

constexpr int kWidths[] = {2, 3, 4, 8, 16};

// Copies `count` vectors of n from an address that only a component's alignment fits, and checks
// that nothing else is touched. Vectors lie `step` components apart.
template <typename T>
void check_move(const std::string& symbol, int n, int step) {
  for (const char* build : kBuilds) {
    if (!can_run(build))
      continue;
    auto* move = reinterpret_cast<void (*)(const T*, T*, size_t)>(find_symbol(build, symbol));
    ASSERT_NE(move, nullptr);
    constexpr size_t kCount = 3;
    bool aligned = symbol.find("_va_") != std::string::npos;
    size_t shift = aligned ? 32 : 1;
    alignas(128) T in[100] = {}, out[100] = {};
    for (int i = 0; i < 100; ++i)
      in[i] = static_cast<T>(i + 1);
    move(in + shift, out + shift, kCount);
    for (size_t i = 0; i < 100; ++i) {
      size_t at = i - shift;
      bool copied = i >= shift && at < kCount * step && at % step < static_cast<size_t>(n);
      EXPECT_EQ(static_cast<int>(out[i]), copied ? static_cast<int>(i + 1) : 0)
          << symbol << " at " << i;
    }
  }
}

TEST(VectorMemory, LoadAndStore) {
  for (int n : kWidths) {
    std::string width = std::to_string(n);
    check_move<signed char>("move_char" + width, n, n);
    check_move<unsigned short>("move_ushort" + width, n, n);
    check_move<int>("move_int" + width, n, n);
    check_move<double>("move_double" + width, n, n);
    check_move<_Float16>("move_half" + width, n, n);
  }
}

TEST(VectorMemory, LoadAndStoreHalf) {
  for (int n : kWidths) {
    check_move<_Float16>("move_v_half" + std::to_string(n), n, n);
    check_move<_Float16>("move_va_half" + std::to_string(n), n, n == 3 ? 4 : n);
  }
}

TEST(Shuffle, EveryWidth) {
  for (int n : {2, 4, 8, 16})
    for (int m : {2, 4, 8, 16}) {
      std::string symbol = "shuffle_" + std::to_string(n) + "_" + std::to_string(m);
      using Function = void(const int*, const int*, const unsigned*, int*, int*);
      auto* shuffle = reinterpret_cast<Function*>(find_symbol(kBuilds[0], symbol));
      int x[16], y[16], one[16], two[16];
      unsigned mask[16];
      for (int i = 0; i < 16; ++i) {
        x[i] = i;
        y[i] = 100 + i;
      }
      for (unsigned round = 0; round < 50; ++round) {
        for (unsigned i = 0; i < 16; ++i) // with bits that do not count
          mask[i] = (i * 7 + round * 13) ^ (round << 20);
        shuffle(x, y, mask, one, two);
        for (int i = 0; i < n; ++i) {
          unsigned from = mask[i] % (2 * m);
          EXPECT_EQ(one[i], x[mask[i] % m]) << symbol;
          EXPECT_EQ(two[i], static_cast<int>(from) < m ? x[from] : y[from - m]) << symbol;
        }
      }
    }
}

// All work-items of a group, one after the other, must copy each element once.
TEST(AsyncCopy, SharedByTheGroup) {
  const std::string build = kBuilds[0];
  using Copy = void*(int*, const int*, size_t, void*);
  using Strided = void*(int*, const int*, size_t, size_t, void*);
  auto* in = builtin<Copy>(build, "async_work_group_copy", "PU3AS3iPU3AS1Kim9ocl_event");
  auto* out = builtin<Copy>(build, "async_work_group_copy", "PU3AS1iPU3AS3Kim9ocl_event");
  auto* gather =
      builtin<Strided>(build, "async_work_group_strided_copy", "PU3AS3iPU3AS1Kimm9ocl_event");
  auto* scatter =
      builtin<Strided>(build, "async_work_group_strided_copy", "PU3AS1iPU3AS3Kimm9ocl_event");
  ASSERT_TRUE(in && out && gather && scatter);
  std::vector<int> source(100);
  for (int i = 0; i < 100; ++i)
    source[i] = i + 1;
  for (size_t size : {1, 3, 16, 64})
    for (size_t count : {0, 1, 20, 33}) {
      std::vector<int> copied(100), returned(100), gathered(100), scattered(100);
      int event = 0;
      for (size_t id = 0; id < size; ++id) {
        work_group = {size, id, 0};
        EXPECT_EQ(in(copied.data(), source.data(), count, &event), &event);
        out(returned.data(), source.data(), count, &event);
        gather(gathered.data(), source.data(), count, 3, &event);
        scatter(scattered.data(), source.data(), count, 3, &event);
      }
      for (size_t i = 0; i < 100; ++i) {
        EXPECT_EQ(copied[i], i < count ? source[i] : 0);
        EXPECT_EQ(returned[i], i < count ? source[i] : 0);
        EXPECT_EQ(gathered[i], i < count ? source[3 * i] : 0);
        EXPECT_EQ(scattered[i], i % 3 == 0 && i / 3 < count ? source[i / 3] : 0);
      }
    }
}

TEST(AsyncCopy, WaitingIsABarrier) {
  auto* wait = builtin<void(int, void**)>(kBuilds[0], "wait_group_events", "iPU3AS49ocl_event");
  ASSERT_NE(wait, nullptr);
  work_group = {};
  void* event = nullptr;
  wait(1, &event);
  EXPECT_EQ(work_group.barriers, 1);
}

} // namespace
} // namespace heddle::test
