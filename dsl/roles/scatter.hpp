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
  std::uint32_t slot[Blocks]{};
};

/// Reads what the index says of this warp's rows of the tile at `at`.
template <int I, int Blocks, class Consumer>
constexpr scattered_rows<Blocks> find_slots(Consumer& sm, const tile_at<typename Consumer::kernel, I>& at) {
  using K = typename Consumer::kernel;
  constexpr int index = index_of<K, I>, last = operand_handle<K, I>::rank - 1;
  constexpr int rows = operand_facts_of<K, I>().rows() / Consumer::sharers;
  const vector_place& numbers = sm.parameters.vector[index];
  const auto& handle = arguments_of(sm, sm.parameters).template at<I>();
  index_place place = place_in_index<K, I>(handle, numbers.stride, at);
  if constexpr (cut_of<K, I>() >= 0) place.first += group_for<K, I>(sm.group).begin();
  const int columns = handle_access::tile_count(handle)[last], lane = sm.thread % 32;
  const auto slots = static_cast<std::uint32_t>(sm.parameters.in_order[0].tiles.slots);
  const std::uint32_t summands = static_cast<std::uint32_t>(sm.parameters.gathered[I].rows) * slots;
  scattered_rows<Blocks> own{};
  SECTILE_UNROLL for (int m = 0; m < Blocks; ++m) {
    const int row = sm.share() * rows + 64 * m + sm.thread / 32 * 16 + lane;
    const bool there = lane < 16 && place.has(row) && at.at[last] < columns;
    const std::uint32_t number =
        sm.hw.template load_global<4>(static_cast<const std::int32_t*>(numbers.data) + place.first + row, there);
    const bool possible = number < summands;
    if constexpr (requires { sm.hw.observe_row(index, number, true); })
      sm.hw.observe_row(index, number, !there || possible, true);
    own.slot[m] =
        there && possible
            ? (number / slots * static_cast<std::uint32_t>(columns) + static_cast<std::uint32_t>(at.at[last])) * slots +
                  number % slots
            : scattered_rows<Blocks>::none;
  }
  return own;
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

/// Where the output has the rows of a tile: the first one's part, and how far rows are apart.
struct scattered_place {
  unsigned char* first = nullptr;
  long long pitch = 0;
  int columns = 1, bytes = 0;  // tiles of a row, and of a row's part of this one what there is
};

/// Adds up the slots of `count` groups, each in their order, and stores the sums: this lane its pieces. Lane n knows
/// the number of the n-th group. So many loads are in flight, of one group or of several.
template <int I, class Consumer>
constexpr void sum_scattered_rows(Consumer& sm, std::uint32_t groups, int count, const scattered_place& to) {
  using K = typename Consumer::kernel;
  using T = typename operand_at<K, I>::element_type;
  constexpr int words = numbers_of_a_tile(operand_facts_of<K, I>()), at_once = 8, in_piece = 16 / sizeof(T);
  const ordered_sum& from = sm.parameters.in_order[0];
  const int slots = from.tiles.slots, all = count * slots;
  SECTILE_UNROLL for (int n = 0; n < words; n += 4 * 32) {
    const int word = n + 4 * (sm.thread % 32);
    const bool there = word < words && 4 * word < to.bytes;
    float sum[in_piece]{};
    int next = 0, slot = 0, group = 0, added = 0;  // what is loaded next, and what is added up
    SECTILE_KEEP_LOOP for (int first = 0; first < all; first += at_once) {
      std::uint32_t of[at_once][4];
      SECTILE_UNROLL for (int i = 0; i < at_once; ++i) {
        const long long number = static_cast<long long>(sm.hw.shuffle(groups, next % 32)) * slots + slot;
        sm.hw.load_numbers(of[i], from.numbers, number * words + word, there && first + i < all);
        if (++slot == slots) slot = 0, ++next;
      }
      SECTILE_UNROLL for (int i = 0; i < at_once; ++i) {
        if (first + i == all) break;
        SECTILE_UNROLL for (int j = 0; j < in_piece; ++j) sum[j] =
            sm.hw.add(sum[j], element_of_piece<T>(sm.hw, of[i], j));
        if (++added < slots) continue;
        std::uint32_t rounded[4]{};
        round_piece<T>(sm.hw, sum, rounded);
        const int row = static_cast<int>(sm.hw.shuffle(groups, group)) / to.columns;
        sm.hw.store_global(to.first + row * to.pitch + 4 * word, rounded, there);
        SECTILE_UNROLL for (float& x : sum) x = 0;
        added = 0, ++group;
      }
    }
  }
}

/// A tile on its way out: this warp's rows become summands, batch by batch; then their tickets are taken; and what is
/// complete is added up. Each is a step that may wait for the next tile's products to run.
template <class K>
struct scatter_outbox {
  static constexpr int operand = outbox<K>::operand,
                       atoms = operand_facts_of<K, operand>().rows() / 64 / head_of<K>.how.sharers();
  static constexpr int batch = epilogue_of<K, operand>.batch, batches = epilogue_of<K, operand>.panels / batch;
  static constexpr int steps = batches + 2;

  decltype(outbox<K>::tile) tile{};  // of a tile that waits
  scattered_rows<atoms> own{};
  scattered_place place{};
  int next = steps;  // steps: nothing is left

  /// Where the rows of the tile at `at` go.
  template <class Consumer>
  constexpr void address(Consumer& sm, const tile_at<K, operand>& at) {
    constexpr int last = operand_handle<K, operand>::rank - 1;
    constexpr int row_of_tile = 4 * numbers_of_a_tile(operand_facts_of<K, operand>());  // bytes
    const picked_rows& rows = sm.parameters.gathered[operand];
    place = {sm.parameters.output[output_number<K, operand>].data + static_cast<long long>(at.at[last]) * row_of_tile,
             rows.pitch, handle_access::tile_count(arguments_of(sm, sm.parameters).template at<operand>())[last],
             rows.row_bytes - at.at[last] * row_of_tile};
    own = find_slots<operand, atoms>(sm, at);
  }
  template <int First, class Consumer, class Source>
  constexpr void put_batch(Consumer& sm, const Source& x) {
    put_panels<operand, First>(
        sm, x, [&](auto panel, std::uint32_t from) { scatter_panel<operand, panel>(sm, own, from, place.bytes); });
  }
  /// Of rows that are not complete nothing is left to do.
  template <class Consumer>
  constexpr void take_tickets(Consumer& sm) {
    const ordered_sum& to = sm.parameters.in_order[0];
    sm.hw.warp_sync();  // see sums_in_order.hpp
    SECTILE_UNROLL for (int m = 0; m < atoms; ++m) {
      int before = 0;
      if (own.slot[m] != own.none)
        before = sm.hw.take_place(sm.parameters.tickets, to.counter + static_cast<int>(own.slot[m]) / to.tiles.slots,
                                  to.tiles.slots);
      if (before != to.tiles.slots - 1) own.slot[m] = own.none;
    }
    sm.hw.warp_sync();
  }
  template <class Consumer>
  constexpr void sum_complete(Consumer& sm) {
    const auto slots = static_cast<std::uint32_t>(sm.parameters.in_order[0].tiles.slots);
    SECTILE_UNROLL for (int m = 0; m < atoms; ++m) {
      std::uint32_t complete = 0;  // of lane n the n-th group that is
      int count = 0;
      SECTILE_UNROLL for (int row = 0; row < 16; ++row) {
        const std::uint32_t slot = sm.hw.shuffle(own.slot[m], row);
        if (sm.thread % 32 == count) complete = slot / slots;
        count += slot != own.none;
      }
      sum_scattered_rows<operand>(sm, complete, count, place);
    }
  }
  /// All of x at once.
  template <class Consumer, class Source>
  constexpr void put(Consumer& sm, const tile_at<K, operand>& at, const Source& x) {
    address(sm, at);
    unroll<batches>([&](auto i) { put_batch<i * batch>(sm, x); });
    take_tickets(sm);
    sum_complete(sm);
  }

  // ---- what outbox<K> has (epilogue.hpp); who looks on has nothing to send
  template <class Consumer, class Fragment>
  constexpr void fill(Consumer& sm, const tile_at<K, operand>& at, const Fragment& x) {
    if constexpr (Consumer::computes) {
      pack_tile<operand>(sm, x, tile);
      address(sm, at);
      next = 0;
    }
  }
  template <class Consumer>
  constexpr void put_next(Consumer& sm) {
    if constexpr (Consumer::computes) {
      if (next == steps) return;
      unroll<batches>([&](auto i) {
        if (next == i) put_batch<i * batch>(sm, tile);
      });
      if (next == batches) take_tickets(sm);
      if (next == batches + 1) {
        tile = {};  // nothing of it is needed: its registers are for the sums
        sum_complete(sm);
      }
      ++next;
    }
  }
  constexpr void put_rest(auto& sm) {
    for (int i = 0; i < steps; ++i) put_next(sm);
  }
  constexpr void empty(auto& sm) {
    put_rest(sm);
    next = steps;
    tile = {};
  }
};

/// The outbox of K's consumers.
template <class K>
using outbox_of =
    std::conditional_t<operand_facts_of<K, work_operand<K>>().is_scattered(), scatter_outbox<K>, outbox<K>>;

}  // namespace sectile
