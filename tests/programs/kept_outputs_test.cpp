// Kernels that store several matrices: each is what float64 says, whatever hangs over the edges, and exhaustively has
// the bits that a kernel leaves which stores it alone.
#include <sectile/dsl/launch/portable_model.hpp>
#include <sectile/kernels/linear_outputs.hpp>

#include "tests/programs/kept_outputs.hpp"
#include "tests/programs/kit.hpp"

namespace {

using namespace sectile;
using namespace sectile::test;

/// Half a unit in the last place of a T, and the sum's own error.
template <class T>
inline constexpr double close_for = f32_close;
template <>
inline constexpr double close_for<bf16> = bf16_close;
template <>
inline constexpr double close_for<f16> = 0x1p-11;
template <>
inline constexpr double close_for<e4m3> = 0x1p-4;

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}
template <class T>
bool same_bits(const host_tensor<T>& x, const host_tensor<T>& y) {
  return same_bits(x.elements(), y.elements());
}

/// On the fair schedule and a random one. Bits hang on no configuration but that of consumers that take turns, so
/// the kernels that store one matrix alone are compiled in one for all.
template <class First, class Second, configuration How>
void check_kept(int m, int n, int k) {
  constexpr configuration of_one = How.pingpong ? How : upright;
  CAPTURE(m);
  CAPTURE(n);
  using both = kept_sums<First, Second, How>;
  static_assert(verified<both>);
  host_tensor<bf16> A({m, k}), B({n, k});
  host_tensor<float> bias({1, n});
  host_tensor<First> Z({m, n}), Z_alone({m, n});
  host_tensor<Second> C({m, n}, row_major, 1), C_alone({m, n});
  A.fill(1), B.fill(2), bias.fill(3);
  const auto b = tensor(bias.in().data, n);
  if constexpr (exhaustively) {
    run_on_model<sums_alone<First, false, of_one>>(A.in(), B.in(), b, Z_alone.view());
    run_on_model<sums_alone<Second, true, of_one>>(A.in(), B.in(), b, C_alone.view());
  }
  std::vector<First> z_first;
  std::vector<Second> c_first;
  for (const int seed : {0, 1}) {
    CAPTURE(seed);
    Z.poison(), C.poison();
    const auto schedule = seed > 0 ? schedule_mode::random : schedule_mode::fair;
    run_on_model_with<both>({.schedule = schedule, .seed = static_cast<std::uint64_t>(seed), .workers = 2}, A.in(),
                            B.in(), b, Z.view(), C.view());
    CHECK(Z.touched() + C.touched() == 0);
    if constexpr (exhaustively) {
      CHECK(same_bits(Z, Z_alone));
      CHECK(same_bits(C, C_alone));
    }
    if (seed == 0) z_first = Z.elements(), c_first = C.elements();
    CHECK(same_bits(Z.elements(), z_first));
    CHECK(same_bits(C.elements(), c_first));
  }
  const auto sum = [&](int i, int j) { return dot(A, B, i, j) + bias.number(0, j); };
  check_close(Z, close_for<First>, sum);
  check_close(C, close_for<Second>, [&](int i, int j) { return 2 * std::abs(sum(i, j)); });
}
template <class First, class Second, configuration How>
void check_kept() {
  for (const auto& [m, n, k] : {std::array{200, 139, 130}, {1, 1, 1}}) check_kept<First, Second, How>(m, n, k);
}

/// What a launch says that is refused.
std::string refusal_of(auto run) {
  try {
    run();
  } catch (const launch_error& why) {
    return why.what();
  }
  return "";
}

}  // namespace

TEST_CASE("two outputs: upright") {
  if constexpr (exhaustively) check_kept<bf16, bf16, upright>();
}
TEST_CASE("two outputs: f32 and 16 bits, two blocks of rows in a warpgroup") {
  if constexpr (exhaustively) check_kept<float, f16, tall>();
}
TEST_CASE("two outputs: a persistent cluster") {
  if constexpr (exhaustively) check_kept<bf16, float, of_clusters>();
}
TEST_CASE("two outputs: a persistent cluster with one buffer for each") {
  static_assert(plan_of<kept_sums<bf16, bf16, of_few_buffers>>.epilogue[1].buffers == 1);
  check_kept<bf16, bf16, of_few_buffers>(300, 260, 130);
}
TEST_CASE("two outputs: clusters of two columns") {
  if constexpr (exhaustively) check_kept<f16, bf16, of_wide_clusters>();
}
TEST_CASE("two outputs: consumers that take turns") {
  if constexpr (exhaustively) check_kept<bf16, f16, of_turns>();
}
TEST_CASE("two outputs: swapped") {
  if constexpr (exhaustively) check_kept<bf16, float, swapped>();
}
TEST_CASE("two outputs: 8 bits, and what they were rounded from") {
  if constexpr (exhaustively) check_kept<bf16, e4m3, upright>();
}
TEST_CASE("two outputs: 8 bits, swapped, and what they were rounded from") { check_kept<bf16, e4m3, swapped>(); }

