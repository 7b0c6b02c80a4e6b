// What the facts say the proofs cover, held against what there is to cover: the instructions that the lowered roles
// issue, the registers that the layouts name, and the copies and stores of a run on the model.
//
// The counts of legality and budgets are numbers of the plan itself. That "descriptors" of alignment, the number of
// operands whose highest descriptor is encoded, agrees with what that proof looks at, nothing outside of it can tell.
#include <map>
#include <memory>
#include <sectile/dsl/proofs/feeding.hpp>
#include <sectile/dsl/tell/facts/parts.hpp>
#include <sectile/dsl/tell/timeline/timeline_of_kernel.hpp>
#include <sectile/kernels/attention.hpp>
#include <set>
#include <tuple>
#include <vector>

#include "tests/exhaustively.hpp"
#include "tests/programs/matmul.hpp"

namespace {

using namespace sectile;
using namespace sectile::test;
using model::verb, model::verb_record;

using clustered =
    matmul<128, 128, 64, configuration{.stages = 3, .cluster = {2, 1}, .consumers = 2, .persistent = true}>;
using attention = kernels::attention<64, kernels::attention_mask::causal>;

/// A passes through registers on its way to the tensor cores, and f32 is stored.
struct from_registers {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", float>());
  static constexpr sectile::configuration how{.tile = {{"M", 64}, {"K", 64}, {"N", 64}}, .stages = 2, .consumers = 1};

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      auto a = sm.load(A, {m, k});
      auto b = transpose(sm.load(B, {n, k}));
      acc += in_registers(a) * b;
    }
    sm.store(C, {m, n}, acc);
  }
};

template <class K>
nlohmann::json counts_of(const char* proof) {
  for (const auto& p : tell::proofs_part(plan_of<K>, {}))
    if (p["name"] == proof) return p["counts"];
  return {};
}

/// What the wgmmas of a consumer are given when every product is issued once, as the proof of feeding records it.
template <class K>
std::vector<protocol::instruction_feed> feeds_of(int consumer) {
  constexpr const plan& p = plan_of<K>;
  loop_table once = p.loops;
  for (int i = 0; i < once.count; ++i) once.trips[i] = 1;
  std::vector<protocol::instruction_feed> room(4096);
  protocol::feed_list fed{room.data(), static_cast<int>(room.size())};
  const auto log = std::make_unique<protocol::action_log<protocol::log_capacity(p)>>();
  protocol::record<K>(*log, once, 1, 0, 1 + consumer, &fed);
  room.resize(static_cast<std::size_t>(fed.count));
  return room;
}

/// The first product that is equal to this one.
int kind_of(const plan& p, int product) {
  for (int i = 0; i < product; ++i)
    if (p.products.at[i] == p.products.at[product]) return i;
  return product;
}

template <class K>
void check_instructions() {
  constexpr const plan& p = plan_of<K>;
  std::size_t wgmmas = 0;
  std::set<std::tuple<int, bool, int>> descriptors;  // product, of A, byte in a stage
  for (int c = 0; c < p.how.consumers; ++c)
    for (const protocol::instruction_feed& f : feeds_of<K>(c)) {
      ++wgmmas;
      const int kind = kind_of(p, f.group / groups_of_product(p));
      const product_plan& q = p.products.at[kind];
      descriptors.emplace(kind, false, protocol::offset_in_stage(p, p.operand[q.b_operand], f.b));
      if (f.a >= 0) descriptors.emplace(kind, true, protocol::offset_in_stage(p, p.operand[q.a_operand], f.a));
    }
  CHECK(counts_of<K>("feeding")["wgmmas"] == wgmmas);
  CHECK(counts_of<K>("reachability")["descriptors"] == descriptors.size());
}

/// Elements that the accumulators, and the left operands in registers, of all products hold.
template <class K>
void check_registers() {
  constexpr const plan& p = plan_of<K>;
  std::size_t elements = 0;
  for (int i = 0; i < p.products.count; ++i) {
    const wgmma_instruction& w = p.products.at[i].instruction;
    std::set<std::pair<int, int>> d, a;
    for (int thread = 0; thread < warpgroup; ++thread) {
      for (int reg = 0; reg < accumulator_registers(w); ++reg)
        for (int part = 0; part < 32 / w.d.bits; ++part) {
          const coord at = w.d.bits == 16 ? d16_coord(thread, reg, part) : d_coord(thread, reg);
          d.emplace(at.row, at.col);
        }
      for (int reg = 0; reg < 4 && w.a_in_registers; ++reg)
        for (int part = 0; part < 32 / w.a.bits; ++part) {
          const coord at = a_coord(w.a.bits, thread, reg, part);
          a.emplace(at.row, at.col);
        }
    }
    elements += d.size() + a.size();
  }
  CHECK(counts_of<K>("fragments")["elements"] == elements);
}

