// Vectors that kernels write, on a GPU and on the model. Operands are small whole numbers, so sums are exact in any
// order and everything has the same bits; but for exponentials, which are compared within a few units of the last
// place. Each launch is repeated, also as a graph: what was combined before must not count again. Exits with 77 where
// there is no GPU.
#include <sectile/kernels/linear_outputs.hpp>

#include "tests/gpu/output_pairs.hpp"
#include "tests/programs/reduced_columns.hpp"
#include "tests/programs/reduced_rows.hpp"
#include "tests/programs/vectors_alone.hpp"
#include "tests/programs/written_vectors.hpp"

namespace {

using namespace sectile;
using namespace sectile::kernels;
using namespace sectile::test;
using namespace sectile::gpu_test;

constexpr int m = 456, n = 520, k = 208;

template <class K>
void check_combined(const char* name, auto run) {
  shared_memory<bf16> a(m * k), b(n * k);
  a.fill(1), b.fill(2);
  output_pair<float> c("C", m * n), of_col("along rows", n, 0, 1), of_row("along columns", m, 0, 3), most("largest", 1),
      sum("sum", 1, 0, 5);
  compare(
      name,
      [&](bool d, cudaStream_t s) {
        run(d, s, matrix(a.in(), m, k), matrix(b.in(), n, k), tensor(of_col.on(d), n), tensor(of_row.on(d), m),
            matrix(c.on(d), m, n), tensor(most.on(d)), tensor(sum.on(d)));
      },
      c, of_col, of_row, most, sum);
}
template <configuration How>
void check_combined(const char* name) {
  check_combined<combined<How>>(name, [](auto... all) { run_on<combined<How>>(all...); });
}

template <class Stored, configuration How>
void check_parts(const char* name) {
  constexpr int tile = How.tile.of(mode_named("N")), tiles = (n + tile - 1) / tile;
  shared_memory<bf16> a(m * k), b(n * k);
  a.fill(1), b.fill(2);
  output_pair<bf16> c("C", m * n);
  output_pair<float> most("maxima", tiles * m, 0, 1);
  output_pair<Stored> sums("sums of exponentials", tiles * m, sizeof(Stored) == 2 ? 0x1p-7 : 1e-5, 1);
  compare(
      name,
      [&](bool d, cudaStream_t s) {
        run_on<partial_softmax<Stored, How>>(d, s, matrix(a.in(), m, k), matrix(b.in(), n, k), matrix(c.on(d), m, n),
                                             tensor(most.on(d), tiles, m), tensor(sums.on(d), tiles, m));
      },
      c, most, sums);
}

template <class Stored, configuration How>
void check_rows(const char* name) {
  constexpr int cols = 57;
  shared_memory<bf16> a(m * k), b(cols * k);
  a.fill(1), b.fill(2);
  output_pair<bf16> c("C", m * 64);
  output_pair<Stored> sums("stored", m, 0, 1);
  output_pair<float> most("combined", m, 0, 1), largest("largest", 1), total("total", 1);
  compare(
      name,
      [&](bool d, cudaStream_t s) {
        run_on<rows_out<Stored, How>>(d, s, matrix(a.in(), m, k), matrix(b.in(), cols, k), matrix(c.on(d), m, cols, 64),
                                      tensor(sums.on(d), m), tensor(most.on(d), m), tensor(largest.on(d)),
                                      tensor(total.on(d)));
      },
      sums, most, largest, total);
}

/// Sums of whole numbers, of which many are equal; with NaN in some rows and columns.
struct with_nan {
  shared_memory<bf16> a, b;
  with_nan(int rows, int cols, int depth) : a(rows * depth), b(cols * depth) {
    a.fill(1), b.fill(2);
    for (const int i : {0, 9, rows - 1}) a.get()[i * depth + 1] = bf16(std::nanf(""));
    for (const int j : {0, 1, 63, 64, cols - 1}) b.get()[j * depth + 2] = bf16(std::nanf(""));
  }
};
template <class K>
void check_row_sums(const char* name) {
  shared_memory<bf16> x(3 * m * n);
  x.fill(1);
  output_pair<float> sums("sums", 3 * m, 0, 1);
  compare(
      name, [&](bool d, cudaStream_t s) { run_on<K>(d, s, tensor(x.in(), 3, m, n), tensor(sums.on(d), 3, m)); }, sums);
}
template <class K>
void check_largest(const char* name) {
  shared_memory<bf16> x(m * n);
  x.fill(1);
  output_pair<float> most("largest", 1), rows("of rows", m, 0, 1), cols("of columns", n, 0, 3);
  compare(
      name,
      [&](bool d, cudaStream_t s) {
        run_on<K>(d, s, matrix(x.in(), m, n), tensor(most.on(d)), tensor(rows.on(d), m), tensor(cols.on(d), n));
      },
      most, rows, cols);
}
void check_nearest() {
  constexpr int rows = 139;
  shared_memory<bf16> x(m * k), c(rows * k);
  shared_memory<float> norm(rows);
  x.fill(1), c.fill(2);
  for (int j = 0; j < rows; ++j) {
    float sum = 0;
    for (int i = 0; i < k; ++i) {
      const auto element = static_cast<float>(c.in()[j * k + i]);
      sum += element * element;
    }
    norm.get()[j] = sum;
  }
  output_pair<s32> nearest("nearest", m, 0, 1);
  compare(
      "the nearest row",
      [&](bool d, cudaStream_t s) {
        run_on<nearest_row>(d, s, matrix(x.in(), m, k), matrix(c.in(), rows, k), tensor(norm.in(), rows),
                            tensor(nearest.on(d), m));
      },
      nearest);
}

template <configuration How>
void check_places(const char* name) {
  constexpr int cols = 139, depth = 8, tile = How.tile.of(mode_named("N")), tiles = (cols + tile - 1) / tile;
  const with_nan in(m, cols, depth);
  output_pair<float> c("C", m * 140), most("largest", tiles * m), least("least", tiles * m);
  output_pair<s32> of_most("columns of the largest", tiles * m, 0, 1), of_least("columns of the least", tiles * m);
  compare(
      name,
      [&](bool d, cudaStream_t s) {
        run_on<places_in_tiles<How>>(d, s, matrix(in.a.in(), m, depth), matrix(in.b.in(), cols, depth),
                                     matrix(c.on(d), m, cols, 140), tensor(most.on(d), tiles, m),
                                     tensor(of_most.on(d), tiles, m), tensor(least.on(d), tiles, m),
                                     tensor(of_least.on(d), tiles, m));
      },
      of_most, of_least, most, least);
}
template <configuration How>
void check_places_in_rows(const char* name) {
  constexpr int cols = 139, depth = 8;
  const with_nan in(m, cols, depth);
  output_pair<float> c("C", m * 140), most("largest", m), as_number("columns as numbers", m);
  output_pair<s32> of_most("columns of the largest", m), of_least("columns of the least", m);
  compare(
      name,
      [&](bool d, cudaStream_t s) {
        run_on<places_in_rows<How>>(d, s, matrix(in.a.in(), m, depth), matrix(in.b.in(), cols, depth),
                                    matrix(c.on(d), m, cols, 140), tensor(most.on(d), m), tensor(of_most.on(d), m),
                                    tensor(of_least.on(d), m), tensor(as_number.on(d), m));
      },
      of_most, of_least, most, as_number);
}
template <configuration How>
void check_reduced(const char* name, auto run) {
  constexpr int tile = How.tile.of(mode_named("N")), cols = tile - 5;
  shared_memory<bf16> a(m * k), b(cols * k);
  a.fill(1), b.fill(2);
  output_pair<float> c("C", m * tile), near("nearest to zero", m), order("an order of numbers", m), most("largest", m),
      sum("sums", m), agree("differences", m);
  compare(
      name,
      [&](bool d, cudaStream_t s) {
        run(d, s, matrix(a.in(), m, k), matrix(b.in(), cols, k), matrix(c.on(d), m, cols, tile), tensor(near.on(d), m),
            tensor(order.on(d), m), tensor(most.on(d), m), tensor(sum.on(d), m), tensor(agree.on(d), m));
      },
      near, order, most, sum, agree);
}

template <configuration How>
void check_columns(const char* name, auto run) {
  constexpr int cols = 139, pitch = 140, rows = How.tile.of(mode_named("M")) - 11;
  shared_memory<bf16> a(rows * k), b(cols * k);
  a.fill(1), b.fill(2);
  output_pair<float> near("nearest to zero", cols), order("an order of numbers", cols), made("sums and more", cols),
      c("C", rows * pitch), less("C less that order", rows * pitch);
  output_pair<bf16> most("largest", cols, 0, 1);
  compare(
      name,
      [&](bool d, cudaStream_t s) {
        run(d, s, matrix(a.in(), rows, k), matrix(b.in(), cols, k), tensor(near.on(d), cols), tensor(order.on(d), cols),
            tensor(most.on(d), cols), tensor(made.on(d), cols), matrix(c.on(d), rows, cols, pitch),
            matrix(less.on(d), rows, cols, pitch));
      },
      near, order, most, made, c, less);
}
template <configuration How>
void check_scaled_columns(const char* name) {
  constexpr int cols = 520;
  shared_memory<bf16> x(m * cols);
  shared_memory<float> bias(cols);
  x.fill(1), bias.fill(2);
  output_pair<float> c("C", m * cols);
  compare(
      name,
      [&](bool d, cudaStream_t s) {
        run_on<scaled_columns<How>>(d, s, matrix(x.in(), m, cols), tensor(bias.in(), cols), matrix(c.on(d), m, cols));
      },
      c);
}
inline constexpr configuration two_groups{.tile = {{"M", 128}, {"N", 64}, {"K", 64}}, .stages = 2};
inline constexpr configuration three_groups{
    .tile = {{"M", 192}, {"N", 32}, {"K", 64}}, .stages = 2, .cluster = {1, 2}, .consumers = 3};

void check_batches() {
  constexpr int batches = 3, rows = 100, depth = 72, tiles = 2, pad = 5;
  shared_memory<bf16> a(batches * rows * depth);
  a.fill(1);
  output_pair<float> c("C", batches * rows * rows), sums("sums", batches * (rows + pad)), most("largest", batches),
      tops("of each tile", tiles * tiles * batches);
  compare(
      "batches",
      [&](bool d, cudaStream_t s) {
        run_on<batched>(d, s, tensor(a.in(), batches, rows, depth), tensor(c.on(d), batches, rows, rows),
                        tensor_view<float>{sums.on(d), 2, {batches, rows}, {rows + pad, 1}},
                        tensor(most.on(d), batches), tensor(tops.on(d), tiles, tiles, batches));
      },
      c, sums, most, tops);
}

void check_layers() {
  shared_memory<bf16> a(m * k), w(n * k), z(m * n);
  shared_memory<e4m3> a8(m * k), w8(n * k);
  shared_memory<float> scale(1);
  a.fill(1), w.fill(2), z.fill(3), a8.fill(4), w8.fill(5);
  *scale.get() = 0.25f;
  constexpr int tiles = (n + 127) / 128;
  output_pair<bf16> c("the matrix", m * n);
  output_pair<float> of_bias("the bias's", n), amax("amax", 1), most("maxima", tiles * m),
      sums("sums of exponentials", tiles * m, 1e-5);
  output_pair<s32> where("their columns", tiles * m);
  compare(
      "relu_gradient",
      [&](bool d, cudaStream_t s) {
        run_on<relu_gradient<bf16, reduction::add_in_any_order>>(d, s, matrix(a.in(), m, k), matrix(w.in(), k, n),
                                                                 matrix(z.in(), m, n), matrix(c.on(d), m, n),
                                                                 tensor(of_bias.on(d), n));
      },
      c, of_bias);
  compare(
      "linear_amax",
      [&](bool d, cudaStream_t s) {
        run_on<linear_amax<e4m3, bf16>>(d, s, matrix(a8.in(), m, k), matrix(w8.in(), n, k), tensor(scale.in()),
                                        matrix(c.on(d), m, n), tensor(amax.on(d)));
      },
      c, amax);
  compare(
      "linear_cross_entropy",
      [&](bool d, cudaStream_t s) {
        run_on<linear_cross_entropy<bf16>>(d, s, matrix(a.in(), m, k), matrix(w.in(), n, k), matrix(c.on(d), m, n),
                                           tensor(most.on(d), tiles, m), tensor(sums.on(d), tiles, m));
      },
      c, most, sums);
  compare(
      "linear_argmax",
      [&](bool d, cudaStream_t s) {
        run_on<linear_argmax<bf16>>(d, s, matrix(a.in(), m, k), matrix(w.in(), n, k), matrix(c.on(d), m, n),
                                    tensor(most.on(d), tiles, m), tensor(where.on(d), tiles, m));
      },
      c, most, where);
}

constexpr configuration overlapping{
    .tile = of_clusters.tile, .stages = 3, .cluster = {2, 1}, .persistent = true, .overlap = launch_overlap::both};

}  // namespace

