// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Program objects and libraries between requests, as LLVM bitcode.
#pragma once

#include "llvm/IR/Module.h"

#include <memory>
#include <vector>

namespace heddle::compiler {

class Build;

enum class BitcodeStatus { ok, not_bitcode, failed };

// Links the request's inputs into one module. Duplicate definitions are errors that name the
// symbol.
BitcodeStatus link_inputs(Build& build, std::unique_ptr<llvm::Module>& module);

void write_bitcode(const llvm::Module& module, std::vector<std::byte>& output);

} // namespace heddle::compiler
