#include "diagram/compiled_system.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "diagram/build_diagram.hpp"
#include "diagram/small_paths.hpp"
#include "diagram/state_layout.hpp"
#include "search/prober.hpp"

namespace sapper {

namespace {

// What was found in a search is kept beside the diagram, under another name.
std::string in_search(const std::string& content) { return "?" + content; }

}  // namespace

const Cache::Entry* Cache::look_up(const std::string& content) {
  const auto at = places_.find(content);
  if (at == places_.end()) return nullptr;
  kept_.splice(kept_.begin(), kept_, at->second);
  return &*at->second;
}

void Cache::keep(Entry entry) {
  if (places_.contains(entry.content)) return;
  bytes_ += entry.bytes;
  kept_.push_front(std::move(entry));
  places_.emplace(kept_.front().content, kept_.begin());
}

std::shared_ptr<const Diagram> Cache::find(const std::string& content) {
  const std::lock_guard lock(mutex_);
  const Entry* entry = look_up(content);
  if (!entry) return nullptr;
  ++hits;
  return entry->diagram;
}

void Cache::insert(const std::string& content, std::shared_ptr<const Diagram> diagram) {
  const std::lock_guard lock(mutex_);
  ++compiled;
  const std::uint64_t bytes = entry_bytes(content, *diagram);
  keep({content, std::move(diagram), nullptr, bytes});
}

Cache::Forced Cache::find_forced(const std::string& content) {
  const std::lock_guard lock(mutex_);
  const Entry* entry = look_up(in_search(content));
  return entry ? entry->forced : nullptr;
}

std::uint64_t Cache::insert_forced(const std::string& content, Forced forced) {
  const std::lock_guard lock(mutex_);
  ++searched;
  const std::uint64_t bytes = content.size() + forced->size() + 256;
  keep({in_search(content), nullptr, std::move(forced), bytes});
  return bytes;
}

std::uint64_t Cache::trim(std::uint64_t most) {
  const std::lock_guard lock(mutex_);
  while (bytes_ > most) {
    bytes_ -= kept_.back().bytes;
    places_.erase(kept_.back().content);
    kept_.pop_back();
  }
  return bytes_;
}

std::size_t Cache::size() const {
  const std::lock_guard lock(mutex_);
  return kept_.size();
}

std::uint64_t Cache::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

void Cache::clear() { trim(0); }

std::uint64_t Compiled::nodes() const {
  std::uint64_t n = 0;
  for (const Piece& p : pieces) n += p.diagram ? p.diagram->nodes : 0;
  return n;
}

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
  std::vector<Prober::Entry> entries;
  for (std::int32_t c = 0; c < comp.clues(); ++c) {
    entries.clear();
    for (const auto& e : comp.clue(c))
      for (std::int32_t i = part.variable_offsets[e.group]; i < part.variable_offsets[e.group + 1]; ++i)
        entries.push_back({i, e.weight});
    prober.add_clue(entries, comp.counts[c]);
  }
  if (!prober.solve()) return nullptr;
  prober.probe(part.variable_offsets);
  std::vector<std::int8_t> forced(std::size_t(comp.groups()));
  for (std::int32_t g = 0; g < comp.groups(); ++g)
    forced[g] = prober.forced(part.variable_offsets[g]);
  return std::make_shared<const std::vector<std::int8_t>>(std::move(forced));
}

// Tell `knowledge` what is forced in a part, and whether that is anything.
bool learn(const Part& part, const std::vector<std::int8_t>& forced, Knowledge& knowledge) {
  bool any = false;
  for (std::int32_t g = 0; g < part.component.groups(); ++g) {
    if (forced[g] < 0) continue;
    any = true;
    for (const std::int32_t v : part.group(g))
      if (knowledge.value(v) == Knowledge::kUnknown) knowledge.learn(v, forced[g] == 1);
  }
  return any;
}

}  // namespace

