// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of a loaded program, for launches that may enqueue others of them.
#pragma once

#include "compiler/interface/kernel_abi.h"
#include "compiler/interface/metadata.h"
#include "runtime/core/object.h"

#include <cstddef>
#include <cstdint>

namespace heddle {

class KernelTable : public Object {
 public:
  struct Entry {
    abi::KernelFunction function = nullptr; // null: there is no such kernel
    const KernelMetadata* metadata = nullptr;
  };
  // By index in ProgramMetadata::kernels. Called by running kernels, from any thread.
  virtual Entry kernel_at(std::uint64_t index) const noexcept = 0;
  // The block of program-scope variables, or null.
  virtual std::byte* program_scope() const noexcept = 0;
  // A kernel has faulted, perhaps while it initialized an object that is static in a function: lets
  // others try, who would wait for it otherwise.
  virtual void unlock_static_objects() const noexcept = 0;

 protected:
  using Object::Object;
};

} // namespace heddle
