// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/target/processor.h"

#include <algorithm>
#include <asm/hwcap.h>
#include <bit>
#include <iterator>
#include <sys/auxv.h>
#include <sys/prctl.h>

namespace heddle::processor {
namespace {

constexpr Level kLevels[] = {{"armv8-a", "NEON"},
                             {"armv8.2-a+fp16+dotprod", "NEON with FP16"},
                             {"sve", "SVE"},
                             {"sve2", "SVE2"}};

// As /proc/cpuinfo names them, which is another machine's under qemu.
struct Feature {
  const char* name;
  unsigned long word, bit; // of the auxiliary vector
};
constexpr Feature kFeatures[] = {
    {"asimd", AT_HWCAP, HWCAP_ASIMD},       {"atomics", AT_HWCAP, HWCAP_ATOMICS},
    {"fphp", AT_HWCAP, HWCAP_FPHP},         {"asimdhp", AT_HWCAP, HWCAP_ASIMDHP},
    {"asimdrdm", AT_HWCAP, HWCAP_ASIMDRDM}, {"asimddp", AT_HWCAP, HWCAP_ASIMDDP},
    {"asimdfhm", AT_HWCAP, HWCAP_ASIMDFHM}, {"sve", AT_HWCAP, HWCAP_SVE},
    {"sve2", AT_HWCAP2, HWCAP2_SVE2},       {"i8mm", AT_HWCAP2, HWCAP2_I8MM},
    {"svei8mm", AT_HWCAP2, HWCAP2_SVEI8MM}, {"bf16", AT_HWCAP2, HWCAP2_BF16},
    {"svebf16", AT_HWCAP2, HWCAP2_SVEBF16}};

struct Maker {
  unsigned code;
  const char* name;
};
constexpr Maker kMakers[] = {{0x41, "Arm"},      {0x42, "Broadcom"},  {0x43, "Cavium"},
                             {0x46, "Fujitsu"},  {0x48, "HiSilicon"}, {0x4e, "NVIDIA"},
                             {0x51, "Qualcomm"}, {0x61, "Apple"},     {0xc0, "Ampere"}};

struct Model {
  unsigned maker, part;
  const char* name;
};
constexpr Model kModels[] = {
    {0x41, 0xd03, "Cortex-A53"},  {0x41, 0xd05, "Cortex-A55"},  {0x41, 0xd07, "Cortex-A57"},
    {0x41, 0xd08, "Cortex-A72"},  {0x41, 0xd0b, "Cortex-A76"},  {0x41, 0xd0c, "Neoverse N1"},
    {0x41, 0xd40, "Neoverse V1"}, {0x41, 0xd49, "Neoverse N2"}, {0x41, 0xd4f, "Neoverse V2"},
    {0x46, 0x001, "A64FX"},       {0xc0, 0xac3, "Ampere-1"}};

// Of SVE's registers, as the system has set it for this process; 0: it has none.
unsigned scalable_bytes() {
  const int answer = prctl(PR_SVE_GET_VL);
  return answer < 0 ? 0 : static_cast<unsigned>(answer & PR_SVE_VL_LEN_MASK);
}

unsigned maker_code() { return identity() >> 24; }
unsigned part() { return identity() >> 4 & 0xfff; }

} // namespace

std::string vendor() {
  const auto* found = std::ranges::find(kMakers, maker_code(), &Maker::code);
  return found == std::end(kMakers) ? "unknown" : found->name;
}

std::uint32_t vendor_id() { return maker_code() == 0x41 ? 0x13b5 : 0; }

std::string name() {
  const auto* found = std::ranges::find_if(kModels, [](const Model& model) {
    return model.maker == maker_code() && model.part == part();
  });
  return found == std::end(kModels) ? "AArch64 CPU" : vendor() + " " + found->name;
}

// MIDR_EL1, which the system reads for programs: maker, variant, part and revision.
std::uint32_t identity() {
  if (!(getauxval(AT_HWCAP) & HWCAP_CPUID))
    return 0;
  std::uint64_t midr = 0;
  asm("mrs %0, midr_el1" : "=r"(midr));
  return static_cast<std::uint32_t>(midr);
}

Version version() { return {part(), identity() >> 20 & 0xf, identity() & 0xf}; }

std::uint32_t highest_mhz() { return 0; }

std::uint32_t vector_bytes() {
  constexpr unsigned kLeast = 16, kMost = 64; // NEON's; what kernels use
  const unsigned scalable = scalable_bytes();
  return std::has_single_bit(scalable) ? std::clamp(scalable, kLeast, kMost) : kLeast;
}

bool has_byte_dot_products() { return getauxval(AT_HWCAP) & HWCAP_ASIMDDP; }

bool has_constant_cycles() { return true; }

std::vector<std::byte> code_identity() {
  const std::uint64_t words[] = {identity(), getauxval(AT_HWCAP), getauxval(AT_HWCAP2),
                                 scalable_bytes()};
  const auto bytes = std::as_bytes(std::span(words));
  return {bytes.begin(), bytes.end()};
}

std::span<const Level> levels() { return kLevels; }

std::size_t level_count() {
  constexpr auto kSecond = HWCAP_ATOMICS | HWCAP_FPHP | HWCAP_ASIMDHP | HWCAP_ASIMDDP;
  const auto capabilities = getauxval(AT_HWCAP);
  if ((capabilities & kSecond) != kSecond)
    return 1;
  return !(capabilities & HWCAP_SVE) ? 2 : !(getauxval(AT_HWCAP2) & HWCAP2_SVE2) ? 3 : 4;
}

std::vector<std::string> features() {
  std::vector<std::string> found;
  for (const auto& [name, word, bit] : kFeatures)
    if ((getauxval(word) & bit) != 0)
      found.emplace_back(name);
  return found;
}

} // namespace heddle::processor
