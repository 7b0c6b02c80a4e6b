// wgmma: every layout its descriptors can name, operands from registers, groups and waits, other types; and misuse.
#include <doctest/doctest.h>

#include <bit>
#include <cstring>
#include <vector>

#include "kit.hpp"

using kit::bf16;
using kit::hazard_of;
using kit::swizzle_mode;
using sectile::d_position;
using sectile::element_of;
using sectile::major;
using sectile::position;
using sectile::tma_box;
using sectile::wgmma_instruction;
using sectile::model::grid;
using sectile::model::hazard_kind;
using sectile::model::machine;
using sectile::model::make_tensor_map;
using sectile::model::options;
using sectile::model::registers;
using sectile::model::simulate;
using sectile::model::tensor_map;

namespace {

constexpr int k_tile = 64;  // bf16: four instructions
constexpr std::uint32_t bar = 1024, a_at = 2048, b_at = a_at + 64 * k_tile * 2;
const grid warpgroup{.clusters = 1, .cluster_size = 1, .threads = 128, .shared_bytes = 1024 + 3 * 256 * k_tile * 2};

constexpr wgmma_instruction instruction(int n, major a, major b, bool registers_a = false) {
  return {n, 16, element_of<bf16>(), element_of<bf16>(), element_of<float>(), registers_a, a, b};
}

/// An operand of `rows` x k_tile in shared memory: its boxes, and the descriptor of one K step.
struct operand {
  major direction;
  swizzle_mode mode;
  int rows;

  int span() const { return mode == swizzle_mode::none ? 16 : span_bytes(mode); }
  int contiguous() const { return direction == major::k ? k_tile : rows; }
  int strided() const { return direction == major::k ? rows : k_tile; }
  int panels() const { return contiguous() * 2 / span(); }
  int box_rows() const { return strided() < 256 ? strided() : 256; }

