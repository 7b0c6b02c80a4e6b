// The first reading of a body: what it gets wrong in kinds, shapes and types is said here, in the user's line.
//
// The planner reads the body many times, deep inside the proofs, and a compiler lists every step on the way to an
// error. From here the way is short. Later readings take for granted what was checked here.
#pragma once
#include <sectile/dsl/proofs/declarations.hpp>
#include <sectile/dsl/proofs/foreign_words.hpp>

namespace sectile {

/// What is used as no operand of its kind is refused for that alone.
template <class K, int I>
constexpr violation check_modes_of(const operand_handle<K, I>*, operand_kind used_as, const given_modes& given) {
  const operand_kind kind = operand_at<K, I>::kind;
  const operand_kind like = kind == operand_kind::vector          ? operand_kind::input
                            : kind == operand_kind::vector_output ? operand_kind::output
                                                                  : kind;
  return like == used_as ? check_modes(operand_facts_of<K, I>(), given) : violation{};
}
template <class X>
inline constexpr bool is_operand = kind_of_value<X> == value_kind::operand;
template <class X>
inline constexpr bool is_place = false;
template <mode_id... Modes>
inline constexpr bool is_place<tile_place<Modes...>> = true;
template <class On, mode_id... Modes>
inline constexpr bool is_place<work_place<On, Modes...>> = true;
/// One coordinate is not all of them.
constexpr violation check_taken_apart(const operand_facts& f) {
  return refuse(rule::coordinates_are_taken_apart_as_auto_m_n, "a coordinate of ", f.name, " is a whole place, as ",
                "tile_of() and block_of() give it; name its coordinates: auto [m] = sm.block_of(C), auto [m, n] = ",
                "sm.tile_of(C)");
}
bool not_a_constant();
template <class... X>
constexpr described first_but_numbers() {
  described first{};
  bool found = false;
  ((found || staged_or_known<X> || is_place<X> ? void() : void((found = true, first = describe<X>()))), ...);
  return first;
}
/// The coordinates behind an operand in load() (of an input), store() and combine() (to an output): one per mode, along
/// that mode.
template <class Handle, operand_kind UsedAs>
struct given_coordinates {
  tile_coordinates<Handle::rank> tile{};
  bool complete = true;

  /// None, as a number in memory has.
  constexpr given_coordinates() {
    constexpr violation count = check_coordinates(value_facts<Handle>::facts, 0);
    static_assert(decltype(reason<count>())::verified);
    complete = count.holds();
  }
  /// Taken for what is no coordinate by an error in it: to a compiler nothing else is, and it would list what else a
  /// call might be.
  template <class = void>
  constexpr given_coordinates(...) : complete(not_a_constant()) {}

  template <mode_id... Modes>
  constexpr given_coordinates(const tile_place<Modes...>& at) {
    constexpr violation count = check_coordinates(value_facts<Handle>::facts, sizeof...(Modes));
    static_assert(decltype(reason<count>())::verified);
    complete = count.holds();
    if constexpr (count.holds()) {
      constexpr violation v = check_modes_of(static_cast<const Handle*>(nullptr), UsedAs, {Modes...});
      static_assert(decltype(reason<v>())::verified);
      complete = v.holds();
      tile = at;
    }
  }
  template <class On, mode_id... Modes>
  constexpr given_coordinates(const work_place<On, Modes...>& at)
      : given_coordinates(static_cast<const tile_place<Modes...>&>(at)) {}
  template <class... Numbers>
  requires((staged_or_known<Numbers> || is_place<Numbers>)&&...) constexpr given_coordinates(
      Numbers... numbers) {  // implicit on purpose: load(A, {m, k})
    constexpr bool apart = !(is_place<Numbers> || ...);
    constexpr operand_facts f = value_facts<Handle>::facts;
    constexpr violation count = apart ? check_coordinates(f, sizeof...(Numbers)) : check_taken_apart(f);
    static_assert(decltype(reason<count>())::verified);
    complete = count.holds();
    if constexpr (count.holds()) {
      constexpr violation v = check_modes_of(static_cast<const Handle*>(nullptr), UsedAs, {mode_of<Numbers>...});
      static_assert(decltype(reason<v>())::verified);
      complete = v.holds() && check_whole_coordinates((std::is_floating_point_v<plain_number<Numbers>> || ...)).holds();
      tile = {numbers...};
    }
  }
  template <class... X>
  requires(!((staged_or_known<X> || is_place<X>)&&...)) constexpr given_coordinates(const X&...) : complete(false) {
    constexpr violation v = check_coordinate(value_facts<Handle>::facts, first_but_numbers<X...>());
    static_assert(decltype(reason<v>())::verified);
  }
};

/// Not deduced from what is given, so that it can be converted.
template <class Handle, operand_kind UsedAs>
using coordinates_of = std::type_identity_t<given_coordinates<Handle, UsedAs>>;

/// The number of the operand of K that X is; -1: it is none.
template <class K, class... X>
inline constexpr int operand_in = -1;
template <class K, int I>
inline constexpr int operand_in<K, operand_handle<K, I>> = I;
/// Why sm.tile_of(x ..) or its like is refused; check: of an operand.
template <class K, class... X>
constexpr violation check_place_asked(const char* call, violation (*check)(const operand_table&, int, const char*)) {
  if constexpr (constexpr int o = operand_in<K, X...>; o >= 0)
    return check(operand_table_of<K>(), o, call);
  else
    return check_work_asked(call, sizeof...(X), (staged_or_known<X> && ...));
}

/// The planner, with a closer look at what a body hands to it.
template <class K, bool Typed = true>
struct first_reading : planner<K> {
  using base = planner<K>;
  using base::accumulator, base::own_trips, base::pipelined;
  bool stores_number = false;

