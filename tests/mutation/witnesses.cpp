// Kernels that a mutant of the library is tried on: between them they have what a plan can have. Each is proven as this
// is compiled and runs on the model; a line for each says what was noticed, or which bits came out.
#include <bit>
#include <cstdio>
#include <random>
#include <sectile/kernels/grouped_block_scaled.hpp>
#include <sectile/kernels/long_rows.hpp>
#include <sectile/kernels/sparse_gemm.hpp>

#include "tests/programs/convolutions.hpp"
#include "tests/programs/groups.hpp"
#include "tests/programs/host_vector.hpp"
#include "tests/programs/matmul.hpp"
#include "tests/programs/vectors_with_tiles.hpp"
#include "tests/programs/written_vectors.hpp"

namespace {

using namespace sectile;
using namespace sectile::test;

/// FNV-1a, of what kernels have left in memory.
struct bits_seen {
  std::uint64_t hash = 0xcbf29ce484222325u;
  template <class T>
  void add(const host_tensor<T>& x) {
    for (const T& element : x.elements())
      for (const std::uint8_t byte : std::bit_cast<std::array<std::uint8_t, sizeof(T)>>(element))
        hash = (hash ^ byte) * 0x100000001b3u;
    hash += static_cast<std::uint64_t>(x.touched());
  }
};

/// A product whose output lies by columns.
template <int M, int N, int K, configuration How>
struct by_columns : matmul<M, N, K, How> {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>(col_major));
};
/// Both factors lie by columns.
struct of_columns {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(col_major), input<"B(N,K)", bf16>(col_major), output<"C(M,N)", bf16>());
  static constexpr configuration how{.tile = {{"M", 128}, {"N", 96}, {"K", 64}}, .stages = 2, .cluster = {1, 2}};
  static constexpr void body(auto& sm, auto A, auto B, auto C) { matmul<128, 96, 64, how>::body(sm, A, B, C); }
};
/// A left factor that goes through registers.
struct through_registers : matmul<128, 64, 64, configuration{.stages = 3, .consumers = 2}> {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A)))
      acc += cast<bf16>(cast<float>(in_registers(sm.load(A, {m, k}))) * 0.5f) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};
/// A left factor of 8 bits, which registers make as wide as the other one.
struct of_8_bits : through_registers {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", s8>(), input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>());
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C, as<float>());
    for (auto k : sm.pipelined(tiles<"K">(A)))
      acc += cast<bf16>(in_registers(sm.load(A, {m, k}))) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};
/// Two products in a loop, the second of the first one's result, with a mask; consumers take turns.
struct chain_in_turns {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,K)", bf16>());
  static constexpr configuration how{
      .tile = {{"M", 128}, {"N", 64}, {"K", 64}}, .stages = 4, .consumers = 2, .pingpong = true};
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, k] = sm.tile_of(C);
    auto sum = sm.accumulator(C);
    for (auto n : sm.pipelined(tiles<"N">(B))) {
      const auto b = sm.load(B, {n, k});
      auto x = sm.accumulator(sm.load(A, {m, k}) * transpose(b));
      mask(
          x, {m, n}, true, [](int row, int col) { return col <= row; }, 0);
      sum += cast<bf16>(x * 0.125f) * b;
    }
    sm.store(C, {m, k}, sum);
  }
};
/// Two loops with a pipeline each, the second of tiles far above (zeros, where there are none), a residual, and rows and
/// columns that are reduced.
struct two_loops {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     input<"R(M,N)", bf16>(), output<"C(M,N)", bf16>());
  static constexpr configuration how{.tile = {{"M", 128}, {"N", 64}, {"K", 64}}, .stages = 3, .persistent = true};
  static constexpr void body(auto& sm, auto A, auto B, auto R, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    for (auto k : sm.pipelined(tiles<"K">(A))) acc -= sm.load(A, {m - 7, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, (acc + sm.load(R, {m, n})) - row_max(acc * acc) + col_sum(acc));
  }
};

/// Each consumer has two blocks of 64 rows of the sparse factor.
struct sparse_pairs : kernels::sparse_gemm<bf16, bf16, bf16> {
  static constexpr configuration how{
      .tile = {{"M", 256}, {"N", 64}, {"K", 64}}, .stages = 3, .cluster = {2, 1}, .consumers = 2, .persistent = true};
};

