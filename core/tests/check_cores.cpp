// Cores and witnesses against all assignments and all sets of clues.
#include <algorithm>
#include <numeric>
#include <string>

#include "base/memory.hpp"
#include "classes.hpp"
#include "clue_sets.hpp"
#include "methods/explain.hpp"
#include "methods/hitting.hpp"
#include "methods/kset.hpp"

namespace sapper::tests {

namespace {

using Ids = CoreFinder::Ids;

void check_contradiction(CoreFinder& finder, const ClueSets& sets, Faults& faults) {
  const auto found = faults.insist([&](Guard& g) { return finder.contradiction(g); });
  if (found.has_value() == sets.can_be_met(sets.all())) throw Wrong("contradiction: yes or no");
  if (found && !sets.is_minimal_core(*found)) throw Wrong("a contradiction is not minimal");
}

void check_core(CoreFinder& finder, const ClueSets& sets, std::int32_t variable, bool value,
                Random& random, Faults& faults) {
  const bool smallest = random.below(2) == 0;
  const auto below = std::int32_t(smallest && random.below(3) == 0 ? 1 + random.below(4) : 0);
  const auto found =
      faults.insist([&](Guard& g) { return finder.core(variable, value, smallest, below, g); });
  const std::string of = " of variable " + std::to_string(variable);
  if (!found) {
    if (sets.can_be_met(sets.all(), variable, value)) return;
    if (below == 0) throw Wrong("no core" + of);
    if (sets.has_core_of(below - 1, variable, value)) throw Wrong("no core below a size" + of);
    return;
  }
  if (!std::ranges::is_sorted(*found)) throw Wrong("a core is not sorted" + of);
  if (!sets.is_minimal_core(*found, variable, value)) throw Wrong("not a minimal core" + of);
  const auto size = std::int32_t(found->size());
  if (smallest && size > 0 && sets.has_core_of(size - 1, variable, value))
    throw Wrong("not a smallest core" + of);
  if (below > 0 && size >= below) throw Wrong("a core is larger than asked for" + of);
}

void check_deletion(CoreFinder& finder, const ClueSets& sets, std::int32_t variable, bool value,
                    Faults& faults) {
  const auto found = faults.insist([&](Guard& g) { return finder.by_deletion(variable, value, g); });
  // The definition: all clues but the total; each in turn, from the last, goes if it can.
  Ids kept(std::size_t(finder.system().clues()));
  std::iota(kept.begin(), kept.end(), 0);
  if (found.has_value() == sets.can_be_met(kept, variable, value)) throw Wrong("deletion: yes or no");
  if (!found) return;
  for (std::int32_t c = finder.system().clues() - 1; c >= 0; --c) {
    Ids rest = kept;
    std::erase(rest, c);
    if (!sets.can_be_met(rest, variable, value)) kept = rest;
  }
  if (*found != kept) throw Wrong("not what deletion leaves");
  // Signed sums of all clues of a minimal core: directly, and by k-set search.
  const System& s = finder.system();
  System core;
  core.variables = s.variables;
  for (const std::int32_t c : kept) {
    for (std::int32_t e = s.offsets[c]; e < s.offsets[c + 1]; ++e) {
      core.cells.push_back(s.cells[e]);
      core.weights.push_back(s.weight(e));
    }
    core.offsets.push_back(std::int32_t(core.cells.size()));
    core.counts.push_back(s.counts[c]);
  }
  const bool by_signs = faults.insist([&](Guard& g) { return decided_by_signs(core, variable, g); });
  const auto by_sets =
      faults.insist([&](Guard& g) { return k_set_search(core, core.clues(), false, g).values; });
  if (by_signs != (by_sets[variable] >= 0)) throw Wrong("signs of a core");
}

void check_witness(CoreFinder& finder, const ClueSets& sets, Random& random, Faults& faults) {
  const std::int32_t variables = finder.system().variables;
  Ids clues;
  Vector<std::uint8_t> spoken(std::size_t(variables), 0);
  for (std::int32_t c = 0; c < sets.size(); ++c) {
    if (random.below(3) == 0) continue;
    clues.push_back(c);
    if (c == finder.system().clues()) std::ranges::fill(spoken, std::uint8_t(1));
    else
      for (const std::int32_t v : finder.system().clue(c)) spoken[v] = 1;
  }
  const auto variable = std::int32_t(random.below(std::uint64_t(variables) + 1)) - 1;
  const bool value = random.below(2) == 0;
  CoreFinder::Values near;
  if (random.below(2) == 0)
    for (std::int32_t v = 0; v < variables; ++v) near.push_back(std::int8_t(random.below(2)));
  const auto found =
      faults.insist([&](Guard& g) { return finder.witness(clues, variable, value, near, g); });
  if (found.has_value() != sets.can_be_met(clues, variable, value)) throw Wrong("witness: yes or no");
  if (!found) return;
  if (!sets.meets(clues, *found)) throw Wrong("a witness does not meet the clues");
  if (variable >= 0 && ((*found)[variable] == 1) != value) throw Wrong("a witness has another value");
  for (std::int32_t v = 0; v < variables; ++v)
    if (!spoken[v] && v != variable && (*found)[v] != (near.empty() ? 0 : near[v]))
      throw Wrong("a witness changes what no clue speaks of");
}

}  // namespace

void check_cores(const System& s, Random& random, Faults& faults) {
  const ClueSets sets(s);
  CoreFinder finder(s);
  check_contradiction(finder, sets, faults);
  for (int i = 0; i < 4; ++i) check_witness(finder, sets, random, faults);
  if (!sets.can_be_met(sets.all())) return;
  for (int i = 0; i < 4 && s.variables > 0; ++i) {
    const auto variable = std::int32_t(random.below(std::uint64_t(s.variables)));
    check_core(finder, sets, variable, random.below(2) == 0, random, faults);
    check_deletion(finder, sets, variable, random.below(2) == 0, faults);
  }
  check_contradiction(finder, sets, faults);
}

void check_hitting_sets(Random& random, Faults& faults) {
  const auto members = 1 + random.below(9);
  Vector<Ids> families(random.below(8));
  for (Ids& family : families)
    for (std::int32_t m = 0; m < std::int32_t(members); ++m)
      if (random.below(3) == 0) family.push_back(m);
  const auto hits = [&](std::uint32_t mask) {
    return std::ranges::all_of(families, [&](const Ids& family) {
      return std::ranges::any_of(family, [&](std::int32_t m) { return mask >> m & 1; });
    });
  };
  std::int32_t smallest = -1;
  for (std::uint32_t mask = 0; mask < 1u << members; ++mask)
    if (const int size = std::popcount(mask); hits(mask) && (smallest < 0 || size < smallest))
      smallest = size;
  const auto end = std::int32_t(1 + random.below(members + 1));
  const auto found =
      faults.insist([&](Guard& g) { return smallest_hitting_set(families, 0, end, g); });
  if (found.has_value() != (smallest >= 0 && smallest < end)) throw Wrong("hitting set: yes or no");
  if (!found) return;
  std::uint32_t mask = 0;
  for (const std::int32_t m : *found) mask |= 1u << m;
  if (!hits(mask) || std::int32_t(found->size()) != smallest) throw Wrong("no smallest hitting set");
}

}  // namespace sapper::tests
