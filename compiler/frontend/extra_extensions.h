// Extensions that the device has and Clang does not know: it neither defines their macros nor
// declares their functions (extra_builtins.h does), and would take their pragmas for mistakes.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace clang {
class Preprocessor;
}

namespace heddle::compiler {

// Adds Clang's options for those among the device's extensions, whose names spaces separate.
void add_extra_extensions(llvm::StringRef names, std::vector<std::string>& words);

// Keeps Clang from warning of pragmas that name them; other unknown names stay warnings.
void accept_extra_pragmas(clang::Preprocessor& preprocessor, llvm::StringRef names);

} // namespace heddle::compiler
