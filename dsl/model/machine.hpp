// The Hopper machine as one thread of a kernel sees it, on the CPU: the same verbs as sectile::hopper::machine, each of
// which says here what the chip's instruction of that name does.
//
// Light on purpose: kernels include it. What is behind it is in cluster.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <initializer_list>
#include <sectile/dsl/model/arithmetic.hpp>
#include <sectile/dsl/model/observed_place.hpp>
#include <sectile/dsl/model/observed_vector.hpp>
#include <sectile/dsl/model/registers.hpp>
#include <sectile/dsl/model/tensor_map.hpp>
#include <sectile/dsl/plan/instruction_table.hpp>
#include <sectile/dsl/plan/ticket_counters.hpp>
#include <sectile/dsl/program/observed_numbers.hpp>
#include <sectile/dsl/program/observed_tile.hpp>
#include <sectile/dsl/program/reduction.hpp>
#include <sectile/layouts/element.hpp>
#include <sectile/layouts/fragment.hpp>
#include <type_traits>

namespace sectile::model {

struct cuda_thread;

/// Start of the kernel's dynamic shared memory in the shared window; the first KiB belongs to the system.
inline constexpr std::uint32_t shared_window_base = 1024;
/// In a cluster an address of shared memory carries the rank of its CTA above the bits of the window (seen on an H100).
inline constexpr int shared_rank_shift = 24;
constexpr std::uint32_t within_window(std::uint32_t address) { return address & ((1u << shared_rank_shift) - 1); }

/// What a thread says to a wgmma beside its registers; all but the metadata is the same for the 128 threads.
struct wgmma_operands {
  std::uint64_t a_descriptor, b_descriptor;
  bool accumulate;
  std::uint32_t metadata;
  register_state* metadata_state = nullptr;  ///< of the registers that it is in, if it is known
};

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

/// One thread's view of the machine. All shared-memory addresses are byte addresses in the own CTA's shared window.
struct machine : arithmetic_verbs {
  static constexpr bool computes = true;          // in contrast to machines that only look on
  using place_in_matrix = observed_place;         // of a fragment
  static constexpr bool follows_order = true;     // whether operations come as they were planned is watched
  static constexpr bool whole_warpgroup = false;  // each thread runs its role itself
  using tensor_map = model::tensor_map;
  template <class T, int N>
  using registers = model::registers<T, N>;

  machine(cuda_thread& self, int thread, int cta_rank, int cluster_index, int cluster_count)
      : self_(self),
        thread_(thread),
        cta_rank_(cta_rank),
        cluster_index_(cluster_index),
        cluster_count_(cluster_count) {}

  // ---- who am I
  int thread() const { return thread_; }
  int cta_rank() const { return cta_rank_; }
  int cluster_index() const { return cluster_index_; }
  int cluster_count() const { return cluster_count_; }
  std::uint32_t shared_base() const {
    return shared_window_base | static_cast<std::uint32_t>(cta_rank_) << shared_rank_shift;
  }

  /// Whether an exception is on its way out of this thread: then nothing waits any more.
  static bool unwinding() { return std::uncaught_exceptions() > 0; }

  /// Trips of the loop at this position: as many as the program asks for.
  static constexpr int trips(int, int asked) { return asked; }

  // ---- what a role is doing, for the reports
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

  // ---- mbarrier
  void mbarrier_init(std::uint32_t barrier, int arrivals);
  void mbarrier_init_fence();
  /// Returns when the phase of that parity has completed.
  void mbarrier_wait(std::uint32_t barrier, int parity);
  void mbarrier_arrive(std::uint32_t barrier);
  /// Arrives at the same offset in a CTA of the cluster.
  void mbarrier_arrive_at(std::uint32_t barrier, int cta_rank);
  /// The same two with what threads wrote to shared memory before, for threads of other CTAs. (Here every arrival and
  /// every wait orders all of it.)
  void mbarrier_arrive_release(std::uint32_t barrier, int cta_rank) { mbarrier_arrive_at(barrier, cta_rank); }
  void mbarrier_wait_acquire(std::uint32_t barrier, int parity) { mbarrier_wait(barrier, parity); }
  void mbarrier_arrive_expect(std::uint32_t barrier, int bytes);

