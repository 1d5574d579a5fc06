// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HEDDLE_CHECK=memory: async copies out of bounds, and uses of pipes that OpenCL C 6.15.14 leaves
// undefined, fail the command; the message has the line, the builtin, the bytes and their memory.
// Valid programs pass, and the driver works afterwards.
#include "tests/api/checked_kernels.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace heddle::test {
namespace {

// Set before the driver reads it.
[[maybe_unused]] const int kChecksAreSet =
    setenv("HEDDLE_CHECK",
           std::getenv("HEDDLE_TEST_CHECKS") ? std::getenv("HEDDLE_TEST_CHECKS") : "memory", 1);

// The number of the first line after `from` that contains "HERE".
std::string line_of_here(const std::string& source, size_t from = 0) {
  const auto at = source.find("HERE", from);
  return ":" +
         std::to_string(std::ranges::count(std::string_view(source).substr(0, at), '\n') + 1) + " ";
}

class MemoryChecks : public CheckedKernels {
 protected:
  // The message contains the kernel, the line of HERE and the text.
  void expect_failure(const std::string& message, const std::string& source,
                      const std::string& kernel, const std::string& text) {
    EXPECT_NE(message.find("kernel '" + kernel + "' failed"), message.npos) << message;
    const auto line = line_of_here(source, source.find("helper(") < source.size()
                                               ? 0
                                               : source.find("kernel void " + kernel + "("));
    EXPECT_NE(message.find(line), message.npos) << "not" << line << "in " << message;
    EXPECT_NE(message.find(text), message.npos) << "not " << text << " in " << message;
  }
};

struct Copy {
  const char* name;
  const char* statement; // of `buffer`, `tile` and the numbers n
  std::vector<cl_ulong> good;
  struct Bad {
    std::vector<cl_ulong> n;
    const char* text;
  };
  std::vector<Bad> bad;
};

constexpr cl_ulong kMinus1 = ~cl_ulong(0);

// `buffer` has 64 ints, 256 bytes; `tile` 32, 128 bytes.
const Copy kCopies[] = {
    {"async_work_group_copy",
     "async_work_group_copy(tile + n.s2, buffer + n.s0, n.s1, 0)",
     {32, 32},
     {{{33, 32}, "reads bytes 132 to 259 of argument 0 'buffer', which has 256"},
      {{0, 33}, "writes bytes 0 to 131 of argument 1 'tile', which has 128"},
      {{0, 1, 32}, "writes bytes 128 to 131 of argument 1 'tile', which has 128"},
      {{0, 1, kMinus1}, "writes bytes -4 to -1 of argument 1 'tile', which has 128"},
      {{kMinus1, 2}, "reads bytes -4 to 3 of argument 0 'buffer', which has 256"},
      {{1000000, 2}, "reads bytes 4000000 to 4000007 of argument 0 'buffer', which has 256"},
      {{0, kMinus1}, "reads bytes 0 to 73786976294838206459 of argument 0"}}},
    {"async_work_group_copy",
     "async_work_group_copy(buffer + n.s0, tile + n.s2, n.s1, 0)",
     {32, 32},
     {{{63, 2}, "writes bytes 252 to 259 of argument 0 'buffer', which has 256"},
      {{0, 30, 3}, "reads bytes 12 to 131 of argument 1 'tile', which has 128"}}},
    {"async_work_group_strided_copy",
     "async_work_group_strided_copy(tile, buffer + n.s0, n.s1, n.s2, 0)",
     {0, 22, 3},
     {{{1, 22, 3}, "reads bytes 4 to 259 of argument 0 'buffer', which has 256"},
      {{0, 33, 1}, "writes bytes 0 to 131 of argument 1 'tile', which has 128"}}},
    {"async_work_group_strided_copy",
     "async_work_group_strided_copy(buffer + n.s0, tile, n.s1, n.s2, 0)",
     {0, 22, 3},
     {{{1, 22, 3}, "writes bytes 4 to 259 of argument 0 'buffer', which has 256"},
      {{0, 33, 0}, "reads bytes 0 to 131 of argument 1 'tile', which has 128"}}},
    // Offsets, elements, lines, line pitches of source and destination.
    {"async_work_group_copy_2D2D",
     "async_work_group_copy_2D2D(tile, n.s0, buffer, n.s1, 4, n.s2, n.s3, n.s4, n.s5, 0)",
     {2, 4, 5, 6, 11, 5},
     {{{2, 4, 5, 6, 12, 5}, "reads bytes 16 to 275 of argument 0 'buffer', which has 256"},
      {{3, 4, 5, 6, 11, 5}, "writes bytes 12 to 131 of argument 1 'tile', which has 128"}}},
    {"async_work_group_copy_2D2D",
     "async_work_group_copy_2D2D(buffer, n.s0, tile, n.s1, 4, n.s2, n.s3, n.s4, n.s5, 0)",
     {4, 2, 5, 6, 5, 11},
     {{{4, 2, 5, 6, 5, 12}, "writes bytes 16 to 275 of argument 0 'buffer', which has 256"},
      {{4, 3, 5, 6, 5, 11}, "reads bytes 12 to 131 of argument 1 'tile', which has 128"}}},
    // Offsets, elements, lines, planes, line and plane pitches of source and destination.
    {"async_work_group_copy_3D3D",
     "async_work_group_copy_3D3D(tile, n.s0, buffer, n.s1, 4, n.s2, n.s3, n.s4, n.s5, n.s6, n.s7, "
     "n.s8, 0)",
     {1, 3, 2, 3, 4, 4, 17, 2, 7},
     {{{1, 4, 2, 3, 4, 4, 17, 2, 7}, "reads bytes 16 to 259 of argument 0 'buffer', which has 256"},
      {{1, 3, 2, 3, 4, 4, 18, 2, 7}, "reads bytes 12 to 267 of argument 0 'buffer', which has 256"},
      {{1, 3, 2, 3, 4, 5, 17, 2, 7}, "reads bytes 12 to 263 of argument 0 'buffer', which has 256"},
      {{3, 3, 2, 3, 4, 4, 17, 2, 8},
       "writes bytes 12 to 131 of argument 1 'tile', which has 128"}}},
    {"async_work_group_copy_3D3D",
     "async_work_group_copy_3D3D(buffer, n.s0, tile, n.s1, 4, n.s2, n.s3, n.s4, n.s5, n.s6, n.s7, "
     "n.s8, 0)",
     {3, 1, 2, 3, 4, 2, 7, 4, 17},
     {{{3, 1, 2, 3, 4, 2, 7, 4, 19},
       "writes bytes 12 to 279 of argument 0 'buffer', which has 256"},
      {{3, 3, 2, 3, 4, 2, 8, 4, 17},
       "reads bytes 12 to 131 of argument 1 'tile', which has 128"}}}};

TEST_F(MemoryChecks, EveryCopyInAndOutOfBounds) {
  for (const auto& copy : kCopies) {
    const std::string source = std::string(R"(
      kernel void copies(global int* buffer, local int* tile, ulong16 n) {
        tile[get_local_id(0)] = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        event_t event = 0;
        for (int i = 0; i < 2; ++i)
          event = )") + copy.statement +
                               R"(; // HERE
        wait_group_events(1, &event);
      })";
    SCOPED_TRACE(copy.statement);
    const auto program = build(context_, source, "-cl-std=CL3.0");
    const auto kernel = make_kernel(program, "copies");
    const auto buffer = make_buffer(context_, 256);
    const auto run_with = [&](const std::vector<cl_ulong>& n) {
      cl_ulong16 numbers{};
      std::copy(n.begin(), n.end(), numbers.s);
      set_args(kernel, buffer, Local{128}, numbers);
      return outcome(kernel, {{64}, {32}, {}});
    };
    EXPECT_EQ(run_with(copy.good), "");
    for (const auto& bad : copy.bad) {
      const auto message = run_with(bad.n);
      expect_failure(message, source, "copies", bad.text);
      EXPECT_NE(message.find(std::string(copy.name) + " at "), message.npos) << message;
      EXPECT_NE(message.find("failed at work-item"), message.npos) << message;
      EXPECT_EQ(run_with(copy.good), "");
    }
  }
}

