// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The builtin library as native code, its functions found by their mangled names.
#pragma once

#include <string>

namespace heddle::test {

// Names of the two builds: for any processor, and with instructions for halves.
inline constexpr const char* kBuilds[] = {NATIVE_BUILDS};

// Whether this machine can run the build.
bool can_run(const std::string& build);

// The address of OpenCL function `name` with mangled parameters, e.g. ("max", "ff"). Fails the
// calling test and returns nullptr if the library does not have it.
void* find_builtin(const std::string& build, const std::string& name,
                   const std::string& parameters);

// The address of an unmangled function.
void* find_symbol(const std::string& build, const std::string& symbol);

template <typename Function>
Function* builtin(const std::string& build, const std::string& name,
                  const std::string& parameters) {
  return reinterpret_cast<Function*>(find_builtin(build, name, parameters));
}

// The mangled name of a parameter type.
template <typename T>
inline constexpr const char* kMangled = nullptr;
template <>
inline constexpr const char* kMangled<signed char> = "c";
template <>
inline constexpr const char* kMangled<unsigned char> = "h";
template <>
inline constexpr const char* kMangled<short> = "s";
template <>
inline constexpr const char* kMangled<unsigned short> = "t";
template <>
inline constexpr const char* kMangled<int> = "i";
template <>
inline constexpr const char* kMangled<unsigned> = "j";
template <>
inline constexpr const char* kMangled<long> = "l";
template <>
inline constexpr const char* kMangled<unsigned long> = "m";
template <>
inline constexpr const char* kMangled<_Float16> = "Dh";
template <>
inline constexpr const char* kMangled<float> = "f";
template <>
inline constexpr const char* kMangled<double> = "d";

// The name of a type in OpenCL C.
template <typename T>
inline constexpr const char* kName = nullptr;
template <>
inline constexpr const char* kName<signed char> = "char";
template <>
inline constexpr const char* kName<unsigned char> = "uchar";
template <>
inline constexpr const char* kName<short> = "short";
template <>
inline constexpr const char* kName<unsigned short> = "ushort";
template <>
inline constexpr const char* kName<int> = "int";
template <>
inline constexpr const char* kName<unsigned> = "uint";
template <>
inline constexpr const char* kName<long> = "long";
template <>
inline constexpr const char* kName<unsigned long> = "ulong";
template <>
inline constexpr const char* kName<_Float16> = "half";
template <>
inline constexpr const char* kName<float> = "float";
template <>
inline constexpr const char* kName<double> = "double";

// The work-group of async copies.
struct WorkGroup {
  size_t size = 1;
  size_t local_id = 0;
  int barriers = 0;
};
extern WorkGroup work_group;

} // namespace heddle::test
