#include "player.hpp"

#include <algorithm>

namespace sapper {

Player::Player(const Adjacency& field, std::vector<std::uint8_t> mines, Guard& guard)
    : field_(field), guard_(guard), mines_(std::move(mines)) {
  const auto n = std::size_t(field.cells());
  status_.assign(n, covered);
  labels_.assign(n, 0);
  covered_ = field.cells();
  for (std::int32_t c = 0; c < field.cells(); ++c)
    for (const std::int32_t d : field.of(c)) labels_[c] += mines_[d];
  need_.assign(n, 0);
  open_.assign(n, 0);
  queued_.assign(n, 0);
  value_.assign(n, -1);
  level_.assign(n, -1);
  position_.assign(n, -1);
  reason_.assign(n, kNoReason);
  trues_.assign(n, 0);
  unassigned_.assign(n, 0);
  excess_.assign(n, 0);
  violated_at_.assign(n, -1);
  active_.assign(n, 0);
  watches_.resize(2 * n);
  activity_.assign(n, 0.0);
  seen_.assign(n, 0);
  witnesses_of_.resize(n);
  is_pending_.assign(n, 0);
}

// --- what the player sees -----------------------------------------------------------------------

void Player::uncover(std::int32_t c) {
  status_[c] = revealed;
  --covered_;
  need_[c] = labels_[c];
  open_[c] = 0;
  for (const std::int32_t d : field_.of(c)) {
    if (status_[d] == covered) ++open_[c];
    if (status_[d] == flagged) --need_[c];
    if (status_[d] == revealed) {
      --open_[d];
      if (!queued_[d]) {
        queued_[d] = 1;
        queue_.push_back(d);
      }
    }
  }
  if (!queued_[c]) {
    queued_[c] = 1;
    queue_.push_back(c);
  }
  activate(c);
}

void Player::reveal(std::int32_t cell) {
  if (status_[cell] != covered) return;
  std::vector<std::int32_t> stack{cell};
  while (!stack.empty()) {
    guard_.tick();
    const std::int32_t c = stack.back();
    stack.pop_back();
    if (status_[c] != covered) continue;
    uncover(c);
    if (labels_[c] == 0)
      for (const std::int32_t d : field_.of(c))
        if (status_[d] == covered) stack.push_back(d);
  }
}

void Player::flag(std::int32_t c) {
  if (status_[c] != covered) return;
  status_[c] = flagged;
  --covered_;
  for (const std::int32_t d : field_.of(c))
    if (status_[d] == revealed) {
      --need_[d];
      --open_[d];
      if (!queued_[d]) {
        queued_[d] = 1;
        queue_.push_back(d);
      }
    }
  if (value_[c] < 0) {
    assign(literal(c, true), kNoReason);
  }
}

bool Player::settle() {
  bool any = false;
  while (!queue_.empty()) {
    guard_.tick();
    const std::int32_t c = queue_.back();
    queue_.pop_back();
    queued_[c] = 0;
    if (open_[c] == 0 || (need_[c] != 0 && need_[c] != open_[c])) continue;
    any = true;
    const bool mines = need_[c] != 0;
    for (const std::int32_t d : field_.of(c)) {
      if (status_[d] != covered) continue;
      if (mines)
        flag(d);
      else
        reveal(d);
    }
  }
  return any;
}

std::vector<std::int32_t> Player::inferences() {
  // Level 0 first: it may decide pending cells without a search.
  (void)propagate();
  while (!pending_.empty()) {
    const std::int32_t c = pending_.back();
    pending_.pop_back();
    is_pending_[c] = 0;
    if (value_[c] >= 0 || !witnesses_of_[c].empty()) continue;
    if (find_flip(c))
      keep_witness();
    else
      (void)propagate();
  }
  std::vector<std::int32_t> found;
  std::erase_if(forced_, [&](std::int32_t c) { return status_[c] != covered; });
  found = forced_;
  std::sort(found.begin(), found.end());
  return found;
}

void Player::play() {
  settle();
  while (true) {
    (void)propagate();
    // One cell at a time: what follows from single clues is always cheaper than a search.
    bool moved = false;
    while (!forced_.empty()) {
      const std::int32_t c = forced_.back();
      forced_.pop_back();
      if (status_[c] != covered) continue;
      apply(c);
      moved = true;
    }
    if (moved) {
      settle();
      continue;
    }
    if (pending_.empty()) return;
    const std::int32_t c = pending_.back();
    pending_.pop_back();
    is_pending_[c] = 0;
    if (value_[c] >= 0 || !witnesses_of_[c].empty()) continue;
    if (find_flip(c)) keep_witness();
  }
}

// --- witnesses ----------------------------------------------------------------------------------

void Player::need_witness(std::int32_t c) {
  if (is_pending_[c] || value_[c] >= 0 || !witnesses_of_[c].empty()) return;
  is_pending_[c] = 1;
  pending_.push_back(c);
}

void Player::keep_witness() {
  std::int32_t id;
  if (spare_witnesses_.empty()) {
    id = static_cast<std::int32_t>(witnesses_.size());
    witnesses_.emplace_back();
  } else {
    id = spare_witnesses_.back();
    spare_witnesses_.pop_back();
  }
  auto& cells = witnesses_[id];
  cells.clear();
  for (std::size_t i = std::size_t(limits_[0]); i < trail_.size(); ++i) {
    const std::int32_t c = trail_[i] >> 1;
    if (value_[c] == std::int8_t(mines_[c])) continue;
    cells.push_back(c);
    witnesses_of_[c].push_back(id);
  }
  unassign_to(0);
}

void Player::break_witness(std::int32_t id) {
  for (const std::int32_t c : witnesses_[id]) {
    std::erase(witnesses_of_[c], id);
    need_witness(c);
  }
  witnesses_[id].clear();
  spare_witnesses_.push_back(id);
}

// A new number: witnesses that contradict it break, and its clue joins the search.
void Player::activate(std::int32_t c) {
  active_[c] = 1;
  trues_[c] = unassigned_[c] = 0;
  touched_.clear();
  for (const std::int32_t d : field_.of(c)) {
    if (value_[d] == 1) ++trues_[c];
    if (value_[d] >= 0) continue;
    ++unassigned_[c];
    const std::int32_t change = mines_[d] ? -1 : 1;
    for (const std::int32_t w : witnesses_of_[d]) {
      if (std::size_t(w) >= sums_.size()) sums_.resize(std::size_t(w) + 64, 0);
      touched_.push_back(w);
      sums_[w] += change;
    }
  }
  if (value_[c] < 0) assign(literal(c, false), kNoReason);
  // Copy: breaking a witness asks for new ones, which does not touch this list, but stays clear.
  const std::vector<std::int32_t> met = touched_;
  for (const std::int32_t w : met) {
    if (sums_[w] != 0) {
      sums_[w] = 0;
      break_witness(w);
    }
  }
  for (const std::int32_t d : field_.of(c))
    if (value_[d] < 0) need_witness(d);
  wake_.push_back(c);
}

// --- the search ---------------------------------------------------------------------------------

void Player::set_violated(std::int32_t clue) {
  const bool violated = excess_[clue] != 0;
  if (violated == (violated_at_[clue] >= 0)) return;
  if (violated) {
    violated_at_[clue] = static_cast<std::int32_t>(violated_.size());
    violated_.push_back(clue);
  } else {
    const std::int32_t last = violated_.back();
    violated_[violated_at_[clue]] = last;
    violated_at_[last] = violated_at_[clue];
    violated_.pop_back();
    violated_at_[clue] = -1;
  }
}

void Player::assign(Literal l, std::int32_t reason) {
  const std::int32_t c = l >> 1;
  const bool mine = (l & 1) == 0;
  value_[c] = mine ? 1 : 0;
  level_[c] = level();
  reason_[c] = reason;
  position_[c] = static_cast<std::int32_t>(trail_.size());
  trail_.push_back(l);
  const std::int32_t change = std::int32_t(value_[c]) - std::int32_t(mines_[c]);
  for (const std::int32_t d : field_.of(c)) {
    if (!active_[d]) continue;
    --unassigned_[d];
    trues_[d] += mine;
    if (change != 0) {
      excess_[d] += change;
      set_violated(d);
    }
  }
  if (level() == 0 && status_[c] == covered) forced_.push_back(c);
}

void Player::unassign_to(std::int32_t target) {
  if (level() <= target) return;
  const std::int32_t keep = limits_[target];
  for (auto i = std::int32_t(trail_.size()) - 1; i >= keep; --i) {
    const std::int32_t c = trail_[i] >> 1;
    const bool mine = value_[c] == 1;
    const std::int32_t change = std::int32_t(mines_[c]) - std::int32_t(value_[c]);
    for (const std::int32_t d : field_.of(c)) {
      if (!active_[d]) continue;
      ++unassigned_[d];
      trues_[d] -= mine;
      if (change != 0) {
        excess_[d] += change;
        set_violated(d);
      }
    }
    value_[c] = -1;
    level_[c] = -1;
    position_[c] = -1;
  }
  trail_.resize(keep);
  limits_.resize(target);
  head_ = trail_.size();
}

// The assigned neighbours of a number that are mines (or free), as false literals of a clause.
void Player::explain(std::int32_t clue, bool trues, std::int32_t before,
                     std::vector<Literal>& out) const {
  for (const std::int32_t d : field_.of(clue))
    if (value_[d] == (trues ? 1 : 0) && position_[d] < before && level_[d] > 0)
      out.push_back(literal(d, !trues));
}

bool Player::propagate_clue(std::int32_t clue) {
  const std::int32_t left = labels_[clue] - trues_[clue];
  if (left < 0 || left > unassigned_[clue]) {
    conflict_.clear();
    explain(clue, left < 0, static_cast<std::int32_t>(trail_.size()), conflict_);
    return false;
  }
  if (unassigned_[clue] == 0 || (left != 0 && left != unassigned_[clue])) return true;
  const bool mine = left != 0;
  for (const std::int32_t d : field_.of(clue))
    if (value_[d] < 0) assign(literal(d, mine), clue);
  return true;
}

bool Player::propagate_clauses(Literal made_true) {
  const Literal falsified = made_true ^ 1;
  auto& list = watches_[falsified];
  std::size_t kept = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Watch w = list[i];
    if (is_true(w.blocker)) {
      list[kept++] = w;
      continue;
    }
    auto& clause = clauses_[w.clause];
    if (clause[0] == falsified) std::swap(clause[0], clause[1]);
    if (is_true(clause[0])) {
      list[kept++] = {w.clause, clause[0]};
      continue;
    }
    bool moved = false;
    for (std::size_t k = 2; k < clause.size(); ++k)
      if (!is_false(clause[k])) {
        std::swap(clause[1], clause[k]);
        watches_[clause[1]].push_back({w.clause, clause[0]});
        moved = true;
        break;
      }
    if (moved) continue;
    list[kept++] = w;
    if (is_false(clause[0])) {
      conflict_ = clause;
      for (++i; i < list.size(); ++i) list[kept++] = list[i];
      list.resize(kept);
      return false;
    }
    assign(clause[0], -2 - w.clause);
  }
  list.resize(kept);
  return true;
}

