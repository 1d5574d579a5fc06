// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A second process that runs one disabled test of the same executable, and a socket to it over
// which descriptors are passed (SCM_RIGHTS).
#pragma once

#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace heddle::test {

class Socket {
 public:
  explicit Socket(int file = -1) : file_(file) {}
  Socket(Socket&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
  Socket& operator=(Socket&& other) noexcept {
    std::swap(file_, other.file_);
    return *this;
  }
  ~Socket() {
    if (file_ >= 0)
      close(file_);
  }
  int get() const { return file_; }

  bool send(const std::vector<int>& files) const {
    char byte = 'x';
    iovec data{&byte, 1};
    std::vector<char> control(CMSG_SPACE(files.size() * sizeof(int)));
    msghdr message{};
    message.msg_iov = &data;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    auto* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(files.size() * sizeof(int));
    std::memcpy(CMSG_DATA(header), files.data(), files.size() * sizeof(int));
    return sendmsg(file_, &message, 0) == 1;
  }
  // Empty if something else arrives.
  std::vector<int> receive(std::size_t count) const {
    char byte = 0;
    iovec data{&byte, 1};
    std::vector<char> control(CMSG_SPACE(count * sizeof(int)));
    msghdr message{};
    message.msg_iov = &data;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    if (recvmsg(file_, &message, MSG_CMSG_CLOEXEC) != 1)
      return {};
    const auto* header = CMSG_FIRSTHDR(&message);
    if (!header || header->cmsg_len != CMSG_LEN(count * sizeof(int)))
      return {};
    std::vector<int> files(count);
    std::memcpy(files.data(), CMSG_DATA(header), count * sizeof(int));
    return files;
  }
  // One byte, which says that something has been done.
  bool say() const { return ::write(file_, "y", 1) == 1; }
  bool hear() const {
    char byte = 0;
    return ::read(file_, &byte, 1) == 1;
  }

 private:
  int file_;
};

constexpr const char* kSocketVariable = "HEDDLE_TEST_SOCKET";

class OtherProcess {
 public:
  // `test`: "Suite.DISABLED_Name".
  explicit OtherProcess(const std::string& test) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
      return;
    socket_ = Socket(ends[0]);
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    const auto filter = "--gtest_filter=" + test;
    const auto number = std::to_string(ends[1]);
    process_ = fork();
    if (process_ == 0) {
      alarm(100);
      setenv(kSocketVariable, number.c_str(), 1);
      execl("/proc/self/exe", "other-process", filter.c_str(), "--gtest_also_run_disabled_tests",
            static_cast<char*>(nullptr));
      _exit(99);
    }
    close(ends[1]);
  }
  const Socket& socket() const { return socket_; }
  // The status of waitpid(): 0 if all went well there.
  int end() {
    int status = -1;
    if (process_ > 0)
      waitpid(process_, &status, 0);
    return status;
  }
  // In that process: the other end; -1 in any other.
  static Socket parent() {
    const char* number = std::getenv(kSocketVariable);
    return Socket(number ? std::atoi(number) : -1);
  }

 private:
  Socket socket_;
  pid_t process_ = -1;
};

} // namespace heddle::test
