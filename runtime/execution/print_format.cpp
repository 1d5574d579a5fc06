// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/execution/print_format.h"

#include "compiler/interface/printf_record.h"

#include <bit>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string_view>

namespace heddle {
namespace {

float half_to_float(std::uint16_t half) {
  const std::uint32_t sign = (half & 0x8000u) << 16;
  const std::uint32_t exponent = half >> 10 & 31;
  const std::uint32_t fraction = half & 1023;
  if (exponent == 0)
    return std::copysign(std::ldexp(static_cast<float>(fraction), -24), sign ? -1.0f : 1.0f);
  if (exponent == 31)
    return std::bit_cast<float>(sign | 0x7f800000u | fraction << 13);
  return std::bit_cast<float>(sign | (exponent + 112) << 23 | fraction << 13);
}

// Iterates over the arguments of a record.
class Arguments {
 public:
  Arguments(const std::byte* record, std::uint64_t size)
      : next_(record + sizeof(abi::PrintfHeader)), end_(record + size) {
    abi::PrintfHeader header;
    std::memcpy(&header, record, sizeof header);
    left_ = header.argument_count;
  }
  struct Argument {
    abi::PrintfArgument type;
    const std::byte* value;
  };
  std::optional<Argument> take() {
    if (left_ == 0 || end_ - next_ < static_cast<std::ptrdiff_t>(sizeof(abi::PrintfArgument)))
      return std::nullopt;
    Argument argument;
    std::memcpy(&argument.type, next_, sizeof argument.type);
    argument.value = next_ + sizeof argument.type;
    const std::uint64_t bytes =
        std::uint64_t{argument.type.element_bytes} * argument.type.element_count;
    next_ = argument.value + (bytes + 7) / 8 * 8;
    --left_;
    return argument;
  }

