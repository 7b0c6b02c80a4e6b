// The portable readings on a GPU against the same readings on the model, bit for bit: types, fragment shapes, storage
// orders, edges, strides that no vector fits, sums of many tiles. Exits with 77 where there is no GPU.
#include <sectile/dsl/launch/portable.hpp>
#include <sectile/dsl/launch/portable_model.hpp>
#include <sectile/kernels/gemm.hpp>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>

#include "tests/gpu/device.hpp"
#include "tool/random.hpp"

namespace {

using namespace sectile;
using gpu_test::device_copy;
using gpu_test::guarded;
using kernels::gemm;
using kernels::gemm_form;
using portable::simt;
using portable::wmma;

int runs = 0, failures = 0;

struct shape {
  int m, n, k;
};

/// A matrix of random elements; col_major stores its transpose. 8 elements of one bit are one byte.
template <class T>
struct operand_data {
  static constexpr int bits = element_of<T>().bits, packing = bits < 8 ? 8 / bits : 1;
  storage_order order;
  int rows, cols;
  guarded<T> memory;

  operand_data(int m, int n, storage_order o, int pad, std::uint64_t seed) : order(o), rows(m), cols(n) {
    const int across = o == row_major ? m : n, along = (o == row_major ? n : m) / packing;
    memory = guarded<T>(across, along, along + pad);
    for (int r = 0; r < across; ++r)
      for (int c = 0; c < along; ++c) memory.set(r, c, random(seed, r * along + c));
  }
  static T random(std::uint64_t seed, int i) {
    const std::uint64_t h = tool::hash(seed, static_cast<std::uint64_t>(i));
    if constexpr (element_of<T>().kind == number::floating)
      return T(std::ldexp(static_cast<float>(tool::standard_normal(seed, static_cast<std::uint64_t>(i))),
                          static_cast<int>(h % 9) - 4));
    else if constexpr (bits == 1)
      return {static_cast<std::uint8_t>(h)};
    else
      return static_cast<T>(h);
  }
  tensor_view<const T> view(const unsigned char* base) const {
    const T* const p = reinterpret_cast<const T*>(base + memory.first);
    const std::int64_t stride = memory.row_stride * packing;
    return order == row_major ? matrix(p, rows, cols, stride) : matrix_col_major(p, rows, cols, stride);
  }
};

/// Runs C = A B^T on both machines. `pad`: elements between rows; an odd number leaves no row aligned but the first.
template <class K, class How, class Left, class Right, class Out>
void check(const std::string& what, const shape& s, storage_order a_order = row_major,
           storage_order b_order = row_major, int pad = 0) {
  const auto seed = static_cast<std::uint64_t>(s.m + s.n + s.k);
  const operand_data<Left> a(s.m, s.k, a_order, pad, seed);
  const operand_data<Right> b(s.n, s.k, b_order, pad, seed + 1);
  guarded<Out> gpu(s.m, s.n, s.n + pad), model = gpu;
  run_portable_on_model<K, How>(a.view(a.memory.bytes.data()), b.view(b.memory.bytes.data()),
                                model.view(model.bytes.data()));
  const device_copy<Left> da(a.memory);
  const device_copy<Right> db(b.memory);
  device_copy<Out> dc(gpu);
  launch_portable<K, How>(a.view(da.base), b.view(db.base), gpu.view(dc.base));
  dc.download(gpu);

  const auto found = gpu.bits(), expected = model.bits();
  int differ = 0;
  double error = 0, norm = 0;
  for (std::size_t i = 0; i < found.size(); i += sizeof(Out)) {
    Out x, y;
    std::memcpy(&x, &found[i], sizeof x);
    std::memcpy(&y, &expected[i], sizeof y);
    differ += std::memcmp(&x, &y, sizeof x) != 0;
    const double e = static_cast<double>(static_cast<float>(x)) - static_cast<double>(static_cast<float>(y));
    error += e * e;
    norm += static_cast<double>(static_cast<float>(y)) * static_cast<double>(static_cast<float>(y));
  }
  const long long touched = gpu.touched();
  ++runs;
  failures += differ != 0 || touched != 0;
  std::printf("%s %-44s %4d x %4d x %4d: %d of %zu differ (relative error %.1e)", differ || touched ? "FAIL" : "ok  ",
              what.c_str(), s.m, s.n, s.k, differ, found.size() / sizeof(Out),
              std::sqrt(error / (norm > 0 ? norm : 1)));
  if (touched) std::printf(", %lld bytes outside were written", touched);
  std::printf("\n");
  std::fflush(stdout);
}

template <int M, int N, int Depth, class Left, class Right, class Out, gemm_form Form, class Sum = sum_type<Left>>
struct small_product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", Left>(Form.a), input<"B(N,K)", Right>(Form.b), output<"C(M,N)", Out>());
  static constexpr sectile::configuration how{
      .tile = {{"M", M}, {"K", Depth}, {"N", N}}, .stages = 2, .consumers = M / 64};
  static constexpr void body(auto& sm, auto A, auto B, auto C) { gemm<Left, Right, Out, Form, Sum>::body(sm, A, B, C); }
};

