// Proof 6 of left factors in registers, where the configuration swaps: each element that consumers write to shared
// memory is at the byte that placed_byte() names, from which reachability shows that wgmma reads it.
//
// The roles' own function runs on a machine whose registers hold their names. What stmatrix writes is put together from
// what the lanes of a warp are told to write: row r of matrix q at the address of lane 8 q + r, and, as it is turned,
// its element number i from lane 4 i + r / 2.
#pragma once
#include <sectile/dsl/proofs/epilogue.hpp>

namespace sectile {

/// What a thread has stored: matrices at an address.
template <int Room>
struct factor_pen {
  struct stroke {
    std::uint32_t to = 0, word[4]{};
    int matrices = 0;
  };
  int count = 0;
  stroke done[Room]{};

  constexpr void add(std::uint32_t to, const std::uint32_t (&r)[4], int matrices) {
    if (count < Room) done[count] = {to, {r[0], r[1], r[2], r[3]}, matrices};
    ++count;
  }
  constexpr void stmatrix_x4_trans(std::uint32_t to, const std::uint32_t (&r)[4]) { add(to, r, 4); }
  constexpr void stmatrix_x2_trans(std::uint32_t to, const std::uint32_t (&r)[4]) { add(to, r, 2); }
  constexpr void stmatrix_x1_trans(std::uint32_t to, const std::uint32_t (&r)[4]) { add(to, r, 1); }
};
/// The part of a consumer that writes a factor.
template <class K, class Machine>
struct factor_hand {
  static constexpr bool computes = true, whole_warpgroup = false;
  static constexpr int sharers = head_of<K>.how.sharers();
  Machine& hw;
  int index, thread;
  constexpr int share() const { return index; }
};

template <class K, int Product>
constexpr violation check_placed_factor() {
  constexpr operand_tile tile = plan_of<K>.products.at[Product].b;
  constexpr int sharers = head_of<K>.how.sharers(), blocks = panels(tile) / sharers, names = tile.mn / 2;
  constexpr int room = blocks * (tile.mn / 8) + 1;
  using machine = typename machine_under_test<K, factor_pen<room>>::type;
  constexpr named_tile<bf16, blocks, names> named{};
  const auto wrong = [](int k, int n, const char* what) {
    return refuse(rule::epilogue_misses_or_doubles_elements, "a left factor in registers: row ", n, ", column ", k,
                  what);
  };
  bool seen[tile.k][tile.mn]{};
  for (int warp = 0; warp < 4 * sharers; ++warp) {
    machine lane[32]{};
    for (int l = 0; l < 32; ++l) {
      factor_hand<K, machine> sm{lane[l], warp / 4, warp % 4 * 32 + l};
      write_factor<tile>(sm, named, 0u);
    }
    for (int n = 0; n < lane[0].count && n < room; ++n)
      for (int addressing = 0; addressing < 8 * lane[0].done[n].matrices; ++addressing)
        for (int i = 0; i < 8; ++i) {
          const int q = addressing / 8, r = addressing % 8, from = 4 * i + r / 2;
          const int name = static_cast<int>(lane[from].done[n].word[q] >> 16 * (r % 2) & 0xFFFF);
          const coord held = d_coord(warp % 4 * 32 + from, name % names);
          const int k = (warp / 4 * blocks + name / names) * 64 + held.row;
          if (seen[k][held.col]) return wrong(k, held.col, " is written twice");
          seen[k][held.col] = true;
          if (static_cast<int>(lane[addressing].done[n].to) + 2 * i != placed_byte(tile, held.col, k))
            return wrong(k, held.col, " is not written where the product takes it from");
        }
  }
  for (int k = 0; k < tile.k; ++k)
    for (int n = 0; n < tile.mn; ++n)
      if (!seen[k][n]) return wrong(k, n, " is never written");
  return {};
}

/// Those of all products.
template <class K>
constexpr violation check_placed_factors() {
  return first_violation<plan_of<K>.products.count>([](auto product) {
    if constexpr (plan_of<K>.products.at[product].placed)
      return check_placed_factor<K, product>();
    else
      return violation{};
  });
}

}  // namespace sectile
