#include <cstring>
#include <sectile/dsl/model/cluster.hpp>
#include <sectile/dsl/model/names.hpp>
#include <sectile/dsl/model/ordinary.hpp>

namespace sectile::model {
namespace {

cuda_thread& enter() {
  cuda_thread& t = running();
  t.all->enter(t, false);
  return t;
}

/// "A", or "a matrix" where no tensor is known that begins there.
std::string name_matrix(const cuda_thread& t, const untyped_matrix& m) {
  for (const tensor_label& l : t.all->what.how.labels.tensors)
    if (l.map.base == m.data) return l.name;
  return "a matrix";
}

/// Where element (row, col) is.
std::byte* require_element(const cuda_thread& t, const untyped_matrix& m, int row, int col, const char* verb) {
  if (row < 0 || row >= m.rows || col < 0 || col >= m.cols)
    report(hazard_kind::out_of_range, text(verb, " of ", name(t), ": element (", row, ", ", col, ") lies outside of ",
                                           name_matrix(t, m), ", which is ", m.rows, " x ", m.cols));
  const auto offset = static_cast<std::ptrdiff_t>((row * m.stride + col) * m.element_bytes);
  return const_cast<std::byte*>(static_cast<const std::byte*>(m.data)) + offset;
}

}  // namespace

piece ordinary_verbs::load_bytes(const untyped_matrix& m, int row, int col) {
  constexpr std::size_t size = sizeof(piece);
  cuda_thread& t = enter();
  note(t, {.what = verb::load_global, .value = static_cast<int>(size)});
  const std::byte* const from = require_element(t, m, row, col, "load_piece");
  if (reinterpret_cast<std::uintptr_t>(from) % size != 0)
    report(hazard_kind::misaligned, text("load_piece of ", name(t), ": element (", row, ", ", col, ") of ",
                                         name_matrix(t, m), " does not begin at a multiple of ", size, " bytes"));
  const auto behind = col + static_cast<int>(size) / m.element_bytes;
  if (behind > m.stride)
    report(hazard_kind::out_of_range,
           text("load_piece of ", name(t), ": ", size, " bytes from element (", row, ", ", col, ") of ",
                name_matrix(t, m), " reach into the next row, ", m.stride, " elements on"));
  piece x;
  std::memcpy(x.word, from, size);
  return x;
}

void ordinary_verbs::store_piece(std::uint32_t to, const piece& x) {
  constexpr std::uint32_t size = sizeof(piece);
  cuda_thread& t = enter();
  note(t, {.what = verb::store_shared, .address = to, .value = 32 * static_cast<int>(size)});
  require_shared(*t.block, t, to, size, size, "store_piece");
  shared_writer{*t.block, observe(t), t.all->write_mark(t), proxy::generic, "store_piece"}.write(to, size);
  std::memcpy(t.block->memory.at(to), x.word, size);
}

void ordinary_verbs::store_bytes(const untyped_matrix& m, int row, int col, const void* element) {
  cuda_thread& t = enter();
  note(t, {.what = verb::store_global, .value = m.element_bytes});
  std::byte* const to = require_element(t, m, row, col, "store_element");
  const auto size = static_cast<std::size_t>(m.element_bytes);
  t.all->note_global_write(t, t.trips.now, to, size);
  if (t.all->computes) std::memcpy(to, element, size);
}

}  // namespace sectile::model
