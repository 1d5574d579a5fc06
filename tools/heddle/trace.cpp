// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// heddle trace merge: the traces of several processes as one.
#include "tools/heddle/commands.h"

#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::command {
namespace {

// A file as runtime/trace/write_trace.cpp writes it: what it was made by, and an event a line.
struct Trace {
  std::string host;
  std::uint64_t realtime = 0; // nanoseconds that the time of day is ahead of its clock
  std::vector<std::string> events;
};

// The text behind `name`, up to one of `ends`; empty if it is not there.
std::string_view part_behind(std::string_view text, std::string_view name, std::string_view ends) {
  const auto at = text.find(name);
  if (at == std::string_view::npos)
    return {};
  const auto rest = text.substr(at + name.size());
  return rest.substr(0, rest.find_first_of(ends));
}

template <class Number>
bool read_number(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

// Nothing if it is no such file, or not a whole one.
std::optional<Trace> read_trace(const std::string& path) {
  std::ifstream file(path);
  Trace trace;
  std::string line;
  if (!std::getline(file, line) ||
      !read_number(part_behind(line, "\"realtime_ns\":", ",}"), trace.realtime))
    return std::nullopt;
  trace.host = part_behind(line, "\"host\":\"", "\"");
  while (std::getline(file, line)) {
    if (line == "]}")
      return trace;
    if (line.ends_with(','))
      line.pop_back();
    trace.events.push_back(line);
  }
  return std::nullopt;
}

// Puts `value` in place of the text behind `name`. The fields that all events have come first, so
// that it is not one of their arguments.
void replace_behind(std::string& event, std::string_view name, std::string_view ends,
                    const std::string& value) {
  const auto at = event.find(name);
  if (at == std::string::npos)
    return;
  const auto begin = at + name.size();
  event.replace(begin, event.find_first_of(ends, begin) - begin, value);
}

// The time so much later, in microseconds with three digits.
std::string shifted(std::string_view time, std::int64_t nanoseconds) {
  const auto dot = time.find('.');
  std::int64_t whole = 0, rest = 0;
  if (dot == std::string_view::npos || !read_number(time.substr(0, dot), whole) ||
      !read_number(time.substr(dot + 1), rest))
    return std::string(time);
  const auto later = whole * 1000 + rest + nanoseconds;
  char text[32];
  std::snprintf(text, sizeof text, "%s%lld.%03lld", later < 0 ? "-" : "",
                static_cast<long long>(std::abs(later) / 1000),
                static_cast<long long>(std::abs(later) % 1000));
  return text;
}

class Merged {
 public:
  explicit Merged(std::ofstream& file) : file_(file) {
    file_ << R"({"displayTimeUnit":"ns","traceEvents":[)";
  }

  void add(const Trace& trace) {
    if (number_ == 0)
      realtime_ = trace.realtime;
    const auto shift = static_cast<std::int64_t>(trace.realtime - realtime_);
    const auto process = take_number(trace);
    for (auto event : trace.events) {
      const bool has_time = !event.starts_with(R"({"ph":"M")");
      if (has_time)
        replace_behind(event, "\"ts\":", ",", shifted(part_behind(event, "\"ts\":", ","), shift));
      else if (event.find(R"("name":"process_name")") != std::string::npos)
        name_process(event, trace.host);
      replace_behind(event, "\"pid\":", ",", std::to_string(process));
      // Flows of several processes are not to be joined.
      constexpr std::string_view kFlow = R"("cat":"wait","id":)";
      if (const auto id = part_behind(event, kFlow, ",}"); !id.empty())
        replace_behind(event, kFlow, ",}",
                       "\"" + std::to_string(number_) + "." + std::string(id) + "\"");
      file_ << (is_first_ ? "\n" : ",\n") << event;
      is_first_ = false;
    }
    ++number_;
  }

  bool end() {
    file_ << "\n]}\n";
    file_.close();
    return file_.good();
  }

 private:
  static void name_process(std::string& event, const std::string& host) {
    const auto end = event.rfind("\"}}");
    if (end != std::string::npos && !host.empty())
      event.insert(end, " on " + host);
  }

  // That of the process, unless one of another machine has the same.
  std::uint64_t take_number(const Trace& trace) {
    std::uint64_t number = 0;
    if (!trace.events.empty())
      (void)read_number(part_behind(trace.events.front(), "\"pid\":", ","), number);
    while (!processes_.insert(number).second)
      ++number;
    return number;
  }

  std::ofstream& file_;
  std::uint64_t realtime_ = 0;
  std::set<std::uint64_t> processes_;
  unsigned number_ = 0;
  bool is_first_ = true;
};

int refuse(const std::string& why) {
  std::fprintf(stderr, "heddle trace: %s\n", why.c_str());
  return 2;
}

} // namespace

int trace(std::span<char*> words) {
  if (words.empty() || std::string_view(words[0]) != "merge")
    return refuse("expected: merge -o FILE TRACE...");
  std::string out;
  std::vector<std::string> paths;
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (std::string_view(words[i]) == "-o" && i + 1 < words.size())
      out = words[++i];
    else
      paths.emplace_back(words[i]);
  }
  if (out.empty() || paths.empty())
    return refuse(out.empty() ? "expected -o and the file to write" : "expected files to merge");
  std::vector<Trace> traces;
  for (const auto& path : paths) {
    auto trace = read_trace(path);
    if (!trace) {
      std::fprintf(stderr, "heddle trace: '%s' is not a whole trace of HEDDLE_TRACE\n",
                   path.c_str());
      return 1;
    }
    traces.push_back(std::move(*trace));
  }
  std::ofstream file(out);
  Merged merged(file);
  for (const auto& trace : traces)
    merged.add(trace);
  if (merged.end())
    return 0;
  std::fprintf(stderr, "heddle trace: cannot write '%s'\n", out.c_str());
  return 1;
}

} // namespace heddle::command
