// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The trace as JSON: "Trace Event Format" of Chrome, which Perfetto reads. Times are microseconds
// with three decimals.
#include "runtime/core/clock.h"
#include "runtime/core/json_text.h"
#include "runtime/trace/call.h"
#include "runtime/trace/records.h"

#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <algorithm>
#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <time.h>
#include <unistd.h>

namespace heddle::trace {
namespace {

// Tracks of queues have numbers that no thread has: a million and a thousand for each queue.
// Commands of a queue that overlap are on tracks side by side.
constexpr std::uint64_t kQueueTracks = 1'000'000'000, kTracksPerQueue = 1'000;

class Writer {
 public:
  explicit Writer(std::FILE* file) : file_(file), process_(static_cast<unsigned>(getpid())) {}

  // One event; `more` are the fields behind those that all have, with a comma in front.
  void event(char phase, std::uint64_t track, std::uint64_t time, const char* name,
             const std::string& more) {
    std::fprintf(file_,
                 "%s\n{\"ph\":\"%c\",\"pid\":%u,\"tid\":%" PRIu64 ",\"ts\":%s,\"name\":%s%s}",
                 is_first_ ? "" : ",", phase, process_, track, microseconds(time).c_str(),
                 json_text(name).c_str(), more.c_str());
    is_first_ = false;
  }
  void slice(std::uint64_t track, std::uint64_t begin, std::uint64_t end, const char* name,
             const std::string& arguments) {
    event('X', track, begin, name,
          ",\"dur\":" + microseconds(end - std::min(begin, end)) + ",\"args\":{" + arguments + "}");
  }
  void name_track(std::uint64_t track, const std::string& name, std::uint64_t order) {
    event('M', track, 0, "thread_name", ",\"args\":{\"name\":" + json_text(name) + "}");
    event('M', track, 0, "thread_sort_index",
          ",\"args\":{\"sort_index\":" + std::to_string(order) + "}");
  }

  static std::string microseconds(std::uint64_t nanoseconds) {
    char text[32];
    std::snprintf(text, sizeof text, "%" PRIu64 ".%03" PRIu64, nanoseconds / 1000,
                  nanoseconds % 1000);
    return text;
  }

 private:
  std::FILE* file_;
  unsigned process_;
  bool is_first_ = true;
};

std::string number(const char* name, std::uint64_t value) {
  return "\"" + std::string(name) + "\":" + std::to_string(value);
}

// Values of a command: event, queue, type, times of CL_PROFILING_COMMAND_QUEUED, _SUBMIT and _END.
class Commands {
 public:
  void add(const Record& record) { all_.push_back(&record); }
  void add_wait(const Record& record) { waits_.push_back(&record); }

  void write(Writer& writer) {
    const auto by_begin = [](const Record* a, const Record* b) { return a->begin < b->begin; };
    std::sort(all_.begin(), all_.end(), by_begin);
    for (const auto* record : all_) {
      const auto track = track_of(*record, writer);
      const auto& values = record->values;
      const auto* name = record->name[0] ? record->name : command_name(values[2]);
      auto arguments = "\"type\":" + json_text(command_name(values[2])) + "," +
                       number("queued_ns", values[3]) + "," + number("submitted_ns", values[4]) +
                       "," + number("start_ns", record->begin) + "," + number("end_ns", values[5]) +
                       "," + number("complete_ns", record->end);
      if (record->result < 0)
        arguments += ",\"error\":" + std::to_string(record->result);
      writer.slice(track, record->begin, record->end, name, arguments);
      of_event_[values[0]].push_back({record, track});
    }
    std::uint64_t flow = 0;
    for (const auto* wait : waits_) {
      const auto* from = ended_after(wait->values[0], wait->begin);
      const auto* to = ended_after(wait->values[1], wait->begin);
      if (!from || !to)
        continue;
      const auto id = ",\"cat\":\"wait\",\"id\":" + std::to_string(++flow);
      const auto end = std::max(from->record->begin, from->record->end - 1);
      writer.event('s', from->track, end, "waited for", id);
      writer.event('f', to->track, to->record->begin, "waited for", id + ",\"bp\":\"e\"");
    }
  }

