// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/link/known_libraries.h"

#include "compiler/target/elf.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/Twine.h"

namespace heddle::compiler::elf {
namespace {

struct Row {
  LibraryFunction place;
  bool has_float; // and the functions of float, whose names end in f
  llvm::StringLiteral names;
};

// The first row that names a function counts. Versions are those in which glibc got it; other
// architectures came later (elf::kArchitecture).
constexpr Row kRows[] = {
    {{"libc.so.6", "GLIBC_2.14"}, false, "memcpy"},
    {{"libc.so.6", "GLIBC_2.2.5"}, false, "memmove memset memcmp bcmp sched_yield"},
    {{"libm.so.6", "GLIBC_2.25"}, true, "roundeven"},
    {{"libm.so.6", "GLIBC_2.27"}, false, "expf exp2f logf log2f powf"},
    {{"libm.so.6", "GLIBC_2.29"}, false, "exp exp2 log log2 pow"},
    {{"libm.so.6", "GLIBC_2.2.5"},
     true,
     "acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp10 expm1 fabs "
     "fdim floor fma fmax fmin fmod frexp hypot ilogb ldexp lgamma llrint llround log10 log1p logb "
     "lrint lround modf nan nearbyint nextafter remainder remquo rint round scalbn sin sincos sinh "
     "sqrt tan tanh tgamma trunc"},
    {{"libm.so.6", "GLIBC_2.2.5"}, false, "lgamma_r lgammaf_r"},
};

llvm::StringMap<LibraryFunction> all_functions() {
  llvm::StringMap<LibraryFunction> functions;
  for (const auto& row : kRows) {
    llvm::SmallVector<llvm::StringRef, 64> names;
    llvm::StringRef(row.names).split(names, ' ');
    for (const auto name : names) {
      functions.try_emplace(name, row.place);
      if (row.has_float)
        functions.try_emplace((name + "f").str(), row.place);
    }
  }
  return functions;
}

} // namespace

std::optional<LibraryFunction> find_library_function(llvm::StringRef name) {
  static const auto functions = all_functions();
  const auto found = functions.find(name);
  if (found == functions.end())
    return std::nullopt;
  auto place = found->second;
  if (place.version.compare_numeric(kArchitecture.oldest_glibc) < 0)
    place.version = kArchitecture.oldest_glibc;
  return place;
}

} // namespace heddle::compiler::elf
