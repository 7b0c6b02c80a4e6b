// How the compiler says no: a rule, the numbers that clash, and one sentence with a way out.
#pragma once
#include <cstdint>

namespace sectile {

/// Every reason for which a kernel can be refused before it runs. The enumerator is what nvcc and clang print in their
/// first line; g++ prints the sentence as well.
enum class rule : std::uint8_t {
  holds,
  // legality
  tile_is_not_a_multiple_of_the_instruction,
  n_has_no_wgmma_instruction,
  tile_rows_do_not_split_over_the_consumers,
  types_have_no_wgmma_instruction,
  operand_major_has_no_wgmma_instruction,
  instruction_has_no_such_form,
  batch_modes_must_have_tile_extent_1,
  store_shape_differs_from_the_output_tile,
  store_is_not_one_whole_tile,
  program_is_not_traceable,
  // reachability and alignment
  swizzle_is_wider_than_the_tile,
  tma_box_is_illegal,
  wgmma_does_not_read_what_tma_wrote,
  shared_memory_is_misaligned,
  shared_memory_overlaps,
  descriptor_field_is_out_of_range,
  // budgets
  stages_do_not_fit_in_shared_memory,
  registers_exceed_the_pool,
  accumulators_do_not_fit_in_registers,
  too_many_threads,
  too_many_barriers,
  cluster_is_illegal,
  // protocol
  transaction_bytes_differ_from_the_copies,
  arrivals_differ_from_the_barrier_count,
  protocol_deadlocks,
  protocol_races,
  multicast_peers_disagree,
  // banks
  epilogue_has_bank_conflicts,
};

/// A sentence in a fixed buffer, so that it can be made at compile time and be a template argument.
struct sentence {
  char text[208]{};
  int length = 0;

  constexpr sentence& operator<<(const char* s) {
    while (*s && length + 1 < static_cast<int>(sizeof text)) text[length++] = *s++;
    return *this;
  }
  constexpr sentence& operator<<(long long v) {
    if (v < 0) {
      *this << "-";
      v = -v;
    }
    char digits[20]{};
    int n = 0;
    do digits[n++] = static_cast<char>('0' + v % 10);
    while (v /= 10);
    while (n && length + 1 < static_cast<int>(sizeof text)) text[length++] = digits[--n];
    return *this;
  }
  constexpr sentence& operator<<(int v) { return *this << static_cast<long long>(v); }
};

/// Which rule is broken and what to say; `holds` when none is.
struct violation {
  rule what = rule::holds;
  sentence says{};
  constexpr bool holds() const { return what == rule::holds; }
};

template <class... Parts>
constexpr violation refuse(rule what, const Parts&... parts) {
  violation v{what, {}};
  (v.says << ... << parts);
  return v;
}

}  // namespace sectile
