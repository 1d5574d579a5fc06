// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SVM and USM beside buffers: kernels on each, copies and fills by size, allocating and freeing,
// queries of a pointer among many allocations. Any driver, through the ICD loader; what it lacks is
// left out.
//
//   shared_memory_bench [--lines] [--small] [--most MIB]    --lines: name<TAB>microseconds, for
//   compare_drivers; --most: the largest allocation, 1024 if not given
#include "tests/api/shared_memory.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <optional>
#include <random>
#include <thread>

namespace {

using namespace heddle::test;

bool lines = false;
bool small = false;
cl_ulong most_mib = 1024;

double now() {
  return std::chrono::duration<double, std::micro>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

using Run = std::function<void()>;

// Microseconds of one of `count` runs.
double time_of(const Run& run, int count) {
  const auto start = now();
  for (int i = 0; i != count; ++i)
    run();
  return (now() - start) / count;
}

// Microseconds of each run: the least of several batches, each long enough for the clock. Batches
// of what is compared take turns, because memory is faster at some times than at others.
std::vector<double> measure_in_turns(const std::vector<Run>& runs) {
  std::vector<double> best(runs.size());
  std::vector<int> counts(runs.size(), 1);
  const double batch = small ? 50 : 3000;
  for (size_t i = 0; i != runs.size(); ++i) {
    runs[i]();
    while ((best[i] = time_of(runs[i], counts[i])) * counts[i] < batch && counts[i] <= 1 << 20)
      counts[i] *= 2;
  }
  for (int round = 0; round != (small ? 1 : 9); ++round)
    for (size_t i = 0; i != runs.size(); ++i)
      best[i] = std::min(best[i], time_of(runs[i], counts[i]));
  return best;
}

double measure(const Run& run) { return measure_in_turns({run})[0]; }

void row(const std::string& name, double microseconds, double bytes = 0) {
  if (lines)
    std::printf("%s\t%.4f\n", name.c_str(), microseconds);
  else if (bytes != 0)
    std::printf("%-44s %12.3f us %8.2f GB/s\n", name.c_str(), microseconds,
                bytes / microseconds / 1e3);
  else
    std::printf("%-44s %12.3f us\n", name.c_str(), microseconds);
  std::fflush(stdout);
}

std::string size_name(size_t bytes) {
  return bytes >= 1 << 30   ? std::to_string(bytes >> 30) + " GiB"
         : bytes >= 1 << 20 ? std::to_string(bytes >> 20) + " MiB"
                            : std::to_string(bytes >> 10) + " KiB";
}

const char* const kSource = R"(
  kernel void saxpy(global const float* x, global float* y, float a) {
    size_t i = get_global_id(0);
    y[i] = a * x[i] + y[i];
  })";

class Bench {
 public:
  Bench() {
    const auto extensions = " " + device_text(CL_DEVICE_EXTENSIONS) + " ";
    try {
      if (extensions.find(" cl_intel_unified_shared_memory ") != std::string::npos)
        usm_.emplace();
    } catch (const std::exception&) { // PoCL has the extension without clEnqueueMemsetINTEL
    }
    cl_device_svm_capabilities levels = 0;
    has_svm_ = clGetDeviceInfo(device(), CL_DEVICE_SVM_CAPABILITIES, sizeof levels, &levels,
                               nullptr) == CL_SUCCESS &&
               levels != 0;
    most_ =
        std::min<cl_ulong>(info<cl_ulong>(device(), CL_DEVICE_MAX_MEM_ALLOC_SIZE), most_mib << 20);
  }

  void run() {
    kernels();
    commands();
    allocations();
    queries();
  }

 private:
  void finish() { check(clFinish(queue_), "clFinish"); }
  void* usm_alloc(size_t bytes) {
    cl_int status = CL_SUCCESS;
    auto* memory = usm_->shared_alloc(context_, device(), nullptr, bytes, 0, &status);
    check(status, "clSharedMemAllocINTEL");
    return memory;
  }

