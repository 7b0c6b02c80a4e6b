#pragma once
// Laws of TMA boxes and tensors: the rules of the tensor map, and the byte where each element of a box lies.

#include <set>

#include "laws_of_tiles.hpp"

namespace sectile_fuzz {

/// Boxes of a tile cover it once, in order.
inline void check_boxes_of_tile(case_state& state) {
  const operand_tile t = random_tile(state.random);
  if (!check(t).ok() || t.mn * t.k > 1 << 13) return;
  const tma_box box = box_of(t);
  require(check(box).ok(), "the box of a tile is legal", text_of(t, 0, 0));
  std::set<std::pair<int, int>> covered;
  for (int index = 0; index < boxes(t); ++index) {
    const box_place place = place_of_box(t, index);
    require(place.offset_bytes == index * bytes(box), "boxes lie back to back", text_of(t, 0, 0));
    const int width = panel_width(t);
    const int rows = box.extent[1];
    for (int row = 0; row < rows; ++row) {
      for (int along = 0; along < width; ++along) {
        const bool k_major = t.major == major::k;
        const int mn = place.mn + (k_major ? row : along);
        const int k = place.k + (k_major ? along : row);
        require(covered.insert({mn, k}).second, "boxes do not overlap", text_of(t, 0, 0));
      }
    }
  }
  require(covered.size() == static_cast<std::size_t>(t.mn) * static_cast<std::size_t>(t.k), "boxes cover the tile",
          text_of(t, 0, 0));
  state.out.accept("boxes of tiles");
}

inline tma_box random_box(random_source& random) {
  tma_box box;
  box.rank = static_cast<int>(random.once_in(20) ? random.between(-1, 7) : random.between(1, 5));
  box.element_bits = random.once_in(20) ? static_cast<int>(random.between(-8, 70)) : 8 << random.below(4);
  box.swizzle = modes[random.below(4)];
  for (int& extent : box.extent) {
    extent = static_cast<int>(random.once_in(2) ? random.between(1, 8)
                                                : std::int64_t{1} << random.below(random.once_in(3) ? 9 : 5));
    if (random.once_in(30)) extent = random.one_of({0, -1, 257, INT32_MAX, INT32_MIN, 256});
  }
  return box;
}

inline bool is_legal_box(const tma_box& box) {
  if (box.rank < 1 || box.rank > 5) return false;
  const std::int64_t bits = box.element_bits;
  if (bits != 8 && bits != 16 && bits != 32 && bits != 64) return false;
  std::int64_t total = bits / 8;
  for (int d = 0; d < box.rank; ++d) {
    if (box.extent[d] < 1 || box.extent[d] > 256) return false;
    total *= box.extent[d];
  }
  const std::int64_t row = box.extent[0] * bits / 8;
  return row % 16 == 0 && (box.swizzle == swizzle_mode::none || row <= span_bytes(box.swizzle)) && total <= 227 * 1024;
}

inline void check_box(case_state& state) {
  random_source& random = state.random;
  const tma_box box = random_box(random);
  std::string name = "rank " + std::to_string(box.rank) + ", " + std::to_string(box.element_bits) + " bits, box";
  for (const int extent : box.extent) name += " " + std::to_string(extent);
  const box_violation v = check(box);
  require(v.ok() == is_legal_box(box), "legal boxes", name, words(v));
  check_words(v);
  if (!v.ok()) return state.out.refuse("boxes", grounds::rule);
  state.out.accept("boxes");
  const int element = box.element_bits / 8;
  const int total = bytes(box);
  if (total > 1 << 13) return;
  std::set<int> used;
  int coordinate[5] = {};
  for (int linear = 0; linear < total; linear += element) {
    const int byte = smem_offset(box, coordinate);
    require(byte == hardware::swizzled(linear, span_bytes(box.swizzle)), "smem_offset", name, linear);
    require(byte >= 0 && byte < total + 1024 && used.insert(byte).second, "every element has bytes of its own", name);
    if (box.rank == 3) {
      require(smem_offset(box, coordinate[0], coordinate[1], coordinate[2]) == byte, "smem_offset of three", name);
    }
    for (int d = 0; d < box.rank; ++d) {
      if (++coordinate[d] < box.extent[d]) break;
      coordinate[d] = 0;
    }
  }
}

inline void check_tensor(case_state& state) {
  random_source& random = state.random;
  tma_tensor t;
  t.rank = static_cast<int>(random.once_in(20) ? random.between(-1, 7) : random.between(1, 5));
  t.base = random.once_in(8) ? random.next() : 16 * (random.next() >> 20);
  for (int d = 0; d < 5; ++d) {
    t.extent[d] = random.once_in(25)
                      ? random.one_of<std::int64_t>({0, -1, (std::int64_t{1} << 32) + 1, std::int64_t{1} << 32})
                      : random.between(1, 1 << 20);
    t.stride_bytes[d] = random.once_in(25) ? random.between(-40, 40)
                                           : 16 * random.below(std::int64_t{1} << random.one_of({10, 30, 36, 37}));
  }
  bool legal = t.rank >= 1 && t.rank <= 5 && t.base % 16 == 0;
  for (int d = 0; legal && d < t.rank; ++d) {
    legal = t.extent[d] >= 1 && t.extent[d] <= std::int64_t{1} << 32;
    if (d > 0)
      legal =
          legal && t.stride_bytes[d] % 16 == 0 && t.stride_bytes[d] >= 0 && t.stride_bytes[d] < std::int64_t{1} << 40;
  }
  const box_violation v = check(t);
  require(v.ok() == legal, "legal tensors", words(v), t.rank);
  check_words(v);
  legal ? state.out.accept("tensors") : state.out.refuse("tensors", grounds::rule);
}

}  // namespace sectile_fuzz
