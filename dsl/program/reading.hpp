// What all readings of a body share: counting positions, walking loops, naming tiles.
#pragma once
#include <concepts>

#include <sectile/dsl/program/product_by_blocks.hpp>
#include <sectile/dsl/program/state.hpp>
#include <sectile/dsl/program/tile_sums.hpp>

namespace sectile {

/// Of a number of trips that is one. Where it is a coordinate of the work's tile along another mode, or made of it by +
/// and -, the tiles of both are as large.
template <class K, class Trips>
constexpr violation check_trips() {
  if constexpr (std::is_floating_point_v<decltype(plain(Trips{}))>) {
    return refuse(
        rule::loops_over_tiles_are_pipelined,
        "pipelined(n) with an n that may have a fraction: the number of trips is a whole number, made of ints and "
        "of tiles<\"K\">(A)");
  } else if constexpr (tiles_of<Trips> != of_no_place && work_operand<K> < operand_count<K>) {
    constexpr mode_id of = operand_facts_of<K, work_operand<K>>().mode_at(tiles_along(tiles_of<Trips>));
    constexpr int own = configuration_of<K>.tile.of(of), other = configuration_of<K>.tile.of(mode_of<Trips>);
    if (own <= 1 || other <= 1 || own == other) return {};
    return refuse(rule::coordinate_is_along_another_mode, "pipelined(n): n counts tiles of ", own, " along ",
                  said_mode(text_of(of)), ", trips along ", said_mode(text_of(mode_of<Trips>)), " count tiles of ",
                  other, "; those of so many elements are (n * ", own, " + ", other - 1, ") / ", other,
                  ", and n * 1 says that a trip for each tile is meant");
  } else {
    return {};
  }
}

/// The range of `for (auto k : sm.pipelined(n))`: 0 .. n-1. Tells the reading where a loop begins, repeats and ends, so
/// that positions in its body mean the same in every trip. The head sets the position behind the loop, whether or not a
/// trip follows, and the trip's begin sets it back: assignments of constants, not a choice between two, which is what
/// lets a compiler see through them.
/// Trips are numbered along mode M.
template <class Reading, mode_id M = mode_id::any>
struct trip_range {
  struct sentinel {};
  struct iterator {
    Reading* reading;
    int trip, trips, start;

    constexpr index<M> operator*() const {
      reading->trip_begins(start, trip);
      return index<M>(reading->number_of(trip));
    }
    constexpr void operator++() { ++trip; }
    constexpr bool operator!=(sentinel) const {
      reading->loop_head(start, trip < trips);
      return trip < trips;
    }
  };
  Reading* reading;
  int trips, start;

  constexpr iterator begin() const { return {reading, 0, trips, start}; }
  constexpr sentinel end() const { return {}; }
};

/// Names for the places in the text where fragments come into being, which are the same in every trip of a loop.
struct birth_names {
  int last = -1, count = 0;  // the position of the last one, and how many came into being there before it
  /// The name of one that comes into being at that position.
  constexpr std::int16_t name(int position) {
    count = position == last ? count + 1 : 0;
    last = position;
    return static_cast<std::int16_t>(16 * position + count % 16);
  }
  constexpr void begin_trip() { last = -1; }
};
/// Where in the text each fragment came into being.
struct birthplaces : birth_names {
  static constexpr int kept = 128;  // the latest
  std::int16_t place[kept]{};
  constexpr void add(int value, int position) { place[value % kept] = name(position); }
  constexpr std::int16_t of(int value) const { return place[value % kept]; }
};

/// The way that a configuration has the body take, where it has several: if constexpr (variant_of<decltype(sm)> == 1).
template <class Sm>
inline constexpr int variant_of = std::remove_cvref_t<Sm>::variant;

/// Base of the readings. Derived provides load, store, combine, and what reading_of_body asks for: loop_begins says how
/// many trips are made.
template <class Derived, class K>
struct reading_base : foreign::words {
  using kernel = K;
  /// Warpgroups that share a tile's rows.
  static constexpr int sharers =
      configuration_of<K>.sharers() > 0 ? configuration_of<K>.sharers() : 1;  // 0 is refused elsewhere

