// Weights of 8 or 4 bits whose columns are shuffled: the same bits as with weights as they were, without an exchange.
#include <sectile/dsl/launch/portable_model.hpp>
#include <sectile/dsl/launch/shuffle.hpp>
#include <sectile/kernels/linear.hpp>

#include <cstring>

#include "tests/programs/kit.hpp"
#include "tests/programs/weights_by_groups.hpp"

namespace {

using namespace sectile;
using namespace sectile::test;

constexpr configuration in_tiles(int n, int m, int k, int consumers, int stages = 3) {
  return {.tile = {{"N", n}, {"M", m}, {"K", k}}, .stages = stages, .consumers = consumers};
}

/// The shipped layer in one configuration and with C in f32.
template <class Weight, class T, configuration How>
struct layer : kernels::quantized_linear<Weight, T> {
  static constexpr auto operands = sectile::operands(input<"W(N,K)", Weight>(), input<"A(M,K)", T>(),
                                                     input<"scale(N)", float>(), output<"C(N,M)", float>());
  static constexpr configuration how = How;
};

template <class Weight>
std::vector<Weight> any_weights(int count, bool numbers_only) {
  std::vector<Weight> all(static_cast<std::size_t>(count));
  unsigned seed = 7;
  for (Weight& x : all) {
    seed = seed * 1664525u + 1013904223u;
    auto byte = static_cast<std::uint8_t>(seed >> 24);
    if (numbers_only && (byte & 0x7C) == 0x7C) byte ^= 0x40;  // no NaN, no infinity
    std::memcpy(&x, &byte, 1);
  }
  return all;
}

template <class Weight, class T, configuration How>
void check_same_bits(int n, int m, int k) {
  using as_it_was = layer<Weight, T, How>;
  using in_order = layer<shuffled<Weight>, T, How>;
  static_assert(verified<as_it_was> && verified<in_order>);
  constexpr element e = element_of<Weight>();
  const auto weights = any_weights<Weight>(n * k * e.bits / 8, e.kind == number::floating);
  const auto own = shuffle(weights.data(), n, k, k);
  host_tensor<T> A({m, k});
  host_tensor<float> scale({n}), expected({n, m}), C({n, m});
  A.fill(2), scale.fill(3);
  run_on_model<as_it_was>(matrix(weights.data(), n, k), A.in(), scale.in(), expected.view());
  run_on_schedules<in_order>(1, C, matrix(own.data(), n, k), A.in(), scale.in(), C.view());
  const auto same = C.elements(), wanted = expected.elements();
  CHECK(std::memcmp(same.data(), wanted.data(), same.size() * sizeof(float)) == 0);
}

TEST_CASE("shuffled weights give the bits of weights as they were") {
  check_same_bits<s4x2, bf16, in_tiles(128, 32, 128, 2)>(133, 21, 320);
  check_same_bits<s8, bf16, in_tiles(64, 16, 64, 1)>(70, 9, 160);
  check_same_bits<e4m3, f16, in_tiles(64, 16, 64, 1)>(70, 9, 160);
  if constexpr (exhaustively) {
    check_same_bits<u4x2, f16, in_tiles(64, 16, 256, 1)>(64, 5, 448);
    check_same_bits<s4x2, f16, in_tiles(64, 16, 64, 1, 2)>(64, 5, 128);
    check_same_bits<u8, f16, in_tiles(128, 16, 128, 2)>(128, 17, 96);
    check_same_bits<u8, bf16, in_tiles(64, 16, 32, 1)>(64, 17, 96);
    check_same_bits<e4m3, bf16, in_tiles(64, 16, 64, 1)>(64, 16, 64);
    check_same_bits<e5m2, bf16, in_tiles(64, 16, 64, 1)>(64, 16, 64);
  }
}

TEST_CASE("shuffled weights as numbers, with scales and zero points of groups of K") {
  static_assert(verified<by_groups<shuffled<u4x2>>>);
  const int n = 70, m = 37, k = 256, groups = k / 64;
  const auto weights = any_weights<u4x2>(n * k / 2, false);
  const auto own = shuffle(weights.data(), n, k, k);
  host_tensor<bf16> A({m, k}), scale({groups, n}), zero({groups, n});
  host_tensor<float> expected({n, m}), C({n, m});
  A.fill(2), scale.fill(3), zero.fill(4);
  run_on_model<by_groups<u4x2>>(matrix(weights.data(), n, k), A.in(), scale.in(), zero.in(), expected.view());
  run_on_schedules<by_groups<shuffled<u4x2>>>(1, C, matrix(own.data(), n, k), A.in(), scale.in(), zero.in(), C.view());
  check_close(C, 0, [&](int i, int j) { return expected.number(i, j); });
}

TEST_CASE("rows that are no whole groups are refused") {
  using kernel = layer<shuffled<s4x2>, bf16, in_tiles(64, 16, 64, 1)>;
  const std::vector<shuffled<s4x2>> weights(64 * 48);
  host_tensor<bf16> A({16, 96});
  host_tensor<float> scale({64}), C({64, 16});
  CHECK_THROWS_WITH_AS(
      run_on_model<kernel>(matrix(weights.data(), 64, 96), A.in(), scale.in(), C.view()),
      doctest::Contains("K = 96 elements of shuffled s4, of which 64 neighbours are shuffled among each "
                        "other; pad it to 128 with zeros"),
      launch_error);
  const std::vector<s4x2> plain(64 * 48);
  CHECK_THROWS_WITH_AS(shuffle(plain.data(), 64, 96, 96),
                       doctest::Contains("96 columns of s4: 64 are shuffled among each other; pad to 128"),
                       launch_error);
  CHECK_THROWS_WITH_AS(shuffle(plain.data(), 64, 64, 32), doctest::Contains("rows are 32 elements apart"),
                       launch_error);
}

}  // namespace
