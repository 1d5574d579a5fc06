// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/profile/profile.h"

#include "runtime/core/clock.h"
#include "runtime/core/file_name.h"
#include "runtime/core/lock.h"
#include "runtime/core/options.h"
#include "runtime/core/process.h"
#include "runtime/profile/activity.h"
#include "runtime/profile/line_samples.h"
#include "runtime/profile/profile_file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <new>
#include <string>
#include <tuple>
#include <vector>

namespace heddle::profile {

bool is_recorded = false;

class KernelSums {
 public:
  KernelSums(std::uint32_t index, KernelTimes&& named) : index_(index), sums_(std::move(named)) {}

  std::uint32_t index() const noexcept { return index_; }

  // Times are since the start of the process.
  void add_launch(const Launch& launch, std::uint64_t begin, std::uint64_t end,
                  bool failed) noexcept {
    const auto time = end - begin;
    const Lock lock(mutex_);
    activity_.add(begin, end);
    sums_.least = sums_.launches == 0 ? time : std::min(sums_.least, time);
    sums_.most = std::max(sums_.most, time);
    ++sums_.launches;
    sums_.failed += failed;
    sums_.time += time;
    sums_.work_items += launch.work_items;
    if (launch.is_estimated) {
      ++sums_.estimated;
      sums_.guessed += launch.is_guessed;
      sums_.estimated_time += static_cast<double>(time);
      sums_.flops += launch.flops;
      sums_.double_flops += launch.double_flops;
      sums_.bytes_read += launch.bytes_read;
      sums_.bytes_written += launch.bytes_written;
    }
    // A sample of all launches: each has the same chance to be in it.
    const auto place = sums_.launches <= kSample ? sums_.launches - 1 : random() % sums_.launches;
    if (place < kSample)
      try {
        if (place == times_.size())
          times_.push_back(time);
        else if (place < times_.size())
          times_[place] = time;
      } catch (const std::bad_alloc&) {
        // The median is of those before it.
      }
  }

  void add_wait(std::uint64_t time) noexcept {
    const Lock lock(mutex_);
    sums_.waited += time;
  }

  void add_groups(const Unit& unit, std::uint64_t groups, std::uint64_t time,
                  const Counts& counts) noexcept {
    const Lock lock(mutex_);
    for (std::size_t i = 0; i < counts.size(); ++i)
      counts_[i] += counts[i];
    auto* const end = units_.data() + unit_count_;
    auto* found = std::find_if(units_.data(), end, [&](const UnitSum& known) {
      return known.unit.code == unit.code && known.unit.lanes == unit.lanes &&
             known.unit.rows == unit.rows;
    });
    if (found == end) {
      if (unit_count_ == units_.size())
        --found; // the last one has the rest
      else
        *found = make_sum(unit);
    }
    found->groups += groups;
    found->time += time;
  }

  // Throws std::bad_alloc.
  void add_samples(const std::vector<line_samples::Place>& places) {
    const Lock lock(mutex_);
    for (const auto& place : places)
      ++samples_[place];
  }

  // Throws std::bad_alloc.
  KernelTimes times() const {
    static constexpr const char* kCodes[] = {"plain", "quick", "optimized"};
    const Lock lock(mutex_);
    auto times = sums_;
    if (auto sample = times_; !sample.empty()) {
      const auto middle = sample.begin() + static_cast<std::ptrdiff_t>(sample.size() / 2);
      std::nth_element(sample.begin(), middle, sample.end());
      times.median = *middle;
    }
    times.counters.assign(counts_.begin(),
                          counts_.begin() + static_cast<std::ptrdiff_t>(chosen_counters().size()));
    times.interval = activity_.length();
    const auto& ran = activity_.ran();
    const auto last = std::find_if(ran.rbegin(), ran.rend(), [](auto time) { return time != 0; });
    times.ran.assign(ran.begin(), last.base());
    for (std::size_t i = 0; i < unit_count_; ++i) {
      const auto& [unit, remarks, groups, time] = units_[i];
      times.units.push_back({kCodes[static_cast<std::size_t>(unit.code)], unit.lanes, unit.rows,
                             groups, time, remarks});
    }
    for (const auto& [place, count] : samples_) {
      const auto [unit, offset] = place;
      auto path = unit == line_samples::kElsewhere ? std::string() : line_samples::path_of(unit);
      if (times.samples.empty() || times.samples.back().unit != path)
        times.samples.push_back({std::move(path), {}});
      times.samples.back().counts.emplace_back(offset, count);
    }
    return times;
  }

 private:
  static constexpr std::size_t kSample = 10'000;
  struct UnitSum {
    Unit unit;
    std::vector<std::string> remarks;
    std::uint64_t groups;
    std::uint64_t time;
  };

  UnitSum make_sum(const Unit& unit) noexcept HEDDLE_REQUIRES(mutex_) {
    ++unit_count_;
    UnitSum sum{unit, {}, 0, 0};
    sum.unit.remarks = {};
    try {
      sum.remarks.assign(unit.remarks.begin(), unit.remarks.end());
    } catch (const std::bad_alloc&) {
      sum.remarks.clear();
    }
    return sum;
  }

  std::uint64_t random() noexcept HEDDLE_REQUIRES(mutex_) { // xorshift
    random_ ^= random_ << 13;
    random_ ^= random_ >> 7;
    return random_ ^= random_ << 17;
  }

