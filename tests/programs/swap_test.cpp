// .swap = true: C is made as (B A^T)^T, with the instruction's 64 rows along N. The same bits as without, for tiles of
// 8 rows and more, every type, 16- and 32-bit outputs, masks and arithmetic element by element.
#include <sectile/dsl/launch/portable_model.hpp>

#include "tests/programs/kit.hpp"
#include "tests/programs/types.hpp"

namespace {

using namespace sectile;
using namespace sectile::test;

constexpr configuration in_tiles(int m, int n, int k, bool swap, int consumers = 1) {
  return {.tile = {{"M", m}, {"N", n}, {"K", k}}, .stages = 2, .consumers = consumers, .swap = swap};
}
template <class Left, class Right, class Out, configuration How, gemm_form Form = gemm_form{},
          class Sum = sum_type<Left>>
struct gemm_in : gemm<Left, Right, Out, Form, Sum> {
  static constexpr configuration how = How;
};
constexpr configuration persistent = [] {
  configuration c = in_tiles(24, 128, 64, true, 2);
  c.persistent = true;
  return c;
}();
constexpr configuration in_cluster(cluster_shape s) {
  configuration c = in_tiles(16, 64, 128, true);
  c.cluster = s;
  return c;
}

using low = gemm_in<bf16, bf16, bf16, in_tiles(16, 128, 64, true, 2)>;
static_assert(verified<low> && plan_of<low>.epilogue[0].transposed && plan_of<low>.epilogue[0].panel_rows == 16);
static_assert(plan_of<low>.products.at[0].instruction.n == 16 && plan_of<low>.products.at[0].m_blocks == 1);
static_assert(same_sums<low, kernels::gemm_bf16>);
// Of two types, too, whichever of them is the instruction's A then; what is multiplied has not changed.
template <class Left, class Right, bool Swap>
using of_two_types = gemm_in<Left, Right, float, in_tiles(64, 64, 128, Swap)>;
static_assert(same_sums<of_two_types<e4m3, e5m2, true>, of_two_types<e4m3, e5m2, false>>);
static_assert(!same_sums<of_two_types<e4m3, e5m2, true>, of_two_types<e5m2, e4m3, false>>);
static_assert(plan_of<gemm_in<bf16, bf16, bf16, persistent>>.epilogue[0].deferred);

template <class Plain, class Swapped, class Out, class... Inputs>
void check_same_bits(int m, int n, const Inputs&... inputs) {
  host_tensor<Out> plain({m, n}), swapped({m, n});
  run_on_schedules<Plain>(0, plain, inputs.in()..., plain.view());
  run_on_schedules<Swapped>(2, swapped, inputs.in()..., swapped.view());
  const std::vector<Out> a = plain.elements(), b = swapped.elements();
  CHECK(std::memcmp(a.data(), b.data(), a.size() * sizeof(Out)) == 0);
}
/// C = A B^T of normal numbers: what is rounded once has the same bits.
template <class Plain, class Swapped, class T, class Out>
void check_same_product(int m, int n, int k) {
  CAPTURE(m);
  host_tensor<T> A({m, k}), B({n, k});
  A.fill(1), B.fill(2);
  check_same_bits<Plain, Swapped, Out>(m, n, A, B);
}

TEST_CASE("tiles of few rows: exact, with ragged rows and columns") {
  for (const int m : {1, 7, 16, 37}) {
    check<low, bf16, bf16, bf16>(m, 133, 72);
    if constexpr (exhaustively) {
      check<gemm_in<bf16, bf16, bf16, in_tiles(8, 64, 64, true)>, bf16, bf16, bf16>(m, 136, 200);
      check<gemm_in<bf16, bf16, float, in_tiles(24, 128, 64, true)>, bf16, bf16, float>(m, 131, 72);
    }
  }
  if constexpr (exhaustively) {
    check<gemm_in<bf16, bf16, bf16, in_tiles(256, 64, 64, true)>, bf16, bf16, bf16>(300, 70, 136);
    check<gemm_in<bf16, bf16, float, in_tiles(136, 64, 64, true)>, bf16, bf16, float>(140, 69, 72);
  }
}
TEST_CASE("8-bit outputs, of tiles of 8 rows and more") {
  const auto check_tiles = []<class Out, int M>() -> void {
    using swapped = gemm_in<bf16, bf16, Out, in_tiles(M, 128, 64, true, 2)>;
    static_assert(verified<swapped> && plan_of<swapped>.epilogue[0].bank_conflicts == 1);
    for (const int m : {1, 7, 37})
      check_same_product<gemm_in<bf16, bf16, Out, in_tiles(64, 64, 64, false)>, swapped, bf16, Out>(m, 133, 72);
  };
  check_tiles.operator()<e4m3, 104>();  // 8 rows of a tile at a time, 13 times
  if constexpr (exhaustively) {
    check_tiles.operator()<e4m3, 8>();
    check_tiles.operator()<e5m2, 16>();
    check_tiles.operator()<s8, 24>();
    check_tiles.operator()<u8, 32>();
  }
  using upright = gemm_in<e4m3, e4m3, e4m3, in_tiles(64, 64, 128, false)>;
  static_assert(plan_of<gemm_in<bf16, bf16, e4m3, persistent>>.epilogue[0].deferred);
  if constexpr (exhaustively) {
    check_same_product<gemm_in<bf16, bf16, e4m3, in_tiles(64, 64, 64, false)>, gemm_in<bf16, bf16, e4m3, persistent>,
                       bf16, e4m3>(100, 700, 200);
    check_same_product<upright, gemm_in<e4m3, e4m3, e4m3, in_cluster({1, 2})>, e4m3, e4m3>(20, 200, 304);
    check_same_product<upright, gemm_in<e4m3, e4m3, e4m3, in_cluster({2, 1})>, e4m3, e4m3>(50, 200, 304);
  }
}
TEST_CASE("persistent: the sums are put out under the next tile's products") {
  if constexpr (exhaustively) check<gemm_in<bf16, bf16, bf16, persistent>, bf16, bf16, bf16>(100, 700, 200);
  if constexpr (exhaustively) check<gemm_in<bf16, bf16, float, persistent>, bf16, bf16, float>(100, 700, 200);
}
TEST_CASE("clusters share what they can") {
  check<gemm_in<bf16, bf16, bf16, in_cluster({2, 2})>, bf16, bf16, bf16>(50, 200, 300);
  if constexpr (exhaustively) {
    check<gemm_in<bf16, bf16, bf16, in_cluster({1, 2})>, bf16, bf16, bf16>(20, 200, 300);
    check<gemm_in<bf16, bf16, bf16, in_cluster({2, 1})>, bf16, bf16, bf16>(50, 200, 300);
  }
}
TEST_CASE("every type") {
  if constexpr (exhaustively)
    check<gemm_in<f16, f16, f16, in_tiles(16, 64, 64, true), gemm_form{}, f16>, f16, f16, f16>(17, 70, 72);
  check<gemm_in<s8, u8, s32, in_tiles(16, 128, 128, true, 2)>, s8, u8, s32>(17, 270, 144);
  if constexpr (exhaustively) {
    check<gemm_in<e4m3, e5m2, float, in_tiles(8, 64, 128, true)>, e4m3, e5m2, float>(17, 70, 144);
    check<gemm_in<f16, f16, f16, in_tiles(16, 64, 64, true)>, f16, f16, f16>(17, 70, 72);
    check<gemm_in<tf32, tf32, float, in_tiles(16, 64, 32, true)>, tf32, tf32, float>(17, 70, 36);
    check<gemm_in<b1x8, b1x8, s32, in_tiles(8, 64, 1024, true)>, b1x8, b1x8, s32>(17, 70, 1152);
  }
}
TEST_CASE("every storage order that 16-bit types have") {
  const auto check_order = []<gemm_form Form>() -> void {
    check<gemm_in<bf16, bf16, bf16, in_tiles(64, 64, 64, true), Form>, bf16, bf16, bf16>(70, 70, 72, Form.a, Form.b);
  };
  if constexpr (exhaustively) {
    check_order.operator()<gemm_form{.a = col_major, .b = col_major}>();
    check_order.operator()<gemm_form{.a = col_major}>();
    check_order.operator()<gemm_form{.b = col_major}>();
  }
}

/// What knows an element's row and column, and a sign that belongs to one factor.
template <bool Swap>
struct triangle {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>());
  static constexpr sectile::configuration how = in_tiles(64, 128, 64, Swap);
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += -sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    mask(
        acc, {m, n}, [](int row, int col) { return col <= 2 * row; }, -1.0f);
    sm.store(C, {m, n}, max(acc * 0.5f, -3.0f) + 1.0f);
  }
};
template <bool Swap>
struct two_products {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), input<"D(M,L)", bf16>(),
                        input<"E(L,N)", bf16>(), output<"C(M,N)", float>());
  static constexpr sectile::configuration how{
      .tile = {{"M", 64}, {"N", 64}, {"K", 64}, {"L", 64}}, .stages = 2, .consumers = 1, .swap = Swap};
  static constexpr void body(auto& sm, auto A, auto B, auto D, auto E, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto sum = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) sum += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    auto gate = sm.accumulator(sm.load(D, {m, 0}) * sm.load(E, {0, n}));
    sm.store(C, {m, n}, sum * map(gate, [](float x) { return x > 0 ? x : 0; }));
  }
};

