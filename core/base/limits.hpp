// Limits on time, nodes and memory, and the one place where long work looks up.
//
// Every loop that can grow calls `tick()`. Once in a while a tick reads the clock, enforces the
// time limit and calls the host's poll hook, through which Ctrl-C and progress reports reach us.
// Memory is charged before it is taken, so the limit holds instead of being noticed afterwards.
#pragma once

#include <cfenv>
#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <limits>

namespace sapper {

struct Limits {
  double seconds = std::numeric_limits<double>::infinity();
  std::uint64_t nodes = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t bytes = std::numeric_limits<std::uint64_t>::max();
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

class Guard {
 public:
  // The hook may throw; the exception passes through the core unchanged. It receives the number
  // of nodes made so far.
  using Poll = std::function<void(std::uint64_t nodes)>;

  using Clock = std::chrono::steady_clock;

  explicit Guard(Limits limits = {}, Poll poll = {}) : Guard(limits, std::move(poll), Clock::now()) {}
  // For one of several calls that share a time limit: they all count from the same start.
  Guard(Limits limits, Poll poll, Clock::time_point start)
      : limits_(limits), poll_(std::move(poll)), start_(start), last_(Clock::now()) {
    const double spent = seconds();
    if (spent > limits_.seconds) throw LimitHit(LimitKind::seconds, limits_.seconds, spent);
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

  void take_bytes(std::uint64_t n) {
    if (n > limits_.bytes - bytes_)
      throw LimitHit(LimitKind::bytes, double(limits_.bytes), double(bytes_) + double(n));
    bytes_ += n;
    if (bytes_ > peak_) peak_ = bytes_;
  }
  void give_bytes(std::uint64_t n) { bytes_ -= n < bytes_ ? n : bytes_; }

  // For tests: read the clock and call the hook at every tick.
  void look_up_each_tick() {
    countdown_ = interval_ = 1;
    pause_ = 0;
  }

  std::uint64_t nodes() const { return nodes_; }
  std::uint64_t bytes() const { return bytes_; }
  std::uint64_t peak_bytes() const { return peak_; }
  std::uint64_t most_bytes() const { return limits_.bytes; }
  double seconds() const {
    return std::chrono::duration<double>(Clock::now() - start_).count();
  }

 private:
  static constexpr std::int64_t kInterval = 4096;

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
  std::uint64_t nodes_ = 0, bytes_ = 0, peak_ = 0;
};

// Gives back, at the end of its scope, all that was charged to a guard since it began.
class Lease {
 public:
  explicit Lease(Guard& guard) : guard_(&guard), before_(guard.bytes()) {}
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;
  ~Lease() {
    // Less than before only if something older was given back meanwhile.
    if (guard_->bytes() > before_) guard_->give_bytes(guard_->bytes() - before_);
  }

 private:
  Guard* guard_;
  std::uint64_t before_;
};

// What malloc adds to a block, about: its header and rounding.
constexpr std::uint64_t kBlock = 16;

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
