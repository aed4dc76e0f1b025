// Independent parts of one task on several threads.
//
// The caller's thread works too, and looks up until the last one is done, so that Ctrl-C and progress
// are not held up. Helpers begin with the first task that is worth them and end with the crew. Between two
// tasks they wait awake for a moment, then asleep; a task does not wait for who has slept through it. The
// memory that the caller's guard has left is shared out in equal parts: whoever needs more than its share
// hits the limit, which is told as that of all, even if others have some left. Nodes, floating-point flags, and
// memory that is still held when a task ends, become the caller's.
#pragma once

#include <algorithm>
#include <atomic>
#include <cfenv>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "base/limits.hpp"

namespace sapper {

// As many parts as are worth a helper, which has begun when `few` of so much work are done; at most `most`.
inline std::size_t parts_of(double work, double few, std::size_t most) {
  return std::size_t(std::max(1.0, std::min(work / few, double(most))));
}

class Crew {
 public:
  explicit Crew(unsigned threads) : threads_(std::max(1u, threads)) {}
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;
  ~Crew() {
    {
      const std::lock_guard lock(mutex_);
      over_ = true;
      ++turn_;
    }
    called_.notify_all();
    for (std::thread& helper : helpers_) helper.join();
  }

  unsigned threads() const { return threads_; }

  // f(i, guard) for each i below `parts`, by whoever is free; what one of them throws ends them all.
  // What the caller's thread throws goes first, for that may be an interrupt.
  template <class F>
  void spread(std::size_t parts, Guard& guard, F&& f) {
    const auto crew = std::uint64_t(std::min<std::size_t>(threads_, parts));
    if (crew < 2) {
      for (std::size_t i = 0; i < parts; ++i) f(i, guard);
      return;
    }
    guard.look();  // the guards below begin anew
    struct Stopped {};
    std::atomic<std::size_t> next = 0;
    std::atomic<bool> stopped = false;
    std::atomic<std::uint64_t> nodes = 0;  // that the caller's guard does not know yet
    std::atomic<std::int64_t> held = 0;
    std::atomic<int> flags = 0;
    const Limits all = guard.limits();
    Limits share = all;
    share.nodes = all.nodes - std::min(all.nodes, guard.nodes());
    share.bytes = (all.bytes - guard.bytes()) / crew;
    const Charge charge(guard, share.bytes * (crew - 1));
    struct HandOver {
      Guard& own;
      std::atomic<std::int64_t>& held;
      ~HandOver() { held += own.hand_over(); }
    };
    // What the work of a thread throws, if others did not stop it.
    const auto work = [&](auto&& look) -> std::exception_ptr {
      std::uint64_t told = 0;
      const auto tell = [&](std::uint64_t made) { nodes += made - std::exchange(told, made); };
      try {
        Guard own(share, [&](std::uint64_t made) {
          if (stopped) throw Stopped{};
          tell(made);
          look();
        }, guard.start());
        const HandOver at_last{own, held};
        for (std::size_t i = next++; i < parts && !stopped; i = next++) f(i, own);
        tell(own.nodes());
      } catch (const Stopped&) {
      } catch (const LimitHit& hit) {
        if (hit.kind == LimitKind::bytes)
          return std::make_exception_ptr(
              LimitHit(hit.kind, double(all.bytes), double(all.bytes - share.bytes) + hit.spent));
        if (hit.kind == LimitKind::nodes && hit.allowed == double(share.nodes))
          return std::make_exception_ptr(
              LimitHit(hit.kind, double(all.nodes), double(all.nodes - share.nodes) + hit.spent));
        return std::current_exception();
      } catch (...) {
        return std::current_exception();
      }
      return nullptr;
    };
    std::exception_ptr theirs, mine;  // what the first of the helpers threw
    try {
      begin(crew - 1, [&] {
        std::feclearexcept(FE_ALL_EXCEPT);
        const std::exception_ptr error = work([] {});
        flags |= std::fetestexcept(FE_ALL_EXCEPT);
        const std::lock_guard lock(mutex_);
        if (error && !stopped.exchange(true)) theirs = error;
      });
      mine = work([&] {
        guard.add_nodes(nodes.exchange(0));
        guard.look();
      });
      if (mine) stopped = true;
      end(stopped, guard);
    } catch (...) {
      mine = std::current_exception();
      stopped = true;
      end(stopped, guard);
    }
    guard.take_over(held);
    std::feraiseexcept(flags);
    if (mine) std::rethrow_exception(mine);
    if (theirs) std::rethrow_exception(theirs);
    guard.add_nodes(nodes);
  }

 private:
  using Clock = Guard::Clock;
  static constexpr std::chrono::milliseconds kWait{20};
  static constexpr std::chrono::microseconds kAwake{200};

  // Calls so many helpers to a task.
  void begin(std::uint64_t wanted, std::function<void()> task) {
    {
      const std::lock_guard lock(mutex_);
      task_ = std::move(task);
      wanted_ = wanted;
      ++turn_;
    }
    called_.notify_all();
    try {
      helpers_.reserve(wanted);
      while (helpers_.size() < wanted) helpers_.emplace_back([this, turn = turn_ - 1] { serve(turn); });
    } catch (const std::system_error&) {
      // The system gives no more threads: those that are there do it all.
    }
  }

  // Nobody comes to the task any more, and those who did have left. If they were told to stop they do so soon;
  // else the caller looks up meanwhile.
  void end(const std::atomic<bool>& stopped, Guard& guard) {
    {
      const std::lock_guard lock(mutex_);
      wanted_ = 0;
    }
    const auto all_left = [&] { return inside_ == 0; };
    awake(all_left);
    std::unique_lock lock(mutex_);
    while (!left_.wait_for(lock, kWait, all_left)) {
      if (stopped) continue;
      lock.unlock();
      guard.look();
      lock.lock();
    }
  }

  void serve(std::uint64_t seen) {
    const auto is_called = [&] { return turn_ != seen; };
    for (;;) {
      awake(is_called);
      std::unique_lock lock(mutex_);
      called_.wait(lock, is_called);
      seen = turn_;
      if (over_) return;
      if (wanted_ == 0) continue;
      --wanted_;
      ++inside_;
      lock.unlock();
      task_();
      lock.lock();
      --inside_;
      left_.notify_one();
    }
  }

  // Until it is so, but not for long.
  template <class Done>
  static void awake(Done&& done) {
    for (const auto begin = Clock::now(); !done() && Clock::now() - begin < kAwake;) std::this_thread::yield();
  }

  const unsigned threads_;
  std::vector<std::thread> helpers_;
  std::mutex mutex_;  // of all below
  std::condition_variable called_, left_;
  std::function<void()> task_;
  std::uint64_t wanted_ = 0;
  std::atomic<std::uint64_t> turn_ = 0, inside_ = 0;
  bool over_ = false;
};

}  // namespace sapper
