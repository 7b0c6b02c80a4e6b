// Kernels that are right pass the systematic schedule. How many schedules that were is printed.
#include <doctest/doctest.h>

#include <cstdio>
#include <cstring>
#include <sectile/dsl/launch/sparse.hpp>
#include <sectile/kernels/attention.hpp>
#include <vector>

#include "tests/exhaustively.hpp"
#include "tests/programs/matmul.hpp"
#include "tests/programs/varlen.hpp"

namespace {

using namespace sectile;
using test::host_tensor;
using test::sparse_product;

/// Runs K in all schedules with so many preemptions, or in the first of them; prints how many there were.
template <class K, class Out, class... Arguments>
void explore(const char* name, int preemptions, long most, host_tensor<Out>& out, const Arguments&... arguments) {
  run_on_model_with<K>({}, arguments...);
  const auto fair = out.elements();
  out.poison();
  model::schedule_count n;
  run_on_model_with<K>({.schedule = schedule_mode::systematic,
                        .preemptions = preemptions,
                        .max_schedules = test::exhaustively ? most : 25,
                        .explored = &n,
                        .workers = 2},
                       arguments...);
  CHECK(out.touched() == 0);
  CHECK(std::memcmp(out.elements().data(), fair.data(), fair.size() * sizeof(Out)) == 0);
  std::printf("%s: %s\n", name, describe(n).c_str());
  CHECK(n.run > 20);
}

TEST_CASE("right kernels pass") {
  SUBCASE("a GEMM of a cluster of two, two consumers each") {
    using gemm = test::matmul<128, 64, 64, configuration{.stages = 2, .cluster = {2, 1}, .consumers = 2}>;
    host_tensor<bf16> A({256, 192}), B({64, 192}), C({256, 64});
    explore<gemm>("GEMM, cluster 2x1, 2 consumers, 3 trips", 1, 10'000, C, A.fill(1).in(), B.fill(2).in(), C.view());
  }
  SUBCASE("a persistent GEMM that stores under the next tile's products") {
    using gemm = test::matmul<64, 64, 64, configuration{.stages = 2, .consumers = 1, .persistent = true}>;
    host_tensor<bf16> A({128, 128}), B({64, 128}), C({128, 64});
    explore<gemm>("persistent GEMM, 2 tiles of 2 trips", 2, 2'000, C, A.fill(1).in(), B.fill(2).in(), C.view());
  }
  SUBCASE("attention, three consumers that take turns") {
    using attention = kernels::attention<64, kernels::attention_mask::none>;
    host_tensor<bf16> Q({1, 1, 192, 64}), K({1, 1, 384, 64}), V({1, 1, 384, 64}), O({1, 1, 192, 64});
    explore<attention>("attention, D = 64, 3 key tiles", 1, 10'000, O, Q.fill(1).in(), K.fill(2).in(), V.fill(3).in(),
                       O.view(), 0.18f);
  }
  SUBCASE("attention of packed sequences, which end inside tiles and see nothing behind") {
    test::varlen_problem<test::packed> p({.queries = {70, 3}, .keys = {43, 0}});
    p.with_arguments(
        [&](const auto&... given) {
          using attention = kernels::attention_of<test::packed>;
          host_workspace memory(workspace_bytes<attention>(given...));
          explore<attention>("attention of 2 sequences", 1, 10'000, p.O, given..., memory.view());
        },
        [](auto& x) { return x.view(); }, tensor(p.query_ends.data(), 2), tensor(p.key_ends.data(), 2));
  }
  SUBCASE("a sparse product") {
    host_tensor<bf16> A({64, 192}), B({64, 192}), C({64, 64});
    std::vector<bf16> dense = A.fill(1).elements();
    for (std::size_t i = 0; i < dense.size(); ++i)
      if (i % 4 >= 2) dense[i] = bf16(0.0f);
    const sparse_matrix<bf16> S = compress(dense.data(), 64, 192);
    explore<sparse_product>("sparse GEMM, 3 trips", 2, 2'000, C, S.view(), B.fill(2).in(), C.view());
  }
}

}  // namespace
