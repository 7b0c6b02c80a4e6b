// .dynamic = true: clusters draw the tiles that they make. On the model, which deals them out in many ways.
#include <sectile/dsl/launch/checked.hpp>
#include <string>

#include "tests/programs/attention_problem.hpp"
#include "tests/programs/drawn.hpp"
#include "tests/programs/kit.hpp"
#include "tests/programs/types.hpp"
#include "tests/static_check.hpp"

namespace {

using namespace sectile;
using namespace sectile::test;

using alone = drawn_product<drawn({.stages = 3, .consumers = 2})>;
using clusters = drawn_product<drawn({.stages = 3, .cluster = {2, 2}, .consumers = 1})>;
using by_turns = drawn_product<drawn({.stages = 4, .cluster = {1, 2}, .consumers = 2, .own_tiles = true})>;
using staggered = drawn_product<drawn({.stages = 4, .consumers = 2, .stagger = 2, .overlap = launch_overlap::both})>;
using swapped = drawn_product<drawn({.stages = 3, .consumers = 1, .swap = true})>;

static_assert(verified<alone> && verified<clusters> && verified<by_turns> && verified<staggered> && verified<swapped>);
static_assert(verified<checked<clusters>> && verified<drawn_in_twos<64, kernels::attention_mask::causal>>);

// ---- the plan: two slots of a word, and a full and an empty barrier for each

static_assert(plan_of<alone>.tickets.slots == 2 && plan_of<walking<alone>>.tickets.slots == 0);
static_assert(plan_of<alone>.barrier_bytes == plan_of<walking<alone>>.barrier_bytes + 4 * 8 + 2 * 16);
STATIC_CASE(ticket_readers(plan_of<alone>.how) == 2 && ticket_readers(plan_of<clusters>.how) == 4 * 2 - 1);
static_assert(plan_of<alone>.tickets.offset == plan_of<alone>.tickets.barrier + 4 * 8);
static_assert(map_shared_memory(plan_of<checked<alone>>).find(plan_of<checked<alone>>.tickets.offset + 16) >= 0);
// The sums are those of the kernel that walks: a family may have both.
static_assert(same_sums<alone, walking<alone>>);

// ---- what it computes

/// K makes C = A B^T, whoever draws which tile.
template <class K>
void check(int m, int n, int k) {
  CAPTURE(m);
  typed_matrix<bf16> A(m, k), B(n, k), C(m, n);
  A.fill(contents::whole_numbers, 1), B.fill(contents::whole_numbers, 2);
  host_workspace memory(workspace_bytes<K>(A.in(), B.in(), C.out()));
  REQUIRE(memory.view().bytes == 128);
  std::memset(memory.view().data, 0xFF, memory.view().bytes);
  std::uint64_t token[2]{};
  for (std::uint64_t seed = 0; seed < 2; ++seed) {
    std::fill(C.data.begin(), C.data.end(), bf16(-1.0f));
    run_on_model_with<K>({.schedule = schedule_mode::random, .seed = seed, .workers = 2}, A.in(), B.in(), C.out(),
                         memory.view());
    require_exact(C, A, B);
    std::memcpy(&token[seed], memory.view().data, sizeof token[seed]);
  }
  CHECK(token[1] != token[0]);
  CHECK((token[1] - token[0]) % (1ull << token_step_bits) == 0);
}

TEST_CASE("exact, on every kind of configuration, however the tiles are dealt out") {
  check<alone>(460, 136, 72);
  check<alone>(64, 64, 520);  // one tile
  check<clusters>(460, 136, 136);
  if constexpr (exhaustively) check<by_turns>(520, 136, 136);
  if constexpr (exhaustively) check<staggered>(700, 200, 264);
  if constexpr (exhaustively) check<swapped>(300, 136, 136);
}

TEST_CASE("a systematic schedule: no order of the roles is a hazard") {
  typed_matrix<bf16> A(260, 72), B(64, 72), C(260, 64);
  A.fill(contents::whole_numbers, 1), B.fill(contents::whole_numbers, 2);
  host_workspace memory(workspace_bytes<alone>(A.in(), B.in(), C.out()));
  model::schedule_count count{};
  run_on_model_with<alone>({.schedule = schedule_mode::systematic, .preemptions = 1, .explored = &count}, A.in(),
                           B.in(), C.out(), memory.view());
  require_exact(C, A, B);
}

/// Attention of these sizes is what float64 says, and exhaustively has the bits of the kernel whose grid has a cluster
/// for each tile.
template <int D, kernels::attention_mask Mask, class kernel = drawn_in_twos<D, Mask>>
void check_attention(int b, int h, int s) {
  attention_problem<kernels::attention_form{.dim = D, .mask = Mask}> p({.b = b, .h = h, .s = s, .t = s});
  const auto view = [](auto& tensor) { return tensor.view(); };
  p.with_arguments(
      [&](const auto&... given) {
        host_workspace memory(workspace_bytes<kernel>(given...));
        run_on_schedules<kernel>(2, p.O, given..., memory.view());
      },
      view);
  CHECK(p.errors().rows <= rounded_twice);
  if constexpr (exhaustively) {
    const auto bits = p.O.elements();
    p.with_arguments([](const auto&... given) { run_on_model<kernels::attention<D, Mask>>(given...); }, view);
    const auto expected = p.O.elements();
    CHECK(std::memcmp(bits.data(), expected.data(), bits.size() * sizeof(bf16)) == 0);
  }
}
TEST_CASE("attention whose tiles are drawn") {
  check_attention<64, kernels::attention_mask::causal, kernels::drawn_attention<64, true>>(1, 3, 200);
  if constexpr (exhaustively) {
    check_attention<64, kernels::attention_mask::causal>(1, 3, 200);
    check_attention<64, kernels::attention_mask::none>(1, 2, 400);
  }
}

// ---- beside what else has barriers of its own, or a place in the workspace

/// Rows that two CTAs share, each of which has a part.
struct shared_rows {
  static constexpr auto operands = sectile::operands(input<"X(M,N)", float>(), output<"Y(M,N)", float>());
  static constexpr configuration how{.tile = {{"M", 8}, {"N", 64}},
                                     .stages = 2,
                                     .cluster = {1, 2},
                                     .consumers = 2,
                                     .own_tiles = true,
                                     .persistent = true,
                                     .dynamic = true,
                                     .swap = true};
  static constexpr void body(auto& sm, auto X, auto Y) {
    auto [m, n] = sm.wide_tile_of(Y);
    const auto x = in_registers(sm.load(X, {m, n}));
    sm.store(Y, {m, n}, x - row_sum(x).total());
  }
};
static_assert(verified<shared_rows> && count_exchange_barriers(plan_of<shared_rows>) == 4);
TEST_CASE("rows that CTAs share, drawn for consumers with tiles of their own") {
  host_tensor<float> X({90, 120}), drawn({90, 120}), walked({90, 120});
  X.fill(1);
  host_workspace memory(workspace_bytes<shared_rows>(X.in(), drawn.view()));
  run_on_schedules<shared_rows>(2, drawn, X.in(), drawn.view(), memory.view());
  check_close(drawn, f32_close, [&](int i, int j) {
    double sum = 0;
    for (int l = 0; l < 120; ++l) sum += X.number(i, l);
    return X.number(i, j) - sum;
  });
  if constexpr (exhaustively) {
    run_on_model<walking<shared_rows>>(X.in(), walked.view());
    CHECK(drawn.elements() == walked.elements());
  }
}

/// Columns that are summed over tiles in order, by tickets of their own.
struct summed : alone {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     output<"C(M,N)", bf16>(), output<"of_col(N)", float>());
  static constexpr void body(auto& sm, auto A, auto B, auto C, auto of_col) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.combine(of_col, {n}, acc, reduction::add);
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<summed>);
TEST_CASE("tiles that are drawn, and summed in their order") {
  host_tensor<bf16> A({460, 136}), B({200, 136}), C({460, 200});
  host_tensor<float> drawn({200}), walked({200});
  A.fill(1), B.fill(2);
  host_workspace memory(workspace_bytes<summed>(A.in(), B.in(), C.view(), drawn.view()));
  run_on_schedules<summed>(3, drawn, A.in(), B.in(), C.view(), drawn.view(), memory.view());
  int wrong = 0;
  for (int j = 0; j < 200; ++j) {
    double sum = 0, magnitude = 0;
    for (int i = 0; i < 460; ++i) sum += dot(A, B, i, j), magnitude += std::abs(dot(A, B, i, j));
    wrong += std::abs(drawn.number(j) - sum) > 0x1p-16 * magnitude;
  }
  CHECK(wrong == 0);
  if constexpr (exhaustively) {
    run_on_model<walking<summed>>(A.in(), B.in(), C.view(), walked.view(), memory.view());
    CHECK(drawn.elements() == walked.elements());
  }
}

