#pragma once
// Layouts by brute force: functions as lists of offsets, in 128 bits so that nothing wraps, and searches over all
// layouts. Nothing here calls the algebra; of a layout only the public numbers are read.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <sectile/layouts/layout.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace sectile_fuzz {

using sectile::int_tuple;
using sectile::layout;
using sectile::nesting;

__extension__ typedef __int128 wide;
using sequence = std::vector<wide>;

inline bool fits_64(wide x) { return x >= INT64_MIN && x <= INT64_MAX; }

/// A layout, shape or stride as a tree.
struct node {
  std::vector<node> parts;
  bool leaf = false;
  std::int64_t extent = 1;
  std::int64_t stride = 0;
};

/// The tree of a nesting, read from its parentheses; leaf k becomes make_leaf(k).
template <class MakeLeaf>
node tree_of(const nesting& form, MakeLeaf make_leaf) {
  node around;  // one level outside of everything
  std::vector<node*> path{&around};
  if (form.leaves == 0) around.parts.emplace_back();
  for (int k = 0; k < form.leaves; ++k) {
    for (int p = 0; p < form.open[k]; ++p) {
      path.back()->parts.emplace_back();
      path.push_back(&path.back()->parts.back());
    }
    path.back()->parts.push_back(make_leaf(k));
    for (int p = 0; p < form.close[k]; ++p) path.pop_back();
  }
  return around.parts.front();
}

inline node tree_of(const layout& l) {
  return tree_of(l.form, [&](int k) { return node{{}, true, l.leaf[k].shape, l.leaf[k].stride}; });
}

inline node tree_of(const int_tuple& t) {
  return tree_of(t.form, [&](int k) { return node{{}, true, t.leaf[k], 0}; });
}

/// The notation of one half of a tree: `number` gives the text of a leaf.
template <class Number>
std::string text_of(const node& n, Number number) {
  if (n.leaf) return number(n);
  std::string text;
  for (const node& part : n.parts) text += (text.empty() ? "" : ",") + text_of(part, number);
  return "(" + text + ")";
}

inline std::string shape_text(const node& n) {
  return text_of(n, [](const node& leaf) { return leaf.extent == INT64_MIN ? "_" : std::to_string(leaf.extent); });
}
inline std::string text(const node& n) {
  return shape_text(n) + ":" + text_of(n, [](const node& leaf) { return std::to_string(leaf.stride); });
}

inline node tuple_of(std::vector<node> parts) { return {std::move(parts), false, 1, 0}; }
inline node one() { return {{}, true, 1, 0}; }

/// The modes of a tree; a leaf is its own only mode.
inline std::vector<node> modes_of(const node& n) { return n.leaf ? std::vector<node>{n} : n.parts; }

inline void collect_leaves(const node& n, std::vector<node>& into) {
  if (n.leaf) into.push_back(n);
  for (const node& part : n.parts) collect_leaves(part, into);
}
inline std::vector<node> leaves_of(const node& n) {
  std::vector<node> leaves;
  collect_leaves(n, leaves);
  return leaves;
}

inline wide size_of(const node& n) {
  wide size = 1;
  for (const node& leaf : leaves_of(n)) size *= leaf.extent;
  return size;
}
inline wide size_of(const layout& l) {
  wide size = 1;
  for (int k = 0; k < l.form.leaves; ++k) size *= l.leaf[k].shape;
  return size;
}

/// Whether b splits leaves of a further and sizes agree.
inline bool is_compatible(const node& a, const node& b) {
  if (a.leaf) return size_of(a) == size_of(b);
  if (b.leaf || a.parts.size() != b.parts.size()) return false;
  for (std::size_t i = 0; i < a.parts.size(); ++i) {
    if (!is_compatible(a.parts[i], b.parts[i])) return false;
  }
  return true;
}

/// Whether a becomes b when leaves are replaced by tuples.
inline bool is_coarser(const node& a, const node& b) {
  if (a.leaf) return b.leaf || !b.parts.empty();
  if (b.leaf || a.parts.size() != b.parts.size()) return false;
  for (std::size_t i = 0; i < a.parts.size(); ++i) {
    if (!is_coarser(a.parts[i], b.parts[i])) return false;
  }
  return true;
}

