// An endless search for systems on which the engine is wrong, crashes or hangs.
//
//   fuzz [--seed N] [--seconds S] [--keep DIRECTORY]   until Ctrl-C or for so long
//   fuzz --replay < systems                            try the systems on standard input (cases.hpp)
//
// The work is done in a child process, so that a crash is a finding like any other. A finding is
// shrunk, each candidate in a child of its own, and written to the directory as JSON.
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <iostream>
#include <string>

#include "cases.hpp"
#include "checks.hpp"
#include "classes.hpp"
#include "passes.hpp"

namespace sapper::tests {

namespace {

constexpr unsigned kPatience = 60;  // seconds for one case

volatile std::sig_atomic_t stopped = 0;

using Clock = std::chrono::steady_clock;

// What parent and child share: where the child is.
struct Progress {
  std::uint64_t seed;
  std::uint64_t tried;
  std::uint64_t faults;  // limits and interrupts that took effect
};

// Runs f in a child and returns its exit code; -signal if it was killed.
int in_child(const std::function<int()>& f) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGINT, SIG_IGN);  // Ctrl-C goes to the parent
    std::signal(SIGTERM, SIG_DFL);
    const int code = f();
    std::fflush(nullptr);
    _exit(code);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    if (stopped) kill(child, SIGTERM);
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

int judge(const System& system, std::uint64_t seed, Cache& cache, bool loud, Tally& tally) {
  alarm(kPatience);
  try {
    check(system, seed, cache);
    check_classes(system, seed, tally);
  } catch (const std::exception& error) {
    if (loud) std::printf("seed %llu: %s\n", static_cast<unsigned long long>(seed), error.what());
    alarm(0);
    return 1;
  }
  alarm(0);
  return 0;
}

bool still_fails(const System& system, std::uint64_t seed) {
  return in_child([&] {
           // Sanitizers repeat themselves while we shrink.
           if (!std::freopen("/dev/null", "w", stderr)) return 0;
           Cache cache;
           Tally tally;
           return judge(system, seed, cache, false, tally);
         }) != 0;
}

System shrunk(System system, std::uint64_t seed) {
  for (bool better = true; better && !stopped;) {
    better = false;
    for (System& candidate : smaller(system))
      if (!stopped && still_fails(candidate, seed)) {
        system = std::move(candidate);
        better = true;
        break;
      }
  }
  return system;
}

int fuzz(std::uint64_t seed, double seconds, const std::string& directory) {
  auto* at = static_cast<Progress*>(mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE,
                                         MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  if (at == MAP_FAILED) return 2;
  *at = {seed, 0, 0};
  std::printf("fuzzing from seed %llu; Ctrl-C ends it\n", static_cast<unsigned long long>(seed));
  const auto start = Clock::now();
  auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  int found = 0;
  while (!stopped && (seconds <= 0 || elapsed() < seconds)) {
    const int code = in_child([&] {
      Cache cache;
      double shown = elapsed();
      for (;; ++at->seed) {
        Tally tally;
        if (const int bad = judge(random_system(at->seed), at->seed, cache, true, tally)) return bad;
        at->faults += tally.limits + tally.interrupts;
        if (++at->tried % 512 == 0) cache.clear();
        const double now = elapsed();
        if (seconds > 0 && now > seconds) return 0;
        if (now - shown > 10) {
          shown = now;
          std::printf("%llu tried, %d found, %.0f s\n", static_cast<unsigned long long>(at->tried),
                      found, now);
          std::fflush(stdout);
        }
      }
    });
    if (code == 0 || stopped) break;
    const std::uint64_t bad = at->seed++;
    if (code < 0)
      std::printf("seed %llu: killed by signal %d\n", static_cast<unsigned long long>(bad), -code);
    const System system = random_system(bad);
    if (!still_fails(system, bad)) {
      // Then it needs what was cached before; the seed says where to look.
      std::printf("seed %llu fails only after the cases before it\n",
                  static_cast<unsigned long long>(bad));
      ++found;
      continue;
    }
    const System small = shrunk(system, bad);
    const std::string path = directory + "/fuzz-" + std::to_string(bad) + ".json";
    std::ofstream(path) << to_json(small);
    std::printf("kept in %s:\n%s", path.c_str(), to_json(small).c_str());
    ++found;
  }
  std::printf("%llu tried, %llu limits and interrupts, %d found, %.0f s\n",
              static_cast<unsigned long long>(at->tried),
              static_cast<unsigned long long>(at->faults), found, elapsed());
  return found > 0 ? 1 : 0;
}

int replay() {
  Cache cache;
  Tally tally;
  int wrong = 0;
  std::uint64_t number = 0;
  while (const auto system = read_plain(std::cin)) {
    ++number;
    for (std::uint64_t seed = 0; seed < 8; ++seed) wrong += judge(*system, seed, cache, true, tally);
  }
  std::printf("%llu tried, %d wrong\n", static_cast<unsigned long long>(number), wrong);
  return wrong > 0 ? 1 : 0;
}

}  // namespace

}  // namespace sapper::tests

int main(int argc, char** argv) {
  std::uint64_t seed = std::uint64_t(std::chrono::system_clock::now().time_since_epoch().count());
  double seconds = 0;
  std::string directory = ".";
  for (int i = 1; i < argc; ++i) {
    const std::string option = argv[i];
    if (option == "--replay") return sapper::tests::replay();
    if (i + 1 == argc) {
      std::fprintf(stderr, "usage: fuzz [--seed N] [--seconds S] [--keep DIRECTORY] | --replay\n");
      return 2;
    }
    const char* value = argv[++i];
    if (option == "--seed") seed = std::strtoull(value, nullptr, 10);
    if (option == "--seconds") seconds = std::strtod(value, nullptr);
    if (option == "--keep") directory = value;
  }
  struct sigaction action = {};
  action.sa_handler = [](int) { sapper::tests::stopped = 1; };
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  sapper::tests::check_guard();
  sapper::tests::check_crew();
  sapper::tests::check_long_counts();
  sapper::tests::check_large_circles();
  return sapper::tests::fuzz(seed, seconds, directory);
}
