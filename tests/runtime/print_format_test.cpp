// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The formatting of printf records (OpenCL C 6.15.13).
#include "compiler/interface/printf_record.h"
#include "runtime/execution/print_buffer.h"
#include "runtime/execution/print_format.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <limits>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace heddle::test {
namespace {

class Record {
 public:
  explicit Record(const char* format) {
    const abi::PrintfHeader header{format, 0, 0};
    append(&header, sizeof header);
  }
  template <class T>
  Record& add(abi::PrintfKind kind, const T* values, std::uint32_t count = 1) {
    const abi::PrintfArgument argument{kind, sizeof(T), count, 0};
    append(&argument, sizeof argument);
    append(values, sizeof(T) * count);
    bytes_.resize((bytes_.size() + 7) / 8 * 8);
    abi::PrintfHeader header;
    std::memcpy(&header, bytes_.data(), sizeof header);
    ++header.argument_count;
    std::memcpy(bytes_.data(), &header, sizeof header);
    return *this;
  }
  template <class T>
  Record& i(T value) {
    return add(abi::PrintfKind::integer, &value);
  }
  Record& f(double value) { return add(abi::PrintfKind::floating, &value); }
  Record& p(const void* value) { return add(abi::PrintfKind::pointer, &value); }
  template <class T>
  Record& iv(std::vector<T> values) {
    return add(abi::PrintfKind::integer, values.data(), static_cast<std::uint32_t>(values.size()));
  }
  template <class T>
  Record& fv(std::vector<T> values) {
    return add(abi::PrintfKind::floating, values.data(), static_cast<std::uint32_t>(values.size()));
  }
  const std::vector<std::byte>& bytes() const { return bytes_; }

