// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The instruction set NonSemantic.Codeplay.GroupAsyncCopies, revision 1: copies of lines and
// planes, compared with the same copies from OpenCL C, and each of its rules broken once.
#include "tests/api/support.h"
#include "tests/spirv/module_builder.h"

#include <gtest/gtest.h>

#include <numeric>

namespace {

using namespace heddle::test;

struct Shape {
  bool to_local;
  bool is_3d;
  size_t bytes, elements, lines, planes;
  size_t global_offset, global_line, global_area;
  size_t local_offset, local_line, local_area;
};

constexpr Word kTileInts = 1024;

// What a test may put in place of a right operand.
struct Change {
  int operand = -1; // of the instruction, from 0
  enum {
    none,
    pointer_of_other_class,
    both_local,
    both_global,
    int32,
    vector,
    not_an_event,
    other_null,
    drop,
    extra,
    number
  } what = none;
  bool result_is_integer = false;
};

// k(global int* data, global int* out): in a group of 16, fills a tile of local memory with -1 - i,
// copies to it or from it, waits, and for copies to it stores the tile to out.
Words module_of(const Shape& shape, const Change& change = {}, bool chained = false) {
  KernelModule m("NonSemantic.Codeplay.GroupAsyncCopies", {});
  m.types();
  const Word event = m.type(OpTypeEvent);
  const Word length = m.constant32(kTileInts);
  const Word array = m.type(OpTypeArray, {m.i32, length});
  const Word local_array = m.type(OpTypePointer, {Workgroup, array});
  const Word local_i32 = m.type(OpTypePointer, {Workgroup, m.i32});
  const Word event_pointer = m.type(OpTypePointer, {Function, event});
  const Word tile = m.result(OpVariable, local_array, {Workgroup});
  const Word zero = m.constant64(0), sixteen = m.constant64(16), size = m.constant64(kTileInts);
  const Word all_ones = m.constant32(0xFFFFFFFF);
  const Word one32 = m.constant32(1), two32 = m.constant32(2), semantics = m.constant32(0x110);
  const Word null_event = m.result(OpConstantNull, event),
             null_int = m.result(OpConstantNull, m.i64);
  Words operands;
  const auto number = [&](size_t value) { return m.constant64(value); };
  const Word bytes = number(shape.bytes), elements = number(shape.elements),
             lines = number(shape.lines), planes = number(shape.planes),
             global_offset = number(shape.global_offset), global_line = number(shape.global_line),
             global_area = number(shape.global_area), local_offset = number(shape.local_offset),
             local_line = number(shape.local_line), local_area = number(shape.local_area);
  const auto p = m.begin({m.global_i32, m.global_i32});
  const Word events = m.result(OpVariable, event_pointer, {Function});
  const Word first = m.load_global_id();
  const Word local = m.result(65, local_i32, {tile, zero}); // OpAccessChain
  // The work-items go over the tile in strides of the group.
  const auto loop = [&](auto body) {
    const Word header = m.id(), inside = m.id(), after = m.id(), before = m.id();
    m.add(OpBranch, {before});
    m.add(OpLabel, {before});
    m.add(OpBranch, {header});
    m.add(OpLabel, {header});
    const Word i = m.id(), next = m.id();
    m.add(OpPhi, {m.i64, i, first, before, next, inside});
    const Word more = m.result(OpULessThan, m.bool_type, {i, size});
    m.add(OpBranchConditional, {more, inside, after});
    m.add(OpLabel, {inside});
    body(i);
    m.add(OpIAdd, {m.i64, next, i, sixteen});
    m.add(OpBranch, {header});
    m.add(OpLabel, {after});
  };
  loop([&](Word i) {
    const Word place = m.result(OpInBoundsPtrAccessChain, local_i32, {local, i});
    const Word value = m.result(130, m.i32, {all_ones, m.result(OpUConvert, m.i32, {i})}); // OpISub
    m.add(OpStore, {place, value, 2, 4});
  });
  m.add(OpControlBarrier, {two32, two32, semantics});
  const auto copy = [&](Word with_event) {
    Words given;
    if (shape.to_local)
      given = {local, local_offset, p[0], global_offset};
    else
      given = {p[0], global_offset, local, local_offset};
    given.insert(given.end(), {bytes, elements, lines});
    if (shape.is_3d)
      given.push_back(planes);
    const Words source =
        shape.to_local ? Words{global_line, global_area} : Words{local_line, local_area};
    const Words target =
        shape.to_local ? Words{local_line, local_area} : Words{global_line, global_area};
    given.push_back(source[0]);
    if (shape.is_3d)
      given.push_back(source[1]);
    given.push_back(target[0]);
    if (shape.is_3d)
      given.push_back(target[1]);
    given.push_back(with_event);
    Word instruction = shape.is_3d ? 2 : 1;
    switch (change.what) {
    case Change::both_local:
      given[0] = given[2] = local;
      break;
    case Change::both_global:
      given[0] = p[0], given[2] = p[1];
      break;
    case Change::vector:
      given[change.operand] = m.result(OpLoad, m.i64x3, {m.global_id});
      break;
    case Change::other_null:
      given.back() = null_int;
      break;
    case Change::pointer_of_other_class:
      given[change.operand] = events;
      break;
    case Change::int32:
      given[change.operand] = one32;
      break;
    case Change::not_an_event:
      given.back() = zero;
      break;
    case Change::drop:
      given.pop_back();
      break;
    case Change::extra:
      given.push_back(null_event);
      break;
    case Change::number:
      instruction = 3;
      break;
    default:
      break;
    }
    given.insert(given.begin(), {m.instructions, instruction});
    return m.result(OpExtInst, change.result_is_integer ? m.i32 : event, given);
  };
  Word made = copy(null_event);
  if (chained) // the same copy again, with the first one's event
    made = copy(made);
  m.add(OpStore, {events, made});
  m.add(OpGroupWaitEvents, {two32, one32, events});
  if (shape.to_local)
    loop([&](Word i) {
      const Word from = m.result(OpInBoundsPtrAccessChain, local_i32, {local, i});
      const Word to = m.result(OpInBoundsPtrAccessChain, m.global_i32, {p[1], i});
      m.add(OpStore, {to, m.result(OpLoad, m.i32, {from, 2, 4}), 2, 4});
    });
  m.end();
  return m.words();
}

std::string source_of(const Shape& s) {
  const auto n = [](size_t value) { return std::to_string(value) + "ul, "; };
  const std::string source = s.to_local ? n(s.global_line) : n(s.local_line);
  const std::string source_area = s.to_local ? n(s.global_area) : n(s.local_area);
  const std::string target = s.to_local ? n(s.local_line) : n(s.global_line);
  const std::string target_area = s.to_local ? n(s.local_area) : n(s.global_area);
  const std::string places = s.to_local
                                 ? "tile, " + n(s.local_offset) + "data, " + n(s.global_offset)
                                 : "data, " + n(s.global_offset) + "tile, " + n(s.local_offset);
  const std::string numbers = n(s.bytes) + n(s.elements) + n(s.lines);
  const std::string call =
      s.is_3d ? "async_work_group_copy_3D3D(" + places + numbers + n(s.planes) + source +
                    source_area + target + target_area + "0)"
              : "async_work_group_copy_2D2D(" + places + numbers + source + target + "0)";
  return "kernel void k(global int* data, global int* out) { local int tile[1024];"
         "for (uint i = get_local_id(0); i < 1024; i += 16) tile[i] = -1 - (int)i;"
         "barrier(CLK_LOCAL_MEM_FENCE); event_t e = " +
         call + "; wait_group_events(1, &e);" +
         (s.to_local ? "for (uint i = get_local_id(0); i < 1024; i += 16) out[i] = tile[i];" : "") +
         "}";
}

std::vector<int> results(cl_context context, cl_program program) {
  const auto queue = make_queue(context);
  const auto kernel = make_kernel(program, "k");
  std::vector<int> data(4096);
  std::iota(data.begin(), data.end(), 1);
  const auto buffer = make_buffer(context, data.size() * 4, data.data());
  const std::vector<int> zeros(kTileInts);
  const auto out = make_buffer(context, kTileInts * 4, zeros.data());
  set_args(kernel, buffer, out);
  run(queue, kernel, {{16}, {16}, {}});
  auto both = read<int>(queue, buffer, data.size());
  const auto tile = read<int>(queue, out, kTileInts);
  both.insert(both.end(), tile.begin(), tile.end());
  return both;
}

Program create(cl_context context, const Words& words) {
  cl_int error = CL_SUCCESS;
  Program program(clCreateProgramWithIL(context, words.data(), 4 * words.size(), &error));
  check(error, "clCreateProgramWithIL");
  return program;
}

TEST(GroupAsyncCopies, AsFromOpenCLC) {
  const auto context = make_context();
  const Shape shapes[] = {
      {true, false, 4, 7, 9, 1, 3, 31, 0, 5, 11, 0},
      {false, false, 4, 7, 9, 1, 3, 31, 0, 5, 11, 0},
      {true, false, 1, 13, 40, 1, 2, 57, 0, 1, 19, 0},
      {false, false, 16, 3, 6, 1, 1, 9, 0, 2, 5, 0},
      {true, true, 4, 5, 4, 6, 2, 17, 131, 3, 6, 33},
      {false, true, 4, 5, 4, 6, 2, 17, 131, 3, 6, 33},
      {true, true, 2, 9, 3, 5, 4, 21, 99, 7, 10, 41},
      {false, true, 8, 2, 3, 4, 1, 5, 40, 0, 3, 20},
  };
  for (const auto& shape : shapes) {
    SCOPED_TRACE(source_of(shape));
    const auto source = build(context, source_of(shape), "-cl-std=CL3.0");
    const auto wanted = results(context, source);
    // Something was copied, not all of it.
    std::vector<int> untouched(4096);
    std::iota(untouched.begin(), untouched.end(), 1);
    if (!shape.to_local) {
      EXPECT_NE(std::vector<int>(wanted.begin(), wanted.begin() + 4096), untouched);
    }
    for (const bool chained : {false, true}) {
      const auto program = create(context, module_of(shape, {}, chained));
      ASSERT_EQ(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr), CL_SUCCESS)
          << build_log(program);
      EXPECT_EQ(results(context, program), wanted) << chained;
    }
  }
}