  /// The matrix as it lies in host memory: strided() x contiguous().
  kit::matrix stored(const kit::matrix& x) const {
    if (direction == major::k) return x;
    kit::matrix turned(x.cols, x.rows);
    for (int r = 0; r < x.rows; ++r) {
      for (int c = 0; c < x.cols; ++c) turned(c, r) = x.row(r)[c];
    }
    return turned;
  }
  void load(machine& hw, const tensor_map& map, std::uint32_t to) const {
    const int panel_bytes = strided() * span();
    for (int p = 0; p < panels(); ++p) {
      hw.tma_load(to + static_cast<std::uint32_t>(p * panel_bytes), map, bar, {p * span() / 2, 0});
    }
  }
  std::uint64_t step(std::uint32_t at, int s) const {
    const auto panel = static_cast<unsigned>(strided() * span());
    const auto pitch = static_cast<unsigned>(8 * span());
    const auto i = static_cast<unsigned>(s);
    if (mode == swizzle_mode::none) {
      if (direction == major::k) return kit::descriptor(at + 2 * i * panel, panel, 128, mode);
      return kit::descriptor(at + 2 * i * 128, 128, panel, mode);
    }
    if (direction == major::mn) return kit::descriptor(at + 2 * i * pitch, panel, pitch, mode);
    const unsigned per_span = static_cast<unsigned>(span()) / 32;
    return kit::descriptor(at + i / per_span * panel + i % per_span * 32, 16, pitch, mode);
  }
};

/// Makes the barrier, loads both operands, and returns when they are there.
void fetch(machine& hw, const operand& a, const tensor_map& a_map, const operand& b, const tensor_map& b_map) {
  if (hw.thread() == 0) {
    hw.mbarrier_init(bar, 1);
    hw.mbarrier_init_fence();
    hw.mbarrier_arrive_expect(bar, (a.rows + b.rows) * k_tile * 2);
    if (a.rows > 0) a.load(hw, a_map, a_at);
    b.load(hw, b_map, b_at);
  }
  hw.named_barrier_sync(0, 128);
  hw.mbarrier_wait(bar, 0);
}

template <int R>
void write_out(const machine& hw, const registers<float, R>& acc, std::vector<float>& out) {
  for (int i = 0; i < R; ++i) {
    const position at = d_position(hw.thread(), i);
    out[static_cast<std::size_t>(at.row * 2 * R + at.col)] = acc[i];
  }
}

std::vector<float> reference(const kit::matrix& a, const kit::matrix& b) {
  std::vector<float> expected;
  for (int m = 0; m < 64; ++m) {
    for (int n = 0; n < b.rows; ++n) expected.push_back(kit::dot(a.row(m), b.row(n), k_tile));
  }
  return expected;
}

template <int N, major A, major B>
void check_layouts(swizzle_mode a_mode, swizzle_mode b_mode, int random_schedules) {
  const operand a{A, a_mode, 64}, b{B, b_mode, N};
  const kit::matrix x = kit::random_matrix(64, k_tile, 5), y = kit::random_matrix(N, k_tile, 6);
  const kit::matrix x_stored = a.stored(x), y_stored = b.stored(y);
  const tensor_map a_map = kit::map_of(x_stored, a.box_rows(), a.span() / 2, a_mode);
  const tensor_map b_map = kit::map_of(y_stored, b.box_rows(), b.span() / 2, b_mode);
  const std::vector<float> expected = reference(x, y);
  for (const options& how : kit::schedules(random_schedules)) {
    std::vector<float> out(64 * N);
    simulate(warpgroup, how, [&](machine& hw) {
      fetch(hw, a, a_map, b, b_map);
      registers<float, N / 2> acc;
      hw.wgmma_fence();
      for (int s = 0; s < k_tile / 16; ++s) {
        hw.wgmma<instruction(N, A, B)>(acc, a.step(a_at, s), b.step(b_at, s), s > 0);
      }
      hw.wgmma_commit();
      hw.wgmma_wait<0>();
      write_out(hw, acc, out);
    });
    CHECK(out == expected);
  }
}

TEST_CASE("every swizzle of both operands, K-major and MN-major") {
  const swizzle_mode modes[] = {swizzle_mode::none, swizzle_mode::b32, swizzle_mode::b64, swizzle_mode::b128};
  for (const swizzle_mode a : modes) {
    for (const swizzle_mode b : modes) {
      CAPTURE(static_cast<int>(a));
      CAPTURE(static_cast<int>(b));
      check_layouts<64, major::k, major::k>(a, b, 0);
      check_layouts<64, major::mn, major::k>(a, b, 0);
      check_layouts<64, major::k, major::mn>(a, b, 0);
      check_layouts<64, major::mn, major::mn>(a, b, 0);
    }
  }
}

TEST_CASE("from the narrowest to the widest instruction, in several schedules") {
  check_layouts<8, major::k, major::k>(swizzle_mode::b128, swizzle_mode::b128, 4);
  check_layouts<24, major::k, major::k>(swizzle_mode::b64, swizzle_mode::b128, 2);
  check_layouts<256, major::k, major::k>(swizzle_mode::b128, swizzle_mode::b128, 2);
  check_layouts<192, major::mn, major::mn>(swizzle_mode::b128, swizzle_mode::b128, 2);
}

TEST_CASE("operand A from registers") {
  const operand b{major::k, swizzle_mode::b128, 64};
  const kit::matrix x = kit::random_matrix(64, k_tile, 7), y = kit::random_matrix(64, k_tile, 8);
  const tensor_map map = kit::map_of(y, 64, 64, swizzle_mode::b128);
  const auto run = [&](bool waits, const options& how, std::vector<float>& out) {
    return hazard_of(warpgroup, how, [&, waits](machine& hw) {
      fetch(hw, {major::k, swizzle_mode::b128, 0}, map, b, map);
      registers<float, 32> acc;
      registers<std::uint32_t, 4> a;
      for (int s = 0; s < k_tile / 16; ++s) {
        if (s > 0 && waits) hw.wgmma_wait<0>();
        for (int i = 0; i < 4; ++i) {
          const position at = sectile::a_position(16, hw.thread(), i, 0);
          const std::uint16_t* pair = x.row(at.row) + 16 * s + at.col;
          a[i] = pair[0] | static_cast<std::uint32_t>(pair[1]) << 16;
        }
        hw.wgmma_fence();
        hw.wgmma<instruction(64, major::k, major::k, true)>(acc, a, 0, b.step(b_at, s), s > 0);
        hw.wgmma_commit();
      }
      hw.wgmma_wait<0>();
      write_out(hw, acc, out);
    });
  };
  const std::vector<float> expected = reference(x, y);
  for (const options& how : kit::schedules(6)) {
    std::vector<float> out(64 * 64);
    CHECK(!run(true, how, out));
    CHECK(out == expected);
    const auto found = run(false, how, out);
    REQUIRE(found);
    CHECK(found->kind == hazard_kind::register_in_flight);
    CHECK(found->says("registers that are operand A of a pending wgmma"));
  }
}

/// The bits of one operand of 8-bit or 32-bit elements, 64 rows of 128 bytes.
template <class T>
struct raw_operand {
  std::vector<T> data = std::vector<T>(64 * 128 / sizeof(T));
  static constexpr int cols = 128 / static_cast<int>(sizeof(T));

