// C = A B^T in every type: ours against cuBLASLt and, where A is sparse, against cuSPARSELt, on one GPU.
//
//   bench_types [--shapes MxNxK,...] [--rounds N] [--only TEXT] [--json FILE]
//
// --only keeps the rows whose type begins with TEXT. All contestants of a row take turns, on the same random data;
// inputs that would fit in the L2 cache are rotated among several sets. cuBLASLt runs the fastest algorithm that its
// heuristic proposes, 8-bit floats with fast accumulation, which is what plain wgmma does, too; cuSPARSELt runs the one
// that its search finds. Every result is compared with cuBLASLt's dense one. The exit code is 1 if one differs.
// --json writes docs/measured/types.json.
#include "bench/types_report.hpp"

namespace sectile::bench {

namespace {

int run(const options& how) {
  const machine m = this_machine();
  std::printf("%s, %s\n", m.text().c_str(), libraries_text().c_str());
  std::printf(
      "C = A B^T, standard-normal data (s8: 32 times that; b1: random bits); medians. TFLOP/s are TOP/s of "
      "integers\n\n");

  case_list cases;
  add_half_cases(cases);
  add_tf32_cases(cases);
  add_fp8_cases(cases);
  add_integer_cases(cases);
  report r;
  print_dense_head();
  for (const dense_case& c : cases.dense) r.add(c.name, c.measure, how);
  print_sparse_head();
  for (const sparse_case& c : cases.sparse) r.add(c.name, c.measure, how);
  return finish(m, how, r, "GEMM of every type against cuBLASLt and cuSPARSELt",
                 {{"kind", "A"},
                  {"shape", "M x N x K"},
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
    return run(read_options(count, words, allowed,
                            {.shapes = {{4096, 4096, 4096}, {8192, 8192, 8192}},
                             .json = "",
                             .only = "",
                             .command = command_of(count, words)}));
  } catch (const std::exception& e) {
    std::fprintf(stderr, "bench_types: %s\n", e.what());
    return 2;
  }
}