 private:
  struct Placed {
    const Record* record;
    std::uint64_t track;
  };
  struct Queue {
    std::uint64_t number = 0;
    std::vector<std::uint64_t> ends; // of the last command on each track
  };

  std::uint64_t track_of(const Record& record, Writer& writer) {
    auto& queue = queues_[record.values[1]];
    if (queue.number == 0)
      queue.number = queues_.size();
    auto& ends = queue.ends;
    const auto free =
        std::find_if(ends.begin(), ends.end(), [&](auto end) { return end <= record.begin; });
    const auto place = std::min<std::size_t>(free - ends.begin(), kTracksPerQueue - 1);
    const auto track = kQueueTracks + queue.number * kTracksPerQueue + place;
    if (place == ends.size()) {
      ends.push_back(0);
      writer.name_track(track,
                        "queue " + std::to_string(queue.number) +
                            (place ? ", beside (" + std::to_string(place) + ")" : ""),
                        queue.number * kTracksPerQueue + place);
    }
    ends[place] = record.end;
    return track;
  }

  // The address of an event may belong to several, one after the other: the first one that ended
  // since.
  const Placed* ended_after(std::uint64_t event, std::uint64_t time) const {
    const auto found = of_event_.find(event);
    if (found == of_event_.end())
      return nullptr;
    const Placed* first = nullptr;
    for (const auto& placed : found->second)
      if (placed.record->end >= time && (!first || placed.record->end < first->record->end))
        first = &placed;
    return first;
  }

