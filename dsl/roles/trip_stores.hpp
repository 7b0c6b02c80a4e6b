// What trips store, where whole tiles take turns in two halves of a consumer's buffers (epilogue_plan::by_halves).
//
// A trip writes its panels into the half that is free. Then one thread waits until TMA has read the other one, the
// warps meet, and the thread has TMA store: so the meeting says as well that the other half is free, and there is one
// in a trip. Where a product follows in the text (step::put_off) all but the writing comes behind its issue, and the
// tensor cores are at work meanwhile.
#pragma once
#include <sectile/dsl/roles/epilogue.hpp>

namespace sectile {

template <class K, int Count = head_of<K>.trip_outputs>
struct trip_stores {
  static constexpr int first = head_of<K>.epilogue[0].operand;
  int further[Count]{};    // where the free half of each output begins, in panels
  tile_at<K, first> at{};  // of the tile that is put off, which is the only output's

  /// Writes all of x, and has it stored, or leaves that to let_go().
  template <int I, class Consumer, class Source>
  constexpr void put(Consumer& sm, const tile_at<K, I>& where, const Source& x, bool put_off) {
    write_batch<I, 0>(sm, x, further[output_number<K, I>]);
    if (!put_off) return send<I>(sm, where);
    if constexpr (I == first) at = where;
  }
  template <class Consumer>
  constexpr void let_go(Consumer& sm) {
    send<first>(sm, at);
  }

 private:
  template <int I, class Consumer>
  constexpr void send(Consumer& sm, const tile_at<K, I>& where) {
    int& half = further[output_number<K, I>];
    store_batch<I>(sm, where, sm.group, 0, half);
    half = epilogue_of<K, I>.panels - half;
  }
};
template <class K>
struct trip_stores<K, 0> {};

}  // namespace sectile
