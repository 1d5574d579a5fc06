// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/program/digest.h"

#include "compiler/interface/kernel_abi.h"
#include "runtime/core/options.h"
#include "runtime/target/processor.h"

#include <cstdio>
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace heddle {

struct Digest::State {
  XXH3_state_t hash;
};

Digest::Digest() : state_(std::make_unique<State>()) { XXH3_128bits_reset(&state_->hash); }
Digest::~Digest() = default;

Digest& Digest::add(std::span<const std::byte> bytes) {
  const std::uint64_t size = bytes.size();
  XXH3_128bits_update(&state_->hash, &size, sizeof size);
  XXH3_128bits_update(&state_->hash, bytes.data(), bytes.size());
  return *this;
}

Digest& Digest::add(std::string_view text) { return add(std::as_bytes(std::span(text))); }

DigestValue Digest::value() const {
  const auto hash = XXH3_128bits_digest(&state_->hash);
  return {hash.low64, hash.high64};
}

DigestValue digest_of(std::span<const std::byte> bytes) {
  const auto hash = XXH3_128bits(bytes.data(), bytes.size());
  return {hash.low64, hash.high64};
}

std::string to_hex(const DigestValue& value) {
  char text[33];
  std::snprintf(text, sizeof text, "%016llx%016llx", static_cast<unsigned long long>(value[1]),
                static_cast<unsigned long long>(value[0]));
  return text;
}

DigestValue producer_digest() {
  static const DigestValue value = Digest()
                                       .add(HEDDLE_VERSION)
                                       .add(std::to_string(abi::kVersion))
                                       .add(HEDDLE_LLVM_VERSION)
                                       .value();
  return value;
}

DigestValue cpu_digest() {
  static const DigestValue value = [] {
    Digest digest;
    digest.add(options().CPU);
    if (options().CPU != "native")
      return digest.value();
    digest.add(processor::code_identity());
    return digest.value();
  }();
  return value;
}

} // namespace heddle