  /// What a refused call gives.
  template <class Value>
  constexpr Value refused_with(const Value& value) {
    this->refused = true;
    return value;
  }
  /// What ask(the planner) gives if V holds, else a place that fits anywhere.
  template <violation V, class Place, class Ask>
  constexpr auto place_unless_refused(const Place& anywhere, Ask ask) {
    static_cast<void>(sizeof(note<work_is_asked_for<K>>));
    this->refused = this->refused || !V.holds();
    if constexpr (V.holds())
      return ask(static_cast<base&>(*this));
    else
      return anywhere;
  }
  template <class... X>
  constexpr auto tile_of(const X&... x) {
    constexpr violation v = check_place_asked<K, X...>("tile_of", check_tile_of);
    static_assert(decltype(reason<v>())::verified);
    return place_unless_refused<v>(any_place<K, operand_in<K, X...>>(), [&](auto& sm) { return sm.tile_of(x...); });
  }
  template <class... X>
  constexpr auto rows_of(const X&... x) {
    constexpr violation v = check_place_asked<K, X...>("rows_of", check_tile_of);
    static_assert(decltype(reason<v>())::verified);
    return place_unless_refused<v>(any_place<K, operand_in<K, X...>, 1>(), [&](auto& sm) { return sm.rows_of(x...); });
  }
  template <class... X>
  constexpr auto wide_tile_of(const X&... x) {
    constexpr violation v = check_place_asked<K, X...>("wide_tile_of", check_tile_of);
    static_assert(decltype(reason<v>())::verified);
    return place_unless_refused<v>(any_place<K, operand_in<K, X...>>(),
                                   [&](auto& sm) { return sm.wide_tile_of(x...); });
  }
  template <class... X>
  constexpr auto block_of(const X&... x) {
    constexpr violation v = check_place_asked<K, X...>("block_of", check_block_of);
    static_assert(decltype(reason<v>())::verified);
    return place_unless_refused<v>(tile_place<mode_id::any>{}, [&](auto& sm) { return sm.block_of(x...); });
  }
  template <class... X>
  constexpr auto wide_block_of(const X&... x) {
    constexpr violation v = check_place_asked<K, X...>("wide_block_of", check_block_of);
    static_assert(decltype(reason<v>())::verified);
    return place_unless_refused<v>(tile_place<mode_id::any, mode_id::any>{},
                                   [&](auto& sm) { return sm.wide_block_of(x...); });
  }
  /// (Where the configuration swaps there are none, which the row_argmax() says that they are for.)
  template <int I>
  constexpr auto no_elements(const operand_handle<K, I>& c) {
    constexpr violation v = check_no_elements(operand_table_of<K>(), I);
    static_assert(decltype(reason<v>())::verified);
    this->refused = this->refused || !v.holds();
    if constexpr (v.holds() && !base::swaps)
      return base::no_elements(c);
    else
      return refused_place{};
  }
  constexpr refused_place no_elements(const auto&... x) {
    static_assert(decltype(reason<check_work_asked("no_elements", sizeof...(x))>())::verified);
    return refused_with(refused_place{});
  }
  template <class... X>
  requires(sizeof...(X) != 1) constexpr auto pipelined(const X&...) {
    constexpr violation v = check_form_of("pipelined", sizeof...(X), "sm.pipelined(n), n trips from 0 to n - 1");
    static_assert(decltype(reason<v>())::verified);
    return refused_with(base::pipelined(0));
  }
  template <class... X>
  requires(sizeof...(X) != 2 || !(staged_or_known<X> && ...)) constexpr auto own_trips(const X&...) {
    constexpr violation v =
        check_form_of("own_trips", sizeof...(X), "const auto [first, end] = sm.own_trips(0, tiles<\"K\">(A))");
    static_assert(decltype(reason<v>())::verified);
    return refused_with(std::pair(0, 1));
  }
  template <body_value X>
  constexpr auto pipelined(const X&) {
    static_assert(decltype(reason<check_trips(describe<X>())>())::verified);
    return refused_with(base::pipelined(0));
  }
  template <body_value X>
  constexpr refused_value accumulator(const X&) {
    static_assert(decltype(reason<check_accumulator(describe<X>())>())::verified);
    return refused_with(refused_value{});
  }
  template <class X, class T>
  requires(!is_element_type<T>) constexpr refused_value accumulator(const X&, named_type<T>) {
    static_assert(decltype(reason<check_sums(element_or_none<T>())>())::verified);
    return refused_with(refused_value{});
  }