int main() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::printf("skipped: no GPU\n");
    return 77;
  }
  check_combined<upright>("combined");
  check_combined<narrow>("combined, tiles of 24 columns");
  check_combined<tall>("combined, two blocks of rows");
  check_combined<of_clusters>("combined, persistent clusters");
  check_combined<overlapping>("combined, under the kernel before");
  check_combined<of_wide_clusters>("combined, clusters of two columns");
  check_combined<swapped>("combined, swapped");
  check_combined<combined<tall>>("combined without tensor cores",
                                 [](auto... all) { run_without_tensor_cores<combined<tall>>(all...); });
  check_parts<float, upright>("parts of a softmax");
  check_parts<bf16, of_clusters>("parts of a softmax in bf16, persistent clusters");
  check_rows<float, upright>("rows");
  check_rows<bf16, of_clusters>("rows in bf16, persistent clusters");
  check_rows<float, of_wide_clusters>("rows, clusters that reach beyond the last column of tiles");
  check_rows<f16, tall>("rows in f16");
  check_places<upright>("places");
  check_places<tall>("places, two blocks of rows");
  check_places<of_clusters>("places, persistent clusters");
  check_places_in_rows<upright>("places in whole rows");
  check_reduced<upright>("rows reduced by functions", [](auto... all) { run_on<reduced_rows<upright>>(all...); });
  check_reduced<tall>("rows reduced by functions, without tensor cores",
                      [](auto... all) { run_without_tensor_cores<reduced_rows<tall>>(all...); });
  check_columns<two_groups>("columns over two warpgroups",
                            [](auto... all) { run_on<reduced_columns<two_groups>>(all...); });
  check_columns<three_groups>("columns over three warpgroups, clusters",
                              [](auto... all) { run_on<reduced_columns<three_groups>>(all...); });
  check_columns<two_groups>("columns without tensor cores",
                            [](auto... all) { run_without_tensor_cores<reduced_columns<two_groups>>(all...); });
  check_scaled_columns<configuration{.tile = {{"M", 128}, {"N", 64}}, .stages = 2, .persistent = true}>(
      "columns in every trip of a loop");
  check_row_sums<test::row_sums<1, configuration{.stages = 3}>>("sums of rows, and no matrix");
  check_row_sums<test::row_sums<2, configuration{.stages = 4, .cluster = {2, 1}, .persistent = true}>>(
      "sums of rows, and no matrix, persistent clusters");
  check_largest<largest<configuration{.stages = 3, .cluster = {2, 2}, .persistent = true}>>(
      "the largest of all, and no matrix");
  check_nearest();
  check_batches();
  check_layers();
  return failures > 0;
}