  // ---- barriers of threads
  /// All threads of the cluster that have not exited.
  void cluster_sync();
  /// The kernels before this one on its stream have ended. (On the model they always have; a tensor that is touched
  /// before is a hazard all the same.)
  void griddepcontrol_wait();
  void griddepcontrol_launch_dependents();
  void named_barrier_sync(int id, int threads);
  /// The same; whether any of the threads has said `yes`.
  bool named_barrier_any(int id, int threads, bool yes);
  void named_barrier_arrive(int id, int threads);

  // ---- TMA; coordinates innermost first
  template <int Rank>
  void tma_load(std::uint32_t destination, const tensor_map& map, std::uint32_t barrier, const int (&coord)[Rank]) {
    load_box(destination, map, barrier, coord, Rank, own_cta);
  }
  template <int Rank>
  void tma_load_multicast(std::uint32_t destination, const tensor_map& map, std::uint32_t barrier,
                          const int (&coord)[Rank], std::uint16_t cta_mask) {
    load_box(destination, map, barrier, coord, Rank, cta_mask);
  }
  /// Pixels of an image, in im2col mode: coordinates C, W, H, N, and offsets along W and H.
  void tma_load_im2col(std::uint32_t destination, const tensor_map& map, std::uint32_t barrier, const int (&coord)[4],
                       const std::uint16_t (&offset)[2]) {
    load_box(destination, map, barrier, coord, 4, own_cta, offset);
  }
  void tma_load_im2col_multicast(std::uint32_t destination, const tensor_map& map, std::uint32_t barrier,
                                 const int (&coord)[4], const std::uint16_t (&offset)[2], std::uint16_t cta_mask) {
    load_box(destination, map, barrier, coord, 4, cta_mask, offset);
  }
  /// cp.async of 16 bytes, or of zeros if they are not `there`: see thread_copies.hpp.
  void copy_async(std::uint32_t to, const std::byte* from, int byte, long long row, bool there);
  void mbarrier_arrive_copied(std::uint32_t barrier);
  template <int Rank>
  void tma_store(const tensor_map& map, std::uint32_t source, const int (&coord)[Rank]) {
    store_box(map, source, coord, Rank);
  }
  void bulk_commit();
  template <int N>
  void bulk_wait_read() {
    wait_for_bulk_reads(N);
  }
  template <int N>
  void bulk_wait() {
    wait_for_bulk_writes(N);
  }

  void fence_proxy_async();

