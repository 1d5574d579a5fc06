// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/program/cache.h"

#include "runtime/core/options.h"
#include "runtime/program/files.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>
#include <unordered_map>
#include <vector>

namespace heddle {
namespace {

namespace fs = std::filesystem;

// The file `stored` has one byte for each so many bytes stored since the last trim. A store appends
// to it, so processes count together without a lock.
constexpr std::size_t kBytesPerCount = 4096;
constexpr const char* kCountName = "stored";
constexpr const char* kProgramSuffix = ".program";
constexpr const char* kUnitSuffix = ".so";
constexpr const char* kSearchSuffix = ".search";
constexpr const char* kHintSuffix = ".hint";
// An older temporary file was left by a process that died.
constexpr std::chrono::hours kOldTemporary{1};
// A builder sends a heartbeat every second; an overloaded machine may delay it.
constexpr std::chrono::seconds kSilence{10};

std::string home_folder() {
  if (const char* home = std::getenv("HOME"); home && *home == '/')
    return home;
  char text[4096];
  passwd entry{};
  passwd* found = nullptr;
  if (getpwuid_r(geteuid(), &entry, text, sizeof text, &found) == 0 && found && found->pw_dir &&
      found->pw_dir[0] == '/')
    return found->pw_dir;
  return {};
}

std::string absolute(const std::string& folder) {
  if (folder.empty())
    return folder;
  std::error_code error;
  const auto path = fs::absolute(folder, error);
  return error ? std::string() : path.lexically_normal().string();
}

std::string choose_folder() {
  if (!options().CACHE)
    return {};
  if (!options().CACHE_DIR.empty())
    return options().CACHE_DIR;
  // A relative path is ignored (XDG Base Directory Specification).
  if (const char* base = std::getenv("XDG_CACHE_HOME"); base && *base == '/')
    return std::string(base) + "/heddle";
  const auto home = home_folder();
  return home.empty() || home == "/" ? std::string() : home + "/.cache/heddle";
}

// The key of a program with these contents of the included files.
DigestValue with_dependencies(const DigestValue& key, const std::vector<Dependency>& dependencies) {
  Digest digest;
  digest.add(std::as_bytes(std::span(key)));
  for (const auto& dependency : dependencies)
    digest.add(dependency.path).add(std::as_bytes(std::span(dependency.digest)));
  return digest.value();
}

bool is_unchanged(const Dependency& dependency) {
  const auto bytes = files::read(dependency.path);
  return bytes && digest_of(*bytes) == dependency.digest;
}

std::optional<Cache::Search> search_in(const ProgramFile& file) {
  if (file.kind != ProgramKind::search || file.options.size() != 2)
    return std::nullopt;
  return Cache::Search{file.options[0], file.options[1], file.log};
}

// Marks a file as recently used; fails harmlessly in a read-only folder.
void touch(const std::string& path) { utimensat(AT_FDCWD, path.c_str(), nullptr, 0); }

} // namespace

std::string Cache::default_folder() { return absolute(choose_folder()); }

Cache& Cache::instance() {
  static Cache& cache = *new Cache(choose_folder(), std::uint64_t{options().CACHE_MEGABYTES} << 20);
  return cache;
}

Cache::Cache(std::string folder, std::uint64_t most_bytes)
    : folder_(absolute(folder)), most_bytes_(most_bytes) {}

std::string Cache::path_of(const DigestValue& key, const char* suffix) const {
  const auto name = to_hex(key);
  return folder_ + "/" + name.substr(0, 2) + "/" + name.substr(2) + suffix;
}

std::optional<Cache::Entry> Cache::load(const DigestValue& key, const char* suffix) {
  auto path = path_of(key, suffix);
  const auto bytes = files::read_own(path);
  if (!bytes)
    return std::nullopt;
  auto file = read_program_file(*bytes);
  if (!file)
    return std::nullopt;
  touch(path);
  return Entry{std::move(*file), std::move(path)};
}

std::optional<Cache::Entry> Cache::find(const DigestValue& key) {
  if (folder_.empty())
    return std::nullopt;
  if (auto entry = load(key, kProgramSuffix))
    return entry;
  const auto path = path_of(key, ".deps");
  const auto bytes = files::read_own(path);
  const auto list = bytes ? read_program_file(*bytes) : std::nullopt;
  if (!list || !std::all_of(list->dependencies.begin(), list->dependencies.end(), is_unchanged))
    return std::nullopt;
  touch(path);
  return load(with_dependencies(key, list->dependencies), kProgramSuffix);
}

std::optional<Cache::Entry> Cache::find_unit(const DigestValue& key) {
  return folder_.empty() ? std::nullopt : load(key, kUnitSuffix);
}

bool Cache::has_unit(const DigestValue& key) const {
  return !folder_.empty() && access(path_of(key, kUnitSuffix).c_str(), R_OK) == 0;
}

std::optional<Cache::Search> Cache::find_search(const DigestValue& key) {
  auto entry = folder_.empty() ? std::nullopt : load(key, kSearchSuffix);
  return entry ? search_in(entry->file) : std::nullopt;
}

void Cache::store_search(const DigestValue& key, const Search& search) {
  if (folder_.empty())
    return;
  ProgramFile file;
  file.kind = ProgramKind::search;
  file.options = {search.kernel, search.groups};
  file.log = search.text;
  put(path_of(key, kSearchSuffix), write_program_file(file));
}

std::optional<std::string> Cache::find_hint(const DigestValue& key) {
  auto entry = folder_.empty() ? std::nullopt : load(key, kHintSuffix);
  if (!entry || entry->file.kind != ProgramKind::search)
    return std::nullopt;
  return std::move(entry->file.log);
}

void Cache::store_hint(const DigestValue& key, const std::string& text) {
  if (folder_.empty())
    return;
  ProgramFile file;
  file.kind = ProgramKind::search;
  file.log = text;
  put(path_of(key, kHintSuffix), write_program_file(file));
}

std::vector<Cache::Search> Cache::searches() const {
  std::vector<Search> found;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(folder_, error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->path().extension() != kSearchSuffix)
      continue;
    const auto bytes = files::read_own(entry->path().string());
    const auto file = bytes ? read_program_file(*bytes) : std::nullopt;
    if (auto search = file ? search_in(*file) : std::nullopt)
      found.push_back(std::move(*search));
  }
  return found;
}

