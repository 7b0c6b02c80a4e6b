// Kernels that have every element in registers: of loops with two products and operands that other forms do without; one
// whose numbers are constants of a namespace (device code can follow no reference to them, and nvcc would make a trap of
// one); one whose vectors come with tiles; and one whose parts meet in groups. With SECTILE_EXHAUSTIVELY of outputs by
// rows, put off or not, by columns and of 8 bits, and one whose loop hands vectors on, as well.
#include <sectile/dsl/hopper/kernel.hpp>
#include <sectile/kernels/attention.hpp>
#include <sectile/kernels/gemm.hpp>
#include <sectile/kernels/latent_attention.hpp>

#include "../programs/vectors_with_tiles.hpp"

using namespace sectile;
using namespace sectile::kernels;

inline constexpr float half = 0.5F, least = -3, most = 4, far_away = -1e30F;
inline constexpr int first_tile = 0, one = 1, last_row = 1000;

struct with_constants {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     output<"C(M,N)", bf16>(), output<"sums(M)", float>());
  static constexpr configuration how{.tile = {{"M", 128}, {"N", 64}, {"K", 64}}, .stages = 3};
  static constexpr float own = 0.25F;

  static constexpr void body(auto& sm, auto A, auto B, auto C, auto sums) {
    auto [m, n] = sm.wide_tile_of(C);
    auto x = sm.accumulator(sm.load(A, {m, first_tile}) * transpose(sm.load(B, {n, first_tile})));
    for (auto k : sm.pipelined(tiles<"K">(A) - one))
      x += sm.load(A, {m, k + one}) * transpose(sm.load(B, {n, k + one}));
    x *= half, x += least, x -= most, x /= most;
    x = half * (x + least) - most / (least - x) + own;
    x = fma(x, half, least) + fma(x, x, most) + fma(x, half, x) + fma(half, x, x);
    x = max(least, min(max(most, x), most));
    x = map(map(x, half, [](float a, float b) { return a * b; }), [](float a) { return a + least; });
    mask(x, {m, n}, [=](int row, int col) { return col < size<"N">(C) && row < last_row; }, far_away);
    auto sum = row_sum(x) * half;
    sum *= select(tiles<"K">(A) > last_row, half, least);
    sm.store(sums, {m}, row_max(x) * half + sum.total());
    sm.store(C, {m, n}, x);
  }
};

// Numbers of rows and columns, and a part of a vector, that a trip has from the one before.
struct with_lines_handed_on {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), vector_input<"of_rows(KB,M)", float>(), input<"v(K)", float>(), input<"w(K)", bf16>(),
                        output<"C(M,K)", bf16>());
  static constexpr configuration how{.tile = {{"M", 128}, {"K", 64}}, .stages = 3};

  static constexpr void body(auto& sm, auto A, auto of_rows, auto v, auto w, auto C) {
    auto [m] = sm.rows_of(C);
    auto next_rows = in_registers(sm.load(of_rows, {0, m}));
    auto next_columns = in_registers(sm.load(v, {0}));
    auto next_part = sm.load(w, {0});
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      const auto rows = next_rows;
      const auto columns = next_columns;
      const auto part = next_part;
      next_rows = in_registers(sm.load(of_rows, {as<"KB">(k + 1), m}));
      next_columns = in_registers(sm.load(v, {k + 1}));
      next_part = sm.load(w, {k + 1});
      sm.store(C, {m, k}, cast<float>(in_registers(sm.load(A, {m, k}))) * rows + columns + part);
    }
  }
};
constexpr attention_form form{
    .mask = attention_mask::causal_window, .from_end = true, .grouped = true, .lse = true, .sinks = true};

const void* const kernels_to_compile[] = {
#ifdef SECTILE_EXHAUSTIVELY
    reinterpret_cast<const void*>(hopper::run<gemm_bf16>),
    reinterpret_cast<const void*>(hopper::run<gemm<bf16, bf16, float, gemm_form{.c = col_major}>>),
    reinterpret_cast<const void*>(hopper::run<gemm<bf16, bf16, bf16, gemm_form{.a = col_major, .c = col_major}>>),
    reinterpret_cast<const void*>(hopper::run<attention<128, attention_mask::causal>>),
    reinterpret_cast<const void*>(hopper::run<gemm<e4m3, e4m3, e4m3, gemm_form{.c = col_major}>>),
    reinterpret_cast<const void*>(hopper::run<with_lines_handed_on>),
#endif
    reinterpret_cast<const void*>(hopper::run<attention_of<form>>),
    reinterpret_cast<const void*>(hopper::run<with_constants>),
    reinterpret_cast<const void*>(
        hopper::run<test::scales::scaled<bf16, with_tiles, test::scales::meeting::in_place, test::scales::turns>>),
    reinterpret_cast<const void*>(hopper::run<latent_attention<latent_form{.parts = 64, .slices = 2}, bf16>>),
};
