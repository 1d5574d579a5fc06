// cl_program (OpenCL API 5.8).
#pragma once

#include "runtime/context/context.h"
#include "runtime/core/object.h"

namespace heddle {

class Program final : public Object {
 public:
  static constexpr Kind kKind = Kind::program;
};

} // namespace heddle
