// A machine that only writes down what a role does, in constant evaluation. The protocol proof runs the lowered roles
// themselves on it, so what is proven is what is launched.
//
// A warpgroup acts as one agent: `whole_warpgroup` tells the roles that this machine's thread 0 stands for all 128.
#pragma once
#include <cstdint>

#include <sectile/dsl/program/operand.hpp>
#include <sectile/dsl/proofs/actions.hpp>
#include <sectile/dsl/proofs/addresses.hpp>
#include <sectile/dsl/roles/entry.hpp>

namespace sectile::protocol {

// ---- what the roles ask of the asynchronous units, written down for the proofs of feeding

/// Where things are written down, if there is room for them.
template <class T>
struct noted_list {
  T* at = nullptr;
  int room = 0, count = 0;
  constexpr void add(const T& x) {
    if (count < room) at[count] = x;
    ++count;
  }
};

/// What one wgmma is given.
struct instruction_feed {
  int a = -1;      // start address of A's descriptor, -1: A is in registers
  int first = 0;   // first register of A
  int b = 0;       // start address of B's descriptor
  int block = 0;   // which m64 block of the accumulator, in the order in which a product reaches them
  int group = 0;   // of wgmmas, counted from the run's begin
  bool accumulate = false;
  std::uint64_t a_fields = 0, b_fields = 0;  // of the descriptors, all but the start address
};
using feed_list = noted_list<instruction_feed>;

/// A box that TMA is asked to copy, from or to the tensor that it is part of.
struct box_copy {
  std::int8_t operand = 0;
  bool metadata = false;   // of a sparse operand
  bool store = false;
  std::uint32_t shared = 0;  // address
  std::uint32_t mask = 0;    // CTAs that receive it
  int at[max_rank]{};        // coordinates in the tensor map, innermost first
  std::uint16_t offset[2]{};  // in an image
};
using copy_list = noted_list<box_copy>;

/// 16 bytes that a thread is asked to copy: from where in the matrix, if they are there.
struct piece_copy {
  std::uint32_t shared = 0;
  long long offset = 0;
  bool there = false;
};
using piece_list = noted_list<piece_copy>;

constexpr int recorded_clusters = 2;  // that share the work,
constexpr int streamed_clusters = 3;  // of which one, where the last tiles are cut, is between two others

constexpr int max_blocks = 64;
/// A fragment that products have been given, in so many blocks, until ordinary code takes it over (recorder::touch).
struct lent_fragment {
  int fragment = 0, blocks = 0;
};
constexpr int max_lent = 16;

template <int Capacity>
struct recorder {
  static constexpr bool computes = false;
  static constexpr bool follows_order = false;
  static constexpr bool whole_warpgroup = true;
  struct tensor_map {
    std::int8_t operand = 0;
    bool metadata = false;
    int box_bytes = 0;
  };
  template <class T, int N>
  struct registers {
    constexpr T operator[](int) const { return T{}; }
  };

  int thread_index = 0, rank = 0, first_item = 0;
  address_book where{};
  loop_table loops{};
  action_log<Capacity>* log = nullptr;
  action product{act::multiply};  // that the next commit closes
  feed_list* fed = nullptr;       // if given: every instruction is written down there
  copy_list* copied = nullptr;    // if given: every box
  piece_list* pieces = nullptr;   // if given: every copy of the thread
  int groups = 0;                 // of wgmmas, closed
  const void* block[max_blocks]{};  // of the accumulator, in the order in which the product reached them
  int blocks = 0;
  lent_fragment lent[max_lent]{};
  int lent_fragments = 0;
  int last_touch = -1;            // in the log
  std::uint64_t read_slots = 0;   // by wgmmas that no group holds yet
  int read_factor = -1;           // likewise: the place of a left factor
  int open_panel = -1;
  bool awaited = false;  // the kernels before this one
  int clusters = recorded_clusters;
  bool comes_last = true;  // of the parts that meet in a workspace
  unsigned last_of = 0;    // that of which items, a bit each
  int begun = 0;           // items
  part_places parts{};     // which lie there
  int drawn = 0, taken = 0;  // numbers of work items, by this role