  // ---- wgmma: all 128 threads of a warpgroup
  void wgmma_fence();
  void wgmma_commit();
  template <int N>
  void wgmma_wait() {
    static_assert(N >= 0 && N <= 7, "wgmma.wait_group takes 0..7");
    wait_for_wgmma(N);
  }
  /// D (+)= A * B with both operands in shared memory. T: float, std::uint32_t or std::int32_t. Only sparse
  /// instructions look at `metadata`.
  template <wgmma_instruction I, class T, int R>
  void wgmma(model::registers<T, R>& d, std::uint64_t a, std::uint64_t b, bool accumulate, std::uint32_t metadata = 0) {
    static_assert(check_instruction(I).holds(), "wgmma has no such instruction");
    static_assert(!I.a_in_registers, "this wgmma takes operand A from registers");
    static_assert(R == accumulator_registers(I), "the accumulator has n * bits / 64 registers");
    issue_wgmma(I, d.storage(), d.state(), nullptr, nullptr, {a, b, accumulate, metadata});
  }
  /// D (+)= A * B with A in registers first .. first + 3 of a.
  template <wgmma_instruction I, class T, int R, int Q>
  void wgmma(model::registers<T, R>& d, const model::registers<std::uint32_t, Q>& a, int first, std::uint64_t b,
             bool accumulate, std::uint32_t metadata = 0) {
    static_assert(check_instruction(I).holds(), "wgmma has no such instruction");
    static_assert(I.a_in_registers, "this wgmma takes operand A from shared memory");
    static_assert(R == accumulator_registers(I), "the accumulator has n * bits / 64 registers");
    if (first < 0 || first + 4 > Q) report_register_index(first + 3, Q);
    issue_wgmma(I, d.storage(), d.state(), a.storage() + first, &a.state(), {0, b, accumulate, metadata});
  }
  /// The same two of sparse A, with the metadata in register `word` of a block, which stays in use until a wait.
  template <wgmma_instruction I, class T, int R, int W>
  void wgmma(model::registers<T, R>& d, std::uint64_t a, std::uint64_t b, bool accumulate,
             const model::registers<std::uint32_t, W>& metadata, int word) {
    static_assert(check_instruction(I).holds() && I.sparse && !I.a_in_registers && R == accumulator_registers(I));
    if (word < 0 || word >= W) report_register_index(word, W);
    issue_wgmma(I, d.storage(), d.state(), nullptr, nullptr,
                {a, b, accumulate, metadata.storage()[word], &metadata.state()});
  }
  template <wgmma_instruction I, class T, int R, int Q, int W>
  void wgmma(model::registers<T, R>& d, const model::registers<std::uint32_t, Q>& a, int first, std::uint64_t b,
             bool accumulate, const model::registers<std::uint32_t, W>& metadata, int word) {
    static_assert(check_instruction(I).holds() && I.sparse && I.a_in_registers && R == accumulator_registers(I));
    if (first < 0 || first + 4 > Q) report_register_index(first + 3, Q);
    if (word < 0 || word >= W) report_register_index(word, W);
    issue_wgmma(I, d.storage(), d.state(), a.storage() + first, &a.state(),
                {0, b, accumulate, metadata.storage()[word], &metadata.state()});
  }
  /// After a wait: reports if a wgmma is still pending on the registers. Does not count as an access.
  template <class T, int R>
  void touch(model::registers<T, R>& r) {
    if (r.state().is_pending()) report_register_access(r.state(), "takes over");
    r.state().pending_group = 0;
  }

