// Programs of many forms on a GPU and on the model, bit for bit: all four majors, one and several swizzle panels,
// outputs in panels without a swizzle, every cluster that multicasts A, B or both, one to three consumers, loops that
// only read. Exits with 77 where there is no GPU.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

#include <sectile/dsl.hpp>
#include <sectile/dsl/launch/launch.hpp>
#include <sectile/dsl/launch/model.hpp>

namespace st = sectile;
using st::bf16;
using enum st::storage_order;

namespace {

template <st::storage_order AOrder, st::storage_order BOrder, int Rows, int Cols, int Depth, int ClusterRows,
          int ClusterCols, int Consumers, bool Persistent>
struct product_form {
  static constexpr auto operands =
      st::operands(st::input<"A(M,K)", bf16>(AOrder), st::input<"B(K,N)", bf16>(BOrder), st::output<"C(M,N)", bf16>());
  static constexpr st::configuration how{.tile = {{"M", Rows}, {"K", Depth}, {"N", Cols}},
                                         .stages = 2,
                                         .cluster = {ClusterRows, ClusterCols},
                                         .consumers = Consumers,
                                         .persistent = Persistent};

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto sum = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) sum += sm.load(A, {m, k}) * sm.load(B, {k, n});
    auto half = sum * 0.5F;
    sm.store(C, {m, n}, half);
  }
};

/// The sum of A's matrices, times B: a loop whose stages no product reads.
template <int Stages, int ClusterCols, bool Persistent>
struct reading_form {
  static constexpr auto operands =
      st::operands(st::input<"A(T,M,P)", bf16>(), st::input<"B(P,N)", bf16>(), st::output<"C(M,N)", bf16>());
  static constexpr st::configuration how{.tile = {{"M", 128}, {"P", 64}, {"N", 64}},
                                         .stages = Stages,
                                         .cluster = {1, ClusterCols},
                                         .consumers = 2,
                                         .persistent = Persistent};

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto sum = cast<float>(in_registers(sm.load(A, {0, m, 0})));
    for (auto t : sm.pipelined(tiles<"T">(A) - 1)) sum += cast<float>(in_registers(sm.load(A, {t + 1, m, 0})));
    auto s = cast<bf16>(sum);
    auto product = sm.accumulator(s * sm.load(B, {0, n}));
    sm.store(C, {m, n}, product);
  }
};

constexpr int m = 456, n = 520, k = 200;  // whole 16 bytes along every mode, and no whole number of tiles
int failures = 0, forms = 0;

/// The same matrix for every order: only where its elements lie differs.
std::vector<bf16> matrix_of(int rows, int cols, st::storage_order order, unsigned seed) {
  std::vector<bf16> x(static_cast<std::size_t>(rows) * cols);
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < cols; ++c) {
      unsigned h = (static_cast<unsigned>(r * cols + c) + seed) * 2654435761u;
      h = (h ^ h >> 15) * 2246822519u;
      x[order == row_major ? r * cols + c : c * rows + r] = bf16(static_cast<float>(h >> 8) / 8388608.0F - 1.0F);
    }
  return x;
}

template <class T>
struct device_copy {
  T* data = nullptr;
  std::size_t bytes;
  explicit device_copy(const std::vector<T>& host) : bytes(host.size() * sizeof(T)) {
    st::hopper::check_cuda(cudaMalloc(&data, bytes), "allocating");
    st::hopper::check_cuda(cudaMemcpy(data, host.data(), bytes, cudaMemcpyHostToDevice), "copying");
  }
  ~device_copy() { cudaFree(data); }
};

template <st::storage_order Order, class T>
st::tensor_view<T> view(T* data, int rows, int cols) {
  return Order == row_major ? st::matrix(data, rows, cols) : st::matrix_col_major(data, rows, cols);
}

/// Elements in which the GPU and the model differ when A has `depth` columns, seen as see(elements) says, and B
/// `b_rows` rows.
template <class Form, st::storage_order AOrder, st::storage_order BOrder, class See>
int count_differing(int depth, int b_rows, See see) {
  static_assert(st::verified<Form>);
  const std::vector<bf16> a = matrix_of(m, depth, AOrder, 1), b = matrix_of(b_rows, n, BOrder, 2);
  std::vector<bf16> gpu(static_cast<std::size_t>(m) * n, bf16(std::nanf(""))), model = gpu;
  const device_copy<bf16> da(a), db(b), dc(gpu);
  st::launch<Form>(see(static_cast<const bf16*>(da.data)), view<BOrder, const bf16>(db.data, b_rows, n),
                   st::matrix(dc.data, m, n));
  st::hopper::check_cuda(cudaMemcpy(gpu.data(), dc.data, dc.bytes, cudaMemcpyDeviceToHost), "running the kernel");
  st::run_on_model_with<Form>({.check_hazards = false}, see(a.data()), view<BOrder, const bf16>(b.data(), b_rows, n),
                              st::matrix(model.data(), m, n));
  int differ = 0;
  for (std::size_t i = 0; i < gpu.size(); ++i) differ += gpu[i].bits != model[i].bits;
  ++forms;
  failures += differ != 0;
  return differ;
}

