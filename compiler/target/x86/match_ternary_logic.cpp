// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/target/x86/match_ternary_logic.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

namespace heddle::compiler {
namespace {

using namespace llvm::PatternMatch;

constexpr unsigned kInputs = 3;
constexpr unsigned kMaxCuts = 12; // of one value
// Limit of operations between a value and its inputs along one path: truth tables and savings are
// found by walking all paths.
constexpr unsigned kDeepest = 8;
constexpr unsigned kMinSaved = 3;
// The truth tables of the three inputs of vpternlog.
constexpr std::uint8_t kColumn[kInputs] = {0xf0, 0xcc, 0xaa};

bool is_not(const llvm::Value& value) { return match(&value, m_Not(m_Value())); }

bool is_bitwise(const llvm::Value& value) {
  const auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&value);
  if (operation == nullptr || !operation->isBitwiseLogicOp())
    return false;
  const auto* type = llvm::dyn_cast<llvm::FixedVectorType>(value.getType());
  return type != nullptr && type->getScalarSizeInBits() >= 8 &&
         type->getPrimitiveSizeInBits() % 128 == 0;
}

// A cut: values of which another value is a function, without the operations between them.
using Cut = llvm::SmallSetVector<llvm::Value*, kInputs>;
// A cut and the longest path to it.
struct DeepCut {
  Cut cut;
  unsigned depth = 0;
};
using Cuts = llvm::SmallVector<DeepCut, 4>;

class Cones {
 public:
  void add(llvm::Instruction& operation) { cuts_of(operation); }

  // The cut of a value with the most operations that have no other users; these and the value
  // itself are returned in `saved`.
  Cut best_cut(llvm::Instruction& root, llvm::SmallSetVector<llvm::Instruction*, 8>& saved) {
    Cut best;
    unsigned most = 0;
    const auto& cuts = cuts_of(root);
    for (const auto& [cut, depth] : cuts) {
      if (depth == 0)
        continue;
      auto inside = only_inside(root, cut);
      const auto count = llvm::count_if(inside, [](const auto* one) { return !is_not(*one); });
      if (count > most) {
        most = static_cast<unsigned>(count);
        best = cut;
        saved = std::move(inside);
      }
    }
    return best;
  }

  // The truth table of the root.
  static std::uint8_t table(const llvm::Value& value, const Cut& cut) {
    for (unsigned i = 0; i < cut.size(); ++i)
      if (cut[i] == &value)
        return kColumn[i]; // NOLINT(clang-analyzer-core.uninitialized.UndefReturn): of 3
    if (match(&value, m_AllOnes()))
      return 0xff;
    const auto& operation = llvm::cast<llvm::BinaryOperator>(value);
    const auto a = table(*operation.getOperand(0), cut), b = table(*operation.getOperand(1), cut);
    switch (operation.getOpcode()) {
    case llvm::Instruction::And:
      return a & b;
    case llvm::Instruction::Or:
      return a | b;
    default:
      return a ^ b;
    }
  }

 private:
  const Cuts& cuts_of(llvm::Value& value) {
    if (const auto found = cuts_.find(&value); found != cuts_.end())
      return *found->second;
    Cuts cuts(1);
    if (!match(&value, m_AllOnes()))
      cuts[0].cut.insert(&value);
    if (is_bitwise(value)) {
      auto& operation = llvm::cast<llvm::Instruction>(value);
      for (const auto& a : cuts_of(*operation.getOperand(0)))
        for (const auto& b : cuts_of(*operation.getOperand(1))) {
          DeepCut both{a.cut, std::max(a.depth, b.depth) + 1};
          both.cut.insert_range(b.cut);
          if (both.cut.size() <= kInputs && both.depth <= kDeepest && cuts.size() < kMaxCuts)
            cuts.push_back(std::move(both));
        }
    }
    auto& kept = cuts_[&value];
    kept = std::make_unique<Cuts>(std::move(cuts));
    return *kept;
  }

