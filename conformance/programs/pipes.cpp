// Pipes: objects, packets of every type, reservations by work-items, sub-groups and work-groups,
// what is full and what is empty.
#include "harness.h"

#include <algorithm>
#include <cstring>
#include <numeric>

using namespace conformance;

namespace {

using Ints = std::vector<cl_int>;
constexpr const char* kLanguage = "-cl-std=CL3.0";

class Pipes : public DeviceTest {
 protected:
  void SetUp() override {
    if (version < 200 || !info<cl_bool>(clGetDeviceInfo, device, CL_DEVICE_PIPE_SUPPORT))
      GTEST_SKIP() << "no pipes";
    DeviceTest::SetUp();
  }
  Memory make_pipe(cl_uint packet_size, cl_uint max_packets, cl_mem_flags flags = 0) {
    cl_int error = CL_SUCCESS;
    Memory pipe(clCreatePipe(context, flags, packet_size, max_packets, nullptr, &error));
    EXPECT_CL(error);
    return pipe;
  }
  // Runs the kernel, whose last argument is an array of ints, on one work-item or as told; gives
  // the ints back.
  template <class... Arguments>
  Ints answers(cl_kernel kernel, size_t count, const std::vector<size_t>& global,
               const std::vector<size_t>& local, const Arguments&... arguments) {
    Memory out = make_buffer(Ints(count, -1000));
    set_arguments(kernel, arguments..., out);
    run(kernel, global, local);
    return read<cl_int>(out, count);
  }
  template <class... Arguments>
  Ints answers(cl_kernel kernel, size_t count, const Arguments&... arguments) {
    return answers(kernel, count, {1}, {1}, arguments...);
  }
  cl_uint limit(cl_device_info name) { return info<cl_uint>(clGetDeviceInfo, device, name); }
};

// Writes `count` packets from `first` on; reads up to `count` packets. Answers: results, packets.
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

TEST_F(Pipes, Queries) {
  SPEC("API, Querying Devices: minimum values if the device supports pipes");
  EXPECT_GE(limit(CL_DEVICE_MAX_PIPE_ARGS), 16u);
  EXPECT_GE(limit(CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS), 1u);
  EXPECT_GE(limit(CL_DEVICE_PIPE_MAX_PACKET_SIZE), 1024u);
  build("#ifndef __opencl_c_pipes\n#error pipes\n#endif\n"
        "#ifndef __opencl_c_generic_address_space\n#error generic address space\n#endif\n",
        kLanguage);
}

TEST_F(Pipes, CreationErrors) {
  SPEC("API, Creating Pipe Objects: errors");
  const auto fails = [&](cl_context where, cl_mem_flags flags, cl_uint size, cl_uint packets,
                         const cl_pipe_properties* properties = nullptr) {
    cl_int error = 1;
    cl_mem pipe = clCreatePipe(where, flags, size, packets, properties, &error);
    EXPECT_EQ(pipe, nullptr);
    if (pipe)
      clReleaseMemObject(pipe);
    return error;
  };
  EXPECT_EQ(fails(nullptr, 0, 4, 4), CL_INVALID_CONTEXT);
  for (const cl_mem_flags flags :
       {CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY, CL_MEM_USE_HOST_PTR, CL_MEM_ALLOC_HOST_PTR,
        CL_MEM_COPY_HOST_PTR, CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_WRITE_ONLY})
    EXPECT_EQ(fails(context, flags, 4, 4), CL_INVALID_VALUE) << flags;
  const cl_pipe_properties properties[] = {0};
  EXPECT_EQ(fails(context, 0, 4, 4, properties), CL_INVALID_VALUE);
  EXPECT_EQ(fails(context, 0, 0, 4), CL_INVALID_PIPE_SIZE);
  EXPECT_EQ(fails(context, 0, 4, 0), CL_INVALID_PIPE_SIZE);
  EXPECT_EQ(fails(context, 0, limit(CL_DEVICE_PIPE_MAX_PACKET_SIZE) + 1, 4), CL_INVALID_PIPE_SIZE);
}

TEST_F(Pipes, ObjectQueries) {
  SPEC("API, Pipe Object Queries; Memory Object Queries");
  for (const cl_mem_flags flags :
       {cl_mem_flags{0}, cl_mem_flags{CL_MEM_READ_WRITE}, cl_mem_flags{CL_MEM_HOST_NO_ACCESS},
        cl_mem_flags{CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS}}) {
    Memory pipe = make_pipe(24, 10, flags);
    EXPECT_EQ(info<cl_uint>(clGetPipeInfo, pipe.get(), CL_PIPE_PACKET_SIZE), 24u);
    EXPECT_EQ(info<cl_uint>(clGetPipeInfo, pipe.get(), CL_PIPE_MAX_PACKETS), 10u);
    EXPECT_EQ(info<cl_mem_object_type>(clGetMemObjectInfo, pipe.get(), CL_MEM_TYPE),
              cl_mem_object_type{CL_MEM_OBJECT_PIPE});
    EXPECT_EQ(info<cl_context>(clGetMemObjectInfo, pipe.get(), CL_MEM_CONTEXT), context.get());
  }
  Memory pipe = make_pipe(4, 4);
  cl_uint value = 0;
  size_t size = 1;
  if (version >= 300) {
    EXPECT_CL(clGetPipeInfo(pipe, CL_PIPE_PROPERTIES, 0, nullptr, &size));
    EXPECT_EQ(size, 0u) << "the properties were null";
  }
  EXPECT_EQ(clGetPipeInfo(pipe, CL_PIPE_PACKET_SIZE, 3, &value, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clGetPipeInfo(pipe, 0x4242, sizeof value, &value, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clGetPipeInfo(nullptr, CL_PIPE_PACKET_SIZE, 4, &value, nullptr), CL_INVALID_MEM_OBJECT);
  Memory buffer = make_buffer(64);
  EXPECT_EQ(clGetPipeInfo(buffer, CL_PIPE_PACKET_SIZE, 4, &value, nullptr), CL_INVALID_MEM_OBJECT);
}

TEST_F(Pipes, AreNotBuffers) {
  SPEC("API, Pipes: not accessible from the host; buffer commands: CL_INVALID_MEM_OBJECT if buffer "
       "is not a valid buffer object");
  Memory pipe = make_pipe(4, 16), buffer = make_buffer(64);
  char bytes[64] = {};
  EXPECT_EQ(clEnqueueReadBuffer(queue, pipe, CL_TRUE, 0, 4, bytes, 0, nullptr, nullptr),
            CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueWriteBuffer(queue, pipe, CL_TRUE, 0, 4, bytes, 0, nullptr, nullptr),
            CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueCopyBuffer(queue, pipe, buffer, 0, 0, 4, 0, nullptr, nullptr),
            CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueFillBuffer(queue, pipe, bytes, 4, 0, 4, 0, nullptr, nullptr),
            CL_INVALID_MEM_OBJECT);
  cl_int error = CL_SUCCESS;
  EXPECT_EQ(
      clEnqueueMapBuffer(queue, pipe, CL_TRUE, CL_MAP_READ, 0, 4, 0, nullptr, nullptr, &error),
      nullptr);
  EXPECT_EQ(error, CL_INVALID_MEM_OBJECT);
  const cl_buffer_region region = {0, 4};
  EXPECT_EQ(clCreateSubBuffer(pipe, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_MEM_OBJECT);
}

TEST_F(Pipes, AsArguments) {
  SPEC("API, Setting Kernel Arguments: CL_INVALID_ARG_SIZE; CL_INVALID_MEM_OBJECT or "
       "CL_INVALID_ARG_VALUE for a memory object of another kind");
  Kernel kernel = make_kernel("kernel void k(read_only pipe int p, global int* b) {}", "k",
                              "-cl-std=CL3.0 -cl-kernel-arg-info");
  Memory pipe = make_pipe(4, 16), buffer = make_buffer(64);
  EXPECT_CL(clSetKernelArg(kernel, 0, sizeof(cl_mem), pipe.ptr()));
  EXPECT_EQ(clSetKernelArg(kernel, 0, 4, pipe.ptr()), CL_INVALID_ARG_SIZE);
  const auto is_refused = [&](cl_uint index, const Memory& memory) {
    const auto error = clSetKernelArg(kernel, index, sizeof(cl_mem), memory.ptr());
    return error == CL_INVALID_MEM_OBJECT || error == CL_INVALID_ARG_VALUE;
  };
  EXPECT_TRUE(is_refused(0, buffer));
  EXPECT_TRUE(is_refused(1, pipe));
  cl_kernel_arg_type_qualifier qualifier = 0;
  EXPECT_CL(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof qualifier,
                               &qualifier, nullptr));
  EXPECT_EQ(qualifier, cl_kernel_arg_type_qualifier{CL_KERNEL_ARG_TYPE_PIPE});
  cl_kernel_arg_access_qualifier access = 0;
  EXPECT_CL(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof access, &access,
                               nullptr));
  EXPECT_EQ(access, cl_kernel_arg_access_qualifier{CL_KERNEL_ARG_ACCESS_READ_ONLY});
}

TEST_F(Pipes, WhatDoesNotCompile) {
  SPEC("C, Pipe Functions: access qualifiers; Restrictions");
  for (const char* source :
       {"kernel void k(read_write pipe int p) {}", "kernel void k() { pipe int p; }",
        "struct s { pipe int p; }; kernel void k() {}", "pipe int p; kernel void k() {}",
        "kernel void k(read_only pipe int* p) {}",
        "kernel void k(read_only pipe int p) { int v = 0; write_pipe(p, &v); }",
        "kernel void k(write_only pipe int p) { int v; read_pipe(p, &v); }",
        "kernel void k(read_only pipe int p) { float v; read_pipe(p, &v); }",
        "kernel void k(read_only pipe int p) { reserve_write_pipe(p, 1); }"}) {
    Program program = make_program(source);
    EXPECT_EQ(clBuildProgram(program, 1, &device, kLanguage, nullptr, nullptr),
              CL_BUILD_PROGRAM_FAILURE)
        << source;
  }
}

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
  // Some drivers hold more than was asked for; whatever was taken must come out, and no more.
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

// One packet type: all its bytes come through, for many packets, with and without reservation.
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
      bytes[i] = cl_uchar(i * 37 % 119 + 1); // no NaN, no padding that could be zero by chance
    Memory in = make_buffer(bytes), to = make_buffer(bytes.size());
    EXPECT_EQ(answers(make_kernel(program, ("put_" + type.name).c_str()), 32, {32}, {1}, pipe, in),
              Ints(32, 0));
    Ints expected(33, 0);
    expected[32] = 1;
    EXPECT_EQ(answers(make_kernel(program, ("get_" + type.name).c_str()), 33, pipe, to), expected);
    auto got = read<cl_uchar>(to, bytes.size());
    // Packets of different work-items come in any order; padding is not part of a value.
    const auto value = [&](std::vector<cl_uchar>& all, size_t i) {
      std::string packet(all.begin() + i * type.bytes, all.begin() + (i + 1) * type.bytes);
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

// How many reservations of which sizes, written backwards and each packet twice, committed in the
// order of `order`.
const char* kReservations = R"(
  kernel void put(write_only pipe int p, global int* order, int n, int size, global int* out) {
    reserve_id_t ids[8];
    for (int r = 0; r < n; ++r) {
      ids[r] = reserve_write_pipe(p, size);
      out[r] = is_valid_reserve_id(ids[r]);
    }
    for (int r = n - 1; r >= 0; --r)
      if (out[r])
        for (int twice = 0; twice < 2; ++twice)
          for (int i = size - 1; i >= 0; --i) {
            int v = r * 100 + i + (twice ? 0 : 5000);
            if (write_pipe(p, ids[r], i, &v) != 0) out[r] = -1;
          }
    for (int r = 0; r < n; ++r) if (out[order[r]]) commit_write_pipe(p, ids[order[r]]);
  }
  kernel void get(read_only pipe int p, global int* order, int n, int size, global int* out) {
    reserve_id_t ids[8];
    for (int r = 0; r < n; ++r) {
      ids[r] = reserve_read_pipe(p, size);
      out[r] = is_valid_reserve_id(ids[r]);
    }
    for (int r = n - 1; r >= 0; --r)
      if (out[r])
        for (int i = size - 1; i >= 0; --i) {
          int v = -7;
          if (read_pipe(p, ids[r], i, &v) != 0) out[r] = -1;
          out[8 + r * size + i] = v;
        }
    for (int r = 0; r < n; ++r) if (out[order[r]]) commit_read_pipe(p, ids[order[r]]);
  })";

TEST_F(Pipes, ReservationsInEveryOrderOfCommits) {
  SPEC("C, Built-in Work-group Pipe Read and Write Functions: reservations of a work-item are "
       "ordered in the pipe as they are ordered in the program; a commit adds its packets in order "
       "as one contiguous set; a packet may be written several times");
  if (limit(CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS) < 4)
    GTEST_SKIP() << "fewer than 4 active reservations";
  Program program = build(kReservations, kLanguage);
  Kernel put = make_kernel(program, "put"), get = make_kernel(program, "get");
  const cl_int n = 4, size = 3;
  Memory pipe = make_pipe(4, 12);
  Ints order(n), expected(8 + n * size, -1000);
  std::iota(order.begin(), order.end(), 0);
  for (int r = 0; r < n; ++r) {
    expected[r] = 1;
    for (int i = 0; i < size; ++i)
      expected[8 + r * size + i] = r * 100 + i;
  }
  do {
    Memory sequence = make_buffer(order);
    EXPECT_EQ(answers(put, n, pipe, sequence, n, size), Ints(n, 1));
    ASSERT_EQ(answers(get, 8 + n * size, pipe, sequence, n, size), expected);
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST_F(Pipes, ReservationsLargerThanTheRoom) {
  SPEC("C, Built-in Pipe Read and Write Functions: reserve returns a valid reservation ID if the "
       "reservation is successful");
  Program program = build(kReservations, kLanguage);
  Kernel put = make_kernel(program, "put"), get = make_kernel(program, "get");
  Memory pipe = make_pipe(4, 10), order = make_buffer(Ints{0, 1, 2, 3, 4, 5, 6, 7});
  EXPECT_EQ(answers(put, 1, pipe, order, cl_int(1), cl_int(11)), Ints{0});
  EXPECT_EQ(answers(get, 9, pipe, order, cl_int(1), cl_int(1))[0], 0);
  if (limit(CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS) >= 3) {
    EXPECT_EQ(answers(put, 3, pipe, order, cl_int(3), cl_int(4)), (Ints{1, 1, 0}));
    const auto got = answers(get, 20, pipe, order, cl_int(3), cl_int(4));
    EXPECT_EQ(Ints(got.begin(), got.begin() + 3), (Ints{1, 1, 0}));
    EXPECT_EQ(Ints(got.begin() + 8, got.begin() + 16), (Ints{0, 1, 2, 3, 100, 101, 102, 103}));
  }
  // Nothing is left of those that failed: the pipe takes all it can.
  EXPECT_EQ(answers(put, 1, pipe, order, cl_int(1), cl_int(10)), Ints{1});
  EXPECT_EQ(answers(get, 30, pipe, order, cl_int(1), cl_int(11))[0], 0);
  EXPECT_EQ(answers(get, 18, pipe, order, cl_int(1), cl_int(10))[0], 1);
}

TEST_F(Pipes, ReserveIds) {
  SPEC("C, Pipe Functions: CLK_NULL_RESERVE_ID refers to an invalid reservation ID; "
       "is_valid_reserve_id; reserve_id_t may be passed to functions");
  Kernel kernel = make_kernel(R"(
    bool valid(reserve_id_t id) { return is_valid_reserve_id(id); }
    reserve_id_t choose(bool b, reserve_id_t x) { return b ? x : CLK_NULL_RESERVE_ID; }
    kernel void k(write_only pipe int p, global int* out) {
      reserve_id_t id = reserve_write_pipe(p, 1);
      out[0] = valid(id);
      out[1] = valid(CLK_NULL_RESERVE_ID);
      out[2] = valid(choose(true, id));
      out[3] = valid(choose(false, id));
      int v = 1; write_pipe(p, id, 0, &v); commit_write_pipe(p, id);
    })",
                              "k", kLanguage);
  EXPECT_EQ(answers(kernel, 4, make_pipe(4, 4)), (Ints{1, 0, 1, 0}));
}

TEST_F(Pipes, ActiveReservations) {
  SPEC("API, Querying Devices: CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS per work-item");
  const cl_int count = cl_int(std::min(limit(CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS), 1024u));
  Program program = build(R"(
    kernel void put(write_only pipe int p, int n, global int* out) {
      reserve_id_t ids[1024];
      for (int r = 0; r < n; ++r) {
        ids[r] = reserve_write_pipe(p, 1);
        out[r] = is_valid_reserve_id(ids[r]) ? write_pipe(p, ids[r], 0, &r) : -1;
      }
      for (int r = n - 1; r >= 0; --r) commit_write_pipe(p, ids[r]);
    }
    kernel void get(read_only pipe int p, int n, global int* out) {
      reserve_id_t ids[1024];
      for (int r = 0; r < n; ++r) {
        ids[r] = reserve_read_pipe(p, 1);
        int v; out[r] = is_valid_reserve_id(ids[r]) && read_pipe(p, ids[r], 0, &v) == 0 ? v : -1;
      }
      for (int r = n - 1; r >= 0; --r) commit_read_pipe(p, ids[r]);
    })",
                          kLanguage);
  Memory pipe = make_pipe(4, cl_uint(count));
  EXPECT_EQ(answers(make_kernel(program, "put"), count, pipe, count), Ints(count, 0));
  Ints expected(count);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(answers(make_kernel(program, "get"), count, pipe, count), expected);
}

// What a group or sub-group reserves is contiguous in the pipe.
void expect_blocks(const Ints& packets, int groups, int size) {
  std::vector<bool> seen(groups);
  for (int g = 0; g < groups; ++g) {
    const auto owner = packets[g * size] / size;
    ASSERT_TRUE(owner >= 0 && owner < groups && !seen[owner]) << "owner " << owner;
    seen[owner] = true;
    for (int i = 0; i < size; ++i)
      ASSERT_EQ(packets[g * size + i], owner * size + i);
  }
}

TEST_F(Pipes, WorkGroupReservations) {
  SPEC("C, Built-in Work-group Pipe Read and Write Functions");
  Program program = build(R"(
    kernel void put(write_only pipe int p, global int* out) {
      int i = get_local_id(0), g = get_global_id(0);
      reserve_id_t id = work_group_reserve_write_pipe(p, get_local_size(0));
      if (is_valid_reserve_id(id)) {
        out[g] = write_pipe(p, id, i, &g);
        work_group_commit_write_pipe(p, id);
      }
    }
    kernel void get(read_only pipe int p, global int* out) {
      int i = get_local_id(0), n = get_local_size(0), v = -1;
      reserve_id_t id = work_group_reserve_read_pipe(p, n);
      if (is_valid_reserve_id(id)) {
        if (read_pipe(p, id, n - 1 - i, &v) != 0) v = -2; // others' packets, too
        // Where the packet lies is told by its own value: the packets of a group are n in a row.
        out[get_global_id(0)] = v;
        work_group_commit_read_pipe(p, id);
      }
    }
    kernel void list(read_only pipe int p, int n, global int* out) {
      for (int i = 0; i < n; ++i) { int v = -1; read_pipe(p, &v); out[i] = v; }
    }
    kernel void twice(write_only pipe int p, global int* out) {
      int i = get_local_id(0), n = get_local_size(0);
      reserve_id_t a = work_group_reserve_write_pipe(p, n);
      reserve_id_t b = work_group_reserve_write_pipe(p, n);
      reserve_id_t c = work_group_reserve_write_pipe(p, n);
      int x = i, y = n + i;
      write_pipe(p, b, i, &y);
      write_pipe(p, a, i, &x);
      work_group_commit_write_pipe(p, b);
      work_group_commit_write_pipe(p, a);
      out[i] = is_valid_reserve_id(a) + 2 * is_valid_reserve_id(b) + 4 * is_valid_reserve_id(c);
    })",
                          kLanguage);
  Kernel put = make_kernel(program, "put"), get = make_kernel(program, "get"),
         list = make_kernel(program, "list"), twice = make_kernel(program, "twice");
  for (const int size : {1, 5, 16, 64}) {
    SCOPED_TRACE(size);
    if (size_t(size) > max_group_size(put))
      continue;
    const int groups = 12, count = groups * size;
    const std::vector<size_t> global{size_t(count)}, local{size_t(size)};
    Memory pipe = make_pipe(4, count);
    EXPECT_EQ(answers(put, count, global, local, pipe), Ints(count, 0));
    expect_blocks(answers(list, count, pipe, cl_int(count)), groups, size);
    EXPECT_EQ(answers(put, count, global, local, pipe), Ints(count, 0));
    auto got = answers(get, count, global, local, pipe);
    for (int g = 0; g < groups; ++g)
      std::reverse(got.begin() + g * size, got.begin() + (g + 1) * size);
    expect_blocks(got, groups, size);
    // The third is one too many, and is so for every work-item of the group.
    if (limit(CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS) >= 3) {
      Memory two = make_pipe(4, 2 * size);
      EXPECT_EQ(answers(twice, size, local, local, two), Ints(size, 3));
      Ints expected(2 * size);
      std::iota(expected.begin(), expected.end(), 0);
      EXPECT_EQ(answers(list, 2 * size, two, cl_int(2 * size)), expected);
    }
  }
}

TEST_F(Pipes, SubGroupReservations) {
  SPEC("C, Built-in Pipe Functions for Sub-Groups");
  if (!has_extension("cl_khr_subgroups") &&
      (version < 300 || info<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_MAX_NUM_SUB_GROUPS) == 0))
    GTEST_SKIP() << "no sub-groups";
  Program program = build(R"(
    #ifdef cl_khr_subgroups
    #pragma OPENCL EXTENSION cl_khr_subgroups : enable
    #endif
    kernel void put(write_only pipe int p, global int* out) {
      int lane = get_sub_group_local_id(), n = get_sub_group_size();
      int v = get_sub_group_id() * 1000 + lane;
      reserve_id_t id = sub_group_reserve_write_pipe(p, n);
      out[get_global_id(0)] = is_valid_reserve_id(id) ? write_pipe(p, id, lane, &v) : -1;
      if (is_valid_reserve_id(id)) sub_group_commit_write_pipe(p, id);
    }
    kernel void get(read_only pipe int p, global int* out) {
      int lane = get_sub_group_local_id(), n = get_sub_group_size(), v = -1;
      reserve_id_t id = sub_group_reserve_read_pipe(p, n);
      if (is_valid_reserve_id(id)) {
        read_pipe(p, id, lane, &v);
        sub_group_commit_read_pipe(p, id);
      }
      out[get_global_id(0)] = v;
    }
    kernel void list(read_only pipe int p, int n, global int* out) {
      for (int i = 0; i < n; ++i) { int v = -1; read_pipe(p, &v); out[i] = v; }
    })",
                          kLanguage);
  const size_t size = 64;
  Memory pipe = make_pipe(4, size);
  Kernel put = make_kernel(program, "put"), list = make_kernel(program, "list");
  EXPECT_EQ(answers(put, size, {size}, {size}, pipe), Ints(size, 0));
  const auto packets = answers(list, size, pipe, cl_int(size));
  for (size_t i = 0; i < size; ++i)
    if (packets[i] % 1000 != 0) {
      ASSERT_EQ(packets[i], packets[i - 1] + 1) << "a sub-group's packets lie together, in order";
    }
  EXPECT_EQ(answers(put, size, {size}, {size}, pipe), Ints(size, 0));
  auto got = answers(make_kernel(program, "get"), size, {size}, {size}, pipe);
  auto sent = packets;
  std::sort(got.begin(), got.end());
  std::sort(sent.begin(), sent.end());
  EXPECT_EQ(got, sent);
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

