// What a kernel tells the model beside its instructions: which tiles, numbers and places it believes to work with. The
// model holds it against what they are (observe.cpp); the chip has none of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <sectile/dsl/model/observed_vector.hpp>
#include <sectile/dsl/model/registers.hpp>
#include <sectile/dsl/model/tensor_map.hpp>
#include <sectile/dsl/program/observed_numbers.hpp>
#include <sectile/dsl/program/observed_tile.hpp>
#include <sectile/layouts/element.hpp>
#include <sectile/layouts/fragment.hpp>
#include <type_traits>

namespace sectile::model {

struct cuda_thread;

struct arithmetic_count;
/// While it lives, this thread's arithmetic is not counted (verb_log.hpp).
class uncounted_arithmetic {
 public:
  uncounted_arithmetic();
  ~uncounted_arithmetic();
  uncounted_arithmetic(const uncounted_arithmetic&) = delete;
  uncounted_arithmetic& operator=(const uncounted_arithmetic&) = delete;

 private:
  arithmetic_count* counting_;
};

/// The part of a thread's machine that is told, for the reports.
struct observations {
  observations(cuda_thread& self, int thread, int cta_rank) : self_(self), thread_(thread), cta_rank_(cta_rank) {}

  int thread() const { return thread_; }
  int cta_rank() const { return cta_rank_; }

