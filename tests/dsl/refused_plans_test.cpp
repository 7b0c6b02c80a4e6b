// What the planner says of declarations, texts and shares that it does not take. Compilers say it of a program in
// tests/faults; here the planner's functions run, on the plan of a GEMM and on what one run of its body does, with one
// thing changed.
#include <doctest/doctest.h>

#include <sectile/dsl/plan/summation.hpp>
#include <sectile/dsl/portable/plan.hpp>
#include <sectile/dsl/proofs/addresses.hpp>
#include <sectile/dsl/proofs/first_reading.hpp>
#include <sectile/dsl/proofs/protocol_runs.hpp>
#include <sectile/dsl/roles/steps.hpp>
#include <sectile/kernels/gemm.hpp>

#include <string>
#include <tuple>

#include "tests/static_check.hpp"

using namespace sectile;

namespace {

using gemm = kernels::gemm_bf16;
using split = kernels::split_gemm<bf16, bf16, float>;
const plan gemm_plan = plan_of<gemm>;
const planner<gemm> gemm_run = trace_body<gemm>({});

struct edit {
  plan p = gemm_plan;
  configuration& how = p.how;
  operand_facts &a = p.operand[0].facts, &c = p.operand[2].facts;
};
template <class Change>
plan with(Change change) {
  edit x;
  change(x);
  return x.p;
}
struct tuple_of_the_library {
  static constexpr auto operands = std::make_tuple(input<"A(M,K)", bf16>());
};
static_assert(declares_operands<gemm> && !declares_operands<tuple_of_the_library>);
enum class copy { unchanged, scaled, masked };
/// Makes a copy of a tile and a second one, and stores one of both.
template <copy How, bool Used>
struct copies {
  static constexpr auto operands = sectile::operands(input<"X(M,N)", float>(), output<"Y(M,N)", float>());
  static constexpr configuration how{.tile = {{"M", 64}, {"N", 32}}, .stages = 2, .consumers = 1};
  static constexpr void body(auto& sm, auto X, auto Y) {
    auto [m, n] = sm.tile_of(Y);
    auto x = in_registers(sm.load(X, {m, n}));
    auto y = x, z = x;
    if constexpr (How == copy::scaled) y *= 2.0f;
    if constexpr (How == copy::masked)
      mask(
          y, {m, n}, [](int, int col) { return col > 0; }, 0.0f);
    if constexpr (Used)
      sm.store(Y, {m, n}, y);
    else
      sm.store(Y, {m, n}, z);
  }
};
template <copy How, bool Used>
inline constexpr trace_limit limit_of_copies = trace_body<copies<How, Used>>({}).log.limit;
static_assert(limit_of_copies<copy::scaled, false> == trace_limit::changed_copy);
static_assert(limit_of_copies<copy::masked, false> == trace_limit::changed_copy);
static_assert(limit_of_copies<copy::unchanged, false> == trace_limit::none);
static_assert(limit_of_copies<copy::scaled, true> == trace_limit::none);
/// The places of a run's events: its two trips load A and B and multiply, then C is stored.
enum place { loop, load_a, load_b, multiply, other_a, other_b, other_product, store };
template <class Change>
trace run(Change change) {
  trace t = gemm_run.log;
  change(t);
  return t;
}
/// A vector `name` along `mode`.
operand_facts vector_named(const char* name, const char* mode, operand_kind kind = operand_kind::vector) {
  operand_facts f{.kind = kind, .type = element_of<float>(), .tile = {1, {64}}, .modes = 1};
  for (int i = 0; name[i]; ++i) f.name[i] = name[i];
  for (int i = 0; mode[i]; ++i) f.mode_name[0][i] = mode[i];
  return f;
}
/// Writes a name.
void set(char* to, const char* text) {
  do *to++ = *text;
  while (*text++);
}

/// C(N,M) in tiles of as many elements.
operand_facts transposed_output() {
  operand_facts f = gemm_plan.operand[2].facts;
  set(f.name, "D"), set(f.mode_name[0], "N"), set(f.mode_name[1], "M");
  return f;
}
template <class Change>
product_plan product(Change change) {
  product_plan q = gemm_plan.products.at[0];
  change(q);
  return q;
}
template <class Change>
planner<gemm> wide(Change change) {
  planner<gemm> r = gemm_run;
  change(r);
  return r;
}
template <class Change>
operand_table table(Change change) {
  operand_table all = operand_table_of<gemm>();
  change(all);
  return all;
}
template <class Change>
configuration how(Change change) {
  configuration s = gemm_plan.how;
  change(s);
  return s;
}
const plan split_plan = with([](edit& x) { x.how.split = 2; });

void expect(const violation& v, rule broken, const std::string& sentence) {
  CHECK(v.what == broken);
  CHECK(std::string(v.says.text) == sentence);
}

}  // namespace

TEST_CASE("configurations and declarations that no kernel has") {
  expect(check_declarations(with([](edit& x) {
           x.how.cluster = {4, 4};
         })),
         rule::cluster_is_illegal, "a cluster of 4 x 4 CTAs: 1 to 8 CTAs are portable on sm_90");
  expect(check_declarations(with([](edit& x) { x.how.stages = 17; })), rule::stages_do_not_fit_in_shared_memory,
         "17 stages: 1 to 16 are possible");
  expect(check_declarations(with([](edit& x) { x.how.consumers = 8; })), rule::too_many_threads,
         "8 consumer warpgroups and a producer need 1152 threads; a CTA has at most 1024: 1 to 7 consumers");
  expect(check_declarations(with([](edit& x) { x.how.output_buffers = 65; })),
         rule::configuration_does_not_fit_the_program,
         "output_buffers = 65: a consumer has 1 to 64 panels for its results; 0 is as many as fit");
  expect(check_declarations(with([](edit& x) { x.how.group = 0; })), rule::program_is_not_traceable,
         "group = 0: tile rows visited together, from 1 to 4096");
  expect(check_declarations(with([](edit& x) { x.how.stagger = 5; })), rule::protocol_deadlocks,
         "stagger = 5: products by which a consumer runs behind, from 0 to the 4 stages");
  expect(check_declarations(with([](edit& x) { x.how.pingpong = true, x.how.stagger = 1; })), rule::too_many_barriers,
         "ping-pong and a stagger of 1 both order the consumers; choose one");
  expect(check_declarations(with([](edit& x) { x.how.pingpong = true, x.how.consumers = 1; })),
         rule::program_is_not_traceable, "ping-pong needs at least 2 consumers, not 1");
  expect(check_declarations(with([](edit& x) { x.how.full_turns = true; })),
         rule::configuration_does_not_fit_the_program,
         ".full_turns = true says how long a turn of ping-pong lasts; add .pingpong = true, or leave it out");
  expect(check_declarations(with([](edit& x) { x.how.own_tiles = true, x.how.consumers = 1; })),
         rule::program_is_not_traceable, "own_tiles needs at least 2 consumers that make tiles by turns, not 1");
  expect(
      check_declarations(with([](edit& x) { x.how.own_tiles = true, x.how.persistent = false; })),
      rule::program_is_not_traceable,
      "own_tiles: 2 consumers take the tiles of a CTA by turns, so it must walk over several: add .persistent = true");
  expect(check_declarations(with([](edit& x) { x.how.own_tiles = x.how.pingpong = true; })),
         rule::program_is_not_traceable, "own_tiles and ping-pong both order the consumers; choose one");
  expect(check_declarations(with([](edit& x) { x.how.own_tiles = true, x.how.stagger = 1; })),
         rule::program_is_not_traceable, "own_tiles and a stagger both order the consumers; choose one");
  CHECK(check_declarations(with([](edit& x) { x.how.own_tiles = true; })).holds());
  expect(check_declarations(with([](edit& x) { x.how.split = 0; })), rule::configuration_does_not_fit_the_program,
         "split = 0 parts of a tile; from 1, which is the whole of it, to 64 are possible");
  CHECK(check_declarations(with([](edit& x) {
          x.how.split = 64, x.how.persistent = false, x.how.cluster = {1, 1};
        })).holds());
  expect(check_declarations(with([](edit& x) { x.how.split = 65; })), rule::configuration_does_not_fit_the_program,
         "split = 65 parts of a tile; from 1 to 64 are possible, since whoever adds them up reads all of them; split "
         "less, or use smaller tiles, of which there are more");
  expect(check_declarations(with([](edit& x) { x.how.apart = true; })), rule::configuration_does_not_fit_the_program,
         "apart = true, of parts that a tile does not have: split = 1; say how many, or leave out .apart");
  expect(check_declarations(with([](edit& x) { x.how.split = 2; })), rule::configuration_does_not_fit_the_program,
         "split = 2: the parts of a tile meet when the loops of its CTAs are over, so a CTA makes one tile; leave out "
         ".persistent");
  expect(check_declarations(with([](edit& x) { x.how.split = 2, x.how.persistent = false, x.how.pingpong = true; })),
         rule::configuration_does_not_fit_the_program,
         "split = 2: the parts of a tile meet when the loops of its CTAs are over, so a CTA makes one tile; leave out "
         ".pingpong");
  expect(check_declarations(with([](edit& x) { x.how.split = 2, x.how.persistent = false, x.how.stagger = 1; })),
         rule::configuration_does_not_fit_the_program,
         "split = 2: the parts of a tile meet when the loops of its CTAs are over, so a CTA makes one tile; leave out "
         ".stagger");
  expect(check_declarations(with([](edit& x) { x.how.streamed = true, x.how.split = 2; })),
         rule::configuration_does_not_fit_the_program,
         ".streamed = true and split = 2: one cuts the tiles of the last wave, the other all of them; leave out one of "
         "the two");
  expect(check_declarations(with([](edit& x) { x.how.streamed = x.how.dynamic = true; })),
         rule::configuration_does_not_fit_the_program,
         ".streamed = true and .dynamic = true: which part of a tile a cluster makes follows from its number, so it "
         "draws none; leave out one of the two");
  expect(check_declarations(with([](edit& x) { x.how.streamed = true, x.how.persistent = false; })),
         rule::configuration_does_not_fit_the_program,
         ".streamed = true: a cluster makes whole tiles, and then its part of those that are left, so it must walk "
         "over several: add .persistent = true");
  expect(check_declarations(with([](edit& x) { x.how.streamed = x.how.pingpong = true; })),
         rule::configuration_does_not_fit_the_program,
         ".streamed = true: the consumers of a CTA leave their parts of a tile together; leave out .pingpong");
  expect(check_declarations(with([](edit& x) { x.how.streamed = x.how.own_tiles = true; })),
         rule::configuration_does_not_fit_the_program,
         ".streamed = true: the consumers of a CTA leave their parts of a tile together; leave out .own_tiles");
  expect(check_declarations(with([](edit& x) { x.how.streamed = true, x.how.stagger = 1; })),
         rule::configuration_does_not_fit_the_program,
         ".streamed = true: the consumers of a CTA leave their parts of a tile together; leave out .stagger");
  CHECK(check_declarations(with([](edit& x) { x.how.streamed = true; })).holds());
  expect(check_declarations(with([](edit& x) { x.how.dynamic = true, x.how.split = 2; })),
         rule::configuration_does_not_fit_the_program,
         "split = 2 and .dynamic = true: the parts of a tile meet when its loops are over, so its CTAs make one tile "
         "and draw no other; leave out one of the two");
  expect(check_declarations(with([](edit& x) { x.how.dynamic = true, x.how.persistent = false; })),
         rule::configuration_does_not_fit_the_program,
         ".dynamic = true: a cluster draws its next tile when it is done with one, so it must walk over several: add "
         ".persistent = true");
  expect(check_declarations(with([](edit& x) { x.how.batches = 0; })), rule::program_is_not_traceable,
         "batches = 0: batches visited together, from 1 to 65535");
  expect(check_declarations(with([](edit& x) { x.how.batches = 2; })), rule::configuration_does_not_fit_the_program,
         "batches = 2 visited together, but C has 2 modes and no batches; leave it out");
  expect(check_declarations(with([](edit& x) { x.a.tile.extent[1] = 0; })), rule::tma_box_is_illegal,
         "operand A: tile extent 0 of mode 1 must be at least 1");
  expect(check_declarations(with([](edit& x) { x.a.tile.extent[1] = 60; })), rule::tma_box_is_illegal,
         "operand A: 60 contiguous elements are 120 bytes; TMA copies multiples of 16 bytes: use a multiple of 8 "
         "elements");
  expect(check_declarations(with([](edit& x) { x.a.tile.extent[1] = 32; })), rule::swizzle_is_wider_than_the_tile,
         "operand A: a swizzle of 128 bytes does not fit the tile's 64 contiguous bytes; use one of at most 64 bytes");
  expect(check_declarations(with([](edit& x) { x.a.sparse = true, x.a.order = col_major; })),
         rule::operand_major_has_no_wgmma_instruction,
         "operand A: a sparse operand is a row-major matrix, without batch modes");
  expect(check_declarations(
             with([](edit& x) { x.a.sparse = true, x.a.type = element_of<float>(), x.a.tile.extent[1] = 128; })),
         rule::types_have_no_wgmma_instruction,
         "operand A: wgmma has no sparse f32; f16, bf16, tf32, e4m3, e5m2, s8 and u8 can be sparse");
  expect(check_declarations(with(
             [](edit& x) { x.a.sparse = true, x.a.tile.extent[1] = 160, x.p.operand[0].swizzle = swizzle_mode::b32; })),
         rule::tile_is_not_a_multiple_of_the_instruction,
         "operand A: a sparse tile of bf16 has a multiple of 64 columns, because a block of metadata serves so many; "
         "not 160");
  expect(
      check_declarations(with([](edit& x) { x.a.sparse = true, x.a.tile.extent[1] = 256, x.a.tile.extent[0] = 96; })),
      rule::tile_is_not_a_multiple_of_the_instruction,
      "operand A: a sparse tile has a multiple of 64 rows, because a block of metadata serves so many; not 96");
  expect(check_declarations(with([](edit& x) { x.c.type = element_of<tf32>(); })),
         rule::types_have_no_wgmma_instruction,
         "operand C: outputs are bf16, f16, f32, s32, e4m3, e5m2, s8 or u8, not tf32");
  expect(check_declarations(with([](edit& x) { x.c.type = element_of<s8>(), x.c.tile.extent[1] = 240; })),
         rule::tile_is_not_a_multiple_of_the_instruction,
         "operand C: tile columns N = 240 of an output of s8 are not a multiple of 32; use 256");
  expect(check_declarations(with([](edit& x) {
           x.how.swap = true, x.c.order = col_major, x.c.type = element_of<s8>(), x.c.tile.extent[0] = 240,
           x.c.tile.extent[1] = 128;
         })),
         rule::tile_is_not_a_multiple_of_the_instruction,
         "operand C: tile rows M = 240 of an output of s8 are not a multiple of 32; use 256");
  expect(check_declarations(with([](edit& x) { x.c.tile.extent[0] = 192; })),
         rule::tile_rows_do_not_split_over_the_consumers,
         "operand C: tile rows M = 192 do not split into the instruction's 64 rows for each of 2 consumers; use 256 or "
         "another number of consumers");
  expect(check_declarations(with([](edit& x) { x.how.swap = true, x.c.tile.extent[1] = 192; })),
         rule::tile_rows_do_not_split_over_the_consumers,
         "operand C: tile columns N = 192 do not split into the instruction's 64 rows (of the transpose, .swap = true) "
         "for each of 2 consumers; use 256 or another number of consumers");
  expect(check_declarations(with([](edit& x) { x.a = vector_named("bias", "N"), x.a.type = element_of<s4x2>(); })),
         rule::types_have_no_wgmma_instruction,
         "operand bias: a vector of s4 cannot be read element by element; its elements have 8 bits or more");
  expect(check_declarations(with([](edit& x) { x.a = vector_named("bias", "N"), x.a.order = col_major; })),
         rule::operand_is_used_in_another_way,
         "operand bias is a vector, which has no storage order and no swizzle: input<\"bias(N)\", ..>()");
  expect(check_declarations(with(
             [](edit& x) { x.a = vector_named("sums", "N", operand_kind::vector_output), x.a.swizzle = swizzle_mode::none; })),
         rule::operand_is_used_in_another_way,
         "operand sums is a vector, which has no storage order and no swizzle: output<\"sums(N)\", ..>()");
  CHECK(check_declarations(with([](edit& x) { x.a = vector_named("bias", "N"); })).holds());
  expect(check_declarations(with([](edit& x) {
           x.a.tile = {3, {2, 128, 64}};
         })),
         rule::batch_modes_must_have_tile_extent_1,
         "operand A: tile extent 2 of batch mode 0 must be 1; only the last two modes are tiled");
  expect(check_declarations(with([](edit& x) {
           x.a = vector_named("bias", "N"), x.a.tile = {2, {2, 64}};
         })),
         rule::batch_modes_must_have_tile_extent_1,
         "operand bias: tile extent 2 of batch mode 0 must be 1; only the last mode of a vector is tiled");
  expect(check_declarations(with([](edit& x) {
           x.a = vector_named("sums", "N", operand_kind::vector_output), x.a.tile = {2, {2, 64}};
         })),
         rule::batch_modes_must_have_tile_extent_1,
         "operand sums: tile extent 2 of batch mode 0 must be 1; only the last mode of a vector is tiled; one that "
         "counts tiles has a name of its own");
  expect(check_declarations(with([](edit& x) { x.c.kind = operand_kind::input; })), rule::program_is_not_traceable,
         "a kernel stores 1 to 4 matrices, whose tiles are the work; this has 0");
  expect(check_declarations(with([](edit& x) { x.a.kind = operand_kind::output, x.a.type = element_of<bf16>(); })),
         rule::store_is_not_one_whole_tile,
         "outputs C(M,N) and A(M,K): the matrices that a kernel stores have the same modes in the same order");
}

