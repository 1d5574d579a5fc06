// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clGetKernelArgInfo of kernels in SPIR-V: what the module says in strings and names, or what
// follows from its types.
#include "tests/api/support.h"
#include "tests/spirv/module_builder.h"

#include <gtest/gtest.h>

namespace {

using namespace heddle::test;

constexpr Word kString = 7, kTypeForward = 39, kForwardCapability = 39;
constexpr Word kFuncParamAttr = 38, kRestrict = 19, kVolatile = 21;
constexpr Word kZext = 0, kByVal = 2, kNoWrite = 6;

struct Argument {
  const char* name;
  const char* type;
  cl_kernel_arg_address_qualifier space;
  cl_kernel_arg_type_qualifier qualifiers;
};

const Argument kArguments[] = {
    {"bytes", "char*", CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_TYPE_RESTRICT},
    {"table", "float4*", CL_KERNEL_ARG_ADDRESS_CONSTANT, CL_KERNEL_ARG_TYPE_CONST},
    {"tile", "int*", CL_KERNEL_ARG_ADDRESS_LOCAL, CL_KERNEL_ARG_TYPE_NONE},
    {"watched", "long*", CL_KERNEL_ARG_ADDRESS_GLOBAL,
     CL_KERNEL_ARG_TYPE_CONST | CL_KERNEL_ARG_TYPE_VOLATILE},
    {"deep", "int**", CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_TYPE_NONE},
    {"rows", "int (*)[4]", CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_TYPE_NONE},
    {"pairs", "struct Pair*", CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_TYPE_NONE},
    {"pair", "struct Pair", CL_KERNEL_ARG_ADDRESS_PRIVATE, CL_KERNEL_ARG_TYPE_NONE},
    {"small", "ushort", CL_KERNEL_ARG_ADDRESS_PRIVATE, CL_KERNEL_ARG_TYPE_NONE},
    {"wide", "short16", CL_KERNEL_ARG_ADDRESS_PRIVATE, CL_KERNEL_ARG_TYPE_NONE},
    {"circle", "void*********", CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_TYPE_NONE},
    {"", "double", CL_KERNEL_ARG_ADDRESS_PRIVATE, CL_KERNEL_ARG_TYPE_NONE},
};
constexpr auto kCount = static_cast<cl_uint>(std::size(kArguments));

// A kernel of this name with these arguments, and strings.
Words module_of(const std::string& kernel, const std::vector<std::string>& strings) {
  auto m = Module::kernel({Int16, Float64, 7 /* Vector16 */, kForwardCapability});
  m.memory_model();
  const Word function = m.id();
  m.add(OpEntryPoint, {6, function}, kernel);
  for (const auto& text : strings)
    m.add(kString, {m.id()}, text);
  Words parameters;
  for (const auto& argument : kArguments) {
    parameters.push_back(m.id());
    if (*argument.name != 0)
      m.add(OpName, {parameters.back()}, argument.name);
  }
  const Word pair = m.id(), circle = m.id();
  m.add(OpName, {pair}, "struct.Pair.12");
  m.add(OpDecorate, {parameters[0], kRestrict});
  m.add(OpDecorate, {parameters[3], kFuncParamAttr, kNoWrite});
  m.add(OpDecorate, {parameters[3], kVolatile});
  m.add(OpDecorate, {parameters[7], kFuncParamAttr, kByVal});
  m.add(OpDecorate, {parameters[8], kFuncParamAttr, kZext});
  const Word nothing = m.type(OpTypeVoid);
  const Word i8 = m.type(OpTypeInt, {8, 0}), i16 = m.type(OpTypeInt, {16, 0});
  const Word i32 = m.type(OpTypeInt, {32, 0}), i64 = m.type(OpTypeInt, {64, 0});
  const Word f32 = m.type(OpTypeFloat, {32}), f64 = m.type(OpTypeFloat, {64});
  const Word f32x4 = m.type(OpTypeVector, {f32, 4}), i16x16 = m.type(OpTypeVector, {i16, 16});
  const Word rows = m.type(OpTypeArray, {i32, m.result(OpConstant, i32, {4})});
  m.add(OpTypeStruct, {pair, i32, f32});
  m.add(kTypeForward, {circle, CrossWorkgroup});
  m.add(OpTypePointer, {circle, CrossWorkgroup, circle});
  const auto global = [&](Word content) {
    return m.type(OpTypePointer, {CrossWorkgroup, content});
  };
  const Word global_i32 = global(i32);
  const Words types = {global(i8),
                       m.type(OpTypePointer, {UniformConstant, f32x4}),
                       m.type(OpTypePointer, {Workgroup, i32}),
                       global(i64),
                       global(global_i32),
                       global(rows),
                       global(pair),
                       m.type(OpTypePointer, {Function, pair}),
                       i16,
                       i16x16,
                       circle,
                       f64};
  Words signature = {nothing};
  signature.insert(signature.end(), types.begin(), types.end());
  const Word function_type = m.type(OpTypeFunction, signature);
  m.add(OpFunction, {nothing, function, 0, function_type});
  for (std::size_t i = 0; i < types.size(); ++i)
    m.add(OpFunctionParameter, {types[i], parameters[i]});
  m.type(OpLabel);
  m.add(OpReturn, {});
  m.add(OpFunctionEnd, {});
  return m.words();
}

class ArgumentInfo : public testing::Test {
 protected:
  Kernel kernel_of(const Words& words, const char* name) {
    cl_int error = CL_SUCCESS;
    const Program program(clCreateProgramWithIL(context_, words.data(), 4 * words.size(), &error));
    check(error, "clCreateProgramWithIL");
    if (clBuildProgram(program, 0, nullptr, "", nullptr, nullptr) != CL_SUCCESS)
      throw std::runtime_error(build_log(program));
    return make_kernel(program, name);
  }
  static std::string text(cl_kernel kernel, cl_uint argument, cl_kernel_arg_info query) {
    char name[256] = {};
    check(clGetKernelArgInfo(kernel, argument, query, sizeof name, name, nullptr), "text");
    return name;
  }
  static cl_ulong number(cl_kernel kernel, cl_uint argument, cl_kernel_arg_info query) {
    cl_ulong value = 0;
    check(clGetKernelArgInfo(kernel, argument, query, sizeof value, &value, nullptr), "number");
    return value;
  }
  Context context_ = make_context();
};

TEST_F(ArgumentInfo, OfTypesNamesAndDecorations) {
  const auto kernel = kernel_of(module_of("k", {}), "k");
  for (cl_uint i = 0; i != kCount; ++i) {
    SCOPED_TRACE(kArguments[i].name);
    EXPECT_EQ(text(kernel, i, CL_KERNEL_ARG_NAME), kArguments[i].name);
    EXPECT_EQ(text(kernel, i, CL_KERNEL_ARG_TYPE_NAME), kArguments[i].type);
    EXPECT_EQ(number(kernel, i, CL_KERNEL_ARG_ADDRESS_QUALIFIER), kArguments[i].space);
    EXPECT_EQ(number(kernel, i, CL_KERNEL_ARG_ACCESS_QUALIFIER),
              cl_ulong{CL_KERNEL_ARG_ACCESS_NONE});
    EXPECT_EQ(number(kernel, i, CL_KERNEL_ARG_TYPE_QUALIFIER), kArguments[i].qualifiers);
  }
}

// What translators write, also of kernels with dots in their names and types with commas.
TEST_F(ArgumentInfo, OfStrings) {
  for (const std::string name : {"k", "kernel.of.two"}) {
    const auto kernel = kernel_of(
        module_of(name,
                  {"kernel_arg_type." + name +
                       ".uchar*,float4*,uint*,ulong*,int**,Row*,Two<int, float>*,Pair,"
                       "ushort,short16,T*,double,",
                   "kernel_arg_type_qual." + name + ".restrict const,const,,volatile,,,,,,,,,"}),
        name.c_str());
    const char* types[kCount] = {
        "uchar*",           "float4*", "uint*",  "ulong*",  "int**", "Row*",
        "Two<int, float>*", "Pair",    "ushort", "short16", "T*",    "double"};
    for (cl_uint i = 0; i != kCount; ++i)
      EXPECT_EQ(text(kernel, i, CL_KERNEL_ARG_TYPE_NAME), types[i]);
    EXPECT_EQ(number(kernel, 0, CL_KERNEL_ARG_TYPE_QUALIFIER),
              cl_ulong{CL_KERNEL_ARG_TYPE_RESTRICT | CL_KERNEL_ARG_TYPE_CONST});
    EXPECT_EQ(number(kernel, 2, CL_KERNEL_ARG_TYPE_QUALIFIER), cl_ulong{CL_KERNEL_ARG_TYPE_NONE});
    EXPECT_EQ(number(kernel, 3, CL_KERNEL_ARG_TYPE_QUALIFIER),
              cl_ulong{CL_KERNEL_ARG_TYPE_VOLATILE});
  }
}

// Lists of another length, and words that would make other kinds of arguments of numbers.
TEST_F(ArgumentInfo, StringsThatDoNotFit) {
  auto kernel = kernel_of(module_of("k", {"kernel_arg_type.k.int*,float*,"}), "k");
  EXPECT_EQ(text(kernel, 1, CL_KERNEL_ARG_TYPE_NAME), "float4*");
  kernel = kernel_of(module_of("k", {"kernel_arg_type.k.image2d_t,sampler_t,queue_t,image1d_t,a,b,"
                                     "c,d,sampler_t,queue_t,e,f,"}),
                     "k");
  EXPECT_EQ(text(kernel, 0, CL_KERNEL_ARG_TYPE_NAME), "image2d_t");
  EXPECT_EQ(number(kernel, 0, CL_KERNEL_ARG_ADDRESS_QUALIFIER),
            cl_ulong{CL_KERNEL_ARG_ADDRESS_GLOBAL});
  const cl_ushort small = 3;
  EXPECT_EQ(clSetKernelArg(kernel, 8, sizeof small, &small), CL_SUCCESS);
  EXPECT_EQ(clSetKernelArg(kernel, 8, 8, &small), CL_INVALID_ARG_SIZE);
}

} // namespace
