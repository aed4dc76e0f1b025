#include "diagram/prepare.hpp"

#include <algorithm>
#include <numeric>

#include "diagram/state_layout.hpp"
#include "search/prober.hpp"

namespace sapper {

namespace {

// Above this many looked-at states it pays to search for forced cells first.
constexpr double kWorthProbing = 4000;
// With so many clues we do not even look for an order before probing.
constexpr std::int32_t kLarge = 300;

// Search one part: for each group 0 or 1 if it is forced, or -1. Null: the clues contradict each
// other. One variable stands for its group.
Cache::Forced probe(const Part& part, Guard& guard) {
  const Component& comp = part.component;
  Prober prober(std::int32_t(part.variables.size()), guard);
  std::size_t uses = 0;
  for (const auto& e : comp.entries) uses += std::size_t(comp.sizes[e.group]);
  prober.expect(std::size_t(comp.clues()), uses);
  Vector<Prober::Entry> entries;
  for (std::int32_t c = 0; c < comp.clues(); ++c) {
    entries.clear();
    for (const auto& e : comp.clue(c))
      for (std::int32_t i = part.variable_offsets[e.group]; i < part.variable_offsets[e.group + 1]; ++i)
        entries.push_back({i, e.weight});
    prober.add_clue(entries, comp.counts[c]);
  }
  if (!prober.solve()) return nullptr;
  prober.probe(part.variable_offsets);
  Vector<std::int8_t> forced(std::size_t(comp.groups()));
  for (std::int32_t g = 0; g < comp.groups(); ++g)
    forced[g] = prober.forced(part.variable_offsets[g]);
  return std::make_shared<const Vector<std::int8_t>>(std::move(forced));
}

// Tell `knowledge` what is forced in a part, and whether that is anything.
bool learn(const Part& part, const Vector<std::int8_t>& forced, Knowledge& knowledge) {
  bool any = false;
  for (std::int32_t g = 0; g < part.component.groups(); ++g) {
    if (forced[g] < 0) continue;
    any = true;
    for (const std::int32_t v : part.group(g))
      if (knowledge.value(v) == Knowledge::kUnknown) knowledge.learn(v, forced[g] == 1);
  }
  return any;
}

class Preparer {
 public:
  Preparer(const System& system, const Options& options, Guard& guard, Cache* cache)
      : system_(system), options_(options), guard_(guard), cache_(cache),
        knowledge_(system), splitter_(knowledge_, options.grouping, guard) {
    prepared_.result.variables = system.variables;
    prepared_.result.has_total = system.has_total;
    prepared_.result.total = system.total;
  }

  Prepared run() {
    if (split_and_plan()) {
      put_in_order();
      find_free();
    } else {
      prepared_.result.consistent = false;
      prepared_.result.pieces.clear();
      prepared_.plans.clear();
    }
    prepared_.result.values = std::move(knowledge_).values();
    return std::move(prepared_);
  }

 private:
  struct Job {
    Part part;
    bool probed;
  };

  // False: the clues contradict each other.
  bool split_and_plan() {
    if (!knowledge_.propagate(guard_)) return false;
    add(splitter_.split(), !options_.certainty);
    prepared_.result.pieces.reserve(jobs_.size());
    prepared_.plans.reserve(jobs_.size());
    while (!jobs_.empty()) {
      Job job = std::move(jobs_.back());
      jobs_.pop_back();
      guard_.tick(std::uint32_t(job.part.component.clues()));
      if (!take(job)) return false;
    }
    return true;
  }

  // Last in, first out keeps memory small, and the first part is taken first: what is not split again is
  // in the order of the board.
  void add(Vector<Part>&& found, bool probed) {
    if (jobs_.empty()) jobs_.reserve(found.size());
    for (; !found.empty(); found.pop_back()) jobs_.emplace_back(std::move(found.back()), probed);
  }