  // With arguments that are set each time, as most programs do, and without. Two arrays of a size.
  void kernels() {
    const auto program = build(context_, kSource);
    for (const size_t bytes : {size_t{1} << 10, size_t{4} << 10, size_t{64} << 10, size_t{1} << 20,
                               size_t{16} << 20, size_t{256} << 20, size_t{1} << 30}) {
      if (bytes > most_ || (small && bytes > 1024))
        break;
      const std::vector<char> zeros(bytes);
      const auto x = make_buffer(context_, bytes, zeros.data(), CL_MEM_COPY_HOST_PTR);
      const auto y = make_buffer(context_, bytes, zeros.data(), CL_MEM_COPY_HOST_PTR);
      const int repeats = bytes <= 64 << 10 ? 10 : 1;
      std::vector<Kernel> kernels;
      std::vector<std::string> places;
      std::vector<Run> runs;
      const auto add = [&](const std::string& place, const std::function<void(cl_kernel)>& set) {
        const cl_kernel kernel = kernels.emplace_back(make_kernel(program, "saxpy"));
        check(set_arg(kernel, 2, 0.5f), "argument 2");
        set(kernel);
        const Range range{{bytes / sizeof(float)}, {}, {}};
        places.insert(places.end(), {place, place + ", arguments set"});
        for (const bool sets : {false, true})
          runs.push_back([=, this] {
            for (int i = 0; i != repeats; ++i) {
              if (sets)
                set(kernel);
              check(enqueue(queue_, kernel, range), "enqueue");
            }
            finish();
          });
      };
      add("buffers", [&](cl_kernel kernel) {
        check(set_arg(kernel, 0, x), "argument 0");
        check(set_arg(kernel, 1, y), "argument 1");
      });
      std::optional<SvmArray<char>> svm[2];
      if (has_svm_) {
        for (auto& array : svm)
          std::memset(array.emplace(context_, bytes).data(), 0, bytes);
        add("SVM", [&](cl_kernel kernel) {
          check(clSetKernelArgSVMPointer(kernel, 0, svm[0]->data()), "argument 0");
          check(clSetKernelArgSVMPointer(kernel, 1, svm[1]->data()), "argument 1");
        });
      }
      void* usm[2] = {};
      if (usm_) {
        for (auto*& array : usm)
          std::memset(array = usm_alloc(bytes), 0, bytes);
        add("USM", [&](cl_kernel kernel) {
          check(usm_->set_arg(kernel, 0, usm[0]), "argument 0");
          check(usm_->set_arg(kernel, 1, usm[1]), "argument 1");
        });
      }
      const auto times = measure_in_turns(runs);
      for (size_t i = 0; i != runs.size(); ++i)
        row("saxpy of " + size_name(bytes) + " on " + places[i], times[i] / repeats);
      for (auto* array : usm)
        if (array)
          check(usm_->blocking_free(context_, array), "free");
    }
  }

  void commands() {
    std::vector<size_t> sizes = {64, 4 << 10, 64 << 10, 1 << 20, 16 << 20, 256 << 20, 1 << 30};
    for (const auto size : sizes) {
      if (size > most_ || (small && size > 4096))
        break;
      const auto name = size < 1024 ? std::to_string(size) + " bytes" : size_name(size);
      const int repeats = size <= 64 << 10 ? 20 : 1;
      const cl_uint pattern[4] = {1, 2, 3, 4};
      const auto several = [&](const std::function<void()>& one) {
        return measure([&] {
                 for (int i = 0; i != repeats; ++i)
                   one();
                 finish();
               }) /
               repeats;
      };
      {
        const std::vector<char> ones(size, 1);
        const auto a = make_buffer(context_, size, ones.data(), CL_MEM_COPY_HOST_PTR);
        const auto b = make_buffer(context_, size, ones.data(), CL_MEM_COPY_HOST_PTR);
        row("copy of buffers, " + name, several([&] {
              check(clEnqueueCopyBuffer(queue_, a, b, 0, 0, size, 0, nullptr, nullptr), "copy");
            }),
            double(size));
      }
      if (has_svm_) {
        SvmArray<char> a(context_, size), b(context_, size);
        std::memset(a.data(), 1, size);
        std::memset(b.data(), 1, size);
        row("clEnqueueSVMMemcpy, " + name, several([&] {
              check(clEnqueueSVMMemcpy(queue_, CL_FALSE, b.data(), a.data(), size, 0, nullptr,
                                       nullptr),
                    "copy");
            }),
            double(size));
        row("clEnqueueSVMMemFill, " + name, several([&] {
              check(clEnqueueSVMMemFill(queue_, b.data(), pattern, 16, size, 0, nullptr, nullptr),
                    "fill");
            }),
            double(size));
      }
      if (usm_) {
        auto *a = usm_alloc(size), *b = usm_alloc(size);
        std::memset(a, 1, size);
        std::memset(b, 1, size);
        row("clEnqueueMemcpyINTEL, " + name, several([&] {
              check(usm_->copy(queue_, CL_FALSE, b, a, size, 0, nullptr, nullptr), "copy");
            }),
            double(size));
        row("clEnqueueMemFillINTEL, " + name, several([&] {
              check(usm_->fill(queue_, b, pattern, 16, size, 0, nullptr, nullptr), "fill");
            }),
            double(size));
        check(usm_->blocking_free(context_, a), "free");
        check(usm_->blocking_free(context_, b), "free");
      }
    }
    std::vector<char> host(1 << 26), other(1 << 26, 1);
    if (!small && most_ >= host.size())
      row("memcpy of the host, one thread, 64 MiB", measure([&] {
            std::memcpy(host.data(), other.data(), host.size());
            asm volatile("" ::"r"(host.data()) : "memory");
          }),
          double(host.size()));
  }

