// Games by certainty alone against players who try every minefield.
#include <algorithm>
#include <numeric>
#include <string>

#include "classes.hpp"
#include "clue_sets.hpp"
#include "diagram/compiled_system.hpp"
#include "play/game.hpp"
#include "play/player.hpp"
#include "play/protocol.hpp"

namespace sapper::tests {

namespace {

using Cells = std::vector<std::int32_t>;
using Mines = std::vector<std::uint8_t>;

// A small board, or one that only other programs can follow.
struct Board {
  Adjacency field;
  Mines mines;
  std::int32_t start = 0;

  Board(Random& random, bool small) {
    static constexpr std::int32_t kEight[] = {-1, -1, -1, 0, -1, 1, 0, -1, 0, 1, 1, -1, 1, 0, 1, 1};
    static constexpr std::int32_t kSix[] = {-1, 0, -1, 1, 0, -1, 0, 1, 1, -1, 1, 0};
    const auto side = [&] { return std::int32_t(small ? 1 + random.below(4) : 5 + random.below(8)); };
    const std::int32_t height = side(), width = small ? std::min(side(), 12 / height) : side();
    const bool six = random.below(3) == 0;
    field = Adjacency::lattice(height, width, six ? std::span<const std::int32_t>(kSix) : kEight,
                               random.below(3) == 0);
    mines.resize(std::size_t(field.cells()));
    const std::uint64_t percent = small ? 10 + random.below(40) : 10 + random.below(15);
    for (auto& mine : mines) mine = random.below(100) < percent;
    start = std::int32_t(random.below(mines.size()));
    mines[start] = 0;
  }
};

// What a player sees, kept as plainly as can be.
class Naive {
 public:
  Naive(const Board& board, std::int32_t dug) : board_(board), status_(board.mines.size(), Game::covered) {
    reveal(dug);
  }

  void apply(std::int32_t c) {
    if (status_[c] != Game::covered) return;
    if (board_.mines[c])
      status_[c] = Game::flagged;
    else
      reveal(c);
  }
  std::int32_t number(std::int32_t c) const {
    std::int32_t n = 0;
    for (const std::int32_t d : board_.field.of(c)) n += board_.mines[d];
    return n;
  }
  const std::vector<std::uint8_t>& statuses() const { return status_; }

  // What one number says by itself.
  Cells single_points() const {
    Cells found;
    for (std::int32_t c = 0; c < board_.field.cells(); ++c) {
      if (status_[c] != Game::revealed) continue;
      std::int32_t need = number(c), open = 0;
      for (const std::int32_t d : board_.field.of(c)) {
        need -= status_[d] == Game::flagged;
        open += status_[d] == Game::covered;
      }
      if (need != 0 && need != open) continue;
      for (const std::int32_t d : board_.field.of(c))
        if (status_[d] == Game::covered) found.push_back(d);
    }
    return sorted(found);
  }

  // What all minefields that fit have in common.
  Cells inferences() const {
    const auto n = std::uint32_t(status_.size());
    std::uint32_t ever = 0, never = 0;
    for (std::uint32_t mask = 0; mask < 1u << n; ++mask)
      if (fits(mask)) {
        ever |= mask;
        never |= ~mask;
      }
    Cells found;
    for (std::uint32_t c = 0; c < n; ++c)
      if (status_[c] == Game::covered && (ever >> c & 1) != (never >> c & 1))
        found.push_back(std::int32_t(c));
    return found;
  }

  void make_all(Cells (Naive::*find)() const) {
    for (Cells found = (this->*find)(); !found.empty(); found = (this->*find)())
      for (const std::int32_t c : found) apply(c);
  }

 private:
  static Cells sorted(Cells cells) {
    std::ranges::sort(cells);
    cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
    return cells;
  }
  void reveal(std::int32_t c) {
    if (status_[c] != Game::covered) return;
    status_[c] = Game::revealed;
    if (number(c) == 0)
      for (const std::int32_t d : board_.field.of(c)) reveal(d);
  }
  bool fits(std::uint32_t mask) const {
    for (std::int32_t c = 0; c < board_.field.cells(); ++c) {
      const bool mine = mask >> c & 1;
      if (status_[c] == Game::covered) continue;
      if (mine != (status_[c] == Game::flagged)) return false;
      if (mine) continue;
      std::int32_t n = 0;
      for (const std::int32_t d : board_.field.of(c)) n += mask >> d & 1;
      if (n != number(c)) return false;
    }
    return true;
  }

