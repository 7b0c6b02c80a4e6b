// The debug machine: `hopper` with checks, for kernels whose plan has guards and notes (dsl/plan/guards.hpp).
//
// A thread that finds something wrong leaves a complaint in its CTA's notes; the first one counts. Warp 1 of the
// producer's warpgroup, which has nothing to do in a kernel, watches: it sees complaints, and it sees when no role has
// moved for too long, which covers what cannot be waited for with a limit (hardware barriers, cluster barriers,
// setmaxnreg). It hands the notes of all CTAs of the cluster to the host and traps.
//
// The roles' flow of control stays as it is: a check does not branch, and whoever has complained goes on until the
// watch ends the kernel.
//
// Registers: behind setmaxnreg.dec ptxas (13.0) keeps to the lower number as far as that instruction dominates, but not
// where the roles meet again. So the watch is kept right behind it, and at the end only consumers look around.
#pragma once
#include <sectile/dsl/hopper/check_verbs.hpp>
#include <sectile/dsl/hopper/machine.hpp>
#include <sectile/dsl/hopper/notes.hpp>
#include <sectile/dsl/hopper/watchdog.hpp>
#include <sectile/dsl/plan/guards.hpp>

namespace sectile::hopper {

template <class K>
struct checked_machine : machine {
  using spy = watching_verbs;
  using checks = check_verbs<head_of<K>.guards.notes>;
  static_assert(complaint_words == 4 && role_words == 4, "check_verbs counts on it");

  const watch& how;
  bool started = false;       // the cluster barrier behind the barriers' initialisation is passed
  std::uint32_t suspect = 0;  // the wrong descriptor to complain about at the next commit

  // ---- before and after the kernel, by all threads

  /// Fills the guards and clears the notes.
  SECTILE_OWN_VERB void begin() const {
    each_word<0>([&](int offset, std::uint32_t address) {
      const bool in_piece = with_piece_at<K>(offset, [&](const shared_piece& s, int) {
        if (s.kind == piece_kind::notes) spy::poke(address, 0);
      });
      if (!in_piece) spy::poke(address, guard_word(offset));
    });
    fence_proxy_async();
    spy::cta_sync();
    if (thread() != 0) return;
    constexpr int threads = head_of<K>.threads, ctas = how_of<K>.ctas();
    const int found_threads = spy::cta_threads(), found_ctas = spy::cluster_ctas();
    if (found_threads != threads || found_ctas != ctas)
      complain(tell(fault::wrong_launch, static_cast<std::uint32_t>(found_threads | found_ctas << 16)));
    if (base % shared_alignment != 0) complain(tell(fault::wrong_base, base % shared_alignment));
  }

  /// Looks at the guards and at what has come to the barriers, and reports what was complained about since the watch
  /// ended. Does nothing in the producer's warpgroup.
  SECTILE_OWN_VERB void end() const {
    if (thread() < warpgroup) return;
    each_word<warpgroup>([&](int offset, std::uint32_t address) {
      if (!with_piece_at<K>(offset, [](const shared_piece&, int) {}) && spy::peek(address) != guard_word(offset))
        complain(tell(fault::guard_overwritten, static_cast<std::uint32_t>(offset)));
    });
    unroll<head_of<K>.rings>([&](auto r) { check_counts<r>(); });
    machine::named_barrier_sync(epilogue_barrier(0), head_of<K>.threads - warpgroup);
    if (thread() / 32 == warpgroup / 32 && spy::peek(note(complaint::owner)) != 0) watchdog<K>{base, how}.report(false);
  }

  // ---- what a role is doing

  SECTILE_OWN_VERB void observe_trip(int trip) const {
    checks::template note_role<role_words_of::trip>(base, static_cast<std::uint32_t>(trip));
    if (trip < 0) checks::template count_in_role<role_words_of::loops>(base, 1);
  }

  SECTILE_OWN_VERB void observe_item(int item) const {
    if constexpr (how_of<K>.dynamic)
      checks::template note_role<role_words_of::item>(base, static_cast<std::uint32_t>(item) + 1);
  }