TEST_CASE("masks, signs and functions; exhaustively several products, and the bits are those without") {
  const int m = 100, n = 200, k = 136;
  host_tensor<bf16> A({m, k}), B({n, k}, row_major, 2), D({m, 64}), E({64, n}, row_major, 8), C({m, n});
  host_tensor<float> F({m, n});
  A.fill(1), B.fill(2), D.fill(3), E.fill(4);
  run_on_schedules<triangle<true>>(2, C, A.in(), B.in(), C.view());
  check_close(C, bf16_close,
              [&](int i, int j) { return std::max((j <= 2 * i ? -dot(A, B, i, j) : -1) * 0.5, -3.0) + 1; });
  if constexpr (exhaustively) {
    run_on_schedules<two_products<true>>(2, F, A.in(), B.in(), D.in(), E.in(), F.view());
    check_close(F, 4 * f32_close, [&](int i, int j) {
      double gate = 0;
      for (int l = 0; l < 64; ++l) gate += D.number(i, l) * E.number(l, j);
      return dot(A, B, i, j) * std::max(gate, 0.0);
    });
    check_same_bits<triangle<false>, triangle<true>, bf16>(m, n, A, B);
    check_same_bits<two_products<false>, two_products<true>, float>(m, n, A, B, D, E);
  }
}

