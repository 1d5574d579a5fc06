// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fills the dispatch table when the library is loaded.
#include "icd/dispatch.h"

#include "icd/command_buffer_entries.h"
#include "icd/traced_call.h"
#include "runtime/checks/reports.h"
#include "runtime/core/handle_table.h"
#include "runtime/core/process.h"
#include "runtime/profile/profile.h"
#include "runtime/profile/progress.h"
#include "runtime/trace/trace.h"

#include <cstring>
#include <type_traits>

namespace heddle::icd {
namespace {

#ifdef CL_VERSION_3_1
using Table = cl_icd_dispatch;
#else
// Loaders of OpenCL 3.1 read the slot behind the last one of 3.0.
struct Table : cl_icd_dispatch {
  decltype(&clGetKernelSuggestedLocalWorkSizeKHR) clGetKernelSuggestedLocalWorkSize;
};
static_assert(sizeof(Table) == sizeof(cl_icd_dispatch) + sizeof(void*));
#endif

Table table;

// The table's entry for functions of extensions that Heddle does not have: loaders call it without
// a check.
template <class Function>
struct Absent;
template <class Answer, class... Arguments>
struct Absent<Answer(CL_API_CALL*)(Arguments...)> {
  static Answer CL_API_CALL call(Arguments... arguments) {
    if constexpr (std::is_same_v<Answer, cl_int>) {
      return CL_INVALID_OPERATION;
    } else {
      const auto set_error = [](auto argument) {
        if constexpr (std::is_same_v<decltype(argument), cl_int*>)
          if (argument)
            *argument = CL_INVALID_OPERATION;
      };
      (set_error(arguments), ...);
      return Answer{};
    }
  }
};

struct NamedEntry {
  const char* name;
  void* (*function)(const char* name);
};

template <auto Function>
void* plain_entry(const char*) {
  return reinterpret_cast<void*>(Function);
}
template <auto Function>
void* traced_entry(const char* name) {
  return reinterpret_cast<void*>(traced<Function>(name));
}

const NamedEntry kEntries[] = {
#define HEDDLE_ENTRY(name) {#name, &traced_entry<&name>},
#include "icd/dispatch_core.inc"
#include "icd/dispatch_extensions.inc"
#include "icd/dispatch_program.inc"
#undef HEDDLE_ENTRY
#define HEDDLE_ENTRY(name) {#name, &traced_entry<&command_buffers::name>},
#include "icd/dispatch_command_buffer.inc"
#undef HEDDLE_ENTRY
    {"clCreateProgramWithILKHR", &traced_entry<&clCreateProgramWithILKHR>},
    // The loader's.
    {"clIcdGetPlatformIDsKHR", &plain_entry<&clIcdGetPlatformIDsKHR>},
    {"clIcdGetFunctionAddressForPlatformKHR", &plain_entry<&clIcdGetFunctionAddressForPlatformKHR>},
    {"clIcdSetPlatformDispatchDataKHR", &plain_entry<&clIcdSetPlatformDispatchDataKHR>},
};

[[gnu::constructor]] void load() {
  checks::start();
  trace::start();
  profile::start();
  progress::start();
#define HEDDLE_ENTRY(name) table.name = traced<&name>(#name);
#include "icd/dispatch_core.inc"
#include "icd/dispatch_program.inc"
#undef HEDDLE_ENTRY
#define HEDDLE_ENTRY(name) table.name = &Absent<decltype(table.name)>::call;
#include "icd/dispatch_absent.inc"
#undef HEDDLE_ENTRY
  for (const auto& entry : kEntries)
    (void)entry.function(entry.name);
  // Loaders of cl_khr_icd 2.0 recognize a 2.0 driver by these two entries, which they do not call.
  const auto tag = CL_ICD2_TAG_KHR;
  static_assert(sizeof tag == sizeof table.clGetPlatformIDs);
  std::memcpy(static_cast<void*>(&table.clGetPlatformIDs), &tag, sizeof tag);
  std::memcpy(static_cast<void*>(&table.clUnloadCompiler), &tag, sizeof tag);
  handle_table::set_dispatch(&table);
  process::watch_forks();
}

} // namespace

void* find_entry_point(const char* name) {
  for (const auto& entry : kEntries)
    if (std::strcmp(entry.name, name) == 0)
      return entry.function(nullptr);
  return nullptr;
}

} // namespace heddle::icd