  static constexpr bool swaps = configuration_of<K>.swap;
  static constexpr int variant = configuration_of<K>.variant;
  static constexpr bool knows_places = true;  // of a fragment's elements
  static constexpr bool has_rings = true;     // through which vectors may come with tiles
  using place_in_matrix = unobserved_place;   // of a fragment

  tile_coordinates<max_rank> tile{};  // the output tile this run of the body is for
  int position = 0;                   // events so far in the text of the body, see plan/trace.hpp
  int values = 0;
  bool refused = false;  // the body is wrong, and the compiler has said why

  constexpr Derived& self() { return static_cast<Derived&>(*this); }
  constexpr void value_begins(int) {}
  constexpr void takes_rows() {}
  constexpr void trips_hang_on(hangs_on) {}
  constexpr void asks_place() {}
  constexpr void takes_wide_tiles() {}
  constexpr void takes_blocks(bool) {}
  /// Of so many trips those that own_trips() gives: to who looks at sizes alone all of them.
  constexpr trip_part own_share(int trips) { return {0, trips}; }
  /// What the body is told to be the number of a trip.
  static constexpr int number_of(int trip) { return trip; }
  constexpr int new_value() {
    self().value_begins(values);
    return values++;
  }

  /// The coordinates of the output tile that this run of the body makes.
  template <int I>
  constexpr auto tile_of(const operand_handle<K, I>&) {
    return own_place<I>(std::make_integer_sequence<int, operand_handle<K, I>::rank>{});
  }

  /// The coordinates of a block of whole rows of an output, all of whose tiles this run of the body makes: those of
  /// tile_of() but the last, along which the body loops.
  template <int I>
  constexpr auto rows_of(const operand_handle<K, I>&) {
    self().takes_rows();
    return own_place<I>(std::make_integer_sequence<int, operand_handle<K, I>::rank - 1>{});
  }

  /// The coordinates of a block of an output, which has all rows of its last two modes: those of the modes before. Its
  /// tiles are {.., 0, 0} or, in a loop over all of them, {.., 0, j}; a launch takes no more rows than a tile has.
  template <int I>
  constexpr auto block_of(const operand_handle<K, I>&) {
    self().takes_blocks(false);
    return own_place<I>(std::make_integer_sequence<int, operand_handle<K, I>::rank - 2>{});
  }

  /// The coordinates of an output tile, like tile_of(), that is wide enough for whole rows: a launch takes no longer
  /// ones. Of a cluster of several columns the tiles side by side are wide enough together; what the body reduces of a
  /// row is then of all of them.
  template <int I>
  constexpr auto wide_tile_of(const operand_handle<K, I>&) {
    self().takes_wide_tiles();
    return own_place<I>(std::make_integer_sequence<int, operand_handle<K, I>::rank>{});
  }

  /// The same of a tile that is a whole block, as of block_of(): the coordinates of the modes before its rows, and the
  /// last one. The tile is {.., 0, n}.
  template <int I>
  constexpr auto wide_block_of(const operand_handle<K, I>&) {
    self().takes_wide_tiles();
    self().takes_blocks(true);
    constexpr int rank = operand_handle<K, I>::rank;
    return [&]<int... D>(std::integer_sequence<int, D...>) { return place_along<I, D..., rank - 1>(); }
    (std::make_integer_sequence<int, rank - 2>{});
  }