TEST_F(MemoryChecks, NothingIsCopiedByACopyOfNothing) {
  const auto program = build(context_, R"(
    kernel void nothing(global int* buffer, local int* tile, ulong n) {
      event_t e = async_work_group_copy(tile + 1000000, buffer - 1000000, n, 0);
      e = async_work_group_strided_copy(tile + 1000000, buffer - 1000000, n, 7, e);
      e = async_work_group_copy_2D2D(tile, 1 << 30, buffer, 1 << 30, 4, n, 1, 1, 1, e);
      e = async_work_group_copy_2D2D(tile, 1 << 30, buffer, 1 << 30, 4, 1, n, 1, 1, e);
      e = async_work_group_copy_3D3D(tile, 1 << 30, buffer, 1 << 30, 4, 1, 1, n, 1, 1, 1, 1, e);
      prefetch(buffer + 1000000, 100);
      wait_group_events(1, &e);
    })",
                             "-cl-std=CL3.0");
  const auto kernel = make_kernel(program, "nothing");
  const auto buffer = make_buffer(context_, 256);
  set_args(kernel, buffer, Local{128}, cl_ulong(0));
  EXPECT_EQ(outcome(kernel, {{64}, {32}, {}}), "");
}

// A copy of `count` elements of the type ends at the end of the buffer; one more element is out of
// bounds.
TEST_F(MemoryChecks, BytesOfAnElement) {
  const struct {
    const char* type;
    size_t bytes;
  } types[] = {{"char", 1},    {"uchar", 1},  {"short", 2},     {"ushort3", 8}, {"int", 4},
               {"uint3", 16},  {"float", 4},  {"float2", 8},    {"long", 8},    {"ulong4", 32},
               {"char16", 16}, {"double", 8}, {"double16", 128}};
  for (const auto& [type, bytes] : types) {
    const std::string source = std::string("kernel void typed(global ") + type +
                               "* buffer, local " + type + R"(* tile, ulong n) {
      event_t e = async_work_group_copy(tile, buffer, n, 0); // HERE
      wait_group_events(1, &e);
    })";
    SCOPED_TRACE(type);
    const auto program = build(context_, source, "-cl-std=CL3.0");
    const auto kernel = make_kernel(program, "typed");
    const auto buffer = make_buffer(context_, 5 * bytes);
    set_args(kernel, buffer, Local{8 * bytes}, cl_ulong(5));
    EXPECT_EQ(outcome(kernel, {{4}, {4}, {}}), "");
    set_args(kernel, buffer, Local{8 * bytes}, cl_ulong(6));
    expect_failure(outcome(kernel, {{4}, {4}, {}}), source, "typed",
                   "reads bytes 0 to " + std::to_string(6 * bytes - 1) +
                       " of argument 0 'buffer', which has " + std::to_string(5 * bytes));
    const auto larger = make_buffer(context_, 9 * bytes);
    set_args(kernel, larger, Local{8 * bytes}, cl_ulong(9));
    expect_failure(outcome(kernel, {{4}, {4}, {}}), source, "typed",
                   "writes bytes 0 to " + std::to_string(9 * bytes - 1) +
                       " of argument 1 'tile', which has " + std::to_string(8 * bytes));
  }
}

