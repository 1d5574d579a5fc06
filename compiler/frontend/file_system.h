// The files a compilation sees: the built-in header and the program's headers in memory, and behind
// them the real file system for -I.
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
