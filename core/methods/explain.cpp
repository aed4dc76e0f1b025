#include "methods/explain.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "diagram/compiled_system.hpp"
#include "methods/hitting.hpp"
#include "passes/answers.hpp"
#include "search/prober.hpp"

namespace sapper {

namespace {

// Whatever ends a question, a limit too: nothing counts as seen afterwards.
template <class Seen, class F>
auto orderly(Seen& clues, Seen& variables, F f) {
  try {
    return f();
  } catch (...) {
    std::ranges::fill(clues, 0);
    std::ranges::fill(variables, 0);
    throw;
  }
}

}  // namespace

CoreFinder::CoreFinder(System system)
    : system_(std::move(system)),
      uses_(std::size_t(system_.variables), [&](auto put) {
        for (std::int32_t c = 0; c < system_.clues(); ++c)
          for (const std::int32_t v : system_.clue(c)) put(v, c);
      }),
      local_(system_.variables, -1),
      clue_seen_(system_.clues() + 1, 0),
      variable_seen_(system_.variables, 0) {}

bool CoreFinder::search(std::span<const std::int32_t> clues, Question q, Values* values,
                        Guard& guard) {
  std::size_t entries = 1;
  for (const std::int32_t c : clues)
    entries += is_total(c) ? std::size_t(system_.variables) : system_.clue(c).size();
  Vector<std::int32_t> variables;
  // Whatever ends the search, a limit too: the numbers are taken back.
  struct Renumbered {
    Vector<std::int32_t>&local, &variables;
    ~Renumbered() {
      for (const std::int32_t v : variables) local[v] = -1;
    }
  } const renumbered{local_, variables};
  const auto number = [&](std::int32_t v) {
    if (local_[v] < 0) {
      variables.push_back(v);
      local_[v] = static_cast<std::int32_t>(variables.size()) - 1;
    }
    return local_[v];
  };
  Vector<Vector<Prober::Entry>> rows;
  Vector<std::int64_t> counts;
  for (const std::int32_t c : clues) {
    auto& row = rows.emplace_back();
    if (is_total(c)) {
      for (std::int32_t v = 0; v < system_.variables; ++v) row.push_back({number(v), 1});
      counts.push_back(system_.total);
      continue;
    }
    for (std::int32_t e = system_.offsets[c]; e < system_.offsets[c + 1]; ++e)
      if (system_.weight(e) != 0) row.push_back({number(system_.cells[e]), system_.weight(e)});
    counts.push_back(system_.counts[c]);
  }
  if (q.variable >= 0) {
    rows.push_back({{number(q.variable), 1}});
    counts.push_back(q.value ? 1 : 0);
  }
  Prober prober(static_cast<std::int32_t>(variables.size()), guard);
  prober.expect(rows.size(), entries);
  for (std::size_t i = 0; i < rows.size(); ++i) prober.add_clue(rows[i], counts[i]);
  if (values)
    for (const std::int32_t v : variables) prober.guess(local_[v], (*values)[v] == 1);
  const bool found = prober.solve();
  if (found && values)
    for (const std::int32_t v : variables) (*values)[v] = prober.model(local_[v]) ? 1 : 0;
  return found;
}

bool CoreFinder::satisfiable_with_total(std::span<const std::int32_t> clues, Question q,
                                        Guard& guard) {
  const Lease lease(guard);
  System part;
  part.variables = system_.variables;
  part.has_total = true;
  part.total = system_.total;
  for (const std::int32_t c : clues) {
    if (is_total(c)) continue;
    for (std::int32_t e = system_.offsets[c]; e < system_.offsets[c + 1]; ++e) {
      part.cells.push_back(system_.cells[e]);
      if (!system_.weights.empty()) part.weights.push_back(system_.weights[e]);
    }
    part.offsets.push_back(static_cast<std::int32_t>(part.cells.size()));
    part.counts.push_back(system_.counts[c]);
  }
  if (q.variable >= 0) {
    part.cells.push_back(q.variable);
    if (!system_.weights.empty()) part.weights.push_back(1);
    part.offsets.push_back(static_cast<std::int32_t>(part.cells.size()));
    part.counts.push_back(q.value ? 1 : 0);
  }
  const Compiled compiled = compile_system(part, {}, guard, nullptr);
  return compiled.consistent && verdicts(compiled, guard).consistent;
}

bool CoreFinder::satisfiable(std::span<const std::int32_t> clues, Question q, Guard& guard) {
  guard.tick(16);
  for (const std::int32_t c : clues)
    if (is_total(c)) return satisfiable_with_total(clues, q, guard);
  return search(clues, q, nullptr, guard);
}

std::optional<CoreFinder::Values> CoreFinder::witness(std::span<const std::int32_t> clues,
                                                      std::int32_t variable, bool value,
                                                      const Values& near, Guard& guard) {
  Values values = near.empty() ? Values(system_.variables, 0) : near;
  const Question q{variable, value};
  bool total = false;
  for (const std::int32_t c : clues) total = total || is_total(c);
  // The diagram says no in good time where search, which cannot count, would not.
  if (total && !satisfiable_with_total(clues, q, guard)) return std::nullopt;
  if (!search(clues, q, &values, guard)) return std::nullopt;
  if (variable >= 0) values[variable] = value ? 1 : 0;
  return values;
}

CoreFinder::Ids CoreFinder::rings(std::int32_t variable, Vector<std::size_t>& ends) {
  Ids order;
  Vector<std::int32_t> wave{variable}, next, visited{variable};
  variable_seen_[variable] = 1;
  while (!wave.empty()) {
    for (const std::int32_t v : wave)
      for (const std::int32_t c : uses_[v]) {
        if (clue_seen_[c]) continue;
        clue_seen_[c] = 1;
        order.push_back(c);
        for (const std::int32_t w : system_.clue(c))
          if (!variable_seen_[w]) {
            variable_seen_[w] = 1;
            visited.push_back(w);
            next.push_back(w);
          }
      }
    if (ends.empty() ? !order.empty() : order.size() > ends.back()) ends.push_back(order.size());
    wave.swap(next);
    next.clear();
  }
  for (const std::int32_t c : order) clue_seen_[c] = 0;
  for (const std::int32_t v : visited) variable_seen_[v] = 0;
  return order;
}

// Only what hangs together with the variable can refute it: the rest is met by a legal assignment.
CoreFinder::Ids CoreFinder::connected(const Ids& clues, std::int32_t variable) {
  for (const std::int32_t c : clues) clue_seen_[c] = 1;
  Vector<std::int32_t> pending{variable}, visited{variable};
  variable_seen_[variable] = 1;
  while (!pending.empty()) {
    const std::int32_t v = pending.back();
    pending.pop_back();
    for (const std::int32_t c : uses_[v]) {
      if (clue_seen_[c] != 1) continue;
      clue_seen_[c] = 2;
      for (const std::int32_t w : system_.clue(c))
        if (!variable_seen_[w]) {
          variable_seen_[w] = 1;
          visited.push_back(w);
          pending.push_back(w);
        }
    }
  }
  Ids kept;
  for (const std::int32_t c : clues) {
    if (clue_seen_[c] == 2) kept.push_back(c);
    clue_seen_[c] = 0;
  }
  for (const std::int32_t v : visited) variable_seen_[v] = 0;
  return kept;
}

// Deletion from the back, in chunks that double while they can go and halve when they cannot.
CoreFinder::Ids CoreFinder::shrink(Ids clues, Question q, Guard& guard) {
  const bool total = !clues.empty() && is_total(clues.front());
  std::size_t needed = 0;  // so many at the front are known to be needed
  std::size_t chunk = std::max<std::size_t>(1, clues.size() / 4);
  while (needed < clues.size()) {
    chunk = std::min(chunk, clues.size() - needed);
    Ids rest(clues.begin(), clues.end() - static_cast<std::ptrdiff_t>(chunk));
    if (!satisfiable(rest, q, guard)) {
      clues = std::move(rest);
      if (q.variable >= 0 && !total) {
        // Needed clues stay: without any of them the question is open.
        const Ids kept = connected(clues, q.variable);
        if (kept.size() < clues.size()) clues = kept;
      }
      chunk *= 2;
    } else if (chunk > 1) {
      chunk = (chunk + 1) / 2;
    } else {
      // The last one is needed: move it to the front.
      std::rotate(clues.begin(), clues.end() - 1, clues.end());
      ++needed;
    }
  }
  return clues;
}

std::optional<CoreFinder::Ids> CoreFinder::minimal(Question q, Guard& guard) {
  Vector<std::size_t> ends;
  Ids order = rings(q.variable, ends);
  for (const std::size_t end : ends) {
    const Ids near(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(end));
    if (!satisfiable(near, q, guard)) return shrink(near, q, guard);
  }
  if (!system_.has_total) return std::nullopt;
  // The total joins everything; clues far from the variable come last and are dropped first.
  for (const std::int32_t c : order) clue_seen_[c] = 1;
  Ids all{total_id()};
  all.insert(all.end(), order.begin(), order.end());
  for (std::int32_t c = 0; c < system_.clues(); ++c) {
    if (!clue_seen_[c]) all.push_back(c);
    clue_seen_[c] = 0;
  }
  if (satisfiable(all, q, guard)) return std::nullopt;
  return shrink(std::move(all), q, guard);
}

CoreFinder::Ids CoreFinder::violated(const Ids& clues, const Values& values) const {
  Ids out;
  for (const std::int32_t c : clues) {
    std::int64_t sum = 0;
    if (is_total(c)) {
      for (const std::int8_t v : values) sum += v;
      if (sum != system_.total) out.push_back(c);
      continue;
    }
    for (std::int32_t e = system_.offsets[c]; e < system_.offsets[c + 1]; ++e)
      if (values[system_.cells[e]]) sum += system_.weight(e);
    if (sum != system_.counts[c]) out.push_back(c);
  }
  return out;
}

std::optional<CoreFinder::Ids> CoreFinder::smallest(Question q, std::optional<Ids> best,
                                                    std::int32_t below, Guard& guard) {
  if (!best) return std::nullopt;
  const bool total = std::ranges::find(*best, total_id()) != best->end();
  auto end = static_cast<std::int32_t>(best->size());
  if (below > 0 && below <= end) {
    end = below;
    best.reset();
  }
  // If clues force it without the total, the total may do with fewer; if they do not, all cores
  // have the total.
  for (const bool with_total : {false, true}) {
    if (with_total ? !system_.has_total || (!total && !total_may_help(end)) : total) continue;
    auto found = fewer(q, with_total, end, guard);
    if (!found) continue;
    end = static_cast<std::int32_t>(found->size());
    best = std::move(found);
  }
  return best;
}

// Whether the total, with fewer than `end` - 1 clues that leave the variable open, may decide it. It
// cannot where whatever those say leaves mines enough, and cells enough, for all others.
bool CoreFinder::total_may_help(std::int32_t end) const {
  if (end < 2) return false;
  std::size_t longest = 0;
  for (std::int32_t c = 0; c < system_.clues(); ++c) longest = std::max(longest, system_.clue(c).size());
  const std::int64_t touched = 1 + std::int64_t(longest) * (end - 2);
  return system_.total < touched || system_.total > system_.variables - touched;
}

// A smallest core among those with fewer than `end` clues that have the total, or do not.
std::optional<CoreFinder::Ids> CoreFinder::fewer(Question q, bool total, std::int32_t end,
                                                 Guard& guard) {
  Vector<std::size_t> ends;
  Ids candidates = total ? Ids(system_.clues() + 1) : rings(q.variable, ends);
  if (total) {
    std::iota(candidates.begin(), candidates.end(), 0);
  } else if (std::size_t(end) - 1 < ends.size()) {
    // A core hangs together and holds the variable, so one with fewer clues than the best lies
    // within as many rings.
    candidates.resize(end == 1 ? 0 : ends[end - 2]);
  }
  if (candidates.empty()) return std::nullopt;
  std::optional<Values> reference = witness(candidates, -1, false, {}, guard);
  if (!reference) return std::nullopt;
  Vector<Ids> families;
  std::int32_t least = 1;
  if (total) families.push_back({total_id()});
  while (true) {
    const auto chosen = smallest_hitting_set(families, families.empty() ? 0 : least, end, guard);
    if (!chosen) return std::nullopt;
    least = std::max(least, static_cast<std::int32_t>(chosen->size()));
    if (!satisfiable(*chosen, q, guard)) return *chosen;
    Values values = *reference;
    if (!search(*chosen, q, &values, guard)) return std::nullopt;  // cannot be: it is satisfiable
    values[q.variable] = q.value ? 1 : 0;
    Ids broken = violated(candidates, values);
    // Mend what can be mended besides: the fewer clues are broken, the more the family says.
    for (std::size_t i = 0; i < broken.size() && broken.size() > 1;) {
      if (is_total(broken[i])) {
        ++i;
        continue;
      }
      Ids wanted;
      for (const std::int32_t c : candidates)
        if (c == broken[i] || std::find(broken.begin(), broken.end(), c) == broken.end())
          wanted.push_back(c);
      Values mended = values;
      const bool counts = std::find(wanted.begin(), wanted.end(), total_id()) != wanted.end();
      if (counts && !satisfiable_with_total(wanted, q, guard)) {
        ++i;
        continue;
      }
      if (search(wanted, q, &mended, guard)) {
        values = std::move(mended);
        broken = violated(candidates, values);
      } else {
        ++i;
      }
    }
    families.push_back(std::move(broken));
  }
}

std::optional<CoreFinder::Ids> CoreFinder::core(std::int32_t variable, bool value, bool is_smallest,
                                                std::int32_t below, Guard& guard) {
  const Question q{variable, value};
  return orderly(clue_seen_, variable_seen_, [&] {
    std::optional<Ids> found = minimal(q, guard);
    if (is_smallest) found = smallest(q, std::move(found), below, guard);
    if (found) std::sort(found->begin(), found->end());
    return found;
  });
}

std::optional<CoreFinder::Ids> CoreFinder::by_deletion(std::int32_t variable, bool value,
                                                       Guard& guard) {
  return orderly(clue_seen_, variable_seen_, [&]() -> std::optional<Ids> {
    const Question q{variable, value};
    Vector<std::size_t> ends;
    Ids clues = rings(variable, ends);
    std::sort(clues.begin(), clues.end());
    if (satisfiable(clues, q, guard)) return std::nullopt;
    // Chunks of `shrink` go only if all of their clues can, so this is one after the other.
    Ids found = shrink(std::move(clues), q, guard);
    std::sort(found.begin(), found.end());
    return found;
  });
}

std::optional<CoreFinder::Ids> CoreFinder::contradiction(Guard& guard) {
  Vector<std::uint8_t> done(system_.clues(), 0);
  for (std::int32_t c = 0; c < system_.clues(); ++c) {
    if (done[c]) continue;
    Vector<std::size_t> ends;
    Ids part = orderly(clue_seen_, variable_seen_, [&] {
      return system_.clue(c).empty() ? Ids{c} : rings(system_.clue(c)[0], ends);
    });
    for (const std::int32_t d : part) done[d] = 1;
    if (satisfiable(part, {}, guard)) continue;
    // Ring by ring from one end, so that not all of a large part has to be dropped again.
    for (const std::size_t end : ends) {
      const Ids near(part.begin(), part.begin() + static_cast<std::ptrdiff_t>(end));
      if (!satisfiable(near, {}, guard)) {
        part = near;
        break;
      }
    }
    Ids found = shrink(std::move(part), {}, guard);
    std::sort(found.begin(), found.end());
    return found;
  }
  if (!system_.has_total) return std::nullopt;
  Ids all(system_.clues() + 1);
  std::iota(all.rbegin(), all.rend(), 0);
  if (satisfiable(all, {}, guard)) return std::nullopt;
  Ids found = shrink(std::move(all), {}, guard);
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace sapper
