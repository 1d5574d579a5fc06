// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/device/spirv.h"

#include "compiler/interface/spirv_words.h"

namespace heddle::device_spirv {

cl_uint newest_minor_version() { return spirv::kNewestMinorVersion; }

} // namespace heddle::device_spirv
