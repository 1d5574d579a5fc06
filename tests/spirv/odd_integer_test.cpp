// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integers of any width up to 64 bits: SPV_INTEL_arbitrary_precision_integers, and as Altera's.
#include "tests/spirv/elementwise.h"

#include <tuple>

namespace {

using namespace heddle::test;

constexpr Word kCapability = 5844;
constexpr const char* kExtension = "SPV_INTEL_arbitrary_precision_integers";

cl_long sign_extended(cl_ulong value, unsigned bits) {
  return static_cast<cl_long>(value << (64 - bits)) >> (64 - bits);
}
cl_ulong cut(cl_ulong value, unsigned bits) {
  return bits == 64 ? value : value & ((cl_ulong{1} << bits) - 1);
}

// Operands with all kinds of upper bits; the second is never zero in its lower bits.
std::vector<cl_long> mixed(cl_ulong factor) {
  std::vector<cl_long> made(64);
  cl_ulong state = factor;
  for (size_t i = 0; i < made.size(); ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    made[i] = static_cast<cl_long>((i % 3 == 0 ? state >> 33 : state ^ state >> 29) | 1);
  }
  return made;
}

struct Case {
  const char* name;
  Word op;
  cl_ulong (*expected)(cl_long, cl_long, unsigned); // of signed operands, before it is cut
};

cl_ulong u(cl_long value, unsigned bits) { return cut(static_cast<cl_ulong>(value), bits); }

const Case kBinary[] = {
    {"add", 128, [](cl_long a, cl_long b, unsigned n) { return u(a, n) + u(b, n); }},
    {"sub", 130, [](cl_long a, cl_long b, unsigned n) { return u(a, n) - u(b, n); }},
    {"mul", 132, [](cl_long a, cl_long b, unsigned n) { return u(a, n) * u(b, n); }},
    {"udiv", 134, [](cl_long a, cl_long b, unsigned n) { return u(a, n) / u(b, n); }},
    {"sdiv", 135, [](cl_long a, cl_long b, unsigned) { return static_cast<cl_ulong>(a / b); }},
    {"umod", 137, [](cl_long a, cl_long b, unsigned n) { return u(a, n) % u(b, n); }},
    {"srem", 138, [](cl_long a, cl_long b, unsigned) { return static_cast<cl_ulong>(a % b); }},
    {"smod", 139,
     [](cl_long a, cl_long b, unsigned) {
       const auto r = a % b;
       return static_cast<cl_ulong>(r != 0 && (r ^ b) < 0 ? r + b : r);
     }},
    {"xor", 198, [](cl_long a, cl_long b, unsigned n) { return u(a, n) ^ u(b, n); }},
};

// out = sext(op(trunc(a), trunc(b))): in values, in a private array, and by way of a function.
std::vector<cl_long> calculate(unsigned bits, Word op, const std::vector<cl_long>& a,
                               const std::vector<cl_long>& b, bool in_memory) {
  const Elementwise<cl_long> kernel({kCapability}, kExtension);
  Word type = 0, pointer = 0, array = 0, to_array = 0, one = 0;
  return kernel.run(
      a, b,
      [&](KernelModule& m) {
        type = m.type(OpTypeInt, {bits, 0});
        pointer = m.type(OpTypePointer, {Function, type});
        array = m.type(OpTypeArray, {type, m.constant32(3)});
        to_array = m.type(OpTypePointer, {Function, array});
        one = m.constant32(1);
      },
      [&](auto body) {
        auto& m = body.module;
        Word place = 0;
        if (in_memory)
          place = m.result(65, pointer, {m.result(OpVariable, to_array, {Function}), one});
        Word x = m.result(OpUConvert, type, {body.a});
        const Word y = m.result(OpUConvert, type, {body.b});
        if (in_memory) {
          m.add(OpStore, {place, x});
          x = m.result(OpLoad, type, {place});
        }
        return m.result(114, m.i64, {m.result(op, type, {x, y})}); // OpSConvert
      });
}

TEST(OddIntegers, Arithmetic) {
  const auto a = mixed(3), b = mixed(77);
  for (const unsigned bits : {2u, 7u, 24u, 33u, 48u, 63u})
    for (const auto& [name, op, result] : kBinary)
      EXPECT_EQ(calculate(bits, op, a, b, bits % 2 == 0), expected<cl_long>([&](size_t i) {
                  const auto x = sign_extended(static_cast<cl_ulong>(a[i]), bits);
                  const auto y = sign_extended(static_cast<cl_ulong>(b[i]), bits);
                  return sign_extended(result(x, y, bits), bits);
                }))
          << name << ' ' << bits;
}

TEST(OddIntegers, ShiftsComparisonsAndConversions) {
  const auto a = mixed(5), b = mixed(1234567);
  const unsigned bits = 20;
  const Elementwise<cl_long> kernel({kCapability, Float64},
                                    "SPV_ALTERA_arbitrary_precision_integers");
  Word type = 0, five = 0, zero = 0, one = 0, f64 = 0;
  const auto constants = [&](KernelModule& m) {
    type = m.type(OpTypeInt, {bits, 0});
    f64 = m.type(OpTypeFloat, {64});
    five = m.result(OpConstant, type, {5});
    zero = m.constant64(0), one = m.constant64(1);
  };
  // Each gives an integer of 64 bits of the lower bits of a and b.
  using Make = std::function<Word(KernelModule&, Word, Word)>;
  const auto widened = [&](Word op) -> Make {
    return [&, op](KernelModule& m, Word x, Word) {
      return m.result(OpUConvert, m.i64, {m.result(op, type, {x, five})});
    };
  };
  const auto compared = [&](Word op) -> Make {
    return [&, op](KernelModule& m, Word x, Word y) {
      return m.result(OpSelect, m.i64, {m.result(op, m.bool_type, {x, y}), one, zero});
    };
  };
  const auto s = [&](cl_long v) { return sign_extended(static_cast<cl_ulong>(v), bits); };
  const auto z = [&](cl_long v) { return static_cast<cl_long>(u(v, bits)); };
  const std::tuple<const char*, Make, std::function<cl_long(cl_long, cl_long)>> cases[] = {
      {"shl", widened(196), [&](cl_long x, cl_long) { return z(x << 5); }},
      {"lshr", widened(194), [&](cl_long x, cl_long) { return z(x) >> 5; }},
      {"ashr", widened(195), [&](cl_long x, cl_long) { return z(s(x) >> 5); }},
      {"not",
       [&](KernelModule& m, Word x, Word) {
         return m.result(OpUConvert, m.i64, {m.result(200, type, {x})});
       },
       [&](cl_long x, cl_long) { return z(~x); }},
      {"negate",
       [&](KernelModule& m, Word x, Word) {
         return m.result(OpUConvert, m.i64, {m.result(126, type, {x})});
       },
       [&](cl_long x, cl_long) { return z(-x); }},
      {"ult", compared(OpULessThan), [&](cl_long x, cl_long y) { return z(x) < z(y) ? 1 : 0; }},
      {"slt", compared(177), [&](cl_long x, cl_long y) { return s(x) < s(y) ? 1 : 0; }},
      {"sge", compared(175), [&](cl_long x, cl_long y) { return s(x) >= s(y) ? 1 : 0; }},
      {"to float and back",
       [&](KernelModule& m, Word x, Word) {
         const Word d = m.result(111, f64, {x});                  // OpConvertSToF
         return m.result(114, m.i64, {m.result(110, type, {d})}); // OpConvertFToS
       },
       [&](cl_long x, cl_long) { return s(x); }},
      {"unsigned to float",
       [&](KernelModule& m, Word x, Word) {
         return m.result(109, m.i64, {m.result(OpConvertUToF, f64, {x})});
       },
       [&](cl_long x, cl_long) { return z(x); }},
  };
  for (const auto& [name, make, result] : cases)
    EXPECT_EQ(kernel.run(a, b, constants,
                         [&, &make = make](auto body) {
                           auto& m = body.module;
                           return make(m, m.result(OpUConvert, type, {body.a}),
                                       m.result(OpUConvert, type, {body.b}));
                         }),
              expected<cl_long>([&, &result = result](size_t i) { return result(a[i], b[i]); }))
        << name;
}

// Vectors and structures of them in memory of the host, where each has the bytes of the next wider
// integer, and what stands above its bits is not read; across a barrier; a switch; a function.
TEST(OddIntegers, InMemoryVectorsSwitchesAndFunctions) {
  const auto a = mixed(11);
  const unsigned bits = 12; // of 16
  const auto lane = [&](size_t i, int k) {
    return cut(static_cast<cl_ulong>(a[i]) >> 16 * k, bits);
  };
  const auto chosen = static_cast<Word>(lane(5, 1));
  Elementwise<cl_long> kernel({kCapability, Int16}, kExtension);
  Word type = 0, vector = 0, to_vector = 0, structure = 0, to_structure = 0, to_member = 0, one = 0,
       two = 0, semantics = 0, function = 0, function_type = 0, seven = 0, nine = 0;
  kernel.functions = [&](KernelModule& m) { // x * x
    m.add(OpFunction, {type, function, 0, function_type});
    const Word x = m.result(OpFunctionParameter, type);
    m.type(OpLabel);
    m.add(OpReturnValue, {m.result(OpIMul, type, {x, x})});
    m.add(OpFunctionEnd, {});
  };
  const auto out = kernel.run(
      a, a,
      [&](KernelModule& m) {
        type = m.type(OpTypeInt, {bits, 0});
        vector = m.type(OpTypeVector, {type, 4});
        to_vector = m.type(OpTypePointer, {CrossWorkgroup, vector});
        structure = m.type(OpTypeStruct, {type, vector});
        to_structure = m.type(OpTypePointer, {Function, structure});
        to_member = m.type(OpTypePointer, {Function, vector});
        one = m.constant32(1), two = m.constant32(2);
        semantics = m.constant32(0x208);
        function_type = m.type(OpTypeFunction, {type, type});
        seven = m.result(OpConstant, type, {7});
        nine = m.result(OpConstant, type, {9});
        function = m.id();
      },
      [&](auto body) {
        auto& m = body.module;
        const Word variable = m.result(OpVariable, to_structure, {Function});
        const Word from =
            m.result(OpInBoundsPtrAccessChain, to_vector,
                     {m.result(OpBitcast, to_vector, {body.in_a}), m.load_global_id()});
        const Word member = m.result(65, to_member, {variable, one}); // OpAccessChain
        m.add(OpStore, {member, m.result(OpLoad, vector, {from, 2, 8})});
        m.add(OpControlBarrier, {two, two, semantics});
        const Word read = m.result(OpLoad, structure, {variable});
        const auto part = [&](Word k) { return m.result(OpCompositeExtract, type, {read, 1, k}); };
        const Word is_chosen = m.id(), is_other = m.id(), end = m.id();
        m.add(251, {part(1), is_other, chosen | 0xFFFFF000, is_chosen}); // OpSwitch
        m.add(OpLabel, {is_chosen}).add(OpBranch, {end});
        m.add(OpLabel, {is_other}).add(OpBranch, {end});
        m.add(OpLabel, {end});
        const Word found = m.result(OpPhi, type, {seven, is_chosen, nine, is_other});
        const Word square = m.result(OpFunctionCall, type, {function, part(2)});
        const Word whole = m.result(80, vector, {square, part(3), found, part(0)});
        m.add(OpStore, {m.result(OpBitcast, to_vector, {body.element}), whole, 2, 8});
        return Word{0};
      });
  EXPECT_EQ(out, expected<cl_long>([&](size_t i) {
              const cl_ulong parts[] = {cut(lane(i, 2) * lane(i, 2), bits), lane(i, 3),
                                        lane(i, 1) == chosen ? 7u : 9u, lane(i, 0)};
              cl_ulong all = 0;
              for (int k = 0; k < 4; ++k)
                all |= parts[k] << 16 * k;
              return static_cast<cl_long>(all);
            }));
}

TEST(OddIntegers, WhatIsRefused) {
  Elementwise<cl_long> without({}, kExtension);
  Word type = 0;
  const auto of_bits = [&](unsigned bits) {
    return [&type, bits](KernelModule& m) { type = m.type(OpTypeInt, {bits, 0}); };
  };
  const auto nothing = [](auto) { return Word{0}; };
  EXPECT_NE(without.refusal(of_bits(24), nothing).find("8, 16, 32 or 64 bits"), std::string::npos);
  const Elementwise<cl_long> kernel({kCapability}, kExtension, "OpenCL.std");
  EXPECT_NE(kernel.refusal(of_bits(65), nothing).find("at most 64 bits"), std::string::npos);
  EXPECT_NE(kernel.refusal(of_bits(0), nothing).find("at most 64 bits"), std::string::npos);
  // Functions of the library are of OpenCL C's types.
  EXPECT_NE(kernel
                .refusal(of_bits(24),
                         [&](auto body) {
                           auto& m = body.module;
                           const Word x = m.result(OpUConvert, type, {body.a});
                           m.result(OpExtInst, type, {m.instructions, 151, x}); // clz
                           return Word{0};
                         })
                .find("8, 16, 32 or 64 bits only"),
            std::string::npos);
}

} // namespace
