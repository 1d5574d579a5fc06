// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/profile/line_samples.h"

#include "runtime/core/lock.h"
#include "runtime/core/page_bytes.h"
#include "runtime/core/thread_end.h"
#include "runtime/profile/counters.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <filesystem>
#include <linux/perf_event.h>
#include <map>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <system_error>
#include <unistd.h>

namespace heddle::profile::line_samples {
namespace {

constexpr std::uint64_t kNanosecondsPerSample = 1'000'000;
// A page for its head, and the samples of a second: what a user may have for all threads is small.
constexpr std::size_t kPages = 4;

// The units by the address where they are loaded. Those that have been closed stay until a later
// one has their place.
struct Units {
  std::string folder;
  SleepingMutex mutex;
  std::uint32_t count HEDDLE_GUARDED_BY(mutex) = 0;
  struct Loaded {
    std::uint64_t end; // behind it
    std::uint32_t number;
  };
  std::map<std::uint64_t, Loaded> by_address HEDDLE_GUARDED_BY(mutex);
};

Units* units = nullptr; // while samples are taken

int open_event() noexcept {
  perf_event_attr attributes{};
  attributes.size = sizeof attributes;
  attributes.type = PERF_TYPE_SOFTWARE;
  attributes.config = PERF_COUNT_SW_TASK_CLOCK;
  attributes.sample_period = kNanosecondsPerSample;
  attributes.sample_type = PERF_SAMPLE_IP;
  attributes.exclude_kernel = 1;
  attributes.exclude_hv = 1;
  return static_cast<int>(
      syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC));
}

// What the kernel of the system writes for the calling thread.
struct Ring {
  perf_event_mmap_page* head = nullptr;
  int file = -1;
  bool is_open = false;
};
thread_local constinit Ring own{};

void close_own() noexcept {
  if (own.head)
    munmap(own.head, (1 + kPages) * page_bytes());
  if (own.file >= 0)
    close(own.file);
  own.head = nullptr;
  own.file = -1;
}
thread_local constinit thread_end::Hook own_end{close_own};

// 0, or the error.
int open_own() noexcept {
  own.is_open = true;
  thread_end::add(own_end);
  own.file = open_event();
  if (own.file < 0)
    return errno;
  void* const memory =
      mmap(nullptr, (1 + kPages) * page_bytes(), PROT_READ | PROT_WRITE, MAP_SHARED, own.file, 0);
  if (memory == MAP_FAILED) {
    const int error = errno;
    close_own();
    return error;
  }
  own.head = static_cast<perf_event_mmap_page*>(memory);
  return 0;
}

std::uint64_t written() noexcept { return __atomic_load_n(&own.head->data_head, __ATOMIC_ACQUIRE); }

void leave_from(std::uint64_t position) noexcept {
  __atomic_store_n(&own.head->data_tail, position, __ATOMIC_RELEASE);
}

Place place_of(std::uint64_t instruction) {
  const Lock lock(units->mutex);
  auto next = units->by_address.upper_bound(instruction);
  if (next == units->by_address.begin())
    return {kElsewhere, 0};
  const auto& [begin, loaded] = *--next;
  return instruction < loaded.end ? Place(loaded.number, instruction - begin)
                                  : Place(kElsewhere, 0);
}

// The bytes of memory from where a file is loaded; 0 if it is no ELF file.
std::uint64_t loaded_bytes(std::span<const std::byte> file) noexcept {
  Elf64_Ehdr header;
  if (file.size() < sizeof header)
    return 0;
  std::memcpy(&header, file.data(), sizeof header);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
    return 0;
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment;
    const auto at = header.e_phoff + i * sizeof segment;
    if (at > file.size() || file.size() - at < sizeof segment)
      return 0;
    std::memcpy(&segment, file.data() + at, sizeof segment);
    if (segment.p_type == PT_LOAD)
      bytes = std::max(bytes, segment.p_vaddr + segment.p_memsz);
  }
  return bytes;
}

bool write(const std::string& path, std::span<const std::byte> bytes) noexcept {
  auto* const file = std::fopen(path.c_str(), "we");
  const bool is_written = file && std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  return file && std::fclose(file) == 0 && is_written;
}

} // namespace

void start(const std::string& folder) {
  const auto refuse = [](const char* why) {
    std::fprintf(stderr, "heddle: HEDDLE_PROFILE_LINES: no lines are sampled: %s\n", why);
  };
  if (const int error = open_own(); error != 0)
    return refuse(advice_for_events(error));
  close_own();
  own.is_open = false;
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    return refuse(("cannot make the folder '" + folder + "': " + error.message()).c_str());
  units = new Units;
  units->folder = folder;
}

bool are_taken() noexcept { return units != nullptr; }

std::string path_of(std::uint32_t unit) { return units->folder + "/" + std::to_string(unit); }

void add_unit(const void* function, std::span<const std::byte> file) noexcept try {
  Dl_info info{};
  const auto bytes = loaded_bytes(file);
  if (!units || bytes == 0 || dladdr(function, &info) == 0)
    return;
  const auto begin = reinterpret_cast<std::uint64_t>(info.dli_fbase);
  const Lock lock(units->mutex);
  const auto number = units->count++;
  auto& loaded = units->by_address;
  loaded.erase(loaded.lower_bound(begin), loaded.lower_bound(begin + bytes)); // closed since
  if (write(path_of(number), file))
    loaded[begin] = {begin + bytes, number};
} catch (const std::bad_alloc&) {
  // Its samples are elsewhere.
}

void begin() noexcept {
  if (!units)
    return;
  if (!own.is_open)
    (void)open_own();
  if (own.head)
    leave_from(written());
}

std::vector<Place> end() {
  std::vector<Place> places;
  if (!units || !own.head)
    return places;
  const auto bytes = kPages * page_bytes();
  const auto* const data = reinterpret_cast<const std::byte*>(own.head) + page_bytes();
  const auto end = written();
  for (auto at = own.head->data_tail; at < end;) {
    perf_event_header header;
    std::memcpy(&header, data + at % bytes, sizeof header); // records are multiples of it
    if (header.type == PERF_RECORD_SAMPLE) {
      std::uint64_t instruction = 0;
      std::memcpy(&instruction, data + (at + sizeof header) % bytes, sizeof instruction);
      places.push_back(place_of(instruction));
    }
    at += header.size;
  }
  leave_from(end);
  return places;
}

} // namespace heddle::profile::line_samples
