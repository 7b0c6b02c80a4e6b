// The plan of a portable reading: which operand lies where in shared memory, and why a kernel has no such reading.
//
// It does not rest on the wgmma plan. The planner reads the body and writes down its loads and products; what TMA and
// wgmma ask for (boxes, swizzles, stages, N) is not asked here.
#pragma once
#include <sectile/dsl/plan/build.hpp>
#include <sectile/dsl/portable/how.hpp>
#include <sectile/dsl/portable/shared_tile.hpp>
#include <sectile/dsl/proofs/first_reading.hpp>

namespace sectile::portable {

struct portable_plan {
  violation refusal{};  // the first reason why there is no such reading
  plan program{};       // of the wgmma plan: configuration, operands, products, the work
  shared_tile tile[max_operands]{};
  int threads = 0;
  int exchange = 0;  // bytes from the start of shared memory: what warps show each other of columns
  int staging = 0;  // bytes from the start of shared memory: a fragment per warp on its way out
  int shared_bytes = 0;
  int architecture = 70;  // the least that has the types: 10 * major + minor
};

/// A fragment on its way out: rows a little apart, so that they begin in different banks.
constexpr int staging_pitch(fragment_shape s) { return s.n + 4; }  // elements of 4 bytes
constexpr int staging_bytes(fragment_shape s) { return s.m * staging_pitch(s) * 4; }

/// K of one nvcuda::wmma multiplication of this type.
constexpr int fragment_k(const element& e) { return e.bits == 32 ? 8 : 16; }

constexpr bool is_fp8(const element& e) { return e == element_of<e4m3>() || e == element_of<e5m2>(); }
constexpr bool is_8_bit_integer(const element& e) { return e == element_of<s8>() || e == element_of<u8>(); }

/// Tiles and operands, each for itself.
constexpr violation check_declarations(const plan& p, fragment_shape shape) {
  if (shape.is_wmma() && !shape.exists())
    return refuse(rule::instruction_has_no_such_form, "wmma<M, N>: fragments are 16 x 16, 32 x 8 or 8 x 32");
  const int consumers = p.how.consumers;
  if (consumers < 1 || consumers * warpgroup > 1024)
    return refuse(rule::too_many_threads, consumers, " consumer warpgroups need ", consumers * warpgroup,
                  " threads; a CTA has at most 1024: 1 to 8 consumers");
  if (p.cuts.count > 0)
    return refuse(
        rule::instruction_has_no_such_form, "operand ", p.operand[p.cuts.ends[0]].facts.name,
        ": a group ends anywhere in a tile, which TMA sees to; GPUs before Hopper have none: build for sm_90a");
  int outputs = 0;
  for (int o = 0; o < p.operands; ++o) {
    const operand_facts& f = p.operand[o].facts;
    if (f.kind == operand_kind::scalar) continue;
    if (f.is_vector()) {
      if (shape.is_wmma())
        return refuse(rule::instruction_has_no_such_form, "operand ", f.name,
                      " is a vector: nvcuda::wmma does not say which elements a thread holds; take the SIMT reading, "
                      "or build for sm_90a");
      if (const violation v = check_vector(f); !v.holds()) return v;
      continue;
    }
    if (f.im2col)
      return refuse(
          rule::instruction_has_no_such_form, "operand ", f.name,
          " is read through a filter, whose pixels TMA finds; GPUs before Hopper have none: build for sm_90a");
    if (f.is_scattered())
      return refuse(rule::instruction_has_no_such_form, "operand ", f.name, " has rows that ", f.index,
                    " names, whose summands meet in a workspace, which is the wgmma lowering's: build for sm_90a");
    if (f.of_trips)
      return refuse(rule::instruction_has_no_such_form, "operand ", f.name,
                    " is stored by the trips of a loop, which is the wgmma lowering's: build for sm_90a");
    if (f.is_gathered())
      return refuse(rule::instruction_has_no_such_form, "operand ", f.name, " has rows that ", f.index,
                    " picks, which the warps copy that fill a ring; GPUs before Hopper have none: build for sm_90a");
    if (f.sparse)
      return refuse(rule::instruction_has_no_such_form, "operand ", f.name,
                    " is sparse: only wgmma on sm_90a multiplies sparse operands; build for sm_90a, or store it dense");
    if (is_fp8(f.type) && f.kind == operand_kind::input)
      return refuse(rule::types_have_no_wgmma_instruction, "operand ", f.name, ": ", f.type.name,
                    " is multiplied by wgmma on sm_90a only; build for sm_90a, or use f16 or bf16");
    for (int d = 0; d < f.tile.rank; ++d)
      if (f.tile.extent[d] < 1)
        return refuse(rule::tile_is_not_a_multiple_of_the_instruction, "operand ", f.name, ": tile extent ",
                      f.tile.extent[d], " of mode ", d, " must be at least 1");
    for (int d = 0; d < f.batch_modes(); ++d)
      if (f.held(d) != 1 && !(f.is_vector() && d == f.line()))
        return refuse(rule::batch_modes_must_have_tile_extent_1, "operand ", f.name, ": tile extent ", f.tile.extent[d],
                      " of batch mode ", d, " must be 1; only the last two modes are tiled");
    if (f.type.bits == 4 || f.type.shuffled)
      return refuse(rule::types_have_no_wgmma_instruction, "operand ", f.name, ": elements of ", f.type.name,
                    " are read on Hopper alone");
    if (f.kind != operand_kind::output) continue;
    ++outputs;
    if (const violation v = check_same_tiles(p.operand[p.work].facts, f); !v.holds()) return v;
    if (p.how.swap && shape.is_wmma())
      return check_swap("the WMMA reading, which stores what it holds", true);
    const int shared_out = p.how.swap ? f.cols() : f.rows(), rest = p.how.swap ? f.rows() : f.cols();
    if (shared_out % (64 * consumers) != 0)
      return refuse(rule::tile_rows_do_not_split_over_the_consumers, "operand ", f.name, ": tile ",
                    p.how.swap ? "columns N = " : "rows M = ", shared_out, " are not a multiple of 64 for each of ",
                    consumers, " consumers; use ", 64 * consumers * (shared_out / (64 * consumers) + 1),
                    " or another number of consumers");
    const int step = shape.is_wmma() ? (shape.n > 16 ? shape.n : 16) : p.how.swap ? 8 : 16;
    if (rest % step != 0)
      return refuse(rule::tile_is_not_a_multiple_of_the_instruction, "operand ", f.name, ": tile ",
                    p.how.swap ? "rows M = " : "columns N = ", rest, " are not a multiple of ", step, "; use ",
                    step * (rest / step + 1));
    if (const violation v = check_output_type(f); !v.holds()) return v;
  }
  return check_output_count(outputs, outputs > 0);
}

/// Whether nvcuda::wmma multiplies these types, and cuts the tile's K into whole steps.
constexpr violation check_wmma_product(const product_plan& q, fragment_shape shape) {
  const element &a = q.instruction.a, &b = q.instruction.b;
  const bool known =
      a == element_of<f16>() || a == element_of<bf16>() || a == element_of<tf32>() || is_8_bit_integer(a);
  if (a != b || !known)
    return refuse(rule::types_have_no_wgmma_instruction, "nvcuda::wmma has no ", a.name, " x ", b.name,
                  "; it multiplies f16, bf16, tf32, s8 or u8, both operands of one type; the SIMT reading takes more");
  if (q.instruction.d == element_of<f16>() && a != element_of<f16>())
    return refuse(rule::types_have_no_wgmma_instruction, "nvcuda::wmma sums ", a.name,
                  " in f32 only; f16 sums take f16 operands");
  if (a.bits == 32 && shape.m != 16)
    return refuse(rule::instruction_has_no_such_form, "nvcuda::wmma has tf32 fragments of 16 x 16 only, not of ",
                  shape.m, " x ", shape.n);
  const int k = fragment_k(a);
  if (q.b.k % k == 0) return {};
  return refuse(rule::tile_is_not_a_multiple_of_the_instruction, "tile K = ", q.b.k,
                " is not a multiple of the K = ", k, " of nvcuda::wmma for ", a.name, "; use ", k * (q.b.k / k + 1));
}

/// Whether threads can multiply these types one by one.
constexpr violation check_simt_product(const product_plan& q) {
  const element &a = q.instruction.a, &b = q.instruction.b;
  if ((a.kind == number::floating) != (b.kind == number::floating) || a.bits != b.bits)
    return refuse(rule::types_have_no_wgmma_instruction, "there is no product ", a.name, " x ", b.name,
                  "; both operands are floating or both are integers, of one width");
  if (a.bits < 8 && (q.a.major != major::k || q.b.major != major::k))
    return refuse(rule::operand_major_has_no_wgmma_instruction, "operands of one bit must have K contiguous in memory");
  return {};
}

/// The operand whose tile is the left factor of product i, read from shared memory or filled into registers before; -1
/// if the factor was computed.
constexpr int left_operand(const plan& p, const trace& t, int i) {
  if (p.products.at[i].reads_a()) return p.products.at[i].a_operand;
  for (int e = 0; e < t.events; ++e)
    if (t.at[e].kind == event_kind::issue && t.at[e].position == p.products.position[i] && t.at[e].a_source >= 0)
      return t.at[t.at[e].a_source].operand;
  return -1;
}

/// Tiles are brought into registers as left factors only.
constexpr violation check_reads(const plan& p, const trace& t) {
  for (int i = 0; i < t.events; ++i) {
    if (t.at[i].kind != event_kind::read || p.operand[t.at[i].operand].facts.is_vector()) continue;
    bool multiplied = false;
    for (int j = i; j < t.events; ++j) multiplied = multiplied || t.at[j].a_value == t.at[i].value;
    if (multiplied) continue;
    const int operand = t.at[t.at[i].a_load].operand;
    return refuse(rule::instruction_has_no_such_form, "a tile of ", p.operand[operand].facts.name,
                  " is brought into registers and computed with; the portable readings only multiply tiles: this "
                  "kernel needs sm_90a");
  }
  return {};
}

constexpr violation check_products(const plan& p, const trace& t, fragment_shape shape) {
  for (int i = 0; i < p.products.count; ++i) {
    const product_plan& q = p.products.at[i];
    if (q.placed || left_operand(p, t, i) < 0)
      return refuse(rule::instruction_has_no_such_form, "a product by operand ",
                    p.operand[q.placed ? q.a_operand : q.b_operand].facts.name,
                    " has a left factor that was computed in registers; the portable readings multiply tiles in "
                    "shared memory: this kernel needs sm_90a");
    const violation v = shape.is_wmma() ? check_wmma_product(q, shape) : check_simt_product(q);
    if (!v.holds()) return v;
    const wgmma_instruction& first = p.products.at[0].instruction;
    if (shape.is_wmma() && (q.instruction.d != first.d || fragment_k(q.instruction.b) != fragment_k(first.b)))
      return refuse(rule::instruction_has_no_such_form, "products of ", first.b.name, " summed in ", first.d.name,
                    " and of ", q.instruction.b.name, " summed in ", q.instruction.d.name,
                    ": nvcuda::wmma may hold their sums differently; the WMMA reading takes one kind in a kernel");
  }
  return {};
}

/// An operand has one place in shared memory: what is there must have been used before the next tile is loaded.
constexpr violation check_lifetimes(const plan& p, const trace& t) {
  for (int i = 0; i < t.events; ++i) {
    if (t.at[i].kind != event_kind::load) continue;
    int last = i;
    for (int j = i; j < t.events; ++j)
      if (t.at[j].a_source == i || t.at[j].b_load == i) last = j;
    for (int j = i + 1; j < last; ++j)
      if (t.at[j].kind == event_kind::load && t.at[j].operand == t.at[i].operand)
        return refuse(
            rule::program_is_not_traceable, "operand ", p.operand[t.at[i].operand].facts.name,
            ": a tile is loaded while a product still needs the one before; the portable readings keep one tile "
            "of each operand: multiply it first");
  }
  return {};
}

/// Bytes that a fragment of operand o spans along its rows in memory: the least over the products that read it.
constexpr int fragment_bytes(const plan& p, const trace& t, int o, fragment_shape shape) {
  if (!shape.is_wmma()) return 0;
  int least = 0;
  const auto count = [&](int extent) {
    const int bytes = extent * p.operand[o].facts.type.bits / 8;
    if (least == 0 || bytes < least) least = bytes;
  };
  for (int i = 0; i < p.products.count; ++i) {
    const product_plan& q = p.products.at[i];
    const int k = fragment_k(q.instruction.b);
    if (q.a_operand == o) count(q.a.major == major::k ? k : shape.m);
    if (q.b_operand == o) count(q.b.major == major::k ? k : shape.n);
    if (!q.reads_a() && left_operand(p, t, i) == o) count(k < shape.m ? k : shape.m);  // either way
  }
  return least;
}

constexpr void lay_out_shared_memory(portable_plan& p, const trace& t, fragment_shape shape) {
  int at = 0;
  for (int o = 0; o < p.program.operands; ++o) {
    const operand_facts& f = p.program.operand[o].facts;
    if (f.kind != operand_kind::input) continue;
    p.tile[o] = lay_out(f.strided(), f.contiguous() * f.type.bits / 8, fragment_bytes(p.program, t, o, shape));
    p.tile[o].offset = at;
    at += (p.tile[o].bytes() + 127) / 128 * 128;
  }
  p.exchange = at;
  at += 4 * p.program.exchange.columns * warps_of_consumers(p.program.how);
  p.staging = at;
  p.shared_bytes = at + p.threads / 32 * staging_bytes(shape);
}

/// The first GPUs on which the types of the products are multiplied by nvcuda::wmma.
constexpr int least_architecture(const plan& p, fragment_shape shape) {
  return most_of(shape.is_wmma() ? p.products.count : 0, 70, [&](int i) {
    const element& a = p.products.at[i].instruction.a;
    return is_8_bit_integer(a) ? 72 : a == element_of<f16>() ? 70 : 80;
  });
}

/// Sums in order meet in a workspace, which is the wgmma lowering's.
constexpr violation check_sums(const plan& p) {
  for (int o = 0; o < p.operands; ++o)
    if (adds_in_order(p, o))
      return refuse(rule::order_of_a_sum_is_open_say_add_in_any_order, "operand ", p.operand[o].facts.name,
                    ": the portable readings add tiles in the order in which they come; say ",
                    "reduction::add_in_any_order, or build for sm_90a");
  return {};
}

/// CTAs of a portable reading see nothing of each other.
constexpr violation check_shared_rows(const plan& p) {
  if (p.row_sharers() == 1) return {};
  return refuse(rule::cluster_is_illegal, "a cluster of ", p.how.cluster.rows, " x ", p.how.cluster.cols,
                " CTAs shares rows of ", p.operand[p.work].facts.name,
                ": only Hopper has clusters; build for sm_90a, or use {", p.how.cluster.size(), ", 1}");
}

template <class K, class How>
constexpr portable_plan build_portable_plan() {
  constexpr fragment_shape shape = How::shape;
  portable_plan p{};
  plan& program = p.program;
  program.how = configuration_of<K>;
  program.how.consumers = program.how.sharers();  // a CTA makes one tile
  program.how.own_tiles = program.how.abreast = program.how.dynamic = program.how.streamed = false;
  constexpr const operand_table& table = all_operands<K>;
  program.operands = table.count;
  program.work = find_work(table);
  program.cuts = find_cuts(table);
  for (int o = 0; o < table.count; ++o) program.operand[o].facts = table.at[o];
  p.threads = program.how.consumers * warpgroup;
  p.refusal = portable::check_declarations(program, shape);
  if (!p.refusal.holds()) return p;

  const planner<K> base = trace_body<K>({});
  const known_loops known = loops_of(base);
  program.products = base.products;
  program.exchange.columns = base.exchanged;
  plan_work(base, program);
  program.loops = base.loops;
  begin_vector_outputs(program, base.log);
  p.refusal = check_trace(program, base.log);
  if (p.refusal.holds()) p.refusal = check_shared_rows(program);
  if (p.refusal.holds()) p.refusal = portable::check_sums(program);
  if (p.refusal.holds()) p.refusal = portable::check_reads(program, base.log);
  if (p.refusal.holds()) p.refusal = portable::check_products(program, base.log, shape);
  if (p.refusal.holds()) p.refusal = check_lifetimes(program, base.log);
  if (p.refusal.holds()) p.refusal = check_other_runs<K>(base.log, known, program);
  if (!p.refusal.holds()) return p;
  mark_steps(base.log, program);
  portable::lay_out_shared_memory(p, base.log, shape);
  p.architecture = least_architecture(program, shape);
  return p;
}

/// The plan of kernel K in reading How (wmma<..> or simt), computed once.
template <class K, class How>
inline constexpr portable_plan portable_plan_of = build_portable_plan<K, How>();

/// Whether kernel K can be read as How: only then a launch chooses it.
template <class K, class How>
inline constexpr bool can_read = portable_plan_of<K, How>.refusal.holds();

template <class K, class How, bool Readable>
constexpr violation verdict_on() {
  if constexpr (Readable)
    return portable_plan_of<K, How>.refusal;
  else
    return {};
}

#ifdef __CUDA_ARCH__
template <class K, class How>
inline constexpr bool readable = true;  // the device pass of a file whose host pass has checked it
#else
/// Says the verdict, if K was readable; if not, the compiler has said why.
template <class K, class How, bool Readable>
constexpr bool read_or_say_why() {
  static_assert(decltype(reason<verdict_on<K, How, Readable>()>())::verified);
  return true;
}
/// True if kernel K can be read as How. If not, this does not compile, and the message says why.
template <class K, class How>
inline constexpr auto readable = read_or_say_why<K, How, body_is_readable<K, false>(operand_indices<K>{})>();
#endif

}  // namespace sectile::portable
