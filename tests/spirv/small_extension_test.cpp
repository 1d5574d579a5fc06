// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Extensions of one or two instructions: composites in few words, functions of bits and integers,
// rounding, hints.
#include "tests/spirv/elementwise.h"

#include <cmath>
#include <limits>

namespace {

using namespace heddle::test;

constexpr Word kAccessChain = 65, kBitwiseAnd = 199;

// All 256 functions of three operands.
TEST(BitwiseFunction, ByTable) {
  const Elementwise<int> kernel({6241}, "SPV_INTEL_ternary_bitwise_function");
  const auto a = numbers<int>(0x13579BDF, 0x02468ACF), b = numbers<int>(-0x1234567, 0x7654321);
  const int c = 0x0F35A5C3;
  Word third = 0, tables[256] = {}, factor = 0;
  const auto constants = [&](KernelModule& m) {
    third = m.constant32(static_cast<Word>(c));
    factor = m.constant32(31);
    for (Word table = 0; table < 256; ++table)
      tables[table] = m.constant32(table);
  };
  const auto out = kernel.run(a, b, constants, [&](auto body) {
    auto& m = body.module;
    Word sum = body.a;
    for (const Word table : tables) {
      const Word made = m.result(6242, m.i32, {body.a, body.b, third, table});
      sum = m.result(OpIAdd, m.i32, {m.result(OpIMul, m.i32, {sum, factor}), made});
    }
    return sum;
  });
  EXPECT_EQ(out, expected<int>([&](size_t i) {
              auto sum = static_cast<unsigned>(a[i]);
              for (unsigned table = 0; table < 256; ++table) {
                unsigned made = 0;
                for (unsigned bit = 0; bit < 32; ++bit) {
                  const auto row = (static_cast<unsigned>(a[i]) >> bit & 1) |
                                   (static_cast<unsigned>(b[i]) >> bit & 1) << 1 |
                                   (static_cast<unsigned>(c) >> bit & 1) << 2;
                  made |= (table >> row & 1) << bit;
                }
                sum = 31 * sum + made;
              }
              return static_cast<int>(sum);
            }));
}

TEST(TensorFloat32, RoundsToNearestEven) {
  const Elementwise<float> kernel({6425}, "SPV_INTEL_tensor_float32_conversion");
  auto a = numbers<float>(-3.7f, 0.31f);
  a[0] = std::numeric_limits<float>::quiet_NaN();
  a[1] = -std::numeric_limits<float>::infinity();
  a[2] = std::numeric_limits<float>::max(); // rounds to infinity
  a[3] = 1.0f + 0x1p-11f;                   // a tie: to 1
  a[4] = 1.0f + 0x3p-11f;                   // a tie: to 1 + 2^-9
  const auto out = kernel.run(
      a, a, {}, [&](auto body) { return body.module.result(6426, body.type, {body.a}); });
  EXPECT_TRUE(std::isnan(out[0]));
  EXPECT_EQ(out[1], a[1]);
  EXPECT_EQ(out[2], std::numeric_limits<float>::infinity());
  EXPECT_EQ(out[3], 1.0f);
  EXPECT_EQ(out[4], 1.0f + 0x1p-9f);
  for (size_t i = 5; i < a.size(); ++i) {
    EXPECT_LE(std::fabs(out[i] - a[i]), std::ldexp(std::fabs(a[i]), -11)) << a[i];
    EXPECT_EQ(std::fmod(out[i], std::ldexp(1.0f, std::ilogb(out[i]) - 10)), 0.0f) << a[i];
  }
}

TEST(IntegerFunctions, OfShaders) {
  const Elementwise<int> kernel({5584}, "SPV_INTEL_shader_integer_functions2");
  const auto a = numbers<int>(0x7FFFFF00, 0x01234567), b = numbers<int>(-5, 0x11223344);
  const auto run = [&](Word op, bool is_unary) {
    return kernel.run(a, b, {}, [&](auto body) {
      return body.module.result(op, body.type, is_unary ? Words{body.a} : Words{body.a, body.b});
    });
  };
  const auto wide = [&](const std::function<std::int64_t(std::int64_t, std::int64_t)>& function,
                        bool is_unsigned) {
    return expected<int>([&](size_t i) {
      const auto value = [&](int x) {
        return is_unsigned ? std::int64_t{static_cast<unsigned>(x)} : std::int64_t{x};
      };
      return static_cast<int>(function(value(a[i]), value(b[i])));
    });
  };
  const auto signed_saturated = [](std::int64_t x) {
    return std::min<std::int64_t>(std::max<std::int64_t>(x, INT32_MIN), INT32_MAX);
  };
  EXPECT_EQ(run(5585, true),
            wide([](auto x, auto) { return x == 0 ? 32 : __builtin_clz(static_cast<unsigned>(x)); },
                 true));
  EXPECT_EQ(run(5586, true),
            wide([](auto x, auto) { return x == 0 ? 32 : __builtin_ctz(static_cast<unsigned>(x)); },
                 true));
  EXPECT_EQ(run(5587, false), wide([](auto x, auto y) { return std::abs(x - y); }, false));
  EXPECT_EQ(run(5588, false), wide([](auto x, auto y) { return std::abs(x - y); }, true));
  EXPECT_EQ(run(5589, false), wide([&](auto x, auto y) { return signed_saturated(x + y); }, false));
  EXPECT_EQ(run(5590, false),
            wide([](auto x, auto y) { return std::min<std::int64_t>(x + y, UINT32_MAX); }, true));
  EXPECT_EQ(run(5591, false), wide([](auto x, auto y) { return (x + y) >> 1; }, false));
  EXPECT_EQ(run(5592, false), wide([](auto x, auto y) { return (x + y) >> 1; }, true));
  EXPECT_EQ(run(5593, false), wide([](auto x, auto y) { return (x + y + 1) >> 1; }, false));
  EXPECT_EQ(run(5594, false), wide([](auto x, auto y) { return (x + y + 1) >> 1; }, true));
  EXPECT_EQ(run(5595, false), wide([&](auto x, auto y) { return signed_saturated(x - y); }, false));
  EXPECT_EQ(run(5596, false),
            wide([](auto x, auto y) { return std::max<std::int64_t>(x - y, 0); }, true));
  EXPECT_EQ(run(5597, false),
            wide([](auto x, auto y) { return x * static_cast<std::int16_t>(y); }, false));
  EXPECT_EQ(run(5598, false),
            wide([](auto x, auto y) { return x * static_cast<std::uint16_t>(y); }, true));
}

TEST(ReplicatedComposites, ConstantsAndValues) {
  const Elementwise<int> kernel({6024}, "SPV_EXT_replicated_composites");
  const auto a = numbers<int>(2, 3);
  Word vector = 0, array = 0, structure = 0, sevens = 0, nulls = 0, nines = 0, large = 0;
  const auto out = kernel.run(
      a, a,
      [&](KernelModule& m) {
        vector = m.type(OpTypeVector, {m.i32, 4});
        array = m.type(OpTypeArray, {vector, m.constant32(3)});
        structure = m.type(OpTypeStruct, {m.i32, m.i32});
        large =
            m.type(OpTypeArray, {m.i32, m.constant32(1u << 28)}); // of zeros, which cost nothing
        const Word seven = m.result(4461, vector, {m.constant32(7)});
        sevens = m.result(4461, array, {seven});
        nines = m.result(4462, structure, {m.constant32(9)});
        nulls = m.result(4461, large, {m.constant32(0)});
      },
      [&](auto body) {
        auto& m = body.module;
        const Word all = m.result(4463, vector, {body.a});
        const Word pair = m.result(4463, structure, {body.a});
        Word sum = m.result(OpCompositeExtract, m.i32, {all, 3});
        for (const Word part : {m.result(OpCompositeExtract, m.i32, {pair, 1}),
                                m.result(OpCompositeExtract, m.i32, {sevens, 2, 3}),
                                m.result(OpCompositeExtract, m.i32, {nines, 1}),
                                m.result(OpCompositeExtract, m.i32, {nulls, 12345678})})
          sum = m.result(OpIAdd, m.i32, {sum, part});
        return sum;
      });
  EXPECT_EQ(out, expected<int>([&](size_t i) { return 2 * a[i] + 16; }));
  EXPECT_NE(kernel
                .refusal(
                    [&](KernelModule& m) {
                      large = m.type(OpTypeArray, {m.i32, m.constant32(1u << 28)});
                      m.result(4461, large, {m.constant32(1)});
                    },
                    [](auto) { return Word{0}; })
                .find("65,536 times"),
            std::string::npos);
  EXPECT_NE(kernel
                .refusal(
                    [&](KernelModule& m) {
                      vector = m.type(OpTypeVector, {m.i32, 4});
                      m.result(4461, vector, {m.constant64(1)});
                    },
                    [](auto) { return Word{0}; })
                .find("each member's type"),
            std::string::npos);
}

// An array of bytes, as it is and specialized.
TEST(ConstantData, OfArrays) {
  for (const bool is_specialized : {false, true}) {
    KernelModule m("", {5146, Int16}, "SPV_KHR_constant_data");
    const Word data = m.id();
    m.add(OpDecorate, {data, 1, 42});
    m.types();
    const Word i16 = m.type(OpTypeInt, {16, 0});
    const Word array = m.type(OpTypeArray, {i16, m.constant32(5)});
    const Word to_array = m.type(OpTypePointer, {UniformConstant, array});
    const Word to_element = m.type(OpTypePointer, {UniformConstant, i16});
    m.add(5148, {array, data, 0x00020001, 0x00040003, 0xFFFF0005});
    const Word table = m.result(OpVariable, to_array, {UniformConstant, data});
    const auto p = m.begin({m.global_i32});
    const Word i = m.load_global_id();
    const Word element =
        m.result(OpLoad, i16, {m.result(kAccessChain, to_element, {table, i}), 2, 2});
    m.add(OpStore, {m.result(OpInBoundsPtrAccessChain, m.global_i32, {p[0], i}),
                    m.result(OpUConvert, m.i32, {element}), 2, 4});
    m.end();
    const auto words = m.words();
    const auto context = make_context();
    const Program program(clCreateProgramWithIL(context, words.data(), 4 * words.size(), nullptr));
    const std::vector<cl_ushort> given = {11, 22, 33, 44, 55};
    EXPECT_EQ(clSetProgramSpecializationConstant(program, 42, 8, given.data()), CL_INVALID_VALUE);
    if (is_specialized) {
      ASSERT_EQ(clSetProgramSpecializationConstant(program, 42, 10, given.data()), CL_SUCCESS);
    }
    ASSERT_EQ(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr), CL_SUCCESS)
        << build_log(program);
    const auto kernel = make_kernel(program, "k");
    const auto queue = make_queue(context);
    const auto out = make_buffer(context, 5 * sizeof(int));
    set_args(kernel, out);
    run(queue, kernel, {{5}, {}, {}});
    EXPECT_EQ(read<int>(queue, out, 5), is_specialized ? (std::vector<int>{11, 22, 33, 44, 55})
                                                       : (std::vector<int>{1, 2, 3, 4, 5}));
  }
}