TEST(GroupAsyncCopies, EveryRule) {
  const auto context = make_context();
  const Shape two = {true, false, 4, 7, 9, 1, 3, 31, 0, 5, 11, 0};
  const Shape three = {false, true, 4, 5, 4, 6, 2, 17, 131, 3, 6, 33};
  const auto log_of = [&](const Shape& shape, const Change& change) {
    const auto program = create(context, module_of(shape, change));
    EXPECT_EQ(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr), CL_BUILD_PROGRAM_FAILURE);
    const auto log = build_log(program);
    EXPECT_NE(log.find("OpExtInst at byte"), std::string::npos) << log;
    return log;
  };
  for (const auto& shape : {two, three}) {
    const int count = shape.is_3d ? 13 : 10;
    for (const auto what : {Change::both_local, Change::both_global})
      EXPECT_NE(log_of(shape, {0, what}).find("one of destination and source"), std::string::npos);
    for (const int place : {0, 2}) {
      EXPECT_NE(
          log_of(shape, {place, Change::pointer_of_other_class}).find("one of destination and"),
          std::string::npos);
      EXPECT_NE(log_of(shape, {place, Change::int32}).find("is a pointer"), std::string::npos);
    }
    for (int i = 1; i + 1 < count; ++i)
      if (i != 2) {
        for (const auto what : {Change::int32, Change::vector})
          EXPECT_NE(log_of(shape, {i, what}).find("another type"), std::string::npos) << i;
      }
    for (const auto what : {Change::not_an_event, Change::other_null})
      EXPECT_NE(log_of(shape, {0, what}).find("the event"), std::string::npos);
    EXPECT_NE(log_of(shape, {0, Change::drop}).find("operands"), std::string::npos);
    EXPECT_NE(log_of(shape, {0, Change::extra}).find("operands"), std::string::npos);
    EXPECT_NE(log_of(shape, {0, Change::number}).find("instructions 1 and 2"), std::string::npos);
    EXPECT_NE(log_of(shape, {-1, Change::none, true}).find("the result is an event"),
              std::string::npos);
  }
}

