// C = A B^T with A 2:4 sparse, of squares and of random sizes: the family of kernels/sparse_gemm_family.hpp,
// by the launch's own pick, against cuSPARSELt after its search, on one GPU.
//
//   bench_sparse [--shapes MxNxK,...] [--rounds N] [--only TEXT] [--json FILE]
//
// As bench/types.cu does it, which says what the options mean. --json writes docs/measured/sparse.json.
#include "bench/sparse.hpp"

#include "bench/types_report.hpp"

namespace sectile::bench {

namespace {

/// Three squares, and ten shapes drawn at random: M log-uniform from 256 to 8192, N and K uniform from 512 to 16384.
const std::vector<shape> squares_and_random{
    {2048, 2048, 2048},  {4096, 4096, 4096},  {8192, 8192, 8192}, {384, 11648, 10880}, {6656, 4800, 4608},
    {3264, 10976, 5376}, {2752, 6816, 12800}, {384, 4064, 14848}, {896, 4640, 13312},  {2272, 2880, 9216},
    {2560, 3136, 10880}, {384, 5856, 1792},   {512, 16032, 6912}};

/// A row for the geometric means of a type's, where all of them have a peer.
void add_means(report& r, const char* name, const std::vector<sparse_outcome>& all) {
  double ratios = 0, over_dense = 0;
  for (const sparse_outcome& o : all) {
    if (!o.has_peer()) return;
    ratios += std::log(ratio(o.ours, o.peer));
    over_dense += std::log(ratio(o.ours, o.our_dense));
  }
  if (all.empty()) return;
  const double count = static_cast<double>(all.size());
  measured_row row{std::string("mean ") + name, name};
  row.set("type", name);
  row.set("kind", "mean");
  row.set("ratio", std::exp(ratios / count));
  row.set("over_our_dense", std::exp(over_dense / count));
  r.rows.push_back(row);
  std::printf("%-20s geometric means: %.3f, over our dense %.3f\n", name, std::exp(ratios / count),
              std::exp(over_dense / count));
}

int run(const options& how) {
  const machine m = this_machine();
  std::printf("%s, %s\n", m.text().c_str(), libraries_text().c_str());
  const std::vector<sparse_case> cases{sparse_f16_case(), sparse_bf16_case(), sparse_e4m3_case(), sparse_s8_case()};
  report r;
  print_sparse_head();
  for (const sparse_case& c : cases) add_means(r, c.name, r.add(c.name, c.measure, how));
  return finish(m, how, r, "Sparse GEMM by a family against cuSPARSELt",
                 {{"shape", "M x N x K"},
                  {"tflops", "TFLOP/s"},
                  {"ratio", "ratio", 3},
                  {"over_our_dense", "over our dense", 2}});
}

}  // namespace

}  // namespace sectile::bench

int main(int count, char** words) {
  using namespace sectile::bench;
  try {
    const command_line allowed{.multiple = {32, 32, 128}, .selects = true};
    return run(
        read_options(count, words, allowed,
                     {.shapes = squares_and_random, .json = "", .only = "", .command = command_of(count, words)}));
  } catch (const std::exception& e) {
    std::fprintf(stderr, "bench_sparse: %s\n", e.what());
    return 2;
  }
}
