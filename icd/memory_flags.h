// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The flags of memory objects (OpenCL API 5.2.1).
#pragma once

#include "runtime/memory/memory.h"

#include <CL/cl.h>

#include <bit>

namespace heddle::icd {

inline constexpr cl_mem_flags kAccess = CL_MEM_READ_WRITE | CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY;
inline constexpr cl_mem_flags kHostPointer =
    CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR;
inline constexpr cl_mem_flags kHostAccess =
    CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS;

// What an immutable memory object cannot be, too.
inline constexpr cl_mem_flags kMutable =
    CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_HOST_WRITE_ONLY;

// CL_INVALID_VALUE for unknown and mutually exclusive flags, and for an immutable object without
// contents: `has_contents` if it is made from another object or from external memory.
inline cl_int check_flags(cl_mem_flags flags, bool has_contents = false) {
  if (flags & ~(kAccess | kHostPointer | kHostAccess | kImmutable))
    return CL_INVALID_VALUE;
  if ((flags & kImmutable) &&
      ((flags & kMutable) ||
       (!has_contents && !(flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)))))
    return CL_INVALID_VALUE;
  if (std::popcount(flags & kAccess) > 1 || std::popcount(flags & kHostAccess) > 1)
    return CL_INVALID_VALUE;
  if ((flags & CL_MEM_USE_HOST_PTR) && (flags & kHostPointer) != CL_MEM_USE_HOST_PTR)
    return CL_INVALID_VALUE;
  return CL_SUCCESS;
}

// The same for an object made from another one: CL_INVALID_VALUE also for flags that allow more
// than the parent's.
inline cl_int check_child_flags(cl_mem_flags parent, cl_mem_flags flags) {
  if (flags & kHostPointer)
    return CL_INVALID_VALUE;
  if (const auto error = check_flags(flags, true))
    return error;
  if ((parent & kImmutable) && (flags & kMutable))
    return CL_INVALID_VALUE;
  const auto access = flags & kAccess;
  const auto parent_access = parent & (CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY);
  if (access && parent_access && access != parent_access)
    return CL_INVALID_VALUE;
  const auto host = flags & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY);
  const auto parent_host = parent & kHostAccess;
  return host && parent_host && host != parent_host ? CL_INVALID_VALUE : CL_SUCCESS;
}

// The flags of the child: those that are not specified are the parent's. What is immutable stays
// so.
inline cl_mem_flags inherit_flags(cl_mem_flags parent, cl_mem_flags flags) {
  flags |= parent & (kHostPointer | kImmutable);
  if (!(flags & (kAccess | kImmutable)))
    flags |= parent & kAccess;
  if (!(flags & kHostAccess))
    flags |= parent & kHostAccess;
  return flags;
}

} // namespace heddle::icd
