// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/profile/profile_file.h"

#include <charconv>
#include <system_error>

namespace heddle::profile {
namespace {

constexpr std::string_view kFirst = "heddle-profile\t3";
constexpr std::string_view kLast = "end";

class Line {
 public:
  explicit Line(std::string_view first) : text_(first) {}
  Line& operator<<(std::string_view word) {
    text_ += '\t';
    for (const char c : word) // names of SPIR-V may have any
      text_ += c == '\t' || c == '\n' ? ' ' : c;
    return *this;
  }
  Line& operator<<(const std::string& word) { return *this << std::string_view(word); }
  template <class Number>
  Line& operator<<(Number number) {
    char digits[32];
    const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
    return *this << std::string_view(digits, static_cast<std::size_t>(end - digits));
  }
  void append_to(std::string& text) const { (text += text_) += '\n'; }

 private:
  std::string text_;
};

// Reads the words of a line in order; is_whole() is false once one was missing or no number.
class Words {
 public:
  explicit Words(std::string_view line) : rest_(line) {}
  std::string_view word() {
    if (at_end_) {
      is_whole_ = false;
      return {};
    }
    const auto tab = rest_.find('\t');
    const auto found = rest_.substr(0, tab);
    at_end_ = tab == std::string_view::npos;
    rest_.remove_prefix(at_end_ ? rest_.size() : tab + 1);
    return found;
  }
  Words& operator>>(std::string& value) {
    value = word();
    return *this;
  }
  template <class Number>
  Words& operator>>(Number& value) {
    const auto digits = word();
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    is_whole_ &= error == std::errc() && end == digits.data() + digits.size();
    return *this;
  }
  bool at_end() const { return at_end_; }
  bool is_whole() const { return is_whole_; }

 private:
  std::string_view rest_;
  bool at_end_ = false;
  bool is_whole_ = true;
};

void append(std::string& text, const KernelTimes& kernel) {
  Line line("kernel");
  line << kernel.name;
  for (const auto size : kernel.local_size)
    line << size;
  line << kernel.launches << kernel.failed << kernel.time << kernel.median << kernel.least
       << kernel.most << kernel.work_items << kernel.waited << kernel.estimated << kernel.guessed
       << kernel.estimated_time << kernel.flops << kernel.double_flops << kernel.bytes_read
       << kernel.bytes_written;
  for (const auto count : kernel.counters)
    line << count;
  line.append_to(text);
  for (const auto& unit : kernel.units) {
    (Line("unit") << unit.code << unit.lanes << unit.rows << unit.groups << unit.thread_time)
        .append_to(text);
    for (const auto& remark : unit.remarks)
      (Line("remark") << remark).append_to(text);
  }
  for (const auto& samples : kernel.samples) {
    Line line("samples");
    line << samples.unit;
    for (const auto& [offset, count] : samples.counts)
      line << offset << count;
    line.append_to(text);
  }
  Line activity("activity");
  activity << kernel.interval;
  for (const auto time : kernel.ran)
    activity << time;
  activity.append_to(text);
}

KernelTimes read_kernel(Words& words) {
  KernelTimes kernel;
  words >> kernel.name;
  for (auto& size : kernel.local_size)
    words >> size;
  words >> kernel.launches >> kernel.failed >> kernel.time >> kernel.median >> kernel.least >>
      kernel.most >> kernel.work_items >> kernel.waited >> kernel.estimated >> kernel.guessed >>
      kernel.estimated_time >> kernel.flops >> kernel.double_flops >> kernel.bytes_read >>
      kernel.bytes_written;
  while (!words.at_end() && words.is_whole())
    words >> kernel.counters.emplace_back();
  return kernel;
}

// False if the line is not one of them.
bool read_line(std::string_view first, Words& words, Profile& profile) {
  if (first == "process") {
    words >> profile.seconds >> profile.compute_units;
    while (!words.at_end() && words.is_whole())
      words >> profile.counters.emplace_back();
  } else if (first == "kernel") {
    profile.kernels.push_back(read_kernel(words));
  } else if (first == "unit" && !profile.kernels.empty()) {
    auto& unit = profile.kernels.back().units.emplace_back();
    words >> unit.code >> unit.lanes >> unit.rows >> unit.groups >> unit.thread_time;
  } else if (first == "remark" && !profile.kernels.empty() &&
             !profile.kernels.back().units.empty()) {
    words >> profile.kernels.back().units.back().remarks.emplace_back();
  } else if (first == "samples" && !profile.kernels.empty()) {
    auto& samples = profile.kernels.back().samples.emplace_back();
    words >> samples.unit;
    while (!words.at_end() && words.is_whole()) {
      auto& [offset, count] = samples.counts.emplace_back();
      words >> offset >> count;
    }
  } else if (first == "build") {
    auto& build = profile.builds.emplace_back();
    words >> build.kernel >> build.builds >> build.loads >> build.time >> build.processor_time;
  } else if (first == "activity" && !profile.kernels.empty()) {
    auto& kernel = profile.kernels.back();
    words >> kernel.interval;
    while (!words.at_end() && words.is_whole())
      words >> kernel.ran.emplace_back();
  } else {
    return false;
  }
  return words.is_whole() && words.at_end();
}

} // namespace

std::string to_text(const Profile& profile) {
  std::string text(kFirst);
  text += '\n';
  Line process("process");
  process << profile.seconds << profile.compute_units;
  for (const auto& counter : profile.counters)
    process << counter;
  process.append_to(text);
  for (const auto& kernel : profile.kernels)
    append(text, kernel);
  for (const auto& build : profile.builds)
    (Line("build") << build.kernel << build.builds << build.loads << build.time
                   << build.processor_time)
        .append_to(text);
  (text += kLast) += '\n';
  return text;
}

std::optional<Profile> from_text(std::string_view text) {
  Profile profile;
  for (bool is_first = true; !text.empty(); is_first = false) {
    const auto end = text.find('\n');
    const auto line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (is_first) {
      if (line != kFirst)
        return std::nullopt;
      continue;
    }
    if (line == kLast)
      return text.empty() ? std::optional(std::move(profile)) : std::nullopt;
    Words words(line);
    const auto first = words.word();
    if (!read_line(first, words, profile))
      return std::nullopt;
  }
  return std::nullopt;
}

} // namespace heddle::profile
