// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/link_builtins.h"

#include "compiler/embed/builtin_pack.h"
#include "compiler/embed/embedded.h"
#include "compiler/ir/end_kernel.h"
#include "compiler/ir/subgroup_intrinsics.h"
#include "compiler/lower/builtin_local_memory.h"
#include "compiler/lower/checked_objects.h"
#include "compiler/lower/expand_vector_builtins.h"
#include "compiler/lower/insert_memory_checks.h"
#include "compiler/lower/lower_assertions.h"
#include "compiler/lower/lower_barriers.h"
#include "compiler/lower/lower_collective_buffers.h"
#include "compiler/lower/lower_device_enqueue.h"
#include "compiler/lower/lower_index_checks.h"
#include "compiler/lower/lower_target_ext_types.h"
#include "compiler/lower/lower_work_item_queries.h"
#include "compiler/lower/widen_vector_builtins.h"
#include "compiler/support/build.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

namespace heddle::compiler {
namespace {

// Whether it is a declaration that needs a definition.
bool is_wanted(const llvm::GlobalValue& value) {
  return value.isDeclaration() && !value.use_empty() && !value.getName().starts_with("llvm.") &&
         !is_lowered_by_compiler(value.getName());
}

// Renames functions of the program with the name of a library function, or of an external function
// that the library uses.
void rename_clashes(llvm::Module& module, const BuiltinPack& library) {
  for (auto& value : module.global_values())
    if (!value.isDeclaration() && library.find(value.getName()))
      value.setName(value.getName() + ".cl");
}

// The parts of the library with definitions that the module needs.
llvm::SmallSetVector<std::uint32_t, 16> wanted_parts(const llvm::Module& module,
                                                     const BuiltinPack& library) {
  llvm::SmallSetVector<std::uint32_t, 16> parts;
  for (const auto& value : module.global_values())
    if (is_wanted(value))
      if (const auto part = library.find(value.getName()); part && *part != kExternalPart)
        parts.insert(*part);
  return parts;
}

// Code generation calls these by name, late, on CPUs without conversions of halves: they are linked
// and kept whenever the program uses halves.
constexpr llvm::StringLiteral kHalfRuntime[] = {"__extendhfsf2", "__truncsfhf2", "__truncdfhf2"};

bool uses_half(const llvm::Module& module) {
  const auto is_half = [](const llvm::Value& value) {
    return value.getType()->getScalarType()->isHalfTy();
  };
  for (const auto& function : module)
    for (const auto& instruction : llvm::instructions(function))
      if (is_half(instruction) ||
          llvm::any_of(instruction.operands(), [&](const auto& use) { return is_half(*use); }))
        return true;
  return false;
}

void want_half_runtime(llvm::Module& module, const BuiltinPack& library) {
  auto* half = llvm::Type::getHalfTy(module.getContext());
  auto* single = llvm::Type::getFloatTy(module.getContext());
  auto* wide = llvm::Type::getDoubleTy(module.getContext());
  const std::pair<llvm::Type*, llvm::Type*> types[] = {
      {single, half}, {half, single}, {half, wide}};
  llvm::SmallVector<llvm::GlobalValue*, 4> kept;
  for (unsigned i = 0; i < std::size(kHalfRuntime); ++i)
    if (library.defines(kHalfRuntime[i])) {
      auto callee = module.getOrInsertFunction(
          kHalfRuntime[i], llvm::FunctionType::get(types[i].first, {types[i].second}, false));
      kept.push_back(llvm::cast<llvm::Function>(callee.getCallee()));
    }
  llvm::appendToCompilerUsed(module, kept);
}

std::string caller_of(const llvm::Function& function) {
  for (const auto* user : function.users())
    if (const auto* instruction = llvm::dyn_cast<llvm::Instruction>(user)) {
      auto name = instruction->getFunction()->getName();
      name.consume_front("__clang_ocl_kern_imp_");
      return llvm::demangle(name);
    }
  return {};
}

bool report_undefined(const llvm::Module& module, const BuiltinPack& library, Build& build) {
  bool ok = true;
  for (const auto& function : module) {
    if (!is_wanted(function) || library.find(function.getName()))
      continue;
    const auto caller = caller_of(function);
    ok = build.error("undefined function '" + llvm::demangle(function.getName()) + "'" +
                     (caller.empty() ? "" : " called from '" + caller + "'"));
  }
  for (const auto& variable : module.globals())
    if (is_wanted(variable) && !library.find(variable.getName()))
      ok = build.error("undefined variable '" + variable.getName() + "'");
  return ok;
}

bool link_part(llvm::Linker& linker, llvm::StringRef bitcode, Build& build) {
  auto part =
      llvm::getLazyBitcodeModule(llvm::MemoryBufferRef(bitcode, "builtins"), build.context, true);
  if (!part)
    return build.error("the builtin library cannot be read: " + llvm::toString(part.takeError()));
  if (linker.linkInModule(std::move(*part), llvm::Linker::LinkOnlyNeeded))
    return build.error("the builtin library cannot be linked");
  return true;
}

} // namespace

bool is_lowered_by_compiler(llvm::StringRef name) {
  return name == "printf" || name == kEndKernelFunction || is_assertion_function(name) ||
         is_work_item_query(name) || is_barrier(name) || is_builtin_local_memory(name) ||
         is_collective_buffer_index(name) || is_subgroup_intrinsic(name) ||
         is_image_conversion(name) || is_device_enqueue(name) || name == kCheckFunction ||
         name == kIndexHandler || is_object_check(name);
}

bool resolve_builtins(llvm::Module& module, Build& build) {
  const BuiltinPack library(embedded::builtins_pack());
  rename_clashes(module, library);
  expand_vector_builtins(module, [&](llvm::StringRef name) { return library.defines(name); });
  // What the library defines is complete in itself.
  return report_undefined(module, library, build);
}

static bool link_builtins(llvm::Module& module, Build& build, const TargetInfo& target) {
  const BuiltinPack library(embedded::builtins_pack());
  rename_clashes(module, library);
  llvm::Linker linker(module);
  bool half_runtime_wanted = false;
  for (;;) {
    // Library functions may call vector overloads, which are expanded once they are linked.
    expand_vector_builtins(module, [&](llvm::StringRef name) { return library.defines(name); });
    if (!target.has_half_conversions && !half_runtime_wanted && uses_half(module)) {
      half_runtime_wanted = true;
      want_half_runtime(module, library);
    }
    const auto parts = wanted_parts(module, library);
    if (parts.empty())
      break;
    for (const auto part : parts)
      if (!link_part(linker, library.part(part), build))
        return false;
  }
  widen_vector_builtins(module, target.vector_bits);
  return report_undefined(module, library, build);
}

llvm::PreservedAnalyses LinkBuiltinsPass::run(llvm::Module& module,
                                              llvm::ModuleAnalysisManager& /*analyses*/) {
  link_builtins(module, compilation_.build, compilation_.target_info);
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