std::string Cache::put(const std::string& path, std::span<const std::byte> bytes) {
  if (!files::replace(path, bytes))
    return {};
  count_stored(bytes.size());
  return path;
}

std::string Cache::store(const DigestValue& key, const ProgramFile& file) {
  if (folder_.empty())
    return {};
  const auto bytes = write_program_file(file);
  const auto* suffix = file.kind == ProgramKind::unit ? kUnitSuffix : kProgramSuffix;
  if (file.dependencies.empty())
    return put(path_of(key, suffix), bytes);
  ProgramFile list;
  list.kind = file.kind;
  list.dependencies = file.dependencies;
  auto path = put(path_of(with_dependencies(key, file.dependencies), suffix), bytes);
  if (!path.empty())
    put(path_of(key, ".deps"), write_program_file(list));
  return path;
}

std::string Cache::store_source(const DigestValue& key, std::string_view source) {
  if (folder_.empty())
    return {};
  auto path = path_of(key, ".cl");
  const auto bytes = std::as_bytes(std::span(source));
  if (const auto present = files::read_own(path);
      present && std::equal(present->begin(), present->end(), bytes.begin(), bytes.end()))
    return path;
  return put(path, bytes);
}

BuildClaim Cache::claim(const DigestValue& key, const std::uint32_t* cancelled, bool yields) {
  if (folder_.empty())
    return {};
  return BuildClaim::take(
      path_of(key, ".claim"),
      {std::chrono::seconds(options().BUILD_WAIT_SECONDS), kSilence, cancelled, yields});
}

void Cache::count_stored(std::size_t bytes) {
  const auto path = folder_ + "/" + kCountName;
  const int file = open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
  if (file < 0)
    return;
  const std::vector<std::byte> marks(bytes / kBytesPerCount + 1);
  struct stat status {};
  const bool counted = files::write_all(file, marks) && fstat(file, &status) == 0;
  const auto stored = static_cast<std::uint64_t>(status.st_size) * kBytesPerCount;
  const bool full = counted && stored > most_bytes_ / 8;
  if (full && ftruncate(file, 0) != 0) {
    // So that the next store trims again.
  }
  close(file);
  if (full)
    trim();
}

void Cache::trim() {
  if (folder_.empty())
    return;
  struct Group { // the files of a key
    std::vector<std::pair<fs::path, std::uint64_t>> members;
    std::uint64_t bytes = 0;
    fs::file_time_type used = fs::file_time_type::min();
  };
  std::unordered_map<std::string, Group> by_key;
  std::uint64_t total = 0;
  std::error_code error;
  const auto now = fs::file_time_type::clock::now();
  for (fs::recursive_directory_iterator entry(folder_, error), end; !error && entry != end;
       entry.increment(error)) {
    std::error_code gone;
    const auto& path = entry->path();
    const auto bytes = entry->is_regular_file(gone) ? entry->file_size(gone) : 0;
    const auto used = entry->last_write_time(gone);
    if (gone || bytes == 0 || path.filename() == kCountName)
      continue;
    if (files::is_temporary(path.string())) {
      if (now - used > kOldTemporary)
        fs::remove(path, gone);
      continue;
    }
    auto& group = by_key[path.parent_path() / path.stem()];
    group.members.emplace_back(path, bytes);
    group.bytes += bytes;
    group.used = std::max(group.used, used);
    total += bytes;
  }
  std::vector<Group*> groups;
  for (auto& [key, group] : by_key)
    groups.push_back(&group);
  std::sort(groups.begin(), groups.end(),
            [](const Group* a, const Group* b) { return a->used < b->used; });
  for (const auto* group : groups) {
    if (total <= most_bytes_ / 4 * 3)
      break;
    for (const auto& [path, bytes] : group->members)
      if (fs::remove(path, error))
        total -= bytes;
  }
}

} // namespace heddle
