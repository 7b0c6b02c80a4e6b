// kernels/block_scaled_gemm.hpp: products of e4m3 whose sums are scaled every 128 of K, by scales of squares or of rows
// of B, in f32 or as exponents; with scales of squares in tiles of other widths as well, and what a launch picks of
// kernels/block_scaled_family.hpp. Beside them the same with scales that threads read in memory a trip ahead, the same
// without scales, the plain product and cuBLASLt's.
//
//   bench_block_scales [--shapes MxNxK,...] [--rounds N]     4096 and 8192 in each mode unless given
//
// All are timed in turns on the same random data, which L2 does not hold. Kernels with the same scales have to leave
// the same bits, and with scales of one what cuBLASLt's leaves, nearly. The exit code is 1 if a result is wrong.
#include <sectile/dsl/launch/launch.hpp>
#include <sectile/kernels/block_scaled_family.hpp>
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

using kernels::scaled_block, kernels::scaled_part;
constexpr auto of_squares = scaled_part::square, of_rows = scaled_part::row;

template <scaled_part OfB, class Scale = float, int Columns = scaled_block>
using scaled = kernels::block_scaled_gemm<e4m3, bf16, OfB, Scale, Columns>;
using family = kernels::block_scaled_gemm_e4m3_family;

/// Tiles that squares divide, and two consumers.
struct square_tiles : scaled<of_squares> {
  static constexpr configuration how{.tile = {{"M", 128}, {"N", 128}, {"K", scaled_block}, {"KB", 1}},
                                     .stages = 6,
                                     .persistent = true,
                                     .pingpong = true};
};

/// The same whose scales threads read in memory, a trip ahead.
struct trip_ahead {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", e4m3>(), input<"B(N,K)", e4m3>(), vector_input<"SA(KB,M)", float>(),
                        vector_input<"SB(NB,KB)", float>(), output<"C(M,N)", bf16>());
  static constexpr configuration how = square_tiles::how;

  static constexpr void body(auto& sm, auto A, auto B, auto SA, auto SB, auto C) {
    auto [m, n] = sm.tile_of(C);
    const auto row = m;
    const auto column = as<"NB">(n);
    const auto rows = [&](auto k) { return in_registers(sm.load(SA, {as<"KB">(k), row})); };
    const auto square = [&](auto k) { return sm.load(SB, {column, as<"KB">(k)}); };
    auto sum = sm.accumulator(C, as<float>());
    auto of_next_rows = rows(0);
    auto of_next_square = square(0);
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      const auto scale = of_next_rows * of_next_square;
      of_next_rows = rows(k + 1);
      of_next_square = square(k + 1);
      sum = fma(sm.accumulator(sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}))), scale, sum);
    }
    sm.store(C, {m, n}, sum);
  }
};

/// The same without scales: what the loop costs.
struct no_scales {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", e4m3>(), input<"B(N,K)", e4m3>(), output<"C(M,N)", bf16>());
  static constexpr configuration how = scaled<of_squares>::how.with_tile({{"M", 192}, {"N", 128}, {"K", scaled_block}});

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto sum = sm.accumulator(C, as<float>());
    for (auto k : sm.pipelined(tiles<"K">(A)))
      sum = fma(sm.accumulator(sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}))), 1.5F, sum);
    sm.store(C, {m, n}, sum);
  }
};

using plain = kernels::gemm<e4m3, e4m3, bf16>;

template <class T>
__global__ void fill_with(T* to, std::size_t count, T x) {
  for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += std::size_t{gridDim.x} * blockDim.x)
    to[i] = x;
}

/// The types of a kernel's operands: two matrices, perhaps two of scales, and the result.
template <class K>
inline constexpr bool takes_scales = operand_count<K> > 3;
template <class K>
concept has_forms = requires {
  K::squares;
  K::exponents;
};

/// Operands with their scales: of rows of A, of squares of B or of its rows, in f32 and as exponents.
struct data : operands<e4m3, e4m3, bf16> {
  device_buffer<float> of_a, of_squares, of_b;
  device_buffer<u8> exponents_of_a, exponents_of_squares;

