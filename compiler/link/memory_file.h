// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A file in memory with a path that LLD can open.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <cstddef>
#include <string>
#include <vector>

namespace heddle::compiler {

class MemoryFile {
 public:
  // Creates the file with `content`.
  explicit MemoryFile(const char* name, llvm::StringRef content = {});
  ~MemoryFile();
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  bool ok() const { return ok_; }
  const std::string& path() const { return path_; }
  int descriptor() const { return descriptor_; }
  // False if the file cannot be read.
  bool read(std::vector<std::byte>& content) const;

 private:
  int descriptor_ = -1;
  bool ok_ = false;
  std::string path_;
};

} // namespace heddle::compiler
