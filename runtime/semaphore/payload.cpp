// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/semaphore/payload.h"

#include "runtime/core/lock.h"

#include <algorithm>
#include <utility>

namespace heddle {

std::deque<Payload::Signal>::iterator Payload::find_signal(const Event* command) noexcept {
  return std::ranges::find_if(signals_, [&](const Signal& signal) {
    return signal.command == command && !signal.is_given;
  });
}

void Payload::give(std::deque<Signal>::iterator signal, ReadyList& ready) noexcept {
  const auto place = static_cast<std::size_t>(signal - signals_.begin());
  if (place < waits_.size()) {
    signals_.erase(signal);
    give_to(place, ready);
  } else {
    signal->is_given = true;
  }
}

void Payload::give_to(std::size_t place, ReadyList& ready) noexcept {
  // Not its last reference: who resolves another dependency keeps it, or `ready` does.
  const auto wait = std::move(waits_[place]);
  waits_.erase(waits_.begin() + static_cast<std::ptrdiff_t>(place));
  ++taken_;
  wait->dependency_done(false, ready);
}

std::optional<std::size_t> Payload::remove_wait(const Event& command) noexcept {
  const auto wait = std::ranges::find(waits_, &command, &Ref<Event>::get);
  if (wait == waits_.end())
    return std::nullopt;
  const auto place = static_cast<std::size_t>(wait - waits_.begin());
  waits_.erase(wait);
  return place;
}

void Payload::take_signal_at(std::size_t place) noexcept {
  signals_.erase(signals_.begin() + static_cast<std::ptrdiff_t>(place));
}

// After a removal at that place, which moves the later signals to other waits.
void Payload::match(std::size_t first, ReadyList& ready) noexcept {
  for (auto i = first; i < std::min(signals_.size(), waits_.size());) {
    if (!signals_[i].is_given) {
      ++i;
      continue;
    }
    take_signal_at(i);
    give_to(i, ready);
  }
}

void Payload::add_signal(Event& command) {
  const Lock lock(mutex_);
  signals_.push_back({&command});
}

void Payload::add_wait(const Ref<Event>& command) {
  const Lock lock(mutex_);
  const auto place = waits_.size();
  if (returned_ != 0) {
    --returned_;
    ++taken_;
  } else if (place < signals_.size() && signals_[place].is_given) {
    take_signal_at(place);
    ++taken_;
  } else {
    waits_.push_back(command);
    command->expect_dependency();
  }
}

void Payload::end_signal(const Event& command, bool has_failed, ReadyList& ready) noexcept {
  const Lock lock(mutex_);
  const auto signal = find_signal(&command);
  if (has_failed) {
    const auto place = static_cast<std::size_t>(signal - signals_.begin());
    signals_.erase(signal);
    match(place, ready);
  } else {
    give(signal, ready);
  }
}

void Payload::end_wait(const Event& command, bool has_failed, ReadyList& ready) noexcept {
  const Lock lock(mutex_);
  if (!has_failed) { // so it has had its signal
    --taken_;
  } else if (const auto place = remove_wait(command)) {
    match(*place, ready);
  } else {
    --taken_;
    if (waits_.empty())
      ++returned_;
    else
      give_to(0, ready);
  }
}

cl_int Payload::wait() noexcept {
  for (;;) {
    Ref<Event> signal; // whose turn it is
    {
      const Lock lock(mutex_);
      const auto place = waits_.size();
      if (returned_ != 0) {
        --returned_;
        return CL_SUCCESS;
      }
      if (place >= signals_.size())
        return CL_INVALID_OPERATION;
      if (signals_[place].is_given) {
        take_signal_at(place);
        return CL_SUCCESS;
      }
      signal = Ref<Event>(signals_[place].command);
    }
    signal->wait(); // if it fails, another one is next
  }
}

bool Payload::is_signaled() noexcept {
  const Lock lock(mutex_);
  return taken_ != 0 || returned_ != 0 || std::ranges::any_of(signals_, &Signal::is_given);
}

} // namespace heddle
