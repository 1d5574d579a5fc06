// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The forms in which a profile is shown.
#pragma once

#include "tools/heddle/profile/summary.h"

#include <string>
#include <string_view>

namespace heddle {

// For terminals. Kernels that took little time are left out, and counted in the last line.
std::string as_table(const Summary& summary);
std::string as_json(const Summary& summary);
// A line for each kernel and local size, names of columns first.
std::string as_csv(const Summary& summary);
// One page that needs no other file. `command`: what was run.
std::string as_page(const Summary& summary, const std::string& command);

// The pictures of the page, as SVG.
std::string roofline_picture(const Summary& summary);
// Which kernels ran when.
std::string timeline_picture(const Summary& summary);
// The source of kernels beside the time that its lines took, as HTML; empty without samples.
std::string source_listing(const Summary& summary);
// The ceilings, and the kernels' places below them, with characters.
std::string roofline_text(const Roofline& roofline);

// Appends at most 1,023 bytes, as printf formats them.
[[gnu::format(printf, 2, 3)]] void append(std::string& text, const char* format, ...);
// With < and & as HTML and SVG have them.
std::string html_text(std::string_view text);
// "1.23", three digits.
std::string number_text(double value);

} // namespace heddle
