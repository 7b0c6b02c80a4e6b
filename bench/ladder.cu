// The rungs of the ladder, from plain multiplications to a persistent kernel, and cuBLASLt at the top: C = A B^T in
// bf16.
//
//   bench_ladder [SIZE] [--rounds N] [--json FILE]     SIZE x SIZE x SIZE, 4096 unless given; a multiple of 128
//
// All are timed in turns, on the same random data, and compared with cuBLASLt's result. Behind them come kernels of
// other types and kinds on the same number of multiplications, or, of attention, with that many keys. The exit code is
// 1 if a result is wrong.
#include <sectile/dsl/launch/portable.hpp>
#include <sectile/dsl/launch/sparse_device.hpp>
#include <sectile/kernels/attention.hpp>
#include <sectile/kernels/gemm.hpp>
#include <sectile/kernels/ladder/core_matrices.hpp>
#include <sectile/kernels/ladder/descriptors.hpp>
#include <sectile/kernels/ladder/launch.hpp>
#include <sectile/kernels/ladder/one_tile.hpp>
#include <sectile/kernels/ladder/persistence.hpp>
#include <sectile/kernels/ladder/simt.hpp>
#include <sectile/kernels/ladder/stages.hpp>
#include <sectile/kernels/ladder/swizzles.hpp>
#include <sectile/kernels/ladder/tma.hpp>
#include <sectile/kernels/ladder/wmma.hpp>
#include <sectile/kernels/sparse_gemm.hpp>

#include <charconv>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "bench/attention_problem.hpp"
#include "bench/ladder_operands.hpp"
#include "bench/occupancy.hpp"
#include "bench/report.hpp"

namespace {

using namespace sectile::bench;
using namespace sectile;
namespace bench = sectile::bench;
namespace ladder = sectile::kernels::ladder;

struct rung {
  std::string name, title;
  occupancy room;
  contestant runner;
  double flops = 0;
  double error = 0, bar = 0;
  race_time time{};

  double tflops() const { return flops / time.median * 1e-9; }
  bool right() const { return error <= bar; }  // false for NaN
};

/// The operands of the bf16 rungs, and cuBLASLt's result.
struct bf16_operands : ladder_operands {
  lt_product lt;

  explicit bf16_operands(const shape& s) : ladder_operands(s, 1), lt(s.m, s.n, s.k) {
    by(lt, 0, nullptr);
    check(cudaDeviceSynchronize(), "running cuBLASLt");
  }
};

/// Runs a rung once, on a poisoned result, and notes how far that is from what is expected.
template <class T>
void check_result(rung& r, device_buffer<T>& c, const device_buffer<T>& expected, const stream& on) {
  c.poison();
  check(cudaDeviceSynchronize(), "poisoning the output");
  r.runner.queue(0, on.handle);
  on.wait();
  r.error = relative_error(c, expected);
}

std::vector<rung> bf16_rungs(bf16_operands& x, const stream& on) {
  std::vector<rung> rungs;
  const auto add = [&](const char* name, const char* title, const occupancy& room, auto run) {
    rungs.push_back({name, title, room, {[run](int, cudaStream_t to) { run(to); }}, x.size.flops(), 0, bf16_bar});
    check_result(rungs.back(), x.c, x.expected, on);
  };
  const auto by_hand = [&]<class K>(K, const char* name, const char* title) {
    add(name, title, occupancy_by_hand<K>(), [&](cudaStream_t to) { x.by_hand<K>(to); });
  };
  const auto program = [&]<class K>(K, const char* name, const char* title) {
    add(name, title, occupancy_of_program<K>(), [&](cudaStream_t to) { x.by<K>(to); });
  };
  by_hand(ladder::simt{}, "simt", "1 plain multiplications");
  add("wmma", "2 nvcuda::wmma", occupancy_before_hopper<ladder::wmma>(),
      [&](cudaStream_t to) { x.by_wmma<ladder::wmma>(to); });
  by_hand(ladder::one_tile{}, "one_tile", "3 wgmma, one tile");
  by_hand(ladder::descriptors{}, "descriptors", "4 B by columns");
  by_hand(ladder::core_matrices{}, "core_matrices", "5 core matrices apart");
  by_hand(ladder::swizzles{}, "swizzles", "6 swizzled rows");
  by_hand(ladder::tma{}, "tma", "7 TMA");
  by_hand(ladder::stages{}, "stages", "8 a ring of stages");
  program(ladder::warp_specialization{}, "warp_specialization", "9 a producer");
  program(ladder::clusters{}, "clusters", "10 clusters");
  program(ladder::persistence{}, "persistence", "11 persistent CTAs");
  rungs.push_back({"cublaslt",
                   "cuBLASLt, its first choice",
                   {},
                   {[&](int, cudaStream_t to) { x.by(x.lt, 0, to); }},
                   x.size.flops(),
                   0,
                   bf16_bar});
  return rungs;
}

/// Rung 12: another type.
struct fp8_rung {
  bench::operands<e4m3, e4m3, bf16> x;

