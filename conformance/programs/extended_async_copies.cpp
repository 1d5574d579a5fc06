// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Async copies of lines and planes of elements of any size. Every byte is compared, including those
// that must not change.
#include "copy_harness.h"

#include <array>
#include <random>

using namespace conformance;

namespace {

// Lines and planes, in elements.
struct Shape {
  cl_ulong size, elements, lines, planes;
  cl_ulong global_offset, global_line, global_plane, local_offset, local_line, local_plane;

  size_t global_bytes() const { return end(global_offset, global_line, global_plane) * size + 9; }
  size_t local_bytes() const { return end(local_offset, local_line, local_plane) * size + 9; }
  // Offset of the first byte of a line, in the same order on both sides.
  template <class Function>
  void each_line(Function function) const {
    for (cl_ulong p = 0; p < planes; ++p)
      for (cl_ulong l = 0; l < lines; ++l)
        function((global_offset + p * global_plane + l * global_line) * size,
                 (local_offset + p * local_plane + l * local_line) * size);
  }
  std::array<cl_ulong, 10> in_order() const {
    return {size,        elements,     lines,        planes,     global_offset,
            global_line, global_plane, local_offset, local_line, local_plane};
  }
  std::string text() const {
    std::string result = "size, elements, lines, planes, global offset, line, plane, local ...:";
    for (const auto value : in_order())
      (result += ' ') += std::to_string(value);
    return result;
  }

 private:
  cl_ulong end(cl_ulong offset, cl_ulong line, cl_ulong plane) const {
    if (elements == 0 || lines == 0 || planes == 0)
      return offset;
    return offset + (planes - 1) * plane + (lines - 1) * line + elements;
  }
};

class ExtendedAsyncCopies : public AsyncCopies {
 protected:
  void SetUp() override {
    if (!has_extension("cl_khr_extended_async_copies"))
      GTEST_SKIP() << "no cl_khr_extended_async_copies";
    DeviceTest::SetUp();
    build_for("s");
  }

  // A copy whose shape is given by the OpenCL C expression; `s` is the argument.
  void build_for(const std::string& shape) {
    program_ = build(std::string(kCommon) + "\n#define SHAPE " + shape + R"(

      #ifndef cl_khr_extended_async_copies
      #error "the macro is missing"
      #endif
      #pragma OPENCL EXTENSION cl_khr_extended_async_copies : enable
      typedef struct {
        ulong size, elements, lines, planes, g_offset, g_line, g_plane, l_offset, l_line, l_plane;
      } shape;
      kernel void in2(const global uchar* from, global uchar* out, local uchar* l, uint bytes, shape s) {
        fill(l, bytes);
        event_t e = async_work_group_copy_2D2D(l, SHAPE.l_offset, from, SHAPE.g_offset, SHAPE.size, SHAPE.elements,
                                               SHAPE.lines, SHAPE.g_line, SHAPE.l_line, 0);
        wait_group_events(1, &e);
        save(out, l, bytes);
      }
      kernel void out2(const global uchar* from, global uchar* out, local uchar* l, uint bytes, shape s) {
        load(l, from, bytes);
        event_t e = async_work_group_copy_2D2D(out, SHAPE.g_offset, l, SHAPE.l_offset, SHAPE.size, SHAPE.elements,
                                               SHAPE.lines, SHAPE.l_line, SHAPE.g_line, 0);
        wait_group_events(1, &e);
      }
      kernel void in3(const global uchar* from, global uchar* out, local uchar* l, uint bytes, shape s) {
        fill(l, bytes);
        event_t e = async_work_group_copy_3D3D(l, SHAPE.l_offset, from, SHAPE.g_offset, SHAPE.size, SHAPE.elements,
                                               SHAPE.lines, SHAPE.planes, SHAPE.g_line, SHAPE.g_plane, SHAPE.l_line,
                                               SHAPE.l_plane, 0);
        wait_group_events(1, &e);
        save(out, l, bytes);
      }
      kernel void out3(const global uchar* from, global uchar* out, local uchar* l, uint bytes, shape s) {
        load(l, from, bytes);
        event_t e = async_work_group_copy_3D3D(out, SHAPE.g_offset, l, SHAPE.l_offset, SHAPE.size, SHAPE.elements,
                                               SHAPE.lines, SHAPE.planes, SHAPE.l_line, SHAPE.l_plane, SHAPE.g_line,
                                               SHAPE.g_plane, 0);
        wait_group_events(1, &e);
      })");
    kernels_.clear();
    for (const char* name : {"in2", "out2", "in3", "out3"})
      kernels_.push_back(make_kernel(program_, name));
  }

