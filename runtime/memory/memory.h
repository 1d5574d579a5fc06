// cl_mem: buffers and sub-buffers (OpenCL API 5.2).
#pragma once

#include "runtime/context/context.h"
#include "runtime/core/object.h"
#include "runtime/core/result.h"

#include <CL/cl.h>

#include <cstddef>
#include <vector>

namespace heddle {

class Memory : public Object {
 public:
  static constexpr Kind kKind = Kind::memory;

  Context& context() const;
  Memory* parent() const; // of a sub-buffer, else null
  cl_mem_flags flags() const;
  std::byte*
  data() const; // where kernels and the host see the contents (one place: the device is the host)
  std::size_t size() const; // in bytes
};

} // namespace heddle