// C++ has other names for the compiler.
TEST_F(MemoryChecks, LocalVariablesInCxx) {
  const std::string source = R"(
    template <class T> void helper(local T* tile, const global T* from, int count) {
      event_t e = async_work_group_copy(tile, from, count, 0); // HERE
      wait_group_events(1, &e);
    }
    kernel void locals(const global int* from, int count) {
      local int first[4], second[4];
      second[get_local_id(0) % 4] = 1;
      helper(first, from, count);
    })";
  const auto program = build(context_, source, "-cl-std=CLC++2021");
  const auto locals = make_kernel(program, "locals");
  const auto buffer = make_buffer(context_, 4096);
  set_args(locals, buffer, cl_int(5));
  expect_failure(outcome(locals, {{40}, {8}, {}}), source, "locals",
                 "writes bytes 0 to 19 of the local variable 'first', which has 16");
}

TEST_F(MemoryChecks, VariablesSubBuffersAndNull) {
  const std::string source = R"(
    global int table[8];
    global int beside[8];
    void helper(local int* tile, const global int* from, int count) {
      event_t e = async_work_group_copy(tile, from, count, 0); // HERE
      wait_group_events(1, &e);
    }
    kernel void variable(int count) {
      local int tile[16];
      beside[0] = 1;
      helper(tile, table, count);
    }
    kernel void locals(const global int* from, int count) {
      local int first[4], second[4];
      second[get_local_id(0) % 4] = 1;
      helper(first, from, count);
    }
    kernel void both(const global int* whole, const global int* part, int count) {
      local int tile[64];
      if (count > 0) helper(tile, part, count);
      tile[0] = whole[0];
    })";
  const auto program = build(context_, source, "-cl-std=CL3.0");
  const auto variable = make_kernel(program, "variable"), locals = make_kernel(program, "locals"),
             both = make_kernel(program, "both");
  const Range range{{40}, {8}, {}};
  set_args(variable, cl_int(8));
  EXPECT_EQ(outcome(variable, range), "");
  set_args(variable, cl_int(9));
  expect_failure(outcome(variable, range), source, "variable",
                 "reads bytes 0 to 35 of the variable 'table', which has 32");

  const auto buffer = make_buffer(context_, 4096);
  set_args(locals, buffer, cl_int(4));
  EXPECT_EQ(outcome(locals, range), "");
  set_args(locals, buffer, cl_int(5));
  expect_failure(outcome(locals, range), source, "locals",
                 "writes bytes 0 to 19 of the local variable 'first', which has 16");

  const auto part = make_part(buffer, 1024, 128);
  set_args(both, buffer, part, cl_int(32));
  EXPECT_EQ(outcome(both, range), "");
  set_args(both, buffer, part, cl_int(33));
  expect_failure(outcome(both, range), source, "both",
                 "reads bytes 0 to 131 of argument 1 'part', which has 128");
  check(clSetKernelArg(both, 1, sizeof(cl_mem), nullptr), "clSetKernelArg");
  expect_failure(outcome(both, range), source, "both", "reads by argument 1 'part', which is null");
  check(set_arg(both, 2, cl_int(0)), "clSetKernelArg");
  EXPECT_EQ(outcome(both, range), "");
}