TEST(ConstantData, WhatIsRefused) {
  const Elementwise<int> kernel({5146}, "SPV_KHR_constant_data");
  const auto log_of = [&](bool is_array, const Words& data) {
    return kernel.refusal(
        [&](KernelModule& m) {
          const Word array = m.type(OpTypeArray, {m.i8, m.constant32(5)});
          m.result(5147, is_array ? array : m.i32, data);
        },
        [](auto) { return Word{0}; });
  };
  EXPECT_NE(log_of(true, {1}).find("as many words"), std::string::npos);
  EXPECT_NE(log_of(true, {1, 2, 3}).find("as many words"), std::string::npos);
  EXPECT_NE(log_of(false, {1}).find("an array of integers"), std::string::npos);
}

// What is a hint, or a copy, on a CPU.
TEST(Hints, ChangeNothing) {
  const Elementwise<int> kernel({5948, 6220, 5888, 5935}, "SPV_ALTERA_fpga_reg");
  const auto a = numbers<int>(2, 3);
  Word bytes = 0, device_only = 0;
  const auto out = kernel.run(
      a, a,
      [&](KernelModule& m) {
        bytes = m.constant32(16);
        device_only = m.type(OpTypePointer, {5936, m.i32});
      },
      [&](auto body) {
        auto& m = body.module;
        m.add(6221, {body.in_a, bytes});
        const Word own = m.result(5938, device_only, {body.element}); // to DeviceOnly
        const Word back = m.result(5934, m.global_i32, {own});
        m.add(OpStore, {back, body.a, 2, 4});
        const Word loaded = m.result(OpLoad, m.i32, {own, 2, 4});
        return m.result(5949, m.i32, {m.result(OpIAdd, m.i32, {loaded, body.a})});
      });
  EXPECT_EQ(out, expected<int>([&](size_t i) { return 2 * a[i]; }));
}

