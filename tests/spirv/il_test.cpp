// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clCreateProgramWithIL and clSetProgramSpecializationConstant (OpenCL API 5.8.1, 5.8.4), and what
// of a module comes out of builds, links and queries.
#include "tests/api/support.h"
#include "tests/spirv/module_builder.h"

#include <gtest/gtest.h>

#include <cstring>
#include <numeric>

namespace {

using namespace heddle::test;

Program create(cl_context context, const Words& words, cl_int* error = nullptr) {
  cl_int status = CL_SUCCESS;
  Program made(clCreateProgramWithIL(context, words.data(), 4 * words.size(), &status));
  if (error)
    *error = status;
  else
    check(status, "clCreateProgramWithIL");
  return made;
}

cl_int build_status(cl_program program, const char* options = "") {
  const auto status = clBuildProgram(program, 0, nullptr, options, nullptr, nullptr);
  return status;
}

// k(global int* out, int n): out[i] = i + n * 3, for i < n; `name` of an exported function that it
// calls if it is not empty.
Words add_kernel() {
  KernelModule m;
  m.types();
  const Word three = m.constant32(3);
  const auto p = m.begin({m.global_i32, m.i32});
  const Word i = m.load_global_id();
  const Word place = m.result(OpInBoundsPtrAccessChain, m.global_i32, {p[0], i});
  const Word product = m.result(OpIMul, m.i32, {p[1], three});
  const Word narrow = m.result(OpUConvert, m.i32, {i});
  m.add(OpStore, {place, m.result(OpIAdd, m.i32, {narrow, product}), 2, 4});
  m.end();
  return m.words();
}

// A variable that is 5, to which the entry point `init` adds 10 before kernels run, and k(global
// int* out): out[i] = the variable. `parameters`: those of `init`.
Words module_with_initializer(bool has_parameter = false) {
  auto m = KernelModule::kernel();
  m.memory_model();
  const Word initialize = m.id(), kernel = m.id();
  m.add(OpEntryPoint, {6, initialize}, "init");
  m.add(OpEntryPoint, {6, kernel}, "k");
  m.add(OpExecutionMode, {initialize, 33}); // Initializer
  const Word none = m.type(OpTypeVoid), i32 = m.type(OpTypeInt, {32, 0});
  const Word pointer = m.type(OpTypePointer, {CrossWorkgroup, i32});
  const Word five = m.result(OpConstant, i32, {5}), ten = m.result(OpConstant, i32, {10});
  const Word variable = m.result(OpVariable, pointer, {CrossWorkgroup, five});
  const Word plain = m.type(OpTypeFunction, {none});
  const Word with_pointer = m.type(OpTypeFunction, {none, pointer});
  m.add(OpFunction, {none, initialize, 0, has_parameter ? with_pointer : plain});
  if (has_parameter)
    m.result(OpFunctionParameter, pointer);
  m.type(OpLabel);
  const Word before = m.result(OpLoad, i32, {variable});
  m.add(OpStore, {variable, m.result(OpIAdd, i32, {before, ten})});
  m.add(OpReturn, {}).add(OpFunctionEnd, {});
  m.add(OpFunction, {none, kernel, 0, with_pointer});
  const Word out = m.result(OpFunctionParameter, pointer);
  m.type(OpLabel);
  m.add(OpStore, {out, m.result(OpLoad, i32, {variable})});
  m.add(OpReturn, {}).add(OpFunctionEnd, {});
  return m.words();
}

std::vector<int> run_kernel(cl_context context, cl_program program, int n) {
  const auto queue = make_queue(context);
  const auto kernel = make_kernel(program, "k");
  const auto out = make_buffer(context, 64 * sizeof(int));
  set_args(kernel, out, n);
  run(queue, kernel, {{64}, {}, {}});
  return read<int>(queue, out, 64);
}

std::vector<int> expected(int n) {
  std::vector<int> values(64);
  std::iota(values.begin(), values.end(), 3 * n);
  return values;
}

// k(global int* out): out[i] = a Workgroup variable after a store; `initial` makes the
// constant that initializes it.
template <class MakeInitial>
Words module_with_local_initializer(MakeInitial initial) {
  auto m = KernelModule::kernel();
  m.memory_model();
  const Word kernel = m.id();
  m.add(OpEntryPoint, {6, kernel}, "k");
  const Word none = m.type(OpTypeVoid), i32 = m.type(OpTypeInt, {32, 0});
  const Word global = m.type(OpTypePointer, {CrossWorkgroup, i32});
  const Word local = m.type(OpTypePointer, {Workgroup, i32});
  const Word nine = m.result(OpConstant, i32, {9});
  const Word variable = m.result(OpVariable, local, {Workgroup, initial(m, i32)});
  const Word function_type = m.type(OpTypeFunction, {none, global});
  m.add(OpFunction, {none, kernel, 0, function_type});
  const Word out = m.result(OpFunctionParameter, global);
  m.type(OpLabel);
  m.add(OpStore, {variable, nine});
  m.add(OpStore, {out, m.result(OpLoad, i32, {variable})});
  m.add(OpReturn, {}).add(OpFunctionEnd, {});
  return m.words();
}

// Translators write the null value of LLVM's local variables; there is no other.
TEST(IntermediateLanguage, InitializersOfLocalVariables) {
  const auto context = make_context();
  const auto queue = make_queue(context);
  const auto program = create(context, module_with_local_initializer([](auto& m, Word i32) {
                                return m.result(OpConstantNull, i32);
                              }));
  ASSERT_EQ(build_status(program), CL_SUCCESS) << build_log(program);
  const auto kernel = make_kernel(program, "k");
  const auto out = make_buffer(context, sizeof(int));
  set_args(kernel, out);
  run(queue, kernel, {{1}, {}, {}});
  EXPECT_EQ(read<int>(queue, out, 1)[0], 9);
  const auto refused = create(context, module_with_local_initializer([](auto& m, Word i32) {
                                return m.result(OpConstant, i32, {5});
                              }));
  EXPECT_EQ(build_status(refused), CL_BUILD_PROGRAM_FAILURE);
  EXPECT_NE(build_log(refused).find("null constant"), std::string::npos) << build_log(refused);
}

// SPIR-V 3.6: an entry point with Initializer runs before all kernels, and is none.
TEST(IntermediateLanguage, Initializers) {
  const auto context = make_context();
  const auto queue = make_queue(context);
  const auto program = create(context, module_with_initializer());
  ASSERT_EQ(build_status(program), CL_SUCCESS) << build_log(program);
  size_t kernels = 0;
  check(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof kernels, &kernels, nullptr), "n");
  EXPECT_EQ(kernels, 1u);
  const auto kernel = make_kernel(program, "k");
  const auto out = make_buffer(context, sizeof(int));
  set_args(kernel, out);
  for (int i = 0; i < 2; ++i) {
    run(queue, kernel, {{1}, {}, {}});
    EXPECT_EQ(read<int>(queue, out, 1)[0], 15);
  }
  const auto refused = create(context, module_with_initializer(true));
  EXPECT_EQ(build_status(refused), CL_BUILD_PROGRAM_FAILURE);
  EXPECT_NE(build_log(refused).find("no parameters"), std::string::npos) << build_log(refused);
}

