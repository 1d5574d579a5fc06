// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/plan/recurrence.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <algorithm>
#include <limits>

namespace heddle::compiler {
namespace {

constexpr unsigned kMaxPhis = 32;
constexpr unsigned kMaxSearchedBlocks = 64;
constexpr std::size_t kMaxSearchedInstructions = 4000; // paths are searched by recursion
constexpr double kNone = -std::numeric_limits<double>::infinity();

using Row = llvm::SmallVector<double, 8>;
using Matrix = llvm::SmallVector<Row, 8>;

// The latency of the longest paths from one value of an iteration; kNone where there is none.
class Paths {
 public:
  Paths(const llvm::Loop& loop, const llvm::PHINode& start,
        llvm::function_ref<double(const llvm::Instruction&)> latency,
        llvm::function_ref<llvm::SmallVector<const llvm::Value*, 4>(const llvm::PHINode&)>
            conditions_of)
      : loop_(loop), latency_(latency), conditions_of_(conditions_of), known_{{&start, 0}} {}

  double to(const llvm::Value& value) {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    if (instruction == nullptr || !loop_.contains(instruction))
      return kNone;
    if (const auto [entry, is_new] = known_.insert({&value, kNone}); !is_new)
      return entry->second;
    const auto* phi = llvm::dyn_cast<llvm::PHINode>(instruction);
    if (phi != nullptr && phi->getParent() == loop_.getHeader())
      return kNone; // of the iteration before
    double longest = kNone;
    for (const auto& operand : instruction->operands())
      longest = std::max(longest, to(*operand.get()));
    if (phi != nullptr)
      for (const auto* condition : conditions_of_(*phi))
        longest = std::max(longest, to(*condition));
    if (longest != kNone)
      longest += latency_(*instruction);
    return known_[&value] = longest;
  }

 private:
  const llvm::Loop& loop_;
  llvm::function_ref<double(const llvm::Instruction&)> latency_;
  llvm::function_ref<llvm::SmallVector<const llvm::Value*, 4>(const llvm::PHINode&)> conditions_of_;
  llvm::DenseMap<const llvm::Value*, double> known_;
};

// Of all cycles the largest mean weight of an edge (Karp's algorithm, started at all nodes);
// 0 without cycles. `edges[i][j]` is the weight of the edge from i to j.
double largest_cycle_mean(const Matrix& edges) {
  const auto nodes = edges.size();
  Matrix walks(nodes + 1, Row(nodes, kNone)); // the heaviest of k edges to a node
  std::fill(walks[0].begin(), walks[0].end(), 0);
  for (std::size_t k = 1; k <= nodes; ++k)
    for (std::size_t from = 0; from < nodes; ++from)
      for (std::size_t to = 0; to < nodes; ++to)
        walks[k][to] = std::max(walks[k][to], walks[k - 1][from] + edges[from][to]);
  double largest = 0;
  for (std::size_t node = 0; node < nodes; ++node) {
    if (walks[nodes][node] == kNone)
      continue;
    double smallest = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < nodes; ++k)
      if (walks[k][node] != kNone)
        smallest = std::min(smallest,
                            (walks[nodes][node] - walks[k][node]) / static_cast<double>(nodes - k));
    largest = std::max(largest, smallest);
  }
  return largest;
}

} // namespace

double recurrence_latency(
    const llvm::Loop& loop, llvm::function_ref<double(const llvm::Instruction&)> latency,
    llvm::function_ref<llvm::SmallVector<const llvm::Value*, 4>(const llvm::PHINode&)>
        conditions_of) {
  const auto* latch = loop.getLoopLatch();
  if (latch == nullptr || !loop.isInnermost() || loop.getNumBlocks() > kMaxSearchedBlocks)
    return 0;
  std::size_t instructions = 0;
  for (const auto* block : loop.blocks())
    instructions += block->size();
  if (instructions > kMaxSearchedInstructions)
    return 0;
  llvm::SmallVector<const llvm::PHINode*, 8> phis;
  for (const auto& phi : loop.getHeader()->phis())
    phis.push_back(&phi);
  if (phis.size() > kMaxPhis)
    return 0;
  Matrix edges(phis.size(), Row(phis.size(), kNone));
  for (std::size_t from = 0; from < phis.size(); ++from) {
    Paths paths(loop, *phis[from], latency, conditions_of);
    for (std::size_t to = 0; to < phis.size(); ++to)
      edges[from][to] = paths.to(*phis[to]->getIncomingValueForBlock(latch));
  }
  return largest_cycle_mean(edges);
}

} // namespace heddle::compiler
