#include "passes/at_points.hpp"

namespace sapper {

namespace {

// Sums of products, reduced at the end: numbers below 2^62 leave room for so many.
struct LongSums {
  static constexpr std::uint8_t kMost = 15;
  std::array<Residues::Double, AtPoints::kPoints> of{};
  std::uint8_t added = 0;
};

void join_at_points(const Diagram& d, const Diagram::Level& level, const AtPoints& a,
                    Vector<AtPoints::T>& value) {
  const Residues& one = a.algebra();
  const AtPoints::T* left = value.data() + d.levels[level.left].first_node;
  const AtPoints::T* right = value.data() + d.levels[level.right].first_node;
  AtPoints::T* here = value.data() + level.first_node;
  Vector<LongSums> sums(level.nodes);
  const auto reduce = [&](LongSums& sum, AtPoints::T& into) {
    for (std::int32_t k = 0; k < AtPoints::kPoints; ++k) one.add(into[k], one.reduce_sum(sum.of[k]));
    sum = {};
  };
  for_join_arcs(d, level, [&](auto l, auto r, auto n) {
    LongSums& sum = sums[n];
    if (sum.added++ == LongSums::kMost) {
      reduce(sum, here[n]);
      sum.added = 1;
    }
    for (std::int32_t k = 0; k < AtPoints::kPoints; ++k)
      sum.of[k] += Residues::Double(left[l][k]) * right[r][k];
  });
  for (std::uint32_t n = 0; n < level.nodes; ++n) reduce(sums[n], here[n]);
}

}  // namespace

void upward_at_points(const Diagram& d, const AtPoints& a, Vector<AtPoints::T>& value, Guard& guard) {
  value.assign(d.nodes, a.zero());
  const AtPoints::T unit = a.one();
  for (const auto& level : d.levels) {
    guard.tick(arcs_of(level));
    if (level.is_join()) {
      join_at_points(d, level, a, value);
      continue;
    }
    const auto w = level_weights(level, d, a);
    Vector<std::uint8_t> is_unit(w.size());
    for (std::size_t v = 0; v < w.size(); ++v) is_unit[v] = w[v] == unit;
    const AtPoints::T* left = level.left < 0 ? &unit : value.data() + d.levels[level.left].first_node;
    AtPoints::T* here = value.data() + level.first_node;
    for_choice_arcs(d, level, [&](auto s, auto v, auto n) {
      a.add(here[n], is_unit[v] ? left[s] : a.multiply(left[s], w[v]));
    });
  }
}

Interpolation::Interpolation(const Residues& a, std::int32_t points, Guard& guard)
    : a_(a), product_(1, a.one()) {
  product_.reserve(std::size_t(points) + 1);
  for (std::int32_t k = 0; k < points; ++k) {
    guard.tick(std::uint32_t(k) + 1);
    // Times x - point, the leading coefficient first moved up.
    product_.push_back(product_.back());
    for (std::size_t i = product_.size() - 1; i-- > 0;) {
      const std::uint64_t gone = a_.multiply(product_[i], point(k));
      product_[i] = i == 0 ? a_.zero() : product_[i - 1];
      a_.subtract(product_[i], gone);
    }
  }
}

Vector<std::uint64_t> Interpolation::basis(std::int32_t k) const {
  // The product without x - point, by Horner's rule; and its value at the point.
  Vector<std::uint64_t> rest(product_.size() - 1);
  std::uint64_t carried = a_.zero();
  for (std::size_t i = rest.size(); i-- > 0;) {
    carried = a_.multiply(carried, point(k));
    a_.add(carried, product_[i + 1]);
    rest[i] = carried;
  }
  std::uint64_t value = a_.zero();
  for (std::size_t i = rest.size(); i-- > 0;) {
    value = a_.multiply(value, point(k));
    a_.add(value, rest[i]);
  }
  const std::uint64_t scale = a_.divide(a_.one(), value);
  for (std::uint64_t& x : rest) x = a_.multiply(x, scale);
  return rest;
}

namespace {

// Products of numbers: of polynomials, and at all points.
struct Work {
  double by_mines = 0, at_points = 0;

  Work(const Diagram& d, const MineRanges& m) {
    for (const auto& level : d.levels) {
      if (level.is_join()) {
        const std::uint64_t l0 = d.levels[level.left].first_node, r0 = d.levels[level.right].first_node;
        for_join_arcs(d, level, [&](auto l, auto r, auto) {
          at_points += 1;
          by_mines += double(m.length(l0 + l)) * m.length(r0 + r);
        });
      } else {
        for_choice_arcs(d, level, [&](auto s, auto, auto) {
          at_points += 1;
          by_mines += level.left < 0 ? 1 : m.length(d.levels[level.left].first_node + s);
        });
      }
    }
    at_points *= m.length(d.nodes - 1);
  }
};

}  // namespace

bool points_are_quicker(const Diagram& d, const MineRanges& m) {
  if (!d.has_joins) return false;
  const Work work(d, m);
  return work.at_points < work.by_mines;
}

Vector<std::uint64_t> polynomial_at_points(const Diagram& d, const MineRanges& m, const Residues& a,
                                           Guard& guard) {
  const Interpolation at(a, m.length(d.nodes - 1), guard);
  Vector<std::uint64_t> result(std::size_t(at.points()), a.zero());
  Vector<AtPoints::T> up;
  for_points(at, [&](std::int32_t first, const AtPoints& algebra, std::int32_t count) {
    upward_at_points(d, algebra, up, guard);
    const AtPoints::T& values = up.back();
    for (std::int32_t k = 0; k < count; ++k) {
      guard.tick(std::uint32_t(at.points()));
      const std::uint64_t value =
          a.divide(values[k], a.power(at.point(first + k), std::uint64_t(m.low.back())));
      const auto basis = at.basis(first + k);
      for (std::size_t i = 0; i < basis.size(); ++i) a.add(result[i], a.multiply(basis[i], value));
    }
  });
  return result;
}

}  // namespace sapper
