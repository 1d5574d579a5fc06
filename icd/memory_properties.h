// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The properties of clCreateBufferWithProperties and clCreateImageWithProperties.
#pragma once

#include "runtime/context/context.h"
#include "runtime/core/result.h"
#include "runtime/memory/external_memory.h"

#include <CL/cl.h>

#include <cstddef>
#include <memory>
#include <vector>

namespace heddle::icd {

struct MemoryProperties {
  std::vector<cl_mem_properties> list; // with its closing zero; empty if there is none
  // Of an external memory handle; 0 without one.
  cl_mem_properties handle_type = 0;
  int file = -1;
  std::vector<ParentRef<Device>> devices; // to which the handle belongs

  bool has_handle() const { return handle_type != 0; }
};

// CL_INVALID_PROPERTY for what is no property of such an object, has no such value or stands there
// twice, for devices without a handle and for several handles; CL_INVALID_DEVICE for devices that
// are not the context's. Does not look at the descriptor.
Result<MemoryProperties> read_memory_properties(const Context& context,
                                                const cl_mem_properties* list, bool of_image);

// Maps the memory of the handle, which it leaves with the program: CL_INVALID_PROPERTY if it cannot
// be mapped, also for writing unless the object is immutable; CL_INVALID_BUFFER_SIZE,
// CL_OUT_OF_HOST_MEMORY.
Result<external_memory::Mapping> map_handle(const MemoryProperties& properties, cl_mem_flags flags,
                                            std::size_t size);
// What the memory object keeps. It takes the descriptor over with `take_file`, once nothing can
// fail.
std::unique_ptr<external_memory::Source> make_source(const MemoryProperties& properties);
void take_file(const MemoryProperties& properties, external_memory::Source& source) noexcept;

} // namespace heddle::icd
