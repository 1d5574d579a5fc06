// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the benchmark cases on the linked backend (an OpenCL driver or hand-written code), checks
// every result, and reports the median time of a run.
//
//   --list              the names of the cases
//   --filter TEXT[,..]  only cases whose name contains one of the texts (=NAME: exactly this one)
//   --local SIZES       cases whose kernels know nothing of their groups also in groups of these
//   sizes
//                       (64x4,16x16,32: those that have as many dimensions and divide the global
//                       size), as NAME@SIZE
//   --min-time SECONDS  how long to measure each case at least (0.1)
//   --small             small sizes, one run each: does it all work?
//   --first             once: the time from the build of the program to the first results (drivers
//                       that keep compiled programs must be told to forget them)
//   --json FILE         the results for a program to read
#include "tests/bench/frame/backend.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string_view>

namespace {

using namespace heddle::bench;
using Clock = std::chrono::steady_clock;

struct Options {
  bool list = false, small = false, first = false;
  double min_time = 0.1;
  std::vector<std::string> filter;
  std::vector<LocalSize> local;
  std::string json;
};

struct Result {
  std::string name, work, state, reason; // state: ok, skipped, failed
  double median_ns = 0, least_ns = 0;
  size_t batch = 0, repetitions = 0;
};

double seconds(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double timed(Runner& runner, size_t count) {
  const auto start = Clock::now();
  runner.run(count);
  return seconds(start);
}

void require_right(Runner& runner, Workload& workload, const char* when) {
  workload.poison();
  runner.fetch();
  if (const auto wrong = workload.verify(); !wrong.empty())
    throw std::runtime_error(std::string("wrong result ") + when + ": " + wrong);
}

// A batch is long enough (2 ms) that the clock and the wait at its end are negligible.
void measure(Runner& runner, double min_time, Result& result) {
  constexpr double kBatch = 2e-3;
  constexpr size_t kLeast = 5, kMost = 2000;
  size_t batch = 1;
  // The minimum of two, so that an interruption does not cause a too short batch.
  const auto probe = [&] { return std::min(timed(runner, batch), timed(runner, batch)); };
  for (double t = probe(); t < kBatch && batch < 100000; t = probe())
    batch = std::max(batch + 1, static_cast<size_t>(static_cast<double>(batch) *
                                                    std::min(10.0, 1.2 * kBatch / t)));
  std::vector<double> samples;
  const auto start = Clock::now();
  while (samples.size() < kLeast || (seconds(start) < min_time && samples.size() < kMost))
    samples.push_back(timed(runner, batch) / static_cast<double>(batch) * 1e9);
  std::ranges::sort(samples);
  result.median_ns = samples[samples.size() / 2];
  result.least_ns = samples.front();
  result.batch = batch;
  result.repetitions = samples.size();
}

// The case of that name, with the groups that `workload` has.
Result run_case(const std::string& name, Workload& workload, const Options& options) {
  Result result{name, workload.work, "ok", ""};
  try {
    workload.poison(); // of what other groups have written
    const auto start = Clock::now();
    const auto runner = make_runner(workload, name.substr(0, name.find('@')));
    runner->run(1);
    if (options.first) {
      result.median_ns = result.least_ns = seconds(start) * 1e9;
      result.batch = result.repetitions = 1;
    }
    require_right(*runner, workload, "of the first run");
    if (options.small || options.first)
      return result;
    measure(*runner, options.min_time, result);
    require_right(*runner, workload, "after many runs");
  } catch (const Skipped& skipped) {
    result.state = "skipped";
    result.reason = skipped.what();
  } catch (const std::exception& error) {
    result.state = "failed";
    result.reason = error.what();
  }
  return result;
}

void print(const Result& r) {
  if (r.state != "ok")
    std::printf("%-28s %s: %s\n", r.name.c_str(), r.state.c_str(), r.reason.substr(0, 400).c_str());
  else if (r.batch == 0)
    std::printf("%-28s right\n", r.name.c_str());
  else
    std::printf("%-28s %12.2f us   (%zu x %zu)  %s\n", r.name.c_str(), r.median_ns / 1e3,
                r.repetitions, r.batch, r.work.c_str());
  std::fflush(stdout);
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    char escaped[8];
    if (c == '"' || c == '\\')
      out += {'\\', c};
    else if (static_cast<unsigned char>(c) < 0x20) {
      std::snprintf(escaped, sizeof escaped, "\\u%04x", c);
      out += escaped;
    } else
      out += c;
  }
  return out + '"';
}

bool write_json(const std::string& path, const std::vector<Result>& results) {
  std::ofstream out(path);
  out << "{\"backend\": " << quoted(backend_name()) << ",\n \"cases\": [";
  for (const char* comma = ""; const auto& r : results) {
    out << comma << "\n  {\"name\": " << quoted(r.name) << ", \"work\": " << quoted(r.work)
        << ", \"state\": " << quoted(r.state) << ", \"reason\": " << quoted(r.reason)
        << ", \"median_ns\": " << r.median_ns << ", \"least_ns\": " << r.least_ns
        << ", \"batch\": " << r.batch << ", \"repetitions\": " << r.repetitions << "}";
    comma = ",";
  }
  out << "\n ]}\n";
  return static_cast<bool>(out.flush());
}

std::vector<std::string> parts_of(std::string list) {
  std::vector<std::string> parts;
  while (!list.empty()) {
    const auto comma = list.find(',');
    parts.push_back(list.substr(0, comma));
    list = comma == std::string::npos ? "" : list.substr(comma + 1);
  }
  return parts;
}

bool parse(int argc, char** argv, Options& options) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    const char* value = i + 1 < argc ? argv[i + 1] : nullptr;
    if (word == "--list")
      options.list = true;
    else if (word == "--small")
      options.small = true;
    else if (word == "--first")
      options.first = true;
    else if (word == "--min-time" && value)
      options.min_time = std::atof(argv[++i]);
    else if (word == "--json" && value)
      options.json = argv[++i];
    else if (word == "--local" && value) {
      for (const auto& text : parts_of(argv[++i])) {
        options.local.push_back(parse_local_size(text));
        if (options.local.back().empty()) {
          std::fprintf(stderr, "--local: '%s' is no local size such as 64x4\n", text.c_str());
          return false;
        }
      }
    } else if (word == "--filter" && value)
      options.filter = parts_of(argv[++i]);
    else
      return false;
  }
  return true;
}