  /// An accumulator in the shape of an output tile, of f32, or of s32 if the kernel multiplies integers. The first
  /// product into it overwrites. (Its transpose where the configuration swaps.)
  template <int I>
  constexpr auto accumulator(const operand_handle<K, I>& c) {
    return accumulator(c, as<sum_type<first_input_type<K>>>());
  }
  /// The same, summed in elements of type T: float, s32 or f16.
  template <int I, class T>
  requires is_element_type<T>
  constexpr auto accumulator(const operand_handle<K, I>&, named_type<T>) {
    constexpr operand_facts f = operand_facts_of<K, I>();
    return sums_over<T, along<f.rows(), f.row_mode()>, along<f.cols(), f.col_mode()>>(self());
  }
  /// An accumulator in the shape of a * b, and the product issued into it.
  template <class A, class B, product_form Form>
  constexpr auto accumulator(const tile_product<A, B, Form>& p) {
    return accumulator(p, as<sum_type<typename operand_at<K, B::operand>::element_type>>());
  }
  template <class A, class B, product_form Form, class T>
  requires is_element_type<T>
  constexpr auto accumulator(const tile_product<A, B, Form>& p, named_type<T>) {
    using left = std::remove_cvref_t<A>;
    constexpr violation v = check_placed<Derived, left>();
    static_assert(decltype(reason<v>())::verified);
    if constexpr (!v.holds())
      return sectile::refused(p);
    else if constexpr (is_placed<Derived, left>)  // which holds the transpose
      return sums_over<T, typename left::col_extent, typename B::col_extent>(self(), p);
    else
      return sums_over<T, typename left::row_extent, typename B::col_extent>(self(), p);
  }

  /// The product a * b, for fma() alone, which adds each part of it as soon as it is complete.
  template <class A, class B, product_form Form>
  constexpr auto in_parts(const tile_product<A, B, Form>& p) {
    constexpr violation v = check_in_parts<std::remove_cvref_t<A>, B>();
    static_assert(decltype(reason<v>())::verified);
    if constexpr (v.holds())
      return product_by_blocks<Derived, A, B, Form>(self(), p);
    else
      return sectile::refused(p);
  }

  /// Of each row of an output's tiles no element yet: what a running row_argmax() or row_argmin() begins with.
  template <int I>
  constexpr auto no_elements(const operand_handle<K, I>&) {
    constexpr operand_facts f = operand_facts_of<K, I>();
    placed_rows<Derived, along<f.rows(), f.row_mode()>> x{{&self()}, {&self()}};
    if constexpr (Derived::computes)
      for (int m = 0; m < x.value.pairs; ++m)
        for (int h = 0; h < 2; ++h) put_element(x, m, h, {});
    return x;
  }

  /// A loop whose loads run ahead of its products by the configuration's stages: 0 .. trips - 1, along the mode that
  /// `trips` counts.
  template <staged_or_known Trips>
  constexpr auto pipelined(Trips trips) {
    if constexpr (is_planner<Derived>) {
      constexpr violation v = check_trips<K, Trips>();
      static_assert(decltype(reason<v>())::verified);
      refused = refused || !v.holds();
      if constexpr (std::is_integral_v<Trips>)
        if (trips < 0)
          self().note_meaningless("pipelined(n) is asked for fewer trips than none: n is a constant below 0");
    }
    self().trips_hang_on(places_of<Trips>);
    return loop<mode_of<Trips>>(plain_int(trips), 0);
  }
  /// The same over all tiles of a mode: at least one trip.
  template <mode_id M, hangs_on On>
  constexpr auto pipelined(tile_number<M, On> trips) {
    if constexpr (is_planner<Derived>) {
      constexpr violation v = check_trips<K, tile_number<M, On>>();
      static_assert(decltype(reason<v>())::verified);
      refused = refused || !v.holds();
    }
    self().trips_hang_on(On & of_any_place);
    return loop<M>(plain(trips), 1);
  }