  void allocations() {
    for (const size_t size : {size_t{4} << 10, size_t{64} << 10, size_t{1} << 20, size_t{16} << 20,
                              size_t{256} << 20, size_t{1} << 30}) {
      if (size > most_ || (small && size > 4096))
        break;
      const auto name = size_name(size);
      row("create and release a buffer, " + name,
          measure([&] { (void)make_buffer(context_, size); }));
      // Who clears new memory does so above or when it is touched first.
      row("create, fill and release a buffer, " + name, measure([&] {
            const auto buffer = make_buffer(context_, size);
            const cl_uint seven = 7;
            check(clEnqueueFillBuffer(queue_, buffer, &seven, 4, 0, size, 0, nullptr, nullptr),
                  "fill");
            finish();
          }));
      if (has_svm_)
        row("clSVMAlloc and clSVMFree, " + name,
            measure([&] { SvmArray<char> memory(context_, size); }));
      if (usm_) {
        row("allocate and free shared USM, " + name,
            measure([&] { check(usm_->free(context_, usm_alloc(size)), "free"); }));
        row("allocate and free with a wait, shared USM, " + name,
            measure([&] { check(usm_->blocking_free(context_, usm_alloc(size)), "free"); }));
      }
    }
  }

  void queries() {
    if (!usm_)
      return;
    for (const size_t count : {size_t{1}, size_t{1000}, size_t{1'000'000}}) {
      if (small && count > 1000)
        break;
      std::vector<char*> all;
      for (size_t i = 0; i != count; ++i)
        all.push_back(static_cast<char*>(usm_alloc(64)));
      const auto look = [&](unsigned seed) {
        std::minstd_rand random(seed);
        const int looks = small ? 10 : 20'000;
        const auto start = now();
        for (int i = 0; i != looks; ++i) {
          cl_uint type = 0;
          check(usm_->info(context_, all[random() % count] + 8, CL_MEM_ALLOC_TYPE_INTEL,
                           sizeof type, &type, nullptr),
                "clGetMemAllocInfoINTEL");
        }
        return (now() - start) / looks;
      };
      const auto name = " among " + std::to_string(count);
      double best = look(1);
      for (int round = 0; round != 5; ++round)
        best = std::min(best, look(1));
      row("query of a pointer" + name, best);
      const unsigned threads = std::max(2u, std::thread::hardware_concurrency());
      std::vector<double> times(threads);
      std::vector<std::thread> running;
      for (unsigned t = 0; t != threads; ++t)
        running.emplace_back([&, t] { times[t] = look(t + 1); });
      for (auto& thread : running)
        thread.join();
      row("query of a pointer" + name + ", all threads",
          *std::min_element(times.begin(), times.end()));
      for (auto* memory : all)
        check(usm_->free(context_, memory), "free");
    }
  }

  Context context_ = make_context();
  Queue queue_ = make_queue(context_);
  std::optional<Usm> usm_;
  bool has_svm_ = false;
  cl_ulong most_ = 0;
};

} // namespace

int main(int count, char** arguments) {
  for (int i = 1; i != count; ++i) {
    lines |= !std::strcmp(arguments[i], "--lines");
    small |= !std::strcmp(arguments[i], "--small");
    if (!std::strcmp(arguments[i], "--most") && i + 1 != count)
      most_mib = std::strtoull(arguments[++i], nullptr, 10);
  }
  try {
    Bench().run();
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "%s\n", failure.what());
    return 1;
  }
  return 0;
}
