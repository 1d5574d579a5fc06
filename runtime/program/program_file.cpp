// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/program/program_file.h"

#include "runtime/program/digest.h"

#include <cstddef>
#include <cstring>
#include <type_traits>

namespace heddle {
namespace {

constexpr char kMagic[8] = {'H', 'E', 'D', 'D', 'L', 'E', 'P', 'F'};
constexpr std::uint32_t kVersion = 2;

struct Footer {
  std::uint64_t payload_bytes;
  std::uint64_t metadata_bytes;
  std::uint64_t log_bytes;
  std::uint64_t dependency_bytes;
  std::uint64_t option_bytes;
  std::uint64_t unit_bytes;
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

// Items of a list, each a number of bytes and a digest.
void append_item(std::vector<std::byte>& out, std::span<const std::byte> bytes,
                 const DigestValue& digest) {
  const std::uint64_t size = bytes.size();
  append(out, &size, sizeof size);
  append(out, bytes.data(), bytes.size());
  append(out, digest.data(), sizeof digest);
}

// Calls visit(span, digest) for each item; false if the list is damaged.
template <class Visit>
bool for_each_item(std::span<const std::byte> list, Visit visit) {
  while (!list.empty()) {
    std::uint64_t size;
    DigestValue digest{};
    if (list.size() < sizeof size)
      return false;
    std::memcpy(&size, list.data(), sizeof size);
    list = list.subspan(sizeof size);
    if (list.size() < sizeof digest || size > list.size() - sizeof digest)
      return false;
    std::memcpy(digest.data(), list.data() + size, sizeof digest);
    visit(list.first(size), digest);
    list = list.subspan(size + sizeof digest);
  }
  return true;
}

std::string text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

} // namespace

std::vector<std::byte> write_program_file(const ProgramFile& file) {
  std::vector<std::byte> dependencies, options, units;
  for (const auto& dependency : file.dependencies)
    append_item(dependencies, std::as_bytes(std::span(dependency.path)), dependency.digest);
  for (const auto& option : file.options)
    append_item(options, std::as_bytes(std::span(option)), {});
  for (const auto& unit : file.units)
    append_item(units, unit.bytes, unit.key);
  std::vector<std::byte> out;
  out.reserve(file.payload.size() + file.metadata.size() + file.log.size() + dependencies.size() +
              options.size() + units.size() + sizeof(Footer));
  append(out, file.payload.data(), file.payload.size());
  append(out, file.metadata.data(), file.metadata.size());
  append(out, file.log.data(), file.log.size());
  append(out, dependencies.data(), dependencies.size());
  append(out, options.data(), options.size());
  append(out, units.data(), units.size());
  Footer footer{};
  footer.payload_bytes = file.payload.size();
  footer.metadata_bytes = file.metadata.size();
  footer.log_bytes = file.log.size();
  footer.dependency_bytes = dependencies.size();
  footer.option_bytes = options.size();
  footer.unit_bytes = units.size();
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
  std::vector<std::byte> dependencies, options, units;
  if (!take(footer.payload_bytes, file.payload) || !take(footer.metadata_bytes, file.metadata) ||
      !take(footer.log_bytes, file.log) || !take(footer.dependency_bytes, dependencies) ||
      !take(footer.option_bytes, options) || !take(footer.unit_bytes, units) || !rest.empty() ||
      footer.kind < 1 || footer.kind > 5)
    return std::nullopt;
  const bool whole =
      for_each_item(dependencies,
                    [&](auto bytes, const auto& digest) {
                      file.dependencies.push_back({text_of(bytes), digest});
                    }) &&
      for_each_item(options,
                    [&](auto bytes, const auto&) { file.options.push_back(text_of(bytes)); }) &&
      for_each_item(units, [&](auto bytes, const auto& digest) {
        file.units.push_back({digest, {bytes.begin(), bytes.end()}});
      });
  if (!whole)
    return std::nullopt;
  file.kind = static_cast<ProgramKind>(footer.kind);
  file.allows_non_uniform_groups = footer.allows_non_uniform_groups != 0;
  return file;
}

} // namespace heddle
