// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stops a parse that exceeds the limits of the build.
#pragma once

namespace clang {
class Preprocessor;
}

namespace heddle::compiler {

class Build;

// Once a limit is exceeded, the parser sees the end of the file, and the build fails with a message
// that names the limit.
void watch_limits(clang::Preprocessor& preprocessor, Build& build);

} // namespace heddle::compiler
