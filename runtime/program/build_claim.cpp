// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/program/build_claim.h"

#include "runtime/program/files.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>
#include <sys/random.h>
#include <sys/stat.h>
#include <thread>
#include <time.h>
#include <unistd.h>
#include <utility>

namespace heddle {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kFirstPause{1};
constexpr milliseconds kLongestPause{250}; // on a shared file system many may be waiting
constexpr std::chrono::seconds kHeartbeatInterval{1};
// The last word of a claim that is lost to whoever needs the result.
constexpr std::string_view kYields = "yields";

// The beginning of a file, as much as claims and these files of /proc have; empty if it cannot be
// read.
using Text = char[1024];

// Of the file, in `text`.
std::string_view read_beginning(int file, Text& text) noexcept {
  const auto size = file < 0 ? -1 : read(file, text, sizeof text);
  return {text, size > 0 ? static_cast<std::size_t>(size) : 0};
}

std::string_view read_beginning(const char* path, Text& text) noexcept {
  const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  const auto beginning = read_beginning(file, text);
  if (file >= 0)
    close(file);
  return beginning;
}

std::string read_beginning(const char* path) {
  Text text;
  return std::string(read_beginning(path, text));
}

// The word with that number, from 0.
std::string_view word(std::string_view text, int index) {
  constexpr std::string_view kBlanks = " \n";
  for (;; --index) {
    text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
    const auto found = text.substr(0, text.find_first_of(kBlanks));
    if (index == 0 || found.empty())
      return found;
    text.remove_prefix(found.size());
  }
}

// When the process started, in ticks since the boot; empty if it is gone, or dead and not yet
// waited for.
std::string start_of(int process) {
  const auto text = read_beginning(("/proc/" + std::to_string(process) + "/stat").c_str());
  // The second field is the program's name in brackets, with whatever is in it; the third is the
  // state, the 22nd the start.
  const auto close = text.rfind(')');
  if (close == std::string::npos)
    return {};
  const auto fields = std::string_view(text).substr(close + 1);
  const auto state = word(fields, 0);
  return state == "Z" || state == "X" ? std::string() : std::string(word(fields, 22 - 3));
}

// Where process numbers mean the same processes: a boot of a machine and a PID name space.
const std::string& scope() {
  static const std::string& text = *[] {
    const auto file = read_beginning("/proc/sys/kernel/random/boot_id");
    const std::string boot(word(file, 0));
    struct stat status {};
    const bool known = stat("/proc/self/ns/pid", &status) == 0 && !boot.empty();
    return new std::string(known ? boot + "/" + std::to_string(status.st_ino) : "unknown");
  }();
  return text;
}

std::string own_text(bool yields) {
  std::uint64_t random = 0;
  if (getrandom(&random, sizeof random, GRND_NONBLOCK) != sizeof random)
    random = static_cast<std::uint64_t>(Clock::now().time_since_epoch().count());
  return scope() + " " + std::to_string(getpid()) + " " + start_of(getpid()) + " " +
         std::to_string(random) + (yields ? " " + std::string(kYields) : "") + "\n";
}

bool yields(std::string_view text) { return word(text, 4) == kYields; }

// Whether the owner is known to be dead. False for owners on other machines.
bool is_dead(const std::string& text) {
  const auto where = word(text, 0);
  if (word(text, 3).empty() || where == "unknown" || where != scope())
    return false;
  const auto number = std::atoi(std::string(word(text, 1)).c_str());
  if (number <= 0)
    return false;
  if (kill(number, 0) != 0 && errno == ESRCH)
    return true;
  return start_of(number) != word(text, 2);
}

struct Seen {
  bool is_own = false; // of this user or the superuser, whose programs are loaded (files.h)
  std::string text;
  std::int64_t time = 0; // of the last heartbeat, by the file system's clock
  bool operator==(const Seen&) const = default;
};

// Nothing if there is no claim any more. The file is opened, because NFS asks the server then.
std::optional<Seen> look(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0)
    return errno == ENOENT ? std::nullopt : std::optional<Seen>(Seen{});
  Seen seen;
  struct stat status {};
  if (fstat(file, &status) == 0) {
    seen.time = std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec;
    seen.is_own = status.st_uid == geteuid() || status.st_uid == 0;
  }
  Text text;
  seen.text = read_beginning(file, text);
  close(file);
  return seen;
}

bool is_full(const std::string& text) { return text.ends_with('\n'); }

