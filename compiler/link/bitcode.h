// Program objects and libraries between requests: LLVM bitcode.
#pragma once

#include "llvm/IR/Module.h"

#include <memory>
#include <vector>

namespace heddle::compiler {

class Build;

enum class BitcodeStatus { ok, not_bitcode, failed };

// Links the request's inputs to one module. Duplicate definitions are failures that are named in
// the log.
BitcodeStatus link_inputs(Build& build, std::unique_ptr<llvm::Module>& module);

void write_bitcode(const llvm::Module& module, std::vector<std::byte>& output);

} // namespace heddle::compiler
