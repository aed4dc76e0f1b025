#include "diagram/edge_order.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "base/random.hpp"
#include "base/rows.hpp"

namespace sapper {

namespace {

// A row by both its ends: found with fewer instructions than by offsets, and these are asked for all the time.
template <class T>
struct Ends {
  const T *first, *last;
  const T* begin() const { return first; }
  const T* end() const { return last; }
};
template <class T>
Vector<Ends<T>> ends_of(const Rows<T>& rows, std::size_t count) {
  Vector<Ends<T>> ends;
  ends.reserve(count);
  for (std::size_t i = 0; i < count; ++i) ends.push_back({rows[i].data(), rows[i].data() + rows[i].size()});
  return ends;
}

// Some hints: those of one word whose bits are set.
struct Mark {
  std::size_t word;
  std::uint64_t bits;
};

// From one word of hints to another.
struct Words {
  std::size_t first, last;
};

class Orderer {
 public:
  Orderer(std::int32_t cells, const Vector<std::int32_t>& offsets,
          const Vector<std::int32_t>& members, const Vector<std::int64_t>& targets,
          std::int32_t tries, Guard& guard)
      : offsets_(offsets), members_(members), targets_(targets), tries_(tries), guard_(guard) {
    of_ = {std::size_t(cells), [&](auto put) {
             for (std::int32_t h = 0; h < hints(); ++h)
               for (std::int32_t i = offsets[h]; i < offsets[h + 1]; ++i) put(members[i], h);
           }};
    hints_of_ = ends_of(of_, std::size_t(cells));
    mark_cells(std::size_t(cells));
    left_ = members;
    at_.assign(offsets.begin(), offsets.end() - 1);
    changes_.assign(targets.size(), 0);
    const std::size_t words = (targets.size() + 63) / 64;
    open_.assign(words, 0);
    stale_.assign(words, 0);
    touched_.assign(words, 0);
    std::int64_t most = 0;
    for (std::int32_t h = 0; h < hints(); ++h) most = std::max(most, size(h));
    Vector<double> logs;
    for (std::int64_t n = 0; n <= most + 1; ++n) logs.push_back(std::log2(double(n)));
    widening_.reserve(members.size());
    for (std::int32_t h = 0; h < hints(); ++h)
      for (std::int64_t done = 0; done < size(h); ++done)
        widening_.push_back(spread(h, done + 1, logs) - spread(h, done, logs));
    find_movers(std::size_t(cells));
    round_of_.assign(std::size_t(cells), 0);
  }

  Vector<std::int32_t> run() {
    Vector<std::int32_t> order;
    Vector<std::uint8_t> seen(targets_.size(), 0);
    for (std::int32_t h = 0; h < hints(); ++h) {
      if (seen[h]) continue;
      const Vector<std::int32_t> part = component(h, seen);
      const Vector<std::int32_t> found = best(part);
      order.insert(order.end(), found.begin(), found.end());
    }
    return order;
  }

 private:
  static constexpr std::uint64_t kMostTicks = 1u << 30;  // at once
  static constexpr std::uint32_t kLittleWork = 256;

  std::int32_t hints() const { return std::int32_t(targets_.size()); }

  // The hints of each cell that can change the width: those that keep one amount only, whatever is decided, add
  // nothing to any sum.
  void find_movers(std::size_t cells) {
    moves_.assign(open_.size(), 0);
    movers_ = {cells, [&](auto put) {
                 for (std::int32_t h = 0; h < hints(); ++h) {
                   const auto first = widening_.begin() + offsets_[h], last = widening_.begin() + offsets_[h + 1];
                   if (std::all_of(first, last, [](double widened) { return widened == 0; })) continue;
                   moves_[std::size_t(h) / 64] |= std::uint64_t(1) << h % 64;
                   for (std::int32_t i = offsets_[h]; i < offsets_[h + 1]; ++i) put(members_[i], h);
                 }
               }};
    movers_of_ = ends_of(movers_, cells);
    for (std::int32_t h = 0; h < hints(); ++h) {
      std::uint64_t work = 1;
      for (std::int32_t i = offsets_[h]; i < offsets_[h + 1]; ++i) work += movers_[members_[i]].size();
      work_.push_back(std::uint32_t(std::min(work, kMostTicks)));
    }
    find_alone();
  }

