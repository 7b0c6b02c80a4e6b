// A machine that only writes down what a role does, in constant evaluation. The protocol proof runs the lowered roles
// themselves on it, so what is proven is what is launched.
//
// A warpgroup acts as one agent: `whole_warpgroup` tells the roles that this machine's thread 0 stands for all 128.
#pragma once
#include <sectile/dsl/roles/entry.hpp>

namespace sectile::protocol {

enum class act : std::uint8_t {
  wait,         // barrier, parity
  arrive,       // barrier, cta
  expect,       // barrier, bytes: announces them and arrives
  load,         // barrier, bytes, slot, mask of CTAs: TMA writes part of a stage
  multiply,     // slots that the closed group of wgmmas reads
  read,         // slot that ordinary loads bring into registers
  retire,       // at most `bytes` groups are still running
  meet,         // hardware barrier: waits for `bytes` threads
  announce,     // hardware barrier: arrives without waiting
  write_panel,  // slot = number of an epilogue buffer
  proxy_fence,
  store_panel,  // TMA reads an epilogue buffer
  close_store,
  reclaim,      // at most `bytes` store groups still read shared memory
};

constexpr int max_slots = 64;  // ring * 16 + stage
constexpr int slot_of(int ring, int stage) { return ring * max_stages + stage; }

struct action {
  act what = act::wait;
  std::int8_t cta = 0;
  std::int16_t barrier = 0;  // number of an mbarrier (8-byte units behind the first) or of a hardware barrier
  std::int32_t bytes = 0;    // or parity, or a count
  std::uint32_t mask = 0;    // CTAs of a load
  std::uint64_t slots = 0;
  std::int8_t operand = 0;   // of a load
  std::int64_t tile = 0;     // of a load: which tile of the operand it is a part of, as one number
};

template <int Capacity>
struct action_log {
  int count = 0;
  bool overflow = false;
  action at[Capacity]{};
  constexpr void add(const action& a) {
    if (count == Capacity)
      overflow = true;
    else
      at[count++] = a;
  }
};

/// Which mbarrier lies at this offset, and which slot or epilogue buffer contains that byte.
struct address_book {
  int first_barrier = 0;
  int rings = 0;
  int offset[max_rings]{}, pitch[max_rings]{}, stages[max_rings]{};
  int epilogue = 0, panel_bytes = 1;

  constexpr int barrier_at(std::uint32_t address) const { return (static_cast<int>(address) - first_barrier) / 8; }
  constexpr int slot_at(std::uint32_t address) const {
    for (int r = 0; r < rings; ++r) {
      const int inside = static_cast<int>(address) - offset[r];
      if (inside >= 0 && inside < stages[r] * pitch[r]) return slot_of(r, inside / pitch[r]);
    }
    return -1;
  }
  constexpr int panel_at(std::uint32_t address) const { return (static_cast<int>(address) - epilogue) / panel_bytes; }
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
  b.epilogue = p.epilogue.offset;
  b.panel_bytes = p.epilogue.panel_bytes;
  return b;
}

template <int Capacity>
struct recorder {
  static constexpr bool computes = false;
  static constexpr bool whole_warpgroup = true;
  struct tensor_map {
    int operand = 0;
    int box_bytes = 0;
    int extent[2]{1, 1};  // of the tile, along and across the contiguous mode
  };
  template <class T, int N>
  struct registers {
    constexpr T operator[](int) const { return T{}; }
  };

  int thread_index = 0, rank = 0, first_item = 0;
  address_book where{};
  loop_table loops{};
  action_log<Capacity> log{};
  std::uint64_t read_slots = 0;  // by wgmmas that no group holds yet
  int open_panel = -1;

  constexpr int thread() const { return thread_index; }
  constexpr int cta_rank() const { return rank; }
  constexpr int cluster_index() const { return first_item; }
  constexpr int cluster_count() const { return 1; }
  constexpr std::uint32_t shared_base() const { return 0; }
  constexpr int uniform(int x) const { return x; }
  static constexpr bool unwinding() { return false; }
  /// The proof, not the program, says how often a loop turns.
  constexpr int trips(int position, int) const { return loops.trips[loops.find(position)]; }

  constexpr void mbarrier_wait(std::uint32_t barrier, int parity) {
    log.add({act::wait, 0, static_cast<std::int16_t>(where.barrier_at(barrier)), parity});
  }
  constexpr void mbarrier_arrive(std::uint32_t barrier) { mbarrier_arrive_at(barrier, rank); }
  constexpr void mbarrier_arrive_at(std::uint32_t barrier, int cta) {
    log.add({act::arrive, static_cast<std::int8_t>(cta), static_cast<std::int16_t>(where.barrier_at(barrier))});
  }
  constexpr void mbarrier_arrive_expect(std::uint32_t barrier, int bytes) {
    log.add({act::expect, 0, static_cast<std::int16_t>(where.barrier_at(barrier)), bytes});
  }
  constexpr void named_barrier_sync(int id, int threads) {
    log.add({act::meet, 0, static_cast<std::int16_t>(id), threads});
  }
  constexpr void named_barrier_arrive(int id, int threads) {
    log.add({act::announce, 0, static_cast<std::int16_t>(id), threads});
  }

