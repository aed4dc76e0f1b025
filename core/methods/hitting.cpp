#include "methods/hitting.hpp"

#include <algorithm>

namespace sapper {

namespace {

// Depth-first search for a hitting set of bounded size. Branches on the members of the smallest
// family that is not met; members tried before are forbidden further on, so no set is built twice.
class Hitting {
 public:
  Hitting(const Vector<Vector<std::int32_t>>& families, Guard& guard)
      : families_(&families), guard_(&guard), met_(families.size(), 0) {
    std::int32_t members = 0;
    for (const auto& family : families)
      for (const std::int32_t m : family) members = std::max(members, m + 1);
    where_.resize(members);
    forbidden_.assign(members, 0);
    used_.assign(members, -1);
    for (std::size_t f = 0; f < families.size(); ++f)
      for (const std::int32_t m : families[f]) where_[m].push_back(static_cast<std::int32_t>(f));
  }

  bool search(std::int32_t left) {
    guard_->tick(static_cast<std::uint32_t>(met_.size() / 8 + 1));
    std::int32_t branch = -1;
    std::size_t branch_size = 0;
    // Families that share no allowed member each cost a choice of their own.
    std::int32_t disjoint = 0;
    ++round_;
    for (std::size_t f = 0; f < met_.size(); ++f) {
      if (met_[f] > 0) continue;
      std::size_t allowed = 0;
      bool apart = true;
      for (const std::int32_t m : (*families_)[f]) {
        if (forbidden_[m]) continue;
        ++allowed;
        if (used_[m] == round_) apart = false;
      }
      if (allowed == 0) return false;
      if (apart) {
        ++disjoint;
        for (const std::int32_t m : (*families_)[f])
          if (!forbidden_[m]) used_[m] = round_;
      }
      if (branch < 0 || allowed < branch_size) {
        branch = static_cast<std::int32_t>(f);
        branch_size = allowed;
      }
    }
    if (branch < 0) return true;
    if (disjoint > left) return false;
    Vector<std::int32_t> tried;
    bool found = false;
    Vector<std::int32_t> members = (*families_)[branch];
    std::sort(members.begin(), members.end(), [&](std::int32_t a, std::int32_t b) {
      return std::pair(unmet(b), a) < std::pair(unmet(a), b);
    });
    for (const std::int32_t m : members) {
      if (forbidden_[m]) continue;
      for (const std::int32_t f : where_[m]) ++met_[f];
      chosen.push_back(m);
      found = search(left - 1);
      if (found) break;
      chosen.pop_back();
      for (const std::int32_t f : where_[m]) --met_[f];
      forbidden_[m] = 1;
      tried.push_back(m);
    }
    for (const std::int32_t m : tried) forbidden_[m] = 0;
    return found;
  }

  Vector<std::int32_t> chosen;

 private:
  std::int32_t unmet(std::int32_t member) const {
    std::int32_t n = 0;
    for (const std::int32_t f : where_[member]) n += met_[f] == 0;
    return n;
  }

  const Vector<Vector<std::int32_t>>* families_;
  Guard* guard_;
  Vector<std::int32_t> met_;
  Vector<Vector<std::int32_t>> where_;
  Vector<std::uint8_t> forbidden_;
  Vector<std::int64_t> used_;
  std::int64_t round_ = 0;
};

}  // namespace

std::optional<Vector<std::int32_t>> smallest_hitting_set(
    const Vector<Vector<std::int32_t>>& families, std::int32_t least, std::int32_t end,
    Guard& guard) {
  for (std::int32_t size = least; size < end; ++size) {
    Hitting hitting(families, guard);
    if (hitting.search(size)) return hitting.chosen;
  }
  return std::nullopt;
}

}  // namespace sapper
