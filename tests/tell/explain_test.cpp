// Explanations: that they hold the numbers of the plan, and that the layouts they print and draw are where TMA puts the
// elements.
#include <doctest/doctest.h>

#include <sectile/dsl/tell/explain.hpp>
#include <sectile/dsl/tell/pictures.hpp>
#include <sectile/dsl/tell/timeline/example_sizes.hpp>
#include <sectile/kernels/gemm.hpp>
#include <string>
#include <string_view>

#include "tests/exhaustively.hpp"
#include "tool/kernel_list.hpp"
#include "tool/records.hpp"

namespace {

using namespace sectile;

const plan& plan_named(std::string_view kernel) { return *tool::find_kernel(kernel).planned; }

/// What explain() says of a kernel that is compiled into the tool already.
std::string explained(std::string_view kernel) {
  return explain(plan_named(kernel), tool::find_kernel(kernel).traced()) + "\nProofs\n" +
         tell::proofs_text(plan_named(kernel));
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// B comes as K x N, half as wide a swizzle as could be, one CTA in four of a cluster.
struct other_product {
  static constexpr auto operands = sectile::operands(
      input<"A(M,K)", bf16>(), input<"B(K,N)", bf16>(row_major, swizzle_mode::b64), output<"C(M,N)", float>());
  static constexpr configuration how{
      .tile = {{"M", 128}, {"N", 64}, {"K", 32}}, .stages = 3, .cluster = {2, 2}, .consumers = 2};

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * sm.load(B, {k, n});
    sm.store(C, {m, n}, acc);
  }
};

/// Rows of A that are no multiple of the instruction's 64.
struct refused_product : other_product {
  static constexpr configuration how = other_product::how.with_tile({{"M", 96}, {"N", 64}, {"K", 32}});
};

/// A row of scales for each tile of K.
struct scaled_product {
  static constexpr auto operands =
      sectile::operands(vector_input<"S(KB,M)", f16>(with_tiles), input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                        output<"C(M,N)", float>());
  static constexpr configuration how{
      .tile = {{"M", 128}, {"N", 64}, {"K", 64}, {"KB", 1}}, .stages = 3, .cluster = {2, 1}};

  static constexpr void body(auto& sm, auto S, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto sum = sm.accumulator(C);
    sum = 0.0F;
    for (auto k : sm.pipelined(tiles<"K">(A)))
      sum += sm.accumulator(sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}))) * sm.load(S, {as<"KB">(k), m});
    sm.store(C, {m, n}, sum);
  }
};

void check_layout(const operand_tile& t) {
  CAPTURE(t.mn);
  CAPTURE(t.k);
  const swizzled_layout l = tell::layout_of(t);
  REQUIRE(size(l) == t.mn * t.k);
  for (int mn = 0; mn < t.mn; ++mn) {
    for (int k = 0; k < t.k; ++k) {
      REQUIRE(l(mn, k) * t.element_bits / 8 == written_at(t, mn, k));
    }
  }
}

}  // namespace

TEST_CASE("a vector that comes with tiles: its line, its boxes, its place in a stage and where it is read") {
  const std::string text = explain<scaled_product>();
  CAPTURE(text);
  for (const char* part : {"vector  f16        128    272  as it lies in memory, in ring 0",
                           "S: 1 box of 136, 272 bytes, from the last multiple of 16 bytes in front of a part",
                           "ring 0: 3 stages of 25600 bytes for A, B and S", "24576    272         128  S, stage 0 of ring 0",
                           "read S"})
    CHECK(contains(text, part));
}

TEST_CASE("the layout of a tile is where TMA writes its elements") {
  for (const swizzle_mode mode : {swizzle_mode::none, swizzle_mode::b32, swizzle_mode::b64, swizzle_mode::b128}) {
    check_layout({.mn = 64, .k = 128, .element_bits = 16, .major = major::k, .swizzle = mode});
    check_layout({.mn = 128, .k = 32, .element_bits = 16, .major = major::mn, .swizzle = mode});
    check_layout({.mn = 24, .k = 256, .element_bits = 8, .major = major::k, .swizzle = mode});
  }
}

