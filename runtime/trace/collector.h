// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The binary interface of ITT's collectors, on 64 bits. A program gives a collector a structure
// with a table of functions that it would like to call; the collector sets their addresses. Names
// are our own, layouts those of version 3.0 of 2025-08-07.
#pragma once

#include <cstddef>
#include <pthread.h>

namespace heddle::trace::itt {

struct Id {
  unsigned long long first = 0, second = 0, unused = 0; // all zero: none
};

// The collector makes these, and may switch a domain off and on.
struct Domain {
  volatile int is_on;
};
struct Name;

// One function that the program would like to call.
struct Wanted {
  const char* name;
  void** address; // null, or set by the collector
  void* before;   // what is called before there is a collector
  void* without;  // what is called if the collector does not have it
  int group;
};

constexpr int kThreadGroup = 1 << 2, kStructureGroup = 1 << 12, kAllGroups = -1;
constexpr int kHasCollector = 4;

// What a collector knows of the program, or of one of its libraries. Lists of what was made before
// there was a collector are empty.
struct Global {
  unsigned char magic[8] = {0xED, 0xAB, 0xAB, 0xEC, 0x0D, 0xEE, 0xDA, 0x30};
  unsigned long version = 3, minor_version = 0, date = 20250807;
  volatile long is_initialized = 0, has_mutex = 1, mutexes_made = 1;
  pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP; // the collector may lock it
  void* library = nullptr;                                        // of dlopen()
  void* error_handler = nullptr;
  const char** library_name = nullptr;
  Wanted* wanted = nullptr; // up to one without a name
  Global* next = nullptr;
  void* threads = nullptr;
  void* domains = nullptr;
  void* names = nullptr;
  int state = kHasCollector;
  void* counters = nullptr;
  unsigned processor_trace = 0;
  void* histograms = nullptr;
  void* counter_metadata = nullptr;
};
static_assert(offsetof(Global, library) == 56 + sizeof(pthread_mutex_t));
static_assert(sizeof(Global) == 56 + sizeof(pthread_mutex_t) + 104);

using Initialize = void(Global*, int groups);
inline constexpr const char* kInitialize = "__itt_api_init";

} // namespace heddle::trace::itt
