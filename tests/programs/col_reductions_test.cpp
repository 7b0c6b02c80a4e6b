// Columns reduced by functions of a program and by those of the language: over all warps of a CTA, in one order.
#include <sectile/dsl/launch/checked.hpp>
#include <sectile/dsl/launch/portable_model.hpp>
#include <sectile/layouts/banks.hpp>

#include "tests/programs/kit.hpp"
#include "tests/programs/reduced_columns.hpp"

namespace {

using namespace sectile;
using namespace sectile::test;

/// f of a column of a tile as the language says it: each thread takes its two rows of each block of 64, those 8 apart
/// are one thread's; the eight lanes of a warp meet in pairs; then the warps of all consumers in order.
template <class F, class At>
float by_tree(F f, At at, int tile, int consumers) {
  const int blocks = tile / 64 / consumers;
  float all = 0;
  for (int warp = 0; warp < 4 * consumers; ++warp) {
    float lane[8];
    for (int octet = 0; octet < 8; ++octet)
      for (int n = 0; n < 2 * blocks; ++n) {
        const int row = warp / 4 * blocks * 64 + n / 2 * 64 + warp % 4 * 16 + octet + 8 * (n % 2);
        lane[octet] = n == 0 ? at(row) : f(lane[octet], at(row));
      }
    for (int apart = 1; apart < 8; apart *= 2)
      for (int octet = 0; octet < 8; octet += 2 * apart) lane[octet] = f(lane[octet], lane[octet + apart]);
    all = warp == 0 ? lane[0] : f(all, lane[0]);
  }
  return all;
}
bool same_bits(float a, float b) { return std::memcmp(&a, &b, sizeof a) == 0; }

template <configuration How, class Run>
void check_reduced(int m, Run run) {
  constexpr int tile = How.tile.of(mode_named("M")), n = 75, k = 40;
  CAPTURE(m);
  host_tensor<bf16> A({m, k}), B({n, k});
  host_tensor<float> C({m, n}), D({m, n});
  A.fill(1), B.fill(2);
  for (const auto schedule : {schedule_mode::fair, schedule_mode::random}) {
    std::vector<float> near(n), order(n), made(n);
    std::vector<bf16> most(n);
    C.poison(), D.poison();
    run(model_options{.schedule = schedule, .seed = 3, .workers = 2}, A.in(), B.in(), tensor(near.data(), n),
        tensor(order.data(), n), tensor(most.data(), n), tensor(made.data(), n), C.view(), D.view());
    CHECK(C.touched() + D.touched() == 0);
    check_close(C, f32_close, [&](int i, int j) { return dot(A, B, i, j); });
    int wrong = 0;
    for (int j = 0; j < n; ++j) {
      const auto at = static_cast<std::size_t>(j);
      const auto by = [&](auto f) {
        return by_tree(
            f, [&](int i) { return i < m ? C(i, j) : 0.0f; }, tile, How.sharers());
      };
      const float top = by([](float a, float b) { return std::max(a, b); });
      const float least = by([](float a, float b) { return std::min(a, b); });
      const float sum = by([](float a, float b) { return a + b; });
      wrong += !same_bits(near[at], by(nearer_to_zero{}));
      const float ordered = by(order_of_two{});
      wrong += !same_bits(order[at], ordered);
      wrong += !same_bits(static_cast<float>(most[at]), static_cast<float>(bf16(top)));
      wrong += !same_bits(made[at], 2.0f * (sum + (top - least)));
      for (int i = 0; i < m; ++i) wrong += !same_bits(D(i, j), C(i, j) - ordered);
    }
    CHECK(wrong == 0);
  }
}
template <configuration How>
void check_reduced(int m) {
  static_assert(verified<reduced_columns<How>>);
  check_reduced<How>(
      m, [](const model_options& how, auto... all) { run_on_model_with<reduced_columns<How>>(how, all...); });
}

template <configuration How>
void check_scaled() {
  constexpr int tile = How.tile.of(mode_named("M")), m = 200, n = 136;
  host_tensor<bf16> X({m, n});
  host_tensor<float> C({m, n});
  X.fill(1);
  std::vector<float> bias(n, 0.25f);
  run_on_schedules<scaled_columns<How>>(2, C, X.in(), tensor(static_cast<const float*>(bias.data()), n), C.view());
  std::vector<double> sums(static_cast<std::size_t>((m + tile - 1) / tile * n), 0.25);
  X.for_each_number([&](double x, int i, int j) { sums[static_cast<std::size_t>(i / tile * n + j)] += std::abs(x); });
  check_close(C, f32_close,
              [&](int i, int j) { return X.number(i, j) / sums[static_cast<std::size_t>(i / tile * n + j)]; });
}

constexpr configuration two{.tile = {{"M", 128}, {"N", 64}, {"K", 64}}, .stages = 2};
constexpr configuration blocks_in_one{
    .tile = {{"M", 128}, {"N", 72}, {"K", 64}}, .stages = 2, .consumers = 1, .persistent = true};
constexpr configuration by_turns{.tile = {{"M", 128}, {"N", 64}, {"K", 64}},
                                .stages = 2,
                                .consumers = 2,
                                .own_tiles = true,
                                .persistent = true};
constexpr configuration clusters{
    .tile = {{"M", 192}, {"N", 32}, {"K", 64}}, .stages = 2, .cluster = {1, 2}, .consumers = 3};

}  // namespace