  // The hints of which no two cells are in another one too, as most are on graphs. Where cells have many hints, that is
  // not worth knowing.
  void find_alone() {
    Vector<std::int32_t> met(targets_.size(), -1);
    for (std::int32_t h = 0; h < hints(); ++h) {
      bool alone = work_[h] <= kLittleWork;
      for (std::int32_t i = offsets_[h]; alone && i < offsets_[h + 1]; ++i)
        for (const std::int32_t other : movers_[members_[i]])
          if (other != h && std::exchange(met[other], h) == h) alone = false;
      alone_.push_back(alone);
    }
  }

  // The hints of each cell once more, as bits: few words have any, for hints that are near have near numbers.
  void mark_cells(std::size_t cells) {
    marks_ = {cells, [&](auto put) {
                for (std::size_t cell = 0; cell < cells; ++cell) {
                  Mark mark{0, 0};
                  for (const std::int32_t h : of_[cell]) {
                    const std::size_t word = std::size_t(h) / 64;
                    if (mark.bits != 0 && word != mark.word) put(cell, std::exchange(mark, {0, 0}));
                    mark = {word, mark.bits | std::uint64_t(1) << h % 64};
                  }
                  if (mark.bits != 0) put(cell, mark);
                }
              }};
    marks_of_ = ends_of(marks_, cells);
    near_.reserve(targets_.size());
    for (std::int32_t h = 0; h < hints(); ++h) {
      Words near = {std::size_t(h) / 64, std::size_t(h) / 64};
      for (std::int32_t i = offsets_[h]; i < offsets_[h + 1]; ++i) {
        const Ends<Mark> marks = marks_of_[members_[i]];
        near = {std::min(near.first, marks.first->word), std::max(near.last, (marks.last - 1)->word)};
      }
      near_.push_back(near);
    }
  }

  Vector<std::int32_t> component(std::int32_t first, Vector<std::uint8_t>& seen) {
    Vector<std::int32_t> found = {first};
    seen[first] = 1;
    ++round_;
    for (std::size_t i = 0; i < found.size(); ++i)
      for_cells_around(found[i], [&](std::int32_t cell) {
        for (const std::int32_t other : of_[cell])
          if (!std::exchange(seen[other], 1)) found.push_back(other);
        return of_[cell].size();
      });
    std::sort(found.begin(), found.end());
    return found;
  }

  // The undecided cells of a hint, each cell once a round: it may be in all hints, so that what is around each hint
  // can neither be kept nor walked for all of them. `each` tells how much it did.
  template <class Each>
  void for_cells_around(std::int32_t h, Each&& each) {
    std::size_t work = 1;
    std::uint64_t* const round_of = round_of_.data();
    const std::uint64_t round = round_;
    const std::int32_t* const end = left_.data() + offsets_[h + 1];
    for (const std::int32_t* cell = left_.data() + at_[h]; cell != end; ++cell)
      if (round_of[*cell] != round) {
        round_of[*cell] = round;
        work += each(*cell);
      }
    guard_.tick(std::uint32_t(work));
  }

  std::int64_t size(std::int32_t h) const { return offsets_[h + 1] - offsets_[h]; }

  // log2 of how many amounts a hint can keep once `done` of its edges are decided.
  double spread(std::int32_t h, std::int64_t done, const Vector<double>& logs) const {
    if (done == 0 || done == size(h)) return 0;
    const std::int64_t most = std::min(targets_[h], done);
    const std::int64_t least = std::max<std::int64_t>(0, targets_[h] - (size(h) - done));
    return most <= least ? 0 : logs[std::size_t(most - least + 1)];
  }

  double gain(std::int32_t cell) const {  // change of the frontier if this cell is decided
    double g = 0;
    const double* const widening = widening_.data();
    const std::int32_t* const at = at_.data();
    for (const std::int32_t h : movers_of_[cell]) g += widening[at[h]];
    return g;
  }

  void decide(std::int32_t cell, double widened) {
    width_ += widened;
    for (const Mark& mark : marks_of_[cell]) {
      open_[mark.word] |= mark.bits;
      touched_[mark.word] |= mark.bits;
    }
    std::int32_t* const left = left_.data();
    const std::int32_t* const offsets = offsets_.data();
    const Ends<std::int32_t> row = hints_of_[cell];
    for (const std::int32_t h : row) {
      // It goes before those that are left, whose order stays.
      std::int32_t* place = left + at_[h]++;
      std::int32_t moved = cell;
      do std::swap(moved, *place++);
      while (moved != cell);
      if (at_[h] == offsets[h + 1]) open_[std::size_t(h) / 64] &= ~(std::uint64_t(1) << h % 64);
    }
    cost_ += std::exp2(std::min(width_, 1000.0)) * double(row.last - row.first);
    order_.push_back(cell);
  }

