// wgmma: every layout its descriptors can name, operands from registers, other types; against scalar references.
#include <doctest/doctest.h>

#include <bit>
#include <vector>

#include "operands.hpp"

using namespace kit;
using sectile::coord;
using sectile::d_coord;
using sectile::tma_box;
using sectile::model::hazard_kind;
using sectile::model::make_tensor_map;
using sectile::model::options;
using sectile::model::registers;
using sectile::model::simulate;

namespace {

template <int R>
void write_out(const machine& hw, const registers<float, R>& acc, std::vector<float>& out) {
  for (int i = 0; i < R; ++i) {
    const coord at = d_coord(hw.thread(), i);
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
      hw.touch(acc);
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
        if (s > 0 && waits) hw.touch(a);
        for (int i = 0; i < 4; ++i) {
          const coord at = sectile::a_coord(16, hw.thread(), i, 0);
          const std::uint16_t* pair = x.row(at.row) + 16 * s + at.col;
          a[i] = pair[0] | static_cast<std::uint32_t>(pair[1]) << 16;
        }
        hw.wgmma_fence();
        hw.wgmma<instruction(64, major::k, major::k, true)>(acc, a, 0, b.step(b_at, s), s > 0);
        hw.wgmma_commit();
      }
      hw.wgmma_wait<0>();
      hw.touch(acc);
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
    CHECK(found->says("registers that are the operand A of a pending wgmma"));
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
    hw.touch(acc);
    for (int i = 0; i < 32; ++i) {
      const coord at = d_coord(hw.thread(), i);
      out[static_cast<std::size_t>(at.row * 64 + at.col)] = acc[i];
    }
  });
  return out;
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
        sum = sectile::model::dot_accumulate(sectile::model::e4m3_format, a + k, sectile::model::e5m2_format, b + k, 32,
                                             sum);
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
        sum = sectile::model::dot_accumulate(sectile::model::tf32_format, &p.data[m * 32 + k], &q.data[n * 32 + k], 8,
                                             sum);
      }
      CHECK(tf32[m * 64 + n] == sum);
    }
  }
}

}  // namespace
