// What a random layer is held against: the same expression in double, with a bound of what f32 may be off by.
// Compiled as C++ a layer runs on the model, by nvcc on a GPU.
#pragma once
#ifdef __CUDACC__
#include <sectile/dsl/launch/launch.hpp>
#else
#include <sectile/dsl/launch/model.hpp>
#endif

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace sectile::fuzz {

/// A number, and how far a computation in f32 may be from it.
struct exact {
  double value = 0, error = 0;
};
constexpr double ulp = 0x1p-22;  // of f32, twice what one rounding may be off by

inline exact rounded(double value, double error) { return {value, error + std::fabs(value) * ulp}; }
inline exact operator+(exact x, exact y) { return rounded(x.value + y.value, x.error + y.error); }
inline exact operator-(exact x, exact y) { return rounded(x.value - y.value, x.error + y.error); }
inline exact operator*(exact x, exact y) {
  return rounded(x.value * y.value, std::fabs(x.value) * y.error + std::fabs(y.value) * x.error + x.error * y.error);
}
inline exact larger(exact x, exact y) { return {std::max(x.value, y.value), std::max(x.error, y.error)}; }
inline exact smaller(exact x, exact y) { return {std::min(x.value, y.value), std::max(x.error, y.error)}; }
/// A function whose slope is nowhere more than `slope`, and which the GPU approximates to `off`.
template <class F>
exact through(F f, exact x, double slope, double off = 0) {
  return rounded(f(x.value), x.error * slope + off);
}

/// A number for each element of G x M x N.
struct grid {
  int batches, rows, cols;
  std::vector<exact> at;
  grid(int g, int m, int n) : batches(g), rows(m), cols(n), at(static_cast<std::size_t>(g) * m * n) {}
  template <class F>
  grid(int g, int m, int n, F of) : grid(g, m, n) {
    for (int b = 0; b < g; ++b)
      for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j) (*this)(b, i, j) = of(b, i, j);
  }
  exact& operator()(int g, int m, int n) { return at[(static_cast<std::size_t>(g) * rows + m) * cols + n]; }
  const exact& operator()(int g, int m, int n) const { return at[(static_cast<std::size_t>(g) * rows + m) * cols + n]; }
  /// Each row's (column's) numbers joined by `join`, which stands for all elements of the row (column).
  template <class Join>
  grid of_rows(Join join) const {
    return {batches, rows, cols, [&](int g, int m, int n) {
              if (n > 0) return exact{};
              exact x = (*this)(g, m, 0);
              for (int j = 1; j < cols; ++j) x = join(x, (*this)(g, m, j));
              return x;
            }};
  }
  template <class Join>
  grid of_cols(Join join) const {
    return {batches, rows, cols, [&](int g, int m, int n) {
              if (m > 0) return exact{};
              exact x = (*this)(g, 0, n);
              for (int i = 1; i < rows; ++i) x = join(x, (*this)(g, i, n));
              return x;
            }};
  }
};

#ifdef __CUDACC__
/// Memory that host and device see at one address.
template <class T>
struct seen_by_both {
  using value_type = T;
  T* allocate(std::size_t count) {
    void* memory = nullptr;
    hopper::check_cuda(cudaMallocManaged(&memory, count * sizeof(T)), "allocating");
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t) { cudaFree(memory); }
  friend constexpr bool operator==(seen_by_both, seen_by_both) { return true; }
};
template <class T>
using memory_of = std::vector<T, seen_by_both<T>>;

template <class K, class... Arguments>
void run(const Arguments&... given) {
  const std::size_t bytes = workspace_bytes<K>(given...);
  memory_of<std::byte> room(bytes);
  launch<K>(given..., workspace(room.data(), bytes));
  hopper::check_cuda(cudaDeviceSynchronize(), "running the kernel");
}
#else
template <class T>
using memory_of = std::vector<T>;

template <class K, class... Arguments>
void run(const Arguments&... given) {
  host_workspace room(workspace_bytes<K>(given...));
  run_on_model<K>(given..., room.view());
}
#endif

/// A tensor in memory whose rows may stand apart: small numbers that every type has, and nothing between them.
template <class T>
struct stored {
  int rank = 0;
  std::int64_t extent[max_rank]{}, stride[max_rank]{};
  memory_of<T> memory;

