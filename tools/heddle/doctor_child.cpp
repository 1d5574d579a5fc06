// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/heddle/doctor_child.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sstream>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace heddle::doctor {
namespace {

using Clock = std::chrono::steady_clock;

// Nothing more came until `end`: false.
bool read_until(int pipe, Clock::time_point end, std::string& text) {
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now());
    pollfd waited{pipe, POLLIN, 0};
    const int ready = poll(&waited, 1, static_cast<int>(std::max<long>(0, left.count())));
    if (ready < 0 && errno == EINTR)
      continue;
    if (ready <= 0)
      return false;
    char bytes[4096];
    const auto got = read(pipe, bytes, sizeof bytes);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return true;
    text.append(bytes, static_cast<std::size_t>(got));
  }
}

[[noreturn]] void
run_child(const std::function<void(const std::function<void(const std::string&)>&)>& work,
          int pipe) {
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
  dup2(nowhere, STDIN_FILENO);
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  int status = 0;
  try {
    work([pipe](const std::string& line) {
      for (std::size_t done = 0; done < line.size();) {
        const auto written = write(pipe, line.data() + done, line.size() - done);
        if (written <= 0)
          return;
        done += static_cast<std::size_t>(written);
      }
    });
  } catch (const std::exception&) {
    status = 1;
  }
  _exit(status); // what drivers run at exit is not asked for
}

} // namespace

std::string row(std::initializer_list<std::string> words) {
  std::string line;
  for (const auto& word : words)
    line += word.substr(0, word.find_first_of("\t\n")) + "\t";
  line.back() = '\n';
  return line;
}

Answer ask_child(const std::function<void(const std::function<void(const std::string&)>&)>& work,
                 std::chrono::seconds limit) {
  Answer answer;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return {{}, std::string("no pipe: ") + std::strerror(errno)};
  const pid_t child = fork();
  if (child < 0) {
    close(ends[0]);
    close(ends[1]);
    return {{}, std::string("no process: ") + std::strerror(errno)};
  }
  if (child == 0) {
    close(ends[0]);
    run_child(work, ends[1]);
  }
  close(ends[1]);
  std::string text;
  const bool ended = read_until(ends[0], Clock::now() + limit, text);
  close(ends[0]);
  if (!ended)
    kill(child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!ended)
    answer.failure = "gave no answer in " + std::to_string(limit.count()) + " s";
  else if (WIFSIGNALED(status))
    answer.failure = std::string("crashed: ") + strsignal(WTERMSIG(status));
  else if (WEXITSTATUS(status) != 0)
    answer.failure = "ended the process";
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    auto& words = answer.rows.emplace_back();
    std::istringstream parts(line);
    for (std::string word; std::getline(parts, word, '\t');)
      words.push_back(word);
    words.resize(std::max<std::size_t>(words.size(), 4));
  }
  return answer;
}

} // namespace heddle::doctor
