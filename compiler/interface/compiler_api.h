// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C interface of libheddle-compiler.so, and of libheddle-backend.so, which compiles no OpenCL
// C.
//
// Thread-safe: any number of requests may run concurrently. The caller runs each request on a
// thread with a large stack and recovers from faults (runtime/program/compiler_host); the compiler
// never installs signal handlers, starts no process and never exits the program. A request may be
// left by a jump; its thread must then end, because that releases what other requests wait for.
#pragma once

#include "compiler/interface/specialization.h"

#include <cstddef>
#include <cstdint>

extern "C" {

enum { HEDDLE_COMPILER_API_VERSION = 13 };

typedef struct heddle_blob {
  const void* data;
  size_t size;
} heddle_blob;

// A header of clCompileProgram: its include name and text.
typedef struct heddle_header {
  const char* name;
  heddle_blob text;
} heddle_header;

// The value of a specialization constant: its SpecId, and as many bytes as its type has (1 for
// booleans).
typedef struct heddle_spec_constant {
  uint32_t id;
  heddle_blob value;
} heddle_spec_constant;

typedef enum heddle_goal {
  HEDDLE_GOAL_OBJECT = 0,  // LLVM bitcode, for a later link (clCompileProgram)
  HEDDLE_GOAL_LIBRARY = 1, // LLVM bitcode (clLinkProgram with -create-library)
  HEDDLE_GOAL_PROGRAM = 2, // bitcode from which units are built, and metadata (clBuildProgram)
  HEDDLE_GOAL_UNIT = 3,    // ELF shared object of one kernel, and metadata
} heddle_goal;

typedef enum heddle_status {
  HEDDLE_OK = 0,
  HEDDLE_BUILD_FAILURE = 1, // the log says why
  HEDDLE_INVALID_INPUT = 2, // an input is not bitcode of this compiler
} heddle_status;

// Run-time checks of kernels, as bits.
enum {
  HEDDLE_CHECK_DIVISION = 1,
  HEDDLE_CHECK_MEMORY = 2,
  HEDDLE_CHECK_RACE = 4,
  HEDDLE_CHECK_DIVERGENCE = 8,
  HEDDLE_CHECK_UNINITIALIZED = 16,
  HEDDLE_CHECK_BUFFERS = 32, // of UNINITIALIZED: memory of buffers, too
};

typedef struct heddle_request {
  heddle_goal goal;
  // Compile: OpenCL C source; ignored when input_count or the size of il is not 0.
  heddle_blob source;
  // Compile: a SPIR-V module, and the values of its specialization constants; ignored when
  // input_count is not 0.
  heddle_blob il;
  const heddle_spec_constant* spec_constants;
  size_t spec_constant_count;
  const char* source_name;       // file name for diagnostics and debug info
  const char* working_directory; // base of relative -I paths and includes; may be null
  const heddle_header* headers;
  size_t header_count;
  // Link: bitcode from earlier requests. Unit: the program.
  const heddle_blob* inputs;
  size_t input_count;
  // Unit: the kernel's name.
  const char* kernel;
  // Unit: what the kernel is compiled for. One that requires another local size is compiled for
  // that.
  heddle::Specialization specialization;
  // Options of clBuildProgram, validated and split into words by the runtime
  // (compiler/interface/build_options.h): "-DNAME=VALUE", "-Idir", "-cl-...", "-g", "-w",
  // "-Werror". The compiler ignores options of another phase.
  const char* const* options;
  size_t option_count;
  // The device's extensions and __opencl_c_* features, separated by spaces.
  const char* extensions;
  // "native", or an LLVM CPU name such as "x86-64-v2", "x86-64-v3", "x86-64-v4"; with costs behind
  // it: "native,slow-gathers" (compiler/interface/cpu_costs.h).
  const char* cpu;
  uint32_t force_fibers; // not 0: sub-groups cross barriers on fibers, never in region loops
  // Not 0: local memory is kept in registers wherever that is possible.
  uint32_t force_promotion;
  // Passes that a unit is built without: names separated by commas; may be null or empty.
  const char* skipped_passes;
  // Limit of processor time; that of wall time is ten times as large. 0: no limit. Beyond it the
  // build fails with a message that names the limit.
  uint64_t max_seconds;
  uint64_t
      max_memory_bytes; // 0: no limit. Growth of the process's resident memory during the build.
  uint32_t checks;      // HEDDLE_CHECK_*
  // Set to not 0 by another thread to end the request soon, as a failure; may be null.
  const uint32_t* cancelled;
  // Diagnostics of the compiler itself, written to stderr. They do not change the output.
  uint32_t time_passes;    // 0: none; 1: the time of each pass of Heddle; 2: also of LLVM's passes
  const char* print_after; // IR after these passes: names separated by commas, "*" for all; may be
                           // null or empty
  // 1: the IR after each pass that changed it. 2: the names of the passes that say so.
  uint32_t print_changed;
  uint32_t verify_each;    // not 0: LLVM's verifier runs after each pass, and a finding is fatal
  const char* keep_folder; // where source, IR, assembly, object and remarks of each kernel are
                           // written; may be null or empty
  // Called for errors that LLVM cannot report otherwise; does not return.
  void (*fatal)(void* context, const char* message);
  void* fatal_context;
} heddle_request;

typedef struct heddle_result {
  heddle_status status;
  const char* log; // never null; Clang's diagnostics as text
  heddle_blob output;
  heddle_blob metadata;            // serialize(ProgramMetadata), for programs and units
  const char* const* dependencies; // files read from disk by #include, absolute
  size_t dependency_count;
} heddle_result;

typedef struct heddle_compiler_api {
  uint32_t api_version;
  const char* llvm_version;                             // "22.1.8"
  heddle_result* (*run)(const heddle_request* request); // never null
  void (*free_result)(heddle_result* result);
} heddle_compiler_api;

// Exported by either library, as is heddle_find_lines (line_table.h).
const heddle_compiler_api* heddle_compiler_get_api(void);

} // extern "C"
