// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/trace/tasks.h"

#include "runtime/core/clock.h"
#include "runtime/core/lock.h"
#include "runtime/core/mutex.h"
#include "runtime/core/process.h"
#include "runtime/trace/collector.h"
#include "runtime/trace/records.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <functional>
#include <iterator>
#include <map>
#include <new>
#include <sched.h>
#include <string>

namespace heddle::trace {

std::uint32_t told_kinds = 0;

namespace {

class Collector;
// Set once.
std::atomic<Collector*> opened{nullptr};

class Collector {
 public:
  // Null, after a message, if there is none.
  static Collector* open() noexcept;

  // A call of the collector, which may free what it has made when the process exits. None in a
  // forked child: a thread of the parent may have had a lock.
  class Visit {
   public:
    Visit() noexcept : to_(process::is_forked_child() ? nullptr : opened.load()) {
      if (!to_)
        return;
      to_->visits_.fetch_add(1);
      if (to_->is_closed_.load()) {
        to_->visits_.fetch_sub(1);
        to_ = nullptr;
      }
    }
    ~Visit() {
      if (to_)
        to_->visits_.fetch_sub(1);
    }
    Visit(const Visit&) = delete;
    Visit& operator=(const Visit&) = delete;
    explicit operator bool() const noexcept { return to_ != nullptr; }
    Collector* operator->() const noexcept { return to_; }

   private:
    Collector* to_;
  };

  bool takes_tasks() const noexcept { return domain_ && domain_->is_on; }

  // Null if there is no memory.
  itt::Name* name(std::string_view text) noexcept try {
    const Lock lock(mutex_);
    auto found = names_.find(text);
    if (found == names_.end()) {
      std::string copy(text);
      auto* made = make_name(copy.c_str());
      found = names_.emplace(std::move(copy), made).first;
    }
    return found->second;
  } catch (const std::bad_alloc&) {
    return nullptr;
  }

  // Set by the collector; null for what it does not have.
  itt::Domain* (*make_domain)(const char*) = nullptr;
  itt::Name* (*make_name)(const char*) = nullptr;
  void (*set_thread_name)(const char*) = nullptr;
  void (*begin)(const itt::Domain*, itt::Id task, itt::Id parent, itt::Name*) = nullptr;
  void (*end)(const itt::Domain*) = nullptr;
  void (*begin_overlapped)(const itt::Domain*, itt::Id task, itt::Id parent, itt::Name*) = nullptr;
  void (*end_overlapped)(const itt::Domain*, itt::Id task) = nullptr;

  const itt::Domain* domain() const noexcept { return domain_; }

 private:
  explicit Collector(void* library) noexcept { global_.library = library; }

  static void close_at_exit() noexcept;

  template <class F>
  static itt::Wanted wanted(const char* name, F** function, int group) {
    return {name, reinterpret_cast<void**>(function), nullptr, nullptr, group};
  }

  itt::Wanted wanted_[8] = {
      wanted("__itt_domain_create", &make_domain, itt::kStructureGroup),
      wanted("__itt_string_handle_create", &make_name, itt::kStructureGroup),
      wanted("__itt_thread_set_name", &set_thread_name, itt::kThreadGroup),
      wanted("__itt_task_begin", &begin, itt::kStructureGroup),
      wanted("__itt_task_end", &end, itt::kStructureGroup),
      wanted("__itt_task_begin_overlapped", &begin_overlapped, itt::kStructureGroup),
      wanted("__itt_task_end_overlapped", &end_overlapped, itt::kStructureGroup),
      {},
  };
  itt::Global global_;
  const itt::Domain* domain_ = nullptr;
  std::atomic<unsigned> visits_{0};
  std::atomic<bool> is_closed_{false};
  Mutex mutex_;
  std::map<std::string, itt::Name*, std::less<>> names_ HEDDLE_GUARDED_BY(mutex_);
};

Collector* Collector::open() noexcept {
  const char* const path = secure_getenv(kCollectorVariable);
  if (!path)
    return nullptr;
  void* const library = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
  if (!library) {
    const char* const reason = dlerror();
    std::fprintf(stderr, "heddle: %s: '%s' cannot be loaded, no tasks are told: %s\n",
                 kCollectorVariable, path, reason ? reason : "unknown reason");
    return nullptr;
  }
  const auto initialize = reinterpret_cast<itt::Initialize*>(dlsym(library, itt::kInitialize));
  if (!initialize) {
    std::fprintf(stderr, "heddle: %s: '%s' is no collector, no tasks are told: it has no %s\n",
                 kCollectorVariable, path, itt::kInitialize);
    dlclose(library);
    return nullptr;
  }
  // Never destroyed: the collector keeps the address.
  auto* const made = new (std::nothrow) Collector(library);
  if (!made)
    return nullptr;
  made->global_.wanted = made->wanted_;
  initialize(&made->global_, itt::kAllGroups);
  made->global_.is_initialized = 1;
  // One that collects other things than tasks may have none of these.
  if (made->make_domain && made->make_name && made->begin && made->end)
    made->domain_ = made->make_domain("Heddle");
  opened.store(made);
  process::at_exit<close_at_exit>(); // before the collector's own handlers
  return made;
}

// Threads may run kernels until the process has ended.
void Collector::close_at_exit() noexcept {
  constexpr std::uint64_t kLongest = 100'000'000; // nanoseconds
  if (process::is_forked_child())
    return;
  auto* const closed = opened.load();
  closed->is_closed_.store(true);
  const auto start = monotonic_nanoseconds();
  while (closed->visits_.load() != 0 && monotonic_nanoseconds() - start < kLongest)
    sched_yield();
}

itt::Id id_of(const void* command) noexcept { return {number_of(command), 0, 0}; }

} // namespace

void open_collector() noexcept {
  if (told_kinds == 0 || process::is_forked_child())
    return;
  static Collector* const once = Collector::open();
  (void)once;
}

bool begin_task(Kind kind, std::string_view name, bool is_kernel) noexcept try {
  if (is_kernel && !is_chosen(name))
    return false;
  const Collector::Visit collector;
  if (!collector || !collector->takes_tasks())
    return false;
  auto* const shown =
      collector->name(kind == Kind::build ? std::string("build ").append(name) : std::string(name));
  if (shown)
    collector->begin(collector->domain(), {}, {}, shown);
  return shown != nullptr;
} catch (const std::bad_alloc&) {
  return false;
}

void end_task() noexcept {
  if (const Collector::Visit collector; collector)
    collector->end(collector->domain());
}

void begin_command(const void* command, std::uint64_t type, std::string_view name) noexcept {
  if (!name.empty() && !is_chosen(name))
    return;
  const Collector::Visit collector;
  if (!collector || !collector->takes_tasks() || !collector->begin_overlapped)
    return;
  if (auto* const shown = collector->name(name.empty() ? command_name(type) : name))
    collector->begin_overlapped(collector->domain(), id_of(command), {}, shown);
}

void end_command(const void* command, std::string_view name) noexcept {
  if (!name.empty() && !is_chosen(name))
    return;
  const Collector::Visit collector;
  if (collector && collector->takes_tasks() && collector->end_overlapped)
    collector->end_overlapped(collector->domain(), id_of(command));
}

void name_thread(const char* name) noexcept {
  if (told_kinds == 0)
    return;
  const Collector::Visit collector;
  if (collector && collector->set_thread_name)
    collector->set_thread_name(name);
}

} // namespace heddle::trace
