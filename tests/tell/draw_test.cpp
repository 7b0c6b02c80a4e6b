// Pictures of plans: all that there are, whole and readable, and numbers in them that are the plan's.
#include <doctest/doctest.h>

#include <cstdio>
#include <map>
#include <sectile/dsl.hpp>
#include <sectile/dsl/launch/words.hpp>
#include <sectile/dsl/plan/epilogue.hpp>
#include <sectile/dsl/tell/draw/figures.hpp>
#include <sectile/dsl/tell/draw/plan_figures.hpp>
#include <sectile/layouts/error.hpp>
#include <sectile/layouts/picture_sheet.hpp>

#include "tests/tell/draw_kit.hpp"

using namespace sectile;
using namespace sectile::test;
using tell::draw_figure, tell::figure, tell::figure_ids;

namespace {

void check_document(const figure& f) {
  CHECK(is_well_formed(f.svg));
  CHECK(
      f.svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"sectile-figure\" role=\"img\" viewBox=\""));
  CHECK(f.svg.find("\n<title>" + xml_escaped(f.title) + "</title>\n<desc>" + xml_escaped(f.alt) + "</desc>\n") !=
        std::string::npos);
  CHECK(!f.title.empty());
  CHECK(f.alt.size() > f.title.size());
  CHECK(f.alt.back() != ' ');
  CHECK(f.svg.size() < 60'000);
  CHECK(count(f.svg, " id=\"") == 0);  // many pictures stand in one page
  CHECK(count(f.svg, "nan") + count(f.svg, "inf\"") == 0);
  CHECK(count(f.svg, "prefers-color-scheme") == 1);
}

/// Every colour and stroke comes from the style sheet.
void check_styles(const figure& f) {
  const std::size_t body = f.svg.find("</style>");
  for (const char* attribute : {" fill=", " stroke=", " style=", "#"})
    CHECK_MESSAGE(f.svg.find(attribute, body) == std::string::npos, f.title, attribute);
}

/// All pictures of one kernel in `every`; returns how many there are.
int check_pictures(int every) {
  int pictures = 0, kernels = 0;
  for (const tool::kernel_facts& kernel : tool::kernel_list()) {
    if (kernel.planned == nullptr || kernels++ % every != 0) continue;
    for (const tell::named_figure& drawn : tell::figures_of(*kernel.planned)) {
      CAPTURE(kernel.name);
      CAPTURE(drawn.id);
      check_document(drawn.picture);
      check_styles(drawn.picture);
      CHECK(draw_figure(*kernel.planned, drawn.id).svg == drawn.picture.svg);
      ++pictures;
    }
  }
  return pictures;
}

}  // namespace

TEST_CASE("every picture of one kernel in five is whole, small and the same again") { CHECK(check_pictures(5) > 100); }
TEST_CASE("every picture of every kernel is" * doctest::test_suite("exhaustive")) { CHECK(check_pictures(1) > 500); }

TEST_CASE("which pictures there are follows from the plan") {
  const auto has = [](const char* kernel, const char* id) {
    const std::vector<std::string> ids = figure_ids(plan_named(kernel));
    return std::ranges::find(ids, id) != ids.end();
  };
  for (const char* id : {"hierarchy", "A.global", "A.box", "A.memory", "A.canonical", "A.descriptor", "A.banks",
                         "B.memory", "C.global", "fragment.accumulator", "memory_map", "epilogue.banks"}) {
    CAPTURE(id);
    CHECK(has("gemm_bf16", id));
  }
  CHECK(!has("gemm_bf16", "A.metadata"));
  CHECK(!has("gemm_bf16", "fragment.A"));
  CHECK(has("sparse_gemm_tf32", "A.metadata"));
  CHECK(has("gemm_e4m3_rs", "fragment.A"));
  CHECK(has("gemm_e4m3_rs", "A.memory"));
  CHECK(!has("gemm_e4m3_rs", "A.descriptor"));  // ldmatrix needs none
  CHECK(has("attention_d64", "fragment.left"));
  CHECK(has("attention_d64", "V.memory"));
  CHECK(!has("attention_d64", "scale.global"));
  CHECK_THROWS_WITH_AS(draw_figure(plan_named("gemm_bf16"), "A.colour"), "there is no picture A.colour of this kernel",
                       layout_error);
}