// The last value that is taken, and the first one that is not.

TEST_CASE("a configuration's numbers, from the least to the most") {
  const struct {
    int configuration::*number;
    int least, most;
    rule broken;
  } limits[]{{&configuration::stages, 1, max_stages, rule::stages_do_not_fit_in_shared_memory},
             {&configuration::consumers, 1, 7, rule::too_many_threads},
             {&configuration::output_buffers, 0, 64, rule::configuration_does_not_fit_the_program},
             {&configuration::group, 1, 4096, rule::program_is_not_traceable},
             {&configuration::stagger, 0, gemm_plan.how.stages, rule::protocol_deadlocks},
             {&configuration::batches, 1, 65535, rule::program_is_not_traceable}};
  for (const auto& l : limits)
    for (const int value : {l.least - 1, l.least, l.most, l.most + 1}) {
      CAPTURE(value);
      const violation v = check_declarations(with([&](edit& x) {
        x.how.*l.number = value;
        x.c.tile = {3, {1, 64 * x.how.consumers, 256}};
      }));
      CHECK(v.what == (value < l.least || value > l.most ? l.broken : rule::holds));
    }
  for (const int parts : {0, 1, 2, 64, 65}) {
    const violation v = check_split(configuration{.split = parts});
    CHECK(v.holds() == (parts >= 1 && parts <= 64));
  }
  for (const cluster_shape& shape : {cluster_shape{1, 1}, {1, 2}, {2, 1}, {8, 1}, {1, 8}, {2, 4}})
    CHECK(check_declarations(with([&](edit& x) { x.how.cluster = shape; })).holds());
  for (const cluster_shape& shape : {cluster_shape{0, 1}, {1, 0}, {-1, -1}, {9, 1}, {1, 9}, {3, 3}})
    CHECK(check_declarations(with([&](edit& x) { x.how.cluster = shape; })).what == rule::cluster_is_illegal);
}

TEST_CASE("what a configuration says alone, where it does not go with something else") {
  const auto takes = [](auto change) { return check_declarations(with([&](edit& x) { change(x.how); })).holds(); };
  CHECK(takes([](configuration& s) { s.pingpong = true; }));
  CHECK(takes([](configuration& s) { s.pingpong = s.full_turns = true; }));
  CHECK(takes([](configuration& s) { s.stagger = 1; }));
  CHECK(takes([](configuration& s) { s.dynamic = true; }));
  CHECK(takes([](configuration& s) { s.persistent = false; }));
  CHECK(takes([](configuration& s) { s.persistent = false, s.split = 2; }));
  for (const int modes : {2, 3})
    for (const int batches : {1, 2})
      CHECK(check_batches(configuration{.batches = batches}, modes, "C").holds() == (batches == 1 || modes == 3));
}

TEST_CASE("an operand's type, order and tile") {
  CHECK(check_declarations(with([](edit& x) { x.a.tile.extent[0] = 1; })).holds());
  for (const int extent : {1, 2})
    CHECK(check_declarations(with([&](edit& x) { x.a.tile = {3, {extent, 128, 64}}; })).holds() == (extent == 1));

  const auto sparse = [](const element& type, const tile_shape& tile, storage_order order = row_major) {
    return check_sparse({.type = type, .order = order, .tile = tile, .sparse = true}).what;
  };
  constexpr rule form = rule::operand_major_has_no_wgmma_instruction, types = rule::types_have_no_wgmma_instruction,
                 size = rule::tile_is_not_a_multiple_of_the_instruction;
  for (const element& type : {element_of<e4m3>(), element_of<bf16>(), element_of<tf32>()}) {
    const int block = metadata_k(type.bits);
    CHECK(sparse(type, {2, {64, block}}) == rule::holds);
    CHECK(sparse(type, {2, {64, block}}, col_major) == form);
    CHECK(sparse(type, {3, {1, 64, block}}) == form);
    for (const int less : {block / 2, block - 1, block + 1}) CHECK(sparse(type, {2, {64, less}}) == size);
    for (const int rows : {63, 65, 96}) CHECK(sparse(type, {2, {rows, block}}) == size);
  }
  for (const element& type : {element_of<s4x2>(), element_of<float>(), element_of<s32>()})
    CHECK(sparse(type, {2, {64, 1024}}) == types);

  for (const element& type : {element_of<s4x2>(), element_of<s8>()}) {
    operand_facts f = vector_named("bias", "N");
    f.type = type;
    CHECK(check_vector(f).holds() == (type.bits == 8));
  }

  // What is written of 8 bits: a multiple of 32 columns, or any that are turned on their way.
  for (const element& type : {element_of<s8>(), element_of<bf16>()})
    for (const storage_order order : {row_major, col_major})
      for (const int extent : {224, 240, 256}) {
        const operand_facts f{.type = type, .order = order, .tile = {2, {extent, extent}}};
        const bool any = type.bits != 8 || order == col_major;
        CHECK(check_output_of_8_bits(f, {}).holds() == (any || extent != 240));
      }

  const auto slices = [](int rows, int ctas, swizzle_mode swizzle = swizzle_mode::none) {
    return check_slices({.facts = {.tile = {2, {rows, 64}}}, .swizzle = swizzle, .slices = ctas}).holds();
  };
  for (const int ctas : {1, 2, 4}) {
    CHECK(slices(8 * ctas, ctas));
    CHECK(slices(24 * ctas, ctas));
    CHECK(!slices(8 * ctas + 1, ctas));
    CHECK(!slices(9 * ctas, ctas));
    CHECK(!slices(4 * ctas, ctas));
    // Of rows of a whole span each is 128 bytes, of the narrowest span four.
    CHECK(slices(7 * ctas, ctas, swizzle_mode::b128));
    CHECK(slices(ctas > 1 ? 8 * ctas + 1 : 9, ctas, swizzle_mode::b128) == (ctas == 1));
    CHECK(slices(12 * ctas, ctas, swizzle_mode::b32));
    CHECK(!slices(6 * ctas, ctas, swizzle_mode::b32));
    // And of several boxes each is whole core matrices.
    CHECK(slices(256 * ctas, ctas, swizzle_mode::b128));
    CHECK(slices(264 * ctas, ctas, swizzle_mode::b128));
    CHECK(!slices(260 * ctas, ctas, swizzle_mode::b128));
  }
}