Prepared prepare(const System& system, const Options& options, Guard& guard, Cache* cache) {
  Prepared prepared;
  Compiled& result = prepared.result;
  result.variables = system.variables;
  result.has_total = system.has_total;
  result.total = system.total;
  const auto variables = std::uint64_t(system.variables);
  guard.take_bytes(system.bytes() + variables);
  Charge knowing(guard, Knowledge::bytes_for(system));
  Knowledge knowledge(system);
  auto inconsistent = [&] {
    result.consistent = false;
    result.pieces.clear();
    prepared.plans.clear();
    result.values = knowledge.values();
    return std::move(prepared);
  };
  if (!knowledge.propagate(guard)) return inconsistent();

  struct Job {
    Part part;
    bool probed;
  };
  std::vector<Job> jobs;
  Splitter splitter(knowledge, options.grouping, guard);
  Charge lists(guard);
  std::size_t parts = 0;
  auto add = [&](std::vector<Part>&& found, bool probed) {
    parts += found.size();
    // Lists of parts, jobs, pieces and plans while they grow, and once more to be put in order.
    lists.at_least(parts * 5 * sizeof(Part));
    for (Part& part : found) jobs.push_back({std::move(part), probed});
  };
  add(splitter.split(), !options.certainty);
  // Last in, first out keeps memory small; pieces are put into board order at the end.
  while (!jobs.empty()) {
    Job job = std::move(jobs.back());
    jobs.pop_back();
    guard.tick(std::uint32_t(job.part.component.clues()));
    Charge planning(guard, planning_bytes(job.part.component, 2));
    std::string content;
    Cache::Forced forced;
    if (cache) {
      planning.at_least(3 * job.part.component.content_bytes());
      content = job.part.component.content();
      if (auto known = cache->find(content)) {
        result.pieces.push_back({std::move(job.part), std::move(known)});
        prepared.plans.emplace_back();
        continue;
      }
      if (!job.probed) forced = cache->find_forced(content);
    }
    const Shape shape(job.part.component);
    Plan plan;
    bool small = false;
    if (!job.probed) {
      // A first look decides whether this part is worth probing; a large one always is.
      const bool large = forced || job.part.component.clues() > kLarge;
      const auto order = large ? std::vector<std::int32_t>{}
                               : path_order(shape, -1, 0, 0, kWorthProbing, guard).clues;
      if (!order.empty()) plan = build_plan(shape, order, guard);
      small = !order.empty() && plan.expected_work <= kWorthProbing;
      if (!small) {
        if (!forced) {
          forced = probe(job.part, guard);
          if (!forced) return inconsistent();
          if (cache) {
            guard.take_bytes(cache->insert_forced(content, forced));
            cache->trim(Cache::share(guard));
          }
        }
        if (learn(job.part, *forced, knowledge)) {
          if (!knowledge.propagate(guard)) return inconsistent();
          add(splitter.split(job.part.clue_ids), true);
          guard.give_bytes(job.part.bytes());
          continue;
        }
      }
    }
    if (!small || (options.path_only && plan.has_joins) || options.order != OrderKind::automatic)
      plan = best_plan(shape, options.order, options.path_only, guard);
    // What does not fit into the widest state can be estimated, but not compiled.
    if (!lay_out(shape, plan, options.look_ahead && plan.expected_work > kWorthProbing, guard))
      plan.words = 0;
    planning.release();
    guard.take_bytes(plan.bytes());
    result.pieces.push_back({std::move(job.part), nullptr});
    prepared.plans.push_back(std::move(plan));
  }

  std::vector<std::size_t> order(result.pieces.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return result.pieces[a].part.variables[0] < result.pieces[b].part.variables[0];
  });
  std::vector<Piece> pieces;
  std::vector<Plan> plans;
  pieces.reserve(order.size());
  plans.reserve(order.size());
  for (const std::size_t i : order) {
    pieces.push_back(std::move(result.pieces[i]));
    plans.push_back(std::move(prepared.plans[i]));
  }
  result.pieces = std::move(pieces);
  prepared.plans = std::move(plans);

  result.values = knowledge.values();
  const Charge touching(guard, variables);
  std::vector<std::uint8_t> touched(system.variables, 0);
  for (const std::int32_t v : system.cells) touched[v] = 1;
  std::size_t free = 0;
  for (std::int32_t v = 0; v < system.variables; ++v) {
    if (result.values[v] == 1) ++result.forced_mines;
    if (!touched[v]) ++free;
  }
  guard.take_bytes(free * sizeof(std::int32_t));
  result.free.reserve(free);
  for (std::int32_t v = 0; v < system.variables; ++v)
    if (!touched[v]) result.free.push_back(v);
  return prepared;
}

Compiled compile_system(const System& system, const Options& options, Guard& guard, Cache* cache) {
  const std::uint64_t before = guard.bytes();
  if (cache) guard.take_bytes(cache->trim(Cache::share(guard)));
  Prepared prepared = prepare(system, options, guard, cache);
  Compiled& result = prepared.result;
  double expected = 0;
  for (const Plan& plan : prepared.plans) {
    expected += plan.expected_nodes;
    if (plan.words == 0)
      throw LimitHit(LimitKind::estimate, options.most_expected, plan.expected_nodes);
  }
  if (expected > options.most_expected)
    throw LimitHit(LimitKind::estimate, options.most_expected, expected);
  SmallPaths small_paths(system, options, guard);
  for (std::size_t i = 0; result.consistent && i < result.pieces.size(); ++i) {
    Piece& piece = result.pieces[i];
    if (piece.diagram) {
      result.consistent = piece.diagram->consistent();
      continue;
    }
    const Component& component = piece.part.component;
    Charge working(guard, Shape::bytes_for(component));
    if (cache) working.at_least(2 * component.content_bytes());
    const std::string content = cache ? component.content() : std::string();
    // An equal component of the same board may have been compiled a moment ago.
    if (cache) piece.diagram = cache->find(content);
    if (!piece.diagram) {
      const Plan& plan = prepared.plans[i];
      piece.diagram = std::make_shared<Diagram>(
          options.path_only ? small_paths.compile(piece.part, plan)
                            : compile(Shape(component), plan, guard));
      guard.take_bytes(cache ? Cache::entry_bytes(content, *piece.diagram) : piece.diagram->bytes());
      if (cache) {
        cache->insert(content, piece.diagram);
        cache->trim(Cache::share(guard));
      }
    }
    guard.give_bytes(prepared.plans[i].bytes());
    prepared.plans[i] = Plan{};
    result.consistent = piece.diagram->consistent();
  }
  if (!result.consistent) result.pieces.clear();
  result.bytes = guard.bytes() - before;
  return std::move(result);
}

bool certain_values(const System& system, std::vector<std::int8_t>& values, Guard& guard) {
  const Lease lease(guard);
  guard.take_bytes(system.bytes() + std::uint64_t(system.variables) + Knowledge::bytes_for(system));
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