  fp8_rung(const shape& s, const stream& on) : x(s, 2) {
    const lt_product lt(s.m, s.n, s.k, lt_types_of<e4m3, e4m3, bf16, float>());
    check(cudaDeviceSynchronize(), "filling the operands");
    x.by(lt, 0, on.handle);
    on.wait();
  }
  rung measured(const stream& on) {
    using kernel = kernels::gemm<e4m3, e4m3, bf16>;
    rung r{"types",
           "12 e4m3",
           occupancy_of_program<kernel>(),
           {[this](int, cudaStream_t to) { x.by<kernel>(to); }},
           x.size.flops(),
           0,
           fp8_bar};
    check_result(r, x.c, x.expected, on);
    return r;
  }
};

/// Rung 13: A 2:4 sparse. Counted are the multiplications of the dense product.
struct sparse_rung {
  bench::operands<bf16, bf16, bf16> x;
  device_buffer<bf16> values;
  device_buffer<std::uint32_t> metadata;

  sparse_rung(const shape& s, const stream& on)
      : x(s, 3),
        values(static_cast<std::size_t>(s.m * sparse_value_stride<bf16>(s.k))),
        metadata(static_cast<std::size_t>(sparse_metadata_words<bf16>(s.m, s.k))) {
    prune_on(cudaStream_t{}, x.a.data, s.m, s.k, s.k);
    compress_on(cudaStream_t{}, x.a.data, s.m, s.k, s.k, values.data, sparse_value_stride<bf16>(s.k), metadata.data);
    check(cudaDeviceSynchronize(), "filling the operands");
    const lt_product lt(s.m, s.n, s.k);
    x.by(lt, 0, on.handle);
    on.wait();
  }
  using kernel = kernels::sparse_gemm<bf16, bf16, bf16>;
  void run(cudaStream_t on) const {
    const shape& s = x.size;
    launch<kernel>(
        sparse(static_cast<const bf16*>(values.data), metadata.data, s.m, s.k, sparse_value_stride<bf16>(s.k)),
        x.b_view(), x.c_view(), on);
  }
  rung measured(const stream& on) {
    rung r{"sparse",
           "13 bf16, A 2:4 sparse",
           occupancy_of_program<kernel>(),
           {[this](int, cudaStream_t to) { run(to); }},
           x.size.flops(),
           0,
           bf16_bar};
    check_result(r, x.c, x.expected, on);
    return r;
  }
};

/// Rung 14: attention.
rung attention_rung(attention_problem& x, const stream& on) {
  rung r{"attention",
         "14 attention, D = 128",
         occupancy_of_program<plain_attention>(),
         {[&x](int, cudaStream_t to) { x.run<plain_attention>(to); }},
         x.flops(),
         0,
         bf16_bar};
  x.o.poison();
  check(cudaDeviceSynchronize(), "poisoning the output");
  r.runner.queue(0, on.handle);
  on.wait();
  r.error = x.error();
  return r;
}

/// Times all in turns; the slow first rung in turns with the second only.
void time_all(std::vector<rung>& rungs, int rounds, const stream& on) {
  std::vector<contestant> fast;
  for (std::size_t i = rungs.size(); i-- > 1;) fast.push_back(rungs[i].runner);  // a fast one first: it sets the pace
  const std::vector<race_time> times = race(fast, on, {.rounds = rounds});
  for (std::size_t i = rungs.size(); i-- > 1;) rungs[i].time = times[rungs.size() - 1 - i];
  rungs[0].time = race({rungs[0].runner, rungs[1].runner}, on, {.rounds = 3})[0];
}

const rung& named(const std::vector<rung>& rungs, const std::string& name) {
  for (const rung& r : rungs)
    if (r.name == name) return r;
  throw std::runtime_error("there is no rung " + name);
}

/// Whether rung i stands on the one before it: the same product, a step further.
bool stands_on_the_one_below(const std::vector<rung>& rungs, std::size_t i) {
  return i > 0 && i < rungs.size() && rungs[i].name != "types" && rungs[i].name != "sparse" &&
         rungs[i].name != "attention";
}

void print(const std::vector<rung>& rungs) {
  const double top = named(rungs, "cublaslt").tflops();
  std::printf("%-28s %10s %9s %9s %9s %9s\n", "rung", "ms", "TFLOP/s", "cuBLASLt", "below", "rel. err.");
  for (std::size_t i = 0; i < rungs.size(); ++i) {
    const rung& r = rungs[i];
    std::printf("%-28s %10.4f %9.1f %8.1f%%", r.title.c_str(), r.time.median, r.tflops(), 100 * r.tflops() / top);
    stands_on_the_one_below(rungs, i) ? std::printf(" %8.2fx", r.tflops() / rungs[i - 1].tflops())
                                      : std::printf(" %9s", "");
    std::printf(" %9.1e%s\n", r.error, r.right() ? "" : "  WRONG");
  }
}

void write_json(const std::string& path, const machine& m, const std::string& command, const std::string& size,
                int rounds, const std::vector<rung>& rungs) {
  measured_file file{.title = "The ladder, " + size,
                     .device = m.device(),
                     .software = m.software() + ", cuBLASLt " + library_version(cublasLtGetVersion()),
                     .command = command,
                     .rounds = rounds,
                     .columns = {{"ms", "ms", 3},
                                 {"tflops", "TFLOP/s", 0},
                                 {"of_cublaslt", "of cuBLASLt, %", 0},
                                 {"over_below", "over the rung below", 2}}};
  for (const measured_column& c : occupancy::columns()) file.columns.push_back(c);
  file.columns.push_back({"error", "differs from cuBLASLt by, relative", 5});
  const double top = named(rungs, "cublaslt").tflops();
  for (std::size_t i = 0; i < rungs.size(); ++i) {
    const rung& r = rungs[i];
    measured_row row{r.name, r.title};
    row.set("ms", r.time.median).set("tflops", r.tflops()).set("of_cublaslt", 100 * r.tflops() / top);
    if (stands_on_the_one_below(rungs, i)) row.set("over_below", r.tflops() / rungs[i - 1].tflops());
    if (r.room.ctas > 0) r.room.write(row);  // of our own kernels
    file.rows.push_back(row.set("error", r.error));
  }
  file.write(path);
}

struct arguments {
  std::int64_t size = 4096;
  int rounds = 9;
  std::string json;
};

/// A whole number from `least` to 2^31 - 1.
int whole_number(const char* what, const std::string& text, int least) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || number < least)
    throw std::runtime_error(std::string(what) + " '" + text + "' is not a whole number from " + std::to_string(least));
  return number;
}

