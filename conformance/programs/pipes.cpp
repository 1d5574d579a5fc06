// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Packets of every type, in order, by all work-items; full and empty pipes.
#include "pipe_harness.h"

#include <algorithm>
#include <numeric>

using namespace conformance;

namespace {

// Writes `count` packets from `first` on; reads up to `count` packets. Outputs: results, packets.
const char* kPlain = R"(
  kernel void put(write_only pipe int p, int first, int count, global int* out) {
    for (int i = 0; i < count; ++i) { int v = first + i; out[i] = write_pipe(p, &v); }
  }
  kernel void get(read_only pipe int p, int count, global int* out) {
    for (int i = 0; i < count; ++i) { int v = -7; out[i] = read_pipe(p, &v); out[count + i] = v; }
  }
  kernel void num_r(read_only pipe int p, global int* out) {
    out[0] = get_pipe_num_packets(p); out[1] = get_pipe_max_packets(p);
  }
  kernel void num_w(write_only pipe int p, global int* out) {
    out[0] = get_pipe_num_packets(p); out[1] = get_pipe_max_packets(p);
  })";

TEST_F(Pipes, InOrderAndToTheBrim) {
  SPEC("C, Built-in Pipe Read and Write Functions: 0 if successful, negative if full or empty");
  Program program = build(kPlain, kLanguage);
  Kernel put = make_kernel(program, "put"), get = make_kernel(program, "get");
  for (const cl_int depth : {1, 2, 3, 7, 64, 1000}) {
    SCOPED_TRACE(depth);
    Memory pipe = make_pipe(4, depth);
    for (int round = 0; round < 3; ++round) {
      const auto put_results = answers(put, depth, pipe, cl_int(10 * round), depth);
      EXPECT_EQ(put_results, Ints(depth, 0));
      const auto got = answers(get, 2 * depth, pipe, depth);
      for (int i = 0; i < depth; ++i) {
        ASSERT_EQ(got[i], 0);
        ASSERT_EQ(got[depth + i], 10 * round + i);
      }
    }
  }
}

TEST_F(Pipes, FailureLeavesThePipeAsItWas) {
  SPEC("C, Built-in Pipe Read and Write Functions: a negative value if the pipe is full, empty");
  Program program = build(kPlain, kLanguage);
  Kernel put = make_kernel(program, "put"), get = make_kernel(program, "get");
  const cl_int depth = 16;
  Memory pipe = make_pipe(4, depth);
  auto got = answers(get, 6, pipe, cl_int(3));
  EXPECT_TRUE(got[0] < 0 && got[1] < 0 && got[2] < 0);
  EXPECT_EQ(got[3], -7) << "nothing is stored";
  // Some drivers have a larger capacity than requested; exactly the accepted packets must be
  // readable.
  const auto written = answers(put, 3 * depth, pipe, cl_int(0), 3 * depth);
  const auto taken = int(std::count(written.begin(), written.end(), 0));
  EXPECT_EQ(taken, depth);
  EXPECT_TRUE(std::is_sorted(written.rbegin(), written.rend())) << "failures come last";
  got = answers(get, 6 * depth, pipe, 3 * depth);
  EXPECT_EQ(std::count(got.begin(), got.begin() + 3 * depth, 0), taken);
  for (int i = 0; i < taken; ++i)
    ASSERT_EQ(got[3 * depth + i], i);
  EXPECT_EQ(answers(put, 2, pipe, cl_int(70), cl_int(2)), Ints(2, 0));
  got = answers(get, 4, pipe, cl_int(2));
  EXPECT_EQ(got, (Ints{0, 0, 70, 71}));
}

