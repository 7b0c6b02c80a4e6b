// The tensor copy engine, and copies by threads. PTX ISA, "cp.async.bulk.tensor" and its completion mechanisms,
// "cp.async".
#pragma once
#include <cstddef>
#include <cstdint>

#include <sectile/dsl/hopper/tensor_map.hpp>
#include <sectile/dsl/hopper/verb.hpp>

namespace sectile::hopper {

#define SECTILE_LOAD(dims, list)                                                                                \
  asm volatile("cp.async.bulk.tensor." dims                                                                     \
               "d.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%0], [%1, " list          \
               "], [%2], %8;" ::"r"(to),                                                                        \
               "l"(&map), "r"(barrier), SECTILE_COORDINATES, "l"(map.policy)                                    \
               : "memory")
#define SECTILE_MULTICAST(dims, list)                                                                         \
  asm volatile("cp.async.bulk.tensor." dims                                                                   \
               "d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster.L2::cache_hint "     \
               "[%0], [%1, " list "], [%2], %8, %9;" ::"r"(to),                                               \
               "l"(&map), "r"(barrier), SECTILE_COORDINATES, "h"(ctas), "l"(map.policy)                       \
               : "memory")
#define SECTILE_PIXELS(multicast, more)                                                          \
  "cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes" multicast \
  " [%0], [%1, {%3, %4, %5, %6}], [%2], {%7, %8}" more ";"
#define SECTILE_STORE(dims, list)                                                                             \
  asm volatile("cp.async.bulk.tensor." dims "d.global.shared::cta.bulk_group [%0, " list "], [%1];" ::"l"(&map), \
               "r"(from), "r"(0), SECTILE_COORDINATES                                                         \
               : "memory")
// Five coordinates always; a tensor of lower rank names the first ones only.
#define SECTILE_COORDINATES "r"(at<0>(c)), "r"(at<1>(c)), "r"(at<2>(c)), "r"(at<3>(c)), "r"(at<4>(c))
#define SECTILE_FOR_RANK(OPERATION)                \
  if constexpr (Rank == 1)                         \
    OPERATION("1", "{%3}");                        \
  else if constexpr (Rank == 2)                    \
    OPERATION("2", "{%3, %4}");                    \
  else if constexpr (Rank == 3)                    \
    OPERATION("3", "{%3, %4, %5}");                \
  else if constexpr (Rank == 4)                    \
    OPERATION("4", "{%3, %4, %5, %6}");            \
  else                                             \
    OPERATION("5", "{%3, %4, %5, %6, %7}")

/// Copies between tensors and shared memory. Issued by one thread; coordinates count elements, innermost mode first.
struct copy_verbs {
  /// Brings a box; `barrier` receives its bytes as transactions.
  template <int Rank>
  SECTILE_VERB void tma_load(std::uint32_t to, const tensor_map& map, std::uint32_t barrier, const int (&c)[Rank]) {
    SECTILE_FOR_RANK(SECTILE_LOAD);
  }
  /// Brings a box into the same place of every CTA whose bit is set, and signals the barrier at the same place of each.
  template <int Rank>
  SECTILE_VERB void tma_load_multicast(std::uint32_t to, const tensor_map& map, std::uint32_t barrier,
                                           const int (&c)[Rank], std::uint16_t ctas) {
    SECTILE_FOR_RANK(SECTILE_MULTICAST);
  }
  /// Brings channels of pixels from an image (layouts/im2col.hpp): coordinates C, W, H, N, offsets along W and H.
  SECTILE_VERB void tma_load_im2col(std::uint32_t to, const tensor_map& map, std::uint32_t barrier, const int (&c)[4],
                                    const std::uint16_t (&offset)[2]) {
    asm volatile(SECTILE_PIXELS("", "")::"r"(to), "l"(&map), "r"(barrier), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]),
                 "h"(offset[0]), "h"(offset[1])
                 : "memory");
  }
  SECTILE_VERB void tma_load_im2col_multicast(std::uint32_t to, const tensor_map& map, std::uint32_t barrier,
                                              const int (&c)[4], const std::uint16_t (&offset)[2], std::uint16_t ctas) {
    asm volatile(SECTILE_PIXELS(".multicast::cluster", ", %9")::"r"(to), "l"(&map), "r"(barrier), "r"(c[0]), "r"(c[1]),
                 "r"(c[2]), "r"(c[3]), "h"(offset[0]), "h"(offset[1]), "h"(ctas)
                 : "memory");
  }
  /// 16 bytes that this thread copies, from byte `byte` of the row that begins `row` bytes behind `from`; zeros if they
  /// are not `there`. An ordinary write, later.
  SECTILE_VERB void copy_async(std::uint32_t to, const std::byte* from, int byte, long long row, bool there) {
    const auto wanted = static_cast<std::uint32_t>(there);
    asm volatile(
        "{ .reg .pred none; setp.eq.u32 none, %2, 0; cp.async.cg.shared.global [%0], [%1], 16, none; }" ::"r"(to),
        "l"(from + byte + row), "r"(wanted)
        : "memory");
  }
  /// Arrives when all that this thread has copied so is there.
  SECTILE_VERB void mbarrier_arrive_copied(std::uint32_t barrier) {
    asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(barrier) : "memory");
  }
  /// Writes a box; what lies outside of the tensor is dropped.
  template <int Rank>
  SECTILE_VERB void tma_store(const tensor_map& map, std::uint32_t from, const int (&c)[Rank]) {
    SECTILE_FOR_RANK(SECTILE_STORE);
  }

  SECTILE_VERB void bulk_commit() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }
  /// At most N of this thread's newest groups still read shared memory.
  template <int N>
  SECTILE_VERB void bulk_wait_read() {
    asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(N) : "memory");
  }
  /// At most N of this thread's newest groups are not complete.
  template <int N>
  SECTILE_VERB void bulk_wait() {
    asm volatile("cp.async.bulk.wait_group %0;" ::"n"(N) : "memory");
  }
  /// Makes this thread's ordinary writes to shared memory visible to TMA and wgmma (a barrier must follow).
  SECTILE_VERB void fence_proxy_async() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

 private:
  template <int I, int Rank>
  static constexpr int at(const int (&c)[Rank]) {
    if constexpr (I < Rank)
      return c[I];
    else
      return 0;
  }
};

#undef SECTILE_LOAD
#undef SECTILE_MULTICAST
#undef SECTILE_PIXELS
#undef SECTILE_STORE
#undef SECTILE_COORDINATES
#undef SECTILE_FOR_RANK

}  // namespace sectile::hopper
