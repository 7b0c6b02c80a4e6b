#include "cases.hpp"

#include <cstring>
#include <sectile/layouts/fragment.hpp>
#include <utility>

namespace sectile::conformance {
namespace {

constexpr const char* swizzle_names[] = {"none", "32", "64", "128"};

/// One of the legal pairs of layouts of A and B, counted round.
std::pair<swizzle_mode, swizzle_mode> swizzles(const extent& a, const extent& b, bool a_in_registers, int choice) {
  std::vector<std::pair<swizzle_mode, swizzle_mode>> all;
  for (int x = 0; x < (a_in_registers ? 1 : 4); ++x)
    for (int y = 0; y < 4; ++y)
      if (can_swizzle(a, static_cast<swizzle_mode>(x)) && can_swizzle(b, static_cast<swizzle_mode>(y)))
        all.push_back({static_cast<swizzle_mode>(x), static_cast<swizzle_mode>(y)});
  return all[static_cast<std::size_t>(choice) % all.size()];
}

/// Puts an operand behind byte `end` of shared memory and moves `end`; returns its descriptor.
std::uint64_t put_operand(prepared_case& c, const extent& e, swizzle_mode swizzle,
                          const std::vector<std::uint8_t>& rows, int& end, random_bits& random) {
  const placement x = place(e, swizzle, random);
  const int base = (end + 1023) / 1024 * 1024;
  append_pieces(x, e, rows, static_cast<std::uint32_t>(base), c.pieces);
  end = base + bytes(x.tile);
  c.layouts += std::string(e.major == major::k ? " K-major" : " MN-major") + " swizzle " +
               swizzle_names[static_cast<int>(swizzle)] + " at (" + std::to_string(x.mn0) + "," + std::to_string(x.k0) +
               ")";
  return encode(x.descriptor()) + (static_cast<std::uint64_t>(base) >> 4);
}

}  // namespace

prepared_case prepare_problem(const problem& given, int row, int choice, std::uint64_t seed) {
  random_bits random{seed};
  prepared_case c{given, {}, row, {}, {}, std::vector<std::uint32_t>(source_words), {}, {}};
  const problem& p = c.p;
  const wgmma_instruction& w = p.w;

  const extent a{64, 32, w.a.bits, w.a_major}, b{w.n, w.sparse ? 64 : 32, w.b.bits, w.b_major};
  const auto [a_swizzle, b_swizzle] = swizzles(a, b, w.a_in_registers, choice);
  const std::vector<std::uint8_t> a_rows = rows_of_a(p);
  int end = 0;
  if (!w.a_in_registers) c.work.a = put_operand(c, a, a_swizzle, a_rows, end, random);
  c.work.b = put_operand(c, b, b_swizzle, rows_of_b(p), end, random);
  c.work.accumulate = p.accumulate;
  c.work.chunks = static_cast<int>(c.pieces.size());
  c.work.shared_bytes = end;

  const std::vector<std::uint32_t> metadata = metadata_of(p, random());
  for (int thread = 0; thread < warpgroup_threads; ++thread) {
    for (int reg = 0; reg < 4; ++reg) {
      const coord first = a_coord(8 * p.element_bytes(), thread, reg, 0);
      const int byte = first.row * 32 + first.col * p.element_bytes();
      std::memcpy(&c.sources[static_cast<std::size_t>(reg * 128 + thread)], &a_rows[static_cast<std::size_t>(byte)], 4);
    }
    c.sources[static_cast<std::size_t>(512 + thread)] = metadata[static_cast<std::size_t>(thread)];
  }
  c.d = fragments_of(w, p.c);
  return c;
}

prepared_case prepare_case(const wgmma_instruction& w, int row, int number, std::uint64_t seed) {
  random_bits random{seed * 1'000'003u + static_cast<std::uint64_t>(row) * 64u + static_cast<std::uint64_t>(number)};
  const data_set set = set_of(w, number);
  const bool accumulate = (number + row) % 4 != 0;
  prepared_case c = prepare_problem(make_problem(w, set, accumulate, random()), row, 7 * number + row, random());
  c.set = set;
  return c;
}

}  // namespace sectile::conformance
