// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clCreateProgram*, clBuildProgram, clCompileProgram, clLinkProgram and their queries (OpenCL
// API 5.8).
#include "runtime/program/program.h"

#include "icd/arguments.h"
#include "icd/entry_points.h"
#include "icd/info.h"
#include "runtime/device/device.h"
#include "runtime/program/build_options.h"
#include "runtime/program/il.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

using namespace heddle;

namespace {

// The devices of an argument pair: the list, or all devices of the program or context if it is
// empty.
template <class Owner>
Result<std::vector<Device*>> list_devices(const Owner& owner, cl_uint count,
                                          const cl_device_id* list) {
  if ((count == 0) != (list == nullptr))
    return CL_INVALID_VALUE;
  std::vector<Device*> devices;
  for (cl_uint i = 0; i < count; ++i) {
    auto* device = find<Device>(list[i]);
    if (!device || !owner.has(device))
      return CL_INVALID_DEVICE;
    devices.push_back(device);
  }
  if (!list)
    for (const auto& device : owner.devices())
      devices.push_back(device.get());
  return devices;
}

// The checks that clBuildProgram and clCompileProgram share: CL_INVALID_PROGRAM for a null program,
// CL_INVALID_VALUE, CL_INVALID_DEVICE.
Result<std::vector<Device*>> devices_of_build(const Program* program, cl_uint count,
                                              const cl_device_id* list, Program::Notify notify,
                                              const void* user_data) {
  if (!program)
    return CL_INVALID_PROGRAM;
  if (!notify && user_data)
    return CL_INVALID_VALUE;
  return list_devices(*program, count, list);
}

// Runs `work`, a callable cl_int() that ends the build which Program::begin() started. If memory is
// exhausted before, ends the build with that error.
template <class Work>
cl_int begun(Program& program, const std::vector<Device*>& devices, const Work& work) noexcept {
  const cl_int status = icd::guarded([&] { return work(); });
  if (status == CL_OUT_OF_HOST_MEMORY || status == CL_OUT_OF_RESOURCES)
    program.abandon(devices);
  return status;
}

// Runs `work` on this thread, or, with a callback, on a new one.
cl_int now_or_later(Program& program, const std::vector<Device*>& devices, Program::Notify notify,
                    void* user_data, const std::function<cl_int()>& work) {
  const Ref<Program> keep(&program);
  if (!notify)
    return work();
  const auto work_and_tell = [&program, devices, notify, user_data, work] {
    begun(program, devices, work);
    notify(static_cast<cl_program>(program.handle()), user_data);
    program.release_child();
  };
  // The program and its handle must be valid until the callback has returned.
  program.retain_child();
  try {
    std::thread(work_and_tell).detach();
  } catch (const std::exception&) {
    work_and_tell(); // no thread: run here, which the specification allows
  }
  return CL_SUCCESS;
}

} // namespace

cl_program CL_API_CALL clCreateProgramWithSource(cl_context context, cl_uint count,
                                                 const char** strings, const size_t* lengths,
                                                 cl_int* errcode_ret) {
  return icd::guarded_create<cl_program>(errcode_ret, [&]() -> Result<cl_program> {
    auto* owner = find<Context>(context);
    if (const auto error = icd::check_context(owner))
      return error;
    if (count == 0 || !strings)
      return CL_INVALID_VALUE;
    std::string source;
    for (cl_uint i = 0; i < count; ++i) {
      if (!strings[i])
        return CL_INVALID_VALUE;
      source.append(strings[i], lengths && lengths[i] ? lengths[i] : std::strlen(strings[i]));
    }
    // Zeros are removed (OpenCL API 5.8.9, CL_PROGRAM_SOURCE): lengths that include the terminating
    // one are common.
    std::erase(source, '\0');
    return icd::give_to_user<cl_program>(
        Ref<Program>::adopt(new Program(*owner, std::move(source))));
  });
}

cl_program CL_API_CALL clCreateProgramWithBinary(cl_context context, cl_uint num_devices,
                                                 const cl_device_id* device_list,
                                                 const size_t* lengths,
                                                 const unsigned char** binaries,
                                                 cl_int* binary_status, cl_int* errcode_ret) {
  return icd::guarded_create<cl_program>(errcode_ret, [&]() -> Result<cl_program> {
    auto* owner = find<Context>(context);
    if (const auto error = icd::check_context(owner))
      return error;
    if (num_devices == 0 || !device_list || !lengths || !binaries)
      return CL_INVALID_VALUE;
    auto devices = list_devices(*owner, num_devices, device_list);
    if (!devices)
      return devices.error();
    auto program = Ref<Program>::adopt(new Program(*owner, Program::Origin::binary, *devices));
    cl_int error = CL_SUCCESS;
    for (cl_uint i = 0; i < num_devices; ++i) {
      cl_int status = CL_INVALID_VALUE;
      if (binaries[i] && lengths[i] != 0)
        status = program->load_binary(
            *(*devices)[i], {reinterpret_cast<const std::byte*>(binaries[i]), lengths[i]});
      if (binary_status)
        binary_status[i] = status;
      if (status != CL_SUCCESS && error == CL_SUCCESS)
        error = status;
    }
    if (error != CL_SUCCESS)
      return error;
    return icd::give_to_user<cl_program>(std::move(program));
  });
}