/// Four CTAs, each of which fetches a quarter of the tile that all of them add.
struct in_squares {
  static constexpr auto operands = two_loops::operands;
  static constexpr configuration how{
      .tile = {{"M", 64}, {"N", 64}, {"K", 64}}, .stages = 3, .cluster = {2, 2}, .consumers = 1};
  static constexpr void body(auto& sm, auto A, auto B, auto R, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc + sm.load(R, {0, 0}));
  }
};
/// Two outputs, whose buffers the next tile finds in use; the second one's sums begin with what lies in memory.
struct two_outputs {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), input<"R(M,N)", float>(),
                        output<"C(M,N)", bf16>(), output<"D(M,N)", float>());
  static constexpr configuration how{
      .tile = {{"M", 64}, {"N", 64}, {"K", 64}}, .stages = 3, .consumers = 1, .persistent = true};
  static constexpr void body(auto& sm, auto A, auto B, auto R, auto C, auto D) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    auto more = in_registers(sm.load(R, {m, n}));
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      const auto a = sm.load(A, {m, k});
      const auto b = transpose(sm.load(B, {n, k}));
      acc += a * b;
      more += a * b;
    }
    sm.store(C, {m, n}, acc);
    sm.store(D, {m, n}, more);
  }
};
/// Two sums of a tile, which meet one after the other in a cluster, in two rounds each.
struct two_meetings : matmul<128, 64, 64, configuration{.stages = 4, .consumers = 2, .split = 4}> {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto one = sm.accumulator(C), other = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      auto a = sm.load(A, {m, k});
      auto b = transpose(sm.load(B, {n, k}));
      one += a * b;
      other -= a * b;
    }
    sm.store(C, {m, n}, one * other);
  }
};
/// Tiles of two batches behind each other, the last rows first; sums of the columns of each batch.
struct in_batches {
  static constexpr auto operands = sectile::operands(vector_output<"sums(G,N)", float>(), input<"A(G,M,K)", bf16>(),
                                                     input<"B(G,N,K)", bf16>(), output<"C(G,M,N)", bf16>());
  static constexpr configuration how{.tile = {{"G", 1}, {"M", 64}, {"N", 64}, {"K", 64}},
                                     .stages = 3,
                                     .consumers = 1,
                                     .persistent = true,
                                     .batches = 2,
                                     .rows = traversal::reversed};
  static constexpr void body(auto& sm, auto sums, auto A, auto B, auto C) {
    auto [g, m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {g, m, k}) * transpose(sm.load(B, {g, n, k}));
    sm.combine(sums, {g, n}, acc, reduction::add);
    sm.store(C, {g, m, n}, acc);
  }
};

/// Numbers of rows that two CTAs know, and sums of columns in one order; the rows come from memory.
struct told_rows {
  static constexpr auto operands = sectile::operands(input<"X(M,N)", float>(), output<"Y(M,N)", float>(),
                                                     output<"sums(M)", float>(), output<"ordered(N)", float>());
  static constexpr configuration how{
      .tile = {{"M", 8}, {"N", 64}}, .stages = 2, .cluster = {1, 2}, .consumers = 1, .swap = true};
  static constexpr void body(auto& sm, auto X, auto Y, auto sums, auto ordered) {
    auto [m, n] = sm.wide_tile_of(Y);
    const auto x = in_registers(sm.load(X, {m, n}));
    sm.store(sums, {m}, row_sum(x));
    sm.combine(ordered, {n}, x, reduction::add);
    sm.store(Y, {m, n}, x);
  }
};

/// Vectors that come with tiles, one of them in two boxes.
using wide_scales = test::scales::scaled<bf16, with_tiles, test::scales::meeting::in_place, test::scales::swapped>;

/// Rows of a problem hang over the edge of a tile, and columns over that of what TMA stores.
struct problem {
  int rows = 330, cols = 124, depth = 200;
};
/// The second tile of a cluster begins where the rows end.
constexpr problem low{.rows = 128, .cols = 68, .depth = 2000};
constexpr model_options shuffled{.schedule = schedule_mode::random, .seed = 5, .workers = 1};

