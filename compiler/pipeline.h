// The way of one request through front end, passes, code generation and linking.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <cstddef>
#include <vector>

namespace llvm {
class Module;
}

namespace heddle::compiler {

class Build;

enum class Outcome { ok, failed, invalid_input };

// Called after each named stage with the module as it is then; for tests of passes.
using StageObserver = llvm::function_ref<void(llvm::StringRef stage, const llvm::Module& module)>;

// Works the request off: `output` is bitcode or an ELF shared object; build.metadata is complete
// for the latter.
Outcome run_pipeline(Build& build, std::vector<std::byte>& output, StageObserver observe = {});

} // namespace heddle::compiler
