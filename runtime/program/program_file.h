// The bytes of a compiled program: what clGetProgramInfo(CL_PROGRAM_BINARIES) hands out and what
// the cache keeps.
//
//   payload (ELF shared object, or LLVM bitcode) | metadata | log | dependencies | footer
//
// The payload comes first, so that the file as a whole can be opened with dlopen. The footer holds
// sizes and a checksum over everything. Dependencies are only the cache's.
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

// A file that the source included, and what it held.
struct Dependency {
  std::string path;
  DigestValue digest{};
};

struct ProgramFile {
  ProgramKind kind = ProgramKind::executable;
  bool allows_non_uniform_groups = false;
  std::vector<std::byte> payload;
  std::vector<std::byte> metadata; // serialised ProgramMetadata, for executables
  std::string log;
  std::vector<Dependency> dependencies;
};

std::vector<std::byte> write_program_file(const ProgramFile& file);
// Nothing if the bytes are not whole, not Heddle's, of another version, or made for another CPU.
std::optional<ProgramFile> read_program_file(std::span<const std::byte> bytes);

} // namespace heddle
