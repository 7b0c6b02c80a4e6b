// A part of a vector, after load(): in memory, or in the stage to which TMA has brought it with tiles.
#pragma once
#include <cstdint>

#include <sectile/dsl/program/tile.hpp>

namespace sectile {

/// Elements of a vector in memory. What lies behind its end counts as zeros, and is not written.
template <class T>
struct vector_part {
  T* first = nullptr;
  int inside = 0;  // elements, 0 or less: none
};

/// The same where neighbours have one element between them: where the part begins in the first one's block.
template <class T>
struct block_part : vector_part<T> {
  long long step = 1;  // from one element to the next
  int begin = 0;
};

/// Whether operand I is a vector that comes with tiles in reading R. (In the portable ones all vectors are read in
/// memory.)
template <class R, int I>
concept comes_with_tiles = is_vector_with_tiles<typename R::kernel, I> && R::has_rings;

/// Where a vector lies that does not come with tiles: in no stage.
struct no_slot {};

/// Operand I's part of a vector, after load(): a number for each row or each column of the fragment that it meets,
/// whichever is along the same mode. They are read where they are needed. The number of a vector that has one is read
/// where it is loaded: it takes one register, and no product that is under way is waited for first.
template <class R, int I>
struct loaded_vector {
  using reading_type = R;
  using element_type = typename operand_at<typename R::kernel, I>::element_type;
  static constexpr operand_facts facts = operand_facts_of<typename R::kernel, I>();
  static constexpr int in_block = facts.tile.rank == 0 ? 1 : facts.block[facts.line()];
  static constexpr bool in_blocks = in_block > 1, strided = in_blocks && facts.is_strided();
  /// Columns that have one element wherever the part begins; 0: a thread's numbers are no such.
  static constexpr int run =
      in_blocks && common_divisor(facts.cols(), in_block) % 8 == 0 ? common_divisor(facts.cols(), in_block) : 0;
  static constexpr int runs = run > 0 ? facts.cols() / run : 1;
  using part_type = std::conditional_t<in_blocks, block_part<element_type>, vector_part<element_type>>;

  R* reading;
  part_type part{};  // where readings compute
  std::conditional_t<comes_with_tiles<R, I>, typename R::slot, no_slot> slot{};
  float of_all = 0;  // the number of a vector that has one; in a plan, of which trip the variable is
  /// The tile along its line that it goes with, where somebody looks on.
  [[no_unique_address]] std::conditional_t<follows_places<R>, int, unobserved_place> tile{};

  static constexpr int operand = I;
  static constexpr bool computes = R::computes;
  static constexpr int block_rows = 64 * R::sharers;  // of the fragment of fewest rows
  static constexpr bool has_one = has_one_number(facts);

  constexpr loaded_vector(R* by) : reading(by) {
    if constexpr (is_planner<R>) of_all = static_cast<float>(by->trip_now());
  }
  constexpr loaded_vector(R* by, const part_type& from) : reading(by), part(from) {
    if constexpr (has_one) of_all = at(0, 0);
  }
  constexpr loaded_vector(R* by, const part_type& from, const typename R::slot& in)
  requires comes_with_tiles<R, I>
  : reading(by), part(from), slot(in) {
    if constexpr (R::computes && has_one) of_all = at(0, 0);
    if constexpr (is_planner<R>) of_all = static_cast<float>(by->trip_now());
    if constexpr (has_one) end_reading();
  }

  /// Member by member: see copy_numbers().
  constexpr loaded_vector(const loaded_vector& v)
      : reading(v.reading), part(v.part), slot(v.slot), of_all(v.of_all), tile(v.tile) {}
  constexpr loaded_vector& operator=(const loaded_vector& v) {
    if constexpr (is_planner<R>) reading->overwrites(static_cast<int>(of_all));
    part = v.part;
    slot = v.slot;
    of_all = v.of_all;
    tile = v.tile;
    return *this;
  }

