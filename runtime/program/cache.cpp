#include "runtime/program/cache.h"

#include "runtime/core/options.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

namespace heddle {
namespace {

namespace fs = std::filesystem;

// After so many stored entries the folder's size is looked at again.
constexpr unsigned kStoresBetweenTrims = 64;

std::string choose_folder() {
  if (!options().CACHE)
    return {};
  if (!options().CACHE_DIR.empty())
    return options().CACHE_DIR;
  if (const char* base = std::getenv("XDG_CACHE_HOME"); base && *base == '/')
    return std::string(base) + "/heddle";
  if (const char* home = std::getenv("HOME"); home && *home == '/')
    return std::string(home) + "/.cache/heddle";
  char text[4096];
  passwd entry{};
  passwd* found = nullptr;
  if (getpwuid_r(geteuid(), &entry, text, sizeof text, &found) == 0 && found && found->pw_dir &&
      found->pw_dir[0] == '/' && found->pw_dir[1] != '\0')
    return std::string(found->pw_dir) + "/.cache/heddle";
  return {};
}

bool dependencies_unchanged(const ProgramFile& file) {
  return std::all_of(
      file.dependencies.begin(), file.dependencies.end(), [](const Dependency& dependency) {
        const auto bytes = read_file(dependency.path);
        if (!bytes)
          return false;
        const auto digest = digest_of(*bytes);
        return digest[0] == dependency.digest[0] && digest[1] == dependency.digest[1];
      });
}

} // namespace

std::optional<std::vector<std::byte>> read_file(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return std::nullopt;
  struct stat status{};
  std::vector<std::byte> bytes;
  bool whole = fstat(file, &status) == 0 && S_ISREG(status.st_mode);
  if (whole) {
    bytes.resize(static_cast<std::size_t>(status.st_size));
    std::size_t done = 0;
    while (done < bytes.size()) {
      const auto got = read(file, bytes.data() + done, bytes.size() - done);
      if (got <= 0)
        break;
      done += static_cast<std::size_t>(got);
    }
    whole = done == bytes.size();
  }
  close(file);
  if (!whole)
    return std::nullopt;
  return bytes;
}

Cache& Cache::instance() {
  static Cache& cache = *new Cache(choose_folder(), std::uint64_t{options().CACHE_MEGABYTES} << 20);
  return cache;
}

Cache::Cache(std::string folder, std::uint64_t most_bytes)
    : folder_(std::move(folder)), most_bytes_(most_bytes) {}

std::string Cache::path_of(const DigestValue& key, const char* suffix) {
  const auto name = to_hex(key);
  return folder_ + "/" + name.substr(0, 2) + "/" + name.substr(2) + suffix;
}

std::optional<Cache::Entry> Cache::find(const DigestValue& key) {
  if (folder_.empty())
    return std::nullopt;
  const auto path = path_of(key, ".so");
  const auto bytes = read_file(path);
  if (!bytes)
    return std::nullopt;
  auto file = read_program_file(*bytes);
  if (!file || !dependencies_unchanged(*file))
    return std::nullopt;
  // Marks the entry as used now; a folder that may not be written is no harm.
  utimensat(AT_FDCWD, path.c_str(), nullptr, 0);
  return Entry{std::move(*file), path};
}

bool Cache::write(const std::string& path, std::span<const std::byte> bytes) {
  std::error_code error;
  fs::create_directories(fs::path(path).parent_path(), error);
  static std::atomic<unsigned> counter{0};
  const auto temporary =
      path + "." + std::to_string(getpid()) + "." + std::to_string(counter.fetch_add(1)) + ".tmp";
  const int file = open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (file < 0)
    return false;
  std::size_t done = 0;
  while (done < bytes.size()) {
    const auto written = ::write(file, bytes.data() + done, bytes.size() - done);
    if (written <= 0)
      break;
    done += static_cast<std::size_t>(written);
  }
  const bool closed = close(file) == 0;
  if (done == bytes.size() && closed && rename(temporary.c_str(), path.c_str()) == 0)
    return true;
  unlink(temporary.c_str());
  return false;
}

std::string Cache::store(const DigestValue& key, const ProgramFile& file) {
  if (folder_.empty())
    return {};
  const auto path = path_of(key, ".so");
  if (!write(path, write_program_file(file)))
    return {};
  static std::atomic<unsigned> stores{0};
  if (stores.fetch_add(1) % kStoresBetweenTrims == 0)
    trim();
  return path;
}

std::string Cache::store_source(const DigestValue& key, std::string_view source) {
  if (folder_.empty())
    return {};
  const auto path = path_of(key, ".cl");
  const auto bytes = std::as_bytes(std::span(source));
  if (const auto present = read_file(path);
      present && present->size() == bytes.size() &&
      std::memcmp(present->data(), bytes.data(), bytes.size()) == 0)
    return path;
  return write(path, bytes) ? path : std::string();
}

std::string Cache::store_binary(std::span<const std::byte> bytes) {
  if (folder_.empty())
    return {};
  const auto path = path_of(digest_of(bytes), ".bin.so");
  if (const auto present = read_file(path);
      present && present->size() == bytes.size() &&
      std::memcmp(present->data(), bytes.data(), bytes.size()) == 0)
    return path;
  return write(path, bytes) ? path : std::string();
}

void Cache::trim() {
  struct File {
    fs::path path;
    std::uint64_t bytes;
    fs::file_time_type used;
  };
  std::vector<File> files;
  std::uint64_t total = 0;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(folder_, error), end; !error && entry != end;
       entry.increment(error)) {
    std::error_code gone;
    if (!entry->is_regular_file(gone))
      continue;
    const auto bytes = entry->file_size(gone);
    const auto used = entry->last_write_time(gone);
    if (gone)
      continue;
    files.push_back({entry->path(), bytes, used});
    total += bytes;
  }
  if (total <= most_bytes_)
    return;
  std::sort(files.begin(), files.end(),
            [](const File& a, const File& b) { return a.used < b.used; });
  for (const auto& file : files) {
    if (total <= most_bytes_ / 4 * 3)
      break;
    if (fs::remove(file.path, error))
      total -= file.bytes;
  }
}

} // namespace heddle
