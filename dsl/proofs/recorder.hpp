// A machine that only writes down what a role does, in constant evaluation. The protocol proof runs the lowered roles
// themselves on it, so what is proven is what is launched.
//
// A warpgroup acts as one agent: `whole_warpgroup` tells the roles that this machine's thread 0 stands for all 128.
#pragma once
#include <sectile/dsl/roles/entry.hpp>
#include <sectile/dsl/roles/machine_under_test.hpp>

namespace sectile::protocol {

enum class act : std::uint8_t {
  initialise,   // barrier, bytes = arrivals that it counts
  publish,      // fence: initialised barriers become visible to the cluster and to TMA
  gather,       // all agents of the cluster meet
  begin,        // work item number `bytes`
  wait,         // barrier, parity
  arrive,       // barrier, cta
  expect,       // barrier, bytes: announces them and arrives
  load,         // barrier, bytes, slot, mask of CTAs: TMA writes part of a stage
  fence,        // registers that ordinary instructions have touched may go to products
  touch,        // ordinary instructions access a fragment's registers
  multiply,     // the closed group of wgmmas: slots and fragments that it uses
  read,         // slot that ordinary loads bring into registers
  retire,       // at most `bytes` groups are still running
  meet,         // named barrier: waits for `bytes` threads
  announce,     // named barrier: arrives without waiting
  show,         // a part of columns, to the warps of a CTA; kind = number of the buffer; if the CTA's `barrier` counts
                // its bytes, these; else -1
  look,         // at all of them
  meet_lanes,   // of each warp
  write_panel,  // slot = number of an epilogue buffer
  proxy_fence,
  store_panel,  // TMA reads an epilogue buffer
  close_store,
  reclaim,        // at most `bytes` store groups still read shared memory
  write_sums,     // barrier = number of the place where a consumer leaves its part of some sums
  read_sums,      // the same of another CTA
  leave_part,     // in the workspace, of meeting `bytes`; barrier = the consumer to whom the place belongs
  take_ticket,    // of the tile and meeting `bytes`
  await_tickets,  // until the other parts have taken theirs of meeting `bytes`; kind = 1: of whom the first was the last
  read_part,      // as leave_part, of any CTA
  draw,           // the number of a work item from the counter, which gives `bytes` of them
  hand_out,       // `bytes`, that number, to slot `kind` of a CTA, whose `barrier` counts the word
  take_item,      // reads slot `kind` of the own CTA, for item `bytes`
  resize,         // setmaxnreg to `bytes` registers
};

constexpr int recorded_clusters = 2;  // that share the work,
constexpr int streamed_clusters = 3;  // of which one, where the last tiles are cut, is between two others
constexpr int max_slots = 64;  // ring * 16 + stage
constexpr int slot_of(int ring, int stage) { return ring * max_stages + stage; }

struct action {
  act what = act::wait;
  std::int8_t cta = 0;
  std::int16_t barrier = 0;  // number of an mbarrier (8-byte units behind the first) or of a named barrier
  std::int32_t bytes = 0;    // or parity, or a count; of a touch: blocks that are not taken over from products
  std::uint32_t mask = 0;    // CTAs of a load
  std::int32_t fragment = 0;  // that is touched, or accumulates
  std::int32_t source = -1;   // fragment that a product takes as A
  std::int32_t kind = 0;      // of a product, see kind_of; of an arrival or a wait, 1: with what was written before
  std::uint64_t slots = 0;
};

template <int Capacity>
struct action_log {
  int count = 0;
  bool overflow = false;
  bool lost = false;  // came to a loop where the planner has seen none
  bool miscounted = false;  // a load is the first or the last of its stage, or neither, and the plan says otherwise
  bool early = false;  // touched a tensor before the kernels before this one have ended
  int stray = -1;  // an address that is no barrier, stage or epilogue buffer
  action at[Capacity]{};
  constexpr void add(const action& a) {
    if (count == Capacity)
      overflow = true;
    else
      at[count++] = a;
  }
  constexpr action* last() { return count > 0 ? &at[count - 1] : nullptr; }
};

/// Places of one size, one behind the other: the buffers of an epilogue, or where the consumers leave partial sums.
/// They are numbered on from those of the ranges before.
struct place_range {
  int begin = 0, bytes = 1, count = 0;
};
/// The number of the place that contains the byte at `address`, -1 if none does.
template <int N>
constexpr int number_in(const place_range (&ranges)[N], std::uint32_t address) {
  int before = 0;
  for (const place_range& r : ranges) {
    const int inside = static_cast<int>(address) - r.begin;
    if (inside >= 0 && inside / r.bytes < r.count) return before + inside / r.bytes;
    before += r.count;
  }
  return -1;
}
/// Which mbarrier lies at this offset, and which slot or epilogue buffer contains that byte.
struct address_book {
  int first_barrier = 0, barriers = 0;
  int rings = 0;
  int offset[max_rings]{}, pitch[max_rings]{}, stages[max_rings]{};
  exchange_plan exchange{};
  ticket_plan tickets{};
  place_range epilogue[max_outputs]{};
  place_range sums[2 * max_meetings]{};  // of each meeting: what CTAs leave, and their shares

