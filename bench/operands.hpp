// The operands of C = A B^T in device memory, and what both sides of a benchmark do with them.
#pragma once
#include <sectile/dsl/launch/launch.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "bench/command_line.hpp"
#include "bench/cublaslt.hpp"
#include "bench/device_data.hpp"
#include "bench/timing.hpp"

namespace sectile::bench {

/// Objects of type T that hold a packed matrix of rows x cols elements; eight one-bit elements are one object.
template <class T>
std::size_t objects(std::int64_t rows, std::int64_t cols) {
  constexpr int bits = element_of<T>().bits;
  return static_cast<std::size_t>(rows * cols / (bits < 8 ? 8 / bits : 1));
}

/// A of m x k, B of n x k, random; C of m x n, once for each side; all row-major and packed.
template <class Left, class Right, class Out>
struct operands {
  shape size;
  device_buffer<Left> a;
  device_buffer<Right> b;
  device_buffer<Out> c, expected;

  operands(const shape& s, std::uint64_t seed)
      : size(s),
        a(objects<Left>(s.m, s.k)),
        b(objects<Right>(s.n, s.k)),
        c(objects<Out>(s.m, s.n)),
        expected(objects<Out>(s.m, s.n)) {
    fill_random(a, 2 * seed);
    fill_random(b, 2 * seed + 1);
    c.poison();
    expected.poison();
  }

  /// Bytes that one product touches.
  static double bytes(const shape& s) {
    return static_cast<double>(objects<Left>(s.m, s.k) * sizeof(Left) + objects<Right>(s.n, s.k) * sizeof(Right) +
                               objects<Out>(s.m, s.n) * sizeof(Out));
  }

  auto b_view() const { return sectile::matrix(static_cast<const Right*>(b.data), size.n, size.k); }
  auto c_view() const { return sectile::matrix(c.data, size.m, size.n); }

  /// Queues C = A B^T by a kernel of ours.
  template <class Kernel>
  void by(cudaStream_t on) const {
    sectile::launch<Kernel>(sectile::matrix(static_cast<const Left*>(a.data), size.m, size.k), b_view(), c_view(), on);
  }
  /// Queues expected = A B^T by cuBLASLt.
  void by(const lt_product& lt, std::size_t candidate, cudaStream_t on) const {
    lt.run(candidate, a.data, b.data, expected.data, on);
  }
};

/// Sets of operands that together are well over the L2 cache of an H100 (50 MiB), so that a call finds it cold.
template <class Set>
std::vector<Set> make_sets(const shape& s) {
  constexpr double enough_bytes = 160e6;
  const int count = 1 + static_cast<int>(enough_bytes / Set::bytes(s));
  std::vector<Set> sets;
  for (int i = 0; i < count; ++i) sets.emplace_back(s, static_cast<std::uint64_t>(i));
  check(cudaDeviceSynchronize(), "filling the operands");
  return sets;
}

/// call(set, stream), with another set for each call of a turn. The sets have to outlive it.
template <class Set, class Call>
contestant rotating(std::vector<Set>& sets, Call call) {
  return {[&sets, call = std::move(call)](int i, cudaStream_t on) {
    call(sets[static_cast<std::size_t>(i) % sets.size()], on);
  }};
}

/// The largest error of all sets: how far `ours(set, stream)` leaves set.c from what `theirs` leaves in set.expected.
/// The outputs are poisoned first, so that nothing from an earlier call can hide a hole.
template <class Set, class Ours, class Theirs>
double worst_error(std::vector<Set>& sets, const stream& on, const Ours& ours, const Theirs& theirs) {
  double worst = 0;
  for (Set& set : sets) {
    set.c.poison();
    set.expected.poison();
    check(cudaDeviceSynchronize(), "poisoning the outputs");
    ours(set, on.handle);
    theirs(set, on.handle);
    on.wait();
    const double error = relative_error(set.c, set.expected);
    if (std::isnan(error)) return error;
    worst = std::max(worst, error);
  }
  return worst;
}

/// The fastest candidate of cuBLASLt on these operands, by a short race.
template <class Set>
std::size_t fastest_candidate(std::vector<Set>& sets, const lt_product& lt, const stream& on) {
  std::vector<contestant> all;
  for (std::size_t i = 0; i < lt.candidates.size(); ++i)
    all.push_back(rotating(sets, [&lt, i](const Set& set, cudaStream_t to) { set.by(lt, i, to); }));
  return fastest_of(race(all, on, {.rounds = 3, .milliseconds_per_turn = 10}));
}

}  // namespace sectile::bench
