// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies with constant sizes and strides, of which the compiler moves many elements at once, do not
// access memory after the last element: buffers end at an unmapped page. Bytes between the elements
// and before the first do not change.
#include "tests/api/api_test.h"

#include <sys/mman.h>

namespace heddle::test {
namespace {

constexpr size_t kPage = 4096, kPages = 16;

// Memory followed by an unmapped page.
class LastPages {
 public:
  LastPages()
      : pages_(static_cast<cl_uchar*>(mmap(nullptr, (kPages + 1) * kPage, PROT_READ | PROT_WRITE,
                                           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {
    mprotect(pages_ + kPages * kPage, kPage, PROT_NONE);
  }
  ~LastPages() { munmap(pages_, (kPages + 1) * kPage); }
  LastPages(const LastPages&) = delete;
  LastPages& operator=(const LastPages&) = delete;
  cl_uchar* last(size_t bytes) const { return pages_ + kPages * kPage - bytes; }

 private:
  cl_uchar* pages_;
};

class CopyEnds : public ApiTest {
 protected:
  void check(const std::string& type, size_t size, size_t stride, size_t count) {
    const auto apart = ((count - 1) * stride + 1) * size, packed = count * size;
    auto* const bytes = pages_.last(apart);
    const std::vector<cl_uchar> before(bytes - 256, bytes);
    for (size_t i = 0; i != apart; ++i)
      bytes[i] = cl_uchar(i * 7 + i / 251);
    std::vector<cl_uchar> side_by_side(packed);
    for (size_t i = 0; i != packed; ++i)
      side_by_side[i] = bytes[i / size * stride * size + i % size];
    const auto text = std::to_string(count),
               numbers = stride == 1 ? text : text + ", " + std::to_string(stride);
    const std::string copy =
        stride == 1 ? "async_work_group_copy" : "async_work_group_strided_copy";
    const auto program = build(
        context_, "kernel void in(global const " + type + "* from, global uchar* out, local " +
                      type + "* tile) { event_t e = " + copy + "(tile, from, " + numbers +
                      ", 0); wait_group_events(1, &e); for (uint i = 0; i < " + text +
                      " * sizeof(*tile); ++i) out[i] = ((local uchar*)tile)[i]; }"
                      "kernel void out(global const uchar* from, global " +
                      type + "* to, local " + type + "* tile) { for (uint i = 0; i < " + text +
                      " * sizeof(*tile); ++i) ((local uchar*)tile)[i] = ~from[i];"
                      "barrier(CLK_LOCAL_MEM_FENCE);"
                      "event_t e = " +
                      copy + "(to, tile, " + numbers + ", 0); wait_group_events(1, &e); }");
    const auto what = text + " of " + type + ", stride " + std::to_string(stride);
    const auto wide = make_buffer(context_, apart, bytes, CL_MEM_USE_HOST_PTR);
    const auto narrow = make_buffer(context_, packed, side_by_side.data(), CL_MEM_COPY_HOST_PTR);
    const auto seen = make_buffer(context_, packed);
    const auto in = make_kernel(program, "in"), out = make_kernel(program, "out");
    set_args(in, wide, seen, Local{packed});
    run(queue_, in, {{1}, {1}, {}});
    ASSERT_EQ(read<cl_uchar>(queue_, seen, packed), side_by_side) << what << ", to local memory";
    auto expected = read<cl_uchar>(queue_, wide, apart);
    for (size_t i = 0; i != packed; ++i)
      expected[i / size * stride * size + i % size] = cl_uchar(~side_by_side[i]);
    set_args(out, narrow, wide, Local{packed});
    run(queue_, out, {{1}, {1}, {}});
    ASSERT_EQ(read<cl_uchar>(queue_, wide, apart), expected) << what << ", to global memory";
    ASSERT_EQ(std::vector<cl_uchar>(bytes - 256, bytes), before) << what << ", in front of it";
  }
  LastPages pages_;
};

TEST_F(CopyEnds, AtEveryDistance) {
  constexpr std::pair<const char*, size_t> kOfEverySize[] = {
      {"char", 1}, {"short", 2}, {"int", 4}, {"long", 8}, {"long2", 16}};
  for (const auto& [type, size] : kOfEverySize)
    for (const size_t stride : {2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 16, 20, 22, 32})
      for (const size_t count : {1, 63, 64, 65}) {
        check(type, size, stride, count);
        if (HasFatalFailure())
          return;
      }
}

TEST_F(CopyEnds, OneByteOfEachLine) {
  for (const size_t count : {1, 15, 16, 17, 64, 65}) {
    check("char", 1, 64, count);
    if (HasFatalFailure())
      return;
  }
}

// Copies of a few bytes, of a few lines in the kernel, and loops in the kernel.
TEST_F(CopyEnds, OfEveryLength) {
  for (const size_t around :
       {2, 64, 128, 192, 256, 320, 384, 448, 512, 1024, 1280, 4096, 8192, 16384, 24576})
    for (const size_t count : {around - 1, around, around + 1, around + 63}) {
      check("char", 1, 1, count);
      if (HasFatalFailure())
        return;
    }
}

} // namespace
} // namespace heddle::test
