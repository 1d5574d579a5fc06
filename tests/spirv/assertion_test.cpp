// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What ends a kernel with a message: __devicelib_assert_fail as modules of SYCL import it, with
// Generic strings, and OpAbortKHR.
#include "tests/spirv/elementwise.h"

#include <string>

namespace {

using namespace heddle::test;

constexpr Word kAbort = 5121, kAbortCapability = 5120, kGeneric = 8;
constexpr Word kAccessChain = 65, kConstruct = 80, kPtrCastToGeneric = 121, kIEqual = 170;

struct Outcome {
  bool has_failed = false;
  std::string told;
  std::vector<int> out;
};

void CL_CALLBACK note(const char* message, const void*, size_t, void* text) {
  *static_cast<std::string*>(text) += message;
}

// Runs the kernel k(global int* out) on 64 work-items in groups of 16.
Outcome run_module(const KernelModule& m) {
  Outcome outcome;
  const auto words = m.words();
  const auto context = make_context(note, &outcome.told);
  const Program program(clCreateProgramWithIL(context, words.data(), 4 * words.size(), nullptr));
  check(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr), build_log(program).c_str());
  const auto kernel = make_kernel(program, "k");
  const auto queue = make_queue(context);
  const std::vector<int> zeros(64);
  const auto out = make_buffer(context, 64 * sizeof(int), zeros.data());
  set_args(kernel, out);
  Event event;
  testing::internal::CaptureStderr();
  check(enqueue(queue, kernel, {{64}, {16}, {}}, event.out()), "clEnqueueNDRangeKernel");
  clWaitForEvents(1, event.address());
  clFinish(queue);
  const auto printed = testing::internal::GetCapturedStderr();
  if (!outcome.told.empty()) {
    EXPECT_NE(printed.find(outcome.told), std::string::npos) << printed;
  }
  outcome.has_failed = event_status(event) < 0;
  outcome.out = read<int>(queue, out, 64);
  return outcome;
}

// Begins "if (global id == which) {"; answers the label behind it.
Word begin_if(KernelModule& m, Word which) {
  const Word is_it = m.result(kIEqual, m.bool_type, {m.load_global_id(), which});
  const Word yes = m.id(), no = m.id();
  m.add(OpBranchConditional, {is_it, yes, no}).add(OpLabel, {yes});
  return no;
}

KernelModule asserting(std::uint64_t which) {
  KernelModule m("", {38}); // GenericPointer
  const Word fail = m.id();
  m.add(OpDecorate, {fail, 41}, "__devicelib_assert_fail", {1});
  m.types();
  const Word generic = m.type(OpTypePointer, {kGeneric, m.i8});
  const Word to_char = m.type(OpTypePointer, {CrossWorkgroup, m.i8});
  const Word zero = m.constant32(0), line = m.constant32(77), two = m.constant64(2);
  const Word at = m.constant64(which), one = m.constant32(1);
  const auto text = [&](const std::string& characters) {
    Words parts;
    for (const char c : characters)
      parts.push_back(m.result(OpConstant, m.i8, {static_cast<Word>(c)}));
    parts.push_back(m.result(OpConstant, m.i8, {0}));
    const Word array = m.type(OpTypeArray, {m.i8, m.constant32(static_cast<Word>(parts.size()))});
    const Word pointer = m.type(OpTypePointer, {CrossWorkgroup, array});
    return m.result(OpVariable, pointer,
                    {CrossWorkgroup, m.result(OpConstantComposite, array, parts)});
  };
  const Word texts[] = {text("n > 0"), text("a.cpp"), text("void f()")};
  const Word fail_type = m.type(OpTypeFunction, {m.void_type, generic, generic, m.i32, generic,
                                                 m.i64, m.i64, m.i64, m.i64, m.i64, m.i64});
  const auto p = m.begin({m.global_i32});
  const Word no = begin_if(m, at);
  Word given[3];
  for (int i = 0; i < 3; ++i)
    given[i] =
        m.result(kPtrCastToGeneric, generic, {m.result(kAccessChain, to_char, {texts[i], zero})});
  m.result(OpFunctionCall, m.void_type,
           {fail, given[0], given[1], line, given[2], m.load_global_id(), two, two, two, two, two});
  m.add(OpBranch, {no}).add(OpLabel, {no});
  m.add(OpStore,
        {m.result(OpInBoundsPtrAccessChain, m.global_i32, {p[0], m.load_global_id()}), one, 2, 4});
  m.end();
  m.add(OpFunction, {m.void_type, fail, 0, fail_type});
  for (const Word type :
       {generic, generic, m.i32, generic, m.i64, m.i64, m.i64, m.i64, m.i64, m.i64})
    m.result(OpFunctionParameter, type);
  m.add(OpFunctionEnd, {});
  return m;
}

TEST(DevicelibAssert, FailsAndHolds) {
  const auto holds = run_module(asserting(64));
  EXPECT_FALSE(holds.has_failed);
  EXPECT_EQ(holds.told, "");
  EXPECT_EQ(holds.out, std::vector<int>(64, 1));
  const auto fails = run_module(asserting(37));
  EXPECT_TRUE(fails.has_failed);
  EXPECT_NE(fails.told.find("kernel 'k' failed at "), std::string::npos) << fails.told;
  EXPECT_NE(fails.told.find("a.cpp:77: void f(): global id: [37,2,2], local id: [2,2,2] "
                            "Assertion `n > 0` failed."),
            std::string::npos)
      << fails.told;
  EXPECT_EQ(fails.out[37], 0);
}

