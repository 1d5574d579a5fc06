// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pointers of SPIR-V extensions: untyped ones, those to functions, those of variable-length arrays,
// and what a module says of aliasing.
#include "tests/spirv/elementwise.h"

#include <cmath>

namespace {

using namespace heddle::test;

constexpr Word kCodeSection = 5605;
constexpr Word kUntypedPointers = 4473;
constexpr const char* kUntyped = "SPV_KHR_untyped_pointers";

TEST(UntypedPointers, VariablesChainsAndAtomics) {
  constexpr Word kTypeUntyped = 4417, kVariable = 4418, kAccess = 4419, kInBoundsAccess = 4420,
                 kPtrAccess = 4423, kInBoundsPtrAccess = 4424, kPrefetch = 4426;
  const Elementwise<int> kernel({kUntypedPointers}, kUntyped);
  const auto a = numbers<int>(5, 3), b = numbers<int>(-40, 11);
  Word privately = 0, globally = 0, array = 0, pair = 0, zero = 0, one = 0, five = 0, four = 0;
  const auto constants = [&](KernelModule& m) {
    privately = m.type(kTypeUntyped, {Function});
    globally = m.type(kTypeUntyped, {CrossWorkgroup});
    array = m.type(OpTypeArray, {m.i32, m.constant64(4)});
    pair = m.type(OpTypeStruct, {m.i64, array});
    zero = m.constant32(0), one = m.constant32(1), five = m.constant32(5), four = m.constant64(4);
  };
  const auto out = kernel.run(a, b, constants, [&](auto body) {
    auto& m = body.module;
    const Word variable = m.result(kVariable, privately, {Function, pair});
    // pair.array[1] = a, pair.array[2] = b; the second by way of the first's address.
    const Word first = m.result(kInBoundsAccess, privately, {pair, variable, one, one});
    m.add(OpStore, {first, body.a, 2, 4});
    const Word second = m.result(kPtrAccess, privately, {m.i32, first, one});
    m.add(OpStore, {second, body.b, 2, 4});
    const Word whole = m.result(kAccess, privately, {pair, variable, one});
    const Word copy = m.result(OpLoad, array, {whole});
    const Word x = m.result(OpCompositeExtract, m.i32, {copy, 1});
    const Word y = m.result(OpCompositeExtract, m.i32, {copy, 2});
    // out[i] += a + b, atomically; then what an untyped pointer to in_a[i] has.
    const Word bytes = m.result(OpBitcast, globally, {body.element});
    m.add(OpStore, {bytes, zero, 2, 4});
    m.result(OpAtomicIAdd, m.i32, {bytes, one, zero, m.result(OpIAdd, m.i32, {x, y})});
    const Word index = m.load_global_id();
    const Word input = m.result(kInBoundsPtrAccess, globally,
                                {m.i32, m.result(OpBitcast, globally, {body.in_a}), index});
    m.add(kPrefetch, {input, four});
    return m.result(
        OpIAdd, m.i32,
        {m.result(OpLoad, m.i32, {bytes, 2, 4}), m.result(OpLoad, m.i32, {input, 2, 4})});
  });
  EXPECT_EQ(out, expected<int>([&](size_t i) { return a[i] + b[i] + a[i]; }));
}

TEST(UntypedPointers, BuiltinVariablesAndLibraryFunctions) {
  constexpr Word kTypeUntyped = 4417, kVariable = 4418, kFract = 30, kFrexp = 31, kVload = 171;
  const Elementwise<float> kernel({kUntypedPointers}, kUntyped, "OpenCL.std");
  const auto a = numbers<float>(1.25f, 2.0f), b = numbers<float>(0, 1);
  Word privately = 0, globally = 0, f32x2 = 0, zero = 0;
  const auto constants = [&](KernelModule& m) {
    privately = m.type(kTypeUntyped, {Function});
    globally = m.type(kTypeUntyped, {CrossWorkgroup});
    f32x2 = m.type(OpTypeVector, {m.f32, 2});
    zero = m.constant64(0);
  };
  const auto out = kernel.run(a, b, constants, [&](auto body) {
    auto& m = body.module;
    const Word whole = m.result(kVariable, privately, {Function, m.f32});
    const Word exponent = m.result(kVariable, privately, {Function, m.i32});
    const Word fraction = m.result(OpExtInst, m.f32, {m.instructions, kFract, body.a, whole});
    m.result(OpExtInst, m.f32, {m.instructions, kFrexp, body.a, exponent});
    const Word power = m.result(OpConvertUToF, m.f32, {m.result(OpLoad, m.i32, {exponent})});
    const Word two =
        m.result(OpExtInst, f32x2,
                 {m.instructions, kVload, zero, m.result(OpBitcast, globally, {body.in_a}), 2});
    Word sum = m.result(OpFAdd, m.f32, {fraction, m.result(OpLoad, m.f32, {whole})});
    sum = m.result(OpFAdd, m.f32, {sum, power});
    return m.result(OpFAdd, m.f32, {sum, m.result(OpCompositeExtract, m.f32, {two, 1})});
  });
  EXPECT_EQ(out, expected<float>([&](size_t i) {
              int exponent = 0;
              std::frexp(a[i], &exponent);
              return a[i] + static_cast<float>(exponent) + a[1];
            }));
}

// The build fails, and the log has the rule.
void expect_refused(const Words& words, const std::string& rule) {
  const auto context = make_context();
  cl_int error = CL_SUCCESS;
  const Program program(clCreateProgramWithIL(context, words.data(), 4 * words.size(), &error));
  ASSERT_EQ(error, CL_SUCCESS);
  EXPECT_EQ(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr), CL_BUILD_PROGRAM_FAILURE);
  EXPECT_NE(build_log(program).find(rule), std::string::npos) << build_log(program);
}

