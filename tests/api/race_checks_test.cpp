// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HEDDLE_CHECK=race: accesses to the same byte by work-items that nothing orders fail the command,
// with both lines; near twins that are right pass.
#include "tests/api/images.h"
#include "tests/api/order_checks.h"

#include <cstdlib>

namespace heddle::test {
namespace {

// Set before the driver reads it.
[[maybe_unused]] const int kChecksAreSet = setenv("HEDDLE_CHECK", "race,divergence", 1);

using RaceChecks = OrderChecks;

TEST_F(RaceChecks, NoBarrierInLocalMemory) {
  expect({"tile[l] = i; // A\n"
          "\n"
          "out[i] = tile[l ^ 1]; // B",
          "argument 2 'tile' in local memory: ", "\n\n", "\nbarrier(CLK_LOCAL_MEM_FENCE);\n"});
}

TEST_F(RaceChecks, LocalVariable) {
  expect({"local int sum;\n"
          "if (l == 3) sum = i; // A\n"
          "\n"
          "out[i] = sum; // B",
          "bytes 0 to 3 of the local variable 'sum' in local memory: ", "\n\n",
          "\nbarrier(CLK_LOCAL_MEM_FENCE);\n"});
}

TEST_F(RaceChecks, FenceOfAnotherMemory) {
  expect({"tile[l] = i; // A\n"
          "barrier(CLK_GLOBAL_MEM_FENCE);\n"
          "out[i] = tile[l ^ 1]; // B",
          "in local memory", "CLK_GLOBAL_MEM_FENCE", "CLK_LOCAL_MEM_FENCE"});
  expect({"data[i] = l; // A\n"
          "barrier(CLK_LOCAL_MEM_FENCE);\n"
          "out[i] = data[i ^ 1]; // B",
          "argument 0 'data' in global memory", "CLK_LOCAL_MEM_FENCE",
          "CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE"});
}

// The second access runs before or after the first one, whatever the order of work-items.
TEST_F(RaceChecks, HiddenByTheOrderOfWorkItems) {
  expect({"out[i] = data[0]; // A\n"
          "barrier(CLK_LOCAL_MEM_FENCE);\n"
          "if (l == 0) data[0] = -1; // B",
          "bytes 0 to 3 of argument 0 'data'", "if (l == 0)", "if (l == 77)"});
  expect({"if (l == 15) data[g] = -1; // A\n"
          "if (l == 0) out[i] = data[g]; // B",
          "of the same group, with no barrier between them", "l == 0", "l == 15"});
}

TEST_F(RaceChecks, OtherGroups) {
  expect({"if (l == 0) data[g] = g; // A\n"
          "barrier(CLK_GLOBAL_MEM_FENCE);\n"
          "if (i == 0) out[0] = data[1]; // B",
          "of another group", "data[1]", "data[0]"});
  expect({"out[l] = i; // A", "bytes 0 to 3 of argument 1 'out' in global memory: store", "out[l]",
          "out[i]"});
}

// A flag that all set to the same value.
TEST_F(RaceChecks, EqualValues) {
  expect({"if (data[i] > 3) out[0] = l % 2 + 1; // A", "store", "l % 2 + 1", "1"});
  expect({"*(global int4*)out = (int4)(l % 2 + 1); // A", "store", "l % 2 + 1", "1"});
}

TEST_F(RaceChecks, BytesOfOneWord) {
  expect({"global uchar* bytes = (global uchar*)out;\n"
          "bytes[i / 2] = i; // A",
          "", "i / 2", "i"});
  expect({"global uchar* bytes = (global uchar*)out;\n"
          "bytes[i] = i; // A\n"
          "if (i == 9) *(global ushort*)(bytes + 2 * i) = 1; // B",
          "store", "2 * i", "2 * i + 30"});
}

TEST_F(RaceChecks, Vectors) {
  expect({"vstore4((int4)(i), i, out + 3 * i - 4 * i); // A", "argument 1 'out'", "3 * i - 4 * i",
          "0"});
  expect({"int3 v = vload3(i, data); // A\n"
          "data[i * 3 + 3] = v.x; // B",
          "argument 0 'data'", "i * 3 + 3", "i * 3"});
  expect({"((global int4*)out)[i / 2] = (int4)(i); // A", "", "i / 2", "i"});
}

TEST_F(RaceChecks, Structures) {
  expect({"global struct pair* pairs = (global struct pair*)data;\n"
          "struct pair own = pairs[i + 1]; // A\n"
          "pairs[i] = own; // B",
          "argument 0 'data'",
          "i + 1",
          "i",
          {{32}, {16}, {}},
          "struct pair { int a, b[3]; };"});
}

TEST_F(RaceChecks, Atomics) {
  expect({"atomic_inc(out); // A\n"
          "if (i == 7) data[i] = out[0]; // B",
          "atomic operation at ", "out[0]", "atomic_add(out, 0)"});
  expect({"if (l == 0) tile[0] = 0; // A\n"
          "\n"
          "atomic_add(tile, i); // B",
          "argument 2 'tile'", "\n\n", "\nbarrier(CLK_LOCAL_MEM_FENCE);\n"});
  // One that fails only reads.
  expect({"if (l == 0) tile[g] = 77;\n"
          "barrier(CLK_LOCAL_MEM_FENCE);\n"
          "atomic_cmpxchg(tile + g, 77, i); // A\n"
          "data[i] = tile[g]; // B",
          "", "g, 77", "g, 78"});
}

// A group that acquires what another one has released.
TEST_F(RaceChecks, ReleaseAndAcquire) {
  const std::string pass = "global atomic_int* flag = (global atomic_int*)out;\n"
                           "if (i == 0) {\n"
                           "data[0] = 5; // A\n"
                           "atomic_store_explicit(flag, 1, memory_order_release,\n"
                           "                      memory_scope_device);\n"
                           "}\n"
                           "if (i == 16) {\n"
                           "while (atomic_load_explicit(flag, memory_order_relaxed,\n"
                           "                            memory_scope_device) == 0) {}\n"
                           "out[1] = data[0]; // B\n"
                           "}";
  expect({pass, "of another group", "memory_order_relaxed", "memory_order_acquire"});
  expect({pass, "of another group", "== 0) {}",
          "== 0) {}\natomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, "
          "memory_scope_device);"});
}

TEST_F(RaceChecks, AsyncCopies) {
  expect({"tile[l] = 0; // A\n"
          "\n"
          "event_t e = async_work_group_copy(tile, data, 16, 0); // B\n"
          "wait_group_events(1, &e);\n"
          "out[i] = tile[l ^ 1];",
          "async copy at ", "\n\n", "\nbarrier(CLK_LOCAL_MEM_FENCE);\n"});
  expect({"event_t e = async_work_group_copy(tile, data, 16, 0); // A\n"
          "barrier(CLK_LOCAL_MEM_FENCE);\n"
          "out[i] = tile[l]; // B\n"
          "wait_group_events(1, &e);",
          "argument 2 'tile'", "barrier(CLK_LOCAL_MEM_FENCE)", "wait_group_events(1, &e)"});
  expect({"barrier(CLK_LOCAL_MEM_FENCE);\n"
          "event_t e = async_work_group_strided_copy(data + g, tile, 16, 1, 0); // A\n"
          "wait_group_events(1, &e);",
          "async copy at ", "data + g", "data + g * 16"});
}

// Accesses in functions have their own lines, those of builtins that of the call.
TEST_F(RaceChecks, FunctionsAndGenericPointers) {
  expect({"put(tile + l, i);\n"
          "\n"
          "int x;\n"
          "modf(1.5f, (local float*)tile + (l ^ 1)); // B\n"
          "out[i] = tile[l];",
          "argument 2 'tile'",
          "(l ^ 1)",
          "l",
          {{32}, {16}, {}},
          "void put(int* place, int value) {\n*place = value; // A\n}"});
}

TEST_F(RaceChecks, ProgramScope) {
  expect({"total += i; // A",
          "of the variable 'total' in global memory",
          "total += i",
          "out[i] += total",
          {{32}, {16}, {}},
          "global int total = 3;"});
}

// Their constructors run outside of launches.
TEST_F(RaceChecks, ObjectsAtProgramScope) {
  const auto program = build(context_, R"(
    __global int constructed = 0;
    struct Counted {
      int value;
      Counted(int value) : value(value) { ++constructed; }
    };
    Counted first(3);
    kernel void k(global int* out) { out[get_global_id(0)] = first.value + constructed; })",
                             "-cl-std=CLC++2021");
  const auto kernel = make_kernel(program, "k");
  const auto out = make_buffer(context_, 4096);
  set_args(kernel, out);
  EXPECT_EQ(outcome(kernel, {{64}, {16}, {}}), "");
  EXPECT_EQ(read<cl_int>(queue_, out, 1, 9)[0], 4);
}

TEST_F(RaceChecks, GroupsOfThreeDimensions) {
  const auto message =
      run("kernel void k(global int* data, global int* out, local int* tile) {\n"
          "  if (get_global_id(0) == 6 && get_global_id(1) < 2 && get_global_id(2) == 1)\n"
          "    out[0] = get_global_id(1);\n"
          "}",
          {{8, 3, 2}, {4, 2, 1}, {}});
  EXPECT_NE(message.find("store at "), message.npos) << message;
  EXPECT_NE(message.find("work-item (6, 1, 1)"), message.npos) << message;
}

// What is only accessed by atomic operations orders what is accessed otherwise.
TEST_F(RaceChecks, ReleaseByAnotherArgument) {
  const auto program = build(context_, R"(
    kernel void k(global int* data, global atomic_int* flag, int n) {
      int i = get_global_id(0);
      if (i == 0) {
        data[n] = 5;
        atomic_store_explicit(flag, 1, memory_order_release, memory_scope_device);
      }
      if (i == 16) {
        if (n == 0)
          while (atomic_load_explicit(flag, memory_order_acquire, memory_scope_device) == 0) {}
        data[n + 1] = data[n];
      }
    })",
                             "-cl-std=CL3.0");
  const auto kernel = make_kernel(program, "k");
  const cl_int zero = 0;
  for (const cl_int n : {0, 1}) {
    const auto data = make_buffer(context_, 64), flag = make_buffer(context_, 4, &zero);
    set_args(kernel, data, flag, n);
    EXPECT_EQ(outcome(kernel, {{32}, {16}, {}}).empty(), n == 0);
  }
}

