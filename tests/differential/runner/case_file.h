// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program of generated kernels and how to launch each: an OpenCL C file with lines `//!` for the
// runner (the folder's README describes the format).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace heddle::differential {

enum class ArgumentKind {
  In,      // a buffer that the kernel only reads; also compared, because it must not be written
  Image,   // a 2D image that the kernel only reads, or a buffer of the same bytes
  Out,     // a buffer that is compared
  Scratch, // a buffer with padding or other bytes without meaning; only its guard is compared
  Check,   // a buffer that must remain zero: the kernel records errors in it
  Local,   // local memory of that size
  Value    // passed by value
};

enum class Fill {
  Zero,
  Random,     // values of the element type, edge cases among them
  Permutation // 0 ... count - 1 in random order; of uint
};

struct Argument {
  ArgumentKind kind = ArgumentKind::In;
  std::string type;      // scalar element type, such as "uchar" or "double"
  size_t count = 0;      // elements
  unsigned channels = 0; // of an Image
  Fill fill = Fill::Zero;
  uint64_t seed = 0;
  std::vector<unsigned char> value; // of a Value
};

struct Launch {
  std::string kernel;
  unsigned dimensions = 1;
  std::array<size_t, 3> global{1, 1, 1};
  std::array<size_t, 3> local{0, 0, 0}; // 0: left to the driver
  std::array<size_t, 3> offset{0, 0, 0};
  std::vector<Argument> arguments;
};

struct CaseFile {
  std::string source;
  std::string options;
  std::vector<Launch> launches;
};

// Size in bytes of a scalar type of OpenCL C; throws std::runtime_error for any other name.
size_t scalar_size(const std::string& type);

// Throws std::runtime_error if the file cannot be read or a line is malformed.
CaseFile read_case_file(const std::string& path);

} // namespace heddle::differential
