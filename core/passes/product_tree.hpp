// Polynomials multiplied in a balanced tree, and for each of them the worth of all others.
//
// With n polynomials whose product has M coefficients, the tree holds O(M log n) values, and
// O(M^2) multiplications make it, most of them at the root.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <type_traits>

#include "base/memory.hpp"
#include "passes/evaluate.hpp"
#include "passes/wide_product.hpp"

namespace sapper {

template <Algebra A>
class ProductTree {
 public:
  using T = typename A::T;

  // A crew, if there is one, shares the lower parts of the tree, and long products above them.
  explicit ProductTree(const A& a, Crew* crew = nullptr) : a_(a), crew_(crew) {}

  void reserve(std::size_t polynomials) { leaves_.reserve(polynomials + 1); }

  // The next polynomial, least power first.
  void add(std::span<const T> p) {
    values_.insert(values_.end(), p.begin(), p.end());
    leaves_.push_back(values_.size());
  }

  // Once all are there. Powers from `powers` on are left out of all products.
  void multiply(std::uint64_t powers, Guard& guard) {
    const std::size_t n = leaves_.size() - 1;
    if (n == 0) return;
    powers_ = powers;
    nodes_.resize(2 * n - 1);
    std::uint64_t end = values_.size();
    stack_ = lay_out(0, 0, n, end);
    values_.resize(end, a_.zero());
    if (!crew_) return multiply_below(0, guard);
    low_ = n / (8 * crew_->threads());
    Vector<std::size_t> above;
    for (std::size_t id = 0; id < nodes_.size(); id += is_low(id) ? nodes_below(id) : 1)
      (is_low(id) ? parts_ : above).push_back(id);
    crew_->spread(parts_.size(), guard, [&](std::size_t i, Guard& own) { multiply_below(parts_[i], own); });
    for (std::size_t i = above.size(); i-- > 0;) multiply_children(above[i], crew_, guard);
  }

  std::size_t polynomials() const { return leaves_.size() - 1; }
  std::span<const T> polynomial(std::size_t i) const {
    return {values_.data() + leaves_[i], values_.data() + leaves_[i + 1]};
  }
  // The product of all; the empty product is one.
  std::span<const T> product() const { return nodes_.empty() ? std::span<const T>(&unit_, 1) : of(0); }

  // Node 0 is the root if there are any polynomials.
  bool is_leaf(std::size_t id) const { return nodes_[id].right == 0; }
  std::size_t left(std::size_t id) const { return id + 1; }
  std::size_t right(std::size_t id) const { return nodes_[id].right; }
  // The polynomials below a node are first(node), first(node) + 1, ...
  std::size_t first(std::size_t id) const { return nodes_[id].first; }
  std::span<const T> of(std::size_t id) const {
    const Node& node = nodes_[id];
    return {values_.data() + node.begin, node.size};
  }

  // visit(i, others) for each polynomial i in turn: others[y] is the sum, over all products of one
  // term of each other polynomial, of worth[y + powers of these terms]. With a crew, several threads visit at once.
  template <class Visit>
  void for_others(std::span<const T> worth, Guard& guard, Visit&& visit) const {
    if (nodes_.empty()) return;
    const auto at_leaf = [&](std::size_t id) { return is_leaf(id); };
    const auto see_leaf = [&](std::size_t id, std::span<const T> others) { visit(first(id), others); };
    Vector<T> stack(stack_);
    if (!crew_) return descend(0, worth.data(), stack.data(), nullptr, guard, at_leaf, see_leaf);
    Vector<Vector<T>> outside;  // what each part sees
    descend(0, worth.data(), stack.data(), crew_, guard, [&](std::size_t id) { return is_low(id); },
            [&](std::size_t, std::span<const T> others) { outside.emplace_back(others.begin(), others.end()); });
    crew_->spread(parts_.size(), guard, [&](std::size_t i, Guard& own) {
      Vector<T> its(stack_);
      descend(parts_[i], outside[i].data(), its.data(), nullptr, own, at_leaf, see_leaf);
    });
  }

 private:
  static constexpr std::uint64_t kLong = 16;  // from here on add_product pays

  struct Node {
    std::uint64_t begin;
    std::uint32_t size;
    std::uint32_t right;  // 0 for a leaf
    std::uint32_t first, last;
  };

