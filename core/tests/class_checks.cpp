#include <string>

#include "cases.hpp"
#include "classes.hpp"

namespace sapper::tests {

namespace {

constexpr Check kChecks[] = {
    {"explain", check_cores, nullptr},
    {"hitting", nullptr, check_hitting_sets},
    {"prober", check_prober, nullptr},
    {"kset", check_k_sets, nullptr},
    {"compiled", check_compiled, nullptr},
    {"enumerate", check_enumerator, nullptr},
    {"sample", check_sampler, nullptr},
    {"zdd", check_zdd_and_sifting, nullptr},
    {"lottery", nullptr, check_lottery},
    {"products", nullptr, check_long_products},
    {"game", nullptr, check_game},
    {"player", nullptr, check_player},
    {"protocol", nullptr, check_protocols},
    {"strategies", nullptr, check_strategist},
    {"outlook", nullptr, check_outlook},
    {"samples", nullptr, check_samples},
    {"forest", nullptr, check_forest},
    {"subgraph", check_subgraph, nullptr},
    {"boards", nullptr, check_random_boards},
};

}  // namespace

std::span<const Check> class_checks() { return kChecks; }

void run(const Check& check, const System& system, std::uint64_t seed, Tally& tally) {
  Random random(seed);
  Faults faults(random());
  try {
    if (check.of_seed)
      check.of_seed(random, faults);
    else if (system.variables <= kMostTried)
      check.of_system(system, random, faults);
    else
      return;
  } catch (const std::exception& wrong) {
    throw Wrong(check.name + std::string(": ") + wrong.what());
  }
  ++tally.cases;
  tally.limits += faults.limits;
  tally.interrupts += faults.interrupts;
}

void check_classes(const System& system, std::uint64_t seed, Tally& tally) {
  for (const Check& check : kChecks) run(check, system, seed, tally);
}

}  // namespace sapper::tests
