// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/program/compiler_host.h"

#include "runtime/allocation/shadowed_memory.h"
#include "runtime/core/clock.h"
#include "runtime/core/options.h"
#include "runtime/device/features.h"
#include "runtime/execution/fault_guard.h"
#include "runtime/program/compiler_library.h"
#include "runtime/program/target_cpu.h"

#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <pthread.h>
#include <span>
#include <unistd.h>
#include <utility>

namespace heddle::compiler_host {
namespace {

constexpr std::size_t kStackBytes = 256u << 20; // address space; only what is used becomes memory
constexpr std::size_t kLeastStackBytes = 4u << 20;
constexpr std::chrono::seconds kGrace{2};
constexpr unsigned kWallFactor = 10; // as in compiler/support/limits.h
// How often a build's cancellation is looked for, and, every so many times, what it uses.
constexpr std::chrono::milliseconds kLookInterval{10};
constexpr unsigned kLooksPerWatch = 10;
constexpr std::chrono::milliseconds kLeaveInterval{5};
// How long a cancelled build may take to reach a place where the compiler checks its limits.
constexpr std::chrono::milliseconds kCancelGrace{500};
constexpr int kMaxLeaveTries = 400;

// See leave_cancelled().
std::atomic<bool> leaves_cancelled{false};

heddle_blob blob(std::span<const std::byte> bytes) { return {bytes.data(), bytes.size()}; }
heddle_blob blob(const std::string& text) { return {text.data(), text.size()}; }
std::vector<std::byte> bytes_of(const heddle_blob& blob) {
  const auto* first = static_cast<const std::byte*>(blob.data);
  return {first, first + blob.size};
}

// The state of a request, shared with its thread, because a stuck build outlives run().
struct Job {
  CompileRequest request;
  const compiler_library::Library* library = nullptr;
  CompileResult result;
  std::mutex mutex;
  std::condition_variable changed;
  bool done = false;
  bool stays = false; // the thread does not end, see stay()
};

void compile(Job& job) {
  const auto& api = *job.library->api;
  const auto& in = job.request;
  std::vector<heddle_header> headers;
  for (const auto& [name, text] : in.headers)
    headers.push_back({name.c_str(), blob(text)});
  std::vector<heddle_blob> inputs;
  for (const auto& input : in.inputs)
    inputs.push_back(blob(input));
  std::vector<const char*> words;
  for (const auto& option : in.options)
    words.push_back(option.c_str());
  std::vector<heddle_spec_constant> spec_constants;
  for (const auto& [id, value] : in.spec_constants)
    spec_constants.push_back({id, blob(value)});
  heddle_request request{};
  request.goal = in.goal;
  request.source = blob(in.source);
  request.il = blob(in.il);
  request.spec_constants = spec_constants.data();
  request.spec_constant_count = spec_constants.size();
  request.source_name = in.source_name.c_str();
  request.working_directory = in.working_directory.empty() ? nullptr : in.working_directory.c_str();
  request.headers = headers.data();
  request.header_count = headers.size();
  request.inputs = inputs.data();
  request.input_count = inputs.size();
  request.options = words.data();
  request.option_count = words.size();
  request.extensions = features::compiler_names().c_str();
  request.cpu = target_cpu().c_str();
  request.kernel = in.kernel.empty() ? nullptr : in.kernel.c_str();
  request.specialization = in.specialization;
  auto& specialization = request.specialization;
  if (specialization.lanes == 0)
    specialization.lanes = options().WIDTH;
  if (specialization.rows == 0)
    specialization.rows = options().ROWS;
  specialization.has_disjoint_arguments &= options().DISJOINT;
  request.cancelled = in.cancelled.get();
  request.force_fibers = options().BARRIERS == "fibers" ? 1 : 0;
  request.force_promotion = options().BARRIERS == "registers" ? 1 : 0;
  request.skipped_passes = options().SKIP.c_str();
  request.max_seconds = options().BUILD_SECONDS;
  request.max_memory_bytes = std::uint64_t{options().BUILD_MEGABYTES} << 20;
  request.checks = (options().CHECK.division ? HEDDLE_CHECK_DIVISION : 0) |
                   (options().CHECK.memory ? HEDDLE_CHECK_MEMORY : 0) |
                   (options().CHECK.race ? HEDDLE_CHECK_RACE : 0) |
                   (options().CHECK.divergence ? HEDDLE_CHECK_DIVERGENCE : 0) |
                   (options().CHECK.uninitialized ? HEDDLE_CHECK_UNINITIALIZED : 0) |
                   (shadowed_memory::is_available() ? HEDDLE_CHECK_BUFFERS : 0);
  request.time_passes = options().TIME_PASSES;
  request.print_after = options().PRINT_AFTER.c_str();
  request.print_changed = options().PRINT_CHANGED ? 1 : 0;
  request.verify_each = options().VERIFY_EACH ? 1 : 0;
  request.keep_folder = options().KEEP.c_str();
  request.fatal = [](void*, const char* message) { fault_guard::leave_guarded(message); };
  heddle_result* result = api.run(&request);
  job.result.status = result->status;
  job.result.log = result->log;
  job.result.output = bytes_of(result->output);
  job.result.metadata = bytes_of(result->metadata);
  job.result.dependencies.assign(result->dependencies,
                                 result->dependencies + result->dependency_count);
  api.free_result(result);
}

// Where a thread stays whose build ended at any instruction, by a fault or by ask_to_leave(): what
// it was changing on its heap may be inconsistent. Its end would give that heap to the next build.
// Builds that end where the compiler checks its limits are not among them.
[[noreturn]] void stay() {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, nullptr);
  for (;;)
    pause();
}

void* thread_main(void* argument) {
  std::unique_ptr<std::shared_ptr<Job>> owner(static_cast<std::shared_ptr<Job>*>(argument));
  auto& job = **owner;
  pthread_setname_np(pthread_self(), "heddle-build");
  Fault fault;
  bool stays = false;
  try {
    if (!fault_guard::run_guarded([&job] { compile(job); }, &fault)) {
      stays = fault.message.empty();
      job.result = {};
      job.result.log = "error: the compiler failed: " + fault.signal_name() + "\n";
    }
  } catch (const std::exception&) { // out of memory: no log
    job.result = {};
  }
  job.result.processor_time = std::chrono::nanoseconds(thread_nanoseconds());
  {
    const std::lock_guard lock(job.mutex);
    job.done = true;
    job.stays = stays;
    job.changed.notify_all();
  }
  if (stays) {
    owner.reset();
    stay();
  }
  return nullptr;
}

// Blocks all signals except those that a fault of the thread itself raises.
class OnlyFaultSignals {
 public:
  OnlyFaultSignals() {
    sigset_t set;
    sigfillset(&set);
    for (const int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS})
      sigdelset(&set, signal);
    pthread_sigmask(SIG_SETMASK, &set, &before_);
  }
  ~OnlyFaultSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_{};
};

