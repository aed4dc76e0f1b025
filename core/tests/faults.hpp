// Limits and interrupts at random, and the same question put again to the same objects.
//
// What the core promises about limits and Ctrl-C is that they end one question and nothing else:
// whoever asks the same object again gets the answer that a new one would give.
#pragma once

#include <cstdint>
#include <exception>

#include "checks.hpp"
#include "base/limits.hpp"
#include "base/random.hpp"

namespace sapper::tests {

// What the hook throws in place of Ctrl-C.
struct Interrupt : std::exception {
  const char* what() const noexcept override { return "interrupted"; }
};

class Faults {
 public:
  explicit Faults(std::uint64_t seed) : random_(seed) {}
  Faults(const Faults&) = delete;
  Faults& operator=(const Faults&) = delete;

  // The answer of `ask(guard)`: a few times under a limit or with an interrupt at some tick, and at
  // last without.
  template <class Ask>
  auto insist(Ask&& ask) {
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
      Limits limits;
      disarm();
      switch (random_.below(4)) {
        case 0: limits.nodes = up_to_power(10); break;
        case 1: limits.bytes = up_to_power(18); break;
        default: arm();
      }
      Guard guard(limits, hook());
      guard.look_up_each_tick();
      try {
        return ask(guard);
      } catch (const LimitHit& hit) {
        count(hit);
      } catch (const Interrupt&) {
        ++interrupts;
      }
    }
    disarm();
    Guard guard;
    return ask(guard);
  }

  // The same where the objects hold a guard, made with `hook()`: only interrupts can be taken back.
  template <class Ask>
  auto insist_on(Guard& guard, Ask&& ask) {
    guard.look_up_each_tick();
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
      arm();
      try {
        return ask();
      } catch (const Interrupt&) {
        ++interrupts;
      }
    }
    disarm();
    return ask();
  }

  Guard::Poll hook() {
    return [this](std::uint64_t) {
      if (left_ > 0 && --left_ == 0) throw Interrupt();
    };
  }

  std::uint64_t limits = 0, interrupts = 0;

 private:
  static constexpr int kAttempts = 5;

  // All sizes alike.
  std::uint64_t up_to_power(std::uint64_t bits) {
    return 1 + random_.below(std::uint64_t(2) << random_.below(bits));
  }
  void arm() { left_ = up_to_power(11); }
  void disarm() { left_ = 0; }
  void count(const LimitHit& hit) {
    ++limits;
    if (!(hit.spent > hit.allowed)) throw Wrong("a limit was hit that was not reached");
  }

  Random random_;
  std::uint64_t left_ = 0;  // ticks until the hook throws; 0: it does not
};

}  // namespace sapper::tests
