// TMA: which bytes a box is, where they land, what is filled and clipped, who is told; and misuse.
#include <doctest/doctest.h>

#include <vector>

#include "kit.hpp"

using kit::hazard_of;
using kit::swizzle_mode;
using sectile::tma_box;
using sectile::model::grid;
using sectile::model::hazard_kind;
using sectile::model::machine;
using sectile::model::make_tensor_map;
using sectile::model::options;
using sectile::model::simulate;
using sectile::model::tensor_map;

namespace {

constexpr std::uint32_t bar = 1024;
constexpr std::uint32_t data = 2048;

const grid small{.clusters = 1, .cluster_size = 1, .threads = 32, .shared_bytes = 65536};

/// Loads one box and stores it again, elsewhere.
template <int Rank>
void copy(machine& hw, const tensor_map& from, const int (&at)[Rank], const tensor_map& to, const int (&there)[Rank]) {
  if (hw.thread() != 0) return;
  hw.mbarrier_init(bar, 1);
  hw.mbarrier_init_fence();
  hw.mbarrier_arrive_expect(bar, bytes(from.box));
  hw.tma_load(data, from, bar, at);
  hw.mbarrier_wait(bar, 0);
  hw.tma_store(to, data, there);
  hw.bulk_commit();
  hw.bulk_wait<0>();
}

/// A tensor of 16-bit elements, extents innermost first, and a map of it.
struct tensor {
  std::vector<std::int64_t> extent, stride{};  ///< stride in elements
  std::vector<std::uint16_t> data{};

