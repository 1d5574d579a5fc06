// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device-side enqueue in SPIR-V, as the specification has it: parameters of any layout, ranges as
// values, sizes of local memory as numbers. What translators write is tested by the tests of
// OpenCL C through SPIR-V.
#include "tests/api/device_queue.h"
#include "tests/spirv/module_builder.h"

#include <algorithm>
#include <functional>

namespace heddle::test {
namespace {

enum : Word {
  kTypeDeviceEvent = 35,
  kTypeQueue = 37,
  kEnqueueMarker = 291,
  kEnqueueKernel = 292,
  kSubGroupCount = 293,
  kMaxSubGroupSize = 294,
  kWorkGroupSize = 295,
  kPreferredMultiple = 296,
  kRetainEvent = 297,
  kReleaseEvent = 298,
  kCreateUserEvent = 299,
  kIsValidEvent = 300,
  kSetUserEventStatus = 301,
  kGetDefaultQueue = 303,
  kBuildNDRange = 304,
  kLocalSizeForSubGroupCount = 325,
  kMaxNumSubGroups = 326,
  kInBoundsAccessChain = 66,
  kPtrCastToGeneric = 121,
  kGenericCastToPtr = 122,
  kDeviceEnqueue = 19,
  kGenericPointer = 38,
  kSubgroupDispatch = 58,
  kGeneric = 8,
};

// A kernel k(global int* out) with a default queue, events and the function that it enqueues:
//   child(generic char* p, local char* l): reads {global int* out; int add} at p,
//   l[i] = add + i, and out[1 + i] += l[i].
struct EnqueueModule : KernelModule {
  EnqueueModule() : KernelModule("", {kDeviceEnqueue, kGenericPointer, kSubgroupDispatch}) {
    child = id();
    types();
    event = type(kTypeDeviceEvent);
    queue_type = type(kTypeQueue);
    private_event = type(OpTypePointer, {Function, event});
    generic_event = type(OpTypePointer, {kGeneric, event});
    sizes = type(OpTypeArray, {i64, constant64(3)});
    range_type = type(OpTypeStruct, {i32, sizes, sizes, sizes});
    range_pointer = type(OpTypePointer, {Function, range_type});
    parameter = type(OpTypeStruct, {global_i32, i32});
    private_parameter = type(OpTypePointer, {Function, parameter});
    private_pointer = type(OpTypePointer, {Function, global_i32});
    private_i32 = type(OpTypePointer, {Function, i32});
    private_bytes = type(OpTypePointer, {Function, i8});
    generic_bytes = type(OpTypePointer, {kGeneric, i8});
    generic_parameter = type(OpTypePointer, {kGeneric, parameter});
    local_bytes = type(OpTypePointer, {Workgroup, i8});
    local_i32 = type(OpTypePointer, {Workgroup, i32});
    child_type = type(OpTypeFunction, {void_type, generic_bytes, local_bytes});
    zero = constant32(0), one = constant32(1), two = constant32(2), bytes = constant32(16);
    alignment = constant32(8), flags = constant32(0), hundred = constant32(100);
    zero64 = constant64(0), eight = constant64(8), sixteen = constant64(16);
    no_event = result(OpConstantNull, generic_event);
  }

  void begin_kernel() {
    out = begin({global_i32})[0];
    first_event = result(OpVariable, private_event, {Function});
    second_event = result(OpVariable, private_event, {Function});
    captured = result(OpVariable, private_parameter, {Function});
    add(OpStore, {result(kInBoundsAccessChain, private_pointer, {captured, zero}), out, 2, 8});
    add(OpStore, {result(kInBoundsAccessChain, private_i32, {captured, one}), hundred, 2, 4});
    given =
        result(kPtrCastToGeneric, generic_bytes, {result(OpBitcast, private_bytes, {captured})});
    queue = result(kGetDefaultQueue, queue_type);
    range = result(kBuildNDRange, range_type, {sixteen, eight, zero64});
  }
  Word generic(Word private_pointer) {
    return result(kPtrCastToGeneric, generic_event, {private_pointer});
  }
  Word element(Word index) { return result(OpInBoundsPtrAccessChain, global_i32, {out, index}); }
  void define_child() {
    add(OpFunction, {void_type, child, 0, child_type});
    const Word p = result(OpFunctionParameter, generic_bytes);
    const Word l = result(OpFunctionParameter, local_bytes);
    type(OpLabel);
    const Word all = result(OpLoad, parameter, {result(OpBitcast, generic_parameter, {p}), 2, 8});
    const Word target = result(OpCompositeExtract, global_i32, {all, 0});
    const Word number = result(OpCompositeExtract, i32, {all, 1});
    const Word i = load_global_id();
    const Word narrow = result(OpUConvert, i32, {i});
    const Word local =
        result(OpInBoundsPtrAccessChain, local_i32,
               {result(OpBitcast, local_i32, {l}), result(137, i64, {i, eight})}); // OpUMod
    add(OpStore, {local, result(OpIAdd, i32, {number, narrow}), 2, 4});
    const Word place = result(OpInBoundsPtrAccessChain, global_i32,
                              {target, result(OpIAdd, i64, {i, constant_one})});
    const Word sum = result(
        OpIAdd, i32, {result(OpLoad, i32, {place, 2, 4}), result(OpLoad, i32, {local, 2, 4})});
    add(OpStore, {place, sum, 2, 4}).add(OpReturn, {}).add(OpFunctionEnd, {});
  }
  Word enqueue(Word wait_count, Word waits, Word returned, Word size) {
    return result(
        kEnqueueKernel, i32,
        {queue, flags, range, wait_count, waits, returned, child, given, bytes, alignment, size});
  }

