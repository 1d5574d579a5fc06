// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which of the processes that miss the same entry of the cache builds it.
//
// A claim is a file beside the entry, made with O_EXCL, so that one process gets it and the others
// wait for that one's result. It names its owner: the machine's boot, the PID name space, the
// process and when that started, so that others there see at once when the owner has died; others
// elsewhere, on a shared file system, see that the file's time no longer changes, which the owner
// sets again and again while it builds. Nothing is locked: only O_EXCL, rename and unlink are used,
// which are atomic on NFS as well. A process that stops for long just before it takes over a dead
// owner's claim may build at the same time as another: a claim saves work, and nothing depends on
// it. Builds that nobody waits for yield: who needs the result takes their claim.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace heddle {

class BuildClaim {
 public:
  struct Limits {
    std::chrono::milliseconds wait; // for others, at most
    std::chrono::milliseconds
        silence; // after which an owner that sends no heartbeat is taken for dead
    const std::uint32_t* cancelled = nullptr; // not 0: waits no longer; may be null
    // Nobody waits for the build: the claim is lost to a process for which that is not so, and this
    // one does not wait for others.
    bool yields = false;
  };

  BuildClaim() = default; // holds nothing
  ~BuildClaim();
  BuildClaim(BuildClaim&& other) noexcept;
  BuildClaim& operator=(BuildClaim&& other) noexcept;

  // Claims `path`, in a folder that is made where missing. If another process (or thread) has it,
  // waits until that is done, has died (then claims it), or `limits.wait` is over. What this does
  // not hold afterwards it may not have been able to claim (a folder that cannot be written: not
  // waited), or somebody else has built, in vain or not, or builds still (waited): the caller looks
  // for the result and builds without a claim if there is none.
  static BuildClaim take(const std::string& path, Limits limits);

  bool is_held() const { return descriptor_ >= 0; }
  bool has_waited() const { return waited_; }
  // A heartbeat; to be called every second, or oftener. False if another process has taken a claim
  // that yields: the build is in vain.
  bool keep_alive() noexcept;

 private:
  void release() noexcept;

  std::string path_;
  std::string text_; // what the file holds while it is this one's
  int descriptor_ = -1;
  bool waited_ = false;
  bool yields_ = false;
  std::chrono::steady_clock::time_point last_heartbeat_;
};

} // namespace heddle
