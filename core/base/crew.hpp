// Independent parts of one task on several threads.
//
// The caller's thread works too, under its own guard. Helpers are begun for milliseconds of work and
// end with it. They have guards of their own: the caller's clock, and their share of the memory that
// it has left, which is charged to it meanwhile.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <system_error>
#include <thread>
#include <vector>

#include "base/limits.hpp"

namespace sapper {

// f(i, guard) for each i below `parts`, by whoever is free; what one of them throws ends them all.
template <class F>
void spread(unsigned threads, std::size_t parts, Guard& guard, F&& f) {
  const auto crew = std::uint64_t(std::min<std::size_t>(threads, parts));
  if (crew < 2) {
    for (std::size_t i = 0; i < parts; ++i) f(i, guard);
    return;
  }
  struct Stopped {};
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> stopped = false;
  std::exception_ptr error;
  const auto guarded = [&](auto&& body) {
    try {
      body();
    } catch (...) {
      if (!stopped.exchange(true)) error = std::current_exception();
    }
  };
  const auto work = [&](Guard& own) {
    for (std::size_t i = next++; i < parts && !stopped; i = next++) f(i, own);
  };
  Limits share = guard.limits();
  share.bytes = (share.bytes - guard.bytes()) / crew;
  const Charge charge(guard, share.bytes * (crew - 1));
  std::vector<std::thread> helpers;
  helpers.reserve(crew - 1);
  guarded([&] {
    try {
      while (helpers.size() + 1 < crew)
        helpers.emplace_back([&] {
          guarded([&] {
            Guard own(share, [&](std::uint64_t) {
              if (stopped) throw Stopped{};
            }, guard.start());
            work(own);
          });
        });
    } catch (const std::system_error&) {
      // The system gives no more threads: those that are there do it all.
    }
    work(guard);
  });
  for (std::thread& helper : helpers) helper.join();
  if (error) std::rethrow_exception(error);
}

}  // namespace sapper