  constexpr operator float() const {
    static_assert(decltype(reason<no_use<asked_for::number, loaded_vector>()>())::verified);
    return refused(*this);
  }
  /// The number that register i of block m meets in a fragment of `Rows` rows, if the vector lies along them.
  template <int Rows>
  constexpr float of_row(int m, int i) const {
    return at(reading->template coord_of<Rows>(m, i).row, reading->template coord_of<Rows>(0, 0).row);
  }
  /// The same if it lies along the columns.
  template <int Rows>
  constexpr float of_col(int m, int i) const {
    return at(reading->template coord_of<Rows>(m, i).col, reading->template coord_of<Rows>(0, 0).col);
  }
  /// The numbers of all runs of columns. An element that several have is read once, and chosen.
  constexpr void read_runs(float (&to)[runs]) const {
    constexpr int all = facts.held(facts.line());
    float of_block[all]{};
    for (int e = 0; e < all && all < runs; ++e) of_block[e] = element(e, e);
    SECTILE_UNROLL for (int r = 0; r < runs; ++r) {
      to[r] = all < runs ? of_block[0] : at(r * run, r * run);
      SECTILE_UNROLL for (int e = 1; e < all && all < runs; ++e)
          to[r] = part.begin + r * run < e * in_block ? to[r] : of_block[e];
    }
  }
  /// The bits of element `i`, for a thread that has element `own` as well, whichever i is: what lies between the two is
  /// a constant, so that all elements of the thread have one address and what a load can add to it.
  constexpr std::uint32_t bits_at(int i, int own, int end) const {
    const int behind = i - own;
    if constexpr (comes_with_tiles<R, I>)
      return behind < end - own ? bits_in_stage(own, behind) : 0;
    else
      return reading->hw.template load_global<sizeof(element_type)>(address_of(own) + behind, behind < end - own);
  }
  /// The number that they are.
  constexpr float number_of(std::uint32_t bits) const {
    constexpr int bytes = sizeof(element_type);
    if constexpr (std::is_same_v<element_type, bf16>)  // the upper half of an f32
      return __builtin_bit_cast(float, bits << 16);
    else if constexpr (std::is_same_v<element_type, f16>)
      return reading->hw.low_f16(bits);
    else if constexpr (bytes == 4)
      return static_cast<float>(__builtin_bit_cast(element_type, bits));
    else
      return static_cast<float>(__builtin_bit_cast(element_type, static_cast<std::uint8_t>(bits)));
  }
  /// What the body reads of it in this place has been read, by this thread.
  constexpr void end_reading() const {
    if constexpr (comes_with_tiles<R, I>) reading->end_reading(*this);
  }

 private:
  constexpr const element_type* address_of(int i) const {
    if constexpr (strided)
      return part.first + i * part.step;
    else
      return part.first + i;
  }
  /// Element `own` + `behind`, from the word that has it. What a stage has of the vector begins with the piece of 16
  /// bytes in which the part does (see plan/vector_boxes.hpp).
  constexpr std::uint32_t bits_in_stage(int own, int behind) const {
    constexpr int bytes = sizeof(element_type);
    const auto* const begin = strided ? address_of(own) : part.first;
    const auto in_piece = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(begin) % 16);
    const std::uint32_t from =
        slot.address + in_piece + static_cast<std::uint32_t>(own * (strided ? strided_step : bytes));
    std::uint32_t word[1]{};
    if constexpr (bytes == 4) {
      reading->hw.load_shared(word, from + static_cast<std::uint32_t>(behind * bytes));
      return word[0];
    } else {
      const auto on = static_cast<std::uint32_t>(behind * bytes);
      const std::uint32_t first = from + on % 4, in_word = first % 4;  // the same of all that are whole words apart
      reading->hw.load_shared(word, first - in_word + on / 4 * 4);
      return word[0] >> 8 * in_word & ((1U << 8 * bytes) - 1);
    }
  }
  /// Number `i` of those that a stage has, or 0 behind the end. It is read in any case: for a read on a condition
  /// compilers make a branch, behind which the next one waits.
  constexpr float element(int i, int own) const {
    if constexpr (comes_with_tiles<R, I>) {
      const float number = number_of(bits_in_stage(own, i - own));
      return i - own < part.inside - own ? number : 0;
    } else {
      return number_of(bits_at(i, own, part.inside));
    }
  }
  constexpr float at(int i, int own) const {
    if constexpr (in_blocks) i = own = (part.begin + i) / in_block;
    return element(i, own);
  }
};

}  // namespace sectile
