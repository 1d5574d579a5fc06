// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/specialize_images.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SCCP.h"
#include "llvm/Transforms/Scalar/Scalarizer.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <map>
#include <optional>
#include <tuple>

namespace heddle::compiler {
namespace {

// The first parameter is the image, the second the sampler or the level to write.
constexpr llvm::StringLiteral kAccessPrefix = "__heddle_image_";
constexpr llvm::StringLiteral kRarePrefix = "__heddle_call_image_";

// The functions of OpenCL C, which do nothing but call the ones above.
bool is_wrapper(const llvm::Function& function) {
  const auto name = function.getName();
  return !function.isDeclaration() && name.starts_with("_Z") &&
         (name.contains("read_image") || name.contains("write_image"));
}

llvm::SmallVector<llvm::CallInst*, 8> calls_of(llvm::Function& function) {
  llvm::SmallVector<llvm::CallInst*, 8> calls;
  for (auto* user : function.users())
    if (auto* call = llvm::dyn_cast<llvm::CallInst>(user);
        call != nullptr && call->getCalledFunction() == &function)
      calls.push_back(call);
  return calls;
}

void inline_calls(llvm::Function& function) {
  for (auto* call : calls_of(function)) {
    llvm::InlineFunctionInfo info;
    llvm::InlineFunction(*call, info);
  }
}

// What is known at a call; nothing: unknown.
using Known = std::tuple<std::optional<std::uint32_t>, llvm::ConstantInt*>;

Known known_at(const llvm::CallInst& call) {
  return {known_image_format(*call.getArgOperand(0)),
          llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(1))};
}

void simplify(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SCCPPass());
  passes.addPass(llvm::SimplifyCFGPass());
  passes.addPass(llvm::EarlyCSEPass());
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(llvm::SimplifyCFGPass());
  analyses.invalidate(function, passes.run(function, analyses));
}

// Inlines the calls whose first argument, the coding or the layout, is constant.
bool inline_rare_calls(llvm::Function& function) {
  llvm::SmallVector<llvm::CallInst*, 8> calls;
  for (auto& instruction : llvm::instructions(function))
    if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction))
      if (const auto* callee = call->getCalledFunction();
          callee != nullptr && !callee->isDeclaration() &&
          callee->getName().starts_with(kRarePrefix) &&
          llvm::isa<llvm::Constant>(call->getArgOperand(0)))
        calls.push_back(call);
  for (auto* call : calls) {
    llvm::InlineFunctionInfo info;
    llvm::InlineFunction(*call, info);
  }
  return !calls.empty();
}

llvm::Function& clone_for(llvm::Function& function, const Known& known,
                          llvm::FunctionAnalysisManager& analyses) {
  const auto& [format, sampler] = known;
  llvm::ValueToValueMapTy values;
  auto& clone = *llvm::CloneFunction(&function, values);
  clone.setName("heddle.specialized");
  clone.setLinkage(llvm::GlobalValue::InternalLinkage);
  if (sampler != nullptr)
    clone.getArg(1)->replaceAllUsesWith(sampler);
  fold_descriptor_loads(*clone.getArg(0), format, false);
  simplify(clone, analyses);
  if (format && inline_rare_calls(clone))
    simplify(clone, analyses);
  return clone;
}

} // namespace

bool is_image_access(llvm::StringRef name) { return name.starts_with(kAccessPrefix); }

llvm::PreservedAnalyses SpecializeImagesPass::run(llvm::Module& module,
                                                  llvm::ModuleAnalysisManager& analyses) {
  llvm::SmallVector<llvm::Function*, 8> wrappers, accesses;
  for (auto& function : module)
    if (is_wrapper(function))
      wrappers.push_back(&function);
    else if (is_image_access(function.getName()) && !function.isDeclaration())
      accesses.push_back(&function);
  if (accesses.empty())
    return llvm::PreservedAnalyses::all();
  auto& functions =
      analyses.getResult<llvm::FunctionAnalysisManagerModuleProxy>(module).getManager();
  for (auto* wrapper : wrappers)
    inline_calls(*wrapper);
  for (auto* access : accesses) {
    llvm::MapVector<Known, llvm::SmallVector<llvm::CallInst*, 4>, std::map<Known, unsigned>> calls;
    for (auto* call : calls_of(*access))
      if (const auto known = known_at(*call); known != Known())
        calls[known].push_back(call);
    for (const auto& [known, sites] : calls) {
      auto& clone = clone_for(*access, known, functions);
      for (auto* call : sites)
        call->setCalledFunction(&clone);
    }
  }
  return llvm::PreservedAnalyses::none();
}

llvm::PreservedAnalyses FoldImageDescriptorsPass::run(llvm::Function& function,
                                                      llvm::FunctionAnalysisManager& analyses) {
  bool changes = false;
  for (auto& argument : function.args())
    if (argument.hasAttribute(kImageAttribute)) {
      fold_descriptor_loads(argument, known_image_format(argument), true);
      changes = true;
    }
  if (!changes)
    return llvm::PreservedAnalyses::all();
  // Not loads and stores, whose vectors are texels.
  llvm::ScalarizerPass().run(function, analyses);
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
