// Every class of the core, again after limits and interrupts.
//
//   classes [--seed N] [--cases N] [NAME...]   so many cases from a seed on, for all checks or some
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "base/memory.hpp"
#include "cases.hpp"
#include "classes.hpp"

int main(int argc, char** argv) {
  using namespace sapper::tests;
  std::uint64_t first = 1, cases = 300;
  sapper::Vector<std::string> names;
  for (int i = 1; i < argc; ++i) {
    const std::string option = argv[i];
    if (option == "--seed" && i + 1 < argc)
      first = std::strtoull(argv[++i], nullptr, 10);
    else if (option == "--cases" && i + 1 < argc)
      cases = std::strtoull(argv[++i], nullptr, 10);
    else
      names.push_back(option);
  }
  bool wrong = false;
  for (const Check& check : class_checks()) {
    if (!names.empty() && std::ranges::find(names, check.name) == names.end()) continue;
    Tally tally;
    std::uint64_t seed = first;
    try {
      for (; tally.cases < cases; ++seed) run(check, random_system(seed), seed, tally);
    } catch (const Wrong& error) {
      std::printf("seed %llu: %s\n", static_cast<unsigned long long>(seed), error.what());
      wrong = true;
      continue;
    }
    std::printf("%s: %llu cases, %llu limits, %llu interrupts, all right\n", check.name,
                static_cast<unsigned long long>(tally.cases),
                static_cast<unsigned long long>(tally.limits),
                static_cast<unsigned long long>(tally.interrupts));
    std::fflush(stdout);
  }
  return wrong ? 1 : 0;
}