  // A part becomes a piece, or what is forced in it splits it further. False: a contradiction.
  bool take(Job& job) {
    const Component& component = job.part.component;
    Text content;
    if (cache_) {
      content = component.content();
      if (auto known = cache_->find(content)) {
        prepared_.result.pieces.emplace_back(std::move(job.part), std::move(known));
        prepared_.plans.emplace_back();
        return true;
      }
    }
    const Shape shape(component);
    Plan plan;
    bool small = false;
    if (!job.probed) {
      Cache::Forced forced = cache_ ? cache_->find_forced(content) : nullptr;
      small = !forced && is_small(shape, plan);
      if (!small) {
        if (!forced && !(forced = search(job.part, content))) return false;
        if (learn(job.part, *forced, knowledge_)) {
          if (!knowledge_.propagate(guard_)) return false;
          add(splitter_.split(job.part.clue_ids), true);
          return true;
        }
      }
    }
    if (!small || (options_.path_only && plan.has_joins) || options_.order != OrderKind::automatic)
      plan = best_plan(shape, options_.order, options_.path_only, guard_);
    // What does not fit into the widest state can be estimated, but not compiled.
    if (!lay_out(shape, plan, options_.look_ahead && plan.expected_work > kWorthProbing, guard_))
      plan.words = 0;
    prepared_.result.pieces.emplace_back(std::move(job.part), nullptr);
    prepared_.plans.push_back(std::move(plan));
    return true;
  }

  // A first look decides whether a part is worth probing; a large one always is. If not, there is a
  // plan already.
  bool is_small(const Shape& shape, Plan& plan) {
    if (shape.component().clues() > kLarge) return false;
    const auto order = path_order(shape, -1, 0, 0, kWorthProbing, guard_).clues;
    if (order.empty()) return false;
    plan = build_plan(shape, order, guard_);
    return plan.expected_work <= kWorthProbing;
  }

  Cache::Forced search(const Part& part, const Text& content) {
    Cache::Forced forced = probe(part, guard_);
    if (forced && cache_) {
      cache_->insert_forced(content, forced);
      cache_->trim(Cache::share(guard_));
    }
    return forced;
  }

  void put_in_order() {
    auto& pieces = prepared_.result.pieces;
    auto first = [](const Piece& piece) { return piece.part.variables[0]; };
    if (std::ranges::is_sorted(pieces, {}, first)) return;
    Vector<std::size_t> order(pieces.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::ranges::sort(order, {}, [&](std::size_t i) { return first(pieces[i]); });
    Vector<Piece> sorted_pieces;
    Vector<Plan> sorted_plans;
    sorted_pieces.reserve(order.size());
    sorted_plans.reserve(order.size());
    for (const std::size_t i : order) {
      sorted_pieces.push_back(std::move(pieces[i]));
      sorted_plans.push_back(std::move(prepared_.plans[i]));
    }
    pieces = std::move(sorted_pieces);
    prepared_.plans = std::move(sorted_plans);
  }

  void find_free() {
    Compiled& result = prepared_.result;
    // Neither known nor in a clue.
    Vector<std::int8_t> value(knowledge_.values());
    result.forced_mines = std::ranges::count(value, 1);
    for (const std::int32_t v : system_.cells) value[v] = 0;
    const auto free = std::size_t(std::ranges::count(value, Knowledge::kUnknown));
    result.free.resize(free + 1);
    std::int32_t* at = result.free.data();
    for (std::int32_t v = 0; v < system_.variables; ++v) {
      *at = v;
      at += value[v] == Knowledge::kUnknown;
    }
    result.free.resize(free);
  }

  const System& system_;
  const Options& options_;
  Guard& guard_;
  Cache* cache_;
  Knowledge knowledge_;
  Splitter splitter_;
  Vector<Job> jobs_;
  Prepared prepared_;
};

}  // namespace

Prepared prepare(const System& system, const Options& options, Guard& guard, Cache* cache) {
  guard.take_bytes(system.bytes());  // made before, by whoever asks
  return Preparer(system, options, guard, cache).run();
}

bool certain_values(const System& system, Vector<std::int8_t>& values, Guard& guard) {
  const Lease lease(guard);
  guard.take_bytes(system.bytes());
  Knowledge knowledge(system);
  if (!knowledge.propagate(guard)) return false;
  for (const Part& part : Splitter(knowledge, true, guard).split()) {
    const Cache::Forced forced = probe(part, guard);
    if (!forced) return false;
    learn(part, *forced, knowledge);
  }
  values = knowledge.values();
  return true;
}

}  // namespace sapper
