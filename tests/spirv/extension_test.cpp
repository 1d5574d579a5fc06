// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instructions of SPIR-V extensions that no OpenCL C program of the other tests leads to.
#include "tests/spirv/elementwise.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace {

using namespace heddle::test;

constexpr Word kSubgroupDispatch = 58;

TEST(SubgroupShuffles, OfIntel) {
  constexpr Word kShuffle = 5571, kDown = 5572, kUp = 5573, kXor = 5574;
  const Elementwise<int> kernel({kSubgroupDispatch, 5568}, "SPV_INTEL_subgroups");
  const auto a = numbers<int>(100, 1), b = numbers<int>(1000, 1);
  Word five = 0;
  const auto constants = [&](KernelModule& m) { five = m.constant32(5); };
  const auto run = [&](Word op, bool is_pair) {
    return kernel.run(a, b, constants, [&](auto body) {
      return body.module.result(op, body.type,
                                is_pair ? Words{body.a, body.b, five} : Words{body.a, five});
    });
  };
  const auto base = [](size_t i) { return i & ~size_t{15}; };
  EXPECT_EQ(run(kShuffle, false), expected<int>([&](size_t i) { return a[base(i) + 5]; }));
  EXPECT_EQ(run(kXor, false), expected<int>([&](size_t i) { return a[i ^ 5]; }));
  EXPECT_EQ(run(kDown, true),
            expected<int>([&](size_t i) { return (i & 15) + 5 < 16 ? a[i + 5] : b[i + 5 - 16]; }));
  EXPECT_EQ(run(kUp, true),
            expected<int>([&](size_t i) { return (i & 15) >= 5 ? b[i - 5] : a[i + 16 - 5]; }));
}

TEST(SubgroupBlocks, ReadAndWrite) {
  constexpr Word kRead = 5575, kWrite = 5576;
  const Elementwise<int> kernel({kSubgroupDispatch, 5569}, "SPV_INTEL_subgroups");
  const auto a = numbers<int>(3, 7);
  Word pair = 0, one = 0;
  const auto constants = [&](KernelModule& m) {
    pair = m.type(OpTypeVector, {m.i32, 2});
    one = m.constant64(32);
  };
  // Every sub-group reads the 32 elements behind the 32nd, each work-item two of them, and writes
  // them to the same place of out.
  std::vector<int> out = kernel.run(a, a, constants, [&](auto body) {
    auto& m = body.module;
    const Word from = m.result(OpInBoundsPtrAccessChain, m.global_i32, {body.in_a, one});
    const Word to = m.result(OpInBoundsPtrAccessChain, m.global_i32, {body.out, one});
    const Word both = m.result(kRead, pair, {from});
    m.add(kWrite, {to, both});
    m.add(kWrite, {body.out, m.result(OpCompositeExtract, m.i32, {both, 1})});
    return Word{0};
  });
  for (size_t i = 0; i < 16; ++i)
    EXPECT_EQ(out[i], a[48 + i]) << i;
  for (size_t i = 32; i < 64; ++i)
    EXPECT_EQ(out[i], a[i]) << i;
}

template <class Sum>
std::vector<int> bytes_dotted(const std::vector<int>& a, const std::vector<int>& b, Sum sum) {
  return expected<int>([&](size_t i) {
    std::int64_t all = 0;
    for (int k = 0; k < 4; ++k)
      all += sum(static_cast<std::uint32_t>(a[i]) >> 8 * k & 255,
                 static_cast<std::uint32_t>(b[i]) >> 8 * k & 255);
    return static_cast<int>(all);
  });
}

std::int64_t as_signed(std::uint32_t byte) { return static_cast<std::int8_t>(byte); }

