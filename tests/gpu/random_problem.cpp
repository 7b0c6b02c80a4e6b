#include "tests/gpu/random_problem.hpp"

#include <algorithm>
#include <cmath>
#include <sectile/layouts/metadata.hpp>

#include "tool/random.hpp"

namespace sectile::gpu_test {
namespace {

/// Draws, one after the other.
struct dice {
  std::uint64_t seed, count = 0;
  std::int64_t below(std::int64_t n) {
    return static_cast<std::int64_t>((tool::hash(seed, count++) >> 11) % static_cast<std::uint64_t>(n));
  }
  bool one_in(int n) { return below(n) == 0; }
};

std::int64_t round_up(std::int64_t x, std::int64_t multiple) { return (x + multiple - 1) / multiple * multiple; }

/// Small sizes, sizes around multiples of a tile, and any up to `most`.
std::int64_t draw_size(dice& d, std::int64_t tile, std::int64_t most) {
  switch (d.below(5)) {
    case 0:
      return 1 + d.below(16);
    case 1:
      return std::max<std::int64_t>(1, tile * (1 + d.below(most / tile)) + d.below(3) - 1);
    case 2:
      return std::max<std::int64_t>(1, tile / 2 * (1 + d.below(2 * most / tile)) + d.below(3) - 1);
    case 3:
      return 1 + d.below(tile);
    default:
      return 1 + d.below(most);
  }
}

/// A matrix: rows of the contiguous mode are a multiple of 16 bytes apart, as TMA needs, and sometimes more.
placed_tensor place_matrix(dice& d, const element& type, std::int64_t rows, std::int64_t cols, storage_order order) {
  placed_tensor t{type, 2, order == row_major ? 1 : 0, {rows, cols}, {}};
  const std::int64_t granule = 128 / type.bits;
  const int outer = 1 - t.contiguous;
  t.stride[t.contiguous] = 1;
  t.stride[outer] = round_up(t.extent[t.contiguous], granule);
  if (!d.one_in(2)) t.stride[outer] += granule * (d.one_in(8) ? d.below(200) : d.below(6));
  if (t.extent[outer] == 1 && d.one_in(4)) t.stride[outer] = 1 + d.below(1000);  // never stepped over
  return t;
}

/// B x H x rows x D, stored in that order or as B x rows x H x D, padded.
placed_tensor place_heads(dice& d, const random_problem& p, std::int64_t rows, std::int64_t dimension) {
  placed_tensor t{element_of<bf16>(), 4, 3, {p.batch, p.heads, rows, dimension}, {}};
  const bool heads_inside = d.one_in(3);
  std::int64_t reach = dimension;
  t.stride[3] = 1;
  for (const int mode : {heads_inside ? 1 : 2, heads_inside ? 2 : 1, 0}) {
    t.stride[mode] = reach + (d.one_in(2) ? 0 : 8 * d.below(5));
    reach = t.stride[mode] * t.extent[mode];
  }
  return t;
}

/// Bytes from the first element to behind the last.
std::int64_t span_bytes_of(const placed_tensor& t) {
  std::int64_t last = 0;
  for (int d = 0; d < t.rank; ++d) last += (t.extent[d] - 1) * t.stride[d];
  return ((last + 1) * t.type.bits + 7) / 8;
}

/// Puts a tensor behind what is in the arena, between guard bands, at any multiple of 16 bytes.
void put(dice& d, random_problem& p, placed_tensor& t) {
  constexpr std::int64_t guard = 4096;
  t.bytes = span_bytes_of(t);
  t.first = round_up(p.arena, 256) + guard + 16 * d.below(16);
  p.arena = t.first + t.bytes + guard;
}

void make_product(dice& d, random_problem& p) {
  const plan& kernel = *p.kernel->planned;
  const operand_facts &a = kernel.operand[0].facts, &b = kernel.operand[1].facts, &c = p.kernel->output();
  const bool integers = c.type.kind != number::floating && a.type.bits == 8;
  const std::int64_t granule = a.sparse ? 4 : a.packing();
  p.m = draw_size(d, a.rows(), 900);
  p.n = draw_size(d, b.rows(), 900);
  p.k = draw_size(d, a.cols(), a.type.bits == 1 ? 6000 : 700);
  p.data = static_cast<data_kind>(d.below(integers ? 2 : 3));
  if (d.one_in(40)) {  // a long sum
    p.m = 1 + d.below(150);
    p.n = 1 + d.below(150);
    p.k = 20000 + d.below(20000);
  }
  if (integers && p.how == tool::reading::wgmma && d.one_in(12)) {
    p.data = data_kind::extreme;
    p.m = 1 + d.below(140);
    p.n = 1 + d.below(270);
    p.k = 60000 + d.below(100000);
  }
  p.k = round_up(p.k, granule);
  if (p.data == data_kind::wide && (a.type.bits <= 8 || c.type == element_of<f16>())) p.data = data_kind::normal;

  // Whole numbers: so many zeros that the magnitudes of a sum stay below what the narrowest accumulator keeps.
  const wgmma_instruction& w = kernel.products.at[0].instruction;
  const double keeps = w.d == element_of<f16>() ? 0x1p8 : a.type.bits == 8 && !integers ? 0x1p10 : 0x1p20;
  p.density = std::min(1.0, std::sqrt(keeps / (2.25 * static_cast<double>(p.k))));

  p.inputs = 2;
  p.tensor[0] = place_matrix(d, a.type, p.m, a.sparse ? p.k / 2 : p.k, a.order);
  if (a.sparse) {
    p.tensor[0].stride[0] = round_up(p.k / 2, 128 / a.type.bits) + 128 / a.type.bits * d.below(3);
    p.metadata = {element_of<s32>(), 2, 1, {metadata_rows(p.m), metadata_cols(p.k, a.type.bits)}, {}};
    p.metadata.stride[0] = p.metadata.extent[1];
    p.metadata.stride[1] = 1;
  }
  p.tensor[1] = place_matrix(d, b.type, p.n, p.k, b.order);
  p.tensor[2] = place_matrix(d, c.type, p.m, p.n, c.order);
}

void make_attention(dice& d, random_problem& p) {
  const std::int64_t dimension = p.kernel->head_dimension();
  p.batch = 1 + d.below(3);
  p.heads = 1 + d.below(4);
  p.queries = draw_size(d, p.kernel->output().rows(), 1000);
  p.keys = d.one_in(2) ? p.queries : draw_size(d, 128, 1000);
  p.scale = static_cast<float>((d.one_in(3) ? 4 : 1) * 1.4426950408889634 / std::sqrt(static_cast<double>(dimension)));
  p.data = data_kind::normal;
  p.inputs = 3;
  p.tensor[0] = place_heads(d, p, p.queries, dimension);
  p.tensor[1] = place_heads(d, p, p.keys, dimension);
  p.tensor[2] = place_heads(d, p, p.keys, dimension);
  p.tensor[3] = place_heads(d, p, p.queries, dimension);
}

std::string text(const placed_tensor& t) {
  std::string s;
  for (int d = 0; d < t.rank; ++d) s += " " + std::to_string(t.extent[d]) + ":" + std::to_string(t.stride[d]);
  return s + " at +" + std::to_string(t.first % 256);
}

}  // namespace

random_problem make_problem(const problem_source& from, std::uint64_t index) {
  dice d{tool::hash(from.seed, index)};
  random_problem p;
  p.seed = from.seed;
  p.index = index;
  p.kernel = from.kernels[static_cast<std::size_t>(d.below(static_cast<std::int64_t>(from.kernels.size())))];
  if (from.portable && d.one_in(5)) {
    const tool::reading other = d.one_in(2) ? tool::reading::wmma : tool::reading::simt;
    if (p.kernel->in(other).launch) p.how = other;
  }
  p.poison = d.one_in(3) ? 0xA5 : 0xFF;
  p.twice = d.one_in(8);
  if (p.kernel->attention())
    make_attention(d, p);
  else
    make_product(d, p);
  for (int i = 0; i <= p.inputs; ++i) put(d, p, p.tensor[i]);
  if (p.metadata.rank) put(d, p, p.metadata);
  return p;
}

std::string describe(const random_problem& p) {
  constexpr const char* kinds[] = {"whole", "normal", "wide", "extreme"};
  constexpr const char* readings[] = {"wgmma", "wmma", "simt"};
  const auto number = [](std::int64_t x) { return std::to_string(x); };
  std::string s = "problem " + std::to_string(p.index) + " of seed " + std::to_string(p.seed) + ": " +
                  std::string(p.kernel->name) + " (" + readings[static_cast<int>(p.how)] + "), ";
  s += p.batch ? "B " + number(p.batch) + " H " + number(p.heads) + " S " + number(p.queries) + " T " + number(p.keys)
               : number(p.m) + " x " + number(p.n) + " x " + number(p.k);
  s += std::string(", ") + kinds[static_cast<int>(p.data)] + ";";
  for (int i = 0; i <= p.inputs; ++i)
    s += std::string(i ? ", " : " ") + p.kernel->planned->operand[i].facts.name + text(p.tensor[i]);
  return s;
}

}  // namespace sectile::gpu_test
