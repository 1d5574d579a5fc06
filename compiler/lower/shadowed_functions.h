// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HEDDLE_CHECK=uninitialized: functions of the program that are not inlined take and return shadows
// (shadow_values.h) beside their values, so that these are followed in each lane of their vector
// forms, too.
//
//   define i32 @f(i32 %x, ptr %group, ...)
//   define { i32, i32 } @f(i32 %x, i32 %x.shadow, ptr %group, ...)
#pragma once

#include "compiler/ir/compilation.h"
#include "compiler/lower/shadow_values.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Module.h"

namespace heddle::compiler {

// Metadata of what the program itself does (MarkProgramCodePass).
inline constexpr llvm::StringLiteral kProgram = "heddle.program";
// Whether the function has such code.
bool has_program_code(const llvm::Function& function);

class ShadowedFunctions {
 public:
  // Replaces these functions and their calls. Until the calls get shadows, they pass zeros; the
  // functions' return instructions still have the values alone.
  ShadowedFunctions(llvm::Module& module, Compilation& compilation);

  // Tells the values that the function's arguments have shadows.
  void add_arguments(llvm::Function& function, ShadowValues& values) const;
  // Passes the shadows of a call's arguments, and tells the values that its result has one. False:
  // it is no call of such a function.
  bool pass(llvm::CallInst& call, ShadowValues& values) const;
  // Returns the shadow, too, where the function does so.
  void complete(llvm::ReturnInst& end, const ShadowValues& values) const;

 private:
  struct Signature {
    // Of each parameter, the number of the one that is its shadow; 0: it has none.
    llvm::SmallVector<unsigned, 8> shadows;
    bool has_result = false;
  };
  static Signature signature_of(const llvm::Function& function, const ShadowValues& values);
  void replace(llvm::Function& old, const Signature& signature, const ShadowValues& values);

  llvm::DenseMap<const llvm::Function*, Signature> signatures_;
};

} // namespace heddle::compiler
