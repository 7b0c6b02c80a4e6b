// What the producer's lanes do for a gathered operand: see plan/gather.hpp.
#pragma once
#include <cstddef>
#include <cstdint>

#include <sectile/dsl/roles/groups.hpp>

namespace sectile {

/// The matrix whose rows are picked, or added to.
struct picked_rows {
  const std::byte* data = nullptr;
  std::uint32_t pitch = 0;  // bytes from row to row
  int rows = 0, row_bytes = 0;
  std::int64_t apart[max_rank - 2]{};  // bytes from matrix to matrix, along modes that the index lacks
};
template <int Count>
struct gathered_places {
  picked_rows gathered[Count]{};  // in the order of the operands, of which most are none
};

/// Where in an index a tile's rows begin, and how many of them there are from there on.
struct index_place {
  long long first = 0;
  int begin = 0, size = 0;  // the tile's first row along its mode, and rows that this has
  constexpr bool has(int row) const { return begin + row >= 0 && begin + row < size; }
};
/// Of the tile of operand I at `at`, as its handle and the strides of its index say.
template <class K, int I, class Strides>
constexpr index_place place_in_index(const operand_handle<K, I>& rows, const Strides& stride, const tile_at<K, I>& at) {
  constexpr int along = operand_handle<K, I>::rank - 2, tile = operand_facts_of<K, I>().rows();
  const auto& extent = handle_access::extent(rows);
  index_place p{0, at.at[along] * tile, extent[along]};
  unroll<along>([&](auto d) {
    constexpr int i = place_in_index(operand_facts_of<K, I>(), operand_facts_of<K, index_of<K, I>>(), d);
    if constexpr (i >= 0) p.first += at.at[d] * stride[i];
    if (at.at[d] < 0 || at.at[d] >= extent[d]) p.size = 0;
  });
  p.first += p.begin;
  return p;
}

/// Whether this thread of the producer does what one does for all.
template <class K, class Machine>
constexpr bool leads(const Machine& hw) {
  return !gathers<K> || hw.thread() == 0;
}

/// The numbers of the rows of a tile that a warp copies, of which it has each once: lane l those of rows l, l + 32 ..
template <int Rows>
struct index_words {
  static constexpr int shares = (Rows + gather_lanes - 1) / gather_lanes;
  static constexpr std::uint32_t none = ~0u;
  std::uint32_t of[shares]{};
  std::uint32_t first = 0;  // where nobody has an index, and the lanes nothing to hand around
};
template <class K, int I>
inline constexpr int rows_of_a_warp = operand_facts_of<K, I>().rows() / head_of<K>.gather_warps;

/// The numbers of the rows of operand I's tile at `at`; of those that there are not, none. (Where nobody has an index,
/// as in proofs, each place picks the row with its own number.)
template <int I, class Role, class Parameters, class K = typename Role::kernel>
constexpr auto find_rows(Role& role, const Parameters& parameters, const tile_at<K, I>& at) {
  constexpr int index = index_of<K, I>, rows = rows_of_a_warp<K, I>;
  constexpr bool computes = std::remove_reference_t<decltype(role.hw)>::computes;
  const vector_place& numbers = parameters.vector[index];
  const int lane = role.hw.thread() % gather_lanes, begin = role.hw.thread() / gather_lanes * rows;
  index_place place = place_in_index<K, I>(arguments_of(role, parameters).template at<I>(), numbers.stride, at);
  if constexpr (cut_of<K, I>() >= 0 && computes) place.first += group_for<K, I>(role.group).begin();
  index_words<rows> found{{}, static_cast<std::uint32_t>(place.first + begin)};
  for (int s = 0; s < index_words<rows>::shares; ++s) {
    const int own = gather_lanes * s + lane, row = begin + own;
    const bool there = own < rows && place.has(row);
    std::uint32_t number = static_cast<std::uint32_t>(place.first + row);
    if constexpr (computes)
      number =
          role.hw.template load_global<4>(static_cast<const std::int32_t*>(numbers.data) + place.first + row, there);
    const bool possible = number < static_cast<std::uint32_t>(parameters.gathered[I].rows);
    if constexpr (requires { role.hw.observe_row(index, number, true); })
      role.hw.observe_row(index, number, !there || possible || number == index_words<rows>::none);
    found.of[s] = there && possible ? number : index_words<rows>::none;
  }
  return found;
}

/// Copies this lane's pieces of the rows of operand I's tile at `at` to the stage where the tile begins, and has the
/// barrier told when they have come.
template <int I, class Role, class Parameters, class K = typename Role::kernel>
constexpr void copy_rows(Role& role, const Parameters& parameters, const index_words<rows_of_a_warp<K, I>>& found,
                         const tile_at<K, I>& at, std::uint32_t address, std::uint32_t barrier) {
  constexpr operand_plan op = operand_plan_of<K, I>;
  constexpr int rows = rows_of_a_warp<K, I>, span = span_bytes(op.swizzle), all_rows = op.facts.rows();
  constexpr int across = pieces_of_a_row(op.swizzle), at_once = rows_at_once(op.swizzle);
  constexpr bool computes = std::remove_reference_t<decltype(role.hw)>::computes;
  constexpr int turns = rows / at_once, together = 8;
  constexpr int repeats = pattern_bytes(op.swizzle);  // bytes after which the swizzle is the same again
  const picked_rows& from = parameters.gathered[I];
  constexpr int rank = operand_handle<K, I>::rank;
  const int first_byte = at.at[rank - 1] * op.facts.cols() * op.facts.type.bits / 8;
  long long matrix = 0;  // where the one begins that has the rows
  unroll<rank - 2>([&](auto d) {
    if constexpr (place_in_index(operand_facts_of<K, I>(), operand_facts_of<K, index_of<K, I>>(), d) < 0)
      matrix += at.at[d] * from.apart[d];
  });
  const int lane = role.hw.thread() % gather_lanes, own_byte = lane % across * gathered_piece;
  const int own_row = lane / across;  // of those that are copied at once
  const int own_begin = (role.hw.thread() / gather_lanes * rows + own_row) * span + own_byte;
  unroll<op.panels>([&](auto panel) {
    const int byte = first_byte + panel * span + own_byte;
    const bool inside = byte < from.row_bytes;
    unroll<(turns + together - 1) / together>([&](auto batch) {
      constexpr int from_turn = batch * together, count = turns - from_turn < together ? turns - from_turn : together;
      std::uint32_t number[together];  // handed around ahead of the copies, as each takes its time
      unroll<count>([&](auto i) {
        constexpr int first = (from_turn + i) * at_once;  // of the rows that are copied at once, which one word has
        if constexpr (computes)
          number[i] = role.hw.shuffle(found.of[first / gather_lanes], first % gather_lanes + own_row);
        else
          number[i] = found.first + static_cast<unsigned>(first + own_row);
      });
      unroll<count>([&](auto i) {
        constexpr int begin = box_offset(all_rows, op.swizzle, panel, (from_turn + i) * at_once);
        constexpr int whole = begin / repeats * repeats;
        const auto to = byte_swizzle(op.swizzle)(begin - whole + own_begin);
        role.hw.copy_async(address + static_cast<std::uint32_t>(to + whole), from.data, byte,
                           static_cast<long long>(number[i]) * from.pitch + matrix,
                           inside && number[i] != index_words<rows>::none);
      });
    });
  });
  role.hw.mbarrier_arrive_copied(barrier);
}

}  // namespace sectile
