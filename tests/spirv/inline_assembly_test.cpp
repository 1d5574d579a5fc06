// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPV_INTEL_inline_assembly: of the target, as LLVM's constraints have it.
#include "assembly.h" // of tests/spirv/TARGET
#include "tests/spirv/elementwise.h"

namespace {

using namespace heddle::test;

constexpr Word kAsm = 5606, kTarget = 5609, kAssembly = 5610, kCall = 5611;
constexpr Word kClobber = 5607, kSideEffects = 5608;
constexpr const char* kExtension = "SPV_INTEL_inline_assembly";

// Defines assembly of a function type, with the id if it is given.
Word assembly(KernelModule& m, Word result, Word type, const Assembly& text_of, Word id = 0,
              const std::string& target = "spir64-unknown-unknown") {
  const Word target_id = m.id();
  m.add(kTarget, {target_id}, target);
  Words words = {result, id != 0 ? id : m.id(), type, target_id};
  for (const char* string : {text_of.code, text_of.constraints})
    for (const Word word : text(string))
      words.push_back(word);
  m.add(kAssembly, words);
  return words[1];
}

TEST(InlineAssembly, OfRegisters) {
  const Elementwise<int> kernel({kAsm}, kExtension);
  const auto a = numbers<int>(100, -7), b = numbers<int>(3, 11);
  Word sum = 0, divide = 0;
  const auto out = kernel.run(
      a, b,
      [&](KernelModule& m) {
        const Word type = m.type(OpTypeFunction, {m.i32, m.i32, m.i32});
        sum = assembly(m, m.i32, type, kAddFourTimes);
        divide = assembly(m, m.i32, type, kDivide, 0, kTriple);
      },
      [&](auto body) {
        auto& m = body.module;
        return m.result(kCall, m.i32,
                        {divide, m.result(kCall, m.i32, {sum, body.a, body.b}), body.b});
      });
  EXPECT_EQ(out, expected<int>([&](size_t i) { return (a[i] + 4 * b[i]) / b[i]; }));
}

// Under a condition that lanes differ in, in a loop, and in front of a barrier: each work-item
// once.
TEST(InlineAssembly, WithSideEffectsInEachWorkItem) {
  Elementwise<int> kernel({kAsm}, kExtension);
  const auto a = numbers<int>(0, 1), b = numbers<int>(5, 3);
  Word add = 0, one = 0, two = 0, semantics = 0, zero = 0;
  kernel.decorations = [&](KernelModule& m) {
    add = m.id();
    m.add(OpDecorate, {add, kSideEffects});
    m.add(OpDecorate, {add, kClobber}, "memory");
    m.add(OpDecorate, {add, kClobber}, kFlags);
  };
  const auto out = kernel.run(
      a, b,
      [&](KernelModule& m) {
        one = m.constant32(1), two = m.constant32(2), zero = m.constant32(0);
        semantics = m.constant32(0x208);
        assembly(m, m.void_type, m.type(OpTypeFunction, {m.void_type, m.global_i32, m.i32}),
                 kAddAtomically, add);
      },
      [&](auto body) {
        auto& m = body.module;
        const Word odd = m.result(171, m.bool_type, // OpINotEqual
                                  {m.result(199, m.i32, {body.a, one}), zero});
        const Word yes = m.id(), no = m.id(), end = m.id();
        m.add(OpBranchConditional, {odd, yes, no}).add(OpLabel, {yes});
        m.result(kCall, m.void_type, {add, body.element, body.b});
        m.result(kCall, m.void_type, {add, body.out, one}); // all to the first
        m.add(OpBranch, {end}).add(OpLabel, {no}).add(OpBranch, {end}).add(OpLabel, {end});
        m.add(OpControlBarrier, {two, two, semantics});
        m.result(kCall, m.void_type, {add, body.element, two});
        return Word{0};
      });
  EXPECT_EQ(out, expected<int>(
                     [&](size_t i) { return (i == 0 ? 32 : 0) + (i % 2 != 0 ? b[i] : 0) + 2; }));
}

TEST(InlineAssembly, OfMemoryAndImmediates) {
  const Elementwise<int> kernel({kAsm}, kExtension);
  const auto a = numbers<int>(9, 4), b = numbers<int>(1, 1);
  Word load = 0, seven = 0;
  const auto out = kernel.run(
      a, b,
      [&](KernelModule& m) {
        seven = m.constant32(7);
        load = assembly(m, m.i32, m.type(OpTypeFunction, {m.i32, m.global_i32, m.i32}),
                        kMultiplyMemory);
      },
      [&](auto body) {
        auto& m = body.module;
        m.add(OpStore, {body.element, body.a, 2, 4});
        return m.result(kCall, m.i32, {load, body.element, seven});
      });
  EXPECT_EQ(out, expected<int>([&](size_t i) { return 7 * a[i]; }));
}

TEST(InlineAssembly, WhatIsRefused) {
  const Elementwise<int> kernel({kAsm}, kExtension);
  const auto expect_refused = [&](const char* code, const char* constraints, const char* target,
                                  const std::string& why) {
    Word made = 0;
    const auto log = kernel.refusal(
        [&](KernelModule& m) {
          made = assembly(m, m.i32, m.type(OpTypeFunction, {m.i32, m.i32}), {code, constraints}, 0,
                          target);
        },
        [&](auto body) {
          return body.module.result(kCall, body.type, {made, body.a});
        });
    EXPECT_NE(log.find(why), std::string::npos) << log;
  };
  const std::string is_not = std::string("is not one of ") + kArchitecture;
  expect_refused("mov.s $0, $1", "=r,r", "genx64", "the target of assembly 'genx64'");
  expect_refused(kMove, "=r", "", "do not fit the type");
  for (const char* constraints : kUnknownConstraints)
    expect_refused(kMove, constraints, "", is_not);
  expect_refused(".incbin \"/etc/passwd\"", "=r,r", "", "the directive '.incbin'");
  expect_refused("nop; .section .init", "=r,r", "", "the directive '.section'");
  expect_refused("frobnicate $1, $0", "=r,r", "", kUnknownInstruction);
  expect_refused(kMove, "={nosuch},r", "", "could");
  // What is called is assembly, and has its arguments.
  Word made = 0;
  const auto constants = [&](KernelModule& m) {
    made = assembly(m, m.i32, m.type(OpTypeFunction, {m.i32, m.i32}), {kMove, "=r,r"});
  };
  EXPECT_NE(kernel
                .refusal(constants,
                         [&](auto body) {
                           return body.module.result(kCall, body.type, {body.a, body.a});
                         })
                .find("the call is of assembly"),
            std::string::npos);
  EXPECT_NE(kernel
                .refusal(constants,
                         [&](auto body) {
                           return body.module.result(kCall, body.type, {made, body.a, body.a});
                         })
                .find("the assembly's arguments"),
            std::string::npos);
}

} // namespace
