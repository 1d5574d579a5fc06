// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/pipe/ring.h"

#include "runtime/core/lock.h"

#include <atomic>
#include <bit>
#include <new>

namespace heddle::pipe_ring {
namespace {

static_assert(sizeof(heddle_pipe_side) == HEDDLE_RING_LINE);
static_assert(offsetof(Ring, side) == 2 * HEDDLE_RING_LINE);

constexpr std::size_t round_up(std::size_t size) {
  return (size + HEDDLE_RING_LINE - 1) / HEDDLE_RING_LINE * HEDDLE_RING_LINE;
}

struct Layout {
  std::size_t slots;
  std::size_t packets; // offset of the packets
  std::size_t marks;
  std::size_t bytes;
};

constexpr Layout layout(std::uint32_t packet_bytes, std::uint32_t max_packets) {
  Layout result{};
  result.slots = std::bit_ceil(std::size_t{max_packets});
  result.packets = sizeof(Ring);
  result.marks = result.packets + round_up(result.slots * packet_bytes);
  result.bytes = result.marks + round_up(2 * result.slots * sizeof(heddle_u64));
  return result;
}

// No overflow: 2^32 packets of the largest size need far fewer than 64 bits.
static_assert(layout(HEDDLE_PIPE_MAX_PACKET_BYTES, ~std::uint32_t{0}).bytes < std::size_t{1} << 48);

// Shared by all rings: held briefly, twice per launch.
SleepingMutex mutex;

} // namespace

std::size_t bytes_for(std::uint32_t packet_bytes, std::uint32_t max_packets) noexcept {
  return layout(packet_bytes, max_packets).bytes;
}

Ring* make(std::byte* memory, std::uint32_t packet_bytes, std::uint32_t max_packets) noexcept {
  const auto parts = layout(packet_bytes, max_packets);
  auto* ring = new (memory) Ring{};
  ring->packet_bytes = packet_bytes;
  ring->max_packets = max_packets;
  ring->mask = parts.slots - 1;
  ring->packets = reinterpret_cast<unsigned char*>(memory + parts.packets);
  ring->marks[heddle_pipe_readers] = reinterpret_cast<heddle_u64*>(memory + parts.marks);
  ring->marks[heddle_pipe_writers] = ring->marks[heddle_pipe_readers] + parts.slots;
  return ring;
}

void begin_use(Ring& ring, int side) noexcept {
  const Lock lock(mutex);
  const std::atomic_ref launches(ring.launches[side]); // kernels read it
  launches.store(launches.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

void end_use(Ring& ring, int who) noexcept {
  const Lock lock(mutex); // the next launch begins after this
  const std::atomic_ref launches(ring.launches[who]);
  launches.store(launches.load(std::memory_order_relaxed) - 1, std::memory_order_relaxed);
  if (launches.load(std::memory_order_relaxed) != 0)
    return;
  // The other side has seen all commits.
  const std::atomic_ref claimed(ring.side[who].claimed);
  std::atomic_ref(ring.side[!who].seen)
      .store(claimed.load(std::memory_order_acquire), std::memory_order_release);
}

} // namespace heddle::pipe_ring
