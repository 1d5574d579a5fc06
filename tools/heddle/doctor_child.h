// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code of others (loaders, drivers) is tried in a child process: it may crash, hang or print.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace heddle::doctor {

struct Answer {
  std::vector<std::vector<std::string>> rows; // what the child said before it ended
  std::string
      failure; // "crashed: Segmentation fault", "gave no answer in 20 s"; empty: it ended well
};

// A row of the answer: no word may hold a tab or an end of line; those that do are cut there.
std::string row(std::initializer_list<std::string> words);

// Runs `work` in a child whose standard output and error go nowhere. `say` takes rows. The caller
// must have no other threads.
Answer
ask_child(const std::function<void(const std::function<void(const std::string&)>& say)>& work,
          std::chrono::seconds limit = std::chrono::seconds(20));

} // namespace heddle::doctor
