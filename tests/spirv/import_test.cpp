// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Imported functions: names that stand for instructions (__spirv_*), LLVM's arithmetic (llvm.*),
// and what SPV_KHR_linkonce_odr and SPV_KHR_no_integer_wrap_decoration say.
#include "tests/spirv/elementwise.h"

#include <cmath>
#include <limits>

namespace {

using namespace heddle::test;

constexpr Word kLinkage = 41, kSubgroupDispatch = 58;

// An elementwise kernel that imports functions.
template <class T>
class Importer {
 public:
  explicit Importer(std::initializer_list<Word> capabilities = {kSubgroupDispatch})
      : kernel_(capabilities) {
    kernel_.functions = [this](KernelModule& m) {
      for (const auto& import : imports_) {
        m.add(OpFunction, {import.result, import.id, 0, import.type});
        for (const Word parameter : import.parameters)
          m.result(OpFunctionParameter, parameter);
        m.add(OpFunctionEnd, {});
      }
    };
  }
  // To be called among the constants: the function's id.
  Word import(KernelModule& m, const std::string& name, Word result, const Words& parameters) {
    Words signature = {result};
    signature.insert(signature.end(), parameters.begin(), parameters.end());
    const Word id = m.id();
    m.add(OpDecorate, {id, kLinkage}, name, {1});
    imports_.push_back({id, result, m.type(OpTypeFunction, signature), parameters});
    return id;
  }
  std::vector<T> run(const std::vector<T>& a, const std::vector<T>& b,
                     const std::function<void(KernelModule&)>& constants,
                     const std::function<Word(typename Elementwise<T>::Body)>& body) {
    imports_.clear();
    return kernel_.run(a, b, constants, body);
  }
  const Elementwise<T>& kernel() const { return kernel_; }

 private:
  struct Import {
    Word id, result, type;
    Words parameters;
  };
  Elementwise<T> kernel_;
  std::vector<Import> imports_;
};

TEST(ImportedInstructions, GroupOperationsAndBuiltins) {
  Importer<int> importer({kSubgroupDispatch, 18});
  const auto a = numbers<int>(5, 3), b = numbers<int>(100, -1);
  Word add = 0, local_id = 0, group_id = 0, negate = 0, sub_group = 0, reduce = 0, zero = 0;
  const auto constants = [&](KernelModule& m) {
    add = importer.import(m, "_Z17__spirv_GroupIAddjjj", m.i32, {m.i32, m.i32, m.i32});
    local_id = importer.import(m, "_Z32__spirv_BuiltInLocalInvocationIdi", m.i64, {m.i32});
    group_id = importer.import(m, "_Z40__spirv_BuiltInSubgroupLocalInvocationIdv", m.i32, {});
    negate = importer.import(m, "__spirv_SNegate", m.i32, {m.i32});
    sub_group = m.constant32(3), reduce = m.constant32(0), zero = m.constant32(0);
  };
  const auto out = importer.run(a, b, constants, [&](auto body) {
    auto& m = body.module;
    const auto call = [&](Word type, Words operands) {
      return m.result(OpFunctionCall, type, std::move(operands));
    };
    const Word sum = call(m.i32, {add, sub_group, reduce, body.a});
    const Word id = m.result(OpUConvert, m.i32, {call(m.i64, {local_id, zero})});
    const Word lane = call(m.i32, {group_id});
    const Word places = m.result(OpISub, m.i32, {id, lane});
    return m.result(OpIAdd, m.i32,
                    {m.result(OpIAdd, m.i32, {sum, places}), call(m.i32, {negate, body.b})});
  });
  EXPECT_EQ(out, expected<int>([&](size_t i) {
              int sum = 0;
              for (size_t k = i & ~size_t{15}; k < (i & ~size_t{15}) + 16; ++k)
                sum += a[k];
              return sum + static_cast<int>(i & ~size_t{15}) - b[i];
            }));
}

TEST(ImportedInstructions, ConversionsLibraryAndMemory) {
  Importer<float> importer;
  const auto a = numbers<float>(-70.5f, 9.25f), b = numbers<float>(3, 1);
  Word convert = 0, back = 0, fmax = 0, fence = 0, device = 0, release = 0;
  const auto constants = [&](KernelModule& m) {
    convert = importer.import(m, "_Z30__spirv_ConvertFToU_Ruchar_satf", m.i8, {m.f32});
    back = importer.import(m, "_Z27__spirv_ConvertUToF_Rfloath", m.f32, {m.i8});
    fmax = importer.import(m, "_Z16__spirv_ocl_fmaxff", m.f32, {m.f32, m.f32});
    fence = importer.import(m, "_Z21__spirv_MemoryBarrierjj", m.void_type, {m.i32, m.i32});
    device = m.constant32(1), release = m.constant32(0x208);
  };
  const auto out = importer.run(a, b, constants, [&](auto body) {
    auto& m = body.module;
    const Word byte = m.result(OpFunctionCall, m.i8, {convert, body.a});
    m.result(OpFunctionCall, m.void_type, {fence, device, release});
    const Word number = m.result(OpFunctionCall, m.f32, {back, byte});
    return m.result(OpFunctionCall, m.f32, {fmax, number, body.b});
  });
  EXPECT_EQ(out, expected<float>([&](size_t i) {
              return std::max(std::trunc(std::min(std::max(a[i], 0.0f), 255.0f)), b[i]);
            }));
}

// What a call cannot stand for, and operands that must be constants.
TEST(ImportedInstructions, RulesAreChecked) {
  const auto log_of = [](const std::string& name, bool constant) {
    Importer<int> importer({kSubgroupDispatch, 18});
    Word function = 0, scope = 0;
    const auto constants = [&](KernelModule& m) {
      function = importer.import(m, name, m.i32, {m.i32, m.i32, m.i32});
      scope = m.constant32(3);
    };
    const auto words = importer.kernel().module(constants, [&](auto body) {
      return body.module.result(OpFunctionCall, body.type,
                                {function, scope, constant ? scope : body.a, body.b});
    });
    const auto context = make_context();
    const Program program(clCreateProgramWithIL(context, words.data(), 4 * words.size(), nullptr));
    EXPECT_NE(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr), CL_SUCCESS);
    return build_log(program);
  };
  EXPECT_NE(log_of("_Z17__spirv_GroupIAddjjj", false).find("the operand"), std::string::npos);
  EXPECT_NE(
      log_of("_Z17__spirv_GroupIAddjjj", true).find("a clustered reduction has a cluster's size"),
      std::string::npos);
  // An import like others, that nothing defines.
  EXPECT_NE(log_of("_Z11__spirv_Phijjj", true), "");
  EXPECT_NE(log_of("_Z18__spirv_NoSuchThingjjj", true), "");
}

