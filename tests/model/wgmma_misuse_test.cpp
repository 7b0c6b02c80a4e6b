// wgmma used wrongly: waits, descriptors, registers, shared memory, disagreement. Beside each mistake the right way.
#include <doctest/doctest.h>

#include "operands.hpp"

using namespace kit;
using sectile::model::hazard_kind;
using sectile::model::options;
using sectile::model::registers;

namespace {

/// Runs `use` on a warpgroup whose operands (64 x 64 each, K-major, swizzled over 128 bytes) are there.
template <class F>
auto with_operands(const options& how, F use) {
  static const kit::matrix x = kit::random_matrix(64, k_tile, 5);
  static const tensor_map map = kit::map_of(x, 64, 64, swizzle_mode::b128);
  const operand tile{major::k, swizzle_mode::b128, 64};
  return hazard_of(warpgroup, how, [&](machine& hw) {
    fetch(hw, tile, map, tile, map);
    use(hw);
  });
}

constexpr auto plain = instruction(64, major::k, major::k);
const std::uint64_t a_desc = kit::descriptor(a_at, 16, 1024, swizzle_mode::b128);
const std::uint64_t b_desc = kit::descriptor(b_at, 16, 1024, swizzle_mode::b128);

TEST_CASE("a wait covers the older groups and not the newest") {
  const auto run = [](bool touch_newest, const options& how) {
    return with_operands(how, [touch_newest](machine& hw) {
      registers<float, 32> first, second;
      hw.wgmma_fence();
      hw.wgmma<plain>(first, a_desc, b_desc, false);
      hw.wgmma_commit();
      hw.wgmma<plain>(second, a_desc, b_desc, false);
      hw.wgmma_commit();
      hw.wgmma_wait<1>();
      hw.touch(first);
      first[0] = first[0] + 1;
      if (touch_newest) hw.touch(second);
      hw.wgmma_wait<0>();
      hw.touch(second);
      second[0] = 0;
    });
  };
  for (const options& how : kit::schedules(6)) {
    CHECK(!run(false, how));
    const auto found = run(true, how);
    REQUIRE(found);
    CHECK(found->kind == hazard_kind::register_in_flight);
    CHECK(found->says("takes over registers that are the accumulator of a pending wgmma (group 2)"));
  }
}

TEST_CASE("descriptors that are not right") {
  const auto found = [](std::uint64_t a, std::uint64_t b) {
    return with_operands({.workers = 1}, [a, b](machine& hw) {
      registers<float, 32> acc;
      hw.wgmma_fence();
      hw.wgmma<plain>(acc, a, b, false);
      hw.wgmma_commit();
      hw.wgmma_wait<0>();
    });
  };
  const auto refused = [&](std::uint64_t a, std::uint64_t b, const char* why) {
    const auto h = found(a, b);
    REQUIRE(h);
    INFO(h->message);
    CHECK(h->kind == hazard_kind::bad_descriptor);
    CHECK(h->says(why));
  };
  CHECK(!found(a_desc, b_desc));
  refused(a_desc | std::uint64_t{1} << 14, b_desc, "the descriptor of operand A");
  refused(a_desc, b_desc | std::uint64_t{1} << 55, "must be 0, but these are not: 0x0080000000000000");
  refused(a_desc | std::uint64_t{1} << 49, b_desc, "base offset 1");
  refused(a_desc, kit::descriptor(b_at + 128, 16, 1024, swizzle_mode::b128),
          "not within the first row of a swizzle pattern");
  refused(kit::descriptor(a_at + 112, 16, 1024, swizzle_mode::b128), b_desc, "cross the swizzle span of 128");
  refused(a_desc, kit::descriptor(b_at, 16, 32768, swizzle_mode::b128), "a reach outside the shared memory");
  const auto unwritten = found(a_desc, kit::descriptor(b_at + 8192, 16, 1024, swizzle_mode::b128));
  REQUIRE(unwritten);
  CHECK(unwritten->kind == hazard_kind::read_before_full);
  CHECK(unwritten->says("which nothing has written"));
}

TEST_CASE("registers: fences, shapes, lifetimes") {
  const auto kind = [](const options& how, auto use) {
    const auto h = with_operands(how, use);
    REQUIRE(h);
    INFO(h->message);
    return h->kind;
  };
  for (const options& how : kit::schedules(4)) {
    CHECK(kind(how, [](machine& hw) {  // written after the fence
            registers<float, 32> acc;
            hw.wgmma_fence();
            acc[3] = 1;
            hw.wgmma<plain>(acc, a_desc, b_desc, true);
            hw.wgmma_commit();
            hw.wgmma_wait<0>();
          }) == hazard_kind::missing_wgmma_fence);
    CHECK(!with_operands(how, [](machine& hw) {  // back to back, one fence
      registers<float, 32> acc;
      hw.wgmma_fence();
      for (int i = 0; i < 3; ++i) {
        hw.wgmma<plain>(acc, a_desc, b_desc, i > 0);
        hw.wgmma_commit();
      }
      hw.wgmma_wait<0>();
    }));
    CHECK(kind(how, [](machine& hw) {  // another type on the same registers
            registers<float, 32> acc;
            constexpr auto other = of_types<sectile::e4m3, sectile::e4m3, float>(32);
            hw.wgmma_fence();
            hw.wgmma<plain>(acc, a_desc, b_desc, false);
            hw.wgmma<other>(acc, a_desc, b_desc, true);
            hw.wgmma_commit();
            hw.wgmma_wait<0>();
          }) == hazard_kind::accumulator_shape);
    CHECK(kind(how, [](machine& hw) {  // gone before the wait
            {
              registers<float, 32> acc;
              hw.wgmma_fence();
              hw.wgmma<plain>(acc, a_desc, b_desc, false);
              hw.wgmma_commit();
            }
            hw.wgmma_wait<0>();
          }) == hazard_kind::register_in_flight);
    CHECK(kind(how, [](machine& hw) {  // copied before the wait
            registers<float, 32> acc;
            hw.wgmma_fence();
            hw.wgmma<plain>(acc, a_desc, b_desc, false);
            hw.wgmma_commit();
            const registers<float, 32> copy = acc;
            hw.wgmma_wait<0>();
            CHECK(copy.size() == 32);
          }) == hazard_kind::register_in_flight);
  }
  CHECK(kind({.workers = 1}, [](machine&) {
          registers<float, 4> few;
          few[4] = 0;
        }) == hazard_kind::out_of_range);
}

TEST_CASE("shared memory must stay as it is until the wait") {
  const auto run = [](bool waits, const options& how) {
    return with_operands(how, [waits](machine& hw) {
      registers<float, 32> acc;
      hw.wgmma_fence();
      hw.wgmma<plain>(acc, a_desc, b_desc, false);
      hw.wgmma_commit();
      if (waits) hw.wgmma_wait<0>();
      if (hw.thread() == 127) hw.store_shared(a_at + 8, 1.0f, 2.0f);
      hw.wgmma_wait<0>();
    });
  };
  for (const options& how : kit::schedules(6)) {
    CHECK(!run(true, how));
    const auto found = run(false, how);
    // Before the last thread has come the instruction has read nothing: then it finds the store, which is not fenced.
    REQUIRE(found);
    CHECK((found->kind == hazard_kind::overwrite_while_read || found->kind == hazard_kind::missing_proxy_fence ||
           found->kind == hazard_kind::read_before_full));
  }
}

TEST_CASE("ordinary stores as an operand need a fence and a barrier") {
  // Of threads that know the same one stands for all: whoever stores, the others do not know of it.
  const auto run = [](bool fence, bool barrier, const options& how, int storing = 9) {
    return with_operands(how, [fence, barrier, storing](machine& hw) {
      hw.named_barrier_sync(0, 128);
      if (hw.thread() == storing) hw.store_shared(a_at + 8, 1.0f, 2.0f);
      if (fence) hw.fence_proxy_async();
      if (barrier) hw.named_barrier_sync(0, 128);
      registers<float, 32> acc;
      hw.wgmma_fence();
      hw.wgmma<plain>(acc, a_desc, b_desc, false);
      hw.wgmma_commit();
      hw.wgmma_wait<0>();
    });
  };
  for (const options& how : kit::schedules(6)) {
    CHECK(!run(true, true, how));
    const auto unfenced = run(false, true, how);
    REQUIRE(unfenced);
    CHECK(unfenced->kind == hazard_kind::missing_proxy_fence);
    const auto unordered = run(true, false, how);
    REQUIRE(unordered);
    CHECK(unordered->kind == hazard_kind::read_before_full);
  }
  for (int storing = 0; storing < 128; ++storing) {
    CAPTURE(storing);
    CHECK(run(true, false, {.workers = 1}, storing));
  }
}

TEST_CASE("the 128 threads must agree") {
  const auto kind = [](auto use) {
    const auto h = with_operands({.workers = 1}, use);
    REQUIRE(h);
    INFO(h->message);
    return h->kind;
  };
  CHECK(kind([](machine& hw) {
          registers<float, 32> acc;
          hw.wgmma_fence();
          hw.wgmma<plain>(acc, hw.thread() < 64 ? a_desc : b_desc, b_desc, false);
          hw.wgmma_commit();
          hw.wgmma_wait<0>();
        }) == hazard_kind::divergent);
  CHECK(kind([](machine& hw) {
          hw.wgmma_fence();
          if (hw.thread() != 5) hw.wgmma_commit();
          hw.wgmma_wait<0>();
        }) == hazard_kind::divergent);
  CHECK(kind([](machine& hw) {
          if (hw.thread() < 127) hw.wgmma_fence();
        }) == hazard_kind::divergent);
  const auto few = hazard_of({.threads = 96, .shared_bytes = 1024}, [](machine& hw) { hw.wgmma_fence(); });
  REQUIRE(few);
  CHECK(few->kind == hazard_kind::divergent);
}

}  // namespace
