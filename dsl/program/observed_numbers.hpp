// Numbers that threads join, compared with what the layout of sums says of them: on the model alone.
//
// Which elements become one number is known twice. The functions of this folder go from register to register and from
// lane to lane; layouts/fragment.hpp says of every place which thread has it. So each thread tells what it has before
// it gives any of it away, and behind the exchange asks for what those have told that share its row or its column. Both
// ways add in one order, so the bits are the same.
#pragma once
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

/// A thread's numbers, in an order that is the same for all. Told before an exchange.
template <class Machine, class T>
constexpr void observe_numbers(Machine& hw, const T* first, int count) {
  if constexpr (follows_numbers<Machine>) hw.observe_numbers(first, count);
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
constexpr float join_neighbours(Machine& hw, Join join, Number number) {
  float all[Count];
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
    if (hw.numbers_of(first))
      hw.observe_joined(what, found, beside(hw, [&] {
                          return join_neighbours<4>(hw, join, [&](int lane) { return hw.numbers_of(first + lane)[n]; });
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
    const float right = beside(hw, [&] {
      float all = 0;
      for (int cta = 0; cta < Reading::exchanging_ctas; ++cta) {
        float of_cta = 0;
        for (int i = 0; i < warps; ++i) {
          const float its = join_neighbours<8>(hw, join, [&](int row) {
            const int thread = first + 32 * i + 4 * row + hw.thread() % 4;
            return hw.numbers_of(thread, sm.rank_in_exchange(cta))[n];
          });
          of_cta = i == 0 ? its : join(hw, of_cta, its);
        }
        all = cta == 0 ? of_cta : join(hw, all, of_cta);
      }
      return all;
    });
    hw.observe_joined(what, found, right);
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