// Returns 0 or an error number. Uses a smaller stack if the address space is limited.
int start_thread(pthread_t& thread, std::shared_ptr<Job>* owner) {
  const OnlyFaultSignals mask; // inherited by the new thread
  int error = EAGAIN;
  for (auto bytes = kStackBytes; error == EAGAIN && bytes >= kLeastStackBytes; bytes /= 4) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, bytes);
    error = pthread_create(&thread, &attributes, thread_main, owner);
    pthread_attr_destroy(&attributes);
  }
  return error;
}

bool is_cancelled(const Job& job) {
  const auto* cancelled = job.request.cancelled.get();
  return cancelled && __atomic_load_n(cancelled, __ATOMIC_RELAXED) != 0;
}

CompileResult failure(const std::string& why) {
  CompileResult result;
  result.log = "error: " + why + "\n";
  return result;
}

std::uint64_t resident_bytes() {
  std::FILE* file = std::fopen("/proc/self/statm", "re");
  if (!file)
    return 0;
  unsigned long long size = 0, resident = 0;
  const int fields = std::fscanf(file, "%llu %llu", &size, &resident);
  std::fclose(file);
  return fields == 2 ? resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) : 0;
}

// The compiler checks its limits at certain points. This checks from outside, with some tolerance,
// and catches builds that are stuck between them.
class Watch {
 public:
  explicit Watch(pthread_t thread) { has_clock_ = pthread_getcpuclockid(thread, &clock_) == 0; }