  SECTILE_OWN_VERB void observe_group(int e, bool possible) const {
    checks::complain_if(possible ? 0 : 1, tell(fault::wrong_group, static_cast<std::uint32_t>(e)), base);
  }

  SECTILE_OWN_VERB void observe_row(int index, std::uint32_t number, bool possible, bool = false) const {
    const std::uint32_t row = number < most_told_row ? number : most_told_row;
    checks::complain_if(possible ? 0 : 1, tell(fault::wrong_row, static_cast<std::uint32_t>(index) << row_bits | row),
                        base);
  }

  // ---- mbarriers

  SECTILE_OWN_VERB void mbarrier_wait(std::uint32_t barrier, int parity) const {
    check_barrier(barrier);
    checks::mbarrier_wait(barrier, parity, base, how.limit_ns);
    check_guards<0>(barrier);
  }
  bool mbarrier_test(std::uint32_t barrier, int parity) const = delete;  // each stage is waited for, and checked then
  SECTILE_OWN_VERB void mbarrier_arrive(std::uint32_t barrier) const {
    check_barrier(barrier);
    spy::count(barrier_note_of(barrier, barrier_words_of::arrivals), 1);
    machine::mbarrier_arrive(barrier);
  }
  SECTILE_OWN_VERB void mbarrier_arrive_at(std::uint32_t barrier, int cta) const {
    check_barrier(barrier);
    spy::count_at(barrier_note_of(barrier, barrier_words_of::arrivals), cta, 1);
    machine::mbarrier_arrive_at(barrier, cta);
  }
  SECTILE_OWN_VERB void mbarrier_arrive_release(std::uint32_t barrier, int cta) const {
    check_barrier(barrier);
    spy::count_at(barrier_note_of(barrier, barrier_words_of::arrivals), cta, 1);
    machine::mbarrier_arrive_release(barrier, cta);
  }
  SECTILE_OWN_VERB void mbarrier_wait_acquire(std::uint32_t barrier, int parity) const {
    mbarrier_wait(barrier, parity);
    machine::mbarrier_wait_acquire(barrier, parity);
  }
  SECTILE_OWN_VERB void mbarrier_arrive_expect(std::uint32_t barrier, int bytes) const {
    check_barrier(barrier);
    spy::count(barrier_note_of(barrier, barrier_words_of::arrivals), 1);
    spy::count(barrier_note_of(barrier, barrier_words_of::announced), static_cast<std::uint32_t>(bytes));
    machine::mbarrier_arrive_expect(barrier, bytes);
  }

  // ---- barriers of threads

  void cluster_begin() const = delete;  // it is counted by whole barriers who has begun and who is done
  void cluster_arrive() const = delete;
  /// The kernel's first cluster barrier sets the roles free, its last one ends it. Where setmaxnreg does not tell where
  /// the producer's warpgroup begins, the watch is kept before the last.
  SECTILE_OWN_VERB void cluster_sync() {
    spy::warp_sync();
    if (started) {
      say(doing::done, 0);
      if constexpr (!head_of<K>.moves_registers())
        if (watches()) watchdog<K>{base, how}.keep_watch();
      spy::count_if(thread() % 32 == 0, note(complaint::done), 1);
      spy::warp_sync();
    }
    started = true;
    machine::cluster_sync();
  }
  SECTILE_OWN_VERB void named_barrier_sync(int id, int threads) const {
    say(doing::waiting_at_barrier, static_cast<std::uint32_t>(id | threads << 8));
    machine::named_barrier_sync(id, threads);
    say(doing::running, 0);
  }
  SECTILE_OWN_VERB bool named_barrier_any(int id, int threads, bool yes) const {
    say(doing::waiting_at_barrier, static_cast<std::uint32_t>(id | threads << 8));
    const bool any = machine::named_barrier_any(id, threads, yes);
    say(doing::running, 0);
    return any;
  }
  template <int Registers>
  SECTILE_OWN_VERB void registers_dec() const {
    static_assert(Registers >= 24 && Registers <= 256 && Registers % 8 == 0, "setmaxnreg takes multiples of 8 from 24");
    machine::registers_dec<Registers>();
    if (watches()) watchdog<K>{base, how}.keep_watch();
    spy::warp_sync();
  }
  template <int Registers>
  SECTILE_OWN_VERB void registers_inc() const {
    static_assert(Registers >= 24 && Registers <= 256 && Registers % 8 == 0, "setmaxnreg takes multiples of 8 from 24");
    say(doing::waiting_for_registers, Registers);
    machine::registers_inc<Registers>();
    say(doing::running, 0);
  }