// With a structure of a string, numbers and a vector, in a kernel with a barrier behind the abort.
KernelModule aborting(std::uint64_t which, bool has_barrier) {
  KernelModule m("", {kAbortCapability}, "SPV_KHR_abort");
  m.types();
  Words characters;
  for (const char c : std::string("test: "))
    characters.push_back(m.result(OpConstant, m.i8, {static_cast<Word>(c)}));
  const Word string = m.type(OpTypeArray, {m.i8, m.constant32(6)});
  const Word text = m.result(OpConstantComposite, string, characters);
  const Word floats = m.type(OpTypeVector, {m.f32, 2});
  const Word message = m.type(OpTypeStruct, {string, m.i64, floats, m.bool_type});
  const Word half = m.result(OpConstant, m.f32, {0x3F000000});
  const Word minus = m.result(OpConstant, m.f32, {0xC0400000});
  const Word pair = m.result(OpConstantComposite, floats, {half, minus});
  const Word yes = m.result(OpConstantTrue, m.bool_type);
  const Word at = m.constant64(which), one = m.constant32(1), two = m.constant32(2),
             semantics = m.constant32(0x208);
  const auto p = m.begin({m.global_i32});
  const Word no = begin_if(m, at);
  m.add(kAbort, {message, m.result(kConstruct, message, {text, m.load_global_id(), pair, yes})});
  m.add(OpLabel, {no});
  if (has_barrier)
    m.add(OpControlBarrier, {two, two, semantics});
  m.add(OpStore,
        {m.result(OpInBoundsPtrAccessChain, m.global_i32, {p[0], m.load_global_id()}), one, 2, 4});
  m.end();
  return m;
}

TEST(Abort, TellsItsMessage) {
  for (const bool has_barrier : {false, true}) {
    const auto without = run_module(aborting(64, has_barrier));
    EXPECT_FALSE(without.has_failed) << without.told;
    EXPECT_EQ(without.out, std::vector<int>(64, 1));
    const auto aborted = run_module(aborting(42, has_barrier));
    EXPECT_TRUE(aborted.has_failed);
    EXPECT_NE(aborted.told.find("aborted with {\"test: \", 42, {0.5, -3}, 1}"), std::string::npos)
        << aborted.told;
    EXPECT_EQ(aborted.out[42], 0);
  }
}

// In a function with a result, of which more follows where it is called; and a long message.
TEST(Abort, InFunctions) {
  Elementwise<int> kernel({kAbortCapability}, "SPV_KHR_abort");
  Word function = 0, function_type = 0, zero = 0, array = 0, constant = 0;
  kernel.functions = [&](KernelModule& m) {
    m.add(OpFunction, {m.i32, function, 0, function_type});
    const Word x = m.result(OpFunctionParameter, m.i32);
    m.type(OpLabel);
    const Word yes = m.id(), no = m.id();
    m.add(OpBranchConditional, {m.result(OpULessThan, m.bool_type, {x, zero}), yes, no});
    m.add(OpLabel, {yes}).add(kAbort, {array, constant});
    m.add(OpLabel, {no}).add(OpReturnValue, {m.result(OpIAdd, m.i32, {x, x})});
    m.add(OpFunctionEnd, {});
  };
  const auto a = numbers<int>(1, 1);
  const auto out = kernel.run(
      a, a,
      [&](KernelModule& m) {
        zero = m.constant32(0);
        function = m.id();
        function_type = m.type(OpTypeFunction, {m.i32, m.i32});
        array = m.type(OpTypeArray, {m.i32, m.constant32(200)});
        constant = m.result(OpConstantNull, array);
      },
      [&](auto body) {
        auto& m = body.module;
        return m.result(OpFunctionCall, m.i32, {function, body.a});
      });
  EXPECT_EQ(out, expected<int>([&](size_t i) { return 2 * a[i]; }));
}

TEST(Abort, WhatIsRefused) {
  using Operands = std::function<Words(KernelModule&, Word event, Word null_event)>;
  const auto expect_refused = [](const Operands& operands, const char* why) {
    KernelModule m("", {kAbortCapability}, "SPV_KHR_abort");
    m.types();
    const Word event = m.type(OpTypeEvent);
    const Word null_event = m.result(OpConstantNull, event);
    const Words given = operands(m, event, null_event);
    m.begin({m.global_i32});
    m.add(kAbort, given).add(OpFunctionEnd, {});
    const auto words = m.words();
    const auto context = make_context();
    const Program program(clCreateProgramWithIL(context, words.data(), 4 * words.size(), nullptr));
    EXPECT_EQ(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr), CL_BUILD_PROGRAM_FAILURE);
    EXPECT_NE(build_log(program).find(why), std::string::npos) << build_log(program);
  };
  expect_refused(
      [](auto&, Word event, Word null_event) {
        return Words{event, null_event};
      },
      "the message is of numbers");
  expect_refused([](auto& m, Word, Word) { return Words{m.i32, m.constant64(1)}; }, "match");
  expect_refused(
      [](auto& m, Word, Word) {
        return Words{m.void_type, m.constant64(1)};
      },
      "a type with a size");
  expect_refused([](auto& m, Word, Word) { return Words{m.i32}; }, "shorter than");
}

} // namespace
