// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HEDDLE_CHECK_SUPPRESSIONS: a file that names findings which are not reported.
#pragma once

#include "runtime/checks/finding.h"

#include <string>
#include <string_view>
#include <vector>

namespace heddle::checks {

// Each line has a check, or several separated by commas, or *, and what must hold for a finding to
// be left out: patterns of shells (fnmatch).
//
//   # comment
//   race       line=scan.cl:9
//   memory     kernel=blur* function=load_tile
//   *          line=vendor/*
//
// `function` and `line` are those of either place; a line without a number stands for all of its
// file, and a file without a folder for those of all folders.
class Suppressions {
 public:
  // Adds "FILE:3: ..." to `errors` for each line that is wrong, which is left out. Throws
  // std::bad_alloc.
  static Suppressions parse(std::string_view text, const std::string& file,
                            std::vector<std::string>& errors);
  // Throws std::bad_alloc.
  bool cover(const Finding& finding) const;

 private:
  struct Rule {
    unsigned checks = 0;                      // bits by Check
    std::string kernel, function, file, line; // empty: any
  };
  static std::string parse_line(std::string_view text, Rule& rule);
  static bool covers(const Rule& rule, const Finding& finding);

  std::vector<Rule> rules_;
};

} // namespace heddle::checks