  /// The role begins with this work item, or looks on while another one does.
  void observe_item(int) {}
  /// That is part number `part` of so many of tile `tile`.
  void observe_share(int tile, int part, int parts);
  /// Of the parts that meet in the workspace so many do so at once: a group, or behind the last of these what they have
  /// become; or all, -1, behind that.
  void observe_meeting(int group, int parts);
  /// A trip of the innermost loop begins, counted from 0; -1: outside of loops.
  void observe_trip(int trip);
  /// Ordinary instructions are about to access the registers of fragment `value`.
  void observe_touch(int) {}
  /// The wgmmas until the next commit are a product into fragment `accumulator`, with A in fragment `operand` (-1: in
  /// shared memory). Products of one kind on one accumulator are kept in order by the hardware.
  void observe_product(int, int, int) {}
  /// The next `blocks` * `steps` wgmmas are the product of these two tiles, A's left of B's: for each K step one for
  /// each block of 64 rows, from step `first` on. A may be none: it is in registers then.
  void observe_factors(const observed_tile& a, const observed_tile& b, int blocks, int steps, int first, int row);
  /// The next ldmatrix, or ld.shared of words, bring this warpgroup's rows of the tile into `registers` of each of
  /// `blocks`, so many at once.
  void observe_read(const observed_tile& tile, int blocks, int registers, int at_once);
  /// What comes from shared memory now is no part of that tile: a vector's, say.
  void observe_read_end();
  /// The next load from shared memory brings this thread's word of block (row, col) of the metadata.
  void observe_metadata(const tensor_map& map, int col, int row) { metadata_observed(map, col, row); }
  /// Number `number` of index `operand` picks a row, and is `possible` or is not.
  void observe_row(int operand, std::uint32_t number, bool possible, bool names = false);
  /// The next tile of this operand that the CTA brings for the CTAs in `sharers` (a bit per rank) is this one.
  template <int Rank>
  void observe_load(int operand, const int (&tile)[Rank], unsigned sharers) {
    load_observed(operand, tile, Rank, sharers);
  }
  /// A tile of operand `operand` is stored; `own`: the one that this run of the body is for.
  void observe_store(int operand, bool own);
  /// A tile of operand `operand` is read through a handle whose stage has been released since.
  void observe_stale_tile(int operand);
  /// The values that the run of the body stores as tile `tile` of an output of element type Out are this warpgroup's
  /// share of it: what reaches host memory is compared with them. Transposed: of columns, which the registers hold as
  /// rows.
  template <class Out, bool Transposed, class T, int R, int Blocks>
  void observe_values(const observed_tile& tile, const model::registers<T, R> (&block)[Blocks]) {
    std::byte* const values = expect_values(tile, Blocks, Transposed);
    if (values == nullptr) return;
    constexpr bool packed = sizeof(Out) < 4 && !std::is_same_v<T, float>;  // elements as they are, two units to a word
    constexpr int units = packed ? 2 * R : R, elements = packed && sizeof(Out) == 1 ? 2 : 1;
    constexpr int cols = 2 * units * elements;
    for (int m = 0; m < Blocks; ++m)
      for (int i = 0; i < units; ++i)
        for (int j = 0; j < elements; ++j) {
          const auto [row, unit] = element_of_register(thread_, m, i);
          const int col = unit * elements + j, at = Transposed ? col * 64 * Blocks + row : row * cols + col;
          Out value;
          if constexpr (packed) {
            const std::uint32_t bits = block[m][i / 2] >> (16 * (i % 2) + 8 * j);
            std::memcpy(&value, &bits, sizeof(Out));
          } else if constexpr (std::is_same_v<Out, T>) {
            value = block[m][i];
          } else {
            value = rounded_to<Out>(block[m][i]);
          }
          std::memcpy(values + at * static_cast<int>(sizeof(Out)), &value, sizeof(Out));
        }
  }
  /// These registers are one part of the sums that meet as number `meeting`, and what the parts have been added up to.
  template <class T, int R, int Blocks>
  void observe_part(int meeting, int part, int parts, const model::registers<T, R> (&block)[Blocks]) {
    observe_sums(meeting, part, parts, std::is_same_v<T, float>, false, block);
  }
  template <class T, int R, int Blocks>
  void observe_whole(int meeting, int parts, const model::registers<T, R> (&block)[Blocks]) {
    observe_sums(meeting, 0, parts, std::is_same_v<T, float>, true, block);
  }
  /// The same of parts that the body merges: what each has; the first words of each, as the one who goes on has read
  /// them, part after part; and that these are all.
  void observe_state(int meeting, int part, int parts, const std::uint32_t* words, int count);
  void observe_merge(int meeting, int part, int parts, const std::uint32_t* words, int count);
  void observe_merged(int meeting, int parts);
  /// Register `i` of block `m` of a fragment of `rows` rows is taken to be element (row, col) of it.
  void observe_coord(int rows, int m, int i, coord taken);
  /// The registers go on under another name, whether they have been written or not.
  template <class T, int R>
  void observe_moved(model::registers<T, R>& r) {
    r.state().unwritten = 0;
  }
  /// A use takes the step of position `at` where `next` is the next one that is left. It is the same one for all
  /// threads, at all times, and the step that was `planned` for the fragment.
  void observe_place(int at, int next, bool planned);
  /// The body does something else than it was planned to do here, `beside_a_product` if one is planned next to it or
  /// begins now: then it may be an expression whose operands the host compiler takes in another order.
  void observe_other_path(bool beside_a_product = false);
  /// A function of the program, given to `what`, has answered `first` and then `again` to the same question.
  void observe_state(const char* what, float first, float again);
  /// One that joins numbers has made `one` of them, and `other` in another order.
  [[noreturn]] void observe_order(const char* what, std::initializer_list<float> of, float one, float other);
  /// Numbers that this thread is about to exchange with others.
  void observe_numbers(const float* first, int count, const edge_number* edge = nullptr);
  /// What thread `thread` of the CTA, or of another one of the cluster, told when it told as often as this one has now.
  /// Null if nobody compares numbers.
  const float* numbers_of(int thread) const;
  const float* numbers_of(int thread, int cta_rank) const;
  /// Whether these are told with what they are without what is beyond an edge, and what number `n` of them is then.
  bool has_edge(int thread, int cta_rank) const;
  edge_number edge_of(int thread, int cta_rank, int n) const;
  /// f(), of which no instruction counts.
  template <class F>
  auto beside(F f) {
    const uncounted_arithmetic pause;
    return f();
  }
  /// The same of numbers that become elements of a vector by its next stores, or are combined with them.
  void observe_vector(const observed_vector& what, const float* first, int count);
  /// `what` has made `found` of numbers of which, joined by their places, `right` is made.
  void observe_joined(const char* what, float found, float right);
  /// Whether numbers are computed in this run: of several schedules in the first alone.
  bool looks_at_numbers() const;
  /// `what` is told that a fragment is tile `told` along a mode, where it is made of tile `tile`.
  [[noreturn]] void observe_misplaced(const char* what, const char* mode, std::int64_t told, std::int64_t tile);
  /// A mask that is not needed, as it is told, would hide an element.
  [[noreturn]] void observe_unmasked(coord at, float stays);
  /// A part of vector `vector` goes with tile `told` along a mode, the fragment that it meets with tile `tile`.
  [[noreturn]] void observe_other_part(const char* vector, const char* mode, std::int64_t told, std::int64_t tile);
  /// A product sums over a mode, of which its factors have stretches that begin at different numbers.
  [[noreturn]] void observe_apart(std::int64_t left, std::int64_t right);
  /// `what` is told that a matrix has `told` elements along a mode, where it has `size`, which are fewer.
  [[noreturn]] void observe_miscounted(const char* what, const char* mode, std::int64_t told, std::int64_t size);
  /// `what` has another result, a sum or not, for an element that is not there.
  [[noreturn]] void observe_beyond(const char* what, bool sums, const edge_number& x);
  /// A factor in registers is `x`, which is not finite, at number `at` along what is summed over, which has `size`.
  [[noreturn]] void observe_infinite(std::int64_t at, std::int64_t size, float x);

 protected:
  cuda_thread& self_;

 private:
  void metadata_observed(const tensor_map& map, int col, int row);
  template <class T, int R, int Blocks>
  void observe_sums(int meeting, int part, int parts, bool floating, bool whole,
                    const model::registers<T, R> (&block)[Blocks]) {
    std::uint32_t words[Blocks * R];
    for (int m = 0; m < Blocks; ++m)
      for (int i = 0; i < R; ++i) words[m * R + i] = __builtin_bit_cast(std::uint32_t, block[m][i]);
    sums_observed(meeting, part, parts, floating, whole, words, Blocks * R);
  }
  void sums_observed(int meeting, int part, int parts, bool floating, bool whole, const std::uint32_t* words,
                     int count);
  /// Where the values of a store are to be put down: `blocks` * 64 rows (transposed: columns), row-major; null: nobody
  /// compares them.
  std::byte* expect_values(const observed_tile& tile, int blocks, bool transposed);
  void load_observed(int operand, const int* tile, int rank, unsigned sharers);

  int thread_, cta_rank_;
};

}  // namespace sectile::model