  // ---- TMA

  template <int Rank>
  SECTILE_OWN_VERB void tma_load(std::uint32_t to, const tensor_map& map, std::uint32_t barrier,
                                 const int (&c)[Rank]) const {
    check_barrier(barrier);
    spy::count(barrier_note_of(barrier, barrier_words_of::copied), check_load(to, c));
    machine::tma_load(to, map, barrier, c);
  }
  template <int Rank>
  SECTILE_OWN_VERB void tma_load_multicast(std::uint32_t to, const tensor_map& map, std::uint32_t barrier,
                                           const int (&c)[Rank], std::uint16_t ctas) const {
    check_barrier(barrier);
    count_multicast(barrier, check_load(to, c), ctas);
    machine::tma_load_multicast(to, map, barrier, c, ctas);
  }
  SECTILE_OWN_VERB void tma_load_im2col(std::uint32_t to, const tensor_map& map, std::uint32_t barrier,
                                        const int (&c)[4], const std::uint16_t (&offset)[2]) const {
    check_barrier(barrier);
    spy::count(barrier_note_of(barrier, barrier_words_of::copied), check_pixels(to, c));
    machine::tma_load_im2col(to, map, barrier, c, offset);
  }
  SECTILE_OWN_VERB void tma_load_im2col_multicast(std::uint32_t to, const tensor_map& map, std::uint32_t barrier,
                                                  const int (&c)[4], const std::uint16_t (&offset)[2],
                                                  std::uint16_t ctas) const {
    check_barrier(barrier);
    count_multicast(barrier, check_pixels(to, c), ctas);
    machine::tma_load_im2col_multicast(to, map, barrier, c, offset, ctas);
  }
  SECTILE_OWN_VERB void copy_async(std::uint32_t to, const std::byte* from, int byte, long long row, bool there) const {
    checks::template require_inside<fault::wrong_copy, rings_begin, rings_bytes>(to, base);
    machine::copy_async(to, from, byte, row, there);
  }
  SECTILE_OWN_VERB void mbarrier_arrive_copied(std::uint32_t barrier) const {
    check_barrier(barrier);
    machine::mbarrier_arrive_copied(barrier);
  }
  template <int Rank>
  SECTILE_OWN_VERB void tma_store(const tensor_map& map, std::uint32_t from, const int (&c)[Rank]) const {
    check_own_buffer<fault::wrong_copy>(from);
    check_coordinates(offset_of(from), c);
    machine::tma_store(map, from, c);
  }
  template <int N>
  SECTILE_OWN_VERB void bulk_wait_read() const {
    say(doing::waiting_for_stores, N);
    machine::bulk_wait_read<N>();
    say(doing::running, 0);
  }
  template <int N>
  SECTILE_OWN_VERB void bulk_wait() const {
    say(doing::waiting_for_stores, N);
    machine::bulk_wait<N>();
    say(doing::running, 0);
  }

  // ---- tensor cores, and ordinary accesses to shared memory

