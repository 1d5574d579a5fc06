// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/json_text.h"

#include <cstddef>
#include <cstdio>

namespace heddle {
namespace {

// The bytes of the character that the text begins with; 0: they are no UTF-8 (RFC 3629).
std::size_t character_bytes(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const auto first = byte(0);
  if (first < 0x80)
    return 1;
  const std::size_t bytes = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (bytes == 0 || first > 0xf4 || text.size() < bytes)
    return 0;
  // No longer than needed, no surrogates, nothing above U+10FFFF.
  const auto low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
  const auto high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
  if (byte(1) < low || byte(1) > high)
    return 0;
  for (std::size_t i = 2; i < bytes; ++i)
    if ((byte(i) & 0xc0) != 0x80)
      return 0;
  return bytes;
}

} // namespace

std::string json_text(std::string_view text) {
  std::string made = "\"";
  while (!text.empty()) {
    const auto bytes = character_bytes(text);
    const auto first = static_cast<unsigned char>(text.front());
    if (bytes == 0) {
      made += "\xef\xbf\xbd";
    } else if (first < ' ') {
      char escaped[8];
      std::snprintf(escaped, sizeof escaped, "\\u%04x", first);
      made += escaped;
    } else {
      if (first == '"' || first == '\\')
        made += '\\';
      made += text.substr(0, bytes);
    }
    text.remove_prefix(bytes == 0 ? 1 : bytes);
  }
  return made + '"';
}

} // namespace heddle