TEST_F(Pipes, Counts) {
  SPEC("C, Built-in Pipe Query Functions; API: the contents are kept across kernels");
  Program program = build(kPlain, kLanguage);
  Kernel put = make_kernel(program, "put"), get = make_kernel(program, "get");
  Kernel by_reader = make_kernel(program, "num_r"), by_writer = make_kernel(program, "num_w");
  Memory pipe = make_pipe(4, 100);
  const auto expect_packets = [&](cl_int count) {
    EXPECT_EQ(answers(by_reader, 2, pipe), (Ints{count, 100}));
    EXPECT_EQ(answers(by_writer, 2, pipe), (Ints{count, 100}));
  };
  expect_packets(0);
  answers(put, 60, pipe, cl_int(0), cl_int(60));
  expect_packets(60);
  answers(get, 100, pipe, cl_int(50));
  expect_packets(10);
  answers(put, 90, pipe, cl_int(60), cl_int(90));
  expect_packets(100);
  const auto got = answers(get, 200, pipe, cl_int(100));
  for (int i = 0; i < 100; ++i)
    ASSERT_EQ(got[100 + i], 50 + i);
  expect_packets(0);
}

// A packet type: all bytes are transferred, for many packets, with and without reservation.
void every_type_source(std::string& source, const std::string& type, const std::string& name) {
  source += "kernel void put_" + name + "(write_only pipe " + type + " p, global " + type +
            "* in, global int* out) {\n int i = get_global_id(0); " + type +
            " v = in[i]; out[i] = write_pipe(p, &v); }\n"
            "kernel void get_" +
            name + "(read_only pipe " + type + " p, global " + type +
            "* to, global int* out) {\n"
            " reserve_id_t id = reserve_read_pipe(p, 32); out[32] = is_valid_reserve_id(id);\n"
            " if (is_valid_reserve_id(id)) { for (int i = 0; i < 32; ++i) { " +
            type +
            " v; out[i] = read_pipe(p, id, i, &v); to[i] = v; }\n commit_read_pipe(p, id); } }\n";
}

TEST_F(Pipes, EveryPacketType) {
  SPEC("C, Pipe Functions: any scalar and vector type, or a user-defined type built from these");
  struct Type {
    std::string text, name;
    size_t bytes;
  };
  std::vector<Type> types;
  const std::pair<const char*, size_t> scalars[] = {
      {"char", 1}, {"uchar", 1}, {"short", 2}, {"ushort", 2}, {"int", 4},
      {"uint", 4}, {"long", 8},  {"ulong", 8}, {"float", 4},  {"double", 8}};
  for (const auto& [scalar, bytes] : scalars) {
    if (scalar == std::string("double") && !has_extension("cl_khr_fp64"))
      continue;
    types.push_back({scalar, scalar, bytes});
    for (const size_t width : {2, 3, 4, 8, 16}) {
      const auto name = scalar + std::to_string(width);
      types.push_back({name, name, bytes * (width == 3 ? 4 : width)});
    }
  }
  types.push_back({"struct odd", "odd", 7});
  types.push_back({"struct mixed", "mixed", 64});
  types.push_back({"union either", "either", 16});
  types.push_back({"struct large", "large", 1020});
  std::string source = "struct odd { uchar b[7]; };\n"
                       "struct mixed { char c; float4 f; short s[3]; long l; struct odd o; };\n"
                       "union either { int i; float4 f; char c[3]; };\n"
                       "struct large { int i[255]; };\n";
  for (const auto& type : types)
    every_type_source(source, type.text, type.name);
  Program program = build(source, kLanguage);
  for (const auto& type : types) {
    SCOPED_TRACE(type.name);
    Memory pipe = make_pipe(cl_uint(type.bytes), 32);
    std::vector<cl_uchar> bytes(32 * type.bytes);
    for (size_t i = 0; i < bytes.size(); ++i)
      bytes[i] = cl_uchar(i * 37 % 119 + 1); // no NaN, no zero bytes
    Memory in = make_buffer(bytes), to = make_buffer(bytes.size());
    EXPECT_EQ(answers(make_kernel(program, ("put_" + type.name).c_str()), 32, {32}, {1}, pipe, in),
              Ints(32, 0));
    Ints expected(33, 0);
    expected[32] = 1;
    EXPECT_EQ(answers(make_kernel(program, ("get_" + type.name).c_str()), 33, pipe, to), expected);
    auto got = read<cl_uchar>(to, bytes.size());
    // Packets of different work-items are in any order; padding is ignored.
    const auto value = [&](std::vector<cl_uchar>& all, size_t i) {
      std::string packet(all.data() + i * type.bytes, all.data() + (i + 1) * type.bytes);
      if (type.name.back() == '3' && type.bytes % 4 == 0)
        packet.resize(type.bytes / 4 * 3);
      if (type.name == "mixed") {
        std::fill(packet.begin() + 1, packet.begin() + 16, 0);
        std::fill(packet.begin() + 38, packet.begin() + 40, 0);
        std::fill(packet.begin() + 55, packet.end(), 0);
      }
      return packet;
    };
    std::vector<std::string> sent, received;
    for (size_t i = 0; i < 32; ++i) {
      sent.push_back(value(bytes, i));
      received.push_back(value(got, i));
    }
    std::sort(sent.begin(), sent.end());
    std::sort(received.begin(), received.end());
    EXPECT_TRUE(sent == received);
  }
}

