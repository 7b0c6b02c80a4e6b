// What a body gets for each operand, and the coordinates it names tiles with.
#pragma once
#include <cstddef>
#include <utility>

#include <sectile/dsl/program/misused_value.hpp>
#include <sectile/dsl/program/noted.hpp>
#include <sectile/dsl/program/staged.hpp>

namespace sectile {

/// Half a tile is nowhere.
constexpr violation check_whole_coordinates(bool has_fractions) {
  if (!has_fractions) return {};
  return refuse(rule::operand_is_used_in_another_way, "a coordinate is a float: coordinates count tiles, as in ",
                "sm.load(A, {m, k}), and are whole numbers");
}
template <class Number>
using plain_number = std::remove_cvref_t<decltype(plain(std::declval<const Number&>()))>;

/// A tile's position in its operand, in tiles, one number per mode: what a reading makes of coordinates.
template <int Rank>
struct tile_coordinates {
  int at[Rank > 0 ? Rank : 1]{};  // a number in memory has none
  unsigned constants = 0;         // a bit for each that is a number of the body's own text, whatever the work is
  mode_id along[Rank > 0 ? Rank : 1]{};  // what each counts; any: constants, and what the first reading has looked at
  hangs_on places = of_no_place;         // what any of them hangs on
  unsigned made = 0;  // a bit for each that is made of the coordinates of the work's tile, and is none of them