TEST_CASE("a GEMM is told with the numbers of its plan") {
  const std::string text = explained("gemm_bf16");
  const plan& p = plan_named("gemm_bf16");
  for (const char* words : {"clusters of 2 x 1 CTAs", "384 threads", "4 stages of 49152 bytes for A and B",
                            "Sw<3,3,3> o 0 o (128,(64,1))", "K-major, 128-byte swizzle",
                            "each of 2 CTAs fetches 128 of the tile's 256 rows (1 box of 64 x 128, 16384 bytes)",
                            "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16",
                            "descriptor of A, stage 0, first k step: 0x4000004000010000",
                            "k steps begin at + 0, 32, 64, 96 bytes", "4 (2 consumers of 2 CTAs)"}) {
    CAPTURE(words);
    CHECK(contains(text, words));
  }
  CHECK(contains(text, std::to_string(p.shared_bytes) + " of 232448 bytes"));
  CHECK(contains(text, std::to_string(p.consumer_registers) + " for each consumer's"));
  CHECK(contains(text, "wait until at most 1 product is in flight; release ring 0 but for 1 stage"));
}

TEST_CASE("attention is told with its turns, its register operand and its three rings") {
  const std::string text = explained("attention_d128");
  for (const char* words :
       {"ping-pong", "fragment times V", "A: from registers; B: from shared memory, MN-major",
        "ring 0: 2 stages of 32768 bytes for Q", "ring 1: 2 stages", "ring 2: 2 stages", "take the turn",
        "pass the turn on", "the same as at position", "3 to 4 for their turns (256 threads)"}) {
    CAPTURE(words);
    CHECK(contains(text, words));
  }
}

TEST_CASE("consumers abreast are told with what each has of a ring, and shown with a tile each") {
  const std::string text = explained("decode_latent64");
  for (const char* words : {"a new cluster for every 2 rows of tiles", "abreast: the consumers make a tile each",
                            "ring 0: 4 stages of 16384 bytes for Q, 2 for each consumer\n",
                            "ring 1: 2 stages of 4096 bytes for R, 1 for each consumer\n",
                            "ring 2: 4 stages of 32768 bytes for L\n", "1 (1 consumer of 1 CTA)",
                            "2 (2 consumers of 1 CTA)"}) {
    CAPTURE(words);
    CHECK(contains(text, words));
  }
  const plan& p = plan_named("decode_latent64");
  CHECK(tell::sizes_for(p).front().extent[p.work][1] == 64);  // both have rows
}

TEST_CASE("work that is drawn is told, with its ring") {
  const std::string text = explained("attention_d128_causal_drawn");
  for (const char* words :
       {"dynamic: as many clusters as fit; each draws its next tile's number while it loads the one before",
        "tiles are visited in bands of 32 batches, tile by tile, the last rows first",
        "full and empty barriers of the numbers of drawn work", "numbers of drawn work, 2 slots", "full, drawn work",
        "2 (the consumers)"}) {
    CAPTURE(words);
    CHECK(contains(text, words));
  }
}

struct streamed_gemm : kernels::gemm_bf16 {
  static constexpr configuration how = kernels::gemm_bf16::how.with_streamed_tiles();
};
template <class K>
void check_streamed() {
  const std::string text = explain(plan_of<K>, tell::told_trace<K>);
  for (const char* words : {"streamed: as many clusters as fit walk from tile to tile; those of a last wave that is "
                            "short are cut along their "
                            "loop",
                            "parts of a tile have 8 trips or more; each leaves its sums, 131072 bytes, in a workspace; "
                            "the last to come adds "
                            "them up",
                            "behind the sums that go to the workspace (256 threads)"}) {
    CAPTURE(words);
    CHECK(contains(text, words));
  }
}

TEST_CASE("tiles that are cut for the end are told, with what a part takes") {
  if constexpr (test::exhaustively) check_streamed<streamed_gemm>();
}

TEST_CASE("a kernel of one's own is told as well") {
  const std::string text = explain<other_product>();
  for (const char* words : {"clusters of 2 x 2 CTAs", "MN-major, 64-byte swizzle", "Sw<2,3,3>", "m64n64k16",
                            "each of 2 CTAs fetches 64 of the tile's 128 rows", "8-byte stores"}) {
    CAPTURE(words);
    CHECK(contains(text, words));
  }
  CHECK(contains(text, "ring 0: 3 stages of 12288 bytes"));
}

