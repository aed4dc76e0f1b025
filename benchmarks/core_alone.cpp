// What the core takes for an answer, without Python: the chance of a mine of every covered cell under the total.
//
//   core_alone FILE [ROUNDS]
//
// FILE has a position a line, as expert_positions.jsonl does: "mines" and "rows", ? for a covered cell. From labels to
// chances, ROUNDS times each (200 unless given), in turn. Of the median of each position: the median, what nine in ten
// need and the worst, in microseconds; and the sum of all chances, by which builds are compared. Built with the flags
// of the package:
//
//   cmake -S . -B build/alone -DSAPPER_PYTHON=OFF && cmake --build build/alone
//   g++ -std=c++20 -O3 -Icore benchmarks/core_alone.cpp build/alone/libsapper_core.a -o core_alone
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "passes/answers.hpp"

using namespace sapper;

namespace {

struct Board {
  std::int32_t height = 0, width = 0;
  std::int64_t mines = 0;
  std::vector<std::int32_t> labels;
};

// Just what these files have.
Board parse(const std::string& line) {
  Board board;
  board.mines = std::atoll(line.c_str() + line.find("\"mines\":") + 8);
  std::size_t at = line.find("\"rows\":");
  while ((at = line.find('"', at + 7)) != std::string::npos) {
    const std::size_t end = line.find('"', at + 1);
    for (std::size_t i = at + 1; i < end; ++i)
      board.labels.push_back(line[i] == '?' ? std::int32_t(kCovered) : line[i] - '0');
    board.width = std::int32_t(end - at - 1);
    ++board.height;
    at = end - 6;
  }
  return board;
}

double median(std::vector<double> times) {
  std::ranges::sort(times);
  return times[times.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return std::puts("core_alone FILE [ROUNDS]"), 2;
  const int rounds = argc > 2 ? std::max(1, std::atoi(argv[2])) : 200;
  const std::int32_t around[] = {-1, -1, -1, 0, -1, 1, 0, -1, 0, 1, 1, -1, 1, 0, 1, 1};
  std::ifstream file(argv[1]);
  std::vector<Board> boards;
  std::map<std::pair<std::int32_t, std::int32_t>, Adjacency> fields;  // shared, as in the package
  for (std::string line; std::getline(file, line);) {
    const Board& board = boards.emplace_back(parse(line));
    fields[{board.height, board.width}] = Adjacency::lattice(board.height, board.width, around, false);
  }
  if (boards.empty()) return std::puts("no positions"), 1;
  // In turn: the processor would learn a position that is asked again and again.
  std::vector<std::vector<double>> times(boards.size());
  double sum = 0;
  for (int round = 0; round < rounds; ++round)
    for (std::size_t i = 0; i < boards.size(); ++i) {
      const Board& board = boards[i];
      const Adjacency& field = fields.at({board.height, board.width});
      const auto begin = Guard::Clock::now();
      Guard guard;
      const System system = System::from_labels(field, board.labels, true, board.mines, true);
      const Probabilities chances = probabilities(compile_system(system, {}, guard, nullptr), guard);
      times[i].push_back(std::chrono::duration<double, std::micro>(Guard::Clock::now() - begin).count());
      if (round == 0)
        for (const double chance : chances.of) sum += chance;
    }
  std::vector<double> medians;
  for (const auto& each : times) medians.push_back(median(each));
  std::ranges::sort(medians);
  std::printf("%zu positions: median %.1f, nine in ten %.1f, worst %.1f us; sum %.17g\n", medians.size(),
              median(medians), medians[medians.size() * 9 / 10], medians.back(), sum);
}
