// Plans and proofs of kernels that meet in every way there is, made when a program runs. A compiler makes them of each
// kernel anyhow; here the code that it makes of planner, roles and proofs says the same.
#include <doctest/doctest.h>

#include <sectile/kernels/attention.hpp>
#include <sectile/kernels/chained_linear.hpp>
#include <sectile/kernels/gemm.hpp>
#include <sectile/kernels/linear_outputs.hpp>
#include <sectile/kernels/long_rows.hpp>

#include "tests/exhaustively.hpp"
#include "tests/static_check.hpp"

using namespace sectile;
using test::exhaustively;

namespace {

struct by_turns : kernels::gemm_bf16 {
  static constexpr configuration how =
      kernels::gemm_bf16::how.with_own_tiles().with_tile({{"M", 64}, {"N", 128}, {"K", 64}});
};
struct cut_at_the_end : kernels::gemm_bf16 {
  static constexpr configuration how = kernels::gemm_bf16::how.with_streamed_tiles();
};
using in_parts = kernels::split_gemm<bf16, bf16, float>;
using sums_of_columns = kernels::relu_gradient<bf16>;
using long_rows = member<kernels::long_softmax<bf16>, 0>;
using attention = kernels::attention<128, kernels::attention_mask::causal>;

/// What a body makes of a plan.
struct outline {
  int products = 0, rings = 0;
  int turns = 0;         // places where a consumer lets the next one go on
  int exchanged = 0;     // columns
  int meetings = 0;      // of sums of parts
  int ordered_sums = 0;  // over tiles
  bool of_whole_rows = false;
  bool in_place = false;  // operand 0 may be the output's tensor
  friend bool operator==(const outline&, const outline&) = default;
};
template <class K>
outline outline_of() {
  const plan p = made_by(&build_plan<K>);
  CHECK(p.refusal.holds());
  CHECK(p.shared_bytes == plan_of<K>.shared_bytes);
  CHECK(p.consumer_registers == plan_of<K>.consumer_registers);
  outline o{p.products.count,     p.rings, 0, p.exchange.columns, p.meetings, count_ordered_sums(p), p.whole_rows,
            p.operand[0].in_place};
  for (int i = 0; i < p.positions; ++i) o.turns += p.steps[i].arrive_in_order;
  return o;
}

template <class K>
void check_proofs() {
  CHECK(made_by(&protocol::check_protocol<K, 1>).holds());
  CHECK(made_by(&protocol::check_protocol<K, 2>).holds());
  CHECK(made_by<violation>(&protocol::check_feeding<K>).holds());
  CHECK(made_by(&check_walk<K>).holds());
  CHECK(made_by(&check_epilogue<K>).holds());
}

}  // namespace

TEST_CASE("plans") {
  CHECK(outline_of<by_turns>() == outline{.products = 1, .rings = 1, .turns = 1});
  if constexpr (exhaustively) {
    CHECK(outline_of<cut_at_the_end>() == outline{.products = 1, .rings = 1, .meetings = 1});
    CHECK(outline_of<kernels::chained_linear<bf16>>() == outline{.products = 3, .rings = 3});
  }
  CHECK(outline_of<in_parts>() == outline{.products = 1, .rings = 1, .meetings = 1});
  CHECK(outline_of<sums_of_columns>() ==
        outline{.products = 1, .rings = 2, .turns = 1, .exchanged = 128, .ordered_sums = 1});
  CHECK(outline_of<long_rows>() == outline{.rings = 1, .exchanged = 8, .of_whole_rows = true});
  CHECK(outline_of<attention>() == outline{.products = 4, .rings = 3, .turns = 3, .in_place = true});
}

TEST_CASE("consumers with tiles of their own") {
  if constexpr (exhaustively) check_proofs<by_turns>();
}
TEST_CASE("tiles that are cut at the end, whose parts meet in a workspace") {
  if constexpr (exhaustively) check_proofs<cut_at_the_end>();
}
TEST_CASE("parts of a sum that meet in a cluster, in two rounds") { check_proofs<in_parts>(); }
TEST_CASE("columns that consumers exchange, and sums over tiles in their order") { check_proofs<sums_of_columns>(); }
TEST_CASE("rows that all threads of a CTA have") {
  if constexpr (exhaustively) check_proofs<long_rows>();
}