TEST_CASE("columns meet over two warpgroups") {
  check_reduced<two>(128);  // all rows are there: on the model it is reported where others change a number
}
TEST_CASE("columns meet over two blocks of one warpgroup, in work after work") {
  if constexpr (exhaustively) check_reduced<blocks_in_one>(128);
}
TEST_CASE("columns meet over three warpgroups of a cluster's CTAs") {
  if constexpr (exhaustively) check_reduced<clusters>(192);
}
TEST_CASE("columns of tiles that consumers make by turns meet in one warpgroup") {
  if constexpr (exhaustively) check_reduced<by_turns>(128);
}
TEST_CASE("columns without tensor cores") {
  check_reduced<two>(117, [](const model_options& how, auto... all) {
    run_portable_on_model_with<reduced_columns<two>, portable::simt>(how, all...);
  });
}
TEST_CASE("columns in every trip of a loop") {
  if constexpr (exhaustively) check_scaled<configuration{.tile = {{"M", 128}, {"N", 64}}, .stages = 2}>();
  check_scaled<configuration{.tile = {{"M", 64}, {"N", 48}}, .stages = 3, .consumers = 1, .persistent = true}>();
}

TEST_CASE("the exchange of columns has a place and a barrier of its own") {
  constexpr const plan& p = plan_of<reduced_columns<two>>;
  static_assert(p.exchange.columns == 64 && p.exchange.bytes == 4 * 64 * 12 && p.exchange.offset % 1024 == 0);
  static_assert(plan_of<combined<two>>.exchange.bytes == 0);
  // A warp's four column pairs, every other column of which is read at once, meet in no bank.
  for (int consumers = 1; consumers <= 7; ++consumers) {
    const configuration how{.consumers = consumers};
    for (const int ctas : {1, 2, 3, 8}) {
      CHECK(exchange_pitch(how, ctas) >= ctas * warps_of_tile(how));
      CHECK(conflict_degree([&](int lane) { return 4 * 2 * (lane % 4) * exchange_pitch(how, ctas); }, 16) == 1);
    }
  }
  static_assert(verified<checked<reduced_columns<two>>>);
}

TEST_CASE("rows beside a row are part of the order of what columns come to") {
  constexpr configuration higher{.tile = {{"M", 256}, {"N", 64}, {"K", 64}}, .stages = 2};
  static_assert(!same_sums<reduced_columns<two>, reduced_columns<higher>>);
  // And so is how many consumers have a part of them each.
  constexpr configuration one{.tile = {{"M", 128}, {"N", 64}, {"K", 64}}, .stages = 2, .consumers = 1};
  static_assert(!same_sums<reduced_columns<two>, reduced_columns<one>>);
  static_assert(same_sums<reduced_rows<two>, reduced_rows<one>>);
  static_assert(same_sums<reduced_rows<two>, reduced_rows<higher>>);
}