  constexpr tile_coordinates() = default;
  template <class... Numbers>
  requires(sizeof...(Numbers) == Rank &&
           (staged_or_known<Numbers> && ...)) constexpr tile_coordinates(Numbers... numbers)
      : places(places_of<Numbers...>) {  // implicit on purpose: load(A, {m, k})
    constexpr violation v = check_whole_coordinates((std::is_floating_point_v<plain_number<Numbers>> || ...));
    static_assert(decltype(reason<v>())::verified);
    int d = 0;
    ((constants |= is_staged<Numbers> ? 0u : 1u << d,
      made |= places_of<Numbers> != of_no_place && own_coordinate_of<Numbers> < 0 ? 1u << d : 0u,
      along[d] = mode_of<Numbers>, at[d++] = plain_int(numbers)),
     ...);
  }
};

/// Why coordinates have no numbers, as the elements of an array have.
template <mode_id... Modes>
constexpr violation no_coordinate_by_number() {
  violation v =
      refuse(rule::coordinates_are_taken_apart_as_auto_m_n, "the coordinates of a tile are of different types, along ");
  const mode_text along[]{text_of(Modes)...};
  for (const mode_text& m : along)
    v << (&m == along ? "" : &m + 1 == along + sizeof...(Modes) ? " and " : ", ") << m.text;
  return v << "; name them: auto [m, n] = sm.tile_of(C)";
}
/// The coordinates of the output tile that a body makes. Supports structured bindings: auto [m, n] = sm.tile_of(C).
template <mode_id... Modes>
struct tile_place : tile_coordinates<sizeof...(Modes)> {
  template <std::size_t I>
  constexpr std::tuple_element_t<I, tile_place> get() const {
    return std::tuple_element_t<I, tile_place>(this->at[I]);
  }
  /// Refused; the number goes along any mode, so that nothing else is said of the body.
  template <class I>
  constexpr index<mode_id::any> operator[](const I& i) const {
    static_assert(decltype(reason<no_coordinate_by_number<Modes...>()>())::verified);
    if constexpr (std::is_integral_v<I>)
      return index<mode_id::any>(this->at[static_cast<std::size_t>(i) % sizeof...(Modes)]);
    else
      return {};
  }
};

/// The same of the work's own tile: each coordinate knows whether CTAs of a cluster have different ones.
template <hangs_on... On>
struct tile_places {};
template <class On, mode_id... Modes>
struct work_place;
template <hangs_on... On, mode_id... Modes>
struct work_place<tile_places<On...>, Modes...> : tile_place<Modes...> {
  template <std::size_t I>
  constexpr std::tuple_element_t<I, work_place> get() const {
    return std::tuple_element_t<I, work_place>(this->at[I]);
  }
};
/// What the coordinate along mode d of `rank` hangs on.
constexpr hangs_on places_along(int d, int rank) {
  return own_coordinate(d) | (rank == 1       ? of_any_place
                              : d == rank - 1 ? of_tile_col
                              : d == rank - 2 ? of_tile_row
                                              : of_no_place);
}

/// What becomes of a loop that is refused has one trip, so that nothing else is missed in it.
inline constexpr int refused_range[1]{};
template <mode_id, hangs_on = of_no_place>
struct tile_number;

/// Why a number of tiles is not changed in place, by a B: loops over it would go on to count on a trip.
template <mode_id Along, class B>
constexpr violation no_change() {
  const mode_text along = text_of(Along);
  return refuse(rule::values_do_not_combine, "a number of tiles along ", along.text,
                " is known to be 1 or more, and stays that; name what is not: auto n = tiles<\"", along.text,
                "\">(A) - 1");
}
/// A number of tiles along a mode of a tensor: at least 1, as every size is. A loop over all of them is known to have a
/// trip.
template <mode_id M, hangs_on On>
struct tile_number : index<M, On> {
  using index<M, On>::index;
  template <class Self = tile_number>
  constexpr const int* begin() const {
    static_assert(decltype(reason<no_use<asked_for::range, Self>()>())::verified);
    return refused_range;
  }
  constexpr const int* end() const { return refused_range + 1; }
  template <class B>
  constexpr tile_number& operator+=(const B&) {
    static_assert(decltype(reason<no_change<M, B>()>())::verified);
    return *this;
  }
  template <class B>
  constexpr tile_number& operator-=(const B&) {
    static_assert(decltype(reason<no_change<M, B>()>())::verified);
    return *this;
  }
};

template <std::same_as<int> A, mode_id M, hangs_on On>
constexpr auto operator<(A a, tile_number<M, On> b) {
  return staged_condition<bool, places_of<tile_number<M, On>> | of_counted_tiles>(a < plain(b));
}
template <std::same_as<int> A, mode_id M, hangs_on On>
constexpr auto operator<=(A a, tile_number<M, On> b) {
  return staged_condition<bool, places_of<tile_number<M, On>> | of_counted_tiles>(a <= plain(b));
}

/// Numbers of tiles along two modes: a loop over all pairs has a trip as well. (What it counts is along neither:
/// as<"T">(i % tiles<"T">(X)).)
template <mode_id M, hangs_on On, mode_id N, hangs_on Other>
constexpr auto operator*(tile_number<M, On> a, tile_number<N, Other> b) {
  return tile_number<mode_of_product(M, N), (On | Other) & of_any_place>(
      detail::wrapping(plain(a), plain(b), detail::times));
}

/// n, or 1 if n is less. A loop of so many trips is known to have one, as one over all tiles is: what it reads may be
/// loaded before it.
template <std::integral N, mode_id M, hangs_on On>
constexpr auto at_least_one(staged<N, M, On> n) {
  return tile_number<M, (On & of_any_place) | in_tiles_of(On)>(plain(max(n, 1)));
}
/// As every number of tiles is.
template <mode_id M, hangs_on On>
constexpr tile_number<M, On> at_least_one(tile_number<M, On> n) {
  return n;
}

/// What becomes of a number that was asked for in a way that is refused: a loop over it is not refused once more.
struct refused_number : tile_number<mode_id::any> {
  constexpr const int* begin() const { return refused_range; }
};

namespace foreign {
/// Has compilers look into this namespace where a body calls a function of a value: see proofs/foreign_words.hpp.
struct words {};
}  // namespace foreign

/// Operand I of kernel K as its body sees it: how large it is.
template <class K, int I>
class operand_handle : public foreign::words {
 public:
  static constexpr int rank = operand_facts_of<K, I>().tile.rank;