constexpr shape large{300, 520, 456}, ragged{131, 67, 45}, one{1, 1, 1};

/// Both storage orders of each operand, whole vectors and none.
template <class How, class T, class Out, class Sum = sum_type<T>>
void check_orders(const std::string& what) {
  constexpr gemm_form rows{row_major, row_major}, cols{col_major, col_major};
  check<small_product<128, 64, 32, T, T, Out, rows, Sum>, How, T, T, Out>(what + " K along rows", large);
  check<small_product<128, 64, 32, T, T, Out, rows, Sum>, How, T, T, Out>(what + " K along rows", ragged, row_major,
                                                                          row_major, 1);
  check<small_product<64, 32, 16, T, T, Out, cols, Sum>, How, T, T, Out>(what + " K across rows", large, col_major,
                                                                         col_major);
  check<small_product<64, 32, 16, T, T, Out, cols, Sum>, How, T, T, Out>(what + " K across rows", one, col_major,
                                                                         col_major, 3);
}

/// What needs the place of every element: rows of (A B^T) with a mask, less their largest.
struct by_rows : small_product<64, 32, 32, bf16, bf16, float, gemm_form{}> {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto s = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) s += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    mask(
        s, {m, n}, true, [](int r, int c) { return c <= r; }, -1e30F);
    auto top = row_max(s);
    s = fma(s, 0.5F, -top);
    sm.store(C, {m, n}, s);
  }
};

void check_all() {
  check_orders<wmma<>, bf16, bf16>("wmma 16x16 bf16");
  check_orders<wmma<>, f16, float>("wmma 16x16 f16");
  check_orders<wmma<>, f16, f16, f16>("wmma 16x16 f16, f16 sums");
  check_orders<wmma<>, tf32, float>("wmma 16x16 tf32");
  check_orders<wmma<>, s8, s32>("wmma 16x16 s8");
  check_orders<wmma<32, 8>, bf16, float>("wmma 32x8 bf16");
  check_orders<wmma<32, 8>, u8, s32>("wmma 32x8 u8");
  check_orders<wmma<8, 32>, f16, f16>("wmma 8x32 f16");
  check_orders<wmma<8, 32>, s8, s32>("wmma 8x32 s8");
  check<gemm<bf16, bf16, bf16>, wmma<>, bf16, bf16, bf16>("wmma, the tile of gemm_bf16", large);
  constexpr gemm_form mixed{row_major, col_major};
  check<small_product<128, 32, 48, bf16, bf16, bf16, mixed>, wmma<>, bf16, bf16, bf16>("wmma 16x16 bf16 mixed", ragged,
                                                                                       row_major, col_major, 5);
  constexpr gemm_form saturating{row_major, row_major, false, true}, registers{row_major, row_major, true};
  check<gemm<s8, s8, s32, saturating>, wmma<>, s8, s8, s32>("wmma, s8 clamped", large);
  check<gemm<f16, f16, f16, registers>, wmma<>, f16, f16, f16>("wmma, A by way of registers", large);

  check_orders<simt, bf16, bf16>("simt bf16");
  check_orders<simt, f16, f16, f16>("simt f16, f16 sums");
  check_orders<simt, tf32, float>("simt tf32");
  check_orders<simt, s8, s32>("simt s8");
  check<gemm<s8, u8, s32>, simt, s8, u8, s32>("simt s8 x u8", large);
  check<gemm<b1x8, b1x8, s32>, simt, b1x8, b1x8, s32>("simt b1", large);
  check<gemm<bf16, bf16, bf16>, simt, bf16, bf16, bf16>("simt, the tile of gemm_bf16", large);
  check<by_rows, simt, bf16, bf16, float>("simt, masked and reduced by rows", {131, 30, 200});
}

}  // namespace

int main() {
  try {
    if (const std::string why = gpu_test::why_no_gpu(); !why.empty()) {
      std::printf("left out: %s\n", why.c_str());
      return gpu_test::exit_skipped;
    }
    check_all();
  } catch (const std::exception& e) {
    std::printf("FAIL %s\n", e.what());
    return 1;
  }
  std::printf("%d runs, %d differ from the model\n", runs, failures);
  return failures ? 1 : 0;
}