  // What completing a hint does to the width, by trying it and taking it back.
  void trial(std::int32_t h) {
    const double* const widening = widening_.data();
    std::int32_t* const at = at_.data();
    const std::int32_t* const first = left_.data() + at[h];
    // The last cell need not be decided: nobody looks at what it leaves.
    const std::int32_t* const last = left_.data() + offsets_[h + 1] - 1;
    double change = 0;
    for (const std::int32_t* cell = first; cell != last; ++cell) {
      double widened = 0;
      for (const std::int32_t other : movers_of_[*cell]) widened += widening[at[other]++];
      change += widened;
    }
    change += gain(*last);
    for (const std::int32_t* cell = first; cell != last; ++cell)
      for (const std::int32_t other : movers_of_[*cell]) --at[other];
    guard_.tick(work_[h]);
    changes_[h] = change;
  }

  // The same where a cell changes nothing for those after it but what the hint itself adds.
  void trial_alone(std::int32_t h) {
    std::int32_t& at = at_[h];
    const std::int32_t before = at, last = offsets_[h + 1] - 1;
    const std::int32_t* cell = left_.data() + before;
    double change = gain(*cell);
    while (at != last) ++at, change += gain(*++cell);
    at = before;
    guard_.tick(work_[h]);
    changes_[h] = change;
  }

  void complete(std::int32_t h, bool known, double give_up) {
    const std::int32_t* const end = left_.data() + offsets_[h + 1];
    for (;;) {  // the cell that widens the frontier least goes first
      const std::int32_t* cell = left_.data() + at_[h];
      if (cell == end) break;
      std::int32_t chosen = *cell;
      // That of the only one is known from the trial.
      double least = known && cell + 1 == end ? changes_[h] : gain(chosen);
      known = false;
      while (++cell != end) {
        const double widened = gain(*cell);
        if (widened < least) least = widened, chosen = *cell;
      }
      guard_.tick(work_[h]);
      decide(chosen, least);
      if (cost_ >= give_up) return;  // nobody looks at the rest
    }
    // These hints are to be tried again, and whoever has an undecided cell in common with them.
    ++round_;
    const Words near = near_[h];
    for (std::size_t word = near.first; word <= near.last; ++word) {
      const std::uint64_t touched = std::exchange(touched_[word], 0);
      stale_[word] |= touched;
      // Those without undecided cells have nothing in common with others, and those that keep one amount no effect.
      for_each_of({word, touched & open_[word] & moves_[word]}, [&](std::int32_t other) { spoil_around(other); });
    }
    first_open_ = std::min(first_open_, near.first);
    last_open_ = std::max(last_open_, near.last);
  }

  void spoil_around(std::int32_t h) {
    if (open_.size() > 1) {
      for_cells_around(h, [&](std::int32_t cell) {
        for (const Mark& mark : marks_of_[cell]) stale_[mark.word] |= mark.bits;
        return std::size_t(marks_of_[cell].last - marks_of_[cell].first);
      });
      return;
    }
    // One word is sooner added twice than it is known that it was.
    const std::int32_t* const end = left_.data() + offsets_[h + 1];
    std::uint64_t stale = 0;
    for (const std::int32_t* cell = left_.data() + at_[h]; cell != end; ++cell) stale |= marks_of_[*cell].first->bits;
    stale_[0] |= stale;
  }

  template <class Each>
  static void for_each_of(Mark mark, Each&& each) {
    for (; mark.bits != 0; mark.bits &= mark.bits - 1)
      each(std::int32_t(mark.word * 64) + std::countr_zero(mark.bits));
  }

  void start_again(const Vector<std::int32_t>& part) {
    if (part.size() == targets_.size()) {
      std::copy(offsets_.begin(), offsets_.end() - 1, at_.begin());
      std::copy(members_.begin(), members_.end(), left_.begin());
    } else {
      for (const std::int32_t h : part) {
        if (at_[h] == offsets_[h]) continue;
        at_[h] = offsets_[h];
        std::copy(members_.begin() + offsets_[h], members_.begin() + offsets_[h + 1], left_.begin() + offsets_[h]);
      }
    }
    const auto first = std::size_t(part.front()) / 64, last = std::size_t(part.back()) / 64;
    std::fill(stale_.begin() + std::ptrdiff_t(first), stale_.begin() + std::ptrdiff_t(last) + 1, ~std::uint64_t(0));
    std::fill(open_.begin() + std::ptrdiff_t(first), open_.begin() + std::ptrdiff_t(last) + 1, 0);
    first_open_ = targets_.size();
    last_open_ = 0;
    std::fill(touched_.begin() + std::ptrdiff_t(first), touched_.begin() + std::ptrdiff_t(last) + 1, 0);
    order_.clear();
    width_ = cost_ = 0;
  }

