// 128-bit digests of inputs and files (XXH3), and what identifies the CPU that kernels are compiled
// for.
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
  // Each piece is added with its length, so that pieces cannot run into each other.
  Digest& add(std::string_view text);
  Digest& add(std::span<const std::byte> bytes);
  DigestValue value() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

DigestValue digest_of(std::span<const std::byte> bytes);
std::string to_hex(const DigestValue& value);

// What wrote a program's bytes and may read them: Heddle's version, the kernel ABI's and LLVM's.
DigestValue producer_digest();
// The CPU by HEDDLE_CPU; "native" is told apart by what CPUID reports, without loading LLVM.
DigestValue cpu_digest();

} // namespace heddle