TEST_F(Pipes, LargestPacket) {
  SPEC("API, Querying Devices: CL_DEVICE_PIPE_MAX_PACKET_SIZE");
  const auto bytes = limit(CL_DEVICE_PIPE_MAX_PACKET_SIZE);
  if (bytes > 1 << 16)
    GTEST_SKIP() << "larger than a work-item can be expected to hold";
  const auto ints = bytes / 4;
  Program program = build("struct big { int i[" + std::to_string(ints) + R"(]; };
    kernel void put(write_only pipe struct big p, global struct big* in, global int* out) {
      for (int i = 0; i < 3; ++i) { struct big v = in[i]; out[i] = write_pipe(p, &v); }
    }
    kernel void get(read_only pipe struct big p, global struct big* to, global int* out) {
      for (int i = 0; i < 3; ++i) { struct big v; out[i] = read_pipe(p, &v); to[i] = v; }
    })",
                          kLanguage);
  Memory pipe = make_pipe(ints * 4, 3);
  Ints values(size_t{ints} * 3);
  std::iota(values.begin(), values.end(), 5);
  Memory in = make_buffer(values), to = make_buffer(values.size() * 4);
  EXPECT_EQ(answers(make_kernel(program, "put"), 3, pipe, in), Ints(3, 0));
  EXPECT_EQ(answers(make_kernel(program, "get"), 3, pipe, to), Ints(3, 0));
  EXPECT_EQ(read<cl_int>(to, values.size()), values);
}

TEST_F(Pipes, PassedToFunctions) {
  SPEC("C, Pipe Functions: pipes may be passed as arguments to functions");
  Program program = build(R"(
    int put_one(write_only pipe int2 q, int2 v) { return write_pipe(q, &v); }
    int put_some(write_only pipe int2 q, int n) {
      int bad = 0;
      for (int i = 0; i < n; ++i) bad += put_one(q, (int2)(i, -i)) != 0;
      return bad;
    }
    int take(read_only pipe int2 q, int2* v) { return read_pipe(q, v); }
    kernel void put(write_only pipe int2 p, global int* out) { out[0] = put_some(p, 8); }
    kernel void get(read_only pipe int2 p, global int* out) {
      int2 v; int sum = 0;
      while (take(p, &v) == 0) sum = sum * 3 + v.x - v.y;
      out[0] = sum;
    })",
                          kLanguage);
  Memory pipe = make_pipe(8, 8);
  EXPECT_EQ(answers(make_kernel(program, "put"), 1, pipe), Ints{0});
  int sum = 0;
  for (int i = 0; i < 8; ++i)
    sum = sum * 3 + 2 * i;
  EXPECT_EQ(answers(make_kernel(program, "get"), 1, pipe), Ints{sum});
}

