// Threads beside the executors', for work that may wait for other commands of the device and must
// not keep them from running; also where TBB's threads cannot be had: in a forked child, in a
// process in which TBB could not be started, and in place of threads that callbacks hold up. The
// system shares the processors between these and the others.
#pragma once

namespace heddle::own_threads {

// Has `function` called on a thread that nothing else uses meanwhile. False if the system gives
// none.
bool start(void (*function)(void*), void* argument) noexcept;

} // namespace heddle::own_threads
