// Products of e4m3 whose sums are scaled every 128 of K, where the scales come from: memory, behind the product, ahead
// of it or a trip ahead, or with the tiles (with_tiles). Beside them the same without scales in the loop, the plain
// product and cuBLASLt's.
//
//   bench_block_scales [--shapes MxNxK,...] [--rounds N]     4096 and 8192 in each mode unless given
//
// C in bf16 is the sum over blocks of (A_b W_b^T) * of_rows * of_squares: a scale for each row of A, and one for each
// square of 128 x 128 of W. All are timed in turns on the same random data, which L2 does not hold. With scales of one
// each is compared with cuBLASLt's result, with random ones with each other. The exit code is 1 if a result is wrong.
#include <sectile/dsl/launch/launch.hpp>
#include <sectile/kernels/gemm.hpp>

#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bench/operands.hpp"
#include "bench/report.hpp"

namespace sectile::bench {

namespace {

enum class scales { behind, ahead, trip_ahead, with_tiles, none };

/// Tiles of 128 x Cols. (Squares of 128 do not divide one of 192: what is measured there is the loop.)
template <scales From, int Cols, int Stages, bool Turns>
struct block_scaled {
  static constexpr vector_path path = From == scales::with_tiles ? vector_path::with_tiles : from_memory;
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", e4m3>(), input<"W(N,K)", e4m3>(), vector_input<"of_rows(KB,M)", float>(path),
                        vector_input<"of_squares(NB,KB)", float>(path), output<"C(M,N)", bf16>());
  static constexpr configuration how{.tile = {{"M", 128}, {"N", Cols}, {"K", 128}, {"KB", 1}},
                                     .stages = Stages,
                                     .persistent = true,
                                     .pingpong = Turns};

  static constexpr void body(auto& sm, auto A, auto W, auto of_rows, auto of_squares, auto C) {
    auto [m, n] = sm.tile_of(C);
    const auto column = as<"NB">(n);
    const auto product = [&](auto k) { return sm.accumulator(sm.load(A, {m, k}) * transpose(sm.load(W, {n, k}))); };
    const auto rows = [&](auto k) { return in_registers(sm.load(of_rows, {as<"KB">(k), m})); };
    const auto square = [&](auto k) { return sm.load(of_squares, {column, as<"KB">(k)}); };
    auto sum = sm.accumulator(C, as<float>());
    if constexpr (From == scales::trip_ahead) {
      auto of_next_rows = rows(0);
      auto of_next_square = square(0);
      for (auto k : sm.pipelined(tiles<"K">(A))) {
        const auto scale = of_next_rows * of_next_square;
        of_next_rows = rows(k + 1);
        of_next_square = square(k + 1);
        sum = fma(product(k), scale, sum);
      }
    } else {
      for (auto k : sm.pipelined(tiles<"K">(A))) {
        if constexpr (From == scales::ahead) {
          const auto of_row = rows(k);
          const auto of_square = square(k);
          const auto part = product(k);
          sum = fma(part, of_row * of_square, sum);
        } else {
          const auto part = product(k);
          if constexpr (From == scales::none)
            sum = fma(part, 1.5F, sum);
          else
            sum = fma(part, rows(k) * square(k), sum);
        }
      }
    }
    if constexpr (From == scales::none) {
      const auto last = tiles<"K">(A) - 1;
      sum = sum * rows(last) * square(last);
    }
    sm.store(C, {m, n}, sum);
  }
};

using plain = kernels::gemm<e4m3, e4m3, bf16>;

/// Operands with their scales.
struct data : operands<e4m3, e4m3, bf16> {
  device_buffer<float> of_rows, of_squares;

  data(const shape& s, std::uint64_t seed)
      : operands(s, seed),
        of_rows(static_cast<std::size_t>(s.m * blocks())),
        of_squares(static_cast<std::size_t>((s.n + 127) / 128 * blocks())) {
    fill_random(of_rows, 2 * seed + 100), fill_random(of_squares, 2 * seed + 101);
  }
  std::int64_t blocks() const { return size.k / 128; }

