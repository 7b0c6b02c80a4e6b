// Vectors that come with tiles, on a GPU and on the model. Operands are small whole numbers, so sums have the same bits.
// Lengths and places are odd: TMA takes neither as it is. Exits with 77 where there is no GPU.
#include <sectile/dsl/launch/checked.hpp>

#include "tests/gpu/output_pairs.hpp"
#include "tests/programs/vectors_with_tiles.hpp"

namespace {

using namespace sectile;
using namespace sectile::test::scales;
using namespace sectile::gpu_test;

template <class T, meeting Where, configuration How>
void check_scales(const char* name, int m, int n, int k) {
  constexpr int wide = How.tile.of(mode_named("N"));
  const int blocks = (k + 63) / 64, columns = (n + wide - 1) / wide, pitch = (k + 7) / 8 * 8;
  shared_memory<bf16> a(m * pitch), b(n * pitch);
  shared_memory<T> of_rows(1 + blocks * (m + 5)), of_columns(3 + blocks * n);
  shared_memory<float> of_tiles(1 + columns * blocks);
  a.fill(1), b.fill(2), of_rows.fill(3), of_columns.fill(4), of_tiles.fill(5);
  output_pair<float> c("C", m * (n + 3) / 4 * 4 + m * 4);
  compare(
      name,
      [&](bool d, cudaStream_t s) {
        run_on<scaled<T, with_tiles, Where, How>>(
            d, s, tensor_view<const T>{of_rows.in() + 1, 2, {blocks, m}, {m + 5, 1}}, matrix(a.in(), m, k, pitch),
            matrix(b.in(), n, k, pitch), tensor_view<const T>{of_columns.in() + 3, 2, {blocks, n}, {n, 1}},
            tensor_view<const float>{of_tiles.in() + 1, 2, {columns, blocks}, {blocks, 1}},
            matrix(c.on(d), m, n, (n + 3) / 4 * 4));
      },
      c);
}

/// The debug machine finds nothing to report.
void check_watched() {
  constexpr int m = 200, n = 52, k = 248, blocks = 4, columns = 2;
  using kernel = checked<scaled<float, with_tiles, meeting::in_place, upright>>;
  shared_memory<bf16> a(m * k), b(n * k);
  shared_memory<float> of_rows(1 + blocks * m), of_columns(3 + blocks * n), of_tiles(1 + columns * blocks), c(m * n);
  a.fill(1), b.fill(2), of_rows.fill(3), of_columns.fill(4), of_tiles.fill(5);
  check_watched_run([&] {
    launch<kernel>(matrix(of_rows.in() + 1, blocks, m), matrix(a.in(), m, k), matrix(b.in(), n, k),
                   matrix(of_columns.in() + 3, blocks, n), matrix(of_tiles.in() + 1, columns, blocks),
                   matrix(c.get(), m, n));
  });
}

void check_all() {
  check_scales<float, meeting::in_place, upright>("in place", 200, 50, 250);
  check_scales<float, meeting::in_place, upright>("one element", 1, 1, 1);
  check_scales<e4m3, meeting::ahead, turns>("bytes, by turns", 300, 70, 320);
  check_scales<bf16, meeting::in_function, of_cluster>("halves, in clusters", 300, 33, 130);
  check_scales<float, meeting::ahead, own>("consumers with own tiles", 3000, 770, 450);
  check_scales<float, meeting::in_place, swapped>("swapped", 90, 140, 130);
  check_scales<float, meeting::in_function, tall>("two boxes", 390, 8, 130);
  check_watched();
}

}  // namespace

int main() { return run_checks(check_all); }
