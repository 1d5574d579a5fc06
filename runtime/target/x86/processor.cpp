// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/target/processor.h"

#include "runtime/target/x86/cpuid_leaves.h"
#include "runtime/target/x86/cpuinfo.h"

#include <array>
#include <cpuid.h>
#include <cstring>

namespace heddle::processor {
namespace {

constexpr Level kLevels[] = {
    {"x86-64-v2", "SSE4.2", true}, {"x86-64-v3", "AVX2"}, {"x86-64-v4", "AVX-512"}};

// In the order in which they came.
constexpr const char* kFeatures[] = {"ssse3",        "sse4_1",        "sse4_2",
                                     "popcnt",       "avx",           "f16c",
                                     "fma",          "avx2",          "bmi1",
                                     "bmi2",         "avx_vnni",      "avx512f",
                                     "avx512dq",     "avx512bw",      "avx512vl",
                                     "avx512cd",     "avx512_vnni",   "avx512_vbmi",
                                     "avx512_vbmi2", "avx512_bitalg", "avx512_vpopcntdq",
                                     "avx512_bf16",  "avx512_fp16",   "amx_tile"};

void append(std::vector<std::byte>& all, const void* bytes, std::size_t size) {
  const auto* begin = static_cast<const std::byte*>(bytes);
  all.insert(all.end(), begin, begin + size);
}

} // namespace

std::string vendor() {
  const auto& r = cpuid(0);
  std::array<char, 12> text{};
  std::memcpy(text.data(), &r.ebx, 4);
  std::memcpy(text.data() + 4, &r.edx, 4);
  std::memcpy(text.data() + 8, &r.ecx, 4);
  return {text.data(), text.size()};
}

std::uint32_t vendor_id() {
  const auto name = vendor();
  return name == "AuthenticAMD" ? 0x1022 : name == "GenuineIntel" ? 0x8086 : 0;
}

std::string name() {
  std::array<char, 49> text{};
  for (unsigned i = 0; i < 3; ++i) {
    const auto& r = cpuid(0x80000002 + i);
    std::memcpy(text.data() + 16 * i, &r, 16);
  }
  std::string name;
  for (const char c : std::string(text.data()))
    if (c != ' ' || (!name.empty() && name.back() != ' '))
      name += c;
  while (!name.empty() && name.back() == ' ')
    name.pop_back();
  return name.empty() ? "x86-64 CPU" : name;
}

// Family, model and stepping.
std::uint32_t identity() { return cpuid(1).eax; }

Version version() {
  const auto signature = identity();
  const auto family = (signature >> 8 & 0xF) + (signature >> 20 & 0xFF);
  const auto model = (signature >> 4 & 0xF) | (signature >> 12 & 0xF0);
  return {family, model, signature & 0xF};
}

std::uint32_t highest_mhz() { return cpuid(0x16).ebx & 0xffff; }

std::uint32_t vector_bytes() {
  return __builtin_cpu_supports("avx512f") ? 64 : __builtin_cpu_supports("avx") ? 32 : 16;
}

bool has_byte_dot_products() { return __builtin_cpu_supports("avx512vnni") != 0; }

bool has_constant_cycles() {
  constexpr unsigned kInvariant = 1 << 8;
  return (cpuid(0x80000007).edx & kInvariant) != 0;
}

std::vector<std::byte> code_identity() {
  std::vector<std::byte> all;
  // Features, then the CPU's name: LLVM tunes for the model.
  for (const unsigned leaf : {0u, 1u, 7u, 0x80000001u, 0x80000002u, 0x80000003u, 0x80000004u}) {
    auto registers = cpuid(leaf);
    if (leaf == 1)
      registers.ebx = 0; // the id of the current core
    append(all, &registers, sizeof registers);
  }
  // The register state that the system saves: AVX-512 may be present but disabled.
  unsigned low = 0, high = 0;
  if (cpuid(1).ecx & bit_OSXSAVE)
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  append(all, &low, sizeof low);
  return all;
}

std::span<const Level> levels() { return kLevels; }

// By what tells the levels apart: older compilers do not know their names.
std::size_t level_count() {
  const bool has_v2 = __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("popcnt");
  const bool has_v3 = has_v2 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") &&
                      __builtin_cpu_supports("fma");
  const bool has_v4 = has_v3 && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                      __builtin_cpu_supports("avx512vl");
  return has_v4 ? 3 : has_v3 ? 2 : has_v2 ? 1 : 0;
}

std::vector<std::string> features() { return cpuinfo_words("flags", kFeatures); }

} // namespace heddle::processor