cl_program CL_API_CALL clCreateProgramWithBuiltInKernels(cl_context context, cl_uint num_devices,
                                                         const cl_device_id* device_list,
                                                         const char* kernel_names,
                                                         cl_int* errcode_ret) {
  return icd::guarded_create<cl_program>(errcode_ret, [&]() -> Result<cl_program> {
    auto* owner = find<Context>(context);
    if (const auto error = icd::check_context(owner))
      return error;
    if (num_devices == 0 || !device_list || !kernel_names)
      return CL_INVALID_VALUE;
    if (auto devices = list_devices(*owner, num_devices, device_list); !devices)
      return devices.error();
    return CL_INVALID_VALUE; // the device has no built-in kernels, so no name is valid
  });
}

cl_int CL_API_CALL clRetainProgram(cl_program program) {
  return icd::retain_handle<Program>(program, CL_INVALID_PROGRAM);
}

cl_int CL_API_CALL clReleaseProgram(cl_program program) {
  return icd::release_handle<Program>(program, CL_INVALID_PROGRAM);
}

cl_int CL_API_CALL clSetProgramReleaseCallback(cl_program program,
                                               void(CL_CALLBACK* pfn_notify)(cl_program, void*),
                                               void* user_data) {
  return icd::guarded([&]() -> cl_int {
    auto* object = find<Program>(program);
    if (!object)
      return CL_INVALID_PROGRAM;
    // For program-scope destructors of OpenCL C++, which is not supported; the conformance tests
    // want the error from devices of OpenCL 3.0 (OpenCL API 5.8.3).
    return pfn_notify ? CL_INVALID_OPERATION : CL_INVALID_VALUE;
  });
}

cl_int CL_API_CALL clBuildProgram(cl_program program, cl_uint num_devices,
                                  const cl_device_id* device_list, const char* options,
                                  void(CL_CALLBACK* pfn_notify)(cl_program, void*),
                                  void* user_data) {
  return icd::guarded([&]() -> cl_int {
    auto* object = find<Program>(program);
    auto devices = devices_of_build(object, num_devices, device_list, pfn_notify, user_data);
    if (!devices)
      return devices.error();
    if (object->origin() == Program::Origin::link)
      return CL_INVALID_OPERATION;
    if (object->origin() == Program::Origin::binary)
      for (const auto* device : *devices)
        if (!object->has_binary(*device))
          return CL_INVALID_BINARY;
    const std::string text = options ? options : "";
    auto parsed = parse_build_options(text, BuildPhase::build);
    if (const cl_int error = object->begin(*devices, text))
      return error;
    return begun(*object, *devices, [&]() -> cl_int {
      if (!parsed.error.empty())
        return object->refuse(*devices, parsed.error, CL_INVALID_BUILD_OPTIONS);
      return now_or_later(*object, *devices, pfn_notify, user_data,
                          [object, devices = *devices, parsed = std::move(parsed)] {
                            if (!parsed.unsupported.empty() && !object->il())
                              return object->refuse(devices, parsed.unsupported,
                                                    CL_BUILD_PROGRAM_FAILURE);
                            return object->build(devices, parsed);
                          });
    });
  });
}

