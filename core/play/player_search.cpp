// The search of the player: conflict-driven, on the clues themselves (see player.hpp).
#include <algorithm>

#include "play/player.hpp"

namespace sapper {

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
  const std::int32_t c = variable_of(l);
  const bool mine = says_mine(l);
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
  if (level() == 0 && game_.status(c) == Game::covered) forced_.push_back(c);
}

void Player::unassign_to(std::int32_t target) {
  if (level() <= target) return;
  const std::int32_t keep = limits_[target];
  for (auto i = std::int32_t(trail_.size()) - 1; i >= keep; --i) {
    const std::int32_t c = variable_of(trail_[i]);
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
  const std::int32_t left = game_.label(clue) - trues_[clue];
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

bool Player::propagate() {
  // Numbers that appeared since the last time are looked at as a whole.
  while (!wake_.empty()) {
    const std::int32_t clue = wake_.back();
    wake_.pop_back();
    if (active_[clue] && !propagate_clue(clue)) return false;
  }
  while (head_ < trail_.size()) {
    guard_.tick();
    const Literal l = trail_[head_++];
    for (const std::int32_t d : field_.of(variable_of(l)))
      if (active_[d] && !propagate_clue(d)) return false;
    const auto force = [&](Literal forced, std::int32_t clause) { assign(forced, -2 - clause); };
    if (!clauses_.propagate(l, value_, conflict_, force)) return false;
  }
  return true;
}

// False: there is no reason, it was decided or is known.
bool Player::reason_of(std::int32_t c, std::vector<Literal>& out) const {
  const std::int32_t r = reason_[c];
  if (r <= -2) {
    for (const Literal l : clauses_[-2 - r])
      if (variable_of(l) != c) out.push_back(l);
  } else if (r >= 0) {
    // A cell became free because the mines of the number were found, and a mine because its free
    // neighbours were.
    explain(r, value_[c] == 0, position_[c], out);
  }
  return r != kNoReason;
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
    if (best < 0 || score > best_score ||
        (score == best_score && analysis_.activity(d) > analysis_.activity(best))) {
      best = d;
      best_score = score;
    }
  }
  limits_.push_back(static_cast<std::int32_t>(trail_.size()));
  assign(literal(best, mines_[best] == 0), kNoReason);
  return true;
}

void Player::forget_clauses() {
  if (clauses_.literals() < 100'000) return;
  clauses_.clear();
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
    const auto reasons = [&](std::int32_t c, std::vector<Literal>& out) {
      return reason_of(c, out);
    };
    unassign_to(analysis_.learn(conflict_, trail_, level_, level(), reasons));
    const auto& learned = analysis_.learned();
    if (learned.size() == 1) {
      assign(learned[0], kNoReason);
      if (refuted) {
        if (value_[cell] < 0) assign(assumption ^ 1, kNoReason);
        return false;
      }
      continue;
    }
    assign(learned[0], -2 - clauses_.add(learned));
  }
}

}  // namespace sapper
