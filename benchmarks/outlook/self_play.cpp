// Games from which the weights of core/play/outlook.cpp are fitted, and by which changes are compared.
//
// A game's value is its result with the luck of guesses taken out: before each guess its expected
// outlook is computed, over all numbers and the mine, and what the guess brought instead is
// subtracted. The mean stays the same whatever the outlook says, for mines are as likely as they are
// counted; the variance falls to less than half. Games that reach perfect play end with their exact
// chance. With rows, each guess writes the terms of the position after it and the value of the rest.
// With digs, every dig that a guess compared is tried, on the same board and with the champion's digs after
// it: what differs between them is what the weights of core/play/look_ahead.cpp are fitted to.
//
// With worlds, all digs that look nearly as good are tried, on so many worlds drawn for each guess: what the best of
// them would have won more is what the guess lost (regret.py).
//
//   self_play HEIGHT WIDTH MINES safe|zero SEED GAMES EXPLORE [VALUES [ROWS [DIGS [WORLDS [EFFORT]]]]]
//
// EXPLORE is the share of guesses that are taken at random, among cells nearly as safe as the safest.
// VALUES gets a float for each game, ROWS a row of floats for each guess, DIGS one for each dig compared: the
// number of its guess, the logarithm to the base 10 of the worlds, whether it was chosen, its terms, the value. - is
// no file. WORLDS 0, unless given, is the board itself. EFFORT is the champion's. Games have the seeds
// SEED * 10^8, SEED * 10^8 + 1, ...; GAMES may be FROM-TO, without TO, so that processes can share a run. A line
// tells how far it is every 50,000 games.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <utility>

#include "base/limits.hpp"
#include "base/random.hpp"
#include "play/endgame.hpp"
#include "play/look_ahead.hpp"
#include "play/random_boards.hpp"
#include "play/samples.hpp"

using namespace sapper;

namespace {

constexpr double kNearlyAsSafe = 0.88;
// On worlds drawn, digs with a score this close to the best are tried, so many of them, with little effort after them.
constexpr double kNearlyAsGood = 0.03, kTryEffort = 0.1;
constexpr std::size_t kMostTried = 6;
// With more ways to lay the mines of a region none are drawn.
constexpr double kMostWays = 200'000;
constexpr long kReportEvery = 50'000;

struct Guess {
  Outlook::Terms terms;
  double luck;  // expected outlook less what came
};

class Table {
 public:
  Table(const Adjacency& field, std::int32_t mines, double explore, std::size_t worlds, double effort)
      : field_(field), explore_(explore), tried_worlds_(worlds), sight_(field, mines), next_(field, mines), now_(field), after_(field),
        look_ahead_(field, mines, LookAhead::Worth::outlook), chances_(std::size_t(field.cells())) {
    outlook_.prepare(field, guard_);
    spend(effort);
  }

  std::vector<Guess> guesses;
  std::FILE* digs = nullptr;

  // The result: won, lost, or the exact chance.
  double play(const std::vector<std::uint8_t>& mines, std::int32_t start, std::uint64_t seed) {
    Random random(seed ^ 0x5EED);
    guesses.clear();
    sight_.clear();
    now_.clear();
    after_.clear();
    look_ahead_.clear();
    sight_.show(start, number(mines, start));
    return finish(mines, random, -1);
  }

 private:
  std::int32_t number(const std::vector<std::uint8_t>& mines, std::int32_t cell) const {
    std::int32_t n = 0;
    for (const std::int32_t d : field_.of(cell)) n += mines[d];
    return n;
  }

  // The result from here on; if a dig is given, with it as the next guess, and nothing is tried.
  double finish(const std::vector<std::uint8_t>& mines, Random& random, std::int32_t given) {
    const bool tries = digs && given < 0;
    while (true) {
      for (std::int32_t c; (c = sight_.next_safe()) >= 0;) sight_.show(c, number(mines, c));
      if (sight_.is_won()) return 1;
      if (!now_.look(sight_)) return 0;  // too wide; does not happen on the boards of the docs
      if (const auto safe = find_certain(); !safe.empty()) {
        for (const std::int32_t c : safe)
          if (sight_.is_covered(c)) sight_.show(c, number(mines, c));
        continue;
      }
      if (marked_) continue;
      if (given < 0 && now_.log_worlds() <= std::log(budget_.worlds)) {
        worlds_.list(sight_, now_);
        if (const auto solved = endgame_.solve(worlds_, budget_.work, guard_); solved.cell >= 0)
          return double(solved.wins) / double(worlds_.count);
      }
      const std::int32_t c = given >= 0 ? given : choose(random);
      given = -1;
      if (tries) try_all(mines, random, c);
      outlook_.watch(sight_, chances_);
      guesses.push_back({{}, expected(c)});
      if (mines[c]) return 0;
      next_ = sight_;
      next_.show(c, number(mines, c));
      after_.look(next_);
      guesses.back().luck -= outlook_.of(next_, after_);
      if (!next_.is_won()) guesses.back().terms = outlook_.terms(next_, after_);
      sight_.show(c, number(mines, c));
    }
  }