TEST_CASE("the SIMT reading swaps as well") {
  using kernel = gemm_in<bf16, bf16, float, in_tiles(16, 64, 64, true)>;
  static_assert(portable::can_read<kernel, portable::simt> && !portable::can_read<kernel, portable::wmma<16, 16>>);
  typed_matrix<bf16> A(21, 72), B(70, 72);
  typed_matrix<float> C(21, 70);
  A.fill(contents::whole_numbers, 1), B.fill(contents::whole_numbers, 2);
  run_portable_on_model<kernel, portable::simt>(A.in(), B.in(), C.out());
  require_exact(C, A, B);
}

/// A family that swaps where there are few rows.
struct family : gemm<bf16, bf16, bf16> {
  static constexpr auto how = configurations(in_tiles(128, 128, 64, false, 2), in_tiles(16, 128, 64, true, 2));
};
static_assert(verified<family> && first_upright_member<family>() == 0);
struct swapped_first : family {
  static constexpr auto how = configurations(in_tiles(16, 128, 64, true, 2), in_tiles(128, 128, 64, false, 2));
};
static_assert(first_upright_member<swapped_first>() == 1);
TEST_CASE("a family may have members that swap: one order of sums") {
  const problem_size few{{"M", 5}, {"N", 4096}, {"K", 4096}}, many{{"M", 4096}, {"N", 4096}, {"K", 4096}};
  CHECK(choice<family>(few).member == 1);
  CHECK(choice<family>(many).member == 0);
}

}  // namespace
