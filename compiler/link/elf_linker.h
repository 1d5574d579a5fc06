// Object file to shared object, with LLD in this process and in memory.
#pragma once

#include "llvm/ADT/ArrayRef.h"

#include <vector>

namespace heddle::compiler {

class Build;

// Links one object file to a shared object that needs nothing but the C and maths libraries. False
// with LLD's message in the log if that failed. LLD has global state: one link runs at a time. A
// request may be left by a jump in the middle; others can link when its thread has ended.
bool link_shared_object(llvm::ArrayRef<char> object, Build& build, std::vector<std::byte>& output);

} // namespace heddle::compiler