  // Each is -1 for an address that is none.
  constexpr int barrier_at(std::uint32_t address) const {
    const int inside = static_cast<int>(address) - first_barrier;
    return inside >= 0 && inside % 8 == 0 && inside / 8 < barriers ? inside / 8 : -1;
  }
  constexpr int slot_at(std::uint32_t address) const {
    for (int r = 0; r < rings; ++r) {
      const int inside = static_cast<int>(address) - offset[r];
      if (inside >= 0 && inside < stages[r] * pitch[r]) return slot_of(r, inside / pitch[r]);
    }
    return -1;
  }
  constexpr int panel_at(std::uint32_t address) const { return number_in(epilogue, address); }
  constexpr int sums_at(std::uint32_t address) const { return number_in(sums, address); }
  constexpr int ticket_at(std::uint32_t address) const {
    const int inside = static_cast<int>(address) - tickets.offset;
    const bool begins = inside >= 0 && inside % ticket_pitch == 0;
    return begins && inside / ticket_pitch < tickets.slots ? inside / ticket_pitch : -1;
  }
};

constexpr address_book address_book_of(const plan& p) {
  address_book b{};
  b.first_barrier = p.ring[0].full_barrier;
  b.rings = p.rings;
  for (int r = 0; r < p.rings; ++r) {
    b.offset[r] = p.ring[r].offset;
    b.pitch[r] = p.ring[r].stage_bytes;
    b.stages[r] = p.ring[r].stages;
  }
  for (int r = 0; r < p.rings; ++r) b.barriers += 2 * p.ring[r].stages;
  b.barriers += count_cluster_barriers(p);
  for (int n = 0; n < p.meetings; ++n) {
    const meeting_plan& m = p.meeting[n];
    if (m.rounds == 0) continue;  // not in shared memory
    b.sums[2 * n] = {m.offset, partial_sums_bytes(p, m) / p.how.consumers, p.how.consumers};
    if (m.rounds == 2) b.sums[2 * n + 1] = {m.shares, shares_bytes(p, m) / p.how.consumers, p.how.consumers};
  }
  b.exchange = p.exchange;
  b.tickets = p.tickets;
  for (int n = 0; n < p.epilogues; ++n) {
    const epilogue_plan& e = p.epilogue[n];
    b.epilogue[n] = {e.offset, e.panel_bytes, p.how.consumers * e.buffers};
  }
  return b;
}

/// To whom bytes of the workspace belong, and ticket counters.
struct part_places {
  int meetings = 0, part_bytes = 1, tiles = 1;
  int begin[max_meetings + 1]{};  // of each meeting's sums in a part; behind them the part's end
  int consumer_bytes[max_meetings]{};