TEST_CASE("outputs whose tiles are not those of the work") {
  expect(check_same_tiles(gemm_plan.operand[2].facts, gemm_plan.operand[0].facts), rule::store_is_not_one_whole_tile,
         "outputs C(M,N) and A(M,K): the matrices that a kernel stores have the same modes in the same order");
  expect(check_same_tiles(gemm_plan.operand[2].facts, transposed_output()), rule::store_is_not_one_whole_tile,
         "outputs C(M,N) and D(N,M): the matrices that a kernel stores have the same modes in the same order; in "
         "memory D(N,M) is output<\"D(M,N)\", ..>(col_major)");
  expect(check_same_tiles(gemm_plan.operand[2].facts, vector_named("sums", "N", operand_kind::vector_output)),
         rule::store_is_not_one_whole_tile,
         "outputs C(M,N) and sums(N): the matrices that a kernel stores have the same modes in the same order; a "
         "number for each row or column is vector_output<\"sums(N)\", ..>()");
  expect(check_output_count(5, true), rule::program_is_not_traceable,
         "a kernel stores 1 to 4 matrices, whose tiles are the work; this has 5");
  for (const int outputs : {0, 1, max_outputs, max_outputs + 1}) {
    CHECK(check_output_count(outputs, true).holds() == (outputs <= max_outputs));
    CHECK(!check_output_count(outputs, false).holds());
  }
}

TEST_CASE("a fragment may move once the product on it is over") {
  const auto moved_after = [](auto... kinds) {
    trace_log log;
    log.note_issued(3);
    for (const event_kind kind : {kinds...}) log.record(kind, 1).value = 3;
    log.note_moved(3);
    return log.log.limit;
  };
  CHECK(moved_after(event_kind::issue, event_kind::touch) == trace_limit::none);
  CHECK(moved_after(event_kind::issue) == trace_limit::moved_in_flight);
  CHECK(moved_after(event_kind::touch, event_kind::issue) == trace_limit::moved_in_flight);
}

TEST_CASE("products that are made in vain") {
  // Position 1 makes what position 2 makes again, or adds to; then it is used, or given up.
  const auto ends = [](bool begins, bool used) {
    return run([=](trace& t) {
      t.events = 0;
      for (int i = 0; i < 3; ++i) {
        event& e = t.at[t.events++] = {};
        e.kind = i < 2 ? event_kind::issue : event_kind::touch;
        e.position = static_cast<std::int16_t>(1 + i);
        e.value = 7;
        e.begins = i == 0 || begins;
        e.last = !used;
      }
    });
  };
  CHECK(check_results(ends(false, true)).holds());
  expect(check_results(ends(true, true)), rule::program_is_not_traceable,
         "acc = a * b overwrites what a product has left in acc, and nothing has used it; acc += a * b adds");
  expect(
      check_results(ends(false, false)), rule::program_is_not_traceable,
      "a product's accumulator goes out of scope and nothing has used it; declare it before the loop, and store() it "
      "or compute with it");
  // What comes behind a use says nothing of the product before it.
  for (const event_kind use : {event_kind::touch, event_kind::store})
    for (const bool given_up : {false, true})
      CHECK(check_results(run([&](trace& t) {
              t.at[0] = {.kind = event_kind::issue, .position = 1, .value = 7};
              t.at[1] = {.kind = use, .value = 7};
              t.at[2] = {.kind = event_kind::touch, .value = 7, .last = true};
              if (!given_up) t.at[2] = {.kind = event_kind::issue, .position = 2, .value = 7, .begins = true};
              t.at[3] = {.kind = use, .value = 7};
              t.events = 4;
            })).holds());
}

TEST_CASE("bodies that cannot be traced") {
  expect(check_limits(run([](trace& t) { t.limit = trace_limit::events; })), rule::program_is_not_traceable,
         "the body does too much in a few trips: more than 384 events, 8 products or 64 fragments in products");
  expect(check_limits(run([](trace& t) { t.limit = trace_limit::positions; })), rule::program_is_not_traceable,
         "the body's text has more than 112 loads, products, uses and stores");
  expect(check_limits(run([](trace& t) { t.limit = trace_limit::loops; })), rule::program_is_not_traceable,
         "the body has more than 4 pipelined loops");
  expect(check_limits(run([](trace& t) { t.limit = trace_limit::nesting; })), rule::program_is_not_traceable,
         "the body nests pipelined loops deeper than 3");
  expect(check_limits(run([](trace& t) { t.limit = trace_limit::moved_in_flight; })), rule::program_is_not_traceable,
         "the body moves a fragment while a product on it is in flight, as `return acc;` may; return "
         "sm.accumulator(a * b) itself, or what is computed of acc, or let the function take auto& acc");
  expect(check_limits(run([](trace& t) { t.limit = trace_limit::trips_differ; })), rule::program_is_not_traceable,
         "the body does different things in different trips of a loop: no load, product, use or store may depend on "
         "what it counts itself; use mask() or a loop of 0 or 1 trips");
  expect(check_limits(run([](trace& t) { t.limit = trace_limit::fragment_chosen; })), rule::program_is_not_traceable,
         "a condition chooses which fragment is used; registers cannot be chosen when the kernel runs: use both, and "
         "choose by mask() or a factor of 0 or 1");
  CHECK(check_limits(run([](trace& t) { t.limit = trace_limit::none; })).holds());
  expect(check_trace(gemm_plan, run([](trace& t) { t.left_loop = true; })), rule::program_is_not_traceable,
         "the body leaves a pipelined loop early (break): every trip must run to its end");
  expect(check_trace(gemm_plan, run([](trace& t) {
                       t.nowhere = {0, 1, -1};
                     })),
         rule::program_is_not_traceable, "operand A is loaded at tile -1 of mode K; tiles are numbered from 0");
  expect(check_trace(gemm_plan, run([](trace& t) {
                       t.nowhere = {0, 1, 1 << 30};
                     })),
         rule::program_is_not_traceable,
         "operand A is loaded at tile 1073741824 of mode K, which no tensor has: a coordinate counts tiles, and not "
         "elements");
  expect(check_trace(gemm_plan, run([](trace& t) {
                       t.other_prime = {0, true, mode_named("M'"), mode_named("M")};
                     })),
         rule::values_are_along_other_modes,
         "operand A: a tile at a coordinate along M' comes into registers, where it would be along M and meet what is "
         "so; declare A a second time, along M' and in the same memory; where M is meant: as<\"M\">(x)");
  expect(check_trace(gemm_plan, run([](trace& t) { t.at[load_a].operand = t.at[other_a].operand = 1; })),
         rule::program_is_not_traceable,
         "operand A is an input that the body never loads; load it, or take it out of the operands");
  expect(check_trace(gemm_plan, run([](trace& t) { t.at[multiply].a_load = t.at[other_product].a_load = -1; })),
         rule::program_is_not_traceable, "operand A is loaded but no product reads it");
  expect(check_trace(gemm_plan, run([](trace& t) { t.at[multiply].a_value = t.at[multiply].value; })),
         rule::program_is_not_traceable, "a product reads its own accumulator as left factor; copy the fragment first");
  expect(
      check_trace(gemm_plan, run([](trace& t) { t.at[store].trip = 0; })), rule::store_is_not_one_whole_tile,
      "operand C is stored inside a loop; accumulate, and store once behind the loop, or declare a trip_output<..>() "
      "that has a mode of the trips");
  expect(check_trace(gemm_plan, run([](trace& t) { t.at[store].coordinate[0] = t.tile[0] + 1; })),
         rule::store_is_not_one_whole_tile,
         "operand C is stored at tile 3 of mode 0 by the work of tile 2; store at the coordinates of tile_of(C)");
  expect(check_trace(gemm_plan, run([](trace& t) { t.events = store; })), rule::program_is_not_traceable,
         "operand C is an output that the body never stores; store() it, or take it out of the operands");
  expect(check_trace(gemm_plan, run([](trace& t) { t.at[t.events] = t.at[store], ++t.events; })),
         rule::store_is_not_one_whole_tile,
         "operand C is stored 2 times by the work of one tile; store each output once");
  expect(check_trace(gemm_plan, run([](trace& t) { std::swap(t.at[store], t.at[other_product]); })),
         rule::store_is_not_one_whole_tile,
         "operand C is stored before a product of the body; what is stored is complete: store once, behind the last of "
         "them");
  expect(check_trace(gemm_plan, run([](trace& t) { std::swap(t.at[store], t.at[other_b]); })),
         rule::store_is_not_one_whole_tile,
         "operand C is stored before a product of the body; what is stored is complete: store once, behind the last of "
         "them");
  expect(
      check_trace(gemm_plan, run([](trace& t) { std::swap(t.at[store], t.at[loop]); })),
      rule::store_is_not_one_whole_tile,
      "operand C is stored before a load of the body; what is stored is complete: store once, behind the last of them");
  for (const event_kind behind : {event_kind::touch, event_kind::finish})
    CHECK(check_trace(gemm_plan, run([&](trace& t) { t.at[t.events++] = {.kind = behind}; })).holds());
  CHECK(check_store(with([](edit& x) { x.p.operand[1].facts = x.c; }),
                    run([](trace& t) { t.at[t.events] = t.at[store], t.at[t.events++].operand = 1; }))
            .holds());
  CHECK(check_trace(gemm_plan, run([](trace&) {})).holds());
  expect(check_same_text(gemm_plan, gemm_run.log, run([](trace& t) { --t.events; })), rule::program_is_not_traceable,
         "the body does different things in different runs or trips: loads, products, uses and stores must not stand "
         "under a run-time if (1 product was seen); use mask() or a loop of 0 or 1 trips");
  expect(check_same_text(gemm_plan, gemm_run.log, run([](trace& t) { t.at[other_a].operand = 1; })),
         rule::program_is_not_traceable,
         "the body does different things in different runs or trips: loads, products, uses and stores must not stand "
         "under a run-time if (1 product was seen); use mask() or a loop of 0 or 1 trips");
  expect(check_same_text(gemm_plan, gemm_run.log, run([](trace& t) { t.at[multiply].a_load = other_a; })),
         rule::program_is_not_traceable,
         "operand A: a condition chooses which loaded tile is read; a tile is what one load brought: choose the "
         "coordinates, as in sm.load(A, {c ? i : j, ..})");
  expect(check_same_text(gemm_plan, gemm_run.log, run([](trace& t) { t.at[multiply].b_load = other_b; })),
         rule::program_is_not_traceable,
         "operand B: a condition chooses which loaded tile is read; a tile is what one load brought: choose the "
         "coordinates, as in sm.load(B, {c ? i : j, ..})");
  expect(check_same_text(gemm_plan, gemm_run.log, run([](trace& t) { t.at[multiply].value = 7; })),
         rule::program_is_not_traceable,
         "a condition chooses which fragment is used; registers cannot be chosen when the kernel runs: use both, and "
         "choose by mask() or a factor of 0 or 1");
  expect(check_same_text(gemm_plan, gemm_run.log, run([](trace& t) { t.limit = trace_limit::events; })),
         rule::program_is_not_traceable,
         "the body does different things in different runs or trips: loads, products, uses and stores must not stand "
         "under a run-time if (1 product was seen); use mask() or a loop of 0 or 1 trips");
  CHECK(check_same_text(gemm_plan, gemm_run.log, run([](trace&) {})).holds());
}

