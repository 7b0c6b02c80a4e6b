#include "model_answer.hpp"

#include <array>
#include <cstring>
#include <sectile/dsl/model/product.hpp>
#include <sectile/layouts/fragment.hpp>

namespace sectile::conformance {
namespace {

using memory = std::vector<std::uint8_t>;

memory shared_memory_of(const prepared_case& c) {
  memory m(static_cast<std::size_t>(c.work.shared_bytes));
  for (std::size_t i = 0; i < m.size() / 4; ++i) {
    const std::uint32_t noise = noise_at(static_cast<unsigned>(i));
    std::memcpy(&m[4 * i], &noise, 4);
  }
  for (const piece& x : c.pieces) std::memcpy(&m[x.place], x.bytes, 16);
  return m;
}

/// The operand that the descriptor names, K-contiguous.
memory fetch(const memory& from, std::uint64_t descriptor, const extent& e) {
  const matrix_descriptor d = sectile::decode(descriptor);
  const int step = e.major == major::k ? 16 : e.element_bits / 8;  // bytes of K that lie together
  memory rows(static_cast<std::size_t>(e.rows * e.row_bytes));
  for (int row = 0; row < e.rows; ++row) {
    for (int at = 0; at < e.row_bytes; at += step) {
      const unsigned place = read_offset(d, e.major, row, at * 8 / e.element_bits, e.element_bits);
      std::memcpy(&rows[static_cast<std::size_t>(row * e.row_bytes + at)], &from.at(place),
                  static_cast<std::size_t>(step));
    }
  }
  return rows;
}

memory rows_in_registers(const prepared_case& c) {
  memory rows(64 * 32);
  for (int thread = 0; thread < warpgroup_threads; ++thread) {
    for (int reg = 0; reg < 4; ++reg) {
      const coord first = a_coord(8 * c.p.element_bytes(), thread, reg, 0);
      const auto byte = static_cast<std::size_t>(first.row * 32 + first.col * c.p.element_bytes());
      std::memcpy(&rows[byte], &c.sources[static_cast<std::size_t>(reg * warpgroup_threads + thread)], 4);
    }
  }
  return rows;
}

}  // namespace

std::vector<std::uint32_t> model_answer(const prepared_case& c) {
  const wgmma_instruction& w = c.p.w;
  const memory shared = shared_memory_of(c);
  const memory a = w.a_in_registers ? rows_in_registers(c) : fetch(shared, c.work.a, {64, 32, w.a.bits, w.a_major});
  const memory b = fetch(shared, c.work.b, {w.n, w.sparse ? 64 : 32, w.b.bits, w.b_major});

  const int registers = accumulator_registers(w);
  std::vector<std::uint32_t> by_thread(c.d.size()), d(c.d.size());
  std::array<void*, 128> threads{};
  for (int thread = 0; thread < warpgroup_threads; ++thread) {
    threads[static_cast<std::size_t>(thread)] = &by_thread[static_cast<std::size_t>(thread * registers)];
    for (int reg = 0; reg < registers; ++reg)
      by_thread[static_cast<std::size_t>(thread * registers + reg)] =
          c.d[static_cast<std::size_t>(reg * warpgroup_threads + thread)];
  }
  model::multiply_rows(w, reinterpret_cast<const std::byte*>(a.data()), reinterpret_cast<const std::byte*>(b.data()),
                       w.sparse ? &c.sources[512] : nullptr, threads, c.p.accumulate);
  for (int thread = 0; thread < warpgroup_threads; ++thread)
    for (int reg = 0; reg < registers; ++reg)
      d[static_cast<std::size_t>(reg * warpgroup_threads + thread)] =
          by_thread[static_cast<std::size_t>(thread * registers + reg)];
  return matrix_of(w, d.data());
}

}  // namespace sectile::conformance