// If the argument of a pointer is unknown at compile time, the address identifies it.
TEST_F(MemoryChecks, PointersOfManyOrigins) {
  const std::string source = R"(
    kernel void chosen(const global int* a, const global int* b, const global int* c, int which, int count) {
      local int tile[64];
      const global int* from[3] = {a, b, c};
      event_t e = async_work_group_copy(tile, from[which], count, 0); // HERE
      wait_group_events(1, &e);
    })";
  for (const char* options : {"-cl-std=CL3.0", "-cl-std=CL3.0 -cl-opt-disable"}) {
    const auto program = build(context_, source, options);
    const auto kernel = make_kernel(program, "chosen");
    const auto a = make_buffer(context_, 64), b = make_buffer(context_, 128),
               c = make_buffer(context_, 192);
    for (int which = 0; which < 3; ++which) {
      const int count = 16 * (which + 1);
      set_args(kernel, a, b, c, cl_int(which), cl_int(count));
      EXPECT_EQ(outcome(kernel, {{24}, {8}, {}}), "");
      set_args(kernel, a, b, c, cl_int(which), cl_int(count + 1));
      expect_failure(outcome(kernel, {{24}, {8}, {}}), source, "chosen",
                     "reads bytes 0 to " + std::to_string(count * 4 + 3) + " of argument " +
                         std::to_string(which) + " '" + "abc"[which] + "', which has " +
                         std::to_string(count * 4));
    }
  }
}

