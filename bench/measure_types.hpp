// How a row of bench/types.cu or bench/sparse.cu is measured, whatever its types.
#pragma once
#include <sectile/dsl/launch/sparse_device.hpp>
#include <sectile/kernels/gemm.hpp>
#include <sectile/kernels/sparse_gemm.hpp>

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <type_traits>
#include <vector>

#include "bench/operands.hpp"
#include "bench/types.hpp"
#if SECTILE_HAS_CUSPARSELT
#include "bench/cusparselt.hpp"
#endif

namespace sectile::bench {

/// The largest relative error that is right. Integers are exact. Both sides sum floats on the same tensor cores, but
/// not in the same order, and they round the sums to Out.
template <class Left, class Out, class Sum>
constexpr double error_bar() {
  if (std::is_same_v<Sum, s32>) return 0;
  if (std::is_same_v<Sum, f16>) return 5e-2;      // hundreds of sums of 11 bits
  if (element_of<Left>().bits == 8) return 2e-2;  // 13 bits of each addend reach a sum
  return std::is_same_v<Out, bf16> ? 3e-3 : 1e-3;
}

/// C = A B^T, all dense.
template <class Left, class Right, class Out, class Sum = sum_type<Left>>
dense_outcome measure_dense(const shape& s, int rounds, const stream& on) {
  using kernel = kernels::gemm<Left, Right, Out, kernels::gemm_form{}, Sum>;
  using set_type = operands<Left, Right, Out>;
  auto sets = make_sets<set_type>(s);
  const lt_product lt(s.m, s.n, s.k, lt_types_of<Left, Right, Out, Sum>());
  const auto ours = [](const set_type& set, cudaStream_t to) { set.template by<kernel>(to); };
  std::size_t candidate = 0;
  const auto theirs = [&](const set_type& set, cudaStream_t to) { set.by(lt, candidate, to); };

  dense_outcome result{.size = s, .candidates = lt.candidates.size(), .bar = error_bar<Left, Out, Sum>()};
  result.error = worst_error(sets, on, ours, theirs);
  result.best_candidate = candidate = fastest_candidate(sets, lt, on);
  const auto times = race({rotating(sets, ours), rotating(sets, theirs)}, on, {.rounds = rounds});
  result.ours = times[0];
  result.peer = times[1];
  return result;
}

/// Operands whose A is pruned, so that it can be stored sparse as well.
template <class Left, class Right, class Out>
struct sparse_operands : operands<Left, Right, Out> {
  device_buffer<Left> values;
  device_buffer<std::uint32_t> metadata;
  std::optional<device_buffer<unsigned char>> peer_form;  // A as cuSPARSELt keeps it

  sparse_operands(const shape& s, std::uint64_t seed)
      : operands<Left, Right, Out>(s, seed),
        values(static_cast<std::size_t>(s.m * value_stride(s))),
        metadata(static_cast<std::size_t>(sparse_metadata_words<Left>(s.m, s.k))) {
    prune_on(cudaStream_t{}, this->a.data, s.m, s.k, s.k);
    compress_on(cudaStream_t{}, this->a.data, s.m, s.k, s.k, values.data, value_stride(s), metadata.data);
  }

  /// Bytes that one product touches, about.
  static double bytes(const shape& s) {
    return operands<Left, Right, Out>::bytes(s) - static_cast<double>(s.m * s.k) * sizeof(Left) / 2;
  }
  static std::int64_t value_stride(const shape& s) { return sparse_value_stride<Left>(s.k); }

  /// Queues C = A B^T by a sparse kernel of ours.
  template <class Kernel>
  void by_sparse(cudaStream_t on) const {
    const shape& s = this->size;
    sectile::launch<Kernel>(sparse(static_cast<const Left*>(values.data), metadata.data, s.m, s.k, value_stride(s)),
                            this->b_view(), this->c_view(), on);
  }
};

#if SECTILE_HAS_CUSPARSELT
/// cuSPARSELt's product after its search. Gives every set cuSPARSELt's form of A.
template <class Left, class Right, class Out>
std::unique_ptr<sp_product> searched_product(std::vector<sparse_operands<Left, Right, Out>>& sets, const stream& on) {
  const shape& s = sets[0].size;
  auto product = std::make_unique<sp_product>(s.m, s.n, s.k, sp_types_of<Left, Right, Out>());
  for (auto& set : sets) set.peer_form.emplace(product->compress(set.a.data, on));
  product->search(*sets[0].peer_form, sets[0].b.data, sets[0].c.data, on);
  return product;
}
#endif

/// C = A B^T with A sparse, by a kernel or a family, and the dense products of the same matrices.
template <class Left, class Right, class Out, class Kernel = kernels::sparse_gemm<Left, Right, Out>>
sparse_outcome measure_sparse(const shape& s, int rounds, const stream& on) {
  using dense_kernel = kernels::gemm<Left, Right, Out>;
  using set_type = sparse_operands<Left, Right, Out>;
  auto sets = make_sets<set_type>(s);
  const lt_product lt(s.m, s.n, s.k, lt_types_of<Left, Right, Out, sum_type<Left>>());
  const auto ours = [](const set_type& set, cudaStream_t to) { set.template by_sparse<Kernel>(to); };
  const auto our_dense = [](const set_type& set, cudaStream_t to) { set.template by<dense_kernel>(to); };
  std::size_t candidate = 0;
  const auto dense_peer = [&](const set_type& set, cudaStream_t to) { set.by(lt, candidate, to); };

  sparse_outcome result{.size = s, .bar = error_bar<Left, Out, sum_type<Left>>()};
  result.error = worst_error(sets, on, ours, dense_peer);
  candidate = fastest_candidate(sets, lt, on);
  std::vector<contestant> all{rotating(sets, ours), rotating(sets, our_dense), rotating(sets, dense_peer)};

#if SECTILE_HAS_CUSPARSELT
  std::unique_ptr<sp_product> sp;
  const auto peer = [&](const set_type& set, cudaStream_t to) { sp->run(*set.peer_form, set.b.data, set.c.data, to); };
  try {
    sp = searched_product(sets, on);
    result.peer_error = worst_error(sets, on, peer, dense_peer);
    race({rotating(sets, peer)}, on, {.rounds = 1, .milliseconds_per_turn = 1});  // can a graph of it be recorded?
    all.push_back(rotating(sets, peer));
  } catch (const std::exception& e) {
    result.without_peer = e.what();
  }
#else
  result.without_peer = "built without cuSPARSELt";
#endif

  const auto times = race(all, on, {.rounds = rounds});
  result.ours = times[0];
  result.our_dense = times[1];
  result.dense_peer = times[2];
  if (result.has_peer()) result.peer = times[3];
  return result;
}

}  // namespace sectile::bench
