// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions with __attribute__((no_sanitize("heddle-race"))) and the like, which checks leave out.
// They are known by their debug information, which instructions keep when they are inlined.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"

namespace heddle::compiler {

// Notes that the checks, as "race,memory", leave out the function.
//
//   !heddle.unchecked = !{!{!DISubprogram(name: "helper", ...), !"race,memory"}}
void add_unchecked_function(llvm::Module& module, llvm::DISubprogram& function,
                            llvm::StringRef checks);

// The checks that leave out the function; empty: none. `function` may be null.
llvm::StringRef unchecked_by(const llvm::Module& module, const llvm::DISubprogram* function);
bool is_unchecked_by(const llvm::Module& module, const llvm::DISubprogram* function,
                     llvm::StringRef check);

} // namespace heddle::compiler
