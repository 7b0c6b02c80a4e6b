// Rungs 12 and 13: e4m3, and A 2:4 sparse, in other configurations.
#include <sectile/dsl/launch/sparse_device.hpp>
#include <sectile/kernels/gemm.hpp>
#include <sectile/kernels/sparse_gemm.hpp>

#include "bench/experiments.hpp"

namespace sectile::bench {

using fp8_operands = operands<e4m3, e4m3, bf16>;
using fp8_gemm = kernels::gemm<e4m3, e4m3, bf16>;

struct three_stages : fp8_gemm {
  static constexpr configuration how = [] {
    configuration c = fp8_gemm::how;
    c.stages = 3;
    return c;
  }();
};
struct half_as_deep : fp8_gemm {
  static constexpr configuration how = [] {
    configuration c = fp8_gemm::how.with_tile({{"M", 128}, {"N", 256}, {"K", 64}});
    c.stages = 8;
    return c;
  }();
};
struct no_cluster : fp8_gemm {
  static constexpr configuration how = fp8_gemm::how.with_cluster({1, 1});
};
struct half_tiles : fp8_gemm {
  static constexpr configuration how = fp8_gemm::how.with_tile({{"M", 128}, {"N", 128}, {"K", 128}});
};
/// A sum of the tensor cores ends with each tile of K, and is added in f32 to the others: the page's `promoted`.
struct promoted : half_tiles {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto sum = sm.accumulator(C, as<float>()), part = sm.accumulator(C, as<float>());
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      part = sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
      sum += part;
    }
    sm.store(C, {m, n}, sum);
  }
};

namespace {

void try_fp8(experiments& to) {
  std::vector<fp8_operands> sets =
      sets_with_results<fp8_operands>(ladder_shape, lt_types_of<e4m3, e4m3, bf16, float>(), to.on);
  product_trials<fp8_operands> t("types", sets, fp8_bar, to.on);
  t.program<fp8_gemm>("as it is", "e4m3, as it is: 128 x 256, K by 128, 4 stages, clusters of 2 x 1");
  t.program<three_stages>("3 stages", "3 stages");
  t.program<half_as_deep>("K by 64", "K by 64, 8 stages");
  t.program<no_cluster>("no cluster", "no cluster");
  t.program<half_tiles>("128 x 128", "128 x 128");
  t.program<promoted>("promoted", "128 x 128, sums added in f32 after each tile");
  t.time(to);
}

/// A 2:4 sparse, as its values and their places; a holds the same with zeros.
struct sparse_operands : operands<bf16, bf16, bf16> {
  device_buffer<bf16> values;
  device_buffer<std::uint32_t> metadata;

  sparse_operands(const shape& s, std::uint64_t seed)
      : operands(s, seed),
        values(static_cast<std::size_t>(s.m * sparse_value_stride<bf16>(s.k))),
        metadata(static_cast<std::size_t>(sparse_metadata_words<bf16>(s.m, s.k))) {
    prune_on(cudaStream_t{}, a.data, s.m, s.k, s.k);
    compress_on(cudaStream_t{}, a.data, s.m, s.k, s.k, values.data, sparse_value_stride<bf16>(s.k), metadata.data);
  }
  template <class K>
  void by_sparse(cudaStream_t on) const {
    launch<K>(
        sparse(static_cast<const bf16*>(values.data), metadata.data, size.m, size.k, sparse_value_stride<bf16>(size.k)),
        b_view(), c_view(), on);
  }
};

using sparse_gemm = kernels::sparse_gemm<bf16, bf16, bf16>;

template <int Stages>
struct sparse_stages : sparse_gemm {
  static constexpr configuration how = [] {
    configuration c = sparse_gemm::how;
    c.stages = Stages;
    return c;
  }();
};
struct sparse_alone : sparse_gemm {
  static constexpr configuration how = sparse_gemm::how.with_cluster({1, 1});
};
struct sparse_half_tiles : sparse_gemm {
  static constexpr configuration how = sparse_gemm::how.with_tile({{"M", 128}, {"N", 128}, {"K", 64}});
};
struct sparse_deep : sparse_gemm {
  static constexpr configuration how = [] {
    configuration c = sparse_gemm::how.with_tile({{"M", 128}, {"N", 256}, {"K", 128}});
    c.stages = 2;
    return c;
  }();
};

template <class K>
void by_sparse(product_trials<sparse_operands>& t, const char* name, const char* title) {
  t.add(name, title, occupancy_of_program<K>(), [](const sparse_operands& x, cudaStream_t on) { x.by_sparse<K>(on); });
}

void try_sparse(experiments& to) {
  std::vector<sparse_operands> sets =
      sets_with_results<sparse_operands>(ladder_shape, lt_types_of<bf16, bf16, bf16, float>(), to.on);
  product_trials<sparse_operands> t("sparse", sets, bf16_bar, to.on);
  by_sparse<sparse_gemm>(t, "as it is", "as it is: 128 x 256, K by 64, 5 stages, clusters of 2 x 1");
  by_sparse<sparse_stages<4>>(t, "4 stages", "4 stages");
  by_sparse<sparse_stages<3>>(t, "3 stages", "3 stages");
  by_sparse<sparse_deep>(t, "K by 128", "K by 128, 2 stages");
  by_sparse<sparse_alone>(t, "no cluster", "no cluster");
  by_sparse<sparse_half_tiles>(t, "128 x 128", "128 x 128");
  t.program<kernels::gemm_bf16>("dense", "the dense kernel, zeros and all");
  t.time(to);
}

}  // namespace

void try_types(experiments& to) {
  try_fp8(to);
  try_sparse(to);
}

}  // namespace sectile::bench