TEST(IntermediateLanguage, IsReported) {
  EXPECT_EQ(device_text(CL_DEVICE_IL_VERSION).rfind("SPIR-V_1.", 0), 0u);
  size_t bytes = 0;
  check(clGetDeviceInfo(device(), CL_DEVICE_ILS_WITH_VERSION, 0, nullptr, &bytes), "ILS");
  std::vector<cl_name_version> list(bytes / sizeof(cl_name_version));
  check(clGetDeviceInfo(device(), CL_DEVICE_ILS_WITH_VERSION, bytes, list.data(), nullptr), "ILS");
  ASSERT_FALSE(list.empty());
  for (const auto& entry : list)
    EXPECT_STREQ(entry.name, "SPIR-V");
  // cl_khr_spirv_queries
  std::vector<cl_uint> capabilities(200);
  check(clGetDeviceInfo(device(), 0x12BB, 800, capabilities.data(), &bytes), "capabilities");
  capabilities.resize(bytes / sizeof(cl_uint));
  for (const cl_uint needed : {Addresses, Linkage, KernelCapability, Int64, Int16, Int8, Float64})
    EXPECT_NE(std::find(capabilities.begin(), capabilities.end(), needed), capabilities.end())
        << needed;
  EXPECT_EQ(std::find(capabilities.begin(), capabilities.end(), Shader), capabilities.end());
  std::vector<const char*> sets(20);
  check(clGetDeviceInfo(device(), 0x12B9, 160, sets.data(), &bytes), "instruction sets");
  EXPECT_STREQ(sets[0], "OpenCL.std");
}

