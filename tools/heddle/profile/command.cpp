// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// heddle profile: runs a program, and shows what its processes have written.
#include "runtime/profile/counters.h"
#include "tools/heddle/commands.h"
#include "tools/heddle/driver.h"
#include "tools/heddle/profile/show.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <spawn.h>
#include <sstream>
#include <string>
#include <string_view>
#include <sys/wait.h>
#include <vector>

namespace heddle::command {
namespace {

namespace fs = std::filesystem;

struct Asked {
  std::string counters, json, csv, html; // files; empty: not asked for
  bool has_roofline = true;
  std::span<char*> program;
};

int refuse(const std::string& why) {
  std::fprintf(stderr, "heddle profile: %s\n", why.c_str());
  return 2;
}

// The value of --NAME=VALUE, or of --NAME VALUE, whose second word is taken then.
std::optional<std::string> value_of(std::string_view name, std::span<char*>& words) {
  const std::string_view word = words.front();
  if (word == name && words.size() > 1) {
    words = words.subspan(1);
    return words.front();
  }
  if (word.starts_with(name) && word.substr(name.size()).starts_with("="))
    return std::string(word.substr(name.size() + 1));
  return std::nullopt;
}

// An error message, or nothing.
std::string parse(std::span<char*> words, Asked& asked) {
  for (; !words.empty() && std::string_view(words.front()).starts_with("-");
       words = words.subspan(1)) {
    const std::string_view word = words.front();
    if (word == "--") {
      words = words.subspan(1);
      break;
    }
    if (word == "--no-roofline") {
      asked.has_roofline = false;
      continue;
    }
    bool is_known = false;
    for (const auto& [name, place] :
         {std::pair{"--counters", &asked.counters}, std::pair{"--json", &asked.json},
          std::pair{"--csv", &asked.csv}, std::pair{"--html", &asked.html}})
      if (const auto value = value_of(name, words)) {
        if (value->empty())
          return std::string(name) + " needs a value";
        *place = *value;
        is_known = true;
        break;
      }
    if (!is_known)
      return "'" + std::string(word) +
             "' is not known, or lacks its value: --counters LIST, --json FILE, --csv FILE, "
             "--html FILE, --no-roofline";
  }
  asked.program = words;
  return words.empty() ? "expected a program to run" : "";
}

// A new folder for this run; removed at the end.
class Folder {
 public:
  Folder() {
    const char* parent = std::getenv("TMPDIR");
    path_ = std::string(parent && *parent ? parent : "/tmp") + "/heddle-profile-XXXXXX";
    if (!mkdtemp(path_.data()))
      path_.clear();
  }
  ~Folder() {
    std::error_code error;
    if (!path_.empty())
      fs::remove_all(path_, error);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// The exit status as a shell tells it.
int run(std::span<char*> program) {
  // The program gets what the terminal sends, and this command shows what it did until then.
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGQUIT, SIG_IGN);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t defaults;
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGINT);
  sigaddset(&defaults, SIGQUIT);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  std::vector<char*> words(program.begin(), program.end());
  words.push_back(nullptr);
  pid_t child = 0;
  const int error = posix_spawnp(&child, words[0], nullptr, &attributes, words.data(), environ);
  posix_spawnattr_destroy(&attributes);
  if (error != 0) {
    std::fprintf(stderr, "heddle profile: cannot run '%s': %s\n", words[0], std::strerror(error));
    return error == ENOENT ? 127 : 126;
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::vector<profile::Profile> read_all(const std::string& folder) {
  std::vector<profile::Profile> profiles;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (entry.is_directory()) // with units
      continue;
    std::ifstream file(entry.path());
    std::ostringstream text;
    text << file.rdbuf();
    if (auto profile = profile::from_text(text.str())) {
      if (!profile->kernels.empty() || !profile->builds.empty())
        profiles.push_back(std::move(*profile));
    } else {
      std::fprintf(stderr, "heddle profile: %s is not whole\n", entry.path().c_str());
    }
  }
  return profiles;
}

bool write(const std::string& path, const std::string& text) {
  if (path.empty())
    return true;
  if (path == "-")
    return std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (file)
    return true;
  std::fprintf(stderr, "heddle profile: cannot write '%s'\n", path.c_str());
  return false;
}

std::optional<Roofline> find_roofline(bool again) {
  try {
    return measured_roofline(again);
  } catch (const DriverFailure& failure) {
    std::fprintf(stderr, "heddle: the machine's roofline cannot be measured: %s\n",
                 failure.what.c_str());
    return std::nullopt;
  }
}

} // namespace

int profile(std::span<char*> words) {
  Asked asked;
  if (const auto why = parse(words, asked); !why.empty())
    return refuse(why);
  const Folder folder;
  if (folder.path().empty())
    return refuse(std::string("cannot make a folder for the figures: ") + std::strerror(errno));
  setenv("HEDDLE_PROFILE", (folder.path() + "/%p").c_str(), 1);
  setenv("HEDDLE_PROFILE_COUNTERS", asked.counters.c_str(), 1);
  setenv("HEDDLE_PROFILE_LINES", asked.json.empty() && asked.html.empty() ? "0" : "1", 1);
  const int status = run(asked.program);
  const auto profiles = read_all(folder.path());
  if (profiles.empty()) {
    std::fputs("heddle profile: the program has run nothing on Heddle, or ended without exit(): is "
               "another driver chosen (heddle doctor)?\n",
               stderr);
    return status != 0 ? status : 1;
  }
  std::optional<Summary> made;
  made.emplace(profiles, asked.has_roofline ? find_roofline(false) : std::nullopt);
  if (made->has_kernel_above_roof()) // perhaps that was measured beside other work
    made.emplace(profiles, find_roofline(true));
  made->doubt_above_roof();
  const auto& summary = *made;
  std::fputs(as_table(summary).c_str(), stderr);
  std::string command;
  for (const char* word : asked.program)
    command.append(command.empty() ? "" : " ").append(word);
  bool are_written = write(asked.json, as_json(summary));
  are_written = write(asked.csv, as_csv(summary)) && are_written;
  are_written = write(asked.html, as_page(summary, command)) && are_written;
  return status != 0 || are_written ? status : 1;
}

int roofline(std::span<char*> words) {
  const bool again = words.size() == 1 && std::string_view(words[0]) == "--again";
  if (!words.empty() && !again) {
    std::fprintf(stderr, "heddle roofline: '%s' is not known: --again\n", words[0]);
    return 2;
  }
  const auto found = find_roofline(again);
  if (!found)
    return 1;
  std::printf(
      "%s, %u compute units\n  %s GFLOP/s of floats, %s of doubles, by fused "
      "multiply-additions\n  %s GB/s from and to memory, %s where the last cache has all\n  from "
      "%s operations on floats a "
      "byte on, memory does not limit\n%s",
      found->cpu.c_str(), found->compute_units, number_text(found->float_flops * 1e-9).c_str(),
      number_text(found->double_flops * 1e-9).c_str(), number_text(found->bandwidth * 1e-9).c_str(),
      number_text(found->cache_bandwidth * 1e-9).c_str(), number_text(found->ridge()).c_str(),
      roofline_text(*found).c_str());
  return 0;
}

} // namespace heddle::command
