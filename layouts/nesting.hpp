#pragma once
// The parentheses of a hierarchical tuple, as a value. ((8,16),(8,8)) and ((1,2),(4,8)) have the same nesting
// ((*,*),(*,*)): four leaves, and for each leaf how many parentheses open right before it and close right after it.
// Shapes, strides, coordinates and layouts all are a nesting plus one thing per leaf.

#include <cstdint>

#include <sectile/layouts/error.hpp>

namespace sectile {

/// The most leaves that a tuple or layout may have.
inline constexpr int max_leaves = 24;

/// The most parentheses around a leaf.
inline constexpr int max_depth = 100;

/// Leaves [begin, end) of a tuple.
struct leaf_range {
  int begin = 0;
  int end = 0;
};

/// A nesting of leaves. The default is a single leaf without parentheses; leaves == 0 is the empty tuple ().
/// Entries behind the last leaf are zero, so that == compares structure.
struct nesting {
  std::uint8_t leaves = 1;
  std::uint8_t open[max_leaves] = {};
  std::uint8_t close[max_leaves] = {};

  friend constexpr bool operator==(const nesting&, const nesting&) = default;
};

/// Whether it is a tuple, not a lone leaf. (4) is a tuple, 4 is not.
constexpr bool is_tuple(const nesting& n) { return n.leaves == 0 || n.open[0] > 0; }

/// Number of modes at the top: 1 for a leaf, 0 for ().
constexpr int rank(const nesting& n) {
  if (!is_tuple(n)) return 1;
  int level = 0;
  int modes = 0;
  for (int k = 0; k < n.leaves; ++k) {
    level += n.open[k] - n.close[k];
    if (level <= 1) ++modes;
  }
  return modes;
}

/// Most parentheses around any leaf: 0 for a leaf, 1 for a flat tuple.
constexpr int depth(const nesting& n) {
  int level = 0;
  int deepest = is_tuple(n) ? 1 : 0;
  for (int k = 0; k < n.leaves; ++k) {
    level += n.open[k];
    if (level > deepest) deepest = level;
    level -= n.close[k];
  }
  return deepest;
}

/// The leaves of top-level mode i. Refuses i outside [0, rank).
constexpr leaf_range mode_leaves(const nesting& n, int i) {
  if (i < 0 || i >= rank(n)) throw layout_error("mode ", i, " does not exist: the rank is ", rank(n));
  int level = 0;
  int begin = 0;
  for (int k = 0;; ++k) {
    level += n.open[k] - n.close[k];
    if (level > 1) continue;
    if (i == 0) return {begin, k + 1};
    --i;
    begin = k + 1;
  }
}

/// Adds one leaf behind the others, without parentheses. Refuses more than max_leaves.
constexpr void push_leaf(nesting& n) {
  if (n.leaves == max_leaves) throw layout_error("a layout or tuple may have at most ", max_leaves, " leaves");
  ++n.leaves;
}

/// Refuses more than max_depth parentheses around a leaf.
constexpr void require_depth(const nesting& n) {
  if (depth(n) > max_depth) throw layout_error("a layout or tuple may be nested at most ", max_depth, " deep");
}

/// Puts one pair of parentheses around leaves [r.begin, r.end), which must be at least one.
constexpr void enclose(nesting& n, leaf_range r) {
  if (depth(n) >= max_depth) throw layout_error("a layout or tuple may be nested at most ", max_depth, " deep");
  ++n.open[r.begin];
  ++n.close[r.end - 1];
}

/// Prints a tree, of which print_leaf(k) prints leaf k.
constexpr void print_tree(message& to, const nesting& n, auto print_leaf, char open = '(', char close = ')') {
  if (n.leaves == 0) to.add(open).add(close);
  for (int k = 0; k < n.leaves; ++k) {
    if (k > 0) to.add(',');
    for (int p = 0; p < n.open[k]; ++p) to.add(open);
    print_leaf(k);
    for (int p = 0; p < n.close[k]; ++p) to.add(close);
  }
}

/// Prints the profile with '*' for each leaf.
constexpr void print(message& to, const nesting& n) {
  print_tree(to, n, [&](int) { to.add('*'); });
}

/// Congruent: the same parentheses.
constexpr bool congruent(const nesting& a, const nesting& b) { return a == b; }

/// Steps through the leaves of `fine` and tells, for each, which leaf of the coarser nesting it belongs to.
/// With coarse = (*,*) and fine = ((*,*),*) the leaves of fine belong to 0, 0, 1.
struct refinement {
  int leaf = 0;          // leaf of the coarse nesting
  int coarse_level = 0;  // parentheses around it
  int fine_level = 0;    // parentheses open in the fine nesting
  bool matches = true;   // false once `coarse` proved not to be a coarsening of `fine`

  constexpr explicit refinement(const nesting& coarse) : coarse_level(coarse.open[0]) {}

  /// Takes leaf k of fine; true when it is the last one that belongs to the current leaf of coarse.
  constexpr bool step(const nesting& coarse, const nesting& fine, int k) {
    if (leaf >= coarse.leaves) return matches = false;
    fine_level += fine.open[k];
    if (fine_level < coarse_level) matches = false;
    fine_level -= fine.close[k];
    return fine_level <= coarse_level;
  }

  /// Goes on to the next leaf of coarse.
  constexpr void next(const nesting& coarse) {
    coarse_level -= coarse.close[leaf];
    if (coarse_level != fine_level) matches = false;
    ++leaf;
    if (leaf < coarse.leaves) coarse_level += coarse.open[leaf];
  }
};

/// Weakly congruent: a is b, or becomes b when leaves are replaced by tuples; a coordinate of profile a then
/// addresses a layout of profile b. A partial order: 4 <= (2,2) <= (2,(1,2)).
constexpr bool weakly_congruent(const nesting& a, const nesting& b) {
  if (a.leaves == 0 || b.leaves == 0) return a.leaves == b.leaves;
  refinement walk(a);
  for (int k = 0; k < b.leaves; ++k) {
    if (walk.step(a, b, k)) walk.next(a);
  }
  return walk.matches && walk.leaf == a.leaves;
}

}  // namespace sectile
