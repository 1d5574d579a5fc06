// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HEDDLE_CHECK=memory and plain accesses: loads, stores, atomics and copies of structures outside
// of the buffer, SVM, USM or local memory of their pointer fail the command before they have an
// effect; the message has the line, the bytes and the memory. Valid programs pass.
#include "tests/api/checked_kernels.h"
#include "tests/api/shared_memory.h"

#include <algorithm>
#include <cstdlib>

namespace heddle::test {
namespace {

// Before the driver reads it.
[[maybe_unused]] const int kChecksAreSet = setenv("HEDDLE_CHECK", "memory", 1);

const char* const kSource = R"(
  typedef struct { int a, b, c, d; } Four;
  kernel void loads(global const int* in, global int* out, int first) {
    size_t i = get_global_id(0);
    out[i] = in[i + first] * 2; // loads
  }
  kernel void stores(global const int* in, global int* out, int first) {
    size_t i = get_global_id(0);
    if (i < 16)
      out[i + first] = in[i] * 2; // stores
  }
  int helper(global const int* p, int i) {
    int sum = 0;
    for (int k = 0; k < i; ++k)
      sum += p[k]; // loops
    return sum;
  }
  kernel void loops(global const int* in, global int* out, int first) {
    if (get_global_id(0) == 3)
      out[0] = helper(in, first + 16);
  }
  kernel void vectors(global const int* in, global int* out, int first) {
    vstore4(vload4(0, in + first), 0, out + get_global_id(0) % 2 * 4); // vectors
  }
  kernel void atomics(global const int* in, global int* out, int first) {
    atomic_add(out + first, in[0]); // atomics
  }
  kernel void copies(global const int* in, global int* out, int first) {
    *(global Four*)out = *(global const Four*)(in + first); // copies
  }
  kernel void misaligned(global const char* in, global char* out, int first) {
    size_t i = get_global_id(0) % 4;
    ((global int4*)out)[i % 2] = *(global const int4*)(in + first + i * 4); // misaligned
  }
  kernel void tiles(global const int* in, global int* out, int first) {
    local int tile[32];
    tile[get_local_id(0)] = in[get_local_id(0)];
    tile[get_local_id(0) + 16] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    local int4* four = (local int4*)(tile + get_local_id(0) / 4 * 4 + first);
    out[get_global_id(0)] = four->x; // tiles
  }
  kernel void constants(constant int* in, global int* out, int first) {
    out[get_global_id(0)] = in[first]; // constants
  }
  kernel void indirect(global int* global* in, global int* out, int first) {
    out[get_global_id(0)] = in[0][first]; // indirect
  }
  kernel void locals(global const int* in, global int* out, int first, local int* tile) {
    tile[get_local_id(0) + first] = in[0]; // locals
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tile[15 - get_local_id(0)];
  }
)";

// The number of the line of kSource that ends with the comment.
std::string line_of(const std::string& comment) {
  const std::string source = kSource;
  const auto at = source.find("// " + comment);
  return ":" + std::to_string(std::count(source.begin(), source.begin() + long(at), '\n') + 1) +
         " ";
}

class MemoryChecksAccess : public CheckedKernels {
 protected:
  std::string outcome(const Kernel& kernel) {
    return CheckedKernels::outcome(kernel, {{kItems}, {kItems}, {}});
  }
  // What the context's callback was told of the kernel with these buffers; empty if it ended well.
  std::string outcome(const char* name, cl_int first, cl_mem in, cl_mem out) {
    const auto kernel = make_kernel(program_, name);
    check(clSetKernelArg(kernel, 0, sizeof in, in ? &in : nullptr), "argument 0");
    check(clSetKernelArg(kernel, 1, sizeof out, &out), "argument 1");
    check(set_arg(kernel, 2, first), "argument 2");
    if (std::string(name) == "locals")
      check(clSetKernelArg(kernel, 3, 64, nullptr), "argument 3");
    return outcome(kernel);
  }
  // The same with addresses.
  std::string outcome(const char* name, cl_int first, const void* in, void* out) {
    const auto kernel = make_kernel(program_, name);
    check(clSetKernelArgSVMPointer(kernel, 0, in), "argument 0");
    check(clSetKernelArgSVMPointer(kernel, 1, out), "argument 1");
    check(set_arg(kernel, 2, first), "argument 2");
    return outcome(kernel);
  }
  static constexpr size_t kItems = 16;
  Program program_ = build(context_, kSource, "-cl-std=CL3.0");
  // The middle of a buffer, so that nothing of the host's is hit.
  Buffer whole_ = make_buffer(context_, 3 * 4096);
  Buffer in_ = make_part(whole_, 0, 64), out_ = make_part(whole_, 4096, 64);
};

struct Case {
  const char* kernel;
  cl_int good, bad;
  const char* text;
};

const Case kCases[] = {
    {"loads", 0, 1, "load at {} reads bytes 64 to 67 of argument 0 'in', which has 64"},
    {"loads", 0, -1, "load at {} reads bytes -4 to -1 of argument 0 'in', which has 64"},
    {"loads", 0, 1000000, "of argument 0 'in', which has 64"},
    {"stores", 0, 1, "store at {} writes bytes 64 to 67 of argument 1 'out', which has 64"},
    {"stores", 0, -16, "store at {} writes bytes -64 to -61 of argument 1 'out', which has 64"},
    {"loops", 0, 1, "load at {} reads bytes 64 to 67 of argument 0 'in', which has 64"},
    {"vectors", 12, 13, "load at {} reads bytes 52 to 67 of argument 0 'in', which has 64"},
    {"atomics", 15, 16,
     "atomic operation at {} writes bytes 64 to 67 of argument 1 'out', which has 64"},
    {"copies", 12, 13, "load at {} reads bytes 52 to 67 of argument 0 'in', which has 64"},
    {"constants", 15, 16, "load at {} reads bytes 64 to 67 of argument 0 'in', which has 64"},
    {"locals", 0, 1, "store at {} writes bytes 64 to 67 of argument 3 'tile', which has 64"},
};

TEST_F(MemoryChecksAccess, MisalignedOnes) {
  for (const char* kernel : {"tiles", "misaligned"}) {
    SCOPED_TRACE(kernel);
    const bool is_global = std::string(kernel) == "misaligned";
    if (!is_global) {
      EXPECT_EQ(outcome(kernel, 0, in_, out_), "");
    }
    const auto text = outcome(kernel, is_global ? 4 : 1, in_, out_);
    expect_in(text, "load at");
    expect_in(text, line_of(kernel));
    expect_in(text, "is misaligned: its address 0x");
    expect_in(text, " is no multiple of 16");
  }
}

TEST_F(MemoryChecksAccess, EveryAccess) {
  for (const auto& one : kCases) {
    SCOPED_TRACE(one.kernel);
    EXPECT_EQ(outcome(one.kernel, one.good, in_, out_), "");
    const auto text = outcome(one.kernel, one.bad, in_, out_);
    expect_in(text, std::string("kernel '") + one.kernel + "' failed at work-item");
    expect_in(text, line_of(one.kernel));
    std::string expected = one.text;
    if (const auto at = expected.find("{} "); at != expected.npos)
      expect_in(text, expected.substr(at + 3));
    expect_in(text, expected.substr(0, expected.find(" {}")));
  }
}

TEST_F(MemoryChecksAccess, HasNoEffect) {
  const cl_int five = 5;
  check(clEnqueueFillBuffer(queue_, whole_, &five, 4, 0, 3 * 4096, 0, nullptr, nullptr), "fill");
  EXPECT_NE(outcome("stores", 100, in_, out_), "");
  EXPECT_NE(outcome("atomics", 100, in_, out_), "");
  std::vector<cl_int> all(3 * 1024);
  check(clEnqueueReadBuffer(queue_, whole_, CL_TRUE, 0, 3 * 4096, all.data(), 0, nullptr, nullptr),
        "read");
  EXPECT_EQ(std::count(all.begin(), all.end(), 5), 3 * 1024);
}

TEST_F(MemoryChecksAccess, Null) {
  expect_in(outcome("loads", 0, nullptr, out_), "load");
  expect_in(outcome("loads", 0, nullptr, out_), "reads by argument 0 'in', which is null");
}

TEST_F(MemoryChecksAccess, SvmAndUsm) {
  const Usm usm;
  auto* shared =
      static_cast<cl_int*>(usm.shared_alloc(context_, device(), nullptr, 64, 0, nullptr));
  auto* host = static_cast<cl_int*>(usm.host_alloc(context_, nullptr, 64, 0, nullptr));
  SvmArray<cl_int> svm(context_, 16);
  std::vector<cl_int> own(64);
  EXPECT_EQ(outcome("loads", 0, static_cast<const void*>(shared), svm.data()), "");
  expect_in(outcome("loads", 1, static_cast<const void*>(shared), svm.data()),
            "reads bytes 64 to 67 of the shared USM allocation of 64 bytes");
  expect_in(outcome("stores", -1, static_cast<const void*>(host), svm.data()),
            "writes bytes -4 to -1 of the SVM allocation of 64 bytes");
  EXPECT_EQ(outcome("stores", 10, static_cast<const void*>(host), own.data()), "")
      << "nothing is known of the host's own";

  // Addresses in memory: what begins in an allocation must end there.
  SvmArray<void*> place(context_, 2);
  place[0] = shared;
  EXPECT_EQ(outcome("indirect", 15, static_cast<const void*>(place.data()), svm.data()), "");
  place[0] = reinterpret_cast<char*>(shared) + 2;
  expect_in(outcome("indirect", 15, static_cast<const void*>(place.data()), svm.data()),
            "reads bytes 62 to 65 of the shared USM allocation of 64 bytes");
  place[0] = own.data();
  EXPECT_EQ(outcome("indirect", 15, static_cast<const void*>(place.data()), svm.data()), "");
  // A wild one, which is no memory at all, is the fault that it is without checks.
  place[0] = reinterpret_cast<void*>(0xdead0000beef0000);
  expect_in(outcome("indirect", 0, static_cast<const void*>(place.data()), svm.data()), "SIG");
  EXPECT_EQ(usm.free(context_, shared), CL_SUCCESS);
  EXPECT_EQ(usm.free(context_, host), CL_SUCCESS);
}

// Builtins that reach memory which is no argument's: images, program scope, printf, pipes' rings.
TEST_F(MemoryChecksAccess, NoFalseAlarms) {
  const auto program = build(context_, R"(
    global int counters[4] = {1, 2, 3, 4};
    constant int table[5] = {10, 20, 30, 40, 50};
    const sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
    kernel void various(read_only image2d_t in, write_only image2d_t image, global int* out) {
      int i = get_global_id(0);
      int private_array[8];
      for (int k = 0; k < 8; ++k)
        private_array[k] = k * i;
      local int tile[16];
      tile[i] = read_imagei(in, nearest, (int2)(i, 0)).x;
      write_imagei(image, (int2)(i, 0), (int4)(i));
      barrier(CLK_LOCAL_MEM_FENCE);
      int* generic_pointer = &tile[i];
      if (i % 2)
        generic_pointer = &private_array[i % 8];
      atomic_inc(&counters[i % 4]);
      float whole;
      float part = modf(i + 0.5f, &whole);
      out[i] = *generic_pointer + table[i % 5] + work_group_reduce_add(i) + (int)whole +
               (part == 0.5f ? 0 : 1000);
      if (i == 0)
        printf("%s", "");
    })",
                             "-cl-std=CL3.0");
  const cl_image_format format{CL_R, CL_SIGNED_INT32};
  cl_image_desc shape{};
  shape.image_type = CL_MEM_OBJECT_IMAGE2D;
  shape.image_width = kItems;
  shape.image_height = 1;
  cl_int status = CL_SUCCESS;
  const Buffer in(clCreateImage(context_, 0, &format, &shape, nullptr, &status));
  check(status, "clCreateImage");
  const Buffer image(clCreateImage(context_, 0, &format, &shape, nullptr, &status));
  check(status, "clCreateImage");
  const auto kernel = make_kernel(program, "various");
  check(set_arg(kernel, 0, in), "argument 0");
  check(set_arg(kernel, 1, image), "argument 1");
  check(set_arg(kernel, 2, out_), "argument 2");
  EXPECT_EQ(outcome(kernel), "");
  std::vector<cl_int> got(kItems);
  check(clEnqueueReadBuffer(queue_, out_, CL_TRUE, 0, 64, got.data(), 0, nullptr, nullptr), "read");
  for (int i = 0; i != int(kItems); ++i)
    EXPECT_EQ(got[size_t(i)], (i % 2 ? i % 8 * i : 0) + (i % 5 + 1) * 10 + 120 + i) << i;
}

} // namespace
} // namespace heddle::test
