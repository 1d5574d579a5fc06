// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/analysis/trip_counts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

#include <optional>
#include <utility>

namespace heddle::compiler {
namespace {

using Op = WorkEstimate::Op;

struct Query {
  llvm::StringLiteral name;
  Op op;
};
constexpr Query kQueries[] = {
    {"_Z15get_global_sizej", Op::global_size},
    {"_Z14get_local_sizej", Op::local_size},
    {"_Z23get_enqueued_local_sizej", Op::local_size},
    {"_Z14get_num_groupsj", Op::group_count},
    {"_Z13get_global_idj", Op::global_id},
    {"_Z12get_local_idj", Op::local_id},
    {"_Z12get_group_idj", Op::group_id},
};

const Query* find_query(const llvm::Value& value) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&value);
  const auto* callee = call != nullptr ? call->getCalledFunction() : nullptr;
  if (callee == nullptr || !callee->isDeclaration() || call->arg_size() != 1 ||
      !llvm::isa<llvm::Constant>(call->getArgOperand(0)))
    return nullptr;
  const auto* found =
      llvm::find_if(kQueries, [&](const Query& query) { return query.name == callee->getName(); });
  return found != std::end(kQueries) ? found : nullptr;
}

// The operation of a call of min or max of two integers.
std::optional<Op> min_or_max(const llvm::CallInst& call) {
  const auto* callee = call.getCalledFunction();
  if (callee == nullptr || call.arg_size() != 2 || !call.getType()->isIntegerTy())
    return std::nullopt;
  if (callee->getName().starts_with("_Z3min"))
    return Op::smallest;
  return callee->getName().starts_with("_Z3max") ? std::optional(Op::largest) : std::nullopt;
}

// The bound of any counter of that type.
bool is_huge(const llvm::SCEV& count) {
  const auto* constant = llvm::dyn_cast<llvm::SCEVConstant>(&count);
  return constant != nullptr && constant->getAPInt().getActiveBits() > 24;
}

} // namespace

bool is_work_item_query(const llvm::Value& value) { return find_query(value) != nullptr; }

bool TripCounts::push(const llvm::Loop& loop, Formula& out) {
  const auto* count = evolution_.getBackedgeTakenCount(&loop);
  if (llvm::isa<llvm::SCEVCouldNotCompute>(count))
    count = evolution_.getSymbolicMaxBackedgeTakenCount(&loop);
  const auto start = out.size();
  if (llvm::isa<llvm::SCEVCouldNotCompute>(count) || is_huge(*count) || !push(*count, out)) {
    out.resize(start);
    if (!push_distance(loop, out)) {
      out.resize(start);
      out.push_back({Op::unknown_trips});
      return out.size() <= kMaxWorkSteps;
    }
  }
  out.push_back({Op::number, 1});
  out.push_back({Op::add});
  out.push_back({Op::number, 0}); // of a loop that is not entered
  out.push_back({Op::largest});
  return true;
}

// For a count that may wrap around, and then goes on: what it is if it does not.
bool TripCounts::push_distance(const llvm::Loop& loop, Formula& out) {
  llvm::SmallVector<llvm::BasicBlock*, 4> exiting;
  loop.getExitingBlocks(exiting);
  const auto start = out.size();
  for (const auto* block : exiting) {
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
    const auto* compare = branch != nullptr && branch->isConditional()
                              ? llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition())
                              : nullptr;
    if (compare == nullptr)
      continue;
    const auto* count = evolution_.getSCEV(compare->getOperand(0));
    const auto* bound = evolution_.getSCEV(compare->getOperand(1));
    if (!llvm::isa<llvm::SCEVAddRecExpr>(count))
      std::swap(count, bound);
    const auto* recurrence = llvm::dyn_cast<llvm::SCEVAddRecExpr>(count);
    if (recurrence == nullptr || recurrence->getLoop() != &loop || !recurrence->isAffine() ||
        !evolution_.isLoopInvariant(bound, &loop))
      continue;
    out.resize(start);
    if (!push(*recurrence->getStart(), out))
      continue;
    out.push_back({Op::number, -1});
    out.push_back({Op::multiply});
    if (!push(*bound, out))
      continue;
    out.push_back({Op::add});
    if (!push(*recurrence->getOperand(1), out))
      continue;
    out.push_back({Op::divide});
    return true;
  }
  return false;
}

