// Products of groups whose sums are scaled by blocks of K, on the model, against float64.
#include <sectile/kernels/grouped_block_scaled.hpp>

#include "tests/programs/host_vector.hpp"

namespace {

using namespace sectile;
using namespace sectile::kernels;
using namespace sectile::test;

constexpr int parts(int size) { return (size + scaled_block - 1) / scaled_block; }

/// K with the numbers that it is given of groups, which have these rows: from begin up to end. All others are nobody's.
template <class K>
void check_groups(const std::vector<s32>& given, const std::vector<std::pair<int, int>>& rows_of, int rows, int n,
                  int k) {
  const int groups = static_cast<int>(given.size());
  host_tensor<e4m3> X({rows, k}), W({groups, n, k});
  host_tensor<float> SW({groups, parts(n), parts(k)});
  host_tensor<bf16> Y({rows, n});
  X.fill(1), W.fill(2), SW.fill(3);
  const host_vector<float> SX(rows, 1, 4, parts(k), 3);
  run_on_schedules<K>(1, Y, X.in(), W.in(), SX.batches(), SW.in(), tensor(given.data(), groups), Y.view());
  int wrong = 0;
  Y.for_each_number([&](double y, int i, int j) {
    const auto of_row =
        std::find_if(rows_of.begin(), rows_of.end(), [&](auto r) { return r.first <= i && i < r.second; });
    if (of_row == rows_of.end()) return void(wrong += !std::isnan(y));
    const int e = static_cast<int>(of_row - rows_of.begin());
    double sum = 0, most = 0;
    for (int l = 0; l < parts(k); ++l) {
      double part = 0;
      for (int x = l * scaled_block; x < std::min((l + 1) * scaled_block, k); ++x)
        part += X.number(i, x) * W.number(e, j, x);
      sum += part * SX(i, l) * SW.number(e, j / scaled_block, l);
      most += std::abs(part * SX(i, l) * SW.number(e, j / scaled_block, l));
    }
    wrong += !(std::abs(y - sum) <= 0.01 * (1 + most));
  });
  CHECK(wrong == 0);
}

TEST_CASE("groups with block scales, wherever they end") {
  check_groups<grouped_block_scaled_gemm<e4m3, bf16, 128>>({70, 70, 71, 203}, {{0, 70}, {70, 70}, {70, 71}, {71, 203}},
                                                           210, 200, 288);
}
TEST_CASE("groups with block scales and a room each") {
  check_groups<masked_block_scaled_gemm<e4m3, bf16, 128>>({70, 0, 99}, {{0, 70}, {99, 99}, {198, 297}}, 297, 136, 160);
}
TEST_CASE("groups with block scales in tiles of 192 columns, which squares do not divide") {
  check_groups<grouped_block_scaled_gemm<e4m3, bf16, 192>>({70, 70, 203}, {{0, 70}, {70, 70}, {70, 203}}, 210, 459,
                                                           160);
  check_groups<masked_block_scaled_gemm<e4m3, bf16, 192>>({70, 0, 99}, {{0, 70}, {99, 99}, {198, 297}}, 297, 331, 144);
}
TEST_CASE("groups with block scales in drawn tiles of 256 rows, of which a consumer makes 64 after 64") {
  using tall = tall_grouped_block_scaled_gemm<e4m3, bf16>;
  check_groups<tall>({300, 300, 301, 700}, {{0, 300}, {300, 300}, {300, 301}, {301, 700}}, 707, 200, 288);
}

}  // namespace