TEST_CASE("a function that is given to map() leaves alone what the body computes with") {
  const auto check = [](auto change) {
    return check_written_numbers(wide([&](auto& r) { r.asks = true, change(r.log); })).what;
  };
  CHECK(check([](trace&) {}) == rule::holds);
  CHECK(check([](trace& t) { ++t.numbers; }) == rule::function_must_not_be_mutable);
  CHECK(check([](trace& t) { ++t.positions; }) == rule::function_must_not_be_mutable);
}

TEST_CASE("loops that cannot be shared out") {
  expect(check_split(split_plan, run([](trace& t) { t.loops_carry = loop_use::inner_loop; })),
         rule::configuration_does_not_fit_the_program,
         "split = 2 divides the trips of loops, but one of its loops stands in another; a loop that is split carries "
         "only sums from trip to trip: acc += a * b or sum = fma(x, y, sum)");
  expect(check_split(split_plan, run([](trace& t) { t.loops_carry = loop_use::older_trip; })),
         rule::configuration_does_not_fit_the_program,
         "split = 2 divides the trips of loops, but a trip overwrites rows, columns or a part of a vector from before "
         "it; a loop that is split carries only sums from trip to trip: acc += a * b or sum = fma(x, y, sum)");
  expect(
      check_split(split_plan, run([](trace& t) { t.loops_carry = loop_use::reduction; })),
      rule::configuration_does_not_fit_the_program,
      "split = 2 divides the trips of loops, but rows or columns are reduced in a loop, not behind it; a loop that is "
      "split carries only sums from trip to trip: acc += a * b or sum = fma(x, y, sum)");
  expect(check_split(split_plan, run([](trace& t) { t.loops_carry = loop_use::store; })),
         rule::configuration_does_not_fit_the_program,
         "split = 2 divides the trips of loops, but an output is stored in a loop; a loop that is split carries only "
         "sums from trip to trip: acc += a * b or sum = fma(x, y, sum)");
  expect(check_split(split_plan, run([](trace& t) { t.loops_carry = loop_use::older_fragment; })),
         rule::configuration_does_not_fit_the_program,
         "split = 2 divides the trips of loops, but a loop uses or overwrites a fragment from before it; a loop that "
         "is split carries only sums from trip to trip: acc += a * b or sum = fma(x, y, sum)");
  expect(check_split(split_plan, run([](trace& t) { t.loops_carry = loop_use::begun_sums; })),
         rule::configuration_does_not_fit_the_program,
         "split = 2 divides the trips of loops, but sums begin with something, which each part would add; "
         "sm.accumulator(C) is zeros as it is, and what else there is comes behind the loop");
  CHECK(check_split(split_plan, run([](trace& t) { t.loops_carry = loop_use::sums; })).holds());
  expect(check_split(with([](edit& x) { x.how.split = 2, x.p.loops.count = 0; }), gemm_run.log),
         rule::configuration_does_not_fit_the_program,
         "split = 2 divides the trips of loops, but it has none; leave out .split");
  expect(check_split(with([](edit& x) { x.how.streamed = true, x.p.loops.count = 0; }), gemm_run.log),
         rule::configuration_does_not_fit_the_program,
         ".streamed = true divides the trips of loops, but it has none; leave out .streamed");
  expect(check_split(with([](edit& x) { x.how.streamed = true, x.p.loops.count = 2; }), gemm_run.log),
         rule::configuration_does_not_fit_the_program,
         ".streamed = true divides the trips of loops, but it has several, and a range of trips is of one; write one "
         "loop, or use .split");
  expect(check_split(split_plan, run([](trace& t) { t.at[multiply].loop = -1; })),
         rule::configuration_does_not_fit_the_program,
         "split = 2 divides the trips of loops, but a product stands outside of them, which each part would add; "
         "multiply in a loop");
  expect(check_split(split_plan, run([](trace& t) { t.at[store].kind = event_kind::load; })),
         rule::configuration_does_not_fit_the_program,
         "split = 2 divides the trips of loops, but nothing that they sum is used behind them; leave out "
         ".split");
  expect(check_split(split_plan, run([](trace& t) { std::swap(t.at[store], t.at[other_product]); })),
         rule::configuration_does_not_fit_the_program,
         "split = 2 divides the trips of loops, but sums are used before the last loop; a loop that is split carries "
         "only sums from trip to trip: acc += a * b or sum = fma(x, y, sum)");
  expect(check_split(split_plan, run([](trace& t) { t.at[other_product].b_load = load_b; })),
         rule::configuration_does_not_fit_the_program,
         "split = 2 divides the trips of loops, but a tile is used in another trip than it is loaded in; a loop that "
         "is split carries only sums from trip to trip: acc += a * b or sum = fma(x, y, sum)");
  expect(check_split(split_plan, run([](trace& t) {
                       t.at[other_product].a_load = -1, t.at[other_product].a_value = t.at[multiply].value;
                     })),
         rule::configuration_does_not_fit_the_program,
         "split = 2 divides the trips of loops, but a loop uses or overwrites a fragment from before it; a loop that "
         "is split carries only sums from trip to trip: acc += a * b or sum = fma(x, y, sum)");
  expect(check_split(with([](edit& x) { x.how.split = 2, x.p.products.at[0].instruction.d = element_of<f16>(); }),
                     gemm_run.log),
         rule::configuration_does_not_fit_the_program,
         "split = 2 divides the trips of loops, but sums of f16 lose too much when parts of them are added; sum in "
         "float: as<float>()");
  expect(
      check_split(with([](edit& x) { x.how.split = 2, x.p.products.at[0].instruction.saturate = true; }), gemm_run.log),
      rule::configuration_does_not_fit_the_program,
      "split = 2 divides the trips of loops, but clamped sums cannot be added up in parts; leave out .split");
  expect(check_equal_trips(with([](edit& x) { x.how.streamed = true; }), gemm_run.log,
                           run([](trace& t) { t.at[loop].coordinate[0] = 9; })),
         rule::configuration_does_not_fit_the_program,
         ".streamed = true shares out the trips of tiles that are alike, but the loop makes 3 for one tile and 9 for "
         "another of the same problem; use .dynamic, whose clusters draw tiles that differ");
  CHECK(check_equal_trips(with([](edit& x) { x.how.streamed = true; }), gemm_run.log, gemm_run.log).holds());
  CHECK(check_equal_trips(gemm_plan, gemm_run.log, run([](trace& t) { t.at[loop].coordinate[0] = 9; })).holds());
  expect(check_partial_sums(with([](edit& x) {
           x.how.split = 4, x.p.meetings = 1, x.p.meeting[0].words = 256, x.p.meeting[0].rounds = 2;
         })),
         rule::stages_do_not_fit_in_shared_memory,
         "split = 4: partial sums of 327680 bytes lie where the stages of A were, which have 196608; use more stages, "
         "or a smaller tile");
  // Of a loop that nobody divides, or that is not known, nothing is asked.
  const trace of_a_vector = run([](trace& t) { t.loops_carry = loop_use::older_trip; });
  CHECK(check_split(gemm_plan, of_a_vector).holds());
  CHECK(check_split(split_plan, run([&](trace& t) { t = of_a_vector, t.limit = trace_limit::events; })).holds());

  // So many sums that a loop makes are stored behind it.
  for (const int sums : {max_meetings, max_meetings + 1}) {
    const trace t = run([&](trace& r) {
      for (int i = 0; i < 2 * sums; ++i)
        r.at[i] = {.kind = i < sums ? event_kind::issue : event_kind::store,
                   .loop = static_cast<std::int16_t>(i < sums ? 0 : -1),
                   .value = static_cast<std::int16_t>(i % sums)};
      r.events = 2 * sums;
    });
    CHECK(check_split(split_plan, t).what == (sums > max_meetings ? rule::too_many_barriers : rule::holds));
  }
}

TEST_CASE("tiles that CTAs share") {
  expect(check_wide_tiles(with([](edit& x) { x.p.tall_tiles = true; }), wide([](auto&) {})), rule::cluster_is_illegal,
         "a cluster of 2 x 1 CTAs, but a tile of block_of() has all rows, and nothing lies beside or below it; use {1, "
         "1}");
  expect(check_wide_tiles(with([](edit& x) {
                            x.p.tall_tiles = true, x.how.cluster = {1, 2};
                          }),
                          wide([](auto&) {})),
         rule::cluster_is_illegal,
         "a cluster of 1 x 2 CTAs, but a tile of block_of() has all rows, and nothing lies beside or below it; use {1, "
         "1}, or have wide_block_of() give each CTA its part of the rows");
  expect(check_wide_tiles(with([](edit& x) { x.p.tall_tiles = true; }), wide([](auto& r) { r.wide_tiles = true; })),
         rule::cluster_is_illegal,
         "a cluster of 2 x 1 CTAs, but a tile of wide_block_of() has all rows, and nothing lies below it; use {1, 2}");
  expect(check_wide_tiles(with([](edit& x) {
                            x.p.wide_tiles = true, x.how.cluster = {1, 2};
                          }),
                          wide([](auto&) {})),
         rule::cluster_is_illegal,
         "a cluster of 1 x 2 CTAs shares the tiles of wide_tile_of(), whose rows they reduce together only where "
         "registers hold the transpose; say .swap = true, or use {2, 1}");
  expect(check_wide_tiles(with([](edit& x) {
                            x.p.wide_tiles = true, x.how.swap = true, x.how.cluster = {1, 2};
                          }),
                          wide([](auto& r) { r.log.written[0].how = reduction::add; })),
         rule::cluster_is_illegal,
         "a cluster of 1 x 2 CTAs shares the tiles of wide_tile_of(), and each of 2 would add the same numbers of "
         "whole rows to A; store() them, or use {2, 1}");
  expect(check_wide_tiles(with([](edit& x) {
                            x.p.wide_tiles = true, x.how.swap = true, x.how.cluster = {1, 2};
                          }),
                          wide([](auto& r) {
                            r.log.elsewhere = {0, 1, 3};
                          })),
         rule::cluster_is_illegal,
         "operand A is loaded at 3 along N by each of the 2 CTAs that share rows of C: a CTA loads its own part, at "
         "the number that wide_tile_of(C) gives");
  expect(check_wide_tiles(with([](edit& x) {
                            x.p.wide_tiles = true, x.how.swap = true, x.how.cluster = {1, 2};
                          }),
                          wide([](auto& r) { r.reduced = mode_named("L"); })),
         rule::cluster_is_illegal,
         "a cluster of 1 x 2 CTAs shares rows of C, and what it reduces along another mode than N all of them have, so "
         "it would count 2 times; use {2, 1}");
  CHECK(check_wide_tiles(with([](edit& x) {
                           x.p.wide_tiles = true, x.how.swap = true, x.how.cluster = {1, 2};
                         }),
                         wide([](auto&) {}))
            .holds());
  CHECK(check_wide_tiles(with([](edit& x) {
                           x.p.tall_tiles = x.p.wide_tiles = true, x.how.swap = true, x.how.cluster = {1, 2};
                         }),
                         wide([](auto& r) { r.wide_tiles = true; }))
            .holds());
  CHECK(check_wide_tiles(with([](edit& x) {
                           x.p.tall_tiles = true, x.how.cluster = {1, 1};
                         }),
                         wide([](auto&) {}))
            .holds());
  CHECK(check_wide_tiles(gemm_plan, wide([](auto&) {})).holds());
  for (const auto& [lines, how] :
       {std::tuple{true, reduction::max}, std::tuple{false, reduction::add}, std::tuple{false, reduction::max}})
    CHECK(check_wide_tiles(
              with([](edit& x) {
                x.p.wide_tiles = true, x.how.swap = true, x.how.cluster = {1, 2};
              }),
              wide([lines = lines, how = how](auto& r) { r.log.written[0] = {.how = how, .adds_lines = lines}; }))
              .holds() == (!lines && how == reduction::max));
  CHECK(check_wide_tiles(with([](edit& x) { x.how.cluster = {1, 2}; }), wide([](auto&) {})).holds());
}

