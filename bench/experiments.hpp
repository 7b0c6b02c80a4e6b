// What the files of bench_experiments share: kernels that are tried on one rung of the course, and their table.
#pragma once
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "bench/ladder_operands.hpp"
#include "bench/occupancy.hpp"
#include "bench/report.hpp"

namespace sectile::bench {

/// How trials are timed, and what has been found so far.
struct experiments {
  const stream& on;
  int rounds;
  std::vector<measured_row> rows{};
  bool right = true;
};

/// One thing that is tried.
struct trial {
  std::string name, title;
  occupancy room;
  contestant runner;
  double error = 0;
};

/// The trials of one rung. The first is the rung as it is, or what the others are compared with.
struct rung_trials {
  std::string rung, sizes;  // sizes: as in 4096x4096x4096
  double flops, bar;
  std::vector<trial> all{};

  /// Times all in turns, and adds their rows to `to`.
  void time(experiments& to) const {
    std::vector<contestant> runners;
    for (const trial& t : all) runners.push_back(t.runner);
    const std::vector<race_time> times = race(runners, to.on, {.rounds = to.rounds});
    std::printf("%s, %s\n", rung.c_str(), sizes.c_str());
    for (std::size_t i = 0; i < all.size(); ++i) {
      const trial& t = all[i];
      const bool right = t.error <= bar;  // false for NaN
      const double tflops = flops / times[i].median * 1e-9;
      std::printf("  %-44s %2d CTAs, %3d registers, %6d bytes %9.4f ms %8.1f TFLOP/s  %.1e%s\n", t.title.c_str(),
                  t.room.ctas, t.room.registers, t.room.shared_bytes, times[i].median, tflops, t.error,
                  right ? "" : "  WRONG");
      measured_row row{rung + " " + t.name + " " + sizes, t.title};
      row.set("rung", rung).set("trial", t.name).set("sizes", sizes);
      t.room.write(row);
      row.set("ms", times[i].median).set("tflops", tflops).set("over_first", times[0].median / times[i].median);
      row.set("spread", spread_percent(times[i])).set("error", t.error);
      to.rows.push_back(std::move(row));
      to.right = to.right && right;
    }
  }
};

/// Trials on products of matrices, C = A B^T, on several sets of operands, so that a call does not find its own in L2.
template <class Set>
class product_trials {
 public:
  product_trials(std::string rung, std::vector<Set>& operands, double bar, const stream& to)
      : trials{std::move(rung), operands[0].size.text(), operands[0].size.flops(), bar}, sets(operands), on(to) {}

  /// run(set, stream) is compared with what is in set.expected.
  template <class Run>
  product_trials& add(const char* name, const char* title, const occupancy& room, Run run) {
    trial t{name, title, room, rotating(sets, run)};
    for (Set& set : sets) {
      set.c.poison();
      check(cudaDeviceSynchronize(), "poisoning the output");
      run(set, on.handle);
      on.wait();
      const double error = relative_error(set.c, set.expected);
      if (std::isnan(error) || error > t.error) t.error = error;  // once NaN, it stays
    }
    trials.all.push_back(std::move(t));
    return *this;
  }
  /// A rung that is written by hand.
  template <class K>
  product_trials& by_hand(const char* name, const char* title) {
    return add(name, title, occupancy_by_hand<K>(), [](const Set& x, cudaStream_t to) { x.template by_hand<K>(to); });
  }
  /// A program of the language.
  template <class K>
  product_trials& program(const char* name, const char* title) {
    return add(name, title, occupancy_of_program<K>(), [](const Set& x, cudaStream_t to) { x.template by<K>(to); });
  }
  void time(experiments& to) const { trials.time(to); }

 private:
  rung_trials trials;
  std::vector<Set>& sets;
  const stream& on;
};

/// Sets of operands with cuBLASLt's result in `expected`.
template <class Set>
std::vector<Set> sets_with_results(const shape& s, const lt_types& types, const stream& on) {
  std::vector<Set> sets = make_sets<Set>(s);
  const lt_product lt(s.m, s.n, s.k, types);
  for (const Set& set : sets) set.by(lt, 0, on.handle);
  on.wait();
  return sets;
}
inline std::vector<ladder_operands> ladder_sets(const shape& s, const stream& on) {
  return sets_with_results<ladder_operands>(s, lt_types_of<bf16, bf16, bf16, float>(), on);
}

/// The ladder's problem.
constexpr shape ladder_shape{4096, 4096, 4096};

// Each adds the tables of its rungs.
void try_rungs_by_hand(experiments& to);  // 1 to 8
void try_programs(experiments& to);       // 9 to 11
void try_types(experiments& to);          // 12 and 13
void try_attention(experiments& to);      // 14
void try_tiles(experiments& to);          // tiles over sizes

}  // namespace sectile::bench