TEST(UntypedPointers, RulesAreChecked) {
  constexpr Word kTypeUntyped = 4417, kAccess = 4419;
  const Elementwise<int> kernel({kUntypedPointers}, kUntyped);
  Word privately = 0, zero = 0;
  const auto constants = [&](KernelModule& m) {
    privately = m.type(kTypeUntyped, {Function});
    zero = m.constant32(0);
  };
  const auto module = [&](auto body) { return kernel.module(constants, body); };
  expect_refused(module([&](auto body) {
                   return body.module.result(
                       OpLoad, body.type,
                       {body.module.result(59, privately, {Function})}); // OpVariable
                 }),
                 "the variable is typed as its pointer is");
  expect_refused(module([&](auto body) {
                   body.module.result(kAccess, body.type, {body.type, body.element, zero});
                   return Word{0};
                 }),
                 "an index goes into a structure, an array or a vector");
}

// in_a to local memory and from there to out, both by untyped pointers, in elements of `bytes`.
Word copy_untyped(const Elementwise<int>::Body& body, const Words& ids, Word bytes, Word count,
                  bool all_global = false) {
  constexpr Word kCopy = 4434;
  auto& m = body.module;
  const Word locally = ids[0], globally = ids[1], event = ids[2], tile = ids[3], two = ids[4];
  const Word one = ids[5], events = ids[6], null = ids[7], semantics = ids[8];
  const Word stride = ids[9];
  const Word from = m.result(OpBitcast, globally, {body.in_a}),
             to = m.result(OpBitcast, globally, {body.out});
  const Word place = all_global ? from : m.result(OpBitcast, locally, {tile});
  const Word list = m.result(OpVariable, events, {Function});
  const auto copy = [&](Word target, Word source) {
    m.add(OpStore,
          {list, m.result(kCopy, event, {two, target, source, bytes, count, stride, null})});
    m.add(OpGroupWaitEvents, {two, one, list});
    m.add(OpControlBarrier, {two, two, semantics});
  };
  copy(place, from);
  copy(to, place);
  return m.result(OpLoad, m.i32, {body.element, 2, 4});
}

