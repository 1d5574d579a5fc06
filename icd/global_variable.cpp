// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Program-scope variables by name, as SYCL's Unified Runtime asks for them: their address, and
// commands that read and write them. No extension that is reported has these calls.
#include "icd/entry_points.h"
#include "icd/svm_transfer.h"
#include "runtime/execution/bulk_command.h"
#include "runtime/program/program.h"

using namespace heddle;
using namespace heddle::icd;

namespace {

// A variable in the executable of a device.
struct Variable {
  Ref<LoadedProgram> loaded;
  std::byte* data = nullptr;
  size_t size = 0;

  // CL_INVALID_PROGRAM_EXECUTABLE, CL_INVALID_ARG_VALUE if there is none of that name,
  // CL_OUT_OF_RESOURCES if the program's objects cannot be constructed.
  cl_int find_in(const Program& program, const Device& device, const char* name) {
    if (!name)
      return CL_INVALID_VALUE;
    loaded = program.loaded(device);
    if (!loaded)
      return CL_INVALID_PROGRAM_EXECUTABLE;
    const auto* variable = loaded->find_variable(name);
    if (!variable)
      return CL_INVALID_ARG_VALUE;
    if (const auto error = loaded->construct_objects(program.context()))
      return error;
    data = loaded->program_scope() + variable->offset;
    size = variable->bytes;
    return CL_SUCCESS;
  }
};

// Reads and writes: `to_host` or from there.
cl_int enqueue_access(PointerCommand& command, cl_command_queue command_queue, cl_program program,
                      const char* name, bool blocking, size_t size, size_t offset, void* host,
                      bool to_host, cl_uint wait_count, const cl_event* wait_list) {
  return guarded([&]() -> cl_int {
    if (const auto error = command.find_queue(command_queue))
      return error;
    const auto* object = find<Program>(program);
    if (!object)
      return CL_INVALID_PROGRAM;
    if (&object->context() != &command.queue->context())
      return CL_INVALID_CONTEXT;
    Variable variable;
    if (const auto error = variable.find_in(*object, command.queue->device(), name))
      return error;
    if (!host || !in_range(offset, size, variable.size))
      return CL_INVALID_VALUE;
    auto* place = variable.data + offset;
    return command.enqueue_copy(blocking, to_host ? host : place, to_host ? place : host, size,
                                wait_count, wait_list, std::move(variable.loaded));
  });
}

} // namespace

// CL_INVALID_DEVICE, CL_INVALID_PROGRAM, CL_INVALID_PROGRAM_EXECUTABLE, CL_INVALID_VALUE,
// CL_INVALID_ARG_VALUE (there is no such variable). Either result pointer may be null.
cl_int CL_API_CALL clGetDeviceGlobalVariablePointerINTEL(cl_device_id device, cl_program program,
                                                         const char* name, size_t* size_ret,
                                                         void** pointer_ret) {
  return guarded([&]() -> cl_int {
    const auto* unit = find<Device>(device);
    if (!unit)
      return CL_INVALID_DEVICE;
    const auto* object = find<Program>(program);
    if (!object)
      return CL_INVALID_PROGRAM;
    if (!object->has(unit))
      return CL_INVALID_DEVICE;
    Variable variable;
    if (const auto error = variable.find_in(*object, *unit, name))
      return error;
    if (size_ret)
      *size_ret = variable.size;
    if (pointer_ret)
      *pointer_ret = variable.data;
    return CL_SUCCESS;
  });
}

// CL_INVALID_COMMAND_QUEUE, CL_INVALID_PROGRAM, CL_INVALID_CONTEXT, CL_INVALID_PROGRAM_EXECUTABLE,
// CL_INVALID_ARG_VALUE, CL_INVALID_VALUE, CL_INVALID_EVENT_WAIT_LIST, CL_OUT_OF_HOST_MEMORY.
cl_int CL_API_CALL clEnqueueReadGlobalVariableINTEL(cl_command_queue command_queue,
                                                    cl_program program, const char* name,
                                                    cl_bool blocking, size_t size, size_t offset,
                                                    void* ptr, cl_uint num_events_in_wait_list,
                                                    const cl_event* event_wait_list,
                                                    cl_event* event) {
  PointerCommand command{"clEnqueueReadGlobalVariableINTEL", CL_COMMAND_READ_BUFFER, event};
  return enqueue_access(command, command_queue, program, name, blocking, size, offset, ptr, true,
                        num_events_in_wait_list, event_wait_list);
}

// As clEnqueueReadGlobalVariableINTEL.
cl_int CL_API_CALL clEnqueueWriteGlobalVariableINTEL(
    cl_command_queue command_queue, cl_program program, const char* name, cl_bool blocking,
    size_t size, size_t offset, const void* ptr, cl_uint num_events_in_wait_list,
    const cl_event* event_wait_list, cl_event* event) {
  PointerCommand command{"clEnqueueWriteGlobalVariableINTEL", CL_COMMAND_WRITE_BUFFER, event};
  return enqueue_access(command, command_queue, program, name, blocking, size, offset,
                        const_cast<void*>(ptr), false, num_events_in_wait_list, event_wait_list);
}
