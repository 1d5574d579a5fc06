// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/thread_end.h"

#include <pthread.h>

namespace heddle::thread_end {
namespace {

thread_local constinit Hook* newest = nullptr;

void run(void*) noexcept {
  while (auto* hook = newest) {
    newest = hook->next;
    hook->is_added = false;
    hook->function();
  }
}

struct Key {
  pthread_key_t key{};
  const bool exists = pthread_key_create(&key, run) == 0;
};

} // namespace

void add(Hook& hook) noexcept {
  if (hook.is_added)
    return;
  hook.is_added = true;
  hook.next = newest;
  newest = &hook;
  // Without a key, or memory for its value, the thread leaves behind what it has.
  static const Key key;
  if (key.exists)
    pthread_setspecific(key.key, &newest);
}

} // namespace heddle::thread_end