  Word child, event, queue_type, private_event, generic_event, sizes, range_type, range_pointer,
      parameter, private_parameter, private_pointer, private_i32, private_bytes, generic_bytes,
      generic_parameter, local_bytes, local_i32, child_type, zero, one, two, bytes, alignment,
      flags, hundred, zero64, eight, sixteen, no_event;
  Word constant_one = 0;
  Word out = 0, first_event = 0, second_event = 0, captured = 0, given = 0, queue = 0, range = 0;
};

class SpirvEnqueueTest : public DeviceEnqueueTest {
 protected:
  Program create(const Words& words) {
    cl_int error = CL_SUCCESS;
    Program made(clCreateProgramWithIL(context_, words.data(), 4 * words.size(), &error));
    check(error, "clCreateProgramWithIL");
    return made;
  }
  std::vector<cl_int> run_module(const Words& words) {
    const auto program = create(words);
    EXPECT_EQ(clBuildProgram(program, 0, nullptr, "-g", nullptr, nullptr), CL_SUCCESS)
        << build_log(program);
    // What is enqueued is no kernel of the program.
    size_t count = 0;
    check(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof count, &count, nullptr),
          "the number of kernels");
    EXPECT_EQ(count, 1U);
    const auto kernel = make_kernel(program, "k");
    const std::vector<cl_int> zeros(32);
    const auto out = make_buffer(context_, 32 * sizeof(cl_int), zeros.data());
    set_args(kernel, out);
    run(queue_, kernel, {{1}, {1}, {}});
    return read<cl_int>(queue_, out, 32);
  }
};

TEST_F(SpirvEnqueueTest, EventsRangesAndLocalMemory) {
  EnqueueModule m;
  m.constant_one = m.constant64(1);
  const Word local_size = m.constant32(8 * 4);
  m.begin_kernel();
  // A user event holds back the first; the second waits for the first, and takes the range by its
  // address, as translators have it.
  m.add(OpStore, {m.second_event, m.result(kCreateUserEvent, m.event)});
  Word status = m.enqueue(m.one, m.generic(m.second_event), m.generic(m.first_event), local_size);
  const Word stored = m.result(OpVariable, m.range_pointer, {Function});
  m.add(OpStore, {stored, m.range});
  m.range = stored;
  status = m.result(OpIAdd, m.i32,
                    {status, m.enqueue(m.one, m.generic(m.first_event), m.no_event, local_size)});
  const Word user = m.result(OpLoad, m.event, {m.second_event});
  const Word marker = m.result(
      kEnqueueMarker, m.i32, {m.queue, m.one, m.generic(m.first_event), m.generic(m.second_event)});
  status = m.result(OpIAdd, m.i32, {status, marker});
  const Word valid = m.result(kIsValidEvent, m.bool_type, {user});
  m.add(kRetainEvent, {user}).add(kReleaseEvent, {user});
  m.add(kSetUserEventStatus, {user, m.zero}).add(kReleaseEvent, {user});
  for (const Word event : {m.first_event, m.second_event})
    m.add(kReleaseEvent, {m.result(OpLoad, m.event, {event})});
  const Word answer = m.result(OpSelect, m.i32, {valid, m.hundred, m.zero});
  m.add(OpStore, {m.element(m.zero64), m.result(OpIAdd, m.i32, {answer, status}), 2, 4});
  m.end();
  m.define_child();
  const auto out = run_module(m.words());
  EXPECT_EQ(out[0], 100);
  for (int i = 0; i < 16; ++i)
    EXPECT_EQ(out[1 + i], 2 * (100 + i)) << i;
  EXPECT_EQ(out[17], 0);
}

TEST_F(SpirvEnqueueTest, Queries) {
  EnqueueModule m;
  m.constant_one = m.constant64(1);
  Words places;
  for (unsigned i = 0; i < 7; ++i)
    places.push_back(m.constant64(i));
  const Word large = m.constant32(1U << 30);
  m.begin_kernel();
  const Words block = {m.child, m.given, m.bytes, m.alignment};
  const auto query = [&](Word op, Words operands) {
    operands.insert(operands.end(), block.begin(), block.end());
    return m.result(op, m.i32, operands);
  };
  const Word answers[] = {query(kWorkGroupSize, {}),
                          query(kPreferredMultiple, {}),
                          query(kSubGroupCount, {m.range}),
                          query(kMaxSubGroupSize, {m.range}),
                          query(kMaxNumSubGroups, {}),
                          query(kLocalSizeForSubGroupCount, {m.two}),
                          query(kLocalSizeForSubGroupCount, {large})};
  for (unsigned i = 0; i < 7; ++i)
    m.add(OpStore, {m.element(places[i]), answers[i], 2, 4});
  m.end();
  m.define_child();
  const auto out = run_module(m.words());
  const auto group = out[0], width = out[1];
  EXPECT_GE(group, 64);
  EXPECT_GE(width, 1);
  EXPECT_EQ(out[2], (8 + width - 1) / width);
  EXPECT_EQ(out[3], std::min(8, width));
  EXPECT_EQ(out[4], (group + width - 1) / width);
  EXPECT_EQ(out[5], 2 * width);
  EXPECT_EQ(out[6], 0);
}

TEST_F(SpirvEnqueueTest, RangesOfTwoDimensions) {
  EnqueueModule m;
  m.constant_one = m.constant64(1);
  const Word pair = m.type(OpTypeArray, {m.i64, m.constant64(2)});
  const Word two = m.constant64(2), four = m.constant64(4);
  const Word global = m.result(OpConstantComposite, pair, {m.eight, two});
  const Word local = m.result(OpConstantComposite, pair, {four, m.constant_one});
  const Word offset = m.result(OpConstantNull, pair);
  const Word local_size = m.constant32(8 * 4);
  m.begin_kernel();
  m.range = m.result(kBuildNDRange, m.range_type, {global, local, offset});
  m.add(OpStore,
        {m.element(m.zero64), m.enqueue(m.zero, m.no_event, m.no_event, local_size), 2, 4});
  m.end();
  m.define_child();
  // Both rows add to the same elements, one after the other or at once; the first is 100 or 200.
  const auto out = run_module(m.words());
  EXPECT_EQ(out[0], 0);
  for (int i = 0; i < 8; ++i)
    EXPECT_TRUE(out[1 + i] == 100 + i || out[1 + i] == 2 * (100 + i)) << i << ": " << out[1 + i];
  EXPECT_EQ(out[9], 0);
}

TEST_F(SpirvEnqueueTest, RulesAreChecked) {
  const auto expect_refused = [&](const std::function<void(EnqueueModule&)>& body,
                                  const std::string& rule) {
    EnqueueModule m;
    m.constant_one = m.constant64(1);
    const auto three = m.constant32(3);
    m.hundred = three;
    m.begin_kernel();
    body(m);
    m.end();
    m.define_child();
    const auto program = create(m.words());
    EXPECT_EQ(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr), CL_BUILD_PROGRAM_FAILURE);
    EXPECT_NE(build_log(program).find(rule), std::string::npos) << build_log(program);
  };
  const auto enqueue = [](EnqueueModule& m, Words operands) {
    m.result(kEnqueueKernel, m.i32, operands);
  };
  expect_refused(
      [&](auto& m) {
        enqueue(m, {m.queue, m.flags, m.range, m.zero, m.no_event, m.no_event, m.child, m.given,
                    m.bytes, m.alignment});
      },
      "each Workgroup parameter of the enqueued function has a size");
  expect_refused(
      [&](auto& m) {
        enqueue(m, {m.out, m.flags, m.range, m.zero, m.no_event, m.no_event, m.child, m.given,
                    m.bytes, m.alignment, m.bytes});
      },
      "the queue");
  expect_refused(
      [&](auto& m) {
        enqueue(m, {m.queue, m.flags, m.one, m.zero, m.no_event, m.no_event, m.child, m.given,
                    m.bytes, m.alignment, m.bytes});
      },
      "the range is what OpBuildNDRange makes");
  expect_refused(
      [&](auto& m) {
        enqueue(m, {m.queue, m.flags, m.range, m.zero, m.no_event, m.no_event, m.function, m.given,
                    m.bytes, m.alignment, m.bytes});
      },
      "the parameters of an enqueued function are pointers to integers of 8 bits");
  expect_refused(
      [&](auto& m) {
        enqueue(m, {m.queue, m.flags, m.range, m.zero, m.no_event, m.no_event, m.child, m.given,
                    m.bytes, m.hundred, m.bytes});
      },
      "an alignment is a power of two of at most 128");
  expect_refused(
      [&](auto& m) {
        enqueue(m, {m.queue, m.flags, m.range, m.zero, m.given, m.no_event, m.child, m.given,
                    m.bytes, m.alignment, m.bytes});
      },
      "the pointer is to device events");
  expect_refused(
      [&](auto& m) {
        m.result(kBuildNDRange, m.range_type, {m.one, m.one, m.one});
      },
      "sizes and offset are integers of 64 bits");
}

} // namespace
} // namespace heddle::test
