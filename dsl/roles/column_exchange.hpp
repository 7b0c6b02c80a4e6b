// What a consumer shows others of columns, and sees of theirs. Of each column shared memory has a row in which the
// warps that share a tile write what they have of it, each in its own place.
//
// CTAs that share a wide tile have rows for the warps of all of them, and each warp writes into every CTA's. An
// mbarrier counts the bytes as they arrive, so that nobody need meet: not even the warps of a CTA. Two buffers take
// turns, each with its barriers, and that is enough: whoever has waited for an exchange has seen what all warps wrote
// in it, which they did when they had read what the one before showed them. So it may write into the buffer of the one
// before again, whose barriers are done with that phase.
#pragma once
#include <sectile/dsl/roles/role.hpp>

namespace sectile {

template <class K>
struct column_exchange {
  static constexpr int ctas = exchange_of<K>.ctas;
  int turn = 3;  // of several CTAs: which buffer it is, and the parity of the wait, 2 * parity + buffer

  /// Nobody reads any more what was shown there before; of `count` columns.
  template <class Consumer>
  constexpr void begin(Consumer& sm, [[maybe_unused]] int count) {
    if constexpr (ctas == 1) {
      meet(sm);
    } else {
      turn = (turn + 1) % 4;
      constexpr int number_bytes = 4, warps = ctas * Consumer::sharers * (warpgroup / 32);
      if (sm.share() == 0 && sm.thread == 0) sm.hw.mbarrier_arrive_expect(barrier(sm), number_bytes * warps * count);
      sm.hw.warp_sync();  // whose lanes have all read what they were shown
    }
  }
  /// This warp's part of columns `col` and `col` + 1, which all of its octets of lanes have.
  template <class Consumer>
  constexpr void show(Consumer& sm, int octet, int col, const float (&shown)[2]) const {
    if constexpr (ctas > 1 && Consumer::whole_warpgroup) {  // one agent stands for all octets
      for (int cta = 0; cta < ctas; ++cta) show_to(sm, cta, col, shown);
    } else {
      if (octet < ctas) show_to(sm, octet, col, shown);
    }
  }
  /// Everybody has shown its part.
  template <class Consumer>
  constexpr void end(Consumer& sm) const {
    if constexpr (ctas == 1)
      meet(sm);
    else
      sm.hw.mbarrier_wait(barrier(sm), turn / 2);
  }
  /// What four warps of CTA number `cta` of those that exchange have of a column.
  template <class Consumer>
  constexpr void look(const Consumer& sm, int cta, int first_warp, int col, float (&shown)[4]) const {
    std::uint32_t word[4]{};
    sm.hw.load_shared(word, address_of(sm, cta, first_warp, col));
    for (int i = 0; i < 4; ++i) shown[i] = __builtin_bit_cast(float, word[i]);
  }

  /// All warps that share a tile in a CTA meet.
  template <class Consumer>
  static constexpr void meet(Consumer& sm) {
    if constexpr (Consumer::sharers == 1)
      sm.hw.named_barrier_sync(epilogue_barrier(sm.index), warpgroup);
    else
      sm.hw.named_barrier_sync(exchange_barrier(Consumer::consumers), Consumer::consumers * warpgroup);
  }

 private:
  template <class Consumer>
  constexpr void show_to(Consumer& sm, [[maybe_unused]] int cta, int col, const float (&shown)[2]) const {
    for (int j = 0; j < 2; ++j) {
      const std::uint32_t word = __builtin_bit_cast(std::uint32_t, shown[j]);
      const std::uint32_t to = address_of(sm, ctas > 1 ? sm.col_in_cluster : 0, sm.warp_of_consumers(), col + j);
      if constexpr (ctas == 1)
        sm.hw.store_shared(to, word);
      else
        sm.hw.store_shared_async(to, word, barrier(sm), sm.rank_in_exchange(cta));
    }
  }
  template <class Consumer>
  constexpr std::uint32_t barrier(const Consumer& sm) const {
    constexpr exchange_plan e = exchange_of<K>;
    return sm.hw.shared_base() + static_cast<std::uint32_t>(exchange_mbarrier(e, sm.index - sm.share(), turn % 2));
  }
  template <class Consumer>
  constexpr std::uint32_t address_of(const Consumer& sm, int cta, int warp, int col) const {
    constexpr exchange_plan e = exchange_of<K>;
    constexpr int pitch = exchange_pitch(how_of<K>, ctas), buffer_bytes = e.bytes / e.buffers;
    const int buffer = e.buffers > 1 ? turn % 2 * buffer_bytes : 0;
    warp += cta * warps_of_tile(how_of<K>);
    col += (sm.index - sm.share()) * e.columns;  // behind those of the consumers before, of other tiles
    return sm.hw.shared_base() + static_cast<std::uint32_t>(e.offset + buffer + 4 * (col * pitch + warp));
  }
};

}  // namespace sectile
