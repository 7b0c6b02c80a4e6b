// Consumers that make the tiles of a CTA by turns, each whole ones.
#include <sectile/kernels/long_rows.hpp>

#include "tests/programs/reduced_columns.hpp"
#include "tests/programs/residual.hpp"

namespace {

using namespace sectile;
using namespace sectile::test;

constexpr configuration two{.stages = 3, .consumers = 2, .own_tiles = true, .persistent = true};
constexpr configuration three{.stages = 4, .cluster = {2, 1}, .consumers = 3, .own_tiles = true, .persistent = true};
constexpr configuration swapped{
    .stages = 3, .cluster = {1, 2}, .consumers = 2, .own_tiles = true, .persistent = true, .swap = true};

using by_turns = matmul<128, 88, 64, two>;
using in_clusters = matmul<64, 64, 64, three>;
using of_columns = matmul<32, 128, 64, swapped>;
using residual = small_residual<two>;
constexpr configuration rows_by_turns = [] {
  configuration c = two.with_tile({{"M", 64}, {"N", 128}});
  c.variant = kernels::in_loops;
  return c;
}();
using softmax = in<kernels::softmax<bf16>, rows_by_turns>;

// A stage goes back when one consumer is done with it, who holds the whole tile; nothing is deferred.
static_assert(plan_of<by_turns>.ring[0].empty_arrivals == 1 && plan_of<in_clusters>.ring[0].empty_arrivals == 2);
static_assert(plan_of<by_turns>.products.at[0].m_blocks == 2 && plan_of<of_columns>.products.at[0].m_blocks == 2);
static_assert(!plan_of<by_turns>.epilogue[0].deferred && plan_of<by_turns>.epilogue[0].panels == 2);
static_assert(verified<by_turns> && verified<in_clusters> && verified<of_columns> && verified<residual>);
// The order of a sum does not hang on who makes it.
static_assert(same_sums<by_turns, matmul<128, 88, 64, configuration{.stages = 2, .consumers = 2}>>);

/// Where the body lets the next consumer begin.
template <class K>
constexpr int end_of_turn() {
  int found = -1;
  for (int i = 0; i < plan_of<K>.positions; ++i)
    if (plan_of<K>.steps[i].arrive_in_order) found = found < 0 ? i : -2;
  return found;
}
static_assert(plan_of<by_turns>.steps[end_of_turn<by_turns>()].kind == event_kind::store);
static_assert(plan_of<residual>.steps[end_of_turn<residual>()].kind == event_kind::touch);  // R has been loaded
static_assert(end_of_turn<softmax>() == plan_of<softmax>.finish_position);  // its last loop loads
// Without products it is where the row comes into registers: gamma and beta, which the text loads behind that, stay.
using row_by_turns = member<kernels::long_layer_norm<bf16>, 1>;
static_assert(plan_of<row_by_turns>.how.own_tiles && plan_of<row_by_turns>.products.count == 0);
static_assert(end_of_turn<row_by_turns>() == 1 && plan_of<row_by_turns>.steps[1].kind == event_kind::read);

}  // namespace

TEST_CASE("tiles by turns, of whole and of ragged problems, of fewer tiles than consumers") {
  check_matmul<by_turns>(300, 270, 130);
  check_matmul<by_turns>(128, 88, 64);
  check_matmul<by_turns>(500, 90, 1);
  check_matmul<by_turns>(256, 88, 330);
}
TEST_CASE("three consumers in clusters, and tiles of the transpose") {
  check_matmul<in_clusters>(500, 130, 72);
  check_matmul<in_clusters>(64, 320, 320);
  if constexpr (exhaustively) check_matmul<of_columns>(100, 300, 130);
}
TEST_CASE("on schedules that are looked for") {
  using kernel = std::conditional_t<exhaustively, matmul<64, 88, 64, two>, by_turns>;
  host_tensor<bf16> A({128, 128}), B({176, 128}), C({128, 176});
  A.fill(1), B.fill(2);
  run_on_model_with<kernel>({.schedule = schedule_mode::systematic, .max_schedules = 20}, A.in(), B.in(), C.view());
  check_close(C, bf16_close, [&](int i, int j) { return dot(A, B, i, j); });
}
TEST_CASE("what is loaded behind the loop belongs to the turn") { check_small_residual<residual>(); }
/// Blocks of rows, with two loops that load.
template <class Rows>
void check_rows_by_turns() {
  host_tensor<bf16> X({140, 300}), Y({140, 300});
  X.fill(1);
  run_on_schedules<Rows>(2, Y, X.in(), Y.view());
  std::vector<double> sum(140);
  for (int i = 0; i < 140; ++i)
    for (int j = 0; j < 300; ++j) sum[i] += std::exp(X.number(i, j));
  check_close(Y, bf16_close, [&](int i, int j) { return std::exp(X.number(i, j)) / sum[i]; });
}
TEST_CASE("blocks of rows by turns, with two loops that load") {
  if constexpr (exhaustively) check_rows_by_turns<softmax>();
}
