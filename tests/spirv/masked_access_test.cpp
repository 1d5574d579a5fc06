// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vectors of pointers, gathers and scatters of SPV_INTEL_masked_gather_scatter, and loads and
// stores under a predicate of SPV_INTEL_predicated_io.
#include "tests/spirv/elementwise.h"

namespace {

using namespace heddle::test;

constexpr Word kGatherScatter = 6427, kGather = 6428, kScatter = 6429;
constexpr Word kPredicatedIo = 6257, kPredicatedLoad = 6258, kPredicatedStore = 6259;
constexpr Word kTypeOf4 = 4;
constexpr Word kConstruct = 80, kAccessChain = 65, kPtrAccessChain = 67, kBitwiseAnd = 199,
               kINotEqual = 171;

struct Types {
  Word pointers = 0, values = 0, booleans = 0, words = 0, zero = 0, one = 0, many = 0;
  Word step[kTypeOf4] = {};
  void make(KernelModule& m) {
    pointers = m.type(OpTypeVector, {m.global_i32, kTypeOf4});
    values = m.type(OpTypeVector, {m.i32, kTypeOf4});
    booleans = m.type(OpTypeVector, {m.bool_type, kTypeOf4});
    words = m.type(OpTypeVector, {m.i64, kTypeOf4});
    zero = m.constant32(0), one = m.constant32(1);
    many = m.constant32(0x40000000); // an index far outside
    for (Word k = 0; k < kTypeOf4; ++k)
      step[k] = m.constant32(16 * k);
  }
  // A value for each component.
  Word vector(KernelModule& m, Word type, const std::function<Word(Word)>& component) const {
    Words parts;
    for (Word k = 0; k < kTypeOf4; ++k)
      parts.push_back(component(k));
    return m.result(kConstruct, type, parts);
  }
};

// Component k reads a[(i + 16 * k) % 64], where bit k of b is set, and otherwise gets -1 - k, from
// a pointer to memory that is not there.
TEST(MaskedAccess, Gathers) {
  const Elementwise<int> kernel({kGatherScatter}, "SPV_INTEL_masked_gather_scatter");
  const auto a = numbers<int>(100, 7), b = numbers<int>(0, 5);
  for (const Word alignment : {0u, 4u})
    for (const bool is_filled_by_one : {false, true}) {
      Types t;
      Word bit[kTypeOf4] = {}, fill[kTypeOf4] = {}, sixty_three = 0;
      const auto out = kernel.run(
          a, b,
          [&](KernelModule& m) {
            t.make(m);
            sixty_three = m.constant32(63);
            for (Word k = 0; k < kTypeOf4; ++k) {
              bit[k] = m.constant32(1u << k);
              fill[k] = m.constant32(is_filled_by_one ? ~0u : ~k);
            }
          },
          [&](auto body) {
            auto& m = body.module;
            const Word i = m.result(OpUConvert, m.i32, {m.load_global_id()});
            Word is_set[kTypeOf4];
            const Word mask = t.vector(m, t.booleans, [&](Word k) {
              const Word masked = m.result(kBitwiseAnd, m.i32, {body.b, bit[k]});
              return is_set[k] = m.result(kINotEqual, m.bool_type, {masked, t.zero});
            });
            const Word places = t.vector(m, t.pointers, [&](Word k) {
              const Word sum = m.result(OpIAdd, m.i32, {i, t.step[k]});
              const Word inside = m.result(kBitwiseAnd, m.i32, {sum, sixty_three});
              const Word at = m.result(OpSelect, m.i32, {is_set[k], inside, t.many});
              return m.result(kPtrAccessChain, m.global_i32, {body.in_a, at});
            });
            const Word filled =
                is_filled_by_one ? fill[0] : t.vector(m, t.values, [&](Word k) { return fill[k]; });
            const Word read = m.result(kGather, t.values, {places, alignment, mask, filled});
            Word sum = t.zero;
            for (Word k = 0; k < kTypeOf4; ++k)
              sum = m.result(OpIAdd, m.i32,
                             {m.result(OpIMul, m.i32, {sum, sixty_three}),
                              m.result(OpCompositeExtract, m.i32, {read, k})});
            return sum;
          });
      EXPECT_EQ(out, expected<int>([&](size_t i) {
                  unsigned sum = 0;
                  for (unsigned k = 0; k < kTypeOf4; ++k) {
                    const int missing = is_filled_by_one ? -1 : -1 - static_cast<int>(k);
                    sum = 63 * sum + static_cast<unsigned>(
                                         (b[i] >> k & 1) != 0 ? a[(i + 16 * k) % 64] : missing);
                  }
                  return static_cast<int>(sum);
                }))
          << alignment << is_filled_by_one;
    }
}

// The first sixteen work-items scatter to four places each, where bits of b are set.
TEST(MaskedAccess, Scatters) {
  const Elementwise<int> kernel({kGatherScatter}, "SPV_INTEL_masked_gather_scatter");
  const auto a = numbers<int>(3, 2), b = numbers<int>(1, 1);
  Types t;
  Word bit[kTypeOf4] = {}, sixteen = 0;
  const auto out = kernel.run(
      a, b,
      [&](KernelModule& m) {
        t.make(m);
        sixteen = m.constant64(16);
        for (Word k = 0; k < kTypeOf4; ++k)
          bit[k] = m.constant32(1u << k);
      },
      [&](auto body) {
        auto& m = body.module;
        const Word is_first = m.result(OpULessThan, m.bool_type, {m.load_global_id(), sixteen});
        const Word mask = t.vector(m, t.booleans, [&](Word k) {
          const Word masked = m.result(kBitwiseAnd, m.i32, {body.b, bit[k]});
          const Word is_set = m.result(kINotEqual, m.bool_type, {masked, t.zero});
          return m.result(167, m.bool_type, {is_set, is_first}); // OpLogicalAnd
        });
        // The pointers by a cast of numbers, a chain of a vector, and back.
        const Word base = t.vector(m, t.pointers, [&](Word) { return body.element; });
        const Word as_numbers = m.result(117, t.words, {base});     // OpConvertPtrToU
        const Word again = m.result(120, t.pointers, {as_numbers}); // OpConvertUToPtr
        const Word next = m.result(kPtrAccessChain, t.pointers, {again, t.step[1]});
        const Word third = m.result(kPtrAccessChain, t.pointers, {next, t.step[1]});
        const Word places = t.vector(m, t.pointers, [&](Word k) {
          const Word from = k < 2 ? again : k == 2 ? third : next;
          const Word start = m.result(OpCompositeExtract, m.global_i32, {from, k});
          return m.result(kPtrAccessChain, m.global_i32,
                          {start, k == 1   ? t.step[1]
                                  : k == 3 ? t.step[2]
                                           : t.zero});
        });
        const Word stored = t.vector(m, t.values, [&](Word k) {
          return m.result(OpIAdd, m.i32, {body.a, t.step[k]});
        });
        m.add(kScatter, {stored, places, 4, mask});
        return Word{0};
      });
  EXPECT_EQ(out, expected<int>([&](size_t at) {
              const size_t i = at % 16, k = at / 16;
              return (b[i] >> k & 1) != 0 ? a[i] + 16 * static_cast<int>(k) : 0;
            }));
}

// Differences and comparisons of vectors of pointers, and one in private memory.
TEST(PointerVectors, CompareAndStore) {
  const Elementwise<int> kernel({kGatherScatter}, "SPV_INTEL_masked_gather_scatter");
  const auto a = numbers<int>(0, 3), b = numbers<int>(0, 1);
  Types t;
  Word to_pointers = 0, places_type = 0;
  const auto out = kernel.run(
      a, b,
      [&](KernelModule& m) {
        t.make(m);
        places_type = t.pointers;
        to_pointers = m.type(OpTypePointer, {Function, t.pointers});
      },
      [&](auto body) {
        auto& m = body.module;
        const Word variable = m.result(OpVariable, to_pointers, {Function});
        const Word base = t.vector(m, t.pointers, [&](Word) { return body.out; });
        m.add(OpStore, {variable, t.vector(m, t.pointers, [&](Word k) {
                          return k == 2 ? body.out : body.element;
                        })});
        const Word places = m.result(OpLoad, places_type, {variable});
        const Word distances = m.result(403, t.words, {places, base}); // OpPtrDiff
        const Word equal = m.result(401, t.booleans, {places, base});  // OpPtrEqual
        const Word first =
            m.result(OpUConvert, m.i32, {m.result(OpCompositeExtract, m.i64, {distances, 0})});
        const Word is_equal = m.result(OpCompositeExtract, m.bool_type, {equal, 2});
        const Word other = m.result(OpCompositeExtract, m.bool_type, {equal, 1});
        const Word x = m.result(OpSelect, m.i32, {is_equal, first, t.many});
        return m.result(OpSelect, m.i32, {other, t.many, x});
      });
  EXPECT_EQ(out, expected<int>([](size_t i) { return i == 0 ? 0x40000000 : static_cast<int>(i); }));
}

TEST(PredicatedAccess, LoadsAndStores) {
  const Elementwise<int> kernel({kPredicatedIo}, "SPV_INTEL_predicated_io");
  const auto a = numbers<int>(10, 3), b = numbers<int>(0, 1);
  Word one = 0, zero = 0, many = 0;
  const auto out = kernel.run(
      a, b,
      [&](KernelModule& m) {
        one = m.constant32(1), zero = m.constant32(0), many = m.constant32(0x40000000);
      },
      [&](auto body) {
        auto& m = body.module;
        const Word i = m.result(OpUConvert, m.i32, {m.load_global_id()});
        const Word odd =
            m.result(kINotEqual, m.bool_type, {m.result(kBitwiseAnd, m.i32, {body.b, one}), zero});
        const Word at = m.result(OpSelect, m.i32, {odd, i, many});
        const Word from = m.result(kPtrAccessChain, m.global_i32, {body.in_a, at});
        const Word to = m.result(kPtrAccessChain, m.global_i32, {body.out, at});
        const Word read = m.result(kPredicatedLoad, m.i32, {from, odd, body.b, 2, 4});
        m.add(kPredicatedStore, {to, m.result(OpIAdd, m.i32, {read, one}), odd});
        const Word even = m.result(168, m.bool_type, {odd}); // OpLogicalNot
        m.add(kPredicatedStore, {body.element, read, even, 2, 4});
        return Word{0};
      });
  EXPECT_EQ(out, expected<int>([&](size_t i) { return i % 2 != 0 ? a[i] + 1 : b[i]; }));
}

TEST(MaskedAccess, WhatIsRefused) {
  const Elementwise<int> kernel({kGatherScatter, kPredicatedIo}, "SPV_INTEL_masked_gather_scatter");
  Types t;
  Word two = 0;
  const auto constants = [&](KernelModule& m) {
    t.make(m);
    two = m.type(OpTypeVector, {m.bool_type, 2});
  };
  const auto refused = [&](const std::function<void(KernelModule&, Elementwise<int>::Body)>& add,
                           const char* why) {
    const auto log = kernel.refusal(constants, [&](auto body) {
      add(body.module, body);
      return Word{0};
    });
    EXPECT_NE(log.find(why), std::string::npos) << log;
  };
  const auto places = [&](auto& m, auto& body) {
    return t.vector(m, t.pointers, [&](Word) { return body.in_a; });
  };
  const auto null = [&](auto& m, Word type) { return m.result(1, type); }; // OpUndef
  refused(
      [&](auto& m, auto body) {
        m.result(kGather, t.values, {places(m, body), 3, null(m, t.booleans), null(m, t.values)});
      },
      "power of two");
  refused(
      [&](auto& m, auto body) {
        m.result(kGather, t.values, {places(m, body), 4, null(m, two), null(m, t.values)});
      },
      "the mask");
  refused(
      [&](auto& m, auto body) {
        m.result(kGather, t.values, {places(m, body), 4, null(m, t.booleans), null(m, t.words)});
      },
      "fills the result");
  refused(
      [&](auto& m, auto body) {
        m.result(kGather, t.words, {places(m, body), 4, null(m, t.booleans), null(m, t.words)});
      },
      "pointers are to the vector's components");
  refused(
      [&](auto& m, auto) {
        m.add(kScatter, {null(m, t.values), null(m, t.values), 4, null(m, t.booleans)});
      },
      "a pointer for each component");
  refused([&](auto& m, auto body) { m.result(kAccessChain, m.global_i32, {places(m, body)}); },
          "as many components as the operand");
  refused(
      [&](auto& m, auto body) {
        m.result(kPredicatedLoad, m.i32, {body.in_a, body.a, body.b});
      },
      "the predicate");
  refused(
      [&](auto& m, auto body) {
        m.add(kPredicatedStore, {body.out, body.a, null(m, m.bool_type), 1});
      },
      "not volatile");
  // Without the capability there are no vectors of pointers.
  const Elementwise<int> without({}, "SPV_INTEL_masked_gather_scatter");
  const auto log = without.refusal(constants, [](auto) { return Word{0}; });
  EXPECT_NE(log.find("numbers or booleans"), std::string::npos) << log;
}

} // namespace
