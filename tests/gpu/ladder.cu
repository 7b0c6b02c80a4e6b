// The rungs of the ladder that are written by hand, on a GPU: the same bits as on the model, on every one of many runs,
// and on a matrix that is too large for the model the same bits as gemm_bf16. Exits with 77 where there is no GPU.
#include <sectile/dsl/launch/launch.hpp>
#include <sectile/kernels/gemm.hpp>

#include <algorithm>
#include <cstdio>

#include "tests/gpu/device.hpp"
#include "tests/ladder/rungs.hpp"
#include "tool/random.hpp"

namespace {

using namespace sectile;
using namespace sectile::test;
using gpu_test::device_copy;
using gpu_test::guarded;

/// rows x cols random numbers in rows of whole pieces and `pad` pieces more, each the same wherever it is stored.
guarded<bf16> random_matrix(int rows, int cols, storage_order order, int pad, std::uint64_t seed) {
  const int lines = order == row_major ? rows : cols, length = order == row_major ? cols : rows;
  guarded<bf16> m(lines, length, (length + 7) / 8 * 8 + 8 * pad);
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < cols; ++c) {
      const bf16 x(static_cast<float>(tool::standard_normal(seed, static_cast<std::uint64_t>(r) * cols + c)));
      order == row_major ? m.set(r, c, x) : m.set(c, r, x);
    }
  return m;
}

/// One product, its operands in host and in device memory.
struct product {
  ladder_shape size;
  guarded<bf16> a, b, b_by_columns, c;
  device_copy<bf16> on_gpu_a, on_gpu_b, on_gpu_b_by_columns;

  explicit product(const ladder_shape& s, int pad = 0)
      : size(s),
        a(random_matrix(s.m, s.k, row_major, pad, 1)),
        b(random_matrix(s.n, s.k, row_major, pad, 2)),
        b_by_columns(random_matrix(s.n, s.k, col_major, pad, 2)),
        c(s.m, s.n, (s.n + 7) / 8 * 8 + 8 * pad),
        on_gpu_a(a),
        on_gpu_b(b),
        on_gpu_b_by_columns(b_by_columns) {}

  /// B as K takes it, in host or in device memory.
  template <class K>
  tensor_view<const bf16> b_for(bool on_gpu) const {
    if constexpr (ladder::b_order_of<K>() == col_major) {
      const unsigned char* const base = on_gpu ? on_gpu_b_by_columns.base : b_by_columns.bytes.data();
      return matrix_col_major(reinterpret_cast<const bf16*>(base + b_by_columns.first), size.n, size.k,
                              b_by_columns.row_stride);
    } else {
      return b.const_view(on_gpu ? on_gpu_b.base : b.bytes.data());
    }
  }
  template <class K>
  guarded<bf16> by_model() const {
    guarded<bf16> result = c;
    ladder::run_on_model_with<K>({.check_hazards = false}, a.const_view(a.bytes.data()), b_for<K>(false),
                                 result.view(result.bytes.data()));
    return result;
  }
  template <class K>
  void queue(const device_copy<bf16>& to) const {
    if constexpr (
        requires { K::body; } || requires { K::how; })
      launch<K>(a.const_view(on_gpu_a.base), b.const_view(on_gpu_b.base), c.view(to.base));
    else
      ladder::launch<K>(a.const_view(on_gpu_a.base), b_for<K>(true), c.view(to.base));
  }
  template <class K>
  guarded<bf16> by_gpu() const {
    guarded<bf16> result = c;
    const device_copy<bf16> to(result);
    queue<K>(to);
    to.download(result);
    return result;
  }
};

int runs = 0, failures = 0;

/// Compares the bits, padding and guards included.
void report(const char* name, const product& p, const guarded<bf16>& found, const guarded<bf16>& expected) {
  long long differ = 0;
  for (std::size_t i = 0; i < found.bytes.size(); ++i) differ += found.bytes[i] != expected.bytes[i];
  ++runs;
  failures += differ != 0;
  if (differ)
    std::printf("FAIL %s %d x %d x %d: %lld bytes differ, %lld of them outside of C\n", name, p.size.m, p.size.n,
                p.size.k, differ, static_cast<long long>(found.touched()));
}

void check_against_model(const ladder_shape& s, int pad) {
  constexpr int repeats = 10;
  const product p(s, pad);
  const auto check = [&]<class K>(const char* name) {
    const guarded<bf16> expected = p.by_model<K>();
    for (int i = 0; i < repeats; ++i) report(name, p, p.by_gpu<K>(), expected);
  };
  check.operator()<ladder::simt>("simt");
  for_each_rung_by_hand(check);
  std::printf("%d x %d x %d: %d runs so far, %d differ\n", s.m, s.n, s.k, runs, failures);
  std::fflush(stdout);
}

/// CTAs on every SM, several at a time, many tiles along K.
void check_large() {
  constexpr int repeats = 20;
  const product p({1600, 4104, 2056});
  const guarded<bf16> expected = p.by_gpu<kernels::gemm_bf16>();
  const auto check = [&]<class K>(const char* name) {
    for (int i = 0; i < repeats; ++i) report(name, p, p.by_gpu<K>(), expected);
  };
  for_each_rung_by_hand(check);
  for_each_planned_rung(check);
  std::printf("%d x %d x %d: %d runs so far, %d differ\n", p.size.m, p.size.n, p.size.k, runs, failures);
}

}  // namespace

int main() {
  if (const std::string why = gpu_test::why_no_gpu(); !why.empty()) {
    std::printf("left out: %s\n", why.c_str());
    return gpu_test::exit_skipped;
  }
  try {
    for (const ladder_shape& s : ladder_shapes) {
      check_against_model(s, 0);
      check_against_model(s, 3);
    }
    check_large();
  } catch (const std::exception& e) {
    std::printf("FAIL %s\n", e.what());
    ++failures;
  }
  std::printf("%d runs, %d differ\n", runs, failures);
  return failures ? 1 : 0;
}