  data(const shape& s, std::uint64_t seed)
      : operands(s, seed),
        of_a(static_cast<std::size_t>(s.m * blocks())),
        of_squares(static_cast<std::size_t>(squares() * blocks())),
        of_b(static_cast<std::size_t>(s.n * blocks())),
        exponents_of_a(of_a.count),
        exponents_of_squares(of_squares.count) {
    std::uint64_t next = 2 * seed + 100;
    for (device_buffer<float>* x : {&of_a, &of_squares, &of_b}) fill_random(*x, next++);
    // 2^0 everywhere: what is timed does not depend on it, and results are those without scales.
    fill_with<<<data_blocks, data_threads>>>(exponents_of_a.data, exponents_of_a.count, u8{127});
    fill_with<<<data_blocks, data_threads>>>(exponents_of_squares.data, exponents_of_squares.count, u8{127});
  }
  std::int64_t blocks() const { return size.k / scaled_block; }
  std::int64_t squares() const { return (size.n + scaled_block - 1) / scaled_block; }

  /// Queues C by a kernel of ours.
  template <class K>
  void run(cudaStream_t on) const {
    const auto a_view = matrix(static_cast<const e4m3*>(a.data), size.m, size.k);
    const auto queue = [&](const auto& scales_of_a, const auto& scales_of_b, std::int64_t rows, std::int64_t cols) {
      launch<K>(a_view, b_view(), given(scales_of_a, blocks(), size.m), given(scales_of_b, rows, cols), c_view(), on);
    };
    if constexpr (!takes_scales<K>)
      by<K>(on);
    else if constexpr (!has_forms<K>)
      queue(of_a, of_squares, squares(), blocks());
    else if constexpr (K::exponents)
      queue(exponents_of_a, exponents_of_squares, squares(), blocks());
    else if constexpr (K::squares)
      queue(of_a, of_squares, squares(), blocks());
    else
      queue(of_a, of_b, blocks(), size.n);
  }

 private:
  template <class T>
  static auto given(const device_buffer<T>& x, std::int64_t rows, std::int64_t cols) {
    return tensor(static_cast<const T*>(x.data), rows, cols);
  }
};

/// Which results are the same, those with one number; of parts of sums that are added up they have other last bits.
enum class scaled_by : std::uint8_t { nothing, squares, squares_in_parts, rows, exponents };
struct row {
  std::string title;
  void (data::*run)(cudaStream_t) const;
  scaled_by how = scaled_by::nothing;
};
const row rows[] = {
    {"the plain product", &data::run<plain>},
    {"scales of squares, with tiles", &data::run<scaled<of_squares>>, scaled_by::squares},
    {"scales of squares, 128 x 128", &data::run<square_tiles>, scaled_by::squares},
    {"scales of squares, 192 columns", &data::run<scaled<of_squares, float, 192>>, scaled_by::squares},
    {"scales of squares, the pick", &data::run<family>, scaled_by::squares_in_parts},
    {"scales of squares, a trip ahead", &data::run<trip_ahead>, scaled_by::squares},
    {"scales of squares, exponents", &data::run<scaled<of_squares, u8>>, scaled_by::exponents},
    {"scales of rows", &data::run<scaled<of_rows>>, scaled_by::rows},
    {"scales of rows, 192 columns", &data::run<scaled<of_rows, float, 192>>, scaled_by::rows},
    {"no scales", &data::run<no_scales>},
};

/// First kernels that have the same scales with each other; then all with cuBLASLt's, as the scales become ones.
bool check_results(std::vector<data>& sets, const lt_product& lt, std::size_t best, const stream& on) {
  constexpr double bar = 2e-2;  // 13 bits of each addend reach a sum
  bool right = true;
  const auto judge = [&](const row& r, double most, const auto& theirs) {
    const double error = worst_error(
        sets, on, [&](data& d, cudaStream_t to) { (d.*r.run)(to); }, theirs);
    if (error <= most) return;
    right = false;
    std::printf("WRONG %s: relative error %.2e, at most %.0e\n", r.title.c_str(), error, most);
  };
  for (const row& r : rows)
    for (const row* other = rows; other != &r; ++other)
      if (r.how == other->how && r.how != scaled_by::nothing)
        judge(r, 0, [&](data& d, cudaStream_t to) {
          std::swap(d.c.data, d.expected.data);
          (d.*other->run)(to);
          std::swap(d.c.data, d.expected.data);
        });
  for (data& d : sets)
    for (const device_buffer<float>* x : {&d.of_a, &d.of_squares, &d.of_b})
      fill_with<<<data_blocks, data_threads>>>(x->data, x->count, 1.0F);
  check(cudaDeviceSynchronize(), "filling the scales");
  for (const row& r : rows)
    if (r.how != scaled_by::nothing) judge(r, bar, [&](data& d, cudaStream_t to) { d.by(lt, best, to); });
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
    const command_line allowed{.multiple = {64, 64, 128}};
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
