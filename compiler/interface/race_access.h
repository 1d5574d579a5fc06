// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How kernels built with HEDDLE_CHECK=race tell of an access or a barrier: by a call with all of it
// in registers, because they make one for nearly each access of the program. Accesses whose size
// is not known when the kernel is built, and all other calls that are checked, go through
// abi::Worker::check.
#pragma once

#include "compiler/interface/kernel_abi.h"

#include <cstddef>
#include <cstdint>

namespace heddle::abi {

// The places of a unit's accesses: their number, and behind it as many texts "FILE:LINE".
struct RaceSites {
  std::uint64_t count;
  const char* const* places() const { return reinterpret_cast<const char* const*>(this + 1); }
};

// The parts of `what`, which is a constant but for the kind of a compare-and-exchange.
inline constexpr std::uint64_t kRaceKindMask = 7;     // AccessKind
inline constexpr std::uint64_t kRaceValueIsKnown = 8; // of a write, of up to 8 bytes
inline constexpr unsigned kRaceOrderShift = 4;        // AccessOrder, of atomics: 4 bits
inline constexpr std::uint64_t kRaceOrderMask = std::uint64_t{0xf} << kRaceOrderShift;
inline constexpr unsigned kRaceSiteShift = 16;                // index in RaceSites
inline constexpr std::uint32_t kMaxRaceSite = (1U << 14) - 1; // so many share the last place
inline constexpr unsigned kRaceBytesShift = 32;
inline constexpr std::uint64_t kMaxRaceBytes = (std::uint64_t{1} << 32) - 1;

// `item` is the linear local id.
struct RaceThread {
  void (*access)(RaceThread* self, std::uint64_t address, std::uint64_t what, std::uint64_t value,
                 std::uint64_t item, const RaceSites* sites);
  // Right before a barrier or a work-group function, without HEDDLE_CHECK=divergence: the
  // MeetingOrder.
  void (*meet)(RaceThread* self, std::uint64_t order, std::uint64_t item);
};

enum class AccessKind : std::uint8_t { none, atomic_read, read, atomic_write, write };

// What the Worker that such kernels get is part of.
struct CheckedWorker {
  Worker worker;
  RaceThread* races; // the same for all groups of a call of the kernel
};
static_assert(offsetof(CheckedWorker, worker) == 0);

} // namespace heddle::abi