/// Three groups of rows, the second of which is empty; with rooms, the last one is half full.
template <class K>
bits_seen run_groups(const problem& p) {
  constexpr int groups = 3;
  const int rows = p.rows - p.rows % groups, cols = p.cols, depth = p.depth;
  constexpr bool rooms = operand_facts_of<K, cuts_of<K>.ends[0]>().counts_rows;
  const std::vector<s32> said = rooms ? std::vector{rows / 3, 0, rows / 6} : std::vector{rows / 3, rows / 3, rows - 5};
  const auto numbers = tensor(said.data(), groups);
  bits_seen seen;
  const auto run = [&](const auto&... all) { run_on_model_by_itself<K>(shuffled, all...); };
  host_tensor<bf16> x({rows, depth}), w({groups, cols, depth}), y({rows, cols});
  x.fill(1), w.fill(2);
  if constexpr (std::is_same_v<K, kernels::grouped_block_scaled_gemm<e4m3, bf16>>) {
    const auto parts = [](int size) { return (size + 127) / 128; };
    host_tensor<e4m3> X({rows, depth}), W({groups, cols, depth});
    host_tensor<float> SW({groups, parts(cols), parts(depth)});
    const host_vector<float> SX(rows, 1, 4, parts(depth), 3);
    X.fill(1), W.fill(2), SW.fill(3);
    run(X.in(), W.in(), SX.batches(), SW.in(), numbers, y.view());
    seen.add(y);
  } else if constexpr (operand_count<K> == 7) {
    const host_vector<float> of_row(rows, 0, 3), of_col(cols, 0, 4, groups);
    run(x.in(), w.in(), w.in(), of_row.in(), of_col.batches(), numbers, y.view());
    seen.add(y);
  } else if constexpr (cut_of<K, 1>() >= 0) {  // sums over rows
    host_tensor<float> sums({groups, cols, depth});
    y.fill(3);
    run(y.in(), x.in(), numbers, sums.view());
    seen.add(sums);
  } else {
    host_tensor<float> wide({rows, cols});
    run(x.in(), w.in(), numbers, wide.view());
    seen.add(wide);
  }
  return seen;
}
/// Images read through a filter whose numbers differ along rows and columns, or by the plain one of 3 x 3.
template <class K>
bits_seen run_images(const problem& p) {
  const bool plain = p.rows == low.rows;
  const convolutions::geometry g{
      .n = 3, .h = 11, .w = 9, .c = 40, .k = 72, .path = plain ? convolutions::three : convolutions::uneven[0]};
  const auto& filter = g.path.filter;
  host_tensor<bf16> x({g.n, g.h * g.w * g.c}), w({filter.rows * filter.cols, g.k, g.c}), y({g.pixels(), g.k});
  x.fill(1), w.fill(2);
  run_on_model_by_itself<K>(shuffled, im2col(tensor(x.in().data, g.n, g.h, g.w, g.c), g.path), w.in(), y.view());
  bits_seen seen;
  seen.add(y);
  return seen;
}
template <class K>
bits_seen run_one(const problem& p) {
  const auto [rows, cols, depth] = p;
  host_tensor<bf16> A({rows, depth}), B({cols, depth});
  A.fill(1), B.fill(2);
  bits_seen seen;
  const auto run = [&](const auto&... all) { run_on_model_by_itself<K>(shuffled, all...); };
  if constexpr (operand_count<K> == 7) {
    host_tensor<float> x({rows, cols}), of_row({rows}), of_col({cols}), most({1}), sum({1});
    run(A.in(), B.in(), of_col.view(), of_row.view(), x.view(), tensor(most.view().data), tensor(sum.view().data));
    seen.add(x), seen.add(of_row), seen.add(most);  // the last bits of sums in any order are nobody's
  } else if constexpr (std::is_same_v<K, wide_scales>) {
    const int blocks = (depth + 63) / 64;
    host_tensor<bf16> of_row({blocks, rows}), of_col({blocks, cols});
    host_tensor<float> of_tile({(cols + 255) / 256, blocks}), c({rows, cols});
    of_row.fill(3), of_col.fill(4), of_tile.fill(5);
    run(of_row.in(), A.in(), B.in(), of_col.in(), of_tile.in(), c.view());
    seen.add(c);
  } else if constexpr (operand_count<K> == 2) {
    host_tensor<bf16> X({70, 576}), Y({70, 576});
    X.fill(1);
    if constexpr (operand_facts_of<K, 0>().tile.rank == 3)
      run(folded(X.in(), 8), folded(Y.view(), 8));
    else
      run(X.in(), Y.view());
    seen.add(Y);
  } else if constexpr (std::is_same_v<K, told_rows>) {
    host_tensor<float> x({rows, cols}), y({rows, cols}), sums({rows}), ordered({cols});
    x.fill(1);
    run(x.in(), y.view(), sums.view(), ordered.view());
    seen.add(y), seen.add(sums), seen.add(ordered);
  } else if constexpr (std::is_same_v<K, partial_softmax<bf16, upright>>) {
    const int tiles = (cols + 63) / 64;
    host_tensor<bf16> c({rows, cols}), sums({tiles, rows});
    host_tensor<float> most({tiles, rows});
    run(A.in(), B.in(), c.view(), most.view(), sums.view());
    seen.add(c), seen.add(most), seen.add(sums);
  } else if constexpr (std::is_same_v<K, in_squares>) {  // the one tile that there is of R is the work as well
    host_tensor<bf16> a({64, depth}), b({64, depth}), r({64, 64}), c({64, 64});
    a.fill(1), b.fill(2), r.fill(3);
    run(a.in(), b.in(), r.in(), c.view());
    seen.add(c);
  } else if constexpr (std::is_same_v<K, two_outputs>) {
    host_tensor<float> r({rows, cols}), d({rows, cols});
    host_tensor<bf16> c({rows, cols});
    r.fill(3);
    run(A.in(), B.in(), r.in(), c.view(), d.view());
    seen.add(c), seen.add(d);
  } else if constexpr (std::is_same_v<K, in_batches>) {
    host_tensor<bf16> a({3, rows, depth}), b({3, cols, depth}), c({3, rows, cols});
    host_tensor<float> sums({3, cols});
    a.fill(1), b.fill(2);
    run(sums.view(), a.in(), b.in(), c.view());
    seen.add(c), seen.add(sums);
  } else if constexpr (operand_facts_of<K, 0>().sparse) {
    host_tensor<bf16> half({rows, 128}), b({cols, 256}), C({rows, cols});
    half.fill(1), b.fill(2);
    std::vector<std::uint32_t> metadata(static_cast<std::size_t>(sparse_metadata_words<bf16>(rows, 256)));
    std::minstd_rand next;
    for (std::uint32_t& word : metadata)  // of the six legal nibbles
      for (int n = 0; n < 8; ++n) word = word << 4 | (0xEDC984u >> next() % 6 * 4 & 0xF);
    run(sparse(half.in().data, metadata.data(), rows, 256), b.in(), C.view());
    seen.add(C);
  } else if constexpr (std::is_same_v<K, of_8_bits>) {
    host_tensor<s8> a({rows, depth});
    host_tensor<bf16> C({rows, cols});
    a.fill(1);
    run(a.in(), B.in(), C.view());
    seen.add(C);
  } else {
    using T = std::remove_const_t<typename operand_at<K, operand_count<K> - 1>::element_type>;
    host_tensor<T> C({rows, std::is_same_v<K, chain_in_turns> ? depth : cols},
                     operand_facts_of<K, operand_count<K> - 1>().order);
    host_tensor<bf16> R({rows, cols});
    R.fill(3);
    if constexpr (operand_count<K> == 4) {
      run(A.in(), B.in(), R.in(), C.view());
    } else if constexpr (operand_facts_of<K, 0>().order == col_major) {
      host_tensor<bf16> a({rows, depth}, col_major), b({cols, depth}, col_major);
      a.fill(1), b.fill(2);
      run(a.in(), b.in(), C.view());
    } else {
      run(A.in(), B.in(), C.view());
    }
    seen.add(C);
  }
  return seen;
}
template <class K>
void try_one(const char* name) {
  try {
    const auto run = [](const problem& p) {
      if constexpr (has_groups<K>)
        return run_groups<K>(p).hash;
      else if constexpr (has_im2col_operand<K>())
        return run_images<K>(p).hash;
      else
        return run_one<K>(p).hash;
    };
    const std::uint64_t first = run({}), other = run(low);
    std::printf("%s: bits %016llx\n", name, static_cast<unsigned long long>(first ^ other << 1));
  } catch (const model::hazard& found) {
    std::printf("%s: model: %s\n", name, found.what());
  } catch (const launch_error& refused) {
    std::printf("%s: launch: %s\n", name, refused.what());
  }
  std::fflush(stdout);
}