  // With 2D2D if there is one plane, and with 3D3D.
  void check(const Shape& shape, size_t group) {
    const Bytes in_global = random_bytes(shape.global_bytes(), unsigned(shape.size)),
                in_local = random_bytes(shape.local_bytes(), unsigned(shape.lines));
    Bytes expected_local(in_local.size(), kUntouched),
        expected_global(in_global.size(), kUntouched);
    shape.each_line([&](size_t global, size_t local) {
      std::copy_n(in_global.data() + global, shape.elements * shape.size,
                  expected_local.data() + local);
      std::copy_n(in_local.data() + local, shape.elements * shape.size,
                  expected_global.data() + global);
    });
    for (int dimensions = shape.planes == 1 ? 2 : 3; dimensions <= 3; ++dimensions) {
      const auto what = std::to_string(dimensions) + "D, " + shape.text();
      Memory from = make_buffer(in_global), out = make_buffer(in_local.size());
      auto& in_kernel = kernels_[dimensions == 2 ? 0 : 2];
      set_arguments(in_kernel, from, out, Local{in_local.size()}, cl_uint(in_local.size()), shape);
      run(in_kernel, {group}, {group});
      expect_same(read<cl_uchar>(out, in_local.size()), expected_local, "to local memory, " + what);
      from = make_buffer(in_local);
      out = make_buffer(Bytes(in_global.size(), kUntouched));
      auto& out_kernel = kernels_[dimensions == 2 ? 1 : 3];
      set_arguments(out_kernel, from, out, Local{in_local.size()}, cl_uint(in_local.size()), shape);
      run(out_kernel, {group}, {group});
      expect_same(read<cl_uchar>(out, in_global.size()), expected_global,
                  "to global memory, " + what);
    }
  }

  // The same with constants.
  void check_known(const Shape& shape, size_t group) {
    std::string numbers;
    for (const auto value : shape.in_order())
      numbers += (numbers.empty() ? "" : ", ") + std::to_string(value);
    build_for("((shape){" + numbers + "})");
    check(shape, group);
  }

