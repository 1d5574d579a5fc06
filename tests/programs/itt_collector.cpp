// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A collector of the ITT interface, as VTune's are: a library that INTEL_LIBITTNOTIFY64 names.
//
// Writes what the driver tells to the file TOLD, a line each: "THREAD WORD DOMAIN COMMAND NAME",
// with "-" for what there is none of; COMMAND is the process for "initialized". TBB tells of
// itself, too. Its structures are declared for the interface, not those of the driver.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

struct Domain {
  volatile int flags;
  const char* name;
  void* wide_name;
  int extra1;
  void* extra2;
  Domain* next;
};
struct StringHandle {
  const char* text;
  void* wide_text;
  int extra1;
  void* extra2;
  StringHandle* next;
};
struct Id {
  unsigned long long d1, d2, d3;
};
struct ApiInfo {
  const char* name;
  void** function;
  void* initial;
  void* null;
  int group;
};
struct Global {
  unsigned char magic[8];
  unsigned long version[3];
  volatile long api_initialized, mutex_initialized, atomic_counter;
  pthread_mutex_t mutex;
  void* library;
  void* error_handler;
  const char** library_path;
  ApiInfo* functions;
};

std::FILE* file() {
  static std::FILE* const opened = [] {
    const char* path = std::getenv("TOLD");
    auto* made = path ? std::fopen(path, "w") : nullptr;
    return made ? made : stderr;
  }();
  return opened;
}

std::atomic<bool> is_ended{false};

// A collector may free what it has made when the process exits. Threads have time to do it then.
void end_collection() {
  is_ended.store(true);
  usleep(50'000);
}

void tell(const char* word, const Domain* domain, unsigned long long command, const char* name) {
  const bool is_driver =
      domain ? std::strcmp(domain->name, "Heddle") == 0 : std::strncmp(name, "heddle-", 7) == 0;
  if (is_driver && is_ended.load()) {
    std::fputs("told after the end\n", stderr);
    std::abort();
  }
  std::fprintf(file(), "%ld %s %s %llx %s\n", syscall(SYS_gettid), word,
               domain ? domain->name : "-", command, name);
}

Domain* create_domain(const char* name) {
  tell("domain", nullptr, 0, name);
  return new Domain{std::getenv("DOMAIN_OFF") ? 0 : 1, strdup(name), nullptr, 0, nullptr, nullptr};
}
StringHandle* create_string(const char* text) {
  tell("string", nullptr, 0, text);
  return new StringHandle{strdup(text), nullptr, 0, nullptr, nullptr};
}
void name_thread(const char* name) { tell("thread", nullptr, 0, name); }
void begin(const Domain* domain, Id, Id, const StringHandle* name) {
  tell("begin", domain, 0, name->text);
}
void end(const Domain* domain) { tell("end", domain, 0, "-"); }
void begin_overlapped(const Domain* domain, Id id, Id, const StringHandle* name) {
  tell("begin_command", domain, id.d1, name->text);
}
void end_overlapped(const Domain* domain, Id id) { tell("end_command", domain, id.d1, "-"); }

const struct {
  const char* name;
  void* function;
} kFunctions[] = {
    {"__itt_domain_create", reinterpret_cast<void*>(create_domain)},
    {"__itt_string_handle_create", reinterpret_cast<void*>(create_string)},
    {"__itt_thread_set_name", reinterpret_cast<void*>(name_thread)},
    {"__itt_task_begin", reinterpret_cast<void*>(begin)},
    {"__itt_task_end", reinterpret_cast<void*>(end)},
    {"__itt_task_begin_overlapped", reinterpret_cast<void*>(begin_overlapped)},
    {"__itt_task_end_overlapped", reinterpret_cast<void*>(end_overlapped)},
};

} // namespace

// Sets the functions that are asked for; WITHOUT is the name of one that the driver does not get.
// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming): the interface's name
extern "C" [[gnu::visibility("default")]] void __itt_api_init(Global* global, int groups) {
  const unsigned char magic[] = {0xED, 0xAB, 0xAB, 0xEC, 0x0D, 0xEE, 0xDA, 0x30};
  const char* const without = std::getenv("WITHOUT");
  const bool is_whole = std::memcmp(global->magic, magic, sizeof magic) == 0 && groups == -1 &&
                        global->version[0] == 3 && global->library &&
                        pthread_mutex_lock(&global->mutex) == 0;
  tell(is_whole ? "initialized" : "damaged", nullptr, static_cast<unsigned>(getpid()), "-");
  for (auto* wanted = global->functions; wanted->name; ++wanted) {
    *wanted->function = wanted->null;
    for (const auto& [name, function] : kFunctions)
      if (std::strcmp(wanted->name, name) == 0 &&
          !(is_whole && without && std::strcmp(without, name) == 0))
        *wanted->function = function;
  }
  pthread_mutex_unlock(&global->mutex);
  static const int once = std::atexit(end_collection);
  (void)once;
}