TEST_F(Pipes, AsManyArgumentsAsTheDeviceSays) {
  SPEC("API, Querying Devices: CL_DEVICE_MAX_PIPE_ARGS");
  const auto count = std::min(limit(CL_DEVICE_MAX_PIPE_ARGS), 128u);
  std::string puts = "kernel void put(", gets = "kernel void get(", put_body, get_body;
  for (cl_uint i = 0; i < count; ++i) {
    const auto n = std::to_string(i);
    puts += "write_only pipe int p" + n + ", ";
    gets += "read_only pipe int p" + n + ", ";
    put_body += "v = 100 + " + n + "; out[" + n + "] = write_pipe(p" + n + ", &v);\n";
    get_body += "v = 0; read_pipe(p" + n + ", &v); out[" + n + "] = v;\n";
  }
  const auto tail = "global int* out) { int v;\n";
  Program program =
      build(puts + tail + put_body + "}\n" + gets + tail + get_body + "}\n", kLanguage);
  std::vector<Memory> pipes;
  for (cl_uint i = 0; i < count; ++i)
    pipes.push_back(make_pipe(4, 1));
  Memory out = make_buffer(count * 4);
  for (const char* name : {"put", "get"}) {
    Kernel kernel = make_kernel(program, name);
    for (cl_uint i = 0; i < count; ++i)
      set_argument(kernel, i, pipes[i]);
    set_argument(kernel, count, out);
    run(kernel, {1}, {1});
    const auto values = read<cl_int>(out, count);
    for (cl_uint i = 0; i < count; ++i)
      EXPECT_EQ(values[i], name[0] == 'p' ? 0 : 100 + cl_int(i));
  }
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
