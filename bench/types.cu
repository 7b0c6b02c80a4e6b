// C = A B^T in every type: ours against cuBLASLt and, where A is sparse, against cuSPARSELt, on one GPU.
//
//   bench_types [--shapes MxNxK,...] [--rounds N] [--only TEXT] [--json FILE]
//
// --only keeps the rows whose type begins with TEXT. All contestants of a row take turns, on the same random data;
// inputs that would fit in the L2 cache are rotated among several sets. cuBLASLt runs the fastest algorithm that its
// heuristic proposes, 8-bit floats with fast accumulation, which is what plain wgmma does, too; cuSPARSELt runs the one
// that its search finds. Every result is compared with cuBLASLt's dense one. The exit code is 1 if one differs.
// --json writes docs/measured/types.json.
#include <cublasLt.h>

#include <cmath>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "bench/report.hpp"
#include "bench/types.hpp"
#if SECTILE_HAS_CUSPARSELT
#include <cusparseLt.h>
#endif

namespace sectile::bench {

namespace {

double us(const race_time& t) { return t.median * 1e3; }
double tflops(const shape& s, const race_time& t) { return s.flops() / t.median * 1e-9; }

/// How often as fast as the peer.
double ratio(const race_time& ours, const race_time& peer) { return peer.median / ours.median; }

std::string cusparselt_version() {
#if SECTILE_HAS_CUSPARSELT
  int major = 0, minor = 0, patch = 0;
  cusparseLtGetProperty(MAJOR_VERSION, &major);
  cusparseLtGetProperty(MINOR_VERSION, &minor);
  cusparseLtGetProperty(PATCH_LEVEL, &patch);
  char text[64];
  std::snprintf(text, sizeof text, "%d.%d.%d", major, minor, patch);
  return text;
#else
  return "";
#endif
}

void print_size(const char* name, const shape& s) {
  std::printf("%-20s %6lld %6lld %6lld", name, static_cast<long long>(s.m), static_cast<long long>(s.n),
              static_cast<long long>(s.k));
}

void print_dense_head() {
  std::printf(
      "Dense. 32-bit sums unless said otherwise. ratio: time of cuBLASLt's best over ours\n"
      "%-20s %6s %6s %6s | %9s %7s | %9s %7s %6s | %6s %7s | %9s\n",
      "type", "M", "N", "K", "ours us", "TFLOP/s", "Lt best", "TFLOP/s", "choice", "ratio", "spread", "rel. err.");
}

void print_row(const char* name, const dense_outcome& o) {
  print_size(name, o.size);
  std::printf(" | %9.2f %7.1f | ", us(o.ours), tflops(o.size, o.ours));
  if (o.has_peer())
    std::printf("%9.2f %7.1f %zu of %zu | %6.3f", us(o.peer), tflops(o.size, o.peer), o.best_candidate + 1,
                o.candidates, ratio(o.ours, o.peer));
  else
    std::printf("%9s %7s %6s | %6s", "", "no peer", "", "");
  std::printf(" %5.1f %% | %9.2e%s\n", spread_percent(o.ours), o.error, o.right() ? "" : "  WRONG");
  std::fflush(stdout);
}

void print_sparse_head() {
  std::printf(
      "\nSparse: A is pruned to 2:4 (tf32: 1:2); TFLOP/s count the products of the dense matrix. ratio: time of "
      "cuSPARSELt,\nof cuBLASLt's best dense and of our own dense product of the same matrices, over ours\n"
      "%-20s %6s %6s %6s | %9s %7s | %9s %7s %6s | %9s %6s | %9s %6s | %7s | %9s %9s\n",
      "type", "M", "N", "K", "ours us", "TFLOP/s", "Sp best", "TFLOP/s", "ratio", "Lt dense", "ratio", "our dense",
      "ratio", "spread", "rel. err.", "Sp's");
}

void print_row(const char* name, const sparse_outcome& o) {
  print_size(name, o.size);
  std::printf(" | %9.2f %7.1f | ", us(o.ours), tflops(o.size, o.ours));
  if (o.has_peer())
    std::printf("%9.2f %7.1f %6.3f", us(o.peer), tflops(o.size, o.peer), ratio(o.ours, o.peer));
  else
    std::printf("%9s %7s %6s", "", "no peer", "");
  std::printf(" | %9.2f %6.3f | %9.2f %6.3f | %5.1f %% | %9.2e", us(o.dense_peer), ratio(o.ours, o.dense_peer),
              us(o.our_dense), ratio(o.ours, o.our_dense), spread_percent(o.ours), o.error);
  if (o.has_peer()) std::printf(" %9.2e", o.peer_error);
  std::printf("%s\n", o.right() ? "" : "  WRONG");
  if (!o.has_peer()) std::printf("%-20s cuSPARSELt is left out: %s\n", "", o.without_peer.c_str());
  std::fflush(stdout);
}

/// What the rows of dense and of sparse products have in common.
measured_row head_of(const char* name, const char* kind, const shape& s, const race_time& ours) {
  measured_row row{std::string(kind) + " " + name + " " + s.text(), name};
  row.set("type", name);
  row.set("kind", kind);
  row.set("shape", s.text());
  row.set("tflops", tflops(s, ours));
  row.set("us", us(ours));
  row.set("spread_percent", spread_percent(ours));
  return row;
}

measured_row row_of(const char* name, const dense_outcome& o) {
  measured_row row = head_of(name, "dense", o.size, o.ours);
  row.set("ratio", o.has_peer() ? ratio(o.ours, o.peer) : NAN);
  row.set("relative_error", o.error);
  return row;
}

measured_row row_of(const char* name, const sparse_outcome& o) {
  measured_row row = head_of(name, "sparse", o.size, o.ours);
  row.set("ratio", o.has_peer() ? ratio(o.ours, o.peer) : NAN);
  row.set("over_cublaslt_dense", ratio(o.ours, o.dense_peer));
  row.set("over_our_dense", ratio(o.ours, o.our_dense));
  row.set("relative_error", o.error);
  return row;
}

/// The rows so far.
struct report {
  std::vector<measured_row> rows;
  bool right = true;

