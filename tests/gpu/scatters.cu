// Rows that become summands of rows by an index, on a GPU and on the model. Operands are small whole numbers, so sums
// of products have the same bits. Exits with 77 where there is no GPU.
#include <sectile/dsl/launch/checked.hpp>

#include <vector>

#include "tests/gpu/output_pairs.hpp"
#include "tests/programs/scatters.hpp"

namespace {

using namespace sectile;
using namespace sectile::gpu_test;
namespace scatters = sectile::test::scatters;

/// Each of so many places once, in random order.
struct place_index {
  shared_memory<s32> numbers;
  place_index(int count, unsigned seed) : numbers(count) {
    for (int i = 0; i < count; ++i) numbers.get()[i] = i;
    for (int i = count - 1; i > 0; --i) {
      const auto bits = static_cast<unsigned>(random_bits(seed, static_cast<unsigned>(i)));
      std::swap(numbers.get()[i], numbers.get()[bits % static_cast<unsigned>(i + 1)]);
    }
  }
  auto view() const { return tensor(numbers.in(), numbers.count); }
};

constexpr int row_padding = 8;  // elements between rows of C

template <configuration How, class Out = bf16>
void check_product(const char* name, int rows, int each, int n, int k) {
  using K = scatters::product<How, Out>;
  const int m = rows * each, pitch = n + row_padding;
  shared_memory<bf16> a(m * k), b(n * k);
  a.fill(1), b.fill(2);
  const place_index place(m, 3);
  output_pair<Out> c("C", rows * pitch);
  shared_workspace memory(
      workspace_bytes<K>(matrix(a.in(), m, k), matrix(b.in(), n, k), place.view(), matrix(c.on(true), rows, n, pitch)));
  compare(
      name,
      [&](bool d, cudaStream_t s) {
        run_on<K>(d, s, matrix(a.in(), m, k), matrix(b.in(), n, k), place.view(), matrix(c.on(d), rows, n, pitch),
                  memory.view());
      },
      c);
}

/// The other launch of a layer of experts: it has the bits of the two that store each row and add them up.
void check_experts(const std::vector<int>& sizes, int tokens, int n, int k) {
  using K = kernels::scattered_experts<bf16, bf16>;
  const int experts = static_cast<int>(sizes.size());
  shared_memory<s32> ends(experts);
  int pairs = 0;
  for (int e = 0; e < experts; ++e) ends.get()[e] = pairs += sizes[static_cast<std::size_t>(e)];
  const int each = pairs / tokens;
  const place_index place(pairs, 5);
  shared_memory<s32> slot(pairs);
  for (int i = 0; i < pairs; ++i) {
    const int at = place.numbers.in()[i];
    slot.get()[at % each * tokens + at / each] = i;
  }
  shared_memory<bf16> h(pairs * k), w(experts * n * k), p(pairs * n), apart(tokens * n);
  shared_memory<float> weight(pairs);
  h.fill(1), w.fill(2), weight.fill(3);
  const auto rows = matrix(h.in(), pairs, k);
  const auto matrices = tensor(w.in(), experts, n, k);
  output_pair<bf16> y("Y", tokens * n);
  shared_workspace memory(workspace_bytes<K>(rows, matrices, tensor(weight.in(), pairs), place.view(),
                                             tensor(ends.in(), experts), matrix(y.on(true), tokens, n)));
  compare(
      "experts to tokens",
      [&](bool d, cudaStream_t s) {
        run_on<K>(d, s, rows, matrices, tensor(weight.in(), pairs), place.view(), tensor(ends.in(), experts),
                  matrix(y.on(d), tokens, n), memory.view());
      },
      y);
  launch<kernels::weighted_experts<bf16, bf16>>(rows, matrices, tensor(weight.in(), pairs), tensor(ends.in(), experts),
                                                matrix(p.get(), pairs, n), memory.view());
  const tensor_view<const s32> slots{slot.in(), 2, {each, tokens}, {tokens, 1}};
  launch<kernels::summed_experts<bf16, bf16>>(matrix(p.in(), pairs, n), slots, matrix(apart.get(), tokens, n));
  check(cudaDeviceSynchronize());
  int others = 0;
  for (int i = 0; i < tokens * n; ++i) others += std::memcmp(y.on(true) + i, apart.get() + i, sizeof(bf16)) != 0;
  failures += others > 0;
  std::printf("%s experts to tokens: %d elements differ from those of two launches\n", others ? "FAIL" : "ok  ",
              others);
}

/// Whoever comes last, in every launch the same bits; and many rows meet everywhere.
void check_again() {
  constexpr int rows = 700, each = 8, n = 520, k = 136;
  using K = scatters::product<scatters::walking>;
  shared_memory<bf16> a(rows * each * k), b(n * k), first(rows * n), now(rows * n);
  a.fill(1), b.fill(2);
  const place_index place(rows * each, 7);
  const auto to = [&](shared_memory<bf16>& c) { return matrix(c.get(), rows, n); };
  shared_workspace memory(
      workspace_bytes<K>(matrix(a.in(), rows * each, k), matrix(b.in(), n, k), place.view(), to(first)));
  int others = 0;
  for (int again = 0; again < 20; ++again) {
    launch<K>(matrix(a.in(), rows * each, k), matrix(b.in(), n, k), place.view(), to(again == 0 ? first : now),
              memory.view());
    check(cudaDeviceSynchronize());
    others += again > 0 && std::memcmp(first.get(), now.get(), rows * n * sizeof(bf16)) != 0;
  }
  failures += others > 0;
  std::printf("%s launched again: %d of 19 launches leave other bits\n", others ? "FAIL" : "ok  ", others);
}

/// Numbers that no place has: nothing is stored for them, and nothing outside of C is written.
void check_wrong_numbers() {
  constexpr int rows = 50, each = 2, n = 72, k = 64, m = rows * each;
  using K = scatters::product<scatters::plain>;
  shared_memory<bf16> a(m * k), b(n * k), c(3 * rows * n);
  a.fill(1), b.fill(2);
  place_index place(m, 3);
  std::memset(c.get(), 0x55, 3 * rows * n * sizeof(bf16));
  const s32 wrong[]{-1, m, 2147483647, -2147483647 - 1, 1 << 20};
  for (int i = 0; i < m; ++i) place.numbers.get()[i] = wrong[i % 5];
  bf16* const middle = c.get() + rows * n;
  shared_workspace memory(
      workspace_bytes<K>(matrix(a.in(), m, k), matrix(b.in(), n, k), place.view(), matrix(middle, rows, n)));
  launch<K>(matrix(a.in(), m, k), matrix(b.in(), n, k), place.view(), matrix(middle, rows, n), memory.view());
  check(cudaDeviceSynchronize());
  int others = 0;
  for (int i = 0; i < 3 * rows * n; ++i) {
    std::uint16_t bits;
    std::memcpy(&bits, c.get() + i, sizeof bits);
    others += bits != 0x5555;
  }
  failures += others > 0;
  std::printf("%s numbers of no place: %d elements are written\n", others ? "FAIL" : "ok  ", others);
}

/// The debug machine finds nothing to report but a number that no place has.
void check_watched() {
  constexpr int rows = 100, each = 3, n = 72, k = 200, m = rows * each;
  using K = scatters::product<scatters::walking>;
  shared_memory<bf16> a(m * k), b(n * k), c(rows * n);
  a.fill(1), b.fill(2);
  place_index place(m, 3);
  shared_workspace memory(
      workspace_bytes<K>(matrix(a.in(), m, k), matrix(b.in(), n, k), place.view(), matrix(c.get(), rows, n)));
  const auto run = [&] {
    launch<checked<K>>(matrix(a.in(), m, k), matrix(b.in(), n, k), place.view(), matrix(c.get(), rows, n),
                       memory.view());
  };
  check_watched_run(run);
  place.numbers.get()[200] = m;
  check_wrong_run(run, "a number that no place has", "an element of place is 300");
}

void check_all() {
  check_product<scatters::plain>("rows in any order", 50, 3, 72, 200);
  check_product<scatters::plain, float>("rows of f32", 50, 3, 72, 200);
  check_product<scatters::plain, f16>("rows of f16", 33, 1, 72, 64);
  check_product<scatters::walking>("a walk over many tiles", 700, 4, 520, 328);
  check_product<scatters::sharing>("clusters", 100, 7, 200, 328);
  check_product<scatters::own>("consumers with own tiles", 300, 3, 200, 152);
  check_product<scatters::behind>("a stagger", 300, 3, 264, 152);
  check_product<scatters::drawn>("work that is drawn", 300, 3, 200, 152);
  check_product<scatters::split>("parts in a cluster", 30, 3, 72, 1000);
  check_product<scatters::apart>("parts in the workspace", 30, 3, 72, 1000);
  check_product<scatters::two_blocks>("two blocks of rows", 90, 3, 72, 136);
  check_experts({70, 0, 1, 200, 0, 129}, 100, 200, 136);
  check_experts({700, 0, 300, 1, 2095, 1000}, 512, 1032, 520);
  check_again();
  check_wrong_numbers();
  check_watched();
}

}  // namespace

int main() { return run_checks(check_all); }
