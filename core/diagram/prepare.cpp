#include "diagram/prepare.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <iterator>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <utility>

#include "diagram/state_layout.hpp"
#include "search/prober.hpp"

namespace sapper {

namespace {

// Above this many looked-at states it pays to search for forced cells first.
constexpr double kWorthProbing = 4000;
// With so many clues we do not even look for an order before probing.
constexpr std::int32_t kLarge = 300;
// Most boards have no more parts than these.
constexpr std::size_t kFewParts = 16;
// Small parts are handed to other threads together, until they have so many clues.
constexpr std::size_t kTogether = 100;

// The clues of a part, over its variables in its order.
void tell(const Part& part, Prober& prober) {
  const Component& comp = part.component;
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
}

// Search one part, which the prober was told: for each group 0 or 1 if it is forced, or -1. Null: the clues
// contradict each other. One variable stands for its group.
Cache::Forced probe(const Part& part, Prober& prober, Crew* crew, Guard& guard) {
  if (crew) {
    if (!prober.probe_with(*crew, part.variable_offsets, guard)) return nullptr;
  } else {
    if (!prober.solve()) return nullptr;
    prober.probe(part.variable_offsets);
  }
  Vector<std::int8_t> forced(std::size_t(part.component.groups()));
  for (std::int32_t g = 0; g < part.component.groups(); ++g)
    forced[g] = prober.forced(part.variable_offsets[g]);
  return std::make_shared<const Vector<std::int8_t>>(std::move(forced));
}

Cache::Forced probe(const Part& part, Crew* crew, Guard& guard) {
  Prober prober(std::int32_t(part.variables.size()), guard);
  tell(part, prober);
  return probe(part, prober, crew, guard);
}

// Tell `knowledge` what is forced in a part.
void learn(const Part& part, const Vector<std::int8_t>& forced, Knowledge& knowledge) {
  for (std::int32_t g = 0; g < part.component.groups(); ++g) {
    if (forced[g] < 0) continue;
    for (const std::int32_t v : part.group(g))
      if (knowledge.value(v) == Knowledge::kUnknown) knowledge.learn(v, forced[g] == 1);
  }
}

class Preparer {
 public:
  Preparer(const System& system, const Options& options, Crew& crew, Guard& guard, Cache* cache)
      : system_(system), options_(options), crew_(crew), guard_(guard), cache_(cache),
        knowledge_(system, crew, guard), splitter_(knowledge_, options.grouping) {
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
  // A part, and what was found out about it.
  struct Job {
    Job(const Splitter::Found& f, Part&& p, bool is_probed) : found(f), part(std::move(p)), probed(is_probed) {}

    Splitter::Found found;
    Part part;                               // once it is built
    bool probed;
    Text content;                            // if there is a cache
    std::shared_ptr<const Diagram> diagram;  // if it is known
    Cache::Forced forced;                    // if anything is
    std::size_t parts_end = 0;               // then it was split, into parts before this one
    Plan plan;                               // of what is neither known nor split
  };

  // False: the clues contradict each other.
  bool split_and_plan() {
    if (!knowledge_.propagate(guard_)) return false;
    Vector<Job> jobs, parts;
    study(jobs, !options_.certainty, [&](auto&& add, Guard& guard) { splitter_.find({}, guard, add); });
    if (contradiction_) return false;
    splitter_.forget();
    study(parts, true, [&](auto&& add, Guard& guard) {
      std::size_t found = 0;
      for (Job& job : jobs) {
        if (!job.forced) continue;
        learn(job.part, *job.forced, knowledge_);
        if (!knowledge_.propagate(guard)) {
          contradiction_ = true;
          return;
        }
        splitter_.find(job.part.clue_ids, guard, [&](const Splitter::Found& part) {
          ++found;
          add(part);
        });
        job.parts_end = found;
      }
    });
    if (contradiction_) return false;
    prepared_.result.pieces.reserve(jobs.size() + parts.size());
    prepared_.plans.reserve(jobs.size() + parts.size());
    // In the order of the board, about.
    std::size_t next = 0;
    for (Job& job : jobs) {
      if (!job.forced) take(job);
      while (next < job.parts_end) take(parts[next++]);
    }
    return true;
  }

  void take(Job& job) {
    prepared_.result.pieces.emplace_back(std::move(job.part), std::move(job.diagram));
    prepared_.plans.push_back(std::move(job.plan));
  }

  // Each part that find(add, guard) adds, by itself.
  template <class Find>
  void study(Vector<Job>& jobs, bool probed, Find&& find) {
    if (crew_.threads() > 1) return study_together(jobs, probed, find);
    Splitter::Scratch scratch;
    const auto add = [&](const Splitter::Found& found) {
      if (jobs.empty()) jobs.reserve(kFewParts);
      jobs.emplace_back(found, splitter_.build(found, scratch), probed);
    };
    find(add, guard_);
    for (std::size_t i = 0; i < jobs.size() && !contradiction_; ++i) study(jobs[i], guard_);
  }

  // One thread finds the parts. The others build and study them meanwhile, the largest of those that are there first,
  // and so do all when there are no more. In the large ones all threads search, one after the other; the first of
  // them is made ready for that by whoever has built it, and by who comes next.
  template <class Find>
  void study_together(Vector<Job>& jobs, bool probed, Find&& find) {
    const auto enough = std::size_t(std::max(options_.few_clues, kLarge));
    std::mutex mutex;  // of all below
    std::condition_variable came;
    struct Some {
      std::size_t clues, begin, end;  // so many, in the parts from one to another
      auto operator<=>(const Some&) const = default;
    };
    Vector<Some> waiting;  // what nobody has begun: a heap
    Vector<std::size_t> large;
    std::unique_ptr<Prober> ready;  // of the first large one
    const std::size_t others = crew_.threads() - 1;  // who will search in it: their numbers are below 0
    bool over = false, building = false;  // no more are found; the first large one is being built
    Vector<Splitter::Found> found;  // and not handed over yet: known to who finds them alone
    std::size_t clues_found = 0;
    const auto hand_over = [&] {
      if (found.empty()) return;
      const std::lock_guard lock(mutex);
      // They are there before anybody is told: there may be no memory for all.
      const std::size_t begin = jobs.size();
      for (const Splitter::Found& part : found) jobs.emplace_back(part, Part(), probed);
      waiting.push_back({std::exchange(clues_found, 0), begin, jobs.size()});
      found.clear();
      std::ranges::push_heap(waiting);
      came.notify_one();
    };
    // Those with more clues come alone, and at once.
    const auto add = [&](const Splitter::Found& part) {
      if (clues_found + part.clues.size() > kTogether) hand_over();
      found.push_back(part);
      clues_found += part.clues.size();
      if (clues_found >= kTogether) hand_over();
    };
    crew_.spread(crew_.threads(), guard_, [&](std::size_t who, Guard& guard) {
      std::unique_lock lock(mutex, std::defer_lock);
      if (who == 0) {
        struct Over {
          std::mutex& mutex;
          std::condition_variable& came;
          bool& over;
          ~Over() {
            const std::lock_guard last(mutex);
            over = true;
            came.notify_all();
          }
        } const at_last{mutex, came, over};
        find(add, guard);
        hand_over();
      }
      Splitter::Scratch scratch;
      while (!contradiction_) {
        lock.lock();
        while (waiting.empty() && (!over || building)) {
          came.wait_for(lock, std::chrono::milliseconds(20));
          lock.unlock();
          guard.look();
          lock.lock();
        }
        if (waiting.empty()) return;
        std::ranges::pop_heap(waiting);
        const auto [clues, begin, end] = waiting.back();
        waiting.pop_back();
        if (const std::size_t other = ~begin; other < others) {
          lock.unlock();
          ready->make_room(other, clues, guard);
          continue;
        }
        // Where they lie others may move them.
        Vector<Job> own(std::make_move_iterator(&jobs[begin]), std::make_move_iterator(&jobs[begin] + (end - begin)));
        const bool is_large = !probed && clues > enough;
        const bool is_first = is_large && large.empty();
        if (is_large) large.push_back(begin);
        if (is_first) building = true;
        lock.unlock();
        for (Job& job : own) {
          job.part = splitter_.build(job.found, scratch);
          if (!is_large) study(job, guard);
        }
        if (is_first) {
          Job& job = own.front();
          if (!is_known(job)) ready = std::make_unique<Prober>(std::int32_t(job.part.variables.size()), guard);
          lock.lock();
          building = false;
          if (ready) {
            ready->expect_others(others);
            for (std::size_t i = 0; i < others; ++i) {
              waiting.push_back({std::size_t(job.part.component.clues()), ~i, ~i});
              std::ranges::push_heap(waiting);
            }
          }
          came.notify_all();
          lock.unlock();
          if (ready) {
            tell(job.part, *ready);
            ready->complete();
          }
        }
        lock.lock();
        std::ranges::move(own, jobs.begin() + std::ptrdiff_t(begin));
        lock.unlock();
      }
    });
    for (const std::size_t number : large) {
      if (contradiction_) return;
      if (!is_known(jobs[number])) search(jobs[number], ready.get(), &crew_, guard_);
      ready = nullptr;
    }
    crew_.spread(large.size(), guard_, [&](std::size_t i, Guard& guard) {
      if (!contradiction_) study(jobs[large[i]], guard);
    });
  }

  // What is forced in a part or, if nothing is, a plan for it.
  void study(Job& job, Guard& guard) {
    guard.tick(std::uint32_t(job.part.component.clues()));
    if (is_known(job)) return;
    std::optional<Shape> made;  // of a part in which something is forced nobody needs it
    const auto shape_of = [&]() -> const Shape& { return made ? *made : made.emplace(job.part.component); };
    bool small = false;
    if (!job.probed) {
      if (!job.forced && cache_) job.forced = cache_->find_forced(job.content);
      small = !job.forced && job.part.component.clues() <= kLarge && is_small(shape_of(), job.plan, guard);
      if (!small) {
        search(job, nullptr, nullptr, guard);
        if (contradiction_ || std::ranges::any_of(*job.forced, [](std::int8_t value) { return value >= 0; })) return;
        job.forced = nullptr;
      }
    }
    const Shape& shape = shape_of();
    if (!small || (options_.path_only && job.plan.has_joins) || options_.order != OrderKind::automatic)
      job.plan = best_plan(shape, options_.order, options_.path_only, guard);
    // What does not fit into the widest state can be estimated, but not compiled.
    if (!lay_out(shape, job.plan, options_.look_ahead && job.plan.expected_work > kWorthProbing, guard))
      job.plan.words = 0;
  }

  // Does the cache have its diagram?
  bool is_known(Job& job) const {
    if (cache_ && job.content.empty()) {
      job.content = job.part.component.content();
      job.diagram = cache_->find(job.content);
    }
    return job.diagram != nullptr;
  }

  // A first look decides whether a part that is not large is worth probing. If not, there is a plan already.
  static bool is_small(const Shape& shape, Plan& plan, Guard& guard) {
    const auto order = path_order(shape, -1, 0, 0, kWorthProbing, guard).clues;
    if (order.empty()) return false;
    plan = build_plan(shape, order, guard);
    return plan.expected_work <= kWorthProbing;
  }

  // Looks for what is forced, unless somebody did; with a prober that is ready, if there is one.
  void search(Job& job, Prober* ready, Crew* crew, Guard& guard) {
    if (!job.forced && cache_) job.forced = cache_->find_forced(job.content);
    if (job.forced) return;
    job.forced = ready ? probe(job.part, *ready, crew, guard) : probe(job.part, crew, guard);
    if (!job.forced) contradiction_ = true;
    if (!job.forced || !cache_) return;
    cache_->insert_forced(job.content, job.forced);
    cache_->trim(Cache::share(guard_));
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
  Crew& crew_;
  Guard& guard_;
  Cache* cache_;
  Knowledge knowledge_;
  Splitter splitter_;
  std::atomic<bool> contradiction_ = false;
  Prepared prepared_;
};

}  // namespace

Prepared prepare(const System& system, const Options& options, Crew& crew, Guard& guard, Cache* cache) {
  guard.take_bytes(system.bytes());  // made before, by whoever asks
  return Preparer(system, options, crew, guard, cache).run();
}

bool certain_values(const System& system, Vector<std::int8_t>& values, Guard& guard) {
  const Lease lease(guard);
  guard.take_bytes(system.bytes());
  Knowledge knowledge(system);
  if (!knowledge.propagate(guard)) return false;
  Splitter splitter(knowledge, true);
  Splitter::Scratch scratch;
  bool consistent = true;
  splitter.find({}, guard, [&](const Splitter::Found& found) {
    if (!consistent) return;
    const Part part = splitter.build(found, scratch);
    const Cache::Forced forced = probe(part, nullptr, guard);
    if (forced)
      learn(part, *forced, knowledge);
    else
      consistent = false;
  });
  if (!consistent) return false;
  values = knowledge.values();
  return true;
}

}  // namespace sapper