  constexpr refused_value accumulator(const auto&... x) {
    constexpr violation v = check_form_of("accumulator", sizeof...(x),
                                          "sm.accumulator(C) in the shape of the output, or sm.accumulator(a * b)");
    static_assert(decltype(reason<v>())::verified);
    return refused_with(refused_value{});
  }

  template <int I>
  constexpr auto load(const operand_handle<K, I>& a,
                      const coordinates_of<operand_handle<K, I>, operand_kind::input>& at) {
    constexpr violation v = check_load(operand_facts_of<K, I>());
    static_assert(decltype(reason<v>())::verified);
    this->refused = this->refused || !v.holds() || !at.complete;
    if constexpr (v.holds())
      return base::load(a, at.tile);
    else
      return refused_value{};
  }
  /// Of a copy of the machine, as a lambda with [=] has.
  template <int I>
  constexpr refused_value load(const operand_handle<K, I>& a, any_coordinates) const {
    static_assert(decltype(reason<check_copy_of_machine("load", operand_facts_of<K, I>())>())::verified);
    return refused(a);
  }
  template <int I, class... X>
  requires(sizeof...(X) != 1) constexpr auto load(const operand_handle<K, I>&, const X&...) {
    constexpr violation v = check_grouped_coordinates("load", operand_facts_of<K, I>(), sizeof...(X));
    static_assert(decltype(reason<v>())::verified);
    this->refused = true;
    if constexpr (is_vector<K, I>)
      return refused_value{};
    else
      return loaded_tile<base, I>{this, {}};
  }
  template <class X>
  requires(!is_operand<X>) constexpr refused_value load(const X&, any_coordinates = {}) {
    static_assert(decltype(reason<check_operand_first("load", describe<X>())>())::verified);
    return refused_with(refused_value{});
  }

  /// (auto: so that a compiler looks into it where the call stands, and not where it is carried out.)
  template <int I, class X>
  constexpr auto store(const operand_handle<K, I>& c,
                       const coordinates_of<operand_handle<K, I>, operand_kind::output>& at, const X& x) {
    static_cast<void>(sizeof(note<something_is_stored<K>>));
    constexpr violation v = is_vector_output<K, I>
                                ? check_vector_store(operand_facts_of<K, I>(), describe<X>())
                                : check_store(operand_facts_of<K, I>(), describe<X>(), Typed, base::swaps);
    constexpr bool number = describe<X>().kind == value_kind::number;
    if constexpr (!number) static_assert(decltype(reason<v>())::verified);
    constexpr bool right = v.holds() && describe<X>().kind != value_kind::refused && !number;
    if (number) stores_number = true;
    this->refused = this->refused || !(right || number) || !at.complete;
    if constexpr (right) base::store(c, at.tile, x);
  }
  template <int I, class X>
  constexpr void store(const operand_handle<K, I>&, any_coordinates, const X& x) const {
    static_assert(decltype(reason<check_copy_of_machine("store", operand_facts_of<K, I>())>())::verified);
    refused(x);
  }
  template <int I, class... X>
  requires(sizeof...(X) != 2) constexpr void store(const operand_handle<K, I>&, const X&...) {
    constexpr violation v = check_grouped_coordinates("store", operand_facts_of<K, I>(), sizeof...(X) - 1);
    static_assert(decltype(reason<v>())::verified);
    this->refused = true;
  }