// OpSDot and the others on packed bytes, on vectors of bytes, and with saturation.
TEST(IntegerDotProducts, OfBytes) {
  constexpr Word kSDot = 4450, kUDot = 4451, kSUDot = 4452;
  const auto a = numbers<int>(0x7F80FF01, 0x01234567), b = numbers<int>(-0x7E7D7C7B, 0x0FEDCBA9);
  const auto expectation = [&](Word op) {
    return bytes_dotted(a, b, [&](std::uint32_t x, std::uint32_t y) -> std::int64_t {
      return (op == kUDot ? static_cast<std::int64_t>(x) : as_signed(x)) *
             (op == kSDot ? as_signed(y) : static_cast<std::int64_t>(y));
    });
  };
  for (const Word op : {kSDot, kUDot, kSUDot}) {
    const Elementwise<int> packed({kSubgroupDispatch, 6018, 6019}, "SPV_KHR_integer_dot_product");
    EXPECT_EQ(packed.run(a, b, {},
                         [&](auto body) {
                           return body.module.result(op, body.type, {body.a, body.b, 0});
                         }),
              expectation(op))
        << op;
    const Elementwise<int> vectors({kSubgroupDispatch, 6017, 6019}, "SPV_KHR_integer_dot_product");
    Word bytes = 0;
    EXPECT_EQ(vectors.run(
                  a, b,
                  [&](KernelModule& m) {
                    bytes = m.type(OpTypeVector, {m.i8, 4});
                  },
                  [&](auto body) {
                    auto& m = body.module;
                    return m.result(op, body.type,
                                    {m.result(OpBitcast, bytes, {body.a}),
                                     m.result(OpBitcast, bytes, {body.b})});
                  }),
              expectation(op))
        << op;
  }
}

TEST(IntegerDotProducts, Saturate) {
  constexpr Word kSDotAccSat = 4453, kUDotAccSat = 4454, kSUDotAccSat = 4455;
  const Elementwise<int> kernel({kSubgroupDispatch, 6018, 6019}, "SPV_KHR_integer_dot_product");
  const auto a = numbers<int>(0x7F7F7F7F, 0), b = numbers<int>(0x7E7F7F7F, 0);
  const std::int64_t dot = 127 * (126 + 3 * 127);
  Word near_top = 0;
  for (const auto& [op, top] : {std::pair{kSDotAccSat, std::int64_t{0x7FFFFFFF}},
                                std::pair{kUDotAccSat, std::int64_t{0xFFFFFFFF}},
                                std::pair{kSUDotAccSat, std::int64_t{0x7FFFFFFF}}})
    for (const std::int64_t below : {std::int64_t{5}, 2 * dot}) {
      const auto out = kernel.run(
          a, b,
          [&, top = top](KernelModule& m) {
            near_top = m.constant32(static_cast<Word>(top - below));
          },
          [&, op = op](auto body) {
            return body.module.result(op, body.type, {body.a, body.b, near_top, 0});
          });
      EXPECT_EQ(static_cast<Word>(out[7]), static_cast<Word>(std::min(top, top - below + dot)))
          << op << ' ' << below;
    }
}

// Of two integers of 32 bits, to 64.
TEST(IntegerDotProducts, OfAnyVectors) {
  const Elementwise<cl_long> kernel({kSubgroupDispatch, 6016, 6019}, "SPV_KHR_integer_dot_product");
  const auto a = numbers<cl_long>(-0x123456789ABCDEF, 0x1111111111),
             b = numbers<cl_long>(0x7EDCBA9876543210, -0x333333333333);
  Word pair = 0;
  const auto out = kernel.run(
      a, b,
      [&](KernelModule& m) {
        pair = m.type(OpTypeVector, {m.i32, 2});
      },
      [&](auto body) {
        auto& m = body.module;
        return m.result(4450, body.type,
                        {m.result(OpBitcast, pair, {body.a}), m.result(OpBitcast, pair, {body.b})});
      });
  EXPECT_EQ(out, expected<cl_long>([&](size_t i) {
              const auto low = [](cl_long v) {
                return static_cast<cl_long>(static_cast<cl_int>(v));
              };
              return static_cast<cl_long>(static_cast<cl_ulong>(low(a[i]) * low(b[i])) +
                                          static_cast<cl_ulong>((a[i] >> 32) * (b[i] >> 32)));
            }));
}

