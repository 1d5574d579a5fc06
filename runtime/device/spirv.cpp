// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/device/spirv.h"

#include "compiler/interface/spirv_support.h"
#include "compiler/interface/spirv_words.h"

namespace heddle::device_spirv {

cl_uint newest_minor_version() { return spirv::kNewestMinorVersion; }
std::span<const char* const> instruction_sets() { return spirv::kInstructionSets; }
std::span<const char* const> extensions() { return spirv::kExtensions; }
std::span<const cl_uint> capabilities() { return spirv::kCapabilities; }

} // namespace heddle::device_spirv