TEST(ImportedIntrinsics, SaturatedAndCounted) {
  Importer<int> importer;
  const auto a = numbers<int>(std::numeric_limits<int>::max() - 320, 5);
  const auto b = numbers<int>(-20, 3);
  Word add = 0, leading = 0, absolute = 0, no = 0;
  const auto constants = [&](KernelModule& m) {
    add = importer.import(m, "llvm.sadd.sat.i32", m.i32, {m.i32, m.i32});
    leading = importer.import(m, "llvm.ctlz.i32", m.i32, {m.i32, m.bool_type});
    absolute = importer.import(m, "llvm.abs.i32", m.i32, {m.i32, m.bool_type});
    no = m.result(42, m.bool_type); // OpConstantFalse
  };
  const auto out = importer.run(a, b, constants, [&](auto body) {
    auto& m = body.module;
    const Word sum = m.result(OpFunctionCall, m.i32, {add, body.a, body.b});
    const Word distance = m.result(OpFunctionCall, m.i32, {absolute, body.b, no});
    const Word zeros = m.result(OpFunctionCall, m.i32, {leading, distance, no});
    return m.result(OpISub, m.i32, {sum, zeros});
  });
  EXPECT_EQ(out, expected<int>([&](size_t i) {
              const auto sum = static_cast<long long>(a[i]) + b[i];
              const auto limited =
                  std::min<long long>(std::max<long long>(sum, std::numeric_limits<int>::min()),
                                      std::numeric_limits<int>::max());
              const auto distance = static_cast<unsigned>(std::abs(b[i]));
              return static_cast<int>(limited - (distance == 0 ? 32 : __builtin_clz(distance)));
            }));
}