TEST_CASE("products that wgmma does not have") {
  expect(check_products(with([](edit& x) { x.p.operand[1].facts.sparse = true; })), rule::instruction_has_no_such_form,
         "operand B is sparse and the right factor of a product; wgmma takes only the left one sparse: multiply the "
         "transposes the other way round");
  expect(check_products(with([](edit& x) { x.p.operand[1].facts.sparse = x.how.swap = true; })),
         rule::configuration_does_not_fit_the_program,
         ".swap = true with a sparse factor: registers hold the transpose, where only what is done to each element is "
         "the same; leave .swap out of this program's configurations");
  CHECK(check_products(with([](edit& x) { x.p.products.at[0].a_groups_along_k = false; })).holds());  // it is dense
  expect(check_products(with([](edit& x) {
           x.p.products.at[0].instruction.sparse = true, x.p.products.at[0].a_groups_along_k = false;
         })),
         rule::instruction_has_no_such_form,
         "operand A is sparse along its columns, so they must be the K of the product; do not transpose it");
  expect(check_products(with([](edit& x) {
           x.a.type = x.p.products.at[0].instruction.a = x.p.products.at[0].instruction.b = element_of<e4m3>(),
           x.p.products.at[0].instruction.a_major = major::mn;
         })),
         rule::operand_major_has_no_wgmma_instruction,
         "operand A: e4m3 operands must have K contiguous in memory, wgmma reads only 16-bit types the other way; "
         "declare it col_major, or swap its modes");
  expect(check_products(with([](edit& x) {
           x.p.operand[1].facts.type = x.p.products.at[0].instruction.b = x.p.products.at[0].instruction.a =
               element_of<e4m3>(),
           x.p.products.at[0].instruction.b_major = major::mn;
         })),
         rule::operand_major_has_no_wgmma_instruction,
         "operand B: e4m3 operands must have K contiguous in memory, wgmma reads only 16-bit types the other way; "
         "declare it col_major, or swap its modes");
  expect(check_products(with([](edit& x) {
           x.p.operand[1].facts.type = x.p.products.at[0].instruction.b = element_of<float>(),
           x.p.products.at[0].instruction.b_major = major::mn;
         })),
         rule::types_have_no_wgmma_instruction,
         "wgmma has no bf16 x f32 -> f32; no product takes f32: declare it as tf32, a float in memory whose upper 19 "
         "bits are multiplied, or as bf16 or f16");
  expect(check_products(with([](edit& x) { x.p.products.at[0].b.k = 24; })),
         rule::tile_is_not_a_multiple_of_the_instruction,
         "tile K = 24 is not a multiple of the instruction K = 16 (wgmma m64nNk16, bf16); use 16 or 32");
  expect(check_products(with([](edit& x) { x.p.products.at[0].instruction.n = 260; })),
         rule::n_has_no_wgmma_instruction,
         "operand B: tile N = 260; wgmma of bf16 x bf16 has N = 8, 16, 24 .. 256, not 260; use 256");
  expect(check_products(with([](edit& x) { x.p.products.at[0].a.mn = 192; })),
         rule::tile_rows_do_not_split_over_the_consumers,
         "tile rows M = 192 do not split into the instruction's 64 rows for each of 2 consumers; use 256");
  CHECK(check_reads(with([](edit& x) {
          x.p.products.reads = 1, x.p.products.read[0] = {.operand = 0, .tile = x.p.products.at[0].a, .as_sums = true};
        })).holds());
  expect(check_reads(with([](edit& x) {
           x.p.products.reads = 1, x.p.products.read[0] = {.operand = 0, .tile = x.p.products.at[0].a, .as_sums = true},
           x.p.products.read[0].tile.mn = 192;
         })),
         rule::tile_is_not_a_multiple_of_the_instruction,
         "operand A: a tile of 192 rows x 64 columns does not fill registers as sums do, 64 rows for each of 2 "
         "consumers and 8 columns at a time; use a multiple of 128 rows");
  expect(check_reads(with([](edit& x) {
           x.p.products.reads = 1, x.p.products.read[0] = {.operand = 0, .tile = x.p.products.at[0].a},
           x.p.products.read[0].tile.mn = 192;
         })),
         rule::tile_is_not_a_multiple_of_the_instruction,
         "operand A: a tile of 192 rows x 64 columns does not fill registers, 64 rows for each of 2 consumers; use a "
         "multiple of 128 rows");
  expect(check_reads(with([](edit& x) {
           x.how.swap = true, x.p.products.reads = 1,
           x.p.products.read[0] = {.operand = 0, .tile = x.p.products.at[0].a, .as_sums = true},
           x.p.products.read[0].tile.k = 4;
         })),
         rule::tile_is_not_a_multiple_of_the_instruction,
         "operand A: a tile of 128 columns x 4 rows does not fill registers as sums do (as the transpose, .swap = "
         "true), 64 columns for each of 2 consumers and 8 rows at a time");
  expect(check_reads(with([](edit& x) {
           x.a.type = element_of<e4m3>(), x.p.products.reads = 1,
           x.p.products.read[0] = {.operand = 0, .tile = x.p.products.at[0].a},
           x.p.products.read[0].tile.major = major::mn;
         })),
         rule::operand_major_has_no_wgmma_instruction,
         "operand A: e4m3 operands must have K contiguous in memory, in_registers() can turn only 16-bit elements; "
         "declare it col_major, or swap its modes");
  expect(check_reads(with([](edit& x) {
           x.how.swap = true, x.a.type = element_of<e4m3>(), x.p.products.reads = 1,
           x.p.products.read[0] = {.operand = 0, .tile = x.p.products.at[0].a},
           x.p.products.read[0].tile.major = major::mn;
         })),
         rule::operand_major_has_no_wgmma_instruction,
         "operand A: where .swap = true, in_registers() turns the tile, which it can only do to 16-bit elements, not "
         "e4m3; declare it col_major, or leave .swap out");
  expect(check_reads(with([](edit& x) {
           x.p.products.reads = 1, x.p.products.read[0] = {.operand = 0, .tile = x.p.products.at[0].a},
           x.p.products.read[0].tile.k = 8;
         })),
         rule::tile_is_not_a_multiple_of_the_instruction,
         "operand A: a tile of 128 x 8 (K-major, 128-byte swizzle) cannot be read by instructions of 64 x 16: 8 "
         "against 64");
  for (const bool swap : {false, true})
    for (const element& type : {element_of<bf16>(), element_of<e4m3>()})
      for (const major along : {major::k, major::mn}) {
        const bool holds = type.bits == 16 || along == major::k;
        CHECK(check_reads(with([&](edit& x) {
                x.how.swap = swap, x.a.type = type, x.p.products.reads = 1;
                x.p.products.read[0] = {.operand = 0,
                                        .tile = {128, 1024 / type.bits, type.bits, along, swizzle_mode::b128}};
              })).holds() == holds);
      }
}

// An instruction of ldmatrix brings four matrices.
STATIC_CASE(fills_whole_reads({64, 16, 16, major::mn, swizzle_mode::none}, 1));
STATIC_CASE(!fills_whole_reads({64, 8, 16, major::mn, swizzle_mode::none}, 1));
STATIC_CASE(fills_whole_reads({128, 8, 16, major::mn, swizzle_mode::none}, 1));
STATIC_CASE(!fills_whole_reads({128, 8, 16, major::mn, swizzle_mode::none}, 2));

