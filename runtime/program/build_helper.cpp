// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/program/build_helper.h"

#include "runtime/core/options.h"
#include "runtime/program/cache.h"
#include "runtime/program/compiler_host.h"
#include "runtime/program/files.h"

#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#else
#define RUNNING_ON_VALGRIND 0
#endif

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <filesystem>
#include <new>
#include <span>
#include <spawn.h>
#include <string>
#include <string_view>
#include <sys/auxv.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace heddle::build_helper {
namespace {

constexpr unsigned kMaxSeconds = 60;
constexpr int kHelperNiceness = 19;
// The helper's number for the file with the builds.
constexpr int kFile = 3;

std::string driver_path() {
  Dl_info info{};
  dladdr(reinterpret_cast<const void*>(&driver_path), &info);
  return info.dli_fname ? info.dli_fname : "";
}

// The command, in the build folder and in packages; empty if it is in neither place.
std::string command_path(const std::string& driver) {
  const auto folder = std::filesystem::path(driver).parent_path();
  for (const char* place : {"../bin/heddle", HEDDLE_COMMAND_FROM_LIBRARY}) {
    auto path = (folder / place).lexically_normal().string();
    if (access(path.c_str(), X_OK) == 0)
      return path;
  }
  return {};
}

// A container ends with its first process, and often soon after a child of that one.
bool is_alone_in_container() { return getpid() == 1 || getppid() <= 1; }

void append(std::vector<std::byte>& text, std::span<const std::byte> bytes) {
  const std::uint64_t size = bytes.size();
  const auto words = std::as_bytes(std::span(&size, 1));
  text.insert(text.end(), words.begin(), words.end());
  text.insert(text.end(), bytes.begin(), bytes.end());
}

// Of each build the program, unless it is that of the one before it, the kernel and the
// specialization, each behind its size.
std::vector<std::byte> write_builds(const std::vector<BuildRef>& builds) {
  std::vector<std::byte> text;
  const UnitSource* last = nullptr;
  for (const auto& build : builds) {
    append(text, build->source.get() == last ? std::vector<std::byte>()
                                             : write_program_file(*build->source->program));
    last = build->source.get();
    append(text, std::as_bytes(std::span(build->kernel)));
    append(text, std::as_bytes(std::span(&build->specialization, 1)));
  }
  return text;
}

// The part behind the size at the start of `rest`, which is taken off; false if it is not whole.
bool take(std::span<const std::byte>& rest, std::span<const std::byte>& part) {
  std::uint64_t size = 0;
  if (rest.size() < sizeof size)
    return false;
  std::memcpy(&size, rest.data(), sizeof size);
  rest = rest.subspan(sizeof size);
  if (rest.size() < size)
    return false;
  part = rest.first(size);
  rest = rest.subspan(size);
  return true;
}

std::shared_ptr<const UnitSource> read_source(std::span<const std::byte> bytes) {
  auto file = read_program_file(bytes);
  const auto metadata = file ? deserialize(file->metadata) : std::nullopt;
  if (!metadata)
    return nullptr;
  return std::make_shared<const UnitSource>(std::make_shared<const ProgramFile>(std::move(*file)),
                                            *metadata);
}

// The helpers of programs that end one after the other run one after the other. The file stays
// open.
bool wait_for_turn(const std::string& folder) {
  const int lock = open(Cache::helpers_lock(folder).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  return lock >= 0 && flock(lock, LOCK_EX) == 0;
}

// The environment of this process, with absolute paths, and without what would write its files once
// more.
std::vector<std::string> environment() {
  std::vector<std::string> words = {"HEDDLE_CACHE_DIR=" + Cache::instance().folder()};
  if (const auto& compiler = options().COMPILER; !compiler.empty())
    words.push_back("HEDDLE_COMPILER=" + std::filesystem::absolute(compiler).string());
  for (char** word = environ; *word; ++word) {
    const std::string_view text = *word;
    const auto is = [&](std::string_view name) {
      return text.starts_with(name) && text.substr(name.size()).starts_with("=");
    };
    if (!is("HEDDLE_TRACE") && !is("HEDDLE_PROFILE") && !is("HEDDLE_PROGRESS") &&
        !is("HEDDLE_CACHE_DIR") && !is("HEDDLE_COMPILER"))
      words.emplace_back(text);
  }
  return words;
}

// It keeps nothing of this process: no file, which another one might wait for the end of, no
// folder, and no group, which gets the signals of a terminal.
bool spawn(int file) {
  const auto driver = driver_path();
  const auto command = command_path(driver);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (const int number : {0, 1, 2})
    posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0);
  posix_spawn_file_actions_adddup2(&actions, file, kFile);
  posix_spawn_file_actions_addclosefrom_np(&actions, kFile + 1);
  posix_spawn_file_actions_addchdir_np(&actions, "/");
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setpgroup(&attributes, 0);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
  const char* words[] = {command.c_str(), "finish-builds", driver.c_str(), nullptr};
  auto kept = environment();
  std::vector<char*> variables;
  for (auto& word : kept)
    variables.push_back(word.data());
  variables.push_back(nullptr);
  pid_t process = 0;
  const bool is_started = posix_spawn(&process, command.c_str(), &actions, &attributes,
                                      const_cast<char**>(words), variables.data()) == 0;
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return is_started;
}

} // namespace

bool is_possible() noexcept try {
  static const bool possible = options().LINGER && !Cache::instance().folder().empty() &&
                               !compiler_host::shows_compilation() && getauxval(AT_SECURE) == 0 &&
                               !RUNNING_ON_VALGRIND && !is_alone_in_container() &&
                               !command_path(driver_path()).empty();
  return possible;
} catch (const std::bad_alloc&) {
  return false;
}

bool start(const std::vector<BuildRef>& builds) noexcept try {
  const auto text = write_builds(builds);
  const int file = memfd_create("heddle-builds", MFD_CLOEXEC);
  if (file < 0)
    return false;
  const bool is_started = files::write_all(file, text) && spawn(file);
  close(file);
  return is_started;
} catch (const std::bad_alloc&) {
  return false;
}

int finish(int file) noexcept try {
  alarm(kMaxSeconds);
  std::signal(SIGHUP, SIG_IGN);
  setpriority(PRIO_PROCESS, 0, kHelperNiceness);
  const auto& folder = Cache::instance().folder();
  struct stat status {};
  if (fstat(file, &status) != 0 || access(folder.c_str(), W_OK) != 0 || !wait_for_turn(folder))
    return 1;
  std::vector<std::byte> text(static_cast<std::size_t>(status.st_size));
  if (pread(file, text.data(), text.size(), 0) != status.st_size)
    return 1;
  std::shared_ptr<const UnitSource> source;
  for (std::span<const std::byte> rest(text), part; !rest.empty();) {
    if (!take(rest, part))
      return 1;
    if (!part.empty())
      source = read_source(part);
    std::span<const std::byte> kernel, known;
    Specialization specialization;
    if (!source || !take(rest, kernel) || !take(rest, known) ||
        known.size() != sizeof specialization)
      return 1;
    std::memcpy(&specialization, known.data(), known.size());
    // A folder that was removed is not created again.
    if (access(folder.c_str(), W_OK) != 0)
      return 1;
    const std::string name(reinterpret_cast<const char*>(kernel.data()), kernel.size());
    const auto build = std::make_shared<UnitBuild>(source, name, specialization);
    build->yields = true;
    (void)make_unit(build);
  }
  return 0;
} catch (const std::bad_alloc&) {
  return 1;
}

} // namespace heddle::build_helper