  /// Queues C by a kernel of ours.
  template <class K>
  void run(cudaStream_t on) const {
    if constexpr (std::is_same_v<K, plain>)
      by<K>(on);
    else
      launch<K>(matrix(static_cast<const e4m3*>(a.data), size.m, size.k), b_view(),
                matrix(static_cast<const float*>(of_rows.data), blocks(), size.m),
                matrix(static_cast<const float*>(of_squares.data), (size.n + 127) / 128, blocks()), c_view(), on);
  }
};

struct row {
  std::string title;
  void (data::*run)(cudaStream_t) const;
  bool scaled = true;  // as the others are, so that results agree
};
const row rows[] = {
    {"the plain product", &data::run<plain>, false},
    {"128 x 128, scales behind the product", &data::run<block_scaled<scales::behind, 128, 6, false>>},
    {"128 x 128, ahead of it", &data::run<block_scaled<scales::ahead, 128, 6, false>>},
    {"128 x 128, by turns, a trip ahead", &data::run<block_scaled<scales::trip_ahead, 128, 6, true>>},
    {"128 x 128, by turns, with tiles", &data::run<block_scaled<scales::with_tiles, 128, 6, true>>},
    {"128 x 128, by turns, none in the loop", &data::run<block_scaled<scales::none, 128, 6, true>>, false},
    {"128 x 192, by turns, a trip ahead", &data::run<block_scaled<scales::trip_ahead, 192, 4, true>>, false},
    {"128 x 192, by turns, with tiles", &data::run<block_scaled<scales::with_tiles, 192, 4, true>>, false},
    {"128 x 192, by turns, none in the loop", &data::run<block_scaled<scales::none, 192, 4, true>>, false},
};

template <class T>
__global__ void fill_with(T* to, std::size_t count, T x) {
  for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += std::size_t{gridDim.x} * blockDim.x)
    to[i] = x;
}

/// Of sets whose scales become ones.
bool check_results(std::vector<data>& sets, const lt_product& lt, std::size_t best, const stream& on) {
  constexpr double bar = 2e-2;  // 13 bits of each addend reach a sum
  bool right = true;
  const auto judge = [&](const row& r, double most, const auto& theirs) {
    if (!r.scaled) return;
    const double error = worst_error(
        sets, on, [&](data& d, cudaStream_t to) { (d.*r.run)(to); }, theirs);
    if (error <= most) return;
    right = false;
    std::printf("WRONG %s: relative error %.2e, at most %.0e\n", r.title.c_str(), error, most);
  };
  for (const row& r : rows)
    judge(r, 0, [&](data& d, cudaStream_t to) {
      std::swap(d.c.data, d.expected.data);
      (d.*rows[2].run)(to);
      std::swap(d.c.data, d.expected.data);
    });
  for (data& d : sets) {
    fill_with<<<data_blocks, data_threads>>>(d.of_rows.data, d.of_rows.count, 1.0F);
    fill_with<<<data_blocks, data_threads>>>(d.of_squares.data, d.of_squares.count, 1.0F);
  }
  check(cudaDeviceSynchronize(), "filling the scales");
  for (const row& r : rows) judge(r, bar, [&](data& d, cudaStream_t to) { d.by(lt, best, to); });
  return right;
}

bool measure(const shape& s, const options& how) {
  const stream on;
  std::vector<data> sets = make_sets<data>(s);
  const lt_product lt(s.m, s.n, s.k, lt_types_of<e4m3, e4m3, bf16, float>());
  const std::size_t best = fastest_candidate(sets, lt, on);
  std::vector<contestant> all{rotating(sets, [&](const data& d, cudaStream_t to) { d.by(lt, best, to); })};
  for (const row& r : rows) all.push_back(rotating(sets, [&r](const data& d, cudaStream_t to) { (d.*r.run)(to); }));
  const auto times = race(all, on, {.rounds = how.rounds});
  std::printf("%s\n", s.text(" x ").c_str());
  for (std::size_t i = 0; i < all.size(); ++i)
    std::printf("  %-40s %9.1f us %6.0f TFLOP/s, spread %.0f %%\n",
                i == 0 ? "cuBLASLt's best" : rows[i - 1].title.c_str(), times[i].median * 1e3,
                s.flops() / times[i].median * 1e-9, spread_percent(times[i]));
  return check_results(sets, lt, best, on);
}

}  // namespace

}  // namespace sectile::bench

int main(int count, char** words) {
  using namespace sectile::bench;
  try {
    const command_line allowed{.multiple = {128, 128, 128}};
    const options how = read_options(count, words, allowed,
                                     {.shapes = {{4096, 4096, 4096}, {8192, 8192, 8192}}, .json = "", .only = ""});
    if (!how.json.empty()) throw std::runtime_error("--json: these figures have no file in docs/measured");
    std::printf("%s\n", this_machine().text().c_str());
    bool right = true;
    for (const shape& s : how.shapes) right = measure(s, how) && right;
    return right ? 0 : 1;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "bench_block_scales: %s\n", e.what());
    return 2;
  }
}