// Compiled separately and linked; groups of several rows, and smaller ones at the edge.
TEST_F(MemoryChecks, LinkedProgramsAndNonUniformGroups) {
  const std::string source = R"(
    kernel void edge(global int* out) {
      local int tile[64];
      const size_t items = get_local_size(0) * get_local_size(1);
      tile[get_local_linear_id()] = 7;
      barrier(CLK_LOCAL_MEM_FENCE);
      event_t e = async_work_group_copy( // HERE
          out + get_group_id(1) * 100 + get_group_id(0) * 30, tile, items, 0);
      wait_group_events(1, &e);
    })";
  const auto object = make_program(context_, source);
  check(
      clCompileProgram(object, 0, nullptr, "-cl-std=CL3.0", 0, nullptr, nullptr, nullptr, nullptr),
      "clCompileProgram");
  cl_int error;
  const Program program(
      clLinkProgram(context_, 0, nullptr, "", 1, object.address(), nullptr, nullptr, &error));
  check(error, "clLinkProgram");
  const auto kernel = make_kernel(program, "edge");
  // Groups of 5x6, those at the edges of 3x6, 5x4 and 3x4: the last ends at element 130 + 12.
  const auto out = make_buffer(context_, (130 + 12) * 4);
  set_args(kernel, out);
  EXPECT_EQ(outcome(kernel, {{8, 10}, {5, 6}, {}}), "");
  EXPECT_EQ(read<cl_int>(queue_, out, 1, 141)[0], 7);
  const auto smaller = make_buffer(context_, (130 + 11) * 4);
  set_args(kernel, smaller);
  const auto message = outcome(kernel, {{8, 10}, {5, 6}, {}});
  expect_failure(message, source, "edge",
                 "writes bytes 520 to 567 of argument 0 'out', which has 564");
  EXPECT_NE(message.find("(5, 6)"), message.npos) << message;
}

// Pipes.

class PipeChecks : public MemoryChecks {
 protected:
  Buffer make_pipe(cl_uint packets, cl_uint bytes = 4) {
    cl_int error;
    Buffer pipe(clCreatePipe(context_, 0, bytes, packets, nullptr, &error));
    check(error, "clCreatePipe");
    return pipe;
  }
  // One group of each of the `items` runs a kernel of these statements, with a pipe `w` to write
  // and another `r` to read, which holds 40 packets, and `i` and `v`, which are the work-item's id.
  // The failure is at the line with HERE; an empty text expects success.
  struct Use {
    std::string statements;
    std::string text;
    std::vector<size_t> items = {1};
  };
  // All kernels in one program.
  void expect(const std::vector<Use>& uses) {
    std::string source = R"(
      kernel void fill(write_only pipe int p) {
        for (int v = 0; v < 40; ++v) write_pipe(p, &v);
      })";
    for (size_t n = 0; n < uses.size(); ++n)
      source += "\nkernel void use" + std::to_string(n) +
                "(write_only pipe int w, read_only pipe int r, global int* out) {\n"
                "int i = get_local_id(0), v = i;\n" +
                uses[n].statements + "\n}";
    const auto program = build(context_, source, "-cl-std=CL3.0");
    const auto fill = make_kernel(program, "fill");
    const auto out = make_buffer(context_, 1024);
    for (size_t n = 0; n < uses.size(); ++n) {
      const auto& use = uses[n];
      const auto name = "use" + std::to_string(n);
      SCOPED_TRACE(use.statements);
      const auto kernel = make_kernel(program, name.c_str());
      for (const auto items : use.items) {
        const auto w = make_pipe(64), r = make_pipe(64);
        set_args(fill, r);
        EXPECT_EQ(outcome(fill, {{1}, {1}, {}}), "");
        set_args(kernel, w, r, out);
        const auto message = outcome(kernel, {{items}, {items}, {}});
        if (use.text.empty())
          EXPECT_EQ(message, "");
        else
          expect_failure(message, source, name, use.text);
        set_args(fill, w); // the pipe still works
        EXPECT_EQ(outcome(fill, {{1}, {1}, {}}), "");
      }
    }
  }
};