TEST_CASE("the descriptor's picture has the bits that the kernel hands to wgmma") {
  for (const char* kernel : {"gemm_bf16", "gemm_bf16_nt", "sparse_gemm_tf32", "attention_d128", "gemm_b1"}) {
    const plan& p = plan_named(kernel);
    const product_plan& q = p.products.at[0];
    matrix_descriptor d = descriptor_at(q.b, 0, 0);
    d.start_bytes += static_cast<unsigned>(tell::tile_offset(p, q.b_operand));
    const std::string svg = draw_figure(p, std::string(p.operand[q.b_operand].facts.name) + ".descriptor").svg;
    CAPTURE(kernel);
    CHECK(says(svg, tell::hexadecimal(encode(d), 16)));
    CHECK(says(svg, "= " + std::to_string(d.stride_bytes) + " bytes"));
    // The 64 cells from bit 63 on are the number itself.
    std::uint64_t bits = 0;
    int cells = 0;
    for (const std::string& w : words(svg))
      if (cells < 64 && (w == "0" || w == "1")) bits = bits << 1 | (w == "1"), ++cells;
    CHECK(cells == 64);
    CHECK(bits == encode(d));
  }
}

TEST_CASE("the map of shared memory is the plan's: every stage, nothing twice, the rest is free") {
  for (const char* kernel : {"gemm_bf16", "sparse_gemm_f16", "sparse_gemm_tf32", "attention_d64", "gemm_b1"}) {
    const plan& p = plan_named(kernel);
    CAPTURE(kernel);
    std::map<int, std::pair<int, std::string>> pieces;
    for (const std::string& tip : tips(tell::draw_memory_map(p).svg)) {
      const std::size_t colon = tip.find(": ");
      int bytes = 0, offset = 0;
      if (colon == std::string::npos || std::sscanf(tip.c_str() + colon, ": %d bytes from %d on", &bytes, &offset) != 2)
        continue;
      CHECK(pieces.emplace(offset, std::pair(bytes, tip.substr(0, colon))).second);
    }
    int end = 0;
    for (const auto& [offset, piece] : pieces) {
      CHECK(offset >= end);
      end = offset + piece.first;
    }
    CHECK(end == shared_memory_limit);
    for (int r = 0; r < p.rings; ++r)
      for (int s = 0; s < p.ring[r].stages; ++s)
        for (int m = 0; m < p.ring[r].members; ++m) {
          const operand_plan& op = p.operand[p.ring[r].member[m]];
          const int at = p.ring[r].offset + s * p.ring[r].stage_bytes + op.stage_offset;
          CHECK(pieces.at(at) == std::pair(op.tile_bytes, std::string(op.facts.name)));
          if (op.metadata.bytes > 0)
            CHECK(pieces.at(at - op.stage_offset + op.metadata.stage_offset).first == op.metadata.bytes);
        }
    for (int i = 0; i < p.how.consumers * p.epilogue[0].buffers; ++i)
      CHECK(pieces.at(p.epilogue[0].offset + i * p.epilogue[0].panel_bytes).first == p.epilogue[0].panel_bytes);
    CHECK(pieces.at(p.ring[0].full_barrier).first == p.barrier_bytes);
    CHECK(pieces.at(p.shared_bytes).second == "free");
    CHECK(says(tell::draw_memory_map(p).svg, std::to_string(p.ring[0].empty_barrier)));
  }
}

TEST_CASE("boxes cover the tile, and their bytes are the plan's") {
  const plan& p = plan_named("gemm_bf16");
  const std::string svg = draw_figure(p, "B.box").svg;
  const operand_plan& b = p.operand[1];
  REQUIRE(b.slices == 2);
  for (int slice = 0; slice < 2; ++slice) {
    const int offset = box_offset(b.facts.strided(), b.swizzle, 0, slice * b.facts.strided() / 2);
    const std::string tip = tell::say("box ", slice, ", fetched by CTA ", slice, ": to byte ", offset);
    CHECK(count(svg, tip) == 2);  // in global memory and in shared memory
  }
  CHECK(draw_figure(p, "B.box").alt.find(tell::say(p.ring[0].transaction_bytes, " bytes, all that lands")) !=
        std::string::npos);
  // What the picture says of a row's units is where TMA puts them.
  int units = 0;
  for (const std::string& tip : tips(svg)) {
    int row = 0, unit = 0, byte = 0;
    if (std::sscanf(tip.c_str(), "row %d, unit %d: byte %d", &row, &unit, &byte) != 3) continue;
    CHECK(byte == smem_offset(b.box, unit * 8, row));
    ++units;
  }
  CHECK(units == 64);
  const figure v = draw_figure(plan_named("attention_d128"), "V.box");
  CHECK(v.alt.find("2 boxes of 64 x 128, each 16384 bytes") != std::string::npos);
  const figure sparse = draw_figure(plan_named("sparse_gemm_bf16"), "A.box");
  CHECK(sparse.alt.find("The metadata comes in 1 box of 128 x 2 words") != std::string::npos);
}

