// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The commands of a command buffer, as they were recorded.
#pragma once

#include "runtime/core/object.h"
#include "runtime/execution/bulk_command.h"

#include <CL/cl.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace heddle {

class RecordedKernel;

// Moves or fills bytes. run() may be called for disjoint pieces of [0, bytes) by several threads,
// and again for each replay; it returns CL_COMPLETE or an error.
class RecordedTransfer {
 public:
  RecordedTransfer(std::size_t bytes, bool in_one_piece)
      : bytes_(bytes), in_one_piece_(in_one_piece || bytes < kBulkBytes) {}
  RecordedTransfer(const RecordedTransfer&) = delete;
  RecordedTransfer& operator=(const RecordedTransfer&) = delete;
  virtual ~RecordedTransfer() = default;

  std::size_t bytes() const { return bytes_; }
  bool is_in_one_piece() const { return in_one_piece_; }
  virtual cl_int run(std::size_t begin, std::size_t end) noexcept = 0;

 private:
  const std::size_t bytes_;
  const bool in_one_piece_;
};

// `body`: as of BulkCommand, and keeps the memory that it accesses. Throws std::bad_alloc.
template <class Body>
std::shared_ptr<RecordedTransfer> make_recorded_transfer(std::size_t bytes, bool in_one_piece,
                                                         Body body) {
  class Transfer final : public RecordedTransfer {
   public:
    Transfer(std::size_t bytes, bool in_one_piece, Body body)
        : RecordedTransfer(bytes, in_one_piece), body_(std::move(body)) {}
    cl_int run(std::size_t begin, std::size_t end) noexcept override {
      if constexpr (std::is_void_v<decltype(body_(begin, end))>) {
        body_(begin, end);
        return CL_COMPLETE;
      } else {
        return body_(begin, end);
      }
    }

   private:
    Body body_;
  };
  return std::make_shared<Transfer>(bytes, in_one_piece, std::move(body));
}

struct RecordedCommand {
  RecordedCommand() = default;
  RecordedCommand(cl_command_type of_type, std::uint32_t in_queue)
      : type(of_type), queue(in_queue) {}

  cl_command_type type = 0;
  std::uint32_t queue = 0; // index in the list of the command buffer's queues
  // The earlier commands that it waits for, by index: in increasing order, none twice, and none
  // that another one of them is known to wait for.
  std::vector<std::uint32_t> waits;
  // A barrier has neither.
  std::shared_ptr<RecordedTransfer> transfer;
  std::shared_ptr<RecordedKernel> kernel;
};

} // namespace heddle