// Whether work-items access bytes of their own depends on the launch.
TEST_F(RaceChecks, ArgumentsThatOverlap) {
  const auto program = build(context_, R"(
    kernel void k(global const int* in, global int* out) {
      int i = get_global_id(0);
      out[i] = in[i + 1];
    })",
                             "-cl-std=CL3.0");
  const auto kernel = make_kernel(program, "k");
  const auto in = make_buffer(context_, 4096), out = make_buffer(context_, 4096);
  set_args(kernel, in, out);
  EXPECT_EQ(outcome(kernel, {{64}, {8}, {}}), "");
  set_args(kernel, out, out);
  const auto message = outcome(kernel, {{64}, {8}, {}});
  EXPECT_NE(message.find("data race on bytes "), message.npos) << message;
  const cl_buffer_region whole{0, 4096};
  cl_int error;
  const auto part =
      clCreateSubBuffer(in, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &whole, &error);
  ASSERT_EQ(error, CL_SUCCESS);
  set_args(kernel, in, part);
  EXPECT_NE(outcome(kernel, {{64}, {8}, {}}), "");
  clReleaseMemObject(part);
}

TEST_F(RaceChecks, RowsThatOverlap) {
  const auto program = build(context_, R"(
    kernel void k(global int* out, int width) {
      int x = get_global_id(0), y = get_global_id(1);
      out[y * width + x] = 100 * y + x;
    }
    kernel void columns(global int* out, uint height) {
      out[get_global_id(0) * height + get_global_id(1)] = get_global_id(0);
    }
    kernel void one_row(global int* out) { out[get_global_id(0)] = get_global_id(1); }
    kernel void pairs(global int* out, int offset) {
      int i = get_global_id(0);
      out[2 * i] = i;
      out[2 * i + 1] = i;
      if (offset != 0)
        out[2 * i + 2] = i;
    })",
                             "-cl-std=CL3.0");
  const auto out = make_buffer(context_, 4096);
  const auto run = [&](const char* name, cl_int number, const Range& range) {
    const auto kernel = make_kernel(program, name);
    set_args(kernel, out, number);
    return outcome(kernel, range);
  };
  const Range range{{16, 16}, {8, 2}, {}};
  EXPECT_EQ(run("k", 16, range), "");
  EXPECT_EQ(run("k", 20, range), "");
  EXPECT_NE(run("k", 15, range), "");
  EXPECT_NE(run("k", 0, range), "");
  EXPECT_EQ(run("columns", 16, range), "");
  EXPECT_NE(run("columns", 15, range), "");
  EXPECT_EQ(run("pairs", 0, {{64}, {8}, {}}), "");
  EXPECT_NE(run("pairs", 1, {{64}, {8}, {}}), "");
  const auto one_row = make_kernel(program, "one_row");
  set_args(one_row, out);
  EXPECT_EQ(outcome(one_row, {{16, 1}, {8, 1}, {}}), "");
  EXPECT_NE(outcome(one_row, range), "");
}