TEST(UntypedPointers, AsyncCopies) {
  constexpr Word kTypeUntyped = 4417;
  const Elementwise<int> kernel({kUntypedPointers}, kUntyped);
  const auto a = numbers<int>(5, 3), b = numbers<int>(-40, 11);
  Words ids;
  Word sizes[6] = {}, counts[6] = {}, three = 0;
  const auto constants = [&](KernelModule& m) {
    const Word event = m.type(OpTypeEvent), one = m.constant32(1);
    const Word array = m.type(OpTypeArray, {m.i32, m.constant64(64)});
    const Word tile = m.type(OpTypePointer, {Workgroup, array});
    ids = {m.type(kTypeUntyped, {Workgroup}),
           m.type(kTypeUntyped, {CrossWorkgroup}),
           event,
           m.result(OpVariable, tile, {Workgroup}),
           m.constant32(2),
           one,
           m.type(OpTypePointer, {Function, event}),
           m.result(OpConstantNull, event),
           m.constant32(0x310),
           m.constant64(1)};
    for (unsigned i = 0; i < 6; ++i) {
      sizes[i] = m.constant64(1u << i);
      counts[i] = m.constant64(256u >> i);
    }
    three = m.constant64(3);
  };
  for (unsigned i = 0; i < 6; ++i)
    EXPECT_EQ(kernel.run(a, b, constants,
                         [&](auto body) { return copy_untyped(body, ids, sizes[i], counts[i]); }),
              a)
        << (1u << i);
  expect_refused(
      kernel.module(constants,
                    [&](auto body) { return copy_untyped(body, ids, three, counts[0]); }),
      "the size of an element is a power of two");
  expect_refused(
      kernel.module(constants,
                    [&](auto body) { return copy_untyped(body, ids, sizes[0], counts[0], true); }),
      "one of destination and source is Workgroup");
}

class FunctionPointers : public ::testing::Test {
 protected:
  // `body` answers the pointer to a function of x; the functions are x * 3, x + 7 and 5 - x.
  std::vector<int> run(const std::function<Word(Elementwise<int>::Body)>& body) {
    return kernel_.run(
        a_, b_, [this](KernelModule& m) { constants(m); },
        [&](auto given) {
          const Word pointer = body(given);
          return given.module.result(5601, given.type, {pointer, given.a});
        });
  }
  void SetUp() override {
    kernel_.functions = [this](KernelModule& m) {
      constexpr Word kOperations[] = {OpIMul, OpIAdd, OpISub};
      for (unsigned i = 0; i < 3; ++i) {
        m.add(OpFunction, {m.i32, functions_[i], 0, signature_});
        const Word x = m.result(OpFunctionParameter, m.i32);
        m.type(OpLabel);
        const Words operands = i == 2 ? Words{numbers_[i], x} : Words{x, numbers_[i]};
        m.add(OpReturnValue, {m.result(kOperations[i], m.i32, operands)}).add(OpFunctionEnd, {});
      }
    };
  }
  void constants(KernelModule& m) {
    signature_ = m.type(OpTypeFunction, {m.i32, m.i32});
    pointer_ = m.type(OpTypePointer, {kCodeSection, signature_});
    for (unsigned i = 0; i < 3; ++i) {
      functions_[i] = m.id();
      numbers_[i] = m.constant32(i == 0 ? 3 : i == 1 ? 7 : 5);
      pointers_[i] = m.result(5600, pointer_, {functions_[i]});
    }
    table_type_ = m.type(OpTypeArray, {pointer_, m.constant32(3)});
    table_pointer_ = m.type(OpTypePointer, {UniformConstant, table_type_});
    place_ = m.type(OpTypePointer, {UniformConstant, pointer_});
    const Word all =
        m.result(OpConstantComposite, table_type_, {pointers_[0], pointers_[1], pointers_[2]});
    table_ = m.result(OpVariable, table_pointer_, {UniformConstant, all});
    three_ = m.constant32(3), zero_ = m.constant32(0), one_ = m.constant32(1);
  }
  static int apply(unsigned which, int x) {
    return which == 0 ? x * 3 : which == 1 ? x + 7 : 5 - x;
  }

  Elementwise<int> kernel_{{5603, 5604}, "SPV_INTEL_function_pointers"};
  std::vector<int> a_ = numbers<int>(5, 3), b_ = numbers<int>(0, 1);
  Word signature_ = 0, pointer_ = 0, table_type_ = 0, table_pointer_ = 0, place_ = 0, table_ = 0,
       three_ = 0, zero_ = 0, one_ = 0;
  Word functions_[3] = {}, numbers_[3] = {}, pointers_[3] = {};
};

TEST_F(FunctionPointers, Known) {
  EXPECT_EQ(run([&](auto) { return pointers_[1]; }),
            expected<int>([&](size_t i) { return apply(1, a_[i]); }));
}