bool Player::propagate() {
  // Numbers that appeared since the last time are looked at as a whole.
  while (!wake_.empty()) {
    const std::int32_t clue = wake_.back();
    wake_.pop_back();
    if (!propagate_clue(clue)) return false;
  }
  while (head_ < trail_.size()) {
    guard_.tick();
    const Literal l = trail_[head_++];
    for (const std::int32_t d : field_.of(l >> 1))
      if (active_[d] && !propagate_clue(d)) return false;
    if (!propagate_clauses(l)) return false;
  }
  return true;
}

void Player::reason_of(std::int32_t c, std::vector<Literal>& out) const {
  const std::int32_t r = reason_[c];
  if (r <= -2) {
    for (const Literal l : clauses_[-2 - r])
      if ((l >> 1) != c) out.push_back(l);
  } else if (r >= 0) {
    // A cell became free because the mines of the number were found, and a mine because its free
    // neighbours were.
    explain(r, value_[c] == 0, position_[c], out);
  }
}

std::int32_t Player::analyze() {
  learned_.assign(1, 0);
  std::int32_t open = 0;
  auto at = static_cast<std::int32_t>(trail_.size());
  std::vector<std::int32_t> touched;
  scratch_ = conflict_;
  while (true) {
    for (const Literal l : scratch_) {
      const std::int32_t c = l >> 1;
      if (seen_[c] || level_[c] == 0) continue;
      seen_[c] = 1;
      touched.push_back(c);
      activity_[c] += bump_;
      if (level_[c] == level())
        ++open;
      else
        learned_.push_back(l);
    }
    do --at;
    while (!seen_[trail_[at] >> 1] || level_[trail_[at] >> 1] != level());
    if (--open == 0) {
      learned_[0] = trail_[at] ^ 1;
      break;
    }
    scratch_.clear();
    reason_of(trail_[at] >> 1, scratch_);
  }
  std::size_t kept = 1;
  for (std::size_t i = 1; i < learned_.size(); ++i) {
    const std::int32_t c = learned_[i] >> 1;
    bool redundant = reason_[c] != kNoReason;
    if (redundant) {
      scratch_.clear();
      reason_of(c, scratch_);
      for (const Literal l : scratch_)
        redundant = redundant && (seen_[l >> 1] || level_[l >> 1] == 0);
    }
    if (!redundant) learned_[kept++] = learned_[i];
  }
  learned_.resize(kept);
  std::int32_t back = 0;
  for (std::size_t i = 1; i < learned_.size(); ++i) back = std::max(back, level_[learned_[i] >> 1]);
  for (const std::int32_t c : touched) seen_[c] = 0;
  bump_ *= 1.05;
  if (bump_ > 1e100) {
    for (double& a : activity_) a *= 1e-100;
    bump_ *= 1e-100;
  }
  return back;
}