 private:
  void append(const void* data, std::size_t size) {
    const auto* first = static_cast<const std::byte*>(data);
    bytes_.insert(bytes_.end(), first, first + size);
  }
  std::vector<std::byte> bytes_;
};

std::string text(const Record& record) {
  std::string text;
  EXPECT_TRUE(format_print(record.bytes().data(), record.bytes().size(), text));
  return text;
}

bool refused(const Record& record) {
  std::string text;
  return !format_print(record.bytes().data(), record.bytes().size(), text);
}

TEST(PrintFormat, Integers) {
  EXPECT_EQ(text(Record("%d|%5d|%-5d|%05d|%+d|% d|%.3d").i(10).i(10).i(10).i(10).i(10).i(10).i(10)),
            "10|   10|10   |00010|+10| 10|010");
  EXPECT_EQ(text(Record("%u %o %x %X %#o %#x").i(~0u).i(8).i(255).i(255).i(8).i(255)),
            "4294967295 10 ff FF 010 0xff");
  EXPECT_EQ(text(Record("%i").i(-7)), "-7");
  EXPECT_EQ(text(Record("%hhd %hd %hhu %hu").i(0x1ff).i(0x18000).i(0x1ff).i(0x18000)),
            "-1 -32768 255 32768");
  EXPECT_EQ(text(Record("%ld %lu %lx")
                     .i(std::int64_t{-5'000'000'000})
                     .i(~std::uint64_t{0})
                     .i(std::uint64_t{1} << 60)),
            "-5000000000 18446744073709551615 1000000000000000");
  EXPECT_EQ(text(Record("%c%c%5c|%-3c|").i(65).i(int{'b'}).i(int{'c'}).i(int{'d'})),
            "Ab    c|d  |");
}

TEST(PrintFormat, FloatingPoint) {
  EXPECT_EQ(text(Record("%f %5.2f %+.0f %e %G").f(1.5).f(3.14159).f(2.0).f(12345.678).f(1e-10)),
            "1.500000  3.14 +2 1.234568e+04 1E-10");
  EXPECT_EQ(text(Record("%a %A %.1a").f(1.0).f(0.5).f(1.0)), "0x1p+0 0X1P-1 0x1.0p+0");
  const double inf = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(text(Record("%f %F %e %a %f").f(inf).f(inf).f(-inf).f(inf).f(nan)),
            "inf INF -inf inf nan");
  EXPECT_EQ(text(Record("%G %g").f(nan).f(-inf)), "NAN -inf");
  EXPECT_EQ(text(Record("%.300f").f(1)).size(), 302u) << "longer than any small buffer";
}

TEST(PrintFormat, Vectors) {
  EXPECT_EQ(text(Record("%v4f").fv<float>({1, 2, 3, 4})), "1.000000,2.000000,3.000000,4.000000");
  EXPECT_EQ(text(Record("%2.2v2hlf").fv<float>({1.234f, 5})), "1.23,5.00");
  EXPECT_EQ(text(Record("%v3lf").fv<double>({1, -2, 0.5})), "1.000000,-2.000000,0.500000");
  EXPECT_EQ(text(Record("%v2hf").fv<std::uint16_t>({0x3c00, 0xc000})), "1.000000,-2.000000");
  EXPECT_EQ(
      text(Record("%v4hhd %#v2hhx").iv<std::int8_t>({-1, 2, -3, 4}).iv<std::uint8_t>({0xfa, 0xfb})),
      "-1,2,-3,4 0xfa,0xfb");
  EXPECT_EQ(text(Record("%v8hu").iv<std::uint16_t>({1, 2, 3, 4, 5, 6, 7, 65535})),
            "1,2,3,4,5,6,7,65535");
  EXPECT_EQ(text(Record("%v3hld|%5v2hli|").iv<std::int32_t>({1, -2, 3}).iv<std::int32_t>({7, 8})),
            "1,-2,3|    7,    8|");
  EXPECT_EQ(text(Record("%v2lx").iv<std::uint64_t>({~std::uint64_t{0}, 1})), "ffffffffffffffff,1");
  EXPECT_EQ(text(Record("%v16hhu").iv(std::vector<std::uint8_t>(16, 9))),
            "9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9");
}

TEST(PrintFormat, StringsPointersAndPercent) {
  EXPECT_EQ(text(Record("%s|%10s|%-6s|%.2s|%%|%s").p("foo").p("bar").p("ab").p("xyz").p("")),
            "foo|       bar|ab    |xy|%|");
  EXPECT_EQ(text(Record("%p").p(reinterpret_cast<void*>(0x1234))), "0x1234");
  EXPECT_EQ(text(Record("100%% %d%%").i(5)), "100% 5%");
  EXPECT_EQ(text(Record("")), "");
}

TEST(PrintFormat, WhatIsNotOpenClIsRefused) {
  EXPECT_TRUE(refused(Record("%d"))) << "no argument";
  EXPECT_TRUE(refused(Record("%n").i(1)));
  EXPECT_TRUE(refused(Record("%").i(1)));
  EXPECT_TRUE(refused(Record("%v5d").i(1)));
  EXPECT_TRUE(refused(Record("%d").f(1))) << "a float is no int";
  EXPECT_TRUE(refused(Record("%*d").i(1).i(2)));
}

// Redirects standard output to a file during the test.
class Captured {
 public:
  Captured() {
    std::fflush(stdout);
    file_ = memfd_create("stdout", 0);
    kept_ = dup(1);
    dup2(file_, 1);
  }
  std::string end() {
    std::fflush(stdout);
    dup2(kept_, 1);
    std::string text(static_cast<std::size_t>(lseek(file_, 0, SEEK_END)), '\0');
    EXPECT_EQ(pread(file_, text.data(), text.size(), 0), static_cast<ssize_t>(text.size()));
    close(file_);
    close(kept_);
    return text;
  }

 private:
  int file_;
  int kept_;
};

TEST(PrintBuffer, NothingIsLostFromManyThreads) {
  constexpr int kThreads = 4, kLines = 20'000;
  Captured captured;
  {
    PrintBuffer buffer;
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t)
      threads.emplace_back([&buffer, t] {
        for (int i = 0; i < kLines; ++i) {
          const Record record = Record("line %d of %d, some words that make it longer\n").i(i).i(t);
          EXPECT_EQ(buffer.append(record.bytes().data(), record.bytes().size()), 0);
        }
      });
    for (auto& thread : threads)
      thread.join();
    buffer.flush();
  }
  const auto text = captured.end();
  EXPECT_GT(text.size(), std::size_t{3} << 20) << "more than is kept before it is written";
  std::vector<int> next(kThreads, 0);
  for (std::size_t at = 0; at < text.size();) {
    const auto end = text.find('\n', at);
    int line = -1, thread = -1;
    // A line only: sscanf looks for the end of its whole string first.
    ASSERT_EQ(std::sscanf(text.substr(at, end - at).c_str(), "line %d of %d,", &line, &thread), 2);
    ASSERT_EQ(line, next.at(static_cast<std::size_t>(thread))++);
    at = end + 1;
  }
  for (const int count : next)
    EXPECT_EQ(count, kLines);
}

} // namespace
} // namespace heddle::test