  template <wgmma_instruction I, class... Arguments>
  SECTILE_OWN_VERB void wgmma(Arguments&&... arguments) {
    (check_descriptor(arguments), ...);
    machine::wgmma<I>(arguments...);
  }
  SECTILE_OWN_VERB void wgmma_commit() const {
    machine::wgmma_commit();
    checks::complain_if(suspect, suspect, base);
  }
  SECTILE_OWN_VERB void ldmatrix_x4(std::uint32_t (&r)[4], std::uint32_t from) const {
    check_read(from);
    machine::ldmatrix_x4(r, from);
  }
  SECTILE_OWN_VERB void ldmatrix_x4_trans(std::uint32_t (&r)[4], std::uint32_t from) const {
    check_read(from);
    machine::ldmatrix_x4_trans(r, from);
  }
  SECTILE_OWN_VERB std::uint32_t load_shared(std::uint32_t from) const {
    check_read(from);
    return machine::load_shared(from);
  }
  template <int Words>
  SECTILE_OWN_VERB void load_shared(std::uint32_t (&r)[Words], std::uint32_t from) const {
    check_read(from);
    machine::load_shared(r, from);
  }
#define SECTILE_CHECKED_STORE(name)                                                \
  SECTILE_OWN_VERB void name(std::uint32_t to, const std::uint32_t(&r)[4]) const { \
    check_store(to);                                                               \
    machine::name(to, r);                                                          \
  }
  SECTILE_CHECKED_STORE(stmatrix_x4)
  SECTILE_CHECKED_STORE(stmatrix_x2)
  SECTILE_CHECKED_STORE(stmatrix_x4_trans)
  SECTILE_CHECKED_STORE(stmatrix_x2_trans)
  SECTILE_CHECKED_STORE(stmatrix_x1_trans)
#undef SECTILE_CHECKED_STORE
  template <class... Words>
  SECTILE_OWN_VERB void store_shared(std::uint32_t to, Words... words) const {
    check_store(to);
    machine::store_shared(to, words...);
  }
  SECTILE_OWN_VERB void store_shared(std::uint32_t to, const std::uint32_t (&x)[4]) const {
    check_partial_sums<fault::wrong_store>(to);
    machine::store_shared(to, x);
  }
  SECTILE_OWN_VERB void store_shared_async(std::uint32_t to, std::uint32_t x, std::uint32_t barrier, int cta) const {
    checks::complain_if(!is_exchanged(to), tell(fault::wrong_store, static_cast<std::uint32_t>(offset_of(to))), base);
    check_barrier(barrier);
    spy::count_at(barrier_note_of(barrier, barrier_words_of::copied), cta, sizeof x);
    machine::store_shared_async(to, x, barrier, cta);
  }
  SECTILE_OWN_VERB void load_shared_at(std::uint32_t (&r)[4], std::uint32_t from, int cta) const {
    check_partial_sums<fault::wrong_load>(from);
    machine::load_shared_at(r, from, cta);
  }

 private:
  // ---- places

  SECTILE_OWN_VERB int offset_of(std::uint32_t address) const { return static_cast<int>(address - base); }
  SECTILE_OWN_VERB std::uint32_t note(int word) const {
    constexpr int notes = head_of<K>.guards.notes;
    return base + static_cast<std::uint32_t>(notes + 4 * word);
  }
  SECTILE_OWN_VERB std::uint32_t barrier_note_of(std::uint32_t barrier, int word) const {
    constexpr int notes = barrier_note(plan_of<K>, 0), first = ring_of<K, 0>.full_barrier;
    return note(notes + (offset_of(barrier) - first) / 8 * barrier_words + word);
  }
  SECTILE_VERB bool watches() { return uniform(thread() / 32) == 1; }

  /// f(offset, address) for all words of shared memory, spread over the threads from First on.
  template <int First, class F>
  SECTILE_OWN_VERB void each_word(F f) const {
    constexpr int bytes = head_of<K>.shared_bytes, threads = head_of<K>.threads - First;
    for (int offset = 4 * (thread() - First); offset < bytes; offset = spy::opaque(offset + 4 * threads))
      f(offset, base + static_cast<std::uint32_t>(offset));
  }

  // ---- notes and complaints

