#pragma once
// Layouts and integer tuples as trees: taking modes out, putting them together, regrouping them. Nothing here
// changes a shape or a stride. The functions are written once for both; `tree` below is layout or int_tuple.

#include <type_traits>

#include <sectile/layouts/layout.hpp>

namespace sectile {

/// What the functions here work on.
template <class T>
concept tree = std::is_same_v<T, layout> || std::is_same_v<T, int_tuple>;

/// The empty tree (): rank 0. Only a step on the way to something.
template <tree T>
constexpr T empty_tree() {
  T result;
  result.form.leaves = 0;
  result.leaf[0] = {};
  return result;
}

/// Leaves [r.begin, r.end) as a tree of their own, without the outer parentheses of t.
/// Precondition: they are one mode of t or, if t is flat, any of its leaves.
template <tree T>
constexpr T leaves_of(const T& t, leaf_range r) {
  T result = empty_tree<T>();
  for (int k = r.begin; k < r.end; ++k) {
    const int to = k - r.begin;
    result.leaf[to] = t.leaf[k];
    result.form.open[to] = static_cast<std::uint8_t>(t.form.open[k] - (k == 0 ? 1 : 0));
    result.form.close[to] = static_cast<std::uint8_t>(t.form.close[k] - (k == t.form.leaves - 1 ? 1 : 0));
  }
  result.form.leaves = static_cast<std::uint8_t>(r.end - r.begin);
  return result;
}

/// Top-level mode i; a leaf is its own mode 0. Refuses i outside [0, rank).
template <tree T>
constexpr T mode(const T& t, int i) {
  const leaf_range r = mode_leaves(t.form, i);
  return is_tuple(t.form) ? leaves_of(t, r) : t;
}

/// Mode i, of that mode j, and so on: mode(((a,b),c), 0, 1) is b.
template <tree T, class... Rest>
constexpr T mode(const T& t, int i, int j, Rest... rest) {
  return mode(mode(t, i), j, rest...);
}

/// Adds part as one more mode behind those of `to`, which lacks its outer parentheses so far: see wrap().
template <tree T>
constexpr void push_mode(T& to, const T& part) {
  for (int k = 0; k < part.form.leaves; ++k) {
    push_leaf(to.form);
    const int at = to.form.leaves - 1;
    to.leaf[at] = part.leaf[k];
    to.form.open[at] = part.form.open[k];
    to.form.close[at] = part.form.close[k];
  }
}

/// Adds one more axis behind those of a flat layout in the making.
constexpr void push_axis(layout& to, const axis& a) {
  push_leaf(to.form);
  to.leaf[to.form.leaves - 1] = a;
}

/// Puts parentheses around everything: 4:1 becomes (4):(1).
template <tree T>
constexpr T wrap(T t) {
  if (t.form.leaves > 0) enclose(t.form, {0, t.form.leaves});
  return t;
}

/// A tuple of one mode becomes that mode; anything else stays.
template <tree T>
constexpr T unwrap(const T& t) {
  return is_tuple(t.form) && rank(t) == 1 ? mode(t, 0) : t;
}

/// The tuple (first, rest...).
template <tree T, class... Rest>
requires(std::is_same_v<T, Rest>&&...) constexpr T join(const T& first, const Rest&... rest) {
  T result = empty_tree<T>();
  push_mode(result, first);
  (push_mode(result, rest), ...);
  return wrap(result);
}

/// One layout with the given layouts as its modes. Refuses a size or cosize that does not fit 64 bits.
template <class... Rest>
requires(std::is_same_v<layout, Rest>&&...) constexpr layout make_layout(const layout& first, const Rest&... rest) {
  return checked_layout(join(first, rest...));
}

/// The tuple (parts...) of integers, _ and tuples. The three names mean the same and tell what it is for.
template <class... Parts>
constexpr int_tuple make_shape(const Parts&... parts) {
  int_tuple result = empty_tree<int_tuple>();
  (push_mode(result, int_tuple(parts)), ...);
  return wrap(result);
}

constexpr int_tuple make_stride(const auto&... parts) { return make_shape(parts...); }

constexpr int_tuple make_coord(const auto&... parts) { return make_shape(parts...); }

/// All leaves in one flat tuple; a leaf stays a leaf.
template <tree T>
constexpr T flatten(const T& t) {
  if (!is_tuple(t.form) || t.form.leaves == 0) return t;
  T result = empty_tree<T>();
  for (int k = 0; k < t.form.leaves; ++k) {
    push_leaf(result.form);
    result.leaf[k] = t.leaf[k];
  }
  return wrap(result);
}

/// The leaves of t in the parentheses of `profile`. Refuses another number of leaves.
template <tree T>
constexpr T unflatten(T t, const int_tuple& profile) {
  if (t.form.leaves != profile.form.leaves) {
    throw layout_error("unflatten: ", t, " has ", t.form.leaves, " leaves and the profile ", profile.form, " has ",
                       profile.form.leaves);
  }
  t.form = profile.form;
  return t;
}

/// Modes [begin, end) as a tuple. Refuses an empty range and one outside the rank.
template <tree T>
constexpr T take(const T& t, int begin, int end) {
  if (begin < 0 || begin >= end || end > rank(t)) {
    throw layout_error("take: modes [", begin, ",", end, ") of ", t, ", which has rank ", rank(t));
  }
  T result = empty_tree<T>();
  for (int i = begin; i < end; ++i) push_mode(result, mode(t, i));
  return wrap(result);
}

/// The named modes, in that order, as a tuple: select(t, 2, 0).
template <tree T, class... Index>
constexpr T select(const T& t, Index... modes) {
  T result = empty_tree<T>();
  (push_mode(result, mode(t, modes)), ...);
  return wrap(result);
}

/// Modes [begin, end) become one mode: group((a,b,c), 0, 2) is ((a,b),c). Refuses a range outside the rank.
template <tree T>
constexpr T group(const T& t, int begin, int end) {
  const T grouped = take(t, begin, end);
  T result = empty_tree<T>();
  for (int i = 0; i < begin; ++i) push_mode(result, mode(t, i));
  push_mode(result, grouped);
  for (int i = end; i < rank(t); ++i) push_mode(result, mode(t, i));
  return wrap(result);
}

/// x as one more mode at the end; a leaf becomes a tuple first.
template <tree T>
constexpr T append(const T& t, const T& x) {
  T result = empty_tree<T>();
  for (int i = 0; i < rank(t); ++i) push_mode(result, mode(t, i));
  push_mode(result, x);
  return wrap(result);
}

/// x as one more mode in front.
template <tree T>
constexpr T prepend(const T& t, const T& x) {
  T result = empty_tree<T>();
  push_mode(result, x);
  for (int i = 0; i < rank(t); ++i) push_mode(result, mode(t, i));
  return wrap(result);
}

/// Appends modes 1:0 until the rank is at least r.
constexpr layout append_to_rank(layout l, int r) {
  while (rank(l) < r) l = append(l, layout{});
  return l;
}

/// Mode i exchanged for x.
template <tree T>
constexpr T replace(const T& t, int i, const T& x) {
  mode_leaves(t.form, i);
  if (!is_tuple(t.form)) return x;
  T result = empty_tree<T>();
  for (int m = 0; m < rank(t); ++m) push_mode(result, m == i ? x : mode(t, m));
  return wrap(result);
}

/// ((a0,b0),(a1,b1),...) of (a0,a1,...) and (b0,b1,...); a leaf counts as one mode. Refuses different ranks.
template <tree T>
constexpr T zip(const T& a, const T& b) {
  if (rank(a) != rank(b)) throw layout_error("zip: ", a, " has rank ", rank(a), " and ", b, " has rank ", rank(b));
  T result = empty_tree<T>();
  for (int i = 0; i < rank(a); ++i) push_mode(result, join(mode(a, i), mode(b, i)));
  return wrap(result);
}

}  // namespace sectile
