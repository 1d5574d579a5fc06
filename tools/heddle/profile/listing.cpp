// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The page's listing: kernels' source beside the time that its lines took.
#include "tools/heddle/profile/show.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace heddle {
namespace {

// Lines with less of a kernel's time are shown only near others.
constexpr double kLeastShare = 0.01;
constexpr std::uint32_t kContext = 3; // lines before and behind

std::vector<std::string> read_lines(const std::string& path) {
  std::vector<std::string> lines;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);)
    lines.push_back(std::move(line));
  return lines;
}

using Counts = std::map<std::uint32_t, std::uint64_t>; // by line

void append_file(std::string& page, const std::string& path, const Counts& counts, double samples) {
  const auto text = read_lines(path);
  const auto share_of = [&](std::uint32_t line) {
    const auto found = counts.find(line);
    return found == counts.end() ? 0 : static_cast<double>(found->second) / samples;
  };
  append(page, "<p><code>%s</code></p>\n<table class=source>\n", html_text(path).c_str());
  std::uint32_t shown = 0; // up to this line
  for (const auto& [line, count] : counts) {
    if (share_of(line) < kLeastShare)
      continue;
    const auto first = std::max(shown + 1, line > kContext ? line - kContext : 1);
    if (shown != 0 && first > shown + 1)
      page += "<tr><td><td><td class=n>&#8942;<td></tr>\n";
    // Of a file that is gone, the lines that took time.
    const auto last = text.empty() ? line : std::min<std::size_t>(line + kContext, text.size());
    for (auto each = text.empty() ? line : first; each <= last; ++each) {
      const auto share = share_of(each);
      const auto percent = share >= 0.001 ? number_text(100 * share) : std::string();
      append(page, "<tr><td class=n>%s<td class=share>", percent.c_str());
      if (share >= 0.001)
        append(page, "<div class=bar style='width:%.1f%%'></div>", 100 * share);
      append(page, "<td class=n>%u<td>", each);
      page += "<pre>" + (each <= text.size() ? html_text(text[each - 1]) : "") + "</pre></tr>\n";
    }
    shown = std::max(shown, static_cast<std::uint32_t>(last));
  }
  page += "</table>\n";
}

void append_kernel(std::string& page, const KernelFigures& kernel) {
  std::map<std::string, Counts> files;
  std::uint64_t known = 0;
  for (const auto& [place, count] : kernel.lines.at) {
    files[place.first][place.second] = count;
    known += count;
  }
  const auto samples = static_cast<double>(kernel.lines.samples);
  page += "<h3>" + html_text(kernel.sums->name) + ", groups of " + kernel.groups + "</h3>\n";
  append(page, "<p>%llu samples, of which %s %% are at lines of the source.</p>\n",
         static_cast<unsigned long long>(kernel.lines.samples),
         number_text(100 * static_cast<double>(known) / samples).c_str());
  for (const auto& [path, counts] : files)
    append_file(page, path, counts, samples);
}

} // namespace

std::string source_listing(const Summary& summary) {
  std::string page;
  for (const auto& kernel : summary.kernels)
    if (!kernel.lines.at.empty())
      append_kernel(page, kernel);
  return page;
}

} // namespace heddle