  /// Measures a case at each shape. A row that cannot be measured does not keep the others from it.
  template <class Case>
  void add(const Case& who, const options& how) {
    if (!std::string(who.name).starts_with(how.only)) return;
    for (const shape& s : how.shapes) {
      try {
        add_row(who, s, how.rounds);
      } catch (const std::exception& e) {
        print_size(who.name, s);
        std::printf(" | %s\n", e.what());
        right = false;
      }
    }
  }

 private:
  template <class Case>
  void add_row(const Case& who, const shape& s, int rounds) {
    const stream on;
    const auto outcome = who.measure(s, rounds, on);
    print_row(who.name, outcome);
    rows.push_back(row_of(who.name, outcome));
    right = right && outcome.right();
  }
};

void write_json(const machine& m, const options& how, const report& r) {
  const std::string sparse_peer = cusparselt_version();
  measured_file file{.title = "GEMM of every type against cuBLASLt and cuSPARSELt",
                     .device = m.device(),
                     .software = m.software() + ", cuBLASLt " + library_version(cublasLtGetVersion()) +
                                 (sparse_peer.empty() ? "" : ", cuSPARSELt " + sparse_peer),
                     .command = how.command,
                     .rounds = how.rounds,
                     .columns = {{"kind", "A"},
                                 {"shape", "M x N x K"},
                                 {"tflops", "TFLOP/s"},
                                 {"ratio", "ratio", 3},
                                 {"over_our_dense", "over our dense", 2}}};
  file.rows = r.rows;
  file.write(how.json);
}

int run(const options& how) {
  const machine m = this_machine();
  const std::string sparse_peer = cusparselt_version();
  std::printf("%s, cuBLASLt %zu, %s\n", m.text().c_str(), cublasLtGetVersion(),
              sparse_peer.empty() ? "no cuSPARSELt" : ("cuSPARSELt " + sparse_peer).c_str());
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
  for (const dense_case& c : cases.dense) r.add(c, how);
  print_sparse_head();
  for (const sparse_case& c : cases.sparse) r.add(c, how);
  if (!how.json.empty()) write_json(m, how, r);
  if (!r.right) std::printf("WRONG OR MISSING RESULTS: see the rows above\n");
  return r.right ? 0 : 1;
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