  // ---- data movement
  /// stmatrix.sync.aligned.m8n8.x4.b16: all lanes of the warp; `address` is the row that this lane addresses.
  void stmatrix_x4(std::uint32_t address, const std::uint32_t (&r)[4]) { store_matrices(address, r, 4, false); }
  /// The .x2 form: r[0] and r[1]; only the addresses of lanes 0..15 count.
  void stmatrix_x2(std::uint32_t address, const std::uint32_t (&r)[4]) { store_matrices(address, r, 2, false); }
  /// The .trans forms: each 8 x 8 matrix is stored transposed.
  void stmatrix_x4_trans(std::uint32_t address, const std::uint32_t (&r)[4]) { store_matrices(address, r, 4, true); }
  void stmatrix_x2_trans(std::uint32_t address, const std::uint32_t (&r)[4]) { store_matrices(address, r, 2, true); }
  void stmatrix_x1_trans(std::uint32_t address, const std::uint32_t (&r)[4]) { store_matrices(address, r, 1, true); }
  /// ldmatrix.sync.aligned.m8n8.x4.b16: all lanes of the warp; lane l addresses row l % 8 of matrix l / 8.
  void ldmatrix_x4(std::uint32_t (&r)[4], std::uint32_t from) { load_matrices(r, from, false); }
  void ldmatrix_x4_trans(std::uint32_t (&r)[4], std::uint32_t from) { load_matrices(r, from, true); }
  /// st.shared.v2
  void store_shared(std::uint32_t address, float x, float y);
  void store_shared(std::uint32_t address, std::uint32_t x, std::uint32_t y);
  /// st.shared
  void store_shared(std::uint32_t address, std::uint32_t x);
  /// st.shared.v4
  void store_shared(std::uint32_t address, const std::uint32_t (&x)[4]);
  /// ld.shared::cluster.v4: four words at the same place of another CTA of the cluster.
  void load_shared_at(std::uint32_t (&r)[4], std::uint32_t from, int cta_rank);
  /// A word to the same place in a CTA of the cluster, whose barrier at this offset counts its bytes. (Here it arrives
  /// at once.)
  void store_shared_async(std::uint32_t to, std::uint32_t x, std::uint32_t barrier, int cta_rank);
  /// ld.shared.b32
  std::uint32_t load_shared(std::uint32_t from);
  /// Four words that other threads have written (.v4).
  void load_shared(std::uint32_t (&r)[4], std::uint32_t from);
  /// One word of a tile, or two that are neighbours (.v2).
  template <int Words>
  void load_shared(std::uint32_t (&r)[Words], std::uint32_t from) {
    static_assert(Words == 1 || Words == 2);
    load_words(r, Words, from);
  }
  /// ld.shared, st.global of one element of Bytes (1, 2 or 4) bytes.
  template <int Bytes>
  void copy_to_global(void* to, std::uint32_t from) {
    static_assert(Bytes == 1 || Bytes == 2 || Bytes == 4);
    copy_element(to, from, Bytes);
  }
  /// ld.global of one element of a tensor that nobody writes while the kernel runs; 0 if it is not `there`.
  template <int Bytes>
  std::uint32_t load_global(const void* from, bool there) {
    return there ? read_global(from, Bytes) : 0;
  }
  /// st.global of one element of Bytes (2 or 4) bytes of a vector that the kernel writes, if it is `there`.
  template <int Bytes>
  void store_global(void* to, std::uint32_t x, bool there) {
    static_assert(Bytes == 2 || Bytes == 4);
    if (there) write_global(to, x, Bytes);
  }
  /// st.global.v4, of 16 bytes of a scattered output's row.
  void store_global(void* to, const std::uint32_t (&x)[4], bool there) {
    if (there) write_global(to, x);
  }
  /// red.global: x and a number of a vector that the kernel combines into, if it is `there`.
  void reduce_add(float* to, float x, bool there) {
    if (there) combine_global(to, x, reduction::add_in_any_order);
  }
  void reduce_max(float* to, float x, bool there) {
    if (there) combine_global(to, x, reduction::max);
  }
  void reduce_min(float* to, float x, bool there) {
    if (there) combine_global(to, x, reduction::min);
  }
  // ---- the workspace in which parts of a tile meet, see workspace.hpp
  /// st.global.v4, ld.global.v4, `offset` bytes behind the first sums.
  void store_workspace(std::byte* sums, long long offset, const std::uint32_t (&x)[4]);
  void load_workspace(std::uint32_t (&r)[4], const std::byte* sums, long long offset);
  /// atom.add.acq_rel.gpu: one of `tickets`; how many were taken from the counter before (plan/ticket_counters.hpp).
  int take_ticket(const ticket_counters& of, int counter, int tickets);
  /// ld.acquire.gpu until so many have been taken.
  void await_tickets(const ticket_counters& of, int counter, int tickets);
  /// ld.relaxed.gpu, and atom.cas if the counter is not the launch's yet.
  void open_tickets(const ticket_counters& of, int counter);
  // ---- work that is drawn, see drawn_work.hpp
  /// atom.add.relaxed.gpu, and then how many were drawn before.
  std::uint64_t draw_ticket(const ticket_counters& of, int counter);
  int number_drawn(const ticket_counters& of, int counter, std::uint64_t found, int tickets);
  /// st.relaxed.gpu.
  void close_draws(const ticket_counters& of, int counter);
  // ---- numbers of tiles that are added up in order, see ordered_sums.hpp
  /// st.global, ld.global of number `at`, if it is `there`; -0 if it is not.
  void store_number(float* numbers, long long at, float x, bool there) {
    if (there) leave_number(numbers, at, x);
  }
  float load_number(const float* numbers, long long at, bool there) { return there ? find_number(numbers, at) : -0.0f; }
  /// The same of four, st.global.v4, ld.global.v4, as they are; anything if they are not there.
  void store_numbers(float* numbers, long long at, const std::uint32_t (&x)[4], bool there) {
    if (there) leave_numbers(numbers, at, x);
  }
  void load_numbers(std::uint32_t (&r)[4], const float* numbers, long long at, bool there) {
    for (std::uint32_t& word : r) word = ~0u;  // a NaN of any type
    if (there) find_numbers(r, numbers, at);
  }
  /// take_ticket() of a counter of these.
  int take_place(const ticket_counters& of, int counter, int tickets);
  /// The same in two: fence.acq_rel.gpu and atom.add.relaxed.gpu by a lane that is `there`; and, by who has come last,
  /// fence.acq_rel.gpu.
  void ask_for_place(std::uint64_t& found, const ticket_counters& of, int counter, bool there) {
    if (there) found = ask_counter(of, counter);
  }
  int place_asked_for(const ticket_counters& of, int counter, std::uint64_t found, int tickets);
  /// bar.warp.sync
  void warp_sync();
  /// A number that is the same in all lanes of the warp (on the chip it may then live in a uniform register).
  static int uniform(int x) { return x; }
  /// shfl.sync.bfly over all lanes of the warp.
  float shuffle_xor(float x, int lane_mask);
  /// shfl.sync.idx over all lanes of the warp: the x of lane `lane`, which may be another one for each lane.
  std::uint32_t shuffle(std::uint32_t x, int lane);