TEST_CASE("GPUs before Hopper") {
  expect(portable::check_declarations(with([](edit&) {}), {7, 16}), rule::instruction_has_no_such_form,
         "wmma<M, N>: fragments are 16 x 16, 32 x 8 or 8 x 32");
  expect(portable::check_declarations(with([](edit& x) { x.how.consumers = 9; }), {}), rule::too_many_threads,
         "9 consumer warpgroups need 1152 threads; a CTA has at most 1024: 1 to 8 consumers");
  expect(portable::check_declarations(with([](edit& x) { x.a = vector_named("bias", "N"); }), {16, 16}),
         rule::instruction_has_no_such_form,
         "operand bias is a vector: nvcuda::wmma does not say which elements a thread holds; take the SIMT reading, or "
         "build for sm_90a");
  CHECK(portable::check_declarations(with([](edit& x) { x.a = vector_named("bias", "N"); }), {}).holds());
  expect(
      portable::check_declarations(with([](edit& x) { x.a = vector_named("bias", "N"), x.a.order = col_major; }), {}),
      rule::operand_is_used_in_another_way,
      "operand bias is a vector, which has no storage order and no swizzle: input<\"bias(N)\", ..>()");
  expect(portable::check_declarations(with([](edit& x) { x.a.sparse = true; }), {}), rule::instruction_has_no_such_form,
         "operand A is sparse: only wgmma on sm_90a multiplies sparse operands; build for sm_90a, or store it dense");
  expect(portable::check_declarations(with([](edit& x) { x.a.type = element_of<e5m2>(); }), {}),
         rule::types_have_no_wgmma_instruction,
         "operand A: e5m2 is multiplied by wgmma on sm_90a only; build for sm_90a, or use f16 or bf16");
  expect(portable::check_declarations(with([](edit& x) { x.a.tile.extent[1] = 0; }), {}),
         rule::tile_is_not_a_multiple_of_the_instruction, "operand A: tile extent 0 of mode 1 must be at least 1");
  expect(portable::check_declarations(with([](edit& x) {
                                        x.a.tile = {3, {2, 128, 64}};
                                      }),
                                      {}),
         rule::batch_modes_must_have_tile_extent_1,
         "operand A: tile extent 2 of batch mode 0 must be 1; only the last two modes are tiled");
  expect(portable::check_declarations(with([](edit& x) { x.a.type = element_of<u4x2>(); }), {}),
         rule::types_have_no_wgmma_instruction, "operand A: elements of u4 are read on Hopper alone");
  expect(portable::check_declarations(with([](edit& x) { x.how.swap = true; }), {16, 16}),
         rule::configuration_does_not_fit_the_program,
         ".swap = true with the WMMA reading, which stores what it holds: registers hold the transpose, where only "
         "what is done to each element is the same; leave .swap out of this program's configurations");
  expect(portable::check_declarations(with([](edit& x) { x.c.tile.extent[0] = 192; }), {}),
         rule::tile_rows_do_not_split_over_the_consumers,
         "operand C: tile rows M = 192 are not a multiple of 64 for each of 2 consumers; use 256 or another number of "
         "consumers");
  expect(portable::check_declarations(with([](edit& x) { x.how.swap = true, x.c.tile.extent[1] = 192; }), {}),
         rule::tile_rows_do_not_split_over_the_consumers,
         "operand C: tile columns N = 192 are not a multiple of 64 for each of 2 consumers; use 256 or another number "
         "of consumers");
  expect(portable::check_declarations(with([](edit& x) { x.c.tile.extent[1] = 248; }), {}),
         rule::tile_is_not_a_multiple_of_the_instruction,
         "operand C: tile columns N = 248 are not a multiple of 16; use 256");
  expect(portable::check_declarations(with([](edit& x) { x.c.tile.extent[1] = 272; }), {8, 32}),
         rule::tile_is_not_a_multiple_of_the_instruction,
         "operand C: tile columns N = 272 are not a multiple of 32; use 288");
  expect(portable::check_declarations(with([](edit& x) { x.how.swap = true, x.c.tile.extent[0] = 132; }), {}),
         rule::tile_is_not_a_multiple_of_the_instruction,
         "operand C: tile rows M = 132 are not a multiple of 8; use 136");
  expect(portable::check_declarations(with([](edit& x) { x.c.type = element_of<tf32>(); }), {}),
         rule::types_have_no_wgmma_instruction,
         "operand C: outputs are bf16, f16, f32, s32, e4m3, e5m2, s8 or u8, not tf32");
  expect(portable::check_declarations(with([](edit& x) { x.c.kind = operand_kind::input; }), {}),
         rule::program_is_not_traceable, "a kernel stores 1 to 4 matrices, whose tiles are the work; this has 0");
  CHECK(portable::check_declarations(with([](edit&) {}), {}).holds());
  expect(portable::check_declarations(with([](edit& x) { x.a.kind = operand_kind::output; }), {}),
         rule::store_is_not_one_whole_tile,
         "outputs C(M,N) and A(M,K): the matrices that a kernel stores have the same modes in the same order");
  expect(portable::check_wmma_product(product([](auto& q) { q.instruction.a = element_of<f16>(); }), {16, 16}),
         rule::types_have_no_wgmma_instruction,
         "nvcuda::wmma has no f16 x bf16; it multiplies f16, bf16, tf32, s8 or u8, both operands of one type; the SIMT "
         "reading takes more");
  expect(portable::check_wmma_product(product([](auto& q) { q.instruction.a = q.instruction.b = element_of<e4m3>(); }),
                                      {16, 16}),
         rule::types_have_no_wgmma_instruction,
         "nvcuda::wmma has no e4m3 x e4m3; it multiplies f16, bf16, tf32, s8 or u8, both operands of one type; the "
         "SIMT reading takes more");
  expect(portable::check_wmma_product(product([](auto& q) { q.instruction.d = element_of<f16>(); }), {16, 16}),
         rule::types_have_no_wgmma_instruction, "nvcuda::wmma sums bf16 in f32 only; f16 sums take f16 operands");
  expect(portable::check_wmma_product(product([](auto& q) { q.instruction.a = q.instruction.b = element_of<tf32>(); }),
                                      {32, 8}),
         rule::instruction_has_no_such_form, "nvcuda::wmma has tf32 fragments of 16 x 16 only, not of 32 x 8");
  expect(portable::check_wmma_product(product([](auto& q) { q.b.k = 40; }), {16, 16}),
         rule::tile_is_not_a_multiple_of_the_instruction,
         "tile K = 40 is not a multiple of the K = 16 of nvcuda::wmma for bf16; use 48");
  CHECK(portable::check_wmma_product(product([](auto& q) { q.b.k = 48; }), {32, 8}).holds());
  expect(portable::check_simt_product(product([](auto& q) { q.instruction.a = element_of<s8>(); })),
         rule::types_have_no_wgmma_instruction,
         "there is no product s8 x bf16; both operands are floating or both are integers, of one width");
  expect(portable::check_simt_product(
             product([](auto& q) { q.instruction.a = q.instruction.b = element_of<b1x8>(), q.a.major = major::mn; })),
         rule::operand_major_has_no_wgmma_instruction, "operands of one bit must have K contiguous in memory");
  CHECK(portable::check_simt_product(product([](auto& q) { q.b.k = 64; })).holds());
  expect(portable::check_reads(gemm_plan, run([](trace& t) {
                                 t.at[load_a] = {.kind = event_kind::read, .value = 5, .a_load = load_a},
                                 t.at[load_a].operand = 0, std::swap(t.at[load_a], t.at[load_b]),
                                 t.at[load_a] = gemm_run.log.at[load_a], t.at[load_b].a_load = load_a;
                               })),
         rule::instruction_has_no_such_form,
         "a tile of A is brought into registers and computed with; the portable readings only multiply tiles: this "
         "kernel needs sm_90a");
  expect(
      portable::check_products(with([](edit& x) { x.p.products.at[0].a_operand = -1; }),
                               run([](trace& t) { t.at[multiply].a_source = t.at[other_product].a_source = -1; }), {}),
      rule::instruction_has_no_such_form,
      "a product by operand B has a left factor that was computed in registers; the portable readings multiply tiles "
      "in shared memory: this kernel needs sm_90a");
  expect(portable::check_products(with([](edit& x) {
                                    x.p.products.count = 2, x.p.products.at[1] = x.p.products.at[0],
                                    x.p.products.at[1].instruction.a = x.p.products.at[1].instruction.b =
                                        element_of<tf32>();
                                  }),
                                  gemm_run.log, {16, 16}),
         rule::instruction_has_no_such_form,
         "products of bf16 summed in f32 and of tf32 summed in f32: nvcuda::wmma may hold their sums differently; the "
         "WMMA reading takes one kind in a kernel");
  CHECK(portable::check_products(gemm_plan, gemm_run.log, {16, 16}).holds());
  CHECK(portable::check_lifetimes(gemm_plan, gemm_run.log).holds());
  expect(portable::check_lifetimes(gemm_plan, run([](trace& t) { t.at[other_product].a_source = load_a; })),
         rule::program_is_not_traceable,
         "operand A: a tile is loaded while a product still needs the one before; the portable readings keep one tile "
         "of each operand: multiply it first");
  CHECK(portable::check_sums(gemm_plan).holds());
  expect(portable::check_sums(with([](edit& x) {
           x.a = vector_named("sums", "N", operand_kind::vector_output), x.p.operand[0].combined = reduction::add;
         })),
         rule::order_of_a_sum_is_open_say_add_in_any_order,
         "operand sums: the portable readings add tiles in the order in which they come; say "
         "reduction::add_in_any_order, or build for sm_90a");
  CHECK(portable::check_shared_rows(gemm_plan).holds());
  expect(portable::check_shared_rows(with([](edit& x) {
           x.p.wide_tiles = true, x.how.cluster = {1, 2};
         })),
         rule::cluster_is_illegal,
         "a cluster of 1 x 2 CTAs shares rows of C: only Hopper has clusters; build for sm_90a, or use {2, 1}");
}

TEST_CASE("modes in blocks, from the smallest to the largest") {
  const auto vector = [](const char* mode, int extent = 64) {
    operand_facts f{.name = "S", .kind = operand_kind::vector, .type = element_of<float>(), .tile = {2, {extent, 1}}};
    set(f.mode_name[0], mode), set(f.mode_name[1], "KB");
    f.block[0] = block_named(mode) > 1 ? block_named(mode) : 1;
    return f;
  };
  for (const char* mode : {"N", "N/2", "N/32768"}) CHECK(check_blocks(vector(mode), -1).holds());
  CHECK(check_blocks(vector("N/128"), 1).holds());
  expect(check_blocks(vector("N/1"), -1), rule::operand_is_used_in_another_way,
         "operand S: in N/1 1 neighbours have one element between them; 2 to 32768 may, as in N/128");
  expect(check_blocks(vector("N/32769"), -1), rule::operand_is_used_in_another_way,
         "operand S: in N/32769 32769 neighbours have one element between them; 2 to 32768 may, as in N/128");
  expect(check_blocks(vector("N/128"), 0), rule::operand_is_used_in_another_way,
         "operand S: N/128 is in blocks, and N is cut into groups, which end anywhere in one; give each row an element");
  operand_facts written = vector("N/128");
  written.kind = operand_kind::vector_output;
  expect(check_blocks(written, -1), rule::operand_is_used_in_another_way,
         "operand S has a mode in blocks, N/128, which vectors have that a kernel reads: vector_input<\"S(KB,N/128)\", "
         "..>(); what is written or multiplied has elements of its own");
  operand_facts both = vector("N/48");
  both.tile.extent[1] = 2;
  expect(check_blocks(both, -1), rule::batch_modes_must_have_tile_extent_1,
         "operand S: a tile of 64 x 2 meets 2 x 2 elements along N/48 and KB, and a part of a vector goes along one "
         "mode: take {\"N\", 48}, of which each has one element");
}

