// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The commands of a finalized buffer as chains: what runs one after the other on one thread, and
// which chains wait for which.
#pragma once

#include "runtime/command_buffer/recorded_command.h"

#include <cstdint>
#include <span>
#include <vector>

namespace heddle {

class Graph {
 public:
  struct Chain {
    std::uint32_t begin = 0, end = 0; // in order()
    std::uint32_t queue = 0;
    std::uint32_t waits = 0; // the number of chains that this one waits for
    std::uint32_t successors_begin = 0, successors_end = 0;
  };

  Graph() = default;
  // A command continues the chain of another one of the same queue if it waits for that alone, and
  // nothing else waits for that. Throws std::bad_alloc.
  explicit Graph(std::span<const RecordedCommand> commands);

  std::span<const Chain> chains() const { return chains_; }
  // The commands by index, those of a chain together.
  std::span<const std::uint32_t> order() const { return order_; }
  std::span<const std::uint32_t> successors(const Chain& chain) const {
    return std::span(successors_)
        .subspan(chain.successors_begin, chain.successors_end - chain.successors_begin);
  }

 private:
  std::vector<Chain> chains_;
  std::vector<std::uint32_t> order_;
  std::vector<std::uint32_t> successors_;
};

} // namespace heddle
