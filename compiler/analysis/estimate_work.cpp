// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/analysis/estimate_work.h"

#include "compiler/analysis/function_work.h"
#include "llvm/IR/Constants.h"

namespace heddle::compiler {
namespace {

// Of the functions that kernels call, as far as it does not depend on the launch.
class CalledFunctions {
 public:
  explicit CalledFunctions(llvm::FunctionAnalysisManager& analyses) : analyses_(analyses) {}

  std::optional<CalledWork> work_of(llvm::Function& function) {
    const auto [place, is_new] = known_.try_emplace(&function, std::nullopt); // if it recurs
    if (!is_new)
      return place->second;
    const auto work = find(function);
    known_[&function] = work;
    return work;
  }

 private:
  std::optional<CalledWork> find(llvm::Function& function) {
    hoist_queries(function);
    Formula formula;
    if (!add_work_of(
            function, analyses_, nullptr, [this](auto& callee) { return work_of(callee); },
            formula))
      return std::nullopt;
    CalledWork work{};
    const auto value_of = [&](const WorkEstimate::Step& step) {
      work.guesses |= step.op == WorkEstimate::Op::unknown_trips;
      return step.op == WorkEstimate::Op::unknown_trips ? std::optional(kGuessedTrips)
                                                        : std::nullopt;
    };
    for (std::size_t i = 0; i < work.amounts.size(); ++i) {
      const auto amount = evaluate(formula, value_of, static_cast<WorkEstimate::Amount>(i));
      if (!amount)
        return std::nullopt;
      work.amounts[i] = *amount;
    }
    return work;
  }

  llvm::FunctionAnalysisManager& analyses_;
  llvm::DenseMap<llvm::Function*, std::optional<CalledWork>> known_;
};

void add_symbol(llvm::Module& module, const Formula& formula) {
  auto& context = module.getContext();
  auto* word = llvm::Type::getInt64Ty(context);
  auto* number = llvm::Type::getDoubleTy(context);
  llvm::SmallVector<llvm::Constant*, 32> members{llvm::ConstantInt::get(word, formula.size())};
  for (const auto& step : formula) {
    members.push_back(llvm::ConstantInt::get(word, static_cast<std::uint64_t>(step.op)));
    if (step.op != WorkEstimate::Op::amounts) {
      members.push_back(llvm::ConstantFP::get(number, step.number));
      continue;
    }
    for (const auto amount : step.amounts)
      members.push_back(llvm::ConstantFP::get(number, amount));
  }
  auto* value = llvm::ConstantStruct::getAnon(members);
  auto* symbol = new llvm::GlobalVariable(module, value->getType(), true,
                                          llvm::GlobalValue::ExternalLinkage, value, kWorkSymbol);
  symbol->setAlignment(llvm::Align(8));
}

} // namespace

llvm::PreservedAnalyses EstimateWorkPass::run(llvm::Module& module,
                                              llvm::ModuleAnalysisManager& analyses) {
  auto& functions =
      analyses.getResult<llvm::FunctionAnalysisManagerModuleProxy>(module).getManager();
  CalledFunctions called(functions);
  if (compilation_.kernels.size() != 1)
    return llvm::PreservedAnalyses::all();
  auto& kernel = compilation_.kernels.front();
  hoist_queries(*kernel.body);
  Formula formula;
  if (add_work_of(
          *kernel.body, functions, &kernel.metadata,
          [&](auto& callee) { return called.work_of(callee); }, formula))
    add_symbol(module, formula);
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
