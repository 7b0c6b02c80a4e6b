// Instructions that only the debug machine needs: a clock, words in shared memory that other threads look at, and words
// for the host. PTX ISA, "red", "atom", "mapa", "nanosleep", "redux", "membar / fence".
#pragma once
#include <cstdint>

#include <sectile/dsl/hopper/verb.hpp>

namespace sectile::hopper {

struct watching_verbs {
  /// A clock of the whole GPU.
  SECTILE_VERB std::uint64_t nanoseconds() {
    std::uint64_t t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t)::"memory");
    return t;
  }
  SECTILE_VERB void sleep(std::uint32_t ns) { asm volatile("nanosleep.u32 %0;" ::"r"(ns) : "memory"); }
  SECTILE_VERB void trap() { asm volatile("trap;" ::: "memory"); }
  SECTILE_VERB void warp_sync() { asm volatile("bar.warp.sync 0xffffffff;" ::: "memory"); }
  SECTILE_VERB void cta_sync() { asm volatile("bar.sync 0;" ::: "memory"); }
  /// The sum over the warp, which calls it together.
  SECTILE_VERB std::uint32_t warp_sum(std::uint32_t x) {
    std::uint32_t sum;
    asm volatile("redux.sync.add.u32 %0, %1, 0xffffffff;" : "=r"(sum) : "r"(x) : "memory");
    return sum;
  }
  SECTILE_NUMBER(cta_threads, "ntid.x")
  SECTILE_NUMBER(cluster_ctas, "cluster_nctarank")
  /// x, of which the compiler knows nothing: it does not unroll a loop that counts with it, which would take registers.
  SECTILE_VERB int opaque(int x) {
    asm volatile("" : "+r"(x));
    return x;
  }

  // ---- words in shared memory
  SECTILE_VERB std::uint32_t peek(std::uint32_t from) {
    std::uint32_t x;
    asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(x) : "r"(from) : "memory");
    return x;
  }
  /// The word at the same place of another CTA of the cluster, which must not have exited.
  SECTILE_VERB std::uint32_t peek_at(std::uint32_t from, int cta_rank) {
    std::uint32_t x;
    asm volatile(
        "{ .reg .b32 remote;\n"
        "mapa.shared::cluster.u32 remote, %1, %2;\n"
        "ld.relaxed.cluster.shared::cluster.u32 %0, [remote]; }"
        : "=r"(x)
        : "r"(from), "r"(cta_rank)
        : "memory");
    return x;
  }
  SECTILE_VERB void poke(std::uint32_t to, std::uint32_t x) {
    asm volatile("st.volatile.shared.u32 [%0], %1;" ::"r"(to), "r"(x) : "memory");
  }
  /// Adds to a word of the own CTA, or of another one of the cluster.
  SECTILE_VERB void count(std::uint32_t at, std::uint32_t more) {
    asm volatile("red.relaxed.cta.shared::cta.add.u32 [%0], %1;" ::"r"(at), "r"(more) : "memory");
  }
  SECTILE_VERB void count_if(std::uint32_t condition, std::uint32_t at, std::uint32_t more) {
    asm volatile(
        "{ .reg .pred p; setp.ne.u32 p, %0, 0;\n"
        "@p red.relaxed.cta.shared::cta.add.u32 [%1], %2; }" ::"r"(condition),
        "r"(at), "r"(more)
        : "memory");
  }
  SECTILE_VERB void count_at(std::uint32_t at, int cta_rank, std::uint32_t more) {
    asm volatile(
        "{ .reg .b32 remote;\n"
        "mapa.shared::cluster.u32 remote, %0, %1;\n"
        "red.relaxed.cluster.shared::cluster.add.u32 [remote], %2; }" ::"r"(at),
        "r"(cta_rank), "r"(more)
        : "memory");
  }

  // ---- words in global memory and for the host
  /// Writes 1 where a 0 is; whether there was one.
  SECTILE_VERB bool claim(std::uint32_t* at) {
    std::uint32_t before;
    asm volatile("atom.relaxed.gpu.global.cas.b32 %0, [%1], 0, 1;" : "=r"(before) : "l"(at) : "memory");
    return before == 0;
  }
  SECTILE_VERB void tell_host(std::uint32_t* to, std::uint32_t x) {
    asm volatile("st.relaxed.sys.global.u32 [%0], %1;" ::"l"(to), "r"(x) : "memory");
  }
  SECTILE_VERB void fence_system() { asm volatile("fence.sc.sys;" ::: "memory"); }
};

}  // namespace sectile::hopper
