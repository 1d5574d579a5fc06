// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// JSON and CSV.
#include "tools/heddle/json_string.h"
#include "tools/heddle/profile/show.h"

#include <charconv>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <utility>

namespace heddle {
namespace {

template <class Number>
std::string digits_of(Number number) {
  char digits[32];
  return {digits, std::to_chars(digits, digits + sizeof digits, number).ptr};
}

std::string or_null(const std::optional<double>& value) {
  return value ? digits_of(*value) : "null";
}

std::string object(std::initializer_list<std::pair<std::string_view, std::string>> members) {
  std::string text = "{";
  for (const auto& [name, value] : members)
    text += (text.size() > 1 ? ", " : "") + json_string(std::string(name)) + ": " + value;
  return text + "}";
}

// `text_of`: of an element.
template <class List, class TextOf>
std::string array(const List& list, TextOf text_of, const char* between) {
  std::string text;
  for (const auto& element : list)
    text += (text.empty() ? "" : between) + text_of(element);
  return "[" + text + "]";
}

std::string json_of(const profile::UnitTimes& unit) {
  return object({{"code", json_string(unit.code)},
                 {"lanes", digits_of(unit.lanes)},
                 {"rows", digits_of(unit.rows)},
                 {"groups", digits_of(unit.groups)},
                 {"thread_ns", digits_of(unit.thread_time)}});
}

std::string json_of_line(const decltype(SourceLines::at)::value_type& line) {
  const auto& [place, samples] = line;
  return object({{"file", json_string(place.first)},
                 {"line", digits_of(place.second)},
                 {"samples", digits_of(samples)}});
}

std::string counters_of(const Summary& summary, const profile::KernelTimes& sums) {
  std::string text = "{";
  for (std::size_t i = 0; i < sums.counters.size(); ++i)
    text += (i == 0 ? "" : ", ") + json_string(summary.profile.counters[i]) + ": " +
            digits_of(sums.counters[i]);
  return text + "}";
}

std::string json_of(const Summary& summary, const KernelFigures& kernel) {
  const auto& sums = *kernel.sums;
  return object({{"kernel", json_string(sums.name)},
                 {"local_size", array(sums.local_size, digits_of<std::uint64_t>, ", ")},
                 {"launches", digits_of(sums.launches)},
                 {"failed", digits_of(sums.failed)},
                 {"ns", digits_of(sums.time)},
                 {"median_ns", digits_of(sums.median)},
                 {"least_ns", digits_of(sums.least)},
                 {"most_ns", digits_of(sums.most)},
                 {"share", digits_of(kernel.share)},
                 {"work_items", digits_of(sums.work_items)},
                 {"work_items_per_second", digits_of(kernel.items_per_second)},
                 {"estimated_launches", digits_of(sums.estimated)},
                 {"guessed_launches", digits_of(sums.guessed)},
                 {"flops", digits_of(sums.flops)},
                 {"double_flops", digits_of(sums.double_flops)},
                 {"bytes_read", digits_of(sums.bytes_read)},
                 {"bytes_written", digits_of(sums.bytes_written)},
                 {"flops_per_second", or_null(kernel.flops)},
                 {"bytes_per_second", or_null(kernel.bandwidth)},
                 {"of_roof", or_null(kernel.of_roof)},
                 {"busy", digits_of(kernel.busy)},
                 {"waited_ns", digits_of(sums.waited)},
                 {"build_ns", digits_of(kernel.build_time)},
                 {"builds", digits_of(kernel.builds)},
                 {"loads", digits_of(kernel.loads)},
                 {"counters", counters_of(summary, sums)},
                 {"samples", digits_of(kernel.lines.samples)},
                 {"lines", array(kernel.lines.at, json_of_line, ", ")},
                 {"remarks", array(kernel.remarks, json_string, ", ")},
                 {"units", array(
                               sums.units, [](const auto& unit) { return json_of(unit); }, ", ")}});
}

std::string json_of(const Roofline& roofline) {
  return object({{"cpu", json_string(roofline.cpu)},
                 {"compute_units", digits_of(roofline.compute_units)},
                 {"float_flops_per_second", digits_of(roofline.float_flops)},
                 {"double_flops_per_second", digits_of(roofline.double_flops)},
                 {"bytes_per_second", digits_of(roofline.bandwidth)},
                 {"cache_bytes_per_second", digits_of(roofline.cache_bandwidth)},
                 {"cache_bytes", digits_of(roofline.cache_bytes)}});
}

std::string csv_word(const std::string& text) {
  std::string word = "\"";
  for (const char c : text)
    word.append(c == '"' ? 2 : 1, c);
  return word + "\"";
}

std::string or_empty(const std::optional<double>& value) { return value ? digits_of(*value) : ""; }

} // namespace

std::string as_json(const Summary& summary) {
  const auto& profile = summary.profile;
  return object({{"seconds", digits_of(profile.seconds)},
                 {"processes", digits_of(summary.processes)},
                 {"compute_units", digits_of(profile.compute_units)},
                 {"kernel_ns", digits_of(summary.kernel_time)},
                 {"roofline", summary.roofline ? json_of(*summary.roofline) : "null"},
                 {"kernels",
                  array(
                      summary.kernels, [&](const auto& kernel) { return json_of(summary, kernel); },
                      ",\n  ")}}) +
         "\n";
}

std::string as_csv(const Summary& summary) {
  std::string text = "kernel,group,launches,failed,ns,median_ns,least_ns,most_ns,share,work_items,"
                     "flops_per_second,bytes_per_second,of_roof,busy,waited_ns,build_ns,code";
  for (const auto& counter : summary.profile.counters)
    text += "," + counter;
  text += "\n";
  for (const auto& kernel : summary.kernels) {
    const auto& sums = *kernel.sums;
    text += csv_word(sums.name) + "," + kernel.groups;
    for (const auto number :
         {sums.launches, sums.failed, sums.time, sums.median, sums.least, sums.most})
      text += "," + digits_of(number);
    text += "," + digits_of(kernel.share) + "," + digits_of(sums.work_items) + "," +
            or_empty(kernel.flops) + "," + or_empty(kernel.bandwidth) + "," +
            or_empty(kernel.of_roof) + "," + digits_of(kernel.busy) + "," + digits_of(sums.waited) +
            "," + digits_of(kernel.build_time) + "," + csv_word(kernel.unit);
    for (const auto count : sums.counters)
      text += "," + digits_of(count);
    text += "\n";
  }
  return text;
}

} // namespace heddle
