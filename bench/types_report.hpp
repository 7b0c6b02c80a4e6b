// What bench/types.cu and bench/sparse.cu print and write of a row.
#pragma once
#include <cublasLt.h>

#include <cmath>
#include <cstdio>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "bench/report.hpp"
#include "bench/types.hpp"
#if SECTILE_HAS_CUSPARSELT
#include <cusparseLt.h>
#endif

namespace sectile::bench {

inline double us(const race_time& t) { return t.median * 1e3; }
inline double tflops(const shape& s, const race_time& t) { return s.flops() / t.median * 1e-9; }

/// How often as fast as the peer.
inline double ratio(const race_time& ours, const race_time& peer) { return peer.median / ours.median; }

inline std::string cusparselt_version() {
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

/// The libraries that took part.
inline std::string libraries_text() {
  const std::string sparse_peer = cusparselt_version();
  return "cuBLASLt " + library_version(cublasLtGetVersion()) +
         (sparse_peer.empty() ? ", no cuSPARSELt" : ", cuSPARSELt " + sparse_peer);
}

inline void print_size(const char* name, const shape& s) {
  std::printf("%-20s %6lld %6lld %6lld", name, static_cast<long long>(s.m), static_cast<long long>(s.n),
              static_cast<long long>(s.k));
}

inline void print_dense_head() {
  std::printf(
      "Dense. 32-bit sums unless said otherwise. ratio: time of cuBLASLt's best over ours\n"
      "%-20s %6s %6s %6s | %9s %7s | %9s %7s %6s | %6s %7s | %9s\n",
      "type", "M", "N", "K", "ours us", "TFLOP/s", "Lt best", "TFLOP/s", "choice", "ratio", "spread", "rel. err.");
}

inline void print_row(const char* name, const dense_outcome& o) {
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

inline void print_sparse_head() {
  std::printf(
      "\nSparse: A is pruned to 2:4 (tf32: 1:2); TFLOP/s count the products of the dense matrix. ratio: time of "
      "cuSPARSELt,\nof cuBLASLt's best dense and of our own dense product of the same matrices, over ours\n"
      "%-20s %6s %6s %6s | %9s %7s | %9s %7s %6s | %9s %6s | %9s %6s | %7s | %9s %9s\n",
      "type", "M", "N", "K", "ours us", "TFLOP/s", "Sp best", "TFLOP/s", "ratio", "Lt dense", "ratio", "our dense",
      "ratio", "spread", "rel. err.", "Sp's");
}

inline void print_row(const char* name, const sparse_outcome& o) {
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
inline measured_row head_of(const char* name, const char* kind, const shape& s, const race_time& ours) {
  measured_row row{std::string(kind) + " " + name + " " + s.text(), name};
  row.set("type", name);
  row.set("kind", kind);
  row.set("shape", s.text());
  row.set("tflops", tflops(s, ours));
  row.set("us", us(ours));
  row.set("spread_percent", spread_percent(ours));
  return row;
}

inline measured_row row_of(const char* name, const dense_outcome& o) {
  measured_row row = head_of(name, "dense", o.size, o.ours);
  row.set("ratio", o.has_peer() ? ratio(o.ours, o.peer) : NAN);
  row.set("relative_error", o.error);
  return row;
}

inline measured_row row_of(const char* name, const sparse_outcome& o) {
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

  /// Measures a case at each shape, and returns what came of it. A row that cannot be measured does not keep the others
  /// from it.
  template <class Outcome>
  std::vector<Outcome> add(const char* name, Outcome (*measure)(const shape&, int, const stream&), const options& how) {
    std::vector<Outcome> outcomes;
    if (!std::string(name).starts_with(how.only)) return outcomes;
    for (const shape& s : how.shapes) {
      try {
        const stream on;
        outcomes.push_back(measure(s, how.rounds, on));
        print_row(name, outcomes.back());
        rows.push_back(row_of(name, outcomes.back()));
        right = right && outcomes.back().right();
      } catch (const std::exception& e) {
        print_size(name, s);
        std::printf(" | %s\n", e.what());
        right = false;
      }
    }
    return outcomes;
  }
};

/// Writes the rows to the file that was asked for. The exit code.
inline int finish(const machine& m, const options& how, const report& r, const char* title,
                  std::vector<measured_column> columns) {
  measured_file file{.title = title,
                     .device = m.device(),
                     .software = m.software() + ", " + libraries_text(),
                     .command = how.command,
                     .rounds = how.rounds,
                     .columns = std::move(columns)};
  file.rows = r.rows;
  if (!how.json.empty()) file.write(how.json);
  if (!r.right) std::printf("WRONG OR MISSING RESULTS: see the rows above\n");
  return r.right ? 0 : 1;
}

}  // namespace sectile::bench
