// The first reading of a body: what it gets wrong in kinds, shapes and types is said here, in the user's line.
//
// The planner reads the body many times, deep inside the proofs, and a compiler lists every step on the way to an
// error. From here the way is short. Later readings take for granted what was checked here.
#pragma once
#include <sectile/dsl/plan/planner.hpp>
#include <sectile/dsl/program/shape_rules.hpp>

namespace sectile {

constexpr violation check_coordinates(const operand_facts& f, int given) {
  if (given == f.tile.rank) return {};
  return refuse(rule::operand_is_used_in_another_way, "a tile of ", f.name, " is named by ", f.tile.rank,
                " coordinates, one for each mode; ", given, given == 1 ? " is given" : " are given");
}
constexpr violation check_load(const operand_facts& f) {
  if (f.kind == operand_kind::input) return {};
  return refuse(rule::operand_is_used_in_another_way, "load(", f.name, "): ", f.name,
                " is an output; load() takes an input: declare it with input<>() to read it");
}
constexpr violation check_tile_of(const operand_facts& f) {
  if (f.kind == operand_kind::output) return {};
  return refuse(rule::operand_is_used_in_another_way, "tile_of(", f.name, "): ", f.name,
                " is an input; the work is divided by the tiles of the output: take tile_of() of that");
}
constexpr violation check_trips(const described& x) {
  violation v{.what = rule::values_do_not_combine};
  v.add("pipelined() takes a number of trips, not "), v << x;
  v.add("; all tiles along mode 1 are "), v.add(x.kind == value_kind::operand ? x.facts.name : "A"), v.add(".tiles(1)");
  return v;
}
constexpr violation check_accumulator(const described& x) {
  violation v{.what = rule::values_do_not_combine};
  v.add("accumulator() takes the output whose shape it has, or a product a * b, not "), v << x;
  return v;
}
/// `typed`: whether the element type must be one that Hopper's epilogue rounds to the output's; other readings convert
/// more.
constexpr violation check_store(const operand_facts& f, const described& x, bool typed) {
  if (f.kind != operand_kind::output)
    return refuse(rule::operand_is_used_in_another_way, "store to ", f.name, ": ", f.name,
                  " is an input; store() takes an output: declare it with output<>() to write it");
  if (x.kind == value_kind::refused) return {};
  if (x.kind != value_kind::fragment) {
    violation v = refuse(rule::operand_is_used_in_another_way, "store to ", f.name, ": the value is ");
    v << x;
    v.add(x.kind == value_kind::product ? "; a product needs an accumulator: sm.accumulator(a * b)"
                                        : "; what is stored is a fragment, the result of products");
    return v;
  }
  const violation shape = check_store_shape(f.name, x.facts.rows(), x.facts.cols(), f.rows(), f.cols());
  return shape.holds() && typed ? check_store_types(f.name, x.facts.type, f.type) : shape;
}

/// The coordinates behind an operand in load() and store(): one per mode.
template <class Handle>
struct given_coordinates {
  tile_coordinates<Handle::rank> tile{};
  bool complete = true;

  constexpr given_coordinates(const tile_coordinates<Handle::rank>& at) : tile(at) {}
  template <class... Numbers>
  requires(std::is_convertible_v<Numbers, int>&&...) constexpr given_coordinates(
      Numbers... numbers) {  // implicit on purpose: load(A, {m, k})
    static_assert(decltype(reason<check_coordinates(value_facts<Handle>::facts, sizeof...(Numbers))>())::verified);
    if constexpr (sizeof...(Numbers) == Handle::rank) tile = {{static_cast<int>(numbers)...}};
    complete = sizeof...(Numbers) == Handle::rank;
  }
};

/// Not deduced from what is given, so that it can be converted.
template <class Handle>
using coordinates_of = std::type_identity_t<given_coordinates<Handle>>;

/// The planner, with a closer look at what a body hands to it.
template <class K, bool Typed = true>
struct first_reading : planner<K> {
  using base = planner<K>;
  using base::accumulator, base::pipelined;

