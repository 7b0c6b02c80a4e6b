// Proof 2, reachability: for every element of every operand tile, the byte where TMA puts it is the byte where the
// descriptor makes wgmma read it.
//
// Two models that know nothing of each other have to agree: what TMA writes follows from the boxes that the producer
// sends (place, extents, swizzle), what wgmma reads from the 64 bits of each descriptor that the consumer makes. Stages
// and CTAs add multiples of the swizzle pattern to both sides (see alignment), so one stage stands for all.
#pragma once
#include <sectile/dsl/plan/build.hpp>

namespace sectile {

/// Byte, from the start of the operand's place in a stage, where the element `x` along and `y` across the contiguous
/// mode lands.
struct written_by_boxes {
  const operand_plan& op;
  int rows, packing, width, height;
  swizzle pattern;

  constexpr explicit written_by_boxes(const operand_plan& o)
      : op(o),
        rows(o.facts.strided()),
        packing(o.facts.packing()),
        width(o.box.extent[0] * packing),
        height(o.box.extent[1]),
        pattern(byte_swizzle(o.box.swizzle)) {}
  constexpr unsigned at(int x, int y) const {
    const int begin = box_offset(rows, op.swizzle, x / width, y / height * height);
    return static_cast<unsigned>(pattern(begin + linear_offset(op.box, x % width / packing, y % height)));
  }
};

/// Which rows across the contiguous mode are compared: eight of them are a whole pattern of the swizzle, and later ones
/// lie on both sides as far from those as the first of their eight does from the first of all. So of later eights only
/// that one is compared; or each is, where a box ends within eight, or time does not matter.
enum class compared_rows : std::uint8_t { first_of_eight, each };
constexpr int row_behind(int row, compared_rows which) {
  return row + (row < 8 || which == compared_rows::each ? 1 : 8);
}

/// Compares the 16-byte chunks of the operand: inside a chunk neither side reorders bytes (layouts/reachable.hpp says
/// why).
constexpr violation check_reachability(const operand_plan& op, const operand_tile& t, int mn_extent, int k_extent,
                                       compared_rows which) {
  if (op.box.extent[1] % 8 != 0) which = compared_rows::each;
  const int chunk = 128 / t.element_bits;
  const written_by_boxes boxes(op);
  const auto behind = [&](int at, bool across) { return across ? row_behind(at, which) : at + chunk; };
  for (int mn0 = 0; mn0 < t.mn; mn0 += mn_extent)
    for (int k0 = 0; k0 < t.k; k0 += k_extent) {
      const matrix_descriptor d = decode(encode(descriptor_at(t, mn0, k0)));
      for (int mn = 0; mn < mn_extent; mn = behind(mn, t.major == major::k))
        for (int k = 0; k < k_extent; k = behind(k, t.major == major::mn)) {
          const int x = t.major == major::k ? k0 + k : mn0 + mn, y = t.major == major::k ? mn0 + mn : k0 + k;
          const unsigned written = boxes.at(x, y), read = read_offset(d, t.major, mn, k, t.element_bits);
          if (written != read)
            return refuse(rule::wgmma_does_not_read_what_tma_wrote, "operand ", op.facts.name, ", element ", mn0 + mn,
                          ", ", k0 + k, ": TMA writes byte ", static_cast<int>(written), ", wgmma reads byte ",
                          static_cast<int>(read));
        }
    }
  return {};
}

/// The same for a tile that ordinary loads (ldmatrix, ld.shared) bring into registers: row by row of its core matrices,
/// at the bytes that written_at() names.
constexpr violation check_reachability(const operand_plan& op, const operand_tile& t) {
  const int chunk = 128 / t.element_bits;
  const written_by_boxes boxes(op);
  const int mn_step = t.major == major::k ? 1 : chunk, k_step = t.major == major::k ? chunk : 1;
  for (int mn = 0; mn < t.mn; mn += mn_step)
    for (int k = 0; k < t.k; k += k_step) {
      const int x = t.major == major::k ? k : mn, y = t.major == major::k ? mn : k;
      const unsigned written = boxes.at(x, y), read = written_at(t, mn, k);
      if (written != read)
        return refuse(rule::wgmma_does_not_read_what_tma_wrote, "operand ", op.facts.name, ", element ", mn, ", ", k,
                      ": TMA writes byte ", static_cast<int>(written), ", ldmatrix reads byte ",
                      static_cast<int>(read));
    }
  return {};
}

/// The same of a left factor that consumers write to shared memory, at the bytes that placed_byte() names: that they do
/// is for check_placed_factors() to show.
constexpr violation check_placed_reachability(const operand_tile& t, int k_extent) {
  const int chunk = 128 / t.element_bits;
  for (int k0 = 0; k0 < t.k; k0 += k_extent) {
    const matrix_descriptor d = decode(encode(descriptor_at(t, 0, k0)));
    for (int n = 0; n < t.mn; ++n)
      for (int k = 0; k < k_extent; k += chunk) {
        const int written = placed_byte(t, n, k0 + k);
        const int read = static_cast<int>(read_offset(d, t.major, n, k, t.element_bits));
        if (written != read)
          return refuse(rule::wgmma_does_not_read_what_tma_wrote, "a left factor in registers, element ", k0 + k, ", ",
                        n, ": consumers write byte ", written, ", wgmma reads byte ", read);
      }
  }
  return {};
}

/// Whether a product is one of those before it again.
constexpr bool is_repeated(const plan& p, int product) {
  for (int i = 0; i < product; ++i)
    if (p.products.at[i] == p.products.at[product]) return true;
  return false;
}

/// Both operands of every product. Products that use the same operand alike are checked once.
constexpr violation check_reachability(const plan& p, compared_rows which) {
  for (int i = 0; i < p.products.count; ++i) {
    const product_plan& q = p.products.at[i];
    if (is_repeated(p, i)) continue;
    if (q.reads_a())
      if (const violation v = check_reachability(p.operand[q.a_operand], q.a, 64, stored_k(q.instruction), which);
          !v.holds())
        return v;
    const violation v = q.placed
                            ? check_placed_reachability(q.b, q.instruction.k)
                            : check_reachability(p.operand[q.b_operand], q.b, q.instruction.n, q.instruction.k, which);
    if (!v.holds()) return v;
  }
  for (int i = 0; i < p.products.reads; ++i)
    if (const violation v = check_reachability(p.operand[p.products.read[i].operand], p.products.read[i].tile);
        !v.holds())
      return v;
  return {};
}

constexpr violation check_reachability(const plan& p) { return check_reachability(p, compared_rows::first_of_eight); }

}  // namespace sectile