  // Of the build's thread; 0 if it has just ended.
  std::chrono::nanoseconds processor_time() const {
    timespec time{};
    if (!has_clock_ || clock_gettime(clock_, &time) != 0)
      return {};
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
  }

  // An error message if the build exceeds a limit, or null.
  const char* exceeded() const {
    const auto by_the_clock = std::chrono::steady_clock::now() - start_;
    if (seconds_.count() != 0 &&
        (processor_time() > seconds_ + kGrace || by_the_clock > kWallFactor * seconds_ + kGrace))
      return "the build exceeds the time limit HEDDLE_BUILD_SECONDS";
    if (memory_ != 0 && resident_bytes() > resident_at_start_ + memory_ + memory_ / 4)
      return "the build exceeds the memory limit HEDDLE_BUILD_MEGABYTES";
    return nullptr;
  }

 private:
  clockid_t clock_{};
  bool has_clock_ = false;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::chrono::seconds seconds_{options().BUILD_SECONDS};
  std::uint64_t memory_ = std::uint64_t{options().BUILD_MEGABYTES} << 20;
  std::uint64_t resident_at_start_ = resident_bytes();
};

} // namespace

CompileResult run(CompileRequest request) {
  const auto& library = compiler_library::library(request.il.empty() && request.inputs.empty());
  if (!library.api)
    return failure("cannot open the compiler: " + library.error);
  const auto keep_alive = std::exchange(request.keep_alive, nullptr);
  auto job = std::make_shared<Job>();
  job->request = std::move(request);
  job->library = &library;
  auto owner = std::make_unique<std::shared_ptr<Job>>(job);
  pthread_t thread;
  if (const int error = start_thread(thread, owner.get()))
    return failure(std::string("cannot create a thread for the build: ") + std::strerror(error));
  (void)owner.release(); // owned by the thread

  const Watch watch(thread);
  const char* why = nullptr;
  bool ends = true;
  {
    std::unique_lock lock(job->mutex);
    for (unsigned look = 1; !job->changed.wait_for(lock, kLookInterval, [&] { return job->done; });
         ++look) {
      if (is_cancelled(*job))
        why = "the build was cancelled";
      else if (look % kLooksPerWatch == 0)
        why = watch.exceeded();
      if (why)
        break;
      if (keep_alive && look % kLooksPerWatch == 0)
        keep_alive(watch.processor_time());
    }
    if (!job->done && is_cancelled(*job) && leaves_cancelled.load(std::memory_order_relaxed)) {
      pthread_detach(thread);
      return failure(why);
    }
    if (why && is_cancelled(*job))
      job->changed.wait_for(lock, kCancelGrace, [&] { return job->done; });
    // The thread leaves when it is inside the compiler's code; elsewhere (as in malloc) it may hold
    // locks of the process.
    for (int tries = 0; why && !job->done && tries < kMaxLeaveTries; ++tries) {
      fault_guard::ask_to_leave(thread, library.code, why);
      job->changed.wait_for(lock, kLeaveInterval, [&] { return job->done; });
    }
    if (!job->done) {
      pthread_detach(thread);
      return failure(why);
    }
    ends = !job->stays;
  }
  if (ends)
    pthread_join(thread, nullptr);
  else
    pthread_detach(thread);
  return std::move(job->result);
}

void leave_cancelled() noexcept { leaves_cancelled.store(true, std::memory_order_relaxed); }

bool shows_compilation() {
  return !options().PRINT_AFTER.empty() || options().PRINT_CHANGED || !options().KEEP.empty();
}

} // namespace heddle::compiler_host
