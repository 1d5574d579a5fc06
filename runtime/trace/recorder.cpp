// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/file_name.h"
#include "runtime/core/lock.h"
#include "runtime/core/mutex.h"
#include "runtime/core/options.h"
#include "runtime/core/process.h"
#include "runtime/target/processor.h"
#include "runtime/trace/cycle_clock.h"
#include "runtime/trace/records.h"
#include "runtime/trace/tasks.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <sys/syscall.h>
#include <unistd.h>

namespace heddle::trace {

std::uint32_t recorded_kinds = 0;
bool counts_cycles = false;

namespace {

constexpr const char* kKindNames[kKinds] = {"commands", "waits",  "groups", "idle",
                                            "builds",   "memory", "calls"};
constexpr std::uint32_t kTaskKinds = 1u << static_cast<unsigned>(Kind::command) |
                                     1u << static_cast<unsigned>(Kind::groups) |
                                     1u << static_cast<unsigned>(Kind::build);
constexpr std::size_t kRecordsPerChunk = 255;

// Written by one thread. Others read the first `count` records, when the process exits.
struct Chunk {
  std::uint32_t thread = 0;
  ClockPoint taken_at;
  std::atomic<std::uint32_t> count{0};
  Chunk* next = nullptr; // of the full ones, the next newer one
  Record records[kRecordsPerChunk];
};

struct Recorder {
  Mutex mutex;
  std::vector<Chunk*> chunks HEDDLE_GUARDED_BY(mutex); // all
  Chunk* oldest_full HEDDLE_GUARDED_BY(mutex) = nullptr;
  Chunk* newest_full HEDDLE_GUARDED_BY(mutex) = nullptr;
  std::size_t most_chunks = 0;
  std::atomic<std::uint64_t> lost{0};
  std::atomic<bool> is_closed{false};
  ClockPoint started_at;
  std::vector<std::string> kernels; // of the filter; empty: all
};

Recorder& recorder() {
  static auto& made = *new Recorder;
  return made;
}

constinit thread_local Chunk* current = nullptr;

// An empty chunk for the calling thread: a new one, or, when HEDDLE_TRACE_MEGABYTES are used, the
// oldest full one. Null if there is no memory.
Chunk* take_chunk() noexcept {
  auto& all = recorder();
  const Lock lock(all.mutex);
  if (current) {
    (all.newest_full ? all.newest_full->next : all.oldest_full) = current;
    all.newest_full = current;
    current = nullptr;
  }
  Chunk* taken = nullptr;
  if (all.chunks.size() < all.most_chunks || !all.oldest_full) {
    taken = new (std::nothrow) Chunk;
    if (!taken)
      return nullptr;
    try {
      all.chunks.push_back(taken);
    } catch (const std::bad_alloc&) {
      delete taken;
      return nullptr;
    }
  } else {
    taken = all.oldest_full;
    all.oldest_full = taken->next;
    if (!all.oldest_full)
      all.newest_full = nullptr;
    taken->next = nullptr;
    all.lost.fetch_add(taken->count.load(std::memory_order_relaxed), std::memory_order_relaxed);
    taken->count.store(0, std::memory_order_relaxed);
  }
  taken->thread = static_cast<std::uint32_t>(syscall(SYS_gettid));
  if (counts_cycles)
    taken->taken_at = read_both_clocks();
  return current = taken;
}

// `pattern` may end with *.
bool matches(std::string_view name, std::string_view pattern) {
  if (pattern.ends_with('*'))
    return name.starts_with(pattern.substr(0, pattern.size() - 1));
  return name == pattern;
}

// HEDDLE_TRACE_FILTER: words separated by commas, each a kind or kernel=NAME. The kinds, as bits.
std::uint32_t read_filter(std::string_view filter) {
  std::uint32_t kinds = 0;
  while (!filter.empty()) {
    const auto word = filter.substr(0, filter.find(','));
    filter.remove_prefix(std::min(word.size() + 1, filter.size()));
    if (word.starts_with("kernel=")) {
      recorder().kernels.emplace_back(word.substr(7));
      continue;
    }
    const auto* const found = std::find(std::begin(kKindNames), std::end(kKindNames), word);
    if (found != std::end(kKindNames)) {
      kinds |= 1u << (found - std::begin(kKindNames));
    } else {
      std::string names;
      for (const auto* name : kKindNames)
        names.append(name).append(", ");
      std::fprintf(stderr, "heddle: HEDDLE_TRACE_FILTER: '%.*s' is not known: %sor kernel=NAME\n",
                   static_cast<int>(word.size()), word.data(), names.c_str());
    }
  }
  return kinds != 0 ? kinds : (1u << kKinds) - 1;
}

void write_at_exit() noexcept try {
  if (process::is_forked_child())
    return;
  auto& all = recorder();
  all.is_closed.store(true);
  std::vector<ThreadRecord> records;
  std::vector<ClockPoint> points{all.started_at};
  {
    const Lock lock(all.mutex);
    for (const auto* chunk : all.chunks) {
      points.push_back(chunk->taken_at);
      for (std::uint32_t i = 0; i < chunk->count.load(std::memory_order_acquire); ++i)
        records.push_back({chunk->thread, chunk->records[i]});
    }
  }
  if (counts_cycles) {
    points.push_back(read_both_clocks());
    const CycleClock clock(std::move(points));
    for (auto& [thread, record] : records)
      if (record.kind == Kind::call) {
        record.begin = clock.nanoseconds(record.begin);
        record.end = clock.nanoseconds(record.end);
      }
  }
  const auto path = with_process_number(options().TRACE);
  if (!write_trace(path, records))
    std::fprintf(stderr, "heddle: HEDDLE_TRACE: cannot write '%s': %s\n", path.c_str(),
                 std::strerror(errno));
  if (const auto lost = all.lost.load())
    std::fprintf(
        stderr,
        "heddle: HEDDLE_TRACE: the oldest %llu records were overwritten; "
        "HEDDLE_TRACE_MEGABYTES=%u is too small, or HEDDLE_TRACE_FILTER may leave some out\n",
        static_cast<unsigned long long>(lost), options().TRACE_MEGABYTES);
} catch (const std::bad_alloc&) {
  std::fputs("heddle: HEDDLE_TRACE: no memory to write the trace\n", stderr);
}

} // namespace

bool is_chosen(std::string_view kernel) noexcept {
  const auto& kernels = recorder().kernels;
  return kernels.empty() || std::any_of(kernels.begin(), kernels.end(), [&](const auto& pattern) {
           return matches(kernel, pattern);
         });
}

void start() noexcept try {
  const auto is_set = [](const char* variable) { // the other variables are read later
    const auto* const given = std::getenv(variable);
    return given && *given != '\0';
  };
  const bool is_recorded = is_set("HEDDLE_TRACE"), is_told = is_set(kCollectorVariable);
  if (!is_recorded && !is_told)
    return;
  const auto kinds = read_filter(options().TRACE_FILTER);
  if (is_told)
    told_kinds = kinds & kTaskKinds;
  if (!is_recorded)
    return;
  recorder().most_chunks =
      std::max<std::size_t>(1, (std::size_t{options().TRACE_MEGABYTES} << 20) / sizeof(Chunk));
  counts_cycles = processor::has_constant_cycles();
  recorder().started_at = read_both_clocks();
  process::at_exit<write_at_exit>();
  recorded_kinds = kinds;
} catch (const std::bad_alloc&) {
  std::fputs("heddle: HEDDLE_TRACE: no memory\n", stderr);
}

void add(Kind kind, std::uint64_t begin, std::uint64_t end, std::string_view name,
         std::initializer_list<std::uint64_t> values, std::int32_t result,
         bool is_kernel) noexcept {
  if (recorder().is_closed.load(std::memory_order_relaxed) || (is_kernel && !is_chosen(name)))
    return;
  auto* chunk = current;
  if ((!chunk || chunk->count.load(std::memory_order_relaxed) == kRecordsPerChunk) &&
      !(chunk = take_chunk()))
    return;
  const auto index = chunk->count.load(std::memory_order_relaxed);
  auto& record = chunk->records[index];
  record.begin = begin;
  record.end = end;
  std::copy(values.begin(), values.end(), record.values.begin());
  record.count = static_cast<std::uint8_t>(values.size());
  record.result = result;
  record.kind = kind;
  const auto length = std::min(name.size(), sizeof record.name - 1);
  std::copy_n(name.data(), length, record.name); // no memcpy: an empty name may have no address
  record.name[length] = '\0';
  chunk->count.store(index + 1, std::memory_order_release);
}

} // namespace heddle::trace
