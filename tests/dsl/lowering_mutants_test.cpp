// A wrong lowering is refused. Each kernel here is right, but its roles run on a machine that drops a verb or gets one
// wrong; the proof runs the same roles on the same machine, and has to name the mistake.
#include <doctest/doctest.h>

#include <sectile/dsl/proofs/verified.hpp>
#include <string>

#include "tests/programs/matmul.hpp"
#include "tests/programs/typed.hpp"

namespace {

using namespace sectile;

using tiny = test::matmul<64, 128, 64, schedule{.stages = 2, .consumers = 1}>;
using pair = test::matmul<64, 64, 64, schedule{.stages = 2, .cluster = {2, 1}, .consumers = 1}>;
using two_consumers = test::matmul<128, 64, 64, schedule{.stages = 2, .consumers = 2, .persistent = true}>;
using test::sparse_product;

/// Two products; the second takes the first one's result as its left factor.
struct chain {
  static constexpr auto operands = sectile::operands(
      input<"A(M,K)", bf16>(row_major, tile(64, 64)), input<"B(N,K)", bf16>(row_major, tile(64, 64)),
      input<"D(N,L)", bf16>(row_major, tile(64, 64)), output<"C(M,L)", bf16>(row_major, tile(64, 64)));
  static constexpr sectile::schedule schedule{.stages = 2, .consumers = 1};
  static constexpr void body(auto& sm, auto A, auto B, auto D, auto C) {
    auto [m, l] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto n : sm.pipelined(B.tiles(0))) {
      auto s = sm.accumulator(sm.load(A, {m, 0}) * transpose(sm.load(B, {n, 0})));
      auto q = cast<bf16>(s);
      acc += q * sm.load(D, {n, l});
    }
    sm.store(C, {m, l}, acc);
  }
};
static_assert(verified<tiny> && verified<pair> && verified<two_consumers> && verified<chain> &&
              verified<sparse_product>);

/// Kernel, on the machine Wrong<recorder>.
template <class Kernel, template <class> class Wrong>
struct on : Kernel {};

}  // namespace

template <class Kernel, template <class> class Wrong, class Machine>
struct sectile::machine_under_test<on<Kernel, Wrong>, Machine> {
  using type = Wrong<Machine>;
};