TEST_F(FunctionPointers, FromATableByWorkItem) {
  constexpr Word kUMod = 137, kInBoundsAccessChain = 66;
  const auto out = run([&](auto body) {
    auto& m = body.module;
    const Word which = m.result(kUMod, m.i32, {body.b, three_});
    return m.result(OpLoad, pointer_, {m.result(kInBoundsAccessChain, place_, {table_, which})});
  });
  EXPECT_EQ(out, expected<int>([&](size_t i) { return apply(i % 3, a_[i]); }));
}

// The call splits its block, which phis of later blocks name.
TEST_F(FunctionPointers, CallsInALoop) {
  const auto out = kernel_.run(
      a_, b_, [this](KernelModule& m) { constants(m); },
      [&](auto body) {
        auto& m = body.module;
        constexpr Word kUMod = 137, kInBoundsAccessChain = 66;
        const Word loop = m.id(), behind = m.id(), before = m.id(), next = m.id(), sum = m.id();
        m.add(OpBranch, {before}).add(OpLabel, {before}).add(OpBranch, {loop});
        m.add(OpLabel, {loop});
        const Word i = m.result(OpPhi, m.i32, {zero_, before, next, loop});
        const Word x = m.result(OpPhi, m.i32, {body.a, before, sum, loop});
        const Word which = m.result(kUMod, m.i32, {m.result(OpIAdd, m.i32, {i, body.b}), three_});
        const Word pointer =
            m.result(OpLoad, pointer_, {m.result(kInBoundsAccessChain, place_, {table_, which})});
        m.add(5601, {m.i32, sum, pointer, x});
        m.add(OpIAdd, {m.i32, next, i, one_});
        const Word again = m.result(OpULessThan, m.bool_type, {next, numbers_[2]});
        m.add(OpBranchConditional, {again, loop, behind}).add(OpLabel, {behind});
        return sum;
      });
  EXPECT_EQ(out, expected<int>([&](size_t i) {
              int x = a_[i];
              for (unsigned k = 0; k < 5; ++k)
                x = apply((k + i) % 3, x);
              return x;
            }));
}

TEST_F(FunctionPointers, RulesAreChecked) {
  expect_refused(kernel_.module(
                     [&](KernelModule& m) {
                       constants(m);
                       m.result(5600, pointer_, {m.i32});
                     },
                     [&](auto body) { return body.a; }),
                 "the operand is a function of the pointer's type");
  expect_refused(kernel_.module([&](KernelModule& m) { constants(m); },
                                [&](auto body) {
                                  return body.module.result(5601, body.type, {pointers_[0]});
                                }),
                 "a call has its function's arguments");
}

// An array of as many numbers as a specialization constant says, in a loop that frees it.
TEST(VariableLengthArrays, SavedAndRestored) {
  const Elementwise<int> kernel({5817}, "SPV_INTEL_variable_length_array");
  const auto a = numbers<int>(5, 3), b = numbers<int>(1, 1);
  constexpr Word kUMod = 137;
  Word place = 0, bytes = 0, zero = 0, one = 0, four = 0, length = 0;
  const auto constants = [&](KernelModule& m) {
    place = m.type(OpTypePointer, {Function, m.i32});
    bytes = m.type(OpTypePointer, {Function, m.i8});
    zero = m.constant32(0), one = m.constant32(1), four = m.constant32(4);
    length = m.result(OpSpecConstant, m.i32, {3});
  };
  const auto out = kernel.run(a, b, constants, [&](auto body) {
    auto& m = body.module;
    const Word before = m.id(), loop = m.id(), behind = m.id(), next = m.id(), sum = m.id();
    m.add(OpBranch, {before}).add(OpLabel, {before}).add(OpBranch, {loop}).add(OpLabel, {loop});
    const Word i = m.result(OpPhi, m.i32, {zero, before, next, loop});
    const Word x = m.result(OpPhi, m.i32, {body.a, before, sum, loop});
    const Word saved = m.result(5819, bytes);
    const Word array = m.result(5818, place, {length});
    const Word last = m.result(OpInBoundsPtrAccessChain, place,
                               {array, m.result(kUMod, m.i32, {body.b, length})});
    m.add(OpStore, {array, x, 2, 4}).add(OpStore, {last, m.result(OpIAdd, m.i32, {x, i}), 2, 4});
    m.add(OpIAdd, {m.i32, sum, m.result(OpLoad, m.i32, {array, 2, 4}), i});
    m.add(5820, {saved});
    m.add(OpIAdd, {m.i32, next, i, one});
    const Word again = m.result(OpULessThan, m.bool_type, {next, four});
    m.add(OpBranchConditional, {again, loop, behind}).add(OpLabel, {behind});
    return sum;
  });
  EXPECT_EQ(out, expected<int>([&](size_t i) {
              int x = a[i];
              for (int k = 0; k < 4; ++k)
                x = (b[i] % 3 == 0 ? x + k : x) + k;
              return x;
            }));
  const auto refused = [&](bool saves, bool is_known, const char* rule) {
    expect_refused(kernel.module(constants,
                                 [&](auto body) {
                                   auto& m = body.module;
                                   const Word next = m.id();
                                   m.add(OpBranch, {next}).add(OpLabel, {next});
                                   if (saves)
                                     m.result(5819, bytes);
                                   m.result(5818, place, {is_known ? length : body.b});
                                   return body.a;
                                 }),
                   rule);
  };
  refused(false, true, "memory is saved before an array is made");
  refused(true, false, "the length of an array on this device");
}

