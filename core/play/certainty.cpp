#include "play/certainty.hpp"

#include <algorithm>

#include "base/random.hpp"
#include "diagram/compiled_system.hpp"
#include "passes/answers.hpp"

namespace sapper {

namespace {

// Chances that are not further apart may differ by rounding only.
constexpr double kEqual = 1e-12;

}  // namespace

Certainty::Certainty(const Adjacency& field, std::int32_t mines, bool use_total, Guard& guard)
    : field_(&field),
      use_total_(use_total),
      guard_(&guard),
      sight_(field, mines),
      frontier_(field),
      marks_(std::size_t(field.cells())),
      free_around_(marks_.size()),
      numbers_(marks_.size()),
      met_(marks_.size()) {
  Random random(2);
  for (auto& m : marks_) m = random();
}

bool Certainty::finishes(std::span<const std::uint8_t> mines, std::int32_t start) {
  guard_->tick(std::uint32_t(field_->cells()));
  if (mines[start]) return sight_.mines() == sight_.cells();
  return !has_twins(mines, start) && play(mines, start);
}

bool Certainty::has_twins(std::span<const std::uint8_t> mines, std::int32_t start) {
  std::fill(free_around_.begin(), free_around_.end(), 0);
  for (std::int32_t c = 0; c < field_->cells(); ++c)
    if (!mines[c])
      for (const std::int32_t d : field_->of(c)) free_around_[d] += marks_[c];
  for (std::int32_t a = 0; a < field_->cells(); ++a) {
    if (!mines[a]) {
      // A cell among mines: no number speaks of it.
      if (!use_total_ && free_around_[a] == 0 && a != start) return true;
      continue;
    }
    std::int32_t one = -1;
    for (const std::int32_t b : field_->of(a)) {
      if (mines[b]) continue;
      one = b;
      if (b != start && free_around_[a] - marks_[b] == free_around_[b]) return true;
    }
    if (one < 0) continue;
    for (const std::int32_t b : field_->of(one))
      if (!mines[b] && b != start && free_around_[a] == free_around_[b]) return true;
  }
  return false;
}

bool Certainty::begin(std::span<const std::uint8_t> mines, std::int32_t start) {
  guard_->tick(std::uint32_t(field_->cells()));
  mines_ = mines;
  std::fill(numbers_.begin(), numbers_.end(), 0);
  for (std::int32_t c = 0; c < field_->cells(); ++c)
    if (mines[c])
      for (const std::int32_t d : field_->of(c)) ++numbers_[d];
  sight_.clear();
  frontier_.clear();
  if (mines[start]) return false;
  apply(start);
  return true;
}

bool Certainty::play(std::span<const std::uint8_t> mines, std::int32_t start) {
  if (!begin(mines, start)) return sight_.is_won();  // nothing but mines
  while (true) {
    settle();
    if (sight_.is_won()) return true;
    if (use_pairs(true)) continue;
    const auto found = find();
    if (found.empty()) return false;
    for (const std::int32_t c : found) apply(c);
  }
}

void Certainty::apply(std::int32_t cell) {
  if (!sight_.is_covered(cell)) return;
  if (mines_[cell])
    sight_.mark(cell);
  else
    sight_.show(cell, numbers_[cell]);
}

void Certainty::settle() {
  for (std::int32_t c; (c = sight_.next_safe()) >= 0;) {
    guard_->tick();
    sight_.show(c, numbers_[c]);
  }
}

// Two numbers that share covered cells: the mines they share are as many for both.
bool Certainty::use_pairs(bool all) {
  sight_.tidy();
  queue_.assign(sight_.numbers().begin(), sight_.numbers().end());
  bool any = false;
  for (const std::int32_t a : queue_) {
    if (sight_.open(a) == 0) continue;
    guard_->tick();
    const std::uint32_t inside = ++round_, seen = ++round_;
    for (const std::int32_t c : field_->of(a))
      if (sight_.is_covered(c)) met_[c] = inside;
    for (const std::int32_t c : field_->of(a)) {
      if (!sight_.is_covered(c)) continue;
      for (const std::int32_t b : field_->of(c)) {
        if (b == a || sight_.state(b) != Sight::shown || met_[b] == seen || sight_.open(b) == 0) continue;
        met_[b] = seen;
        std::int32_t shared = 0;
        for (const std::int32_t d : field_->of(b)) shared += met_[d] == inside && sight_.is_covered(d);
        const std::int32_t alone = sight_.open(b) - shared, need = sight_.need(b);
        if (alone == 0) continue;
        const std::int32_t most = std::min({shared, sight_.need(a), need});
        const std::int32_t least =
            std::max({0, sight_.need(a) - (sight_.open(a) - shared), need - alone});
        if (need != least && need - most != alone) continue;
        for (const std::int32_t d : field_->of(b))
          if (sight_.is_covered(d) && met_[d] != inside) {
            any = true;
            apply(d);
          }
        if (any && !all) return true;
        settle();
      }
    }
  }
  return any;
}

std::span<const std::int32_t> Certainty::find() {
  found_.clear();
  groups_.clear();
  by_total_ = false;
  find_by_regions();
  if (found_.empty() && !fits_) find_by_engine();
  if (found_.empty() && use_total_) {
    by_total_ = true;
    if (weighed_)
      find_by_total();
    else
      find_by_engine();
  }
  return found_;
}

// What whole regions prove, whatever the total.
void Certainty::find_by_regions() {
  weighed_ = frontier_.look(sight_);
  fits_ = true;
  const auto& regions = frontier_.regions();
  for (std::size_t i = 0; i < regions.size(); ++i) {
    const Region& r = *regions[i];
    guard_->tick(std::uint32_t(r.states));
    fits_ = fits_ && r.fits;
    for (std::int32_t g = 0; r.fits && g < r.groups(); ++g) {
      const auto m = r.mines_of(g);
      if (!r.always[g] && std::any_of(m.begin(), m.end(), [](double x) { return x != 0; })) continue;
      groups_.emplace_back(std::int32_t(i), g);
      for (const std::int32_t c : r.group(g)) found_.push_back(c);
    }
  }
}

// What the total adds, from the chances that the frontier has weighed.
void Certainty::find_by_total() {
  const auto& regions = frontier_.regions();
  for (std::size_t i = 0; i < regions.size(); ++i)
    for (std::int32_t g = 0; g < regions[i]->groups(); ++g)
      if (frontier_.chance(i, g) == 0)
        for (const std::int32_t c : regions[i]->group(g)) found_.push_back(c);
  if (frontier_.floating() > 0 && frontier_.floating_chance() == 0)
    for (std::int32_t c = 0; c < sight_.cells(); ++c)
      if (frontier_.is_floating(sight_, c)) found_.push_back(c);
}

std::vector<std::int32_t> Certainty::labels() const {
  std::vector<std::int32_t> out(std::size_t(sight_.cells()));
  for (std::int32_t c = 0; c < sight_.cells(); ++c)
    out[c] = sight_.state(c) == Sight::covered ? kCovered
             : sight_.state(c) == Sight::mine  ? kMine
                                               : sight_.number(c);
  return out;
}

// The same for frontiers that are too wide for regions.
void Certainty::find_by_engine() {
  const System system = System::from_labels(*field_, labels(), by_total_, sight_.mines());
  const Compiled compiled = compile_system(system, Options{}, *guard_, nullptr);
  const Verdicts verdict = verdicts(compiled, *guard_);
  for (std::int32_t v = 0; v < system.variables; ++v)
    if (verdict.of[v] != kUndecided) found_.push_back(system.cell_of[v]);
}

std::int32_t Certainty::safest() {
  std::vector<double> chances(std::size_t(sight_.cells()), frontier_.floating_chance());
  if (weighed_) {
    const auto& regions = frontier_.regions();
    for (std::size_t i = 0; i < regions.size(); ++i)
      for (std::int32_t g = 0; g < regions[i]->groups(); ++g)
        for (const std::int32_t c : regions[i]->group(g)) chances[c] = frontier_.chance(i, g);
  } else {
    const System system = System::from_labels(*field_, labels(), use_total_, sight_.mines());
    const Probabilities chance =
        probabilities(compile_system(system, Options{}, *guard_, nullptr), *guard_);
    for (std::int32_t v = 0; v < system.variables; ++v) chances[system.cell_of[v]] = chance.of[v];
  }
  std::int32_t best = -1;
  for (std::int32_t c = 0; c < sight_.cells(); ++c)
    if (sight_.is_covered(c) && !mines_[c] && (best < 0 || chances[c] < chances[best] - kEqual)) best = c;
  return best;
}

}  // namespace sapper
