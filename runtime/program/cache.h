// Compiled programs on disk, found again by what they were made of.
//
// Any number of processes share the folder: an entry is written to a temporary file and renamed.
// Whatever does not check (checksum, version, CPU, changed #include files) is a miss. A folder that
// cannot be written, a full disk or no home at all only mean that nothing is kept.
#pragma once

#include "runtime/program/digest.h"
#include "runtime/program/program_file.h"

#include <optional>
#include <string>

namespace heddle {

class Cache {
 public:
  // The process's, by HEDDLE_CACHE, HEDDLE_CACHE_DIR, XDG_CACHE_HOME and HOME.
  static Cache& instance();
  // `folder` empty: keeps nothing. `most_bytes`: least recently used entries go when the folder
  // exceeds it.
  Cache(std::string folder, std::uint64_t most_bytes);

  struct Entry {
    ProgramFile file;
    std::string path; // where the file is, for dlopen
  };
  std::optional<Entry> find(const DigestValue& key);
  // The path of the stored file; empty if it could not be kept.
  std::string store(const DigestValue& key, const ProgramFile& file);
  // Puts the source beside the entry and returns its path, for diagnostics and debug info; empty if
  // it cannot.
  std::string store_source(const DigestValue& key, std::string_view source);
  // Keeps bytes that came from elsewhere (a program binary) so that they can be opened; empty if it
  // cannot.
  std::string store_binary(std::span<const std::byte> bytes);

 private:
  std::string path_of(const DigestValue& key, const char* suffix);
  bool write(const std::string& path, std::span<const std::byte> bytes);
  void trim();

  const std::string folder_;
  const std::uint64_t most_bytes_;
};

// The whole file, or nothing.
std::optional<std::vector<std::byte>> read_file(const std::string& path);

} // namespace heddle
