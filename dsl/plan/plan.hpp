// The plan: everything that follows from a program and its configuration, as one constexpr value. Proofs, launch code,
// both machines, `explain` and the pictures read this and nothing else.
#pragma once
#include <sectile/dsl/plan/product_table.hpp>
#include <sectile/dsl/plan/trace_log.hpp>
#include <sectile/dsl/program/refusal.hpp>
#include <sectile/layouts/metadata_blocks.hpp>
#include <sectile/layouts/tma_box.hpp>

namespace sectile {

constexpr int shared_memory_limit = 232448;  // bytes that one CTA can opt in to on sm_90 (227 KiB)
constexpr int register_pool = 65536;         // 32-bit registers of an SM
constexpr int shared_alignment = 1024;       // the 128-byte swizzle repeats every 1024 bytes
constexpr int max_stages = 16;
constexpr int max_outputs = 4;                     // matrices that a kernel stores
constexpr int max_epilogue_buffers = 64;           // of a CTA, of all its outputs
constexpr int max_store_groups = 2 * max_outputs;  // of TMA stores that a consumer has in flight
constexpr int max_meetings = 4;                    // sums whose parts are added up, where loops are split
constexpr int warpgroup = 128;                     // threads
/// Registers that a consumer needs besides its fragments: addresses, ring positions, counters, what ptxas wants.
constexpr int consumer_overhead = 28;
constexpr int metadata_block_bytes = 4 * metadata_words;

/// Named barriers of a CTA by number; 0 is __syncthreads. Each consumer has one for its epilogue and one for its
/// turn; all of them meet at the next one, where columns are reduced, and threads of the producer at the last.
constexpr int epilogue_barrier(int consumer) { return 1 + consumer; }
constexpr int ordered_barrier(int consumers, int consumer) { return 1 + consumers + consumer; }
constexpr int exchange_barrier(int consumers) { return 1 + 2 * consumers; }
constexpr int producer_barrier(int consumers) { return 2 + 2 * consumers; }

/// The largest of of(0) .. of(count - 1), and no less than `least`.
template <class Of>
constexpr int most_of(int count, int least, Of of) {
  for (int i = 0; i < count; ++i)
    if (const int x = of(i); x > least) least = x;
  return least;
}
/// The sum of of(0) .. of(count - 1).
template <class Of>
constexpr int sum_of(int count, Of of) {
  int sum = 0;
  for (int i = 0; i < count; ++i) sum += of(i);
  return sum;
}
constexpr int round_up(int x, int multiple) { return (x + multiple - 1) / multiple * multiple; }

/// What happens at one position of the body, besides the event itself. Numbers are bounds that hold for every trip.
struct step {
  event_kind kind = event_kind::finish;
  std::int8_t operand = -1;     // that is loaded here, or of which a tile comes into registers
  bool opens = false;           // a load: the first of its stage
  bool closes = false;          // a load: the last of its stage
  bool in_place = false;        // a product: its left factor lies where it was written for the one before
  std::int8_t wait = -1;        // before it: wait until at most this many products are in flight; -1: no wait
  std::int8_t wait_after = -1;  // after it (a product): the same
  bool fence = false;           // before it (a product): ordinary instructions have touched its registers; behind it (a
                                // read): TMA writes next where ordinary loads have read
  bool wait_in_order = false;   // before it (a product): wait for the tensor cores (ping-pong)
  bool arrive_in_order = false;  // after it (a product), or behind its wait (a touch that ends a full turn): let the
                                 // next consumer have them; before it (anything else), where consumers have tiles of
                                 // their own: the next one may load and multiply its tile
  bool meets = false;            // behind it (a read): the warps meet, as the next one is of another stage
  bool settle = false;          // before it (a touch, store): first ordinary access since a product on these registers
  std::int8_t keep[max_rings]{-1, -1, -1, -1};  // then: release all but this many stages of the ring; -1: none
  std::int8_t release[max_rings]{};             // at most so many at a time
  bool put_off = false;  // a store of a trip: its panels leave behind the product that follows; that product: then
  std::int16_t born = -1;       // of a touch, store: where its fragment came into being; -1: not always at one place
  std::int8_t meeting = -1;     // before it (a touch, store): the parts of these sums meet; which of plan.meeting
  bool seen = false;            // by some traced run
  std::int16_t loop_end = 0;    // of a loop: the position after it
  /// A read of a vector, when the next one is of the same stage: the warps meet behind that.
  constexpr bool joined() const { return kind == event_kind::read && !meets; }
};

/// A ring of stages that one full/empty barrier pair per stage guards.
struct ring_plan {
  int stages = 0;
  int lanes = 1;  // consumers abreast whose tiles differ: each has an equal part of the stages, one behind the other
  bool resident = false;  // its one tile is loaded once and stays: the work of a CTA reads it again and again
  int members = 0;  // operands that share a stage
  std::int8_t member[max_operands]{};
  int stage_bytes = 0;      // bytes from one stage to the next
  int offset = 0;           // bytes, of stage 0 from the shared base
  int transaction_bytes = 0;  // what a full barrier waits for: the bytes that TMA brings to this CTA's stage
  int copied_bytes = 0;       // and those that threads copy there, of gathered operands (see gather.hpp)
  int full_arrivals = 1;      // of a full barrier: the producer's, and those of the threads that copy
  int full_barrier = 0;     // byte offset of the first; stages follow, 8 bytes each
  int empty_barrier = 0;
  int empty_arrivals = 0;   // consumer warpgroups that release a stage, of every CTA that reads what is written here
  bool multicast_rows = false;  // some member is shared by the CTAs along the cluster's rows / columns
  bool multicast_cols = false;
  bool multicast_all = false;   // some member is shared by all of them
  constexpr int stages_of_lane() const { return stages / lanes; }
};
/// Consumers of a CTA that read what comes into a stage of the ring.
constexpr int readers_in_cta(const configuration& how, const ring_plan& r) {
  return how.abreast && r.lanes == 1 ? how.consumers : how.sharers();
}

/// CTAs of a cluster that write into a CTA's stages of the ring, itself included: of a shared operand every sharer
/// brings a slice. As many CTAs read what it writes, and they are the same ones. A consumer gives a stage back to just
/// these: whatever it waits for has come from them, so it knows their barriers' phases.
constexpr int peers(const ring_plan& r, const cluster_shape& c) {
  if (r.multicast_all) return c.size();
  return 1 + (r.multicast_rows ? c.rows - 1 : 0) + (r.multicast_cols ? c.cols - 1 : 0);
}
/// The rank of peer number `i` of the CTA at (row, col). CTA (row, col) of a cluster has rank row + rows * col.
constexpr int peer(const ring_plan& r, const cluster_shape& c, int row, int col, int i) {
  if (r.multicast_all) return i;
  const int column = r.multicast_rows ? c.rows : 1;  // those in its own column come first
  if (i < column) return (r.multicast_rows ? i : row) + c.rows * col;
  const int other = i - column;
  return row + c.rows * (other + (other >= col ? 1 : 0));
}

/// How the metadata of a sparse operand's tile travels: one box of whole blocks (see layouts/metadata.hpp) for each
/// block along K. In shared memory the blocks of a box lie one behind the other, then those of the next.
struct metadata_plan {
  int bytes = 0;         // of one stage's copy; 0: the operand is dense
  int stage_offset = 0;  // within a stage
  int row_blocks = 0, k_blocks = 0;
  tma_box box{};         // rank of the operand; this CTA's slice of the row blocks
  friend constexpr bool operator==(const metadata_plan&, const metadata_plan&) = default;
};

/// How an operand travels.
struct operand_plan {
  operand_facts facts{};
  int ring = -1;             // inputs
  int stage_offset = 0;      // bytes within a stage
  int tile_bytes = 0;
  swizzle_mode swizzle = swizzle_mode::none;
  bool stepped[max_rank]{};  // modes along which the program visits more than the first tile,
  int last[max_rank]{};      // or, where its text numbers the tiles and no loop does, the last one that it names
  bool varies_with_row = true;  // whether CTAs in different rows / columns of the cluster load different tiles
  bool varies_with_col = true;
  bool in_place = false;     // an input that may be an output's own tensor
  std::uint8_t made = 0;     // modes, a bit each, along which tiles are at places made of the work's, not at its own
  reduction combined = reduction::none;  // how a vector is combined into; none: it is read, or stored
  std::uint8_t counted[max_rank]{};  // modes of the work, a bit each, of which a written vector's mode counts the tiles
  std::uint8_t paced[max_rank]{};    // modes of how.tile, a bit each, whose tiles a mode of a vector counts
  int slices = 1;            // CTAs that each fetch an equal part and multicast it
  int panels = 0;            // spans along the contiguous mode
  int boxes_per_panel = 1;   // boxes that bring this CTA's slice of a panel
  tma_box box{};             // rank of the operand, extents innermost first
  metadata_plan metadata{};  // of a sparse operand
};

/// Where in a stage the block begins that holds the metadata of row block `row` and K block `k`: bytes from the
/// operand's metadata's first.
constexpr int metadata_offset(const metadata_plan& m, int row, int k) {
  return (k * m.row_blocks + row) * metadata_block_bytes;
}

/// Where in a stage the box begins that brings rows `row`.. (across the contiguous mode) of panel `panel`: bytes from
/// the operand's first. Panels lie back to back, each one span wide and `tile_rows` high.
constexpr int box_offset(int tile_rows, swizzle_mode swizzle, int panel, int row) {
  return (panel * tile_rows + row) * span_bytes(swizzle);
}

/// "X(E,T,K)": a name, and the first `count` modes of f.
constexpr violation& spell(violation& v, const char* name, const operand_facts& f, int count) {
  v << name << "(";
  for (int d = 0; d < count; ++d) v << (d ? "," : "") << f.mode_name[d];
  return v << ")";
}
constexpr violation& operator<<(violation& v, const operand_facts& f) { return spell(v, f.name, f, f.tile.rank); }

/// Whether fragments' rows lie along an output's rows in memory: fragments hold the transpose where the configuration
/// swaps, memory does where the output is col_major.
constexpr bool leaves_transposed(const operand_facts& f, const configuration& how) {
  return how.swap != (f.order == col_major);
}

/// How accumulators leave for an output: each consumer warpgroup writes panels into its own buffers, TMA stores them.
struct epilogue_plan {
  int operand = -1;
  bool transposed = false;  // fragments' rows lie along memory's
  int panel_rows = 0;
  int panel_cols = 0;       // one span of the swizzle, if it has one
  int row_bytes = 0;        // of a panel, whose rows follow each other
  int panel_bytes = 0;
  int panels = 0;    // per warpgroup
  int buffers = 0;   // panels in shared memory per warpgroup
  int batch = 0;     // panels that are filled and stored together
  bool deferred = false;  // packed in registers and put out during the next tile's first products
  int last_call = -1;     // deferred: the position before which the rest goes out, as ordinary instructions begin to
                          // need registers; -1: when the next tile is stored
  int offset = 0;    // bytes from the shared base
  swizzle_mode swizzle = swizzle_mode::none;
  int bank_conflicts = 1;  // of the worst store into a panel, 1 is none

