// C = A B^T in bf16: the gemm_bf16 kernel against cuBLASLt, on one GPU.
//
//   bench_gemm [--shapes MxNxK,...] [--rounds N] [--json FILE]
//
// Up to eight algorithms that cuBLASLt's heuristic proposes are tried for each shape. Ours, the fastest of those and
// the heuristic's first choice are then timed in turns, on the same random data; inputs that would fit in the L2 cache
// are rotated among several sets. Every result is compared with cuBLASLt's. The exit code is 1 if one differs.
#include <sectile/dsl/launch/launch.hpp>
#include <sectile/kernels/gemm.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "bench/cublaslt.hpp"
#include "bench/device_data.hpp"
#include "bench/timing.hpp"

namespace {

using namespace sectile::bench;
using sectile::bf16;
using kernel = sectile::kernels::gemm_bf16;

constexpr double error_bar = 3e-3;  // both round the same sums to 8 bits, so they differ where the sums straddle a tie

struct shape {
  std::int64_t m, n, k;

  double flops() const { return 2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k); }
};

struct options {
  std::vector<shape> shapes{{1024, 1024, 1024},  {2048, 2048, 2048},  {4096, 4096, 4096},  {8192, 8192, 8192},
                            {4096, 14336, 4096}, {8192, 28672, 8192}, {4096, 4096, 14336}, {4096, 24576, 1536}};
  int rounds = 9;
  std::string json;
};

struct outcome {
  shape size;
  race_time ours, best, first;
  std::size_t best_candidate = 0, candidates = 0;
  double error = 0;

  bool right() const { return error <= error_bar; }  // false for NaN
  double tflops(const race_time& t) const { return size.flops() / t.median * 1e-9; }
  double ratio() const { return best.median / ours.median; }
};

/// The operands of one product; a benchmark rotates among several.
struct operands {
  shape size;
  device_buffer<bf16> a, b, c, expected;

  operands(const shape& s, std::uint64_t seed)
      : size(s), a(elements(s.m, s.k)), b(elements(s.n, s.k)), c(elements(s.m, s.n)), expected(elements(s.m, s.n)) {
    fill_normal(a, 2 * seed);
    fill_normal(b, 2 * seed + 1);
    c.poison();
    expected.poison();
  }
  static std::size_t elements(std::int64_t rows, std::int64_t cols) { return static_cast<std::size_t>(rows * cols); }

  void ours(cudaStream_t on) {
    sectile::launch<kernel>(sectile::matrix(const_cast<const bf16*>(a.data), size.m, size.k),
                            sectile::matrix(const_cast<const bf16*>(b.data), size.n, size.k),
                            sectile::matrix(c.data, size.m, size.n), on);
  }
  void theirs(const lt_product& lt, std::size_t candidate, cudaStream_t on) {
    lt.run(candidate, a.data, b.data, expected.data, on);
  }
};

/// Sets of operands that together are well over the L2 cache of an H100 (50 MiB), so that a call finds it cold.
std::vector<operands> make_sets(const shape& s) {
  constexpr double enough_bytes = 160e6;
  const double bytes = 2.0 * static_cast<double>(s.m * s.k + s.n * s.k + s.m * s.n);
  const int count = 1 + static_cast<int>(enough_bytes / bytes);
  std::vector<operands> sets;
  for (int i = 0; i < count; ++i) sets.emplace_back(s, static_cast<std::uint64_t>(i));
  check(cudaDeviceSynchronize(), "filling the operands");
  return sets;
}

/// The largest error of all sets. Both sides have written each set, but the outputs are poisoned and written once more,
/// so that nothing from an earlier call can hide a hole.
double worst_error(std::vector<operands>& sets, const lt_product& lt, const stream& on) {
  double worst = 0;
  for (operands& set : sets) {
    set.c.poison();
    set.expected.poison();
    check(cudaDeviceSynchronize(), "poisoning the outputs");
    set.ours(on.handle);
    set.theirs(lt, 0, on.handle);
    on.wait();
    const double error = relative_error(set.c, set.expected);
    if (std::isnan(error)) return error;
    worst = std::max(worst, error);
  }
  return worst;
}

