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
  llvm::Value* address; // null of an array that is known by its indices
  std::uint64_t bytes;  // or the number of right indices
  std::string what;     // "the local variable 'tile'"
};

// Tells the program's functions, constants and private variables from the library's, which are not
// checked. Before builtins are linked.
void mark_objects(llvm::Module& module);
// Whether accesses in the function to private memory are checked, if it is not inlined: those of
// the program that have private variables or pointers.
bool has_checked_objects(const llvm::Function& function);

// The one that all values of the pointer point into, if they do. `kernel` is the one whose body the
// function is, or null: then, none of local memory and at program scope.
std::optional<CheckedObject> find_object(const llvm::Value& pointer, const Kernel* kernel);
std::optional<CheckedObject> object_at(llvm::Value& address, const Kernel* kernel);
// Its abi::CheckedObject.
llvm::Constant* object_descriptor(CheckCalls& calls, const CheckedObject& object);
// What pointers of unknown origin point into. From the offset on any access is right.
llvm::Constant* any_object_descriptor(CheckCalls& calls);
// 0 if it is not known.
std::uint64_t object_bytes(const llvm::Value& descriptor);
inline constexpr std::uint64_t kOffsetInAnyObject = std::uint64_t{1} << 62U;

// A call that stands for the address of a variable at program scope, so that accesses can be
// attributed to it until the checks are made.
llvm::Value* create_program_variable(llvm::IRBuilderBase& builder, llvm::Value& address,
                                     std::uint64_t offset, std::uint64_t bytes, llvm::Align align);
bool is_program_variable(const llvm::Value& value);
void lower_program_variables(llvm::Module& module);

// Checks of accesses by their offset in an object, which is no address: optimizations of the object
// and its layout do not matter. Of indices, the same.
//
//   call void @heddle.check_object(i32 STORE, ptr PLACE, ptr OBJECT, i64 %offset, i64 4)
void create_object_check(llvm::IRBuilderBase& builder, CheckCalls& calls, abi::CheckedCall kind,
                         llvm::Constant& place, llvm::Value& object, llvm::Value& offset,
                         llvm::Value& bytes);
struct ObjectCheck {
  abi::CheckedCall kind;
  llvm::Constant* place;
  llvm::Value* object;        // an abi::CheckedObject
  std::uint64_t object_bytes; // 0 if the object is no constant
  llvm::Value* offset;
  llvm::Value* bytes;
};
std::optional<ObjectCheck> object_check(const llvm::Instruction& instruction);
bool is_object_check(llvm::StringRef function);

} // namespace heddle::compiler
