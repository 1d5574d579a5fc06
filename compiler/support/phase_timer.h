// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures the passes of a build and prints the times to stderr at its end (HEDDLE_TIME_PASSES).
#pragma once

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>
#include <vector>

namespace llvm {
class PassInstrumentationCallbacks;
}

namespace heddle::compiler {

class PhaseTimer {
 public:
  // Levels as in heddle_request::time_passes; 0 measures nothing.
  explicit PhaseTimer(unsigned level);
  ~PhaseTimer();
  PhaseTimer(const PhaseTimer&) = delete;
  PhaseTimer& operator=(const PhaseTimer&) = delete;

  // Ends the pass that began at the previous mark (or at construction). Times of passes of the same
  // name are added.
  void mark(llvm::StringRef pass);
  // Also times LLVM's passes, until the next mark, if requested.
  void watch(llvm::PassInstrumentationCallbacks& callbacks);
  // Whether times of LLVM's passes are requested.
  bool is_detailed() const { return level_ > 1; }

 private:
  // In nanoseconds; `processor` is this thread's.
  struct Times {
    std::int64_t wall = 0;
    std::int64_t processor = 0;
    Times& operator+=(const Times& other);
    Times operator-(const Times& other) const;
  };
  struct Entry {
    std::string name;
    Times times;
    unsigned count = 0;
    bool is_llvms = false;
  };
  static Times now();
  void begin_llvm_pass();
  void end_llvm_pass(llvm::StringRef name);
  void add(llvm::StringRef name, const Times& times, std::vector<Entry>& entries,
           llvm::StringMap<std::size_t>& numbers);

  const unsigned level_;
  Times start_;
  Times last_;
  std::vector<Entry> passes_;
  llvm::StringMap<std::size_t> numbers_; // of a name in passes_
  // LLVM's passes since the last mark, and those that are running: the start of each and the time
  // of other passes within it.
  std::vector<Entry> inner_;
  llvm::StringMap<std::size_t> inner_numbers_;
  struct Running {
    Times begin;
    Times within;
  };
  std::vector<Running> running_;
};

} // namespace heddle::compiler