  // What is no use of an operand, with the sentence why; the reading ends there where it can, because nothing else says
  // that the body was refused.
  constexpr const int* begin() const {
    static_assert(decltype(reason<no_use<asked_for::range, operand_handle>()>())::verified);
    return refused_range;
  }
  constexpr const int* end() const { return refused_range + 1; }
  template <class X>
  constexpr refused_value operator[](const X&) const {
    using why = decltype(reason<no_use<asked_for::part, operand_handle>()>());
    static_assert(why::asserted);
    [[maybe_unused]] constexpr bool known = why::verified;
    return {};
  }
  template <class... X>
  constexpr refused_value operator()(const X&...) const {
    using why = decltype(reason<no_use<asked_for::part, operand_handle>()>());
    static_assert(why::asserted);
    [[maybe_unused]] constexpr bool known = why::verified;
    return {};
  }
  template <class X>
  constexpr refused_value operator=(const X&) const {
    static_cast<void>(sizeof(note<something_is_stored<std::conditional_t<std::is_class_v<X>, K, X>>>));
    using why = decltype(reason<no_use<asked_for::part, operand_handle>()>());
    static_assert(why::asserted);
    [[maybe_unused]] constexpr bool known = why::verified;
    return {};
  }
  static constexpr no_member<asked_for::transpose, operand_handle, K> T{};
  static constexpr no_member<asked_for::modes, operand_handle, K, refused_number> tiles{}, size{};
  static constexpr no_member<asked_for::copy, operand_handle, K> load{}, store{};

