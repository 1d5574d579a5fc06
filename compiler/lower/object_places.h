// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HEDDLE_CHECK=memory: where in the program's variables pointers point.
#pragma once

#include "compiler/ir/kernel.h"
#include "compiler/lower/checked_calls.h"
#include "compiler/lower/checked_objects.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

#include <cstdint>
#include <optional>

namespace heddle::compiler {

struct ObjectPlace {
  llvm::Value* object; // an abi::CheckedObject
  llvm::Value* offset; // in it, an i64
};

// The parameters, or members of the result, behind a pointer that functions take or return
// (pass_object_places.h): the object's number of the one; the offset's is the next.
void set_places(llvm::Argument& pointer, unsigned object);
void set_result_place(llvm::Function& function);
bool has_result_place(const llvm::Function& function);

// Adds instructions that compute them beside the pointers of a function, also of those that point
// to one variable or another, that are passed by a caller, or returned by a callee.
class ObjectPlaces {
 public:
  // `kernel`: the one whose body the function is, or null.
  ObjectPlaces(llvm::Function& function, const Kernel* kernel, CheckCalls& calls);

  // Null: none of its objects is known.
  std::optional<ObjectPlace> of(llvm::Value& pointer);
  // The same, in unknown memory.
  ObjectPlace any() const;
  // Those that have no users.
  void remove_unused();

 private:
  std::optional<ObjectPlace> known_root(llvm::Value& root);
  // The object of all values of the pointer; null: there are several, or it is not known.
  llvm::Value* only_object(llvm::Value& pointer);
  ObjectPlace make(llvm::Value& pointer);
  ObjectPlace make_new(llvm::Value& pointer);
  ObjectPlace make_phi(llvm::PHINode& phi);
  ObjectPlace make_select(llvm::SelectInst& select);
  llvm::Value* make_offset(llvm::GEPOperator& element, llvm::Value& base);

  const llvm::DataLayout& layout_;
  llvm::Type* const word_;
  const Kernel* const kernel_;
  CheckCalls& calls_;
  llvm::DenseMap<const llvm::Value*, ObjectPlace> places_;
  llvm::DenseMap<const llvm::Value*, std::optional<ObjectPlace>> roots_;
};

} // namespace heddle::compiler
