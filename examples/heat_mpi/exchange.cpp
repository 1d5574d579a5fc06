// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "exchange.h"

#include <algorithm>
#include <sched.h>

namespace heat {

namespace {

// What is beyond the edges of the whole grid: warm below, cold elsewhere.
constexpr float kEdge = 0.0f, kBelow = 1.0f;

} // namespace

Exchange::Exchange(const Size& whole) : whole_(whole) {
  MPI_Comm_size(MPI_COMM_WORLD, &processes_);
  // MPI's first dimension gets the most blocks: z, whose faces are contiguous in the grid.
  std::array<int, 3> blocks{}, periods{}, place{};
  MPI_Dims_create(processes_, 3, blocks.data());
  MPI_Cart_create(MPI_COMM_WORLD, 3, blocks.data(), periods.data(), 1, &grid_);
  MPI_Comm_rank(grid_, &rank_);
  blocks_ = {blocks[2], blocks[1], blocks[0]};
  place_of(rank_, size_, origin_);
  MPI_Cart_coords(grid_, rank_, 3, place.data());
  for (int side = 0; side < kSides; ++side) {
    const int axis = side / 2;
    int low, high;
    MPI_Cart_shift(grid_, 2 - axis, 1, &low, &high);
    neighbors_[side] = side % 2 ? high : low;
    const auto cells = cells_of_side(size_, side);
    for (auto* memory : {&faces_[side], &halos_[side]})
      MPI_Alloc_mem(static_cast<MPI_Aint>(cells * sizeof(float)), MPI_INFO_NULL, memory);
    std::fill_n(halos_[side], cells, side == 4 ? kBelow : kEdge);
  }
}

Exchange::~Exchange() {
  for (const auto& list : {faces_, halos_})
    for (auto* memory : list)
      MPI_Free_mem(memory);
  MPI_Comm_free(&grid_);
}

void Exchange::place_of(int rank, Size& size, Size& origin) const {
  std::array<int, 3> place{};
  MPI_Cart_coords(grid_, rank, 3, place.data());
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto parts = static_cast<std::size_t>(blocks_[axis]);
    const auto index = static_cast<std::size_t>(place[2 - axis]);
    const auto first = [&](std::size_t part) { return whole_[axis] * part / parts; };
    origin[axis] = first(index);
    size[axis] = first(index + 1) - first(index);
  }
}

std::size_t Exchange::bytes_sent() const {
  std::size_t bytes = 0;
  for (int side = 0; side < kSides; ++side)
    if (neighbors_[side] != MPI_PROC_NULL)
      bytes += cells_of_side(size_, side) * sizeof(float);
  return bytes;
}

void Exchange::run() {
  std::array<MPI_Request, 2 * kSides> requests;
  for (int side = 0; side < kSides; ++side) {
    const auto cells = static_cast<int>(cells_of_side(size_, side));
    // The neighbor's face that comes here is that of the opposite side.
    MPI_Irecv(halos_[side], cells, MPI_FLOAT, neighbors_[side], side ^ 1, grid_, &requests[side]);
    MPI_Isend(faces_[side], cells, MPI_FLOAT, neighbors_[side], side, grid_,
              &requests[kSides + side]);
  }
  for (int done = 0; !done;) {
    MPI_Testall(2 * kSides, requests.data(), &done, MPI_STATUSES_IGNORE);
    if (!done)
      sched_yield();
  }
}

std::vector<float> Exchange::gather(const std::vector<float>& cells) const {
  std::vector<int> counts(static_cast<std::size_t>(processes_)), starts(counts);
  std::size_t total = 0;
  for (std::size_t rank = 0; rank < counts.size(); ++rank) {
    Size size, origin;
    place_of(static_cast<int>(rank), size, origin);
    counts[rank] = static_cast<int>(size[0] * size[1] * size[2]);
    starts[rank] = static_cast<int>(total);
    total += size[0] * size[1] * size[2];
  }
  std::vector<float> parts(rank_ == 0 ? total : 0), whole(parts.size());
  MPI_Gatherv(cells.data(), static_cast<int>(cells.size()), MPI_FLOAT, parts.data(), counts.data(),
              starts.data(), MPI_FLOAT, 0, grid_);
  for (int rank = 0; rank_ == 0 && rank < processes_; ++rank) {
    Size size, origin;
    place_of(rank, size, origin);
    const float* from = parts.data() + starts[static_cast<std::size_t>(rank)];
    for (std::size_t z = 0; z < size[2]; ++z)
      for (std::size_t y = 0; y < size[1]; ++y, from += size[0])
        std::copy_n(from, size[0],
                    whole.data() + ((origin[2] + z) * whole_[1] + origin[1] + y) * whole_[0] +
                        origin[0]);
  }
  return whole;
}

} // namespace heat
