#include <algorithm>
#include <cstring>
#include <sectile/dsl/model/operand.hpp>
#include <sectile/dsl/model/shared_memory.hpp>
#include <sectile/layouts/fragment.hpp>

namespace sectile::model {
namespace {

/// Elements along the contiguous direction in 16 bytes.
int chunk_elements(const operand_shape& s) { return 128 / s.element_bits; }

operand_chunks work_out(const matrix_descriptor& from_pattern_start, const operand_shape& s) {
  operand_chunks found;
  const int chunk = chunk_elements(s);
  const auto add = [&](int mn, int k) {
    found.offset.push_back(read_offset(from_pattern_start, s.direction, mn, k, s.element_bits));
  };
  if (s.direction == major::k) {
    for (int mn = 0; mn < s.rows; ++mn) {
      for (int k = 0; k < s.columns(); k += chunk) add(mn, k);
    }
  } else {
    for (int k = 0; k < s.columns(); ++k) {
      for (int mn = 0; mn < s.rows; mn += chunk) add(mn, k);
    }
  }
  const auto [first, last] = std::minmax_element(found.offset.begin(), found.offset.end());
  found.first = *first;
  found.last = *last;
  return found;
}

}  // namespace

const operand_chunks& chunk_cache::chunks(std::uint64_t descriptor, const operand_shape& shape) {
  matrix_descriptor d = sectile::decode(descriptor);
  d.start_bytes %= 1024;
  const auto number = static_cast<std::uint32_t>(shape.rows << 16 | shape.element_bits << 8 | shape.row_bytes << 1 |
                                                 (shape.direction == major::k ? 0 : 1));
  const auto [at, is_new] = known_.try_emplace(key{sectile::encode(d), number});
  if (is_new) at->second = work_out(d, shape);
  return at->second;
}

void gather(const shared_memory& memory, std::uint32_t base, const operand_chunks& chunks, const operand_shape& shape,
            std::byte* rows) {
  const std::uint32_t* offset = chunks.offset.data();
  if (shape.direction == major::k) {
    for (int at = 0; at < shape.rows * shape.row_bytes; at += 16)
      std::memcpy(rows + at, memory.at(base + *offset++), 16);
    return;
  }
  const int chunk = chunk_elements(shape);
  const int size = shape.element_bits / 8;
  for (int k = 0; k < shape.columns(); ++k) {
    for (int mn = 0; mn < shape.rows; mn += chunk) {
      const std::byte* from = memory.at(base + *offset++);
      std::byte* to = rows + mn * shape.row_bytes + k * size;
      for (int e = 0; e < chunk; ++e)
        std::memcpy(to + e * shape.row_bytes, from + e * size, static_cast<std::size_t>(size));
    }
  }
}

void gather(const std::array<const std::uint32_t*, 128>& registers, int element_bits, std::byte* rows) {
  for (int thread = 0; thread < warpgroup_threads; ++thread) {
    for (int reg = 0; reg < 4; ++reg) {
      const coord first = a_coord(element_bits, thread, reg, 0);  // the others of the register follow along K
      std::memcpy(rows + first.row * operand_row_bytes + first.col * element_bits / 8,
                  registers[static_cast<std::size_t>(thread)] + reg, 4);
    }
  }
}

}  // namespace sectile::model