  /// Whether whole tiles take turns in two halves of the buffers, where trips store: see roles/trip_stores.hpp.
  constexpr bool by_halves() const { return batch == panels && buffers == 2 * panels; }
  /// Batches that may still be read while the next one is filled.
  constexpr int batches_in_flight() const { return buffers / batch - 1; }
};

/// Where loops are split: sums whose parts are added up, where they are first used behind the loops (see split.hpp).
struct meeting_plan {
  int words = 0;    // of a consumer thread: its registers of them
  int rounds = 0;   // 1: the first part reads all others'; 2: each adds up its share of the words, the first reads
                   // those; 0: they meet in the workspace, and what follows means nothing
  int offset = 0;   // bytes from the shared base: every consumer's words
  int shares = 0;   // the same of what a CTA has added up, in two rounds
  int barrier = 0;  // byte offset of consumer 0's mbarriers, one for each round; the others' follow
  int end = 0;      // of what the body merges itself (sm.merge): the position behind that; 0: they are sums
  friend constexpr bool operator==(const meeting_plan&, const meeting_plan&) = default;
};

/// Where the warps of all consumers show each other what they have of columns (see col_reduce): for each column a row
/// of f32, one of each warp. CTAs that share a wide tile have rows for the warps of all of them, and write into each
/// other's; two buffers and the mbarriers that count their bytes take turns (see roles/column_exchange.hpp).
struct exchange_plan {
  int columns = 0;  // of the widest fragment whose columns are reduced; 0: there is none
  int ctas = 1;     // that have parts of the columns
  int buffers = 1;  // of several CTAs two
  int offset = 0;   // bytes from the shared base
  int bytes = 0;    // of all buffers
  int barrier = 0;  // of several CTAs, byte offset of the first buffer's mbarrier of the first consumers of a tile

