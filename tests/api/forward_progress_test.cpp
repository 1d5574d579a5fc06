// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Independent forward progress: sub-groups of a group that wait for each other without a barrier
// (OpenCL C 6.15.19). ctest runs these tests at several sub-group sizes. A driver without it never
// ends them.
#include "tests/api/api_test.h"

#include <numeric>
#include <string>

namespace heddle::test {
namespace {

constexpr size_t kGroups = 3;
// Also a size whose last sub-group is not full.
constexpr size_t kGroupSizes[] = {1, 64, 200, 1024};

class ForwardProgress : public ApiTest {
 protected:
  // Runs k(global int* words, global int* out) in groups of each size: `words` is as long as the
  // range, and zero. expected(i, size) is out[i] of the i-th work-item in groups of this size.
  template <class Expected>
  void expect(const std::string& source, Expected expected, const char* options = "-cl-std=CL3.0") {
    const auto program = build(context_, source, options);
    const auto kernel = make_kernel(program, "k");
    for (const auto size : kGroupSizes) {
      SCOPED_TRACE(size);
      const auto items = size * kGroups;
      const std::vector<cl_int> zeros(items);
      const auto words = make_buffer(context_, items * sizeof(cl_int), zeros.data(),
                                     CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR);
      const auto out = make_buffer(context_, items * sizeof(cl_int), zeros.data(),
                                   CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR);
      set_args(kernel, words, out);
      run(queue_, kernel, {{items}, {size}, {}});
      const auto results = read<cl_int>(queue_, out, items);
      for (size_t i = 0; i < items; ++i)
        ASSERT_EQ(results[i], expected(i, size)) << "work-item " << i;
    }
  }
};

// The sub-group with the highest id begins, and each of the others continues what the next one has
// left.
const std::string kDescending = R"(
  void wait_for(volatile global atomic_int* turn, int value) {
    while (atomic_load_explicit(turn, memory_order_acquire, memory_scope_work_group) != value)
      ;
  }
  kernel void k(global int* words, global int* out) {
    volatile global atomic_int* turn = (volatile global atomic_int*)words + get_group_id(0) * get_local_size(0);
    const int after_me = get_num_sub_groups() - 1 - get_sub_group_id();
    if (get_sub_group_local_id() == 0)
      wait_for(turn, after_me);
    sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
    out[get_global_id(0)] = atomic_load_explicit(turn, memory_order_relaxed, memory_scope_work_group);
    sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
    if (get_sub_group_local_id() == 0)
      atomic_store_explicit(turn, after_me + 1, memory_order_release, memory_scope_work_group);
    // What it must be: the sub-groups behind this one.
    out[get_global_id(0)] -= after_me;
  }
)";

TEST_F(ForwardProgress, OneByOneFromTheLastSubGroup) {
  expect(kDescending, [](size_t, size_t) { return 0; });
}

TEST_F(ForwardProgress, WithoutOptimizations) {
  expect(
      kDescending, [](size_t, size_t) { return 0; }, "-cl-std=CL3.0 -cl-opt-disable");
}

TEST_F(ForwardProgress, WaitsInFunctionsThatAreNotInlined) {
  auto source = kDescending;
  source.insert(source.find("void wait_for"), "__attribute__((noinline)) ");
  expect(source, [](size_t, size_t) { return 0; });
}

// All lanes wait, and the condition is not an exit of its own.
TEST_F(ForwardProgress, AllLanesWaitForTheLastSubGroup) {
  expect(R"(
    kernel void k(global int* words, global int* out) {
      volatile global atomic_int* flag = (volatile global atomic_int*)words + get_group_id(0) * get_local_size(0);
      int seen = 0, done = get_sub_group_id() == get_num_sub_groups() - 1;
      if (done && get_sub_group_local_id() == 0)
        atomic_store_explicit(flag, 5, memory_order_release, memory_scope_work_group);
      while (!done) {
        seen = atomic_load_explicit(flag, memory_order_acquire, memory_scope_work_group);
        if (seen > 4)
          done = 1;
      }
      out[get_global_id(0)] = get_sub_group_id() == get_num_sub_groups() - 1 || seen == 5;
    }
  )",
         [](size_t, size_t) { return 1; });
}

TEST_F(ForwardProgress, IsReported) {
  EXPECT_NE(device_text(CL_DEVICE_EXTENSIONS).find("cl_khr_subgroups "), std::string::npos);
  EXPECT_EQ(info<cl_bool>(device(), CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS), CL_TRUE);
}

// One loop goes from flag to flag, and stays at each until it is set.
TEST_F(ForwardProgress, OneLoopForAllFlags) {
  expect(R"(
    kernel void k(global int* words, global int* out) {
      volatile global atomic_int* flags = (volatile global atomic_int*)words + get_group_id(0) * get_local_size(0);
      const int count = get_num_sub_groups();
      int seen = 0;
      if (get_sub_group_local_id() == 0) {
        atomic_store_explicit(flags + get_sub_group_id(), 1, memory_order_release, memory_scope_work_group);
        while (seen < count)
          if (atomic_load_explicit(flags + seen, memory_order_acquire, memory_scope_work_group) != 0)
            ++seen;
        seen -= count;
      }
      out[get_global_id(0)] = seen;
    }
  )",
         [](size_t, size_t) { return 0; });
}