  template <int I, class... X>
  requires(sizeof...(X) != 1) constexpr void store(const operand_handle<K, I>&, any_coordinates, const X&...) {
    static_assert(decltype(reason<check_order_of_store(operand_facts_of<K, I>())>())::verified);
    this->refused = true;
  }
  template <int I, body_value X>
  constexpr void store(const operand_handle<K, I>&, const X&, any_coordinates) {
    static_assert(decltype(reason<check_order_of_store(operand_facts_of<K, I>())>())::verified);
    this->refused = true;
  }
  template <int I, class X>
  constexpr void store(any_coordinates, const operand_handle<K, I>&, const X&) {
    static_assert(decltype(reason<check_order_of_store(operand_facts_of<K, I>())>())::verified);
    this->refused = true;
  }

  template <class To, class X>
  requires(!is_operand<To>) constexpr void store(const To&, any_coordinates, const X&) {
    static_assert(decltype(reason<check_operand_first("store", describe<To>())>())::verified);
    this->refused = true;
  }
  template <class X, class To>
  requires(!is_operand<X> && is_operand<To>) constexpr void store(const X&, const To&, any_coordinates) {
    static_assert(decltype(reason<check_operand_first("store", describe<X>())>())::verified);
    this->refused = true;
  }

  template <int I, class X>
  constexpr void combine(const operand_handle<K, I>& to,
                         const coordinates_of<operand_handle<K, I>, operand_kind::output>& at, const X& x,
                         reduction how) {
    static_cast<void>(sizeof(note<something_is_stored<K>>));
    constexpr violation v = check_combine(operand_table_of<K>(), operand_facts_of<K, I>(), describe<X>());
    static_assert(decltype(reason<v>())::verified);
    constexpr bool right = v.holds() && describe<X>().kind != value_kind::refused;
    this->refused = this->refused || !right || !at.complete;
    if constexpr (right) base::combine(to, at.tile, x, how);
  }
  template <int I, class X>
  constexpr void combine(const operand_handle<K, I>&, any_coordinates, const X& x, reduction) const {
    static_assert(decltype(reason<check_copy_of_machine("combine", operand_facts_of<K, I>())>())::verified);
    refused(x);
  }
  template <int I, class X, class... How>
  requires(sizeof...(How) < 2 && !(std::is_same_v<How, reduction> || ...)) constexpr void combine(
      const operand_handle<K, I>&, const coordinates_of<operand_handle<K, I>, operand_kind::output>&, const X&,
      const How&...) {
    static_assert(decltype(reason<check_reduction_named(operand_facts_of<K, I>(), false)>())::verified);
    this->refused = true;
  }
  constexpr void combine(const auto&... x) {
    constexpr violation v = check_form_of("combine", sizeof...(x),
                                          "sm.combine(v, {n}, x, reduction::max), or min, add or add_in_any_order");
    static_assert(decltype(reason<v>())::verified);
    this->refused = true;
  }

