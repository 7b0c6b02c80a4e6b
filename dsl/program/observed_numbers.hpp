// Numbers that threads join, compared with what the layout of sums says of them: on the model alone.
//
// Which elements become one number is known twice. The functions of this folder go from register to register and from
// lane to lane; layouts/fragment.hpp says of every place which thread has it. So each thread tells what it has before
// it gives any of it away, and behind the exchange asks for what those have told that share its row or its column. Both
// ways add in one order, so the bits are the same.
#pragma once
#include <cstdint>
#include <sectile/layouts/fragment.hpp>
#include <type_traits>

namespace sectile {

/// Whether this machine compares numbers that threads have joined with those that they have told.
template <class Machine>
concept follows_numbers = requires(Machine& hw) {
  hw.numbers_of(0);
};

/// f(): what a check computes is no instruction of the kernel, and a machine that counts those leaves it out.
template <class Machine, class F>
constexpr auto beside(Machine& hw, F f) {
  if constexpr (follows_numbers<Machine>)
    return hw.beside(f);
  else
    return f();
}

/// What a number that is made of several elements would be without those that its matrix does not have.
struct edge_number {
  float all = 0, within = 0;  // made of all, and of those that are there
  bool any = false;           // of which there is one
  std::int64_t at = -1;       // the first one that is not there; -1: all are
  float beyond = 0;           // what stands for it
  std::int64_t size = 0;      // elements along the mode
  const char* mode = "";
};
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

/// A thread's numbers, in an order that is the same for all. Told before an exchange; with what they are without what
/// is beyond an edge, if there is anything.
template <class Machine, class T>
constexpr void observe_numbers(Machine& hw, const T* first, int count, const edge_number* edge = nullptr) {
  if constexpr (follows_numbers<Machine>) hw.observe_numbers(first, count, edge);
}

/// The same of `Count` numbers that are `number(i)`.
template <int Count, class Machine, class Number>
constexpr void observe_each(Machine& hw, Number number) {
  if constexpr (follows_numbers<Machine>) {
    float all[Count];
    for (int i = 0; i < Count; ++i) all[i] = number(i);
    hw.observe_numbers(all, Count);
  }
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
  if constexpr (follows_numbers<Machine>) {
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
}
/// The same of the eight lanes of each warp that have a column, and of all warps that exchange columns, in their order:
/// first those of a CTA, then CTAs.
template <class Reading, class Join>
constexpr void follow_column(Reading& sm, const char* what, int n, float found, Join join) {
  if constexpr (follows_numbers<std::remove_cvref_t<decltype(sm.hw)>>) {
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
/// `found` is what it makes of the registers `number(i)` of a block that are in the row of register `like`.
template <int Registers, class Machine, class Join, class Number>
constexpr void follow_own_row(const char* what, own_numbers<Machine, Join> own, int like, float found, Number number) {
  if constexpr (follows_numbers<Machine>) {
    for (int i = 0; i < Registers; ++i)
      if (d_coord(0, i).row == d_coord(0, like).row) own.add(number(i));
    own.hw.observe_joined(what, found, own.all);
  }
}
/// And of the registers `number(m, i)` of `blocks` blocks that are in its column.
template <int Registers, class Machine, class Join, class Number>
constexpr void follow_own_column(const char* what, own_numbers<Machine, Join> own, int blocks, int like, float found,
                                 Number number) {
  if constexpr (follows_numbers<Machine>) {
    for (int m = 0; m < blocks; ++m)
      for (int i = 0; i < Registers; ++i)
        if (d_coord(0, i).col == d_coord(0, like).col) own.add(number(m, i));
    own.hw.observe_joined(what, found, own.all);
  }
}

}  // namespace sectile
