#include "play/grade.hpp"

#include <algorithm>
#include <optional>

#include "methods/explain.hpp"
#include "play/certainty.hpp"
#include "play/game.hpp"
#include "play/protocol.hpp"

namespace sapper {

namespace {

constexpr std::int32_t kAfterPairs = 3;

// A stretch of the path in which numbers alone were enough, and what was then told besides.
struct Stretch {
  std::int32_t shown;  // cells that are uncovered at its end
  std::vector<std::int32_t> told;
};

class Grader {
 public:
  Grader(const Adjacency& field, std::span<const std::uint8_t> mines, std::int32_t total, Guard& guard)
      : field_(field), guard_(guard), player_(field, total, true, guard), mines_(mines) {}

  Grade grade(std::int32_t start) {
    if (!player_.begin(mines_, start)) {
      out_.finished = player_.sight().is_won();
      return out_;
    }
    note(1, 0);
    while (true) {
      guard_.add_nodes(1);
      player_.settle();
      if (player_.sight().is_won()) break;
      if (player_.use_pairs(false)) {
        note(2, 1);
        continue;
      }
      const auto found = player_.find();
      if (found.empty()) {
        const std::int32_t cell = player_.safest();
        out_.guessed.push_back(cell);
        tell({cell});
      } else if (player_.by_total()) {
        ++out_.total_steps;
        note(size_with_total(found), 1);
        tell({found.begin(), found.end()});
      } else {
        deduce({found.begin(), found.end()});
      }
    }
    tell({});
    for (out_.k = 1; out_.k <= Grade::kMostK; ++out_.k)
      if (is_enough(out_.k, start)) return out_;
    out_.k = 0;
    return out_;
  }

 private:
  void note(std::int32_t size, std::int32_t times) {
    if (std::int32_t(out_.sizes.size()) <= size) out_.sizes.resize(std::size_t(size) + 1, 0);
    out_.sizes[size] += times;
  }

  void tell(std::vector<std::int32_t> cells) {
    std::int32_t shown = 0;
    for (std::int32_t c = 0; c < field_.cells(); ++c)
      shown += player_.sight().state(c) == Sight::shown;
    for (const std::int32_t c : cells) player_.apply(c);
    path_.push_back({shown, std::move(cells)});
  }

  // Makes the easiest of these deductions, and what else its core forces.
  void deduce(const std::vector<std::int32_t>& found) {
    std::optional<CoreFinder> finder;
    std::vector<std::int32_t> core;
    std::int32_t region = -1, best_region = -1, best = 0;
    const auto groups = player_.groups();
    const auto& regions = player_.frontier().regions();
    if (groups.empty()) {  // by the engine
      finder.emplace(System::from_labels(field_, player_.labels(), false, 0));
      for (const std::int32_t c : found)
        if (improve(*finder, c, best, core) && best == kAfterPairs) break;
    } else {
      for (const auto& [r, g] : groups) {
        if (r != region) finder.emplace(system_of(*regions[r]));
        region = r;
        if (!improve(*finder, regions[r]->group(g)[0], best, core)) continue;
        best_region = r;
        if (best == kAfterPairs) break;
      }
      if (best_region != region) finder.emplace(system_of(*regions[best_region]));
    }
    note(best, 1);
    const auto& cells = finder->system().cell_of;
    for (const std::int32_t c : found) {
      const auto at = std::find(cells.begin(), cells.end(), c);
      if (at == cells.end()) continue;
      if (!finder->witness(core, std::int32_t(at - cells.begin()), !player_.is_mine(c), {}, guard_))
        player_.apply(c);
    }
  }

  bool improve(CoreFinder& finder, std::int32_t cell, std::int32_t& best, std::vector<std::int32_t>& core) {
    const auto& cells = finder.system().cell_of;
    const auto v = std::int32_t(std::find(cells.begin(), cells.end(), cell) - cells.begin());
    auto found = finder.core(v, !player_.is_mine(cell), true, best, guard_);
    if (!found || (best > 0 && std::int32_t(found->size()) >= best)) return false;
    core.assign(found->begin(), found->end());
    best = std::int32_t(core.size());
    return true;
  }

  System system_of(const Region& r) const {
    System s;
    s.variables = std::int32_t(r.cells.size());
    s.cell_of.assign(r.cells.begin(), r.cells.end());
    for (std::size_t i = 0; i < r.clues.size(); ++i) {
      for (std::int32_t k = r.clue_offsets[i]; k < r.clue_offsets[i + 1]; ++k) {
        const std::int32_t g = r.clue_groups[k];
        for (std::int32_t c = r.cell_offsets[g]; c < r.cell_offsets[g + 1]; ++c) s.cells.push_back(c);
      }
      s.offsets.push_back(std::int32_t(s.cells.size()));
      s.counts.push_back(player_.sight().need(r.clues[i]));
      s.place_of.push_back(r.clues[i]);
    }
    return s;
  }

  // The clues of a smallest core that has the total.
  std::int32_t size_with_total(std::span<const std::int32_t> found) {
    if (player_.sight().mines_left() == 0) return 1;
    CoreFinder finder(System::from_labels(field_, player_.labels(), true, player_.sight().mines()));
    std::vector<std::int32_t> core;
    std::int32_t best = 0;
    for (const std::int32_t c : found) {
      // Cells beside the same numbers have the same cores.
      std::vector<std::int32_t> around;
      for (const std::int32_t d : field_.of(c))
        if (player_.sight().state(d) == Sight::shown) around.push_back(d);
      if (std::find(alike_.begin(), alike_.end(), around) != alike_.end()) continue;
      alike_.push_back(std::move(around));
      improve(finder, c, best, core);
    }
    alike_.clear();
    return best;
  }

  // Does k-set search get as far on each stretch of the path?
  bool is_enough(std::int32_t k, std::int32_t start) {
    Game game(field_, {mines_.begin(), mines_.end()}, guard_);
    game.reveal(start);
    for (const Stretch& stretch : path_) {
      infer_by_k_sets(game, k, guard_);
      const auto& status = game.statuses();
      if (std::count(status.begin(), status.end(), std::uint8_t(Game::revealed)) < stretch.shown)
        return false;
      for (const std::int32_t c : stretch.told)
        if (game.status(c) == Game::covered) game.apply(c);
    }
    return true;
  }

  const Adjacency& field_;
  Guard& guard_;
  Certainty player_;
  std::span<const std::uint8_t> mines_;
  std::vector<Stretch> path_;
  std::vector<std::vector<std::int32_t>> alike_;
  Grade out_;
};

}  // namespace

Grade grade_board(const Adjacency& field, std::span<const std::uint8_t> mines, std::int32_t start,
                  Guard& guard) {
  const auto total = std::int32_t(std::count(mines.begin(), mines.end(), std::uint8_t(1)));
  return Grader(field, mines, total, guard).grade(start);
}

Level level_of(const Grade& grade) {
  const std::int32_t hardest = grade.hardest();
  if (hardest >= 6) return Level::fiendish;
  if (hardest >= 4) return Level::hard;
  if (hardest == 3) return Level::tricky;
  return hardest == 2 || grade.total_steps > 0 ? Level::easy : Level::trivial;
}

}  // namespace sapper