/// Every kernel, or those of one group, so that a mutant which any of them notices is noticed soon: the first one has
/// the most different kernels.
#ifndef WITNESS_GROUP
#define WITNESS_GROUP -1
#endif
template <int Group>
constexpr bool is_tried = WITNESS_GROUP < 0 || WITNESS_GROUP == Group;
void try_all() {
  if constexpr (is_tried<0>) {
    try_one<matmul<128, 64, 128, configuration{.stages = 2, .consumers = 2, .stagger = 1}>>("two panels");
    try_one<chain_in_turns>("a chain in turns");
    try_one<matmul<128, 128, 64, configuration{.stages = 3, .cluster = {2, 1}, .persistent = true, .group = 2}>>(
        "deferred, in clusters");
    try_one<matmul<128, 64, 64, configuration{.stages = 2, .split = 4}>>("parts in a cluster");
    try_one<combined<upright>>("vectors");
    try_one<member<kernels::softmax<bf16>, 0>>("rows in loops");
  }
  if constexpr (is_tried<1>) {
    try_one<matmul<64, 72, 64, configuration{.stages = 2, .cluster = {1, 2}, .consumers = 1}, float>>(
        "clusters that share A");
    try_one<matmul<40, 128, 64, configuration{.stages = 2, .persistent = true, .swap = true}, e4m3>>(
        "swapped, of 8 bits");
    try_one<matmul<64, 64, 64, configuration{.stages = 3, .own_tiles = true, .persistent = true}>>("tiles by turns");
    try_one<two_loops>("two loops");
    try_one<matmul<64, 64, 64, configuration{.stages = 2, .consumers = 1, .persistent = true, .streamed = true}>>(
        "streamed");
    try_one<two_outputs>("two outputs");
    try_one<told_rows>("numbers of rows of a cluster");
    try_one<by_columns<128, 64, 64, configuration{.stages = 2}>>("an output by columns");
  }
  if constexpr (is_tried<2>) {
    try_one<matmul<
        128, 16, 64,
        configuration{
            .stages = 4, .cluster = {2, 1}, .persistent = true, .dynamic = true, .overlap = launch_overlap::both}>>(
        "drawn work");
    try_one<matmul<64, 64, 64, configuration{.stages = 2, .consumers = 1, .split = 12}>>("parts in a workspace");
    try_one<through_registers>("a factor through registers");
    try_one<sparse_pairs>("a sparse factor");
    try_one<in_batches>("batches");
    try_one<matmul<64, 256, 64, configuration{.stages = 2, .consumers = 1, .persistent = true, .output_buffers = 4},
                   float>>("panels in turns");
    try_one<member<kernels::long_softmax<bf16>, 2>>("rows of a cluster");
  }
  if constexpr (is_tried<3>) {
    try_one<of_columns>("factors by columns");
    try_one<in_squares>("clusters of two by two");
    try_one<partial_softmax<bf16, upright>>("numbers of rows of each tile");
    try_one<of_8_bits>("a factor of 8 bits");
    try_one<matmul<64, 64, 64, configuration{.stages = 2, .consumers = 1}, e4m3>>("an output of 8 bits");
    try_one<wide_scales>("vectors with tiles");
    try_one<combined<of_clusters>>("vectors of clusters");
    try_one<matmul<128, 64, 64, configuration{.stages = 2, .cluster = {2, 1}, .split = 2}>>("parts in clusters");
    try_one<two_meetings>("two meetings");
    try_one<matmul<64, 64, 64, configuration{.stages = 2, .consumers = 1, .swap = true}, float>>("swapped, of 32 bits");
  }
  if constexpr (is_tried<4>) {
    try_one<groups::rows_in_rooms<float, groups::pairs>>("rooms of clusters");
    try_one<groups::gated<groups::plain>>("vectors of groups");
    try_one<groups::sums_of_rows<groups::summing>>("sums over rows of a group");
    try_one<kernels::grouped_block_scaled_gemm<e4m3, bf16>>("groups with scales");
    try_one<convolutions::with<convolutions::pair>>("pixels of clusters");
    try_one<convolutions::with<convolutions::tall>>("pixels in two boxes");
  }
}

}  // namespace

int main() { try_all(); }
