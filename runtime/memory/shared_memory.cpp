// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/memory/shared_memory.h"

#include "runtime/allocation/storage.h"

#include <algorithm>
#include <new>

namespace heddle::shared_memory {

void* allocate(Context& context, AllocationKind kind, std::size_t size, std::size_t alignment,
               Device* device, cl_bitfield flags, HostWrites writes, SvmProperties svm) {
  alignment = std::max(alignment, storage::kAlignment);
  auto* data = writes == HostWrites::by_commands ? storage::allocate_unwritten(size, alignment)
                                                 : storage::allocate_zeroed(size, alignment);
  if (!data)
    return nullptr;
  try {
    context.allocations().add({data, size, kind, device, flags, svm});
  } catch (const std::bad_alloc&) {
    storage::free(data, size);
    throw;
  }
  return data;
}

} // namespace heddle::shared_memory
