// Convolutions through TMA's im2col mode: geometries whose sizes no tile divides, held against the sum as it is
// written.
#include "tests/programs/convolutions.hpp"

#include "tests/programs/kit.hpp"
#include "tests/programs/matmul.hpp"

namespace {

using namespace sectile;
using namespace sectile::test;
using namespace sectile::test::convolutions;

/// Output pixel m of filter k.
template <class In>
double sum_at(const geometry& g, const host_tensor<In>& X, const host_tensor<In>& W, int m, int k) {
  const int q = m % g.cols(), p = m / g.cols() % g.rows(), n = m / g.cols() / g.rows();
  double sum = 0;
  for (int r = 0; r < g.path.filter.rows; ++r)
    for (int s = 0; s < g.path.filter.cols; ++s) {
      const int h = p * g.path.stride.rows + r * g.path.dilation.rows - g.path.padding.rows;
      const int w = q * g.path.stride.cols + s * g.path.dilation.cols - g.path.padding.cols;
      if (h < 0 || h >= g.h || w < 0 || w >= g.w) continue;
      for (int c = 0; c < g.c; ++c) sum += X.number(n, h, w, c) * W.number(k, r, s, c);
    }
  return sum;
}

/// Images may have gaps between their rows; filters are KRSC.
template <class K, class In = bf16, class Out = bf16>
void check(const geometry& g, double close = bf16_close, int random = 0) {
  INFO("image ", g.n, " x ", g.h, " x ", g.w, " x ", g.c, ", ", g.k, " filters of ", g.path.filter.rows, " x ",
       g.path.filter.cols);
  host_tensor<In> X({g.n, g.h, g.w, g.c}, row_major, g.pad), W({g.k, g.path.filter.rows, g.path.filter.cols, g.c});
  host_tensor<Out> Y({g.pixels(), g.k});
  X.fill(1), W.fill(2);
  if constexpr (needs_workspace(plan_of<K>)) {
    host_workspace memory(workspace_bytes<K>(im2col(X.in(), g.path), filters(W.in()), Y.view()));
    run_on_schedules<K>(random, Y, im2col(X.in(), g.path), filters(W.in()), Y.view(), memory.view());
  } else {
    run_on_schedules<K>(random, Y, im2col(X.in(), g.path), filters(W.in()), Y.view());
  }
  check_close(Y, close, [&](int m, int k) { return sum_at(g, X, W, m, k); });
}

using plain = with<small>;

// Kernels without an image carry nothing of it to the device.
static_assert(std::is_empty_v<left_out<im2col_places<3>>>);
static_assert(
    std::is_base_of_v<left_out<im2col_places<3>>, kernel_parameters<matmul<64, 64, 64, configuration{}>, int>>);
static_assert(std::is_base_of_v<im2col_places<3>, kernel_parameters<plain, int>>);

TEST_CASE("3 x 3 with padding, as networks have it; rows of images that lie apart") {
  check<plain>({.n = 2, .h = 7, .w = 9, .c = 64, .k = 72, .path = three, .pad = 2}, bf16_close, 1);
}
TEST_CASE("1 x 1 is a product of matrices, and with a stride one of some rows") {
  check<plain>({.n = 2, .h = 5, .w = 11, .c = 96, .k = 64});
  check<plain>({.n = 2, .h = 9, .w = 10, .c = 40, .k = 64, .path = {.stride = {2, 2}}});
}
TEST_CASE("the stem of a network: 7 x 7, stride 2, padding 3, few channels") {
  check<with<narrow>>({.n = 1, .h = 17, .w = 15, .c = 8, .k = 64, .path = stem});
}
TEST_CASE("filters, strides, paddings and dilations that differ along rows and columns") {
  for (const filter_path& path : uneven) check<plain>({.n = 3, .h = 11, .w = 13, .c = 24, .k = 40, .path = path});
}
TEST_CASE("an image smaller than the filter, and one pixel") {
  check<plain>({.n = 5, .h = 2, .w = 1, .c = 16, .k = 8, .path = three});
  check<plain>({.n = 70, .h = 1, .w = 1, .c = 16, .k = 8});
}
TEST_CASE("as far as TMA's numbers go, along rows and along columns") {
  const auto both = [](int filter, int padding, int dilation, int side = 1) {
    const filter_path down{.filter = {filter, 1}, .padding = {padding, 0}, .dilation = {dilation, 1}};
    const filter_path across{.filter = {1, filter}, .padding = {0, padding}, .dilation = {1, dilation}};
    check<plain>({.n = 1, .h = side, .w = 1, .c = 16, .k = 8, .path = down});
    check<plain>({.n = 1, .h = 1, .w = side, .c = 16, .k = 8, .path = across});
  };
  both(1, 127, 1);
  both(2, 128, 1);
  both(2, 128, 255);
  both(3, 100, 114, 30);  // the second corner is -128
  check<plain>({.n = 2,
                .h = 30,
                .w = 31,
                .c = 16,
                .k = 8,
                .path = {.filter = {2, 3}, .padding = {128, 100}, .dilation = {255, 114}}});
  CHECK_THROWS_WITH_AS(both(1, 128, 1), doctest::Contains("TMA takes a reach of 1 to 255 then"), launch_error);
  CHECK_THROWS_WITH_AS(both(2, 128, 256), doctest::Contains("TMA takes a reach of 1 to 255 then"), launch_error);
  CHECK_THROWS_WITH_AS(both(2, 100, 229, 30), doctest::Contains("TMA takes a reach of 0 to 228 then"), launch_error);
}
TEST_CASE("clusters share pixels or filters: slices of a multicast begin anywhere in the image") {
  check<with<pair>>({.n = 3, .h = 9, .w = 12, .c = 48, .k = 100, .path = three}, bf16_close, 1);
  check<with<side_by_side>>({.n = 2, .h = 7, .w = 7, .c = 72, .k = 100, .path = three_by_two}, bf16_close, 1);
}
TEST_CASE("tiles of several boxes, and pixels along the instruction's columns") {
  check<with<tall>>({.n = 2, .h = 14, .w = 13, .c = 64, .k = 40, .path = three});
  check<with<swapped>>({.n = 2, .h = 6, .w = 5, .c = 64, .k = 72, .path = three});
}
TEST_CASE("sums in parts: a place of the filter and channels in the middle") {
  check<with<in_parts>>({.n = 1, .h = 7, .w = 9, .c = 80, .k = 72, .path = three});
  check<with<streamed>>({.n = 1, .h = 13, .w = 14, .c = 64, .k = 72, .path = three});
}
/// What networks do behind it: Y = max(X * W + bias + R, 0).
struct activated {
  static constexpr auto operands =
      sectile::operands(im2col_input<"X(T,M,C)", bf16>(), input<"W(T,K,C)", bf16>(), vector_input<"bias(K)", float>(),
                        input<"R(M,K)", bf16>(), output<"Y(M,K)", bf16>());
  static constexpr configuration how = pair.with_tile({{"M", 128}, {"K", 64}, {"C", 64}});

