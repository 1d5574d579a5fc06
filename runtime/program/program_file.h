// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The format of compiled programs, in the cache and as CL_PROGRAM_BINARIES.
//
//   payload (ELF shared object, or LLVM bitcode) | metadata | log | dependencies | footer
//
// The payload comes first, so that dlopen accepts the file. The footer has the sizes and a
// checksum. Only files of the cache have dependencies.
#pragma once

#include "runtime/program/digest.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heddle {

enum class ProgramKind : std::uint32_t { object = 1, library = 2, executable = 3 };

// A file that the source included, and the digest of its contents.
struct Dependency {
  std::string path;
  DigestValue digest{};
};

struct ProgramFile {
  ProgramKind kind = ProgramKind::executable;
  bool allows_non_uniform_groups = false;
  std::vector<std::byte> payload;
  std::vector<std::byte> metadata; // serialized ProgramMetadata, for executables
  std::string log;
  std::vector<Dependency> dependencies;
};

std::vector<std::byte> write_program_file(const ProgramFile& file);
// Nothing if the bytes are damaged, of another version, or for another CPU.
std::optional<ProgramFile> read_program_file(std::span<const std::byte> bytes);

} // namespace heddle
