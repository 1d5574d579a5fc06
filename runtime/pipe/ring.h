// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ring of a pipe: its layout, and its state between kernels.
#pragma once

#include "compiler/interface/pipe_ring.h"

#include <cstddef>
#include <cstdint>

namespace heddle::pipe_ring {

using Ring = ::heddle_pipe_ring;

// The size of a ring of `max_packets` packets of `packet_bytes`, in bytes; 0 if it overflows.
std::size_t bytes_for(std::uint32_t packet_bytes, std::uint32_t max_packets) noexcept;
// Constructs an empty ring in zeroed memory of that size, aligned to HEDDLE_RING_LINE.
Ring* make(std::byte* memory, std::uint32_t packet_bytes, std::uint32_t max_packets) noexcept;
// Called when a launch that reads (heddle_pipe_readers) or writes begins and ends. When the last
// launch of a side ends, its open reservations, which would block all later ones, are committed;
// their packets have the contents of the ring.
void begin_use(Ring& ring, int side) noexcept;
void end_use(Ring& ring, int side) noexcept;

} // namespace heddle::pipe_ring
