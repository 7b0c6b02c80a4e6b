// What the roles ask of others, as concepts: of a machine its verbs, of a source of work the next item. A verb that a
// machine lacks is then named where the kernel begins, not somewhere in a role. (What a body asks of its readings:
// reading_of_body, in program/reading.hpp.)
//
// A kernel uses few of the verbs, and each machine has all of them. Those that only look on (tell_...) have more, which
// the roles ask for with a `requires` of their own.
#pragma once
#include <concepts>
#include <cstddef>
#include <cstdint>

#include <sectile/dsl/plan/instruction.hpp>
#include <sectile/dsl/plan/ticket_counters.hpp>

namespace sectile {

// ---- a machine

/// Where a thread is: its number in the CTA, the CTA's in its cluster, the cluster's in the grid; shared memory's begin.
template <class M>
concept has_places = requires(const M& hw) {
  { hw.thread() } -> std::same_as<int>;
  { hw.cta_rank() } -> std::same_as<int>;
  { hw.cluster_index() } -> std::same_as<int>;
  { hw.cluster_count() } -> std::same_as<int>;
  { hw.shared_base() } -> std::same_as<std::uint32_t>;
  { hw.uniform(int{}) } -> std::same_as<int>;
};

/// PTX ISA: mbarrier, barrier.sync and barrier.arrive, barrier.cluster, griddepcontrol, setmaxnreg.
template <class M>
concept has_barriers = requires(M& hw, std::uint32_t barrier, int n, bool yes) {
  hw.mbarrier_init(barrier, n);
  hw.mbarrier_init_fence();
  hw.mbarrier_wait(barrier, n);
  hw.mbarrier_wait_acquire(barrier, n);
  hw.mbarrier_arrive(barrier);
  hw.mbarrier_arrive_at(barrier, n);
  hw.mbarrier_arrive_release(barrier, n);
  hw.mbarrier_arrive_expect(barrier, n);
  hw.named_barrier_sync(n, n);
  hw.named_barrier_arrive(n, n);
  { hw.named_barrier_any(n, n, yes) } -> std::same_as<bool>;
  hw.warp_sync();
  hw.cluster_sync();
  hw.griddepcontrol_wait();
  hw.griddepcontrol_launch_dependents();
  hw.template registers_dec<24>();
  hw.template registers_inc<240>();
};

/// PTX ISA: cp.async.bulk.tensor and its groups, cp.async and its mbarrier.arrive, fence.proxy.async.
template <class M>
concept copies_tiles = requires(M& hw, const typename M::tensor_map& map, std::uint32_t at, const int (&place)[2],
                                const int (&pixel)[4], const std::uint16_t (&offset)[2], const std::byte* matrix,
                                long long row) {
  hw.tma_load(at, map, at, place);
  hw.tma_load_multicast(at, map, at, place, std::uint16_t{});
  hw.tma_load_im2col(at, map, at, pixel, offset);
  hw.tma_load_im2col_multicast(at, map, at, pixel, offset, std::uint16_t{});
  hw.copy_async(at, matrix, 16, row, true);
  hw.mbarrier_arrive_copied(at);
  hw.tma_store(map, at, place);
  hw.bulk_commit();
  hw.template bulk_wait_read<0>();
  hw.template bulk_wait<0>();
  hw.fence_proxy_async();
};

// Some verbs have several forms, of which one is asked for: a test's machine that changes one hides the others.

/// PTX ISA: wgmma. `touch` keeps a compiler from moving what else is done with registers of a product.
template <class M>
concept multiplies = requires(M& hw, typename M::template registers<float, 32>& d,
                              const typename M::template registers<std::uint32_t, 4>& a, std::uint64_t b) {
  hw.wgmma_fence();
  requires requires { hw.template wgmma<wgmma_instruction{}>(d, b, b, true); } || requires {
    hw.template wgmma<wgmma_instruction{}>(d, a, 0, b, true);
  };
  hw.wgmma_commit();
  hw.template wgmma_wait<0>();
  hw.touch(d);
};

/// PTX ISA: ld.shared, st.shared, st.async, ldmatrix, stmatrix, ld.shared::cluster.
template <class M>
concept has_shared_memory = requires(M& hw, std::uint32_t at, std::uint32_t x, std::uint32_t (&r)[4],
                                     const std::uint32_t (&words)[4], int cta) {
  requires requires { hw.load_shared(r, at); } || requires {
    { hw.load_shared(at) } -> std::same_as<std::uint32_t>;
  };
  requires requires { hw.store_shared(at, x); } || requires {
    hw.store_shared(at, x, x);
  } || requires {
    hw.store_shared(at, words);
  };
  hw.load_shared_at(r, at, cta);
  hw.store_shared_async(at, x, at, cta);
  hw.ldmatrix_x4(r, at);
  hw.ldmatrix_x4_trans(r, at);
  hw.stmatrix_x4(at, words);
  hw.stmatrix_x2(at, words);
  hw.stmatrix_x4_trans(at, words);
  hw.stmatrix_x2_trans(at, words);
  hw.stmatrix_x1_trans(at, words);
};

/// Sums and tickets in global memory. PTX ISA: ld, st, atom.
template <class M>
concept has_workspace = requires(M& hw, std::byte* sums, long long offset, ticket_counters counters,
                                 std::uint32_t (&r)[4], const std::uint32_t (&words)[4], int n) {
  hw.store_workspace(sums, offset, words);
  hw.load_workspace(r, sums, offset);
  { hw.take_ticket(counters, n, n) } -> std::same_as<int>;
  hw.await_tickets(counters, n, n);
  hw.open_tickets(counters, n);
  { hw.draw_ticket(counters, n) } -> std::same_as<std::uint64_t>;
  { hw.number_drawn(counters, n, std::uint64_t{}, n) } -> std::same_as<int>;
  hw.close_draws(counters, n);
};

/// What a machine is told that looks on.
template <class M>
concept observes = requires(M& hw, int n, bool yes, const int (&tile)[2], unsigned sharers) {
  hw.observe_item(n);
  hw.observe_meeting(n, n);
  hw.observe_trip(n);
  hw.observe_touch(n);
  hw.observe_product(n, n, n);
  hw.observe_load(n, tile, sharers);
  hw.observe_store(n, yes);
  { hw.trips(n, n) } -> std::same_as<int>;
  { hw.unwinding() } -> std::same_as<bool>;
};

/// PTX ISA: what is done to elements in registers, rounded as each instruction says.
template <class M>
concept has_arithmetic = requires(M& hw, float x, std::uint32_t pair, int n, bool there, const void* from, void* to,
                                  float* numbers) {
  { hw.add(x, x) } -> std::same_as<float>;
  { hw.subtract(x, x) } -> std::same_as<float>;
  { hw.multiply(x, x) } -> std::same_as<float>;
  { hw.divide(x, x) } -> std::same_as<float>;
  { hw.fma(x, x, x) } -> std::same_as<float>;
  { hw.negate(x) } -> std::same_as<float>;
  { hw.maximum(x, x) } -> std::same_as<float>;
  { hw.minimum(x, x) } -> std::same_as<float>;
  { hw.exp2(x) } -> std::same_as<float>;
  { hw.sqrt(x) } -> std::same_as<float>;
  { hw.reciprocal(x) } -> std::same_as<float>;
  { hw.approximate_reciprocal(x) } -> std::same_as<float>;
  { hw.pack_bf16(x, x) } -> std::same_as<std::uint32_t>;
  { hw.pack_f16(x, x) } -> std::same_as<std::uint32_t>;
  { hw.pack_e4m3(x, x) } -> std::same_as<std::uint32_t>;
  { hw.pack_e5m2(x, x) } -> std::same_as<std::uint32_t>;
  { hw.pack_s8(x, x) } -> std::same_as<std::uint32_t>;
  { hw.pack_u8(x, x) } -> std::same_as<std::uint32_t>;
  { hw.f16_of_e4m3(pair) } -> std::same_as<std::uint32_t>;
  { hw.and_xor(pair, pair, pair) } -> std::same_as<std::uint32_t>;
  { hw.low_f16(pair) } -> std::same_as<float>;
  { hw.high_f16(pair) } -> std::same_as<float>;
  { hw.to_float(std::int32_t{}) } -> std::same_as<float>;
  { hw.shuffle_xor(x, n) } -> std::same_as<float>;
  { hw.shuffle(pair, n) } -> std::same_as<std::uint32_t>;
  { hw.template load_global<4>(from, there) } -> std::same_as<std::uint32_t>;
  hw.template store_global<4>(to, pair, there);
  hw.reduce_add(numbers, x, there);
  hw.reduce_max(numbers, x, there);
  hw.reduce_min(numbers, x, there);
};

/// What kernel_entry() runs on. `computes` is false of a machine that only writes down what it is asked.
template <class M>
concept role_machine = has_places<M> && has_barriers<M> && copies_tiles<M> && multiplies<M> && has_shared_memory<M> &&
    has_workspace<M> && observes<M> &&(!M::computes || has_arithmetic<M>);

// ---- a source of work

/// How a role comes by its cluster's next item: look_ahead() where an item begins, next() where it is done. All roles of
/// a cluster get the same numbers, and then one that is no item. tile_of() is the tile of an item: of none, no tile.
template <class S, class Machine, class Role, class Parameters>
concept source_of_work = std::default_initializable<S> && requires(S& s, Machine& hw, Role& role, const Parameters& p) {
  s.look_ahead(hw, p);
  { s.next(role, int{}) } -> std::same_as<int>;
  { s.tile_of(role, int{}, p) } -> std::same_as<int>;
};

}  // namespace sectile
