// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What becomes of the findings of checks: suppression files, and logs in JSON and SARIF.
#include "runtime/checks/report_log.h"
#include "runtime/checks/suppressions.h"
#include "runtime/core/json_text.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace heddle::checks {
namespace {

constexpr char kPlace[] = "/src/scan.cl:9\0load_tile\0race,memory\0";
constexpr char kOther[] = "/src/scan.cl:7\0scan\0\0";

Finding race() { return make_finding(Check::race, "scan_rows", {"a race", kPlace, kOther}); }

TEST(Findings, PlacesAreThreeTexts) {
  const auto finding = race();
  ASSERT_EQ(finding.places.size(), 2U);
  EXPECT_EQ(finding.places[0].file, "/src/scan.cl");
  EXPECT_EQ(finding.places[0].line, 9U);
  EXPECT_EQ(finding.places[0].function, "load_tile");
  EXPECT_EQ(finding.places[0].unchecked, "race,memory");
  EXPECT_EQ(finding.places[1].function, "scan");
  EXPECT_EQ(finding.places[1].unchecked, "");
}

bool is_covered(const std::string& text, const Finding& finding) {
  std::vector<std::string> errors;
  const auto suppressions = Suppressions::parse(text, "file", errors);
  EXPECT_TRUE(errors.empty()) << errors.front();
  return suppressions.cover(finding);
}

TEST(Suppressions, CoverByCheckKernelFunctionAndLine) {
  for (const char* text : {
           "race kernel=scan_rows",
           "race kernel=scan*",
           "* function=scan",
           "memory,race function=load_*",
           "race line=scan.cl:9",
           "race line=scan.cl:7",
           "race line=scan.cl",
           "race line=src/*",
           "race line=/src/scan.cl:[79]",
           "# a comment\n\n  \t\r\nrace  kernel=scan_rows\tfunction=scan line=*.cl:7 \r\n",
           "memory kernel=other\nrace kernel=scan_rows",
       })
    EXPECT_TRUE(is_covered(text, race())) << text;
  for (const char* text : {
           "",
           "memory kernel=scan_rows",
           "memory,division,divergence line=scan.cl",
           "race kernel=scan",
           "race function=load",
           "race line=scan.cl:8",
           "race line=can.cl",
           "race line=rc/*",
           "race function=scan line=scan.cl:9", // of the other place
           "race kernel=other function=scan",
       })
    EXPECT_FALSE(is_covered(text, race())) << text;
  // Findings without lines, as of maps.
  EXPECT_FALSE(is_covered("* line=*", make_finding(Check::memory, "", {"text"})));
  EXPECT_TRUE(is_covered("memory kernel=*", make_finding(Check::memory, "", {"text"})));
}

TEST(Suppressions, WrongLinesAreNamedAndLeftOut) {
  std::vector<std::string> errors;
  const auto suppressions = Suppressions::parse("memroy kernel=a\n"
                                                "race kernel=scan_rows\n"
                                                "# good\n"
                                                "race\n"
                                                "race file=a.cl\n"
                                                "race kernel=\n"
                                                "race,lines kernel=a",
                                                "s.txt", errors);
  EXPECT_EQ(errors, (std::vector<std::string>{
                        ("s.txt:1: 'memroy' is not a check; the checks are division, memory, race, "
                         "divergence and uninitialized, and * is all of them"),
                        "s.txt:4: kernel=NAME, function=NAME or line=FILE:LINE is missing",
                        "s.txt:5: 'file=a.cl' is not kernel=NAME, function=NAME or line=FILE:LINE",
                        "s.txt:6: 'kernel' has no pattern",
                        ("s.txt:7: 'lines' is not a check; the checks are division, memory, race, "
                         "divergence and uninitialized, and * is all of them")}));
  EXPECT_TRUE(suppressions.cover(race()));
}

TEST(JsonText, EscapesAndReplaces) {
  EXPECT_EQ(json_text("a\"b\\c\n\x01"), R"("a\"b\\c\u000a\u0001")");
  EXPECT_EQ(json_text("\xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80"),
            "\"\xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80\"");
  // Latin-1, cut off, too long, a surrogate, above U+10FFFF.
  for (const char* text : {"\xe4", "\xe2\x82", "\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80"})
    EXPECT_EQ(json_text(text).find(text), std::string::npos) << text;
  EXPECT_EQ(json_text("\xe4z"), "\"\xef\xbf\xbdz\"");
}

class Log : public testing::Test {
 protected:
  std::string text(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::string path(const char* name) { return testing::TempDir() + name; }
};

TEST_F(Log, JsonHasALineForEachReport) {
  const auto file = path("heddle_reports.json");
  ReportLog log;
  ASSERT_TRUE(log.open(file));
  EXPECT_EQ(text(file), "");
  ASSERT_TRUE(log.add(race(), "said \"so\""));
  const std::string line =
      R"({"check":"race","kernel":"scan_rows","message":"said \"so\"","places":[)"
      R"({"file":"/src/scan.cl","line":9,"function":"load_tile"},)"
      R"({"file":"/src/scan.cl","line":7,"function":"scan"}]})"
      "\n";
  EXPECT_EQ(text(file), line);
  ASSERT_TRUE(log.add(race(), "said \"so\""));
  EXPECT_EQ(text(file), line + line);
}

// That it is valid: tests/programs/check_reports.
TEST_F(Log, SarifIsWholeAfterEachReport) {
  const auto file = path("heddle_reports.sarif");
  const std::string end = "\n]}]}\n";
  ReportLog log;
  ASSERT_TRUE(log.open(file));
  const auto empty = text(file);
  EXPECT_TRUE(empty.ends_with("\"results\":[" + end)) << empty;
  ASSERT_TRUE(log.add(race(), "first"));
  const auto first = sarif_of(race(), "first"), second = sarif_of(race(), "second");
  const auto begin = empty.substr(0, empty.size() - end.size());
  EXPECT_EQ(text(file), begin + "\n" + first + end);
  ASSERT_TRUE(log.add(race(), "second"));
  EXPECT_EQ(text(file), begin + "\n" + first + ",\n" + second + end);
  EXPECT_NE(first.find(R"("uri":"file:///src/scan.cl"},"region":{"startLine":9})"), first.npos)
      << first;
  const auto odd = make_finding(Check::memory, "k", {"text", "a b%.cl:0\0\0\0"});
  EXPECT_NE(sarif_of(odd, "").find(R"({"uri":"a%20b%25.cl"}}}])"), std::string::npos)
      << sarif_of(odd, "");
}

TEST_F(Log, CannotBeWritten) {
  ReportLog log;
  EXPECT_FALSE(log.open("/no/such/folder/log.json"));
  EXPECT_EQ(errno, ENOENT);
  ReportLog full;
  ASSERT_TRUE(full.open("/dev/full"));
  EXPECT_FALSE(full.add(race(), "text"));
  EXPECT_EQ(errno, ENOSPC);
}

} // namespace
} // namespace heddle::checks
