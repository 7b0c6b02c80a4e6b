// What the model is told of the numbers that threads write into vectors.
#pragma once
#include <sectile/dsl/model/observed_vector.hpp>
#include <sectile/dsl/model/watched_numbers.hpp>
#include <sectile/dsl/program/vector_outputs.hpp>
#include <sectile/dsl/roles/arguments.hpp>

namespace sectile::model {

/// What is stored is told as it is rounded.
template <int I, class Role, class T, int Count>
constexpr void tell_pairs(Role& sm, const observed_vector& v, const T (&pair)[Count][2]) {
  using stored = typename operand_at<typename Role::kernel, I>::element_type;
  float told[2 * Count];
  for (int n = 0; n < 2 * Count; ++n) {
    const T own = pair[n / 2][n % 2];
    if constexpr (operand_plan_of<typename Role::kernel, I>.combined == reduction::none)
      told[n] = beside(sm.hw, [&] { return __builtin_bit_cast(float, bits_of_element<stored>(sm.hw, own)); });
    else
      told[n] = own;
  }
  sm.hw.observe_vector(v, told, 2 * Count);
}
template <int I, vector_use Use, class Role, class Rows, class Cols>
constexpr void tell_line(Role& sm, observed_vector v, const fragment<Role, float, Rows, Cols>& x) {
  v.rows = Rows::extent, v.registers = x.atom_registers;
  if constexpr (Use != vector_use::rows) v.rows_inside = sm.template left_of_work<Rows::name>();
  if constexpr (Use != vector_use::cols) v.cols_inside = sm.template left_of_work<Cols::name>();
  float told[x.atoms * x.atom_registers];
  for (int m = 0; m < x.atoms; ++m)
    for (int i = 0; i < x.atom_registers; ++i) told[m * x.atom_registers + i] = x.atom[m][i];
  sm.hw.observe_vector(v, told, x.atoms * x.atom_registers);
}
template <int I, vector_use Use, class Role, class Rows, class T>
constexpr void tell_line(Role& sm, observed_vector v, const row_vector<Role, Rows, T>& x) {
  v.form = told_form::rows, v.rows = Rows::extent, v.registers = 2;
  if constexpr (Use == vector_use::all) v.rows_inside = sm.template left_of_work<Rows::name>();
  tell_pairs<I>(sm, v, x.value);
}
template <int I, vector_use Use, class Role, class Cols>
constexpr void tell_line(Role& sm, observed_vector v, const col_vector<Role, Cols>& x) {
  v.form = told_form::columns, v.registers = 2;
  if constexpr (Use == vector_use::all)
    v.cols_inside = sm.template left_of_work<Cols::name>();
  else
    v.line = told_line::column;
  tell_pairs<I>(sm, v, x.value);
}

/// What the numbers x of this thread become in operand I, of which they meet what Use says.
template <int I, vector_use Use, class Role, class T, class X>
constexpr void tell_numbers(Role& sm, const vector_part<T>& to, const X& x, written_as<I, Use>) {
  using K = typename Role::kernel;
  constexpr int cols = operand_facts_of<K, work_operand<K>>().tile.rank - 1;
  observed_vector v{to.first, sizeof(T), to.inside, operand_facts_of<K, I>().cols(), operand_plan_of<K, I>.combined};
  v.line = Use == vector_use::all ? told_line::all : Use == vector_use::cols ? told_line::column : told_line::row;
  v.rows_left = left_of_work<K>(arguments_of(sm, sm.parameters), sm.tile, cols - 1);
  v.cols_left = left_of_work<K>(arguments_of(sm, sm.parameters), sm.tile, cols);
  v.mine = sm.template writes_vector<I>();
  tell_line<I, Use>(sm, v, x);
}

}  // namespace sectile::model