/// What the roles of CTA 0 did in a run whose loops go round every ring.
template <class K>
struct first_cta {
  static constexpr const plan& p = plan_of<K>;
  model::verb_log log{};

  first_cta() {
    const model::watching watch(log);
    tell::run_example<K>(tell::sizes_for(p).at(0));
  }

  static int offset_of(const verb_record& r) { return static_cast<int>(r.address - model::shared_window_base); }

  template <class F>
  void for_each(verb what, F f) const {
    for (const verb_record& r : log.records)
      if (r.what == what && (what == verb::tma_load ? (r.mask & 1) != 0 : r.cta == 0)) f(r);
  }

  /// Boxes that land in the operand's place in a stage: where, and how many bytes.
  std::map<int, int> boxes(int operand, int stage) const {
    const operand_plan& op = p.operand[operand];
    const ring_plan& ring = p.ring[op.ring];
    const int begin = ring.offset + stage * ring.stage_bytes + op.stage_offset;
    std::map<int, int> found;
    for_each(verb::tma_load, [&](const verb_record& r) {
      if (offset_of(r) >= begin && offset_of(r) < begin + op.tile_bytes) found[offset_of(r)] = r.value;
    });
    return found;
  }
  int bytes_in_a_stage(int operand) const {
    int sum = 0;
    for (const auto& [at, bytes] : boxes(operand, 0)) sum += bytes;
    return sum;
  }
};

template <class K>
void check_copies(const first_cta<K>& run) {
  constexpr const plan& p = plan_of<K>;
  std::size_t places = 0;
  for (int o = 0; o < p.operands; ++o)
    if (p.operand[o].facts.kind == operand_kind::input)
      for (int s = 0; s < p.ring[p.operand[o].ring].stages; ++s) places += run.boxes(o, s).size();
  CHECK(counts_of<K>("alignment")["box_places"] == places);

  int bytes = 0;  // that TMA writes for one use of each product that differs from the others
  for (int i = 0; i < p.products.count; ++i) {
    const product_plan& q = p.products.at[i];
    if (kind_of(p, i) != i) continue;
    if (q.a_operand >= 0) bytes += run.bytes_in_a_stage(q.a_operand);
    bytes += run.bytes_in_a_stage(q.b_operand);
  }
  for (int i = 0; i < p.products.reads; ++i) bytes += run.bytes_in_a_stage(p.products.read[i].operand);
  CHECK(counts_of<K>("reachability")["chunks"] == bytes / core_matrix_row_bytes);
}

template <class K>
void check_epilogue(const first_cta<K>& run) {
  constexpr const plan& p = plan_of<K>;
  const int first_consumer = warpgroup;
  const epilogue_plan& e = p.epilogue[0];
  const int end = e.offset + p.how.consumers * e.buffers * e.panel_bytes;
  int tiles = 0, panels = 0, panels_of_one = 0, stores_of_one = 0;
  std::set<int> buffers;
  run.for_each(verb::tile_stored, [&](const verb_record& r) { tiles += r.thread == first_consumer; });
  run.for_each(verb::tma_store, [&](const verb_record& r) {
    ++panels;
    panels_of_one += r.thread / warpgroup == first_consumer / warpgroup;
    buffers.insert(run.offset_of(r));
  });
  run.for_each(verb::store_shared, [&](const verb_record& r) {
    stores_of_one += r.thread == first_consumer && run.offset_of(r) >= e.offset && run.offset_of(r) < end;
  });
  REQUIRE(tiles > 0);
  REQUIRE(panels_of_one > 0);
  CHECK(counts_of<K>("fragments")["panels"] == panels / tiles);
  CHECK(counts_of<K>("alignment")["panels"] == buffers.size());
  CHECK(counts_of<K>("banks")["stores"] == stores_of_one / panels_of_one);
}

template <class K>
void check_named_barriers(const first_cta<K>& run) {
  std::set<std::uint32_t> used{0};  // barrier 0 is the whole CTA's
  run.for_each(verb::named_barrier_sync, [&](const verb_record& r) { used.insert(r.address); });
  run.for_each(verb::named_barrier_arrive, [&](const verb_record& r) { used.insert(r.address); });
  CHECK(counts_of<K>("budgets")["named_barriers"] == used.size());
}

template <class K>
void check_counts() {
  check_instructions<K>();
  check_registers<K>();
  const first_cta<K> run;
  check_copies(run);
  check_epilogue(run);
  check_named_barriers(run);
}

TEST_CASE("the proofs cover what a product with multicast copies and deferred stores does") {
  check_counts<clustered>();
}
TEST_CASE("the proofs cover what a product from registers does that stores f32") { check_counts<from_registers>(); }
TEST_CASE("the proofs cover what a sparse product does") {
  if constexpr (exhaustively) check_counts<sparse_product>();
}
TEST_CASE("the proofs cover what two products do that take turns") {
  if constexpr (exhaustively) check_counts<attention>();
}

}  // namespace
