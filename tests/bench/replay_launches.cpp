// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replays recorded launches of one kernel against policies, without a machine: what each of them
// runs and builds, and how long that takes. The real one is runtime/program/units/policy.
//
//   replay_launches [--check] FILE...
//
// A file has words in lines, times in milliseconds, # for comments:
//   processors 2
//   build PLAIN OPTIMIZED          processor time of the builds
//   estimate OPTIMIZED             what is expected of the second one (default: the same)
//   launch AT PLAIN GENERIC OWN KIND [COUNT [PERIOD]]
// A launch begins at AT, or when the one before it has ended; PLAIN, GENERIC and OWN are its times
// on one thread in each unit; KIND is the name of its local size. COUNT of them follow each other.
//
// The model: launches run on all processors, builds on a thread each, and what runs shares the
// processors evenly. A launch in plain code goes on in the target at once when that is there.
// --check: exit status 1 if the policy takes more than half longer than the best of the others,
// which differs from file to file.
#include "runtime/program/units/policy.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace heddle {
namespace {

using namespace unit_policy;

struct Launch {
  double at = 0, plain = 0, generic = 0, own = 0;
  std::string kind;
};

struct Recording {
  unsigned processors = 2;
  double plain_build = 0, build = 0, estimate = 0;
  std::vector<Launch> launches;
};

struct Unit {
  double left = 0; // of its build
  bool is_begun = false, is_ready = false, is_reserved = false;
};

struct Result {
  double launches = 0; // the sum of their times
  double first = 0;    // the first one's
  double end = 0;
  double builds = 0; // processor time
};

using Policy = std::function<Decision(const Facts&)>;

class Replay {
 public:
  Replay(const Recording& recording, Policy policy)
      : recording_(recording), policy_(std::move(policy)) {}

  Result run() {
    for (const auto& launch : recording_.launches) {
      while (now_ < launch.at)
        advance(launch.at - now_, 0);
      const auto begun = now_;
      run(launch);
      const auto taken = now_ - begun;
      result_.launches += taken;
      if (&launch == &recording_.launches.front())
        result_.first = taken;
    }
    result_.end = now_;
    return result_;
  }

 private:
  // At most so long, with so many threads that run groups; returns how long. Stops when a build
  // ends.
  double advance(double most, double threads) {
    std::vector<Unit*> builds;
    for (auto* unit : units())
      if (unit->is_begun && !unit->is_ready)
        builds.push_back(unit);
    const auto running = threads + static_cast<double>(builds.size());
    share_ = running > recording_.processors ? recording_.processors / running : 1;
    auto step = most;
    for (const auto* unit : builds)
      step = std::min(step, unit->left / share_);
    for (auto* unit : builds) {
      unit->left -= step * share_;
      result_.builds += step * share_;
      unit->is_ready = unit->left < 1e-9;
    }
    now_ += step;
    return step;
  }

  std::vector<Unit*> units() {
    std::vector<Unit*> all{&plain_, &generic_};
    for (auto& [kind, unit] : own_)
      all.push_back(&unit);
    return all;
  }

  void begin(Unit& unit, double build) {
    if (!unit.is_begun)
      unit = {build, true, build <= 0, false};
  }
  void wait_for(const Unit& unit) {
    while (!unit.is_ready)
      advance(1e9, 0);
  }

  static State state(const Unit& unit) {
    return unit.is_ready ? State::ready : unit.is_begun ? State::building : State::absent;
  }

  Decision decide(const Launch& launch, bool knows_time) {
    constexpr double kMillisecond = 1e6;
    auto& own = own_[launch.kind];
    Facts facts;
    facts.may_have_own = facts.may_begin_plain = facts.has_many_groups = true;
    facts.plain_time = knows_time ? launch.plain * kMillisecond : 0;
    facts.most_plain_time = 5 * kMillisecond;
    facts.compute_units = recording_.processors;
    facts.own = state(own);
    facts.generic = state(generic_);
    facts.build_time = recording_.estimate * kMillisecond;
    const auto left = [&](const Unit& unit) {
      const auto taken = unit.is_begun ? recording_.build - unit.left : 0;
      return taken < recording_.estimate ? recording_.estimate - taken : taken;
    };
    facts.own_left = left(own) * kMillisecond;
    facts.own_taken = own.is_begun ? (recording_.build - own.left) * kMillisecond : 0;
    facts.generic_left = left(generic_) * kMillisecond;
    facts.used = used_[launch.kind] * kMillisecond;
    facts.kinds = static_cast<unsigned>(own_.size());
    return policy_(facts);
  }

