// Every position of every board up to 3 x 3, label by label, against direct enumeration.
//
// A cell shows a number up to its degree, or is covered, a known mine or known free. Positions are
// taken up to the symmetries of the board. The truth comes from the labels alone: each label is a
// set of minefields, and the intersection of the nine sets is what is legal.
//
//   exhaustive [--every N] [--offset K]   only every N-th position (from the K-th)
#include <algorithm>
#include <array>
#include <atomic>
#include <bitset>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>

#include "base/memory.hpp"
#include "checks.hpp"

namespace sapper::tests {

namespace {

using Fields = std::bitset<512>;  // a set of minefields of up to nine cells
using Labels = Vector<std::int32_t>;

constexpr std::int32_t kAround[] = {-1, -1, -1, 0, -1, 1, 0, -1, 0, 1, 1, -1, 1, 0, 1, 1};

struct Board {
  std::int32_t height, width;
  Adjacency field;
  Vector<Labels> choices;                // labels of each cell
  Vector<Vector<Fields>> allowed;   // by cell and choice
  Vector<Vector<std::int32_t>> symmetries;

  Board(std::int32_t h, std::int32_t w)
      : height(h), width(w), field(Adjacency::lattice(h, w, kAround, false)) {
    const std::int32_t cells = h * w;
    for (std::int32_t cell = 0; cell < cells; ++cell) {
      const auto near = field.of(cell);
      choices.push_back({kCovered, kMine, kFree});
      for (std::int32_t n = 0; n <= std::int32_t(near.size()); ++n) choices.back().push_back(n);
      allowed.emplace_back(choices.back().size());
      for (std::uint32_t mines = 0; mines < (1u << cells); ++mines) {
        const bool mined = (mines >> cell) & 1;
        std::int32_t number = 0;
        for (const std::int32_t other : near) number += (mines >> other) & 1;
        for (std::size_t i = 0; i < choices.back().size(); ++i) {
          const std::int32_t label = choices.back()[i];
          if (label == kCovered || (mined ? label == kMine : label == kFree || label == number))
            allowed.back()[i].set(mines);
        }
      }
    }
    for (int turn = 0; turn < 8; ++turn) {
      if ((turn & 4) && h != w) continue;
      Vector<std::int32_t> to(cells);
      for (std::int32_t r = 0; r < h; ++r)
        for (std::int32_t c = 0; c < w; ++c) {
          std::int32_t row = turn & 1 ? h - 1 - r : r, column = turn & 2 ? w - 1 - c : c;
          if (turn & 4) std::swap(row, column);
          to[r * w + c] = row * w + column;
        }
      if (turn > 0) symmetries.push_back(to);
    }
  }

  // Is this the least of the positions that are turned into each other?
  bool is_first(const Labels& labels) const {
    for (const auto& to : symmetries)
      for (std::size_t cell = 0; cell < labels.size(); ++cell) {
        const std::int32_t other = labels[to[cell]];
        if (other > labels[cell]) break;
        if (other < labels[cell]) return false;
      }
    return true;
  }
};

struct Tally {
  std::uint64_t positions = 0, consistent = 0;
};

class Walker {
 public:
  Walker(const Board& board, std::uint64_t every, std::uint64_t offset)
      : board_(board), every_(every), next_(offset), labels_(board.choices.size()) {}

  // All positions whose first cells carry the labels of number `prefix`.
  void run(std::size_t first, std::size_t second, Tally& tally) {
    tally_ = &tally;
    Fields legal;
    legal.set();
    if (board_.choices.size() == 1) {
      if (second == 0) visit(0, first, legal);
      return;
    }
    labels_[0] = board_.choices[0][first];
    visit(1, second, legal & board_.allowed[0][first]);
  }

 private:
  void visit(std::size_t cell, std::size_t choice, const Fields& legal) {
    labels_[cell] = board_.choices[cell][choice];
    const Fields now = legal & board_.allowed[cell][choice];
    if (cell + 1 == labels_.size()) {
      if (board_.is_first(labels_)) judge(now);
      return;
    }
    for (std::size_t i = 0; i < board_.choices[cell + 1].size(); ++i) visit(cell + 1, i, now);
  }

