// Vectors with an element for each block of a mode, of which tiles need not be multiples: along columns and rows, with
// elements that are neighbours in memory and that lie apart, in memory and with tiles; against float64.
#include <sectile/dsl/launch/portable_model.hpp>

#include "tests/programs/kit.hpp"

namespace {

using namespace sectile;
using namespace sectile::test;

/// Where the scales of a program are: how it declares those of A and of B, and along which modes.
struct in_squares {  // those of B go with blocks of its rows; a tile of K has one
  static constexpr name_literal of_a = "SA(KB,M)", of_b = "SB(N/48,KB)";
  static constexpr int block_of_a = 1, block_of_b = 48, tiles_of_k = 1;
  static constexpr std::bool_constant<true> k_first_a{};
  static constexpr std::bool_constant<false> k_first_b{};
};
struct in_a_line {  // neighbours in memory, of which some meet four columns of a tile
  static constexpr name_literal of_a = "SA(KB,M)", of_b = "SB(KB,N/20)";
  static constexpr int block_of_a = 1, block_of_b = 20, tiles_of_k = 1;
  static constexpr std::bool_constant<true> k_first_a{};
  static constexpr std::bool_constant<true> k_first_b{};
};
struct in_two_trips {  // two tiles of K have one number of each, also of a block of rows
  static constexpr name_literal of_a = "SA(M/40,K/128)", of_b = "SB(K/128,N)";
  static constexpr int block_of_a = 40, block_of_b = 1, tiles_of_k = 2;
  static constexpr std::bool_constant<false> k_first_a{};
  static constexpr std::bool_constant<true> k_first_b{};
};
struct in_large_blocks {  // larger than a tile
  static constexpr name_literal of_a = "SA(K/128,M/96)", of_b = "SB(N/144,K/128)";
  static constexpr int block_of_a = 96, block_of_b = 144, tiles_of_k = 2;
  static constexpr std::bool_constant<true> k_first_a{};
  static constexpr std::bool_constant<false> k_first_b{};
};

enum class use : std::uint8_t { spread, in_registers };
template <class How, class Scale, vector_path Path, use Use, bool Swap = false>
struct scaled {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), vector_input<How::of_a, Scale>(Path),
                        vector_input<How::of_b, Scale>(Path), output<"C(M,N)", float>());
  static constexpr configuration how{.tile = How::tiles_of_k == 1
                                                 ? tile_extents{{"M", 64}, {"N", 64}, {"K", 64}, {"KB", 1}}
                                                 : tile_extents{{"M", 64}, {"N", 64}, {"K", 64}},
                                     .stages = 3,
                                     .consumers = 1,
                                     .swap = Swap};
  static constexpr void body(auto& sm, auto A, auto B, auto SA, auto SB, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto sum = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      const auto at = [&](auto row_or_column, auto of, auto k_first) {
        const auto block = [&] {
          if constexpr (How::tiles_of_k == 1)
            return as<"KB">(k);
          else
            return k;
        }();
        if constexpr (k_first)
          return sm.load(of, {block, row_or_column});
        else
          return sm.load(of, {row_or_column, block});
      };
      auto part = sm.accumulator(sm.load(A, {m, k}) * transpose(sm.load(B, {n, k})));
      if constexpr (Use == use::spread)
        sum += part * at(m, SA, How::k_first_a) * at(n, SB, How::k_first_b);
      else
        sum = fma(part, in_registers(at(m, SA, How::k_first_a)) * in_registers(at(n, SB, How::k_first_b)), sum);
    }
    sm.store(C, {m, n}, sum);
  }
};

template <class K, class How>
void check(int m, int n, int k) {
  CAPTURE(m);
  CAPTURE(n);
  CAPTURE(k);
  static_assert(verified<K>);
  using scale = typename operand_at<K, 2>::element_type;
  const auto blocks = [](int size, int of) { return (size + of - 1) / of; };
  const int along_k = blocks(k, 64 * How::tiles_of_k), along_m = blocks(m, How::block_of_a),
            along_n = blocks(n, How::block_of_b);
  constexpr bool k_first_a = How::k_first_a, k_first_b = How::k_first_b;
  host_tensor<bf16> A({m, k}), B({n, k});
  host_tensor<scale> SA({k_first_a ? along_k : along_m, k_first_a ? along_m : along_k}, row_major, 1),
      SB({k_first_b ? along_k : along_n, k_first_b ? along_n : along_k}, row_major, 1);
  host_tensor<float> C({m, n});
  A.fill(1), B.fill(2), SA.fill(3), SB.fill(4);
  const auto close = [&] {
    check_close(C, 0x1p-14, [&](int i, int j) {
      double sum = 0;
      for (int l = 0; l < k; ++l) {
        const int b = l / (64 * How::tiles_of_k), row = i / How::block_of_a, col = j / How::block_of_b;
        sum += A.number(i, l) * B.number(j, l) * (k_first_a ? SA.number(b, row) : SA.number(row, b)) *
               (k_first_b ? SB.number(b, col) : SB.number(col, b));
      }
      return sum;
    });
  };
  run_on_schedules<K>(1, C, A.in(), B.in(), SA.in(), SB.in(), C.view());
  close();
  C.fill(5);
  run_portable_on_model<K, portable::simt>(A.in(), B.in(), SA.in(), SB.in(), C.view());
  close();
}

TEST_CASE("squares that tiles do not divide, with tiles and from memory, spread and in registers") {
  check<scaled<in_squares, float, with_tiles, use::in_registers>, in_squares>(100, 331, 200);
  check<scaled<in_squares, bf16, with_tiles, use::spread>, in_squares>(64, 197, 136);
  check<scaled<in_squares, float, from_memory, use::spread>, in_squares>(70, 203, 72);
}
TEST_CASE("neighbours in memory, of which a thread's columns meet several") {
  check<scaled<in_a_line, float, with_tiles, use::in_registers>, in_a_line>(65, 211, 136);
  check<scaled<in_a_line, u8, with_tiles, use::spread>, in_a_line>(64, 139, 64);
  check<scaled<in_a_line, float, from_memory, use::in_registers>, in_a_line>(33, 67, 72);
}
TEST_CASE("blocks of rows, and of K that are two tiles") {
  check<scaled<in_two_trips, float, with_tiles, use::in_registers>, in_two_trips>(190, 72, 328);
  check<scaled<in_two_trips, float, from_memory, use::spread>, in_two_trips>(101, 130, 264);
}
TEST_CASE("blocks that are larger than tiles") {
  check<scaled<in_large_blocks, float, with_tiles, use::in_registers>, in_large_blocks>(203, 301, 200);
  check<scaled<in_large_blocks, bf16, from_memory, use::spread>, in_large_blocks>(130, 150, 392);
}
TEST_CASE("the same where products are turned around") {
  check<scaled<in_squares, float, with_tiles, use::in_registers, true>, in_squares>(72, 203, 136);
  check<scaled<in_two_trips, float, with_tiles, use::spread, true>, in_two_trips>(101, 130, 264);
}

}  // namespace
