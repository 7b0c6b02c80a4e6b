// How many registers a consumer's fragments need at once.
//
// A fragment lives from where it is filled to where it is read for the last time before it is filled again. What counts
// is who lives across a point that a compiler cannot move work over: a load, a product, a read, the reduction of rows,
// a loop's head, a store. Between two such points it is free to make one element after the other, and does: a chain of
// elementwise operations holds no whole fragment between its links. Nor does it hold a tile that stays in shared memory
// and is read where its numbers are needed. (Seven fragments that would not fit make ptxas
// spill when rows are reduced between them, and not when all are sums and products of each other.)
#pragma once
#include <cstdint>

namespace sectile {

struct fragment_lives {
  static constexpr int most = 160;  // of one traced run; later ones are not counted
  std::int16_t value[most]{}, registers[most]{}, filled[most]{}, read[most]{};
  bool busy[most]{};  // a product has used it last
  std::int16_t read_before[most]{};  // the last time but one, -1: a product was at work then
  std::int8_t tile_of[most]{};  // the operand whose tile it is, if that need not be in registers at once; else -1
  int count = 0;
  int now = 0;  // points that have been passed

  /// Value `v` begins to live here, again if it has lived before.
  constexpr void fill(int v) {
    if (count == most) return;
    value[count] = static_cast<std::int16_t>(v);
    filled[count] = read[count] = static_cast<std::int16_t>(now);
    tile_of[count] = -1;
    ++count;
  }
  /// It is read, by a product or by ordinary instructions, and takes so many registers of a thread.
  constexpr void use(int v, int size, bool by_product) {
    if (const int i = find(v); i >= 0) {
      read_before[i] = static_cast<std::int16_t>(busy[i] ? -1 : read[i]);
      read[i] = static_cast<std::int16_t>(now);
      registers[i] = static_cast<std::int16_t>(size);
      busy[i] = by_product;
    }
  }
  /// All of it is overwritten, and its last use was no more than the wait for that.
  constexpr void overwrite(int v) {
    if (const int i = find(v); i >= 0 && read_before[i] >= 0) read[i] = read_before[i];
    fill(v);
  }
  /// Its registers are given up; until here a product may be at work on them.
  constexpr void give_up(int v) {
    if (const int i = find(v); i >= 0 && busy[i]) read[i] = static_cast<std::int16_t>(now);
  }
  constexpr void pass_point() { ++now; }
  /// It is a tile of operand `o`, read where its numbers are needed if it stays.
  constexpr void read_in_place(int v, int o) {
    if (const int i = find(v); i >= 0) tile_of[i] = static_cast<std::int8_t>(o);
  }

  /// Registers of all that live across one and the same point, the most of all points. stays(o): operand o's tile does.
  template <class Stays>
  constexpr int most_at_once(Stays stays) const {
    int peak = 0;
    for (int point = 0; point < now; ++point) {
      int sum = 0;
      for (int i = 0; i < count; ++i)
        if (filled[i] <= point && read[i] > point && !(tile_of[i] >= 0 && stays(tile_of[i]))) sum += registers[i];
      peak = sum > peak ? sum : peak;
    }
    return peak;
  }

 private:
  constexpr int find(int v) const {
    int i = count - 1;
    while (i >= 0 && value[i] != v) --i;
    return i;
  }
};

}  // namespace sectile
