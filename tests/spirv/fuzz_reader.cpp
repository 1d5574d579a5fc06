// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A libFuzzer target for the SPIR-V reader: whatever the bytes are, it gives a module or a log.
#include "compiler/interface/spirv_words.h"
#include "compiler/spirv/reader.h"
#include "compiler/support/build.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // A good header in front of whatever follows: the words of one are soon tried out.
  std::vector<std::uint32_t> words((size + 3) / 4);
  if (size != 0)
    std::memcpy(words.data(), data, size);
  if (words.size() >= heddle::spirv::kHeaderWords && words[0] != heddle::spirv::kMagic &&
      words[0] != heddle::spirv::swap_bytes(heddle::spirv::kMagic)) {
    words[0] = heddle::spirv::kMagic;
    words[1] = 0x00010400;
    words[3] = words[3] % 4096 + 1;
    words[4] = 0;
  }
  heddle_request request{};
  request.goal = HEDDLE_GOAL_OBJECT;
  request.il = {words.data(), 4 * words.size()};
  request.source_name = "fuzz.spv";
  // With variables of debug information by a bit of the generator's number, which has no meaning
  // for the reader.
  const char* const debug = "-g";
  if (words.size() > 2 && (words[2] & 1) != 0) {
    request.options = &debug;
    request.option_count = 1;
  }
  heddle::compiler::Build build(request);
  const auto module = heddle::compiler::read_spirv(build);
  if (!module && build.log.empty())
    std::abort();
  return 0;
}