  const Board& board_;
  std::vector<std::uint8_t> status_;
};

// The clues that a game shows are those of its open numbers.
void check_visible(const Game& game, const Naive& naive) {
  const System s = game.visible();
  std::int32_t clue = 0;
  for (std::int32_t c = 0; c < game.field().cells(); ++c) {
    if (naive.statuses()[c] != Game::revealed) continue;
    Cells around;
    std::int32_t need = naive.number(c);
    for (const std::int32_t d : game.field().of(c)) {
      if (naive.statuses()[d] == Game::covered) around.push_back(d);
      need -= naive.statuses()[d] == Game::flagged;
    }
    if (game.label(c) != naive.number(c) || game.need(c) != need ||
        game.open(c) != std::int32_t(around.size()))
      throw Wrong("a number differs");
    if (around.empty()) continue;
    if (clue == s.clues() || s.place_of[clue] != c || s.counts[clue] != need) throw Wrong("a clue differs");
    Cells cells;
    for (const std::int32_t v : s.clue(clue)) cells.push_back(s.cell_of[v]);
    std::ranges::sort(cells);
    if (cells != around) throw Wrong("the cells of a clue differ");
    ++clue;
  }
  if (clue != s.clues()) throw Wrong("there are clues too many");
}

// A covered cell, or -1.
std::int32_t some_covered(const Naive& naive, Random& random) {
  Cells covered;
  for (std::size_t c = 0; c < naive.statuses().size(); ++c)
    if (naive.statuses()[c] == Game::covered) covered.push_back(std::int32_t(c));
  return covered.empty() ? -1 : covered[random.below(covered.size())];
}

}  // namespace

void check_game(Random& random, Faults& faults) {
  const Board board(random, random.below(2) == 0);
  Guard guard({}, faults.hook());
  Game game(board.field, board.mines, guard);
  Naive naive(board, board.start);
  faults.insist_on(guard, [&] { game.reveal(board.start); });
  Cells news = game.take_news();
  for (int move = 0; move < 4; ++move) {
    if (game.statuses() != naive.statuses()) throw Wrong("cells differ");
    check_visible(game, naive);
    const Cells single = naive.single_points();
    if (move % 2 == 0) {
      const std::uint64_t before = faults.interrupts;
      const bool any = faults.insist_on(guard, [&] { return game.settle(); });
      naive.make_all(&Naive::single_points);
      // What was settled before an interrupt is not settled again.
      if (any == single.empty() && faults.interrupts == before) throw Wrong("was there a move: yes or no");
    } else if (const std::int32_t c = some_covered(naive, random); c >= 0) {
      faults.insist_on(guard, [&] { game.apply(c); });
      naive.apply(c);
    }
    const Cells more = game.take_news();
    news.insert(news.end(), more.begin(), more.end());
  }
  std::ranges::sort(news);
  Cells known;
  for (std::int32_t c = 0; c < board.field.cells(); ++c)
    if (game.status(c) != Game::covered) known.push_back(c);
  if (news != known) throw Wrong("the news are not what became known");
}

void check_player(Random& random, Faults& faults) {
  const bool small = random.below(4) != 0;
  const Board board(random, small);
  Guard guard({}, faults.hook());
  Player player(board.field, board.mines, guard);
  Game& game = player.game();
  faults.insist_on(guard, [&] { game.reveal(board.start); });
  Naive naive(board, board.start);
  for (int move = 0; move < 6; ++move) {
    const Cells found = faults.insist_on(guard, [&] { return player.inferences(); });
    Cells expected;
    if (small) {
      expected = naive.inferences();
    } else {
      const System s = game.visible();
      Vector<std::int8_t> values;
      Guard calm;
      if (!certain_values(s, values, calm)) throw Wrong("a game contradicts itself");
      for (std::int32_t v = 0; v < s.variables; ++v)
        if (values[v] >= 0) expected.push_back(s.cell_of[v]);
    }
    if (found != expected) throw Wrong("inferences differ");
    if (move % 3 == 2) {
      faults.insist_on(guard, [&] { player.play(); });
      if (small) naive.make_all(&Naive::inferences);
    } else {
      // An inference, or any cell at all: what is certain does not depend on how it was dug.
      const std::int32_t c = !found.empty() && random.below(2) == 0
                                 ? found[random.below(found.size())]
                                 : some_covered(naive, random);
      if (c < 0) return;
      faults.insist_on(guard, [&] { game.apply(c); });
      naive.apply(c);
    }
    if (small && game.statuses() != naive.statuses()) throw Wrong("cells differ");
    if (!small)
      for (std::int32_t c = 0; c < board.field.cells(); ++c)
        if (game.status(c) != Game::covered) naive.apply(c);
  }
}

namespace {

// Smallest cores, by trying all sets of the clues in sight.
void check_core_sizes(const Board& board, Protocol protocol, const MeasuredGame& measured) {
  Naive naive(board, board.start);
  std::size_t at = 0;
  while (true) {
    if (protocol != Protocol::batch) naive.make_all(&Naive::single_points);
    Cells found = naive.inferences();
    if (found.empty()) break;
    if (protocol == Protocol::sequential) found.resize(1);
    Guard guard;
    Game game(board.field, board.mines, guard);
    for (std::int32_t c = 0; c < board.field.cells(); ++c)
      if (naive.statuses()[c] != Game::covered) game.apply(c);
    const System s = game.visible();
    const ClueSets sets(s);
    for (const std::int32_t c : found) {
      if (at == measured.cores.size() || measured.cores[at].cell != c) throw Wrong("another inference is measured");
      const CoreSize& size = measured.cores[at++];
      const auto variable = std::int32_t(std::ranges::lower_bound(s.cell_of, c) - s.cell_of.begin());
      const bool refuted = !board.mines[c];
      if (size.smallest > size.minimal || !sets.has_core_of(size.smallest, variable, refuted) ||
          sets.has_core_of(size.smallest - 1, variable, refuted))
        throw Wrong("a smallest core is not");
    }
    for (const std::int32_t c : found) naive.apply(c);
  }
  if (at != measured.cores.size()) throw Wrong("more is measured than there is");
}

}  // namespace

void check_protocols(Random& random, Faults& faults) {
  const Board board(random, true);
  Naive naive(board, board.start);
  naive.make_all(&Naive::inferences);
  for (const Protocol protocol : {Protocol::sequential, Protocol::hybrid, Protocol::batch}) {
    const auto extraction = random.below(2) ? Extraction::rings : Extraction::deletion;
    const Measure measure{protocol, extraction, true, true, true};
    const MeasuredGame game = faults.insist(
        [&](Guard& g) { return play_measured(board.field, board.mines, board.start, measure, g); });
    if (game.status != naive.statuses()) throw Wrong("protocols differ from the player");
    check_core_sizes(board, protocol, game);
  }
  const TurnGame turns =
      faults.insist([&](Guard& g) { return play_turns(board.field, board.mines, board.start, 1, g); });
  if (turns.status != naive.statuses()) throw Wrong("turns differ from the player");
  if (turns.stuck != (turns.hints > 0) || turns.turns > turns.all_turns) throw Wrong("turns that cannot be");
  Naive single(board, board.start);
  single.make_all(&Naive::single_points);
  std::vector<std::uint8_t> before = single.statuses();
  for (std::int32_t k = 1; k <= 4; ++k) {
    const auto found = faults.insist(
        [&](Guard& g) { return play_by_k_sets(board.field, board.mines, board.start, k, g); });
    if (k == 1 && found != before) throw Wrong("k = 1 is not the single-point rule");
    for (std::size_t c = 0; c < found.size(); ++c)
      if ((before[c] != Game::covered && found[c] != before[c]) ||
          (found[c] != Game::covered && found[c] != naive.statuses()[c]))
        throw Wrong("what k-sets find: more than there is, or less than for k - 1");
    before = found;
  }
}

}  // namespace sapper::tests
