// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/options.h"
#include "runtime/program/cache.h"
#include "runtime/program/files.h"
#include "tools/heddle/doctor_sections.h"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <unistd.h>

namespace heddle::doctor {
namespace {

namespace fs = std::filesystem;

struct Contents {
  std::uint64_t bytes = 0;
  std::uint64_t programs = 0;
};

Contents contents_of(const std::string& folder) {
  Contents contents;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    std::error_code gone;
    if (!entry->is_regular_file(gone) || gone)
      continue;
    const auto bytes = entry->file_size(gone);
    contents.bytes += gone ? 0 : bytes;
    contents.programs += entry->path().extension() == ".program";
  }
  return contents;
}

// The folder itself, or the nearest one above it that is there.
std::string existing(const std::string& folder) {
  std::error_code error;
  fs::path path = folder;
  while (!fs::exists(path, error) && path.has_relative_path())
    path = path.parent_path();
  return path.string();
}

const char* why_there() {
  const char* base = std::getenv("XDG_CACHE_HOME");
  return !options().CACHE_DIR.empty() ? "HEDDLE_CACHE_DIR"
         : base && *base == '/'       ? "XDG_CACHE_HOME"
                                      : "the home folder";
}

// File systems whose files other machines may change (magic numbers as in linux/magic.h).
const char* network_name(const std::string& folder) {
  struct statfs status {};
  if (statfs(folder.c_str(), &status) != 0)
    return nullptr;
  struct Kind {
    unsigned number;
    const char* name;
  };
  static constexpr std::array<Kind, 6> kKinds = {{{0x6969, "NFS"},
                                                  {0xff534d42, "CIFS"},
                                                  {0xfe534d42, "SMB2"},
                                                  {0x0bd00bd0, "Lustre"},
                                                  {0x47504653, "GPFS"},
                                                  {0x00c36400, "Ceph"}}};
  for (const auto& kind : kKinds)
    if (static_cast<unsigned>(status.f_type) == kind.number)
      return kind.name;
  return nullptr;
}

// Why no file can be written, as an error of the C library; 0 if one can. Makes the folder if need
// be, as a build would, and leaves no file.
int why_not_writable(const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    return error.value();
  const auto file = folder + "/doctor." + std::to_string(getpid());
  errno = 0;
  const bool written = files::replace(file, std::as_bytes(std::span("heddle doctor\n")));
  const int reason = written ? 0 : errno != 0 ? errno : EIO;
  unlink(file.c_str());
  return reason;
}

const char* how_to_make_writable(int reason) {
  switch (reason) {
  case EACCES:
  case EPERM:
    return "let this user write to the folder, or set HEDDLE_CACHE_DIR to one of the user's own";
  case ENOSPC:
  case EDQUOT:
    return "free space on its disk, or set HEDDLE_CACHE_DIR to a folder on another one";
  case EROFS:
    return "set HEDDLE_CACHE_DIR to a folder on a file system that can be written";
  default:
    return "set HEDDLE_CACHE_DIR to a folder that can be written";
  }
}

} // namespace

void report_cache(Report& report) {
  auto& section = report.add("cache");
  const auto folder = Cache::default_folder();
  auto& place = section.add("folder", folder);
  if (folder.empty()) {
    place.text = options().CACHE ? "none: there is no home folder" : "none: HEDDLE_CACHE=0";
    place.level = Level::note;
    place.advice = options().CACHE ? "every process builds its programs again: set HEDDLE_CACHE_DIR"
                                   : "every process builds its programs again: unset HEDDLE_CACHE";
    return;
  }
  place.text = folder + " (" + why_there() + ")";
  const int reason = why_not_writable(folder);
  const bool writable = reason == 0;
  auto& write = section.add("writable", writable);
  if (!writable) {
    write.text = std::string("no: ") + std::strerror(reason);
    write.level = Level::problem;
    write.advice =
        std::string("every process builds its programs again: ") + how_to_make_writable(reason);
  }
  const auto contents = contents_of(folder);
  const auto limit = std::uint64_t{options().CACHE_MEGABYTES} << 20;
  section.add("size", contents.bytes,
              size_text(contents.bytes) + " of " + size_text(limit) +
                  " (HEDDLE_CACHE_MEGABYTES), " + std::to_string(contents.programs) + " programs");
  struct statvfs disk {};
  if (statvfs(existing(folder).c_str(), &disk) != 0)
    return;
  const auto free = std::uint64_t{disk.f_bavail} * disk.f_frsize;
  auto& space = section.add("disk", free, size_text(free) + " are free");
  if (writable && free < (std::uint64_t{64} << 20)) {
    space.level = Level::note;
    space.advice = "programs will soon not be kept: free space, or set HEDDLE_CACHE_DIR";
  }
  if ((disk.f_flag & ST_NOEXEC) != 0) {
    auto& mount = section.add("mount", std::string("noexec"), "noexec: no code is loaded from it");
    mount.level = Level::note;
    mount.advice = "programs are loaded through memory, where profilers and debuggers do not find "
                   "them: set HEDDLE_CACHE_DIR to a folder on another file system";
  }
  if (const char* name = network_name(existing(folder))) {
    section.add("file system", std::string(name),
                std::string(name) + ": shared with other machines, which is safe");
  }
}

} // namespace heddle::doctor
