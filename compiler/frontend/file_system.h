// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The files that a compilation sees: the builtin header and the program's headers in memory, on top
// of the real file system for -I.
#pragma once

#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/Support/VirtualFileSystem.h"

namespace heddle::compiler {

class Build;

inline constexpr const char* kBuiltinHeaderDirectory = "/heddle-internal/include";
// builtins/extra_builtins.h.
inline constexpr const char* kExtraBuiltinsPath = "/heddle-internal/include/extra_builtins.h";
inline constexpr const char* kProgramHeaderDirectory = "/heddle-internal/headers";

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> make_file_system(const Build& build);

} // namespace heddle::compiler
