// Elements of 4 bits: weights that become as wide as the activations in registers, with scales for each row or for
// groups of K, and elements that become numbers.
#include <sectile/dsl/launch/portable_model.hpp>
#include <sectile/kernels/linear.hpp>

#include "tests/programs/kit.hpp"
#include "tests/programs/weights_by_groups.hpp"

namespace {

using namespace sectile;
using namespace sectile::test;

/// A matrix of 4-bit elements, rows padded to 16 bytes, whose other bytes are never 0.
template <class T>
struct halves {
  int rows, cols, pitch;  // bytes
  std::vector<T> at;
  halves(int m, int n, unsigned seed) : rows(m), cols(n), pitch((n + 31) / 32 * 16) {
    at.resize(static_cast<std::size_t>(rows * pitch), T{0x77});
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < cols; ++j) {
        seed = seed * 1664525u + 1013904223u;
        std::uint8_t& byte = at[static_cast<std::size_t>(i * pitch + j / 2)].bits;
        byte = static_cast<std::uint8_t>((byte & (j % 2 ? 0x0F : 0xF0)) | (seed >> 28) << 4 * (j % 2));
      }
  }
  int operator()(int i, int j) const {
    const int code = at[static_cast<std::size_t>(i * pitch + j / 2)].bits >> 4 * (j % 2) & 0xF;
    return std::is_same_v<T, s4x2> && code >= 8 ? code - 16 : code;
  }
  auto in() const { return matrix(at.data(), rows, cols, 2 * pitch); }
};

constexpr configuration in_tiles(int n, int m, int k, int consumers) {
  return {.tile = {{"N", n}, {"M", m}, {"K", k}}, .stages = 2, .consumers = consumers};
}

/// The shipped layer, which says C = W A^T with a scale for each row, in one configuration and with C in f32.
template <class Weight, class T, configuration How, storage_order Order = row_major>
struct weights_of_4_bits : kernels::quantized_linear<Weight, T, Order> {
  static constexpr auto operands = sectile::operands(input<"W(N,K)", Weight>(), input<"A(M,K)", T>(),
                                                     input<"scale(N)", float>(), output<"C(N,M)", float>(Order));
  static constexpr configuration how = How;
};

template <class Weight, class T, configuration How, storage_order Order = row_major>
void check_weights(int n, int m, int k) {
  using kernel = weights_of_4_bits<Weight, T, How, Order>;
  static_assert(verified<kernel>);
  const halves<Weight> W(n, k, 1);
  host_tensor<T> A({m, k});
  host_tensor<float> scale({n}), C({n, m}, Order);
  A.fill(2), scale.fill(3);
  run_on_schedules<kernel>(1, C, W.in(), A.in(), scale.in(), C.view());
  check_close(C, f32_close, [&](int i, int j) {
    double sum = 0;
    for (int l = 0; l < k; ++l) sum += W(i, l) * A.number(j, l);
    return sum * scale.number(i);
  });
}

TEST_CASE("weights of 4 bits times activations of 16") {
  check_weights<s4x2, f16, in_tiles(128, 64, 128, 2)>(133, 70, 346);
  if constexpr (exhaustively) {
    check_weights<s4x2, bf16, in_tiles(64, 64, 64, 1)>(64, 64, 64);
    check_weights<u4x2, bf16, in_tiles(64, 32, 64, 1)>(70, 37, 200);  // otherwise with scales of groups, below
    check_weights<u4x2, f16, in_tiles(64, 16, 256, 1), col_major>(1, 5, 98);
  }
}

static_assert(verified<by_groups<u4x2>>);
TEST_CASE("scales and zero points of groups of K") {
  const int n = 70, m = 37, k = 300, groups = (k + 63) / 64;
  const halves<u4x2> W(n, k, 5);
  host_tensor<bf16> A({m, k}), scale({groups, n}), zero({groups, n});
  host_tensor<float> C({n, m});
  A.fill(2), scale.fill(3), zero.fill(4);
  run_on_schedules<by_groups<u4x2>>(1, C, W.in(), A.in(), scale.in(), zero.in(), C.view());
  check_close(C, f32_close, [&](int i, int j) {
    double sum = 0;
    for (int l = 0; l < k; ++l) {
      const float w = static_cast<float>(W(i, l)) - static_cast<float>(zero.number(l / 64, i));
      sum += static_cast<double>(static_cast<float>(bf16(w * static_cast<float>(scale.number(l / 64, i))))) *
             A.number(j, l);
    }
    return sum;
  });
}

/// Y = X as numbers, times 2.
template <class T>
struct numbers_of_4_bits {
  static constexpr auto operands = sectile::operands(input<"X(M,N)", T>(), output<"Y(M,N)", float>());
  static constexpr configuration how{.tile = {{"M", 64}, {"N", 64}}, .stages = 2, .consumers = 1};
  static constexpr void body(auto& sm, auto X, auto Y) {
    auto [m, n] = sm.tile_of(Y);
    sm.store(Y, {m, n}, cast<float>(in_registers(sm.load(X, {m, n}))) * 2.0f);
  }
};
static_assert(verified<numbers_of_4_bits<s4x2>> && verified<numbers_of_4_bits<u4x2>>);
static_assert(!portable::can_read<numbers_of_4_bits<s4x2>, portable::simt>);

template <class T>
void check_numbers(int m, int n) {
  const halves<T> X(m, n, 7);
  host_tensor<float> Y({m, n});
  run_on_schedules<numbers_of_4_bits<T>>(1, Y, X.in(), Y.view());
  check_close(Y, 0, [&](int i, int j) { return 2.0 * X(i, j); });
}
TEST_CASE("elements of 4 bits as numbers") {
  check_numbers<s4x2>(70, 130);
  if constexpr (exhaustively) check_numbers<u4x2>(64, 64);
}

TEST_CASE("half a byte is refused") {
  const halves<s4x2> X(64, 64, 1);
  host_tensor<float> Y({64, 63});
  CHECK_THROWS_WITH_AS(
      run_on_model<numbers_of_4_bits<s4x2>>(matrix(X.at.data(), 64, 63, 2 * X.pitch), Y.view()),
      doctest::Contains("N = 63 elements of s4 do not fill whole bytes; pad it to 64 with zeros"), launch_error);
}

}  // namespace