/// Offset of an index: the last leaf is not bounded, and -i lies where i does, mirrored.
inline wide at(const layout& l, wide i) {
  wide offset = 0;
  for (int k = 0; k < l.form.leaves; ++k) {
    const bool last = k + 1 == l.form.leaves;
    const wide extent = l.leaf[k].shape;
    offset += (last ? i : i % extent) * l.leaf[k].stride;
    i /= extent;
  }
  return offset;
}

/// The offsets of all coordinates in order, as the sums that they are.
inline sequence offsets(const layout& l) {
  sequence all{0};
  for (int k = 0; k < l.form.leaves; ++k) {
    const std::size_t inner = all.size();
    for (std::int64_t x = 1; x < l.leaf[k].shape; ++x) {
      for (std::size_t i = 0; i < inner; ++i) all.push_back(all[i] + wide{x} * l.leaf[k].stride);
    }
  }
  return all;
}

inline sequence sorted_set(sequence v) {
  std::sort(v.begin(), v.end());
  v.erase(std::unique(v.begin(), v.end()), v.end());
  return v;
}

inline bool all_different(sequence v) {
  std::sort(v.begin(), v.end());
  return std::adjacent_find(v.begin(), v.end()) == v.end();
}

/// The smallest and the largest offset.
inline std::pair<wide, wide> range_of(const layout& l) {
  wide low = 0;
  wide high = 0;
  for (int k = 0; k < l.form.leaves; ++k) {
    (l.leaf[k].stride < 0 ? low : high) += wide{l.leaf[k].shape - 1} * l.leaf[k].stride;
  }
  return {low, high};
}

/// Whether f is the table of a layout whose first mode has extent s.
inline bool begins_with_mode(const sequence& f, std::size_t s) {
  if (f.size() % s != 0 || f[0] != 0) return false;
  for (std::size_t i = 1; i < s; ++i) {
    if (f[i] != f[1] * static_cast<wide>(i)) return false;
  }
  for (std::size_t i = 0; i < f.size(); ++i) {
    if (f[i] != f[i - i % s] + f[i % s]) return false;
  }
  return true;
}

inline sequence every(const sequence& f, std::size_t s) {
  sequence rest;
  for (std::size_t i = 0; i < f.size(); i += s) rest.push_back(f[i]);
  return rest;
}

/// Calls visit(modes) for every layout, as extents from the fastest on, whose table is f, until it says true. The
/// strides of a layout follow from its table, so all ordered factorizations of the size are all the layouts there are.
template <class Visit>
bool any_layout(const sequence& f, Visit visit, std::vector<std::size_t> modes = {}) {
  if (f.size() == 1) return f[0] == 0 && visit(modes);
  for (std::size_t s = 2; s <= f.size(); ++s) {
    if (!begins_with_mode(f, s)) continue;
    modes.push_back(s);
    if (any_layout(every(f, s), visit, modes)) return true;
    modes.pop_back();
  }
  return false;
}

/// Whether some layout has this table.
inline bool is_layout(const sequence& f) {
  return any_layout(f, [](const auto&) { return true; });
}

/// The fewest modes with which a layout has this table; nothing if none has it.
inline std::optional<std::size_t> fewest_modes(const sequence& f) {
  std::optional<std::size_t> fewest;
  any_layout(f, [&](const std::vector<std::size_t>& modes) {
    if (!fewest || modes.size() < *fewest) fewest = modes.size();
    return false;
  });
  return fewest;
}

/// The one set of translations, smallest first, that together cover [0, end) with copies of `tile` (smallest offset 0)
/// and no overlap: the smallest offset that is not covered must be a translation. Nothing if copies overlap.
inline std::optional<sequence> tiling(const sequence& tile, wide end) {
  std::set<wide> covered;
  sequence places;
  for (wide next = 0; next < end; ++next) {
    if (covered.count(next) != 0) {
      covered.erase(next);
      continue;
    }
    places.push_back(next);
    for (const wide offset : tile) {
      if (offset != 0 && !covered.insert(next + offset).second) return std::nullopt;
    }
  }
  return places;
}

}  // namespace sectile_fuzz