// A descriptor of the new file, or -1 with errno.
int create(const std::string& path, const std::string& text) {
  const auto attempt = [&] {
    return open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  };
  int file = attempt();
  if (file < 0 && errno == ENOENT) {
    std::error_code error;
    std::filesystem::create_directories(std::filesystem::path(path).parent_path(), error);
    file = attempt();
  }
  if (file < 0)
    return -1;
  if (files::write_all(file, std::as_bytes(std::span(text))))
    return file;
  close(file);
  unlink(path.c_str());
  errno = ENOSPC;
  return -1;
}

// In place of the claim that was `seen`, so that there is one all the time: its descriptor, or -1
// if somebody else was quicker. Nothing if the folder cannot be written. Of those who see the same
// owner, which is dead or yields, one makes the file PATH.next, and looks once more whether the
// claim is still that one's; whoever comes later finds another claim.
std::optional<int> take_over(const std::string& path, const Seen& seen, const std::string& text) {
  const auto next = path + ".next";
  const int lock = create(next, text);
  if (lock < 0) {
    if (errno != EEXIST)
      return std::nullopt;
    const auto other = look(next);
    if (other && is_full(other->text) && is_dead(other->text))
      unlink(next.c_str());
    return -1;
  }
  close(lock);
  const bool is_same = look(path) == seen;
  const bool written = is_same && files::replace(path, std::as_bytes(std::span(text)));
  unlink(next.c_str());
  if (written)
    return open(path.c_str(), O_WRONLY | O_CLOEXEC);
  return is_same ? std::nullopt : std::optional<int>(-1);
}

} // namespace

BuildClaim::~BuildClaim() { release(); }

BuildClaim::BuildClaim(BuildClaim&& other) noexcept { *this = std::move(other); }

BuildClaim& BuildClaim::operator=(BuildClaim&& other) noexcept {
  if (this == &other)
    return *this;
  release();
  path_ = std::move(other.path_);
  text_ = std::move(other.text_);
  descriptor_ = std::exchange(other.descriptor_, -1);
  waited_ = other.waited_;
  yields_ = other.yields_;
  last_heartbeat_ = other.last_heartbeat_;
  return *this;
}

BuildClaim BuildClaim::take(const std::string& path, Limits limits) {
  BuildClaim claim;
  claim.path_ = path;
  claim.text_ = own_text(limits.yields);
  claim.yields_ = limits.yields;
  const auto start = Clock::now();
  claim.last_heartbeat_ = start;
  claim.descriptor_ = create(path, claim.text_);
  if (claim.is_held() || errno != EEXIST || limits.wait.count() == 0)
    return claim;

  claim.waited_ = true;
  Seen seen;
  auto changed = start;
  for (auto now = start; now - start < limits.wait; now = Clock::now()) {
    if (limits.cancelled && __atomic_load_n(limits.cancelled, __ATOMIC_RELAXED) != 0)
      return claim;
    auto current = look(path);
    if (!current || !current->is_own)
      return claim;
    if (*current != seen) {
      seen = std::move(*current);
      changed = now;
    }
    const bool is_free =
        is_full(seen.text) && ((!limits.yields && yields(seen.text)) || is_dead(seen.text));
    if (is_free || now - changed > limits.silence) {
      const auto taken = take_over(path, seen, claim.text_);
      if (!taken)
        return claim;
      claim.descriptor_ = *taken;
      claim.last_heartbeat_ = Clock::now();
      if (claim.is_held())
        return claim;
      changed = now;
    }
    if (limits.yields)
      return claim;
    const auto waited = std::chrono::duration_cast<milliseconds>(now - start);
    std::this_thread::sleep_for(std::clamp(waited / 8, kFirstPause, kLongestPause));
  }
  return claim;
}

bool BuildClaim::keep_alive() noexcept {
  if (!is_held())
    return true;
  if (Text text; yields_ && read_beginning(path_.c_str(), text) != text_)
    return false;
  const auto now = Clock::now();
  if (now - last_heartbeat_ >= kHeartbeatInterval) {
    last_heartbeat_ = now;
    futimens(descriptor_, nullptr);
  }
  return true;
}

void BuildClaim::release() noexcept {
  if (!is_held())
    return;
  close(std::exchange(descriptor_, -1));
  // One that was taken from this process, which then was silent for long, is not its to remove.
  Text text; // not allocated: memory may be exhausted
  if (read_beginning(path_.c_str(), text) == text_)
    unlink(path_.c_str());
}

} // namespace heddle
