#include "play/strategy.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "diagram/compiled_system.hpp"
#include "passes/answers.hpp"

namespace sapper {

namespace {

constexpr std::array<std::string_view, 7> kNames = {
    "random", "certain", "safest", "safest-ties", "lookahead", "champion", "optimal"};

// Nobody waits for perfect play on more.
constexpr double kMostWorlds = 1e7;
// No guess: a mine, or next to it. Where the total proves a mine, chances are rounded.
constexpr double kNearlyCertain = 1 - 1e-9;

}  // namespace

std::optional<Guessing> guessing_named(std::string_view name) {
  const auto at = std::find(kNames.begin(), kNames.end(), name);
  if (at == kNames.end()) return {};
  return Guessing(at - kNames.begin());
}

Strategist::Strategist(const Adjacency& field, std::int32_t mines, Guessing guessing, double effort,
               Guard& guard)
    : field_(&field),
      guessing_(guessing),
      effort_(effort),
      guard_(&guard),
      memory_(guard),
      sight_(field, mines),
      frontier_(field),
      look_ahead_(field, mines,
                  guessing == Guessing::champion ? LookAhead::Worth::outlook : LookAhead::Worth::safety),
      random_(0),
      chances_(std::size_t(field.cells())) {}

void Strategist::begin(std::uint64_t seed) {
  sight_.clear();
  frontier_.clear();
  look_ahead_.clear();
  random_ = Random(seed);
}

Choice Strategist::at(std::int32_t cell, double risk) {
  cells_.assign(1, cell);
  return {cells_, true, risk};
}

Choice Strategist::choose() {
  guard_->tick();
  cells_.clear();
  if (guessing_ == Guessing::random) {
    for (std::int32_t c = 0; c < sight_.cells(); ++c)
      if (sight_.state(c) != Sight::shown) cells_.push_back(c);
    if (cells_.empty()) throw std::invalid_argument("no world fits what is shown");
    return at(cells_[random_.below(cells_.size())], 0);
  }
  do {
    for (std::int32_t c; (c = sight_.next_safe()) >= 0;) cells_.push_back(c);
    if (!cells_.empty()) {
      // Several numbers may prove the same.
      std::sort(cells_.begin(), cells_.end());
      cells_.erase(std::unique(cells_.begin(), cells_.end()), cells_.end());
      return {cells_};
    }
    fits_ = frontier_.look(sight_);
    memory_.at_least(frontier_.bytes() + look_ahead_.bytes());
    if (sight_.is_broken() || (fits_ && std::isinf(frontier_.log_worlds())))
      throw std::invalid_argument("no world fits what is shown");
    for (const Region* r : frontier_.regions()) guard_->tick(std::uint32_t(r->states));
  } while (fits_ ? find_certain() : find_certain_by_engine());
  if (!cells_.empty()) return {cells_};
  return guess();
}

// Collects the safe cells. If there are none but new certain mines, marks those and tells so: then it
// is worth looking again.
bool Strategist::find_certain() {
  bool marked = false;
  const auto& regions = frontier_.regions();
  for (std::size_t i = 0; i < regions.size(); ++i)
    for (std::int32_t g = 0; g < regions[i]->groups(); ++g)
      if (frontier_.chance(i, g) == 0)
        for (const std::int32_t c : regions[i]->group(g)) cells_.push_back(c);
  if (frontier_.floating() > 0 && frontier_.floating_chance() == 0)
    for (std::int32_t c = 0; c < sight_.cells(); ++c)
      if (frontier_.is_floating(sight_, c)) cells_.push_back(c);
  if (!cells_.empty()) return false;
  for (const Region* r : regions)
    for (std::int32_t g = 0; g < r->groups(); ++g)
      if (r->always[g])
        for (const std::int32_t c : r->group(g)) {
          marked = true;
          sight_.mark(c);
        }
  return marked;
}

// The same by way of the general engine, for frontiers that are too wide for regions.
bool Strategist::find_certain_by_engine() {
  std::vector<std::int32_t> labels(std::size_t(sight_.cells()));
  for (std::int32_t c = 0; c < sight_.cells(); ++c)
    labels[c] = sight_.state(c) == Sight::covered ? kCovered
                : sight_.state(c) == Sight::mine  ? kMine
                                                  : sight_.number(c);
  const System system = System::from_labels(*field_, labels, true, sight_.mines());
  const Compiled compiled = compile_system(system, Options{}, *guard_, nullptr);
  const Verdicts verdict = verdicts(compiled, *guard_);
  const Probabilities chance = probabilities(compiled, *guard_);
  if (!verdict.consistent) throw std::invalid_argument("no world fits what is shown");
  bool marked = false;
  for (std::int32_t v = 0; v < system.variables; ++v) {
    const std::int32_t c = system.cell_of[v];
    chances_[c] = chance.of[v];
    if (verdict.of[v] == kSafe) cells_.push_back(c);
  }
  if (!cells_.empty()) return false;
  for (std::int32_t v = 0; v < system.variables; ++v)
    if (verdict.of[v] == kMined) {
      marked = true;
      sight_.mark(system.cell_of[v]);
    }
  return marked;
}

// A dig of perfect play, or -1 if that would take too long.
std::int32_t Strategist::perfect_guess() {
  const bool optimal = guessing_ == Guessing::optimal;
  const bool can_list = fits_ && Worlds::can_show(*field_);
  const double worlds = can_list ? std::exp(frontier_.log_worlds()) : kMostWorlds + 1;
  if (optimal && worlds > kMostWorlds) throw LimitHit(LimitKind::estimate, kMostWorlds, worlds);
  const EndgameBudget budget = EndgameBudget::on(sight_.cells(), effort_);
  if (!can_list || (!optimal && worlds > budget.worlds)) return -1;
  const Charge listed(*guard_, std::uint64_t(worlds + 1) * std::uint64_t(sight_.unknown() + 24));
  worlds_.list(sight_, frontier_);
  return endgame_.solve(worlds_, optimal ? Endgame::kNoLimit : budget.work, *guard_)
      .cell;
}

Choice Strategist::guess() {
  if (fits_) {
    const double floating = frontier_.floating_chance();
    for (std::int32_t c = 0; c < sight_.cells(); ++c) chances_[c] = floating;
    const auto& regions = frontier_.regions();
    for (std::size_t i = 0; i < regions.size(); ++i)
      for (std::int32_t g = 0; g < regions[i]->groups(); ++g)
        for (const std::int32_t c : regions[i]->group(g)) chances_[c] = frontier_.chance(i, g);
  }
  if (guessing_ == Guessing::certain) {
    for (std::int32_t c = 0; c < sight_.cells(); ++c)
      if (sight_.is_covered(c) && chances_[c] < kNearlyCertain) cells_.push_back(c);
    const std::int32_t c = cells_[random_.below(cells_.size())];
    return at(c, chances_[c]);
  }
  if (guessing_ >= Guessing::champion)
    if (const std::int32_t c = perfect_guess(); c >= 0) return at(c, chances_[c]);
  if (fits_ && guessing_ >= Guessing::lookahead) {
    std::int32_t c = look_ahead_.choose(sight_, frontier_, chances_, effort_, *guard_);
    if (guessing_ == Guessing::champion && Worlds::can_show(*field_)) {
      const std::int32_t other = samples_.choose(sight_, frontier_, look_ahead_.digs(), effort_, *guard_);
      if (other >= 0) c = other;
    }
    return at(c, chances_[c]);
  }
  std::int32_t best = -1;
  std::int32_t fewest = 0;
  for (std::int32_t c = 0; c < sight_.cells(); ++c) {
    if (!sight_.is_covered(c)) continue;
    if (best >= 0 && chances_[c] > chances_[best]) continue;
    std::int32_t around = 0;
    if (guessing_ != Guessing::safest)
      for (const std::int32_t d : field_->of(c)) around += sight_.is_covered(d);
    if (best >= 0 && chances_[c] == chances_[best] && around >= fewest) continue;
    best = c;
    fewest = around;
  }
  return at(best, chances_[best]);
}

}  // namespace sapper
