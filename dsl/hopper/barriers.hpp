// mbarriers, hardware barriers, cluster barriers and the register split. PTX ISA, "mbarrier", "barrier", "setmaxnreg".
#pragma once
#include <cstdint>

#include <sectile/dsl/hopper/verb.hpp>

namespace sectile::hopper {

struct barrier_verbs {
  SECTILE_VERB void mbarrier_init(std::uint32_t barrier, int arrivals) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals) : "memory");
  }
  /// Makes initialised barriers visible to the cluster and to TMA; a cluster barrier must follow.
  SECTILE_VERB void mbarrier_init_fence() {
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  /// Returns when the phase of this parity has completed.
  SECTILE_VERB void mbarrier_wait(std::uint32_t barrier, int parity) {
    asm volatile(
        "{ .reg .pred done;\n"
        "again_%=: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
        "@done bra.uni past_%=;\n"
        "bra.uni again_%=;\n"
        "past_%=: }" ::"r"(barrier),
        "r"(parity)
        : "memory");
  }
  /// Whether it has: a wait that would return at once.
  SECTILE_VERB bool mbarrier_test(std::uint32_t barrier, int parity) {
    int done;
    asm volatile(
        "{ .reg .pred done;\n"
        "mbarrier.test_wait.parity.shared::cta.b64 done, [%1], %2;\n"
        "selp.b32 %0, 1, 0, done; }"
        : "=r"(done)
        : "r"(barrier), "r"(parity)
        : "memory");
    return done != 0;
  }
  SECTILE_VERB void mbarrier_arrive(std::uint32_t barrier) {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
  }
  /// Arrives on the barrier at the same place in another CTA of the cluster. The spelling without .release.cluster is
  /// on purpose: with it the arrive compiles to a fence of the whole GPU, which cost 30 % of a GEMM's main loop.
  SECTILE_VERB void mbarrier_arrive_at(std::uint32_t barrier, int cta_rank) {
    asm volatile(
        "{ .reg .b32 remote;\n"
        "mapa.shared::cluster.u32 remote, %0, %1;\n"
        "mbarrier.arrive.shared::cluster.b64 _, [remote]; }" ::"r"(barrier),
        "r"(cta_rank)
        : "memory");
  }
  /// The same where the other CTA then reads what this one's threads have written to shared memory before, and its
  /// wait.
  SECTILE_VERB void mbarrier_arrive_release(std::uint32_t barrier, int cta_rank) {
    asm volatile(
        "{ .reg .b32 remote;\n"
        "mapa.shared::cluster.u32 remote, %0, %1;\n"
        "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [remote]; }" ::"r"(barrier),
        "r"(cta_rank)
        : "memory");
  }
  SECTILE_VERB void mbarrier_wait_acquire(std::uint32_t barrier, int parity) {
    asm volatile(
        "{ .reg .pred done;\n"
        "again_%=: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 done, [%0], %1;\n"
        "@done bra.uni past_%=;\n"
        "bra.uni again_%=;\n"
        "past_%=: }" ::"r"(barrier),
        "r"(parity)
        : "memory");
  }
  /// Announces bytes that TMA will bring, and arrives.
  SECTILE_VERB void mbarrier_arrive_expect(std::uint32_t barrier, int bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
  }

  /// Of a cluster of one CTA, the CTA's own barrier does: that of a cluster costs 0.2 us more.
  SECTILE_VERB void cluster_sync() {
    std::uint32_t ctas;
    asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(ctas));
    if (ctas == 1)
      asm volatile("bar.sync 0;" ::: "memory");
    else
      asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
  }
  /// The same of several CTAs that have done nothing yet but set up their barriers, which mbarrier_init_fence shows: an
  /// arrival that releases more is a fence of the whole GPU.
  SECTILE_VERB void cluster_begin() {
    asm volatile("barrier.cluster.arrive.relaxed.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
  }
  /// And in two halves: this thread is done with its peers, but not yet with itself.
  SECTILE_VERB void cluster_arrive() { asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory"); }
  SECTILE_VERB void cluster_wait() { asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory"); }
  /// Waits until the kernels before on the stream have ended and what they wrote can be seen.
  SECTILE_VERB void griddepcontrol_wait() { asm volatile("griddepcontrol.wait;" ::: "memory"); }
  /// When all CTAs have come here, the kernel behind may begin.
  SECTILE_VERB void griddepcontrol_launch_dependents() {
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
  }
  SECTILE_VERB void named_barrier_sync(int id, int threads) {
    asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
  }
  /// The same, which tells all threads whether any has said `yes`.
  SECTILE_VERB bool named_barrier_any(int id, int threads, bool yes) {
    std::uint32_t any;
    asm volatile(
        "{ .reg .pred p, q; setp.ne.u32 p, %3, 0;\n"
        "bar.red.or.pred q, %1, %2, p; selp.u32 %0, 1, 0, q; }"
        : "=r"(any)
        : "r"(id), "r"(threads), "r"(static_cast<std::uint32_t>(yes))
        : "memory");
    return any != 0;
  }
  SECTILE_VERB void named_barrier_arrive(int id, int threads) {
    asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(threads) : "memory");
  }

  template <int Registers>
  SECTILE_VERB void registers_dec() {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(Registers));
  }
  template <int Registers>
  SECTILE_VERB void registers_inc() {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(Registers));
  }
};

}  // namespace sectile::hopper
