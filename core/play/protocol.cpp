#include "play/protocol.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "base/random.hpp"
#include "methods/explain.hpp"
#include "methods/kset.hpp"
#include "play/player.hpp"

namespace sapper {

namespace {

// Cores of some inferences of one visible state.
class CoreMeter {
 public:
  CoreMeter(const Game& game, const Measure& wanted, MeasuredGame& result, Guard& guard)
      : game_(game), wanted_(wanted), result_(result), guard_(guard) {}

  void measure(std::int32_t cell) {
    // A number that decides the cell by itself is a core that cannot be beaten.
    std::vector<std::int32_t> minimal, smallest;
    if (const std::int32_t number = single_point(cell); number >= 0) minimal = smallest = {number};
    const bool deletion = wanted_.extraction == Extraction::deletion;
    if (minimal.empty() || deletion) {
      if (!finder_) finder_.emplace(game_.visible());
      const auto& cells = finder_->system().cell_of;
      const auto at = std::lower_bound(cells.begin(), cells.end(), cell);
      const auto variable = static_cast<std::int32_t>(at - cells.begin());
      const bool refuted = !game_.is_mine(cell);
      if (wanted_.smallest && smallest.empty())
        smallest = numbers(finder_->core(variable, refuted, true, 0, guard_));
      minimal = numbers(deletion ? finder_->by_deletion(variable, refuted, guard_)
                                 : finder_->core(variable, refuted, false, 0, guard_));
    }
    if (!wanted_.smallest) smallest.clear();
    keep(minimal, smallest);
    result_.cores.push_back({cell, static_cast<std::int32_t>(minimal.size()),
                             static_cast<std::int32_t>(smallest.size()),
                             wanted_.picks ? picks(wanted_.smallest ? smallest : minimal, cell) : 0});
  }

 private:
  // A number that decides a cell by itself, or -1.
  std::int32_t single_point(std::int32_t cell) const {
    for (const std::int32_t d : game_.field().of(cell))
      if (game_.status(d) == Game::revealed &&
          (game_.need(d) == 0 || game_.need(d) == game_.open(d)))
        return d;
    return -1;
  }

  // The numbers of a core.
  std::vector<std::int32_t> numbers(const std::optional<CoreFinder::Ids>& ids) const {
    if (!ids) throw std::logic_error("an inference without a core");
    std::vector<std::int32_t> out;
    for (const std::int32_t id : *ids) out.push_back(finder_->system().place_of[id]);
    std::sort(out.begin(), out.end());
    return out;
  }

  void keep(const std::vector<std::int32_t>& minimal, const std::vector<std::int32_t>& smallest) {
    if (!wanted_.clues) return;
    for (const auto* numbers : {&minimal, &smallest})
      for (const std::int32_t n : *numbers) {
        result_.clues.insert(result_.clues.end(), {n, game_.need(n), game_.open(n)});
        for (const std::int32_t d : game_.field().of(n))
          if (game_.status(d) == Game::covered) result_.clues.push_back(d);
      }
  }

  std::int32_t picks(const std::vector<std::int32_t>& numbers, std::int32_t cell) {
    const System system = game_.visible(numbers);
    const auto at = std::lower_bound(system.cell_of.begin(), system.cell_of.end(), cell);
    const auto variable = at - system.cell_of.begin();
    // A minimal core needs each of its clues, so less than one pick for each cannot do.
    const auto size = static_cast<std::int32_t>(numbers.size());
    if (size > kMostPicks)
      return decided_by_signs(system, static_cast<std::int32_t>(variable), guard_) ? size : 0;
    for (std::int32_t k = size; k <= kMostPicks; ++k)
      if (k_set_search(system, k, false, guard_).values[variable] >= 0) return k;
    return 0;
  }

  const Game& game_;
  const Measure& wanted_;
  MeasuredGame& result_;
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
                           std::int32_t start, const Measure& measure, Guard& guard) {
  MeasuredGame result;
  Player player(field, std::move(mines), guard);
  Game& game = player.game();
  game.reveal(start);
  while (true) {
    if (measure.protocol != Protocol::batch && game.settle()) result.single_points = true;
    std::vector<std::int32_t> found = player.inferences();
    if (found.empty()) break;
    if (measure.protocol == Protocol::sequential) found.erase(found.begin() + 1, found.end());
    CoreMeter meter(game, measure, result, guard);
    for (const std::int32_t c : found) meter.measure(c);
    for (const std::int32_t c : found) game.apply(c);
  }
  result.status = game.statuses();
  return result;
}

TurnGame play_turns(const Adjacency& field, std::vector<std::uint8_t> mines, std::int32_t start,
                    std::uint64_t seed, Guard& guard) {
  TurnGame result;
  Random random(seed);
  Player player(field, std::move(mines), guard);
  Game& game = player.game();
  game.reveal(start);
  while (true) {
    for (auto found = player.inferences(); !found.empty(); found = player.inferences()) {
      for (const std::int32_t c : found) game.apply(c);
      ++result.all_turns;
    }
    std::vector<std::int32_t> near, far;
    for (std::int32_t c = 0; c < field.cells(); ++c) {
      guard.tick();
      if (game.status(c) != Game::covered || game.is_mine(c)) continue;
      const auto around = field.of(c);
      const bool touched = std::any_of(around.begin(), around.end(),
                                       [&](std::int32_t d) { return game.is_open(d); });
      (touched ? near : far).push_back(c);
    }
    const auto& choice = near.empty() ? far : near;
    if (result.hints == 0) {
      result.turns = result.all_turns;
      result.status = game.statuses();
      result.stuck = !choice.empty();
    }
    if (choice.empty()) return result;
    ++result.hints;
    game.reveal(choice[random.below(choice.size())]);
  }
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
