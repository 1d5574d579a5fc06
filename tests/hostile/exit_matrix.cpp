// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The end of the process from every place where a program's code runs, in every way, with the
// device idle, in kernels, builds, comparisons of variants, and callbacks: always with the code
// that the program gave, in time, without a signal, and with the output that it has left in stdout.
//
//   exit_matrix STATE [RUNS]                 all cells of a state, each so many times
//   exit_matrix PLACE WAY STATE              one cell, in this process
#include "tests/hostile/exit_places.h"

#include <functional>
#include <set>
#include <vector>

using namespace heddle::hostile;

namespace {

Used* device = nullptr;
void use() { use_driver(*device); }

// Whose destructor uses the driver: that of an object which is older, or newer, than the driver.
struct UseAtEnd {
  bool uses = false;
  ~UseAtEnd() {
    if (uses)
      use();
  }
};
UseAtEnd older_static;
thread_local UseAtEnd own;

struct EndAtEnd {
  ~EndAtEnd() { end_process(); }
};

int leave() {
  if (way != "return")
    end_process();
  std::fputs(kLastWords, stdout);
  return kCode;
}

int in_thread(void (*body)()) {
  std::thread(body).detach();
  sleep_forever();
}

using Place = std::function<int()>;
// Those that call a function which does not return: there is no return from main.
const std::map<std::string, Place> calls = {
    {"submitted", [] { return end_at(*device, CL_SUBMITTED), sleep_forever(), 0; }},
    {"running", [] { return end_at(*device, CL_RUNNING), sleep_forever(), 0; }},
    {"complete", [] { return end_at(*device, CL_COMPLETE), sleep_forever(), 0; }},
    // The program's own thread waits for the queue, or waits in vain and ends as well.
    {"complete, main waits",
     [] {
       return end_at(*device, CL_COMPLETE), clFinish(device->session.queue), sleep_forever(), 0;
     }},
    {"notify", [] { return end_in_notify(), 0; }},
    {"build", [] { return end_in_build(*device, 0), 0; }},
    {"compile", [] { return end_in_build(*device, 1), 0; }},
    {"link", [] { return end_in_build(*device, 2), 0; }},
    {"memory", [] { return end_in_destructor(*device, false), sleep_forever(), 0; }},
    {"memory of a command", [] { return end_in_destructor(*device, true), sleep_forever(), 0; }},
    {"context", [] { return end_in_context_destructor(), sleep_forever(), 0; }},
    {"native kernel", [] { return end_in_native_kernel(*device), sleep_forever(), 0; }},
    {"native kernel, main waits",
     [] { return end_in_native_kernel(*device), clFinish(device->session.queue), 0; }},
    {"SVM", [] { return end_in_svm_free(*device), sleep_forever(), 0; }},
    {"thread", [] { return in_thread(end_process); }},
    {"thread that used the driver",
     [] {
       return in_thread([] {
         use();
         end_process();
       });
     }},
    {"thread-local",
     [] {
       return in_thread([] {
         thread_local EndAtEnd end;
         (void)end;
         use();
       });
     }},
    {"callback with use at exit",
     [] {
       std::atexit(use);
       std::at_quick_exit(use);
       return end_at(*device, CL_COMPLETE), sleep_forever(), 0;
     }},
    {"callback of a thread-local",
     [] {
       const auto callback = [](cl_event, cl_int, void*) {
         own.uses = true;
         end_process();
       };
       Event event;
       clEnqueueMarkerWithWaitList(device->session.queue, 0, nullptr, event.out());
       clSetEventCallback(event, CL_COMPLETE, callback, nullptr);
       clFlush(device->session.queue);
       sleep_forever();
       return 0;
     }},
};
const std::map<std::string, Place> returns = {
    {"main", leave},
    {"atexit",
     [] {
       std::atexit(use);
       std::at_quick_exit(use);
       return leave();
     }},
    {"older atexit", leave}, // main() registers it
    {"older static", [] { return older_static.uses = true, leave(); }},
    {"newer static",
     [] {
       static UseAtEnd newer_static;
       newer_static.uses = true;
       return leave();
     }},
    {"thread-local of main", [] { return own.uses = true, use(), leave(); }},
    {"thread-local of a thread",
     [] {
       std::thread([] { own.uses = true, use(); }).join();
       return leave();
     }},
    {"child",
     [] {
       const int code = code_of_child([] { end_process(); });
       return code == kCode ? leave() : code;
     }},
    {"child that used the driver",
     [] {
       const int code = code_of_child([] {
         device = new Used;
         use();
         end_process();
       });
       return code == kCode ? leave() : code;
     }},
    {"child of a callback",
     [] {
       static std::atomic<int> code{-1};
       const auto callback = [](cl_event, cl_int, void*) {
         code = code_of_child([] { end_process(); });
       };
       Event event;
       clEnqueueMarkerWithWaitList(device->session.queue, 0, nullptr, event.out());
       clSetEventCallback(event, CL_COMPLETE, callback, nullptr);
       clFlush(device->session.queue);
       while (code == -1)
         usleep(1000);
       return code == kCode ? leave() : code.load();
     }},
};

int run_cell(const std::string& place, const std::string& state) {
  alarm(60);
  // Objects of before the driver is loaded.
  own.uses = false;
  if (place == "older atexit") {
    std::atexit(use);
    std::at_quick_exit(use);
  }
  if (state == "trials") {
    setenv("HEDDLE_TUNE", "full", 1);
    setenv("HEDDLE_VARIANTS", "each", 1);
  }
  device = new Used;
  if (state == "kernels")
    run_kernels(*device);
  if (state == "builds")
    run_builds(*device);
  if (state == "trials")
    run_trials(*device);
  if (state == "callbacks")
    run_callbacks(*device);
  const auto found = calls.find(place);
  return found != calls.end() ? found->second() : returns.at(place)();
}

void run_cells(const std::string& state, int runs) {
  std::chrono::milliseconds longest{};
  std::string longest_cell;
  const auto test = [&](const std::string& place, const std::string& way) {
    std::map<std::string, int> wrong;
    for (int i = 0; i != runs; ++i) {
      const auto start = std::chrono::steady_clock::now();
      const auto [status, output] = run_self({place, way, state});
      const auto time = std::chrono::duration_cast<std::chrono::milliseconds>(
          std::chrono::steady_clock::now() - start);
      if (time > longest)
        longest = time, longest_cell = place + ", " + way;
      const bool flushes = way == "exit" || way == "return";
      if (WIFSIGNALED(status))
        ++wrong["signal " + std::to_string(WTERMSIG(status))];
      else if (WEXITSTATUS(status) != kCode)
        ++wrong["code " + std::to_string(WEXITSTATUS(status))];
      else if (flushes && output.find(kLastWords) == std::string::npos)
        ++wrong["no output"];
    }
    for (const auto& [what, count] : wrong)
      expect(false, "'" + place + "', " + way + ", " + state + ": " + what + " in " +
                        std::to_string(count) + " of " + std::to_string(runs) + " runs");
  };
  // In CI, the ways that run handlers and destructors only, but for the idle device.
  const bool all = runs > 1 || state == "idle";
  for (const auto* way : {"return", "exit", "quick_exit", "_Exit"}) {
    const bool runs_handlers = way[0] == 'r' || way[0] == 'e';
    if (!all && !runs_handlers)
      continue;
    for (const auto& [place, body] : returns)
      test(place, way);
    for (const auto& [place, body] : calls)
      if (way[0] != 'r')
        test(place, way);
  }
  std::printf("the longest run: %lld ms, '%s'\n", static_cast<long long>(longest.count()),
              longest_cell.c_str());
}

} // namespace

int main(int argc, char** argv) {
  if (argc == 4) {
    way = argv[2];
    return run_cell(argv[1], argv[3]);
  }
  const char* runs = std::getenv("HEDDLE_TEST_RUNS");
  static std::string state = argc > 1 ? argv[1] : "idle";
  static int count = argc > 2 ? std::atoi(argv[2]) : runs ? std::atoi(runs) : 1;
  return run_program([] { run_cells(state, count); });
}