TEST_F(ForwardProgress, OneOfTwoFlags) {
  expect(R"(
    kernel void k(global int* words, global int* out) {
      local atomic_int flags[2];
      if (get_local_id(0) == 0) {
        atomic_init(flags, 0);
        atomic_init(flags + 1, 0);
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      if (get_local_id(0) == get_local_size(0) - 1)
        atomic_store_explicit(flags + 1, 1, memory_order_release, memory_scope_work_group);
      sub_group_barrier(CLK_LOCAL_MEM_FENCE);
      int which = 0;
      while (atomic_load_explicit(which ? flags + 1 : flags, memory_order_acquire, memory_scope_work_group) == 0)
        which = !which;
      out[get_global_id(0)] = which;
    }
  )",
         [](size_t, size_t) { return 1; });
}

// A counter of which the lowest bit is the index.
TEST_F(ForwardProgress, FlagsInTurnByACounter) {
  expect(R"(
    kernel void k(global int* words, global int* out) {
      local atomic_int flags[2];
      if (get_local_id(0) < 2)
        atomic_init(flags + get_local_id(0), 0);
      if (get_local_size(0) == 1)
        atomic_init(flags + 1, 0);
      barrier(CLK_LOCAL_MEM_FENCE);
      if (get_local_id(0) == get_local_size(0) - 1)
        atomic_store_explicit(flags + 1, 1, memory_order_release, memory_scope_work_group);
      sub_group_barrier(CLK_LOCAL_MEM_FENCE);
      uint i = 0;
      while (atomic_load_explicit(flags + (i & 1), memory_order_acquire, memory_scope_work_group) == 0)
        ++i;
      out[get_global_id(0)] = i & 1;
    }
  )",
         [](size_t, size_t) { return 1; });
}

// What OpenCL C 1.x has for it: volatile local memory and fences.
TEST_F(ForwardProgress, VolatileFlagsInLocalMemory) {
  expect(R"(
    kernel void k(global int* words, global int* out) {
      volatile local int turn, value;
      const int last = (get_local_size(0) - 1) / 64, me = get_local_id(0) / 64;
      if (get_local_id(0) == 0)
        turn = last, value = 100;
      barrier(CLK_LOCAL_MEM_FENCE);
      if (get_local_id(0) % 64 == 0) {
        while (turn != me)
          ;
        mem_fence(CLK_LOCAL_MEM_FENCE);
        value = value * 3 % 1000 + me;
        mem_fence(CLK_LOCAL_MEM_FENCE);
        turn = me - 1;
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      out[get_global_id(0)] = value;
    }
  )",
         [](size_t, size_t size) {
           int value = 100;
           for (int me = static_cast<int>((size - 1) / 64); me >= 0; --me)
             value = value * 3 % 1000 + me;
           return value;
         },
         "-cl-std=CL1.2");
}

TEST_F(ForwardProgress, NeighborsTakeTurnsManyTimes) {
  expect(R"(
    kernel void k(global int* words, global int* out) {
      local atomic_int ball;
      if (get_local_id(0) == 0)
        atomic_init(&ball, 0);
      barrier(CLK_LOCAL_MEM_FENCE);
      const int count = get_num_sub_groups();
      if (get_sub_group_local_id() == 0)
        for (int round = 0; round < 50; ++round) {
          const int mine = round * count + (get_sub_group_id() + 1) % count;
          while (atomic_load_explicit(&ball, memory_order_acquire, memory_scope_work_group) != mine)
            ;
          atomic_store_explicit(&ball, mine + 1, memory_order_release, memory_scope_work_group);
        }
      barrier(CLK_LOCAL_MEM_FENCE);
      out[get_global_id(0)] = atomic_load(&ball) == 50 * count;
    }
  )",
         [](size_t, size_t) { return 1; });
}

// Locks that are held while others run. The first sub-group keeps it until the last one has asked
// for it.
TEST_F(ForwardProgress, Locks) {
  const std::pair<const char*, const char*> locks[] = {
      {"while (atomic_xchg(lock, 1) != 0);", "atomic_xchg(lock, 0);"},
      {"while (atomic_cmpxchg(lock, 0, 1) != 0);", "atomic_xchg(lock, 0);"},
      {"while (atomic_or(lock, 4) & 4);", "atomic_and(lock, 0);"},
      {"int none = 0; while (!atomic_compare_exchange_weak((volatile local atomic_int*)lock, "
       "&none, 1)) none = 0;",
       "atomic_store((volatile local atomic_int*)lock, 0);"},
      {"while (atomic_flag_test_and_set((volatile local atomic_flag*)lock));",
       "atomic_flag_clear((volatile local atomic_flag*)lock);"},
      // One bit, by an exchange that expects the rest of the word.
      {"for (int seen;;) { seen = *lock & ~1; if (atomic_cmpxchg(lock, seen, seen | 1) == seen) "
       "break; }",
       "atomic_and(lock, ~1);"},
      {"while (set(lock, 4) & 4);", "atomic_and(lock, ~4);"},
      // Who is not the first one takes the count back.
      {"while (atomic_inc(lock) != 0) atomic_dec(lock);", "atomic_dec(lock);"},
  };
  for (const auto& [take, give] : locks) {
    SCOPED_TRACE(take);
    expect(std::string(R"(
      int set(volatile local int* word, int bits) {
        int old = *(local int*)word, seen;
        while ((seen = atomic_cmpxchg(word, old, old | bits)) != old)
          old = seen;
        return old;
      }
      kernel void k(global int* words, global int* out) {
        volatile local int lock_word, asked, sum;
        volatile local int* lock = &lock_word;
        if (get_local_id(0) == 0)
          lock_word = asked = sum = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (get_sub_group_local_id() == 0) {
          if (get_sub_group_id() == get_num_sub_groups() - 1)
            asked = 1;
          )") + take +
               R"(
          const int before = sum;
          while (asked == 0)
            ;
          sum = before + 1;
          )" + give +
               R"(
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        out[get_global_id(0)] = sum == get_num_sub_groups();
      }
    )",
           [](size_t, size_t) { return 1; });
  }
}

