// The Hopper machine as one thread of a kernel sees it, on the CPU: the same verbs as sectile::hopper::machine, each of
// which says here what the chip's instruction of that name does.
//
// Light on purpose: kernels include it. What is behind it is in cluster.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <sectile/dsl/model/arithmetic.hpp>
#include <sectile/dsl/model/observations.hpp>
#include <sectile/dsl/model/observed_place.hpp>
#include <sectile/dsl/model/registers.hpp>
#include <sectile/dsl/model/tensor_map.hpp>
#include <sectile/dsl/plan/instruction_table.hpp>
#include <sectile/dsl/plan/ticket_counters.hpp>
#include <sectile/dsl/program/reduction.hpp>

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

/// One thread's view of the machine. All shared-memory addresses are byte addresses in the own CTA's shared window.
struct machine : arithmetic_verbs, observations {
  static constexpr bool computes = true;          // in contrast to machines that only look on
  using place_in_matrix = observed_place;         // of a fragment
  static constexpr bool follows_order = true;     // whether operations come as they were planned is watched
  static constexpr bool whole_warpgroup = false;  // each thread runs its role itself
  using tensor_map = model::tensor_map;
  template <class T, int N>
  using registers = model::registers<T, N>;

  machine(cuda_thread& self, int thread, int cta_rank, int cluster_index, int cluster_count)
      : observations(self, thread, cta_rank), cluster_index_(cluster_index), cluster_count_(cluster_count) {}

  // ---- who am I
  int cluster_index() const { return cluster_index_; }
  int cluster_count() const { return cluster_count_; }
  std::uint32_t shared_base() const {
    return shared_window_base | static_cast<std::uint32_t>(cta_rank()) << shared_rank_shift;
  }

  /// Whether an exception is on its way out of this thread: then nothing waits any more.
  static bool unwinding() { return std::uncaught_exceptions() > 0; }

  /// Trips of the loop at this position: as many as the program asks for.
  static constexpr int trips(int, int asked) { return asked; }

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

  int cluster_index_, cluster_count_;
};

}  // namespace sectile::model
