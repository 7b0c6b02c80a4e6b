// Convolutions through TMA's im2col mode, on a GPU and on the model: the same bits, of numbers that are not whole.
// Exits with 77 where there is no GPU.
#include <sectile/dsl/launch/checked.hpp>

#include "tests/gpu/output_pairs.hpp"
#include "tests/programs/convolutions.hpp"

namespace {

using namespace sectile;
using namespace sectile::gpu_test;
using namespace sectile::test::convolutions;

/// Images and filters of a problem, in memory that both reach; rows of pixels lie `pad` times 16 bytes apart.
template <class In>
struct problem {
  const geometry& g;
  int pixel = g.c + g.pad * 16 / static_cast<int>(sizeof(In));
  shared_memory<In> x{g.n * g.h * g.w * pixel}, w{g.k * g.terms()};

  explicit problem(const geometry& of) : g(of) { fill_any(x, 1), fill_any(w, 2); }
  auto images() const {
    const std::int64_t row = std::int64_t{g.w} * pixel;
    return im2col(tensor_view<const In>{x.in(), 4, {g.n, g.h, g.w, g.c}, {g.h * row, row, pixel, 1}}, g.path);
  }
  auto factors() const { return filters(tensor(w.in(), g.k, g.path.filter.rows, g.path.filter.cols, g.c)); }
};

template <class K, class In = bf16, class Out = bf16>
void check_convolution(const char* name, const geometry& g) {
  const problem<In> p(g);
  output_pair<Out> y("Y", g.pixels() * g.k);
  if constexpr (needs_workspace(plan_of<K>)) {
    shared_workspace room(workspace_bytes<K>(p.images(), p.factors(), matrix(y.on(true), g.pixels(), g.k)));
    compare(
        name,
        [&](bool d, cudaStream_t s) {
          run_on<K>(d, s, p.images(), p.factors(), matrix(y.on(d), g.pixels(), g.k), room.view());
        },
        y);
  } else {
    compare(
        name,
        [&](bool d, cudaStream_t s) { run_on<K>(d, s, p.images(), p.factors(), matrix(y.on(d), g.pixels(), g.k)); }, y);
  }
}

void check_all() {
  using plain = with<small>;
  check_convolution<plain>("1 x 1", {.n = 2, .h = 5, .w = 11, .c = 96, .k = 64});
  check_convolution<plain>("1 x 1, stride 2", {.n = 2, .h = 9, .w = 10, .c = 40, .k = 64, .path = {.stride = {2, 2}}});
  check_convolution<plain>("3 x 3", {.n = 3, .h = 14, .w = 15, .c = 64, .k = 72, .path = three});
  check_convolution<plain>("rows apart", {.n = 2, .h = 7, .w = 9, .c = 64, .k = 72, .path = three, .pad = 2});
  check_convolution<plain>("channels that no tile divides", {.n = 1, .h = 8, .w = 8, .c = 200, .k = 64, .path = three});
  check_convolution<with<narrow>>("the stem", {.n = 2, .h = 33, .w = 31, .c = 8, .k = 64, .path = stem});
  for (const filter_path& path : uneven)
    check_convolution<plain>("uneven", {.n = 3, .h = 11, .w = 13, .c = 24, .k = 40, .path = path});
  check_convolution<plain>("smaller than the filter", {.n = 5, .h = 2, .w = 1, .c = 16, .k = 8, .path = three});
  check_convolution<plain>("single pixels", {.n = 70, .h = 1, .w = 1, .c = 16, .k = 8});
  check_convolution<plain>("far padding",
                           {.n = 1, .h = 5, .w = 6, .c = 16, .k = 8, .path = {{9, 3}, {3, 5}, {128, 100}, {31, 64}}});
  check_convolution<with<pair>>("pixels beside pixels", {.n = 3, .h = 9, .w = 12, .c = 48, .k = 200, .path = three});
  check_convolution<with<side_by_side>>("shared pixels",
                                        {.n = 2, .h = 17, .w = 9, .c = 72, .k = 104, .path = three_by_two});
  check_convolution<with<tall>>("tiles of two boxes", {.n = 2, .h = 20, .w = 21, .c = 64, .k = 40, .path = three});
  check_convolution<with<swapped>>("swapped", {.n = 2, .h = 6, .w = 5, .c = 64, .k = 72, .path = three});
  check_convolution<with<in_parts>>("in parts", {.n = 1, .h = 7, .w = 9, .c = 80, .k = 72, .path = three});
  check_convolution<kernels::convolution_bf16>("as shipped",
                                               {.n = 2, .h = 28, .w = 28, .c = 128, .k = 160, .path = three});
  constexpr filter_path far{.filter = {2, 3}, .padding = {128, 100}, .dilation = {255, 114}};
  check_convolution<with<small>>("as far as TMA goes", {.n = 2, .h = 30, .w = 31, .c = 16, .k = 8, .path = far});
  const geometry g{.n = 2, .h = 12, .w = 13, .c = 32, .k = 32, .path = three};
  check_convolution<with<small, f16, f16>, f16, f16>("f16", g);
  check_convolution<with<of_bytes, e4m3, float>, e4m3, float>("e4m3", g);
  check_convolution<with<of_words, tf32, float>, tf32, float>("tf32", g);
  const problem<bf16> p(g);
  shared_memory<bf16> y(g.pixels() * g.k);
  check_watched_run([&] { launch<checked<with<pair>>>(p.images(), p.factors(), matrix(y.get(), g.pixels(), g.k)); });
}

}  // namespace

int main() { return run_checks(check_all); }