  const std::uint32_t index_;
  mutable SleepingMutex mutex_;
  KernelTimes sums_ HEDDLE_GUARDED_BY(mutex_);
  std::vector<std::uint64_t> times_ HEDDLE_GUARDED_BY(mutex_);
  std::array<UnitSum, 16> units_ HEDDLE_GUARDED_BY(mutex_){};
  std::size_t unit_count_ HEDDLE_GUARDED_BY(mutex_) = 0;
  Counts counts_ HEDDLE_GUARDED_BY(mutex_){};
  std::map<line_samples::Place, std::uint64_t> samples_ HEDDLE_GUARDED_BY(mutex_);
  Activity activity_ HEDDLE_GUARDED_BY(mutex_);
  std::uint64_t random_ HEDDLE_GUARDED_BY(mutex_) = 88172645463325252u;
};

namespace {

struct Recorder {
  std::uint64_t started = monotonic_nanoseconds();
  SleepingMutex mutex;
  using Key = std::tuple<std::string, std::size_t, std::size_t, std::size_t>;
  std::map<Key, std::unique_ptr<KernelSums>, std::less<>> kernels HEDDLE_GUARDED_BY(mutex);
  std::map<std::string, BuildTimes, std::less<>> builds HEDDLE_GUARDED_BY(mutex);
  unsigned compute_units = 0;
};

Recorder& recorder() {
  static auto& made = *new Recorder;
  return made;
}

Profile collect() {
  auto& all = recorder();
  Profile profile;
  const Lock lock(all.mutex);
  profile.seconds = static_cast<double>(monotonic_nanoseconds() - all.started) * 1e-9;
  profile.compute_units = all.compute_units;
  profile.counters = chosen_counters();
  profile.kernels.resize(all.kernels.size());
  for (const auto& [key, sums] : all.kernels)
    profile.kernels[sums->index()] = sums->times();
  for (const auto& [kernel, build] : all.builds)
    profile.builds.push_back(build);
  return profile;
}

void write_at_exit() noexcept try {
  if (process::is_forked_child())
    return;
  const auto path = with_process_number(options().PROFILE);
  const auto text = to_text(collect());
  auto* file = std::fopen(path.c_str(), "we");
  const bool is_written = file && std::fwrite(text.data(), 1, text.size(), file) == text.size();
  const int error = errno;
  if (!(file && std::fclose(file) == 0 && is_written))
    std::fprintf(stderr, "heddle: HEDDLE_PROFILE: cannot write '%s': %s\n", path.c_str(),
                 std::strerror(error));
} catch (const std::bad_alloc&) {
  std::fputs("heddle: HEDDLE_PROFILE: no memory to write the profile\n", stderr);
}

} // namespace

void start() noexcept try {
  const auto* const given = std::getenv("HEDDLE_PROFILE"); // the other variables are read later
  if (!given || *given == '\0')
    return;
  (void)recorder();
  choose_counters(options().PROFILE_COUNTERS);
  if (options().PROFILE_LINES)
    line_samples::start(with_process_number(options().PROFILE) + ".units");
  process::at_exit<write_at_exit>();
  is_recorded = true;
} catch (const std::bad_alloc&) {
  std::fputs("heddle: HEDDLE_PROFILE: no memory\n", stderr);
}

KernelSums* sums_of(std::string_view kernel, const std::size_t (&local_size)[3],
                    unsigned compute_units) noexcept try {
  auto& all = recorder();
  const Lock lock(all.mutex);
  all.compute_units = std::max(all.compute_units, compute_units);
  Recorder::Key key{kernel, local_size[0], local_size[1], local_size[2]};
  if (const auto found = all.kernels.find(key); found != all.kernels.end())
    return found->second.get();
  KernelTimes named;
  named.name = kernel;
  std::ranges::copy(local_size, named.local_size.begin());
  auto sums = std::make_unique<KernelSums>(static_cast<std::uint32_t>(all.kernels.size()),
                                           std::move(named));
  return all.kernels.emplace(std::move(key), std::move(sums)).first->second.get();
} catch (const std::bad_alloc&) {
  return nullptr;
}

void add_launch(const Launch& launch, std::uint64_t begin, std::uint64_t end,
                bool failed) noexcept {
  const auto started = recorder().started;
  launch.sums->add_launch(launch, begin - std::min(begin, started), end - std::min(end, started),
                          failed);
}

void add_wait(const Launch& launch, std::uint64_t nanoseconds) noexcept {
  launch.sums->add_wait(nanoseconds);
}

Counts begin_groups() noexcept {
  line_samples::begin();
  return read_counters();
}

void add_groups(const Launch& launch, const Unit& unit, std::uint64_t groups,
                std::uint64_t nanoseconds, const Counts& counts) noexcept try {
  launch.sums->add_groups(unit, groups, nanoseconds, counts);
  if (const auto places = line_samples::end(); !places.empty())
    launch.sums->add_samples(places);
} catch (const std::bad_alloc&) {
  // Some samples less are shown.
}

void add_build(std::string_view kernel, std::uint64_t nanoseconds, std::uint64_t processor_time,
               bool is_loaded) noexcept try {
  auto& all = recorder();
  const Lock lock(all.mutex);
  auto& sum = all.builds[std::string(kernel)];
  sum.kernel = kernel;
  ++(is_loaded ? sum.loads : sum.builds);
  sum.time += nanoseconds;
  sum.processor_time += processor_time;
} catch (const std::bad_alloc&) {
  // One build less is shown.
}

} // namespace heddle::profile
