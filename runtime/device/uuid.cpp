// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/device/uuid.h"

#include "runtime/device/machine.h"

#include <cstring>
#include <string>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace heddle {
namespace {

Uuid uuid_of(const std::string& text) {
  const auto hash = XXH3_128bits(text.data(), text.size());
  XXH128_canonical_t bytes;
  XXH128_canonicalFromHash(&bytes, hash);
  Uuid uuid;
  static_assert(sizeof bytes.digest == sizeof uuid);
  std::memcpy(uuid.data(), bytes.digest, sizeof uuid);
  uuid[6] = (uuid[6] & 0x0f) | 0x80; // version 8: vendor-specific
  uuid[8] = (uuid[8] & 0x3f) | 0x80; // RFC 9562 variant
  return uuid;
}

} // namespace

Uuid device_uuid(std::span<const int> cpus) {
  const auto& m = machine();
  std::string text = "heddle device\n" + m.host_id + '\n' + m.cpu_vendor + '\n' + m.cpu_name +
                     '\n' + std::to_string(m.cpu_identity);
  for (const int cpu : cpus)
    text += '\n' + std::to_string(cpu);
  return uuid_of(text);
}

Uuid driver_uuid() { return uuid_of("heddle driver\n" HEDDLE_VERSION); }

} // namespace heddle
