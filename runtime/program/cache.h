// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The on-disk cache of compiled programs, keyed by the inputs of the build.
//
//   KEY.program a program file (program_file.h); KEY is the digest of all inputs of the build,
//               including the contents of the files that the source includes
//   KEY.so      a unit of a program; KEY is the digest of what it is built from
//   KEY.search  which variants of a kernel were tried for a local size (variant_search.h)
//   KEY.hint    which of them was the best for any local size
//   KEY.deps    for sources that include files: their names and digests, from which the key above
//               is computed without compiling
//   KEY.cl      the source, for diagnostics, debuggers and profilers
//   KEY.claim   while a process builds the entry: others wait for it (build_claim.h)
//   build-helper, cpu-costs-*  see build_helper.h and target_cpu.h
//   stored      grows with every store; determines when the size of the folder is checked
//
// Any number of processes share the folder: an entry is written to a temporary file and renamed. An
// entry that fails a check (checksum, version, CPU, changed #include files) is a miss. Without a
// writable folder or disk space nothing is stored.
//
// A name never refers to two different programs, because the dynamic loader treats equal names as
// the same library.
#pragma once

#include "runtime/program/build_claim.h"
#include "runtime/program/digest.h"
#include "runtime/program/program_file.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

class Cache {
 public:
  // The cache of the process, configured by HEDDLE_CACHE, HEDDLE_CACHE_DIR, XDG_CACHE_HOME and
  // HOME.
  static Cache& instance();
  // Where that one is; empty if nothing is kept.
  static std::string default_folder();
  // The file that helpers take turns by, made when the first of them ran (build_helper.h).
  static std::string helpers_lock(const std::string& folder) { return folder + "/build-helper"; }
  // An empty `folder` disables the cache. When the files exceed `most_bytes`, the least recently
  // used ones are removed.
  Cache(std::string folder, std::uint64_t most_bytes);
  // Absolute, or empty.
  const std::string& folder() const { return folder_; }

  struct Entry {
    ProgramFile file;
    std::string path; // of the file, for dlopen
  };
  std::optional<Entry> find(const DigestValue& key);
  // The same for a unit.
  std::optional<Entry> find_unit(const DigestValue& key);
  // Whether there is one, damaged or not.
  bool has_unit(const DigestValue& key) const;
  // A search for the best variant of a kernel (variant_search.h).
  struct Search {
    std::string kernel;
    std::string groups; // their size, as 16x16x1
    std::string text;
  };
  std::optional<Search> find_search(const DigestValue& key);
  void store_search(const DigestValue& key, const Search& search);
  // All of them.
  std::vector<Search> searches() const;
  // What such a search found for any local size of a kernel, as VariantSearch::text().
  std::optional<std::string> find_hint(const DigestValue& key);
  void store_hint(const DigestValue& key, const std::string& text);
  // Returns the path of the stored file; empty if it could not be stored.
  std::string store(const DigestValue& key, const ProgramFile& file);
  // Stores the source next to the entry and returns its path, for diagnostics and debug info; empty
  // on failure.
  std::string store_source(const DigestValue& key, std::string_view source);
  // For the process that is to build a missing entry: see BuildClaim::take. Without a folder, none
  // is held. The wait ends when `cancelled` (may be null) is not 0.
  BuildClaim claim(const DigestValue& key, const std::uint32_t* cancelled = nullptr,
                   bool yields = false);
  // Removes the least recently used entries until the folder is clearly below its limit.
  void trim();

 private:
  std::string path_of(const DigestValue& key, const char* suffix) const;
  std::optional<Entry> load(const DigestValue& key, const char* suffix);
  std::string put(const std::string& path, std::span<const std::byte> bytes);
  void count_stored(std::size_t bytes);

  const std::string folder_; // absolute, or empty
  const std::uint64_t most_bytes_;
};

} // namespace heddle