outcome measure(const shape& s, int rounds, const stream& on) {
  std::vector<operands> sets = make_sets(s);
  const lt_product lt(s.m, s.n, s.k);
  const auto set_of = [&](int call) -> operands& { return sets[static_cast<std::size_t>(call) % sets.size()]; };
  const auto by_candidate = [&](std::size_t candidate) {
    return contestant{[&, candidate](int call, cudaStream_t to) { set_of(call).theirs(lt, candidate, to); }};
  };
  const contestant ours{[&](int call, cudaStream_t to) { set_of(call).ours(to); }};

  outcome result{s, {}, {}, {}, 0, lt.candidates.size(), worst_error(sets, lt, on)};
  std::vector<contestant> all;
  for (std::size_t i = 0; i < lt.candidates.size(); ++i) all.push_back(by_candidate(i));
  const std::vector<race_time> tried = race(all, on, {.rounds = 3, .milliseconds_per_turn = 10});
  for (std::size_t i = 1; i < tried.size(); ++i)
    if (tried[i].median < tried[result.best_candidate].median) result.best_candidate = i;

  const auto final = race({ours, by_candidate(result.best_candidate), by_candidate(0)}, on, {.rounds = rounds});
  result.ours = final[0];
  result.best = final[1];
  result.first = final[2];
  return result;
}

/// Microseconds of the host for one call that is queued on an idle stream, median of several bursts.
template <class Call>
double host_cost(const stream& on, const Call& call) {
  constexpr int bursts = 9, calls = 100;
  std::vector<double> times;
  for (int burst = 0; burst < bursts; ++burst) {
    on.wait();
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < calls; ++i) call();
    times.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count() /
                    calls);
  }
  on.wait();
  return median(times);
}

struct host_costs {
  double ours, theirs;
};

host_costs measure_host(const stream& on) {
  const shape small{128, 256, 64};
  operands set(small, 1);
  const lt_product lt(small.m, small.n, small.k);
  return {host_cost(on, [&] { set.ours(on.handle); }), host_cost(on, [&] { set.theirs(lt, 0, on.handle); })};
}

struct machine {
  std::string name;
  int multiprocessors = 0, driver = 0;
};

machine this_machine() {
  cudaDeviceProp properties{};
  machine m;
  check(cudaGetDeviceProperties(&properties, 0), "looking for a GPU");
  check(cudaDriverGetVersion(&m.driver), "asking for the driver's version");
  m.name = properties.name;
  m.multiprocessors = properties.multiProcessorCount;
  return m;
}

void print_head(const machine& m) {
  std::printf("%s, %d SMs, CUDA driver %d.%d, cuBLASLt %zu\n", m.name.c_str(), m.multiprocessors, m.driver / 1000,
              m.driver % 1000 / 10, cublasLtGetVersion());
  std::printf(
      "C = A B^T, bf16 in and out, f32 sums, standard-normal data; medians. ratio: time of cuBLASLt's best over "
      "ours\n\n");
  std::printf("%6s %6s %6s | %9s %7s | %9s %7s %6s | %9s %7s | %6s %7s | %9s\n", "M", "N", "K", "ours us", "TFLOP/s",
              "Lt best", "TFLOP/s", "choice", "Lt first", "TFLOP/s", "ratio", "spread", "rel. err.");
}

void print_row(const outcome& o) {
  const auto us = [](const race_time& t) { return t.median * 1e3; };
  std::printf("%6lld %6lld %6lld | %9.2f %7.1f | %9.2f %7.1f %2zu of %zu | %9.2f %7.1f | %6.3f %5.1f %% | %9.2e%s\n",
              static_cast<long long>(o.size.m), static_cast<long long>(o.size.n), static_cast<long long>(o.size.k),
              us(o.ours), o.tflops(o.ours), us(o.best), o.tflops(o.best), o.best_candidate + 1, o.candidates,
              us(o.first), o.tflops(o.first), o.ratio(), (o.ours.slowest / o.ours.fastest - 1) * 100, o.error,
              o.right() ? "" : "  WRONG");
  std::fflush(stdout);
}

