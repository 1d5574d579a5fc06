// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// vload and vstore (OpenCL C 6.15.7), shuffles (6.15.14) and async copies (6.15.11).
#include "native_library.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

namespace heddle::test {
namespace {

constexpr int kWidths[] = {2, 3, 4, 8, 16};

// Copies `count` vectors of n with a stride of `step` components from an address aligned only to a
// component, and checks that nothing else changes.
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

// All work-items of a group, called one after the other, copy each element once.
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

// Bytes before an inaccessible page, and zeros.
class Guarded {
 public:
  explicit Guarded(size_t bytes) : size_(bytes) {
    const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    mapped_ = (bytes + page - 1) / page * page + page;
    base_ = static_cast<unsigned char*>(
        mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    mprotect(base_ + mapped_ - page, page, PROT_NONE);
    begin_ = base_ + mapped_ - page - bytes;
  }
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;
  ~Guarded() { munmap(base_, mapped_); }
  unsigned char* data() { return begin_; }
  unsigned char& operator[](size_t i) { return begin_[i]; }
  size_t size() const { return size_; }

 private:
  size_t size_, mapped_;
  unsigned char *base_, *begin_;
};

// Every type including half, at every small stride; nothing after the last element is accessed, and
// nothing between the elements is written.
TEST(AsyncCopy, EveryTypeUpToTheLastByte) {
  const struct {
    const char* mangled;
    size_t size;
  } types[] = {{"c", 1}, {"h", 1}, {"s", 2}, {"t", 2}, {"Dh", 2}, {"i", 4},
               {"j", 4}, {"f", 4}, {"l", 8}, {"m", 8}, {"d", 8}};
  using Copy = void*(void*, const void*, size_t, void*);
  using Strided = void*(void*, const void*, size_t, size_t, void*);
  work_group = {1, 0, 0};
  for (const auto& build : kBuilds)
    for (const auto& type : types)
      for (const int width : {1, 2, 3, 4, 8, 16}) {
        const auto vector =
            (width == 1 ? "" : "Dv" + std::to_string(width) + "_") + std::string(type.mangled);
        const auto size = type.size * (width == 3 ? 4 : width);
        const auto parameters = [&](int to, int from, const char* rest) {
          return "PU3AS" + std::to_string(to) + vector + "PU3AS" + std::to_string(from) + "K" +
                 (width == 1 ? vector : "S_") + rest;
        };
        const auto find = [&](const char* name, int to, int from, const char* rest) {
          return find_builtin(build, name, parameters(to, from, rest));
        };
        auto* in = reinterpret_cast<Copy*>(find("async_work_group_copy", 3, 1, "m9ocl_event"));
        auto* out = reinterpret_cast<Copy*>(find("async_work_group_copy", 1, 3, "m9ocl_event"));
        auto* gather =
            reinterpret_cast<Strided*>(find("async_work_group_strided_copy", 3, 1, "mm9ocl_event"));
        auto* scatter =
            reinterpret_cast<Strided*>(find("async_work_group_strided_copy", 1, 3, "mm9ocl_event"));
        ASSERT_TRUE(in && out && gather && scatter) << vector;
        for (const size_t count : {1, 2, 7, 8, 9, 16, 17, 33, 65, 200})
          for (size_t stride = 0; stride < 10; ++stride) {
            Guarded packed(count * size), apart(((count - 1) * stride + 1) * size);
            for (size_t i = 0; i < apart.size(); ++i)
              apart[i] = static_cast<unsigned char>(i * 7 + i / 251);
            gather(packed.data(), apart.data(), count, stride, nullptr);
            for (size_t i = 0; i < packed.size(); ++i)
              ASSERT_EQ(packed[i], apart[i / size * stride * size + i % size])
                  << vector << " " << count << " " << stride << " at " << i;
            Guarded spread(apart.size());
            scatter(spread.data(), packed.data(), count, stride, nullptr);
            for (size_t i = 0; stride != 0 && i < spread.size(); ++i)
              ASSERT_EQ(spread[i], i / size % stride == 0 ? apart[i] : 0)
                  << vector << " " << count << " " << stride << " at " << i;
            if (stride == 1) {
              Guarded copy(packed.size()), back(packed.size());
              in(copy.data(), packed.data(), count, nullptr);
              out(back.data(), copy.data(), count, nullptr);
              ASSERT_EQ(std::memcmp(back.data(), packed.data(), packed.size()), 0) << vector;
            }
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