  constexpr int meeting_at(long long offset) const {
    int n = 0;
    while (n + 1 < meetings && offset % part_bytes >= begin[n + 1]) ++n;
    return n;
  }
  constexpr int consumer_at(long long offset) const {
    const int n = meeting_at(offset);
    return (static_cast<int>(offset % part_bytes) - begin[n]) / consumer_bytes[n];
  }
  constexpr int meeting_of_counter(int counter) const { return counter / tiles; }
};
constexpr part_places part_places_of(const plan& p, int tiles) {
  part_places all{};
  if (!p.how.uses_workspace()) return all;
  all.meetings = p.meetings;
  all.part_bytes = bytes_of_a_part(p);
  all.tiles = tiles;
  for (int n = 0; n <= p.meetings; ++n) all.begin[n] = begin_of_sums(p, n);
  for (int n = 0; n < p.meetings; ++n) all.consumer_bytes[n] = (all.begin[n + 1] - all.begin[n]) / p.how.consumers;
  return all;
}

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
constexpr int max_blocks = 64;
/// A fragment that products have been given, in so many blocks, until ordinary code takes it over (recorder::touch).
struct lent_fragment {
  int fragment = 0, blocks = 0;
};
constexpr int max_lent = 16;
/// Where feeds are written down, if there is room for them.
struct feed_list {
  instruction_feed* at = nullptr;
  int room = 0, count = 0;
  constexpr void add(const instruction_feed& f) {
    if (count < room) at[count] = f;
    ++count;
  }
};

/// A box that TMA is asked to copy, from or to the tensor that it is part of.
struct box_copy {
  std::int8_t operand = 0;
  bool metadata = false;   // of a sparse operand
  bool store = false;
  std::uint32_t shared = 0;  // address
  std::uint32_t mask = 0;    // CTAs that receive it
  int at[max_rank]{};        // coordinates in the tensor map, innermost first
};
/// Where copies are written down, if there is room for them.
struct copy_list {
  box_copy* at = nullptr;
  int room = 0, count = 0;
  template <int Rank>
  constexpr void add(box_copy c, const int (&coordinate)[Rank]) {
    for (int d = 0; d < Rank; ++d) c.at[d] = coordinate[d];
    if (count < room) at[count] = c;
    ++count;
  }
};

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
  int groups = 0;                 // of wgmmas, closed
  const void* block[max_blocks]{};  // of the accumulator, in the order in which the product reached them
  int blocks = 0;
  lent_fragment lent[max_lent]{};
  int lent_fragments = 0;
  int last_touch = -1;            // in the log
  std::uint64_t read_slots = 0;   // by wgmmas that no group holds yet
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
    action a{act::arrive, static_cast<std::int8_t>(cta), barrier_at(barrier)};
    a.kind = 1;
    log->add(a);
  }
  constexpr void mbarrier_wait_acquire(std::uint32_t barrier, int parity) {
    action a{act::wait, 0, barrier_at(barrier), parity};
    a.kind = 1;
    log->add(a);
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
    action a{act::load, 0, barrier_at(barrier), map.box_bytes, ctas};
    a.slots = slot_bit(to);
    add_load(a);
    touch_tensor();
    if (copied) copied->add({map.operand, map.metadata, false, to, ctas}, c);
  }
  template <int Rank>
  constexpr void tma_store(const tensor_map& map, std::uint32_t from, const int (&c)[Rank]) {
    log->add({act::store_panel, 0, panel_at(from)});
    touch_tensor();
    if (copied) copied->add({map.operand, false, true, from}, c);
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
    if (const int slot = where.ticket_at(to); slot >= 0) {
      action a{act::hand_out, static_cast<std::int8_t>(cta), barrier_at(barrier), static_cast<int>(x)};
      a.kind = slot;
      return log->add(a);
    }
    exchange(act::show, cta, to, barrier_at(barrier), 4 * (warpgroup / 8));
  }
  constexpr void warp_sync() { log->add({act::meet_lanes}); }
  constexpr void store_workspace(std::byte*, long long offset, const std::uint32_t (&)[4]) {
    pass_part(act::leave_part, offset);
  }
  constexpr void load_workspace(std::uint32_t (&)[4], const std::byte*, long long offset) {
    pass_part(act::read_part, offset);
  }
  constexpr int take_ticket(std::uint32_t*, int counter, int tickets) {
    log->add({act::take_ticket, 0, 0, parts.meeting_of_counter(counter)});
    touch_tensor();
    return comes_last ? tickets - 1 : 0;
  }
  constexpr void await_tickets(const std::uint32_t*, int counter, int) {
    action a{act::await_tickets, 0, 0, parts.meeting_of_counter(counter)};
    a.kind = comes_last;
    log->add(a);
    touch_tensor();
  }
  /// Of the items that the recorded cluster makes the next one; behind them, that none is left.
  constexpr int draw_ticket(std::uint32_t*, int tickets) {
    log->add({act::draw, 0, 0, tickets});
    touch_tensor();
    return first_item + recorded_clusters * drawn++;
  }
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
    log->add(product);
    lend(product.fragment, blocks);
    if (product.source >= 0) lend(product.source, blocks);
    if (product.kind % 2 != 0) lend(metadata_fragment, 1);
    read_slots = 0;
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
  /// What the slot holds is for the proof to say; that it is the cluster's next item is what all roles take for granted.
  constexpr std::uint32_t take_item(int slot) {
    const int item = first_item + recorded_clusters * ++taken;
    action a{act::take_item, 0, 0, item};
    a.kind = slot;
    log->add(a);
    return static_cast<std::uint32_t>(item);
  }
  constexpr void lend(int fragment, int count) {
    for (int n = 0; n < lent_fragments; ++n)
      if (lent[n].fragment == fragment) return;
    if (lent_fragments < max_lent) lent[lent_fragments++] = {fragment, count};
  }
  static constexpr int start(std::uint64_t descriptor) { return static_cast<int>(start_bytes_of(descriptor)); }
  static constexpr std::uint64_t fields(std::uint64_t descriptor) { return descriptor & ~std::uint64_t{0x3FFF}; }
  constexpr void read(std::uint64_t descriptor) { read_address(start_bytes_of(descriptor)); }
  /// The number of this block of the accumulator. (Addresses are compared within one product only: while a fragment
  /// is being made, g++ knows it by another.)
  constexpr int block_at(const void* accumulator) {
    int n = 0;
    while (n < blocks && block[n] != accumulator) ++n;
    if (n == blocks && blocks < max_blocks) block[blocks++] = accumulator;
    return n;
  }
  /// Boxes of one stage, one behind the other, that one barrier counts are one action.
  constexpr void add_load(const action& a) {
    action* last = log->last();
    if (last && last->what == a.what && last->barrier == a.barrier && last->slots == a.slots && last->mask == a.mask)
      last->bytes += a.bytes;
    else
      log->add(a);
  }
  constexpr void read_address(std::uint32_t from) { read_slots |= slot_bit(from); }
  constexpr void read_into_registers(std::uint32_t from) {
    action a{act::read};
    a.slots = slot_bit(from);
    const action* last = log->last();
    if (!last || last->what != a.what || last->slots != a.slots) log->add(a);
  }
  /// What is shown to one CTA, or looked at, is one action.
  constexpr void exchange(act what, int cta, std::uint32_t address, std::int16_t barrier = -1, int bytes = 0) {
    if (!where.exchange.holds(static_cast<int>(address))) known(-1, address);
    action a{what, static_cast<std::int8_t>(cta), barrier, bytes};
    a.kind = (static_cast<int>(address) - where.exchange.offset) * where.exchange.buffers / where.exchange.bytes;
    action* last = log->last();
    if (last && last->what == what && last->cta == a.cta && last->barrier == barrier && last->kind == a.kind)
      last->bytes += bytes;
    else
      log->add(a);
  }
  /// Words of one place are one action.
  constexpr void pass_sums(act what, int cta, std::uint32_t address) {
    add_once({what, static_cast<std::int8_t>(cta), static_cast<std::int16_t>(known(where.sums_at(address), address))});
  }
  /// Sums of one consumer are one action.
  constexpr void pass_part(act what, long long offset) {
    touch_tensor();
    add_once({what, 0, static_cast<std::int16_t>(parts.consumer_at(offset)), parts.meeting_at(offset)});
  }
  constexpr void add_once(const action& a) {
    const action* last = log->last();
    if (!last || last->what != a.what || last->cta != a.cta || last->barrier != a.barrier || last->bytes != a.bytes)
      log->add(a);
  }
  constexpr void write(std::uint32_t to) {
    if (where.exchange.holds(static_cast<int>(to))) return exchange(act::show, rank, to);
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

/// Work items that a persistent cluster is followed through, at most: two of each consumer show that rings are carried
/// from one to the next; and those of the slots of drawn numbers, that each is written and read again. Where the last
/// tiles are cut it makes a whole one, and a part of two.
constexpr int longest_walk(const configuration& how) {
  if (how.streamed) return 3;
  return 2 * how.tiles_at_once() + (how.dynamic ? ticket_slots : 0);
}

/// The problem on which roles are recorded: so many tiles along each mode, and clusters that share the work. (Where
/// rows are whole, a column of tiles has two work items for each consumer with tiles of its own, in both clusters.)
template <class K>
constexpr int recorded_tiles = (1 + recorded_clusters * longest_walk(configuration_of<K>)) *
                               (configuration_of<K>.cluster.rows > configuration_of<K>.cluster.cols
                                    ? configuration_of<K>.cluster.rows
                                    : configuration_of<K>.cluster.cols);
/// The first of `items` work items that the recorded cluster does, of `count` in all: with the last, or the last but
/// one, a persistent kernel ends. (That of a single one has unequal coordinates.)
constexpr int first_recorded_item(int count, int items) {
  return count - 1 - (items == 1 ? 1 : recorded_clusters * (items - 1));
}
/// Tiles that are cut, in a walk over `count`: of two tiles that three clusters make in three parts each, the second one
/// makes the first of one and the last of the other, with which its walk ends.
constexpr work_stream recorded_stream(int count) {
  constexpr int trips = 6 * least_trips_of_a_part, cut = 2, parts = 3;
  return {count, count - cut, trips, streamed_clusters, parts};
}
constexpr int first_streamed_item(const work_stream& s, int items) {
  return s.whole + 1 + streamed_clusters * (2 - items);
}
template <class K, class Machine>
constexpr kernel_parameters<K, typename Machine::tensor_map> recorded_problem() {
  constexpr const plan& p = plan_of<K>;
  kernel_parameters<K, typename Machine::tensor_map> parameters{};
  parameters.arguments = traced_arguments<K>({recorded_tiles<K>});
  for (int i = 0; i < p.operands; ++i) {
    const operand_plan& op = p.operand[i];
    if (!op.facts.is_tiled()) continue;
    [[maybe_unused]] const auto number = static_cast<std::int8_t>(i);
    parameters.map[i] = {number, false, op.facts.kind == operand_kind::input ? bytes(op.box) : 0};
    if (op.facts.sparse) parameters.metadata_map[i] = {number, true, bytes(op.metadata.box)};
  }
  for (int n = 0; n < p.epilogues; ++n) {
    output_place& o = parameters.output[n];
    o.cols = o.whole_cols = recorded_tiles<K> * p.operand[p.epilogue[n].operand].facts.contiguous();
  }
  parameters.work = work_of<K>(parameters.arguments);
  if constexpr (uses_workspace<K> && parts_of<K> > 1)
    parameters.clusters_of_a_part = fast_divisor(parameters.work.count);
  return parameters;
}
template <class K, class Machine>
inline constexpr kernel_parameters<K, typename Machine::tensor_map> recorded_parameters =
    recorded_problem<K, Machine>();
template <class K>
inline constexpr address_book addresses_of = address_book_of(plan_of<K>);

/// What role number `role` (0: the producer, then the consumers) of CTA `rank` does when loops turn as `loops` says,
/// for `items` work items (a persistent kernel carries its rings from one to the next). `fed`: what its wgmmas are
/// given; `copied`: the boxes that it has TMA copy. Of parts that meet in a workspace it makes the first one, which
/// comes last; or, if `last` has no bit, the second one. Where it makes parts of several tiles it comes last to those
/// items whose bits `last` has.
constexpr unsigned to_all = ~0u;
template <class K, int Capacity>
constexpr void record(action_log<Capacity>& log, const loop_table& loops, int items, int rank, int role,
                      feed_list* fed = nullptr, copy_list* copied = nullptr, unsigned last = to_all) {
  using machine = typename machine_under_test<K, recorder<Capacity>>::type;
  machine hw{};
  hw.log = &log;
  hw.where = addresses_of<K>;
  hw.rank = rank;
  hw.loops = loops;
  hw.fed = fed;
  hw.copied = copied;
  hw.comes_last = last & 1;
  hw.last_of = last;
  hw.thread_index = role * warpgroup;
  const int count = recorded_parameters<K, machine>.work.count;
  if constexpr (streams<K>) {
    kernel_parameters<K, typename machine::tensor_map> parameters = recorded_parameters<K, machine>;
    parameters.stream = recorded_stream(count);
    hw.clusters = streamed_clusters;
    hw.first_item = first_streamed_item(parameters.stream, items);
    hw.parts = part_places_of(plan_of<K>, parameters.stream.rest() * plan_of<K>.how.ctas());
    kernel_entry<K>(hw, parameters);
  } else {
    hw.first_item = first_recorded_item(count, items) + (last ? 0 : count);
    hw.parts = part_places_of(plan_of<K>, count * plan_of<K>.how.ctas());
    kernel_entry<K>(hw, recorded_parameters<K, machine>);
  }
}
template <class K, int Capacity>
constexpr action_log<Capacity> record(const loop_table& loops, int items, int rank, int role) {
  action_log<Capacity> log{};
  record<K, Capacity>(log, loops, items, rank, role);
  return log;
}

}  // namespace sectile::protocol