void write_time(std::ostream& to, const char* name, const race_time& t) {
  to << '"' << name << "\": {\"median_us\": " << t.median * 1e3 << ", \"fastest_us\": " << t.fastest * 1e3
     << ", \"slowest_us\": " << t.slowest * 1e3 << ", \"calls_per_round\": " << t.repetitions << "}";
}

void write_json(const std::string& path, const machine& m, const options& how, const host_costs& host,
                const std::vector<outcome>& outcomes) {
  std::ofstream to(path);
  to.precision(8);
  to << "{\"device\": \"" << m.name << "\", \"driver\": " << m.driver << ", \"cublaslt\": " << cublasLtGetVersion()
     << ", \"rounds\": " << how.rounds << ", \"host_us_per_launch\": " << host.ours
     << ", \"host_us_per_cublaslt_call\": " << host.theirs << ",\n \"results\": [";
  const char* separator = "\n";
  for (const outcome& o : outcomes) {
    to << separator << "  {\"m\": " << o.size.m << ", \"n\": " << o.size.n << ", \"k\": " << o.size.k << ", ";
    write_time(to, "ours", o.ours);
    to << ", ";
    write_time(to, "best", o.best);
    to << ", ";
    write_time(to, "first", o.first);
    to << ", \"best_candidate\": " << o.best_candidate << ", \"candidates\": " << o.candidates
       << ", \"ratio\": " << o.ratio() << ", \"relative_error\": ";
    if (std::isfinite(o.error))
      to << o.error;
    else
      to << "null";
    to << ", \"right\": " << (o.right() ? "true" : "false") << "}";
    separator = ",\n";
  }
  to << "\n]}\n";
  if (!to.flush()) throw std::runtime_error("cannot write " + path);
}

std::vector<shape> read_shapes(const std::string& text) {
  std::vector<shape> shapes;
  std::stringstream list(text);
  for (std::string item; std::getline(list, item, ',');) {
    shape s{};
    char rest = 0;
    long long m = 0, n = 0, k = 0;
    if (std::sscanf(item.c_str(), "%lldx%lldx%lld%c", &m, &n, &k, &rest) != 3 || m < 1 || n < 1 || k < 1)
      throw std::runtime_error("'" + item + "' is not a shape; write MxNxK, as in 4096x4096x1024");
    if (n % 8 || k % 8)
      throw std::runtime_error("shape " + item +
                               ": N and K must be multiples of 8, because the operands are packed here");
    s = {m, n, k};
    shapes.push_back(s);
  }
  return shapes;
}

options read_options(int count, char** words) {
  options o;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    const auto value = [&]() -> std::string {
      if (i + 1 == count) throw std::runtime_error(word + " needs a value");
      return words[++i];
    };
    if (word == "--shapes")
      o.shapes = read_shapes(value());
    else if (word == "--rounds")
      o.rounds = std::atoi(value().c_str());
    else if (word == "--json")
      o.json = value();
    else
      throw std::runtime_error("unknown option " + word + "; there are --shapes, --rounds and --json");
  }
  if (o.rounds < 1) throw std::runtime_error("--rounds must be at least 1");
  return o;
}

int run(const options& how) {
  const machine m = this_machine();
  print_head(m);
  const stream on;
  std::vector<outcome> outcomes;
  bool right = true;
  for (const shape& s : how.shapes) {
    outcomes.push_back(measure(s, how.rounds, on));
    print_row(outcomes.back());
    right = right && outcomes.back().right();
  }
  const host_costs host = measure_host(on);
  std::printf("\nA launch costs the host %.1f us, a call of cuBLASLt %.1f us.\n", host.ours, host.theirs);
  if (!how.json.empty()) write_json(how.json, m, how, host, outcomes);
  if (!right) std::printf("WRONG RESULTS: see the rows above; the bar is %.0e\n", error_bar);
  return right ? 0 : 1;
}

}  // namespace

int main(int count, char** words) {
  try {
    return run(read_options(count, words));
  } catch (const std::exception& e) {
    std::fprintf(stderr, "bench_gemm: %s\n", e.what());
    return 2;
  }
}