  template <int I>
  constexpr auto tile_of(const operand_handle<K, I>& c) {
    constexpr violation v = check_tile_of(operand_facts_of<K, I>());
    static_assert(decltype(reason<v>())::verified);
    this->refused = this->refused || !v.holds();
    if constexpr (v.holds())
      return base::tile_of(c);
    else
      return tile_coordinates<operand_handle<K, I>::rank>{};
  }
  template <class X>
  requires is_body_value<X>
  constexpr auto pipelined(const X&) {
    static_assert(decltype(reason<check_trips(describe<X>())>())::verified);
    this->refused = true;
    return base::pipelined(0);
  }
  template <class X>
  requires is_body_value<X>
  constexpr refused_value accumulator(const X&) {
    static_assert(decltype(reason<check_accumulator(describe<X>())>())::verified);
    this->refused = true;
    return {};
  }

  template <int I>
  constexpr auto load(const operand_handle<K, I>& a, const coordinates_of<operand_handle<K, I>>& at) {
    constexpr violation v = check_load(operand_facts_of<K, I>());
    static_assert(decltype(reason<v>())::verified);
    this->refused = this->refused || !v.holds() || !at.complete;
    if constexpr (v.holds())
      return base::load(a, at.tile);
    else
      return refused_value{};
  }
  template <int I>
  constexpr loaded_tile<base, I> load(const operand_handle<K, I>&) {
    static_assert(decltype(reason<check_coordinates(operand_facts_of<K, I>(), 0)>())::verified);
    this->refused = true;
    return {this, {}};
  }

  template <int I, class X>
  constexpr void store(const operand_handle<K, I>& c, const coordinates_of<operand_handle<K, I>>& at, const X& x) {
    constexpr violation v = check_store(operand_facts_of<K, I>(), describe<X>(), Typed);
    static_assert(decltype(reason<v>())::verified);
    constexpr bool right = v.holds() && describe<X>().kind == value_kind::fragment;
    this->refused = this->refused || !right || !at.complete;
    if constexpr (right) base::store(c, at.tile, x);
  }
  template <int I, class X>
  constexpr void store(const operand_handle<K, I>&, const X&) {
    static_assert(decltype(reason<check_coordinates(operand_facts_of<K, I>(), 0)>())::verified);
    this->refused = true;
  }
};

template <class K, int... I>
concept body_takes_its_operands = requires(first_reading<K>& sm, typename body_argument<K, I>::type... argument) {
  K::body(sm, argument...);
};
constexpr violation check_parameters(int operands) {
  return refuse(rule::operand_is_used_in_another_way, "body() must take sm and an argument for each of the ", operands,
                " operands: static constexpr void body(auto& sm, auto A, ..)");
}

template <class K>
concept declares_operands = requires {
  K::operands;
};
template <class K>
concept declares_schedule = requires {
  K::schedule;
};
template <class K>
concept declares_constants = requires {
  typename std::integral_constant<int, K::schedule.stages>;
};
constexpr violation check_form(bool operands, bool schedule) {
  if (operands && schedule) return {};
  return refuse(rule::operand_is_used_in_another_way, "a kernel declares ",
                operands ? "its schedule: static constexpr sectile::schedule schedule{..}"
                         : "its operands: static constexpr auto operands = sectile::operands(..)");
}
template <class K>
constexpr int declared_operands() {
  if constexpr (declares_operands<K>)
    return operand_count<K>;
  else
    return 0;
}
template <class K>
using operand_indices = std::make_integer_sequence<int, declared_operands<K>()>;

/// Reads K's body once; false if the compiler has said why it cannot be read. `now` is true; a condition lets a
/// compiler name what in the body is not constexpr.
template <class K, bool Typed = true, int... I>
constexpr bool body_is_readable(std::integer_sequence<int, I...>, bool now = true) {
  if constexpr (!declares_operands<K> || !declares_schedule<K>) {
    static_assert(decltype(reason<check_form(declares_operands<K>, declares_schedule<K>)>())::verified);
    return false;
  } else if constexpr (sizeof...(I) > max_operands || !declares_constants<K>) {
    return false;
  } else if constexpr (!body_takes_its_operands<K, I...>) {
    static_assert(decltype(reason<check_parameters(sizeof...(I))>())::verified);
    return false;
  } else {
    first_reading<K, Typed> sm{};
    if (now) K::body(sm, traced_argument<K, I>({})...);
    return !sm.refused;
  }
}

}  // namespace sectile
