// What Heddle must know about the process it lives in: forks and exit.
#pragma once

namespace heddle::process {

// Installs the fork handlers; called once when the library is loaded.
void watch_forks() noexcept;
// True in a child made by fork() after the library was loaded: threads of the parent do not exist
// here.
bool is_forked_child() noexcept;
// Counts forks survived by this process as the child; objects that own threads remember it to know
// they are stale.
unsigned fork_generation() noexcept;

} // namespace heddle::process
