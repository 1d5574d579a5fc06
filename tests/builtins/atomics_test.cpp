// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomic functions of OpenCL C 1.x (6.15.12.8) and C11 (6.15.12.7), single-threaded results, and
// one counter incremented by several threads.
#include "native_library.h"

#include <gtest/gtest.h>

#include <cmath>
#include <thread>
#include <vector>

namespace heddle::test {
namespace {

struct Operation {
  const char* name;
  long old, operand, expected;
};

template <typename T>
void check_1x(const std::string& prefix) {
  const Operation operations[] = {{"_add", 40, 3, 43},
                                  {"_sub", 40, 3, 37},
                                  {"_xchg", 40, 3, 3},
                                  {"_min", 40, 3, 3},
                                  {"_min", 3, 40, 3},
                                  {"_max", 40, 3, 40},
                                  {"_max", 3, 40, 40},
                                  {"_and", 12, 10, 8},
                                  {"_or", 12, 10, 14},
                                  {"_xor", 12, 10, 6},
                                  {"_max", -5, 3, std::is_signed_v<T> ? 3 : -5},
                                  {"_min", -5, 3, std::is_signed_v<T> ? -5 : 3}};
  for (const char* space : {"PU3AS1V", "PU3AS3V"}) {
    std::string pointer = std::string(space) + kMangled<T>;
    for (const Operation& operation : operations) {
      auto* function =
          builtin<T(volatile T*, T)>(kBuilds[0], prefix + operation.name, pointer + kMangled<T>);
      ASSERT_NE(function, nullptr);
      T memory = static_cast<T>(operation.old);
      EXPECT_EQ(function(&memory, static_cast<T>(operation.operand)),
                static_cast<T>(operation.old));
      EXPECT_EQ(memory, static_cast<T>(operation.expected)) << prefix << operation.name;
    }
    auto* increment = builtin<T(volatile T*)>(kBuilds[0], prefix + "_inc", pointer);
    auto* decrement = builtin<T(volatile T*)>(kBuilds[0], prefix + "_dec", pointer);
    auto* exchange = builtin<T(volatile T*, T, T)>(kBuilds[0], prefix + "_cmpxchg",
                                                   pointer + kMangled<T> + kMangled<T>);
    T memory = 0;
    EXPECT_EQ(decrement(&memory), T(0));
    EXPECT_EQ(memory, static_cast<T>(-1));
    EXPECT_EQ(increment(&memory), static_cast<T>(-1));
    EXPECT_EQ(memory, T(0));
    EXPECT_EQ(exchange(&memory, 5, 6), T(0));
    EXPECT_EQ(memory, T(0));
    EXPECT_EQ(exchange(&memory, 0, 6), T(0));
    EXPECT_EQ(memory, T(6));
  }
}

TEST(Atomic1x, Operations) {
  check_1x<int>("atomic");
  check_1x<unsigned>("atomic");
  check_1x<int>("atom");
  check_1x<unsigned>("atom");
  check_1x<long>("atom");
  check_1x<unsigned long>("atom");
  auto* exchange = builtin<float(float*, float)>(kBuilds[0], "atomic_xchg", "PU3AS1Vff");
  float memory = 1.5f;
  EXPECT_EQ(exchange(&memory, -2), 1.5f);
  EXPECT_EQ(memory, -2);
}

constexpr int kOrders[] = {__ATOMIC_RELAXED, __ATOMIC_ACQUIRE, __ATOMIC_RELEASE, __ATOMIC_ACQ_REL,
                           __ATOMIC_SEQ_CST};

template <typename T>
void check_c11() {
  const Operation operations[] = {{"exchange", 40, 3, 3},   {"fetch_add", 40, 3, 43},
                                  {"fetch_sub", 40, 3, 37}, {"fetch_min", 40, 3, 3},
                                  {"fetch_min", 3, 40, 3},  {"fetch_max", 40, 3, 40},
                                  {"fetch_max", 3, 40, 40}, {"fetch_and", 12, 10, 8},
                                  {"fetch_or", 12, 10, 14}, {"fetch_xor", 12, 10, 6}};
  for (const char* space : {"PU3AS1VU7_Atomic", "PU3AS3VU7_Atomic", "PU3AS4VU7_Atomic"}) {
    std::string pointer = std::string(space) + kMangled<T>;
    for (const Operation& operation : operations) {
      std::string name = std::string("atomic_") + operation.name;
      if (!std::is_integral_v<T> && operation.old == 12)
        continue; // no bitwise operations
      std::string types = pointer + kMangled<T>;
      auto* plain = builtin<T(T*, T)>(kBuilds[0], name, types);
      auto* ordered =
          builtin<T(T*, T, int)>(kBuilds[0], name + "_explicit", types + "12memory_order");
      auto* scoped = builtin<T(T*, T, int, int)>(kBuilds[0], name + "_explicit",
                                                 types + "12memory_order12memory_scope");
      ASSERT_TRUE(plain && ordered && scoped);
      auto check = [&](auto call) {
        T memory = static_cast<T>(operation.old);
        EXPECT_TRUE(call(&memory, static_cast<T>(operation.operand)) ==
                    static_cast<T>(operation.old));
        EXPECT_TRUE(memory == static_cast<T>(operation.expected)) << name << pointer;
      };
      check(plain);
      for (int order : kOrders) {
        check([&](T* p, T v) { return ordered(p, v, order); });
        check([&](T* p, T v) { return scoped(p, v, order, 1); });
      }
    }
    auto* load = builtin<T(T*)>(kBuilds[0], "atomic_load", pointer);
    auto* store = builtin<void(T*, T)>(kBuilds[0], "atomic_store", pointer + kMangled<T>);
    auto* init = builtin<void(T*, T)>(kBuilds[0], "atomic_init", pointer + kMangled<T>);
    T memory = 1;
    store(&memory, 7);
    EXPECT_TRUE(load(&memory) == T(7));
    init(&memory, 9);
    EXPECT_TRUE(load(&memory) == T(9));
  }
}

TEST(AtomicC11, Operations) {
  check_c11<int>();
  check_c11<unsigned>();
  check_c11<long>();
  check_c11<unsigned long>();
  check_c11<float>();
  check_c11<double>();
  check_c11<_Float16>();
}

TEST(AtomicC11, CompareExchange) {
  for (const char* kind : {"strong", "weak"})
    for (const char* expected_space : {"PU3AS1", "PU3AS3", "P", "PU3AS4"}) {
      auto* exchange =
          builtin<bool(int*, int*, int)>(kBuilds[0], std::string("atomic_compare_exchange_") + kind,
                                         std::string("PU3AS1VU7_Atomici") + expected_space + "ii");
      ASSERT_NE(exchange, nullptr);
      int memory = 5, expected = 4;
      EXPECT_FALSE(exchange(&memory, &expected, 9));
      EXPECT_EQ(memory, 5);
      EXPECT_EQ(expected, 5);
      EXPECT_TRUE(exchange(&memory, &expected, 9));
      EXPECT_EQ(memory, 9);
      EXPECT_EQ(expected, 5);
    }
}

TEST(AtomicC11, Flag) {
  auto* set = builtin<bool(int*)>(kBuilds[0], "atomic_flag_test_and_set", "PU3AS4VU7_Atomici");
  auto* clear = builtin<void(int*)>(kBuilds[0], "atomic_flag_clear", "PU3AS4VU7_Atomici");
  int flag = 0;
  EXPECT_FALSE(set(&flag));
  EXPECT_TRUE(set(&flag));
  clear(&flag);
  EXPECT_FALSE(set(&flag));
}

TEST(AtomicC11, FloatMinMaxPreferNumbers) {
  auto* min = builtin<float(float*, float)>(kBuilds[0], "atomic_fetch_min", "PU3AS1VU7_Atomicff");
  auto* max = builtin<float(float*, float)>(kBuilds[0], "atomic_fetch_max", "PU3AS1VU7_Atomicff");
  float memory = NAN;
  EXPECT_TRUE(std::isnan(min(&memory, 2)));
  EXPECT_EQ(memory, 2);
  EXPECT_EQ(max(&memory, NAN), 2);
  EXPECT_EQ(memory, 2);
}

TEST(AtomicC11, Threads) {
  auto* add = builtin<float(float*, float, int)>(kBuilds[0], "atomic_fetch_add_explicit",
                                                 "PU3AS1VU7_Atomicff12memory_order");
  auto* increment = builtin<int(int*)>(kBuilds[0], "atomic_inc", "PU3AS1Vi");
  ASSERT_TRUE(add && increment);
  constexpr int kThreads = 4, kTimes = 20000;
  float sum = 0;
  int count = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i)
    threads.emplace_back([&] {
      for (int j = 0; j < kTimes; ++j) {
        add(&sum, 1, __ATOMIC_RELAXED);
        increment(&count);
      }
    });
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(sum, kThreads * kTimes);
  EXPECT_EQ(count, kThreads * kTimes);
}

} // namespace
} // namespace heddle::test
