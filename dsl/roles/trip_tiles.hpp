// Which tiles a trip of a loop has loaded, and so where a fragment lies along a mode that the loop counts: for the
// model, which looks for elements that are not there (dsl/program/beyond_edge.hpp).
#pragma once
#include <sectile/dsl/plan/plan.hpp>

namespace sectile {

/// Tile `tile` along mode number `mode` of operand `operand`; below 0: none.
struct loaded_mode {
  int operand = -1, mode = -1, tile = -1;
};

template <class K>
struct trip_tiles {
  static constexpr int several = -2, nothing = -1;
  static constexpr int no_loop = -1, behind_a_loop = -2;
  int trip = no_loop;  // its number; behind a loop, until another trip begins, fragments may be of any of its tiles
  struct places {
    int along[max_rank];  // the one tile that was loaded, `nothing` or `several`
  };
  places loaded[max_operands];

  constexpr trip_tiles() { begin(no_loop); }
  constexpr void begin(int number) {
    trip = number;
    for (places& p : loaded)
      for (int& tile : p.along) tile = nothing;
  }
  template <int I>
  constexpr void add(const tile_coordinates<operand_facts_of<K, I>().tile.rank>& at) {
    for (int d = 0; d < operand_facts_of<K, I>().tile.rank; ++d) {
      int& tile = loaded[I].along[d];
      tile = tile == nothing || tile == at.at[d] ? at.at[d] : several;
    }
  }
  /// Where a fragment lies along a mode of this name, in tiles of this extent: at the one tile that was loaded so far,
  /// which in a loop has the trip's number. (A body that loads the next trip's tile early computes on another one.)
  constexpr loaded_mode find(mode_id name, int extent) const {
    loaded_mode result{};
    for (int i = 0; trip != behind_a_loop && i < plan_of<K>.operands; ++i) {
      const operand_facts& f = plan_of<K>.operand[i].facts;
      for (int d = 0; d < f.tile.rank; ++d) {
        const int tile = loaded[i].along[d];
        if (f.mode_at(d) != name || tile == nothing) continue;
        if (tile == several || f.tile.extent[d] != extent || (trip >= 0 && tile != trip)) return {};
        if (result.tile >= 0 && result.tile != tile) return {};
        result = {i, d, tile};
      }
    }
    return result;
  }
};

}  // namespace sectile
