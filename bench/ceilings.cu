// What the tensor cores alone reach, and a copy of memory: the ceilings that a kernel stands below, on one GPU.
//
//   bench_ceilings [--rounds N] [--only TEXT] [--json FILE]
//
// The kernels do nothing but wgmma on random data that lie ready (only_products.hpp): every type, dense and sparse, N
// from 64 to 256, one and two warpgroups in an SM, A in shared memory and in registers. --only keeps the cases whose
// name begins with TEXT, as in "e4m3 sparse". The chip is warm when the first begins, and each runs for a while before
// it is timed, so that clock and power have settled. The clock is counted by the SMs, power is asked of the driver
// meanwhile. The exit code is 1 if sums are not as large as those of such data are. --json writes
// docs/measured/ceilings.json.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "bench/ceilings.hpp"
#include "bench/command_line.hpp"
#include "bench/device_data.hpp"
#include "bench/power.hpp"
#include "bench/report.hpp"

namespace sectile::bench {

namespace {

/// Copies words of 16 bytes, eight for each thread; `Once`: caches are told that nobody will ask for them again.
template <bool Once>
__global__ void copy_words(uint4* to, const uint4* from) {
  constexpr int words = 8;
  const std::size_t first = blockIdx.x * static_cast<std::size_t>(blockDim.x) * words + threadIdx.x;
  uint4 x[words];
#pragma unroll
  for (int i = 0; i < words; ++i) x[i] = Once ? __ldcs(from + first + i * blockDim.x) : from[first + i * blockDim.x];
#pragma unroll
  for (int i = 0; i < words; ++i)
    Once ? __stcs(to + first + i * blockDim.x, x[i]) : void(to[first + i * blockDim.x] = x[i]);
}

constexpr double turn_ms = 60;      // of a launch
constexpr int settling_turns = 3;   // before the first one that counts
constexpr int warming_turns = 350;  // before the first case: a cold chip was seen to be up to 5 % faster for 15 s
constexpr double sums_bar = 0.05;   // how far the sums' root mean square may be from what the data let expect, relative

struct ceiling {
  std::string name, title;
  double tflops = 0;
  double share = 0;  // of the tensor cores' cycles
  double mhz = 0;    // of the SMs
  double watts = 0;  // NaN: nobody said
  std::string slowed_by{};
  double error = 0;  // of the sums' root mean square

  bool right() const { return error <= sums_bar; }  // false for NaN
  double peak() const { return tflops / share; }    // at this clock
};

std::string type_text(const wgmma_instruction& w) {
  return std::string(w.a.name) + (w.a.bits == 16 && w.d == w.a ? std::string(", ") + w.d.name + " sums" : "");
}
const char* kind_text(const wgmma_instruction& w) { return w.sparse ? "sparse" : "dense"; }
const char* place_text(const wgmma_instruction& w) { return w.a_in_registers ? "registers" : "shared memory"; }

/// "bf16 dense 256 2 registers".
std::string name_of(const ceiling_case& c) {
  const wgmma_instruction& w = c.instruction;
  return type_text(w) + " " + kind_text(w) + " " + std::to_string(w.n) + " " + std::to_string(c.warpgroups) + " " +
         place_text(w);
}
std::string title_of(const ceiling_case& c) {
  const wgmma_instruction& w = c.instruction;
  return type_text(w) + ", " + kind_text(w) + ", N = " + std::to_string(w.n) + ", " + std::to_string(c.warpgroups) +
         (c.warpgroups == 1 ? " warpgroup" : " warpgroups") + ", A in " + place_text(w);
}

/// Runs one case after the other on one GPU.
class ceiling_bench {
 public:
  explicit ceiling_bench(int multiprocessors)
      : ctas_(multiprocessors),
        squares_(static_cast<std::size_t>(multiprocessors) * 256),
        cycles_(static_cast<std::size_t>(multiprocessors)) {}

