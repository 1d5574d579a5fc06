// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Locks that Clang's thread-safety analysis knows (-Wthread-safety), unlike the standard library's.
#pragma once

#include <mutex>

// What a lock guards, and the locks that a function's callers hold.
#if defined(__clang__)
#define HEDDLE_GUARDED_BY(lock) __attribute__((guarded_by(lock)))
#define HEDDLE_REQUIRES(...) __attribute__((requires_capability(__VA_ARGS__)))
#define HEDDLE_REQUIRES_SHARED(...) __attribute__((requires_shared_capability(__VA_ARGS__)))
#define HEDDLE_ACQUIRES(...) __attribute__((acquire_capability(__VA_ARGS__)))
#define HEDDLE_RELEASES(...) __attribute__((release_capability(__VA_ARGS__)))
#define HEDDLE_ACQUIRES_SHARED(...) __attribute__((acquire_shared_capability(__VA_ARGS__)))
#define HEDDLE_RELEASES_SHARED(...) __attribute__((release_shared_capability(__VA_ARGS__)))
#define HEDDLE_LOCK_TYPE __attribute__((capability("mutex")))
#define HEDDLE_SCOPED_LOCK __attribute__((scoped_lockable))
#define HEDDLE_NOT_ANALYZED __attribute__((no_thread_safety_analysis))
#else
#define HEDDLE_GUARDED_BY(lock)
#define HEDDLE_REQUIRES(...)
#define HEDDLE_REQUIRES_SHARED(...)
#define HEDDLE_ACQUIRES(...)
#define HEDDLE_RELEASES(...)
#define HEDDLE_ACQUIRES_SHARED(...)
#define HEDDLE_RELEASES_SHARED(...)
#define HEDDLE_LOCK_TYPE
#define HEDDLE_SCOPED_LOCK
#define HEDDLE_NOT_ANALYZED
#endif

namespace heddle {

// std::mutex, for what is seldom or long (mutex.h: for short sections).
class HEDDLE_LOCK_TYPE SleepingMutex : public std::mutex {
 public:
  void lock() HEDDLE_ACQUIRES() { std::mutex::lock(); }
  void unlock() HEDDLE_RELEASES() { std::mutex::unlock(); }
};

// std::lock_guard.
template <class M>
class HEDDLE_SCOPED_LOCK Lock {
 public:
  explicit Lock(M& mutex) HEDDLE_ACQUIRES(mutex) : mutex_(mutex) { mutex.lock(); }
  ~Lock() HEDDLE_RELEASES() { mutex_.unlock(); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  M& mutex_;
};

// std::shared_lock.
template <class M>
class HEDDLE_SCOPED_LOCK SharedLock {
 public:
  explicit SharedLock(M& mutex) HEDDLE_ACQUIRES_SHARED(mutex) : mutex_(mutex) {
    mutex.lock_shared();
  }
  ~SharedLock() HEDDLE_RELEASES() { mutex_.unlock_shared(); }
  SharedLock(const SharedLock&) = delete;
  SharedLock& operator=(const SharedLock&) = delete;

 private:
  M& mutex_;
};

} // namespace heddle