bool chosen(const std::string& name, const Options& options) {
  return options.filter.empty() ||
         std::ranges::any_of(options.filter, [&](const std::string& text) {
           return text.starts_with('=') ? name == text.substr(1)
                                        : name.find(text) != std::string::npos;
         });
}

void run_case(const Case& entry, const Options& options, std::vector<Result>& results) {
  const auto workload = entry.make(options.small ? Scale::kSmall : Scale::kFull);
  results.push_back(run_case(entry.name, *workload, options));
  print(results.back());
  if (!workload->takes_any_group())
    return;
  for (const auto& size : options.local)
    if (use_groups(*workload, size)) {
      results.push_back(run_case(entry.name + "@" + text_of(size), *workload, options));
      print(results.back());
    }
}

int run(const Options& options) {
  std::vector<Result> results;
  for (const auto& entry : all_cases()) {
    if (!chosen(entry.name, options))
      continue;
    if (options.list) {
      std::printf("%s\n", entry.name.c_str());
      continue;
    }
    run_case(entry, options, results);
  }
  if (options.list)
    return 0;
  if (results.empty()) {
    std::fprintf(stderr, "no case of this name\n");
    return 2;
  }
  if (!options.json.empty() && !write_json(options.json, results)) {
    std::fprintf(stderr, "cannot write %s\n", options.json.c_str());
    return 1;
  }
  return std::ranges::any_of(results, [](const Result& r) { return r.state == "failed"; }) ? 1 : 0;
}

} // namespace

int main(int argc, char** argv) {
  Options options;
  if (!parse(argc, argv, options)) {
    std::fprintf(stderr,
                 "%s [--list] [--filter TEXT,...] [--local SIZE,...] [--min-time SECONDS] "
                 "[--small] [--first] "
                 "[--json FILE]\n",
                 argv[0]);
    return 2;
  }
  try {
    return run(options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
