// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The blocks of a function, and the order in which they are translated.
#include "compiler/spirv/readers.h"

#include <algorithm>

namespace heddle::compiler::spirv {
namespace {

using Op = spv::Op;

bool ends_block(Op op) {
  if (static_cast<Word>(op) == 5121) // OpAbortKHR
    return true;
  switch (op) {
  case Op::OpBranch:
  case Op::OpBranchConditional:
  case Op::OpSwitch:
  case Op::OpReturn:
  case Op::OpReturnValue:
  case Op::OpUnreachable:
    return true;
  default:
    return false;
  }
}

// The labels that a block's last instruction names. The literals of a switch have one word or two,
// as the type of its selector says, which is not known yet: labels tell.
void add_targets(const Instruction& last, const IdMap<unsigned>& labels,
                 llvm::SmallVectorImpl<unsigned>& targets) {
  const auto add = [&](Word label) {
    if (const auto found = labels.find(label); found != labels.end())
      targets.push_back(found->second);
  };
  switch (last.op) {
  case Op::OpBranch:
    return add(last[1]);
  case Op::OpBranchConditional:
    add(last[2]);
    return add(last[3]);
  case Op::OpSwitch: {
    add(last[2]);
    const auto cases = last.from(3);
    for (const std::size_t words : {2, 3}) {
      bool all = cases.size() % words == 0;
      for (std::size_t i = words - 1; all && i < cases.size(); i += words)
        all = labels.contains(cases[i]);
      for (std::size_t i = words - 1; all && i < cases.size(); i += words)
        add(cases[i]);
    }
    return;
  }
  default:
    return;
  }
}

} // namespace

// Makes the blocks and checks that each ends where the next one begins.
std::vector<BlockPlace> find_blocks(Translation& t, std::size_t body) {
  std::vector<BlockPlace> blocks;
  std::vector<Instruction> ends;
  IdMap<unsigned> labels;
  std::size_t line_at = 0;
  for (auto at = body;;) {
    const auto next = t.instruction_at(at);
    const bool is_open = blocks.size() != ends.size(); // between a label and its block's end
    if (next.op == Op::OpFunctionEnd) {
      t.require(!is_open, "a block ends with a branch or a return");
      break;
    }
    if (next.op == Op::OpLabel) {
      t.require(!is_open, "a block ends with a branch or a return");
      auto& made = t.new_id(next[1]);
      made.kind = IdKind::block;
      made.block = llvm::BasicBlock::Create(t.context, t.name(next[1]),
                                            t.functions[t.function_number - 1].llvm);
      labels[next[1]] = static_cast<unsigned>(blocks.size());
      blocks.push_back({at, line_at, {}});
    } else if (next.op == Op::OpLine) {
      line_at = at;
    } else if (next.op == Op::OpNoLine) {
      line_at = 0;
    } else if (next.op != Op::OpNop) {
      t.require(is_open, "instructions stand between a label and its block's end");
      if (ends_block(next.op))
        ends.push_back(next);
    }
    at += next.length;
  }
  for (std::size_t i = 0; i < blocks.size(); ++i)
    add_targets(ends[i], labels, blocks[i].targets);
  return blocks;
}

// Reverse post-order, which puts blocks before those that they dominate; then those that are not
// reached. A walk without recursion.
std::vector<unsigned> dominance_order(const std::vector<BlockPlace>& blocks) {
  std::vector<unsigned> order;
  std::vector<bool> seen(blocks.size());
  std::vector<std::pair<unsigned, std::size_t>> path; // a block, and how many targets are left
  const auto enter = [&](unsigned index) {
    if (seen[index])
      return;
    seen[index] = true;
    path.emplace_back(index, blocks[index].targets.size());
  };
  enter(0);
  while (!path.empty()) {
    auto& [index, left] = path.back();
    if (left == 0) {
      order.push_back(index);
      path.pop_back();
    } else {
      --left;
      enter(blocks[index].targets[left]); // the first target last, so that it comes first
    }
  }
  std::reverse(order.begin(), order.end());
  for (unsigned index = 0; index < blocks.size(); ++index)
    if (!seen[index])
      order.push_back(index);
  return order;
}

} // namespace heddle::compiler::spirv