  Program program_;
  std::vector<Kernel> kernels_;
};

TEST_F(ExtendedAsyncCopies, EveryElementSize) {
  SPEC("C, Extended Async Copy Functions: elements of num_bytes_per_element bytes; offsets, line "
       "lengths and plane areas in elements");
  std::mt19937 random(5);
  const auto upto = [&](unsigned most) { return cl_ulong(random() % (most + 1)); };
  for (cl_ulong size = 1; size <= 128; ++size)
    for (int turn = 0; turn < 3; ++turn) {
      Shape shape{};
      shape.size = size;
      const unsigned room = unsigned(600 / size);
      shape.elements = 1 + (turn == 0 ? 0 : upto(room));
      shape.lines = 1 + upto(turn == 0 ? 20 : 4);
      shape.planes = 1 + (turn == 2 ? upto(3) : 0);
      shape.global_offset = upto(5);
      shape.global_line = shape.elements + upto(4);
      shape.global_plane = shape.lines * shape.global_line + upto(9);
      shape.local_offset = upto(3);
      shape.local_line = shape.elements + upto(2);
      shape.local_plane = shape.lines * shape.local_line + upto(3);
      if (shape.local_bytes() > kLocalBytes)
        continue;
      check(shape, 1 + upto(70));
      if (HasFailure())
        return;
    }
}

TEST_F(ExtendedAsyncCopies, LinesOfEveryLength) {
  SPEC("C, Extended Async Copy Functions");
  for (cl_ulong length = 1; length < 300; length += length < 140 ? 1 : 17) {
    check({1, length, 9, 1, 3, length + 7, 0, 1, length + 1, 0}, 16);
    if (HasFailure())
      return;
  }
  check({1, 3000, 3, 1, 1, 3001, 0, 0, 3000, 0}, 16); // longer lines
  check({4, 40, 30, 1, 2, 40, 0, 1, 40, 0}, 16);      // contiguous
  check({2, 8, 10, 5, 0, 8, 80, 0, 8, 80}, 16);
  check({2, 8, 10, 5, 0, 8, 81, 0, 8, 80}, 16);
  check({4, 1, 1, 200, 0, 1, 3, 0, 1, 1}, 16); // a column of planes
}

TEST_F(ExtendedAsyncCopies, ShapesKnownToTheCompiler) {
  SPEC("C, Extended Async Copy Functions");
  for (const cl_ulong length :
       {1,  2,  3,  4,  5,  7,   8,   11,  12,  16,  20,  31,  32,   40,
        63, 64, 65, 72, 96, 127, 128, 129, 136, 200, 256, 300, 1024, 1030}) {
    check_known({1, length, 9, 1, 3, length + 7, 0, 1, length + 1, 0}, 16);
    check_known({1, length, 4, 5, 3, length + 7, length * 4 + 41, 0, length, length * 4}, 33);
    if (HasFailure())
      return;
  }
  check_known({3, 5, 37, 1, 1, 9, 0, 0, 5, 0}, 16);    // more lines than are unrolled
  check_known({4, 40, 30, 1, 2, 40, 0, 1, 40, 0}, 16); // without gaps
  check_known({2, 8, 10, 5, 0, 8, 80, 0, 8, 80}, 16);
  check_known({2, 8, 10, 5, 0, 8, 81, 0, 8, 80}, 16);
  check_known({4, 1, 1, 200, 0, 1, 3, 0, 1, 1}, 16); // a column of planes
  check_known({4, 0, 5, 1, 1, 4, 20, 1, 4, 20}, 8);  // nothing
  check_known({4, 4, 0, 1, 1, 4, 20, 1, 4, 20}, 8);
  check_known({4, 4, 5, 0, 1, 4, 20, 1, 4, 20}, 8);
}

TEST_F(ExtendedAsyncCopies, OutOfManyMebibytes) {
  SPEC("C, Extended Async Copy Functions");
  // Parts of long rows, a column of an image, and a block of a volume.
  check({4, 33, 40, 1, 70'000, 1 << 17, 0, 3, 35, 0}, 64);
  check({4, 1, 2000, 1, 5, 2048, 0, 0, 1, 0}, 64);
  check({2, 9, 10, 11, 1'234, 128, 128 * 4096, 1, 10, 101}, 48);
}

TEST_F(ExtendedAsyncCopies, NothingToCopy) {
  SPEC("C, Extended Async Copy Functions: elements x lines x planes elements are copied");
  check({4, 0, 5, 1, 1, 4, 20, 1, 4, 20}, 8);
  check({4, 4, 0, 1, 1, 4, 20, 1, 4, 20}, 8);
  check({4, 4, 5, 0, 1, 4, 20, 1, 4, 20}, 8);
}

TEST_F(ExtendedAsyncCopies, StridedCopyIsASpecialCase) {
  SPEC("C, Extended Async Copy Functions, the note: async_work_group_strided_copy in other words");
  Kernel kernel = make_kernel(R"(
    #pragma OPENCL EXTENSION cl_khr_extended_async_copies : enable
    kernel void k(const global int* from, global int* out, local int* a, local int* b, int stride) {
      event_t e = async_work_group_strided_copy(a, from, 30, stride, 0);
      e = async_work_group_copy_2D2D(b, 0, from, 0, sizeof(int), 1, 30, stride, 1, e);
      wait_group_events(1, &e);
      for (int i = get_local_id(0); i < 30; i += get_local_size(0)) { out[i] = a[i]; out[30 + i] = b[i]; }
    })",
                              "k");
  std::vector<cl_int> from(300);
  for (int i = 0; i < 300; ++i)
    from[i] = i * i;
  Memory source = make_buffer(from), out = make_buffer(240);
  for (const cl_int stride : {1, 2, 3, 10}) {
    set_arguments(kernel, source, out, Local{120}, Local{120}, stride);
    run(kernel, {20}, {20});
    const auto seen = read<cl_int>(out, 60);
    for (int i = 0; i < 60; ++i)
      ASSERT_EQ(seen[i], from[i % 30 * stride]) << "stride " << stride << ", element " << i;
  }
}

} // namespace
