// Times the phases of a build; HEDDLE_TIME_PASSES=1 prints them to stderr at the end of it, 2 also
// the times of LLVM's own passes.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace heddle::compiler {

class PhaseTimer {
 public:
  PhaseTimer();
  ~PhaseTimer();
  PhaseTimer(const PhaseTimer&) = delete;
  PhaseTimer& operator=(const PhaseTimer&) = delete;

  // Ends the phase that began at the previous mark (or at construction).
  void mark(const char* phase);

 private:
  using Clock = std::chrono::steady_clock;
  struct Phase {
    const char* name;
    Clock::duration time;
  };
  bool enabled_;
  Clock::time_point start_;
  Clock::time_point last_;
  std::vector<Phase> phases_;
};

} // namespace heddle::compiler