TEST_F(Pipes, PointersOfEveryAddressSpace) {
  SPEC("C, Built-in Pipe Read and Write Functions: ptr is a generic pointer");
  Program program = build(R"(
    constant int from_constant = 3;
    kernel void put(write_only pipe int p, global int* g, global int* out) {
      local int l; l = 2;
      int mine = 1, c = from_constant;
      out[0] = write_pipe(p, &mine) + write_pipe(p, &l) + write_pipe(p, &c) + write_pipe(p, g);
    }
    kernel void get(read_only pipe int p, global int* g, global int* out) {
      local int l; int mine;
      int bad = read_pipe(p, &mine) + read_pipe(p, &l) + read_pipe(p, out + 3) + read_pipe(p, g);
      out[0] = bad; out[1] = mine; out[2] = l;
    })",
                          kLanguage);
  Memory pipe = make_pipe(4, 4), in = make_buffer(Ints{4}), to = make_buffer(Ints{0});
  EXPECT_EQ(answers(make_kernel(program, "put"), 1, pipe, in), Ints{0});
  EXPECT_EQ(answers(make_kernel(program, "get"), 4, pipe, to), (Ints{0, 1, 2, 3}));
  EXPECT_EQ(read<cl_int>(to, 1), Ints{4});
}

TEST_F(Pipes, FromOneToTheNext) {
  SPEC("C, Pipe Functions: a kernel reads from one pipe and writes to another");
  Program program = build(std::string(kPlain) + R"(
    kernel void move(read_only pipe int a, write_only pipe int b, global int* out) {
      int v = 0;
      out[get_global_id(0)] = read_pipe(a, &v) == 0 ? (v *= 3, write_pipe(b, &v)) : -1;
    })",
                          kLanguage);
  Memory first = make_pipe(4, 256), second = make_pipe(4, 256);
  answers(make_kernel(program, "put"), 256, first, cl_int(0), cl_int(256));
  EXPECT_EQ(answers(make_kernel(program, "move"), 256, {256}, {32}, first, second), Ints(256, 0));
  auto got = answers(make_kernel(program, "get"), 512, second, cl_int(256));
  std::sort(got.begin() + 256, got.end());
  for (int i = 0; i < 256; ++i)
    ASSERT_EQ(got[256 + i], 3 * i);
}

TEST_F(Pipes, ManyWorkItems) {
  SPEC("C, Built-in Pipe Read and Write Functions: by all work-items at once, no packet is lost or "
       "read twice");
  Program program = build(R"(
    kernel void put(write_only pipe int p, global int* out) {
      int i = get_global_id(0); out[i] = write_pipe(p, &i);
    }
    kernel void get(read_only pipe int p, global int* out) {
      int v = -1; read_pipe(p, &v); out[get_global_id(0)] = v;
    })",
                          kLanguage);
  const int count = 100'000;
  Memory pipe = make_pipe(4, count - 100);
  Kernel put = make_kernel(program, "put"), get = make_kernel(program, "get");
  for (int round = 0; round < 2; ++round) {
    const auto sent = answers(put, count, {size_t(count)}, {}, pipe);
    EXPECT_EQ(std::count(sent.begin(), sent.end(), 0), count - 100);
    auto got = answers(get, count, {size_t(count)}, {}, pipe);
    std::sort(got.begin(), got.end());
    EXPECT_EQ(std::count(got.begin(), got.end(), -1), 100);
    EXPECT_EQ(std::adjacent_find(got.begin() + 100, got.end()), got.end());
    for (int i = 100; i < count; ++i)
      ASSERT_EQ(sent[got[i]], 0);
  }
}

TEST_F(Pipes, Deep) {
  SPEC("API, Creating Pipe Objects: pipe_max_packets");
  Program program = build(R"(
    kernel void put(write_only pipe int p, int n, global int* out) {
      int bad = 0; for (int i = 0; i < n; ++i) bad += write_pipe(p, &i) != 0; out[0] = bad;
    }
    kernel void get(read_only pipe int p, int n, global int* out) {
      int bad = 0; for (int i = 0; i < n; ++i) { int v; bad += read_pipe(p, &v) != 0 || v != i; }
      out[0] = bad;
    })",
                          kLanguage);
  const cl_int depth = 3'000'000;
  Memory pipe = make_pipe(4, depth);
  EXPECT_EQ(answers(make_kernel(program, "put"), 1, pipe, depth + 1), Ints{1});
  EXPECT_EQ(answers(make_kernel(program, "get"), 1, pipe, depth), Ints{0});
}

} // namespace
