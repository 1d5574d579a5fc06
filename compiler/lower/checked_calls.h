// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of kCheckFunction, and the async copies that checks look at.
#pragma once

#include "compiler/interface/check_record.h"
#include "compiler/support/source_place.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

#include <cstdint>
#include <optional>

namespace heddle::compiler {

inline constexpr const char* kCheckFunction = "__heddle_check";

struct CheckedCopy {
  abi::CheckedCall call;
  std::uint64_t element_bytes; // of a typed copy; else 0
};

// Whether calls of this declaration are async copies.
std::optional<CheckedCopy> checked_copy(const llvm::Function& function);

// The operands of a call of kCheckFunction: what is called, and where; the others depend on it.
inline constexpr unsigned kCheckedCall = 0, kCheckedPlace = 1, kCheckedPointer = 2,
                          kCheckedBytes = 3, kCheckedOrder = 4, kCheckedCopy = 5;
abi::CheckedCall checked_call(const llvm::CallInst& check);

// kCheckFunction, declared if it is not.
llvm::FunctionCallee check_function(llvm::Module& module);

// Inserts calls of kCheckFunction. Equal texts are one constant.
class CheckCalls {
 public:
  explicit CheckCalls(llvm::Module& module);

  // The place is that of `before`, or of the call once everything is inlined.
  enum class Place : std::uint8_t { here, of_inlined_call };
  void insert(abi::CheckedCall what, llvm::ArrayRef<llvm::Value*> operands,
              llvm::Instruction& before, Place place = Place::here);
  void insert(abi::CheckedCall what, llvm::Value& place, llvm::ArrayRef<llvm::Value*> operands,
              llvm::Instruction& before);
  llvm::Constant* text(const std::string& text);
  // The text of abi::CheckHeader::place.
  llvm::Constant* place(const llvm::Instruction& instruction);
  llvm::Module& module() const { return module_; }

 private:
  llvm::Module& module_;
  llvm::FunctionCallee function_;
  llvm::StringMap<llvm::Constant*> texts_;
};

} // namespace heddle::compiler
