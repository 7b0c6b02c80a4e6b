// Proof 1, legality: the tiles, types and configuration can be carried out by instructions that exist. Checked while
// the plan is built, so that what follows may rely on it.
#pragma once
#include <sectile/dsl/plan/abreast.hpp>
#include <sectile/dsl/plan/instruction_table.hpp>
#include <sectile/dsl/plan/outputs.hpp>
#include <sectile/dsl/plan/split.hpp>
#include <sectile/dsl/plan/tickets.hpp>
#include <sectile/dsl/plan/traceable.hpp>

namespace sectile {

/// What of a tile lies along an instruction's 64 rows, and what along its N: its columns and rows where the
/// configuration swaps.
constexpr const char* said_instruction_m(const configuration& how) { return how.swap ? "columns" : "rows"; }
constexpr const char* said_instruction_n(const configuration& how) { return how.swap ? "rows" : "columns"; }
/// `mode`: that of the rows, or of the columns where the configuration swaps.
constexpr violation check_shared_out(const configuration& how, const char* operand, const char* mode, int extent) {
  const int unit = 64 * how.sharers();
  if (extent > 0 && extent % unit == 0) return {};
  violation v{.what = rule::tile_rows_do_not_split_over_the_consumers};
  if (operand) v << "operand " << operand << ": ";
  v << "tile " << said_instruction_m(how) << " " << mode << " = " << extent
    << " do not split into the instruction's 64 rows " << (how.swap ? "(of the transpose, .swap = true) " : "")
    << "for each of " << how.sharers() << " consumers; use " << unit * (extent / unit + 1);
  if (operand && how.sharers() > 1) v << " or another number of consumers";
  return v;
}

/// Whether whole blocks of metadata belong to a sparse operand's tile.
constexpr violation check_sparse(const operand_facts& f) {
  if (!f.sparse) return {};
  if (f.tile.rank != 2 || f.order != row_major)
    return refuse(rule::operand_major_has_no_wgmma_instruction, "operand ", f.name,
                  ": a sparse operand is a row-major matrix, without batch modes");
  const int block = metadata_k(f.type.bits);
  if (f.type.bits < 8 || f.type == element_of<float>() || f.type == element_of<s32>())
    return refuse(rule::types_have_no_wgmma_instruction, "operand ", f.name, ": wgmma has no sparse ", f.type.name,
                  "; f16, bf16, tf32, e4m3, e5m2, s8 and u8 can be sparse");
  if (f.cols() % block != 0)
    return refuse(rule::tile_is_not_a_multiple_of_the_instruction, "operand ", f.name, ": a sparse tile of ",
                  f.type.name, " has a multiple of ", block,
                  " columns, because a block of metadata serves so many; not ", f.cols());
  if (f.rows() % 64 != 0)
    return refuse(rule::tile_is_not_a_multiple_of_the_instruction, "operand ", f.name,
                  ": a sparse tile has a multiple of 64 rows, because a block of metadata serves so many; not ",
                  f.rows());
  return {};
}

/// TMA counts channels in bytes.
constexpr violation check_im2col(const operand_facts& f) {
  if (!f.im2col || f.type.bits >= 8) return {};
  return refuse(rule::types_have_no_wgmma_instruction, "operand ", f.name, ": im2col_input() takes elements of 8 bits ",
                "or more, not ", f.type.name);
}

/// What threads read element by element has elements of whole bytes, and no storage order or swizzle.
constexpr violation check_vector(const operand_facts& f) {
  if (f.type.bits < 8)
    return refuse(rule::types_have_no_wgmma_instruction, "operand ", f.name, ": a vector of ", f.type.name,
                  " cannot be read element by element; its elements have 8 bits or more");
  if (f.type.shuffled)
    return refuse(rule::types_have_no_wgmma_instruction, "operand ", f.name, ": a vector is not ", f.type.name,
                  ": the columns of a matrix are, which becomes a left factor in registers");
  if (f.order == row_major && f.swizzle.automatic) return {};
  return refuse(rule::operand_is_used_in_another_way, "operand ", f.name,
                " is a vector, which has no storage order and no swizzle: ", f.is_written() ? "output" : "input", "<\"",
                f.name, "(N)\", ..>()");
}

/// What becomes elements of an output.
constexpr violation check_output_type(const operand_facts& f) {
  if (can_be_stored(f.type)) return {};
  return refuse(rule::types_have_no_wgmma_instruction, "operand ", f.name,
                ": outputs are bf16, f16, f32, s32, e4m3, e5m2, s8 or u8, not ", f.type.name);
}
/// Elements of 8 bits are made where four lanes exchange what they hold of 32 columns. (Turned on their way, the lanes
/// of two rows exchange, and any columns do.)
constexpr violation check_output_of_8_bits(const operand_facts& f, const configuration& how) {
  if (f.type.bits != 8 || leaves_transposed(f, how) || f.contiguous() % a_columns(8) == 0) return {};
  return refuse(rule::tile_is_not_a_multiple_of_the_instruction, "operand ", f.name, ": tile ",
                f.order == row_major ? "columns " : "rows ", f.mode_name[f.tile.rank - (f.order == row_major ? 1 : 2)],
                " = ", f.contiguous(), " of an output of ", f.type.name, " are not a multiple of ", a_columns(8),
                "; use ", a_columns(8) * (f.contiguous() / a_columns(8) + 1));
}

/// Consumers with tiles of their own: what orders them otherwise, or has them work on one tile, does not go with it.
constexpr violation check_own_tiles(const configuration& s) {
  if (!s.own_tiles) return {};
  if (s.consumers < 2)
    return refuse(rule::program_is_not_traceable, "own_tiles needs at least 2 consumers that make tiles by turns, not ",
                  s.consumers);
  if (!s.persistent)
    return refuse(rule::program_is_not_traceable, "own_tiles: ", s.consumers,
                  " consumers take the tiles of a CTA by turns, so it must walk over several: add .persistent = true");
  if (s.pingpong || s.stagger > 0)
    return refuse(rule::program_is_not_traceable, "own_tiles and ", s.pingpong ? "ping-pong" : "a stagger",
                  " both order the consumers; choose one");
  return {};
}

/// Tiles, storage orders and configuration, each for itself.
constexpr violation check_declarations(const plan& p) {
  const configuration& s = p.how;
  const cluster_shape& c = s.cluster;  // each number for itself, so that none is too large to multiply
  if (c.rows < 1 || c.rows > largest_cluster || c.cols < 1 || c.cols > largest_cluster || c.size() > largest_cluster)
    return refuse(rule::cluster_is_illegal, "a cluster of ", c.rows, " x ", c.cols,
                  " CTAs: 1 to 8 CTAs are portable on sm_90");
  if (const violation v = check_dynamic(s); !v.holds()) return v;
  if (const violation v = check_streamed(s); !v.holds()) return v;
  if (const violation v = check_split(s); !v.holds()) return v;
  if (s.stages < 1 || s.stages > max_stages)
    return refuse(rule::stages_do_not_fit_in_shared_memory, s.stages, " stages: 1 to ", max_stages, " are possible");
  if (s.consumers < 1 || s.consumers > 1024 / warpgroup - 1)
    return refuse(rule::too_many_threads, s.consumers, " consumer warpgroups and a producer need ",
                  (1LL + s.consumers) * warpgroup, " threads; a CTA has at most 1024: 1 to 7 consumers");
  if (s.output_buffers < 0 || s.output_buffers > max_epilogue_buffers)
    return refuse(rule::configuration_does_not_fit_the_program, "output_buffers = ", s.output_buffers,
                  ": a consumer has 1 to ", max_epilogue_buffers, " panels for its results; 0 is as many as fit");
  if (s.group < 1 || s.group > 4096)
    return refuse(rule::program_is_not_traceable, "group = ", s.group,
                  ": tile rows visited together, from 1 to 4096");
  if (s.stagger < 0 || s.stagger > s.stages)
    return refuse(rule::protocol_deadlocks, "stagger = ", s.stagger,
                  ": products by which a consumer runs behind, from 0 to the ", s.stages, " stages");
  if (s.pingpong && s.stagger > 0)
    return refuse(rule::too_many_barriers, "ping-pong and a stagger of ", s.stagger,
                  " both order the consumers; choose one");
  if (const violation v = check_own_tiles(s); !v.holds()) return v;
  if (const violation v = check_abreast(s); !v.holds()) return v;
  if (s.pingpong && s.consumers < 2)
    return refuse(rule::program_is_not_traceable, "ping-pong needs at least 2 consumers, not ", s.consumers);
  if (s.full_turns && !s.pingpong)
    return refuse(rule::configuration_does_not_fit_the_program,
                  ".full_turns = true says how long a turn of ping-pong lasts; add .pingpong = true, or leave it out");
  int outputs = 0;
  bool writes = false;
  for (int o = 0; o < p.operands; ++o) {
    const operand_facts& f = p.operand[o].facts;
    if (f.stages != 0 && f.kind != operand_kind::input)
      return refuse(rule::operand_is_used_in_another_way, "operand ", f.name,
                    ": with_stages(n, ..) is for an input that comes in tiles, through stages; leave it out");
    if (f.kind == operand_kind::scalar) continue;
    writes = writes || f.is_written();
    for (int d = 0; d < f.batch_modes(); ++d)
      if (f.held(d) != 1 && !(f.is_vector() && d == f.line()))
        return refuse(rule::batch_modes_must_have_tile_extent_1, "operand ", f.name, ": tile extent ", f.tile.extent[d],
                      " of batch mode ", d, " must be 1; only the last ",
                      f.is_vector() ? "mode of a vector is tiled" : "two modes are tiled",
                      f.kind == operand_kind::vector_output ? "; one that counts tiles has a name of its own" : "");
    if (f.is_vector()) {
      if (const violation v = check_vector(f); !v.holds()) return v;
      continue;
    }
    outputs += f.kind == operand_kind::output;
    if (o == p.work)
      if (const violation v = check_batches(s, f.tile.rank, f.name); !v.holds()) return v;
    for (int d = 0; d < f.tile.rank; ++d)
      if (f.tile.extent[d] < 1)
        return refuse(rule::tma_box_is_illegal, "operand ", f.name, ": tile extent ", f.tile.extent[d], " of mode ", d,
                      " must be at least 1");
    if (f.kind == operand_kind::output) {
      if (const violation v = check_same_tiles(p.operand[p.work].facts, f); !v.holds()) return v;
      if (const violation v = check_trip_output(p, o); !v.holds()) return v;
      if (const violation v = check_output_type(f); !v.holds()) return v;
      if (const violation v = check_output_of_8_bits(f, s); !v.holds()) return v;
    }
    const int row_bytes = f.contiguous() * f.type.bits / 8;
    if (f.contiguous() * f.type.bits % 128 != 0)
      return refuse(rule::tma_box_is_illegal, "operand ", f.name, ": ", f.contiguous(), " contiguous elements are ",
                    row_bytes, " bytes; TMA copies multiples of 16 bytes: use a multiple of ", 128 / f.type.bits,
                    " elements");
    const int span = span_bytes(p.operand[o].swizzle);
    if (f.kind == operand_kind::input && row_bytes % span != 0)
      return refuse(rule::swizzle_is_wider_than_the_tile, "operand ", f.name, ": a swizzle of ", span,
                    " bytes does not fit the tile's ", row_bytes, " contiguous bytes; use one of at most ",
                    span_bytes(largest_swizzle(major::k, row_bytes)), " bytes");
    const int shared_out = s.swap ? f.cols() : f.rows();  // what the consumers share lies along the instruction's rows
    if (f.kind == operand_kind::output || o == p.work)
      if (const violation v = check_shared_out(s, f.name, f.mode_name[f.tile.rank - (s.swap ? 1 : 2)], shared_out);
          !v.holds())
        return v;
    if (const violation v = check_sparse(f); !v.holds()) return v;
    if (const violation v = check_im2col(f); !v.holds()) return v;
  }
  return check_output_count(outputs, writes && p.work < p.operands);
}

/// What has all rows has nothing below it. CTAs that share a wide tile show each other what they have of its rows,
/// which registers must hold as columns.
template <class Planner>
constexpr violation check_wide_tiles(const plan& p, const Planner& run) {
  const cluster_shape& c = p.how.cluster;
  const bool asked_for_wide = run.wide_tiles;
  if (p.tall_tiles && (c.rows > 1 || (c.cols > 1 && !asked_for_wide)))
    return refuse(rule::cluster_is_illegal, "a cluster of ", c.rows, " x ", c.cols, " CTAs, but a tile of ",
                  asked_for_wide ? "wide_block_of() has all rows, and nothing lies below it; use {1, "
                                 : "block_of() has all rows, and nothing lies beside or below it; use {1, ",
                  asked_for_wide ? c.size() : 1, "}",
                  asked_for_wide || c.rows > 1 ? "" : ", or have wide_block_of() give each CTA its part of the rows");
  if (p.row_sharers() == 1) return {};
  if (!p.how.swap)
    return refuse(rule::cluster_is_illegal, "a cluster of ", c.rows, " x ", c.cols, " CTAs shares the tiles of ",
                  p.tall_tiles ? "wide_block_of()" : "wide_tile_of()",
                  ", whose rows they reduce together only where registers hold the transpose; say .swap = true, or use "
                  "{",
                  c.size(), ", 1}");
  const operand_facts& work = p.operand[p.work].facts;
  for (int o = 0; o < p.operands; ++o)
    if ((run.log.written[o].adds_lines || run.log.written[o].how == reduction::add) &&
        !has_mode_of_work(work, p.operand[o].facts, work.tile.rank - 1))
      return refuse(rule::cluster_is_illegal, "a cluster of ", c.rows, " x ", c.cols, " CTAs shares the tiles of ",
                    p.tall_tiles ? "wide_block_of()" : "wide_tile_of()", ", and each of ", c.cols,
                    " would add the same numbers of whole rows to ", p.operand[o].facts.name,
                    "; store() them, or use {", c.size(), ", 1}");
  if (const tile_nowhere& t = run.log.elsewhere; t.operand >= 0)
    return refuse(rule::cluster_is_illegal, "operand ", p.operand[t.operand].facts.name, " is loaded at ", t.number,
                  " along ", work.mode_name[work.tile.rank - 1], " by each of the ", c.cols,
                  " CTAs that share rows of ", work.name, ": a CTA loads its own part, at the number that ",
                  p.tall_tiles ? "wide_block_of(" : "wide_tile_of(", work.name, ") gives");
  if (run.reduced != mode_id::any && run.reduced != work.col_mode())
    return refuse(rule::cluster_is_illegal, "a cluster of ", c.rows, " x ", c.cols, " CTAs shares rows of ", work.name,
                  ", and what it reduces along another mode than ", work.mode_name[work.tile.rank - 1],
                  " all of them have, so it would count ", c.cols, " times; use {", c.size(), ", 1}");
  return {};
}

/// Why instructions of mn x k elements cannot walk over this operand's tile.
constexpr violation check_operand(const char* name, const operand_tile& t, int mn, int k) {
  const tile_violation v = check(t, mn, k);
  if (v.ok()) return {};
  if (v.rule == tile_rule::tile_bytes)
    return refuse(rule::tile_is_not_a_multiple_of_the_instruction, "operand ", name, ": a tile of ", t.mn, " x ", t.k,
                  " has ", v.value, " bytes, of which a descriptor reaches ", v.limit, "; use a smaller one");
  return refuse(rule::tile_is_not_a_multiple_of_the_instruction, "operand ", name, ": a tile of ", t.mn, " x ", t.k,
                " (", t.major == major::k ? "K" : "MN", "-major, ", span_bytes(t.swizzle),
                "-byte swizzle) cannot be read by instructions of ", mn, " x ", k, ": ", v.value, " against ", v.limit);
}

/// The mode of operand f that a product sums over, or the other one, where t is how the product reads its tile.
constexpr const char* said_mode_of_factor(const operand_facts& f, const operand_tile& t, bool summed) {
  const bool k_is_cols = (t.major == major::k) == (f.order == row_major);
  return f.mode_name[f.tile.rank - (k_is_cols == summed ? 1 : 2)];
}
/// What each factor of a product must be: the left one only may be sparse, and K-contiguous unless it has 16 bits.
constexpr violation check_factors(const plan& p, const product_plan& q) {
  const wgmma_instruction& w = q.instruction;
  if (const instruction_table table = wgmma_table(); !find_family(table, w.a, w.b, w.d)) return check_instruction(w);
  if (q.placed) return {};
  const operand_facts& b = p.operand[q.b_operand].facts;
  if (b.sparse && p.how.swap) return check_swap("a sparse factor", true);
  if (b.sparse)
    return refuse(rule::instruction_has_no_such_form, "operand ", b.name,
                  " is sparse and the right factor of a product; wgmma takes only the left one sparse: multiply the "
                  "transposes the other way round");
  if (w.sparse && !q.a_groups_along_k)
    return refuse(rule::instruction_has_no_such_form, "operand ", p.operand[q.a_operand].facts.name,
                  " is sparse along its columns, so they must be the K of the product; do not transpose it");
  const auto wrong_major = [](const operand_facts& f) {
    return refuse(
        rule::operand_major_has_no_wgmma_instruction, "operand ", f.name, ": ", f.type.name,
        " operands must have K contiguous in memory, wgmma reads only 16-bit types the other way; declare it ",
        f.order == row_major ? "col_major" : "row_major", ", or swap its modes");
  };
  if (q.reads_a() && w.a.bits != 16 && w.a_major == major::mn) return wrong_major(p.operand[q.a_operand].facts);
  if (w.b.bits != 16 && w.b_major == major::mn) return wrong_major(b);
  return {};
}

/// A left factor that goes through shared memory is written by all consumers of a tile, which meet around it.
constexpr violation check_placed(const plan& p, const product_plan& q) {
  if (!q.placed || p.how.sharers() == 1 || !p.how.takes_turns()) return {};
  return refuse(rule::configuration_does_not_fit_the_program, p.how.pingpong ? ".pingpong" : ".stagger",
                " with .swap = true and a left factor in registers: the ", p.how.consumers,
                " consumers that share a tile write it to shared memory together, and cannot take turns; leave out ",
                p.how.pingpong ? ".pingpong" : ".stagger");
}

/// Every product is made of wgmma instructions that exist.
constexpr violation check_products(const plan& p) {
  for (int i = 0; i < p.products.count; ++i) {
    const product_plan& q = p.products.at[i];
    const wgmma_instruction& w = q.instruction;
    if (const violation v = check_factors(p, q); !v.holds()) return v;
    if (const violation v = check_placed(p, q); !v.holds()) return v;
    if (q.placed) {  // n and k are those of the product that it is made of
      if (const violation v = check_instruction(w); !v.holds()) return v;
      if (const violation v =
              check_shared_out(p.how, nullptr, said_mode_of_factor(p.operand[q.a_operand].facts, q.a, false), q.a.mn);
          !v.holds())
        return v;
      if (const violation v = check_operand(p.operand[q.a_operand].facts.name, q.a, 64, w.k); !v.holds()) return v;
      continue;
    }
    const operand_facts& facts = p.operand[q.b_operand].facts;
    const char* b = facts.name;
    const int tile_k = w.sparse ? 2 * q.a.k : q.b.k;
    if (tile_k % w.k != 0)
      return refuse(rule::tile_is_not_a_multiple_of_the_instruction, "tile ", said_mode_of_factor(facts, q.b, true),
                    " = ", tile_k, " is not a multiple of the instruction K = ", w.k, " (", w.sparse ? "sparse " : "",
                    "wgmma m64nNk", w.k, ", ", w.a.name, "); use ", tile_k < w.k ? w.k : tile_k / w.k * w.k, " or ",
                    tile_k < w.k ? 2 * w.k : tile_k / w.k * w.k + w.k);
    if (const violation v = check_instruction(w); !v.holds())
      return v.what == rule::n_has_no_wgmma_instruction
                 ? refuse(v.what, "operand ", b, ": tile ", said_mode_of_factor(facts, q.b, false), " = ", w.n, "; ",
                          v.says.text)
                 : v;
    const int rows = q.reads_a() ? q.a.mn : 64 * p.how.sharers() * q.m_blocks;
    const char* mode = q.reads_a() ? said_mode_of_factor(p.operand[q.a_operand].facts, q.a, false) : "M";
    if (const violation v = check_shared_out(p.how, nullptr, mode, rows); !v.holds()) return v;
    if (const violation v = check_operand(b, q.b, w.n, w.k); !v.holds()) return v;
    if (q.reads_a())
      if (const violation v = check_operand(p.operand[q.a_operand].facts.name, q.a, 64, stored_k(w)); !v.holds())
        return v;
  }
  return {};
}

/// Why a tile of f cannot be brought into registers, `mn` x `k` elements at a time, and which one could.
constexpr violation check_brought(const operand_facts& f, const operand_tile& t, int mn, int k, int sharers) {
  violation v = check_operand(f.name, t, mn, k);
  if (v.holds() || check(t, mn, k).rule != tile_rule::instruction_k) return v;
  v << "; use " << (t.k / k + 1) * k << " along " << said_mode_of_factor(f, t, true);
  if (t.element_bits == 16 && t.major == major::mn && t.k % 8 == 0)
    v << ", or a multiple of " << 128 * sharers << " along " << said_mode_of_factor(f, t, false);
  return v;
}

/// Whether whole instructions of four matrices, of 8 x 8 elements of 16 bits, bring a tile that no K step of a product
/// divides: 8 of its columns fill two registers of each block of 64 rows.
constexpr bool fills_whole_reads(const operand_tile& t, int sharers) {
  return t.major == major::mn && t.element_bits == 16 && t.mn % (64 * sharers) == 0 && t.k % 8 == 0 &&
         t.mn / (64 * sharers) * (t.k / 4) % 4 == 0;
}
/// Tiles that are brought into registers can be: in the order of sums either way, word by word; as left factors K
/// contiguous, or of 16-bit elements, which are transposed on the way.
constexpr violation check_reads(const plan& p) {
  for (int i = 0; i < p.products.reads; ++i) {
    const fragment_read& r = p.products.read[i];
    const operand_facts& f = p.operand[r.operand].facts;
    // (Of a block that no consumer has as a whole nobody would bring the rest.)
    const bool whole_blocks = r.tile.mn % (64 * p.how.sharers()) == 0;
    if (!whole_blocks || (r.as_sums && r.tile.k % 8 != 0)) {
      violation v =
          refuse(rule::tile_is_not_a_multiple_of_the_instruction, "operand ", f.name, ": a tile of ", r.tile.mn, " ",
                 said_instruction_m(p.how), " x ", r.tile.k, " ", said_instruction_n(p.how), " does not fill registers",
                 r.as_sums ? " as sums do" : "", p.how.swap ? " (as the transpose, .swap = true)" : "", ", 64 ",
                 said_instruction_m(p.how), " for each of ", p.how.sharers(), " consumers");
      if (r.as_sums) v << " and 8 " << said_instruction_n(p.how) << " at a time";
      if (!whole_blocks) v << "; use a multiple of " << 64 * p.how.sharers() << " " << said_instruction_m(p.how);
      return v;
    }
    if (r.as_sums) continue;
    const char* other_order = f.order == row_major ? "col_major" : "row_major";
    if (r.tile.major == major::mn && f.type.bits != 16 && p.how.swap)
      return refuse(rule::operand_major_has_no_wgmma_instruction, "operand ", f.name, ": where .swap = true, ",
                    "in_registers() turns the tile, which it can only do to 16-bit elements, not ", f.type.name,
                    "; declare it ", other_order, ", or leave .swap out");
    if (r.tile.major == major::mn && f.type.bits != 16)
      return refuse(
          rule::operand_major_has_no_wgmma_instruction, "operand ", f.name, ": ", f.type.name,
          " operands must have K contiguous in memory, in_registers() can turn only 16-bit elements; declare it ",
          other_order, ", or swap its modes");
    const int k = fills_whole_reads(r.tile, p.how.sharers()) ? 8 : 256 / f.type.bits;
    if (const violation v = check_brought(f, r.tile, 64, k, p.how.sharers()); !v.holds()) return v;
  }
  return {};
}

/// Registers that a consumer thread's fragments take at once: every accumulator and every packed operand of a product.
constexpr int count_registers(const plan& p, const trace& t) {
  int total = 0;
  int counted[2 * max_products]{};
  int values = 0;
  const auto count = [&](int value, int registers) {
    for (int i = 0; i < values; ++i)
      if (counted[i] == value) return;
    counted[values++] = value;
    total += registers;
  };
  for (int i = 0; i < p.products.count; ++i)
    for (const event& e : t) {
      if (e.kind != event_kind::issue || e.position != p.products.position[i]) continue;
      const product_plan& q = p.products.at[i];
      count(e.value, q.m_blocks * accumulator_registers(q.instruction));
      if (e.takes_a()) count(e.a_value, q.m_blocks * q.k_steps * 4);
      break;  // other trips use the same registers
    }
  return total;
}

}  // namespace sectile