cl_int CL_API_CALL clCompileProgram(cl_program program, cl_uint num_devices,
                                    const cl_device_id* device_list, const char* options,
                                    cl_uint num_input_headers, const cl_program* input_headers,
                                    const char** header_include_names,
                                    void(CL_CALLBACK* pfn_notify)(cl_program, void*),
                                    void* user_data) {
  return icd::guarded([&]() -> cl_int {
    auto* object = find<Program>(program);
    auto devices = devices_of_build(object, num_devices, device_list, pfn_notify, user_data);
    if (!devices)
      return devices.error();
    if ((num_input_headers == 0) != (input_headers == nullptr) ||
        (num_input_headers == 0) != (header_include_names == nullptr))
      return CL_INVALID_VALUE;
    if (object->origin() != Program::Origin::source && !object->il())
      return CL_INVALID_OPERATION;
    std::vector<Program::Header> headers;
    // Headers are nothing to a program in intermediate language.
    for (cl_uint i = 0; i < num_input_headers && !object->il(); ++i) {
      auto* header = find<Program>(input_headers[i]);
      if (!header)
        return CL_INVALID_PROGRAM;
      if (!header_include_names[i])
        return CL_INVALID_VALUE;
      if (&header->context() != &object->context())
        return CL_INVALID_CONTEXT;
      if (header->origin() != Program::Origin::source)
        return CL_INVALID_OPERATION;
      headers.push_back({header_include_names[i], Ref<Program>(header)});
    }
    const std::string text = options ? options : "";
    auto parsed = parse_build_options(text, BuildPhase::compile);
    if (const cl_int error = object->begin(*devices, text))
      return error;
    return begun(*object, *devices, [&]() -> cl_int {
      if (!parsed.error.empty())
        return object->refuse(*devices, parsed.error, CL_INVALID_COMPILER_OPTIONS);
      return now_or_later(
          *object, *devices, pfn_notify, user_data,
          [object, devices = *devices, parsed = std::move(parsed), headers = std::move(headers)] {
            if (!parsed.unsupported.empty() && !object->il())
              return object->refuse(devices, parsed.unsupported, CL_COMPILE_PROGRAM_FAILURE);
            return object->compile(devices, parsed, headers);
          });
    });
  });
}

cl_program CL_API_CALL clLinkProgram(cl_context context, cl_uint num_devices,
                                     const cl_device_id* device_list, const char* options,
                                     cl_uint num_input_programs, const cl_program* input_programs,
                                     void(CL_CALLBACK* pfn_notify)(cl_program, void*),
                                     void* user_data, cl_int* errcode_ret) {
  cl_int link_error = CL_SUCCESS;
  const auto handle = icd::guarded_create<cl_program>(errcode_ret, [&]() -> Result<cl_program> {
    auto* owner = find<Context>(context);
    if (const auto error = icd::check_context(owner))
      return error;
    auto devices = list_devices(*owner, num_devices, device_list);
    if (!devices)
      return devices.error();
    if (num_input_programs == 0 || !input_programs || (!pfn_notify && user_data))
      return CL_INVALID_VALUE;
    std::vector<Ref<Program>> inputs;
    for (cl_uint i = 0; i < num_input_programs; ++i) {
      auto* input = find<Program>(input_programs[i]);
      if (!input)
        return CL_INVALID_PROGRAM;
      if (&input->context() != owner)
        return CL_INVALID_CONTEXT;
      inputs.emplace_back(input);
    }
    const std::string text = options ? options : "";
    auto parsed = parse_build_options(text, BuildPhase::link);
    if (!parsed.error.empty()) {
      // The user gets no program whose log could be queried.
      owner->report("heddle: clLinkProgram: " + parsed.error);
      return CL_INVALID_LINKER_OPTIONS;
    }
    // Each device must have code of all programs or of none; at least one device must have code.
    std::size_t linked_devices = 0;
    for (const auto* device : *devices) {
      std::size_t compiled = 0;
      for (const auto& input : inputs) {
        const auto state = input->has(device) ? input->state(*device) : Program::State();
        if (state.status == CL_BUILD_IN_PROGRESS)
          return CL_INVALID_OPERATION;
        compiled += state.file && state.file->kind != ProgramKind::executable;
      }
      if (compiled != 0 && compiled != inputs.size())
        return CL_INVALID_OPERATION;
      linked_devices += compiled != 0;
    }
    if (linked_devices == 0)
      return CL_INVALID_OPERATION;
    auto linked = Ref<Program>::adopt(new Program(*owner, Program::Origin::link, *devices));
    auto* object = linked.get();
    if (const cl_int error = object->begin(*devices, text))
      return error;
    auto result = icd::give_to_user<cl_program>(std::move(linked));
    if (!result)
      return result;
    link_error = begun(*object, *devices, [&]() -> cl_int {
      return now_or_later(
          *object, *devices, pfn_notify, user_data,
          [object, devices = *devices, parsed = std::move(parsed), inputs = std::move(inputs)] {
            return object->link(devices, parsed, inputs);
          });
    });
    return result;
  });
  if (handle && errcode_ret)
    *errcode_ret = link_error;
  return handle;
}

