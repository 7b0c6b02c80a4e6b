// The state of a loop that several CTAs have made parts of, on its way from one to another: the values that
// sm.merge(f, ..) names, as the words of a thread. Another part's are values of the same types in the same places, so
// they travel as they lie, and a thread gets those of its own place.
#pragma once
#include <cstdint>
#include <type_traits>
#include <utility>

#include <sectile/dsl/program/rows.hpp>

namespace sectile {

/// Words that a thread has of a value; -1: of what is none that could be merged.
template <class X>
inline constexpr int words_of_state = -1;
/// Along what its rows lie, and so those of rows' numbers; void: it is of columns.
template <class X>
struct rows_of_state {
  using type = void;
};

template <class R, class T, class Rows, class Cols>
inline constexpr int words_of_state<fragment<R, T, Rows, Cols>> =
    fragment<R, T, Rows, Cols>::atoms* fragment<R, T, Rows, Cols>::atom_registers;
template <class R, class T, class Rows, class Cols>
struct rows_of_state<fragment<R, T, Rows, Cols>> {
  using type = Rows;
};
template <class R, class Line, bool OfRows, class T>
inline constexpr int words_of_state<line_vector<R, Line, OfRows, T>> = line_vector<R, Line, OfRows, T>::numbers;
template <class R, class Rows, class T>
struct rows_of_state<row_vector<R, Rows, T>> {
  using type = Rows;
};
template <class R, class Rows, reduction How>
inline constexpr int words_of_state<partial_rows<R, Rows, How>> = words_of_state<row_numbers<R, Rows>>;
template <class R, class Rows, reduction How>
struct rows_of_state<partial_rows<R, Rows, How>> : rows_of_state<row_numbers<R, Rows>> {};

/// How a thread's words of some values lie: by octets of rows, so that those of rows that no tensor has stay where they
/// are. A thread has two rows of each m64 block, in octets 2 m and 2 m + 1 of its warp. Values that have not all the
/// same rows are one octet.
template <class First, class... More>
struct state_layout {
  using rows = typename rows_of_state<First>::type;
  static constexpr bool by_rows =
      !std::is_void_v<rows> && (std::is_same_v<rows, typename rows_of_state<More>::type> && ...);
  static constexpr int octets = [] {
    int n = 0;  // as of a tile without a block for each consumer, which the plan refuses
    if constexpr (by_rows) n = row_vector<typename First::reading_type, rows>::numbers;
    return n > 0 ? n : 1;
  }();
  static constexpr int words = (words_of_state<First> + ... + words_of_state<More>);
  static constexpr int octet_quads = (words / octets + 3) / 4;  // four words are what a thread moves at once
  static constexpr int quads = octets * octet_quads;
};

/// The last of some types. (<tuple> has it, which three compilers would read for it in every file with a kernel.)
template <class First, class... More>
struct last_of : last_of<More...> {};
template <class Last>
struct last_of<Last> : std::type_identity<Last> {};

/// What a state is merged in where a thread has no registers for all of another part's words beside its own: stretches
/// of rows of the fragment that comes last, `count` of them, with each of which go all the numbers of columns in front
/// of it. (Numbers of rows would have to be cut as well; such a state stays whole.)
template <class... X>
struct state_pieces {
  static constexpr int registers = 224;
  using last = typename last_of<X...>::type;
  static constexpr int words = words_of_state<last>, number_words = (words_of_state<X> + ...) - words;
  static constexpr int of_columns = (std::is_void_v<typename rows_of_state<X>::type> + ...);
  static constexpr int count = [] {
    int n = 1;
    if constexpr (requires { last::atom_registers; })
      if (of_columns > 0 && of_columns + 1 == sizeof...(X) && number_words % 4 == 0 && last::atom_registers % 4 == 0)
        while (n * 2 <= last::atoms && last::atoms % (n * 2) == 0 && 2 * number_words + words + words / n > registers)
          n *= 2;
    return n;
  }();
  static constexpr int numbers = number_words / 4, quads = words / count / 4;
  /// Registers for other parts' words.
  static constexpr int left = count == 1 ? 160 : registers - number_words - words;
  /// Of piece p's quads the number among those of all.
  static constexpr int quad(int p, int n) { return count == 1 || n < numbers ? n : n + p * quads; }
};

/// f(word, its octet) for each register of a value.
template <class R, class T, class Rows, class Cols, class F>
constexpr void for_each_register(fragment<R, T, Rows, Cols>& x, F f) {
  constexpr int pair = lies_as_sums(element_of<T>()) ? 2 : 1;  // registers of one row
  SECTILE_UNROLL for (int m = 0; m < x.atoms; ++m) SECTILE_UNROLL for (int i = 0; i < x.atom_registers; ++i)
      f(x.atom[m][i], 2 * m + i / pair % 2);
}
template <class Line, class F>
requires requires { Line::numbers; }
constexpr void for_each_register(Line& x, F f) {
  SECTILE_UNROLL for (int n = 0; n < Line::numbers; ++n) f(x.value[n / 2][n % 2], n);
}
template <class R, class Rows, reduction How, class F>
constexpr void for_each_register(partial_rows<R, Rows, How>& x, F f) {
  for_each_register(x.share, f);
}

/// The registers of all octets but the first so many become 0: what is computed with them no compiler computes.
template <class Layout, int Octets, class... X>
constexpr void clear_behind(X&... x) {
  const auto one = [](auto& reg, int octet) {
    if (octet >= Octets) reg = {};
  };
  if constexpr (Octets < Layout::octets) (for_each_register(x, one), ...);
}

/// A thread's words of the first octets.
template <class Layout, int Octets = Layout::octets>
struct state_words {
  static constexpr int quads = Octets * Layout::octet_quads;
  std::uint32_t quad[quads][4]{};

