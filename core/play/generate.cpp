#include "play/generate.hpp"

#include <algorithm>
#include <cmath>

#include "base/random.hpp"
#include "play/certainty.hpp"
#include "play/random_boards.hpp"

namespace sapper {

namespace {

// Moves at random once a board qualifies, for each mine.
constexpr std::uint64_t kMixing = 20;
// A walk that gets no lower for so many tries begins again.
constexpr std::uint64_t kPatience = 4000;

class Maker {
 public:
  Maker(const Adjacency& field, const Wish& wish, Guard& guard)
      : field_(field), wish_(wish), guard_(guard),
        player_(field, wish.mines, wish.use_total, guard) {}

  bool qualifies(std::span<const std::uint8_t> mines) {
    return (!wish_.no_guess || player_.finishes(mines, wish_.start)) && has_level(mines);
  }
  bool has_level(std::span<const std::uint8_t> mines) {
    return !wish_.level || level_of(grade_board(field_, mines, wish_.start, guard_)) == *wish_.level;
  }
  // Free cells that stay covered when certainty ends.
  std::int32_t stuck(std::span<const std::uint8_t> mines) {
    if (player_.play(mines, wish_.start)) return 0;
    return player_.sight().unknown() - player_.sight().mines_left();
  }
  const Sight& sight() const { return player_.sight(); }

 private:
  const Adjacency& field_;
  const Wish& wish_;
  Guard& guard_;
  Certainty player_;
};

class Walk {
 public:
  Walk(const Adjacency& field, const Wish& wish, std::uint64_t seed, std::uint64_t tries, Guard& guard)
      : field_(field), wish_(wish), guard_(guard), maker_(field, wish, guard), random_(seed), most_(tries),
        may_have_(std::size_t(field.cells()), 1) {
    for (const std::int32_t c : wish.kept_free) may_have_[c] = 0;
    may_have_[wish.start] = 0;
  }

  Drawn walk() {
    while (out_.tries < most_ && !descend()) {}
    if (out_.tries >= most_) return {{}, out_.tries};
    bool found = !wish_.level;
    // First to the wished level, then on among boards that have it.
    for (std::uint64_t i = 0; i < kMixing * std::uint64_t(wish_.mines) || !found; ++i) {
      if (out_.tries >= most_) return {{}, out_.tries};
      if (!found && maker_.has_level(mines_)) {
        found = true;
        i = 0;
      }
      const auto [from, to] = any_move();
      if (from == to) continue;
      move(from, to);
      if (found ? !maker_.qualifies(mines_) : maker_.stuck(mines_) > 0) move(to, from);
    }
    out_.mines = mines_;
    return out_;
  }

 private:
  // From a random board to one that certainty finishes; false: it got nowhere.
  bool descend() {
    std::vector<std::int32_t> forbidden = wish_.kept_free;
    forbidden.push_back(wish_.start);
    mines_ = random_mines(field_.cells(), wish_.mines, forbidden, random_());
    std::int32_t now = look(), lowest = now;
    for (std::uint64_t waited = 0; now > 0 && waited < kPatience; ++waited) {
      if (out_.tries >= most_) return false;
      const auto [from, to] = move_at_the_edge();
      if (from == to) continue;
      move(from, to);
      const std::int32_t then = look();
      // Uphill sometimes: one in e for a cell.
      if (then > now && double(random_() >> 11) * 0x1p-53 >= std::exp(double(now - then))) {
        move(to, from);
        continue;
      }
      now = then;
      if (now < lowest) {
        lowest = now;
        waited = 0;
      }
    }
    return now == 0;
  }

  // How far from the end, and the covered cells where it stopped.
  std::int32_t look() {
    ++out_.tries;
    const std::int32_t left = maker_.stuck(mines_);
    edge_.clear();
    const Sight& sight = maker_.sight();
    for (std::int32_t c = 0; left > 0 && c < field_.cells(); ++c) {
      if (!sight.is_covered(c)) continue;
      const auto around = field_.of(c);
      if (std::any_of(around.begin(), around.end(),
                      [&](std::int32_t d) { return sight.state(d) == Sight::shown; }))
        edge_.push_back(c);
    }
    return left;
  }

  using Move = std::pair<std::int32_t, std::int32_t>;  // a mine, and the free cell it goes to

  // The content of a cell where certainty stopped goes elsewhere.
  Move move_at_the_edge() {
    std::int32_t a = edge_.empty() ? any_cell() : edge_[random_.below(edge_.size())];
    std::int32_t b = any_cell();
    if (mines_[a] == mines_[b] || !may_have_[a] || !may_have_[b]) return {a, a};
    return mines_[a] ? Move{a, b} : Move{b, a};
  }
  // Each pair of a mine and a place for it is as likely. A field without such a pair gets none.
  Move any_move() {
    ++out_.tries;
    for (std::int32_t i = 0; i < 8 * field_.cells(); ++i) {
      const std::int32_t a = any_cell(), b = any_cell();
      if (mines_[a] && !mines_[b] && may_have_[b]) return {a, b};
    }
    return {0, 0};
  }
  std::int32_t any_cell() { return std::int32_t(random_.below(std::uint64_t(field_.cells()))); }
  void move(std::int32_t from, std::int32_t to) {
    guard_.tick();
    guard_.add_nodes(1);
    mines_[from] = 0;
    mines_[to] = 1;
  }

  const Adjacency& field_;
  const Wish& wish_;
  Guard& guard_;
  Maker maker_;
  Random random_;
  std::uint64_t most_;
  std::vector<std::uint8_t> mines_, may_have_;
  std::vector<std::int32_t> edge_;
  Drawn out_;
};

}  // namespace

Drawn draw(const Adjacency& field, const Wish& wish, std::uint64_t seed, std::uint64_t first,
           std::uint64_t tries, Guard& guard) {
  Maker maker(field, wish, guard);
  Random seeds(seed);
  for (std::uint64_t i = 0; i < first; ++i) {
    guard.tick();
    seeds();
  }
  Drawn out;
  while (out.tries < tries) {
    ++out.tries;
    guard.add_nodes(1);
    auto mines = random_mines(field.cells(), wish.mines, wish.kept_free, seeds());
    if (!maker.qualifies(mines)) continue;
    out.mines = std::move(mines);
    break;
  }
  return out;
}

Drawn walk(const Adjacency& field, const Wish& wish, std::uint64_t seed, std::uint64_t tries,
           Guard& guard) {
  return Walk(field, wish, seed, tries, guard).walk();
}

}  // namespace sapper