TEST(VariableLengthArrays, Untyped) {
  const Elementwise<int> kernel({4473, 5817, 6243}, "SPV_INTEL_variable_length_array");
  const auto a = numbers<int>(5, 3);
  Word privately = 0, sixteen = 0, fifteen = 0;
  const auto out = kernel.run(
      a, a,
      [&](KernelModule& m) {
        privately = m.type(4417, {Function});
        sixteen = m.constant32(16);
        fifteen = m.constant32(15);
      },
      [&](auto body) {
        auto& m = body.module;
        const Word array = m.result(6244, privately, {m.i32, sixteen});
        const Word at = m.result(kBitwiseAnd, m.i32, {body.a, fifteen});
        const Word place = m.result(4423, privately, {m.i32, array, at});
        m.add(OpStore, {place, body.a, 2, 4});
        return m.result(OpLoad, m.i32, {place, 2, 4});
      });
  EXPECT_EQ(out, a);
}

// A non-semantic instruction that names what comes later; others may not.
TEST(ForwardReferences, AreOfNonSemanticSets) {
  for (const bool is_library : {false, true}) {
    KernelModule m(is_library ? "OpenCL.std" : "NonSemantic.Example", {},
                   "SPV_KHR_relaxed_extended_instruction");
    m.types();
    const Word later = m.id();
    m.result(4433, is_library ? m.i32 : m.void_type, {m.instructions, 151, later});
    m.add(OpConstant, {m.i32, later, 7});
    const auto p = m.begin({m.global_i32});
    m.add(OpStore, {p[0], later, 2, 4});
    m.end();
    const auto words = m.words();
    const auto context = make_context();
    const Program program(clCreateProgramWithIL(context, words.data(), 4 * words.size(), nullptr));
    EXPECT_EQ(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr),
              is_library ? CL_BUILD_PROGRAM_FAILURE : CL_SUCCESS)
        << build_log(program);
  }
}

