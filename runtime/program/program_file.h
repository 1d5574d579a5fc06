// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The format of compiled programs, in the cache and as CL_PROGRAM_BINARIES.
//
//   payload | metadata | log | dependencies | options | units | footer
//
// The payload is LLVM bitcode, or of a unit an ELF shared object, which comes first so that dlopen
// accepts the file. A search (variant_search.h) has its text as the
// log, and the kernel and the size of its groups as options. The footer has the sizes
// and a checksum. Only files of the cache have dependencies, and only binaries of the user have
// units.
#pragma once

#include "runtime/program/digest.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heddle {

enum class ProgramKind : std::uint32_t {
  object = 1,
  library = 2,
  executable = 3,
  unit = 4,
  search = 5
};

// A file that the source included, and the digest of its contents.
struct Dependency {
  std::string path;
  DigestValue digest{};
};

// A unit of a program: the name of its contents, and a program file.
struct StoredUnit {
  DigestValue key{};
  std::vector<std::byte> bytes;
};

struct ProgramFile {
  ProgramKind kind = ProgramKind::executable;
  bool allows_non_uniform_groups = false;
  std::vector<std::byte> payload;
  std::vector<std::byte> metadata; // serialized ProgramMetadata, for executables and units
  std::string log;
  std::vector<Dependency> dependencies;
  std::vector<std::string> options; // of executables: the words that their units are built with
  std::vector<StoredUnit> units;
};

std::vector<std::byte> write_program_file(const ProgramFile& file);
// Nothing if the bytes are damaged, of another version, or for another CPU.
std::optional<ProgramFile> read_program_file(std::span<const std::byte> bytes);

} // namespace heddle
