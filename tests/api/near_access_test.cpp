// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels access no page that they do not request: buffers end at unmapped pages and are read with
// indices known only at run time.
#include "tests/api/api_test.h"

#include <algorithm>
#include <numeric>
#include <sys/mman.h>

namespace heddle::test {
namespace {

constexpr size_t kPage = 4096, kCount = kPage / sizeof(cl_uint);

// A page of consecutive numbers between unmapped pages.
class LonelyPage {
 public:
  LonelyPage()
      : pages_(static_cast<char*>(
            mmap(nullptr, 3 * kPage, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {
    mprotect(pages_ + kPage, kPage, PROT_READ | PROT_WRITE);
    std::iota(numbers(), numbers() + kCount, 0U);
  }
  ~LonelyPage() { munmap(pages_, 3 * kPage); }
  LonelyPage(const LonelyPage&) = delete;
  LonelyPage& operator=(const LonelyPage&) = delete;
  cl_uint* numbers() const { return reinterpret_cast<cl_uint*>(pages_ + kPage); }

 private:
  char* pages_;
};

// The first `count` work-items of `index` read numbers of the page, up to its bounds.
class NearAccess : public ApiTest {
 protected:
  void check_reads(const std::string& index, size_t count, auto&& expected,
                   const std::string& type = "uint") {
    const auto in =
        make_buffer(context_, kPage, page_.numbers(), CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR);
    const auto out = make_buffer(context_, count * sizeof(cl_uint));
    const auto program =
        build(context_, "kernel void k(global uint* out, global const " + type +
                            "* in, uint count) { "
                            "uint i = get_global_id(0); if (i < count) out[i] = in[" +
                            index + "]; }");
    const auto kernel = make_kernel(program, "k");
    set_args(kernel, out, in, static_cast<cl_uint>(count));
    run(queue_, kernel, {{(count + 63) / 64 * 64}, {64}, {}});
    const auto got = read<cl_uint>(queue_, out, count);
    for (size_t i = 0; i != count; ++i)
      ASSERT_EQ(got[i], expected(static_cast<cl_uint>(i))) << index << ", work-item " << i;
  }
  LonelyPage page_;
};

TEST_F(NearAccess, FromTheFirstToTheLast) {
  check_reads("i * 2 - (i & 3) + 3", kCount / 2, [](cl_uint i) { return i * 2 - (i & 3) + 3; });
  check_reads("1023 - (i ^ 5)", kCount, [](cl_uint i) { return 1023 - (i ^ 5); });
  check_reads("i ^ 13", kCount, [](cl_uint i) { return i ^ 13; });
}

TEST_F(NearAccess, AtTheEndOnly) {
  check_reads("(i ^ 3) + 1004", 20, [](cl_uint i) { return (i ^ 3) + 1004; });
  check_reads("(i ^ 1) % 7 + 1017", 300, [](cl_uint i) { return (i ^ 1) % 7 + 1017; });
}

// Elements of 16 bits are gathered by words.
TEST_F(NearAccess, Shorts) {
  const auto half_of = [&](cl_uint i) { return page_.numbers()[i / 2] >> (i % 2 * 16) & 0xffff; };
  for (size_t i = 0; i != kCount; ++i)
    page_.numbers()[i] *= 0x10003;
  check_reads(
      "2047 - (i ^ 5)", 2 * kCount, [&](cl_uint i) { return half_of(2047 - (i ^ 5)); }, "ushort");
  check_reads(
      "clamp((int)i * 2 - 9, 0, 2047)", kCount + 9,
      [&](cl_uint i) { return half_of(std::clamp(static_cast<int>(i) * 2 - 9, 0, 2047)); },
      "ushort");
  check_reads(
      "i * 619 & 2047", kCount, [&](cl_uint i) { return half_of(i * 619 & 2047); }, "ushort");
}

} // namespace
} // namespace heddle::test
