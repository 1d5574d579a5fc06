// Compiled programs on disk, found again by what they were made of.
//
//   KEY.so      a program file (program_file.h); KEY is the digest of everything the build was
//               given, and, where the source includes files, of what these held
//   KEY.deps    for sources that include files: which, and what they held, so that the key above
//               can be made without compiling
//   KEY.cl      the source, for diagnostics, debuggers and profilers
//   stored      grows with every store; tells when to look at the size of the folder
//
// Any number of processes share the folder: an entry is written to a temporary file and renamed.
// Whatever does not check (checksum, version, CPU, changed #include files) is a miss. A folder that
// cannot be written, a full disk or no home at all only mean that nothing is kept.
//
// A name never stands for two different codes: the dynamic loader takes a name that it has open for
// the same library.
#pragma once

#include "runtime/program/digest.h"
#include "runtime/program/program_file.h"

#include <optional>
#include <string>
#include <string_view>

namespace heddle {

class Cache {
 public:
  // The process's, by HEDDLE_CACHE, HEDDLE_CACHE_DIR, XDG_CACHE_HOME and HOME.
  static Cache& instance();
  // Where that one is; empty if nothing is kept.
  static std::string default_folder();
  // `folder` empty: keeps nothing. When the files exceed `most_bytes`, the least recently used ones
  // go.
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
  // Removes the least recently used entries until the folder is well below its limit.
  void trim();

 private:
  std::string path_of(const DigestValue& key, const char* suffix) const;
  std::optional<Entry> load(const DigestValue& key);
  std::string put(const std::string& path, std::span<const std::byte> bytes);
  void count_stored(std::size_t bytes);

  const std::string folder_; // absolute, or empty
  const std::uint64_t most_bytes_;
};

} // namespace heddle
