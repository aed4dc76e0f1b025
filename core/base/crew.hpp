// Independent parts of one task on several threads.
//
// The caller's thread works too, and looks up until the last one is done, so that Ctrl-C and progress
// are not held up. Helpers are begun for milliseconds of work and end with it. The memory that the
// caller's guard has left is shared out in equal parts: whoever needs more than its share hits the
// limit, which is told as that of all, even if others have some left.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "base/limits.hpp"

namespace sapper {

// As many parts as are worth a helper, which has begun when `few` of so much work are done; at most `most`.
inline std::size_t parts_of(double work, double few, std::size_t most) {
  return std::size_t(std::max(1.0, std::min(work / few, double(most))));
}

// f(i, guard) for each i below `parts`, by whoever is free; what one of them throws ends them all.
// What the caller's thread throws goes first, for that may be an interrupt.
template <class F>
void spread(unsigned threads, std::size_t parts, Guard& guard, F&& f) {
  const auto crew = std::uint64_t(std::min<std::size_t>(threads, parts));
  if (crew < 2) {
    for (std::size_t i = 0; i < parts; ++i) f(i, guard);
    return;
  }
  constexpr std::chrono::milliseconds kWait(20);
  constexpr std::uint32_t kLookUp = 4096;  // ticks after which any guard does
  guard.tick(kLookUp);  // the guards below begin anew
  struct Stopped {};
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> stopped = false;
  const Limits all = guard.limits();
  Limits share = all;
  share.bytes = (all.bytes - guard.bytes()) / crew;
  const Charge charge(guard, share.bytes * (crew - 1));
  // What the work of a thread throws, if others did not stop it.
  const auto work = [&](auto&& look) -> std::exception_ptr {
    try {
      Guard own(share, [&](std::uint64_t) {
        if (stopped) throw Stopped{};
        look();
      }, guard.start());
      for (std::size_t i = next++; i < parts && !stopped; i = next++) f(i, own);
    } catch (const Stopped&) {
    } catch (const LimitHit& hit) {
      if (hit.kind != LimitKind::bytes) return std::current_exception();
      return std::make_exception_ptr(
          LimitHit(hit.kind, double(all.bytes), double(all.bytes - share.bytes) + hit.spent));
    } catch (...) {
      return std::current_exception();
    }
    return nullptr;
  };
  std::mutex mutex;
  std::condition_variable changed;
  std::size_t ended = 0;            // helpers,
  std::exception_ptr theirs, mine;  // and what the first of them threw
  std::vector<std::thread> helpers;
  try {
    helpers.reserve(crew - 1);
    try {
      while (helpers.size() + 1 < crew)
        helpers.emplace_back([&] {
          const std::exception_ptr error = work([] {});
          const std::lock_guard lock(mutex);
          if (error && !stopped.exchange(true)) theirs = error;
          ++ended;
          changed.notify_one();
        });
    } catch (const std::system_error&) {
      // The system gives no more threads: those that are there do it all.
    }
    mine = work([&] { guard.tick(kLookUp); });
    if (mine) stopped = true;
    const auto all_ended = [&] { return ended == helpers.size(); };
    std::unique_lock lock(mutex);
    while (!stopped && !changed.wait_for(lock, kWait, all_ended)) {
      lock.unlock();
      guard.tick(kLookUp);
      lock.lock();
    }
  } catch (...) {
    mine = std::current_exception();
    stopped = true;
  }
  for (std::thread& helper : helpers) helper.join();
  if (mine) std::rethrow_exception(mine);
  if (theirs) std::rethrow_exception(theirs);
}

}  // namespace sapper