  // Tries every dig that was compared and comes back.
  void try_all(const std::vector<std::uint8_t>& mines, Random& random, std::int32_t chosen) {
    std::vector<LookAhead::Dig> all(look_ahead_.compared().begin(), look_ahead_.compared().end());
    if (tried_worlds_ > 0) all = nearly_as_good();
    if (all.size() < 2 || (tried_worlds_ > 0 && !draw())) return;
    const Sight here = sight_;
    const double worlds = now_.log_worlds() / std::log(10.0), effort = effort_;
    const std::vector<Guess> before = std::exchange(guesses, {});
    ++tried_;
    if (tried_worlds_ > 0) spend(kTryEffort);
    for (std::size_t w = 0; w < std::max<std::size_t>(1, drawn_.size()); ++w)
      for (const LookAhead::Dig& d : all) {
        come_back(here);
        guesses.clear();
        double value = finish(tried_worlds_ > 0 ? drawn_[w] : mines, random, d.cell);
        for (const Guess& g : guesses) value += g.luck;
        std::array<float, LookAhead::kTerms + 4> row{float(tried_), float(worlds), float(d.cell == chosen)};
        std::copy(d.terms.begin(), d.terms.end(), row.begin() + 3);
        row.back() = float(value);
        std::fwrite(row.data(), sizeof(float), row.size(), digs);
      }
    spend(effort);
    guesses = before;
    come_back(here);
  }

  // Regions of all the games tried would be remembered.
  void come_back(const Sight& sight) {
    sight_ = sight;
    now_.clear();
    after_.clear();
    look_ahead_.clear();
    now_.look(sight_);
    find_certain();
  }

  void spend(double effort) {
    effort_ = effort;
    budget_ = EndgameBudget::on(field_.cells(), effort);
  }

  std::vector<LookAhead::Dig> nearly_as_good() const {
    std::vector<LookAhead::Dig> all(look_ahead_.digs().begin(), look_ahead_.digs().end());
    if (all.empty()) return all;
    std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.score > b.score; });
    std::erase_if(all, [most = all.front().score](const auto& d) { return d.score < most - kNearlyAsGood; });
    all.resize(std::min(all.size(), kMostTried));
    return all;
  }

  // Whole boards that show what is seen.
  bool draw() {
    for (const Region* r : now_.regions()) {
      double ways = 0;
      for (const double w : r->whole) ways += w;
      if (ways > kMostWays) return false;
    }
    Worlds worlds;
    worlds.draw(sight_, now_, tried_worlds_);
    drawn_.clear();
    for (std::size_t w = 0; w < worlds.count; ++w) {
      std::vector<std::uint8_t> mines(std::size_t(sight_.cells()));
      for (std::int32_t c = 0; c < sight_.cells(); ++c) mines[c] = sight_.state(c) == Sight::mine;
      for (std::size_t i = 0; i < worlds.cells.size(); ++i) mines[worlds.cells[i]] = worlds.of(w)[i] == Worlds::kMine;
      drawn_.push_back(std::move(mines));
    }
    return !drawn_.empty();
  }

  std::vector<std::int32_t> find_certain() {
    std::vector<std::int32_t> safe;
    marked_ = false;
    const auto& regions = now_.regions();
    for (std::int32_t c = 0; c < sight_.cells(); ++c) chances_[c] = now_.floating_chance();
    for (std::size_t i = 0; i < regions.size(); ++i)
      for (std::int32_t g = 0; g < regions[i]->groups(); ++g)
        for (const std::int32_t c : regions[i]->group(g)) chances_[c] = now_.chance(i, g);
    for (std::int32_t c = 0; c < sight_.cells(); ++c)
      if (sight_.is_covered(c) && chances_[c] == 0) safe.push_back(c);
    if (safe.empty())
      for (const Region* r : regions)
        for (std::int32_t g = 0; g < r->groups(); ++g)
          if (r->always[g])
            for (const std::int32_t c : r->group(g)) {
              sight_.mark(c);
              marked_ = true;
            }
    return safe;
  }

  std::int32_t choose(Random& random) {
    const double draw = double(random() >> 11) * 0x1p-53;
    // Also where the guess is drawn: what is tried are the digs compared here.
    const std::int32_t best = look_ahead_.choose(sight_, now_, chances_, effort_, guard_);
    if (draw >= explore_) {
      const std::int32_t other = samples_.choose(sight_, now_, look_ahead_.digs(), effort_, guard_);
      return other >= 0 ? other : best;
    }
    double least = 1;
    for (std::int32_t c = 0; c < sight_.cells(); ++c)
      if (sight_.is_covered(c)) least = std::min(least, chances_[c]);
    std::vector<std::int32_t> near;
    for (std::int32_t c = 0; c < sight_.cells(); ++c)
      if (sight_.is_covered(c) && 1 - chances_[c] >= kNearlyAsSafe * (1 - least)) near.push_back(c);
    return near[random.below(near.size())];
  }

  double expected(std::int32_t c) {
    std::int32_t known = 0, unknown = 0;
    for (const std::int32_t d : field_.of(c)) {
      known += sight_.state(d) == Sight::mine;
      unknown += sight_.is_covered(d);
    }
    double sum = 0;
    for (std::int32_t n = known; n <= known + unknown; ++n) {
      next_ = sight_;
      next_.show(c, n);
      if (next_.is_broken() || !after_.look(next_)) continue;
      const double chance = std::exp(after_.log_worlds() - now_.log_worlds());
      if (chance > 0) sum += chance * outlook_.of(next_, after_);
    }
    return sum;
  }

  const Adjacency& field_;
  double explore_, effort_ = 1;
  std::size_t tried_worlds_;
  EndgameBudget budget_{};
  std::vector<std::vector<std::uint8_t>> drawn_;
  Guard guard_;
  Sight sight_, next_;
  Frontier now_, after_;
  LookAhead look_ahead_;
  Outlook outlook_;
  Worlds worlds_;
  Endgame endgame_;
  Samples samples_;
  std::vector<double> chances_;
  bool marked_ = false;
  long tried_ = 0;
};

}  // namespace