TEST_CASE("two outputs: of several the epilogue is not deferred, of one it is") {
  constexpr const plan& p = plan_of<kept_sums<bf16, bf16, of_clusters>>;
  static_assert(p.epilogues == 2 && !p.epilogue[0].deferred && !p.epilogue[1].deferred);
  static_assert(plan_of<sums_alone<bf16, false, of_clusters>>.epilogue[0].deferred);
  CHECK(p.operand[p.work].facts.name == std::string("Z"));
  CHECK(p.epilogue[1].offset >=
        p.epilogue[0].offset + p.how.consumers * p.epilogue[0].buffers * p.epilogue[0].panel_bytes);
}

TEST_CASE("two outputs: without tensor cores") {
  constexpr int m = 80, n = 139, k = 70;
  host_tensor<bf16> A({m, k}), B({n, k}), Z({m, n}), Z_alone({m, n});
  host_tensor<float> bias({1, n}), C({m, n}), C_alone({m, n});
  A.fill(1), B.fill(2), bias.fill(3);
  const auto b = tensor(bias.in().data, n);
  const auto check = [&]<configuration How>() -> void {
    Z.poison(), C.poison();
    run_portable_on_model<kept_sums<bf16, float, How>, portable::simt>(A.in(), B.in(), b, Z.view(), C.view());
    CHECK(Z.touched() + C.touched() == 0);
    if constexpr (exhaustively) {
      run_portable_on_model<sums_alone<bf16, false, How>, portable::simt>(A.in(), B.in(), b, Z_alone.view());
      run_portable_on_model<sums_alone<float, true, How>, portable::simt>(A.in(), B.in(), b, C_alone.view());
      CHECK(same_bits(Z, Z_alone));
      CHECK(same_bits(C, C_alone));
    }
    const auto sum = [&](int i, int j) { return dot(A, B, i, j) + bias.number(0, j); };
    check_close(Z, bf16_close, sum);
    check_close(C, f32_close, [&](int i, int j) { return 2 * std::abs(sum(i, j)); });
  };
  if constexpr (exhaustively) check.operator()<tall>();
  if constexpr (exhaustively) check.operator()<swapped>();
}
TEST_CASE("two outputs: by nvcuda::wmma") {
  constexpr int m = 80, n = 139, k = 70;
  host_tensor<bf16> A({m, k}), B({n, k}), C({m, n});
  host_tensor<float> D({m, n});
  A.fill(1), B.fill(2);
  run_portable_on_model<twofold<upright>, portable::wmma<16, 16>>(A.in(), B.in(), C.view(), D.view());
  CHECK(C.touched() + D.touched() == 0);
  check_close(C, bf16_close, [&](int i, int j) { return dot(A, B, i, j); });
  check_close(D, f32_close, [&](int i, int j) { return 2 * dot(A, B, i, j); });
}

TEST_CASE("four outputs of each matrix of a batch, one of them in the place of an input") {
  constexpr int batches = 2, m = 140, n = 72, k = 70;
  using kernel = four_of_a_batch<of_batches>;
  static_assert(plan_of<kernel>.epilogues == 4 && plan_of<kernel>.epilogue[0].operand == 6 &&
                plan_of<kernel>.operand[2].in_place && !plan_of<kernel>.operand[0].in_place);
  host_tensor<bf16> A({batches, m, k}), B({n, k}), brief({batches, m, n});
  host_tensor<f16> R({batches, m, n}), half({batches, m, n}), in_place({batches, m, n});
  host_tensor<e4m3> small({batches, m, n});
  host_tensor<float> full({batches, m, n});
  A.fill(1), B.fill(2), R.fill(3), in_place.fill(3);
  const auto sum = [&](int g, int i, int j) {
    double x = R.number(g, i, j);
    for (int d = 0; d < k; ++d) x += A.number(g, i, d) * B.number(j, d);
    return x;
  };
  const auto check = [&](const host_tensor<f16>& halves) {
    CHECK(halves.touched() + brief.touched() + small.touched() + full.touched() == 0);
    check_close(full, f32_close, sum);
    check_close(halves, close_for<f16>, [&](int g, int i, int j) { return sum(g, i, j) / 2; });
    check_close(small, close_for<e4m3>, [&](int g, int i, int j) { return sum(g, i, j) / 4; });
    check_close(brief, bf16_close, [&](int g, int i, int j) { return -sum(g, i, j); });
  };
  run_on_model<kernel>(A.in(), B.in(), R.in(), half.view(), brief.view(), small.view(), full.view());
  check(half);
  brief.poison(), small.poison(), full.poison();
  run_on_model<kernel>(A.in(), B.in(), in_place.in(), in_place.view(), brief.view(), small.view(), full.view());
  check(in_place);
  CHECK(same_bits(half, in_place));
}