TEST(MemoryAccessAliasing, ListsOfScopes) {
  constexpr Word kDomain = 5911, kScope = 5912, kList = 5913;
  const Elementwise<int> kernel({5910}, "SPV_INTEL_memory_access_aliasing");
  const auto a = numbers<int>(5, 3), b = numbers<int>(1, 1);
  Word domain = 0, scope = 0, list = 0, two = 0;
  const auto constants = [&](KernelModule& m) {
    domain = m.type(kDomain), scope = m.type(kScope, {domain}), list = m.type(kList, {scope});
    two = m.constant32(2);
  };
  // A store that is said not to alias the loads around it.
  const auto body = [&](Word wrong) {
    return [&, wrong](auto given) {
      auto& m = given.module;
      const Word i = m.load_global_id();
      const Word in = m.result(OpInBoundsPtrAccessChain, m.global_i32, {given.in_a, i});
      const Word x = m.result(OpLoad, m.i32, {in, 0x10002, 4, wrong != 0 ? wrong : list});
      m.add(OpStore, {given.element, m.result(OpIMul, m.i32, {x, two}), 0x20002, 4, list});
      const Word y = m.result(OpLoad, m.i32, {in, 0x10002, 4, list});
      return m.result(OpIAdd, m.i32, {x, y});
    };
  };
  EXPECT_EQ(kernel.run(a, b, constants, body(0)),
            expected<int>([&](size_t i) { return 2 * a[i]; }));
  const auto two_scopes = [&](KernelModule& m) {
    domain = m.type(kDomain), scope = m.type(kScope, {domain});
    list = m.type(kList, {scope, m.type(kScope, {domain})});
    two = m.constant32(2);
  };
  EXPECT_EQ(kernel.run(a, b, two_scopes, body(0)),
            expected<int>([&](size_t i) { return 2 * a[i]; }));
  // As Clang 22's backend has it, lists may stand before their scopes.
  const auto list_first = [&](KernelModule& m) {
    domain = m.type(kDomain), scope = m.id(), list = m.type(kList, {scope});
    m.add(kScope, {scope, domain});
    two = m.constant32(2);
  };
  EXPECT_EQ(kernel.run(a, b, list_first, body(0)),
            expected<int>([&](size_t i) { return 2 * a[i]; }));
  expect_refused(kernel.module(constants, [&](auto given) { return body(scope)(given); }),
                 "the operand is a list of alias scopes");
  expect_refused(kernel.module(
                     [&](KernelModule& m) {
                       constants(m);
                       m.type(kList, {domain});
                     },
                     [&](auto given) { return given.a; }),
                 "the operand is an alias scope");
  expect_refused(kernel.module(
                     [&](KernelModule& m) {
                       constants(m);
                       m.type(kScope, {scope});
                     },
                     [&](auto given) { return given.a; }),
                 "the operand is an alias domain");
}

} // namespace