template <st::storage_order AOrder, st::storage_order BOrder, int... Form>
void check() {
  const int differ = count_differing<product_form<AOrder, BOrder, Form...>, AOrder, BOrder>(
      k, k, [](const bf16* a) { return view<AOrder>(a, m, k); });
  if (differ == 0) return;
  const int numbers[] = {Form...};
  std::printf("FAIL A %s-major, B %s-major, tile %d x %d x %d, cluster %d x %d, %d consumers: %d elements differ\n",
              AOrder == row_major ? "row" : "col", BOrder == row_major ? "row" : "col", numbers[0], numbers[1],
              numbers[2], numbers[3], numbers[4], numbers[5], differ);
}

template <int... Form>
void check_majors() {
  check<row_major, row_major, Form...>();
  check<row_major, col_major, Form...>();
  check<col_major, row_major, Form...>();
  check<col_major, col_major, Form...>();
}

template <int Stages, int ClusterCols, bool Persistent>
void check_reading() {
  constexpr int t = 37, p = 64;  // matrices side by side
  const int differ =
      count_differing<reading_form<Stages, ClusterCols, Persistent>, row_major, row_major>(t * p, p, [](const bf16* a) {
        return st::tensor_view<const bf16>{a, 3, {t, m, p}, {p, t * p, 1}};
      });
  if (differ > 0)
    std::printf("FAIL a loop that only reads, %d stages, cluster 1 x %d: %d elements differ\n", Stages, ClusterCols,
                differ);
}

/// Everything that fragments, rows and numbers do with each other, rounded as it is spelled.
struct computed {
  static constexpr auto operands =
      st::operands(st::input<"A(M,K)", bf16>(), st::input<"B(K,N)", bf16>(), st::output<"C(M,N)", float>());
  static constexpr st::configuration how{.tile = {{"M", 128}, {"K", 64}, {"N", 128}}, .stages = 2, .consumers = 2};

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [i, j] = sm.tile_of(C);
    auto x = sm.accumulator(C);
    for (auto l : sm.pipelined(tiles<"K">(A))) x += sm.load(A, {i, l}) * sm.load(B, {l, j});
    auto there = x;
    mask(
        there, {i, j}, [](int, int c) { return c < n; }, -st::infinity);
    auto top = row_max(there);
    auto y = 3.0F - (x - top) / (top + 2.5F);
    y /= 7.0F;
    y += min(max(x, -1.0F), 1.0F / (y * y + 1.0F));
    top *= 0.3F;
    y -= top / 5.0F;
    auto whole = row_sum(x);
    whole *= 0.125F;
    y *= whole.total();
    y = map(y, x, [](float a, float b) { return a < b ? -a : b; });
    mask(
        y, {i, j}, [](int r, int c) { return r != c && c > 3 && r % 5 != 1; }, 0.5F);
    sm.store(C, {i, j}, fma(-y, top, reciprocal(y)));
  }
};

void check_arithmetic() {
  static_assert(st::verified<computed>);
  const std::vector<bf16> a = matrix_of(m, k, row_major, 1), b = matrix_of(k, n, row_major, 2);
  std::vector<float> gpu(static_cast<std::size_t>(m) * n, -1.0F), model = gpu;
  const device_copy<bf16> da(a), db(b);
  const device_copy<float> dc(gpu);
  st::launch<computed>(st::matrix(da.data, m, k), st::matrix(db.data, k, n), st::matrix(dc.data, m, n));
  st::hopper::check_cuda(cudaMemcpy(gpu.data(), dc.data, dc.bytes, cudaMemcpyDeviceToHost), "running the kernel");
  st::run_on_model<computed>(st::matrix(a.data(), m, k), st::matrix(b.data(), k, n), st::matrix(model.data(), m, n));
  const bool same = std::memcmp(gpu.data(), model.data(), dc.bytes) == 0;
  ++forms;
  failures += !same;
  if (!same) std::puts("FAIL arithmetic of fragments, rows and numbers");
}

}  // namespace

int main() {
  try {
    st::hopper::check_device();
  } catch (const st::launch_error& why) {
    std::printf("left out: %s\n", why.what());
    return 77;
  }
  try {
    check_majors<128, 128, 64, 1, 1, 2, 0>();
    check_majors<128, 128, 64, 2, 1, 2, 1>();
    check_majors<128, 128, 64, 1, 2, 2, 1>();
    check_majors<128, 128, 64, 2, 2, 2, 0>();
    check_majors<128, 128, 128, 2, 1, 2, 0>();
    check_majors<256, 64, 64, 1, 2, 2, 1>();
    check_majors<128, 256, 64, 4, 1, 2, 0>();
    check_majors<192, 96, 32, 1, 1, 3, 1>();
    check<row_major, col_major, 128, 176, 64, 1, 1, 2, 1>();  // panels without a swizzle
    check<row_major, col_major, 128, 144, 64, 2, 1, 2, 0>();
    check<row_major, col_major, 64, 104, 64, 1, 1, 1, 0>();
    check_majors<64, 192, 32, 2, 2, 1, 1>();
    check_reading<1, 1, false>();
    check_reading<2, 1, true>();
    check_reading<4, 1, false>();
    check_reading<3, 2, true>();
    check_arithmetic();
  } catch (const std::exception& e) {
    std::printf("FAIL %s\n", e.what());
    return 1;
  }
  std::printf("%d forms, %d differ from the model\n", forms, failures);
  return failures ? 1 : 0;
}
