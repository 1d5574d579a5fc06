// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/interface/metadata.h"

#include <cstring>

namespace heddle {
namespace {

constexpr std::uint32_t kMagic = 0x444d4448; // "HDMD"

class Writer {
 public:
  template <class T>
  void number(T value) {
    const auto* bytes = reinterpret_cast<const std::byte*>(&value);
    bytes_.insert(bytes_.end(), bytes, bytes + sizeof value);
  }
  void text(const std::string& value) { block(std::as_bytes(std::span(value))); }
  void block(std::span<const std::byte> value) {
    number<std::uint64_t>(value.size());
    bytes_.insert(bytes_.end(), value.begin(), value.end());
  }
  std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  std::vector<std::byte> bytes_;
};

// Reads the output of Writer; after the first out-of-range read every result is zero and ok() is
// false.
class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : bytes_(bytes) {}
  bool ok() const { return ok_; }
  bool at_end() const { return bytes_.empty(); }
  template <class T>
  T number() {
    T value{};
    if (bytes_.size() < sizeof value) {
      ok_ = false;
      return value;
    }
    std::memcpy(&value, bytes_.data(), sizeof value);
    bytes_ = bytes_.subspan(sizeof value);
    return value;
  }
  // A count of items with at least `least` bytes each.
  std::size_t count(std::size_t least) {
    const auto value = number<std::uint64_t>();
    if (value > bytes_.size() / least)
      ok_ = false;
    return ok_ ? static_cast<std::size_t>(value) : 0;
  }
  std::span<const std::byte> block() {
    const auto size = count(1);
    const auto value = bytes_.first(size);
    bytes_ = bytes_.subspan(size);
    return value;
  }
  std::string text() {
    const auto bytes = block();
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }

 private:
  std::span<const std::byte> bytes_;
  bool ok_ = true;
};

void write(Writer& out, const KernelArgument& argument) {
  out.number(argument.kind);
  out.number(argument.offset);
  out.number(argument.size);
  out.number(argument.alignment);
  out.number(argument.address_qualifier);
  out.number(argument.access_qualifier);
  out.number(argument.type_qualifier);
  out.number(argument.image_type);
  out.number<std::uint8_t>(argument.is_depth_image);
  out.text(argument.type_name);
  out.text(argument.name);
}

KernelArgument read_argument(Reader& in) {
  KernelArgument argument;
  argument.kind = in.number<ArgumentKind>();
  argument.offset = in.number<std::uint32_t>();
  argument.size = in.number<std::uint32_t>();
  argument.alignment = in.number<std::uint32_t>();
  argument.address_qualifier = in.number<std::uint32_t>();
  argument.access_qualifier = in.number<std::uint32_t>();
  argument.type_qualifier = in.number<std::uint64_t>();
  argument.image_type = in.number<std::uint32_t>();
  argument.is_depth_image = in.number<std::uint8_t>() != 0;
  argument.type_name = in.text();
  argument.name = in.text();
  return argument;
}

void write(Writer& out, const CheckedVariable& variable) {
  out.text(variable.name);
  out.number(variable.offset);
  out.number(variable.bytes);
  out.number<std::uint8_t>(variable.is_local);
}

CheckedVariable read_variable(Reader& in) {
  CheckedVariable variable;
  variable.name = in.text();
  variable.offset = in.number<std::uint64_t>();
  variable.bytes = in.number<std::uint64_t>();
  variable.is_local = in.number<std::uint8_t>() != 0;
  return variable;
}

void write(Writer& out, const KernelMetadata& kernel) {
  out.text(kernel.name);
  out.text(kernel.attributes);
  out.number<std::uint64_t>(kernel.arguments.size());
  for (const auto& argument : kernel.arguments)
    write(out, argument);
  out.number(kernel.packed_bytes);
  for (const auto size : kernel.required_group_size)
    out.number(size);
  out.number(kernel.required_sub_group_size);
  out.number<std::uint8_t>(kernel.may_have_barrier);
  out.number(kernel.code_hash);
  out.number(kernel.local_bytes);
  out.number(kernel.private_bytes);
  out.number(kernel.stack_bytes);
  out.number<std::uint8_t>(kernel.has_barrier);
  out.number(kernel.frame_bytes);
  out.number(kernel.vector_width);
  out.number<std::uint8_t>(kernel.shows_sub_groups);
  out.number<std::uint8_t>(kernel.has_fixed_width);
  out.number<std::uint8_t>(kernel.has_swapped_dimensions);
  out.number<std::uint8_t>(kernel.may_swap_dimensions);
  out.number<std::uint8_t>(kernel.prefers_first_dimension);
  out.number(kernel.row_interleave);
  out.number<std::uint8_t>(kernel.may_interleave_rows);
  out.number<std::uint8_t>(kernel.may_have_long_code);
  out.number<std::uint8_t>(kernel.reuses_columns);
  out.number<std::uint8_t>(kernel.has_elided_copies);
  out.number<std::uint64_t>(kernel.written_arguments.size());
  for (const auto index : kernel.written_arguments)
    out.number(index);
  out.number<std::uint8_t>(kernel.is_block);
  out.number<std::uint8_t>(kernel.uses_device_queues);
  out.number<std::uint8_t>(kernel.checks_memory);
  out.number<std::uint64_t>(kernel.variables.size());
  for (const auto& variable : kernel.variables)
    write(out, variable);
  out.number<std::uint64_t>(kernel.remarks.size());
  for (const auto& remark : kernel.remarks)
    out.text(remark);
}

KernelMetadata read_kernel(Reader& in) {
  KernelMetadata kernel;
  kernel.name = in.text();
  kernel.attributes = in.text();
  const auto arguments = in.count(1);
  for (std::size_t i = 0; i < arguments && in.ok(); ++i)
    kernel.arguments.push_back(read_argument(in));
  kernel.packed_bytes = in.number<std::uint32_t>();
  for (auto& size : kernel.required_group_size)
    size = in.number<std::uint64_t>();
  kernel.required_sub_group_size = in.number<std::uint32_t>();
  kernel.may_have_barrier = in.number<std::uint8_t>() != 0;
  kernel.code_hash = in.number<std::uint64_t>();
  kernel.local_bytes = in.number<std::uint64_t>();
  kernel.private_bytes = in.number<std::uint64_t>();
  kernel.stack_bytes = in.number<std::uint64_t>();
  kernel.has_barrier = in.number<std::uint8_t>() != 0;
  kernel.frame_bytes = in.number<std::uint64_t>();
  kernel.vector_width = in.number<std::uint32_t>();
  kernel.shows_sub_groups = in.number<std::uint8_t>() != 0;
  kernel.has_fixed_width = in.number<std::uint8_t>() != 0;
  kernel.has_swapped_dimensions = in.number<std::uint8_t>() != 0;
  kernel.may_swap_dimensions = in.number<std::uint8_t>() != 0;
  kernel.prefers_first_dimension = in.number<std::uint8_t>() != 0;
  kernel.row_interleave = in.number<std::uint32_t>();
  kernel.may_interleave_rows = in.number<std::uint8_t>() != 0;
  kernel.may_have_long_code = in.number<std::uint8_t>() != 0;
  kernel.reuses_columns = in.number<std::uint8_t>() != 0;
  kernel.has_elided_copies = in.number<std::uint8_t>() != 0;
  const auto written = in.count(sizeof(std::uint32_t));
  for (std::size_t i = 0; i < written && in.ok(); ++i)
    kernel.written_arguments.push_back(in.number<std::uint32_t>());
  kernel.is_block = in.number<std::uint8_t>() != 0;
  kernel.uses_device_queues = in.number<std::uint8_t>() != 0;
  kernel.checks_memory = in.number<std::uint8_t>() != 0;
  const auto variables = in.count(1);
  for (std::size_t i = 0; i < variables && in.ok(); ++i)
    kernel.variables.push_back(read_variable(in));
  const auto remarks = in.count(1);
  for (std::size_t i = 0; i < remarks && in.ok(); ++i)
    kernel.remarks.push_back(in.text());
  return kernel;
}

} // namespace

