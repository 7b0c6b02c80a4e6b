// Programs whose vectors are summed over tiles in order, for the tests on the model and on a GPU.
#pragma once
#include <sectile/dsl.hpp>

namespace sectile::test {

/// Sums of C = A B^T + 1, so that nothing is zero beyond the edges: of columns, of rows and of all.
template <configuration How, class Out = float>
struct sums_in_order {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"of_col(N)", float>(),
                        output<"of_row(M)", float>(), output<"C(M,N)", Out>(), output<"sum", float>());
  static constexpr configuration how = How;
  static constexpr void body(auto& sm, auto A, auto B, auto of_col, auto of_row, auto C, auto sum) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    auto x = acc + 1.0f;
    sm.combine(of_col, {n}, x, reduction::add);
    sm.combine(of_row, {m}, x, reduction::add);
    sm.combine(sum, {}, x, reduction::add);
    sm.store(C, {m, n}, x);
  }
};
/// The same of rows' numbers that the body has made, behind the store, beside sums in any order and a maximum.
template <configuration How>
struct rows_in_order {
  static constexpr auto operands = sectile::operands(
      input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", float>(), output<"of_row(M)", float>(),
      output<"sum", float>(), output<"most", float>(), output<"about", float>());
  static constexpr configuration how = How;
  static constexpr void body(auto& sm, auto A, auto B, auto C, auto of_row, auto sum, auto most, auto about) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    const auto rows = row_sum(acc);
    sm.store(C, {m, n}, acc);
    sm.combine(of_row, {m}, rows, reduction::add);
    sm.combine(sum, {}, rows, reduction::add);
    sm.combine(most, {}, acc, reduction::max);
    sm.combine(about, {}, rows, reduction::add_in_any_order);
  }
};
/// The same of columns' numbers.
template <configuration How>
struct cols_in_order {
  static constexpr auto operands = sectile::operands(
      input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", float>(), output<"of_col(N)", float>(),
      output<"sum", float>(), output<"most(N)", float>(), output<"least", float>(), output<"about", float>());
  static constexpr configuration how = How;
  static constexpr void body(auto& sm, auto A, auto B, auto C, auto of_col, auto sum, auto most, auto least,
                             auto about) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    const auto cols = col_sum(acc);
    sm.store(C, {m, n}, acc);
    sm.combine(of_col, {n}, cols, reduction::add);
    sm.combine(sum, {}, cols, reduction::add);
    sm.combine(most, {n}, col_max(acc), reduction::max);
    sm.combine(least, {}, col_min(acc), reduction::min);
    sm.combine(about, {}, cols, reduction::add_in_any_order);
  }
};
/// Whole rows: Y = X / the sum of each row, that sum, and those of all rows.
template <configuration How>
struct whole_rows_in_order {
  static constexpr auto operands = sectile::operands(input<"X(M,N)", bf16>(), output<"Y(M,N)", float>(),
                                                     output<"of_row(M)", float>(), output<"sum", float>());
  static constexpr configuration how = How;
  static constexpr void body(auto& sm, auto X, auto Y, auto of_row, auto sum) {
    auto [m] = sm.rows_of(Y);
    auto all = row_sum(cast<float>(in_registers(sm.load(X, {m, 0}))));
    for (auto j : sm.pipelined(tiles<"N">(X) - 1))
      all = all + row_sum(cast<float>(in_registers(sm.load(X, {m, j + 1}))));
    const auto rows = all.total();
    for (auto j : sm.pipelined(tiles<"N">(Y)))
      sm.store(Y, {m, j}, cast<float>(in_registers(sm.load(X, {m, j}))) / rows);
    sm.combine(of_row, {m}, rows, reduction::add);
    sm.combine(sum, {}, rows, reduction::add);
  }
};
/// Sums of rows that are stored, or combined in any order, before anything else has finished them; and what is
/// finished.
template <configuration How>
struct unfinished_rows {
  static constexpr auto operands = sectile::operands(
      input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", float>(), vector_output<"parts(T,M)", float>(),
      output<"of_row(M)", float>(), output<"most(M)", float>(), output<"largest", float>());
  static constexpr configuration how = How;
  static constexpr void body(auto& sm, auto A, auto B, auto C, auto parts, auto of_row, auto most, auto largest) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
    sm.store(parts, {as<"T">(n), m}, row_sum(acc));
    sm.combine(of_row, {m}, row_sum(acc), reduction::add_in_any_order);
    const auto top = row_max(acc);
    sm.combine(most, {m}, top, reduction::max);
    sm.combine(largest, {}, top, reduction::max);
  }
};
/// Of a batch: what lacks the rows, the batch as well, both other modes, and nothing but a mode that counts tiles.
template <configuration How>
struct batch_in_order {
  static constexpr auto operands = sectile::operands(
      input<"A(G,M,K)", bf16>(), output<"C(G,M,M')", float>(), vector_output<"of_col(G,M')", float>(),
      output<"of_all(M')", float>(), output<"sums(G)", float>(), vector_output<"apart(T,G,M')", float>());
  static constexpr configuration how = How;
  static constexpr void body(auto& sm, auto A, auto C, auto of_col, auto of_all, auto sums, auto apart) {
    auto [g, m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {g, m, k}) * transpose(sm.load(A, {g, n, k}));
    sm.combine(of_col, {g, n}, acc, reduction::add);
    sm.combine(of_all, {n}, acc, reduction::add);
    sm.combine(sums, {g}, acc, reduction::add);
    sm.combine(apart, {as<"T">(m), g, n}, acc, reduction::add);
    sm.store(C, {g, m, n}, acc);
  }
};

}  // namespace sectile::test
