// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The processes' parts of the grid, and the exchange of their faces.
#pragma once

#include "block.h"

#include <array>
#include <mpi.h>
#include <vector>

namespace heat {

// The processes as a grid of blocks, as cubic as their number allows; sizes differ by one cell
// where the whole cannot be shared out evenly. Faces and halos are memory that MPI has allocated,
// sent from and received into where they are.
class Exchange {
 public:
  explicit Exchange(const Size& whole);
  ~Exchange();
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;

  int rank() const { return rank_; }
  int processes() const { return processes_; }
  const std::array<int, 3>& blocks() const { return blocks_; } // in x, y, z
  const Size& size() const { return size_; }
  const Size& origin() const { return origin_; }
  const std::array<float*, kSides>& faces() const { return faces_; }
  const std::array<float*, kSides>& halos() const { return halos_; }
  std::size_t bytes_sent() const; // in one exchange, by this process

  // Sends all faces and receives the halos; those at the edge of the whole grid keep what they
  // have. The thread gives up its processor while there is nothing to do, because the device may be
  // at work on the same one.
  void run();
  // The whole grid on rank 0, elsewhere nothing.
  std::vector<float> gather(const std::vector<float>& cells) const;

 private:
  void place_of(int rank, Size& size, Size& origin) const;

  Size whole_;
  MPI_Comm grid_ = MPI_COMM_NULL;
  int rank_ = 0, processes_ = 1;
  std::array<int, 3> blocks_{};
  Size size_{}, origin_{};
  std::array<int, kSides> neighbors_{};
  std::array<float*, kSides> faces_{}, halos_{};
};

} // namespace heat
