// Variations: what is said to hold does hold when it is written and compiled, and what is said to be refused is refused
// in the same words.
#include <doctest/doctest.h>

#include <iterator>
#include <sectile/dsl/proofs/names.hpp>
#include <sectile/dsl/tell/facts/facts.hpp>
#include <sectile/dsl/tell/facts/parts.hpp>
#include <sectile/dsl/tell/facts/replan.hpp>
#include <sectile/dsl/tell/proofs_text.hpp>

#include "tests/exhaustively.hpp"
#include "tests/tell/facts_kit.hpp"

namespace {

using namespace facts_kit;

constexpr sectile::configuration how{.stages = 3, .cluster = {2, 1}, .consumers = 2};
using base = any_gemm<128, 64, 64, how>;

constexpr sectile::configuration with(auto change) {
  sectile::configuration c = how;
  change(c);
  return c;
}

/// Two products, the second of which takes the first one's result: as in attention, without what lies between.
template <int Rows, int Keys, int Depth>
struct chained {
  static constexpr auto operands = sectile::operands(input<"Q(S,D)", bf16>(), input<"K(T,D)", bf16>(),
                                                     input<"V(T,D)", bf16>(), output<"O(S,D)", bf16>());
  static constexpr configuration how{
      .tile = {{"S", Rows}, {"T", Keys}, {"D", Depth}}, .stages = 2, .consumers = 2};
  static constexpr void body(auto& sm, auto Q, auto K, auto V, auto O) {
    auto [i, zero] = sm.tile_of(O);
    auto q = sm.load(Q, {i, zero});
    auto o = sm.accumulator(O);
    for (auto j : sm.pipelined(tiles<"T">(K))) {
      auto s = sm.accumulator(q * transpose(sm.load(K, {j, zero})));
      o += cast<bf16>(s) * sm.load(V, {j, zero});
    }
    sm.store(O, {i, zero}, o);
  }
};

/// A in registers.
template <int N, int K>
struct through_registers {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", e4m3>(), input<"B(N,K)", e4m3>(), output<"C(M,N)", float>());
  static constexpr configuration how{.tile = {{"M", 128}, {"N", N}, {"K", K}}, .stages = 2, .consumers = 2};
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += in_registers(sm.load(A, {m, k})) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};
/// A times itself: the rows of A are both modes of C.
template <int M, int K>
struct gram {
  static constexpr auto operands = sectile::operands(input<"A(G,M,K)", bf16>(), output<"C(G,M,M')", float>());
  static constexpr configuration how{.tile = {{"M", M}, {"K", K}}, .stages = 2, .consumers = 1};
  static constexpr void body(auto& sm, auto A, auto C) {
    auto [g, m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {g, m, k}) * transpose(sm.load(A, {g, n, k}));
    sm.store(C, {g, m, n}, acc);
  }
};
/// A sparse.
template <int M, int N, int K>
struct sparse_product {
  static constexpr auto operands =
      sectile::operands(sparse_input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", float>());
  static constexpr configuration how{.tile = {{"M", M}, {"N", N}, {"K", K}}, .stages = 2, .consumers = 1};
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};

/// Two plans of which one was made from the other's declarations have to be the same in all that proofs and launches
/// look at.
void check_same_plan(const plan& x, const plan& y) {
  REQUIRE(x.refusal.holds() == y.refusal.holds());
  CHECK(std::string(x.refusal.says.text) == y.refusal.says.text);
  if (!x.refusal.holds()) return;
  CHECK(x.how == y.how);
  CHECK(x.shared_bytes == y.shared_bytes);
  CHECK(x.barrier_bytes == y.barrier_bytes);
  CHECK(x.accumulator_registers == y.accumulator_registers);
  CHECK(x.producer_registers == y.producer_registers);
  CHECK(x.consumer_registers == y.consumer_registers);
  REQUIRE(x.products.count == y.products.count);
  for (int i = 0; i < x.products.count; ++i) CHECK(x.products.at[i] == y.products.at[i]);
  for (int i = 0; i < x.products.reads; ++i) CHECK(x.products.read[i] == y.products.read[i]);
  for (int r = 0; r < x.rings; ++r) {
    CHECK(x.ring[r].offset == y.ring[r].offset);
    CHECK(x.ring[r].stage_bytes == y.ring[r].stage_bytes);
    CHECK(x.ring[r].transaction_bytes == y.ring[r].transaction_bytes);
    CHECK(x.ring[r].full_barrier == y.ring[r].full_barrier);
    CHECK(x.ring[r].empty_arrivals == y.ring[r].empty_arrivals);
  }
  for (int o = 0; o < x.operands; ++o) {
    const operand_plan &a = x.operand[o], &b = y.operand[o];
    CHECK(a.box == b.box);
    CHECK(a.panels == b.panels);
    CHECK(a.boxes_per_panel == b.boxes_per_panel);
    CHECK(a.metadata == b.metadata);
    CHECK(a.stage_offset == b.stage_offset);
    CHECK(a.tile_bytes == b.tile_bytes);
    CHECK(a.swizzle == b.swizzle);
    CHECK(a.slices == b.slices);
  }
  CHECK(x.epilogue[0].panels == y.epilogue[0].panels);
  CHECK(x.epilogue[0].panel_cols == y.epilogue[0].panel_cols);
  CHECK(x.epilogue[0].buffers == y.epilogue[0].buffers);
  CHECK(x.epilogue[0].offset == y.epilogue[0].offset);
  CHECK(x.epilogue[0].deferred == y.epilogue[0].deferred);
}

/// Whether Other is what Base becomes with the group of modes called `name` at another extent.
template <class Base, class Other>
void check_extent(const std::string& name, int extent) {
  CAPTURE(name);
  CAPTURE(extent);
  const plan& p = plan_of<Base>;
  bool found = false;
  for (const tell::linked_modes& modes : tell::tiled_modes(p)) {
    if (modes.name != name) continue;
    found = true;
    const auto other = tell::with_tile_extent(p, tell::told_trace<Base>, modes, extent);
    REQUIRE(other.has_value());
    check_same_plan(*other, plan_of<Other>);
  }
  CHECK(found);
}

const json& base_variations() {
  static const json all = tell::facts<base>({.figures = false})["variations"];
  return all;
}

template <class Other>
void check_configuration(const char* constant, const char* to) {
  CAPTURE(constant);
  CAPTURE(to);
  bool found = false;
  for (const json& v : base_variations()) {
    if (v["constant"] != constant || v["to"] != to) continue;
    found = true;
    CHECK(v["holds"] == verdict_of<Other>.holds());
    if (!verdict_of<Other>.holds()) CHECK(v["says"] == verdict_of<Other>.says.text);
  }
  CHECK(found);
}

}  // namespace

TEST_CASE("a change of the configuration comes out as the kernel with that configuration does") {
  if constexpr (test::exhaustively)
    check_configuration<any_gemm<128, 64, 64, with([](auto& c) { c.stages = 1; })>>("stages", "1");
  check_configuration<any_gemm<128, 64, 64, with([](auto& c) { c.stages = 4; })>>("stages", "4");
  if constexpr (test::exhaustively)
    check_configuration<any_gemm<128, 64, 64, with([](auto& c) { c.consumers = 1; })>>("consumers", "1");
  check_configuration<any_gemm<128, 64, 64, with([](auto& c) { c.consumers = 3; })>>("consumers", "3");
  if constexpr (test::exhaustively) {
    check_configuration<any_gemm<128, 64, 64, with([](auto& c) { c.cluster = {1, 1}; })>>("cluster", "1 x 1");
    check_configuration<any_gemm<128, 64, 64, with([](auto& c) { c.persistent = true; })>>("persistent", "true");
    check_configuration<any_gemm<128, 64, 64, with([](auto& c) { c.pingpong = true; })>>("pingpong", "true");
    check_configuration<any_gemm<128, 64, 64, with([](auto& c) { c.stages = 2; })>>("stages", "2");
  }
  CHECK(mentions(entry(base_variations(), "to", "3")["says"], "do not split into the instruction's 64 rows"));
}

TEST_CASE("the facts tell every proof, by the names that are counted") {
  const std::vector<tell::proof_line> lines = tell::proof_lines(plan_of<base>);
  std::vector<std::string> told;
  for (const tell::proof_line& line : lines) told.emplace_back(line.name);
  CHECK(told == std::vector<std::string>(std::begin(proof_names), std::end(proof_names)));
}

TEST_CASE("what only the proofs of a plan went through is not called proven, nor is what is refused") {
  int proven = 0, planned = 0;
  for (const json& v : base_variations()) {
    CAPTURE(v["constant"]);
    const bool is_proven = v["proven"];
    if (is_proven) CHECK(v["holds"]);
    if (v["kind"] != "configuration") CHECK(!is_proven);
    proven += is_proven ? 1 : 0;
    planned += v["holds"] && !is_proven ? 1 : 0;
  }
  CHECK(proven > 0);
  CHECK(planned > 0);
}

TEST_CASE("what differs is said with both numbers") {
  CHECK(entry(base_variations(), "to", "3")["differences"].empty());  // of a kernel that is refused nothing is
  for (const json& four : base_variations())
    if (four["constant"] == "stages" && four["to"] == "4") {
      const json& bytes = entry(four["differences"], "what", "shared memory");
      CHECK(bytes["from"] == plan_of<base>.shared_bytes);
      CHECK(bytes["to"] == plan_of<any_gemm<128, 64, 64, with([](auto& c) { c.stages = 4; })>>.shared_bytes);
      CHECK(mentions(four["changes"], bytes["says"]));
    }
}

TEST_CASE("modes of one name grow together, primes and all, and batches do not grow") {
  const auto groups = tell::tiled_modes(plan_of<base>);
  REQUIRE(groups.size() == 3);
  CHECK(groups[0].name == "M");
  CHECK(groups[0].members == std::vector<tell::operand_mode>{{0, 0}, {2, 0}});
  CHECK(groups[1].members == std::vector<tell::operand_mode>{{0, 1}, {1, 1}});
  CHECK(groups[2].members == std::vector<tell::operand_mode>{{1, 0}, {2, 1}});
  const auto of_itself = tell::tiled_modes(plan_of<gram<64, 64>>);
  REQUIRE(of_itself.size() == 2);
  CHECK(of_itself[0].name == "M");
  CHECK(of_itself[0].members == std::vector<tell::operand_mode>{{0, 1}, {1, 1}, {1, 2}});
  CHECK(of_itself[1].name == "K");
}

TEST_CASE("the plan of the same tiles is the same plan") {
  check_extent<base, base>("M", 128);
  check_extent<base, base>("N", 64);
  check_extent<base, base>("K", 64);
  check_extent<chained<128, 64, 64>, chained<128, 64, 64>>("T", 64);
  check_extent<sparse_product<64, 64, 128>, sparse_product<64, 64, 128>>("K", 128);
  check_extent<through_registers<64, 64>, through_registers<64, 64>>("K", 64);
  check_extent<gram<64, 64>, gram<64, 64>>("M", 64);
}

TEST_CASE("the plan of other tiles is that of the kernel written with them") {
  check_extent<base, any_gemm<64, 64, 64, how>>("M", 64);  // refused
  check_extent<base, any_gemm<256, 64, 64, how>>("M", 256);
  check_extent<base, any_gemm<128, 64, 72, how>>("K", 72);  // refused
  check_extent<base, any_gemm<128, 24, 64, how>>("N", 24);  // slices of 12 rows
  if constexpr (test::exhaustively) {
    check_extent<base, any_gemm<128, 64, 32, how>>("K", 32);
    check_extent<base, any_gemm<128, 256, 64, how>>("N", 256);
    check_extent<base, any_gemm<128, 264, 64, how>>("N", 264);  // refused
    check_extent<base, any_gemm<136, 64, 64, how>>("M", 136);   // refused
    check_extent<base, any_gemm<128, 64, 48, how>>("K", 48);
    check_extent<base, any_gemm<128, 64, 512, how>>("K", 512);  // refused
  }
  CHECK(plan_of<any_gemm<128, 24, 64, how>>.operand[1].slices == 2);
  CHECK(!plan_of<any_gemm<128, 64, 72, how>>.refusal.holds());
}

TEST_CASE("boxes are counted anew") {
  constexpr sectile::configuration tall{.stages = 2, .consumers = 4};
  static_assert(plan_of<any_gemm<512, 64, 64, tall>>.operand[0].boxes_per_panel == 2);
  check_extent<any_gemm<512, 64, 64, tall>, any_gemm<256, 64, 64, tall>>("M", 256);
}

TEST_CASE("the same of products that feed each other, of operands in registers and of sparse ones") {
  if constexpr (test::exhaustively) check_extent<chained<128, 64, 64>, chained<128, 128, 64>>("T", 128);
  check_extent<chained<128, 64, 64>, chained<128, 72, 64>>("T", 72);  // refused
  check_extent<through_registers<64, 64>, through_registers<128, 64>>("N", 128);
  if constexpr (test::exhaustively) {
    check_extent<chained<128, 64, 64>, chained<256, 64, 64>>("S", 256);
    check_extent<gram<64, 64>, gram<128, 64>>("M", 128);
    check_extent<chained<128, 64, 64>, chained<128, 64, 128>>("D", 128);
    check_extent<through_registers<64, 64>, through_registers<64, 128>>("K", 128);
    check_extent<gram<64, 64>, gram<72, 64>>("M", 72);  // refused
    check_extent<sparse_product<64, 64, 128>, sparse_product<128, 64, 128>>("M", 128);
  }
  if constexpr (test::exhaustively) check_extent<sparse_product<64, 64, 128>, sparse_product<64, 64, 64>>("K", 64);
  check_extent<sparse_product<64, 64, 128>, sparse_product<64, 64, 96>>("K", 96);  // refused
}

TEST_CASE("the plan of other types is that of the kernel written with them") {
  const plan& p = plan_of<base>;
  const trace& t = tell::told_trace<base>;
  const auto other = [&](const element& to) { return *tell::with_type(p, t, element_of<bf16>(), to); };
  if constexpr (test::exhaustively) check_same_plan(other(element_of<f16>()), plan_of<any_gemm<128, 64, 64, how, f16>>);
  check_same_plan(other(element_of<e4m3>()), plan_of<any_gemm<128, 64, 64, how, e4m3>>);
  if constexpr (test::exhaustively)
    check_same_plan(other(element_of<tf32>()), plan_of<any_gemm<128, 64, 64, how, tf32>>);
}

TEST_CASE("a body that names a type itself is not planned for another") {
  using kernel = chained<128, 64, 64>;
  const auto other = tell::with_type(plan_of<kernel>, tell::told_trace<kernel>, element_of<bf16>(), element_of<f16>());
  REQUIRE(other.has_value());
  CHECK(mentions(other->refusal.says.text, "wgmma has no bf16 x f16"));  // cast<bf16> stays as it is written
}

TEST_CASE("the neighbours of a configuration differ from it in one constant") {
  configuration from{.stages = 3, .cluster = {2, 1}, .consumers = 2};
  const tell::configuration_changes all = tell::neighbours(from);
  REQUIRE(all.count == 8);
  const auto to = [&](int i) { return all.at[i].to; };
  CHECK((to(0).stages == 2 && to(1).stages == 4 && to(2).stages == 1));
  CHECK((to(3).consumers == 1 && to(4).consumers == 3));
  CHECK(to(5).cluster == cluster_shape{1, 1});
  CHECK((to(6).persistent && to(7).pingpong));
  CHECK((all.at[2].what == tell::configuration_constant::stages && all.at[7].what == tell::configuration_constant::pingpong));
  configuration back = to(5);
  back.cluster = from.cluster;
  CHECK(back == from);
  // With one stage and one consumer there are no fewer.
  CHECK(tell::neighbours({.stages = 1, .consumers = 1}).count == 5);
}
