// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the reader says of many modules: a line for each reason, with how many modules have it, and
// how much processor time the longest took.
//
//   spirv_read_modules [--build] FILE...
//
// Files are those of find_modules: modules behind each other, each behind a word with its length in
// bytes. --build goes on to machine code.
#include "compiler/pipeline.h"
#include "compiler/spirv/reader.h"
#include "compiler/support/build.h"
#include "compiler/support/fatal_errors.h"
#include "llvm/IR/Module.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace {

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// The first line of a log, without what differs from module to module.
std::string reason_of(const std::string& log) {
  std::string line = log.substr(0, log.find('\n'));
  std::string text;
  for (const char c : line)
    if (c < '0' || c > '9')
      text += c;
    else if (text.empty() || text.back() != '#')
      text += '#';
  return text.substr(0, 160);
}

[[noreturn]] void fail(void*, const char* message) {
  std::fprintf(stderr, "fatal: %s\n", message);
  std::exit(3);
}

// The program and a unit of each of its kernels.
bool build_all(heddle_request request, std::optional<heddle::compiler::Build>& build) {
  using heddle::compiler::Outcome;
  std::vector<std::byte> program, unit;
  if (run_pipeline(request, build, program) != Outcome::ok)
    return false;
  const heddle_blob input{program.data(), program.size()};
  request.goal = HEDDLE_GOAL_UNIT;
  request.il = {};
  request.inputs = &input;
  request.input_count = 1;
  const auto kernels = std::move(build->metadata.kernels);
  return std::ranges::all_of(kernels, [&](const auto& kernel) {
    request.kernel = kernel.name.c_str();
    request.specialization = {};
    return run_pipeline(request, build, unit) == Outcome::ok;
  });
}

} // namespace

int main(int count, char** words) {
  const bool builds = count > 1 && std::strcmp(words[1], "--build") == 0;
  std::map<std::string, unsigned> reasons;
  unsigned modules = 0;
  double longest = 0, total = 0;
  for (int i = builds ? 2 : 1; i < count; ++i) {
    std::ifstream file(words[i], std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    for (std::size_t at = 0; at + 4 <= bytes.size();) {
      std::uint32_t size = 0;
      std::memcpy(&size, bytes.data() + at, 4);
      at += 4;
      size = static_cast<std::uint32_t>(std::min<std::size_t>(size, bytes.size() - at));
      heddle_request request{};
      request.goal = builds ? HEDDLE_GOAL_PROGRAM : HEDDLE_GOAL_OBJECT;
      request.il = {bytes.data() + at, size};
      request.source_name = "module.spv";
      request.cpu = "native";
      request.extensions = "";
      request.max_seconds = 60;
      request.fatal = fail;
      const heddle::compiler::FatalErrorScope fatal_errors(request);
      std::optional<heddle::compiler::Build> build(std::in_place, request);
      const double start = processor_seconds();
      const bool ok =
          builds ? build_all(request, build) : heddle::compiler::read_spirv(*build) != nullptr;
      const double seconds = processor_seconds() - start;
      longest = std::max(longest, seconds);
      total += seconds;
      ++reasons[ok ? "taken" : reason_of(build->log)];
      ++modules;
      at += size;
    }
  }
  std::printf("%u modules, %.1f s, the longest %.3f s\n", modules, total, longest);
  for (const auto& [reason, number] : reasons)
    std::printf("%7u %s\n", number, reason.c_str());
  return 0;
}
