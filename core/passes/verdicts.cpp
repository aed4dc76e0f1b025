#include "passes/verdicts.hpp"

#include <algorithm>
#include <utility>

#include "passes/evaluate.hpp"
#include "passes/pieces.hpp"
#include "passes/under_total.hpp"

namespace sapper {

namespace {

// Whether something is possible: told at last, if somebody saw a way, or nobody saw that there may be one.
struct Possible {
  bool surely = false, maybe = false;

  void see(const Span& mines, std::int64_t total) {
    surely = surely || mines.surely_has(total);
    maybe = maybe || mines.may_have(total);
  }
  bool is_told() const { return surely == maybe; }
};

// Verdicts under the total by spans. False if their gaps leave anything open.
class BySpans {
 public:
  BySpans(const Compiled& c, std::span<const Span> pieces)
      : c_(c), pieces_(pieces), total_(c.total - c.forced_mines), free_{0, std::int32_t(c.free.size()), 1} {}

  bool run(Verdicts& v, Guard& guard) const {
    const std::size_t n = pieces_.size();
    // All from a piece on, together.
    Vector<Span> rest(n + 1, a_.one());
    for (std::size_t i = n; i-- > 0;) rest[i] = a_.multiply(rest[i + 1], pieces_[i]);
    Possible any;
    any.see(a_.multiply(rest[0], free_), total_);
    if (!any.is_told()) return false;
    if (!any.surely) {
      v = {};
      return true;
    }
    if (!free_verdicts(rest[0], v)) return false;
    Span before = free_;
    for (std::size_t i = 0; i < n; ++i) {
      if (!piece_verdicts(c_.pieces[i], a_.multiply(before, rest[i + 1]), v, guard)) return false;
      before = a_.multiply(before, pieces_[i]);
    }
    return true;
  }

 private:
  bool free_verdicts(const Span& pieces, Verdicts& v) const {
    if (c_.free.empty()) return true;
    Possible mine, free;
    mine.see(a_.multiply(pieces, {1, free_.most, 1}), total_);
    free.see(a_.multiply(pieces, {0, free_.most - 1, 1}), total_);
    for (const std::int32_t x : c_.free) v.of[x] = verdict_if(mine.surely, free.surely);
    return mine.is_told() && free.is_told();
  }

  bool piece_verdicts(const Piece& piece, const Span& others, Verdicts& v, Guard& guard) const {
    const Diagram& d = *piece.diagram;
    Vector<Possible> mine(d.sizes.size()), free(d.sizes.size());
    downward(d, a_, upward(d, a_, guard), others, guard, [&](std::int32_t g, std::int32_t value, const Span& mines) {
      if (value > 0) mine[std::size_t(g)].see(mines, total_);
      if (value < d.sizes[std::size_t(g)]) free[std::size_t(g)].see(mines, total_);
    });
    for (std::size_t g = 0; g < d.sizes.size(); ++g) {
      if (!mine[g].is_told() || !free[g].is_told()) return false;
      for (const std::int32_t x : piece.part.group(std::int32_t(g))) v.of[x] = verdict_if(mine[g].surely, free[g].surely);
    }
    return true;
  }

  Spans a_;
  const Compiled& c_;
  std::span<const Span> pieces_;
  std::int64_t total_;
  Span free_;  // the free cells
};

}  // namespace

Verdicts verdicts(const Compiled& c, Guard& guard) {
  Verdicts result = forced_verdicts(c);
  if (!result.consistent) return result;
  const auto spans = c.has_total ? spans_of(c, nullptr, guard) : Vector<Span>();
  if (!c.has_total || total_has_slack(c, spans))
    for (const Piece& piece : c.pieces) verdicts_from_arcs(piece, result.of);
  else if (auto told = verdicts_by_spans(c, spans, guard))
    return *std::move(told);
  else
    return verdicts_by_mines(c, guard);
  return result;
}

std::optional<Verdicts> verdicts_by_spans(const Compiled& c, std::span<const Span> pieces, Guard& guard) {
  Verdicts v = forced_verdicts(c);
  if (v.consistent && !BySpans(c, pieces).run(v, guard)) return {};
  return v;
}

Verdicts verdicts_by_mines(const Compiled& c, Guard& guard) {
  Verdicts v = forced_verdicts(c);
  if (!v.consistent) return v;
  const UnderTotal<Booleans> total(c, [](std::size_t) { return Booleans{}; }, guard);
  if (!total.whole()) return {};
  total.for_pieces(guard, [&](std::size_t i, auto&& pass) {
    const Piece& piece = c.pieces[i];
    Vector<std::uint8_t> mine(piece.part.component.groups(), 0), free(mine);
    pass([&](std::int32_t g, std::int32_t value, std::uint8_t possible) {
      if (!possible) return;
      if (value > 0) mine[g] = 1;
      if (value < piece.part.component.sizes[g]) free[g] = 1;
    });
    for (std::int32_t g = 0; g < piece.part.component.groups(); ++g)
      for (const std::int32_t x : piece.part.group(g)) v.of[x] = verdict_if(mine[g], free[g]);
  });
  bool mine = false, free = false;
  total.for_free([&](std::int64_t n, std::uint8_t possible) {
    if (!possible) return;
    mine = mine || n > 0;
    free = free || n < std::int64_t(c.free.size());
  });
  for (const std::int32_t x : c.free) v.of[x] = verdict_if(mine, free);
  return v;
}

Verdicts forced_verdicts(const Compiled& c) {
  Verdicts result;
  if (!c.consistent) return result;
  result.consistent = true;
  result.of.resize(std::size_t(c.variables));
  // Unknown is -1, and as a number without a sign larger than all others.
  static_assert(kSafe == 0 && kMined == 1 && kUndecided == 2);
  const std::int8_t* __restrict values = c.values.data();
  std::uint8_t* __restrict of = result.of.data();
  // Bytes may be part of anything: their number must not be read again after each of them.
  const std::int32_t n = c.variables;
  for (std::int32_t x = 0; x < n; ++x)
    of[x] = std::min(std::uint8_t(values[x]), std::uint8_t(kUndecided));
  return result;
}

void verdicts_from_arcs(const Piece& piece, Vector<std::uint8_t>& of) {
  const Diagram& d = *piece.diagram;
  for (const auto& level : d.levels) {
    if (level.is_join()) continue;
    bool mine = false, free = false;
    for_choice_arcs(d, level, [&](auto, auto v, auto) {
      mine = mine || level.value_low + v > 0;
      free = free || level.value_low + v < d.sizes[level.group];
    });
    for (const std::int32_t v : piece.part.group(level.group)) of[v] = verdict_if(mine, free);
  }
}

Vector<Span> spans_of(const Compiled& c, Crew* crew, Guard& guard) {
  Vector<Span> spans(c.pieces.size());
  each_piece(c, crew, guard, [&](std::size_t i, Guard& own) {
    spans[i] = upward(*c.pieces[i].diagram, Spans{}, own).back();
  });
  return spans;
}

bool total_has_slack(const Compiled& c, std::span<const Span> pieces) {
  std::int64_t least = c.forced_mines, most = c.forced_mines;
  for (const Span& piece : pieces) {
    least += piece.least;
    most += piece.most;
  }
  // Strictly between, so that free cells stay undecided too.
  return most < c.total && c.total - least < std::int64_t(c.free.size());
}

}  // namespace sapper