  /// `contiguous` is the mode whose elements are neighbours, `gap` the elements between what the next mode out has.
  stored(std::vector<int> extents, int contiguous, int gap) : rank(static_cast<int>(extents.size())) {
    std::int64_t step = 1;
    for (int d = 0; d < rank; ++d) extent[d] = extents[static_cast<std::size_t>(d)];
    std::vector<int> order;
    if (rank > 0) order.push_back(contiguous);
    for (int d = rank - 1; d >= 0; --d)
      if (d != contiguous) order.push_back(d);
    for (std::size_t i = 0; i < order.size(); ++i) {
      stride[order[i]] = step;
      step = step * extent[order[i]] + (i == 0 ? gap : 0);
    }
    memory.assign(static_cast<std::size_t>(step), T(nothing));
  }
  stored& filled(unsigned seed, int most, float unit) {
    each([&](T& x, unsigned number) {
      unsigned h = (number + 1) * 2654435761u + seed * 40503u;
      h = (h ^ h >> 15) * 2246822519u;
      x = T(static_cast<float>(static_cast<int>((h >> 8) % (2u * static_cast<unsigned>(most) + 1)) - most) * unit);
    });
    return *this;
  }
  stored& filled_with(float x) {
    each([&](T& e, unsigned) { e = T(x); });
    return *this;
  }
  template <class... At>
  const T& operator()(At... at) const {
    const std::int64_t place[] = {at..., 0};
    std::int64_t offset = 0;
    for (int d = 0; d < rank; ++d) offset += place[d] * stride[d];
    return memory[static_cast<std::size_t>(offset)];
  }
  template <class... At>
  exact number(At... at) const {
    return {static_cast<double>(static_cast<float>((*this)(at...))), 0};
  }
  tensor_view<const T> in() const { return view<const T>(memory.data()); }
  tensor_view<T> out() { return view<T>(memory.data()); }
  /// Elements between rows that somebody has written.
  int touched() const {
    std::vector<bool> own(memory.size());
    for_each_place([&](std::size_t i, unsigned) { own[i] = true; });
    int count = 0;
    for (std::size_t i = 0; i < memory.size(); ++i)
      count += !own[i] && static_cast<float>(memory[i]) != static_cast<float>(T(nothing));
    return count;
  }

 private:
  static constexpr float nothing = 77.0f;  // which no input has, and few results
  template <class F>
  void each(F f) {
    for_each_place([&](std::size_t i, unsigned number) { f(memory[i], number); });
  }
  template <class F>
  void for_each_place(F f) const {
    std::int64_t count = 1;
    for (int d = 0; d < rank; ++d) count *= extent[d];
    for (std::int64_t i = 0; i < count; ++i) {
      std::int64_t rest = i, offset = 0;
      for (int d = rank - 1; d >= 0; --d) {
        offset += rest % extent[d] * stride[d];
        rest /= extent[d];
      }
      f(static_cast<std::size_t>(offset), static_cast<unsigned>(i));
    }
  }
  template <class U>
  tensor_view<U> view(U* data) const {
    tensor_view<U> v{data, rank, {}, {}};
    for (int d = 0; d < rank; ++d) v.extent[d] = extent[d], v.stride[d] = stride[d];
    return v;
  }
};

/// Half of the distance of neighbours, relative to a number.
template <class T>
constexpr double rounding_of() {
  return std::is_same_v<T, s8>      ? 0
         : std::is_same_v<T, float> ? 0x1p-23
         : std::is_same_v<T, f16>   ? 0x1p-10
         : std::is_same_v<T, bf16>  ? 0x1p-7
                                    : 0x1p-3;
}

/// Counts and prints what differs.
struct verdict {
  int wrong = 0, looked_at = 0;
  template <class T>
  void look(const char* name, int g, int m, int n, const T& got, exact want) {
    const double x = static_cast<double>(static_cast<float>(got));
    if (std::is_same_v<T, s8>) want.value = std::clamp(want.value, -128.0, 127.0);
    if (std::is_same_v<T, e4m3>) want.value = std::clamp(want.value, -448.0, 448.0);
    const double least = std::is_same_v<T, s8> ? 0.5 : std::is_same_v<T, e4m3> ? 0x1p-10 : 1e-5;
    const double bound = 4 * want.error + std::fabs(want.value) * rounding_of<T>() + least;
    ++looked_at;
    if (std::fabs(x - want.value) <= bound) return;
    if (std::is_same_v<T, f16> && std::isinf(x) && x * want.value > 0 && std::fabs(want.value) + bound > 65504) return;
    if (++wrong <= 3)
      std::printf("%s(%d, %d, %d) is %g and should be %g, +- %g\n", name, g, m, n, x, want.value, bound);
  }
  /// That the element at n is the first of the largest of its row.
  void look_at_most(const char* name, int g, int m, int n, const grid& all) {
    int first = 0;
    for (int j = 1; j < all.cols; ++j)
      if (all(g, m, j).value > all(g, m, first).value) first = j;
    look(name, g, m, n, static_cast<float>(n), {static_cast<double>(first), 0});
  }
  /// That a column is one.
  void look_for(const char* name, int g, int m, int column, int columns) {
    look(name, g, m, 0, column < 0 || column >= columns ? 1.0f : 0.0f, {});
  }
};

}  // namespace sectile::fuzz