  // ---- setmaxnreg: all lanes of the warp
  template <int Registers>
  void registers_dec() {
    static_assert(Registers >= 24 && Registers <= 256 && Registers % 8 == 0);
    change_registers(Registers, false);
  }
  template <int Registers>
  void registers_inc() {
    static_assert(Registers >= 24 && Registers <= 256 && Registers % 8 == 0);
    change_registers(Registers, true);
  }

 private:
  static constexpr int own_cta = -1;  // in place of a mask

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
  /// Throws unless the bytes belong to a tensor of the launch that the kernel does not write.
  std::uint32_t read_global(const void* from, std::size_t bytes);
  /// Throw unless the element is one of a vector of the launch that is written so.
  void write_global(void* to, std::uint32_t bits, std::size_t bytes);
  void write_global(void* to, const std::uint32_t (&x)[4]);
  void combine_global(float* to, float x, reduction how);
  void leave_number(float* numbers, long long at, float x);
  float find_number(const float* numbers, long long at);
  void leave_numbers(float* numbers, long long at, const std::uint32_t (&x)[4]);
  void find_numbers(std::uint32_t (&r)[4], const float* numbers, long long at);
  std::uint64_t ask_counter(const ticket_counters& of, int counter);
  /// Where the values of a store are to be put down: `blocks` * 64 rows (transposed: columns), row-major; null: nobody
  /// compares them.
  std::byte* expect_values(const observed_tile& tile, int blocks, bool transposed);
  void load_observed(int operand, const int* tile, int rank, unsigned sharers);
  void load_box(std::uint32_t destination, const tensor_map&, std::uint32_t barrier, const int* coord, int rank,
                int cta_mask, const std::uint16_t* offset = nullptr);
  void store_box(const tensor_map&, std::uint32_t source, const int* coord, int rank);
  void wait_for_bulk_reads(int newest);
  void wait_for_bulk_writes(int newest);
  void issue_wgmma(const wgmma_instruction&, void* d, register_state& d_state, const std::uint32_t* a,
                   register_state* a_state, const wgmma_operands&);
  void wait_for_wgmma(int newest);
  void store_matrices(std::uint32_t address, const std::uint32_t (&r)[4], int matrices, bool transposed);
  void load_matrices(std::uint32_t (&r)[4], std::uint32_t address, bool transposed);
  void load_words(std::uint32_t* r, int count, std::uint32_t address);
  void copy_element(void* to, std::uint32_t from, std::uint32_t bytes);
  void change_registers(int count, bool increase);

  cuda_thread& self_;
  int thread_, cta_rank_, cluster_index_, cluster_count_;
};

}  // namespace sectile::model
