// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a request to the compiler and its result cross a socket: numbers as they are in memory, which
// is the same on both sides, and texts behind their lengths.
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <type_traits>
#include <unistd.h>
#include <vector>

namespace heddle::emulated {

// A message while it is made.
class Writer {
 public:
  template <typename Number>
  void number(Number value) {
    static_assert(std::is_trivially_copyable_v<Number>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void text(std::string_view text) {
    number(std::uint64_t{text.size()});
    bytes_.append(text);
  }
  void text(const void* data, std::size_t size) {
    text(std::string_view(static_cast<const char*>(data), size));
  }
  // May be null.
  void name(const char* name) {
    number(name != nullptr);
    if (name != nullptr)
      text(std::string_view(name));
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

// A message that has arrived as a whole. Behind its end there are zeros.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}
  template <typename Number>
  Number number() {
    Number value{};
    if (rest_.size() >= sizeof value) {
      std::memcpy(&value, rest_.data(), sizeof value);
      rest_.remove_prefix(sizeof value);
    }
    return value;
  }
  std::string_view text() {
    const auto size = number<std::uint64_t>();
    const auto text = rest_.substr(0, size);
    rest_.remove_prefix(text.size());
    return text;
  }
  std::optional<std::string> name() {
    return number<bool>() ? std::optional<std::string>(text()) : std::nullopt;
  }

 private:
  std::string_view rest_;
};

// The open file, if it is one, goes along: the other side gets a descriptor of its own. False if
// the other side has gone.
inline bool send_message(int socket, const std::string& bytes, int file = -1) {
  std::uint64_t size = bytes.size();
  iovec part{&size, sizeof size};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof file)]{};
  msghdr header{};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  if (file >= 0) {
    header.msg_control = control;
    header.msg_controllen = sizeof control;
    auto* const rights = CMSG_FIRSTHDR(&header);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(sizeof file);
    std::memcpy(CMSG_DATA(rights), &file, sizeof file);
  }
  if (sendmsg(socket, &header, MSG_NOSIGNAL) != static_cast<ssize_t>(sizeof size))
    return false;
  for (std::size_t sent = 0; sent != bytes.size();) {
    const auto count = send(socket, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (count < 0 && errno != EINTR)
      return false;
    sent += count < 0 ? 0 : static_cast<std::size_t>(count);
  }
  return true;
}

// Nothing if the other side has gone. `file` becomes that which came along, if one did.
inline std::optional<std::string> receive_message(int socket, int* file = nullptr) {
  std::uint64_t size = 0;
  iovec part{&size, sizeof size};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof *file)]{};
  msghdr header{};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  header.msg_control = control;
  header.msg_controllen = sizeof control;
  ssize_t got = 0;
  do
    got = recvmsg(socket, &header, MSG_CMSG_CLOEXEC | MSG_WAITALL);
  while (got < 0 && errno == EINTR);
  if (got != static_cast<ssize_t>(sizeof size))
    return std::nullopt;
  const auto* const rights = CMSG_FIRSTHDR(&header);
  if (file != nullptr && rights != nullptr && rights->cmsg_type == SCM_RIGHTS)
    std::memcpy(file, CMSG_DATA(rights), sizeof *file);
  std::string bytes(size, '\0');
  for (std::size_t received = 0; received != size;) {
    const auto count = recv(socket, bytes.data() + received, size - received, 0);
    if (count == 0 || (count < 0 && errno != EINTR))
      return std::nullopt;
    received += count < 0 ? 0 : static_cast<std::size_t>(count);
  }
  return bytes;
}

} // namespace heddle::emulated
