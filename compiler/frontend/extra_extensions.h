// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Extensions of the device that Clang does not know: it neither defines their macros nor declares
// their functions (builtins/extra_builtins.h does), and warns of their pragmas.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace clang {
class Preprocessor;
}

namespace heddle::compiler {

class Build;

// Adds Clang's options for those among `names`, which are separated by spaces.
void add_extra_extensions(const Build& build, llvm::StringRef names,
                          std::vector<std::string>& words);

// Suppresses warnings of pragmas that name them; other unknown names are still warned of.
void accept_extra_pragmas(clang::Preprocessor& preprocessor, llvm::StringRef names);

} // namespace heddle::compiler