TEST_CASE("programs that are declared in another way") {
  expect(check_operands(table([](operand_table& all) { all.at[0].modes = 1; }), gemm_plan.how),
         rule::operand_is_used_in_another_way,
         "operand A has 1 mode, a tensor has 2 to 5, with names: input<\"A(M,K)\", ..>()");
  expect(check_operands(table([](operand_table& all) { all.at[0].modes = 6; }), gemm_plan.how),
         rule::operand_is_used_in_another_way,
         "operand A has 6 modes, a tensor has 2 to 5, with names: input<\"A(M,K)\", ..>()");
  expect(check_operands(table([](operand_table& all) { all.at[2].modes = 1; }), gemm_plan.how),
         rule::operand_is_used_in_another_way,
         "operand C has 1 mode, an output has 2 to 5, with names: output<\"C(M,K)\", ..>()");
  expect(check_operands(table([](operand_table& all) { set(all.at[0].mode_name[1], ""); }), gemm_plan.how),
         rule::operand_is_used_in_another_way, "mode 1 of operand A has no name: input<\"A(M,K)\", ..>()");
  expect(check_operands(table([](operand_table& all) { set(all.at[0].mode_name[1], "ninechars"); }), gemm_plan.how),
         rule::operand_is_used_in_another_way, "mode ninechars of operand A: a mode's name has at most 8 letters");
  expect(check_operands(table([](operand_table& all) { set(all.at[0].mode_name[1], "M"); }), gemm_plan.how),
         rule::operand_is_used_in_another_way,
         "operand A has two modes M; where both are meant to be of one size, call one M'");
  expect(check_operands(table([](operand_table& all) { all.at[0].type = {}; }), gemm_plan.how),
         rule::types_have_no_wgmma_instruction,
         "operand A: its type stores no elements; there are bf16, f16, tf32, float, e4m3, e5m2, s8, u8, s32, s4x2, "
         "u4x2 and b1x8, and shuffled<> of those of 8 and 4 bits");
  expect(check_operands(table([](operand_table& all) {
                          all.at[2].kind = operand_kind::vector_output;
                          all.at[2].tile.rank = all.at[2].modes = 0;
                        }),
                        gemm_plan.how),
         rule::operand_is_used_in_another_way,
         "operand C has 0 modes; the matrix whose tiles are the work has 2 to 5, with names: output<\"C(M,N)\", ..>()");
  expect(
      check_operands(table([](operand_table& all) {
                       for (int i = 0; i < all.count; ++i) {
                         all.at[i].kind = i < 2 ? operand_kind::vector : operand_kind::vector_output;
                         all.at[i].tile.rank = all.at[i].modes = 1;
                       }
                     }),
                     gemm_plan.how),
      rule::operand_is_used_in_another_way,
      "operand C has 1 mode, and no operand is a matrix, whose tiles would be the work; a long vector is a matrix of "
      "one row: \"C(M,N)\" and, at the launch, tensor(p, 1, n)");
  expect(check_operands(table([](operand_table& all) {
                          for (operand_facts* f : {&all.at[0], &all.at[2]}) {
                            f->tile.rank = f->modes = 3;
                            for (int d = 2; d > 0; --d) set(f->mode_name[d], f->mode_name[d - 1]);
                            for (int d = 2; d > 0; --d) f->tile.extent[d] = f->tile.extent[d - 1];
                            set(f->mode_name[0], "G"), f->tile.extent[0] = 1;
                          }
                          operand_facts& scale = all.at[all.count++] = all.at[0];
                          set(scale.name, "s");
                          scale.kind = operand_kind::vector, scale.tile = {1, {0}}, scale.modes = 1;
                        }),
                        gemm_plan.how),
         rule::configuration_does_not_fit_the_program,
         "the configuration's tile has no extent along G, a mode of s: .tile = {{\"G\", 1}, ..}: a tile has one of "
         "these, which are batches");
  expect(check_operands(table([](operand_table& all) {
                          set(all.at[2].mode_name[1], "L"), all.at[all.count++] = operand_table_of<gemm>().at[2];
                          set(all.at[3].name, "D");
                        }),
                        gemm_plan.how),
         rule::store_is_not_one_whole_tile,
         "outputs C(M,L) and D(M,N): the matrices that a kernel stores have the same modes in the same order");
  expect(check_operands(table([](operand_table& all) { all.at[all.count++] = all.at[0]; }), gemm_plan.how),
         rule::operand_is_used_in_another_way, "operands 1 and 4 are both called A; give each a name of its own");
  expect(check_operands(table([](operand_table& all) { all.at[0].tile.extent[1] = 0; }), gemm_plan.how),
         rule::configuration_does_not_fit_the_program,
         "the configuration's tile has no extent along K, a mode of A: .tile = {{\"K\", 64}, ..}");
  expect(check_operands(
             table([](operand_table& all) { all.at[0] = vector_named("bias", "N"), all.at[0].tile.extent[0] = 0; }),
             gemm_plan.how),
         rule::configuration_does_not_fit_the_program,
         "the configuration's tile has no extent along N, a mode of bias: .tile = {{\"N\", 64}, ..}, or 1 where each "
         "tile has one number of it");
  CHECK(check_operands(table([](operand_table&) {}), gemm_plan.how).holds());
  expect(check_operands(operand_table_of<gemm>(), how([](configuration& s) { s.tile.at0.along = 128; })),
         rule::an_extent_is_a_mode_and_a_number,
         "the configuration's tile has 128 where a mode belongs; an extent is a mode and a number: .tile = {{\"M\", "
         "128}, ..}");
  expect(check_operands(operand_table_of<gemm>(), how([](configuration& s) { s.tile.at0.along = mode_named("Q"); })),
         rule::configuration_does_not_fit_the_program,
         "the configuration's tile has an extent along Q, a mode that no operand has; take it out");
  expect(check_operands(operand_table_of<gemm>(), how([](configuration& s) { s.tile.at0.elements = 0; })),
         rule::configuration_does_not_fit_the_program,
         "the configuration's tile has 0 elements along M; an extent is at least 1");
  expect(check_operands(operand_table_of<gemm>(), how([](configuration& s) { s.tile.at0.elements = 2000000000; })),
         rule::configuration_does_not_fit_the_program,
         "the configuration's tile has 2000000000 elements along M; no tile of more than 65536 along a mode fits into "
         "shared memory");
  expect(check_operands(operand_table_of<gemm>(), how([](configuration& s) { s.tile.at1.along = mode_named("M"); })),
         rule::configuration_does_not_fit_the_program,
         "the configuration's tile has two extents along M: 128 and 256; leave one");
  expect(check_operands(operand_table_of<gemm>(), how([](configuration& s) {
                          s.tile.at3 = {mode_named("M'"), 64};
                        })),
         rule::configuration_does_not_fit_the_program,
         "the configuration's tile has an extent along M', a mode that no operand has; take it out");
  expect(check_operands(table([](operand_table& all) { set(all.at[1].mode_name[0], "M'"); }), how([](configuration& s) {
                          s.tile.at3 = {mode_named("M'"), 64};
                        })),
         rule::configuration_does_not_fit_the_program,
         "the configuration's tile has 64 elements along M' and 128 along M, the same mode a second time; leave one");
  CHECK(check_name(gemm_plan.operand[0].facts, "A(M,K)").holds());
  expect(check_name(gemm_plan.operand[0].facts, "a_very_long_name_of_one(M,K)"), rule::operand_is_used_in_another_way,
         "operand A..: its name has 23 letters, an operand's has at most 15; choose a shorter one");
  expect(check_taken_apart(gemm_plan.operand[2].facts), rule::coordinates_are_taken_apart_as_auto_m_n,
         "a coordinate of C is a whole place, as tile_of() and block_of() give it; name its coordinates: auto [m] = "
         "sm.block_of(C), auto [m, n] = sm.tile_of(C)");
  expect(check_body_form(3, {.fits = true, .is_member = false, .keeps_it = true, .refers = false, .returns = false}),
         rule::body_is_written_in_another_way,
         "body() takes its machine by value or const, so that nothing it does is seen: static constexpr void "
         "body(auto& sm, auto A, ..)");
  expect(check_body_form(3, {.fits = false, .is_member = true, .keeps_it = false, .refers = false, .returns = false}),
         rule::body_is_written_in_another_way,
         "body() is not static: static constexpr void body(auto& sm, auto A, ..)");
  CHECK(check_body_form(3, {.fits = true, .is_member = false, .keeps_it = false, .refers = false, .returns = false})
            .holds());
  expect(check_body_form(3, {.fits = false, .is_member = false, .keeps_it = false, .refers = false, .returns = false}),
         rule::body_is_written_in_another_way,
         "body() must take sm and an argument for each of the 3 operands: static constexpr void body(auto& sm, auto A, "
         "..), as a public member");
  expect(check_body_form(3, {.fits = true, .is_member = false, .keeps_it = false, .refers = false, .returns = true}),
         rule::body_is_written_in_another_way,
         "body() returns something, which nobody takes; what it makes is stored: static constexpr void body(auto& sm, "
         "auto A, ..)");
  expect(check_name(gemm_plan.operand[0].facts, "(M,K)"), rule::operand_is_used_in_another_way,
         "operand \"(M,K)\" has no name; A is that of \"A(M,K)\"");
  CHECK(check_sums(element_of<f16>()).holds());
  expect(check_sums({}), rule::values_do_not_combine,
         "accumulator(C, as<T>()): no sum is a T; tensor cores sum in float, in f16 or in s32");
  expect(check_form(false, true, 1, true), rule::operand_is_used_in_another_way,
         "a program declares its operands: static constexpr auto operands = sectile::operands(..), as a public "
         "member");
  expect(check_form(true, false, 0, false), rule::operand_is_used_in_another_way,
         "a program declares how it runs: static constexpr sectile::configuration how{.tile = {{\"M\", 128}, ..}}, or "
         "configurations(..) of several");
  expect(check_form(true, true, 0, false), rule::operand_is_used_in_another_way,
         "how is no configuration: static constexpr sectile::configuration how{.tile = {{\"M\", 128}, ..}}, or "
         "configurations(..) of several");
  expect(check_form(true, true, 1, false), rule::operand_is_used_in_another_way,
         "how is no constant: static constexpr sectile::configuration how{.tile = {{\"M\", 128}, ..}}, or "
         "configurations(..) of several");
  CHECK(check_form(true, true, 2, true).holds());
}

TEST_CASE("rows of tiles are stored in a loop over them") {
  expect(check_trace(with([](edit& x) { x.p.whole_rows = true; }), run([](trace&) {})),
         rule::store_is_not_one_whole_tile,
         "operand C is stored outside of a loop: the work of rows_of(C) is a whole row of tiles; for (auto j : "
         "sm.pipelined(tiles<\"N\">(C))) sm.store(C, {.., j}, x), in no other loop");
  expect(check_trace(with([](edit& x) { x.p.whole_rows = x.p.tall_tiles = true; }), run([](trace& t) {
                       t.at[store].trip = 0, t.at[store].loop = t.at[load_a].loop, t.at[store].of_trip = true,
                       ++t.at[store].coordinate[1], t.at[store].of_trip = false;
                     })),
         rule::store_is_not_one_whole_tile,
         "operand C is stored in a loop, but not at each tile once: the work of block_of(C) is a whole row of tiles; "
         "for (auto j : sm.pipelined(tiles<\"N\">(C))) sm.store(C, {.., j}, x), in no other loop");
  expect(check_trace(with([](edit& x) {
                       x.p.whole_rows = true, x.how.cluster = {1, 2};
                     }),
                     run([](trace& t) {
                       t.at[store].trip = 0, t.at[store].loop = t.at[load_a].loop, t.at[store].of_trip = true,
                       ++t.at[store].coordinate[1];
                     })),
         rule::cluster_is_illegal,
         "a cluster of 1 x 2 CTAs, but rows_of() gives each CTA whole rows: there is nothing beside them; use {2, 1}");
  expect(check_trace(with([](edit& x) { x.p.whole_rows = true; }), run([](trace& t) {
                       t.at[store].trip = 0, t.at[store].loop = t.at[load_a].loop, t.at[store].of_trip = true,
                       ++t.at[store].coordinate[1], std::swap(t.at[store], t.at[other_product]);
                     })),
         rule::store_is_not_one_whole_tile,
         "operand C is stored before a product into the fragment; what is stored is complete");
  CHECK(check_trace(with([](edit& x) { x.p.whole_rows = true; }), run([](trace& t) {
                      t.at[store].trip = 0, t.at[store].loop = t.at[load_a].loop, t.at[store].of_trip = true,
                      ++t.at[store].coordinate[1];
                    }))
            .holds());
  // Each tile once: in a loop over all of them, in its own trip. Behind it comes what is done to other fragments.
  const auto rows = [](int least, bool of_trip, const event& behind) {
    return check_store(with([=](edit& x) { x.p.whole_rows = true, x.p.loops.least[0] = least; }), run([&](trace& t) {
                         t.at[store].trip = 0, t.at[store].loop = t.at[load_a].loop, t.at[store].of_trip = of_trip;
                         t.at[t.events++] = behind;
                       }))
        .holds();
  };
  const std::int16_t stored = gemm_run.log.at[store].value, other = static_cast<std::int16_t>(stored + 1);
  for (const int least : {0, 1})
    for (const bool of_trip : {false, true})
      CHECK(rows(least, of_trip, {.kind = event_kind::touch, .value = stored}) == (least == 1 && of_trip));
  CHECK(rows(1, true, {.kind = event_kind::issue, .value = other}));
  CHECK(!rows(1, true, {.kind = event_kind::issue, .value = stored}));
  expect(check_trace(with([](edit& x) { x.p.whole_rows = true; }), run([](trace& t) {
                       t.at[store].trip = 0, t.at[store].loop = t.at[load_a].loop, t.at[store].of_trip = true,
                       ++t.at[store].coordinate[1], ++t.at[store].coordinate[0];
                     })),
         rule::store_is_not_one_whole_tile,
         "operand C is stored at tile 3 of mode 0 by the work of tile 2; store at the coordinates of rows_of(C)");
  expect(check_trace(with([](edit& x) { x.p.whole_rows = x.p.tall_tiles = true; }), run([](trace& t) {
                       t.at[store].trip = 0, t.at[store].loop = t.at[load_a].loop, t.at[store].of_trip = true,
                       ++t.at[store].coordinate[1], ++t.at[store].coordinate[0];
                     })),
         rule::store_is_not_one_whole_tile,
         "operand C is stored at tile 3 of mode 0 by the work of tile 2; store at the coordinates of block_of(C)");
}