  constexpr int thread() const { return thread_index; }
  constexpr int cta_rank() const { return rank; }
  constexpr int cluster_index() const { return first_item; }
  constexpr int cluster_count() const { return clusters; }
  constexpr std::uint32_t shared_base() const { return 0; }
  constexpr int uniform(int x) const { return x; }
  static constexpr bool unwinding() { return false; }
  constexpr void observe_stage(bool as_planned) { log->miscounted = log->miscounted || !as_planned; }
  /// The proof, not the program, says how often a loop turns.
  constexpr int trips(int position, int) const {
    const int loop = loops.find(position);
    if (loop < 0) log->lost = true;
    return loop < 0 ? 0 : loops.trips[loop];
  }

  constexpr void mbarrier_init(std::uint32_t barrier, int arrivals) {
    log->add({act::initialise, 0, barrier_at(barrier), arrivals});
  }
  constexpr void mbarrier_init_fence() { log->add({act::publish}); }
  constexpr void cluster_sync() { log->add({act::gather}); }
  /// The cluster's last barrier stands where an agent arrives: what it does behind that must be its CTA's own.
  constexpr void cluster_arrive() { cluster_sync(); }
  constexpr void cluster_wait() {}
  constexpr void griddepcontrol_wait() { awaited = true; }
  constexpr void griddepcontrol_launch_dependents() {}
  constexpr void touch_tensor() { log->early = log->early || !awaited; }
  constexpr void mbarrier_wait(std::uint32_t barrier, int parity) {
    log->add({act::wait, 0, barrier_at(barrier), parity});
  }
  constexpr void mbarrier_arrive(std::uint32_t barrier) { mbarrier_arrive_at(barrier, rank); }
  constexpr void mbarrier_arrive_at(std::uint32_t barrier, int cta) {
    log->add({act::arrive, static_cast<std::int8_t>(cta), barrier_at(barrier)});
  }
  constexpr void mbarrier_arrive_release(std::uint32_t barrier, int cta) {
    log->add({.what = act::arrive, .cta = static_cast<std::int8_t>(cta), .barrier = barrier_at(barrier), .kind = 1});
  }
  constexpr void mbarrier_wait_acquire(std::uint32_t barrier, int parity) {
    log->add({.what = act::wait, .barrier = barrier_at(barrier), .bytes = parity, .kind = 1});
  }
  constexpr void mbarrier_arrive_expect(std::uint32_t barrier, int bytes) {
    log->add({act::expect, 0, barrier_at(barrier), bytes});
  }
  constexpr void named_barrier_sync(int id, int threads) {
    log->add({act::meet, 0, static_cast<std::int16_t>(id), threads});
  }
  /// The one who asks has a ticket, of which the proof says whether it is the last.
  constexpr bool named_barrier_any(int id, int threads, bool) {
    named_barrier_sync(id, threads);
    return comes_last;
  }
  constexpr void named_barrier_arrive(int id, int threads) {
    log->add({act::announce, 0, static_cast<std::int16_t>(id), threads});
  }