  template <int Rank>
  constexpr void tma_load(std::uint32_t to, const tensor_map& map, std::uint32_t barrier, const int (&c)[Rank]) {
    tma_load_multicast(to, map, barrier, c, static_cast<std::uint16_t>(1u << rank));
  }
  template <int Rank>
  constexpr void tma_load_multicast(std::uint32_t to, const tensor_map& map, std::uint32_t barrier,
                                    const int (&c)[Rank], std::uint16_t ctas) {
    std::int64_t tile = 0;
    for (int d = Rank - 1; d >= 0; --d) tile = tile * 4096 + c[d] / (d < 2 ? map.extent[d] : 1);
    log.add({act::load, 0, static_cast<std::int16_t>(where.barrier_at(barrier)), map.box_bytes, ctas,
             std::uint64_t{1} << where.slot_at(to), static_cast<std::int8_t>(map.operand), tile});
  }
  template <int Rank>
  constexpr void tma_store(const tensor_map&, std::uint32_t from, const int (&)[Rank]) {
    log.add({act::store_panel, 0, static_cast<std::int16_t>(where.panel_at(from))});
  }
  constexpr void bulk_commit() { log.add({act::close_store}); }
  template <int N>
  constexpr void bulk_wait_read() {
    log.add({act::reclaim, 0, 0, N});
  }
  template <int N>
  constexpr void bulk_wait() {
    log.add({act::reclaim, 0, 0, N});
  }
  constexpr void fence_proxy_async() {
    log.add({act::proxy_fence});
    open_panel = -1;
  }
  constexpr void ldmatrix_x4(std::uint32_t (&)[4], std::uint32_t from) { read_into_registers(from); }
  constexpr void ldmatrix_x4_trans(std::uint32_t (&)[4], std::uint32_t from) { read_into_registers(from); }
  /// Metadata is for the next group of wgmmas, which is not issued before all warps have it: it counts as that group's.
  constexpr std::uint32_t load_shared(std::uint32_t from) {
    read_address(from);
    return 0;
  }
  constexpr void stmatrix_x4(std::uint32_t to, const std::uint32_t (&)[4]) { write(to); }
  constexpr void stmatrix_x2(std::uint32_t to, const std::uint32_t (&)[4]) { write(to); }
  constexpr void store_shared(std::uint32_t to, std::uint32_t, std::uint32_t) { write(to); }
  template <int Bytes>
  constexpr void copy_to_global(void*, std::uint32_t) {}
  constexpr std::uint32_t pack_bf16(float, float) const { return 0; }
  constexpr std::uint32_t pack_f16(float, float) const { return 0; }

  template <int N>
  constexpr void registers_dec() {}
  template <int N>
  constexpr void registers_inc() {}

  constexpr void wgmma_fence() {}
  template <wgmma_instruction I, class D>
  constexpr void wgmma(const D&, std::uint64_t a, std::uint64_t b, bool) {
    read(a);
    read(b);
  }
  template <wgmma_instruction I, class D, class A>
  constexpr void wgmma(const D&, const A&, int, std::uint64_t b, bool) {
    read(b);
  }
  template <wgmma_instruction I, class D, class M>
  constexpr void wgmma(const D&, std::uint64_t a, std::uint64_t b, bool, const M&, int) {
    read(a);
    read(b);
  }
  constexpr void wgmma_commit() {
    action a{act::multiply};
    a.slots = read_slots;
    log.add(a);
    read_slots = 0;
  }
  template <int N>
  constexpr void wgmma_wait() {
    log.add({act::retire, 0, 0, N});
  }
  template <class R>
  constexpr void touch(const R&) {}

 private:
  constexpr void read(std::uint64_t descriptor) { read_address(decode(descriptor).start_bytes); }
  constexpr void read_address(std::uint32_t from) { read_slots |= std::uint64_t{1} << where.slot_at(from); }
  constexpr void read_into_registers(std::uint32_t from) {
    action a{act::read};
    a.slots = std::uint64_t{1} << where.slot_at(from);
    const bool again = log.count > 0 && log.at[log.count - 1].what == act::read && log.at[log.count - 1].slots == a.slots;
    if (!again) log.add(a);
  }
  constexpr void write(std::uint32_t to) {
    const int panel = where.panel_at(to);
    if (panel == open_panel) return;
    open_panel = panel;
    log.add({act::write_panel, 0, static_cast<std::int16_t>(panel)});
  }
};

/// What role number `role` (0: the producer, then the consumers) of CTA `rank` does when loops turn as `loops` says, for
/// `items` work items (a persistent kernel carries its rings from one to the next).
template <class K, int Capacity>
constexpr action_log<Capacity> record(const loop_table& loops, int items, int rank, int role) {
  constexpr plan p = plan_of<K>;
  using machine = recorder<Capacity>;
  constexpr int tiles = 4;
  kernel_parameters<K, machine> parameters{};
  [&]<int... I>(std::integer_sequence<int, I...>) {
    ((parameters.arguments.template at<I>() = traced_argument<K, I>({tiles})), ...);
  }(std::make_integer_sequence<int, operand_count<K>>{});
  for (int i = 0; i < p.operands; ++i) {
    const operand_plan& op = p.operand[i];
    if (op.facts.kind != operand_kind::input) continue;
    parameters.map[i] = {i, bytes(op.box), {op.facts.contiguous() / op.facts.packing(), op.facts.strided()}};
    if (op.facts.sparse)
      parameters.metadata_map[i] = {
          i, bytes(op.metadata.box), {op.metadata.box.extent[0] * op.metadata.k_blocks, op.metadata.row_blocks}};
  }
  constexpr int o = p.epilogue.operand;
  parameters.output.cols = parameters.output.whole_cols = tiles * p.operand[o].facts.cols();
  parameters.work = work_of<K>(parameters.arguments);
  machine hw{};
  hw.where = address_book_of(p);
  hw.rank = rank;
  hw.loops = loops;
  hw.thread_index = role * warpgroup;
  hw.first_item = parameters.work.count > items ? parameters.work.count - items : 0;
  run_role<K>(hw, parameters);
  return hw.log;
}

}  // namespace sectile::protocol
