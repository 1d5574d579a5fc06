// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread that waits until files can be read.
#pragma once

#include <memory>

namespace heddle {

class ReadableFile : public std::enable_shared_from_this<ReadableFile> {
 public:
  explicit ReadableFile(int file) noexcept : file_(file) {}
  ReadableFile(const ReadableFile&) = delete;
  ReadableFile& operator=(const ReadableFile&) = delete;
  virtual ~ReadableFile() = default;

  int file() const noexcept { return file_; }
  // The file can be read. False: it need not be waited for any more, and remove() has been called.
  virtual bool on_readable() noexcept = 0;

 private:
  const int file_;
};

namespace readable_files {

// Calls on_readable() of the file, which is kept, as often as it can be read, until that returns
// false. False if the system has no thread or no room for it. Not for one that is waited for.
bool add(const std::shared_ptr<ReadableFile>& file) noexcept;
void remove(const ReadableFile& file) noexcept;

} // namespace readable_files
} // namespace heddle
