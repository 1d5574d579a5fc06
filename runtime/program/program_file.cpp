// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/program/program_file.h"

#include "runtime/program/digest.h"

#include <cstddef>
#include <cstring>
#include <type_traits>

namespace heddle {
namespace {

constexpr char kMagic[8] = {'H', 'E', 'D', 'D', 'L', 'E', 'P', 'F'};
constexpr std::uint32_t kVersion = 1;

struct Footer {
  std::uint64_t payload_bytes;
  std::uint64_t metadata_bytes;
  std::uint64_t log_bytes;
  std::uint64_t dependency_bytes;
  std::uint64_t producer[2];
  std::uint64_t cpu[2];
  std::uint32_t kind;
  std::uint32_t allows_non_uniform_groups;
  std::uint32_t version;
  std::uint32_t reserved;
  char magic[8];
  std::uint64_t checksum[2]; // of all preceding bytes
};

void put(std::uint64_t (&field)[2], const DigestValue& value) {
  field[0] = value[0];
  field[1] = value[1];
}

bool is(const std::uint64_t (&field)[2], const DigestValue& value) {
  return field[0] == value[0] && field[1] == value[1];
}

void append(std::vector<std::byte>& out, const void* data, std::size_t size) {
  const auto* bytes = static_cast<const std::byte*>(data);
  out.insert(out.end(), bytes, bytes + size);
}

std::vector<std::byte> write_dependencies(const std::vector<Dependency>& dependencies) {
  std::vector<std::byte> out;
  for (const auto& dependency : dependencies) {
    const std::uint64_t size = dependency.path.size();
    append(out, &size, sizeof size);
    append(out, dependency.path.data(), size);
    append(out, dependency.digest.data(), sizeof dependency.digest);
  }
  return out;
}

bool read_dependencies(std::span<const std::byte> bytes, std::vector<Dependency>& dependencies) {
  while (!bytes.empty()) {
    std::uint64_t size;
    Dependency dependency{};
    if (bytes.size() < sizeof size)
      return false;
    std::memcpy(&size, bytes.data(), sizeof size);
    bytes = bytes.subspan(sizeof size);
    if (bytes.size() < sizeof dependency.digest || size > bytes.size() - sizeof dependency.digest)
      return false;
    dependency.path.assign(reinterpret_cast<const char*>(bytes.data()), size);
    bytes = bytes.subspan(size);
    std::memcpy(dependency.digest.data(), bytes.data(), sizeof dependency.digest);
    bytes = bytes.subspan(sizeof dependency.digest);
    dependencies.push_back(std::move(dependency));
  }
  return true;
}

} // namespace

std::vector<std::byte> write_program_file(const ProgramFile& file) {
  const auto dependencies = write_dependencies(file.dependencies);
  std::vector<std::byte> out;
  out.reserve(file.payload.size() + file.metadata.size() + file.log.size() + dependencies.size() +
              sizeof(Footer));
  append(out, file.payload.data(), file.payload.size());
  append(out, file.metadata.data(), file.metadata.size());
  append(out, file.log.data(), file.log.size());
  append(out, dependencies.data(), dependencies.size());
  Footer footer{};
  footer.payload_bytes = file.payload.size();
  footer.metadata_bytes = file.metadata.size();
  footer.log_bytes = file.log.size();
  footer.dependency_bytes = dependencies.size();
  put(footer.producer, producer_digest());
  put(footer.cpu, cpu_digest());
  footer.kind = static_cast<std::uint32_t>(file.kind);
  footer.allows_non_uniform_groups = file.allows_non_uniform_groups;
  footer.version = kVersion;
  std::memcpy(footer.magic, kMagic, sizeof kMagic);
  append(out, &footer, offsetof(Footer, checksum));
  const auto checksum = digest_of(out);
  append(out, checksum.data(), sizeof checksum);
  return out;
}

std::optional<ProgramFile> read_program_file(std::span<const std::byte> bytes) {
  Footer footer;
  if (bytes.size() < sizeof footer)
    return std::nullopt;
  std::memcpy(&footer, bytes.data() + bytes.size() - sizeof footer, sizeof footer);
  if (std::memcmp(footer.magic, kMagic, sizeof kMagic) != 0 || footer.version != kVersion)
    return std::nullopt;
  const auto checksum = digest_of(bytes.first(bytes.size() - sizeof footer.checksum));
  if (!is(footer.checksum, checksum) || !is(footer.producer, producer_digest()) ||
      !is(footer.cpu, cpu_digest()))
    return std::nullopt;
  auto rest = bytes.first(bytes.size() - sizeof footer);
  const auto take = [&](std::uint64_t size, auto& into) {
    if (size > rest.size())
      return false;
    using Element = typename std::remove_reference_t<decltype(into)>::value_type;
    const auto* first = reinterpret_cast<const Element*>(rest.data());
    into.assign(first, first + size);
    rest = rest.subspan(size);
    return true;
  };
  ProgramFile file;
  std::vector<std::byte> dependencies;
  if (!take(footer.payload_bytes, file.payload) || !take(footer.metadata_bytes, file.metadata) ||
      !take(footer.log_bytes, file.log) || !take(footer.dependency_bytes, dependencies) ||
      !rest.empty() || !read_dependencies(dependencies, file.dependencies) || footer.kind < 1 ||
      footer.kind > 3)
    return std::nullopt;
  file.kind = static_cast<ProgramKind>(footer.kind);
  file.allows_non_uniform_groups = footer.allows_non_uniform_groups != 0;
  return file;
}

} // namespace heddle
