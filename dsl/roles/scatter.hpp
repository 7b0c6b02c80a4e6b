// What a consumer does with the rows of a scattered output: see plan/scatter.hpp.
#pragma once
#include <sectile/dsl/plan/scatter.hpp>
#include <sectile/dsl/roles/epilogue.hpp>
#include <sectile/dsl/roles/sums_in_order.hpp>

namespace sectile {

/// Where the rows go that a warp has of each block of 64: lane l knows the slot of row l, as counted in all groups of
/// the sum; none, if there is no such row. (Lanes from 16 on have no row.)
template <int Blocks>
struct scattered_rows {
  static constexpr std::uint32_t none = ~0u;
  std::uint32_t slot[Blocks]{};  // until name_slots() what the index says
  std::uint32_t there = 0;       // bit m: of block m this lane has a row
};

/// Where the output has the rows of a tile: the first one's part, and how far rows are apart.
struct scattered_place {
  unsigned char* first = nullptr;
  long long pitch = 0;
  std::uint32_t column = 0, columns = 1;  // which of a row's tiles
  int bytes = 0;                          // of a row's part what there is
};
/// That of the tiles in column `column` of tiles. (Made where it is needed, it takes no registers meanwhile.)
template <int I, class Consumer>
constexpr scattered_place place_of_rows(Consumer& sm, int column) {
  using K = typename Consumer::kernel;
  constexpr int last = operand_handle<K, I>::rank - 1;
  constexpr int row_of_tile = 4 * numbers_of_a_tile(operand_facts_of<K, I>());  // bytes
  const picked_rows& rows = sm.parameters.gathered[I];
  const int columns = handle_access::tile_count(arguments_of(sm, sm.parameters).template at<I>())[last];
  return {sm.parameters.output[output_number<K, I>].data + static_cast<long long>(column) * row_of_tile, rows.pitch,
          static_cast<std::uint32_t>(column), static_cast<std::uint32_t>(columns),
          rows.row_bytes - column * row_of_tile};
}

/// Reads what the index says of this warp's rows of the tile at `at`. (Nothing hangs on it yet, so nobody waits.)
template <int I, int Blocks, class Consumer>
constexpr scattered_rows<Blocks> find_slots(Consumer& sm, const tile_at<typename Consumer::kernel, I>& at) {
  using K = typename Consumer::kernel;
  constexpr int last = operand_handle<K, I>::rank - 1;
  constexpr int rows = operand_facts_of<K, I>().rows() / Consumer::sharers;
  const vector_place& numbers = sm.parameters.vector[index_of<K, I>];
  const auto& handle = arguments_of(sm, sm.parameters).template at<I>();
  index_place place = place_in_index<K, I>(handle, numbers.stride, at);
  if constexpr (cut_of<K, I>() >= 0) place.first += group_for<K, I>(sm.group).begin();
  const int columns = handle_access::tile_count(handle)[last], lane = sm.thread % 32;
  scattered_rows<Blocks> own{};
  SECTILE_UNROLL for (int m = 0; m < Blocks; ++m) {
    const int row = sm.share() * rows + 64 * m + sm.thread / 32 * 16 + lane;
    const bool there = lane < 16 && place.has(row) && at.at[last] < columns;
    own.slot[m] =
        sm.hw.template load_global<4>(static_cast<const std::int32_t*>(numbers.data) + place.first + row, there);
    own.there |= static_cast<std::uint32_t>(there) << m;
  }
  return own;
}
/// Makes them slots.
template <int I, int Blocks, class Consumer>
constexpr void name_slots(Consumer& sm, scattered_rows<Blocks>& own, const scattered_place& to) {
  const auto slots = static_cast<std::uint32_t>(sm.parameters.in_order[0].tiles.slots);
  const std::uint32_t summands = static_cast<std::uint32_t>(sm.parameters.gathered[I].rows) * slots;
  SECTILE_UNROLL for (int m = 0; m < Blocks; ++m) {
    const std::uint32_t number = own.slot[m];
    const bool there = own.there >> m & 1, possible = number < summands;
    if constexpr (requires { sm.hw.observe_row(I, number, true); })
      sm.hw.observe_row(index_of<typename Consumer::kernel, I>, number, !there || possible, true);
    const std::uint32_t group = number / slots * to.columns + to.column;
    own.slot[m] = there && possible ? group * slots + number % slots : own.none;
  }
}

/// Writes panels First .. First + batch - 1 of x, and hands each to take(its number, where it is): a warp its own rows.
template <int I, int First, class Consumer, class Source, class Take>
constexpr void put_panels(Consumer& sm, const Source& x, Take take) {
  constexpr epilogue_plan e = epilogue_of<typename Consumer::kernel, I>;
  sm.hw.warp_sync();  // whose lanes have read what was in the buffers
  write_batch<I, First>(sm, x);
  sm.hw.warp_sync();
  const std::uint32_t buffer = batch_buffer<I>(sm, First);
  unroll<e.batch>([&](auto b) {
    constexpr int bytes = epilogue_of<typename Consumer::kernel, I>.panel_bytes;  // (nvcc sees no constants of outside)
    take(std::integral_constant<int, First + b>{}, buffer + static_cast<std::uint32_t>(b * bytes));
  });
}

/// Copies this lane's pieces of a panel to their rows' slots, `bytes` of a row of the tile at most.
template <int I, int Panel, class Consumer, int Blocks>
constexpr void scatter_panel(Consumer& sm, const scattered_rows<Blocks>& own, std::uint32_t panel, int bytes) {
  using K = typename Consumer::kernel;
  constexpr epilogue_plan e = epilogue_of<K, I>;
  constexpr operand_facts f = operand_facts_of<K, I>();
  constexpr panel_source from = source_of_panel(false, extent_of(f), panel_extent(e), Panel);
  constexpr int across = e.row_bytes / gathered_piece, pieces = pieces_of_a_warp(e);
  constexpr int repeats = pattern_bytes(e.swizzle);  // bytes after which the swizzle is the same again
  constexpr bool alike = 32 % across == 0;           // a lane has the same columns in all rows
  const int lane = sm.thread % 32, own_rows = sm.thread / 32 * 16 * e.row_bytes;
  SECTILE_UNROLL for (int n = 0; n < pieces; n += 32) {
    const bool there = pieces % 32 == 0 || n + lane < pieces;
    const int row = alike ? n / across + lane / across : (n + lane) / across % 16;
    const int byte = (alike ? lane : n + lane) % across * gathered_piece;
    const int of_tile = from.col * f.type.bits / 8 + byte;
    const int begin = n * gathered_piece,
              whole = begin / repeats * repeats;  // constants, so that two places are enough
    const auto place = byte_swizzle(e.swizzle)(own_rows + (there ? lane * gathered_piece + begin - whole : 0)) + whole;
    const std::uint32_t slot = sm.hw.shuffle(own.slot[from.block], row);
    std::uint32_t word[4]{};
    sm.hw.load_shared(word, panel + static_cast<std::uint32_t>(place));
    sm.hw.store_numbers(sm.parameters.in_order[0].numbers,
                        static_cast<long long>(slot) * numbers_of_a_tile(f) + of_tile / 4, word,
                        there && slot != scattered_rows<Blocks>::none && of_tile < bytes);
  }
}

/// Element `i` of a piece of 16 bytes.
template <class T, class Machine>
constexpr float element_of_piece(Machine& hw, const std::uint32_t (&word)[4], int i) {
  if constexpr (std::is_same_v<T, float>)
    return __builtin_bit_cast(float, word[i]);
  else if constexpr (std::is_same_v<T, bf16>)  // the upper half of an f32
    return __builtin_bit_cast(float, i % 2 == 0 ? word[i / 2] << 16 : word[i / 2] & 0xFFFF'0000u);
  else
    return i % 2 == 0 ? hw.low_f16(word[i / 2]) : hw.high_f16(word[i / 2]);
}
template <class T, class Machine, int Count>
constexpr void round_piece(Machine& hw, const float (&x)[Count], std::uint32_t (&word)[4]) {
  SECTILE_UNROLL for (int i = 0; i < 4; ++i) {
    if constexpr (Count == 4)
      word[i] = __builtin_bit_cast(std::uint32_t, x[i]);
    else
      word[i] = pack<T>(hw, x[2 * i], x[2 * i + 1]);
  }
}

/// The rows of a warp that are complete, while their slots are added up, each in their order. So many loads are on
/// their way, of one row or of several, until the next ones are due: products may run meanwhile.
template <class K, int I>
struct row_sums {
  using T = typename operand_at<K, I>::element_type;
  static constexpr int words = numbers_of_a_tile(operand_facts_of<K, I>()), at_once = 8, in_piece = 16 / sizeof(T);
  static constexpr int of_warp = 4 * 32;  // words that it loads of a row at once
  static constexpr int blocks = operand_facts_of<K, I>().rows() / 64 / plan_of<K>.how.sharers();

  std::uint32_t word[at_once][4]{};
  float sum[in_piece]{};
  std::uint32_t row[(blocks + 1) / 2]{};  // of lane n the n-th one, the (32 + n)-th
  int count = 0;
  int next = 0, slot = 0, first = 0;  // of what is on its way the row, the slot and the words before

  constexpr void add_row(std::uint32_t number, bool complete, int lane) {
    SECTILE_UNROLL for (int list = 0; list < (blocks + 1) / 2; ++list) if (count == 32 * list + lane) row[list] =
        number;
    count += complete;
  }
  template <class Consumer>
  constexpr std::uint32_t row_number(Consumer& sm, int n) const {
    const int lane = n & 31;
    std::uint32_t number = sm.hw.shuffle(row[0], lane);
    SECTILE_UNROLL for (int list = 1; list < (blocks + 1) / 2; ++list) {
      const std::uint32_t other = sm.hw.shuffle(row[list], lane);
      if (n / 32 == list) number = other;
    }
    return number;
  }
  /// Asks for the next summands, if rows are left.
  template <class Consumer>
  constexpr bool load(Consumer& sm, const scattered_place& to) {
    const ordered_sum& from = sm.parameters.in_order[0];
    const auto slots = static_cast<std::uint32_t>(from.tiles.slots);
    const int at = first + 4 * (sm.thread % 32);
    const bool there = at < words && 4 * at < to.bytes;
    int n = next;
    auto s = static_cast<std::uint32_t>(slot);
    SECTILE_UNROLL for (int i = 0; i < at_once; ++i) {
      const std::uint32_t number = (row_number(sm, n) * to.columns + to.column) * slots + s;
      sm.hw.load_numbers(word[i], from.numbers, static_cast<long long>(number) * words + at, there && n < count);
      if (++s == slots) s = 0, ++n;
    }
    return next < count;
  }
  /// Adds what has come, and stores the sums of rows that end.
  template <class Consumer>
  constexpr void add(Consumer& sm, const scattered_place& to) {
    const int slots = sm.parameters.in_order[0].tiles.slots, at = first + 4 * (sm.thread % 32);
    const bool there = at < words && 4 * at < to.bytes;
    SECTILE_UNROLL for (int i = 0; i < at_once; ++i) {
      SECTILE_UNROLL for (int j = 0; j < in_piece; ++j) sum[j] =
          sm.hw.add(sum[j], element_of_piece<T>(sm.hw, word[i], j));
      if (++slot < slots) continue;
      std::uint32_t rounded[4]{};
      round_piece<T>(sm.hw, sum, rounded);
      sm.hw.store_global(to.first + row_number(sm, next) * to.pitch + 4 * at, rounded, there && next < count);
      SECTILE_UNROLL for (float& x : sum) x = 0;
      slot = 0, ++next;
    }
    if (words > of_warp && next >= count && first + of_warp < words) {  // again, of the rows' other words
      next = slot = 0, first += of_warp;
      SECTILE_UNROLL for (float& x : sum) x = 0;
    }
  }
};

/// A tile on its way out: this warp's rows become summands, batch by batch; then a ticket of each is asked for; what is
/// complete is added up, some summands at a time. Each is a step, and what a step asks memory for is looked at by the
/// next one: so the next tile's products run meanwhile.
template <class K>
struct scatter_outbox {
  static constexpr int operand = outbox<K>::operand,
                       atoms = operand_facts_of<K, operand>().rows() / 64 / head_of<K>.how.sharers();
  static constexpr int batch = epilogue_of<K, operand>.batch, batches = epilogue_of<K, operand>.panels / batch;
  enum : int { asks = batches, learns, adds, done };

  union {  // what is packed has gone when summands come
    decltype(outbox<K>::tile) tile;
    row_sums<K, operand> sums;
  };
  scattered_rows<atoms> own{};
  std::uint64_t asked[atoms]{};
  int column = 0;  // of tiles
  int next = done;

  constexpr scatter_outbox() : tile{} {}

  /// Where the rows of the tile at `at` go.
  template <class Consumer>
  constexpr void address(Consumer& sm, const tile_at<K, operand>& at) {
    column = at.at[operand_handle<K, operand>::rank - 1];
    own = find_slots<operand, atoms>(sm, at);
  }
  template <int First, class Consumer, class Source>
  constexpr void put_batch(Consumer& sm, const Source& x) {
    const scattered_place to = place_of_rows<operand>(sm, column);
    if constexpr (First == 0) name_slots<operand>(sm, own, to);
    put_panels<operand, First>(
        sm, x, [&](auto panel, std::uint32_t from) { scatter_panel<operand, panel>(sm, own, from, to.bytes); });
  }
  template <class Consumer>
  constexpr void ask_for_places(Consumer& sm) {
    const ordered_sum& to = sm.parameters.in_order[0];
    sm.hw.warp_sync();  // see sums_in_order.hpp
    SECTILE_UNROLL for (int m = 0; m < atoms; ++m)
        sm.hw.ask_for_place(asked[m], sm.parameters.tickets, counter_of(to, own.slot[m]), own.slot[m] != own.none);
  }
  /// Of rows that are not complete nothing is left to do.
  template <class Consumer>
  constexpr void learn_places(Consumer& sm, std::uint32_t columns) {
    const ordered_sum& to = sm.parameters.in_order[0];
    const int slots = to.tiles.slots;
    SECTILE_UNROLL for (int m = 0; m < atoms; ++m) {
      if (own.slot[m] == own.none) continue;
      const int counter = counter_of(to, own.slot[m]);
      const int before = sm.hw.place_asked_for(sm.parameters.tickets, counter, asked[m], slots);
      own.slot[m] = before == slots - 1 ? static_cast<std::uint32_t>(counter - to.counter) / columns : own.none;
    }
    sm.hw.warp_sync();
    sums = {};
    SECTILE_UNROLL for (int m = 0; m < atoms; ++m) SECTILE_UNROLL for (int row = 0; row < 16; ++row) {
      const std::uint32_t number = sm.hw.shuffle(own.slot[m], row);
      sums.add_row(number, number != own.none, sm.thread % 32);
    }
  }
  template <class Consumer>
  constexpr void add_up(Consumer& sm) {
    const scattered_place to = place_of_rows<operand>(sm, column);
    if (next == learns)
      learn_places(sm, to.columns);
    else
      sums.add(sm, to);
    next = sums.load(sm, to) ? adds : done;
  }
  static constexpr int counter_of(const ordered_sum& to, std::uint32_t slot) {
    return to.counter + static_cast<int>(slot / static_cast<std::uint32_t>(to.tiles.slots));
  }
  /// All of x at once.
  template <class Consumer, class Source>
  constexpr void put(Consumer& sm, const tile_at<K, operand>& at, const Source& x) {
    address(sm, at);
    unroll<batches>([&](auto i) { put_batch<i * batch>(sm, x); });
    ask_for_places(sm);
    next = learns;
    SECTILE_KEEP_LOOP while (next != done) add_up(sm);
  }

  // ---- what outbox<K> has (epilogue.hpp); who looks on has nothing to send
  template <class Consumer, class Fragment>
  constexpr void fill(Consumer& sm, const tile_at<K, operand>& at, const Fragment& x) {
    if constexpr (Consumer::computes) {
      tile = {};
      pack_tile<operand>(sm, x, tile);
      address(sm, at);
      next = 0;
    }
  }
  template <class Consumer>
  constexpr void put_next(Consumer& sm) {
    if constexpr (Consumer::computes) {
      if (next == done) return;
      if (next >= learns) return add_up(sm);
      if (next == asks) ask_for_places(sm);
      unroll<batches>([&](auto i) {
        if (next == i) put_batch<i * batch>(sm, tile);
      });
      ++next;
    }
  }
  template <class Consumer>
  constexpr void put_rest(Consumer& sm) {
    if constexpr (Consumer::computes) SECTILE_KEEP_LOOP while (next != done) put_next(sm);
  }
  constexpr void empty(auto& sm) {
    put_rest(sm);
    tile = {};
  }
};

/// The outbox of K's consumers.
template <class K>
using outbox_of =
    std::conditional_t<operand_facts_of<K, work_operand<K>>().is_scattered(), scatter_outbox<K>, outbox<K>>;

}  // namespace sectile
