// Object file to shared object, with LLD in this process and in memory.
#pragma once

#include "llvm/ADT/ArrayRef.h"

#include <vector>

namespace heddle::compiler {

class Build;

// Links one object file to a shared object that needs nothing but the C and maths libraries. False
// with LLD's message in the log if that failed. LLD has global state: one link runs at a time.
bool link_shared_object(llvm::ArrayRef<char> object, Build& build, std::vector<std::byte>& output);

// For a request that is left in the middle of a link on this thread: lets others link.
void release_linker_after_fatal_error();

} // namespace heddle::compiler