  SECTILE_OWN_VERB void say(doing what, std::uint32_t detail) const { checks::say(base, tell(what, detail)); }
  SECTILE_OWN_VERB void complain(std::uint32_t told) const { checks::complain_if(1, told, base); }

  // ---- checks

  SECTILE_OWN_VERB void check_barrier(std::uint32_t barrier) const {
    checks::template require_inside<fault::wrong_barrier, ring_of<K, 0>.full_barrier,
                                    8 * count_barriers(plan_of<K>)>(barrier, base);
  }

  /// If `barrier` is a full one: the guards behind the tiles that have just come, up to 1024 bytes of each. The pieces
  /// from number Piece on are looked at.
  template <int Piece>
  SECTILE_OWN_VERB void check_guards(std::uint32_t barrier) const {
    if constexpr (Piece < shared_map_of<K>.count) {
      constexpr shared_piece s = shared_map_of<K>.at[Piece];
      if constexpr (s.kind == piece_kind::tile || s.kind == piece_kind::metadata) {
        constexpr ring_plan r = head_of<K>.ring[operand_plan_of<K, s.operand>.ring];
        constexpr guard g = next_guard(shared_map_of<K>, s.begin + s.bytes);
        if constexpr (g.begin == s.begin + s.bytes)
          checks::template require_guard<r.full_barrier, r.stages, g.begin, g.end - g.begin, s.pitch, guard_factor,
                                         guard_mask>(barrier, base);
      }
      check_guards<Piece + 1>(barrier);
    }
  }

  /// At the end every stage has been filled with the bytes that were announced, and released by all that hold it.
  template <int Ring>
  SECTILE_OWN_VERB void check_counts() const {
    constexpr int stages = ring_of<K, Ring>.stages, arrivals = ring_of<K, Ring>.empty_arrivals;
    constexpr int full = ring_of<K, Ring>.full_barrier, empty = ring_of<K, Ring>.empty_barrier;
    const int stage = thread() - warpgroup;
    if (stage >= stages) return;
    const int full_at = full + 8 * stage, empty_at = empty + 8 * stage;
    const auto counted = [&](int barrier, int word) {
      return spy::peek(barrier_note_of(base + static_cast<std::uint32_t>(barrier), word));
    };
    if (counted(full_at, barrier_words_of::announced) != counted(full_at, barrier_words_of::copied))
      complain(tell(fault::bytes_differ, static_cast<std::uint32_t>(full_at)));
    if (counted(full_at, barrier_words_of::arrivals) * arrivals != counted(empty_at, barrier_words_of::arrivals))
      complain(tell(fault::arrivals_differ, static_cast<std::uint32_t>(empty_at)));
  }

  template <int Rank>
  SECTILE_OWN_VERB void check_coordinates(int offset, const int (&c)[Rank]) const {
    int any = 0;
    for (int d = 0; d < Rank; ++d) any |= c[d];
    checks::complain_if(any < 0, tell(fault::wrong_coordinate, static_cast<std::uint32_t>(offset)), base);
  }
  /// A load must go to a tile of a stage, on its alignment. Returns the bytes of its box.
  template <int Rank>
  SECTILE_OWN_VERB std::uint32_t check_load(std::uint32_t to, const int (&c)[Rank]) const {
    const int offset = offset_of(to), bytes = box_bytes_at<0>(offset);
    checks::complain_if(bytes == 0, tell(fault::wrong_copy, static_cast<std::uint32_t>(offset)), base);
    check_coordinates(offset, c);
    return static_cast<std::uint32_t>(bytes);
  }
  /// The same in an image, where pixels begin in the padding.
  SECTILE_OWN_VERB std::uint32_t check_pixels(std::uint32_t to, const int (&c)[4]) const {
    const int channel_and_image[]{c[0], c[3]};
    return check_load(to, channel_and_image);
  }
  SECTILE_OWN_VERB void count_multicast(std::uint32_t barrier, std::uint32_t bytes, std::uint16_t ctas) const {
    for (int cta = 0; cta < how_of<K>.ctas(); ++cta)
      if (ctas >> cta & 1) spy::count_at(barrier_note_of(barrier, barrier_words_of::copied), cta, bytes);
  }
  /// Bytes of a box that goes to `offset`; 0: none does.
  template <int Piece>
  SECTILE_OWN_VERB int box_bytes_at(int offset) const {
    if constexpr (Piece < shared_map_of<K>.count) {
      constexpr shared_piece s = shared_map_of<K>.at[Piece];
      int own = 0;
      if constexpr (s.kind == piece_kind::tile || s.kind == piece_kind::metadata)
        own = s.index_of(offset) >= 0 && offset % s.alignment == 0 ? s.box_bytes : 0;
      return own + box_bytes_at<Piece + 1>(offset);
    } else {
      return 0;
    }
  }

