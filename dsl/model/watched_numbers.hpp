// Numbers that threads join, compared with what the layout of sums says of them.
//
// Which elements become one number is known twice. The functions of dsl/program go from register to register and from
// lane to lane; layouts/fragment.hpp says of every place which thread has it. So each thread tells what it has before
// it gives any of it away, and behind the exchange asks for what those have told that share its row or its column. Both
// ways add in one order, so the bits are the same.
#pragma once
#include <sectile/dsl/program/center.hpp>

namespace sectile::model {

/// f(): what a check computes is no instruction of the kernel, and a machine that counts those leaves it out.
template <class Machine, class F>
constexpr auto beside(Machine& hw, F f) {
  return hw.beside(f);
}

/// The same of two numbers that are joined.
template <class Join>
struct joined_at_edge {
  Join join;
  template <class Machine>
  constexpr edge_number operator()(Machine& hw, const edge_number& a, const edge_number& b) const {
    edge_number both = a.at < 0 || (b.at >= 0 && b.at < a.at) ? b : a;
    both.all = join(hw, a.all, b.all);
    both.within = a.any && b.any ? join(hw, a.within, b.within) : a.any ? a.within : b.within;
    both.any = a.any || b.any;
    return both;
  }
};
/// Reports a number that is another one for what is not there. (Where nothing is there, who joins it with others knows
/// whether it changes them, unless it is a sum. Any number goes before a NaN, so of NaN alone a largest or a smallest
/// number is the infinity that masks what is not there.)
template <class Machine>
constexpr void follow_edge_number(Machine& hw, const char* what, bool sums, const edge_number& x) {
  constexpr float infinite = __builtin_huge_valf();
  const bool of_nan = x.within != x.within, masked = x.all != x.all || x.all == infinite || x.all == -infinite;
  if (x.at >= 0 && x.any && x.all != x.within && !(of_nan && masked)) hw.observe_beyond(what, sums, x);
}

/// Of `Count` (a power of two) numbers each two neighbours are joined, and so are what they become.
template <int Count, class Machine, class Join, class Number>
constexpr auto join_neighbours(Machine& hw, Join join, Number number) {
  decltype(number(0)) all[Count];
  for (int n = 0; n < Count; ++n) all[n] = number(n);
  for (int apart = 1; apart < Count; apart *= 2)
    for (int n = 0; n < Count; n += 2 * apart) all[n] = join(hw, all[n], all[n + apart]);
  return all[0];
}

/// `found` is what the four lanes of a quad make of the numbers that are number `n` of what they have told.
template <class Machine, class Join>
constexpr void follow_quad(Machine& hw, const char* what, int n, float found, Join join) {
  const int first = hw.thread() / 4 * 4;
  if (!hw.numbers_of(first)) return;
  const auto of_quad = [&](auto joined, auto told) {
    return beside(hw, [&] { return join_neighbours<4>(hw, joined, [&](int lane) { return told(first + lane); }); });
  };
  hw.observe_joined(what, found, of_quad(join, [&](int thread) { return hw.numbers_of(thread)[n]; }));
  if (hw.has_edge(first, hw.cta_rank()))
    follow_edge_number(hw, what, false, of_quad(joined_at_edge<Join>{join}, [&](int thread) {
                         return hw.edge_of(thread, hw.cta_rank(), n);
                       }));
}
/// The same of the eight lanes of each warp that have a column, and of all warps that exchange columns, in their order:
/// first those of a CTA, then CTAs.
template <class Reading, class Join>
constexpr void follow_column(Reading& sm, const char* what, int n, float found, Join join) {
  auto& hw = sm.hw;
  if (!hw.numbers_of(hw.thread())) return;
  const int first = (hw.thread() / warpgroup_threads - sm.share()) * warpgroup_threads;
  constexpr int warps = 4 * Reading::sharers;
  const auto of_column = [&](auto joined, auto told) {
    return beside(hw, [&] {
      decltype(told(0, 0)) all{};
      for (int cta = 0; cta < Reading::exchanging_ctas; ++cta) {
        auto of_cta = all;
        for (int i = 0; i < warps; ++i) {
          const auto its = join_neighbours<8>(hw, joined, [&](int row) {
            return told(first + 32 * i + 4 * row + hw.thread() % 4, sm.rank_in_exchange(cta));
          });
          of_cta = i == 0 ? its : joined(hw, of_cta, its);
        }
        all = cta == 0 ? of_cta : joined(hw, all, of_cta);
      }
      return all;
    });
  };
  hw.observe_joined(what, found, of_column(join, [&](int thread, int cta) { return hw.numbers_of(thread, cta)[n]; }));
  bool at_edge = false;
  for (int cta = 0; cta < Reading::exchanging_ctas; ++cta)
    at_edge = at_edge || hw.has_edge(first, sm.rank_in_exchange(cta));
  if (at_edge)
    follow_edge_number(hw, what, false, of_column(joined_at_edge<Join>{join}, [&](int thread, int cta) {
                         return hw.edge_of(thread, cta, n);
                       }));
}

/// What a thread makes of its own numbers of a row or of a column, to which `start` comes first.
template <class Machine, class Join>
struct own_numbers {
  Machine& hw;
  Join join;
  float all = 0;
  bool any = false;
  constexpr own_numbers(Machine& machine, Join j) : hw(machine), join(j) {}
  constexpr own_numbers(Machine& machine, Join j, float start) : hw(machine), join(j), all(start), any(true) {}
  constexpr void add(float x) {
    all = any ? beside(hw, [&] { return join(hw, all, x); }) : x;
    any = true;
  }
};
/// `found` is what it makes of the registers that it has of row number `n` of x, where `start` may come first.
template <class X, class Join, class... Start>
constexpr void follow_own_row(const char* what, const X& x, int n, float found, Join join, Start... start) {
  own_numbers own(x.reading->hw, join, start...);
  for (int i = 0; i < X::atom_registers; ++i)
    if (d_coord(0, i).row == d_coord(0, 2 * (n % 2)).row) own.add(number_at(x, n / 2, i));
  own.hw.observe_joined(what, found, own.all);
}
/// And y is what it makes of those of each column.
template <class X, class Y, class Join>
constexpr void follow_own_columns(const char* what, const X& x, const Y& y, Join join) {
  for (int n = 0; n < y.numbers; ++n) {
    own_numbers own(x.reading->hw, join);
    for (int m = 0; m < X::atoms; ++m)
      for (int i = 0; i < X::atom_registers; ++i)
        if (d_coord(0, i).col == d_coord(0, 4 * (n / 2) + n % 2).col) own.add(number_at(x, m, i));
    own.hw.observe_joined(what, y.value[n / 2][n % 2], own.all);
  }
}
/// `found` is what a thread makes of all the numbers of x that it has.
template <class X, class Join>
constexpr void follow_all(const char* what, const X& x, float found, Join join) {
  auto& hw = x.reading->hw;
  own_numbers own(hw, join);
  for (const auto& pair : x.value)
    for (const float number : pair) own.add(number);
  hw.observe_joined(what, found, own.all);
}

/// `found` is what all warps have told of their means and squares makes.
template <class X>
constexpr void follow_warps(const X& x, bool whole, int rows, int columns, const mean_and_variance& found) {
  auto& hw = x.reading->hw;
  if (!hw.numbers_of(hw.thread())) return;
  auto& sm = *x.reading;
  const int first = (hw.thread() / warpgroup_threads - sm.share()) * warpgroup_threads;
  const auto right = [&] {
    return join_warps(x, whole, rows, columns, [&](int cta, int warp, auto& of) {
      for (int n = 0; n < 8; ++n)
        of[n / 4][n % 4] = hw.numbers_of(first + 32 * (warp + n % 4), sm.rank_in_exchange(cta))[n / 4];
    });
  };
  hw.observe_joined("center", found.mean, beside(hw, [&] { return right().mean; }));
  hw.observe_joined("center", found.variance, beside(hw, [&] { return right().variance; }));
}

}  // namespace sectile::model