// Images that several work-items write or read and write; their fences and barriers.
TEST_F(RaceChecks, Images) {
  const auto program = build(context_, R"(
    kernel void write(write_only image2d_t image, int width) {
      int i = get_global_id(0);
      write_imageui(image, (int2)(i % width, 0), (uint4)(i)); // line 4
    }
    kernel void blur(read_write image2d_t image, int step) {
      int i = get_global_id(0);
      uint4 v = read_imageui(image, (int2)(i + step, 0)); // line 8
      write_imageui(image, (int2)(i, 0), v + 1u); // line 9
    }
    kernel void turns(read_write image2d_t image, int ordered) {
      int l = get_local_id(0), first = get_group_id(0) * 16;
      write_imageui(image, (int2)(first + l, 0), (uint4)(l)); // line 13
      if (ordered)
        barrier(CLK_IMAGE_MEM_FENCE);
      else
        barrier(CLK_LOCAL_MEM_FENCE);
      uint4 v = read_imageui(image, (int2)(first + 15 - l, 0)); // line 18
      barrier(CLK_IMAGE_MEM_FENCE);
      write_imageui(image, (int2)(first + l, 1), v);
    }
    kernel void copy(read_only image2d_t from, write_only image2d_t to, global uint* sums) {
      int i = get_global_id(0);
      uint4 v = read_imageui(from, (int2)(3, 0));
      sums[i] = v.x;
      write_imageui(to, (int2)(i, 0), v);
    })",
                             "-cl-std=CL3.0");
  const auto d = describe(CL_MEM_OBJECT_IMAGE2D, 64, 4);
  for (const cl_image_format format :
       {cl_image_format{CL_RGBA, CL_UNSIGNED_INT32}, cl_image_format{CL_R, CL_UNSIGNED_INT8}}) {
    const auto image = make_image(context_, d, format);
    const auto run = [&](const char* name, cl_int number) {
      const auto kernel = make_kernel(program, name);
      set_args(kernel, image, number);
      return outcome(kernel, {{32}, {16}, {}});
    };
    EXPECT_EQ(run("write", 32), "");
    const auto message = run("write", 31);
    expect_in(message, "of argument 0 'image' in global memory: store at ");
    expect_in(message, ":4 ");
    EXPECT_EQ(run("blur", 0), "");
    const auto blurred = run("blur", 1);
    expect_in(blurred, ":8 ");
    expect_in(blurred, ":9 ");
    EXPECT_EQ(run("turns", 1), "");
    const auto turned = run("turns", 0);
    expect_in(turned, ":13 ");
    expect_in(turned, ":18 ");
    const auto to = make_image(context_, d, format);
    const auto sums = make_buffer(context_, 4096);
    const auto copy = make_kernel(program, "copy");
    set_args(copy, image, to, sums);
    EXPECT_EQ(outcome(copy, {{32}, {16}, {}}), "");
  }
}

// Each pair of lines once, and launches do not remember each other.
TEST_F(RaceChecks, OnceForEachPairOfLines) {
  const auto program = build(context_, R"(
    kernel void k(global int* out) {
      out[0] = get_global_id(0);
      out[1] = get_global_id(0);
    }
    kernel void one(global int* out) { out[get_global_id(0) % 32] = get_group_id(0); })",
                             "-cl-std=CL3.0");
  const auto kernel = make_kernel(program, "k"), one = make_kernel(program, "one");
  const auto out = make_buffer(context_, 4096);
  set_args(kernel, out);
  set_args(one, out);
  for (int repeat = 0; repeat < 2; ++repeat) {
    const auto messages = outcome(kernel, {{256}, {8}, {}});
    EXPECT_EQ(std::ranges::count(messages, '\n'), 2) << messages;
    EXPECT_EQ(outcome(one, {{32}, {8}, {}}), "");
  }
}

} // namespace
} // namespace heddle::test
