// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What translators say of kernels' arguments in strings: "kernel_arg_type.KERNEL.float*,int,".
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

namespace heddle::compiler::spirv {

// Notes the string for lookups of "kernel_arg_type.KERNEL", if it is such a one. Names of kernels
// may have dots in them, and so may those of types.
void note_argument_words(llvm::StringRef text, llvm::StringMap<llvm::StringRef>& texts);

// The words of a list such as "float*,Pair<int, int>*,"; nothing if there are not `count` of them.
llvm::SmallVector<llvm::StringRef, 8> split_words(llvm::StringRef list, std::size_t count);

} // namespace heddle::compiler::spirv
