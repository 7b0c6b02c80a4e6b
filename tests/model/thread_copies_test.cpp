// cp.async on the model: what it brings, when it may be read and by whom, and misuse.
#include <doctest/doctest.h>

#include <vector>

#include "kit.hpp"

using kit::hazard_of;
using kit::swizzle_mode;
using sectile::model::grid;
using sectile::model::hazard_kind;
using sectile::model::machine;
using sectile::model::simulate;

namespace {

constexpr std::uint32_t bar = 1024, data = 2048;
const grid small{.clusters = 1, .cluster_size = 1, .threads = 64, .shared_bytes = 65536};

/// 32 pieces of 16 bytes.
struct source {
  alignas(16) std::uint32_t word[32 * 4];
  source() {
    for (std::uint32_t i = 0; i < 32 * 4; ++i) word[i] = 1000 + i;
  }
  const std::byte* bytes() const { return reinterpret_cast<const std::byte*>(word); }
};

/// The first warp copies a piece a lane, behind a barrier that all know of; then each thread goes on in `behind`.
template <class Behind>
auto copying(const source& from, Behind behind) {
  return [&from, behind](machine& hw) {
    if (hw.thread() == 0) {
      hw.mbarrier_init(bar, 32);
      hw.mbarrier_init_fence();
    }
    hw.cluster_sync();
    const int lane = hw.thread();
    if (lane < 32) {
      hw.copy_async(data + 16 * static_cast<std::uint32_t>(lane), from.bytes(), 16 * (lane % 4), 64 * (lane / 4),
                    lane % 5 != 3);
      hw.mbarrier_arrive_copied(bar);
    }
    behind(hw);
  };
}

TEST_CASE("pieces and zeros come to where each lane says, and a wait for the barrier knows of them") {
  const source from;
  for (const auto& how : kit::schedules(4))
    simulate(small, how, copying(from, [&](machine& hw) {
               hw.mbarrier_wait(bar, 0);
               for (std::uint32_t i = 0; i < 32 * 4; ++i)
                 CHECK(hw.load_shared(data + 4 * i) == (i / 4 % 5 != 3 ? from.word[i] : 0));
             }));
}
TEST_CASE("who has not waited reads what may still be on its way") {
  const source from;
  const auto found = hazard_of(small, copying(from, [](machine& hw) {
                                 if (hw.thread() == 40) hw.load_shared(data);
                                 hw.mbarrier_wait(bar, 0);
                               }));
  REQUIRE(found);
  CHECK(found->kind == hazard_kind::read_before_full);
  CHECK(found->says("the copy_async of "));
}
TEST_CASE("TMA and wgmma see copies of threads behind a fence behind the wait") {
  const source from;
  kit::matrix to(4, 64);
  const auto map = kit::map_of(to, 4, 64, swizzle_mode::none);
  for (const int fence_of : {-1, 0, 1, 2}) {  // nobody's; behind the wait; in front of it; of another thread
    CAPTURE(fence_of);
    const auto found = hazard_of(small, copying(from, [&](machine& hw) {
                                   if (fence_of == 1) hw.fence_proxy_async();
                                   hw.mbarrier_wait(bar, 0);
                                   if (fence_of == 0 || (fence_of == 2 && hw.thread() != 50)) hw.fence_proxy_async();
                                   if (hw.thread() != 50) return;
                                   const int at[]{0, 0};
                                   hw.tma_store(map, data, at);
                                   hw.bulk_commit();
                                   hw.bulk_wait<0>();
                                 }));
    REQUIRE(found.has_value() == (fence_of != 0));
    if (!found) continue;
    CHECK(found->kind == hazard_kind::missing_proxy_fence);
    CHECK(found->says("between the wait for phase 0"));
  }
}
TEST_CASE("copies to what somebody may still read, copies that nobody tells, and an end that waits for none") {
  const source from;
  const auto again = [&](auto between) {
    return hazard_of(small, copying(from, [&, between](machine& hw) {
                       hw.mbarrier_wait(bar, 0);
                       hw.load_shared(data);
                       between(hw);
                       if (hw.thread() >= 32) return;
                       hw.copy_async(data + 16 * static_cast<std::uint32_t>(hw.thread()), from.bytes(), 0, 0, true);
                       hw.mbarrier_arrive_copied(bar);
                       hw.mbarrier_wait(bar, 1);
                     }));
  };
  CHECK_FALSE(again([](machine& hw) { hw.named_barrier_sync(1, 64); }));
  const auto early = again([](machine&) {});
  REQUIRE(early);
  CHECK(early->kind == hazard_kind::overwrite_while_read);

  const auto untold = hazard_of(small, copying(from, [&](machine& hw) {
                                  hw.mbarrier_wait(bar, 0);
                                  if (hw.thread() == 0) hw.copy_async(data + 4096, from.bytes(), 0, 0, true);
                                }));
  REQUIRE(untold);
  CHECK(untold->kind == hazard_kind::exit_in_flight);
  CHECK(untold->says("exits with 1 copy of which no barrier is told"));
  const auto unseen = hazard_of(small, copying(from, [](machine&) {}));
  REQUIRE(unseen);
  CHECK(unseen->kind == hazard_kind::exit_in_flight);
}
TEST_CASE("addresses that a piece of 16 bytes does not have") {
  const source from;
  const auto copy = [&](std::uint32_t to, int byte) {
    return hazard_of(small, [&, to, byte](machine& hw) {
      if (hw.thread() == 0) hw.copy_async(to, from.bytes(), byte, 0, true);
    });
  };
  for (const auto& found : {copy(data + 8, 0), copy(data, 8)}) {
    REQUIRE(found);
    CHECK(found->kind == hazard_kind::misaligned);
  }
  const auto outside = copy(1024 + 65536, 0);
  REQUIRE(outside);
  CHECK(outside->kind == hazard_kind::out_of_range);
}

}  // namespace
