// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/command_buffer/graph.h"

namespace heddle {

Graph::Graph(std::span<const RecordedCommand> commands) {
  const auto count = static_cast<std::uint32_t>(commands.size());
  std::vector<std::uint32_t> users(count); // how many commands wait for each
  for (const auto& command : commands)
    for (const auto other : command.waits)
      ++users[other];

  std::vector<std::uint32_t> next(count, count); // in the same chain
  std::vector<std::uint32_t> chain_of(count);
  std::vector<std::uint32_t> heads;
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto& command = commands[i];
    if (command.waits.size() == 1) {
      const auto before = command.waits.front();
      if (users[before] == 1 && commands[before].queue == command.queue) {
        next[before] = i;
        chain_of[i] = chain_of[before];
        continue;
      }
    }
    chain_of[i] = static_cast<std::uint32_t>(heads.size());
    heads.push_back(i);
  }

  chains_.resize(heads.size());
  order_.reserve(count);
  for (std::uint32_t c = 0; c < chains_.size(); ++c) {
    auto& chain = chains_[c];
    const auto head = heads[c];
    chain.begin = static_cast<std::uint32_t>(order_.size());
    chain.queue = commands[head].queue;
    chain.waits = static_cast<std::uint32_t>(commands[head].waits.size());
    for (auto i = head; i != count; i = next[i])
      order_.push_back(i);
    chain.end = static_cast<std::uint32_t>(order_.size());
    for (const auto other : commands[head].waits)
      ++chains_[chain_of[other]].successors_end;
  }
  std::uint32_t total = 0;
  for (auto& chain : chains_) {
    chain.successors_begin = total;
    total += chain.successors_end;
    chain.successors_end = chain.successors_begin;
  }
  successors_.resize(total);
  for (std::uint32_t c = 0; c < chains_.size(); ++c)
    for (const auto other : commands[heads[c]].waits)
      successors_[chains_[chain_of[other]].successors_end++] = c;
}

} // namespace heddle
