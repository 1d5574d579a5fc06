// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bytes as fractions of 255, which texels of 8-bit normalized formats are.
#pragma once

#include "llvm/IR/PassManager.h"

namespace heddle::compiler {

// With AVX-512: c * 0x1p-8f + c * 0x1.010102p-16f of bytes c of 32-bit elements, that is c / 255
// correctly rounded (builtins/image_decode.h), becomes one multiplication that rounds up,
// (float)(c * 257) * 0x1.0001p-16f. The binary digits of c / 255 are those of c again and again, so
// that what is behind the 24th begins with a one: the nearest float is the next one, if there is a
// rest at all. c * 257 has the byte twice, which the shuffle that extracts it can do.
//
//   c * 0x1p-8f + c * 0x1.010102p-16f            mul_rounded_up(float(c | c << 8), 0x1.0001p-16f)
class RoundByteFractionsPass : public llvm::PassInfoMixin<RoundByteFractionsPass> {
 public:
  static llvm::PreservedAnalyses run(llvm::Function& function,
                                     llvm::FunctionAnalysisManager& analyses);
};

} // namespace heddle::compiler
