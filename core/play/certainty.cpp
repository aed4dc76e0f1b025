#include "play/certainty.hpp"

#include <algorithm>

#include "base/random.hpp"
#include "diagram/compiled_system.hpp"
#include "passes/answers.hpp"

namespace sapper {

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

bool Certainty::play(std::span<const std::uint8_t> mines, std::int32_t start) {
  guard_->tick(std::uint32_t(field_->cells()));
  std::fill(numbers_.begin(), numbers_.end(), 0);
  for (std::int32_t c = 0; c < field_->cells(); ++c)
    if (mines[c])
      for (const std::int32_t d : field_->of(c)) ++numbers_[d];
  sight_.clear();
  frontier_.clear();
  if (sight_.is_won()) return true;  // nothing but mines
  if (mines[start]) return false;
  dig(start);
  while (!sight_.is_won())
    if (!go_on()) return false;
  return true;
}

void Certainty::dig(std::int32_t cell) {
  if (sight_.is_covered(cell)) sight_.show(cell, numbers_[cell]);
}

bool Certainty::go_on() {
  dig_singles();
  if (sight_.is_won() || dig_pairs() || sight_.is_won() || dig_regions()) return true;
  if (sight_.is_won()) return true;
  return use_total_ && weighed_ ? dig_by_total() : (use_total_ || !fits_) && dig_by_engine();
}

void Certainty::dig_singles() {
  for (std::int32_t c; (c = sight_.next_safe()) >= 0;) {
    guard_->tick();
    sight_.show(c, numbers_[c]);
  }
}

// Two numbers that share covered cells: what one needs bounds what the other has left.
bool Certainty::dig_pairs() {
  sight_.tidy();
  found_.assign(sight_.numbers().begin(), sight_.numbers().end());
  bool any = false;
  for (const std::int32_t a : found_) {
    if (sight_.open(a) == 0) continue;
    const std::uint32_t inside = ++round_;
    for (const std::int32_t c : field_->of(a))
      if (sight_.is_covered(c)) met_[c] = inside;
    const std::uint32_t seen = ++round_;
    for (const std::int32_t c : field_->of(a)) {
      if (!sight_.is_covered(c)) continue;
      for (const std::int32_t b : field_->of(c)) {
        if (b == a || sight_.state(b) != Sight::shown || met_[b] == seen || sight_.open(b) == 0) continue;
        met_[b] = seen;
        std::int32_t shared = 0;
        for (const std::int32_t d : field_->of(b)) shared += met_[d] == inside && sight_.is_covered(d);
        // b has all the mines of a that its own cells cannot hold outside, and no more than a needs.
        const std::int32_t alone = sight_.open(b) - shared;
        const std::int32_t most = std::min({shared, sight_.need(a), sight_.need(b)});
        const std::int32_t least =
            std::max({0, sight_.need(a) - (sight_.open(a) - shared), sight_.need(b) - alone});
        if (alone > 0 && (sight_.need(b) == least || sight_.need(b) - most == alone)) {
          const bool mined = sight_.need(b) != least;
          for (const std::int32_t d : field_->of(b))
            if (sight_.is_covered(d) && met_[d] != inside) {
              any = true;
              if (mined)
                sight_.mark(d);
              else
                dig(d);
            }
          dig_singles();
        }
      }
    }
  }
  return any;
}

// What whole regions prove, whatever the total.
bool Certainty::dig_regions() {
  weighed_ = frontier_.look(sight_);
  found_.clear();
  fits_ = true;
  bool marked = false;
  for (const Region* r : frontier_.regions()) {
    guard_->tick(std::uint32_t(r->states));
    fits_ = fits_ && r->fits;
    if (!r->fits) continue;
    for (std::int32_t g = 0; g < r->groups(); ++g) {
      const auto m = r->mines_of(g);
      if (std::all_of(m.begin(), m.end(), [](double x) { return x == 0; }))
        for (const std::int32_t c : r->group(g)) found_.push_back(c);
    }
  }
  for (const Region* r : frontier_.regions())
    for (std::int32_t g = 0; r->fits && g < r->groups(); ++g)
      if (r->always[g])
        for (const std::int32_t c : r->group(g)) {
          marked = true;
          sight_.mark(c);
        }
  for (const std::int32_t c : found_) dig(c);
  return marked || !found_.empty();
}

// What the total adds, from the chances that the frontier has weighed.
bool Certainty::dig_by_total() {
  const auto& regions = frontier_.regions();
  for (std::size_t i = 0; i < regions.size(); ++i)
    for (std::int32_t g = 0; g < regions[i]->groups(); ++g)
      if (frontier_.chance(i, g) == 0)
        for (const std::int32_t c : regions[i]->group(g)) found_.push_back(c);
  if (frontier_.floating() > 0 && frontier_.floating_chance() == 0)
    for (std::int32_t c = 0; c < sight_.cells(); ++c)
      if (frontier_.is_floating(sight_, c)) found_.push_back(c);
  for (const std::int32_t c : found_) dig(c);
  return !found_.empty();
}

// The same for frontiers that are too wide for regions.
bool Certainty::dig_by_engine() {
  std::vector<std::int32_t> labels(std::size_t(sight_.cells()));
  for (std::int32_t c = 0; c < sight_.cells(); ++c)
    labels[c] = sight_.state(c) == Sight::covered ? kCovered
                : sight_.state(c) == Sight::mine  ? kMine
                                                  : sight_.number(c);
  const System system = System::from_labels(*field_, labels, use_total_, sight_.mines());
  const Compiled compiled = compile_system(system, Options{}, *guard_, nullptr);
  const Verdicts verdict = verdicts(compiled, *guard_);
  bool any = false;
  for (std::int32_t v = 0; v < system.variables; ++v) {
    if (verdict.of[v] != kSafe && verdict.of[v] != kMined) continue;
    any = true;
    if (verdict.of[v] == kSafe)
      dig(system.cell_of[v]);
    else
      sight_.mark(system.cell_of[v]);
  }
  return any;
}

}  // namespace sapper