/// 8-bit elements by columns: 24 columns of the fragment are three stores of one matrix.
struct turned_bytes {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", e4m3>(col_major));
  static constexpr configuration how{.tile = {{"M", 64}, {"N", 24}, {"K", 64}}, .stages = 2, .consumers = 1};
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};

TEST_CASE("the epilogue's lanes lie where they store, and the verdict is the proof's") {
  for (const plan* drawn : {&plan_named("gemm_bf16"), &plan_named("gemm_bf16_f32"), &plan_named("gemm_b1"),
                            &plan_named("attention_d64"), &plan_of<turned_bytes>}) {
    const plan& p = *drawn;
    const warp_stores stores = stores_of(p.epilogue[0], p.operand[p.work].facts.type.bits);
    const int bits = stores.unit_bits, drawn_lanes = bits == 16 ? 8 * stores.blocks() : warp_lanes;
    const figure f = tell::draw_epilogue_banks(p);
    CAPTURE(f.title);
    int lanes = 0;
    for (const std::string& tip : tips(f.svg)) {
      int lane = 0, pass = 0, byte = 0;
      if (std::sscanf(tip.c_str(), "lane %d, pass %d: byte %d", &lane, &pass, &byte) != 3) continue;
      const coord at = stores.address(lane, 0);
      const int stored = panel_offset(p.epilogue[0].swizzle, p.epilogue[0].row_bytes, bits, at.row, at.col);
      const bool swizzled = lanes++ < drawn_lanes;  // the panel comes first, then the same without its swizzle
      CHECK(byte == (swizzled ? stored : byte_swizzle(p.epilogue[0].swizzle)(stored)));
    }
    CHECK(lanes == 2 * drawn_lanes);
    CHECK(says(f.svg, "no two lanes of a pass meet in a bank"));
  }
  CHECK(tell::draw_epilogue_banks(plan_of<turned_bytes>)
            .alt.find("a panel of 24 x 64 of C: stmatrix.trans, 1 matrix of 8 rows of 16 bytes") != std::string::npos);
  CHECK(says(tell::draw_store_banks(swizzle_mode::b128, 16).svg, "8 lanes of a pass meet in a bank"));
  CHECK(tell::draw_store_banks(swizzle_mode::b128, 8).alt.find("a panel of 64 x 128") != std::string::npos);
  CHECK_THROWS_WITH_AS(tell::draw_store_banks(swizzle_mode::b128, 64),
                       "epilogue: outputs of 64 bits; outputs have 8, 16 or 32", layout_error);
}

TEST_CASE("the hierarchy names the extents of every level") {
  const figure gemm = draw_figure(plan_named("gemm_bf16"), "hierarchy");
  for (const char* text : {"A cluster: 2 x 1 CTAs", "A CTA: 2 consumers", "wgmma m64n256k16",
                           "core matrices of A: 8 x 2, B: 32 x 2", "8 rows of 16 bytes, 8 elements each"}) {
    CAPTURE(text);
    CHECK(says(gemm.svg, text));
  }
  const figure attention = draw_figure(plan_named("attention_d64"), "hierarchy");
  for (const char* text : {"wgmma m64n128k16", "wgmma m64n64k16", "A consumer: registers times V"}) {
    CAPTURE(text);
    CHECK(says(attention.svg, text));
  }
  CHECK(says(draw_figure(plan_named("sparse_gemm_tf32"), "hierarchy").svg, "core matrices of A: 8 x 2, B: 32 x 4"));
}

TEST_CASE("global memory: modes, batches, order and strides") {
  const figure v = draw_figure(plan_named("attention_d128"), "V.global");
  CHECK(v.alt.find("B x H matrices of T x D, bf16, row-major") != std::string::npos);
  const figure a = draw_figure(plan_named("gemm_bf16_nn"), "A.global");
  CHECK(a.alt.find("column-major") != std::string::npos);
  CHECK(a.alt.find("Neighbours along M are 2 bytes apart") != std::string::npos);
  CHECK(a.alt.find("a multiple of 16 bytes") != std::string::npos);
  CHECK(draw_figure(plan_named("gemm_b1"), "A.global").alt.find("Neighbours along K are 1 bit apart") !=
        std::string::npos);
  CHECK_THROWS_AS(tell::draw_global(plan_named("attention_d64"), 4), layout_error);
}
