// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The words of a SPIR-V module (SPIR-V specification, 2.3), as both the runtime and the compiler
// look at them: untrusted input, in either byte order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

namespace heddle::spirv {

inline constexpr std::uint32_t kMagic = 0x07230203;
inline constexpr std::size_t kHeaderWords = 5;
// Universal limit on the bound of ids (SPIR-V specification, 2.17).
inline constexpr std::uint32_t kMaxIds = 0x3FFFFF;
inline constexpr std::uint32_t kNewestMinorVersion = 6;

constexpr std::uint32_t swap_bytes(std::uint32_t word) {
  return word >> 24 | (word >> 8 & 0xFF00) | (word << 8 & 0xFF0000) | word << 24;
}

// The module's words in this machine's byte order. An empty `why` says that the bytes are SPIR-V:
// the header is one of SPIR-V 1.0 to 1.6, and the instructions fill the rest exactly.
inline std::vector<std::uint32_t> read_words(std::span<const std::byte> bytes, std::string& why) {
  why.clear();
  std::vector<std::uint32_t> words;
  if (bytes.size() < 4 * kHeaderWords || bytes.size() % 4 != 0) {
    why = "a SPIR-V module has whole words and at least five";
    return words;
  }
  words.resize(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), bytes.size());
  if (words[0] == swap_bytes(kMagic))
    for (auto& word : words)
      word = swap_bytes(word);
  const auto version = words[1];
  if (words[0] != kMagic)
    why = "the first word is not the magic number of SPIR-V";
  else if ((version & 0xFF0000FF) != 0 || version >> 16 != 1 ||
           (version >> 8 & 0xFF) > kNewestMinorVersion)
    why = "the version is not one of SPIR-V 1.0 to 1.6";
  else if (words[3] == 0 || words[3] > kMaxIds)
    why = "the bound of ids is not between 1 and " + std::to_string(kMaxIds);
  else if (words[4] != 0)
    why = "the instruction schema is not 0";
  for (std::size_t at = kHeaderWords; why.empty() && at < words.size();) {
    const auto count = words[at] >> 16;
    if (count == 0 || count > words.size() - at)
      why = "the instruction at byte " + std::to_string(4 * at) + " has a word count of " +
            std::to_string(count) + ", which does not fit the module";
    at += count;
  }
  return words;
}

// Calls visit(opcode, words of the instruction, index of its first word) for words that
// read_words() found no fault with.
template <class Visit>
void for_each_instruction(std::span<const std::uint32_t> words, Visit visit) {
  for (std::size_t at = kHeaderWords; at < words.size(); at += words[at] >> 16)
    visit(words[at] & 0xFFFF, words.subspan(at, words[at] >> 16), at);
}

} // namespace heddle::spirv