// Blocks of local memory: each sub-group writes one and reads that of the next.
TEST(SubgroupBlocks, OfLocalMemory) {
  const Elementwise<int> kernel({58, 5569}, "SPV_INTEL_subgroups");
  const auto a = numbers<int>(3, 7);
  Word tile = 0, to_local = 0, zero = 0, two = 0, semantics = 0, sixteen = 0, mask = 0;
  const auto out = kernel.run(
      a, a,
      [&](KernelModule& m) {
        const Word array = m.type(OpTypeArray, {m.i32, m.constant32(64)});
        tile = m.result(OpVariable, m.type(OpTypePointer, {Workgroup, array}), {Workgroup});
        to_local = m.type(OpTypePointer, {Workgroup, m.i32});
        zero = m.constant32(0), two = m.constant32(2), semantics = m.constant32(0x108);
        sixteen = m.constant64(16), mask = m.constant64(48);
      },
      [&](auto body) {
        auto& m = body.module;
        const Word first = m.result(kBitwiseAnd, m.i64, {m.load_global_id(), mask});
        const Word next =
            m.result(kBitwiseAnd, m.i64, {m.result(OpIAdd, m.i64, {first, sixteen}), mask});
        m.add(5576, {m.result(kAccessChain, to_local, {tile, first}), body.a});
        m.add(OpControlBarrier, {two, two, semantics});
        return m.result(5575, m.i32, {m.result(kAccessChain, to_local, {tile, next})});
      });
  EXPECT_EQ(out, expected<int>([&](size_t i) { return a[(i + 16) % 64]; }));
}

} // namespace