// ---- the order of tiles

TEST_CASE("batches together: the heaviest tile of each, then the next of each") {
  using kernel = drawn_in_twos<64, kernels::attention_mask::causal>;
  constexpr int together = kernel::how.batches;
  static_assert(together == 2);
  body_arguments<kernel> arguments{};
  constexpr int o = work_operand<kernel>;
  int* const tiles = handle_access::tile_count(arguments.at<o>());
  tiles[0] = 1, tiles[1] = 3, tiles[2] = 2, tiles[3] = 1;
  const work_grid g = work_of<kernel>(arguments);
  REQUIRE(g.count == 6);
  constexpr int expected[6][2] = {{0, 1}, {1, 1}, {0, 0}, {1, 0}, {2, 1}, {2, 0}};  // head and row
  for (int item = 0; item < 6; ++item) {
    const auto at = locate<kernel>(item, g, arguments);
    CHECK(at.at[1] == expected[item][0]);
    CHECK(at.at[2] == expected[item][1]);
  }
}

// ---- what a launch refuses

template <class F>
std::string refusal_of(F launch) {
  try {
    launch();
  } catch (const launch_error& e) {
    return e.what();
  }
  return "";
}
TEST_CASE("a launch needs the counter") {
  typed_matrix<bf16> A(70, 72), B(64, 72), C(70, 64);
  const auto with = [&](auto... given) {
    return refusal_of([&] { run_on_model<alone>(A.in(), B.in(), C.out(), given...); });
  };
  CHECK(with().find("clusters that draw their tiles (.dynamic = true) need 128 bytes for the counter, and the launch "
                    "was given none") != std::string::npos);
  alignas(16) std::uint32_t few[16];
  CHECK(with(workspace(few, sizeof few)).find("need 128 bytes for the counter, and it has 64") != std::string::npos);
  CHECK(with(workspace(C.data.data(), 128)).find("share memory; it is written to while tiles are loaded") !=
        std::string::npos);
}

}  // namespace