TEST(IntermediateLanguage, BuildsAndRuns) {
  const auto context = make_context();
  const auto words = add_kernel();
  const auto program = create(context, words);
  ASSERT_EQ(build_status(program), CL_SUCCESS) << build_log(program);
  EXPECT_EQ(run_kernel(context, program, 5), expected(5));
  size_t size = 0;
  check(clGetProgramInfo(program, CL_PROGRAM_IL, 0, nullptr, &size), "CL_PROGRAM_IL");
  Words kept(words.size());
  ASSERT_EQ(size, 4 * words.size());
  check(clGetProgramInfo(program, CL_PROGRAM_IL, size, kept.data(), nullptr), "CL_PROGRAM_IL");
  EXPECT_EQ(kept, words);
  EXPECT_EQ(clGetProgramInfo(program, CL_PROGRAM_IL, size - 1, kept.data(), nullptr),
            CL_INVALID_VALUE);
  // A program of source has none.
  const auto source = make_program(context, "kernel void k() {}");
  check(clGetProgramInfo(source, CL_PROGRAM_IL, 0, nullptr, &size), "CL_PROGRAM_IL");
  EXPECT_EQ(size, 0u);
}

TEST(IntermediateLanguage, TheOtherByteOrderAndEveryVersion) {
  const auto context = make_context();
  auto words = add_kernel();
  for (auto& word : words)
    word = __builtin_bswap32(word);
  auto program = create(context, words);
  ASSERT_EQ(build_status(program), CL_SUCCESS) << build_log(program);
  EXPECT_EQ(run_kernel(context, program, 2), expected(2));
  for (Word minor = 0; minor <= 6; ++minor) {
    auto of_version = add_kernel();
    of_version[1] = 0x00010000 | minor << 8;
    EXPECT_EQ(build_status(create(context, of_version)), CL_SUCCESS) << minor;
  }
}