TEST_F(PipeChecks, RightUseByWorkItemsSubGroupsAndWorkGroups) {
  std::vector<Use> uses;
  const std::vector<size_t> items{1, 20, 32};
  uses.push_back({"write_pipe(w, &v); read_pipe(r, &v); read_pipe(r, out + i);", "", items});
  uses.push_back({R"(
      reserve_id_t id = reserve_write_pipe(w, 2);
      if (is_valid_reserve_id(id)) {
        write_pipe(w, id, 1, &v); write_pipe(w, id, 0, &v); commit_write_pipe(w, id);
      }
      id = reserve_read_pipe(r, 1);
      if (is_valid_reserve_id(id)) { read_pipe(r, id, 0, &v); commit_read_pipe(r, id); })",
                  "", items});
  // Several reservations, and one that is too large.
  uses.push_back({R"(
      reserve_id_t a = reserve_write_pipe(w, 1), b = reserve_write_pipe(w, 1),
                   c = reserve_write_pipe(w, 65);
      if (is_valid_reserve_id(b)) { write_pipe(w, b, 0, &v); commit_write_pipe(w, b); }
      if (is_valid_reserve_id(a)) { write_pipe(w, a, 0, &v); commit_write_pipe(w, a); }
      if (is_valid_reserve_id(c)) commit_write_pipe(w, c);)",
                  "", items});
  for (const std::string by : {"work_group", "sub_group"}) {
    const auto* index = by == "work_group" ? "i" : "get_sub_group_local_id()";
    const auto* count = by == "work_group" ? "get_local_size(0)" : "get_sub_group_size()";
    for (const std::string way : {"write", "read"})
      uses.push_back({"for (int k = 0; k < 2; ++k) { reserve_id_t id = " + by + "_reserve_" + way +
                          "_pipe(" + way[0] + ", " + count + "); if (is_valid_reserve_id(id)) { " +
                          way + "_pipe(" + way[0] + ", id, " + index + ", &v); " + by + "_commit_" +
                          way + "_pipe(" + way[0] + ", id); } }",
                      "", items});
  }
  expect(uses);
}

TEST_F(PipeChecks, IndexOutOfRange) {
  std::vector<Use> uses;
  for (const std::string by : {"", "work_group_", "sub_group_"})
    for (const std::string way : {"write", "read"})
      for (const auto& [index, text] : {std::pair{"3", "3"}, {"-1", "4294967295"}}) {
        const std::string pipe(1, way[0]);
        uses.push_back({"reserve_id_t id = " + by + "reserve_" + way + "_pipe(" + pipe + ", 3);\n" +
                            way + "_pipe(" + pipe + ", id, " + index + ", &v); // HERE\n" + by +
                            "commit_" + way + "_pipe(" + pipe + ", id);",
                        "is given index " + std::string(text) + " of a reservation of 3 packets"});
      }
  // One work-item of many.
  uses.push_back({R"(reserve_id_t id = work_group_reserve_write_pipe(w, 20);
    write_pipe(w, id, i == 13 ? 20 : i, &v); // HERE
    work_group_commit_write_pipe(w, id);)",
                  "is given index 20 of a reservation of 20 packets",
                  {20}});
  expect(uses);
}

TEST_F(PipeChecks, CommittedTwiceAndUsedAfterwards) {
  std::vector<Use> uses;
  const std::string text = "is given a reservation that is not active: it was committed before";
  for (const std::string by : {"", "work_group_", "sub_group_"})
    for (const std::string way : {"write", "read"}) {
      const std::string p(1, way[0]), commit = by + "commit_" + way + "_pipe(" + p + ", id);";
      const auto begin = "reserve_id_t id = " + by + "reserve_" + way + "_pipe(" + p + ", 2);\n";
      const auto use = way + "_pipe(" + p + ", id, 0, &v);";
      uses.push_back({begin + commit + "\n" + commit + " // HERE", text,
                      by == "work_group_" ? std::vector<size_t>{1, 20} : std::vector<size_t>{1}});
      uses.push_back({begin + commit + "\n" + use + " // HERE", text});
      if (by == "work_group_") {
        uses.push_back({begin + commit + "\nif (i == 19) " + use + " // HERE", text, {20}});
      }
    }
  expect(uses);
}

TEST_F(PipeChecks, NeverCommitted) {
  std::vector<Use> uses;
  for (const std::string by : {"", "work_group_", "sub_group_"})
    for (const std::string way : {"write", "read"}) {
      const std::string p(1, way[0]);
      uses.push_back({"reserve_id_t id = " + by + "reserve_" + way + "_pipe(" + p +
                          ", 2); // HERE\n" + way + "_pipe(" + p + ", id, 0, &v);",
                      "has made a reservation of 2 packets and has not committed it"});
    }
  uses.push_back({R"(reserve_id_t id = reserve_write_pipe(w, 2); // HERE
    write_pipe(w, id, 0, &v);
    if (i % 4 != 1) commit_write_pipe(w, id);)",
                  "has made 5 reservations and has not committed them",
                  {20}});
  expect(uses);
}