  // What the machine of another language does.
  template <class To, class... X>
  constexpr void atomic_add(const To&, any_coordinates, const X&...) {
    constexpr violation v = check_word("sm.atomic_add(..)", sizeof...(X),
                                       "write sm.combine(v, {m}, x, reduction::add), or store() what no other "
                                       "tile has");
    static_assert(decltype(reason<v>())::verified);
    this->refused = true;
  }
  constexpr void sync(const auto&... x) {
    static_assert(decltype(reason<check_word("sm.sync()", sizeof...(x))>())::verified);
    this->refused = true;
  }
  constexpr void syncthreads(const auto&... x) {
    static_assert(decltype(reason<check_word("sm.syncthreads()", sizeof...(x))>())::verified);
    this->refused = true;
  }
};

/// How a body takes what it is given.
struct body_form {
  bool fits = false;       // as it should
  bool is_member = false;  // of an object: not static
  bool keeps_it = false;   // takes the machine by value or const: the bits of a byte go in, which no reference takes
  bool refers = false;     // takes operands by reference
  bool returns = false;    // something
};
struct a_few_bits {
  int bits : 2;
};
template <class K, int... I>
constexpr body_form body_form_of() {
  using sm_type = first_reading<K>;
  body_form f;
  f.fits = requires(sm_type & sm, typename body_argument<K, I>::type... x) { K::body(sm, std::move(x)...); };
  f.is_member = requires(K & k, sm_type & sm, typename body_argument<K, I>::type... x) { k.body(sm, std::move(x)...); };
  f.keeps_it = requires(sm_type & sm, a_few_bits & few, typename body_argument<K, I>::type... x) {
    requires std::is_void_v<decltype(K::body(sm, x...))>;  // or clang++ reads a body of bits
    K::body(few.bits, std::move(x)...);
  };
  f.refers = requires(sm_type & sm, typename body_argument<K, I>::type... x) { K::body(sm, x...); };
  f.returns = requires(sm_type & sm, typename body_argument<K, I>::type... x) {
    requires !std::is_void_v<decltype(K::body(sm, std::move(x)...))>;
  };
  return f;
}
constexpr violation check_body_form(int operands, const body_form& f) {
  if (f.fits && !f.keeps_it && !f.returns) return {};
  constexpr const char* right = "static constexpr void body(auto& sm, auto A, ..)";
  if (f.fits)
    return refuse(rule::body_is_written_in_another_way,
                  f.returns ? "body() returns something, which nobody takes; what it makes is stored: "
                            : "body() takes its machine by value or const, so that nothing it does is seen: ",
                  right);
  if (f.refers)
    return refuse(rule::body_is_written_in_another_way,
                  "body() takes its operands by value, auto A and not auto& A: ", right);
  if (f.is_member) return refuse(rule::body_is_written_in_another_way, "body() is not static: ", right);
  return refuse(rule::body_is_written_in_another_way, "body() must take sm and an argument for each of the ", operands,
                " operands: ", right, ", as a public member");
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

/// What the compiler names where a number is stored, which is not said if a fragment was taken for that number.
void what_is_stored_is_a_number_and_no_fragment();
template <class K>
inline constexpr bool has_wrong_operands = false;
template <class K>
requires std::is_same_v<const wrong_operands, decltype(K::operands)>
inline constexpr bool has_wrong_operands<K> = true;
/// Whether K has a body that can be called; false if the compiler has said why not.
template <class K, int... I>
constexpr bool body_can_be_called() {
  constexpr violation declared =
      check_form(declares_operands<K>, declares_how<K>, count_configurations<K>(), has_constants<K>());
  if constexpr (has_wrong_operands<K>) {
    return false;  // and the compiler has said which
  } else if constexpr (!declared.holds()) {
    static_assert(decltype(reason<declared>())::verified);
    return false;
  } else if constexpr (declared_operands<K>() > max_operands) {
    return false;  // and the compiler has said why
  } else if constexpr (constexpr violation name = check_names<K>(operand_table_of<K>()); !name.holds()) {
    static_assert(decltype(reason<name>())::verified);
    return false;
  } else if constexpr (constexpr violation v = check_operands(operand_table_of<K>(), configuration_of<K>); !v.holds()) {
    static_assert(decltype(reason<v>())::verified);
    return false;
  } else {
    constexpr violation form = check_body_form(sizeof...(I), body_form_of<K, I...>());
    static_assert(decltype(reason<form>())::verified);
    return form.holds();
  }
}
/// Whether a body was readable, by the reading that it has passed; false if the compiler has said why not.
template <class Reading>
constexpr bool has_read(const Reading& sm) {
  if (sm.stores_number && !sm.refused) what_is_stored_is_a_number_and_no_fragment();
  return !sm.refused;
}
/// Reads K's body once; false if the compiler has said why it cannot be read. `now` is true; a condition lets a
/// compiler name what in the body is not constexpr.
template <class K, bool Typed = true, int... I>
constexpr bool body_is_readable(std::integer_sequence<int, I...>, bool now = true) {
  if constexpr (body_can_be_called<K, I...>()) {
    first_reading<K, Typed> sm{};
    if (now) K::body(sm, traced_argument<K, I>({})...);
    return has_read(sm);
  } else {
    return false;
  }
}

}  // namespace sectile
