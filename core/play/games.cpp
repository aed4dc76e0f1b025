#include "play/games.hpp"

#include "play/random_boards.hpp"

namespace sapper {

namespace {

class Table {
 public:
  Table(const Adjacency& field, const Match& match, Guard& guard)
      : field_(field),
        start_(match.start),
        guard_(guard),
        player_(field, match.mines, match.guessing, match.effort, guard),
        numbers_(std::size_t(field.cells())) {}

  void play(std::span<const std::uint8_t> mines, std::uint64_t seed, Played& out) {
    guard_.tick(std::uint32_t(field_.cells()));
    for (std::int32_t c = 0; c < field_.cells(); ++c) {
      std::int32_t n = 0;
      for (const std::int32_t d : field_.of(c)) n += mines[d];
      numbers_[c] = n;
    }
    player_.begin(seed);
    std::int32_t digs = 0, guesses = 0;
    double luck = 1;
    bool alive = true;
    if (!player_.is_won()) {  // with nothing but mines it is, and nothing is dug
      digs = 1;
      alive = !mines[start_];
      if (alive) player_.show(start_, numbers_[start_]);
    }
    while (alive && !player_.is_won()) {
      const Choice choice = player_.choose();
      guesses += choice.is_guess;
      luck *= 1 - choice.risk;
      for (const std::int32_t c : choice.cells) {
        ++digs;
        if (mines[c]) {
          alive = false;
          break;
        }
        player_.show(c, numbers_[c]);
      }
    }
    out.won.push_back(alive);
    out.digs.push_back(digs);
    out.guesses.push_back(guesses);
    out.luck.push_back(luck);
  }

 private:
  const Adjacency& field_;
  std::int32_t start_;
  Guard& guard_;
  Strategist player_;
  std::vector<std::int32_t> numbers_;
};

}  // namespace

Played play_seeds(const Adjacency& field, const Match& match, std::span<const std::uint64_t> seeds,
                  Guard& guard) {
  Table table(field, match, guard);
  Played out;
  for (const std::uint64_t seed : seeds)
    table.play(random_mines(field.cells(), match.mines, match.kept_free, seed), seed, out);
  return out;
}

Played play_layouts(const Adjacency& field, const Match& match,
                    std::span<const std::uint8_t> layouts, std::span<const std::uint64_t> seeds,
                    Guard& guard) {
  Table table(field, match, guard);
  Played out;
  const auto cells = std::size_t(field.cells());
  for (std::size_t i = 0; i < seeds.size(); ++i)
    table.play(layouts.subspan(i * cells, cells), seeds[i], out);
  return out;
}

}  // namespace sapper