// How many violated numbers a flip would mend, less those it would break.
int Player::mends(std::int32_t c) const {
  const std::int32_t change = mines_[c] ? -1 : 1;
  int score = 0;
  for (const std::int32_t d : field_.of(c))
    if (active_[d]) score += int(excess_[d] + change == 0) - int(excess_[d] == 0);
  return score;
}

bool Player::decide() {
  if (violated_.empty()) return false;
  const std::int32_t clue = violated_.back();
  const bool too_much = excess_[clue] > 0;
  const bool gentle = conflicts_ < 30;
  std::int32_t best = -1;
  int best_score = 0;
  for (const std::int32_t d : field_.of(clue)) {
    if (value_[d] >= 0 || (mines_[d] != 0) != too_much) continue;
    const int score = gentle ? mends(d) : 0;
    if (best < 0 || score > best_score || (score == best_score && activity_[d] > activity_[best])) {
      best = d;
      best_score = score;
    }
  }
  limits_.push_back(static_cast<std::int32_t>(trail_.size()));
  assign(literal(best, mines_[best] == 0), kNoReason);
  return true;
}

void Player::forget_clauses() {
  if (clause_literals_ < 100'000) return;
  clauses_.clear();
  clause_literals_ = 0;
  for (auto& w : watches_) w.clear();
  std::fill(reason_.begin(), reason_.end(), kNoReason);
}

// Is there a model in which the cell differs from the truth? Level 0 must be at a fixpoint.
bool Player::find_flip(std::int32_t cell) {
  ++probes_;
  conflicts_ = 0;
  forget_clauses();
  const Literal assumption = literal(cell, mines_[cell] == 0);
  while (true) {
    if (propagate()) {
      if (level() == 0) {
        if (value_[cell] >= 0) return false;
        limits_.push_back(static_cast<std::int32_t>(trail_.size()));
        assign(assumption, kNoReason);
      } else if (!decide()) {
        return true;
      }
      continue;
    }
    ++conflicts_;
    const bool refuted = level() <= 1;
    const std::int32_t back = analyze();
    unassign_to(back);
    if (learned_.size() == 1) {
      assign(learned_[0], kNoReason);
      if (refuted) {
        if (value_[cell] < 0) assign(assumption ^ 1, kNoReason);
        return false;
      }
      continue;
    }
    std::size_t second = 1;
    for (std::size_t i = 2; i < learned_.size(); ++i)
      if (level_[learned_[i] >> 1] > level_[learned_[second] >> 1]) second = i;
    std::swap(learned_[1], learned_[second]);
    const auto index = static_cast<std::int32_t>(clauses_.size());
    clause_literals_ += learned_.size();
    clauses_.push_back(learned_);
    watches_[learned_[0]].push_back({index, learned_[1]});
    watches_[learned_[1]].push_back({index, learned_[0]});
    assign(learned_[0], -2 - index);
  }
}

}  // namespace sapper