  /// Operands are read from somewhere in the rings, and rows that are scattered from this consumer's buffers.
  SECTILE_OWN_VERB void check_read(std::uint32_t from) const {
    if (is_exchanged(from)) return;
    constexpr int work = work_operand<K>;
    if constexpr (operand_facts_of<K, work>().is_scattered())
      if (offset_of(from) >= epilogue_of<K, work>.offset) return check_own_buffer<fault::wrong_load>(from);
    checks::template require_inside<fault::wrong_load, rings_begin, rings_bytes>(from, base);
  }
  SECTILE_OWN_VERB void check_store(std::uint32_t to) const {
    if (!is_exchanged(to)) check_own_buffer<fault::wrong_store>(to);
  }
  /// Parts of columns, or the numbers of drawn work.
  SECTILE_OWN_VERB bool is_exchanged(std::uint32_t address) const {
    constexpr int columns = exchange_of<K>.offset, column_bytes = exchange_of<K>.bytes;
    constexpr int numbers = tickets_of<K>.offset, number_bytes = ticket_bytes_of(head_of<K>);
    const int at = offset_of(address);
    return (column_bytes > 0 && at >= columns && at - columns < column_bytes) ||
           (number_bytes > 0 && at >= numbers && at - numbers < number_bytes);
  }
  /// What is stored lies in this consumer's buffers: of several outputs, of the last whose buffers begin before it.
  template <fault What>
  SECTILE_OWN_VERB void check_own_buffer(std::uint32_t address) const {
    constexpr int operand = head_of<K>.epilogue[0].operand;
    int first = epilogue_of<K, operand>.offset, bytes = own_share<operand>;
    unroll<head_of<K>.epilogues>([&](auto n) {
      constexpr int later = head_of<K>.epilogue[n].operand;
      const bool behind = offset_of(address) >= epilogue_of<K, later>.offset;
      first = behind ? epilogue_of<K, later>.offset : first;
      bytes = behind ? own_share<later> : bytes;
    });
    checks::template require_inside_own<What>(address, base, first, bytes);
  }
  /// Partial sums lie where the stages of a ring were.
  template <fault What>
  SECTILE_OWN_VERB void check_partial_sums(std::uint32_t address) const {
    constexpr int first = meeting_of<K, 0>.offset, bytes = partial_sums_bytes(head_of<K>);
    checks::template require_inside<What, first, bytes>(address, base);
  }
  /// Of a wgmma's arguments the 64-bit ones are descriptors.
  SECTILE_OWN_VERB void check_descriptor(std::uint64_t descriptor) {
    checks::template suspect_descriptor<rings_begin, rings_bytes>(descriptor, base, suspect);
  }
  SECTILE_OWN_VERB void check_descriptor(const auto&) const {}

  template <int I>
  static constexpr int own_share = epilogue_of<K, I>.buffers * epilogue_of<K, I>.panel_bytes;  // of a consumer
  static constexpr int rings_begin = ring_of<K, 0>.offset;
  static constexpr int rings_bytes =
      ring_of<K, head_of<K>.rings - 1>.offset +
      ring_of<K, head_of<K>.rings - 1>.stages * ring_of<K, head_of<K>.rings - 1>.stage_bytes - rings_begin;
};

}  // namespace sectile::hopper
