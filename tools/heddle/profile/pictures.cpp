// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/heddle/profile/show.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string_view>
#include <vector>

namespace heddle {
namespace {

constexpr double kWidth = 900;
constexpr std::array<const char*, 8> kColors = {"#3366cc", "#dc3912", "#ff9900", "#109618",
                                                "#990099", "#0099c6", "#dd4477", "#66aa00"};

// Maps values to a range of pixels by their logarithms.
struct LogAxis {
  double least, most; // values
  double from, to;    // pixels
  double operator()(double value) const {
    const auto part =
        (std::log10(value) - std::log10(least)) / (std::log10(most) - std::log10(least));
    return from + std::clamp(part, 0.0, 1.0) * (to - from);
  }
};

// The powers of ten around the roof and all kernels.
struct Axes {
  LogAxis intensity, flops;
};

Axes axes_of(const Summary& summary, double height) {
  const auto& roofline = *summary.roofline;
  double least_x = roofline.ridge() / 100, most_x = roofline.ridge() * 10;
  double least_y = roofline.float_flops / 1000, most_y = roofline.float_flops * 1.5;
  for (const auto& kernel : summary.kernels)
    if (!kernel.is_guessed && kernel.intensity && kernel.flops && *kernel.intensity > 0 &&
        *kernel.flops > 0) {
      least_x = std::min(least_x, *kernel.intensity);
      most_x = std::max(most_x, *kernel.intensity);
      least_y = std::min(least_y, *kernel.flops);
      most_y = std::max(most_y, *kernel.flops);
    }
  const auto down = [](double value) { return std::pow(10, std::floor(std::log10(value))); };
  const auto up = [](double value) { return std::pow(10, std::ceil(std::log10(value))); };
  return {{down(least_x), up(most_x), 70, kWidth - 20},
          {down(least_y), up(most_y), height - 40, 15}};
}

std::vector<double> powers_of_ten(const LogAxis& axis) {
  std::vector<double> powers;
  const auto last = std::lround(std::log10(axis.most));
  for (auto exponent = std::lround(std::log10(axis.least)); exponent <= last; ++exponent)
    powers.push_back(std::pow(10, exponent));
  return powers;
}

void append_grid(std::string& svg, const Axes& axes, double height) {
  for (const auto x : powers_of_ten(axes.intensity)) {
    append(svg, "<line x1='%.1f' y1='15' x2='%.1f' y2='%.1f' stroke='#ddd'/>", axes.intensity(x),
           axes.intensity(x), height - 40);
    append(svg, "<text x='%.1f' y='%.1f' text-anchor='middle'>%g</text>", axes.intensity(x),
           height - 24, x);
  }
  for (const auto y : powers_of_ten(axes.flops)) {
    append(svg, "<line x1='70' y1='%.1f' x2='%.1f' y2='%.1f' stroke='#ddd'/>", axes.flops(y),
           kWidth - 20, axes.flops(y));
    append(svg, "<text x='64' y='%.1f' text-anchor='end'>%g</text>", axes.flops(y) + 4, y * 1e-9);
  }
  append(svg, "<text x='%.1f' y='%.1f' text-anchor='middle'>operations a byte</text>", kWidth / 2,
         height - 6);
  append(svg,
         "<text transform='translate(16 %.1f) rotate(-90)' text-anchor='middle'>GFLOP/s</text>",
         height / 2);
}

void append_roof(std::string& svg, const Axes& axes, const Roofline& roofline) {
  for (const auto& [peak, name] :
       {std::pair{roofline.float_flops, "floats"}, std::pair{roofline.double_flops, "doubles"}}) {
    append(svg, "<line x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f' stroke='#444'/>",
           axes.intensity(peak / roofline.cache_bandwidth), axes.flops(peak), axes.intensity.to,
           axes.flops(peak));
    append(svg, "<text x='%.1f' y='%.1f' text-anchor='end'>%s: %s GFLOP/s</text>",
           axes.intensity.to - 4, axes.flops(peak) - 4, name, number_text(peak * 1e-9).c_str());
  }
  // What memory allows, and the same in the cache.
  const auto bound = [&](double bandwidth, const char* name, const char* dashes) {
    const auto ridge = roofline.float_flops / bandwidth;
    const auto first = std::max(axes.intensity.least, axes.flops.least / bandwidth);
    append(svg, "<polyline points='%.1f,%.1f %.1f,%.1f' fill='none' stroke='#444'%s/>",
           axes.intensity(first), axes.flops(first * bandwidth), axes.intensity(ridge),
           axes.flops(roofline.float_flops), dashes);
    const auto at = first * std::pow(ridge / first, 0.3);
    append(svg, "<text x='%.1f' y='%.1f' text-anchor='%s'>%s: %s GB/s</text>",
           axes.intensity(at) + (*dashes ? -6 : 6), axes.flops(at * bandwidth) + (*dashes ? 0 : 12),
           *dashes ? "end" : "start", name, number_text(bandwidth * 1e-9).c_str());
  };
  bound(roofline.bandwidth, "memory", "");
  bound(roofline.cache_bandwidth, "cache", " stroke-dasharray='5 4'");
}

std::string open_picture(double height) {
  std::string svg;
  append(svg,
         "<svg viewBox='0 0 %.0f %.0f' width='%.0f' xmlns='http://www.w3.org/2000/svg' "
         "font-family='sans-serif' font-size='12'>",
         kWidth, height, kWidth);
  return svg;
}

} // namespace

std::string roofline_picture(const Summary& summary) {
  if (!summary.roofline)
    return {};
  constexpr double kHeight = 420;
  const auto axes = axes_of(summary, kHeight);
  auto svg = open_picture(kHeight);
  append_grid(svg, axes, kHeight);
  append_roof(svg, axes, *summary.roofline);
  std::size_t shown = 0;
  for (const auto& kernel : summary.kernels) {
    if (kernel.is_guessed || !kernel.intensity || !kernel.flops || *kernel.intensity <= 0 ||
        *kernel.flops <= 0)
      continue;
    const auto x = axes.intensity(*kernel.intensity), y = axes.flops(*kernel.flops);
    const auto* color = kColors[shown % kColors.size()];
    append(svg, "<circle cx='%.1f' cy='%.1f' r='%.1f' fill='%s' fill-opacity='0.6'/>", x, y,
           3 + 12 * std::sqrt(kernel.share), color);
    if (shown++ < 12)
      append(svg, "<text x='%.1f' y='%.1f' fill='%s'>%s</text>", x + 8, y + 4, color,
             html_text(kernel.sums->name.substr(0, 40)).c_str());
  }
  return svg + "</svg>";
}

std::string timeline_picture(const Summary& summary) {
  constexpr double kRow = 20, kLeft = 200;
  constexpr std::size_t kMaxRows = 12;
  std::uint64_t end = 0;
  for (const auto& kernel : summary.kernels)
    end = std::max(end, kernel.sums->interval * kernel.sums->ran.size());
  if (end == 0)
    return {};
  const auto rows = std::min(kMaxRows, summary.kernels.size());
  const auto pixels = (kWidth - kLeft - 20) / static_cast<double>(end); // a nanosecond
  auto svg = open_picture(kRow * static_cast<double>(rows) + 30);
  for (std::size_t row = 0; row < rows; ++row) {
    const auto& kernel = *summary.kernels[row].sums;
    const auto y = kRow * static_cast<double>(row);
    append(svg, "<text x='%.0f' y='%.1f' text-anchor='end'>%s</text>", kLeft - 8, y + 14,
           html_text(kernel.name.substr(0, 28)).c_str());
    const auto interval = static_cast<double>(kernel.interval);
    for (std::size_t i = 0; i < kernel.ran.size(); ++i)
      if (kernel.ran[i] != 0)
        append(svg,
               "<rect x='%.2f' y='%.1f' width='%.2f' height='%.0f' fill='%s' "
               "fill-opacity='%.2f'/>",
               kLeft + pixels * interval * static_cast<double>(i), y + 2,
               std::max(0.5, pixels * interval), kRow - 4, kColors[row % kColors.size()],
               0.15 + 0.85 * std::min(1.0, static_cast<double>(kernel.ran[i]) / interval));
  }
  const auto bottom = kRow * static_cast<double>(rows) + 16;
  append(svg, "<text x='%.0f' y='%.1f'>0 s</text>", kLeft, bottom);
  append(svg, "<text x='%.0f' y='%.1f' text-anchor='end'>%s s</text>", kWidth - 20, bottom,
         number_text(static_cast<double>(end) * 1e-9).c_str());
  return svg + "</svg>";
}

std::string roofline_text(const Roofline& roofline) {
  constexpr std::size_t kColumns = 64, kLines = 16;
  const LogAxis x{roofline.ridge() / 100, roofline.ridge() * 10, 0, kColumns - 1};
  const LogAxis y{roofline.float_flops / 200, roofline.float_flops * 1.2, kLines - 1, 0};
  std::vector<std::string> lines(kLines, std::string(kColumns, ' '));
  for (std::size_t column = 0; column < kColumns; ++column) {
    const auto part = static_cast<double>(column) / (kColumns - 1);
    const auto intensity = x.least * std::pow(x.most / x.least, part);
    for (const auto& [peak, mark] :
         {std::pair{roofline.double_flops, '-'}, std::pair{roofline.float_flops, '='}}) {
      const auto flops = std::min(peak, intensity * roofline.bandwidth);
      const bool is_memory = flops < peak;
      lines[static_cast<std::size_t>(std::lround(y(flops)))][column] = is_memory ? '/' : mark;
    }
  }
  std::string text;
  for (const auto& line : lines)
    text += "  |" + line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  text += "  +" + std::string(kColumns, '-') + "\n";
  char legend[160];
  std::snprintf(legend, sizeof legend,
                "   %s to %s operations a byte; = floats, - doubles, / memory\n",
                number_text(x.least).c_str(), number_text(x.most).c_str());
  return text + legend;
}

} // namespace heddle
