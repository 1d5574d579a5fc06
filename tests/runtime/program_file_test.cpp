// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The format of compiled programs: intact files round-trip, all others are rejected.
#include "runtime/program/program_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

namespace heddle {
namespace {

std::vector<std::byte> bytes_of(std::string_view text) {
  const auto* first = reinterpret_cast<const std::byte*>(text.data());
  return {first, first + text.size()};
}

ProgramFile example() {
  ProgramFile file;
  file.kind = ProgramKind::library;
  file.allows_non_uniform_groups = true;
  file.payload = bytes_of("machine code");
  file.metadata = bytes_of("kernels");
  file.log = "a warning\n";
  file.dependencies = {{"/a/header.h", {1, 2}}, {"", {3, 4}}};
  return file;
}

TEST(ProgramFile, ComesBack) {
  const auto file = example();
  const auto again = read_program_file(write_program_file(file));
  ASSERT_TRUE(again);
  EXPECT_EQ(again->kind, file.kind);
  EXPECT_TRUE(again->allows_non_uniform_groups);
  EXPECT_EQ(again->payload, file.payload);
  EXPECT_EQ(again->metadata, file.metadata);
  EXPECT_EQ(again->log, file.log);
  ASSERT_EQ(again->dependencies.size(), 2u);
  EXPECT_EQ(again->dependencies[0].path, "/a/header.h");
  EXPECT_EQ(again->dependencies[0].digest, (DigestValue{1, 2}));
  EXPECT_EQ(again->dependencies[1].digest, (DigestValue{3, 4}));
}

TEST(ProgramFile, StartsWithThePayload) {
  const auto bytes = write_program_file(example());
  EXPECT_EQ(std::memcmp(bytes.data(), "machine code", 12), 0);
}

TEST(ProgramFile, EveryFlippedBitIsRefused) {
  const auto whole = write_program_file(example());
  for (std::size_t i = 0; i < whole.size() * 8; ++i) {
    auto damaged = whole;
    damaged[i / 8] ^= static_cast<std::byte>(1u << (i % 8));
    EXPECT_FALSE(read_program_file(damaged)) << "bit " << i;
  }
}

TEST(ProgramFile, EveryCutIsRefused) {
  const auto whole = write_program_file(example());
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_FALSE(read_program_file({whole.data(), size})) << size;
    EXPECT_FALSE(read_program_file({whole.data() + whole.size() - size, size})) << size;
  }
}

TEST(ProgramFile, ForeignBytesAreRefused) {
  EXPECT_FALSE(read_program_file({}));
  EXPECT_FALSE(read_program_file(bytes_of("\177ELF and no more")));
  EXPECT_FALSE(read_program_file(std::vector<std::byte>(4096)));
  EXPECT_FALSE(read_program_file(std::vector<std::byte>(4096, std::byte{0xff})));
}

// A valid checksum is not sufficient: the file must be of this version and for this CPU.
TEST(ProgramFile, OtherProducersAndProcessorsAreRefused) {
  const auto whole = write_program_file(example());
  for (const auto& owner : {producer_digest(), cpu_digest()}) {
    auto other = whole;
    const auto* key = reinterpret_cast<const std::byte*>(owner.data());
    const auto at = std::search(other.begin(), other.end(), key, key + sizeof owner);
    ASSERT_NE(at, other.end());
    *at ^= std::byte{1};
    const auto checksum = digest_of({other.data(), other.size() - sizeof(DigestValue)});
    std::memcpy(other.data() + other.size() - sizeof checksum, checksum.data(), sizeof checksum);
    EXPECT_FALSE(read_program_file(other));
  }
}

} // namespace
} // namespace heddle