  static llvm::SmallSetVector<llvm::Instruction*, 8> only_inside(llvm::Instruction& root,
                                                                 const Cut& cut) {
    llvm::SmallSetVector<llvm::Instruction*, 8> inside;
    inside.insert(&root);
    for (bool grows = true; grows;) {
      grows = false;
      for (unsigned i = 0; i < inside.size(); ++i)
        for (auto* operand : inside[i]->operand_values()) {
          auto* operation = llvm::dyn_cast<llvm::Instruction>(operand);
          if (operation == nullptr || cut.contains(operand) || inside.contains(operation) ||
              !llvm::all_of(operation->users(), [&](llvm::User* user) {
                return inside.contains(llvm::cast<llvm::Instruction>(user));
              }))
            continue;
          grows = inside.insert(operation);
        }
    }
    return inside;
  }

  llvm::DenseMap<llvm::Value*, std::unique_ptr<Cuts>> cuts_;
};

// One instruction for each register of the inputs.
llvm::Value* emit(llvm::Instruction& root, const Cut& cut, std::uint8_t table) {
  llvm::IRBuilder<> builder(&root);
  const auto bits = unsigned(root.getType()->getPrimitiveSizeInBits());
  const unsigned piece = bits % 512 == 0 ? 512 : bits % 256 == 0 ? 256 : 128;
  const auto name = piece == 512   ? llvm::Intrinsic::x86_avx512_pternlog_d_512
                    : piece == 256 ? llvm::Intrinsic::x86_avx512_pternlog_d_256
                                   : llvm::Intrinsic::x86_avx512_pternlog_d_128;
  auto* words = llvm::FixedVectorType::get(builder.getInt32Ty(), bits / 32);
  llvm::SmallVector<llvm::Value*, kInputs> inputs;
  for (auto* input : cut)
    inputs.push_back(builder.CreateBitCast(input, words));
  while (inputs.size() < kInputs)
    inputs.push_back(inputs.back()); // the table does not ask for it
  llvm::SmallVector<llvm::Value*, 8> pieces;
  for (unsigned at = 0; at < bits; at += piece) {
    llvm::SmallVector<llvm::Value*, 4> operands;
    for (auto* input : inputs) {
      const auto lanes = llvm::to_vector(llvm::seq<int>(int(at / 32), int((at + piece) / 32)));
      operands.push_back(piece == bits ? input : builder.CreateShuffleVector(input, lanes));
    }
    operands.push_back(builder.getInt32(table));
    pieces.push_back(builder.CreateIntrinsic(name, operands));
  }
  return builder.CreateBitCast(llvm::concatenateVectors(builder, pieces), root.getType());
}

} // namespace

llvm::PreservedAnalyses MatchTernaryLogicPass::run(llvm::Function& function,
                                                   llvm::FunctionAnalysisManager&) {
  // In reverse post-order: operands before users.
  llvm::SmallVector<llvm::Instruction*, 32> operations;
  Cones cones;
  for (auto* block : llvm::ReversePostOrderTraversal<llvm::Function*>(&function))
    for (auto& instruction : *block)
      if (is_bitwise(instruction)) {
        operations.push_back(&instruction);
        cones.add(instruction); // one after the other, so that long chains take no stack
      }
  llvm::SmallPtrSet<llvm::Instruction*, 32> gone;
  llvm::SmallVector<llvm::WeakTrackingVH, 32> dead;
  for (auto* root : llvm::reverse(operations)) {
    llvm::SmallSetVector<llvm::Instruction*, 8> saved;
    if (gone.contains(root) || is_not(*root))
      continue;
    const auto cut = cones.best_cut(*root, saved);
    if (llvm::count_if(saved, [](const auto* one) { return !is_not(*one); }) < kMinSaved)
      continue;
    gone.insert_range(saved);
    root->replaceAllUsesWith(emit(*root, cut, Cones::table(*root, cut)));
    dead.push_back(root);
  }
  if (dead.empty())
    return llvm::PreservedAnalyses::all();
  llvm::RecursivelyDeleteTriviallyDeadInstructionsPermissive(dead);
  llvm::PreservedAnalyses preserved;
  preserved.preserveSet<llvm::CFGAnalyses>();
  return preserved;
}

} // namespace heddle::compiler