template <class T>
void atomic_extremes(Word capability) {
  constexpr Word kMin = 5614, kMax = 5615;
  const auto a = numbers<T>(T(-31.5), T(1.25));
  const Elementwise<T> kernel({kSubgroupDispatch, Float64, capability},
                              "SPV_EXT_shader_atomic_float_min_max");
  for (const bool is_max : {false, true}) {
    Word zero = 0, one = 0;
    const auto out = kernel.run(
        a, a,
        [&](KernelModule& m) {
          zero = m.constant32(0);
          one = m.constant32(1);
        },
        [&](auto body) { // of all work-items, to the first element, which is zero
          body.module.result(is_max ? kMax : kMin, body.type, {body.out, one, zero, body.a});
          return Word{0};
        });
    EXPECT_EQ(out[0], is_max ? *std::max_element(a.begin(), a.end()) : a[0]);
  }
}
TEST(FloatAtomics, MinimumAndMaximumOfFloats) { atomic_extremes<float>(5612); }
TEST(FloatAtomics, MinimumAndMaximumOfDoubles) { atomic_extremes<double>(5613); }

// The first element of what 64 work-items with the halves `a` left, each by one atomic operation.
cl_half combined_halves(const std::vector<cl_half>& a, Word capability, const char* extension,
                        Word op) {
  constexpr Word kFloat16 = 9;
  const Elementwise<cl_half> kernel({kSubgroupDispatch, kFloat16, capability}, extension);
  Word zero = 0, one = 0;
  const auto constants = [&](KernelModule& m) {
    zero = m.constant32(0);
    one = m.constant32(1);
  };
  return kernel.run(a, a, constants, [&](auto body) {
    body.module.result(op, body.type, {body.out, one, zero, body.a});
    return Word{0};
  })[0];
}

TEST(FloatAtomics, OfHalves) {
  constexpr Word kMin = 5614, kMax = 5615, kAdd = 6035;
  const char* extremes = "SPV_EXT_shader_atomic_float_min_max";
  // The bits of -2 and of 0.5, 1, 1.5 and 2, sixteen times each; all sums are exact.
  constexpr cl_half kSome[] = {0x3800, 0x3c00, 0x3e00, 0x4000};
  std::vector<cl_half> a(64);
  for (size_t i = 0; i < a.size(); ++i)
    a[i] = kSome[i % 4];
  EXPECT_EQ(combined_halves(a, 6095, "SPV_EXT_shader_atomic_float16_add", kAdd), 0x5500); // 80
  a[37] = 0xc000;
  EXPECT_EQ(combined_halves(a, 5616, extremes, kMin), 0xc000);
  EXPECT_EQ(combined_halves(a, 5616, extremes, kMax), 0x4000);
}

TEST(FloatAtomics, HalvesAreLoadedStoredAndExchanged) {
  constexpr Word kFloat16 = 9, kLoad = 227, kStore = 228, kExchange = 229;
  const Elementwise<cl_half> kernel({kSubgroupDispatch, kFloat16});
  std::vector<cl_half> a(64), b(64);
  for (size_t i = 0; i < a.size(); ++i) {
    a[i] = static_cast<cl_half>(0x3c00 + i);
    b[i] = static_cast<cl_half>(0x7e01 + i); // NaNs keep their bits
  }
  Word zero = 0, one = 0;
  const auto constants = [&](KernelModule& m) {
    zero = m.constant32(0);
    one = m.constant32(1);
  };
  // Each work-item stores b's element, exchanges it with a's, and loads that again.
  for (const bool loads : {false, true}) {
    const auto out = kernel.run(a, b, constants, [&](auto body) {
      auto& m = body.module;
      m.add(kStore, {body.element, one, zero, body.b});
      const Word old = m.result(kExchange, body.type, {body.element, one, zero, body.a});
      return loads ? m.result(kLoad, body.type, {body.element, one, zero}) : old;
    });
    EXPECT_EQ(out, loads ? a : b);
  }
}

TEST(KernelClock, AdvancesAndIsOneForASubGroup) {
  constexpr Word kReadClock = 5056;
  const Elementwise<cl_long> kernel({kSubgroupDispatch, 5055}, "SPV_KHR_shader_clock");
  const auto a = numbers<cl_long>(0, 0);
  for (const Word scope : {1u, 2u, 3u}) {
    Word constant = 0;
    const auto read = [&](auto body) {
      auto& m = body.module;
      const Word before = m.result(kReadClock, m.i64, {constant});
      m.add(OpStore, {body.element, before, 2, 8});
      const Word after = m.result(kReadClock, m.i64, {constant});
      const Word was = m.result(OpLoad, m.i64, {body.element, 2, 8});
      return m.result(OpISub, m.i64, {after, was});
    };
    const auto out = kernel.run(
        a, a, [&](KernelModule& m) { constant = m.constant32(scope); }, read);
    for (const auto ticks : out) {
      EXPECT_GT(ticks, 0);
      EXPECT_LT(ticks, cl_long{1} << 40);
    }
  }
}

