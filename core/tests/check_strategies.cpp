// Strategies against the list of all minefields with the right number of mines.
#include <algorithm>
#include <bit>
#include <cmath>
#include <set>
#include <utility>

#include "classes.hpp"
#include "play/outlook.hpp"
#include "play/samples.hpp"
#include "play/strategy.hpp"

namespace sapper::tests {

namespace {

using Cells = std::vector<std::int32_t>;

struct SmallBoard {
  Adjacency field;
  std::uint32_t mines = 0;  // a bit for each cell

  explicit SmallBoard(Random& random) {
    static constexpr std::int32_t kEight[] = {-1, -1, -1, 0, -1, 1, 0, -1, 0, 1, 1, -1, 1, 0, 1, 1};
    static constexpr std::int32_t kSix[] = {-1, 0, -1, 1, 0, -1, 0, 1, 1, -1, 1, 0};
    const auto height = std::int32_t(1 + random.below(4));
    const auto width = std::int32_t(1 + random.below(std::uint64_t(14 / height)));
    field = Adjacency::lattice(height, width, random.below(3) == 0 ? std::span<const std::int32_t>(kSix) : kEight,
                               random.below(3) == 0);
    for (std::int32_t c = 0; c < field.cells(); ++c)
      if (random.below(100) < 30) mines |= 1u << c;
  }
  std::int32_t number(std::int32_t cell, std::uint32_t world) const {
    std::int32_t n = 0;
    for (const std::int32_t d : field.of(cell)) n += world >> d & 1;
    return n;
  }
};

// The worlds in which the cells that were dug show what they show.
std::vector<std::uint32_t> worlds_of(const SmallBoard& board, const Cells& dug) {
  std::vector<std::uint32_t> worlds;
  for (std::uint32_t w = 0; w < 1u << board.field.cells(); ++w)
    if (std::popcount(w) == std::popcount(board.mines) && std::ranges::all_of(dug, [&](std::int32_t c) {
          return !(w >> c & 1) && board.number(c, w) == board.number(c, board.mines);
        }))
      worlds.push_back(w);
  return worlds;
}

constexpr std::int32_t kEightAround[] = {-1, -1, -1, 0, -1, 1, 0, -1, 0, 1, 1, -1, 1, 0, 1, 1};

// What is thought of a position is a chance, and no coin toss brings back the dead.
void look_out(Outlook& outlook, Sight& sight, Frontier& frontier) {
  if (sight.is_broken() || !frontier.look(sight) || std::isinf(frontier.log_worlds()) || sight.is_won()) return;
  const double chance = outlook.of(sight, frontier);
  if (!(chance >= 0 && chance <= 1)) throw Wrong("an outlook that is no chance");
  const Outlook::Terms terms = outlook.terms(sight, frontier);
  if (!(terms.back() >= 0)) throw Wrong("less than no deaths by coin tosses");
  if (!std::ranges::all_of(terms, [](double t) { return std::isfinite(t); })) throw Wrong("a term that is no number");
}

std::vector<double> chances_of(const Sight& sight, const Frontier& frontier) {
  std::vector<double> chances(std::size_t(sight.cells()), frontier.floating_chance());
  for (std::size_t i = 0; i < frontier.regions().size(); ++i)
    for (std::int32_t g = 0; g < frontier.regions()[i]->groups(); ++g)
      for (const std::int32_t c : frontier.regions()[i]->group(g)) chances[c] = frontier.chance(i, g);
  return chances;
}

// 16 x 16 with 40 mines: if the dig at (0, 1) shows 3, a chance is rounded to more than 1. Once that made the
// outlook no number.
void look_at_rounded_chance(Outlook& outlook) {
  static constexpr std::pair<std::int32_t, std::int32_t> kShown[] = {
      {0, 1},   {15, 1},  {32, 2},  {192, 2}, {210, 3}, {224, 1},
      {225, 2}, {240, 0}, {241, 1}, {243, 2}, {255, 1}};
  const Adjacency field = Adjacency::lattice(16, 16, kEightAround, false);
  Sight sight(field, 40);
  Frontier frontier(field);
  Guard guard;
  outlook.prepare(field, guard);
  for (const auto& [cell, number] : kShown) sight.show(cell, number);
  frontier.look(sight);
  outlook.watch(sight, chances_of(sight, frontier));
  sight.show(1, 3);
  look_out(outlook, sight, frontier);
}

// A risk is taken beside safe cells only if more than one world is left and each of them shows the same in all.
void check_least_risk(Random& random) {
  const SmallBoard board(random);
  Guard guard;
  Outlook outlook;
  outlook.prepare(board.field, guard);
  Sight sight(board.field, std::popcount(board.mines));
  Frontier frontier(board.field);
  Cells dug;
  for (int dig = 0; dig < 8; ++dig) {
    const auto c = std::int32_t(random.below(std::uint64_t(board.field.cells())));
    if (board.mines >> c & 1 || !sight.is_covered(c)) continue;
    sight.show(c, board.number(c, board.mines));
    dug.push_back(c);
    if (!frontier.look(sight)) continue;
    const double risk = outlook.least_risk(sight, frontier);
    const auto worlds = worlds_of(board, dug);
    double least = 1;
    bool safe = false, known = true;
    for (std::int32_t d = 0; d < board.field.cells(); ++d) {
      if (!sight.is_covered(d)) continue;
      std::set<std::int32_t> numbers;
      std::size_t mined = 0;
      for (const std::uint32_t w : worlds) {
        mined += w >> d & 1;
        numbers.insert(board.number(d, w));
      }
      if (mined > 0) least = std::min(least, double(mined) / double(worlds.size()));
      if (mined > 0) continue;
      safe = true;
      known = known && numbers.size() == 1;
    }
    if (risk > 0 && std::abs(risk - least) > 1e-9) throw Wrong("a risk that is not the least");
    if (risk > 0 && safe && (!known || worlds.size() == 1)) throw Wrong("a risk beside a safe cell that tells");
    if (risk == 0 && !safe && !sight.is_won()) throw Wrong("no risk without a safe cell");
  }
}

// A row of three with a mine at its end; and of nine, 1 * ? 0 1 * ? ? ?, in which the third shows a 1 whatever the rest.
void check_known_numbers() {
  const auto risk = [](std::int32_t height, std::int32_t width, std::int32_t mines,
                       std::initializer_list<std::pair<std::int32_t, std::int32_t>> shown) {
    const Adjacency field = Adjacency::lattice(height, width, kEightAround, false);
    Guard guard;
    Outlook outlook;
    outlook.prepare(field, guard);
    Sight sight(field, mines);
    Frontier frontier(field);
    for (const auto& [cell, number] : shown) sight.show(cell, number);
    frontier.look(sight);
    return outlook.least_risk(sight, frontier);
  };
  if (risk(1, 3, 1, {{0, 0}}) != 0) throw Wrong("a risk where all is known");
  if (std::abs(risk(1, 9, 3, {{0, 1}, {3, 0}, {4, 1}}) - 1.0 / 3) > 1e-9) throw Wrong("no risk where nothing tells");
}

}  // namespace

void check_outlook(Random& random, Faults& faults) {
  check_least_risk(random);
  check_known_numbers();
  const auto height = std::int32_t(2 + random.below(7)), width = std::int32_t(2 + random.below(7));
  const Adjacency field = Adjacency::lattice(height, width, kEightAround, random.below(3) == 0);
  std::vector<std::uint8_t> mines(std::size_t(field.cells()));
  std::int32_t count = 0;
  for (auto& m : mines) count += m = random.below(100) < 25;
  Outlook outlook;
  Guard guard({}, faults.hook());
  faults.insist_on(guard, [&] { outlook.prepare(field, guard); });
  Sight sight(field, count);
  Frontier frontier(field);
  for (int dig = 0; dig < 12 && frontier.look(sight); ++dig) {
    outlook.watch(sight, chances_of(sight, frontier));
    const auto c = std::int32_t(random.below(std::uint64_t(field.cells())));
    if (mines[c] || !sight.is_covered(c)) continue;
    std::int32_t number = 0;
    for (const std::int32_t d : field.of(c)) number += mines[d];
    sight.show(c, number);
    look_out(outlook, sight, frontier);
  }
  look_at_rounded_chance(outlook);
}

// Worlds that are drawn are worlds, none twice; a dig that wins most of them is one of those asked about.
void check_samples(Random& random, Faults& faults) {
  const std::int32_t side = 4 + std::int32_t(random.below(3));
  const Adjacency field = Adjacency::lattice(side, side, kEightAround, false);
  std::vector<std::uint8_t> mines(std::size_t(field.cells()));
  std::int32_t count = 0;
  for (auto& m : mines) count += m = random.below(100) < 25;
  Guard guard({}, faults.hook());
  Sight sight(field, count);
  Frontier frontier(field);
  LookAhead look_ahead(field, count, LookAhead::Worth::outlook);
  Samples samples;
  Worlds all, some;
  for (int dig = 0; dig < 8; ++dig) {
    const auto c = std::int32_t(random.below(std::uint64_t(field.cells())));
    if (mines[c] || !sight.is_covered(c)) continue;
    std::int32_t number = 0;
    for (const std::int32_t d : field.of(c)) number += mines[d];
    sight.show(c, number);
    if (sight.is_won() || !frontier.look(sight) || frontier.log_worlds() > std::log(20'000)) continue;
    all.list(sight, frontier);
    some.draw(sight, frontier, 40);
    std::set<std::vector<std::uint8_t>> listed, drawn;
    for (std::size_t w = 0; w < all.count; ++w) listed.emplace(all.of(w), all.of(w) + all.stride);
    for (std::size_t w = 0; w < some.count; ++w)
      if (std::vector<std::uint8_t> row(some.of(w), some.of(w) + some.stride); !listed.contains(row))
        throw Wrong("what was drawn is no world");
      else if (!drawn.insert(row).second)
        throw Wrong("a world was drawn twice");
    if (drawn.size() < std::min<std::size_t>(listed.size(), 8)) throw Wrong("too few worlds were drawn");
    const std::vector<double> chances = chances_of(sight, frontier);
    if (std::ranges::any_of(chances, [](double p) { return p == 0; })) continue;
    faults.insist_on(guard, [&] { return look_ahead.choose(sight, frontier, chances, 1, guard); });
    const auto digs = look_ahead.digs();
    const auto pick = [&](Samples& by, Guard& who) { return by.choose(sight, frontier, digs, 1, who); };
    const std::int32_t cell = faults.insist_on(guard, [&] { return pick(samples, guard); });
    if (cell >= 0 && std::ranges::find(digs, cell, &LookAhead::Dig::cell) == digs.end())
      throw Wrong("a dig that was not asked about");
    Guard calm;
    Samples fresh;
    if (pick(fresh, calm) != cell) throw Wrong("the past of samples shows");
  }
}

void check_strategist(Random& random, Faults& faults) {
  const SmallBoard board(random);
  const auto guessing = Guessing(1 + random.below(6));  // all but `random`
  const std::uint64_t seed = random();
  const std::int32_t mines = std::popcount(board.mines);
  Guard guard({}, faults.hook()), calm;
  Strategist player(board.field, mines, guessing, 1, guard);
  player.begin(seed);
  Cells dug;
  while (!player.is_won()) {
    const std::vector<std::uint32_t> worlds = worlds_of(board, dug);
    const Choice choice = faults.insist_on(guard, [&] { return player.choose(); });
    const Cells cells(choice.cells.begin(), choice.cells.end());
    const auto mined_in = [&](std::int32_t c) {
      return std::size_t(std::ranges::count_if(worlds, [c](std::uint32_t w) { return w >> c & 1; }));
    };
    bool any_safe = false;
    for (std::int32_t c = 0; c < board.field.cells(); ++c)
      any_safe = any_safe || (std::ranges::find(dug, c) == dug.end() && mined_in(c) == 0);
    if (cells.empty() || choice.is_guess == any_safe) throw Wrong("a guess, or not");
    for (const std::int32_t c : cells) {
      if (std::ranges::find(dug, c) != dug.end()) throw Wrong("a cell is dug twice");
      if (any_safe ? mined_in(c) != 0 : mined_in(c) == worlds.size()) throw Wrong("a mine for certain");
    }
    if (choice.is_guess) {
      const double risk = double(mined_in(cells[0])) / double(worlds.size());
      if (cells.size() != 1 || std::abs(risk - choice.risk) > 1e-9) throw Wrong("the risk differs");
      // Interrupts leave no trace, and the past no more than what it showed.
      Strategist fresh(board.field, mines, guessing, 1, calm);
      fresh.begin(seed);
      for (const std::int32_t c : dug) fresh.show(c, board.number(c, board.mines));
      const Choice again = fresh.choose();
      if (guessing != Guessing::certain && (!again.is_guess || std::abs(again.risk - choice.risk) > 1e-9))
        throw Wrong("a fresh player guesses at another risk");
    }
    for (const std::int32_t c : cells) {
      if (board.mines >> c & 1) return;
      player.show(c, board.number(c, board.mines));
      dug.push_back(c);
    }
  }
}

}  // namespace sapper::tests