// Sub-groups arrive at barriers and work-group functions in any order, and some late.
TEST_F(ForwardProgress, BesideBarriersAndWorkGroupFunctions) {
  expect(R"(
    kernel void k(global int* words, global int* out) {
      volatile global atomic_int* turn = (volatile global atomic_int*)words + get_group_id(0) * get_local_size(0);
      const int count = get_num_sub_groups(), me = get_sub_group_id();
      int sum = 0;
      for (int round = 0; round < 4; ++round) {
        if (get_sub_group_local_id() == 0) {
          while (atomic_load_explicit(turn, memory_order_acquire, memory_scope_work_group) != round * count + (me + round) % count)
            ;
          atomic_fetch_add_explicit(turn, 1, memory_order_release, memory_scope_work_group);
        }
        sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
        sum += work_group_scan_inclusive_add((int)get_local_id(0) + round);
        sum += work_group_broadcast((int)get_local_id(0), get_local_size(0) - 1);
        sum += work_group_reduce_max(get_local_id(0) == 0 ? 7 : 0);
        barrier(CLK_GLOBAL_MEM_FENCE);
      }
      out[get_global_id(0)] = sum;
    }
  )",
         [](size_t i, size_t size) {
           const auto lane = static_cast<int>(i % size);
           const auto last = static_cast<int>(size) - 1;
           return 4 * (lane * (lane + 1) / 2) + (lane + 1) * (0 + 1 + 2 + 3) + 4 * last + 4 * 7;
         });
}

// One sub-group fills a ring in local memory, another one empties it.
TEST_F(ForwardProgress, ProducerAndConsumer) {
  expect(R"(
    kernel void k(global int* words, global int* out) {
      local int ring[4];
      local atomic_int written, taken;
      if (get_local_id(0) == 0) {
        atomic_init(&written, 0);
        atomic_init(&taken, 0);
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      int sum = 0;
      if (get_num_sub_groups() == 1)
        sum = 100 * 99 / 2;
      else if (get_sub_group_id() == 0 && get_sub_group_local_id() == 0)
        for (int i = 0; i < 100; ++i) {
          while (atomic_load_explicit(&written, memory_order_acquire, memory_scope_work_group) <= i)
            ;
          sum += ring[i % 4];
          atomic_store_explicit(&taken, i + 1, memory_order_release, memory_scope_work_group);
        }
      else if (get_sub_group_id() == 1 && get_sub_group_local_id() == 0)
        for (int i = 0; i < 100; ++i) {
          while (i - atomic_load_explicit(&taken, memory_order_acquire, memory_scope_work_group) >= 4)
            ;
          ring[i % 4] = i;
          atomic_store_explicit(&written, i + 1, memory_order_release, memory_scope_work_group);
        }
      out[get_global_id(0)] = work_group_reduce_max(sum);
    }
  )",
         [](size_t, size_t) { return 100 * 99 / 2; });
}

// A pointer that promises no other accesses of the work-item: others write there all the same.
TEST_F(ForwardProgress, ReadsAgainWhatOthersWrote) {
  expect(R"(
    kernel void k(global int* restrict words, global int* restrict out) {
      local atomic_int ready;
      if (get_local_id(0) == 0)
        atomic_init(&ready, 0);
      barrier(CLK_LOCAL_MEM_FENCE);
      global int* mine = words + get_group_id(0) * get_local_size(0);
      int before = -1, after = 3;
      if (get_sub_group_id() == get_num_sub_groups() - 1) {
        if (get_sub_group_local_id() == 0) {
          mine[0] = 3;
          atomic_store_explicit(&ready, 1, memory_order_release, memory_scope_work_group);
        }
      } else {
        before = mine[0];
        while (atomic_load_explicit(&ready, memory_order_acquire, memory_scope_work_group) == 0)
          ;
        after = mine[0];
      }
      out[get_global_id(0)] = after + (before > 3);
    }
  )",
         [](size_t, size_t) { return 3; });
}

} // namespace
} // namespace heddle::test