TEST(IntermediateLanguage, WhatIsNotAModule) {
  const auto context = make_context();
  const auto good = add_kernel();
  const auto refused = [&](const void* data, size_t bytes) {
    cl_int error = CL_SUCCESS;
    EXPECT_EQ(clCreateProgramWithIL(context, data, bytes, &error), nullptr);
    return error;
  };
  EXPECT_EQ(refused(nullptr, 100), CL_INVALID_VALUE);
  EXPECT_EQ(refused(good.data(), 0), CL_INVALID_VALUE);
  EXPECT_EQ(refused(good.data(), 19), CL_INVALID_VALUE);
  EXPECT_EQ(refused(good.data(), 4 * good.size() - 2), CL_INVALID_VALUE);
  EXPECT_EQ(refused(good.data(), 4 * good.size() - 4), CL_INVALID_VALUE); // cut
  EXPECT_EQ(refused("kernel void k() {}  ", 20), CL_INVALID_VALUE);
  const auto with = [&](size_t index, Word word) {
    auto changed = good;
    changed[index] = word;
    return refused(changed.data(), 4 * changed.size());
  };
  EXPECT_EQ(with(0, 0x12345678), CL_INVALID_VALUE);
  EXPECT_EQ(with(1, 0x00010700), CL_INVALID_VALUE); // 1.7
  EXPECT_EQ(with(1, 0x00020000), CL_INVALID_VALUE);
  EXPECT_EQ(with(3, 0), CL_INVALID_VALUE);          // bound
  EXPECT_EQ(with(3, 0xFFFFFFFF), CL_INVALID_VALUE); // bound
  EXPECT_EQ(with(4, 1), CL_INVALID_VALUE);          // schema
  EXPECT_EQ(with(5, 17), CL_INVALID_VALUE);         // word count 0
  cl_int error = CL_SUCCESS;
  EXPECT_EQ(clCreateProgramWithIL(nullptr, good.data(), 4 * good.size(), &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_CONTEXT);
  // 32-bit addresses, and another memory model.
  for (const Words& model : {Words{1, 2}, Words{2, 1}}) {
    Module m = Module::kernel();
    m.add(OpMemoryModel, model);
    const auto words = m.words();
    EXPECT_EQ(refused(words.data(), 4 * words.size()), CL_INVALID_VALUE);
  }
}

TEST(IntermediateLanguage, TheNameOfTheExtension) {
  using Function = cl_program(CL_API_CALL*)(cl_context, const void*, size_t, cl_int*);
  const auto function = reinterpret_cast<Function>(
      clGetExtensionFunctionAddressForPlatform(platform(), "clCreateProgramWithILKHR"));
  ASSERT_NE(function, nullptr);
  const auto context = make_context();
  const auto words = add_kernel();
  cl_int error = CL_SUCCESS;
  const Program program(function(context, words.data(), 4 * words.size(), &error));
  ASSERT_EQ(error, CL_SUCCESS);
  EXPECT_EQ(build_status(program), CL_SUCCESS);
}

// An unknown capability, a missing function: the log says where and what.
TEST(IntermediateLanguage, LogsNameInstructionOffsetAndRule) {
  const auto context = make_context();
  KernelModule shader("", {Shader});
  shader.types();
  shader.begin({});
  shader.end();
  auto program = create(context, shader.words());
  EXPECT_EQ(build_status(program), CL_BUILD_PROGRAM_FAILURE);
  const auto log = build_log(program);
  EXPECT_NE(log.find("OpCapability at byte 60"), std::string::npos) << log;
  EXPECT_NE(log.find("Shader"), std::string::npos) << log;

  KernelModule types;
  types.types();
  const auto p = types.begin({types.global_i32, types.f32});
  types.result(OpIAdd, types.i32, {p[1], p[1]});
  types.end();
  program = create(context, types.words());
  EXPECT_EQ(build_status(program), CL_BUILD_PROGRAM_FAILURE);
  EXPECT_NE(build_log(program).find("OpIAdd at byte"), std::string::npos) << build_log(program);
}

// chipStar's structures that are passed by value are Generic pointers.
TEST(IntermediateLanguage, GenericPointersByValue) {
  constexpr Word kGeneric = 8, kGenericPointer = 38, kParameterAttribute = 38, kByVal = 2,
                 kAccessChain = 66;
  auto m = KernelModule::kernel();
  m.add(OpCapability, {kGenericPointer});
  m.memory_model();
  const Word kernel = m.id(), pair = m.id();
  m.add(OpEntryPoint, {6, kernel}, "k");
  m.add(OpDecorate, {pair, kParameterAttribute, kByVal});
  const Word none = m.type(OpTypeVoid), i32 = m.type(OpTypeInt, {32, 0});
  const Word structure = m.type(OpTypeStruct, {i32, i32});
  const Word global = m.type(OpTypePointer, {CrossWorkgroup, i32});
  const Word by_value = m.type(OpTypePointer, {kGeneric, structure});
  const Word member = m.type(OpTypePointer, {kGeneric, i32});
  const Word zero = m.result(OpConstant, i32, {0}), one = m.result(OpConstant, i32, {1});
  const Word function_type = m.type(OpTypeFunction, {none, global, by_value});
  m.add(OpFunction, {none, kernel, 0, function_type});
  const Word out = m.result(OpFunctionParameter, global);
  m.add(OpFunctionParameter, {by_value, pair});
  m.type(OpLabel);
  const auto load = [&](Word index) {
    return m.result(OpLoad, i32, {m.result(kAccessChain, member, {pair, index})});
  };
  const Word first = load(zero), second = load(one);
  m.add(OpStore, {out, m.result(OpISub, i32, {first, second})});
  m.add(OpReturn, {}).add(OpFunctionEnd, {});

  const auto context = make_context();
  const auto queue = make_queue(context);
  const auto program = create(context, m.words());
  ASSERT_EQ(build_status(program), CL_SUCCESS) << build_log(program);
  const auto k = make_kernel(program, "k");
  const auto buffer = make_buffer(context, sizeof(int));
  const cl_int numbers[2] = {40, 2};
  check(set_arg(k, 0, buffer), "argument 0");
  check(clSetKernelArg(k, 1, sizeof numbers, numbers), "argument 1");
  run(queue, k, {{1}, {}, {}});
  EXPECT_EQ(read<int>(queue, buffer, 1)[0], 38);
}

// Not valid, but numba-dpex writes such variables, and other drivers take them.
TEST(IntermediateLanguage, UnusedModuleVariablesOfPrivateMemory) {
  const auto context = make_context();
  const auto build_with = [&](bool used) {
    KernelModule m;
    m.types();
    const Word pointer = m.type(OpTypePointer, {Function, m.i32});
    const Word variable = m.result(OpVariable, pointer, {Function});
    const Word seven = m.constant32(7);
    const auto p = m.begin({m.global_i32});
    const Word i = m.load_global_id();
    const Word value = used ? m.result(OpLoad, m.i32, {variable, 2, 4}) : seven;
    m.add(OpStore, {m.result(OpInBoundsPtrAccessChain, m.global_i32, {p[0], i}), value, 2, 4});
    m.end();
    return create(context, m.words());
  };
  const auto program = build_with(false);
  EXPECT_EQ(build_status(program), CL_SUCCESS) << build_log(program);
  EXPECT_EQ(build_status(build_with(true)), CL_BUILD_PROGRAM_FAILURE);
}

// What asks for more than there is: extensions without a name here, named barriers, another
// rounding of all arithmetic.
TEST(IntermediateLanguage, RefusesWhatIsNotThere) {
  const auto context = make_context();
  const auto log_of = [&](const std::vector<Word>& capabilities, const char* extension) {
    KernelModule m("", capabilities, extension);
    m.types();
    m.begin({});
    m.end();
    const auto program = create(context, m.words());
    EXPECT_EQ(build_status(program), CL_BUILD_PROGRAM_FAILURE);
    return build_log(program);
  };
  EXPECT_NE(log_of({}, "SPV_INTEL_vector_compute").find("'SPV_INTEL_vector_compute'"),
            std::string::npos);
  EXPECT_NE(log_of({60}, nullptr).find("PipeStorage"), std::string::npos);
  EXPECT_NE(log_of({4468}, nullptr).find("RoundingModeRTZ"), std::string::npos);
}

// cl_khr_initialize_memory, for modules as for source.
TEST(IntermediateLanguage, PrivateMemoryIsInitialized) {
  constexpr cl_context_properties kInitialize = 0x2030, kPrivate = 2;
  const cl_context_properties properties[] = {kInitialize, kPrivate, 0};
  const auto unit = device();
  cl_int error = CL_SUCCESS;
  const Context context(clCreateContext(properties, 1, &unit, nullptr, nullptr, &error));
  ASSERT_EQ(error, CL_SUCCESS);
  KernelModule m;
  m.types();
  const Word array = m.type(OpTypeArray, {m.i32, m.constant32(64)});
  const Word to_array = m.type(OpTypePointer, {Function, array});
  const Word to_element = m.type(OpTypePointer, {Function, m.i32});
  const Word mask = m.constant64(63);
  const auto p = m.begin({m.global_i32, m.i32});
  const Word variable = m.result(OpVariable, to_array, {Function});
  const Word i = m.load_global_id();
  const Word index = m.result(199, m.i64, {i, mask});               // OpBitwiseAnd
  const Word element = m.result(65, to_element, {variable, index}); // OpAccessChain
  const Word value = m.result(OpLoad, m.i32, {element, 2, 4});
  m.add(OpStore, {m.result(OpInBoundsPtrAccessChain, m.global_i32, {p[0], i}),
                  m.result(OpIAdd, m.i32, {value, p[1]}), 2, 4});
  m.end();
  const auto program = create(context, m.words());
  ASSERT_EQ(build_status(program), CL_SUCCESS) << build_log(program);
  EXPECT_EQ(run_kernel(context, program, 5), std::vector<int>(64, 5));
}

TEST(IntermediateLanguage, CompilesAndLinksWithSource) {
  const auto context = make_context();
  // The module calls int twice(int), which source defines, and defines int thrice(int) for source.
  Module m = Module::kernel();
  m.memory_model();
  const Word kernel = m.id(), twice = m.id(), thrice = m.id();
  m.add(OpEntryPoint, {6, kernel}, "k");
  m.add(OpDecorate, {twice, 41}, "twice", {1});
  m.add(OpDecorate, {thrice, 41}, "thrice", {0});
  const Word none = m.type(OpTypeVoid);
  const Word i32 = m.type(OpTypeInt, {32, 0});
  const Word pointer = m.type(OpTypePointer, {CrossWorkgroup, i32});
  const Word unary = m.type(OpTypeFunction, {i32, i32});
  const Word entry = m.type(OpTypeFunction, {none, pointer});
  const Word three = m.result(OpConstant, i32, {3});
  m.add(OpFunction, {i32, twice, 0, unary});
  m.result(OpFunctionParameter, i32);
  m.add(OpFunctionEnd, {});
  m.add(OpFunction, {i32, thrice, 0, unary});
  const Word given = m.result(OpFunctionParameter, i32);
  m.type(OpLabel);
  m.add(OpReturnValue, {m.result(OpIMul, i32, {given, three})});
  m.add(OpFunctionEnd, {});
  m.add(OpFunction, {none, kernel, 0, entry});
  const Word out = m.result(OpFunctionParameter, pointer);
  m.type(OpLabel);
  m.add(OpStore, {out, m.result(OpFunctionCall, i32, {twice, three})});
  m.add(OpReturn, {});
  m.add(OpFunctionEnd, {});

  const auto module = create(context, m.words());
  ASSERT_EQ(clCompileProgram(module, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr),
            CL_SUCCESS)
      << build_log(module);
  const auto source = make_program(context, "int thrice(int x); int twice(int x) { return 2 * x; }"
                                            "kernel void s(global int* out) { *out = thrice(7); }");
  ASSERT_EQ(clCompileProgram(source, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr),
            CL_SUCCESS);
  const cl_program both[] = {module, source};
  cl_int error = CL_SUCCESS;
  const Program linked(clLinkProgram(context, 0, nullptr, "", 2, both, nullptr, nullptr, &error));
  ASSERT_EQ(error, CL_SUCCESS) << build_log(linked);
  const auto queue = make_queue(context);
  const auto buffer = make_buffer(context, 4);
  for (const auto& [name, value] : {std::pair{"k", 6}, std::pair{"s", 21}}) {
    const auto k = make_kernel(linked, name);
    set_args(k, buffer);
    run(queue, k, {{1}, {}, {}});
    EXPECT_EQ(read<int>(queue, buffer, 1)[0], value) << name;
  }
  // Alone it lacks what it imports.
  const auto alone = create(context, m.words());
  EXPECT_EQ(build_status(alone), CL_BUILD_PROGRAM_FAILURE);
  EXPECT_NE(build_log(alone).find("twice"), std::string::npos) << build_log(alone);
}

// Stores each constant to out: bool, 8, 16, 32 and 64 bits, float and double, a composite's sum and
// an operation on one.
Words specialized_kernel() {
  KernelModule m("", {Int16, Float64});
  const Word yes = m.id(), no = m.id(), c8 = m.id(), c16 = m.id(), c32 = m.id(), c64 = m.id(),
             cf = m.id(), cd = m.id();
  Word number = 10;
  for (const Word id : {yes, no, c8, c16, c32, c64, cf, cd})
    m.add(OpDecorate, {id, 1, number++});
  m.types();
  const Word i16 = m.type(OpTypeInt, {16, 0});
  const Word f64 = m.type(OpTypeFloat, {64});
  const Word global_f64 = m.type(OpTypePointer, {CrossWorkgroup, f64});
  const Word pair = m.type(OpTypeVector, {m.i32, 2});
  m.add(OpSpecConstantTrue, {m.bool_type, yes});
  m.add(OpSpecConstantFalse, {m.bool_type, no});
  m.add(OpSpecConstant, {m.i8, c8, 8});
  m.add(OpSpecConstant, {i16, c16, 16});
  m.add(OpSpecConstant, {m.i32, c32, 32});
  m.add(OpSpecConstant, {m.i64, c64, 64, 0});
  m.add(OpSpecConstant, {m.f32, cf, 0x3F800000});
  m.add(OpSpecConstant, {f64, cd, 0, 0x40000000});
  const Word composite = m.result(OpSpecConstantComposite, pair, {c32, c32});
  const Word first = m.result(OpSpecConstantOp, m.i32, {OpCompositeExtract, composite, 0});
  const Word sum = m.result(OpSpecConstantOp, m.i32, {OpIAdd, first, c32});
  const Word one = m.constant32(1), zero = m.constant32(0);
  Words places;
  for (unsigned i = 0; i < 9; ++i)
    places.push_back(m.constant64(i));
  const auto p = m.begin({global_f64});
  const auto store = [&](unsigned at, Word value) {
    const Word place = m.result(OpInBoundsPtrAccessChain, global_f64, {p[0], places[at]});
    m.add(OpStore, {place, value, 2, 8});
  };
  const auto of_int = [&](Word value) { return m.result(OpConvertUToF, f64, {value}); };
  store(0, of_int(m.result(OpSelect, m.i32, {yes, one, zero})));
  store(1, of_int(m.result(OpSelect, m.i32, {no, one, zero})));
  store(2, of_int(c8));
  store(3, of_int(c16));
  store(4, of_int(c32));
  store(5, of_int(c64));
  store(6, m.result(115, f64, {cf}));
  store(7, cd);
  store(8, of_int(sum));
  m.end();
  return m.words();
}

TEST(SpecializationConstants, EveryType) {
  const auto context = make_context();
  const auto queue = make_queue(context);
  const auto program = create(context, specialized_kernel());
  const auto out = make_buffer(context, 9 * sizeof(double));
  const auto results = [&] {
    EXPECT_EQ(build_status(program), CL_SUCCESS) << build_log(program);
    const auto kernel = make_kernel(program, "k");
    set_args(kernel, out);
    run(queue, kernel, {{1}, {}, {}});
    return read<double>(queue, out, 9);
  };
  EXPECT_EQ(results(), (std::vector<double>{1, 0, 8, 16, 32, 64, 1, 2, 64}));
  const auto set = [&](cl_uint id, auto value) {
    return clSetProgramSpecializationConstant(program, id, sizeof value, &value);
  };
  EXPECT_EQ(set(10, cl_uchar{0}), CL_SUCCESS);
  EXPECT_EQ(set(11, cl_uchar{1}), CL_SUCCESS);
  EXPECT_EQ(set(12, cl_uchar{200}), CL_SUCCESS);
  EXPECT_EQ(set(13, cl_ushort{60000}), CL_SUCCESS);
  EXPECT_EQ(set(14, 7u), CL_SUCCESS);
  EXPECT_EQ(set(15, cl_ulong{1} << 40), CL_SUCCESS);
  EXPECT_EQ(set(16, 1.5f), CL_SUCCESS);
  EXPECT_EQ(set(17, -2.25), CL_SUCCESS);
  EXPECT_EQ(results(), (std::vector<double>{0, 1, 200, 60000, 7, 1099511627776.0, 1.5, -2.25, 14}));
  // Set again: the last value counts.
  EXPECT_EQ(set(14, 9u), CL_SUCCESS);
  EXPECT_EQ(results()[4], 9);
}

TEST(SpecializationConstants, Errors) {
  const auto context = make_context();
  const auto program = create(context, specialized_kernel());
  const cl_ulong value = 0;
  EXPECT_EQ(clSetProgramSpecializationConstant(program, 99, 4, &value), CL_INVALID_SPEC_ID);
  EXPECT_EQ(clSetProgramSpecializationConstant(program, 14, 8, &value), CL_INVALID_VALUE);
  EXPECT_EQ(clSetProgramSpecializationConstant(program, 15, 4, &value), CL_INVALID_VALUE);
  EXPECT_EQ(clSetProgramSpecializationConstant(program, 10, 4, &value), CL_INVALID_VALUE);
  EXPECT_EQ(clSetProgramSpecializationConstant(program, 14, 4, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clSetProgramSpecializationConstant(nullptr, 14, 4, &value), CL_INVALID_PROGRAM);
  const auto source = make_program(context, "kernel void k() {}");
  EXPECT_EQ(clSetProgramSpecializationConstant(source, 14, 4, &value), CL_INVALID_PROGRAM);
}

// A loop with a switch in it, with names, a line and values that come from several blocks.
Words branching_kernel() {
  KernelModule m;
  const Word header = m.id(), even = m.id(), odd = m.id(), next = m.id(), after = m.id();
  m.add(OpName, {header}, "header");
  m.types();
  const Word zero = m.constant32(0), one = m.constant32(1), many = m.constant32(9);
  const auto p = m.begin({m.global_i32, m.i32});
  const Word before = m.id(), i = m.id(), sum = m.id(), i_next = m.id(), sum_next = m.id();
  m.add(OpBranch, {before}).add(OpLabel, {before}).add(OpBranch, {header}).add(OpLabel, {header});
  m.add(OpPhi, {m.i32, i, zero, before, i_next, next});
  m.add(OpPhi, {m.i32, sum, p[1], before, sum_next, next});
  constexpr Word kOpBitwiseAnd = 199, kOpSwitch = 251;
  const Word bit = m.result(kOpBitwiseAnd, m.i32, {i, one});
  m.add(kOpSwitch, {bit, odd, 0, even}).add(OpLabel, {even}).add(OpBranch, {next});
  m.add(OpLabel, {odd}).add(OpBranch, {next}).add(OpLabel, {next});
  m.add(OpPhi, {m.i32, sum_next, one, even, i, odd});
  m.add(OpIAdd, {m.i32, i_next, i, one});
  const Word more = m.result(OpULessThan, m.bool_type, {i_next, many});
  m.add(OpBranchConditional, {more, header, after}).add(OpLabel, {after});
  m.add(OpStore, {p[0], sum_next, 2, 4});
  m.end();
  return m.words();
}

// Every prefix of a module and every word of it changed, to all ones too: a code and a log, never a
// crash.
void damage(cl_context context, const Words& words) {
  unsigned built = 0, refused = 0;
  for (size_t i = 5; i < words.size(); ++i)
    for (const Word change : {0x1u, 0x10u, 0xFFFF0000u, ~words[i]}) {
      auto damaged = words;
      damaged[i] ^= change;
      cl_int error = CL_SUCCESS;
      const auto program = create(context, damaged, &error);
      if (error != CL_SUCCESS) {
        EXPECT_EQ(error, CL_INVALID_VALUE);
        ++refused;
        continue;
      }
      // To bitcode only: the reader is what is tested.
      const auto status =
          clCompileProgram(program, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr);
      if (status == CL_SUCCESS) {
        ++built;
        continue;
      }
      EXPECT_EQ(status, CL_COMPILE_PROGRAM_FAILURE);
      const auto log = build_log(program);
      EXPECT_NE(log.find("SPIR-V"), std::string::npos) << i << ": " << log;
      EXPECT_EQ(log.find("the compiler failed"), std::string::npos) << i << ": " << log;
      ++refused;
    }
  EXPECT_GT(refused, built);
}

TEST(IntermediateLanguage, DamagedModulesAreRefused) {
  const auto context = make_context();
  damage(context, specialized_kernel());
  const auto branching = branching_kernel();
  EXPECT_EQ(build_status(create(context, branching)), CL_SUCCESS);
  damage(context, branching);
}

} // namespace