  template <int Rank>
  constexpr void tma_load(std::uint32_t to, const tensor_map& map, std::uint32_t barrier, const int (&c)[Rank]) {
    tma_load_multicast(to, map, barrier, c, static_cast<std::uint16_t>(1u << rank));
  }
  template <int Rank>
  constexpr void tma_load_multicast(std::uint32_t to, const tensor_map& map, std::uint32_t barrier,
                                    const int (&c)[Rank], std::uint16_t ctas) {
    load_box({map.operand, map.metadata, false, to, ctas}, map, barrier, c);
  }
  constexpr void tma_load_im2col(std::uint32_t to, const tensor_map& map, std::uint32_t barrier, const int (&c)[4],
                                 const std::uint16_t (&offset)[2]) {
    tma_load_im2col_multicast(to, map, barrier, c, offset, static_cast<std::uint16_t>(1u << rank));
  }
  constexpr void tma_load_im2col_multicast(std::uint32_t to, const tensor_map& map, std::uint32_t barrier,
                                           const int (&c)[4], const std::uint16_t (&offset)[2], std::uint16_t ctas) {
    load_box({map.operand, false, false, to, ctas, {}, {offset[0], offset[1]}}, map, barrier, c);
  }
  /// What one thread copies, for all that copy as much.
  constexpr void copy_async(std::uint32_t to, const std::byte*, int byte, long long row, bool there) {
    log->extend({.what = act::copy, .barrier = -1, .bytes = where.copying * gathered_piece, .slots = slot_bit(to)});
    touch_tensor();
    if (pieces) pieces->add({to, row + byte, there});
  }
  constexpr void mbarrier_arrive_copied(std::uint32_t barrier) {
    log->add({act::arrive_copied, static_cast<std::int8_t>(rank), barrier_at(barrier), where.copying});
  }
  template <int Rank>
  constexpr void tma_store(const tensor_map& map, std::uint32_t from, const int (&c)[Rank]) {
    log->add({act::store_panel, 0, panel_at(from)});
    touch_tensor();
    copy_box({map.operand, false, true, from}, c);
  }
  constexpr void bulk_commit() { log->add({act::close_store}); }
  template <int N>
  constexpr void bulk_wait_read() {
    log->add({act::reclaim, 0, 0, N});
  }
  template <int N>
  constexpr void bulk_wait() {
    log->add({act::reclaim, 0, 0, N});
  }
  constexpr void fence_proxy_async() {
    log->add({act::proxy_fence});
    open_panel = -1;
  }
  constexpr void ldmatrix_x4(std::uint32_t (&)[4], std::uint32_t from) { read_into_registers(from); }
  constexpr void ldmatrix_x4_trans(std::uint32_t (&)[4], std::uint32_t from) { read_into_registers(from); }
  template <int Words>
  constexpr void load_shared(std::uint32_t (&)[Words], std::uint32_t from) {
    if (where.exchange.holds(static_cast<int>(from)))
      exchange(act::look, rank, from);
    else
      read_into_registers(from);
  }
  /// Metadata is for the next group of wgmmas, which is not issued before all warps have it: it counts as that group's.
  constexpr std::uint32_t load_shared(std::uint32_t from) {
    if (const int slot = where.ticket_at(from); slot >= 0) return take_item(slot);
    read_address(from);
    return 0;
  }
  constexpr void stmatrix_x4(std::uint32_t to, const std::uint32_t (&)[4]) { write(to); }
  constexpr void stmatrix_x2(std::uint32_t to, const std::uint32_t (&)[4]) { write(to); }
  constexpr void stmatrix_x4_trans(std::uint32_t to, const std::uint32_t (&)[4]) { write(to); }
  constexpr void stmatrix_x2_trans(std::uint32_t to, const std::uint32_t (&)[4]) { write(to); }
  constexpr void stmatrix_x1_trans(std::uint32_t to, const std::uint32_t (&)[4]) { write(to); }
  constexpr void store_shared(std::uint32_t to, std::uint32_t, std::uint32_t) { write(to); }
  constexpr void store_shared(std::uint32_t to, std::uint32_t) { write(to); }
  constexpr void store_shared(std::uint32_t to, const std::uint32_t (&)[4]) { pass_sums(act::write_sums, rank, to); }
  constexpr void load_shared_at(std::uint32_t (&)[4], std::uint32_t from, int cta) {
    pass_sums(act::read_sums, cta, from);
  }
  /// By the lanes of one octet in each of the four warps; or, of the number of a work item, by one thread.
  constexpr void store_shared_async(std::uint32_t to, std::uint32_t x, std::uint32_t barrier, int cta) {
    if (const int slot = where.ticket_at(to); slot >= 0)
      return log->add({.what = act::hand_out,
                       .cta = static_cast<std::int8_t>(cta),
                       .barrier = barrier_at(barrier),
                       .bytes = static_cast<int>(x),
                       .kind = slot});
    exchange(act::show, cta, to, barrier_at(barrier), 4 * (warpgroup / 8));
  }
  constexpr void warp_sync() { log->add({act::meet_lanes}); }
  constexpr void store_workspace(std::byte*, long long offset, const std::uint32_t (&)[4]) {
    pass_part(act::leave_part, offset);
  }
  constexpr void load_workspace(std::uint32_t (&)[4], const std::byte*, long long offset) {
    pass_part(act::read_part, offset);
  }
  constexpr int take_ticket(const ticket_counters&, int counter, int tickets) {
    const int meeting = parts.meeting_of_counter(counter);
    log->add({act::take_ticket, 0, 0, meeting});
    touch_tensor();
    if (meeting == parts.of_groups) comes_last = last_of >> 1 & 1;
    return comes_last ? tickets - 1 : 0;
  }
  /// Whoever does this, nobody waits for it, and nothing hangs on it.
  constexpr void open_tickets(const ticket_counters&, int) { touch_tensor(); }
  constexpr void await_tickets(const ticket_counters&, int counter, int) {
    log->add({.what = act::await_tickets, .bytes = parts.meeting_of_counter(counter), .kind = comes_last});
    touch_tensor();
  }
  constexpr std::uint64_t draw_ticket(const ticket_counters&, int) {
    touch_tensor();
    return 0;
  }
  /// Of the items that the recorded cluster makes the next one; behind them, that none is left.
  constexpr int number_drawn(const ticket_counters&, int, std::uint64_t, int tickets) {
    log->add({act::draw, 0, 0, tickets});
    return first_item + recorded_clusters * drawn++;
  }
  constexpr void close_draws(const ticket_counters&, int) { touch_tensor(); }
  template <int Bytes>
  constexpr void copy_to_global(void*, std::uint32_t) {
    touch_tensor();
  }