  void judge(const Fields& legal) {
    if (next_ > 0) {
      --next_;
      return;
    }
    next_ = every_ - 1;
    ++tally_->positions;
    try {
      compare(legal);
    } catch (const Wrong& wrong) {
      std::string text = std::string(wrong.what()) + " on\n";
      for (std::size_t cell = 0; cell < labels_.size(); ++cell) {
        const std::int32_t label = labels_[cell];
        text += label == kCovered ? '?' : label == kMine ? '*' : label == kFree ? '_' : char('0' + label);
        if ((cell + 1) % std::size_t(board_.width) == 0) text += '\n';
      }
      throw Wrong(text);
    }
  }

  void compare(const Fields& legal) {
    Guard guard;
    // What single numbers decide is left out here, and said by clues below.
    const Compiled c =
        compile_system(System::from_labels(board_.field, labels_, false, 0, true), {}, guard, nullptr);
    if (legal.none()) {
      if (c.consistent) throw Wrong("the engine finds an inconsistent position consistent");
      Vector<std::int8_t> values;
      if (tally_->positions % 8 == 0 &&
          certain_values(System::from_labels(board_.field, labels_, false, 0), values, guard))
        throw Wrong("the search finds an inconsistent position consistent");
      return;
    }
    ++tally_->consistent;
    const System system = System::from_labels(board_.field, labels_, false, 0);
    // The masks of minefields, seen through the covered cells.
    Vector<std::uint32_t> masks;
    for (std::size_t mines = 0; mines < (std::size_t(1) << labels_.size()); ++mines) {
      if (!legal[mines]) continue;
      std::uint32_t mask = 0;
      for (std::size_t v = 0; v < system.cell_of.size(); ++v)
        mask |= std::uint32_t((mines >> system.cell_of[v]) & 1) << v;
      masks.push_back(mask);
    }
    std::sort(masks.begin(), masks.end());
    const Truth truth(system.variables, std::move(masks));
    check_counts_and_verdicts(c, truth, guard);
    check_certain_values(system, truth, guard);
    const Options plain{false, false, false, false, OrderKind::tree};
    check_counts_and_verdicts(compile_system(system, plain, guard, nullptr), truth, guard);
  }

  const Board& board_;
  std::uint64_t every_, next_;
  Labels labels_;
  Tally* tally_ = nullptr;
};

Tally explore(const Board& board, std::uint64_t every, std::uint64_t offset) {
  const std::size_t firsts = board.choices[0].size();
  const std::size_t seconds = board.choices.size() > 1 ? board.choices[1].size() : 1;
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  Tally total;
  std::string complaint;
  auto work = [&] {
    Tally mine;
    try {
      for (std::size_t i = next++; i < firsts * seconds; i = next++)
        Walker(board, every, (offset + i) % every).run(i / seconds, i % seconds, mine);
    } catch (const Wrong& wrong) {
      next = firsts * seconds;
      const std::lock_guard lock(mutex);
      complaint = wrong.what();
    }
    const std::lock_guard lock(mutex);
    total.positions += mine.positions;
    total.consistent += mine.consistent;
  };
  Vector<std::thread> threads;
  for (unsigned i = 0; i < std::max(1u, std::thread::hardware_concurrency()); ++i)
    threads.emplace_back(work);
  for (auto& thread : threads) thread.join();
  if (!complaint.empty()) throw Wrong(complaint);
  return total;
}

}  // namespace

}  // namespace sapper::tests

int main(int argc, char** argv) {
  using namespace sapper::tests;
  std::uint64_t every = 1, offset = 0;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::strcmp(argv[i], "--every") == 0) every = std::max(1ull, std::strtoull(argv[i + 1], nullptr, 10));
    if (std::strcmp(argv[i], "--offset") == 0) offset = std::strtoull(argv[i + 1], nullptr, 10);
  }
  try {
    for (std::int32_t height = 1; height <= 3; ++height)
      for (std::int32_t width = height; width <= 3; ++width) {
        // Boards below 3 x 3 are small enough to be always complete.
        const std::uint64_t step = height * width == 9 ? every : 1;
        const Tally t = explore(Board(height, width), step, offset % step);
        std::printf("%d x %d: %llu positions, %llu consistent, all right\n", height, width,
                    static_cast<unsigned long long>(t.positions),
                    static_cast<unsigned long long>(t.consistent));
        std::fflush(stdout);
      }
  } catch (const Wrong& wrong) {
    std::printf("WRONG: %s\n", wrong.what());
    return 1;
  }
  return 0;
}
