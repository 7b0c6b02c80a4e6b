// Thousands of random problems on a GPU, for every shipped kernel of every type in every reading: random sizes from 1
// up, padded strides, pointers at any multiple of 16 bytes, poisoned memory, guard bands, attention with any lengths.
//
//   gpu_random_types [--seconds S] [--count N] [--seed N] [--first I] [--only KERNEL] [--wgmma]
//
// Each result is compared with a reference that the GPU computes in float64: exactly where sums are exact, element by
// element within what the instructions' rounding explains elsewhere. Not one byte outside the output's elements may
// change. Every eighth problem runs twice and must give the same bits. Exit code: 0 if all is right, 1 if not, 77
// without a GPU.
#include <sectile/dsl/launch/sparse_device.hpp>

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <exception>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "tests/command_line.hpp"
#include "tests/gpu/on_device.hpp"
#include "tests/gpu/random_problem.hpp"
#include "tool/error_bar.hpp"
#include "tool/machines.hpp"
#include "tool/storage_types.hpp"

namespace {

using namespace sectile;
using namespace sectile::gpu_test;

void check(cudaError_t e, const char* doing) {
  if (e != cudaSuccess) throw std::runtime_error(std::string(doing) + ": " + cudaGetErrorString(e));
}

/// Device memory that grows as needed.
struct device_bytes {
  std::uint8_t* at = nullptr;
  std::int64_t size = 0;
  device_bytes() = default;
  ~device_bytes() { cudaFree(at); }
  device_bytes(const device_bytes&) = delete;
  device_bytes& operator=(const device_bytes&) = delete;
  std::uint8_t* reserve(std::int64_t bytes) {
    if (bytes <= size) return at;
    cudaFree(at);
    size = bytes + bytes / 2;
    check(cudaMalloc(reinterpret_cast<void**>(&at), static_cast<std::size_t>(size)), "allocating device memory");
    return at;
  }
};

struct memory {
  device_bytes arena, before, dense, numbers[3], sum, magnitude, found;
};

strided layout_of(const placed_tensor& t) {
  strided s{t.rank, t.contiguous, {}, {}};
  for (int d = 0; d < t.rank; ++d) {
    s.extent[d] = t.extent[d];
    s.stride[d] = t.stride[d];
  }
  return s;
}
/// The same of one-bit elements, in bytes.
strided bytes_of_bits(const placed_tensor& t) {
  strided s = layout_of(t);
  s.extent[t.contiguous] /= 8;
  for (int d = 0; d < t.rank; ++d)
    if (d != t.contiguous) s.stride[d] /= 8;
  return s;
}
occupied elements_of(const placed_tensor& t) {
  occupied o{0, t.first, t.type.bits / 8, {}, {}};
  bool taken[max_rank]{};
  for (;;) {
    int next = -1;
    for (int d = 0; d < t.rank; ++d)
      if (!taken[d] && t.extent[d] > 1 && (next < 0 || t.stride[d] > t.stride[next])) next = d;
    if (next < 0) return o;
    taken[next] = true;
    o.extent[o.modes] = t.extent[next];
    o.stride[o.modes++] = t.stride[next];
  }
}

contents contents_of(const random_problem& p) { return static_cast<contents>(p.data); }
std::uint64_t seed_of(const random_problem& p, int operand) {
  return random_bits(random_bits(p.seed, p.index), static_cast<std::uint64_t>(operand));
}

/// Fills input `o` and leaves its numbers, packed, in memory.numbers[o].
void make_input(const random_problem& p, int o, memory& gpu) {
  const placed_tensor& t = p.tensor[o];
  std::uint8_t* const base = gpu.arena.at + t.first;
  const bool sparse = o == 0 && p.kernel->is_sparse();
  const std::int64_t count = sparse ? p.m * p.k : t.elements();
  auto* const numbers = reinterpret_cast<float*>(gpu.numbers[o].reserve(count * 4));
  if (t.type.bits == 1) {
    const strided s = bytes_of_bits(t);
    fill_bits<<<blocks_for(count / 8), 256>>>(base, s, count / 8, std::min(0.5, p.density), seed_of(p, o));
    read_bits<<<blocks_for(count / 8), 256>>>(numbers, base, s, count / 8);
    return;
  }
  tool::with_storage_type(t.type, [&]<class T>(std::type_identity<T>) {
    strided s = layout_of(t);
    auto* to = reinterpret_cast<T*>(base);
    if (sparse) {
      s = {2, 1, {p.m, p.k}, {p.k, 1}};
      to = reinterpret_cast<T*>(gpu.dense.reserve(count * static_cast<std::int64_t>(sizeof(T))));
    }
    const int group = !sparse ? 0 : t.type.bits == 32 ? 2 : 4;
    fill<T><<<blocks_for(count), 256>>>(to, s, count, contents_of(p), p.density, seed_of(p, o), group);
    read_numbers<T><<<blocks_for(count), 256>>>(numbers, to, s, count);
    if constexpr (sparse_element<T>)
      if (sparse)
        compress_on<T>(nullptr, to, p.m, p.k, p.k, reinterpret_cast<T*>(base), t.stride[0],
                       reinterpret_cast<std::uint32_t*>(gpu.arena.at + p.metadata.first));
  });
}

std::vector<tool::argument> arguments_of(const random_problem& p, const memory& gpu) {
  std::vector<tool::argument> all;
  for (int i = 0; i <= p.inputs; ++i) {
    const placed_tensor& t = p.tensor[i];
    tool::argument a{.data = gpu.arena.at + t.first, .bytes = t.bytes, .rank = t.rank};
    for (int d = 0; d < t.rank; ++d) {
      a.extent[d] = t.extent[d];
      a.stride[d] = t.stride[d];
    }
    if (i == 0 && p.metadata.rank) {
      a.extent[1] = p.k;
      a.metadata = gpu.arena.at + p.metadata.first;
      a.metadata_bytes = p.metadata.bytes;
    }
    all.push_back(a);
  }
  if (p.batch) all.push_back({.number = p.scale});
  return all;
}

/// Leaves the reference in memory.sum and what it is made of in memory.magnitude.
void compute_reference(const random_problem& p, memory& gpu) {
  const std::int64_t count = p.output().elements();
  auto* const sum = reinterpret_cast<double*>(gpu.sum.reserve(count * 8));
  auto* const magnitude = reinterpret_cast<double*>(gpu.magnitude.reserve(count * 8));
  const auto numbers = [&](int i) { return reinterpret_cast<const float*>(gpu.numbers[i].at); };
  if (p.batch) {
    const int dimension = p.kernel->head_dimension();
    const bool causal = p.kernel->attention()->causal;
    attend<<<static_cast<unsigned>(p.batch * p.heads * p.queries), static_cast<unsigned>(dimension)>>>(
        numbers(0), numbers(1), numbers(2), p.queries, p.keys, dimension, causal, static_cast<double>(p.scale), sum,
        magnitude);
    return;
  }
  const wgmma_instruction& w = p.kernel->planned->products.at[0].instruction;
  const std::int64_t blocks = (p.m + side - 1) / side * ((p.n + side - 1) / side);
  multiply<<<static_cast<unsigned>(blocks), dim3(side, side)>>>(numbers(0), numbers(1), p.m, p.n, p.k,
                                                                w.saturate ? w.k : 0, sum, magnitude);
}

/// How far the output may be off: see tool/error_bar.hpp for the rounding of one instruction. Here every cut goes the
/// wrong way, so nothing that is right is ever beyond.
tolerance tolerance_of(const random_problem& p) {
  const element& out = p.output().type;
  tolerance bar{};
  if (out.kind != number::floating) return bar;
  bar.of_number = out.bits < 32 ? std::ldexp(1.0, -out.mantissa_bits - 1) * 1.01 : 0x1p-24;
  bar.absolute = out == element_of<f16>() ? 0x1p-24 : 1e-30;
  if (p.batch) {
    bar.of_magnitude = 0x1p-6;  // probabilities have 8 bits
    return bar;
  }
  const wgmma_instruction& w = p.kernel->planned->products.at[0].instruction;
  const instruction_family f = family_of(w);
  const bool f16_sum = w.d == element_of<f16>();
  if (p.data == data_kind::whole) bar.exact_below = f16_sum ? 0x1p10 : w.a.bits == 8 ? 0x1p12 : 0x1p22;
  const double steps = std::ceil(static_cast<double>(p.k) / w.k) + 1;
  bar.of_magnitude = steps * ((stored_k(w) + 1) * std::ldexp(2.0, -f.aligned_bits) + std::ldexp(1.0, -f.kept_bits));
  if (p.how != tool::reading::wgmma) bar.of_magnitude += static_cast<double>(p.k) * (f16_sum ? 0x1p-11 : 0x1p-22);
  return bar;
}
/// The relative L2 error that is explained; 0 where only the elements are looked at.
double l2_bar(const random_problem& p) {
  if (p.batch) return tool::attention_error_bar;
  if (p.how != tool::reading::wgmma || p.data != data_kind::normal) return 0;
  return tool::sum_error_bar(p.kernel->planned->products.at[0].instruction, p.output().type, p.k, tool::signs::random);
}

struct score {
  std::uint64_t problems = 0, elements = 0, exact = 0, twice = 0, failures = 0;
  std::map<std::string, int> of_kernel;
  double worst_of_bar = 0;
};

findings look(const random_problem& p, memory& gpu, bool output_may_change) {
  auto* const found = reinterpret_cast<findings*>(gpu.found.reserve(sizeof(findings)));
  findings f{};
  check(cudaMemcpy(found, &f, sizeof f, cudaMemcpyHostToDevice), "preparing the comparison");
  const placed_tensor& t = p.output();
  tool::with_storage_type(t.type, [&]<class T>(std::type_identity<T>) {
    compare<T><<<blocks_for(t.elements()), 256>>>(reinterpret_cast<const T*>(gpu.arena.at + t.first), layout_of(t),
                                                  t.elements(), reinterpret_cast<const double*>(gpu.sum.at),
                                                  reinterpret_cast<const double*>(gpu.magnitude.at), tolerance_of(p),
                                                  found);
  });
  occupied where = elements_of(t);
  if (!output_may_change) where.first = p.arena;  // beyond all bytes: it occupies none
  find_touched<<<blocks_for(p.arena / 8), 256>>>(reinterpret_cast<const std::uint64_t*>(gpu.arena.at),
                                                 reinterpret_cast<const std::uint64_t*>(gpu.before.at), p.arena / 8,
                                                 where, found);
  check(cudaMemcpy(&f, found, sizeof f, cudaMemcpyDeviceToHost), "comparing");
  return f;
}

void keep_copy(const random_problem& p, memory& gpu) {
  check(cudaMemcpy(gpu.before.at, gpu.arena.at, static_cast<std::size_t>(p.arena), cudaMemcpyDeviceToDevice),
        "copying");
}

/// What is wrong with the kernel's answer to p; nothing if it is right.
std::string solve(random_problem p, memory& gpu, score& s) {
  p.arena = (p.arena + 7) / 8 * 8;
  gpu.arena.reserve(p.arena);
  gpu.before.reserve(p.arena);
  check(cudaMemset(gpu.arena.at, p.poison, static_cast<std::size_t>(p.arena)), "poisoning");
  for (int i = 0; i < p.inputs; ++i) make_input(p, i, gpu);
  compute_reference(p, gpu);
  keep_copy(p, gpu);
  check(cudaDeviceSynchronize(), "preparing the problem");

  const std::vector<tool::argument> arguments = arguments_of(p, gpu);
  p.kernel->in(p.how).launch(arguments, nullptr);
  check(cudaDeviceSynchronize(), "running the kernel");
  const findings f = look(p, gpu, true);
  s.elements += static_cast<std::uint64_t>(p.output().elements());
  s.exact += f.exact;
  if (f.wrong)
    return std::to_string(f.wrong) + " of " + std::to_string(p.output().elements()) +
           " elements are wrong, the first is number " + std::to_string(f.first_wrong);
  if (f.touched)
    return std::to_string(f.touched) + " bytes outside the output changed, the first is " +
           std::to_string(static_cast<std::int64_t>(f.first_touched) - p.output().first) + " from its beginning";
  const double error = f.norm > 0 ? std::sqrt(f.error / f.norm) : 0, bar = l2_bar(p);
  if (bar > 0 && p.output().elements() > 4096) {  // of few elements the bar, a mean, says little
    s.worst_of_bar = std::max(s.worst_of_bar, error / bar);
    if (!(error <= bar)) return "the relative error is " + std::to_string(error) + ", the bar " + std::to_string(bar);
  }
  if (!p.twice) return {};
  ++s.twice;
  keep_copy(p, gpu);
  p.kernel->in(p.how).launch(arguments, nullptr);
  check(cudaDeviceSynchronize(), "running the kernel again");
  if (const findings again = look(p, gpu, false); again.touched)
    return "a second run changed " + std::to_string(again.touched) + " bytes";
  return {};
}

struct options {
  double seconds = 60;
  std::uint64_t first = 0, count = ~0ull;
  std::string only;
  problem_source from;
};

options read_options(int count, char** words) {
  options o;
  sectile::test::read_command_line(count, words, [&](const std::string& word, const auto& value) {
    if (word == "--seconds")
      o.seconds = std::stod(value());
    else if (word == "--count")
      o.count = std::stoull(value());
    else if (word == "--seed")
      o.from.seed = std::stoull(value());
    else if (word == "--first")
      o.first = std::stoull(value());
    else if (word == "--only")
      o.only = value();
    else if (word == "--wgmma")
      o.from.portable = false;
    else
      return false;
    return true;
  });
  const auto is_known = [](const tool::kernel_facts& k) {  // to the kernels above, which compute the reference
    if (const tool::attention_formula* what = k.attention())
      return k.inputs() == 3 && k.outputs() == 1 && *what == tool::attention_formula{.causal = what->causal};
    const auto* product = std::get_if<tool::product_formula>(&k.computes);
    return product && product->is_gemm() && !k.input(0).im2col;
  };
  for (const tool::kernel_facts& k : tool::kernel_list())
    if (k.planned && is_known(k) && (o.only.empty() || k.name == o.only)) o.from.kernels.push_back(&k);
  if (o.from.kernels.empty()) throw std::runtime_error("there is no kernel " + o.only);
  return o;
}

/// Ends the program if one problem takes longer than a minute, and says which.
struct watchdog {
  std::atomic<std::uint64_t> index{0};
  std::atomic<bool> done{false};
  std::thread thread;
  explicit watchdog(const problem_source& from)
      : thread([this, from] {
          std::uint64_t last = 0;
          for (int seconds = 0; !done; ++seconds) {
            std::this_thread::sleep_for(std::chrono::seconds(1));
            if (index != last) seconds = 0;
            last = index;
            if (seconds < 60) continue;
            std::printf("FAIL %s: no end after a minute\n", describe(make_problem(from, index)).c_str());
            std::fflush(stdout);
            std::_Exit(1);
          }
        }) {}
  ~watchdog() {
    done = true;
    thread.join();
  }
};

int run(const options& how) {
  if (const std::string why = tool::why_no_gpu(); !why.empty()) {
    std::printf("skipped: %s\n", why.c_str());
    return 77;
  }
  const auto begin = std::chrono::steady_clock::now();
  const auto seconds = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(); };
  memory gpu;
  score s;
  watchdog dog(how.from);
  for (std::uint64_t i = how.first; i - how.first < how.count && seconds() < how.seconds && s.failures < 20; ++i) {
    dog.index = i;
    const random_problem p = make_problem(how.from, i);
    std::string wrong;
    try {
      wrong = solve(p, gpu, s);
    } catch (const std::exception& e) {
      wrong = e.what();
    }
    ++s.problems;
    ++s.of_kernel[std::string(p.kernel->name)];
    if (wrong.empty()) continue;
    ++s.failures;
    std::printf("FAIL %s: %s\n", describe(p).c_str(), wrong.c_str());
    std::fflush(stdout);
    if (cudaDeviceSynchronize() != cudaSuccess) break;  // the context is lost
  }
  int fewest = 1 << 30;
  for (const auto& [name, n] : s.of_kernel) fewest = std::min(fewest, n);
  std::printf(
      "seed %llu: %llu problems in %.1f s, %zu kernels with %d or more each; %llu elements, %llu compared exactly; "
      "%llu run twice; largest error %.2f of its bar; %llu failures\n",
      static_cast<unsigned long long>(how.from.seed), static_cast<unsigned long long>(s.problems), seconds(),
      s.of_kernel.size(), fewest, static_cast<unsigned long long>(s.elements), static_cast<unsigned long long>(s.exact),
      static_cast<unsigned long long>(s.twice), s.worst_of_bar, static_cast<unsigned long long>(s.failures));
  return s.failures ? 1 : 0;
}

}  // namespace

int main(int count, char** words) {
  try {
    return run(read_options(count, words));
  } catch (const std::exception& e) {
    std::fprintf(stderr, "gpu_random_types: %s\n", e.what());
    return 1;
  }
}