/// gelu, and what it was applied to.
template <class Kernel>
void check_gelu_aux() {
  constexpr int m = 70, n = 136, k = 96;
  host_tensor<bf16> A({m, k}), W({n, k}), bias({1, n}), Z({m, n}), C({m, n});
  A.fill(1), W.fill(2), bias.fill(3);
  run_on_model<Kernel>(A.in(), W.in(), tensor(bias.in().data, n), Z.view(), C.view());
  CHECK(Z.touched() + C.touched() == 0);
  const auto z = [&](int i, int j) { return dot(A, W, i, j) + bias.number(0, j); };
  check_close(Z, bf16_close, z);
  check_close(C, bf16_close, [&](int i, int j) { return z(i, j) * 0.5 * std::erfc(-z(i, j) / std::sqrt(2.0)); });
}
TEST_CASE("gelu, and what it was applied to") {
  if constexpr (exhaustively) check_gelu_aux<kernels::linear_gelu_aux<bf16>>();
}

TEST_CASE("a launch refuses outputs that meet, or that are not of one size") {
  constexpr int m = 128, n = 64, k = 64;
  using kernel = kept_sums<bf16, bf16, of_few_buffers>;
  host_tensor<bf16> A({m, k}), B({n, k}), Z({2 * m, n}), C({m, n});
  host_tensor<float> bias({1, n});
  A.fill(1), B.fill(2), bias.fill(3);
  const auto b = tensor(bias.in().data, n);
  bf16* const z = Z.view().data;
  const auto launch = [&](const tensor_view<bf16>& first, const tensor_view<bf16>& second) {
    return refusal_of([&] { run_on_model<kernel>(A.in(), B.in(), b, first, second); });
  };
  CHECK(launch(matrix(z, m, n), matrix(z + m * n, m, n)) == "");
  const std::string meet = launch(matrix(z, m, n), matrix(z + m * n - 8, m, n));
  CHECK(meet.find("operand C: its elements (") == 0);
  CHECK(meet.find("share memory; each output needs memory of its own") != std::string::npos);
  CHECK(launch(matrix(z, m, n), matrix(z, m, n)).find("share memory") != std::string::npos);
  CHECK(launch(matrix(z, m, n), C.view()) == "");
  // Rows that touch: those of one row, which a thread stores one behind the other.
  for (int distance : {n, 2 * n}) {
    Z.poison();
    run_on_model<kernel>(matrix(A.in().data, 1, k), B.in(), b, matrix(z, 1, n, distance),
                         matrix(z + n, 1, n, distance));
    for (int j = 0; j < n; ++j) CHECK(Z.number(1, j) == doctest::Approx(2 * std::abs(Z.number(0, j))).epsilon(0.01));
  }
  CHECK(launch(matrix(z, 2 * m, n), C.view()) == "operand Z: M = 256, but operand A has M = 128");
  CHECK(launch(matrix(z, m, n), tensor_view<bf16>{C.view().data, 2, {m, n - 1}, {n, 1}}) ==
        "operand C: N = 63, but operand B has N = 64");
  CHECK(refusal_of([&] {
          run_on_model<kernel>(A.in(), B.in(), b, C.view(), tensor_view<bf16>{nullptr, 2, {m, n}, {n, 1}});
        }).find("operand C: the pointer is null") == 0);
  CHECK(refusal_of([&] {
          run_on_model<kernel>(A.in(), B.in(), b, Z.view(), matrix(const_cast<bf16*>(A.in().data), m, n));
        }) != "");
}