  /// Whether the warps meet at a named barrier before and behind it.
  constexpr bool meets_in_cta() const { return columns > 0 && ctas == 1; }
  /// Whether the byte at `at` belongs to it.
  constexpr bool holds(int at) const { return at >= offset && at < offset + bytes; }
};
constexpr int warps_of_consumers(const configuration& how) { return how.consumers * warpgroup / 32; }
/// Byte offset of the mbarrier of a buffer: `group` counts the consumers that share a tile.
constexpr int exchange_mbarrier(const exchange_plan& e, int group, int buffer) {
  return e.barrier + 8 * (e.buffers * group + buffer);
}
/// Warps of a CTA that share a tile.
constexpr int warps_of_tile(const configuration& how) { return how.sharers() * warpgroup / 32; }
/// Words from one column's row to the next's. The four columns that a warp reads at once, every other one, lie in other
/// banks: rows are 4 words longer than a multiple of 8.
constexpr int exchange_pitch(const configuration& how, int ctas) {
  return (ctas * warps_of_tile(how) + 3) / 8 * 8 + 4;
}

/// Where consumers that share a tile write a fragment that a product reads as B: of a configuration that swaps the left
/// factor, if it is in registers. One place for all such products (see dsl/plan/waits.hpp), for each tile at a time.
struct placed_plan {
  int offset = 0;  // bytes from the shared base
  int pitch = 0;   // from one tile's place to the next; 0: there is none
  int places = 0;
  /// Whether the byte at `at` belongs to it.
  constexpr bool holds(int at) const { return at >= offset && at < offset + pitch * places; }
};

/// What a checked kernel has in shared memory besides (see guards.hpp). An ordinary one has none of it.
struct guard_plan {
  int count = 0;       // of the gaps between pieces of shared memory, which are filled with a pattern
  int notes = 0;       // byte offset of what the debug machine writes down
  int note_bytes = 0;  // 0: the kernel is not checked
};

/// The ring through which the numbers of work items that are drawn come to all roles: see tickets.hpp.
struct ticket_plan {
  int slots = 0;    // 0: nothing is drawn
  int offset = 0;   // bytes, of the first slot's word from the shared base
  int barrier = 0;  // of the first slot's full barrier; behind those are the empty ones
};

/// What a plan says in a few numbers. A type of its own for nvcc, which lays a constant out anew for each constant
/// expression that names it: a plan has some 9,000 fields, most of them of operands and steps that a kernel has not.
struct plan_head {
  configuration how{};
  int operands = 0;
  int rings = 0;
  ring_plan ring[max_rings]{};
  int work = -1;  // the operand whose tiles are the work: the first matrix among the outputs; others have its tiles
  int epilogues = 0;
  epilogue_plan epilogue[max_outputs]{};  // of each matrix that is stored to, in the order in which the body does
  bool shares = false;                    // the body divides its loops by what sm.own_trips() says, and in no other way
  int meetings = 0;
  meeting_plan meeting[max_meetings]{};  // in the order in which they come
  int sums_ring = 0;      // in whose stages they leave their parts, when its loops are over
  int trip_outputs = 0;   // epilogues of the trips of loops, which come first: see trip_output()
  bool whole_rows = false;  // a work item is a row of tiles of the outputs: see rows_of()
  bool wide_tiles = false;  // a tile has all of its rows: see wide_tile_of()
  bool tall_tiles = false;  // a tile has all rows: see block_of()
  hangs_on trips_on = of_no_place;   // what some loop's number of trips hangs on
  bool clears_accumulators = false;  // some run uses one that no product has reached
  loop_table loops{};
  int positions = 0;
  int finish_position = 0;  // of the event behind the body's last
  int threads = 0;
  int gather_warps = 0;  // of the producer, that copy equal parts of gathered rows; 0: there are none
  int producer_registers = 0;
  int consumer_registers = 0;
  int accumulator_registers = 0;  // held at once by a consumer thread, operand fragments included
  int widening_parts = 0;         // in which products make left factors of narrower elements, see widening.hpp; 0: none
  int live_registers = 0;         // of all fragments that live at once, see lives.hpp
  int barrier_bytes = 0;
  int shared_bytes = 0;
  exchange_plan exchange{};
  placed_plan placed{};
  ticket_plan tickets{};
  guard_plan guards{};
  /// Whether setmaxnreg moves registers from the producer to the consumers.
  constexpr bool moves_registers() const { return producer_registers != consumer_registers; }
  constexpr bool splits() const { return how.divides_loops(); }
  /// CTAs of a cluster that have parts of the same rows, because a tile as wide as rows is theirs together.
  constexpr int row_sharers() const { return wide_tiles ? how.cluster.cols : 1; }
  /// Whether consumers that share a tile meet at a named barrier of their own.
  constexpr bool sharers_meet() const { return exchange.meets_in_cta() || placed.places > 0; }
};

/// Everything that was derived from a kernel: what the proofs, the roles, the launch and the model read.
struct plan : plan_head {
  violation refusal{};             // the first reason why there is no such kernel
  std::uint8_t divided_loops = 0;  // modes of how.tile, a bit each, whose tiles a loop takes several at a time
  operand_plan operand[max_operands]{};
  product_table products{};
  cut_table cuts{};  // the vectors that cut modes into groups, and what they cut
  step steps[max_positions]{};
};

/// The mbarriers of CTAs that exchange columns, which count what comes.
constexpr int count_exchange_barriers(const plan_head& p) {
  return p.exchange.columns > 0 && p.exchange.ctas > 1 ? p.exchange.buffers * p.how.tiles_at_once() : 0;
}

/// Which of the epilogues is that of operand `o`, -1: none.
constexpr int find_epilogue(const plan_head& p, int o) {
  for (int n = 0; n < p.epilogues; ++n)
    if (p.epilogue[n].operand == o) return n;
  return -1;
}

/// The name of a product's right factor, as the instruction has it.
constexpr const char* name_of_right(const plan& p, const product_plan& q) {
  return q.placed ? "a fragment" : p.operand[q.b_operand].facts.name;
}

/// Registers that hold the metadata of a thread's share of a sparse product: as many as the largest product needs.
constexpr int metadata_registers(const plan& p) {
  return most_of(p.products.count, 0, [&](int i) {
    const product_plan& q = p.products.at[i];
    return q.instruction.sparse ? q.m_blocks * p.operand[q.a_operand].metadata.k_blocks : 0;
  });
}

}  // namespace sectile
