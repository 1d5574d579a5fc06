// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The state of the process: forks.
#pragma once

namespace heddle::process {

// Installs the fork handlers; called once when the library is loaded.
void watch_forks() noexcept;
// True in a child forked after the library was loaded, in which the parent's threads do not exist.
bool is_forked_child() noexcept;
// The number of forks in the ancestry of this process since the library was loaded. Objects that
// own threads store it to detect that they are stale.
unsigned fork_generation() noexcept;

} // namespace heddle::process
