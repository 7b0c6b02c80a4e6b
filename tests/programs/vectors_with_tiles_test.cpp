// Vectors that come with tiles, through their ring: the same numbers as those that threads read in memory, whatever
// their length, their alignment and the configuration.
#include "tests/programs/vectors_with_tiles.hpp"
#include <sectile/dsl/proofs/protocol_runs.hpp>

#include "tests/programs/host_vector.hpp"

namespace {

using namespace sectile;
using namespace sectile::test;
using scales::meeting;

/// Both ways: the same bits, and what a plain sum gives.
template <class T, meeting Where, configuration How>
void check_both_ways(int m, int n, int k) {
  CAPTURE(m);
  const int blocks = (k + 63) / 64, columns = (n + How.tile.of(mode_named("N")) - 1) / How.tile.of(mode_named("N"));
  host_tensor<bf16> A({m, k}), B({n, k});
  host_tensor<float> C({m, n}), in_memory({m, n});
  A.fill(1), B.fill(2);
  const host_vector<T> SA(m, 1, 3, blocks, 5), SB(n, 3, 4, blocks);
  const host_vector<float> S(blocks, 1, 5, columns);
  run_on_schedules<scales::scaled<T, with_tiles, Where, How>>(1, C, SA.batches(), A.in(), B.in(), SB.batches(),
                                                              S.batches(), C.view());
  run_on_model<scales::scaled<T, from_memory, Where, How>>(SA.batches(), A.in(), B.in(), SB.batches(), S.batches(),
                                                           in_memory.view());
  CHECK(C.elements() == in_memory.elements());
  check_close(C, f32_close, [&](int i, int j) {
    double sum = 0;
    const int column = j / How.tile.of(mode_named("N"));
    for (int x = 0; x < k; ++x)
      sum += A.number(i, x) * B.number(j, x) * SA(i, x / 64) * SB(j, x / 64) * S(x / 64, column);
    return sum;
  });
}

/// How often the recorded consumer does this, when the loop turns twice: what the proof sees.
template <class K>
constexpr int recorded(protocol::act what) {
  loop_table loops = plan_of<K>.loops;
  loops.trips[0] = 2;
  const auto log = protocol::record<K, protocol::log_capacity(plan_of<K>)>(loops, 1, 0, 1);
  int times = 0;
  for (int n = 0; n < log.count; ++n) times += log.at[n].what == what;
  return times;
}

TEST_CASE("the proof of the protocol sees that parts are read in their stage") {
  using with = scales::scaled<float, with_tiles, meeting::in_place, scales::upright>;
  using without = scales::scaled<float, from_memory, meeting::in_place, scales::upright>;
  CHECK(recorded<with>(protocol::act::read) == 2 * 3);
  CHECK(recorded<without>(protocol::act::read) == 0);
  // Three vectors are read in a stage, and the warps meet behind the last.
  CHECK(recorded<with>(protocol::act::meet) == recorded<without>(protocol::act::meet) + 2);
}

TEST_CASE("scales come with tiles") {
  if constexpr (exhaustively) {
    check_both_ways<float, meeting::in_place, scales::upright>(200, 50, 250);
    check_both_ways<float, meeting::in_place, scales::upright>(1, 1, 1);
  }
}
TEST_CASE("scales come with tiles: bytes, by turns") {
  if constexpr (exhaustively) check_both_ways<e4m3, meeting::ahead, scales::turns>(300, 70, 320);
}
TEST_CASE("scales come with tiles: halves, in clusters") {
  check_both_ways<bf16, meeting::in_function, scales::of_cluster>(300, 33, 130);
}
TEST_CASE("scales come with tiles: consumers with own tiles") {
  if constexpr (exhaustively) check_both_ways<float, meeting::ahead, scales::own>(300, 70, 130);
}
TEST_CASE("scales come with tiles: swapped") {
  check_both_ways<float, meeting::in_place, scales::swapped>(90, 300, 130);
  check_both_ways<float, meeting::in_place, scales::swapped>(1, 1, 1);
}
TEST_CASE("scales come with tiles: parts of several boxes") {
  if constexpr (exhaustively) check_both_ways<float, meeting::in_function, scales::tall>(390, 8, 130);
}
TEST_CASE("parts come with tiles that are a factor in registers") {
  const int m = 100, n = 70, k = 200, groups = 2, blocks = 4;  // elements behind a row of `scale` are NaN
  host_tensor<bf16> A({m, k}), B({n, k});
  host_tensor<float> C({groups, m, n}), in_memory({groups, m, n});
  A.fill(1), B.fill(2);
  const host_vector<f16> scale(k, 3, 3, groups, 5);
  std::vector<std::int8_t> numbers(groups * blocks * m + 7);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<std::int8_t>(i * 37 % 11 - 5);
  const tensor_view<const s8> shift{
      reinterpret_cast<const s8*>(numbers.data() + 7), 3, {groups, blocks, m}, {blocks * m, m, 1}};
  run_on_schedules<scales::factor_in_registers<with_tiles>>(1, C, A.in(), B.in(), scale.batches(), shift, C.view());
  run_on_model<scales::factor_in_registers<from_memory>>(A.in(), B.in(), scale.batches(), shift, in_memory.view());
  CHECK(C.elements() == in_memory.elements());
  check_close(C, f32_close, [&](int g, int i, int j) {
    double sum = 0;
    for (int x = 0; x < k; ++x) {
      const double off = numbers[static_cast<std::size_t>(7 + (g * blocks + x / 64) * m + i)];
      sum += static_cast<float>(bf16(static_cast<float>(A.number(i, x) * scale(x, g) + off))) * B.number(j, x);
    }
    return sum;
  });
}

}  // namespace