  void run(const Launch& launch) {
    auto& own = own_[launch.kind];
    auto decision = decide(launch, plain_.is_ready);
    auto* target = decision.target_is_own ? &own : &generic_;
    if (decision.target != Priority::none)
      begin(*target, recording_.build);
    if (decision.run == Run::plain || decision.run == Run::plain_after_a_wait) {
      begin(plain_, recording_.plain_build);
      wait_for(plain_);
      decision = decide(launch, true);
    }
    if (decision.run == Run::plain_after_a_wait && !has_waited_) {
      has_waited_ = true;
      for (double waited = 0; waited < 20 && !target->is_ready;)
        waited += advance(20 - waited, 0);
    }
    if (decision.run == Run::target)
      wait_for(*target);
    target->is_reserved |= decision.target == Priority::reserved;
    // The part that is left, in whatever unit.
    double left = 1;
    while (left > 1e-9) {
      const auto plain = !own.is_ready && !generic_.is_ready;
      const auto work = own.is_ready ? launch.own : plain ? launch.plain : launch.generic;
      const bool gives = plain && target->is_reserved && recording_.processors > 1;
      const double threads = recording_.processors - (gives ? 1 : 0);
      // The rate at which it goes on depends on what else runs: look, then go.
      advance(0, threads);
      const auto rate = threads * share_ / std::max(work, 1e-6);
      const auto step = advance(left / rate, threads);
      left -= step * rate;
      used_[launch.kind] += step * threads * share_;
    }
  }

  const Recording& recording_;
  const Policy policy_;
  Unit plain_, generic_;
  std::map<std::string, Unit> own_;
  std::map<std::string, double> used_;
  Result result_;
  double now_ = 0, share_ = 1;
  bool has_waited_ = false;
};

// What else could be done.
Decision generic_first(const Facts& facts) {
  if (facts.own == State::ready)
    return {Run::own, true, Priority::none};
  if (facts.generic == State::ready) {
    const bool builds = facts.own == State::absent && facts.used >= facts.build_time;
    return {Run::generic, builds, builds ? Priority::low : Priority::none};
  }
  return {facts.plain_time < facts.build_time / 2 ? Run::plain : Run::plain_after_a_wait, false,
          Priority::full};
}
Decision wait_for_own(const Facts& facts) {
  if (facts.own == State::ready)
    return {Run::own, true, Priority::none};
  return {Run::target, true, Priority::full};
}

bool read(const char* path, Recording& recording) {
  std::ifstream file(path);
  std::string line;
  while (std::getline(file, line)) {
    std::istringstream words(line.substr(0, line.find('#')));
    std::string word;
    if (!(words >> word))
      continue;
    if (word == "processors") {
      words >> recording.processors;
    } else if (word == "build") {
      words >> recording.plain_build >> recording.build;
      recording.estimate = recording.build;
    } else if (word == "estimate") {
      words >> recording.estimate;
    } else if (word == "launch") {
      Launch launch;
      words >> launch.at >> launch.plain >> launch.generic >> launch.own >> launch.kind;
      if (!words)
        return false;
      unsigned count = 1;
      double period = 0;
      words >> count >> period;
      for (unsigned i = 0; i < count; ++i, launch.at += period)
        recording.launches.push_back(launch);
      continue;
    } else {
      return false;
    }
    if (!words)
      return false;
  }
  return file.eof() && !recording.launches.empty() && recording.processors != 0;
}

int replay(const char* path, bool checks) {
  Recording recording;
  if (!read(path, recording)) {
    std::fprintf(stderr, "%s: not a recording\n", path);
    return 2;
  }
  struct Named {
    const char* name;
    Policy policy;
  };
  const Named policies[] = {
      {"policy", [](const Facts& facts) { return unit_policy::decide(facts); }},
      {"generic first", generic_first},
      {"wait for own", wait_for_own}};
  std::printf("%s\n  %-14s %10s %10s %10s %10s\n", path, "", "first, ms", "launches", "end",
              "builds");
  double taken = 0, best = 1e300;
  for (const auto& [name, policy] : policies) {
    const auto result = Replay(recording, policy).run();
    std::printf("  %-14s %10.2f %10.2f %10.2f %10.2f\n", name, result.first, result.launches,
                result.end, result.builds);
    if (taken == 0)
      taken = result.launches;
    else
      best = std::min(best, result.launches);
  }
  return checks && taken > 1.5 * best ? 1 : 0;
}

} // namespace
} // namespace heddle

int main(int argc, char** argv) {
  bool checks = false;
  int status = 0;
  for (int i = 1; i < argc; ++i)
    if (std::strcmp(argv[i], "--check") == 0)
      checks = true;
    else
      status = std::max(status, heddle::replay(argv[i], checks));
  return status;
}
