// printf calls as records for the runtime.
#pragma once

#include "llvm/IR/Module.h"

namespace heddle::compiler {

class Build;

// Builds the record of interface/printf_record.h on the stack for each call and hands it to the
// worker. False if an argument has a type that printf cannot take (OpenCL C 6.15.14). Needs
// add_work_item_params.
bool lower_printf(llvm::Module& module, Build& build);

} // namespace heddle::compiler
