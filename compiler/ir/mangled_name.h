// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parameter types inside the mangled name of an OpenCL C builtin (Itanium C++ ABI, as Clang
// mangles overloadable functions), and the name of its scalar overload.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace heddle::compiler {

struct MangledType {
  enum class Kind { scalar, named, vector, pointer, qualified };
  Kind kind = Kind::scalar;
  std::string text;                         // scalar: its letters; named: the whole source name;
                                            // qualified: the qualifiers
  unsigned lanes = 0;                       // vector
  std::shared_ptr<const MangledType> inner; // vector, pointer, qualified

  // The encoding without substitutions.
  std::string spelling() const;
};

using MangledTypeRef = std::shared_ptr<const MangledType>;

struct MangledName {
  std::string function;
  std::vector<MangledTypeRef> parameters;

  // Nothing if `name` is not a mangled function name of these types.
  static std::optional<MangledName> parse(llvm::StringRef name);
  std::string mangle() const;
};

// The overload for one component of the vectors of `name`: a vector becomes its component type, a
// pointer to a vector a pointer to a component, and the width in the name of a conversion
// (convert_T4...) is dropped. Nothing if no parameter is a vector or a pointer to one.
std::optional<MangledName> scalar_overload(const MangledName& name);

// The number of components of a vector or of the vector pointed to; 0 for other types.
unsigned vector_lanes(const MangledType& type);

} // namespace heddle::compiler