std::vector<std::byte> serialize(const ProgramMetadata& metadata) {
  Writer out;
  out.number(kMagic);
  out.number<std::uint64_t>(metadata.kernels.size());
  for (const auto& kernel : metadata.kernels)
    write(out, kernel);
  out.block(metadata.program_scope);
  out.number<std::uint64_t>(metadata.variables.size());
  for (const auto& variable : metadata.variables)
    write(out, variable);
  out.number(metadata.program_scope_alignment);
  out.number<std::uint64_t>(metadata.program_scope_relocations.size());
  for (const auto offset : metadata.program_scope_relocations)
    out.number(offset);
  out.number<std::uint64_t>(metadata.static_guards.size());
  for (const auto offset : metadata.static_guards)
    out.number(offset);
  out.number<std::uint8_t>(metadata.has_initializer);
  out.number<std::uint8_t>(metadata.has_finalizer);
  return out.take();
}

std::optional<ProgramMetadata> deserialize(std::span<const std::byte> bytes) {
  Reader in(bytes);
  if (in.number<std::uint32_t>() != kMagic)
    return std::nullopt;
  ProgramMetadata metadata;
  const auto kernels = in.count(1);
  for (std::size_t i = 0; i < kernels && in.ok(); ++i)
    metadata.kernels.push_back(read_kernel(in));
  const auto image = in.block();
  metadata.program_scope.assign(image.begin(), image.end());
  const auto variables = in.count(1);
  for (std::size_t i = 0; i < variables && in.ok(); ++i)
    metadata.variables.push_back(read_variable(in));
  metadata.program_scope_alignment = in.number<std::uint32_t>();
  const auto relocations = in.count(sizeof(std::uint64_t));
  for (std::size_t i = 0; i < relocations; ++i)
    metadata.program_scope_relocations.push_back(in.number<std::uint64_t>());
  const auto guards = in.count(sizeof(std::uint64_t));
  for (std::size_t i = 0; i < guards; ++i)
    metadata.static_guards.push_back(in.number<std::uint64_t>());
  metadata.has_initializer = in.number<std::uint8_t>() != 0;
  metadata.has_finalizer = in.number<std::uint8_t>() != 0;
  if (!in.ok() || !in.at_end())
    return std::nullopt;
  return metadata;
}

} // namespace heddle
