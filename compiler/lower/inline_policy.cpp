// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/inline_policy.h"

#include "compiler/ir/address_space.h"
#include "compiler/ir/barrier.h"
#include "compiler/ir/work_item_params.h"
#include "compiler/lower/specialize_images.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

namespace heddle::compiler {
namespace {

// Limits of instructions: of a function with everything inlined, and of one that is always inlined.
// Far above what programs need; a chain of functions that call the next one twice exceeds it soon.
constexpr std::uint64_t kMaxInlinedInstructions = 15'000;
// The same of plain units.
constexpr std::uint64_t kMaxPlainInstructions = 1'000;
constexpr std::uint64_t kAlwaysSmall = 30;
// A function that one caller calls this often, with this many instructions in total, stays a call
// there: such calls, one for each component in hand-vectorized code, are rarely hot.
constexpr unsigned kManyCalls = 8;
constexpr std::uint64_t kMaxRepeatedInstructions = 6'000;
// Of straight code on variables of its caller: the accesses of longer code are few beside the rest
// (the 3,300 instructions of SHA-512's block in five functions were too much for vector forms).
constexpr std::uint64_t kMaxOnVariables = 500;
// An access to an image after SpecializeImagesPass.
constexpr std::uint64_t kImageAccess = 150;
// Library functions that are better called.
constexpr llvm::StringLiteral kKeptPrefix = "__heddle_call_";
constexpr llvm::StringLiteral kOncePrefix = "__heddle_call_once_";

struct Size {
  std::uint64_t all = 0; // as the front end makes code, without registers
  // What registers leave of it, often a fifth.
  std::uint64_t remaining = 0;
  bool is_straight = false; // it has no branches
  // Of `all`: straight code on variables that is inlined into it (is_straight_on_variables).
  std::uint64_t on_variables = 0;
};
using Sizes = llvm::DenseMap<const llvm::Function*, Size>;
using CallsByFunction =
    llvm::MapVector<const llvm::Function*, llvm::SmallVector<llvm::CallBase*, 4>>;

// Without what is usually folded into other instructions once variables are registers.
std::uint64_t remaining_instructions(const llvm::Function& function) {
  llvm::SmallPtrSet<const llvm::Value*, 32> registers;
  std::uint64_t count = 0;
  for (const auto& instruction : llvm::instructions(function)) {
    if (const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
      if (llvm::isAllocaPromotable(variable))
        registers.insert(variable);
      continue;
    }
    const auto* address = llvm::getLoadStorePointerOperand(&instruction);
    const bool is_folded = (address != nullptr && registers.contains(address)) ||
                           llvm::isa<llvm::GetElementPtrInst, llvm::CastInst>(instruction) ||
                           instruction.isLifetimeStartOrEnd() || instruction.isDebugOrPseudoInst();
    count += is_folded ? 0 : 1;
  }
  return count;
}

Size own_size(const llvm::Function& function) {
  Size size;
  size.all = function.getInstructionCount();
  size.remaining = remaining_instructions(function);
  size.is_straight = function.size() == 1;
  return size;
}

// Straight code that works on variables of its caller, as the substitutions of bitsliced ciphers
// do: only inlined it leaves these in registers, and lanes' accesses consecutive.
bool is_straight_on_variables(const llvm::Function& function, const Size& size) {
  return size.is_straight && size.remaining <= kMaxOnVariables &&
         llvm::any_of(function.args(), [](const llvm::Argument& argument) {
           return argument.getType()->isPointerTy() &&
                  (argument.getType()->getPointerAddressSpace() == kPrivate ||
                   argument.getType()->getPointerAddressSpace() == kGeneric);
         });
}

void add_inlined(const llvm::Function& callee, const Size& size, Size& sum) {
  sum.all += size.all;
  sum.remaining += size.remaining;
  sum.on_variables += is_straight_on_variables(callee, size) ? size.all : size.on_variables;
}

// Whether it counts with what is left of it in registers.
bool is_mostly_on_variables(const Size& size) { return size.on_variables * 2 > size.all; }

void keep_repeated_calls(llvm::Function& caller, const Sizes& sizes) {
  CallsByFunction calls;
  for (auto& instruction : llvm::instructions(caller))
    if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction))
      if (const auto* callee = call->getCalledFunction();
          callee != nullptr && callee->hasFnAttribute(llvm::Attribute::AlwaysInline))
        calls[callee].push_back(call);
  for (const auto& [callee, sites] : calls) {
    const auto size = sizes.lookup(callee);
    const auto each = is_straight_on_variables(*callee, size) ? size.remaining : size.all;
    if (sites.size() >= kManyCalls && sites.size() * each > kMaxRepeatedInstructions)
      for (auto* call : sites)
        call->addFnAttr(llvm::Attribute::NoInline);
  }
}