  // Places the product of some polynomials. Returns how many values a walk below it keeps.
  std::uint64_t lay_out(std::size_t id, std::size_t first, std::size_t last, std::uint64_t& end) {
    Node& node = nodes_[id];
    node.first = std::uint32_t(first);
    node.last = std::uint32_t(last);
    if (last - first == 1) {
      node.begin = leaves_[first];
      node.size = std::uint32_t(std::min(leaves_[last] - leaves_[first], powers_));
      node.right = 0;
      return 0;
    }
    const std::size_t middle = (first + last) / 2;
    node.right = std::uint32_t(id + 2 * (middle - first));
    const std::uint64_t below = lay_out(left(id), first, middle, end);
    const std::uint64_t beside = lay_out(node.right, middle, last, end);
    const std::uint64_t a = nodes_[left(id)].size, b = nodes_[node.right].size;
    node.size = std::uint32_t(std::min(a + b - 1, powers_));
    node.begin = end;
    end += node.size;
    return std::max(a + below, b + beside);
  }

  // Is it in a part for one thread?
  bool is_low(std::size_t id) const { return is_leaf(id) || nodes_[id].last - nodes_[id].first <= low_; }
  std::size_t nodes_below(std::size_t id) const { return 2 * std::size_t(nodes_[id].last - nodes_[id].first) - 1; }

  void multiply_below(std::size_t top, Guard& guard) {
    for (std::size_t id = top + nodes_below(top); id-- > top;)
      if (!is_leaf(id)) multiply_children(id, nullptr, guard);
  }

  void multiply_children(std::size_t id, Crew* crew, Guard& guard) {
    const Node& x = nodes_[left(id)];
    const Node& y = nodes_[right(id)];
    const std::uint64_t size = nodes_[id].size;
    if constexpr (std::is_same_v<A, WideFloats>) {
      if (std::min(x.size, y.size) >= kLong) {
        add_product(of(left(id)), of(right(id)), 0, {values_.data() + nodes_[id].begin, size}, guard, crew);
        return;
      }
    }
    for (std::uint64_t i = 0; i < x.size; ++i) {
      const T own = values_[x.begin + i];
      const T* from = values_.data() + y.begin;
      T* to = values_.data() + nodes_[id].begin + i;
      const std::uint64_t n = std::min<std::uint64_t>(y.size, size - i);
      guard.tick(std::uint32_t(n));
      for (std::uint64_t j = 0; j < n; ++j) a_.add(to[j], a_.multiply(own, from[j]));
    }
  }

  // `others` of a child: those of the node, seen through the other child.
  void see(std::size_t id, std::size_t child, std::size_t other, const T* worth, T* out, Crew* crew,
           Guard& guard) const {
    const auto through = of(other);
    const std::uint64_t size = nodes_[id].size, wanted = nodes_[child].size;
    std::fill_n(out, wanted, a_.zero());
    if constexpr (std::is_same_v<A, WideFloats>) {
      if (std::min(through.size(), wanted) >= kLong) {
        const Vector<T> mirrored(through.rbegin(), through.rend());
        add_product(mirrored, {worth, size}, 1 - std::int64_t(through.size()), {out, wanted}, guard, crew);
        return;
      }
    }
    for (std::uint64_t z = 0; z < through.size(); ++z) {
      const T own = through[z];
      const T* from = worth + z;
      const std::uint64_t n = std::min(wanted, size - z);
      guard.tick(std::uint32_t(n));
      for (std::uint64_t y = 0; y < n; ++y) a_.add(out[y], a_.multiply(own, from[y]));
    }
  }

  // visit(id, others) for each node at which it stops.
  template <class Stops, class Visit>
  void descend(std::size_t id, const T* worth, T* free, Crew* crew, Guard& guard, Stops&& stops, Visit&& visit) const {
    if (stops(id)) return visit(id, std::span<const T>(worth, nodes_[id].size));
    const std::size_t l = left(id), r = right(id);
    see(id, l, r, worth, free, crew, guard);
    descend(l, free, free + nodes_[l].size, crew, guard, stops, visit);
    see(id, r, l, worth, free, crew, guard);
    descend(r, free, free + nodes_[r].size, crew, guard, stops, visit);
  }

  A a_;
  Crew* crew_;
  T unit_ = a_.one();
  std::uint64_t powers_ = 0, stack_ = 0;
  std::size_t low_ = 0;  // so many polynomials are below a part, at most
  Vector<std::size_t> parts_;
  Vector<std::uint64_t> leaves_{0};  // where each polynomial begins among the values
  Vector<Node> nodes_;  // a node is followed by its left branch, that by its right branch
  Vector<T> values_;    // the polynomials, and then the products
};

}  // namespace sapper