arguments read_arguments(int count, char** words) {
  arguments a;
  bool sized = false;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    const bool has_value = i + 1 < count;
    if (word == "--rounds" && has_value)
      a.rounds = whole_number("--rounds", words[++i], 1);
    else if (word == "--json" && has_value)
      a.json = words[++i];
    else if (!sized && !word.starts_with("-"))
      a.size = whole_number("SIZE", word, 128), sized = true;
    else
      throw std::runtime_error("usage: bench_ladder [SIZE] [--rounds N] [--json FILE]");
  }
  if (a.size % 128 != 0) throw std::runtime_error("SIZE " + std::to_string(a.size) + " is not a multiple of 128");
  return a;
}

int run(const arguments& how, const std::string& command) {
  const machine m = this_machine();
  const shape s{how.size, how.size, how.size};
  const stream on;
  bf16_operands x(s);
  fp8_rung fp8(s, on);
  sparse_rung half(s, on);
  attention_problem attention(2, 16, how.size);
  std::vector<rung> rungs = bf16_rungs(x, on);
  rungs.push_back(fp8.measured(on));
  rungs.push_back(half.measured(on));
  rungs.push_back(attention_rung(attention, on));
  time_all(rungs, how.rounds, on);

  std::printf("%s, cuBLASLt %s\nC = A B^T, %s, standard-normal data; medians\n\n", m.text().c_str(),
              library_version(cublasLtGetVersion()).c_str(), s.text(" x ").c_str());
  print(rungs);
  if (!how.json.empty()) write_json(how.json, m, command, s.text(" x "), how.rounds, rungs);
  bool right = true;
  for (const rung& r : rungs) right = right && r.right();
  return right ? 0 : 1;
}

}  // namespace

int main(int count, char** words) {
  try {
    return run(read_arguments(count, words), command_of(count, words));
  } catch (const std::exception& e) {
    std::fprintf(stderr, "bench_ladder: %s\n", e.what());
    return 2;
  }
}
