#include "system/single_numbers.hpp"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include <algorithm>
#include <array>
#include <cstdlib>
#include <tuple>
#include <utility>

#include "system/system.hpp"

namespace sapper {

namespace {

using Word = SingleNumbers::Word;

// Numbers in six bits: those that no cell can have are kLarge, and what is none is kNoNumber. Then
// there is a bit for covered cells, and one for known mines.
constexpr std::int32_t kLarge = 62, kNoNumber = 63;
constexpr std::size_t kNumberPlanes = 6, kCoveredPlane = 6, kMinePlane = 7, kPlanes = 8;
// Each round goes over the whole field; what takes longer chains is left to `Knowledge`.
constexpr int kRounds = 3;

// The planes of 64 labels.
std::array<Word, kPlanes> planes_of(const std::int32_t* labels) {
  std::array<Word, kPlanes> planes{};
#if defined(__SSE2__)
  for (int k = 0; k < 64; k += 16) {
    auto four = [&](int at) {
      return _mm_loadu_si128(static_cast<const __m128i*>(static_cast<const void*>(labels + k + at)));
    };
    // Bytes that are as large as can be where a label is larger.
    const __m128i x = _mm_packs_epi16(_mm_packs_epi32(four(0), four(4)), _mm_packs_epi32(four(8), four(12)));
    auto put = [&](std::size_t b, __m128i bytes) {
      planes[b] |= Word(std::uint16_t(_mm_movemask_epi8(bytes))) << k;
    };
    const __m128i none = _mm_cmpgt_epi8(_mm_setzero_si128(), x);
    __m128i number = _mm_min_epu8(x, _mm_set1_epi8(kLarge));
    number = _mm_slli_epi16(_mm_or_si128(number, _mm_and_si128(none, _mm_set1_epi8(kNoNumber))), 2);
    for (std::size_t b = kNumberPlanes; b-- > 0; number = _mm_add_epi8(number, number)) put(b, number);
    put(kCoveredPlane, _mm_cmpeq_epi8(x, _mm_set1_epi8(kCovered)));
    put(kMinePlane, _mm_cmpeq_epi8(x, _mm_set1_epi8(kMine)));
  }
#else
  for (int k = 0; k < 64; ++k) {
    const Word number = Word(labels[k] < 0 ? kNoNumber : std::min(labels[k], kLarge));
    for (std::size_t b = 0; b < kNumberPlanes; ++b) planes[b] |= (number >> b & 1) << k;
    planes[kCoveredPlane] |= Word(labels[k] == kCovered) << k;
    planes[kMinePlane] |= Word(labels[k] == kMine) << k;
  }
#endif
  return planes;
}

// The planes of all labels: plane b is `words` words from b * words on.
Vector<Word> planes_of(std::span<const std::int32_t> labels, std::size_t words) {
  Vector<Word> planes(kPlanes * words);
  for (std::size_t i = 0; i < words; ++i) {
    const auto some = labels.subspan(i * 64, std::min<std::size_t>(64, labels.size() - i * 64));
    std::array<std::int32_t, 64> last;
    if (some.size() < last.size()) {
      last.fill(kFree);
      std::ranges::copy(some, last.begin());
    }
    const auto here = planes_of(some.size() < last.size() ? last.data() : some.data());
    for (std::size_t b = 0; b < kPlanes; ++b) planes[b * words + i] = here[b];
  }
  return planes;
}

// Sets with room on both sides, so that a step past the end finds nobody.
class Padded {
 public:
  Padded(std::size_t words, std::span<const std::int32_t> steps) : words_(words) {
    std::int64_t most = 0;
    for (const std::int32_t step : steps) most = std::max(most, std::abs(std::int64_t(step)));
    room_ = std::size_t(most / 64) + 2;
    bits_.resize(words + 2 * room_);
  }
  Word& operator[](std::size_t i) { return bits_[room_ + i]; }
  // A pointer p and a shift s so that bit c of (p[i] >> s | p[i + 1] << (64 - s)) is bit c + step of
  // the set.
  std::pair<const Word*, int> moved(std::int64_t step) const {
    return {bits_.data() + room_ + (step >> 6), int(step & 63)};
  }
  std::size_t words() const { return words_; }

 private:
  std::size_t words_, room_;
  Vector<Word> bits_;
};

// The members of a set that lie one step on, of the cells that have such a neighbour.
struct Step {
  Step(const Adjacency& field, const Padded& set, std::size_t k) : has(field.has_step.data() + k * set.words()) {
    std::tie(from, shift) = set.moved(field.steps[k]);
  }
  Word operator[](std::size_t i) const { return (from[i] >> shift | from[i + 1] << 1 << (63 - shift)) & has[i]; }

