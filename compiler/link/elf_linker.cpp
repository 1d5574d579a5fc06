#include "compiler/link/elf_linker.h"

#include "compiler/embed/embedded.h"
#include "compiler/link/memory_file.h"
#include "compiler/support/build.h"
#include "lld/Common/CommonLinkerContext.h"
#include "lld/Common/Driver.h"
#include "llvm/Support/raw_ostream.h"

#include <mutex>

LLD_HAS_DRIVER(elf)

// LLD writes the output "-" to llvm::outs() without touching any directory. The link of this
// library (--wrap) brings the calls of that function here, so that a link's output goes to its own
// file.
namespace {
thread_local llvm::raw_fd_ostream* link_output = nullptr;
}
llvm::raw_fd_ostream& real_outs() __asm__("__real__ZN4llvm4outsEv");
llvm::raw_fd_ostream& wrapped_outs() __asm__("__wrap__ZN4llvm4outsEv");
llvm::raw_fd_ostream& wrapped_outs() { return link_output != nullptr ? *link_output : real_outs(); }

namespace heddle::compiler {
namespace {

std::mutex linker_mutex;
thread_local bool holds_linker = false;

class LinkerLock {
 public:
  LinkerLock() {
    linker_mutex.lock();
    holds_linker = true;
  }
  ~LinkerLock() {
    holds_linker = false;
    linker_mutex.unlock();
  }
  LinkerLock(const LinkerLock&) = delete;
  LinkerLock& operator=(const LinkerLock&) = delete;
};

} // namespace

void release_linker_after_fatal_error() {
  if (holds_linker) {
    holds_linker = false;
    link_output = nullptr;
    linker_mutex.unlock();
  }
}

bool link_shared_object(llvm::ArrayRef<char> object, Build& build, std::vector<std::byte>& output) {
  const MemoryFile input("heddle-object", {object.data(), object.size()});
  const MemoryFile libm("heddle-libm", embedded::libm_stub());
  const MemoryFile libc("heddle-libc", embedded::libc_stub());
  const MemoryFile result("heddle-kernels");
  for (const auto* file : {&input, &libm, &libc, &result})
    if (!file->ok())
      return build.error("the linker's files cannot be held in memory");
  const char* arguments[] = {"ld.lld",
                             "-shared",
                             "--threads=1",
                             "--no-mmap-output-file",
                             "--no-color-diagnostics",
                             "--build-id=fast",
                             "--hash-style=gnu",
                             "--eh-frame-hdr",
                             "--no-undefined",
                             "--as-needed",
                             "-Bsymbolic",
                             "-znow",
                             "-znoexecstack",
                             "-o",
                             "-",
                             input.path().c_str(),
                             libm.path().c_str(),
                             libc.path().c_str()};
  std::string messages;
  llvm::raw_string_ostream stream(messages);
  bool ok = false;
  {
    const LinkerLock lock;
    llvm::raw_fd_ostream file(result.descriptor(), false);
    link_output = &file;
    ok = lld::elf::link(arguments, stream, stream, false, false);
    lld::CommonLinkerContext::destroy();
    link_output = nullptr;
    file.flush();
    ok = ok && !file.has_error();
    file.clear_error();
  }
  if (!ok)
    return build.error("the program cannot be linked\n" + llvm::StringRef(messages).rtrim());
  if (!result.read(output) || output.empty())
    return build.error("the linker wrote nothing");
  return true;
}

} // namespace heddle::compiler
