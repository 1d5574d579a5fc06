// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host and a kernel on the same places at the same time, by atomics with
// memory_scope_all_svm_devices on the one side and std::atomic on the other.
#include "tests/api/api_test.h"
#include "tests/api/half_bits.h"
#include "tests/api/shared_memory.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <set>
#include <thread>

namespace heddle::test {
namespace {

constexpr cl_svm_mem_flags kFlags =
    CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS;

class SharedAtomics : public ApiTest {
 protected:
  Program build_atomics(const std::string& source) {
    return build(context_, source, "-cl-std=CL3.0");
  }
};

// Kernel and host add to one counter; each sees each value once.
TEST_F(SharedAtomics, NoAdditionIsLost) {
  for (const char* order : {"memory_order_relaxed", "memory_order_acquire", "memory_order_release",
                            "memory_order_acq_rel", "memory_order_seq_cst"}) {
    const auto program = build_atomics(
        std::string("kernel void k(global atomic_int* p, global int* seen) {"
                    "  for (int i = 0; i < 50; ++i)"
                    "    seen[get_global_id(0) * 50 + i] = atomic_fetch_add_explicit(p, 1, ") +
        order + ", memory_scope_all_svm_devices); }");
    const auto kernel = make_kernel(program, "k");
    constexpr int kItems = 1000, kHost = 20'000;
    SvmArray<std::atomic<int>> counter(context_, 1, kFlags);
    SvmArray<cl_int> seen(context_, kItems * 50);
    check(clSetKernelArgSVMPointer(kernel, 0, counter.data()), "argument 0");
    check(clSetKernelArgSVMPointer(kernel, 1, seen.data()), "argument 1");
    check(enqueue(queue_, kernel, {{kItems}, {10}, {}}), "enqueue");
    check(clFlush(queue_), "clFlush");
    std::vector<int> all(kHost);
    for (auto& value : all)
      value = counter[0].fetch_add(1);
    check(clFinish(queue_), "clFinish");
    EXPECT_EQ(counter[0].load(), kItems * 50 + kHost) << order;
    all.insert(all.end(), seen.data(), seen.data() + kItems * 50);
    std::sort(all.begin(), all.end());
    for (int i = 0; i != int(all.size()); ++i)
      ASSERT_EQ(all[i], i) << order;
  }
}

// Adds to a number of the type whose bits are there, by compare-and-exchange.
template <class Bits, class Add>
void add_by_exchange(void* place, Add add) {
  auto& bits = *static_cast<std::atomic<Bits>*>(place);
  Bits old = bits.load(std::memory_order_relaxed);
  while (!bits.compare_exchange_weak(old, add(old)))
    ;
}
template <class Bits, class Value>
void add_value(void* place, int addend) {
  add_by_exchange<Bits>(place, [&](Bits old) {
    return std::bit_cast<Bits>(Value(std::bit_cast<Value>(old) + Value(addend)));
  });
}

// Threads of the host and kernels add to one number of each type, while both are at it. A
// work-item adds and takes away 1, a thread 64, so that all sums on the way are exact, also of
// halves, and whatever one side overwrites is missing in the total.
TEST_F(SharedAtomics, TotalsOfHostAndKernelsAreExact) {
  struct Type {
    const char* name;
    void (*add)(void* place, int addend);
    double (*value)(const void* place);
  };
  const Type types[] = {
      {"int", add_value<cl_uint, cl_int>,
       [](const void* p) { return double(*static_cast<const cl_int*>(p)); }},
      {"long", add_value<cl_ulong, cl_long>,
       [](const void* p) { return double(*static_cast<const cl_long*>(p)); }},
      {"float", add_value<cl_uint, cl_float>,
       [](const void* p) { return double(*static_cast<const cl_float*>(p)); }},
      {"double", add_value<cl_ulong, cl_double>,
       [](const void* p) { return *static_cast<const cl_double*>(p); }},
      {"half",
       [](void* place, int addend) {
         add_by_exchange<cl_half>(place,
                                  [&](cl_half old) { return to_half(half_value(old) + addend); });
       },
       [](const void* p) { return double(half_value(*static_cast<const cl_half*>(p))); }},
  };
  constexpr int kItems = 64, kRepeats = 8, kThreads = 2;
  for (const auto& type : types) {
    const std::string name = type.name;
    const std::string add = "atomic_fetch_add_explicit(p, (" + name +
                            ")(i & 1 ? -1 : 1), ORDER, memory_scope_all_svm_devices);";
    const auto program = build_atomics(
        "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\nkernel void k(global atomic_" + name +
        "* p, int rounds) { for (int i = 0; i <= 2 * rounds; ++i)"
        " if (i & 2) " +
        std::string(add).replace(add.find("ORDER"), 5, "memory_order_relaxed") + " else " +
        std::string(add).replace(add.find("ORDER"), 5, "memory_order_seq_cst") + "}");
    const auto kernel = make_kernel(program, "k");
    for (int repeat = 0; repeat != kRepeats; ++repeat) {
      SvmArray<cl_ulong> place(context_, 1, kFlags);
      place[0] = 0;
      check(clSetKernelArgSVMPointer(kernel, 0, place.data()), "argument 0");
      check(set_arg(kernel, 1, cl_int(1000)), "argument 1");
      Event event;
      check(enqueue(queue_, kernel, {{kItems}, {16}, {}}, event.out()), "enqueue");
      check(clFlush(queue_), "clFlush");
      std::vector<std::thread> threads;
      for (int thread = 0; thread != kThreads; ++thread)
        threads.emplace_back([&] {
          cl_int status = CL_QUEUED;
          for (int i = 0; status > CL_COMPLETE || i < 1000; ++i) {
            type.add(place.data(), 64);
            type.add(place.data(), -64);
            if (i % 16 == 0)
              clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status,
                             nullptr);
          }
          type.add(place.data(), 64);
        });
      for (auto& thread : threads)
        thread.join();
      check(clFinish(queue_), "clFinish");
      EXPECT_EQ(type.value(place.data()), kItems + 64 * kThreads) << name;
    }
  }
}

// Message passing and store buffering against a kernel that runs all the while: `round` starts
// each. One work-item, so that it depends on no other.
TEST_F(SharedAtomics, LitmusTests) {
  struct Shared {
    std::atomic<int> round, x, y, kernel_saw_x, kernel_saw_y, done;
  };
  struct Test {
    const char* name;
    const char* kernel; // what the work-item does in a round
    void (*host)(Shared&, int&, int&);
    bool (*is_forbidden)(const Shared&, int, int);
  };
  const Test tests[] = {
      {"message passing to the host, release and acquire",
       "atomic_store_explicit(&s->x, 1, memory_order_relaxed, memory_scope_all_svm_devices);"
       "atomic_store_explicit(&s->y, 1, memory_order_release, memory_scope_all_svm_devices);",
       [](Shared& s, int& a, int& b) {
         a = s.y.load(std::memory_order_acquire);
         b = s.x.load(std::memory_order_relaxed);
       },
       [](const Shared&, int y, int x) { return y == 1 && x == 0; }},
      {"message passing to the kernel, release and acquire",
       "int y = atomic_load_explicit(&s->y, memory_order_acquire, memory_scope_all_svm_devices);"
       "int x = atomic_load_explicit(&s->x, memory_order_relaxed, memory_scope_all_svm_devices);"
       "s->saw_y = y; s->saw_x = x;",
       [](Shared& s, int&, int&) {
         s.x.store(1, std::memory_order_relaxed);
         s.y.store(1, std::memory_order_release);
       },
       [](const Shared& s, int, int) { return s.kernel_saw_y == 1 && s.kernel_saw_x == 0; }},
      {"message passing by fences",
       "atomic_store_explicit(&s->x, 1, memory_order_relaxed, memory_scope_all_svm_devices);"
       "atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, "
       "memory_scope_all_svm_devices);"
       "atomic_store_explicit(&s->y, 1, memory_order_relaxed, memory_scope_all_svm_devices);",
       [](Shared& s, int& a, int& b) {
         a = s.y.load(std::memory_order_relaxed);
         std::atomic_thread_fence(std::memory_order_acquire);
         b = s.x.load(std::memory_order_relaxed);
       },
       [](const Shared&, int y, int x) { return y == 1 && x == 0; }},
      {"store buffering, sequentially consistent",
       "atomic_store_explicit(&s->x, 1, memory_order_seq_cst, memory_scope_all_svm_devices);"
       "s->saw_y = atomic_load_explicit(&s->y, memory_order_seq_cst, "
       "memory_scope_all_svm_devices);",
       [](Shared& s, int& a, int&) {
         s.y.store(1, std::memory_order_seq_cst);
         a = s.x.load(std::memory_order_seq_cst);
       },
       [](const Shared& s, int x, int) { return x == 0 && s.kernel_saw_y == 0; }},
      {"load buffering",
       "s->saw_x = atomic_load_explicit(&s->x, memory_order_acquire, "
       "memory_scope_all_svm_devices);"
       "atomic_store_explicit(&s->y, 1, memory_order_release, memory_scope_all_svm_devices);",
       [](Shared& s, int& a, int&) {
         a = s.y.load(std::memory_order_acquire);
         s.x.store(1, std::memory_order_release);
       },
       [](const Shared& s, int y, int) { return y == 1 && s.kernel_saw_x == 1; }},
      {"exchange: one of two gets the other's value",
       "s->saw_x = atomic_exchange_explicit(&s->x, 1, memory_order_acq_rel, "
       "memory_scope_all_svm_devices);",
       [](Shared& s, int& a, int&) { a = s.x.exchange(1); },
       [](const Shared& s, int x, int) { return x == s.kernel_saw_x; }},
      {"compare-and-exchange: one of two wins",
       "int none = 0;"
       "s->saw_x = atomic_compare_exchange_strong_explicit(&s->x, &none, 1, memory_order_acq_rel, "
       "memory_order_relaxed, memory_scope_all_svm_devices);",
       [](Shared& s, int& a, int&) {
         int none = 0;
         a = s.x.compare_exchange_strong(none, 2);
       },
       [](const Shared& s, int host_won, int) { return host_won == s.kernel_saw_x; }},
  };
  constexpr int kRounds = 3000;
  for (const auto& test : tests) {
    SCOPED_TRACE(test.name);
    const auto program = build_atomics(
        std::string("typedef struct { atomic_int round, x, y; int saw_x, saw_y; atomic_int done; }"
                    " Shared;"
                    "kernel void k(global Shared* s, int rounds) {"
                    "  for (int round = 1; round <= rounds; ++round) {"
                    "    while (atomic_load_explicit(&s->round, memory_order_acquire,"
                    "           memory_scope_all_svm_devices) < round);") +
        test.kernel +
        "    atomic_store_explicit(&s->done, round, memory_order_release,"
        "                          memory_scope_all_svm_devices); } }");
    const auto kernel = make_kernel(program, "k");
    SvmArray<Shared> shared(context_, 1, kFlags);
    auto& s = shared[0];
    check(clSetKernelArgSVMPointer(kernel, 0, &s), "argument 0");
    check(set_arg(kernel, 1, cl_int(kRounds)), "argument 1");
    check(enqueue(queue_, kernel, {{1}, {1}, {}}), "enqueue");
    check(clFlush(queue_), "clFlush");
    int forbidden = 0;
    for (int round = 1; round <= kRounds; ++round) {
      s.x.store(0);
      s.y.store(0);
      s.kernel_saw_x.store(0);
      s.kernel_saw_y.store(0);
      int a = 0, b = 0;
      s.round.store(round, std::memory_order_release);
      test.host(s, a, b);
      for (int spins = 0; s.done.load(std::memory_order_acquire) < round; ++spins)
        if (spins > 1000)
          std::this_thread::yield();
      forbidden += test.is_forbidden(s, a, b);
    }
    check(clFinish(queue_), "clFinish");
    EXPECT_EQ(forbidden, 0) << "of " << kRounds;
  }
}

} // namespace
} // namespace heddle::test
