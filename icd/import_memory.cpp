// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buffers of memory that others have made (cl_arm_import_memory, of the host and of dma_buf).
#include "icd/arguments.h"
#include "icd/entry_points.h"
#include "runtime/core/page_bytes.h"
#include "runtime/device/limits.h"
#include "runtime/memory/memory.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <sys/mman.h>
#include <utility>

using namespace heddle;
using namespace heddle::icd;

namespace {

// CL_INVALID_PROPERTY for names and values that are not known, stand there twice or do not go
// together.
cl_int read_properties(const cl_import_properties_arm* list, bool& is_dma_buf) {
  bool has_type = false;
  bool has_consistency = false;
  for (; list && *list; list += 2) {
    switch (list[0]) {
    case CL_IMPORT_TYPE_ARM:
      if (has_type || (list[1] != CL_IMPORT_TYPE_HOST_ARM && list[1] != CL_IMPORT_TYPE_DMA_BUF_ARM))
        return CL_INVALID_PROPERTY;
      has_type = true;
      is_dma_buf = list[1] == CL_IMPORT_TYPE_DMA_BUF_ARM;
      break;
    // The processor's caches see what devices write, so that there is nothing to do for it.
    case CL_IMPORT_DMA_BUF_DATA_CONSISTENCY_WITH_HOST_ARM:
      if (has_consistency || (list[1] != CL_FALSE && list[1] != CL_TRUE))
        return CL_INVALID_PROPERTY;
      has_consistency = true;
      break;
    default:
      return CL_INVALID_PROPERTY;
    }
  }
  return has_consistency && !is_dma_buf ? CL_INVALID_PROPERTY : CL_SUCCESS;
}

// CL_INVALID_VALUE for flags that do not exist or exclude each other.
cl_int check_import_flags(cl_mem_flags flags) {
  constexpr cl_mem_flags kAccess = CL_MEM_READ_WRITE | CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY;
  constexpr cl_mem_flags kHost =
      CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS;
  return (flags & ~(kAccess | kHost | CL_MEM_USE_HOST_PTR)) || std::popcount(flags & kAccess) > 1 ||
                 std::popcount(flags & kHost) > 1
             ? CL_INVALID_VALUE
             : CL_SUCCESS;
}

// Whether all pages are mapped, used yet or not.
bool is_mapped(const void* memory, size_t size) {
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  if (size > SIZE_MAX - address)
    return false;
  const std::uintptr_t page_size = page_bytes();
  auto page = address / page_size * page_size;
  const auto end = address + size;
  unsigned char present[1024];
  while (page < end) {
    const auto bytes = std::min(end - page, sizeof present * page_size);
    if (mincore(reinterpret_cast<void*>(page), bytes, present) != 0 && errno == ENOMEM)
      return false;
    page += sizeof present * page_size;
  }
  return true;
}

// A buffer over the file that `memory` has the descriptor of, which need not stay open.
Result<Ref<Memory>> import_dma_buf(Context& context, cl_mem_flags flags, const void* memory,
                                   size_t size) {
  int file = -1;
  std::memcpy(&file, memory, sizeof file);
  auto mapping = external_memory::Mapping::make(file, size, true);
  if (mapping && !*mapping) {
    // What the file allows takes precedence over the flags.
    mapping = external_memory::Mapping::make(file, size, false);
    flags = (flags & ~static_cast<cl_mem_flags>(CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY)) |
            CL_MEM_READ_ONLY;
  }
  if (!mapping)
    return mapping.error();
  if (!*mapping)
    return CL_INVALID_VALUE;
  return Memory::make_imported(context, flags, std::move(**mapping), {}, nullptr);
}

} // namespace

// CL_INVALID_CONTEXT, CL_INVALID_VALUE, CL_INVALID_BUFFER_SIZE, CL_INVALID_PROPERTY,
// CL_INVALID_OPERATION (pages of the host's that are not mapped), CL_OUT_OF_HOST_MEMORY.
cl_mem CL_API_CALL clImportMemoryARM(cl_context context, cl_mem_flags flags,
                                     const cl_import_properties_arm* properties, void* memory,
                                     size_t size, cl_int* errcode_ret) {
  return guarded_create<cl_mem>(errcode_ret, [&]() -> Result<cl_mem> {
    auto* owner = find<Context>(context);
    if (const auto error = check_context(owner))
      return error;
    if (const auto error = check_import_flags(flags))
      return error;
    if (size == 0 || size > limits::allocation_bytes())
      return CL_INVALID_BUFFER_SIZE;
    bool is_dma_buf = false;
    if (const auto error = read_properties(properties, is_dma_buf))
      return error;
    if (!memory)
      return CL_INVALID_VALUE;
    flags &= ~static_cast<cl_mem_flags>(CL_MEM_USE_HOST_PTR);
    if (!is_dma_buf && !is_mapped(memory, size))
      return CL_INVALID_OPERATION;
    auto made = is_dma_buf ? import_dma_buf(*owner, flags, memory, size)
                           : Memory::make_imported(*owner, flags, memory, size);
    if (!made)
      return made.error();
    return give_to_user<cl_mem>(std::move(*made));
  });
}
