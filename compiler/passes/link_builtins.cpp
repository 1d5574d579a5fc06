#include "compiler/passes/link_builtins.h"

#include "compiler/embed/embedded.h"
#include "compiler/passes/expand_vector_builtins.h"
#include "compiler/passes/lower_barriers.h"
#include "compiler/passes/lower_work_item_functions.h"
#include "compiler/support/build.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Linker/Linker.h"

namespace heddle::compiler {
namespace {

std::unique_ptr<llvm::Module> open_library(Build& build) {
  auto library = llvm::getLazyBitcodeModule(
      llvm::MemoryBufferRef(embedded::builtins_bitcode(), "builtins"), build.context, true);
  if (!library) {
    build.error("the builtin library cannot be read: " + llvm::toString(library.takeError()));
    return nullptr;
  }
  return std::move(*library);
}

bool has_undefined(const llvm::Module& module, const llvm::StringSet<>& external) {
  return llvm::any_of(module, [&](const llvm::Function& function) {
    return function.isDeclaration() && !function.isIntrinsic() && !function.use_empty() &&
           !is_lowered_by_compiler(function.getName()) && !external.contains(function.getName());
  });
}

// A function of the program that has the name of one of the library's functions, or of an external
// one that the library uses, is not to be taken for it.
void rename_clashes(llvm::Module& module, const llvm::Module& library) {
  for (auto& function : module)
    if (!function.isDeclaration() && library.getFunction(function.getName()) != nullptr)
      function.setName(function.getName() + ".cl");
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

bool report_undefined(const llvm::Module& module, const llvm::StringSet<>& external, Build& build) {
  bool ok = true;
  for (const auto& function : module) {
    if (!function.isDeclaration() || function.isIntrinsic() || function.use_empty() ||
        is_lowered_by_compiler(function.getName()) || external.contains(function.getName()))
      continue;
    const auto caller = caller_of(function);
    ok = build.error("undefined function '" + llvm::demangle(function.getName()) + "'" +
                     (caller.empty() ? "" : " called from '" + caller + "'"));
  }
  for (const auto& variable : module.globals())
    if (variable.isDeclaration() && !variable.use_empty())
      ok = build.error("undefined variable '" + variable.getName() + "'");
  return ok;
}

} // namespace

bool is_lowered_by_compiler(llvm::StringRef name) {
  return name == "printf" || is_work_item_function(name) || is_barrier(name);
}

bool link_builtins(llvm::Module& module, Build& build) {
  llvm::StringSet<> external; // libm's functions, which the library declares
  bool first = true;
  // The library may itself call vector overloads, which are expanded once they are linked.
  for (int round = 0; round < 8; ++round) {
    if (!first && !has_undefined(module, external))
      break;
    auto library = open_library(build);
    if (!library)
      return false;
    build.timer.mark("open-builtins");
    if (first) {
      rename_clashes(module, *library);
      for (const auto& function : *library)
        if (function.isDeclaration() && !function.isIntrinsic() &&
            !function.getName().starts_with("_Z"))
          external.insert(function.getName());
      first = false;
    }
    const auto is_in_library = [&](llvm::StringRef name) {
      const auto* function = library->getFunction(name);
      return function != nullptr && (!function->isDeclaration() || function->isMaterializable());
    };
    expand_vector_builtins(module, is_in_library);
    bool needed = false;
    for (const auto& function : module)
      needed |=
          function.isDeclaration() && !function.use_empty() && is_in_library(function.getName());
    if (!needed)
      break;
    library->setModuleIdentifier("builtins");
    if (llvm::Linker::linkModules(module, std::move(library), llvm::Linker::LinkOnlyNeeded))
      return build.error("the builtin library cannot be linked");
    build.timer.mark("link-builtins");
  }
  if (!report_undefined(module, external, build))
    return false;
  for (auto& global : module.global_objects())
    if (!global.isDeclaration() && !global.hasAppendingLinkage())
      global.setLinkage(llvm::GlobalValue::InternalLinkage);
  return true;
}

} // namespace heddle::compiler