  std::vector<const Record*> all_, waits_;
  std::map<std::uint64_t, Queue> queues_; // by address
  std::map<std::uint64_t, std::vector<Placed>> of_event_;
};

// Arguments in the order of the call: handles and pointers as addresses.
std::string call_arguments(const Record& record) {
  const auto& call = *reinterpret_cast<const Call*>(record.values[kMaxValues - 1]);
  std::string made;
  for (unsigned i = 0; i + 1 < record.count && call.kinds[i] != '\0'; ++i) {
    char text[32];
    const char* const format = call.kinds[i] == 'p'   ? "\"0x%" PRIx64 "\""
                               : call.kinds[i] == 'i' ? "%" PRId64
                                                      : "%" PRIu64;
    std::snprintf(text, sizeof text, format,
                  record.values[i]); // NOLINT(clang-diagnostic-format-nonliteral)
    made += (made.empty() ? "\"" : ",\"") + std::to_string(i) + "\":" + text;
  }
  if (record.result != 0)
    made += std::string(made.empty() ? "" : ",") + "\"error\":" + std::to_string(record.result);
  return made;
}

void write_on_thread(Writer& writer, std::uint64_t thread, const Record& record) {
  const auto& values = record.values;
  switch (record.kind) {
  case Kind::groups: // the first, behind the last, lanes, rows, and whether a better unit is being
                     // built
    writer.slice(thread, record.begin, record.end, record.name,
                 number("first_group", values[0]) + "," + number("groups", values[1] - values[0]) +
                     "," + number("lanes", values[2]) + "," + number("rows", values[3]) +
                     (values[4] ? ",\"until_replaced\":true" : ""));
    break;
  case Kind::idle:
    writer.slice(thread, record.begin, record.end, "idle", "");
    break;
  case Kind::build: // what, processor time in nanoseconds, whether the cache had it; of a kernel
                    // also the kind of unit (a literal)
    writer.slice(
        thread, record.begin, record.end,
        (std::string(values[2] ? "load " : "build ") + record.name).c_str(),
        "\"of\":" + std::string(values[0] ? "\"kernel\"" : "\"program\"") + "," +
            (values[0] ? "\"unit\":" + json_text(reinterpret_cast<const char*>(values[3])) + ","
                       : "") +
            number("processor_ns", values[1]) + ",\"cache\":" +
            (values[2] ? "\"hit\"" : "\"miss\"") + (record.result ? ",\"failed\":true" : ""));
    break;
  case Kind::memory: // bytes that are allocated after this
    writer.event('C', 0, record.begin, "memory of buffers",
                 ",\"args\":{" + number("bytes", values[0]) + "}");
    break;
  case Kind::call:
    writer.slice(thread, record.begin, record.end,
                 reinterpret_cast<const Call*>(values[kMaxValues - 1])->name,
                 call_arguments(record));
    break;
  case Kind::command:
  case Kind::wait:
    break;
  }
}

const char* role(std::uint32_t kinds) {
  const auto has = [&](Kind kind) { return (kinds >> static_cast<unsigned>(kind) & 1) != 0; };
  return has(Kind::call) ? "host thread " : has(Kind::build) ? "builds " : "worker ";
}

// With the rank that the launcher of a parallel job has given it.
std::string process_name() {
  std::string name = program_invocation_short_name;
  for (const char* variable : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"})
    if (const char* rank = std::getenv(variable); rank && *rank)
      return name + " rank " + rank;
  return name;
}

// What `heddle trace merge` needs: the machine, and by how much the time of day is ahead of the
// clock of the trace, in nanoseconds.
std::string origin() {
  char host[256] = "";
  (void)gethostname(host, sizeof host - 1);
  timespec day{};
  clock_gettime(CLOCK_REALTIME, &day);
  const auto nanoseconds = static_cast<std::uint64_t>(day.tv_sec) * 1'000'000'000u +
                           static_cast<std::uint64_t>(day.tv_nsec);
  return "\"host\":" + json_text(host) + "," +
         number("realtime_ns", nanoseconds - monotonic_nanoseconds());
}

} // namespace

const char* command_name(std::uint64_t type) noexcept {
  switch (type) {
#define NAME(type)                                                                                 \
  case CL_COMMAND_##type:                                                                          \
    return #type;
    NAME(NDRANGE_KERNEL)
    NAME(TASK)
    NAME(NATIVE_KERNEL)
    NAME(READ_BUFFER)
    NAME(WRITE_BUFFER)
    NAME(COPY_BUFFER)
    NAME(READ_IMAGE)
    NAME(WRITE_IMAGE)
    NAME(COPY_IMAGE)
    NAME(COPY_IMAGE_TO_BUFFER)
    NAME(COPY_BUFFER_TO_IMAGE)
    NAME(MAP_BUFFER)
    NAME(MAP_IMAGE)
    NAME(UNMAP_MEM_OBJECT)
    NAME(MARKER)
    NAME(READ_BUFFER_RECT)
    NAME(WRITE_BUFFER_RECT)
    NAME(COPY_BUFFER_RECT)
    NAME(BARRIER)
    NAME(MIGRATE_MEM_OBJECTS)
    NAME(FILL_BUFFER)
    NAME(FILL_IMAGE)
    NAME(SVM_FREE)
    NAME(SVM_MEMCPY)
    NAME(SVM_MEMFILL)
    NAME(SVM_MAP)
    NAME(SVM_UNMAP)
    NAME(SVM_MIGRATE_MEM)
#undef NAME
  default:
    return "command";
  }
}

bool write_trace(const std::string& path, const std::vector<ThreadRecord>& records) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "we"),
                                                             std::fclose);
  if (!file)
    return false;
  std::fprintf(file.get(), "{\"displayTimeUnit\":\"ns\",\"otherData\":{%s},\"traceEvents\":[",
               origin().c_str());
  Writer writer(file.get());
  writer.event('M', 0, 0, "process_name", ",\"args\":{\"name\":" + json_text(process_name()) + "}");
  Commands commands;
  std::map<std::uint32_t, std::uint32_t> threads; // what kinds each has
  for (const auto& [thread, record] : records) {
    threads[thread] |= 1u << static_cast<unsigned>(record.kind);
    if (record.kind == Kind::command)
      commands.add(record);
    else if (record.kind == Kind::wait)
      commands.add_wait(record);
    else
      write_on_thread(writer, thread, record);
  }
  for (const auto& [thread, kinds] : threads)
    writer.name_track(thread, role(kinds) + std::to_string(thread), kQueueTracks + thread);
  commands.write(writer);
  std::fputs("\n]}\n", file.get());
  return std::ferror(file.get()) == 0 && std::fflush(file.get()) == 0;
}

} // namespace heddle::trace
