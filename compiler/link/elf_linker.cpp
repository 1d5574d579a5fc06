// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/link/elf_linker.h"

#include "compiler/embed/embedded.h"
#include "compiler/link/memory_file.h"
#include "compiler/support/build.h"
#include "lld/Common/CommonLinkerContext.h"
#include "lld/Common/Driver.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <memory>
#include <mutex>

LLD_HAS_DRIVER(elf)

// LLD writes the output "-" to llvm::outs() without accessing a directory. The linker option --wrap
// redirects calls of that function to this one, so that each link writes to its own file.
namespace {
thread_local llvm::raw_fd_ostream* link_output = nullptr;
}
llvm::raw_fd_ostream& real_outs() __asm__("__real__ZN4llvm4outsEv");
llvm::raw_fd_ostream& wrapped_outs() __asm__("__wrap__ZN4llvm4outsEv");
llvm::raw_fd_ostream& wrapped_outs() { return link_output != nullptr ? *link_output : real_outs(); }

namespace heddle::compiler {
namespace {

std::timed_mutex linker_mutex;
constexpr std::chrono::milliseconds kLockInterval{50};

// The state of one link. The thread owns it, not the function: if a request faults inside LLD and
// is abandoned by a jump, the end of its thread releases it.
struct Session {
  explicit Session(llvm::ArrayRef<char> object)
      : input("heddle-object", {object.data(), object.size()}) {}

  bool ok() const { return input.ok() && libm.ok() && libc.ok() && result.ok(); }
  // False, with a message in the log, if other links take longer than this build may.
  bool lock_linker(Build& build) {
    while (!lock.try_lock_for(kLockInterval))
      if (!build.within_limits())
        return false;
    return true;
  }

  MemoryFile input;
  MemoryFile libm{"heddle-libm", embedded::libm_stub()};
  MemoryFile libc{"heddle-libc", embedded::libc_stub()};
  MemoryFile result{"heddle-kernels"};
  std::unique_lock<std::timed_mutex> lock{linker_mutex, std::defer_lock}; // given back first
};
thread_local std::unique_ptr<Session> session;

// Ends the session when the link returns.
struct SessionEnd {
  ~SessionEnd() { session.reset(); }
};

// LLD's context of an abandoned link is not destroyed, because its state is unknown: the context of
// the next link replaces it.
bool run_linker(const Session& session, std::string& messages) {
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
                             session.input.path().c_str(),
                             session.libm.path().c_str(),
                             session.libc.path().c_str()};
  llvm::raw_string_ostream stream(messages);
  llvm::raw_fd_ostream file(session.result.descriptor(), false);
  link_output = &file;
  const bool linked = lld::elf::link(arguments, stream, stream, false, false);
  lld::CommonLinkerContext::destroy();
  link_output = nullptr;
  file.flush();
  const bool written = !file.has_error();
  file.clear_error();
  return linked && written;
}

} // namespace

bool link_shared_object(llvm::ArrayRef<char> object, Build& build, std::vector<std::byte>& output) {
  const SessionEnd end;
  session = std::make_unique<Session>(object);
  if (!session->ok())
    return build.error("the linker's files cannot be held in memory");
  if (!session->lock_linker(build))
    return false;
  std::string messages;
  const bool linked = run_linker(*session, messages);
  session->lock.unlock();
  if (!linked)
    return build.error("the program cannot be linked\n" + llvm::StringRef(messages).rtrim());
  if (!session->result.read(output) || output.empty())
    return build.error("the linker wrote nothing");
  return true;
}

} // namespace heddle::compiler
