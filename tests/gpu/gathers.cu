// Rows that an index picks, on a GPU and on the model. Operands are small whole numbers, so sums have the same bits.
// Exits with 77 where there is no GPU.
#include <sectile/dsl/launch/checked.hpp>

#include <vector>

#include "tests/gpu/output_pairs.hpp"
#include "tests/programs/gathers.hpp"

namespace {

using namespace sectile;
using namespace sectile::gpu_test;
namespace gathers = sectile::test::gathers;

constexpr int row_padding = 8;  // elements between rows of A

/// An index of so many numbers of rows, some of them again and again, and some that pick none.
struct row_index {
  shared_memory<s32> numbers;
  row_index(int count, int rows, unsigned seed) : numbers(count) {
    for (int i = 0; i < count; ++i) {
      const unsigned bits = static_cast<unsigned>(random_bits(seed, static_cast<unsigned>(i)));
      numbers.get()[i] = bits % 11 == 0 ? -1 : static_cast<int>(bits / 11 % static_cast<unsigned>(rows));
    }
  }
  auto view() const { return tensor(numbers.in(), numbers.count); }
};

template <configuration How, class In = bf16>
void check_product(const char* name, int m, int n, int k, int rows) {
  using K = gathers::product<How, In>;
  const int pitch = k + row_padding * 2;
  shared_memory<In> a(rows * pitch), b(n * k);
  a.fill(1), b.fill(2);
  const row_index row(m, rows, 3);
  output_pair<float> c("C", m * n);
  std::size_t bytes = 0;
  if constexpr (needs_workspace(plan_of<K>))
    bytes =
        workspace_bytes<K>(matrix(a.in(), rows, k, pitch), row.view(), matrix(b.in(), n, k), matrix(c.on(true), m, n));
  shared_workspace memory(bytes);
  compare(
      name,
      [&](bool d, cudaStream_t s) {
        if constexpr (needs_workspace(plan_of<K>))
          run_on<K>(d, s, matrix(a.in(), rows, k, pitch), row.view(), matrix(b.in(), n, k), matrix(c.on(d), m, n),
                    memory.view());
        else
          run_on<K>(d, s, matrix(a.in(), rows, k, pitch), row.view(), matrix(b.in(), n, k), matrix(c.on(d), m, n));
      },
      c);
}

void check_both(int m, int n, int k, int rows) {
  shared_memory<bf16> a(rows * k), b(rows * k);
  a.fill(1), b.fill(2);
  const row_index row(m, rows, 3), col(n, rows, 4);
  output_pair<float> c("C", m * n);
  compare(
      "both factors",
      [&](bool d, cudaStream_t s) {
        run_on<gathers::both<gathers::plain>>(d, s, matrix(a.in(), rows, k), matrix(b.in(), rows, k), row.view(),
                                              col.view(), matrix(c.on(d), m, n));
      },
      c);
}

/// A layer of experts from tokens to tokens: each of its three launches takes what the one before has left.
void check_layer(const std::vector<int>& sizes, int tokens, int k, int hidden) {
  const int experts = static_cast<int>(sizes.size());
  shared_memory<s32> ends(experts);
  int pairs = 0;
  for (int e = 0; e < experts; ++e) ends.get()[e] = pairs += sizes[static_cast<std::size_t>(e)];
  const int each = pairs / tokens;
  const row_index token(pairs, tokens, 5), slot(each * tokens, pairs, 6);
  shared_memory<bf16> x(tokens * k), g(experts * hidden * k), u(experts * hidden * k), w(experts * k * hidden);
  shared_memory<float> weight(pairs);
  x.fill(1), g.fill(2), u.fill(3), w.fill(4), weight.fill(5);
  // The exponential of SwiGLU differs in the last bit (docs/design/agreement.md), the launches behind it take
  // one input.
  output_pair<bf16> h("H", pairs * hidden, 0x1p-7), p("P", pairs * k), y("Y", tokens * k);
  compare(
      "experts of tokens",
      [&](bool d, cudaStream_t s) {
        run_on<kernels::gathered_experts<bf16, kernels::activation::silu>>(
            d, s, matrix(x.in(), tokens, k), token.view(), tensor(g.in(), experts, hidden, k),
            tensor(u.in(), experts, hidden, k), tensor(ends.in(), experts), matrix(h.on(d), pairs, hidden));
      },
      h);
  output_pair<float> dw("dW", experts * hidden * k);
  compare(
      "weights of tokens",
      [&](bool d, cudaStream_t s) {
        run_on<kernels::gathered_weights<bf16, float>>(
            d, s, matrix(const_cast<const bf16*>(h.on(false)), pairs, hidden), matrix(x.in(), tokens, k), token.view(),
            tensor(ends.in(), experts), tensor(dw.on(d), experts, hidden, k));
      },
      dw);
  shared_workspace memory(128);
  compare(
      "weighted",
      [&](bool d, cudaStream_t s) {
        run_on<kernels::weighted_experts<bf16, bf16>>(
            d, s, matrix(const_cast<const bf16*>(h.on(false)), pairs, hidden), tensor(w.in(), experts, k, hidden),
            tensor(weight.in(), pairs), tensor(ends.in(), experts), matrix(p.on(d), pairs, k), memory.view());
      },
      p);
  const tensor_view<const s32> slots{slot.numbers.in(), 2, {each, tokens}, {tokens, 1}};
  compare(
      "summed",
      [&](bool d, cudaStream_t s) {
        run_on<kernels::summed_experts<bf16, bf16>>(d, s, matrix(const_cast<const bf16*>(p.on(false)), pairs, k), slots,
                                                    matrix(y.on(d), tokens, k));
      },
      y);
}

/// Numbers that no row has: they pick zeros, and nothing is read that is not there.
void check_wrong_numbers() {
  constexpr int m = 100, n = 72, k = 64, rows = 10;
  using K = gathers::product<gathers::plain>;
  shared_memory<bf16> a(rows * k), b(n * k);
  a.fill(1), b.fill(2);
  shared_memory<s32> row(m);
  shared_memory<float> c(m * n);
  const s32 wrong[]{-2, 10, 2147483647, -2147483647 - 1, 1 << 20};
  for (int i = 0; i < m; ++i) row.get()[i] = wrong[i % 5];
  launch<K>(matrix(a.in(), rows, k), tensor(row.in(), m), matrix(b.in(), n, k), matrix(c.get(), m, n));
  check(cudaDeviceSynchronize());
  int others = 0;
  for (int i = 0; i < m * n; ++i) others += c.get()[i] != 0;
  failures += others > 0;
  std::printf("%s numbers that no row has: %d elements are not 0\n", others ? "FAIL" : "ok  ", others);
}

/// The debug machine finds nothing to report but, at last, a number that no row has.
template <configuration How>
void check_watched(bool at_last) {
  constexpr int m = 300, n = 72, k = 200, rows = 90;
  using K = gathers::product<How>;
  shared_memory<bf16> a(rows * k), b(n * k);
  a.fill(1), b.fill(2);
  row_index row(m, rows, 3);
  shared_memory<float> c(m * n);
  shared_workspace memory(128);
  const auto run = [&] {
    const auto A = matrix(a.in(), rows, k), B = matrix(b.in(), n, k);
    if constexpr (needs_workspace(plan_of<K>))
      launch<checked<K>>(A, row.view(), B, matrix(c.get(), m, n), memory.view());
    else
      launch<checked<K>>(A, row.view(), B, matrix(c.get(), m, n));
  };
  check_watched_run(run);
  if (!at_last) return;
  row.numbers.get()[200] = rows;
  check_wrong_run(run, "a number that no row has", "an element of row is 90");
}

void check_all() {
  check_product<gathers::plain>("rows in any order", 150, 72, 200, 90);
  check_product<gathers::walking>("a walk over many tiles", 3000, 136, 328, 1000);
  check_product<gathers::sharing>("clusters", 700, 200, 328, 50);
  check_product<gathers::swapped>("tiles of few rows", 40, 72, 104, 90);
  check_product<gathers::thin>("few rows that are short", 40, 72, 104, 90);
  check_product<gathers::two_panels>("two panels", 300, 40, 296, 20);
  check_product<gathers::half_spans>("half spans", 300, 40, 104, 20);
  check_product<gathers::split>("split", 70, 72, 1000, 90);
  check_product<gathers::streamed>("streamed", 900, 1000, 1024, 90);
  check_product<gathers::own>("consumers with own tiles", 900, 200, 152, 90);
  check_product<gathers::drawn>("drawn", 3000, 136, 328, 1000);
  check_product<gathers::drawn>("drawn, fewer tiles than clusters", 200, 72, 72, 90);
  check_product<gathers::drawn_in_clusters>("drawn in clusters", 3000, 200, 328, 1000);
  check_product<gathers::drawn_by_turns>("drawn, own tiles", 3000, 200, 152, 90);
  check_product<gathers::drawn_by_one_warp>("drawn, copied by one warp", 3000, 200, 104, 90);
  check_both(500, 300, 136, 77);
  check_layer({70, 0, 1, 200, 0, 129}, 100, 200, 136);
  check_wrong_numbers();
  check_watched<gathers::drawn>(false);
  check_watched<gathers::walking>(true);
}

}  // namespace

int main() { return run_checks(check_all); }