  template <int N>
  constexpr void registers_dec() {
    log->add({act::resize, 0, 0, N});
  }
  template <int N>
  constexpr void registers_inc() {
    log->add({act::resize, 0, 0, N});
  }

  constexpr void observe_item(int item) {
    comes_last = last_of >> begun++ & 1;
    log->add({act::begin, 0, 0, item});
  }
  constexpr void observe_meeting(int, int) {}
  constexpr void observe_trip(int) {}
  template <int Rank>
  constexpr void observe_load(int, const int (&)[Rank], unsigned) {}
  constexpr void observe_store(int, bool) {}
  constexpr void observe_touch(int fragment) {
    action a{act::touch};
    a.fragment = fragment;
    for (int n = 0; n < lent_fragments; ++n) {
      if (lent[n].fragment != fragment) continue;
      a.bytes = lent[n].blocks;
      lent[n] = lent[--lent_fragments];
    }
    last_touch = log->count < Capacity ? log->count : -1;
    log->add(a);
  }
  constexpr void observe_product(int accumulator, int source, int kind) {
    product.fragment = accumulator;
    product.source = source;
    product.kind = kind;
  }
  constexpr void wgmma_fence() { log->add({act::fence}); }
  template <wgmma_instruction I, class D>
  constexpr void wgmma(const D& d, std::uint64_t a, std::uint64_t b, bool accumulate) {
    read(a);
    read(b);
    const int of = block_at(&d);
    if (fed) fed->add({start(a), 0, start(b), of, groups, accumulate, fields(a), fields(b)});
  }
  template <wgmma_instruction I, class D, class A>
  constexpr void wgmma(const D& d, const A&, int first, std::uint64_t b, bool accumulate) {
    read(b);
    const int of = block_at(&d);
    if (fed) fed->add({-1, first, start(b), of, groups, accumulate, 0, fields(b)});
  }
  template <wgmma_instruction I, class D, class M>
  constexpr void wgmma(const D& d, std::uint64_t a, std::uint64_t b, bool accumulate, const M&, int) {
    wgmma<I>(d, a, b, accumulate);
  }
  constexpr void wgmma_commit() {
    product.slots = read_slots;
    product.bytes = 1 + read_factor;
    log->add(product);
    lend(product.fragment, blocks);
    if (product.source >= 0) lend(product.source, blocks);
    if (product.kind % 2 != 0) lend(metadata_fragment, 1);
    read_slots = 0;
    read_factor = -1;
    ++groups;
    blocks = 0;
  }
  template <int N>
  constexpr void wgmma_wait() {
    log->add({act::retire, 0, 0, N});
  }
  /// Takes a block of the fragment that was told last over from the products: ties its use to the wait before it,
  /// ahead of which a compiler might otherwise move that.
  template <class R>
  constexpr void touch(const R&) {
    if (last_touch >= 0 && log->at[last_touch].bytes > 0) --log->at[last_touch].bytes;
  }

