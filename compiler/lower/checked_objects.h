// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HEDDLE_CHECK=memory: the program's variables, whose sizes are known: local, program-scope and
// constant ones, and those in private memory.
#pragma once

#include "compiler/ir/compilation.h"
#include "compiler/lower/checked_calls.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

#include <cstdint>
#include <optional>
#include <string>

namespace heddle::compiler {

struct CheckedObject {
  llvm::Value* address;
  std::uint64_t bytes;
  std::string what; // "the local variable 'tile'"
};

// Tells the program's constants and private variables from the library's, which are not checked.
// Before builtins are linked.
void mark_objects(llvm::Module& module);

// The one that all values of the pointer point into, if they do.
std::optional<CheckedObject> find_object(const llvm::Value& pointer, const Kernel& kernel);

// A call that stands for the address of a variable at program scope, so that accesses can be
// attributed to it until the checks are made.
llvm::Value* create_program_variable(llvm::IRBuilderBase& builder, llvm::Value& address,
                                     std::uint64_t offset, std::uint64_t bytes, llvm::Align align);
bool is_program_variable(const llvm::Value& value);
void lower_program_variables(llvm::Module& module);

// Checks of accesses by their offset in an object, which is no address: optimizations of the object
// and its layout do not matter.
//
//   call void @heddle.check_object(i32 STORE, ptr PLACE, ptr OBJECT, i64 %offset, i64 4)
void create_object_check(llvm::IRBuilderBase& builder, CheckCalls& calls, abi::CheckedCall kind,
                         llvm::Constant& place, const CheckedObject& object, llvm::Value& offset,
                         llvm::Value& bytes);
struct ObjectCheck {
  abi::CheckedCall kind;
  llvm::Constant* place;
  llvm::Constant* object; // an abi::CheckedObject
  std::uint64_t object_bytes;
  llvm::Value* offset;
  llvm::Value* bytes;
};
std::optional<ObjectCheck> object_check(const llvm::Instruction& instruction);

} // namespace heddle::compiler