 private:
  friend struct handle_access;
  int extent_[rank > 0 ? rank : 1]{};      // elements
  int tile_count_[rank > 0 ? rank : 1]{};  // tiles, rounded up
};

/// Where a tile of operand I is.
template <class K, int I>
using tile_at = tile_coordinates<operand_handle<K, I>::rank>;

/// For those who fill handles in and who read bodies.
struct handle_access {
  template <class Handle>
  static constexpr auto& extent(Handle& h) {
    return h.extent_;
  }
  template <class Handle>
  static constexpr auto& tile_count(Handle& h) {
    return h.tile_count_;
  }
};

// ---- what a program asks about its operands, by the names of their modes

constexpr violation check_has_mode(const operand_facts& f, const mode_text& asked) {
  if (const int d = f.position_of(mode_named(asked.text)); d >= 0) {
    if (f.block[d] == 1) return {};
    return refuse(rule::operand_is_used_in_another_way, f.name, " has one element for each ", f.block[d], " along ",
                  asked.text, ", and does not know how long that is: ask a matrix that has ", asked.text);
  }
  violation v = refuse(rule::operand_is_used_in_another_way, f.name, " has no mode ", asked.text);
  if (f.tile.rank == 0) {
    return v << ": it is a number in memory; a matrix is declared as input<\"" << f.name << "(M,K)\", ..>()";
  }
  v << "; it has ";
  for (int d = 0; d < f.tile.rank; ++d) v << (d == 0 ? "" : d + 1 == f.tile.rank ? " and " : ", ") << f.mode_name[d];
  return v;
}
template <class K, int I, mode_id M>
constexpr violation check_mode() {
  return check_has_mode(operand_facts_of<K, I>(), text_of(M));
}
template <class K, int I, mode_id M>
constexpr int position_of_mode() {
  return check_mode<K, I, M>().holds() ? operand_facts_of<K, I>().position_of(M) : 0;
}
/// How a number along mode M of operand I is typed: what has been refused goes along any.
template <class K, int I, mode_id M>
inline constexpr mode_id mode_if_there = operand_facts_of<K, I>().position_of(M) >= 0 ? M : mode_id::any;

/// Tiles along a mode of a tensor: tiles<"K">(A). The last may hang over the edge: it is filled with zeros, and clipped
/// when stored. Along a mode that is cut into groups: those of the group, of which there may be none where
/// the work's tiles are not of groups that the same vector cuts.
template <name_literal Mode, class K, int I>
constexpr auto tiles(const operand_handle<K, I>& a) {
  constexpr mode_id m = mode_named(Mode.text);
  static_assert(decltype(reason<check_mode<K, I, m>()>())::verified);
  constexpr bool may_be_none = cut_of<K, I>() == position_of_mode<K, I, m>() && cut_by<K, I> != walked_cut<K>;
  using counted = std::conditional_t<may_be_none, index<mode_if_there<K, I, m>>, tile_number<mode_if_there<K, I, m>>>;
  return counted(handle_access::tile_count(a)[position_of_mode<K, I, m>()]);
}
/// Elements along a mode of a tensor: size<"T">(K).
template <name_literal Mode, class K, int I>
constexpr auto size(const operand_handle<K, I>& a) {
  constexpr mode_id m = mode_named(Mode.text);
  static_assert(decltype(reason<check_mode<K, I, m>()>())::verified);
  return index<mode_if_there<K, I, m>>(handle_access::extent(a)[position_of_mode<K, I, m>()]);
}
/// Elements of a tile along a mode, as the configuration says: extent<"T">(K). Known when the kernel is compiled.
template <name_literal Mode, class K, int I>
constexpr int extent(const operand_handle<K, I>&) {
  constexpr mode_id m = mode_named(Mode.text);
  static_assert(decltype(reason<check_mode<K, I, m>()>())::verified);
  return operand_facts_of<K, I>().tile.extent[position_of_mode<K, I, m>()];
}

// The same without a mode, or with its number, which is refused.
struct without_a_mode {
  template <class K, int I>
  constexpr without_a_mode(const operand_handle<K, I>&) {
    static_assert(decltype(reason<no_use<asked_for::modes, operand_handle<K, I>>()>())::verified);
  }
};
template <int... Mode>
constexpr refused_number tiles(without_a_mode) {
  return {};
}
template <int... Mode>
constexpr refused_number size(without_a_mode) {
  return {};
}
template <int... Mode>
constexpr refused_number extent(without_a_mode) {
  return {};
}

namespace detail {

/// The position of mode m among those of a place, or -1.
template <mode_id... Modes>
constexpr int position_among(mode_id m) {
  constexpr mode_id there[]{Modes...};
  for (int d = 0; d < static_cast<int>(sizeof...(Modes)); ++d)
    if (there[d] == m) return d;
  return -1;
}

}  // namespace detail

/// What goes with a tile has a mode of it.
constexpr violation check_part(const operand_facts& f, int shared, const mode_text* place, int modes) {
  if (shared > 0 || f.tile.rank == 0) return {};
  violation v = refuse(rule::operand_is_used_in_another_way, "part_of(", f.name, ", at): no mode of ", f.name,
                       " is one of the place's");
  for (int d = 0; d < modes; ++d) v << (d == 0 ? ", " : " x ") << place[d].text;
  return v << "; name its coordinates, and with as<\"" << f.mode_name[f.tile.rank - 1]
           << "\">(m) what counts along another mode";
}
/// The part of an operand that goes with a tile of another one: its coordinates along the modes that both have, and the
/// first along others. So sm.load(sinks, part_of(sinks, at)) with at = sm.tile_of(O) is the sink of O's head.
template <class K, int I, mode_id... Modes>
constexpr auto part_of(const operand_handle<K, I>&, const tile_place<Modes...>& at) {
  constexpr operand_facts f = operand_facts_of<K, I>();
  constexpr violation v = [&f] {
    int shared = 0;
    for (int d = 0; d < f.tile.rank; ++d) shared += detail::position_among<Modes...>(f.mode_at(d)) >= 0;
    const mode_text place[]{text_of(Modes)...};
    return check_part(f, shared, place, sizeof...(Modes));
  }();
  static_assert(decltype(reason<v>())::verified);
  return [&]<int... D>(std::integer_sequence<int, D...>) {
    tile_place<operand_facts_of<K, I>().mode_at(D)...> part{};
    const auto take = [&]<int From>(std::integral_constant<int, From>, int d) {
      if constexpr (From >= 0)
        part.at[d] = at.at[From];
      else
        part.constants |= 1u << d;
    };
    (take(std::integral_constant<int, detail::position_among<Modes...>(operand_facts_of<K, I>().mode_at(D))>{}, D),
     ...);
    return part;
  }
  (std::make_integer_sequence<int, f.tile.rank>{});
}

namespace detail {

/// Of `all` behind the first `Skipped` the next one, or an Absent for an operand that is not there: what nobody reads.
template <int Skipped, bool There, class Absent, class... X>
constexpr auto given_one(const X&... all) {
  if constexpr (There)
    return boost::hana::at_impl<boost::hana::basic_tuple_tag>::apply(boost::hana::basic_tuple<X...>(all...),
                                                                     std::integral_constant<int, Skipped>{});
  else
    return Absent{};
}
template <class K, int I>
constexpr void note_refused(const operand_handle<K, I>&) {
  static_cast<void>(sizeof(note<member_refusal<K>>));
}
constexpr void note_refused(const auto&) {}

}  // namespace detail

constexpr violation check_given(int there, int given) {
  if (there == given) return {};
  return refuse(rule::operand_is_used_in_another_way, "given<..>(more...): ", there,
                there == 1 ? " of its conditions holds" : " of its conditions hold", ", but the body gets ", given,
                given == 1 ? " operand" : " operands",
                " in `more`; name the conditions of when<..>() in operands(), in that order");
}
/// What given() returns. Supports structured bindings. (std::tuple does, and costs every file a tenth of a second.)
template <class... X>
struct optional_operands {
  boost::hana::basic_tuple<X...> all;
  constexpr explicit optional_operands(const X&... x) : all(x...) {}
  template <std::size_t I>
  constexpr auto get() const {
    return declaration<I>(all);
  }
};
/// What a body gets for operands that are there under the conditions There..., one after the other; 0 for one that is
/// not: auto [lse, sinks] = given<Form.lse, Form.sinks>(more...).
template <bool... There, class... X>
constexpr auto given(const X&... more) {
  constexpr violation v = check_given((0 + ... + There), sizeof...(X));
  static_assert(decltype(reason<v>())::verified);
  if constexpr (!v.holds()) (detail::note_refused(more), ...);
  // If refused, as many as have names, it seems, of which no more is said.
  constexpr int named = sizeof...(There) == 0 ? sizeof...(X) : sizeof...(There);
  return [&]<int... N>(std::integer_sequence<int, N...>) {
    constexpr bool there[]{There..., false};
    constexpr auto before = [](int n) {
      int count = 0;
      for (int i = 0; i < n; ++i) count += there[i];
      return count;
    };
    using absent = std::conditional_t<v.holds(), int, refused_value>;
    return optional_operands(detail::given_one < before(v.holds() ? N : 0), v.holds() && there[N],
                             absent > (more...)...);
  }
  (std::make_integer_sequence<int, named>{});
}

/// What the body receives for operand I: a handle, or for a scalar the number.
template <class K, int I, operand_kind Kind = operand_at<K, I>::kind>
struct body_argument {
  using type = operand_handle<K, I>;
};
template <class K, int I>
struct body_argument<K, I, operand_kind::scalar> {
  using number = typename operand_at<K, I>::element_type;
  using type = std::conditional_t<std::is_same_v<number, bool>, condition, staged<number>>;
};

}  // namespace sectile

