// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HEDDLE_CHECK_LOG: the reports of checks as a file for other programs.
#pragma once

#include "runtime/checks/finding.h"

#include <cstdio>
#include <string>
#include <string_view>

namespace heddle::checks {

// A file of one JSON object a line or, if its name ends with ".sarif", a log of SARIF 2.1.0. It is
// whole after each report, so that the end of the process does not matter. Not thread-safe.
class ReportLog {
 public:
  ReportLog() = default;
  ReportLog(const ReportLog&) = delete;
  ReportLog& operator=(const ReportLog&) = delete;
  ~ReportLog();

  // False, with errno, if the file cannot be written.
  bool open(const std::string& path);
  // The same. `message` is what standard error gets. Throws std::bad_alloc.
  bool add(const Finding& finding, std::string_view message);

 private:
  bool write(const std::string& text);

  std::FILE* file_ = nullptr;
  bool is_sarif_ = false;
  bool is_first_ = true;
  long end_ = 0; // of the results in the log of SARIF
};

// The entries of one finding.
std::string json_of(const Finding& finding, std::string_view message);
std::string sarif_of(const Finding& finding, std::string_view message);

} // namespace heddle::checks
