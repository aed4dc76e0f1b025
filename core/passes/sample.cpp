#include "passes/sample.hpp"

#include <optional>
#include <stdexcept>

#include "passes/answers.hpp"
#include "passes/lottery.hpp"
#include "passes/tilted.hpp"
#include "passes/walkers.hpp"

namespace sapper {

struct Sampler::Work {
  std::shared_ptr<const Compiled> compiled;
  Random random, tail;
  Vector<std::unique_ptr<PieceWalker>> walkers;
  std::optional<MineLottery> lottery;
  bool possible = true;
  Vector<std::int64_t> mines;  // of each piece, in one draw
};

namespace {

template <class N>
std::unique_ptr<PieceWalker> counting(const Piece& piece, bool by_mines, double bits, Guard& guard) {
  return std::make_unique<CountingWalker<N>>(piece, by_mines, Naturals<N>{bits}, guard);
}

}  // namespace

Sampler::Sampler(std::shared_ptr<const Compiled> compiled, std::uint64_t seed, Guard& guard,
                 bool always_exact, std::uint64_t wide)
    : work_(new Work{std::move(compiled), Random(seed), Random(0), {}, {}, true, {}}) {
  const Compiled& c = *work_->compiled;
  if (!c.consistent) {
    work_->possible = false;
    return;
  }
  Vector<std::int64_t> least;
  Vector<Vector<BigNat>> ways;
  bool tilted = false;
  for (const Piece& piece : c.pieces) {
    // Products of two values are never larger than the count of the piece, plus a bit of slack.
    const double bits = log2_count(piece, guard) + 1;
    auto& walkers = work_->walkers;
    // With no room at all, for tests, any piece is a wide one.
    if (c.has_total && (bits >= 120 || wide == 0) && TiltedWalker::pays(piece, bits, wide)) {
      walkers.push_back(std::make_unique<TiltedWalker>(piece, guard));
      tilted = true;
    } else if (bits < 62)
      walkers.push_back(counting<std::uint64_t>(piece, c.has_total, bits, guard));
    else if (bits < 120)
      walkers.push_back(counting<Wide128>(piece, c.has_total, bits, guard));
    else
      walkers.push_back(counting<BigNat>(piece, c.has_total, bits, guard));
    if (!c.has_total) continue;
    const PieceWalker& walker = *walkers.back();
    least.push_back(walker.least());
    ways.push_back(walker.ways());
  }
  if (c.has_total) {
    work_->tail = Random(work_->random());
    work_->lottery.emplace(c, std::move(least), std::move(ways), always_exact, guard);
    work_->possible = work_->lottery->has_solution();
    if (!work_->possible) return;
    if (!tilted) return;
    // What a first draw finds likely. The draws that count are uniform whatever it finds.
    Random random(seed ^ 1), tail(seed);
    work_->lottery->draw(random, tail, work_->mines, guard);
    for (std::size_t i = 0; i < c.pieces.size(); ++i) work_->walkers[i]->expect(work_->mines[i], guard);
  }
}

Sampler::~Sampler() = default;
Sampler::Sampler(Sampler&&) noexcept = default;

bool Sampler::has_solution() const { return work_->possible; }

void Sampler::draw(std::uint8_t* out, Guard& guard) {
  const Compiled& c = *work_->compiled;
  if (!work_->possible) throw std::logic_error("no solution to draw");
  // Copies: a draw that a limit cuts short leaves no trace.
  Random random = work_->random, tail = work_->tail;
  for (std::int32_t v = 0; v < c.variables; ++v) out[v] = c.values[v] == 1;
  if (!work_->lottery) {
    for (auto& walker : work_->walkers) walker->walk(-1, random, out, guard);
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < c.free.size(); ++i) {
      if (i % 64 == 0) bits = random();
      out[c.free[i]] = std::uint8_t(bits & 1);
      bits >>= 1;
    }
    work_->random = random;
    return;
  }
  const std::int64_t rest = work_->lottery->draw(random, tail, work_->mines, guard);
  for (std::size_t i = 0; i < c.pieces.size(); ++i)
    work_->walkers[i]->walk(work_->mines[i], random, out, guard);
  scatter(c.free, rest, random, out);
  work_->random = random;
  work_->tail = tail;
}

}  // namespace sapper
