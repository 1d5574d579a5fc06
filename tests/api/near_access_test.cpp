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

// Lanes that are active, to the last element of the page, beside others that would be in the next
// one.
TEST_F(NearAccess, UnderMasks) {
  const auto check = [&](const std::string& type, auto element) {
    constexpr cl_uint kElements = kPage / sizeof element;
    auto* elements = reinterpret_cast<decltype(element)*>(page_.numbers());
    for (cl_uint i = 0; i != kElements; ++i)
      elements[i] = static_cast<decltype(element)>(i * 0x9e3779b9U >> 29);
    const auto program = build(context_, "kernel void k(global uint* out, global const " + type +
                                             "* in, uint count) {"
                                             "  uint i = get_global_id(0), n = 0;"
                                             "  while (i + n < count && in[i + n] != 5) ++n;"
                                             "  out[i] = n; }");
    const auto kernel = make_kernel(program, "k");
    const auto in = make_buffer(context_, kPage, elements, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR);
    const auto out = make_buffer(context_, kElements * sizeof(cl_uint));
    for (const cl_uint count : {kElements, kElements - 3}) {
      set_args(kernel, out, in, count);
      run(queue_, kernel, {{kElements}, {64}, {}});
      const auto got = read<cl_uint>(queue_, out, kElements);
      for (cl_uint i = 0; i != kElements; ++i) {
        const auto* found = std::find(elements + i, elements + std::max(i, count), 5);
        ASSERT_EQ(got[i], static_cast<cl_uint>(found - elements - i))
            << type << ", work-item " << i << " of " << count;
      }
    }
  };
  check("uchar", cl_uchar());
  check("ushort", cl_ushort());
  check("uint", cl_uint());
}

// Three components are loaded as four where lanes' addresses are not consecutive: bytes with the
// one behind them unless that is in another page, words by a mask. The first and last elements of
// the page are among them, all lanes active or some.
TEST_F(NearAccess, Triples) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(page_.numbers());
  for (size_t i = 0; i != kCount; ++i)
    page_.numbers()[i] = static_cast<cl_uint>(i) * 0x9e3779b9U;
  const auto three = [](auto x, auto y, auto z) {
    return cl_uint{x} + cl_uint{y} * 3U + cl_uint{z} * 7U;
  };
  const auto check_triples = [&](const std::string& type, size_t size, size_t first,
                                 cl_uint elements) {
    constexpr cl_uint kItems = 512;
    const auto in =
        make_buffer(context_, kPage, page_.numbers(), CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR);
    const auto out = make_buffer(context_, kItems * sizeof(cl_uint));
    const auto program =
        build(context_, "kernel void k(global uint* out, global const " + type +
                            "* in, uint first, uint elements, uint most) {"
                            "  uint i = get_global_id(0), at = elements - 1 - i * 37 % elements;"
                            "  out[i] = 5;"
                            "  if ((i * 7 & 63) < most) {"
                            "    " +
                            type +
                            "3 v = vload3(at, in + first);"
                            "    out[i] = v.x + v.y * 3u + v.z * 7u; } }");
    const auto kernel = make_kernel(program, "k");
    for (const cl_uint most : {64U, 20U, 1U}) {
      set_args(kernel, out, in, static_cast<cl_uint>(first), elements, most);
      run(queue_, kernel, {{kItems}, {64}, {}});
      const auto got = read<cl_uint>(queue_, out, kItems);
      for (cl_uint i = 0; i != kItems; ++i) {
        const size_t at = first + 3 * (elements - 1 - i * 37 % elements);
        const auto expected = (i * 7 & 63) >= most ? 5
                              : size == 1          ? three(bytes[at], bytes[at + 1], bytes[at + 2])
                                          : three(page_.numbers()[at], page_.numbers()[at + 1],
                                                  page_.numbers()[at + 2]);
        ASSERT_EQ(got[i], expected)
            << type << " " << first << ", work-item " << i << " of " << most;
      }
    }
  };
  for (const size_t first : {0U, 1U}) { // to the last byte but one, and to the last
    check_triples("uchar", 1, first, 1365);
    check_triples("uint", 4, first, 341);
  }
}

// Some of the adjacent elements of each work-item, which are loaded with those in between: from the
// first element of the page on, and to the last.
TEST_F(NearAccess, PartsOfPixels) {
  constexpr cl_uint kItems = 256;
  const auto check = [&](const std::string& type, auto element, cl_int apart,
                         const std::vector<cl_int>& places) {
    auto* elements = reinterpret_cast<decltype(element)*>(page_.numbers());
    for (size_t i = 0; i != kPage / sizeof element; ++i)
      elements[i] = static_cast<decltype(element)>(i * 0x9e3779b9U >> 7);
    std::string sum = "0";
    for (const auto place : places)
      sum = "(" + sum + ") * 5 + p[" + std::to_string(apart) + " * i + " + std::to_string(place) +
            "]";
    const auto program = build(context_, "kernel void k(global " + type + "* out, global const " +
                                             type + "* in, int first) {" +
                                             "  int i = get_global_id(0);"
                                             "  global const " +
                                             type + "* p = in + first; out[i] = " + sum + "; }");
    const auto kernel = make_kernel(program, "k");
    const auto in = make_buffer(context_, kPage, elements, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR);
    const auto out = make_buffer(context_, kItems * sizeof element);
    for (const cl_int first :
         {-places.front(), static_cast<cl_int>(kPage / sizeof element) -
                               apart * static_cast<cl_int>(kItems - 1) - places.back() - 1}) {
      set_args(kernel, out, in, first);
      run(queue_, kernel, {{kItems}, {64}, {}});
      const auto got = read<decltype(element)>(queue_, out, kItems);
      for (cl_int i = 0; i != static_cast<cl_int>(kItems); ++i) {
        cl_uint expected = 0;
        for (const auto place : places)
          expected = expected * 5 + elements[first + apart * i + place];
        ASSERT_EQ(got[static_cast<size_t>(i)], static_cast<decltype(element)>(expected))
            << type << ", " << apart << " apart, from " << first << ", work-item " << i;
      }
    }
  };
  for (const auto& [apart, places] :
       std::vector<std::pair<cl_int, std::vector<cl_int>>>{{2, {0, 1}},
                                                           {3, {1, 2}},
                                                           {3, {0, 2}},
                                                           {4, {0, 1}},
                                                           {4, {0, 1, 2}},
                                                           {4, {1, 2, 3}},
                                                           {4, {0, 2}},
                                                           {4, {0, 1, 3}},
                                                           {4, {0, 1, 2, 3}}}) {
    check("uchar", cl_uchar(), apart, places);
    check("ushort", cl_ushort(), apart, places);
    check("uint", cl_uint(), apart, places);
  }
}

} // namespace
} // namespace heddle::test
