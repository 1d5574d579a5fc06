// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/checks/report_log.h"

#include "runtime/core/json_text.h"

#include <cctype>

namespace heddle::checks {
namespace {

struct RuleText {
  Check check;
  const char* text;
};
constexpr RuleText kRules[] = {
    {Check::division, "Integer divisions by zero, and those that overflow"},
    {Check::memory, "Accesses out of bounds, misaligned accesses, wrong use of pipes and maps"},
    {Check::race, "Accesses to one byte by work-items that nothing orders"},
    {Check::divergence, "Calls that not all work-items of a group make"},
};

constexpr std::string_view kSarifEnd = "\n]}]}\n";

std::string member(const char* name, const std::string& value) {
  return '"' + std::string(name) + "\":" + value;
}

std::string sarif_begin() {
  std::string rules;
  for (const auto& rule : kRules)
    rules.append(rules.empty() ? "" : ",")
        .append("{" + member("id", json_text(name_of(rule.check))) + "," +
                member("shortDescription", "{" + member("text", json_text(rule.text)) + "}") + "}");
  return "{" + member("$schema", json_text("https://json.schemastore.org/sarif-2.1.0.json")) + "," +
         member("version", json_text("2.1.0")) + "," + member("runs", "[{") +
         member("tool", "{" +
                            member("driver", "{" + member("name", json_text("Heddle")) + "," +
                                                 member("version", json_text(HEDDLE_VERSION)) +
                                                 "," + member("rules", "[" + rules + "]") + "}") +
                            "}") +
         "," + member("results", "[");
}

// A reference of RFC 3986; a file without a folder stays relative.
std::string uri_of(const std::string& file) {
  std::string uri = file.starts_with('/') ? "file://" : "";
  for (const char c : file)
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 ||
        std::string_view("-._~/").find(c) != std::string_view::npos) {
      uri += c;
    } else {
      char escaped[4];
      std::snprintf(escaped, sizeof escaped, "%%%02X", static_cast<unsigned char>(c));
      uri += escaped;
    }
  return uri;
}

std::string sarif_location(const Place& place) {
  // Lines of SARIF begin with 1.
  const auto region =
      place.line != 0
          ? "," + member("region", "{" + member("startLine", std::to_string(place.line)) + "}")
          : "";
  const auto function = place.function.empty()
                            ? ""
                            : "," + member("logicalLocations",
                                           "[{" + member("name", json_text(place.function)) + "," +
                                               member("kind", json_text("function")) + "}]");
  return member("physicalLocation",
                "{" +
                    member("artifactLocation",
                           "{" + member("uri", json_text(uri_of(place.file))) + "}") +
                    region + "}") +
         function;
}

} // namespace

std::string json_of(const Finding& finding, std::string_view message) {
  std::string places;
  for (const auto& place : finding.places)
    places.append(places.empty() ? "" : ",")
        .append("{" + member("file", json_text(place.file)) + "," +
                member("line", std::to_string(place.line)) + "," +
                member("function", json_text(place.function)) + "}");
  return "{" + member("check", json_text(name_of(finding.check))) + "," +
         member("kernel", json_text(finding.kernel)) + "," + member("message", json_text(message)) +
         "," + member("places", "[" + places + "]") + "}";
}

std::string sarif_of(const Finding& finding, std::string_view message) {
  auto result = "{" + member("ruleId", json_text(name_of(finding.check))) + "," +
                member("ruleIndex", std::to_string(static_cast<unsigned>(finding.check))) + "," +
                member("level", json_text("error")) + "," +
                member("message", "{" + member("text", json_text(message)) + "}");
  if (!finding.places.empty())
    result += "," + member("locations", "[{" + sarif_location(finding.places.front()) + "}]");
  if (finding.places.size() > 1)
    result += "," + member("relatedLocations", "[{" + member("id", "1") + "," +
                                                   sarif_location(finding.places.back()) + "}]");
  return result + "," +
         member("properties", "{" + member("kernel", json_text(finding.kernel)) + "}") + "}";
}

ReportLog::~ReportLog() {
  if (file_ != nullptr)
    (void)std::fclose(file_);
}

bool ReportLog::write(const std::string& text) {
  return std::fwrite(text.data(), 1, text.size(), file_) == text.size() && std::fflush(file_) == 0;
}

bool ReportLog::open(const std::string& path) {
  file_ = std::fopen(path.c_str(), "we");
  if (file_ == nullptr)
    return false;
  is_sarif_ = path.ends_with(".sarif");
  if (!is_sarif_)
    return true;
  const auto begin = sarif_begin();
  end_ = static_cast<long>(begin.size());
  return write(begin + std::string(kSarifEnd));
}

bool ReportLog::add(const Finding& finding, std::string_view message) {
  if (file_ == nullptr)
    return true;
  if (!is_sarif_)
    return write(json_of(finding, message) + "\n");
  const auto entry = std::string(is_first_ ? "\n" : ",\n") + sarif_of(finding, message);
  if (std::fseek(file_, end_, SEEK_SET) != 0)
    return false;
  is_first_ = false;
  end_ += static_cast<long>(entry.size());
  return write(entry + std::string(kSarifEnd));
}

} // namespace heddle::checks