  const Word *from, *has;
  int shift;
};

// How many neighbours of each cell are in a set, in P planes. Neighbours are mutual, so the number of
// steps is even, and two of them at a time are added.
template <int P>
void count_neighbours(const Adjacency& field, const Padded& set, Word* __restrict planes) {
  const std::size_t words = set.words();
  std::fill_n(planes, P * words, Word(0));
  for (std::size_t k = 0; k + 1 < field.steps.size(); k += 2) {
    const Step one(field, set, k), two(field, set, k + 1);
    for (std::size_t i = 0; i < words; ++i) {
      const Word x = one[i], y = two[i], either = x ^ y;
      Word carry = (x & y) | (planes[i] & either);
      planes[i] ^= either;
      for (int b = 1; b < P; ++b) {
        Word& plane = planes[std::size_t(b) * words + i];
        const Word on = plane & carry;
        plane ^= carry;
        carry = on;
      }
    }
  }
}

// All neighbours of the cells of a set. Neighbours are mutual: the step back is a step too.
void spread(const Adjacency& field, const Padded& set, Word* __restrict out) {
  const std::size_t words = set.words();
  std::fill_n(out, words, Word(0));
  for (std::size_t k = 0; k < field.steps.size(); ++k) {
    const Step step(field, set, k);
    for (std::size_t i = 0; i < words; ++i) out[i] |= step[i];
  }
}

}  // namespace

SingleNumbers::SingleNumbers(const Adjacency& field, std::span<const std::int32_t> labels,
                             bool apply)
    : words_((labels.size() + 63) / 64) {
  const Vector<Word> planes = planes_of(labels, words_);
  auto plane = [&](std::size_t b) { return planes.begin() + std::ptrdiff_t(b * words_); };
  covered_.assign(plane(kCoveredPlane), plane(kMinePlane));
  labelled_.assign(plane(kMinePlane), planes.end());
  open_.resize(words_);
  for (std::size_t i = 0; i < words_; ++i) {
    Word all = ~Word(0);
    for (std::size_t b = 0; b < kNumberPlanes; ++b) all &= planes[b * words_ + i];
    open_[i] = ~(all | covered_[i] | labelled_[i]);
  }
  found_.resize(2 * words_);
  if (!apply || field.steps.empty()) return;
  if (field.steps.size() < 16)
    settle<4>(field, planes);
  else
    settle<6>(field, planes);
}

template <int P>
void SingleNumbers::settle(const Adjacency& field, std::span<const Word> labels) {
  const std::size_t n = words_;
  Padded free(n, field.steps), mines(n, field.steps), unknown(n, field.steps);
  Vector<Word> counts(2 * P * n), decided(2 * n);
  Padded &full = free, &empty = unknown;  // room that is not needed at the same time
  Vector<Word> left(covered_);
  Word any_mine = 0;
  for (std::size_t i = 0; i < n; ++i) any_mine |= mines[i] = labelled_[i];
  for (int round = 0;; ++round) {
    // Open neighbours: unknown ones and mines.
    for (std::size_t i = 0; i < n; ++i) unknown[i] = left[i] | mines[i];
    count_neighbours<P>(field, unknown, counts.data());
    if (any_mine != 0) count_neighbours<P>(field, mines, counts.data() + P * n);
    Word settled = 0;
    for (std::size_t i = 0; i < n; ++i) {
      Word by_open = 0, by_mines = 0;
      for (std::size_t b = 0; b < kNumberPlanes; ++b) {
        const Word label = labels[b * n + i];
        by_open |= b < P ? label ^ counts[b * n + i] : label;
        by_mines |= b < P ? label ^ counts[(P + b) * n + i] : label;
      }
      const Word is_full = ~by_open & open_[i], is_empty = ~by_mines & open_[i];
      full[i] = is_full;
      empty[i] = is_empty;
      // Whose neighbours are all known, and right, says nothing more.
      decided[i] = is_full & is_empty;
      settled |= is_full ^ is_empty;
    }
    if (round == kRounds || settled == 0) break;
    spread(field, full, decided.data());
    spread(field, empty, decided.data() + n);
    Word news = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const Word mined = decided[i] & left[i], freed = decided[n + i] & left[i] & ~mined;
      found_[i] |= mined;
      found_[n + i] |= freed;
      left[i] &= ~(mined | freed);
      mines[i] |= mined;
      any_mine |= mined;
      news |= mined | freed;
    }
    found_any_ = found_any_ || news != 0;
  }
  for (std::size_t i = 0; i < n; ++i) open_[i] &= ~decided[i];
}

}  // namespace sapper
