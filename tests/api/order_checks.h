// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fixture of the tests of HEDDLE_CHECK=race and divergence.
#pragma once

#include "tests/api/checked_kernels.h"

#include <algorithm>
#include <string>

namespace heddle::test {

class OrderChecks : public CheckedKernels {
 protected:
  // ":3 ", the line that contains the mark.
  static std::string line_of(const std::string& source, const std::string& mark) {
    const auto at = source.find(mark);
    EXPECT_NE(at, source.npos) << mark;
    return ":" +
           std::to_string(std::ranges::count(std::string_view(source).substr(0, at), '\n') + 1) +
           " ";
  }

  // Runs kernel "k(global int* data, global int* out, local int* tile)" of the source, with 1024
  // ints each that are their indices in `data` and 0 in `out`.
  std::string run(const std::string& source, const Range& range) {
    std::vector<cl_int> numbers(kInts), zeros(kInts);
    for (int i = 0; i < kInts; ++i)
      numbers[i] = i;
    const auto program = build(context_, source, "-cl-std=CL3.0");
    const auto kernel = make_kernel(program, "k");
    const auto data = make_buffer(context_, kInts * sizeof(cl_int), numbers.data());
    const auto out = make_buffer(context_, kInts * sizeof(cl_int), zeros.data());
    set_args(kernel, data, out, Local{kInts * sizeof(cl_int)});
    return outcome(kernel, range);
  }

  // The kernel of these statements, of `l`, `g` and `i`, the local, group and global id. Lines with
  // A and B in comments are reported, with the text; `changed` is replaced in the right twin.
  struct Defect {
    std::string statements;
    std::string text;
    std::string changed;
    std::string right;
    Range range = {{32}, {16}, {}};
    std::string helpers = "";
  };
  void expect(const Defect& defect) {
    SCOPED_TRACE(defect.statements);
    const auto source = [&](const std::string& statements) {
      return defect.helpers +
             "\nkernel void k(global int* data, global int* out, local int* tile) {\n"
             "int l = get_local_id(0), g = get_group_id(0), i = get_global_id(0);\n" +
             statements + "\n}\n";
    };
    const auto wrong = source(defect.statements);
    const auto message = run(wrong, defect.range);
    EXPECT_NE(message.find("kernel 'k' failed"), message.npos) << message;
    EXPECT_NE(message.find(defect.text), message.npos) << message;
    for (const std::string mark : {"// A", "// B"})
      if (wrong.find(mark) != wrong.npos) {
        EXPECT_NE(message.find(line_of(wrong, mark)), message.npos)
            << line_of(wrong, mark) << "is not in " << message;
      }
    auto right = defect.statements;
    const auto at = right.find(defect.changed);
    ASSERT_NE(at, right.npos);
    right.replace(at, defect.changed.size(), defect.right);
    EXPECT_EQ(run(source(right), defect.range), "") << right;
  }

  static constexpr int kInts = 1024;
};

} // namespace heddle::test