  /// Words of so many octets.
  static constexpr int count(int octets) { return 4 * Layout::octet_quads * (octets < Octets ? octets : Octets); }
  template <class... X>
  constexpr void take(X&... from) {
    each([](auto& x, std::uint32_t& word) { word = __builtin_bit_cast(std::uint32_t, x); }, from...);
  }
  template <class... X>
  constexpr void put(X&... to) {
    each([](auto& x, const std::uint32_t& word) { x = __builtin_bit_cast(std::remove_cvref_t<decltype(x)>, word); },
         to...);
  }

 private:
  template <class F, class... X>
  constexpr void each(F f, X&... x) {
    int next[Octets]{};  // word of an octet
    const auto one = [&](auto& reg, int octet) {
      if (Layout::octets == 1) octet = 0;
      if (octet >= Octets) return;
      const int n = 4 * Layout::octet_quads * octet + next[octet]++;
      f(reg, quad[n / 4][n % 4]);
    };
    (for_each_register(x, one), ...);
  }
};

/// What another part has in place of x: registers that somebody is about to fill.
template <class R, class T, class Rows, class Cols>
constexpr fragment<R, T, Rows, Cols> another(R& sm, const fragment<R, T, Rows, Cols>&) {
  return fragment<R, T, Rows, Cols>(sm);
}
template <class R, class Line>
requires requires { Line::numbers; }
constexpr Line another(R& sm, const Line&) { return Line{&sm}; }
template <class R, class Rows, reduction How>
constexpr partial_rows<R, Rows, How> another(R& sm, const partial_rows<R, Rows, How>&) {
  return {{&sm}};
}
/// use(another part's values ..), in place of those given.
template <class R, class Use>
constexpr void with_others(R&, Use use) {
  use();
}
template <class R, class Use, class First, class... X>
constexpr void with_others(R& sm, Use use, const First& first, const X&... x) {
  First other = another(sm, first);
  if constexpr (requires { other.fresh; }) {
    other.fresh = false;
    other.place = first.place;
  }
  with_others(
      sm, [&](auto&... more) { use(other, more...); }, x...);
}

/// Piece p of a value, from it or, `back`, into it: rows of a fragment; numbers are whole, and go back with the last
/// one.
template <class Pieces, class Line>
requires requires { Line::numbers; }
constexpr void move_piece(Line& x, Line& own, int p, bool back) {
  SECTILE_UNROLL for (int n = 0; n < Line::numbers; ++n) {
    float &of_all = x.value[n / 2][n % 2], &of_piece = own.value[n / 2][n % 2];
    if (!back) of_piece = of_all;
    if (back && p + 1 == Pieces::count) of_all = of_piece;
  }
}
template <class Pieces, class R, class Rows, reduction How>
constexpr void move_piece(partial_rows<R, Rows, How>& x, partial_rows<R, Rows, How>& own, int p, bool back) {
  move_piece<Pieces>(x.share, own.share, p, back);
}
template <class Pieces, class R, class T, class Rows, class Cols, class Piece>
constexpr void move_piece(fragment<R, T, Rows, Cols>& x, Piece& own, int p, bool back) {
  own.fresh = own.named = false;  // nobody is told of it
  own.place = x.place;
  SECTILE_UNROLL for (int m = 0; m < own.atoms; ++m) for (int i = 0; i < x.atom_registers; ++i) {
    auto &of_all = x.atom[p * own.atoms + m][i], &of_piece = own.atom[m][i];
    if (back)
      of_all = of_piece;
    else
      of_piece = of_all;
  }
}
template <class Pieces, class R, class X>
constexpr X piece_like(R& sm, const X& x) {
  return another(sm, x);
}
template <class Pieces, class R, class T, class Rows, class Cols>
constexpr auto piece_like(R& sm, const fragment<R, T, Rows, Cols>&) {
  return fragment<R, T, along<Rows::extent / Pieces::count, Rows::name>, Cols>(sm);
}
/// use(piece p of each value), which becomes theirs.
template <class Pieces, class R, class Use>
constexpr void with_pieces(R&, int, Use use) {
  use();
}
template <class Pieces, class R, class Use, class First, class... X>
constexpr void with_pieces(R& sm, int p, Use use, First& first, X&... x) {
  auto own = piece_like<Pieces>(sm, first);
  move_piece<Pieces>(first, own, p, false);
  with_pieces<Pieces>(
      sm, p, [&](auto&... more) { use(own, more...); }, x...);
  move_piece<Pieces>(first, own, p, true);
}

// ---- what sm.merge() is given

/// `like`: whether all values are some that parts may have made; `taken`: whether f takes those of two parts; `copied`:
/// and some of the first one's not as auto&; `answers`: whether it gives something back.
constexpr violation check_merging(int values, bool like, bool taken, bool copied, bool answers = false) {
  if (!like)
    return refuse(rule::operand_is_used_in_another_way, "sm.merge(f, x ..): some x is nothing that parts have made: ",
                  "name fragments, and numbers of rows or columns");
  if (values == 0)
    return refuse(rule::operand_is_used_in_another_way,
                  "sm.merge(f) names no values: sm.merge([](auto& m, auto& m2) {..}, m), as many as parts hand on");
  if (!taken)
    return refuse(rule::operand_is_used_in_another_way, "sm.merge(f, ..) of ", values, " values: f takes ", values,
                  " of one part and then ", values,
                  " of the next one, each by reference: [](auto& m, auto& l, auto& m2, auto& l2) {..}");
  if (copied)
    return refuse(
        rule::operand_is_used_in_another_way,
        "sm.merge(f, ..): f makes the values of one part those of both, so it takes them as auto& and changes "
        "them; what it does to a copy is lost");
  if (answers)
    return refuse(rule::operand_is_used_in_another_way, "sm.merge(f, ..): f returns something, which nobody takes; it ",
                  "changes what it is given of the first part: a += its_a");
  return {};
}
template <class F, int At, class... X>
inline constexpr bool copies_value = [] {
  return []<int... I>(std::integer_sequence<int, I...>) {
    return std::is_invocable_v<F&, std::conditional_t<I == At, X, X&>..., X&...>;
  }
  (std::make_integer_sequence<int, sizeof...(X)>{});
}();
/// Given: X&, where a variable is named.
template <class F, class... Given>
constexpr violation check_merging() {
  constexpr int count = sizeof...(Given);
  constexpr bool like =
      ((std::is_lvalue_reference_v<Given> && words_of_state<std::remove_reference_t<Given>> >= 0) && ...);
  if constexpr (count == 0 || !like) {
    return check_merging(count, like, true, false);
  } else if constexpr (!std::is_invocable_v<F&, Given..., Given...>) {
    return check_merging(count, true, false, false);
  } else {
    return []<int... I>(std::integer_sequence<int, I...>) {
      return check_merging(count, true, true, (copies_value<F, I, std::remove_reference_t<Given>...> || ...),
                           !std::is_void_v<std::invoke_result_t<F&, Given..., Given...>>);
    }
    (std::make_integer_sequence<int, count>{});
  }
}

}  // namespace sectile
