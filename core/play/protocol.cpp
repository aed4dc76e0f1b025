#include "play/protocol.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "methods/explain.hpp"
#include "methods/kset.hpp"
#include "play/player.hpp"

namespace sapper {

namespace {

// Cores of some inferences of one visible state.
class CoreMeter {
 public:
  CoreMeter(const Game& game, bool smallest, Guard& guard)
      : game_(game), smallest_(smallest), guard_(guard) {}

  CoreSize measure(std::int32_t cell) {
    // A number that decides the cell by itself is a core that cannot be beaten.
    if (game_.is_single_point(cell)) return {cell, 1, smallest_ ? 1 : 0};
    if (!finder_) finder_.emplace(game_.visible());
    const auto& cells = finder_->system().cell_of;
    const auto at = std::lower_bound(cells.begin(), cells.end(), cell);
    const auto variable = static_cast<std::int32_t>(at - cells.begin());
    const bool refuted = !game_.is_mine(cell);
    const std::int32_t minimal = size(variable, refuted, false);
    return {cell, minimal, smallest_ ? size(variable, refuted, true) : 0};
  }

 private:
  std::int32_t size(std::int32_t variable, bool refuted, bool smallest) {
    const auto core = finder_->core(variable, refuted, smallest, 0, guard_);
    if (!core) throw std::logic_error("an inference without a core");
    return static_cast<std::int32_t>(core->size());
  }

  const Game& game_;
  bool smallest_;
  Guard& guard_;
  std::optional<CoreFinder> finder_;
};

// Numbers whose clue changed with these cells, and all within some steps of them.
std::vector<std::int32_t> around(const Game& game, const std::vector<std::int32_t>& news,
                                 std::int32_t steps, std::vector<std::uint8_t>& seen) {
  const Adjacency& field = game.field();
  std::vector<std::int32_t> found;
  const auto add = [&](std::int32_t c) {
    if (seen[c] || !game.is_open(c)) return;
    seen[c] = 1;
    found.push_back(c);
  };
  for (const std::int32_t c : news) {
    add(c);
    for (const std::int32_t d : field.of(c)) add(d);
  }
  std::size_t ring = 0;
  for (std::int32_t step = 0; step < steps && ring < found.size(); ++step) {
    const std::size_t end = found.size();
    for (; ring < end; ++ring)
      for (const std::int32_t d : field.of(found[ring]))
        if (game.status(d) == Game::covered)
          for (const std::int32_t e : field.of(d)) add(e);
  }
  for (const std::int32_t c : found) seen[c] = 0;
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

MeasuredGame play_measured(const Adjacency& field, std::vector<std::uint8_t> mines,
                           std::int32_t start, Protocol protocol, bool smallest, Guard& guard) {
  MeasuredGame result;
  Player player(field, std::move(mines), guard);
  Game& game = player.game();
  game.reveal(start);
  while (true) {
    if (protocol != Protocol::batch && game.settle()) result.single_points = true;
    std::vector<std::int32_t> found = player.inferences();
    if (found.empty()) break;
    if (protocol == Protocol::sequential) found.erase(found.begin() + 1, found.end());
    CoreMeter meter(game, smallest, guard);
    for (const std::int32_t c : found) result.cores.push_back(meter.measure(c));
    for (const std::int32_t c : found) game.apply(c);
  }
  result.status = game.statuses();
  return result;
}

void infer_by_k_sets(Game& game, std::int32_t k, Guard& guard) {
  game.settle();
  if (k == 1) return;
  std::vector<std::uint8_t> seen(std::size_t(game.field().cells()), 0);
  // Combinations of clues that did not change were looked at before, and gave nothing. Those with
  // a changed clue hang together, so they lie within k - 1 steps of it.
  for (auto news = game.take_news(); !news.empty(); news = game.take_news()) {
    const auto numbers = around(game, news, k - 1, seen);
    if (numbers.empty()) continue;
    const System system = game.visible(numbers);
    const KSetResult found = k_set_search(system, k, false, guard);
    for (std::int32_t v = 0; v < system.variables; ++v) {
      if (found.values[v] < 0) continue;
      const std::int32_t c = system.cell_of[v];
      if (!found.consistent || (found.values[v] == 1) != game.is_mine(c))
        throw std::logic_error("k-set search contradicts the board");
      game.apply(c);
    }
    game.settle();
  }
}

std::vector<std::uint8_t> play_by_k_sets(const Adjacency& field, std::vector<std::uint8_t> mines,
                                         std::int32_t start, std::int32_t k, Guard& guard) {
  Game game(field, std::move(mines), guard);
  game.reveal(start);
  infer_by_k_sets(game, k, guard);
  return game.statuses();
}

}  // namespace sapper
