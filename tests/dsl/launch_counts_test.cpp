// What a launch says of vectors with an element more or less than there are tiles, of numbers and batches that are not
// there, and of an output that is an input: at both sides of each limit.
#include <doctest/doctest.h>

#include <sectile/dsl/launch/model.hpp>
#include <string>
#include <vector>

namespace {

using namespace sectile;

/// C = A B^T: numbers of rows for each tile of K, and of the tile of columns that Shift names.
template <int Shift>
struct with_numbers {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), vector_input<"S(KB,M)", float>(),
                        vector_input<"G(T,M)", float>(), output<"C(M,N)", bf16>());
  static constexpr configuration how{.tile = {{"M", 64}, {"N", 64}, {"K", 64}}, .stages = 3, .consumers = 1};
  static constexpr void body(auto& sm, auto A, auto B, auto S, auto G, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto sum = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      const auto part = sm.accumulator(sm.load(A, {m, k}) * transpose(sm.load(B, {n, k})));
      sum += part * sm.load(S, {as<"KB">(k), m});
    }
    sm.store(C, {m, n}, sum + sm.load(G, {as<"T">(n) / 2 + Shift, m}));
  }
};
/// Of 128 columns and 192 of K, which are two tiles and three.
template <int Shift>
std::string refusal(int scales, int numbers, bool in_place = false) {
  std::vector<bf16> a(64 * 192), b(128 * 192), c(64 * 192);
  std::vector<float> s(8 * 64), g(8 * 64);
  try {
    run_on_model_with<with_numbers<Shift>>({.workers = 1}, matrix(a.data(), 64, 192), matrix(b.data(), 128, 192),
                                           tensor(s.data(), scales, 64), tensor(g.data(), numbers, 64),
                                           matrix(in_place ? a.data() : c.data(), 64, 128));
  } catch (const launch_error& e) {
    return e.what();
  }
  return "";
}
TEST_CASE("as many numbers as there are tiles, no more and no fewer") {
  CHECK(refusal<0>(3, 1) == "");
  for (const int others : {2, 4})
    CHECK(refusal<0>(others, 1) ==
          "operand S: KB = " + std::to_string(others) + " counts tiles along K, but K = 192 takes 3 tiles of 64");
}
TEST_CASE("numbers in front of the first one, and behind the last") {
  CHECK(refusal<0>(3, 1) == "");
  CHECK(refusal<2>(3, 3) == "");
  CHECK(refusal<2>(3, 1).find("number 2 along T is loaded, of 1, which are counted from 0") != std::string::npos);
  CHECK(refusal<2>(3, 2).find("number 2 along T is loaded, of 2, which are counted from 0") != std::string::npos);
  CHECK(refusal<-1>(3, 1).find("number -1 along T is loaded, which are counted from 0") != std::string::npos);
}
TEST_CASE("memory that several tiles load is no output's") {
  CHECK(refusal<0>(3, 1, true).find("operand C: its elements") == 0);
}

/// Row m of tiles, or the one that is as far from the last.
template <bool Elsewhere>
constexpr auto row_of(auto all, auto m) {
  if constexpr (Elsewhere)
    return all - 1 - m;
  else
    return m;
}
/// Sums over batches from the second one on, of which there may be none; what is stored may be an input whose tile it
/// is, and not one that is loaded elsewhere.
template <bool Elsewhere>
struct sum_of_batches {
  static constexpr auto operands =
      sectile::operands(input<"A(T,M,N)", float>(), input<"R(M,N)", float>(), output<"C(M,N)", float>());
  static constexpr configuration how{.tile = {{"M", 64}, {"N", 64}}, .stages = 3, .consumers = 1};
  static constexpr void body(auto& sm, auto A, auto R, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto sum = in_registers(sm.load(A, {0, m, n})) + 0.0f;
    for (auto t : sm.pipelined(tiles<"T">(A) - 1)) sum += in_registers(sm.load(A, {t + 1, m, n}));
    sm.store(C, {m, n}, sum + in_registers(sm.load(R, {row_of<Elsewhere>(tiles<"M">(C), m), n})));
  }
};
template <bool Elsewhere>
std::string refused_sum(int batches, bool in_place, int rows_on = 0) {
  std::vector<float> a(3 * 128 * 64), r(130 * 64), c(128 * 64);
  try {
    run_on_model_with<sum_of_batches<Elsewhere>>({.workers = 1}, tensor(a.data(), batches, 128, 64),
                                                 matrix(r.data(), 128, 64),
                                                 matrix(in_place ? r.data() + 64 * rows_on : c.data(), 128, 64));
  } catch (const launch_error& e) {
    return e.what();
  }
  return "";
}
TEST_CASE("a loop without a trip loads no batch") {
  for (const int batches : {1, 2, 3}) CHECK(refused_sum<false>(batches, false) == "");
}
TEST_CASE("an output is an input whose tile it stores, and no other") {
  CHECK(refused_sum<false>(2, true) == "");
  CHECK(refused_sum<true>(2, false) == "");
  CHECK(refused_sum<false>(2, true, 1).find("operand C: its elements") == 0);  // a row behind it
  CHECK(refused_sum<true>(2, true).find("operand C: its elements") == 0);
}

}  // namespace