  const power_gauge& gauge() const { return gauge_; }

  void warm_up(const ceiling_case& c) const {
    for (int i = 0; i < warming_turns; ++i) launch(c, tiles_of_turn(c));
    on_.wait();
  }

  ceiling measure(const ceiling_case& c, int rounds) {
    const int tiles = tiles_of_turn(c);
    squares_.poison();
    check(cudaDeviceSynchronize(), "poisoning the sums");
    for (int i = 0; i < settling_turns; ++i) launch(c, tiles);
    on_.wait();
    std::vector<double> times, clocks;
    gauged seen;
    for (int round = 0; round < rounds; ++round) {
      times.push_back(gauged_milliseconds(
          on_, begin_, end_, [&] { launch(c, tiles); }, gauge_, seen));
      clocks.push_back(longest_cycles() / times.back() * 1e-3);
    }
    ceiling result{name_of(c), title_of(c)};
    result.tflops = ctas_ * c.tile_flops() * tiles / median(times) * 1e-9;
    result.mhz = median(clocks);
    result.share = c.tile_cycles() * tiles / (result.mhz * median(times) * 1e3);
    result.watts = middle(seen.watts);
    result.slowed_by = reasons_text(seen.slowed_by);
    result.error = std::abs(std::sqrt(mean_square(c) / c.mean_square) - 1);
    return result;
  }

  /// GB/s that a copy of memory reads and writes: CUDA's own, or a kernel's where that is faster.
  double copy(int rounds) const {
    constexpr std::size_t bytes = std::size_t{1} << 32;
    constexpr unsigned threads = 256, blocks = bytes / (threads * 8 * sizeof(uint4));
    const device_buffer<uint4> from(bytes / sizeof(uint4)), to(from.count);
    const contestant by_cuda{[&](int, cudaStream_t s) {
      check(cudaMemcpyAsync(to.data, from.data, bytes, cudaMemcpyDeviceToDevice, s), "copying");
    }};
    const auto by = [&](auto* kernel) {
      return contestant{[&, kernel](int, cudaStream_t s) {
        kernel<<<blocks, threads, 0, s>>>(to.data, from.data);
        check(cudaGetLastError(), "launching a copy");
      }};
    };
    const std::vector<race_time> times =
        race({by_cuda, by(copy_words<false>), by(copy_words<true>)}, on_, {.rounds = rounds});
    return 2 * bytes / times[fastest_of(times)].median * 1e-6;
  }

 private:
  static int tiles_of_turn(const ceiling_case& c) {
    constexpr double cycles_per_ms = 1.7e6;  // about
    return static_cast<int>(turn_ms * cycles_per_ms / c.tile_cycles());
  }
  void launch(const ceiling_case& c, int tiles) const {
    c.launch({tiles, squares_.data, cycles_.data}, ctas_, on_.handle);
  }

  double longest_cycles() const {
    std::vector<long long> all(cycles_.count);
    check(cudaMemcpy(all.data(), cycles_.data, all.size() * sizeof(all[0]), cudaMemcpyDeviceToHost), "reading clocks");
    return static_cast<double>(*std::max_element(all.begin(), all.end()));
  }
  double mean_square(const ceiling_case& c) const {
    std::vector<float> all(static_cast<std::size_t>(ctas_) * static_cast<std::size_t>(c.threads()));
    check(cudaMemcpy(all.data(), squares_.data, all.size() * sizeof(float), cudaMemcpyDeviceToHost), "reading sums");
    double sum = 0;
    for (const float x : all) sum += x;
    return sum / (ctas_ * c.sums());
  }