// Each work-item writes its value, arrives, and reads its neighbour's after it has waited.
TEST(SplitBarriers, OrderMemory) {
  const Elementwise<int> kernel({kSubgroupDispatch, 6141}, "SPV_INTEL_split_barrier");
  const auto a = numbers<int>(1, 3);
  Word two = 0, semantics = 0, sixty_three = 0;
  const auto out = kernel.run(
      a, a,
      [&](KernelModule& m) {
        two = m.constant32(2);
        semantics = m.constant32(0x208); // acquire and release, CrossWorkgroup
        sixty_three = m.constant64(63);
      },
      [&](auto body) {
        auto& m = body.module;
        m.add(OpStore, {body.element, body.a, 2, 4});
        m.add(6142, {two, two, semantics});
        m.add(6143, {two, two, semantics});
        const Word opposite = m.result(OpISub, m.i64, {sixty_three, m.load_global_id()});
        const Word place = m.result(OpInBoundsPtrAccessChain, m.global_i32, {body.out, opposite});
        const Word read = m.result(OpLoad, m.i32, {place, 2, 4});
        m.add(OpControlBarrier, {two, two, semantics});
        return read;
      });
  EXPECT_EQ(out, expected<int>([&](size_t i) { return a[63 - i]; }));
}

TEST(BFloat16, RoundsToNearestEvenAndKeepsNaN) {
  const Elementwise<float> kernel({kSubgroupDispatch, Int16, 6115},
                                  "SPV_INTEL_bfloat16_conversion");
  auto a = numbers<float>(-3.7f, 0.31f);
  a[0] = std::numeric_limits<float>::quiet_NaN();
  a[1] = std::numeric_limits<float>::infinity();
  a[2] = std::numeric_limits<float>::max(); // rounds to infinity
  a[3] = 1.00390625f;                       // a tie: to 1
  a[4] = 1.01171875f;                       // a tie: to 1.015625
  Word i16 = 0;
  const auto out = kernel.run(
      a, a,
      [&](KernelModule& m) {
        i16 = m.type(OpTypeInt, {16, 0});
      },
      [&](auto body) {
        auto& m = body.module;
        return m.result(6117, m.f32, {m.result(6116, i16, {body.a})});
      });
  EXPECT_TRUE(std::isnan(out[0]));
  EXPECT_EQ(out[1], a[1]);
  EXPECT_EQ(out[2], a[1]);
  EXPECT_EQ(out[3], 1.0f);
  EXPECT_EQ(out[4], 1.015625f);
  for (size_t i = 5; i < a.size(); ++i)
    EXPECT_LE(std::fabs(out[i] - a[i]), std::ldexp(std::fabs(a[i]), -8)) << a[i];
}

// A structure of an array becomes one of other types with the same members, and an array's pointer
// two words and a pointer again.
TEST(CoreInstructions, CopyLogicalAndBitcastOfPointers) {
  constexpr Word kCopyLogical = 400, kConstruct = 80;
  const Elementwise<int> kernel({kSubgroupDispatch});
  const auto a = numbers<int>(5, 3), b = numbers<int>(-7, 2);
  Word inner[2], outer[2], words = 0;
  const auto out = kernel.run(
      a, b,
      [&](KernelModule& m) {
        const Word two = m.constant32(2);
        words = m.type(OpTypeVector, {m.i32, 2});
        for (int i = 0; i < 2; ++i) {
          inner[i] = m.type(OpTypeArray, {m.i32, two});
          outer[i] = m.type(OpTypeStruct, {m.i64, inner[i]});
        }
      },
      [&](auto body) {
        auto& m = body.module;
        const Word array = m.result(kConstruct, inner[0], {body.a, body.b});
        const Word pair = m.result(kConstruct, outer[0], {m.load_global_id(), array});
        const Word copy = m.result(kCopyLogical, outer[1], {pair});
        const Word sum = m.result(OpIAdd, m.i32,
                                  {m.result(OpCompositeExtract, m.i32, {copy, 1, 0}),
                                   m.result(OpCompositeExtract, m.i32, {copy, 1, 1})});
        const Word halves = m.result(OpBitcast, words, {body.element});
        m.add(OpStore, {m.result(OpBitcast, m.global_i32, {halves}), sum, 2, 4});
        return Word{0};
      });
  EXPECT_EQ(out, expected<int>([&](size_t i) { return a[i] + b[i]; }));
}