 private:
  template <int Rank>
  constexpr void load_box(const box_copy& b, const tensor_map& map, std::uint32_t barrier, const int (&c)[Rank]) {
    log->extend({.what = act::load,
                 .barrier = barrier_at(barrier),
                 .bytes = map.box_bytes,
                 .mask = b.mask,
                 .slots = slot_bit(b.shared)});
    touch_tensor();
    copy_box(b, c);
  }
  template <int Rank>
  constexpr void copy_box(box_copy b, const int (&coordinate)[Rank]) {
    for (int d = 0; d < Rank; ++d) b.at[d] = coordinate[d];
    if (copied) copied->add(b);
  }
  /// What the slot holds is for the proof to say; that it is the cluster's next item is what all roles take for granted.
  constexpr std::uint32_t take_item(int slot) {
    const int item = first_item + recorded_clusters * ++taken;
    log->add({.what = act::take_item, .bytes = item, .kind = slot});
    return static_cast<std::uint32_t>(item);
  }
  constexpr void lend(int fragment, int count) {
    for (int n = 0; n < lent_fragments; ++n)
      if (lent[n].fragment == fragment) return;
    if (lent_fragments < max_lent) lent[lent_fragments++] = {fragment, count};
  }
  static constexpr int start(std::uint64_t descriptor) { return static_cast<int>(start_bytes_of(descriptor)); }
  static constexpr std::uint64_t fields(std::uint64_t descriptor) { return descriptor & ~std::uint64_t{0x3FFF}; }
  constexpr void read(std::uint64_t descriptor) {
    const std::uint32_t from = start_bytes_of(descriptor);
    if (const int place = where.factor_at(from); place >= 0)
      read_factor = place;
    else
      read_address(from);
  }
  /// The number of this block of the accumulator. (Addresses are compared within one product only: while a fragment
  /// is being made, g++ knows it by another.)
  constexpr int block_at(const void* accumulator) {
    int n = 0;
    while (n < blocks && block[n] != accumulator) ++n;
    if (n == blocks && blocks < max_blocks) block[blocks++] = accumulator;
    return n;
  }
  constexpr void read_address(std::uint32_t from) { read_slots |= slot_bit(from); }
  constexpr void read_into_registers(std::uint32_t from) { log->extend({.what = act::read, .slots = slot_bit(from)}); }
  /// What is shown to one CTA, or looked at, is one action.
  constexpr void exchange(act what, int cta, std::uint32_t address, std::int16_t barrier = -1, int bytes = 0) {
    if (!where.exchange.holds(static_cast<int>(address))) known(-1, address);
    action a{what, static_cast<std::int8_t>(cta), barrier, bytes};
    a.kind = (static_cast<int>(address) - where.exchange.offset) * where.exchange.buffers / where.exchange.bytes;
    log->extend(a);
  }
  /// Words of one place are one action.
  constexpr void pass_sums(act what, int cta, std::uint32_t address) {
    add_once({what, static_cast<std::int8_t>(cta), static_cast<std::int16_t>(known(where.sums_at(address), address))});
  }
  /// Sums of one consumer are one action.
  constexpr void pass_part(act what, long long offset) {
    touch_tensor();
    const int meeting = parts.meeting_at(offset);
    add_once({.what = what,
              .barrier = static_cast<std::int16_t>(parts.consumer_at(offset)),
              .bytes = meeting,
              .kind = meeting == parts.of_groups && comes_last});
  }
  constexpr void add_once(const action& a) {
    const action* last = log->last();
    if (!last || !a.goes_on_with(*last) || last->bytes != a.bytes) log->add(a);
  }
  constexpr void write(std::uint32_t to) {
    if (where.exchange.holds(static_cast<int>(to))) return exchange(act::show, rank, to);
    if (const int place = where.factor_at(to); place >= 0) {
      const action* last = log->last();
      if (!last || last->what != act::place) log->add({.what = act::place, .kind = place});
      return;
    }
    const std::int16_t panel = panel_at(to);
    if (panel == open_panel) return;
    open_panel = panel;
    log->add({act::write_panel, 0, panel});
  }

  // Where an address lies; one that lies nowhere is noted, and refused.
  constexpr int known(int place, std::uint32_t address) {
    if (place < 0) log->stray = static_cast<int>(address);
    return place < 0 ? 0 : place;
  }
  constexpr std::int16_t barrier_at(std::uint32_t address) {
    return static_cast<std::int16_t>(known(where.barrier_at(address), address));
  }
  constexpr std::int16_t panel_at(std::uint32_t address) {
    return static_cast<std::int16_t>(known(where.panel_at(address), address));
  }
  constexpr std::uint64_t slot_bit(std::uint32_t address) {
    return std::uint64_t{1} << known(where.slot_at(address), address);
  }
};

}  // namespace sectile::protocol