template <sectile::mode_id... Modes>
struct std::tuple_size<sectile::tile_place<Modes...>> : std::integral_constant<std::size_t, sizeof...(Modes)> {};
template <std::size_t I, sectile::mode_id... Modes>
struct std::tuple_element<I, sectile::tile_place<Modes...>> {
  static constexpr sectile::mode_id along[sizeof...(Modes)] = {Modes...};
  using type = sectile::index<along[I]>;
};
template <class On, sectile::mode_id... Modes>
struct std::tuple_size<sectile::work_place<On, Modes...>> : std::tuple_size<sectile::tile_place<Modes...>> {};
template <std::size_t I, sectile::hangs_on... On, sectile::mode_id... Modes>
struct std::tuple_element<I, sectile::work_place<sectile::tile_places<On...>, Modes...>> {
  static constexpr sectile::mode_id along[sizeof...(Modes)] = {Modes...};
  static constexpr sectile::hangs_on places[sizeof...(Modes)] = {On...};
  using type = sectile::index<along[I], places[I]>;
};
template <class... X>
struct std::tuple_size<sectile::optional_operands<X...>> : std::integral_constant<std::size_t, sizeof...(X)> {};
template <std::size_t I, class... X>
struct std::tuple_element<I, sectile::optional_operands<X...>> {
  using type = decltype(std::declval<sectile::optional_operands<X...>>().template get<I>());
};