cl_int CL_API_CALL clGetProgramInfo(cl_program program, cl_program_info param_name,
                                    size_t param_value_size, void* param_value,
                                    size_t* param_value_size_ret) {
  return icd::guarded([&]() -> cl_int {
    auto* object = find<Program>(program);
    if (!object)
      return CL_INVALID_PROGRAM;
    const icd::InfoOutput out(param_value_size, param_value, param_value_size_ret);
    // The metadata of the first executable is representative.
    Ref<LoadedProgram> loaded;
    for (const auto& device : object->devices())
      if (!loaded)
        loaded = object->loaded(*device);
    switch (param_name) {
    case CL_PROGRAM_REFERENCE_COUNT:
      return out.put<cl_uint>(object->user_references());
    case CL_PROGRAM_CONTEXT:
      return out.put<cl_context>(static_cast<cl_context>(object->context().handle()));
    case CL_PROGRAM_NUM_DEVICES:
      return out.put<cl_uint>(static_cast<cl_uint>(object->devices().size()));
    case CL_PROGRAM_DEVICES: {
      std::vector<cl_device_id> devices;
      for (const auto& device : object->devices())
        devices.push_back(static_cast<cl_device_id>(device->handle()));
      return out.put_array<cl_device_id>(devices);
    }
    case CL_PROGRAM_SOURCE:
      return out.put_text(object->source());
    case CL_PROGRAM_IL:
      if (!object->il())
        return out.put_bytes(nullptr, 0);
      return out.put_bytes(object->il()->bytes().data(), object->il()->bytes().size());
    case CL_PROGRAM_BINARY_SIZES: {
      std::vector<size_t> sizes;
      for (const auto& device : object->devices())
        sizes.push_back(object->binary(*device).size());
      return out.put_array<size_t>(sizes);
    }
    case CL_PROGRAM_BINARIES: {
      const auto bytes = object->devices().size() * sizeof(unsigned char*);
      if (param_value && param_value_size < bytes)
        return CL_INVALID_VALUE;
      for (std::size_t i = 0; param_value && i < object->devices().size(); ++i) {
        auto* into = static_cast<unsigned char**>(param_value)[i];
        if (!into)
          continue;
        const auto binary = object->binary(*object->devices()[i]);
        std::copy(binary.begin(), binary.end(), reinterpret_cast<std::byte*>(into));
      }
      if (param_value_size_ret)
        *param_value_size_ret = bytes;
      return CL_SUCCESS;
    }
    case CL_PROGRAM_NUM_KERNELS:
      if (!loaded)
        return CL_INVALID_PROGRAM_EXECUTABLE;
      return out.put<size_t>(loaded->kernel_count());
    case CL_PROGRAM_KERNEL_NAMES: {
      if (!loaded)
        return CL_INVALID_PROGRAM_EXECUTABLE;
      std::string names;
      for (std::size_t i = 0; i < loaded->kernel_count(); ++i)
        names.append(names.empty() ? "" : ";").append(loaded->kernel(i).name);
      return out.put_text(names);
    }
    case CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT:
      if (!loaded)
        return CL_INVALID_PROGRAM_EXECUTABLE;
      return out.put<cl_bool>(loaded->has_constructors());
    case CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT:
      if (!loaded)
        return CL_INVALID_PROGRAM_EXECUTABLE;
      return out.put<cl_bool>(loaded->has_destructors());
    default:
      return CL_INVALID_VALUE;
    }
  });
}

cl_int CL_API_CALL clGetProgramBuildInfo(cl_program program, cl_device_id device,
                                         cl_program_build_info param_name, size_t param_value_size,
                                         void* param_value, size_t* param_value_size_ret) {
  return icd::guarded([&]() -> cl_int {
    auto* object = find<Program>(program);
    if (!object)
      return CL_INVALID_PROGRAM;
    auto* target = find<Device>(device);
    if (!target || !object->has(target))
      return CL_INVALID_DEVICE;
    const auto state = object->state(*target);
    const icd::InfoOutput out(param_value_size, param_value, param_value_size_ret);
    switch (param_name) {
    case CL_PROGRAM_BUILD_STATUS:
      return out.put<cl_build_status>(state.status);
    case CL_PROGRAM_BUILD_OPTIONS:
      return out.put_text(state.options);
    case CL_PROGRAM_BUILD_LOG:
      return out.put_text(object->log(*target));
    case CL_PROGRAM_BINARY_TYPE: {
      cl_program_binary_type type = CL_PROGRAM_BINARY_TYPE_NONE;
      if (state.file && state.file->kind == ProgramKind::object)
        type = CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT;
      else if (state.file && state.file->kind == ProgramKind::library)
        type = CL_PROGRAM_BINARY_TYPE_LIBRARY;
      else if (state.file)
        type = CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
      return out.put<cl_program_binary_type>(type);
    }
    case CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE:
      return out.put<size_t>(state.loaded ? state.loaded->program_scope_bytes() : 0);
    default:
      return CL_INVALID_VALUE;
    }
  });
}