  static constexpr void body(auto& sm, auto X, auto W, auto bias, auto R, auto Y) {
    auto [m, k] = sm.tile_of(Y);
    auto acc = sm.accumulator(Y);
    auto places = tiles<"T">(X);
    for (auto i : sm.pipelined(places * tiles<"C">(X))) {
      auto t = as<"T">(i % places);
      auto c = as<"C">(i / places);
      acc += sm.load(X, {t, m, c}) * transpose(sm.load(W, {t, k, c}));
    }
    sm.store(Y, {m, k}, max(acc + sm.load(bias, {k}) + sm.load(R, {m, k}), 0.0f));
  }
};
TEST_CASE("a bias, a residual and an activation behind the sums") {
  const geometry g{.n = 2, .h = 7, .w = 9, .c = 64, .k = 72, .path = three};
  host_tensor<bf16> X({g.n, g.h, g.w, g.c}), W({g.k, 3, 3, g.c}), R({g.pixels(), g.k}), Y({g.pixels(), g.k});
  host_tensor<float> bias({g.k});
  X.fill(1), W.fill(2), R.fill(3), bias.fill(4);
  run_on_schedules<activated>(0, Y, im2col(X.in(), g.path), filters(W.in()), tensor(bias.in().data, g.k), R.in(),
                              Y.view());
  check_close(Y, bf16_close,
              [&](int m, int k) { return std::max(sum_at(g, X, W, m, k) + bias.number(k) + R.number(m, k), 0.0); });
}
TEST_CASE("a bias alone, in the configuration that is shipped") {
  const geometry g{.n = 2, .h = 7, .w = 9, .c = 72, .k = 136, .path = three};
  host_tensor<bf16> X({g.n, g.h, g.w, g.c}), W({g.k, 3, 3, g.c}), bias({g.k}), Y({g.pixels(), g.k});
  X.fill(1), W.fill(2), bias.fill(4);
  run_on_schedules<kernels::biased_convolution_bf16>(0, Y, im2col(X.in(), g.path), filters(W.in()), bias.in(),
                                                     Y.view());
  check_close(Y, bf16_close, [&](int m, int k) { return sum_at(g, X, W, m, k) + bias.number(k); });
}
TEST_CASE("other types") {
  const geometry g{.n = 1, .h = 6, .w = 7, .c = 32, .k = 32, .path = three};
  check<with<small, f16, f16>, f16, f16>(g, 0x1p-11);
  check<with<of_bytes, e4m3, float>, e4m3, float>(g, 0x1p-10);
  check<with<of_words, tf32, float>, tf32, float>(g, 0x1p-9);
}

}  // namespace