 private:
  const std::byte* next_;
  const std::byte* end_;
  std::uint32_t left_;
};

// %[flags][width][.precision][vector][length]conversion
struct Conversion {
  std::string flags_width_precision; // as written, with the leading %
  unsigned vector = 0;               // 0: scalar
  std::string_view length;           // "", hh, h, hl, l, z, t
  char kind = 0;
};

// Reads one conversion after the '%' at `format`; null if it is not one.
const char* parse(const char* format, Conversion& conversion) {
  const char* at = format + 1;
  at += std::strspn(at, "-+ #0");
  at += std::strspn(at, "0123456789");
  if (*at == '.') {
    ++at;
    at += std::strspn(at, "0123456789");
  }
  conversion.flags_width_precision.assign(format, at);
  if (*at == 'v') {
    ++at;
    while (*at >= '0' && *at <= '9')
      conversion.vector = conversion.vector * 10 + static_cast<unsigned>(*at++ - '0');
    const auto n = conversion.vector;
    if (n != 2 && n != 3 && n != 4 && n != 8 && n != 16)
      return nullptr;
  }
  for (const char* length : {"hh", "hl", "h", "l", "z", "t"}) {
    if (std::strncmp(at, length, std::strlen(length)) == 0) {
      conversion.length = length;
      at += std::strlen(length);
      break;
    }
  }
  if (!*at || !std::strchr("diouxXfFeEgGaAcsp", *at))
    return nullptr;
  // size_t and ptrdiff_t are types of scalar integers.
  if ((conversion.length == "z" || conversion.length == "t") &&
      (conversion.vector != 0 || !std::strchr("diouxX", *at)))
    return nullptr;
  conversion.kind = *at;
  return at + 1;
}

template <class T>
void print_with(const std::string& format, T value, std::string& text) {
  char small[256];
  const int size = std::snprintf(small, sizeof small, format.c_str(), value);
  if (size < 0)
    return;
  if (static_cast<std::size_t>(size) < sizeof small) {
    text.append(small, static_cast<std::size_t>(size));
    return;
  }
  const auto before = text.size();
  text.resize(before + static_cast<std::size_t>(size) + 1);
  std::snprintf(text.data() + before, static_cast<std::size_t>(size) + 1, format.c_str(), value);
  text.pop_back();
}

std::uint64_t read_integer(const std::byte* value, std::uint32_t bytes) {
  std::uint64_t number = 0;
  std::memcpy(&number, value, bytes < 8 ? bytes : 8);
  return number;
}

double read_floating(const std::byte* value, std::uint32_t bytes) {
  if (bytes == 2) {
    std::uint16_t half;
    std::memcpy(&half, value, sizeof half);
    return half_to_float(half);
  }
  if (bytes == 4) {
    float number;
    std::memcpy(&number, value, sizeof number);
    return number;
  }
  double number;
  std::memcpy(&number, value, sizeof number);
  return number;
}

// The size of a length modifier; 0 for none.
unsigned length_bytes(std::string_view length) {
  if (length == "l" || length == "z" || length == "t") // size_t and ptrdiff_t have 64 bits
    return 8;
  return length == "hh" ? 1 : length == "h" ? 2 : length == "hl" ? 4 : 0;
}

void print_element(const Conversion& conversion, const abi::PrintfArgument& type,
                   const std::byte* value, std::string& text) {
  const auto& start = conversion.flags_width_precision;
  switch (conversion.kind) {
  case 'd':
  case 'i': {
    const auto bytes =
        length_bytes(conversion.length) ? length_bytes(conversion.length) : type.element_bytes;
    const auto raw = read_integer(value, type.element_bytes);
    const auto shift = 64 - 8 * std::min<unsigned>(bytes, 8);
    const auto number = static_cast<long long>(raw << shift) >> shift;
    print_with(start + "ll" + conversion.kind, number, text);
    return;
  }
  case 'o':
  case 'u':
  case 'x':
  case 'X': {
    const auto bytes =
        length_bytes(conversion.length) ? length_bytes(conversion.length) : type.element_bytes;
    const auto shift = 64 - 8 * std::min<unsigned>(bytes, 8);
    const auto number =
        static_cast<unsigned long long>(read_integer(value, type.element_bytes) << shift >> shift);
    print_with(start + "ll" + conversion.kind, number, text);
    return;
  }
  case 'c':
    print_with(start + "c", static_cast<int>(read_integer(value, type.element_bytes)), text);
    return;
  case 'p':
    print_with(start + "p", reinterpret_cast<void*>(read_integer(value, type.element_bytes)), text);
    return;
  default:
    print_with(start + conversion.kind, read_floating(value, type.element_bytes), text);
  }
}

bool matches(const Conversion& conversion, const abi::PrintfArgument& type) {
  const bool floating = std::strchr("fFeEgGaA", conversion.kind) != nullptr;
  return floating == (type.kind == abi::PrintfKind::floating);
}

} // namespace

bool format_print(const std::byte* record, std::uint64_t size, std::string& text) {
  abi::PrintfHeader header;
  std::memcpy(&header, record, sizeof header);
  Arguments arguments(record, size);
  for (const char* at = header.format; *at;) {
    if (*at != '%') {
      const auto plain = std::strcspn(at, "%");
      text.append(at, plain);
      at += plain;
      continue;
    }
    if (at[1] == '%') {
      text += '%';
      at += 2;
      continue;
    }
    Conversion conversion;
    at = parse(at, conversion);
    const auto argument = at ? arguments.take() : std::nullopt;
    if (!argument)
      return false;
    if (conversion.kind == 's') {
      const auto* string = reinterpret_cast<const char*>(
          read_integer(argument->value, argument->type.element_bytes));
      print_with(conversion.flags_width_precision + "s", string ? string : "(null)", text);
      continue;
    }
    if (!matches(conversion, argument->type))
      return false;
    const auto count =
        conversion.vector ? std::min(conversion.vector, argument->type.element_count) : 1;
    for (unsigned i = 0; i < count; ++i) {
      if (i)
        text += ',';
      print_element(conversion, argument->type,
                    argument->value + std::size_t{i} * argument->type.element_bytes, text);
    }
  }
  return true;
}

} // namespace heddle
