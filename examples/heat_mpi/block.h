// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One process's part of the grid: its cells and faces in OpenCL buffers, and the kernels that work
// on them.
#pragma once

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <array>
#include <cstddef>
#include <vector>

namespace heat {

using Size = std::array<std::size_t, 3>; // x, y, z; x is contiguous

constexpr int kSides = 6; // 2 * axis, and one more for the side with the higher coordinates

// Cells on a side, in order: the lower of the two other axes is contiguous.
std::size_t cells_of_side(const Size& size, int side);

// The times of the kernels of one step, in seconds; `span` is from the first one's start to the
// last one's end.
struct StepTimes {
  double boundary = 0;
  double inner = 0;
  double span = 0;
};

// The cells are the device's. The outermost ones, which neighbors need, are also written to
// `faces`, and what is beyond them is read from `halos`: memory of the caller's, used where it is
// (CL_MEM_USE_HOST_PTR), which must stay as long as the block does. Ends the process if OpenCL
// reports an error.
class Block {
 public:
  // `origin` is the place of the block's first cell in the whole grid. Each size is at least 2.
  Block(const Size& size, const Size& origin, const std::array<float*, kSides>& faces,
        const std::array<float*, kSides>& halos);
  ~Block();
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  // The first state, with its faces. Faces and halos belong to the host from here on until the
  // first step.
  void start();
  // Enqueues a step: the outermost cells first, which need the halos, then the rest. When this
  // returns, the faces are the new ones, faces and halos are the host's again, and the inner cells
  // may still be at work.
  void begin_step();
  // Waits for the inner cells. Called before the next step, or left out so that the device goes on
  // meanwhile.
  void wait_for_inner();
  // The times of the last step, which must be finished.
  StepTimes last_times() const;
  // All cells, x contiguous, then y.
  std::vector<float> cells();

 private:
  void give_to_device();
  void map_for_host(const std::vector<cl_event>& after);
  void enqueue(cl_kernel kernel, const Size& offset, const Size& range,
               const std::vector<cl_event>& after, std::vector<cl_event>& done);

  Size size_;
  Size origin_;
  cl_context context_ = nullptr;
  cl_command_queue queue_ = nullptr;
  cl_program program_ = nullptr;
  cl_kernel first_ = nullptr, outer_ = nullptr, inner_ = nullptr;
  std::array<cl_mem, 2> grids_{}; // the state, and what the next step makes of it
  std::array<cl_mem, kSides> faces_{}, halos_{};
  std::array<void*, 2 * kSides>
      mapped_{}; // where the host sees faces, then halos; null while they are the device's
  std::vector<cl_event> ready_; // what the outer cells of the next step wait for
  std::vector<cl_event> outer_done_, inner_done_;
};

} // namespace heat