  explicit tensor(std::vector<std::int64_t> e, std::uint16_t fill) : extent(std::move(e)) {
    std::int64_t size = 1;
    for (const std::int64_t x : extent) {
      stride.push_back(size);
      size = (size * x + 7) / 8 * 8;  // rows of whole 16 bytes
    }
    data.assign(static_cast<std::size_t>(size), fill);
  }
  void number() {
    for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<std::uint16_t>(i * 7 + 1);
  }
  tensor_map map(const tma_box& box) {
    std::vector<std::int64_t> bytes;
    for (std::size_t d = 1; d < stride.size(); ++d) bytes.push_back(stride[d] * 2);
    return make_tensor_map(data.data(), box.rank, extent.data(), bytes.data(), box, 16);
  }
  /// The element, or nullptr outside.
  std::uint16_t* at(const std::vector<std::int64_t>& c) {
    std::int64_t offset = 0;
    for (std::size_t d = 0; d < c.size(); ++d) {
      if (c[d] < 0 || c[d] >= extent[d]) return nullptr;
      offset += c[d] * stride[d];
    }
    return &data[static_cast<std::size_t>(offset)];
  }
};

/// All coordinates of a box.
template <class F>
void for_each(const tma_box& box, F f) {
  std::vector<std::int64_t> c(static_cast<std::size_t>(box.rank), 0);
  while (true) {
    f(c);
    std::size_t d = 0;
    while (d < c.size() && ++c[d] == box.extent[d]) c[d++] = 0;
    if (d == c.size()) return;
  }
}

template <int Rank>
void check_copy(const tma_box& box, std::vector<std::int64_t> extent, const int (&at)[Rank], const int (&there)[Rank]) {
  tensor from(extent, 0), to(extent, 0xABCD);
  from.number();
  tensor expected = to;
  for_each(box, [&](const std::vector<std::int64_t>& c) {
    auto source = c, target = c;
    for (std::size_t d = 0; d < c.size(); ++d) {
      source[d] += at[d];
      target[d] += there[d];
    }
    const std::uint16_t* x = from.at(source);
    if (std::uint16_t* y = expected.at(target)) *y = x != nullptr ? *x : 0;
  });
  const tensor_map source = from.map(box), target = to.map(box);
  for (const options& how : kit::schedules(3)) {
    to.data.assign(to.data.size(), 0xABCD);
    simulate(small, how, [&](machine& hw) { copy(hw, source, at, target, there); });
    CHECK(to.data == expected.data);
  }
}

TEST_CASE("boxes of rank 1 to 5, inside and over every edge: filled with zeros, clipped when stored") {
  for (const int shift : {0, 3, -5}) {
    check_copy<1>({1, {64}, 16}, {200}, {152 + 8 * shift}, {96});
    check_copy<2>({2, {16, 8}, 16}, {40, 20}, {32 + 8 * shift, 2 * shift}, {32, 15});
    check_copy<3>({3, {8, 4, 3}, 16}, {24, 7, 5}, {8 * shift, 5, shift}, {16, 0, 3});
    check_copy<4>({4, {8, 3, 2, 4}, 16}, {24, 5, 3, 6}, {8, shift, 1, shift}, {8, 3, 2, 4});
    check_copy<5>({5, {8, 2, 3, 2, 2}, 16}, {16, 3, 5, 4, 3}, {8 * shift, 2, shift, 1, 2}, {8, 1, 3, 3, 2});
  }
  check_copy<2>({2, {16, 8}, 16}, {40, 20}, {400, -70}, {0, 0});
}

TEST_CASE(
    "a store clips rows in pieces of 16 bytes, as the chip does: a ragged row is written up to the end of its piece") {
  constexpr tma_box box{2, {16, 4}, 16};
  alignas(16) std::uint16_t from[4][16], to[4][16];
  for (int i = 0; i < 64; ++i) {
    from[i / 16][i % 16] = static_cast<std::uint16_t>(i);
    to[i / 16][i % 16] = 0xABCD;
  }
  const std::int64_t whole[] = {16, 4}, ragged[] = {5, 3}, stride[] = {32};
  const tensor_map source = make_tensor_map(static_cast<const void*>(from), 2, whole, stride, box, 16);
  const tensor_map target = make_tensor_map(static_cast<void*>(to), 2, ragged, stride, box, 16);
  simulate(small, {}, [&](machine& hw) { copy(hw, source, {0, 0}, target, {0, 0}); });
  for (int row = 0; row < 4; ++row)
    for (int col = 0; col < 16; ++col) CHECK(to[row][col] == (row < 3 && col < 8 ? row * 16 + col : 0xABCD));
}

TEST_CASE("swizzled boxes come back as they went, at any aligned place") {
  check_copy<2>({2, {64, 16}, 16, swizzle_mode::b128}, {104, 40}, {40, 30}, {8, 5});
  check_copy<2>({2, {32, 16}, 16, swizzle_mode::b64}, {104, 40}, {-8, -2}, {8, 5});
  check_copy<2>({2, {16, 16}, 16, swizzle_mode::b32}, {104, 40}, {16, 3}, {88, 30});
}

TEST_CASE("a box lands where the layout says, swizzled by absolute address bits") {
  constexpr std::uint32_t reach = 4096;  // bytes that are looked at
  const tma_box window{1, {256}, 16, swizzle_mode::none};
  for (const swizzle_mode mode : {swizzle_mode::none, swizzle_mode::b32, swizzle_mode::b64, swizzle_mode::b128}) {
    const int cols = mode == swizzle_mode::none ? 64 : span_bytes(mode) / 2;
    const tma_box box{2, {cols, 16}, 16, mode};
    tensor from({cols, 16}, 0), seen({256}, 0);
    from.number();
    const tensor_map source = from.map(box), target = seen.map(window);
    for (const std::uint32_t start : {data, data + 3 * 128}) {
      std::vector<std::uint16_t> memory;
      simulate(small, {.check_hazards = false, .workers = 1}, [&](machine& hw) {
        if (hw.thread() != 0) return;
        hw.mbarrier_init(bar, 1);
        hw.mbarrier_arrive_expect(bar, bytes(box));
        hw.tma_load(start, source, bar, {0, 0});
        hw.mbarrier_wait(bar, 0);
        for (std::uint32_t at = data; at < data + reach; at += 512) {
          hw.tma_store(target, at, {0});
          hw.bulk_commit();
          hw.bulk_wait<0>();
          memory.insert(memory.end(), seen.data.begin(), seen.data.begin() + 256);
        }
      });
      std::vector<std::uint16_t> expected(reach / 2, 0xFFFF);
      for (int r = 0; r < 16; ++r) {
        for (int c = 0; c < cols; ++c) {
          const auto linear = static_cast<std::uint32_t>(2 * (r * cols + c));
          const auto at = static_cast<std::uint32_t>(byte_swizzle(mode)(start + linear)) - data;
          expected[at / 2] = *from.at({c, r});
          if (start % 1024 == 0) CHECK(at == static_cast<std::uint32_t>(smem_offset(box, c, r)));
        }
      }
      CHECK(memory == expected);
    }
  }
}

TEST_CASE("multicast: the same bytes at the same offset of every CTA in the mask, and each one is told") {
  kit::matrix x = kit::random_matrix(16, 64, 3), out(3 * 16, 64);
  const tensor_map in = kit::map_of(x, 16, 64, swizzle_mode::b128), to = kit::map_of(out, 16, 64, swizzle_mode::b128);
  for (const options& how : kit::schedules(6)) {
    out.data.assign(out.data.size(), 0);
    simulate({.clusters = 1, .cluster_size = 3, .threads = 32, .shared_bytes = 8192}, how, [&](machine& hw) {
      if (hw.thread() == 0) {
        hw.mbarrier_init(bar, 1);
        hw.mbarrier_init_fence();
      }
      hw.cluster_sync();
      if (hw.thread() == 0 && hw.cta_rank() == 1) hw.tma_load_multicast(data, in, bar, {0, 0}, 0b101);
      if (hw.thread() == 0 && hw.cta_rank() != 1) {
        hw.mbarrier_arrive_expect(bar, 2048);
        hw.mbarrier_wait(bar, 0);
        hw.tma_store(to, data, {0, 16 * hw.cta_rank()});
        hw.bulk_commit();
        hw.bulk_wait<0>();
      }
      hw.cluster_sync();
    });
    for (int i = 0; i < 16 * 64; ++i) {
      CHECK(out.data[static_cast<std::size_t>(i)] == x.data[static_cast<std::size_t>(i)]);
      CHECK(out.data[static_cast<std::size_t>(2048 + i)] == x.data[static_cast<std::size_t>(i)]);
      CHECK(out.data[static_cast<std::size_t>(1024 + i)] == 0);
    }
  }
}

TEST_CASE("what cuTensorMapEncodeTiled refuses") {
  alignas(16) static std::uint16_t memory[1024];
  const auto make = [&](std::vector<std::int64_t> extent, std::vector<std::int64_t> stride, tma_box box, int shift = 0,
                        int bits = 16) {
    return make_tensor_map(memory + shift, static_cast<int>(extent.size()), extent.data(), stride.data(), box, bits);
  };
  CHECK_NOTHROW(make({64, 16}, {128}, {2, {64, 16}, 16, swizzle_mode::b128}));
  CHECK_THROWS_WITH(make({64, 16}, {120}, {2, {64, 16}, 16}),
                    "tensor map: the stride of dimension 1 is 120 bytes, which is not a multiple of 16");
  CHECK_THROWS_WITH(make({64, 16}, {128}, {2, {4, 16}, 16}),
                    "tensor map: the innermost row of the box is 8 bytes, which is not a multiple of 16");
  CHECK_THROWS_WITH(make({64, 16}, {128}, {2, {64, 16}, 16, swizzle_mode::b64}),
                    "tensor map: the innermost row of the box is 128 bytes, more than the 64 of the swizzle span");
  CHECK_THROWS_WITH(make({64, 16}, {128}, {2, {64, 257}, 16}),
                    "tensor map: box extent 257 of dimension 1 is not in 1 to 256");
  CHECK_THROWS(make({64, 16}, {128}, {2, {64, 16}, 16}, 4));
  CHECK_THROWS(make({64}, {}, {2, {64, 16}, 16}));
  CHECK_THROWS(make({64, 16}, {128}, {2, {64, 16}, 16}, 0, 8));
}

TEST_CASE("misuse of copies") {
  kit::matrix x = kit::random_matrix(16, 64, 3);
  const tensor_map map = kit::map_of(x, 16, 64, swizzle_mode::b128);
  const kit::matrix& constant = x;
  const tensor_map read_only = kit::map_of(constant, 16, 64, swizzle_mode::b128);
  const auto found = [&](auto use) {
    return hazard_of(small, [&](machine& hw) {
      if (hw.thread() != 0) return;
      hw.mbarrier_init(bar, 1);
      hw.mbarrier_init_fence();
      use(hw);
    });
  };
  const auto loaded = [&](machine& hw) {
    hw.mbarrier_arrive_expect(bar, 2048);
    hw.tma_load(data, map, bar, {0, 0});
    hw.mbarrier_wait(bar, 0);
  };
  const auto kind = [&](auto use) {
    const auto h = found(use);
    REQUIRE(h);
    INFO(h->message);
    return h->kind;
  };
  CHECK(!found(loaded));
  CHECK(kind([&](machine& hw) { hw.tma_load(data + 64, map, bar, {0, 0}); }) == hazard_kind::misaligned);
  CHECK(kind([&](machine& hw) { hw.tma_load(data, map, bar, {4, 0}); }) == hazard_kind::misaligned);
  CHECK(kind([&](machine& hw) {
          loaded(hw);
          hw.tma_store(map, data, {12, 0});
        }) == hazard_kind::misaligned);
  CHECK(kind([&](machine& hw) { hw.tma_load(1024 + 65536 - 1024, map, bar, {0, 0}); }) == hazard_kind::out_of_range);
  CHECK(kind([&](machine& hw) { hw.tma_load(data, map, bar, {0, 0, 0}); }) == hazard_kind::out_of_range);
  CHECK(kind([&](machine& hw) { hw.tma_load(1024, map, bar, {0, 0}); }) == hazard_kind::barrier_reused);
  CHECK(kind([&](machine& hw) { hw.tma_load_multicast(data, map, bar, {0, 0}, 2); }) == hazard_kind::out_of_range);
  CHECK(kind([&](machine& hw) {
          loaded(hw);
          hw.tma_store(map, data, {0, -1});
        }) == hazard_kind::out_of_range);
  CHECK(kind([&](machine& hw) {
          loaded(hw);
          hw.tma_store(read_only, data, {0, 0});
        }) == hazard_kind::out_of_range);
  CHECK(kind([&](machine& hw) { hw.tma_store(map, data, {0, 0}); }) == hazard_kind::read_before_full);
  CHECK(kind([&](machine& hw) {
          hw.mbarrier_arrive_expect(bar, 2048);
          hw.tma_load(data, map, bar, {0, 0});
          hw.tma_store(map, data, {0, 0});
        }) == hazard_kind::read_before_full);
  CHECK(kind([&](machine& hw) {
          hw.mbarrier_arrive_expect(bar, 4096);
          hw.tma_load(data, map, bar, {0, 0});
          hw.tma_load(data + 1024, map, bar, {0, 0});
        }) == hazard_kind::overwrite_in_flight);
  CHECK(kind([&](machine& hw) {
          hw.mbarrier_arrive_expect(bar, 2048);
          hw.tma_load(data, map, bar, {0, 0});
          hw.store_shared(data + 8, 1.0f, 2.0f);
        }) == hazard_kind::overwrite_in_flight);
  const auto leaves = found([&](machine& hw) {
    hw.mbarrier_arrive_expect(bar, 2048);
    hw.tma_load(data, map, bar, {0, 0});
  });
  REQUIRE(leaves);
  CHECK(leaves->kind == hazard_kind::exit_in_flight);
  CHECK(leaves->says("cta 0 exits although none of its threads has waited for phase 0 of mbarrier at 0x400"));
}

TEST_CASE("ordinary stores, then TMA over them: fenced or not") {
  kit::matrix x = kit::random_matrix(16, 64, 3);
  const tensor_map map = kit::map_of(x, 16, 64, swizzle_mode::b128);
  const auto run = [&](bool fence, bool barrier, const options& how) {
    return hazard_of(small, how, [&, fence, barrier](machine& hw) {
      if (hw.thread() == 0) {
        hw.mbarrier_init(bar, 1);
        hw.mbarrier_init_fence();
      }
      if (hw.thread() == 5) hw.store_shared(data + 16, 1.0f, 2.0f);
      if (fence) hw.fence_proxy_async();
      if (barrier) hw.named_barrier_sync(3, 32);
      if (hw.thread() != 0) return;
      hw.mbarrier_arrive_expect(bar, 2048);
      hw.tma_load(data, map, bar, {0, 0});
      hw.mbarrier_wait(bar, 0);
    });
  };
  for (const options& how : kit::schedules(6)) {
    CHECK(!run(true, true, how));
    const auto unfenced = run(false, true, how);
    REQUIRE(unfenced);
    CHECK(unfenced->kind == hazard_kind::missing_proxy_fence);
    CHECK(unfenced->says("which thread 5 wrote with ordinary stores and did not fence"));
  }
  const auto own = [&](bool fence) {
    return hazard_of(small, [&, fence](machine& hw) {
      if (hw.thread() != 0) return;
      for (std::uint32_t i = 0; i < 2048; i += 8) hw.store_shared(data + i, 1.0f, 2.0f);
      if (fence) hw.fence_proxy_async();
      kit::matrix out(16, 64);
      hw.tma_store(kit::map_of(out, 16, 64, swizzle_mode::b128), data, {0, 0});
      hw.bulk_commit();
      hw.bulk_wait<0>();
    });
  };
  CHECK(!own(true));
  const auto unfenced = own(false);
  REQUIRE(unfenced);
  CHECK(unfenced->kind == hazard_kind::missing_proxy_fence);
  const auto unordered = run(true, false, {.schedule = sectile::model::schedule_mode::random, .seed = 3, .workers = 1});
  if (unordered) CHECK(unordered->kind == hazard_kind::overwrite_in_flight);
}

TEST_CASE("bulk groups: a wait for all but the newest leaves the newest alone") {
  kit::matrix x = kit::random_matrix(16, 64, 3), out(32, 64);
  const tensor_map in = kit::map_of(x, 16, 64, swizzle_mode::none), to = kit::map_of(out, 16, 64, swizzle_mode::none);
  const auto run = [&](std::uint32_t overwritten, const options& how) {
    return hazard_of(small, how, [&, overwritten](machine& hw) {
      if (hw.thread() != 0) return;
      hw.mbarrier_init(bar, 1);
      hw.mbarrier_init_fence();
      hw.mbarrier_arrive_expect(bar, 4096);
      hw.tma_load(data, in, bar, {0, 0});
      hw.tma_load(data + 2048, in, bar, {0, 0});
      hw.mbarrier_wait(bar, 0);
      hw.tma_store(to, data, {0, 0});
      hw.bulk_commit();
      hw.tma_store(to, data + 2048, {0, 16});
      hw.bulk_commit();
      hw.bulk_wait_read<1>();
      hw.store_shared(overwritten, 0.0f, 0.0f);
      hw.bulk_wait<0>();
    });
  };
  for (const options& how : kit::schedules(6)) {
    CHECK(!run(data, how));
    CHECK(out.row(0)[0] == x.row(0)[0]);
    CHECK(out.row(16)[5] == x.row(0)[5]);
    const auto found = run(data + 2048, how);
    REQUIRE(found);
    CHECK(found->kind == hazard_kind::store_source_overwritten);
  }
}

}  // namespace