int main(int count, char** words) {
  if (count < 8) {
    std::fprintf(stderr, "self_play HEIGHT WIDTH MINES safe|zero SEED GAMES EXPLORE "
                 "[VALUES [ROWS [DIGS [WORLDS [EFFORT]]]]]\n");
    return 2;
  }
  const std::int32_t height = std::atoi(words[1]), width = std::atoi(words[2]), mines = std::atoi(words[3]);
  const bool zero = std::strcmp(words[4], "zero") == 0;
  const std::uint64_t seed = std::strtoull(words[5], nullptr, 10) * 100'000'000;
  const char* to = std::strchr(words[6], '-');
  const long first = to ? std::atol(words[6]) : 0, games = to ? std::atol(to + 1) - first : std::atol(words[6]);
  static constexpr std::int32_t kEight[] = {-1, -1, -1, 0, -1, 1, 0, -1, 0, 1, 1, -1, 1, 0, 1, 1};
  const Adjacency field = Adjacency::lattice(height, width, kEight, false);
  const std::int32_t side = !zero ? 0 : field.cells() > 400 ? 3 : 2, start = side * width + side;
  std::vector<std::int32_t> kept_free{start};
  if (zero)
    for (const std::int32_t d : field.of(start)) kept_free.push_back(d);
  Table table(field, mines, std::atof(words[7]), count > 11 ? std::size_t(std::atol(words[11])) : 0,
              count > 12 ? std::atof(words[12]) : 1);
  const auto file = [&](int word) -> std::FILE* {
    if (word >= count || std::strcmp(words[word], "-") == 0) return nullptr;
    if (std::FILE* opened = std::fopen(words[word], "wb")) return opened;
    std::perror("self_play");
    std::exit(2);
  };
  std::FILE *values = file(8), *rows = file(9);
  table.digs = file(10);
  double sum = 0, squares = 0, results = 0;
  const std::clock_t begin = std::clock();
  const auto report = [&](long played) {
    const double n = double(played), mean = sum / n, seconds = double(std::clock() - begin) / CLOCKS_PER_SEC;
    std::printf("%.3f ± %.3f %% (results alone %.3f %%), %ld games, %.0f a second\n", 100 * mean,
                100 * std::sqrt((squares / n - mean * mean) / n), 100 * results / n, played, n / seconds);
    std::fflush(stdout);
  };
  for (long g = 0; g < games; ++g) {
    const std::uint64_t s = seed + std::uint64_t(first + g);
    double value = table.play(random_mines(field.cells(), mines, kept_free, s), start, s);
    results += value;
    for (std::size_t i = table.guesses.size(); i-- > 0;) {
      const Guess& guess = table.guesses[i];
      if (rows && guess.terms[0] == 1) {
        std::array<float, Outlook::kTerms + 1> row;
        std::copy(guess.terms.begin(), guess.terms.end(), row.begin());
        row.back() = float(value);
        std::fwrite(row.data(), sizeof(float), row.size(), rows);
      }
      value += guess.luck;
    }
    const auto f = float(value);
    if (values) std::fwrite(&f, sizeof f, 1, values);
    sum += value;
    squares += value * value;
    if ((g + 1) % kReportEvery == 0 && g + 1 < games) report(g + 1);
  }
  report(games);
  if (values) std::fclose(values);
  if (rows) std::fclose(rows);
  if (table.digs) std::fclose(table.digs);
}
