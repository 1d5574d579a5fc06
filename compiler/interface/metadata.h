// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The metadata of a program that the compiler passes to the runtime. Passed as bytes (serialize /
// deserialize in metadata.cpp, compiled into both libraries).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heddle {

enum class ArgumentKind : std::uint8_t {
  value,            // copied into the packed arguments
  global_pointer,   // 8 bytes: address, or null
  constant_pointer, // 8 bytes: address, or null
  local_pointer,    // 8 bytes: offset from Group::local_memory, assigned by the runtime
  image,            // 8 bytes: address of a constant abi::Image
  sampler,          // 8 bytes: a sampler word (image_abi.h)
  pipe,
  queue,
};

// Values are those of clGetKernelArgInfo (OpenCL API 5.9.4).
struct KernelArgument {
  ArgumentKind kind = ArgumentKind::value;
  std::uint32_t offset = 0;            // in the packed arguments
  std::uint32_t size = 0;              // bytes that clSetKernelArg must be given (8 for pointers)
  std::uint32_t alignment = 1;         // for local_pointer: alignment of the pointee
  std::uint32_t address_qualifier = 0; // CL_KERNEL_ARG_ADDRESS_*
  std::uint32_t access_qualifier = 0;  // CL_KERNEL_ARG_ACCESS_*
  std::uint64_t type_qualifier = 0;    // CL_KERNEL_ARG_TYPE_* bits
  std::uint32_t image_type = 0;        // CL_MEM_OBJECT_IMAGE* of an image; 0 of other arguments
  bool is_depth_image = false;         // only images of channel order CL_DEPTH
  std::string type_name;
  std::string name;
};

// A local or program-scope variable, for memory checks.
struct CheckedVariable {
  std::string name;
  std::uint64_t offset = 0; // in the group's local memory or in the program-scope block
  std::uint64_t bytes = 0;
  bool is_local = false;
};

// Work-items of a sub-group: powers of two up to this.
inline constexpr std::uint32_t kLargestSubGroup = 64;

// What is known of a kernel from its source: the same for all of its units.
struct KernelDeclaration {
  std::string name;
  std::string attributes; // CL_KERNEL_ATTRIBUTES
  std::vector<KernelArgument> arguments;
  std::uint32_t packed_bytes = 0;                     // size of the packed arguments
  std::array<std::uint64_t, 3> required_group_size{}; // zeros: none
  std::uint32_t required_sub_group_size = 0;          // 0: none
  // A block of enqueue_kernel: no kernel for the API. Its arguments are the address of a copy of
  // the block literal, in constant memory, and pointers to local memory.
  bool is_block = false;
  // False: no unit has a barrier.
  bool may_have_barrier = false;
  // A hash of the code that the kernel reaches: kernels of different programs with the same one,
  // and the same name, are probably the same. 0: unknown.
  std::uint64_t code_hash = 0;
};

// A kernel as it was compiled: one unit of it.
struct KernelMetadata : KernelDeclaration {
  std::uint64_t local_bytes = 0;   // static __local variables
  std::uint64_t private_bytes = 0; // of a work-item: its stack and its part of the frame
  std::uint64_t stack_bytes = 0;   // stack that one fiber (or the whole kernel if it has
                                   // no barrier) needs; 0: unbounded (recursion)
  bool has_barrier = false;
  // The size of the values that a sub-group keeps across barriers in region loops; 0 for a kernel
  // whose sub-groups run on fibers.
  std::uint64_t frame_bytes = 0;
  bool uses_fibers() const { return has_barrier && frame_bytes == 0; }
  std::uint32_t vector_width = 1; // work-items of a sub-group
  bool shows_sub_groups = false;  // the program can tell the width
  // Whether programs can tell the width, or only this one is good: other variants are not tried.
  bool has_fixed_width = false;
  // abi::Launch must have the first two dimensions of the launch swapped.
  bool has_swapped_dimensions = false;
  bool may_swap_dimensions = false; // the kernel uses the second one, and does not show its order
  bool prefers_first_dimension = false; // clearly: swapped dimensions need not be tried
  std::uint32_t row_interleave = 1;     // interleaved sub-groups of consecutive rows
  bool may_interleave_rows = false;     // perhaps more of them than row_interleave
  // With Specialization::has_long_code, more of its local memory is kept in registers.
  bool may_have_long_code = false;
  // All groups of a column read the same, and all of a row, in loops: launches run blocks of
  // columns.
  bool reuses_columns = false;
  // Whether the kernel reads abi::Launch::arguments_overlap.
  bool has_elided_copies = false;
  // Indices of the pointers and images to whose memory the kernel writes, if it relies on it that
  // this is not that of another argument, unless both are images; empty if it does not.
  std::vector<std::uint32_t> written_arguments;
  // Whether the kernel, or one that it enqueues, may use device queues.
  bool uses_device_queues = false;
  // Whether the kernel calls abi::Worker::check, which needs `variables`.
  bool checks_memory = false;
  std::vector<CheckedVariable> variables;
  // Of what `heddle explain` says of lines, the first of each kind, with the number of all.
  std::vector<std::string> remarks;
};

// Of a program (HEDDLE_GOAL_PROGRAM), whose kernels are only declarations, or of a unit
// (HEDDLE_GOAL_UNIT), which has its kernel and no program-scope variables.
struct ProgramMetadata {
  std::vector<KernelMetadata> kernels;
  std::vector<std::byte> program_scope;   // initial image of the program-scope variables
  std::vector<CheckedVariable> variables; // of program_scope, by their names in the module
  std::uint32_t program_scope_alignment = 1;
  // Pointers inside program_scope: at `offset` add the block's own address to the stored value.
  std::vector<std::uint64_t> program_scope_relocations;
  // The guards in program_scope of objects that are static in functions, of 8 bytes each: the first
  // byte is not 0 when the object is initialized, and kGuardInProgress while it is being.
  std::vector<std::uint64_t> static_guards;
  // Whether there are kernels of these names, which are not among `kernels`: of one work-item,
  // without arguments. kInitializerKernel constructs objects at program scope, and runs once before
  // all others; kFinalizerKernel destroys what was constructed, after all others.
  bool has_initializer = false;
  bool has_finalizer = false;
};

inline constexpr std::uint64_t kGuardInProgress = 1 << 8;
inline constexpr const char* kInitializerKernel = "heddle.initialize";
inline constexpr const char* kFinalizerKernel = "heddle.finalize";

std::vector<std::byte> serialize(const ProgramMetadata& metadata);
// Nothing if the bytes are not a well-formed metadata block of this version.
std::optional<ProgramMetadata> deserialize(std::span<const std::byte> bytes);

} // namespace heddle