  int ctas_;
  device_buffer<float> squares_;
  device_buffer<long long> cycles_;
  stream on_{};
  event begin_{}, end_{};
  power_gauge gauge_{};
};

void print_head() {
  std::printf("%-62s %8s %9s %9s %6s %6s %9s  %s\n", "", "TFLOP/s", "peak then", "of it", "MHz", "W", "sums off",
              "slowed by");
}
void print(const ceiling& c) {
  std::printf("%-62s %8.1f %9.1f %7.1f %% %6.0f %6.0f %7.2f %%  %s%s\n", c.title.c_str(), c.tflops, c.peak(),
              100 * c.share, c.mhz, c.watts, 100 * c.error, c.slowed_by.c_str(), c.right() ? "" : "  WRONG");
  std::fflush(stdout);
}

measured_row row_of(const ceiling_case& c, const ceiling& reached) {
  const wgmma_instruction& w = c.instruction;
  measured_row row{reached.name, reached.title};
  row.set("a", w.a.name).set("sums", w.d.name).set("type", type_text(w)).set("kind", kind_text(w));
  row.set("n", w.n).set("warpgroups", c.warpgroups).set("a_in", place_text(w));
  row.set("tflops", reached.tflops).set("peak_tflops", reached.peak()).set("of_peak", 100 * reached.share);
  return row.set("mhz", reached.mhz).set("watts", reached.watts).set("slowed_by", reached.slowed_by);
}
measured_row row_of_copy(double gb_per_s) {
  return measured_row{"copy", "a copy of memory"}.set("kind", "memory").set("gb_per_s", gb_per_s);
}

int run(const options& how) {
  const machine m = this_machine();
  ceiling_bench bench(m.multiprocessors);
  const power_gauge& gauge = bench.gauge();
  std::printf("%s\npower: %s\n", m.text().c_str(),
              gauge.why_not().empty() ? (std::to_string(std::lround(gauge.watts_allowed())) + " W allowed").c_str()
                                      : ("nobody measures it, because " + gauge.why_not()).c_str());
  std::printf(
      "nothing but wgmma, on random data; TFLOP/s are TOP/s of integers, of a sparse A those of the dense one\n\n");
  std::vector<ceiling_case> cases;
  add_bf16_ceilings(cases);
  add_f16_ceilings(cases);
  add_tf32_ceilings(cases);
  add_fp8_ceilings(cases);
  add_integer_ceilings(cases);
  measured_file file{.title = "What the tensor cores and memory reach alone",
                     .device = m.device(),
                     .software = m.software(),
                     .command = how.command,
                     .rounds = how.rounds,
                     .columns = {{"tflops", "TFLOP/s"},
                                 {"peak_tflops", "peak at that clock"},
                                 {"of_peak", "of it, %", 1},
                                 {"mhz", "MHz"},
                                 {"watts", "W"},
                                 {"gb_per_s", "GB/s"}}};
  if (std::isfinite(gauge.watts_allowed()))
    file.device += ", " + std::to_string(std::lround(gauge.watts_allowed())) + " W";
  bench.warm_up(cases.front());
  print_head();
  bool right = true;
  for (const ceiling_case& c : cases) {
    if (!name_of(c).starts_with(how.only)) continue;
    const ceiling reached = bench.measure(c, how.rounds);
    print(reached);
    file.rows.push_back(row_of(c, reached));
    right = right && reached.right();
  }
  const double copied = bench.copy(how.rounds);
  std::printf("\na copy of memory: %.0f GB/s, read and written\n", copied);
  file.rows.push_back(row_of_copy(copied));
  if (!how.json.empty()) file.write(how.json);
  if (!right) std::printf("WRONG SUMS: see the rows above\n");
  return right ? 0 : 1;
}

}  // namespace

}  // namespace sectile::bench

int main(int count, char** words) {
  using namespace sectile::bench;
  try {
    const command_line allowed{.has_shapes = false, .selects = true};
    return run(read_options(count, words, allowed,
                            {.shapes = {}, .rounds = 5, .json = "", .only = "", .command = command_of(count, words)}));
  } catch (const std::exception& e) {
    std::fprintf(stderr, "bench_ceilings: %s\n", e.what());
    return 2;
  }
}