TEST_CASE("vectors are written at the tile of the work") {
  expect(
      check_trace(with([](edit& x) { x.p.operand[1].facts = vector_named("sums", "N", operand_kind::vector_output); }),
                  run([](trace& t) { t.written[1].times = 0; })),
      rule::program_is_not_traceable,
      "operand sums is an output that the body never writes; store() or combine() it, or take it out of the operands");
  expect(
      check_trace(with([](edit& x) { x.p.operand[1].facts = vector_named("sums", "N", operand_kind::vector_output); }),
                  run([](trace& t) { t.written[1] = {.times = 1, .coordinate = {9}}; })),
      rule::store_is_not_one_whole_tile,
      "operand sums is written at tile 9 of mode N by the work of tile 2; write at the coordinates of tile_of(C)");
  CHECK(
      check_trace(with([](edit& x) { x.p.operand[1].facts = vector_named("sums", "N", operand_kind::vector_output); }),
                  run([](trace& t) { t.written[1] = {.times = 1, .coordinate = {t.tile[1]}}; }))
          .holds());
  expect(check_trace(with([](edit& x) {
                       x.p.operand[1].facts = vector_named("sums", "T", operand_kind::vector_output),
                       x.p.operand[1].counted[0] = 1;
                     }),
                     run([](trace& t) { t.written[1] = {.times = 1, .coordinate = {9}}; })),
         rule::store_is_not_one_whole_tile,
         "operand sums: mode T is none of C's, so it counts tiles along one that sums lacks: as<\"T\">(n), n a "
         "coordinate of tile_of(C), not 9");
  CHECK(check_trace(with([](edit& x) {
                      x.p.operand[1].facts = vector_named("sums", "T", operand_kind::vector_output),
                      x.p.operand[1].counted[0] = 1;
                    }),
                    run([](trace& t) { t.written[1] = {.times = 1, .coordinate = {t.tile[0]}}; }))
            .holds());
  // Whichever of the work's modes it has, the first one as well.
  for (const int mode : {0, 1})
    for (const int apart : {0, 1})
      CHECK(check_trace(with([&](edit& x) {
                          x.p.operand[1].facts = vector_named("sums", mode ? "N" : "M", operand_kind::vector_output);
                        }),
                        run([&](trace& t) { t.written[1] = {.times = 1, .coordinate = {t.tile[mode] + apart}}; }))
                .holds() == (apart == 0));
}

TEST_CASE("vectors that are written in another way") {
  expect(
      check_vector_write(vector_named("sums", "N", operand_kind::vector_output), {}), rule::program_is_not_traceable,
      "operand sums is an output that the body never writes; store() or combine() it, or take it out of the operands");
  expect(check_vector_write(vector_named("sums", "N", operand_kind::vector_output), {.times = 1, .in_loop = true}),
         rule::store_is_not_one_whole_tile,
         "operand sums is written inside a loop; reduce what the trips have, and write once behind the loop");
  expect(check_vector_write(vector_named("sums", "N", operand_kind::vector_output), {.times = 2}),
         rule::store_is_not_one_whole_tile,
         "operand sums is written 2 times by the work of one tile; write each vector once");
  expect(check_vector_write(vector_named("sums", "N", operand_kind::vector_output), {.times = 1, .added_again = 64}),
         rule::operand_is_used_in_another_way,
         "combine into sums: what is added is one number that all 64 rows have, as col_sum() of rows' numbers leaves "
         "it: it would be added 64 times; combine rows' own numbers, as row_sum(x), or x");
  expect(check_vector_write(vector_named("sums", "N", operand_kind::vector_output), {.times = 1, .combines = true}),
         rule::operand_is_used_in_another_way,
         "combine into sums without a reduction: sm.combine(sums, {..}, x, reduction::max), or min, add or "
         "add_in_any_order");
  for (const int rows : {1, 2})
    CHECK(check_vector_write(vector_named("sums", "N", operand_kind::vector_output), {.times = 1, .added_again = rows})
              .holds() == (rows == 1));
  CHECK(check_vector_write(vector_named("sums", "N", operand_kind::vector_output), {.times = 1}).holds());
}

namespace {

trip_part begins_early(int trips, int part, int parts) {
  const trip_part own = part_of_trips(trips, part, parts);
  return {part > 0 ? own.first - 1 : 0, own.count};
}
/// The first of two parts goes back what the second one makes too much.
trip_part goes_back(int trips, int part, int) { return part == 0 ? trip_part{0, -1} : trip_part{-1, trips + 1}; }
long long one_byte_more(const plan& p, long long tiles) { return workspace_bytes(p, tiles) + 1; }

}  // namespace

TEST_CASE("parts of a loop and their places in a workspace") {
  for (const auto part_of : {begins_early, goes_back})
    CHECK(check_parts(split_plan, *part_of).what == rule::epilogue_misses_or_doubles_elements);
  CHECK(check_parts(split_plan).holds());
  const plan p = with([](edit& x) { x.how.split = 9, x.p.meetings = 1, x.p.meeting[0].words = 128; });
  REQUIRE(p.how.uses_workspace());
  CHECK(check_workspace_places(p).holds());
  CHECK(check_workspace_places(p, one_byte_more).what == rule::epilogue_misses_or_doubles_elements);
}

TEST_CASE("a plan that is made when a program runs is the one that its compiler makes") {
  static constexpr const plan& told = plan_of<split>;
  const plan p = made_by(&build_plan<split>);
  REQUIRE(p.refusal.holds());
  REQUIRE(p.meetings == 1);
  CHECK(p.meeting[0] == told.meeting[0]);
  CHECK(p.meeting[0].words == 64 * 64 / 128);
  CHECK(p.meeting[0].rounds == 2);  // of four parts each adds up a share first
  CHECK(p.meeting[0].offset == p.ring[p.sums_ring].offset);
  CHECK(p.meeting[0].shares - p.meeting[0].offset == 64 * 64 * 4);
  CHECK(check_partial_sums(p).holds());
  CHECK(p.shared_bytes == told.shared_bytes);
  constexpr int capacity = protocol::log_capacity(told), tried = protocol::tried_runs(told);
  CHECK(protocol::log_capacity(p) == capacity);
  CHECK(protocol::tried_runs(p) == tried);
  for (int part = 0, next = 0; part < 4; ++part) {
    CHECK(part_of_trips(10, part, 4).first == next);
    for (next += part_of_trips(10, part, 4).count; const int trip : {next - 1})
      CHECK(part_of_trip(trip, 10, 4) == part);
  }
}

TEST_CASE("what roles and proofs read of a plan") {
  constexpr step told{.wait = 9,
                      .wait_after = 2,
                      .fence = true,
                      .settle = true,
                      .keep = {3, -1, -1, -1},
                      .release = {0, 2, 0, 0},
                      .meeting = 1,
                      .loop_end = 111};
  step s = told;
  const packed_step read = pack(s);
  CHECK(read.bits == std::integral_constant<std::uint64_t, pack(told).bits>::value);
  CHECK((read.wait() == 7 && read.wait_after() == 2 && read.meeting() == 1 && read.loop_end() == 111));
  CHECK((read.fence() && read.settle() && !read.opens() && !read.closes() && !read.wait_in_order()));
  CHECK((read.keep(0) == 3 && read.keep(1) == 0 && read.release(0) == 0 && read.release(1) == 2));

  const plan p = made_by(&build_plan<split>);
  const protocol::address_book b = protocol::address_book_of(p);
  const auto at = [](int address) { return static_cast<std::uint32_t>(address); };
  CHECK(b.barrier_at(at(p.ring[0].full_barrier + 8)) == 1);
  CHECK(b.barrier_at(at(p.ring[0].full_barrier + 4)) == -1);
  CHECK(b.barrier_at(at(p.meeting[0].barrier)) == 2 * p.ring[0].stages);
  CHECK(b.slot_at(at(p.ring[0].offset + p.ring[0].stage_bytes)) == protocol::slot_of(0, 1));
  CHECK(b.slot_at(at(p.epilogue[0].offset)) == -1);
  CHECK(b.panel_at(at(p.epilogue[0].offset + p.epilogue[0].panel_bytes - 1)) == 0);
  CHECK(b.sums_at(at(p.meeting[0].offset)) == 0);
  CHECK(b.sums_at(at(p.meeting[0].shares)) == p.how.consumers);
  CHECK(b.ticket_at(0) == -1);

  CHECK(made_by(&find_summation<split>) == summation_of<split>);
  CHECK(tile_of_a_trip(p).of(mode_named("K")) == 128);
  CHECK(tile_of_a_trip(p).of(mode_named("M")) == 0);
  CHECK(!visits_other_rows(gemm_plan, gemm_run.log));
  CHECK(visits_other_rows(gemm_plan, run([](trace& t) { ++t.at[load_a].coordinate[0]; })));
}

TEST_CASE("so is a plan for GPUs before Hopper") {
  const auto same = [](const portable::portable_plan& p, const portable::portable_plan& told) {
    CHECK(p.refusal.holds());
    for (int o = 0; o < 2; ++o) CHECK(p.tile[o].offset == told.tile[o].offset);
    CHECK(p.tile[1].offset >= p.tile[0].bytes());
    CHECK(p.staging == told.staging);
    CHECK(p.shared_bytes == told.shared_bytes);
    CHECK(p.architecture == told.architecture);
  };
  same(made_by(&portable::build_portable_plan<gemm, portable::simt>), portable::portable_plan_of<gemm, portable::simt>);
  using fragments = portable::wmma<16, 16>;
  same(made_by(&portable::build_portable_plan<gemm, fragments>), portable::portable_plan_of<gemm, fragments>);
  CHECK(made_by(&portable::build_portable_plan<gemm, fragments>).architecture == 80);  // the first with bf16
}

TEST_CASE("a configuration with one thing changed") {
  constexpr configuration from{.tile = {{"M", 128}}};
  CHECK(from.with_tile({{"M", 64}}).tile.of(mode_named("M")) == 64);
  CHECK(from.with_cluster({1, 2}).cluster == cluster_shape{1, 2});
  CHECK(from.with_own_tiles().own_tiles);
  CHECK(from.with_drawn_tiles().dynamic);
  CHECK(from.with_streamed_tiles().streamed);
  CHECK(from.with_group(16).group == 16);
  CHECK(from.with_output_buffers(3).output_buffers == 3);
  CHECK(from.with_output_buffers(0) == from);
}