// A composite in three pieces, as those of more than 65,533 members are.
TEST(LongComposites, AreContinued) {
  constexpr Word kContinued = 6091;
  const Elementwise<int> kernel({kSubgroupDispatch, 6089}, "SPV_INTEL_long_composites");
  const auto a = numbers<int>(0, 1);
  Word to_element = 0, table = 0, mask = 0;
  const auto out = kernel.run(
      a, a,
      [&](KernelModule& m) {
        Words members;
        for (Word i = 0; i < 8; ++i)
          members.push_back(m.constant32(100 + i * i));
        const Word array = m.type(OpTypeArray, {m.i32, m.constant32(8)});
        const Word constant =
            m.result(OpConstantComposite, array, {members[0], members[1], members[2]});
        m.add(kContinued, {members[3], members[4]});
        m.add(kContinued, {members[5], members[6], members[7]});
        const Word to_array = m.type(OpTypePointer, {UniformConstant, array});
        to_element = m.type(OpTypePointer, {UniformConstant, m.i32});
        table = m.result(OpVariable, to_array, {UniformConstant, constant});
        mask = m.constant32(7);
      },
      [&](auto body) {
        auto& m = body.module;
        const Word index = m.result(199, m.i32, {body.a, mask});       // OpBitwiseAnd
        const Word element = m.result(65, to_element, {table, index}); // OpAccessChain
        return m.result(OpLoad, m.i32, {element, 2, 4});
      });
  EXPECT_EQ(out, expected<int>([](size_t i) { return 100 + static_cast<int>((i & 7) * (i & 7)); }));
}

TEST(CoreInstructions, ImportedVariablesOfBuiltins) {
  // The variable that KernelModule decorates has the other name of what this one imports.
  KernelModule m;
  const Word local_id = m.id();
  m.add(OpDecorate, {local_id, 41}, "__spirv_BuiltInLocalInvocationId", {1});
  m.types();
  m.add(OpVariable, {m.input, local_id, Input});
  const auto p = m.begin({m.global_i32});
  const Word i = m.load_global_id();
  const Word own = m.result(OpCompositeExtract, m.i64, {m.result(OpLoad, m.i64x3, {local_id}), 0});
  m.add(OpStore, {m.result(OpInBoundsPtrAccessChain, m.global_i32, {p[0], i}),
                  m.result(OpUConvert, m.i32, {own}), 2, 4});
  m.end();
  const auto words = m.words();
  const auto context = make_context();
  const Program program(clCreateProgramWithIL(context, words.data(), 4 * words.size(), nullptr));
  ASSERT_EQ(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr), CL_SUCCESS)
      << build_log(program);
  const auto kernel = make_kernel(program, "k");
  const auto queue = make_queue(context);
  const auto out = make_buffer(context, 64 * sizeof(int));
  set_args(kernel, out);
  run(queue, kernel, {{64}, {16}, {}});
  EXPECT_EQ(read<int>(queue, out, 64),
            expected<int>([](size_t n) { return static_cast<int>(n % 16); }));
}

