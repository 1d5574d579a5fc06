// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clCreateProgramWithIL, its name in cl_khr_il_program, and clSetProgramSpecializationConstant
// (OpenCL API 5.8.1 and 5.8.4).
#include "icd/arguments.h"
#include "icd/entry_points.h"
#include "runtime/program/il.h"
#include "runtime/program/program.h"

#include <memory>

using namespace heddle;

// CL_INVALID_CONTEXT, CL_INVALID_VALUE.
cl_program CL_API_CALL clCreateProgramWithIL(cl_context context, const void* il, size_t length,
                                             cl_int* errcode_ret) {
  return icd::guarded_create<cl_program>(errcode_ret, [&]() -> Result<cl_program> {
    auto* owner = find<Context>(context);
    if (const auto error = icd::check_context(owner))
      return error;
    if (!il || length == 0)
      return CL_INVALID_VALUE;
    auto module = IntermediateLanguage::read({static_cast<const std::byte*>(il), length});
    if (!module)
      return module.error();
    std::unique_ptr<IntermediateLanguage> owned(*module);
    return icd::give_to_user<cl_program>(
        Ref<Program>::adopt(new Program(*owner, std::move(owned))));
  });
}

cl_program CL_API_CALL clCreateProgramWithILKHR(cl_context context, const void* il, size_t length,
                                                cl_int* errcode_ret) {
  return clCreateProgramWithIL(context, il, length, errcode_ret);
}

// CL_INVALID_PROGRAM also for programs that were not made of an intermediate language;
// CL_INVALID_SPEC_ID, CL_INVALID_VALUE.
cl_int CL_API_CALL clSetProgramSpecializationConstant(cl_program program, cl_uint spec_id,
                                                      size_t spec_size, const void* spec_value) {
  return icd::guarded([&]() -> cl_int {
    auto* object = find<Program>(program);
    if (!object || !object->il())
      return CL_INVALID_PROGRAM;
    return object->il()->set(spec_id, spec_size, spec_value);
  });
}
