// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/frontend/file_system.h"

#include "compiler/embed/embedded.h"
#include "compiler/support/build.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

namespace heddle::compiler {

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> make_file_system(const Build& build) {
  auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  memory->addFile(
      llvm::Twine(kBuiltinHeaderDirectory) + "/opencl-c-base.h", 0,
      llvm::MemoryBuffer::getMemBuffer(embedded::opencl_c_base_header(), "opencl-c-base.h"));
  memory->addFile(
      kExtraBuiltinsPath, 0,
      llvm::MemoryBuffer::getMemBuffer(embedded::extra_builtins_header(), "extra_builtins.h"));
  for (std::size_t i = 0; i < build.request.header_count; ++i) {
    const auto& header = build.request.headers[i];
    llvm::SmallString<128> path(kProgramHeaderDirectory);
    llvm::sys::path::append(path, header.name);
    memory->addFile(path, 0,
                    llvm::MemoryBuffer::getMemBufferCopy(
                        {static_cast<const char*>(header.text.data), header.text.size}, path));
  }

  // With a working directory of its own, so that concurrent builds are independent.
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> real =
      llvm::vfs::createPhysicalFileSystem().release();
  auto overlay = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(real);
  overlay->pushOverlay(memory);
  if (build.request.working_directory != nullptr)
    (void)overlay->setCurrentWorkingDirectory(build.request.working_directory);
  return overlay;
}

} // namespace heddle::compiler