TEST(CoreInstructions, FreezeAndFma) {
  const Elementwise<float> kernel({kSubgroupDispatch, 5156, 6030}, "SPV_KHR_poison_freeze");
  const auto a = numbers<float>(1.0f, 0.1f), b = numbers<float>(-3.3f, 0.7f);
  const auto out = kernel.run(a, b, {}, [&](auto body) {
    auto& m = body.module;
    // A frozen value is one value, whichever: less itself it is zero.
    const Word frozen =
        m.result(OpBitcast, m.i32, {m.result(5159, m.f32, {m.result(5158, m.f32)})});
    const Word zero = m.result(OpConvertUToF, m.f32, {m.result(OpISub, m.i32, {frozen, frozen})});
    const Word c = m.result(OpFAdd, m.f32, {body.a, zero});
    return m.result(4427, m.f32, {body.a, body.b, c});
  });
  EXPECT_EQ(out, expected<float>([&](size_t i) { return std::fma(a[i], b[i], a[i]); }));
}

// What a module's execution modes preserve, options that allow more do not change: denormals, NaNs,
// and the sum of -0 and 0, which is 0.
TEST(FloatControls, PreserveSpecialValues) {
  constexpr Word kDenormPreserve = 4459, kSignedZeroInfNanPreserve = 4461, kRoundingModeRTE = 4462,
                 kFUnordNotEqual = 183;
  Elementwise<float> kernel({4464, 4466, 4467}, "SPV_KHR_float_controls");
  kernel.options = "-cl-fast-relaxed-math -cl-denorms-are-zero";
  auto a = numbers<float>(1e-40f, 1e-41f);
  a[3] = -0.0f;
  a[5] = std::numeric_limits<float>::quiet_NaN();
  kernel.modes_of_floats = {kDenormPreserve, kSignedZeroInfNanPreserve, kRoundingModeRTE};
  Word zero = 0, one = 0;
  const auto constants = [&](KernelModule& m) {
    zero = m.result(OpConstant, m.f32, {0});
    one = m.result(OpConstant, m.f32, {0x3F800000});
  };
  const auto exact = kernel.run(a, a, constants, [&](auto body) {
    auto& m = body.module;
    const Word is_nan = m.result(kFUnordNotEqual, m.bool_type, {body.a, body.a});
    const Word sum = m.result(OpFAdd, m.f32, {body.a, zero});
    return m.result(OpSelect, m.f32, {is_nan, one, sum});
  });
  EXPECT_FALSE(std::signbit(exact[3]));
  a[3] = 0, a[5] = 1;
  EXPECT_EQ(exact, a);
}

// What cl_khr_spirv_queries lists can be declared.
TEST(SpirvQueries, EachAnswerCanBeDeclared) {
  const auto list = [&]<class T>(cl_device_info query, T) {
    size_t bytes = 0;
    check(clGetDeviceInfo(device(), query, 0, nullptr, &bytes), "the query");
    std::vector<T> values(bytes / sizeof(T));
    check(clGetDeviceInfo(device(), query, bytes, values.data(), nullptr), "the query");
    return values;
  };
  const auto capabilities = list(0x12BB, Word{});
  const auto extensions = list(0x12BA, static_cast<const char*>(nullptr));
  const auto sets = list(0x12B9, static_cast<const char*>(nullptr));
  ASSERT_FALSE(capabilities.empty());
  Module m;
  for (const Word capability : capabilities)
    m.add(OpCapability, {capability});
  for (const auto* extension : extensions)
    m.add(OpExtension, {}, extension);
  for (const auto* set : sets) {
    const Word id = m.id();
    m.add(OpExtInstImport, {id}, set);
  }
  m.memory_model();
  const Word kernel = m.id();
  m.add(OpEntryPoint, {6, kernel}, "k");
  const Word none = m.type(OpTypeVoid), type = m.type(OpTypeFunction, {none});
  m.add(OpFunction, {none, kernel, 0, type});
  m.type(OpLabel);
  m.add(OpReturn, {});
  m.add(OpFunctionEnd, {});
  const auto words = m.words();
  const auto context = make_context();
  cl_int error = CL_SUCCESS;
  const Program program(clCreateProgramWithIL(context, words.data(), 4 * words.size(), &error));
  ASSERT_EQ(error, CL_SUCCESS);
  EXPECT_EQ(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr), CL_SUCCESS)
      << build_log(program);
  // In the order of their numbers, without repetition.
  EXPECT_TRUE(std::adjacent_find(capabilities.begin(), capabilities.end(),
                                 std::greater_equal<Word>()) == capabilities.end());
}

} // namespace
