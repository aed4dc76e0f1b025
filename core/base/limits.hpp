// Limits on time, nodes and memory, and the one place where long work looks up.
//
// Every loop that can grow calls `tick()`. Once in a while a tick reads the clock, enforces the
// time limit and calls the host's poll hook, through which Ctrl-C and progress reports reach us.
// Memory is charged before it is taken, so the limit holds instead of being noticed afterwards: the
// containers of memory.hpp do that by themselves, to the guards of their thread.
#pragma once

#include <algorithm>
#include <cfenv>
#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <limits>
#include <utility>

#include "base/memory.hpp"

namespace sapper {

struct Limits {
  double seconds = std::numeric_limits<double>::infinity();
  std::uint64_t nodes = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t bytes = std::numeric_limits<std::uint64_t>::max();

  bool operator==(const Limits&) const = default;
};

// `estimate`: not a limit of the caller's, but more nodes are expected than could be compiled.
enum class LimitKind { seconds, nodes, bytes, estimate };

// A limit was hit; nothing is returned, the caller's objects stay as they were.
struct LimitHit : std::exception {
  LimitKind kind;
  double allowed;
  double spent;
  LimitHit(LimitKind k, double a, double s) : kind(k), allowed(a), spent(s) {}
  const char* what() const noexcept override { return "limit exceeded"; }
};

// One thread uses a guard: the one that made it, whose memory it watches until it goes.
class Guard {
 public:
  // The hook may throw; the exception passes through the core unchanged. It receives the number
  // of nodes made so far.
  using Poll = std::function<void(std::uint64_t nodes)>;

  using Clock = std::chrono::steady_clock;

  explicit Guard(Limits limits = {}, Poll poll = {}) : Guard(limits, std::move(poll), Clock::now()) {}
  // For one of several calls that share a time limit: they all count from the same start.
  Guard(Limits limits, Poll poll, Clock::time_point start)
      : limits_(limits), poll_(std::move(poll)), start_(start), last_(Clock::now()),
        memory_(Memory::here()), before_(memory_.net_) {
    const double spent = std::chrono::duration<double>(last_ - start_).count();
    if (spent > limits_.seconds) throw LimitHit(LimitKind::seconds, limits_.seconds, spent);
    outer_ = std::exchange(memory_.innermost_, this);
    memory_.ceiling_ = std::min(memory_.ceiling_, ceiling());
  }
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;
  ~Guard() {
    Guard** place = &memory_.innermost_;
    while (*place != this) place = &(*place)->outer_;
    *place = outer_;
    memory_.look_at_guards();
  }

  // Cheap enough for inner loops: a counter, and the clock once in 4096 calls.
  void tick(std::uint32_t work = 1) {
    countdown_ -= static_cast<std::int64_t>(work);
    if (countdown_ <= 0) look_up();
  }

  // Nodes of something that was only tried count no longer.
  void forget_nodes(std::uint64_t n) { nodes_ -= n; }
  void add_nodes(std::uint64_t n) {
    nodes_ += n;
    if (nodes_ > limits_.nodes)
      throw LimitHit(LimitKind::nodes, double(limits_.nodes), double(nodes_));
  }

  // For what no container of ours holds: until it is given back, or the guard goes.
  void take_bytes(std::uint64_t n) {
    if (n > limits_.bytes - bytes())
      throw LimitHit(LimitKind::bytes, double(limits_.bytes), double(bytes()) + double(n));
    extra_ += n;
    memory_.look_at_guards();
  }
  void give_bytes(std::uint64_t n) {
    extra_ -= std::min(n, extra_);
    memory_.look_at_guards();
  }

  // What the thread has taken since the guard began and still holds becomes another thread's, whose guard takes it
  // over. It may be less than nothing: what others took and this thread gave back.
  std::int64_t hand_over() { return std::exchange(memory_.net_, before_) - before_; }
  void take_over(std::int64_t bytes) { memory_.net_ += bytes; }

  // Reads the clock now.
  void look() { tick(std::uint32_t(kInterval)); }
  // For tests: read the clock and call the hook at every tick.
  void look_up_each_tick() {
    countdown_ = interval_ = 1;
    pause_ = 0;
  }

  std::uint64_t nodes() const { return nodes_; }
  std::uint64_t bytes() const {
    return std::uint64_t(std::max<std::int64_t>(memory_.net_ - before_, 0)) + extra_;
  }
  std::uint64_t most_bytes() const { return limits_.bytes; }
  const Limits& limits() const { return limits_; }
  Clock::time_point start() const { return start_; }
  double seconds() const {
    return std::chrono::duration<double>(Clock::now() - start_).count();
  }

 private:
  friend class Memory;
  friend class Lease;
  static constexpr std::int64_t kInterval = 4096;

  // How much the thread may hold before this guard objects.
  std::int64_t ceiling() const {
    const std::uint64_t left = limits_.bytes - std::min(limits_.bytes, extra_);
    const auto most = std::uint64_t(Memory::kNoCeiling - std::max<std::int64_t>(before_, 0));
    return left > most ? Memory::kNoCeiling : before_ + std::int64_t(left);
  }

  void look_up() {
    countdown_ = interval_;
    const auto now = Clock::now();
    const double spent = std::chrono::duration<double>(now - start_).count();
    if (spent > limits_.seconds) throw LimitHit(LimitKind::seconds, limits_.seconds, spent);
    if (poll_ && std::chrono::duration<double>(now - last_).count() >= pause_) {
      last_ = now;
      // What the host computes meanwhile must not look like an overflow of ours.
      std::fexcept_t flags;
      std::fegetexceptflag(&flags, FE_ALL_EXCEPT);
      poll_(nodes_);
      std::fesetexceptflag(&flags, FE_ALL_EXCEPT);
    }
  }

  Limits limits_;
  Poll poll_;
  Clock::time_point start_, last_;
  std::int64_t interval_ = kInterval, countdown_ = kInterval;
  double pause_ = 0.05;  // seconds between two calls of the hook
  std::uint64_t nodes_ = 0;
  Memory& memory_;
  std::int64_t before_;      // what the thread held when the guard began
  std::uint64_t extra_ = 0;  // what was taken by hand
  Guard* outer_ = nullptr;   // the guard of this thread that was there before
};

// Gives back, at the end of its scope, all that was taken from a guard by hand since it began.
class Lease {
 public:
  explicit Lease(Guard& guard) : guard_(&guard), before_(guard.extra_) {}
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;
  ~Lease() {
    // Less than before only if something older was given back meanwhile.
    if (guard_->extra_ > before_) guard_->give_bytes(guard_->extra_ - before_);
  }
  // What was taken until now stays.
  void keep() { before_ = guard_->extra_; }

 private:
  Guard* guard_;
  std::uint64_t before_;
};

// Memory charged to a guard for as long as this object lives.
class Charge {
 public:
  explicit Charge(Guard& guard) : guard_(&guard) {}
  Charge(Guard& guard, std::uint64_t bytes) : guard_(&guard) { at_least(bytes); }
  Charge(const Charge&) = delete;
  Charge& operator=(const Charge&) = delete;
  ~Charge() { guard_->give_bytes(bytes_); }
  // Grow to `bytes` in all (never shrinks).
  void at_least(std::uint64_t bytes) {
    if (bytes > bytes_) {
      guard_->take_bytes(bytes - bytes_);
      bytes_ = bytes;
    }
  }
  void release() {
    guard_->give_bytes(bytes_);
    bytes_ = 0;
  }

 private:
  Guard* guard_;
  std::uint64_t bytes_ = 0;
};

}  // namespace sapper
