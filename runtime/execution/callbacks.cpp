// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Callbacks of events, from the time they are due until they are called (OpenCL API 5.11).
//
// The callbacks of a queue's finished commands are called in the order in which the commands have
// finished, one at a time, whichever threads have finished them: programs that stream count on it.
// The first one that is due begins a line, which its thread calls; those that become due meanwhile,
// on any thread, are appended.
//
// No thread is kept by what others append: it calls what is due when it begins, and an auxiliary
// thread goes on. A callback that waits passes its line on in the same way, since it may wait for
// the effect of a later one.
#include "runtime/core/lock.h"
#include "runtime/core/program_code.h"
#include "runtime/execution/auxiliary_threads.h"
#include "runtime/execution/scheduler.h"

#include <new>
#include <pthread.h>

namespace heddle::scheduler {
namespace {

constexpr unsigned kMaxNestedCallbacks = 8;

struct DueCallback;
struct Own;

struct Line {
  const Queue* queue = nullptr;
  DueCallback* first = nullptr; // of those that are not called yet
  DueCallback* last = nullptr;
  DueCallback* holder = nullptr; // the callback that has begun the line, whose memory the line is
  const Own* beginner = nullptr; // the thread that is to begin it; null when one has
  Line* next = nullptr;          // in the list
  unsigned turn = 0;             // of the thread, or the frame of a thread, that calls
  unsigned users = 0;            // turns that have not ended
};

// A line needs no memory of its own.
struct DueCallback : PendingCallback {
  Line line{};
};

DueCallback* successor(const DueCallback& callback) {
  return static_cast<DueCallback*>(callback.next);
}

void push(DueCallback*& first, DueCallback*& last, DueCallback& callback) noexcept {
  if (first)
    last->next = &callback;
  else
    first = &callback;
  last = &callback;
}

// Guards the lines, and is held during forks.
constinit Mutex mutex;
constinit Line* lines HEDDLE_GUARDED_BY(mutex) = nullptr; // those that take further callbacks

// A turn of the calling thread, in the middle of a callback.
struct Turn {
  Line* line;
  unsigned number;
  Turn* outer;
};

// The calling thread's. Trivial, so that it needs no constructor and is not destroyed too early
// when the thread ends.
struct Own {
  DueCallback* first; // in no line
  DueCallback* last;
  Turn* turn;     // the innermost one
  unsigned depth; // of nested callbacks
  bool has_lines; // to begin, unless others have taken them over
};
thread_local constinit Own own{};

void keep_over_forks() noexcept {
  static const int once = pthread_atfork([]() HEDDLE_ACQUIRES(mutex) { mutex.lock(); },
                                         []() HEDDLE_RELEASES(mutex) { mutex.unlock(); },
                                         []() HEDDLE_RELEASES(mutex) {
                                           lines = nullptr; // their threads do not exist
                                           mutex.unlock();
                                         });
  (void)once;
}

// With the mutex held; nothing if it is not listed.
void unlist(Line& line) noexcept HEDDLE_REQUIRES(mutex) {
  for (auto** place = &lines; *place; place = &(*place)->next) {
    if (*place == &line) {
      *place = line.next;
      return;
    }
  }
}

// With the mutex held.
unsigned take_turn(Line& line) noexcept HEDDLE_REQUIRES(mutex) {
  ++line.users;
  return ++line.turn;
}

void append(DueCallback& callback) noexcept {
  const auto* queue = callback.event->queue();
  keep_over_forks();
  const Lock lock(mutex);
  auto** place = &lines;
  while (*place && (*place)->queue != queue)
    place = &(*place)->next;
  if (auto* line = *place) {
    push(line->first, line->last, callback);
    if (!line->beginner)
      return;
    // The other thread may be in a callback of another line, which may wait for this one.
    line->beginner = &own;
  } else {
    callback.line.queue = queue;
    callback.line.first = callback.line.last = callback.line.holder = &callback;
    callback.line.beginner = &own;
    *place = &callback.line;
  }
  own.has_lines = true;
}

void call(DueCallback& callback) noexcept {
  callback.function(static_cast<cl_event>(callback.event->handle()), callback.state,
                    callback.user_data);
  callback.event = nullptr;
}

// Calls the line's callbacks for the turn that was taken last: up to that one, and the others on an
// auxiliary thread.
void call_line(Line& line, const DueCallback* until) noexcept;

// The turn that was taken last goes on on an auxiliary thread, or here if the system has none.
void call_elsewhere(Line& line) noexcept {
  const auto call_all = [](void* argument) { call_line(*static_cast<Line*>(argument), nullptr); };
  if (!auxiliary_threads::start(call_all, &line))
    call_line(line, nullptr);
}

void call_line(Line& line, const DueCallback* until) noexcept {
  Turn turn{&line, 0, own.turn};
  {
    const Lock lock(mutex);
    turn.number = line.turn;
  }
  own.turn = &turn;
  bool leaves = false;
  while (!leaves) {
    DueCallback* callback = nullptr;
    {
      const Lock lock(mutex);
      if (line.turn != turn.number)
        break;
      callback = line.first;
      if (!callback) {
        unlist(line);
        break;
      }
      line.first = successor(*callback);
    }
    call(*callback);
    leaves = callback == until;
    if (callback != line.holder)
      delete callback;
  }
  own.turn = turn.outer;
  bool has_left = false;
  DueCallback* unused = nullptr;
  {
    const Lock lock(mutex);
    has_left = leaves && line.turn == turn.number && line.first;
    if (has_left)
      take_turn(line);
    else if (leaves && line.turn == turn.number)
      unlist(line);
    if (--line.users == 0)
      unused = line.holder;
  }
  delete unused;
  if (has_left)
    call_elsewhere(line);
}

struct Begun {
  Line* line = nullptr;
  const DueCallback* last = nullptr; // of those that are due
};

// The next of the thread's lines, and its first turn; none if there is none.
Begun begin_line() noexcept {
  const Lock lock(mutex);
  for (auto* line = lines; line; line = line->next) {
    if (line->beginner != &own)
      continue;
    line->beginner = nullptr;
    take_turn(*line);
    return {line, line->last};
  }
  own.has_lines = false;
  return {};
}

void begin_lines_elsewhere() noexcept {
  while (own.has_lines)
    if (const auto begun = begin_line(); begun.line)
      call_elsewhere(*begun.line);
}

// What another thread was to call.
void take_over(const Own& theirs, const Own* beginner) noexcept {
  own.first = theirs.first;
  own.last = theirs.last;
  own.has_lines = theirs.has_lines;
  const Lock lock(mutex);
  for (auto* line = lines; line; line = line->next)
    if (line->beginner == beginner)
      line->beginner = &own;
}

void run_callbacks_here() noexcept {
  // Callbacks that wait run further callbacks on the same stack.
  if (own.depth == kMaxNestedCallbacks) {
    begin_lines_elsewhere();
    const auto run_all = [](void* argument) {
      own.first = own.last = static_cast<DueCallback*>(argument);
      while (own.last->next)
        own.last = successor(*own.last);
      run_callbacks();
    };
    if (own.first && auxiliary_threads::start(run_all, own.first))
      own.first = own.last = nullptr;
  }
  ++own.depth;
  while (has_callbacks()) {
    if (auto* callback = own.first) {
      own.first = successor(*callback);
      call(*callback);
      delete callback;
    } else if (const auto begun = begin_line(); begun.line) {
      call_line(*begun.line, begun.last);
    }
  }
  --own.depth;
}

} // namespace

PendingCallback* make_callback(cl_int state, Event::Callback function, void* user_data) noexcept {
  return new (std::nothrow) DueCallback{{nullptr, state, function, user_data}};
}

void discard_callback(PendingCallback* callback) noexcept {
  delete static_cast<DueCallback*>(callback);
}

void call_back(PendingCallback* callback) noexcept {
  auto& due = static_cast<DueCallback&>(*callback);
  // Those of a command's start belong to the thread that is about to execute it.
  if (due.event->queue() && due.event->finished())
    append(due);
  else
    push(own.first, own.last, due);
}

bool has_callbacks() noexcept { return own.first || own.has_lines; }

void run_callbacks() noexcept {
  if (!has_callbacks())
    return;
  if (!program_code::is_thread_borrowed()) {
    run_callbacks_here();
    return;
  }
  const Own all = own;
  const Own* const beginner = &own;
  own.first = own.last = nullptr;
  own.has_lines = false;
  program_code::call([&all, beginner] {
    take_over(all, beginner);
    run_callbacks_here();
  });
}

void pass_callbacks_on() noexcept {
  begin_lines_elsewhere();
  for (auto* turn = own.turn; turn; turn = turn->outer) {
    auto& line = *turn->line;
    {
      const Lock lock(mutex);
      if (line.turn != turn->number)
        continue;
      if (!line.first) {
        unlist(line);
        continue;
      }
      take_turn(line);
    }
    call_elsewhere(line);
  }
}

} // namespace heddle::scheduler