TEST_CASE("vectors that are written are told with what threads do to them") {
  const std::string amax = explained("linear_amax_e4m3");
  CHECK(contains(amax, "number written"));
  CHECK(contains(amax, "combine by max"));
  const std::string parts = explained("linear_cross_entropy_bf16");
  CHECK(contains(parts, "vector written"));
  CHECK(contains(parts, "store, each element once"));
  const std::string in_order = explained("relu_gradient_bf16");
  CHECK(contains(in_order, "combine by adding in the order of the tiles"));
  CHECK(contains(in_order,
                 "of_bias: each tile leaves 512 bytes in a workspace; the last to come adds all tiles up in "
                 "their order"));
}

TEST_CASE("each matrix that is stored is told with its panels") {
  const std::string text = explained("linear_gelu_aux_bf16");
  for (const char* words :
       {"\n  Z: each consumer stores 4 boxes of 56 x 64, 7168 bytes each",
        "\n  C: each consumer stores 4 boxes of 56 x 64, 7168 bytes each", "Z, 2 panels of consumer 1",
        "C, 2 panels of consumer 0", "\n  Z: each consumer writes 4 panels of 64 x 56 with stmatrix",
        "\n  C: each consumer writes 4 panels of 64 x 56 with stmatrix", "to Z", "to C",
        "10 tiles and 8 panels in shared memory", "8 panels of the epilogue store each element once"}) {
    CAPTURE(words);
    CHECK(contains(text, words));
  }
  CHECK(!contains(text, "deferred"));
}

TEST_CASE("a tile that stays is told") {
  const std::string text = explained("long_rms_norm_bf16");
  CHECK(contains(text, "\n  ring 1: 1 stage of 16384 bytes for gamma, loaded by a CTA's first work alone\n"));
  CHECK(contains(text, "never: the tile stays"));
}

TEST_CASE("every proof is listed") {
  const std::string text = "\n" + tell::proofs_text(plan_named("gemm_bf16"),
                                                    tool::find_record(tool::find_kernel("gemm_bf16"))->prove().said);
  for (const char* proof : {"legality", "alignment", "budgets", "reachability", "banks", "protocol"}) {
    CAPTURE(proof);
    CHECK(contains(text, std::string("\n  ") + proof));
  }
  CHECK(!contains(text, "FAILS"));
}

TEST_CASE("of a kernel that is refused, the reason is told") {
  const std::string text = explain<refused_product>();
  CHECK(text.starts_with("refused: operand C: tile rows M = 96 do not split"));
}

TEST_CASE("pictures show each input's tile, and nothing that is not XML") {
  const std::vector<tell::operand_picture> pictures = tell::pictures_of(plan_named("attention_d128"));
  REQUIRE(pictures.size() == 3);
  CHECK(pictures[0].operand == "Q");
  CHECK(pictures[2].title == "V: 128 x 128 bf16, MN-major, 128-byte swizzle");
  for (const tell::operand_picture& picture : pictures) {
    REQUIRE(picture.tables.size() == 2);
    // Row 1 of a 128-byte swizzle: piece 0 goes one place on. MN-major tiles have their rows across.
    const auto& cells = picture.tables[0].cells;
    const bool k_major = picture.operand != "V";
    CHECK((k_major ? cells[1][0] : cells[0][1]).label == "9");
    CHECK(cells[1][1].label == "8");
  }
  const std::string svg = tell::to_svg(pictures, "attention");
  CHECK(svg.starts_with("<svg "));
  CHECK(svg.ends_with("</svg>\n"));
  CHECK(contains(svg, "<title>attention</title>"));
}

TEST_CASE("tables align numbers to the right and words to the left") {
  tell::table t;
  t.add("name", "bytes", "what");
  t.add("A", 16384, "x");
  t.add("longer", 8, "");
  CHECK(t.text() == "  name    bytes  what\n  A       16384  x\n  longer      8\n");
}