// Two modules that both define a function that is linkonce_odr, and one that calls it.
TEST(LinkonceOdr, OneDefinitionIsKept) {
  const auto module = [](const std::string& kernel, bool exported) {
    Module m = Module::kernel();
    m.add(OpExtension, {}, "SPV_KHR_linkonce_odr").memory_model();
    const Word entry = m.id(), shared = m.id();
    m.add(OpEntryPoint, {6, entry}, kernel);
    m.add(OpDecorate, {shared, kLinkage}, "shared", {exported ? 0u : 2u});
    const Word none = m.type(OpTypeVoid), i32 = m.type(OpTypeInt, {32, 0});
    const Word pointer = m.type(OpTypePointer, {CrossWorkgroup, i32});
    const Word of_number = m.type(OpTypeFunction, {i32, i32});
    const Word of_pointer = m.type(OpTypeFunction, {none, pointer});
    const Word seven = m.result(OpConstant, i32, {7});
    m.add(OpFunction, {i32, shared, 0, of_number});
    const Word x = m.result(OpFunctionParameter, i32);
    m.type(OpLabel);
    m.add(OpReturnValue, {m.result(OpIMul, i32, {x, seven})}).add(OpFunctionEnd, {});
    m.add(OpFunction, {none, entry, 0, of_pointer});
    const Word out = m.result(OpFunctionParameter, pointer);
    m.type(OpLabel);
    m.add(OpStore,
          {out, m.result(OpFunctionCall, i32, {shared, m.result(OpLoad, i32, {out, 2, 4})}), 2, 4});
    m.add(OpReturn, {}).add(OpFunctionEnd, {});
    return m.words();
  };
  const auto context = make_context();
  const auto link = [&](const Words& one, const Words& other, cl_int* status) {
    std::vector<Program> parts;
    for (const auto* words : {&one, &other}) {
      parts.emplace_back(clCreateProgramWithIL(context, words->data(), 4 * words->size(), nullptr));
      EXPECT_EQ(
          clCompileProgram(parts.back(), 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr),
          CL_SUCCESS)
          << build_log(parts.back());
    }
    const cl_program programs[] = {parts[0], parts[1]};
    return Program(clLinkProgram(context, 0, nullptr, "", 2, programs, nullptr, nullptr, status));
  };
  cl_int status = 1;
  const auto program = link(module("first", false), module("second", false), &status);
  ASSERT_EQ(status, CL_SUCCESS) << build_log(program);
  const auto queue = make_queue(context);
  const int start = 3;
  const auto out = make_buffer(context, sizeof(int), &start);
  for (const char* name : {"first", "second"}) {
    const auto kernel = make_kernel(program, name);
    set_args(kernel, out);
    run(queue, kernel, {{1}, {1}, {}});
  }
  EXPECT_EQ(read<int>(queue, out, 1)[0], 3 * 49);
  // Two that are exported are two definitions.
  const auto twice = link(module("first", true), module("second", true), &status);
  EXPECT_EQ(status, CL_LINK_PROGRAM_FAILURE);
}

// (a + 1) > a of signed numbers: true where the sum does not wrap, and of the largest number only
// if the compiler was told that it does not.
TEST(NoIntegerWrap, DecoratedArithmetic) {
  constexpr Word kNoSignedWrap = 4469, kNoUnsignedWrap = 4470, kSGreaterThan = 173,
                 kUGreaterThan = 172;
  const Elementwise<int> kernel({}, "SPV_KHR_no_integer_wrap_decoration");
  constexpr int kLargest = std::numeric_limits<int>::max();
  const auto run = [&](bool is_signed, bool is_decorated, int last) {
    auto a = numbers<int>(5, 3);
    a.back() = last;
    Word sum = 0, one = 0, zero = 0;
    const auto constants = [&](KernelModule& m) {
      sum = m.id();
      if (is_decorated)
        m.add(OpDecorate, {sum, is_signed ? kNoSignedWrap : kNoUnsignedWrap});
      one = m.constant32(1), zero = m.constant32(0);
    };
    return kernel.run(a, a, constants, [&](auto body) {
      auto& m = body.module;
      m.add(OpIAdd, {m.i32, sum, body.a, one});
      const Word greater =
          m.result(is_signed ? kSGreaterThan : kUGreaterThan, m.bool_type, {sum, body.a});
      return m.result(OpSelect, m.i32, {greater, one, zero});
    });
  };
  const std::vector<int> all(64, 1);
  auto all_but_one = all;
  all_but_one.back() = 0;
  EXPECT_EQ(run(true, false, kLargest), all_but_one);
  EXPECT_EQ(run(true, true, kLargest), all);
  EXPECT_EQ(run(false, false, -1), all_but_one);
  EXPECT_EQ(run(false, true, -1), all);
}

} // namespace
