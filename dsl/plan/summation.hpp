// In which order a kernel adds up: two kernels whose orders are equal give the same bits for the same row of the same
// operands, whatever their tiles, clusters and stages are, and whatever other rows stand beside it.
//
// What the order hangs on, of all that a configuration says. A wgmma instruction adds k products to a sum at once, with
// an alignment of its own (see model/numerics.hpp), so its k and its types count. Instructions go along K in ascending
// order, tile after tile, and products into one accumulator are kept in order by the hardware: how K is cut into tiles
// does not count, as long as nothing but products touches the sum on the way. Where ordinary instructions do (a softmax
// that scales what it has), or where a row is reduced, a tile's extents are part of the order; but for that of the
// rows, unless the body comes to other rows than those that it stores, or reduces columns. Of columns each consumer of
// each CTA reduces what it has, so their numbers are a part of the order as well, and so is which way the tile lies.
// Where tiles are added up in order, all of the tile's extents count.
//
// Where tiles are cut for the end of a walk (plan/stream.hpp) each of them has an order of its own, which follows from
// its place, the sizes and the number of clusters that the GPU runs at once. The same launch on the same kind of GPU
// gives the same bits; a row beside other rows does not.
#pragma once
#include <utility>

#include <sectile/dsl/plan/build.hpp>

namespace sectile {

/// One product of the body.
struct summand_order {
  element a{}, b{}, d{};
  int k = 0;  // elements that one instruction adds at once: of a sparse factor twice as many
  bool negate_a = false, negate_b = false, saturate = false;
  friend constexpr bool operator==(const summand_order&, const summand_order&) = default;
};

/// The order of a kernel's sums. Padding counts as zeros, which change no sum.
struct summation_order {
  int products = 0;
  summand_order product[max_products]{};
  bool by_tiles = false;  // sums of a tile meet in ordinary arithmetic: its extents count
  tile_extents tile{};    // then
  int consumers = 0;      // whose parts of columns meet; 0: none is reduced
  int ctas = 1;           // that have parts of columns
  bool swapped = false;   // the tile of something that is reduced lies the other way round
  int parts = 1;          // of the trips, where loops are split: each is summed alone; then the extents of a trip count
  int fan_in = 0;         // of which so many become one first; 0: all of them at once
  bool by_place = false;   // tiles are cut by their place among all: a row's bits hang on the other rows
  bool any_order = false;  // something is added up in an order that is open
  friend constexpr bool operator==(const summation_order&, const summation_order&) = default;
};

/// Whether the mode of the rows that are stored is visited elsewhere, too: in a loop, or as another mode (M').
constexpr bool visits_other_rows(const plan& p, const trace& t) {
  const operand_facts& work = p.operand[p.work].facts;
  const mode_id rows = without_prime(work.row_mode());
  const int own = work.tile.rank - 2;
  for (int d = 0; d < work.tile.rank; ++d)
    if (d != own && without_prime(work.mode_at(d)) == rows) return true;
  for (const event& e : t) {
    if (e.kind != event_kind::load) continue;
    const operand_facts& f = p.operand[e.operand].facts;
    for (int d = 0; d < f.tile.rank; ++d)
      if (without_prime(f.mode_at(d)) == rows && e.coordinate[d] != t.tile[own]) return true;
  }
  return false;
}

/// The tile's extents along the modes that only inputs have: these are what loops step along.
constexpr tile_extents tile_of_a_trip(const plan& p) {
  tile_extents t = p.how.tile;
  const operand_facts& work = p.operand[p.work].facts;
  for (int i = 0; i < max_tiled_modes; ++i)
    if (work.position_of(t[i].along.name) >= 0) t.set(i, {});
  return t;
}

template <class K>
constexpr summation_order find_summation() {
  const plan& p = plan_of<K>;
  summation_order s{};
  s.products = p.products.count;
  for (int i = 0; i < p.products.count; ++i) {
    wgmma_instruction x = p.products.at[i].instruction;
    if (p.how.swap) {  // it multiplies the same numbers, the other one on the left
      std::swap(x.a, x.b);
      std::swap(x.negate_a, x.negate_b);
    }
    s.product[i] = {x.a, x.b, x.d, x.k, x.negate_a, x.negate_b, x.saturate};
  }
  const planner<K> run = trace_body<K>({});
  const bool across_tiles = count_ordered_sums(p) > 0;
  s.by_tiles = run.reductions > 0 || across_tiles;
  for (const event& e : run.log) s.by_tiles = s.by_tiles || (e.kind == event_kind::touch && e.loop >= 0);
  if (s.by_tiles) {
    s.tile = p.how.tile;
    const bool rows_count = run.exchanged > 0 || across_tiles || visits_other_rows(p, run.log);
    const mode_id rows = without_prime(p.operand[p.work].facts.row_mode());
    for (int i = 0; i < max_tiled_modes && !rows_count; ++i)
      if (s.tile[i].along.name == rows) s.tile.set(i, {});
  }
  if (run.exchanged > 0) s.consumers = p.how.sharers(), s.ctas = p.exchange.ctas;
  s.swapped = run.reductions > 0 && p.how.swap;
  s.parts = p.how.split;
  s.fan_in = p.how.fan_in;
  s.by_place = p.how.streamed;
  if (p.splits() && !s.by_tiles) s.tile = tile_of_a_trip(p);
  s.any_order = adds_in_any_order(p);
  return s;
}

template <class K>
inline constexpr summation_order summation_of = find_summation<K>();

/// Whether two kernels give the same bits for the same row, whatever rows are beside it. One that cuts tiles by their
/// place does not even agree with itself, nor does one that adds in any order.
template <class A, class B>
inline constexpr bool same_sums = summation_of<A> == summation_of<B> && !summation_of<A>.any_order &&
                                  !summation_of<A>.by_place;

}  // namespace sectile
