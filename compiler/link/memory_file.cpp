// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/link/memory_file.h"

#include <cerrno>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace heddle::compiler {

MemoryFile::MemoryFile(const char* name, llvm::StringRef content) {
  descriptor_ = memfd_create(name, MFD_CLOEXEC);
  if (descriptor_ < 0)
    return;
  path_ = "/proc/self/fd/" + std::to_string(descriptor_);
  while (!content.empty()) {
    const auto written = ::write(descriptor_, content.data(), content.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return;
    content = content.drop_front(static_cast<std::size_t>(written));
  }
  ok_ = true;
}

MemoryFile::~MemoryFile() {
  if (descriptor_ >= 0)
    ::close(descriptor_);
}

bool MemoryFile::read(std::vector<std::byte>& content) const {
  struct stat status {};
  if (fstat(descriptor_, &status) != 0)
    return false;
  content.resize(static_cast<std::size_t>(status.st_size));
  std::size_t done = 0;
  while (done < content.size()) {
    const auto count = ::pread(descriptor_, content.data() + done, content.size() - done,
                               static_cast<off_t>(done));
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return false;
    done += static_cast<std::size_t>(count);
  }
  return true;
}

} // namespace heddle::compiler