namespace {

template <class K>
violation verdict_on_protocol() {
  violation first{};
  [&]<int... Run>(std::integer_sequence<int, Run...>) {
    (void)((first = protocol::check_protocol<K, Run>(), first.holds()) && ...);
  }(std::make_integer_sequence<int, protocol::protocol_runs(plan_of<K>)>{});
  return first;
}

void check_refused(const violation& v, rule what, const char* fragment) {
  CAPTURE(std::string(v.says.text));
  CAPTURE(std::string(fragment));
  CHECK(v.what == what);
  CHECK(std::string(v.says.text).find(fragment) != std::string::npos);
}

template <class M>
struct as_it_is : M {};

template <class M>
struct no_wgmma_fence : M {
  constexpr void wgmma_fence() {}
};
template <class M>
struct no_wait : M {
  template <int N>
  constexpr void wgmma_wait() {}
};
template <class M>
struct wait_for_one_less : M {
  template <int N>
  constexpr void wgmma_wait() {
    M::template wgmma_wait<N + 1>();
  }
};
template <class M>
struct no_proxy_fence : M {
  constexpr void fence_proxy_async() {}
};
template <class M>
struct no_epilogue_barrier : M {
  constexpr void named_barrier_sync(int, int) {}
};
template <class M>
struct no_bulk_wait : M {
  template <int N>
  constexpr void bulk_wait() {}
  template <int N>
  constexpr void bulk_wait_read() {}
};
template <class M>
struct barriers_not_initialised : M {
  constexpr void mbarrier_init(std::uint32_t, int) {}
};
template <class M>
struct barriers_initialised_twice : M {
  constexpr void mbarrier_init(std::uint32_t barrier, int arrivals) {
    M::mbarrier_init(barrier, arrivals);
    M::mbarrier_init(barrier, arrivals);
  }
};
template <class M>
struct initialisation_not_fenced : M {
  constexpr void mbarrier_init_fence() {}
};
template <class M>
struct no_cluster_barrier : M {
  constexpr void cluster_sync() {}
};
template <class M>
struct wrong_first_phase : M {  // everybody waits for the other parity
  constexpr void mbarrier_wait(std::uint32_t barrier, int parity) { M::mbarrier_wait(barrier, parity ^ 1); }
};
template <class M>
struct no_waiting_for_stages : M {
  constexpr void mbarrier_wait(std::uint32_t, int) {}
};
template <class M>
struct no_arrivals : M {
  constexpr void mbarrier_arrive(std::uint32_t) {}
  constexpr void mbarrier_arrive_at(std::uint32_t, int) {}
};
template <class M>
struct arrivals_twice : M {
  constexpr void mbarrier_arrive(std::uint32_t barrier) {
    M::mbarrier_arrive(barrier);
    M::mbarrier_arrive(barrier);
  }
};
template <class M>
struct arrivals_at_the_own_cta : M {
  constexpr void mbarrier_arrive_at(std::uint32_t barrier, int) { M::mbarrier_arrive(barrier); }
};
template <class M>
struct bytes_never_announced : M {
  constexpr void mbarrier_arrive_expect(std::uint32_t barrier, int) { M::mbarrier_arrive(barrier); }
};
template <class M>
struct copies_for_the_own_cta : M {
  template <int Rank>
  constexpr void tma_load_multicast(std::uint32_t to, const typename M::tensor_map& map, std::uint32_t barrier,
                                    const int (&c)[Rank], std::uint16_t) {
    M::tma_load(to, map, barrier, c);
  }
};
template <class M>
struct copies_that_signal_the_next_barrier : M {
  template <int Rank>
  constexpr void tma_load(std::uint32_t to, const typename M::tensor_map& map, std::uint32_t barrier,
                          const int (&c)[Rank]) {
    M::tma_load(to, map, barrier + 8, c);
  }
};
template <class M>
struct hardware_barriers_for_two : M {
  constexpr void named_barrier_sync(int id, int threads) { M::named_barrier_sync(id, 2 * threads); }
};
template <class M>
struct reads_one_register_on : M {
  using M::wgmma;
  template <wgmma_instruction I, class D, class A>
  constexpr void wgmma(const D& d, const A& a, int first, std::uint64_t b, bool accumulate) {
    M::template wgmma<I>(d, a, first + 1, b, accumulate);
  }
};
template <class M>
struct swaps_k_steps_of_a : M {
  using M::wgmma;
  template <wgmma_instruction I, class D, class A>
  constexpr void wgmma(const D& d, const A& a, int first, std::uint64_t b, bool accumulate) {
    M::template wgmma<I>(d, a, first ^ 4, b, accumulate);
  }
};
template <class M>
struct a_one_k_step_on : M {
  template <wgmma_instruction I, class D>
  constexpr void wgmma(const D& d, std::uint64_t a, std::uint64_t b, bool accumulate) {
    M::template wgmma<I>(d, a + 2, b, accumulate);  // 32 bytes
  }
};
template <class M>
struct never_accumulates : M {
  template <wgmma_instruction I, class D>
  constexpr void wgmma(const D& d, std::uint64_t a, std::uint64_t b, bool) {
    M::template wgmma<I>(d, a, b, false);
  }
};

template <class Kernel, template <class> class Wrong>
void check_protocol_refuses(rule what, const char* fragment) {
  check_refused(verdict_on_protocol<on<Kernel, Wrong>>(), what, fragment);
}
template <class Kernel, template <class> class Wrong>
void check_feeding_refuses(rule what, const char* fragment) {
  check_refused(protocol::check_feeding<on<Kernel, Wrong>>(), what, fragment);
}

TEST_CASE("a machine that does as it is told passes") {
  check_protocol_refuses<tiny, as_it_is>(rule::holds, "");
  check_protocol_refuses<pair, as_it_is>(rule::holds, "");
  check_protocol_refuses<chain, as_it_is>(rule::holds, "");
  check_protocol_refuses<sparse_product, as_it_is>(rule::holds, "");
  check_feeding_refuses<chain, as_it_is>(rule::holds, "");
}

TEST_CASE("registers: no wgmma.fence") {
  check_protocol_refuses<tiny, no_wgmma_fence>(rule::registers_are_in_use, "a wgmma.fence is missing");
  check_protocol_refuses<chain, no_wgmma_fence>(rule::registers_are_in_use, "a wgmma.fence is missing");
  check_protocol_refuses<sparse_product, no_wgmma_fence>(rule::registers_are_in_use, "a wgmma.fence is missing");
}
TEST_CASE("registers: no wait before they are used") {
  check_protocol_refuses<tiny, no_wait>(rule::registers_are_in_use, "are used while a product on them may still run");
  check_protocol_refuses<chain, no_wait>(rule::registers_are_in_use, "are used while a product on them may still run");
  check_protocol_refuses<tiny, wait_for_one_less>(rule::registers_are_in_use, "a wait for it is missing");
}
TEST_CASE("the epilogue: no proxy fence, no barrier, no wait for TMA") {
  check_protocol_refuses<tiny, no_proxy_fence>(rule::protocol_races, "before its writers' proxy fence and barrier");
  check_protocol_refuses<tiny, no_epilogue_barrier>(rule::protocol_races,
                                                    "before its writers' proxy fence and barrier");
  check_protocol_refuses<tiny, no_bulk_wait>(rule::protocol_races, "while TMA may still read its epilogue buffers");
  check_protocol_refuses<two_consumers, no_bulk_wait>(rule::protocol_races, "is written while TMA may still read it");
}

TEST_CASE("barriers: initialisation") {
  check_protocol_refuses<tiny, barriers_not_initialised>(rule::protocol_races, "that nobody has initialised");
  check_protocol_refuses<tiny, barriers_initialised_twice>(rule::protocol_races, "a barrier is initialised twice");
  check_protocol_refuses<pair, initialisation_not_fenced>(rule::protocol_races,
                                                          "no fence.mbarrier_init has made visible");
  check_protocol_refuses<pair, no_cluster_barrier>(rule::protocol_races, "uses a barrier of CTA");
}
TEST_CASE("barriers: phases and arrivals") {
  check_protocol_refuses<tiny, wrong_first_phase>(rule::protocol_races, "whose consumer has not waited for it");
  check_protocol_refuses<tiny, no_waiting_for_stages>(rule::protocol_races, "");
  check_protocol_refuses<tiny, no_arrivals>(rule::protocol_deadlocks,
                                            "stage 0 of A is not given back as often as it is filled");
  check_protocol_refuses<tiny, arrivals_twice>(rule::arrivals_differ_from_the_barrier_count,
                                               "the empty barrier of stage 0 of A in CTA 0 may receive more arrivals");
  check_protocol_refuses<pair, arrivals_at_the_own_cta>(rule::protocol_races, "");
  check_protocol_refuses<two_consumers, hardware_barriers_for_two>(rule::protocol_deadlocks, "named barrier");
}
TEST_CASE("copies: bytes, masks, barriers") {
  check_protocol_refuses<tiny, bytes_never_announced>(rule::protocol_races,
                                                      "is overwritten before a consumer has read it");
  check_protocol_refuses<pair, copies_for_the_own_cta>(rule::transaction_bytes_differ_from_the_copies, "never come");
  check_protocol_refuses<tiny, copies_that_signal_the_next_barrier>(rule::transaction_bytes_differ_from_the_copies,
                                                                    "24576 of them never come");
}

TEST_CASE("feeding: K steps that do not belong together") {
  check_feeding_refuses<chain, reads_one_register_on>(rule::fragments_do_not_line_up, "multiplies K step");
  check_feeding_refuses<chain, swaps_k_steps_of_a>(rule::fragments_do_not_line_up,
                                                   "multiplies K step 1 of its left factor by K step 0 of operand D");
  check_feeding_refuses<tiny, a_one_k_step_on>(rule::fragments_do_not_line_up,
                                               "multiplies K step 1 of its left factor by K step 0 of operand B");
  check_feeding_refuses<tiny, never_accumulates>(rule::fragments_do_not_line_up, "overwrites the sum of those before");
}

}  // namespace