// What is not about operands.
TEST(GroupAsyncCopies, ModulesThatMayNotUseTheSet) {
  const auto context = make_context();
  const auto log_of = [&](const Words& words) {
    const auto program = create(context, words);
    EXPECT_EQ(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr), CL_BUILD_PROGRAM_FAILURE);
    return build_log(program);
  };
  Module without_kernel;
  without_kernel.add(OpCapability, {Addresses}).add(OpCapability, {Linkage});
  without_kernel.add(OpExtInstImport, {without_kernel.id()},
                     "NonSemantic.Codeplay.GroupAsyncCopies");
  without_kernel.memory_model();
  auto log = log_of(without_kernel.words());
  EXPECT_NE(log.find("the capability Kernel"), std::string::npos) << log;

  KernelModule outside("NonSemantic.Codeplay.GroupAsyncCopies");
  outside.types();
  const Word event = outside.type(OpTypeEvent);
  const Word null = outside.result(OpConstantNull, event), one = outside.constant64(1);
  outside.result(OpExtInst, event,
                 {outside.instructions, 1, one, one, one, one, one, one, one, one, one, null});
  outside.begin({});
  outside.end();
  log = log_of(outside.words());
  EXPECT_NE(log.find("inside of functions"), std::string::npos) << log;
}

} // namespace
