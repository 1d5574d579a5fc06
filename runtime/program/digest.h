// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 128-bit digests (XXH3) of inputs, files, the producer and the target CPU.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace heddle {

using DigestValue = std::array<std::uint64_t, 2>;

class Digest {
 public:
  Digest();
  ~Digest();
  // Each piece is added with its length, so that different splits have different digests.
  Digest& add(std::string_view text);
  Digest& add(std::span<const std::byte> bytes);
  DigestValue value() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

DigestValue digest_of(std::span<const std::byte> bytes);
std::string to_hex(const DigestValue& value);

// The producer of a program file: the versions of Heddle, of the kernel ABI and of LLVM.
DigestValue producer_digest();
// The target CPU (HEDDLE_CPU); "native" is what the processor says of itself, without loading LLVM.
DigestValue cpu_digest();

} // namespace heddle
