// The ring behind a pipe: where its parts lie, and its state between kernels.
#pragma once

#include "compiler/interface/pipe_ring.h"

#include <cstddef>
#include <cstdint>

namespace heddle::pipe_ring {

using Ring = ::heddle_pipe_ring;

// Bytes of a ring for `max_packets` packets of `packet_bytes`; 0 if they cannot be counted.
std::size_t bytes_for(std::uint32_t packet_bytes, std::uint32_t max_packets) noexcept;
// Makes an empty ring in zeroed memory of that size, aligned to HEDDLE_RING_LINE.
Ring* make(std::byte* memory, std::uint32_t packet_bytes, std::uint32_t max_packets) noexcept;
// A launch that reads (heddle_pipe_readers) or writes begins and ends. When the last on a side
// ends, what was reserved there and never committed, which would hold up everything behind it for
// good, is committed: its packets are what lies in the ring.
void begin_use(Ring& ring, int side) noexcept;
void end_use(Ring& ring, int side) noexcept;

} // namespace heddle::pipe_ring