// The calls of functions of numbers that are not small stay calls, those that would be most code
// first, until no more than `most` is left. Returns the size that is left.
std::uint64_t keep_calls_of_numbers(llvm::Function& caller, std::uint64_t size, std::uint64_t most,
                                    const Sizes& sizes) {
  CallsByFunction calls;
  for (auto& instruction : llvm::instructions(caller))
    if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        call != nullptr && !call->isNoInline())
      if (const auto* callee = call->getCalledFunction();
          callee != nullptr && callee->hasFnAttribute(llvm::Attribute::AlwaysInline) &&
          is_function_of_numbers(*callee) && !has_work_item_params(*callee) &&
          sizes.lookup(callee).all > kAlwaysSmall)
        calls[callee].push_back(call);
  auto by_size = calls.takeVector();
  const auto code = [&](const auto& entry) {
    return entry.second.size() * sizes.lookup(entry.first).all;
  };
  llvm::stable_sort(by_size, [&](const auto& a, const auto& b) { return code(a) > code(b); });
  for (const auto& entry : by_size) {
    if (size <= most)
      break;
    for (auto* call : entry.second)
      call->addFnAttr(llvm::Attribute::NoInline);
    size -= code(entry);
  }
  return size;
}

bool has_barrier(const llvm::Function& function) {
  return llvm::any_of(llvm::instructions(function),
                      [](const llvm::Instruction& instruction) { return is_barrier(instruction); });
}

} // namespace

bool is_function_of_numbers(const llvm::Function& function) {
  const auto is_number = [](const llvm::Type* type) {
    return type->isFloatTy() || type->isDoubleTy() || type->isIntegerTy(8) ||
           type->isIntegerTy(16) || type->isIntegerTy(32) || type->isIntegerTy(64);
  };
  return !function.isVarArg() && function.arg_size() != 0 && is_number(function.getReturnType()) &&
         llvm::all_of(function.getFunctionType()->params(), is_number);
}

bool is_kept_out_of_line(const llvm::Function& function) {
  return function.getName().starts_with(kKeptPrefix);
}

bool is_called_once_per_subgroup(const llvm::Function& function) {
  return function.getName().starts_with(kOncePrefix);
}

static void apply_inline_policy(llvm::Module& module, bool is_plain) {
  const auto most = is_plain ? kMaxPlainInstructions : kMaxInlinedInstructions;
  llvm::CallGraph graph(module);
  // Everything is internal by now, and the traversal starts at functions with external callers.
  for (auto& function : module)
    if (!function.isDeclaration())
      graph.getExternalCallingNode()->addCalledFunction(nullptr, graph[&function]);
  Sizes sizes;
  llvm::SmallPtrSet<const llvm::Function*, 8> reach_barrier;
  // Callees before their callers.
  for (auto component = llvm::scc_begin(&graph); !component.isAtEnd(); ++component) {
    for (auto* node : *component) {
      auto* function = node->getFunction();
      if (function == nullptr || function->isDeclaration())
        continue;
      function->removeFnAttr(llvm::Attribute::AlwaysInline);
      function->removeFnAttr(llvm::Attribute::NoInline);
      function->removeFnAttr(llvm::Attribute::OptimizeNone);
      if (is_kept_out_of_line(*function)) {
        function->addFnAttr(llvm::Attribute::NoInline);
        continue;
      }
      keep_repeated_calls(*function, sizes);
      const auto own = own_size(*function);
      auto size = own;
      if (has_barrier(*function))
        reach_barrier.insert(function);
      for (const auto& record : *node) {
        const auto* callee = record.second->getFunction();
        if (callee != nullptr && reach_barrier.contains(callee))
          reach_barrier.insert(function);
        const auto* call = record.first && *record.first
                               ? llvm::dyn_cast<llvm::CallBase>(&**record.first)
                               : nullptr;
        if (callee != nullptr && callee->hasFnAttribute(llvm::Attribute::AlwaysInline) &&
            (call == nullptr || !call->isNoInline()))
          add_inlined(*callee, sizes.lookup(callee), size);
      }
      const auto fits = [&] {
        return size.all <= most ||
               (!is_plain && is_mostly_on_variables(size) && size.remaining <= most);
      };
      if (!fits())
        size.all = keep_calls_of_numbers(*function, size.all, most, sizes);
      if (!fits()) {
        const auto must_inline = [&](const llvm::Function& callee) {
          return size.all <= kMaxInlinedInstructions &&
                 (reach_barrier.contains(&callee) || is_image_access(callee.getName()));
        };
        // Its calls stay calls, so that it does not grow.
        for (const auto& record : *node)
          if (auto* callee = record.second->getFunction();
              callee != nullptr && callee->hasFnAttribute(llvm::Attribute::AlwaysInline) &&
              sizes.lookup(callee).all > kAlwaysSmall && !must_inline(*callee)) {
            callee->removeFnAttr(llvm::Attribute::AlwaysInline);
            callee->addFnAttr(llvm::Attribute::NoInline);
          }
        size = own;
      }
      // Little is left of it for a constant sampler.
      if (is_image_access(function->getName()))
        size.all = std::min(size.all, kImageAccess);
      sizes[function] = size;
      function->addFnAttr(component.hasCycle() ? llvm::Attribute::NoInline
                                               : llvm::Attribute::AlwaysInline);
    }
  }
}

llvm::PreservedAnalyses
ApplyInlinePolicyPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& /*analyses*/) const {
  apply_inline_policy(module, is_plain_);
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
