// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/program/files.h"

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

namespace heddle::files {
namespace {

constexpr const char* kTemporarySuffix = ".tmp";

// During its lifetime a write beyond RLIMIT_FSIZE fails with EFBIG and raises no SIGXFSZ.
class FileSizeSignal {
 public:
  FileSizeSignal() {
    sigemptyset(&set_);
    sigaddset(&set_, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &set_, &before_);
  }
  ~FileSizeSignal() {
    if (sigismember(&before_, SIGXFSZ))
      return;                // the host program blocks it already
    const int error = errno; // of what was written
    const timespec now{};
    while (sigtimedwait(&set_, nullptr, &now) < 0 && errno == EINTR) {
    }
    errno = error;
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

 private:
  sigset_t set_{};
  sigset_t before_{};
};

class Descriptor {
 public:
  explicit Descriptor(int value) : value_(value) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return value_; }
  bool close() {
    const int value = value_;
    value_ = -1;
    return value < 0 || ::close(value) == 0;
  }

 private:
  int value_;
};

std::optional<std::vector<std::byte>> read_if(const std::string& path, bool own_only) {
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status {};
  if (file.get() < 0 || fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode))
    return std::nullopt;
  if (own_only && status.st_uid != geteuid() && status.st_uid != 0)
    return std::nullopt;
  std::vector<std::byte> bytes(static_cast<std::size_t>(status.st_size));
  std::size_t done = 0;
  while (done < bytes.size()) {
    const auto got = ::read(file.get(), bytes.data() + done, bytes.size() - done);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return std::nullopt;
    done += static_cast<std::size_t>(got);
  }
  return bytes;
}

// Unique among all processes, also of other machines that share the folder.
std::string temporary_name(const std::string& path) {
  std::uint64_t random = 0;
  if (getrandom(&random, sizeof random, GRND_NONBLOCK) != sizeof random) {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    random = static_cast<std::uint64_t>(now.tv_nsec) << 32 | static_cast<std::uint32_t>(getpid());
  }
  char text[20];
  std::snprintf(text, sizeof text, ".%016llx", static_cast<unsigned long long>(random));
  return path + text + kTemporarySuffix;
}

} // namespace

std::optional<std::vector<std::byte>> read_own(const std::string& path) {
  return read_if(path, true);
}

std::optional<std::vector<std::byte>> read(const std::string& path) { return read_if(path, false); }

bool write_all(int descriptor, std::span<const std::byte> bytes) {
  const FileSizeSignal guard;
  std::size_t done = 0;
  while (done < bytes.size()) {
    const auto written = ::write(descriptor, bytes.data() + done, bytes.size() - done);
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return false;
    done += static_cast<std::size_t>(written);
  }
  return true;
}

bool replace(const std::string& path, std::span<const std::byte> bytes) {
  const auto temporary = temporary_name(path);
  const auto create = [&] {
    return open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  };
  int descriptor = create();
  if (descriptor < 0 && errno == ENOENT) {
    std::error_code error;
    std::filesystem::create_directories(std::filesystem::path(path).parent_path(), error);
    descriptor = create();
  }
  if (descriptor < 0)
    return false;
  Descriptor file(descriptor);
  const bool written = write_all(file.get(), bytes);
  if (file.close() && written && rename(temporary.c_str(), path.c_str()) == 0)
    return true;
  unlink(temporary.c_str());
  return false;
}

bool is_temporary(const std::string& name) { return name.ends_with(kTemporarySuffix); }

} // namespace heddle::files
