// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/heddle/profile/show.h"

#include <string_view>

namespace heddle {
namespace {

void append_cell(std::string& page, const std::string& text, bool is_number = true) {
  page += is_number ? "<td class=n>" : "<td>";
  page += html_text(text) + "</td>";
}

std::string text_of(const std::optional<double>& value, double unit, bool is_guessed = false) {
  return value ? (is_guessed ? "~" : "") + number_text(*value / unit) : "";
}

void append_row(std::string& page, const KernelFigures& kernel) {
  const auto& sums = *kernel.sums;
  page += "<tr>";
  append_cell(page, sums.name, false);
  append_cell(page, kernel.groups, false);
  append_cell(page, std::to_string(sums.launches));
  append_cell(page, number_text(static_cast<double>(sums.time) * 1e-6));
  page += "<td><div class=bar style='width:" + number_text(100 * kernel.share) + "%'></div>" +
          number_text(100 * kernel.share) + " %</td>";
  append_cell(page, number_text(static_cast<double>(sums.median) * 1e-3));
  append_cell(page, number_text(kernel.items_per_second * 1e-6));
  append_cell(page, text_of(kernel.bandwidth, 1e9));
  append_cell(page, text_of(kernel.flops, 1e9, kernel.is_guessed));
  append_cell(page, text_of(kernel.of_roof, 0.01));
  append_cell(page, number_text(100 * kernel.busy));
  append_cell(page, number_text(static_cast<double>(sums.waited) * 1e-6));
  append_cell(page, number_text(kernel.build_time * 1e-6));
  for (const auto count : sums.counters)
    append_cell(page, number_text(static_cast<double>(count)));
  append_cell(page, kernel.unit, false);
  page += "</tr>\n";
}

// What the compiler says of the units that took most of each kernel's time.
std::string remarks_of(const Summary& summary) {
  std::string items;
  for (const auto& kernel : summary.kernels)
    for (const auto& remark : kernel.remarks)
      items += "<li><b>" + html_text(kernel.sums->name) + "</b> " + html_text(kernel.groups) + " " +
               html_text(remark) + "</li>\n";
  return items.empty()
             ? ""
             : "<h2>Remarks of the compiler</h2>\n<p>The first of each kind; <code>heddle "
               "explain</code> has all.</p>\n<ul>\n" +
                   items + "</ul>\n";
}

constexpr const char* kStyle = R"(<style>
body { font-family: sans-serif; margin: 2em; max-width: 1200px; color: #222 }
table { border-collapse: collapse; font-size: 13px }
th, td { padding: 3px 8px; border-bottom: 1px solid #ddd; text-align: left }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums }
.bar { background: #3366cc; height: 5px }
table.source td { border: 0; padding: 0 8px }
td.share { width: 120px }
pre { margin: 0 }
code { background: #f3f3f3; padding: 1px 4px }
</style>
)";

} // namespace

std::string html_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
    case '<':
      out += "&lt;";
      break;
    case '&':
      out += "&amp;";
      break;
    default:
      out += c;
    }
  }
  return out;
}

std::string as_page(const Summary& summary, const std::string& command) {
  const auto& profile = summary.profile;
  std::string page = "<!DOCTYPE html>\n<html lang=en><head><meta charset=utf-8>"
                     "<title>Heddle: profile</title>\n";
  page += kStyle;
  page += "</head><body>\n<h1>Kernels of <code>" + html_text(command) + "</code></h1>\n<p>" +
          number_text(profile.seconds) + " s in " + std::to_string(summary.processes) +
          (summary.processes == 1 ? " process" : " processes") + ", of which kernels took " +
          number_text(summary.kernel_time * 1e-9) + " s on " +
          std::to_string(profile.compute_units) + " compute units";
  if (summary.roofline)
    page += " of " + html_text(summary.roofline->cpu);
  page += ".</p>\n<table><tr><th>kernel<th>group<th class=n>launches<th class=n>ms<th>share"
          "<th class=n>median &micro;s<th class=n>M items/s<th class=n>GB/s<th class=n>GFLOP/s"
          "<th class=n>% of roof<th class=n>% busy<th class=n>wait ms<th class=n>build ms";
  for (const auto& counter : profile.counters)
    page += "<th class=n>" + html_text(counter);
  page += "<th>code</tr>\n";
  for (const auto& kernel : summary.kernels)
    append_row(page, kernel);
  page += "</table>\n";
  if (const auto picture = roofline_picture(summary); !picture.empty())
    page += "<h2>Roofline</h2>\n<p>Operations and bytes are estimated when kernels are compiled. "
            "The area of a circle is the kernel's share of the time.</p>\n" +
            picture + "\n";
  if (const auto picture = timeline_picture(summary); !picture.empty())
    page += "<h2>When kernels ran</h2>\n" + picture + "\n";
  page += remarks_of(summary);
  if (const auto listing = source_listing(summary); !listing.empty())
    page +=
        "<h2>Source lines</h2>\n<p>Per cent of the samples of a kernel, one in a millisecond of "
        "each thread's processor time.</p>\n" +
        listing;
  return page + "</body></html>\n";
}

} // namespace heddle