bool TripCounts::push_all(const llvm::SCEVNAryExpr& expression, Op op, Formula& out) {
  for (unsigned i = 0; i < expression.getNumOperands(); ++i) {
    if (!push(*expression.getOperand(i), out))
      return false;
    if (i != 0)
      out.push_back({op});
  }
  return true;
}

// The larger one of the values at the loop's start and at its end.
bool TripCounts::push_recurrence(const llvm::SCEVAddRecExpr& recurrence, Formula& out) {
  if (!recurrence.isAffine() || !push(*recurrence.getStart(), out) ||
      !push(*recurrence.getStart(), out) || !push(*recurrence.getOperand(1), out) ||
      !push(*recurrence.getLoop(), out))
    return false;
  out.push_back({Op::multiply});
  out.push_back({Op::add});
  out.push_back({Op::largest});
  return true;
}

bool TripCounts::push_unknown(const llvm::Value& value, Formula& out) {
  if (const auto* query = find_query(value)) {
    const auto& call = llvm::cast<llvm::CallInst>(value);
    const auto* dimension = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(0));
    if (dimension == nullptr || dimension->getValue().uge(3))
      return false;
    out.push_back({query->op, static_cast<double>(dimension->getZExtValue())});
    return true;
  }
  if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&value))
    if (const auto op = min_or_max(*call)) {
      if (!push(*evolution_.getSCEV(call->getArgOperand(0)), out) ||
          !push(*evolution_.getSCEV(call->getArgOperand(1)), out))
        return false;
      out.push_back({*op});
      return true;
    }
  const auto* argument = llvm::dyn_cast<llvm::Argument>(&value);
  if (argument == nullptr || kernel_ == nullptr || !argument->getType()->isIntegerTy() ||
      argument->getArgNo() >= kernel_->arguments.size())
    return false;
  out.push_back({Op::argument, static_cast<double>(argument->getArgNo())});
  return true;
}

bool TripCounts::push(const llvm::SCEV& value, Formula& out) {
  if (out.size() > kMaxWorkSteps)
    return false;
  if (const auto* constant = llvm::dyn_cast<llvm::SCEVConstant>(&value)) {
    out.push_back({Op::number, constant->getAPInt().signedRoundToDouble()});
    return true;
  }
  if (const auto* cast = llvm::dyn_cast<llvm::SCEVIntegralCastExpr>(&value))
    return push(*cast->getOperand(), out);
  if (const auto* sum = llvm::dyn_cast<llvm::SCEVAddExpr>(&value))
    return push_all(*sum, Op::add, out);
  if (const auto* product = llvm::dyn_cast<llvm::SCEVMulExpr>(&value))
    return push_all(*product, Op::multiply, out);
  if (const auto* most = llvm::dyn_cast<llvm::SCEVMinMaxExpr>(&value))
    return push_all(
        *most, llvm::isa<llvm::SCEVSMaxExpr, llvm::SCEVUMaxExpr>(most) ? Op::largest : Op::smallest,
        out);
  if (const auto* quotient = llvm::dyn_cast<llvm::SCEVUDivExpr>(&value)) {
    if (!push(*quotient->getLHS(), out) || !push(*quotient->getRHS(), out))
      return false;
    out.push_back({Op::divide});
    return true;
  }
  if (const auto* recurrence = llvm::dyn_cast<llvm::SCEVAddRecExpr>(&value))
    return push_recurrence(*recurrence, out);
  const auto* unknown = llvm::dyn_cast<llvm::SCEVUnknown>(&value);
  return unknown != nullptr && push_unknown(*unknown->getValue(), out);
}

} // namespace heddle::compiler