TEST_F(PipeChecks, InvalidAndForeignIds) {
  std::vector<Use> uses;
  for (const std::string id : {"CLK_NULL_RESERVE_ID", "reserve_write_pipe(w, 65)"}) {
    uses.push_back(
        {"write_pipe(w, " + id + ", 0, &v); // HERE", "is given an invalid reservation id"});
    uses.push_back(
        {"commit_write_pipe(w, " + id + "); // HERE", "is given an invalid reservation id"});
  }
  uses.push_back({"reserve_id_t id = reserve_read_pipe(r, 3);\nwrite_pipe(w, id, 0, &v); // HERE",
                  "is given a reservation of another pipe, or of its other end"});
  uses.push_back({"reserve_id_t id = reserve_read_pipe(r, 3);\ncommit_write_pipe(w, id); // HERE",
                  "is given a reservation of another pipe, or of its other end"});
  expect(uses);
}

TEST_F(PipeChecks, PacketsOfAnotherSizeAndPacketsOutside) {
  const std::string source = R"(
    kernel void other(write_only pipe int2 w) {
      int2 v = 1;
      write_pipe(w, &v); // HERE
    }
    kernel void reserving(write_only pipe int2 w) {
      reserve_id_t id = reserve_write_pipe(w, 1); // HERE
      if (is_valid_reserve_id(id)) commit_write_pipe(w, id);
    })";
  const auto program = build(context_, source, "-cl-std=CL3.0");
  const auto narrow = make_pipe(8, 4), right = make_pipe(8, 8);
  for (const char* name : {"other", "reserving"}) {
    const auto kernel = make_kernel(program, name);
    check(set_arg(kernel, 0, right), "clSetKernelArg");
    EXPECT_EQ(outcome(kernel, {{1}, {1}, {}}), "");
    check(set_arg(kernel, 0, narrow), "clSetKernelArg");
    expect_failure(outcome(kernel, {{1}, {1}, {}}), source, name,
                   "has packets of 8 bytes, and its pipe of 4");
  }
  expect({{"read_pipe(r, out + 256 + i); // HERE",
           "writes bytes 1024 to 1027 of argument 2 'out', which has 1024"},
          {"write_pipe(w, out - 1); // HERE",
           "reads bytes -4 to -1 of argument 2 'out', which has 1024"}});
}

// The cache distinguishes programs with and without checks, and without them nothing is reported.
TEST_F(MemoryChecks, KeptApartInTheCache) {
  const std::string source = R"(
    kernel void cached(const global int* part) {
      local int tile[64];
      event_t e = async_work_group_copy(tile, part, 40, 0); // HERE
      wait_group_events(1, &e);
    })";
  const auto program = build(context_, source, "-cl-std=CL3.0");
  const auto kernel = make_kernel(program, "cached");
  const auto buffer = make_buffer(context_, 4096);
  const auto part = make_part(buffer, 0, 128);
  set_args(kernel, part);
  const auto message = outcome(kernel, {{8}, {8}, {}});
  const char* checks = std::getenv("HEDDLE_TEST_CHECKS"); // in a child
  if (checks && std::string(checks).find("memory") == std::string::npos) {
    EXPECT_EQ(message, "");
  } else {
    expect_failure(message, source, "cached", "reads bytes 0 to 159");
  }
  if (checks)
    return;
  for (const char* in_child : {"", "memory", "division", "division,memory", ""}) {
    setenv("HEDDLE_TEST_CHECKS", in_child, 1);
    const auto child = run_self({"--gtest_filter=MemoryChecks.KeptApartInTheCache"});
    EXPECT_EQ(child.status, 0) << in_child << ": " << child.output;
  }
  unsetenv("HEDDLE_TEST_CHECKS");
}

} // namespace
} // namespace heddle::test