  tensor_map map() const {
    const std::int64_t extent[] = {cols, 64}, stride[] = {128};
    const int bits = 8 * static_cast<int>(sizeof(T));
    return make_tensor_map(data.data(), 2, extent, stride, tma_box{2, {cols, 64}, bits, swizzle_mode::b128}, bits);
  }
};

template <wgmma_instruction I, class D, class T>
std::vector<D> multiply(const raw_operand<T>& x, const raw_operand<T>& y) {
  const tensor_map a = x.map(), b = y.map();
  std::vector<D> out(64 * 64);
  simulate(warpgroup, {.workers = 1}, [&](machine& hw) {
    if (hw.thread() == 0) {
      hw.mbarrier_init(bar, 1);
      hw.mbarrier_init_fence();
      hw.mbarrier_arrive_expect(bar, 2 * 64 * 128);
      hw.tma_load(a_at, a, bar, {0, 0});
      hw.tma_load(b_at, b, bar, {0, 0});
    }
    hw.named_barrier_sync(0, 128);
    hw.mbarrier_wait(bar, 0);
    registers<D, 32> acc;
    hw.wgmma_fence();
    for (std::uint32_t s = 0; s < 4; ++s) {
      hw.wgmma<I>(acc, kit::descriptor(a_at + 32 * s, 16, 1024, swizzle_mode::b128),
                  kit::descriptor(b_at + 32 * s, 16, 1024, swizzle_mode::b128), s > 0);
    }
    hw.wgmma_commit();
    hw.wgmma_wait<0>();
    for (int i = 0; i < 32; ++i) {
      const position at = d_position(hw.thread(), i);
      out[static_cast<std::size_t>(at.row * 64 + at.col)] = acc[i];
    }
  });
  return out;
}

template <class A, class B, class D>
constexpr wgmma_instruction of_types(int k) {
  return {64, k, element_of<A>(), element_of<B>(), element_of<D>(), false, major::k, major::k};
}

TEST_CASE("other types: fp8 mixed, tf32, integers, one bit") {
  raw_operand<std::uint8_t> x, y;
  for (std::size_t i = 0; i < x.data.size(); ++i) {
    x.data[i] = static_cast<std::uint8_t>((i * 37 + i / 91) % 120);  // finite in all formats
    y.data[i] = static_cast<std::uint8_t>((i * 53 + i / 77) % 120 + 128);
  }
  const auto fp8 = multiply<of_types<sectile::e4m3, sectile::e5m2, float>(32), float>(x, y);
  const auto s8u8 = multiply<of_types<sectile::s8, sectile::u8, sectile::s32>(32), std::int32_t>(x, y);
  const auto b1 = multiply<of_types<sectile::b1x8, sectile::b1x8, sectile::s32>(256), std::int32_t>(x, y);
  for (std::size_t m = 0; m < 64; ++m) {
    for (std::size_t n = 0; n < 64; ++n) {
      const std::uint8_t *a = &x.data[m * 128], *b = &y.data[n * 128];
      float sum = 0;
      for (int k = 0; k < 128; k += 32) {
        sum = sectile::model::dot_accumulate(sectile::model::e4m3_format, a + k, sectile::model::e5m2_format, b + k, 32, sum);
      }
      std::int32_t whole = 0, bits = 0;
      for (int k = 0; k < 128; ++k) {
        whole += static_cast<std::int8_t>(a[k]) * b[k];
        bits += std::popcount(static_cast<unsigned>(a[k] & b[k]));
      }
      CHECK(fp8[m * 64 + n] == sum);
      CHECK(s8u8[m * 64 + n] == whole);
      CHECK(b1[m * 64 + n] == bits);
    }
  }

  raw_operand<std::uint32_t> p, q;
  for (std::size_t i = 0; i < p.data.size(); ++i) {
    p.data[i] = std::bit_cast<std::uint32_t>(static_cast<float>(i % 97) * 0.37f - 11);
    q.data[i] = std::bit_cast<std::uint32_t>(static_cast<float>(i % 89) * 0.41f - 7);
  }
  const auto tf32 = multiply<of_types<sectile::tf32, sectile::tf32, float>(8), float>(p, q);
  for (std::size_t m = 0; m < 64; ++m) {
    for (std::size_t n = 0; n < 64; ++n) {
      float sum = 0;
      for (std::size_t k = 0; k < 32; k += 8) {
        sum = sectile::model::dot_accumulate(sectile::model::tf32_format, &p.data[m * 32 + k], &q.data[n * 32 + k], 8, sum);
      }
      CHECK(tf32[m * 64 + n] == sum);
    }
  }
}

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
  refused(a_desc, b_desc | std::uint64_t{1} << 55, "reserved bits 80000000000000 are set");
  refused(a_desc | std::uint64_t{1} << 49, b_desc, "base offset 1");
  refused(a_desc, kit::descriptor(b_at + 128, 16, 1024, swizzle_mode::b128), "not within the first row of a swizzle pattern");
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
      if (hw.thread() == 127) hw.store_shared(a_at + 8, 1, 2);
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
  const auto run = [](bool fence, bool barrier, const options& how) {
    return with_operands(how, [fence, barrier](machine& hw) {
      hw.named_barrier_sync(0, 128);
      if (hw.thread() == 9) hw.store_shared(a_at + 8, 1, 2);
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