  /// Of the trips from `begin` up to `end` those that this CTA makes: where the configuration splits, each of the CTAs
  /// of a tile has a part of them, one behind the other, which may be empty; else all, as they are given. A body that
  /// asks divides its loops by what it is told, and they are divided in no other way; what parts have made it puts
  /// together by merge().
  template <staged_or_known Begin, staged_or_known End>
  constexpr auto own_trips(Begin begin, End end) {
    if constexpr (configuration_of<K>.divides_loops()) {
      const auto trips = end - begin;
      const trip_part own = self().own_share(plain_int(trips));
      if constexpr (is_planner<Derived>)
        self().note_own(mode_of<decltype(trips)>, plain_int(begin) + own.first, own.count);
      using count = index<mode_of<decltype(trips)>, places_of<decltype(trips)>>;
      return std::pair(begin + count(own.first), begin + count(own.first + own.count));
    } else {
      return std::pair(begin, end);
    }
  }

  /// Makes what the parts of a tile have one: f(x .., y ..) makes x what a part and the next one, whose values are y,
  /// are together. Parts come in the order of their trips, one after the other; one CTA has them all in the end and
  /// goes on, the others store nothing. What is made of a part and used behind this is named here. f is of what a
  /// thread has of each value, or of a piece of it, element by element: it reduces nothing, asks no element's place,
  /// and loads, multiplies and stores nothing. Where the configuration does not split there is one part, and f is not
  /// called.
  template <class F, class... X>
  constexpr void merge(F f, X&&... x) {
    if constexpr (configuration_of<K>.split > 1) {
      if constexpr (is_planner<Derived>) {
        constexpr violation v = check_merging<F, X...>();
        static_assert(decltype(reason<v>())::verified);
        refused = refused || !v.holds();
        if constexpr (v.holds()) self().merge_parts(f, x...);
      } else {
        self().merge_parts(f, x...);
      }
    }
  }
  /// Who has no other part's values reads f once.
  template <class F, class... X>
  constexpr void merge_parts(F f, X&... x) {
    (touch_value(x), ...);
    ++position;
    with_others(
        self(), [&](auto&... other) { f(x..., other...); }, x...);
  }

 private:
  /// Sums of Rows x Cols, as they are held.
  template <class T, class Rows, class Cols>
  using sums_over = std::conditional_t<swaps, fragment<Derived, T, Cols, Rows>, fragment<Derived, T, Rows, Cols>>;

  template <int I, int... D>
  constexpr auto own_place(std::integer_sequence<int, D...>) const {
    return place_along<I, D...>();
  }
  /// The coordinates along modes number D.. of operand I. The last of them may be further on than the others.
  template <int I, int... D>
  constexpr auto place_along() const {
    constexpr int count = sizeof...(D), place[]{D...};
    work_place<tile_places<places_along(D, operand_handle<K, I>::rank)...>, operand_facts_of<K, I>().mode_at(D)...>
        c{};  // filled by a loop: as a list of its elements it costs ptxas registers
    for (int i = 0; i < count; ++i) c.at[i] = tile.at[i + 1 < count ? i : place[count - 1]];
    c.places = (of_no_place | ... | places_along(D, operand_handle<K, I>::rank)) & of_any_place;
    return c;
  }
  template <mode_id M>
  constexpr trip_range<Derived, M> loop(int trips, int least) {
    const int start = position++;
    return {&self(), self().loop_begins(start, trips, least), start};
  }
};

/// What values of a body call in its reading, and what loops do; reading_base has the rest. (Loads and stores are of one
/// operand each, and are looked up where a body has them.)
template <class R>
concept reading_of_body =
    std::derived_from<R, reading_base<R, typename R::kernel>> &&
    requires(R& sm, fragment<R, float, along<64, mode_id::any>, along<64, mode_id::any>>& x, int n, bool more) {
  { sm.loop_begins(n, n, n) } -> std::same_as<int>;
  sm.loop_head(n, more);
  sm.trip_begins(n, n);
  { sm.number_of(n) } -> std::same_as<int>;
  sm.touch(x);
  sm.give_up(x);
  sm.moved(x);
  sm.template issue<product_form{}>(x, x, x);
};

}  // namespace sectile
