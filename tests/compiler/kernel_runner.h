// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds programs with libheddle-compiler.so and runs their kernels on one thread.
#pragma once

#include "compiler/interface/compiler_api.h"
#include "compiler/interface/kernel_abi.h"
#include "compiler/interface/metadata.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace heddle::test {

const heddle_compiler_api& compiler();

// The result of a request, or of those for a program and its units. `metadata` then has the kernels
// as they were compiled.
struct Built {
  heddle_status status = HEDDLE_BUILD_FAILURE;
  std::string log;
  std::vector<std::byte> output; // bitcode
  std::map<std::string, std::vector<std::byte>> units;
  ProgramMetadata metadata;
  std::vector<std::string> dependencies;
  bool ok() const { return status == HEDDLE_OK; }
};

struct BuildInput {
  std::string source;
  std::vector<std::string> options = {};
  std::optional<heddle_goal> goal = {}; // none: a program, and a unit of each of its kernels
  std::vector<std::pair<std::string, std::string>> headers = {};
  std::vector<std::vector<std::byte>> inputs = {};
  std::string extensions = kExtensions;
  std::string cpu = "native";
  bool force_fibers = false; // rather than region loops
  std::uint64_t max_seconds = 30;
  std::uint64_t max_memory_bytes = std::uint64_t{4} << 30;
  std::string working_directory = {};
  std::vector<KnownArgument> known = {};

  static const char* const kExtensions;
};

// Builds on a thread with a large stack, like the runtime; a fatal error becomes a failure.
Built build(const BuildInput& input);

// The size of an ND-range.
struct Range {
  std::array<std::uint64_t, 3> global = {1, 1, 1};
  std::array<std::uint64_t, 3> local = {1, 1, 1};
  std::array<std::uint64_t, 3> offset = {0, 0, 0};
};

// A loaded program.
class Program {
 public:
  // Fails the current test if the program does not build or load.
  explicit Program(const BuildInput& input);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  // Each argument: its bytes as for clSetKernelArg; for a local pointer, as many bytes as its
  // memory.
  void run(const std::string& kernel, const Range& range,
           const std::vector<std::vector<std::byte>>& arguments);

  const KernelMetadata& metadata(const std::string& kernel) const;
  const Built& built() const { return built_; }
  // printf records in order.
  const std::vector<std::vector<std::byte>>& records() const { return records_; }

 private:
  void load(const std::string& kernel, const std::vector<std::byte>& unit);

  Built built_;
  std::vector<void*> handles_;
  std::map<std::string, abi::KernelFunction> functions_;
  std::vector<std::byte> program_scope_;
  std::vector<std::vector<std::byte>> records_;
};

template <class T>
std::vector<std::byte> bytes(const T& value) {
  std::vector<std::byte> result(sizeof value);
  std::memcpy(result.data(), &value, sizeof value);
  return result;
}
inline std::vector<std::byte> local(std::size_t size) { return std::vector<std::byte>(size); }

// The levels of instructions that this machine runs, as HEDDLE_CPU names them, from the least on.
std::vector<std::string> cpu_levels();
// Of a test with a level as its parameter.
std::string name_of_level(const testing::TestParamInfo<std::string>& level);

} // namespace heddle::test