  void attempt(const Vector<std::int32_t>& part, std::int32_t start, bool shaken, double give_up) {
    start_again(part);
    complete(start, false, give_up);
    while (cost_ < give_up) {
      while (first_open_ < last_open_ && open_[first_open_] == 0) ++first_open_;
      while (first_open_ < last_open_ && open_[last_open_] == 0) --last_open_;
      const std::int32_t chosen = shaken ? next<true>() : next<false>();
      if (chosen < 0) break;
      complete(chosen, true, give_up);
    }
  }

  // The open hint that is to be completed; -1: none is open.
  template <bool shaken>
  std::int32_t next() {
    std::int32_t chosen = -1;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t word = first_open_; word <= last_open_; ++word) {
      guard_.tick();
      const std::uint64_t open = open_[word];
      if (open == 0) continue;
      for_each_of({word, open & stale_[word]}, [&](std::int32_t h) { alone_[h] ? trial_alone(h) : trial(h); });
      stale_[word] &= ~open;
      // Only so that later attempts get the random numbers that they always got.
      if (!shaken) random_.skip(std::uint64_t(std::popcount(open)));
      for_each_of({word, open}, [&](std::int32_t h) {
        const double change = shaken ? changes_[h] + random_() : changes_[h];
        if (change < least) least = change, chosen = h;
      });
    }
    return chosen;
  }

  Vector<std::int32_t> best(const Vector<std::int32_t>& part) {
    Vector<std::int32_t> found;
    double least = std::numeric_limits<double>::infinity();
    random_.state = 0;
    const std::size_t hints = part.size();
    const std::size_t tries = hints < 3 ? 1 : static_cast<std::size_t>(tries_);
    for (std::size_t t = 0; t < tries; ++t) {
      // Spread the first starts over the part, then shake the choices from random ones.
      const bool spread_out = t < 16;
      const std::size_t start =
          spread_out ? t * 7919 % hints : static_cast<std::size_t>(random_() * double(hints));
      attempt(part, part[start], !spread_out, least);
      if (t == 0 || cost_ < least) least = cost_, found = order_;
    }
    return found;
  }

  const Vector<std::int32_t>& offsets_;
  const Vector<std::int32_t>& members_;
  const Vector<std::int64_t>& targets_;
  std::int32_t tries_;
  Guard& guard_;
  Rows<std::int32_t> of_;  // hints of each cell
  Vector<Ends<std::int32_t>> hints_of_;
  Rows<std::int32_t> movers_;  // those of them that can change the width
  Vector<Ends<std::int32_t>> movers_of_;
  Rows<Mark> marks_;  // of_ once more
  Vector<Ends<Mark>> marks_of_;
  Vector<Words> near_;  // by hint: where those are that have a cell in common with it
  Vector<std::uint64_t> moves_;  // the hints that can change the width, as bits
  Vector<std::uint32_t> work_;   // of trying a hint, at most
  Vector<std::uint8_t> alone_;   // by hint: can it be tried without the others?
  Vector<std::int32_t> left_;       // members: of each hint, those that are decided before the others,
  Vector<std::int32_t> at_;         // which begin here
  Vector<std::uint64_t> round_of_;  // by cell: the last one that met it
  std::uint64_t round_ = 0;
  Vector<double> changes_;   // what completing a hint did when it was tried last
  Vector<double> widening_;  // of the frontier by one more edge of a hint, for each number of them
  // Hints as bits: those that have decided and undecided edges, those that may do something else now than when they
  // were tried last, and those whose edges were decided since the last trials; and the words that may have open ones.
  Vector<std::uint64_t> open_, stale_, touched_;
  std::size_t first_open_ = 0, last_open_ = 0;
  Vector<std::int32_t> order_;
  double width_ = 0, cost_ = 0;
  Jitter random_{0};
};

}  // namespace

Vector<std::int32_t> frontier_order(std::int32_t cells,
                                         const Vector<std::int32_t>& offsets,
                                         const Vector<std::int32_t>& members,
                                         const Vector<std::int64_t>& targets,
                                         std::int32_t tries, Guard& guard) {
  return Orderer(cells, offsets, members, targets, tries, guard).run();
}

}  // namespace sapper
